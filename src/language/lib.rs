//! The rule language as text: messages, words, syntax trees, variants, the standard layout.

pub mod diagnostic;
pub mod format;
pub mod syntax;
pub mod variants;
pub mod vocabulary;
