//! Draws states for people as text and SVG. Reads states; changes and prints nothing.

mod beside;
mod board;
mod chain;
mod last;
mod margin;
pub mod panel;
mod rows;
pub mod score;
mod spoken;
pub mod stopped;
mod subtotals;
pub mod svg;
mod table;
pub mod text;
mod told;

pub use svg::svg;
