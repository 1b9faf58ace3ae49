//! What the executor counts and keeps beside the frame, and why it stops.

use super::past::Past;
use crate::program::{Phase, Program};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_model::ScriptError;

/// An iteration of a loop costs 1 plus the length of the loop, in instructions, divided by `LENGTH`.
pub(crate) const LENGTH: usize = 128;

/// Number of decisions of random players between two checks for an interruption.
pub(crate) const PAUSE: u64 = 1024;

/// Why the executor stopped.
///
/// The discriminant is a whole word. If it were smaller, copying a value would read it at other offsets than
/// it was written at, and each step of a game would wait for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stop {
    /// A decision or chance event is pending.
    Pending,
    /// The game is over.
    Over,
    /// A computation is complete.
    Halt,
    /// The tried candidate is legal; play continues at this instruction.
    Kept(u16),
    /// The tried candidate is not legal.
    Failed,
    /// A fault.
    Fault {
        /// The instruction.
        at: u32,
        /// The kind of fault.
        fault: Fault,
        /// The value, if any.
        value: i64,
    },
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// A value is outside the range of what it is stored in.
    OutOfRange,
    /// An index is outside its table or array.
    Index,
    /// A result exceeds 64 bits.
    Overflow,
    /// A division by zero.
    DivisionByZero,
    /// An index is `none`.
    NoneIndex,
    /// A value that must not be `none` is.
    NoneValue,
    /// The loop budget is used up.
    Budget,
    /// The game takes more decisions than it may.
    Limit,
    /// There is no room for another past position.
    Positions,
    /// A script failed.
    Script,
}

impl Fault {
    /// All faults, each at the index of its discriminant.
    pub(crate) const ALL: [Fault; 10] = [
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

/// The trial of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// The candidate: a word of the mask, and its bit.
    pub(crate) word: usize,
    pub(crate) bit: u32,
    /// The loop budget before the first trial.
    pub(crate) budget: u32,
    /// The loop budget left for trials.
    pub(crate) left: u32,
    /// The first word of the mask among whose candidates is drawn, and their number; 0 if they aren't counted.
    pub(crate) first: usize,
    pub(crate) ways: u32,
    /// The chooser's stream before the first draw.
    pub(crate) stream: Stream,
}

/// What is counted of every game. Compiled code writes the fields by their offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Counters {
    /// Number of decisions.
    pub decisions: u64,
    /// Number of turns that have ended. The end of a game ends its last turn.
    pub turns: u64,
    /// How often `again` repeated a turn.
    pub repeats: u64,
    /// Number of rolls. A roll that `chance … given` draws again counts once.
    pub rolls: u64,
}

/// Counters and other data of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunState {
    /// The counters of this game.
    pub counters: Counters,
    /// Number of decisions after which random players check whether to continue.
    pub pause: u64,
    /// Number of rolls when the last `chance … given` block began.
    pub rolls_before: u64,
    /// The part of the loop budget spent since the last decision, while a chance event is pending.
    pub spent: u32,
    /// How often each block of actions was used.
    pub options: Vec<u64>,
    /// How often each step was entered.
    pub steps: Vec<u64>,
    /// The positions so far, for each thing that the rules compare.
    pub pasts: Vec<Past>,
    /// The candidate that is being tried.
    pub trial: Trial,
    /// What is kept aside for the actions of a chain.
    pub aside: Vec<u64>,
    /// `true` if a `chance … given` block began since the executor was entered.
    pub begun: bool,
    /// How a `chance … given` block ended that had begun before the executor was entered.
    pub closed: Option<Phase>,
    /// The error of a script.
    pub mistake: Option<Box<ScriptError>>,
    /// `true` if chance is drawn at once even where play stops for decisions.
    pub draws_chance: bool,
    /// `true` while the candidates of a decision are tried, each of which is taken back.
    pub tries: bool,
}

impl RunState {
    /// Returns the data of a new run.
    pub fn new(program: &Program) -> Self {
        RunState {
            options: vec![0; program.options.into()],
            steps: vec![0; program.steps.len()],
            pasts: program.pasts.iter().map(Past::new).collect(),
            ..RunState::default()
        }
    }

    /// Sets the next pause of random players.
    pub fn begin_play(&mut self, program: &Program) {
        self.pause = program.limit.min(self.counters.decisions + PAUSE);
    }

    /// Checks for an interruption and sets the next pause. Returns `true` if random players have taken more
    /// decisions than a game may have.
    #[cold]
    pub(crate) fn is_too_long(&mut self, program: &Program) -> bool {
        interrupt::check();
        self.begin_play(program);
        self.counters.decisions > program.limit
    }

    /// Clears the past positions, for another game.
    pub fn forget(&mut self) {
        self.pasts.iter_mut().for_each(Past::clear);
    }

    /// Subtracts the counts of options and steps of another run.
    pub fn take_back(&mut self, other: &RunState) {
        for (mine, its) in [(&mut self.options, &other.options), (&mut self.steps, &other.steps)] {
            mine.iter_mut().zip(its).for_each(|(count, taken)| *count -= taken);
        }
    }

    /// Notes the phase of `chance … given`.
    #[inline(always)]
    pub(crate) fn enter_phase(&mut self, phase: Phase) {
        match phase {
            Phase::Begins => (self.begun, self.rolls_before) = (true, self.counters.rolls),
            // The block is drawn again, so its rolls don't count.
            Phase::Fails => self.counters.rolls = self.rolls_before,
            Phase::Holds => {}
        }
        if phase != Phase::Begins && !self.begun && self.closed.is_none() {
            self.closed = Some(phase);
        }
    }

    /// Counts a use of an option, unless nothing is counted.
    #[inline(always)]
    pub fn count_option(&mut self, counted: u32) {
        if let Some(count) = self.options.get_mut(counted as usize) {
            *count += 1;
        }
    }
}
