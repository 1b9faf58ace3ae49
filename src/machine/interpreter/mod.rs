//! The interpreter: executes one instruction after the other.
//!
//! Each instruction has one method, named in the table of instructions. The submodules hold the methods by
//! subject. Compiled code calls the same methods for instructions that it doesn't inline, so both backends
//! behave the same. Depends on programs; independent of the language.

mod boards;
mod chains;
mod chance;
mod choices;
mod legal;
mod numbers;
mod order;
mod sets;
mod turns;

use crate::program::{
    CodeAddress, In, Instruction, Numbers, Out, PENDING, PoolRows, Program, SetIn, SetMut, SetOut, SetRef,
    Sets, StopRef, Truth, instructions,
};
use crate::run_state::{Counters, Fault, RunState, Stop};
use houserule_base::rng::Streams;
use houserule_model::board::kernel::{Words, words_at, words_at_mut};

/// Where execution continues after an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// At the next instruction.
    On,
    /// At another instruction.
    To(CodeAddress),
    /// The program stops.
    Stop(Stop),
}

/// A runtime error, with the offending value if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fail {
    pub(crate) fault: Fault,
    pub(crate) value: i64,
}

impl From<Fault> for Fail {
    fn from(fault: Fault) -> Self {
        Fail { fault, value: 0 }
    }
}

/// An instruction that was executed, and what it left.
#[derive(Clone, Copy, Debug)]
pub struct ExecutedInstruction<'a> {
    /// Its index in the program.
    pub at: usize,
    /// The instruction.
    pub instruction: Instruction,
    /// Whether it suspends the program.
    pub suspends: bool,
    /// The frame after it.
    pub words: &'a [u64],
    /// The counters of the game after it.
    pub counters: Counters,
}

/// Is told of each instruction of a run.
pub trait Watch {
    /// Called before an instruction, with its index and the frame. The run ends here if it returns `false`.
    fn begin(&mut self, _at: usize, _words: &[u64]) -> bool {
        true
    }

    /// Called after an instruction.
    fn done(&mut self, executed: &ExecutedInstruction<'_>);
}

/// A running program: its frame, its random streams and its counters. A set has `W` words.
pub(crate) struct Interpreter<'a, const W: usize> {
    pub(crate) program: &'a Program,
    pub(crate) words: &'a mut [u64],
    pub(crate) streams: &'a mut Streams,
    pub(crate) run_state: &'a mut RunState,
    /// What is left of the loop budget.
    pub(crate) budget: u32,
    /// Whether random players decide. Otherwise a decision stops the game.
    pub(crate) plays: bool,
    /// Whether chance is drawn at once. Otherwise a chance event stops the game.
    pub(crate) draws: bool,
    /// Index of the current instruction.
    pub(crate) at: usize,
}

impl<'a, const W: usize> Interpreter<'a, W> {
    pub(crate) fn new(
        program: &'a Program,
        words: &'a mut [u64],
        streams: &'a mut Streams,
        run_state: &'a mut RunState,
        plays: bool,
    ) -> Self {
        let budget = program.budget - run_state.spent.min(program.budget - 1);
        let draws = plays || run_state.draws_chance;
        Interpreter { program, words, streams, run_state, budget, plays, draws, at: 0 }
    }

    /// Runs from a block until the program stops.
    pub(crate) fn run(&mut self, from: CodeAddress) -> Stop {
        self.at = usize::from(from.0);
        loop {
            match self.step() {
                Ok(Next::On) => self.at += 1,
                Ok(Next::To(block)) => self.at = usize::from(block.0),
                Ok(Next::Stop(stop)) => return stop,
                Err(Fail { fault, value }) => return Stop::Fault { at: self.at as u32, fault, value },
            }
        }
    }

    /// Runs like [`Interpreter::run`], and tells `watch` of each instruction.
    pub(crate) fn run_watched(&mut self, from: CodeAddress, watch: &mut dyn Watch) -> Stop {
        self.at = usize::from(from.0);
        loop {
            let at = self.at;
            if !watch.begin(at, self.words) {
                return Stop::Halt;
            }
            let done = self.step();
            let (instruction, counters) = (self.program.code[at], self.run_state.counters);
            let suspends = matches!(done, Ok(Next::Stop(Stop::Pending)));
            watch.done(&ExecutedInstruction { at, instruction, suspends, words: self.words, counters });
            match done {
                Ok(Next::On) => self.at += 1,
                Ok(Next::To(block)) => self.at = usize::from(block.0),
                Ok(Next::Stop(stop)) => return stop,
                Err(Fail { fault, value }) => return Stop::Fault { at: at as u32, fault, value },
            }
        }
    }

    /// Executes the current instruction.
    pub(crate) fn step(&mut self) -> Result<Next, Fail> {
        self.carry_out_checked(Self::carry_out)
    }

    /// Executes the current instruction with `carry_out`. A debug build checks it against the effects in the
    /// table of instructions.
    #[inline(always)]
    fn carry_out_checked(
        &mut self,
        carry_out: impl FnOnce(&mut Self, Instruction) -> Result<Next, Fail>,
    ) -> Result<Next, Fail> {
        let instruction = self.program.code[self.at];
        let before = cfg!(debug_assertions).then(|| self.counted());
        let done = carry_out(self, instruction);
        // Compiled code relies on these effects to omit work around a call.
        if let Some(before) = before {
            let (effects, word) = (instruction.effects(), instruction.word());
            assert!(effects.fails || done.is_ok(), "`{word}` fails");
            assert!(effects.spends || before.0 == self.budget, "`{word}` spends");
            assert!(effects.counts || before.1 == self.counted().1, "`{word}` counts");
        }
        done
    }

    /// Returns the remaining budget and the counters of the game.
    fn counted(&self) -> (u32, Counters) {
        (self.budget, self.run_state.counters)
    }
}

/// Evaluates `$then` with the width of sets as the constant `$W`.
macro_rules! for_width {
    ($width:expr, $W:ident => $then:expr) => {
        match $width {
            1 => {
                const $W: usize = 1;
                $then
            }
            2 => {
                const $W: usize = 2;
                $then
            }
            4 => {
                const $W: usize = 4;
                $then
            }
            8 => {
                const $W: usize = 8;
                $then
            }
            20 => {
                const $W: usize = 20;
                $then
            }
            _ => {
                const $W: usize = 64;
                $then
            }
        }
    };
}
pub(crate) use for_width;

/// An opcode, with the method that executes its instructions.
pub(crate) trait Opcode {
    /// Executes the current instruction, which has this opcode.
    fn carry_out<const W: usize>(interpreter: &mut Interpreter<'_, W>) -> Result<Next, Fail>;
}

/// A constructor of one value for each opcode.
pub(crate) trait PerOpcode {
    type Made;
    fn make<O: Opcode>() -> Self::Made;
}

macro_rules! carry_out {
    ($($(#[doc = $doc:literal])* $name:ident $method:ident $word:literal { $($field:ident: $ty:ty),* }
        $flow:ident [$($effect:ident)*];)*) => {
        impl<const W: usize> Interpreter<'_, W> {
            #[inline(always)]
            fn carry_out(&mut self, instruction: Instruction) -> Result<Next, Fail> {
                match instruction {
                    $(Instruction::$name { $($field),* } => self.$method($($field),*).next(),)*
                }
            }
        }

        /// A type for each opcode.
        mod opcodes {
            $(pub(crate) struct $name;)*
        }

        $(impl Opcode for opcodes::$name {
            #[inline(always)]
            fn carry_out<const W: usize>(interpreter: &mut Interpreter<'_, W>) -> Result<Next, Fail> {
                interpreter.carry_out_checked(|interpreter, instruction| match instruction {
                    Instruction::$name { $($field),* } => interpreter.$method($($field),*).next(),
                    _ => unreachable!("it is called for instructions with its opcode"),
                })
            }
        })*

        /// Makes the value for an instruction's opcode.
        pub(crate) fn for_opcode<M: PerOpcode>(instruction: &Instruction) -> M::Made {
            match instruction {
                $(Instruction::$name { .. } => M::make::<opcodes::$name>(),)*
            }
        }
    };
}

instructions!(carry_out);

/// The return type of an instruction's method: `()` if it can't fail and always continues at the next
/// instruction.
trait IntoNext {
    fn next(self) -> Result<Next, Fail>;
}

impl IntoNext for () {
    #[inline(always)]
    fn next(self) -> Result<Next, Fail> {
        Ok(Next::On)
    }
}

impl IntoNext for Next {
    #[inline(always)]
    fn next(self) -> Result<Next, Fail> {
        Ok(self)
    }
}

impl IntoNext for Result<(), Fail> {
    #[inline(always)]
    fn next(self) -> Result<Next, Fail> {
        self.map(|()| Next::On)
    }
}

impl IntoNext for Result<Next, Fail> {
    #[inline(always)]
    fn next(self) -> Result<Next, Fail> {
        self
    }
}

/// Jumps to `to` if `condition` equals `is`, and continues otherwise.
#[inline(always)]
fn jump_if(condition: bool, is: Truth, to: CodeAddress) -> Next {
    if condition == is.0 { Next::To(to) } else { Next::On }
}

/// Shared by all methods: access to the frame and the tables, and stopping.
impl<'a, const W: usize> Interpreter<'a, W> {
    #[inline(always)]
    fn get(&self, a: In) -> i64 {
        self.words[usize::from(a.0)] as i64
    }

    #[inline(always)]
    fn put(&mut self, d: Out, value: i64) {
        self.words[usize::from(d.0)] = value as u64;
    }

    #[inline(always)]
    fn set(&self, a: SetIn) -> &Words<W> {
        words_at(self.words, a.0.into())
    }

    #[inline(always)]
    fn set_mut(&mut self, a: SetMut) -> &mut Words<W> {
        words_at_mut(self.words, a.0.into())
    }

    #[inline(always)]
    fn put_set(&mut self, d: SetOut, set: &Words<W>) {
        *words_at_mut(self.words, d.0.into()) = *set;
    }

    #[inline(always)]
    fn constant_set(&self, k: SetRef) -> &'a Words<W> {
        words_at(&self.program.sets, usize::from(k.0) * W)
    }

    /// Returns the address of the number at an index.
    #[inline(always)]
    fn number_at(&self, of: Numbers, index: In) -> Result<usize, Fail> {
        let index = within(self.get(index), of.len.into())?;
        Ok(usize::from(of.at) + index)
    }

    /// Returns the address of the set at an index.
    #[inline(always)]
    fn set_at(&self, of: Sets, index: In) -> Result<usize, Fail> {
        let index = within(self.get(index), of.len.into())?;
        Ok(usize::from(of.at) + index * W)
    }

    /// Returns the row of the pool that a table has for an index.
    #[inline(always)]
    fn row(&self, table: PoolRows, index: In) -> Result<usize, Fail> {
        let index = self.get(index);
        let row = within(index.wrapping_sub(table.low), table.count as usize);
        Ok(table.first as usize + row.map_err(|wrong| Fail { value: index, ..wrong })?)
    }

    #[inline(always)]
    fn spend(&mut self, turns: u32) -> Result<(), Fail> {
        if self.budget <= turns {
            return Err(Fault::Budget.into());
        }
        self.budget -= turns;
        Ok(())
    }

    /// Stops at a stop point.
    fn suspend(&mut self, stop: StopRef) -> Next {
        self.put(Out(PENDING), i64::from(stop.0) + 1);
        self.run_state.spent = self.program.budget - self.budget;
        Next::Stop(Stop::Pending)
    }
}

/// Returns `index` if it is less than `len`, and an index error otherwise.
#[inline(always)]
fn within(index: i64, len: usize) -> Result<usize, Fail> {
    if (index as u64) < len as u64 {
        Ok(index as usize)
    } else {
        Err(Fail { fault: Fault::Index, value: index })
    }
}

/// Returns `true` if a set contains `e` and `e` is less than `size`.
#[inline(always)]
fn has<const W: usize>(set: &Words<W>, e: i64, size: u16) -> bool {
    (e as u64) < u64::from(size) && set[e as usize / 64] >> (e & 63) & 1 == 1
}

/// Puts an element into a set.
#[inline(always)]
fn put_in<const W: usize>(set: &mut Words<W>, e: i64) {
    set[e as usize / 64] |= 1 << (e & 63);
}

/// Takes an element out of a set.
#[inline(always)]
fn take_out<const W: usize>(set: &mut Words<W>, e: i64) {
    set[e as usize / 64] &= !(1 << (e & 63));
}
