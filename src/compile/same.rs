//! Syntactic equality of expressions.

use crate::model::{Expr, ExprKind};

/// Returns `true` if two indices are syntactically equal.
pub(super) fn is_same_index(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Read(a), ExprKind::Read(b)) => {
            a.slot == b.slot && a.index.is_empty() && b.index.is_empty()
        }
        _ => same_expr(a, b),
    }
}

pub(super) fn same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Me, ExprKind::Me) => true,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
        (ExprKind::ElementOf(x), ExprKind::ElementOf(y)) | (ExprKind::ValueOf(x), ExprKind::ValueOf(y)) => {
            a.ty == b.ty && same_expr(x, y)
        }
        _ => false,
    }
}
