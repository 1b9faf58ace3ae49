//! Random playouts hand-written for single games: the baseline of the engine's benchmarks. Independent of the
//! engine; they share only their random numbers.
//!
//! A game that picks from sets comes in two builds: for any processor, and for one with BMI2, chosen at run
//! time.

pub mod connect_four;
pub mod dilido;
pub mod gomoku;
pub mod pick;
pub mod pig;
pub mod reversi;
pub mod rng;
pub mod tic_tac_die;
pub mod tic_tac_toe;

/// The totals of some playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games played.
    pub games: u64,
    /// Games won by each seat.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Decisions of the players, including those with a single option.
    pub decisions: u64,
    /// Rolls of the dice.
    pub rolls: u64,
    /// Sum of the points of all games, if the game has points.
    pub score: u64,
    /// Sum of the squared points, for their variance.
    pub score_squared: u64,
    /// Dots that the dice named.
    pub dots: u64,
}

/// Returns `true` if this processor can run the faster build.
pub fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Declares `playouts`, which chooses the build, and `playouts_portable`, from a `run` that is generic over
/// the way to find the n-th element of a set. The second name is the way without BMI2.
macro_rules! builds {
    ($run:ident, $portable:ident) => {
        /// Plays `games` games with random players, with the fastest build for this processor.
        pub fn playouts(games: u64, seed: u64) -> Totals {
            #[cfg(target_arch = "x86_64")]
            if crate::baseline::has_bmi2() {
                #[target_feature(enable = "bmi1,bmi2,popcnt")]
                fn faster(games: u64, seed: u64) -> Totals {
                    $run::<crate::baseline::pick::Deposit>(games, seed)
                }
                // SAFETY: the processor has just been asked for these features.
                return unsafe { faster(games, seed) };
            }
            playouts_portable(games, seed)
        }

        /// Plays the same games with the build for any processor.
        pub fn playouts_portable(games: u64, seed: u64) -> Totals {
            $run::<$portable>(games, seed)
        }
    };
}
pub(crate) use builds;
