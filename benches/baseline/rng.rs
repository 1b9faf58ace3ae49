//! Xoshiro256++ and bounded numbers by multiply and shift.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};

/// A stream of random numbers.
#[derive(Clone)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Returns the stream of a seed, expanded by SplitMix64.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns the next word.
    #[inline(always)]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `n`.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u32
    }
}
