//! Ranges as sets: `1..6`, and those with an end that changes during a game.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::{Val, constant_number};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, Quantifier};
use houserule_model::{walk, *};

impl<'a> Checker<'a> {
    /// Checks `a..b`. If an end changes during a game, the domain of the set is the range of all numbers that the set can
    /// ever hold.
    pub(super) fn range(&mut self, low: &'a syntax::Expr, high: &'a syntax::Expr, span: Span) -> Val {
        let (from, to) = (self.number_of(low), self.end_of_range(high));
        let (Some(from), Some(to)) = (from, to) else { return Val::Poison };
        let ends = [(&from, low), (&to, high)].map(|(e, at)| self.draft.bounds(e).ok_or(at.span));
        let (least, most) = match ends {
            [Ok((least, _)), Ok((_, most))] => (least, most),
            [Err(at), _] | [_, Err(at)] => {
                let d = Diagnostic::error(Code::NotConstant, at, "how far this range goes isn't known")
                    .label("this number can be anything")
                    .help("give the variable a range, `0..99`, or name the numbers: `{ n in 1..9 where n <= x }`");
                self.draft.messages.report(d);
                return Val::Poison;
            }
        };
        let known = [&from, &to].map(|e| constant_number(e).is_some());
        if least > most && (known != [true; 2] || least.checked_sub(1) == Some(most)) {
            // `2..count(players)` with one player is an empty range.
            return match self.draft.range_domain(least, least, span) {
                Some(domain) => Val::sure(self.draft.empty_set(domain, span)),
                None => Val::Poison,
            };
        }
        let Some(domain) = self.draft.range_domain(least, most, span) else { return Val::Poison };
        let all = self.draft.full_set(domain, span);
        if known == [true; 2] {
            return Val::sure(all);
        }
        let local = self.draft.new_local("n", Type::Element(domain), span);
        let number = |c: &mut Self| {
            let element = c.draft.build(CheckedExprKind::Local(local), Type::Element(domain), span);
            c.draft.build(CheckedExprKind::ValueOf(Box::new(element)), Type::Number, span)
        };
        let mut condition = None;
        for (end, known, op) in [
            (from, known[0], ComparisonOperator::GreaterEqual),
            (to, known[1], ComparisonOperator::LessEqual),
        ] {
            if !known {
                let n = number(self);
                let holds = self.draft.compare(op, n, end, span);
                condition = Some(match condition {
                    Some(before) => self.draft.and(before, holds, span),
                    None => holds,
                });
            }
        }
        let condition = Box::new(condition.unwrap_or_else(|| self.draft.truth_constant(true, span)));
        let kind = CheckedExprKind::Filter { local, over: Box::new(all), condition };
        Val::sure(self.draft.build(kind, Type::Set(domain), span))
    }

    /// Checks the last number of a range. `1..9 - S` is a range to `9 - S`, which is no number.
    fn end_of_range(&mut self, e: &'a syntax::Expr) -> Option<CheckedExpr> {
        let value = self.expr(e, None);
        if let (Some(Type::Set(_)), syntax::ExprKind::Binary(op, ..)) = (value.ty(), &e.kind) {
            let found = self.draft.describe(&value);
            let sign = match op {
                syntax::BinaryOp::Union => "|",
                syntax::BinaryOp::Intersect => "&",
                _ => "-",
            };
            let d = Diagnostic::error(
                Code::TypeMismatch,
                e.span,
                format!("a range ends with a number, and this is {found}"),
            )
            .help(format!(
                "`{sign}` binds tighter than `..`: put the range in parentheses, `(1..9) {sign} S`"
            ));
            self.draft.messages.report(d);
            return None;
        }
        self.number(value, e.span)
    }
}

impl Draft {
    /// Like [`Self::bounds`], but dice may show 0, as they do before they are rolled.
    pub(super) fn sure_bounds(&self, e: &CheckedExpr) -> Option<(i64, i64)> {
        let mut e = e.clone();
        self.widen_unrolled_dice(&mut e);
        self.bounds(&e)
    }

    /// The least and the greatest number that an expression can be, as far as its form shows them.
    pub(crate) fn bounds(&self, e: &CheckedExpr) -> Option<(i64, i64)> {
        use CheckedExprKind as E;
        let both = |a: &CheckedExpr, b: &CheckedExpr| Some((self.bounds(a)?, self.bounds(b)?));
        let hull = |all: &[i64]| Some((*all.iter().min()?, *all.iter().max()?));
        match &e.kind {
            E::Arithmetic(op, a, b) => {
                let ((low_a, high_a), (low_b, high_b)) = both(a, b)?;
                match op {
                    Arithmetic::Add => Some((low_a.checked_add(low_b)?, high_a.checked_add(high_b)?)),
                    Arithmetic::Subtract => Some((low_a.checked_sub(high_b)?, high_a.checked_sub(low_b)?)),
                    Arithmetic::Multiply => hull(&[
                        low_a.checked_mul(low_b)?,
                        low_a.checked_mul(high_b)?,
                        high_a.checked_mul(low_b)?,
                        high_a.checked_mul(high_b)?,
                    ]),
                    Arithmetic::Divide if low_b > 0 => hull(&[
                        low_a.div_euclid(low_b),
                        low_a.div_euclid(high_b),
                        high_a.div_euclid(low_b),
                        high_a.div_euclid(high_b),
                    ]),
                    Arithmetic::Modulo if low_b > 0 => Some((0, high_b - 1)),
                    Arithmetic::Divide | Arithmetic::Modulo => None,
                    Arithmetic::Min => Some((low_a.min(low_b), high_a.min(high_b))),
                    Arithmetic::Max => Some((low_a.max(low_b), high_a.max(high_b))),
                }
            }
            E::Negate(a) => {
                self.bounds(a).and_then(|(low, high)| Some((high.checked_neg()?, low.checked_neg()?)))
            }
            E::Count(of) => match of.ty {
                Type::Set(domain) => Some((0, self.size(domain).into())),
                _ => None,
            },
            E::If(_, a, b) => {
                let ((low_a, high_a), (low_b, high_b)) = both(a, b)?;
                Some((low_a.min(low_b), high_a.max(high_b)))
            }
            // The greatest and the least of no elements are 0, and so is their sum.
            E::Quantified { op: Quantifier::Max | Quantifier::Min, body, .. } => {
                let (low, high) = self.bounds(body)?;
                Some((low.min(0), high.max(0)))
            }
            E::Quantified { op: Quantifier::Sum, over, body, .. } => {
                let ((low, high), Type::Set(domain)) = (self.bounds(body)?, over.ty) else { return None };
                let most = i64::from(self.size(domain));
                Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
            }
            E::Local(local) => {
                let declared = self.model.locals[local.index()].range;
                declared.or_else(|| self.bounded.get(local).copied())
            }
            _ => self.known_limits(e),
        }
    }

    /// Adds 0 to what each die in an expression can show.
    fn widen_unrolled_dice(&self, e: &mut CheckedExpr) {
        walk::children_mut(&mut e.kind, &mut |part| self.widen_unrolled_dice(part));
        let CheckedExprKind::Read(target) = &e.kind else { return };
        if matches!(self.model.slots[target.slot.index()].role, Role::Dice { .. }) {
            let made = |kind, ty| Box::new(CheckedExpr { kind, ty, span: e.span });
            let rolled = made(CheckedExprKind::Constant(Value::Bool(true)), Type::Bool);
            let zero = made(CheckedExprKind::Constant(Value::Number(0)), Type::Number);
            e.kind = CheckedExprKind::If(rolled, made(e.kind.clone(), e.ty), zero);
        }
    }
}
