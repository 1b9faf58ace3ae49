//! The declared names, the names of elements, and what they stand for.

use crate::values::Val;
use houserule_language::diagnostic::Span;
use houserule_language::syntax;
use houserule_model::*;
use std::collections::{HashMap, HashSet};

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// Index of the declaration, if it parsed.
    pub(crate) decl: Option<usize>,
    /// Location of the name.
    pub(crate) span: Span,
    /// Progress of its resolution.
    pub(crate) state: ResolutionState,
}

/// The progress of resolving a declaration.
#[derive(Clone, Debug)]
pub(crate) enum ResolutionState {
    Waiting,
    Busy,
    Done(Entity),
}

/// The meaning of a declared name.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    /// A param or a team, with its value.
    Param(Val),
    /// A variable, dice, a zone or a piece.
    Slot(SlotId),
    /// A table: index of `Draft::tables`.
    Table(usize),
    /// A domain.
    Domain(DomainId),
    /// A board.
    Board(BoardId),
    /// A define: index of its declaration.
    Define(usize),
    /// A procedure: index of its declaration.
    Procedure(usize),
    /// An error that has been reported.
    Poison,
}

/// The declared names and what they stand for.
#[derive(Debug, Default)]
pub(crate) struct NameTable<'a> {
    pub(crate) declared: HashMap<&'a str, Declaration>,
    /// Declarations being resolved, to report cycles.
    pub(crate) resolving: Vec<(String, Span)>,
    /// Declarations of domains whose named elements are in `values`.
    pub(crate) entered: HashSet<usize>,
    /// Values of enums and names of players, each with all domains that have a value of this name.
    pub(crate) values: HashMap<&'a str, Vec<(DomainId, u32)>>,
    /// The domain of directions, once something names it.
    pub(crate) directions: Option<DomainId>,
    /// The domain of the teams, once the rules name it.
    pub(crate) team_domain: Option<DomainId>,
    /// The names of the boards in the order of the text.
    pub(crate) board_names: Vec<&'a syntax::Name>,
    /// The domains of types such as `either | ordered`.
    pub(crate) words: HashMap<Vec<&'a str>, DomainId>,
}

impl<'a> NameTable<'a> {
    /// Returns `true` if a declaration has this name.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// The meaning of a declared name, if it has been resolved.
    pub(crate) fn resolved(&self, name: &str) -> Option<&Entity> {
        match &self.declared.get(name)?.state {
            ResolutionState::Done(entity) => Some(entity),
            _ => None,
        }
    }

    /// Sets how far the resolution of a declared name is.
    pub(crate) fn set_state(&mut self, name: &str, state: ResolutionState) {
        if let Some(declared) = self.declared.get_mut(name) {
            declared.state = state;
        }
    }

    /// Returns `true` if the declaration of this name is the one at this place. A name that is declared twice stands for
    /// its first declaration.
    pub(crate) fn is_declared_at(&self, name: &syntax::Name) -> bool {
        self.declared.get(name.text.as_str()).is_some_and(|declared| declared.span == name.span)
    }

    /// Makes a name stand for an error that has been reported, unless it is declared.
    pub(crate) fn poison(&mut self, name: &'a syntax::Name) {
        let state = ResolutionState::Done(Entity::Poison);
        self.declared.entry(&name.text).or_insert(Declaration { decl: None, span: name.span, state });
    }

    /// The index of a value in an enum, or of a named player.
    pub(crate) fn enum_value(&self, domain: DomainId, name: &str) -> Option<u32> {
        self.values.get(name)?.iter().find(|(d, _)| *d == domain).map(|(_, i)| *i)
    }

    /// The first declared domain with an element of this name.
    pub(crate) fn value_domain(&self, name: &str) -> Option<DomainId> {
        let is_anonymous = |d: &DomainId| self.words.values().any(|w| w == d);
        self.values.get(name)?.iter().map(|(domain, _)| *domain).find(|domain| !is_anonymous(domain))
    }

    /// Returns `true` for the domain of directions.
    pub(crate) fn is_direction(&self, domain: DomainId) -> bool {
        self.directions == Some(domain)
    }
}
