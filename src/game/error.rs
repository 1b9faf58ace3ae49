//! Run-time errors: errors in the rules that abort a game.

use houserule_language::diagnostic::{Code, Diagnostic, Source, SourceMap, Span};
use houserule_model::{ScriptError, Seat};
use std::borrow::Cow;
use std::fmt;

/// An error in the rules at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    /// The place of the rule.
    pub span: Span,
    /// The kind of error.
    pub kind: RuntimeErrorKind,
}

/// The kinds of run-time errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeErrorKind {
    /// A slot would get a number that it can't hold.
    OutOfRange {
        /// The slot's name.
        name: String,
        /// The number.
        value: i64,
        /// Smallest number that it can hold.
        low: i64,
        /// Largest number that it can hold.
        high: i64,
    },
    /// A number does not fit in 64 bits.
    Overflow,
    /// The sum of the score's items does not fit in 64 bits.
    ScoreOverflow {
        /// The item with which the sum no longer fits.
        item: String,
    },
    /// A total of a match does not fit in 64 bits.
    TotalOverflow,
    /// The payoffs of `payoff zero sum` don't add up to 0.
    PayoffSum {
        /// Their sum.
        sum: i64,
    },
    /// A division or a remainder by zero.
    DivisionByZero,
    /// An index is `none` or out of range.
    NoneIndex,
    /// A value is `none` where an element is needed.
    NoneValue,
    /// Loops ran too long without a decision.
    Budget,
    /// A script function failed.
    Script(Box<ScriptError>),
    /// An agent found no world that agrees with what its seat has observed.
    NoWorld(Box<NoWorld>),
    /// An agent chose no action, or one that isn't legal.
    IllegalChoice(Box<IllegalChoice>),
    /// More distinct positions than are kept for `repeated`.
    Positions,
    /// The game is not over after the decisions that `limit` allows.
    Limit {
        /// The limit, in decisions.
        decisions: u64,
    },
}

/// No world was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoWorld {
    /// The event up to which nothing explains what the seat saw, counted from 1 among the events of which the
    /// seat could tell something. It is 0 if no first draw was possible.
    pub event: usize,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for NoWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            0 => f.write_str("no state was found that the position allows"),
            event => write!(f, "no world agrees with what was seen up to event {event}: {}", self.text),
        }
    }
}

impl std::error::Error for NoWorld {}

/// A choice of an agent that isn't a legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalChoice {
    /// The agent's name.
    pub agent: String,
    /// The agent's seat, from 0.
    pub seat: Seat,
    /// The action as text, or `None` if the agent chose none.
    pub action: Option<String>,
}

impl fmt::Display for IllegalChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the agent `{}` in seat {} chose ", self.agent, self.seat.0)?;
        match &self.action {
            Some(action) => write!(f, "`{action}`, which isn't legal"),
            None => f.write_str("no action, but it must decide"),
        }
    }
}

impl fmt::Display for RuntimeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { name, value, low, high } => {
                write!(f, "`{name}` would become {value}, but it holds {low}..{high}")
            }
            Self::Overflow => write!(f, "the number does not fit 64 bits"),
            Self::ScoreOverflow { item } => {
                write!(f, "the score with its item `{item}` does not fit 64 bits")
            }
            Self::TotalOverflow => write!(f, "a total of the match does not fit 64 bits"),
            Self::PayoffSum { sum } => write!(f, "the payoffs add up to {sum}, not to 0"),
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::NoneIndex => write!(f, "an index is `none`, or a number that does not fit"),
            Self::NoneValue => write!(f, "the value is none, but there must be one"),
            Self::Budget => write!(f, "this loop never ends: a million iterations without a decision"),
            Self::Script(mistake) => match &mistake.file {
                // Only the message names the script.
                Some(file) => {
                    let before = mistake.span.and_then(|span| file.text.get(..span.start as usize));
                    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
                    write!(f, "{}:{line}, `{}`: {}", file.name, mistake.hook, mistake.message)
                }
                None => write!(f, "`{}`: {}", mistake.hook, mistake.message),
            },
            Self::NoWorld(none) => none.fmt(f),
            Self::IllegalChoice(choice) => choice.fmt(f),
            Self::Positions => write!(f, "the game has had more positions than `repeated` can keep"),
            Self::Limit { decisions } => write!(f, "the game is not over after {decisions} decisions"),
        }
    }
}

impl RuntimeErrorKind {
    /// The help text for a game that isn't over, if random players may choose an option that leads nowhere.
    pub(crate) const OVER_WITHOUT_DETOURS: &str = "add an `end when …` that every game comes to, or raise `limit`; if an option only puts off the end, write \
        `deliberate` before it, so that random players take it only if nothing else is legal";

    /// Returns the help text for a zone of copies from which more are taken than it has.
    pub(crate) fn too_few_copies(zone: &str) -> String {
        format!(
            "give `{zone}` more copies where it is declared, put some in before, or ask first how many it has, such as \
             `count({zone}) >= 2`, with the index of a family or a kind"
        )
    }

    /// Returns the error's code in kebab case, and the help text.
    fn code_and_help(&self) -> (Code, &str) {
        match self {
            Self::OutOfRange { .. } => {
                (Code::OutOfRange, "widen its range where it is declared, or test before it changes")
            }
            Self::Overflow => (Code::Overflow, "keep the numbers smaller"),
            Self::ScoreOverflow { .. } => (Code::ScoreOverflow, "keep the items of the score smaller"),
            Self::TotalOverflow => (Code::TotalOverflow, "keep the scores smaller, or play fewer games"),
            Self::PayoffSum { .. } => (
                Code::PayoffSum,
                "let the others lose what a player wins, or leave out `zero sum` if points are made or lost",
            ),
            Self::DivisionByZero => (Code::DivisionByZero, "test for 0 before dividing"),
            Self::NoneIndex => {
                (Code::NoneIndex, "ask `if … is some` before; dice have no value until they are rolled")
            }
            Self::NoneValue => {
                (Code::NoneValue, "ask `if … is some` before; dice have no value until they are rolled")
            }
            Self::Budget => (Code::EndlessLoop, "change something in the loop that its condition tests"),
            Self::Script(mistake) => (Code::Script, &mistake.help),
            Self::NoWorld(_) => (
                Code::NoWorld,
                "let agents play here that draw no worlds, such as `random`, and report these rules",
            ),
            Self::IllegalChoice(_) => {
                (Code::IllegalChoice, "have the agent return one of the legal actions of its view")
            }
            Self::Positions => {
                (Code::TooManyPositions, "compare less (`of: …`), or add an `end when …` that comes earlier")
            }
            Self::Limit { .. } => {
                (Code::NeverOver, "add an `end when …` that every game comes to, or raise `limit`")
            }
        }
    }
}

impl RuntimeError {
    /// Returns the script at fault, if it is not part of the rules.
    fn outside(&self) -> Option<&Source> {
        match &self.kind {
            RuntimeErrorKind::Script(mistake) => mistake.file.as_deref(),
            _ => None,
        }
    }

    /// Returns the files that [`RuntimeError::diagnostic`] refers to: those of the rules, or the script at
    /// fault.
    pub fn sources<'a>(&self, rules: &'a SourceMap) -> Cow<'a, SourceMap> {
        let Some(file) = self.outside() else { return Cow::Borrowed(rules) };
        let mut sources = SourceMap::default();
        sources.add(&*file.name, &*file.text);
        Cow::Owned(sources)
    }

    /// Returns the error as a message about the rule.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, help) = self.kind.code_and_help();
        let place = match &self.kind {
            RuntimeErrorKind::Script(mistake) => mistake.span,
            _ => None,
        };
        let said = match &self.kind {
            RuntimeErrorKind::Script(mistake) => format!("`{}`: {}", mistake.hook, mistake.message),
            kind => kind.to_string(),
        };
        let mut diagnostic = Diagnostic::error(code, place.unwrap_or(self.span), said);
        if place.is_some() && self.outside().is_none() {
            diagnostic = diagnostic.also(self.span, "called here");
        }
        if help.is_empty() { diagnostic } else { diagnostic.help(help) }
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for RuntimeError {}
