//! Trials of `ensuring` options, inline where that is short: by random players, as in [`trial`](crate::trial), and of
//! all candidates where play stops, as in [`candidates`](crate::candidates).

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Node, BlockArg, InstBuilder, Value};
use cranelift_frontend::Switch;

use super::choices::WORDS;
use super::{CodeGenerator, FAILED_CODE, MemoryRegion, NO_ENTRY_CODE, PENDING_CODE};
use crate::candidates::{TriedCandidates, tries_inline};
use crate::native::compiled::accesses;
use crate::native::compiled::calls::{self, CallContext};
use crate::program::{CodeAddress, OptionBits, StopRef};
use crate::run_state::RunState;
use crate::trial;
use houserule_base::rng::Stream;

/// Maximum number of words that are saved inline before a trial.
const SAVED: u16 = 32;

impl CodeGenerator<'_, '_> {
    /// Returns `true` if candidates are counted, and words saved, inline.
    pub(super) fn tries_inline(&self, stop: StopRef) -> bool {
        let choice = self.choice(stop);
        let is_short = choice.words <= WORDS && choice.random_words == choice.words;
        let saved = choice.parts.iter().flat_map(|part| &part.tried);
        let saved = saved.map(|saved| saved.iter().map(|saved| saved.words.len).sum::<u16>());
        self.plays() && is_short && saved.max() <= Some(SAVED)
    }

    pub(super) fn begins_trials(&mut self, stop: StopRef, to: CodeAddress) {
        let n = self.candidates(stop);
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
        let stream = self.seat(self.choice(stop).me);
        for at in (0..size_of::<Stream>()).step_by(8) {
            let word = self.load(MemoryRegion::Streams, stream, at);
            self.store(MemoryRegion::Counters, word, run_state, offset_of!(RunState, trial.stream) + at);
        }
        self.draws_candidate(stop, n);
    }

    /// Removes the tried candidate, and draws another one. If none is left, the draws are undone.
    pub(super) fn tries_next(&mut self, stop: StopRef, to: CodeAddress) {
        self.writes_budget();
        let result = self.calls(calls::take_back);
        self.fails_after(result);
        let n = self.candidates(stop);
        let (more, none) = (self.new_node(false), self.new_node(true));
        self.b.ins().brif(n, more, &[], none, &[]);
        self.continues_in(none);
        let (run_state, stream) = (self.run_state(), self.seat(self.choice(stop).me));
        for at in (0..size_of::<Stream>()).step_by(8) {
            let at_run_state = offset_of!(RunState, trial.stream) + at;
            let word = self.load(MemoryRegion::Counters, run_state, at_run_state);
            self.store(MemoryRegion::Streams, word, stream, at);
        }
        let flags = self.flags(MemoryRegion::Counters);
        let budget = self.b.ins().uload32(flags, run_state, offset_of!(RunState, trial.budget) as i32);
        self.b.def_var(self.budget, budget);
        self.go(to.0);
        self.continues_in(more);
        self.draws_candidate(stop, n);
    }

    /// Returns the number of candidates that are left.
    fn candidates(&mut self, stop: StopRef) -> Value {
        let words = self.region_words(stop);
        self.count(&words)
    }

    fn region_words(&mut self, stop: StopRef) -> Vec<Value> {
        accesses::region_of(self.choice(stop)).map(|at| self.get(at)).collect()
    }

    /// Draws one of `n` candidates, and goes to its body.
    fn draws_candidate(&mut self, stop: StopRef, n: Value) {
        let choice = self.choice(stop);
        let k = self.rank(n, choice.me);
        let nodes: Vec<Node> = choice.parts.iter().map(|_| self.new_node(false)).collect();
        let firsts: Vec<u32> = choice.parts.iter().map(first_bit).collect();
        let is_plain = choice.parts.iter().all(|part| part.sizes.len() <= 1) && firsts.is_sorted();
        let found = if is_plain {
            Some(self.finds_candidate(stop, k, &firsts, &nodes))
        } else {
            self.store(MemoryRegion::Context, k, self.context, offset_of!(CallContext, value));
            let number = self.calls(calls::bind_candidate);
            let mut switch = Switch::new();
            (1..).zip(&nodes[1..]).for_each(|(number, node)| switch.set_entry(number, *node));
            switch.emit(&mut self.b, number, nodes[0]);
            None
        };
        for (node, part) in nodes.into_iter().zip(&choice.parts) {
            self.continues_in(node);
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
                    self.counts_option(part.counted as usize);
                    self.decides();
                }
            }
            self.go(part.body.0);
        }
    }

    /// Finds the candidate of a rank, stores it in the trial, and goes to the node of its option. `firsts`
    /// has the first bit of each option. Returns the candidate's bit in the mask.
    fn finds_candidate(&mut self, stop: StopRef, k: Value, firsts: &[u32], nodes: &[Node]) -> Value {
        let words = self.region_words(stop);
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
            self.continues_in(other);
        }
        self.b.ins().jump(nodes[0], &[]);
        found
    }
}

impl CodeGenerator<'_, '_> {
    /// Tries the candidates in the context one after the other, if the code was called to do so.
    pub(super) fn tries_candidates(&mut self, stop: StopRef) {
        let tries = self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, tries));
        let (head, more, none) = (self.new_node(false), self.new_node(false), self.new_node(false));
        let otherwise = self.new_node(false);
        self.b.ins().brif(tries, head, &[], otherwise, &[]);

        self.continues_in(head);
        let waiting = self.of_candidates(offset_of!(TriedCandidates, waiting));
        self.b.ins().brif(waiting, more, &[], none, &[]);
        self.continues_in(none);
        self.stops_with(PENDING_CODE);
        self.continues_in(more);
        let less = self.b.ins().iadd_imm_s(waiting, -1);
        let rest = self.b.ins().band(waiting, less);
        self.notes_of_candidates(offset_of!(TriedCandidates, waiting), rest);
        let tried = self.b.ins().bxor(waiting, rest);
        self.notes_of_candidates(offset_of!(TriedCandidates, tried), tried);
        let (first, bit) =
            (self.of_candidates(offset_of!(TriedCandidates, first)), self.b.ins().ctz(waiting));
        let last = self.b.ins().iadd(first, bit);
        self.refill();
        self.for_tried_option(stop, |lower, part| {
            let entry = lower.flow.entries.iter().position(|at| *at == part.body.0);
            for word in entry.map_or(vec![], |entry| lower.flow.read_first[entry].clone()) {
                let value = lower.load(MemoryRegion::Frame, lower.frame, usize::from(word) * 8);
                lower.put(word, value);
            }
            if let Some(binder) = part.binders.last() {
                lower.put(*binder, last);
            }
            lower.go(part.body.0);
        });

        let end = self.end_of_trials(stop);
        self.continues_in(end);
        let (illegal, tried) =
            (self.of_candidates(offset_of!(TriedCandidates, illegal)), self.b.block_params(end)[0]);
        let illegal = self.b.ins().bor(illegal, tried);
        self.notes_of_candidates(offset_of!(TriedCandidates, illegal), illegal);
        let (enough, short) = (self.new_node(false), self.new_node(true));
        let (whole, left) = (self.number(self.program.budget.into()), self.b.use_var(self.budget));
        let loops = self.b.ins().isub(whole, left);
        let cost = self.b.ins().iadd_imm_s(loops, i64::from(trial::price(self.program, 0)));
        let budget = self.of_candidates(offset_of!(TriedCandidates, budget));
        let is_enough = self.b.ins().icmp(IntCC::UnsignedGreaterThan, budget, cost);
        self.b.ins().brif(is_enough, enough, &[], short, &[]);
        self.continues_in(short);
        self.stops_with(FAILED_CODE);
        self.continues_in(enough);
        let budget = self.b.ins().isub(budget, cost);
        self.notes_of_candidates(offset_of!(TriedCandidates, budget), budget);
        self.for_tried_option(stop, |lower, part| {
            for saved in part.tried.iter().flatten() {
                for k in 0..saved.words.len {
                    let word = lower.get(saved.to + k);
                    lower.put(saved.words.at + k, word);
                }
            }
            lower.b.ins().jump(head, &[]);
        });

        self.continues_in(otherwise);
    }

    /// Ends a trial with its result, if it is one of several.
    pub(super) fn ends_trial(&mut self, stop: StopRef, is_legal: bool) {
        if !tries_inline(self.choice(stop)) {
            return;
        }
        let tries = self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, tries));
        let (one_of_several, otherwise) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(tries, one_of_several, &[], otherwise, &[]);
        self.continues_in(one_of_several);
        let illegal = match is_legal {
            true => self.number(0),
            false => self.of_candidates(offset_of!(TriedCandidates, tried)),
        };
        let end = self.end_of_trials(stop);
        self.b.ins().jump(end, &[BlockArg::Value(illegal)]);
        self.continues_in(otherwise);
    }

    fn end_of_trials(&mut self, stop: StopRef) -> Node {
        if let Some(end) = self.trials.get(&stop.0) {
            return *end;
        }
        let end = self.new_node(false);
        self.b.append_block_param(end, I64);
        self.trials.insert(stop.0, end);
        end
    }

    /// Emits code for each `ensuring` option of a choice, and goes to that of the option in the context.
    fn for_tried_option(&mut self, stop: StopRef, emit: impl Fn(&mut Self, &OptionBits)) {
        let parts = (0..).zip(&self.choice(stop).parts).filter(|(_, part)| part.tried.is_some());
        let parts: Vec<(u128, &OptionBits)> = parts.collect();
        if let [(_, part)] = parts[..] {
            emit(self, part);
            return;
        }
        let option = self.of_candidates(offset_of!(TriedCandidates, option));
        let (nodes, none) =
            (parts.iter().map(|_| self.new_node(false)).collect::<Vec<_>>(), self.new_node(true));
        let mut switch = Switch::new();
        parts.iter().zip(&nodes).for_each(|((number, _), node)| switch.set_entry(*number, *node));
        switch.emit(&mut self.b, option, none);
        self.continues_in(none);
        self.stops_with(NO_ENTRY_CODE);
        for ((_, part), node) in parts.into_iter().zip(nodes) {
            self.continues_in(node);
            emit(self, part);
        }
    }

    /// Returns a field of the candidates in the context.
    fn of_candidates(&mut self, field: usize) -> Value {
        let at = offset_of!(CallContext, candidates) + field;
        self.load(MemoryRegion::Context, self.context, at)
    }

    fn notes_of_candidates(&mut self, field: usize, value: Value) {
        let at = offset_of!(CallContext, candidates) + field;
        self.store(MemoryRegion::Context, value, self.context, at);
    }
}

/// Returns the first bit of an option in the mask of its choice.
fn first_bit(part: &OptionBits) -> u32 {
    u32::from(part.first_word) * u64::BITS + u32::from(part.bit)
}
