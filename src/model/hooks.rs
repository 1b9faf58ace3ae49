//! Hooks: the script functions that the rules call.

use super::Type;
use houserule_language::diagnostic::Span;

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
