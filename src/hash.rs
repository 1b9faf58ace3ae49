//! A quick hash of words, for tables in memory. No file has it.

/// What a hash begins with.
pub(crate) const START: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes a word into a hash. Both halves of the product count, so that all bits do; a hash that has come to 0 goes on.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0xd134_2543_de82_ef95_u128;
    (product as u64 ^ ((product >> 64) as u64).rotate_left(29)).wrapping_add(START)
}

/// The hash of some words.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(START, |sum, word| mix(sum, *word))
}
