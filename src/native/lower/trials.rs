//! Trials of `ensuring` options by random players, as in [`trial`](crate::machine::trial): what is short is inline.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Node, InstBuilder, Value};
use cranelift_frontend::Switch;

use super::choices::WORDS;
use super::{CodeGenerator, MemoryRegion};
use crate::machine::run_state::RunState;
use crate::machine::trial;
use crate::native::accesses;
use crate::native::calls::{self, CallContext};
use crate::program::{CodeAddress, OptionBits, StopRef};
use crate::rng::Stream;

/// Maximum number of words that are saved inline before a trial.
const SAVED: u16 = 32;

impl CodeGenerator<'_, '_> {
    /// Returns `true` if candidates are counted, and words saved, inline.
    pub(super) fn tries_inline(&self, site: StopRef) -> bool {
        let choice = self.choice(site);
        let is_short = choice.words <= WORDS && choice.random_words == choice.words;
        let saved = choice.parts.iter().flat_map(|part| &part.tried);
        let saved = saved.map(|saved| saved.iter().map(|saved| saved.words.len).sum::<u16>());
        self.plays() && is_short && saved.max() <= Some(SAVED)
    }

    pub(super) fn begins_trials(&mut self, site: StopRef, to: CodeAddress) {
        let n = self.candidates(site);
        self.none_if_zero(n, to);
        let run_state = self.run_state();
        let (left, flags) =
            (self.number(trial::trials(self.program).into()), self.flags(MemoryRegion::Counters));
        let budget = self.b.use_var(self.budget);
        for (n, at) in
            [(budget, offset_of!(RunState, trial.budget)), (left, offset_of!(RunState, trial.left))]
        {
            self.b.ins().istore32(flags, n, run_state, at as i32);
        }
        let stream = self.seat(self.choice(site).me);
        for at in (0..size_of::<Stream>()).step_by(8) {
            let word = self.load(MemoryRegion::Streams, stream, at);
            self.store(MemoryRegion::Counters, word, run_state, offset_of!(RunState, trial.stream) + at);
        }
        self.draws_candidate(site, n);
    }

    /// Takes the candidate back, and draws another one. If none is left, the draws are undone.
    pub(super) fn tries_next(&mut self, site: StopRef, to: CodeAddress) {
        self.writes_budget();
        let result = self.calls(calls::take_back);
        self.fails_after(result);
        let n = self.candidates(site);
        let (more, none) = (self.new_node(false), self.new_node(true));
        self.b.ins().brif(n, more, &[], none, &[]);
        self.b.switch_to_block(none);
        let (run_state, stream) = (self.run_state(), self.seat(self.choice(site).me));
        for at in (0..size_of::<Stream>()).step_by(8) {
            let at_run_state = offset_of!(RunState, trial.stream) + at;
            let word = self.load(MemoryRegion::Counters, run_state, at_run_state);
            self.store(MemoryRegion::Streams, word, stream, at);
        }
        let flags = self.flags(MemoryRegion::Counters);
        let budget = self.b.ins().uload32(flags, run_state, offset_of!(RunState, trial.budget) as i32);
        self.b.def_var(self.budget, budget);
        self.go(to.0);
        self.b.switch_to_block(more);
        self.draws_candidate(site, n);
    }

    /// Returns the number of candidates that are left.
    fn candidates(&mut self, site: StopRef) -> Value {
        let words = self.region_words(site);
        self.count(&words)
    }

    fn region_words(&mut self, site: StopRef) -> Vec<Value> {
        accesses::region_of(self.choice(site)).map(|at| self.get(at)).collect()
    }

    /// Draws one of `n` candidates, and goes to its body.
    fn draws_candidate(&mut self, site: StopRef, n: Value) {
        let choice = self.choice(site);
        let k = self.rank(n, choice.me);
        let nodes: Vec<Node> = choice.parts.iter().map(|_| self.new_node(false)).collect();
        let firsts: Vec<u32> = choice.parts.iter().map(first_bit).collect();
        let is_plain = choice.parts.iter().all(|part| part.sizes.len() <= 1) && firsts.is_sorted();
        let found = if is_plain {
            Some(self.finds_candidate(site, k, &firsts, &nodes))
        } else {
            self.store(MemoryRegion::Context, k, self.context, offset_of!(CallContext, value));
            let number = self.calls(calls::bind_candidate);
            let mut switch = Switch::new();
            (1..).zip(&nodes[1..]).for_each(|(number, node)| switch.set_entry(number, *node));
            switch.emit(&mut self.b, number, nodes[0]);
            None
        };
        for (node, part) in nodes.into_iter().zip(&choice.parts) {
            self.b.switch_to_block(node);
            self.open = true;
            if let (Some(bit), [binder]) = (found, &part.binders[..]) {
                let e = self.b.ins().iadd_imm_s(bit, -i64::from(first_bit(part)));
                self.put(*binder, e);
            }
            match &part.tried {
                Some(saved) => {
                    for saved in saved {
                        for k in 0..saved.words.len {
                            let word = self.get(saved.words.at + k);
                            self.put(saved.to + k, word);
                        }
                    }
                    self.refill();
                }
                None => {
                    self.counts_option(part.block as usize);
                    self.decides();
                }
            }
            self.go(part.body.0);
        }
    }

    /// Finds the candidate of a rank, notes it, and goes to the node of its option, of which the first bits of all are given.
    /// Returns its bit in the mask.
    fn finds_candidate(&mut self, site: StopRef, k: Value, firsts: &[u32], nodes: &[Node]) -> Value {
        let words = self.region_words(site);
        let found = self.nth(&words, k, u64::BITS * words.len() as u32);
        let word = self.b.ins().ushr_imm_u(found, 6);
        let bit = self.b.ins().band_imm_u(found, 63);
        let (run_state, flags) = (self.run_state(), self.flags(MemoryRegion::Counters));
        self.store(MemoryRegion::Counters, word, run_state, offset_of!(RunState, trial.word));
        self.b.ins().istore32(flags, bit, run_state, offset_of!(RunState, trial.bit) as i32);
        for (first, node) in firsts.iter().zip(nodes).skip(1).rev() {
            let other = self.new_node(false);
            let is_there =
                self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, found, i64::from(*first));
            self.b.ins().brif(is_there, *node, &[], other, &[]);
            self.b.switch_to_block(other);
        }
        self.b.ins().jump(nodes[0], &[]);
        found
    }
}

/// Returns the first bit of an option in the mask of its choice.
fn first_bit(part: &OptionBits) -> u32 {
    u32::from(part.first_word) * u64::BITS + u32::from(part.bit)
}
