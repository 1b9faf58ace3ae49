//! The work of following the events of a game. It is counted, not measured, so that a bound on it means the same on every
//! machine, in the interpreter and in compiled code. Its unit is an iteration of a loop of the rules.

use crate::State;
use houserule_machine::candidates::COPIED;
use houserule_machine::past::Past;

/// Size of an event in a history, in words.
const EVENT_WORDS: usize = 3;

/// Share of the loop budget that counts if the rules fail: how much of it was spent is not known then.
const FAILED: u32 = 16;

/// What was counted up to a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorkMark {
    /// Number of iterations of loops since the last decision.
    loops: u64,
    /// The work of trials.
    trials: u64,
    /// The work of finding the ways of `chance … given`.
    ways: u64,
    /// Number of events.
    events: usize,
}

impl State {
    /// Returns what was counted up to this state, for [`State::work_since`].
    pub(crate) fn work_mark(&self) -> WorkMark {
        WorkMark {
            // After a decision, loops are counted again.
            loops: if self.is_chance() { self.run_state.spent.into() } else { 0 },
            trials: self.candidates.work(),
            ways: self.given.work(),
            events: self.history.len(),
        }
    }

    /// Like [`State::work_mark`], for a state whose derived words are computed again: loops and ways are counted from 0 then.
    pub(crate) fn work_mark_derived(&self) -> WorkMark {
        WorkMark { loops: 0, ways: 0, ..self.work_mark() }
    }

    /// Returns the work of coming here from `mark`: to copy a state, to run the rules, to try candidates, and to find the ways
    /// of `chance … given`. `is_possible` is `false` if the event of which this is the state could not happen.
    pub(crate) fn work_since(&self, mark: WorkMark, is_possible: bool) -> u64 {
        let pasts: usize = self.run_state.pasts.iter().map(Past::size).sum();
        let copied = self.words.len() + EVENT_WORDS * self.history.len() + pasts;
        let loops = u64::from(self.run_state.spent).saturating_sub(mark.loops);
        let trials = self.candidates.work().saturating_sub(mark.trials);
        let ways = self.given.work().saturating_sub(mark.ways);
        // An event that the rules only rejected is not in the history.
        let fails = !is_possible && self.history.len() > mark.events;
        let failed = if fails { self.game.program().budget / FAILED } else { 0 };
        1 + (copied / COPIED) as u64 + loops + trials + ways + u64::from(failed)
    }
}
