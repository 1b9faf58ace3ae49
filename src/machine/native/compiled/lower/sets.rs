//! Sets: operations on whole sets and on single elements.

use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Node, BlockArg, InstBuilder, Value};

use super::{CodeGenerator, MemoryRegion};
use crate::native::compiled::accesses;
use crate::native::compiled::calls;
use crate::native::compiled::flow::first_elements;
use crate::native::compiled::runs;
use crate::program::{FunctionRef, In, Instruction, SetFunction, SetIn, SetRef, Sets, ShiftTable};
use houserule_model::board::kernel::LANES;

/// The location of a set whose elements are tested.
#[derive(Clone, Copy)]
pub(super) enum SetPlace {
    Word(Value),
    At(Value),
}

impl CodeGenerator<'_, '_> {
    /// Returns the words of a set.
    pub(super) fn set(&mut self, a: u16) -> Vec<Value> {
        (0..self.width as u16).map(|k| self.get(a + k)).collect()
    }

    pub(super) fn put_set(&mut self, d: u16, set: &[Value]) {
        (d..).zip(set).for_each(|(at, word)| self.put(at, *word));
    }

    pub(super) fn constant(&mut self, k: SetRef) -> Vec<Value> {
        let first = usize::from(k.0) * self.width;
        (first..first + self.width).map(|at| self.number(self.program.sets[at] as i64)).collect()
    }

    pub(super) fn and(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band(*a, *b)).collect()
    }

    pub(super) fn or(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().bor(*a, *b)).collect()
    }

    pub(super) fn minus(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band_not(*a, *b)).collect()
    }

    /// Returns the union of the words: 0 for an empty set.
    pub(super) fn any(&mut self, set: &[Value]) -> Value {
        let mut any = set[0];
        for word in &set[1..] {
            any = self.b.ins().bor(any, *word);
        }
        any
    }

    pub(super) fn count(&mut self, set: &[Value]) -> Value {
        let mut sum = self.b.ins().popcnt(set[0]);
        for word in &set[1..] {
            let more = self.b.ins().popcnt(*word);
            sum = self.b.ins().iadd(sum, more);
        }
        sum
    }

    /// Returns the first element, or -1.
    pub(super) fn first(&mut self, set: &[Value]) -> Value {
        let mut first = self.number(-1);
        for (k, word) in set.iter().enumerate().rev() {
            let here = self.b.ins().ctz(*word);
            let here = if k > 0 { self.b.ins().iadd_imm_s(here, 64 * k as i64) } else { here };
            first = self.b.ins().select(*word, here, first);
        }
        first
    }

    /// Returns the last element, or -1.
    pub(super) fn last(&mut self, set: &[Value]) -> Value {
        let mut last = self.number(-1);
        for (k, word) in set.iter().enumerate() {
            let before = self.b.ins().clz(*word);
            let top = self.number(64 * k as i64 + 63);
            let here = self.b.ins().isub(top, before);
            last = self.b.ins().select(*word, here, last);
        }
        last
    }

    /// Tests whether `e` is less than `size` and in a set.
    pub(super) fn contains(&mut self, set: SetPlace, e: Value, size: u16) -> Value {
        let one = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let word = match set {
            SetPlace::Word(word) => word,
            SetPlace::At(base) => {
                let e = self.inside(one, e);
                let word = self.b.ins().ushr_imm_u(e, 6);
                let offset = self.b.ins().ishl_imm_u(word, 3);
                let from = self.b.ins().iadd(base, offset);
                self.load(MemoryRegion::Frame, from, 0)
            }
        };
        let shifted = self.b.ins().ushr(word, e);
        let bit = self.b.ins().ireduce(cranelift_codegen::ir::types::I8, shifted);
        let bit = self.b.ins().band_imm_u(bit, 1);
        self.b.ins().band(bit, one)
    }

    /// Returns `e` if the condition `one` holds, and 0 otherwise, so that its word can be read.
    pub(super) fn inside(&mut self, one: Value, e: Value) -> Value {
        let zero = self.number(0);
        self.b.ins().select(one, e, zero)
    }

    pub(super) fn set_place(&mut self, a: u16) -> SetPlace {
        if self.width == 1 {
            SetPlace::Word(self.get(a))
        } else {
            SetPlace::At(self.b.ins().iadd_imm_s(self.frame, i64::from(a) * 8))
        }
    }

    /// Calls a function of two sets, with the cache of player `me` if there is one.
    pub(super) fn finds(&mut self, instruction: &Instruction, f: FunctionRef, of: [u16; 3], me: Option<In>) {
        self.spends_on_function();
        self.writes_operands(instruction);
        let program = self.address(self.program);
        let function = self.address(&self.program.functions[usize::from(f.0)]);
        let operands = (0..).zip(of).fold(0, |all, (k, at)| all | i64::from(at) << (16 * k));
        let (operands, none) = (self.number(operands), self.number(-1));
        let address = self.address(calls::function(self.program.width, me.is_some()));
        let me = me.map_or(none, |me| self.get(me.0));
        self.calls_with(address, &[program, function, self.frame, operands, me]);
        self.reads_operands(instruction);
    }

    /// Applies a function of sets. Operands that the function doesn't use may be any set.
    pub(super) fn applies(&mut self, instruction: &Instruction, d: u16, f: FunctionRef, of: [u16; 3]) {
        let program = self.program;
        let function = &program.functions[usize::from(f.0)];
        if let SetFunction::UnionOfRows { moves: Some(moves), .. } = function
            && self.width <= 2
        {
            self.spends_on_function();
            let a = self.set(of[0]);
            let found = self.spreads(moves, 0..moves.distances.len(), &a);
            return self.put_set(d, &found);
        }
        if self.width > 1 {
            return match instruction {
                Instruction::Apply { .. } => self.finds(instruction, f, [d, of[0], of[1]], None),
                _ => self.calls_for(instruction),
            };
        }
        let Some((directions, finds)) = runs::directions_and_finder(function) else {
            return self.calls_for(instruction);
        };
        self.spends_on_function();
        let masks = &program.sets[directions.masks as usize..][..2 * LANES];
        let (directions, masks) = (self.address(directions), self.address(masks.as_ptr()));
        let ([a, b, c], finds) = (of.map(|at| self.get(at)), self.address(finds as *const u8));
        let found = self.calls_with(finds, &[directions, masks, a, b, c]);
        self.put(d, found);
    }

    fn spends_on_function(&mut self) {
        self.spend(1 + 2 * self.width as i64);
    }

    /// Writes what can be reached from a set through another one.
    pub(super) fn reaches(
        &mut self,
        instruction: &Instruction,
        d: u16,
        f: FunctionRef,
        of: [u16; 2],
        me: In,
    ) {
        let program = self.program;
        let SetFunction::Reach { moves: Some(moves), memory: None, .. } =
            &program.functions[usize::from(f.0)]
        else {
            return self.finds(instruction, f, [d, of[0], of[1]], Some(me));
        };
        if self.width > 2 {
            return self.finds(instruction, f, [d, of[0], of[1]], Some(me));
        }
        self.spends_on_function();
        let [from, within] = of.map(|at| self.set(at));
        let (again, done) = (self.new_node(false), self.new_node(false));
        let reached: Vec<Value> = from.iter().map(|_| self.b.append_block_param(again, I64)).collect();
        let from = self.and(&from, &within);
        let args = |set: &[Value]| set.iter().map(|word| BlockArg::Value(*word)).collect::<Vec<_>>();
        self.b.ins().jump(again, &args(&from));
        self.continues_in(again);
        let mut next = reached.clone();
        // First all moves up, then all moves down, as in [`houserule_model::board::spread`].
        for some in [0..moves.up, moves.up..moves.distances.len()] {
            let near = self.spreads(moves, some, &next);
            let near = self.and(&near, &within);
            next = self.or(&next, &near);
        }
        let fresh: Vec<Value> = next.iter().zip(&reached).map(|(a, b)| self.b.ins().bxor(*a, *b)).collect();
        let any = self.any(&fresh);
        self.b.ins().brif(any, again, &args(&next), done, &[]);
        self.continues_in(done);
        self.put_set(d, &next);
    }

    /// Returns the sites that some moves of a whole set reach. The set has one or two words, and no site
    /// moves further than a word.
    fn spreads(&mut self, moves: &ShiftTable, some: Range<usize>, set: &[Value]) -> Vec<Value> {
        let mut union = vec![self.number(0); set.len()];
        for k in some {
            let (n, is_up) = (i64::from(moves.distances[k]), k < moves.up);
            let masks = &self.program.sets[moves.masks as usize * self.width..][k * self.width..];
            for (at, (word, mask)) in set.iter().zip(masks).enumerate() {
                let beyond = if is_up { at + 1 } else { at.wrapping_sub(1) };
                if *mask == 0 || n >= 64 {
                    continue;
                }
                let going = self.b.ins().band_imm_u(*word, *mask as i64);
                let moved = self.shifts(going, n, is_up);
                union[at] = self.b.ins().bor(union[at], moved);
                if beyond < set.len() {
                    let moved = self.shifts(going, 64 - n, !is_up);
                    union[beyond] = self.b.ins().bor(union[beyond], moved);
                }
            }
        }
        union
    }

    fn shifts(&mut self, word: Value, n: i64, up: bool) -> Value {
        if up { self.b.ins().ishl_imm_u(word, n) } else { self.b.ins().ushr_imm_u(word, n) }
    }

    /// Adds an element of the domain to a set at a computed address, or removes it.
    pub(super) fn changes_at(&mut self, base: Value, e: Value, adds: bool) {
        let base = if self.width == 1 {
            base
        } else {
            let word = self.b.ins().ushr_imm_u(e, 6);
            let offset = self.b.ins().ishl_imm_u(word, 3);
            self.b.ins().iadd(base, offset)
        };
        let word = self.load(MemoryRegion::Frame, base, 0);
        let word = self.changed(word, e, adds);
        self.store(MemoryRegion::Frame, word, base, 0);
    }

    pub(super) fn changed(&mut self, word: Value, e: Value, adds: bool) -> Value {
        let one = self.number(1);
        let bit = self.b.ins().ishl(one, e);
        if adds { self.b.ins().bor(word, bit) } else { self.b.ins().band_not(word, bit) }
    }

    /// Adds an element to a set of a family, and removes it from another set. Does nothing if it is outside its domain.
    pub(super) fn places(&mut self, to: Sets, index: In, empty: u16, e: In, size: u16) {
        let left = self.sizes[usize::from(empty)]
            .filter(|_| self.flow.takes_chosen(self.program, self.at).is_some())
            .map(|left| (left, self.b.use_var(left)));
        let outside = !first_elements(size.into());
        let single = self.single.filter(|single| single.word == e.0 && single.within & outside == 0);
        let after = if let Some(single) = single {
            self.moves(to, index, empty, single.set);
            None
        } else {
            let (e, after) = self.element(e, size);
            if self.width == 1 {
                let one = self.number(1);
                let single = self.b.ins().ishl(one, e);
                self.moves(to, index, empty, single);
            } else {
                let at = self.set_at(to, index);
                self.changes_at(at, e, true);
                self.changes(empty, e, false);
            }
            after
        };
        if let Some((left, before)) = left {
            let n = self.b.ins().iadd_imm_s(before, -1);
            self.b.def_var(left, n);
        }
        self.ends_if(after);
    }

    /// Adds a set of one word to a set of a family, and removes it from another set.
    fn moves(&mut self, to: Sets, index: In, empty: u16, set: Value) {
        self.changes_set_of(to, index, &[set], Self::or);
        let rest = self.get(empty);
        let rest = self.b.ins().band_not(rest, set);
        self.put(empty, rest);
    }

    /// Like [`CodeGenerator::changes_at`], for a set that operands name.
    pub(super) fn changes(&mut self, set: u16, e: Value, adds: bool) {
        if self.width == 1 {
            let word = self.get(set);
            let word = self.changed(word, e, adds);
            self.put(set, word);
        } else {
            let base = self.b.ins().iadd_imm_s(self.frame, i64::from(set) * 8);
            self.changes_at(base, e, adds);
        }
    }

    /// Returns an element and the block that continues if it is outside its domain. A new block begins if it
    /// may be outside.
    pub(super) fn element(&mut self, at: In, size: u16) -> (Value, Option<Node>) {
        let e = self.get(at.0);
        if self.is_below(at.0, size.into()) {
            return (e, None);
        }
        let is = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let (then, after) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(is, then, &[], after, &[]);
        self.continues_in(then);
        (e, Some(after))
    }

    pub(super) fn ends_if(&mut self, after: Option<Node>) {
        if let Some(after) = after {
            self.b.ins().jump(after, &[]);
            self.continues_in(after);
        }
    }

    /// Returns `true` if called functions handle sets of this width.
    pub(super) fn is_wide(&self) -> bool {
        !accesses::is_written_out(self.program)
    }

    pub(super) fn load_contains(&mut self, from: Sets, index: In, e: In, size: u16) -> Value {
        let set = if self.width == 1 {
            SetPlace::Word(self.set_of(from, index)[0])
        } else {
            SetPlace::At(self.set_at(from, index))
        };
        let e = self.get(e.0);
        self.contains(set, e, size)
    }

    pub(super) fn rest(&mut self, a: SetIn, b: SetIn) -> Value {
        let (a, b) = (self.set(a.0), self.set(b.0));
        let rest = self.minus(&a, &b);
        self.any(&rest)
    }

    pub(super) fn difference(&mut self, a: SetIn, b: SetIn) -> Value {
        let (a, b) = (self.set(a.0), self.set(b.0));
        let rest: Vec<Value> = a.iter().zip(&b).map(|(a, b)| self.b.ins().bxor(*a, *b)).collect();
        self.any(&rest)
    }

    pub(super) fn inserts(&mut self, set: u16, at: In, size: u16) {
        let e = if self.width > 1 {
            let (e, after) = self.element(at, size);
            self.changes(set, e, true);
            return self.ends_if(after);
        } else {
            self.get(at.0)
        };
        let is = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let one = self.b.ins().uextend(I64, is);
        let bit = self.b.ins().ishl(one, e);
        let word = self.get(set);
        let word = self.b.ins().bor(word, bit);
        self.put(set, word);
    }
}
