//! Replay of a single game of a run, for example to inspect the state in which an error stopped it.
//!
//! Depends on how a [`SimulationPlan`] plays its games; independent of any display.

use super::plan::SimulationPlan;
use super::watched::play_watched;
use houserule_game::matches::Match;
use houserule_game::{ActionId, ApplyError, Game, RuntimeError, Start, State};
use houserule_players::agents::{Agent, AgentKind};

/// A game that an error stopped.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The state when the error occurred.
    pub state: State,
    /// The error.
    pub error: RuntimeError,
    /// The [`SimulationPlan::first`] that plays the game again: its index, or that of its match.
    pub number: u64,
}

/// Plays game `index` of a plan up to its error. Returns `None` if the game ends without one or can't be played.
pub fn play_again(game: &Game, plan: &SimulationPlan, index: u64) -> Option<Stopped> {
    let kinds = plan.kinds(game.players()).ok()?;
    let mut agents = AgentKind::seat_all(&kinds, game).ok()?;
    let (state, error, of_match) = open(game, plan, index, &mut Reopen::Agents(&mut agents))?;
    let error = error.or_else(|| state.scored().err());
    let (error, number) = match of_match {
        Some(mut one) => (error.or_else(|| one.enter(&state).err()), Match::number_of(game, index)?),
        None => (error, index),
    };
    Some(Stopped { state, error: error?, number })
}

/// Source of the decisions when a game is replayed.
pub enum Reopen<'a> {
    /// These agents decide.
    Agents(&'a mut [Box<dyn Agent>]),
    /// Recorded actions: returns those of a game of the run, by its index.
    Taken(&'a dyn Fn(u64) -> Vec<ActionId>),
}

impl Reopen<'_> {
    fn play(&mut self, state: &mut State, seed: u64, index: u64) -> Option<RuntimeError> {
        match self {
            Reopen::Agents(agents) => play_watched(state, agents, seed, index, &mut |_, _, _| {}).err(),
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

/// Replays a game of a run, with its history, to its end or to the error that stops it. Returns `None` if the run
/// doesn't have the game, because its match ended earlier.
pub fn reopen(
    game: &Game,
    plan: &SimulationPlan,
    index: u64,
    mut players: Reopen<'_>,
) -> Option<(State, Option<RuntimeError>)> {
    open(game, plan, index, &mut players).map(|(state, error, _)| (state, error))
}

/// Like [`reopen`], and also returns the match, which the game has not been entered into yet.
fn open(
    game: &Game,
    plan: &SimulationPlan,
    index: u64,
    players: &mut Reopen<'_>,
) -> Option<(State, Option<RuntimeError>, Option<Match>)> {
    if !plan.match_play {
        let start = Start { seed: plan.seed, index, ..Start::default() };
        let (mut state, mut error) = game.start_or_stop(&start, None);
        if error.is_none() {
            error = players.play(&mut state, plan.seed, index);
        }
        return Some((state, error, None));
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
            return (start.index == index).then_some((state, error, Some(one)));
        }
        one.enter(&state).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;
    use houserule_loader::{Request, load_text};

    #[test]
    fn who_begins_may_be_said_by_the_setup_of_a_game_before() {
        let text = "game \"M\" {
          players A, B
          var n: 0..1 = 0
          setup { if game_number == 1 { starter = B } }
          turn { if game_number == 2 and mover == A { n += game_number } }
          end when turns[me] == 1: draw
          match { games: 3, starter: next }
        }";
        let game = load_text("m.rules", text, &Request::default()).unwrap().game;
        let agents = vec![AgentKind::Random];
        let plan = SimulationPlan { games: 1, first: 0, seed: 1, threads: 1, agents, match_play: true };
        let report = simulate(&game, &plan, &|_| {}, None).unwrap();
        let first = report.first_aborted.expect("the second game stops");
        let stopped = play_again(&game, &plan, first.index).expect("it stops again");
        assert_eq!((first.index, stopped.number), (1, 0));
        assert_eq!(stopped.error.to_string(), first.error.to_string());
    }
}
