//! Syntactic equality of checked expressions.

use super::{CheckedExpr, CheckedExprKind};

/// Returns `true` if two indices are syntactically equal.
pub fn is_same_index(a: &CheckedExpr, b: &CheckedExpr) -> bool {
    match (&a.kind, &b.kind) {
        (CheckedExprKind::Read(a), CheckedExprKind::Read(b)) => {
            a.slot == b.slot && a.index.is_empty() && b.index.is_empty()
        }
        _ => same_expr(a, b),
    }
}

/// Returns `true` if two expressions are syntactically equal, for those without calls and reads.
pub fn same_expr(a: &CheckedExpr, b: &CheckedExpr) -> bool {
    match (&a.kind, &b.kind) {
        (CheckedExprKind::Me, CheckedExprKind::Me) => true,
        (CheckedExprKind::Local(a), CheckedExprKind::Local(b)) => a == b,
        (CheckedExprKind::Constant(a), CheckedExprKind::Constant(b)) => a == b,
        (CheckedExprKind::ElementOf(x), CheckedExprKind::ElementOf(y))
        | (CheckedExprKind::ValueOf(x), CheckedExprKind::ValueOf(y)) => a.ty == b.ty && same_expr(x, y),
        _ => false,
    }
}
