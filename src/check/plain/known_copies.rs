//! Knowledge about counts of hidden copies: copies that were revealed, that a player saw being laid
//! there, and that were there before the setup. It is a count for each player, zone and kind, which
//! moves update. Games without such knowledge have no such counts.

use std::collections::BTreeSet;

use crate::checker::Checker;
use crate::declarations::copies::Lying;
use crate::draft::Draft;
use crate::draft::moves::{Moved, MovedCount, Swapped};
use crate::values::{PartValue, Val};
use houserule_language::diagnostic::Span;
use houserule_language::syntax;
use houserule_model::*;

/// How many copies of a kind are shown.
enum ShownCopies {
    One,
    Part(PartValue),
    All,
}

impl<'a> Checker<'a> {
    /// Checks `reveal k from ZONE to p`.
    pub(crate) fn reveal_one(
        &mut self,
        what: &'a syntax::Expr,
        from: &'a syntax::Expr,
        to: &'a syntax::Expr,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<()> {
        let zone = self.zone(from);
        let wanted = zone.as_ref().map(|(_, domain)| *domain);
        let value = self.expr(what, wanted);
        let of_part =
            if let Val::Part(part) = &value { ShownCopies::Part(part.clone()) } else { ShownCopies::One };
        let what = self.set(value, wanted, what.span);
        let players = self.set_of(to, Some(PLAYER));
        let ((zone, domain), kinds) = (zone?, what?);
        if !self.draft.model.has_copies(domain) {
            self.draft.report_superfluous_from(from, domain);
            return None;
        }
        self.draft.reveal_copies(&zone, &kinds, &of_part, &players?.0, out);
        Some(())
    }
}

impl Draft {
    /// Inserts the updates of knowledge for all moves of copies, once all rules are checked.
    pub(crate) fn weave_known_copies(&mut self, blocks: &mut [&mut CheckedBlock]) {
        let mut known: BTreeSet<DomainId> = BTreeSet::new();
        let slots = &self.model.slots;
        for slot in slots {
            if let Role::KnownCopies(zone) = slot.role {
                known.insert(self.zone_domain(zone));
            }
        }
        for moved in self.moves.moved.values() {
            let seen = |zone: &Target| slots[zone.slot.index()].visibility;
            let shows = match (seen(&moved.from), seen(&moved.to)) {
                (Visibility::All | Visibility::Owner | Visibility::Others | Visibility::Player(_), to) => {
                    to != Visibility::All
                }
                (Visibility::Nobody, _) => false,
            };
            known.extend(shows.then(|| self.zone_domain(moved.from.slot)));
        }
        for swapped in self.moves.swapped.values().filter(|swapped| swapped.other.is_none()) {
            let seen = |zone: &Target| slots[zone.slot.index()].visibility;
            let (one, other) = (seen(&swapped.from), seen(&swapped.to));
            // A player who sees one zone and not the other goes on knowing its copies.
            let shows = (one, other) != (Visibility::All, Visibility::All)
                && (one, other) != (Visibility::Nobody, Visibility::Nobody);
            known.extend(shows.then(|| self.zone_domain(swapped.from.slot)));
        }
        let domains: BTreeSet<DomainId> = (0..slots.len() as u32)
            .map(SlotId)
            .filter(|slot| slots[slot.index()].role == Role::Copies)
            .map(|slot| self.zone_domain(slot))
            .collect();
        for domain in domains {
            let hidden: Vec<SlotId> = self
                .model
                .copies(domain)
                .filter(|(_, slot)| slot.visibility != Visibility::All)
                .map(|(id, _)| id)
                .collect();
            let kinds = self.size(domain) as usize;
            let lies = |slot: &SlotId| {
                let places = self.model.slots[slot.index()].initial.chunks(kinds);
                places.filter(|place| place.iter().any(|n| *n != Value::Number(0))).count()
            };
            // Copies in several hidden places before the setup are known to all.
            let several = hidden.iter().map(lies).sum::<usize>() > 1;
            if !several && !known.contains(&domain) {
                continue;
            }
            for zone in hidden {
                let slot = self.known_copies(zone);
                if several {
                    self.known_from_the_start(slot, zone, kinds);
                }
            }
        }
        let moved = std::mem::take(&mut self.moves.moved);
        let swapped = std::mem::take(&mut self.moves.swapped);
        for block in blocks {
            walk::each_block_mut(block, &mut |stmts| {
                let mut at = 0;
                while at < stmts.len() {
                    if let CheckedStmt { kind: CheckedStmtKind::Let { local, .. }, span } = &stmts[at]
                        && (moved.contains_key(local) || swapped.contains_key(local))
                    {
                        let learnt = match (moved.get(local), swapped.get(local)) {
                            (Some(moved), _) => self.updates_of_move(moved, *local, *span),
                            (_, Some(swapped)) => self.updates_of_copies_exchange(swapped, *local, *span),
                            _ => vec![],
                        };
                        let count = learnt.len();
                        stmts.splice(at + 1..at + 1, learnt);
                        at += count;
                    }
                    at += 1;
                }
            });
        }
    }

    /// Builds `reveal S to p` for the zones that S refers to.
    pub(crate) fn reveal_lying(
        &mut self,
        lying: Vec<Lying>,
        players: &CheckedExpr,
        out: &mut Vec<CheckedStmt>,
    ) {
        for Lying { zone, kinds, .. } in lying {
            self.reveal_copies(&zone, &kinds, &ShownCopies::All, players, out);
        }
    }

    /// Builds `reveal k to p` for copies that an option chooses.
    pub(super) fn reveal_part(
        &mut self,
        part: PartValue,
        players: &CheckedExpr,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let (zone, kinds) = (part.zone.clone(), self.elements(part.kinds.clone(), part.domain, span));
        self.reveal_copies(&zone, &kinds, &ShownCopies::Part(part), players, out);
    }

    fn reveal_copies(
        &mut self,
        zone: &Target,
        kinds: &CheckedExpr,
        shown: &ShownCopies,
        players: &CheckedExpr,
        out: &mut Vec<CheckedStmt>,
    ) {
        if self.model.slots[zone.slot.index()].visibility == Visibility::All {
            return;
        }
        let (span, domain) = (kinds.span, self.zone_domain(zone.slot));
        let known = self.known_copies(zone.slot);
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let body = self.each_kind(kinds, domain, |c, kind| {
            let mut there = c.copies_at(zone, kind.clone(), span);
            let most = match shown {
                ShownCopies::All => None,
                ShownCopies::One => Some(c.number_constant(1, span)),
                ShownCopies::Part(part) => Some(c.copies_in(part, &kind, span)),
            };
            if let Some(most) = most {
                there = c.arithmetic(Arithmetic::Min, there, most, span);
            }
            let (target, now) = c.known_at(known, zone, &player, kind);
            let more = c.arithmetic(Arithmetic::Max, now.clone(), there, span);
            // A player who sees the zone needs no knowledge.
            let seen = Box::new(c.seen_by(zone, &player, span));
            let value = c.build(CheckedExprKind::If(seen, Box::new(now), Box::new(more)), Type::Number, span);
            CheckedStmtKind::Assign { target, value }
        });
        let over = self.copy(players);
        out.push(CheckedStmt {
            kind: CheckedStmtKind::For { local, over, from: None, body: CheckedBlock { stmts: vec![body] } },
            span,
        });
    }

    /// The slot with the players' knowledge of a zone; created if missing.
    fn known_copies(&mut self, zone: SlotId) -> SlotId {
        if let Some(known) = self.already_known_copies(zone) {
            return known;
        }
        let players = self.size(PLAYER) as usize;
        let Slot { name, index, content, initial, .. } = self.model.slots[zone.index()].clone();
        self.add_slot(Slot {
            name: format!("known {name}"),
            index: [vec![PLAYER], index].concat(),
            content,
            initial: vec![Value::Number(0); players * initial.len()],
            life: Life::Game,
            role: Role::KnownCopies(zone),
            visibility: Visibility::Owner,
            shown: DisplayForm::Plainly,
            help: format!("how many copies one knows to lie in `{name}`, though they do not lie open"),
            span: None,
        })
    }

    fn already_known_copies(&self, zone: SlotId) -> Option<SlotId> {
        let at = self.model.slots.iter().position(|slot| slot.role == Role::KnownCopies(zone))?;
        Some(SlotId(at as u32))
    }

    /// A player's knowledge of a kind in a zone: the target for updates, and its current value.
    fn known_at(
        &mut self,
        known: SlotId,
        zone: &Target,
        player: &CheckedExpr,
        kind: CheckedExpr,
    ) -> (Target, CheckedExpr) {
        let span = kind.span;
        let of = Target { slot: known, index: [vec![player.clone()], zone.index.clone()].concat() };
        (self.at_kind(&of, kind.clone()), self.copies_at(&of, kind, span))
    }

    /// The condition that a player sees a zone.
    fn seen_by(&mut self, zone: &Target, player: &CheckedExpr, span: Span) -> CheckedExpr {
        let visibility = self.model.slots[zone.slot.index()].visibility;
        match (visibility, zone.index.first()) {
            (Visibility::Owner | Visibility::Others, Some(owner)) => {
                let (owner, player) = (Box::new(owner.clone()), Box::new(player.clone()));
                let same = self.build(CheckedExprKind::Same(owner, player), Type::Bool, span);
                if visibility == Visibility::Owner { same } else { self.not(same) }
            }
            (Visibility::Player(seat), _) => {
                let seer = Box::new(self.constant_element(PLAYER, seat.0, span));
                self.build(CheckedExprKind::Same(seer, Box::new(player.clone())), Type::Bool, span)
            }
            (Visibility::All, _) => self.truth_constant(true, span),
            (Visibility::Nobody | Visibility::Owner | Visibility::Others, _) => {
                self.truth_constant(false, span)
            }
        }
    }

    /// A loop over the kinds of a set.
    fn each_kind(
        &mut self,
        kinds: &CheckedExpr,
        domain: DomainId,
        f: impl FnOnce(&mut Self, CheckedExpr) -> CheckedStmtKind,
    ) -> CheckedStmt {
        let span = kinds.span;
        let local = self.new_local("kind", Type::Element(domain), span);
        let kind = self.build(CheckedExprKind::Local(local), Type::Element(domain), span);
        let body = CheckedBlock { stmts: vec![CheckedStmt { kind: f(self, kind), span }] };
        let over = self.copy(kinds);
        CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span }
    }

    fn known_from_the_start(&mut self, known: SlotId, zone: SlotId, kinds: usize) {
        let lying = self.model.slots[zone.index()].clone();
        let places = lying.initial.len();
        let others = places / if lying.visibility.is_of_owner() { self.size(PLAYER) as usize } else { 1 };
        for (at, value) in self.model.slots[known.index()].initial.iter_mut().enumerate() {
            let (player, place) = (at / places, at % places);
            let own = lying.visibility.is_of_owner() && place / others.max(kinds) == player;
            if !lying.visibility.shows(Seat(player as u32), own) {
                *value = lying.initial[place].clone();
            }
        }
    }

    /// Updates of knowledge before two zones exchange their copies: what a player sees or knows of each zone, the player
    /// then knows of the other.
    fn updates_of_copies_exchange(
        &mut self,
        swapped: &Swapped,
        mark: LocalId,
        span: Span,
    ) -> Vec<CheckedStmt> {
        let Swapped { from, to, other: None, .. } = swapped else { return vec![] };
        let (one, two) = (self.already_known_copies(from.slot), self.already_known_copies(to.slot));
        if one.is_none() && two.is_none() {
            return vec![];
        }
        let domain = self.zone_domain(from.slot);
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let kinds = self.build(CheckedExprKind::Local(mark), Type::Set(domain), span);
        let element = self.new_local("kind", Type::Element(domain), span);
        let kind = self.build(CheckedExprKind::Local(element), Type::Element(domain), span);
        let (mut body, mut known) = (vec![], vec![]);
        for (zone, slot) in [(from, one), (to, two)] {
            let sees = self.seen_by(zone, &player, span);
            let there = self.copies_at(zone, kind.clone(), span);
            let value = match slot {
                None => there,
                Some(slot) => {
                    let (_, known) = self.known_at(slot, zone, &player, kind.clone());
                    let parts = [sees, there, known].map(Box::new);
                    let [sees, there, known] = parts;
                    self.build(CheckedExprKind::If(sees, there, known), Type::Number, span)
                }
            };
            let number = self.new_local("number", Type::Number, span);
            body.push(CheckedStmt { kind: CheckedStmtKind::Let { local: number, value }, span });
            known.push(self.build(CheckedExprKind::Local(number), Type::Number, span));
        }
        for (zone, slot, value) in [(from, one, known.remove(1)), (to, two, known.remove(0))] {
            let Some(slot) = slot else { continue };
            // A player who sees the zone needs no knowledge.
            let (target, now) = self.known_at(slot, zone, &player, kind.clone());
            let sees = Box::new(self.seen_by(zone, &player, span));
            let kind = CheckedExprKind::If(sees, Box::new(now), Box::new(value));
            let value = self.build(kind, Type::Number, span);
            body.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
        }
        let body = CheckedBlock { stmts: body };
        let kinds = CheckedStmtKind::For { local: element, over: kinds, from: None, body };
        let body = CheckedBlock { stmts: vec![CheckedStmt { kind: kinds, span }] };
        let over = self.full_set(PLAYER, span);
        vec![CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span }]
    }

    /// Updates of knowledge before a move. Seeing only the source, a player knows the moved copies at
    /// the target. Seeing neither, the knowledge moves along with a whole zone, or is lost. Seeing only
    /// the target, a player knows of fewer copies at the source.
    fn updates_of_move(&mut self, moved: &Moved, mark: LocalId, span: Span) -> Vec<CheckedStmt> {
        let Moved { from, to, count, .. } = moved;
        let domain = self.zone_domain(from.slot);
        let kinds = self.build(CheckedExprKind::Local(mark), Type::Set(domain), span);
        let every = self.full_set(domain, span);
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let (before, behind) = (self.already_known_copies(from.slot), self.already_known_copies(to.slot));
        if before.is_none() && behind.is_none() {
            return vec![];
        }
        let how_many =
            |c: &mut Self, kind: CheckedExpr| c.number_moved(*count, |c| c.copies_at(from, kind, span), span);
        let (sees_before, sees_behind) = (self.seen_by(from, &player, span), self.seen_by(to, &player, span));
        let mut body = vec![];
        if let Some(behind) = behind {
            let unseen = self.not(sees_behind.clone());
            let condition = self.and(sees_before.clone(), unseen, span);
            let more = self.each_kind(&kinds, domain, |c, kind| {
                let number = how_many(c, kind.clone());
                let (target, now) = c.known_at(behind, to, &player, kind);
                CheckedStmtKind::Assign { target, value: c.arithmetic(Arithmetic::Add, now, number, span) }
            });
            body.push((condition, vec![more]));
        }
        if let (Some(before), Some(behind)) = (before, behind) {
            let (one, other) = (self.not(sees_before.clone()), self.not(sees_behind.clone()));
            let mut condition = self.and(one, other, span);
            if let MovedCount::Number(number) = count {
                // Nobody forgets anything if nothing moves.
                let number = self.build(CheckedExprKind::Local(*number), Type::Number, span);
                let zero = self.number_constant(0, span);
                let moves = self.compare(ComparisonOperator::Greater, number, zero, span);
                condition = self.and(condition, moves, span);
            }
            let here = Lying::all(from.clone(), every.clone());
            let there = self.copies_of(vec![here], span);
            let number = self.build(CheckedExprKind::Count(Box::new(kinds.clone())), Type::Number, span);
            let goes = match count {
                MovedCount::All => self.copies_of(vec![Lying::some(from.clone(), kinds.clone())], span),
                MovedCount::One => number,
                MovedCount::Number(each) => {
                    let each = self.build(CheckedExprKind::Local(*each), Type::Number, span);
                    self.arithmetic(Arithmetic::Multiply, number, each, span)
                }
            };
            let gone = self.compare(ComparisonOperator::Equal, goes, there, span);
            let along = self.each_kind(&every, domain, |c, kind| {
                let (_, known) = c.known_at(before, from, &player, kind.clone());
                let (target, now) = c.known_at(behind, to, &player, kind);
                CheckedStmtKind::Assign { target, value: c.arithmetic(Arithmetic::Add, now, known, span) }
            });
            let forgotten = self.each_kind(&every, domain, |c, kind| {
                let (target, _) = c.known_at(before, from, &player, kind);
                CheckedStmtKind::Assign { target, value: c.number_constant(0, span) }
            });
            let then = CheckedBlock { stmts: vec![along] };
            let along = CheckedStmtKind::If { condition: gone, then, otherwise: CheckedBlock::default() };
            body.push((condition, vec![CheckedStmt { kind: along, span }, forgotten]));
        }
        if let Some(before) = before {
            let unseen = self.not(sees_before);
            let condition = self.and(unseen, sees_behind, span);
            let less = self.each_kind(&kinds, domain, |c, kind| {
                let number = how_many(c, kind.clone());
                let (target, now) = c.known_at(before, from, &player, kind);
                let (left, zero) =
                    (c.arithmetic(Arithmetic::Subtract, now, number, span), c.number_constant(0, span));
                CheckedStmtKind::Assign { target, value: c.arithmetic(Arithmetic::Max, left, zero, span) }
            });
            body.push((condition, vec![less]));
        }
        let possible = |condition: &CheckedExpr| crate::values::constant_truth(condition) != Some(false);
        let stmts: Vec<CheckedStmt> = body
            .into_iter()
            .filter(|(condition, _)| possible(condition))
            .map(|(condition, stmts)| {
                let (then, otherwise) = (CheckedBlock { stmts }, CheckedBlock::default());
                CheckedStmt { kind: CheckedStmtKind::If { condition, then, otherwise }, span }
            })
            .collect();
        if stmts.is_empty() {
            return vec![];
        }
        let over = self.full_set(PLAYER, span);
        vec![CheckedStmt {
            kind: CheckedStmtKind::For { local, over, from: None, body: CheckedBlock { stmts } },
            span,
        }]
    }
}
