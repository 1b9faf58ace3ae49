//! Statistics of random games, from which plans are laid out.

use std::collections::BTreeSet;

use super::boards::Boards;
use super::turn_of;
use houserule_base::rng::Stream;
use houserule_game::many::Trials;
use houserule_game::{Game, Seat, State};

/// Number of games, and the number after which decisions are counted: with [`ENOUGH`] of them, no game is added.
const GAMES: u64 = 60;
const FEWEST: u64 = 12;
const ENOUGH: usize = 6_000;

/// Maximum number of states that are kept.
const STATES: usize = 60;

/// Maximum number of decisions of a game.
const DECISIONS: usize = 3000;

/// The seed of these games.
const SEED: u64 = 0x5eed_0f91;

/// Statistics of random games.
#[derive(Debug, Default)]
pub(in crate::learned) struct Sample {
    /// The indices of [`turn_of`] that occurred, ascending.
    pub(in crate::learned) turns: Vec<u16>,
    /// By word of the frame, the smallest and the largest value.
    pub(in crate::learned) numbers: Vec<(i64, i64)>,
    /// Whether all players could see all scores in the sampled states, and the game has scores.
    pub(in crate::learned) sees_scores: bool,
    /// Mean and standard deviation of the worth of the first seat's score.
    pub(in crate::learned) worth: (f64, f64),
    /// Mean number of decisions.
    pub(in crate::learned) decisions: f64,
    /// Mean number of legal actions.
    pub(in crate::learned) actions: f64,
    /// The number of games that ended.
    pub(in crate::learned) ended: u64,
}

impl Sample {
    /// Plays the games, assigns codes to the contents of the boards, and keeps some states.
    pub(super) fn new(game: &Game, boards: &mut Boards) -> (Sample, Vec<State>) {
        let players = game.players() as usize;
        let mut trials = Trials::new(game, 2);
        let mut stream = Stream::new(SEED, 0, 1);
        let mut met: Vec<BTreeSet<u16>> = boards.boards.iter().map(|_| BTreeSet::new()).collect();
        let (mut turns, mut ways, mut actions) = (BTreeSet::new(), vec![], vec![]);
        let mut sample = Sample::default();
        let mut worths = vec![0.0; players];
        let (mut sum, mut squares) = (0.0, 0.0);
        let (mut decisions, mut legal) = (0, 0);
        let mut played = 0u32;
        for index in 0..GAMES {
            if index >= FEWEST && decisions >= ENOUGH && sample.ended > 0 {
                break;
            }
            played += 1;
            if trials.start(0, SEED, index).is_err() {
                continue;
            }
            let mut left = DECISIONS;
            while let Some(me) = trials.current_player(0).map(|me| me as usize) {
                trials.legal_actions(0, &mut actions);
                let Some(action) = trials.random_action(0, &mut stream) else { break };
                if left == 0 || actions.is_empty() {
                    break;
                }
                left -= 1;
                legal += actions.len();
                trials.copy(0, 1);
                if trials.try_out(1, action).is_ok() && !trials.is_over(1) {
                    turns.insert(turn_of(&trials, 1, me, players) as u16);
                    for (board, met) in met.iter_mut().enumerate() {
                        boards.ways(board, trials.words(1), me, trials.pending_stop(1), &mut ways);
                        met.extend(ways.iter().copied());
                    }
                    sample.add_state(trials.words(1));
                }
                if trials.play(0, action).is_err() {
                    break;
                }
            }
            decisions += DECISIONS - left;
            if trials.is_over(0) && trials.worths(0, &mut worths).is_ok() {
                sample.ended += 1;
                sum += worths[0];
                squares += worths[0] * worths[0];
            }
        }
        boards.number(&met);
        let ended = sample.ended.max(1) as f64;
        let mean = sum / ended;
        sample.worth = (mean, (squares / ended - mean * mean).max(0.0).sqrt());
        sample.actions = legal as f64 / decisions.max(1) as f64;
        sample.decisions = decisions as f64 / f64::from(played);
        sample.turns = turns.into_iter().collect();
        let (states, sees) = states(game);
        sample.sees_scores = sees && !game.model().score.is_empty();
        (sample, states)
    }

    /// Notes the range of every word, whether it is a number or not. Plans use only those of numbers.
    fn add_state(&mut self, words: &[u64]) {
        self.numbers.resize(words.len(), (i64::MAX, i64::MIN));
        for (range, word) in self.numbers.iter_mut().zip(words) {
            let value = *word as i64;
            *range = (range.0.min(value), range.1.max(value));
        }
    }
}

/// Returns states of random games right after an action, with explicit chance, and whether every player could see
/// all scores before these actions.
fn states(game: &Game) -> (Vec<State>, bool) {
    let (mut kept, mut sees) = (vec![], true);
    let mut stream = Stream::new(SEED, 1, 1);
    for index in 0..GAMES {
        let Ok(mut state) = game.start(SEED, index) else { continue };
        let every = if game.hides() { 40 } else { 12 };
        for _ in 0..DECISIONS {
            let Some(action) = state.random_action().filter(|_| kept.len() < STATES) else { break };
            if stream.below(every) == 0 {
                let players = || (0..game.players()).map(Seat);
                sees &= players().all(|of| players().all(|viewer| state.sees_score(of, viewer)));
                let mut after = state.clone();
                after.set_explicit_chance(true);
                if after.apply(action).is_ok() && !after.is_over() {
                    kept.push(after);
                }
            }
            if state.apply(action).is_err() {
                break;
            }
        }
    }
    (kept, sees)
}
