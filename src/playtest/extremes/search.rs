//! Searches for good games where no exact method applies: beams over turns, depth-first plunges, and threshold accepting
//! (Dueck and Scheuer 1990, <https://doi.org/10.1016/0021-9991(90)90201-B>) over the moves of whole games.

use std::collections::{HashSet, VecDeque};

use super::distance::distance_to_end;
use super::meter::CountMeter;
use super::rules::EndRules;
use super::{Extreme, ExtremeQuantity, Goal};
use houserule_base::rng::Stream;
use houserule_game::{ActionId, Seat, State};
use rand::RngExt;

/// Maximum number of events of a game that a search plays.
const MOST_EVENTS: usize = 20_000;

/// Maximum number of moves of a state that a beam or a plunge tries, drawn at random from those there are.
const MOST_MOVES: usize = 512;

/// Number of random turns after a state by which its prospects are measured, and their maximum number of events.
const SAMPLES: usize = 12;
const LONGEST_SAMPLE: usize = 100;

/// Number of random continuations of a turn that was not explored to its end.
const ENDINGS: usize = 24;

/// The best game of a goal so far.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) goal: Goal,
    pub(super) value: Option<i64>,
    pub(super) moves: Vec<u64>,
    /// A value that no game exceeds, if one is known.
    pub(super) bound: Option<i64>,
}

impl Best {
    pub(super) fn is_reached(&self) -> bool {
        self.value.is_some() && self.value == self.bound
    }

    /// Is this value better than the best so far?
    fn improves(&self, value: i64) -> bool {
        self.value.is_none_or(|best| self.goal.extreme.worth(value) > self.goal.extreme.worth(best))
    }
}

impl Goal {
    /// Returns the value of a finished game, or the value so far.
    pub(super) fn value(&self, state: &State) -> Option<i64> {
        Some(match self.quantity {
            ExtremeQuantity::Score => state.score(Seat(self.seat.unwrap_or(0))).ok()?,
            ExtremeQuantity::Turns => state.turns() as i64,
            ExtremeQuantity::Rolls => state.rolls() as i64,
            ExtremeQuantity::Decisions => state.decisions() as i64,
        })
    }
}

/// A search for the best games of several goals. Every game that ends counts for all of them.
pub(super) struct ExtremeSearch<'a, 'm> {
    pub(super) rules: &'a EndRules,
    pub(super) start: &'a State,
    pub(super) bests: Vec<Best>,
    pub(super) stream: Stream,
    pub(super) meter: &'a mut CountMeter<'m>,
    /// Number of finished games.
    pub(super) games: u64,
    /// The moves of the states of a run: the entry before, and the move.
    trail: Vec<(u32, u64)>,
}

/// A state with its place in the trail.
#[derive(Clone)]
struct SequenceNode {
    state: State,
    trail: u32,
}

/// A state at the end of a turn, with its rank.
struct Ranked {
    worth: i64,
    tie: u64,
    node: SequenceNode,
}

impl<'a, 'm> ExtremeSearch<'a, 'm> {
    pub(super) fn new(
        rules: &'a EndRules,
        start: &'a State,
        bests: Vec<Best>,
        seed: u64,
        meter: &'a mut CountMeter<'m>,
    ) -> Self {
        let stream = Stream::new(seed, 0, 0);
        ExtremeSearch { rules, start, bests, stream, meter, games: 0, trail: vec![] }
    }

    /// Searches for a goal until `budget` positions are used up or its bound is reached.
    pub(super) fn run(&mut self, goal: usize, budget: u64) {
        let begin = self.meter.used;
        let share = |part: u64| begin.saturating_add(budget / 100 * part);
        let of = self.bests[goal].goal;
        if of.quantity != ExtremeQuantity::Score && of.extreme == Extreme::Most {
            let mut nodes = 4_000;
            while self.goes_on(goal, share(40)) {
                self.plunge(goal, nodes, share(40));
                nodes = nodes.saturating_add(nodes / 2);
            }
        }
        let mut width = 4;
        let mut before = u64::MAX;
        while self.goes_on(goal, share(70)) && before != self.meter.used && width <= 4_096 {
            before = self.meter.used;
            self.beam(goal, width, share(70));
            width *= 4;
        }
        self.anneal(goal, share(100));
    }

    fn goes_on(&self, goal: usize, until: u64) -> bool {
        self.meter.goes_on() && self.meter.used < until && !self.bests[goal].is_reached()
    }

    fn root(&mut self) -> SequenceNode {
        self.trail.clear();
        self.trail.push((0, 0));
        SequenceNode { state: self.start.clone(), trail: 0 }
    }

    /// Applies a move to a copy of a node.
    fn child(&mut self, node: &SequenceNode, step: u64) -> Option<SequenceNode> {
        let mut state = node.state.clone();
        self.meter.take(1);
        if !self.rules.apply(&mut state, step) {
            return None;
        }
        let trail = self.trail.len() as u32;
        self.trail.push((node.trail, step));
        Some(SequenceNode { state, trail })
    }

    fn moves_of(&self, trail: u32) -> Vec<u64> {
        let mut moves = vec![];
        let mut at = trail;
        while at != 0 {
            let (before, step) = self.trail[at as usize];
            moves.push(step);
            at = before;
        }
        moves.reverse();
        moves
    }

    /// Counts a finished game for every goal.
    fn offer(&mut self, state: &State, moves: impl FnOnce(&Self) -> Vec<u64>) {
        self.games += 1;
        let better: Vec<(usize, i64)> = self
            .bests
            .iter()
            .enumerate()
            .filter_map(|(at, best)| {
                let value = best.goal.value(state)?;
                best.improves(value).then_some((at, value))
            })
            .collect();
        if !better.is_empty() {
            let moves = moves(self);
            for (at, value) in better {
                (self.bests[at].value, self.bests[at].moves) = (Some(value), moves.clone());
            }
        }
    }

    fn offer_node(&mut self, node: &SequenceNode) {
        let trail = node.trail;
        self.offer(&node.state, |of| of.moves_of(trail));
    }

    /// Keeps the best states at the end of each turn.
    fn beam(&mut self, goal: usize, width: usize, until: u64) {
        let mut front = vec![self.root()];
        let mut seen: HashSet<u64> = HashSet::new();
        let each = until.saturating_sub(self.meter.used);
        let cap = (each / 64).clamp(500, 40_000) as usize;
        while !front.is_empty() && self.goes_on(goal, until) {
            let mut ranked: Vec<Ranked> = vec![];
            for node in front {
                if !self.goes_on(goal, until) {
                    break;
                }
                self.turn_ends(goal, node, cap, &mut seen, &mut ranked);
            }
            ranked.sort_unstable_by_key(|one| (std::cmp::Reverse(one.worth), one.tie));
            ranked.truncate(width);
            front = ranked.into_iter().map(|one| one.node).collect();
        }
    }

    /// Explores a turn breadth first, and adds the states after it.
    fn turn_ends(
        &mut self,
        goal: usize,
        node: SequenceNode,
        cap: usize,
        seen: &mut HashSet<u64>,
        ranked: &mut Vec<Ranked>,
    ) {
        let turn = node.state.turns();
        let mut inside: HashSet<u64> = HashSet::new();
        let mut open = VecDeque::from([node]);
        // Chance comes after all decisions: it has more outcomes, and a turn can often be ended without more of it.
        let mut later = VecDeque::new();
        let mut opened = 0;
        while let Some(node) = open.pop_front().or_else(|| later.pop_front()) {
            if opened >= cap || !self.meter.goes_on() {
                open.push_back(node);
                break;
            }
            for step in self.rules.some_moves(&node.state, MOST_MOVES, &mut self.stream) {
                opened += 1;
                let Some(next) = self.child(&node, step) else { continue };
                if next.state.is_over() {
                    self.offer_node(&next);
                } else if next.state.turns() > turn {
                    self.rank(goal, next, seen, ranked);
                } else if inside.insert(self.rules.key(&next.state)) {
                    if next.state.is_chance() { later.push_back(next) } else { open.push_back(next) }
                }
            }
            if self.bests[goal].is_reached() {
                return;
            }
        }
        // The rest of a long turn is played at random.
        open.append(&mut later);
        for _ in 0..ENDINGS.min(open.len()) {
            let at = self.stream.random_range(0..open.len() as u64) as usize;
            let Some(mut node) = open.swap_remove_back(at) else { break };
            for _ in 0..MOST_EVENTS {
                if node.state.is_over() || node.state.turns() > turn || !self.meter.goes_on() {
                    break;
                }
                let Some(step) = self.rules.random_move(&node.state, &mut self.stream) else { break };
                let Some(next) = self.child(&node, step) else { break };
                node = next;
            }
            if node.state.is_over() {
                self.offer_node(&node);
            } else if node.state.turns() > turn {
                self.rank(goal, node, seen, ranked);
            }
        }
    }

    fn rank(&mut self, goal: usize, node: SequenceNode, seen: &mut HashSet<u64>, ranked: &mut Vec<Ranked>) {
        if !seen.insert(self.rules.key(&node.state)) {
            return;
        }
        let of = self.bests[goal].goal;
        let Some(value) = of.value(&node.state) else { return };
        let worth = match (of.quantity, of.extreme) {
            (ExtremeQuantity::Score, _) => of.extreme.worth(value),
            // All have the same turns: what counts is how near the end is.
            (_, Extreme::Least) => -distance_to_end(&node.state) - value,
            (_, Extreme::Most) => (value << 8) + self.survivors(&node.state),
        };
        ranked.push(Ranked { worth, tie: self.stream.random(), node });
    }

    /// Returns how many of some random next turns don't end the game.
    fn survivors(&mut self, state: &State) -> i64 {
        let mut survivors = 0;
        for _ in 0..SAMPLES {
            let mut next = state.clone();
            let turn = next.turns();
            for _ in 0..LONGEST_SAMPLE {
                if next.is_over() || next.turns() > turn {
                    break;
                }
                let Some(step) = self.rules.random_move(&next, &mut self.stream) else { break };
                self.meter.take(1);
                if !self.rules.apply(&mut next, step) {
                    break;
                }
            }
            survivors += i64::from(!next.is_over());
        }
        survivors
    }

    /// Goes as deep as possible, and back where every way ends.
    fn plunge(&mut self, goal: usize, nodes: u64, until: u64) {
        let root = self.root();
        let until = until.min(self.meter.used.saturating_add(nodes));
        let mut seen: HashSet<u64> = HashSet::from([self.rules.key(&root.state)]);
        let moves = self.rules.some_moves(&root.state, MOST_MOVES, &mut self.stream);
        let mut path = vec![(root, moves)];
        while self.goes_on(goal, until) {
            let depth = path.len();
            let Some((node, moves)) = path.last_mut() else { return };
            let Some(step) = moves.pop() else {
                path.pop();
                continue;
            };
            let node = node.clone();
            let Some(next) = self.child(&node, step) else { continue };
            if next.state.is_over() {
                self.offer_node(&next);
            } else if depth < MOST_EVENTS && seen.insert(self.rules.key(&next.state)) {
                let moves = self.rules.some_moves(&next.state, MOST_MOVES, &mut self.stream);
                path.push((next, moves));
            }
        }
    }

    /// Plays on at random. Returns the finished game with the moves added, or `None` if it is too long.
    pub(super) fn finish(&mut self, mut state: State, moves: &mut Vec<u64>) -> Option<State> {
        while !state.is_over() {
            if moves.len() >= MOST_EVENTS || !self.meter.take(1) {
                return None;
            }
            let step = self.rules.random_move(&state, &mut self.stream)?;
            if !self.rules.apply(&mut state, step) {
                return None;
            }
            moves.push(step);
        }
        Some(state)
    }

    /// Changes one move of a game and keeps the rest where possible; accepts games that are not much worse.
    fn anneal(&mut self, goal: usize, until: u64) {
        const CYCLE: u64 = 4_000;
        let extreme = self.bests[goal].goal.extreme;
        let (mut now, mut worth) = (vec![], 0i64);
        let mut round = 0u64;
        while self.goes_on(goal, until) {
            if round.is_multiple_of(CYCLE)
                && let Some(best) = self.bests[goal].value
            {
                now.clone_from(&self.bests[goal].moves);
                worth = extreme.worth(best);
            }
            round += 1;
            let mut moves = vec![];
            let Some(state) = self.varied(&now, &mut moves) else { continue };
            let Some(value) = self.bests[goal].goal.value(&state) else { continue };
            let kept = moves.clone();
            self.offer(&state, |_| kept);
            let scale = if now.is_empty() { 0 } else { worth.unsigned_abs().min(1 << 32) / 16 };
            let heat = (scale + 2) * (CYCLE - round % CYCLE) / CYCLE;
            let allowed = self.stream.random_range(0..=heat) as i64;
            if now.is_empty() || extreme.worth(value) >= worth - allowed {
                (now, worth) = (moves, extreme.worth(value));
            }
        }
    }

    /// Plays a variation of a game: another move somewhere, then its old moves where they are possible.
    fn varied(&mut self, game: &[u64], moves: &mut Vec<u64>) -> Option<State> {
        let mut state = self.start.clone();
        let cut = self.stream.random_range(0..=game.len() as u64) as usize;
        for step in game.iter().take(cut) {
            if state.is_over() {
                break;
            }
            if !self.rules.apply(&mut state, *step) {
                return None;
            }
            moves.push(*step);
        }
        self.meter.take(moves.len() as u64);
        // The new move replaces an old one, or comes before or instead of two.
        let mut next = cut + self.stream.random_range(0..3u64) as usize;
        let mut is_first = true;
        while !state.is_over() {
            if moves.len() >= MOST_EVENTS || !self.meter.take(1) {
                return None;
            }
            let old = game.get(next).copied().filter(|step| !is_first && is_possible(&state, *step));
            let step = match old {
                Some(step) => step,
                None => self.rules.random_move(&state, &mut self.stream)?,
            };
            if !is_first {
                next += 1;
            }
            is_first = false;
            if !self.rules.apply(&mut state, step) {
                return None;
            }
            moves.push(step);
        }
        Some(state)
    }
}

/// Is a move of another state possible here?
fn is_possible(state: &State, step: u64) -> bool {
    match state.is_chance() {
        true => step < state.chance_outcomes(),
        false => u32::try_from(step).is_ok_and(|action| state.is_legal(ActionId(action))),
    }
}
