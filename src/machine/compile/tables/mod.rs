//! Lookup tables for expressions with few inputs; `pools`: all constant tables, sets and numbers of a program.

mod pools;

use super::keep::canon::FreeInput;
use super::lower::{Lowering, TABLE_STEPS};
use crate::program::{Imm, In, Instruction as I, NumberTable, Out, SetTable};
use houserule_model::board::BitSet;
use houserule_model::constant::{Input, constant_position, inputs, value_at, value_at_both, values};
use houserule_model::{Arithmetic, CheckedExpr, CheckedExprKind, Content, SlotId, Type, Value, walk};

/// Maximum number of rows of a table.
const TABLE_ROWS: i64 = 20_000;
/// Maximum number of rows of a table with two inputs, which only saves a branch.
const ROWS_OF_TWO: i64 = 256;
/// Maximum number of numbers in a table with two inputs, and least number of expressions that it stands for.
const NUMBERS_OF_TWO: i64 = 4096;
const NODES_OF_TWO: usize = 8;
/// Maximum number of evaluations of expressions for such a table.
const STEPS_OF_TWO: i64 = 400_000;
/// Size of a pool, in words, beyond which it gets no more optional tables.
const TABLE_WORDS: usize = 1 << 20;

/// The two inputs of a table.
struct TwoInputs {
    inputs: [Input; 2],
    /// Number of values of the second.
    each: i64,
    /// Index of the first row.
    low: i64,
}

/// Returns a number, boolean or element as a number.
fn scalar(value: &Value) -> Option<i64> {
    match value {
        Value::Number(n) => Some(*n),
        Value::Bool(b) => Some((*b).into()),
        Value::Element(e) => Some(e.map_or(-1, i64::from)),
        Value::Set(_) => None,
    }
}

impl Lowering<'_> {
    /// Returns the address of an input.
    fn input_at(&mut self, input: Input) -> Option<u16> {
        Some(match input {
            Input::Local(local) => self.locals[local.index()]?,
            Input::Me => self.me,
            Input::Slot(slot, position) => self.layout.slots[slot.index()]? + position as u16,
            Input::Dice(slot, _) if self.partial.contains(&slot) => return None,
            Input::Dice(slot, family) if super::layout::dice_count(self.model, slot) == 1 => {
                self.layout.slots[slot.index()]? + family as u16
            }
            Input::Dice(slot, family) => self.layout.outcomes[slot.index()]? + family as u16,
        })
    }

    /// Returns the only input of an expression and its address, if a table of it is not too large.
    fn table_input(&mut self, e: &CheckedExpr) -> Option<(Input, u16)> {
        let found = inputs(self.model, e)?;
        let mut found = found.into_iter();
        let (input, None) = (found.next()?, found.next()) else { return None };
        let range = values(self.model, input)?;
        let rows = range.end().checked_sub(*range.start())?;
        if rows > TABLE_ROWS {
            return None;
        }
        Some((input, self.input_at(input)?))
    }

    /// Evaluates an expression for each value of its input. If it fails at the first value, starts at the second.
    fn table_values(&mut self, e: &CheckedExpr, input: Input) -> Option<(i64, Vec<Value>)> {
        let range = values(self.model, input)?;
        let (low, high) = (*range.start(), *range.end());
        let budget = TABLE_STEPS.0.min(self.table_steps);
        let mut steps = budget;
        let first = value_at(self.model, e, input, low, &mut steps);
        if first.is_none() && !self.fails_as_an_index(e, input) {
            return None;
        }
        let low = if first.is_none() { low + 1 } else { low };
        let all: Option<Vec<Value>> =
            (low..=high).map(|v| value_at(self.model, e, input, v, &mut steps)).collect();
        self.table_steps -= budget - steps;
        Some((low, all?))
    }

    /// Returns `true` if an expression that fails at the first value of its input fails there like a lookup
    /// without such a row. Elements that may be `none` are not used where one is required; a number may be 0.
    fn fails_as_an_index(&self, e: &CheckedExpr, input: Input) -> bool {
        let is_number = match input {
            Input::Local(_) | Input::Me => return true,
            Input::Slot(slot, _) => matches!(self.model.slots[slot.index()].content, Content::Number { .. }),
            Input::Dice(..) => false,
        };
        let mut otherwise = false;
        walk::expr(e, &mut |e| match e.kind {
            CheckedExprKind::Arithmetic(Arithmetic::Divide | Arithmetic::Modulo, ..) => otherwise = true,
            CheckedExprKind::Arithmetic(..) | CheckedExprKind::Negate(_) => otherwise |= is_number,
            _ => {}
        });
        !otherwise
    }

    /// Returns a set expression as a table and the address of its index, if that is cheaper.
    pub(super) fn as_set_table(&mut self, e: &CheckedExpr) -> Option<(SetTable, In)> {
        if worth_a_table(e) { self.set_table_by_input(e) } else { None }
    }

    /// Like [`Lowering::as_set_table`], even if that is not cheaper.
    pub(super) fn set_table_by_input(&mut self, e: &CheckedExpr) -> Option<(SetTable, In)> {
        if self.program.sets.len() > TABLE_WORDS {
            return None;
        }
        let (input, at) = self.table_input(e)?;
        let (low, rows) = self.table_values(e, input)?;
        // A lookup of a large row is expensive as well.
        let words = rows.len() * usize::from(self.layout.width);
        self.table_steps = self.table_steps.saturating_sub(words as u32 / 16);
        let rows: Option<Vec<BitSet>> =
            rows.into_iter().map(|v| if let Value::Set(s) = v { Some(s) } else { None }).collect();
        Some((self.set_table(low, &rows?), In(at)))
    }

    /// Returns a set-valued `if` as a table over its two inputs, which needs no branch.
    pub(super) fn as_set_table_of_two(&mut self, e: &CheckedExpr) -> Option<(SetTable, In)> {
        let small = self.program.sets.len() <= TABLE_WORDS && self.layout.width <= 4;
        if !small || !matches!(e.kind, CheckedExprKind::If(..)) || !worth_a_table(e) {
            return None;
        }
        let (two, values) = self.values_of_two(e, ROWS_OF_TWO)?;
        let sets: Option<Vec<BitSet>> =
            values.into_iter().map(|v| if let Value::Set(set) = v { Some(set) } else { None }).collect();
        let sets = sets?;
        let index = self.index_of_two(two.inputs, two.each)?;
        Some((self.set_table(two.low, &sets), index))
    }

    /// Evaluates an expression that can't fail for all values of its two inputs, if there are at most `most`.
    fn values_of_two(&mut self, e: &CheckedExpr, most: i64) -> Option<(TwoInputs, Vec<Value>)> {
        let mut found = inputs(self.model, e)?.into_iter();
        let (Some(a), Some(b), None) = (found.next(), found.next(), found.next()) else { return None };
        let ((first, last), (low, high)) = (self.sure_values(a)?, self.sure_values(b)?);
        let each = high.checked_sub(low)?.checked_add(1)?;
        let rows = last.checked_sub(first)?.checked_add(1)?.checked_mul(each)?;
        let mut nodes = 0;
        walk::expr(e, &mut |_| nodes += 1);
        let needed = rows.checked_mul(nodes)?;
        let is_dear = needed > STEPS_OF_TWO || needed > i64::from(self.table_steps) / 4;
        if rows > most || is_dear || !self.never_fails(e) {
            return None;
        }
        let mut steps = TABLE_STEPS.0.min(self.table_steps);
        let before = steps;
        let values = (0..rows).map(|k| {
            let at = [(a, first + k / each), (b, low + k % each)];
            value_at_both(self.model, e, at, &mut steps)
        });
        let values: Option<Vec<Value>> = values.collect();
        self.table_steps -= before - steps;
        Some((TwoInputs { inputs: [a, b], each, low: first * each + low }, values?))
    }

    /// Computes the index in a table with two inputs.
    fn index_of_two(&mut self, [a, b]: [Input; 2], each: i64) -> Option<In> {
        let [a, b] = [self.input_at(a)?, self.input_at(b)?];
        let d = self.number_temp();
        self.emit(I::ScaleAdd { d: Out(d), a: In(a), k: Imm(each as i32), b: In(b) });
        Some(In(d))
    }

    /// Returns the minimum and maximum of an input; `none` is included only if possible.
    fn sure_values(&self, input: Input) -> Option<(i64, i64)> {
        let range = values(self.model, input)?;
        let sure = match input {
            Input::Local(local) => self.sure.contains(&local),
            Input::Slot(slot, _) => {
                matches!(self.model.slots[slot.index()].content, Content::Element { optional: false, .. })
            }
            Input::Me | Input::Dice(..) => false,
        };
        Some((if sure { 0 } else { *range.start() }, *range.end()))
    }

    /// Returns a word with a bit for a condition and the constant bits `always`, as a table and the address of
    /// its index.
    pub(super) fn as_bit_table(
        &mut self,
        e: &CheckedExpr,
        bit: u8,
        always: i64,
    ) -> Option<(NumberTable, In)> {
        if !self.never_fails(e) || self.program.numbers.len() > TABLE_WORDS {
            return None;
        }
        let (input, at) = self.table_input(e)?;
        let (low, rows) = self.table_values(e, input)?;
        let word = |v: Value| match v {
            Value::Bool(truth) => Some(i64::from(truth) << bit | always),
            _ => None,
        };
        let rows: Option<Vec<i64>> = rows.into_iter().map(word).collect();
        Some((self.number_table(low, &rows?), In(at)))
    }

    /// Returns a number, boolean or element as a table and the address of its index, if that is cheaper.
    pub(super) fn as_number_table(&mut self, e: &CheckedExpr) -> Option<(NumberTable, In)> {
        if !self.has_room_for_numbers() || !worth_a_table(e) {
            return None;
        }
        let Some((input, at)) = self.table_input(e) else { return self.number_table_of_two(e, scalar) };
        let (low, rows) = self.table_values(e, input)?;
        let rows: Option<Vec<i64>> = rows.iter().map(scalar).collect();
        Some((self.number_table(low, &rows?), In(at)))
    }

    /// Returns the element of a set that has one at most as a table and the address of its index, if that is cheaper.
    pub(super) fn as_single_table(&mut self, e: &CheckedExpr) -> Option<(NumberTable, In)> {
        if !self.has_room_for_numbers() || !worth_a_table(e) {
            return None;
        }
        self.number_table_of_two(e, |value| match value {
            Value::Set(set) if set.len() <= 1 => Some(set.iter().next().map_or(-1, i64::from)),
            _ => None,
        })
    }

    fn has_room_for_numbers(&self) -> bool {
        self.program.numbers.len() <= TABLE_WORDS && self.program.number_tables.len() <= 60_000
    }

    /// Returns an expression as a table over its two inputs, each value as `number` gives it.
    fn number_table_of_two(
        &mut self,
        e: &CheckedExpr,
        number: impl Fn(&Value) -> Option<i64>,
    ) -> Option<(NumberTable, In)> {
        let canon = self.canons.describe(e);
        if !self.options.pairs || canon.size < NODES_OF_TWO || canon.free.len() != 2 {
            return None;
        }
        let mut found = inputs(self.model, e)?.into_iter();
        let both = [found.next()?, found.next()?];
        let is_first = matches!((both[0], canon.free[0]), (Input::Local(a), FreeInput::Local(b)) if a == b);
        let is_sure =
            |input: &FreeInput| matches!(input, FreeInput::Local(local) if self.sure.contains(local));
        let key = (canon.key, [is_first, is_sure(&canon.free[0]), is_sure(&canon.free[1])]);
        let known = match self.tables_of_two.get(&key) {
            Some(known) => *known,
            None => {
                let made = self.values_of_two(e, NUMBERS_OF_TWO).and_then(|(two, values)| {
                    let numbers: Option<Vec<i64>> = values.iter().map(number).collect();
                    Some((self.number_table(two.low, &numbers?), two.each))
                });
                self.tables_of_two.insert(key, made);
                made
            }
        };
        let (table, each) = known?;
        Some((table, self.index_of_two(both, each)?))
    }

    /// Returns the position of a constant index in a slot's family.
    pub(super) fn constant_position(&self, slot: SlotId, index: &[CheckedExpr]) -> Option<u32> {
        constant_position(self.model, slot, index)
    }
}

/// Returns `true` if an expression costs more than a table lookup.
fn worth_a_table(e: &CheckedExpr) -> bool {
    let mut dear = false;
    let mut nodes = 0;
    walk::expr(e, &mut |e| {
        nodes += 1;
        dear |= matches!(
            e.kind,
            CheckedExprKind::Cell { .. }
                | CheckedExprKind::Table(..)
                | CheckedExprKind::Field(..)
                | CheckedExprKind::Column(..)
                | CheckedExprKind::Row(..)
                | CheckedExprKind::ColumnOf(..)
                | CheckedExprKind::RowOf(..)
                | CheckedExprKind::Neighbours { .. }
                | CheckedExprKind::Shift { .. }
                | CheckedExprKind::Ray { .. }
                | CheckedExprKind::Slide { .. }
                | CheckedExprKind::Quantified { .. }
                | CheckedExprKind::Filter { .. }
                | CheckedExprKind::Elements(_)
        );
    });
    dear && nodes <= 200 || ((5..=200).contains(&nodes) && matches!(e.ty, Type::Bool))
}
