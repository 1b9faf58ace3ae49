//! Zones of counted copies. Such a zone is one count for each kind; its value is the set of kinds with a
//! count above 0. A move is two assignments, and a draw is a pick weighted by the counts, so the
//! executors have no code for copies.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::moves::{Moved, MovedCount};
use crate::names::name_table::Entity;
use crate::values::{May, Val, constant_number};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, Modifier, Name, Quantifier};
use houserule_model::*;

/// A set of kinds in a zone.
#[derive(Clone, Debug)]
pub(crate) struct Lying {
    /// The zone, without the index of the kind.
    pub(crate) zone: Target,
    /// A set of kinds with copies there.
    pub(crate) kinds: CheckedExpr,
    /// `kinds` contains all kinds in the zone.
    whole: bool,
}

impl Lying {
    /// All kinds in a zone.
    pub(crate) fn all(zone: Target, kinds: CheckedExpr) -> Lying {
        Lying { zone, kinds, whole: true }
    }

    /// Some of the kinds in a zone.
    pub(crate) fn some(zone: Target, kinds: CheckedExpr) -> Lying {
        Lying { zone, kinds, whole: false }
    }
}

impl<'a> Checker<'a> {
    /// Returns `true` if the zones of a domain hold copies. They do if one of them declares counts.
    pub(super) fn holds_copies(&mut self, domain: DomainId) -> bool {
        let game = self.input.game;
        game.decls.iter().any(|decl| match &decl.kind {
            DeclKind::Zone { of, value: Some(_), .. } => self.type_domain(of) == Some(domain),
            _ => false,
        })
    }

    /// Resolves `zone NAME[indices] of DOMAIN = copies seen by …`.
    pub(super) fn resolve_copies(
        &mut self,
        decl: &'a syntax::Decl,
        name: &'a Name,
        mut index: Vec<DomainId>,
        domain: DomainId,
        value: Option<&'a syntax::Expr>,
        modifiers: &'a [Modifier],
    ) -> Entity {
        let manner = self.manner(modifiers, &index, Life::Game, "zone");
        if manner.ordered {
            let d = Diagnostic::error(Code::NotOrdered, name.span, "a zone of copies can't be ordered")
                .note("copies are counted, so nobody can tell which of them lies where")
                .help("leave `ordered` out, or make each card an element of its own: `domain card { kind: kind, copy: 1..3 }`");
            self.draft.messages.report(d);
        }
        if let Some(span) = manner.top {
            let d = Diagnostic::error(Code::NotOrdered, span, format!("`{}` has no top", name.text))
                .note("copies are counted, and so have no order");
            self.draft.messages.report(d);
        }
        index.push(domain);
        let Some(size) = self.draft.family(&index, name.span) else { return Entity::Poison };
        if !self.draft.afford_words(size as u64, name.span) {
            return Entity::Poison;
        }
        // Each zone of a family gets the same counts.
        let kinds = self.draft.size(domain) as usize;
        let mut initial: Vec<Option<i64>> = vec![None; kinds];
        if let Some(value) = value {
            let whole = self.fill(value, &[domain], &mut initial, &mut |c, e| {
                c.constant_between(e, "the number of copies", 0..=limits::COPIES, Code::LimitCopies)
            });
            if whole && initial.iter().all(|n| n.is_none_or(|n| n == 0)) {
                // The counts of a table of cards are its column.
                let help = match value.span.file == name.span.file {
                    true => format!(
                        "say how many of each kind there are, or leave the `= …` of `{}` out",
                        name.text
                    ),
                    false => {
                        "write how many there are of each card in this column, at least 1 of one".to_owned()
                    }
                };
                let d = Diagnostic::error(Code::NoCopies, value.span, "there are no copies here").help(help);
                self.draft.messages.report(d);
            }
        }
        let initial = (0..size).map(|place| Value::Number(initial[place % kinds].unwrap_or(0))).collect();
        Entity::Slot(self.draft.add_slot(Slot {
            name: name.text.clone(),
            index,
            // Preliminary range; [`Draft::count_copies`] sets the final one.
            content: Content::Number { low: 0, high: limits::COPIES },
            initial,
            life: manner.life,
            role: Role::Copies,
            visibility: manner.visibility.unwrap_or(Visibility::All),
            shown: DisplayForm::Plainly,
            help: super::slots::help(decl),
            span: Some(decl.span),
        }))
    }

    /// Builds `move k from ZONE to ZONE`: one copy of each, or a number of them; or `move S to ZONE`: all copies that S
    /// refers to.
    pub(super) fn move_copies(
        &mut self,
        count: Option<&'a syntax::Expr>,
        what: &'a syntax::Expr,
        from: Option<&'a syntax::Expr>,
        to: Target,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<()> {
        let (domain, span) = (self.draft.zone_domain(to.slot), what.span);
        let count = match count {
            Some(count) => Some((self.number_of(count)?, count.span)),
            None => None,
        };
        let value = self.expr(what, Some(domain));
        if let Val::Part(part) = value {
            if let Some((_, at)) = count {
                let d = Diagnostic::error(Code::Misplaced, at, "these copies are moved as they were chosen")
                    .help("leave the number out, or choose another part");
                self.draft.messages.report(d);
            }
            let zone = match from {
                Some(from) => self.zone_of_copies(from, domain)?,
                None => part.zone,
            };
            let (from, to) = (self.draft.pin_index(zone, out), self.draft.pin_index(to, out));
            for kind in part.kinds {
                let (from, to, kinds) =
                    (from.clone(), to.clone(), self.draft.elements(vec![kind], domain, span));
                self.draft.move_each(Moved { from, to, kinds, count: MovedCount::One }, span, out);
            }
            return Some(());
        }
        let Some(from) = from else {
            let set = self.set(value, Some(domain), span)?;
            let Some(all) = self.draft.zones_of_kinds(&set) else {
                let d = Diagnostic::error(
                    Code::NoZone,
                    span,
                    "this does not say from which zone the copies come",
                )
                .note("one copy of a kind lies here and another there")
                .help(
                    "write `move k from hand[me] to …` for one copy, `move hand[me] to …` for all in a zone",
                );
                self.draft.messages.report(d);
                return None;
            };
            let to = self.draft.pin_index(to, out);
            for Lying { zone, kinds, .. } in all {
                let from = self.draft.pin_index(zone, out);
                self.draft.move_each(
                    Moved { from, to: to.clone(), kinds, count: MovedCount::All },
                    span,
                    out,
                );
            }
            return Some(());
        };
        let zone = self.zone_of_copies(from, domain);
        let kinds = match value {
            Val::Expr(e, May::Never) if e.ty == Type::Element(domain) => {
                self.draft.elements(vec![e], domain, span)
            }
            other => self.set(other, Some(domain), span)?,
        };
        let (from, to) = (self.draft.pin_index(zone?, out), self.draft.pin_index(to, out));
        let count = match count {
            None => MovedCount::One,
            Some((value, at)) => {
                if constant_number(&value).is_some_and(|n| n < 0) {
                    let d = Diagnostic::error(Code::OutOfRange, at, "fewer than 0 copies can't be moved")
                        .help("swap the zones after `from` and `to` to move copies back");
                    self.draft.messages.report(d);
                    return None;
                }
                // A number below 0 would move copies back.
                let local = self.draft.new_local("copies", Type::Number, at);
                self.draft.model.locals[local.index()].range = Some((0, limits::COPIES));
                out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value }, span: at });
                MovedCount::Number(local)
            }
        };
        self.draft.move_each(Moved { from, to, kinds, count }, span, out);
        Some(())
    }

    /// Checks a zone of copies of a domain, with its complete index.
    fn zone_of_copies(&mut self, e: &'a syntax::Expr, domain: DomainId) -> Option<Target> {
        let (zone, own) = self.zone(e)?;
        if own != domain {
            self.draft.report_other_domain(e.span, domain, own);
            return None;
        }
        Some(zone)
    }
}

impl Draft {
    /// Moves copies. A marker local serves the update of knowledge.
    fn move_each(&mut self, moved: Moved, span: Span, out: &mut Vec<CheckedStmt>) {
        let domain = self.zone_domain(moved.from.slot);
        let mark = self.new_local("moved", Type::Set(domain), span);
        let kinds = self.copy(&moved.kinds);
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local: mark, value: kinds }, span });
        let local = self.new_local("kind", Type::Element(domain), span);
        let Moved { from, to, count, .. } = moved.clone();
        self.moves.moved.insert(mark, moved);
        let kind = |c: &mut Draft| c.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let (mut body, number) = (vec![], self.new_local("number", Type::Number, span));
        let all = |c: &mut Draft| c.build(CheckedExprKind::Local(number), Type::Number, span);
        if matches!(count, MovedCount::All) {
            let at = kind(self);
            let value = self.copies_at(&from, at, span);
            body.push(CheckedStmt { kind: CheckedStmtKind::Let { local: number, value }, span });
        }
        for (zone, op) in [(&from, Arithmetic::Subtract), (&to, Arithmetic::Add)] {
            let (at, less) = (kind(self), self.number_moved(count, all, span));
            let now = self.copies_at(zone, at, span);
            let value = self.arithmetic(op, now, less, span);
            let at = kind(self);
            let target = self.at_kind(zone, at);
            body.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        let over = self.build(CheckedExprKind::Local(mark), Type::Set(domain), span);
        let body = CheckedBlock { stmts: body };
        out.push(CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span });
    }

    /// Moves a copy that was picked.
    pub(super) fn move_picked(
        &mut self,
        local: LocalId,
        from: Target,
        to: Target,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let domain = self.zone_domain(from.slot);
        let drawn = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let kinds = self.elements(vec![drawn], domain, span);
        let to = self.pin_index(to, out);
        self.move_each(Moved { from, to, kinds, count: MovedCount::One }, span, out);
    }

    /// Limits each count to the total number of copies of a kind.
    pub(super) fn count_copies(&mut self) {
        for at in 0..self.model.slots.len() {
            let Slot { role: Role::Copies, index, .. } = &self.model.slots[at] else { continue };
            let Some(domain) = index.last().copied() else { continue };
            let kinds = self.size(domain) as usize;
            let mut most = vec![0; kinds];
            for (_, slot) in self.model.copies(domain) {
                for (place, value) in slot.initial.iter().enumerate() {
                    if let Value::Number(n) = value {
                        most[place % kinds] += n;
                    }
                }
            }
            let high = most.into_iter().max().unwrap_or(0).max(1);
            self.model.slots[at].content = Content::Number { low: 0, high };
        }
    }

    /// The set of kinds in one or several zones of copies.
    pub(crate) fn kinds_in(&mut self, slot: SlotId, index: Vec<CheckedExpr>, span: Span) -> Val {
        let domains = self.model.slots[slot.index()].index.clone();
        let Some((domain, family)) = domains.split_last() else { return Val::Poison };
        let Some(zones) = self.every_index(index, family, span) else { return Val::Poison };
        let kinds = zones.into_iter().map(|index| self.kinds_in_zone(Target { slot, index }, span)).collect();
        Val::sure(self.union_of(kinds, *domain, span))
    }

    /// The set of kinds in one zone.
    fn kinds_in_zone(&mut self, zone: Target, span: Span) -> CheckedExpr {
        let domain = self.zone_domain(zone.slot);
        let local = self.new_local("kind", Type::Element(domain), span);
        let kind = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let (number, zero) = (self.copies_at(&zone, kind, span), self.number_constant(0, span));
        let condition = Box::new(self.compare(ComparisonOperator::Greater, number, zero, span));
        let over = Box::new(self.full_set(domain, span));
        self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(domain), span)
    }

    /// The count of a kind in a zone.
    pub(crate) fn copies_at(&mut self, zone: &Target, kind: CheckedExpr, span: Span) -> CheckedExpr {
        let target = self.at_kind(zone, kind);
        self.build(CheckedExprKind::Read(target), Type::Number, span)
    }

    /// The zones of copies that a set of kinds refers to, or `None` if the expression doesn't show them.
    pub(crate) fn zones_of_kinds(&mut self, e: &CheckedExpr) -> Option<Vec<Lying>> {
        if let Some(zone) = self.model.kinds_of(e) {
            return Some(vec![Lying { zone, kinds: self.copy(e), whole: true }]);
        }
        let some = |kinds: CheckedExpr, lying: Lying| Lying { kinds, whole: false, ..lying };
        match &e.kind {
            CheckedExprKind::Union(a, b) => {
                let mut all = self.zones_of_kinds(a)?;
                all.extend(self.zones_of_kinds(b)?);
                Some(all)
            }
            CheckedExprKind::Filter { local, over, condition } => {
                let all = self.zones_of_kinds(over)?;
                Some(self.map_zones(all, |c, lying| {
                    let over = Box::new(lying.kinds.clone());
                    let kind = CheckedExprKind::Filter { local: *local, over, condition: condition.clone() };
                    let filter = CheckedExpr { kind, ..e.clone() };
                    some(c.copy(&filter), lying)
                }))
            }
            CheckedExprKind::Minus(a, b) => {
                let all = self.zones_of_kinds(a)?;
                Some(self.map_zones(all, |c, lying| {
                    let (kinds, less) = (Box::new(c.copy(&lying.kinds)), Box::new(c.copy(b)));
                    some(c.build(CheckedExprKind::Minus(kinds, less), e.ty, e.span), lying)
                }))
            }
            CheckedExprKind::Intersect(a, b) => {
                let (all, with) = match (self.zones_of_kinds(a), self.zones_of_kinds(b)) {
                    (Some(all), None) => (all, b),
                    (None, Some(all)) => (all, a),
                    // For kinds in both of two zones it is unclear which copies are meant.
                    _ => return None,
                };
                Some(self.map_zones(all, |c, lying| {
                    let (kinds, with) = (Box::new(c.copy(&lying.kinds)), Box::new(c.copy(with)));
                    some(c.build(CheckedExprKind::Intersect(kinds, with), e.ty, e.span), lying)
                }))
            }
            _ => None,
        }
    }

    fn map_zones(&mut self, all: Vec<Lying>, f: impl Fn(&mut Self, Lying) -> Lying) -> Vec<Lying> {
        all.into_iter().map(|lying| f(self, lying)).collect()
    }

    /// The total number of copies.
    pub(crate) fn copies_of(&mut self, all: Vec<Lying>, span: Span) -> CheckedExpr {
        let mut sums = vec![];
        for Lying { zone, kinds, whole } in all {
            let domain = self.zone_domain(zone.slot);
            let over = if whole { self.full_set(domain, span) } else { kinds };
            let local = self.new_local("kind", Type::Element(domain), span);
            let kind = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
            let number = self.copies_at(&zone, kind, span);
            sums.push(self.quantified(Quantifier::Sum, local, over, number, Type::Number, span));
        }
        self.sum_of(sums, span)
    }

    /// The single zone of copies that a set refers to. Otherwise reports an error.
    pub(super) fn drawn_copies(&mut self, set: &CheckedExpr, span: Span) -> Option<Lying> {
        match self.zones_of_kinds(set).as_deref() {
            Some([one]) => Some(one.clone()),
            _ => {
                let d = Diagnostic::error(Code::NotAZone, span, "copies need the zone that they come from")
                    .note("one copy of a kind lies here and another there")
                    .help("name one zone with its whole index: `bag`, `bag & {red}`, `bag - {red}`");
                self.messages.report(d);
                None
            }
        }
    }

    /// Reports a zone of another domain than needed.
    pub(crate) fn report_other_domain(&mut self, span: Span, wanted: DomainId, found: DomainId) {
        let (wanted, found) = (self.domain_name(wanted), self.domain_name(found));
        let message = format!("expected a zone of `{wanted}`, found one of `{found}`");
        self.messages.error(Code::TypeMismatch, span, message);
    }

    /// The same zone with its index evaluated now, whatever changes later.
    pub(crate) fn pin_index(&mut self, zone: Target, out: &mut Vec<CheckedStmt>) -> Target {
        let mut index = vec![];
        for e in zone.index {
            if matches!(
                e.kind,
                CheckedExprKind::Constant(_) | CheckedExprKind::Local(_) | CheckedExprKind::Me
            ) {
                index.push(e);
                continue;
            }
            let (ty, span) = (e.ty, e.span);
            let local = self.new_local("of", ty, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value: e }, span });
            index.push(self.build(CheckedExprKind::Local(local), ty, span));
        }
        Target { slot: zone.slot, index }
    }

    /// The number of copies of a kind that move, given that of all copies.
    pub(crate) fn number_moved(
        &mut self,
        count: MovedCount,
        all: impl FnOnce(&mut Self) -> CheckedExpr,
        span: Span,
    ) -> CheckedExpr {
        match count {
            MovedCount::All => all(self),
            MovedCount::One => self.number_constant(1, span),
            MovedCount::Number(number) => self.build(CheckedExprKind::Local(number), Type::Number, span),
        }
    }

    /// A kind's count in a zone.
    pub(crate) fn at_kind(&mut self, zone: &Target, kind: CheckedExpr) -> Target {
        let mut index: Vec<CheckedExpr> = zone.index.iter().map(|e| self.copy(e)).collect();
        index.push(kind);
        Target { slot: zone.slot, index }
    }

    /// Picks a copy. Returns the zone that it lies in.
    pub(super) fn pick_copy(
        &mut self,
        local: LocalId,
        lying: &Lying,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Target {
        let from = self.pin_index(lying.zone.clone(), out);
        let over = self.copy(&lying.kinds);
        out.push(CheckedStmt { kind: CheckedStmtKind::Pick { local, over, by: Some(from.clone()) }, span });
        from
    }

    /// The domain of a zone's elements.
    pub(crate) fn zone_domain(&self, slot: SlotId) -> DomainId {
        let slot = &self.model.slots[slot.index()];
        match (slot.role, slot.content) {
            (Role::Copies, _) => slot.index.last().copied().unwrap_or(PLAYER),
            (_, Content::Set(domain)) => domain,
            _ => PLAYER,
        }
    }
}
