//! Quantifiers one in the other, which end in a condition: each part of the condition is tested as soon as the elements that it
//! names are bound, before the loops if it names none, and a condition on each element of a subset before it is enumerated.
//!
//! Subsets of a set are such a nest: `all k subset of S where count(k) == n and all c in k: P(c): …` goes over elements of S,
//! each after the one before. Nothing is moved that can fail, or past what can fail.

use std::collections::HashMap;

use super::early::replace;
use super::lift::{and, conjuncts, mentions};
use crate::compile::lower::Lowering;
use houserule_language::syntax::{ComparisonOperator, Quantifier};
use houserule_model::{CheckedExpr, CheckedExprKind as E, LocalId, Model, Value, walk};

/// A nest of quantifiers of one kind.
struct QuantifierNest<'e> {
    op: Quantifier,
    /// Each with its set.
    locals: Vec<(LocalId, &'e CheckedExpr)>,
    condition: &'e CheckedExpr,
    /// What counts for elements for which the condition holds, and for others. Without them, the condition itself counts.
    values: Option<[&'e CheckedExpr; 2]>,
}

/// A nest of quantifiers whose conditions are tested early.
pub(in crate::compile) struct ArrangedNest {
    /// Conditions that name none of its elements.
    pub(in crate::compile) first: Vec<CheckedExpr>,
    /// The nest without them.
    pub(in crate::compile) rest: CheckedExpr,
    locals: Vec<LocalId>,
}

impl QuantifierNest<'_> {
    fn names(&self, e: &CheckedExpr) -> bool {
        self.level(e).is_some()
    }

    /// Returns the last local that an expression names, by its place in the nest.
    fn level(&self, e: &CheckedExpr) -> Option<usize> {
        self.locals.iter().rposition(|(local, _)| mentions(e, *local))
    }

    /// Returns `true` if all elements of the nest are among some listed ones.
    fn is_in(&self, list: &[CheckedExpr]) -> bool {
        let is_listed = |local: LocalId| list.iter().any(|e| matches!(e.kind, E::Local(it) if it == local));
        self.locals.iter().all(|(local, _)| is_listed(*local))
    }

    /// Returns the value of the nest if no elements fulfil the condition.
    fn nothing(&self) -> CheckedExpr {
        match self.values {
            Some([_, otherwise]) => otherwise.clone(),
            None => CheckedExpr { kind: E::Constant(Value::Bool(false)), ..self.condition.clone() },
        }
    }

    /// Returns what counts if some conditions hold for the elements bound so far.
    fn guarded(&self, conditions: Vec<CheckedExpr>, then: CheckedExpr) -> CheckedExpr {
        let Some(condition) = conditions.into_iter().reduce(and) else { return then };
        match self.values {
            Some([_, otherwise]) if self.op != Quantifier::Any => {
                let (ty, span) = (then.ty, then.span);
                let [then, otherwise] = [then, otherwise.clone()].map(Box::new);
                CheckedExpr { kind: E::If(Box::new(condition), then, otherwise), ty, span }
            }
            _ if matches!(then.kind, E::Constant(Value::Bool(true))) => condition,
            _ => and(condition, then),
        }
    }

    /// Returns the nest with other conditions, those of each level, and with each set without the elements that `narrow`
    /// leaves out.
    fn rebuilt(
        &self,
        e: &CheckedExpr,
        levels: Vec<Vec<CheckedExpr>>,
        narrow: &dyn Fn(&CheckedExpr) -> CheckedExpr,
    ) -> CheckedExpr {
        let holds = CheckedExpr { kind: E::Constant(Value::Bool(true)), ..self.condition.clone() };
        let mut body = self.values.map_or(holds, |[value, _]| value.clone());
        for ((local, over), conditions) in self.locals.iter().zip(levels).rev() {
            let (over, inner) = (Box::new(narrow(over)), Box::new(self.guarded(conditions, body)));
            let kind = E::Quantified { op: self.op, local: *local, over, body: inner };
            body = CheckedExpr { kind, ..e.clone() };
        }
        body
    }
}

impl Lowering<'_> {
    fn quantifier_nest<'e>(&self, e: &'e CheckedExpr) -> Option<QuantifierNest<'e>> {
        let E::Quantified { op, .. } = &e.kind else { return None };
        let (op, mut locals, mut body) = (*op, vec![], e);
        while let E::Quantified { op: inner, local, over, body: next } = &body.kind
            && *inner == op
        {
            locals.push((*local, &**over));
            body = next;
        }
        if let E::If(condition, value, otherwise) = &body.kind
            && self.adds_nothing(op, value, otherwise)
        {
            return Some(QuantifierNest { op, locals, condition, values: Some([value, otherwise]) });
        }
        (op == Quantifier::Any).then_some(QuantifierNest { op, locals, condition: body, values: None })
    }

    /// Returns `true` if elements count for nothing in a quantifier over values if `otherwise` is their value.
    fn adds_nothing(&self, op: Quantifier, value: &CheckedExpr, otherwise: &CheckedExpr) -> bool {
        match (&otherwise.kind, op) {
            (E::Constant(Value::Bool(truth)), Quantifier::Any | Quantifier::All) => {
                *truth == (op == Quantifier::All)
            }
            (E::Constant(Value::Number(0)), Quantifier::Sum) => true,
            // The greatest of no numbers is 0.
            (E::Constant(Value::Number(0)), Quantifier::Max) => {
                self.bounds(value).is_some_and(|(low, _)| low >= 0)
            }
            (E::Constant(Value::Set(set)), Quantifier::Union) => set.is_empty(),
            _ => false,
        }
    }

    /// Arranges the conditions of a nest of quantifiers. Returns `None` if they are tested where they should be.
    pub(in crate::compile) fn arranged(&self, e: &CheckedExpr) -> Option<ArrangedNest> {
        let nest = self.quantifier_nest(e).filter(|_| self.options.nests)?;
        let locals: Vec<LocalId> = nest.locals.iter().map(|(local, _)| *local).collect();
        let is_done = locals.iter().any(|local| self.arranging.contains(local));
        if is_done || !nest.locals.iter().all(|(_, over)| self.never_fails(over)) {
            return None;
        }
        let (mut first, mut narrowed, last) = (vec![], vec![], locals.len() - 1);
        let mut levels = vec![vec![]; locals.len()];
        let (mut is_total, mut is_changed) = (true, false);
        for part in conjuncts(nest.condition) {
            let part = self.counted(part);
            is_total = is_total && self.never_fails(&part);
            if matches!(part.kind, E::Constant(Value::Bool(true))) {
                is_changed = true;
                continue;
            }
            if !is_total {
                levels[last].push(part);
                continue;
            }
            if let E::Quantified { op: Quantifier::All, local, over, body } = &part.kind
                && let E::Elements(list) = &over.kind
                && nest.is_in(list)
                && list.iter().all(|e| self.is_sure(e))
                && !nest.names(body)
            {
                let is_taken = |e: &CheckedExpr| matches!(e.kind, E::Local(it) if it == *local);
                for before in list.iter().filter(|e| !nest.names(e)) {
                    let mut holds = (**body).clone();
                    replace(&mut holds, &is_taken, before);
                    first.push(holds);
                }
                narrowed.push((*local, (**body).clone()));
                continue;
            }
            let divided = self.divided(&part, &locals);
            is_changed |= divided.is_some();
            for piece in divided.unwrap_or_else(|| vec![part]) {
                match nest.level(&piece) {
                    None => first.push(piece),
                    Some(level) => {
                        is_changed |= level < last;
                        levels[level].push(piece);
                    }
                }
            }
        }
        if first.is_empty() && narrowed.is_empty() && !is_changed {
            return None;
        }
        if first.iter().any(|e| matches!(e.kind, E::Constant(Value::Bool(false)))) {
            return Some(ArrangedNest { first: vec![], rest: nest.nothing(), locals });
        }
        let narrow = |over: &CheckedExpr| {
            narrowed
                .iter()
                .fold(over.clone(), |over, (local, condition)| narrowed_inside(over, *local, condition))
        };
        Some(ArrangedNest { first, rest: nest.rebuilt(e, levels, &narrow), locals })
    }

    /// Lowers the rest of an arranged nest.
    pub(in crate::compile) fn in_nest(&mut self, nest: &ArrangedNest, lower: impl FnOnce(&mut Self)) {
        let outer = self.arranging.len();
        self.arranging.extend(&nest.locals);
        lower(self);
        self.arranging.truncate(outer);
    }

    /// Splits off the set of a quantifier the elements that a condition of its body leaves out: returns the set without them, and
    /// the body without the condition.
    pub(in crate::compile) fn without_others(
        &self,
        op: Quantifier,
        local: LocalId,
        over: &CheckedExpr,
        body: &CheckedExpr,
    ) -> Option<(CheckedExpr, CheckedExpr)> {
        let E::If(condition, value, otherwise) = &body.kind else { return None };
        if !self.options.nests || !self.adds_nothing(op, value, otherwise) {
            return None;
        }
        let (narrowed, left) = self.split_off(local, over, condition)?;
        let body = match left {
            None => (**value).clone(),
            Some(left) => {
                CheckedExpr { kind: E::If(Box::new(left), value.clone(), otherwise.clone()), ..body.clone() }
            }
        };
        Some((narrowed, body))
    }

    /// Replaces the numbers of elements of listed sets by their values, where each element comes after the one before, and
    /// compares them with constants.
    pub(super) fn counted(&self, e: &CheckedExpr) -> CheckedExpr {
        let mut e = e.clone();
        self.count_in(&mut e);
        e
    }

    fn count_in(&self, e: &mut CheckedExpr) {
        if let E::Count(set) = &e.kind
            && let E::Elements(list) = &set.kind
            && list.iter().all(|e| self.is_sure(e))
            && list.windows(2).all(|pair| self.follows(&pair[0], &pair[1]))
        {
            e.kind = E::Constant(Value::Number(list.len() as i64));
            return;
        }
        walk::children_mut(&mut e.kind, &mut |part| self.count_in(part));
        if let E::Compare(op, a, b) = &e.kind
            && let (E::Constant(Value::Number(a)), E::Constant(Value::Number(b))) = (&a.kind, &b.kind)
        {
            e.kind = E::Constant(Value::Bool(op.holds(*a, *b)));
        }
    }

    /// Returns `true` if the second of two locals comes after the first in the order of their domain.
    fn follows(&self, earlier: &CheckedExpr, later: &CheckedExpr) -> bool {
        let (E::Local(earlier), E::Local(later)) = (&earlier.kind, &later.kind) else { return false };
        self.predecessors.get(later) == Some(earlier)
    }
}

/// Returns the locals that are bound to elements after another local in the order of their domain, each with that one.
pub(in crate::compile) fn predecessors(model: &Model) -> HashMap<LocalId, LocalId> {
    let mut found = HashMap::new();
    let mut learn = |local: LocalId, over: &CheckedExpr| {
        if let Some(earlier) = predecessor(model, over) {
            found.insert(local, earlier);
        }
    };
    walk::all_exprs(model, &mut |e| {
        if let E::Quantified { local, over, .. } = &e.kind {
            learn(*local, over);
        }
    });
    let options = model.choices.iter().flat_map(|choice| &choice.options);
    options.flat_map(|option| &option.binders).for_each(|binder| learn(binder.local, &binder.over));
    found
}

/// Returns the local whose later elements a set has.
fn predecessor(model: &Model, over: &CheckedExpr) -> Option<LocalId> {
    let E::Filter { local, condition, .. } = &over.kind else { return None };
    let E::Compare(ComparisonOperator::Less, a, b) = &condition.kind else { return None };
    let (E::Table(order, of_a), E::Table(other, of_b)) = (&a.kind, &b.kind) else { return None };
    let ([a], [b]) = (&of_a[..], &of_b[..]) else { return None };
    let (E::Local(earlier), E::Local(later)) = (&a.kind, &b.kind) else { return None };
    let rises = |values: &[i64]| values.windows(2).all(|pair| pair[0] < pair[1]);
    let is_order = order == other && later == local && rises(&model.tables[order.index()].values);
    is_order.then_some(*earlier)
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
