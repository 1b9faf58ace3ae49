//! What a state forgets, so that an exact computation finds fewer: faces of dice before their next roll, and the order of
//! dice that the rules treat alike. Which dice these are, the model says.

use crate::State;
use houserule_machine::program::{PENDING, StopKind};
use houserule_machine::run::run;
use houserule_machine::run_state::Stop;
use houserule_model::SlotId;

impl State {
    /// Resets dice to unrolled. Correct only if no rule reads them before the next roll, see
    /// [`fleeting_dice`](houserule_model::fleeting_dice).
    pub fn forget_dice(&mut self, slot: SlotId) {
        let game = self.game.clone();
        for dice in game.program().dice.iter().filter(|dice| dice.slot == slot.0) {
            let faces = usize::from(dice.faces_at)..usize::from(dice.faces_at) + usize::from(dice.count);
            for at in faces.chain(dice.outcome_at.map(usize::from)) {
                self.words[at] = game.program().initial[at];
            }
        }
    }

    /// Resets the dice that the pending roll will turn: their faces are not read before, unless they say which dice are
    /// rolled.
    pub(crate) fn forget_rolled(&mut self) {
        let game = self.game.clone();
        let program = game.program();
        let Some(stop) = self.pending_stop().map(|stop| &program.stops[stop]) else { return };
        let (dice, from) = match stop.kind {
            StopKind::Roll { dice } => (dice, None),
            StopKind::RollSome { dice, from } => (dice, Some(usize::from(from))),
            _ => return,
        };
        if stop.given.is_some() || self.given.count().is_some() {
            return;
        }
        let dice = &program.dice[usize::from(dice)];
        let some = from.map(|from| self.words[from]);
        let rolled = (0..usize::from(dice.count)).filter(|die| some.is_none_or(|some| some >> die & 1 == 1));
        let rolled: Vec<usize> = rolled.map(|die| usize::from(dice.faces_at) + die).collect();
        let known: Vec<u64> = rolled.iter().map(|at| self.words[*at]).collect();
        rolled.iter().for_each(|at| self.words[*at] = program.initial[*at]);
        let (Some(from), Some(some)) = (from, some) else {
            if let Some(at) = dice.outcome_at.map(usize::from) {
                self.words[at] = program.initial[at];
            }
            return;
        };
        // A set that isn't kept is computed again when the state is restored. If it is empty, the game goes on.
        if from >= program.persistent as usize {
            let mut words = self.words.clone();
            let (mut streams, mut run_state) = (self.streams.clone(), self.run_state.clone());
            let (streams, run_state) = (&mut streams, &mut run_state);
            let stop = run(program, &mut words, streams, run_state, stop.entry, false);
            let is_same = stop == Stop::Pending
                && words[from] == some
                && words[usize::from(PENDING)] == self.words[usize::from(PENDING)];
            if !is_same {
                rolled.iter().zip(known).for_each(|(at, face)| self.words[*at] = face);
            }
        }
    }

    /// Sorts the faces of dice whose order no rule reads, see [`symmetric_dice`](houserule_model::symmetric_dice). While
    /// some of them are about to be rolled, they stay.
    pub(crate) fn sort_dice(&mut self, slot: SlotId) {
        let game = self.game.clone();
        let program = game.program();
        let rolls = |dice: &u16| program.dice[usize::from(*dice)].slot == slot.0;
        let partly = match self.pending_stop().map(|stop| &program.stops[stop].kind) {
            Some(StopKind::RollSome { dice, .. } | StopKind::RollOne { dice, .. }) => rolls(dice),
            _ => false,
        };
        if partly || self.given.count().is_some() {
            return;
        }
        for dice in program.dice.iter().filter(|dice| dice.slot == slot.0) {
            let at = usize::from(dice.faces_at);
            let faces = &mut self.words[at..at + usize::from(dice.count)];
            if faces.is_sorted() {
                continue;
            }
            faces.sort_unstable();
            let number =
                faces.iter().try_fold(0u64, |n, f| Some(n * u64::from(dice.faces) + f.checked_sub(1)?));
            if let Some(at) = dice.outcome_at {
                self.words[usize::from(at)] = number.unwrap_or(dice.outcomes);
            }
        }
    }
}
