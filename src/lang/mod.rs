//! Rule text to checked model: the splitter and the grammar, the syntax tree, variants, names, types
//! and lints. Knows boards; knows nothing of how a game is executed.

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
