//! Sets as a fixed number of words, for executors: what [`super::lines`] and [`super::region`] say
//! plainly, said fast: in plain loops, which every build unrolls. With `BMI` the caller vouches for a processor with BMI2 and POPCNT.

/// A set in `W` words.
pub type Words<const W: usize> = [u64; W];

/// The set of nothing.
#[inline(always)]
pub fn none<const W: usize>() -> Words<W> {
    [0; W]
}

/// How many elements.
#[inline(always)]
pub fn count<const W: usize>(a: &Words<W>) -> u32 {
    let mut n = 0;
    for w in a {
        n += w.count_ones();
    }
    n
}

/// Has it none?
#[inline(always)]
pub fn is_empty<const W: usize>(a: &Words<W>) -> bool {
    let mut all = 0;
    for w in a {
        all |= w;
    }
    all == 0
}

/// `a & b`
#[inline(always)]
pub fn and<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] & b[i];
    }
    r
}

/// `a | b`
#[inline(always)]
pub fn or<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] | b[i];
    }
    r
}

/// `a - b`
#[inline(always)]
pub fn minus<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    let mut r = [0; W];
    for i in 0..W {
        r[i] = a[i] & !b[i];
    }
    r
}

/// The first element; -1 of none.
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

/// The last element; -1 of none.
#[inline(always)]
pub fn last<const W: usize>(a: &Words<W>) -> i64 {
    for (i, w) in a.iter().enumerate().rev() {
        if *w != 0 {
            return (i as i64) * 64 + 63 - i64::from(w.leading_zeros());
        }
    }
    -1
}

/// The bit of rank `k` from 0 of a word that has more than `k`.
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

/// The element of rank `k` from 0 of a set that has more than `k`.
#[inline(always)]
pub fn nth<const W: usize, const BMI: bool>(a: &Words<W>, k: u32) -> u32 {
    if W == 1 {
        return nth_bit::<BMI>(a[0], k);
    }
    if W <= 4 {
        // Without branches: which word it is can't be foreseen.
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

/// Every element lowered by `n`; what falls below 0 is lost.
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
            // A shift by 64 - 0 would overflow, so the carry is shifted in two.
            r[i] |= a[i + words + 1] << 1 << (63 - bits);
        }
    }
    r
}

/// Orientations of lines on a grid: across, down and the two diagonals.
pub const LANES: usize = 4;

/// The starts of windows of `length` along one stride; the caller masks those that leave the board.
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

/// Has `a` a window of `length` that begins in the mask of its orientation? `masks` has a set for each.
#[inline(always)]
pub fn any_line<const W: usize>(a: &Words<W>, strides: &[u32; LANES], masks: &[u64], length: u32) -> bool {
    // The usual lengths unrolled.
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
        // All orientations side by side, as a processor with wide registers likes it. A shift of 64
        // and more only meets masks that are empty.
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

/// The sum of the points of all maximal runs. `masks` holds for each length from 1 a set for each
/// orientation: the starts of windows. A run's points come from how many windows of each length there
/// are: with c[n] windows of length n there are c[n] - 2 c[n+1] + c[n+2] runs of exactly n, so the sum
/// of the points is the sum of c[n] times the second difference of the points.
#[inline(always)]
pub fn line_points<const W: usize>(
    a: &Words<W>,
    strides: &[u32; LANES],
    masks: &[u64],
    second_differences: &[i64],
) -> i64 {
    let mut sum = 0i64;
    for_each_length(a, strides, masks, |n, windows| {
        sum = sum.wrapping_add(i64::from(windows).wrapping_mul(second_differences[n - 1]));
    });
    sum
}

/// The length of the longest run, with the masks of [`line_points`].
#[inline(always)]
pub fn longest_line<const W: usize>(a: &Words<W>, strides: &[u32; LANES], masks: &[u64]) -> u32 {
    let mut most = 0;
    for_each_length(a, strides, masks, |n, _| most = n as u32);
    most
}

/// Tells how many windows of each length there are, as long as there are any.
#[inline(always)]
fn for_each_length<const W: usize>(
    a: &Words<W>,
    strides: &[u32; LANES],
    masks: &[u64],
    mut tell: impl FnMut(usize, u32),
) {
    let mut found = [*a; LANES];
    for (n, of_length) in masks.chunks_exact(LANES * W).enumerate() {
        let mut windows = 0;
        for lane in 0..LANES {
            if n > 0 {
                let shift = strides[lane] * n as u32;
                let moved = if W == 1 { lower(a, shift & 63) } else { lower(a, shift) };
                found[lane] = and(&found[lane], &moved);
            }
            for i in 0..W {
                windows += (found[lane][i] & of_length[lane * W + i]).count_ones();
            }
        }
        if windows == 0 {
            break;
        }
        tell(n + 1, windows);
    }
}

/// The columns that a set on a grid touches, as bits from 0.
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
