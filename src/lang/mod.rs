//! From rule text to checked model: tokens and grammar, syntax tree, variants, names, types and lints.
//! Depends on boards; independent of how a game is executed.

pub mod check;
pub(crate) mod fold;
pub mod format;
pub mod limits;
pub mod model;
pub mod origin;
pub mod syntax;

pub mod merge;
mod parse;
pub mod print;
mod split;

pub use parse::parse;
