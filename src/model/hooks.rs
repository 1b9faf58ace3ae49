//! Hooks: the script functions that the rules call, and the interface between the executors and a game's scripts.
//! Independent of the script language.

use std::fmt;
use std::sync::Arc;

use super::Type;
use houserule_language::diagnostic::{Source, Span};

/// A script function and how the rules call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The function's name.
    pub name: String,
    /// Index of the script.
    pub script: u32,
    /// Purpose of the hook.
    pub kind: HookKind,
    /// Types of its arguments after `g`.
    pub args: Vec<Type>,
    /// It may draw random outcomes.
    pub draws: bool,
    /// Location in the script.
    pub span: Span,
}

/// The purpose of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// Changes the state.
    Effect,
    /// Returns whether an action is legal, without changing anything.
    Filter,
    /// Returns the points of a score item, without changing anything.
    Points,
    /// Records what players see. It changes nothing that the rules can read and costs no budget.
    Watch,
}

/// The signature of a script function and what it accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFunction {
    /// Index of the script.
    pub script: u32,
    /// Its name.
    pub name: String,
    /// Names of its parameters.
    pub params: Vec<String>,
    /// It may draw random outcomes.
    pub draws: bool,
    /// Another function of the script calls it.
    pub called: bool,
    /// Names that it may read: those after `g.`, and string literals.
    pub names: Vec<String>,
    /// Names of the rules with their places: those after `g.`, and texts that name something, as in `g.put("mark", …)`.
    pub words: Vec<(String, Span)>,
    /// Calls of functions of the same script, each name with its place.
    pub calls: Vec<(String, Span)>,
    /// Location of its head in the script.
    pub span: Span,
}

/// Maximum number of chance events in one call of a hook; more are an error of the script.
pub const MOST_DRAWS: usize = 64;

/// Maximum number of outcomes of one chance event of a hook; more are an error of the script.
pub const MOST_OUTCOMES: u64 = 10_000;

/// The layout of a state: where the values of each slot lie among its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateLayout {
    /// Words of a set.
    pub width: u16,
    /// The first word of each slot's values, or `None` if the program doesn't keep the slot.
    pub slots: Vec<Option<u16>>,
    /// The end of the slots: every slot lies before this word.
    pub end: u16,
}

/// A call of a hook.
pub struct HookCall<'a> {
    /// The index of the hook in the model.
    pub hook: u32,
    /// The arguments after `g`: one word for a number, boolean or element, and `places.width` words for a set.
    pub args: &'a [u64],
    /// The acting player.
    pub me: u32,
    /// The layout of `words`.
    pub places: &'a StateLayout,
    /// The state. It is changed only if the call succeeds.
    pub words: &'a mut [u64],
    /// By word, whether it is hidden from the player on whose behalf the hook is called; empty if nothing is.
    pub hidden: &'a [bool],
    /// Draws one of `n` outcomes, uniformly at random. Returns `None` if the outcome isn't known yet: the call is
    /// then abandoned, and repeated once the outcome is known.
    pub draw: &'a mut dyn FnMut(u64) -> Option<u64>,
}

/// Why a call of a hook returned no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The call waits for the outcome of a chance event.
    Waits,
    /// The script has an error.
    Wrong(Box<ScriptError>),
}

impl CallError {
    /// The error of a hook call when there are no scripts.
    pub fn none() -> CallError {
        CallError::Wrong(Box::new(ScriptError {
            message: "there is no script".to_owned(),
            ..ScriptError::default()
        }))
    }
}

impl ScriptError {
    /// The error of a hook that draws chance although the checker found no draw in its text.
    pub fn unforeseen() -> ScriptError {
        ScriptError {
            message: "it leaves something to chance, and that can't be seen from its text".to_owned(),
            help: "write `g.roll(…)` or `g.pick(…)` out".to_owned(),
            ..ScriptError::default()
        }
    }
}

/// An error in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptError {
    /// The name of the hook.
    pub hook: String,
    /// What is wrong.
    pub message: String,
    /// How to fix it; may be empty.
    pub help: String,
    /// The place in the script, if known.
    pub span: Option<Span>,
    /// The script, if it isn't part of the rules; `span` then refers to this source.
    pub file: Option<Arc<Source>>,
}

/// The scripts of a game, callable from any thread.
pub trait Scripts: fmt::Debug + Send + Sync {
    /// Calls a hook. Returns the number it returned, 1 or 0 for a boolean, or 0 if it returned nothing.
    fn call(&self, call: HookCall<'_>) -> Result<i64, CallError>;
}
