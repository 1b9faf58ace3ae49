//! Checks `chance { … } given C`, conditional sampling.

use crate::checker::Checker;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_model::*;

impl<'a> Checker<'a> {
    pub(super) fn chance(
        &mut self,
        body: &'a syntax::Block,
        given: &'a syntax::Expr,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        self.forget_assigned(body);
        let body = self.block(body);
        let given = self.condition(given);
        if let Some((word, at)) = first_not_in_chance(&body) {
            let d = Diagnostic::error(Code::NotOfChance, at, format!("`{word}` isn't allowed in `chance`"))
                .note(
                    "the block runs again until the condition holds, so it can't contain a choice or be left",
                )
                .help(format!("move `{word}` after the block"));
            self.draft.messages.report(d);
            return None;
        }
        if !draws(&body) && !self.draft.messages.has_hole() {
            let d = Diagnostic::error(Code::NoChance, span, "nothing in this block is left to chance")
                .help("roll, pick, draw or deal in it, or leave `chance` out");
            self.draft.messages.report(d);
            return None;
        }
        Some(CheckedStmtKind::Chance { body, given: given? })
    }
}

/// The first statement that isn't allowed in `chance`.
fn first_not_in_chance(block: &CheckedBlock) -> Option<(&'static str, Span)> {
    block.stmts.iter().find_map(|stmt| {
        let word = match stmt.kind.control() {
            Control::Choice(_) => "choose",
            Control::Step(_) => "step",
            Control::Chance(_) => "chance",
            Control::Turns(_) => "each player",
            Control::Exit(exit) => exit.word(),
            Control::Event(_)
            | Control::Call(_)
            | Control::Branch(..)
            | Control::Loop(_)
            | Control::As(_)
            | Control::Plain => return stmt.blocks().into_iter().find_map(first_not_in_chance),
        };
        Some((word, stmt.span))
    })
}

/// Does a block contain a chance event?
fn draws(block: &CheckedBlock) -> bool {
    block
        .stmts
        .iter()
        .any(|stmt| matches!(stmt.kind.control(), Control::Event(_)) || stmt.blocks().into_iter().any(draws))
}
