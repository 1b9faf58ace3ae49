//! The features of a game for learning, laid out from its checked rules and some random games.
//!
//! A seat's features describe what the seat sees; whatever belongs to players is ordered by seat, from that seat
//! on. A feature is the index of a weight, and the value of a state is the sum of the weights of its features:
//!
//! - *tuples* of sites (n-tuples: Lucas 2008; Szubert and Jaśkowski 2014,
//!   <https://doi.org/10.1109/CIG.2014.6932907>): one weight for each combination of contents of some sites. The
//!   tuples are the lines of a board, its neighbourhoods, the sides of cells, regions named in the score or the
//!   ends, and random walks;
//! - *atoms*: the values of variables, dice, zones and the like, one weight for each value, and one for each pair
//!   of values of two atoms;
//! - *grids*: if a game has only a few numbers, one weight for each combination of them, on several scales.
//!
//! All weights exist once for each seat that may be next, and for whether that seat decides or chance is next.

mod atoms;
mod boards;
mod grids;
mod sample;
mod shown;
mod symmetry;
mod tuples;

pub(super) use sample::Sample;

use atoms::{Atoms, PairedFacts};
use boards::Boards;
use grids::Grids;
use houserule_game::Game;
use houserule_game::many::Trials;
use sha2::{Digest, Sha256};
use tuples::{SeenTuples, Tuples};

/// Maximum number of weights of an agent. Training takes six 4-byte numbers for each.
pub(super) const MOST_WEIGHTS: usize = 6_000_000;

/// The features of a game for a number of players.
#[derive(Debug)]
pub(super) struct FeaturePlan {
    players: usize,
    boards: Boards,
    tuples: Tuples,
    atoms: Atoms,
    grids: Grids,
    /// The copy of the weights, by the index of [`turn_of`].
    copies: Vec<u16>,
    weights: usize,
    /// Whether all players can always see all scores.
    pub(super) sees_scores: bool,
    /// Whether an action can reveal hidden information, so that it must be tried in several worlds.
    pub(super) shows: bool,
    /// The number of symmetries of the board, including the identity.
    pub(super) symmetries: usize,
    /// The random games that the plan was laid out from.
    pub(super) sample: Sample,
    hash: String,
}

/// Buffers for the features of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// By seat.
    tuples: Vec<SeenTuples>,
    values: Vec<u32>,
    on: Vec<u32>,
    paired: PairedFacts,
    /// The worth of the state's scores.
    pub(super) worths: Vec<f64>,
}

impl Scratch {
    pub(super) fn new(players: usize) -> Scratch {
        Scratch {
            worths: vec![0.0; players],
            tuples: vec![SeenTuples::default(); players],
            ..Scratch::default()
        }
    }
}

/// Allocates consecutive ranges of weights.
#[derive(Debug, Default)]
struct WeightAllocator {
    next: usize,
}

impl WeightAllocator {
    fn take(&mut self, weights: usize) -> usize {
        let first = self.next;
        self.next += weights;
        first
    }

    fn left(&self) -> usize {
        MOST_WEIGHTS.saturating_sub(self.next)
    }
}

impl FeaturePlan {
    /// Lays out the features of a game. Plays some random games, always the same ones.
    pub(super) fn new(game: &Game) -> FeaturePlan {
        let mut boards = Boards::new(game);
        let (sample, states) = Sample::new(game, &mut boards);
        let mut copies = vec![0; 2 * game.players() as usize];
        for (copy, turn) in (0..).zip(&sample.turns) {
            copies[*turn as usize] = copy;
        }
        let rows = sample.turns.len().max(1);
        let symmetries = symmetry::symmetries_in(game, &states);
        let mut layout = WeightAllocator::default();
        let atoms = Atoms::new(game, &boards, &sample, rows, &mut layout);
        let grids = Grids::new(&atoms, rows, &mut layout);
        let tuples = Tuples::new(game, &boards, &symmetries, rows, &mut layout);
        let mut plan = FeaturePlan {
            players: game.players() as usize,
            boards,
            tuples,
            atoms,
            grids,
            copies,
            weights: layout.next,
            sees_scores: sample.sees_scores,
            shows: false,
            symmetries: symmetries.len() + 1,
            sample,
            hash: String::new(),
        };
        plan.shows = game.hides() && shown::shows(&plan, game);
        plan.hash = plan.digest();
        plan
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.weights
    }

    /// A hash of the plan. Weights fit only a plan with the same hash.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    fn digest(&self) -> String {
        // The debug output of these contains everything that determines the meaning of a weight.
        let text =
            format!("{:?}{:?}{:?}{:?}{:?}", self.boards, self.tuples, self.atoms, self.grids, self.copies);
        let mut hex = String::new();
        for byte in &Sha256::digest(text.as_bytes())[..8] {
            hex.push_str(&format!("{byte:02x}"));
        }
        hex
    }

    /// Writes the features of a state as a seat sees it to `out`: the indices of their weights. If scores are
    /// seen, `scratch` must hold their worth.
    pub(super) fn features(
        &self,
        trials: &Trials,
        i: usize,
        seat: usize,
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
    ) {
        out.clear();
        let copy = usize::from(self.copies[turn_of(trials, i, seat, self.players)]);
        let site = trials.pending_stop(i);
        let tuples = &mut scratch.tuples[seat];
        self.tuples.append_features(&self.boards, trials.words(i), seat, copy, site, tuples, out);
        self.atoms.write_facts(trials, i, seat, site, scratch);
        self.atoms.append_weights(copy, &mut scratch.on, &mut scratch.paired, out);
        self.grids.append_features(copy, &scratch.values, out);
    }
}

/// The index of whose turn it is, counted from `seat`: the player who decides or, `players` higher, the mover
/// while chance is next.
pub(super) fn turn_of(trials: &Trials, i: usize, seat: usize, players: usize) -> usize {
    match trials.current_player(i) {
        Some(player) => (player as usize + players - seat) % players,
        None => players + (trials.mover(i) as usize + players - seat) % players,
    }
}

/// A player's lead over the best of the others; in a one-player game, the score.
pub(super) fn lead(worths: &[f64], seat: usize) -> f64 {
    let others = worths.iter().enumerate().filter(|(other, _)| *other != seat);
    let best = others.map(|(_, worth)| *worth).reduce(f64::max).unwrap_or(0.0);
    worths[seat] - best
}

#[cfg(test)]
#[path = "../../../../tests/support/sizes.rs"]
mod sizes;

#[cfg(test)]
mod tests {
    use super::sizes::{some_of, tries};
    use super::*;
    use crate::agent::agent_stream;
    use houserule_game::Seat;
    use houserule_loader::{Request, load};

    fn features(plan: &FeaturePlan, trials: &mut Trials, seat: usize) -> Vec<u32> {
        let (mut scratch, mut out) = (Scratch::new(plan.players), vec![]);
        if plan.sees_scores {
            trials.worths(0, &mut scratch.worths).unwrap();
        }
        plan.features(trials, 0, seat, &mut scratch, &mut out);
        out
    }

    #[test]
    fn what_a_seat_does_not_see_is_no_feature() {
        for (name, players) in [("dominoes", 2), ("dominoes", 4), ("dominoes-fives", 3)] {
            let game = load(&Request { name, players: Some(players), ..Request::default() }).unwrap().game;
            let plan = FeaturePlan::new(&game);
            let mut trials = Trials::new(&game, 1);
            let (mut stream, mut looked, mut differed) = (agent_stream(3, 0, Seat(0)), 0, 0);
            for index in 0..tries(2, 6) {
                let mut state = game.start(3, index).unwrap();
                while let Some(seat) = state.current_player() {
                    let world = state.determinize(seat, &mut stream).unwrap();
                    trials.load(0, &state);
                    let real = features(&plan, &mut trials, seat.0 as usize);
                    trials.load(0, &world);
                    assert_eq!(features(&plan, &mut trials, seat.0 as usize), real, "{name}, game {index}");
                    looked += 1;
                    differed += u32::from(world.persistent() != state.persistent());
                    state.apply(state.legal_actions()[0]).unwrap();
                }
            }
            assert!(
                looked > tries(10, 30) && differed > looked / 2,
                "{differed} of {looked} worlds are other states"
            );
        }
    }

    /// The buffers kept from one state to the next change nothing.
    #[test]
    fn features_are_those_of_the_state_alone() {
        let names = ["connect-four", "reversi", "dilido", "dice-wide-shut", "points-small"];
        for name in some_of("state alone", 2, names) {
            let game = load(&Request { name, ..Request::default() }).unwrap().game;
            let plan = FeaturePlan::new(&game);
            let mut trials = Trials::new(&game, 1);
            let (mut kept, mut out) = (Scratch::new(plan.players), vec![]);
            let mut stream = agent_stream(6, 0, Seat(0));
            for index in 0..tries(1, 3) {
                trials.start(0, 6, index).unwrap();
                for _ in 0..40 {
                    let Some(seat) = trials.current_player(0) else { break };
                    if plan.sees_scores {
                        trials.worths(0, &mut kept.worths).unwrap();
                    }
                    plan.features(&trials, 0, seat as usize, &mut kept, &mut out);
                    assert_eq!(out, features(&plan, &mut trials, seat as usize), "{name}");
                    let action = trials.random_action(0, &mut stream).unwrap();
                    assert!(trials.play(0, action).is_ok());
                }
            }
        }
    }

    #[test]
    fn features_are_numbers_of_weights() {
        let games = houserule_loader::catalogue().into_iter().filter(|entry| entry.of.is_none());
        for entry in some_of("features", 8, games) {
            let name = entry.name;
            let game = load(&Request { name, ..Request::default() }).unwrap().game;
            let plan = FeaturePlan::new(&game);
            let mut trials = Trials::new(&game, 1);
            let mut stream = agent_stream(5, 0, Seat(0));
            trials.start(0, 5, 0).unwrap();
            for _ in 0..60 {
                let Some(seat) = trials.current_player(0) else { break };
                let features = features(&plan, &mut trials, seat as usize);
                assert!(
                    !features.is_empty() && features.iter().all(|at| (*at as usize) < plan.weights()),
                    "{name}"
                );
                let action = trials.random_action(0, &mut stream).unwrap();
                if trials.play(0, action).is_err() {
                    break;
                }
            }
        }
    }
}
