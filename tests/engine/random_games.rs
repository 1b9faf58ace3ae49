//! Differential test on random rule files: interpreter, compiled code and reference interpreter play them
//! alike.

use std::collections::BTreeSet;

use crate::agree::agree;
use crate::random_rules::rules;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::game::{Game, RuntimeError, RuntimeErrorKind};
use houserule::loader::{Request, load_text};
use houserule::program::Instruction;

/// Number of rule files. `HOUSERULE_RULES` overrides it.
const FILES: u64 = 150;

/// Number of games of each file for the interpreter and compiled code.
const GAMES: u64 = 12;

/// Number of games of each file for the reference interpreter, and maximum number of questions per game.
const WATCHED: (u64, u32) = (2, 25);

/// Number of threads that share the files.
const THREADS: u64 = 2;

/// Errors that random rules may cause. One is a `none` where an element is needed, since dice show nothing
/// before the first roll.
const FAULTS: [&str; 8] = [
    "out of range",
    "overflow",
    "division by zero",
    "index is none",
    "value is none",
    "budget",
    "limit",
    "payoff sum",
];

/// The instructions in the programs of some files, and the errors of their games.
#[derive(Default)]
struct Seen {
    instructions: BTreeSet<&'static str>,
    faults: BTreeSet<&'static str>,
}

fn game(seed: u64) -> Game {
    let text = rules(seed);
    let loaded = load_text("random.rules", &text, &Request::default());
    loaded.unwrap_or_else(|error| panic!("the rules of seed {seed} don't load: {error}\n{text}")).game
}

fn fault(error: &RuntimeError) -> &'static str {
    match error.kind {
        RuntimeErrorKind::OutOfRange { .. } => "out of range",
        RuntimeErrorKind::Overflow | RuntimeErrorKind::ScoreOverflow { .. } => "overflow",
        RuntimeErrorKind::DivisionByZero => "division by zero",
        RuntimeErrorKind::NoneIndex => "index is none",
        RuntimeErrorKind::NoneValue => "value is none",
        RuntimeErrorKind::Budget => "budget",
        RuntimeErrorKind::Limit { .. } => "limit",
        RuntimeErrorKind::PayoffSum { .. } => "payoff sum",
        _ => "another",
    }
}

fn play(seed: u64, seen: &mut Seen) {
    let game = game(seed);
    seen.instructions.extend(game.program().code.iter().map(Instruction::name));
    if let Err(what) = houserule::game::agree(&game, seed, GAMES) {
        panic!("seed {seed}: {what}\n{}", rules(seed));
    }
    let mut failed = |_, error: RuntimeError| {
        seen.faults.insert(fault(&error));
    };
    play_random(&game, seed, 0..20, &mut UsageCounts::default(), &mut |_| (), &mut failed);
    let (games, questions) = WATCHED;
    for index in 0..games {
        let watched = std::panic::AssertUnwindSafe(|| agree(&game, seed, index, questions));
        // Print the rule text of a failing comparison.
        if let Err(what) = std::panic::catch_unwind(watched) {
            panic!("seed {seed}, game {index}: {}\n{}", message(&*what), rules(seed));
        }
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked")
}

#[test]
fn interpreter_compiled_code_and_oracle_agree_on_random_rules() {
    let files = std::env::var("HOUSERULE_RULES").ok().and_then(|n| n.parse().ok()).unwrap_or(FILES);
    let share = |thread: u64| {
        let mut seen = Seen::default();
        (thread..files).step_by(THREADS as usize).for_each(|seed| play(seed, &mut seen));
        seen
    };
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || share(thread))).collect();
        for thread in threads {
            let of = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            seen.instructions.extend(of.instructions);
            seen.faults.extend(of.faults);
        }
    });
    if files < FILES {
        return;
    }
    let missing: Vec<&&str> =
        Instruction::NAMES.iter().filter(|name| !seen.instructions.contains(*name)).collect();
    assert!(missing.is_empty(), "no file has {missing:?}");
    let missing: Vec<&&str> = FAULTS.iter().filter(|fault| !seen.faults.contains(*fault)).collect();
    assert!(missing.is_empty(), "no game fails by {missing:?}");
}
