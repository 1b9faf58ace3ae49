//! Ordered zones: the slots that hold their order, and what rules ask of it. A draw from the top is a pick among the
//! elements that may lie there.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::expressions::calls::Args;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::Quantifier;
use houserule_language::vocabulary::Function;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Reports a draw from the bottom of a set that isn't an ordered zone.
    pub(super) fn report_no_lower_end(&mut self, e: &'a syntax::Expr, set: &CheckedExpr) {
        if let Some((slot, ..)) = self.zone_named(e)
            && self.draft.model.order_in(slot).is_none()
        {
            return self.draft.report_no_order(slot, e.span, "has no bottom");
        }
        let found = self.draft.describe(&Val::sure(set.clone()));
        let message = format!("only a single ordered zone has a bottom, but this is {found}");
        let d = Diagnostic::error(Code::NotOrdered, e.span, message)
            .help("name one zone with its whole index: `draw c from bottom of pile to …`");
        self.draft.messages.report(d);
    }

    /// Checks `shuffle ZONE`. A zone without an order doesn't change: every draw from it is random.
    pub(crate) fn shuffle(&mut self, zone: &'a syntax::Expr, span: Span, out: &mut Vec<CheckedStmt>) {
        let named = self.zone_named(zone);
        let order = named.and_then(|(slot, ..)| Some((slot, self.draft.model.order_in(slot)?.clone())));
        let Some((slot, Order { domain, places, .. })) = order else {
            if named.is_none() {
                self.zone(zone);
            }
            return;
        };
        let Some((_, _, index)) = named else { return };
        let domains = self.draft.model.slots[slot.index()].index.clone();
        let Some(index) = self.check_index(index, &domains) else { return };
        let Val::Expr(over, _) = self.slot_value(slot, index, "", zone.span) else { return };
        let local = self.draft.new_local("shuffled", Type::Element(domain), span);
        let element = self.draft.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let (target, value) =
            (Target { slot: places, index: vec![element] }, self.draft.number_constant(1, span));
        let kind = CheckedStmtKind::Assign { target, value };
        let body = CheckedBlock { stmts: vec![CheckedStmt { kind, span }] };
        out.push(CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span });
    }

    /// `top(ZONE)`, `bottom(ZONE)`: the element there, or none if a shuffled part is there.
    pub(crate) fn end_of_pile(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let e = args.plain[0];
        let (zone, domain) = self.zone(e)?;
        let Some(&Order { places, .. }) = self.draft.model.order_in(zone.slot) else {
            self.draft.report_no_order(zone.slot, e.span, &format!("has no {}", args.name.text));
            return None;
        };
        self.usage.read_slots.insert(zone.slot);
        let read = self.draft.build(CheckedExprKind::Read(zone), Type::Set(domain), e.span);
        let lying = self.draft.copy(&read);
        let end = match args.function {
            Function::Top => self.draft.known_top(read, domain, places, args.span),
            // No element of a shuffled part at the bottom has the last place.
            _ => {
                let count =
                    self.draft.build(CheckedExprKind::Count(Box::new(lying)), Type::Number, args.span);
                self.draft.elements_in_place(read, domain, places, ComparisonOperator::Equal, count)
            }
        };
        Some(Val::maybe(self.draft.build(
            CheckedExprKind::First(Box::new(end)),
            Type::Element(domain),
            args.span,
        )))
    }

    /// `above(t)`: the elements that lie on an element in its ordered zone.
    pub(crate) fn above(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let e = args.plain[0];
        let value = self.expr(e, None);
        let Some(domain) = value.domain() else {
            self.draft.report_mismatch(e.span, "an element of a domain with ordered zones", &value);
            return None;
        };
        let (element, _) = self.element(value, domain, e.span)?;
        let Some(Order { places, zones, .. }) = self.draft.model.order(domain).cloned() else {
            let message = format!("no zone of `{}` is ordered", self.draft.domain_name(domain));
            let d = Diagnostic::error(Code::NotOrdered, args.span, message)
                .help("declare one with `ordered`: `zone pile of … ordered`");
            self.draft.messages.report(d);
            return None;
        };
        let mut beside = vec![];
        for zone in zones {
            self.usage.read_slots.insert(zone);
            beside.push(self.draft.pile_with(zone, vec![], &element));
        }
        let beside = self.draft.union_of(beside, domain, args.span);
        let place = self.draft.place_of(places, element);
        Some(Val::sure(self.draft.elements_in_place(beside, domain, places, ComparisonOperator::Less, place)))
    }
}

impl Draft {
    /// Records that a zone is ordered. The first of a domain adds the slot with its order.
    pub(super) fn order_zone(&mut self, zone: SlotId, domain: DomainId, span: Span) {
        if let Some(order) = self.model.orders.iter_mut().find(|order| order.domain == domain) {
            order.zones.push(zone);
        } else if self.afford_words(self.model.domains[domain.index()].size.into(), span) {
            let name = format!("place {}", self.domain_name(domain));
            let places = self.add_slot(self.place_slot(name, vec![domain], Role::Place));
            self.model.orders.push(Order {
                domain,
                places,
                seen: None,
                zones: vec![zone],
                open_tops: vec![],
            });
        }
    }

    /// Records that all players see the top of a zone.
    pub(super) fn show_top(&mut self, zone: SlotId, name: &str, span: Span) {
        if let Some(order) = self.model.orders.iter_mut().find(|order| order.zones.contains(&zone)) {
            return order.open_tops.push(zone);
        }
        let d = Diagnostic::error(Code::NotOrdered, span, format!("`{name}` has no top: it is not ordered"))
            .help(format!("declare it with `ordered`: `zone {name} of … ordered seen by top`"));
        self.messages.report(d);
    }

    fn place_slot(&self, name: String, index: Vec<DomainId>, role: Role) -> Slot {
        let size = |domain: &DomainId| self.size(*domain) as usize;
        let high = index.last().map_or(0, |domain| self.size(*domain).into());
        Slot {
            name,
            initial: vec![Value::Number(0); index.iter().map(size).product()],
            index,
            content: Content::Number { low: 0, high },
            life: Life::Game,
            role,
            visibility: Visibility::All,
            shown: DisplayForm::Plainly,
            help: "places from the top of an ordered zone".into(),
            span: None,
        }
    }

    /// All elements are in a zone before the setup: a shuffled part, if the zone is ordered.
    pub(super) fn shuffled_at_first(&mut self, zone: SlotId) {
        if let Some(&Order { places, .. }) = self.model.order_in(zone) {
            self.model.slots[places.index()].initial.fill(Value::Number(1));
        }
    }

    /// Adds the slots with what each player sees of the order, where a zone is hidden.
    pub(super) fn hide_orders(&mut self) {
        for at in 0..self.model.orders.len() {
            let Order { domain, places, .. } = self.model.orders[at];
            let hidden = |zone: &SlotId| self.model.slots[zone.index()].visibility != Visibility::All;
            if self.zones_of(domain).iter().any(hidden) {
                let name = format!("seen place {}", self.domain_name(domain));
                let mut slot = self.place_slot(name, vec![PLAYER, domain], Role::SeenPlace);
                slot.visibility = Visibility::Owner;
                self.model.slots[places.index()].visibility = Visibility::Nobody;
                let seen = self.add_slot(slot);
                self.model.orders[at].seen = Some(seen);
                self.see_at_first(at);
            }
        }
    }

    /// Sets what players see of the order before the setup: that of a zone which they see.
    fn see_at_first(&mut self, at: usize) {
        let Order { domain, places, seen: Some(seen), .. } = self.model.orders[at] else { return };
        let first = self.zones_of(domain).into_iter().find(|zone| {
            matches!(&self.model.slots[zone.index()].initial[0], Value::Set(lying) if !lying.is_empty())
        });
        let Some(first) = first else { return };
        let each = self.size(domain) as usize;
        for player in 0..self.size(PLAYER) as usize {
            // Of a family, the zone of the first player holds everything.
            if self.model.slots[first.index()].visibility.shows(Seat(player as u32), player == 0) {
                let known = self.model.slots[places.index()].initial.clone();
                self.model.slots[seen.index()].initial[player * each..][..each].clone_from_slice(&known);
            }
        }
    }

    /// Reports that a zone has no order.
    pub(super) fn report_no_order(&mut self, zone: SlotId, span: Span, why: &str) {
        let Slot { name, role, .. } = &self.model.slots[zone.index()];
        let message = format!("`{name}` {why}: it is not ordered");
        let d = Diagnostic::error(Code::NotOrdered, span, message);
        let d = match role {
            Role::Copies => d.note("copies are counted, and so have no order"),
            _ => d.help(format!("declare it with `ordered`: `zone {name} of … ordered`")),
        };
        self.messages.report(d);
    }

    /// Reports an error if elements go below others in a zone without an order.
    pub(super) fn require_bottom(&mut self, zone: &Target, below: bool, span: Span) {
        if below && self.model.order_in(zone.slot).is_none() {
            self.report_no_order(zone.slot, span, "has no bottom");
        }
    }

    /// The place of an element from the top.
    pub(crate) fn place_of(&mut self, places: SlotId, element: CheckedExpr) -> CheckedExpr {
        let span = element.span;
        self.build(CheckedExprKind::Read(Target { slot: places, index: vec![element] }), Type::Number, span)
    }

    /// The elements of a set whose place compares as `op` with `than`.
    fn elements_in_place(
        &mut self,
        set: CheckedExpr,
        domain: DomainId,
        places: SlotId,
        op: ComparisonOperator,
        than: CheckedExpr,
    ) -> CheckedExpr {
        let span = set.span;
        let local = self.new_local("element", Type::Element(domain), span);
        let element = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let place = self.place_of(places, element);
        let condition = Box::new(self.compare(op, place, than, span));
        let kind = CheckedExprKind::Filter { local, over: Box::new(set), condition };
        self.build(kind, Type::Set(domain), span)
    }

    /// The elements of which a draw takes one. Of an ordered zone these are the elements that may lie on top, or at the
    /// bottom if `lower`. Of another set they are all elements.
    pub(super) fn drawn_first(
        &mut self,
        from: CheckedExpr,
        lower: bool,
        out: &mut Vec<CheckedStmt>,
    ) -> CheckedExpr {
        if let CheckedExprKind::If(condition, then, otherwise) = from.kind {
            let [then, otherwise] = [then, otherwise].map(|set| Box::new(self.drawn_first(*set, lower, out)));
            return self.build(CheckedExprKind::If(condition, then, otherwise), from.ty, from.span);
        }
        let order = self.model.pile(&from).and_then(|zone| self.model.order_in(zone));
        let Some(&Order { domain, places, .. }) = order else { return from };
        let span = from.span;
        let place = if lower {
            let local = self.new_local("element", Type::Element(domain), span);
            let element = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
            let (place, over) = (self.place_of(places, element), self.copy(&from));
            let value = self.quantified(Quantifier::Max, local, over, place, Type::Number, span);
            let last = self.new_local("last", Type::Number, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::Let { local: last, value }, span });
            self.build(CheckedExprKind::Local(last), Type::Number, span)
        } else {
            self.number_constant(1, span)
        };
        self.elements_in_place(from, domain, places, ComparisonOperator::Equal, place)
    }

    /// The set of the top of a pile; empty if the pile is, or if a shuffled part lies on top.
    pub(crate) fn known_top(
        &mut self,
        pile: CheckedExpr,
        domain: DomainId,
        places: SlotId,
        span: Span,
    ) -> CheckedExpr {
        // Of a shuffled part on top, all elements have the first place.
        let one = self.number_constant(1, span);
        let top = self.elements_in_place(pile, domain, places, ComparisonOperator::Equal, one);
        let again = self.copy(&top);
        let count = self.build(CheckedExprKind::Count(Box::new(again)), Type::Number, span);
        let one = self.number_constant(1, span);
        let only = self.compare(ComparisonOperator::Equal, count, one, span);
        let nothing = self.empty_set(domain, span);
        let kind = CheckedExprKind::If(Box::new(only), Box::new(top), Box::new(nothing));
        self.build(kind, Type::Set(domain), span)
    }

    /// The zone of a family with an element in it, or the empty set. `index` is the part of the index that is fixed.
    fn pile_with(&mut self, zone: SlotId, index: Vec<CheckedExpr>, element: &CheckedExpr) -> CheckedExpr {
        let (span, ty) = (element.span, self.model.slots[zone.index()].content);
        let Content::Set(domain) = ty else { return element.clone() };
        if let Some(next) = self.model.slots[zone.index()].index.get(index.len()).copied() {
            let local = self.new_local("of", Type::Element(next), span);
            let over = self.full_set(next, span);
            let mut index: Vec<CheckedExpr> = index.iter().map(|e| self.copy(e)).collect();
            index.push(self.build(CheckedExprKind::Local(local), Type::Element(next), span));
            let body = self.pile_with(zone, index, element);
            return self.quantified(Quantifier::Union, local, over, body, Type::Set(domain), span);
        }
        let read = CheckedExprKind::Read(Target { slot: zone, index });
        let lying = self.build(read, Type::Set(domain), span);
        let (set, element) = (Box::new(self.copy(&lying)), Box::new(self.copy(element)));
        let holds = self.build(CheckedExprKind::Contains { set, element }, Type::Bool, span);
        let nothing = self.empty_set(domain, span);
        let kind = CheckedExprKind::If(Box::new(holds), Box::new(lying), Box::new(nothing));
        self.build(kind, Type::Set(domain), span)
    }
}
