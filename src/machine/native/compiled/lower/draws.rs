//! Draws: words of random streams, elements and dice.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::{CodeGenerator, Count, MemoryRegion, SingleElement};
use crate::effects::outcomes_of_some;
use crate::native::RunKind;
use crate::native::compiled::calls::CallContext;
use crate::native::compiled::flow::{self, first_elements};
use crate::native::compiled::{assembly, calls};
use crate::program::{Instruction, StopRef};
use houserule_base::rng::{self, Stream, Streams};

/// Maximum size of a set whose elements are looked up by rank in [`NTH`].
const TABLED: u32 = 9;

/// The element, by set of nine elements and rank, in rows of eight ranks. The last rank of the full set comes
/// after its row, and so do ranks that no set of nine has.
static NTH: [u8; 8 * 512 + 64] = {
    let mut table = [0; 8 * 512 + 64];
    let mut set = 0;
    while set < 512 {
        let (mut e, mut k) = (0, 0);
        while e < 9 {
            if set >> e & 1 == 1 {
                table[8 * set + k] = e as u8;
                k += 1;
            }
            e += 1;
        }
        set += 1;
    }
    table
};

/// The one-element set of the element, by rank and set of nine elements.
static SINGLES: [[u16; 512]; 9] = {
    let mut table = [[0; 512]; 9];
    let mut set = 0;
    while set < 512 {
        let (mut e, mut k) = (0, 0);
        while e < 9 {
            if set >> e & 1 == 1 {
                table[k][set] = 1 << e;
                k += 1;
            }
            e += 1;
        }
        set += 1;
    }
    table
};

/// A set that an element is drawn from.
pub(super) enum Chosen {
    Words(Vec<Value>),
    /// At an address of the frame.
    At(u16),
}

impl CodeGenerator<'_, '_> {
    /// Draws a word from a stream.
    pub(super) fn draws(&mut self, stream: Value) -> Value {
        if self.ahead { self.takes(stream, None) } else { self.steps(stream) }
    }

    /// Draws a word if a condition holds, from a stream whose first words are drawn ahead. If the condition
    /// doesn't hold, the word remains the next one of the stream. No branch depends on the condition.
    fn takes(&mut self, stream: Value, condition: Option<Value>) -> Value {
        let [ahead, used_up, next] = [(); 3].map(|()| self.new_node(false));
        let word = self.b.append_block_param(next, I64);
        let position = self.load(MemoryRegion::Streams, stream, rng::POSITION);
        let is_used_up = self.b.ins().icmp_imm_u(IntCC::Equal, position, rng::USED_UP as i64);
        self.b.ins().brif(is_used_up, used_up, &[], ahead, &[]);
        self.continues_in(ahead);
        let from = self.b.ins().iadd(stream, position);
        let drawn = self.load(MemoryRegion::Streams, from, rng::WORDS);
        let after = match condition {
            None => self.b.ins().iadd_imm_s(position, rng::ROW as i64),
            Some(condition) => {
                let taken = self.b.ins().uextend(I64, condition);
                let step = self.b.ins().ishl_imm_u(taken, i64::from(rng::ROW.trailing_zeros()));
                self.b.ins().iadd(position, step)
            }
        };
        self.store(MemoryRegion::Streams, after, stream, rng::POSITION);
        self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
        self.continues_in(used_up);
        if let Some(condition) = condition {
            let (step, zero) = (self.new_node(false), self.number(0));
            self.b.ins().brif(condition, step, &[], next, &[BlockArg::Value(zero)]);
            self.continues_in(step);
        }
        let drawn = self.steps(stream);
        self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
        self.continues_in(next);
        word
    }

    /// Draws a word from the state of a stream (xoshiro256++).
    fn steps(&mut self, stream: Value) -> Value {
        let stride = if self.ahead { rng::ROW } else { 8 };
        let mut s = [0, 1, 2, 3].map(|k| self.load(MemoryRegion::Streams, stream, stride * k));
        let ins = &mut self.b;
        let sum = ins.ins().iadd(s[0], s[3]);
        let turned = ins.ins().rotl_imm_u(sum, 23);
        let result = ins.ins().iadd(turned, s[0]);
        let t = ins.ins().ishl_imm_u(s[1], 17);
        s[2] = ins.ins().bxor(s[2], s[0]);
        s[3] = ins.ins().bxor(s[3], s[1]);
        s[1] = ins.ins().bxor(s[1], s[2]);
        s[0] = ins.ins().bxor(s[0], s[3]);
        s[2] = ins.ins().bxor(s[2], t);
        s[3] = ins.ins().rotl_imm_u(s[3], 45);
        (0..4).for_each(|k| self.store(MemoryRegion::Streams, s[k], stream, stride * k));
        result
    }

    /// Returns the stream of the player whose seat a word holds.
    pub(super) fn seat(&mut self, at: u16) -> Value {
        const MOST: u64 = houserule_base::rng::MAX_PLAYERS as u64;
        let (first, stride) = match self.ahead {
            true => (rng::SOURCE, rng::SOURCE),
            false => (Streams::SEATS, size_of::<Stream>()),
        };
        let first = self.b.ins().iadd_imm_s(self.streams, first as i64);
        if self.program.players == 1 {
            return first;
        }
        let mut seat = self.get(at);
        if !self.is_below(at, MOST) {
            seat = self.b.ins().band_imm_u(seat, MOST as i64 - 1);
        }
        let offset = self.b.ins().imul_imm_s(seat, stride as i64);
        self.b.ins().iadd(first, offset)
    }

    /// Draws a rank below `n` for a random player, and nothing if `n` is 1.
    pub(super) fn rank(&mut self, n: Value, me: u16) -> Value {
        if self.ahead {
            let stream = self.seat(me);
            let several = self.b.ins().icmp_imm_u(IntCC::NotEqual, n, 1);
            let word = self.takes(stream, Some(several));
            return self.b.ins().umulhi(word, n);
        }
        if self.known(n).is_some_and(|n| n > 1) {
            let stream = self.seat(me);
            let word = self.draws(stream);
            return self.b.ins().umulhi(word, n);
        }
        let (draw, next) = (self.new_node(false), self.new_node(false));
        let k = self.b.append_block_param(next, I64);
        let several = self.b.ins().icmp_imm_u(IntCC::NotEqual, n, 1);
        let zero = self.number(0);
        self.b.ins().brif(several, draw, &[], next, &[BlockArg::Value(zero)]);
        self.continues_in(draw);
        let stream = self.seat(me);
        let word = self.draws(stream);
        let drawn = self.b.ins().umulhi(word, n);
        self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
        self.continues_in(next);
        k
    }

    /// Draws an element of a set of one or two elements, and writes it to a word. Of two elements, the first
    /// random bit chooses, as it is the rank. Bit operations find them: nothing is counted or looked up.
    pub(super) fn puts_one_of_two(&mut self, word: u16, set: Value, me: u16, size: u32) {
        let lower = self.b.ins().ineg(set);
        let first = self.b.ins().band(set, lower);
        let second = self.b.ins().bxor(set, first);
        let stream = self.seat(me);
        let chosen = if self.ahead {
            let are_both = self.b.ins().icmp_imm_u(IntCC::NotEqual, second, 0);
            let drawn = self.takes(stream, Some(are_both));
            let is_second = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, drawn, 0);
            let is_second = self.b.ins().band(is_second, are_both);
            self.b.ins().select(is_second, second, first)
        } else {
            let (draw, next) = (self.new_node(false), self.new_node(false));
            let chosen = self.b.append_block_param(next, I64);
            self.b.ins().brif(second, draw, &[], next, &[BlockArg::Value(first)]);
            self.continues_in(draw);
            let drawn = self.steps(stream);
            let is_second = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, drawn, 0);
            let either = self.b.ins().select(is_second, second, first);
            self.b.ins().jump(next, &[BlockArg::Value(either)]);
            self.continues_in(next);
            chosen
        };
        let e = self.b.ins().ctz(chosen);
        self.put(word, e);
        if self.kind == RunKind::Games && size <= u64::BITS {
            self.single = Some(SingleElement { word, set: chosen, within: first_elements(size) });
        }
    }

    fn chance_stream(&mut self) -> Value {
        let offset = if self.ahead { 0 } else { offset_of!(Streams, chance) };
        self.b.ins().iadd_imm_s(self.streams, offset as i64)
    }

    /// Draws a number below `n` for chance.
    pub(super) fn chance(&mut self, n: Value) -> Value {
        let stream = self.chance_stream();
        let word = self.draws(stream);
        self.b.ins().umulhi(word, n)
    }

    /// Returns the element of rank `k` of a set with elements below `size`.
    pub(super) fn nth(&mut self, set: &[Value], k: Value, size: u32) -> Value {
        if let [word] = set {
            if size <= 2 {
                // A single element is the result. With two, the rank is the result.
                let second = self.b.ins().ushr_imm_u(*word, 1);
                let first = self.b.ins().bxor_imm_u(*word, 1);
                let either = self.b.ins().bor(first, k);
                let either = self.b.ins().band(either, second);
                return self.b.ins().band_imm_u(either, 1);
            }
            if size <= TABLED {
                return self.nth_in_table(*word, k);
            }
            if size <= 16 {
                let low = self.b.ins().band_imm_u(*word, 0xff);
                let high = self.b.ins().ushr_imm_u(*word, 8);
                let before = self.b.ins().popcnt(low);
                let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, k, before);
                let rest = self.b.ins().isub(k, before);
                let byte = self.b.ins().select(beyond, high, low);
                let rank = self.b.ins().select(beyond, rest, k);
                let e = self.nth_in_table(byte, rank);
                let raised = self.b.ins().iadd_imm_s(e, 8);
                return self.b.ins().select(beyond, raised, e);
            }
            return self.nth_bit(*word, k);
        }
        // There are no branches, because a processor can't predict the random word.
        let (mut word, mut base, mut rest) = (set[0], self.number(0), k);
        let mut before = self.number(0);
        for i in 1..set.len() {
            let here = self.b.ins().popcnt(set[i - 1]);
            before = self.b.ins().iadd(before, here);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, k, before);
            word = self.b.ins().select(beyond, set[i], word);
            let first = self.number(64 * i as i64);
            base = self.b.ins().select(beyond, first, base);
            let less = self.b.ins().isub(k, before);
            rest = self.b.ins().select(beyond, less, rest);
        }
        let e = self.nth_bit(word, rest);
        self.b.ins().iadd(base, e)
    }

    /// Returns the element of a rank of a set of nine.
    pub(super) fn nth_in_table(&mut self, set: Value, k: Value) -> Value {
        let table = self.address(NTH.as_ptr());
        let set = self.b.ins().band_imm_u(set, 0x1ff);
        let k = self.b.ins().band_imm_u(k, 63);
        let row = self.b.ins().ishl_imm_u(set, 3);
        let place = self.b.ins().iadd(row, k);
        let from = self.b.ins().iadd(table, place);
        self.b.ins().uload8(I64, Self::tables(), from, 0)
    }

    /// Returns `true` if the element that is drawn from a set comes with its one-element set: the next instruction needs that
    /// set.
    pub(super) fn gives_single(&self, set: &[Value], size: u32) -> bool {
        let is_one_word = set.len() == 1 && (3..=64).contains(&size);
        let is_found = size <= TABLED || assembly::single().is_some();
        is_one_word
            && is_found
            && self.kind == RunKind::Games
            && self.flow.takes_chosen(self.program, self.at + 1).is_some()
    }

    /// Writes the element of rank `k` of a set with elements below `size` to a word.
    pub(super) fn puts_single(&mut self, word: u16, set: Value, k: Value, size: u32) {
        let single = match assembly::single() {
            Some(single) if size > TABLED => self.calls_keeping(single, &[set, k]),
            _ => self.single_in_table(set, k),
        };
        let e = self.b.ins().ctz(single);
        self.put(word, e);
        self.single = Some(SingleElement { word, set: single, within: first_elements(size) });
    }

    fn single_in_table(&mut self, set: Value, k: Value) -> Value {
        let row = self.b.ins().imul_imm_s(k, size_of_val(&SINGLES[0]) as i64);
        let table = self.address(SINGLES.as_ptr());
        let row = self.b.ins().iadd(table, row);
        let offset = self.b.ins().ishl_imm_u(set, 1);
        let from = self.b.ins().iadd(row, offset);
        self.b.ins().uload16(I64, Self::tables(), from, 0)
    }

    /// Returns a number that is equal to `n`. If `n` is the same as last time, the processor has the number
    /// before it has `n`.
    pub(super) fn guessed(&mut self, n: Value) -> Value {
        let guess = self.b.use_var(self.guess);
        let (other, next) = (self.new_node(true), self.new_node(false));
        let same = self.b.ins().icmp(IntCC::Equal, n, guess);
        self.b.ins().brif(same, next, &[], other, &[]);
        self.continues_in(other);
        self.b.def_var(self.guess, n);
        self.b.ins().jump(next, &[]);
        self.continues_in(next);
        self.b.use_var(self.guess)
    }

    /// Draws an element of a set for chance, and writes it to a word. A set with one element needs no draw;
    /// for the empty set it writes none.
    pub(super) fn picks(&mut self, stop: StopRef, word: u16, from: u16) {
        let set = self.set(from);
        let n = self.count(&set);
        let single = assembly::single().filter(|_| self.width == 1 && self.kind == RunKind::Games);
        if let (Some(single), true) = (single, self.ahead) {
            // For the empty set and a set of one element, the rank is 0.
            let stream = self.chance_stream();
            let several = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, n, 1);
            let drawn = self.takes(stream, Some(several));
            let k = self.b.ins().umulhi(drawn, n);
            let picked = self.calls_keeping(single, &[set[0], k]);
            return self.puts_picked(word, from, picked);
        }
        let (draw, known, next) = (self.new_node(false), self.new_node(false), self.new_node(false));
        let picked = self.b.append_block_param(next, I64);
        let several = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, n, 1);
        self.b.ins().brif(several, draw, &[], known, &[]);
        self.continues_in(known);
        // The element, or its one-element set.
        let only = if single.is_some() { set[0] } else { self.first(&set) };
        self.b.ins().jump(next, &[BlockArg::Value(only)]);
        self.continues_in(draw);
        self.chance_or_wait(stop);
        let k = self.chance(n);
        let drawn = match single {
            Some(single) => self.calls_keeping(single, &[set[0], k]),
            None => self.nth(&set, k, 64 * self.width as u32),
        };
        self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
        self.continues_in(next);
        if single.is_none() {
            return self.put(word, picked);
        }
        self.puts_picked(word, from, picked);
    }

    /// Writes the element of a one-element set, or none, to a word.
    fn puts_picked(&mut self, word: u16, from: u16, picked: Value) {
        let e = self.first(&[picked]);
        self.put(word, e);
        let within = self.flow.within[usize::from(from)];
        self.single = Some(SingleElement { word, set: picked, within });
    }

    pub(super) fn nth_bit(&mut self, word: Value, k: Value) -> Value {
        if let Some(single) = assembly::single() {
            let single = self.calls_keeping(single, &[word, k]);
            return self.b.ins().ctz(single);
        }
        let address = self.address(calls::nth_bit());
        self.calls_at(address, word, k)
    }

    /// Returns the domain size of a choice with one option and one binder, or the maximum.
    pub(super) fn elements(&self, stop: StopRef) -> u32 {
        flow::elements(self.program, stop).unwrap_or(u32::MAX)
    }

    pub(super) fn chance_or_wait(&mut self, stop: StopRef) {
        if self.plays() {
            return;
        }
        let draws = self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, draws));
        let (wait, next) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(draws, next, &[], wait, &[]);
        self.continues_in(wait);
        self.suspends(stop);
        self.continues_in(next);
    }

    /// Returns a set to choose from, and its number of elements.
    pub(super) fn counted(&mut self, a: u16, size: u32) -> (Chosen, Value) {
        let mut set = self.set(a);
        // A chosen element must be in the domain, even if the set had others: see [`FlowAnalysis::below`].
        if self.kind == RunKind::Games && !self.is_wide() && size < u32::MAX {
            let words = size.div_ceil(64).max(1) as usize;
            set.truncate(words);
            let domain = first_elements(size - 64 * (words as u32 - 1));
            if words == set.len() && self.flow.within[usize::from(a) + words - 1] & !domain != 0 {
                set[words - 1] = self.b.ins().band_imm_u(set[words - 1], domain as i64);
            }
        }
        if let Some(size) = self.sizes[usize::from(a)] {
            return (Chosen::Words(set), self.b.use_var(size));
        }
        let n = self.count(&set);
        (if self.is_wide() { Chosen::At(a) } else { Chosen::Words(set) }, n)
    }

    pub(super) fn nth_of(&mut self, set: Chosen, k: Value, size: u32) -> Value {
        match set {
            Chosen::Words(set) => self.nth(&set, k, size),
            Chosen::At(a) => {
                let address = self.address(calls::nth_of(self.program.width));
                let set = self.b.ins().iadd_imm_s(self.frame, i64::from(a) * 8);
                self.calls_at(address, set, k)
            }
        }
    }

    /// Rolls the dice of a set of one word as one chance event; nothing is rolled if there are none.
    pub(super) fn rolls_some(&mut self, instruction: &Instruction, stop: StopRef, number: u16, from: u16) {
        let some = self.get(from);
        let (roll, next) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(some, roll, &[], next, &[]);
        self.continues_in(roll);
        if !self.plays() {
            // The event of this roll is computed from the dice in the frame.
            self.writes_operands(instruction);
        }
        self.chance_or_wait(stop);
        let outcomes: Box<[u64]> =
            (0..=u64::BITS).map(|count| outcomes_of_some(self.program, number.into(), count)).collect();
        let table = self.address(outcomes.as_ptr());
        self.tables.push(outcomes);
        let count = self.b.ins().popcnt(some);
        let offset = self.b.ins().ishl_imm_u(count, 3);
        let from = self.b.ins().iadd(table, offset);
        let n = self.b.ins().load(I64, Self::tables(), from, 0);
        let mut rest = self.chance(n);
        self.adds(Count::Rolls);
        let dice = &self.program.dice[usize::from(number)];
        for die in (0..dice.count).rev() {
            let is_rolled = self.b.ins().band_imm_u(some, 1 << die);
            let product = self.b.ins().imul_imm_s(rest, dice.inverse as i64);
            let quotient = self.b.ins().ushr_imm_u(product, 32);
            let whole = self.b.ins().imul_imm_s(quotient, i64::from(dice.faces));
            let face = self.b.ins().isub(rest, whole);
            let face = self.b.ins().iadd_imm_s(face, 1);
            let before = self.get(dice.faces_at + die);
            let face = self.b.ins().select(is_rolled, face, before);
            self.put(dice.faces_at + die, face);
            rest = self.b.ins().select(is_rolled, quotient, rest);
        }
        self.b.ins().jump(next, &[]);
        self.continues_in(next);
    }

    /// Rolls dice as one chance event.
    pub(super) fn rolls(&mut self, dice: u16) {
        let dice = &self.program.dice[usize::from(dice)];
        let outcome = if dice.outcomes <= 1 {
            self.number(0)
        } else {
            let n = self.number(dice.outcomes as i64);
            self.chance(n)
        };
        self.adds(Count::Rolls);
        let mut rest = outcome;
        for die in (1..dice.count).rev() {
            let product = self.b.ins().imul_imm_s(rest, dice.inverse as i64);
            let quotient = self.b.ins().ushr_imm_u(product, 32);
            let whole = self.b.ins().imul_imm_s(quotient, i64::from(dice.faces));
            let face = self.b.ins().isub(rest, whole);
            let face = self.b.ins().iadd_imm_s(face, 1);
            self.put(dice.faces_at + die, face);
            rest = quotient;
        }
        let face = self.b.ins().iadd_imm_s(rest, 1);
        self.put(dice.faces_at, face);
        if dice.count > 1
            && let Some(at) = dice.outcome_at
        {
            self.put(at, outcome);
        }
    }
}
