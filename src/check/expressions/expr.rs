//! Checks expressions. The expected domain is passed down as a hint.

use super::subsets::QuantifierParts;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::facts::Fact;
use crate::names::scopes::Binding;
use crate::values::{May, Val, constant_truth};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, ExprKind as S, Name, Quantifier, UnaryOp};
use houserule_model::*;

/// A name for each element of a set, as it is written: `x in S where C`.
#[derive(Clone, Copy)]
pub(super) struct SetMember<'a, 'f> {
    pub(super) name: &'a Name,
    /// The domain of the elements.
    pub(super) domain: DomainId,
    /// The condition after `where`.
    pub(super) filter: Option<&'a syntax::Expr>,
    /// What the condition shows.
    pub(super) shown: Option<&'f ShownOfElement>,
}

/// What a condition shows of an element for which it holds.
pub(super) struct ShownOfElement {
    local: LocalId,
    facts: Vec<Fact>,
}

impl<'a> Checker<'a> {
    /// Checks an expression. `want` is the expected domain, if known: names of enum values and literals
    /// are interpreted in it.
    pub(crate) fn expr(&mut self, e: &'a syntax::Expr, want: Option<DomainId>) -> Val {
        self.draft.enter_level();
        let value = if self.draft.afford_node(e.span) { self.expr_by_form(e, want) } else { Val::Poison };
        self.draft.leave_level();
        self.tested(e, value)
    }

    fn expr_by_form(&mut self, e: &'a syntax::Expr, want: Option<DomainId>) -> Val {
        let span = e.span;
        match &e.kind {
            S::Number(n) => Val::sure(self.draft.number_constant(*n, span)),
            S::Bool(b) => Val::sure(self.draft.truth_constant(*b, span)),
            S::None => Val::None(span),
            S::Site(site) => self.site(site, span, want),
            S::Player(number) => self.numbered_player(*number, span),
            S::Name(name) => self.name_value(name, span, want),
            S::Field(base, field) => self.field(base, field, span),
            S::Index(base, index) => self.indexed(base, index, span),
            S::Call(name, args) => self.call(name, args, span, want),
            S::Range(low, high) => self.range(low, high, span),
            S::Set(parts) => self.set_literal(parts, want, span),
            S::Comprehension { name, over, filter } => self.comprehension(name, over, filter, want, span),
            S::Map(entries) => self.points_map(entries),
            S::Unary(UnaryOp::Negate, inner) => {
                let value = self.expr(inner, None);
                match self.number(value, inner.span) {
                    Some(n) => {
                        Val::sure(self.draft.build(CheckedExprKind::Negate(Box::new(n)), Type::Number, span))
                    }
                    None => Val::Poison,
                }
            }
            S::Unary(UnaryOp::Not, inner) => match self.condition(inner) {
                Some(truth) => {
                    let mut not = self.draft.not(truth);
                    not.span = span;
                    Val::sure(not)
                }
                None => Val::Poison,
            },
            S::Unary(UnaryOp::NoAction, player) => self.no_action(player, span),
            S::Binary(op, a, b) => self.binary(*op, a, b, want, span),
            S::Is { value, negated, name } => self.is(value, *negated, name, span),
            S::If(condition, then, otherwise) => self.if_else(condition, then, otherwise, want, span),
            S::Quantified { op, name, subsets, over, filter, body } => {
                let parts = QuantifierParts { op: *op, name, over, filter: filter.as_deref(), body, span };
                if *subsets { self.over_subsets(parts) } else { self.quantifier(parts, want) }
            }
            S::Values { .. } => {
                let message = "numbers for the elements of a set aren't allowed here";
                let help = "they are an argument of two functions: `lowest(x in S: number, 2)` and `highest(…)`; \
                            elsewhere write `sum x in S: number`, `min x in S: …` or `max x in S: …`";
                self.draft.messages.report(Diagnostic::error(Code::Misplaced, span, message).help(help));
                Val::Poison
            }
            S::Tuple(parts) => self.list(parts, span),
            S::Text(_) => {
                let d = Diagnostic::error(Code::Misplaced, span, "a text isn't allowed here");
                self.draft.messages.report(d.help("names and values of an enum are written without quotes"));
                Val::Poison
            }
            // The error in the declaration of this name has been reported.
            S::Die(faces) if self.names.is_declared(format!("d{faces}").as_str()) => Val::Poison,
            S::Die(_) => {
                let d = Diagnostic::error(Code::Misplaced, span, "a die isn't allowed here")
                    .help("declare it: `dice pair: 2 of d6`");
                self.draft.messages.report(d);
                Val::Poison
            }
            S::Hole => {
                self.draft.messages.add_hole();
                Val::Poison
            }
        }
    }

    /// Checks a boolean expression.
    pub(crate) fn condition(&mut self, e: &'a syntax::Expr) -> Option<CheckedExpr> {
        let value = self.expr(e, None);
        self.draft.truth(value, e.span)
    }

    /// Checks the condition after `where`, if there is one. What it shows holds from here on. `None` after an error.
    pub(super) fn check_filter(&mut self, e: Option<&'a syntax::Expr>) -> Option<Option<CheckedExpr>> {
        let Some(e) = e else { return Some(None) };
        let condition = self.condition(e)?;
        let facts = self.facts_if(Some(&condition), true);
        self.scopes.facts.learn(facts);
        Some(Some(condition))
    }

    /// Checks an integer expression.
    pub(crate) fn number_of(&mut self, e: &'a syntax::Expr) -> Option<CheckedExpr> {
        let value = self.expr(e, None);
        self.number(value, e.span)
    }

    /// Checks a set; also returns its domain.
    pub(crate) fn set_of(
        &mut self,
        e: &'a syntax::Expr,
        want: Option<DomainId>,
    ) -> Option<(CheckedExpr, DomainId)> {
        let value = self.expr(e, want);
        let set = self.set(value, want, e.span)?;
        let Type::Set(domain) = set.ty else { return None };
        Some((set, domain))
    }

    /// Checks a set that is iterated over. Its own domain takes precedence over `want`.
    pub(crate) fn over(
        &mut self,
        e: &'a syntax::Expr,
        want: Option<DomainId>,
    ) -> Option<(CheckedExpr, DomainId)> {
        let value = self.expr(e, want);
        let want = if value.domain().is_some() { None } else { want };
        let set = self.set(value, want, e.span)?;
        let Type::Set(domain) = set.ty else { return None };
        Some((set, domain))
    }

    fn set_literal(&mut self, parts: &'a [syntax::Expr], want: Option<DomainId>, span: Span) -> Val {
        if parts.is_empty() {
            return Val::EmptySet(span);
        }
        let mut values = vec![];
        for part in parts {
            let value = self.expr(part, want.or_else(|| first_domain(&values)));
            values.push((value, part.span));
        }
        if values.iter().any(|(v, _)| matches!(v, Val::Poison)) {
            return Val::Poison;
        }
        if let Some((value, at)) = values.iter().find(|(v, _)| matches!(v.ty(), Some(Type::Set(_)))) {
            let found = self.draft.describe(value);
            let d = Diagnostic::error(Code::TypeMismatch, *at, format!("expected an element, found {found}"))
                .help("join sets with `|`: `a | b`");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        let first = first_domain(&values);
        if let Some(d) = want
            && self.draft.range_low(d).is_some()
            && values.iter().any(|(v, _)| v.domain() != Some(d))
            && values.iter().all(|(v, _)| self.draft.is_number(v))
        {
            // The place that uses the set checks whether the numbers fit.
            let numbers: Option<Vec<CheckedExpr>> =
                values.into_iter().map(|(value, at)| self.number(value, at)).collect();
            return numbers.map_or(Val::Poison, |numbers| Val::Numbers(numbers, span));
        }
        let numeric = |v: &Val| matches!(v.ty(), Some(Type::Number)) || matches!(v, Val::Dice(..));
        let domain = match (want, first) {
            (Some(d), _) => Some(d),
            (None, Some(d))
                if values.iter().all(|(v, _)| v.domain().is_none_or(|x| x == d) && !numeric(v)) =>
            {
                Some(d)
            }
            _ => None,
        };
        let Some(domain) = domain else {
            let values = self.faces_among_numbers(values);
            let mut numbers = vec![];
            for (value, at) in values {
                if let Val::Ambiguous(name, at) = &value {
                    self.report_ambiguous(name, *at);
                    return Val::Poison;
                }
                match self.number(value, at) {
                    Some(n) => numbers.push(n),
                    None => return Val::Poison,
                }
            }
            return Val::Numbers(numbers, span);
        };
        let mut elements = vec![];
        for (value, at) in values {
            match self.element(value, domain, at) {
                Some((e, _)) => elements.push(e),
                None => return Val::Poison,
            }
        }
        Val::sure(self.draft.elements(elements, domain, span))
    }

    fn comprehension(
        &mut self,
        name: &'a Name,
        over: &'a syntax::Expr,
        filter: &'a syntax::Expr,
        want: Option<DomainId>,
        span: Span,
    ) -> Val {
        match self.over(over, want) {
            Some((set, domain)) => match self.filtered(name, set, domain, &[filter], span) {
                Some((set, _)) => Val::sure(set),
                None => Val::Poison,
            },
            None => {
                self.check_unbound(name, &[filter]);
                Val::Poison
            }
        }
    }

    /// The elements of a set for which all conditions hold, and what these show.
    pub(super) fn filtered(
        &mut self,
        name: &'a Name,
        over: CheckedExpr,
        domain: DomainId,
        conditions: &[&'a syntax::Expr],
        span: Span,
    ) -> Option<(CheckedExpr, ShownOfElement)> {
        let facts = |c: &Self, local| c.facts_of_element(local, &over);
        let (local, shown, condition) = self.scoped(vec![], |c| {
            let local = c.bind_local(name, Type::Element(domain), false);
            let of_set = facts(c, local);
            c.scopes.facts.learn(of_set);
            let mut all: Option<CheckedExpr> = None;
            let (mut whole, mut shown) = (true, vec![]);
            for condition in conditions {
                let next = c.condition(condition);
                let facts = c.facts_if(next.as_ref(), true);
                shown.extend(facts.iter().cloned());
                c.scopes.facts.learn(facts);
                match next {
                    Some(next) => {
                        all = Some(match all.take() {
                            Some(before) => c.draft.and(before, next, span),
                            None => next,
                        });
                    }
                    None => whole = false,
                }
            }
            (local, shown, if whole { all } else { None })
        });
        let kind = CheckedExprKind::Filter { local, over: Box::new(over), condition: Box::new(condition?) };
        Some((self.draft.build(kind, Type::Set(domain), span), ShownOfElement { local, facts: shown }))
    }

    /// Checks expressions that use a variable over an invalid set, so that their own errors are
    /// reported.
    pub(super) fn check_unbound(&mut self, name: &'a Name, uses: &[&'a syntax::Expr]) {
        self.scoped(vec![], |c| {
            c.bind(name, Binding::Argument(Val::Poison));
            for e in uses {
                c.expr(e, None);
            }
        });
    }

    fn quantifier(&mut self, parts: QuantifierParts<'a>, want: Option<DomainId>) -> Val {
        let QuantifierParts { op, name, over, filter, body, span } = parts;
        let keys = match &body.kind {
            S::Tuple(keys) if op.compares() => keys.iter().collect(),
            _ => vec![body],
        };
        let Some((mut over, domain)) = self.over(over, None) else {
            let uses: Vec<&syntax::Expr> = filter.into_iter().chain(keys).collect();
            self.check_unbound(name, &uses);
            return Val::Poison;
        };
        let mut member = SetMember { name, domain, filter, shown: None };
        if let Some(value) = self.over_directions(op, member, &over, body, want, span) {
            return value;
        }
        if op == Quantifier::Count {
            let conditions: Vec<&syntax::Expr> = filter.into_iter().chain([body]).collect();
            return match self.filtered(name, over, domain, &conditions, span) {
                Some((set, _)) => {
                    Val::sure(self.draft.build(CheckedExprKind::Count(Box::new(set)), Type::Number, span))
                }
                None => Val::Poison,
            };
        }
        let shown;
        if let Some(filter) = filter {
            match self.filtered(name, over, domain, &[filter], span) {
                Some((set, facts)) => {
                    (over, shown) = (set, facts);
                    member.shown = Some(&shown);
                }
                None => {
                    self.check_unbound(name, &keys);
                    return Val::Poison;
                }
            }
        }
        if op.compares() {
            return self.best(op, member, over, &keys, span).unwrap_or(Val::Poison);
        }
        let (local, value) = self.scoped(vec![], |c| {
            let local = c.bind_filtered(member, &over);
            let want = if op == Quantifier::Union { want } else { None };
            (local, c.expr(body, want))
        });
        let (body, ty) = match op {
            Quantifier::Any | Quantifier::All => (self.draft.truth(value, body.span), Type::Bool),
            Quantifier::Union => {
                let set = self.set(value, None, body.span);
                let ty = set.as_ref().map_or(Type::Bool, |s| s.ty);
                (set, ty)
            }
            _ => (self.number(value, body.span), Type::Number),
        };
        let Some(body) = body else { return Val::Poison };
        Val::sure(self.draft.quantified(op, local, over, body, ty, span))
    }

    /// Binds a name for the elements of a set in the current scope. The condition is already applied to the set.
    pub(super) fn bind_filtered(&mut self, member: SetMember<'a, '_>, over: &CheckedExpr) -> LocalId {
        let local = self.bind_local(member.name, Type::Element(member.domain), false);
        let mut facts = self.facts_of_element(local, over);
        if let Some(shown) = member.shown {
            let kind = CheckedExprKind::Local(local);
            let element = CheckedExpr { kind, ty: Type::Element(member.domain), span: over.span };
            facts.extend(shown.facts.iter().map(|fact| fact.about(shown.local, &element)));
        }
        self.scopes.facts.learn(facts);
        local
    }

    fn if_else(
        &mut self,
        condition: &'a syntax::Expr,
        then: &'a syntax::Expr,
        otherwise: &'a syntax::Expr,
        want: Option<DomainId>,
        span: Span,
    ) -> Val {
        let truth = self.condition(condition);
        let known = truth.as_ref().and_then(constant_truth);
        let facts = self.facts_if(truth.as_ref(), true);
        let a = self.branch(then, want, facts, known == Some(false));
        let facts = self.facts_if(truth.as_ref(), false);
        let b = self.branch(otherwise, want.or_else(|| a.domain()), facts, known == Some(true));
        match (known, truth) {
            (Some(true), _) => a,
            (Some(false), _) => b,
            (None, Some(truth)) => self.joined(truth, (a, then.span), (b, otherwise.span), span),
            (None, None) => Val::Poison,
        }
    }

    fn branch(&mut self, e: &'a syntax::Expr, want: Option<DomainId>, facts: Vec<Fact>, dead: bool) -> Val {
        self.draft.enter_branch(dead);
        let value = self.scoped(facts, |c| c.expr(e, want));
        self.draft.leave_branch(dead);
        value
    }

    fn joined(&mut self, truth: CheckedExpr, a: (Val, Span), b: (Val, Span), span: Span) -> Val {
        if matches!(a.0, Val::Poison) || matches!(b.0, Val::Poison) {
            return Val::Poison;
        }
        if let (Val::Points(..), _) | (_, Val::Points(..)) = (&a.0, &b.0) {
            self.draft.messages.report_not_constant(truth.span, "which table of points is meant");
            return Val::Poison;
        }
        let Some(ty) = self.draft.common_type(&a.0, &b.0) else {
            let (x, y) = (self.draft.describe(&a.0), self.draft.describe(&b.0));
            let d = Diagnostic::error(
                Code::TypeMismatch,
                b.1,
                format!("both sides of an `if` must be alike, and this is {y}"),
            )
            .also(a.1, format!("this is {x}"));
            self.draft.messages.report(d);
            return Val::Poison;
        };
        let x = self.settle(a.0, Some(ty), a.1);
        let y = self.settle(b.0, Some(ty), b.1);
        let (Some((x, may_x)), Some((y, may_y))) = (x, y) else { return Val::Poison };
        let may = match (may_x, may_y) {
            (May::Never, May::Never) => May::Never,
            (May::Maybe(_), _) | (_, May::Maybe(_)) => May::Maybe(None),
            _ => May::Tested,
        };
        Val::Expr(
            self.draft.build(CheckedExprKind::If(Box::new(truth), Box::new(x), Box::new(y)), ty, span),
            may,
        )
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &'a syntax::Expr,
        b: &'a syntax::Expr,
        want: Option<DomainId>,
        span: Span,
    ) -> Val {
        match op {
            BinaryOp::And | BinaryOp::Or => self.and_or(op == BinaryOp::And, a, b, span),
            BinaryOp::In => self.is_in(a, b, span),
            BinaryOp::NotIn => match self.is_in(a, b, span) {
                Val::Expr(e, _) => Val::sure(self.draft.not(e)),
                other => other,
            },
            BinaryOp::Compare(ComparisonOperator::Equal) => self.same(a, b, span),
            BinaryOp::Compare(ComparisonOperator::NotEqual) => match self.same(a, b, span) {
                Val::Expr(e, _) => Val::sure(self.draft.unequal(e)),
                other => other,
            },
            BinaryOp::Compare(op) => {
                let (x, y) = (self.expr(a, None), self.expr(b, None));
                if matches!(x, Val::List(..)) || matches!(y, Val::List(..)) {
                    return self.compare_lists(op, [(x, a.span), (y, b.span)], span);
                }
                self.ordered(op, (x, a.span), (y, b.span), span)
            }
            BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Subtract => {
                let x = self.expr(a, want);
                let y = self.expr(b, want.or_else(|| x.domain()));
                self.sets_or_difference(op, (x, a.span), (y, b.span), want, span)
            }
            BinaryOp::Add | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
                let x = self.expr(a, None);
                let y = self.expr(b, None);
                self.arithmetic_of(op, (x, a.span), (y, b.span), span)
            }
        }
    }
}

impl Draft {
    /// The common type of two values, if any.
    pub(super) fn common_type(&mut self, a: &Val, b: &Val) -> Option<Type> {
        let set = |v: &Val| {
            matches!(v, Val::EmptySet(_) | Val::Numbers(..)) || matches!(v.ty(), Some(Type::Set(_)))
        };
        match (a.ty(), b.ty()) {
            (Some(x), Some(y)) if x == y => return Some(x),
            _ => {}
        }
        if set(a) || set(b) {
            let span = self.title;
            return self.shared_domain(a, b, None, span).map(Type::Set);
        }
        if self.is_number(a) && self.is_number(b) {
            return Some(Type::Number);
        }
        match (a, b) {
            (Val::None(_) | Val::Ambiguous(..), Val::Expr(e, _))
            | (Val::Expr(e, _), Val::None(_) | Val::Ambiguous(..)) => {
                let face = matches!(a, Val::Ambiguous(..)) || matches!(b, Val::Ambiguous(..));
                (matches!(e.ty, Type::Element(_)) || face && e.ty == Type::Number).then_some(e.ty)
            }
            _ => None,
        }
    }

    /// The smallest range that contains two ranges.
    pub(super) fn wider_range(&mut self, a: DomainId, b: DomainId) -> Option<DomainId> {
        let (low_a, low_b) = (self.range_low(a)?, self.range_low(b)?);
        let (high_a, high_b) = (low_a + i64::from(self.size(a)), low_b + i64::from(self.size(b)));
        if low_a <= low_b && high_a >= high_b {
            return Some(a);
        }
        if low_b <= low_a && high_b >= high_a {
            return Some(b);
        }
        let span = self.title;
        self.range_domain(low_a.min(low_b), high_a.max(high_b) - 1, span)
    }

    /// Is a value an integer, or convertible to one?
    pub(super) fn is_number(&self, value: &Val) -> bool {
        match value {
            Val::Expr(e, _) => match e.ty {
                Type::Number => true,
                Type::Element(d) => self.range_low(d).is_some(),
                _ => false,
            },
            Val::Dice(dice, _) => dice.count == 1,
            _ => false,
        }
    }
}

fn first_domain(values: &[(Val, Span)]) -> Option<DomainId> {
    values.iter().find_map(|(v, _)| v.domain())
}
