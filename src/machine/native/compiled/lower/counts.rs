//! Counters.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{CodeGenerator, Count, MemoryRegion};
use crate::native::RunKind;
use crate::native::compiled::calls::{CallContext, INLINE_COUNTERS};
use crate::native::compiled::{assembly, calls};
use crate::program::StepRef;
use crate::run_state::RunState;

impl CodeGenerator<'_, '_> {
    /// Increments a counter of the game.
    pub(super) fn adds(&mut self, count: Count) {
        if self.kind != RunKind::Games {
            let run_state = self.run_state();
            return self.adds_at(run_state, count.offset_in_run_state());
        }
        if matches!(count, Count::Rolls) && self.implied.rolls.is_some() {
            return;
        }
        let n = self.b.use_var(self.counters[count as usize]);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.b.def_var(self.counters[count as usize], n);
    }

    /// Returns a counter of a whole game. Decisions are counted down, from the number at which the limit is checked.
    pub(super) fn counter(&mut self, count: Count) -> Value {
        if let (Count::Rolls, Some(lead)) = (count, &self.implied.rolls) {
            let turns = self.b.use_var(self.counters[Count::Turns as usize]);
            return self.b.ins().iadd_imm_s(turns, lead.at_end);
        }
        let n = self.b.use_var(self.counters[count as usize]);
        match count {
            Count::Decisions => {
                let pause = self.load(MemoryRegion::Counters, self.context, offset_of!(CallContext, pause));
                self.b.ins().isub(pause, n)
            }
            Count::Turns | Count::Repeats | Count::Rolls => n,
        }
    }

    /// Returns the address of the [`RunState`]. Whole games seldom need it: they load it each time, so that it takes no
    /// register.
    pub(super) fn run_state(&mut self) -> Value {
        match self.kind {
            RunKind::Games => {
                self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, run_state))
            }
            RunKind::Rollout | RunKind::Steps => self.run_state,
        }
    }

    fn sets_counter(&mut self, count: Count, n: Value) {
        let n = match count {
            Count::Decisions => {
                let pause = self.load(MemoryRegion::Counters, self.context, offset_of!(CallContext, pause));
                self.b.ins().isub(pause, n)
            }
            Count::Turns | Count::Repeats | Count::Rolls => n,
        };
        self.b.def_var(self.counters[count as usize], n);
    }

    pub(super) fn adds_at(&mut self, base: Value, offset: usize) {
        let n = self.load(MemoryRegion::Counters, base, offset);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(MemoryRegion::Counters, n, base, offset);
    }

    /// Increments an entry of a table of counts, if the caller counts.
    fn adds_in(&mut self, table: usize, index: usize) {
        match self.kind {
            RunKind::Rollout => {}
            RunKind::Games => {
                let base = self.context_table(table);
                self.adds_at(base, index * 8);
            }
            RunKind::Steps => {
                let base = self.load(MemoryRegion::Context, self.context, table);
                let (counts, next) = (self.new_node(false), self.new_node(false));
                self.b.ins().brif(base, counts, &[], next, &[]);
                self.continues_in(counts);
                self.adds_at(base, index * 8);
                self.b.ins().jump(next, &[]);
                self.continues_in(next);
            }
        }
    }

    /// Loads a context field that stays constant while the code runs.
    pub(super) fn context_table(&mut self, table: usize) -> Value {
        let flags = self.flags(MemoryRegion::Context).with_readonly().with_can_move();
        self.b.ins().load(I64, flags, self.context, table as i32)
    }

    pub(super) fn marks(&mut self, step: StepRef) {
        let step = usize::from(step.0);
        if self.implied.has_step(step) {
            return;
        }
        if self.kind == RunKind::Games && step < INLINE_COUNTERS {
            return self.adds_at(self.context, offset_of!(CallContext, steps_used) + 8 * step);
        }
        self.adds_in(offset_of!(CallContext, steps), step);
    }

    pub(super) fn counts_option(&mut self, counted: usize) {
        if self.implied.has_option(counted) {
            return;
        }
        if self.kind == RunKind::Games && counted < INLINE_COUNTERS {
            return self.adds_at(self.context, offset_of!(CallContext, options_used) + 8 * counted);
        }
        self.adds_in(offset_of!(CallContext, options), counted);
    }

    /// Writes counters to the [`RunState`], for a call that reads them.
    pub(super) fn writes_counters(&mut self, counts: &[Count]) {
        if self.kind != RunKind::Games {
            return;
        }
        for count in counts {
            let n = self.counter(*count);
            let run_state = self.run_state();
            self.store(MemoryRegion::Counters, n, run_state, count.offset_in_run_state());
        }
    }

    pub(super) fn reads_counters(&mut self, counts: &[Count]) {
        if self.kind != RunKind::Games {
            return;
        }
        for count in counts {
            let run_state = self.run_state();
            let n = self.load(MemoryRegion::Counters, run_state, count.offset_in_run_state());
            self.sets_counter(*count, n);
        }
    }

    /// Counts a random player's decision, restores the budget, and checks the limit.
    pub(super) fn decides(&mut self) {
        self.refill();
        self.counts_decision();
    }

    /// Counts a random player's decision, and checks the limit.
    pub(super) fn counts_decision(&mut self) {
        let (cold, next) = (self.new_node(true), self.new_node(false));
        let long = match self.kind {
            RunKind::Games => {
                let left = self.b.use_var(self.counters[Count::Decisions as usize]);
                let left = self.b.ins().iadd_imm_s(left, -1);
                self.b.def_var(self.counters[Count::Decisions as usize], left);
                self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0)
            }
            RunKind::Rollout | RunKind::Steps => {
                self.adds(Count::Decisions);
                let run_state = self.run_state();
                let decisions =
                    self.load(MemoryRegion::Counters, run_state, Count::Decisions.offset_in_run_state());
                let pause = self.load(MemoryRegion::Counters, run_state, offset_of!(RunState, pause));
                self.b.ins().icmp(IntCC::UnsignedGreaterThan, decisions, pause)
            }
        };
        self.b.ins().brif(long, cold, &[], next, &[]);
        self.continues_in(cold);
        self.writes_counters(&[Count::Decisions]);
        let result = match assembly::too_long() {
            Some(too_long) => {
                let at = self.number(self.at as i64);
                self.calls_keeping(too_long, &[at])
            }
            None => self.calls(calls::too_long),
        };
        if self.kind == RunKind::Games {
            let run_state = self.run_state();
            let pause = self.load(MemoryRegion::Counters, run_state, offset_of!(RunState, pause));
            self.store(MemoryRegion::Counters, pause, self.context, offset_of!(CallContext, pause));
            self.reads_counters(&[Count::Decisions]);
        }
        self.fails_or_goes(result, next);
        self.continues_in(next);
    }
}
