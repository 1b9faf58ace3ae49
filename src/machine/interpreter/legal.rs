//! Instructions that compute the mask of legal actions.

use super::{Fail, Interpreter, Next, jump_if, within};
use crate::program::{Bit, CodeAddress, In, NumberMut, NumberTable, SetIn, SetMut, Size, Span16, Truth};
use crate::run_state::Fault;
use crate::subsets;

impl<const W: usize> Interpreter<'_, W> {
    #[inline]
    pub(super) fn region_clear(&mut self, words: Span16) {
        self.words[usize::from(words.at)..][..usize::from(words.len)].fill(0);
    }

    #[inline]
    pub(super) fn region_set(&mut self, words: Span16, a: SetIn) {
        let (a, len) = (usize::from(a.0), usize::from(words.len).min(W));
        self.words.copy_within(a..a + len, words.at.into());
    }

    #[inline]
    pub(super) fn region_row(&mut self, words: Span16, size: Size, row: In, a: SetIn) -> Result<(), Fail> {
        let (a, len) = (usize::from(a.0), usize::from(size.0).div_ceil(64).min(W));
        let rows = usize::from(words.len).checked_div(len).unwrap_or(usize::MAX);
        let row = within(self.get(row), rows)?;
        self.words.copy_within(a..a + len, usize::from(words.at) + row * len);
        Ok(())
    }

    #[inline]
    pub(super) fn region_bit(&mut self, d: NumberMut, bit: Bit) {
        self.words[usize::from(d.0)] |= 1 << (bit.0 & 63);
    }

    #[inline]
    pub(super) fn region_subsets(&mut self, words: Span16, size: Bit, row: In, a: SetIn) -> Result<(), Fail> {
        let (row, of) = (self.get(row), self.set(a)[0]);
        check_row(subsets::fill(self.words, words, size, row, of), row)
    }

    #[inline]
    pub(super) fn region_keep(&mut self, words: Span16, row: In, table: NumberTable) -> Result<(), Fail> {
        let row = self.get(row);
        check_row(subsets::keep(self.program, self.words, words, row, table), row)
    }

    #[inline]
    pub(super) fn region_drop(&mut self, words: Span16, size: Bit, row: In, a: SetIn) -> Result<(), Fail> {
        let (row, of) = (self.get(row), self.set(a)[0]);
        check_row(subsets::drop(self.words, words, size, row, of), row)
    }

    #[inline]
    pub(super) fn next_subset(&mut self, d: SetMut, a: SetIn, to: CodeAddress) -> Next {
        let of = self.set(a)[0];
        let subset = &mut self.set_mut(d)[0];
        *subset = (*subset | !of).wrapping_add(1) & of;
        jump_if(*subset == 0, Truth(true), to)
    }
}

/// Returns an index error if a mask has no such row.
fn check_row(exists: bool, row: i64) -> Result<(), Fail> {
    if exists { Ok(()) } else { Err(Fail { fault: Fault::Index, value: row }) }
}
