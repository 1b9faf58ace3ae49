//! Machine code: turns programs into code for the processor, and runs them with it where there is any.
//!
//! A program is compiled for each [`RunKind`] of run when many games are played for the first time. Before that,
//! and without a backend for the processor, the [interpreter](crate::interpreter) runs it. Both give the same
//! words, draws, faults and counters.

// Without a backend, a module with the same interface takes the place of `compiled`.
#[cfg_attr(
    not(all(feature = "compile", any(target_arch = "x86_64", target_arch = "aarch64"))),
    path = "none.rs"
)]
mod compiled;
pub mod failure;
pub mod family;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use compiled::{Machine, Prepared};

use self::family::Family;
use crate::program::Program;

/// A kind of run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Whole games of random players, from the start to the scores.
    Games,
    /// Random players play on from the current state of a game; nothing is counted.
    Rollout,
    /// From one decision to the next.
    Steps,
}

impl RunKind {
    /// All kinds.
    pub const ALL: [RunKind; 3] = [RunKind::Games, RunKind::Rollout, RunKind::Steps];
}

/// Which backend runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendChoice {
    /// Only the interpreter.
    Interpret,
    /// Compiled code wherever there is a backend for it.
    Compile,
    /// Compiled code if many games are played.
    Fitting,
}

/// Environment variable for the backend: `interpret` or `compile`.
pub const VARIABLE: &str = "HOUSERULE_MACHINE";

/// Returns the backend that [`VARIABLE`] names. Fails if it names none.
pub fn choice() -> Result<BackendChoice, &'static str> {
    static CHOICE: OnceLock<Result<BackendChoice, String>> = OnceLock::new();
    let read = || match std::env::var(VARIABLE).as_deref() {
        Err(std::env::VarError::NotPresent) | Ok("") => Ok(BackendChoice::Fitting),
        Ok("interpret") => Ok(BackendChoice::Interpret),
        Ok("compile") => Ok(BackendChoice::Compile),
        Ok(other) => Err(format!("{VARIABLE} is `{other}`; it may be `interpret` or `compile`")),
        Err(_) => Err(format!("{VARIABLE} is no text; it may be `interpret` or `compile`")),
    };
    CHOICE.get_or_init(read).as_ref().copied().map_err(String::as_str)
}

/// The compiled code of a game, made on first use.
#[derive(Debug, Default)]
pub struct Machines {
    by_kind: [OnceLock<Option<Machine>>; 3],
    /// The family whose code for single decisions the program shares.
    family: OnceLock<Arc<Family>>,
}

impl Machines {
    /// Returns the code for a kind of run, and compiles it on first use. Returns `None` if compilation is
    /// disabled or impossible.
    pub fn get(&self, program: &Program, kind: RunKind) -> Option<&Machine> {
        if choice() == Ok(BackendChoice::Interpret) {
            return None;
        }
        let made = self.by_kind[kind as usize].get_or_init(|| match (kind, self.family.get()) {
            (RunKind::Steps, Some(family)) => family.machine(program),
            _ => Machine::new(program, kind),
        });
        made.as_ref()
    }

    /// Returns the code for a kind of run, if compiled. [`BackendChoice::Compile`] compiles it now.
    pub fn made(&self, program: &Program, kind: RunKind) -> Option<&Machine> {
        match choice() {
            Ok(BackendChoice::Compile) => self.get(program, kind),
            _ => self.by_kind[kind as usize].get()?.as_ref(),
        }
    }

    /// Returns `true` if the programs run the same code for single decisions, or will once it has been compiled.
    pub fn share_code(&self, other: &Machines) -> bool {
        let (Some(family), Some(of_other)) = (self.family.get(), other.family.get()) else { return false };
        Arc::ptr_eq(family, of_other) && family.runs(self) && family.runs(other)
    }

    /// Puts the program in a family, unless it is in one. Code that has been compiled stays.
    fn join(&self, family: &Arc<Family>) {
        self.family.get_or_init(|| Arc::clone(family));
    }
}

/// Size and compile time of a piece of compiled code.
#[derive(Clone, Copy, Debug)]
pub struct CodeSize {
    /// Bytes of machine code.
    pub bytes: usize,
    /// The time that compiling took.
    pub time: Duration,
}
