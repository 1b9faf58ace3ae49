//! The extremes that players can force while chance works against them: minimax over positions, in which the players
//! choose for the extreme and chance against it.
//!
//! Scores: the set of positions from which a score can be forced grows backwards from the ends, the best score first
//! (attractors of reachability games). Lengths: one side hurries to an end and the other delays it; Dijkstra's algorithm for
//! such games (Khachiyan et al. 2008, <https://doi.org/10.1007/s00224-007-9025-6>). If not all positions are known,
//! both are computed twice: as if the unknown ones were as good as possible, and as bad.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::positions::Positions;

/// The value of a position that players can't force to an end, or that is unknown and as bad as possible.
const NEVER: i64 = i64::MIN;

/// The value of unknown positions that are as good as possible.
pub(super) const ANY: i64 = i64::MAX;

/// What can be forced from each position, and the edges by which both sides play.
pub(super) struct Forced {
    values: Vec<i64>,
    choices: Vec<u32>,
}

impl Forced {
    fn new(all: &Positions) -> Forced {
        Forced { values: vec![NEVER; all.len() as usize], choices: vec![u32::MAX; all.len() as usize] }
    }

    /// Returns the value of the start; `None` if no end can be forced from there.
    pub(super) fn start(&self) -> Option<i64> {
        Some(self.values[0]).filter(|value| *value != NEVER)
    }

    /// Returns the moves of the game in which both sides play best, from the start to an end or to an unknown position.
    pub(super) fn best_line(&self, all: &Positions) -> Vec<(u32, u32)> {
        let (mut way, mut at) = (vec![], 0);
        while let Some(edge) = all.edges(at).get(self.choices[at as usize] as usize) {
            way.push((at, edge.step));
            at = edge.to;
        }
        way
    }
}

/// The edges that lead to each position: its position and its index there.
struct EdgesBefore {
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl EdgesBefore {
    fn new(all: &Positions) -> EdgesBefore {
        let mut first = vec![0u32; all.len() as usize + 1];
        for at in 0..all.len() {
            all.edges(at).iter().for_each(|edge| first[edge.to as usize + 1] += 1);
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut edges = vec![(0, 0); *first.last().unwrap_or(&0) as usize];
        for at in 0..all.len() {
            for (index, edge) in (0..).zip(all.edges(at)) {
                let slot = &mut next[edge.to as usize];
                edges[*slot as usize] = (at, index);
                *slot += 1;
            }
        }
        EdgesBefore { first, edges }
    }

    fn to(&self, at: u32) -> &[(u32, u32)] {
        let at = at as usize;
        &self.edges[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

/// Returns the worth that players can force. `worth` is that of an end, `None` if it has none; more is better. With
/// `hopeful`, unknown positions are worth [`ANY`].
pub(super) fn scores(all: &Positions, worth: &dyn Fn(u32) -> Option<i64>, hopeful: bool) -> Forced {
    let before = EdgesBefore::new(all);
    let mut found = Forced::new(all);
    let mut open: Vec<u32> = (0..all.len()).map(|at| all.edges(at).len() as u32).collect();
    let mut ends: Vec<(i64, u32)> =
        (0..all.len()).filter_map(|at| Some((known_worth(all, worth, hopeful, at)?, at))).collect();
    ends.sort_unstable_by_key(|(worth, at)| (Reverse(*worth), *at));
    let mut stack = vec![];
    for (worth, end) in ends {
        found.values[end as usize] = worth;
        stack.push(end);
        while let Some(at) = stack.pop() {
            for (from, edge) in before.to(at) {
                let here = *from as usize;
                open[here] -= 1;
                // Chance keeps from it as long as it has another way.
                if found.values[here] != NEVER || all.is_chance(*from) && open[here] > 0 {
                    continue;
                }
                found.values[here] = worth;
                found.choices[here] = *edge;
                stack.push(*from);
            }
        }
    }
    found
}

fn known_worth(all: &Positions, worth: &dyn Fn(u32) -> Option<i64>, hopeful: bool, at: u32) -> Option<i64> {
    match (all.is_over(at), all.is_expanded(at)) {
        (true, _) => worth(at),
        (false, false) => hopeful.then_some(ANY),
        (false, true) => None,
    }
}

/// Returns the number of turns (0), rolls (1) or decisions (2) to an end, if one side hurries and the other delays.
/// `chance_hurries` says which. From a position without a value, the side that delays can go on for ever. With `near`, unknown
/// positions are ends, else no end can be reached from them.
pub(super) fn lengths(all: &Positions, of: usize, chance_hurries: bool, near: bool) -> Forced {
    let before = EdgesBefore::new(all);
    let mut found = Forced::new(all);
    let mut open: Vec<u32> = (0..all.len()).map(|at| all.edges(at).len() as u32).collect();
    // Lengths with the position and the edge by which it has it.
    let mut queue: BinaryHeap<Reverse<(i64, u32, u32)>> = (0..all.len())
        .filter(|at| all.is_over(*at) || near && !all.is_expanded(*at))
        .map(|at| Reverse((0, at, u32::MAX)))
        .collect();
    while let Some(Reverse((length, at, edge))) = queue.pop() {
        if found.values[at as usize] != NEVER {
            continue;
        }
        found.values[at as usize] = length;
        found.choices[at as usize] = edge;
        for (from, edge) in before.to(at) {
            let gain = |edge: u32| i64::from(all.edges(*from)[edge as usize].gain[of]);
            let hurries = all.is_chance(*from) == chance_hurries;
            open[*from as usize] -= 1;
            if hurries {
                queue.push(Reverse((length + gain(*edge), *from, *edge)));
            } else if open[*from as usize] == 0 {
                let longest = (0..).zip(all.edges(*from));
                let longest =
                    longest.map(|(index, way)| (found.values[way.to as usize] + gain(index), index));
                queue.extend(longest.max().map(|(length, index)| Reverse((length, *from, index))));
            }
        }
    }
    found
}
