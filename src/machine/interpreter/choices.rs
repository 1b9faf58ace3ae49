//! Decisions: random players take them, or the game stops.

use super::{Fail, Interpreter, Next};
use crate::effects::{choose, nth, ways};
use crate::program::{ChoiceStop, CodeAddress, In, OptionRef, Out, SetIn, StopKind, StopRef};
use crate::run_state::{Fault, Stop};
use crate::trial::{self, CandidateTarget};
use houserule_model::board::kernel;

impl<'a, const W: usize> Interpreter<'a, W> {
    /// Counts a random player's decision, restores the budget, and checks the limit.
    fn decide(&mut self) -> Result<(), Fail> {
        self.run_state.counters.decisions += 1;
        self.budget = self.program.budget;
        self.check_limit()
    }

    fn check_limit(&mut self) -> Result<(), Fail> {
        let asks = self.run_state.counters.decisions > self.run_state.pause;
        if asks && self.run_state.is_too_long(self.program) { Err(Fault::Limit.into()) } else { Ok(()) }
    }

    /// Draws a rank below `n` for a random player, and nothing if `n` is 1.
    fn rank(&mut self, n: u32, me: In) -> u32 {
        let seat = self.get(me) as usize;
        if n == 1 { 0 } else { self.streams.seat(seat).below(n.into()) as u32 }
    }

    fn choice(&self, stop: StopRef) -> &'a ChoiceStop {
        let StopKind::Choice(choice) = &self.program.stops[usize::from(stop.0)].kind else {
            unreachable!("the verifier found a choice there")
        };
        choice
    }

    #[inline]
    pub(super) fn choose_one(
        &mut self,
        stop: StopRef,
        option: OptionRef,
        d: Out,
        a: SetIn,
        me: In,
        to: CodeAddress,
    ) -> Result<Next, Fail> {
        let n = kernel::count(self.set(a));
        if n == 0 {
            return Ok(Next::To(to));
        }
        if !self.plays {
            return Ok(self.suspend(stop));
        }
        self.decide()?;
        self.run_state.count_option(option.0.into());
        let k = self.rank(n, me);
        self.put(d, nth(self.set(a), k).into());
        Ok(Next::On)
    }

    #[inline]
    pub(super) fn choose_any(&mut self, stop: StopRef, to: CodeAddress) -> Result<Next, Fail> {
        let choice = self.choice(stop);
        let Some((first, n)) = ways(choice, self.words) else { return Ok(Next::To(to)) };
        if !self.plays {
            return Ok(self.suspend(stop));
        }
        self.decide()?;
        let k = self.rank(n, In(choice.me));
        let part = choose(choice, self.words, first, k);
        self.run_state.count_option(part.counted);
        Ok(Next::To(part.body))
    }

    #[inline]
    pub(super) fn choose_tried(&mut self, stop: StopRef, to: CodeAddress) -> Result<Next, Fail> {
        if self.plays {
            let stream = *self.streams.seat(self.get(In(self.choice(stop).me)) as usize);
            trial::begin(self.program, self.run_state, stream, self.budget);
            return self.try_next(stop, to);
        }
        let any = trial::has_candidate(self.program, stop, self.words);
        Ok(if any { self.suspend(stop) } else { Next::To(to) })
    }

    #[inline]
    pub(super) fn keep_tried(&mut self, _stop: StopRef, option: OptionRef) -> Result<Next, Fail> {
        if !self.plays {
            self.run_state.spent = self.program.budget - self.budget;
            return Ok(Next::Stop(Stop::Kept(self.at as u16 + 1)));
        }
        self.run_state.counters.decisions += 1;
        self.check_limit()?;
        self.run_state.count_option(option.0.into());
        Ok(Next::On)
    }

    #[inline]
    pub(super) fn drop_tried(&mut self, stop: StopRef, to: CodeAddress) -> Result<Next, Fail> {
        if !self.plays {
            self.run_state.spent = self.program.budget - self.budget;
            return Ok(Next::Stop(Stop::Failed));
        }
        if !trial::take_back(self.program, self.choice(stop), self.words, self.run_state, self.budget) {
            return Err(Fault::Budget.into());
        }
        self.try_next(stop, to)
    }

    /// Draws a candidate, and runs its body. If there is none, goes to `nothing`.
    fn try_next(&mut self, stop: StopRef, nothing: CodeAddress) -> Result<Next, Fail> {
        match trial::draw(self.program, stop, self.words, self.streams, self.run_state) {
            CandidateTarget::Taken(body) => {
                self.decide()?;
                Ok(Next::To(body))
            }
            CandidateTarget::Tried(body) => {
                self.budget = self.program.budget;
                Ok(Next::To(body))
            }
            CandidateTarget::Nothing(before) => {
                self.budget = before;
                Ok(Next::To(nothing))
            }
            CandidateTarget::Exhausted => Err(Fault::Budget.into()),
        }
    }
}
