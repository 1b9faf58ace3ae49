//! Runs at a time: a run takes a slot for each of its parts, and slots are given in the order of asking. So runs of many
//! pages take turns.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval at which a waiting run looks whether it is over.
const LOOK: Duration = Duration::from_millis(20);

/// A number of slots.
#[derive(Debug)]
pub(super) struct Slots {
    line: Mutex<SlotLine>,
    moved: Condvar,
}

#[derive(Debug)]
struct SlotLine {
    free: usize,
    next: u64,
    waiting: VecDeque<u64>,
}

/// A slot, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct TakenSlot<'s>(&'s Slots);

impl Slots {
    pub(super) fn new(free: usize) -> Slots {
        let line = SlotLine { free, next: 0, waiting: VecDeque::new() };
        Slots { line: Mutex::new(line), moved: Condvar::new() }
    }

    /// Waits for a slot. Returns `None` as soon as `is_over` returns `true`.
    pub(super) fn take(&self, is_over: impl Fn() -> bool) -> Option<TakenSlot<'_>> {
        let mut line = self.lock();
        let ticket = line.next;
        line.next += 1;
        line.waiting.push_back(ticket);
        loop {
            if is_over() {
                line.waiting.retain(|one| *one != ticket);
                self.moved.notify_all();
                return None;
            }
            if line.free > 0 && line.waiting.front() == Some(&ticket) {
                line.waiting.pop_front();
                line.free -= 1;
                self.moved.notify_all();
                return Some(TakenSlot(self));
            }
            line = self.moved.wait_timeout(line, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, SlotLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TakenSlot<'_> {
    fn drop(&mut self) {
        self.0.lock().free += 1;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_longest_is_next() {
        let slots = Slots::new(1);
        let order = Mutex::new(vec![]);
        let first = slots.take(|| false);
        std::thread::scope(|scope| {
            for number in 0..4 {
                let (slots, order) = (&slots, &order);
                scope.spawn(move || {
                    // The last one gives up.
                    let slot = slots.take(|| number == 3);
                    order.lock().unwrap().push((number, slot.is_some()));
                });
                while slots.lock().next < number + 2 {}
                while number == 3 && order.lock().unwrap().is_empty() {}
            }
            drop(first);
        });
        assert_eq!(*order.lock().unwrap(), [(3, false), (0, true), (1, true), (2, true)]);
        assert_eq!(slots.lock().free, 1);
    }
}
