//! What was saved and then changed is refused or goes on, and never brings a panic: snapshots, environments,
//! journals, records and sheets of bundled games with seeded edits, and those that fuzzing has found.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use houserule::engine::Game;

use crate::rule_files::Seeded;
use crate::saved_way::{
    Saved, all, edited, environment_way, journal_way, record_way, sheet_way, snapshot_way,
};

/// Edits as a fuzzer makes them, but that most keep the length and many make a small number of a word.
fn edits(random: &mut Seeded, length: usize, words: bool) -> Vec<u8> {
    let mut edits = vec![];
    for _ in 0..1 + random.below(3) {
        let at = random.below(length.min(1 << 16));
        let at = if words { at / 8 * 8 } else { at };
        let value = [random.next() % 5, u64::MAX - random.next() % 3, random.next() % 300, random.next()];
        let word = value[random.below(4)].to_le_bytes();
        let (gone, come) = match (words, random.below(8)) {
            (true, 1..) => (8, 8),
            (_, 2..) => (1, 1),
            _ => (random.below(9), random.below(9)),
        };
        edits.extend((at as u16).to_le_bytes());
        edits.extend([gone as u8, come as u8]);
        match words {
            true => edits.extend(&word[..come]),
            // A byte of text, often one that means something.
            false => {
                edits.extend((0..come).map(|_| b"\"{}[]:,=. \n0123456789abcxyz-+\xff"[random.below(30)]))
            }
        }
    }
    edits
}

/// Walks a way with edits of every game's, and says how many were still what they had been.
fn walk(words: bool, part: fn(&Saved) -> &Vec<u8>, way: impl Fn(&Game, &[u8]) -> bool) -> [usize; 2] {
    let mut random = Seeded(6);
    let mut came = [0; 2];
    for saved in &all() {
        assert!(way(&saved.game, part(saved)), "{}: nothing was changed", saved.game.identity().name);
        for _ in 0..400 {
            let edits = edits(&mut random, part(saved).len(), words);
            let changed = edited(part(saved), &edits);
            let walked =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| way(&saved.game, &changed)));
            let name = &saved.game.identity().name;
            came[usize::from(walked.unwrap_or_else(|_| panic!("{name}: {edits:?} brings a panic")))] += 1;
        }
    }
    came
}

/// Some are refused and some go on, or the way would not be whole.
fn both(came: [usize; 2]) {
    assert!(came.iter().all(|n| *n > 20), "{came:?}");
}

#[test]
fn changed_snapshots_are_refused_or_go_on() {
    both(walk(true, |saved| &saved.snapshot, snapshot_way));
}

#[test]
fn changed_environments_are_refused_or_go_on() {
    both(walk(true, |saved| &saved.environment, environment_way));
}

#[test]
fn changed_journals_are_refused_or_go_on() {
    both(walk(
        false,
        |saved| &saved.journal,
        |game, bytes| journal_way(game, &String::from_utf8_lossy(bytes)),
    ));
}

#[test]
fn changed_records_are_refused_or_go_on() {
    both(walk(false, |saved| &saved.record, |game, bytes| record_way(game, &String::from_utf8_lossy(bytes))));
}

#[test]
fn changed_sheets_are_refused_or_go_on() {
    both(walk(false, |saved| &saved.sheet, |game, bytes| sheet_way(game, &String::from_utf8_lossy(bytes))));
}

/// Inputs of the fuzz targets, in a folder for each.
#[test]
fn what_fuzzing_found_stays_mended() {
    let saved = all();
    for folder in ["snapshots", "environments", "journals", "records", "sheets"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzed/saved").join(folder);
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        for entry in entries {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let Some((first, edits)) = bytes.split_first() else { continue };
            let of = &saved[usize::from(*first) % saved.len()];
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            match folder {
                "snapshots" => snapshot_way(&of.game, &edited(&of.snapshot, edits)),
                "environments" => environment_way(&of.game, &edited(&of.environment, edits)),
                "journals" => journal_way(&of.game, &text(&edited(&of.journal, edits))),
                "records" => record_way(&of.game, &text(&edited(&of.record, edits))),
                _ => sheet_way(&of.game, &text(&edited(&of.sheet, edits))),
            };
        }
    }
}
