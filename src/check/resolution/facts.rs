//! What a condition shows: the names that aren't none where it holds.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::{Entity, NameTable, ResolutionState};
use crate::names::scopes::{Binding, Scopes};
use crate::values::{Fact, May, Val};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, ExprKind as S, Name};
use houserule_language::vocabulary::{BuiltInName, Function};
use houserule_model::{CheckedExprKind, Content, LocalId, Role, Type};

/// What conditions are read with.
pub(crate) struct ConditionReader<'c> {
    draft: &'c Draft,
    names: &'c NameTable<'c>,
    scopes: &'c Scopes,
}

impl Checker<'_> {
    /// Reads conditions at the current place.
    pub(crate) fn conditions(&self) -> ConditionReader<'_> {
        ConditionReader { draft: &self.draft, names: &self.names, scopes: &self.scopes }
    }
}

impl ConditionReader<'_> {
    /// The facts that hold if a condition is true, or if it is false.
    pub(crate) fn facts_if(&self, e: &syntax::Expr, truth: bool) -> Vec<Fact> {
        use syntax::{BinaryOp, ComparisonOperator as C, ExprKind as S, UnaryOp};
        match &e.kind {
            S::Is { value, negated, name } => match name.text.as_str() {
                "some" if truth != *negated => self.facts_of_name(value),
                "nothing" if truth == *negated => self.facts_of_name(value),
                _ => vec![],
            },
            S::Unary(UnaryOp::Not, inner) => self.facts_if(inner, !truth),
            S::Binary(BinaryOp::And, a, b) if truth => {
                let mut facts = self.facts_if(a, true);
                facts.extend(self.facts_if(b, true));
                facts
            }
            S::Binary(BinaryOp::Or, a, b) if !truth => {
                let mut facts = self.facts_if(a, false);
                facts.extend(self.facts_if(b, false));
                facts
            }
            S::Binary(BinaryOp::Compare(op @ (C::Equal | C::NotEqual)), a, b) => {
                let some = (*op == C::NotEqual) == truth;
                match (&a.kind, &b.kind) {
                    (_, S::None) if some => self.facts_of_name(a),
                    (S::None, _) if some => self.facts_of_name(b),
                    // A set with a number of elements isn't empty.
                    (S::Call(..), S::Number(n)) if some == (*n == 0) => self.facts_of_counted(a),
                    // The owner that is a player is some.
                    (S::Call(..), _) if !some && self.is_one(b) && !self.may_be_missing(b) => {
                        self.facts_of_name(a)
                    }
                    (_, S::Call(..)) if !some && self.is_one(a) && !self.may_be_missing(a) => {
                        self.facts_of_name(b)
                    }
                    // A field that equals something is some.
                    (S::Field(..), other) | (other, S::Field(..)) if !some && !matches!(other, S::None) => {
                        let mut facts = self.facts_of_name(a);
                        facts.extend(self.facts_of_name(b));
                        facts
                    }
                    _ => vec![],
                }
            }
            S::Binary(BinaryOp::Compare(op), a, b) if truth => {
                // What is compared is some.
                let fields = [a, b].into_iter().filter(|side| matches!(side.kind, S::Field(..)));
                let mut facts: Vec<Fact> = fields.flat_map(|side| self.facts_of_name(side)).collect();
                if let S::Number(n) = b.kind
                    && (*op == C::Greater && n >= 0 || *op == C::GreaterEqual && n >= 1)
                {
                    facts.extend(self.facts_of_counted(a));
                }
                facts
            }
            S::Binary(BinaryOp::In, a, b) if truth => self.facts_of_member(a, b),
            S::Binary(BinaryOp::NotIn, a, b) if !truth => self.facts_of_member(a, b),
            _ => vec![],
        }
    }

    /// What follows if `a in b` holds: an element of a set isn't none, the set isn't empty, and an element of a
    /// player's zone has an owner.
    fn facts_of_member(&self, a: &syntax::Expr, b: &syntax::Expr) -> Vec<Fact> {
        let mut facts = self.facts_of_name(a);
        // An empty set is in every set.
        facts.retain(|fact| match fact {
            Fact::Slot(slot) => !matches!(self.draft.model.slots[slot.index()].content, Content::Set(_)),
            Fact::Local(local) => !matches!(self.draft.model.locals[local.index()].ty, Type::Set(_)),
            _ => true,
        });
        if self.is_one(a) {
            facts.extend(self.facts_of_set(b));
            if self.is_owned(b) {
                facts.extend(self.local_of(a).map(Fact::Owner));
            }
        }
        facts
    }

    /// What follows if the set that a name stands for has an element. A define is left out: it may become empty without
    /// an assignment.
    fn facts_of_set(&self, e: &syntax::Expr) -> impl Iterator<Item = Fact> {
        self.facts_of_name(e).into_iter().filter(|fact| !matches!(fact, Fact::Define(_)))
    }

    /// What follows for a local that is an element of a set.
    pub(crate) fn facts_of_element(&self, local: LocalId, over: &syntax::Expr) -> Vec<Fact> {
        self.facts_of_set(over).chain(self.is_owned(over).then_some(Fact::Owner(local))).collect()
    }

    /// Returns `true` for a name that stands for an element, and not for a set.
    fn is_one(&self, e: &syntax::Expr) -> bool {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return false };
        match self.scopes.local(text) {
            Some(Binding::Local(local, _)) => {
                matches!(self.draft.model.locals[local.index()].ty, Type::Element(_) | Type::Number)
            }
            Some(Binding::Argument(value, _)) => {
                matches!(value.ty(), Some(Type::Element(_) | Type::Number))
            }
            None => matches!(
                BuiltInName::named(text),
                Some(BuiltInName::Me | BuiltInName::Mover | BuiltInName::Starter)
            ),
        }
    }

    /// Returns `true` if a name that stands for an element may be `none`.
    fn may_be_missing(&self, e: &syntax::Expr) -> bool {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return true };
        match self.scopes.local(text) {
            Some(Binding::Local(local, may)) => {
                *may && !self.scopes.knows(&self.draft.model, Fact::Local(*local))
            }
            Some(Binding::Argument(value, _)) => !matches!(value, Val::Expr(_, May::Never)),
            None => false,
        }
    }

    /// The local that a name stands for.
    fn local_of(&self, e: &syntax::Expr) -> Option<LocalId> {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return None };
        match self.scopes.local(text)? {
            Binding::Local(local, _) => Some(*local),
            Binding::Argument(Val::Expr(e, _), _) => match e.kind {
                CheckedExprKind::Local(local) => Some(local),
                _ => None,
            },
            Binding::Argument(..) => None,
        }
    }

    /// What follows if `count(S)` isn't 0.
    fn facts_of_counted(&self, e: &syntax::Expr) -> Vec<Fact> {
        match &e.kind {
            syntax::ExprKind::Call(name, args) if name.text == Function::Count.name() => match &args[..] {
                [only] => self.facts_of_name(&only.value),
                _ => vec![],
            },
            _ => vec![],
        }
    }

    /// Returns `true` if a set that a name stands for has an element here.
    pub(crate) fn is_known_to_be_some(&self, e: &syntax::Expr) -> bool {
        let lasts = |fact: &Fact| match fact {
            Fact::Slot(slot) => self.draft.model.slots[slot.index()].role == Role::Variable,
            _ => true,
        };
        self.facts_of_name(e)
            .into_iter()
            .any(|fact| lasts(&fact) && self.scopes.knows(&self.draft.model, fact))
    }

    /// The facts that show that a field of a named element is some.
    pub(crate) fn facts_of_field(&self, base: &syntax::Expr, field: &Name) -> Vec<Fact> {
        let mut owners = self.facts_of_name(base);
        // An argument may stand for a local or a variable, which other names may stand for, too.
        if let syntax::ExprKind::Name(name) = &base.kind
            && let Some(Binding::Argument(Val::Expr(e, _), _)) = self.scopes.local(&name.text)
        {
            match &e.kind {
                CheckedExprKind::Local(local) => owners.push(Fact::Local(*local)),
                CheckedExprKind::Read(target) if target.index.is_empty() => {
                    owners.push(Fact::Slot(target.slot))
                }
                _ => {}
            }
        }
        let domain = |fact: &Fact| match fact {
            Fact::Slot(slot) => match self.draft.model.slots[slot.index()].content {
                Content::Element { domain, .. } => Some(domain),
                _ => None,
            },
            Fact::Local(local) => match self.draft.model.locals[local.index()].ty {
                Type::Element(domain) => Some(domain),
                _ => None,
            },
            Fact::Argument(number) => self.scopes.argument(*number)?.1.domain(),
            _ => None,
        };
        let of = |fact: Fact| {
            let field = self.draft.fields.get(&(domain(&fact)?, field.text.clone()))?;
            fact.field(field.table)
        };
        owners.into_iter().filter_map(of).collect()
    }

    fn facts_of_name(&self, e: &syntax::Expr) -> Vec<Fact> {
        if let syntax::ExprKind::Field(base, field) = &e.kind {
            return self.facts_of_field(base, field);
        }
        if let syntax::ExprKind::Call(name, args) = &e.kind
            && name.text == Function::Owner.name()
            && let [of] = &args[..]
        {
            return self.local_of(&of.value).map(Fact::Owner).into_iter().collect();
        }
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return vec![] };
        match self.scopes.local(text) {
            Some(Binding::Local(id, _)) => return vec![Fact::Local(*id)],
            Some(Binding::Argument(value, number)) => {
                let mut facts = vec![Fact::Argument(*number)];
                if let Val::Expr(_, May::Maybe(Some(fact))) = value {
                    facts.push(*fact);
                }
                return facts;
            }
            None => {}
        }
        match self.names.declared.get(text.as_str()).map(|d| &d.state) {
            Some(ResolutionState::Done(Entity::Slot(slot))) => vec![Fact::Slot(*slot)],
            Some(ResolutionState::Done(Entity::Define(decl))) => vec![Fact::Define(*decl)],
            None if text == BuiltInName::Playing.name() => {
                self.draft.model.playing.iter().map(|playing| Fact::Slot(playing.slot)).collect()
            }
            _ => vec![],
        }
    }

    /// Returns `true` if all elements of a set, written with the names of zones or pieces, belong to a player.
    pub(crate) fn is_owned(&self, e: &syntax::Expr) -> bool {
        match &e.kind {
            S::Name(Name { text, .. }) if self.scopes.local(text).is_none() => {
                match self.names.declared.get(text.as_str()).map(|d| &d.state) {
                    Some(ResolutionState::Done(Entity::Slot(slot))) => self.draft.belongs_to_a_player(*slot),
                    _ => false,
                }
            }
            S::Index(base, _) => matches!(base.kind, S::Name(_)) && self.is_owned(base),
            S::Binary(BinaryOp::Intersect, a, b) => self.is_owned(a) || self.is_owned(b),
            S::Binary(BinaryOp::Union, a, b) => self.is_owned(a) && self.is_owned(b),
            S::Binary(BinaryOp::Subtract, a, _) => self.is_owned(a),
            S::Comprehension { over, .. } => self.is_owned(over),
            _ => false,
        }
    }
}
