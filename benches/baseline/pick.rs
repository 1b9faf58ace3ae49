//! The n-th element of a small set, with and without BMI2.

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
        Stripping::nth(set, n)
    }
}

/// By taking the lowest bit away n times.
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
