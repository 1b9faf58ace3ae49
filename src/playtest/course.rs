//! What a comparison says of the way of games: how they are decided, and how often what is new is chosen. Only games that
//! are followed, decision by decision, show it.

use serde::Serialize;

use super::comparison::Quantity;
use houserule_game::Game;
use houserule_players::agents::AgentKind;

/// What was seen on the way of games of an agent under both rules.
#[derive(Clone, Debug, Serialize)]
pub struct CourseComparison {
    /// For each of both rules, the games that were followed.
    pub games: [u64; 2],
    /// How many of them differ in a decision.
    pub different: [u64; 2],
    /// How they are decided, in [`Quantity`]s of the games that were followed.
    pub figures: Vec<Quantity>,
    /// Why there are no figures of expectations; null if there are, or there can be none.
    pub missing: Option<String>,
    /// The options that only the second rules have.
    pub options: Vec<NewOption>,
}

/// How often an option is taken where it can be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewOption {
    /// Its name.
    pub name: String,
    /// Decisions of a game in which it can be taken: mean.
    pub offered: f64,
    /// Those in which another option can be taken too: mean.
    pub open: f64,
    /// How often it is taken in a game: mean.
    pub taken: f64,
    /// Share of the decisions with another option in which it is taken; null if there are none.
    pub share: Option<f64>,
}

impl CourseComparison {
    /// Returns `true` if most games are like another, so that they say little of the rules.
    pub fn is_monotonous(&self) -> bool {
        self.games.iter().zip(self.different).any(|(games, different)| are_monotonous(different, *games))
    }
}

/// Returns `true` for players who choose at random: in a small game they come upon the same games again, which says no less of
/// the rules.
pub fn chooses_at_random(kind: &AgentKind, game: &Game) -> bool {
    match kind {
        AgentKind::Random => true,
        AgentKind::Greedy => game.model().score.is_empty(),
        _ => false,
    }
}

/// Returns `true` if fewer than 1 in 10 of some games are different, or all are copies of one: they say little of the rules.
pub fn are_monotonous(different: u64, games: u64) -> bool {
    10 * different < games || different == 1 && games > 1
}

impl NewOption {
    /// Returns the use of an option from counts of each game: decisions in which it can be taken, those with another option,
    /// how often it is taken, and how often with another option.
    pub(crate) fn new(name: &str, counts: &[[u64; 4]]) -> NewOption {
        let sum = |at: usize| counts.iter().map(|of_game| of_game[at]).sum::<u64>() as f64;
        let games = counts.len().max(1) as f64;
        let (open, chosen) = (sum(1), sum(3));
        NewOption {
            name: name.to_owned(),
            offered: sum(0) / games,
            open: open / games,
            taken: sum(2) / games,
            share: (open > 0.0).then(|| chosen / open),
        }
    }
}
