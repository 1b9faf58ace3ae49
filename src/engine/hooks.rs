//! Calls of scripts while a program runs. Knows programs, not the language, and nothing of what a script is.

use super::tally::Tally;
use crate::hook::{Call, Failure, Mistake};
use crate::program::{HookRef, Numbers, Program, SiteKind, SiteRef};
use crate::rng::Streams;

/// What a call costs, in turns of loops.
pub(super) const COST: u32 = 100;

/// What a call of a hook that leaves nothing to chance costs.
#[cold]
#[inline(never)]
pub(super) fn cost(program: &Program, hook: HookRef) -> u32 {
    if program.free_hook == Some(hook.0) { 0 } else { COST }
}

/// What came of a call that may leave something to chance.
pub(super) enum Drawing {
    /// This was said.
    Said(i64),
    /// Something has to come out first.
    Waits,
    /// The tally says what went wrong.
    Failed,
}

/// Calls a hook that leaves nothing to chance. None if it failed: the tally says why.
#[cold]
#[inline(never)]
pub(super) fn call(
    program: &Program,
    words: &mut [u64],
    tally: &mut Tally,
    hook: HookRef,
    args: Numbers,
    me: i64,
) -> Option<i64> {
    match ask(program, words, hook, args, me, &mut |_| None) {
        Ok(said) => Some(said),
        Err(failure) => {
            tally.mistake = Some(mistake(failure));
            None
        }
    }
}

/// Calls a hook that may leave something to chance. Where chance is drawn, it is drawn on the spot; else the
/// call is given up until what it waits for has come out, and then made anew.
#[cold]
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "it is a part of the loop")]
pub(super) fn call_drawing(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    hook: HookRef,
    args: Numbers,
    me: i64,
    site: SiteRef,
    draws: bool,
) -> Drawing {
    let SiteKind::Draw { at } = program.sites[usize::from(site.0)].kind else { return Drawing::Failed };
    let at = usize::from(at);
    let known: Vec<u64> = words[at + 2..].iter().copied().take(words[at] as usize).collect();
    let (mut next, mut wanted) = (0, 0);
    let mut draw = |outcomes: u64| {
        let outcome = match known.get(next) {
            Some(outcome) => *outcome,
            None if draws => streams.chance.below(outcomes),
            None => {
                wanted = outcomes;
                return None;
            }
        };
        next += 1;
        Some(outcome)
    };
    let said = ask(program, words, hook, args, me, &mut draw);
    if said == Err(Failure::Waits) {
        words[at + 1] = wanted;
        return Drawing::Waits;
    }
    // Equal positions are equal states, however they came about.
    words[at..at + 2 + known.len()].fill(0);
    match said {
        Ok(said) => Drawing::Said(said),
        Err(failure) => {
            tally.mistake = Some(mistake(failure));
            Drawing::Failed
        }
    }
}

fn ask(
    program: &Program,
    words: &mut [u64],
    hook: HookRef,
    args: Numbers,
    me: i64,
    draw: &mut dyn FnMut(u64) -> Option<u64>,
) -> Result<i64, Failure> {
    let Some(scripts) = &program.scripts else { return Err(Failure::none()) };
    let (live, rest) = words.split_at_mut(usize::from(program.places.end));
    let args = &rest[usize::from(args.at - program.places.end)..][..usize::from(args.len)];
    let (hook, me, places) = (hook.0.into(), me as u32, &program.places);
    let call = Call { hook, args, me, places, words: live, hidden: &[], draw };
    scripts.call(call)
}

fn mistake(failure: Failure) -> Box<Mistake> {
    match failure {
        Failure::Wrong(mistake) => mistake,
        Failure::Waits => Box::new(Mistake::unforeseen()),
    }
}
