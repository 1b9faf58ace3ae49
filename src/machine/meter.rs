//! Measures a program instruction by instruction: how often each runs, how long it takes, and how much of it computes again
//! what was computed in the same decision.
//!
//! Every word of a frame has a number that stands for how its value came about. A word of the state has the number of its
//! content, a result the number of its instruction and inputs. An instruction *repeats* if one with the same number ran since
//! the last decision. Only repeats in a row of [`ROW`] or more count: that is what a value kept from the first time would save.

use std::collections::HashSet;

use crate::interpreter::{ExecutedInstruction, Watch};
use crate::program::{Flow, Instruction, Operand, Program, SetFunction, writes_family};
use houserule_base::clock::Instant;
use houserule_base::hash::{START, mix};
use houserule_base::interrupt;

/// Least number of repeats in a row that count.
const ROW: usize = 8;

/// Number of instructions between two looks at the clock of the whole run, and for an interruption.
const LOOK: u64 = 4096;

/// What an instruction has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstructionCost {
    /// How often it ran.
    pub runs: u64,
    /// How often it computed again what was computed since the last decision.
    pub repeated: u64,
    /// Its time in the interpreter, in nanoseconds.
    pub nanoseconds: u64,
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug)]
enum MeterInput {
    /// The words from an address on.
    Words { at: usize, len: usize },
    /// One of some values of `len` words each, chosen by the number at `index`.
    Chosen { at: usize, count: usize, len: usize, index: usize },
    /// The same at every run.
    Constant(u64),
}

/// How an instruction is compared with earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MeterKind {
    /// By its number.
    Computes,
    /// It reads nothing, so it counts with the instruction before it.
    Follows,
    /// It changes the state, draws or asks, so it never repeats.
    Acts,
}

#[derive(Clone, Debug)]
struct MeteredInstruction {
    kind: MeterKind,
    inputs: Vec<MeterInput>,
    /// Address and length of what it writes.
    outputs: Vec<(usize, usize)>,
}

/// Measures the runs of a program.
#[derive(Debug)]
pub struct CodeMeter {
    code: Vec<MeteredInstruction>,
    costs: Vec<InstructionCost>,
    /// Number of words of the state, which come first.
    live: usize,
    /// The number of each word of the frame behind the state.
    numbers: Vec<u64>,
    /// The numbers of the instructions since the last decision.
    computed: HashSet<u64>,
    /// The repeats in a row so far.
    row: Vec<usize>,
    decisions: u64,
    /// Number of the current instruction.
    number: u64,
    /// Numbers given to what acts.
    acts: u64,
    begun: Instant,
    until: Option<Instant>,
    runs: u64,
    is_over: bool,
}

impl CodeMeter {
    /// Prepares measuring a program.
    pub fn new(program: &Program) -> CodeMeter {
        let code: Vec<MeteredInstruction> = program.code.iter().map(|one| describe(program, one)).collect();
        CodeMeter {
            costs: vec![InstructionCost::default(); code.len()],
            code,
            live: program.live as usize,
            numbers: vec![0; program.frame as usize],
            computed: HashSet::new(),
            row: vec![],
            decisions: 0,
            number: 0,
            acts: 0,
            begun: Instant::now(),
            until: None,
            runs: 0,
            is_over: false,
        }
    }

    /// Sets when runs stop.
    pub fn stop_at(&mut self, until: Option<Instant>) {
        self.until = until;
    }

    /// Returns `true` once the time is over.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the costs of the instructions. The time that measuring takes is left out.
    pub fn costs(mut self) -> Vec<InstructionCost> {
        self.end_row();
        let per_run = |cost: &InstructionCost| cost.nanoseconds / cost.runs.max(1);
        let measuring = self.costs.iter().filter(|cost| cost.runs > 100).map(per_run).min().unwrap_or(0);
        for cost in &mut self.costs {
            // At least one nanosecond: no instruction is free.
            cost.nanoseconds = cost.nanoseconds.saturating_sub(cost.runs * measuring) + cost.runs;
        }
        self.costs
    }

    /// Returns the number of a word.
    fn number_of(&self, at: usize, words: &[u64]) -> u64 {
        if at < self.live { mix(START, words[at]) } else { self.numbers[at] }
    }

    fn end_row(&mut self) {
        if self.row.len() >= ROW {
            for at in &self.row {
                self.costs[*at].repeated += 1;
            }
        }
        self.row.clear();
    }
}

impl Watch for CodeMeter {
    fn begin(&mut self, at: usize, words: &[u64]) -> bool {
        let mut number = mix(START, self.code[at].kind as u64);
        for input in &self.code[at].inputs {
            match *input {
                MeterInput::Words { at, len } => {
                    for word in at..at + len {
                        number = mix(number, self.number_of(word, words));
                    }
                }
                MeterInput::Chosen { at, count, len, index } => {
                    number = mix(number, self.number_of(index, words));
                    let chosen = words[index] as usize;
                    if chosen < count {
                        let content = &words[at + chosen * len..][..len];
                        number = content.iter().fold(number, |number, word| mix(number, *word));
                    }
                }
                MeterInput::Constant(value) => number = mix(number, value),
            }
        }
        self.number = number;
        self.runs += 1;
        if self.runs.is_multiple_of(LOOK) {
            interrupt::check();
            self.is_over |= self.until.is_some_and(|until| Instant::now() >= until);
        }
        self.begun = Instant::now();
        !self.is_over
    }

    fn done(&mut self, executed: &ExecutedInstruction<'_>) {
        let nanoseconds = self.begun.elapsed().as_nanos() as u64;
        let at = executed.at;
        self.costs[at].runs += 1;
        self.costs[at].nanoseconds += nanoseconds;
        match self.code[at].kind {
            MeterKind::Computes if !self.computed.insert(self.number) => self.row.push(at),
            MeterKind::Computes => self.end_row(),
            MeterKind::Follows if !self.row.is_empty() => self.row.push(at),
            MeterKind::Follows => {}
            MeterKind::Acts => {
                self.end_row();
                self.acts += 1;
                self.number = mix(self.number, self.acts);
            }
        }
        for (first, len) in &self.code[at].outputs {
            for word in *first..first + len {
                self.numbers[word] = mix(self.number, (word - first) as u64);
            }
        }
        if executed.counters.decisions != self.decisions {
            self.decisions = executed.counters.decisions;
            self.end_row();
            self.computed.clear();
        }
    }
}

/// Describes an instruction by its operands.
fn describe(program: &Program, instruction: &Instruction) -> MeteredInstruction {
    let width = usize::from(program.width);
    let operands = instruction.operands();
    let index = operands.iter().find_map(|(name, operand)| match operand {
        Operand::Read(at) if matches!(*name, "index" | "row" | "on") => Some(usize::from(*at)),
        _ => None,
    });
    // It takes more than the element of its index.
    let takes_all = matches!(instruction, Instruction::Where { .. });
    let (mut inputs, mut outputs, mut acts) = (vec![], vec![], false);
    instruction.for_each_write(program.width, &mut |at, len| outputs.push((at, len)));
    let mut constants = vec![];
    for (name, operand) in &operands {
        let mut some = |at: u16, count: u16, len: usize| {
            let (at, count) = (usize::from(at), usize::from(count));
            acts |= writes_family(name);
            match index {
                Some(index) if !takes_all => MeterInput::Chosen { at, count, len, index },
                _ => MeterInput::Words { at, len: count * len },
            }
        };
        match operand {
            Operand::Read(at) | Operand::Change(at) => {
                inputs.push(MeterInput::Words { at: usize::from(*at), len: 1 })
            }
            Operand::ReadSet(at) | Operand::ChangeSet(at) => {
                inputs.push(MeterInput::Words { at: usize::from(*at), len: width })
            }
            Operand::Numbers(numbers) => inputs.push(some(numbers.at, numbers.len, 1)),
            Operand::Sets(sets) => inputs.push(some(sets.at, sets.len, width)),
            Operand::Words(_) => acts = true,
            Operand::Function(number) => constants.push(same_function(program, *number)),
            Operand::Write(_) | Operand::WriteSet(_) | Operand::Jump(_) => {}
            Operand::SetRef(n)
            | Operand::SetTable(n)
            | Operand::NumberTable(n)
            | Operand::Wide(n)
            | Operand::Range(n)
            | Operand::Lines(n)
            | Operand::Dice(n)
            | Operand::Stop(n)
            | Operand::Step(n)
            | Operand::Past(n)
            | Operand::Hook(n)
            | Operand::Size(n) => constants.push((*n).into()),
            Operand::Plain(n) => constants.push(*n as u64),
        }
    }
    acts |= instruction.effects().counts
        || matches!(instruction.flow(), Flow::Suspend | Flow::Stop)
        || matches!(
            instruction,
            Instruction::Note { .. } | Instruction::Repeated { .. } | Instruction::Mark { .. }
        );
    let kind = match (acts, inputs.is_empty()) {
        (true, _) => MeterKind::Acts,
        (false, true) => MeterKind::Follows,
        (false, false) => MeterKind::Computes,
    };
    let name = instruction.name().bytes().fold(START, |hash, byte| mix(hash, byte.into()));
    inputs.push(MeterInput::Constant(constants.into_iter().fold(name, mix)));
    MeteredInstruction { kind, inputs, outputs }
}

/// Returns the index of the first function that computes the same; two may have caches of their own.
fn same_function(program: &Program, number: u16) -> u64 {
    let without_cache = |function: &SetFunction| match function.clone() {
        SetFunction::Reach { table, moves, rows, .. } => {
            SetFunction::Reach { table, moves, memory: None, rows }
        }
        SetFunction::Enclosed(mut enclosure) => {
            enclosure.memory = None;
            SetFunction::Enclosed(enclosure)
        }
        function => function,
    };
    let wanted = without_cache(&program.functions[usize::from(number)]);
    let first = program.functions.iter().position(|function| without_cache(function) == wanted);
    first.map_or(u64::from(number), |first| first as u64)
}
