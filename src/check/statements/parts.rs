//! Options that choose without telling apart what is alike: `k part of Z`, for copies in a zone and for dice.

use super::subsets::SubsetBase;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::{DiceValue, PartValue, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, BinaryOp, ExprKind as S, Quantifier};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks what a part is of: one zone of copies, or dice.
    pub(super) fn part_base(&mut self, over: &'a syntax::Expr) -> Option<SubsetBase> {
        let (of, kinds) = limited(over);
        if let Some((slot, ..)) = self.zone_named(of)
            && self.draft.model.slots[slot.index()].role == Role::Copies
        {
            let (zone, domain) = self.zone(of)?;
            let all = self.draft.full_set(domain, over.span);
            let kinds = match kinds {
                None => all,
                Some((op, kinds)) => {
                    let (kinds, _) = self.set_of(kinds, Some(domain))?;
                    match op {
                        BinaryOp::Intersect => kinds,
                        _ => {
                            let less = CheckedExprKind::Minus(Box::new(all), Box::new(kinds));
                            self.draft.build(less, Type::Set(domain), over.span)
                        }
                    }
                }
            };
            return Some(SubsetBase::Copies(zone, kinds));
        }
        if let Some(dice) = self.dice_base(over) {
            return dice;
        }
        match self.expr(over, None) {
            Val::Poison => {}
            other => {
                let found = self.draft.describe(&other);
                let message = format!("expected a zone of copies, or dice, found {found}");
                let d = Diagnostic::error(Code::TypeMismatch, over.span, message)
                    .help("nothing in it is alike: write `subset of`");
                self.draft.messages.report(d);
            }
        }
        None
    }

    /// Dice from which a subset or a part is taken: `cup`, or `cup & S` and `cup - S` for those whose faces are in S
    /// or not. `None` if the set isn't one of dice, `Some(None)` after an error.
    pub(super) fn dice_base(&mut self, over: &'a syntax::Expr) -> Option<Option<SubsetBase>> {
        let (of, faces) = limited(over);
        self.slot_named(of, |role| matches!(role, Role::Dice { .. }))?;
        let (dice, span) = match self.expr(of, None) {
            Val::Dice(dice, span) => (dice, span),
            Val::Poison => return Some(None),
            _ => return None,
        };
        let domain = self.draft.die_domain(&dice);
        let all = self.draft.full_set(domain, span);
        let Some((op, faces)) = faces else { return Some(Some(SubsetBase::Dice(all, dice))) };
        let set = self.expr(faces, None);
        let local = self.draft.new_local("die", Type::Element(domain), span);
        let mut index: Vec<CheckedExpr> = dice.index.iter().map(|e| self.draft.copy(e)).collect();
        index.push(self.draft.build(CheckedExprKind::Local(local), Type::Element(domain), span));
        let read = CheckedExprKind::Read(Target { slot: dice.slot, index });
        let face = self.draft.build(read, Type::Number, span);
        let Val::Expr(shown, _) = self.member_of((Val::sure(face), span), (set, faces.span), over.span)
        else {
            return Some(None);
        };
        let condition = Box::new(if op == BinaryOp::Intersect { shown } else { self.draft.not(shown) });
        let chosen = CheckedExprKind::Filter { local, over: Box::new(all), condition };
        Some(Some(SubsetBase::Dice(self.draft.build(chosen, Type::Set(domain), over.span), dice)))
    }
}

impl Draft {
    /// The kinds, of those allowed, that the next copy of a part may be, after those taken before it: no kind comes again once a later
    /// one has been taken, and of no kind there are more than lie in the zone.
    pub(super) fn next_kinds(
        &mut self,
        zone: &Target,
        kinds: &CheckedExpr,
        before: &[CheckedExpr],
        span: Span,
    ) -> CheckedExpr {
        let domain = self.zone_domain(zone.slot);
        let ty = Type::Element(domain);
        let local = self.new_local("kind", ty, span);
        let kind = self.build(CheckedExprKind::Local(local), ty, span);
        let taken = PartValue { kinds: before.to_vec(), domain, zone: zone.clone() };
        let (lying, taken) = (self.copies_at(zone, kind.clone(), span), self.copies_in(&taken, &kind, span));
        let mut condition = self.compare(ComparisonOperator::Greater, lying, taken, span);
        if let Some(last) = before.last() {
            let [last, this] = [last.clone(), kind].map(|e| self.order_of(e, span));
            let behind = self.compare(ComparisonOperator::LessEqual, last, this, span);
            condition = self.and(behind, condition, span);
        }
        let (over, condition) = (Box::new(self.copy(kinds)), Box::new(condition));
        self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(domain), span)
    }

    /// The number of copies of a kind in a part.
    pub(crate) fn copies_in(&mut self, part: &PartValue, kind: &CheckedExpr, span: Span) -> CheckedExpr {
        let each = part.kinds.clone().into_iter().map(|one| {
            let (one, kind) = (Box::new(one), Box::new(self.copy(kind)));
            let same = Box::new(self.build(CheckedExprKind::Same(one, kind), Type::Bool, span));
            let [counts, not] = [1, 0].map(|n| Box::new(self.number_constant(n, span)));
            self.build(CheckedExprKind::If(same, counts, not), Type::Number, span)
        });
        let each = each.collect();
        self.sum_of(each, span)
    }

    /// The condition that of dice with equal faces a subset has the first ones.
    pub(super) fn first_of_alike(&mut self, subset: LocalId, dice: &DiceValue, span: Span) -> CheckedExpr {
        let domain = self.die_domain(dice);
        let (ty, set) = (Type::Element(domain), Type::Set(domain));
        let [inside, outside] = ["die", "other"].map(|name| self.new_local(name, ty, span));
        let die = |c: &mut Self, local| c.build(CheckedExprKind::Local(local), ty, span);
        let face = |c: &mut Self, local| {
            let mut index: Vec<CheckedExpr> = dice.index.iter().map(|e| c.copy(e)).collect();
            index.push(die(c, local));
            c.build(CheckedExprKind::Read(Target { slot: dice.slot, index }), Type::Number, span)
        };
        let number = |c: &mut Self, local| {
            let of = Box::new(die(c, local));
            c.build(CheckedExprKind::ValueOf(of), Type::Number, span)
        };
        let faces = [outside, inside].map(|local| face(self, local));
        let numbers = [outside, inside].map(|local| number(self, local));
        let alike = {
            let [a, b] = faces;
            self.compare(ComparisonOperator::Equal, a, b, span)
        };
        let earlier = {
            let [a, b] = numbers;
            self.compare(ComparisonOperator::Less, a, b, span)
        };
        let condition = self.and(earlier, alike, span);
        let all = Box::new(self.full_set(domain, span));
        let chosen = |c: &mut Self| c.build(CheckedExprKind::Local(subset), set, span);
        let without = Box::new(chosen(self));
        let rest = self.build(CheckedExprKind::Minus(all, without), set, span);
        let skipped = self.quantified(Quantifier::Any, outside, rest, condition, Type::Bool, span);
        let first = self.not(skipped);
        let over = chosen(self);
        self.quantified(Quantifier::All, inside, over, first, Type::Bool, span)
    }
}

/// A set and what limits it: `S & T` or `S - T`.
fn limited(e: &syntax::Expr) -> (&syntax::Expr, Option<(BinaryOp, &syntax::Expr)>) {
    match &e.kind {
        S::Binary(op @ (BinaryOp::Intersect | BinaryOp::Subtract), of, by) => (of, Some((*op, by))),
        _ => (e, None),
    }
}
