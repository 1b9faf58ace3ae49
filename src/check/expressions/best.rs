//! `best x in S by e` and `all best x in S by e`, also by several keys: the first decides, and of equals the next.

use super::expr::SetMember;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::{Val, constant_set};
use houserule_language::diagnostic::Span;
use houserule_language::syntax::{self, Quantifier};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks the keys of `best` or `all best`.
    pub(super) fn best(
        &mut self,
        op: Quantifier,
        member: SetMember<'a, '_>,
        over: CheckedExpr,
        keys: &[&'a syntax::Expr],
        span: Span,
    ) -> Option<Val> {
        let sure = op == Quantifier::AllBest || constant_set(&over).is_some_and(|set| !set.is_empty());
        let e = self.best_of(op, member, over, keys, 0, span)?;
        Some(if sure { Val::sure(e) } else { Val::maybe(e) })
    }

    /// The best element or elements. Several keys become one number if their ranges are known; otherwise the elements
    /// with the greatest first key are compared by the others.
    fn best_of(
        &mut self,
        op: Quantifier,
        member: SetMember<'a, '_>,
        over: CheckedExpr,
        keys: &[&'a syntax::Expr],
        used: usize,
        span: Span,
    ) -> Option<CheckedExpr> {
        let (local, mut all) = self.key_values(member, &over, keys)?;
        all.drain(..used);
        if let Some(body) = self.draft.one_number(all, span) {
            let ty = match op {
                Quantifier::AllBest => Type::Set(member.domain),
                _ => Type::Element(member.domain),
            };
            return Some(self.draft.quantified(op, local, over, body, ty, span));
        }
        let (local, all) = self.key_values(member, &over, keys)?;
        let key = all.into_iter().nth(used)?;
        let equals =
            self.draft.quantified(Quantifier::AllBest, local, over, key, Type::Set(member.domain), span);
        self.best_of(op, member, equals, keys, used + 1, span)
    }

    /// The keys of an element, which a new local stands for.
    fn key_values(
        &mut self,
        member: SetMember<'a, '_>,
        over: &CheckedExpr,
        keys: &[&'a syntax::Expr],
    ) -> Option<(LocalId, Vec<CheckedExpr>)> {
        self.scoped(vec![], |c| {
            let local = c.bind_filtered(member, over);
            let mut all = vec![];
            let mut whole = true;
            for key in keys {
                match c.key(key) {
                    Some(found) => all.extend(found),
                    None => whole = false,
                }
            }
            whole.then_some((local, all))
        })
    }

    /// A key: a number, or a truth value, which is 1 or 0. A define may stand for a list of them.
    pub(crate) fn key(&mut self, e: &'a syntax::Expr) -> Option<Vec<CheckedExpr>> {
        let values = match self.expr(e, None) {
            Val::List(values, _) => values,
            value => vec![(value, e.span)],
        };
        let keys: Vec<Option<CheckedExpr>> = values
            .into_iter()
            .map(|value| {
                let (key, at) = self.draft.counting(value);
                self.number(key, at)
            })
            .collect();
        keys.into_iter().collect()
    }
}

impl Draft {
    /// A number that is greater where the keys are, the first before the others. `None` if it may be too large.
    fn one_number(&mut self, keys: Vec<CheckedExpr>, span: Span) -> Option<CheckedExpr> {
        let ranges: Vec<Option<(i64, i64)>> = match keys.len() {
            1 => vec![],
            _ => keys.iter().map(|key| self.sure_bounds(key)).collect(),
        };
        let mut size = 1i64;
        for range in &ranges {
            let (low, high) = (*range)?;
            size = size.checked_mul(high.checked_sub(low)?.checked_add(1)?)?;
        }
        let mut ranges = ranges.into_iter().flatten();
        let mut keys = keys.into_iter();
        let mut sum = keys.next()?;
        let below = ranges.next().map_or(0, |(low, _)| low);
        sum = self.subtract_constant(sum, below, span);
        for (key, (low, high)) in keys.zip(ranges) {
            let width = self.number_constant(high - low + 1, span);
            let key = self.subtract_constant(key, low, span);
            sum = self.arithmetic(Arithmetic::Multiply, sum, width, span);
            sum = self.arithmetic(Arithmetic::Add, sum, key, span);
        }
        Some(sum)
    }

    /// A number minus a constant.
    fn subtract_constant(&mut self, e: CheckedExpr, low: i64, span: Span) -> CheckedExpr {
        if low == 0 {
            return e;
        }
        let low = self.number_constant(low, span);
        self.arithmetic(Arithmetic::Subtract, e, low, span)
    }
}
