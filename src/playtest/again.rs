//! A game that an error ended, played once more to look at the state where it happened.
//!
//! Knows how a plan plays its games; shows nothing.

use super::simulate::{Plan, play_on};
use crate::agents::AgentKind;
use crate::engine::matches::Match;
use crate::engine::{Game, Player, RuntimeError, Start, State};

/// Where a game stopped.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The state as the error left it.
    pub state: State,
    /// The error.
    pub error: RuntimeError,
    /// What [`Plan::first`] has to be to play the game again: its number, or that of its match.
    pub number: u64,
}

/// Plays game `index` of a plan up to its error; none if it has none.
pub fn play_again(game: &Game, plan: &Plan, index: u64) -> Option<Stopped> {
    let kinds = plan.kinds(game.players()).ok()?;
    let mut agents = AgentKind::seat_all(&kinds, game).ok()?;
    let mut play = |start: &Start, previous: Option<&State>| {
        let (mut state, mut error) = game.start_or_stop(start, previous);
        if error.is_none() {
            error = play_on(&mut state, &mut agents, plan.seed, start.index).err();
        }
        let scores = |state: &State| (0..game.players()).find_map(|p| state.scores(Player(p)).err());
        let error = error.or_else(|| scores(&state));
        (state, error)
    };
    if !plan.match_play {
        let (state, error) = play(&Start { seed: plan.seed, index, ..Start::default() }, None);
        return error.map(|error| Stopped { state, error, number: index });
    }
    let number = Match::number_of(game, index)?;
    let mut one = Match::new(game, plan.seed, number)?;
    while !one.is_over() {
        let (state, error) = play(&one.next_start(), one.previous());
        if let Some(error) = error.or_else(|| one.enter(&state).err()) {
            return Some(Stopped { state, error, number });
        }
    }
    None
}
