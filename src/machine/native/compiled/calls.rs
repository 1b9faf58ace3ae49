//! Functions that compiled code calls: the interpreter, for large or rare instructions, and helpers for whole
//! games.
//!
//! A [`InstructionFn`] takes the context and the index of its instruction. Most return where execution continues:
//! [`NEXT`], [`FAULT`], [`WAIT`], or from [`TO`] on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::candidates::TriedCandidates;
use crate::effects::{choose, ways};
use crate::interpreter::{Fail, Interpreter, Next, Opcode, PerOpcode, for_opcode, for_width};
use crate::processor::has_bmi2;
use crate::program::{ChoiceStop, Instruction, LineTable, Program, SetFunction};
use crate::run_state::{Counters, Fault, RunState};
use crate::trial::{self, choice_of};
use crate::{past, sets};
use houserule_base::rng::Streams;
use houserule_model::board::kernel::{self, Words};

/// Execution continues at the next instruction.
pub(super) const NEXT: u64 = 0;
/// A runtime error, described in the context.
pub(super) const FAULT: u64 = 1;
/// The program stops for a decision or a chance event.
pub(super) const WAIT: u64 = 2;
/// `TO` plus the index of the instruction at which execution continues.
pub(super) const TO: u64 = 1 << 16;

/// The argument of compiled code: where the data is, and fields for results. All fields are words, which the
/// code accesses by their offsets.
#[repr(C)]
pub(super) struct CallContext {
    pub(super) program: *const Program,
    /// The numbers that the code of a family reads: see [`OpenNumbers`](crate::native::family::OpenNumbers).
    pub(super) numbers: *const i64,
    pub(super) words: *mut u64,
    pub(super) streams: *mut Streams,
    pub(super) run_state: *mut RunState,
    /// Counters of action blocks and of steps; null if nothing is counted.
    pub(super) options: *mut u64,
    pub(super) steps: *mut u64,
    /// What is left of the loop budget.
    pub(super) budget: u64,
    /// 1 if random players decide, 0 if a decision stops the game.
    pub(super) plays: u64,
    /// 1 if chance is drawn, 0 if a chance event stops the game.
    pub(super) draws: u64,
    /// For whole games: the number of decisions at which random players check the limit, and the uses of the
    /// first action blocks and steps.
    pub(super) pause: u64,
    pub(super) options_used: [u64; INLINE_COUNTERS],
    pub(super) steps_used: [u64; INLINE_COUNTERS],
    /// 1 to try `candidates` instead of playing on, else 0.
    pub(super) tries: u64,
    pub(super) candidates: TriedCandidates,
    /// Number of games to play; after a fault, number played.
    pub(super) games: u64,
    /// The words of a new game; `rows` takes the counters of each game.
    pub(super) start: *const u64,
    pub(super) rows: *mut Counters,
    /// For a fault: its instruction, its number, and the value. `value` is also an argument of calls.
    pub(super) at: u64,
    pub(super) fault: u64,
    pub(super) value: i64,
    /// The result of a call that changes no register.
    pub(super) result: u64,
    /// The payload of a panic in a call. Compiled code can't be unwound: it returns as after a fault, then
    /// the panic resumes.
    pub(super) unwound: Option<Box<dyn Any + Send>>,
}

/// Number of action blocks and of steps with counters in the context, where the code finds them at once.
pub(super) const INLINE_COUNTERS: usize = 12;

/// A function that compiled code calls for an instruction.
pub(super) type InstructionFn = extern "C" fn(&mut CallContext, u32) -> u64;

impl CallContext {
    /// Returns an interpreter at an instruction.
    #[inline(always)]
    fn interpreter<const W: usize>(&mut self, at: u32) -> Interpreter<'_, W> {
        // SAFETY: the caller of the compiled code has exclusive references to all of these, which live until
        // it returns, and the frame has as many words as the program says.
        unsafe {
            let program = &*self.program;
            Interpreter {
                program,
                words: std::slice::from_raw_parts_mut(self.words, program.frame as usize),
                streams: &mut *self.streams,
                run_state: &mut *self.run_state,
                budget: self.budget as u32,
                plays: self.plays != 0,
                draws: self.draws != 0,
                at: at as usize,
            }
        }
    }

    /// Runs work that may panic.
    #[inline(always)]
    fn guarded(&mut self, work: impl FnOnce(&mut CallContext) -> u64) -> u64 {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(unwound) => {
                self.unwound = Some(unwound);
                FAULT
            }
        }
    }

    fn fails(&mut self, wrong: Fail) -> u64 {
        (self.fault, self.value) = (wrong.fault as u64, wrong.value);
        FAULT
    }
}

/// Returns the function that executes an instruction on sets of a width. Each opcode has its own: nothing is
/// looked up.
pub(super) fn carry_out(width: u16, instruction: &Instruction) -> InstructionFn {
    struct Calls<const W: usize>;
    impl<const W: usize> PerOpcode for Calls<W> {
        type Made = InstructionFn;
        fn make<O: Opcode>() -> InstructionFn {
            one::<W, O>
        }
    }
    extern "C" fn one<const W: usize, O: Opcode>(context: &mut CallContext, at: u32) -> u64 {
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

/// Clears the positions of the previous game.
pub(super) extern "C" fn forget(context: &mut CallContext, _at: u32) -> u64 {
    context.interpreter::<1>(0).run_state.forget();
    NEXT
}

/// Copies the words of a new game, if they are many.
pub(super) extern "C" fn copy_start(context: &mut CallContext, _at: u32) -> u64 {
    // SAFETY: the caller of the compiled code passes as many words to start with as a new game resets.
    let start = unsafe { std::slice::from_raw_parts(context.start, (*context.program).reset as usize) };
    context.interpreter::<1>(0).words[..start.len()].copy_from_slice(start);
    NEXT
}

/// Checks for an interrupt and for the limit of decisions.
pub(super) extern "C" fn too_long(context: &mut CallContext, _at: u32) -> u64 {
    context.guarded(|context| {
        let here = context.interpreter::<1>(0);
        let is_too_long = here.run_state.is_too_long(here.program);
        if is_too_long { context.fails(Fault::Limit.into()) } else { NEXT }
    })
}

/// Returns a test whether a set of a family has a line. The context's value is its index. For sets of several
/// words.
pub(super) fn has_line(width: u16) -> InstructionFn {
    extern "C" fn test<const W: usize>(context: &mut CallContext, at: u32) -> u64 {
        let index = context.value as usize;
        let here = context.interpreter::<W>(at);
        let Instruction::IfLine { from, lines, .. } = here.program.code[at as usize] else { return 0 };
        let lines = &here.program.lines[usize::from(lines.0)];
        sets::has_line::<W>(here.program, lines, here.words, from, index).into()
    }
    for_width!(width, W => test::<W>)
}

/// Returns a function that tests whether a set has an element, and a line through it.
pub(super) fn line_through(width: u16) -> *const u8 {
    #[inline(always)]
    fn test<const W: usize, const BMI: bool>(lines: &LineTable, set: &Words<W>, e: u64) -> u64 {
        let e = e as usize;
        let has = set[e / 64 % W] >> (e % 64) & 1 == 1;
        (has && sets::through::<W, BMI>(lines, set, e)).into()
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    extern "C" fn fast<const W: usize>(lines: &LineTable, set: &Words<W>, e: u64) -> u64 {
        test::<W, true>(lines, set, e)
    }
    extern "C" fn plain<const W: usize>(lines: &LineTable, set: &Words<W>, e: u64) -> u64 {
        test::<W, false>(lines, set, e)
    }
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        return for_width!(width, W =>
            fast::<W> as unsafe extern "C" fn(&LineTable, &Words<W>, u64) -> u64 as *const u8);
    }
    for_width!(width, W => plain::<W> as extern "C" fn(&LineTable, &Words<W>, u64) -> u64 as *const u8)
}

/// Returns a function that applies a function of sets: to two sets or, if `remembers`, with the cache of a
/// player. The addresses of the result and of the sets are 16 bits each of a word.
pub(super) fn function(width: u16, remembers: bool) -> *const u8 {
    extern "C" fn apply<const W: usize, const REMEMBERS: bool>(
        program: &Program,
        f: &SetFunction,
        words: *mut u64,
        operands: u64,
        me: i64,
    ) {
        // SAFETY: the caller of the compiled code has an exclusive reference to the frame, which has as many words
        // as the program says.
        let words = unsafe { std::slice::from_raw_parts_mut(words, program.frame as usize) };
        let at = |place: u32| usize::from((operands >> (16 * place)) as u16);
        let (a, b) = (*kernel::words_at::<W>(words, at(1)), *kernel::words_at::<W>(words, at(2)));
        let found = if REMEMBERS {
            sets::reach::<W>(program, f, words, &a, &b, me as usize)
        } else {
            sets::apply::<W>(program, f, &a, &b)
        };
        *kernel::words_at_mut(words, at(0)) = found;
    }
    type Applies = extern "C" fn(&Program, &SetFunction, *mut u64, u64, i64);
    let found: Applies = for_width!(width, W => if remembers { apply::<W, true> } else { apply::<W, false> });
    found as *const u8
}

/// Notes a position. Returns 0 if there is no room for it.
pub(super) extern "C" fn note(context: &mut CallContext, past: u64) -> u64 {
    let here = context.interpreter::<1>(0);
    past::note(here.program, &mut here.run_state.pasts, here.words, past as usize).into()
}

/// Returns 1 if a position was noted at least `times` before.
pub(super) extern "C" fn repeated(context: &mut CallContext, past: u64, times: i64) -> u64 {
    let here = context.interpreter::<1>(0);
    past::repeated(here.program, &here.run_state.pasts, here.words, past as usize, times).into()
}

/// Returns the number of a random player's legal actions in the lower half, and their first word in the
/// upper.
pub(super) extern "C" fn ways_any(context: &mut CallContext, at: u32) -> u64 {
    let here = context.interpreter::<1>(at);
    let Some(choice) = choice_at(here.program, at) else { return 0 };
    ways(choice, here.words).map_or(0, |(first, n)| (first as u64) << 32 | u64::from(n))
}

/// Takes the action of a rank. The context's value is the rank, with the first word in the upper half.
pub(super) extern "C" fn choose_ranked(context: &mut CallContext, at: u32) -> u64 {
    let ranked = context.value as u64;
    let here = context.interpreter::<1>(at);
    let Some(choice) = choice_at(here.program, at) else { return NEXT };
    let part = choose(choice, here.words, (ranked >> 32) as usize, ranked as u32);
    here.run_state.count_option(part.counted);
    TO + u64::from(part.body.0)
}

fn choice_at(program: &Program, at: u32) -> Option<&ChoiceStop> {
    match program.code[at as usize] {
        Instruction::Choose { stop, .. }
        | Instruction::ChooseTried { stop, .. }
        | Instruction::Failed { stop, .. } => choice_of(program, stop),
        _ => None,
    }
}

/// Binds the candidate of a rank, which is the context's value. Returns the index of its option in the choice.
pub(super) extern "C" fn bind_candidate(context: &mut CallContext, at: u32) -> u64 {
    let k = context.value as u32;
    let here = context.interpreter::<1>(at);
    let Some(choice) = choice_at(here.program, at) else { return 0 };
    trial::bind_ranked(choice, here.words, here.run_state, 0, k) as u64
}

/// Removes the tried candidate, which is not legal.
pub(super) extern "C" fn take_back(context: &mut CallContext, at: u32) -> u64 {
    let budget = context.budget as u32;
    let here = context.interpreter::<1>(at);
    let done = choice_at(here.program, at)
        .is_some_and(|choice| trial::take_back(here.program, choice, here.words, here.run_state, budget));
    if done { NEXT } else { context.fails(Fault::Budget.into()) }
}

/// Returns a function that finds the bit of a rank in a word.
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

/// Returns a function that finds the element of a rank in a set of several words.
pub(super) fn nth_of(width: u16) -> *const u8 {
    extern "C" fn nth<const W: usize>(set: &Words<W>, k: u64) -> u64 {
        crate::effects::nth(set, k as u32).into()
    }
    for_width!(width, W => nth::<W> as extern "C" fn(&Words<W>, u64) -> u64 as *const u8)
}
