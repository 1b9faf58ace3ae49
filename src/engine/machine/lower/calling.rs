//! Calls of what is large or rare.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{FAULT_CODE, Lower, Place};
use crate::engine::machine::calls;
use crate::engine::machine::calls::{Context, FAULT, JUMP, WAIT};
use crate::program::{Block, Flow as Hands, Instruction as I, Operand, SiteRef};

impl Lower<'_, '_> {
    pub(super) fn calls_at(&mut self, address: Value, a: Value, b: Value) -> Value {
        let call = self.b.ins().call_indirect(self.call, address, &[a, b]);
        self.b.inst_results(call)[0]
    }

    /// Calls the function of this instruction.
    pub(super) fn calls(&mut self, of: calls::Call) -> Value {
        let address = self.address(of as *const u8);
        let at = self.number(self.at as i64);
        self.calls_at(address, self.context, at)
    }

    /// Stops if a call says that it failed.
    pub(super) fn fails_after(&mut self, result: Value) {
        let failed = self.b.ins().icmp_imm_u(IntCC::Equal, result, FAULT as i64);
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(failed, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        let at = self.number(self.at as i64);
        self.store(Place::Context, at, self.context, offset_of!(Context, at));
        self.stops_with(FAULT_CODE);
        self.b.switch_to_block(next);
        self.open = true;
    }

    pub(super) fn writes_budget(&mut self) {
        let left = self.b.use_var(self.budget);
        self.store(Place::Context, left, self.context, offset_of!(Context, budget));
    }

    pub(super) fn reads_budget(&mut self) {
        let left = self.load(Place::Context, self.context, offset_of!(Context, budget));
        self.b.def_var(self.budget, left);
    }

    /// Writes the words that an instruction reads, and are in registers, to the frame.
    pub(super) fn writes_operands(&mut self, instruction: &I) {
        for (_, operand) in instruction.operands() {
            if let Operand::Read(at) | Operand::ReadSet(at) | Operand::ChangeSet(at) = operand
                && let Some(register) = self.registers[usize::from(at)]
            {
                let value = self.b.use_var(register);
                self.store(Place::Frame, value, self.frame, usize::from(at) * 8);
            }
        }
    }

    /// Reads the words that an instruction has written into their registers.
    pub(super) fn reads_operands(&mut self, instruction: &I) {
        for (_, operand) in instruction.operands() {
            if let Operand::Write(at) | Operand::WriteSet(at) | Operand::ChangeSet(at) = operand
                && let Some(register) = self.registers[usize::from(at)]
            {
                let value = self.load(Place::Frame, self.frame, usize::from(at) * 8);
                self.b.def_var(register, value);
            }
        }
    }

    /// Has an instruction carried out by the function that is made for it.
    pub(super) fn calls_for(&mut self, instruction: &I) {
        let Some(call) = calls::call_of(instruction, self.program.width) else {
            unreachable!("`{}` is neither written out nor called", instruction.word())
        };
        self.writes_operands(instruction);
        let result = self.calls(call);
        if may_fail(instruction) {
            self.fails_after(result);
        }
        match instruction.flow() {
            Hands::Branch => {
                let Some(to) = target(instruction) else { unreachable!("a branch has a target") };
                let changes = instruction
                    .operands()
                    .iter()
                    .any(|(_, o)| matches!(o, Operand::Write(_) | Operand::ChangeSet(_)));
                let jumps = self.b.ins().icmp_imm_u(IntCC::Equal, result, JUMP as i64);
                if changes {
                    let next = self.new_node(false);
                    let target = self.node(to.0);
                    self.b.ins().brif(jumps, target, &[], next, &[]);
                    self.b.switch_to_block(next);
                    self.reads_operands(instruction);
                } else {
                    self.jump_if(jumps, to);
                }
            }
            Hands::Suspend => {
                if !self.plays() {
                    let waits = self.b.ins().icmp_imm_u(IntCC::Equal, result, WAIT as i64);
                    let (wait, next) = (self.new_node(false), self.new_node(false));
                    self.b.ins().brif(waits, wait, &[], next, &[]);
                    self.b.switch_to_block(wait);
                    if let Some(site) = site_of(instruction) {
                        self.suspends(site);
                    }
                    self.b.switch_to_block(next);
                    self.open = true;
                }
                self.reads_operands(instruction);
            }
            _ => self.reads_operands(instruction),
        }
    }

    pub(super) fn calls_this(&mut self, instruction: &I) -> Value {
        let Some(call) = calls::call_of(instruction, self.program.width) else {
            unreachable!("`{}` is not called", instruction.word())
        };
        self.calls(call)
    }
}

/// The first target of an instruction.
fn target(instruction: &I) -> Option<Block> {
    instruction.operands().iter().find_map(|(_, operand)| match operand {
        Operand::Jump(to) => Some(*to),
        _ => None,
    })
}

fn site_of(instruction: &I) -> Option<SiteRef> {
    instruction.operands().iter().find_map(|(_, operand)| match operand {
        Operand::Site(site) => Some(SiteRef(*site)),
        _ => None,
    })
}

/// May the function that is called for an instruction fail?
fn may_fail(instruction: &I) -> bool {
    !matches!(
        instruction,
        I::CountEqual { .. }
            | I::CountEach { .. }
            | I::SetConst { .. }
            | I::SetCopy { .. }
            | I::And { .. }
            | I::AndK { .. }
            | I::Or { .. }
            | I::Minus { .. }
            | I::Count { .. }
            | I::First { .. }
            | I::Last { .. }
            | I::IfEmpty { .. }
            | I::IfSome { .. }
            | I::IfSubset { .. }
            | I::IfNotSubset { .. }
            | I::IfSame { .. }
            | I::IfNotSame { .. }
            | I::Pop { .. }
            | I::PopFrom { .. }
            | I::Columns { .. }
            | I::Rows { .. }
            | I::Apply { .. }
            | I::ApplyN { .. }
            | I::Apply3 { .. }
            | I::Reach { .. }
            | I::Shift { .. }
            | I::Score { .. }
            | I::Longest { .. }
            | I::MovePiece { .. }
            | I::RollSome { .. }
            | I::Pick { .. }
            | I::PickBy { .. }
            | I::Repeated { .. }
            | I::Given { .. }
    )
}
