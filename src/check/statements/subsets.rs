//! Options that choose a subset: `k subset of S`, and what they have in common with `k part of Z`.

use std::ops::RangeInclusive;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::scopes::Binding;
use crate::values::{DiceValue, PartValue, Val};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, BinderKind};
use houserule_model::*;

/// How an option chooses a subset.
pub(super) enum SubsetBinder {
    /// Any subset, numbered by its elements, or those that fulfil a condition.
    Whole(CheckedBinder, Option<CheckedExpr>),
    /// Some elements of a large set, or copies, one after the other: what they are of, and how many there may be.
    Parts(SubsetBase, RangeInclusive<u32>),
}

/// What a subset is of.
pub(super) enum SubsetBase {
    /// A set.
    Set(CheckedExpr),
    /// The set of the numbers of dice, and the dice.
    Dice(CheckedExpr, DiceValue),
    /// A zone of copies, and the kinds among them that may be chosen.
    Copies(Target, CheckedExpr),
}

impl<'a> Checker<'a> {
    /// Checks `k subset of S` and `k part of Z`. `filter` is the option's condition, which bounds the size of a subset
    /// of a large set. `behind` is the binder after it, which is an error. Adds statements that the option's body must
    /// run first to `first`.
    pub(super) fn subset_binder(
        &mut self,
        binder: &'a syntax::Binder,
        filter: Option<&'a syntax::Expr>,
        behind: Option<&'a syntax::Binder>,
        first: &mut Vec<CheckedStmt>,
    ) -> Option<SubsetBinder> {
        let name = &binder.name;
        if let Some(behind) = behind {
            let message = format!("the subset `{}` must be the last thing that an option chooses", name.text);
            let d = Diagnostic::error(Code::Misplaced, name.span, message)
                .also(behind.name.span, format!("`{}` comes after it", behind.name.text))
                .help(format!("write `{}` before `{}`", behind.name.text, name.text));
            self.draft.messages.report(d);
        }
        let base = match binder.kind {
            BinderKind::Part => self.part_base(&binder.over),
            _ => self.subset_base(&binder.over),
        };
        let Some(base) = base else {
            self.bind(name, Binding::Argument(Val::Poison));
            return None;
        };
        let limit = if matches!(base, SubsetBase::Copies(..)) { limits::PART } else { limits::TAKEN };
        let bounded = |c: &mut Self| match (filter, behind) {
            (Some(filter), None) => c.sizes_by(filter, &name.text, limit),
            _ => None,
        };
        let (over, dice) = match base {
            SubsetBase::Copies(zone, kinds) => {
                if let Some(sizes) = bounded(self) {
                    return Some(SubsetBinder::Parts(SubsetBase::Copies(zone, kinds), sizes));
                }
                report_unbounded_part(&mut self.draft.messages, name, binder.over.span);
                self.bind(name, Binding::Argument(Val::Poison));
                return None;
            }
            SubsetBase::Set(over) => (over, None),
            SubsetBase::Dice(over, dice) => (over, Some(dice)),
        };
        let Type::Set(domain) = over.ty else { return None };
        let size = self.draft.size(domain);
        let fits = size <= limits::SUBSET;
        if !fits
            && dice.is_none()
            && let Some(sizes) = bounded(self)
        {
            return Some(SubsetBinder::Parts(SubsetBase::Set(over), sizes));
        }
        if !fits && !self.draft.is_dead() {
            self.draft.report_large_base(domain, dice.is_some(), size, binder.over.span);
        }
        let local = self.bind_local(name, Type::Set(domain), false);
        let condition = match &dice {
            Some(dice) if binder.kind == BinderKind::Part => {
                Some(self.draft.first_of_alike(local, dice, binder.over.span))
            }
            _ => None,
        };
        if let Some(mut dice) = dice {
            // The owner of the dice is evaluated here, so that the body can't change it.
            for e in &mut dice.index {
                if !matches!(e.kind, CheckedExprKind::Constant(_)) {
                    *e = self.draft.keep_value("owner", e.clone(), first);
                }
            }
            self.locals.dice_subsets.insert(local, dice);
        }
        let binder = CheckedBinder { local, domain, subset: true, over };
        (fits && behind.is_none()).then_some(SubsetBinder::Whole(binder, condition))
    }

    /// Binds a subset of a large set, or copies, as `size` elements, each after the one before in the order of the
    /// domain.
    pub(super) fn taken(
        &mut self,
        binder: &'a syntax::Binder,
        base: &SubsetBase,
        size: u32,
        binders: &mut Vec<CheckedBinder>,
    ) {
        let mut elements: Vec<CheckedExpr> = vec![];
        for _ in 0..size {
            let (next, element) = self.draft.next_taken(binder, base, &elements);
            binders.push(next);
            elements.push(element);
        }
        self.bind_taken(binder, base, elements);
    }

    /// Gives the name of a subset to the elements that were taken for it.
    pub(super) fn bind_taken(
        &mut self,
        binder: &'a syntax::Binder,
        base: &SubsetBase,
        elements: Vec<CheckedExpr>,
    ) {
        let domain = self.draft.base_domain(base);
        let value = match base {
            SubsetBase::Copies(zone, _) => {
                Val::Part(PartValue { kinds: elements, domain, zone: zone.clone() })
            }
            _ => Val::sure(self.draft.build(
                CheckedExprKind::Elements(elements),
                Type::Set(domain),
                binder.over.span,
            )),
        };
        self.bind(&binder.name, Binding::Argument(value));
    }

    fn subset_base(&mut self, over: &'a syntax::Expr) -> Option<SubsetBase> {
        if let Some(dice) = self.dice_base(over) {
            return dice;
        }
        let value = self.expr(over, None);
        self.set(value, None, over.span).map(SubsetBase::Set)
    }

    /// If a local is a subset of dice, returns these dice and the local.
    pub(super) fn subset_of_dice(&mut self, e: &syntax::Expr) -> Option<(Target, CheckedExpr)> {
        let syntax::ExprKind::Name(name) = &e.kind else { return None };
        let Some(Binding::Local(local, _)) = self.scopes.local(&name.text) else { return None };
        let local = *local;
        let dice = self.locals.dice_subsets.get(&local)?.clone();
        self.refer_to_local(name);
        let domain = self.draft.die_domain(&dice);
        let index = dice.index.iter().map(|e| self.draft.copy(e)).collect();
        let among = self.draft.build(CheckedExprKind::Local(local), Type::Set(domain), e.span);
        Some((Target { slot: dice.slot, index }, among))
    }
}

impl Draft {
    /// A binder for the next element of a subset, or kind of a part, after those taken before it; and what it binds.
    pub(super) fn next_taken(
        &mut self,
        binder: &syntax::Binder,
        base: &SubsetBase,
        before: &[CheckedExpr],
    ) -> (CheckedBinder, CheckedExpr) {
        let (span, domain) = (binder.over.span, self.base_domain(base));
        let over = match base {
            SubsetBase::Copies(zone, kinds) => self.next_kinds(zone, kinds, before, span),
            SubsetBase::Set(over) | SubsetBase::Dice(over, _) => {
                self.later_elements(over, before.last(), span)
            }
        };
        let ty = Type::Element(domain);
        let local = self.new_local(&binder.name.text, ty, span);
        let element = self.build(CheckedExprKind::Local(local), ty, span);
        (CheckedBinder { local, domain, subset: false, over }, element)
    }

    /// The domain of the elements, or of the kinds, that a subset is taken of.
    pub(super) fn base_domain(&self, base: &SubsetBase) -> DomainId {
        match base {
            SubsetBase::Copies(zone, _) => self.zone_domain(zone.slot),
            SubsetBase::Set(over) | SubsetBase::Dice(over, _) => match over.ty {
                Type::Set(domain) => domain,
                _ => PLAYER,
            },
        }
    }

    fn report_large_base(&mut self, domain: DomainId, dice: bool, size: u32, span: Span) {
        let of = match dice {
            true => format!("{size} dice"),
            false => format!("{size} elements of `{}`", self.domain_name(domain)),
        };
        let mut d =
            Diagnostic::error(Code::LimitSubset, span, format!("a subset of the {of} can't be chosen"))
                .note(format!("a subset can be chosen of at most {}: each is an action", limits::SUBSET));
        d = match dice {
            true => d.help("choose one after the other, in a loop"),
            false => d.help(format!(
                "bound its size, up to {}, in the condition itself, not in a define: `where count(k) <= 3`; or choose one \
                 after the other, in a loop",
                limits::TAKEN
            )),
        };
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.messages.report(d);
    }
}

fn report_unbounded_part(messages: &mut Messages, name: &syntax::Name, span: Span) {
    let message = format!("how many copies `{}` has isn't bounded", name.text);
    let d = Diagnostic::error(Code::LimitSubset, span, message)
        .note(format!("at most {} copies can be chosen in one action", limits::PART))
        .help(format!(
            "bound their number: `where count({0}) <= 3`; or choose one after the other, in a loop",
            name.text
        ));
    messages.report(d);
}
