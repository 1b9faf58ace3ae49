//! Masks of options that choose a subset: a row has a bit for each subset, whose index has a bit for each
//! element. Depends on words; independent of their meaning. Checks every address that a value names.

use crate::program::{Bit, NumberTable, Program, Span16};
use houserule_model::board::subsets;

/// Number of elements whose subsets have bits in one word: 2⁶ = 64.
const IN_A_WORD: u32 = 6;

/// Returns the words of a row of a mask, or `None` if there is no such row.
fn row_of(frame: &mut [u64], words: Span16, row: i64, len: usize) -> Option<&mut [u64]> {
    let first = usize::try_from(row).ok()?.checked_mul(len)?;
    let end = first.checked_add(len).filter(|end| *end <= usize::from(words.len))?;
    frame.get_mut(usize::from(words.at) + first..usize::from(words.at) + end)
}

/// Returns the size of a row for subsets of `size` elements, in words.
fn row_words(size: Bit) -> usize {
    1 << u32::from(size.0).saturating_sub(IN_A_WORD).min(16)
}

/// Sets a row to the subsets of a set of at most `size` elements. Returns `false` if there is no such row.
#[inline(never)]
pub(crate) fn fill(frame: &mut [u64], words: Span16, size: Bit, row: i64, of: u64) -> bool {
    let Some(row) = row_of(frame, words, row, row_words(size)) else { return false };
    subsets(size.0.into(), of, row);
    true
}

/// Removes from a row the subsets that are not in a table. Returns `false` if there is no such row.
#[inline(never)]
pub(crate) fn keep(
    program: &Program,
    frame: &mut [u64],
    words: Span16,
    row: i64,
    table: NumberTable,
) -> bool {
    let rows = &program.number_tables[usize::from(table.0)];
    let kept = &program.numbers[rows.first as usize..][..rows.count as usize];
    let Some(row) = row_of(frame, words, row, kept.len()) else { return false };
    row.iter_mut().zip(kept).for_each(|(word, kept)| *word &= *kept as u64);
    true
}

/// Removes one subset from a row. Returns `false` if there is no such row.
#[inline(never)]
pub(crate) fn drop(frame: &mut [u64], words: Span16, size: Bit, row: i64, subset: u64) -> bool {
    let word = row_of(frame, words, row, row_words(size))
        .and_then(|row| row.get_mut(usize::try_from(subset >> IN_A_WORD).ok()?));
    let Some(word) = word else { return false };
    *word &= !(1 << (subset & 63));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_there_are_refused() {
        let words = Span16 { at: 4, len: 4 };
        let mut frame = vec![0; 10];
        for row in [-1, 2, i64::MAX, i64::MIN] {
            assert!(!fill(&mut frame, words, Bit(7), row, 3));
            assert!(!drop(&mut frame, words, Bit(7), row, 3));
        }
        assert!(!drop(&mut frame, words, Bit(7), 1, 128));
        assert_eq!(frame, [0; 10]);
        assert!(fill(&mut frame, words, Bit(7), 1, 0b100_0001) && drop(&mut frame, words, Bit(7), 1, 64));
        assert_eq!(frame, [0, 0, 0, 0, 0, 0, 0b11, 0b10, 0, 0]);
    }
}
