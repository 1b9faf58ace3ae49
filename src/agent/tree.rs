//! The search tree: visits and values of actions.
//!
//! Depends on action ids and player values; independent of games.

use super::outcomes::Outcomes;
use super::places::EdgePlaces;
use crate::rng::Stream;

/// A position in which a player chooses.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    /// The number of edges that may be tried, the first ones.
    pub(crate) width: u32,
    /// Whether the node is widened progressively.
    pub(crate) wide: bool,
    /// Whether the gains of the edges are computed.
    pub(crate) ranked: bool,
    /// The value for each player under optimal play, if solved.
    pub(crate) solved: Option<Box<[f64]>>,
}

/// An action that has been legal in a position.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) action: u32,
    /// The number of visits.
    pub(crate) visits: u32,
    /// The number of visits of the node in which the action was legal.
    pub(crate) available: u32,
    /// The value of `Tree::legal_sets` when the action was last legal.
    legal_in: u32,
    /// The immediate gain.
    pub(crate) gain: f32,
    /// The sum of the values for the player who chooses.
    pub(crate) total: f64,
    /// The child node, if the action always leads to the same position.
    pub(crate) child: Option<u32>,
}

impl Edge {
    pub(crate) fn new(action: u32) -> Edge {
        Edge { action, visits: 0, available: 0, legal_in: 0, gain: 0.0, total: 0.0, child: None }
    }

    /// The mean value.
    pub(crate) fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

/// A search tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) outcomes: Outcomes,
    /// The number of edges of all nodes.
    edges: usize,
    /// The number of calls of [`Tree::set_legal`].
    legal_sets: u32,
    places: EdgePlaces,
}

/// Maximum memory of a tree, in bytes. A full tree stops growing; its edges are still searched.
const MOST_BYTES: usize = 512 << 20;

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.outcomes.clear();
        self.edges = 0;
    }

    /// Returns `true` if the tree has reached its maximum memory.
    pub(crate) fn is_full(&self) -> bool {
        let nodes = self.nodes.len() * size_of::<Node>() + self.outcomes.bytes();
        nodes + self.edges * size_of::<Edge>() > MOST_BYTES
    }

    /// Adds a node with the actions in this order.
    pub(crate) fn add(&mut self, actions: &[u32]) -> u32 {
        let edges = actions.iter().copied().map(Edge::new).collect();
        let width = actions.len() as u32;
        self.edges += actions.len();
        self.nodes.push(Node { edges, width, wide: false, ranked: false, solved: None });
        (self.nodes.len() - 1) as u32
    }

    /// Adds a node to be widened, without its actions: they are filled in at the next visit.
    pub(crate) fn add_wide(&mut self) -> u32 {
        self.nodes.push(Node { edges: vec![], width: 0, wide: true, ranked: false, solved: None });
        (self.nodes.len() - 1) as u32
    }

    /// Gives a node from [`Tree::add_wide`] its actions, in this order.
    pub(crate) fn fill(&mut self, node: u32, actions: &[u32]) {
        self.edges += actions.len();
        self.nodes[node as usize].edges.extend(actions.iter().copied().map(Edge::new));
    }

    /// Widens a node until `width` of its edges may be tried, each time by the edge with the greatest `measure`.
    pub(crate) fn widen(&mut self, node: u32, width: u32, measure: impl Fn(&Edge) -> f32) {
        let Node { edges, width: now, .. } = &mut self.nodes[node as usize];
        while *now < width.min(edges.len() as u32) {
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

    /// Removes everything but the statistics of the root's actions.
    pub(crate) fn keep_root(&mut self) {
        self.outcomes.clear();
        self.nodes.truncate(1);
        self.edges = self.nodes[0].edges.len();
        self.nodes[0].solved = None;
        self.nodes[0].edges.iter_mut().for_each(|edge| edge.child = None);
    }

    /// Appends edges for the `actions` that a node lacks, in random order, and counts all of them as available.
    /// Returns the index of the first new edge.
    pub(crate) fn set_legal(&mut self, node: u32, actions: &mut [u32], stream: &mut Stream) -> usize {
        self.legal_sets += 1;
        let legal_sets = self.legal_sets;
        let edges = &mut self.nodes[node as usize].edges;
        let known = edges.len();
        shuffle(actions, stream);
        self.places.find_or_add(
            edges,
            actions,
            |edge| edge.action,
            Edge::new,
            |edge| (edge.available, edge.legal_in) = (edge.available + 1, legal_sets),
        );
        self.edges += edges.len() - known;
        known
    }

    /// Returns `true` if the action is legal in the position that [`Tree::set_legal`] saw last.
    pub(crate) fn is_legal(&self, edge: &Edge) -> bool {
        edge.legal_in == self.legal_sets
    }

    /// Returns the values of the position that an action leads to, if solved.
    pub(crate) fn solved(&self, edge: &Edge) -> Option<&[f64]> {
        edge.child.and_then(|child| self.nodes[child as usize].solved.as_deref())
    }

    /// Solves a position if an action wins it or all actions lead to solved positions. Returns `true` if it did.
    /// `most` is the maximum return of a game, if there is one; `player` chooses.
    pub(crate) fn solve(&mut self, node: u32, player: u32, most: Option<f64>) -> bool {
        let Node { edges, .. } = &self.nodes[node as usize];
        let mut best: Option<&[f64]> = None;
        let mut all_solved = true;
        for edge in edges {
            match self.solved(edge) {
                Some(values) => {
                    let worth = |values: &[f64]| values[player as usize];
                    if best.is_none_or(|best| worth(values) > worth(best)) {
                        best = Some(values);
                    }
                }
                None => all_solved = false,
            }
        }
        let Some(best) = best else { return false };
        if !all_solved && most.is_none_or(|most| best[player as usize] < most) {
            return false;
        }
        self.nodes[node as usize].solved = Some(best.into());
        true
    }
}

/// Shuffles actions, uniformly at random.
pub(crate) fn shuffle(actions: &mut [u32], stream: &mut Stream) {
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
