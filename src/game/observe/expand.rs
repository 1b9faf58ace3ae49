//! Expands rows of bits to rows of numbers, in loops so plain that every build makes wide stores of them.
//!
//! If there is room after the last bit, whole groups of eight are written. Rows are written in order, so the
//! next one overwrites the excess.

#![expect(clippy::needless_range_loop, reason = "plain loops are unrolled by every build")]

use super::dtype::HALF_ONE;
use houserule_model::board::kernel::eight_bytes;

/// Writes `count` bits as 0.0 and 1.0. `word` returns the words they are in.
#[inline(always)]
pub(crate) fn bits_to_floats<const BMI: bool>(
    word: impl Fn(usize) -> u64 + Copy,
    count: usize,
    out: &mut [f32],
) {
    // The length is the same for every row, so what depends on it is computed once for all rows.
    if let Some(groups) = out.get_mut(..count.next_multiple_of(8)) {
        return groups_to_floats(word, groups);
    }
    #[cfg(target_arch = "x86_64")]
    if BMI {
        // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
        return unsafe { last_floats_fast(word, out) };
    }
    last_floats(word, out);
}

/// Writes bits that fill `out`.
#[inline(always)]
fn last_floats(word: impl Fn(usize) -> u64 + Copy, out: &mut [f32]) {
    let (groups, rest) = out.split_at_mut(out.len() / 8 * 8);
    groups_to_floats(word, groups);
    let (bits, first) = (word(groups.len() / 64), groups.len() % 64);
    for bit in 0..rest.len() {
        rest[bit] = (bits >> (first + bit) & 1) as f32;
    }
}

/// A function of its own: among code for the other rows, their variables would be kept in memory.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn last_floats_fast(word: impl Fn(usize) -> u64 + Copy, out: &mut [f32]) {
    last_floats(word, out);
}

/// Writes bits, a multiple of eight.
#[inline(always)]
fn groups_to_floats(word: impl Fn(usize) -> u64 + Copy, out: &mut [f32]) {
    let (whole, rest) = out.as_chunks_mut::<64>();
    for number in 0..whole.len() {
        word_to_floats(word(number), &mut whole[number]);
    }
    if rest.is_empty() {
        return;
    }
    let (bits, (eights, _)) = (word(whole.len()), rest.as_chunks_mut::<8>());
    // With a constant number of groups the shifts are constants too.
    for eight in 0..8 {
        let Some(floats) = eights.get_mut(eight) else { return };
        let half = (bits >> (eight / 4 * 32)) as u32;
        for bit in 0..8 {
            floats[bit] = (half >> (eight % 4 * 8 + bit) & 1) as f32;
        }
    }
}

#[inline(always)]
fn word_to_floats(bits: u64, floats: &mut [f32; 64]) {
    // Half a word at a time: 32 bits fit in the lanes of a wide register.
    for bit in 0..32 {
        floats[bit] = (bits as u32 >> bit & 1) as f32;
    }
    for bit in 0..32 {
        floats[32 + bit] = ((bits >> 32) as u32 >> bit & 1) as f32;
    }
}

/// Writes `count` bits as half-precision floats 0.0 and 1.0. `word` returns the words they are in.
#[inline(always)]
pub(crate) fn bits_to_halves(word: impl Fn(usize) -> u64 + Copy, count: usize, out: &mut [u16]) {
    let room = count.next_multiple_of(8).min(out.len());
    let (whole, rest) = out[..room].as_chunks_mut::<64>();
    for number in 0..whole.len() {
        let (bits, halves) = (word(number), &mut whole[number]);
        for bit in 0..64 {
            halves[bit] = (bits >> bit & 1) as u16 * HALF_ONE;
        }
    }
    if rest.is_empty() {
        return;
    }
    let bits = word(whole.len());
    for bit in 0..rest.len() {
        rest[bit] = (bits >> bit & 1) as u16 * HALF_ONE;
    }
}

/// Writes `count` bits as bytes 0 and 1. `word` returns the words they are in.
#[inline(always)]
pub(crate) fn bits_to_bytes<const BMI: bool>(
    word: impl Fn(usize) -> u64 + Copy,
    count: usize,
    out: &mut [u8],
) {
    if let Some(groups) = out.get_mut(..count.next_multiple_of(8)) {
        return groups_to_bytes::<BMI>(word, groups);
    }
    #[cfg(target_arch = "x86_64")]
    if BMI {
        // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
        return unsafe { last_bytes_fast(word, out) };
    }
    last_bytes::<BMI>(word, out);
}

/// Writes bits that fill `out`.
#[inline(always)]
fn last_bytes<const BMI: bool>(word: impl Fn(usize) -> u64 + Copy, out: &mut [u8]) {
    let (groups, rest) = out.split_at_mut(out.len() / 8 * 8);
    groups_to_bytes::<BMI>(word, groups);
    let (bits, first) = (word(groups.len() / 64), groups.len() % 64);
    for bit in 0..rest.len() {
        rest[bit] = (bits >> (first + bit) & 1) as u8;
    }
}

/// A function of its own, like [`last_floats_fast`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn last_bytes_fast(word: impl Fn(usize) -> u64 + Copy, out: &mut [u8]) {
    last_bytes::<true>(word, out);
}

/// Writes bits, a multiple of eight.
#[inline(always)]
fn groups_to_bytes<const BMI: bool>(word: impl Fn(usize) -> u64 + Copy, out: &mut [u8]) {
    let (whole, rest) = out.as_chunks_mut::<64>();
    for number in 0..whole.len() {
        let (bits, (eights, _)) = (word(number), whole[number].as_chunks_mut::<8>());
        for eight in 0..eights.len() {
            eights[eight] = eight_bytes::<BMI>(bits >> (eight * 8));
        }
    }
    if rest.is_empty() {
        return;
    }
    let (bits, (eights, _)) = (word(whole.len()), rest.as_chunks_mut::<8>());
    for eight in 0..8 {
        let Some(bytes) = eights.get_mut(eight) else { return };
        *bytes = eight_bytes::<BMI>(bits >> (eight * 8));
    }
}

/// Copies `count` bits, the lowest bit of the first byte first. The rest of the last byte is 0.
#[inline(always)]
pub(crate) fn bits_to_packed(word: impl Fn(usize) -> u64 + Copy, count: usize, out: &mut [u8]) {
    let (whole, last) = (count / 64, count % 64);
    for number in 0..whole {
        out[number * 8..][..8].copy_from_slice(&word(number).to_le_bytes());
    }
    if last > 0 {
        let bytes = (word(whole) & !(u64::MAX << last)).to_le_bytes();
        match out[whole * 8..].first_chunk_mut::<8>() {
            Some(room) => *room = bytes,
            None => out[whole * 8..][..last.div_ceil(8)].copy_from_slice(&bytes[..last.div_ceil(8)]),
        }
    }
}

/// Returns the bytes of a mask as unsigned bytes.
#[inline(always)]
pub(crate) fn unsigned(bytes: &mut [i8]) -> &mut [u8] {
    // SAFETY: both types have one byte, and every value of it is valid.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_base::rng::Stream;
    use houserule_machine::processor::has_bmi2;

    #[test]
    fn every_bit_is_a_number() {
        let mut stream = Stream::new(3, 0, 0);
        for count in 0..200usize {
            let words: Vec<u64> = (0..count.div_ceil(64)).map(|_| stream.next_word()).collect();
            let bit = |i: usize| words[i / 64] >> (i % 64) & 1;
            for room in [0, 3, 8, 20] {
                let mut floats = vec![9.0; count + room];
                bits_to_floats::<false>(|word| words[word], count, &mut floats);
                assert!((0..count).all(|i| floats[i] == bit(i) as f32), "{count} and {room}");
                let mut halves = vec![9; count + room];
                bits_to_halves(|word| words[word], count, &mut halves);
                let half = |i: usize| if bit(i) == 1 { HALF_ONE } else { 0 };
                assert!((0..count).all(|i| halves[i] == half(i)), "{count} and {room}");
                let end = count.next_multiple_of(8);
                assert!(halves.iter().skip(end).all(|half| *half == 9), "{count} and {room}");
                let size = count.div_ceil(8);
                let mut packed = vec![9u8; size + room];
                bits_to_packed(|word| words[word], count, &mut packed);
                assert!(
                    (0..count).all(|i| packed[i / 8] >> (i % 8) & 1 == bit(i) as u8),
                    "{count} and {room}"
                );
                assert!((count..8 * size).all(|i| packed[i / 8] >> (i % 8) & 1 == 0), "{count} and {room}");
                // Never beyond whole words.
                let end = count.div_ceil(64) * 8;
                assert!(packed.iter().skip(end).all(|byte| *byte == 9), "{count} and {room}");
                for bmi in [false, has_bmi2()] {
                    let mut bytes = vec![9u8; count + room];
                    match bmi {
                        true => bits_to_bytes::<true>(|word| words[word], count, &mut bytes),
                        false => bits_to_bytes::<false>(|word| words[word], count, &mut bytes),
                    }
                    assert!((0..count).all(|i| bytes[i] == bit(i) as u8), "{count} and {room}");
                    // Never beyond the requested bits in groups of eight.
                    let end = count.next_multiple_of(8);
                    assert!(bytes.iter().skip(end).all(|byte| *byte == 9), "{count} and {room}");
                    assert!(floats.iter().skip(end).all(|float| *float == 9.0), "{count} and {room}");
                }
            }
        }
    }
}
