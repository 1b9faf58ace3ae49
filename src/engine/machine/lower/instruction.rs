//! What each instruction does.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder};

use super::{Count, FAILED_CODE, HALT_CODE, KEPT_CODE, Lower, OVER_CODE, Place};
use crate::engine::machine::{Kind, calls, flow};
use crate::engine::tally::{Fault, LENGTH};
use crate::program::{Failure, Function as Of, Instruction as I, Rare, SiteKind};

impl Lower<'_, '_> {
    pub(super) fn instruction(&mut self, instruction: &I) {
        if self.is_wide() && works_on_sets(instruction) {
            return self.calls_for(instruction);
        }
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
            I::CopyIn { d, a, range } => {
                let a = self.get(a.0);
                self.in_range(a, range);
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
            I::AddIn { d, a, b, range } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let sum = self.sum(a, b);
                self.in_range(sum, range);
                self.put(d.0, sum);
            }
            I::AddKIn { d, a, k, range } => {
                let (a, k) = (self.get(a.0), self.number(k.0.into()));
                let sum = self.sum(a, k);
                self.in_range(sum, range);
                self.put(d.0, sum);
            }
            I::Subtract { d, a, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let (difference, over) = self.b.ins().ssub_overflow(a, b);
                self.fails_if_0(over, Fault::Overflow);
                self.put(d.0, difference);
            }
            I::Rarely { d, op, a, b } => {
                let (x, y) = (self.get(a.0), self.get(b.0));
                let value = match op {
                    Rare::Multiply => {
                        let (product, over) = self.b.ins().smul_overflow(x, y);
                        self.fails_if_0(over, Fault::Overflow);
                        product
                    }
                    Rare::Min => self.b.ins().smin(x, y),
                    Rare::Max => self.b.ins().smax(x, y),
                    Rare::Divide | Rare::Modulo => return self.calls_for(instruction),
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
                let index = self.get(index.0);
                let value = self.load_number(from, index);
                self.put(d.0, value);
            }
            I::Store { to, index, a } => {
                let (a, index) = (self.get(a.0), self.get(index.0));
                let to = self.number_at(to, index);
                self.store(Place::Frame, a, to, 0);
            }
            I::StoreAddIn { to, index, a, range } => {
                let index = self.get(index.0);
                let to = self.number_at(to, index);
                let (number, a) = (self.load(Place::Frame, to, 0), self.get(a.0));
                let sum = self.sum(number, a);
                self.in_range(sum, range);
                self.store(Place::Frame, sum, to, 0);
            }
            I::LoadAdd { d, from, index, a } => {
                let index = self.get(index.0);
                let (number, a) = (self.load_number(from, index), self.get(a.0));
                let sum = self.sum(number, a);
                self.put(d.0, sum);
            }
            I::IfLoadLessK { from, index, k, to } => {
                let index = self.get(index.0);
                let number = self.load_number(from, index);
                self.compare_k(IntCC::SignedLessThan, number, k, to);
            }
            I::IfLoadGreaterEqualK { from, index, k, to } => {
                let index = self.get(index.0);
                let number = self.load_number(from, index);
                self.compare_k(IntCC::SignedGreaterThanOrEqual, number, k, to);
            }
            I::ScaleAdd { d, a, k, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let scaled = self.b.ins().imul_imm_s(a, i64::from(k.0));
                let sum = self.b.ins().iadd(scaled, b);
                self.put(d.0, sum);
            }
            I::Look { d, table, index } => {
                let rows = self.program.number_tables[usize::from(table.0)];
                let index = self.get(index.0);
                let place = if rows.low == 0 {
                    index
                } else {
                    self.b.ins().iadd_imm_s(index, rows.low.wrapping_neg())
                };
                let outside =
                    self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, place, i64::from(rows.count));
                self.fails_if(outside, Fault::Index, index);
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
            I::IfEqual { a, b, to } => self.if_compare(IntCC::Equal, a, b, to),
            I::IfNotEqual { a, b, to } => self.if_compare(IntCC::NotEqual, a, b, to),
            I::IfLess { a, b, to } => self.if_compare(IntCC::SignedLessThan, a, b, to),
            I::IfLessEqual { a, b, to } => self.if_compare(IntCC::SignedLessThanOrEqual, a, b, to),
            I::IfEqualK { a, k, to } => self.if_compare_k(IntCC::Equal, a, k, to),
            I::IfNotEqualK { a, k, to } => self.if_compare_k(IntCC::NotEqual, a, k, to),
            I::IfLessK { a, k, to } => self.if_compare_k(IntCC::SignedLessThan, a, k, to),
            I::IfGreaterEqualK { a, k, to } => self.if_compare_k(IntCC::SignedGreaterThanOrEqual, a, k, to),
            I::Less { d, a, b } => {
                let (a, b) = (self.get(a.0), self.get(b.0));
                let less = self.b.ins().icmp(IntCC::SignedLessThan, a, b);
                let less = self.b.ins().uextend(I64, less);
                self.put(d.0, less);
            }
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
                let index = self.get(index.0);
                let at = self.set_at(from, index);
                let set = self.load_words(at);
                self.put_set(d.0, &set);
            }
            I::StoreSet { to, index, a } => {
                let (a, index) = (self.set(a.0), self.get(index.0));
                let at = self.set_at(to, index);
                self.store_words(&a, at);
            }
            I::StoreOr { to, index, a } => {
                let (a, index) = (self.set(a.0), self.get(index.0));
                let at = self.set_at(to, index);
                let own = self.load_words(at);
                let set = self.or(&own, &a);
                self.store_words(&set, at);
            }
            I::StoreMinus { to, index, a } => {
                let (a, index) = (self.set(a.0), self.get(index.0));
                let at = self.set_at(to, index);
                let own = self.load_words(at);
                let set = self.minus(&own, &a);
                self.store_words(&set, at);
            }
            I::LookSet { d, table, index } => {
                let index = self.get(index.0);
                let row = self.row(table, index);
                self.put_set(d.0, &row);
            }
            I::LookAnd { d, table, index, a } => {
                let index = self.get(index.0);
                let row = self.row(table, index);
                let a = self.set(a.0);
                let set = self.and(&row, &a);
                self.put_set(d.0, &set);
            }
            I::LookFirst { d, table, index, a } => {
                let index = self.get(index.0);
                let row = self.row(table, index);
                let a = self.set(a.0);
                let set = self.and(&row, &a);
                let first = self.first(&set);
                self.put(d.0, first);
            }
            I::Insert { d, e, size } => {
                let e = self.get(e.0);
                self.changes_if_element(d.0, e, size.0, true);
            }
            I::Remove { d, e, size } => {
                let e = self.get(e.0);
                self.changes_if_element(d.0, e, size.0, false);
            }
            I::Count { d, a } => {
                let a = self.set(a.0);
                let count = self.count(&a);
                self.put(d.0, count);
            }
            I::First { d, a } => {
                let a = self.set(a.0);
                let first = self.first(&a);
                self.put(d.0, first);
            }
            I::Last { d, a } => {
                let a = self.set(a.0);
                let last = self.last(&a);
                self.put(d.0, last);
            }
            I::IfEmpty { a, to } => {
                let a = self.set(a.0);
                let any = self.any(&a);
                let empty = self.b.ins().icmp_imm_u(IntCC::Equal, any, 0);
                self.jump_if(empty, to);
            }
            I::IfSome { a, to } => {
                let a = self.set(a.0);
                let any = self.any(&a);
                self.jump_if(any, to);
            }
            I::IfIn { a, e, size, to } => {
                let (set, e) = (self.set_place(a.0), self.get(e.0));
                let is = self.contains(set, e, size.0);
                self.jump_if(is, to);
            }
            I::IfNotIn { a, e, size, to } => {
                let (set, e) = (self.set_place(a.0), self.get(e.0));
                let is = self.contains(set, e, size.0);
                self.jump_if_not(is, to);
            }
            I::IfLoadIn { from, index, e, size, to } => {
                let is = self.load_contains(from, index, e, size.0);
                self.jump_if(is, to);
            }
            I::IfLoadNotIn { from, index, e, size, to } => {
                let is = self.load_contains(from, index, e, size.0);
                self.jump_if_not(is, to);
            }
            I::IfSubset { a, b, to } => {
                let any = self.rest(a, b);
                self.jump_if_not(any, to);
            }
            I::IfNotSubset { a, b, to } => {
                let any = self.rest(a, b);
                self.jump_if(any, to);
            }
            I::IfSame { a, b, to } => {
                let any = self.difference(a, b);
                self.jump_if_not(any, to);
            }
            I::IfNotSame { a, b, to } => {
                let any = self.difference(a, b);
                self.jump_if(any, to);
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
            I::Shift { d, a, k, by } if self.width == 1 => {
                let (a, k) = (self.get(a.0), self.constant(k)[0]);
                let n = i64::from(by.0.unsigned_abs() & 63);
                let moved =
                    if by.0 < 0 { self.b.ins().ushr_imm_u(a, n) } else { self.b.ins().ishl_imm_u(a, n) };
                let set = self.b.ins().band(moved, k);
                self.put(d.0, set);
            }
            I::Columns { d, a, width, height } if self.width == 1 && width.0 < 64 => {
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
            I::Apply { d, f, a, .. }
                if self.width == 1
                    && matches!(
                        self.program.functions[usize::from(f.0)],
                        Of::UnionOfRows { moves: Some(_), .. }
                    ) =>
            {
                self.spend(1 + 2);
                let Of::UnionOfRows { moves: Some(moves), .. } = &self.program.functions[usize::from(f.0)]
                else {
                    unreachable!("it was one")
                };
                let a = self.get(a.0);
                let union = self.spreads(moves, a);
                self.put(d.0, union);
            }
            I::Apply { .. } | I::ApplyN { .. } | I::Apply3 { .. } | I::Reach { .. } | I::Enclosed { .. } => {
                self.spend(1 + 2 * self.width as i64);
                self.calls_for(instruction);
            }
            I::Score { d, a, lines } => {
                self.spend(1 + self.width as i64 / 4);
                if !self.is_plain_line(lines.0) {
                    return self.calls_for(instruction);
                }
                let a = self.get(a.0);
                let points = self.points(&self.program.lines[usize::from(lines.0)], a);
                self.put(d.0, points);
            }
            I::Longest { .. } => {
                self.spend(1 + self.width as i64 / 4);
                self.calls_for(instruction);
            }
            I::IfLine { from, index, lines, to } if self.is_plain_line(lines.0) => {
                let index = self.get(index.0);
                let at = self.set_at(from, index);
                let set = self.load(Place::Frame, at, 0);
                let any = self.any_line(&self.program.lines[usize::from(lines.0)], set);
                self.jump_if(any, to);
            }
            I::IfNoLine { from, index, lines, to } if self.is_plain_line(lines.0) => {
                let index = self.get(index.0);
                let at = self.set_at(from, index);
                let set = self.load(Place::Frame, at, 0);
                let any = self.any_line(&self.program.lines[usize::from(lines.0)], set);
                self.jump_if_not(any, to);
            }
            I::LineFullNext { from, mover, lines, empty, won, full } => {
                let any = if self.is_plain_line(lines.0) {
                    let index = self.get(mover.0);
                    let at = self.set_at(from, index);
                    let set = self.load(Place::Frame, at, 0);
                    self.any_line(&self.program.lines[usize::from(lines.0)], set)
                } else {
                    // Its operand says that the mover is written; it is read as well.
                    if let Some(register) = self.registers[usize::from(mover.0)] {
                        let seat = self.b.use_var(register);
                        self.store(Place::Frame, seat, self.frame, usize::from(mover.0) * 8);
                    }
                    let result = self.calls_this(instruction);
                    self.fails_after(result);
                    result
                };
                let (won, next) = (self.node(won.0), self.new_node(false));
                self.b.ins().brif(any, won, &[], next, &[]);
                self.b.switch_to_block(next);
                let empty = if self.is_wide() { self.all_of(empty.0) } else { self.set(empty.0) };
                let any = self.any(&empty);
                let (full, next) = (self.node(full.0), self.new_node(false));
                self.b.ins().brif(any, next, &[], full, &[]);
                self.b.switch_to_block(next);
                self.ends_turn(Count::Turns);
                self.next_turn(mover, self.program.turn.0);
            }
            I::Place { to, index, empty, e, size } => {
                let e = self.get(e.0);
                let after = self.if_element(e, size.0);
                let index = self.get(index.0);
                let at = self.set_at(to, index);
                self.changes_at(at, e, true);
                self.changes(empty.0, e, false);
                self.ends_if(after);
            }
            I::PlaceOn { to, index, empty, on, e, size } => {
                let e = self.get(e.0);
                let after = self.if_element(e, size.0);
                let index = self.get(index.0);
                let at = self.set_at(to, index);
                self.changes_at(at, e, true);
                let on = self.get(on.0);
                let at = self.set_at(empty, on);
                self.changes_at(at, e, false);
                self.ends_if(after);
            }
            I::PlaceFirst { d, to, seat, empty, table, index } => {
                let index = self.get(index.0);
                let e = if self.is_wide() {
                    self.first_of_row(table, index, empty.0)
                } else {
                    let row = self.row(table, index);
                    let free = self.set(empty.0);
                    let set = self.and(&row, &free);
                    self.first(&set)
                };
                self.put(d.0, e);
                let after = self.if_element(e, (64 * self.width) as u16);
                self.changes(empty.0, e, false);
                let seat = self.get(seat.0);
                let at = self.set_at(to, seat);
                self.changes_at(at, e, true);
                self.ends_if(after);
                self.go(self.at as u16 + 2);
            }
            I::Reset { words } => self.reset(words),
            I::Reset1 { d } => {
                let initial = self.number(self.program.initial[usize::from(d.0)] as i64);
                self.put(d.0, initial);
            }
            I::RegionClear { words } => {
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
                // The row lies inside if it is none of these.
                let rows = u64::from(words.len).checked_div(len).unwrap_or(i64::MAX as u64);
                let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, row, rows as i64);
                self.fails_if(outside, Fault::Index, row);
                let offset = self.b.ins().imul_imm_s(row, 8 * len as i64);
                let at = self.b.ins().iadd(self.frame, offset);
                for k in 0..len as u16 {
                    let word = self.get(a.0 + k);
                    self.store(Place::Frame, word, at, usize::from(words.at + k) * 8);
                }
            }
            I::NextSubset { d, a, to } => {
                let (of, subset) = (self.get(a.0), self.get(d.0));
                let others = self.b.ins().bnot(of);
                let next = self.b.ins().bor(subset, others);
                let next = self.b.ins().iadd_imm_s(next, 1);
                let next = self.b.ins().band(next, of);
                self.put(d.0, next);
                self.jump_if_not(next, to);
            }
            I::RegionBit { d, bit } => {
                let word = self.get(d.0);
                let word = self.b.ins().bor_imm_u(word, (1u64 << (bit.0 & 63)) as i64);
                self.put(d.0, word);
            }
            I::RegionBitIfLess { d, bit, a, k } => {
                let word = self.get(d.0);
                let one = self.bit_if_less(bit.0, a, k);
                let word = self.b.ins().bor(word, one);
                self.put(d.0, word);
            }
            I::RegionBitsIfLess { d, bits, bit, a, k } => {
                let one = self.bit_if_less(bit.0, a, k);
                let word = self.b.ins().bor_imm_s(one, i64::from(bits.0));
                self.put(d.0, word);
            }
            I::ChooseOne { site, option, d, a, me, to } => {
                let (legal, n) = self.counted(a.0);
                self.none_if_zero(n, to);
                if !self.plays() {
                    return self.suspends(site);
                }
                self.decides();
                self.counts_option(option.0.into());
                let k = self.rank(n, me.0);
                let e = self.nth_of(legal, k, self.elements(site));
                self.put(d.0, e);
                self.go(self.at as u16 + 1);
            }
            I::LookChoose { site, d, table, index, a, to } => {
                let SiteKind::Choice(choice) = &self.program.sites[usize::from(site.0)].kind else {
                    unreachable!("a choice chooses")
                };
                let index = self.get(index.0);
                let legal = if self.is_wide() {
                    self.wide_row(table, index, a.0)
                } else {
                    let row = self.row(table, index);
                    let a = self.set(a.0);
                    self.and(&row, &a)
                };
                let n = self.count(&legal);
                self.none_if_zero(n, to);
                if !self.plays() {
                    self.put_set(choice.region, &legal);
                    return self.suspends(site);
                }
                self.decides();
                self.counts_site(site);
                let k = self.rank(n, choice.me);
                let e = self.nth(&legal, k, self.elements(site));
                self.put(d.0, e);
                self.go(self.at as u16 + 1);
            }
            I::ChoosePlace { site, d, on, me, empty, to } => {
                let (free, n) = self.counted(empty.0);
                self.none_if_zero(n, to);
                if !self.plays() {
                    return self.suspends(site);
                }
                self.decides();
                let k = self.rank(n, me.0);
                let size = match self.program.code[self.at + 1] {
                    I::Place { size, .. } => size.0.into(),
                    _ => u32::MAX,
                };
                let e = self.nth_of(free, k, size);
                self.put(d.0, e);
                self.changes(empty.0, e, false);
                let seat = self.get(me.0);
                let at = self.set_at(on, seat);
                self.changes_at(at, e, true);
                self.counts_site(site);
                self.go(self.at as u16 + 2);
            }
            I::ChooseBits { site, a, me, first, to } => {
                let legal = self.get(a.0);
                self.none_if_zero(legal, to);
                if !self.plays() {
                    return self.suspends(site);
                }
                self.decides();
                let n = self.b.ins().popcnt(legal);
                let k = self.rank(n, me.0);
                let SiteKind::Choice(choice) = &self.program.sites[usize::from(site.0)].kind else {
                    unreachable!("a choice chooses")
                };
                let most = choice.parts.iter().map(|part| u32::from(part.bit) + 1).max().unwrap_or(64);
                let bit = self.nth(&[legal], k, most);
                let mut ways = vec![];
                for part in &choice.parts {
                    let body = self.program.bodies[usize::from(first.0) + usize::from(part.bit & 63)];
                    ways.push((part.bit, usize::from(body.option), body.at.0));
                }
                self.goes_one_of(bit, &ways, |_, _| {});
            }
            I::ChooseFew { site, few, me, to } => {
                let few = &self.program.few[usize::from(few.0)];
                let mut legal = self.number(0);
                for (at, shift) in few.words.iter().zip(few.shifts) {
                    if *at != crate::program::ZERO {
                        let word = self.get(*at);
                        let word = self.b.ins().ishl_imm_u(word, i64::from(shift & 63));
                        legal = self.b.ins().bor(legal, word);
                    }
                }
                self.none_if_zero(legal, to);
                if !self.plays() {
                    return self.suspends(site);
                }
                self.decides();
                let n = self.b.ins().popcnt(legal);
                let k = self.rank(n, me.0);
                let used = |way: &crate::program::Way| way.option != u16::MAX;
                let most = few.ways.iter().rposition(used).map_or(64, |last| last as u32 + 1);
                let bit = self.nth(&[legal], k, most);
                let mut ways = vec![];
                for (bit, way) in few.ways.iter().enumerate() {
                    if used(way) {
                        ways.push((bit as u8, usize::from(way.option), way.at.0));
                    }
                }
                self.goes_one_of(bit, &ways, |lower, bit| {
                    for (at, n) in few.ways[usize::from(bit)].bound {
                        if at != crate::program::ZERO {
                            let n = lower.number(n.into());
                            lower.put(at, n);
                        }
                    }
                });
            }
            I::Choose { site, to } => {
                if !self.plays() {
                    return self.suspends_if_some(site, to);
                }
                self.writes_counters(&[Count::Decisions]);
                let result = self.calls_this(instruction);
                self.reads_counters(&[Count::Decisions]);
                self.jumps_after(result, to);
                self.refill();
                self.goes_to_body(result, site);
            }
            I::ChooseTried { site, to } => {
                if !self.plays() {
                    let none = self.calls(calls::any_tried);
                    let (target, next) = (self.node(to.0), self.new_node(false));
                    self.b.ins().brif(none, target, &[], next, &[]);
                    self.b.switch_to_block(next);
                    return self.suspends(site);
                }
                self.tries(instruction, site, to);
            }
            I::Failed { site, to } => {
                if !self.plays() {
                    self.notes_spent();
                    return self.stops_with(FAILED_CODE);
                }
                self.tries(instruction, site, to);
            }
            I::Kept { .. } => {
                if !self.plays() {
                    self.notes_spent();
                    return self.stops_with(KEPT_CODE + self.at as i64 + 1);
                }
                self.writes_counters(&[Count::Decisions]);
                let result = self.calls_this(instruction);
                self.fails_after(result);
                self.reads_counters(&[Count::Decisions]);
            }
            I::Roll { site, dice } => {
                self.chance_or_wait(site);
                if !flow::is_plain_roll(self.program, instruction) {
                    self.writes_counters(&[Count::Rolls]);
                    self.calls_this(instruction);
                    self.reads_counters(&[Count::Rolls]);
                } else {
                    self.rolls(dice.0);
                }
                self.go(self.at as u16 + 1);
            }
            I::RollSome { .. } | I::RollOne { .. } => {
                self.writes_counters(&[Count::Rolls]);
                self.calls_for(instruction);
                self.reads_counters(&[Count::Rolls]);
            }
            I::Pick { site, d, a } if !self.is_wide() => {
                let from = self.set(a.0);
                let n = self.count(&from);
                let (draw, known, next) = (self.new_node(false), self.new_node(false), self.new_node(false));
                let e = self.b.append_block_param(next, I64);
                let several = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, n, 1);
                self.b.ins().brif(several, draw, &[], known, &[]);
                self.b.switch_to_block(known);
                let first = self.first(&from);
                self.b.ins().jump(next, &[BlockArg::Value(first)]);
                self.b.switch_to_block(draw);
                self.open = true;
                self.chance_or_wait(site);
                let k = self.chance(n);
                let drawn = self.nth(&from, k, 64 * self.width as u32);
                self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
                self.b.switch_to_block(next);
                self.put(d.0, e);
            }
            I::Call { .. } | I::CallDrawing { .. } => {
                self.writes_budget();
                self.writes_counters(&Count::ALL);
                self.calls_for(instruction);
                self.reads_budget();
            }
            I::Mark { step } => self.marks(step),
            I::ResetNextTurn { words, mover, to } => {
                self.reset(words);
                self.ends_turn(Count::Turns);
                self.next_turn(mover, to.0);
            }
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
            I::Fail { why } => {
                let minus = self.number(-1);
                self.fails(fault_of(why), minus);
            }
            I::Over { end, result, player, turns } => self.ends(end.0, result, player, turns.0 > 0),
            I::Halt {} => self.stops_with(if self.kind == Kind::Games { OVER_CODE } else { HALT_CODE }),
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

/// Does an instruction go over whole sets, so that wide ones are left to a function?
fn works_on_sets(instruction: &I) -> bool {
    matches!(
        instruction,
        I::SetConst { .. }
            | I::SetCopy { .. }
            | I::And { .. }
            | I::AndK { .. }
            | I::Or { .. }
            | I::Minus { .. }
            | I::LoadSet { .. }
            | I::StoreSet { .. }
            | I::StoreOr { .. }
            | I::StoreMinus { .. }
            | I::LookSet { .. }
            | I::LookAnd { .. }
            | I::LookFirst { .. }
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
    )
}
