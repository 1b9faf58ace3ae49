//! The executor: runs a verified program until it stops.
//!
//! There are two ways to run: *play*, in which random players decide and chance is drawn on the spot, and
//! *stop*, which suspends at every decision and, unless the tally says that chance is drawn, at every chance
//! event. The loop that serves both is built for each width of a set, and for processors with and without
//! BMI2; which of these a program needs is chosen here.

mod execute;

use super::game::Game;
use super::machine::{Kind, Machine};
use super::tally::{Stop, Tally};
use crate::program::{Block, Program};
use crate::rng::Streams;
#[cfg(target_arch = "x86_64")]
use execute::fast;
use execute::plain;

/// Runs a game's program from `at` to the next stop, as compiled code if that has been made.
pub(crate) fn step(
    game: &Game,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    at: Block,
) -> Stop {
    let machine = game.machine_if_made(Kind::Steps);
    match machine.and_then(|machine| machine.run(game.program(), words, streams, tally, at)) {
        Some(stop) => stop,
        None => run(game.program(), words, streams, tally, at, false),
    }
}

/// Runs a game's program from `at` to its end with random players, as compiled code if there is any.
pub(crate) fn play(
    program: &Program,
    machine: Option<&Machine>,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    at: Block,
) -> Stop {
    if let Some(machine) = machine {
        tally.begin_play(program);
        if let Some(stop) = machine.run(program, words, streams, tally, at) {
            return stop;
        }
    }
    run(program, words, streams, tally, at, true)
}

/// Runs a verified program from `at` until it stops. With `play` random players decide.
pub(crate) fn run(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    at: Block,
    play: bool,
) -> Stop {
    assert_eq!(words.len(), program.frame as usize, "the frame is the program's");
    if play {
        tally.begin_play(program);
        dispatch::<true>(program, words, streams, tally, at)
    } else {
        dispatch::<false>(program, words, streams, tally, at)
    }
}

fn dispatch<const PLAY: bool>(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    at: Block,
) -> Stop {
    // SAFETY: what is built for this processor and program is run with it.
    unsafe { built::<PLAY>(program)(program, words, streams, tally, at) }
}

/// The loop as it is built for a width and a kind of processor.
type Built = unsafe fn(&Program, &mut [u64], &mut Streams, &mut Tally, Block) -> Stop;

/// What runs a program on this processor.
fn built<const PLAY: bool>(program: &Program) -> Built {
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        return match program.width {
            1 => fast::<1, PLAY>,
            2 => fast::<2, PLAY>,
            4 => fast::<4, PLAY>,
            8 => fast::<8, PLAY>,
            20 => fast::<20, PLAY>,
            _ => fast::<64, PLAY>,
        };
    }
    match program.width {
        1 => plain::<1, PLAY>,
        2 => plain::<2, PLAY>,
        4 => plain::<4, PLAY>,
        8 => plain::<8, PLAY>,
        20 => plain::<20, PLAY>,
        _ => plain::<64, PLAY>,
    }
}

/// Runs programs of one width until a player is to decide: what is chosen once need not be at every run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    built: Built,
    width: u16,
}

impl Runner {
    pub(crate) fn new(program: &Program) -> Runner {
        Runner { built: built::<false>(program), width: program.width }
    }

    /// Runs a verified program from `at` until it stops.
    #[inline(always)]
    pub(crate) fn run(
        &self,
        program: &Program,
        words: &mut [u64],
        streams: &mut Streams,
        tally: &mut Tally,
        at: Block,
    ) -> Stop {
        assert!(
            words.len() == program.frame as usize && program.width == self.width,
            "they are the program's"
        );
        // SAFETY: it was built for this processor and this width.
        unsafe { (self.built)(program, words, streams, tally, at) }
    }
}

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
