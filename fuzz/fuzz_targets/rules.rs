//! Fuzz target: any text, from parsing to ten random moves.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/whole_way.rs"]
mod whole_way;

fuzz_target!(|text: &str| {
    whole_way::whole_way(text, text.len() as u64);
});
