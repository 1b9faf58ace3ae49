//! Longest games: a way that comes back to its position can be repeated without limit; without one, the positions have
//! an order, and dynamic programming finds the longest way to an end.
//!
//! Positions that reach each other are grouped by Tarjan's algorithm (1972, <https://doi.org/10.1137/0201010>).

use std::collections::VecDeque;

use super::positions::Positions;

/// A way through positions: each with the index of a move.
pub(super) type Way = Vec<(u32, u32)>;

/// A way that returns to its position.
pub(super) struct LoopWay {
    /// The position.
    pub(super) at: u32,
    /// The moves back to it.
    pub(super) around: Way,
}

/// The longest games of completely known positions.
pub(super) enum Longest {
    /// The way of a longest game.
    Game(Way),
    /// No game ends.
    Never,
    /// Games can be as long as one likes.
    Unlimited(LoopWay),
}

/// Finds the game with the most turns (0), rolls (1) or decisions (2).
pub(super) fn longest(all: &Positions, of: usize) -> Longest {
    let ends = reach_an_end(all);
    if !ends[0] {
        return Longest::Never;
    }
    let groups = Groups::new(all);
    if let Some(found) = a_loop(all, &groups, of, |at| ends[at as usize]) {
        return Longest::Unlimited(found);
    }
    // Groups are numbered from the ends on, and within a group nothing is gained. `best` of a group is its longest rest,
    // with the position and the edge that begins it.
    let mut best: Vec<BestRest> = vec![None; groups.count as usize];
    for at in groups.order.iter().copied() {
        let group = groups.of[at as usize];
        if all.is_over(at) {
            best[group as usize] = Some((0, None));
        }
        let candidates: Vec<(u64, usize)> = all
            .edges(at)
            .iter()
            .enumerate()
            .filter(|(_, edge)| groups.of[edge.to as usize] != group)
            .filter_map(|(index, edge)| {
                let (rest, _) = best_of(&best, groups.of[edge.to as usize])?;
                Some((rest + u64::from(edge.gain[of]), index))
            })
            .collect();
        for (value, index) in candidates {
            let known = &mut best[group as usize];
            if known.is_none_or(|(most, _)| value > most) {
                *known = Some((value, Some((at, index))));
            }
        }
    }
    let mut way = vec![];
    let mut at = 0;
    loop {
        let Some((_, by)) = best[groups.of[at as usize] as usize] else { return Longest::Never };
        let Some((from, index)) = by else { break };
        way.extend(within(all, &groups, at, from));
        let edge = all.edges(from)[index];
        way.push((from, edge.step));
        at = edge.to;
    }
    Longest::Game(way)
}

/// The longest rest of a group, with the position and the edge that begins it.
type BestRest = Option<(u64, Option<(u32, usize)>)>;

fn best_of(best: &[BestRest], group: u32) -> BestRest {
    best[group as usize]
}

/// Finds a loop among the positions explored so far. `is_wanted` says whether a position can lead to an end.
pub(super) fn find_loop(all: &Positions, of: usize) -> Option<LoopWay> {
    a_loop(all, &Groups::new(all), of, |_| true)
}

fn a_loop(all: &Positions, groups: &Groups, of: usize, is_wanted: impl Fn(u32) -> bool) -> Option<LoopWay> {
    for at in 0..all.len() {
        let own = groups.of[at as usize];
        let gains =
            |edge: &&super::positions::Transition| edge.gain[of] > 0 && groups.of[edge.to as usize] == own;
        if let Some(edge) = all.edges(at).iter().find(gains).filter(|_| is_wanted(at)) {
            let mut around = vec![(at, edge.step)];
            around.extend(within(all, groups, edge.to, at));
            return Some(LoopWay { at, around });
        }
    }
    None
}

/// Returns a shortest way between two positions of a group.
fn within(all: &Positions, groups: &Groups, from: u32, to: u32) -> Way {
    let own = groups.of[from as usize];
    let mut before = std::collections::HashMap::from([(from, None)]);
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        if at == to {
            break;
        }
        for edge in all.edges(at).iter().filter(|edge| groups.of[edge.to as usize] == own) {
            before.entry(edge.to).or_insert_with(|| {
                open.push_back(edge.to);
                Some((at, edge.step))
            });
        }
    }
    let mut way = vec![];
    let mut at = to;
    while let Some(Some((from, step))) = before.get(&at) {
        way.push((*from, *step));
        at = *from;
    }
    way.reverse();
    way
}

/// Returns for each position whether it can lead to an end.
fn reach_an_end(all: &Positions) -> Vec<bool> {
    let count = all.len() as usize;
    let mut into: Vec<Vec<u32>> = vec![vec![]; count];
    for at in 0..all.len() {
        all.edges(at).iter().for_each(|edge| into[edge.to as usize].push(at));
    }
    let mut reach: Vec<bool> = (0..all.len()).map(|at| all.is_over(at)).collect();
    let mut open: Vec<u32> = (0..all.len()).filter(|at| all.is_over(*at)).collect();
    while let Some(at) = open.pop() {
        for from in &into[at as usize] {
            if !reach[*from as usize] {
                reach[*from as usize] = true;
                open.push(*from);
            }
        }
    }
    reach
}

/// The groups of positions that reach each other.
struct Groups {
    /// The group of each position. A way never leads to a group with a higher number.
    of: Vec<u32>,
    count: u32,
    /// All positions, by their groups.
    order: Vec<u32>,
}

impl Groups {
    fn new(all: &Positions) -> Groups {
        const NEW: u32 = u32::MAX;
        let count = all.len() as usize;
        let (mut index, mut low) = (vec![NEW; count], vec![0u32; count]);
        let mut of = vec![NEW; count];
        let (mut next, mut groups) = (0u32, 0u32);
        let mut stack: Vec<u32> = vec![];
        let mut order = vec![];
        // Positions with the number of their edges that were followed.
        let mut path: Vec<(u32, usize)> = vec![];
        for root in 0..all.len() {
            if index[root as usize] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some((at, edge)) = path.last_mut() {
                let here = *at as usize;
                if *edge == 0 && index[here] == NEW {
                    (index[here], low[here]) = (next, next);
                    next += 1;
                    stack.push(*at);
                }
                if let Some(follow) = all.edges(*at).get(*edge) {
                    *edge += 1;
                    let to = follow.to as usize;
                    if index[to] == NEW {
                        path.push((follow.to, 0));
                    } else if of[to] == NEW {
                        low[here] = low[here].min(index[to]);
                    }
                    continue;
                }
                if low[here] == index[here] {
                    while let Some(member) = stack.pop() {
                        of[member as usize] = groups;
                        order.push(member);
                        if member as usize == here {
                            break;
                        }
                    }
                    groups += 1;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(low[here]);
                }
            }
        }
        Groups { of, count: groups, order }
    }
}
