//! Instructions for boards and pieces: functions of sets, lines, and moves.

use super::{Fail, Interpreter, Next, jump_if, put_in, take_out};
use crate::enclosure::EnclosedOperands;
use crate::program::{
    CodeAddress, FunctionRef, In, LineRef, LineTable, Out, SetFunction, SetIn, SetMut, SetOut, Sets, Size,
    Truth,
};
use crate::{effects, sets};
use houserule_model::board::kernel::{words_at, words_at_mut};

impl<'a, const W: usize> Interpreter<'a, W> {
    /// Returns a function of sets, after spending its cost. The cost grows with the size of sets.
    #[inline(always)]
    fn function(&mut self, f: FunctionRef) -> Result<&'a SetFunction, Fail> {
        self.spend(1 + 2 * W as u32)?;
        Ok(&self.program.functions[usize::from(f.0)])
    }

    #[inline]
    pub(super) fn apply(&mut self, d: SetOut, f: FunctionRef, a: SetIn, b: SetIn) -> Result<(), Fail> {
        let f = self.function(f)?;
        self.put_set(d, &sets::apply(self.program, f, self.set(a), self.set(b)));
        Ok(())
    }

    #[inline]
    pub(super) fn apply_n(&mut self, d: SetOut, f: FunctionRef, a: SetIn, n: In) -> Result<(), Fail> {
        let f = self.function(f)?;
        self.put_set(d, &sets::apply_number(self.program, f, self.set(a), self.get(n)));
        Ok(())
    }

    #[inline]
    pub(super) fn apply_3(
        &mut self,
        d: SetOut,
        f: FunctionRef,
        a: SetIn,
        b: SetIn,
        c: SetIn,
    ) -> Result<(), Fail> {
        let f = self.function(f)?;
        self.put_set(d, &sets::apply_three(self.program, f, self.set(a), self.set(b), self.set(c)));
        Ok(())
    }

    #[inline]
    pub(super) fn reach(
        &mut self,
        d: SetOut,
        f: FunctionRef,
        a: SetIn,
        b: SetIn,
        me: In,
    ) -> Result<(), Fail> {
        let f = self.function(f)?;
        let (a, b, me) = (*self.set(a), *self.set(b), self.get(me) as usize);
        let reached = sets::reach(self.program, f, self.words, &a, &b, me);
        self.put_set(d, &reached);
        Ok(())
    }

    #[inline]
    pub(super) fn enclosed(
        &mut self,
        d: SetOut,
        f: FunctionRef,
        e: In,
        from: Sets,
        index: In,
        me: In,
    ) -> Result<(), Fail> {
        let f = self.function(f)?;
        let walls = self.set_at(from, index)?;
        let asked = EnclosedOperands { site: self.get(e), walls, me: self.get(me) as usize, to: d.0.into() };
        sets::enclosed::<W>(self.program, f, self.words, asked);
        Ok(())
    }

    fn lines(&self, lines: LineRef) -> &'a LineTable {
        &self.program.lines[usize::from(lines.0)]
    }

    #[inline]
    pub(super) fn score_lines(&mut self, d: Out, a: SetIn, lines: LineRef) -> Result<(), Fail> {
        self.spend(1 + W as u32 / 4)?;
        self.put(d, effects::score(self.program, self.lines(lines), self.set(a)));
        Ok(())
    }

    #[inline]
    pub(super) fn longest_line(&mut self, d: Out, a: SetIn, lines: LineRef) -> Result<(), Fail> {
        self.spend(1 + W as u32 / 4)?;
        self.put(d, effects::longest(self.program, self.lines(lines), self.set(a)).into());
        Ok(())
    }

    #[inline]
    pub(super) fn if_line(
        &mut self,
        from: Sets,
        index: In,
        lines: LineRef,
        is: Truth,
        to: CodeAddress,
    ) -> Result<Next, Fail> {
        let (at, lines) = (self.set_at(from, index)?, self.lines(lines));
        let any = if W == 1 {
            effects::any_line::<W>(self.program, lines, words_at(self.words, at))
        } else {
            let index = self.get(index) as usize;
            sets::has_line::<W>(self.program, lines, self.words, from, index)
        };
        Ok(jump_if(any, is, to))
    }

    #[inline]
    pub(super) fn place(
        &mut self,
        to: Sets,
        index: In,
        empty: SetMut,
        e: In,
        size: Size,
    ) -> Result<(), Fail> {
        if let Some(e) = self.placed(to, index, e, size)? {
            take_out(self.set_mut(empty), e);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn place_on(
        &mut self,
        to: Sets,
        index: In,
        empty: Sets,
        on: In,
        e: In,
        size: Size,
    ) -> Result<(), Fail> {
        if let Some(e) = self.placed(to, index, e, size)? {
            let at = self.set_at(empty, on)?;
            take_out::<W>(words_at_mut(self.words, at), e);
        }
        Ok(())
    }

    /// Puts a piece on a site. Returns the site if it lies on the board.
    fn placed(&mut self, to: Sets, index: In, e: In, size: Size) -> Result<Option<i64>, Fail> {
        let e = self.get(e);
        if (e as u64) >= u64::from(size.0) {
            return Ok(None);
        }
        let at = self.set_at(to, index)?;
        put_in::<W>(words_at_mut(self.words, at), e);
        Ok(Some(e))
    }

    #[inline]
    pub(super) fn move_piece(&mut self, on: Sets, empty: SetMut, from: In, to: In, size: Size) {
        let (from, to) = (self.get(from), self.get(to));
        effects::move_piece::<W>(self.words, on, empty, from, to, size);
    }
}
