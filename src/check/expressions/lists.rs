//! Comparison of lists, `(a, b) > (c, d)`: the first values that differ decide. It becomes comparisons of the values.

use super::operators::SpannedValue;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// The values of a list.
    pub(super) fn list(&mut self, parts: &'a [syntax::Expr], span: Span) -> Val {
        let mut values = vec![];
        let mut whole = true;
        for part in parts {
            let value = self.expr(part, None);
            whole &= !matches!(value, Val::Poison);
            values.push((value, part.span));
        }
        if whole { Val::List(values, span) } else { Val::Poison }
    }

    /// Compares two lists, or reports that a value isn't one.
    pub(super) fn compare_lists(
        &mut self,
        op: ComparisonOperator,
        sides: [SpannedValue; 2],
        span: Span,
    ) -> Val {
        let (left, right) = match sides {
            [(Val::Poison, _), _] | [_, (Val::Poison, _)] => return Val::Poison,
            [(Val::List(left, _), _), (Val::List(right, _), _)] => (left, right),
            [(Val::List(..), _), (other, at)] | [(other, at), (Val::List(..), _)] => {
                let found = self.draft.describe(&other);
                let message = format!("a list is compared with another list, but this is {found}");
                let d = Diagnostic::error(Code::TypeMismatch, at, message)
                    .help("write as many values in parentheses on both sides: `(a, b) > (c, d)`");
                self.draft.messages.report(d);
                return Val::Poison;
            }
            _ => return Val::Poison,
        };
        if left.len() != right.len() {
            let message = format!("a list of {} and one of {} can't be compared", left.len(), right.len());
            let d = Diagnostic::error(Code::TypeMismatch, span, message)
                .help("write as many values on both sides: `(a, b) > (c, d)`");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        let pairs = left.into_iter().zip(right);
        match op {
            ComparisonOperator::Equal => self.all_same(pairs, span),
            _ => self.first_that_differ(op, pairs, span),
        }
    }

    fn all_same(&mut self, pairs: impl Iterator<Item = (SpannedValue, SpannedValue)>, span: Span) -> Val {
        let mut all = self.draft.truth_constant(true, span);
        let mut whole = true;
        for (x, y) in pairs {
            match self.same_values(x, y, span) {
                Val::Expr(same, _) => all = self.draft.and(all, same, span),
                _ => whole = false,
            }
        }
        if whole { Val::sure(all) } else { Val::Poison }
    }

    fn first_that_differ(
        &mut self,
        op: ComparisonOperator,
        pairs: impl DoubleEndedIterator<Item = (SpannedValue, SpannedValue)>,
        span: Span,
    ) -> Val {
        let strict = match op {
            ComparisonOperator::Less | ComparisonOperator::LessEqual => ComparisonOperator::Less,
            _ => ComparisonOperator::Greater,
        };
        let mut rest: Option<CheckedExpr> = None;
        let mut whole = true;
        for (x, y) in pairs.rev() {
            let (x, y) = (self.draft.counting(x), self.draft.counting(y));
            let Some(later) = rest.take() else {
                match self.ordered(op, x, y, span) {
                    Val::Expr(e, _) => rest = Some(e),
                    _ => {
                        whole = false;
                        rest = Some(self.draft.truth_constant(true, span));
                    }
                }
                continue;
            };
            let (again, other) = ((self.draft.copy_value(&x.0), x.1), (self.draft.copy_value(&y.0), y.1));
            let differ = self.ordered(strict, x, y, span);
            let (Val::Expr(differ, _), true) = (differ, whole) else {
                // An error has been reported. The values before are looked at, too.
                whole = false;
                rest = Some(later);
                continue;
            };
            let Val::Expr(same, _) = self.same_values(again, other, span) else { return Val::Poison };
            let tied = self.draft.and(same, later, span);
            let kind = CheckedExprKind::Or(Box::new(differ), Box::new(tied));
            rest = Some(self.draft.build(kind, Type::Bool, span));
        }
        rest.filter(|_| whole).map_or(Val::Poison, Val::sure)
    }
}

impl Draft {
    /// A value as a number, where a truth value counts 1 or 0. Keys of an order and terms of a sum are such numbers.
    pub(super) fn counting(&mut self, value: SpannedValue) -> SpannedValue {
        let (value, span) = value;
        match value {
            Val::Expr(truth, _) if truth.ty == Type::Bool => {
                let [one, zero] = [1, 0].map(|n| Box::new(self.number_constant(n, span)));
                let kind = CheckedExprKind::If(Box::new(truth), one, zero);
                (Val::sure(self.build(kind, Type::Number, span)), span)
            }
            other => (other, span),
        }
    }
}
