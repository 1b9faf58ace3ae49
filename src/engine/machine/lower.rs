//! A program in the language of the code generator: what each instruction does, as the interpreter does it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AbiParam, AliasRegion, AliasRegionData, Block as Node, BlockArg, Function, InstBuilder, MemFlagsData,
    SigRef, Signature, Value,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};

use super::Kind;
use super::calls::{self, BODY, Context, FAULT, JUMP, WAIT};
use super::flow::{self, Flow};
use crate::board::kernel::{self, LANES};
use crate::engine::tally::{BUDGET, Fault, LENGTH, PAUSE, Tally};
use crate::program::{
    Block, ENDED_BY, Failure, Flow as Hands, Function as Of, HEADER_WORDS, Imm, In, Instruction as I,
    LineTable, Numbers, OVER, Operand, Out, PENDING, Program, RESULT, RangeRef, Rare, ResultKind, SetIn,
    SetRef, SetTable, Sets, SiteKind, SiteRef, Span16, StepRef,
};
use crate::rng::Streams;

/// What a run of the code says: see [`super::Machine::run`].
pub(super) const PENDING_CODE: i64 = 0;
pub(super) const OVER_CODE: i64 = 1;
pub(super) const HALT_CODE: i64 = 2;
pub(super) const FAULT_CODE: i64 = 3;
pub(super) const FAILED_CODE: i64 = 4;
/// The code can't be entered there.
pub(super) const NO_ENTRY_CODE: i64 = 5;
/// From here on: kept, with the instruction that play goes on at.
pub(super) const KEPT_CODE: i64 = 16;

/// Words of a set up to which what is done with it is written out word by word.
const WRITTEN_OUT: usize = 4;

/// Words of a new game up to which each is copied by itself, and streams up to which each is seeded so.
const COPIED: usize = 64;
const SEEDED: u64 = 3;

/// Options up to which the chosen one is found by comparing.
const FEW_BODIES: usize = 3;

/// Sites of a board up to which a table says which sets of them have a line.
const BOARD: u32 = 12;

/// Elements of a set up to which the element of a rank stands in [`NTH`].
const TABLED: u32 = 9;

/// By set of nine elements and rank: the element, in rows of eight ranks. The last rank of the full set stands
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

/// What every function of compiled code takes and returns.
pub(super) fn signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// Writes a program into a function. Returns tables that must live as long as the code does.
pub(super) fn lower(
    program: &Program,
    kind: Kind,
    convention: CallConv,
    function: &mut Function,
    scratch: &mut FunctionBuilderContext,
    config: cranelift_codegen::isa::TargetFrontendConfig,
) -> Vec<Box<[u64]>> {
    let flow = Flow::new(program, kind);
    let region = |function: &mut Function, user_id, description: &'static str| {
        function.dfg.alias_regions.insert(AliasRegionData { user_id, description: description.into() })
    };
    let regions = [
        region(function, 0, "frame"),
        region(function, 1, "counters"),
        region(function, 2, "streams"),
        region(function, 3, "context"),
    ];
    let mut b = FunctionBuilder::new(function, scratch);
    let call = b.import_signature(signature(convention));
    let nodes =
        (0..program.code.len()).map(|at| (flow.reached[at] && flow.leaders[at]).then(|| b.create_block()));
    let nodes = nodes.collect();
    let registers = flow.registers.iter().map(|kept| kept.then(|| b.declare_var(I64))).collect();
    let budget = b.declare_var(I64);
    let whole = kind == Kind::Games;
    let counters = [(); 4].map(|()| whole.then(|| b.declare_var(I64)));
    let (entry, head) = (b.create_block(), b.create_block());
    let stopped = b.create_block();
    b.append_block_param(stopped, I64);
    let fault = b.create_block();
    b.append_block_param(fault, I64);
    b.append_block_param(fault, I64);
    b.append_block_param(fault, I64);
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let context = b.block_params(entry)[0];
    let zero = Value::from_u32(0);
    let mut lower = Lower {
        b,
        program,
        kind,
        width: usize::from(program.width),
        flow,
        nodes,
        registers,
        regions,
        call,
        stopped,
        fault,
        budget,
        counters,
        context,
        frame: zero,
        tally: zero,
        streams: zero,
        head,
        number_of_game: zero,
        index: zero,
        tables: vec![],
        at: 0,
        open: true,
    };
    lower.enter(entry);
    lower.body();
    lower.finish();
    lower.b.seal_all_blocks();
    lower.b.finalize(config);
    lower.tables
}

#[derive(Clone, Copy)]
enum Place {
    Frame,
    Counters,
    Streams,
    Context,
}

/// What is counted in registers while whole games are played.
#[derive(Clone, Copy)]
enum Count {
    Decisions,
    Turns,
    Repeats,
    Rolls,
}

impl Count {
    const ALL: [Count; 4] = [Count::Decisions, Count::Turns, Count::Repeats, Count::Rolls];

    /// Where it stands in the tally.
    fn place(self) -> usize {
        match self {
            Count::Decisions => offset_of!(Tally, decisions),
            Count::Turns => offset_of!(Tally, turns),
            Count::Repeats => offset_of!(Tally, repeats),
            Count::Rolls => offset_of!(Tally, rolls),
        }
    }
}

struct Lower<'a, 'b> {
    b: FunctionBuilder<'b>,
    program: &'a Program,
    kind: Kind,
    width: usize,
    flow: Flow,
    /// The block that begins at each instruction.
    nodes: Vec<Option<Node>>,
    registers: Vec<Option<Variable>>,
    regions: [AliasRegion; 4],
    /// The signature of what is called.
    call: SigRef,
    /// Where the code returns; takes what it says.
    stopped: Node,
    /// Where a fault is noted; takes instruction, fault and value.
    fault: Node,
    budget: Variable,
    counters: [Option<Variable>; 4],
    context: Value,
    frame: Value,
    tally: Value,
    streams: Value,
    /// Where the loop over games begins, and what it counts with.
    head: Node,
    number_of_game: Value,
    index: Value,
    /// Tables that the code reads, which live as long as it does.
    tables: Vec<Box<[u64]>>,
    /// The instruction that is written.
    at: usize,
    /// Does the current block go on?
    open: bool,
}

impl Lower<'_, '_> {
    // Memory.

    fn flags(&self, place: Place) -> MemFlagsData {
        MemFlagsData::trusted().with_alias_region(Some(self.regions[place as usize]))
    }

    /// How tables are read, which never change.
    fn tables() -> MemFlagsData {
        MemFlagsData::trusted().with_readonly().with_can_move()
    }

    fn load(&mut self, place: Place, from: Value, offset: usize) -> Value {
        let flags = self.flags(place);
        self.b.ins().load(I64, flags, from, offset as i32)
    }

    fn store(&mut self, place: Place, value: Value, to: Value, offset: usize) {
        let flags = self.flags(place);
        self.b.ins().store(flags, value, to, offset as i32);
    }

    fn number(&mut self, n: i64) -> Value {
        self.b.ins().iconst(I64, n)
    }

    fn address<T>(&mut self, of: *const T) -> Value {
        self.number(of as i64)
    }

    // Words.

    fn get(&mut self, at: u16) -> Value {
        if at == crate::program::ZERO {
            return self.number(0);
        }
        match self.registers[usize::from(at)] {
            Some(register) => self.b.use_var(register),
            None => self.load(Place::Frame, self.frame, usize::from(at) * 8),
        }
    }

    fn put(&mut self, at: u16, value: Value) {
        match self.registers[usize::from(at)] {
            Some(register) => self.b.def_var(register, value),
            None => self.store(Place::Frame, value, self.frame, usize::from(at) * 8),
        }
    }

    /// The words of a set.
    fn set(&mut self, a: u16) -> Vec<Value> {
        (0..self.width as u16).map(|k| self.get(a + k)).collect()
    }

    fn put_set(&mut self, d: u16, set: &[Value]) {
        (d..).zip(set).for_each(|(at, word)| self.put(at, *word));
    }

    fn constant(&mut self, k: SetRef) -> Vec<Value> {
        let first = usize::from(k.0) * self.width;
        (first..first + self.width).map(|at| self.number(self.program.sets[at] as i64)).collect()
    }

    fn and(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band(*a, *b)).collect()
    }

    fn or(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().bor(*a, *b)).collect()
    }

    fn minus(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band_not(*a, *b)).collect()
    }

    /// The union of the words: 0 if the set is empty.
    fn any(&mut self, set: &[Value]) -> Value {
        let mut any = set[0];
        for word in &set[1..] {
            any = self.b.ins().bor(any, *word);
        }
        any
    }

    fn count(&mut self, set: &[Value]) -> Value {
        let mut sum = self.b.ins().popcnt(set[0]);
        for word in &set[1..] {
            let more = self.b.ins().popcnt(*word);
            sum = self.b.ins().iadd(sum, more);
        }
        sum
    }

    /// The first element, or -1.
    fn first(&mut self, set: &[Value]) -> Value {
        let mut first = self.number(-1);
        for (k, word) in set.iter().enumerate().rev() {
            let here = self.b.ins().ctz(*word);
            let here = if k > 0 { self.b.ins().iadd_imm_s(here, 64 * k as i64) } else { here };
            first = self.b.ins().select(*word, here, first);
        }
        first
    }

    /// The last element, or -1.
    fn last(&mut self, set: &[Value]) -> Value {
        let mut last = self.number(-1);
        for (k, word) in set.iter().enumerate() {
            let before = self.b.ins().clz(*word);
            let top = self.number(64 * k as i64 + 63);
            let here = self.b.ins().isub(top, before);
            last = self.b.ins().select(*word, here, last);
        }
        last
    }

    /// Where a number of an array stands.
    fn number_at(&mut self, of: Numbers, index: Value) -> Value {
        self.check_index(index, u64::from(of.len));
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let base = self.b.ins().iadd(self.frame, offset);
        self.b.ins().iadd_imm_s(base, i64::from(of.at) * 8)
    }

    fn load_number(&mut self, of: Numbers, index: Value) -> Value {
        self.check_index(index, u64::from(of.len));
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let base = self.b.ins().iadd(self.frame, offset);
        self.load(Place::Frame, base, usize::from(of.at) * 8)
    }

    /// Where a set of a family stands.
    fn set_at(&mut self, of: Sets, index: Value) -> Value {
        self.check_index(index, u64::from(of.len));
        let offset = if self.width == 1 {
            self.b.ins().ishl_imm_u(index, 3)
        } else {
            self.b.ins().imul_imm_s(index, 8 * self.width as i64)
        };
        let base = self.b.ins().iadd(self.frame, offset);
        self.b.ins().iadd_imm_s(base, i64::from(of.at) * 8)
    }

    fn load_words(&mut self, from: Value) -> Vec<Value> {
        (0..self.width).map(|k| self.load(Place::Frame, from, 8 * k)).collect()
    }

    fn store_words(&mut self, set: &[Value], to: Value) {
        set.iter().enumerate().for_each(|(k, word)| self.store(Place::Frame, *word, to, 8 * k));
    }

    fn check_index(&mut self, index: Value, len: u64) {
        if let Some(known) = self.known(index)
            && (known as u64) < len
        {
            return;
        }
        let outside = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, index, len as i64);
        self.fails_if(outside, Fault::Index, index);
    }

    /// The value, if it is a constant.
    fn known(&self, value: Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let inst = dfg.value_def(value).inst()?;
        match dfg.insts[inst] {
            cranelift_codegen::ir::InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
            _ => None,
        }
    }

    /// A row of a table of sets.
    fn row(&mut self, table: SetTable, index: Value) -> Vec<Value> {
        let rows = self.program.set_tables[usize::from(table.0)];
        let place =
            if rows.low == 0 { index } else { self.b.ins().iadd_imm_s(index, rows.low.wrapping_neg()) };
        let outside =
            self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, place, i64::from(rows.count));
        self.fails_if(outside, Fault::Index, index);
        let pool = self.address(self.program.sets.as_ptr().wrapping_add(rows.first as usize * self.width));
        let offset = self.b.ins().imul_imm_s(place, 8 * self.width as i64);
        let from = self.b.ins().iadd(pool, offset);
        (0..self.width).map(|k| self.b.ins().load(I64, Self::tables(), from, 8 * k as i32)).collect()
    }

    /// Is an element one of so many, and in a set whose words are given, or stand at a place?
    fn contains(&mut self, set: SetPlace, e: Value, size: u16) -> Value {
        let one = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let word = match set {
            SetPlace::Word(word) => word,
            SetPlace::At(base) => {
                let e = self.inside(one, e);
                let word = self.b.ins().ushr_imm_u(e, 6);
                let offset = self.b.ins().ishl_imm_u(word, 3);
                let from = self.b.ins().iadd(base, offset);
                self.load(Place::Frame, from, 0)
            }
        };
        let shifted = self.b.ins().ushr(word, e);
        let bit = self.b.ins().ireduce(cranelift_codegen::ir::types::I8, shifted);
        let bit = self.b.ins().band_imm_u(bit, 1);
        self.b.ins().band(bit, one)
    }

    /// The element, or 0 if it is none, so that its place can be read.
    fn inside(&mut self, one: Value, e: Value) -> Value {
        let zero = self.number(0);
        self.b.ins().select(one, e, zero)
    }

    fn set_place(&mut self, a: u16) -> SetPlace {
        if self.width == 1 {
            SetPlace::Word(self.get(a))
        } else {
            SetPlace::At(self.b.ins().iadd_imm_s(self.frame, i64::from(a) * 8))
        }
    }

    // Where the code goes.

    fn node(&mut self, at: u16) -> Node {
        match self.nodes[usize::from(at)] {
            Some(node) => node,
            // The flow names every target.
            None => unreachable!("instruction {at} begins no block"),
        }
    }

    fn new_node(&mut self, cold: bool) -> Node {
        let node = self.b.create_block();
        if cold {
            self.b.set_cold_block(node);
        }
        node
    }

    fn go(&mut self, to: u16) {
        let node = self.node(to);
        self.b.ins().jump(node, &[]);
        self.open = false;
    }

    fn jump_if(&mut self, condition: Value, to: Block) {
        let (target, next) = (self.node(to.0), self.node(self.at as u16 + 1));
        self.b.ins().brif(condition, target, &[], next, &[]);
        self.open = false;
    }

    fn compare(&mut self, cc: IntCC, a: Value, b: Value, to: Block) {
        let condition = self.b.ins().icmp(cc, a, b);
        self.jump_if(condition, to);
    }

    fn compare_k(&mut self, cc: IntCC, a: Value, k: Imm, to: Block) {
        let condition = self.b.ins().icmp_imm_s(cc, a, i64::from(k.0));
        self.jump_if(condition, to);
    }

    /// Stops with a fault of this instruction if the condition holds.
    fn fails_if(&mut self, condition: Value, fault: Fault, value: Value) {
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(condition, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        self.fails(fault, value);
        self.b.switch_to_block(next);
        self.open = true;
    }

    fn fails_if_0(&mut self, condition: Value, fault: Fault) {
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(condition, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        let zero = self.number(0);
        self.fails(fault, zero);
        self.b.switch_to_block(next);
        self.open = true;
    }

    fn fails(&mut self, fault: Fault, value: Value) {
        let (at, fault) = (self.number(self.at as i64), self.number(fault as i64));
        let args = [at, fault, value].map(BlockArg::Value);
        let node = self.fault;
        self.b.ins().jump(node, &args);
        self.open = false;
    }

    fn stops(&mut self, code: Value) {
        let node = self.stopped;
        self.b.ins().jump(node, &[BlockArg::Value(code)]);
        self.open = false;
    }

    fn stops_with(&mut self, code: i64) {
        let code = self.number(code);
        self.stops(code);
    }

    /// Stops at a site.
    fn suspends(&mut self, site: SiteRef) {
        let number = self.number(i64::from(site.0) + 1);
        self.store(Place::Frame, number, self.frame, usize::from(PENDING) * 8);
        self.notes_spent();
        self.stops_with(PENDING_CODE);
    }

    fn notes_spent(&mut self) {
        let left = self.b.use_var(self.budget);
        let whole = self.number(i64::from(BUDGET));
        let spent = self.b.ins().isub(whole, left);
        let spent = self.b.ins().ireduce(I32, spent);
        let flags = self.flags(Place::Counters);
        self.b.ins().store(flags, spent, self.tally, offset_of!(Tally, spent) as i32);
    }

    fn plays(&self) -> bool {
        self.kind != Kind::Steps
    }

    fn spend(&mut self, turns: i64) {
        let left = self.b.use_var(self.budget);
        let short = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, left, turns);
        self.fails_if_0(short, Fault::Budget);
        let left = self.b.ins().iadd_imm_s(left, -turns);
        self.b.def_var(self.budget, left);
    }

    fn refill(&mut self) {
        let whole = self.number(i64::from(BUDGET));
        self.b.def_var(self.budget, whole);
    }

    // Counters.

    fn adds(&mut self, count: Count) {
        match self.counters[count as usize] {
            Some(counter) => {
                let n = self.b.use_var(counter);
                let n = self.b.ins().iadd_imm_s(n, 1);
                self.b.def_var(counter, n);
            }
            None => self.adds_at(self.tally, count.place()),
        }
    }

    fn adds_at(&mut self, base: Value, offset: usize) {
        let n = self.load(Place::Counters, base, offset);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(Place::Counters, n, base, offset);
    }

    /// Counts in a table of the tally, if whoever runs the code counts.
    fn adds_in(&mut self, table: usize, index: usize) {
        match self.kind {
            Kind::Rollout => {}
            Kind::Games => {
                let base = self.context_table(table);
                self.adds_at(base, index * 8);
            }
            Kind::Steps => {
                let base = self.load(Place::Context, self.context, table);
                let (counts, next) = (self.new_node(false), self.new_node(false));
                self.b.ins().brif(base, counts, &[], next, &[]);
                self.b.switch_to_block(counts);
                self.adds_at(base, index * 8);
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(next);
            }
        }
    }

    /// Where a table of counters begins.
    fn context_table(&mut self, table: usize) -> Value {
        let flags = self.flags(Place::Context).with_readonly().with_can_move();
        self.b.ins().load(I64, flags, self.context, table as i32)
    }

    fn marks(&mut self, step: StepRef) {
        self.adds_in(offset_of!(Context, steps), step.0.into());
    }

    fn counts_option(&mut self, block: usize) {
        self.adds_in(offset_of!(Context, options), block);
    }

    fn counts_site(&mut self, site: SiteRef) {
        self.adds_in(offset_of!(Context, sites), site.0.into());
    }

    /// Writes what is counted in registers to the tally, for a call that looks at it.
    fn writes_counters(&mut self, counts: &[Count]) {
        for count in counts {
            if let Some(counter) = self.counters[*count as usize] {
                let n = self.b.use_var(counter);
                self.store(Place::Counters, n, self.tally, count.place());
            }
        }
    }

    fn reads_counters(&mut self, counts: &[Count]) {
        for count in counts {
            if let Some(counter) = self.counters[*count as usize] {
                let n = self.load(Place::Counters, self.tally, count.place());
                self.b.def_var(counter, n);
            }
        }
    }

    /// A random player decides.
    fn decides(&mut self) {
        self.adds(Count::Decisions);
        self.refill();
        let decisions = match self.counters[Count::Decisions as usize] {
            Some(counter) => self.b.use_var(counter),
            None => self.load(Place::Counters, self.tally, Count::Decisions.place()),
        };
        let pause = self.load(Place::Counters, self.tally, offset_of!(Tally, pause));
        let long = self.b.ins().icmp(IntCC::UnsignedGreaterThan, decisions, pause);
        let (cold, next) = (self.new_node(true), self.new_node(false));
        self.b.ins().brif(long, cold, &[], next, &[]);
        self.b.switch_to_block(cold);
        self.writes_counters(&[Count::Decisions]);
        let result = self.calls(calls::too_long);
        self.fails_after(result);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    // Chance.

    /// Draws a word from a stream.
    fn draws(&mut self, stream: Value, offset: usize) -> Value {
        let mut s = [0, 1, 2, 3].map(|k| self.load(Place::Streams, stream, offset + 8 * k));
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
        (0..4).for_each(|k| self.store(Place::Streams, s[k], stream, offset + 8 * k));
        result
    }

    /// The stream of the player of a seat.
    fn seat(&mut self, seat: Value) -> Value {
        let seat = self.b.ins().band_imm_u(seat, crate::rng::MAX_PLAYERS as i64 - 1);
        let offset = self.b.ins().ishl_imm_u(seat, 5);
        self.b.ins().iadd(self.streams, offset)
    }

    /// One of `n` of a random player; a single one draws nothing.
    fn rank(&mut self, n: Value, me: u16) -> Value {
        let (draw, next) = (self.new_node(false), self.new_node(false));
        let k = self.b.append_block_param(next, I64);
        let several = self.b.ins().icmp_imm_u(IntCC::NotEqual, n, 1);
        let zero = self.number(0);
        self.b.ins().brif(several, draw, &[], next, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(draw);
        let seat = self.get(me);
        let stream = self.seat(seat);
        let word = self.draws(stream, Streams::SEATS);
        let drawn = self.b.ins().umulhi(word, n);
        self.b.ins().jump(next, &[BlockArg::Value(drawn)]);
        self.b.switch_to_block(next);
        k
    }

    /// One of `n` that chance draws.
    fn chance(&mut self, n: Value) -> Value {
        let word = self.draws(self.streams, offset_of!(Streams, chance));
        self.b.ins().umulhi(word, n)
    }

    /// The element of a rank of a set with elements below `size`.
    fn nth(&mut self, set: &[Value], k: Value, size: u32) -> Value {
        if let [word] = set {
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
        // Without branches: which word it is can't be foreseen.
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

    /// The element of a rank of a set of nine.
    fn nth_in_table(&mut self, set: Value, k: Value) -> Value {
        let table = self.address(NTH.as_ptr());
        let set = self.b.ins().band_imm_u(set, 0x1ff);
        let k = self.b.ins().band_imm_u(k, 63);
        let row = self.b.ins().ishl_imm_u(set, 3);
        let place = self.b.ins().iadd(row, k);
        let from = self.b.ins().iadd(table, place);
        self.b.ins().uload8(I64, Self::tables(), from, 0)
    }

    fn nth_bit(&mut self, word: Value, k: Value) -> Value {
        let address = self.address(calls::nth_bit as unsafe extern "C" fn(u64, u64) -> u64 as *const u8);
        self.calls_at(address, word, k)
    }

    // Calls.

    fn calls_at(&mut self, address: Value, a: Value, b: Value) -> Value {
        let call = self.b.ins().call_indirect(self.call, address, &[a, b]);
        self.b.inst_results(call)[0]
    }

    /// Calls the function of this instruction.
    fn calls(&mut self, of: calls::Call) -> Value {
        let address = self.address(of as *const u8);
        let at = self.number(self.at as i64);
        self.calls_at(address, self.context, at)
    }

    /// Stops if a call says that it failed.
    fn fails_after(&mut self, result: Value) {
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

    fn writes_budget(&mut self) {
        let left = self.b.use_var(self.budget);
        self.store(Place::Context, left, self.context, offset_of!(Context, budget));
    }

    fn reads_budget(&mut self) {
        let left = self.load(Place::Context, self.context, offset_of!(Context, budget));
        self.b.def_var(self.budget, left);
    }

    /// Writes the words that an instruction reads, and are in registers, to the frame.
    fn writes_operands(&mut self, instruction: &I) {
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
    fn reads_operands(&mut self, instruction: &I) {
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
    fn calls_for(&mut self, instruction: &I) {
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

    /// Goes to the body that a call has found.
    fn goes_to_body(&mut self, result: Value, site: SiteRef) {
        let mut bodies = vec![];
        if let SiteKind::Choice(choice) = &self.program.sites[usize::from(site.0)].kind {
            bodies.extend(choice.parts.iter().map(|part| part.body.0));
        }
        bodies.sort_unstable();
        bodies.dedup();
        self.switches(result, BODY, &bodies.iter().map(|at| (u64::from(*at), *at)).collect::<Vec<_>>());
    }

    /// Goes to the instruction that stands beside a number that is raised by `base`.
    fn switches(&mut self, value: Value, base: u64, ways: &[(u64, u16)]) {
        let Some(((_, last), others)) = ways.split_last() else { unreachable!("a choice has bodies") };
        let otherwise = self.node(*last);
        let mut switch = Switch::new();
        for (n, at) in others {
            let node = self.node(*at);
            switch.set_entry(u128::from(base + n), node);
        }
        switch.emit(&mut self.b, value, otherwise);
        self.open = false;
    }

    // The whole.

    fn enter(&mut self, entry: Node) {
        let at = self.b.block_params(entry)[1];
        let fixed = self.flags(Place::Context).with_readonly().with_can_move();
        let pointer =
            |lower: &mut Self, offset: usize| lower.b.ins().load(I64, fixed, lower.context, offset as i32);
        self.frame = pointer(self, offset_of!(Context, words));
        self.tally = pointer(self, offset_of!(Context, tally));
        self.streams = pointer(self, offset_of!(Context, streams));
        if self.kind != Kind::Games {
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
        if self.kind == Kind::Games {
            return self.begins_games(entries[0]);
        }
        ways.emit(&mut self.b, at, none);
        for (number, stub) in stubs.iter().enumerate() {
            self.b.switch_to_block(*stub);
            for word in self.flow.read_first[number].clone() {
                let value = self.load(Place::Frame, self.frame, usize::from(word) * 8);
                if let Some(register) = self.registers[usize::from(word)] {
                    self.b.def_var(register, value);
                }
            }
            self.go(entries[number]);
        }
        self.b.switch_to_block(none);
        let code = self.number(NO_ENTRY_CODE);
        self.b.ins().return_(&[code]);
        self.open = false;
    }

    /// The head of the loop over games: everything is as at the beginning of a game.
    fn begins_games(&mut self, start: u16) {
        let (first, zero) = (self.frame, self.number(0));
        let index = self.load(Place::Context, self.context, offset_of!(Context, index));
        let head = self.head;
        let [number, frame, index_here] = [(); 3].map(|()| self.b.append_block_param(head, I64));
        self.b.ins().jump(head, &[zero, first, index].map(BlockArg::Value));
        self.b.switch_to_block(head);
        (self.number_of_game, self.frame, self.index) = (number, frame, index_here);
        self.store(Place::Context, frame, self.context, offset_of!(Context, words));
        self.store(Place::Context, index_here, self.context, offset_of!(Context, index));
        self.refill();
        for counter in self.counters.into_iter().flatten() {
            self.b.def_var(counter, zero);
        }
        let pause = self.number(self.program.limit.min(PAUSE) as i64);
        self.store(Place::Counters, pause, self.tally, offset_of!(Tally, pause));
        if !self.program.pasts.is_empty() {
            self.calls(calls::forget);
        }
        let from = self.context_table(offset_of!(Context, start));
        let fresh = self.flow.read_first[0].clone();
        for word in &fresh {
            let value = if u32::from(*word) < self.program.reset {
                let flags = MemFlagsData::trusted().with_readonly();
                self.b.ins().load(I64, flags, from, i32::from(*word) * 8)
            } else {
                zero
            };
            if let Some(register) = self.registers[usize::from(*word)] {
                self.b.def_var(register, value);
            }
        }
        // What is in a register all the time is written at the end. So is the header, which only scripts see.
        let header = if self.program.hooks > 0 { PENDING } else { HEADER_WORDS };
        let copied: Vec<usize> = (usize::from(header)..self.program.reset as usize)
            .filter(|at| self.registers[*at].is_none())
            .collect();
        if copied.len() <= COPIED {
            for at in copied {
                let flags = MemFlagsData::trusted().with_readonly();
                let value = self.b.ins().load(I64, flags, from, at as i32 * 8);
                self.store(Place::Frame, value, self.frame, at * 8);
            }
        } else {
            self.calls(calls::copy_start);
        }
        self.seeds();
        self.go(start);
    }

    /// Makes the streams those of the game that begins.
    fn seeds(&mut self) {
        let (chance, players) = (self.program.uses_chance, u64::from(self.program.players));
        if players + u64::from(chance) > SEEDED {
            self.calls(calls::restart);
            return;
        }
        let mixed = self.context_table(offset_of!(Context, seed));
        let turned = self.b.ins().imul_imm_s(self.index, crate::rng::INDEX as i64);
        let key = self.b.ins().bxor(mixed, turned);
        let key = self.mixes(key);
        for source in u64::from(!chance)..=players {
            let place = match source {
                0 => offset_of!(Streams, chance),
                seat => Streams::SEATS + 32 * (seat as usize - 1),
            };
            for k in 0..4 {
                let by = crate::rng::GOLDEN.wrapping_mul(4 * source + k + 1);
                let word = self.b.ins().iadd_imm_s(key, by as i64);
                let word = self.mixes(word);
                self.store(Place::Streams, word, self.streams, place + 8 * k as usize);
            }
        }
    }

    /// The output function of SplitMix64.
    fn mixes(&mut self, x: Value) -> Value {
        let mut z = x;
        for (shift, by) in [(30, crate::rng::MIX[0]), (27, crate::rng::MIX[1])] {
            let high = self.b.ins().ushr_imm_u(z, shift);
            z = self.b.ins().bxor(z, high);
            z = self.b.ins().imul_imm_s(z, by as i64);
        }
        let high = self.b.ins().ushr_imm_u(z, 31);
        self.b.ins().bxor(z, high)
    }

    /// The end of a game: what was counted goes into its row, and the next game begins.
    fn ends_games(&mut self, code: Value) {
        let rows = self.context_table(offset_of!(Context, rows));
        let offset = self.b.ins().ishl_imm_u(self.number_of_game, 5);
        let row = self.b.ins().iadd(rows, offset);
        for (k, counter) in self.counters.into_iter().enumerate() {
            if let Some(counter) = counter {
                let n = self.b.use_var(counter);
                let flags = MemFlagsData::trusted();
                self.b.ins().store(flags, n, row, 8 * k as i32);
            }
        }
        let (next, done) = (self.new_node(false), self.new_node(false));
        let over = self.b.ins().icmp_imm_u(IntCC::Equal, code, OVER_CODE);
        self.b.ins().brif(over, next, &[], done, &[]);
        self.b.switch_to_block(done);
        self.store(Place::Context, self.number_of_game, self.context, offset_of!(Context, games));
        self.b.ins().return_(&[code]);
        self.b.switch_to_block(next);
        let number = self.b.ins().iadd_imm_s(self.number_of_game, 1);
        let frame = self.b.ins().iadd_imm_s(self.frame, 8 * i64::from(self.program.frame));
        let index = self.b.ins().iadd_imm_s(self.index, 1);
        let games = self.context_table(offset_of!(Context, games));
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, number, games);
        let (head, all) = (self.head, self.new_node(false));
        let args = [number, frame, index].map(BlockArg::Value);
        self.b.ins().brif(more, head, &args, all, &[]);
        self.b.switch_to_block(all);
        self.b.ins().return_(&[code]);
    }

    fn body(&mut self) {
        for at in 0..self.program.code.len() {
            if !self.flow.reached[at] {
                continue;
            }
            self.at = at;
            if let Some(node) = self.nodes[at] {
                if self.open {
                    self.b.ins().jump(node, &[]);
                }
                self.b.switch_to_block(node);
                self.open = true;
            }
            let instruction = self.program.code[at];
            self.instruction(&instruction);
        }
    }

    fn finish(&mut self) {
        let stopped = self.stopped;
        self.b.switch_to_block(stopped);
        let code = self.b.block_params(stopped)[0];
        for at in self.flow.written_back.clone() {
            if let Some(register) = self.registers[usize::from(at)] {
                let value = self.b.use_var(register);
                self.store(Place::Frame, value, self.frame, usize::from(at) * 8);
            }
        }
        if self.kind == Kind::Games {
            self.ends_games(code);
        } else {
            self.b.ins().return_(&[code]);
        }
        let fault = self.fault;
        self.b.set_cold_block(fault);
        self.b.switch_to_block(fault);
        let [at, kind, value] = [0, 1, 2].map(|k| self.b.block_params(fault)[k]);
        self.store(Place::Context, at, self.context, offset_of!(Context, at));
        self.store(Place::Context, kind, self.context, offset_of!(Context, fault));
        self.store(Place::Context, value, self.context, offset_of!(Context, value));
        self.stops_with(FAULT_CODE);
    }

    // Instructions.

    fn in_range(&mut self, value: Value, range: RangeRef) {
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

    fn sum(&mut self, a: Value, b: Value) -> Value {
        let (sum, over) = self.b.ins().sadd_overflow(a, b);
        self.fails_if_0(over, Fault::Overflow);
        sum
    }

    fn next_turn(&mut self, mover: Out, to: u16) {
        let next = self.get(mover.0);
        let next = self.b.ins().iadd_imm_s(next, 1);
        let players = i64::from(self.program.players);
        let over = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, next, players);
        let zero = self.number(0);
        let next = self.b.ins().select(over, zero, next);
        self.put(mover.0, next);
        self.go(to);
    }

    fn ends_turn(&mut self, count: Count) {
        self.adds(count);
        self.spend(1 + (self.program.code.len() / LENGTH) as i64);
    }

    fn reset(&mut self, words: Span16) {
        for at in words.at..words.at + words.len {
            let initial = self.number(self.program.initial[usize::from(at)] as i64);
            self.put(at, initial);
        }
    }

    /// Has a set a run of the tested length? Only for sets of one word on plain grids.
    fn any_line(&mut self, lines: &LineTable, set: Value) -> Value {
        let grid = lines.grid;
        let sites = grid.width * grid.height;
        if sites <= BOARD {
            return self.any_line_in_table(lines, sites, set);
        }
        let mut any = None;
        for lane in 0..LANES {
            let mask = self.program.sets[lines.masks as usize + lane];
            if mask == 0 {
                continue;
            }
            let (mut found, mut have) = (set, 1);
            while have < lines.length {
                let more = have.min(lines.length - have);
                let by = self.b.ins().ushr_imm_u(found, i64::from((lines.strides[lane] * more) & 63));
                found = self.b.ins().band(found, by);
                have += more;
            }
            let found = self.b.ins().band_imm_u(found, mask as i64);
            any = Some(match any {
                Some(any) => self.b.ins().bor(any, found),
                None => found,
            });
        }
        any.unwrap_or_else(|| self.number(0))
    }

    /// The same on a small board, by a table that has a bit for each set of its sites.
    fn any_line_in_table(&mut self, lines: &LineTable, sites: u32, set: Value) -> Value {
        let masks = &self.program.sets[lines.masks as usize..][..LANES];
        let mut table = vec![0u64; (1usize << sites).div_ceil(64)].into_boxed_slice();
        for of in 0..1u64 << sites {
            if kernel::any_line::<1>(&[of], &lines.strides, masks, lines.length) {
                table[(of / 64) as usize] |= 1 << (of % 64);
            }
        }
        let start = self.address(table.as_ptr());
        self.tables.push(table);
        let set = self.b.ins().band_imm_u(set, (1 << sites) - 1);
        let word = self.b.ins().ushr_imm_u(set, 6);
        let offset = self.b.ins().ishl_imm_u(word, 3);
        let from = self.b.ins().iadd(start, offset);
        let word = self.b.ins().load(I64, Self::tables(), from, 0);
        let bit = self.b.ins().ushr(word, set);
        self.b.ins().band_imm_u(bit, 1)
    }

    /// Are the lines tested by what is written out here?
    fn is_plain_line(&self, lines: u16) -> bool {
        self.width == 1 && self.program.lines[usize::from(lines)].lists.is_empty()
    }

    /// Points of the lines of a set of one word on a plain grid.
    fn points(&mut self, lines: &LineTable, set: Value) -> Value {
        let differences = &lines.second_differences;
        let first = differences.iter().take_while(|d| **d == 0).count();
        let lanes: Vec<usize> = (0..LANES).collect();
        let mut found = vec![set; LANES];
        let lengthen = |lower: &mut Self, found: &mut [Value], n: u32| {
            for lane in 0..LANES {
                let by = lower.b.ins().ushr_imm_u(set, i64::from((lines.strides[lane] * n) & 63));
                found[lane] = lower.b.ins().band(found[lane], by);
            }
        };
        for n in 1..=first as u32 {
            lengthen(self, &mut found, n);
        }
        let done = self.new_node(false);
        let result = self.b.append_block_param(done, I64);
        let mut sum = self.number(0);
        for n in first..(lines.length as usize).min(differences.len()) {
            let mut counted = vec![];
            for lane in &lanes {
                let mask = self.program.sets[lines.masks as usize + n * LANES + lane];
                if mask != 0 {
                    counted.push(self.b.ins().band_imm_u(found[*lane], mask as i64));
                }
            }
            let Some((head, rest)) = counted.split_first() else { break };
            let mut any = *head;
            for more in rest {
                any = self.b.ins().bor(any, *more);
            }
            let (go_on, next) = (self.new_node(false), done);
            self.b.ins().brif(any, go_on, &[], next, &[BlockArg::Value(sum)]);
            self.b.switch_to_block(go_on);
            let mut windows = self.b.ins().popcnt(*head);
            for more in rest {
                let here = self.b.ins().popcnt(*more);
                windows = self.b.ins().iadd(windows, here);
            }
            let points = self.b.ins().imul_imm_s(windows, differences[n]);
            sum = self.b.ins().iadd(sum, points);
            lengthen(self, &mut found, n as u32 + 1);
        }
        self.b.ins().jump(done, &[BlockArg::Value(sum)]);
        self.b.switch_to_block(done);
        result
    }

    /// The sites of a move of whole sets of one word.
    fn spreads(&mut self, moves: &crate::program::Moves, set: Value) -> Value {
        let mut union = self.number(0);
        for (k, distance) in moves.distances.iter().enumerate() {
            let mask = self.program.sets[moves.masks as usize + k];
            let going = self.b.ins().band_imm_u(set, mask as i64);
            let moved = if *distance >= 64 {
                self.number(0)
            } else if k < moves.up {
                self.b.ins().ishl_imm_u(going, i64::from(*distance))
            } else {
                self.b.ins().ushr_imm_u(going, i64::from(*distance))
            };
            union = self.b.ins().bor(union, moved);
        }
        union
    }

    /// The domain of the elements of a choice with one option and one binder, as large as can be.
    fn elements(&self, site: SiteRef) -> u32 {
        match &self.program.sites[usize::from(site.0)].kind {
            SiteKind::Choice(choice) => match choice.parts.as_slice() {
                [part] if part.sizes.len() == 1 => part.sizes[0],
                _ => u32::MAX,
            },
            _ => u32::MAX,
        }
    }

    /// Puts an element that is one of its domain into a set that stands somewhere, or takes it out.
    fn changes_at(&mut self, base: Value, e: Value, adds: bool) {
        let base = if self.width == 1 {
            base
        } else {
            let word = self.b.ins().ushr_imm_u(e, 6);
            let offset = self.b.ins().ishl_imm_u(word, 3);
            self.b.ins().iadd(base, offset)
        };
        let word = self.load(Place::Frame, base, 0);
        let word = self.changed(word, e, adds);
        self.store(Place::Frame, word, base, 0);
    }

    fn changed(&mut self, word: Value, e: Value, adds: bool) -> Value {
        let one = self.number(1);
        let bit = self.b.ins().ishl(one, e);
        if adds { self.b.ins().bor(word, bit) } else { self.b.ins().band_not(word, bit) }
    }

    /// The same of a set that operands name.
    fn changes(&mut self, set: u16, e: Value, adds: bool) {
        if self.width == 1 {
            let word = self.get(set);
            let word = self.changed(word, e, adds);
            self.put(set, word);
        } else {
            let base = self.b.ins().iadd_imm_s(self.frame, i64::from(set) * 8);
            self.changes_at(base, e, adds);
        }
    }

    /// Begins a block for an element that is one of its domain; returns where play goes on otherwise.
    fn if_element(&mut self, e: Value, size: u16) -> Node {
        let is = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let (then, after) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(is, then, &[], after, &[]);
        self.b.switch_to_block(then);
        after
    }

    fn ends_if(&mut self, after: Node) {
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
        self.open = true;
    }

    /// Goes to the target if `n` is 0.
    fn none_if_zero(&mut self, n: Value, to: Block) {
        let (target, next) = (self.node(to.0), self.new_node(false));
        self.b.ins().brif(n, next, &[], target, &[]);
        self.b.switch_to_block(next);
        self.open = true;
    }

    fn chance_or_wait(&mut self, site: SiteRef) {
        if self.plays() {
            return;
        }
        let draws = self.load(Place::Context, self.context, offset_of!(Context, draws));
        let (wait, next) = (self.new_node(false), self.new_node(false));
        self.b.ins().brif(draws, next, &[], wait, &[]);
        self.b.switch_to_block(wait);
        self.suspends(site);
        self.b.switch_to_block(next);
        self.open = true;
    }

    /// Is the work on sets of this width left to the functions that are called?
    fn is_wide(&self) -> bool {
        self.width > WRITTEN_OUT
    }

    fn instruction(&mut self, instruction: &I) {
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
                let rows = if len == 0 { i64::MAX as u64 } else { u64::from(words.len) / len };
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

    fn if_compare(&mut self, cc: IntCC, a: In, b: In, to: Block) {
        let (a, b) = (self.get(a.0), self.get(b.0));
        self.compare(cc, a, b, to);
    }

    fn if_compare_k(&mut self, cc: IntCC, a: In, k: Imm, to: Block) {
        let a = self.get(a.0);
        self.compare_k(cc, a, k, to);
    }

    fn jump_if_not(&mut self, condition: Value, to: Block) {
        let (target, next) = (self.node(to.0), self.node(self.at as u16 + 1));
        self.b.ins().brif(condition, next, &[], target, &[]);
        self.open = false;
    }

    fn load_contains(&mut self, from: Sets, index: In, e: In, size: u16) -> Value {
        let index = self.get(index.0);
        let at = self.set_at(from, index);
        let e = self.get(e.0);
        let set =
            if self.width == 1 { SetPlace::Word(self.load(Place::Frame, at, 0)) } else { SetPlace::At(at) };
        self.contains(set, e, size)
    }

    fn rest(&mut self, a: SetIn, b: SetIn) -> Value {
        let (a, b) = (self.set(a.0), self.set(b.0));
        let rest = self.minus(&a, &b);
        self.any(&rest)
    }

    fn difference(&mut self, a: SetIn, b: SetIn) -> Value {
        let (a, b) = (self.set(a.0), self.set(b.0));
        let rest: Vec<Value> = a.iter().zip(&b).map(|(a, b)| self.b.ins().bxor(*a, *b)).collect();
        self.any(&rest)
    }

    fn changes_if_element(&mut self, set: u16, e: Value, size: u16, adds: bool) {
        if self.width > 1 {
            let after = self.if_element(e, size);
            self.changes(set, e, adds);
            return self.ends_if(after);
        }
        let is = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, e, i64::from(size));
        let one = self.b.ins().uextend(I64, is);
        let bit = self.b.ins().ishl(one, e);
        let word = self.get(set);
        let word = if adds { self.b.ins().bor(word, bit) } else { self.b.ins().band_not(word, bit) };
        self.put(set, word);
    }

    fn bit_if_less(&mut self, bit: u8, a: In, k: Imm) -> Value {
        let a = self.get(a.0);
        let less = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, i64::from(k.0));
        let less = self.b.ins().uextend(I64, less);
        self.b.ins().ishl_imm_u(less, i64::from(bit & 63))
    }

    /// The words of a set of any width.
    fn all_of(&mut self, a: u16) -> Vec<Value> {
        (0..self.width as u16).map(|k| self.get(a + k)).collect()
    }

    /// A set that is chosen from, and how many elements it has.
    fn counted(&mut self, a: u16) -> (Chosen, Value) {
        let set = self.all_of(a);
        let n = self.count(&set);
        (if self.is_wide() { Chosen::At(a) } else { Chosen::Words(set) }, n)
    }

    fn nth_of(&mut self, set: Chosen, k: Value, size: u32) -> Value {
        match set {
            Chosen::Words(set) => self.nth(&set, k, size),
            Chosen::At(a) => {
                let address = self.address(calls::nth_of(self.program.width));
                let set = self.b.ins().iadd_imm_s(self.frame, i64::from(a) * 8);
                self.calls_at(address, set, k)
            }
        }
    }

    /// A row of a table of wide sets and what a set shares with it.
    fn wide_row(&mut self, table: SetTable, index: Value, a: u16) -> Vec<Value> {
        let row = self.row(table, index);
        let a = self.all_of(a);
        self.and(&row, &a)
    }

    fn first_of_row(&mut self, table: SetTable, index: Value, a: u16) -> Value {
        let set = self.wide_row(table, index, a);
        self.first(&set)
    }

    /// Goes to the body of a bit, after counting its option and whatever else is to do.
    fn goes_one_of(&mut self, bit: Value, ways: &[(u8, usize, u16)], mut then: impl FnMut(&mut Self, u8)) {
        let nodes: Vec<Node> = ways.iter().map(|_| self.new_node(false)).collect();
        let Some((last, others)) = nodes.split_last() else { unreachable!("a choice has bodies") };
        if others.len() < FEW_BODIES {
            for (node, (of, _, _)) in others.iter().zip(ways) {
                let next = self.new_node(false);
                let is = self.b.ins().icmp_imm_u(IntCC::Equal, bit, i64::from(*of));
                self.b.ins().brif(is, *node, &[], next, &[]);
                self.b.switch_to_block(next);
            }
            self.b.ins().jump(*last, &[]);
        } else {
            let mut switch = Switch::new();
            for (node, (of, _, _)) in others.iter().zip(ways) {
                switch.set_entry(u128::from(*of), *node);
            }
            switch.emit(&mut self.b, bit, *last);
        }
        for (node, (bit, option, body)) in nodes.iter().zip(ways) {
            self.b.switch_to_block(*node);
            self.open = true;
            then(self, *bit);
            self.counts_option(*option);
            self.go(*body);
        }
    }

    /// Stops at a site where something is legal.
    fn suspends_if_some(&mut self, site: SiteRef, to: Block) {
        let SiteKind::Choice(choice) = &self.program.sites[usize::from(site.0)].kind else {
            unreachable!("a choice chooses")
        };
        let words: Vec<Value> =
            (choice.region..choice.region + choice.words).map(|at| self.get(at)).collect();
        let any = if words.is_empty() { self.number(0) } else { self.any(&words) };
        self.none_if_zero(any, to);
        self.suspends(site);
    }

    fn calls_this(&mut self, instruction: &I) -> Value {
        let Some(call) = calls::call_of(instruction, self.program.width) else {
            unreachable!("`{}` is not called", instruction.word())
        };
        self.calls(call)
    }

    fn jumps_after(&mut self, result: Value, to: Block) {
        self.fails_after(result);
        let jumps = self.b.ins().icmp_imm_u(IntCC::Equal, result, JUMP as i64);
        let (target, next) = (self.node(to.0), self.new_node(false));
        self.b.ins().brif(jumps, target, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Draws a candidate, and goes to its body.
    fn tries(&mut self, instruction: &I, site: SiteRef, to: Block) {
        self.writes_budget();
        self.writes_counters(&[Count::Decisions]);
        let result = self.calls_this(instruction);
        self.reads_counters(&[Count::Decisions]);
        self.reads_budget();
        self.jumps_after(result, to);
        self.goes_to_body(result, site);
    }

    /// Rolls dice as one event.
    fn rolls(&mut self, dice: u16) {
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

    fn ends(&mut self, end: u16, result: ResultKind, player: In, turn: bool) {
        if turn {
            self.adds(Count::Turns);
        }
        let kind = self.number(result as i64);
        let result = if matches!(result, ResultKind::Win | ResultKind::Lose) {
            let player = self.get(player.0);
            let player = self.b.ins().ishl_imm_u(player, 8);
            self.b.ins().bor(player, kind)
        } else {
            kind
        };
        let (over, end) = (self.number(OVER as i64), self.number(end.into()));
        for (at, value) in [(PENDING, over), (ENDED_BY, end), (RESULT, result)] {
            self.store(Place::Frame, value, self.frame, usize::from(at) * 8);
        }
        match self.program.score {
            Some(score) if self.kind == Kind::Games => {
                self.refill();
                self.go(score.0);
            }
            _ => self.stops_with(OVER_CODE),
        }
    }
}

/// A set that an element is drawn from.
enum Chosen {
    Words(Vec<Value>),
    /// In the frame.
    At(u16),
}

/// Where a set stands whose elements are looked for.
#[derive(Clone, Copy)]
enum SetPlace {
    Word(Value),
    At(Value),
}

fn fault_of(why: Failure) -> Fault {
    match why {
        Failure::NoneIndex => Fault::NoneIndex,
        Failure::NoneValue => Fault::NoneValue,
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
