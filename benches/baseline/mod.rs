//! Random playouts of single games, written by hand for that game alone: the figures that the engine
//! is held against. They know nothing of the engine and share only their random numbers.
//!
//! A game that picks from sets comes in two builds: for any processor, and for one with BMI2, chosen
//! at run time.

pub mod connect_four;
pub mod dilido;
pub mod gomoku;
pub mod pick;
pub mod pig;
pub mod reversi;
pub mod rng;
pub mod tic_tac_die;
pub mod tic_tac_toe;

/// What a number of playouts came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games played.
    pub games: u64,
    /// Games won by each seat.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Decisions of the players, those with a single option among them.
    pub decisions: u64,
    /// Rolls of the dice.
    pub rolls: u64,
    /// Points, where the game has them, of all games.
    pub score: u64,
    /// The squares of the points, for their spread.
    pub score_squared: u64,
    /// Dots that the dice named.
    pub dots: u64,
}

/// Has this processor what the faster build needs?
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

/// Declares `playouts`, which chooses the build, and `playouts_portable`, from a `run` that is
/// generic over how the n-th element of a set is found; the second name says how without BMI2.
macro_rules! builds {
    ($run:ident, $portable:ident) => {
        /// Plays this many games with random players, as fast as this processor allows.
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

        /// The same games by the build for any processor.
        pub fn playouts_portable(games: u64, seed: u64) -> Totals {
            $run::<$portable>(games, seed)
        }
    };
}
pub(crate) use builds;
