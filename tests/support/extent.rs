//! How much a test tries, also of the bundled files.
#![allow(dead_code, unused_imports)]

#[path = "sizes.rs"]
mod sizes;

pub(crate) use sizes::{everything, some_of, tries};

/// Returns the names of bundled rule files that are tried: see [`some_of`].
pub(crate) fn bundled(test: &str, parts: usize) -> impl Iterator<Item = &'static str> {
    some_of(test, parts, houserule::bundled::names())
}
