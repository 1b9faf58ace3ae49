//! Which words of the frame an instruction accesses: those that compiled code may keep in registers, and those that must
//! stay in memory, because a called function or a computed address accesses them.

use std::ops::Range;

use super::packed::PackedMask;
use crate::program::{ChoiceStop, Flow, Instruction as I, Operand, Program, Sets, Size, Small, StopKind};
use houserule_model::JOINT_OUTCOMES;

/// Maximum length of a span, in words, that is handled inline.
const SPAN: u16 = 32;

/// Maximum width of a set, in words, for which operations on whole sets are inlined.
const WRITTEN_OUT: u16 = 4;

/// Maximum number of array elements that [`I::CountEqual`] compares inline.
const EQUAL: u16 = 8;

/// Maximum number of array elements that [`I::Where`] tests inline.
const TESTED: u16 = 32;

/// Maximum number of dice of a roll that is handled inline.
const DICE: u16 = 6;

/// An access of an instruction to the frame.
pub(super) enum Touch {
    /// A word that an operand names.
    Word(u16),
    /// Words that must stay in the frame: address and length.
    Memory(u16, usize),
}

/// Returns `true` if the instruction compares `len` numbers inline.
pub(super) fn is_plain_count(instruction: &I, len: u16) -> bool {
    matches!(instruction, I::CountEqual { .. }) && len <= EQUAL
}

/// Returns `true` if `size` numbers are tested inline to make a set.
pub(super) fn is_plain_test(stride: Small, size: Size) -> bool {
    stride.0 > 0 && (1..=TESTED).contains(&size.0)
}

/// Returns the players' sets that an instruction accesses, if the player is known and each set has one word.
pub(super) fn own_sets(program: &Program, instruction: &I, mover: Option<u16>) -> Option<Sets> {
    let (sets, index) = match *instruction {
        I::Place { to, index, .. } | I::StoreSet { to, index, .. } | I::StoreOr { to, index, .. } => {
            (to, index)
        }
        I::StoreMinus { to, index, .. } => (to, index),
        I::LoadSet { from, index, .. } | I::IfLoadIn { from, index, .. } | I::IfLine { from, index, .. } => {
            (from, index)
        }
        _ => return None,
    };
    let is_plain = match *instruction {
        I::IfLine { lines, .. } => program.lines[usize::from(lines.0)].lists.is_empty(),
        _ => true,
    };
    (program.width == 1 && is_plain && Some(index.0) == mover).then_some(sets)
}

/// Calls `tell` with each access of an instruction to the frame.
pub(super) fn touches(program: &Program, instruction: &I, mover: Option<u16>, tell: &mut impl FnMut(Touch)) {
    let width = usize::from(program.width);
    let own = own_sets(program, instruction, mover);
    for (_, operand) in instruction.operands() {
        match operand {
            Operand::Read(at) | Operand::Write(at) | Operand::Change(at) => tell(Touch::Word(at)),
            Operand::ReadSet(at) | Operand::WriteSet(at) | Operand::ChangeSet(at) => {
                if width == 1 || is_written_out(program) && goes_over_sets(instruction) {
                    (at..at + program.width).for_each(|at| tell(Touch::Word(at)));
                } else {
                    tell(Touch::Memory(at, width));
                }
            }
            Operand::Numbers(n) if is_plain_count(instruction, n.len) => {
                (n.at..n.at + n.len).for_each(|at| tell(Touch::Word(at)));
            }
            Operand::Numbers(n) => tell(Touch::Memory(n.at, n.len.into())),
            Operand::Sets(n) if own == Some(n) => (n.at..n.at + n.len).for_each(|at| tell(Touch::Word(at))),
            Operand::Sets(n) => tell(Touch::Memory(n.at, usize::from(n.len) * width)),
            Operand::Words(n) if is_plain_span(program, instruction, n.len) => {
                (n.at..n.at + n.len).for_each(|at| tell(Touch::Word(at)));
            }
            Operand::Words(n) => tell(Touch::Memory(n.at, n.len.into())),
            Operand::Past(past) => {
                let past = &program.pasts[usize::from(past)];
                past.words.iter().for_each(|n| tell(Touch::Memory(n.at, n.len.into())));
                let round = past.round.into_iter().flat_map(|(to_come, starter)| [to_come, starter]);
                let numbers = past.next.into_iter().chain([past.mover]).chain(round);
                numbers.for_each(|at| tell(Touch::Memory(at, 1)));
            }
            Operand::Hook(_) => tell(Touch::Memory(0, program.places.end.into())),
            Operand::Dice(dice) => {
                let of = &program.dice[usize::from(dice)];
                if !is_plain_roll(program, instruction) {
                    tell(Touch::Memory(of.faces_at, of.count.into()));
                    of.outcome_at.into_iter().for_each(|at| tell(Touch::Memory(at, 1)));
                }
            }
            Operand::Stop(stop) => match &program.stops[usize::from(stop)].kind {
                StopKind::Choice(_) if matches!(instruction, I::ChooseOne { .. }) => {}
                StopKind::Choice(choice) if few_of(program, instruction).is_some() => {
                    region_of(choice).chain([choice.me]).for_each(|at| tell(Touch::Word(at)));
                }
                StopKind::Choice(choice) => {
                    tell(Touch::Memory(choice.region, choice.words.into()));
                    tell(Touch::Memory(choice.me, 1));
                    for part in &choice.parts {
                        part.binders.iter().for_each(|at| tell(Touch::Memory(*at, 1)));
                        for saved in part.tried.iter().flatten() {
                            tell(Touch::Memory(saved.words.at, saved.words.len.into()));
                            tell(Touch::Memory(saved.to, saved.words.len.into()));
                        }
                    }
                }
                StopKind::Draw { at } => tell(Touch::Memory(*at, crate::program::DRAW_WORDS.into())),
                StopKind::RollOne { from: Some(from), .. } => tell(Touch::Memory(*from, width)),
                _ => {}
            },
            _ => {}
        }
    }
    for_each_written(program, instruction, &mut |at| tell(Touch::Word(at)));
}

/// Returns `true` if operations on whole sets are inlined, word by word.
pub(super) fn is_written_out(program: &Program) -> bool {
    program.width <= WRITTEN_OUT
}

/// Returns `true` if an instruction processes whole sets. Other instructions access one element, and have the
/// size of its domain as an operand.
pub(super) fn goes_over_sets(instruction: &I) -> bool {
    let operands = instruction.operands();
    let is_set = |operand: &Operand| {
        matches!(
            operand,
            Operand::ReadSet(_) | Operand::WriteSet(_) | Operand::ChangeSet(_) | Operand::Sets(_)
        )
    };
    let size = |operand: &Operand| matches!(operand, Operand::Size(_));
    operands.iter().any(|(_, o)| is_set(o)) && !operands.iter().any(|(_, o)| size(o))
}

/// Returns `true` if the words of a span are handled inline.
pub(super) fn is_plain_span(program: &Program, instruction: &I, len: u16) -> bool {
    let plain = match instruction {
        I::Reset { .. } | I::RegionClear { .. } => true,
        I::RegionSet { .. } => is_written_out(program),
        _ => false,
    };
    plain && len <= SPAN
}

/// Returns `true` if the dice of a roll are handled inline.
pub(super) fn is_plain_roll(program: &Program, instruction: &I) -> bool {
    let (dice, fits) = match instruction {
        I::Roll { dice, .. } => (dice, true),
        // The dice are a set of one word, and a roll of any of them takes a random word.
        I::RollSome { dice, .. } => (dice, program.width == 1 && program.dice[usize::from(dice.0)].faces > 1),
        _ => return false,
    };
    let dice = &program.dice[usize::from(dice.0)];
    fits && dice.count <= DICE && dice.outcomes > 0 && dice.outcomes <= JOINT_OUTCOMES && !dice.is_weighted()
}

/// Returns `true` if compiled code draws all random words of whole games itself, and no function that it calls does.
pub(super) fn draws_inline(program: &Program) -> bool {
    program.code.iter().all(|instruction| match instruction {
        I::ChooseOne { .. } | I::Choose { .. } => true,
        I::Pick { .. } => program.width == 1,
        I::Roll { .. } | I::RollSome { .. } => is_plain_roll(program, instruction),
        other => other.flow() != Flow::Suspend,
    })
}

/// Returns the packed mask of an instruction's choice, if it has one.
pub(super) fn few_of(program: &Program, instruction: &I) -> Option<PackedMask> {
    let I::Choose { stop, .. } = instruction else { return None };
    let StopKind::Choice(choice) = &program.stops[usize::from(stop.0)].kind else { return None };
    PackedMask::new(choice)
}

pub(super) fn region_of(choice: &ChoiceStop) -> Range<u16> {
    choice.region..choice.region + choice.words
}

/// Calls `tell` with each word that an instruction reads individually. Leaves out arrays, except those whose
/// numbers are handled inline.
pub(super) fn for_each_read(program: &Program, instruction: &I, tell: &mut impl FnMut(u16)) {
    for (_, operand) in instruction.operands() {
        match operand {
            Operand::Read(at) | Operand::Change(at) => tell(at),
            Operand::Numbers(n) if is_plain_count(instruction, n.len) => {
                (n.at..n.at + n.len).for_each(&mut *tell);
            }
            Operand::ReadSet(at) | Operand::ChangeSet(at) => (at..at + program.width).for_each(&mut *tell),
            // The dice that aren't rolled keep their faces, so the faces are read.
            Operand::Dice(dice) if matches!(instruction, I::RollSome { .. }) => {
                let dice = &program.dice[usize::from(dice)];
                (dice.faces_at..dice.faces_at + dice.count).for_each(&mut *tell);
            }
            Operand::Stop(stop) => {
                if let StopKind::Choice(choice) = &program.stops[usize::from(stop)].kind {
                    tell(choice.me);
                    if matches!(instruction, I::Choose { .. }) {
                        region_of(choice).for_each(&mut *tell);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Calls `tell` with each word that an instruction may write individually. Leaves out arrays.
pub(super) fn for_each_written(program: &Program, instruction: &I, tell: &mut impl FnMut(u16)) {
    for (_, operand) in instruction.operands() {
        match operand {
            Operand::Write(at) | Operand::Change(at) => tell(at),
            Operand::WriteSet(at) | Operand::ChangeSet(at) => (at..at + program.width).for_each(&mut *tell),
            Operand::Words(n) if is_plain_span(program, instruction, n.len) => {
                (n.at..n.at + n.len).for_each(&mut *tell)
            }
            Operand::Stop(stop) if few_of(program, instruction).is_some() => {
                if let StopKind::Choice(choice) = &program.stops[usize::from(stop)].kind {
                    choice.parts.iter().flat_map(|part| &part.binders).for_each(|at| tell(*at));
                }
            }
            Operand::Dice(dice) if is_plain_roll(program, instruction) => {
                let dice = &program.dice[usize::from(dice)];
                (dice.faces_at..dice.faces_at + dice.count).for_each(&mut *tell);
                dice.outcome_at.into_iter().for_each(&mut *tell);
            }
            _ => {}
        }
    }
}
