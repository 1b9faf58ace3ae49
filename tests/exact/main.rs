//! Exact values as data, one test for each kind of fact. What a kind means is told in
//! `tests/facts/README.md`.

mod counted;
mod data;
mod played;
mod tree;

/// A kind that no test looks at would be a fact that nobody holds.
#[test]
fn every_kind_of_fact_is_tested() {
    let tested = [counted::KINDS, played::KINDS].concat();
    for fact in data::all() {
        assert!(tested.contains(&fact.kind.as_str()), "{} is of kind `{}`", fact.name, fact.kind);
    }
}
