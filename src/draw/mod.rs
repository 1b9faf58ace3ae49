//! Games as pictures for people: text and SVG. Reads states; changes nothing and prints nothing.

mod beside;
mod board;
mod chain;
pub mod diff;
mod last;
pub(crate) mod line;
mod margin;
pub mod paint;
mod panel;
pub mod rules;
pub mod score;
mod scripts;
pub mod stopped;
pub mod svg;
pub mod text;
mod words;

pub use svg::svg;
