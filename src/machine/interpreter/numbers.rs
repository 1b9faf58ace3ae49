//! Instructions for numbers, and jumps that test them.

use super::{Fail, Interpreter, Next, jump_if, within};
use crate::program::{
    CodeAddress, Failure, Imm, In, NumberTable, Numbers, Operator, Out, RangeRef, SetOut, Size, Small, Test,
    Truth, Wide,
};
use crate::run_state::{Fault, LENGTH};
use crate::{effects, sets};
use houserule_model::board::kernel::words_at_mut;

impl<const W: usize> Interpreter<'_, W> {
    #[inline]
    pub(super) fn constant(&mut self, d: Out, k: Imm) {
        self.put(d, k.0.into());
    }

    #[inline]
    pub(super) fn constant_wide(&mut self, d: Out, k: Wide) {
        self.put(d, self.program.numbers[usize::from(k.0)]);
    }

    #[inline]
    pub(super) fn copy(&mut self, d: Out, a: In) {
        self.put(d, self.get(a));
    }

    #[inline]
    pub(super) fn add(&mut self, d: Out, a: In, b: In) -> Result<(), Fail> {
        let sum = self.get(a).checked_add(self.get(b)).ok_or(Fault::Overflow)?;
        self.put(d, sum);
        Ok(())
    }

    #[inline]
    pub(super) fn add_k(&mut self, d: Out, a: In, k: Imm) -> Result<(), Fail> {
        let sum = self.get(a).checked_add(k.0.into()).ok_or(Fault::Overflow)?;
        self.put(d, sum);
        Ok(())
    }

    #[inline]
    pub(super) fn subtract(&mut self, d: Out, a: In, b: In) -> Result<(), Fail> {
        let difference = self.get(a).checked_sub(self.get(b)).ok_or(Fault::Overflow)?;
        self.put(d, difference);
        Ok(())
    }

    #[inline]
    pub(super) fn arithmetic(&mut self, d: Out, op: Operator, a: In, b: In) -> Result<(), Fail> {
        let result = effects::apply_operator(op, self.get(a), self.get(b))?;
        self.put(d, result);
        Ok(())
    }

    /// An index of several parts may wrap: the instruction that uses it checks its range.
    #[inline]
    pub(super) fn scale_add(&mut self, d: Out, a: In, k: Imm, b: In) {
        let scaled = self.get(a).wrapping_mul(k.0.into());
        self.put(d, scaled.wrapping_add(self.get(b)));
    }

    #[inline]
    pub(super) fn check(&mut self, a: In, range: RangeRef) -> Result<(), Fail> {
        let (value, range) = (self.get(a), &self.program.ranges[usize::from(range.0)]);
        if value < range.low || value > range.high {
            return Err(Fail { fault: Fault::OutOfRange, value });
        }
        Ok(())
    }

    #[inline]
    pub(super) fn check_some(&mut self, a: In, why: Failure) -> Result<(), Fail> {
        if self.get(a) < 0 { self.fail(why) } else { Ok(()) }
    }

    #[inline]
    pub(super) fn fail(&mut self, why: Failure) -> Result<(), Fail> {
        let fault = match why {
            Failure::NoneIndex => Fault::NoneIndex,
            Failure::NoneValue => Fault::NoneValue,
        };
        Err(Fail { fault, value: -1 })
    }

    #[inline]
    pub(super) fn load(&mut self, d: Out, from: Numbers, index: In) -> Result<(), Fail> {
        let at = self.number_at(from, index)?;
        self.put(d, self.words[at] as i64);
        Ok(())
    }

    #[inline]
    pub(super) fn store(&mut self, to: Numbers, index: In, a: In) -> Result<(), Fail> {
        let at = self.number_at(to, index)?;
        self.words[at] = self.get(a) as u64;
        Ok(())
    }

    #[inline]
    pub(super) fn look_up(&mut self, d: Out, table: NumberTable, index: In) -> Result<(), Fail> {
        let row = self.row(self.program.number_tables[usize::from(table.0)], index)?;
        self.put(d, self.program.numbers[row]);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "they are the operands")]
    #[inline]
    pub(super) fn elements_where(
        &mut self,
        d: SetOut,
        from: Numbers,
        index: In,
        stride: Small,
        size: Size,
        test: Test,
        k: Small,
    ) -> Result<(), Fail> {
        let first = self.get(index);
        let last = first.saturating_add(i64::from(stride.0) * (i64::from(size.0) - 1));
        // If the first and the last are in range, so is everything between them.
        if last >= first {
            within(first, from.len.into())?;
            within(last, from.len.into())?;
        }
        let first = i64::from(from.at).wrapping_add(first) as usize;
        let found = sets::elements_where::<W>(self.words, first, stride, size, test, k.0.into());
        *words_at_mut(self.words, d.0.into()) = found;
        Ok(())
    }

    #[inline]
    pub(super) fn count_equal(&mut self, d: Out, from: Numbers, a: In) {
        let wanted = self.get(a);
        let all = &self.words[usize::from(from.at)..][..usize::from(from.len)];
        let count = all.iter().filter(|number| **number as i64 == wanted).count();
        self.put(d, count as i64);
    }

    #[inline]
    pub(super) fn jump(&mut self, to: CodeAddress) -> Next {
        Next::To(to)
    }

    #[inline]
    pub(super) fn loop_back(&mut self, to: CodeAddress) -> Result<Next, Fail> {
        let length = (self.at + 1).saturating_sub(to.0.into());
        self.spend(1 + (length / LENGTH) as u32)?;
        Ok(Next::To(to))
    }

    #[inline]
    pub(super) fn if_equal(&mut self, a: In, b: In, is: Truth, to: CodeAddress) -> Next {
        jump_if(self.get(a) == self.get(b), is, to)
    }

    #[inline]
    pub(super) fn if_less(&mut self, a: In, b: In, is: Truth, to: CodeAddress) -> Next {
        jump_if(self.get(a) < self.get(b), is, to)
    }

    #[inline]
    pub(super) fn if_equal_k(&mut self, a: In, k: Imm, is: Truth, to: CodeAddress) -> Next {
        jump_if(self.get(a) == i64::from(k.0), is, to)
    }

    #[inline]
    pub(super) fn if_less_k(&mut self, a: In, k: Imm, is: Truth, to: CodeAddress) -> Next {
        jump_if(self.get(a) < i64::from(k.0), is, to)
    }
}
