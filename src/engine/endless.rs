//! Which loop never ends, once the budget of loops is spent.

use crate::diagnostic::Span;
use crate::lang::model::{Block, Model, StmtKind};

/// The loop to blame when the budget ran out at the loop `at`. A `for` goes through a set and ends by itself,
/// so the innermost `while` or `repeat` around it is the one that never ends. Returns `at` if there is none.
pub(super) fn endless_loop(model: &Model, at: Span) -> Span {
    let blocks = [&model.setup, &model.turn, &model.on_end].into_iter();
    let mut blocks = blocks.chain(model.choices.iter().flat_map(|choice| choice.blocks()));
    blocks.find_map(|block| blamed(block, at, None)).unwrap_or(at)
}

/// The loop to blame in a block, if `at` is a loop in it; `around` is the innermost loop without an end of its
/// own around the block.
fn blamed(block: &Block, at: Span, around: Option<Span>) -> Option<Span> {
    block.stmts.iter().find_map(|stmt| {
        let unbounded = matches!(stmt.kind, StmtKind::While { .. } | StmtKind::Repeat { .. });
        let around = if unbounded { Some(stmt.span) } else { around };
        // A `for` or `while` with `at` as its place; what stands around a loop may have the same place.
        if stmt.span == at
            && matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Repeat { .. })
        {
            return around;
        }
        stmt.blocks().into_iter().find_map(|inner| blamed(inner, at, around))
    })
}
