//! Explicit chance in `chance { … } given C`. If the block has few outcomes, the ways through it that satisfy
//! the condition are found before its first draw. Each draw then has as many outcomes as there are ways left,
//! so all ways are equally likely, and no draw is taken back. With more outcomes it is rejection sampling:
//! the block is drawn freely, and drawn again if the condition fails. The history keeps only the draws that
//! counted.

use std::sync::Arc;

use super::{ApplyError, Event, RuntimeError, State};
use houserule_machine::program::Phase;
use houserule_machine::run_state::{Fault, RunState, Stop};
use houserule_model::JOINT_OUTCOMES;

/// The outcomes of a block draw by draw, each numbered among all outcomes of the draw.
type OutcomeSequence = Box<[u64]>;

/// The state of a block that is being drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenBlock {
    /// Number of events when the block began.
    since: usize,
    /// `true` if the block began after the last draw.
    begun: bool,
    /// How the block ended after the last draw.
    closed: Option<Phase>,
    /// `true` for rejection sampling: no ways are searched.
    freely: bool,
    ways: Option<OutcomeSequences>,
    /// Number of outcomes that were tried so far to find the ways of blocks.
    tried: u64,
    /// The work of trying them.
    work: u64,
}

/// The ways that are left. They are sorted, so ways with the same beginning are adjacent.
#[derive(Clone, Debug)]
struct OutcomeSequences {
    all: Arc<[OutcomeSequence]>,
    first: usize,
    end: usize,
    /// Number of draws so far.
    depth: usize,
}

impl GivenBlock {
    /// Returns the number of outcomes of the next draw, if the ways are known.
    pub(crate) fn count(&self) -> Option<u64> {
        self.ways.as_ref().map(|ways| (ways.end - ways.first) as u64)
    }

    /// Returns the number of an outcome among all outcomes of the next draw.
    pub(crate) fn raw(&self, outcome: u64) -> Option<u64> {
        let Some(ways) = &self.ways else { return Some(outcome) };
        let way = ways.all[ways.first..ways.end].get(usize::try_from(outcome).ok()?)?;
        way.get(ways.depth).copied()
    }

    /// Keeps the ways in which the next draw has this outcome.
    pub(crate) fn take(&mut self, outcome: u64) {
        let Some(raw) = self.raw(outcome) else { return };
        let Some(ways) = &mut self.ways else { return };
        let at = |way: &OutcomeSequence| way.get(ways.depth).copied();
        let left = &ways.all[ways.first..ways.end];
        let (before, until) = (
            left.partition_point(|way| at(way) < Some(raw)),
            left.partition_point(|way| at(way) <= Some(raw)),
        );
        (ways.first, ways.end) = (ways.first + before, ways.first + until);
        ways.depth += 1;
    }

    /// Returns the work so far of finding the ways of blocks: see [`State::work_since`].
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Prepares for the executor to continue.
    pub(crate) fn resume(&mut self) {
        (self.begun, self.closed) = (false, None);
    }

    /// Notes how the executor stopped. If the condition failed, removes the block's draws from the history.
    pub(crate) fn note(&mut self, run_state: &RunState, history: &mut Vec<Event>) {
        if !self.begun && self.closed.is_none() {
            self.closed = run_state.closed;
        }
        if run_state.closed == Some(Phase::Fails) {
            history.truncate(self.since);
        }
        if run_state.begun {
            self.begun = true;
            self.since = history.len();
        }
    }
}

impl State {
    /// From here on, draws under a condition use rejection sampling.
    pub(crate) fn draw_freely(&mut self) {
        if let Some(mode) = self.pending_stop().and_then(|stop| self.game.program().stops[stop].given) {
            self.words[usize::from(mode)] = 0;
        }
        self.given.freely = true;
        self.given.ways = None;
    }

    /// Returns `true` if a draw is pending that may be rejected.
    pub fn is_under_condition(&self) -> bool {
        let stop =
            self.pending_stop().filter(|_| self.is_chance()).map(|stop| &self.game.program().stops[stop]);
        self.given.ways.is_none() && stop.is_some_and(|stop| stop.given.is_some())
    }

    /// Finds the ways through a block, if a draw under a condition is pending.
    pub(crate) fn look_ahead(&mut self) -> Result<(), RuntimeError> {
        let stop = self.pending_stop().map(|stop| &self.game.program().stops[stop]);
        let stop = stop.and_then(|stop| Some((usize::from(stop.given?), stop.at)));
        let Some((mode, at)) = stop.filter(|_| !self.given.freely && self.start.explicit_chance) else {
            self.given.ways = None;
            return Ok(());
        };
        if self.given.begun {
            self.given.ways = None;
        } else if self.given.ways.is_some() || self.words[mode] == 0 {
            return Ok(());
        }
        let mut bare = self.clone();
        bare.history.clear();
        bare.given = GivenBlock { freely: true, ..GivenBlock::default() };
        // Each way has its own loop budget.
        bare.run_state.spent = 0;
        let mut search = WaySearch::default();
        let done = bare.walk(1, &mut search);
        self.given.tried += search.tried;
        self.given.work += search.work;
        if done.is_none() {
            return Ok(());
        }
        let found = search.found;
        if found.is_empty() {
            return Err(self.game.error(at.0.into(), Fault::Budget, 0, &self.run_state));
        }
        self.words[mode] = 1;
        let end = found.len();
        self.given.ways = Some(OutcomeSequences { all: found.into(), first: 0, end, depth: 0 });
        Ok(())
    }

    /// Number of outcomes that were tried since the start to find the ways of `chance … given`, which is what takes time there.
    pub(crate) fn tried_ways(&self) -> u64 {
        self.given.tried
    }

    /// Finds every way on from here that satisfies the condition. Returns `None` if there are too many ways,
    /// if their probabilities differ, or if the rules fail on one. `before` is the number of ways to get here.
    fn walk(&self, before: u64, search: &mut WaySearch) -> Option<()> {
        let outcomes = self.raw_outcomes();
        let product = before.checked_mul(outcomes).filter(|product| *product <= JOINT_OUTCOMES)?;
        let mark = self.work_mark();
        for outcome in 0..outcomes {
            let mut next = self.clone();
            let gone = next.apply_within_block(outcome);
            search.tried += 1;
            search.work += next.work_since(mark, true);
            search.way.push(outcome);
            match next.given.closed {
                Some(closed) => {
                    if *search.all.get_or_insert(product) != product {
                        return None;
                    }
                    if closed == Phase::Holds {
                        search.found.push(search.way.clone().into());
                    }
                }
                None => {
                    gone.ok()?;
                    next.walk(product, search)?;
                }
            }
            search.way.pop();
        }
        Some(())
    }

    /// Applies an outcome like [`State::apply_outcome`], but ends with the block: the decision after it, whose candidates may
    /// take long to try, says nothing about the ways through the block.
    fn apply_within_block(&mut self, outcome: u64) -> Result<(), ApplyError> {
        let next = self.settle_outcome(outcome)?;
        // As in `GivenBlock::note`, a block that began meanwhile is another one.
        let mut begun = false;
        Ok(self.go_on_by(next, |game, words, streams, run_state, at| {
            let stop = game.steps().run(words, streams, run_state, at);
            let ends = !begun && run_state.closed.is_some();
            begun |= run_state.begun;
            if ends { Stop::Halt } else { stop }
        })?)
    }
}

/// The search for the ways through a block.
#[derive(Debug, Default)]
struct WaySearch {
    /// The outcomes so far.
    way: Vec<u64>,
    /// The number of ways of which one is as likely as this one, once one is known.
    all: Option<u64>,
    /// The ways that satisfy the condition.
    found: Vec<OutcomeSequence>,
    /// Number of outcomes that were tried.
    tried: u64,
    /// The work of trying them.
    work: u64,
}
