//! The n-th element of a small set, with and without BMI2.

/// A way to find the n-th element of a set.
pub trait Nth {
    /// Returns the n-th lowest bit of a set, from 0, as a set. The set must have more than `n` bits.
    fn nth(set: u64, n: u32) -> u64;
}

/// Uses one instruction of BMI2. Only for functions entered after testing for BMI2.
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
        Stripping::nth(set, n)
    }
}

/// Removes the lowest bit `n` times.
pub struct Stripping;

impl Nth for Stripping {
    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        let mut left = set;
        for _ in 0..n {
            left &= left - 1;
        }
        left & left.wrapping_neg()
    }
}
