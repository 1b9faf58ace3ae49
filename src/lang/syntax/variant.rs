//! Variants, and what they change.

use super::{Block, ChoiceOption, Decl, Expr, Name, Stmt, Text};
use crate::diagnostic::Span;

/// `variant "Title" of "base" { … }`
#[derive(Clone, Debug)]
pub struct Variant {
    /// The title.
    pub title: Text,
    /// The name or path of what it changes.
    pub of: Text,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The changes, in order.
    pub edits: Vec<Edit>,
    /// The whole block.
    pub span: Span,
}

/// One change of a variant.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What it does.
    pub kind: EditKind,
    /// The whole edit.
    pub span: Span,
}

/// What a change does.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// `DECL` replaces what has the same key; `new DECL` adds.
    Declare {
        /// Written with `new`.
        new: bool,
        /// The declaration.
        decl: Decl,
    },
    /// `fix x = v` makes a param constant.
    Fix {
        /// The param.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `param x = v` changes the default alone.
    Default {
        /// The param.
        name: Name,
        /// Its new default.
        value: Expr,
        /// A new help text.
        help: Option<Text>,
    },
    /// `without KIND NAME`
    Without {
        /// The kind word: `step`, `score`, `end`, `option`, `piece`, …
        kind: Name,
        /// The name; empty for a kind that has one thing only (`without winner`).
        name: Option<Name>,
    },
    /// `before STEP step …`, `after STEP step …`
    InsertStep {
        /// After the named step, else before it.
        after: bool,
        /// The named step.
        anchor: Name,
        /// The new step: a [`StmtKind::Step`].
        step: Stmt,
    },
    /// `extend CHOOSE { … }`
    Extend {
        /// The choose.
        choose: Name,
        /// What it gets.
        parts: Vec<ExtendPart>,
    },
    /// It did not parse, and has been reported.
    Hole,
}

/// A part of an `extend`.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them, and most are options")]
pub enum ExtendPart {
    /// An option that replaces the one of its name, or is added.
    Option(ChoiceOption),
    /// A new `otherwise`.
    Otherwise(Block),
    /// `before OPTION { … }` or `after OPTION { … }`: statements round an option's body.
    Around {
        /// After the body, else before it.
        after: bool,
        /// The option.
        option: Name,
        /// The statements.
        body: Block,
    },
    /// `without OPTION`
    Without(Name),
    /// It did not parse, and has been reported.
    Hole,
}
