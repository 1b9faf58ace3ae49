//! Expressions that depend on little: their value for each value of what they depend on.
//!
//! `around(c)`, `cell(pair[1], pair[2])`, `{first, second}` or `pair is double` depend on one small
//! thing, so they are worked out once for each of its values and looked up while a game runs.

use std::collections::{BTreeSet, HashMap};

use super::layout::joint_outcomes;
use crate::board::{
    BitSet, Topology, custodial, enclosed, fill, in_runs, line_points, longest, neighbours, ray, reach, shift,
};
use crate::lang::model::{
    Arithmetic, BoardId, Comparison, Content, DomainId, DomainKind, Expr, ExprKind, LocalId, Model, Role,
    SlotId, Type, Value,
};
use crate::lang::syntax::Quantifier;

/// What an expression can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Input {
    /// A local that is an element.
    Local(LocalId),
    /// Who acts.
    Me,
    /// A value of a slot.
    Slot(SlotId, u32),
    /// Dice that are rolled as one event: the number of the outcome.
    Dice(SlotId, u32),
}

/// The inputs of an expression; none if it depends on more than such inputs.
pub(super) fn inputs(model: &Model, e: &Expr) -> Option<BTreeSet<Input>> {
    let mut found = BTreeSet::new();
    let mut bound = vec![];
    gather(model, e, &mut bound, &mut found).then_some(found)
}

fn gather(model: &Model, e: &Expr, bound: &mut Vec<LocalId>, found: &mut BTreeSet<Input>) -> bool {
    match &e.kind {
        ExprKind::Me => {
            found.insert(Input::Me);
            true
        }
        ExprKind::Local(local) => {
            if bound.contains(local) {
                return true;
            }
            if !matches!(e.ty, Type::Element(_)) {
                return false;
            }
            found.insert(Input::Local(*local));
            true
        }
        ExprKind::Read(target) => {
            let Some(position) = constant_position(model, target.slot, &target.index) else { return false };
            let slot = &model.slots[target.slot.index()];
            match (slot.role, slot.content) {
                (Role::Dice { count, .. }, _) => {
                    found.insert(Input::Dice(target.slot, position / count));
                    joint_outcomes(model, target.slot).is_some()
                }
                (_, Content::Set(_)) => false,
                _ => {
                    found.insert(Input::Slot(target.slot, position));
                    true
                }
            }
        }
        ExprKind::As { .. } | ExprKind::Repeated { .. } => false,
        ExprKind::Filter { local, over: a, condition: b }
        | ExprKind::Quantified { local, over: a, body: b, .. } => {
            if !gather(model, a, bound, found) {
                return false;
            }
            bound.push(*local);
            let fine = gather(model, b, bound, found);
            bound.pop();
            fine
        }
        _ => {
            let mut fine = true;
            super::walk::children(e, &mut |child| fine = fine && gather(model, child, bound, found));
            fine
        }
    }
}

/// Where an index with constant elements leads in a slot's family.
pub(super) fn constant_position(model: &Model, slot: SlotId, index: &[Expr]) -> Option<u32> {
    let mut position = 0;
    for (e, d) in index.iter().zip(&model.slots[slot.index()].index) {
        let ExprKind::Constant(Value::Element(Some(e))) = e.kind else { return None };
        position = position * model.domains[d.index()].size + e;
    }
    Some(position)
}

/// The values that an input can have, as numbers in the frame; an element's none is -1.
pub(super) fn values(model: &Model, input: Input) -> Option<std::ops::RangeInclusive<i64>> {
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
        Input::Dice(slot, _) => 0..=joint_outcomes(model, slot)? as i64,
    })
}

/// Works out an expression with its input at one value. None where it would fail, or where it would
/// take more than `steps`, of which it takes what it uses.
pub(super) fn value_at(model: &Model, e: &Expr, input: Input, value: i64, steps: &mut u32) -> Option<Value> {
    Known { model, input: Some((input, value)), locals: HashMap::new(), slots: None, steps }.value(e)
}

/// Works out an expression that depends on nothing but one local. None where it depends on more, or
/// would take more than `steps`, of which it takes what it uses.
pub(super) fn value_with(
    model: &Model,
    e: &Expr,
    local: LocalId,
    value: Value,
    steps: &mut u32,
) -> Option<Value> {
    Known { model, input: None, locals: HashMap::from([(local, value)]), slots: None, steps }.value(e)
}

/// Works out an expression that depends on nothing but slots with the values of the start, in so many
/// steps at the most.
pub(super) fn value_at_start(model: &Model, e: &Expr, mut steps: u32) -> Option<Value> {
    let steps = &mut steps;
    Known { model, input: None, locals: HashMap::new(), slots: Some(()), steps }.value(e)
}

struct Known<'m, 's> {
    model: &'m Model,
    input: Option<(Input, i64)>,
    locals: HashMap<LocalId, Value>,
    slots: Option<()>,
    /// What may still be spent.
    steps: &'s mut u32,
}

impl<'m> Known<'m, '_> {
    /// Pays for something that goes over a whole board.
    fn pay_for_board(&mut self, e: &Expr) -> Option<()> {
        let (ExprKind::Columns(board, _)
        | ExprKind::Rows(board, _)
        | ExprKind::Neighbours { board, .. }
        | ExprKind::Shift { board, .. }
        | ExprKind::Ray { board, .. }
        | ExprKind::Lines { board, .. }
        | ExprKind::Longest { board, .. }
        | ExprKind::Runs { board, .. }
        | ExprKind::Reach { board, .. }
        | ExprKind::Enclosed { board, .. }
        | ExprKind::Fill { board, .. }
        | ExprKind::Custodial { board, .. }) = &e.kind
        else {
            return Some(());
        };
        let size = self.topology(*board).size();
        let cheap = matches!(e.kind, ExprKind::Columns(..) | ExprKind::Rows(..) | ExprKind::Shift { .. });
        let price = if cheap { size / 8 } else { size };
        *self.steps = self.steps.checked_sub(price)?;
        Some(())
    }

    fn number(&mut self, e: &Expr) -> Option<i64> {
        if let Value::Number(n) = self.value(e)? { Some(n) } else { None }
    }

    fn truth(&mut self, e: &Expr) -> Option<bool> {
        if let Value::Bool(b) = self.value(e)? { Some(b) } else { None }
    }

    fn element(&mut self, e: &Expr) -> Option<Option<u32>> {
        if let Value::Element(e) = self.value(e)? { Some(e) } else { None }
    }

    fn set(&mut self, e: &Expr) -> Option<BitSet> {
        if let Value::Set(s) = self.value(e)? { Some(s) } else { None }
    }

    fn size(&self, ty: Type) -> u32 {
        match ty {
            Type::Set(d) | Type::Element(d) => self.model.domains[d.index()].size,
            _ => 0,
        }
    }

    fn topology(&self, board: BoardId) -> &'m Topology {
        &self.model.boards[board.index()].topology
    }

    fn low(&self, ty: Type) -> i64 {
        match ty {
            Type::Element(d) | Type::Set(d) => match self.model.domains[d.index()].kind {
                DomainKind::Range { low } => low,
                _ => 0,
            },
            _ => 0,
        }
    }

    fn read(&mut self, slot: SlotId, index: &[Expr]) -> Option<Value> {
        let position = constant_position(self.model, slot, index)?;
        let declared = &self.model.slots[slot.index()];
        if self.slots.is_some() {
            return declared.initial.get(position as usize).cloned();
        }
        let (input, value) = self.input?;
        match (input, declared.role) {
            (Input::Dice(s, family), Role::Dice { count, faces, .. })
                if s == slot && family == position / count =>
            {
                let outcomes = i64::from(faces).pow(count);
                let behind = count - 1 - position % count;
                let face = value / i64::from(faces).pow(behind) % i64::from(faces) + 1;
                // The number of a lone die is its face.
                Some(Value::Number(match count {
                    1 => value,
                    _ if value == outcomes => 0,
                    _ => face,
                }))
            }
            (Input::Slot(s, p), _) if s == slot && p == position => Some(match declared.content {
                Content::Number { .. } => Value::Number(value),
                Content::Bool => Value::Bool(value != 0),
                Content::Element { .. } => Value::Element(u32::try_from(value).ok()),
                Content::Set(_) => return None,
            }),
            _ => None,
        }
    }

    fn value(&mut self, e: &Expr) -> Option<Value> {
        *self.steps = self.steps.checked_sub(1)?;
        self.pay_for_board(e)?;
        Some(match &e.kind {
            ExprKind::Constant(value) => value.clone(),
            ExprKind::Read(target) => self.read(target.slot, &target.index)?,
            ExprKind::Local(local) => match (self.locals.get(local), self.input) {
                (Some(value), _) => value.clone(),
                (None, Some((Input::Local(l), value))) if l == *local => {
                    Value::Element(u32::try_from(value).ok())
                }
                _ => return None,
            },
            ExprKind::Me => match self.input {
                Some((Input::Me, value)) => Value::Element(u32::try_from(value).ok()),
                _ => return None,
            },
            ExprKind::As { .. } | ExprKind::Repeated { .. } => return None,
            ExprKind::After { player, among } => {
                let count = self.model.players.count;
                let player = self.element(player)??;
                let among = match among {
                    Some(among) => self.set(among)?,
                    None => BitSet::full(count),
                };
                let next = (1..=count).map(|k| (player + k) % count).find(|p| among.contains(*p));
                Value::Element(next)
            }
            ExprKind::ValueOf(a) => Value::Number(i64::from(self.element(a)??) + self.low(a.ty)),
            ExprKind::ElementOf(a) => {
                let n = self.number(a)?.checked_sub(self.low(e.ty))?;
                Value::Element(u32::try_from(n).ok().filter(|n| *n < self.size(e.ty)))
            }
            ExprKind::Table(table, index) => {
                let table = &self.model.tables[table.index()];
                let mut position = 0;
                for (i, d) in index.iter().zip(&table.index) {
                    position =
                        position * self.model.domains[d.index()].size as usize + self.element(i)?? as usize;
                }
                let n = *table.values.get(position)?;
                match e.ty {
                    Type::Element(_) => Value::Element(u32::try_from(n).ok()),
                    Type::Bool => Value::Bool(n != 0),
                    _ => Value::Number(n),
                }
            }
            ExprKind::Negate(a) => Value::Number(self.number(a)?.checked_neg()?),
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Value::Number(match op {
                    Arithmetic::Add => a.checked_add(b)?,
                    Arithmetic::Subtract => a.checked_sub(b)?,
                    Arithmetic::Multiply => a.checked_mul(b)?,
                    Arithmetic::Divide => floor_divide(a, b)?,
                    Arithmetic::Modulo => a.checked_sub(b.checked_mul(floor_divide(a, b)?)?)?,
                    Arithmetic::Min => a.min(b),
                    Arithmetic::Max => a.max(b),
                })
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Value::Bool(match op {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a < b,
                    Comparison::LessEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterEqual => a >= b,
                })
            }
            ExprKind::Same(a, b) => Value::Bool(self.value(a)? == self.value(b)?),
            ExprKind::Not(a) => Value::Bool(!self.truth(a)?),
            ExprKind::And(a, b) => Value::Bool(self.truth(a)? && self.truth(b)?),
            ExprKind::Or(a, b) => Value::Bool(self.truth(a)? || self.truth(b)?),
            ExprKind::If(c, a, b) => {
                if self.truth(c)? {
                    self.value(a)?
                } else {
                    self.value(b)?
                }
            }
            ExprKind::Contains { set, element } => {
                let set = self.set(set)?;
                Value::Bool(self.element(element)?.is_some_and(|e| set.contains(e)))
            }
            ExprKind::Subset(a, b) => Value::Bool(self.set(a)?.is_subset(&self.set(b)?)),
            ExprKind::IsSome(a) => Value::Bool(!self.set(a)?.is_empty()),
            ExprKind::Elements(list) => {
                let mut set = BitSet::empty(self.size(e.ty));
                for e in list {
                    if let Some(e) = self.element(e)? {
                        set.insert(e);
                    }
                }
                Value::Set(set)
            }
            ExprKind::Union(a, b) => Value::Set(self.set(a)?.union(&self.set(b)?)),
            ExprKind::Intersect(a, b) => Value::Set(self.set(a)?.intersect(&self.set(b)?)),
            ExprKind::Minus(a, b) => Value::Set(self.set(a)?.minus(&self.set(b)?)),
            ExprKind::Filter { local, over, condition } => {
                let mut kept = BitSet::empty(self.size(e.ty));
                for x in self.set(over)?.iter() {
                    self.locals.insert(*local, Value::Element(Some(x)));
                    if self.truth(condition)? {
                        kept.insert(x);
                    }
                }
                Value::Set(kept)
            }
            ExprKind::Quantified { op, local, over, body } => self.quantified(e, *op, *local, over, body)?,
            ExprKind::Count(a) => Value::Number(self.set(a)?.len().into()),
            ExprKind::First(a) => Value::Element(self.set(a)?.first()),
            ExprKind::Last(a) => Value::Element(self.set(a)?.last()),
            ExprKind::Cell { board, column, row } => {
                let (column, row) = (self.number(column)?, self.number(row)?);
                Value::Element(self.topology(*board).site_at(column, row))
            }
            ExprKind::ColumnOf(board, a) => {
                Value::Number(self.topology(*board).column_of(self.element(a)??).into())
            }
            ExprKind::RowOf(board, a) => {
                Value::Number(self.topology(*board).row_of(self.element(a)??).into())
            }
            ExprKind::Column(board, a) => {
                let n = self.number(a)?;
                Value::Set(self.topology(*board).column(n).unwrap_or_else(|| BitSet::empty(self.size(e.ty))))
            }
            ExprKind::Row(board, a) => {
                let n = self.number(a)?;
                Value::Set(self.topology(*board).row(n).unwrap_or_else(|| BitSet::empty(self.size(e.ty))))
            }
            ExprKind::Columns(board, a) => {
                let set = self.set(a)?;
                let t = self.topology(*board);
                Value::Set(BitSet::from_elements(self.size(e.ty), set.iter().map(|s| t.column_of(s) - 1)))
            }
            ExprKind::Rows(board, a) => {
                let set = self.set(a)?;
                let t = self.topology(*board);
                Value::Set(BitSet::from_elements(self.size(e.ty), set.iter().map(|s| t.row_of(s) - 1)))
            }
            ExprKind::SidesOf(board, of) => Value::Set(self.topology(*board).sides_of(&self.set(of)?)),
            ExprKind::CellsAt(board, of) => Value::Set(self.topology(*board).cells_at(&self.set(of)?)),
            ExprKind::Neighbours { board, orthogonal, of } => {
                Value::Set(neighbours(self.topology(*board), &self.set(of)?, *orthogonal))
            }
            ExprKind::Shift { board, direction, of } => {
                Value::Set(shift(self.topology(*board), &self.set(of)?, *direction))
            }
            ExprKind::Ray { board, direction, of } => {
                Value::Set(ray(self.topology(*board), &self.set(of)?, *direction))
            }
            ExprKind::Lines { board, along, of, points } => {
                let set = self.set(of)?;
                Value::Number(line_points(self.topology(*board), &set, *along, |n| points.get(n.into()))?)
            }
            ExprKind::Longest { board, along, of } => {
                let set = self.set(of)?;
                Value::Number(longest(self.topology(*board), &set, *along).into())
            }
            ExprKind::Runs { board, along, of, length } => {
                let (set, length) = (self.set(of)?, self.number(length)?);
                Value::Set(in_runs(self.topology(*board), &set, *along, length))
            }
            ExprKind::Reach { board, orthogonal, seed, within } => {
                let (seed, within) = (self.set(seed)?, self.set(within)?);
                Value::Set(reach(self.topology(*board), &seed, &within, *orthogonal))
            }
            ExprKind::Enclosed { board, orthogonal, near, walls } => {
                let (near, walls) = (self.set(near)?, self.set(walls)?);
                Value::Set(enclosed(self.topology(*board), &near, &walls, *orthogonal))
            }
            ExprKind::Fill { board, orthogonal, of } => {
                Value::Set(fill(self.topology(*board), &self.set(of)?, *orthogonal))
            }
            ExprKind::Custodial { board, from, to, through } => {
                let (from, to, through) = (self.set(from)?, self.set(to)?, self.set(through)?);
                Value::Set(custodial(self.topology(*board), &from, &to, &through))
            }
        })
    }

    fn quantified(
        &mut self,
        e: &Expr,
        op: Quantifier,
        local: LocalId,
        over: &Expr,
        body: &Expr,
    ) -> Option<Value> {
        let over = self.set(over)?;
        let mut each = vec![];
        for x in over.iter() {
            self.locals.insert(local, Value::Element(Some(x)));
            each.push((x, self.value(body)?));
        }
        let truths = || each.iter().map(|(_, v)| matches!(v, Value::Bool(true)));
        let numbers =
            || each.iter().filter_map(|(x, v)| if let Value::Number(n) = v { Some((*x, *n)) } else { None });
        Some(match op {
            Quantifier::Any => Value::Bool(truths().any(|t| t)),
            Quantifier::All => Value::Bool(truths().all(|t| t)),
            Quantifier::Count => Value::Number(truths().filter(|t| *t).count() as i64),
            Quantifier::Sum => Value::Number(numbers().try_fold(0i64, |sum, (_, n)| sum.checked_add(n))?),
            Quantifier::Min => Value::Number(numbers().map(|(_, n)| n).min().unwrap_or(0)),
            Quantifier::Max => Value::Number(numbers().map(|(_, n)| n).max().unwrap_or(0)),
            Quantifier::Best => {
                let most = numbers().map(|(_, n)| n).max();
                Value::Element(numbers().find(|(_, n)| Some(*n) == most).map(|(x, _)| x))
            }
            Quantifier::Union => {
                Value::Set(each.iter().fold(BitSet::empty(self.size(e.ty)), |all, (_, v)| {
                    if let Value::Set(s) = v { all.union(s) } else { all }
                }))
            }
        })
    }
}

fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a.checked_rem(b)? != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}
