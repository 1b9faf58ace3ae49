//! What is known of locals beside their types.

use crate::values::DiceValue;
use houserule_language::diagnostic::Span;
use houserule_model::{Content, LocalId};
use std::collections::{HashMap, HashSet};

/// What is known of locals beside their types.
#[derive(Debug, Default)]
pub(crate) struct LocalNotes {
    /// Locals of a `let`; they can be assigned to.
    pub(crate) lets: HashSet<LocalId>,
    /// Locals with a declared type.
    pub(crate) typed: HashMap<LocalId, Content>,
    /// Locals that may be none.
    pub(crate) optional: HashSet<LocalId>,
    /// Locals that are subsets of dice, with these dice.
    pub(crate) dice_subsets: HashMap<LocalId, DiceValue>,
    /// The players of `each player` outside of rounds and of `together`.
    pub(crate) everybody: Vec<LocalId>,
}

/// The domain of a `let` without a type, inferred from all of its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inferred {
    /// A range without a name.
    Range(i64, i64),
    /// A declared domain.
    Named(String),
}

/// The domains of the `let`s without a type. The uses of a `let` show its domain, so only the next run of the check knows
/// it.
#[derive(Debug, Default)]
pub(crate) struct Inference {
    /// The domains of sets, by the location of the name of the `let`.
    domains: HashMap<Span, Inferred>,
    /// This run has widened a domain.
    is_widened: bool,
    /// Each `let s = {}` whose domain is still unknown: location of the name and of the value.
    open: HashMap<Span, Span>,
}

impl Inference {
    /// Returns the inferences of a new run, which knows the domains of the previous one.
    pub(crate) fn for_next_run(self) -> Self {
        Inference { domains: self.domains, is_widened: false, open: HashMap::new() }
    }

    /// Returns `true` if this run has widened a domain, so that the rules must be checked again.
    pub(crate) fn is_widened(&self) -> bool {
        self.is_widened
    }

    /// The domain of a `let`, by the location of its name.
    pub(crate) fn domain(&self, name: Span) -> Option<&Inferred> {
        self.domains.get(&name)
    }

    /// Sets a wider domain for the next run.
    pub(crate) fn widen(&mut self, name: Span, domain: Inferred) {
        self.domains.insert(name, domain);
        self.is_widened = true;
    }

    /// The first `let` with an inferred domain.
    pub(crate) fn first(&self) -> Option<Span> {
        self.domains.keys().min().copied()
    }

    /// Adds a `let s = {}` whose domain is still unknown.
    pub(crate) fn open(&mut self, name: Span, value: Span) {
        self.open.insert(name, value);
    }

    /// Returns `true` for a `let s = {}` whose domain is still unknown.
    pub(crate) fn is_open(&self, name: Span) -> bool {
        self.open.contains_key(&name)
    }

    /// The values of each `let s = {}` whose uses don't show its domain, in the order of the text.
    pub(crate) fn open_values(&self) -> Vec<Span> {
        let open = self.open.iter().filter(|(name, _)| !self.domains.contains_key(name));
        let mut open: Vec<(Span, Span)> = open.map(|(name, value)| (*name, *value)).collect();
        open.sort();
        open.into_iter().map(|(_, value)| value).collect()
    }
}
