//! Counters.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{Count, Lower, Place};
use crate::machine::compiled::calls::{Context, FEW};
use crate::machine::compiled::{Kind, calls};
use crate::machine::tally::Tally;
use crate::program::StepRef;

impl Lower<'_, '_> {
    pub(super) fn adds(&mut self, count: Count) {
        let (base, offset) = self.counter(count);
        self.adds_at(base, offset);
    }

    /// Returns the address of a counter.
    fn counter(&self, count: Count) -> (Value, usize) {
        match self.kind {
            Kind::Games => (self.context, offset_of!(Context, counts) + 8 * count as usize),
            _ => (self.tally, count.place()),
        }
    }

    pub(super) fn adds_at(&mut self, base: Value, offset: usize) {
        let n = self.load(Place::Counters, base, offset);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(Place::Counters, n, base, offset);
    }

    /// Increments an entry of a table of the tally, if the caller counts.
    fn adds_in(&mut self, table: usize, index: usize) {
        match self.kind {
            Kind::Rollout => {}
            Kind::Games => {
                let base = self.context_table(table);
                self.adds_at(base, index * 8);
            }
            Kind::Steps => {
                let base = self.load(Place::Context, self.context, table);
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
        let flags = self.flags(Place::Context).with_readonly().with_can_move();
        self.b.ins().load(I64, flags, self.context, table as i32)
    }

    pub(super) fn marks(&mut self, step: StepRef) {
        let step = usize::from(step.0);
        if self.kind == Kind::Games && step < FEW {
            return self.adds_at(self.context, offset_of!(Context, steps_used) + 8 * step);
        }
        self.adds_in(offset_of!(Context, steps), step);
    }

    pub(super) fn counts_option(&mut self, block: usize) {
        if self.kind == Kind::Games && block < FEW {
            return self.adds_at(self.context, offset_of!(Context, options_used) + 8 * block);
        }
        self.adds_in(offset_of!(Context, options), block);
    }

    /// Writes counters to the tally, for a call that reads them.
    pub(super) fn writes_counters(&mut self, counts: &[Count]) {
        if self.kind != Kind::Games {
            return;
        }
        for count in counts {
            let (base, offset) = self.counter(*count);
            let n = self.load(Place::Counters, base, offset);
            self.store(Place::Counters, n, self.tally, count.place());
        }
    }

    pub(super) fn reads_counters(&mut self, counts: &[Count]) {
        if self.kind != Kind::Games {
            return;
        }
        for count in counts {
            let (base, offset) = self.counter(*count);
            let n = self.load(Place::Counters, self.tally, count.place());
            self.store(Place::Counters, n, base, offset);
        }
    }

    /// Counts a random player's decision, restores the budget, and checks the limit.
    pub(super) fn decides(&mut self) {
        self.adds(Count::Decisions);
        self.refill();
        let (base, offset) = self.counter(Count::Decisions);
        let decisions = self.load(Place::Counters, base, offset);
        let pause = match self.kind {
            Kind::Games => self.load(Place::Counters, self.context, offset_of!(Context, pause)),
            _ => self.load(Place::Counters, self.tally, offset_of!(Tally, pause)),
        };
        let long = self.b.ins().icmp(IntCC::UnsignedGreaterThan, decisions, pause);
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(long, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        self.writes_counters(&[Count::Decisions]);
        let result = self.calls(calls::too_long);
        self.fails_after(result);
        if self.kind == Kind::Games {
            let pause = self.load(Place::Counters, self.tally, offset_of!(Tally, pause));
            self.store(Place::Counters, pause, self.context, offset_of!(Context, pause));
        }
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }
}
