//! Draws states for people as text and SVG. Reads states; changes and prints nothing.

mod beside;
mod board;
pub mod chain;
mod last;
mod margin;
pub mod panel;
pub mod score;
pub mod stopped;
mod subtotals;
pub mod svg;
pub mod text;

pub use svg::svg;
