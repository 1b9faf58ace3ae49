//! Lowering: translates a program to Cranelift IR. Each instruction does the same as in the interpreter.

mod calling;
mod choices;
mod control;
mod counts;
mod draws;
mod games;
mod instruction;
mod lines;
mod sets;
mod trials;
mod values;

use std::collections::BTreeMap;
use std::mem::offset_of;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, AliasRegion, AliasRegionData, Block as Node, Function, SigRef, Signature, Value,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};

use super::flow::FlowAnalysis;
use super::implied::ImpliedCounts;
use crate::native::RunKind;
use crate::native::family::OpenNumbers;
use crate::program::{Instruction, Program};
use crate::run_state::{Counters, RunState};

/// Results of a run of the code: see [`super::Machine::run`].
pub(super) const PENDING_CODE: i64 = 0;
pub(super) const OVER_CODE: i64 = 1;
pub(super) const HALT_CODE: i64 = 2;
pub(super) const FAULT_CODE: i64 = 3;
pub(super) const FAILED_CODE: i64 = 4;
/// The code can't be entered at this instruction.
pub(super) const NO_ENTRY_CODE: i64 = 5;
/// `KEPT_CODE` plus the index of the instruction at which execution continues.
pub(super) const KEPT_CODE: i64 = 16;

/// Returns the signature of every compiled function, and of every [`InstructionFn`](super::calls::InstructionFn).
pub(super) fn signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// Translates a program into a function, which reads the numbers of `open` from a table. Returns the tables that must
/// live as long as the code, the counters that the code doesn't keep, and whether it takes random words that are drawn
/// ahead.
pub(super) fn lower(
    program: &Program,
    kind: RunKind,
    open: &OpenNumbers,
    convention: CallConv,
    function: &mut Function,
    scratch: &mut FunctionBuilderContext,
    config: cranelift_codegen::isa::TargetFrontendConfig,
) -> (Vec<Box<[u64]>>, ImpliedCounts, bool) {
    let flow = FlowAnalysis::new(program, kind);
    let implied = ImpliedCounts::new(program, &flow);
    let ahead = kind == RunKind::Games && flow.draws_ahead(program);
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
    let copies = if flow.mover.is_some() { program.players } else { 1 };
    let begins = |at: usize| flow.reached[at] && flow.leaders[at];
    let mut block_at = |at: usize| {
        let block = b.create_block();
        if matches!(program.code[at], Instruction::Over { .. }) {
            b.set_cold_block(block);
        }
        block
    };
    let nodes = (0..copies)
        .map(|_| (0..program.code.len()).map(|at| begins(at).then(|| block_at(at))).collect())
        .collect();
    let registers = flow.registers.iter().map(|kept| kept.then(|| b.declare_var(I64))).collect();
    let sizes = flow.sized.iter().map(|sized| sized.then(|| b.declare_var(I64))).collect();
    let budget = b.declare_var(I64);
    let counters = Count::ALL.map(|_| b.declare_var(I64));
    let guess = b.declare_var(I64);
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
    let mut lower = CodeGenerator {
        b,
        program,
        kind,
        numbers: open,
        width: usize::from(program.width),
        flow,
        implied,
        nodes,
        copy: 0,
        registers,
        sizes,
        single: None,
        counters,
        guess,
        regions,
        call,
        stopped,
        fault,
        budget,
        context,
        frame: zero,
        run_state: zero,
        streams: zero,
        ahead,
        head,
        number_of_game: zero,
        tables: vec![],
        trials: BTreeMap::new(),
        at: 0,
        open: true,
    };
    lower.enter(entry);
    lower.body();
    lower.finish();
    lower.b.seal_all_blocks();
    lower.b.finalize(config);
    (lower.tables, lower.implied, lower.ahead)
}

#[derive(Clone, Copy)]
enum MemoryRegion {
    Frame,
    Counters,
    Streams,
    Context,
}

/// A counter of a game: a field of [`Counters`].
#[derive(Clone, Copy)]
enum Count {
    Decisions,
    Turns,
    Repeats,
    Rolls,
}

impl Count {
    const ALL: [Count; 4] = [Count::Decisions, Count::Turns, Count::Repeats, Count::Rolls];

    /// Returns its offset in [`Counters`].
    fn offset(self) -> usize {
        match self {
            Count::Decisions => offset_of!(Counters, decisions),
            Count::Turns => offset_of!(Counters, turns),
            Count::Repeats => offset_of!(Counters, repeats),
            Count::Rolls => offset_of!(Counters, rolls),
        }
    }

    /// Returns its offset in [`RunState`].
    fn offset_in_run_state(self) -> usize {
        offset_of!(RunState, counters) + self.offset()
    }
}

/// An element with its one-element set. The set is known earlier than a set that would be made from the
/// element's number, so operations on sets need not wait.
#[derive(Clone, Copy)]
struct SingleElement {
    /// The word that holds the element.
    word: u16,
    /// The set, which is empty if there is no such element.
    set: Value,
    /// The elements that it may be.
    within: u64,
}

struct CodeGenerator<'a, 'b> {
    b: FunctionBuilder<'b>,
    program: &'a Program,
    kind: RunKind,
    /// Numbers that the code reads from the table of the program that it runs.
    numbers: &'a OpenNumbers,
    width: usize,
    flow: FlowAnalysis,
    implied: ImpliedCounts,
    /// The block that begins at each instruction, in each copy of the code.
    nodes: Vec<Vec<Option<Node>>>,
    /// The copy being emitted: with several, the player to move.
    copy: usize,
    registers: Vec<Option<Variable>>,
    /// The variables with the sizes of sets.
    sizes: Vec<Option<Variable>>,
    /// The one-element set of an element that was just found.
    single: Option<SingleElement>,
    /// The counters of whole games, in the order of [`Count::ALL`].
    counters: [Variable; Count::ALL.len()],
    /// The last size of a set of which the size rarely changes: see [`FlowAnalysis::is_steady`].
    guess: Variable,
    regions: [AliasRegion; 4],
    /// The signature of called functions.
    call: SigRef,
    /// The block that returns. Its parameter is the result.
    stopped: Node,
    /// The block that records a fault; its parameters are instruction, fault and value.
    fault: Node,
    budget: Variable,
    context: Value,
    frame: Value,
    /// The address of the [`RunState`], except in whole games: see [`CodeGenerator::run_state`].
    run_state: Value,
    streams: Value,
    /// Whether random words are drawn ahead: see [`houserule_base::rng::ManyStreams`].
    ahead: bool,
    /// The head of the loop over games. `number_of_game` is its counter.
    head: Node,
    number_of_game: Value,
    /// Tables that the code reads. They live as long as the code.
    tables: Vec<Box<[u64]>>,
    /// By stop point: the block in which each of several trials ends. Its parameter is the candidate's bit if
    /// the candidate is not legal, else 0.
    trials: BTreeMap<u16, Node>,
    /// The instruction being emitted.
    at: usize,
    /// Whether the current block is not yet terminated.
    open: bool,
}
