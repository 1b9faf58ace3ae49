//! What people read: words, paper, charts, results as text.

// A room uses only rooms in the paragraphs above its own.
pub mod chart;
pub mod prose;

pub mod print;
pub mod report;

pub mod card;
