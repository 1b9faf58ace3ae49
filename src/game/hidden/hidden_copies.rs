//! A player's knowledge of counted copies in hidden zones: how many lie there, and which of them are certain.
//! The rest may lie anywhere, uniformly at random.

use super::sites_in_zones::reads_any_local;
use crate::Onlookers;
use crate::{Game, Seat, State, family_names};
use houserule_base::rng::Stream;
use houserule_model::{
    CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmtKind, DomainId, LocalId, Model, Role, Slot,
    SlotId, Target, Type, Value, Visibility, walk,
};

/// The number of copies of each kind.
pub(crate) type Copies = Vec<u64>;

/// The copies in one zone that a player does not see.
struct Hidden {
    zone: SlotId,
    place: usize,
    lying: Copies,
    /// The copies in `lying` that the player is certain of.
    known: Copies,
}

/// Returns the number of kinds of a zone of copies.
pub(crate) fn kinds(model: &Model, slot: &Slot) -> usize {
    slot.index.last().map_or(1, |domain| model.domains[domain.index()].size as usize)
}

/// Formats copies as `{2 red, 1 blue}`.
fn copies_text(game: &Game, domain: DomainId, copies: &[u64]) -> String {
    let some = (0..).zip(copies).filter(|(_, n)| **n > 0);
    let written: Vec<String> =
        some.map(|(kind, n)| format!("{n} {}", game.element_name(domain, kind))).collect();
    format!("{{{}}}", written.join(", "))
}

/// Returns the slot of what the players know of a zone of copies, if there is one.
fn find_known_copies(model: &Model, zone: SlotId) -> Option<SlotId> {
    let mut slots = (0..).map(SlotId).zip(&model.slots);
    slots.find(|(_, slot)| slot.role == Role::KnownCopies(zone)).map(|(id, _)| id)
}

/// Removes a copy, drawn uniformly at random, and returns its kind. Returns `None` if there are no copies.
fn take(copies: &mut Copies, stream: &mut Stream) -> Option<usize> {
    let all: u64 = copies.iter().sum();
    let mut copy = if all == 0 { return None } else { stream.below(all) };
    let kind = copies.iter().position(|n| {
        let here = copy < *n;
        copy = copy.wrapping_sub(*n);
        here
    })?;
    copies[kind] -= 1;
    Some(kind)
}

impl State {
    /// Returns the numbers of some kinds of copies, from place `first` of a slot.
    fn counted(&self, slot: SlotId, first: usize, kinds: usize) -> Copies {
        let number = |at: usize| match self.value(slot, at) {
            Value::Number(n) => n.max(0) as u64,
            _ => 0,
        };
        (first..first + kinds).map(number).collect()
    }

    /// Returns the number of copies of each kind at a place of a zone.
    pub fn copies_lying(&self, zone: SlotId, place: usize) -> Copies {
        let model = self.game().model();
        let kinds = kinds(model, &model.slots[zone.index()]);
        self.counted(zone, place * kinds, kinds)
    }

    /// Returns the copies that a player is certain of at a place of a hidden zone.
    pub(crate) fn copies_known(&self, zone: SlotId, place: usize, player: Seat) -> Copies {
        let model = self.game().model();
        let slot = &model.slots[zone.index()];
        let kinds = kinds(model, slot);
        match find_known_copies(model, zone) {
            Some(known) => {
                let first = player.0 as usize * slot.initial.len() + place * kinds;
                self.counted(known, first, kinds)
            }
            None => vec![0; kinds],
        }
    }

    /// Returns the copies at a place of a zone that all who look see or are certain of.
    pub fn copies_seen(&self, zone: SlotId, place: usize, sight: Onlookers) -> Copies {
        let mut seen = self.copies_lying(zone, place);
        for seat in sight.seats().filter(|seat| !self.sees_copies(zone, place, *seat)) {
            for (count, known) in seen.iter_mut().zip(self.copies_known(zone, place, seat)) {
                *count = known.min(*count);
            }
        }
        seen
    }

    /// Returns `true` if a player sees the copies at a place of a zone.
    pub(crate) fn sees_copies(&self, zone: SlotId, place: usize, player: Seat) -> bool {
        let model = self.game().model();
        self.sees(zone, place * kinds(model, &model.slots[zone.index()]), player)
    }

    /// Adds what a player sees of a zone of copies, one line for each place.
    pub(crate) fn view_copies(&self, zone: SlotId, player: Seat, lines: &mut Vec<String>) {
        let (game, slot) = (self.game(), &self.game().model().slots[zone.index()]);
        let Some((domain, family)) = slot.index.split_last() else { return };
        for (place, name) in family_names(game, &slot.name, family).iter().enumerate() {
            let lying = self.copies_lying(zone, place);
            if self.sees_copies(zone, place, player) {
                lines.push(format!("{name} = {}", copies_text(game, *domain, &lying)));
                continue;
            }
            let known = self.copies_known(zone, place, player);
            let with = match known.iter().all(|n| *n == 0) {
                true => String::new(),
                false => format!(", with {}", copies_text(game, *domain, &known)),
            };
            lines.push(format!("{name} has {}{with}", lying.iter().sum::<u64>()));
        }
    }

    /// Redistributes the copies whose place a player does not know, uniformly at random. The number of copies
    /// in each zone stays the same.
    pub(crate) fn shuffle_copies(&mut self, domain: DomainId, player: Seat, stream: &mut Stream) {
        let game = self.game().clone();
        let model = game.model();
        let count = model.domains[domain.index()].size as usize;
        let mut hidden = vec![];
        for (zone, slot) in model.copies(domain) {
            for place in 0..slot.initial.len() / count {
                if !self.sees_copies(zone, place, player) {
                    let (lying, known) =
                        (self.copies_lying(zone, place), self.copies_known(zone, place, player));
                    hidden.push(Hidden { zone, place, lying, known });
                }
            }
        }
        let mut pool: Copies = vec![0; count];
        for Hidden { lying, known, .. } in &hidden {
            for kind in 0..count {
                pool[kind] += lying[kind] - known[kind].min(lying[kind]);
            }
        }
        for Hidden { zone, place, lying, known } in hidden {
            let mut now: Copies = known.iter().zip(&lying).map(|(known, lying)| *known.min(lying)).collect();
            for _ in now.iter().sum::<u64>()..lying.iter().sum() {
                if let Some(kind) = take(&mut pool, stream) {
                    now[kind] += 1;
                }
            }
            for (kind, n) in now.iter().enumerate() {
                self.set_value(zone, place * count + kind, &Value::Number(*n as i64));
            }
            self.redraw_known(zone, place, &now, player, stream);
        }
    }

    /// Redraws what the other players know of a zone from its present copies.
    fn redraw_known(
        &mut self,
        zone: SlotId,
        place: usize,
        lying: &Copies,
        player: Seat,
        stream: &mut Stream,
    ) {
        let game = self.game().clone();
        let slots = &game.model().slots;
        let Some(known) = find_known_copies(game.model(), zone) else { return };
        for other in (0..game.players()).map(Seat).filter(|other| *other != player) {
            let before: u64 = self.copies_known(zone, place, other).iter().sum();
            let (mut left, mut now) = (lying.clone(), vec![0; lying.len()]);
            for _ in 0..before {
                if let Some(kind) = take(&mut left, stream) {
                    now[kind] += 1;
                }
            }
            let first = other.0 as usize * slots[zone.index()].initial.len() + place * lying.len();
            for (kind, n) in now.iter().enumerate() {
                self.set_value(known, first + kind, &Value::Number(*n));
            }
        }
    }
}

/// A player who watches another act.
pub(crate) struct Onlooker<'a> {
    pub(crate) model: &'a Model,
    pub(crate) actor: Option<Seat>,
    pub(crate) viewer: Seat,
    /// The elements that the action binds, by local.
    pub(crate) bound: Vec<(LocalId, u32)>,
}

impl Onlooker<'_> {
    /// Returns `true` if a body moves copies of the kind in `local`, and the viewer sees none of them move.
    pub(crate) fn moved_unseen(&self, body: &CheckedBlock, local: LocalId) -> bool {
        let (mut same, mut moved, mut seen) = (vec![local], false, false);
        let domain = |local: LocalId| match self.model.locals[local.index()].ty {
            Type::Element(domain) | Type::Set(domain) => Some(domain),
            Type::Number | Type::Bool => None,
        };
        let own = domain(local);
        walk::stmts(self.model, body, &mut |stmt| match &stmt.kind {
            // What lies in the hand of a player is no player.
            CheckedStmtKind::Let { local, value: e } | CheckedStmtKind::For { local, over: e, .. }
                if domain(*local) == own && reads_any_local(e, &same) =>
            {
                same.push(*local);
            }
            CheckedStmtKind::Assign { target, .. } if self.is_of(target, &same) => {
                moved = true;
                seen |= self.sees(target);
            }
            _ => {}
        });
        moved && !seen
    }

    fn is_of(&self, target: &Target, kinds: &[LocalId]) -> bool {
        let copies = self.model.slots[target.slot.index()].role == Role::Copies;
        copies && target.index.last().is_some_and(|kind| reads_any_local(kind, kinds))
    }

    fn sees(&self, zone: &Target) -> bool {
        match self.model.slots[zone.slot.index()].visibility {
            Visibility::All => true,
            Visibility::Player(seat) => seat == self.viewer,
            Visibility::Nobody => false,
            Visibility::Owner => self.owner(&zone.index[0]) == Some(self.viewer),
            Visibility::Others => self.owner(&zone.index[0]).is_some_and(|owner| owner != self.viewer),
        }
    }

    fn owner(&self, e: &CheckedExpr) -> Option<Seat> {
        match &e.kind {
            CheckedExprKind::Me => self.actor,
            CheckedExprKind::Constant(Value::Element(player)) => player.map(Seat),
            CheckedExprKind::Local(local) => {
                self.bound.iter().find(|(bound, _)| bound == local).map(|(_, player)| Seat(*player))
            }
            _ => None,
        }
    }
}
