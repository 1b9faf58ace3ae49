//! Moves in `together`: a player moves elements from zones of their own to any zone, and no other player can tell
//! before all have committed themselves. A variable of the player holds what goes where, and the elements move after
//! the block. In the block the player's own zones are read as if they had moved; other zones don't change.

use std::collections::{BTreeMap, BTreeSet};

use super::committed::OwnBlock;
use super::together::{is_of_me, not_together};
use crate::draft::Draft;
use houserule_language::diagnostic::{Diagnostic, Span};
use houserule_language::syntax::Quantifier;
use houserule_model::board::BitSet;
use houserule_model::walk::{self, children_mut};
use houserule_model::*;

/// The moves of a `together` block.
#[derive(Default)]
pub(super) struct CommittedMoves {
    /// The zones from which and to which players move elements.
    pub(super) zones: BTreeSet<SlotId>,
    /// The statements after the block, which move what was committed.
    pub(super) after: Vec<CheckedStmt>,
    /// The messages of moves that can't be committed.
    pub(super) wrong: Vec<Diagnostic>,
    /// For each destination: the variable that holds what moves there.
    held: BTreeMap<CommittedTo, SlotId>,
}

/// Where a player moves something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CommittedTo {
    zone: SlotId,
    /// `true` for a zone of another player or of nobody. Then the variable has the moving player as its first index,
    /// and the zone's own index after it.
    of_others: bool,
}

/// The expressions that locals stand for or are elements of.
type LocalOrigins = BTreeMap<LocalId, CheckedExpr>;

impl Draft {
    /// Replaces the moves in a `together` block by assignments to variables of the acting player.
    pub(super) fn commit_moves(&mut self, own: &mut OwnBlock<'_>, span: Span) -> CommittedMoves {
        let mut found = CommittedMoves::default();
        let mut origins = LocalOrigins::new();
        for binder in own.options().flat_map(|option| &option.binders) {
            origins.insert(binder.local, binder.over.clone());
        }
        let (mut changed, mut picked) = (BTreeSet::new(), BTreeSet::new());
        own.each_block(&mut |stmts| {
            for stmt in stmts.iter() {
                match &stmt.kind {
                    CheckedStmtKind::For { local, over: value, .. }
                    | CheckedStmtKind::Let { local, value } => {
                        origins.insert(*local, value.clone());
                    }
                    CheckedStmtKind::SetLocal { local, .. } => {
                        changed.insert(*local);
                    }
                    CheckedStmtKind::Pick { local, .. } => {
                        picked.insert(*local);
                    }
                    _ => {}
                }
            }
        });
        origins.retain(|local, _| !changed.contains(local));
        let (mut targets, mut refused) = (BTreeSet::new(), false);
        own.each_block(&mut |stmts| {
            for stmt in stmts.iter() {
                let CheckedStmtKind::MoveTo { what, zone, .. } = &stmt.kind else { continue };
                match self.may_commit(what, zone, &origins, stmt.span) {
                    Ok(sources) => {
                        let to = committed_to(zone);
                        found.zones.extend(sources);
                        found.zones.extend((!to.of_others).then_some(to.zone));
                        targets.insert(to);
                    }
                    Err(d) => {
                        refused = true;
                        // A draw is reported for its chance.
                        let mut drawn = false;
                        walk::expr(what, &mut |e| {
                            drawn |= matches!(e.kind, CheckedExprKind::Local(l) if picked.contains(&l));
                        });
                        found.wrong.extend((!drawn).then_some(*d));
                    }
                }
            }
        });
        if !refused && !targets.is_empty() {
            found.held = targets.into_iter().map(|to| (to, self.held_for(to, span))).collect();
            own.each_expr(&mut |e| self.as_if_moved(e, &found));
            own.each_block(&mut |stmts| self.replace_moves(stmts, &found));
            let moved: Vec<(CommittedTo, SlotId)> =
                found.held.iter().map(|(to, held)| (*to, *held)).collect();
            found.after = moved.into_iter().map(|(to, held)| self.move_held(to, held, span)).collect();
        }
        found
    }

    /// The variable that holds what a player moves to a zone; created if missing.
    fn held_for(&mut self, to: CommittedTo, span: Span) -> SlotId {
        let slot = self.model.slots[to.zone.index()].clone();
        let (name, mut index, mut initial) = (&slot.name, slot.index.clone(), slot.initial.clone());
        if to.of_others {
            index.insert(0, PLAYER);
            initial = vec![initial; self.size(PLAYER) as usize].concat();
        }
        let none = |value: &Value| match value {
            Value::Set(set) => Value::Set(BitSet::empty(set.size())),
            other => other.clone(),
        };
        let slot = Slot {
            name: format!("committed {}{name}", if to.of_others { "to " } else { "" }),
            index,
            initial: initial.iter().map(none).collect(),
            // Who commits an element sees it, as in the zone from which it comes.
            visibility: if slot.visibility == Visibility::All { Visibility::All } else { Visibility::Owner },
            help: format!("what goes to {name} when all have chosen"),
            ..slot
        };
        self.committed_slot(slot, span)
    }

    /// The zones of the acting player from which a move takes elements, or why it can't be committed.
    fn may_commit(
        &self,
        what: &CheckedExpr,
        to: &Target,
        origins: &LocalOrigins,
        span: Span,
    ) -> Result<BTreeSet<SlotId>, Box<Diagnostic>> {
        let name = |slot: SlotId| self.model.slots[slot.index()].name.clone();
        let refuse = |message: String, help: &str| Err(Box::new(not_together(span, message, help)));
        let later = "declare `var chosen[player]: card? = none each round`, write `chosen[me] = c` here, and after \
                     the block `for p in players { for c in chosen[p] { move c to table } }`";
        let Some(sources) = self.own_sources(what, origins) else {
            let message = "in `together` everybody moves only what lies in zones of their own";
            return refuse(
                message.into(),
                "choose it from such a zone: `play c in hand[me] { move c to played[me] }`",
            );
        };
        if let Some(pile) =
            sources.iter().chain([&to.slot]).find(|zone| self.model.order_in(**zone).is_some())
        {
            let message = format!(
                "in `together` nothing moves from or to `{}`, because what players commit has no order",
                name(*pile)
            );
            return refuse(message, later);
        }
        Ok(sources)
    }

    /// The acting player's zones that hold all elements of a set, or an element. `None` if others might hold some.
    fn own_sources(&self, e: &CheckedExpr, origins: &LocalOrigins) -> Option<BTreeSet<SlotId>> {
        use CheckedExprKind as E;
        let both = |a: &CheckedExpr, b: &CheckedExpr| {
            let (mut a, b) = (self.own_sources(a, origins)?, self.own_sources(b, origins)?);
            a.extend(b);
            Some(a)
        };
        match &e.kind {
            E::Read(target) => {
                let is_zone = self.model.slots[target.slot.index()].role == Role::Zone;
                (is_zone && is_of_me(target)).then(|| BTreeSet::from([target.slot]))
            }
            E::Local(local) => self.own_sources(origins.get(local)?, origins),
            E::Constant(Value::Set(set)) if set.is_empty() => Some(BTreeSet::new()),
            E::Elements(all) => {
                let each: Option<Vec<_>> = all.iter().map(|one| self.own_sources(one, origins)).collect();
                Some(each?.into_iter().flatten().collect())
            }
            E::Union(a, b) | E::If(_, a, b) => both(a, b),
            E::Intersect(a, b) => self.own_sources(a, origins).or_else(|| self.own_sources(b, origins)),
            E::Minus(set, _)
            | E::Filter { over: set, .. }
            | E::First(set)
            | E::Last(set)
            | E::Quantified { op: Quantifier::Best | Quantifier::AllBest, over: set, .. } => {
                self.own_sources(set, origins)
            }
            _ => None,
        }
    }

    /// Makes an expression read the acting player's zones as if the committed elements had moved.
    fn as_if_moved(&mut self, e: &mut CheckedExpr, found: &CommittedMoves) {
        if matches!(e.kind, CheckedExprKind::As { .. }) {
            // Inside, `me` is another player.
            return;
        }
        children_mut(&mut e.kind, &mut |part| self.as_if_moved(part, found));
        let CheckedExprKind::Read(target) = &e.kind else { return };
        let Type::Set(domain) = e.ty else { return };
        if !found.zones.contains(&target.slot) || !is_of_me(target) {
            return;
        }
        let (ty, span) = (e.ty, e.span);
        let here = found.held.get(&committed_to(target)).map(|held| {
            let index = target.index.iter().map(|e| self.copy(e)).collect();
            self.build(CheckedExprKind::Read(Target { slot: *held, index }), ty, span)
        });
        let mut now = self.copy(e);
        for held in self.slots_that_hold(domain, found) {
            let all = self.all_held(held, domain, span);
            now = self.build(CheckedExprKind::Minus(Box::new(now), Box::new(all)), ty, span);
        }
        if let Some(here) = here {
            now = self.build(CheckedExprKind::Union(Box::new(now), Box::new(here)), ty, span);
        }
        *e = now;
    }

    /// The variables that hold elements of a domain.
    fn slots_that_hold(&self, domain: DomainId, found: &CommittedMoves) -> Vec<SlotId> {
        let holds = |held: &SlotId| self.model.slots[held.index()].content == Content::Set(domain);
        found.held.values().copied().filter(holds).collect()
    }

    /// All that a variable holds for the acting player, for any place of its family.
    fn all_held(&mut self, held: SlotId, domain: DomainId, span: Span) -> CheckedExpr {
        let me = self.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
        let (target, locals) = self.any_place(held, me, span);
        let ty = Type::Set(domain);
        let mut all = self.build(CheckedExprKind::Read(target), ty, span);
        for (local, place) in locals.into_iter().rev() {
            let over = self.full_set(place, span);
            all = self.quantified(Quantifier::Union, local, over, all, ty, span);
        }
        all
    }

    /// Replaces moves by assignments: the elements are taken out of what was committed before, and added to what goes
    /// to their zone.
    fn replace_moves(&mut self, stmts: &mut Vec<CheckedStmt>, found: &CommittedMoves) {
        let mut at = 0;
        while at < stmts.len() {
            let span = stmts[at].span;
            let CheckedStmtKind::MoveTo { what, zone, .. } = &stmts[at].kind else {
                at += 1;
                continue;
            };
            let to = committed_to(zone);
            let (Type::Set(domain), Some(held)) = (what.ty, found.held.get(&to)) else {
                at += 1;
                continue;
            };
            let me = to.of_others.then(|| self.build(CheckedExprKind::Me, Type::Element(PLAYER), span));
            let index: Vec<CheckedExpr> =
                me.into_iter().chain(zone.index.iter().map(|e| self.copy(e))).collect();
            let what = what.clone();
            // As it is now: what it is read from changes before it is read again.
            let local = self.new_local("committed", what.ty, span);
            let kept = self.build(CheckedExprKind::Local(local), what.ty, span);
            let mut made = vec![CheckedStmt { kind: CheckedStmtKind::Let { local, value: what }, span }];
            let what = kept;
            let alike = self.slots_that_hold(domain, found);
            for held in &alike {
                if alike.len() > 1 || self.model.slots[held.index()].index.len() > 1 {
                    let me = self.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
                    made.extend(self.everywhere(*held, me, span, |c, target| {
                        let now = c.read_set(&target, domain, span);
                        let what = c.copy(&what);
                        let kind = CheckedExprKind::Minus(Box::new(now), Box::new(what));
                        let value = c.build(kind, Type::Set(domain), span);
                        vec![CheckedStmtKind::Assign { target, value }]
                    }));
                }
            }
            let target = Target { slot: *held, index };
            let now = self.read_set(&target, domain, span);
            let kind = CheckedExprKind::Union(Box::new(now), Box::new(what));
            let value = self.build(kind, Type::Set(domain), span);
            made.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
            let count = made.len();
            stmts.splice(at..=at, made);
            at += count;
        }
    }

    fn read_set(&mut self, target: &Target, domain: DomainId, span: Span) -> CheckedExpr {
        let index = target.index.iter().map(|e| self.copy(e)).collect();
        self.build(CheckedExprKind::Read(Target { slot: target.slot, index }), Type::Set(domain), span)
    }

    /// Moves what the players have committed to a zone, and empties the variable that held it.
    fn move_held(&mut self, to: CommittedTo, held: SlotId, span: Span) -> CheckedStmt {
        self.for_all_players(held, span, |c, target| {
            let Content::Set(domain) = c.model.slots[held.index()].content else { return vec![] };
            let what = c.read_set(&target, domain, span);
            let own = target.index.iter().skip(usize::from(to.of_others));
            let zone = Target { slot: to.zone, index: own.map(|e| c.copy(e)).collect() };
            let value = c.empty_set(domain, span);
            vec![
                CheckedStmtKind::MoveTo { what, zone, below: false },
                CheckedStmtKind::Assign { target, value },
            ]
        })
    }
}

fn committed_to(zone: &Target) -> CommittedTo {
    CommittedTo { zone: zone.slot, of_others: !is_of_me(zone) }
}
