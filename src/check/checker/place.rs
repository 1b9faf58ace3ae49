//! Parts of the rules in which a statement can occur.

/// The part of the rules that contains a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementContext {
    /// `setup`
    Setup,
    /// `turn`, or a turn in a `round`
    Turn,
    /// `round`, outside its turns
    Round,
    /// `end when`
    End,
    /// A procedure without calls: it could be called from anywhere.
    Anywhere,
    /// A part without statements.
    Elsewhere,
}
