//! Measures what a script call has used: operations, memory and time. There is one meter for each thread, reset
//! whenever the rules call a script. Rhai reports every operation to it, including those of functions passed to
//! `map`, `sort` and similar. Rhai's own budget counts those from 0 each time.

use std::cell::Cell;
use std::time::Duration;

use rhai::{Dynamic, Engine, EvalAltResult, Position};

use super::limits::ScriptLimits;
use super::memory;
use houserule_base::clock::Instant;
use houserule_base::interrupt;

/// Number of operations between two checks of the clock. A check takes longer than an operation.
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

/// The usage and the limits of the running call.
#[derive(Clone, Copy)]
struct Meter {
    used: u64,
    /// The number of operations at which the clock is checked next.
    look: u64,
    operations: u64,
    /// The number of bytes held by the thread above which the call ends.
    bytes: i64,
    deadline: Deadline,
    exceeded: Option<Exceeded>,
}

thread_local! {
    static METER: Cell<Meter> = const {
        Cell::new(Meter { used: 0, look: 0, operations: 0, bytes: 0, deadline: Deadline(None), exceeded: None })
    };
}

/// The time by which a call must have ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// Returns the deadline `milliseconds` from now.
    pub(super) fn after(milliseconds: u64) -> Deadline {
        Deadline(Instant::now().checked_add(Duration::from_millis(milliseconds)))
    }

    fn is_over(self) -> bool {
        self.0.is_some_and(|ends| Instant::now() >= ends)
    }
}

/// Resets the meter for one run of a function. A call with chance events runs once more for each of them,
/// always with the same deadline.
pub(super) fn begin(limits: &ScriptLimits, deadline: Deadline) {
    METER.set(Meter {
        used: 0,
        look: CLOCK,
        operations: limits.operations,
        bytes: memory::in_use().saturating_add_unsigned(limits.memory << 20),
        deadline,
        exceeded: None,
    });
}

/// Returns which limit ended the call, if one did.
pub(super) fn exceeded() -> Option<Exceeded> {
    METER.get().exceeded
}

/// Makes an engine report every operation.
pub(super) fn attach(engine: &mut Engine) {
    // The engine's own count restarts at 0 in functions passed as arguments.
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
            // Unwinds out of the script, past the code that would turn it into a script error.
            interrupt::check();
            if self.deadline.is_over() {
                return Some(Exceeded::Time);
            }
        }
        None
    }
}
