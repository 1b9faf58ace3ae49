//! What people look at: words, pictures, paper, charts, results as text.

// A room uses only rooms in the paragraphs above its own.
pub mod chart;
pub mod paint;

pub mod lettering;
pub mod prose;

pub mod draw;
pub mod render;

pub mod print;
pub mod report;
