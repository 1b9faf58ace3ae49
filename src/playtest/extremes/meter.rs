//! The budget of a search: positions or seconds, and whether to stop.

use std::time::Duration;

use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;

/// Counts the positions that were examined.
pub(super) struct CountMeter<'a> {
    pub(super) used: u64,
    /// The work ends once `used` reaches this.
    limit: u64,
    deadline: Option<Instant>,
    checked: u64,
    stop: &'a Interrupt,
    progress: &'a (dyn Fn(u64) + Sync),
    over: bool,
}

/// Number of positions between two looks at the clock.
const LOOK: u64 = 512;

impl<'a> CountMeter<'a> {
    pub(super) fn new(stop: &'a Interrupt, progress: &'a (dyn Fn(u64) + Sync)) -> CountMeter<'a> {
        CountMeter { used: 0, limit: 0, deadline: None, checked: 0, stop, progress, over: false }
    }

    /// Allows more positions, and time if that is the budget.
    pub(super) fn allow(&mut self, positions: u64, time: Option<Duration>) {
        self.limit = self.used.saturating_add(positions);
        self.deadline = time.map(|time| Instant::now() + time);
        self.over = self.stop.is_set();
    }

    /// Counts positions. Returns `false` if the budget is used up.
    pub(super) fn take(&mut self, positions: u64) -> bool {
        self.used += positions;
        if self.used >= self.checked + LOOK {
            self.checked = self.used;
            (self.progress)(self.used);
            self.over |= self.stop.is_set() || self.deadline.is_some_and(|end| Instant::now() >= end);
        }
        !self.over && self.used < self.limit
    }

    /// Is there budget left?
    pub(super) fn goes_on(&self) -> bool {
        !self.over && self.used < self.limit
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.is_set()
    }
}
