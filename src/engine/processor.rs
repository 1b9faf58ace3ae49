//! What some processors do in one instruction, and others in several.

/// Does this processor have BMI2 and its kin?
#[inline]
pub(crate) fn has_bmi2() -> bool {
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

/// Makes of a function with `BMI` one that finds out what this processor has.
macro_rules! on_this_processor {
    ($(#[$doc:meta])* $name:ident $([$width:ident])?, $fast:ident, $($of:ident)::+,
        ($($arg:ident: $ty:ty),*) -> $result:ty) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name $(<const $width: usize>)? ($($arg: $ty),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            if has_bmi2() {
                // SAFETY: the processor has what this is built for.
                return unsafe { $fast $(::<$width>)? ($($arg),*) };
            }
            $($of)::+::<$($width,)? false>($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn $fast $(<const $width: usize>)? ($($arg: $ty),*) -> $result {
            $($of)::+::<$($width,)? true>($($arg),*)
        }
    };
}
pub(super) use on_this_processor;
