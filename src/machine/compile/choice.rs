//! Lowering of choices: the mask of legal actions, and the bodies of the options.
//!
//! An action mask is a row of words. An option with one binder has a bit for each element; with several, a row of
//! such bits for each combination of the first ones. Options without binders share words. Deliberate options come
//! last, so that random players need only look at the words before them.

use super::layout::{Changed, changed};
use super::lower::{CodeLabel, Exits, Lowering};
use super::places::{ChoicePlaces, places};
use crate::program::{
    Bit, ChoiceStop, In, Instruction as I, NumberMut, OptionBits, OptionRef, Out, SavedWords, SetIn, Span16,
    StepRef, StopKind,
};
use houserule_model::{
    CheckedBlock, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmtKind, Choice, ChoiceId,
    ComparisonOperator, Value,
};

impl Lowering<'_> {
    pub(super) fn choose(&mut self, id: ChoiceId, exits: Exits) {
        let choice = &self.model.choices[id.index()];
        // The layout was computed before, so it is not too large.
        let Ok(mut places) = places(self.model, choice) else { return };
        let (nothing, end) = (self.label(), self.label());
        let entry = self.entry();
        let bodies: Vec<CodeLabel> = choice.options.iter().map(|_| self.label()).collect();
        let before = self.free.clone();
        let mut tried = None;
        // Options that the params rule out don't count. If a single option is left, it needs no mask of its
        // own.
        let ruled_out = |o: &CheckedOption| o.filter.as_ref().is_some_and(is_false);
        let mut left: Vec<(usize, &CheckedOption)> =
            choice.options.iter().enumerate().filter(|(_, option)| !ruled_out(option)).collect();
        let alone = matches!(left[..], [(_, only)] if self.is_plain(only) && only.ensuring.is_none());
        if !alone {
            left = choice.options.iter().enumerate().collect();
        }
        match left[..] {
            [] => self.jump(nothing),
            [(number, only)] if alone => {
                let region = self.plain_region(&only.binders[0].over);
                let d = self.binder(only, 0);
                let option = self.counted_option(id, number);
                places.keep_alone(number, only.deliberate);
                let stop = self.choice_stop(id, &places, &bodies, region.0);
                let stop = self.add_stop(StopKind::Choice(stop), entry);
                let me = In(self.me);
                self.emit(I::ChooseOne { stop, option, d: Out(d), a: region, me, to: nothing.block() });
            }
            _ => {
                self.fill_region(choice, &places);
                let stop = self.choice_stop(id, &places, &bodies, self.layout.region);
                let stop = self.add_stop(StopKind::Choice(stop), entry);
                let to = nothing.block();
                if choice.options.iter().any(|option| option.ensuring.is_some()) {
                    tried = Some(stop);
                    self.emit(I::ChooseTried { stop, to });
                } else {
                    self.emit(I::Choose { stop, to });
                }
            }
        }
        for (number, option) in left {
            self.bind(bodies[number]);
            self.forget_cells();
            self.free.clone_from(&before);
            for binder in &option.binders {
                if binder.subset {
                    self.whole_subset(binder);
                    continue;
                }
                self.sure.insert(binder.local);
                if let Some(board) = self.free_sites(&binder.over) {
                    self.free.insert(binder.local, board);
                }
            }
            self.block(&option.body, exits);
            if let Some((condition, stop)) = option.ensuring.as_ref().zip(tried) {
                let failed = self.label();
                self.branch(condition, false, failed);
                self.emit(I::Kept { stop, option: self.counted_option(id, number) });
                self.forget_subset(option);
                self.jump(end);
                self.bind(failed);
                self.emit(I::Failed { stop, to: nothing.block() });
                continue;
            }
            self.forget_subset(option);
            self.jump(end);
        }
        self.bind(nothing);
        // A trial that was undone may have left values.
        self.forget_cells();
        self.free.clone_from(&before);
        if let Some(otherwise) = &choice.otherwise {
            if let Some(number) = self.counted.index_of_otherwise(id) {
                let step = (self.model.steps.len() as u32 + number) as u16;
                self.emit(I::Mark { step: StepRef(step) });
            }
            self.block(otherwise, exits);
        }
        self.bind(end);
        self.free.clear();
    }

    /// Returns the count of an option of a choice.
    fn counted_option(&self, choice: ChoiceId, option: usize) -> OptionRef {
        OptionRef(self.counted.index_of_option(choice, option) as u16)
    }

    /// Builds the data from which a state reads the legal actions of a choice.
    fn choice_stop(
        &mut self,
        id: ChoiceId,
        places: &ChoicePlaces,
        bodies: &[CodeLabel],
        region: u16,
    ) -> ChoiceStop {
        let choice = &self.model.choices[id.index()];
        let mut stop = ChoiceStop {
            choice: id.0,
            me: self.me,
            region,
            words: places.words,
            random_words: places.random_words,
            parts: vec![],
            part_of_word: vec![0; usize::from(places.words)],
        };
        for (number, place) in places.places.iter().enumerate() {
            let option = &choice.options[place.option];
            let binders = (0..option.binders.len()).map(|k| self.binder(option, k)).collect();
            let block = &self.model.actions[option.actions.index()];
            let part = OptionBits {
                option: place.option as u32,
                first_action: block.first,
                block: option.actions.0,
                counted: self.counted.index_of_option(id, place.option),
                first_word: place.first_word,
                bit: place.bit,
                sizes: place.sizes.clone(),
                binders,
                body: bodies[place.option].block(),
                tried: option.ensuring.as_ref().map(|_| self.changed_by(&option.body)),
            };
            if place.bit == 0 {
                let rows: u32 = place.sizes.split_last().map_or(1, |(_, rest)| rest.iter().product());
                let first = usize::from(place.first_word);
                let words = (rows * part.row_words()) as usize;
                stop.part_of_word[first..first + words].fill(number as u16);
            }
            stop.parts.push(part);
        }
        stop
    }

    /// Computes a boolean or a number after a block, which is undone.
    pub(super) fn try_block(&mut self, body: &CheckedBlock, value: &CheckedExpr, d: Out) {
        let (free, ends, locals) =
            (self.free.clone(), std::mem::take(&mut self.branch_ends), self.locals.clone());
        // The value may read what the block introduces.
        for stmt in &body.stmts {
            if let CheckedStmtKind::Let { local, .. } = &stmt.kind {
                self.local(*local);
            }
        }
        let kept = self.changed_by(body);
        let each = |this: &mut Self, copy: fn(u16, u16) -> I| {
            for SavedWords { words, to } in &kept {
                (0..words.len).for_each(|at| this.emit(copy(words.at + at, to + at)));
            }
        };
        each(self, |at, to| I::Copy { d: Out(to), a: In(at) });
        // What is undone must not undo the value.
        let result = if d.0 < self.layout.live { self.number_temp() } else { d.0 };
        let end = self.label();
        // No statement of the block leaves it.
        self.holding_nothing(|this| {
            this.block(body, Exits { skip: None, done: end, again: end });
            this.number_into(value, result);
        });
        self.bind(end);
        each(self, |at, to| I::Copy { d: Out(at), a: In(to) });
        if result != d.0 {
            self.emit(I::Copy { d, a: In(result) });
        }
        (self.free, self.branch_ends, self.locals) = (free, ends, locals);
    }

    /// Returns the live words that a block may change, with temporaries to save them in.
    fn changed_by(&mut self, body: &CheckedBlock) -> Vec<SavedWords> {
        let span = |what: Changed| {
            let len = what.words(self.model, self.layout.width).min(usize::from(u16::MAX)) as u16;
            Some(Span16 { at: self.layout.place(what)?, len })
        };
        let mut spans: Vec<Span16> = changed(self.model, body).filter_map(span).collect();
        spans.sort_by_key(|span| span.at);
        let mut joined: Vec<Span16> = vec![];
        for span in spans {
            match joined.last_mut() {
                Some(last) if span.at <= last.at + last.len => {
                    last.len = last.len.max(span.at + span.len - last.at);
                }
                _ => joined.push(span),
            }
        }
        joined.into_iter().map(|words| SavedWords { words, to: self.temp(words.len) }).collect()
    }

    /// Returns `true` if an option's mask is the set of its one binder.
    fn is_plain(&self, option: &CheckedOption) -> bool {
        matches!(&option.binders[..], [only] if !only.subset) && option.filter.is_none()
    }

    /// Computes a set at an address that stays live while the game is suspended.
    fn plain_region(&mut self, over: &CheckedExpr) -> SetIn {
        if let CheckedExprKind::Read(_) = over.kind {
            let at = self.set(over);
            if at.0 < self.layout.live {
                return at;
            }
        }
        let region = self.layout.region;
        self.set_to(over, region, true);
        SetIn(region)
    }

    fn binder(&mut self, option: &CheckedOption, k: usize) -> u16 {
        self.local(option.binders[k].local)
    }

    fn fill_region(&mut self, choice: &Choice, places: &ChoicePlaces) {
        let region = self.layout.region;
        // Words of options without binders start with the bits of options that are always legal.
        let mut always = std::collections::BTreeMap::<u16, i64>::new();
        for place in &places.places {
            let option = &choice.options[place.option];
            if place.sizes.is_empty() {
                let bits = always.entry(place.first_word).or_default();
                if option.filter.as_ref().is_none_or(is_true) {
                    *bits |= 1 << place.bit;
                }
            }
        }
        // A condition with a single small input is looked up, together with the constant bits of its word.
        let mut looked_up = std::collections::BTreeMap::new();
        for (number, place) in places.places.iter().enumerate() {
            let Some(filter) = &choice.options[place.option].filter else { continue };
            let free = place.sizes.is_empty() && !looked_up.contains_key(&place.first_word);
            if !free || is_below(filter) || is_true(filter) {
                continue;
            }
            let bits = always.get(&place.first_word).copied().unwrap_or(0);
            if let Some(table) = self.as_bit_table(filter, place.bit, bits) {
                looked_up.insert(place.first_word, (number, table));
            }
        }
        for (word, bits) in always {
            match looked_up.get(&word) {
                Some((_, (table, index))) => {
                    self.emit(I::Look { d: Out(region + word), table: *table, index: *index });
                }
                None => self.constant(bits, Out(region + word)),
            }
        }
        for (number, place) in places.places.iter().enumerate() {
            if looked_up.values().any(|(other, _)| *other == number) {
                continue;
            }
            let option = &choice.options[place.option];
            let at = region + place.first_word;
            match (&option.binders[..], &option.filter) {
                ([], None) => {}
                ([], Some(filter)) => self.scoped(|this| {
                    let no = this.label();
                    this.branch(filter, false, no);
                    this.emit(I::RegionBit { d: NumberMut(at), bit: Bit(place.bit) });
                    this.bind(no);
                }),
                _ => self.bound_options(option, place, at),
            }
        }
    }
}

/// Returns `true` for `<` and `<=`: a single instruction makes a bit of such a condition.
fn is_below(e: &CheckedExpr) -> bool {
    matches!(&e.kind, CheckedExprKind::Compare(ComparisonOperator::Less | ComparisonOperator::LessEqual, ..))
}

/// Returns `true` if the params alone show that a condition always holds.
fn is_true(e: &CheckedExpr) -> bool {
    matches!(e.kind, CheckedExprKind::Constant(Value::Bool(true)))
}

/// Returns `true` if the params alone show that a condition never holds.
fn is_false(e: &CheckedExpr) -> bool {
    matches!(e.kind, CheckedExprKind::Constant(Value::Bool(false)))
}
