//! The opposites of conditions, and conditions without what denies or confirms them as a whole.

use houserule_language::syntax::{BinaryOp, ComparisonOperator as C, Expr, ExprKind, Quantifier, UnaryOp};

/// Returns `true` if a condition joins others with `and`, or with `or` of such.
pub(super) fn holds_and(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, ..) => true,
        ExprKind::Binary(BinaryOp::Or, a, b) => holds_and(a) || holds_and(b),
        _ => false,
    }
}

/// Returns `true` if both sides of a comparison are lists.
pub(super) fn are_lists(a: &Expr, b: &Expr) -> bool {
    matches!((&a.kind, &b.kind), (ExprKind::Tuple(_), ExprKind::Tuple(_)))
}

/// Returns the opposite of a condition, with the verbs of its parts denied rather than the whole.
pub(super) fn opposite_of(e: &Expr) -> Expr {
    use BinaryOp::{And, Compare, Or};
    if let Some(plain) = without_literal(e) {
        return opposite_of(&plain);
    }
    let boxed = |e: &Expr| Box::new(opposite_of(e));
    let kind = match &e.kind {
        ExprKind::Binary(And, a, b) => ExprKind::Binary(Or, boxed(a), boxed(b)),
        ExprKind::Binary(Or, a, b) => ExprKind::Binary(And, boxed(a), boxed(b)),
        ExprKind::Binary(Compare(op @ (C::Equal | C::NotEqual)), a, b) if are_lists(a, b) => {
            ExprKind::Binary(Compare(op.negated()), a.clone(), b.clone())
        }
        ExprKind::If(condition, then, otherwise) => {
            ExprKind::If(condition.clone(), boxed(then), boxed(otherwise))
        }
        ExprKind::Quantified { op: Quantifier::All, name, subsets, over, filter, body } => {
            ExprKind::Quantified {
                op: Quantifier::Any,
                name: name.clone(),
                subsets: *subsets,
                over: over.clone(),
                filter: filter.clone(),
                body: boxed(body),
            }
        }
        ExprKind::Unary(UnaryOp::Not, inner) => return (**inner).clone(),
        _ => ExprKind::Unary(UnaryOp::Not, Box::new(e.clone())),
    };
    Expr { kind, span: e.span }
}

/// Returns a condition in which `not` stands before no other condition than the last ones, whose verbs it denies, and none
/// is compared with `true` or `false`.
pub(super) fn denied_inside(e: &Expr) -> Expr {
    use BinaryOp::{And, Compare, Or};
    if let Some(plain) = without_literal(e) {
        return denied_inside(&plain);
    }
    let kind = match &e.kind {
        ExprKind::Binary(op @ (And | Or), a, b) => {
            ExprKind::Binary(*op, Box::new(denied_inside(a)), Box::new(denied_inside(b)))
        }
        ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
            ExprKind::Binary(And | Or, ..)
            | ExprKind::If(..)
            | ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Quantified { op: Quantifier::All, .. } => return denied_inside(&opposite_of(inner)),
            ExprKind::Binary(Compare(C::Equal | C::NotEqual), a, b) if are_lists(a, b) => {
                return opposite_of(inner);
            }
            _ => match without_literal(inner) {
                Some(plain) => return denied_inside(&opposite_of(&plain)),
                None => return e.clone(),
            },
        },
        _ => return e.clone(),
    };
    Expr { kind, span: e.span }
}

/// Returns what a comparison of a condition with `true` or `false` says: the condition or its opposite. Returns `None` for
/// anything else.
fn without_literal(e: &Expr) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::Compare(op @ (C::Equal | C::NotEqual)), a, b) = &e.kind else {
        return None;
    };
    let (literal, condition) = match (&a.kind, &b.kind) {
        (_, ExprKind::Bool(literal)) => (*literal, a),
        (ExprKind::Bool(literal), _) => (*literal, b),
        _ => return None,
    };
    Some(match literal == (*op == C::Equal) {
        true => (**condition).clone(),
        false => opposite_of(condition),
    })
}
