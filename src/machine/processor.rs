//! CPU features: detection, and functions compiled with and without them.

/// Returns `true` if the CPU has BMI1, BMI2, POPCNT, LZCNT and AVX2.
#[inline]
pub fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static HAS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            use std::arch::is_x86_feature_detected as has;
            has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt") && has!("avx2")
        });
        *HAS
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Asks the processor to load memory into its cache, because it is written soon.
#[inline(always)]
pub fn prefetch<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        const LINE: usize = 64;
        let first = memory.as_ptr().cast::<i8>();
        for line in 0..size_of_val(memory).div_ceil(LINE) {
            // SAFETY: nothing is read or written; the address lies in `memory`.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(first.wrapping_add(line * LINE)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

/// Defines a function that calls the `BMI` version of another one if the CPU has the features. The code of each version
/// stands once, not in every caller.
macro_rules! on_this_processor {
    ($(#[$doc:meta])* $name:ident $([$width:ident])?, $fast:ident, $($of:ident)::+,
        ($($arg:ident: $ty:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[inline]
        pub fn $name $(<const $width: usize>)? ($($arg: $ty),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            if $crate::processor::has_bmi2() {
                // SAFETY: the CPU has all features that this function is compiled for.
                return unsafe { $fast $(::<$width>)? ($($arg),*) };
            }
            #[inline(never)]
            fn plain $(<const $width: usize>)? ($($arg: $ty),*) -> $result {
                $($of)::+::<$($width,)? false>($($arg),*)
            }
            plain $(::<$width>)? ($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline(never)]
        pub(crate) fn $fast $(<const $width: usize>)? ($($arg: $ty),*) -> $result {
            $($of)::+::<$($width,)? true>($($arg),*)
        }
    };
}
pub(crate) use on_this_processor;
