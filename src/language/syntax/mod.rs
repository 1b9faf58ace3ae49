//! The syntax tree, and how a rule text becomes one: tokens, blocks, grammar, before names and types are resolved.
//!
//! Every node keeps its span, so messages about a merged variant can show both files. A fragment that
//! did not parse is a `Hole`: its error has been reported, and it causes no further errors.

mod decl;
mod expr;
pub mod line_ends;
mod parse;
mod parts;
pub mod split;
mod stmt;
mod variant;

pub use decl::*;
pub use expr::*;
pub use parse::{Expectation, expectation, parse, parse_expression};
pub use stmt::*;
pub use variant::*;

use crate::diagnostic::Span;

/// A word and its location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Source location.
    pub span: Span,
}

/// A quoted string and its location. The span includes the quotes, the text doesn't.
pub type QuotedText = Name;

/// One rule file.
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// The version of the language, if the file begins with it.
    pub language: Option<u32>,
    /// Games and variants in the order of the file.
    pub items: Vec<Item>,
}

/// A top-level item of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `game "…" { … }`
    Game(GameDecl),
    /// `variant "…" of "…" { … }`
    Variant(Variant),
}

/// `game "Title" { … }`
#[derive(Clone, Debug)]
pub struct GameDecl {
    /// The title.
    pub title: QuotedText,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The declarations, in order.
    pub decls: Vec<Decl>,
    /// The whole block.
    pub span: Span,
}
