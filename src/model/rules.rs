//! Ends, scores, matches, the comparison of positions, and simultaneous choices.

use super::{CheckedExpr, ChoiceId, LocalId, Model, Seat, SlotId};
use crate::board::BitSet;
use houserule_base::names::plain;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::{self, EndTiming};

/// An end of the game.
#[derive(Clone, Debug)]
pub struct End {
    /// Its name, or `end 1`, `end 2`, …
    pub name: String,
    /// Time of its test.
    pub timing: EndTiming,
    /// Its condition. `me` is the player who moved.
    pub when: CheckedExpr,
    /// The declared result. Without one, the scores decide.
    pub result: Option<CheckedEndResult>,
    /// Whether no rule says it: a game in which nobody plays any more is over.
    pub implied: bool,
    /// Source location.
    pub span: Span,
}

/// How results name an end that no rule says.
pub const IMPLIED_END: &str = "nobody still plays (no end of the rules)";

/// An end made by `end game`. All statements with the same name are one end.
#[derive(Clone, Debug)]
pub struct StatedEnd {
    /// The name after `end game as`, or that of the innermost option or step around the statement.
    pub name: String,
    /// Location of the first such statement.
    pub span: Span,
}

/// The declared result of an end.
pub type CheckedEndResult = syntax::EndResult<CheckedExpr>;

/// An item of the score.
#[derive(Clone, Debug)]
pub struct ScoreItem {
    /// Its name.
    pub name: String,
    /// Its value for `me`; the `when` condition is already part of it.
    pub value: CheckedExpr,
    /// Help text; may be empty.
    pub help: String,
    /// Source location.
    pub span: Span,
}

/// Whether a high or a low score is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreDirection {
    /// More is better. This is the default.
    #[default]
    Most,
    /// Less is better.
    Least,
}

impl ScoreDirection {
    /// Converts a score to a value of which greater is better.
    #[inline]
    pub fn worth(self, score: f64) -> f64 {
        match self {
            ScoreDirection::Most => score,
            // Avoids −0.
            ScoreDirection::Least => 0.0 - score,
        }
    }

    /// The best of some scores or totals.
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

    /// `highest` or `lowest`: the adjective for the best score.
    pub fn superlative(self) -> &'static str {
        match self {
            ScoreDirection::Most => "highest",
            ScoreDirection::Least => "lowest",
        }
    }
}

/// A ranking criterion: `most(e)` or `least(e)`.
#[derive(Clone, Debug)]
pub struct Rank {
    /// `most`, else `least`.
    pub most: bool,
    /// The value for `me`.
    pub value: CheckedExpr,
}

/// The players who still have turns.
#[derive(Clone, Debug)]
pub struct Playing {
    /// The variable that holds them.
    pub slot: SlotId,
    /// Whether the mover is one of them.
    pub mover: CheckedExpr,
    /// The next of them after the mover, or the mover if nobody else has turns.
    pub next: CheckedExpr,
}

/// Players who win and lose together.
#[derive(Clone, Debug)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Its players.
    pub players: BitSet,
    /// Help text; may be empty.
    pub help: String,
}

impl Model {
    /// Returns `true` if players have turns in a round: `each player from p as me`.
    pub fn rounds_have_turns(&self) -> bool {
        let mut found = false;
        super::walk::stmts(self, &self.turn, &mut |stmt| {
            found |= matches!(stmt.kind, super::CheckedStmtKind::Turns { .. });
        });
        found
    }

    /// Returns the results that an end can have: an index of [`Self::end_names`]. The scores decide for `None`. Only
    /// an end made by statements can have several.
    pub fn results_of(&self, end: usize) -> Vec<Option<&CheckedEndResult>> {
        let Some(wanted) = end.checked_sub(self.ends.len()) else {
            return vec![self.ends[end].result.as_ref()];
        };
        let mut found = vec![];
        super::walk::stmts(self, &self.turn, &mut |stmt| {
            if let super::CheckedStmtKind::EndGame { end, result } = &stmt.kind
                && *end as usize == wanted
            {
                found.push(result.as_ref());
            }
        });
        // The checker may have dropped a statement that is never reached.
        if found.is_empty() { vec![None] } else { found }
    }

    /// Returns `true` if all players win and lose together.
    pub fn is_cooperative(&self) -> bool {
        self.players.count > 1 && self.team_of(Seat(0)).len() == self.players.count
    }

    /// One bit for each side: that of its first player. A side is a team, or a player without one. Its players win and
    /// lose together, so these bits count the sides among winners.
    pub fn sides(&self) -> u32 {
        let seats = (0..self.players.count).filter(|seat| self.team_of(Seat(*seat)).first() == Some(*seat));
        seats.fold(0, |sides, seat| sides | 1 << seat)
    }

    /// Returns `true` if sides have different numbers of players.
    pub fn has_uneven_sides(&self) -> bool {
        let size = |seat: u32| self.team_of(Seat(seat)).len();
        (1..self.players.count).any(|seat| size(seat) != size(0))
    }

    /// The number of a player's side, counted from 0 in the order of [`Model::sides`].
    pub fn side_of(&self, player: Seat) -> u32 {
        let first = self.team_of(player).first().unwrap_or(player.0);
        (self.sides() & ((1u32 << first) - 1)).count_ones()
    }

    /// The name of a player's side: that of the team, or the player's own.
    pub fn side_name(&self, player: Seat) -> &str {
        let own = self.teams.iter().find(|team| team.players.contains(player.0));
        own.map_or(&self.players.names[player.index()], |team| &team.name)
    }

    /// The players who win and lose with a player, including that player.
    pub fn team_of(&self, player: Seat) -> BitSet {
        let own = self.teams.iter().find(|team| team.players.contains(player.0));
        own.map_or_else(|| BitSet::single(self.players.count, player.0), |team| team.players.clone())
    }
}

/// Names a team as people read it: `the team north south`.
pub fn team_in_words(name: &str) -> String {
    format!("the team {}", plain(name))
}

/// Names a player's side as people read it: a team of several, or the player.
pub fn side_in_words(model: &Model, player: Seat) -> String {
    match model.team_of(player).len() {
        1 => model.players.names.get(player.index()).cloned().unwrap_or_default(),
        _ => team_in_words(model.side_name(player)),
    }
}

/// What a finished game returns to each player.
#[derive(Clone, Debug)]
pub struct Payoff {
    /// The payoff of `me`.
    pub value: CheckedExpr,
    /// Whether the payoffs of all players must add up to 0.
    pub zero_sum: bool,
    /// Help text; may be empty.
    pub help: String,
    /// Source location of the declaration.
    pub span: Span,
}

/// The rules of a match.
#[derive(Clone, Debug)]
pub struct MatchRules {
    /// Condition that ends the match.
    pub length: MatchLength,
    /// How the games' scores make the total.
    pub total: MatchTotal,
    /// Minimum of the total.
    pub floor: Option<i64>,
    /// The player who starts the next game.
    pub starter: MatchStarter,
    /// The player who starts after a draw. If not declared: `Next` if `starter` is `Next`, else `Same`.
    pub on_draw: MatchStarter,
    /// Kind of record of single games.
    pub record: Option<MatchRecord>,
    /// Source location.
    pub span: Span,
}

/// The condition that ends a match.
#[derive(Clone, Debug)]
pub enum MatchLength {
    /// After this number of games.
    Games(u32),
    /// As soon as this condition holds after a game.
    Until(CheckedExpr),
}

/// How the games' scores make the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchTotal {
    /// Sum of all scores.
    Sum,
    /// Sum of the K highest scores.
    Highest(u32),
    /// Sum of the K lowest scores.
    Lowest(u32),
}

/// The player who starts the next game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchStarter {
    /// The starter of the last game.
    Same,
    /// The next seat.
    Next,
    /// The loser of the last game; of several, the first after its starter.
    Loser,
    /// The winner of the last game; of several, the first from its starter on.
    Winner,
}

/// The kind of record of a single game's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchRecord {
    /// The greatest score.
    Max,
    /// The least score.
    Min,
}

/// A definition of equal positions. A position is recorded when a turn begins: after the setup and when
/// the turn passes, but not after `again`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionKey {
    /// The slots whose values are compared. Without `of:`, all variables, pieces and zones that live the
    /// game.
    pub slots: Vec<SlotId>,
    /// Compares the player to move, too: now the next player.
    pub mover: bool,
}

/// A block of simultaneous choices. The executors run it as a loop in which the seats act one after the
/// other. Each seat changes only variables whose first index is `me`, and reads no other seat's values
/// of these variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The choices in the block. While one of them is pending, other seats' values of `slots` and
    /// `locals` are hidden.
    pub choices: Vec<ChoiceId>,
    /// The slots that the block changes.
    pub slots: Vec<SlotId>,
    /// The locals of the block.
    pub locals: Vec<LocalId>,
}
