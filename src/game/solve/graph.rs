//! The graph of the states that a game can reach.
//!
//! Nodes are decisions, chance events and ends; a state is stored only as its words. The edges of a decision keep the order
//! of its actions, and an edge takes 8 bytes. Exact odds need other edges, so they have a graph of their own, on the same
//! [`StateTable`] and [`Merging`]. Depends on the engine's states; independent of their values.

use std::fmt;

use super::merge::Merging;
use crate::{ActionId, ApplyError, Game, RuntimeError, Seat, Start, State};
use houserule_base::hash::hash;
use houserule_base::interrupt;
use houserule_base::numbers::grouped;

/// The limits of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphLimits {
    /// Maximum number of distinct states.
    pub states: u32,
    /// Maximum number of edges.
    pub steps: u32,
    /// Maximum memory for states, edges and values, in bytes.
    pub bytes: u64,
}

impl Default for GraphLimits {
    /// 8 million states, 64 million edges, 1 GiB.
    fn default() -> Self {
        GraphLimits { states: 8_000_000, steps: 64_000_000, bytes: 1 << 30 }
    }
}

/// Why a game can't be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// There are more states than this limit.
    States(u32),
    /// There are more edges than this limit.
    Steps(u32),
    /// Memory exceeds this limit, in bytes.
    Memory(u64),
    /// A chance event has this many outcomes, above the limit of edges.
    Outcomes(u64),
    /// A state ends with this error of the rules.
    Error(String),
    /// The values did not converge.
    Unsettled,
    /// The rules compare earlier positions, so a state depends on more than its words.
    Repeated,
}

impl TooLarge {
    /// Returns the reason, as a clause about the game.
    pub fn reason(&self) -> String {
        match self {
            TooLarge::States(most) => format!("it has more than {} positions", grouped(*most)),
            TooLarge::Steps(most) => {
                format!("there are more than {} ways from one of its positions to the next", grouped(*most))
            }
            TooLarge::Memory(most) => format!("it takes more than {} MiB of memory", most >> 20),
            TooLarge::Outcomes(n) => format!("a chance event has {} outcomes", grouped(*n)),
            TooLarge::Error(error) => {
                format!("one of its positions ends with an error of the rules: {error}")
            }
            TooLarge::Unsettled => "what its positions are worth was not found in time".to_owned(),
            TooLarge::Repeated => {
                "its rules ask whether a position was there before (`repeated`), so what is best depends on the whole \
                 game so far"
                    .to_owned()
            }
        }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = match self {
            TooLarge::Repeated => "Use `greedy`",
            _ => "Make the game smaller (`--set`), or use `greedy`",
        };
        write!(f, "`exact` can't solve this game: {}. {remedy}", self.reason())
    }
}

impl std::error::Error for TooLarge {}

/// Bytes for each state besides its words and values: 30 for its kind, first edge and hash table entry, 100 for
/// the strongly connected components and the search for them.
const STATE_BYTES: u64 = 130;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeIndex(pub(super) u32);

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// This player chooses one of the successors.
    Decision(Seat),
    /// One of the successors follows, with a probability in proportion to [`Graph::times`].
    Chance,
    /// The game is over. The index of its row of values: see [`Graph::end_row`].
    Over(u32),
}

/// All states that can be reached from the start of a game.
pub(super) struct Graph {
    kinds: Vec<NodeKind>,
    /// Start of each node's successors in `next`, then the end of the last.
    first: Vec<u32>,
    next: Vec<NodeIndex>,
    /// For each successor of a chance event, the number of outcomes that lead to it. 1 for other successors.
    times: Vec<u32>,
    /// The distinct rows of values of the ends.
    end_rows: Vec<Vec<f64>>,
    /// With a bit for each side if the rows have shares of the win.
    sides: Option<u32>,
    states: StateTable,
    merging: Merging,
    pub(super) root: NodeIndex,
}

impl Graph {
    pub(super) fn len(&self) -> u32 {
        self.kinds.len() as u32
    }

    pub(super) fn kind(&self, node: NodeIndex) -> NodeKind {
        self.kinds[node.0 as usize]
    }

    pub(super) fn next(&self, node: NodeIndex) -> &[NodeIndex] {
        let at = node.0 as usize;
        &self.next[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// For each successor of a chance event, the number of outcomes that lead to it.
    pub(super) fn times(&self, node: NodeIndex) -> &[u32] {
        let at = node.0 as usize;
        &self.times[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The row of values of an end: that for each player (see [`State::worth_of_each`]), and after these each player's share
    /// of the win, if the graph has them.
    pub(super) fn end_row(&self, end: u32) -> &[f64] {
        &self.end_rows[end as usize]
    }

    /// The values in the rows of all ends.
    pub(super) fn all_end_values(&self) -> impl Iterator<Item = f64> {
        self.end_rows.iter().flatten().copied()
    }

    /// Returns the node of a state, or `None` if the graph doesn't contain it.
    pub(super) fn node_of(&self, state: &State) -> Option<NodeIndex> {
        let mut state = state.clone();
        self.merging.merge(&mut state);
        self.states.find(state.persistent()).map(NodeIndex)
    }

    /// Builds the graph of a game from its start, breadth first. With a bit for each side, the ends have shares of the win.
    pub(super) fn from_game(
        game: &Game,
        limits: &GraphLimits,
        sides: Option<u32>,
    ) -> Result<Graph, TooLarge> {
        if !game.program().pasts.is_empty() {
            return Err(TooLarge::Repeated);
        }
        let start = Start { explicit_chance: true, ..Start::default() };
        let error = |error: RuntimeError| TooLarge::Error(error.to_string());
        let mut state = game.start_at(&start).map_err(error)?;
        let mut graph = Graph {
            kinds: Vec::new(),
            first: Vec::new(),
            next: Vec::new(),
            times: Vec::new(),
            end_rows: Vec::new(),
            sides,
            states: StateTable::new(state.persistent().len()),
            merging: Merging::of_dead_values(game),
            root: NodeIndex(0),
        };
        graph.merging.merge(&mut state);
        graph.states.insert(state.persistent());
        let (mut here, mut after) = (state.clone(), state);
        let mut at = 0;
        while at < graph.states.len() {
            interrupt::check();
            here.restore(graph.states.words(at));
            graph.visit(&here, &mut after, limits)?;
            at += 1;
        }
        graph.first.push(graph.next.len() as u32);
        Ok(graph)
    }

    fn visit(&mut self, here: &State, after: &mut State, limits: &GraphLimits) -> Result<(), TooLarge> {
        self.first.push(self.next.len() as u32);
        if here.is_over() {
            let mut row = here.worth_of_each().map_err(|error| TooLarge::Error(error.to_string()))?;
            if let Some(sides) = self.sides
                && let Some(outcome) = here.outcome()
            {
                row.extend(outcome.win_shares(sides));
            }
            let end = self.end_number(row);
            self.kinds.push(NodeKind::Over(end));
        } else if here.is_chance() {
            self.kinds.push(NodeKind::Chance);
            let outcomes = here.chance_outcomes();
            if outcomes > u64::from(limits.steps) {
                return Err(TooLarge::Outcomes(outcomes));
            }
            for (outcome, times) in here.distinct_outcomes() {
                after.restore_copy(here);
                self.arrive(after.apply_outcome(outcome), times as u32, after, limits)?;
            }
            self.join_successors();
        } else {
            self.kinds.push(NodeKind::Decision(here.current_player().unwrap_or(Seat(0))));
            for action in here.legal_actions() {
                after.restore_copy(here);
                self.arrive(after.apply(action), 1, after, limits)?;
            }
        }
        Ok(())
    }

    /// Joins the outcomes of the last chance event that lead to the same state.
    fn join_successors(&mut self) {
        let from = self.first.last().map_or(0, |first| *first as usize);
        let mut edges: Vec<(NodeIndex, u32)> =
            self.next.drain(from..).zip(self.times.drain(from..)).collect();
        edges.sort_unstable();
        for (next, times) in edges {
            if self.next.len() > from && self.next.last() == Some(&next) {
                let at = self.times.len() - 1;
                self.times[at] += times;
                continue;
            }
            self.next.push(next);
            self.times.push(times);
        }
    }

    fn arrive(
        &mut self,
        step: Result<(), ApplyError>,
        times: u32,
        after: &mut State,
        limits: &GraphLimits,
    ) -> Result<(), TooLarge> {
        step.map_err(|error| TooLarge::Error(error.to_string()))?;
        self.merging.merge(after);
        let number = self.states.insert(after.persistent());
        self.next.push(NodeIndex(number));
        self.times.push(times);
        if self.states.len() > limits.states {
            return Err(TooLarge::States(limits.states));
        }
        if self.next.len() > limits.steps as usize {
            return Err(TooLarge::Steps(limits.steps));
        }
        if self.bytes() > limits.bytes {
            return Err(TooLarge::Memory(limits.bytes));
        }
        Ok(())
    }

    /// Peak memory of the graph and its values, in bytes. While a list grows to twice its size, the old and the
    /// new one exist together.
    fn bytes(&self) -> u64 {
        let grown = |capacity: usize| capacity as u64 * 3 / 2;
        let words = grown(self.states.words.capacity()) * size_of::<u64>() as u64;
        let steps = grown(self.next.capacity()) * size_of::<(NodeIndex, u32)>() as u64;
        let row = self.end_rows.first().map_or(0, |row| size_of_val(row.as_slice())) as u64;
        let of_states = u64::from(self.len()) * (STATE_BYTES + row);
        words + steps + of_states + self.end_rows.len() as u64 * (row + 24)
    }

    /// Returns the index of the row of an end. Searches only the last 16, since most games have few.
    fn end_number(&mut self, row: Vec<f64>) -> u32 {
        let recent = self.end_rows.iter().enumerate().rev().take(16);
        if let Some((at, _)) = recent.into_iter().find(|(_, known)| **known == row) {
            return at as u32;
        }
        self.end_rows.push(row);
        self.end_rows.len() as u32 - 1
    }

    /// The legal actions of a decision, in the order of its successors.
    pub(super) fn actions(state: &State) -> Vec<ActionId> {
        state.legal_actions()
    }
}

/// The words of distinct states, in a hash table.
pub struct StateTable {
    width: usize,
    words: Vec<u64>,
    /// Indices plus one, by hash; 0 is free.
    slots: Vec<u32>,
}

impl StateTable {
    /// Creates an empty table for states of `width` words.
    pub fn new(width: usize) -> Self {
        StateTable { width: width.max(1), words: Vec::new(), slots: vec![0; 1024] }
    }

    /// Returns the number of states.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether it is empty")]
    pub fn len(&self) -> u32 {
        (self.words.len() / self.width) as u32
    }

    /// Returns the memory of the table, in bytes. While it grows, the old and the new words exist together.
    pub fn bytes(&self) -> u64 {
        self.words.capacity() as u64 * 12 + self.slots.len() as u64 * 4
    }

    /// Returns the words of a state.
    pub fn words(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.width..][..self.width]
    }

    /// The slot of a state, or the free slot where it belongs.
    fn slot(&self, words: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(words) as usize & mask;
        while let Some(number) = self.slots[at].checked_sub(1) {
            if self.words(number) == words {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn find(&self, words: &[u64]) -> Option<u32> {
        if words.len() != self.width {
            return None;
        }
        self.slots[self.slot(words)].checked_sub(1)
    }

    /// Returns the index of a state, adding it if it is new.
    pub fn insert(&mut self, words: &[u64]) -> u32 {
        let at = self.slot(words);
        if let Some(number) = self.slots[at].checked_sub(1) {
            return number;
        }
        self.words.extend_from_slice(words);
        let number = self.len() - 1;
        self.slots[at] = number + 1;
        if self.len() as usize * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        let mask = self.slots.len() - 1;
        for number in 0..self.len() {
            let mut at = hash(self.words(number)) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = number + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_one_number() {
        let mut table = StateTable::new(2);
        let state = |i: u64| [i / 7, i % 7];
        for i in 0..5000 {
            assert_eq!(table.insert(&state(i)), i as u32);
        }
        for i in 0..5000 {
            assert_eq!(table.insert(&state(i)), i as u32);
            assert_eq!(table.find(&state(i)), Some(i as u32));
            assert_eq!(table.words(i as u32), state(i));
        }
        assert_eq!(table.find(&[9999, 9]), None);
        assert_eq!(table.find(&[1]), None);
    }
}
