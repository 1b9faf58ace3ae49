//! Options that choose a subset: `k subset of S`.

use std::ops::RangeInclusive;

use crate::check::Checker;
use crate::check::expressions::build::constant_number;
use crate::check::expressions::value::Val;
use crate::check::names::scope::Binding;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::limits;
use crate::model::*;
use crate::syntax::{self, BinaryOp, ExprKind as S};
use crate::vocabulary::Function;

/// How an option chooses a subset.
pub(super) enum SubsetBinder {
    /// Any subset, numbered by its elements.
    Whole(CheckedBinder),
    /// Some elements of a large set, one after the other: the set, and how many there may be.
    Parts(CheckedExpr, RangeInclusive<u32>),
}

impl<'a> Checker<'a> {
    /// Checks `k subset of S`. `filter` is the option's condition, which bounds the size of a subset of a large set.
    /// `behind` is the binder after it, which is an error. Adds statements that the option's body must run first to
    /// `first`.
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
            self.report(d);
        }
        let Some((over, domain, dice)) = self.subset_base(&binder.over) else {
            self.bind(name, Binding::Argument(Val::Poison, 0));
            return None;
        };
        let size = self.size(domain);
        let fits = size <= limits::SUBSET;
        if !fits
            && dice.is_none()
            && behind.is_none()
            && let Some(sizes) = filter.and_then(|filter| self.sizes_by(filter, &name.text))
        {
            return Some(SubsetBinder::Parts(over, sizes));
        }
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
        let binder = CheckedBinder { local, domain, subset: true, over };
        (fits && behind.is_none()).then_some(SubsetBinder::Whole(binder))
    }

    /// Binds a subset of a large set as `size` elements, each after the one before in the order of the domain.
    pub(super) fn taken(
        &mut self,
        binder: &'a syntax::Binder,
        over: CheckedExpr,
        size: u32,
        binders: &mut Vec<CheckedBinder>,
    ) {
        let Type::Set(domain) = over.ty else { return };
        let (span, ty) = (binder.over.span, Type::Element(domain));
        let places = (0..i64::from(self.size(domain))).collect();
        let order = self.known_table("order", vec![domain], places);
        let mut elements: Vec<CheckedExpr> = vec![];
        for _ in 0..size {
            let over = match elements.last() {
                None => self.copy(&over),
                Some(before) => {
                    let candidate = self.new_local(&binder.name.text, ty, span);
                    let this = self.mk(CheckedExprKind::Local(candidate), ty, span);
                    let [before, this] = [before.clone(), this]
                        .map(|e| self.mk(CheckedExprKind::Table(order, vec![e]), Type::Number, span));
                    let condition = Box::new(self.compare(ComparisonOperator::Less, before, this, span));
                    let over = Box::new(self.copy(&over));
                    let kind = CheckedExprKind::Filter { local: candidate, over, condition };
                    self.mk(kind, Type::Set(domain), span)
                }
            };
            let local = self.new_local(&binder.name.text, ty, span);
            binders.push(CheckedBinder { local, domain, subset: false, over });
            elements.push(self.mk(CheckedExprKind::Local(local), ty, span));
        }
        let all = self.mk(CheckedExprKind::Elements(elements), Type::Set(domain), span);
        self.bind(&binder.name, Binding::Argument(Val::sure(all), 0));
    }

    /// The sizes of a subset that a condition allows by `count(k) == n`, `count(k) <= n` and the like.
    fn sizes_by(&mut self, filter: &'a syntax::Expr, name: &str) -> Option<RangeInclusive<u32>> {
        let (mut least, mut most) = (0, None);
        let mut all = vec![filter];
        while let Some(e) = all.pop() {
            let S::Binary(op, a, b) = &e.kind else { continue };
            if *op == BinaryOp::And {
                all.extend([&**a, &**b]);
                continue;
            }
            let counts = |e: &syntax::Expr| match &e.kind {
                S::Call(function, args) => {
                    Function::named(&function.text) == Some(Function::Count)
                        && matches!(&args[..], [only] if matches!(&only.value.kind, S::Name(n) if n.text == name))
                }
                _ => false,
            };
            let (op, bound) = match (counts(a), counts(b)) {
                (true, false) => (*op, &**b),
                (false, true) => (mirrored(*op), &**a),
                _ => continue,
            };
            let Some(n) = self.number_of(bound).as_ref().and_then(constant_number) else { continue };
            let (low, high) = match op {
                BinaryOp::Equal => (n, Some(n)),
                BinaryOp::LessEqual => (0, Some(n)),
                BinaryOp::Less => (0, n.checked_sub(1)),
                BinaryOp::GreaterEqual => (n, None),
                BinaryOp::Greater => (n.saturating_add(1), None),
                _ => continue,
            };
            least = least.max(low);
            most = high.map(|high| most.map_or(high, |most: i64| most.min(high))).or(most);
        }
        let most = u32::try_from(most?).ok().filter(|most| *most <= limits::TAKEN)?;
        Some(u32::try_from(least).unwrap_or(u32::MAX)..=most)
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
                .note(format!("a subset can be chosen of at most {}: each is an action", limits::SUBSET));
        d = match dice {
            true => d.help("choose one after the other, in a loop"),
            false => d.help(format!(
                "bound its size, up to {}: `where count(k) <= 3`; or choose one after the other, in a loop",
                limits::TAKEN
            )),
        };
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

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
