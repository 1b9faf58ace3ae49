//! Calls of scripts from a running program. Depends on programs; independent of the rule language and of the
//! script language.

use crate::program::{HookRef, Numbers, Program, StopKind, StopRef};
use crate::run_state::RunState;
use houserule_base::rng::Streams;
use houserule_model::{CallError, HookCall, ScriptError};

/// Cost of a call, in loop iterations.
pub(crate) const COST: u32 = 100;

/// Returns `true` if a hook only records what a seat sees.
fn watches(program: &Program, hook: HookRef) -> bool {
    program.free_hook == Some(hook.0)
}

/// Returns the cost of calling a hook without chance events.
#[cold]
#[inline(never)]
pub(crate) fn cost(program: &Program, hook: HookRef) -> u32 {
    if watches(program, hook) { 0 } else { COST }
}

/// The result of calling a hook that may have chance events.
pub(crate) enum HookResult {
    /// The value that the hook returned.
    Value(i64),
    /// A chance event must be resolved first.
    NeedsOutcome,
    /// The call failed; [`RunState::mistake`] is the error.
    Failed,
}

/// Calls a hook without chance events. Returns `None` if it failed; [`RunState::mistake`] is then the error.
#[cold]
#[inline(never)]
pub(crate) fn call(
    program: &Program,
    words: &mut [u64],
    run_state: &mut RunState,
    hook: HookRef,
    args: Numbers,
    me: i64,
) -> Option<i64> {
    // What was seen in a trial would be taken back with it.
    if run_state.tries && watches(program, hook) {
        return Some(0);
    }
    match ask(program, words, hook, args, me, &mut |_| None) {
        Ok(said) => Some(said),
        Err(failure) => {
            run_state.mistake = Some(mistake(failure));
            None
        }
    }
}

/// Calls a hook that may have chance events. With `draws`, their outcomes are drawn at once. Otherwise the
/// call is abandoned at an event whose outcome is not known, and repeated once it is.
#[cold]
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "it is a part of the loop")]
pub(crate) fn call_drawing(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    run_state: &mut RunState,
    hook: HookRef,
    args: Numbers,
    me: i64,
    stop: StopRef,
    draws: bool,
) -> HookResult {
    let StopKind::Draw { at } = program.stops[usize::from(stop.0)].kind else { return HookResult::Failed };
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
    if said == Err(CallError::Waits) {
        words[at + 1] = wanted;
        return HookResult::NeedsOutcome;
    }
    // Equal positions must be equal states, however they arose.
    words[at..at + 2 + known.len()].fill(0);
    match said {
        Ok(said) => HookResult::Value(said),
        Err(failure) => {
            run_state.mistake = Some(mistake(failure));
            HookResult::Failed
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
) -> Result<i64, CallError> {
    let Some(scripts) = &program.scripts else { return Err(CallError::none()) };
    let (live, rest) = words.split_at_mut(usize::from(program.places.end));
    let args = &rest[usize::from(args.at - program.places.end)..][..usize::from(args.len)];
    let (hook, me, places) = (hook.0.into(), me as u32, &program.places);
    let call = HookCall { hook, args, me, places, words: live, hidden: &[], draw };
    scripts.call(call)
}

fn mistake(failure: CallError) -> Box<ScriptError> {
    match failure {
        CallError::Wrong(mistake) => mistake,
        CallError::Waits => Box::new(ScriptError::unforeseen()),
    }
}
