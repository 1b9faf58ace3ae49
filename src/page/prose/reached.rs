//! Which statements are never run: those after one that leaves the step, the turn or the game in any case.

use crate::prose::phrases::{NamedDefines, Wording};
use houserule_language::syntax::{Block, Decl, DeclKind, Stmt, StmtKind};
use houserule_model::Model;

/// Maximum depth of calls that are followed. What deeper procedures do isn't known.
const MAX_CALLS: u32 = 8;

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
        let last = body.stmts.iter().position(|one| self.always_leaves(one, MAX_CALLS));
        body.stmts.truncate(last.map_or(body.stmts.len(), |last| last + 1));
        for one in &mut body.stmts {
            one.blocks_mut().into_iter().for_each(|block| self.drop_unreached(block));
        }
    }

    /// Returns `true` if what follows a statement in its block is never run.
    fn always_leaves(&self, one: &Stmt, calls: u32) -> bool {
        let within = |body: &Block| body.stmts.iter().any(|one| self.always_leaves(one, calls));
        match &one.kind {
            StmtKind::Skip | StmtKind::Done | StmtKind::Again | StmtKind::EndGame { .. } => true,
            StmtKind::Step { body, .. } => within(body) && !self.may_skip(body, calls),
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
            StmtKind::Call { name, .. } => calls.checked_sub(1).is_some_and(|calls| {
                let leaves = |body: &Block| body.stmts.iter().any(|one| self.always_leaves(one, calls));
                self.procedure(&name.text).is_some_and(|(_, _, body)| leaves(body))
            }),
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
    fn may_skip(&self, body: &Block, calls: u32) -> bool {
        body.stmts.iter().any(|one| match &one.kind {
            StmtKind::Skip => true,
            // It is the inner step that is left there.
            StmtKind::Step { .. } => false,
            StmtKind::Call { name, .. } => match (self.procedure(&name.text), calls.checked_sub(1)) {
                (Some((_, _, body)), Some(calls)) => self.may_skip(body, calls),
                (called, _) => called.is_some(),
            },
            _ => one.blocks().into_iter().any(|block| self.may_skip(block, calls)),
        })
    }
}
