//! What the executor counts along the way, and why it stops.

use crate::program::Program;

/// Loop turns between two decisions after which a game fails. Long loops and dear instructions count as
/// several.
pub(super) const BUDGET: u32 = 1_000_000;

/// Why the executor stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At the site that the frame says.
    Pending,
    /// The game is over.
    Over,
    /// A computation is done.
    Halt,
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
pub(crate) enum Fault {
    OutOfRange,
    Index,
    Overflow,
    DivisionByZero,
    NoneIndex,
    NoneValue,
    Budget,
    Limit,
}

/// What is counted along the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Decisions of this game.
    pub(crate) decisions: u64,
    /// Turns finished in this game.
    pub(crate) turns: u64,
    /// Turns of this game that were taken again.
    pub(crate) repeats: u64,
    /// Dice events of this game.
    pub(crate) rolls: u64,
    /// What of the budget was spent since the last decision, while a chance event is pending.
    pub(crate) spent: u32,
    /// How often each block of actions was used.
    pub(crate) options: Vec<u64>,
    /// How often each site with a single option was decided at, where that is not told by its option.
    pub(crate) sites: Vec<u64>,
    /// How often each step was entered.
    pub(crate) steps: Vec<u64>,
}

impl Tally {
    pub(crate) fn new(options: usize, program: &Program) -> Self {
        let (steps, sites) = (program.steps.len(), program.sites.len());
        Tally { options: vec![0; options], steps: vec![0; steps], sites: vec![0; sites], ..Tally::default() }
    }

    /// Takes back what another tally has counted.
    pub(crate) fn take_back(&mut self, other: &Tally) {
        for (mine, its) in [
            (&mut self.options, &other.options),
            (&mut self.sites, &other.sites),
            (&mut self.steps, &other.steps),
        ] {
            mine.iter_mut().zip(its).for_each(|(count, taken)| *count -= taken);
        }
    }

    /// Counts a choice with a single option at its site.
    #[inline(always)]
    pub(super) fn site(&mut self, site: usize) {
        if let Some(count) = self.sites.get_mut(site) {
            *count += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn option(&mut self, block: usize) {
        if let Some(count) = self.options.get_mut(block) {
            *count += 1;
        }
    }
}
