//! Counters.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{CodeGenerator, Count, MemoryRegion};
use crate::machine::run_state::RunState;
use crate::native::calls::{CallContext, INLINE_COUNTERS};
use crate::native::{RunKind, calls};
use crate::program::StepRef;

impl CodeGenerator<'_, '_> {
    pub(super) fn adds(&mut self, count: Count) {
        let (base, offset) = self.counter(count);
        self.adds_at(base, offset);
    }

    /// Returns the address of a counter.
    fn counter(&self, count: Count) -> (Value, usize) {
        match self.kind {
            RunKind::Games => (self.context, offset_of!(CallContext, counts) + 8 * count as usize),
            _ => (self.run_state, count.place()),
        }
    }

    pub(super) fn adds_at(&mut self, base: Value, offset: usize) {
        let n = self.load(MemoryRegion::Counters, base, offset);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(MemoryRegion::Counters, n, base, offset);
    }

    /// Increments an entry of a table of the run_state, if the caller counts.
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
                self.b.switch_to_block(counts);
                self.adds_at(base, index * 8);
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(next);
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
        if self.kind == RunKind::Games && step < INLINE_COUNTERS {
            return self.adds_at(self.context, offset_of!(CallContext, steps_used) + 8 * step);
        }
        self.adds_in(offset_of!(CallContext, steps), step);
    }

    pub(super) fn counts_option(&mut self, block: usize) {
        if self.kind == RunKind::Games && block < INLINE_COUNTERS {
            return self.adds_at(self.context, offset_of!(CallContext, options_used) + 8 * block);
        }
        self.adds_in(offset_of!(CallContext, options), block);
    }

    /// Writes counters to the run_state, for a call that reads them.
    pub(super) fn writes_counters(&mut self, counts: &[Count]) {
        if self.kind != RunKind::Games {
            return;
        }
        for count in counts {
            let (base, offset) = self.counter(*count);
            let n = self.load(MemoryRegion::Counters, base, offset);
            self.store(MemoryRegion::Counters, n, self.run_state, count.place());
        }
    }

    pub(super) fn reads_counters(&mut self, counts: &[Count]) {
        if self.kind != RunKind::Games {
            return;
        }
        for count in counts {
            let (base, offset) = self.counter(*count);
            let n = self.load(MemoryRegion::Counters, self.run_state, count.place());
            self.store(MemoryRegion::Counters, n, base, offset);
        }
    }

    /// Counts a random player's decision, restores the budget, and checks the limit.
    pub(super) fn decides(&mut self) {
        self.adds(Count::Decisions);
        self.refill();
        let (base, offset) = self.counter(Count::Decisions);
        let decisions = self.load(MemoryRegion::Counters, base, offset);
        let pause = match self.kind {
            RunKind::Games => self.load(MemoryRegion::Counters, self.context, offset_of!(CallContext, pause)),
            _ => self.load(MemoryRegion::Counters, self.run_state, offset_of!(RunState, pause)),
        };
        let long = self.b.ins().icmp(IntCC::UnsignedGreaterThan, decisions, pause);
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(long, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        self.writes_counters(&[Count::Decisions]);
        let result = self.calls(calls::too_long);
        self.fails_after(result);
        if self.kind == RunKind::Games {
            let pause = self.load(MemoryRegion::Counters, self.run_state, offset_of!(RunState, pause));
            self.store(MemoryRegion::Counters, pause, self.context, offset_of!(CallContext, pause));
        }
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }
}
