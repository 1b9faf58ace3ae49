//! Traversal of expressions.

use crate::model::{Expr, ExprKind, LocalId};
use crate::syntax;

/// The direct subexpressions, in the order of evaluation.
pub(in crate::check) fn children_mut(kind: &mut ExprKind) -> Vec<&mut Expr> {
    use ExprKind as K;
    match kind {
        K::Constant(_) | K::Local(_) | K::Me => vec![],
        K::Read(target) => target.index.iter_mut().collect(),
        K::Table(_, index) => index.iter_mut().collect(),
        K::Elements(elements) | K::Call { args: elements, .. } => elements.iter_mut().collect(),
        K::As { player: a, value: b }
        | K::Arithmetic(_, a, b)
        | K::Compare(_, a, b)
        | K::Same(a, b)
        | K::And(a, b)
        | K::Or(a, b)
        | K::Contains { set: a, element: b }
        | K::Subset(a, b)
        | K::Union(a, b)
        | K::Intersect(a, b)
        | K::Minus(a, b)
        | K::Filter { over: a, condition: b, .. }
        | K::Quantified { over: a, body: b, .. }
        | K::Cell { column: a, row: b, .. }
        | K::Runs { of: a, length: b, .. }
        | K::Enclosed { near: a, walls: b, .. }
        | K::Reach { seed: a, within: b, .. } => vec![a, b],
        K::After { player, among } => {
            let mut parts: Vec<&mut Expr> = vec![player];
            parts.extend(among.as_deref_mut());
            parts
        }
        K::If(a, b, c) | K::Custodial { from: a, to: b, through: c, .. } => vec![a, b, c],
        K::ValueOf(a)
        | K::ElementOf(a)
        | K::Negate(a)
        | K::Not(a)
        | K::IsSome(a)
        | K::Count(a)
        | K::First(a)
        | K::Last(a)
        | K::ColumnOf(_, a)
        | K::RowOf(_, a)
        | K::Column(_, a)
        | K::Row(_, a)
        | K::Columns(_, a)
        | K::Rows(_, a)
        | K::SidesOf(_, a)
        | K::CellsAt(_, a)
        | K::Neighbours { of: a, .. }
        | K::Fill { of: a, .. }
        | K::Shift { of: a, .. }
        | K::Ray { of: a, .. }
        | K::Lines { of: a, .. }
        | K::Repeated { times: a, .. }
        | K::Longest { of: a, .. } => vec![a],
    }
}

/// The local that an expression introduces, if any.
pub(in crate::check) fn introduces(kind: &mut ExprKind) -> Option<&mut LocalId> {
    match kind {
        ExprKind::Filter { local, .. } | ExprKind::Quantified { local, .. } => Some(local),
        _ => None,
    }
}

/// Calls `f` with every name in a parsed expression, including functions.
pub(in crate::check) fn each_name(e: &syntax::Expr, f: &mut dyn FnMut(&str)) {
    use syntax::ExprKind as S;
    let mut all = |parts: &[&syntax::Expr]| parts.iter().for_each(|p| each_name(p, f));
    match &e.kind {
        S::Number(_) | S::Text(_) | S::Bool(_) | S::None | S::Site(_) | S::Die(_) | S::Hole => {}
        S::Name(syntax::Name { text: name, .. }) => f(name),
        S::Field(base, _) | S::Unary(_, base) => each_name(base, f),
        S::Is { value, name, .. } => {
            each_name(value, f);
            f(&name.text);
        }
        S::Index(base, index) => {
            each_name(base, f);
            index.iter().for_each(|i| each_name(i, f));
        }
        S::Call(name, args) => {
            f(&name.text);
            args.iter().for_each(|a| each_name(&a.value, f));
        }
        S::Range(a, b) | S::Binary(_, a, b) => all(&[a, b]),
        S::If(a, b, c) => all(&[a, b, c]),
        S::Set(parts) | S::Tuple(parts) => parts.iter().for_each(|p| each_name(p, f)),
        S::Comprehension { over, filter, .. } => all(&[over, filter]),
        S::Map(entries) => entries.iter().for_each(|entry| {
            each_name(&entry.key, f);
            each_name(&entry.value, f);
        }),
        S::Quantified { over, filter, body, .. } => {
            each_name(over, f);
            if let Some(filter) = filter {
                each_name(filter, f);
            }
            each_name(body, f);
        }
    }
}
