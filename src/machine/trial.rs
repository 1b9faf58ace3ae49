//! Trials of `ensuring` options while random players play.
//!
//! A candidate is drawn, the words that its body may change are saved, and the body runs in place. If the
//! condition holds afterwards, the game goes on; otherwise the words are restored and another candidate is
//! drawn. Where play stops for a decision, [`crate::candidates`] tries all of them. A body that fails counts
//! as legal in a trial: it fails when its action is taken. Depends on programs; independent of the language.

use super::effects::{bind, find_here, number_of, ways_among};
use super::processor::on_this_processor;
use crate::program::{ChoiceStop, CodeAddress, OptionBits, Program, StopKind, StopRef};
use crate::run_state::{LENGTH, RunState};
use houserule_base::rng::{Stream, Streams};
use houserule_model::board::kernel::{words_at, words_at_mut};

/// Returns the loop budget of all trials for one decision together, in iterations.
pub(crate) fn trials(program: &Program) -> u32 {
    program.budget * 16
}

/// Where to continue once a candidate has been drawn.
pub enum CandidateTarget {
    /// A body whose option is taken.
    Taken(CodeAddress),
    /// A body on trial.
    Tried(CodeAddress),
    /// Nothing is legal. Holds the loop budget before the trials.
    Nothing(u32),
    /// The trials take too long.
    Exhausted,
}

/// Returns the choice of a stop point, or `None` if it is a chance event.
pub(crate) fn choice_of(program: &Program, stop: StopRef) -> Option<&ChoiceStop> {
    match &program.stops.get(usize::from(stop.0))?.kind {
        StopKind::Choice(choice) => Some(choice),
        _ => None,
    }
}

pub(crate) fn region<'w>(choice: &ChoiceStop, words: &'w mut [u64]) -> &'w mut [u64] {
    &mut words[usize::from(choice.region)..][..usize::from(choice.words)]
}

/// Returns `true` if a choice has a candidate.
#[inline(never)]
pub(crate) fn has_candidate(program: &Program, stop: StopRef, words: &mut [u64]) -> bool {
    choice_of(program, stop).is_some_and(|choice| region(choice, words).iter().any(|w| *w != 0))
}

/// Prepares the trials for a decision. `budget` is what is left of the loop budget; it is restored if nothing
/// is legal.
pub(crate) fn begin(program: &Program, run_state: &mut RunState, stream: Stream, budget: u32) {
    (run_state.trial.budget, run_state.trial.stream) = (budget, stream);
    run_state.trial.left = trials(program);
    run_state.trial.ways = 0;
}

/// Removes the tried candidate, which is not legal, and undoes its trial. Returns `false` if the trials take
/// too long.
#[inline(never)]
pub(crate) fn take_back(
    program: &Program,
    choice: &ChoiceStop,
    words: &mut [u64],
    run_state: &mut RunState,
    budget: u32,
) -> bool {
    let (word, bit) = (run_state.trial.word, run_state.trial.bit);
    let cost = price(program, program.budget - budget);
    if run_state.trial.left <= cost {
        return false;
    }
    run_state.trial.left -= cost;
    put_back(part_of(choice, word, bit), words);
    region(choice, words)[word] &= !(1 << bit);
    run_state.trial.ways = run_state.trial.ways.saturating_sub(1);
    true
}

on_this_processor! {
    /// Draws a candidate, and binds it.
    draw, draw_fast, draw_here,
    (program: &Program, stop: StopRef, words: &mut [u64], streams: &mut Streams, run_state: &mut RunState) -> CandidateTarget
}

#[inline(always)]
fn draw_here<const BMI: bool>(
    program: &Program,
    stop: StopRef,
    words: &mut [u64],
    streams: &mut Streams,
    run_state: &mut RunState,
) -> CandidateTarget {
    let Some(choice) = choice_of(program, stop) else { return CandidateTarget::Exhausted };
    let stream = streams.seat(words[usize::from(choice.me)] as usize);
    let known = match run_state.trial.ways {
        0 => ways_among(choice, region(choice, words)),
        // Only the last candidate was taken out since they were counted.
        ways => Some((run_state.trial.first, ways)),
    };
    let Some((first, n)) = known else {
        // There is no decision, so the draws are undone.
        *stream = run_state.trial.stream;
        return CandidateTarget::Nothing(run_state.trial.budget);
    };
    (run_state.trial.first, run_state.trial.ways) = (first, n);
    let k = if n > 1 { stream.below(n.into()) as u32 } else { 0 };
    let part = &choice.parts[bind_ranked_here::<BMI>(choice, words, run_state, first, k)];
    if part.tried.is_none() {
        run_state.count_option(part.counted);
        return CandidateTarget::Taken(part.body);
    }
    keep(part, words);
    CandidateTarget::Tried(part.body)
}

#[cfg(feature = "compile")]
on_this_processor! {
    /// Binds the candidate of a rank from word `first` of the mask on, and stores it in the trial. Returns
    /// the index of its option.
    bind_ranked, bind_ranked_fast, bind_ranked_here,
    (choice: &ChoiceStop, words: &mut [u64], run_state: &mut RunState, first: usize, k: u32) -> usize
}

#[inline(always)]
fn bind_ranked_here<const BMI: bool>(
    choice: &ChoiceStop,
    words: &mut [u64],
    run_state: &mut RunState,
    first: usize,
    k: u32,
) -> usize {
    let (word, bit) = find_here::<BMI>(region(choice, words), first, k);
    (run_state.trial.word, run_state.trial.bit) = (word, bit);
    bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into());
    number_of(choice, word, bit)
}

fn part_of(choice: &ChoiceStop, word: usize, bit: u32) -> &OptionBits {
    bind(choice, word, bit, |_, _| {})
}

/// Returns the cost of a trial: its loops, and more for long rules.
pub(crate) fn price(program: &Program, loops: u32) -> u32 {
    loops + 1 + (program.code.len() / LENGTH) as u32
}

/// Number of words that are copied at once.
const FEW: usize = 4;

/// From this number of words on, a call copies them sooner than a loop here.
const MANY: usize = 64;

/// Copies words that don't overlap, without a call if they are few.
#[inline(always)]
fn copy(words: &mut [u64], from: u16, to: u16, len: u16) {
    let (from, to, len) = (usize::from(from), usize::from(to), usize::from(len));
    if len >= MANY {
        words.copy_within(from..from + len, to);
        return;
    }
    // These two tests replace tests in the loop.
    assert!(from + len <= words.len() && to + len <= words.len(), "they lie in the frame");
    let mut number = 0;
    while number + FEW <= len {
        let few: [u64; FEW] = *words_at(words, from + number);
        *words_at_mut(words, to + number) = few;
        number += FEW;
    }
    while number < len {
        words[to + number] = words[from + number];
        number += 1;
    }
}

/// Saves what a trial may change.
#[inline]
pub(crate) fn keep(part: &OptionBits, words: &mut [u64]) {
    for saved in part.tried.iter().flatten() {
        copy(words, saved.words.at, saved.to, saved.words.len);
    }
}

/// Restores what a trial may have changed.
#[inline]
pub(crate) fn put_back(part: &OptionBits, words: &mut [u64]) {
    for saved in part.tried.iter().flatten() {
        copy(words, saved.to, saved.words.at, saved.words.len);
    }
}
