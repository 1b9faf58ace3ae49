//! Execution of choices: the legal actions, and the effect of taking one.

use super::eval::fail;
use super::exec::{Completion, Executed, ReferenceRun};
use super::{Halt, Situation, TRIAL_BUDGET};
use crate::{ActionId, RuntimeErrorKind};
use houserule_model::board::BitSet;
use houserule_model::{CheckedBinder, Choice, ChoiceId, Value};

/// A legal action: its option and the values of its binders.
struct Legal {
    id: ActionId,
    option: usize,
    bound: Vec<u32>,
}

impl ReferenceRun<'_> {
    pub(crate) fn choose(&mut self, id: ChoiceId) -> Executed<Completion> {
        let choice = &self.model.choices[id.index()];
        let mut legal = vec![];
        for option in 0..choice.options.len() {
            self.add_legal(choice, option, &mut vec![], &mut legal)?;
        }
        // Equal bindings of options that share a block are one action, of the first option.
        legal.sort_by_key(|l| l.id);
        legal.dedup_by_key(|l| l.id);
        let mut kept = vec![];
        for candidate in legal {
            if self.holds_afterwards(choice, &candidate)? {
                kept.push(candidate);
            }
        }
        let legal = kept;
        if legal.is_empty() {
            return choice.otherwise.as_ref().map_or(Ok(Completion::On), |block| self.block(block));
        }
        let ids: Vec<ActionId> = legal.iter().map(|l| l.id).collect();
        let view = Situation {
            model: self.model,
            state: self.state,
            me: self.me,
            choice: Some(id),
            counts: self.counts,
            locals: &self.locals,
        };
        let chosen = self.driver.choose(&view, &ids)?;
        let Some(chosen) = legal.iter().find(|l| l.id == chosen) else { return Err(Halt::Illegal) };
        if self.counts.decisions >= self.model.limit {
            return Ok(fail(choice.span, RuntimeErrorKind::Limit { decisions: self.model.limit })?);
        }
        self.counts.decisions += 1;
        (self.loops, self.tried) = (0, 0);
        let option = &choice.options[chosen.option];
        for (binder, x) in option.binders.iter().zip(&chosen.bound) {
            self.bind(binder, *x);
        }
        let flow = self.block(&option.body)?;
        if let Some(condition) = &option.ensuring {
            // An error that the trial ignored is raised now.
            self.eval().truth(condition)?;
        }
        Ok(flow)
    }

    /// Returns `true` if an option's `ensuring` condition holds after it. The option is executed on trial and
    /// rolled back. An error counts as legal, and is raised when the action is taken.
    fn holds_afterwards(&mut self, choice: &Choice, candidate: &Legal) -> Executed<bool> {
        let option = &choice.options[candidate.option];
        let Some(condition) = &option.ensuring else { return Ok(true) };
        let (state, locals, loops) = (self.state.clone(), self.locals.clone(), self.loops);
        self.loops = 0;
        for (binder, x) in option.binders.iter().zip(&candidate.bound) {
            self.bind(binder, *x);
        }
        let holds = match self.block(&option.body) {
            Ok(_) => self.eval().truth(condition).unwrap_or(true),
            Err(_) => true,
        };
        self.tried += self.loops + 1;
        (*self.state, self.locals, self.loops) = (state, locals, loops);
        if self.tried > TRIAL_BUDGET {
            return Ok(fail(choice.span, RuntimeErrorKind::Budget)?);
        }
        Ok(holds)
    }

    /// Adds the legal actions of an option that begin with these bindings.
    fn add_legal(
        &mut self,
        choice: &Choice,
        option: usize,
        bound: &mut Vec<u32>,
        legal: &mut Vec<Legal>,
    ) -> Executed<()> {
        let o = &choice.options[option];
        if let Some(binder) = o.binders.get(bound.len()) {
            let over = self.eval().set(&binder.over)?;
            let all: Vec<u32> = if binder.subset { subsets(&over) } else { over.iter().collect() };
            for x in all {
                self.bind(binder, x);
                bound.push(x);
                self.add_legal(choice, option, bound, legal)?;
                bound.pop();
            }
            return Ok(());
        }
        if let Some(filter) = &o.filter
            && !self.eval().truth(filter)?
        {
            return Ok(());
        }
        let block = &self.model.actions[o.actions.index()];
        let sizes = block.sizes(self.model);
        let place = sizes.iter().zip(bound.iter()).fold(0, |place, (size, x)| place * size + x);
        let id = ActionId(block.first + place);
        legal.push(Legal { id, option, bound: bound.clone() });
        Ok(())
    }

    /// Gives a binder's local its value: an element, or a subset by its bits.
    fn bind(&mut self, binder: &CheckedBinder, x: u32) {
        if binder.subset {
            let size = self.model.domains[binder.domain.index()].size;
            let set = BitSet::from_elements(size, (0..size).filter(|e| x >> e & 1 == 1));
            self.locals[binder.local.index()] = Some(Value::Set(set));
        } else {
            self.eval().bind(binder.local, x);
        }
    }
}

/// Returns every subset of a set as bits, in ascending order.
fn subsets(of: &BitSet) -> Vec<u32> {
    let all = of.iter().fold(0u32, |bits, e| bits | 1 << e);
    (0..=all).filter(|bits| bits & !all == 0).collect()
}
