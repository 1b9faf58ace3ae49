//! What an executor and the scripts of a game say to each other when the rules call a hook. Both executors
//! know this, and nothing of what a script is.

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Source, Span};

/// Chance events in one call of a hook at the most.
pub const MOST_DRAWS: usize = 64;

/// Outcomes of one chance event of a hook at the most.
pub const MOST_OUTCOMES: u64 = 10_000;

/// Where the values of each slot stand among some words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Words of a set.
    pub width: u16,
    /// The first word of each slot's values; none for what is not kept.
    pub slots: Vec<Option<u16>>,
    /// All slots lie before this word.
    pub end: u16,
}

/// A call of a hook.
pub struct Call<'a> {
    /// Which hook: an index of the model's.
    pub hook: u32,
    /// Its arguments behind `g`: a word for a number, a truth value or an element, the words of a set.
    pub args: &'a [u64],
    /// Who acts.
    pub me: u32,
    /// Where the state stands among the words.
    pub places: &'a Places,
    /// The state. It is changed only if the call succeeds.
    pub words: &'a mut [u64],
    /// Which of these words can't be seen by whoever asks; empty if all can.
    pub hidden: &'a [bool],
    /// Comes out with one of so many outcomes, all with the same chance; none if that has to be asked for
    /// first: the call is then given up, and made anew once it is known.
    pub draw: &'a mut dyn FnMut(u64) -> Option<u64>,
}

/// Why a call of a hook came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A chance event has to come out first.
    Waits,
    /// The script is at fault.
    Wrong(Box<Mistake>),
}

impl Failure {
    /// There is nothing that could carry out a hook.
    pub fn none() -> Failure {
        Failure::Wrong(Box::new(Mistake { message: "there is no script".to_owned(), ..Mistake::default() }))
    }
}

impl Mistake {
    /// A hook waits for what comes out though nothing said that it might.
    pub fn unforeseen() -> Mistake {
        Mistake {
            message: "it leaves something to chance, and that can't be seen from its text".to_owned(),
            help: "write `g.roll(…)` or `g.pick(…)` out".to_owned(),
            ..Mistake::default()
        }
    }
}

/// What went wrong in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistake {
    /// The hook.
    pub hook: String,
    /// What is wrong.
    pub message: String,
    /// How to mend it; may be empty.
    pub help: String,
    /// The place in the script, if it is known.
    pub span: Option<Span>,
    /// The script, if it is no part of the rules: the place lies in it, and in no file of theirs.
    pub file: Option<Arc<Source>>,
}

/// The scripts of a game, ready to be called from any thread.
pub trait Scripts: fmt::Debug + Send + Sync {
    /// Calls a hook. What comes back is its number, or 1 and 0 for true and false, or 0.
    fn call(&self, call: Call<'_>) -> Result<i64, Failure>;
}
