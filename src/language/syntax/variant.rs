//! Variants and their edits, as parsed.

#[cfg(doc)]
use super::StmtKind;
use super::{Block, ChoiceOption, Decl, Expr, Name, QuotedText, Stmt};
use crate::diagnostic::Span;

/// `variant "Title" of "base" { … }`
#[derive(Clone, Debug)]
pub struct Variant {
    /// The title.
    pub title: QuotedText,
    /// Name or path of what it changes.
    pub of: QuotedText,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// The whole block.
    pub span: Span,
}

/// One edit of a variant.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Kind of edit.
    pub kind: EditKind,
    /// The whole edit.
    pub span: Span,
}

/// The kinds of edits.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// `DECL` replaces the declaration with the same key; `new DECL` adds one.
    Declare {
        /// Written with `new`.
        new: bool,
        /// The declaration.
        decl: Decl,
    },
    /// `fix x = v`: makes a param constant.
    Fix {
        /// The param.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `param x = v`: changes only the default.
    Default {
        /// The param.
        name: Name,
        /// Its new default.
        value: Expr,
        /// A new help text.
        help: Option<QuotedText>,
    },
    /// `step NAME "help"`: changes only the help text of a step.
    StepHelp {
        /// The step.
        name: Name,
        /// Its new help text.
        help: QuotedText,
    },
    /// `step NAME "help" { … }`: replaces a step, a [`StmtKind::Step`].
    Step(Stmt),
    /// `without KIND NAME`
    Without {
        /// The keyword for the kind: `step`, `score`, `end`, `option`, `piece`, …
        kind: Name,
        /// The name; `None` for a kind with a single instance (`without winner`).
        name: Option<Name>,
    },
    /// `before STEP step …`, `after STEP step …`
    InsertStep {
        /// `after`, else `before`.
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
        /// The changes to it.
        parts: Vec<ExtendPart>,
    },
    /// A reported syntax error.
    Hole,
}

/// One change in an `extend`.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them, and most are options")]
pub enum ExtendPart {
    /// An option. It replaces the one with the same name, or is added.
    Option(ChoiceOption),
    /// A new `otherwise`.
    Otherwise {
        /// Its help text. Without one, there is none.
        help: Option<QuotedText>,
        /// The statements.
        body: Block,
    },
    /// `before OPTION { … }` or `after OPTION { … }`: statements before or after an option's own.
    Around {
        /// `after`, else `before`.
        after: bool,
        /// The option.
        option: Name,
        /// The statements.
        body: Block,
    },
    /// `without OPTION`
    Without(Name),
    /// A reported syntax error.
    Hole,
}
