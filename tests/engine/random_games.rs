//! Random rule files go through everything: the executors play them alike, and what is written, drawn, saved, read and
//! measured of them agrees. The parts are in `tests/support/attack`.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::attack::{Seen, attack, look};
use crate::extent;
use crate::random_rules::rules;
use houserule::program::Instruction;

/// Number of rule files. `HOUSERULE_RULES` overrides it, by a number or by some seeds: `17..18`.
const FILES: (u64, u64) = (75, 10_000);

/// Number of rule files that have every instruction, and games that fail in every way. If the files before don't, the others are
/// loaded and played, without comparing anything.
const LOOKED_AT: u64 = 300;

/// Number of threads that share the files.
const THREADS: u64 = 2;

/// Maximum number of seeds that a failing test names.
const NAMED: usize = 50;

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

/// Parts of the attack, each of which has something to compare in some file.
const PARTS: [&str; 14] = [
    "batches",
    "differences",
    "environments",
    "games of matches",
    "other params",
    "playouts",
    "records",
    "records of finished games",
    "reports",
    "snapshots",
    "variants",
    "whole games",
    "worlds",
    "worlds without a history",
];

/// Returns the seeds of the rule files.
fn seeds() -> std::ops::Range<u64> {
    let usual = 0..extent::tries(FILES.0, FILES.1);
    let Ok(given) = std::env::var("HOUSERULE_RULES") else { return usual };
    let read = |text: &str| text.parse().unwrap_or_else(|_| panic!("HOUSERULE_RULES isn't a number: {text}"));
    match given.split_once("..") {
        Some((first, end)) => read(first)..read(end),
        None => 0..read(&given),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked")
}

/// Returns those that weren't seen.
fn missing<'a>(all: &[&'a str], seen: &BTreeSet<&'a str>) -> Vec<&'a str> {
    all.iter().copied().filter(|one| !seen.contains(one)).collect()
}

/// Sends every `THREADS`th file through the attack. Returns what came up, and the seeds that failed with their messages.
fn share(seeds: impl Iterator<Item = u64>) -> (Seen, Vec<(u64, String)>) {
    let (mut seen, mut failed) = (Seen::default(), vec![]);
    for seed in seeds {
        let file = rules(seed);
        if let Err(what) = catch_unwind(AssertUnwindSafe(|| attack(&file, seed, &mut seen))) {
            failed.push((seed, message(&*what).to_owned()));
        }
    }
    (seen, failed)
}

#[test]
fn random_rules_go_through_everything() {
    let seeds = seeds();
    let (mut seen, mut failed) = (Seen::default(), vec![]);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let seeds = seeds.clone().skip(thread as usize).step_by(THREADS as usize);
                scope.spawn(move || share(seeds))
            })
            .collect();
        for thread in threads {
            let (of, wrong) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            seen.add(of);
            failed.extend(wrong);
        }
    });
    failed.sort();
    if let Some((seed, what)) = failed.first() {
        for (seed, what) in failed.iter().take(NAMED) {
            eprintln!("seed {seed}: {}", what.lines().next().unwrap_or_default());
        }
        let file = rules(*seed);
        panic!("{} seeds fail, first seed {seed}: {what}\n{}{}", failed.len(), file.game, file.variant);
    }
    if seeds.end - seeds.start < FILES.0 {
        return;
    }
    let mut others = seeds.end..LOOKED_AT;
    loop {
        let instructions = missing(Instruction::NAMES, &seen.instructions);
        let faults = missing(&FAULTS, &seen.faults);
        if instructions.is_empty() && faults.is_empty() {
            break;
        }
        let Some(seed) = others.next() else {
            panic!("no file has {instructions:?}, and no game fails by {faults:?}");
        };
        look(&rules(seed), seed, &mut seen);
    }
    let missing: Vec<&&str> = PARTS.iter().filter(|part| !seen.parts.contains_key(*part)).collect();
    assert!(missing.is_empty(), "nothing was compared in {missing:?}, but {:?}", seen.parts);
}
