//! The positions that a game can reach, merged where they are equal, and the ways between them. Depends on the moves
//! of a game; independent of what is sought.

use super::meter::CountMeter;
use super::rules::EndRules;
use houserule_game::State;
use houserule_game::solve::StateTable;

/// Maximum memory of positions and edges, in bytes.
const MOST_BYTES: u64 = 768 << 20;

/// Maximum number of outcomes of a chance event that are listed.
pub(super) const MOST_OUTCOMES: u64 = 100_000;

/// A way from a position to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) to: u32,
    /// The index of the move among those of the position.
    pub(super) step: u32,
    /// What it adds to turns, rolls and decisions.
    pub(super) gain: [u8; 3],
}

/// The positions in the order in which they were found, breadth first.
pub(super) struct Positions {
    table: StateTable,
    over: Vec<bool>,
    /// Chance acts.
    chance: Vec<bool>,
    /// Start of the edges of each expanded position, then their end.
    first: Vec<u32>,
    edges: Vec<Transition>,
    /// The position from which each was found first.
    parents: Vec<(u32, u32)>,
    /// Every position was expanded.
    pub(super) complete: bool,
}

/// A state from which moves are tried, and one for its successors.
pub(super) struct Stepper<'r> {
    rules: &'r EndRules,
    pub(super) here: State,
    pub(super) after: State,
}

impl<'r> Stepper<'r> {
    pub(super) fn new(rules: &'r EndRules, start: &State) -> Stepper<'r> {
        Stepper { rules, here: start.clone(), after: start.clone() }
    }

    /// Applies a move to `here`, to give `after`. Returns what it adds to turns, rolls and decisions, or `None` if the
    /// rules fail.
    pub(super) fn step(&mut self, step: u64) -> Option<[u64; 3]> {
        self.after.restore_copy(&self.here);
        let before = counts(&self.here);
        let done = self.rules.apply(&mut self.after, step);
        let now = counts(&self.after);
        done.then(|| [0, 1, 2].map(|of| now[of].saturating_sub(before[of])))
    }
}

/// Returns the numbers of turns, rolls and decisions.
pub(super) fn counts(state: &State) -> [u64; 3] {
    [state.turns(), state.rolls(), state.decisions()]
}

impl Positions {
    /// Explores from a state, at most this number of positions.
    pub(super) fn explore(
        rules: &EndRules,
        start: &State,
        most: u32,
        meter: &mut CountMeter<'_>,
    ) -> Positions {
        let mut found = Positions {
            table: StateTable::new(start.persistent().len()),
            over: vec![start.is_over()],
            chance: vec![start.is_chance()],
            first: vec![],
            edges: vec![],
            parents: vec![(0, 0)],
            complete: false,
        };
        found.table.insert(start.persistent());
        let mut stepper = Stepper::new(rules, start);
        let mut at = 0;
        while at < found.table.len() {
            if found.table.len() > most || found.bytes() > MOST_BYTES {
                found.first.push(found.edges.len() as u32);
                return found;
            }
            found.first.push(found.edges.len() as u32);
            if !found.over[at as usize] {
                stepper.here.restore(found.table.words(at));
                let moves = rules.moves(&stepper.here, MOST_OUTCOMES);
                let Some(moves) = moves.filter(|moves| meter.take(moves.len() as u64 + 1)) else {
                    // This position is not expanded.
                    return found;
                };
                for (index, step) in (0..).zip(moves) {
                    let Some(gain) = stepper.step(step) else { continue };
                    if gain.iter().any(|n| *n > u64::from(u8::MAX)) {
                        return found;
                    }
                    let gain = gain.map(|n| n as u8);
                    let to = found.table.insert(stepper.after.persistent());
                    if to as usize == found.over.len() {
                        found.over.push(stepper.after.is_over());
                        found.chance.push(stepper.after.is_chance());
                        found.parents.push((at, index));
                    }
                    let same = |edge: &Transition| edge.to == to && edge.gain == gain;
                    let from = found.first.last().map_or(0, |first| *first as usize);
                    if !found.edges[from..].last().is_some_and(same) {
                        found.edges.push(Transition { to, step: index, gain });
                    }
                }
            }
            at += 1;
        }
        found.complete = true;
        found.first.push(found.edges.len() as u32);
        found
    }

    fn bytes(&self) -> u64 {
        let words = self.table.bytes();
        words + self.edges.len() as u64 * 18 + self.over.len() as u64 * 16
    }

    /// Returns the number of positions found.
    pub(super) fn len(&self) -> u32 {
        self.table.len()
    }

    pub(super) fn is_over(&self, at: u32) -> bool {
        self.over[at as usize]
    }

    pub(super) fn is_chance(&self, at: u32) -> bool {
        self.chance[at as usize]
    }

    /// Are all ways on from a position known?
    pub(super) fn is_expanded(&self, at: u32) -> bool {
        (at as usize) + 1 < self.first.len()
    }

    pub(super) fn words(&self, at: u32) -> &[u64] {
        self.table.words(at)
    }

    /// Returns the ways on from a position; none if it was not expanded.
    pub(super) fn edges(&self, at: u32) -> &[Transition] {
        let at = at as usize;
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(first), Some(end)) => &self.edges[*first as usize..*end as usize],
            _ => &[],
        }
    }

    /// Returns the moves by which a position was found first: each with its position.
    pub(super) fn way_to(&self, at: u32) -> Vec<(u32, u32)> {
        let mut way = vec![];
        let mut at = at;
        while at != 0 {
            let (from, step) = self.parents[at as usize];
            way.push((from, step));
            at = from;
        }
        way.reverse();
        way
    }

    /// Returns the moves of a way, which is a list of positions with the index of a move in each.
    pub(super) fn moves(&self, rules: &EndRules, start: &State, way: &[(u32, u32)]) -> Option<Vec<u64>> {
        let mut here = start.clone();
        way.iter()
            .map(|(at, step)| {
                here.restore(self.table.words(*at));
                rules.moves(&here, MOST_OUTCOMES)?.get(*step as usize).copied()
            })
            .collect()
    }
}
