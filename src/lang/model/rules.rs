//! How a game ends, what it scores, matches, what a repeated position is, and what is done unseen.

use super::{ChoiceId, Expr, LocalId, SlotId};
use crate::diagnostic::Span;
use crate::lang::syntax::EndTiming;

/// An end of the game.
#[derive(Clone, Debug)]
pub struct End {
    /// Its name, or `end 1` and so on.
    pub name: String,
    /// When it is tested.
    pub timing: EndTiming,
    /// What must hold; `me` is who moved.
    pub when: Expr,
    /// Without it, the scores decide.
    pub result: Option<EndResult>,
    /// Its place.
    pub span: Span,
}

/// An end that `end game` makes. All statements of one name are one end.
#[derive(Clone, Debug)]
pub struct StatedEnd {
    /// The name behind `end game as`; without it that of the innermost option or step round the statement.
    pub name: String,
    /// The first statement.
    pub span: Span,
}

/// What an end says of the result.
#[derive(Clone, Debug)]
pub enum EndResult {
    /// This player wins alone.
    Win(Expr),
    /// All others share the win.
    Lose(Expr),
    /// All share.
    Draw,
}

/// An item of the score.
#[derive(Clone, Debug)]
pub struct ScoreItem {
    /// Its name.
    pub name: String,
    /// A number for `me`; a `when` is already part of it.
    pub value: Expr,
    /// Its help text; may be empty.
    pub help: String,
    /// Its place.
    pub span: Span,
}

/// Which way a score is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreDirection {
    /// The more, the better: also of rules that don't say.
    #[default]
    Most,
    /// The less, the better.
    Least,
}

impl ScoreDirection {
    /// What a score is worth: greater is better.
    pub fn worth(self, score: f64) -> f64 {
        match self {
            ScoreDirection::Most => score,
            // Not −0.
            ScoreDirection::Least => 0.0 - score,
        }
    }

    /// Of some scores or totals, the best.
    pub fn best(self, scores: impl Iterator<Item = i64>) -> Option<i64> {
        match self {
            ScoreDirection::Most => scores.max(),
            ScoreDirection::Least => scores.min(),
        }
    }

    /// Its name in data: `most` or `least`.
    pub fn name(self) -> &'static str {
        match self {
            ScoreDirection::Most => "most",
            ScoreDirection::Least => "least",
        }
    }

    /// `highest` or `lowest`: which score is best.
    pub fn superlative(self) -> &'static str {
        match self {
            ScoreDirection::Most => "highest",
            ScoreDirection::Least => "lowest",
        }
    }
}

/// `most(e)` or `least(e)`.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Most, else least.
    pub most: bool,
    /// A number for `me`.
    pub value: Expr,
}

/// Match play.
#[derive(Clone, Debug)]
pub struct MatchRules {
    /// When it is over.
    pub length: MatchLength,
    /// How the games' scores make the total.
    pub total: MatchTotal,
    /// What the total never falls below.
    pub floor: Option<i64>,
    /// Who starts the next game.
    pub starter: MatchStarter,
    /// Who starts after a draw; without it, as `starter` has it for a shared win: the same.
    pub on_draw: MatchStarter,
    /// What is kept of single games.
    pub record: Option<MatchRecord>,
    /// Its place.
    pub span: Span,
}

/// When a match is over.
#[derive(Clone, Debug)]
pub enum MatchLength {
    /// After this many games.
    Games(u32),
    /// As soon as this holds after a game.
    Until(Expr),
}

/// How the games' scores make the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchTotal {
    /// All of them.
    Sum,
    /// The K highest.
    Highest(u32),
    /// The K lowest.
    Lowest(u32),
}

/// Who starts the next game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchStarter {
    /// Who started the last one.
    Same,
    /// The next seat.
    Next,
    /// The loser of the last one (of several, the first after its starter).
    Loser,
    /// The winner of the last one (of several, the first from its starter).
    Winner,
}

/// What is kept of single games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchRecord {
    /// The greatest score.
    Max,
    /// The least score.
    Min,
}

/// What makes two positions the same. A position is noted whenever a turn begins: behind the setup and
/// whenever the turn passes, not for `again`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Slots with equal values. Without `of:` all that lives the game, but what the engine counts.
    pub slots: Vec<SlotId>,
    /// And the same player to move. Now that is whoever is next.
    pub mover: bool,
}

/// A block in which all seats commit themselves, one after the other and without seeing each other: each
/// changes only variables whose first index is `me`, and reads no others of those. As a statement it is a
/// loop in which the seats act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The choices in it. While one of them is pending, nobody sees what the others have of …
    pub choices: Vec<ChoiceId>,
    /// … these slots, and nobody sees …
    pub slots: Vec<SlotId>,
    /// … these locals.
    pub locals: Vec<LocalId>,
}
