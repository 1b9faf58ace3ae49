//! Where in the rules a statement stands.

/// Which part of the rules a statement stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `setup`
    Setup,
    /// `turn`, or the turns of a `round`
    Turn,
    /// `round`, outside of its turns
    Round,
    /// `end when`
    End,
    /// A procedure that nothing calls: it could be called from anywhere.
    Anywhere,
    /// No statements here.
    Elsewhere,
}
