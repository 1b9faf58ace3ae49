//! Chance events, which are drawn at once or stop the game, and script calls, which may draw as well.

use super::{Fail, Interpreter, Next, within};
use crate::copies::{kind_of, several};
use crate::effects::{
    draw_some, is_first, nth, outcomes_of_all, outcomes_of_some, show_dice, show_die, show_some,
};
use crate::hooks::{self, HookResult};
use crate::program::{Dice, DiceRef, HookRef, In, Numbers, Out, Phase, SetIn, StopKind, StopRef};
use crate::run_state::Fault;
use houserule_model::board::kernel;

impl<'a, const W: usize> Interpreter<'a, W> {
    fn dice(&self, dice: DiceRef) -> &'a Dice {
        &self.program.dice[usize::from(dice.0)]
    }

    #[inline]
    pub(super) fn roll(&mut self, stop: StopRef, dice: DiceRef) -> Next {
        if !self.draws {
            return self.suspend(stop);
        }
        let dice = self.dice(dice);
        let outcome = match outcomes_of_all(dice) {
            0 | 1 => 0,
            outcomes => draw_some(dice, dice.count.into(), outcomes, &mut self.streams.chance),
        };
        self.run_state.counters.rolls += 1;
        show_dice(dice, self.words, dice.shown(dice.count.into(), outcome));
        Next::On
    }

    #[inline]
    pub(super) fn roll_some(&mut self, stop: StopRef, dice: DiceRef, a: SetIn) -> Next {
        let (some, number) = (*self.set(a), usize::from(dice.0));
        let count = kernel::count(&some);
        let outcomes = outcomes_of_some(self.program, number, count);
        if outcomes == 0 {
            return Next::On;
        }
        if !self.draws {
            return self.suspend(stop);
        }
        let outcome = match outcomes {
            1 => 0,
            _ => draw_some(self.dice(dice), count, outcomes, &mut self.streams.chance),
        };
        self.run_state.counters.rolls += 1;
        show_some(self.program, self.words, number, &some, outcome);
        Next::On
    }

    #[inline]
    pub(super) fn roll_one(&mut self, stop: StopRef, dice: DiceRef, die: In) -> Result<Next, Fail> {
        if !self.draws {
            return Ok(self.suspend(stop));
        }
        let (sides, count) = (self.dice(dice).side_count(), self.dice(dice).count);
        let outcome = if sides <= 1 { 0 } else { self.streams.chance.below(sides) };
        let die = within(self.get(die), count.into())?;
        let StopKind::RollOne { from, .. } = self.program.stops[usize::from(stop.0)].kind else {
            unreachable!("the verifier found a roll of one die there")
        };
        self.run_state.counters.rolls += u64::from(is_first(self.words, die as u16, from));
        show_die(self.program, self.words, dice.0.into(), die, outcome);
        Ok(Next::On)
    }

    #[inline]
    pub(super) fn pick(&mut self, stop: StopRef, d: Out, a: SetIn) -> Next {
        let n = kernel::count(self.set(a));
        let e = if n <= 1 {
            kernel::first(self.set(a))
        } else if self.draws {
            let k = self.streams.chance.below(n.into());
            nth(self.set(a), k as u32).into()
        } else {
            return self.suspend(stop);
        };
        self.put(d, e);
        Next::On
    }

    #[inline]
    pub(super) fn pick_by(&mut self, stop: StopRef, d: Out, a: SetIn, by: Numbers) -> Next {
        let from = *self.set(a);
        let k = match several(self.words, by.at, &from) {
            None => 0,
            Some(n) if self.draws => self.streams.chance.below(n),
            Some(_) => return self.suspend(stop),
        };
        let drawn = kind_of(self.words, by.at, &from, k);
        self.put(d, drawn.map_or(-1, i64::from));
        Next::On
    }

    #[inline]
    pub(super) fn given_phase(&mut self, phase: Phase) {
        self.run_state.enter_phase(phase);
    }

    #[inline]
    pub(super) fn call_script(&mut self, d: Out, hook: HookRef, args: Numbers, me: In) -> Result<(), Fail> {
        self.spend(hooks::cost(self.program, hook))?;
        let me = self.get(me);
        let said = hooks::call(self.program, self.words, self.run_state, hook, args, me);
        self.put(d, said.ok_or(Fault::Script)?);
        Ok(())
    }

    #[inline]
    pub(super) fn call_drawing_script(
        &mut self,
        d: Out,
        hook: HookRef,
        args: Numbers,
        me: In,
        stop: StopRef,
    ) -> Result<Next, Fail> {
        self.spend(hooks::COST)?;
        let (program, me, draws) = (self.program, self.get(me), self.draws);
        let (words, streams) = (&mut *self.words, &mut *self.streams);
        match hooks::call_drawing(program, words, streams, self.run_state, hook, args, me, stop, draws) {
            HookResult::Value(said) => {
                self.put(d, said);
                Ok(Next::On)
            }
            HookResult::NeedsOutcome => Ok(self.suspend(stop)),
            HookResult::Failed => Err(Fault::Script.into()),
        }
    }
}
