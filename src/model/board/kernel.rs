//! Fast versions of [`super::lines`] and [`super::region`] for the executors, on sets with a fixed number of
//! words. Plain loops, which every build unrolls. With `BMI` the caller guarantees that the processor has BMI2
//! and POPCNT.

/// A set in `W` words.
pub type Words<const W: usize> = [u64; W];

/// Returns the empty set.
#[inline(always)]
pub fn none<const W: usize>() -> Words<W> {
    [0; W]
}

/// Returns the set that begins at a word. There must be enough words.
#[inline(always)]
pub fn words_at<const W: usize>(words: &[u64], at: usize) -> &Words<W> {
    let Some(set) = words[at..].first_chunk() else { unreachable!("the verifier found the set") };
    set
}

/// Returns the set that begins at a word, to change it. There must be enough words.
#[inline(always)]
pub fn words_at_mut<const W: usize>(words: &mut [u64], at: usize) -> &mut Words<W> {
    let Some(set) = words[at..].first_chunk_mut() else { unreachable!("the verifier found the set") };
    set
}

/// Returns the number of elements.
#[inline(always)]
pub fn count<const W: usize>(a: &Words<W>) -> u32 {
    let mut n = 0;
    for w in a {
        n += w.count_ones();
    }
    n
}

/// Returns `true` if the set is empty.
#[inline(always)]
pub fn is_empty<const W: usize>(a: &Words<W>) -> bool {
    let mut all = 0;
    for w in a {
        all |= w;
    }
    all == 0
}

/// Returns `a & b`.
#[inline(always)]
pub fn and<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] & b[i];
    }
    r
}

/// Returns `a | b`.
#[inline(always)]
pub fn or<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] | b[i];
    }
    r
}

/// Returns `a - b`.
#[inline(always)]
pub fn minus<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] & !b[i];
    }
    r
}

/// Returns the smallest element, or -1 if the set is empty.
#[inline(always)]
pub fn first<const W: usize>(a: &Words<W>) -> i64 {
    if W == 1 {
        return if a[0] == 0 { -1 } else { i64::from(a[0].trailing_zeros()) };
    }
    for (i, w) in a.iter().enumerate() {
        if *w != 0 {
            return (i as i64) * 64 + i64::from(w.trailing_zeros());
        }
    }
    -1
}

/// Returns the smallest element from `start` on, or else the smallest of all; -1 if the set is empty.
pub fn first_from<const W: usize>(a: &Words<W>, start: i64) -> i64 {
    if (1..64 * W as i64).contains(&start) {
        let (at, bit) = (start as usize / 64, start as usize % 64);
        for (i, word) in a.iter().enumerate().skip(at) {
            let rest = if i == at { word >> bit << bit } else { *word };
            if rest != 0 {
                return i as i64 * 64 + i64::from(rest.trailing_zeros());
            }
        }
    }
    first(a)
}

/// Returns the largest element, or -1 if the set is empty.
#[inline(always)]
pub fn last<const W: usize>(a: &Words<W>) -> i64 {
    for (i, w) in a.iter().enumerate().rev() {
        if *w != 0 {
            return (i as i64) * 64 + 63 - i64::from(w.leading_zeros());
        }
    }
    -1
}

/// Returns the position of the set bit of rank `k`, from 0. `word` must have more than `k` set bits.
#[inline(always)]
pub fn nth_bit<const BMI: bool>(word: u64, k: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if BMI {
        // SAFETY: `BMI` is only set by callers that found BMI2 on this processor.
        return unsafe { std::arch::x86_64::_pdep_u64(1 << k, word) }.trailing_zeros();
    }
    let mut word = word;
    for _ in 0..k {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros()
}

/// Expands the lowest eight bits of a word to eight bytes 0 or 1, the lowest first.
#[inline(always)]
pub fn eight_bytes<const BMI: bool>(word: u64) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    #[cfg(target_arch = "x86_64")]
    if BMI {
        // SAFETY: `BMI` is only set by callers that found BMI2 on this processor.
        return unsafe { std::arch::x86_64::_pdep_u64(word, ONES) }.to_le_bytes();
    }
    // Every byte gets a copy of the eight bits and keeps its own. Adding 127 carries it to the top bit.
    let own = (word & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let top = own | (own & !(ONES << 7)).wrapping_add(!(ONES << 7));
    (top >> 7 & ONES).to_le_bytes()
}

/// Collects the bits of `word` at the positions of `mask` at the low end (`pext`).
#[inline(always)]
pub fn gather<const BMI: bool>(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BMI {
        // SAFETY: `BMI` is only set by callers that found BMI2 on this processor.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    let (mut found, mut rest, mut n) = (0, mask, 0);
    while rest != 0 {
        found |= (word >> rest.trailing_zeros() & 1) << n;
        rest &= rest - 1;
        n += 1;
    }
    found
}

/// Returns the element of rank `k`, from 0. The set must have more than `k` elements.
#[inline(always)]
pub fn nth<const W: usize, const BMI: bool>(a: &Words<W>, k: u32) -> u32 {
    if W == 1 {
        return nth_bit::<BMI>(a[0], k);
    }
    if W <= 4 {
        // Branch-free, because which word has the element is unpredictable.
        let (mut word, mut base, mut rest, mut before) = (a[0], 0, k, 0);
        for i in 1..W {
            before += a[i - 1].count_ones();
            let beyond = k >= before;
            word = if beyond { a[i] } else { word };
            base = if beyond { 64 * i as u32 } else { base };
            rest = if beyond { k.wrapping_sub(before) } else { rest };
        }
        return base + nth_bit::<BMI>(word, rest);
    }
    let mut rest = k;
    for (i, w) in a.iter().enumerate() {
        let here = w.count_ones();
        if rest < here {
            return 64 * i as u32 + nth_bit::<BMI>(*w, rest);
        }
        rest -= here;
    }
    0
}

/// Subtracts `n` from every element. Elements that fall below 0 are lost.
#[inline(always)]
pub fn lower<const W: usize>(a: &Words<W>, n: u32) -> Words<W> {
    let mut r = [0; W];
    if W == 1 {
        r[0] = a[0] >> (n & 63);
        return r;
    }
    let (words, bits) = ((n / 64) as usize, n % 64);
    for i in 0..W.saturating_sub(words) {
        r[i] = a[i + words] >> bits;
        if i + words + 1 < W {
            // A shift by 64 - 0 would overflow, so the carry is shifted in two steps.
            r[i] |= a[i + words + 1] << 1 << (63 - bits);
        }
    }
    r
}

/// Number of orientations of lines on a grid: across, down and the two diagonals.
pub const LANES: usize = 4;

/// Returns the starts of windows of `length` along one stride. The caller must mask out those that leave the
/// board.
#[inline(always)]
pub fn windows<const W: usize>(a: &Words<W>, stride: u32, length: u32) -> Words<W> {
    let mut found = *a;
    let mut have = 1;
    while have < length {
        let more = have.min(length - have);
        found = and(&found, &lower(&found, stride * more));
        have += more;
    }
    found
}

/// Returns `true` if `a` has a window of `length` that begins in the mask of its orientation. `masks` has one
/// set per orientation.
#[inline(always)]
pub fn any_line<const W: usize>(a: &Words<W>, strides: &[u32; LANES], masks: &[u64], length: u32) -> bool {
    // Unrolled for the usual lengths.
    match length {
        3 => any_line_of::<W>(a, strides, masks, 3),
        4 => any_line_of::<W>(a, strides, masks, 4),
        5 => any_line_of::<W>(a, strides, masks, 5),
        _ => any_line_of::<W>(a, strides, masks, length),
    }
}

#[inline(always)]
fn any_line_of<const W: usize>(a: &Words<W>, strides: &[u32; LANES], masks: &[u64], length: u32) -> bool {
    let mut any = 0;
    if W == 1 {
        // All orientations side by side, which suits SIMD registers. A shift by 64 or more wraps around, but
        // only where the masks are empty.
        let mut found = [a[0]; LANES];
        let mut have = 1;
        while have < length {
            let more = have.min(length - have);
            for lane in 0..LANES {
                found[lane] &= found[lane] >> ((strides[lane] * more) & 63);
            }
            have += more;
        }
        for lane in 0..LANES {
            any |= found[lane] & masks[lane];
        }
        return any != 0;
    }
    for (stride, mask) in strides.iter().zip(masks.chunks_exact(W)) {
        let found = windows(a, *stride, length);
        for i in 0..W {
            any |= found[i] & mask[i];
        }
    }
    any != 0
}

/// Returns the sum of the points of all maximal runs. `masks` has, for each length from 1, one set of window
/// starts per orientation. The points follow from the number of windows of each length: with c[n] windows of
/// length n there are c[n] - 2 c[n+1] + c[n+2] runs of exactly n. The sum of the points is therefore the sum of
/// c[n] times the second difference of the points.
#[inline(always)]
pub fn line_points<const W: usize>(
    a: &Words<W>,
    strides: &[u32; LANES],
    masks: &[u64],
    second_differences: &[i64],
) -> i64 {
    let mut sum = 0i64;
    // Short runs often score nothing.
    let first = second_differences.iter().take_while(|difference| **difference == 0).count();
    for_each_length(a, strides, masks, first, |n, windows| {
        sum = sum.wrapping_add(i64::from(windows).wrapping_mul(second_differences[n - 1]));
    });
    sum
}

/// Returns the length of the longest run, with the masks of [`line_points`].
#[inline(always)]
pub fn longest_line<const W: usize>(a: &Words<W>, strides: &[u32; LANES], masks: &[u64]) -> u32 {
    let mut most = 0;
    for_each_length(a, strides, masks, 0, |n, _| most = n as u32);
    most
}

/// Calls `tell` with each length and its number of windows, skipping the `first` lengths, until there are no
/// windows.
#[inline(always)]
fn for_each_length<const W: usize>(
    a: &Words<W>,
    strides: &[u32; LANES],
    masks: &[u64],
    first: usize,
    mut tell: impl FnMut(usize, u32),
) {
    let mut found = [*a; LANES];
    for n in 1..=first as u32 {
        lengthen(&mut found, a, strides, n);
    }
    for (n, of_length) in masks.chunks_exact(LANES * W).enumerate().skip(first) {
        let (mut windows, mut any) = (0, 0);
        for lane in 0..LANES {
            for i in 0..W {
                let of_lane = found[lane][i] & of_length[lane * W + i];
                any |= of_lane;
                windows += of_lane.count_ones();
            }
        }
        // `any` is known sooner than the count.
        if any == 0 {
            break;
        }
        tell(n + 1, windows);
        lengthen(&mut found, a, strides, n as u32 + 1);
    }
}

/// Extends the windows of length `n` in each orientation by one.
#[inline(always)]
fn lengthen<const W: usize>(found: &mut [Words<W>; LANES], a: &Words<W>, strides: &[u32; LANES], n: u32) {
    for lane in 0..LANES {
        let shift = strides[lane] * n;
        let moved = if W == 1 { lower(a, shift & 63) } else { lower(a, shift) };
        found[lane] = and(&found[lane], &moved);
    }
}

/// Returns the columns of a grid that a set touches, as bits from 0.
#[inline(always)]
pub fn columns<const W: usize>(a: &Words<W>, width: u32, height: u32) -> Words<W> {
    let mut folded = *a;
    let mut rows = 1;
    while rows < height {
        folded = or(&folded, &lower(&folded, width * rows));
        rows *= 2;
        if W == 1 && width * rows >= 64 {
            break;
        }
    }
    let mut result = none::<W>();
    if width >= 64 {
        result[0] = folded[0];
    } else {
        result[0] = folded[0] & ((1 << width) - 1);
    }
    result
}

/// Returns the rows that a set of one word touches, as bits from 0. `first` has the sites of the first
/// column.
#[inline(always)]
pub fn rows<const BMI: bool>(a: u64, width: u32, first: u64) -> u64 {
    let mut folded = a;
    let mut have = 1;
    while have < width {
        let more = have.min(width - have);
        folded |= folded >> (more & 63);
        have += more;
    }
    gather::<BMI>(folded, first)
}

/// Adds `n` to every element. Elements that exceed the last are lost.
#[inline(always)]
pub fn raise<const W: usize>(a: &Words<W>, n: u32) -> Words<W> {
    let mut r = [0; W];
    let (words, bits) = ((n / 64) as usize, n % 64);
    for i in words..W {
        r[i] = a[i - words] << bits;
        if i > words {
            r[i] |= a[i - words - 1] >> 1 >> (63 - bits);
        }
    }
    r
}

/// Adds `n`, which may be negative, to every element and intersects the result with `mask`.
#[inline(always)]
pub fn moved<const W: usize>(a: &Words<W>, n: i32, mask: &Words<W>) -> Words<W> {
    if W == 1 {
        let mut r = [0; W];
        r[0] = mask[0] & if n < 0 { a[0] >> (-n & 63) } else { a[0] << (n & 63) };
        return r;
    }
    moved_far(a, n, mask)
}

#[inline(never)]
fn moved_far<const W: usize>(a: &Words<W>, n: i32, mask: &Words<W>) -> Words<W> {
    and(&if n < 0 { lower(a, n.unsigned_abs()) } else { raise(a, n.unsigned_abs()) }, mask)
}

/// The eight directions of a grid as four strides, each up and down.
pub struct GridStrides<'a> {
    /// The stride of each orientation.
    pub strides: [u32; LANES],
    /// For each orientation, the set of sites that a step up can reach.
    pub up: &'a [u64],
    /// For each orientation, the set of sites that a step down can reach.
    pub down: &'a [u64],
    /// Number of doublings until a walk is as long as the longest line.
    pub doublings: u32,
}

/// Returns, for each orientation, the sites that walks from `a` through `within` pass, up and down.
#[inline(always)]
fn walks<const W: usize>(
    steps: &GridStrides<'_>,
    a: &Words<W>,
    within: &Words<W>,
) -> ([Words<W>; LANES], [Words<W>; LANES]) {
    let (mut up, mut down) = ([none::<W>(); LANES], [none::<W>(); LANES]);
    let (mut free_up, mut free_down) = (up, down);
    for lane in 0..LANES {
        let stride = steps.strides[lane];
        for i in 0..W {
            free_up[lane][i] = within[i] & steps.up[lane * W + i];
            free_down[lane][i] = within[i] & steps.down[lane * W + i];
        }
        up[lane] = and(&by::<W, true>(a, stride), &free_up[lane]);
        down[lane] = and(&by::<W, false>(a, stride), &free_down[lane]);
    }
    for k in 0..steps.doublings {
        for lane in 0..LANES {
            let n = steps.strides[lane] << k;
            up[lane] = or(&up[lane], &and(&by::<W, true>(&up[lane], n), &free_up[lane]));
            free_up[lane] = and(&free_up[lane], &by::<W, true>(&free_up[lane], n));
            down[lane] = or(&down[lane], &and(&by::<W, false>(&down[lane], n), &free_down[lane]));
            free_down[lane] = and(&free_down[lane], &by::<W, false>(&free_down[lane], n));
        }
    }
    (up, down)
}

/// Shifts a set up or down. In one word, a shift of 64 or more wraps around, but it happens only for walks that
/// have ended: the result is masked by the empty set.
#[inline(always)]
fn by<const W: usize, const UP: bool>(a: &Words<W>, n: u32) -> Words<W> {
    if W == 1 {
        let mut r = [0; W];
        r[0] = if UP { a[0] << (n & 63) } else { a[0] >> (n & 63) };
        return r;
    }
    if UP { raise(a, n) } else { lower(a, n) }
}

/// Returns the sites of `through` in unbroken straight runs between `from` and `to`: those that both ends
/// reach, each toward the other.
#[inline(always)]
pub fn custodial<const W: usize>(
    steps: &GridStrides<'_>,
    from: &Words<W>,
    to: &Words<W>,
    through: &Words<W>,
) -> Words<W> {
    let (up, down) = walks(steps, from, through);
    let (back_up, back_down) = walks(steps, to, through);
    let mut found = none::<W>();
    for lane in 0..LANES {
        for i in 0..W {
            found[i] |= up[lane][i] & back_down[lane][i] | down[lane][i] & back_up[lane][i];
        }
    }
    found
}

/// Returns the sites from which an unbroken straight run leads through `through` to `to`.
#[inline(always)]
pub fn flanks<const W: usize>(steps: &GridStrides<'_>, to: &Words<W>, through: &Words<W>) -> Words<W> {
    let (up, down) = walks(steps, to, through);
    let mut found = none::<W>();
    for lane in 0..LANES {
        let (above, below) =
            (by::<W, true>(&up[lane], steps.strides[lane]), by::<W, false>(&down[lane], steps.strides[lane]));
        for i in 0..W {
            found[i] |= above[i] & steps.up[lane * W + i] | below[i] & steps.down[lane * W + i];
        }
    }
    found
}

/// Calls `then` for every element, ascending.
#[allow(clippy::needless_range_loop, reason = "plain loops are unrolled by every build")]
#[inline(always)]
pub fn for_each<const W: usize>(a: &Words<W>, mut then: impl FnMut(u32)) {
    for i in 0..W {
        let mut word = a[i];
        while word != 0 {
            then(i as u32 * 64 + word.trailing_zeros());
            word &= word - 1;
        }
    }
}

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;
