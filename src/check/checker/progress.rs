//! How far the check is with the parts that others need early.

/// The progress of determining the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PlayersState {
    #[default]
    Waiting,
    Busy,
    Done,
}

/// The progress of checking the score. A winner or an end may need it earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Score {
    #[default]
    Waiting,
    Busy,
    Done,
    Poison,
}

/// The progress of the parts that others need before their turn.
#[derive(Debug, Default)]
pub(crate) struct CheckProgress {
    pub(crate) players: PlayersState,
    pub(crate) score: Score,
}
