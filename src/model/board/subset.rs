//! Sets of subsets: a subset is an integer with one bit per element, and a set of subsets is a row of words
//! with one bit per subset.

/// Number of elements whose subsets fit one word: 2⁶ = 64.
const IN_A_WORD: u32 = 6;

/// For each of the first six elements, the bits of the subsets in a word that don't contain it.
const WITHOUT: [u64; IN_A_WORD as usize] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Writes the subsets of the set with the bits `of` to `row`: 2^`size` bits in whole words, for a domain of
/// `size` elements.
pub fn subsets(size: u32, of: u64, row: &mut [u64]) {
    let missing = !of;
    let mut low = if size < IN_A_WORD { (1 << (1u64 << size)) - 1 } else { u64::MAX };
    for (e, without) in WITHOUT.iter().enumerate() {
        if missing >> e & 1 == 1 {
            low &= without;
        }
    }
    for (high, word) in row.iter_mut().enumerate() {
        *word = if high as u64 & missing >> IN_A_WORD == 0 { low } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_exactly_the_subsets() {
        for size in 0..=10u32 {
            for of in 0..1u64 << size {
                let mut row = vec![0; 1 << size.saturating_sub(IN_A_WORD)];
                subsets(size, of, &mut row);
                for number in 0..row.len() as u64 * 64 {
                    let is_in = row[number as usize / 64] >> (number % 64) & 1 == 1;
                    let wanted = number >> size == 0 && number & !of == 0;
                    assert_eq!(is_in, wanted, "subset {number:b} of {of:b}, {size} elements");
                }
            }
        }
    }
}
