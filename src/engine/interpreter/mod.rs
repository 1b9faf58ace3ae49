//! The interpreter: carries out one instruction after the other.
//!
//! Each instruction has one method, which the table of instructions names; the files beside this one hold them by
//! subject. Compiled code calls the same methods for what it does not write out, so that both machines do the
//! same. Knows programs, not the language.

mod boards;
mod chance;
mod choices;
mod legal;
mod numbers;
mod sets;
mod turns;

use super::tally::{Fault, Stop, Tally};
use crate::board::kernel::Words;
use crate::program::{
    Block, In, Instruction, Numbers, Out, PENDING, Program, Rows, SetIn, SetMut, SetOut, SetRef, Sets,
    SiteRef, Truth, instructions,
};
use crate::rng::Streams;

/// What comes after an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// The instruction behind it.
    On,
    /// Another one.
    To(Block),
    /// Nothing.
    Stop(Stop),
}

/// What is wrong, with the value where there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrong {
    pub(super) fault: Fault,
    pub(super) value: i64,
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Wrong { fault, value: 0 }
    }
}

/// A program being run: its frame, its random streams and its counts. A set has `W` words.
pub(super) struct Interpreter<'a, const W: usize> {
    pub(super) program: &'a Program,
    pub(super) words: &'a mut [u64],
    pub(super) streams: &'a mut Streams,
    pub(super) tally: &'a mut Tally,
    /// What is left of the loop budget.
    pub(super) budget: u32,
    /// Do random players decide? Else a decision stops the game.
    pub(super) plays: bool,
    /// Is chance drawn on the spot? Else a chance event stops the game.
    pub(super) draws: bool,
    /// The instruction that is carried out.
    pub(super) at: usize,
}

impl<'a, const W: usize> Interpreter<'a, W> {
    pub(super) fn new(
        program: &'a Program,
        words: &'a mut [u64],
        streams: &'a mut Streams,
        tally: &'a mut Tally,
        plays: bool,
    ) -> Self {
        let budget = program.budget - tally.spent.min(program.budget - 1);
        let draws = plays || tally.draws_chance;
        Interpreter { program, words, streams, tally, budget, plays, draws, at: 0 }
    }

    /// Runs from a block on until the program stops.
    pub(super) fn run(&mut self, from: Block) -> Stop {
        self.at = usize::from(from.0);
        loop {
            match self.step() {
                Ok(Next::On) => self.at += 1,
                Ok(Next::To(block)) => self.at = usize::from(block.0),
                Ok(Next::Stop(stop)) => return stop,
                Err(Wrong { fault, value }) => return Stop::Fault { at: self.at as u32, fault, value },
            }
        }
    }

    /// Carries out the instruction at hand.
    fn step(&mut self) -> Result<Next, Wrong> {
        self.held(Self::carry_out)
    }

    /// Has the instruction at hand carried out, and in a debug build holds it to what the table says of its effects.
    #[inline(always)]
    fn held(
        &mut self,
        carry_out: impl FnOnce(&mut Self, Instruction) -> Result<Next, Wrong>,
    ) -> Result<Next, Wrong> {
        let instruction = self.program.code[self.at];
        let before = if cfg!(debug_assertions) { self.counted() } else { Default::default() };
        let done = carry_out(self, instruction);
        // What compiled code leaves out around a call rests on what the table says.
        if cfg!(debug_assertions) {
            let (effects, word) = (instruction.effects(), instruction.word());
            assert!(effects.fails || done.is_ok(), "`{word}` fails");
            assert!(effects.spends || before.0 == self.budget, "`{word}` spends");
            assert!(effects.counts || before.1 == self.counted().1, "`{word}` counts");
        }
        done
    }

    /// What is left of the budget, and the counts of the game.
    fn counted(&self) -> (u32, [u64; 4]) {
        let Tally { decisions, turns, repeats, rolls, .. } = *self.tally;
        (self.budget, [decisions, turns, repeats, rolls])
    }
}

/// Says something of the width of a program's sets.
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
pub(super) use for_width;

/// What instructions of a kind have in common: which method carries them out.
pub(super) trait Opcode {
    /// Carries out the instruction at hand, which has this opcode.
    fn carry_out<const W: usize>(interpreter: &mut Interpreter<'_, W>) -> Result<Next, Wrong>;
}

/// Something that is made for each opcode.
pub(super) trait PerOpcode {
    type Made;
    fn make<O: Opcode>() -> Self::Made;
}

macro_rules! carry_out {
    ($($(#[doc = $doc:literal])* $name:ident $method:ident $word:literal { $($field:ident: $ty:ty),* }
        $flow:ident [$($effect:ident)*];)*) => {
        impl<const W: usize> Interpreter<'_, W> {
            #[inline(always)]
            fn carry_out(&mut self, instruction: Instruction) -> Result<Next, Wrong> {
                match instruction {
                    $(Instruction::$name { $($field),* } => self.$method($($field),*).next(),)*
                }
            }
        }

        /// A type for each opcode.
        mod opcodes {
            $(pub(super) struct $name;)*
        }

        $(impl Opcode for opcodes::$name {
            #[inline(always)]
            fn carry_out<const W: usize>(interpreter: &mut Interpreter<'_, W>) -> Result<Next, Wrong> {
                interpreter.held(|interpreter, instruction| match instruction {
                    Instruction::$name { $($field),* } => interpreter.$method($($field),*).next(),
                    _ => unreachable!("it is called for instructions with its opcode"),
                })
            }
        })*

        /// What is made for the opcode of an instruction.
        pub(super) fn for_opcode<M: PerOpcode>(instruction: &Instruction) -> M::Made {
            match instruction {
                $(Instruction::$name { .. } => M::make::<opcodes::$name>(),)*
            }
        }
    };
}

instructions!(carry_out);

/// What a method of an instruction returns: nothing, if it always hands on to the next one and can't fail.
trait Done {
    fn next(self) -> Result<Next, Wrong>;
}

impl Done for () {
    fn next(self) -> Result<Next, Wrong> {
        Ok(Next::On)
    }
}

impl Done for Next {
    fn next(self) -> Result<Next, Wrong> {
        Ok(self)
    }
}

impl Done for Result<(), Wrong> {
    fn next(self) -> Result<Next, Wrong> {
        self.map(|()| Next::On)
    }
}

impl Done for Result<Next, Wrong> {
    fn next(self) -> Result<Next, Wrong> {
        self
    }
}

/// To a target if a condition holds, or if it does not; else on.
fn jump_if(condition: bool, is: Truth, to: Block) -> Next {
    if condition == is.0 { Next::To(to) } else { Next::On }
}

/// What methods share: the frame, the tables, and how play stops.
impl<'a, const W: usize> Interpreter<'a, W> {
    fn get(&self, a: In) -> i64 {
        self.words[usize::from(a.0)] as i64
    }

    fn put(&mut self, d: Out, value: i64) {
        self.words[usize::from(d.0)] = value as u64;
    }

    fn set(&self, a: SetIn) -> &Words<W> {
        words_at(self.words, a.0.into())
    }

    fn set_mut(&mut self, a: SetMut) -> &mut Words<W> {
        words_at_mut(self.words, a.0.into())
    }

    fn put_set(&mut self, d: SetOut, set: &Words<W>) {
        *words_at_mut(self.words, d.0.into()) = *set;
    }

    fn constant_set(&self, k: SetRef) -> &'a Words<W> {
        words_at(&self.program.sets, usize::from(k.0) * W)
    }

    /// Where the number of an index stands.
    fn number_at(&self, of: Numbers, index: In) -> Result<usize, Wrong> {
        let index = within(self.get(index), of.len.into())?;
        Ok(usize::from(of.at) + index)
    }

    /// Where the set of an index stands.
    fn set_at(&self, of: Sets, index: In) -> Result<usize, Wrong> {
        let index = within(self.get(index), of.len.into())?;
        Ok(usize::from(of.at) + index * W)
    }

    /// The row of a pool that a table has for an index.
    fn row(&self, table: Rows, index: In) -> Result<usize, Wrong> {
        let index = self.get(index);
        let row = within(index.wrapping_sub(table.low), table.count as usize);
        Ok(table.first as usize + row.map_err(|wrong| Wrong { value: index, ..wrong })?)
    }

    fn spend(&mut self, turns: u32) -> Result<(), Wrong> {
        if self.budget <= turns {
            return Err(Fault::Budget.into());
        }
        self.budget -= turns;
        Ok(())
    }

    /// Stops at a site.
    fn suspend(&mut self, site: SiteRef) -> Next {
        self.put(Out(PENDING), i64::from(site.0) + 1);
        self.tally.spent = self.program.budget - self.budget;
        Next::Stop(Stop::Pending)
    }
}

/// An index, if there are so many; else what is wrong.
fn within(index: i64, len: usize) -> Result<usize, Wrong> {
    if (index as u64) < len as u64 {
        Ok(index as usize)
    } else {
        Err(Wrong { fault: Fault::Index, value: index })
    }
}

fn words_at<const W: usize>(words: &[u64], at: usize) -> &Words<W> {
    let Some(set) = words[at..].first_chunk() else { unreachable!("the verifier found the set") };
    set
}

fn words_at_mut<const W: usize>(words: &mut [u64], at: usize) -> &mut Words<W> {
    let Some(set) = words[at..].first_chunk_mut() else { unreachable!("the verifier found the set") };
    set
}

/// Has a set an element, which must be one of so many?
fn has<const W: usize>(set: &Words<W>, e: i64, size: u16) -> bool {
    (e as u64) < u64::from(size) && set[e as usize / 64] >> (e & 63) & 1 == 1
}

/// Puts an element into a set.
fn put_in<const W: usize>(set: &mut Words<W>, e: i64) {
    set[e as usize / 64] |= 1 << (e & 63);
}

/// Takes an element out of a set.
fn take_out<const W: usize>(set: &mut Words<W>, e: i64) {
    set[e as usize / 64] &= !(1 << (e & 63));
}
