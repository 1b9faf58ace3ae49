//! A fast hash of words, for hash tables in memory. Hashes are never written to files.

use std::hash::Hasher;

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

/// Hashes by [`mix`], for tables whose keys nobody chooses to collide.
#[derive(Clone, Copy, Debug)]
pub struct WordHasher(u64);

impl WordHasher {
    /// Returns a hasher that differs by `seed` from others.
    pub fn new(seed: u64) -> WordHasher {
        WordHasher(mix(START, seed))
    }
}

impl Default for WordHasher {
    fn default() -> WordHasher {
        WordHasher(START)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
