//! The search tree: visits and values of actions.
//!
//! Depends on action ids and player values; independent of games.

use std::num::NonZeroU32;

use super::outcomes::Outcomes;
use super::places::EdgePlaces;
use houserule_base::rng::Stream;

/// A position in which a player chooses.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    /// The number of edges that may be tried, the first ones; they may be missing as yet.
    pub(crate) width: u32,
    /// The number of visits of all edges.
    pub(crate) visits: u32,
    /// The number of edges that have been visited.
    pub(crate) visited: u32,
    /// The number of edges that lead to solved positions.
    solved_edges: u32,
    /// The values under optimal play, if solved.
    solved: Option<SolvedRow>,
    /// The player who chooses, if the search has set it.
    pub(crate) player: Option<u8>,
    /// Whether the node is widened progressively.
    pub(crate) wide: bool,
    /// Whether the gains of the edges are computed.
    pub(crate) ranked: bool,
}

/// A row of `Tree::solved_values`, numbered from 1.
type SolvedRow = NonZeroU32;

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
    /// The child node, if the action always leads to the same position. The root is nobody's child.
    child: Option<NonZeroU32>,
    /// The sum of the values for the player who chooses, and their mean.
    pub(crate) total: f64,
    pub(crate) mean: f64,
}

impl Edge {
    #[inline]
    pub(crate) fn new(action: u32) -> Edge {
        Edge { action, visits: 0, available: 0, legal_in: 0, gain: 0.0, child: None, total: 0.0, mean: 0.0 }
    }

    /// Returns the child node, if the action always leads to the same position.
    #[inline]
    pub(crate) fn child(&self) -> Option<u32> {
        self.child.map(NonZeroU32::get)
    }
}

impl Node {
    fn new(edges: Vec<Edge>, wide: bool) -> Node {
        let width = edges.len() as u32;
        Node {
            edges,
            width,
            visits: 0,
            visited: 0,
            solved_edges: 0,
            solved: None,
            player: None,
            wide,
            ranked: false,
        }
    }

    /// The edges that may be tried.
    #[inline]
    pub(crate) fn open(&self) -> &[Edge] {
        if self.wide { &self.edges[..self.width as usize] } else { &self.edges }
    }

    /// Returns `true` if the node has been added without its edges, and still lacks them.
    #[inline]
    pub(crate) fn lacks_edges(&self) -> bool {
        self.edges.len() < self.width as usize
    }

    /// Returns `true` if some edges lead to solved positions.
    #[inline]
    pub(crate) fn has_solved_edges(&self) -> bool {
        self.solved_edges > 0
    }

    /// Returns `true` if the position is solved.
    #[inline]
    pub(crate) fn is_solved(&self) -> bool {
        self.solved.is_some()
    }
}

/// A search tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) outcomes: Outcomes,
    /// The number of edges of all nodes, and of those that nodes lack as yet.
    edges: usize,
    /// By node, the stream that shuffles the edges that it lacks.
    orders: Vec<Stream>,
    /// The number of calls of [`Tree::set_legal`].
    legal_sets: u32,
    places: EdgePlaces,
    /// The edges of removed nodes, to be filled again.
    spare: Vec<Vec<Edge>>,
    /// The values of solved positions, a row for each: the value for each player.
    solved_values: Vec<f64>,
}

/// Maximum memory of a tree, in bytes. A full tree stops growing; its edges are still searched.
const MOST_BYTES: usize = 512 << 20;

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.remove_from(0);
        self.outcomes.clear();
        self.edges = 0;
    }

    /// Returns an empty list of edges, with the memory of a removed node if there is one.
    fn spare_edges(&mut self) -> Vec<Edge> {
        let mut edges = self.spare.pop().unwrap_or_default();
        edges.clear();
        edges
    }

    /// Removes the nodes from a number on, and all solutions.
    fn remove_from(&mut self, first: usize) {
        let removed = self.nodes.drain(first..).map(|node| node.edges);
        self.spare.extend(removed.filter(|edges| edges.capacity() > 0));
        self.orders.truncate(first);
        self.solved_values.clear();
    }

    /// Returns `true` if the tree has reached its maximum memory.
    pub(crate) fn is_full(&self) -> bool {
        let nodes = self.nodes.len() * size_of::<Node>() + self.outcomes.bytes();
        nodes + self.edges * size_of::<Edge>() > MOST_BYTES
    }

    /// Adds a node with the actions in this order.
    pub(crate) fn add(&mut self, actions: &[u32]) -> u32 {
        let mut edges = self.spare_edges();
        edges.extend(actions.iter().copied().map(Edge::new));
        self.edges += actions.len();
        self.push(Node::new(edges, false))
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.orders.push(Stream::from_words([0; 4]));
        (self.nodes.len() - 1) as u32
    }

    /// Adds a node without its edges. Draws their order at once, so that nothing else depends on whether the node is
    /// visited again: most nodes aren't.
    pub(crate) fn add_later(&mut self, actions: u32, stream: &mut Stream) -> u32 {
        self.edges += actions as usize;
        let node = self.push(Node { width: actions, ..Node::new(vec![], false) });
        self.orders[node as usize] = *stream;
        skip_shuffle(actions, stream);
        node
    }

    /// Gives a node from [`Tree::add_later`] its edges, for these actions.
    pub(crate) fn fill_later(&mut self, node: u32, actions: &mut [u32]) {
        shuffle(actions, &mut self.orders[node as usize]);
        let mut edges = self.spare_edges();
        edges.reserve(actions.len());
        for action in actions {
            edges.push(Edge::new(*action));
        }
        self.nodes[node as usize].edges = edges;
    }

    /// Adds a node to be widened, without its actions: they are filled in at the next visit.
    pub(crate) fn add_wide(&mut self) -> u32 {
        let edges = self.spare_edges();
        self.push(Node::new(edges, true))
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
        self.remove_from(1);
        let root = &mut self.nodes[0];
        self.edges = root.edges.len();
        (root.solved, root.solved_edges) = (None, 0);
        root.edges.iter_mut().for_each(|edge| edge.child = None);
    }

    /// Adds the value of a simulation to an edge.
    #[inline]
    pub(crate) fn add_value(&mut self, node: u32, edge: u32, value: f64) {
        let node = &mut self.nodes[node as usize];
        let edge = &mut node.edges[edge as usize];
        node.visits += 1;
        node.visited += u32::from(edge.visits == 0);
        edge.visits += 1;
        edge.total += value;
        edge.mean = edge.total / f64::from(edge.visits);
    }

    /// Makes a node the one child of an edge.
    pub(crate) fn set_child(&mut self, node: u32, edge: u32, child: u32) {
        self.nodes[node as usize].edges[edge as usize].child = NonZeroU32::new(child);
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

    /// Returns the value of a solved position for each of `players`.
    #[inline]
    pub(crate) fn values(&self, node: u32, players: usize) -> Option<&[f64]> {
        let row = self.nodes[node as usize].solved?.get() as usize;
        Some(&self.solved_values[(row - 1) * players..row * players])
    }

    /// Returns the values of the position that an action leads to, if solved.
    #[inline]
    pub(crate) fn solved(&self, edge: &Edge, players: usize) -> Option<&[f64]> {
        self.values(edge.child()?, players)
    }

    /// Notes that a position is solved, with its value for each player.
    pub(crate) fn set_solved(&mut self, node: u32, values: &[f64]) {
        self.solved_values.extend_from_slice(values);
        let rows = self.solved_values.len() / values.len().max(1);
        self.nodes[node as usize].solved = NonZeroU32::new(rows as u32);
    }

    /// Solves a position, of whose edges one more leads to a solved position, if that action wins it or all actions
    /// lead to solved positions. Returns `true` if it did. `most` is the maximum return of a game, if there is one;
    /// `player` chooses.
    pub(crate) fn solve(&mut self, node: u32, player: u32, players: usize, most: Option<f64>) -> bool {
        self.nodes[node as usize].solved_edges += 1;
        let Node { edges, solved_edges, .. } = &self.nodes[node as usize];
        let mut best: Option<&[f64]> = None;
        for values in edges.iter().filter_map(|edge| self.solved(edge, players)) {
            if best.is_none_or(|best| values[player as usize] > best[player as usize]) {
                best = Some(values);
            }
        }
        let Some(best) = best else { return false };
        let all_solved = *solved_edges as usize == edges.len();
        if !all_solved && most.is_none_or(|most| best[player as usize] < most) {
            return false;
        }
        let best = best.to_vec();
        self.set_solved(node, &best);
        true
    }
}

/// Shuffles actions, uniformly at random.
pub(crate) fn shuffle(actions: &mut [u32], stream: &mut Stream) {
    for last in (1..actions.len()).rev() {
        actions.swap(last, stream.below(last as u64 + 1) as usize);
    }
}

/// Draws what [`shuffle`] draws for as many actions.
fn skip_shuffle(actions: u32, stream: &mut Stream) {
    for _ in 1..actions {
        stream.next_word();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_the_same_at_once_and_later() {
        for count in 0..9 {
            let (mut at_once, mut later) = (Stream::new(1, 2, 3), Stream::new(1, 2, 3));
            let (mut tree, mut actions) = (Tree::default(), (0..count).collect::<Vec<u32>>());
            let node = tree.add_later(count, &mut later);
            assert_eq!((tree.edges, tree.nodes[0].lacks_edges()), (count as usize, count > 0));
            tree.fill_later(node, &mut actions.clone());
            shuffle(&mut actions, &mut at_once);
            let filled: Vec<u32> = tree.nodes[0].edges.iter().map(|edge| edge.action).collect();
            assert_eq!((filled, later), (actions, at_once));
            assert_eq!((tree.edges, tree.nodes[0].lacks_edges()), (count as usize, false));
        }
    }

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
