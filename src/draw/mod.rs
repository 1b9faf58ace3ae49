//! Renders games for people as text, SVG, PNG and PDF, and describes rules in words. Reads states; changes and
//! prints nothing.

mod beside;
mod board;
mod calls;
mod chain;
mod deeds;
pub mod diff;
mod last;
pub(crate) mod line;
mod margin;
mod outline;
pub mod paint;
mod panel;
pub mod pdf;
pub mod raster;
pub mod rules;
pub mod score;
mod scripts;
pub mod stopped;
mod subtotals;
pub mod svg;
pub mod text;
mod words;

pub use svg::svg;
