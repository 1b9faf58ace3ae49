//! Games of a setting of which nearly all are alike: players who always do the same say little of the rules.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use super::{SettingGames, kinds};
use houserule_base::interrupt::Interrupt;
use houserule_game::Game;
use houserule_players::agents::Agent;
use houserule_playtest::{are_monotonous, chooses_at_random, play_watched};

/// Maximum number of games that are looked at.
const LOOKED_AT: u64 = 40;

/// Games of the best setting of a tuning, of which nearly all are like another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SameGames {
    /// The number of games that were looked at.
    pub games: u64,
    /// How many of them are different.
    pub different: u64,
}

impl SettingGames<'_> {
    /// Looks at some games of a setting. `None` if they aren't alike, if chance makes games different whose decisions are the
    /// same, or if a player chooses at random.
    pub(super) fn alike(&self, place: &[usize]) -> Option<SameGames> {
        let open = self.open.iter().find(|open| open.place == place)?;
        let kinds = kinds(self.plan, &open.game).ok()?;
        if open.game.program().uses_chance || kinds.iter().any(|kind| chooses_at_random(kind, &open.game)) {
            return None;
        }
        let first = self.plan.games;
        let games = first..first + first.min(LOOKED_AT);
        let found = look_at(&open.game, &open.agents, self.plan.seed, games, self.stop);
        are_monotonous(found.different, found.games).then_some(found)
    }
}

/// Plays games, and counts those that differ in a decision.
fn look_at(
    game: &Game,
    agents: &[Box<dyn Agent>],
    seed: u64,
    games: Range<u64>,
    stop: &Interrupt,
) -> SameGames {
    let mut agents: Vec<Box<dyn Agent>> = agents.iter().map(|agent| agent.copy()).collect();
    let mut play = |index: u64| {
        let mut taken: Vec<u32> = vec![];
        let mut state = game.start(seed, index).ok()?;
        play_watched(&mut state, &mut agents, seed, index, &mut |_, _, action| taken.push(action.0)).ok()?;
        Some(taken)
    };
    let (mut seen, mut played) = (HashSet::new(), 0);
    for index in games {
        let Ok(found) = stop.scope(|| play(index)) else { break };
        if let Some(taken) = found {
            seen.insert(taken);
            played += 1;
        }
    }
    SameGames { games: played, different: seen.len() as u64 }
}
