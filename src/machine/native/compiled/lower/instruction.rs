//! Lowering of each instruction.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;

use super::{
    CodeGenerator, Count, FAILED_CODE, HALT_CODE, KEPT_CODE, MemoryRegion, OVER_CODE, SingleElement,
};
use crate::candidates::tries_inline;
use crate::native::RunKind;
use crate::native::compiled::calls::CallContext;
use crate::native::compiled::{accesses, calls, flow};
use crate::program::{Failure, Flow as Hands, Instruction as I, Operator, Truth};
use crate::run_state::{Fault, LENGTH};

impl CodeGenerator<'_, '_> {
    /// Emits the code of an instruction. Each of the functions below has the arms of a subject, in the order of the table,
    /// and passes on all other instructions.
    pub(super) fn instruction(&mut self, instruction: &I) {
        let suspends = instruction.flow() == Hands::Suspend;
        if self.is_wide() && !suspends && accesses::goes_over_sets(instruction) {
            return self.calls_for(instruction);
        }
        self.number_instruction(instruction);
    }

    /// Numbers, and jumps that test them.
    fn number_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::Const { d, k } => {
                let k = self.number(k.0.into());
                self.put(d.0, k);
            }
            I::ConstWide { d, k } => {
                let k = self.number(self.program.numbers[usize::from(k.0)]);
                self.put(d.0, k);
            }
            I::Copy { d, a } => {
                let a = self.get(a.0);
                self.put(d.0, a);
            }
            I::Add { d, a, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let sum = self.sum(a, b);
                self.put(d.0, sum);
            }
            I::AddK { d, a, k } => {
                let (a, k) = (self.get(a.0), self.number(k.0.into()));
                let sum = self.sum(a, k);
                self.put(d.0, sum);
            }
            I::Subtract { d, a, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let (difference, over) = self.b.ins().ssub_overflow(a, b);
                self.fails_if_0(over, Fault::Overflow);
                self.put(d.0, difference);
            }
            I::Arithmetic { d, op, a, b } => {
                let (x, y) = (self.get(a.0), self.get(b.0));
                let value = match op {
                    Operator::Multiply => {
                        let (product, over) = self.b.ins().smul_overflow(x, y);
                        self.fails_if_0(over, Fault::Overflow);
                        product
                    }
                    Operator::Min => self.b.ins().smin(x, y),
                    Operator::Max => self.b.ins().smax(x, y),
                    Operator::Divide | Operator::Modulo => return self.calls_for(instruction),
                };
                self.put(d.0, value);
            }
            I::Check { a, range } => {
                let a = self.get(a.0);
                self.in_range(a, range);
            }
            I::CheckSome { a, why } => {
                let a = self.get(a.0);
                let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 0);
                let minus = self.number(-1);
                self.fails_if(none, fault_of(why), minus);
            }
            I::Load { d, from, index } => {
                let value = self.load_number(from, index);
                self.put(d.0, value);
            }
            I::Store { to, index, a } => {
                let a = self.get(a.0);
                let to = self.number_at(to, index);
                self.store(MemoryRegion::Frame, a, to, 0);
            }
            I::ScaleAdd { d, a, k, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let scaled = self.b.ins().imul_imm_s(a, i64::from(k.0));
                let sum = self.b.ins().iadd(scaled, b);
                self.put(d.0, sum);
            }
            I::CountEqual { d, from, a } if accesses::is_plain_count(instruction, from.len) => {
                let wanted = self.get(a.0);
                let mut count = self.number(0);
                for at in from.at..from.at + from.len {
                    let number = self.get(at);
                    let equal = self.b.ins().icmp(IntCC::Equal, number, wanted);
                    let equal = self.b.ins().uextend(I64, equal);
                    count = self.b.ins().iadd(count, equal);
                }
                self.put(d.0, count);
            }
            I::Where { d, from, index, stride, size, test, k } if accesses::is_plain_test(stride, size) => {
                let set = self.elements_where(from, index, stride, size, test, k);
                self.put_set(d.0, &set);
            }
            I::Look { d, table, index } => {
                let rows = self.program.number_tables[usize::from(table.0)];
                let place = self.row_of(index, rows.low, rows.count);
                let pool = self.address(self.program.numbers.as_ptr().wrapping_add(rows.first as usize));
                let offset = self.b.ins().ishl_imm_u(place, 3);
                let from = self.b.ins().iadd(pool, offset);
                let value = self.b.ins().load(I64, Self::tables(), from, 0);
                self.put(d.0, value);
            }
            I::Jump { to } => self.go(to.0),
            I::Loop { to } => {
                self.spend(1 + ((self.at + 1).saturating_sub(usize::from(to.0)) / LENGTH) as i64);
                self.go(to.0);
            }
            I::IfEqual { a, b, is, to } => self.if_compare(IntCC::Equal, a, b, is, to),
            I::IfLess { a, b, is, to } => self.if_compare(IntCC::SignedLessThan, a, b, is, to),
            I::IfEqualK { a, k, is, to } => self.if_compare_k(IntCC::Equal, a, k, is, to),
            I::IfLessK { a, k, is, to } => self.if_compare_k(IntCC::SignedLessThan, a, k, is, to),
            _ => self.set_instruction(instruction),
        }
    }

    /// Sets, and jumps that test them.
    fn set_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::SetConst { d, k } => {
                let k = self.constant(k);
                self.put_set(d.0, &k);
            }
            I::SetCopy { d, a } => {
                let a = self.set(a.0);
                self.put_set(d.0, &a);
            }
            I::And { d, a, b } => {
                let (a, b) = (self.set(a.0), self.set(b.0));
                let set = self.and(&a, &b);
                self.put_set(d.0, &set);
            }
            I::AndK { d, a, k } => {
                let (a, k) = (self.set(a.0), self.constant(k));
                let set = self.and(&a, &k);
                self.put_set(d.0, &set);
            }
            I::Or { d, a, b } => {
                let (a, b) = (self.set(a.0), self.set(b.0));
                let set = self.or(&a, &b);
                self.put_set(d.0, &set);
            }
            I::Minus { d, a, b } => {
                let (a, b) = (self.set(a.0), self.set(b.0));
                let set = self.minus(&a, &b);
                self.put_set(d.0, &set);
            }
            I::LoadSet { d, from, index } => {
                let set = self.set_of(from, index);
                self.put_set(d.0, &set);
            }
            I::StoreSet { to, index, a } => {
                let a = self.set(a.0);
                self.changes_set_of(to, index, &a, |_, _, a| a.to_vec());
            }
            I::StoreOr { to, index, a } => {
                let a = self.set(a.0);
                self.changes_set_of(to, index, &a, Self::or);
            }
            I::StoreMinus { to, index, a } => {
                let a = self.set(a.0);
                self.changes_set_of(to, index, &a, Self::minus);
            }
            I::LookSet { d, table, index } => {
                let row = self.row(table, index);
                self.put_set(d.0, &row);
            }
            I::Insert { d, e, size } => {
                self.inserts(d.0, e, size.0);
            }
            I::Count { d, a } => {
                let a = self.set(a.0);
                let count = self.count(&a);
                self.put(d.0, count);
            }
            I::First { d, a } => {
                let set = self.set(a.0);
                let first = self.first(&set);
                self.put(d.0, first);
                if let [word] = set[..] {
                    let lower = self.b.ins().ineg(word);
                    let set = self.b.ins().band(word, lower);
                    self.single =
                        Some(SingleElement { word: d.0, set, within: self.flow.within[usize::from(a.0)] });
                }
            }
            I::Last { d, a } => {
                let a = self.set(a.0);
                let last = self.last(&a);
                self.put(d.0, last);
            }
            I::IfSome { a, is, to } => {
                let a = self.set(a.0);
                let any = self.any(&a);
                self.jump_if(any, is, to);
            }
            I::IfIn { a, e, size, is, to } => {
                let (set, e) = (self.set_place(a.0), self.get(e.0));
                let has = self.contains(set, e, size.0);
                self.jump_if(has, is, to);
            }
            I::IfLoadIn { from, index, e, size, is, to } => {
                let has = self.load_contains(from, index, e, size.0);
                self.jump_if(has, is, to);
            }
            I::IfSubset { a, b, is, to } => {
                let any = self.rest(a, b);
                self.jump_if(any, Truth(!is.0), to);
            }
            I::IfSame { a, b, is, to } => {
                let any = self.difference(a, b);
                self.jump_if(any, Truth(!is.0), to);
            }
            I::Pop { d, from, to } if self.width == 1 => {
                let set = self.get(from.0);
                self.none_if_zero(set, to);
                let e = self.b.ins().ctz(set);
                let less = self.b.ins().iadd_imm_s(set, -1);
                let rest = self.b.ins().band(set, less);
                self.put(from.0, rest);
                self.put(d.0, e);
            }
            I::PopFrom { d, from, e, to } if self.width == 1 => {
                let set = self.get(from.0);
                self.none_if_zero(set, to);
                let start = self.get(e.0);
                let shifted = self.b.ins().ushr(set, start);
                let behind = self.b.ins().ishl(shifted, start);
                let (is_one, zero) =
                    (self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, start, 64), self.number(0));
                let behind = self.b.ins().select(is_one, behind, zero);
                let from_here = self.b.ins().select(behind, behind, set);
                let e = self.b.ins().ctz(from_here);
                let rest = self.changed(set, e, false);
                self.put(from.0, rest);
                self.put(d.0, e);
            }
            I::Shift { d, a, k, by } if self.width == 1 => {
                let (a, k) = (self.get(a.0), self.constant(k)[0]);
                let n = i64::from(by.0.unsigned_abs() & 63);
                let moved =
                    if by.0 < 0 { self.b.ins().ushr_imm_u(a, n) } else { self.b.ins().ishl_imm_u(a, n) };
                let set = self.b.ins().band(moved, k);
                self.put(d.0, set);
            }
            _ => self.board_instruction(instruction),
        }
    }

    /// Sets of a board: functions, lines and pieces.
    fn board_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::Columns { d, a, width, height } if flow::is_folded(self.program, width) => {
                let (width, height) = (u32::from(width.0), u32::from(height.0));
                let mut folded = self.get(a.0);
                let mut rows = 1;
                while rows < height && width * rows < 64 {
                    let by = self.b.ins().ushr_imm_u(folded, i64::from(width * rows));
                    folded = self.b.ins().bor(folded, by);
                    rows *= 2;
                }
                let set = self.b.ins().band_imm_u(folded, (1 << width) - 1);
                self.put(d.0, set);
            }
            I::Apply { d, f, a, b } => self.applies(instruction, d.0, f, [a.0, b.0, b.0]),
            I::Reach { d, f, a, b, me } if !self.is_wide() => {
                self.reaches(instruction, d.0, f, [a.0, b.0], me);
            }
            I::Apply3 { d, f, a, b, c } => self.applies(instruction, d.0, f, [a.0, b.0, c.0]),
            I::Score { d, a, lines } if self.is_plain_line(lines.0) => {
                self.spend(1 + self.width as i64 / 4);
                let a = self.get(a.0);
                let points = self.points(&self.program.lines[usize::from(lines.0)], a);
                self.put(d.0, points);
            }
            I::IfLine { from, index, lines, is, to } if self.is_plain_line(lines.0) => {
                let set = self.set_of(from, index)[0];
                let within =
                    self.own_set(from, index).map_or(u64::MAX, |word| self.flow.within[usize::from(word)]);
                let any = self.any_line(&self.program.lines[usize::from(lines.0)], set, within);
                self.jump_if(any, is, to);
            }
            I::IfLine { from, index, lines, is, to } if !self.is_wide() => {
                let any = match self.flow.new_line(self.program, self.at) {
                    Some(e) => self.line_through(from, index, lines, e),
                    None => {
                        let index = self.index(index, from.len);
                        self.store(
                            MemoryRegion::Context,
                            index,
                            self.context,
                            offset_of!(CallContext, value),
                        );
                        self.calls(calls::has_line(self.program.width))
                    }
                };
                self.jump_if(any, is, to);
            }
            I::Place { to, index, empty, e, size } => self.places(to, index, empty.0, e, size.0),
            I::PlaceOn { to, index, empty, on, e, size } => {
                let (e, after) = self.element(e, size.0);
                let at = self.set_at(to, index);
                self.changes_at(at, e, true);
                let at = self.set_at(empty, on);
                self.changes_at(at, e, false);
                self.ends_if(after);
            }
            _ => self.mask_instruction(instruction),
        }
    }

    /// Reset words, and masks of legal actions.
    fn mask_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::Reset { words } if self.is_short(instruction, words) => self.reset(words),
            I::RegionClear { words } if self.is_short(instruction, words) => {
                let zero = self.number(0);
                (words.at..words.at + words.len).for_each(|at| self.put(at, zero));
            }
            I::RegionSet { words, a } => {
                for k in 0..words.len.min(self.program.width) {
                    let word = self.get(a.0 + k);
                    self.put(words.at + k, word);
                }
            }
            I::RegionRow { words, size, row, a } => {
                let row = self.get(row.0);
                let len = u64::from(size.0).div_ceil(64).min(self.width as u64);
                // The mask has the row if it is less than `rows`.
                let rows = u64::from(words.len).checked_div(len).unwrap_or(i64::MAX as u64);
                let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, row, rows as i64);
                self.fails_if(outside, Fault::Index, row);
                let offset = self.b.ins().imul_imm_s(row, 8 * len as i64);
                let at = self.b.ins().iadd(self.frame, offset);
                for k in 0..len as u16 {
                    let word = self.get(a.0 + k);
                    self.store(MemoryRegion::Frame, word, at, usize::from(words.at + k) * 8);
                }
            }
            I::NextSubset { d, a, to } => {
                let (of, subset) = (self.get(a.0), self.get(d.0));
                let others = self.b.ins().bnot(of);
                let next = self.b.ins().bor(subset, others);
                let next = self.b.ins().iadd_imm_s(next, 1);
                let next = self.b.ins().band(next, of);
                self.put(d.0, next);
                self.jump_if(next, Truth(false), to);
            }
            I::RegionBit { d, bit } => {
                let word = self.get(d.0);
                let word = self.b.ins().bor_imm_u(word, (1u64 << (bit.0 & 63)) as i64);
                self.put(d.0, word);
            }
            _ => self.stop_instruction(instruction),
        }
    }

    /// Decisions, trials and chance events.
    fn stop_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::ChooseOne { stop, option, d, a, me, to } => self.chooses_one(stop, option, d, a, me, to),
            I::Choose { stop, to } => self.chooses(instruction, stop, to),
            I::ChooseTried { stop, to } if self.tries_inline(stop) => self.begins_trials(stop, to),
            I::Failed { stop, to } if self.tries_inline(stop) => self.tries_next(stop, to),
            I::ChooseTried { stop, to } | I::Failed { stop, to } if self.plays() => {
                let result = self.interprets(instruction);
                self.goes_to_body(result, stop, to);
            }
            I::ChooseTried { stop, to } => {
                if tries_inline(self.choice(stop)) {
                    self.tries_candidates(stop);
                }
                self.interprets(instruction);
                self.go(to.0);
            }
            I::Failed { stop, .. } => {
                self.ends_trial(stop, false);
                self.notes_spent();
                self.stops_with(FAILED_CODE);
            }
            I::Kept { option, .. } if self.plays() => {
                self.counts_decision();
                self.counts_option(option.0.into());
            }
            I::Kept { stop, .. } => {
                self.ends_trial(stop, true);
                self.notes_spent();
                self.stops_with(KEPT_CODE + self.at as i64 + 1);
            }
            I::Roll { stop, dice } if accesses::is_plain_roll(self.program, instruction) => {
                self.chance_or_wait(stop);
                self.rolls(dice.0);
            }
            I::RollSome { stop, dice, a } if accesses::is_plain_roll(self.program, instruction) => {
                self.rolls_some(instruction, stop, dice.0, a.0);
            }
            I::Pick { stop, d, a } if !self.is_wide() => self.picks(stop, d.0, a.0),
            _ => self.turn_instruction(instruction),
        }
    }

    /// Steps, turns, positions and ends. The interpreter executes an instruction that has no arm here or above.
    fn turn_instruction(&mut self, instruction: &I) {
        match *instruction {
            I::Mark { step } => self.marks(step),
            I::NextTurn { mover, to } => {
                self.ends_turn(Count::Turns);
                self.next_turn(mover, to.0);
            }
            I::SameTurn { to } => {
                self.ends_turn(Count::Turns);
                self.go(to.0);
            }
            I::RepeatTurn { to } => {
                self.ends_turn(Count::Repeats);
                self.go(to.0);
            }
            I::Note { past } => {
                let (address, past) = (self.address(calls::note as *const u8), self.number(past.0.into()));
                let noted = self.calls_with(address, &[self.context, past]);
                let full = self.b.ins().icmp_imm_u(IntCC::Equal, noted, 0);
                self.fails_if_0(full, Fault::Positions);
            }
            I::Repeated { d, past, n } => {
                let address = self.address(calls::repeated as *const u8);
                let (past, n) = (self.number(past.0.into()), self.get(n.0));
                let was = self.calls_with(address, &[self.context, past, n]);
                self.put(d.0, was);
            }
            I::Fail { why } => {
                let minus = self.number(-1);
                self.fails(fault_of(why), minus);
            }
            I::Over { end, result, player, turns } => self.ends(end.0, result, player, turns.0 > 0),
            I::Halt {} => self.stops_with(if self.kind == RunKind::Games { OVER_CODE } else { HALT_CODE }),
            _ => self.calls_for(instruction),
        }
    }
}

fn fault_of(why: Failure) -> Fault {
    match why {
        Failure::NoneIndex => Fault::NoneIndex,
        Failure::NoneValue => Fault::NoneValue,
    }
}
