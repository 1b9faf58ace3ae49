//! The vocabulary of the rule language as tables: keywords, statements, functions and built-in names.
//!
//! The parser, the formatter, the checker and the documentation read these tables, and tests hold the grammar
//! to them. Independent of rule texts and of what the words do.

pub mod functions;
pub mod keywords;
pub mod names;
pub mod statements;

pub use functions::{ArgumentKind, Form, Function, FunctionParameter};
pub use keywords::{Keyword, keyword};
pub use names::{BuiltInName, LOOK_FORMS, MATCH_KEYS, WordKind, look_help};
pub use statements::{STATEMENTS, Verb};

/// The version of the rule language. Words and functions are added within a version: none of them changes what a file
/// means that was checked before.
pub const LANGUAGE: u32 = 1;

/// The part of the rules where a statement or a function can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Wherever a value can be.
    Values,
    /// In a turn and in the condition of an end.
    TurnsAndEnds,
    /// After `for x in`.
    Loops,
    /// After the `=` of a board.
    Boards,
    /// After the `of` of dice.
    Dice,
    /// After `winner` and `ties`.
    Rankings,
    /// In every block of statements.
    Blocks,
    /// In a player's turn.
    Turns,
    /// In a turn, and in a round between the turns.
    TurnsAndRounds,
    /// In a step.
    Steps,
    /// After a choose.
    Chooses,
}

impl Place {
    /// Describes the part of the rules: `in a player's turn`.
    pub fn text(self) -> &'static str {
        match self {
            Place::Values => "wherever a value can be",
            Place::TurnsAndEnds => "in a turn and in the condition of an end",
            Place::Loops => "after `for x in`",
            Place::Boards => "after the `=` of a board",
            Place::Dice => "after the `of` of dice",
            Place::Rankings => "after `winner` and `ties`",
            Place::Blocks => "in every block of statements",
            Place::Turns => "in a player's turn",
            Place::TurnsAndRounds => "in a turn, and in a round between the turns",
            Place::Steps => "in a step",
            Place::Chooses => "after a `choose`",
        }
    }
}
