//! Compiler from a checked model to a program: layout, lowering, clean-up.
//!
//! Depends on models and programs; independent of the engine. The result is verified before it runs.

mod bounds;
mod branch;
mod chain;
mod chance;
mod choice;
mod conditions;
mod free;
mod hooks;
mod keep;
mod layout;
mod lines;
mod lower;
mod numbers;
mod origins;
mod pieces;
mod places;
mod sets;
mod singles;
mod stmts;
mod subsets;
mod tables;
mod turn;
mod unread;

use std::fmt;

use crate::program::{Program, VerifyError};
use houserule_model::Model;

/// A compiled model.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// First word of each local that stays live while the game waits for a decision.
    pub locals: Vec<Option<u16>>,
}

/// Why a model can't be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// A limit of the engine is exceeded.
    TooLarge {
        /// The thing that is counted, in the plural.
        what: &'static str,
        /// The limit.
        limit: usize,
        /// The number needed.
        wanted: usize,
    },
    /// The program is invalid: a bug in the compiler, never an error in the rules.
    Verify(VerifyError),
}

impl CompileError {
    /// Returns advice for the user.
    fn help(&self) -> &'static str {
        match self {
            CompileError::TooLarge { what, .. } if what.contains("options") => {
                "choose in several steps, one part after the other"
            }
            CompileError::TooLarge { what, .. } if what.contains("state") || what.contains("domain") => {
                "use smaller boards and domains, or fewer families of sets"
            }
            CompileError::TooLarge { .. } => {
                "shorten them: a procedure or a define that is used often is written out each time"
            }
            CompileError::Verify(_) => "report them: no rules should bring this about",
        }
    }

    fn state(words: usize) -> Self {
        CompileError::TooLarge { what: "words of state", limit: usize::from(u16::MAX), wanted: words }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::TooLarge { what, limit, wanted } => {
                write!(
                    f,
                    "these rules are too large: they take {wanted} {what}, and the engine takes {limit}; {}",
                    self.help()
                )
            }
            CompileError::Verify(error) => {
                write!(f, "the compiled rules are not sound: {error}; {}", self.help())
            }
        }
    }
}

impl std::error::Error for CompileError {}

/// What the compiler does with values that the rules ask for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueKeeping {
    /// Each is computed again.
    Off,
    /// It is kept until what it reads changes.
    #[default]
    On,
    /// Each is kept and computed again. The game fails if the two differ.
    Checked,
    /// Like `Checked`, and nothing is forgotten but at the start of a game: a check of the check.
    Unforgotten,
}

/// How a model is compiled. The games are the same however it is.
#[derive(Clone, Copy, Debug)]
pub struct CompileOptions {
    /// Whether values are kept.
    pub keeping: ValueKeeping,
    /// Whether conditions on fields are looked up as masks.
    pub masks: bool,
    /// Whether nests of quantifiers test first what names no element.
    pub nests: bool,
    /// Whether sets of one element at most are computed as the element.
    pub singles: bool,
    /// Whether numbers that depend on two small inputs are looked up.
    pub pairs: bool,
    /// Whether the program says where in the rules each instruction comes from.
    pub origins: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            keeping: ValueKeeping::On,
            masks: true,
            nests: true,
            singles: true,
            pairs: true,
            origins: false,
        }
    }
}

/// Compiles a model.
pub fn compile(model: &Model) -> Result<Compiled, CompileError> {
    compile_with(model, CompileOptions::default())
}

/// Compiles a model as the options say.
pub fn compile_with(model: &Model, options: CompileOptions) -> Result<Compiled, CompileError> {
    verified(lower::Lowering::new(model, options)?)
}

/// Compiles a model for games of random players: the program leaves out what no choice, end, result or declared variable
/// depends on. The layout of the state and the stops are those of the program for all, and [`Program::unread`] says which
/// words have stale values. Returns `None` if there is nothing to leave out.
pub fn compile_for_random_games(
    model: &Model,
    options: CompileOptions,
) -> Result<Option<Compiled>, CompileError> {
    let mut lowering = lower::Lowering::new(model, options)?;
    lowering.unread = unread::find(&lowering);
    if lowering.unread.stmts.is_empty() { Ok(None) } else { verified(lowering).map(Some) }
}

fn verified(lowering: lower::Lowering<'_>) -> Result<Compiled, CompileError> {
    let mut compiled = lowering.finish()?;
    crate::program::tidy::tidy(&mut compiled.program);
    compiled.program.verify().map_err(CompileError::Verify)?;
    Ok(compiled)
}
