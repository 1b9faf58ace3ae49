//! What people look at: words, pictures, paper, charts, results as text.

pub mod chart;
pub mod draw;
pub mod lettering;
pub mod paint;
pub mod print;
pub mod prose;
pub mod render;
pub mod report;
