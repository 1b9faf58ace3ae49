//! What a condition shows: the expressions that aren't none, and the sets that have an element, where it holds.

use crate::checker::Checker;
use crate::names::facts::Fact;
use crate::values::{constant_number, constant_set, constant_truth};
use houserule_language::syntax::Quantifier;
use houserule_model::*;

impl Checker<'_> {
    /// The facts that hold if a condition is true, or if it is false. After an error in the condition nobody knows what
    /// was meant.
    pub(crate) fn facts_if(&self, condition: Option<&CheckedExpr>, truth: bool) -> Vec<Fact> {
        let Some(condition) = condition else { return vec![Fact::Anything] };
        // The rules don't get here, and the parts of the condition are no longer known.
        if constant_truth(condition) == Some(!truth) {
            return vec![Fact::Anything];
        }
        let mut facts = vec![];
        self.add_facts(condition, truth, &mut facts);
        facts
    }

    fn add_facts(&self, e: &CheckedExpr, truth: bool, facts: &mut Vec<Fact>) {
        use CheckedExprKind as K;
        let is = |e: &CheckedExpr, wanted: bool| constant_truth(e) == Some(wanted);
        match &e.kind {
            K::IsSome(set) if truth => facts.push(Fact::Some((**set).clone())),
            K::Not(inner) => self.add_facts(inner, !truth, facts),
            K::And(a, b) if truth => {
                self.add_facts(a, true, facts);
                self.add_facts(b, true, facts);
            }
            K::Or(a, b) if !truth => {
                self.add_facts(a, false, facts);
                self.add_facts(b, false, facts);
            }
            // One of the two sides can't be.
            K::If(condition, _, otherwise) if is(otherwise, !truth) => {
                self.add_facts(condition, true, facts);
                if let K::If(_, then, _) = &e.kind {
                    self.add_facts(then, truth, facts);
                }
            }
            K::If(condition, then, otherwise) if is(then, !truth) => {
                self.add_facts(condition, false, facts);
                self.add_facts(otherwise, truth, facts);
            }
            K::Same(a, b) if truth && matches!(a.ty, Type::Element(_)) => {
                for (one, other) in [(a, b), (b, a)] {
                    if self.is_never_none(other) && !self.is_never_none(one) {
                        facts.push(Fact::Some((**one).clone()));
                    }
                }
            }
            K::Same(a, b) if matches!(a.ty, Type::Element(_)) => {
                let is_none = |e: &CheckedExpr| matches!(e.kind, K::Constant(Value::Element(None)));
                for (one, other) in [(a, b), (b, a)] {
                    if is_none(other) {
                        facts.push(Fact::Some((**one).clone()));
                    }
                }
            }
            K::Compare(op, a, b) => {
                let op = if truth { *op } else { op.negated() };
                match (&a.kind, &b.kind) {
                    (K::Count(set), _) => self.add_counted(set, op, b, facts),
                    (_, K::Count(set)) => self.add_counted(set, op.swapped(), a, facts),
                    _ => {}
                }
            }
            K::Contains { set, element } if truth => {
                if !self.is_never_none(element) {
                    facts.push(Fact::Some((**element).clone()));
                }
                self.add_member(element, set, facts);
            }
            K::Contains { set, element } if self.is_never_none(element) => {
                self.add_stranger(element, set, facts);
            }
            K::Subset(part, whole) if truth && constant_set(part).is_some_and(|set| !set.is_empty()) => {
                facts.push(Fact::Some((**whole).clone()));
            }
            K::Quantified { op: Quantifier::Any, over, .. } if truth => {
                facts.push(Fact::Some((**over).clone()));
            }
            K::Quantified { op: Quantifier::All, over, .. } if !truth => {
                facts.push(Fact::Some((**over).clone()));
            }
            _ => {}
        }
    }

    /// What follows if a comparison of the number of elements holds.
    fn add_counted(&self, set: &CheckedExpr, op: ComparisonOperator, n: &CheckedExpr, facts: &mut Vec<Fact>) {
        use ComparisonOperator as C;
        let Some(n) = constant_number(n) else { return };
        let some = match op {
            C::Greater => n >= 0,
            C::GreaterEqual | C::Equal => n >= 1,
            C::NotEqual => n == 0,
            C::Less | C::LessEqual => false,
        };
        if some {
            facts.push(Fact::Some(set.clone()));
        }
    }

    /// What follows for a local that is an element of a set.
    pub(crate) fn facts_of_element(&self, local: LocalId, over: &CheckedExpr) -> Vec<Fact> {
        let Type::Set(domain) = over.ty else { return vec![] };
        let kind = CheckedExprKind::Local(local);
        let element = CheckedExpr { kind, ty: Type::Element(domain), span: over.span };
        let mut facts = vec![];
        self.add_member(&element, over, &mut facts);
        facts
    }

    /// What follows if an element is in a set: the set has an element, the element fulfils the condition that describes
    /// the set, and an element of a player's zone has an owner.
    fn add_member(&self, element: &CheckedExpr, set: &CheckedExpr, facts: &mut Vec<Fact>) {
        if constant_set(set).is_some() {
            return;
        }
        facts.push(Fact::Some(set.clone()));
        if self.is_owned(set) {
            facts.push(Fact::Owned(element.clone()));
        }
        self.add_described(element, set, facts);
    }

    fn add_described(&self, element: &CheckedExpr, set: &CheckedExpr, facts: &mut Vec<Fact>) {
        use CheckedExprKind as K;
        match &set.kind {
            K::Filter { local, over, condition } => {
                let shown = self.facts_if(Some(condition), true);
                facts.extend(shown.into_iter().map(|fact| fact.about(*local, element)));
                self.add_described(element, over, facts);
            }
            K::Intersect(a, b) => {
                self.add_described(element, a, facts);
                self.add_described(element, b, facts);
            }
            K::Minus(of, without) => {
                self.add_described(element, of, facts);
                self.add_stranger(element, without, facts);
            }
            K::Elements(list) => {
                if let [only] = &list[..] {
                    facts.push(Fact::Some(only.clone()));
                }
            }
            _ => {}
        }
    }

    /// What follows if an element isn't in a set: it doesn't fulfil the condition that alone describes the set.
    fn add_stranger(&self, element: &CheckedExpr, set: &CheckedExpr, facts: &mut Vec<Fact>) {
        use CheckedExprKind as K;
        match &set.kind {
            K::Filter { local, over, condition }
                if constant_set(over).is_some_and(|all| all.len() == all.size()) =>
            {
                let shown = self.facts_if(Some(condition), false);
                facts.extend(shown.into_iter().map(|fact| fact.about(*local, element)));
            }
            K::Union(a, b) => {
                self.add_stranger(element, a, facts);
                self.add_stranger(element, b, facts);
            }
            _ => {}
        }
    }

    /// Returns `true` for an element that can't be none, whatever has been tested.
    fn is_never_none(&self, e: &CheckedExpr) -> bool {
        use CheckedExprKind as K;
        match &e.kind {
            K::Constant(Value::Element(element)) => element.is_some(),
            K::Me | K::After { among: None, .. } => true,
            K::Local(local) => {
                !self.locals.optional.contains(local) || self.scopes.knows(&self.draft.model, e)
            }
            K::Read(target) => {
                matches!(
                    self.draft.model.slots[target.slot.index()].content,
                    Content::Element { optional: false, .. }
                )
            }
            K::If(_, a, b) => self.is_never_none(a) && self.is_never_none(b),
            _ => false,
        }
    }

    /// Returns `true` if all elements of a set belong to a player.
    fn is_owned(&self, set: &CheckedExpr) -> bool {
        use CheckedExprKind as K;
        match &set.kind {
            K::Read(target) => self.draft.belongs_to_a_player(target.slot),
            K::Intersect(a, b) => self.is_owned(a) || self.is_owned(b),
            K::Union(a, b) => self.is_owned(a) && self.is_owned(b),
            K::Minus(of, _) | K::Filter { over: of, .. } => self.is_owned(of),
            _ => false,
        }
    }
}
