//! Compile-time evaluation of expressions for each value of their inputs.
//!
//! `around(c)`, `cell(pair[1], pair[2])`, `{first, second}` or `pair is double` depend on one small input. They
//! are evaluated once for each of its values, and are table lookups at run time.

use std::collections::BTreeSet;

use crate::fold::{Folder, KnownValues};
use crate::{
    CheckedExpr, CheckedExprKind, Content, DomainId, LocalId, Model, Role, SlotId, Target, Type, Value, walk,
};

/// An input: something that an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// A local that is an element.
    Local(LocalId),
    /// The acting player.
    Me,
    /// A value of a slot.
    Slot(SlotId, u32),
    /// Dice that are rolled as one event: the index of the outcome.
    Dice(SlotId, u32),
}

/// Returns the inputs of an expression, or `None` if it depends on anything else.
pub fn inputs(model: &Model, e: &CheckedExpr) -> Option<BTreeSet<Input>> {
    let mut found = BTreeSet::new();
    let mut bound = vec![];
    gather(model, e, &mut bound, &mut found).then_some(found)
}

fn gather(model: &Model, e: &CheckedExpr, bound: &mut Vec<LocalId>, found: &mut BTreeSet<Input>) -> bool {
    match &e.kind {
        CheckedExprKind::Me => {
            found.insert(Input::Me);
            true
        }
        CheckedExprKind::Local(local) => {
            if bound.contains(local) {
                return true;
            }
            if !matches!(e.ty, Type::Element(_)) {
                return false;
            }
            found.insert(Input::Local(*local));
            true
        }
        CheckedExprKind::Read(target) => {
            let Some(position) = constant_position(model, target.slot, &target.index) else { return false };
            let slot = &model.slots[target.slot.index()];
            match (slot.role, slot.content) {
                (Role::Dice { count, .. }, _) => {
                    found.insert(Input::Dice(target.slot, position / count));
                    model.joint_outcomes(target.slot).is_some()
                }
                (_, Content::Set(_)) => false,
                _ => {
                    found.insert(Input::Slot(target.slot, position));
                    true
                }
            }
        }
        CheckedExprKind::As { .. }
        | CheckedExprKind::Repeated { .. }
        | CheckedExprKind::Tried { .. }
        | CheckedExprKind::Chain(_)
        | CheckedExprKind::RestOfChain
        | CheckedExprKind::Call { .. } => false,
        CheckedExprKind::Filter { local, over: a, condition: b }
        | CheckedExprKind::Quantified { local, over: a, body: b, .. } => {
            if !gather(model, a, bound, found) {
                return false;
            }
            bound.push(*local);
            let fine = gather(model, b, bound, found);
            bound.pop();
            fine
        }
        _ => {
            let mut fine = matches!(walk::dependence(e), walk::Dependence::None);
            walk::children(e, &mut |child| fine = fine && gather(model, child, bound, found));
            fine
        }
    }
}

/// Returns the position of a constant index in a slot's family.
pub fn constant_position(model: &Model, slot: SlotId, index: &[CheckedExpr]) -> Option<u32> {
    let mut position = 0;
    for (e, d) in index.iter().zip(&model.slots[slot.index()].index) {
        let CheckedExprKind::Constant(Value::Element(Some(e))) = e.kind else { return None };
        position = position * model.domains[d.index()].size + e;
    }
    Some(position)
}

/// Returns the range of an input's values, as numbers in the frame; `none` is -1.
pub fn values(model: &Model, input: Input) -> Option<std::ops::RangeInclusive<i64>> {
    let elements = |d: DomainId| -1..=i64::from(model.domains[d.index()].size) - 1;
    Some(match input {
        Input::Local(local) => {
            let Type::Element(d) = model.locals[local.index()].ty else { return None };
            elements(d)
        }
        Input::Me => 0..=i64::from(model.players.count) - 1,
        Input::Slot(slot, _) => match model.slots[slot.index()].content {
            Content::Number { low, high } => low..=high,
            Content::Bool => 0..=1,
            Content::Element { domain, .. } => elements(domain),
            Content::Set(_) => return None,
        },
        Input::Dice(slot, _) => 0..=model.joint_outcomes(slot)? as i64,
    })
}

/// An input with a value.
struct At {
    input: Input,
    value: i64,
}

impl KnownValues for At {
    fn slot(&self, model: &Model, target: &Target) -> Option<Value> {
        let position = constant_position(model, target.slot, &target.index)?;
        let declared = &model.slots[target.slot.index()];
        match (self.input, declared.role) {
            (Input::Dice(slot, family), Role::Dice { count, faces, .. })
                if slot == target.slot && family == position / count =>
            {
                let outcomes = i64::from(faces).pow(count);
                let behind = count - 1 - position % count;
                let face = self.value / i64::from(faces).pow(behind) % i64::from(faces) + 1;
                // The outcome of a single die is its face.
                Some(Value::Number(match count {
                    1 => self.value,
                    _ if self.value == outcomes => 0,
                    _ => face,
                }))
            }
            (Input::Slot(slot, of), _) if slot == target.slot && of == position => match declared.content {
                Content::Number { .. } => Some(Value::Number(self.value)),
                Content::Bool => Some(Value::Bool(self.value != 0)),
                Content::Element { .. } => Some(self.element()),
                Content::Set(_) => None,
            },
            _ => None,
        }
    }

    fn me(&self) -> Option<Value> {
        (self.input == Input::Me).then(|| self.element())
    }

    fn local(&self, local: LocalId) -> Option<Value> {
        (self.input == Input::Local(local)).then(|| self.element())
    }
}

impl At {
    fn element(&self) -> Value {
        Value::Element(u32::try_from(self.value).ok())
    }
}

/// Two inputs, each with a value.
struct InputPair(At, At);

impl KnownValues for InputPair {
    fn slot(&self, model: &Model, target: &Target) -> Option<Value> {
        self.0.slot(model, target).or_else(|| self.1.slot(model, target))
    }

    fn me(&self) -> Option<Value> {
        self.0.me().or_else(|| self.1.me())
    }

    fn local(&self, local: LocalId) -> Option<Value> {
        self.0.local(local).or_else(|| self.1.local(local))
    }
}

/// A local with its value.
struct With(LocalId, Value);

impl KnownValues for With {
    fn local(&self, local: LocalId) -> Option<Value> {
        (self.0 == local).then(|| self.1.clone())
    }
}

/// Slots with their initial values.
struct InitialValues;

impl KnownValues for InitialValues {
    fn slot(&self, model: &Model, target: &Target) -> Option<Value> {
        let position = constant_position(model, target.slot, &target.index)?;
        model.slots[target.slot.index()].initial.get(position as usize).cloned()
    }
}

fn compute(model: &Model, e: &CheckedExpr, known: impl KnownValues, steps: &mut u32) -> Option<Value> {
    let mut folder = Folder::new(model, known, *steps);
    let value = folder.value(e).ok();
    *steps = folder.steps_left();
    value
}

/// Evaluates an expression with its input at one value, and deducts the steps used from `steps`. Returns `None`
/// if evaluation fails or takes more steps.
pub fn value_at(model: &Model, e: &CheckedExpr, input: Input, value: i64, steps: &mut u32) -> Option<Value> {
    compute(model, e, At { input, value }, steps)
}

/// Like [`value_at`], with two inputs.
pub fn value_at_both(
    model: &Model,
    e: &CheckedExpr,
    [a, b]: [(Input, i64); 2],
    steps: &mut u32,
) -> Option<Value> {
    let at = |(input, value)| At { input, value };
    compute(model, e, InputPair(at(a), at(b)), steps)
}

/// Evaluates an expression that depends on one local only, and deducts the steps used from `steps`. Returns
/// `None` if it depends on more, fails, or takes more steps.
pub fn value_with(
    model: &Model,
    e: &CheckedExpr,
    local: LocalId,
    value: Value,
    steps: &mut u32,
) -> Option<Value> {
    compute(model, e, With(local, value), steps)
}

/// Evaluates an expression that depends only on slots, at their initial values, in at most `steps` steps.
pub fn value_at_start(model: &Model, e: &CheckedExpr, mut steps: u32) -> Option<Value> {
    compute(model, e, InitialValues, &mut steps)
}
