//! Beginning and end of a compiled function, the loop over whole games, and turns.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Node, BlockArg, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Switch;

use super::{CodeGenerator, Count, FAULT_CODE, MemoryRegion, NO_ENTRY_CODE, OVER_CODE};
use crate::native::RunKind;
use crate::native::compiled::calls::CallContext;
use crate::native::compiled::{accesses, calls};
use crate::program::{
    ENDED_BY, HEADER_WORDS, In, Instruction, NumberMut, OVER, PENDING, RESULT, ResultKind, Span16,
};
use crate::run_state::{Counters, LENGTH, PAUSE};
use houserule_base::rng::{self, ManyStreams};

/// Maximum number of words of a new game that are copied inline.
const COPIED: usize = 64;

impl CodeGenerator<'_, '_> {
    pub(super) fn enter(&mut self, entry: Node) {
        let at = self.b.block_params(entry)[1];
        let fixed = self.flags(MemoryRegion::Context).with_readonly().with_can_move();
        let pointer =
            |lower: &mut Self, offset: usize| lower.b.ins().load(I64, fixed, lower.context, offset as i32);
        self.frame = pointer(self, offset_of!(CallContext, words));
        if self.kind != RunKind::Games {
            self.run_state = pointer(self, offset_of!(CallContext, run_state));
            self.streams = pointer(self, offset_of!(CallContext, streams));
            self.reads_budget();
        }
        let entries = self.flow.entries.clone();
        let mut ways = Switch::new();
        let mut stubs = vec![];
        for entry in &entries {
            let stub = self.b.create_block();
            stubs.push(stub);
            ways.set_entry(u128::from(*entry), stub);
        }
        let none = self.new_node(true);
        if self.kind == RunKind::Games {
            return self.begins_games(entries[0]);
        }
        ways.emit(&mut self.b, at, none);
        for (number, stub) in stubs.iter().enumerate() {
            self.continues_in(*stub);
            for word in self.flow.read_first[number].clone() {
                let value = self.load(MemoryRegion::Frame, self.frame, usize::from(word) * 8);
                if let Some(register) = self.registers[usize::from(word)] {
                    self.b.def_var(register, value);
                }
            }
            self.go(entries[number]);
        }
        self.continues_in(none);
        let code = self.number(NO_ENTRY_CODE);
        self.b.ins().return_(&[code]);
        self.open = false;
    }

    /// Emits the head of the loop over games, which sets up a new game.
    pub(super) fn begins_games(&mut self, start: u16) {
        let (first, zero) = (self.frame, self.number(0));
        self.b.def_var(self.guess, zero);
        let streams = self.load(MemoryRegion::Context, self.context, offset_of!(CallContext, streams));
        let head = self.head;
        let [number, frame, streams_here] = [(); 3].map(|()| self.b.append_block_param(head, I64));
        self.b.ins().jump(head, &[zero, first, streams].map(BlockArg::Value));
        self.continues_in(head);
        (self.number_of_game, self.frame, self.streams) = (number, frame, streams_here);
        self.store(MemoryRegion::Context, frame, self.context, offset_of!(CallContext, words));
        if !self.ahead {
            // Called functions draw from the streams.
            self.store(MemoryRegion::Context, streams_here, self.context, offset_of!(CallContext, streams));
        }
        self.refill();
        self.counters.into_iter().for_each(|counter| self.b.def_var(counter, zero));
        let pause = self.number(self.program.limit.min(PAUSE) as i64);
        self.store(MemoryRegion::Counters, pause, self.context, offset_of!(CallContext, pause));
        self.b.def_var(self.counters[Count::Decisions as usize], pause);
        if !self.program.pasts.is_empty() {
            self.calls(calls::forget);
        }
        let from = self.context_table(offset_of!(CallContext, start));
        let fresh = self.flow.read_first[0].clone();
        for word in &fresh {
            let value = if u32::from(*word) < self.program.reset {
                let flags = MemFlagsData::trusted().with_readonly();
                self.b.ins().load(I64, flags, from, i32::from(*word) * 8)
            } else {
                zero
            };
            self.put(*word, value);
        }
        // Words that are always in registers are written at the end of the game. So is the header, which only
        // scripts read before.
        let header = if self.program.hooks > 0 { PENDING } else { HEADER_WORDS };
        let copied: Vec<usize> = (usize::from(header)..self.program.reset as usize)
            .filter(|at| self.registers[*at].is_none())
            .collect();
        if copied.len() <= COPIED {
            for at in copied {
                let flags = MemFlagsData::trusted().with_readonly();
                let value = self.b.ins().load(I64, flags, from, at as i32 * 8);
                self.store(MemoryRegion::Frame, value, self.frame, at * 8);
            }
        } else {
            self.calls(calls::copy_start);
        }
        self.go(start);
    }

    /// Emits the end of a game: its counters go into its row, and the next game begins.
    pub(super) fn ends_games(&mut self, code: Value) {
        let rows = self.context_table(offset_of!(CallContext, rows));
        let offset = self.b.ins().imul_imm_s(self.number_of_game, size_of::<Counters>() as i64);
        let row = self.b.ins().iadd(rows, offset);
        for count in Count::ALL {
            let n = self.counter(count);
            self.b.ins().store(MemFlagsData::trusted(), n, row, count.offset() as i32);
        }
        let (next, done) = (self.new_node(false), self.new_node(false));
        let over = self.b.ins().icmp_imm_u(IntCC::Equal, code, OVER_CODE);
        self.b.ins().brif(over, next, &[], done, &[]);
        self.continues_in(done);
        self.store(MemoryRegion::Context, self.number_of_game, self.context, offset_of!(CallContext, games));
        self.b.ins().return_(&[code]);
        self.continues_in(next);
        let number = self.b.ins().iadd_imm_s(self.number_of_game, 1);
        let frame = self.b.ins().iadd_imm_s(self.frame, 8 * i64::from(self.program.frame));
        let streams = self.next_streams(number);
        let games = self.context_table(offset_of!(CallContext, games));
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, number, games);
        let (head, all) = (self.head, self.new_node(false));
        let args = [number, frame, streams].map(BlockArg::Value);
        self.b.ins().brif(more, head, &args, all, &[]);
        self.continues_in(all);
        self.b.ins().return_(&[code]);
    }

    /// Returns the address of the streams of game `number`, the next one.
    fn next_streams(&mut self, number: Value) -> Value {
        let players = usize::from(self.program.players);
        if !self.ahead {
            return self.b.ins().iadd_imm_s(self.streams, ManyStreams::bytes(players) as i64);
        }
        let beside = self.number(8);
        let group = (1 + players) * rng::SOURCE - 8 * (rng::GAMES_ABREAST - 1);
        let group = self.number(group as i64);
        let place = self.b.ins().band_imm_u(number, rng::GAMES_ABREAST as i64 - 1);
        let step = self.b.ins().select(place, beside, group);
        self.b.ins().iadd(self.streams, step)
    }

    pub(super) fn body(&mut self) {
        for copy in 0..self.nodes.len() {
            self.copy = copy;
            for at in 0..self.program.code.len() {
                if !self.flow.reached[at] {
                    continue;
                }
                self.at = at;
                if !self.flow.follows[at] {
                    self.single = None;
                }
                if let Some(node) = self.nodes[copy][at] {
                    if self.open {
                        self.b.ins().jump(node, &[]);
                    }
                    self.continues_in(node);
                }
                let instruction = self.program.code[at];
                self.instruction(&instruction);
            }
        }
    }

    pub(super) fn finish(&mut self) {
        let stopped = self.stopped;
        self.continues_in(stopped);
        let code = self.b.block_params(stopped)[0];
        for at in self.flow.written_back.clone() {
            if let Some(register) = self.registers[usize::from(at)] {
                let is_only_player = self.flow.mover == Some(at) && self.nodes.len() == 1;
                let value = if is_only_player { self.number(0) } else { self.b.use_var(register) };
                self.store(MemoryRegion::Frame, value, self.frame, usize::from(at) * 8);
            }
        }
        if self.kind == RunKind::Games {
            self.ends_games(code);
        } else {
            self.b.ins().return_(&[code]);
        }
        let fault = self.fault;
        self.b.set_cold_block(fault);
        self.continues_in(fault);
        let [at, kind, value] = [0, 1, 2].map(|k| self.b.block_params(fault)[k]);
        self.store(MemoryRegion::Context, at, self.context, offset_of!(CallContext, at));
        self.store(MemoryRegion::Context, kind, self.context, offset_of!(CallContext, fault));
        self.store(MemoryRegion::Context, value, self.context, offset_of!(CallContext, value));
        self.stops_with(FAULT_CODE);
    }

    pub(super) fn next_turn(&mut self, mover: NumberMut, to: u16) {
        if self.flow.mover == Some(mover.0) {
            let copies = self.nodes.len();
            let next = (self.copy + 1) % copies;
            let number = self.number(next as i64);
            self.put(mover.0, number);
            self.copy = next;
            self.go(to);
            self.copy = (next + copies - 1) % copies;
            return;
        }
        let next = self.get(mover.0);
        let next = self.b.ins().iadd_imm_s(next, 1);
        let players = i64::from(self.program.players);
        let over = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, next, players);
        let zero = self.number(0);
        let next = self.b.ins().select(over, zero, next);
        self.put(mover.0, next);
        self.go(to);
    }

    pub(super) fn ends_turn(&mut self, count: Count) {
        self.adds(count);
        self.spend(1 + (self.program.code.len() / LENGTH) as i64);
    }

    /// Returns `true` if the words of a span are written inline.
    pub(super) fn is_short(&self, instruction: &Instruction, words: Span16) -> bool {
        accesses::is_plain_span(self.program, instruction, words.len)
    }

    pub(super) fn reset(&mut self, words: Span16) {
        for at in words.at..words.at + words.len {
            let initial = self.number(self.program.initial[usize::from(at)] as i64);
            self.put(at, initial);
        }
    }

    pub(super) fn ends(&mut self, end: u16, result: ResultKind, player: In, turn: bool) {
        if turn {
            self.adds(Count::Turns);
        }
        let kind = self.number(result as i64);
        let result = if result.names_players() {
            let player = self.get(player.0);
            let player = self.b.ins().ishl_imm_u(player, 8);
            self.b.ins().bor(player, kind)
        } else {
            kind
        };
        let (over, end) = (self.number(OVER as i64), self.number(end.into()));
        for (at, value) in [(PENDING, over), (ENDED_BY, end), (RESULT, result)] {
            self.store(MemoryRegion::Frame, value, self.frame, usize::from(at) * 8);
        }
        match self.program.score {
            Some(score) if self.kind == RunKind::Games => {
                self.refill();
                self.go(score.0);
            }
            _ => self.stops_with(OVER_CODE),
        }
    }
}
