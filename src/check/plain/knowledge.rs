//! Knowledge about hidden elements of zones: after `reveal S to p`, and after a player sees an element
//! laid face down. It is a set for each player and domain, which the rules update with every move. Games
//! without such knowledge have no such set.

use std::collections::BTreeSet;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::moves::Swapped;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::Quantifier;
use houserule_model::board::BitSet;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks `reveal S to p`.
    pub(crate) fn reveal(
        &mut self,
        what: &'a syntax::Expr,
        from: Option<&'a syntax::Expr>,
        to: &'a syntax::Expr,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        if let Some(from) = from {
            self.reveal_one(what, from, to, out);
            return None;
        }
        let value = self.expr(what, None);
        let players = self.set_of(to, Some(PLAYER));
        if let Val::Part(part) = value {
            self.draft.reveal_part(part, &players?.0, what.span, out);
            return None;
        }
        if let Some(domain) = value.domain().filter(|domain| self.draft.model.has_copies(*domain)) {
            let set = self.set(value, Some(domain), what.span)?;
            match self.draft.zones_of_kinds(&set) {
                Some(lying) => self.draft.reveal_lying(lying, &players?.0, out),
                None => {
                    let message = "this does not say in which zone the copies lie";
                    let d = Diagnostic::error(Code::NoZone, what.span, message)
                        .help("write `reveal k from hand[me] to …` for one copy, `reveal hand[me] to …` for all in a zone");
                    self.draft.messages.report(d);
                }
            }
            return None;
        }
        if let Some((players, _)) = &players
            && let Some(shown) = self.draft.reveal_value(&value, players, span)
        {
            return shown;
        }
        let domain = match &value {
            Val::Poison => return None,
            value => value.domain().filter(|domain| !self.draft.zones_of(*domain).is_empty()),
        };
        let Some(domain) = domain else {
            let found = self.draft.describe(&value);
            let message =
                format!("what lies in zones can be revealed, variables and dice, but this is {found}");
            let d = Diagnostic::error(Code::NotAZone, what.span, message)
                .help("for a piece, write `seen by …` in its declaration");
            self.draft.messages.report(d);
            return None;
        };
        let what = self.set(value, Some(domain), what.span)?;
        let known = self.draft.known_slot(domain);
        let local = self.draft.new_local("player", Type::Element(PLAYER), span);
        let player = self.draft.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let target = Target { slot: known, index: vec![player] };
        let now = self.draft.read_of(&target, domain, span);
        let value =
            self.draft.build(CheckedExprKind::Union(Box::new(now), Box::new(what)), Type::Set(domain), span);
        let body = CheckedBlock {
            stmts: vec![CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span }],
        };
        Some(CheckedStmtKind::For { local, over: players?.0, from: None, body })
    }
}

impl Draft {
    /// Inserts the updates of knowledge before all moves, once all rules are checked.
    pub(crate) fn weave_knowledge(&mut self) {
        let mut choices = std::mem::take(&mut self.model.choices);
        let (mut setup, mut turn) =
            (std::mem::take(&mut self.model.setup), std::mem::take(&mut self.model.turn));
        let mut shown = BTreeSet::new();
        let mut origins = vec![None; self.model.locals.len()];
        for choice in &choices {
            for binder in choice.options.iter().flat_map(|option| &option.binders) {
                origins[binder.local.index()] = zone_of(&self.model, &binder.over);
            }
        }
        for (local, swapped) in &self.moves.swapped {
            origins[local.index()] = Some(swapped.from.slot);
        }
        let mut look = |block: &mut CheckedBlock| {
            walk::each_block_mut(block, &mut |stmts| {
                for stmt in stmts.iter() {
                    match &stmt.kind {
                        CheckedStmtKind::Pick { local, over, .. } => {
                            origins[local.index()] = zone_of(&self.model, over);
                        }
                        CheckedStmtKind::MoveTo { what, zone, .. }
                            if self.hides(what, zone.slot, &origins) =>
                        {
                            shown.extend(crate::values::set_domain(what));
                        }
                        _ => {}
                    }
                }
            });
        };
        look(&mut setup);
        look(&mut turn);
        choices.iter_mut().flat_map(Choice::blocks_mut).for_each(look);
        shown.extend(self.model.orders.iter().filter(|o| !o.open_tops.is_empty()).map(|order| order.domain));
        for domain in shown {
            self.known_slot(domain);
        }
        let mut weave = |block: &mut CheckedBlock| {
            walk::each_block_mut(block, &mut |stmts| {
                let mut at = 0;
                while at < stmts.len() {
                    let CheckedStmt { kind, span } = &mut stmts[at];
                    if let CheckedStmtKind::MoveTo { what, zone, .. } = kind
                        && let Some(before) = self.forgotten(what, zone.slot, *span)
                    {
                        let count = before.len();
                        stmts.splice(at..at, before);
                        at += count;
                    }
                    at += 1;
                }
            });
        };
        weave(&mut setup);
        weave(&mut turn);
        choices.iter_mut().flat_map(Choice::blocks_mut).for_each(weave);
        let all = choices.iter_mut().flat_map(Choice::blocks_mut);
        [&mut setup, &mut turn].into_iter().chain(all).for_each(|block| {
            self.weave_tops(block, None);
            self.weave_seen_places(block);
        });
        let mut blocks = vec![&mut setup, &mut turn];
        blocks.extend(choices.iter_mut().flat_map(Choice::blocks_mut));
        self.weave_known_copies(&mut blocks);
        (self.model.choices, self.model.setup, self.model.turn) = (choices, setup, turn);
    }

    /// Updates of knowledge before a move. A player who sees the moved elements knows where they go. If
    /// only a part of a zone moves, players who don't see the zone no longer know any element there.
    /// Returns `None` if no knowledge changes.
    fn forgotten(&mut self, what: &mut CheckedExpr, to: SlotId, span: Span) -> Option<Vec<CheckedStmt>> {
        let Type::Set(domain) = what.ty else { return None };
        let known = self.already_known(domain)?;
        if let CheckedExprKind::Local(local) = what.kind
            && let Some(swapped) = self.moves.swapped.get(&local).cloned()
        {
            return self.updates_of_exchange(&swapped, local, known, domain, span);
        }
        if self.model.slots[to.index()].visibility == Visibility::All {
            return None;
        }
        let ty = Type::Set(domain);
        let moved = self.new_local("moved", ty, span);
        let local = CheckedExpr { kind: CheckedExprKind::Local(moved), ty, span };
        let value = std::mem::replace(what, local.clone());
        let mut stmts = vec![CheckedStmt { kind: CheckedStmtKind::Let { local: moved, value }, span }];
        for player in 0..self.size(PLAYER) {
            let mut lost = vec![];
            let open = self.open_zones(domain, player, span);
            for zone in self.zones_of(domain) {
                let Slot { index, visibility, .. } = self.model.slots[zone.index()].clone();
                for place in 0..self.model.slots[zone.index()].initial.len() as u32 {
                    let index = self.place_index(&index, place, span);
                    let own = is_player(index.first(), player);
                    let read = self.build(CheckedExprKind::Read(Target { slot: zone, index }), ty, span);
                    if !visibility.shows(Seat(player), own) {
                        lost.push(match self.model.order_in(zone).map(|order| order.places) {
                            Some(places) => self.lost_in_order(read, &local, domain, places, span),
                            None => self.lost_elements(read, &local, domain, span),
                        });
                    }
                }
            }
            let (open, lost) = (self.union_of(open, domain, span), self.union_of(lost, domain, span));
            let me = self.constant_element(PLAYER, player, span);
            let target = Target { slot: known, index: vec![me] };
            let now = self.read_of(&target, domain, span);
            let kept = self.build(CheckedExprKind::Minus(Box::new(now), Box::new(lost)), ty, span);
            let seen =
                self.build(CheckedExprKind::Intersect(Box::new(local.clone()), Box::new(open)), ty, span);
            let value = self.build(CheckedExprKind::Union(Box::new(kept), Box::new(seen)), ty, span);
            stmts.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        Some(stmts)
    }

    pub(super) fn read_of(&mut self, target: &Target, domain: DomainId, span: Span) -> CheckedExpr {
        let index = target.index.iter().map(|e| self.copy(e)).collect();
        let read = CheckedExprKind::Read(Target { slot: target.slot, index });
        self.build(read, Type::Set(domain), span)
    }

    /// The slot with the players' knowledge of a domain; created if missing.
    fn known_slot(&mut self, domain: DomainId) -> SlotId {
        if let Some(known) = self.already_known(domain) {
            return known;
        }
        let (size, players) = (self.size(domain), self.size(PLAYER) as usize);
        self.add_slot(Slot {
            name: format!("known {}", self.domain_name(domain)),
            index: vec![PLAYER],
            content: Content::Set(domain),
            initial: vec![Value::Set(BitSet::empty(size)); players],
            life: Life::Game,
            role: Role::Known,
            visibility: Visibility::Owner,
            shown: DisplayForm::Plainly,
            help: "what one knows the place of, though it does not lie open".into(),
            span: None,
        })
    }

    /// Like [`Self::known_slot`], if it exists.
    pub(super) fn already_known(&self, domain: DomainId) -> Option<SlotId> {
        let is = |slot: &Slot| slot.role == Role::Known && slot.content == Content::Set(domain);
        self.model.slots.iter().position(is).map(|at| SlotId(at as u32))
    }

    /// Returns `true` if a move may hide elements from a player who saw them.
    fn hides(&self, what: &CheckedExpr, to: SlotId, origins: &[Option<SlotId>]) -> bool {
        let slots = &self.model.slots;
        let to = slots[to.index()].visibility;
        let Some(from) = origin(&self.model, what, origins) else { return to != Visibility::All };
        // The elements become hidden from players who saw them, such as their owner, or pass from one owner to another.
        slots[from.index()].visibility != Visibility::Nobody && to != Visibility::All
    }

    /// Updates of knowledge before two zones exchange their contents. Nobody forgets anything, because each zone moves as
    /// a whole, and a player who sees a zone knows where its elements go.
    fn updates_of_exchange(
        &mut self,
        swapped: &Swapped,
        local: LocalId,
        known: SlotId,
        domain: DomainId,
        span: Span,
    ) -> Option<Vec<CheckedStmt>> {
        let seen_by_all = |zone: &Target| self.model.slots[zone.slot.index()].visibility == Visibility::All;
        let other = swapped.other.filter(|_| swapped.first)?;
        if seen_by_all(&swapped.from) && seen_by_all(&swapped.to) {
            return None;
        }
        let ty = Type::Set(domain);
        let mut stmts = vec![];
        for player in 0..self.size(PLAYER) {
            let open = self.open_zones(domain, player, span);
            let open = self.union_of(open, domain, span);
            let [one, two] = [local, other].map(|local| self.build(CheckedExprKind::Local(local), ty, span));
            let both = self.union_of(vec![one, two], domain, span);
            let seen = self.build(CheckedExprKind::Intersect(Box::new(both), Box::new(open)), ty, span);
            let me = self.constant_element(PLAYER, player, span);
            let target = Target { slot: known, index: vec![me] };
            let now = self.read_of(&target, domain, span);
            let value = self.build(CheckedExprKind::Union(Box::new(now), Box::new(seen)), ty, span);
            stmts.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        Some(stmts)
    }

    /// A hidden zone if some but not all of it moves, otherwise the empty set.
    fn lost_elements(
        &mut self,
        zone: CheckedExpr,
        moved: &CheckedExpr,
        domain: DomainId,
        span: Span,
    ) -> CheckedExpr {
        let ty = Type::Set(domain);
        let both = |c: &mut Self, kind: fn(Box<CheckedExpr>, Box<CheckedExpr>) -> CheckedExprKind| {
            let part = c.build(kind(Box::new(zone.clone()), Box::new(moved.clone())), ty, span);
            c.is_some(part, span)
        };
        let (goes, stays) = (both(self, CheckedExprKind::Intersect), both(self, CheckedExprKind::Minus));
        let parted = self.and(goes, stays, span);
        let nothing = self.empty_set(domain, span);
        self.build(CheckedExprKind::If(Box::new(parted), Box::new(zone.clone()), Box::new(nothing)), ty, span)
    }

    /// Of a hidden ordered zone, the shuffled parts of which some but not all moves. Everybody sees the places from
    /// which elements move.
    fn lost_in_order(
        &mut self,
        zone: CheckedExpr,
        moved: &CheckedExpr,
        domain: DomainId,
        places: SlotId,
        span: Span,
    ) -> CheckedExpr {
        let ty = Type::Set(domain);
        let going = CheckedExprKind::Intersect(Box::new(zone.clone()), Box::new(moved.clone()));
        let going = self.build(going, ty, span);
        let one = self.new_local("moved", Type::Element(domain), span);
        let other = self.new_local("beside", Type::Element(domain), span);
        let [place, same] = [one, other].map(|local| {
            let element = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
            self.place_of(places, element)
        });
        let condition = Box::new(self.compare(ComparisonOperator::Equal, same, place, span));
        let part = CheckedExprKind::Filter { local: other, over: Box::new(zone), condition };
        let part = self.build(part, ty, span);
        let body = self.lost_elements(part, moved, domain, span);
        self.quantified(Quantifier::Union, one, going, body, ty, span)
    }

    /// Inserts the updates of what players see of the order in zones, after every statement that changes it or what
    /// players know.
    fn weave_seen_places(&mut self, block: &mut CheckedBlock) {
        walk::each_block_mut(block, &mut |stmts| {
            let mut at = 0;
            while at < stmts.len() {
                at += 1;
                let CheckedStmt { kind, span } = &stmts[at - 1];
                let changed = match kind {
                    CheckedStmtKind::MoveTo { zone, .. } => Some(zone.slot),
                    // `shuffle` and `reveal`.
                    CheckedStmtKind::For { body, .. } => {
                        body.stmts.iter().find_map(|stmt| match &stmt.kind {
                            CheckedStmtKind::Assign { target, .. } => Some(target.slot),
                            _ => None,
                        })
                    }
                    _ => None,
                };
                let update = changed.map(|slot| self.seen_places(slot, *span)).unwrap_or_default();
                let count = update.len();
                stmts.splice(at..at, update);
                at += count;
            }
        });
    }

    /// The updates of what players see of an order, after a change of a slot.
    fn seen_places(&mut self, changed: SlotId, span: Span) -> Vec<CheckedStmt> {
        let Slot { role, content, index, .. } = &self.model.slots[changed.index()];
        let domain = match (role, content) {
            (Role::Zone | Role::Known, Content::Set(domain)) => *domain,
            (Role::Place, _) => index[0],
            _ => return vec![],
        };
        let Some(&Order { places, seen: Some(seen), .. }) = self.model.order(domain) else { return vec![] };
        let ty = Type::Set(domain);
        let mut stmts = vec![];
        for player in 0..self.size(PLAYER) {
            let mut open = self.open_zones(domain, player, span);
            if let Some(known) = self.already_known(domain) {
                let me = self.constant_element(PLAYER, player, span);
                open.push(self.read_of(&Target { slot: known, index: vec![me] }, domain, span));
            }
            let value = self.union_of(open, domain, span);
            let open = self.new_local("open", ty, span);
            stmts.push(CheckedStmt { kind: CheckedStmtKind::Let { local: open, value }, span });
            let local = self.new_local("element", Type::Element(domain), span);
            let element =
                CheckedExpr { kind: CheckedExprKind::Local(local), ty: Type::Element(domain), span };
            let set = Box::new(self.build(CheckedExprKind::Local(open), ty, span));
            let holds = CheckedExprKind::Contains { set, element: Box::new(element.clone()) };
            let holds = Box::new(self.build(holds, Type::Bool, span));
            let (place, none) = (self.place_of(places, element.clone()), self.number_constant(0, span));
            let value = CheckedExprKind::If(holds, Box::new(place), Box::new(none));
            let value = self.build(value, Type::Number, span);
            let me = self.constant_element(PLAYER, player, span);
            let target = Target { slot: seen, index: vec![me, element] };
            let set = CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span };
            // The elements that the player saw or sees.
            let before = self.seen_before(domain, seen, player, span);
            let now = self.build(CheckedExprKind::Local(open), ty, span);
            let over = self.build(CheckedExprKind::Union(Box::new(before), Box::new(now)), ty, span);
            let body = CheckedBlock { stmts: vec![set] };
            stmts.push(CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span });
        }
        stmts
    }

    /// The elements of which a player saw the place in an ordered zone.
    fn seen_before(&mut self, domain: DomainId, seen: SlotId, player: u32, span: Span) -> CheckedExpr {
        let local = self.new_local("element", Type::Element(domain), span);
        let element = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let index = vec![self.constant_element(PLAYER, player, span), element];
        let place = self.build(CheckedExprKind::Read(Target { slot: seen, index }), Type::Number, span);
        let none = self.number_constant(0, span);
        let condition = Box::new(self.compare(ComparisonOperator::Greater, place, none, span));
        let over = Box::new(self.full_set(domain, span));
        self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(domain), span)
    }

    /// The zones of a domain that a player sees.
    fn open_zones(&mut self, domain: DomainId, player: u32, span: Span) -> Vec<CheckedExpr> {
        let mut open = vec![];
        for zone in self.zones_of(domain) {
            let Slot { index, visibility, .. } = self.model.slots[zone.index()].clone();
            for place in 0..self.model.slots[zone.index()].initial.len() as u32 {
                let index = self.place_index(&index, place, span);
                let own = is_player(index.first(), player);
                if visibility.shows(Seat(player), own) {
                    let read = CheckedExprKind::Read(Target { slot: zone, index });
                    open.push(self.build(read, Type::Set(domain), span));
                }
            }
        }
        open
    }

    /// The index of a position in a family.
    fn place_index(&mut self, domains: &[DomainId], place: u32, span: Span) -> Vec<CheckedExpr> {
        let mut rest = place;
        let mut index: Vec<CheckedExpr> = vec![];
        for domain in domains.iter().rev() {
            let size = self.size(*domain);
            index.insert(0, self.constant_element(*domain, rest % size, span));
            rest /= size;
        }
        index
    }
}

/// Returns `true` if the first index of a zone is a player.
fn is_player(index: Option<&CheckedExpr>, player: u32) -> bool {
    matches!(index.map(|e| &e.kind), Some(CheckedExprKind::Constant(Value::Element(Some(p)))) if *p == player)
}

/// The zone that contains a set, if the expression shows it.
fn zone_of(model: &Model, e: &CheckedExpr) -> Option<SlotId> {
    match &e.kind {
        CheckedExprKind::Read(target) => {
            Some(target.slot).filter(|slot| model.slots[slot.index()].role == Role::Zone)
        }
        CheckedExprKind::Filter { over, .. }
        | CheckedExprKind::Minus(over, _)
        | CheckedExprKind::Quantified { op: Quantifier::AllBest, over, .. } => zone_of(model, over),
        CheckedExprKind::Intersect(a, b) => zone_of(model, a).or_else(|| zone_of(model, b)),
        CheckedExprKind::First(set) | CheckedExprKind::Last(set) => zone_of(model, set),
        _ => None,
    }
}

/// The zone from which elements move, if the rules show it.
fn origin(model: &Model, what: &CheckedExpr, origins: &[Option<SlotId>]) -> Option<SlotId> {
    match &what.kind {
        CheckedExprKind::Elements(list) => match &list[..] {
            [one] => origin(model, one, origins),
            _ => None,
        },
        CheckedExprKind::Local(local) => origins[local.index()],
        CheckedExprKind::Quantified { op: Quantifier::Best, over, .. } => zone_of(model, over),
        _ => zone_of(model, what),
    }
}
