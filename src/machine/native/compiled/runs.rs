//! Runs from set to set on boards of one word, for compiled code that has the sets in registers.

use crate::processor::has_bmi2;
use crate::program::{Directions, SetFunction};
use houserule_model::board::kernel::{self, GridStrides, LANES};

/// For each orientation what a step up may reach, then the same for steps down.
type Masks = [u64; 2 * LANES];

/// A function that finds runs, from directions, their masks, and the sets.
pub(super) type Finds = unsafe extern "C" fn(&Directions, &Masks, u64, u64, u64) -> u64;

/// Returns a function's directions of runs, and what finds them.
pub(super) fn directions_and_finder(function: &SetFunction) -> Option<(&Directions, Finds)> {
    match function {
        SetFunction::Flanks(of) => Some((of, flanks())),
        SetFunction::Custodial(of) => Some((of, custodial())),
        _ => None,
    }
}

macro_rules! finds {
    ($name:ident, $steps:ident, $a:ident, $b:ident, $c:ident, $found:expr) => {
        fn $name() -> Finds {
            #[inline(always)]
            fn find(of: &Directions, masks: &Masks, $a: u64, $b: u64, $c: u64) -> u64 {
                let (up, down) = masks.split_at(LANES);
                let $steps = &GridStrides { strides: of.strides, up, down, doublings: of.doublings };
                let [found] = $found;
                found
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
            extern "C" fn fast(of: &Directions, masks: &Masks, a: u64, b: u64, c: u64) -> u64 {
                find(of, masks, a, b, c)
            }
            extern "C" fn plain(of: &Directions, masks: &Masks, a: u64, b: u64, c: u64) -> u64 {
                find(of, masks, a, b, c)
            }
            #[cfg(target_arch = "x86_64")]
            if has_bmi2() {
                return fast;
            }
            plain
        }
    };
}
finds!(flanks, steps, to, through, _none, kernel::flanks(steps, &[to], &[through]));
finds!(custodial, steps, from, to, through, kernel::custodial(steps, &[from], &[to], &[through]));
