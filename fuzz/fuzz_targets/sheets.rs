//! Any bytes as a sheet, and any edits of one of a bundled game.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use saved_way::Saved;

#[path = "../../tests/support/saved_way.rs"]
mod saved_way;

static SAVED: LazyLock<Vec<Saved>> = LazyLock::new(saved_way::all);

fuzz_target!(|bytes: &[u8]| {
    let Some((first, edits)) = bytes.split_first() else { return };
    let saved = &SAVED[usize::from(*first) % SAVED.len()];
    saved_way::sheet_way(&saved.game, &String::from_utf8_lossy(edits));
    saved_way::sheet_way(&saved.game, &String::from_utf8_lossy(&saved_way::edited(&saved.sheet, edits)));
});
