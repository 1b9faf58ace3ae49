//! The functions of scripts that the rules call.

use super::Type;
use crate::diagnostic::Span;

/// A function of a script, and how the rules call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The function's name.
    pub name: String,
    /// In which of the game's scripts, from 0.
    pub script: u32,
    /// What it is for.
    pub kind: HookKind,
    /// The types of its arguments behind `g`.
    pub args: Vec<Type>,
    /// It may leave something to chance.
    pub draws: bool,
    /// Its place in the script.
    pub span: Span,
}

/// What a hook is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// It does something.
    Effect,
    /// It says whether an action is legal, and changes nothing.
    Filter,
    /// It says what an item of the score is worth, and changes nothing.
    Points,
    /// It notes what players see, and changes nothing that the rules know. It costs no budget.
    Watch,
}

/// A function of a script, as far as the rules need to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFunction {
    /// In which of the game's scripts, from 0.
    pub script: u32,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// It may leave something to chance.
    pub draws: bool,
    /// Another function of the script calls it.
    pub called: bool,
    /// What it may read: words behind `g.`, and texts.
    pub names: Vec<String>,
    /// The place of its head in the script.
    pub span: Span,
}
