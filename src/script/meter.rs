//! What a call of a script has used so far: operations, memory and time. There is one meter for each thread,
//! set anew whenever the rules call a script. Rhai reports every operation to it, also those of functions that
//! are handed to `map`, `sort` and their kind, which Rhai's own budget counts from 0 each time.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rhai::{Dynamic, Engine, EvalAltResult, Position};

use super::limits::Limits;
use super::memory;
use crate::interrupt;

/// Operations between two looks at the clock, which takes longer than an operation.
const CLOCK: u64 = 256;

/// Why a call was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceeded {
    /// Too many operations.
    Operations,
    /// Too much memory.
    Memory,
    /// Too much time.
    Time,
}

/// The use and the limits of the call that runs.
#[derive(Clone, Copy)]
struct Meter {
    used: u64,
    /// Operations at which the clock is looked at next.
    look: u64,
    operations: u64,
    /// Bytes of the thread at which the call ends.
    bytes: i64,
    deadline: Deadline,
    exceeded: Option<Exceeded>,
}

thread_local! {
    static METER: Cell<Meter> = const {
        Cell::new(Meter { used: 0, look: 0, operations: 0, bytes: 0, deadline: Deadline(None), exceeded: None })
    };
}

/// When a call has to be over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// So many milliseconds from now.
    pub(super) fn after(milliseconds: u64) -> Deadline {
        Deadline(Instant::now().checked_add(Duration::from_millis(milliseconds)))
    }

    fn is_over(self) -> bool {
        self.0.is_some_and(|ends| Instant::now() >= ends)
    }
}

/// Begins a run of a function. A call that draws runs again for each draw, always with the same deadline.
pub(super) fn begin(limits: &Limits, deadline: Deadline) {
    METER.set(Meter {
        used: 0,
        look: CLOCK,
        operations: limits.operations,
        bytes: memory::in_use().saturating_add_unsigned(limits.memory << 20),
        deadline,
        exceeded: None,
    });
}

/// Why the call was ended, if a limit ended it.
pub(super) fn exceeded() -> Option<Exceeded> {
    METER.get().exceeded
}

/// Has every operation of an engine counted.
pub(super) fn attach(engine: &mut Engine) {
    // The engine's own count begins at 0 again in functions that are handed over.
    engine.set_max_operations(0);
    engine.on_progress(|_| spend(1).err().map(|_| Dynamic::UNIT));
}

/// Counts the work of a native function, in operations.
pub(super) fn charge(operations: u64) -> Result<(), Box<EvalAltResult>> {
    spend(operations).map_err(|_| EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
}

fn spend(operations: u64) -> Result<(), Exceeded> {
    METER.with(|cell| {
        let mut meter = cell.get();
        meter.used = meter.used.saturating_add(operations);
        if meter.exceeded.is_none() {
            meter.exceeded = meter.judge();
        }
        cell.set(meter);
        meter.exceeded.map_or(Ok(()), Err)
    })
}

impl Meter {
    fn judge(&mut self) -> Option<Exceeded> {
        if self.used > self.operations {
            return Some(Exceeded::Operations);
        }
        if memory::in_use() > self.bytes {
            return Some(Exceeded::Memory);
        }
        if self.used >= self.look {
            self.look = self.used + CLOCK;
            // Unwinds out of the script, past what would make a mistake of it.
            interrupt::check();
            if self.deadline.is_over() {
                return Some(Exceeded::Time);
            }
        }
        None
    }
}
