//! Runs a verified program until it stops, with compiled code or the interpreter.
//!
//! There are two ways to run. In *play*, random players decide and chance is drawn at once. In *stop*, the program
//! suspends at every decision. It suspends at every chance event too, unless [`RunState::draws_chance`] is set.

use crate::candidates::TriedCandidates;
pub use crate::interpreter::{ExecutedInstruction, Watch};
use crate::interpreter::{Interpreter, for_width};
use crate::native::{Machine, Prepared};
use crate::program::{CodeAddress, Program};
use crate::run_state::{RunState, Stop};
use houserule_base::rng::Streams;

/// Runs a game from one stop to the next: with compiled code if it exists, else with the interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'g> {
    /// The program.
    pub program: &'g Program,
    machine: Option<&'g Machine>,
}

impl<'g> Runner<'g> {
    /// Runs `program`, with its compiled code if there is any.
    pub fn new(program: &'g Program, machine: Option<&'g Machine>) -> Runner<'g> {
        Runner { program, machine }
    }

    /// Prepares consecutive runs, each with its own loop budget. Returns `None` if the program has not been
    /// compiled.
    pub fn prepare(self, streams: &'g mut Streams, run_state: &'g mut RunState) -> Option<Runs<'g>> {
        let code = self.machine?.prepare(self.program, streams, run_state);
        Some(Runs { program: self.program, code })
    }

    /// Runs the program from `at` to the next stop.
    #[inline(always)]
    pub fn run(
        self,
        words: &mut [u64],
        streams: &mut Streams,
        run_state: &mut RunState,
        at: CodeAddress,
    ) -> Stop {
        match self.machine.and_then(|machine| machine.run(self.program, words, streams, run_state, at)) {
            Some(stop) => stop,
            None => run(self.program, words, streams, run_state, at, false),
        }
    }
}

/// Consecutive runs of compiled code.
pub struct Runs<'g> {
    program: &'g Program,
    code: Prepared<'g>,
}

impl<'g> Runs<'g> {
    /// Runs another program from now on, in frames of the same size.
    #[inline(always)]
    pub fn change_to(&mut self, machine: &'g Machine, program: &'g Program) {
        self.program = program;
        self.code.change_to(machine, program);
    }

    /// Returns the streams and the [`RunState`] of the runs.
    #[inline(always)]
    pub fn lent(&mut self) -> (&mut Streams, &mut RunState) {
        self.code.lent()
    }

    /// Runs the program from `at` to the next stop.
    #[inline(always)]
    pub(crate) fn run(&mut self, words: &mut [u64], at: CodeAddress) -> Stop {
        match self.code.run(words, at) {
            Some(stop) => stop,
            None => self.interpret(words, at),
        }
    }

    /// Runs the program from `at` to the next stop. Returns `true` if that is a decision or a chance event; else
    /// [`Runs::finish`] returns why it stopped.
    #[inline(always)]
    pub fn reaches_decision(&mut self, words: &mut [u64], at: CodeAddress) -> bool {
        self.code.reaches_decision(words, at)
    }

    /// Runs the program from `at` to the end of a computation. Returns `false` if it stops elsewhere.
    #[inline(always)]
    pub fn completes(&mut self, words: &mut [u64], at: CodeAddress) -> bool {
        self.code.completes(words, at) || self.finish(words, at) == Stop::Halt
    }

    /// Tries candidates of the choice at `at`: see [`TriedCandidates`]. Returns `true` if all
    /// have been tried; else [`Runs::finish`] returns why not, where [`Stop::Failed`] means that their budget is used up.
    pub(crate) fn tries(
        &mut self,
        words: &mut [u64],
        at: CodeAddress,
        candidates: &mut TriedCandidates,
    ) -> bool {
        self.code.tries(words, at, candidates)
    }

    /// Completes the run from `at` that [`Runs::reaches_decision`] began, and returns why it stopped.
    #[inline(never)]
    pub fn finish(&mut self, words: &mut [u64], at: CodeAddress) -> Stop {
        match self.code.stop() {
            Some(stop) => stop,
            None => self.interpret(words, at),
        }
    }

    #[cold]
    fn interpret(&mut self, words: &mut [u64], at: CodeAddress) -> Stop {
        let (streams, run_state) = self.code.lent();
        run_state.spent = 0;
        run(self.program, words, streams, run_state, at, false)
    }
}

/// Runs a game's program from `at` to its end with random players, with compiled code if there is any.
pub fn play(
    program: &Program,
    machine: Option<&Machine>,
    words: &mut [u64],
    streams: &mut Streams,
    run_state: &mut RunState,
    at: CodeAddress,
) -> Stop {
    if let Some(machine) = machine {
        run_state.begin_play(program);
        if let Some(stop) = machine.run(program, words, streams, run_state, at) {
            return stop;
        }
    }
    run(program, words, streams, run_state, at, true)
}

/// Runs a verified program from `at` until it stops, with the interpreter. With `play` random players decide.
pub fn run(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    run_state: &mut RunState,
    at: CodeAddress,
    play: bool,
) -> Stop {
    assert_eq!(words.len(), program.frame as usize, "the frame is the program's");
    if play {
        run_state.begin_play(program);
    }
    for_width!(program.width, W => Interpreter::<W>::new(program, words, streams, run_state, play).run(at))
}

/// Runs a verified program from `at` like [`run`], and tells `watch` of each instruction.
pub fn run_watched(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    run_state: &mut RunState,
    at: CodeAddress,
    play: bool,
    watch: &mut dyn Watch,
) -> Stop {
    assert_eq!(words.len(), program.frame as usize, "the frame is the program's");
    if play {
        run_state.begin_play(program);
    }
    for_width!(program.width, W => {
        Interpreter::<W>::new(program, words, streams, run_state, play).run_watched(at, watch)
    })
}
