//! Renders games for people as text, SVG, PNG and PDF, and describes rules in words. Reads states; changes and
//! prints nothing.

mod beside;
mod board;
pub(crate) mod chain;
mod last;
mod margin;
pub(crate) mod panel;
pub mod pdf;
pub mod raster;
pub mod score;
pub mod stopped;
mod subtotals;
pub mod svg;
pub mod text;

pub use svg::svg;
