//! Fuzz target: any bytes as the choices of random rules, which go through everything: the executors play them alike, and
//! what is written, drawn, saved and read of them agrees.

#![no_main]

#[path = "../../tests/support/agree.rs"]
mod agree;
#[path = "../../tests/support/attack/mod.rs"]
mod attack;
#[path = "../../tests/support/random_rules/mod.rs"]
mod random_rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let rules = random_rules::rules_from(bytes);
    let attacked = || attack::attack(&rules, bytes.len() as u64, &mut attack::Seen::default());
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(attacked)).is_err() {
        panic!("in the rules\n{}{}", rules.game, rules.variant);
    }
});
