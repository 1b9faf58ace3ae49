//! The checker: from syntax tree to checked model. It resolves names, types, sizes and constants, and
//! reports every independent error in one run. Depends on boards and the syntax tree; independent of how
//! games are executed.
//!
//! A define is expanded and checked at each use, with the arguments of that use. Every expression that
//! doesn't depend on the state is folded to a constant when it is built, so sizes may be any expression
//! of params.
//!
//! This module runs the passes. They are methods of the one `Checker`, in a module for each subject: `checker` (names),
//! `check_expressions`, `check_declarations` and `check_statements`. `plain` has the last ones.

pub mod checker;
pub mod declarations;
pub mod expressions;
mod plain;
pub mod statements;

pub use crate::checker::names::definitions::{Definition, DefinitionKind, GAME_HOOKS, HOOKS, NameUse, Names};
pub use crate::checker::options::{ActionKey, CheckOptions, SettingError};

use crate::checker::Checker;
use houserule_language::diagnostic::{Diagnostic, Severity};
use houserule_language::syntax;
use houserule_model::*;
use std::collections::HashMap;

/// The keys of a model's action blocks in order, for the variants built on it.
pub fn action_keys(model: &Model) -> Vec<ActionKey> {
    let domain = |d: &DomainId| {
        let d = &model.domains[d.index()];
        (d.name.clone(), d.size)
    };
    let key = |block: &ActionBlock| ActionKey {
        option: block.option.clone(),
        domains: block.domains.iter().map(domain).collect(),
        subset: block.subset,
    };
    model.actions.iter().map(key).collect()
}

/// The result of checking.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The model, or `None` if there is an error.
    pub model: Option<Model>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors in the settings.
    pub settings: Vec<SettingError>,
    /// The names that could be resolved.
    pub names: Names,
}

/// Checks a game whose variants are merged. `fixed` names the params that a variant made constant.
/// `inherited` are the action blocks of the game that the variants change.
pub fn check(
    game: &syntax::GameDecl,
    fixed: &[String],
    inherited: &[ActionKey],
    options: &CheckOptions<'_>,
) -> Checked {
    let (mut inferred, mut runs) = (HashMap::new(), 0);
    loop {
        let mut checker = Checker::new(game, fixed, inherited, options);
        checker.inferred = inferred;
        checker.run();
        // If the uses of a `let` show that its set holds more values, check again with the wider range.
        runs += 1;
        if !checker.again || runs == WIDENINGS {
            if checker.again {
                checker.report_widening();
            }
            checker.report_open();
            return checker.finish();
        }
        inferred = checker.inferred;
    }
}

/// Maximum number of checker runs, each of which widens the ranges of sets.
const WIDENINGS: u32 = 50;

impl Checker<'_> {
    fn run(&mut self) {
        self.builtin_slots();
        self.allowances();
        self.collect();
        self.players();
        self.start_builtins();
        self.resolve_all();
        self.shown_elements();
        self.shown_sets();
        self.fill_zones();
        self.settings_of_nothing();
        self.requires();
        self.check_setup();
        self.check_turn();
        self.check_score();
        self.check_ends();
        self.check_payoff();
        self.check_winner();
        self.check_measures();
        self.check_limit();
        self.check_match();
        self.hook_end();
        self.check_unused_definitions();
        self.check_hooks();
        self.number_actions();
        self.weave_knowledge();
        self.weave_shown_values();
        self.check_size();
        self.lints();
    }

    fn finish(mut self) -> Checked {
        for (at, more) in std::mem::take(&mut self.unknown).into_values().filter(|(_, more)| *more > 0) {
            if let Some(d) = self.diagnostics.get_mut(at) {
                let places = if more == 1 { "place" } else { "places" };
                d.notes.push(format!("the same in {more} other {places}"));
            }
        }
        self.diagnostics.sort_by_key(|d| d.primary.span);
        let wrong = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if wrong || self.holes || self.has_hole() {
            self.diagnostics.retain(|d| d.severity == Severity::Error);
        }
        let names = self.recorded();
        self.model.params = std::mem::take(&mut self.params).into_values().collect();
        let model = if wrong || self.holes || self.has_hole() || !self.settings.is_empty() {
            None
        } else {
            Some(self.model)
        };
        Checked { model, diagnostics: self.diagnostics, settings: self.settings, names }
    }
}
