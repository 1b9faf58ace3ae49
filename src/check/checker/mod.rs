//! The one pass object, and what it owns: the input, the model built so far, and a struct for each subject that the
//! passes share.
//!
//! An expression may need a declaration, a declaration an expression, and both are needed by statements. So the passes
//! that resolve and check are methods of [`Checker`], in the room of their subject, and call each other in all directions.
//! What needs only one or two of the structs takes these as parameters.

pub(crate) mod actions;
pub(crate) mod context;
pub(crate) mod input;
pub(crate) mod locals;
pub(crate) mod progress;
pub(crate) mod usage;

use crate::draft::Draft;
use crate::hooks::ScriptHooks;
use crate::names::name_table::NameTable;
use crate::names::recorder::Recorder;
use crate::names::scopes::Scopes;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::Expr;
use houserule_model::Model;
use input::CheckInput;
use std::collections::HashMap;

/// The check of one game.
pub(crate) struct Checker<'a> {
    pub(crate) input: CheckInput<'a>,
    /// The model built so far, with the messages about it.
    pub(crate) draft: Draft,
    /// The functions of scripts that the rules call.
    pub(crate) hooks: ScriptHooks<'a>,
    pub(crate) names: NameTable<'a>,
    /// The names resolved so far, for editors.
    pub(crate) recorder: Recorder<'a>,
    pub(crate) scopes: Scopes,
    pub(crate) position: context::Position<'a>,
    pub(crate) context: context::CheckContext<'a>,
    pub(crate) progress: progress::CheckProgress,
    pub(crate) usage: usage::Usage<'a>,
    pub(crate) actions: actions::Actions,
    pub(crate) locals: locals::LocalNotes,
    pub(crate) inference: locals::Inference,
    /// The expressions that may be none, by their place, for messages.
    pub(crate) optionals: HashMap<Span, &'a Expr>,
}

impl<'a> Checker<'a> {
    /// A checker that has checked nothing yet.
    pub(crate) fn new(input: CheckInput<'a>, inference: locals::Inference) -> Self {
        let model = Model::new(&input.game.title.text, &input.game.help);
        Checker {
            input,
            draft: Draft::new(model, input.game.title.span, input.turn_life()),
            hooks: ScriptHooks::new(input.options.script),
            names: NameTable::default(),
            recorder: Recorder::default(),
            scopes: Scopes::default(),
            position: context::Position::default(),
            context: context::CheckContext::default(),
            progress: progress::CheckProgress::default(),
            usage: usage::Usage::default(),
            actions: actions::Actions::default(),
            locals: locals::LocalNotes::default(),
            inference,
            optionals: HashMap::new(),
        }
    }
}
