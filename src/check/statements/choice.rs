//! Checks choices and their options, and numbers the actions.

use std::ops::RangeInclusive;

use super::steps::StepwiseSubset;
use super::subsets::SubsetBinder;
use crate::checker::Checker;
use crate::checker::actions::ActionBlockKey;
use crate::checker::context::LookAhead;
use crate::draft::Draft;
use crate::messages::first_word;
use crate::names::definitions::DefinitionKind;
use crate::names::scopes::Binding;
use crate::values::{Val, constant_set, constant_truth};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::Choose;
use houserule_language::vocabulary::WordKind;
use houserule_model::board::BitSet;
use houserule_model::*;

/// How an option chooses a subset of a large set.
#[derive(Clone, Copy)]
enum Taking {
    /// It isn't known yet.
    Unknown,
    /// As one action, of this many elements.
    AtOnce(u32),
    /// One element after the other, each as an action.
    InSteps,
}

/// The subsets of a large set that an option may choose.
struct LargeSubset {
    /// The numbers of their elements.
    sizes: RangeInclusive<u32>,
    /// The number of actions if each subset is one.
    actions: u64,
}

/// Binders, `where`, `ensuring` and body of an option.
pub(super) struct OptionParts {
    pub(super) binders: Vec<CheckedBinder>,
    pub(super) filter: Option<CheckedExpr>,
    pub(super) ensuring: Option<CheckedExpr>,
    pub(super) body: CheckedBlock,
}

impl<'a> Checker<'a> {
    pub(super) fn choose(&mut self, choose: &'a Choose, span: Span) -> Option<CheckedStmtKind> {
        let name = match (&choose.name, self.position.step) {
            (Some(name), _) => name.text.clone(),
            (None, Some(step)) => self.draft.model.steps[step.index()].name.clone(),
            (None, None) => UNNAMED_CHOICE.into(),
        };
        let at = match &choose.name {
            Some(name) => name.span,
            None => first_word(span, "choose").unwrap_or(span),
        };
        if let Some(name) = &choose.name {
            self.recorder.define(DefinitionKind::Choice, name, span, None);
        }
        // The id is assigned before those of the choices in its options.
        let id = ChoiceId(self.draft.model.choices.len() as u32);
        let step = self.position.step;
        self.draft.model.choices.push(Choice { name, step, options: vec![], otherwise: None, span: at });
        let mut options: Vec<CheckedOption> = vec![];
        if choose.options.iter().any(Option::is_none) {
            self.draft.messages.add_hole();
        }
        for option in choose.options.iter().flatten() {
            for checked in self.option(option) {
                if let Some(first) = options.iter().find(|o| o.actions == checked.actions) {
                    let message =
                        format!("two options `{}` of one choose can't be told apart", option.name.text);
                    let d = Diagnostic::error(Code::DuplicateOption, option.name.span, message)
                        .also(first.span, "the first is here")
                        .help("choose another name for one of them");
                    self.draft.messages.report(d);
                }
                options.push(checked);
            }
        }
        let otherwise = choose.otherwise.as_ref().map(|b| self.block(b));
        if let (Some(block), Some(pass)) = (
            &choose.otherwise,
            choose.options.iter().flatten().find(|o| o.pass && o.filter.is_none() && o.ensuring.is_none()),
        ) {
            let message = "`otherwise` never runs where a `pass` is always legal";
            let d = Diagnostic::error(
                Code::PassWithOtherwise,
                first_word(block.span, "otherwise").unwrap_or(block.span),
                message,
            )
            .also(pass.name.span, "this can always be chosen")
            .help("leave one of the two out");
            self.draft.messages.report(d);
        }
        for e in &choose.prefer {
            self.draft.messages.report_unsupported(e.span, "`prefer`");
        }
        let choice = &mut self.draft.model.choices[id.index()];
        choice.options = options;
        choice.otherwise = otherwise;
        Some(CheckedStmtKind::Choose(id))
    }

    /// Checks an option. One that takes several elements of a large set is an option for each number of elements.
    fn option(&mut self, option: &'a syntax::ChoiceOption) -> Vec<CheckedOption> {
        if option.pass {
            self.recorder.refer_to_word(WordKind::Part, &option.name);
        } else {
            self.recorder.define(DefinitionKind::Option, &option.name, option.span, option.help.as_ref());
        }
        let seen = option.seen.as_ref().and_then(|seen| self.seen_option(option, seen));
        let cases = self.option_cases(option, seen);
        cases
            .into_iter()
            .flatten()
            .map(|parts| self.option_of(option, &option.name.text, seen, parts))
            .collect()
    }

    /// An option with a name and its parts, for one in the text.
    pub(super) fn option_of(
        &mut self,
        option: &syntax::ChoiceOption,
        name: &str,
        seen: Option<Visibility>,
        parts: OptionParts,
    ) -> CheckedOption {
        let OptionParts { binders, filter, ensuring, body } = parts;
        let faces = self.faces_of_binders(&option.binders, &binders);
        CheckedOption {
            name: name.to_owned(),
            actions: self.action_block(name, &binders, faces, option.name.span),
            binders,
            filter,
            ensuring,
            seen,
            deliberate: option.deliberate,
            pass: option.pass,
            body,
            help: option.help.as_ref().map(|h| h.text.clone()).unwrap_or_default(),
            span: option.name.span,
        }
    }

    /// The block of the actions of an option with a name and binders.
    pub(super) fn action_block(
        &mut self,
        name: &str,
        binders: &[CheckedBinder],
        faces: Vec<(usize, u32, String)>,
        span: Span,
    ) -> ActionBlockId {
        let domains: Vec<DomainId> = binders.iter().map(|b| b.domain).collect();
        let subset = binders.last().is_some_and(|b| b.subset);
        let same = |k: &ActionBlockKey| k.option == name && k.domains == domains && k.subset == subset;
        let known = self.actions.keys.iter().position(same);
        let actions = known.unwrap_or_else(|| {
            let option = name.to_owned();
            self.actions.keys.push(ActionBlockKey { option, domains, subset, faces, span });
            self.actions.keys.len() - 1
        });
        ActionBlockId(actions as u32)
    }

    /// Checks the parts of an option: once, or, if it takes a subset of a large set, for each number of its elements. If
    /// that were too many actions, it is taken in steps, but for the empty one.
    pub(super) fn option_cases(
        &mut self,
        option: &'a syntax::ChoiceOption,
        seen: Option<Visibility>,
    ) -> Vec<Option<OptionParts>> {
        let case = |c: &mut Self, taking| c.scoped(vec![], |c| c.option_parts(option, seen, taking));
        match case(self, Taking::Unknown) {
            Ok(parts) => vec![parts],
            Err(LargeSubset { sizes, actions }) => {
                let all: Vec<Taking> = match actions <= limits::SUBSET_ACTIONS {
                    true => sizes.map(Taking::AtOnce).collect(),
                    false if *sizes.start() == 0 => vec![Taking::AtOnce(0), Taking::InSteps],
                    false => vec![Taking::InSteps],
                };
                all.into_iter().map(|taking| case(self, taking).ok().flatten()).collect()
            }
        }
    }

    /// Checks `seen by` of an option. Returns who learns what it binds.
    fn seen_option(&mut self, option: &syntax::ChoiceOption, seen: &syntax::Modifier) -> Option<Visibility> {
        if option.binders.is_empty() {
            let message = format!("`{}` chooses nothing that could be seen", option.name.text);
            let d = Diagnostic::error(Code::Misplaced, seen.span, message)
                .help("leave `seen by` out: all learn which option is taken");
            self.draft.messages.report(d);
        }
        match seen.kind {
            syntax::ModifierKind::SeenByAll => Some(Visibility::All),
            syntax::ModifierKind::SeenByNone => Some(Visibility::Nobody),
            syntax::ModifierKind::SeenByPlayer => self.seen_by_player(seen, &["all", "none"]),
            _ => {
                let d = Diagnostic::error(Code::Misplaced, seen.span, "an option has no owner").help(
                    "the player who chooses always knows: write `seen by none` to hide it from the others",
                );
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// Checks the parts of an option. Fails if it takes a subset of a large set and isn't told how.
    fn option_parts(
        &mut self,
        option: &'a syntax::ChoiceOption,
        seen: Option<Visibility>,
        taking: Taking,
    ) -> Result<Option<OptionParts>, LargeSubset> {
        let mut binders = vec![];
        let mut whole = true;
        let (mut first, mut alike) = (vec![], None);
        for (place, binder) in option.binders.iter().enumerate() {
            if binder.kind != syntax::BinderKind::Element {
                let behind = option.binders.get(place + 1);
                match self.subset_binder(binder, option.filter.as_ref(), behind, &mut first) {
                    Some(SubsetBinder::Whole(checked, condition)) => {
                        binders.push(checked);
                        alike = condition;
                    }
                    Some(SubsetBinder::Parts(base, sizes)) => match taking {
                        Taking::Unknown => {
                            let of = u64::from(self.draft.size(self.draft.base_domain(&base)));
                            let before = binders.iter().map(|b| u64::from(self.draft.size(b.domain)));
                            let before = before.fold(1, u64::saturating_mul);
                            let each =
                                sizes.clone().map(|size| of.saturating_pow(size).saturating_mul(before));
                            let actions = each.fold(0, u64::saturating_add);
                            return Err(LargeSubset { sizes, actions });
                        }
                        Taking::AtOnce(size) => self.taken(binder, &base, size, &mut binders),
                        Taking::InSteps if !whole => {}
                        Taking::InSteps => {
                            let stepwise = StepwiseSubset { option, binder, base, sizes, seen };
                            return Ok(self.first_step(&stepwise, binders));
                        }
                    },
                    None => whole = false,
                }
                continue;
            }
            let params = self.usage.params_read;
            match self.over(&binder.over, None) {
                Some((over, domain)) => {
                    if constant_set(&over).is_some_and(BitSet::is_empty) && params == self.usage.params_read {
                        self.draft.report_never_legal(binder.over.span, "this set is always empty");
                    }
                    let local = self.bind_local(&binder.name, Type::Element(domain), false);
                    let facts = self.facts_of_element(local, &over);
                    self.scopes.facts.learn(facts);
                    binders.push(CheckedBinder { local, domain, subset: false, over });
                }
                None => {
                    self.bind(&binder.name, Binding::Argument(Val::Poison));
                    whole = false;
                }
            }
        }
        let mut filter = None;
        if let Some(e) = &option.filter {
            let params = self.usage.params_read;
            filter = self.condition(e);
            whole &= filter.is_some();
            let facts = self.facts_if(filter.as_ref(), true);
            self.scopes.facts.learn(facts);
            match filter.as_ref().and_then(constant_truth) {
                Some(true) => filter = None,
                // Perhaps subsets of other sizes can.
                Some(false) if matches!(taking, Taking::AtOnce(_)) => {}
                Some(false) if params == self.usage.params_read => {
                    self.draft.report_never_legal(e.span, "this is never true");
                }
                _ => {}
            }
        }
        filter = match (filter, alike) {
            (Some(filter), Some(alike)) => Some(self.draft.and(filter, alike, option.span)),
            (filter, alike) => filter.or(alike),
        };
        let filter = self.hooks.call_in_filter(&mut self.draft, &option.name, &binders, filter);
        self.position.within.push(("option", &option.name.text));
        // `no action` asks about the effect only if an `ensuring` does.
        let skips = self.context.looks_ahead == LookAhead::FirstChoice && option.ensuring.is_none();
        let mut body = if skips { CheckedBlock::default() } else { self.block(&option.body) };
        self.position.within.pop();
        self.hooks.call_after_option(&mut self.draft, &option.name, &binders, &mut body);
        self.forget_hooked(&format!("on_{}", option.name.text));
        // A chain asks what can be done, whatever comes of it.
        let ensuring = match self.context.looks_ahead {
            LookAhead::Chain => None,
            LookAhead::No | LookAhead::FirstChoice => option.ensuring.as_ref(),
        };
        let ensuring = ensuring.and_then(|e| self.ensured(e, &body));
        body.stmts.splice(0..0, first);
        Ok(whole.then_some(OptionParts { binders, filter, ensuring, body }))
    }

    /// Numbers the actions: first the inherited blocks in their order, then the new ones.
    pub(crate) fn number_actions(&mut self) {
        let mut blocks: Vec<ActionBlock> = vec![];
        let mut place: Vec<Option<u32>> = vec![None; self.actions.keys.len()];
        for key in self.input.inherited {
            let same = |k: &ActionBlockKey| {
                k.option == key.option
                    && k.subset == key.subset
                    && k.domains.len() == key.domains.len()
                    && k.domains
                        .iter()
                        .zip(&key.domains)
                        .all(|(d, (name, _))| self.draft.domain_name(*d) == name)
            };
            let alive = (0..place.len()).find(|i| place[*i].is_none() && same(&self.actions.keys[*i]));
            let mut block = ActionBlock {
                option: key.option.clone(),
                domains: vec![],
                subset: key.subset,
                faces: vec![],
                first: 0,
                size: ways(key.domains.iter().map(|(_, size)| *size), key.subset)
                    .into_iter()
                    .fold(1, u32::saturating_mul),
                dead: true,
            };
            if let Some(i) = alive {
                place[i] = Some(blocks.len() as u32);
                block.domains = self.actions.keys[i].domains.clone();
                block.faces = self.actions.keys[i].faces.clone();
                block.dead = false;
            } else {
                let find = |name: &str, size: u32| {
                    self.draft.model.domains.iter().position(|d| d.name == name && d.size == size)
                };
                let domains: Option<Vec<usize>> = key.domains.iter().map(|(n, s)| find(n, *s)).collect();
                let domains = domains.unwrap_or_default();
                block.domains = domains.into_iter().map(|i| DomainId(i as u32)).collect();
            }
            blocks.push(block);
        }
        for (i, key) in self.actions.keys.iter().enumerate() {
            if place[i].is_none() {
                place[i] = Some(blocks.len() as u32);
                blocks.push(ActionBlock {
                    option: key.option.clone(),
                    domains: key.domains.clone(),
                    subset: key.subset,
                    faces: key.faces.clone(),
                    first: 0,
                    size: 0,
                    dead: false,
                });
            }
        }
        let mut next = 0u64;
        for block in &mut blocks {
            if !block.dead {
                let sizes = block.sizes(&self.draft.model).into_iter().map(u64::from);
                let size = sizes.fold(1u64, u64::saturating_mul);
                block.size = u32::try_from(size).unwrap_or(u32::MAX);
            }
            block.first = u32::try_from(next).unwrap_or(u32::MAX);
            next = next.saturating_add(u64::from(block.size));
        }
        for choice in &mut self.draft.model.choices {
            for option in &mut choice.options {
                if let Some(Some(new)) = place.get(option.actions.index()) {
                    option.actions = ActionBlockId(*new);
                }
            }
        }
        self.check_actions(next, &blocks, &place);
        self.draft.model.actions = blocks;
        if next <= limits::ACTIONS {
            self.check_rows();
        }
    }

    /// Reports a choice whose options take too much room. An executor keeps which actions of an option are legal in rows of
    /// words: one row for each combination of all that is bound but the last.
    fn check_rows(&mut self) {
        let model = &self.draft.model;
        let rows = |option: &CheckedOption| {
            let sizes = model.actions[option.actions.index()].sizes(model);
            let (last, others) = sizes.split_last().map_or((1, &[][..]), |(last, others)| (*last, others));
            let rows = others.iter().map(|n| u64::from(*n)).fold(1, u64::saturating_mul);
            (rows.saturating_mul(u64::from(last.div_ceil(64))), sizes)
        };
        let too_large = model.choices.iter().find_map(|choice| {
            let bound = choice.options.iter().filter(|option| !option.binders.is_empty());
            let all: Vec<_> = bound.map(|option| (option, rows(option))).collect();
            let total = all.iter().map(|(_, (rows, _))| *rows).fold(0, u64::saturating_add);
            let largest = all.into_iter().max_by_key(|(_, (rows, _))| *rows)?;
            (total > limits::CHOICE_WORDS).then_some((total, largest))
        });
        let Some((total, (option, (rows, sizes)))) = too_large else { return };
        let name = &option.name;
        let counted: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let most = limits::CHOICE_WORDS;
        let mut d = Diagnostic::error(
            Code::LimitActions,
            option.span,
            format!("the options of this choice take {total} words of 64 actions"),
        )
        .label(format!("`{name}` takes {rows} of them"))
        .note(format!("a choice may take at most {most}; each combination of all that is bound but the last takes a word for 64 elements of the last"))
        .note(format!("`{name}` binds {} elements", counted.join(" × ")))
        .help("bind the largest set last, or choose in several steps, one part after the other");
        if let Some(note) = self.draft.params_note() {
            d = d.note(note);
        }
        self.draft.messages.report(d);
    }

    fn check_actions(&mut self, all: u64, blocks: &[ActionBlock], place: &[Option<u32>]) {
        if all > limits::ACTIONS {
            let size = |i: &usize| place[*i].map_or(0, |p| blocks[p as usize].size);
            let Some(largest) = (0..place.len()).max_by_key(size) else { return };
            let key = self.actions.keys[largest].clone();
            let mut d =
                Diagnostic::error(Code::LimitActions, key.span, format!("the rules have {all} actions"))
                    .label(format!("{} of them are `{}`", size(&largest), key.option))
                    .note(format!("a game may have at most {}", limits::ACTIONS))
                    .help("choose in several steps, one part after the other");
            if let Some(note) = self.draft.params_note() {
                d = d.note(note);
            }
            self.draft.messages.report(d);
        }
    }
}

impl Draft {
    pub(crate) fn report_never_legal(&mut self, span: Span, why: &str) {
        if !self.is_dead() {
            let d = Diagnostic::warning(Code::NeverLegal, span, "this option can never be chosen").label(why);
            self.messages.report(d);
        }
    }
}
