//! Legal sets of options that choose a subset: a row has a bit for each subset, whose number has a bit
//! for each element. Knows words, not programs' meaning; every place that a value names is checked here.

use crate::board::subsets;
use crate::program::{Bit, NumberTable, Program, Span16};

/// Subsets of the first elements that one word has bits for: 2⁶ = 64.
const IN_A_WORD: u32 = 6;

/// The words of a row of a legal set; none if there is no such row.
fn row_of(frame: &mut [u64], words: Span16, row: i64, len: usize) -> Option<&mut [u64]> {
    let first = usize::try_from(row).ok()?.checked_mul(len)?;
    let end = first.checked_add(len).filter(|end| *end <= usize::from(words.len))?;
    frame.get_mut(usize::from(words.at) + first..usize::from(words.at) + end)
}

/// Words of a row for subsets of so many elements.
fn row_words(size: Bit) -> usize {
    1 << u32::from(size.0).saturating_sub(IN_A_WORD).min(16)
}

/// A row becomes the subsets of a set of `size` elements at the most. False if there is no such row.
#[inline(never)]
pub(super) fn fill(frame: &mut [u64], words: Span16, size: Bit, row: i64, of: u64) -> bool {
    let Some(row) = row_of(frame, words, row, row_words(size)) else { return false };
    subsets(size.0.into(), of, row);
    true
}

/// A row loses what is not in the words of a table. False if there is no such row.
#[inline(never)]
pub(super) fn keep(
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

/// A row loses one subset. False if there is no such row.
#[inline(never)]
pub(super) fn drop(frame: &mut [u64], words: Span16, size: Bit, row: i64, subset: u64) -> bool {
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
