//! Numbers, and addresses of words.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

use super::{CodeGenerator, MemoryRegion};
use crate::native::compiled::calls::CallContext;
use crate::program::{In, Numbers, RangeRef, SetTable, Sets, Size, Small, Test};
use crate::run_state::Fault;

impl CodeGenerator<'_, '_> {
    pub(super) fn flags(&self, place: MemoryRegion) -> MemFlagsData {
        MemFlagsData::trusted().with_alias_region(Some(self.regions[place as usize]))
    }

    /// Flags for reading tables, which never change.
    pub(super) fn tables() -> MemFlagsData {
        MemFlagsData::trusted().with_readonly().with_can_move()
    }

    pub(super) fn load(&mut self, place: MemoryRegion, from: Value, offset: usize) -> Value {
        let flags = self.flags(place);
        self.b.ins().load(I64, flags, from, offset as i32)
    }

    pub(super) fn store(&mut self, place: MemoryRegion, value: Value, to: Value, offset: usize) {
        let flags = self.flags(place);
        self.b.ins().store(flags, value, to, offset as i32);
    }

    pub(super) fn number(&mut self, n: i64) -> Value {
        self.b.ins().iconst(I64, n)
    }

    pub(super) fn address<T>(&mut self, of: *const T) -> Value {
        self.number(of as i64)
    }

    pub(super) fn get(&mut self, at: u16) -> Value {
        if at == crate::program::ZERO {
            return self.number(0);
        }
        if self.flow.mover == Some(at) {
            return self.number(self.copy as i64);
        }
        match self.registers[usize::from(at)] {
            Some(register) => self.b.use_var(register),
            None => self.load(MemoryRegion::Frame, self.frame, usize::from(at) * 8),
        }
    }

    pub(super) fn put(&mut self, at: u16, value: Value) {
        self.single = self.single.filter(|single| single.word != at);
        match self.registers[usize::from(at)] {
            Some(register) => {
                self.b.def_var(register, value);
                if let Some(size) = self.sizes[usize::from(at)] {
                    let n = self.b.ins().popcnt(value);
                    self.b.def_var(size, n);
                }
            }
            None => self.store(MemoryRegion::Frame, value, self.frame, usize::from(at) * 8),
        }
    }

    /// Returns the address of a number of an array.
    pub(super) fn number_at(&mut self, of: Numbers, index: In) -> Value {
        let index = self.index(index, of.len);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let base = self.b.ins().iadd(self.frame, offset);
        self.b.ins().iadd_imm_s(base, i64::from(of.at) * 8)
    }

    pub(super) fn load_number(&mut self, of: Numbers, index: In) -> Value {
        let index = self.index(index, of.len);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let base = self.b.ins().iadd(self.frame, offset);
        self.load(MemoryRegion::Frame, base, usize::from(of.at) * 8)
    }

    /// Returns the set of the numbers that pass a test, of `size` numbers with a stride. Each is compared
    /// inline.
    pub(super) fn elements_where(
        &mut self,
        of: Numbers,
        index: In,
        stride: Small,
        size: Size,
        test: Test,
        k: Small,
    ) -> Vec<Value> {
        let first = self.index(index, of.len);
        let (stride, size) = (usize::from(stride.0.unsigned_abs()), usize::from(size.0));
        let reach = stride * (size - 1);
        let room = u64::from(of.len).saturating_sub(reach as u64);
        let is_inside = self.known(first).is_some_and(|first| (first as u64) < room);
        if !is_inside && !self.is_below(index.0, room) {
            let last = self.b.ins().iadd_imm_s(first, reach as i64);
            let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, last, i64::from(of.len));
            self.fails_if(outside, Fault::Index, last);
        }
        let condition = match test {
            Test::Less => IntCC::SignedLessThan,
            Test::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
            Test::Equal => IntCC::Equal,
            Test::NotEqual => IntCC::NotEqual,
        };
        let offset = self.b.ins().ishl_imm_u(first, 3);
        let base = self.b.ins().iadd(self.frame, offset);
        let zero = self.number(0);
        let mut set = vec![zero; self.width];
        for e in 0..size {
            let number = self.load(MemoryRegion::Frame, base, (usize::from(of.at) + e * stride) * 8);
            let passes = self.b.ins().icmp_imm_s(condition, number, i64::from(k.0));
            let passes = self.b.ins().uextend(I64, passes);
            let bit = self.b.ins().ishl_imm_u(passes, e as i64 % 64);
            set[e / 64] = self.b.ins().bor(set[e / 64], bit);
        }
        set
    }

    /// Returns the address of a set of a family.
    pub(super) fn set_at(&mut self, of: Sets, index: In) -> Value {
        let index = self.index(index, of.len);
        let offset = if self.width == 1 {
            self.b.ins().ishl_imm_u(index, 3)
        } else {
            self.b.ins().imul_imm_s(index, 8 * self.width as i64)
        };
        let base = self.b.ins().iadd(self.frame, offset);
        self.b.ins().iadd_imm_s(base, i64::from(of.at) * 8)
    }

    /// Returns the word of the set of the player to move, if it is known and in a register.
    pub(super) fn own_set(&self, of: Sets, index: In) -> Option<u16> {
        let word = of.at + self.copy as u16;
        let is_known = self.width == 1 && self.flow.mover == Some(index.0) && self.copy < of.len.into();
        (is_known && self.registers[usize::from(word)].is_some()).then_some(word)
    }

    /// Returns a set of a family.
    pub(super) fn set_of(&mut self, of: Sets, index: In) -> Vec<Value> {
        match self.own_set(of, index) {
            Some(word) => self.set(word),
            None => {
                let at = self.set_at(of, index);
                self.load_words(at)
            }
        }
    }

    /// Replaces a set of a family by the result of `change` for it and another set.
    pub(super) fn changes_set_of(
        &mut self,
        of: Sets,
        index: In,
        with: &[Value],
        change: fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) {
        if let Some(word) = self.own_set(of, index) {
            let own = self.set(word);
            let set = change(self, &own, with);
            return self.put_set(word, &set);
        }
        let at = self.set_at(of, index);
        let own = self.load_words(at);
        let set = change(self, &own, with);
        self.store_words(&set, at);
    }

    pub(super) fn load_words(&mut self, from: Value) -> Vec<Value> {
        (0..self.width).map(|k| self.load(MemoryRegion::Frame, from, 8 * k)).collect()
    }

    pub(super) fn store_words(&mut self, set: &[Value], to: Value) {
        set.iter().enumerate().for_each(|(k, word)| self.store(MemoryRegion::Frame, *word, to, 8 * k));
    }

    /// Returns an index. Faults if it is not less than `len`.
    pub(super) fn index(&mut self, at: In, len: u16) -> Value {
        let index = self.get(at.0);
        let is_known = self.known(index).is_some_and(|known| (known as u64) < u64::from(len));
        if !is_known && !self.is_below(at.0, len.into()) {
            let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, index, i64::from(len));
            self.fails_if(outside, Fault::Index, index);
        }
        index
    }

    /// Returns `true` if a word is always in `0..n`.
    pub(super) fn is_below(&self, at: u16, n: u64) -> bool {
        self.flow.below[usize::from(at)].is_some_and(|below| below <= n)
    }

    /// Returns the row for an index of a table that begins at `low`. Faults if there is none.
    pub(super) fn row_of(&mut self, index: In, low: i64, count: u32) -> Value {
        let at = self.get(index.0);
        let row = if low == 0 { at } else { self.b.ins().iadd_imm_s(at, low.wrapping_neg()) };
        let rows = i64::from(count).saturating_add(low);
        if low > 0 || rows < 0 || !self.is_below(index.0, rows as u64) {
            let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, row, i64::from(count));
            self.fails_if(outside, Fault::Index, at);
        }
        row
    }

    /// Returns the value, if it is a constant.
    pub(super) fn known(&self, value: Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let inst = dfg.value_def(value).inst()?;
        match dfg.insts[inst] {
            cranelift_codegen::ir::InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
            _ => None,
        }
    }

    /// Returns a row of a table of sets.
    pub(super) fn row(&mut self, table: SetTable, index: In) -> Vec<Value> {
        let rows = self.program.set_tables[usize::from(table.0)];
        let place = self.row_of(index, rows.low, rows.count);
        if let Some(first) = self.shifted_rows(table) {
            let first = self.number(first as i64);
            return vec![self.b.ins().ishl(first, place)];
        }
        let pool = self.address(self.program.sets.as_ptr().wrapping_add(rows.first as usize * self.width));
        let offset = self.b.ins().imul_imm_s(place, 8 * self.width as i64);
        let from = self.b.ins().iadd(pool, offset);
        (0..self.width).map(|k| self.b.ins().load(I64, Self::tables(), from, 8 * k as i32)).collect()
    }

    /// Returns row 0 of a table of sets if every row is row 0 shifted by its index, as in a table of the columns of a grid.
    fn shifted_rows(&self, table: SetTable) -> Option<u64> {
        let rows = self.program.set_tables[usize::from(table.0)];
        let sets = self.program.sets.get(rows.first as usize..)?.get(..rows.count as usize)?;
        let first = *sets.first()?;
        let is_shifted = |(i, set): (usize, &u64)| *set == first << i && *set >> i == first;
        let fits = self.width == 1 && rows.low == 0 && sets.len() <= 64;
        (fits && sets.iter().enumerate().all(is_shifted)).then_some(first)
    }

    /// Returns a number of the table that the code of a family reads.
    pub(super) fn open_number(&mut self, place: usize) -> Value {
        let at = offset_of!(CallContext, numbers) as i32;
        let table = self.b.ins().load(I64, Self::tables(), self.context, at);
        self.b.ins().load(I64, Self::tables(), table, 8 * place as i32)
    }

    pub(super) fn in_range(&mut self, value: Value, range: RangeRef) {
        if let Some(place) = self.numbers.of_range(range.0.into()) {
            // An open range begins at 0.
            let most = self.open_number(place);
            let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThan, value, most);
            return self.fails_if(outside, Fault::OutOfRange, value);
        }
        let range = &self.program.ranges[usize::from(range.0)];
        let (low, high) = (range.low, range.high);
        if low == i64::MIN && high == i64::MAX || low > high {
            if low > high {
                let always = self.b.ins().iconst(cranelift_codegen::ir::types::I8, 1);
                self.fails_if(always, Fault::OutOfRange, value);
            }
            return;
        }
        let above = if low == 0 { value } else { self.b.ins().iadd_imm_s(value, low.wrapping_neg()) };
        let most = high.wrapping_sub(low);
        let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, above, most);
        self.fails_if(outside, Fault::OutOfRange, value);
    }

    pub(super) fn sum(&mut self, a: Value, b: Value) -> Value {
        let (sum, over) = self.b.ins().sadd_overflow(a, b);
        self.fails_if_0(over, Fault::Overflow);
        sum
    }
}
