//! The subsets of a set in expressions: `any k subset of S where count(k) == 3: c`, and the sizes that a condition allows.

use std::ops::RangeInclusive;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::mentioned::each_name;
use crate::names::scopes::Binding;
use crate::values::{Val, constant_number};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, BinaryOp, ComparisonOperator as C, ExprKind as S, Name, Quantifier};
use houserule_language::vocabulary::Function;
use houserule_model::*;

/// A quantifier over the elements or the subsets of a set, as it is written.
#[derive(Clone, Copy)]
pub(super) struct QuantifierParts<'a> {
    pub(super) op: Quantifier,
    pub(super) name: &'a Name,
    pub(super) over: &'a syntax::Expr,
    pub(super) filter: Option<&'a syntax::Expr>,
    pub(super) body: &'a syntax::Expr,
    pub(super) span: Span,
}

impl<'a> Checker<'a> {
    /// Checks a quantifier over the subsets of a set. For each size it becomes quantifiers over elements, each of which
    /// comes after the one before, so that each subset is met once.
    pub(super) fn over_subsets(&mut self, parts: QuantifierParts<'a>) -> Val {
        let QuantifierParts { op, name, over, filter, body, span } = parts;
        let uses: Vec<&syntax::Expr> = filter.into_iter().chain([body]).collect();
        let at = over.span;
        let Some((over, domain)) = self.over(over, None) else {
            self.check_unbound(name, &uses);
            return Val::Poison;
        };
        if op == Quantifier::Min || op.compares() {
            let message = format!("`{}` doesn't go over subsets", op.word());
            let d = Diagnostic::error(Code::Misplaced, span, message)
                .help("`any`, `all`, `count`, `sum`, `max` and `union` do");
            self.draft.messages.report(d);
            self.check_unbound(name, &uses);
            return Val::Poison;
        }
        let bounding = filter.or_else(|| matches!(op, Quantifier::Any | Quantifier::Count).then_some(body));
        let all = self.draft.size(domain);
        let sizes = bounding.and_then(|e| self.sizes_by(e, &name.text, limits::TAKEN));
        let Some(sizes) = sizes.or_else(|| (all <= limits::TAKEN).then_some(0..=all)) else {
            if !self.draft.is_dead() {
                let message = format!("how many elements `{}` has isn't bounded", name.text);
                let d = Diagnostic::error(Code::LimitSubset, at, message)
                    .note(format!("subsets of up to {} elements can be looked at", limits::TAKEN))
                    .help(format!("bound their number: `where count({}) == 3`", name.text));
                self.draft.messages.report(d);
            }
            self.check_unbound(name, &uses);
            return Val::Poison;
        };
        let each: Option<Vec<CheckedExpr>> = sizes
            .filter(|size| *size <= all)
            .map(|size| self.over_subsets_of_size(&parts, &over, domain, size))
            .collect();
        let Some(each) = each else { return Val::Poison };
        let value = match op {
            Quantifier::Any | Quantifier::All => {
                let any = op == Quantifier::Any;
                let join = &mut |c: &mut Draft, a: CheckedExpr, b: CheckedExpr| {
                    let (a, b) = (Box::new(a), Box::new(b));
                    let kind = if any { CheckedExprKind::Or(a, b) } else { CheckedExprKind::And(a, b) };
                    c.build(kind, Type::Bool, span)
                };
                match self.draft.balanced(each, join) {
                    Some(value) => value,
                    None => self.draft.truth_constant(!any, span),
                }
            }
            Quantifier::Union => {
                let ty = each.first().map(|e| e.ty);
                let Some(Type::Set(of)) = ty else { return Val::Poison };
                self.draft.union_of(each, of, span)
            }
            Quantifier::Max => {
                let join = &mut |c: &mut Draft, a, b| c.arithmetic(Arithmetic::Max, a, b, span);
                match self.draft.balanced(each, join) {
                    Some(value) => value,
                    None => self.draft.number_constant(0, span),
                }
            }
            _ => self.draft.sum_of(each, span),
        };
        Val::sure(value)
    }

    /// The value for all subsets with a number of elements.
    fn over_subsets_of_size(
        &mut self,
        parts: &QuantifierParts<'a>,
        over: &CheckedExpr,
        domain: DomainId,
        size: u32,
    ) -> Option<CheckedExpr> {
        let (op, span) = (parts.op, parts.span);
        self.scoped(vec![], |c| {
            let (locals, elements) = c.draft.ascending(over, size, &parts.name.text, parts.name.span);
            let subset =
                c.draft.build(CheckedExprKind::Elements(elements), Type::Set(domain), parts.name.span);
            c.bind(parts.name, Binding::Argument(Val::sure(subset)));
            let condition = c.check_filter(parts.filter)?;
            let value = c.expr(parts.body, None);
            let body = parts.body.span;
            let (value, otherwise) = match op {
                Quantifier::Any | Quantifier::All => {
                    (c.draft.truth(value, body)?, c.draft.truth_constant(op == Quantifier::All, span))
                }
                Quantifier::Count => {
                    let truth = Box::new(c.draft.truth(value, body)?);
                    let [one, none] = [1, 0].map(|n| c.draft.number_constant(n, span));
                    let kind = CheckedExprKind::If(truth, Box::new(one), Box::new(none.clone()));
                    (c.draft.build(kind, Type::Number, span), none)
                }
                Quantifier::Union => {
                    let set = c.set(value, None, body)?;
                    let Type::Set(of) = set.ty else { return None };
                    (set, c.draft.empty_set(of, span))
                }
                _ => {
                    let number = c.number(value, body)?;
                    if op == Quantifier::Max && c.draft.bounds(&number).is_none_or(|(low, _)| low < 0) {
                        let d = Diagnostic::error(Code::Misplaced, body, "this may be negative")
                            .note("`max` over subsets is 0 if there are none, so it goes over numbers from 0")
                            .help("add a number that makes it positive, and subtract it behind");
                        c.draft.messages.report(d);
                        return None;
                    }
                    (number, c.draft.number_constant(0, span))
                }
            };
            let ty = value.ty;
            let mut value = match condition {
                Some(condition) => {
                    let kind = CheckedExprKind::If(Box::new(condition), Box::new(value), Box::new(otherwise));
                    c.draft.build(kind, ty, span)
                }
                None => value,
            };
            let op = if op == Quantifier::Count { Quantifier::Sum } else { op };
            for (local, over) in locals.into_iter().rev() {
                value = c.draft.quantified(op, local, over, value, ty, span);
            }
            Some(value)
        })
    }

    /// The sizes of a subset that a condition allows by `count(k) == n`, `count(k) in 2..3` and the like. If constants don't bound
    /// them, the ranges of other numbers do: `count(k) == 3 - count(hand)` is 3 at most.
    pub(crate) fn sizes_by(
        &mut self,
        filter: &'a syntax::Expr,
        name: &str,
        limit: u32,
    ) -> Option<RangeInclusive<u32>> {
        let (mut by_constants, mut by_ranges) = (SizeBounds::default(), SizeBounds::default());
        let mut all = vec![filter];
        while let Some(e) = all.pop() {
            let S::Binary(op, a, b) = &e.kind else { continue };
            if *op == BinaryOp::And {
                all.extend([&**a, &**b]);
                continue;
            }
            let counts = |e: &syntax::Expr| match &e.kind {
                S::Call(function, args) => {
                    Function::named(&function.text) == Some(Function::Count)
                        && matches!(&args[..], [only] if matches!(&only.value.kind, S::Name(n) if n.text == name))
                }
                _ => false,
            };
            let (op, bound) = match (counts(a), counts(b)) {
                (true, false) => (*op, &**b),
                (false, true) => (mirrored(*op), &**a),
                _ => continue,
            };
            let mut of_subset = false;
            each_name(bound, &mut |mentioned| of_subset |= mentioned == name);
            if of_subset {
                continue;
            }
            let (from, to): (Vec<_>, Vec<_>) = match (op, &bound.kind) {
                (BinaryOp::Compare(C::Equal), _) => (vec![bound], vec![bound]),
                (BinaryOp::Compare(C::Less | C::LessEqual), _) => (vec![], vec![bound]),
                (BinaryOp::Compare(C::Greater | C::GreaterEqual), _) => (vec![bound], vec![]),
                (BinaryOp::In, S::Range(from, to)) => (vec![&**from], vec![&**to]),
                (BinaryOp::In, S::Set(sizes)) => (sizes.iter().collect(), sizes.iter().collect()),
                _ => continue,
            };
            let beyond = i64::from(matches!(op, BinaryOp::Compare(C::Less | C::Greater)));
            if let Some(((low, _), is_constant)) = self.hull_of(&from) {
                by_ranges.raise(low.saturating_add(beyond));
                if is_constant {
                    by_constants.raise(low.saturating_add(beyond));
                }
            }
            if let Some(((_, high), is_constant)) = self.hull_of(&to) {
                by_ranges.lower(high.saturating_sub(beyond));
                if is_constant {
                    by_constants.lower(high.saturating_sub(beyond));
                }
            }
        }
        // The numbers of actions are those of the constants where these bound the sizes.
        by_constants.within(limit).or_else(|| by_ranges.within(limit))
    }

    /// The least and the greatest that some numbers can be, and whether all are constants. `None` if one of them can be
    /// anything, or there are none.
    fn hull_of(&mut self, numbers: &[&'a syntax::Expr]) -> Option<((i64, i64), bool)> {
        let mut hull: Option<((i64, i64), bool)> = None;
        for e in numbers {
            let number = self.number_of(e)?;
            let constant = constant_number(&number).map(|n| (n, n));
            let (low, high) = constant.or_else(|| self.draft.sure_bounds(&number))?;
            let ((least, most), all) = hull.unwrap_or(((low, high), true));
            hull = Some(((least.min(low), most.max(high)), all && constant.is_some()));
        }
        hull
    }
}

/// The sizes of a subset that some conditions allow.
#[derive(Clone, Copy, Debug, Default)]
struct SizeBounds {
    least: i64,
    most: Option<i64>,
}

impl SizeBounds {
    fn raise(&mut self, least: i64) {
        self.least = self.least.max(least);
    }

    fn lower(&mut self, most: i64) {
        self.most = Some(self.most.map_or(most, |before| before.min(most)));
    }

    /// Returns the sizes, if they are bounded by a limit. A set that would have less than no elements has none.
    fn within(self, limit: u32) -> Option<RangeInclusive<u32>> {
        let most = u32::try_from(self.most?.max(0)).ok().filter(|most| *most <= limit)?;
        Some(u32::try_from(self.least).unwrap_or(u32::MAX)..=most)
    }
}

impl Draft {
    /// Locals for some elements of a set, each after the one before in the order of its domain, with the set that each
    /// goes over; and the locals as expressions.
    pub(super) fn ascending(
        &mut self,
        over: &CheckedExpr,
        size: u32,
        name: &str,
        span: Span,
    ) -> (Vec<(LocalId, CheckedExpr)>, Vec<CheckedExpr>) {
        let Type::Set(domain) = over.ty else { return (vec![], vec![]) };
        let ty = Type::Element(domain);
        let (mut locals, mut elements) = (vec![], vec![]);
        for _ in 0..size {
            let over = self.later_elements(over, elements.last(), span);
            let local = self.new_local(name, ty, span);
            locals.push((local, over));
            elements.push(self.build(CheckedExprKind::Local(local), ty, span));
        }
        (locals, elements)
    }

    /// The elements of a set that come after one of its elements.
    pub(crate) fn later_elements(
        &mut self,
        over: &CheckedExpr,
        after: Option<&CheckedExpr>,
        span: Span,
    ) -> CheckedExpr {
        let (Some(after), Type::Set(domain)) = (after, over.ty) else { return self.copy(over) };
        let ty = Type::Element(domain);
        let local = self.new_local("candidate", ty, span);
        let this = self.build(CheckedExprKind::Local(local), ty, span);
        let [after, this] = [after.clone(), this].map(|e| self.order_of(e, span));
        let condition = Box::new(self.compare(ComparisonOperator::Less, after, this, span));
        let over = Box::new(self.copy(over));
        self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(domain), span)
    }

    /// The place of an element in its domain.
    pub(crate) fn order_of(&mut self, element: CheckedExpr, span: Span) -> CheckedExpr {
        let Type::Element(domain) = element.ty else { return element };
        let places = (0..i64::from(self.size(domain))).collect();
        let order = self.known_table("order", vec![domain], places);
        self.build(CheckedExprKind::Table(order, vec![element]), Type::Number, span)
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Compare(op) => BinaryOp::Compare(op.swapped()),
        other => other,
    }
}
