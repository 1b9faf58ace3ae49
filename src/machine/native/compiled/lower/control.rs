//! Control flow: blocks, jumps, faults, stops and the budget.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block as Node, BlockArg, InstBuilder, Value};

use super::{CodeGenerator, MemoryRegion, PENDING_CODE};
use crate::native::RunKind;
use crate::program::{CodeAddress, Imm, In, PENDING, StopRef, Truth};
use crate::run_state::{Fault, RunState};

impl CodeGenerator<'_, '_> {
    pub(super) fn node(&mut self, at: u16) -> Node {
        match self.nodes[self.copy][usize::from(at)] {
            Some(node) => node,
            // The flow analysis names every target.
            None => unreachable!("instruction {at} begins no block"),
        }
    }

    pub(super) fn new_node(&mut self, cold: bool) -> Node {
        let node = self.b.create_block();
        if cold {
            self.b.set_cold_block(node);
        }
        node
    }

    /// Emits what follows into a block, which is open until something leaves it.
    pub(super) fn continues_in(&mut self, node: Node) {
        self.b.switch_to_block(node);
        self.open = true;
    }

    pub(super) fn go(&mut self, to: u16) {
        let node = self.node(to);
        self.b.ins().jump(node, &[]);
        self.open = false;
    }

    /// Jumps to `to` if a condition equals `is`, and continues otherwise.
    pub(super) fn jump_if(&mut self, condition: Value, is: Truth, to: CodeAddress) {
        let (target, next) = (self.node(to.0), self.node(self.at as u16 + 1));
        let (then, otherwise) = if is.0 { (target, next) } else { (next, target) };
        self.b.ins().brif(condition, then, &[], otherwise, &[]);
        self.open = false;
    }

    /// Stops with a fault of this instruction if the condition holds.
    pub(super) fn fails_if(&mut self, condition: Value, fault: Fault, value: Value) {
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(condition, cold, &[], next, &[]);
        self.continues_in(cold);
        self.fails(fault, value);
        self.continues_in(next);
    }

    pub(super) fn fails_if_0(&mut self, condition: Value, fault: Fault) {
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(condition, cold, &[], next, &[]);
        self.continues_in(cold);
        let zero = self.number(0);
        self.fails(fault, zero);
        self.continues_in(next);
    }

    pub(super) fn fails(&mut self, fault: Fault, value: Value) {
        let (at, fault) = (self.number(self.at as i64), self.number(fault as i64));
        let args = [at, fault, value].map(BlockArg::Value);
        let node = self.fault;
        self.b.ins().jump(node, &args);
        self.open = false;
    }

    pub(super) fn stops(&mut self, code: Value) {
        let node = self.stopped;
        self.b.ins().jump(node, &[BlockArg::Value(code)]);
        self.open = false;
    }

    pub(super) fn stops_with(&mut self, code: i64) {
        let code = self.number(code);
        self.stops(code);
    }

    /// Stops at a stop point.
    pub(super) fn suspends(&mut self, stop: StopRef) {
        let number = self.number(i64::from(stop.0) + 1);
        self.store(MemoryRegion::Frame, number, self.frame, usize::from(PENDING) * 8);
        self.notes_spent();
        self.stops_with(PENDING_CODE);
    }

    pub(super) fn notes_spent(&mut self) {
        let left = self.b.use_var(self.budget);
        let whole = self.number(i64::from(self.program.budget));
        let spent = self.b.ins().isub(whole, left);
        let spent = self.b.ins().ireduce(I32, spent);
        let flags = self.flags(MemoryRegion::Counters);
        let run_state = self.run_state();
        self.b.ins().store(flags, spent, run_state, offset_of!(RunState, spent) as i32);
    }

    pub(super) fn plays(&self) -> bool {
        self.kind != RunKind::Steps
    }

    pub(super) fn spend(&mut self, turns: i64) {
        let left = self.b.use_var(self.budget);
        let short = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, left, turns);
        self.fails_if_0(short, Fault::Budget);
        let left = self.b.ins().iadd_imm_s(left, -turns);
        self.b.def_var(self.budget, left);
    }

    pub(super) fn refill(&mut self) {
        let whole = self.number(i64::from(self.program.budget));
        self.b.def_var(self.budget, whole);
    }

    /// Goes to the target if `n` is 0.
    pub(super) fn none_if_zero(&mut self, n: Value, to: CodeAddress) {
        let (target, next) = (self.node(to.0), self.new_node(false));
        self.b.ins().brif(n, next, &[], target, &[]);
        self.continues_in(next);
    }

    /// Like [`CodeGenerator::none_if_zero`], if `n` is rarely 0.
    pub(super) fn rarely_none(&mut self, n: Value, to: CodeAddress) {
        let (target, rare, next) = (self.node(to.0), self.new_node(true), self.new_node(false));
        self.b.ins().brif(n, next, &[], rare, &[]);
        self.continues_in(rare);
        self.b.ins().jump(target, &[]);
        self.continues_in(next);
    }

    pub(super) fn if_compare(&mut self, cc: IntCC, a: In, b: In, is: Truth, to: CodeAddress) {
        let (a, b) = (self.get(a.0), self.get(b.0));
        let condition = self.b.ins().icmp(cc, a, b);
        self.jump_if(condition, is, to);
    }

    pub(super) fn if_compare_k(&mut self, cc: IntCC, a: In, k: Imm, is: Truth, to: CodeAddress) {
        let a = self.get(a.0);
        let condition = match self.numbers.compared_at(self.at) {
            Some(place) => {
                let k = self.open_number(place);
                self.b.ins().icmp(cc, a, k)
            }
            None => self.b.ins().icmp_imm_s(cc, a, i64::from(k.0)),
        };
        self.jump_if(condition, is, to);
    }
}
