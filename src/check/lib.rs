//! The checker: from syntax tree to checked model. It resolves names, types, sizes and constants, and
//! reports every independent error in one run. Depends on boards and the syntax tree; independent of how
//! games are executed.
//!
//! A define is expanded and checked at each use, with the arguments of that use. Every expression that
//! doesn't depend on the state is folded to a constant when it is built, so sizes may be any expression
//! of params.
//!
//! The rooms, each of which imports only from those before it:
//!
//! - `options`: what a check is asked for, besides the rules;
//! - `messages`: what it reports;
//! - `values`: what it knows of a checked expression;
//! - `names`: the declared and the local names, and the record of all names;
//! - `draft`: the model under construction, [`Draft`](draft::Draft), which knows no names;
//! - `hooks`: the functions of scripts that the rules call;
//! - `checker`: the one pass object, [`Checker`], with the structs that it owns;
//! - `resolution`: what a name stands for where it is used;
//! - `expressions`, `declarations`, `statements`: what these mean;
//! - `plain`: what follows once the rules are checked: knowledge of hidden elements, lints, limits.
//!
//! The last five stand on one floor. Their imports have this order, but their calls have none: an expression may need a
//! declaration, and a declaration an expression. What takes part in this recursion is a method of `Checker`, and what needs
//! the draft alone a method of `Draft`, each in the room of its subject.

pub(crate) mod options;

pub(crate) mod messages;

pub(crate) mod values;

pub(crate) mod names;

pub(crate) mod draft;

pub(crate) mod hooks;

pub(crate) mod checker;

pub(crate) mod declarations;
pub(crate) mod expressions;
mod plain;
pub(crate) mod resolution;
pub(crate) mod statements;

pub use crate::names::definitions::{Definition, DefinitionKind, GAME_HOOKS, HOOKS, NameUse, Names};
pub use crate::options::{ActionKey, CheckOptions, SettingError};

use crate::checker::Checker;
use crate::checker::input::CheckInput;
use crate::checker::locals::Inference;
use crate::plain::lints;
use houserule_language::diagnostic::Diagnostic;
use houserule_language::syntax;
use houserule_model::*;

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
    let input = CheckInput { game, fixed, inherited, options: *options };
    let mut inference = Inference::default();
    let mut run = 1;
    loop {
        let mut checker = Checker::new(input, inference);
        checker.run();
        let is_widened = checker.inference.is_widened();
        if !is_widened || run == WIDENINGS {
            if is_widened {
                checker.report_widening();
            }
            checker.report_open();
            return checker.finish();
        }
        // The uses of a `let` show that its set holds more values, so check again with the wider range.
        inference = checker.inference.for_next_run();
        run += 1;
    }
}

/// Maximum number of checker runs, each of which widens the ranges of sets.
const WIDENINGS: u32 = 50;

impl Checker<'_> {
    fn run(&mut self) {
        self.draft.builtin_slots();
        self.draft.model.file = Some(self.input.game.title.span.file);
        self.draft.model.allowed = lints::allowed_warnings(self.input.game, &mut self.draft.messages);
        self.draft.messages.allow(&self.draft.model.allowed);
        self.declare_all();
        self.players();
        self.draft.start_builtins();
        self.resolve_all();
        self.shown_elements();
        self.shown_sets();
        self.shown_boards();
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
        self.hooks.call_at_end(&mut self.draft);
        self.check_unused_definitions();
        self.hooks.report_uncalled(&mut self.draft);
        self.number_actions();
        self.draft.weave_knowledge();
        self.draft.weave_shown_values();
        self.draft.check_size();
        let lints = lints::LintInput { input: self.input, names: &self.names, usage: &self.usage };
        lints.report_lints(&mut self.draft);
    }

    fn finish(mut self) -> Checked {
        if self.input.has_hole() {
            self.draft.messages.add_hole();
        }
        let names = self.recorded();
        self.draft.model.params = self.draft.params.into_values().collect();
        let (diagnostics, settings, is_sound) = self.draft.messages.finish();
        Checked { model: is_sound.then_some(self.draft.model), diagnostics, settings, names }
    }
}
