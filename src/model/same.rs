//! Syntactic equality of checked expressions.

use super::{CheckedExpr, CheckedExprKind, LocalId, walk};

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

/// Returns `true` if two expressions are the same, up to the names of the locals that they introduce. Trials, and what
/// asks for scripts or earlier positions, are never the same.
pub fn is_equal(a: &CheckedExpr, b: &CheckedExpr) -> bool {
    is_renamed(a, b, &mut vec![])
}

/// Are two expressions the same if the first local of each pair is called like the second?
fn is_renamed(a: &CheckedExpr, b: &CheckedExpr, pairs: &mut Vec<(LocalId, LocalId)>) -> bool {
    use CheckedExprKind as K;
    if a.ty != b.ty || !has_same_head(a, b) {
        return false;
    }
    let depth = pairs.len();
    match (&a.kind, &b.kind) {
        (K::Local(x), K::Local(y)) => {
            let pair = pairs.iter().rev().find(|(first, second)| first == x || second == y);
            return pair.map_or(x == y, |(first, second)| first == x && second == y);
        }
        (K::Filter { local: x, .. }, K::Filter { local: y, .. })
        | (K::Quantified { local: x, .. }, K::Quantified { local: y, .. }) => pairs.push((*x, *y)),
        _ => {}
    }
    let (mut first, mut second) = (vec![], vec![]);
    walk::children(a, &mut |part| first.push(part));
    walk::children(b, &mut |part| second.push(part));
    let same = first.len() == second.len() && first.iter().zip(second).all(|(x, y)| is_renamed(x, y, pairs));
    pairs.truncate(depth);
    same
}

/// Are two expressions the same, apart from their parts and their locals?
fn has_same_head(a: &CheckedExpr, b: &CheckedExpr) -> bool {
    use CheckedExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Constant(x), K::Constant(y)) => x == y,
        (K::Read(x), K::Read(y)) => x.slot == y.slot,
        (K::Table(x, _), K::Table(y, _)) | (K::Field(x, _), K::Field(y, _)) => x == y,
        (K::Arithmetic(x, ..), K::Arithmetic(y, ..)) => x == y,
        (K::Compare(x, ..), K::Compare(y, ..)) => x == y,
        (K::Quantified { op: x, .. }, K::Quantified { op: y, .. }) => x == y,
        (K::After { back: x, among: p, .. }, K::After { back: y, among: q, .. }) => {
            x == y && p.is_some() == q.is_some()
        }
        (K::Cell { board: x, .. }, K::Cell { board: y, .. })
        | (K::ColumnOf(x, _), K::ColumnOf(y, _))
        | (K::RowOf(x, _), K::RowOf(y, _))
        | (K::Column(x, _), K::Column(y, _))
        | (K::Row(x, _), K::Row(y, _))
        | (K::Columns(x, _), K::Columns(y, _))
        | (K::Rows(x, _), K::Rows(y, _))
        | (K::SidesOf(x, _), K::SidesOf(y, _))
        | (K::CellsAt(x, _), K::CellsAt(y, _))
        | (K::Crossing(x, _), K::Crossing(y, _))
        | (K::Custodial { board: x, .. }, K::Custodial { board: y, .. }) => x == y,
        (K::Neighbours { board: x, near: p, .. }, K::Neighbours { board: y, near: q, .. }) => {
            x == y && p == q
        }
        (K::Shift { board: x, direction: p, .. }, K::Shift { board: y, direction: q, .. })
        | (K::Ray { board: x, direction: p, .. }, K::Ray { board: y, direction: q, .. })
        | (K::Slide { board: x, direction: p, .. }, K::Slide { board: y, direction: q, .. }) => {
            x == y && p == q
        }
        (K::Lines { board: x, along: p, points: m, .. }, K::Lines { board: y, along: q, points: n, .. }) => {
            x == y && p == q && m == n
        }
        (K::Longest { board: x, along: p, .. }, K::Longest { board: y, along: q, .. })
        | (K::Runs { board: x, along: p, .. }, K::Runs { board: y, along: q, .. }) => x == y && p == q,
        (K::Reach { board: x, orthogonal: p, .. }, K::Reach { board: y, orthogonal: q, .. })
        | (K::Enclosed { board: x, orthogonal: p, .. }, K::Enclosed { board: y, orthogonal: q, .. })
        | (K::Fill { board: x, orthogonal: p, .. }, K::Fill { board: y, orthogonal: q, .. }) => {
            x == y && p == q
        }
        (
            K::ReachBy { board: x, sides: p, orthogonal: m, joined: i, .. },
            K::ReachBy { board: y, sides: q, orthogonal: n, joined: j, .. },
        ) => x == y && p == q && m == n && i == j,
        (K::Local(_), K::Local(_))
        | (K::Me, K::Me)
        | (K::As { .. }, K::As { .. })
        | (K::ValueOf(_), K::ValueOf(_))
        | (K::ElementOf(_), K::ElementOf(_))
        | (K::Negate(_), K::Negate(_))
        | (K::Same(..), K::Same(..))
        | (K::Not(_), K::Not(_))
        | (K::And(..), K::And(..))
        | (K::Or(..), K::Or(..))
        | (K::If(..), K::If(..))
        | (K::Contains { .. }, K::Contains { .. })
        | (K::Subset(..), K::Subset(..))
        | (K::IsSome(_), K::IsSome(_))
        | (K::Elements(_), K::Elements(_))
        | (K::Union(..), K::Union(..))
        | (K::Intersect(..), K::Intersect(..))
        | (K::Minus(..), K::Minus(..))
        | (K::Filter { .. }, K::Filter { .. })
        | (K::Count(_), K::Count(_))
        | (K::First(_), K::First(_))
        | (K::Last(_), K::Last(_)) => true,
        _ => false,
    }
}
