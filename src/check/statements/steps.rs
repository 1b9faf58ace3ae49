//! Options that choose a subset in several decisions, because each subset as an action would be too many actions.
//!
//! Each decision takes one element, which comes after the one before in the order of the domain. It is legal if some
//! subset that fulfils the condition goes on with it, so no player gets stuck. `done` ends a subset that may stay as it is.

use std::ops::RangeInclusive;

use super::choice::OptionParts;
use super::subsets::SubsetBase;
use crate::checker::Checker;
use crate::checker::context::LookAhead;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax::{self, Quantifier};
use houserule_model::*;

/// The name of the action that ends a subset.
const DONE: &str = "done";

/// A subset that an option chooses in steps.
pub(super) struct StepwiseSubset<'a> {
    pub(super) option: &'a syntax::ChoiceOption,
    pub(super) binder: &'a syntax::Binder,
    pub(super) base: SubsetBase,
    /// The numbers of its elements.
    pub(super) sizes: RangeInclusive<u32>,
    /// Whether all learn what is taken.
    pub(super) seen: Option<Visibility>,
}

impl<'a> Checker<'a> {
    /// The parts of an option that takes the first element of a subset, and in whose body the others are taken.
    pub(super) fn first_step(
        &mut self,
        subset: &StepwiseSubset<'a>,
        mut binders: Vec<CheckedBinder>,
    ) -> Option<OptionParts> {
        let option = subset.option;
        let hooked = ["allow", "on"]
            .into_iter()
            .find(|word| self.hooks.is_defined(&format!("{word}_{}", option.name.text)));
        let unfit = match (&option.ensuring, hooked) {
            (Some(ensuring), _) => Some((ensuring.span, "`ensuring` can't be asked".to_owned())),
            (None, Some(word)) => {
                Some((option.name.span, format!("a script can't have `{word}_{}`", option.name.text)))
            }
            (None, None) => None,
        };
        if let Some((span, what)) = unfit {
            let message = format!("{what} of a subset that is chosen in steps");
            let d = Diagnostic::error(Code::Misplaced, span, message).also(
                subset.binder.over.span,
                "of this set there are too many subsets for an action each, so elements are chosen one after the other",
            );
            self.draft.messages.report(d);
            return None;
        }
        let (first, filter, body) = self.next_step(subset, &[])?;
        binders.push(first);
        Some(OptionParts { binders, filter: Some(filter), ensuring: None, body })
    }

    /// The choice of one more element: its binder, when it can be taken, and what comes then.
    fn next_step(
        &mut self,
        subset: &StepwiseSubset<'a>,
        before: &[CheckedExpr],
    ) -> Option<(CheckedBinder, CheckedExpr, CheckedBlock)> {
        let (next, element) = self.draft.next_taken(subset.binder, &subset.base, before);
        let taken = [before, &[element]].concat();
        let (count, span) = (taken.len() as u32, subset.option.span);
        let (least, most) = (*subset.sizes.start(), *subset.sizes.end());
        let more = least.saturating_sub(count)..=most.saturating_sub(count);
        let each: Option<Vec<CheckedExpr>> =
            more.map(|more| self.some_subset(subset, &taken, more)).collect();
        let filter = self.draft.balanced(each?, &mut |c, a, b| {
            c.build(CheckedExprKind::Or(Box::new(a), Box::new(b)), Type::Bool, span)
        })?;
        let body = match (self.context.looks_ahead != LookAhead::No, count < most) {
            (true, _) => CheckedBlock::default(),
            (false, false) => self.body_with(subset, taken),
            (false, true) => {
                let kind = CheckedStmtKind::Choose(self.further_step(subset, taken)?);
                CheckedBlock { stmts: vec![CheckedStmt { kind, span }] }
            }
        };
        Some((next, filter, body))
    }

    /// The choice after some elements: one more, or `done`.
    fn further_step(&mut self, subset: &StepwiseSubset<'a>, taken: Vec<CheckedExpr>) -> Option<ChoiceId> {
        let option = subset.option;
        let (name, span) = (option.name.text.clone(), option.name.span);
        let id = ChoiceId(self.draft.model.choices.len() as u32);
        self.draft.model.choices.push(Choice {
            name,
            step: self.position.step,
            options: vec![],
            otherwise: None,
            span,
        });
        let (next, filter, body) = self.next_step(subset, &taken)?;
        let on = OptionParts { binders: vec![next], filter: Some(filter), ensuring: None, body };
        let mut options = vec![self.option_of(option, &option.name.text, subset.seen, on)];
        if taken.len() as u32 >= *subset.sizes.start() {
            let filter = self.some_subset(subset, &taken, 0)?;
            let body = self.body_with(subset, taken);
            let end = OptionParts { binders: vec![], filter: Some(filter), ensuring: None, body };
            let mut done = self.option_of(option, DONE, None, end);
            done.help.clear();
            options.push(done);
        }
        self.draft.model.choices[id.index()].options = options;
        Some(id)
    }

    /// Is there a subset that has these elements and some more behind them, and fulfils the condition?
    fn some_subset(
        &mut self,
        subset: &StepwiseSubset<'a>,
        taken: &[CheckedExpr],
        more: u32,
    ) -> Option<CheckedExpr> {
        let (option, binder) = (subset.option, subset.binder);
        self.scoped(vec![], |c| {
            let (mut all, mut binders) = (taken.to_vec(), vec![]);
            for _ in 0..more {
                let (next, element) = c.draft.next_taken(binder, &subset.base, &all);
                binders.push(next);
                all.push(element);
            }
            c.bind_taken(binder, &subset.base, all);
            let mut holds = match &option.filter {
                Some(filter) => c.condition(filter)?,
                None => c.draft.truth_constant(true, option.span),
            };
            for CheckedBinder { local, over, .. } in binders.into_iter().rev() {
                holds = c.draft.quantified(Quantifier::Any, local, over, holds, Type::Bool, option.span);
            }
            Some(holds)
        })
    }

    /// The body of the option, with the elements that were taken.
    fn body_with(&mut self, subset: &StepwiseSubset<'a>, taken: Vec<CheckedExpr>) -> CheckedBlock {
        let option = subset.option;
        self.scoped(vec![], |c| {
            c.bind_taken(subset.binder, &subset.base, taken);
            if let Some(filter) = &option.filter {
                let holds = c.condition(filter);
                let facts = c.facts_if(holds.as_ref(), true);
                c.scopes.facts.learn(facts);
            }
            c.position.within.push(("option", &option.name.text));
            let body = c.block(&option.body);
            c.position.within.pop();
            body
        })
    }
}
