//! Compiles a program with Cranelift, and runs the code.

use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{Function, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;

use super::calls::{CallContext, INLINE_COUNTERS};
use super::flow::OPTIMISED;
use super::implied::ImpliedCounts;
use super::lower;
use super::memory::ExecutableMemory;
use crate::candidates::TriedCandidates;
use crate::native::failure;
use crate::native::family::OpenNumbers;
use crate::native::{CodeSize, RunKind};
use crate::program::{CodeAddress, Program};
use crate::run_state::{Counters, Fault, RunState, Stop};
use houserule_base::clock::Instant;
use houserule_base::rng::{ManyStreams, Streams};

/// Maximum length of a compiled program, in instructions. Longer ones would take too long.
const LONGEST: usize = 20_000;

/// Maximum length of a program, in instructions, whose registers are allocated thoroughly. Thorough allocation doubles
/// the time of compiling, and the speed of games.
const ALLOCATED: usize = 3_000;

/// Compiled code.
struct CompiledCode {
    memory: ExecutableMemory,
    kind: RunKind,
    size: CodeSize,
    frame: usize,
    /// Tables that the code reads in addition to those of the program.
    _tables: Vec<Box<[u64]>>,
    /// The program of a family, whose tables the code reads.
    _program: Option<Arc<Program>>,
    /// The numbers of action blocks and steps that the code counts.
    counted: [usize; 2],
    implied: ImpliedCounts,
    /// Whether the code takes random words that are drawn ahead.
    ahead: bool,
}

/// The compiled code of a program.
#[derive(Clone)]
pub struct Machine {
    code: Arc<CompiledCode>,
    /// The program. Unless it is in a family, the code reads its tables.
    program: *const Program,
    /// The numbers that the code of a family reads.
    numbers: Arc<[i64]>,
}

// SAFETY: the code is never written again, and the program is shared and immutable.
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

impl std::fmt::Debug for CompiledCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompiledCode")
            .field("kind", &self.kind)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("code", &self.code).finish_non_exhaustive()
    }
}

/// A compiled function. It takes the context and the instruction to begin at.
type CompiledFn = unsafe extern "C" fn(*mut CallContext, u64) -> i64;

impl CompiledCode {
    /// Compiles a verified program, which must neither move nor change as long as the code is run. Returns `None` if it
    /// is too long or there is no backend for this processor.
    fn new(program: &Program, kind: RunKind, open: &OpenNumbers) -> Option<CompiledCode> {
        if program.code.len() > LONGEST {
            return None;
        }
        let start = Instant::now();
        let isa = target(program.code.len())?;
        let convention = isa.default_call_conv();
        let mut function =
            Function::with_name_signature(UserFuncName::default(), lower::signature(convention));
        let mut scratch = FunctionBuilderContext::new();
        let config = isa.frontend_config();
        let (tables, implied, ahead) =
            lower::lower(program, kind, open, convention, &mut function, &mut scratch, config);
        let mut context = cranelift_codegen::Context::for_function(function);
        let compiled = context.compile(&*isa, &mut ControlPlane::default()).ok()?;
        // The code finds everything it needs at fixed addresses.
        if !compiled.buffer.relocs().is_empty() {
            return None;
        }
        let bytes = compiled.code_buffer();
        let memory = ExecutableMemory::new(bytes)?;
        let size = CodeSize { bytes: bytes.len(), time: start.elapsed() };
        let counted = [program.options.into(), program.steps.len()];
        let frame = program.frame as usize;
        let code = CompiledCode {
            memory,
            kind,
            size,
            frame,
            _tables: tables,
            _program: None,
            counted,
            implied,
            ahead,
        };
        Some(code)
    }
}

impl Machine {
    /// Compiles a verified program, which must neither move nor change as long as its code is run. Returns
    /// `None` if it is too long or there is no backend for this processor.
    pub fn new(program: &Program, kind: RunKind) -> Option<Machine> {
        let make = || CompiledCode::new(program, kind, &OpenNumbers::default());
        let code = Arc::new(failure::catch(make)?);
        Some(Machine { code, program, numbers: Arc::default() })
    }

    /// Compiles the code that a family shares for single decisions, from one of its programs.
    pub(crate) fn shared(program: &Arc<Program>, open: &OpenNumbers) -> Option<Machine> {
        let code = failure::catch(|| CompiledCode::new(program, RunKind::Steps, open))?;
        let code = Arc::new(CompiledCode { _program: Some(Arc::clone(program)), ..code });
        Some(Machine { code, program: Arc::as_ptr(program), numbers: Arc::default() })
    }

    /// Returns the shared code for a program of the family, with its numbers.
    pub(crate) fn for_member(&self, program: &Program, numbers: Arc<[i64]>) -> Machine {
        Machine { code: Arc::clone(&self.code), program, numbers }
    }

    /// Returns `true` if two programs share one piece of code.
    pub fn has_code_of(&self, other: &Machine) -> bool {
        Arc::ptr_eq(&self.code, &other.code)
    }

    /// Returns the size of the code, and the time that compiling took.
    pub fn size(&self) -> CodeSize {
        self.code.size
    }

    /// Returns room for the streams of as many games as are played in one call.
    pub fn streams(&self, program: &Program, games: usize) -> ManyStreams {
        ManyStreams::new(games, usize::from(program.players), program.uses_chance, self.code.ahead)
    }

    /// Returns the compiled function.
    ///
    /// It must be called with a context whose program is the one that the code was made from, and whose words
    /// are one frame of it, or one for each game to play; and with the instruction to begin at.
    #[inline(always)]
    fn entry(&self) -> CompiledFn {
        // SAFETY: the code was compiled with this signature, and its memory is executable as long as `self`
        // lives. The program was verified, so the code stays inside its tables and its frame, and inside the
        // counters, which have a place for each index.
        unsafe { std::mem::transmute::<*const u8, CompiledFn>(self.code.memory.start()) }
    }

    /// Plays games of a run from an index on, one for each row, with their scores. Each leaves its words in a
    /// frame of its own, and its counters in its row. Returns the number of games played and, if not all were,
    /// the fault of the next one.
    #[expect(clippy::too_many_arguments, reason = "they are the parts of a run of games")]
    pub fn games(
        &self,
        program: &Program,
        start: &[u64],
        frames: &mut [u64],
        rows: &mut [Counters],
        streams: &mut ManyStreams,
        run_state: &mut RunState,
        seed: u64,
        index: u64,
    ) -> (usize, Option<Stop>) {
        assert!(
            std::ptr::eq(program, self.program) && self.code.kind == RunKind::Games,
            "it is the program's code"
        );
        assert!(
            frames.len() == self.code.frame * rows.len() && !rows.is_empty(),
            "there is a frame for each game"
        );
        assert!(start.len() == program.reset as usize, "a game starts with as many words");
        assert!(self.counts_fit(run_state), "the counts are the program's");
        assert!(streams.is_ahead() == self.code.ahead, "the code draws from such streams");
        let streams = streams.restart(seed, index, rows.len());
        let mut context = CallContext::new(program, &self.numbers, frames, streams, run_state);
        (context.plays, context.draws) = (1, 1);
        (context.games, context.start) = (rows.len() as u64, start.as_ptr());
        context.rows = rows.as_mut_ptr();
        // SAFETY: as [`Machine::entry`] requires, and there is a frame and a row for each game.
        let code = unsafe { (self.entry())(&mut context, program.start.0.into()) };
        let played = context.games as usize;
        let wrong = (code == lower::FAULT_CODE).then(|| fault_of(&mut context));
        self.code.implied.complete(
            &rows[..played + usize::from(wrong.is_some())],
            wrong,
            &mut context.options_used,
            &mut context.steps_used,
        );
        let used =
            [(&mut run_state.options, &context.options_used), (&mut run_state.steps, &context.steps_used)];
        for (counts, used) in used {
            counts.iter_mut().zip(used).for_each(|(count, more)| *count += more);
        }
        (played, wrong)
    }

    /// Returns `true` if a [`RunState`] has a place for every counter.
    #[inline(always)]
    fn counts_fit(&self, run_state: &RunState) -> bool {
        let [options, steps] = self.code.counted;
        match self.code.kind {
            RunKind::Games => run_state.options.len() >= options && run_state.steps.len() >= steps,
            RunKind::Rollout => true,
            RunKind::Steps => run_state.steps.is_empty() || run_state.steps.len() >= steps,
        }
    }

    /// Runs the program that the code was made from until it stops. Returns `None` if the code can't be
    /// entered at `at`.
    #[inline(always)]
    pub fn run(
        &self,
        program: &Program,
        words: &mut [u64],
        streams: &mut Streams,
        run_state: &mut RunState,
        at: CodeAddress,
    ) -> Option<Stop> {
        assert!(
            std::ptr::eq(program, self.program) && words.len() == self.code.frame,
            "they are the program's"
        );
        assert!(self.counts_fit(run_state), "the counts are the program's");
        let plays = self.code.kind != RunKind::Steps;
        let draws = plays || run_state.draws_chance;
        let mut context = CallContext::new(program, &self.numbers, words, streams, run_state);
        (context.plays, context.draws) = (plays.into(), draws.into());
        // SAFETY: the program is the one that the code was made from, and `words` is one frame of it.
        let code = unsafe { (self.entry())(&mut context, at.0.into()) };
        stop_of(code, &mut context)
    }
}

/// Compiled code for many runs, with a context that is built once.
pub struct Prepared<'a> {
    entry: CompiledFn,
    /// Size of a frame, in words.
    frame: usize,
    /// Loop budget of each run.
    budget: u64,
    context: CallContext,
    /// The result of the last run.
    result: i64,
    machine: &'a Machine,
    /// Borrows what the context points to.
    lent: PhantomData<(&'a mut Streams, &'a mut RunState)>,
}

impl Machine {
    /// Prepares runs of the program that the code was made from. Each run starts with the whole loop budget.
    pub(crate) fn prepare<'a>(
        &'a self,
        program: &'a Program,
        streams: &'a mut Streams,
        run_state: &'a mut RunState,
    ) -> Prepared<'a> {
        assert!(
            std::ptr::eq(program, self.program) && self.code.kind == RunKind::Steps,
            "it is the program's code"
        );
        assert!(self.counts_fit(run_state), "the counts are the program's");
        run_state.spent = 0;
        let draws = run_state.draws_chance;
        let mut context = CallContext::new(program, &self.numbers, &mut [], streams, run_state);
        context.draws = draws.into();
        let budget = program.budget.into();
        Prepared {
            entry: self.entry(),
            frame: self.code.frame,
            budget,
            context,
            result: lower::PENDING_CODE,
            machine: self,
            lent: PhantomData,
        }
    }
}

impl<'a> Prepared<'a> {
    /// Returns what was lent to it.
    #[inline(always)]
    pub(crate) fn lent(&mut self) -> (&mut Streams, &mut RunState) {
        // SAFETY: both are borrowed for as long as `self` lives, and the code is not running.
        unsafe { (&mut *self.context.streams, &mut *self.context.run_state) }
    }

    /// Runs another program from now on, in frames of the same size.
    #[inline(always)]
    pub(crate) fn change_to(&mut self, machine: &'a Machine, program: &'a Program) {
        assert!(std::ptr::eq(program, machine.program), "it is the program's code");
        if !machine.has_code_of(self.machine) {
            assert!(
                machine.code.kind == RunKind::Steps && machine.code.frame == self.frame,
                "it runs in the same frames"
            );
            assert!(machine.counts_fit(self.lent().1), "the counts are the program's");
            (self.machine, self.entry, self.budget) = (machine, machine.entry(), program.budget.into());
        }
        (self.context.program, self.context.numbers) = (program, machine.numbers.as_ptr());
    }

    /// Runs the program until it stops. Returns `None` if the code can't be entered at `at`.
    #[inline(always)]
    pub(crate) fn run(&mut self, words: &mut [u64], at: CodeAddress) -> Option<Stop> {
        self.lent().1.spent = 0;
        // Most runs stop at a decision: only other runs need `stop`.
        if self.reaches_decision(words, at) { Some(Stop::Pending) } else { self.stop() }
    }

    /// Runs the program until it stops. Returns `true` if it stops at a decision or a chance event; else
    /// [`Prepared::stop`] tells why.
    #[inline(always)]
    pub(crate) fn reaches_decision(&mut self, words: &mut [u64], at: CodeAddress) -> bool {
        self.call(words, at) == lower::PENDING_CODE
    }

    /// Runs the program until it stops. Returns `true` if it completes a computation; else [`Prepared::stop`] tells why it
    /// stopped.
    #[inline(always)]
    pub(crate) fn completes(&mut self, words: &mut [u64], at: CodeAddress) -> bool {
        self.call(words, at) == lower::HALT_CODE
    }

    /// Tries candidates: see [`Runs::tries`](crate::run::Runs::tries).
    pub(crate) fn tries(&mut self, words: &mut [u64], at: CodeAddress, of: &mut TriedCandidates) -> bool {
        (self.context.tries, self.context.candidates) = (1, *of);
        let all = self.reaches_decision(words, at);
        (self.context.tries, *of) = (0, self.context.candidates);
        all
    }

    #[inline(always)]
    fn call(&mut self, words: &mut [u64], at: CodeAddress) -> i64 {
        assert!(words.len() == self.frame, "they are the program's");
        (self.context.words, self.context.budget) = (words.as_mut_ptr(), self.budget);
        // SAFETY: the program is the one that the code was made from, and `words` is one frame of it.
        self.result = unsafe { (self.entry)(&mut self.context, at.0.into()) };
        self.result
    }

    /// Returns why the last run stopped, or `None` if the code couldn't be entered.
    pub(crate) fn stop(&mut self) -> Option<Stop> {
        stop_of(self.result, &mut self.context)
    }
}

/// Returns why a run stopped, or `None` if it could not begin.
#[inline(always)]
fn stop_of(code: i64, context: &mut CallContext) -> Option<Stop> {
    Some(match code {
        lower::PENDING_CODE => Stop::Pending,
        lower::OVER_CODE => Stop::Over,
        lower::HALT_CODE => Stop::Halt,
        lower::FAILED_CODE => Stop::Failed,
        lower::NO_ENTRY_CODE => return None,
        lower::FAULT_CODE => fault_of(context),
        kept => Stop::Kept((kept - lower::KEPT_CODE) as u16),
    })
}

impl CallContext {
    #[inline(always)]
    fn new(
        program: &Program,
        numbers: &[i64],
        words: &mut [u64],
        streams: *mut Streams,
        run_state: &mut RunState,
    ) -> CallContext {
        let counts = |counts: &mut Vec<u64>| match counts.is_empty() {
            true => std::ptr::null_mut(),
            false => counts.as_mut_ptr(),
        };
        CallContext {
            program,
            numbers: numbers.as_ptr(),
            words: words.as_mut_ptr(),
            streams,
            options: counts(&mut run_state.options),
            steps: counts(&mut run_state.steps),
            budget: u64::from(program.budget - run_state.spent.min(program.budget - 1)),
            plays: 0,
            draws: 0,
            pause: 0,
            options_used: [0; INLINE_COUNTERS],
            steps_used: [0; INLINE_COUNTERS],
            tries: 0,
            candidates: TriedCandidates::default(),
            games: 0,
            start: std::ptr::null(),
            rows: std::ptr::null_mut(),
            at: 0,
            fault: 0,
            value: 0,
            result: 0,
            unwound: None,
            run_state,
        }
    }
}

/// Returns the fault of a run, or resumes a call's panic.
#[cold]
fn fault_of(context: &mut CallContext) -> Stop {
    if let Some(unwound) = context.unwound.take() {
        resume_unwind(unwound);
    }
    let fault = Fault::ALL[context.fault as usize];
    Stop::Fault { at: context.at as u32, fault, value: context.value }
}

/// Returns the code generator for this processor and a program of this length.
fn target(length: usize) -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if length > OPTIMISED { "none" } else { "speed" }),
        ("regalloc_algorithm", if length > ALLOCATED { "single_pass" } else { "backtracking" }),
        ("enable_verifier", "false"),
        ("is_pic", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}
