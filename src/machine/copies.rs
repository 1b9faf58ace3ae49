//! Draws among counted copies in the executor's words: a set of kinds, and a number for each.

/// Returns the kinds in `set` of which there are copies, each with the number of its copies.
pub fn kinds<'w>(words: &'w [u64], by: u16, set: &'w [u64]) -> impl Iterator<Item = (u32, u64)> + 'w {
    let all = (0..set.len() as u32 * 64).filter(|kind| set[*kind as usize / 64] >> (kind % 64) & 1 == 1);
    all.filter_map(move |kind| {
        let copies = *words.get(usize::from(by) + kind as usize)? as i64;
        (copies > 0).then_some((kind, copies as u64))
    })
}

/// Returns the number of copies of the kinds in `set`.
pub fn copies(words: &[u64], by: u16, set: &[u64]) -> u64 {
    kinds(words, by, set).map(|(_, copies)| copies).sum()
}

/// Returns the number of copies, or `None` if at most one kind has any: then there is nothing to draw.
#[inline(never)]
pub(crate) fn several(words: &[u64], by: u16, set: &[u64]) -> Option<u64> {
    (kinds(words, by, set).count() > 1).then(|| copies(words, by, set))
}

/// Returns the kind of a copy by its index; the copies of a kind are adjacent.
#[inline(never)]
pub fn kind_of(words: &[u64], by: u16, set: &[u64], copy: u64) -> Option<u32> {
    let mut before = 0;
    let mut all = kinds(words, by, set);
    let found = all.find(|(_, copies)| {
        before += copies;
        copy < before
    });
    found.map(|(kind, _)| kind)
}
