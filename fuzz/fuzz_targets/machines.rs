//! Fuzz target: any bytes as the choices of random rules. Interpreter, compiled code and reference
//! interpreter must play them alike.

#![no_main]

use houserule::loader::{Request, load_text};

#[path = "../../tests/support/agree.rs"]
mod agree;
#[path = "../../tests/support/random_rules/mod.rs"]
mod random_rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = random_rules::rules_from(bytes);
    let loaded = load_text("random.rules", &text, &Request::default());
    let game = loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).game;
    let seed = bytes.len() as u64;
    if let Err(what) = houserule::game::agree(&game, seed, 10) {
        panic!("{what}\n{text}");
    }
    agree::agree(&game, seed, 0, 20);
});
