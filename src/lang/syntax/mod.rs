//! The syntax tree: what a rule file says, before names and types mean anything.
//!
//! Every node keeps its span, so that a merged variant can still show both files. A piece that did
//! not parse is a `Hole`: it has been reported, and whatever depends on it stays silent.

mod decl;
mod expr;
mod inner;
mod stmt;
mod variant;

pub use decl::*;
pub use expr::*;
pub use stmt::*;
pub use variant::*;

use crate::diagnostic::Span;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A quoted text with its place; the quotes are in the span and not in the text.
pub type Text = Name;

/// One rule file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Games and variants in the order of the file.
    pub items: Vec<Item>,
}

/// What stands at the top of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `game "…" { … }`
    Game(Game),
    /// `variant "…" of "…" { … }`
    Variant(Variant),
}

/// `game "Title" { … }`
#[derive(Clone, Debug)]
pub struct Game {
    /// The title.
    pub title: Text,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The declarations, in order.
    pub decls: Vec<Decl>,
    /// The whole block.
    pub span: Span,
}
