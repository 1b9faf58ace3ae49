//! Self-play games for training, and games between agents in training.

use std::ops::Range;

use super::turn::{Aim, TurnSearch};
use crate::agents::agent_stream;
use crate::game::Seat;
use crate::interrupt;
use crate::many::Trials;

/// Maximum number of actions searched within a turn.
const NODES: usize = 60;

/// Number of decisions after which a game is abandoned.
const DECISIONS: usize = 3000;

/// Exploration rate (ε) in games of several players. Without exploration they would repeat the same game.
const EXPLORES: f64 = 0.2;

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
}

/// The exploration rate of the next games, in units of 1/[`WHOLE`].
pub(super) fn exploration(game: &Trials, work: u64) -> u64 {
    let falls = if game.has_chance() { FALLS / (FALLS + work as f64) } else { 1.0 };
    let several = game.game().players() > 1;
    if several { (EXPLORES * falls * WHOLE as f64) as u64 } else { 0 }
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
    let players = turn.trials.game().players() as usize;
    let mut stream = agent_stream(seed, index, Seat(0));
    if turn.trials.start(0, seed, index).is_err() {
        return;
    }
    let (mut line, mut legal, mut seen) = (vec![], vec![], vec![]);
    // The remaining actions of a searched turn, their seat, and the value of the line.
    let mut rest: (Vec<u32>, usize, f32) = (vec![], 0, 0.0);
    for _ in 0..DECISIONS {
        interrupt::check();
        let Some(seat) = turn.trials.current_player(0).map(|seat| seat as usize) else { break };
        turn.trials.legal_actions(0, &mut legal);
        let planned = rest.0.pop().filter(|action| rest.1 == seat && legal.contains(action));
        let mut instead_of = None;
        let action = match (planned, legal.as_slice()) {
            (Some(action), _) => action,
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
                        rest = (line.split_off(1), seat, best);
                        rest.0.reverse();
                        line[0]
                    }
                }
            }
        };
        turn.trials.copy(0, 1);
        if turn.trials.try_out(1, action).is_err() {
            return;
        }
        let first = log.features.len();
        let mut base = 0.0;
        if !turn.trials.is_over(1) {
            base = turn.look(1, seat, &mut seen);
            log.features.extend_from_slice(&seen);
        }
        log.steps.push(Afterstate {
            seat: seat as u32,
            features: first..log.features.len(),
            base,
            instead_of,
        });
        if turn.trials.play(0, action).is_err() {
            return;
        }
    }
    if turn.trials.is_over(0) {
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
