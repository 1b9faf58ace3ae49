//! Exact values as data, tests for each kind of fact, by either executor. What a kind means is told in
//! `tests/facts/README.md`.

mod counted;
mod data;
mod play;
mod played;
mod slow;
mod tree;

/// A kind that no test looks at would be a fact that nobody holds.
#[test]
fn every_kind_of_fact_is_tested() {
    let tested = [counted::KINDS, played::KINDS].concat();
    for fact in data::all() {
        assert!(tested.contains(&fact.kind.as_str()), "{} is of kind `{}`", fact.name, fact.kind);
    }
}
