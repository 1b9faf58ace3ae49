//! Explicit chance: the possible outcomes of the pending event, of which the caller applies one.

use super::event::{ApplyError, Event};
use super::state::State;
use crate::machine::copies::{copies, kind_of, kinds};
use crate::machine::effects::{draw_some, find, is_first, outcomes_of_some, show_dice, show_die, show_some};
use crate::model::{DomainId, Role, SlotId};
use crate::program::{CodeAddress, StopKind};
use crate::rng::Stream;

impl State {
    /// Returns the number of outcomes of the pending chance event, all equally likely; 0 if none is pending.
    /// Every copy that may be drawn is an outcome; copies of one kind give the same event.
    pub fn chance_outcomes(&self) -> u64 {
        self.given.count().unwrap_or_else(|| self.raw_outcomes())
    }

    /// Like [`State::chance_outcomes`], without the condition of `chance … given`.
    pub(crate) fn raw_outcomes(&self) -> u64 {
        let Some(site) = self.site() else { return 0 };
        let program = self.game.program();
        match &program.sites[site].kind {
            StopKind::Choice(_) => 0,
            StopKind::Roll { dice } => program.dice[usize::from(*dice)].outcomes,
            StopKind::RollSome { dice, from } => {
                let count = self.words[usize::from(*from)].count_ones();
                outcomes_of_some(program, usize::from(*dice), count)
            }
            StopKind::RollOne { dice, .. } => program.dice[usize::from(*dice)].faces.into(),
            StopKind::Draw { at } => self.words[usize::from(*at) + 1],
            StopKind::Pick { from, by: None, .. } => {
                self.set_at(*from).iter().map(|w| u64::from(w.count_ones())).sum()
            }
            StopKind::Pick { from, by: Some(by), .. } => copies(&self.words, *by, self.set_at(*from)),
        }
    }

    fn set_at(&self, at: u16) -> &[u64] {
        &self.words[usize::from(at)..usize::from(at) + usize::from(self.game.program().width)]
    }

    /// Returns the distinct events of the pending chance event: for each, its first outcome and the number of
    /// outcomes that give it.
    ///
    /// A roll of many dice has too many to list: see [`State::chance_outcomes`].
    pub fn distinct_outcomes(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        let site = self.site().map(|site| &self.game.program().sites[site].kind);
        match site {
            Some(StopKind::Pick { from, by: Some(by), .. }) if self.given.count().is_none() => {
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

    /// Returns the number of [`State::distinct_outcomes`].
    pub fn distinct_count(&self) -> u64 {
        match self.chance_event(0) {
            Some(Event::Pick { .. }) => self.distinct_outcomes().count() as u64,
            _ => self.chance_outcomes(),
        }
    }

    /// Returns the number of dice of the pending roll and the number of their faces, or `None` if no roll is
    /// pending.
    pub fn pending_dice(&self) -> Option<(u32, u32)> {
        let Event::Roll { slot, dice, .. } = self.chance_event(0)? else { return None };
        let Role::Dice { faces, .. } = self.game.model().slots[slot.index()].role else { return None };
        Some((dice.count_ones(), faces))
    }

    /// Returns the outcome of the pending roll in which the dice show `shown`, in the order of the dice.
    /// Returns `None` if no roll of that many dice is pending, or if they can't show that.
    pub fn outcome_of_faces(&self, shown: &[u64]) -> Option<u64> {
        let (dice, faces) = self.pending_dice()?;
        let faces = u64::from(faces);
        if shown.len() != dice as usize || shown.iter().any(|face| !(1..=faces).contains(face)) {
            return None;
        }
        let number = shown.iter().try_fold(0u64, |n, face| n.checked_mul(faces)?.checked_add(face - 1))?;
        self.outcome_of_roll(number)
    }

    /// Returns the outcome of the pending roll that is `number` among all outcomes of the dice. The two are
    /// equal unless a condition rules some outcomes out.
    pub(crate) fn outcome_of_roll(&self, number: u64) -> Option<u64> {
        let is = |outcome: &u64| matches!(self.chance_event(*outcome), Some(Event::Roll { outcome, .. }) if outcome == number);
        match self.given.count() {
            Some(ways) => (0..ways).find(is),
            None => Some(number).filter(is),
        }
    }

    /// Draws an outcome of the pending chance event from the state's own stream. Returns `None` if none is
    /// pending.
    pub fn random_outcome(&mut self) -> Option<u64> {
        if !self.is_chance() || self.is_over() {
            return None;
        }
        let mut stream = self.streams.chance;
        let outcome = self.draw_outcome(&mut stream);
        self.streams.chance = stream;
        Some(outcome)
    }

    /// Draws an outcome of the pending chance event uniformly at random.
    pub fn draw_outcome(&self, stream: &mut Stream) -> u64 {
        match self.given.count() {
            Some(ways) => stream.below(ways.max(1)),
            None => self.draw_raw(stream),
        }
    }

    /// Like [`State::draw_outcome`], without the condition of `chance … given`.
    pub(crate) fn draw_raw(&self, stream: &mut Stream) -> u64 {
        let program = self.game.program();
        let dice = match self.site().map(|site| &program.sites[site].kind) {
            Some(StopKind::Roll { dice }) => {
                let dice = &program.dice[usize::from(*dice)];
                Some((dice, u32::from(dice.count)))
            }
            Some(StopKind::RollSome { dice, from }) => {
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

    /// Returns `true` if several outcomes of the pending chance event may give the same event.
    pub(crate) fn is_uneven(&self) -> bool {
        let site = self.site().map(|site| &self.game.program().sites[site].kind);
        self.given.count().is_some() || matches!(site, Some(StopKind::Pick { by: Some(_), .. }))
    }

    /// Returns the event of an outcome of the pending chance event, if there is such an outcome.
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
            StopKind::Choice(_) => return None,
            StopKind::Roll { dice } => {
                roll(*dice, ((1u64 << program.dice[usize::from(*dice)].count) - 1) as u32)
            }
            StopKind::RollSome { dice, from } => roll(*dice, self.words[usize::from(*from)] as u32),
            StopKind::RollOne { dice, die, .. } => roll(*dice, 1 << die),
            StopKind::Draw { .. } => Event::Draw { outcome, outcomes: self.raw_outcomes() },
            StopKind::Pick { domain, from, by, .. } => {
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

    /// Applies an outcome of the pending chance event and runs to the next stop.
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

    /// Applies an outcome, numbered as in [`State::raw_outcomes`]. Returns where to continue.
    pub(crate) fn settle_chance(&mut self, outcome: u64) -> Result<CodeAddress, ApplyError> {
        let (Some(event), Some(site)) = (self.raw_event(outcome), self.site()) else {
            return Err(ApplyError::NoOutcome(outcome));
        };
        let game = self.game.clone();
        let program = game.program();
        let site = &program.sites[site];
        match site.kind {
            StopKind::Choice(_) => return Err(ApplyError::WrongKind),
            StopKind::Roll { dice } => {
                self.run_state.rolls += 1;
                show_dice(&program.dice[usize::from(dice)], &mut self.words, outcome);
            }
            StopKind::RollSome { dice, from } => {
                self.run_state.rolls += 1;
                // A set of dice fits in one word.
                let some = [self.words[usize::from(from)]];
                show_some(program, &mut self.words, dice.into(), &some, outcome);
            }
            StopKind::RollOne { dice, die, from } => {
                let first = is_first(&self.words, die, from);
                self.run_state.rolls += u64::from(first);
                show_die(program, &mut self.words, dice.into(), die.into(), outcome);
            }
            StopKind::Draw { at } => {
                let at = usize::from(at);
                let known = self.words[at] as usize;
                self.words[at + 2 + known] = outcome;
                (self.words[at], self.words[at + 1]) = (known as u64 + 1, 0);
                self.history.push(event);
                return Ok(site.entry);
            }
            StopKind::Pick { to, .. } => {
                if let Event::Pick { element, .. } = event {
                    self.words[usize::from(to)] = element.into();
                }
            }
        }
        self.history.push(event);
        Ok(CodeAddress(site.at.0 + 1))
    }
}
