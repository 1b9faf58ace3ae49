//! Operations that several executors share: dice, lines, moved pieces, and the binding of a chosen action.

use super::line_lists;
use super::processor::on_this_processor;
use crate::program::{ChoiceStop, Dice, LineTable, Operator, OptionBits, Program, SetMut, Sets, Size};
use crate::run_state::Fault;
use houserule_base::rng::Stream;
use houserule_model::JOINT_OUTCOMES;
use houserule_model::board::kernel::{self, LANES, Words};

/// Applies an operator. Quotients are rounded down.
pub(crate) fn apply_operator(op: Operator, a: i64, b: i64) -> Result<i64, Fault> {
    match op {
        Operator::Multiply => a.checked_mul(b).ok_or(Fault::Overflow),
        Operator::Divide if b == 0 => Err(Fault::DivisionByZero),
        Operator::Modulo if b == 0 => Err(Fault::DivisionByZero),
        Operator::Divide => {
            let quotient = a.checked_div(b).ok_or(Fault::Overflow)?;
            Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
        }
        Operator::Modulo => {
            let rest = a.checked_rem(b).ok_or(Fault::Overflow)?;
            Ok(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Operator::Min => Ok(a.min(b)),
        Operator::Max => Ok(a.max(b)),
    }
}

/// Returns the option of a bit of a choice's mask, and calls `bind` with the address and element of each
/// binding.
#[inline(always)]
pub fn bind(choice: &ChoiceStop, word: usize, bit: u32, mut bind: impl FnMut(u16, u32)) -> &OptionBits {
    let part = &choice.parts[number_of(choice, word, bit)];
    match part.sizes.len() {
        0 => {}
        1 => bind(part.binders[0], (word as u32 - u32::from(part.first_word)) * 64 + bit),
        _ => {
            let row_words = part.row_words();
            let within = word as u32 - u32::from(part.first_word);
            let (mut row, last) = (within / row_words, within % row_words * 64 + bit);
            let (address, rest) = part.binders.split_last().map_or((0, &[][..]), |(a, rest)| (*a, rest));
            bind(address, last);
            for (address, size) in rest.iter().zip(&part.sizes).rev() {
                bind(*address, row % size);
                row /= size;
            }
        }
    }
    part
}

/// Returns the index of the option of a bit of a choice's mask.
#[inline(always)]
pub(crate) fn number_of(choice: &ChoiceStop, word: usize, bit: u32) -> usize {
    let first = usize::from(choice.part_of_word[word]);
    // Options without binders share a word, with one bit each.
    if choice.parts[first].sizes.is_empty() { first + bit as usize } else { first }
}

on_this_processor! {
    /// Returns the first word and the number of the legal actions among which a random player draws: the ordinary
    /// ones, or else the deliberate ones. Returns `None` if there are neither.
    ways, ways_fast, ways_here, (choice: &ChoiceStop, words: &[u64]) -> Option<(usize, u32)>
}

#[inline(always)]
fn ways_here<const BMI: bool>(choice: &ChoiceStop, words: &[u64]) -> Option<(usize, u32)> {
    ways_among(choice, &words[usize::from(choice.region)..][..usize::from(choice.words)])
}

/// Number of words of a mask that are looked at together. Most rows of a large mask are empty.
const TOGETHER: usize = 16;

/// Returns `true` if none of some words has a bit.
#[inline(always)]
fn are_empty(words: &[u64; TOGETHER]) -> bool {
    words.iter().fold(0, |all, word| all | word) == 0
}

/// Returns the number of bits in a mask.
#[inline(always)]
fn count(mask: &[u64]) -> u32 {
    let (blocks, rest) = mask.as_chunks::<TOGETHER>();
    let mut n = 0;
    for block in blocks {
        if !are_empty(block) {
            n += block.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }
    n + rest.iter().map(|word| word.count_ones()).sum::<u32>()
}

/// Like [`ways`], for a set that is laid out like the mask.
#[inline(always)]
pub fn ways_among(choice: &ChoiceStop, legal: &[u64]) -> Option<(usize, u32)> {
    let (ordinary, deliberate) = legal.split_at(usize::from(choice.random_words));
    match (count(ordinary), count(deliberate)) {
        (0, 0) => None,
        (0, n) => Some((ordinary.len(), n)),
        (n, _) => Some((0, n)),
    }
}

on_this_processor! {
    /// Returns the element of rank `k` of a set with more than `k` elements.
    nth [W], nth_fast, kernel::nth, (set: &Words<W>, k: u32) -> u32
}
on_this_processor! {
    /// Returns the rows that a set touches, on a grid of one word; `first` holds the sites of the first
    /// column.
    rows, rows_fast, kernel::rows, (set: u64, width: u32, first: u64) -> u64
}

on_this_processor! {
    /// Returns the word and bit of rank `k` of a set from word `first` on, where it must have more than `k`
    /// elements.
    find, find_fast, find_here, (set: &[u64], first: usize, k: u32) -> (usize, u32)
}

#[inline(always)]
pub(crate) fn find_here<const BMI: bool>(set: &[u64], first: usize, k: u32) -> (usize, u32) {
    let (mut at, mut k) = (first, k);
    loop {
        if let Some(block) = set[at..].first_chunk::<TOGETHER>()
            && are_empty(block)
        {
            at += TOGETHER;
            continue;
        }
        // The block is gone through word by word, also where fewer words are left.
        for _ in 0..TOGETHER {
            let here = set[at].count_ones();
            if k < here {
                return (at, kernel::nth_bit::<BMI>(set[at], k));
            }
            k -= here;
            at += 1;
        }
    }
}

/// Binds the action of rank `k` of a mask from word `first` on, where it must have more than `k` actions.
#[inline(never)]
pub(crate) fn choose<'c>(choice: &'c ChoiceStop, words: &mut [u64], first: usize, k: u32) -> &'c OptionBits {
    let (at, bit) = find(&words[usize::from(choice.region)..], first, k);
    bind(choice, at, bit, |address, e| words[usize::from(address)] = e.into())
}

/// Moves the piece on site `from` to site `to`, where it replaces any other, on a board whose pieces are all
/// in `on`. Does nothing if either site is none or `from` is empty.
#[inline(never)]
pub(crate) fn move_piece<const W: usize>(
    words: &mut [u64],
    on: Sets,
    empty: SetMut,
    from: i64,
    to: i64,
    size: Size,
) {
    let outside = |site: i64| site as u64 >= u64::from(size.0);
    if outside(from) || outside(to) {
        return;
    }
    let place = |site: i64| (site as usize / 64 % W, site as u64 & 63);
    let ((leave, bit), (arrive, at)) = (place(from), place(to));
    let empty = usize::from(empty.0);
    if words[empty + leave] >> bit & 1 == 1 {
        return;
    }
    for set in words[usize::from(on.at)..].chunks_exact_mut(W).take(usize::from(on.len)) {
        let held = set[leave] >> bit & 1;
        set[leave] &= !(1 << bit);
        set[arrive] = set[arrive] & !(1 << at) | held << at;
    }
    words[empty + leave] |= 1 << bit;
    words[empty + arrive] &= !(1 << at);
}

/// Writes the faces of dice that are rolled as one event. `outcome` has them as digits in base `faces`.
#[inline(always)]
pub fn show_dice(dice: &Dice, words: &mut [u64], outcome: u64) {
    if dice.outcomes > JOINT_OUTCOMES {
        return show_many(dice, words, outcome);
    }
    let at = usize::from(dice.faces_at);
    let mut rest = outcome;
    for die in (1..usize::from(dice.count)).rev() {
        // A division would be slower, and each die waits for the one before.
        let quotient = rest.wrapping_mul(dice.inverse) >> 32;
        words[at + die] = rest.wrapping_sub(quotient * u64::from(dice.faces)) + 1;
        rest = quotient;
    }
    words[at] = rest + 1;
    if let Some(at) = dice.outcome_at {
        words[usize::from(at)] = outcome;
    }
}

/// Like [`show_dice`], for dice with too many outcomes for [`Dice::inverse_of`]; the whole outcome is not
/// kept.
#[inline(never)]
fn show_many(dice: &Dice, words: &mut [u64], outcome: u64) {
    let (at, faces) = (usize::from(dice.faces_at), u64::from(dice.faces));
    let mut rest = outcome;
    for die in (0..usize::from(dice.count)).rev() {
        words[at + die] = rest % faces + 1;
        rest /= faces;
    }
}

/// Writes the face of one die, given its side.
#[inline(never)]
pub fn show_die(program: &Program, words: &mut [u64], dice: usize, die: usize, side: u64) {
    let dice = &program.dice[dice];
    words[usize::from(dice.faces_at) + die] = dice.shown(1, side) + 1;
}

/// Returns the number of equally likely outcomes of a roll of `count` dice as one event, or 0 if `count` is 0.
#[inline(never)]
pub fn outcomes_of_some(program: &Program, dice: usize, count: u32) -> u64 {
    if count == 0 { 0 } else { program.dice[dice].side_count().saturating_pow(count) }
}

/// Returns the number of equally likely outcomes of a roll of all dice as one event.
#[inline(always)]
pub fn outcomes_of_all(dice: &Dice) -> u64 {
    if dice.is_weighted() { dice.side_count().saturating_pow(dice.count.into()) } else { dice.outcomes }
}

/// Draws one of `outcomes`, at least two, for a roll of `count` dice. The games of a seed depend on the
/// method: dice with at most [`JOINT_OUTCOMES`] outcomes together take one draw. Other dice take one draw
/// each, and so do dice of which a face has several sides.
#[inline(always)]
pub fn draw_some(dice: &Dice, count: u32, outcomes: u64, stream: &mut Stream) -> u64 {
    let jointly = dice.outcomes <= JOINT_OUTCOMES && !dice.is_weighted();
    if jointly { stream.below(outcomes) } else { draw_each(dice, count, stream) }
}

#[inline(never)]
fn draw_each(dice: &Dice, count: u32, stream: &mut Stream) -> u64 {
    let sides = dice.side_count();
    (0..count).fold(0, |outcome, _| outcome * sides + stream.below(sides))
}

/// Returns `true` if a die is the first of a roll that is made die by die.
#[inline(always)]
pub fn is_first(words: &[u64], die: u16, from: Option<u16>) -> bool {
    match from {
        None => die == 0,
        // A set of dice fits in one word.
        Some(from) => words[usize::from(from)].trailing_zeros() == u32::from(die),
    }
}

/// Writes the faces of the dice of a set, given the outcome of their roll.
#[inline(never)]
pub fn show_some(program: &Program, words: &mut [u64], dice: usize, some: &[u64], outcome: u64) {
    let dice = &program.dice[dice];
    let mut rest = dice.shown(some.iter().map(|word| word.count_ones()).sum(), outcome);
    for die in (0..usize::from(dice.count)).rev() {
        if some[die / 64] >> (die % 64) & 1 == 1 {
            words[usize::from(dice.faces_at) + die] = rest % u64::from(dice.faces) + 1;
            rest /= u64::from(dice.faces);
        }
    }
}

/// Returns the points of the runs in a set.
#[inline(always)]
pub(crate) fn score<const W: usize>(program: &Program, lines: &LineTable, a: &Words<W>) -> i64 {
    if lines.lists.is_empty() {
        let masks = masks::<W>(program, lines, lines.length as usize);
        return kernel::line_points(a, &lines.strides, masks, &lines.second_differences);
    }
    line_lists::score(lines, a)
}

/// Returns the length of the longest run in a set.
#[inline(never)]
pub(crate) fn longest<const W: usize>(program: &Program, lines: &LineTable, a: &Words<W>) -> u32 {
    if lines.lists.is_empty() {
        let masks = masks::<W>(program, lines, lines.length as usize);
        return kernel::longest_line(a, &lines.strides, masks);
    }
    line_lists::longest(lines, a)
}

/// Returns `true` if the set has a run of at least the tested length.
#[inline(always)]
pub(crate) fn any_line<const W: usize>(program: &Program, lines: &LineTable, a: &Words<W>) -> bool {
    if lines.lists.is_empty() {
        return kernel::any_line(a, &lines.strides, masks::<W>(program, lines, 1), lines.length);
    }
    longest(program, lines, a) >= lines.length
}

/// Returns the masks of a table for the first `lengths` lengths.
#[inline(always)]
fn masks<'a, const W: usize>(program: &'a Program, lines: &LineTable, lengths: usize) -> &'a [u64] {
    let first = lines.masks as usize * W;
    &program.sets[first..first + lengths * LANES * W]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_by_the_faces_needs_no_division() {
        for faces in 1..=1000 {
            let inverse = Dice::inverse_of(faces);
            for outcome in 0..houserule_model::JOINT_OUTCOMES {
                assert_eq!((outcome * inverse) >> 32, outcome / u64::from(faces), "{outcome} by {faces}");
            }
        }
    }
}
