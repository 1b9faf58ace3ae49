//! The candidates of a pending choice with `ensuring` options: the executor tries every candidate, and those
//! that pass are the legal actions. Random players draw among the candidates here too, so they use the same
//! random words as where play does not stop. Depends on programs; independent of the language.

use crate::effects::{bind, find, number_of, ways_among};
use crate::program::{
    ChoiceStop, CodeAddress, Instruction, OptionBits, Program, SavedWords, StopKind, StopRef,
};
use crate::run::{Runner, Runs};
use crate::run_state::{Fault, RunState, Stop};
use crate::trial::{choice_of, keep, price, put_back, region, trials};
use houserule_base::rng::{Stream, Streams};

/// Candidates of an option in a word of a mask, which compiled code tries one after the other.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct TriedCandidates {
    /// The option, by its index.
    pub(crate) option: u64,
    /// The value of the last binder for the lowest bit. The other binders are bound already.
    pub(crate) first: u64,
    /// The candidates that are still to be tried, one bit each.
    pub(crate) waiting: u64,
    /// The bit of the candidate that is being tried.
    pub(crate) tried: u64,
    /// The candidates that were tried and aren't legal.
    pub(crate) illegal: u64,
    /// What is left of the loop budget of all trials.
    pub(crate) budget: u64,
}

/// Maximum number of words that are restored inline after a trial.
const RESTORED: usize = 32;

/// Number of copied words that are as much work as an iteration of a loop of the rules.
pub const COPIED: usize = 64;

/// Returns the number of words that are restored after a trial of an option.
fn restored(saved: &[SavedWords]) -> usize {
    saved.iter().map(|saved| usize::from(saved.words.len)).sum()
}

/// Returns `true` if compiled code tries the candidates of a choice one after the other where play stops for it.
pub(crate) fn tries_inline(choice: &ChoiceStop) -> bool {
    choice.is_tried()
        && choice.parts.iter().flat_map(|part| &part.tried).all(|saved| restored(saved) <= RESTORED)
}

/// Returns the cost of a trial. `stop` is why it stopped, and `spent` the number of iterations of its loops, which counts
/// unless the trial failed.
fn cost_of(program: &Program, stop: Stop, spent: u32) -> u32 {
    let loops = match stop {
        Stop::Fault { fault: Fault::Budget, .. } => program.budget,
        // The loop budget spent before the fault is not known.
        Stop::Fault { .. } => program.budget / 64,
        _ => spent,
    };
    price(program, loops)
}

/// The candidates of a choice, some of which may not be legal.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// All candidates, laid out like the mask of legal actions.
    all: Vec<u64>,
    /// The candidates that a random player has not drawn yet.
    left: Vec<u64>,
    /// The work of all trials so far: see [`Candidates::work`].
    work: u64,
}

impl Candidates {
    /// Reserves memory for the largest tried choice of a program.
    pub fn new(program: &Program) -> Self {
        let tried = program.stops.iter().filter_map(|stop| match &stop.kind {
            StopKind::Choice(choice) if choice.is_tried() => Some(usize::from(choice.words)),
            _ => None,
        });
        let most = tried.max().unwrap_or(0);
        Candidates { all: Vec::with_capacity(most), left: Vec::with_capacity(most), work: 0 }
    }

    /// Returns the work of all trials so far, in iterations of loops of the rules: what they take from the loop budget of
    /// trials, and an iteration for each [`COPIED`] words that are restored. The interpreter and compiled code count the same.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Draws a legal action, with the same draws as a random player for whom play doesn't stop. Returns its
    /// word and bit of the mask.
    pub fn draw(&mut self, choice: &ChoiceStop, legal: &[u64], stream: &mut Stream) -> Option<(usize, u32)> {
        self.left.clone_from(&self.all);
        loop {
            let (first, n) = ways_among(choice, &self.left)?;
            let k = if n == 1 { 0 } else { stream.below(n.into()) as u32 };
            let (word, bit) = find(&self.left, first, k);
            if legal[word] >> bit & 1 == 1 {
                return Some((word, bit));
            }
            self.left[word] &= !(1 << bit);
        }
    }

    /// Tries every candidate of the choice that is pending at `stop`, and leaves only the legal ones in its
    /// mask. Returns where play continues if none is legal.
    pub fn try_out(
        &mut self,
        steps: Runner<'_>,
        stop: StopRef,
        words: &mut [u64],
        streams: &mut Streams,
        run_state: &mut RunState,
    ) -> Result<Option<CodeAddress>, Fault> {
        let program = steps.program;
        let Some(choice) = choice_of(program, stop) else { return Ok(None) };
        let at = program.stops[usize::from(stop.0)].at;
        let spent = run_state.spent;
        run_state.tries = true;
        let tried = match steps.prepare(streams, run_state) {
            Some(mut code) if tries_inline(choice) => self.try_runs(program, choice, at, words, &mut code),
            Some(mut code) => self.try_all(program, choice, words, |words, at| {
                let ended = code.run(words, at);
                (ended, code.lent().1.spent)
            }),
            None => self.try_all(program, choice, words, |words, at| {
                run_state.spent = 0;
                let ended = steps.run(words, streams, run_state, at);
                (ended, run_state.spent)
            }),
        };
        (run_state.spent, run_state.tries) = (spent, false);
        self.work += u64::from(trials(program)) - tried.unwrap_or(0);
        tried?;
        if region(choice, words).iter().any(|w| *w != 0) {
            return Ok(None);
        }
        match program.code.get(usize::from(at.0)) {
            Some(Instruction::ChooseTried { to, .. }) => Ok(Some(*to)),
            _ => Ok(None),
        }
    }

    /// Tries every candidate in compiled code: all candidates in a word of the mask in one call. Returns what is left of the
    /// loop budget of all trials.
    fn try_runs(
        &mut self,
        program: &Program,
        choice: &ChoiceStop,
        at: CodeAddress,
        words: &mut [u64],
        code: &mut Runs<'_>,
    ) -> Result<u64, Fault> {
        self.all.clear();
        self.all.extend_from_slice(region(choice, words));
        let mut budget = u64::from(trials(program));
        let mut kept = None;
        for word in 0..self.all.len() {
            let mut bits = self.all[word];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                let option = number_of(choice, word, bit);
                let part = &choice.parts[option];
                // Options without binders share a word.
                let waiting = if part.sizes.is_empty() { 1 << bit } else { bits };
                bits &= !waiting;
                if part.tried.is_none() {
                    continue;
                }
                if kept.replace(option) != Some(option) {
                    keep(part, words);
                }
                // The values of the other binders are the same for all candidates of the word.
                bind(choice, word, 0, |address, e| words[usize::from(address)] = e.into());
                let first = part.binders.last().map_or(0, |last| words[usize::from(*last)]);
                let mut run =
                    TriedCandidates { option: option as u64, first, waiting, tried: 0, illegal: 0, budget };
                let mut enough = true;
                while enough && !code.tries(words, at, &mut run) {
                    let stop = code.finish(words, at);
                    put_back(part, words);
                    let cost = cost_of(program, stop, 0).into();
                    enough = stop != Stop::Failed && run.budget > cost;
                    run.budget = run.budget.saturating_sub(cost);
                }
                region(choice, words)[word] &= !run.illegal;
                if !enough {
                    return Err(Fault::Budget);
                }
                budget = run.budget;
            }
        }
        Ok(budget)
    }

    /// Tries every candidate. `run` runs the body of one, and returns why the body stopped and the loop
    /// budget that it spent. Returns what is left of the loop budget of all trials.
    #[inline(always)]
    fn try_all(
        &mut self,
        program: &Program,
        choice: &ChoiceStop,
        words: &mut [u64],
        mut run: impl FnMut(&mut [u64], CodeAddress) -> (Stop, u32),
    ) -> Result<u64, Fault> {
        self.all.clear();
        self.all.extend_from_slice(region(choice, words));
        let mut left = trials(program);
        // The words that a trial may change are the same before each trial of an option, so they are saved
        // once.
        let mut kept: Option<&OptionBits> = None;
        let mut copying = 0;
        for word in 0..self.all.len() {
            let mut bits = self.all[word];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                if choice.parts[number_of(choice, word, bit)].tried.is_none() {
                    continue;
                }
                let part = bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into());
                if !kept.is_some_and(|kept| std::ptr::eq(kept, part)) {
                    keep(part, words);
                    kept = Some(part);
                    copying = (part.tried.as_deref().map_or(0, restored) / COPIED) as u64;
                }
                let (stop, spent) = run(words, part.body);
                put_back(part, words);
                self.work += copying;
                if stop == Stop::Failed {
                    region(choice, words)[word] &= !(1 << bit);
                }
                let cost = cost_of(program, stop, spent);
                if left <= cost {
                    return Err(Fault::Budget);
                }
                left -= cost;
            }
        }
        Ok(left.into())
    }
}
