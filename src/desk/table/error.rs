//! Why a table can't be set up, or can't go on.

use std::fmt;

use super::journal::JournalError;
use super::seats::SeatError;
use houserule_game::notation::record::ReplayError;
use houserule_game::{ApplyError, RuntimeError, Seat};

/// Why a table can't be set up, or can't go on. After an error the table is as it was.
#[derive(Debug)]
pub enum TableError {
    /// The seats can't be taken.
    Seats(SeatError),
    /// The game can't begin.
    Begin(ReplayError),
    /// The game of a journal can't be replayed.
    Resume(ReplayError),
    /// The journal has other rules or params than the game.
    OtherRules {
        /// The name of the game in the journal.
        game: String,
        /// Number of events in the journal.
        events: usize,
    },
    /// The journal was not written.
    Journal(JournalError),
    /// The action or outcome was not applied: it is illegal, or the rules fail.
    Apply(ApplyError),
    /// An agent fails.
    Agent(RuntimeError),
    /// An agent has nothing to do.
    NoChoice {
        /// Its seat.
        player: Seat,
        /// Its name.
        agent: String,
    },
    /// The rules fail at the end of a game, or at the beginning of the next one.
    Rules(RuntimeError),
    /// Another question is pending than the one that was answered.
    NotAsked {
        /// What was done.
        what: &'static str,
        /// What is pending.
        pending: String,
    },
    /// A person has done nothing in this game that could be undone.
    NothingToUndo {
        /// `true` if earlier games of the match were played; they stay.
        in_match: bool,
    },
    /// Nothing was undone since the last input.
    NothingToRedo,
    /// The game can't be undone or redone.
    Undo(ReplayError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Seats(error) => error.fmt(f),
            TableError::Begin(error) => write!(f, "the game can't begin: {error}"),
            TableError::Resume(error) => write!(f, "the journal does not play again: {error}"),
            TableError::OtherRules { game, events } => write!(
                f,
                "the rules of {game} have changed since its journal began, which has {events} events: resume with \
                 `RulesChange::Accept` to go on by the rules of today, as far as they allow what has been played"
            ),
            TableError::Journal(error) => error.fmt(f),
            TableError::Apply(error) => error.fmt(f),
            TableError::Agent(error) | TableError::Rules(error) => error.fmt(f),
            TableError::NoChoice { agent, .. } => write!(f, "{agent} finds nothing to do"),
            TableError::NotAsked { what, pending } => {
                write!(f, "{what} is not what the table waits for: {pending}")
            }
            TableError::NothingToUndo { in_match: true } => {
                f.write_str("There is nothing to take back in this game of the match.")
            }
            TableError::NothingToUndo { in_match: false } => f.write_str("There is nothing to take back."),
            TableError::NothingToRedo => f.write_str("There is nothing to play again."),
            TableError::Undo(error) => write!(f, "the game can't be taken back: {error}"),
        }
    }
}

impl std::error::Error for TableError {}

impl From<SeatError> for TableError {
    fn from(error: SeatError) -> Self {
        TableError::Seats(error)
    }
}

impl From<JournalError> for TableError {
    fn from(error: JournalError) -> Self {
        TableError::Journal(error)
    }
}

impl From<ApplyError> for TableError {
    fn from(error: ApplyError) -> Self {
        TableError::Apply(error)
    }
}
