//! Choices: the legal set of a site, and what each option does.
//!
//! A legal set is a row of words. An option with one binder has a bit for each element; with several,
//! a row of such bits for each combination of the first ones. Options without binders share words.
//! Deliberate options come last, so that random players can look at the words before them alone.

use super::lower::{Exits, Label, Lower};
use super::places::{Place, Places, places};
use crate::lang::model::{Choice, ChoiceId, ChoiceOption, Expr, ExprKind, Type};
use crate::program::{
    Bit, ChoiceSite, Imm, In, Instruction as I, OptionRef, Out, Part, Rare, SetIn, SiteKind, Size, Span16,
};

impl Lower<'_> {
    pub(super) fn choose(&mut self, id: ChoiceId, exits: Exits) {
        let choice = &self.model.choices[id.index()];
        // Laid out once before; what was too large did not come here.
        let Ok(places) = places(self.model, choice) else { return };
        let (nothing, end) = (self.label(), self.label());
        let entry = self.here();
        let bodies: Vec<Label> = choice.options.iter().map(|_| self.label()).collect();
        let before = self.free.clone();
        match &choice.options[..] {
            [] => self.jump(nothing),
            [only] if self.is_plain(only) => {
                let region = self.plain_region(&only.binders[0].over);
                let d = self.binder(only, 0);
                let block = &self.model.actions[only.actions.index()];
                let option = OptionRef(only.actions.0 as u16);
                let site = ChoiceSite {
                    choice: id.0,
                    me: self.me,
                    region: region.0,
                    words: places.words,
                    random_words: places.random_words,
                    parts: vec![Part {
                        option: 0,
                        first_action: block.first,
                        block: only.actions.0,
                        first_word: 0,
                        bit: 0,
                        sizes: places.places[0].sizes.clone(),
                        binders: vec![d],
                        body: bodies[0].block(),
                    }],
                    part_of_word: vec![0; usize::from(places.words)],
                };
                let site = self.site(SiteKind::Choice(site), entry, self.program.code.len());
                let me = In(self.me);
                self.emit(I::ChooseOne { site, option, d: Out(d), a: region, me, to: nothing.block() });
            }
            _ => {
                self.fill_region(choice, &places);
                let mut site = ChoiceSite {
                    choice: id.0,
                    me: self.me,
                    region: self.layout.region,
                    words: places.words,
                    random_words: places.random_words,
                    parts: vec![],
                    part_of_word: vec![0; usize::from(places.words)],
                };
                for (number, place) in places.places.iter().enumerate() {
                    let option = &choice.options[place.option];
                    let binders = (0..option.binders.len()).map(|k| self.binder(option, k)).collect();
                    let block = &self.model.actions[option.actions.index()];
                    let part = Part {
                        option: place.option as u32,
                        first_action: block.first,
                        block: option.actions.0,
                        first_word: place.first_word,
                        bit: place.bit,
                        sizes: place.sizes.clone(),
                        binders,
                        body: bodies[place.option].block(),
                    };
                    if place.bit == 0 {
                        let rows: u32 = place.sizes.split_last().map_or(1, |(_, rest)| rest.iter().product());
                        let first = usize::from(place.first_word);
                        let words = (rows * part.row_words()) as usize;
                        site.part_of_word[first..first + words].fill(number as u16);
                    }
                    site.parts.push(part);
                }
                let site = self.site(SiteKind::Choice(site), entry, self.program.code.len());
                self.emit(I::Choose { site, to: nothing.block() });
            }
        }
        for (option, body) in choice.options.iter().zip(bodies) {
            self.bind(body);
            self.free.clone_from(&before);
            for binder in &option.binders {
                self.sure.insert(binder.local);
                if let Some(board) = self.free_sites(&binder.over) {
                    self.free.insert(binder.local, board);
                }
            }
            self.block(&option.body, exits);
            self.jump(end);
        }
        self.bind(nothing);
        self.free.clone_from(&before);
        if let Some(otherwise) = &choice.otherwise {
            self.block(otherwise, exits);
        }
        self.bind(end);
        self.free.clear();
    }

    /// Is an option's legal set the set of its one binder?
    fn is_plain(&self, option: &ChoiceOption) -> bool {
        option.binders.len() == 1 && option.filter.is_none()
    }

    /// A set where it lasts while the game is suspended.
    fn plain_region(&mut self, over: &Expr) -> SetIn {
        if let ExprKind::Read(_) = over.kind {
            let at = self.set(over);
            if at.0 < self.layout.live {
                return at;
            }
        }
        let region = self.layout.region;
        self.set_into(over, region);
        SetIn(region)
    }

    fn binder(&mut self, option: &ChoiceOption, k: usize) -> u16 {
        self.local(option.binders[k].local)
    }

    fn fill_region(&mut self, choice: &Choice, places: &Places) {
        let region = self.layout.region;
        // Words of options that are written bit by bit or row by row start clear.
        let mut always = std::collections::BTreeMap::<u16, i64>::new();
        for place in &places.places {
            let option = &choice.options[place.option];
            if place.sizes.is_empty() {
                let bits = always.entry(place.first_word).or_default();
                let is_true = match &option.filter {
                    None => true,
                    Some(f) => matches!(f.kind, ExprKind::Constant(crate::lang::model::Value::Bool(true))),
                };
                if is_true {
                    *bits |= 1 << place.bit;
                }
            }
        }
        for (word, bits) in always {
            self.constant(bits, Out(region + word));
        }
        for place in &places.places {
            let option = &choice.options[place.option];
            let at = region + place.first_word;
            match (&option.binders[..], &option.filter) {
                ([], None) => {}
                ([], Some(filter)) => self.scoped(|this| {
                    let no = this.label();
                    this.branch(filter, false, no);
                    this.emit(I::RegionBit { d: Out(at), bit: Bit(place.bit) });
                    this.bind(no);
                }),
                ([_], _) => self.scoped(|this| {
                    let a = this.bound_set(option);
                    let words = Span16 { at, len: place.sizes[0].div_ceil(64) as u16 };
                    this.emit(I::RegionSet { words, a });
                }),
                (binders, _) => {
                    let rows: u32 = place.sizes[..binders.len() - 1].iter().product();
                    let row_words = place.sizes[binders.len() - 1].div_ceil(64);
                    let words = Span16 { at, len: (rows * row_words) as u16 };
                    self.emit(I::RegionClear { words });
                    self.rows(option, place, 0, words);
                }
            }
        }
    }

    /// The last binder's set, for the earlier ones as they are bound.
    fn bound_set(&mut self, option: &ChoiceOption) -> SetIn {
        let Some(binder) = option.binders.last() else { return SetIn(self.layout.region) };
        match &option.filter {
            None => self.set(&binder.over),
            Some(filter) => {
                let kept = Expr {
                    kind: ExprKind::Filter {
                        local: binder.local,
                        over: Box::new(binder.over.clone()),
                        condition: Box::new(filter.clone()),
                    },
                    ty: Type::Set(binder.domain),
                    span: option.span,
                };
                let lasting = self.locals[binder.local.index()];
                let d = self.set_temp();
                self.set_into(&kept, d);
                self.locals[binder.local.index()] = lasting;
                SetIn(d)
            }
        }
    }

    /// A row for each combination of the binders from `k` on but the last.
    fn rows(&mut self, option: &ChoiceOption, place: &Place, k: usize, words: Span16) {
        let last = option.binders.len() - 1;
        if k == last {
            self.scoped(|this| {
                let mut row = this.local(option.binders[0].local);
                for (binder, size) in option.binders[1..last].iter().zip(&place.sizes[1..last]) {
                    let (t, n) = (this.number_temp(), this.number_temp());
                    this.emit(I::Const { d: Out(n), k: Imm(*size as i32) });
                    this.emit(I::Rarely { d: Out(t), op: Rare::Multiply, a: In(row), b: In(n) });
                    let b = In(this.local(binder.local));
                    this.emit(I::Add { d: Out(t), a: In(t), b });
                    row = t;
                }
                let a = this.bound_set(option);
                let size = Size(place.sizes[last].min(u16::MAX.into()) as u16);
                this.emit(I::RegionRow { words, size, row: In(row), a });
            });
            return;
        }
        let local = option.binders[k].local;
        let lasting = self.locals[local.index()];
        self.for_each(local, &option.binders[k].over, |this| this.rows(option, place, k + 1, words));
        self.locals[local.index()] = lasting;
    }
}
