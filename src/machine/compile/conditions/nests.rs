//! Quantifiers one in the other, which end in a condition: the parts of the condition that name none of the elements are
//! tested before the loops, and a condition on each element of a subset before it is enumerated.
//!
//! Subsets of a set are such a nest: `all k subset of S where count(k) == n and all c in k: P(c): …` goes over elements of S,
//! each after the one before. Nothing is moved that can fail, or past what can fail.

use super::lift::{and, conjuncts, mentions};
use crate::compile::lower::Lowering;
use houserule_language::syntax::{ComparisonOperator, Quantifier};
use houserule_model::{CheckedExpr, CheckedExprKind as E, LocalId, Value, walk};

/// A nest of quantifiers of one kind.
struct QuantifierNest<'e> {
    op: Quantifier,
    /// Each with its set.
    locals: Vec<(LocalId, &'e CheckedExpr)>,
    condition: &'e CheckedExpr,
    /// What counts for elements for which the condition holds, and for others. Without them, the condition itself counts.
    values: Option<[&'e CheckedExpr; 2]>,
}

impl<'e> QuantifierNest<'e> {
    fn find(e: &'e CheckedExpr) -> Option<QuantifierNest<'e>> {
        let E::Quantified { op, .. } = &e.kind else { return None };
        let (op, mut locals, mut body) = (*op, vec![], e);
        while let E::Quantified { op: inner, local, over, body: next } = &body.kind
            && *inner == op
        {
            locals.push((*local, &**over));
            body = next;
        }
        if let E::If(condition, value, otherwise) = &body.kind {
            let counts_for_nothing = match (&otherwise.kind, op) {
                (E::Constant(Value::Bool(value)), Quantifier::Any | Quantifier::All) => {
                    *value == (op == Quantifier::All)
                }
                (E::Constant(Value::Number(0)), Quantifier::Sum) => true,
                _ => false,
            };
            if counts_for_nothing {
                return Some(QuantifierNest { op, locals, condition, values: Some([value, otherwise]) });
            }
        }
        (op == Quantifier::Any).then_some(QuantifierNest { op, locals, condition: body, values: None })
    }

    fn names(&self, e: &CheckedExpr) -> bool {
        self.locals.iter().any(|(local, _)| mentions(e, *local))
    }

    /// Returns `true` if an expression is the set of all elements of the nest.
    fn is_subset(&self, e: &CheckedExpr) -> bool {
        let E::Elements(list) = &e.kind else { return false };
        list.len() == self.locals.len()
            && list
                .iter()
                .zip(&self.locals)
                .all(|(e, (local, _))| matches!(e.kind, E::Local(it) if it == *local))
    }

    /// Returns the nest with another condition, and with each set without the elements that `narrow` leaves out.
    fn rebuilt(
        &self,
        e: &CheckedExpr,
        condition: Option<CheckedExpr>,
        narrow: &dyn Fn(&CheckedExpr) -> CheckedExpr,
    ) -> CheckedExpr {
        let mut body = match (condition, self.values) {
            (None, Some([value, _])) => value.clone(),
            (None, None) => CheckedExpr { kind: E::Constant(Value::Bool(true)), ..self.condition.clone() },
            (Some(condition), None) => condition,
            (Some(condition), Some(values)) => {
                let [value, otherwise] = values.map(|e| Box::new(e.clone()));
                CheckedExpr { kind: E::If(Box::new(condition), value, otherwise), ..values[0].clone() }
            }
        };
        for (local, over) in self.locals.iter().rev() {
            let over = Box::new(narrow(over));
            let kind = E::Quantified { op: self.op, local: *local, over, body: Box::new(body) };
            body = CheckedExpr { kind, ..e.clone() };
        }
        body
    }
}

impl Lowering<'_> {
    /// Splits a nest of quantifiers that ends in a condition: returns the conditions that name no element, which can be
    /// tested first, and the rest. Returns `None` if there is nothing to split off.
    pub(in crate::compile) fn before_nest(&self, e: &CheckedExpr) -> Option<(Vec<CheckedExpr>, CheckedExpr)> {
        let nest = QuantifierNest::find(e).filter(|_| self.options.nests)?;
        if !nest.locals.iter().all(|(_, over)| self.never_fails(over)) {
            return None;
        }
        let is_ascending = nest.locals.windows(2).all(|pair| self.comes_after(pair[1].1, pair[0].0));
        let (mut first, mut rest, mut narrowed) = (vec![], None, vec![]);
        let mut is_total = true;
        for part in conjuncts(nest.condition) {
            let part = if is_ascending { counted(part, &nest) } else { part.clone() };
            is_total = is_total && self.never_fails(&part);
            match &part.kind {
                _ if is_total && !nest.names(&part) => first.push(part),
                E::Quantified { op: Quantifier::All, local, over, body }
                    if is_total && is_ascending && nest.is_subset(over) && !nest.names(body) =>
                {
                    narrowed.push((*local, (**body).clone()));
                }
                _ => rest = Some(rest.map_or_else(|| part.clone(), |rest| and(rest, part.clone()))),
            }
        }
        if first.is_empty() && narrowed.is_empty() {
            return None;
        }
        let narrow = |over: &CheckedExpr| {
            narrowed
                .iter()
                .fold(over.clone(), |over, (local, condition)| narrowed_inside(over, *local, condition))
        };
        Some((first, nest.rebuilt(e, rest, &narrow)))
    }

    /// Returns `true` if a set has only elements that come after an element in the order of their domain.
    fn comes_after(&self, over: &CheckedExpr, earlier: LocalId) -> bool {
        let E::Filter { local, condition, .. } = &over.kind else { return false };
        let E::Compare(ComparisonOperator::Less, a, b) = &condition.kind else { return false };
        let (E::Table(order, of_a), E::Table(other, of_b)) = (&a.kind, &b.kind) else { return false };
        let is = |index: &[CheckedExpr], local: LocalId| matches!(index, [only] if matches!(only.kind, E::Local(it) if it == local));
        let rises = |values: &[i64]| values.windows(2).all(|pair| pair[0] < pair[1]);
        order == other
            && is(of_a, earlier)
            && is(of_b, *local)
            && rises(&self.model.tables[order.index()].values)
    }
}

/// Replaces the number of elements of the subset that a nest enumerates by its value.
fn counted(e: &CheckedExpr, nest: &QuantifierNest<'_>) -> CheckedExpr {
    let mut e = e.clone();
    count_in(&mut e, nest);
    e
}

fn count_in(e: &mut CheckedExpr, nest: &QuantifierNest<'_>) {
    if let E::Count(set) = &e.kind
        && nest.is_subset(set)
    {
        e.kind = E::Constant(Value::Number(nest.locals.len() as i64));
        return;
    }
    walk::children_mut(&mut e.kind, &mut |part| count_in(part, nest));
}

/// Leaves out the elements of a set for which a condition doesn't hold. Of the elements that come after another, the whole set is
/// narrowed, so that it is the same at each level.
fn narrowed_inside(mut over: CheckedExpr, local: LocalId, condition: &CheckedExpr) -> CheckedExpr {
    if let E::Filter { over: whole, condition: order, .. } = &mut over.kind
        && matches!(order.kind, E::Compare(..))
    {
        let inner = narrowed_inside((**whole).clone(), local, condition);
        **whole = inner;
        return over;
    }
    let (ty, span) = (over.ty, over.span);
    let (over, condition) = (Box::new(over), Box::new(condition.clone()));
    CheckedExpr { kind: E::Filter { local, over, condition }, ty, span }
}
