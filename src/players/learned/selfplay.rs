//! Self-play games for training, and games between agents in training.

use std::ops::Range;

use super::turn::{Aim, TurnSearch};
use crate::agent::agent_stream;
use houserule_base::interrupt;
use houserule_game::Seat;

/// Maximum number of actions searched within a turn.
const NODES: usize = 60;

/// Number of decisions after which a game is abandoned.
const DECISIONS: usize = 3000;

/// Exploration rate (ε) in games of several players. Without exploration they would repeat the same game.
const EXPLORES: f64 = 0.2;

/// Exploration rate in games with sparring, which need more variety (reversi: docs/agents.md).
const EXPLORES_SPARRING: f64 = 0.4;

/// One game in this many is a sparring game: one seat learns, and the others play greedily. A player that meets only
/// itself may lose to simple opponents whose positions it never sees.
const SPARRING: u64 = 4;

/// Weight look-ups after which the exploration rate is halved, in games with chance. There chance itself explores,
/// and playing against erring opponents would teach errors.
const FALLS: f64 = 900_000_000.0;

/// Number of random opening moves when agents are compared in a game without chance.
const OPENING: usize = 4;

/// A game as training data.
#[derive(Debug, Default)]
pub(super) struct TrainingGame {
    /// The features of all steps, concatenated.
    pub(super) features: Vec<u32>,
    pub(super) steps: Vec<Afterstate>,
    /// The final value for each seat; empty if the game didn't end.
    pub(super) ends: Vec<f32>,
    /// The cost of the game, as [`TurnSearch::work`].
    pub(super) work: u64,
}

/// The afterstate of an action, as the acting seat saw it.
#[derive(Debug)]
pub(super) struct Afterstate {
    pub(super) seat: u32,
    /// The range of its features; empty for a finished game.
    pub(super) features: Range<usize>,
    /// The part of its value known without weights.
    pub(super) base: f32,
    /// If the action was exploratory, the value of the best action.
    pub(super) instead_of: Option<f32>,
}

impl TrainingGame {
    pub(super) fn clear(&mut self) {
        self.features.clear();
        self.steps.clear();
        self.ends.clear();
    }

    /// Adds an afterstate; one of a finished game has no features.
    fn push(&mut self, seat: usize, features: &[u32], base: f32, instead_of: Option<f32>) {
        let first = self.features.len();
        self.features.extend_from_slice(features);
        let features = first..self.features.len();
        self.steps.push(Afterstate { seat: seat as u32, features, base, instead_of });
    }
}

/// The exploration rate of the next games, in units of 1/[`WHOLE`].
pub(super) fn exploration(turn: &TurnSearch, work: u64) -> u64 {
    let rate = match (turn.trials.game().players(), turn.trials.has_chance()) {
        (1, _) => 0.0,
        (_, true) => EXPLORES * FALLS / (FALLS + work as f64),
        (_, false) if turn.spars() => EXPLORES_SPARRING,
        (_, false) => EXPLORES,
    };
    (rate * WHOLE as f64) as u64
}

/// The only seat that learns from game `index` of a run, if that is a sparring game.
fn sparring_seat(turn: &TurnSearch, index: u64) -> Option<usize> {
    let players = u64::from(turn.trials.game().players());
    (turn.spars() && index % SPARRING == 1).then(|| (index / SPARRING % players) as usize)
}

/// The denominator of [`exploration`].
const WHOLE: u64 = 1 << 32;

/// Plays game `index` of a run with exploration rate `explores`/[`WHOLE`]. The random draws depend only on the
/// seed and the index.
pub(super) fn play(
    turn: &mut TurnSearch,
    weights: &[f32],
    seed: u64,
    index: u64,
    explores: u64,
    log: &mut TrainingGame,
) {
    log.clear();
    let mut stream = agent_stream(seed, index, Seat(0));
    if turn.trials.start(0, seed, index).is_err() {
        return;
    }
    let (mut line, mut legal, mut seen) = (vec![], vec![], vec![]);
    let learner = sparring_seat(turn, index);
    // The remaining actions of a searched turn, and their seat.
    let mut rest: (Vec<u32>, usize) = (vec![], 0);
    for _ in 0..DECISIONS {
        interrupt::check();
        let Some(seat) = turn.trials.current_player(0).map(|seat| seat as usize) else { break };
        turn.trials.legal_actions(0, &mut legal);
        if learner.is_some_and(|learner| learner != seat) {
            let action = turn.greedy(0, seat, &legal, &mut stream);
            if action.is_none_or(|action| turn.trials.play(0, action).is_err()) {
                return;
            }
            continue;
        }
        let planned = rest.0.pop().filter(|action| rest.1 == seat && legal.contains(action));
        let mut instead_of = None;
        // Whether the action is the last one of a searched line.
        let mut ends_line = false;
        let action = match (planned, legal.as_slice()) {
            (Some(action), _) => {
                ends_line = rest.0.is_empty();
                action
            }
            (None, [single]) => {
                rest.0.clear();
                *single
            }
            _ => {
                let best = turn.best(weights, 0, seat, &mut NODES.clone(), &mut stream, &mut line);
                let explored = (explores > 0 && stream.below(WHOLE) < explores)
                    .then(|| legal[stream.below(legal.len() as u64) as usize]);
                match explored.filter(|action| *action != line[0]) {
                    Some(action) => {
                        rest.0.clear();
                        instead_of = Some(best);
                        action
                    }
                    None => {
                        rest = (line.split_off(1), seat);
                        rest.0.reverse();
                        ends_line = rest.0.is_empty();
                        line[0]
                    }
                }
            }
        };
        // No chance lies between the actions of a line, so the search has looked at this afterstate.
        if ends_line && let Some((features, base)) = turn.end_features() {
            log.push(seat, features, base, instead_of);
        } else if !log_action(turn, seat, action, instead_of, &mut seen, log) {
            return;
        }
        if turn.trials.play(0, action).is_err() {
            return;
        }
    }
    log_end(turn, log);
}

/// Plays game `index` of a run with random players. A decision costs as much as trying one action.
pub(super) fn play_randomly(turn: &mut TurnSearch, seed: u64, index: u64, log: &mut TrainingGame) {
    log.clear();
    let mut stream = agent_stream(seed, index, Seat(3));
    if turn.trials.start(0, seed, index).is_err() {
        return;
    }
    let mut seen = vec![];
    for _ in 0..DECISIONS {
        interrupt::check();
        let Some(seat) = turn.trials.current_player(0).map(|seat| seat as usize) else { break };
        let Some(action) = turn.trials.random_action(0, &mut stream) else { return };
        if !log_action(turn, seat, action, None, &mut seen, log) || turn.trials.play(0, action).is_err() {
            return;
        }
    }
    log_end(turn, log);
}

/// Logs the afterstate of an action. Returns `false` if the action fails.
fn log_action(
    turn: &mut TurnSearch,
    seat: usize,
    action: u32,
    instead_of: Option<f32>,
    seen: &mut Vec<u32>,
    log: &mut TrainingGame,
) -> bool {
    turn.trials.copy(0, 1);
    if turn.trials.try_out(1, action).is_err() {
        return false;
    }
    let mut base = 0.0;
    seen.clear();
    if !turn.trials.is_over(1) {
        base = turn.write_features(1, seat, seen);
    }
    log.push(seat, seen, base, instead_of);
    true
}

/// Logs the end of a game, if it came to one.
fn log_end(turn: &mut TurnSearch, log: &mut TrainingGame) {
    if turn.trials.is_over(0) {
        let players = turn.trials.game().players() as usize;
        log.ends.extend((0..players).map(|seat| turn.end(0, seat)));
    }
}

/// Plays a game between different weights. Returns the returns of each seat, or in a one-player game without payoffs
/// the worth of its score. In a game without chance the opening is random, because otherwise all games would be alike.
pub(super) fn meet(
    turn: &mut TurnSearch,
    seats: &[(&[f32], Aim)],
    seed: u64,
    index: u64,
) -> Option<Vec<f64>> {
    let mut stream = agent_stream(seed, index, Seat(1));
    turn.trials.start(0, seed, index).ok()?;
    let opening = if turn.trials.has_chance() { 0 } else { OPENING };
    let mut line = vec![];
    for decision in 0..DECISIONS {
        let Some(seat) = turn.trials.current_player(0).map(|seat| seat as usize) else { break };
        let action = if decision < opening {
            turn.trials.random_action(0, &mut stream)?
        } else {
            let (weights, aim) = seats[seat];
            turn.aim = aim;
            turn.best(weights, 0, seat, &mut NODES.clone(), &mut stream, &mut line);
            *line.first()?
        };
        turn.trials.play(0, action).ok()?;
    }
    if !turn.trials.is_over(0) {
        return None;
    }
    let mut worths = vec![0.0; seats.len()];
    turn.trials.worths(0, &mut worths).ok()?;
    if let ([worth], false) = (worths.as_slice(), turn.trials.game().pays()) {
        return Some(vec![*worth]);
    }
    Some((0..seats.len()).map(|seat| turn.trials.returned(0, seat as u32)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::kept;
    use super::*;
    use houserule_game::Game;
    use houserule_loader::{Request, load};

    fn turn_of(name: &str) -> (Game, TurnSearch) {
        let game = load(&Request { name, ..Request::default() }).unwrap().game;
        let turn = TurnSearch::new(&game, &kept::plan(&game), Aim::Outcome);
        (game, turn)
    }

    /// The seats that learn from the first games of a run.
    fn seats(name: &str) -> Vec<Vec<u32>> {
        let (_, mut turn) = turn_of(name);
        let (weights, mut log) = (vec![0.0; turn.plan.weights()], TrainingGame::default());
        let mut seats_of = |index| {
            play(&mut turn, &weights, 1, index, 0, &mut log);
            let mut seats: Vec<u32> = log.steps.iter().map(|step| step.seat).collect();
            seats.sort_unstable();
            seats.dedup();
            seats
        };
        (0..8).map(&mut seats_of).collect()
    }

    #[test]
    fn one_seat_learns_from_every_fourth_game_where_scores_are_seen() {
        let (both, first, second) = (vec![0, 1], vec![0], vec![1]);
        let wanted = [&both, &first, &both, &both, &both, &second, &both, &both].map(Vec::clone);
        assert_eq!(seats("reversi"), wanted);
        assert_eq!(seats("connect-four"), vec![both.clone(); 8], "there are no scores");
        assert_eq!(seats("pig"), vec![both.clone(); 8], "there is chance");
        assert_eq!(seats("go"), vec![both; 8], "a game takes long");
    }

    #[test]
    fn greedy_opponents_take_the_best_lead() {
        let (game, mut turn) = turn_of("reversi");
        let mut stream = agent_stream(4, 0, Seat(0));
        let mut differing = 0;
        let mut state = game.start(4, 0).unwrap();
        while let Some(seat) = state.current_player() {
            let lead_after = |action| {
                let mut after = state.clone();
                after.apply(action).unwrap();
                let scores = after.score_of_each().unwrap();
                scores[seat.index()] - scores[1 - seat.index()]
            };
            let legal = state.legal_actions();
            let leads: Vec<i64> = legal.iter().map(|action| lead_after(*action)).collect();
            turn.trials.load(0, &state);
            let numbers: Vec<u32> = legal.iter().map(|action| action.0).collect();
            let chosen = turn.greedy(0, seat.index(), &numbers, &mut stream).unwrap();
            let at = numbers.iter().position(|action| *action == chosen).unwrap();
            assert_eq!(Some(&leads[at]), leads.iter().max());
            differing += u32::from(leads.iter().min() != leads.iter().max());
            state.apply(legal[at]).unwrap();
        }
        assert!(differing > 10, "{differing} decisions with different leads");
    }
}
