//! Xoshiro256++, bounded numbers by multiply and shift, and the n-th element of a small set.

/// A stream of random numbers.
#[derive(Clone)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The stream of a seed, spread by SplitMix64.
    pub fn new(seed: u64) -> Self {
        let mut spread = seed;
        let state = std::array::from_fn(|_| {
            spread = spread.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = spread;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^ (word >> 31)
        });
        Rng { state }
    }

    /// The next word.
    #[inline(always)]
    pub fn word(&mut self) -> u64 {
        let s = &mut self.state;
        let word = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        word
    }

    /// A number below `n`.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u32
    }
}

/// A way to find the n-th element of a set.
pub trait Nth {
    /// The n-th lowest bit of a set, from 0, alone. The set must have it.
    fn nth(set: u64, n: u32) -> u64;
}

/// By one instruction of BMI2. Only for functions that were entered after asking for it.
pub struct Deposit;

impl Nth for Deposit {
    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `builds!` names this type only in a function for processors with BMI2.
        unsafe {
            std::arch::x86_64::_pdep_u64(1 << n, set)
        }
        #[cfg(not(target_arch = "x86_64"))]
        Portable::nth(set, n)
    }
}

/// By taking the lowest bit away n times.
pub struct Portable;

impl Nth for Portable {
    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        let mut left = set;
        for _ in 0..n {
            left &= left - 1;
        }
        left & left.wrapping_neg()
    }
}
