//! A search tree with priors (PUCT), whose nodes may wait for their evaluation.
//!
//! Depends on action ids and player values; independent of games.

use houserule_players::agent::{EdgePlaces, Outcomes};

/// A position, or an information set, in which a player chooses.
#[derive(Debug, Default)]
pub(super) struct PriorNode {
    pub(super) edges: Vec<PriorEdge>,
    /// Whether the priors are being computed.
    pub(super) is_waiting: bool,
    /// The value that the evaluator gave, for the player who chooses.
    pub(super) value: f64,
    /// The number of calls of [`PriorTree::set_legal`].
    legal_sets: u32,
}

/// An action that has been legal in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorEdge {
    pub(super) action: u32,
    /// The number of finished simulations.
    pub(super) visits: u32,
    /// The number of simulations that wait for their value.
    pub(super) pending: u32,
    /// The value of `PriorNode::legal_sets` when the action was last legal.
    legal_in: u32,
    /// The prior; negative before it is known.
    pub(super) prior: f32,
    /// The sum of the values for the player who chooses.
    pub(super) total: f64,
    /// The child node, if the action always leads to the same position.
    pub(super) child: Option<u32>,
}

/// A prior that isn't known yet.
const UNKNOWN: f32 = -1.0;

impl PriorEdge {
    fn new(action: u32) -> PriorEdge {
        PriorEdge { action, visits: 0, pending: 0, legal_in: 0, prior: UNKNOWN, total: 0.0, child: None }
    }
}

impl PriorNode {
    /// Returns `true` if the action is legal in the position that [`PriorTree::set_legal`] saw last.
    pub(super) fn is_legal(&self, edge: &PriorEdge) -> bool {
        edge.legal_in == self.legal_sets
    }

    /// Sets the unknown priors from those of all actions, scaled to a sum of 1 over the legal ones. If all of them are
    /// 0, they are equal.
    pub(super) fn set_priors(&mut self, priors: &[f32]) {
        let legal_sets = self.legal_sets;
        let legal = || self.edges.iter().filter(move |edge| edge.legal_in == legal_sets);
        let sum: f64 = legal().map(|edge| f64::from(priors[edge.action as usize])).sum();
        let even = 1.0 / legal().count().max(1) as f32;
        for edge in self.edges.iter_mut().filter(|edge| edge.legal_in == legal_sets && edge.prior < 0.0) {
            let prior = f64::from(priors[edge.action as usize]) / sum;
            edge.prior = if sum > 0.0 { prior as f32 } else { even };
        }
    }
}

/// How PUCT weighs values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighing {
    pub(super) exploration: f64,
    /// The value that is scaled to -1, and how much a value counts.
    pub(super) least: f64,
    pub(super) scale: f64,
}

/// Maximum memory of a tree, in bytes. A full tree stops growing; its leaves are still evaluated.
const MOST_TREE_BYTES: usize = 512 << 20;

/// A search tree with priors.
#[derive(Debug, Default)]
pub(super) struct PriorTree {
    pub(super) nodes: Vec<PriorNode>,
    pub(super) outcomes: Outcomes,
    /// The number of edges of all nodes.
    edges: usize,
    places: EdgePlaces,
}

impl PriorTree {
    /// Returns `true` if the tree has reached its maximum memory.
    pub(super) fn is_full(&self) -> bool {
        let nodes = self.nodes.len() * size_of::<PriorNode>() + self.outcomes.bytes();
        nodes + self.edges * size_of::<PriorEdge>() > MOST_TREE_BYTES
    }

    /// Adds a node that waits for its priors, with the actions in this order.
    pub(super) fn add(&mut self, actions: &[u32]) -> u32 {
        let edges = actions.iter().copied().map(PriorEdge::new).collect();
        self.edges += actions.len();
        self.nodes.push(PriorNode { edges, is_waiting: true, ..PriorNode::default() });
        (self.nodes.len() - 1) as u32
    }

    /// Makes the `actions` the legal ones of a node, and appends edges for those that it lacks. Returns `true` if the
    /// priors of all are known.
    pub(super) fn set_legal(&mut self, node: u32, actions: &[u32]) -> bool {
        let PriorNode { edges, legal_sets, .. } = &mut self.nodes[node as usize];
        *legal_sets += 1;
        let known = edges.len();
        let mut has_all = true;
        self.places.find_or_add(
            edges,
            actions,
            |edge| edge.action,
            PriorEdge::new,
            |edge| {
                edge.legal_in = *legal_sets;
                has_all &= edge.prior >= 0.0;
            },
        );
        self.edges += edges.len() - known;
        has_all
    }

    /// Returns the legal edge with the greatest upper confidence bound (PUCT). A simulation that waits counts as the
    /// least value. An action that was never tried has the mean value of its node.
    pub(super) fn pick(&self, node: u32, weighing: Weighing) -> u32 {
        let node = &self.nodes[node as usize];
        let legal = || node.edges.iter().filter(|edge| node.is_legal(edge));
        let (mut tried, mut visits, mut total) = (0, 0, 0.0);
        for edge in legal() {
            tried += edge.visits + edge.pending;
            visits += edge.visits;
            total += edge.total;
        }
        let Weighing { exploration, least, scale } = weighing;
        let scaled = |total: f64, count: f64| (total / count - least) * scale - 1.0;
        let untried = scaled(total + node.value, f64::from(visits) + 1.0);
        let factor = exploration * f64::from(tried.max(1)).sqrt();
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, edge) in node.edges.iter().enumerate() {
            if !node.is_legal(edge) {
                continue;
            }
            let count = f64::from(edge.visits + edge.pending);
            let value = match edge.visits + edge.pending {
                0 => untried,
                _ => scaled(edge.total + f64::from(edge.pending) * least, count),
            };
            let worth = value + factor * f64::from(edge.prior) / (1.0 + count);
            if worth > best.0 {
                best = (worth, at as u32);
            }
        }
        best.1
    }

    /// Removes everything but the statistics of the root's actions.
    pub(super) fn keep_root(&mut self) {
        self.outcomes.clear();
        self.nodes.truncate(1);
        self.edges = self.nodes[0].edges.len();
        self.nodes[0].edges.iter_mut().for_each(|edge| edge.child = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Weighing = Weighing { exploration: 1.0, least: -1.0, scale: 1.0 };

    fn tree(priors: &[f32]) -> PriorTree {
        let mut tree = PriorTree::default();
        let actions: Vec<u32> = (0..priors.len() as u32).collect();
        tree.add(&actions);
        tree.nodes[0].set_priors(priors);
        tree
    }

    #[test]
    fn the_greatest_prior_is_tried_first_and_a_waiting_simulation_counts_as_a_loss() {
        let mut tree = tree(&[1.0, 6.0, 3.0]);
        assert_eq!(tree.nodes[0].edges.iter().map(|edge| edge.prior).sum::<f32>(), 1.0);
        let mut picked = vec![];
        for _ in 0..3 {
            let edge = tree.pick(0, EVEN);
            tree.nodes[0].edges[edge as usize].pending += 1;
            picked.push(edge);
        }
        assert_eq!(picked, [1, 2, 0]);
    }

    #[test]
    fn good_values_are_tried_again() {
        let mut tree = tree(&[0.5, 0.5]);
        for (edge, value) in tree.nodes[0].edges.iter_mut().zip([-1.0, 1.0]) {
            (edge.visits, edge.total) = (4, 4.0 * value);
        }
        assert_eq!(tree.pick(0, EVEN), 1);
    }

    #[test]
    fn priors_without_any_weight_are_equal_and_unknown_ones_are_told() {
        let mut tree = tree(&[0.0, 0.0]);
        assert!(tree.nodes[0].edges.iter().all(|edge| edge.prior == 0.5));
        assert!(tree.set_legal(0, &[1]), "a part of the actions");
        assert_eq!(tree.pick(0, EVEN), 1, "only what is open is picked");
        assert!(!tree.set_legal(0, &[1, 7]), "a new action has no prior");
        tree.nodes[0].set_priors(&[9.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
        let priors: Vec<f32> = tree.nodes[0].edges.iter().map(|edge| edge.prior).collect();
        assert_eq!(priors, [0.5, 0.5, 0.75], "known priors stay");
    }
}
