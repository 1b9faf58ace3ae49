//! Exact values of a small game, solved over the graph of its states.
//!
//! The graph is split into strongly connected components, which are solved from the end of the game backwards. A
//! component of one state is computed directly. In a larger one, where a player may, for example, roll forever,
//! values are iterated until they converge. Depends on the engine's states.

mod graph;
mod merge;
mod size;

pub use graph::StateTable;
pub use graph::{GraphLimits, TooLarge};
pub use merge::Merging;
pub use size::is_surely_larger;

use crate::{ActionId, Game, State};
use graph::{Graph, NodeIndex, NodeKind};
use houserule_base::interrupt;

/// Convergence threshold: the largest change of a value in an iteration, relative to the scale of the values.
const SETTLED: f64 = 1e-13;

/// Maximum number of iterations over a component. Beyond it, [`solve`] returns an error.
const MOST_ROUNDS: u32 = 1_000_000;

/// Tolerance for ties: actions whose values differ by less, relative to the scale of the values, are equally good.
const AS_GOOD: f64 = 1e-9;

/// What a state is worth under optimal play.
#[derive(Clone, Copy, Debug)]
pub struct StateWorth<'s> {
    /// The value for each player: see [`State::worth_of_each`].
    pub values: &'s [f64],
    /// Each player's share of the win: see [`Outcome::win_shares`](crate::Outcome::win_shares). `None` if the solution keeps no
    /// shares.
    pub shares: Option<&'s [f64]>,
}

/// The value of every state of a game for each player, under optimal play.
///
/// Each player maximizes their own value. Among equal actions the values assume the first.
pub struct Solution {
    graph: Graph,
    players: usize,
    /// The rows of all states, one after the other: the values for the players, and after them their shares of the win, if
    /// these are kept.
    rows: Vec<f64>,
    /// The length of a row.
    width: usize,
    /// The largest absolute value, at least 1.
    scale: f64,
}

/// Solves a game from its start. The values are those of [`State::worth_of_each`].
pub fn solve(game: &Game, limits: &GraphLimits) -> Result<Solution, TooLarge> {
    solve_for(game, limits, None)
}

/// Like [`solve`]. Where sides have different numbers of players, the solution keeps shares of the win, too: they don't follow
/// from the values, since what a game returns counts the players who share a win, and not their sides.
pub fn solve_with_shares(game: &Game, limits: &GraphLimits) -> Result<Solution, TooLarge> {
    let model = game.model();
    let counts_sides = model.has_uneven_sides() && !game.pays();
    solve_for(game, limits, counts_sides.then(|| model.sides()))
}

/// Solves a game. With a bit for each side, the solution keeps shares of the win.
fn solve_for(game: &Game, limits: &GraphLimits, sides: Option<u32>) -> Result<Solution, TooLarge> {
    let graph = Graph::from_game(game, limits, sides)?;
    let players = game.players().max(1) as usize;
    // An endless game counts as a draw; in a one-player game it has the value of the worst end.
    let endless = if players == 1 { graph.all_end_values().reduce(f64::min).unwrap_or(0.0) } else { 0.0 };
    let scale = graph.all_end_values().fold(1.0, |most: f64, value| most.max(value.abs()));
    let mut row = vec![endless; players];
    if let Some(sides) = sides {
        row.resize(2 * players, 1.0 / f64::from(sides.count_ones().max(1)));
    }
    let (width, rows) = (row.len(), row.repeat(graph.len() as usize));
    let mut solution = Solution { graph, players, rows, width, scale };
    for group in groups(&solution.graph) {
        interrupt::check();
        solution.settle(&group)?;
    }
    Ok(solution)
}

impl Solution {
    /// The value of the start of the game for each player.
    pub fn start(&self) -> &[f64] {
        self.node_values(self.graph.root)
    }

    /// What the start of the game is worth.
    pub fn start_worth(&self) -> StateWorth<'_> {
        self.node_worth(self.graph.root)
    }

    /// The value of a state for each player, or `None` if the state can't be reached from the start.
    pub fn values(&self, state: &State) -> Option<&[f64]> {
        self.graph.node_of(state).map(|node| self.node_values(node))
    }

    /// What a state is worth, or `None` if it can't be reached from the start.
    pub fn worth(&self, state: &State) -> Option<StateWorth<'_>> {
        self.graph.node_of(state).map(|node| self.node_worth(node))
    }

    /// The number of states, including chance events and ends.
    pub fn states(&self) -> u32 {
        self.graph.len()
    }

    /// Returns the optimal actions of a state; empty if it can't be reached from the start or isn't a decision.
    pub fn best_actions(&self, state: &State) -> Vec<ActionId> {
        let Some(node) = self.graph.node_of(state) else { return Vec::new() };
        let NodeKind::Decision(player) = self.graph.kind(node) else { return Vec::new() };
        let worth = |next: &NodeIndex| self.node_values(*next)[player.0 as usize];
        let next = self.graph.next(node);
        let most = next.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
        let best = Graph::actions(state).into_iter().zip(next);
        best.filter(|(_, next)| worth(next) >= most - AS_GOOD * self.scale)
            .map(|(action, _)| action)
            .collect()
    }

    /// Returns the legal actions of a state, each with what the state after it is worth; empty if the state can't be reached
    /// from the start or isn't a decision.
    pub fn action_worths(&self, state: &State) -> Vec<(ActionId, StateWorth<'_>)> {
        let Some(node) = self.graph.node_of(state) else { return Vec::new() };
        let NodeKind::Decision(_) = self.graph.kind(node) else { return Vec::new() };
        let next = self.graph.next(node).iter().map(|next| self.node_worth(*next));
        Graph::actions(state).into_iter().zip(next).collect()
    }

    fn node_values(&self, node: NodeIndex) -> &[f64] {
        &self.rows[node.0 as usize * self.width..][..self.players]
    }

    fn node_worth(&self, node: NodeIndex) -> StateWorth<'_> {
        let row = &self.rows[node.0 as usize * self.width..][..self.width];
        let (values, shares) = row.split_at(self.players);
        StateWorth { values, shares: (!shares.is_empty()).then_some(shares) }
    }

    /// Computes the values of a component. The values of its other successors must be known.
    fn settle(&mut self, group: &[NodeIndex]) -> Result<(), TooLarge> {
        let alone = matches!(group, [one] if !self.graph.next(*one).contains(one));
        if alone {
            self.update(group[0]);
            return Ok(());
        }
        for _ in 0..MOST_ROUNDS {
            interrupt::check();
            let change = group.iter().map(|node| self.update(*node)).fold(0.0, f64::max);
            if change < SETTLED * self.scale {
                return Ok(());
            }
        }
        Err(TooLarge::Unsettled)
    }

    /// Computes the row of a node from its successors, and returns the largest change.
    fn update(&mut self, node: NodeIndex) -> f64 {
        let width = self.width;
        let next = self.graph.next(node);
        let at = node.0 as usize * width;
        let mut change: f64 = 0.0;
        let mut set = |rows: &mut [f64], column: usize, value: f64| {
            change = change.max((rows[at + column] - value).abs());
            rows[at + column] = value;
        };
        match self.graph.kind(node) {
            NodeKind::Over(end) => {
                for (column, value) in self.graph.end_row(end).iter().enumerate().take(width) {
                    set(&mut self.rows, column, *value);
                }
            }
            NodeKind::Chance => {
                let times = self.graph.times(node);
                let all: f64 = times.iter().map(|times| f64::from(*times)).sum();
                for column in 0..width {
                    let value = |n: &NodeIndex| self.rows[n.0 as usize * width + column];
                    let sum: f64 =
                        next.iter().zip(times).map(|(n, times)| value(n) * f64::from(*times)).sum();
                    set(&mut self.rows, column, sum / all.max(1.0));
                }
            }
            NodeKind::Decision(chooser) => {
                // Shares of the win follow from what is chosen for its value.
                let worth = |n: &NodeIndex| self.rows[n.0 as usize * width + chooser.0 as usize];
                let Some(first) = next.first() else { return 0.0 };
                let best =
                    next[1..].iter().fold(first, |best, n| if worth(n) > worth(best) { n } else { best });
                let best = best.0 as usize * width;
                for column in 0..width {
                    let value = self.rows[best + column];
                    set(&mut self.rows, column, value);
                }
            }
        }
        change
    }
}

/// Returns the strongly connected components of a graph, each after all that are reachable from it (Tarjan's
/// algorithm). Uses an explicit stack, because a game can be a million states deep.
fn groups(graph: &Graph) -> Vec<Vec<NodeIndex>> {
    const NEW: u32 = u32::MAX;
    let n = graph.len() as usize;
    let (mut order, mut low, mut on_stack) = (vec![NEW; n], vec![0u32; n], vec![false; n]);
    let (mut stack, mut path, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut time = 0;
    path.push((graph.root, 0usize));
    while let Some((node, branch)) = path.pop() {
        let at = node.0 as usize;
        if branch == 0 {
            (order[at], low[at], on_stack[at]) = (time, time, true);
            time += 1;
            stack.push(node);
        }
        if let Some(next) = graph.next(node).get(branch) {
            path.push((node, branch + 1));
            let to = next.0 as usize;
            if order[to] == NEW {
                path.push((*next, 0));
            } else if on_stack[to] {
                low[at] = low[at].min(order[to]);
            }
            continue;
        }
        if low[at] == order[at] {
            let from = stack.iter().rposition(|n| *n == node).unwrap_or(0);
            let group = stack.split_off(from);
            group.iter().for_each(|n| on_stack[n.0 as usize] = false);
            all.push(group);
        }
        if let Some((parent, _)) = path.last() {
            let parent = parent.0 as usize;
            low[parent] = low[parent].min(low[at]);
        }
    }
    all
}
