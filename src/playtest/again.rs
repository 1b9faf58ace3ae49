//! A game that an error ended, played once more to look at the state where it happened.
//!
//! Knows how a plan plays its games; shows nothing.

use super::simulate::{Plan, play_on};
use crate::agents::{Agent, AgentKind};
use crate::engine::matches::Match;
use crate::engine::{ActionId, ApplyError, Game, Player, RuntimeError, Start, State};

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

/// How the players of a game that is opened again decide.
pub enum Reopen<'a> {
    /// As these agents do.
    Agents(&'a mut [Box<dyn Agent>]),
    /// As they did: what they took in each game of the run, by its index.
    Taken(&'a dyn Fn(u64) -> Vec<ActionId>),
}

impl Reopen<'_> {
    fn play(&mut self, state: &mut State, seed: u64, index: u64) -> Option<RuntimeError> {
        match self {
            Reopen::Agents(agents) => play_on(state, agents, seed, index).err(),
            Reopen::Taken(taken) => {
                for action in taken(index) {
                    match state.apply(action) {
                        Ok(()) => {}
                        Err(ApplyError::Runtime(error)) => return Some(error),
                        Err(_) => return None,
                    }
                }
                None
            }
        }
    }
}

/// A game of a run once more, with its history: at its end, or where an error stopped it. None if the run
/// has no such game: its match was over before.
pub fn reopen(
    game: &Game,
    plan: &Plan,
    index: u64,
    mut players: Reopen<'_>,
) -> Option<(State, Option<RuntimeError>)> {
    if !plan.match_play {
        let start = Start { seed: plan.seed, index, ..Start::default() };
        let (mut state, mut error) = game.start_or_stop(&start, None);
        if error.is_none() {
            error = players.play(&mut state, plan.seed, index);
        }
        return Some((state, error));
    }
    let number = Match::number_of(game, index)?;
    let mut one = Match::new(game, plan.seed, number)?;
    while !one.is_over() {
        let start = one.next_start();
        let (mut state, mut error) = game.start_or_stop(&start, one.previous());
        if error.is_none() {
            one.begun(&state);
            error = players.play(&mut state, plan.seed, start.index);
        }
        if start.index == index || error.is_some() {
            return (start.index == index).then_some((state, error));
        }
        one.enter(&state).ok()?;
    }
    None
}
