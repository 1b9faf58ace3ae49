//! How much a test tries: in `./test` a part, in `./test --all` everything. Both try the same kind of things, so that
//! what is wrong everywhere fails in both.
#![allow(dead_code)]

/// `./test --all` sets `HOUSERULE_TESTS=all`.
pub(crate) fn everything() -> bool {
    std::env::var_os("HOUSERULE_TESTS").is_some_and(|extent| extent == "all")
}

/// Returns how many of something are tried: `few` in `./test`, `all` in `./test --all`.
pub(crate) fn tries<N>(few: N, all: N) -> N {
    if everything() { all } else { few }
}

/// Returns the items that are tried: all in `./test --all`, otherwise one of `parts`. The name of the test decides which, so
/// that tests differ in what they try, and each tries the same in every run.
pub(crate) fn some_of<'a, T: 'a>(
    test: &str,
    parts: usize,
    items: impl IntoIterator<Item = T> + 'a,
) -> impl Iterator<Item = T> + 'a {
    let hash = test
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let parts = tries(parts, 1);
    items.into_iter().skip((hash % parts as u64) as usize).step_by(parts)
}
