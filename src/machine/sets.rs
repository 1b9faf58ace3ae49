//! Functions of sets, and tests with caches.
//!
//! Caches hold facts about sets alone: a set that has no line, or what can be reached from given sites. These
//! are true in every game and state, so caches stay valid if a state is copied, restored or restarted. They
//! lie after the temporaries of the frame. Zeros stand for facts about the empty set.

use super::effects::any_line;
use super::enclosure::{self, EnclosedOperands};
use super::flood::{flood, neighbours};
use super::line_lists::for_each_run;
use super::processor::on_this_processor;
use crate::program::{Directions, LineList, LineTable, Program, SetFunction, Sets, Size, Small, Test};
use houserule_model::board::kernel::{self, GridStrides, LANES, Words, words_at, words_at_mut};

on_this_processor! {
    /// Applies a function to two sets.
    apply [W], apply_fast, two, (program: &Program, f: &SetFunction, a: &Words<W>, b: &Words<W>) -> Words<W>
}
on_this_processor! {
    /// Applies a function to three sets.
    apply_three [W], apply_three_fast, three,
    (program: &Program, f: &SetFunction, a: &Words<W>, b: &Words<W>, c: &Words<W>) -> Words<W>
}
on_this_processor! {
    /// Returns `true` if a set of a family in the frame has a run of at least the tested length.
    has_line [W], has_line_fast, line_remembered,
    (program: &Program, lines: &LineTable, words: &mut [u64], from: Sets, index: usize) -> bool
}
on_this_processor! {
    /// Returns the elements whose numbers pass a test against `k`: `size` numbers with a stride, from word `first` on.
    elements_where [W], elements_where_fast, passing,
    (words: &[u64], first: usize, stride: Small, size: Size, test: Test, k: i64) -> Words<W>
}
on_this_processor! {
    /// Returns what can be reached from `a` through `b`, with the cache of player `me`.
    reach [W], reach_fast, reach_remembered,
    (program: &Program, f: &SetFunction, words: &mut [u64], a: &Words<W>, b: &Words<W>, me: usize) -> Words<W>
}

on_this_processor! {
    /// Writes to the frame the regions that walls enclose beside a site. Returns `true` if there are any.
    enclosed [W], enclosed_fast, shut_off, (program: &Program, f: &SetFunction, words: &mut [u64], asked: EnclosedOperands) -> bool
}

#[inline(always)]
fn passing<const W: usize, const BMI: bool>(
    words: &[u64],
    first: usize,
    stride: Small,
    size: Size,
    test: Test,
    k: i64,
) -> Words<W> {
    let mut found = kernel::none::<W>();
    let (stride, size) = (usize::from(stride.0.unsigned_abs()).max(1), usize::from(size.0).min(64 * W));
    let Some(last) = size.checked_sub(1).map(|last| first + last * stride) else { return found };
    // The results are shifted in, without branches.
    let numbers = words[first..=last].iter().step_by(stride).map(|word| *word as i64).enumerate();
    match test {
        Test::Less => numbers.for_each(|(e, n)| found[e / 64] |= u64::from(n < k) << (e % 64)),
        Test::GreaterEqual => numbers.for_each(|(e, n)| found[e / 64] |= u64::from(n >= k) << (e % 64)),
        Test::Equal => numbers.for_each(|(e, n)| found[e / 64] |= u64::from(n == k) << (e % 64)),
        Test::NotEqual => numbers.for_each(|(e, n)| found[e / 64] |= u64::from(n != k) << (e % 64)),
    }
    found
}

#[inline(always)]
fn shut_off<const W: usize, const BMI: bool>(
    program: &Program,
    f: &SetFunction,
    words: &mut [u64],
    asked: EnclosedOperands,
) -> bool {
    let SetFunction::Enclosed(of) = f else { return false };
    enclosure::enclosed_beside::<W>(program, of, words, asked)
}

/// Tests for a line, with a cached set that has none. The sites missing from that set decide: if there are
/// none, there is no line; if there is one, a line must go through it.
#[inline(always)]
fn line_remembered<const W: usize, const BMI: bool>(
    program: &Program,
    lines: &LineTable,
    words: &mut [u64],
    from: Sets,
    index: usize,
) -> bool {
    let first = usize::from(from.at) + index * W;
    let Some(memory) = lines.memory else { return any_line::<W>(program, lines, words_at(words, first)) };
    let memory = usize::from(memory) + index * W;
    let (own, known) = (words_at::<W>(words, first), words_at::<W>(words, memory));
    // The number of words with new sites, the last of these words, and the new sites.
    let (mut some, mut word, mut fresh) = (0, 0, 0);
    for i in 0..W {
        let more = alone(&own[i]) & !known[i];
        some += u32::from(more != 0);
        word = if more != 0 { i } else { word };
        fresh |= more;
    }
    if some == 0 {
        return false;
    }
    let found = if some == 1 && fresh & (fresh - 1) == 0 {
        through::<W, BMI>(lines, own, word * 64 + fresh.trailing_zeros() as usize)
    } else {
        any_line::<W>(program, lines, words_at(words, first))
    };
    if !found {
        for i in 0..W {
            words[memory + i] = alone(&words[first + i]);
        }
    }
    found
}

/// Reads a word with a load of its own: one has just been written, and a wider load would wait for it.
#[inline(always)]
fn alone(word: &u64) -> u64 {
    // SAFETY: a pointer from a reference is valid for reads and aligned.
    unsafe { std::ptr::from_ref(word).read_volatile() }
}

/// Returns `true` if a set has a run of at least the tested length through one of its sites. Only for lines with
/// [`LineTable::limits`].
#[inline(always)]
pub(crate) fn through<const W: usize, const BMI: bool>(
    lines: &LineTable,
    set: &Words<W>,
    site: usize,
) -> bool {
    if BMI && !lines.windows.is_empty() {
        // Unrolled for the usual lengths.
        return match lines.length {
            3 => line_in_windows::<W, BMI>(lines, set, site, 3),
            4 => line_in_windows::<W, BMI>(lines, set, site, 4),
            5 => line_in_windows::<W, BMI>(lines, set, site, 5),
            length => line_in_windows::<W, BMI>(lines, set, site, length),
        };
    }
    let limits = &lines.limits[site];
    let has = |site: usize| set[site / 64 % W] >> (site % 64) & 1 == 1;
    for lane in 0..LANES {
        let stride = lines.strides[lane] as usize;
        let mut length = 1;
        let mut at = site;
        for _ in 0..limits[lane] {
            at += stride;
            if !has(at) {
                break;
            }
            length += 1;
        }
        at = site;
        for _ in 0..limits[LANES + lane] {
            at -= stride;
            if !has(at) {
                break;
            }
            length += 1;
        }
        if length >= lines.length {
            return true;
        }
    }
    false
}

/// Like [`through`], but without branches, for lines with [`LineTable::windows`]: the windows of all strides
/// lie side by side in one word.
#[inline(always)]
fn line_in_windows<const W: usize, const BMI: bool>(
    lines: &LineTable,
    set: &Words<W>,
    site: usize,
    length: u32,
) -> bool {
    let (at, bit) = (site / 64 % W, site % 64);
    let (before, after) = (if at > 0 { set[at - 1] } else { 0 }, if at + 1 < W { set[at + 1] } else { 0 });
    // The 64 sites before this one, and the 64 after it.
    let below = before >> bit | set[at] << 1 << (63 - bit);
    let above = set[at] >> 1 >> bit | after << (63 - bit);
    let (mut windows, mut centres) = (0u64, 0u64);
    for lane in (0..LANES).rev() {
        let (below, above) = (
            kernel::gather::<BMI>(below, lines.below[lane]),
            kernel::gather::<BMI>(above, lines.above[lane]),
        );
        windows = windows << (2 * length) | below | above << length;
        centres = centres << (2 * length) | 1 << (length - 1);
    }
    let mut runs = windows & lines.windows[site] | centres;
    let mut have = 1;
    while have < length {
        let more = have.min(length - have);
        runs &= runs >> more;
        have += more;
    }
    runs != 0
}

/// Flood fill with a cache of its last start, region and result. If start and region have only grown since,
/// the result grows from the cached one.
#[inline(always)]
pub(crate) fn reach_remembered<const W: usize, const BMI: bool>(
    program: &Program,
    f: &SetFunction,
    words: &mut [u64],
    a: &Words<W>,
    b: &Words<W>,
    me: usize,
) -> Words<W> {
    if let SetFunction::Enclosed(of) = f {
        return enclosure::enclosed::<W>(program, of, words, a, b, me);
    }
    let (table, moves, memory) = match f {
        SetFunction::Reach { table, moves, memory: Some(memory), .. }
            if me < usize::from(program.players) =>
        {
            (table, moves, memory)
        }
        _ => return two::<W, BMI>(program, f, a, b),
    };
    let memory = usize::from(*memory) + me * 3 * W;
    let (seed, within) = (words_at::<W>(words, memory), words_at::<W>(words, memory + W));
    let known = *words_at::<W>(words, memory + 2 * W);
    let lost = kernel::or(&kernel::minus(seed, a), &kernel::minus(within, b));
    let mut fresh = kernel::and(a, b);
    let reached = if kernel::is_empty(&lost) {
        fresh = kernel::minus(&fresh, &known);
        let rows = program.set_tables[usize::from(*table)];
        kernel::for_each(&kernel::minus(b, within), |site| {
            let row = (rows.first as usize + (i64::from(site) - rows.low) as usize) * W;
            if !kernel::is_empty(&kernel::and(words_at(&program.sets, row), &known)) {
                fresh[site as usize / 64 % W] |= 1 << (site % 64);
            }
        });
        flood(program, *table, None, kernel::or(&known, &fresh), fresh, b)
    } else {
        flood(program, *table, moves.as_ref(), fresh, fresh, b)
    };
    *words_at_mut(words, memory) = *a;
    *words_at_mut(words, memory + W) = *b;
    *words_at_mut(words, memory + 2 * W) = reached;
    reached
}

/// Applies a function to two sets.
#[inline(always)]
pub(crate) fn two<const W: usize, const BMI: bool>(
    program: &Program,
    f: &SetFunction,
    a: &Words<W>,
    b: &Words<W>,
) -> Words<W> {
    match f {
        SetFunction::UnionOfRows { table, moves } => neighbours(program, *table, moves.as_ref(), a),
        SetFunction::Reach { rows: Some((grid, orthogonal)), .. } => {
            houserule_model::board::enclosure::reach::<W>(*grid, *orthogonal, a, b)
        }
        SetFunction::Reach { table, moves, .. } => {
            let seed = kernel::and(a, b);
            flood(program, *table, moves.as_ref(), seed, seed, b)
        }
        SetFunction::Slide { table } => slide(program, *table, a, b),
        SetFunction::Rows { grid } => {
            let mut rows = kernel::none::<W>();
            kernel::for_each(a, |site| {
                let row = site / grid.width;
                rows[row as usize / 64] |= 1 << (row % 64);
            });
            rows
        }
        SetFunction::Flanks(of) => kernel::flanks(&steps::<W>(program, of), a, b),
        SetFunction::Enclosed(of) => enclosure::enclosed_uncached::<W>(program, of, a, b),
        SetFunction::Fill(of) => enclosure::fill::<W>(program, of, a),
        SetFunction::Runs { .. }
        | SetFunction::ReachBy { .. }
        | SetFunction::Custodial(_)
        | SetFunction::CustodialLists { .. } => *a,
    }
}

/// Applies a function to three sets.
#[inline(always)]
fn three<const W: usize, const BMI: bool>(
    program: &Program,
    f: &SetFunction,
    a: &Words<W>,
    b: &Words<W>,
    c: &Words<W>,
) -> Words<W> {
    match f {
        SetFunction::Custodial(of) => kernel::custodial(&steps::<W>(program, of), a, b, c),
        SetFunction::ReachBy { steps, joined } => reach_by(steps, *joined, [a, b, c]),
        SetFunction::CustodialLists { lines } => {
            custodial_lists(&program.lines[usize::from(*lines)].lists, a, b, c)
        }
        _ => *a,
    }
}

#[inline(always)]
fn steps<'p, const W: usize>(program: &'p Program, of: &Directions) -> GridStrides<'p> {
    let first = of.masks as usize * W;
    let (up, down) = program.sets[first..first + 2 * LANES * W].split_at(LANES * W);
    GridStrides { strides: of.strides, up, down, doublings: of.doublings }
}

fn custodial_lists<const W: usize>(
    lines: &[LineList],
    from: &Words<W>,
    to: &Words<W>,
    through: &Words<W>,
) -> Words<W> {
    let mut found = kernel::none::<W>();
    for line in lines {
        let (sites, n) = (&line.sites, line.sites.len());
        for at in (0..n).filter(|at| has(from, sites[*at])) {
            for (forward, most) in [(true, n - 1 - at), (false, at)] {
                let most = if line.cyclic { n - 1 } else { most };
                let site = |k: usize| sites[if forward { at + k } else { at + n - k } % n];
                let mut held = 0;
                for k in 1..=most {
                    if has(to, site(k)) {
                        held = k;
                    }
                    if !has(through, site(k)) {
                        break;
                    }
                }
                for k in 1..held {
                    found[usize::from(site(k)) / 64 % W] |= 1 << (site(k) % 64);
                }
            }
        }
    }
    found
}

/// Returns the only site of a table's row, or -1 if there is none.
fn next<const W: usize>(program: &Program, table: u16, site: u32) -> i64 {
    let rows = program.set_tables[usize::from(table)];
    let row = (rows.first as usize + (i64::from(site) - rows.low) as usize) * W;
    match program.sets[row..].first_chunk::<W>() {
        Some(row) => kernel::first(row),
        None => -1,
    }
}

/// Flood fill from `seed` within a set, by the steps that the set of links allows.
fn reach_by<const W: usize>(
    steps: &[Vec<(Option<u16>, u16)>],
    joined: bool,
    [seed, within, links]: [&Words<W>; 3],
) -> Words<W> {
    let mut reached = kernel::and(seed, within);
    let mut fresh = reached;
    loop {
        let site = kernel::first(&fresh);
        let Ok(site) = usize::try_from(site) else { return reached };
        fresh[site / 64 % W] &= !(1 << (site % 64));
        for (link, next) in steps.get(site).into_iter().flatten() {
            let possible = link.is_some_and(|link| has(links, link)) == joined;
            if possible && has(within, *next) && !has(&reached, *next) {
                let (word, bit) = (usize::from(*next) / 64 % W, 1 << (next % 64));
                reached[word] |= bit;
                fresh[word] |= bit;
            }
        }
    }
}

/// Follows the steps of a table from each site of a set, up to the first site outside `through`.
fn slide<const W: usize>(program: &Program, table: u16, a: &Words<W>, through: &Words<W>) -> Words<W> {
    let mut passed = kernel::none::<W>();
    kernel::for_each(a, |start| {
        let mut site = next::<W>(program, table, start);
        while site >= 0 && site != i64::from(start) {
            passed[site as usize / 64 % W] |= 1 << (site % 64);
            site = if has(through, site as u16) { next::<W>(program, table, site as u32) } else { -1 };
        }
    });
    passed
}

fn has<const W: usize>(a: &Words<W>, site: u16) -> bool {
    a[usize::from(site) / 64 % W] >> (site % 64) & 1 == 1
}

/// Applies a function to a set and a number.
#[inline(never)]
pub(crate) fn apply_number<const W: usize>(
    program: &Program,
    f: &SetFunction,
    a: &Words<W>,
    n: i64,
) -> Words<W> {
    let SetFunction::Runs { lines } = f else { return *a };
    let mut found = kernel::none::<W>();
    for_each_run(&program.lines[usize::from(*lines)].lists, a, |run| {
        if run.length as i64 >= n {
            for site in run.sites() {
                found[usize::from(site) / 64] |= 1 << (site % 64);
            }
        }
    });
    found
}
