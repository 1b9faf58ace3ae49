//! Domains of sets: the domain that a set gets, the smallest range for several sets or numbers, and
//! errors where a set doesn't fit. No element is dropped silently.

use crate::checker::Checker;
use crate::checker::locals::Inferred;
use crate::draft::Draft;
use crate::values::{May, Val, constant_number, constant_set};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{Name, Quantifier};
use houserule_model::board::BitSet;
use houserule_model::*;

/// How elements outside the target domain are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// They are an error.
    Whole,
    /// They are dropped: the context is like `a & b`, where they have no effect.
    Part,
}

/// A statically known range of numbers.
#[derive(Clone, Copy, Debug)]
enum KnownRange {
    Domain(DomainId),
    Range(i64, i64),
}

impl Checker<'_> {
    /// Converts `{1, 3}` to a set over a range: `want`, or the range of its numbers.
    pub(super) fn number_set(
        &mut self,
        numbers: Vec<CheckedExpr>,
        want: Option<DomainId>,
        fit: Fit,
        span: Span,
    ) -> Option<CheckedExpr> {
        let domain = match want {
            Some(d) if self.draft.range_low(d).is_some() => d,
            Some(d) => {
                let wanted = format!("a set over `{}`", self.draft.domain_name(d));
                self.draft.report_mismatch(span, &wanted, &Val::Numbers(numbers, span));
                return None;
            }
            None => self.draft.numbers_domain(&numbers, span)?,
        };
        let mut elements = vec![];
        for n in numbers {
            elements.push(self.member(n, domain, fit)?);
        }
        Some(self.draft.elements(elements, domain, span))
    }

    /// Converts an integer to an element of a set over a range. If it may be outside, that is a run-time
    /// error, unless `fit` is [`Fit::Part`].
    pub(super) fn member(&mut self, n: CheckedExpr, domain: DomainId, fit: Fit) -> Option<CheckedExpr> {
        let (at, sure) = (n.span, self.draft.surely_in(&n, domain));
        let element = self.element(Val::sure(n), domain, at)?.0;
        if sure || matches!(element.kind, CheckedExprKind::Constant(_)) || fit == Fit::Part {
            return Some(element);
        }
        // Looks up the element in a table of all elements, because a table index that is none is a
        // run-time error.
        let table = self.draft.every_element(domain);
        Some(self.draft.build(CheckedExprKind::Table(table, vec![element]), Type::Element(domain), at))
    }

    /// Converts a value to the content of a variable, or of a local with a type.
    pub(crate) fn fitting(&mut self, v: Val, content: Content, span: Span) -> Option<(CheckedExpr, May)> {
        let (e, may) = match content {
            Content::Element { domain, optional: true } => self.element(v, domain, span)?,
            Content::Element { domain, optional: false } => (self.some_element(v, domain, span)?, May::Never),
            _ => self.settle(v, Some(crate::resolution::lookup::content_type(content)), span)?,
        };
        if let (Content::Number { low, high }, CheckedExprKind::Constant(Value::Number(n))) =
            (content, &e.kind)
            && !self.draft.within(*n, low, high, span)
        {
            return None;
        }
        Some((e, may))
    }

    // ---- locals without a type ----

    /// The domain of a `let` inferred in an earlier run, if any.
    pub(crate) fn inferred(&mut self, name: &Name) -> Option<DomainId> {
        match self.inference.domain(name.span)?.clone() {
            Inferred::Range(low, high) => self.draft.range_domain(low, high, name.span),
            Inferred::Named(name) => {
                let at = self.draft.model.domains.iter().position(|domain| domain.name == name)?;
                Some(DomainId(at as u32))
            }
        }
    }

    /// Widens the domain of a `let` so that it also contains `value`. Returns the wider domain, which
    /// the next run of the checker uses.
    pub(crate) fn widen(&mut self, declared: Span, own: Option<DomainId>, value: &Val) -> Option<DomainId> {
        let mut all = self.draft.known_of(value);
        all.extend(own.map(KnownRange::Domain));
        let same = all.iter().all(|known| self.draft.known_ends(*known).is_some())
            || matches!(all.as_slice(), [KnownRange::Domain(_)]);
        if !same {
            return own;
        }
        let hull = self.draft.smallest_range(&all, declared)?;
        if Some(hull) != own {
            let plain = self.draft.ranges.values().any(|domain| *domain == hull);
            let inferred = match self.draft.range_ends(hull) {
                Some((low, high)) if plain => Inferred::Range(low, high),
                _ => Inferred::Named(self.draft.domain_name(hull).to_owned()),
            };
            self.inference.widen(declared, inferred);
        }
        Some(hull)
    }

    /// Reports every `let s = {}` whose uses don't show its domain.
    pub(crate) fn report_open(&mut self) {
        for value in self.inference.open_values() {
            self.draft.messages.report_unknown_set(value);
        }
    }

    /// Reports a `let` whose range grew with every run of the checker.
    pub(crate) fn report_widening(&mut self) {
        let Some(at) = self.inference.first() else { return };
        let d = Diagnostic::error(
            Code::UnknownDomain,
            at,
            "the range of this set grows with every value it is given",
        )
        .help("write its type: `let s: set of 0..99 = …`");
        self.draft.messages.report(d);
    }
}

impl Draft {
    /// The domain of `a & b`: `want` if it contains all common elements, else one that contains both.
    pub(super) fn common_part(
        &mut self,
        a: &Val,
        b: &Val,
        want: Option<DomainId>,
        span: Span,
    ) -> Option<DomainId> {
        let (x, y) = match (a.domain(), b.domain()) {
            (Some(x), Some(y)) if x != y => (x, y),
            (None, None) => return self.shared_domain(a, b, want, span),
            (x, y) => return x.or(y),
        };
        if let (Some(want), Some((low_x, high_x)), Some((low_y, high_y))) =
            (want, self.range_ends(x), self.range_ends(y))
            && let Some((low, high)) = self.range_ends(want)
            && low <= low_x.max(low_y)
            && high_x.min(high_y) <= high
        {
            return Some(want);
        }
        self.wider_range(x, y).or(Some(x))
    }

    /// The range that certainly contains a number. Dice count as rolled.
    fn known_number(&self, e: &CheckedExpr) -> Option<KnownRange> {
        let range = |low, high| Some(KnownRange::Range(low, high));
        match &e.kind {
            CheckedExprKind::Constant(Value::Number(n)) => range(*n, *n),
            CheckedExprKind::ValueOf(inner) => match inner.ty {
                Type::Element(domain) => Some(KnownRange::Domain(domain)),
                _ => None,
            },
            CheckedExprKind::Read(target) => {
                let slot = &self.model.slots[target.slot.index()];
                match (slot.role, slot.content) {
                    (Role::Dice { faces, .. }, _) => range(1, i64::from(faces)),
                    (_, Content::Number { low, high }) if high.checked_sub(low)? < limits::DOMAIN => {
                        range(low, high)
                    }
                    _ => None,
                }
            }
            CheckedExprKind::RowOf(board, _) => {
                range(1, i64::from(self.model.boards[board.index()].topology.height()))
            }
            CheckedExprKind::ColumnOf(board, _) => {
                range(1, i64::from(self.model.boards[board.index()].topology.width()))
            }
            CheckedExprKind::Table(id, _) => match self.fields.values().find(|field| field.table == *id) {
                Some(field) => Some(KnownRange::Domain(field.of)),
                None => {
                    let values = &self.model.tables.get(id.index())?.values;
                    let (low, high) = (*values.iter().min()?, *values.iter().max()?);
                    (high.checked_sub(low)? < limits::DOMAIN).then_some(KnownRange::Range(low, high))
                }
            },
            _ => None,
        }
    }

    /// The least and the greatest number that a simple expression can be.
    pub(super) fn known_limits(&self, e: &CheckedExpr) -> Option<(i64, i64)> {
        self.known_ends(self.known_number(e)?)
    }

    /// The static knowledge of the elements of a value.
    fn known_of(&self, value: &Val) -> Vec<KnownRange> {
        match value {
            Val::Numbers(numbers, _) => numbers.iter().filter_map(|n| self.known_number(n)).collect(),
            Val::Expr(e, _) => match e.ty {
                Type::Set(domain) | Type::Element(domain) => vec![KnownRange::Domain(domain)],
                Type::Number => self.known_number(e).into_iter().collect(),
                Type::Bool => vec![],
            },
            _ => vec![],
        }
    }

    /// The smallest range that contains all of these, one of their own domains if possible.
    fn smallest_range(&mut self, all: &[KnownRange], span: Span) -> Option<DomainId> {
        let domain = all.iter().find_map(|known| match known {
            KnownRange::Domain(domain) => Some(*domain),
            KnownRange::Range(..) => None,
        });
        if let Some(domain) = domain
            && self.range_ends(domain).is_none()
        {
            return Some(domain);
        }
        let ends: Option<Vec<(i64, i64)>> = all.iter().map(|known| self.known_ends(*known)).collect();
        let ends = ends?;
        let low = ends.iter().map(|(low, _)| *low).min()?;
        let high = ends.iter().map(|(_, high)| *high).max()?;
        let holds_all = |known: &KnownRange| match known {
            KnownRange::Domain(domain) => (self.range_ends(*domain) == Some((low, high))).then_some(*domain),
            KnownRange::Range(..) => None,
        };
        match all.iter().find_map(holds_all) {
            Some(domain) => Some(domain),
            None => self.range_domain(low, high, span),
        }
    }

    /// A domain that contains both values: their own if possible, else `want`, else a new range.
    pub(super) fn shared_domain(
        &mut self,
        a: &Val,
        b: &Val,
        want: Option<DomainId>,
        span: Span,
    ) -> Option<DomainId> {
        let of_sets: Vec<KnownRange> =
            [a.domain(), b.domain()].into_iter().flatten().map(KnownRange::Domain).collect();
        let all = [self.known_of(a), self.known_of(b)].concat();
        if of_sets.is_empty() {
            return match (want, all.is_empty()) {
                (Some(want), _) => Some(want),
                (None, true) => None,
                (None, false) => self.smallest_range(&all, span),
            };
        }
        let own = self.smallest_range(&of_sets, span)?;
        let fits = |c: &Self, domain: DomainId| match c.range_ends(domain) {
            Some((low, high)) => all
                .iter()
                .all(|known| c.known_ends(*known).is_some_and(|(from, to)| low <= from && to <= high)),
            None => true,
        };
        match want {
            _ if fits(self, own) => Some(own),
            Some(want) if self.range_ends(want).is_some() && self.contains_domain(want, own) => Some(want),
            _ => self.smallest_range(&all, span),
        }
    }

    /// The range for a set of integers: the smallest one that contains all whose ranges are known.
    pub(super) fn numbers_domain(&mut self, numbers: &[CheckedExpr], span: Span) -> Option<DomainId> {
        let all: Vec<KnownRange> = numbers.iter().filter_map(|n| self.known_number(n)).collect();
        // Constants alone don't show the range of the other numbers.
        let constant = |n: &CheckedExpr| constant_number(n).is_some();
        if all.is_empty()
            || (all.len() < numbers.len() && numbers.iter().filter(|n| constant(n)).count() == all.len())
        {
            let d = Diagnostic::error(
                Code::UnknownDomain,
                span,
                "it can't be told of which numbers this is a set",
            )
            .help(
                "say it with a range, `{ n in 1..6 where … }`, or write the type: `let s: set of 1..6 = …`",
            );
            self.messages.report(d);
            return None;
        }
        self.smallest_range(&all, span)
    }

    /// Returns `true` if a number is statically known to be in a range.
    pub(super) fn surely_in(&self, n: &CheckedExpr, domain: DomainId) -> bool {
        let known = self.known_number(n).and_then(|known| self.known_ends(known));
        matches!((known, self.range_ends(domain)), (Some((from, to)), Some((low, high))) if low <= from && to <= high)
    }

    /// The first and the last number of a range domain.
    fn range_ends(&self, domain: DomainId) -> Option<(i64, i64)> {
        let low = self.range_low(domain)?;
        Some((low, low + i64::from(self.model.domains[domain.index()].size) - 1))
    }

    /// Returns `true` if `whole` contains all elements of `part`.
    fn contains_domain(&self, whole: DomainId, part: DomainId) -> bool {
        match (self.range_ends(whole), self.range_ends(part)) {
            (Some((low, high)), Some((from, to))) => low <= from && to <= high,
            _ => whole == part,
        }
    }

    fn known_ends(&self, known: KnownRange) -> Option<(i64, i64)> {
        match known {
            KnownRange::Domain(domain) => self.range_ends(domain),
            KnownRange::Range(low, high) => Some((low, high)),
        }
    }

    /// The table that maps every element of a domain to itself.
    fn every_element(&mut self, domain: DomainId) -> TableId {
        let name = format!("each of {}", self.domain_name(domain));
        let same = |table: &ConstantTable| table.index == [domain] && table.name == name;
        let known = self.model.tables.iter().position(same);
        let at = known.unwrap_or_else(|| {
            let values = (0..i64::from(self.size(domain))).collect();
            self.model.tables.push(ConstantTable { name: name.clone(), index: vec![domain], values });
            self.model.tables.len() - 1
        });
        TableId(at as u32)
    }

    /// Converts a set over one range to a set over another.
    pub(super) fn convert_set(
        &mut self,
        e: CheckedExpr,
        from: DomainId,
        to: DomainId,
        fit: Fit,
        span: Span,
    ) -> Option<CheckedExpr> {
        let (Some(low), Some(new)) = (self.range_low(from), self.range_low(to)) else {
            let wanted = format!("a set over `{}`", self.domain_name(to));
            self.report_mismatch(span, &wanted, &Val::sure(e));
            return None;
        };
        let at = e.span;
        if let Some(set) = constant_set(&e) {
            let size = self.size(to);
            let place = |n: i64| u32::try_from(n - new).ok().filter(|place| *place < size);
            let (mut moved, mut outside) = (BitSet::empty(size), None);
            for n in set.iter().map(|element| low + i64::from(element)) {
                match place(n) {
                    Some(place) => moved.insert(place),
                    None => outside = outside.or(Some(n)),
                }
            }
            return match outside.filter(|_| fit == Fit::Whole) {
                Some(n) => {
                    self.report_outside(n, to, span);
                    None
                }
                None => Some(self.build(CheckedExprKind::Constant(Value::Set(moved)), Type::Set(to), at)),
            };
        }
        if fit == Fit::Whole && !self.contains_domain(to, from) {
            self.report_misfit(from, to, span);
            return None;
        }
        let local = self.new_local("n", Type::Element(from), at);
        let element = self.build(CheckedExprKind::Local(local), Type::Element(from), at);
        let number = self.value_of(element);
        let element = self.element_of(number, to);
        let body = self.elements(vec![element], to, at);
        let kind = CheckedExprKind::Quantified {
            op: Quantifier::Union,
            local,
            over: Box::new(e),
            body: Box::new(body),
        };
        Some(self.build(kind, Type::Set(to), at))
    }

    fn report_misfit(&mut self, from: DomainId, to: DomainId, span: Span) {
        if self.is_dead() {
            return;
        }
        let (is, wanted) = (self.domain_name(from).to_owned(), self.domain_name(to).to_owned());
        let d = Diagnostic::error(
            Code::SetDoesNotFit,
            span,
            format!("a set of `{is}` does not fit into a set of `{wanted}`"),
        )
        .label(format!("this is a set of `{is}`"))
        .help(format!("write `… & ({wanted})` to keep what fits, or declare the other as `set of {is}`"));
        self.messages.report(d);
    }
}
