//! Where the check is: the part of the rules, and what surrounds the current place.

use crate::names::expansions::Expansion;
use houserule_language::syntax;
use houserule_model::StepId;

/// The part of the rules that contains a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StatementContext {
    /// `setup`
    Setup,
    /// `turn`, or a turn in a `round`
    Turn,
    /// `round`, outside its turns
    Round,
    /// `end when`
    End,
    /// A procedure without calls: it could be called from anywhere.
    Anywhere,
    /// A part without statements.
    #[default]
    Elsewhere,
}

/// What options are checked for, other than to be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LookAhead {
    /// Nothing.
    #[default]
    No,
    /// `no action`, which asks what can be chosen.
    FirstChoice,
    /// `longest_chain`, which tries the option.
    Chain,
}

/// What surrounds the current place in the text. A declaration has surroundings of its own, also if it is resolved at its
/// first use.
#[derive(Debug, Default)]
pub(crate) struct Position<'a> {
    /// The defines and procedures that are being expanded, outermost first.
    pub(crate) expansions: Vec<Expansion>,
    /// The step around the current place.
    pub(crate) step: Option<StepId>,
    /// The options and steps around the current place: kind and name of each.
    pub(crate) within: Vec<(&'static str, &'a str)>,
}

/// The part of the rules that is being checked, and how.
#[derive(Debug, Default)]
pub(crate) struct CheckContext<'a> {
    pub(crate) place: StatementContext,
    /// Number of enclosing `as` blocks.
    pub(crate) acting: u32,
    /// A key may be a player who doesn't play.
    pub(crate) may_be_absent: bool,
    /// The payoff is being checked.
    pub(crate) pays: bool,
    /// What options are being checked for, other than to be chosen.
    pub(crate) looks_ahead: LookAhead,
    /// The statement that is being checked, for messages.
    pub(crate) statement: Option<&'a syntax::Stmt>,
    /// The statements of the block after it.
    pub(crate) rest: &'a [syntax::Stmt],
}
