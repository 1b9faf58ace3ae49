//! The executor's loop: a match over a program's instructions; and what it is built for. It knows
//! programs, not the language.
//!
//! It reads and writes the frame without bounds checks. That is sound because [`Program::verify`] has
//! found every address of every instruction inside the frame and every table inside its pool, and because
//! whatever is addressed by a value is checked here.

use crate::board::kernel::{self, Words};
use crate::engine::copies::{kind_of, several};
use crate::engine::effects::{
    any_line, choose, count_each, draw_some, is_first, longest, move_piece, outcomes_of_some, rarely, score,
    show_dice, show_die, show_some, ways,
};
use crate::engine::enclosure::Asked;
use crate::engine::hooks::{self, Drawing};
use crate::engine::sets::{apply, apply_number, apply_three, elements_where, enclosed, has_line, reach};
use crate::engine::tally::{BUDGET, Fault, LENGTH, Stop, Tally};
use crate::engine::trial::{self, Drawn};
use crate::engine::{past, subsets};
use crate::program::{
    Block, ENDED_BY, Failure, Instruction as I, Numbers, OVER, PENDING, Program, RESULT, ResultKind, Rows,
    Sets, SiteKind,
};
use crate::rng::Streams;

/// The loop for processors with BMI2 and its kin, see [`super::has_bmi2`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn fast<const W: usize, const PLAY: bool>(
    p: &Program,
    w: &mut [u64],
    s: &mut Streams,
    t: &mut Tally,
    at: Block,
) -> Stop {
    execute::<W, true, PLAY>(p, w, s, t, at)
}

/// The loop for any processor.
pub(super) fn plain<const W: usize, const PLAY: bool>(
    p: &Program,
    w: &mut [u64],
    s: &mut Streams,
    t: &mut Tally,
    at: Block,
) -> Stop {
    execute::<W, false, PLAY>(p, w, s, t, at)
}

/// Keeps a taken jump a branch: as a conditional move it would make the next fetch wait for the test.
#[inline(always)]
fn taken() {
    std::hint::black_box(());
}

/// Runs a frame of the program, which `words` has to be, from `at` until it stops.
#[expect(clippy::undocumented_unsafe_blocks, reason = "the module says why the frame's addresses are sound")]
#[inline(always)]
fn execute<const W: usize, const BMI: bool, const PLAY: bool>(
    program: &Program,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    at: Block,
) -> Stop {
    let code = &program.code[..];
    let frame = words.as_mut_ptr();
    let mut pc = usize::from(at.0);
    let mut budget = BUDGET - tally.spent.min(BUDGET - 1);
    // A turn counts as several if the rules are long; so does what goes over a whole large set.
    let turn = 1 + (code.len() / LENGTH) as u32;
    let (dear, line) = (1 + 2 * W as u32, 1 + W as u32 / 4);

    // SAFETY of the four: the verifier found the address inside the frame, whose length `run` checked.
    macro_rules! get {
        ($a:expr) => {
            unsafe { *frame.add(usize::from($a.0)) as i64 }
        };
    }
    macro_rules! put {
        ($d:expr, $value:expr) => {{
            let value = $value as u64;
            unsafe { *frame.add(usize::from($d.0)) = value }
        }};
    }
    macro_rules! set {
        ($a:expr) => {
            unsafe { *frame.add(usize::from($a.0)).cast::<Words<W>>() }
        };
    }
    macro_rules! set_mut {
        ($a:expr) => {
            unsafe { &mut *frame.add(usize::from($a.0)).cast::<Words<W>>() }
        };
    }
    macro_rules! fault {
        ($fault:ident, $value:expr) => {
            return Stop::Fault { at: pc as u32 - 1, fault: Fault::$fault, value: $value }
        };
    }
    macro_rules! jump {
        ($to:expr) => {{
            taken();
            pc = usize::from($to.0);
        }};
    }
    macro_rules! spend {
        ($turns:expr) => {{
            if budget <= $turns {
                fault!(Budget, 0);
            }
            budget -= $turns;
        }};
    }
    macro_rules! in_range {
        ($value:expr, $range:expr) => {{
            let value = $value;
            // SAFETY: the verifier found the range.
            let range = unsafe { program.ranges.get_unchecked(usize::from($range.0)) };
            if value < range.low || value > range.high {
                fault!(OutOfRange, value);
            }
            value
        }};
    }
    macro_rules! sum {
        ($a:expr, $b:expr) => {
            match i64::checked_add($a, $b) {
                Some(sum) => sum,
                None => fault!(Overflow, 0),
            }
        };
    }
    macro_rules! number_at {
        ($from:expr, $index:expr) => {{
            let Numbers { at, len } = $from;
            let index = $index;
            if index as u64 >= u64::from(len) {
                fault!(Index, index);
            }
            // SAFETY: the verifier found all `len` numbers in the frame.
            unsafe { &mut *frame.add(usize::from(at) + index as usize) }
        }};
    }
    macro_rules! set_at {
        ($from:expr, $index:expr) => {{
            let Sets { at, len } = $from;
            let index = $index;
            if index as u64 >= u64::from(len) {
                fault!(Index, index);
            }
            // SAFETY: the verifier found all `len` sets in the frame.
            unsafe { &mut *frame.add(usize::from(at) + index as usize * W).cast::<Words<W>>() }
        }};
    }
    macro_rules! any_line {
        ($lines:expr, $from:expr, $index:expr) => {{
            let index = $index;
            let set = set_at!($from, index);
            if W == 1 {
                any_line::<W>(program, $lines, set)
            } else {
                has_line::<W, BMI>(program, $lines, words_of(frame, program), $from, index as usize)
            }
        }};
    }
    macro_rules! row {
        ($table:expr, $index:expr) => {{
            // SAFETY: the verifier found the table, and all its rows in the pool.
            let table: &Rows = unsafe { program.set_tables.get_unchecked(usize::from($table.0)) };
            let index = $index.wrapping_sub(table.low);
            if index as u64 >= u64::from(table.count) {
                fault!(Index, index.wrapping_add(table.low));
            }
            // SAFETY: as above.
            unsafe {
                &*program.sets.as_ptr().add((table.first as usize + index as usize) * W).cast::<Words<W>>()
            }
        }};
    }
    macro_rules! constant {
        ($k:expr) => {
            // SAFETY: the verifier found the row in the pool.
            unsafe { &*program.sets.as_ptr().add(usize::from($k.0) * W).cast::<Words<W>>() }
        };
    }
    macro_rules! suspend {
        ($site:expr) => {{
            put!(crate::program::Out(PENDING), u64::from($site.0) + 1);
            tally.spent = BUDGET - budget;
            return Stop::Pending;
        }};
    }
    macro_rules! reset {
        ($words:expr) => {{
            let (first, len) = (usize::from($words.at), usize::from($words.len));
            // Two words at a time: few are reset, but often.
            let mut at = first;
            while at + 1 < first + len {
                // SAFETY: the verifier found the words among the live ones.
                unsafe {
                    *frame.add(at) = *program.initial.get_unchecked(at);
                    *frame.add(at + 1) = *program.initial.get_unchecked(at + 1);
                }
                at += 2;
            }
            if at < first + len {
                // SAFETY: as above.
                unsafe { *frame.add(at) = *program.initial.get_unchecked(at) };
            }
        }};
    }
    macro_rules! next_turn {
        ($mover:expr, $to:expr) => {{
            tally.turns += 1;
            spend!(turn);
            let next = get!($mover) + 1;
            put!($mover, if next >= i64::from(program.players) { 0 } else { next });
            pc = usize::from($to.0);
        }};
    }
    macro_rules! decide {
        () => {{
            tally.decisions += 1;
            budget = BUDGET;
            if tally.decisions > tally.pause && tally.is_too_long(program) {
                fault!(Limit, 0);
            }
        }};
    }

    // What often comes next is looked at where it comes: a test there is foreseen better than the one
    // jump that serves all instructions.
    macro_rules! next {
        () => {
            // SAFETY: the verifier found that no instruction that hands on is the last.
            *unsafe { code.get_unchecked(pc) }
        };
    }
    macro_rules! mark {
        ($step:expr) => {
            if let Some(count) = tally.steps.get_mut(usize::from($step.0)) {
                *count += 1;
            }
        };
    }
    macro_rules! roll {
        ($site:expr, $dice:expr) => {{
            if !PLAY && !tally.draws_chance {
                suspend!($site);
            }
            // SAFETY: the verifier found the dice, and their words in the frame.
            let dice = unsafe { program.dice.get_unchecked(usize::from($dice.0)) };
            let outcome = match dice.outcomes {
                0 | 1 => 0,
                outcomes => draw_some(dice, dice.count.into(), outcomes, &mut streams.chance),
            };
            tally.rolls += 1;
            if dice.count == 1 {
                put!(crate::program::Out(dice.faces_at), outcome + 1);
            } else {
                show_dice(dice, words_of(frame, program), outcome);
            }
        }};
    }
    macro_rules! choose_bits {
        ($site:expr, $legal:expr, $me:expr, $first:expr, $to:expr) => {{
            let legal = $legal as u64;
            let n = legal.count_ones();
            if n == 0 {
                jump!($to);
            } else if PLAY {
                decide!();
                let k = if n == 1 { 0 } else { streams.seat(get!($me) as usize).below(n.into()) };
                // A branch of its own for the first option, so that where it goes need not wait for more.
                let bit = if k == 0 {
                    taken();
                    legal.trailing_zeros()
                } else {
                    kernel::nth_bit::<BMI>(legal, k as u32)
                };
                // SAFETY: the verifier found 64 bodies from the first on.
                let body =
                    unsafe { program.bodies.get_unchecked(usize::from($first.0) + (bit & 63) as usize) };
                tally.option(usize::from(body.option));
                pc = usize::from(body.at.0);
                match next!() {
                    I::Roll { site, dice } => {
                        pc += 1;
                        roll!(site, dice);
                        if let I::IfLessK { a, k, to } = next!() {
                            pc += 1;
                            if get!(a) < i64::from(k.0) {
                                jump!(to);
                            }
                        }
                    }
                    I::StoreAddIn { to, index, a, range } => {
                        pc += 1;
                        let number = number_at!(to, get!(index));
                        *number = in_range!(sum!(*number as i64, get!(a)), range) as u64;
                    }
                    _ => {}
                }
            } else {
                suspend!($site);
            }
        }};
    }
    macro_rules! load_add {
        ($d:expr, $from:expr, $index:expr, $a:expr) => {{
            let sum = sum!(*number_at!($from, get!($index)) as i64, get!($a));
            put!($d, sum);
            if let I::RegionBitsIfLess { d: word, bits, bit, a, k } = next!() {
                pc += 1;
                // What was just made is handed on as it is: reading it back would wait for the store.
                let a = if a.0 == $d.0 { sum } else { get!(a) };
                let legal = i64::from(bits.0) | i64::from(a < i64::from(k.0)) << (bit.0 & 63);
                put!(word, legal);
                if let I::ChooseBits { site, a, me, first, to } = next!() {
                    pc += 1;
                    let legal = if a.0 == word.0 { legal } else { get!(a) };
                    choose_bits!(site, legal, me, first, to);
                }
            }
        }};
    }
    macro_rules! turn_ends {
        () => {
            match next!() {
                I::ResetNextTurn { words, mover, to } => {
                    pc += 1;
                    reset!(words);
                    next_turn!(mover, to);
                    if let I::LoadAdd { d, from, index, a } = next!() {
                        pc += 1;
                        load_add!(d, from, index, a);
                    }
                }
                I::RepeatTurn { to } => {
                    pc += 1;
                    tally.repeats += 1;
                    spend!(turn);
                    pc = usize::from(to.0);
                    if let I::LoadAdd { d, from, index, a } = next!() {
                        pc += 1;
                        load_add!(d, from, index, a);
                    }
                }
                _ => {}
            }
        };
    }
    macro_rules! add_in {
        ($d:expr, $a:expr, $b:expr, $range:expr) => {{
            put!($d, in_range!(sum!(get!($a), get!($b)), $range));
            if let I::IfLoadLessK { from, index, k, to } = next!() {
                pc += 1;
                if (*number_at!(from, get!(index)) as i64) < i64::from(k.0) {
                    jump!(to);
                    turn_ends!();
                }
            }
        }};
    }
    macro_rules! try_next {
        ($drawn:expr, $to:expr) => {
            match $drawn {
                Drawn::Taken(body) => {
                    decide!();
                    pc = usize::from(body.0);
                }
                Drawn::Tried(body) => {
                    budget = BUDGET;
                    pc = usize::from(body.0);
                }
                Drawn::Nothing(before) => {
                    budget = before;
                    jump!($to);
                }
                Drawn::Exhausted => fault!(Budget, 0),
            }
        };
    }
    macro_rules! look_choose {
        ($site:expr, $d:expr, $table:expr, $index:expr, $a:expr, $to:expr) => {{
            let legal = kernel::and(row!($table, get!($index)), &set!($a));
            let n = kernel::count(&legal);
            if n == 0 {
                jump!($to);
            } else {
                let SiteKind::Choice(choice) = &program.sites[usize::from($site.0)].kind else {
                    fault!(Index, 0)
                };
                if PLAY {
                    decide!();
                    tally.site(usize::from($site.0));
                    let seat = get!(crate::program::In(choice.me)) as usize;
                    let k = streams.seat(seat).below_if(n > 1, n.into());
                    put!($d, kernel::nth::<W, BMI>(&legal, k as u32));
                } else {
                    *set_mut!(crate::program::SetMut(choice.region)) = legal;
                    suspend!($site);
                }
            }
        }};
    }

    loop {
        // SAFETY: the verifier found that no instruction runs off the end of the code.
        let instruction = unsafe { code.get_unchecked(pc) };
        pc += 1;
        match *instruction {
            I::Const { d, k } => put!(d, i64::from(k.0)),
            I::ConstWide { d, k } => {
                // SAFETY: the verifier found the number.
                put!(d, unsafe { *program.numbers.get_unchecked(usize::from(k.0)) });
            }
            I::Copy { d, a } => put!(d, get!(a)),
            I::CopyIn { d, a, range } => put!(d, in_range!(get!(a), range)),
            I::Add { d, a, b } => put!(d, sum!(get!(a), get!(b))),
            I::AddK { d, a, k } => put!(d, sum!(get!(a), i64::from(k.0))),
            I::AddIn { d, a, b, range } => add_in!(d, a, b, range),
            I::AddKIn { d, a, k, range } => put!(d, in_range!(sum!(get!(a), i64::from(k.0)), range)),
            I::Subtract { d, a, b } => match get!(a).checked_sub(get!(b)) {
                Some(difference) => put!(d, difference),
                None => fault!(Overflow, 0),
            },
            I::Rarely { d, op, a, b } => match rarely(op, get!(a), get!(b)) {
                Ok(value) => put!(d, value),
                Err(Fault::DivisionByZero) => fault!(DivisionByZero, 0),
                Err(_) => fault!(Overflow, 0),
            },
            I::Check { a, range } => {
                in_range!(get!(a), range);
            }
            I::CheckSome { a, why } => {
                if get!(a) < 0 {
                    match why {
                        Failure::NoneIndex => fault!(NoneIndex, -1),
                        Failure::NoneValue => fault!(NoneValue, -1),
                    }
                }
            }
            I::ScaleAdd { d, a, k, b } => {
                put!(d, get!(a).wrapping_mul(i64::from(k.0)).wrapping_add(get!(b)));
            }
            I::Where { d, from, index, stride, size, test, k } => {
                // What lies between the first and the last is there if they are.
                let first = get!(index);
                let last = first.saturating_add(i64::from(stride.0) * (i64::from(size.0) - 1));
                if last >= first {
                    let _: &mut u64 = number_at!(from, first);
                    let _: &mut u64 = number_at!(from, last);
                }
                let first = i64::from(from.at).wrapping_add(first) as usize;
                let words = words_of(frame, program);
                let found = elements_where::<W, BMI>(words, first, (stride, size), (test, k.0.into()));
                *set_mut!(d) = found;
            }
            I::CountEqual { d, from, a } => {
                let a = get!(a);
                let mut count = 0;
                for at in 0..i64::from(from.len) {
                    count += i64::from(*number_at!(from, at) as i64 == a);
                }
                put!(d, count);
            }
            I::Load { d, from, index } => put!(d, *number_at!(from, get!(index))),
            I::Store { to, index, a } => {
                let value = get!(a) as u64;
                *number_at!(to, get!(index)) = value;
            }
            I::StoreAddIn { to, index, a, range } => {
                let number = number_at!(to, get!(index));
                *number = in_range!(sum!(*number as i64, get!(a)), range) as u64;
                if let I::IfLoadLessK { from, index, k, to } = next!() {
                    pc += 1;
                    if (*number_at!(from, get!(index)) as i64) < i64::from(k.0) {
                        jump!(to);
                        turn_ends!();
                    }
                }
            }
            I::LoadAdd { d, from, index, a } => load_add!(d, from, index, a),
            I::IfLoadLessK { from, index, k, to } => {
                if (*number_at!(from, get!(index)) as i64) < i64::from(k.0) {
                    jump!(to);
                    turn_ends!();
                }
            }
            I::IfLoadGreaterEqualK { from, index, k, to } => {
                if *number_at!(from, get!(index)) as i64 >= i64::from(k.0) {
                    jump!(to);
                }
            }
            I::CountEach { to, low, from } => {
                count_each(words_of(frame, program), to, low.0.into(), from);
            }
            I::Look { d, table, index } => {
                // SAFETY: the verifier found the table, and all its rows in the pool.
                let table: &Rows = unsafe { program.number_tables.get_unchecked(usize::from(table.0)) };
                let index = get!(index).wrapping_sub(table.low);
                if index as u64 >= u64::from(table.count) {
                    fault!(Index, index.wrapping_add(table.low));
                }
                // SAFETY: as above.
                put!(d, unsafe { *program.numbers.get_unchecked(table.first as usize + index as usize) });
            }
            I::Jump { to } => pc = usize::from(to.0),
            I::Loop { to } => {
                spend!(1 + (pc.saturating_sub(usize::from(to.0)) / LENGTH) as u32);
                pc = usize::from(to.0);
            }
            I::IfEqual { a, b, to } => {
                if get!(a) == get!(b) {
                    jump!(to);
                }
            }
            I::IfNotEqual { a, b, to } => {
                if get!(a) != get!(b) {
                    jump!(to);
                }
            }
            I::IfLess { a, b, to } => {
                if get!(a) < get!(b) {
                    jump!(to);
                }
            }
            I::IfLessEqual { a, b, to } => {
                if get!(a) <= get!(b) {
                    jump!(to);
                }
            }
            I::IfEqualK { a, k, to } => {
                if get!(a) == i64::from(k.0) {
                    jump!(to);
                }
            }
            I::IfNotEqualK { a, k, to } => {
                if get!(a) != i64::from(k.0) {
                    jump!(to);
                }
            }
            I::IfLessK { a, k, to } => {
                if get!(a) < i64::from(k.0) {
                    jump!(to);
                }
            }
            I::IfGreaterEqualK { a, k, to } => {
                if get!(a) >= i64::from(k.0) {
                    jump!(to);
                }
            }
            I::Less { d, a, b } => put!(d, i64::from(get!(a) < get!(b))),
            I::SetConst { d, k } => *set_mut!(d) = *constant!(k),
            I::SetCopy { d, a } => *set_mut!(d) = set!(a),
            I::And { d, a, b } => *set_mut!(d) = kernel::and(&set!(a), &set!(b)),
            I::AndK { d, a, k } => *set_mut!(d) = kernel::and(&set!(a), constant!(k)),
            I::Or { d, a, b } => *set_mut!(d) = kernel::or(&set!(a), &set!(b)),
            I::Minus { d, a, b } => *set_mut!(d) = kernel::minus(&set!(a), &set!(b)),
            I::LoadSet { d, from, index } => {
                let value = *set_at!(from, get!(index));
                *set_mut!(d) = value;
            }
            I::StoreSet { to, index, a } => {
                let value = set!(a);
                *set_at!(to, get!(index)) = value;
            }
            I::StoreOr { to, index, a } => {
                let value = set!(a);
                let to = set_at!(to, get!(index));
                *to = kernel::or(to, &value);
            }
            I::StoreMinus { to, index, a } => {
                let value = set!(a);
                let to = set_at!(to, get!(index));
                *to = kernel::minus(to, &value);
            }
            I::LookSet { d, table, index } => *set_mut!(d) = *row!(table, get!(index)),
            I::LookAnd { d, table, index, a } => {
                *set_mut!(d) = kernel::and(row!(table, get!(index)), &set!(a));
            }
            I::LookFirst { d, table, index, a } => {
                put!(d, kernel::first(&kernel::and(row!(table, get!(index)), &set!(a))));
            }
            I::Insert { d, e, size } => {
                let e = get!(e);
                if (e as u64) < u64::from(size.0) {
                    set_mut!(d)[e as usize / 64 % W] |= 1 << (e & 63);
                }
            }
            I::Remove { d, e, size } => {
                let e = get!(e);
                if (e as u64) < u64::from(size.0) {
                    set_mut!(d)[e as usize / 64 % W] &= !(1 << (e & 63));
                }
            }
            I::Count { d, a } => put!(d, i64::from(kernel::count(&set!(a)))),
            I::First { d, a } => put!(d, kernel::first(&set!(a))),
            I::Last { d, a } => put!(d, kernel::last(&set!(a))),
            I::IfEmpty { a, to } => {
                if kernel::is_empty(&set!(a)) {
                    jump!(to);
                }
            }
            I::IfSome { a, to } => {
                if !kernel::is_empty(&set!(a)) {
                    jump!(to);
                }
            }
            I::IfIn { a, e, size, to } => {
                let e = get!(e);
                if (e as u64) < u64::from(size.0) && set!(a)[e as usize / 64 % W] >> (e & 63) & 1 == 1 {
                    jump!(to);
                }
            }
            I::IfNotIn { a, e, size, to } => {
                let e = get!(e);
                if (e as u64) >= u64::from(size.0) || set!(a)[e as usize / 64 % W] >> (e & 63) & 1 == 0 {
                    jump!(to);
                }
            }
            I::IfLoadIn { from, index, e, size, to } => {
                let (set, e) = (set_at!(from, get!(index)), get!(e));
                if (e as u64) < u64::from(size.0) && set[e as usize / 64 % W] >> (e & 63) & 1 == 1 {
                    jump!(to);
                }
            }
            I::IfLoadNotIn { from, index, e, size, to } => {
                let (set, e) = (set_at!(from, get!(index)), get!(e));
                if (e as u64) >= u64::from(size.0) || set[e as usize / 64 % W] >> (e & 63) & 1 == 0 {
                    jump!(to);
                }
            }
            I::IfSubset { a, b, to } => {
                if kernel::is_empty(&kernel::minus(&set!(a), &set!(b))) {
                    jump!(to);
                }
            }
            I::IfNotSubset { a, b, to } => {
                if !kernel::is_empty(&kernel::minus(&set!(a), &set!(b))) {
                    jump!(to);
                }
            }
            I::IfSame { a, b, to } => {
                if set!(a) == set!(b) {
                    jump!(to);
                }
            }
            I::IfNotSame { a, b, to } => {
                if set!(a) != set!(b) {
                    jump!(to);
                }
            }
            I::Pop { d, from, to } => {
                let from = set_mut!(from);
                let e = kernel::first(from);
                if e < 0 {
                    jump!(to);
                } else {
                    from[e as usize / 64 % W] &= !(1 << (e & 63));
                    put!(d, e);
                }
            }
            I::PopFrom { d, from, e, to } => {
                let start = get!(e);
                let from = set_mut!(from);
                let e = kernel::first_from(from, start);
                if e < 0 {
                    jump!(to);
                } else {
                    from[e as usize / 64 % W] &= !(1 << (e & 63));
                    put!(d, e);
                }
            }
            I::Columns { d, a, width, height } => {
                *set_mut!(d) = kernel::columns(&set!(a), width.0.into(), height.0.into());
            }
            I::Rows { d, a, width, first } => {
                let mut rows = kernel::none::<W>();
                rows[0] = kernel::rows::<BMI>(set!(a)[0], width.0.into(), constant!(first)[0]);
                *set_mut!(d) = rows;
            }
            I::Apply { d, f, a, b } => {
                spend!(dear);
                // SAFETY: the verifier found the function.
                let f = unsafe { program.functions.get_unchecked(usize::from(f.0)) };
                let result = apply::<W, BMI>(program, f, &set!(a), &set!(b));
                *set_mut!(d) = result;
            }
            I::ApplyN { d, f, a, n } => {
                spend!(dear);
                // SAFETY: the verifier found the function.
                let f = unsafe { program.functions.get_unchecked(usize::from(f.0)) };
                let result = apply_number::<W>(program, f, &set!(a), get!(n));
                *set_mut!(d) = result;
            }
            I::Apply3 { d, f, a, b, c } => {
                spend!(dear);
                // SAFETY: the verifier found the function.
                let f = unsafe { program.functions.get_unchecked(usize::from(f.0)) };
                let result = apply_three::<W, BMI>(program, f, &set!(a), &set!(b), &set!(c));
                *set_mut!(d) = result;
            }
            I::Reach { d, f, a, b, me } => {
                spend!(dear);
                // SAFETY: the verifier found the function.
                let f = unsafe { program.functions.get_unchecked(usize::from(f.0)) };
                let (a, b, me) = (set!(a), set!(b), get!(me) as usize);
                let result = reach::<W, BMI>(program, f, words_of(frame, program), &a, &b, me);
                *set_mut!(d) = result;
            }
            I::Enclosed { d, f, e, from, index, me } => {
                spend!(dear);
                // SAFETY: the verifier found the function.
                let f = unsafe { program.functions.get_unchecked(usize::from(f.0)) };
                let index = get!(index);
                if index as u64 >= u64::from(from.len) {
                    fault!(Index, index);
                }
                let walls = usize::from(from.at) + index as usize * W;
                let asked = Asked { site: get!(e), walls, me: get!(me) as usize, to: usize::from(d.0) };
                let any = enclosed::<W, BMI>(program, f, words_of(frame, program), asked);
                if let I::IfEmpty { a, to } = next!()
                    && a.0 == d.0
                {
                    pc += 1;
                    if !any {
                        jump!(to);
                    }
                }
            }
            I::Shift { d, a, k, by } => *set_mut!(d) = kernel::moved(&set!(a), by.0, constant!(k)),
            I::Score { d, a, lines } => {
                spend!(line);
                // SAFETY: the verifier found the lines.
                let lines = unsafe { program.lines.get_unchecked(usize::from(lines.0)) };
                put!(d, score::<W>(program, lines, &set!(a)));
                if let I::Halt {} = next!() {
                    return Stop::Halt;
                }
            }
            I::Longest { d, a, lines } => {
                spend!(line);
                // SAFETY: the verifier found the lines.
                let lines = unsafe { program.lines.get_unchecked(usize::from(lines.0)) };
                put!(d, i64::from(longest::<W>(program, lines, &set!(a))));
            }
            I::IfLine { from, index, lines, to } => {
                // SAFETY: the verifier found the lines.
                let lines = unsafe { program.lines.get_unchecked(usize::from(lines.0)) };
                if any_line!(lines, from, get!(index)) {
                    jump!(to);
                }
            }
            I::IfNoLine { from, index, lines, to } => {
                // SAFETY: the verifier found the lines.
                let lines = unsafe { program.lines.get_unchecked(usize::from(lines.0)) };
                if !any_line!(lines, from, get!(index)) {
                    jump!(to);
                }
            }
            I::Place { to, index, empty, e, size } => {
                let e = get!(e);
                if (e as u64) < u64::from(size.0) {
                    let (word, bit) = (e as usize / 64 % W, 1 << (e & 63));
                    set_at!(to, get!(index))[word] |= bit;
                    set_mut!(empty)[word] &= !bit;
                }
                if let I::Copy { d, a } = next!() {
                    pc += 1;
                    put!(d, get!(a));
                }
                if let I::Jump { to } = next!() {
                    pc = usize::from(to.0);
                    if let I::Mark { step } = next!() {
                        pc += 1;
                        mark!(step);
                    }
                    if let I::IfLessK { a, k, to } = next!() {
                        pc += 1;
                        if get!(a) < i64::from(k.0) {
                            jump!(to);
                            turn_ends!();
                        }
                    }
                }
            }
            I::PlaceOn { to, index, empty, on, e, size } => {
                let e = get!(e);
                if (e as u64) < u64::from(size.0) {
                    let (word, bit) = (e as usize / 64 % W, 1 << (e & 63));
                    set_at!(to, get!(index))[word] |= bit;
                    set_at!(empty, get!(on))[word] &= !bit;
                }
            }
            I::PlaceFirst { d, to, seat, empty, table, index } => {
                let free = set_mut!(empty);
                let e = kernel::first(&kernel::and(row!(table, get!(index)), free));
                put!(d, e);
                if e >= 0 {
                    let (word, bit) = (e as usize / 64 % W, 1 << (e & 63));
                    free[word] &= !bit;
                    set_at!(to, get!(seat))[word] |= bit;
                }
                pc += 1;
            }
            I::MovePiece { on, empty, from, to, size } => {
                move_piece::<W>(words_of(frame, program), on, empty, (get!(from), get!(to)), size);
            }
            I::Reset { words } => reset!(words),
            I::Reset1 { d } => {
                // SAFETY: the verifier found the word among the live ones.
                put!(d, unsafe { *program.initial.get_unchecked(usize::from(d.0)) });
            }
            I::RegionClear { words } => {
                for at in usize::from(words.at)..usize::from(words.at) + usize::from(words.len) {
                    // SAFETY: the verifier found the words in the frame.
                    unsafe { *frame.add(at) = 0 };
                }
            }
            I::RegionSet { words, a } => {
                for k in 0..usize::from(words.len).min(W) {
                    // SAFETY: the verifier found the words and the set in the frame.
                    unsafe { *frame.add(usize::from(words.at) + k) = *frame.add(usize::from(a.0) + k) };
                }
            }
            I::RegionRow { words, size, row, a } => {
                let row = get!(row);
                let len = usize::from(size.0).div_ceil(64).min(W);
                let first = row as u64 * len as u64;
                if row < 0 || first + len as u64 > u64::from(words.len) {
                    fault!(Index, row);
                }
                for k in 0..len {
                    // SAFETY: the verifier found the words and the set in the frame; the row is inside.
                    unsafe {
                        *frame.add(usize::from(words.at) + first as usize + k) =
                            *frame.add(usize::from(a.0) + k);
                    }
                }
            }
            I::RegionSubsets { words, size, row, a } => {
                let (row, bits) = (get!(row), set!(a)[0]);
                if !subsets::fill(words_of(frame, program), words, size, row, bits) {
                    fault!(Index, row);
                }
            }
            I::RegionKeep { words, row, table } => {
                let row = get!(row);
                if !subsets::keep(program, words_of(frame, program), words, row, table) {
                    fault!(Index, row);
                }
            }
            I::RegionDrop { words, size, row, a } => {
                let (row, bits) = (get!(row), set!(a)[0]);
                if !subsets::drop(words_of(frame, program), words, size, row, bits) {
                    fault!(Index, row);
                }
            }
            I::NextSubset { d, a, to } => {
                let of = set!(a)[0];
                let subset = set_mut!(d);
                subset[0] = (subset[0] | !of).wrapping_add(1) & of;
                if subset[0] == 0 {
                    jump!(to);
                }
            }
            I::RegionBit { d, bit } => {
                let bits = get!(d) | 1 << (bit.0 & 63);
                put!(d, bits);
            }
            I::RegionBitIfLess { d, bit, a, k } => {
                let bits = get!(d) | i64::from(get!(a) < i64::from(k.0)) << (bit.0 & 63);
                put!(d, bits);
            }
            I::RegionBitsIfLess { d, bits, bit, a, k } => {
                let one = i64::from(get!(a) < i64::from(k.0)) << (bit.0 & 63);
                put!(d, i64::from(bits.0) | one);
            }
            I::ChooseOne { site, option, d, a, me, to } => {
                let legal = set!(a);
                let n = kernel::count(&legal);
                if n == 0 {
                    jump!(to);
                } else if PLAY {
                    decide!();
                    tally.option(usize::from(option.0));
                    let k = if n == 1 { 0 } else { streams.seat(get!(me) as usize).below(n.into()) };
                    put!(d, kernel::nth::<W, BMI>(&legal, k as u32));
                } else {
                    suspend!(site);
                }
            }
            I::ChoosePlace { site, d, on, me, empty, to } => {
                let free = set_mut!(empty);
                let n = kernel::count(free);
                if n == 0 {
                    jump!(to);
                } else if PLAY {
                    decide!();
                    let seat = get!(me);
                    let k = if n == 1 { 0 } else { streams.seat(seat as usize).below(n.into()) };
                    let e = kernel::nth::<W, BMI>(free, k as u32);
                    put!(d, e);
                    let (word, bit) = (e as usize / 64 % W, 1 << (e & 63));
                    free[word] &= !bit;
                    set_at!(on, seat)[word] |= bit;
                    tally.site(usize::from(site.0));
                    pc += 1;
                } else {
                    suspend!(site);
                }
            }
            I::ChooseBits { site, a, me, first, to } => choose_bits!(site, get!(a), me, first, to),
            I::LookChoose { site, d, table, index, a, to } => look_choose!(site, d, table, index, a, to),
            I::ChooseFew { site, few, me, to } => {
                // SAFETY: the verifier found it.
                let few = unsafe { program.few.get_unchecked(usize::from(few.0)) };
                let word = |k: usize| {
                    // SAFETY: the verifier found all words in the frame.
                    let word = unsafe { *frame.add(usize::from(few.words[k])) };
                    word << (few.shifts[k] & 63)
                };
                // Half of them at a time, whether they are there or not: nothing to foresee.
                let mut legal = word(0) | word(1) | word(2) | word(3);
                if few.many {
                    legal |= word(4) | word(5) | word(6) | word(7);
                }
                let n = legal.count_ones();
                if n == 0 {
                    jump!(to);
                } else if PLAY {
                    decide!();
                    let k = if n == 1 { 0 } else { streams.seat(get!(me) as usize).below(n.into()) };
                    let way = &few.ways[(kernel::nth_bit::<BMI>(legal, k as u32) & 63) as usize];
                    for (at, n) in way.bound {
                        put!(crate::program::Out(at), n);
                    }
                    tally.option(usize::from(way.option));
                    pc = usize::from(way.at.0);
                } else {
                    suspend!(site);
                }
            }
            I::Choose { site, to } => {
                let SiteKind::Choice(choice) = &program.sites[usize::from(site.0)].kind else {
                    fault!(Index, 0)
                };
                let words = words_of(frame, program);
                let Some((first, n)) = ways(choice, words) else {
                    jump!(to);
                    continue;
                };
                if !PLAY {
                    suspend!(site);
                }
                decide!();
                let seat = words[usize::from(choice.me)] as usize;
                let k = if n == 1 { 0 } else { streams.seat(seat).below(n.into()) };
                let part = choose::<BMI>(choice, words, first, k as u32);
                tally.option(part.block as usize);
                pc = usize::from(part.body.0);
            }
            I::ChooseTried { site, to } => {
                let words = words_of(frame, program);
                if PLAY {
                    try_next!(trial::begin::<BMI>(program, site, words, streams, tally, budget), to);
                } else if trial::any(program, site, words) {
                    suspend!(site);
                } else {
                    jump!(to);
                }
            }
            I::Kept { site } => {
                if !PLAY {
                    tally.spent = BUDGET - budget;
                    return Stop::Kept(pc as u16);
                }
                tally.decisions += 1;
                if tally.decisions > tally.pause && tally.is_too_long(program) {
                    fault!(Limit, 0);
                }
                trial::taken(program, site, tally);
            }
            I::Failed { site, to } => {
                if !PLAY {
                    tally.spent = BUDGET - budget;
                    return Stop::Failed;
                }
                let words = words_of(frame, program);
                try_next!(trial::again::<BMI>(program, site, words, streams, tally, budget), to);
            }
            I::Note { past } => {
                if !past::note(program, &mut tally.pasts, words_of(frame, program), usize::from(past.0)) {
                    fault!(Positions, 0);
                }
            }
            I::Repeated { d, past, n } => {
                let words = words_of(frame, program);
                let number = usize::from(past.0);
                put!(d, i64::from(past::repeated(program, &mut tally.pasts, words, number, get!(n))));
            }
            I::Roll { site, dice } => {
                roll!(site, dice);
                match next!() {
                    I::LookChoose { site, d, table, index, a, to } => {
                        pc += 1;
                        look_choose!(site, d, table, index, a, to);
                    }
                    I::IfLessK { a, k, to } => {
                        pc += 1;
                        if get!(a) < i64::from(k.0) {
                            jump!(to);
                        } else if let I::AddIn { d, a, b, range } = next!() {
                            pc += 1;
                            add_in!(d, a, b, range);
                        }
                    }
                    _ => {}
                }
            }
            I::RollSome { site, dice, a } => {
                let some = set!(a);
                let outcomes = outcomes_of_some(program, usize::from(dice.0), kernel::count(&some));
                if outcomes > 0 {
                    if !PLAY && !tally.draws_chance {
                        suspend!(site);
                    }
                    let outcome = match outcomes {
                        1 => 0,
                        _ => {
                            let dice = &program.dice[usize::from(dice.0)];
                            draw_some(dice, kernel::count(&some), outcomes, &mut streams.chance)
                        }
                    };
                    tally.rolls += 1;
                    show_some(program, words_of(frame, program), usize::from(dice.0), &some, outcome);
                }
            }
            I::RollOne { site, dice, die } => {
                if !PLAY && !tally.draws_chance {
                    suspend!(site);
                }
                let faces = program.dice[usize::from(dice.0)].faces;
                let outcome = if faces <= 1 { 0 } else { streams.chance.below(faces.into()) };
                let die = get!(die);
                if die < 0 || die >= i64::from(program.dice[usize::from(dice.0)].count) {
                    fault!(Index, die);
                }
                let SiteKind::RollOne { from, .. } = program.sites[usize::from(site.0)].kind else {
                    fault!(Index, die);
                };
                tally.rolls += u64::from(is_first(words_of(frame, program), die as u16, from));
                show_die(program, words_of(frame, program), usize::from(dice.0), die as usize, outcome);
            }
            I::Pick { site, d, a } => {
                let from = set!(a);
                let n = kernel::count(&from);
                if n <= 1 {
                    put!(d, kernel::first(&from));
                } else if PLAY || tally.draws_chance {
                    let k = streams.chance.below(n.into());
                    put!(d, kernel::nth::<W, BMI>(&from, k as u32));
                } else {
                    suspend!(site);
                }
            }
            I::PickBy { site, d, a, by } => {
                let from = set!(a);
                let words = words_of(frame, program);
                let drawn = match several(words, by.at, &from) {
                    None => kind_of(words, by.at, &from, 0),
                    Some(n) if PLAY || tally.draws_chance => {
                        kind_of(words, by.at, &from, streams.chance.below(n))
                    }
                    Some(_) => suspend!(site),
                };
                put!(d, drawn.map_or(-1, i64::from));
            }
            I::Call { d, hook, args, me } => {
                spend!(hooks::cost(program, hook));
                let words = words_of(frame, program);
                match hooks::call(program, words, tally, hook, args, get!(me)) {
                    Some(said) => put!(d, said),
                    None => fault!(Script, 0),
                }
            }
            I::CallDrawing { d, hook, args, me, site } => {
                spend!(hooks::COST);
                let words = words_of(frame, program);
                let draws = PLAY || tally.draws_chance;
                match hooks::call_drawing(program, words, streams, tally, hook, args, get!(me), site, draws) {
                    Drawing::Said(said) => put!(d, said),
                    Drawing::Waits => suspend!(site),
                    Drawing::Failed => fault!(Script, 0),
                }
            }
            I::Given { phase } => tally.given(phase),
            I::Mark { step } => mark!(step),
            I::ResetNextTurn { words, mover, to } => {
                reset!(words);
                next_turn!(mover, to);
            }
            I::NextTurn { mover, to } => next_turn!(mover, to),
            I::SameTurn { to } => {
                tally.turns += 1;
                spend!(turn);
                pc = usize::from(to.0);
            }
            I::RepeatTurn { to } => {
                tally.repeats += 1;
                spend!(turn);
                pc = usize::from(to.0);
            }
            I::LineFullNext { from, mover, lines, empty, won, full } => {
                let seat = get!(mover);
                // SAFETY: the verifier found the lines.
                let lines = unsafe { program.lines.get_unchecked(usize::from(lines.0)) };
                if any_line!(lines, from, seat) {
                    jump!(won);
                } else if kernel::is_empty(&set!(empty)) {
                    jump!(full);
                } else {
                    tally.turns += 1;
                    spend!(turn);
                    put!(mover, if seat + 1 >= i64::from(program.players) { 0 } else { seat + 1 });
                    pc = usize::from(program.turn.0);
                }
            }
            I::Fail { why } => match why {
                Failure::NoneIndex => fault!(NoneIndex, -1),
                Failure::NoneValue => fault!(NoneValue, -1),
            },
            I::Over { end, result, player, turns } => {
                tally.turns += u64::from(turns.0 > 0);
                let player =
                    if matches!(result, ResultKind::Win | ResultKind::Lose) { get!(player) } else { 0 };
                put!(crate::program::Out(PENDING), OVER);
                put!(crate::program::Out(ENDED_BY), end.0);
                put!(crate::program::Out(RESULT), player << 8 | result as i64);
                return Stop::Over;
            }
            I::Halt {} => return Stop::Halt,
        }
    }
}

/// The frame as a slice, where it is reached through the pointer.
#[inline(always)]
fn words_of<'a>(frame: *mut u64, program: &Program) -> &'a mut [u64] {
    // SAFETY: `run` checked that the frame has this length; no other reference to it is alive here.
    unsafe { std::slice::from_raw_parts_mut(frame, program.frame as usize) }
}
