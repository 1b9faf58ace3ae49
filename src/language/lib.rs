//! The rule language as text: messages, words, syntax trees, variants, the standard layout.

// A room uses only rooms in the paragraphs above its own.
pub mod diagnostic;
pub mod vocabulary;

pub mod syntax;

pub mod format;
pub mod variants;
