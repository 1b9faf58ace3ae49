//! Static analysis of expressions: bounds of numbers, and proof that evaluation can't fail.

use super::lower::Lowering;
use houserule_language::syntax::Quantifier;
use houserule_model::{
    Arithmetic, BoardId, CheckedExpr, CheckedExprKind, Content, PointsTable, Type, Value, walk,
};

/// Maximum points of one run for which the points of all runs of a board can't overflow.
const MODEST: u64 = 1 << 31;

impl Lowering<'_> {
    /// Returns `true` if an expression can't fail, even if it is evaluated where the rules would not.
    pub(super) fn never_fails(&self, e: &CheckedExpr) -> bool {
        use CheckedExprKind as K;
        let sound = match &e.kind {
            K::Read(target) => target.index.iter().all(|i| self.is_sure(i)),
            K::Table(_, index) => index.iter().all(|i| self.is_sure(i)),
            K::As { player, .. } | K::After { player, .. } => self.is_sure(player),
            K::ValueOf(a) | K::ColumnOf(_, a) | K::RowOf(_, a) => self.is_sure(a),
            K::Field(..) => true,
            K::ElementOf(a) => self.bounds(a).is_some(),
            K::Arithmetic(..) | K::Negate(_) => self.bounds(e).is_some(),
            K::Quantified { op: Quantifier::Sum, .. } => self.bounds(e).is_some(),
            K::Lines { board, points, .. } => self.are_modest(*board, points),
            // These expressions need more than the words of the frame, or run statements.
            K::Repeated { .. } | K::Call { .. } | K::Tried { .. } | K::Chain(_) | K::RestOfChain => false,
            K::Constant(_) | K::Local(_) | K::Me | K::Compare(..) | K::Same(..) | K::Not(_) => true,
            K::And(..) | K::Or(..) | K::If(..) | K::Contains { .. } | K::Subset(..) | K::IsSome(_) => true,
            K::Elements(_) | K::Union(..) | K::Intersect(..) | K::Minus(..) | K::Filter { .. } => true,
            K::Quantified { .. } | K::Count(_) | K::First(_) | K::Last(_) | K::Cell { .. } => true,
            K::Column(..) | K::Row(..) | K::Columns(..) | K::Rows(..) | K::SidesOf(..) => true,
            K::CellsAt(..) | K::Crossing(..) | K::Neighbours { .. } | K::Shift { .. } | K::Ray { .. } => true,
            K::Longest { .. } | K::Runs { .. } | K::Reach { .. } | K::Custodial { .. } => true,
            K::Enclosed { .. } | K::Fill { .. } | K::Slide { .. } | K::ReachBy { .. } => true,
        };
        let mut all = sound;
        walk::children(e, &mut |child| all = all && self.never_fails(child));
        all
    }

    /// Returns `true` if the points of all runs on a board can't overflow, whatever is on it.
    pub(super) fn are_modest(&self, board: BoardId, points: &PointsTable) -> bool {
        let longest = self.topology(board).lines().iter().map(|l| l.sites.len()).max().unwrap_or(0);
        (0..=longest as i64).all(|length| points.get(length).unsigned_abs() <= MODEST)
    }

    /// Returns `true` if a number always names an element of the range domain `ty`.
    pub(super) fn fits(&self, e: &CheckedExpr, ty: Type) -> bool {
        let Type::Element(d) = ty else { return false };
        let domain = &self.model.domains[d.index()];
        let low = self.low(ty);
        self.bounds(e).is_some_and(|(l, h)| l >= low && h <= low + (i64::from(domain.size) - 1))
    }

    /// Returns the minimum and maximum of a number, as far as the declarations show. An expression with bounds
    /// does not overflow; it fails only if a subexpression fails for another reason.
    pub(super) fn bounds(&self, e: &CheckedExpr) -> Option<(i64, i64)> {
        let size = |set: &CheckedExpr| match set.ty {
            Type::Set(d) => Some(i64::from(self.model.domains[d.index()].size)),
            _ => None,
        };
        Some(match &e.kind {
            CheckedExprKind::Constant(Value::Number(n)) => (*n, *n),
            CheckedExprKind::Read(target) => match self.model.slots[target.slot.index()].content {
                Content::Number { low, high } => (low, high),
                _ => return None,
            },
            CheckedExprKind::Table(table, _) if e.ty == Type::Number => {
                let values = &self.model.tables[table.index()].values;
                (*values.iter().min()?, *values.iter().max()?)
            }
            CheckedExprKind::ValueOf(a) => {
                let Type::Element(d) = a.ty else { return None };
                let low = self.low(a.ty);
                (low, low + i64::from(self.model.domains[d.index()].size) - 1)
            }
            CheckedExprKind::Count(a) => (0, size(a)?),
            CheckedExprKind::ColumnOf(board, _) => (1, self.topology(*board).width().into()),
            CheckedExprKind::RowOf(board, _) => (1, self.topology(*board).height().into()),
            CheckedExprKind::Longest { of, .. } => (0, size(of)?),
            CheckedExprKind::Quantified { op: Quantifier::Count, over, .. } => (0, size(over)?),
            // The minimum and maximum over an empty set are 0.
            CheckedExprKind::Quantified { op: Quantifier::Min | Quantifier::Max, body, .. } => {
                let (low, high) = self.bounds(body)?;
                (low.min(0), high.max(0))
            }
            CheckedExprKind::Quantified { op: Quantifier::Sum, over, body, .. } => {
                let ((low, high), most) = (self.bounds(body)?, size(over)?);
                (low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?)
            }
            CheckedExprKind::If(_, a, b) => {
                let ((al, ah), (bl, bh)) = (self.bounds(a)?, self.bounds(b)?);
                (al.min(bl), ah.max(bh))
            }
            CheckedExprKind::Negate(a) => {
                let (low, high) = self.bounds(a)?;
                (high.checked_neg()?, low.checked_neg()?)
            }
            CheckedExprKind::Arithmetic(op, a, b) => {
                let ((al, ah), (bl, bh)) = (self.bounds(a)?, self.bounds(b)?);
                match op {
                    Arithmetic::Add => (al.checked_add(bl)?, ah.checked_add(bh)?),
                    Arithmetic::Subtract => (al.checked_sub(bh)?, ah.checked_sub(bl)?),
                    Arithmetic::Multiply => {
                        let corner = |a: i64, b: i64| a.checked_mul(b);
                        let all = [corner(al, bl)?, corner(al, bh)?, corner(ah, bl)?, corner(ah, bh)?];
                        (*all.iter().min()?, *all.iter().max()?)
                    }
                    Arithmetic::Min => (al.min(bl), ah.min(bh)),
                    Arithmetic::Max => (al.max(bl), ah.max(bh)),
                    Arithmetic::Divide if bl == bh && bl > 0 => (al.div_euclid(bl), ah.div_euclid(bl)),
                    Arithmetic::Modulo if bl == bh && bl > 0 => (0, bl - 1),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
