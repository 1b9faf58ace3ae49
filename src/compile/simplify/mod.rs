//! What is known of a run of code that nothing jumps into: constants are worked out, what was computed
//! before is not computed again, and what nobody reads is left out.
//!
//! In a run, temporaries get names of their own for each value, so that a value lasts until its last
//! use; afterwards the names become words of the frame again. What is live when a run begins or ends, and
//! what a site or a table names, keeps its place.

mod known;
pub(super) mod live;

use std::collections::HashMap;
use std::ops::Range;

use super::fuse;
use crate::program::{Flow, Instruction as I, Operand, Program};
use known::Known;
use live::{Live, Words, is_written_by_index, read_unnamed, words_of};

/// Instructions of a run at the most: the work is its square.
const LONGEST: usize = 256;

/// Simplifies each run.
pub(super) fn simplify(program: &mut Program) {
    fuse::thread_jumps(program);
    fuse::clean(program);
    let live = Live::of(program);
    let mut kept = vec![true; program.code.len()];
    for run in runs(program) {
        if let Some(code) = simplified(program, &live, run.clone()) {
            for (at, instruction) in run.zip(code) {
                match instruction {
                    Some(instruction) => program.code[at] = instruction,
                    None => kept[at] = false,
                }
            }
        }
    }
    fuse::compact(program, &kept);
}

/// Runs of code that nothing enters but at their beginnings; they may be left anywhere.
fn runs(program: &Program) -> Vec<Range<usize>> {
    let targets = fuse::targets(program);
    let mut runs = vec![];
    let mut start = 0;
    for at in 0..program.code.len() {
        let ends = !matches!(program.code[at].flow(), Flow::Next | Flow::Branch);
        let next = at + 1;
        if ends || next == program.code.len() || next - start == LONGEST || targets.contains(&(next as u16)) {
            runs.push(start..next);
            start = next;
        }
    }
    runs
}

/// The instructions of a run, without those that nobody needs; none if there are too few temporaries.
fn simplified(program: &Program, live: &Live, run: Range<usize>) -> Option<Vec<Option<I>>> {
    let (mut code, names) = named(program, live, run.clone())?;
    let mut known = Known::new(program);
    let mut result: Vec<Option<I>> = code.iter_mut().map(|instruction| known.follow(*instruction)).collect();
    hand_over(program, &mut result, names.first);
    leave_uncleared(program, &mut result);
    leave_out(&mut result, names.first);
    placed(program, live, run, &mut result, names)
}

/// The names of a run: numbers from behind the frame on, and for each whether it is a set's.
struct Names {
    first: u16,
    sets: Vec<bool>,
}

/// Gives each value that lives in the run alone a name.
fn named(program: &Program, live: &Live, run: Range<usize>) -> Option<(Vec<I>, Names)> {
    let first = u16::try_from(program.frame).ok()?;
    first.checked_add(run.len() as u16)?;
    let mut names = Names { first, sets: vec![] };
    // By word, which value of a number or a set stands there.
    let mut current: HashMap<(u16, bool), u16> = HashMap::new();
    let mut code = vec![];
    for at in run.clone() {
        let mut instruction = program.code[at];
        let named = written(&instruction).is_some_and(|d| is_of_run(program, live, run.clone(), at, d));
        let before = current.clone();
        for at in words_of(program, &instruction).written {
            current.retain(|(word, set), _| !overlap((*word, width(program, *set)), at));
        }
        instruction.rename(&mut |operand| match operand {
            Operand::Read(a) => before.get(&(a, false)).copied().unwrap_or(a),
            Operand::ReadSet(a) => before.get(&(a, true)).copied().unwrap_or(a),
            Operand::Write(d) | Operand::WriteSet(d) if named => {
                let set = matches!(operand, Operand::WriteSet(_));
                let name = first + names.sets.len() as u16;
                names.sets.push(set);
                current.insert((d, set), name);
                name
            }
            other => word_of(other),
        });
        code.push(instruction);
    }
    Some((code, names))
}

/// Words of a number or a set.
fn width(program: &Program, set: bool) -> u16 {
    if set { program.width } else { 1 }
}

/// The word of an operand that has one of its own.
fn word_of(operand: Operand) -> u16 {
    match operand {
        Operand::Read(a) | Operand::Write(a) => a,
        Operand::ReadSet(a) | Operand::WriteSet(a) | Operand::ChangeSet(a) => a,
        _ => 0,
    }
}

fn overlap(a: (u16, u16), b: (u16, u16)) -> bool {
    a.0 < b.0 + b.1 && b.0 < a.0 + a.1
}

/// The number or the set that an instruction writes, if it writes one and does nothing else to the frame.
fn written(instruction: &I) -> Option<Operand> {
    if instruction.flow() != Flow::Next || is_written_by_index(instruction) {
        return None;
    }
    let mut found = None;
    for (_, operand) in instruction.operands() {
        match operand {
            Operand::Write(_) | Operand::WriteSet(_) if found.is_none() => found = Some(operand),
            Operand::Write(_) | Operand::WriteSet(_) | Operand::ChangeSet(_) | Operand::Words(_) => {
                return None;
            }
            _ => {}
        }
    }
    found
}

/// Is what is written at a place read in the run alone, each time whole?
fn is_of_run(program: &Program, live: &Live, run: Range<usize>, at: usize, d: Operand) -> bool {
    let (word, set) = match d {
        Operand::Write(d) => (d, false),
        Operand::WriteSet(d) => (d, true),
        _ => return false,
    };
    let len = width(program, set);
    let here = (word, len);
    if !live.may_move(here) {
        return false;
    }
    for next in at + 1..run.end {
        let instruction = &program.code[next];
        for (_, operand) in instruction.operands() {
            let fits = match operand {
                Operand::Read(a) => (a == word && !set) || !overlap((a, 1), here),
                Operand::ReadSet(a) => (a == word && set) || !overlap((a, program.width), here),
                Operand::ChangeSet(a) => !overlap((a, program.width), here),
                Operand::Numbers(n) => !overlap((n.at, n.len), here),
                Operand::Sets(n) => !overlap((n.at, n.len * program.width), here),
                Operand::Words(n) => !overlap((n.at, n.len), here),
                _ => true,
            };
            if !fits {
                return false;
            }
        }
        let unnamed = read_unnamed(program, instruction);
        if unnamed.into_iter().any(|read| overlap(read, here)) || live.leaves_with(program, next, here) {
            return false;
        }
        let Words { written, .. } = words_of(program, instruction);
        if written.iter().any(|w| overlap(*w, here)) {
            return written.iter().any(|w| w.0 <= word && word + len <= w.0 + w.1);
        }
    }
    !live.goes_on_with(program, run.end - 1, here)
}

/// What is computed only to be copied next is computed where it belongs, and read there.
fn hand_over(program: &Program, code: &mut [Option<I>], first: u16) {
    let mut before = 0;
    for at in 1..code.len() {
        let (Some(made), Some(copy)) = (code[before], code[at]) else {
            before = if code[at].is_some() { at } else { before };
            continue;
        };
        let last = std::mem::replace(&mut before, at);
        let (from, to, len) = match copy {
            I::Copy { d, a } => (a.0, d.0, 1),
            I::SetCopy { d, a } => (a.0, d.0, program.width),
            _ => continue,
        };
        let makes_it = written(&made).is_some_and(|d| word_of(d) == from);
        if from < first || !makes_it || !lasts(program, &code[at + 1..], from, (to, len)) {
            continue;
        }
        let mut made = made;
        made.rename(&mut |operand| match operand {
            Operand::Write(_) | Operand::WriteSet(_) => to,
            other => word_of(other),
        });
        (code[last], code[at]) = (Some(made), None);
        before = last;
        for instruction in code[at + 1..].iter_mut().flatten() {
            instruction.rename(&mut |operand| match operand {
                Operand::Read(a) | Operand::ReadSet(a) if a == from => to,
                other => word_of(other),
            });
        }
    }
}

/// Do some words keep what they hold as long as a name is read that holds the same?
fn lasts(program: &Program, code: &[Option<I>], name: u16, words: (u16, u16)) -> bool {
    let mut changed = false;
    for instruction in code.iter().flatten() {
        let reads = |(_, operand): &(_, Operand)| match operand {
            Operand::Read(a) | Operand::ReadSet(a) => *a == name,
            _ => false,
        };
        if changed && instruction.operands().iter().any(reads) {
            return false;
        }
        changed |= words_of(program, instruction).written.iter().any(|w| overlap(*w, words));
    }
    true
}

/// Words of a legal set that are written before anyone looks need not be cleared.
fn leave_uncleared(program: &Program, code: &mut [Option<I>]) {
    for at in 0..code.len() {
        let Some(I::RegionClear { words: cleared }) = code[at] else { continue };
        let mut left: Vec<u16> = (cleared.at..cleared.at + cleared.len).collect();
        for instruction in code[at + 1..].iter().flatten() {
            let Words { read, written: writes } = words_of(program, instruction);
            let looks = read.iter().any(|(word, len)| left.iter().any(|w| (*word..word + len).contains(w)));
            if instruction.flow() != Flow::Next || looks || written(instruction).is_none() {
                break;
            }
            left.retain(|w| !writes.iter().any(|(word, len)| (*word..word + len).contains(w)));
        }
        if left.is_empty() {
            code[at] = None;
        }
    }
}

/// Takes out what only makes values that nobody reads.
fn leave_out(code: &mut [Option<I>], first: u16) {
    let mut read: Vec<u16> = vec![];
    for place in code.iter_mut().rev() {
        let Some(instruction) = place else { continue };
        let unread = match written(instruction) {
            Some(Operand::Write(d) | Operand::WriteSet(d)) => d >= first && !read.contains(&d),
            _ => false,
        };
        if unread && cannot_fail(instruction) {
            *place = None;
            continue;
        }
        for (_, operand) in instruction.operands() {
            if let Operand::Read(a) | Operand::ReadSet(a) = operand
                && a >= first
            {
                read.push(a);
            }
        }
    }
}

/// Does an instruction do nothing but write its result?
fn cannot_fail(instruction: &I) -> bool {
    matches!(
        instruction,
        I::Const { .. }
            | I::ConstWide { .. }
            | I::Copy { .. }
            | I::ScaleAdd { .. }
            | I::Less { .. }
            | I::SetConst { .. }
            | I::SetCopy { .. }
            | I::And { .. }
            | I::AndK { .. }
            | I::Or { .. }
            | I::Minus { .. }
            | I::Count { .. }
            | I::Columns { .. }
            | I::Rows { .. }
            | I::Shift { .. }
    )
}

/// Gives the names of a run words of the frame; none if there are too few.
fn placed(
    program: &Program,
    live: &Live,
    run: Range<usize>,
    code: &mut [Option<I>],
    names: Names,
) -> Option<Vec<Option<I>>> {
    let mut last = vec![0; names.sets.len()];
    let mut busy = live.kept_over(program, run.clone());
    for (at, instruction) in code.iter().enumerate() {
        let Some(instruction) = instruction else { continue };
        for (_, operand) in instruction.operands() {
            match operand {
                Operand::Read(a) | Operand::ReadSet(a) | Operand::Write(a) | Operand::WriteSet(a)
                    if a >= names.first =>
                {
                    last[usize::from(a - names.first)] = at;
                }
                _ => {}
            }
        }
        let Words { read, written } = words_of(program, instruction);
        for (word, len) in read.into_iter().chain(written).filter(|(word, _)| *word < names.first) {
            busy.take(word, len);
        }
    }
    let mut places: Vec<u16> = vec![0; names.sets.len()];
    // Values that have a place, and until where.
    let mut placed: Vec<(usize, u16, u16)> = vec![];
    for (at, place) in code.iter_mut().enumerate() {
        let Some(instruction) = place else { continue };
        let mut fits = true;
        // What is read last here makes room for what is written, but not in the words of sets: they are
        // read while others are written.
        placed.retain(|(until, word, len)| {
            let stays = *until > at || (*until == at && *len > 1);
            if !stays {
                busy.give(*word, *len);
            }
            stays
        });
        let before = places.clone();
        instruction.rename(&mut |operand| match operand {
            Operand::Read(a) | Operand::ReadSet(a) if a >= names.first => {
                before[usize::from(a - names.first)]
            }
            Operand::Write(d) | Operand::WriteSet(d) if d >= names.first => {
                let name = usize::from(d - names.first);
                let len = width(program, names.sets[name]);
                let Some(word) = busy.find(len) else {
                    fits = false;
                    return 0;
                };
                busy.take(word, len);
                placed.push((last[name], word, len));
                places[name] = word;
                word
            }
            other => word_of(other),
        });
        if !fits {
            return None;
        }
    }
    Some(code.to_vec())
}
