//! Operators on booleans, integers and sets, comparisons, and `is`.

use super::fit::Fit;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::resolution::defines::Use;
use crate::values::{May, Val, constant_number, constant_set, constant_truth};
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, Name, Quantifier};
use houserule_language::vocabulary::Function;
use houserule_model::*;

pub(super) type SpannedValue = (Val, Span);

/// The functions that can be written after `is`.
const PROPERTIES: [Function; 3] = [Function::Some, Function::Nothing, Function::Double];

impl<'a> Checker<'a> {
    pub(super) fn and_or(&mut self, and: bool, a: &'a syntax::Expr, b: &'a syntax::Expr, span: Span) -> Val {
        let x = self.condition(a);
        let settled = x.as_ref().and_then(constant_truth) == Some(!and);
        let facts = self.facts_if(x.as_ref(), and);
        self.draft.enter_branch(settled);
        let y = self.scoped(facts, |c| {
            let value = c.expr(b, None);
            match c.reports_bare_value(and, a, b, x.is_none(), &value) {
                true => None,
                false => c.draft.truth(value, b.span),
            }
        });
        self.draft.leave_branch(settled);
        let x = match (x, &y) {
            // The left side decides, so a define can end its levels here.
            (Some(x), None) if settled => return Val::sure(x),
            (Some(x), _) => x,
            (None, _) => return Val::Poison,
        };
        let Some(y) = y else { return Val::Poison };
        let (x, y) = (Box::new(x), Box::new(y));
        let kind = if and { CheckedExprKind::And(x, y) } else { CheckedExprKind::Or(x, y) };
        Val::sure(self.draft.build(kind, Type::Bool, span))
    }

    /// `a in b`: an element in a set, or a subset of a set.
    pub(super) fn is_in(&mut self, a: &'a syntax::Expr, b: &'a syntax::Expr, span: Span) -> Val {
        if let syntax::ExprKind::Set(names) = &b.kind
            && self.have_two_meanings(names)
        {
            return self.is_one_of(a, b, &names[0], span);
        }
        let set = self.expr(b, None);
        let element = self.expr(a, set.domain());
        self.member_of((element, a.span), (set, b.span), span)
    }

    /// Is an element among these, which are values of several enums or faces of dice? The element says which they are.
    #[inline(never)]
    fn is_one_of(
        &mut self,
        a: &'a syntax::Expr,
        b: &'a syntax::Expr,
        first: &syntax::Expr,
        span: Span,
    ) -> Val {
        let element = self.expr(a, None);
        let face = self.draft.is_number(&element).then(|| self.face_domain(first)).flatten();
        let set = self.expr(b, face.or(element.domain()));
        self.member_of((element, a.span), (set, b.span), span)
    }

    /// Returns `true` for names that are values of several enums or faces of dice, and have no meaning of their own.
    #[inline(never)]
    fn have_two_meanings(&mut self, names: &'a [syntax::Expr]) -> bool {
        let mut all = names.iter().map(|e| match &e.kind {
            syntax::ExprKind::Name(name) => {
                let values = self.names.values.get(name.text.as_str()).map_or(0, Vec::len);
                values > 1 && self.entity(name).is_none()
            }
            _ => false,
        });
        !names.is_empty() && all.all(|has_two| has_two)
    }

    /// The range of the dice that have a face of this name.
    fn face_domain(&self, e: &syntax::Expr) -> Option<DomainId> {
        let syntax::ExprKind::Name(name) = &e.kind else { return None };
        self.face(&name.text).map(|(domain, _)| domain)
    }

    /// Is an element in a set, or a set a subset of it?
    pub(crate) fn member_of(&mut self, element: SpannedValue, set: SpannedValue, span: Span) -> Val {
        let ((element, element_span), (set, set_span)) = (element, set);
        if matches!(set, Val::Poison) || matches!(element, Val::Poison) {
            return Val::Poison;
        }
        let is_set = matches!(element.ty(), Some(Type::Set(_)));
        let want = match set.domain() {
            // For a subset, both sets get a domain that contains them.
            Some(_) if is_set => self.draft.shared_domain(&set, &element, None, span),
            Some(_) => None,
            None => element.domain(),
        };
        let Some(set) = self.set(set, want, set_span) else { return Val::Poison };
        let Type::Set(domain) = set.ty else { return Val::Poison };
        if let Val::Numbers(numbers, _) = element {
            return self.all_in(numbers, set, domain, span);
        }
        if is_set || matches!(element, Val::EmptySet(_)) {
            return match self.set(element, Some(domain), element_span) {
                Some(part) => Val::sure(self.draft.build(
                    CheckedExprKind::Subset(Box::new(part), Box::new(set)),
                    Type::Bool,
                    span,
                )),
                None => Val::Poison,
            };
        }
        if let Some((element, own)) = self.draft.missing_number(&element).filter(|(_, own)| *own != domain) {
            let Some(set) = self.set_as(Val::sure(set), Some(own), Fit::Part, set_span) else {
                return Val::Poison;
            };
            let kind = CheckedExprKind::Contains { set: Box::new(set), element: Box::new(element) };
            return Val::sure(self.draft.build(kind, Type::Bool, span));
        }
        // An integer outside the range is in no set over it. This isn't an error.
        let element = match element {
            Val::Expr(n, _) if n.ty == Type::Number && self.draft.range_low(domain).is_some() => {
                Some(self.draft.element_of(n, domain))
            }
            other => self.element(other, domain, element_span).map(|(e, _)| e),
        };
        match element {
            Some(element) => {
                let kind = CheckedExprKind::Contains { set: Box::new(set), element: Box::new(element) };
                Val::sure(self.draft.build(kind, Type::Bool, span))
            }
            None => Val::Poison,
        }
    }

    /// `{a, b} in s`: an integer outside the range is in no set over it.
    fn all_in(&mut self, numbers: Vec<CheckedExpr>, set: CheckedExpr, domain: DomainId, span: Span) -> Val {
        let mut all = self.draft.truth_constant(true, span);
        for n in numbers {
            let at = n.span;
            let Some((element, _)) = self.element(Val::sure(n), domain, at) else { return Val::Poison };
            let set = Box::new(self.draft.copy(&set));
            let one = self.draft.build(
                CheckedExprKind::Contains { set, element: Box::new(element) },
                Type::Bool,
                at,
            );
            all = self.draft.and(all, one, span);
        }
        Val::sure(all)
    }

    /// Checks `a == b`.
    pub(super) fn same(&mut self, a: &'a syntax::Expr, b: &'a syntax::Expr, span: Span) -> Val {
        let x = self.expr(a, None);
        let y = self.expr(b, x.domain());
        if matches!(x, Val::List(..)) || matches!(y, Val::List(..)) {
            return self.compare_lists(ComparisonOperator::Equal, [(x, a.span), (y, b.span)], span);
        }
        // A left side that is a value of several enums takes the domain of the right side.
        self.same_values((x, a.span), (y, b.span), span)
    }

    pub(super) fn same_values(&mut self, a: SpannedValue, b: SpannedValue, span: Span) -> Val {
        if matches!(a.0, Val::Poison) || matches!(b.0, Val::Poison) {
            return Val::Poison;
        }
        let set = |v: &Val| {
            matches!(v, Val::EmptySet(_) | Val::Numbers(..)) || matches!(v.ty(), Some(Type::Set(_)))
        };
        if set(&a.0) || set(&b.0) {
            return self.same_sets(a, b, span);
        }
        if a.0.ty() == Some(Type::Bool) || b.0.ty() == Some(Type::Bool) {
            let (x, y) = (self.draft.truth(a.0, a.1), self.draft.truth(b.0, b.1));
            let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
            return Val::sure(match (constant_truth(&x), constant_truth(&y)) {
                (_, Some(true)) => x,
                (Some(true), _) => y,
                (_, Some(false)) => self.draft.not(x),
                (Some(false), _) => self.draft.not(y),
                _ => self.draft.build(CheckedExprKind::Same(Box::new(x), Box::new(y)), Type::Bool, span),
            });
        }
        // Compare as elements if both have one domain, one isn't a number, or one may be none; otherwise
        // as integers.
        let optional = |v: &Val| matches!(v, Val::None(_) | Val::Expr(_, May::Tested | May::Maybe(_)));
        let element = |v: &Val| match v.ty() {
            Some(Type::Element(d)) => Some(d),
            _ => None,
        };
        let (da, db) = (element(&a.0), element(&b.0));
        if let (Some(x), Some(y)) = (da, db)
            && (x == y || self.draft.range_low(x).is_some() && self.draft.range_low(y).is_some())
            && optional(&a.0)
            && optional(&b.0)
            && (is_missing(&a.0) || is_missing(&b.0))
        {
            return self.same_if_some(a, b, span);
        }
        let domain = match (da, db) {
            (Some(x), Some(y)) if x == y => Some(x),
            (Some(x), None)
                if self.draft.range_low(x).is_none() || optional(&a.0) || matches!(b.0, Val::None(_)) =>
            {
                Some(x)
            }
            (None, Some(y))
                if self.draft.range_low(y).is_none() || optional(&b.0) || matches!(a.0, Val::None(_)) =>
            {
                Some(y)
            }
            // Of two ranges, that of a value that may be none; the other is compared as a number.
            (Some(x), Some(_)) if optional(&a.0) && !optional(&b.0) && self.draft.range_low(x).is_some() => {
                let Some(n) = self.number(b.0, b.1) else { return Val::Poison };
                return self.same_elements(a, (Val::sure(n), b.1), x, span);
            }
            (Some(_), Some(y)) if optional(&b.0) && !optional(&a.0) && self.draft.range_low(y).is_some() => {
                let Some(n) = self.number(a.0, a.1) else { return Val::Poison };
                return self.same_elements((Val::sure(n), a.1), b, y, span);
            }
            (Some(x), Some(y)) if self.draft.range_low(x).is_none() || self.draft.range_low(y).is_none() => {
                let (n, m) = (self.draft.describe(&a.0), self.draft.describe(&b.0));
                let d = Diagnostic::error(
                    Code::TypeMismatch,
                    b.1,
                    format!("these can never be the same: this is {m}"),
                )
                .also(a.1, format!("this is {n}"));
                let meant = self.draft.field_to_compare(x, y);
                self.draft.messages.report(match meant {
                    Some(help) => d.help(help),
                    None => d,
                });
                return Val::Poison;
            }
            _ => None,
        };
        match domain {
            Some(domain) => self.same_elements(a, b, domain, span),
            None => {
                if let (Val::None(_), _) | (_, Val::None(_)) = (&a.0, &b.0) {
                    let (other, at) = if matches!(a.0, Val::None(_)) { b } else { a };
                    let found = self.draft.describe(&other);
                    let d = Diagnostic::error(
                        Code::TypeMismatch,
                        at,
                        format!("this is {found} and never `none`"),
                    );
                    self.draft.messages.report(d);
                    return Val::Poison;
                }
                if let (Val::Ambiguous(name, at), Val::Ambiguous(..)) = (&a.0, &b.0) {
                    self.report_ambiguous(&name.clone(), *at);
                    return Val::Poison;
                }
                let (x, y) = (self.number(a.0, a.1), self.number(b.0, b.1));
                let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
                Val::sure(self.draft.compare(ComparisonOperator::Equal, x, y, span))
            }
        }
    }

    /// Are two values that may both be none the same? A field that is none is the same as nothing.
    fn same_if_some(&mut self, a: SpannedValue, b: SpannedValue, span: Span) -> Val {
        let (Val::Expr(x, _), Val::Expr(y, _)) = (a.0, b.0) else { return Val::Poison };
        let (Type::Element(own), Type::Element(other)) = (x.ty, y.ty) else { return Val::Poison };
        let set = self.draft.elements(vec![y], other, b.1);
        let Some(set) = self.set_as(Val::sure(set), Some(own), Fit::Part, b.1) else { return Val::Poison };
        let kind = CheckedExprKind::Contains { set: Box::new(set), element: Box::new(x) };
        Val::sure(self.draft.build(kind, Type::Bool, span))
    }

    fn same_elements(&mut self, a: SpannedValue, b: SpannedValue, domain: DomainId, span: Span) -> Val {
        let computed = |v: &Val| v.ty() == Some(Type::Number);
        let outside = |c: &Self, v: &Val| match v {
            Val::Expr(e, _) if c.draft.range_low(domain).is_some() => {
                constant_number(e).is_some_and(|n| c.draft.place_in(domain, n).is_none())
            }
            _ => false,
        };
        if outside(self, &a.0) || outside(self, &b.0) {
            return Val::sure(self.draft.truth_constant(false, span));
        }
        let guard = computed(&a.0) || computed(&b.0);
        let (x, y) = (self.element(a.0, domain, a.1), self.element(b.0, domain, b.1));
        let (Some((x, _)), Some((y, _))) = (x, y) else { return Val::Poison };
        let constant = |e: &CheckedExpr| matches!(e.kind, CheckedExprKind::Constant(_));
        let guarded = (guard && !constant(&x) && !constant(&y)).then(|| self.draft.copy(&x));
        let same = self.draft.build(CheckedExprKind::Same(Box::new(x), Box::new(y)), Type::Bool, span);
        // An integer outside the range would become none, and none equals none.
        Val::sure(match guarded {
            Some(x) => {
                let set = self.draft.elements(vec![x], domain, span);
                let some = self.draft.is_some(set, span);
                self.draft.and(some, same, span)
            }
            None => same,
        })
    }

    /// `a < b` and the like. They are false for a field that is none.
    pub(super) fn ordered(
        &mut self,
        op: ComparisonOperator,
        a: SpannedValue,
        b: SpannedValue,
        span: Span,
    ) -> Val {
        match (self.draft.missing_number(&a.0), self.draft.missing_number(&b.0)) {
            (None, None) => {
                let (x, y) = (self.number(a.0, a.1), self.number(b.0, b.1));
                let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
                Val::sure(self.draft.compare(op, x, y, span))
            }
            (Some((x, domain)), None) => {
                let Some(y) = self.number(b.0, b.1) else { return Val::Poison };
                Val::sure(self.draft.with_number(x, domain, span, |c, x| c.compare(op, x, y, span)))
            }
            (None, Some((y, domain))) => {
                let Some(x) = self.number(a.0, a.1) else { return Val::Poison };
                Val::sure(self.draft.with_number(y, domain, span, |c, y| c.compare(op, x, y, span)))
            }
            (Some((x, first)), Some((y, second))) => {
                Val::sure(self.draft.with_number(x, first, span, |c, x| {
                    c.with_number(y, second, span, |c, y| c.compare(op, x, y, span))
                }))
            }
        }
    }

    fn same_sets(&mut self, a: SpannedValue, b: SpannedValue, span: Span) -> Val {
        let domain = self.draft.shared_domain(&a.0, &b.0, None, span);
        // A set with a number outside the domain differs from every set over it. This isn't an error.
        let mut fits = self.draft.truth_constant(true, span);
        let numbers = [&a.0, &b.0].into_iter().filter_map(|v| match v {
            Val::Numbers(numbers, _) => Some(numbers.clone()),
            _ => None,
        });
        for n in numbers.flatten().collect::<Vec<_>>() {
            let Some(domain) = domain.filter(|d| self.draft.range_low(*d).is_some()) else { continue };
            if constant_number(&n).is_none() && !self.draft.surely_in(&n, domain) {
                let n = self.draft.copy(&n);
                let element = self.draft.element_of(n, domain);
                let one = self.draft.elements(vec![element], domain, span);
                let some = self.draft.is_some(one, span);
                fits = self.draft.and(fits, some, span);
            }
        }
        let x = self.set_as(a.0, domain, Fit::Part, a.1);
        let domain = domain.or_else(|| x.as_ref().and_then(crate::values::set_domain));
        let y = self.set_as(b.0, domain, Fit::Part, b.1);
        let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
        let empty = |e: &CheckedExpr| constant_set(e).is_some_and(houserule_model::board::BitSet::is_empty);
        let asked = match (empty(&x), empty(&y)) {
            (_, true) => x,
            (true, _) => y,
            _ => {
                let same =
                    self.draft.build(CheckedExprKind::Same(Box::new(x), Box::new(y)), Type::Bool, span);
                return Val::sure(self.draft.and(fits, same, span));
            }
        };
        let some = self.draft.is_some(asked, span);
        let none = self.draft.not(some);
        Val::sure(self.draft.and(fits, none, span))
    }

    /// `|`, `&`, and `-` of integers or sets.
    pub(super) fn sets_or_difference(
        &mut self,
        op: BinaryOp,
        a: SpannedValue,
        b: SpannedValue,
        want: Option<DomainId>,
        span: Span,
    ) -> Val {
        if matches!(a.0, Val::Poison) || matches!(b.0, Val::Poison) {
            return Val::Poison;
        }
        let setlike = |c: &Self, v: &Val| match v {
            Val::EmptySet(_) | Val::Numbers(..) | Val::None(_) | Val::Ambiguous(..) => true,
            Val::Expr(e, _) => match e.ty {
                Type::Set(_) => true,
                Type::Element(d) => c.draft.range_low(d).is_none(),
                _ => false,
            },
            _ => false,
        };
        if op == BinaryOp::Subtract
            && let Some(help) = self.draft.hyphenated_meant(&a.0, &b.0)
        {
            let message = "a value of an enum has nothing to subtract from";
            let d = Diagnostic::error(Code::TypeMismatch, a.1.to(b.1), message).help(help);
            self.draft.messages.report(d);
            return Val::Poison;
        }
        if op == BinaryOp::Subtract && !setlike(self, &a.0) && !setlike(self, &b.0) {
            return self.arithmetic_of(op, a, b, span);
        }
        // For `&`, and for the right side of `-`, elements outside the domain have no effect.
        let (domain, left, right) = match op {
            BinaryOp::Union => (self.draft.shared_domain(&a.0, &b.0, want, span), Fit::Whole, Fit::Whole),
            BinaryOp::Intersect => (self.draft.common_part(&a.0, &b.0, want, span), Fit::Part, Fit::Part),
            _ => {
                let own = matches!(a.0.ty(), Some(Type::Set(_))).then(|| a.0.domain()).flatten();
                let domain = own.or_else(|| self.draft.shared_domain(&a.0, &b.0, want, span));
                (domain, Fit::Whole, Fit::Part)
            }
        };
        let x = self.set_as(a.0, domain, left, a.1);
        let domain = domain.or_else(|| x.as_ref().and_then(crate::values::set_domain));
        let y = self.set_as(b.0, domain, right, b.1);
        let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
        let ty = x.ty;
        let (x, y) = (Box::new(x), Box::new(y));
        let kind = match op {
            BinaryOp::Union => CheckedExprKind::Union(x, y),
            BinaryOp::Intersect => CheckedExprKind::Intersect(x, y),
            _ => CheckedExprKind::Minus(x, y),
        };
        Val::sure(self.draft.build(kind, ty, span))
    }

    pub(super) fn arithmetic_of(
        &mut self,
        op: BinaryOp,
        a: SpannedValue,
        b: SpannedValue,
        span: Span,
    ) -> Val {
        if op == BinaryOp::Add
            && let Some(Type::Set(_)) = a.0.ty()
        {
            let found = self.draft.describe(&a.0);
            let d = Diagnostic::error(Code::TypeMismatch, a.1, format!("expected a number, found {found}"))
                .help("sets are joined with `|`: `a | b`");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        let counts = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply);
        let [a, b] = [a, b].map(|value| if counts { self.draft.counting(value) } else { value });
        let (x, y) = (self.number(a.0, a.1), self.number(b.0, b.1));
        let (Some(x), Some(y)) = (x, y) else { return Val::Poison };
        let op = match op {
            BinaryOp::Add => Arithmetic::Add,
            BinaryOp::Multiply => Arithmetic::Multiply,
            BinaryOp::Divide => Arithmetic::Divide,
            BinaryOp::Modulo => Arithmetic::Modulo,
            _ => Arithmetic::Subtract,
        };
        if matches!(op, Arithmetic::Divide | Arithmetic::Modulo)
            && constant_number(&y) == Some(0)
            && !self.draft.is_dead()
        {
            self.draft.messages.error(Code::DivisionByZero, span, "this divides by zero");
            return Val::Poison;
        }
        Val::sure(self.draft.arithmetic(op, x, y, span))
    }

    /// Checks `value is NAME`.
    pub(super) fn is(&mut self, value: &'a syntax::Expr, negated: bool, name: &'a Name, span: Span) -> Val {
        let v = self.expr(value, None);
        if let Some(function) = Function::named(&name.text).filter(|function| PROPERTIES.contains(function)) {
            self.recorder.refer_to_function(name.span, function);
        }
        let positive = match name.text.as_str() {
            // A test of what is known to be there, as after an earlier test.
            "some" | "nothing" if matches!(&v, Val::Expr(e, _) if e.ty == Type::Number) => {
                Val::sure(self.draft.truth_constant(name.text == "some", span))
            }
            "some" | "nothing" => match self.set(v, None, value.span) {
                Some(set) => {
                    let some = self.draft.is_some(set, span);
                    Val::sure(if name.text == "some" { some } else { self.draft.not(some) })
                }
                None => Val::Poison,
            },
            "double" => self.draft.is_double(v, value.span, span),
            _ => match self.define_decl(name) {
                Some(decl) => self.expand(decl, Use::Is(v), span),
                None => {
                    self.report_unknown_property(name, &v, negated);
                    Val::Poison
                }
            },
        };
        if !negated {
            return positive;
        }
        match self.draft.truth(positive, span) {
            Some(truth) => Val::sure(self.draft.not(truth)),
            None => Val::Poison,
        }
    }

    fn report_unknown_property(&mut self, name: &Name, value: &Val, negated: bool) {
        if self.names.declared.get(name.text.as_str()).is_some_and(|d| {
            matches!(
                &d.state,
                crate::names::name_table::ResolutionState::Done(crate::names::name_table::Entity::Poison)
            )
        }) {
            return;
        }
        let defines = self.input.game.decls.iter().filter_map(|d| match &d.kind {
            syntax::DeclKind::Define { name, params, .. } if params.len() == 1 => Some(name.text.as_str()),
            _ => None,
        });
        let functions = PROPERTIES.iter().map(|function| function.name());
        let known: Vec<&str> = functions.chain(defines).collect();
        let mut d = Diagnostic::error(
            Code::UnknownProperty,
            name.span,
            format!("`is {}` means nothing here", name.text),
        )
        .note("expected `some`, `nothing`, `double` or a define of one parameter");
        let better = did_you_mean(&name.text, known).map(|better| format!("did you mean `{better}`?"));
        if let Some(help) = better.or_else(|| self.property_meant(name, value, negated)) {
            d = d.help(help);
        }
        self.draft.messages.report(d);
    }
}

impl Draft {
    pub(super) fn unequal(&mut self, same: CheckedExpr) -> CheckedExpr {
        match same.kind {
            CheckedExprKind::Compare(ComparisonOperator::Equal, a, b) => {
                self.compare(ComparisonOperator::NotEqual, *a, *b, same.span)
            }
            _ => self.not(same),
        }
    }

    /// A field that may be none, and its range.
    fn missing_number(&mut self, value: &Val) -> Option<(CheckedExpr, DomainId)> {
        let Val::Expr(e, May::Tested | May::Maybe(_)) = value else { return None };
        let Type::Element(domain) = e.ty else { return None };
        (is_missing(value) && self.range_low(domain).is_some()).then(|| (self.copy(e), domain))
    }

    /// Is an element some, and does a condition hold for its number?
    fn with_number(
        &mut self,
        element: CheckedExpr,
        domain: DomainId,
        span: Span,
        condition: impl FnOnce(&mut Self, CheckedExpr) -> CheckedExpr,
    ) -> CheckedExpr {
        let is_short = match &element.kind {
            CheckedExprKind::Field(_, of) => match &of.kind {
                CheckedExprKind::Local(_) | CheckedExprKind::Constant(_) => true,
                CheckedExprKind::Read(target) => target.index.is_empty(),
                _ => false,
            },
            _ => true,
        };
        if is_short {
            let again = self.copy(&element);
            let number = self.value_of(again);
            let set = self.elements(vec![element], domain, span);
            let some = self.is_some(set, span);
            let holds = condition(self, number);
            return self.and(some, holds, span);
        }
        // The element is found only once.
        let local = self.new_local("it", Type::Element(domain), span);
        let it = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let number = self.value_of(it);
        let over = self.elements(vec![element], domain, span);
        let holds = condition(self, number);
        self.quantified(Quantifier::Any, local, over, holds, Type::Bool, span)
    }
}

/// Is this a field that may be none?
fn is_missing(value: &Val) -> bool {
    let Val::Expr(e, May::Tested | May::Maybe(_)) = value else { return false };
    matches!(e.kind, CheckedExprKind::Field(..) | CheckedExprKind::Constant(Value::Element(None)))
}
