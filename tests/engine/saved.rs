//! Changed saved data is rejected or works, and never causes a panic: snapshots, environments, journals,
//! records, sheets and players of bundled games with seeded edits, and inputs that fuzzing has found.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::extent;
use crate::saved_way::{WAYS, edited, way};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// Returns edits as a fuzzer makes them, except that most keep the length and many turn a word into a small
/// number.
fn edits(random: &mut impl Rng, length: usize, words: bool) -> Vec<u8> {
    let mut edits = vec![];
    for _ in 0..random.random_range(1..=3) {
        let at = random.random_range(0..length.min(1 << 16));
        let at = if words { at / 8 * 8 } else { at };
        let value = [
            random.random_range(0..5),
            u64::MAX - random.random_range(0..3),
            random.random_range(0..300),
            random.random(),
        ];
        let word = value.choose(random).unwrap().to_le_bytes();
        let (gone, come) = match (words, random.random_range(0..8)) {
            (true, 1..) => (8, 8),
            (_, 2..) => (1, 1),
            _ => (random.random_range(0..9), random.random_range(0..9)),
        };
        edits.extend((at as u16).to_le_bytes());
        edits.extend([gone as u8, come as u8]);
        match words {
            true => edits.extend(&word[..come]),
            // A byte of text, often one with a syntactic meaning.
            false => edits.extend(
                (0..come).map(|_| b"\"{}[]:,=. \n0123456789abcxyz-+\xff"[random.random_range(0..30)]),
            ),
        }
    }
    edits
}

/// Reads edited data of every game. Some must be rejected and some accepted, or the test would be one-sided.
fn walk(name: &str, words: bool) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut came = [0; 2];
    let way = way(name);
    for saved in &way.saved() {
        let name = &saved.game.identity().name;
        assert!((way.walk)(&saved.game, &saved.bytes), "{name}: nothing was changed");
        for _ in 0..extent::tries(45, 400) {
            let edits = edits(&mut random, saved.bytes.len(), words);
            let changed = edited(&saved.bytes, &edits);
            let walked =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (way.walk)(&saved.game, &changed)));
            came[usize::from(walked.unwrap_or_else(|_| panic!("{name}: {edits:?} brings a panic")))] += 1;
        }
    }
    assert!(came.iter().all(|n| *n > extent::tries(2, 20)), "{came:?}");
}

#[test]
fn changed_snapshots_are_refused_or_go_on() {
    walk("snapshots", true);
}

#[test]
fn changed_environments_are_refused_or_go_on() {
    walk("environments", true);
}

#[test]
fn changed_journals_are_refused_or_go_on() {
    walk("journals", false);
}

#[test]
fn changed_records_are_refused_or_go_on() {
    walk("records", false);
}

#[test]
fn changed_sheets_are_refused_or_go_on() {
    walk("sheets", false);
}

#[test]
fn changed_players_are_refused_or_play() {
    walk("players", false);
}

/// Replays inputs that the fuzz targets have found, from one folder per target.
#[test]
fn what_fuzzing_found_stays_mended() {
    for way in WAYS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzed/saved").join(way.name);
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        let saved = way.saved();
        for entry in entries {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let Some((first, edits)) = bytes.split_first() else { continue };
            let of = &saved[usize::from(*first) % saved.len()];
            (way.walk)(&of.game, &edited(&of.bytes, edits));
        }
    }
}
