//! Families: programs that differ only in some numbers share their compiled code for single decisions. The code reads
//! these numbers from a table of the program that it runs.

use std::sync::{Arc, OnceLock};

use super::{Machine, Machines, RunKind};
use crate::program::{Imm, Instruction, Program};

/// The numbers in which the programs of a family differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenNumbers {
    /// Indices in [`Program::ranges`] of ranges with other maximums.
    ranges: Vec<usize>,
    /// Indices of instructions that compare with other numbers.
    compared: Vec<usize>,
}

impl OpenNumbers {
    /// Returns the place in the table of the maximum of a range.
    pub(super) fn of_range(&self, range: usize) -> Option<usize> {
        self.ranges.iter().position(|open| *open == range)
    }

    /// Returns the place in the table of the number that an instruction compares with.
    pub(super) fn compared_at(&self, at: usize) -> Option<usize> {
        self.compared.iter().position(|open| *open == at).map(|place| self.ranges.len() + place)
    }

    /// Returns the table of a program.
    fn table(&self, program: &Program) -> Arc<[i64]> {
        let highs = self.ranges.iter().map(|range| program.ranges[*range].high);
        let compared = self.compared.iter().map(|at| compared(&program.code[*at]).map_or(0, |k| k.0.into()));
        highs.chain(compared).collect()
    }

    /// Adds the numbers in which two programs of the family differ.
    fn add(&mut self, one: &Program, other: &Program) {
        for (at, (a, b)) in one.ranges.iter().zip(&other.ranges).enumerate() {
            if a.high != b.high && !self.ranges.contains(&at) {
                self.ranges.push(at);
            }
        }
        for (at, (a, b)) in one.code.iter().zip(&other.code).enumerate() {
            if a != b && !self.compared.contains(&at) {
                self.compared.push(at);
            }
        }
    }
}

/// Programs that differ only in some numbers.
#[derive(Debug)]
pub(crate) struct Family {
    /// A copy of one of the programs. The code reads its tables.
    program: Arc<Program>,
    open: OpenNumbers,
    machine: OnceLock<Option<Machine>>,
}

impl Family {
    /// Returns the code for a member, compiled on first use. Returns `None` if the program can't be compiled.
    pub(super) fn machine(&self, member: &Program) -> Option<Machine> {
        let shared = self.machine.get_or_init(|| Machine::shared(&self.program, &self.open));
        shared.as_ref().map(|shared| shared.for_member(member, self.open.table(member)))
    }

    /// Returns `true` unless a program has code of its own, from before it joined.
    pub(super) fn runs(&self, member: &Machines) -> bool {
        match (member.by_kind[RunKind::Steps as usize].get(), self.machine.get()) {
            (Some(Some(own)), Some(Some(shared))) => own.has_code_of(shared),
            (Some(Some(_)), _) => false,
            (Some(None) | None, _) => true,
        }
    }
}

/// Makes families of programs that differ only in some numbers. Programs that are in a family already stay there.
pub fn join<'g>(members: impl IntoIterator<Item = (&'g Program, &'g Machines)>) {
    let mut groups: Vec<Vec<(&Program, &Machines)>> = vec![];
    for member in members {
        match groups.iter_mut().find(|group| are_alike(group[0].0, member.0)) {
            Some(group) => group.push(member),
            None => groups.push(vec![member]),
        }
    }
    for group in groups.into_iter().filter(|group| group.len() > 1) {
        let mut open = OpenNumbers::default();
        group.iter().for_each(|(program, _)| open.add(group[0].0, program));
        let program = Arc::new(group[0].0.clone());
        let family = Arc::new(Family { program, open, machine: OnceLock::new() });
        group.iter().for_each(|(_, machines)| machines.join(&family));
    }
}

/// Returns `true` if the code of two programs for single decisions differs at most in maximums of ranges from
/// 0, and in numbers that instructions compare with.
fn are_alike(one: &Program, other: &Program) -> bool {
    let header = |p: &Program| {
        let addresses = [p.items, p.item_count, p.totals, p.keys, p.key_count, p.measures, p.measure_count];
        (p.code.len(), [p.width, p.players], [p.frame, p.persistent, p.live, p.reset, p.budget], addresses)
    };
    let starts = |p: &Program| ([p.start, p.turn, p.derive], [p.score, p.measure], p.payoffs, p.limit);
    let alike = |(a, b): (&Instruction, &Instruction)| match (compared(a), compared(b)) {
        (Some(_), Some(_)) => closed(*a) == closed(*b),
        _ => a == b,
    };
    // Code for hooks belongs to their scripts.
    one.hooks == 0
        && other.hooks == 0
        && header(one) == header(other)
        && one.least_wins == other.least_wins
        && starts(one) == starts(other)
        && one.code.iter().zip(&other.code).all(alike)
        && one.ranges.len() == other.ranges.len()
        && one.ranges.iter().zip(&other.ranges).all(|(a, b)| {
            let counts = |high: i64| (0..i64::MAX).contains(&high);
            (a.low, a.element) == (b.low, b.element)
                && (a.high == b.high || a.low == 0 && counts(a.high) && counts(b.high))
        })
        && one.code.iter().all(|instruction| match instruction {
            Instruction::Reset { words } => {
                let words = usize::from(words.at)..usize::from(words.at) + usize::from(words.len);
                one.initial.get(words.clone()) == other.initial.get(words)
            }
            _ => true,
        })
        && (&one.sets, &one.set_tables, &one.numbers, &one.number_tables)
            == (&other.sets, &other.set_tables, &other.numbers, &other.number_tables)
        && (&one.teams, &one.lines, &one.functions, &one.pasts)
            == (&other.teams, &other.lines, &other.functions, &other.pasts)
        && (&one.dice, &one.stops) == (&other.dice, &other.stops)
}

/// Returns the number that an instruction compares with and that may be open.
fn compared(instruction: &Instruction) -> Option<Imm> {
    match instruction {
        Instruction::IfEqualK { k, .. } | Instruction::IfLessK { k, .. } => Some(*k),
        _ => None,
    }
}

/// Returns the instruction with 0 as the number that it compares with.
fn closed(mut instruction: Instruction) -> Instruction {
    if let Instruction::IfEqualK { k, .. } | Instruction::IfLessK { k, .. } = &mut instruction {
        *k = Imm(0);
    }
    instruction
}
