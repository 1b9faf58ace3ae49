//! What is counted.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{Count, Lower, Place};
use crate::engine::machine::calls::Context;
use crate::engine::machine::{Kind, calls};
use crate::engine::tally::Tally;
use crate::program::StepRef;

impl Lower<'_, '_> {
    pub(super) fn adds(&mut self, count: Count) {
        match self.counters[count as usize] {
            Some(counter) => {
                let n = self.b.use_var(counter);
                let n = self.b.ins().iadd_imm_s(n, 1);
                self.b.def_var(counter, n);
            }
            None => self.adds_at(self.tally, count.place()),
        }
    }

    pub(super) fn adds_at(&mut self, base: Value, offset: usize) {
        let n = self.load(Place::Counters, base, offset);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(Place::Counters, n, base, offset);
    }

    /// Counts in a table of the tally, if whoever runs the code counts.
    pub(super) fn adds_in(&mut self, table: usize, index: usize) {
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

    /// Where a table of counters begins.
    pub(super) fn context_table(&mut self, table: usize) -> Value {
        let flags = self.flags(Place::Context).with_readonly().with_can_move();
        self.b.ins().load(I64, flags, self.context, table as i32)
    }

    pub(super) fn marks(&mut self, step: StepRef) {
        self.adds_in(offset_of!(Context, steps), step.0.into());
    }

    pub(super) fn counts_option(&mut self, block: usize) {
        self.adds_in(offset_of!(Context, options), block);
    }

    /// Writes what is counted in registers to the tally, for a call that looks at it.
    pub(super) fn writes_counters(&mut self, counts: &[Count]) {
        for count in counts {
            if let Some(counter) = self.counters[*count as usize] {
                let n = self.b.use_var(counter);
                self.store(Place::Counters, n, self.tally, count.place());
            }
        }
    }

    pub(super) fn reads_counters(&mut self, counts: &[Count]) {
        for count in counts {
            if let Some(counter) = self.counters[*count as usize] {
                let n = self.load(Place::Counters, self.tally, count.place());
                self.b.def_var(counter, n);
            }
        }
    }

    /// A random player decides.
    pub(super) fn decides(&mut self) {
        self.adds(Count::Decisions);
        self.refill();
        let decisions = match self.counters[Count::Decisions as usize] {
            Some(counter) => self.b.use_var(counter),
            None => self.load(Place::Counters, self.tally, Count::Decisions.place()),
        };
        let pause = self.load(Place::Counters, self.tally, offset_of!(Tally, pause));
        let long = self.b.ins().icmp(IntCC::UnsignedGreaterThan, decisions, pause);
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(long, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        self.writes_counters(&[Count::Decisions]);
        let result = self.calls(calls::too_long);
        self.fails_after(result);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }
}
