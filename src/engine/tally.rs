//! What the executor counts and keeps along the way beside the frame, and why it stops.

use super::past::Past;
use crate::hook::Mistake;
use crate::interrupt;
use crate::program::{Phase, Program};
use crate::rng::Stream;

/// Instructions of a loop up to which a turn of it counts as one.
pub(super) const LENGTH: usize = 128;

/// Decisions of random players between two looks at whether they are interrupted.
pub(super) const PAUSE: u64 = 1024;

/// Why the executor stopped.
///
/// A word says which it is: with less, the rest is copied from where it is out of step with how it was written, and each
/// step of a game waits for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Stop {
    /// At the site that the frame says.
    Pending,
    /// The game is over.
    Over,
    /// A computation is done.
    Halt,
    /// What was tried is legal, and goes on behind this instruction.
    Kept(u16),
    /// What was tried is not legal.
    Failed,
    /// A wrong value.
    Fault {
        /// The instruction.
        at: u32,
        /// What is wrong.
        fault: Fault,
        /// The value, where there is one.
        value: i64,
    },
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fault {
    OutOfRange,
    Index,
    Overflow,
    DivisionByZero,
    NoneIndex,
    NoneValue,
    Budget,
    Limit,
    Positions,
    Script,
}

impl Fault {
    /// All of them, each at the place of its number.
    pub(super) const ALL: [Fault; 10] = [
        Fault::OutOfRange,
        Fault::Index,
        Fault::Overflow,
        Fault::DivisionByZero,
        Fault::NoneIndex,
        Fault::NoneValue,
        Fault::Budget,
        Fault::Limit,
        Fault::Positions,
        Fault::Script,
    ];
}

/// What is known while a candidate is tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trial {
    /// The candidate: a word of the legal set, and its bit.
    pub(super) word: usize,
    pub(super) bit: u32,
    /// The budget before the first trial.
    pub(super) budget: u32,
    /// What trials may still cost.
    pub(super) left: u32,
    /// The chooser's stream before the first draw.
    pub(super) stream: Option<Stream>,
}

/// What is counted along the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Decisions of this game.
    pub(crate) decisions: u64,
    /// Decisions after which random players look whether to go on.
    pub(super) pause: u64,
    /// Turns finished in this game.
    pub(crate) turns: u64,
    /// Turns of this game that were taken again.
    pub(crate) repeats: u64,
    /// Dice events of this game.
    pub(crate) rolls: u64,
    /// The part of the loop budget spent since the last decision, while a chance event is pending.
    pub(crate) spent: u32,
    /// How often each block of actions was used.
    pub(crate) options: Vec<u64>,
    /// How often each step was entered.
    pub(crate) steps: Vec<u64>,
    /// The positions so far, for each thing that the rules compare.
    pub(crate) pasts: Vec<Past>,
    /// The candidate that is tried.
    pub(crate) trial: Trial,
    /// `chance … given` has begun since the executor was entered.
    pub(crate) begun: bool,
    /// How `chance … given` ended, if it had begun before.
    pub(crate) closed: Option<Phase>,
    /// What went wrong in a script.
    pub(crate) mistake: Option<Box<Mistake>>,
    /// Chance is drawn on the spot also where players are waited for.
    pub(crate) draws_chance: bool,
}

impl Tally {
    pub(crate) fn new(options: usize, program: &Program) -> Self {
        Tally {
            options: vec![0; options],
            steps: vec![0; program.steps.len()],
            pasts: program.pasts.iter().map(Past::new).collect(),
            ..Tally::default()
        }
    }

    /// Random players begin to play on.
    pub(super) fn begin_play(&mut self, program: &Program) {
        self.pause = program.limit.min(self.decisions + PAUSE);
    }

    /// Have random players taken more decisions than a game may have? If not they may be interrupted here, else
    /// go on until the next pause.
    #[cold]
    pub(super) fn is_too_long(&mut self, program: &Program) -> bool {
        interrupt::check();
        self.begin_play(program);
        self.decisions > program.limit
    }

    /// Forgets the positions of a game: another begins.
    pub(crate) fn forget(&mut self) {
        self.pasts.iter_mut().for_each(Past::clear);
    }

    /// Takes back what another tally has counted.
    pub(crate) fn take_back(&mut self, other: &Tally) {
        for (mine, its) in [(&mut self.options, &other.options), (&mut self.steps, &other.steps)] {
            mine.iter_mut().zip(its).for_each(|(count, taken)| *count -= taken);
        }
    }

    /// Notes where `chance … given` has come to.
    #[inline(always)]
    pub(super) fn given(&mut self, phase: Phase) {
        if phase == Phase::Begins {
            self.begun = true;
        } else if !self.begun && self.closed.is_none() {
            self.closed = Some(phase);
        }
    }

    #[inline(always)]
    pub(crate) fn option(&mut self, block: usize) {
        if let Some(count) = self.options.get_mut(block) {
            *count += 1;
        }
    }
}
