//! Instructions for sets: whole sets, single elements, and sets of a family.

use super::{Fail, Interpreter, Next, has, jump_if, put_in, take_out};
use crate::effects::rows;
use crate::program::{CodeAddress, Imm, In, Out, SetIn, SetMut, SetOut, SetRef, SetTable, Sets, Size, Truth};
use houserule_model::board::kernel::{self, Words, words_at, words_at_mut};

impl<'a, const W: usize> Interpreter<'a, W> {
    /// Copies a set from one place in the frame to another.
    #[inline(always)]
    fn copy_set(&mut self, from: usize, to: usize) {
        if W > 4 {
            // A large set is moved without a copy in between.
            return self.words.copy_within(from..from + W, to);
        }
        let set = *words_at::<W>(self.words, from);
        *words_at_mut(self.words, to) = set;
    }

    #[inline]
    pub(super) fn set_constant(&mut self, d: SetOut, k: SetRef) {
        self.put_set(d, self.constant_set(k));
    }

    #[inline]
    pub(super) fn set_copy(&mut self, d: SetOut, a: SetIn) {
        self.copy_set(a.0.into(), d.0.into());
    }

    #[inline]
    pub(super) fn and(&mut self, d: SetOut, a: SetIn, b: SetIn) {
        self.put_set(d, &kernel::and(self.set(a), self.set(b)));
    }

    #[inline]
    pub(super) fn and_k(&mut self, d: SetOut, a: SetIn, k: SetRef) {
        self.put_set(d, &kernel::and(self.set(a), self.constant_set(k)));
    }

    #[inline]
    pub(super) fn or(&mut self, d: SetOut, a: SetIn, b: SetIn) {
        self.put_set(d, &kernel::or(self.set(a), self.set(b)));
    }

    #[inline]
    pub(super) fn minus(&mut self, d: SetOut, a: SetIn, b: SetIn) {
        self.put_set(d, &kernel::minus(self.set(a), self.set(b)));
    }

    #[inline]
    pub(super) fn load_set(&mut self, d: SetOut, from: Sets, index: In) -> Result<(), Fail> {
        let at = self.set_at(from, index)?;
        self.copy_set(at, d.0.into());
        Ok(())
    }

    #[inline]
    pub(super) fn store_set(&mut self, to: Sets, index: In, a: SetIn) -> Result<(), Fail> {
        let at = self.set_at(to, index)?;
        self.copy_set(a.0.into(), at);
        Ok(())
    }

    #[inline]
    pub(super) fn store_or(&mut self, to: Sets, index: In, a: SetIn) -> Result<(), Fail> {
        let at = self.set_at(to, index)?;
        *words_at_mut(self.words, at) = kernel::or::<W>(words_at(self.words, at), self.set(a));
        Ok(())
    }

    #[inline]
    pub(super) fn store_minus(&mut self, to: Sets, index: In, a: SetIn) -> Result<(), Fail> {
        let at = self.set_at(to, index)?;
        *words_at_mut(self.words, at) = kernel::minus::<W>(words_at(self.words, at), self.set(a));
        Ok(())
    }

    #[inline]
    pub(super) fn look_up_set(&mut self, d: SetOut, table: SetTable, index: In) -> Result<(), Fail> {
        let row = self.row(self.program.set_tables[usize::from(table.0)], index)?;
        self.put_set(d, words_at(&self.program.sets, row * W));
        Ok(())
    }

    #[inline]
    pub(super) fn insert(&mut self, d: SetMut, e: In, size: Size) {
        let e = self.get(e);
        if (e as u64) < u64::from(size.0) {
            put_in(self.set_mut(d), e);
        }
    }

    #[inline]
    pub(super) fn count(&mut self, d: Out, a: SetIn) {
        self.put(d, kernel::count(self.set(a)).into());
    }

    #[inline]
    pub(super) fn first(&mut self, d: Out, a: SetIn) {
        self.put(d, kernel::first(self.set(a)));
    }

    #[inline]
    pub(super) fn last(&mut self, d: Out, a: SetIn) {
        self.put(d, kernel::last(self.set(a)));
    }

    #[inline]
    pub(super) fn if_some(&mut self, a: SetIn, is: Truth, to: CodeAddress) -> Next {
        jump_if(!kernel::is_empty(self.set(a)), is, to)
    }

    #[inline]
    pub(super) fn if_in(&mut self, a: SetIn, e: In, size: Size, is: Truth, to: CodeAddress) -> Next {
        jump_if(has(self.set(a), self.get(e), size.0), is, to)
    }

    #[inline]
    pub(super) fn if_load_in(
        &mut self,
        from: Sets,
        index: In,
        e: In,
        size: Size,
        is: Truth,
        to: CodeAddress,
    ) -> Result<Next, Fail> {
        let set: &Words<W> = words_at(self.words, self.set_at(from, index)?);
        Ok(jump_if(has(set, self.get(e), size.0), is, to))
    }

    #[inline]
    pub(super) fn if_subset(&mut self, a: SetIn, b: SetIn, is: Truth, to: CodeAddress) -> Next {
        jump_if(kernel::is_empty(&kernel::minus(self.set(a), self.set(b))), is, to)
    }

    #[inline]
    pub(super) fn if_same(&mut self, a: SetIn, b: SetIn, is: Truth, to: CodeAddress) -> Next {
        jump_if(self.set(a) == self.set(b), is, to)
    }

    /// Takes an element out, or jumps if it is none.
    fn take(&mut self, d: Out, from: SetMut, e: i64, to: CodeAddress) -> Next {
        if e < 0 {
            return Next::To(to);
        }
        take_out(self.set_mut(from), e);
        self.put(d, e);
        Next::On
    }

    #[inline]
    pub(super) fn pop(&mut self, d: Out, from: SetMut, to: CodeAddress) -> Next {
        let e = kernel::first(self.set_mut(from));
        self.take(d, from, e, to)
    }

    #[inline]
    pub(super) fn pop_from(&mut self, d: Out, from: SetMut, e: In, to: CodeAddress) -> Next {
        let start = self.get(e);
        let e = kernel::first_from(self.set_mut(from), start);
        self.take(d, from, e, to)
    }

    #[inline]
    pub(super) fn shift(&mut self, d: SetOut, a: SetIn, k: SetRef, by: Imm) {
        self.put_set(d, &kernel::moved(self.set(a), by.0, self.constant_set(k)));
    }

    #[inline]
    pub(super) fn columns(&mut self, d: SetOut, a: SetIn, width: Size, height: Size) {
        self.put_set(d, &kernel::columns(self.set(a), width.0.into(), height.0.into()));
    }

    #[inline]
    pub(super) fn rows(&mut self, d: SetOut, a: SetIn, width: Size, first: SetRef) {
        let mut touched = kernel::none::<W>();
        touched[0] = rows(self.set(a)[0], width.0.into(), self.constant_set(first)[0]);
        self.put_set(d, &touched);
    }
}
