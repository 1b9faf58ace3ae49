//! What compiled code calls: the interpreter, for an instruction that is large or rare, and what whole games need.
//!
//! Every function takes the context and the number of its instruction. It returns what happens next: [`NEXT`],
//! [`FAULT`], [`WAIT`], or where play goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::board::kernel::{self, Words};
use crate::engine::effects::{choose, ways};
use crate::engine::interpreter::{Interpreter, Next, Opcode, PerOpcode, Wrong, for_opcode, for_width};
use crate::engine::processor::has_bmi2;
use crate::engine::sets;
use crate::engine::tally::{Fault, Tally};
use crate::program::{ChoiceSite, Instruction, Program, SiteKind};
use crate::rng::Streams;

/// The next instruction is the one after.
pub(super) const NEXT: u64 = 0;
/// The context says what is wrong.
pub(super) const FAULT: u64 = 1;
/// Play stops here until somebody decides or something comes out.
pub(super) const WAIT: u64 = 2;
/// From here on: the number of the instruction at which play goes on.
pub(super) const TO: u64 = 1 << 16;

/// What compiled code is given: where everything is, and room for what it says when it stops. Its fields are
/// words, which the code finds by their places.
#[repr(C)]
pub(super) struct Context {
    pub(super) program: *const Program,
    pub(super) words: *mut u64,
    pub(super) streams: *mut Streams,
    pub(super) tally: *mut Tally,
    /// Where blocks of actions and steps are counted; null where nothing is counted.
    pub(super) options: *mut u64,
    pub(super) steps: *mut u64,
    /// What is left of the loop budget.
    pub(super) budget: u64,
    /// 1 where random players decide, 0 where a decision stops the game.
    pub(super) plays: u64,
    /// 1 where chance is drawn, 0 where it stops the game.
    pub(super) draws: u64,
    /// Of whole games: what a game counts, in the order of [`Count`](super::lower::Count); when random players look
    /// whether to go on; and how often the first blocks of actions and the first steps were used.
    pub(super) counts: [u64; 4],
    pub(super) pause: u64,
    pub(super) options_used: [u64; FEW],
    pub(super) steps_used: [u64; FEW],
    /// How many are to be played.
    pub(super) games: u64,
    /// Where the words of a new game stand, and where what is counted of each game goes.
    pub(super) start: *const u64,
    pub(super) rows: *mut u64,
    /// Of a fault: the instruction, the number of the fault, and the value.
    pub(super) at: u64,
    pub(super) fault: u64,
    pub(super) value: i64,
    /// What a call unwound with. Compiled code can't be unwound, so it returns as at a fault first.
    pub(super) unwound: Option<Box<dyn Any + Send>>,
}

/// Blocks of actions and steps that are counted in the context, where the code finds them at once.
pub(super) const FEW: usize = 12;

/// A function that compiled code calls for an instruction.
pub(super) type Call = extern "C" fn(&mut Context, u32) -> u64;

impl Context {
    /// The interpreter at an instruction.
    fn interpreter<const W: usize>(&mut self, at: u32) -> Interpreter<'_, W> {
        // SAFETY: whoever runs the code has exclusive references to all of these, which live until it returns,
        // and the frame has as many words as the program says.
        unsafe {
            let program = &*self.program;
            Interpreter {
                program,
                words: std::slice::from_raw_parts_mut(self.words, program.frame as usize),
                streams: &mut *self.streams,
                tally: &mut *self.tally,
                budget: self.budget as u32,
                plays: self.plays != 0,
                draws: self.draws != 0,
                at: at as usize,
            }
        }
    }

    /// Carries out what may unwind.
    fn guarded(&mut self, work: impl FnOnce(&mut Context) -> u64) -> u64 {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(unwound) => {
                self.unwound = Some(unwound);
                FAULT
            }
        }
    }

    fn fails(&mut self, wrong: Wrong) -> u64 {
        (self.fault, self.value) = (wrong.fault as u64, wrong.value);
        FAULT
    }
}

/// What carries an instruction out, for sets of a width: a function for each opcode, so that nothing is looked up.
pub(super) fn carry_out(width: u16, instruction: &Instruction) -> Call {
    struct Calls<const W: usize>;
    impl<const W: usize> PerOpcode for Calls<W> {
        type Made = Call;
        fn make<O: Opcode>() -> Call {
            one::<W, O>
        }
    }
    extern "C" fn one<const W: usize, O: Opcode>(context: &mut Context, at: u32) -> u64 {
        context.guarded(|context| {
            let mut interpreter = context.interpreter::<W>(at);
            let next = O::carry_out(&mut interpreter);
            context.budget = interpreter.budget.into();
            match next {
                Ok(Next::On) => NEXT,
                Ok(Next::To(block)) => TO + u64::from(block.0),
                Ok(Next::Stop(_)) => WAIT,
                Err(wrong) => context.fails(wrong),
            }
        })
    }
    for_width!(width, W => for_opcode::<Calls<W>>(instruction))
}

/// Forgets the positions of the game before.
pub(super) extern "C" fn forget(context: &mut Context, _at: u32) -> u64 {
    context.interpreter::<1>(0).tally.forget();
    NEXT
}

/// Copies the words of a new game, where they are many.
pub(super) extern "C" fn copy_start(context: &mut Context, _at: u32) -> u64 {
    // SAFETY: whoever runs the code gives as many words to start with as a new game resets.
    let start = unsafe { std::slice::from_raw_parts(context.start, (*context.program).reset as usize) };
    context.interpreter::<1>(0).words[..start.len()].copy_from_slice(start);
    NEXT
}

/// Looks whether random players go on after so many decisions.
pub(super) extern "C" fn too_long(context: &mut Context, _at: u32) -> u64 {
    context.guarded(|context| {
        let here = context.interpreter::<1>(0);
        let is_too_long = here.tally.is_too_long(here.program);
        if is_too_long { context.fails(Fault::Limit.into()) } else { NEXT }
    })
}

/// Has the set of a family that the context's value chooses a line? For sets of several words.
pub(super) fn has_line(width: u16) -> Call {
    extern "C" fn of<const W: usize>(context: &mut Context, at: u32) -> u64 {
        let index = context.value as usize;
        let here = context.interpreter::<W>(at);
        let Instruction::IfLine { from, lines, .. } = here.program.code[at as usize] else { return 0 };
        let lines = &here.program.lines[usize::from(lines.0)];
        sets::has_line::<W>(here.program, lines, here.words, from, index).into()
    }
    for_width!(width, W => of::<W>)
}

/// How many ways random players have at a choice, in the lower half, and the word from which they count.
pub(super) extern "C" fn ways_any(context: &mut Context, at: u32) -> u64 {
    let here = context.interpreter::<1>(at);
    let Some(choice) = choice_at(here.program, at) else { return 0 };
    ways(choice, here.words).map_or(0, |(first, n)| (first as u64) << 32 | u64::from(n))
}

/// Takes the way of a rank. The context's value is the rank, and above it the word from which ways count.
pub(super) extern "C" fn choose_ranked(context: &mut Context, at: u32) -> u64 {
    let ranked = context.value as u64;
    let here = context.interpreter::<1>(at);
    let Some(choice) = choice_at(here.program, at) else { return NEXT };
    let part = choose(choice, here.words, (ranked >> 32) as usize, ranked as u32);
    here.tally.option(part.block as usize);
    TO + u64::from(part.body.0)
}

fn choice_at(program: &Program, at: u32) -> Option<&ChoiceSite> {
    let Instruction::Choose { site, .. } = program.code[at as usize] else { return None };
    match &program.sites[usize::from(site.0)].kind {
        SiteKind::Choice(choice) => Some(choice),
        _ => None,
    }
}

/// The bit of a rank of a word.
pub(super) fn nth_bit() -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    extern "C" fn fast(word: u64, k: u64) -> u64 {
        kernel::nth_bit::<true>(word, k as u32).into()
    }
    extern "C" fn plain(word: u64, k: u64) -> u64 {
        kernel::nth_bit::<false>(word, k as u32).into()
    }
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        return fast as unsafe extern "C" fn(u64, u64) -> u64 as *const u8;
    }
    plain as extern "C" fn(u64, u64) -> u64 as *const u8
}

/// The element of a rank of a set of several words.
pub(super) fn nth_of(width: u16) -> *const u8 {
    extern "C" fn of<const W: usize>(set: &Words<W>, k: u64) -> u64 {
        crate::engine::effects::nth(set, k as u32).into()
    }
    for_width!(width, W => of::<W> as extern "C" fn(&Words<W>, u64) -> u64 as *const u8)
}
