//! Choices, according to their stop points.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Switch;

use super::draws::Chosen;
use super::{CodeGenerator, MemoryRegion};
use crate::native::compiled::calls::{CallContext, TO};
use crate::native::compiled::flow::first_elements;
use crate::native::compiled::packed::{PackedMask, PackedOption};
use crate::native::compiled::{accesses, calls};
use crate::program::{
    ChoiceStop, CodeAddress, In, Instruction as I, OptionRef, Out, SetIn, StopKind, StopRef,
};

/// Maximum size of a mask, in words, whose actions are counted inline.
pub(super) const WORDS: u16 = 6;

impl<'a> CodeGenerator<'a, '_> {
    pub(super) fn choice(&self, stop: StopRef) -> &'a ChoiceStop {
        let StopKind::Choice(choice) = &self.program.stops[usize::from(stop.0)].kind else {
            unreachable!("the verifier found a choice there")
        };
        choice
    }

    /// Chooses an element of the set `a`.
    pub(super) fn chooses_one(
        &mut self,
        stop: StopRef,
        option: OptionRef,
        d: Out,
        a: SetIn,
        me: In,
        to: CodeAddress,
    ) {
        let size = self.elements(stop);
        let (legal, n) = self.counted(a.0, size);
        let is_steady = self.flow.is_steady(self.program, self.at);
        if is_steady || self.sizes[usize::from(a.0)].is_some() {
            self.rarely_none(n, to);
        } else {
            self.none_if_zero(n, to);
        }
        if !self.plays() {
            return self.suspends(stop);
        }
        self.decides();
        self.counts_option(option.0.into());
        if let Chosen::Words(set) = &legal
            && self.flow.most_elements(self.program, self.at, a.0) <= 2
        {
            self.puts_one_of_two(d.0, set[0], me.0, size);
            return self.go(self.at as u16 + 1);
        }
        let n = if is_steady { self.guessed(n) } else { n };
        let k = self.rank(n, me.0);
        match legal {
            Chosen::Words(set) if self.gives_single(&set, size) => self.puts_single(d.0, set[0], k, size),
            legal => {
                let e = self.nth_of(legal, k, size);
                self.put(d.0, e);
            }
        }
        self.go(self.at as u16 + 1);
    }

    pub(super) fn chooses(&mut self, instruction: &I, stop: StopRef, to: CodeAddress) {
        if !self.plays() {
            return self.suspends_if_some(stop, to);
        }
        match accesses::few_of(self.program, instruction) {
            Some(few) => self.chooses_among_few(&few, stop, to),
            None => self.chooses_among_many(stop, to),
        }
    }

    /// Stops at a stop point if an action is legal.
    fn suspends_if_some(&mut self, stop: StopRef, to: CodeAddress) {
        let choice = self.choice(stop);
        let words = choice.region..choice.region + choice.words;
        let words: Vec<Value> = words.map(|at| self.get(at)).collect();
        let any = if words.is_empty() { self.number(0) } else { self.any(&words) };
        self.none_if_zero(any, to);
        self.suspends(stop);
    }

    /// Goes where the interpreter continues: to the body of an option, or to `to`.
    pub(super) fn goes_to_body(&mut self, result: Value, stop: StopRef, to: CodeAddress) {
        let mut places: Vec<u16> = self.choice(stop).parts.iter().map(|part| part.body.0).collect();
        places.sort_unstable();
        places.dedup();
        let otherwise = self.node(to.0);
        let mut switch = Switch::new();
        for at in places.into_iter().filter(|at| *at != to.0) {
            let node = self.node(at);
            switch.set_entry(u128::from(TO) + u128::from(at), node);
        }
        switch.emit(&mut self.b, result, otherwise);
        self.open = false;
    }

    /// Counts the legal actions, draws one inline, and calls a function that binds it.
    fn chooses_among_many(&mut self, stop: StopRef, to: CodeAddress) {
        let choice = self.choice(stop);
        let (words, me) = (choice.region..choice.region + choice.words, choice.me);
        let is_short = choice.words <= WORDS && choice.random_words == choice.words;
        let ways = if is_short {
            let words: Vec<Value> = words.map(|at| self.get(at)).collect();
            self.count(&words)
        } else {
            self.calls(calls::ways_any)
        };
        self.none_if_zero(ways, to);
        self.decides();
        let n = self.b.ins().band_imm_u(ways, i64::from(u32::MAX));
        let k = self.rank(n, me);
        let first = self.b.ins().isub(ways, n);
        let ranked = self.b.ins().bor(first, k);
        self.store(MemoryRegion::Context, ranked, self.context, offset_of!(CallContext, value));
        let result = self.calls(calls::choose_ranked);
        self.goes_to_body(result, stop, to);
    }

    fn chooses_among_few(&mut self, few: &PackedMask, stop: StopRef, to: CodeAddress) {
        let (at, mut first) = few.words[0];
        let mut legal = self.get(at);
        for (at, bits) in &few.words[1..] {
            let word = self.get(*at);
            let word = self.b.ins().ishl_imm_u(word, i64::from(first));
            legal = self.b.ins().bor(legal, word);
            first += bits;
        }
        self.none_if_zero(legal, to);
        self.decides();
        let me = self.choice(stop).me;
        if self.known(legal).is_some_and(|legal| legal as u64 == first_elements(few.bits())) {
            // All actions are always legal, so the rank is the bit.
            let n = self.number(few.bits().into());
            let bit = self.rank(n, me);
            return self.takes_option(bit, &few.options);
        }
        if let [_, _] = few.options[..]
            && few.bits() == 2
        {
            return self.takes_one_of_two(legal, &few.options, me);
        }
        let n = self.b.ins().popcnt(legal);
        let k = self.rank(n, me);
        let bit = self.nth(&[legal], k, few.bits());
        self.takes_option(bit, &few.options);
    }

    /// Chooses between two actions. If both are legal, the first bit of the random word is the rank, and the
    /// code branches on it: a processor that guessed the branch wrong knows it as soon as it has the word.
    fn takes_one_of_two(&mut self, legal: Value, options: &[PackedOption], me: u16) {
        let [draw, known, first, second] = [(); 4].map(|()| self.new_node(false));
        let are_both = self.b.ins().icmp_imm_u(IntCC::Equal, legal, 0b11);
        self.b.ins().brif(are_both, draw, &[], known, &[]);
        self.continues_in(draw);
        let stream = self.seat(me);
        let word = self.draws(stream);
        let is_second = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, word, 0);
        self.b.ins().brif(is_second, second, &[], first, &[]);
        self.continues_in(known);
        let is_second = self.b.ins().icmp_imm_u(IntCC::Equal, legal, 0b10);
        self.b.ins().brif(is_second, second, &[], first, &[]);
        for (node, option) in [first, second].into_iter().zip(options) {
            self.continues_in(node);
            let bit = self.number(option.first.into());
            self.takes_option(bit, std::slice::from_ref(option));
        }
    }

    /// Binds the action of a bit, which belongs to one of `options`, and goes to its body.
    fn takes_option(&mut self, bit: Value, options: &[PackedOption]) {
        if let [option] = options {
            let mut rest = self.b.ins().iadd_imm_s(bit, -i64::from(option.first));
            for (number, (at, ways)) in option.binders.iter().enumerate().rev() {
                let mut e = rest;
                if number > 0 {
                    rest = self.b.ins().udiv_imm_u(e, i64::from(*ways));
                    let whole = self.b.ins().imul_imm_s(rest, i64::from(*ways));
                    e = self.b.ins().isub(e, whole);
                }
                self.put(*at, e);
            }
            self.counts_option(option.counted);
            return self.go(option.body.0);
        }
        let (low, high) = options.split_at(options.len() / 2);
        let (below, above) = (self.new_node(false), self.new_node(false));
        let is_low = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, bit, i64::from(high[0].first));
        self.b.ins().brif(is_low, below, &[], above, &[]);
        for (node, options) in [(below, low), (above, high)] {
            self.continues_in(node);
            self.takes_option(bit, options);
        }
    }
}
