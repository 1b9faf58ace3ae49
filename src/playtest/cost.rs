//! Estimates of what a game costs: its playing time from a few timed decisions, and its work from a few games.
//! What follows for the usual number of games is decided in `compare` (`usual_pairs`) and, for runs in parts, in `compare::run`.

use std::ops::RangeInclusive;

use super::plan::{SimulateError, usual_length};
use super::watched::play_watched;
use houserule_base::clock::{Instant, process_seconds};
use houserule_game::{Game, State};
use houserule_model::MatchLength;
use houserule_players::agents::{Agent, AgentKind, agent_stream};

/// Maximum number of timed decisions.
const TIMED: u64 = 5;

/// Timing budget, in seconds: no further decision is timed after it.
const ENOUGH: f64 = 0.5;

/// Number of games that [`work_of_games`] plays.
pub(super) const TRIED: u64 = 4;

/// Estimates the work of [`TRIED`] games, or matches, with an agent in all seats, in random decisions.
pub(super) fn work_of_games(game: &Game, kind: &AgentKind, match_play: bool) -> Result<u64, SimulateError> {
    // The agent is not trained yet. Games of a greedy one are about as long.
    let usual = if kind.trains() { &AgentKind::Greedy } else { kind };
    let kinds = vec![usual.clone(); game.players() as usize];
    let mut agents = AgentKind::seat_all(&kinds, game).map_err(SimulateError::Agent)?;
    let mut work = 0u64;
    for index in 0..TRIED {
        let mut count = |state: &State, _, _| {
            work += 1 + kind.work(state);
        };
        // A game that ends in an error counts up to there.
        let _ = game
            .start(0, index)
            .and_then(|mut state| play_watched(&mut state, &mut agents, 0, index, &mut count));
    }
    Ok(work.saturating_mul(usual_length(game, match_play)))
}

/// Returns the number of games with an agent in all seats that take about `work` random decisions: one of 1, 2 and 5
/// times a power of ten, within `limits`.
pub fn games_within(
    game: &Game,
    kind: &AgentKind,
    work: u64,
    limits: RangeInclusive<u64>,
) -> Result<u64, SimulateError> {
    let wanted = work.saturating_mul(TRIED) / work_of_games(game, kind, false)?.max(1);
    Ok(rounded(wanted as f64).clamp(*limits.start(), *limits.end()))
}

/// Rounds down to 1, 2 or 5 times a power of ten, so that the same number is found again. At least 1.
pub fn rounded(number: f64) -> u64 {
    let mut steps = (0..10).rev().flat_map(|power| [5, 2, 1].map(|step| step * 10u64.pow(power)));
    steps.find(|step| *step as f64 <= number).unwrap_or(1)
}

/// Estimates the seconds that one game, or match, takes with an agent for each seat. The agents decide at a few
/// points of a random game, so the estimate costs only these decisions.
/// Returns `None` if there is nothing to time: all agents are random, a game can't be started, or an agent first
/// solves the game or is trained, which would take as long again.
pub fn seconds_of_a_game(game: &Game, kinds: &[AgentKind], seed: u64, match_play: bool) -> Option<f64> {
    let nothing =
        kinds.iter().all(|kind| *kind == AgentKind::Random) || kinds.iter().any(AgentKind::prepares);
    if nothing || kinds.len() != game.players() as usize {
        return None;
    }
    let mut agents = AgentKind::seat_all(kinds, game).ok()?;
    let decisions = random_game(game, seed, |_| {})?;
    let every = decisions.div_ceil(TIMED).max(1);
    let (mut at, mut timed, mut seconds) = (0, 0u64, 0.0);
    random_game(game, seed, |state| {
        if at % every == every / 2 && seconds < ENOUGH {
            // Other programs may keep the processors busy, so measure the CPU time of this process.
            let (clock, cpu) = (Instant::now(), process_seconds());
            decide(state, &mut agents, seed);
            let spent = cpu.zip(process_seconds()).map(|(before, after)| after - before);
            seconds += spent.unwrap_or_else(|| clock.elapsed().as_secs_f64());
            timed += 1;
        }
        at += 1;
    })?;
    let games = match game.model().match_rules.as_ref().filter(|_| match_play).map(|rules| &rules.length) {
        Some(MatchLength::Games(games)) => f64::from(*games),
        // The number of games depends on the players; it is at least one.
        _ => 1.0,
    };
    (timed > 0).then(|| seconds / timed as f64 * decisions as f64 * games)
}

/// Plays a random game and calls `see` with every state in which a player decides. Returns the number of
/// decisions.
pub(super) fn random_game(game: &Game, seed: u64, mut see: impl FnMut(&State)) -> Option<u64> {
    let mut state = game.start(seed, 0).ok()?;
    let mut decisions = 0;
    while state.current_player().is_some() {
        see(&state);
        let Some(action) = state.random_action() else { break };
        decisions += 1;
        if state.apply(action).is_err() {
            break;
        }
    }
    Some(decisions)
}

fn decide(state: &State, agents: &mut [Box<dyn Agent>], seed: u64) {
    let Some(player) = state.current_player() else { return };
    let mut stream = agent_stream(seed, 0, player);
    // An agent that fails here also fails in the game, which reports the error.
    let _ = agents[player.0 as usize].choose(&mut state.clone().seen_by(player), &mut stream);
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load};

    #[test]
    fn only_agents_that_look_ahead_are_timed() {
        let game = load(&Request { name: "pig", ..Request::default() }).unwrap().game;
        let cost = |kind: &str| seconds_of_a_game(&game, &vec![AgentKind::parse(kind).unwrap(); 2], 1, false);
        assert_eq!((cost("random"), cost("exact")), (None, None));
        assert!(cost("greedy").is_some_and(|seconds| seconds > 0.0));
    }
}
