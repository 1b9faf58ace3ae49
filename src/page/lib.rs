//! What people look at: words, pictures, paper, charts, results as text.

// Each module uses only those above it. Blank lines keep the order.

pub mod chart;

pub mod paint;

pub mod prose;

pub mod lettering;

pub mod render;

pub mod draw;

pub mod print;

pub mod report;
