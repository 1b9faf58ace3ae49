//! Fuzz target: any bytes as a player's file, and edits of one of a bundled game.

#![no_main]

#[path = "../../tests/support/saved_way.rs"]
mod saved_way;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saved_way::fuzz("players", bytes));
