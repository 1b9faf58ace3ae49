//! Which statements are never run: those after one that leaves the step, the turn or the game in any case.

use crate::prose::course::forms::leaves_itself;
use crate::prose::phrases::{NamedDefines, Wording};
use houserule_language::syntax::{Block, Decl, DeclKind, Stmt, StmtKind};
use houserule_model::Model;

/// Returns the declarations of a game without the statements that are never run.
pub(super) fn drop_unreached(model: &Model, decls: &[Decl]) -> Vec<Decl> {
    let named = NamedDefines::default();
    let words = Wording::new(model, decls, "you", &named);
    let mut all = decls.to_vec();
    for decl in &mut all {
        if let DeclKind::Turn(body)
        | DeclKind::Round(body)
        | DeclKind::Setup { body, .. }
        | DeclKind::Procedure { body, .. } = &mut decl.kind
        {
            words.drop_unreached(body);
        }
    }
    all
}

impl Wording<'_> {
    /// Takes the statements that are never run out of a block, and out of the blocks in it.
    pub(super) fn drop_unreached(&self, body: &mut Block) {
        // The inner blocks first: a statement that is never run leaves nothing.
        for one in &mut body.stmts {
            one.blocks_mut().into_iter().for_each(|block| self.drop_unreached(block));
        }
        let last = body.stmts.iter().position(|one| self.always_leaves(one));
        body.stmts.truncate(last.map_or(body.stmts.len(), |last| last + 1));
    }

    /// Returns `true` if what follows a statement in its block is never run.
    fn always_leaves(&self, one: &Stmt) -> bool {
        let within = |body: &Block| body.stmts.iter().any(|one| self.always_leaves(one));
        match &one.kind {
            kind if leaves_itself(kind) => true,
            StmtKind::Step { body, .. } => within(body) && !self.may_skip(body),
            StmtKind::If { condition, then, otherwise } => {
                let settled = self.settled(condition);
                (settled == Some(false) || within(then))
                    && (settled == Some(true) || otherwise.as_ref().is_some_and(within))
            }
            StmtKind::As { body, .. } => within(body),
            StmtKind::While { .. } => self.is_endless(one),
            StmtKind::Repeat { body, .. } => self.is_endless(one) || within(body),
            // Without an `otherwise`, the rules may go on after a choice of which nothing is possible.
            StmtKind::Choose(choose) => {
                choose.otherwise.as_ref().is_some_and(within)
                    && choose.options.iter().flatten().all(|option| within(&option.body))
            }
            // A procedure can't use itself.
            StmtKind::Call { name, .. } => {
                self.procedure(&name.text).is_some_and(|(_, _, body)| within(body))
            }
            _ => false,
        }
    }

    /// Returns `true` if a loop ends only when a statement in it leaves it.
    pub(super) fn is_endless(&self, one: &Stmt) -> bool {
        match &one.kind {
            StmtKind::While { condition, .. } => self.settled(condition) == Some(true),
            StmtKind::Repeat { until, .. } => self.settled(until) == Some(false),
            _ => false,
        }
    }

    /// Returns `true` if a statement of a block may leave the step around it.
    fn may_skip(&self, body: &Block) -> bool {
        body.stmts.iter().any(|one| match &one.kind {
            StmtKind::Skip => true,
            // It is the inner step that is left there.
            StmtKind::Step { .. } => false,
            StmtKind::Call { name, .. } => {
                self.procedure(&name.text).is_some_and(|(_, _, body)| self.may_skip(body))
            }
            _ => one.blocks().into_iter().any(|block| self.may_skip(block)),
        })
    }
}
