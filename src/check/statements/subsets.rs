//! Options that choose a subset: `k subset of S`.

use crate::check::Checker;
use crate::check::expressions::value::Val;
use crate::check::names::scope::Binding;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::limits;
use crate::model::*;
use crate::syntax;

impl<'a> Checker<'a> {
    /// Checks `k subset of S`. `behind` is the binder after it, which is an error. Adds statements that
    /// the option's body must run first to `first`.
    pub(in crate::check) fn subset_binder(
        &mut self,
        binder: &'a syntax::Binder,
        behind: Option<&'a syntax::Binder>,
        first: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedBinder> {
        let name = &binder.name;
        if let Some(behind) = behind {
            let message = format!("the subset `{}` must be the last thing that an option chooses", name.text);
            let d = Diagnostic::error(Code::Misplaced, name.span, message)
                .also(behind.name.span, format!("`{}` comes after it", behind.name.text))
                .help(format!("write `{}` before `{}`", behind.name.text, name.text));
            self.report(d);
        }
        let Some((over, domain, dice)) = self.subset_base(&binder.over) else {
            self.bind(name, Binding::Argument(Val::Poison, 0));
            return None;
        };
        let size = self.size(domain);
        let fits = size <= limits::SUBSET;
        if !fits && self.dead == 0 {
            self.base_too_large(domain, dice.is_some(), size, binder.over.span);
        }
        let local = self.bind_local(name, Type::Set(domain), false);
        if let Some(mut dice) = dice {
            // The owner of the dice is evaluated here, so that the body can't change it.
            for e in &mut dice.index {
                if !matches!(e.kind, CheckedExprKind::Constant(_)) {
                    *e = self.kept("owner", e.clone(), first);
                }
            }
            self.dice_subsets.insert(local, dice);
        }
        (fits && behind.is_none()).then_some(CheckedBinder { local, domain, subset: true, over })
    }

    /// The base set of a subset. For dice, the set of their indices, and the dice.
    fn subset_base(
        &mut self,
        over: &'a syntax::Expr,
    ) -> Option<(CheckedExpr, DomainId, Option<crate::check::expressions::value::DiceValue>)> {
        let value = self.expr(over, None);
        if let Val::Dice(dice, span) = value {
            let domain = self.die_domain(&dice);
            return Some((self.full_set(domain, span), domain, Some(dice)));
        }
        let set = self.set(value, None, over.span)?;
        let Type::Set(domain) = set.ty else { return None };
        Some((set, domain, None))
    }

    fn base_too_large(&mut self, domain: DomainId, dice: bool, size: u32, span: Span) {
        let of = match dice {
            true => format!("{size} dice"),
            false => format!("{size} elements of `{}`", self.domain_name(domain)),
        };
        let mut d =
            Diagnostic::error(Code::LimitSubset, span, format!("a subset of the {of} can't be chosen"))
                .note(format!("a subset can be chosen of at most {}: each is an action", limits::SUBSET))
                .help("choose one after the other, in a loop");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.report(d);
    }

    /// If a local is a subset of dice, returns these dice and the local.
    pub(in crate::check) fn subset_of_dice(&mut self, e: &syntax::Expr) -> Option<(Target, CheckedExpr)> {
        let syntax::ExprKind::Name(name) = &e.kind else { return None };
        let Some(Binding::Local(local, _)) = self.local(&name.text) else { return None };
        let local = *local;
        let dice = self.dice_subsets.get(&local)?.clone();
        self.refer_to_local(name);
        let domain = self.die_domain(&dice);
        let index = dice.index.iter().map(|e| self.copy(e)).collect();
        let among = self.mk(CheckedExprKind::Local(local), Type::Set(domain), e.span);
        Some((Target { slot: dice.slot, index }, among))
    }
}
