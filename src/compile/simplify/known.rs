//! What is known of numbers and sets while a run of code is followed.

use std::collections::HashMap;

use super::live::words_of;
use super::{overlap, word_of};
use crate::program::{
    Flow, Imm, In, Instruction as I, Numbers, Operand, Out, Program, Rare, SetIn, SetOut, SetRef, Sets,
    Span16, ZERO,
};

/// Computations that are looked back on at the most.
const LOOKED_BACK: usize = 48;

pub(super) struct Known<'p> {
    program: &'p Program,
    /// Numbers that are constants.
    numbers: HashMap<u16, i64>,
    /// Sets that are constants, as rows.
    sets: HashMap<u16, u16>,
    /// Sets whose elements are all below a number.
    below: HashMap<u16, u16>,
    /// What holds the same as an earlier word, by whether it is a set.
    same: HashMap<(u16, bool), u16>,
    /// What was computed, and where it is.
    computed: Vec<(I, u16)>,
}

/// What becomes of an instruction.
enum Folded {
    To(I),
    Nothing,
}
use Folded::{Nothing, To};

impl<'p> Known<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Known {
            program,
            numbers: HashMap::new(),
            sets: HashMap::new(),
            below: HashMap::new(),
            same: HashMap::new(),
            computed: vec![],
        }
    }

    /// What an instruction becomes by what is known; none if nothing is left to do. What it does is known
    /// from now on.
    pub(super) fn follow(&mut self, mut instruction: I) -> Option<I> {
        instruction.rename(&mut |operand| match operand {
            Operand::Read(a) => self.same.get(&(a, false)).copied().unwrap_or(a),
            Operand::ReadSet(a) => self.same.get(&(a, true)).copied().unwrap_or(a),
            other => word_of(other),
        });
        // Each folding may open another.
        loop {
            match self.folded(instruction) {
                Nothing => return None,
                To(other) if other == instruction => break,
                To(other) => instruction = other,
            }
        }
        if is_pure(&instruction)
            && let Some(at) = self.computed_before(&instruction)
        {
            instruction = match instruction.operands()[0].1 {
                Operand::WriteSet(d) => I::SetCopy { d: SetOut(d), a: SetIn(at) },
                operand => I::Copy { d: Out(word_of(operand)), a: In(at) },
            };
        }
        match instruction {
            I::Copy { d, a } if d.0 == a.0 => return None,
            I::SetCopy { d, a } if d.0 == a.0 => return None,
            _ => {}
        }
        for words in words_of(self.program, &instruction).written {
            self.forget(words);
        }
        if instruction.flow() == Flow::Suspend || is_opaque(&instruction) {
            *self = Known::new(self.program);
        }
        self.learn(&instruction);
        Some(instruction)
    }

    fn computed_before(&self, instruction: &I) -> Option<u16> {
        let plain = without_result(*instruction);
        // A constant is as cheap as a copy, and waits for nothing; only what is renamed may then be left out.
        if let I::Const { d: Out(d), .. } | I::SetConst { d: SetOut(d), .. } = instruction
            && u32::from(*d) < self.program.frame
        {
            return None;
        }
        self.computed.iter().rev().take(LOOKED_BACK).find(|(known, _)| *known == plain).map(|(_, at)| *at)
    }

    /// Words have got something else.
    fn forget(&mut self, words: (u16, u16)) {
        let width = self.program.width;
        let stays = |word: u16, len: u16| !overlap((word, len), words);
        self.numbers.retain(|word, _| stays(*word, 1));
        self.sets.retain(|word, _| stays(*word, width));
        self.below.retain(|word, _| stays(*word, width));
        self.same.retain(|(word, set), as_| {
            let len = if *set { width } else { 1 };
            stays(*word, len) && stays(*as_, len)
        });
        let program = self.program;
        self.computed.retain(|(instruction, at)| {
            stays(*at, result_width(program, instruction))
                && words_of(program, instruction).read.iter().all(|(word, len)| stays(*word, *len))
        });
    }

    fn learn(&mut self, instruction: &I) {
        match *instruction {
            I::Const { d, k } => {
                self.numbers.insert(d.0, k.0.into());
            }
            I::Copy { d, a } => {
                if let Some(n) = self.number(a) {
                    self.numbers.insert(d.0, n);
                }
                self.same.insert((d.0, false), a.0);
            }
            I::SetConst { d, k } => {
                self.sets.insert(d.0, k.0);
                let row = self.row(k);
                let below = row
                    .iter()
                    .rposition(|w| *w != 0)
                    .map_or(0, |i| i * 64 + 64 - row[i].leading_zeros() as usize);
                self.below.insert(d.0, below as u16);
            }
            I::SetCopy { d, a } => {
                if let Some(row) = self.sets.get(&a.0).copied() {
                    self.sets.insert(d.0, row);
                }
                if let Some(n) = self.below.get(&a.0).copied() {
                    self.below.insert(d.0, n);
                }
                self.same.insert((d.0, true), a.0);
            }
            I::Where { d, size, .. } => {
                self.below.insert(d.0, size.0);
            }
            I::AndK { d, a, .. } => {
                if let (true, Some(n)) = (d.0 != a.0, self.below.get(&a.0).copied()) {
                    self.below.insert(d.0, n);
                }
            }
            // It goes on here only if they are equal.
            I::IfNotEqualK { a, k, .. } if a.0 != ZERO => {
                self.numbers.insert(a.0, k.0.into());
            }
            _ => {}
        }
        if is_pure(instruction) {
            let written = words_of(self.program, instruction);
            let reads_result =
                written.read.iter().any(|read| written.written.iter().any(|d| overlap(*read, *d)));
            if let (false, Some((at, _))) = (reads_result, written.written.first()) {
                self.computed.push((without_result(*instruction), *at));
            }
        } else if let I::Check { .. } = instruction {
            self.computed.push((*instruction, ZERO));
        }
    }

    fn number(&self, a: In) -> Option<i64> {
        if a.0 == ZERO { Some(0) } else { self.numbers.get(&a.0).copied() }
    }

    fn row(&self, k: SetRef) -> &'p [u64] {
        let width = usize::from(self.program.width);
        &self.program.sets[usize::from(k.0) * width..][..width]
    }

    /// The place of a number that is addressed by a known index.
    fn one(&self, from: Numbers, index: In) -> Option<u16> {
        let index = self.number(index)?;
        (0..i64::from(from.len)).contains(&index).then(|| from.at + index as u16)
    }

    /// The place of a set that is addressed by a known index.
    fn one_set(&self, from: Sets, index: In) -> Option<u16> {
        let index = self.number(index)?;
        (0..i64::from(from.len)).contains(&index).then(|| from.at + index as u16 * self.program.width)
    }

    fn folded(&self, instruction: I) -> Folded {
        let constant =
            |d: Out, n: Option<i64>| n.and_then(|n| i32::try_from(n).ok()).map(|n| I::Const { d, k: Imm(n) });
        let small = |n: Option<i64>| n.and_then(|n| i32::try_from(n).ok()).map(Imm);
        let decided = |jumps: bool, to| if jumps { To(I::Jump { to }) } else { Nothing };
        let as_it_is = To(instruction);
        let or = |other: Option<I>| To(other.unwrap_or(instruction));
        match instruction {
            I::Copy { d, a } => or(constant(d, self.number(a))),
            I::CopyIn { d, a, range } => match self.number(a) {
                Some(n) if self.lies_in(n, range.0) => or(constant(d, Some(n))),
                _ => as_it_is,
            },
            I::Check { a, range } => match self.number(a) {
                Some(n) if self.lies_in(n, range.0) => Nothing,
                _ if self.computed.iter().any(|(known, _)| *known == instruction) => Nothing,
                _ => as_it_is,
            },
            I::Add { d, a, b } => match (small(self.number(a)), small(self.number(b))) {
                (Some(a), Some(b)) => or(constant(d, Some(i64::from(a.0) + i64::from(b.0)))),
                (Some(k), None) => To(I::AddK { d, a: b, k }),
                (None, Some(k)) => To(I::AddK { d, a, k }),
                (None, None) if a.0 > b.0 => To(I::Add { d, a: b, b: a }),
                _ => as_it_is,
            },
            I::AddK { d, a, k: Imm(0) } => To(I::Copy { d, a }),
            I::AddK { d, a, k } => or(constant(d, self.number(a).and_then(|a| a.checked_add(k.0.into())))),
            I::Subtract { d, a, b } => match (self.number(a), small(self.number(b))) {
                (Some(a), Some(b)) => or(constant(d, a.checked_sub(b.0.into()))),
                (None, Some(Imm(b))) if b != i32::MIN => To(I::AddK { d, a, k: Imm(-b) }),
                _ => as_it_is,
            },
            I::Rarely { d, op: Rare::Multiply, a, b } => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => or(constant(d, a.checked_mul(b))),
                _ => as_it_is,
            },
            I::ScaleAdd { d, a, k, b } => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => or(constant(d, Some(a.wrapping_mul(k.0.into()).wrapping_add(b)))),
                (Some(0), None) => To(I::Copy { d, a: b }),
                (Some(a), None) => or(small(a.checked_mul(k.0.into())).map(|k| I::AddK { d, a: b, k })),
                (None, Some(0)) if k.0 == 1 => To(I::Copy { d, a }),
                (None, Some(0)) if b.0 != ZERO => To(I::ScaleAdd { d, a, k, b: In(ZERO) }),
                _ => as_it_is,
            },
            I::Load { d, from, index } => or(self.one(from, index).map(|at| I::Copy { d, a: In(at) })),
            I::LoadAdd { d, from, index, a } => {
                or(self.one(from, index).map(|at| I::Add { d, a: In(at), b: a }))
            }
            I::Store { to, index, a } => or(self.one(to, index).map(|at| I::Copy { d: Out(at), a })),
            I::StoreAddIn { to, index, a, range } => {
                or(self.one(to, index).map(|at| I::AddIn { d: Out(at), a: In(at), b: a, range }))
            }
            I::IfLoadLessK { from, index, k, to } => {
                or(self.one(from, index).map(|at| I::IfLessK { a: In(at), k, to }))
            }
            I::IfLoadGreaterEqualK { from, index, k, to } => {
                or(self.one(from, index).map(|at| I::IfGreaterEqualK { a: In(at), k, to }))
            }
            I::Where { d, from, index, stride, size, test, k } if index.0 != ZERO => {
                or(self.one(from, index).map(|at| {
                    let from = Numbers { at, len: from.len - (at - from.at) };
                    I::Where { d, from, index: In(ZERO), stride, size, test, k }
                }))
            }
            I::LoadSet { d, from, index } => {
                or(self.one_set(from, index).map(|at| I::SetCopy { d, a: SetIn(at) }))
            }
            I::StoreSet { to, index, a } => {
                or(self.one_set(to, index).map(|at| I::SetCopy { d: SetOut(at), a }))
            }
            I::StoreOr { to, index, a } => {
                or(self.one_set(to, index).map(|at| I::Or { d: SetOut(at), a: SetIn(at), b: a }))
            }
            I::StoreMinus { to, index, a } => {
                or(self.one_set(to, index).map(|at| I::Minus { d: SetOut(at), a: SetIn(at), b: a }))
            }
            I::Look { d, table, index } => {
                let rows = &self.program.number_tables[usize::from(table.0)];
                let at = self.number(index).and_then(|i| i.checked_sub(rows.low));
                let at = at.filter(|at| (0..i64::from(rows.count)).contains(at));
                or(constant(d, at.map(|at| self.program.numbers[rows.first as usize + at as usize])))
            }
            I::LookSet { d, table, index } => {
                let rows = &self.program.set_tables[usize::from(table.0)];
                let at = self.number(index).and_then(|i| i.checked_sub(rows.low));
                let at = at.filter(|at| (0..i64::from(rows.count)).contains(at));
                let row = at.and_then(|at| u16::try_from(i64::from(rows.first) + at).ok());
                or(row.map(|row| I::SetConst { d, k: SetRef(row) }))
            }
            I::And { d, a, b } => match (self.sets.get(&a.0), self.sets.get(&b.0)) {
                (_, Some(k)) => To(I::AndK { d, a, k: SetRef(*k) }),
                (Some(k), _) => To(I::AndK { d, a: b, k: SetRef(*k) }),
                _ => as_it_is,
            },
            I::AndK { d, a, k } => match self.below.get(&a.0) {
                Some(n) if self.has_all_below(k, *n) => To(I::SetCopy { d, a }),
                _ => as_it_is,
            },
            // All of a set: it may as well be made there.
            I::RegionSet { words, a } if words.len == self.program.width => {
                To(I::SetCopy { d: SetOut(words.at), a })
            }
            I::RegionRow { words, size, row, a } => {
                let len = size.0.div_ceil(64).min(self.program.width);
                match self.number(row) {
                    Some(row) if row >= 0 && (row + 1) * i64::from(len) <= words.len.into() => {
                        To(I::RegionSet { words: Span16 { at: words.at + row as u16 * len, len }, a })
                    }
                    _ => as_it_is,
                }
            }
            I::IfEqual { a, b, to } => match (self.number(a), small(self.number(b)), small(self.number(a))) {
                (Some(a), Some(b), _) => decided(a == i64::from(b.0), to),
                (None, Some(k), _) => To(I::IfEqualK { a, k, to }),
                (_, None, Some(k)) => To(I::IfEqualK { a: b, k, to }),
                _ => as_it_is,
            },
            I::IfNotEqual { a, b, to } => {
                match (self.number(a), small(self.number(b)), small(self.number(a))) {
                    (Some(a), Some(b), _) => decided(a != i64::from(b.0), to),
                    (None, Some(k), _) => To(I::IfNotEqualK { a, k, to }),
                    (_, None, Some(k)) => To(I::IfNotEqualK { a: b, k, to }),
                    _ => as_it_is,
                }
            }
            I::IfLess { a, b, to } => match (self.number(a), small(self.number(b))) {
                (Some(a), Some(b)) => decided(a < i64::from(b.0), to),
                (None, Some(k)) => To(I::IfLessK { a, k, to }),
                _ => as_it_is,
            },
            I::IfEqualK { a, k, to } => self.number(a).map_or(as_it_is, |a| decided(a == i64::from(k.0), to)),
            I::IfNotEqualK { a, k, to } => {
                self.number(a).map_or(as_it_is, |a| decided(a != i64::from(k.0), to))
            }
            I::IfLessK { a, k, to } => self.number(a).map_or(as_it_is, |a| decided(a < i64::from(k.0), to)),
            I::IfGreaterEqualK { a, k, to } => {
                self.number(a).map_or(as_it_is, |a| decided(a >= i64::from(k.0), to))
            }
            other => To(other),
        }
    }

    fn lies_in(&self, n: i64, range: u16) -> bool {
        let range = &self.program.ranges[usize::from(range)];
        (range.low..=range.high).contains(&n)
    }

    fn has_all_below(&self, k: SetRef, n: u16) -> bool {
        let row = self.row(k);
        (0..usize::from(n)).all(|e| row[e / 64] >> (e % 64) & 1 == 1)
    }
}

/// Does an instruction only compute a result from what it reads? Its result comes first.
fn is_pure(instruction: &I) -> bool {
    matches!(
        instruction,
        I::Const { .. }
            | I::ConstWide { .. }
            | I::Add { .. }
            | I::AddK { .. }
            | I::Subtract { .. }
            | I::Rarely { .. }
            | I::ScaleAdd { .. }
            | I::Load { .. }
            | I::LoadAdd { .. }
            | I::Where { .. }
            | I::CountEqual { .. }
            | I::Look { .. }
            | I::Less { .. }
            | I::SetConst { .. }
            | I::And { .. }
            | I::AndK { .. }
            | I::Or { .. }
            | I::Minus { .. }
            | I::LoadSet { .. }
            | I::LookSet { .. }
            | I::LookAnd { .. }
            | I::LookFirst { .. }
            | I::Count { .. }
            | I::First { .. }
            | I::Last { .. }
            | I::Columns { .. }
            | I::Rows { .. }
            | I::Apply { .. }
            | I::ApplyN { .. }
            | I::Apply3 { .. }
            | I::Shift { .. }
            | I::Score { .. }
            | I::Longest { .. }
    )
}

/// Does an instruction touch words that its operands do not name?
fn is_opaque(instruction: &I) -> bool {
    matches!(instruction, I::Given { .. } | I::Kept { .. } | I::Failed { .. })
}

fn without_result(mut instruction: I) -> I {
    instruction.rename(&mut |operand| match operand {
        Operand::Write(_) | Operand::WriteSet(_) => ZERO,
        other => word_of(other),
    });
    instruction
}

fn result_width(program: &Program, instruction: &I) -> u16 {
    let set = instruction.operands().iter().any(|(_, o)| matches!(o, Operand::WriteSet(_)));
    if set { program.width } else { 1 }
}
