//! Why games can't share a layout.

use std::fmt;

use super::{MOST, RULES};
use crate::observe::PlanesError;

/// Why games can't share a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedError {
    /// The games have different numbers of players.
    Players {
        /// A game and its number of players.
        one: (String, u32),
        /// A game with another number.
        other: (String, u32),
    },
    /// An entry of the same name means something else.
    Entry {
        /// Its name.
        entry: String,
        /// A game, and what the entry is there.
        one: (String, String),
        /// Another game, and what the entry is there.
        other: (String, String),
    },
    /// Planes have different sizes.
    Size {
        /// A game, and the rows and columns of its planes.
        one: (String, [usize; 2]),
        /// Another game.
        other: (String, [usize; 2]),
    },
    /// A game has no planes.
    Planes {
        /// The game.
        game: String,
        /// The reason.
        error: PlanesError,
    },
    /// The layout has too many cells or actions.
    TooLarge {
        /// What there is too much of, in the plural.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A feature of the rules doesn't fit the data type.
    Feature {
        /// Its name.
        feature: String,
        /// Its least and greatest value.
        range: (i64, i64),
    },
    /// A game has an entry with the name of the entry that shows the rules.
    Name,
}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SharedError::Players { one, other } => write!(
                f,
                "rule sets of one vector need the same number of players: {} has {}, {} has {}; set `players`, or \
                 leave one of them out",
                one.0, one.1, other.0, other.1
            ),
            SharedError::Entry { entry, one, other } => write!(
                f,
                "the entry `{entry}` of the observation is {} in {} and {} in {}, so the two can't share a layout; \
                 leave one of them out",
                one.1, one.0, other.1, other.0
            ),
            SharedError::Size { one, other } => write!(
                f,
                "planes need boards of one size: {} has {} rows and {} columns, {} has {} and {}; use the observation \
                 `flat` or `dict`",
                one.0, one.1[0], one.1[1], other.0, other.1[0], other.1[1]
            ),
            SharedError::Planes { game, error } => write!(f, "{game}: {error}"),
            SharedError::TooLarge { what, count } => {
                write!(
                    f,
                    "these rule sets have {count} {what} together; {MOST} is the most: use fewer rule sets"
                )
            }
            SharedError::Feature { feature, range } => write!(
                f,
                "the feature `{feature}` of the rules is a number from {} to {}, which doesn't fit the dtype: use the \
                 dtype \"float32\", or show_rules=False",
                range.0, range.1
            ),
            SharedError::Name => write!(
                f,
                "the rules have an entry `{RULES}` of their own: use show_rules=False, or give it another name"
            ),
        }
    }
}

impl std::error::Error for SharedError {}
