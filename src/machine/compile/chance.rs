//! Lowering of statements with chance events.

use super::layout::{changed, family_size};
use super::lower::{Exits, Lowering};
use crate::program::{
    DiceRef, Failure, Imm, In, Instruction as I, Numbers, Out, Phase, SetIn, SetOut, Size, StopKind, Truth,
};
use houserule_model::{CheckedBlock, CheckedExpr, CheckedExprKind, LocalId, Role, SlotId, Target, Type};

impl Lowering<'_> {
    pub(super) fn chance(&mut self, stmt: usize, body: &CheckedBlock, given: &CheckedExpr, exits: Exits) {
        let Some(words) = self.layout.given.get(&stmt).copied() else { return };
        let mut kept = vec![];
        let mut to = words.at + 1;
        for what in changed(self.model, body) {
            let from = self.layout.place(what);
            let len = what.words(self.model, self.layout.width) as u16;
            // Slots that the program does not keep can't change.
            kept.extend(from.into_iter().flat_map(|from| (0..len).map(move |k| (from + k, to + k))));
            to += len;
        }
        self.free.clear();
        for (from, to) in &kept {
            self.emit(I::Copy { d: Out(*to), a: In(*from) });
        }
        let (head, end) = (self.here(), self.label());
        self.emit(I::Given { phase: Phase::Begins });
        let outer = self.given.replace(words.at);
        self.block(body, exits);
        self.given = outer;
        self.branch(given, true, end);
        self.emit(I::Given { phase: Phase::Fails });
        for (from, to) in kept {
            self.emit(I::Copy { d: Out(from), a: In(to) });
        }
        self.emit(I::Loop { to: head.block() });
        self.bind(end);
        self.emit(I::Given { phase: Phase::Holds });
        // Equal positions must have equal states, however they came about.
        self.emit(I::Reset { words });
        self.free.clear();
    }

    pub(super) fn roll(&mut self, stmt: usize, dice: &Target, among: Option<&CheckedExpr>) {
        let kept = self.layout.rolls.get(&stmt).copied();
        // Dice without a set of their own are rolled as one event.
        let among = among.map(|among| (among, kept.unwrap_or(self.layout.region)));
        let Role::Dice { count, .. } = self.role(dice.slot) else { return };
        let families = family_size(self.model, dice.slot) / count.max(1) as usize;
        let joint = self.model.roll_outcomes(dice.slot).is_some();
        let Some(family) = self.constant_position(dice.slot, &dice.index) else {
            // The family of dice is chosen at run time.
            let sizes: Vec<u16> =
                self.model.slots[dice.slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
            let index = self.flat(&dice.index, &sizes[..dice.index.len()]);
            let end = self.label();
            for family in 0..families as u32 {
                if self.is_full() {
                    return;
                }
                let next = self.label();
                self.emit(I::IfEqualK {
                    a: index,
                    k: Imm(family as i32),
                    is: Truth(false),
                    to: next.block(),
                });
                self.roll_family(dice.slot, family, count, joint, among);
                self.jump(end);
                self.bind(next);
            }
            self.emit(I::Fail { why: Failure::NoneIndex });
            self.bind(end);
            return;
        };
        self.roll_family(dice.slot, family, count, joint, among);
    }

    fn roll_family(
        &mut self,
        slot: SlotId,
        family: u32,
        count: u32,
        joint: bool,
        among: Option<(&CheckedExpr, u16)>,
    ) {
        let Some(number) = self.dice.get(&(slot, family)).copied() else { return };
        let dice = DiceRef(number);
        let entry = self.entry();
        match among {
            None if joint => {
                let stop = self.add_stop(StopKind::Roll { dice: number }, entry);
                self.emit(I::Roll { stop, dice });
            }
            Some((among, at)) if joint => {
                let a = SetIn(at);
                self.set_into(among, a.0);
                let stop = self.add_stop(StopKind::RollSome { dice: number, from: a.0 }, entry);
                self.emit(I::RollSome { stop, dice, a });
            }
            _ => {
                // The number of outcomes exceeds 64 bits, so each die is a stop of its own. The set of dice
                // is fixed before the first die is rolled.
                let chosen = among.map(|(among, at)| {
                    self.set_into(among, at);
                    SetIn(at)
                });
                for die in 0..count {
                    let entry = self.entry();
                    let skip = self.label();
                    let t = self.number_temp();
                    self.emit(I::Const { d: Out(t), k: Imm(die as i32) });
                    if let Some(a) = chosen {
                        let size = Size(count as u16);
                        self.emit(I::IfIn { a, e: In(t), size, is: Truth(false), to: skip.block() });
                    }
                    let from = chosen.map(|set| set.0);
                    let kind = StopKind::RollOne { dice: number, die: die as u16, from };
                    let stop = self.add_stop(kind, entry);
                    self.emit(I::RollOne { stop, dice, die: In(t) });
                    self.bind(skip);
                }
            }
        }
    }

    pub(super) fn pick(&mut self, local: LocalId, over: &CheckedExpr, by: Option<&Target>) {
        let Some(zone) = by else { return self.pick_by(local, over, None) };
        let kinds = self.model.slots[zone.slot.index()].index.last().map_or(1, |d| self.size_of(*d));
        let first = self.slot(zone.slot);
        let copies = |family: u32| Numbers { at: first + family as u16 * kinds, len: kinds };
        if let Some(family) = self.constant_position(zone.slot, &zone.index) {
            return self.pick_by(local, over, Some(copies(family)));
        }
        // The zone is chosen at run time.
        let sizes: Vec<u16> =
            self.model.slots[zone.slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
        let index = self.flat(&zone.index, &sizes[..zone.index.len()]);
        let end = self.label();
        for family in 0..(family_size(self.model, zone.slot) / usize::from(kinds.max(1))) as u32 {
            if self.is_full() {
                return;
            }
            let next = self.label();
            self.emit(I::IfEqualK { a: index, k: Imm(family as i32), is: Truth(false), to: next.block() });
            self.pick_by(local, over, Some(copies(family)));
            self.jump(end);
            self.bind(next);
        }
        self.emit(I::Fail { why: Failure::NoneIndex });
        self.bind(end);
    }

    fn pick_by(&mut self, local: LocalId, over: &CheckedExpr, by: Option<Numbers>) {
        let at = self.local(local);
        let free = self.free_sites(over);
        self.scoped(|this| {
            let entry = this.entry();
            let a = match &over.kind {
                CheckedExprKind::Read(_) => this.set(over),
                _ => {
                    let region = this.layout.region;
                    this.set_into(over, region);
                    SetIn(region)
                }
            };
            let a = if u32::from(a.0) >= u32::from(this.layout.live) {
                // A set read through an index is a temporary, but the set to pick from must stay live.
                let region = this.layout.region;
                this.emit(I::SetCopy { d: SetOut(region), a });
                SetIn(region)
            } else {
                a
            };
            let domain = match over.ty {
                Type::Set(d) => d.0,
                _ => 0,
            };
            let kind = StopKind::Pick { domain, from: a.0, to: at, by: by.map(|by| by.at) };
            let stop = this.add_stop(kind, entry);
            this.emit(match by {
                None => I::Pick { stop, d: Out(at), a },
                Some(by) => I::PickBy { stop, d: Out(at), a, by },
            });
        });
        if let Some(board) = free {
            self.free.insert(local, board);
        }
    }
}
