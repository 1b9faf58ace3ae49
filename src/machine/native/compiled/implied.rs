//! Counters of whole games that follow from others, so that compiled code need not keep them: of most programs a turn
//! rolls once, or enters a step once, and every decision uses an option.

use super::accesses::{few_of, is_plain_roll};
use super::calls::INLINE_COUNTERS;
use super::flow::{FlowAnalysis, successors};
use crate::native::RunKind;
use crate::program::{Instruction as I, Program, StopKind};
use crate::run_state::{Counters, Fault, Stop};

/// Which counters of a program follow from others.
#[derive(Debug, Default)]
pub(super) struct ImpliedCounts {
    /// The lead of the rolls, if it is known. It is that of games that end: of a game that fails, nobody reads the rolls.
    pub(super) rolls: Option<Lead>,
    /// The steps whose number of entries follows from the number of turns.
    steps: Vec<(usize, Lead)>,
    /// The option that is used whenever a decision uses no other.
    option: Option<usize>,
}

/// By how much a counter is ahead of the number of turns, where that difference is the same on every path to a place.
#[derive(Debug)]
pub(super) struct Lead {
    /// The lead where a game ends.
    pub(super) at_end: i64,
    /// By instruction: the lead if a game fails there.
    at_fault: Vec<i64>,
}

impl ImpliedCounts {
    /// Finds the counters of whole games that follow from others.
    pub(super) fn new(program: &Program, flow: &FlowAnalysis) -> ImpliedCounts {
        if flow.kind != RunKind::Games {
            return ImpliedCounts::default();
        }
        let rolls = Lead::new(program, flow, &|i| match i {
            I::Roll { .. } if is_plain_roll(program, i) => Some(1),
            // The interpreter rolls, and counts by itself.
            I::Roll { .. } | I::RollSome { .. } | I::RollOne { .. } => None,
            _ => Some(0),
        });
        let steps = (0..program.steps.len().min(INLINE_COUNTERS)).filter_map(|number| {
            let marks = |i: &I| matches!(i, I::Mark { step } if usize::from(step.0) == number);
            Lead::new(program, flow, &|i| Some(marks(i).into())).map(|lead| (number, lead))
        });
        ImpliedCounts { rolls, steps: steps.collect(), option: option(program) }
    }

    /// Returns `true` if the entries of a step are not counted where it is entered.
    pub(super) fn has_step(&self, step: usize) -> bool {
        self.steps.iter().any(|(number, _)| *number == step)
    }

    /// Returns `true` if the uses of an option are not counted where it is used.
    pub(super) fn has_option(&self, option: usize) -> bool {
        self.option == Some(option)
    }

    /// Fills in the counts of options and steps after some games, which have these counters. `failed` is how the last
    /// game failed, if it did.
    pub(super) fn complete(
        &self,
        rows: &[Counters],
        failed: Option<Stop>,
        options: &mut [u64; INLINE_COUNTERS],
        steps: &mut [u64; INLINE_COUNTERS],
    ) {
        if let Some(option) = self.option {
            let others: u64 = options.iter().sum();
            // A decision beyond the limit uses no option.
            let unused = matches!(failed, Some(Stop::Fault { fault: Fault::Limit, .. }));
            options[option] = rows.iter().map(|row| row.decisions).sum::<u64>() - others - u64::from(unused);
        }
        let turns = rows.iter().map(|row| row.turns as i64).sum::<i64>();
        for (step, lead) in &self.steps {
            let ahead = match failed {
                Some(Stop::Fault { at, .. }) => {
                    lead.at_end * (rows.len() as i64 - 1) + lead.at_fault[at as usize]
                }
                _ => lead.at_end * rows.len() as i64,
            };
            steps[*step] = (turns + ahead) as u64;
        }
    }
}

impl Lead {
    /// Returns the lead of a counter. `counts` returns by how much an instruction raises the counter, or `None` if that
    /// is not known. Returns `None` if the lead at some instruction is not known, or differs between the paths to it.
    fn new(program: &Program, flow: &FlowAnalysis, counts: &dyn Fn(&I) -> Option<i64>) -> Option<Lead> {
        let mut before = vec![None; program.code.len()];
        let mut at_fault = vec![0; program.code.len()];
        let (mut at_end, mut next) = (None, vec![]);
        let mut open = vec![];
        for entry in &flow.entries {
            before[usize::from(*entry)] = Some(0);
            open.push(*entry);
        }
        while let Some(at) = open.pop() {
            let instruction = &program.code[usize::from(at)];
            let turns = match instruction {
                I::NextTurn { .. } | I::SameTurn { .. } => 1,
                I::Over { turns, .. } => i64::from(turns.0 > 0),
                I::RepeatTurn { .. } | I::ChooseOne { .. } | I::Choose { .. } => 0,
                I::Roll { .. } | I::RollSome { .. } | I::RollOne { .. } => 0,
                // What it counts isn't known here.
                other if other.effects().counts => return None,
                _ => 0,
            };
            let here = before[usize::from(at)]?;
            let after = here + counts(instruction)? - turns;
            // The instruction that ends a turn counts the turn before it can fail.
            at_fault[usize::from(at)] = here - turns;
            if let I::Over { .. } = instruction {
                // The scores count nothing.
                if *at_end.get_or_insert(after) != after {
                    return None;
                }
            }
            successors(program, flow.kind, at, &mut next);
            for to in next.drain(..) {
                match before[usize::from(to)] {
                    None => {
                        before[usize::from(to)] = Some(after);
                        open.push(to);
                    }
                    Some(other) if other != after => return None,
                    Some(_) => {}
                }
            }
        }
        Some(Lead { at_end: at_end?, at_fault })
    }
}

/// Returns the first option, if compiled code counts the uses of all options by itself.
fn option(program: &Program) -> Option<usize> {
    let is_inline = |i: &I| match i {
        I::Choose { .. } => few_of(program, i).is_some(),
        I::ChooseTried { .. } | I::Failed { .. } => false,
        _ => true,
    };
    let choices = program.stops.iter().filter_map(|stop| match &stop.kind {
        StopKind::Choice(choice) => Some(choice),
        _ => None,
    });
    let mut counted = choices.flat_map(|choice| &choice.parts).map(|part| part.counted as usize).peekable();
    let first = *counted.peek()?;
    (program.code.iter().all(is_inline) && counted.all(|option| option < INLINE_COUNTERS)).then_some(first)
}
