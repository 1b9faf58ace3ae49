//! The defines and procedures that are being expanded.

use crate::values::{Val, constant_number};
use houserule_language::diagnostic::Span;

/// An argument of a define, as far as it can say how often the define uses itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecursionLevel {
    /// A number that is known when the rules are loaded.
    Number(i64),
    /// An error, or a parameter of a define that nothing uses.
    Unknown,
    Other,
}

impl RecursionLevel {
    pub(crate) fn from_value(value: &Val) -> RecursionLevel {
        match value {
            Val::Expr(e, _) => constant_number(e).map_or(RecursionLevel::Other, RecursionLevel::Number),
            Val::Poison => RecursionLevel::Unknown,
            _ => RecursionLevel::Other,
        }
    }
}

/// The use of a define or procedure that is being expanded.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    /// Index of the declaration.
    pub(crate) decl: usize,
    /// Where it is used.
    pub(crate) span: Span,
    /// Its arguments, which limit how often a define uses itself.
    pub(crate) levels: Vec<RecursionLevel>,
}
