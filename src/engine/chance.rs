//! What chance may come to where whoever drives decides it: the outcomes of the pending event.

use super::copies::{copies, kind_of, kinds};
use super::effects::{find, outcomes_of_some, show_dice, show_die, show_some};
use super::event::{ApplyError, Event};
use super::state::State;
use crate::lang::model::{DomainId, SlotId};
use crate::program::{Block, SiteKind};

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
            SiteKind::Roll { dice } => program.dice[usize::from(*dice)].outcomes.into(),
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
    pub fn distinct_outcomes(&self) -> Vec<(u64, u64)> {
        let site = self.site().map(|site| &self.game.program().sites[site].kind);
        match site {
            Some(SiteKind::Pick { from, by: Some(by), .. }) if self.given.count().is_none() => {
                let mut first = 0;
                let mut of_kind = |copies: u64| {
                    first += copies;
                    (first - copies, copies)
                };
                kinds(&self.words, *by, self.set_at(*from)).map(|(_, copies)| of_kind(copies)).collect()
            }
            _ => (0..self.chance_outcomes()).map(|outcome| (outcome, 1)).collect(),
        }
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
            SiteKind::RollOne { dice, die } => roll(*dice, 1 << die),
            SiteKind::Draw { .. } => Event::Draw { outcome, outcomes: self.raw_outcomes() },
            SiteKind::Pick { domain, from, by, .. } => {
                let set = self.set_at(*from);
                let element = match by {
                    None => {
                        let (word, bit) = find::<false>(set, 0, outcome as u32);
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
        Ok(self.run_from(next)?)
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
            SiteKind::RollOne { dice, die } => {
                self.tally.rolls += 1;
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
