//! States as pictures and as text.

// A room uses only rooms in the paragraphs above its own.
pub mod layout;
pub mod lettering;
pub mod paint;

pub mod draw;
pub mod render;
