//! A fast hash of words, for hash tables in memory. Hashes are never written to files.

/// The initial value of a hash.
pub const START: u64 = 0x9e37_79b9_7f4a_7c15;

/// Adds a word to a hash. Both halves of the product are used. Adding `START` keeps 0 from being a fixed point.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0xd134_2543_de82_ef95_u128;
    (product as u64 ^ ((product >> 64) as u64).rotate_left(29)).wrapping_add(START)
}

/// Returns the hash of `words`.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    words.iter().fold(START, |sum, word| mix(sum, *word))
}
