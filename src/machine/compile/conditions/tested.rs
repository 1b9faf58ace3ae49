//! Conditions that test numbers of a family: `n in 1..6 where pool[half, n] > 0` reads consecutive words and
//! becomes one instruction.

use super::lift::mentions;
use crate::compile::lower::Lowering;
use crate::program::{Imm, In, Instruction as I, Numbers, Out, SetIn, SetOut, Size, Small, Test, ZERO};
use houserule_model::{
    Arithmetic, CheckedExpr, CheckedExprKind, ComparisonOperator, Content, LocalId, SlotId, Target, Type,
    Value, same_expr,
};

/// A test of a slot's numbers for the elements of a local.
pub(in crate::compile) struct FamilyTest<'e> {
    slot: SlotId,
    /// Its indices.
    index: &'e [CheckedExpr],
    /// Position of the local among them.
    place: usize,
    /// Element of that index for the first element of the local.
    shift: u32,
    /// Number of elements of the local.
    size: u16,
    test: Test,
    k: i16,
}

impl Lowering<'_> {
    /// Returns a condition on a local as such a test, if it is one and can't fail.
    pub(in crate::compile) fn tested<'e>(
        &self,
        local: LocalId,
        condition: &'e CheckedExpr,
    ) -> Option<FamilyTest<'e>> {
        let (read, test, k) = comparison(condition)?;
        let (slot, index) = (read.slot, &read.index[..]);
        let declared = &self.model.slots[slot.index()];
        let kept = self.layout.slots[slot.index()].is_some();
        if !kept || matches!(declared.content, Content::Set(_)) || index.len() != declared.index.len() {
            return None;
        }
        let place = index.iter().position(|e| mentions(e, local))?;
        let shift = u32::try_from(self.shift(&index[place], local)?).ok()?;
        let Type::Element(domain) = self.model.locals.get(local.index())?.ty else { return None };
        let size = self.size_of(domain);
        let fits = shift + u32::from(size) <= u32::from(self.size_of(declared.index[place]));
        let settles = |(at, e): (usize, &CheckedExpr)| {
            at == place || !mentions(e, local) && self.is_sure(e) && self.never_fails(e)
        };
        let settled = index.iter().enumerate().all(settles);
        // Numbers that are far apart are not tested this way.
        let near = self.stride(slot, place) <= 1000;
        let k = i16::try_from(k).ok()?;
        (fits && settled && near).then_some(FamilyTest { slot, index, place, shift, size, test, k })
    }

    /// Returns the distance in a family between neighbouring elements of one of its indices.
    fn stride(&self, slot: SlotId, place: usize) -> u32 {
        let later = &self.model.slots[slot.index()].index[place + 1..];
        later.iter().map(|domain| u32::from(self.size_of(*domain))).product()
    }

    /// Returns the difference between an element derived from a local and the local.
    fn shift(&self, e: &CheckedExpr, local: LocalId) -> Option<i64> {
        match &e.kind {
            CheckedExprKind::Local(it) if *it == local => Some(0),
            CheckedExprKind::ElementOf(number) => match &number.kind {
                CheckedExprKind::ValueOf(of) => {
                    Some(self.shift(of, local)? + self.low(of.ty) - self.low(e.ty))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Computes the elements of a set that satisfy a test.
    pub(in crate::compile) fn elements_where(
        &mut self,
        tested: &FamilyTest<'_>,
        over: &CheckedExpr,
        d: SetOut,
    ) {
        let FamilyTest { slot, index, place, shift, size, test, k } = *tested;
        let stride = self.stride(slot, place);
        // Constant indices give the first position; the others are computed at run time.
        let (mut first, mut at): (u32, Option<In>) = (shift * stride, None);
        let constant = |e: &CheckedExpr| matches!(e.kind, CheckedExprKind::Constant(_));
        let mut others: Vec<(usize, &CheckedExpr)> =
            index.iter().enumerate().filter(|(number, _)| *number != place).collect();
        if place + 1 == index.len() && place > 1 && !index[..place].iter().any(constant) {
            // Other families with the same indices can share this base.
            let sizes: Vec<u16> =
                self.model.slots[slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
            let a = self.flat(&index[..place], &sizes[..place]);
            let t = self.number_temp();
            self.emit(I::ScaleAdd { d: Out(t), a, k: Imm(sizes[place].into()), b: In(ZERO) });
            (at, others) = (Some(In(t)), vec![]);
        }
        for (number, e) in others {
            let each = self.stride(slot, number);
            if let CheckedExprKind::Constant(Value::Element(Some(e))) = e.kind {
                first += e * each;
                continue;
            }
            let a = self.number(e);
            let t = self.number_temp();
            self.emit(I::ScaleAdd { d: Out(t), a, k: Imm(each as i32), b: at.unwrap_or(In(ZERO)) });
            at = Some(In(t));
        }
        let len = crate::compile::layout::family_size(self.model, slot) as u32 - first;
        let from = Numbers { at: self.slot(slot) + first as u16, len: len.min(u16::MAX.into()) as u16 };
        let index = at.unwrap_or(In(ZERO));
        let (stride, size, k) = (Small(stride as i16), Size(size), Small(k));
        if self.is_everything(over) {
            self.emit(I::Where { d, from, index, stride, size, test, k });
            return;
        }
        let t = self.set_temp();
        self.emit(I::Where { d: SetOut(t), from, index, stride, size, test, k });
        let a = self.set(over);
        self.emit(I::And { d, a, b: SetIn(t) });
    }

    /// Matches the count of consecutive numbers equal to another, as the expansion of `faces(dice, n)` writes it.
    pub(in crate::compile) fn counted_equal<'e>(
        &self,
        e: &'e CheckedExpr,
    ) -> Option<(Numbers, &'e CheckedExpr)> {
        let mut all = vec![];
        summands(e, &mut all)?;
        let (first, (slot, number)) = all.first().map(|(at, of)| (*at, *of))?;
        if all.len() < 2 {
            return None;
        }
        let follows = |(place, (at, of)): (usize, &(u32, (SlotId, &CheckedExpr)))| {
            *at == first + place as u32 && of.0 == slot && same_expr(of.1, number)
        };
        let all_follow = all.iter().enumerate().all(follows);
        let at = self.layout.slots[slot.index()]? + first as u16;
        return all_follow.then_some((Numbers { at, len: all.len() as u16 }, number));

        /// Collects summands that are 1 if a number of a slot equals another, with their positions.
        fn summands<'e>(e: &'e CheckedExpr, all: &mut Vec<(u32, (SlotId, &'e CheckedExpr))>) -> Option<()> {
            match &e.kind {
                CheckedExprKind::Arithmetic(Arithmetic::Add, a, b) => {
                    summands(a, all)?;
                    summands(b, all)
                }
                CheckedExprKind::If(condition, one, zero) => {
                    let is = |e: &CheckedExpr, n: i64| matches!(e.kind, CheckedExprKind::Constant(Value::Number(m)) if m == n);
                    let CheckedExprKind::Compare(ComparisonOperator::Equal, a, b) = &condition.kind else {
                        return None;
                    };
                    let CheckedExprKind::Read(target) = &a.kind else { return None };
                    let [index] = &target.index[..] else { return None };
                    let CheckedExprKind::Constant(Value::Element(Some(at))) = index.kind else { return None };
                    (is(one, 1) && is(zero, 0)).then(|| all.push((at, (target.slot, &**b))))
                }
                _ => None,
            }
        }
    }

    /// Returns `true` if a set is all of its domain.
    pub(in crate::compile) fn is_everything(&self, e: &CheckedExpr) -> bool {
        matches!(&e.kind, CheckedExprKind::Constant(Value::Set(set)) if set.len() == set.size())
    }
}

/// Matches a comparison of a slot's value with a constant.
fn comparison(condition: &CheckedExpr) -> Option<(&Target, Test, i64)> {
    let read = |e: &CheckedExpr| matches!(e.kind, CheckedExprKind::Read(_));
    match &condition.kind {
        CheckedExprKind::Read(target) => Some((target, Test::NotEqual, 0)),
        CheckedExprKind::Compare(op, a, b) if read(a) => {
            let (CheckedExprKind::Read(target), CheckedExprKind::Constant(Value::Number(n))) =
                (&a.kind, &b.kind)
            else {
                return None;
            };
            let (test, k) = match op {
                ComparisonOperator::Equal => (Test::Equal, *n),
                ComparisonOperator::NotEqual => (Test::NotEqual, *n),
                ComparisonOperator::Less => (Test::Less, *n),
                ComparisonOperator::LessEqual => (Test::Less, n.checked_add(1)?),
                ComparisonOperator::Greater => (Test::GreaterEqual, n.checked_add(1)?),
                ComparisonOperator::GreaterEqual => (Test::GreaterEqual, *n),
            };
            Some((target, test, k))
        }
        CheckedExprKind::Same(a, b) => {
            let (a, b) = if read(a) { (a, b) } else { (b, a) };
            let (CheckedExprKind::Read(target), CheckedExprKind::Constant(value)) = (&a.kind, &b.kind) else {
                return None;
            };
            let k = match value {
                Value::Element(e) => e.map_or(-1, i64::from),
                Value::Bool(truth) => i64::from(*truth),
                Value::Number(n) => *n,
                Value::Set(_) => return None,
            };
            Some((target, Test::Equal, k))
        }
        _ => None,
    }
}
