//! Instructions for turns, steps, earlier positions and the end of a game.

use super::{Fail, Interpreter, Next};
use crate::past;
use crate::program::{
    CodeAddress, ENDED_BY, EndRef, Imm, In, NumberMut, OVER, Out, PENDING, PositionWordsRef, RESULT,
    ResultKind, Span16, StepRef,
};
use crate::run_state::{Fault, LENGTH, Stop};

impl<const W: usize> Interpreter<'_, W> {
    #[inline]
    pub(super) fn reset(&mut self, words: Span16) {
        let at = usize::from(words.at)..usize::from(words.at) + usize::from(words.len);
        self.words[at.clone()].copy_from_slice(&self.program.initial[at]);
    }

    #[inline]
    pub(super) fn mark_step(&mut self, step: StepRef) {
        if let Some(count) = self.run_state.steps.get_mut(usize::from(step.0)) {
            *count += 1;
        }
    }

    /// Spends a turn's cost, which grows with the program.
    fn spend_turn(&mut self) -> Result<(), Fail> {
        self.spend(1 + (self.program.code.len() / LENGTH) as u32)
    }

    #[inline]
    pub(super) fn next_turn(&mut self, mover: NumberMut, to: CodeAddress) -> Result<Next, Fail> {
        self.run_state.counters.turns += 1;
        self.spend_turn()?;
        let next = self.get(In(mover.0)) + 1;
        self.put(Out(mover.0), if next >= i64::from(self.program.players) { 0 } else { next });
        Ok(Next::To(to))
    }

    #[inline]
    pub(super) fn same_turn(&mut self, to: CodeAddress) -> Result<Next, Fail> {
        self.run_state.counters.turns += 1;
        self.spend_turn()?;
        Ok(Next::To(to))
    }

    #[inline]
    pub(super) fn repeat_turn(&mut self, to: CodeAddress) -> Result<Next, Fail> {
        self.run_state.counters.repeats += 1;
        self.spend_turn()?;
        Ok(Next::To(to))
    }

    #[inline]
    pub(super) fn note(&mut self, past: PositionWordsRef) -> Result<(), Fail> {
        let number = usize::from(past.0);
        let noted = past::note(self.program, &mut self.run_state.pasts, self.words, number);
        if noted { Ok(()) } else { Err(Fault::Positions.into()) }
    }

    #[inline]
    pub(super) fn repeated(&mut self, d: Out, past: PositionWordsRef, n: In) {
        let (number, n) = (usize::from(past.0), self.get(n));
        let was = past::repeated(self.program, &self.run_state.pasts, self.words, number, n);
        self.put(d, was.into());
    }

    #[inline]
    pub(super) fn game_over(&mut self, end: EndRef, result: ResultKind, player: In, turns: Imm) -> Next {
        self.run_state.counters.turns += u64::from(turns.0 > 0);
        let player = if result.names_players() { self.get(player) } else { 0 };
        self.put(Out(PENDING), OVER as i64);
        self.put(Out(ENDED_BY), end.0.into());
        self.put(Out(RESULT), player << 8 | result as i64);
        Next::Stop(Stop::Over)
    }

    #[inline]
    pub(super) fn halt(&mut self) -> Next {
        Next::Stop(Stop::Halt)
    }
}
