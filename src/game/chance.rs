//! Explicit chance: the possible outcomes of the pending event, of which the caller applies one.

use super::event::{ApplyError, Event};
use super::state::State;
use houserule_base::rng::Stream;
use houserule_machine::copies::{copies, kind_of, kinds};
use houserule_machine::effects::{
    draw_some, find, is_first, outcomes_of_all, outcomes_of_some, show_dice, show_die, show_some,
};
use houserule_machine::program::{CodeAddress, Dice, StopKind};
use houserule_model::{DomainId, Role, SlotId};

impl State {
    /// Returns the number of outcomes of the pending chance event, all equally likely; 0 if none is pending.
    /// Every copy that may be drawn is an outcome; copies of one kind give the same event. So do the sides of a die
    /// with the same face.
    pub fn chance_outcomes(&self) -> u64 {
        self.given.count().unwrap_or_else(|| self.raw_outcomes())
    }

    /// Like [`State::chance_outcomes`], without the condition of `chance … given`.
    pub(crate) fn raw_outcomes(&self) -> u64 {
        let Some(stop) = self.pending_stop() else { return 0 };
        let program = self.game.program();
        match &program.stops[stop].kind {
            StopKind::Choice(_) => 0,
            StopKind::Roll { dice } => outcomes_of_all(&program.dice[usize::from(*dice)]),
            StopKind::RollSome { dice, from } => {
                let count = self.words[usize::from(*from)].count_ones();
                outcomes_of_some(program, usize::from(*dice), count)
            }
            StopKind::RollOne { dice, .. } => program.dice[usize::from(*dice)].side_count(),
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
        let stop = self.pending_stop().map(|stop| &self.game.program().stops[stop].kind);
        match stop {
            Some(StopKind::Pick { from, by: Some(by), .. }) if self.given.count().is_none() => {
                let mut first = 0;
                let of_kind = move |copies: u64| {
                    first += copies;
                    (first - copies, copies)
                };
                let copies = kinds(&self.words, *by, self.set_at(*from)).map(|(_, copies)| copies);
                Box::new(copies.map(of_kind))
            }
            _ if let Some((dice, rolled)) = self.weighted_roll() => {
                let outcomes = u64::from(dice.faces).saturating_pow(rolled);
                Box::new((0..outcomes).map(move |outcome| dice.sides_that_show(rolled, outcome)))
            }
            _ => Box::new((0..self.chance_outcomes()).map(|outcome| (outcome, 1))),
        }
    }

    /// Returns the number of [`State::distinct_outcomes`].
    pub fn distinct_count(&self) -> u64 {
        match (self.weighted_roll(), self.chance_event(0)) {
            (Some((dice, rolled)), _) => u64::from(dice.faces).saturating_pow(rolled),
            (_, Some(Event::Pick { .. })) => self.distinct_outcomes().count() as u64,
            _ => self.chance_outcomes(),
        }
    }

    /// Returns the dice of the pending roll and how many of them are rolled, if some of their faces are on several
    /// sides and no condition rules outcomes out.
    fn weighted_roll(&self) -> Option<(&Dice, u32)> {
        self.pending_roll().filter(|(dice, _)| dice.is_weighted() && self.given.count().is_none())
    }

    /// Returns the dice of the pending roll and how many of them are rolled.
    fn pending_roll(&self) -> Option<(&Dice, u32)> {
        let program = self.game.program();
        let (dice, rolled) = match &program.stops[self.pending_stop()?].kind {
            StopKind::Roll { dice } => (dice, None),
            StopKind::RollSome { dice, from } => (dice, Some(self.words[usize::from(*from)].count_ones())),
            StopKind::RollOne { dice, .. } => (dice, Some(1)),
            _ => return None,
        };
        let dice = &program.dice[usize::from(*dice)];
        Some((dice, rolled.unwrap_or(dice.count.into())))
    }

    /// Returns the number of sides of each face of the dice of the pending roll, or `None` if each face has one side
    /// or no roll is pending.
    pub fn pending_sides(&self) -> Option<&[u32]> {
        let (dice, _) = self.pending_roll()?;
        self.game.model().sides_of(SlotId(dice.slot))
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

    /// Returns the dice of the pending roll, if one event rolls them without a condition.
    pub(crate) fn pending_joint_roll(&self) -> Option<SlotId> {
        let stop = &self.game.program().stops[self.pending_stop()?];
        let joint = matches!(stop.kind, StopKind::Roll { .. } | StopKind::RollSome { .. });
        let (dice, _) = self.pending_roll()?;
        (joint && stop.given.is_none()).then_some(SlotId(dice.slot))
    }

    /// Returns an outcome of the pending roll in which the dice show these faces, sorted, and the number of outcomes in
    /// which they show them in any order.
    pub(crate) fn outcomes_alike(&self, shown: &[u64]) -> Option<(u64, u64)> {
        let (dice, rolled) = self.pending_roll()?;
        let faces = u64::from(dice.faces);
        let number = shown.iter().fold(0u64, |n, face| n * faces + face - 1);
        let (outcome, ways) = dice.sides_that_show(rolled, number);
        // Each order of the faces: n! / (a! b! …), built die by die.
        let (mut orders, mut same) = (1u128, 0u128);
        for (at, face) in shown.iter().enumerate() {
            same = if at > 0 && shown[at - 1] == *face { same + 1 } else { 1 };
            orders = orders * (at as u128 + 1) / same;
        }
        Some((outcome, ways * orders as u64))
    }

    /// Returns the outcome of the pending roll that has the faces of `number`, as in [`Event::Roll`]. The two are
    /// equal unless a condition rules some outcomes out, or a face has several sides.
    pub(crate) fn outcome_of_roll(&self, number: u64) -> Option<u64> {
        let is = |outcome: &u64| matches!(self.chance_event(*outcome), Some(Event::Roll { outcome, .. }) if outcome == number);
        match self.given.count() {
            Some(ways) => (0..ways).find(is),
            None => {
                let (dice, rolled) = self.pending_roll()?;
                Some(dice.sides_that_show(rolled, number).0).filter(is)
            }
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
        // A die that is rolled by itself has its sides as outcomes.
        let alone = self
            .pending_stop()
            .is_some_and(|stop| matches!(program.stops[stop].kind, StopKind::RollOne { .. }));
        let dice = self.pending_roll().filter(|_| !alone);
        match (dice, self.raw_outcomes()) {
            (_, 0 | 1) => 0,
            (Some((dice, count)), outcomes) => draw_some(dice, count, outcomes, stream),
            (None, outcomes) => stream.below(outcomes),
        }
    }

    /// Returns the number of outcomes of the pending chance event that give `event`, which one of them does.
    pub fn outcomes_with(&self, event: &Event) -> u64 {
        if let (Some((dice, rolled)), Event::Roll { outcome, .. }) = (self.weighted_roll(), event) {
            return dice.sides_that_show(rolled, *outcome).1;
        }
        let stop = self.pending_stop().map(|stop| &self.game.program().stops[stop].kind);
        if self.given.count().is_none() && !matches!(stop, Some(StopKind::Pick { by: Some(_), .. })) {
            return 1;
        }
        let same = |(outcome, _): &(u64, u64)| self.chance_event(*outcome) == Some(*event);
        self.distinct_outcomes().filter(same).map(|(_, count)| count).sum()
    }

    /// Returns the first outcome of the pending pick that gives an element of a domain, if one does.
    pub(crate) fn outcome_of_pick(&self, wanted: DomainId, element: u32) -> Option<u64> {
        let StopKind::Pick { domain, from, by, .. } = &self.game.program().stops[self.pending_stop()?].kind
        else {
            return None;
        };
        if DomainId(*domain) != wanted {
            return None;
        }
        if by.is_none() && self.given.count().is_none() {
            return rank(self.set_at(*from), element);
        }
        let event = Event::Pick { domain: wanted, element };
        let mut all = self.distinct_outcomes().map(|(outcome, _)| outcome);
        all.find(|outcome| self.chance_event(*outcome) == Some(event))
    }

    /// Returns the event of an outcome of the pending chance event, if there is such an outcome.
    pub fn chance_event(&self, outcome: u64) -> Option<Event> {
        self.raw_event(self.given.raw(outcome)?)
    }

    fn raw_event(&self, outcome: u64) -> Option<Event> {
        let program = self.game.program();
        let roll = |dice: u16, which: u32| {
            let dice = &program.dice[usize::from(dice)];
            let outcome = dice.shown(which.count_ones(), outcome);
            Event::Roll { slot: SlotId(dice.slot), family: dice.family, dice: which, outcome }
        };
        if outcome >= self.raw_outcomes() {
            return None;
        }
        Some(match &program.stops[self.pending_stop()?].kind {
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
        let next = self.settle_outcome(outcome)?;
        Ok(self.go_on(next)?)
    }

    /// Applies an outcome without running on. Returns where to continue.
    pub(crate) fn settle_outcome(&mut self, outcome: u64) -> Result<CodeAddress, ApplyError> {
        if self.is_over() {
            return Err(ApplyError::Over);
        }
        if !self.is_chance() {
            return Err(ApplyError::WrongKind);
        }
        let raw = self.given.raw(outcome).ok_or(ApplyError::NoOutcome(outcome))?;
        let next = self.settle_chance(raw)?;
        self.given.take(outcome);
        Ok(next)
    }

    /// Returns the outcome of the pending chance event that gives `event`, if any.
    pub(crate) fn outcome_with(&self, event: &Event) -> Option<u64> {
        match event {
            Event::Action { .. } => None,
            Event::Roll { outcome, .. } => {
                self.outcome_of_roll(*outcome).filter(|outcome| self.chance_event(*outcome) == Some(*event))
            }
            Event::Draw { outcome, .. } => (self.chance_event(*outcome) == Some(*event)).then_some(*outcome),
            Event::Pick { domain, element } => self.outcome_of_pick(*domain, *element),
        }
    }

    /// Applies an outcome, numbered as in [`State::raw_outcomes`]. Returns where to continue.
    pub(crate) fn settle_chance(&mut self, outcome: u64) -> Result<CodeAddress, ApplyError> {
        let (Some(event), Some(stop)) = (self.raw_event(outcome), self.pending_stop()) else {
            return Err(ApplyError::NoOutcome(outcome));
        };
        let game = self.game.clone();
        let program = game.program();
        let stop = &program.stops[stop];
        match stop.kind {
            StopKind::Choice(_) => return Err(ApplyError::WrongKind),
            StopKind::Roll { dice } => {
                self.run_state.counters.rolls += 1;
                let dice = &program.dice[usize::from(dice)];
                show_dice(dice, &mut self.words, dice.shown(dice.count.into(), outcome));
            }
            StopKind::RollSome { dice, from } => {
                self.run_state.counters.rolls += 1;
                // A set of dice fits in one word.
                let some = [self.words[usize::from(from)]];
                show_some(program, &mut self.words, dice.into(), &some, outcome);
            }
            StopKind::RollOne { dice, die, from } => {
                let first = is_first(&self.words, die, from);
                self.run_state.counters.rolls += u64::from(first);
                show_die(program, &mut self.words, dice.into(), die.into(), outcome);
            }
            StopKind::Draw { at } => {
                let at = usize::from(at);
                let known = self.words[at] as usize;
                self.words[at + 2 + known] = outcome;
                (self.words[at], self.words[at + 1]) = (known as u64 + 1, 0);
                self.history.push(event);
                return Ok(stop.entry);
            }
            StopKind::Pick { to, .. } => {
                if let Event::Pick { element, .. } = event {
                    self.words[usize::from(to)] = element.into();
                }
            }
        }
        self.history.push(event);
        Ok(CodeAddress(stop.at.0 + 1))
    }
}

/// Returns the number of elements of a set before an element, or `None` if the set lacks it.
fn rank(set: &[u64], element: u32) -> Option<u64> {
    let (word, bit) = (element as usize / 64, element % 64);
    let here = set.get(word).filter(|here| *here >> bit & 1 == 1)?;
    let before = set[..word].iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    Some(before + u64::from((here & ((1 << bit) - 1)).count_ones()))
}
