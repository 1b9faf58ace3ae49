//! What chance may come to where whoever drives decides it: the outcomes of the pending event.

use super::copies::{copies, kind_of, kinds};
use super::effects::{draw_some, find, is_first, outcomes_of_some, show_dice, show_die, show_some};
use super::event::{ApplyError, Event};
use super::state::State;
use crate::lang::model::{DomainId, Role, SlotId};
use crate::program::{Block, SiteKind};
use crate::rng::Stream;

impl State {
    /// How many outcomes the pending chance event has, all with the same chance; 0 if none is pending. Where
    /// copies are drawn, each is one, and those of a kind come to the same event.
    pub fn chance_outcomes(&self) -> u64 {
        self.given.count().unwrap_or_else(|| self.raw_outcomes())
    }

    /// The same, whatever a condition may rule out.
    pub(super) fn raw_outcomes(&self) -> u64 {
        let Some(site) = self.site() else { return 0 };
        let program = self.game.program();
        match &program.sites[site].kind {
            SiteKind::Choice(_) => 0,
            SiteKind::Roll { dice } => program.dice[usize::from(*dice)].outcomes,
            SiteKind::RollSome { dice, from } => {
                let count = self.words[usize::from(*from)].count_ones();
                outcomes_of_some(program, usize::from(*dice), count)
            }
            SiteKind::RollOne { dice, .. } => program.dice[usize::from(*dice)].faces.into(),
            SiteKind::Draw { at } => self.words[usize::from(*at) + 1],
            SiteKind::Pick { from, by: None, .. } => {
                self.set_at(*from).iter().map(|w| u64::from(w.count_ones())).sum()
            }
            SiteKind::Pick { from, by: Some(by), .. } => copies(&self.words, *by, self.set_at(*from)),
        }
    }

    fn set_at(&self, at: u16) -> &[u64] {
        &self.words[usize::from(at)..usize::from(at) + usize::from(self.game.program().width)]
    }

    /// The outcomes of the pending chance event that come to different events: of each the first, and how many
    /// of all there are.
    ///
    /// A roll of many dice has more than anybody can list: see [`State::chance_outcomes`].
    pub fn distinct_outcomes(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        let site = self.site().map(|site| &self.game.program().sites[site].kind);
        match site {
            Some(SiteKind::Pick { from, by: Some(by), .. }) if self.given.count().is_none() => {
                let mut first = 0;
                let of_kind = move |copies: u64| {
                    first += copies;
                    (first - copies, copies)
                };
                let copies = kinds(&self.words, *by, self.set_at(*from)).map(|(_, copies)| copies);
                Box::new(copies.map(of_kind))
            }
            _ => Box::new((0..self.chance_outcomes()).map(|outcome| (outcome, 1))),
        }
    }

    /// How many there are of [`State::distinct_outcomes`].
    pub fn distinct_count(&self) -> u64 {
        match self.chance_event(0) {
            Some(Event::Pick { .. }) => self.distinct_outcomes().count() as u64,
            _ => self.chance_outcomes(),
        }
    }

    /// How many dice the pending roll has, and how many faces each of them. `None` if no roll is pending.
    pub fn pending_dice(&self) -> Option<(u32, u32)> {
        let Event::Roll { slot, dice, .. } = self.chance_event(0)? else { return None };
        let Role::Dice { faces, .. } = self.game.model().slots[slot.index()].role else { return None };
        Some((dice.count_ones(), faces))
    }

    /// The outcome of the pending roll in which the dice show these faces, in the order of the dice. `None` if
    /// no roll of so many dice is pending, or if they can't show that.
    pub fn outcome_of_faces(&self, shown: &[u64]) -> Option<u64> {
        let (dice, faces) = self.pending_dice()?;
        let faces = u64::from(faces);
        if shown.len() != dice as usize || shown.iter().any(|face| !(1..=faces).contains(face)) {
            return None;
        }
        let number = shown.iter().try_fold(0u64, |n, face| n.checked_mul(faces)?.checked_add(face - 1))?;
        self.outcome_of_roll(number)
    }

    /// The outcome of the pending roll that has this number among all outcomes of the dice. They are the same,
    /// unless a condition rules some out.
    pub(super) fn outcome_of_roll(&self, number: u64) -> Option<u64> {
        let is = |outcome: &u64| matches!(self.chance_event(*outcome), Some(Event::Roll { outcome, .. }) if outcome == number);
        match self.given.count() {
            Some(ways) => (0..ways).find(is),
            None => Some(number).filter(is),
        }
    }

    /// Draws an outcome of the pending chance event from the state's own stream. `None` if none is pending.
    pub fn random_outcome(&mut self) -> Option<u64> {
        if !self.is_chance() || self.is_over() {
            return None;
        }
        let mut stream = self.streams.chance;
        let outcome = self.draw_outcome(&mut stream);
        self.streams.chance = stream;
        Some(outcome)
    }

    /// Draws an outcome of the pending chance event, of which all have the same chance.
    pub fn draw_outcome(&self, stream: &mut Stream) -> u64 {
        match self.given.count() {
            Some(ways) => stream.below(ways.max(1)),
            None => self.draw_raw(stream),
        }
    }

    /// The same, whatever a condition may rule out.
    pub(super) fn draw_raw(&self, stream: &mut Stream) -> u64 {
        let program = self.game.program();
        let dice = match self.site().map(|site| &program.sites[site].kind) {
            Some(SiteKind::Roll { dice }) => {
                let dice = &program.dice[usize::from(*dice)];
                Some((dice, u32::from(dice.count)))
            }
            Some(SiteKind::RollSome { dice, from }) => {
                let rolled = self.words[usize::from(*from)].count_ones();
                Some((&program.dice[usize::from(*dice)], rolled))
            }
            _ => None,
        };
        match (dice, self.raw_outcomes()) {
            (_, 0 | 1) => 0,
            (Some((dice, count)), outcomes) => draw_some(dice, count, outcomes, stream),
            (None, outcomes) => stream.below(outcomes),
        }
    }

    /// May several outcomes of the pending chance event come to one event?
    pub(super) fn is_uneven(&self) -> bool {
        let site = self.site().map(|site| &self.game.program().sites[site].kind);
        self.given.count().is_some() || matches!(site, Some(SiteKind::Pick { by: Some(_), .. }))
    }

    /// What an outcome of the pending chance event is.
    pub fn chance_event(&self, outcome: u64) -> Option<Event> {
        self.raw_event(self.given.raw(outcome)?)
    }

    fn raw_event(&self, outcome: u64) -> Option<Event> {
        let program = self.game.program();
        let roll = |dice: u16, which: u32| {
            let dice = &program.dice[usize::from(dice)];
            Event::Roll { slot: SlotId(dice.slot), family: dice.family, dice: which, outcome }
        };
        if outcome >= self.raw_outcomes() {
            return None;
        }
        Some(match &program.sites[self.site()?].kind {
            SiteKind::Choice(_) => return None,
            SiteKind::Roll { dice } => {
                roll(*dice, ((1u64 << program.dice[usize::from(*dice)].count) - 1) as u32)
            }
            SiteKind::RollSome { dice, from } => roll(*dice, self.words[usize::from(*from)] as u32),
            SiteKind::RollOne { dice, die, .. } => roll(*dice, 1 << die),
            SiteKind::Draw { .. } => Event::Draw { outcome, outcomes: self.raw_outcomes() },
            SiteKind::Pick { domain, from, by, .. } => {
                let set = self.set_at(*from);
                let element = match by {
                    None => {
                        let (word, bit) = find(set, 0, outcome as u32);
                        word as u32 * 64 + bit
                    }
                    Some(by) => kind_of(&self.words, *by, set, outcome)?,
                };
                Event::Pick { domain: DomainId(*domain), element }
            }
        })
    }

    /// Lets the pending chance event come out in one way, and goes on.
    pub fn apply_outcome(&mut self, outcome: u64) -> Result<(), ApplyError> {
        if self.is_over() {
            return Err(ApplyError::Over);
        }
        if !self.is_chance() {
            return Err(ApplyError::WrongKind);
        }
        let raw = self.given.raw(outcome).ok_or(ApplyError::NoOutcome(outcome))?;
        let next = self.settle_chance(raw)?;
        self.given.take(outcome);
        Ok(self.go_on(next)?)
    }

    /// Does what a chance event does. Returns where to go on.
    pub(super) fn settle_chance(&mut self, outcome: u64) -> Result<Block, ApplyError> {
        let (Some(event), Some(site)) = (self.raw_event(outcome), self.site()) else {
            return Err(ApplyError::NoOutcome(outcome));
        };
        let game = self.game.clone();
        let program = game.program();
        let site = &program.sites[site];
        match site.kind {
            SiteKind::Choice(_) => return Err(ApplyError::WrongKind),
            SiteKind::Roll { dice } => {
                self.tally.rolls += 1;
                show_dice(&program.dice[usize::from(dice)], &mut self.words, outcome);
            }
            SiteKind::RollSome { dice, from } => {
                self.tally.rolls += 1;
                // There are never more dice than bits in a word.
                let some = [self.words[usize::from(from)]];
                show_some(program, &mut self.words, dice.into(), &some, outcome);
            }
            SiteKind::RollOne { dice, die, from } => {
                let first = is_first(&self.words, die, from);
                self.tally.rolls += u64::from(first);
                show_die(program, &mut self.words, dice.into(), die.into(), outcome);
            }
            SiteKind::Draw { at } => {
                let at = usize::from(at);
                let known = self.words[at] as usize;
                self.words[at + 2 + known] = outcome;
                (self.words[at], self.words[at + 1]) = (known as u64 + 1, 0);
                self.history.push(event);
                return Ok(site.entry);
            }
            SiteKind::Pick { to, .. } => {
                if let Event::Pick { element, .. } = event {
                    self.words[usize::from(to)] = element.into();
                }
            }
        }
        self.history.push(event);
        Ok(Block(site.at.0 + 1))
    }
}
