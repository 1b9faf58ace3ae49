//! The tree of a search: what has been tried from where, and what came of it.
//!
//! Knows numbers of actions and values of players, not games.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::rng::Stream;

/// A position in which a player chooses.
#[derive(Debug)]
pub(in crate::agents) struct Node {
    pub(in crate::agents) edges: Vec<Edge>,
    /// How many of them may be tried, the first ones.
    pub(super) open: u32,
    /// Its edges are opened one by one.
    pub(super) wide: bool,
    /// The gains of its edges are known.
    pub(super) ranked: bool,
    /// What it is worth to each player under best play, once that is known.
    pub(super) solved: Option<Box<[f64]>>,
}

/// An action that has been legal in a position.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Edge {
    pub(in crate::agents) action: u32,
    /// How often it was tried.
    pub(in crate::agents) visits: u32,
    /// How often it could have been tried.
    pub(super) available: u32,
    /// When that was last so, by the count of the tree.
    opened: u32,
    /// What it gains at once.
    pub(in crate::agents) gain: f32,
    /// What came of it for who chooses, added up.
    pub(in crate::agents) total: f64,
    /// Where it leads, if that is always the same place.
    pub(super) child: Option<u32>,
}

impl Edge {
    pub(super) fn new(action: u32) -> Edge {
        Edge { action, visits: 0, available: 0, opened: 0, gain: 0.0, total: 0.0, child: None }
    }

    /// What it has been worth on average.
    pub(in crate::agents) fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

/// All that has been tried.
#[derive(Debug, Default)]
pub(in crate::agents) struct Tree {
    pub(in crate::agents) nodes: Vec<Node>,
    /// Where an action led when chance came out so: by node, edge and position.
    outcomes: HashMap<(u32, u32, u64), u32, BuildHasherDefault<Mixer>>,
    /// How many edges there are.
    edges: usize,
    /// How often positions were opened.
    openings: u32,
    /// By action, while a position is opened: the place of its edge, from 1.
    places: Vec<u32>,
}

/// Most memory of a tree, in bytes. A full tree grows no more; its edges are tried as before.
const MOST_BYTES: usize = 512 << 20;

impl Tree {
    pub(in crate::agents) fn clear(&mut self) {
        self.nodes.clear();
        self.outcomes.clear();
        self.edges = 0;
    }

    /// Whether the tree takes as much memory as it may.
    pub(in crate::agents) fn is_full(&self) -> bool {
        // An outcome takes 24 bytes in its table, and a table is half full at least.
        let nodes = self.nodes.len() * size_of::<Node>() + self.outcomes.len() * 48;
        nodes + self.edges * size_of::<Edge>() > MOST_BYTES
    }

    /// A new position, with the actions in this order.
    pub(in crate::agents) fn add(&mut self, actions: &[u32]) -> u32 {
        let edges = actions.iter().copied().map(Edge::new).collect();
        let open = actions.len() as u32;
        self.edges += actions.len();
        self.nodes.push(Node { edges, open, wide: false, ranked: false, solved: None });
        (self.nodes.len() - 1) as u32
    }

    /// A new position of many actions, which are filled in when somebody comes back to it.
    pub(super) fn add_wide(&mut self) -> u32 {
        self.nodes.push(Node { edges: vec![], open: 0, wide: true, ranked: false, solved: None });
        (self.nodes.len() - 1) as u32
    }

    /// Gives a position that was added with [`Tree::add_wide`] its actions, in this order.
    pub(super) fn fill(&mut self, node: u32, actions: &[u32]) {
        self.edges += actions.len();
        self.nodes[node as usize].edges.extend(actions.iter().copied().map(Edge::new));
    }

    /// Lets so many actions of a position be tried, the best first by a measure of those that may not yet.
    pub(super) fn widen(&mut self, node: u32, open: u32, measure: impl Fn(&Edge) -> f32) {
        let Node { edges, open: now, .. } = &mut self.nodes[node as usize];
        while *now < open.min(edges.len() as u32) {
            let rest = &mut edges[*now as usize..];
            let mut best = (f32::NEG_INFINITY, 0);
            for (at, edge) in rest.iter().enumerate() {
                let worth = measure(edge);
                if worth > best.0 {
                    best = (worth, at);
                }
            }
            rest.swap(0, best.1);
            *now += 1;
        }
    }

    /// Forgets all but what the actions of the root were worth.
    pub(in crate::agents) fn keep_root(&mut self) {
        self.outcomes.clear();
        self.nodes.truncate(1);
        self.edges = self.nodes[0].edges.len();
        self.nodes[0].solved = None;
        self.nodes[0].edges.iter_mut().for_each(|edge| edge.child = None);
    }

    /// Makes sure that a position has an edge for each of these actions, new ones in any order behind the others,
    /// and counts that they can be taken. Returns the place of the first new one.
    pub(in crate::agents) fn open(&mut self, node: u32, actions: &mut [u32], stream: &mut Stream) -> usize {
        self.openings += 1;
        let edges = &mut self.nodes[node as usize].edges;
        let known = edges.len();
        let most = edges.iter().map(|edge| edge.action).chain(actions.iter().copied()).max();
        let places = &mut self.places;
        places.resize(places.len().max(most.map_or(0, |most| most as usize + 1)), 0);
        for (place, edge) in (1..).zip(edges.iter()) {
            places[edge.action as usize] = place;
        }
        shuffle(actions, stream);
        for action in actions {
            let place = match places[*action as usize] {
                0 => {
                    edges.push(Edge::new(*action));
                    edges.len()
                }
                place => place as usize,
            };
            let edge = &mut edges[place - 1];
            (edge.available, edge.opened) = (edge.available + 1, self.openings);
        }
        for edge in &edges[..known] {
            places[edge.action as usize] = 0;
        }
        self.edges += edges.len() - known;
        known
    }

    /// Can an action be taken in the position that was opened last?
    pub(in crate::agents) fn is_open(&self, edge: &Edge) -> bool {
        edge.opened == self.openings
    }

    /// Where an action leads that can lead to several places.
    pub(in crate::agents) fn outcome(&self, node: u32, edge: u32, position: u64) -> Option<u32> {
        self.outcomes.get(&(node, edge, position)).copied()
    }

    pub(in crate::agents) fn add_outcome(&mut self, node: u32, edge: u32, position: u64, child: u32) {
        self.outcomes.insert((node, edge, position), child);
    }

    /// What the position that an action leads to is worth, if that is known.
    pub(super) fn solved(&self, edge: &Edge) -> Option<&[f64]> {
        edge.child.and_then(|child| self.nodes[child as usize].solved.as_deref())
    }

    /// Is a position solved now? It is if an action wins it, or if all lead to solved positions. `most` is
    /// the most that a game returns, where there is such a thing; `player` chooses.
    pub(super) fn solve(&mut self, node: u32, player: u32, most: Option<f64>) -> bool {
        let Node { edges, .. } = &self.nodes[node as usize];
        let mut best: Option<&[f64]> = None;
        let mut open = false;
        for edge in edges {
            match self.solved(edge) {
                Some(values) => {
                    let worth = |values: &[f64]| values[player as usize];
                    if best.is_none_or(|best| worth(values) > worth(best)) {
                        best = Some(values);
                    }
                }
                None => open = true,
            }
        }
        let Some(best) = best else { return false };
        if open && most.is_none_or(|most| best[player as usize] < most) {
            return false;
        }
        self.nodes[node as usize].solved = Some(best.into());
        true
    }
}

/// Mixes the words of a key that is as good as random already.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(29) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

/// Puts actions in any order, all with the same chance.
pub(super) fn shuffle(actions: &mut [u32], stream: &mut Stream) {
    for last in (1..actions.len()).rev() {
        actions.swap(last, stream.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_full_when_its_memory_is_used_up() {
        let mut tree = Tree::default();
        tree.add(&[1, 2, 3]);
        let node = tree.add_wide();
        tree.fill(node, &[4, 5]);
        assert_eq!((tree.edges, tree.is_full()), (5, false));
        tree.edges = MOST_BYTES / size_of::<Edge>();
        assert!(tree.is_full());
        tree.keep_root();
        assert_eq!((tree.edges, tree.is_full()), (3, false));
    }
}
