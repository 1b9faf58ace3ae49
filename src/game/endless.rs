//! Finds the loop that never ends, once the loop budget is spent.

use houserule_language::diagnostic::Span;
use houserule_model::{CheckedBlock, CheckedStmtKind, Model};

/// Returns the loop to report if the budget ran out at the loop `at`. A `for` ends by itself, so it is `at`
/// or the innermost `while` or `repeat` around it. Returns `at` if there is none.
pub(crate) fn endless_loop(model: &Model, at: Span) -> Span {
    let blocks = [&model.setup, &model.turn, &model.on_end].into_iter();
    let mut blocks = blocks.chain(model.choices.iter().flat_map(|choice| choice.blocks()));
    blocks.find_map(|block| blamed(block, at, None)).unwrap_or(at)
}

/// Returns the loop to report, if `at` is a loop in `block`. `around` is the innermost `while` or `repeat`
/// around the block.
fn blamed(block: &CheckedBlock, at: Span, around: Option<Span>) -> Option<Span> {
    block.stmts.iter().find_map(|stmt| {
        let unbounded = matches!(stmt.kind, CheckedStmtKind::While { .. } | CheckedStmtKind::Repeat { .. });
        let around = if unbounded { Some(stmt.span) } else { around };
        // Only a loop matches: another statement around it may have the same place.
        if stmt.span == at
            && matches!(
                stmt.kind,
                CheckedStmtKind::For { .. } | CheckedStmtKind::While { .. } | CheckedStmtKind::Repeat { .. }
            )
        {
            return around;
        }
        stmt.blocks().into_iter().find_map(|inner| blamed(inner, at, around))
    })
}
