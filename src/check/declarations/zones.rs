//! Zones, each of which holds elements of a domain; every element is in one zone. Draws and deals are
//! built from picks and moves.

use super::copies::Lying;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::expressions::several::IndexUse;
use crate::names::name_table::Entity;
use crate::names::scopes::Binding;
use crate::values::Val;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, Modifier, Name, TypeExpr};
use houserule_model::board::BitSet;
use houserule_model::*;

/// A zone's slot, its name and the written index.
type NamedZone<'a> = (SlotId, &'a str, &'a [syntax::Expr]);

/// Where something goes: a zone, or one of several by a condition.
enum Destination {
    Zone(Target),
    Either(Box<CheckedExpr>, Box<(Destination, Destination)>),
}

/// The source of a draw.
enum DrawSource {
    /// A set of elements; of an ordered zone the top, or the bottom if `true`.
    Elements(CheckedExpr, bool),
    /// Copies in a zone.
    Copies(Lying),
}

/// A zone in a statement, and the end of it that elements leave or reach.
#[derive(Clone, Copy)]
pub(crate) struct ZoneEnd<'a> {
    pub(crate) zone: &'a syntax::Expr,
    /// The bottom, instead of the top.
    pub(crate) is_bottom: bool,
}

impl<'a> Checker<'a> {
    /// Resolves `zone NAME[indices] of DOMAIN seen by …`.
    pub(crate) fn resolve_zone(
        &mut self,
        decl: &'a syntax::Decl,
        name: &'a Name,
        index: &'a [syntax::Expr],
        of: &'a TypeExpr,
        value: Option<&'a syntax::Expr>,
        modifiers: &'a [Modifier],
    ) -> Entity {
        let index = self.index_domains(index);
        let domain = self.type_domain(of);
        let (Some(index), Some(domain)) = (index, domain) else { return Entity::Poison };
        if of.optional {
            self.draft.messages.error(Code::WrongType, of.span, "the elements of a zone are never none");
            return Entity::Poison;
        }
        if self.holds_copies(domain) {
            return self.resolve_copies(decl, name, index, domain, value, modifiers);
        }
        let manner = self.manner(modifiers, &index, Life::Game, "zone");
        let Some(size) = self.draft.family(&index, name.span) else { return Entity::Poison };
        if !self.draft.afford_sets(self.draft.model.domains[domain.index()].size, size, name.span) {
            return Entity::Poison;
        }
        let zone = self.draft.add_slot(Slot {
            name: name.text.clone(),
            index,
            content: Content::Set(domain),
            initial: vec![Value::Set(BitSet::empty(self.draft.size(domain))); size],
            life: manner.life,
            role: Role::Zone,
            visibility: manner.visibility.unwrap_or(Visibility::All),
            shown: DisplayForm::Plainly,
            help: super::slots::help(decl),
            span: Some(decl.span),
        });
        if manner.ordered {
            self.draft.order_zone(zone, domain, name.span);
        }
        if let Some(span) = manner.top {
            self.draft.show_top(zone, &name.text, span);
        }
        Entity::Slot(zone)
    }

    /// Puts all elements in the zone declared first. Also sets ranges of copies and the visibility of
    /// empty sites.
    pub(crate) fn fill_zones(&mut self) {
        self.draft.count_copies();
        self.draft.hide_empty_sites();
        let mut filled = vec![];
        for decl in &self.input.game.decls {
            let DeclKind::Zone { name, modifiers, .. } = &decl.kind else { continue };
            let Some(&Entity::Slot(slot)) = self.names.resolved(&name.text) else { continue };
            self.draft.model.slots[slot.index()].shown = self.shown_zone(name, modifiers, slot);
            let Slot { role: Role::Zone, content: Content::Set(domain), .. } =
                self.draft.model.slots[slot.index()]
            else {
                continue;
            };
            if !filled.contains(&domain) {
                filled.push(domain);
                let all = BitSet::full(self.draft.size(domain));
                self.draft.model.slots[slot.index()].initial[0] = Value::Set(all);
                self.draft.shuffled_at_first(slot);
            }
        }
        self.draft.hide_orders();
    }

    /// The zone named in an expression. Returns `None` for other expressions.
    pub(crate) fn zone_named(&mut self, e: &'a syntax::Expr) -> Option<NamedZone<'a>> {
        self.slot_named(e, |role| matches!(role, Role::Zone | Role::Copies))
    }

    /// Checks a single zone with its complete index.
    pub(crate) fn zone(&mut self, e: &'a syntax::Expr) -> Option<(Target, DomainId)> {
        let Some((slot, name, index)) = self.zone_named(e) else {
            let value = self.expr(e, None);
            if !matches!(value, Val::Poison) {
                let found = self.draft.describe(&value);
                let message = format!("expected a zone, found {found}");
                let d = Diagnostic::error(Code::NotAZone, e.span, message)
                    .note("expected a name declared with `zone`, with its whole index");
                self.draft.messages.report(d);
            }
            return None;
        };
        let domain = self.draft.zone_domain(slot);
        let mut domains = self.draft.model.slots[slot.index()].index.clone();
        if self.draft.model.slots[slot.index()].role == Role::Copies {
            domains.pop();
        }
        if index.len() != domains.len() {
            self.draft.report_index_count(name, &domains, index.len(), e.span);
            return None;
        }
        let index = self.check_index_for(index, &domains, IndexUse::Change(name, slot))?;
        Some((Target { slot, index }, domain))
    }

    /// Returns `true` if an expression names a zone, or one of several by a condition.
    pub(crate) fn names_zone(&mut self, e: &'a syntax::Expr) -> bool {
        match &e.kind {
            syntax::ExprKind::If(_, then, otherwise) => self.names_zone(then) || self.names_zone(otherwise),
            _ => self.zone_named(e).is_some(),
        }
    }

    /// Checks the zone to which something goes.
    fn destination(&mut self, to: ZoneEnd<'a>) -> Option<(Destination, DomainId)> {
        let syntax::ExprKind::If(condition, then, otherwise) = &to.zone.kind else {
            let (zone, domain) = self.zone(to.zone)?;
            self.draft.require_bottom(&zone, to.is_bottom, to.zone.span);
            return Some((Destination::Zone(zone), domain));
        };
        let test = self.condition(condition);
        let facts = self.facts_if(test.as_ref(), true);
        let then = self.scoped(facts, |c| c.destination(ZoneEnd { zone: then, ..to }));
        let facts = self.facts_if(test.as_ref(), false);
        let other = self.scoped(facts, |c| c.destination(ZoneEnd { zone: otherwise, ..to }));
        let (test, (then, domain), (other, others)) = (test?, then?, other?);
        if domain != others {
            self.draft.report_other_domain(otherwise.span, domain, others);
            return None;
        }
        Some((Destination::Either(Box::new(test), Box::new((then, other))), domain))
    }

    /// Checks `move S to ZONE` and `move k from ZONE to ZONE`.
    pub(crate) fn move_to_zone(
        &mut self,
        count: Option<&'a syntax::Expr>,
        what: &'a syntax::Expr,
        from: Option<&'a syntax::Expr>,
        to: ZoneEnd<'a>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let Some((zone, domain)) = self.destination(to) else {
            self.expr(what, None);
            return;
        };
        if self.draft.model.has_copies(domain) {
            self.go_to(&zone, span, out, &mut |c, zone, out| {
                c.move_copies(count, what, from, zone, out);
            });
            return;
        }
        let set = self.set_of(what, Some(domain));
        if let Some(count) = count {
            let name = self.draft.domain_name(domain);
            let message = format!("there is one of each `{name}`, so a number of them can't be moved");
            let d = Diagnostic::error(Code::Misplaced, count.span, message)
                .help("name a set: `move S to …`; `deal n from S to …` draws n of its elements");
            self.draft.messages.report(d);
            return;
        }
        if let Some(from) = from {
            self.draft.report_superfluous_from(from, domain);
            return;
        }
        let Some((set, _)) = set else { return };
        self.go_to(&zone, span, out, &mut |c, zone, out| {
            let what = c.draft.copy(&set);
            out.push(CheckedStmt { kind: CheckedStmtKind::MoveTo { what, zone, below: to.is_bottom }, span });
        });
    }

    /// Checks `draw t from S to ZONE`.
    pub(crate) fn draw(
        &mut self,
        name: &'a Name,
        from: ZoneEnd<'a>,
        to: Option<ZoneEnd<'a>>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let Some(to) = to else {
            let d = Diagnostic::error(Code::NoZone, span, "this does not say where the element goes").help(
                format!(
                    "write `draw {0} from … to …`, or `pick {0} in …` to leave it where it is",
                    name.text
                ),
            );
            self.draft.messages.report(d);
            self.expr(from.zone, None);
            return self.bind(name, Binding::Argument(Val::Poison));
        };
        let is_bottom = to.is_bottom;
        let to = self.destination(to);
        let over = self.drawn_from(from, to.as_ref().map(|(_, domain)| *domain));
        let (Some((zone, domain)), Some(over)) = (to, over) else {
            return self.bind(name, Binding::Argument(Val::Poison));
        };
        let local = self.bind_local(name, Type::Element(domain), true);
        if let DrawSource::Elements(set, _) = &over
            && self.scopes.knows(&self.draft.model, set)
        {
            self.scopes.facts.learn([self.draft.is_local(local)]);
        }
        self.draw_into(local, over, &zone, is_bottom, span, out);
    }

    /// The source of a draw. `wanted` is the domain of the target zone.
    fn drawn_from(&mut self, from: ZoneEnd<'a>, wanted: Option<DomainId>) -> Option<DrawSource> {
        let (set, domain) = self.over(from.zone, wanted)?;
        if let Some(wanted) = wanted.filter(|wanted| *wanted != domain) {
            let wanted = format!("a set over `{}`", self.draft.domain_name(wanted));
            self.draft.report_mismatch(from.zone.span, &wanted, &Val::sure(set));
            return None;
        }
        if from.is_bottom && self.draft.model.pile(&set).is_none() {
            self.report_no_lower_end(from.zone, &set);
            return None;
        }
        match self.draft.model.has_copies(domain) {
            true => self.draft.drawn_copies(&set, from.zone.span).map(DrawSource::Copies),
            false => Some(DrawSource::Elements(set, from.is_bottom)),
        }
    }

    /// Picks an element and moves it.
    fn draw_into(
        &mut self,
        local: LocalId,
        from: DrawSource,
        to: &Destination,
        below: bool,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let ty = self.draft.model.locals[local.index()].ty;
        let Type::Element(domain) = ty else { return };
        let over = match from {
            DrawSource::Elements(set, lower) => self.draft.drawn_first(set, lower, out),
            DrawSource::Copies(lying) => {
                let from = self.draft.pick_copy(local, &lying, span, out);
                return self.go_to(to, span, out, &mut |c, zone, out| {
                    c.draft.move_picked(local, from.clone(), zone, span, out);
                });
            }
        };
        out.push(CheckedStmt { kind: CheckedStmtKind::Pick { local, over, by: None }, span });
        self.go_to(to, span, out, &mut |c, zone, out| {
            let drawn = c.draft.build(CheckedExprKind::Local(local), ty, span);
            let what = c.draft.elements(vec![drawn], domain, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::MoveTo { what, zone, below }, span });
        });
    }

    /// Checks `deal N from S to ZONE`. A zone of players without an index gets N elements for each
    /// player.
    pub(crate) fn deal(
        &mut self,
        count: &'a syntax::Expr,
        from: ZoneEnd<'a>,
        to: ZoneEnd<'a>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let count = self.number_of(count);
        let to_each = self
            .zone_named(to.zone)
            .filter(|(slot, _, index)| index.is_empty() && self.draft.is_of_players(*slot));
        let Some((slot, ..)) = to_each else {
            let target = self.destination(to);
            let from = self.drawn_from(from, target.as_ref().map(|(_, domain)| *domain));
            let (target, domain) = target?;
            out.extend(self.deal_one(count?, from?, target, to.is_bottom, domain, span).stmts);
            return None;
        };
        let from = self.drawn_from(from, Some(self.draft.zone_domain(slot)))?;
        let mut count = count?;
        // What is dealt to one player must not change the number for the next.
        if !matches!(count.kind, CheckedExprKind::Constant(_)) {
            let local = self.draft.new_local("number", Type::Number, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value: count }, span });
            count = self.draft.build(CheckedExprKind::Local(local), Type::Number, span);
        }
        let over = self.draft.full_set(PLAYER, span);
        let local = self.draft.new_local("player", Type::Element(PLAYER), span);
        let player = self.draft.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let zone = Target { slot, index: vec![player] };
        self.draft.require_bottom(&zone, to.is_bottom, to.zone.span);
        let (target, domain) = (Destination::Zone(zone), self.draft.zone_domain(slot));
        let body = self.deal_one(count, from, target, to.is_bottom, domain, span);
        Some(CheckedStmtKind::For { local, over, from: None, body })
    }

    /// Draws `count` elements, one after the other.
    fn deal_one(
        &mut self,
        count: CheckedExpr,
        from: DrawSource,
        to: Destination,
        below: bool,
        domain: DomainId,
        span: Span,
    ) -> CheckedBlock {
        // No more can be dealt than there are elements, or copies of them, whatever number is asked for.
        let each = if self.holds_copies(domain) { limits::COPIES } else { 1 };
        let most = self.draft.number_constant(each * i64::from(self.draft.size(domain)), span);
        let count = self.draft.arithmetic(Arithmetic::Min, count, most, span);
        let left = self.draft.new_local("left", Type::Number, span);
        let now = |c: &mut Self| c.draft.build(CheckedExprKind::Local(left), Type::Number, span);
        let (a, b, zero, one) =
            (now(self), now(self), self.draft.number_constant(0, span), self.draft.number_constant(1, span));
        let condition = self.draft.compare(ComparisonOperator::Greater, a, zero, span);
        let less = self.draft.arithmetic(Arithmetic::Subtract, b, one, span);
        let drawn = self.draft.new_local("dealt", Type::Element(domain), span);
        let mut body = vec![];
        self.draw_into(drawn, from, &to, below, span, &mut body);
        body.push(CheckedStmt { kind: CheckedStmtKind::SetLocal { local: left, value: less }, span });
        let body = CheckedBlock { stmts: body };
        let stmts = vec![
            CheckedStmt { kind: CheckedStmtKind::Let { local: left, value: count }, span },
            CheckedStmt { kind: CheckedStmtKind::While { condition, body }, span },
        ];
        CheckedBlock { stmts }
    }

    /// Adds the statements that `into` makes for each zone to which something may go.
    fn go_to(
        &mut self,
        to: &Destination,
        span: Span,
        out: &mut Vec<CheckedStmt>,
        into: &mut dyn FnMut(&mut Self, Target, &mut Vec<CheckedStmt>),
    ) {
        match to {
            Destination::Zone(zone) => {
                let index = zone.index.iter().map(|e| self.draft.copy(e)).collect();
                into(self, Target { slot: zone.slot, index }, out);
            }
            Destination::Either(condition, arms) => {
                let condition = self.draft.copy(condition);
                let [then, otherwise] = [&arms.0, &arms.1].map(|arm| {
                    let mut stmts = vec![];
                    self.go_to(arm, span, &mut stmts, into);
                    CheckedBlock { stmts }
                });
                out.push(CheckedStmt { kind: CheckedStmtKind::If { condition, then, otherwise }, span });
            }
        }
    }
}

impl Draft {
    /// The zones of a domain.
    pub(crate) fn zones_of(&self, domain: DomainId) -> Vec<SlotId> {
        let slots = (0..).map(SlotId).zip(&self.model.slots);
        let over = |slot: &Slot| slot.role == Role::Zone && slot.content == Content::Set(domain);
        slots.filter(|(_, slot)| over(slot)).map(|(id, _)| id).collect()
    }

    /// Reports a superfluous `from` for elements without copies.
    pub(crate) fn report_superfluous_from(&mut self, from: &syntax::Expr, domain: DomainId) {
        let name = self.domain_name(domain);
        let message = format!("there is one of each `{name}`, so where it lies need not be said");
        let d = Diagnostic::error(Code::Misplaced, from.span, message).help(
            "leave the `from …` out; `from` goes with zones of copies: `zone bag of … = [red: 10, blue: 5]`",
        );
        self.messages.report(d);
    }

    /// Returns `true` if a zone has one member for each player.
    pub(crate) fn is_of_players(&self, slot: SlotId) -> bool {
        let Slot { index, role, .. } = &self.model.slots[slot.index()];
        match role {
            Role::Copies => index.len() == 2 && index[0] == PLAYER,
            _ => index[..] == [PLAYER],
        }
    }
}
