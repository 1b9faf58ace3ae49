//! The model under construction: what builds expressions and asks about what is built, reports messages and counts what
//! the rules use up. It knows no names, so nothing here depends on where in the rules a thing is written.

mod budget;
mod build;
pub(crate) mod moves;
pub(crate) mod tables;

pub(crate) use budget::set_words;

use crate::messages::Messages;
use budget::Budget;
use houserule_language::diagnostic::Span;
use houserule_model::{DomainId, Life, LocalId, Model, Param, ParamValue};
use moves::Moves;
use std::collections::{BTreeMap, HashMap};
use tables::{FieldTable, TableDeclaration};

/// The model built so far, with the messages about it.
pub(crate) struct Draft {
    pub(crate) model: Model,
    /// Params by the index of their declaration. They join the model at the end.
    pub(crate) params: BTreeMap<usize, Param>,
    /// The domains of ranges without a name.
    pub(crate) ranges: HashMap<(i64, i64), DomainId>,
    /// The declared tables.
    pub(crate) tables: Vec<TableDeclaration>,
    /// The fields of records, by the domain of the elements and the name of the field.
    pub(crate) fields: HashMap<(DomainId, String), FieldTable>,
    /// The least and the greatest number of each `let` that keeps its first value.
    pub(crate) bounded: HashMap<LocalId, (i64, i64)>,
    /// What moves, for the update of what players know.
    pub(crate) moves: Moves,
    /// The place of the game's title, for messages about the game as a whole.
    pub(crate) title: Span,
    /// How long a value lasts that a turn needs.
    pub(crate) turn_life: Life,
    /// In a condition that is of no player in particular: how it is written for any player, for messages.
    pub(crate) meant_of_any: Option<String>,
    pub(crate) messages: Messages,
    budget: Budget,
    /// Number of branches around the current place that the params rule out.
    dead: u32,
}

impl Draft {
    /// A model that has nothing yet.
    pub(crate) fn new(model: Model, title: Span, turn_life: Life) -> Self {
        Draft {
            model,
            params: BTreeMap::new(),
            ranges: HashMap::new(),
            tables: vec![],
            fields: HashMap::new(),
            bounded: HashMap::new(),
            moves: Moves::default(),
            title,
            turn_life,
            meant_of_any: None,
            messages: Messages::default(),
            budget: Budget::default(),
            dead: 0,
        }
    }

    /// Enters a branch. If the params rule it out, some errors don't count there.
    pub(crate) fn enter_branch(&mut self, is_dead: bool) {
        self.dead += u32::from(is_dead);
    }

    /// Leaves a branch.
    pub(crate) fn leave_branch(&mut self, is_dead: bool) {
        self.dead -= u32::from(is_dead);
    }

    /// Leaves all branches, to check a declaration that is elsewhere. Returns their number.
    pub(crate) fn leave_all_branches(&mut self) -> u32 {
        std::mem::take(&mut self.dead)
    }

    /// Returns to the branches that [`Self::leave_all_branches`] left.
    pub(crate) fn return_to_branches(&mut self, dead: u32) {
        self.dead = dead;
    }

    /// Returns `true` in a branch that the params rule out.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead > 0
    }

    /// The integer params with their values, for a message about sizes.
    pub(crate) fn params_note(&self) -> Option<String> {
        let number = |param: &Param| match param.value {
            ParamValue::Number(n) => Some(format!("{} = {n}", param.name)),
            _ => None,
        };
        let all: Vec<String> = self.params.values().filter_map(number).collect();
        (!all.is_empty()).then(|| format!("with {}", all.join(", ")))
    }
}
