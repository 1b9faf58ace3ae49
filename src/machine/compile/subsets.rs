//! Action masks of options that choose a subset.

use super::conditions::lift::{and, conjuncts, mentions};
use super::lower::{Lowering, TABLE_STEPS};
use crate::program::{Bit, In, Instruction as I, Out, SetIn, SetMut, SetOut, Span16, ZERO};
use houserule_language::syntax::Quantifier;
use houserule_model::board::BitSet;
use houserule_model::constant::value_with;
use houserule_model::{CheckedBinder, CheckedExpr, CheckedExprKind, CheckedOption, Value};

/// A condition on a subset, divided by when it is tested.
struct SubsetTests {
    /// The set without the elements that no subset has.
    over: CheckedExpr,
    /// The bits of the subsets that it allows, if they are known.
    kept: Option<Vec<i64>>,
    /// What is tested of each subset otherwise.
    left: Option<CheckedExpr>,
}

impl Lowering<'_> {
    /// Writes the subsets of a binder's set that satisfy a filter into a row of an action mask.
    pub(super) fn subsets(
        &mut self,
        binder: &CheckedBinder,
        filter: Option<&CheckedExpr>,
        words: Span16,
        row: In,
    ) {
        let size = Bit(self.size_of(binder.domain).min(32) as u8);
        let SubsetTests { over, kept, left } = self.subset_tests(binder, filter);
        if let (CheckedExprKind::Constant(Value::Set(of)), 1, ZERO, None) =
            (&over.kind, words.len, row.0, &left)
        {
            let mut all = [0];
            houserule_model::board::subsets(
                size.0.into(),
                of.words().first().copied().unwrap_or(0),
                &mut all,
            );
            let kept = kept.and_then(|kept| kept.first().copied()).unwrap_or(-1);
            self.constant(all[0] as i64 & kept, Out(words.at));
            return;
        }
        let a = self.set(&over);
        self.emit(I::RegionSubsets { words, size, row, a });
        if let Some(kept) = kept {
            let table = self.number_table(0, &kept);
            self.emit(I::RegionKeep { words, row, table });
        }
        if let Some(left) = left {
            self.test_each(binder, &left, words, row, a);
        }
    }

    /// Divides the condition on a subset into what narrows its set and the rest, which is known of each subset or isn't.
    fn subset_tests(&mut self, binder: &CheckedBinder, filter: Option<&CheckedExpr>) -> SubsetTests {
        let mut tests = SubsetTests { over: binder.over.clone(), kept: None, left: None };
        let Some(filter) = filter else { return tests };
        tests.kept = self.satisfying_subsets(binder, filter);
        if tests.kept.is_some() {
            return tests;
        }
        let mut is_total = true;
        for part in conjuncts(filter) {
            is_total = is_total && self.never_fails(part);
            if let CheckedExprKind::Quantified { op: Quantifier::All, local, over, body } = &part.kind
                && is_total
                && matches!(over.kind, CheckedExprKind::Local(it) if it == binder.local)
                && !mentions(body, binder.local)
            {
                let (ty, span) = (tests.over.ty, tests.over.span);
                let (over, condition) = (Box::new(tests.over), body.clone());
                let kind = CheckedExprKind::Filter { local: *local, over, condition };
                tests.over = CheckedExpr { kind, ty, span };
            } else {
                tests.left = Some(tests.left.map_or_else(|| part.clone(), |left| and(left, part.clone())));
            }
        }
        tests.kept = tests.left.as_ref().and_then(|left| self.satisfying_subsets(binder, left));
        if tests.kept.is_some() {
            tests.left = None;
        }
        tests
    }

    /// Returns the bits of the subsets that satisfy a filter, if it depends on nothing else.
    fn satisfying_subsets(&mut self, binder: &CheckedBinder, filter: &CheckedExpr) -> Option<Vec<i64>> {
        let budget = TABLE_STEPS.0.min(self.table_steps);
        let mut steps = budget;
        let kept = self.satisfying_subsets_within(binder, filter, &mut steps);
        self.table_steps -= budget - steps;
        kept
    }

    fn satisfying_subsets_within(
        &self,
        binder: &CheckedBinder,
        filter: &CheckedExpr,
        steps: &mut u32,
    ) -> Option<Vec<i64>> {
        let size = self.model.domains[binder.domain.index()].size.min(16);
        let mut words = vec![0i64; 1 << size.saturating_sub(6)];
        for number in 0..1u32 << size {
            let set = BitSet::from_elements(size, (0..size).filter(|e| number >> e & 1 == 1));
            match value_with(self.model, filter, binder.local, Value::Set(set), steps)? {
                Value::Bool(true) => words[number as usize / 64] |= 1 << (number % 64),
                Value::Bool(false) => {}
                _ => return None,
            }
        }
        Some(words)
    }

    /// Iterates over the subsets of `of` and drops those that don't satisfy the filter.
    fn test_each(&mut self, binder: &CheckedBinder, filter: &CheckedExpr, words: Span16, row: In, of: SetIn) {
        let lasting = self.locals[binder.local.index()];
        let subset = self.set_temp();
        self.locals[binder.local.index()] = Some(subset);
        let size = self.model.domains[binder.domain.index()].size;
        self.constant_set(&BitSet::empty(size), subset);
        let (head, keep, end) = (self.here(), self.label(), self.label());
        self.scoped(|this| this.branch(filter, true, keep));
        let a = SetIn(subset);
        self.emit(I::RegionDrop { words, size: Bit(size.min(32) as u8), row, a });
        self.bind(keep);
        self.emit(I::NextSubset { d: SetMut(subset), a: of, to: end.block() });
        self.emit(I::Loop { to: head.block() });
        self.bind(end);
        self.locals[binder.local.index()] = lasting;
    }

    /// Clears a subset that was kept while the game was suspended, so that equal positions have equal states.
    pub(super) fn forget_subset(&mut self, option: &CheckedOption) {
        let Some(binder) = option.binders.last().filter(|b| b.subset) else { return };
        if let Some(at) = self.layout.locals[binder.local.index()] {
            self.constant_set(&BitSet::empty(self.model.domains[binder.domain.index()].size), at);
        }
    }

    /// Clears all words of a subset but the first, which choosing writes.
    pub(super) fn whole_subset(&mut self, binder: &CheckedBinder) {
        if self.layout.width == 1 {
            return;
        }
        let at = self.local(binder.local);
        let all = BitSet::full(self.model.domains[binder.domain.index()].size);
        let k = self.set_ref(&all);
        self.emit(I::AndK { d: SetOut(at), a: SetIn(at), k });
    }
}
