//! Which temporaries are read later, from any place of the code on.

use std::ops::Range;

use super::super::flow::leads_to;
use crate::program::{Function, Instruction as I, Operand, Program, SiteKind};

/// Words that an instruction reads and writes, each with how many follow it.
pub(super) struct Words {
    pub(super) read: Vec<(u16, u16)>,
    pub(super) written: Vec<(u16, u16)>,
}

/// What an instruction reads and writes. What it addresses by index it may read or write.
pub(super) fn words_of(program: &Program, instruction: &I) -> Words {
    let (mut read, mut written) = (vec![], vec![]);
    let by_index = is_written_by_index(instruction);
    for (_, operand) in instruction.operands() {
        match operand {
            Operand::Read(a) => read.push((a, 1)),
            Operand::Write(d) => written.push((d, 1)),
            Operand::ReadSet(a) => read.push((a, program.width)),
            Operand::WriteSet(d) => written.push((d, program.width)),
            Operand::ChangeSet(d) => {
                read.push((d, program.width));
                written.push((d, program.width));
            }
            Operand::Numbers(n) => {
                read.push((n.at, n.len));
                written.extend(by_index.then_some((n.at, n.len)));
            }
            Operand::Sets(n) => {
                read.push((n.at, n.len * program.width));
                written.extend(by_index.then_some((n.at, n.len * program.width)));
            }
            Operand::Words(n) => {
                read.push((n.at, n.len));
                written.push((n.at, n.len));
            }
            Operand::Dice(n) => {
                let dice = &program.dice[usize::from(n)];
                written.push((dice.faces_at, dice.count));
                written.extend(dice.outcome_at.map(|at| (at, 1)));
            }
            Operand::Site(n) => match &program.sites[usize::from(n)].kind {
                SiteKind::Choice(choice) => {
                    written.extend(choice.parts.iter().flat_map(|p| &p.binders).map(|b| (*b, program.width)));
                }
                SiteKind::Pick { to, .. } => written.push((*to, 1)),
                SiteKind::Roll { .. }
                | SiteKind::RollSome { .. }
                | SiteKind::RollOne { .. }
                | SiteKind::Draw { .. } => {}
            },
            _ => {}
        }
    }
    read.extend(read_unnamed(program, instruction));
    Words { read, written }
}

/// What an instruction reads that is no operand of its own.
pub(super) fn read_unnamed(program: &Program, instruction: &I) -> Vec<(u16, u16)> {
    if let I::Halt {} = instruction {
        // The scores are read by whoever asked for them.
        let items = (program.items, program.item_count * program.players);
        let totals = (program.totals, program.item_count.min(1) * program.players);
        return vec![items, totals, (program.keys, program.key_count * program.players)];
    }
    let of_site = |(_, operand): (_, Operand)| match operand {
        Operand::Site(n) => match &program.sites[usize::from(n)].kind {
            SiteKind::Choice(choice) => Some((choice.me, 1)),
            SiteKind::RollOne { die, .. } => Some((*die, 1)),
            _ => None,
        },
        _ => None,
    };
    instruction.operands().into_iter().filter_map(of_site).collect()
}

/// Does an instruction write the numbers or the sets that it addresses by index?
pub(super) fn is_written_by_index(instruction: &I) -> bool {
    let by_index = |(_, operand): &(_, Operand)| matches!(operand, Operand::Numbers(_) | Operand::Sets(_));
    let only_read = matches!(
        instruction,
        I::Load { .. }
            | I::LoadAdd { .. }
            | I::IfLoadLessK { .. }
            | I::IfLoadGreaterEqualK { .. }
            | I::Where { .. }
            | I::CountEqual { .. }
            | I::LoadSet { .. }
            | I::IfLine { .. }
            | I::IfNoLine { .. }
    );
    !only_read && instruction.operands().iter().any(by_index)
}

/// A set of temporaries.
#[derive(Clone)]
pub(super) struct Temporaries {
    first: u16,
    end: u16,
    bits: Vec<u64>,
}

impl Temporaries {
    fn places(&self, word: u16, len: u16) -> impl Iterator<Item = usize> + use<> {
        let (first, end) = (self.first, self.end);
        (word.max(first)..(word + len).min(end)).map(move |w| usize::from(w - first))
    }

    pub(super) fn take(&mut self, word: u16, len: u16) {
        for at in self.places(word, len) {
            self.bits[at / 64] |= 1 << (at % 64);
        }
    }

    pub(super) fn give(&mut self, word: u16, len: u16) {
        for at in self.places(word, len) {
            self.bits[at / 64] &= !(1 << (at % 64));
        }
    }

    fn has(&self, word: u16, len: u16) -> bool {
        self.places(word, len).any(|at| self.bits[at / 64] >> (at % 64) & 1 == 1)
    }

    fn join(&mut self, other: &Temporaries) {
        self.bits.iter_mut().zip(&other.bits).for_each(|(a, b)| *a |= b);
    }

    /// The first of so many consecutive words that are not in the set.
    pub(super) fn find(&self, len: u16) -> Option<u16> {
        let mut from = self.first;
        while from.checked_add(len)? <= self.end {
            match (from..from + len).rev().find(|word| self.has(*word, 1)) {
                Some(taken) => from = taken + 1,
                None => return Some(from),
            }
        }
        None
    }
}

/// The temporaries that are live before each instruction, and those that sites and tables name.
pub(super) struct Live {
    before: Vec<Temporaries>,
    fixed: Temporaries,
}

impl Live {
    pub(super) fn of(program: &Program) -> Live {
        let fixed = fixed(program);
        let none = Temporaries { bits: vec![0; fixed.bits.len()], ..fixed };
        let mut before = vec![none.clone(); program.code.len()];
        let words: Vec<Words> = program.code.iter().map(|i| words_of(program, i)).collect();
        let next: Vec<Vec<u16>> = (0..program.code.len()).map(|at| leads_to(program, at)).collect();
        loop {
            let mut changed = false;
            for at in (0..program.code.len()).rev() {
                let mut live = none.clone();
                next[at].iter().filter_map(|n| before.get(usize::from(*n))).for_each(|n| live.join(n));
                if !is_written_by_index(&program.code[at]) {
                    for (_, operand) in program.code[at].operands() {
                        match operand {
                            Operand::Write(d) => live.give(d, 1),
                            Operand::WriteSet(d) => live.give(d, program.width),
                            _ => {}
                        }
                    }
                }
                words[at].read.iter().for_each(|(word, len)| live.take(*word, *len));
                changed |= live.bits != before[at].bits;
                before[at] = live;
            }
            if !changed {
                return Live { before, fixed };
            }
        }
    }

    /// Are these words temporaries that only instructions name?
    pub(super) fn may_move(&self, (word, len): (u16, u16)) -> bool {
        word >= self.fixed.first
            && u32::from(word) + u32::from(len) <= self.fixed.end.into()
            && !self.fixed.has(word, len)
    }

    /// Are some of these words live where a jump in a run leads?
    pub(super) fn leaves_with(&self, program: &Program, at: usize, words: (u16, u16)) -> bool {
        leads_to(program, at)
            .into_iter()
            .filter(|n| usize::from(*n) != at + 1)
            .any(|n| self.is_live(n, words))
    }

    /// Are some of these words live behind an instruction?
    pub(super) fn goes_on_with(&self, program: &Program, at: usize, words: (u16, u16)) -> bool {
        leads_to(program, at).into_iter().any(|n| self.is_live(n, words))
    }

    fn is_live(&self, at: u16, (word, len): (u16, u16)) -> bool {
        self.before.get(usize::from(at)).is_none_or(|live| live.has(word, len))
    }

    /// The words that keep what they hold over a run, or get it there for later.
    pub(super) fn kept_over(&self, program: &Program, run: Range<usize>) -> Temporaries {
        let mut kept = self.fixed.clone();
        kept.join(&self.before[run.start]);
        for at in run.clone() {
            for next in leads_to(program, at) {
                if (usize::from(next) != at + 1 || next as usize == run.end)
                    && let Some(live) = self.before.get(usize::from(next))
                {
                    kept.join(live);
                }
            }
        }
        kept
    }
}

/// The temporaries that something else than instructions needs in their places.
fn fixed(program: &Program) -> Temporaries {
    let remembered =
        program.lines.iter().map(|l| l.memory).chain(program.functions.iter().map(|f| match f {
            Function::Reach { memory, .. } => *memory,
            _ => None,
        }));
    let clamp = |word: u32| u16::try_from(word).unwrap_or(u16::MAX);
    let first = clamp(program.live);
    let end = remembered.flatten().min().unwrap_or(u16::MAX).min(clamp(program.frame)).max(first);
    let mut fixed = Temporaries { first, end, bits: vec![0; usize::from(end - first).div_ceil(64)] };
    for site in &program.sites {
        let SiteKind::Choice(choice) = &site.kind else { continue };
        // A trial begins anew from the same words.
        for part in choice.parts.iter().filter(|_| choice.is_tried()) {
            part.binders.iter().for_each(|b| fixed.take(*b, program.width));
            part.tried.iter().flatten().for_each(|saved| fixed.take(saved.to, saved.words.len));
        }
    }
    fixed
}
