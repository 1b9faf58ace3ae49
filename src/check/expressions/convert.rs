//! The conversion of values to an integer, a boolean, an element or a set where one of these is required.

use super::fit::Fit;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::{May, Val, set_domain};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::*;

impl Checker<'_> {
    /// Returns the range of the dice with a face of this name, and its place there.
    pub(super) fn face(&self, name: &str) -> Option<(DomainId, u32)> {
        let values = self.names.values.get(name)?;
        values.iter().find(|(domain, _)| self.draft.range_low(*domain).is_some()).copied()
    }

    /// Makes a number of a name that is a face of dice and a value of an enum, too.
    pub(super) fn as_face(&mut self, value: Val) -> Val {
        if let Val::Ambiguous(name, at) = &value
            && let Some((domain, place)) = self.face(name)
        {
            self.recorder.refer_to_element(*at, domain, place);
            return Val::sure(self.draft.constant_element(domain, place, *at));
        }
        value
    }

    /// Makes numbers of the faces among values of which one is a number.
    #[inline(never)]
    pub(super) fn faces_among_numbers(&mut self, values: Vec<(Val, Span)>) -> Vec<(Val, Span)> {
        if !values.iter().any(|(value, _)| self.draft.is_number(value)) {
            return values;
        }
        values.into_iter().map(|(value, at)| (self.as_face(value), at)).collect()
    }

    /// Converts a value to an integer. Elements of range domains are numbers.
    pub(crate) fn number(&mut self, value: Val, span: Span) -> Option<CheckedExpr> {
        match self.as_face(value) {
            Val::Expr(e, may) => match e.ty {
                Type::Number => Some(e),
                Type::Element(d) if self.draft.range_low(d).is_some() => {
                    if let May::Maybe(origin) = may {
                        self.report_may_be_none(span, origin);
                        return None;
                    }
                    Some(self.draft.value_of(e))
                }
                _ => {
                    self.draft.report_mismatch(span, "a number", &Val::Expr(e, may));
                    None
                }
            },
            Val::Dice(dice, at) if dice.count == 1 => {
                let one = self.draft.constant_element(self.draft.die_domain(&dice), 0, at);
                let mut index = dice.index;
                index.push(one);
                Some(self.draft.build(
                    CheckedExprKind::Read(Target { slot: dice.slot, index }),
                    Type::Number,
                    at,
                ))
            }
            other => {
                self.draft.report_mismatch(span, "a number", &other);
                None
            }
        }
    }

    /// Converts a value to an element that is never none.
    pub(crate) fn some_element(&mut self, value: Val, domain: DomainId, span: Span) -> Option<CheckedExpr> {
        let (e, may) = self.element(value, domain, span)?;
        if let May::Maybe(origin) = may {
            self.report_may_be_none(span, origin);
            return None;
        }
        Some(e)
    }

    /// Converts a value to an element, and returns whether it may be none. An integer, converted at run
    /// time, counts as never none.
    pub(crate) fn element(&mut self, value: Val, domain: DomainId, span: Span) -> Option<(CheckedExpr, May)> {
        let of_teams = self.names.team_domain == Some(domain);
        let value = if of_teams { self.team_itself(value, span) } else { value };
        match value {
            Val::Expr(e, may) if e.ty == Type::Element(domain) => Some((e, may)),
            Val::None(at) => {
                let kind = CheckedExprKind::Constant(Value::Element(None));
                Some((self.draft.build(kind, Type::Element(domain), at), May::Maybe(None)))
            }
            Val::Ambiguous(name, at) => match self.names.enum_value(domain, &name) {
                Some(i) => {
                    self.recorder.refer_to_element(at, domain, i);
                    Some((self.draft.constant_element(domain, i, at), May::Never))
                }
                None if self.draft.range_low(domain).is_some() && self.face(&name).is_some() => {
                    let face = self.as_face(Val::Ambiguous(name, at));
                    self.element(face, domain, span)
                }
                None => {
                    self.draft.report_no_value(&name, domain, at);
                    None
                }
            },
            value if self.draft.range_low(domain).is_some() => {
                if let Val::Expr(e, _) = &value
                    && let Type::Set(_) = e.ty
                {
                    let wanted = format!("an element of `{}`", self.draft.domain_name(domain));
                    self.draft.report_mismatch(span, &wanted, &value);
                    return None;
                }
                let n = self.number(value, span)?;
                if let CheckedExprKind::Constant(Value::Number(n)) = n.kind
                    && self.draft.place_in(domain, n).is_none()
                {
                    self.draft.report_outside(n, domain, span);
                    return None;
                }
                Some((self.draft.element_of(n, domain), May::Never))
            }
            other => {
                let wanted = format!("an element of `{}`", self.draft.domain_name(domain));
                self.draft.report_mismatch(span, &wanted, &other);
                None
            }
        }
    }

    /// Converts a value to a set over `want`, or over its own domain if `want` is `None`. Reports an
    /// error if it doesn't fit.
    pub(crate) fn set(&mut self, value: Val, want: Option<DomainId>, span: Span) -> Option<CheckedExpr> {
        self.set_as(value, want, Fit::Whole, span)
    }

    /// Like [`Self::set`]. With [`Fit::Part`], elements outside the domain are dropped.
    pub(super) fn set_as(
        &mut self,
        value: Val,
        want: Option<DomainId>,
        fit: Fit,
        span: Span,
    ) -> Option<CheckedExpr> {
        match (value, want) {
            (Val::Part(part), want) => {
                let kinds = self.draft.elements(part.kinds, part.domain, span);
                self.set_as(Val::sure(kinds), want, fit, span)
            }
            (Val::Expr(e, _), want) if matches!(e.ty, Type::Set(_)) => {
                let own = set_domain(&e)?;
                match want {
                    Some(d) if d != own => self.draft.convert_set(e, own, d, fit, span),
                    _ => Some(e),
                }
            }
            (Val::Expr(e, may), want) if matches!(e.ty, Type::Element(_)) => {
                let Type::Element(own) = e.ty else { return None };
                match want {
                    Some(d)
                        if d != own
                            && self.draft.range_low(own).is_some()
                            && self.draft.range_low(d).is_some() =>
                    {
                        let n = self.number(Val::Expr(e, may), span)?;
                        let e = self.member(n, d, fit)?;
                        Some(self.draft.elements(vec![e], d, span))
                    }
                    Some(d) if d != own => {
                        let (e, _) = self.element(Val::Expr(e, may), d, span)?;
                        Some(self.draft.elements(vec![e], d, span))
                    }
                    _ => Some(self.draft.elements(vec![e], own, span)),
                }
            }
            (Val::EmptySet(at) | Val::None(at), Some(d)) => Some(self.draft.empty_set(d, at)),
            (Val::Numbers(numbers, at), want) => self.number_set(numbers, want, fit, at),
            (value @ Val::Ambiguous(..), Some(d)) => {
                let (e, _) = self.element(value, d, span)?;
                Some(self.draft.elements(vec![e], d, span))
            }
            (Val::Ambiguous(name, at), None) => {
                self.report_ambiguous(&name, at);
                None
            }
            (Val::EmptySet(at) | Val::None(at), None) => {
                self.draft.messages.report_unknown_set(at);
                None
            }
            (Val::Expr(e, _), Some(d)) if e.ty == Type::Number && self.draft.range_low(d).is_some() => {
                let e = self.member(e, d, fit)?;
                Some(self.draft.elements(vec![e], d, span))
            }
            (other, want) => {
                let wanted = match want {
                    Some(d) => format!("a set over `{}`", self.draft.domain_name(d)),
                    None => "a set".into(),
                };
                self.draft.report_mismatch(span, &wanted, &other);
                None
            }
        }
    }

    pub(super) fn report_ambiguous(&mut self, name: &str, span: Span) {
        let mut meanings: Vec<String> = vec![];
        for (domain, place) in self.names.values.get(name).into_iter().flatten() {
            let meaning = match self.draft.range_low(*domain) {
                Some(low) => format!("`{}`, the number of the face of the dice", low + i64::from(*place)),
                None => format!("`{}.{name}`", self.draft.domain_name(*domain)),
            };
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        let message = match self.face(name) {
            Some(_) => format!("`{name}` is both a face of dice and a value of an enum"),
            None => format!("more than one enum has a value `{name}`"),
        };
        let d = Diagnostic::error(Code::AmbiguousName, span, message)
            .help(format!("say which: {}", meanings.join(" or ")));
        self.draft.messages.report(d);
    }

    /// Converts a value to an expression, of type `want` if given: for `let`, arguments and `==`.
    pub(crate) fn settle(
        &mut self,
        value: Val,
        want: Option<Type>,
        span: Span,
    ) -> Option<(CheckedExpr, May)> {
        match want {
            Some(Type::Number) => self.number(value, span).map(|e| (e, May::Never)),
            Some(Type::Bool) => self.draft.truth(value, span).map(|e| (e, May::Never)),
            Some(Type::Element(d)) => self.element(value, d, span),
            Some(Type::Set(d)) => self.set(value, Some(d), span).map(|e| (e, May::Never)),
            None => match value {
                Val::Expr(e, may) => Some((e, may)),
                Val::Dice(..) => self.number(value, span).map(|e| (e, May::Never)),
                Val::Numbers(..) | Val::EmptySet(_) | Val::None(_) | Val::Ambiguous(..) | Val::Part(_) => {
                    self.set(value, None, span).map(|e| (e, May::Never))
                }
                other => {
                    self.draft.report_mismatch(span, "a value", &other);
                    None
                }
            },
        }
    }
}

impl Draft {
    pub(crate) fn domain_name(&self, domain: DomainId) -> &str {
        &self.model.domains[domain.index()].name
    }

    /// A description of a value, for messages.
    pub(crate) fn describe(&self, value: &Val) -> String {
        match value {
            Val::Expr(e, _) => match e.ty {
                Type::Number => "a number".into(),
                Type::Bool => "a truth value".into(),
                Type::Element(d) if self.range_low(d).is_some() => "a number".into(),
                Type::Element(d) => format!("an element of `{}`", self.domain_name(d)),
                Type::Set(d) => format!("a set over `{}`", self.domain_name(d)),
            },
            Val::None(_) => "`none`".into(),
            Val::EmptySet(_) => "a set".into(),
            Val::Numbers(..) => "a set of numbers".into(),
            Val::Ambiguous(..) => "a value of an enum".into(),
            Val::Points(..) => "a table of points".into(),
            Val::Dice(..) => "several dice".into(),
            Val::List(..) => "a list".into(),
            Val::Part(part) => format!("copies of `{}`", self.domain_name(part.domain)),
            Val::Poison => "unknown".into(),
        }
    }

    pub(crate) fn report_mismatch(&mut self, span: Span, wanted: &str, value: &Val) {
        if matches!(value, Val::Poison) {
            return;
        }
        if let Val::List(..) = value {
            let d = Diagnostic::error(Code::Misplaced, span, "a list isn't allowed here")
                .help("for a set write `{a, b}`; a list is compared with a list, or follows `best … by`");
            return self.messages.report(d);
        }
        let found = self.describe(value);
        let mut d = Diagnostic::error(Code::TypeMismatch, span, format!("expected {wanted}, found {found}"))
            .label(format!("this is {found}"));
        match value {
            Val::Expr(e, _) if matches!(e.ty, Type::Set(_)) && wanted.starts_with("a number") => {
                d = d.help("`count(…)` says how many elements a set has");
            }
            Val::Expr(e, _) if matches!(e.ty, Type::Set(_)) && wanted.starts_with("a truth") => {
                d = d.help("write `… is some` or `… is nothing` to test whether a set has an element");
            }
            Val::Expr(e, _) if e.ty == Type::Bool && wanted.starts_with("a number") => {
                d = d.help(
                    "`if … then 1 else 0` is a number; `count x in S: …` counts for how many it is true",
                );
            }
            Val::Expr(e, _) if e.ty == Type::Set(PLAYER) && wanted == "an element of `team`" => {
                d = d.help(
                    "`team(p)` is the team of p where a team is needed; `let side: team = team(me)` gives it a name",
                );
            }
            Val::Expr(e, _) if matches!(e.ty, Type::Set(_)) && wanted.starts_with("an element") => {
                d = d.help("`lowest(…)` is one element of a set");
            }
            Val::Expr(e, _) if self.is_of_enum(e.ty) && wanted.starts_with("a number") => {
                d = d.help(
                    "values of an enum are no numbers: `==` and `in` compare them; a number for each is a table, \
                     `table strength[rank]: 1..9 = […]`",
                );
            }
            Val::Dice(dice, _) => {
                let name = self.model.slots[dice.slot.index()].name.clone();
                d = d.help(format!("`{name}[1]` is the first of them, `sum({name})` is their sum"));
            }
            Val::Expr(e, _) => {
                let meant = match e.ty {
                    Type::Element(domain) if wanted.starts_with("a number") => self.number_meant(domain),
                    Type::Number => {
                        self.domain_wanted(wanted).and_then(|domain| self.element_for_number(domain))
                    }
                    Type::Element(domain) | Type::Set(domain)
                        if wanted == "a set of sites"
                            && domain != PLAYER
                            && self.range_low(domain).is_none() =>
                    {
                        Some(
                            "what is in a zone is on no board: `move … to ZONE` takes it elsewhere"
                                .to_owned(),
                        )
                    }
                    _ => None,
                };
                if let Some(help) = meant {
                    d = d.help(help);
                }
            }
            _ => {}
        }
        self.messages.report(d);
    }

    /// The domain of which an element is wanted, by the words of the message.
    fn domain_wanted(&self, wanted: &str) -> Option<DomainId> {
        let name = wanted.strip_prefix("an element of `")?.strip_suffix('`')?;
        let at = self.model.domains.iter().position(|domain| domain.name == name)?;
        Some(DomainId(at as u32))
    }

    fn is_of_enum(&self, ty: Type) -> bool {
        matches!(ty, Type::Element(domain) if matches!(self.model.domains[domain.index()].kind, DomainKind::Enum(_)))
    }

    /// Converts a value to a boolean.
    pub(crate) fn truth(&mut self, value: Val, span: Span) -> Option<CheckedExpr> {
        match value {
            Val::Expr(e, _) if e.ty == Type::Bool => Some(e),
            other => {
                self.report_mismatch(span, "a truth value", &other);
                None
            }
        }
    }

    /// Reports a constant outside a range domain.
    pub(super) fn report_outside(&mut self, n: i64, domain: DomainId, span: Span) {
        if !self.is_dead() {
            let name = self.domain_name(domain);
            let d = Diagnostic::error(Code::OutOfRange, span, format!("{n} is outside `{name}`"))
                .note(self.range_words(domain));
            self.messages.report(d);
        }
    }

    fn range_words(&self, domain: DomainId) -> String {
        let size = i64::from(self.model.domains[domain.index()].size);
        let low = self.range_low(domain).unwrap_or(0);
        format!("expected a number from {low} to {}", low + size - 1)
    }

    /// The index of a number in a range domain.
    pub(super) fn place_in(&self, domain: DomainId, n: i64) -> Option<u32> {
        let place = n.checked_sub(self.range_low(domain)?)?;
        u32::try_from(place).ok().filter(|p| *p < self.model.domains[domain.index()].size)
    }

    fn report_no_value(&mut self, name: &str, domain: DomainId, span: Span) {
        let known = self.enum_names(domain);
        let of = self.domain_name(domain).to_string();
        let mut d = Diagnostic::error(Code::UnknownName, span, format!("`{of}` has no value `{name}`"));
        if !known.is_empty() {
            d = d.note(format!("its values are {}", known.join(", ")));
        }
        self.messages.report(d);
    }

    /// Converts a value to a table of points.
    pub(crate) fn points(&mut self, value: Val, span: Span) -> Option<PointsTable> {
        match value {
            Val::Points(points) => Some(points),
            other => {
                self.report_mismatch(span, "a table of points", &other);
                None
            }
        }
    }
}
