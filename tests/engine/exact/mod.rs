//! Exact values as data, with tests for each kind of fact in both executors. `tests/facts/README.md` explains
//! the kinds.

mod counted;
mod data;
mod play;
mod played;
mod shares;
mod size;
mod slow;
mod tree;

/// Without a test for its kind, a fact would be unchecked.
#[test]
fn every_kind_of_fact_is_tested() {
    let tested = [counted::KINDS, played::KINDS].concat();
    for fact in data::all() {
        assert!(tested.contains(&fact.kind.as_str()), "{} is of kind `{}`", fact.name, fact.kind);
    }
}
