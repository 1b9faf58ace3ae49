//! Calls of functions for large or rare instructions.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Block as Node, InstBuilder, Signature, Value};
use cranelift_codegen::isa::CallConv;

use super::{CodeGenerator, Count, FAULT_CODE, MemoryRegion, PENDING_CODE};
use crate::native::compiled::calls::{CallContext, FAULT, NEXT, WAIT};
use crate::native::compiled::{accesses, calls};
use crate::program::{Flow as Hands, Instruction as I, Operand};

impl CodeGenerator<'_, '_> {
    pub(super) fn calls_at(&mut self, address: Value, a: Value, b: Value) -> Value {
        let call = self.b.ins().call_indirect(self.call, address, &[a, b]);
        self.b.inst_results(call)[0]
    }

    /// Calls a function of these values with one result.
    pub(super) fn calls_with(&mut self, address: Value, values: &[Value]) -> Value {
        let mut signature = Signature::new(self.b.func.dfg.signatures[self.call].call_conv);
        signature.params.resize(values.len(), AbiParam::new(I64));
        signature.returns.push(AbiParam::new(I64));
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, address, values);
        self.b.inst_results(call)[0]
    }

    /// Calls a function of the context and these values that changes no register and leaves its result in the context.
    pub(super) fn calls_keeping(&mut self, address: *const u8, values: &[Value]) -> Value {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params.resize(1 + values.len(), AbiParam::new(I64));
        let signature = self.b.import_signature(signature);
        let address = self.address(address);
        self.b.ins().call_indirect(signature, address, &[&[self.context], values].concat());
        self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, result))
    }

    /// Calls a function for this instruction.
    pub(super) fn calls(&mut self, of: calls::InstructionFn) -> Value {
        let address = self.address(of as *const u8);
        let at = self.number(self.at as i64);
        self.calls_at(address, self.context, at)
    }

    /// Stops if a call returned a fault.
    pub(super) fn fails_after(&mut self, result: Value) {
        let next = self.new_node(false);
        self.fails_or_goes(result, next);
        self.continues_in(next);
    }

    /// Stops if a call returned a fault, and continues at `next` otherwise.
    pub(super) fn fails_or_goes(&mut self, result: Value, next: Node) {
        let failed = self.b.ins().icmp_imm_u(IntCC::Equal, result, FAULT as i64);
        let cold = self.new_node(true);
        self.b.ins().brif(failed, cold, &[], next, &[]);
        self.continues_in(cold);
        let at = self.number(self.at as i64);
        self.store(MemoryRegion::Context, at, self.context, offset_of!(CallContext, at));
        self.stops_with(FAULT_CODE);
    }

    pub(super) fn writes_budget(&mut self) {
        let left = self.b.use_var(self.budget);
        self.store(MemoryRegion::Context, left, self.context, offset_of!(CallContext, budget));
    }

    pub(super) fn reads_budget(&mut self) {
        let left = self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, budget));
        self.b.def_var(self.budget, left);
    }

    /// Writes the words in registers that an instruction reads to the frame.
    pub(super) fn writes_operands(&mut self, instruction: &I) {
        let program = self.program;
        accesses::for_each_read(program, instruction, &mut |at| {
            if let Some(register) = self.registers[usize::from(at)] {
                let value = self.b.use_var(register);
                self.store(MemoryRegion::Frame, value, self.frame, usize::from(at) * 8);
            }
        });
    }

    /// Reads the words in registers that an instruction has written from the frame.
    pub(super) fn reads_operands(&mut self, instruction: &I) {
        let program = self.program;
        accesses::for_each_written(program, instruction, &mut |at| {
            if self.registers[usize::from(at)].is_some() {
                let value = self.load(MemoryRegion::Frame, self.frame, usize::from(at) * 8);
                self.put(at, value);
            }
        });
    }

    /// Calls the interpreter for this instruction. Returns where execution continues.
    pub(super) fn interprets(&mut self, instruction: &I) -> Value {
        let effects = instruction.effects();
        let may_wait = instruction.flow() == Hands::Suspend && !self.plays();
        self.writes_operands(instruction);
        // If the program stops, the interpreter records what has been spent.
        if effects.spends || may_wait {
            self.writes_budget();
        }
        if effects.counts {
            self.writes_counters(&Count::ALL);
        }
        let result = self.calls(calls::carry_out(self.program.width, instruction));
        if effects.counts {
            self.reads_counters(&Count::ALL);
        }
        if effects.spends {
            self.reads_budget();
        }
        if effects.fails {
            self.fails_after(result);
        }
        if may_wait {
            let waits = self.b.ins().icmp_imm_u(IntCC::Equal, result, WAIT as i64);
            let (wait, next) = (self.new_node(false), self.new_node(false));
            self.b.ins().brif(waits, wait, &[], next, &[]);
            self.continues_in(wait);
            self.stops_with(PENDING_CODE);
            self.continues_in(next);
        }
        result
    }

    /// Like [`CodeGenerator::interprets`], for an instruction that continues at the next one or its one target.
    pub(super) fn calls_for(&mut self, instruction: &I) {
        let result = self.interprets(instruction);
        if instruction.flow() != Hands::Branch {
            return self.reads_operands(instruction);
        }
        let target = instruction.operands().into_iter().find_map(|(_, operand)| match operand {
            Operand::Jump(to) => Some(to),
            _ => None,
        });
        let Some(to) = target else { unreachable!("a branch has a target") };
        let jumps = self.b.ins().icmp_imm_u(IntCC::NotEqual, result, NEXT as i64);
        let (target, next) = (self.node(to.0), self.new_node(false));
        // A branch that jumps has written no word that is in a register.
        self.b.ins().brif(jumps, target, &[], next, &[]);
        self.continues_in(next);
        self.reads_operands(instruction);
    }
}
