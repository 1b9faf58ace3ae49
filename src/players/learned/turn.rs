//! Turn search: the best action of a seat by the learned values of afterstates.

use std::cmp::Ordering;
use std::sync::Arc;

use super::plan::{FeaturePlan, Scratch, lead};
use crate::agent::Barred;
use houserule_base::rng::Stream;
use houserule_game::Game;
use houserule_game::many::Trials;

/// What a value estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The score of a one-player game.
    Score,
    /// The final lead over the best of the others.
    Lead,
    /// The returns of the game, from -1 to 1.
    Outcome,
    /// The payoff of a game whose rules declare payoffs.
    Payoff,
}

impl Aim {
    /// The name in player files.
    pub fn name(self) -> &'static str {
        match self {
            Aim::Score => "score",
            Aim::Lead => "lead",
            Aim::Outcome => "outcome",
            Aim::Payoff => "payoff",
        }
    }

    /// Computes a value from `base`, the part known without weights, and the sum of the weights.
    pub(super) fn value(self, base: f32, sum: f32) -> f32 {
        match self {
            Aim::Outcome => sum.tanh(),
            Aim::Score | Aim::Lead | Aim::Payoff => base + sum,
        }
    }

    /// Returns the aim called `name`.
    pub fn named(name: &str) -> Option<Aim> {
        [Aim::Score, Aim::Lead, Aim::Outcome, Aim::Payoff].into_iter().find(|aim| aim.name() == name)
    }
}

/// Maximum depth of the search, in decisions.
const DEPTH: usize = 24;

/// Number of states evaluated in a game above which no game is a sparring game. Few games are played then, and go 9×9
/// lost more by playing fewer of them against itself than it gained.
const SPARRING_STATES: f64 = 3000.0;

/// The value of an action that ends in an error of the rules.
pub(super) const WORST: f32 = -1e9;

/// Weight of the returns relative to the lead. It breaks ties between equal leads.
const WIN: f64 = 0.01;

/// A search over the decisions of one turn. Frame 0 holds the root state.
pub(super) struct TurnSearch {
    pub(super) plan: Arc<FeaturePlan>,
    pub(super) aim: Aim,
    pub(super) trials: Trials,
    pub(super) scratch: Scratch,
    /// The features of states whose weights are summed together.
    features: [Vec<u32>; TOGETHER],
    /// Actions whose values are needed next, in order. [`TurnSearch::features`] has those of the actions without a value.
    waiting: Vec<Waiting>,
    legal: Vec<Vec<u32>>,
    /// By depth, what the last action of the best line leads to.
    ends: Vec<LineEnd>,
    /// Actions that the seat must not take in its turn.
    pub(super) barred: Barred,
    /// Work so far, in weight look-ups: the features of each evaluated state plus [`STATE`].
    pub(super) work: u64,
}

/// Number of states whose weights are summed together. The additions of a sum wait for each other, those of several sums
/// don't.
const TOGETHER: usize = 4;

/// The afterstate of the last action of a line.
#[derive(Clone, Debug, Default)]
struct LineEnd {
    /// Whether it was looked at. It isn't where the game is over.
    is_known: bool,
    features: Vec<u32>,
    /// The part of its value known without weights.
    base: f32,
}

/// An action that was tried.
enum Waiting {
    /// Its value is known.
    Known(u32, f32),
    /// Its features are still to be summed, and added to the part of the value known without them.
    Features(u32, f32),
}

/// The best action so far.
struct BestCandidate<'b> {
    most: f32,
    ties: u64,
    stream: &'b mut Stream,
    /// The actions of its line.
    line: &'b mut Vec<u32>,
    tell: &'b mut dyn FnMut(u32, f32),
}

impl BestCandidate<'_> {
    /// Takes an action into account, and the actions that follow it. Returns `true` if they are now the best line.
    fn offer(&mut self, action: u32, value: f32, behind: &[u32]) -> bool {
        (self.tell)(action, value);
        self.ties = match value.total_cmp(&self.most) {
            Ordering::Greater => 1,
            Ordering::Equal => self.ties + 1,
            Ordering::Less => return false,
        };
        let is_best = self.ties == 1 || self.stream.below(self.ties) == 0;
        if is_best {
            self.most = value;
            self.line.clear();
            self.line.push(action);
            self.line.extend_from_slice(behind);
        }
        is_best
    }
}

/// The sums of the weights of several states, each as if it were computed alone, feature by feature.
#[inline]
fn sums<const N: usize>(weights: &[f32], states: [&[u32]; N]) -> [f32; N] {
    let mut all = usize::MAX;
    for features in states {
        all = all.min(features.len());
    }
    let mut heads = states;
    for features in &mut heads {
        *features = &features[..all];
    }
    // What `sum` begins with.
    let mut sums = [-0.0; N];
    let mut at = 0;
    // Loops without adapters, which a build without optimization across units calls as functions.
    while at < all {
        let mut k = 0;
        while k < N {
            sums[k] += weights[heads[k][at] as usize];
            k += 1;
        }
        at += 1;
    }
    let mut k = 0;
    while k < N {
        for at in &states[k][all..] {
            sums[k] += weights[*at as usize];
        }
        k += 1;
    }
    sums
}

/// Fixed cost of evaluating a state, in weight look-ups.
pub(super) const STATE: u64 = 100;

impl TurnSearch {
    pub(super) fn new(game: &Game, plan: &Arc<FeaturePlan>, aim: Aim) -> TurnSearch {
        TurnSearch::with(Trials::new(game, DEPTH + 1), plan, aim)
    }

    /// Returns another search for the same game.
    pub(super) fn more(&self) -> TurnSearch {
        TurnSearch::with(self.trials.more(), &self.plan, self.aim)
    }

    fn with(trials: Trials, plan: &Arc<FeaturePlan>, aim: Aim) -> TurnSearch {
        let players = trials.game().players() as usize;
        TurnSearch {
            plan: Arc::clone(plan),
            aim,
            trials,
            scratch: Scratch::new(players),
            features: Default::default(),
            waiting: vec![],
            legal: vec![vec![]; DEPTH + 1],
            ends: vec![LineEnd::default(); DEPTH + 1],
            barred: Barred::default(),
            work: 0,
        }
    }

    /// Returns `true` if some training games are played against greedy opponents: in games of several players without
    /// chance whose scores all players see, unless a game evaluates more than [`SPARRING_STATES`].
    pub(super) fn spars(&self) -> bool {
        let sample = &self.plan.sample;
        self.trials.game().players() > 1
            && !self.trials.has_chance()
            && self.plan.sees_scores
            && sample.decisions * sample.actions <= SPARRING_STATES
    }

    /// Returns the action of the greedy agent for `seat`, which must decide in frame `i` among `legal`: the one with the
    /// best return of a finished game, then with the best lead. Breaks ties uniformly at random.
    pub(super) fn greedy(
        &mut self,
        i: usize,
        seat: usize,
        legal: &[u32],
        stream: &mut Stream,
    ) -> Option<u32> {
        let (mut best, mut most, mut ties) = (None, (f64::NEG_INFINITY, f64::NEG_INFINITY), 1);
        for action in legal {
            self.trials.copy(i, i + 1);
            self.work += STATE;
            let worth = match self.trials.try_out(i + 1, *action) {
                Ok(()) => self.standing(i + 1, seat),
                Err(_) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            };
            ties = match worth.partial_cmp(&most) {
                Some(Ordering::Greater) => 1,
                Some(Ordering::Equal) => ties + 1,
                _ => continue,
            };
            if ties == 1 || stream.below(ties) == 0 {
                (best, most) = (Some(*action), worth);
            }
        }
        best
    }

    /// The return of a finished game for a seat, 0 before its end, and the seat's lead.
    fn standing(&mut self, i: usize, seat: usize) -> (f64, f64) {
        let returned = if self.trials.is_over(i) { self.trials.returned(i, seat as u32) } else { 0.0 };
        match self.trials.worths(i, &mut self.scratch.worths) {
            Ok(()) => (returned, lead(&self.scratch.worths, seat)),
            Err(_) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        }
    }

    /// The value of a finished game for a seat.
    pub(super) fn end(&mut self, i: usize, seat: usize) -> f32 {
        if self.trials.worths(i, &mut self.scratch.worths).is_err() {
            return WORST;
        }
        let returned = self.trials.returned(i, seat as u32);
        (match self.aim {
            Aim::Score => self.scratch.worths[seat],
            Aim::Lead => lead(&self.scratch.worths, seat) + WIN * returned,
            Aim::Outcome | Aim::Payoff => returned,
        }) as f32
    }

    /// Writes the features of a state for a seat to `out`. Returns the part of its value known without weights.
    pub(super) fn write_features(&mut self, i: usize, seat: usize, out: &mut Vec<u32>) -> f32 {
        let mut base = 0.0;
        if self.plan.sees_scores {
            if self.trials.worths(i, &mut self.scratch.worths).is_err() {
                self.scratch.worths.fill(0.0);
            }
            base = match self.aim {
                Aim::Score => self.scratch.worths[seat] as f32,
                Aim::Lead => lead(&self.scratch.worths, seat) as f32,
                Aim::Outcome | Aim::Payoff => 0.0,
            };
        }
        self.plan.features(&self.trials, i, seat, &mut self.scratch, out);
        self.work += STATE + out.len() as u64;
        base
    }

    /// Returns the features and the known part of the value of the afterstate that ends the line found last in frame 0, as
    /// [`TurnSearch::write_features`] does, or `None` if the search didn't compute them. It counts as the same work, so trainings by work stay what they are.
    pub(super) fn end_features(&mut self) -> Option<(&[u32], f32)> {
        let end = &self.ends[0];
        if !end.is_known {
            return None;
        }
        self.work += STATE + end.features.len() as u64;
        Some((&end.features, end.base))
    }

    /// The value of a state for a seat.
    pub(super) fn value(&mut self, weights: &[f32], i: usize, seat: usize) -> f32 {
        if self.trials.is_over(i) {
            return self.end(i, seat);
        }
        let base = self.write_own_features(0, i, seat);
        let [sum] = sums(weights, [&self.features[0]]);
        self.aim.value(base, sum)
    }

    /// Like [`TurnSearch::write_features`], into the features of state `k` of those that are summed together.
    fn write_own_features(&mut self, k: usize, i: usize, seat: usize) -> f32 {
        let mut features = std::mem::take(&mut self.features[k]);
        let base = self.write_features(i, seat, &mut features);
        self.features[k] = features;
        base
    }

    /// Offers all waiting actions of frame `i` in order, `looked` of which have features.
    fn offer_waiting(&mut self, weights: &[f32], i: usize, looked: usize, best: &mut BestCandidate<'_>) {
        let [a, b, c, d] = &self.features;
        let (a, b, c, d) = (a.as_slice(), b.as_slice(), c.as_slice(), d.as_slice());
        let sums = match looked {
            0 => [0.0; TOGETHER],
            1 => [sums(weights, [a])[0], 0.0, 0.0, 0.0],
            2 => {
                let [a, b] = sums(weights, [a, b]);
                [a, b, 0.0, 0.0]
            }
            3 => {
                let [a, b, c] = sums(weights, [a, b, c]);
                [a, b, c, 0.0]
            }
            _ => sums(weights, [a, b, c, d]),
        };
        let (mut k, end) = (0, &mut self.ends[i]);
        for waiting in self.waiting.drain(..) {
            match waiting {
                Waiting::Known(action, value) => {
                    if best.offer(action, value, &[]) {
                        end.is_known = false;
                    }
                }
                Waiting::Features(action, base) => {
                    if best.offer(action, self.aim.value(base, sums[k]), &[]) {
                        (end.is_known, end.base) = (true, base);
                        std::mem::swap(&mut end.features, &mut self.features[k]);
                    }
                    k += 1;
                }
            }
        }
    }

    /// Returns the value of the best line of `seat`, which must decide in frame `i`, and writes its actions to
    /// `line`. Searches the seat's consecutive decisions, at most `nodes` actions. Decisions of others and chance
    /// are part of the values. Breaks ties uniformly at random.
    pub(super) fn best(
        &mut self,
        weights: &[f32],
        i: usize,
        seat: usize,
        nodes: &mut usize,
        stream: &mut Stream,
        line: &mut Vec<u32>,
    ) -> f32 {
        self.search_line(weights, i, seat, nodes, stream, line, &mut |_, _| {})
    }

    /// Like [`TurnSearch::best`], and calls `tell` with the value of each action.
    #[expect(clippy::too_many_arguments, reason = "the hot search keeps its buffers apart")]
    pub(super) fn search_line(
        &mut self,
        weights: &[f32],
        i: usize,
        seat: usize,
        nodes: &mut usize,
        stream: &mut Stream,
        line: &mut Vec<u32>,
        tell: &mut dyn FnMut(u32, f32),
    ) -> f32 {
        line.clear();
        let mut legal = std::mem::take(&mut self.legal[i]);
        self.trials.legal_actions(i, &mut legal);
        self.barred.leave_out(&mut legal, |action| *action);
        *nodes = nodes.saturating_sub(legal.len());
        let mut best = BestCandidate { most: f32::NEG_INFINITY, ties: 1, stream, line, tell };
        let (mut behind, mut looked) = (vec![], 0);
        for action in &legal {
            self.trials.copy(i, i + 1);
            let waiting = if self.trials.try_out(i + 1, *action).is_err() {
                Waiting::Known(*action, WORST)
            } else if self.trials.is_over(i + 1) {
                Waiting::Known(*action, self.end(i + 1, seat))
            } else if self.trials.current_player(i + 1) == Some(seat as u32)
                && *nodes > 0
                && i + 2 < self.legal.len()
            {
                // The search further on draws from the same stream and uses the same buffers.
                self.offer_waiting(weights, i, looked, &mut best);
                looked = 0;
                let value = self.best(weights, i + 1, seat, nodes, best.stream, &mut behind);
                if best.offer(*action, value, &behind) {
                    self.ends.swap(i, i + 1);
                }
                continue;
            } else {
                looked += 1;
                Waiting::Features(*action, self.write_own_features(looked - 1, i + 1, seat))
            };
            self.waiting.push(waiting);
            if looked == TOGETHER {
                self.offer_waiting(weights, i, looked, &mut best);
                looked = 0;
            }
        }
        self.offer_waiting(weights, i, looked, &mut best);
        let most = best.most;
        self.legal[i] = legal;
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::agent_stream;
    use crate::learned::kept;
    use houserule_game::Seat;
    use houserule_loader::{Request, load};

    #[test]
    fn the_end_of_a_line_is_what_its_last_action_leads_to() {
        for name in ["dilido", "connect-four", "reversi", "dots-and-boxes"] {
            let game = load(&Request { name, ..Request::default() }).unwrap().game;
            let mut turn = TurnSearch::new(&game, &kept::plan(&game), Aim::Lead);
            let mut stream = agent_stream(8, 0, Seat(0));
            let weights: Vec<f32> =
                (0..turn.plan.weights()).map(|_| stream.below(1 << 20) as f32 / 1e6).collect();
            let (mut line, mut seen, mut known, mut longest) = (vec![], vec![], 0, 0);
            turn.trials.start(0, 8, 0).unwrap();
            while let Some(seat) = turn.trials.current_player(0).map(|seat| seat as usize) {
                turn.best(&weights, 0, seat, &mut 60, &mut stream, &mut line);
                let before = turn.work;
                let end = turn.end_features().map(|(features, base)| (features.to_vec(), base));
                let work = turn.work - before;
                turn.trials.copy(0, 1);
                for action in &line {
                    assert!(turn.trials.try_out(1, *action).is_ok(), "{name}");
                }
                assert_eq!(end.is_none(), turn.trials.is_over(1), "{name}");
                if let Some(end) = end {
                    let base = turn.write_features(1, seat, &mut seen);
                    assert_eq!((end, 2 * work), ((seen.clone(), base), turn.work - before), "{name}");
                    known += 1;
                }
                longest = longest.max(line.len());
                assert!(turn.trials.play(0, line[0]).is_ok(), "{name}");
            }
            assert!(known > 5, "{name}");
            assert!(longest > 1 || !["dilido", "dots-and-boxes"].contains(&name), "{name}");
        }
    }

    #[test]
    fn sums_of_several_states_are_those_of_each_alone() {
        let mut stream = Stream::new(1, 0, 1);
        let mut weights: Vec<f32> = (0..100).map(|_| stream.below(1 << 20) as f32 / 3e5 - 1.0).collect();
        weights[0] = -0.0;
        let mut state = |length| (0..length).map(|_| stream.below(100) as u32).collect::<Vec<u32>>();
        let states = [state(40), state(37), vec![0, 0], state(64)];
        for some in [[0, 1, 2, 3], [3, 0, 1, 1], [2, 2, 2, 2]] {
            let alone = some.map(|k| states[k].iter().map(|at| weights[*at as usize]).sum::<f32>().to_bits());
            let together = sums(&weights, some.map(|k| states[k].as_slice()));
            assert_eq!(together.map(f32::to_bits), alone);
        }
    }
}
