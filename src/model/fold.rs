//! Constant folding: evaluates expressions that depend on nothing, or only on values that the caller
//! supplies. The checker uses it so that sizes, tables and sets of sites are constants in the model. The
//! compiler uses it to build lookup tables.

use crate::board::{self, BitSet, Site, Topology};
use crate::*;
use houserule_language::syntax::Quantifier;

/// The reason why an expression can't be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It depends on an unknown value (state, acting player, local), or the budget ran out.
    State,
    /// A result doesn't fit in 64 bits.
    Overflow,
    /// A division by zero.
    DivisionByZero,
    /// An element is required, but the value is none.
    Nothing,
}

type Folded<T = Value> = Result<T, Why>;

/// Values supplied for variable parts of an expression.
pub trait KnownValues {
    /// The value of a slot.
    fn slot(&self, _model: &Model, _target: &Target) -> Option<Value> {
        None
    }

    /// The acting player.
    fn me(&self) -> Option<Value> {
        None
    }

    /// The value of a local introduced outside the expression.
    fn local(&self, _local: LocalId) -> Option<Value> {
        None
    }
}

/// Supplies no values.
pub struct Nothing;

impl KnownValues for Nothing {}

/// Evaluates expressions within a budget.
pub struct Folder<'m, K> {
    model: &'m Model,
    known: K,
    locals: Vec<(LocalId, Value)>,
    budget: u32,
}

/// Returns the quotient, rounded down, or `None` if it overflows or the divisor is 0.
pub fn divide_down(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Arithmetic with floor division. Returns an error on overflow or division by zero.
fn arithmetic(op: Arithmetic, a: i64, b: i64) -> Folded<i64> {
    let value = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Min => Some(a.min(b)),
        Arithmetic::Max => Some(a.max(b)),
        Arithmetic::Divide | Arithmetic::Modulo if b == 0 => return Err(Why::DivisionByZero),
        Arithmetic::Divide => divide_down(a, b),
        Arithmetic::Modulo => {
            a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
    };
    value.ok_or(Why::Overflow)
}

impl<'m, K: KnownValues> Folder<'m, K> {
    /// Creates a folder with a budget of `steps`. An expression that takes more is not evaluated.
    pub fn new(model: &'m Model, known: K, steps: u32) -> Self {
        Folder { model, known, locals: vec![], budget: steps }
    }

    /// Returns what is left of the budget.
    pub fn steps_left(&self) -> u32 {
        self.budget
    }

    fn size(&self, domain: DomainId) -> u32 {
        self.model.domains[domain.index()].size
    }

    fn topology(&self, board: BoardId) -> &'m Topology {
        &self.model.boards[board.index()].topology
    }

    fn number(&mut self, e: &CheckedExpr) -> Folded<i64> {
        match self.value(e)? {
            Value::Number(n) => Ok(n),
            _ => Err(Why::State),
        }
    }

    fn truth(&mut self, e: &CheckedExpr) -> Folded<bool> {
        match self.value(e)? {
            Value::Bool(b) => Ok(b),
            _ => Err(Why::State),
        }
    }

    fn element(&mut self, e: &CheckedExpr) -> Folded<Option<u32>> {
        match self.value(e)? {
            Value::Element(x) => Ok(x),
            _ => Err(Why::State),
        }
    }

    fn some(&mut self, e: &CheckedExpr) -> Folded<u32> {
        self.element(e)?.ok_or(Why::Nothing)
    }

    fn set(&mut self, e: &CheckedExpr) -> Folded<BitSet> {
        match self.value(e)? {
            Value::Set(s) => Ok(s),
            _ => Err(Why::State),
        }
    }

    /// The first number of a range domain; 0 for other domains.
    fn low(&self, ty: Type) -> i64 {
        match ty {
            Type::Element(domain) => match self.model.domains[domain.index()].kind {
                DomainKind::Range { low } => low,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Evaluates `e`, or returns the reason why it can't.
    pub fn value(&mut self, e: &CheckedExpr) -> Folded {
        self.budget = self.budget.checked_sub(1).ok_or(Why::State)?;
        use CheckedExprKind as K;
        Ok(match &e.kind {
            K::Constant(value) => value.clone(),
            K::As { .. } => return Err(Why::State),
            K::Read(target) => self.known.slot(self.model, target).ok_or(Why::State)?,
            K::Me => self.known.me().ok_or(Why::State)?,
            K::Local(id) => match self.locals.iter().rev().find(|(local, _)| local == id) {
                Some((_, value)) => value.clone(),
                None => self.known.local(*id).ok_or(Why::State)?,
            },
            K::After { player, among, back } => {
                let among = match among {
                    Some(set) => self.set(set)?,
                    None => BitSet::full(self.size(PLAYER)),
                };
                let (player, count) = (self.some(player)?, self.size(PLAYER));
                let step = |n| if *back { player + count - n } else { player + n };
                Value::Element((1..=count).map(|n| step(n) % count).find(|p| among.contains(*p)))
            }
            K::ValueOf(inner) => Value::Number(self.low(inner.ty) + i64::from(self.some(inner)?)),
            K::ElementOf(inner) => {
                let Type::Element(domain) = e.ty else { return Err(Why::State) };
                let place = self.number(inner)?.checked_sub(self.low(e.ty));
                let place = place.and_then(|n| u32::try_from(n).ok());
                Value::Element(place.filter(|n| *n < self.size(domain)))
            }
            K::Table(id, index) => {
                let table = &self.model.tables[id.index()];
                let mut place = 0usize;
                for (i, domain) in index.iter().zip(&table.index) {
                    place = place * self.size(*domain) as usize + self.some(i)? as usize;
                }
                let number = *table.values.get(place).ok_or(Why::State)?;
                match e.ty {
                    Type::Element(_) => Value::Element(u32::try_from(number).ok()),
                    Type::Bool => Value::Bool(number != 0),
                    _ => Value::Number(number),
                }
            }
            K::Field(id, element) => {
                let element = self.element(element)?;
                let value = element.and_then(|e| self.model.tables[id.index()].values.get(e as usize));
                Value::Element(value.and_then(|value| u32::try_from(*value).ok()))
            }
            K::Negate(a) => Value::Number(self.number(a)?.checked_neg().ok_or(Why::Overflow)?),
            K::Arithmetic(op, a, b) => Value::Number(arithmetic(*op, self.number(a)?, self.number(b)?)?),
            K::Compare(op, a, b) => Value::Bool(op.holds(self.number(a)?, self.number(b)?)),
            K::Same(a, b) => Value::Bool(self.value(a)? == self.value(b)?),
            K::Not(a) => Value::Bool(!self.truth(a)?),
            K::And(a, b) => Value::Bool(self.truth(a)? && self.truth(b)?),
            K::Or(a, b) => Value::Bool(self.truth(a)? || self.truth(b)?),
            K::If(a, b, c) => {
                let wanted = if self.truth(a)? { b } else { c };
                self.value(wanted)?
            }
            K::Contains { set, element } => {
                let (element, set) = (self.element(element)?, self.set(set)?);
                Value::Bool(element.is_some_and(|x| set.contains(x)))
            }
            K::Subset(a, b) => Value::Bool(self.set(a)?.is_subset(&self.set(b)?)),
            K::IsSome(a) => Value::Bool(!self.set(a)?.is_empty()),
            K::Elements(elements) => {
                let Type::Set(domain) = e.ty else { return Err(Why::State) };
                let mut set = BitSet::empty(self.size(domain));
                for element in elements {
                    if let Some(x) = self.element(element)? {
                        set.insert(x);
                    }
                }
                Value::Set(set)
            }
            K::Union(a, b) => Value::Set(self.set(a)?.union(&self.set(b)?)),
            K::Intersect(a, b) => Value::Set(self.set(a)?.intersect(&self.set(b)?)),
            K::Minus(a, b) => Value::Set(self.set(a)?.minus(&self.set(b)?)),
            K::Filter { local, over, condition } => {
                let over = self.set(over)?;
                let mut kept = BitSet::empty(over.size());
                for x in over.iter() {
                    if self.with(*local, x, |f| f.truth(condition))? {
                        kept.insert(x);
                    }
                }
                Value::Set(kept)
            }
            K::Quantified { op, local, over, body } => {
                let over = self.set(over)?;
                self.quantified(*op, *local, &over, body, e.ty)?
            }
            K::Count(a) => Value::Number(i64::from(self.set(a)?.len())),
            K::First(a) => Value::Element(self.set(a)?.first()),
            K::Last(a) => Value::Element(self.set(a)?.last()),
            _ => self.on_board(e)?,
        })
    }

    /// Evaluates expressions that query a board.
    fn on_board(&mut self, e: &CheckedExpr) -> Folded {
        use CheckedExprKind as K;
        // Operations on whole boards cost steps in proportion to their size.
        let (board, share) = match &e.kind {
            K::Neighbours { board, .. }
            | K::Ray { board, .. }
            | K::Slide { board, .. }
            | K::Reach { board, .. }
            | K::ReachBy { board, .. }
            | K::Enclosed { board, .. }
            | K::Fill { board, .. }
            | K::Lines { board, .. }
            | K::Longest { board, .. }
            | K::Runs { board, .. }
            | K::Custodial { board, .. } => (Some(board), 1),
            K::Shift { board, .. }
            | K::Columns(board, _)
            | K::Rows(board, _)
            | K::SidesOf(board, _)
            | K::CellsAt(board, _)
            | K::Crossing(board, _) => (Some(board), 8),
            _ => (None, 1),
        };
        let price = board.map_or(0, |board| self.topology(*board).size() / share);
        self.budget = self.budget.checked_sub(price).ok_or(Why::State)?;
        let sites = |board: BoardId| self.topology(board).size();
        Ok(match &e.kind {
            K::Cell { board, column, row } => {
                let (column, row) = (self.number(column)?, self.number(row)?);
                Value::Element(self.topology(*board).site_at(column, row).map(|site| site.0))
            }
            K::ColumnOf(board, a) => {
                let site = self.some(a)?;
                Value::Number(i64::from(self.topology(*board).column_of(Site(site))))
            }
            K::RowOf(board, a) => {
                let site = self.some(a)?;
                Value::Number(i64::from(self.topology(*board).row_of(Site(site))))
            }
            K::Column(board, a) => {
                let none = BitSet::empty(sites(*board));
                let column = self.number(a)?;
                Value::Set(self.topology(*board).column(column).unwrap_or(none))
            }
            K::Row(board, a) => {
                let none = BitSet::empty(sites(*board));
                let row = self.number(a)?;
                Value::Set(self.topology(*board).row(row).unwrap_or(none))
            }
            K::Columns(board, a) => {
                let (set, topology) = (self.set(a)?, self.topology(*board));
                let touched = set.sites().map(|s| topology.column_of(s) - 1);
                Value::Set(BitSet::from_elements(topology.width(), touched))
            }
            K::Rows(board, a) => {
                let (set, topology) = (self.set(a)?, self.topology(*board));
                let touched = set.sites().map(|s| topology.row_of(s) - 1);
                Value::Set(BitSet::from_elements(topology.height(), touched))
            }
            K::SidesOf(board, of) => Value::Set(self.topology(*board).sides_of(&self.set(of)?)),
            K::CellsAt(board, of) => Value::Set(self.topology(*board).cells_at(&self.set(of)?)),
            K::Crossing(board, of) => Value::Set(self.topology(*board).crossings(&self.set(of)?)),
            K::Neighbours { board, near, of } => {
                Value::Set(board::neighbours(self.topology(*board), &self.set(of)?, *near))
            }
            K::Slide { board, direction, of, through } => {
                let (of, through) = (self.set(of)?, self.set(through)?);
                Value::Set(board::slide(self.topology(*board), &of, *direction, &through))
            }
            K::Shift { board, direction, of } => {
                Value::Set(board::shift(self.topology(*board), &self.set(of)?, *direction))
            }
            K::Ray { board, direction, of } => {
                Value::Set(board::ray(self.topology(*board), &self.set(of)?, *direction))
            }
            K::Longest { board, along, of } => {
                Value::Number(i64::from(board::longest(self.topology(*board), &self.set(of)?, *along)))
            }
            K::Lines { board, along, of, points } => {
                let of = self.set(of)?;
                let worth =
                    board::line_points(self.topology(*board), &of, *along, |n| points.get(i64::from(n)));
                Value::Number(worth.ok_or(Why::Overflow)?)
            }
            K::Runs { board, along, of, length } => {
                let (of, length) = (self.set(of)?, self.number(length)?);
                Value::Set(board::in_runs(self.topology(*board), &of, *along, length))
            }
            K::Reach { board, orthogonal, seed, within } => {
                let (seed, within) = (self.set(seed)?, self.set(within)?);
                Value::Set(board::reach(self.topology(*board), &seed, &within, *orthogonal))
            }
            K::ReachBy { board, sides, orthogonal, joined, seed, within, links } => {
                let (seed, within, links) = (self.set(seed)?, self.set(within)?, self.set(links)?);
                let near = board::Near::neighbours(*orthogonal);
                let steps = self.topology(*sides).steps_by(self.topology(*board), near, *joined);
                Value::Set(board::reach_by(&steps, &seed, &within, &links, *joined))
            }
            K::Enclosed { board, orthogonal, near, walls } => {
                let (near, walls) = (self.set(near)?, self.set(walls)?);
                Value::Set(board::enclosed(self.topology(*board), &near, &walls, *orthogonal))
            }
            K::Fill { board, orthogonal, of } => {
                Value::Set(board::fill(self.topology(*board), &self.set(of)?, *orthogonal))
            }
            K::Custodial { board, from, to, through } => {
                let (from, to, through) = (self.set(from)?, self.set(to)?, self.set(through)?);
                Value::Set(board::custodial(self.topology(*board), &from, &to, &through))
            }
            _ => return Err(Why::State),
        })
    }

    fn with<T>(&mut self, local: LocalId, element: u32, f: impl FnOnce(&mut Self) -> Folded<T>) -> Folded<T> {
        self.locals.push((local, Value::Element(Some(element))));
        let value = f(self);
        self.locals.pop();
        value
    }

    fn quantified(
        &mut self,
        op: Quantifier,
        local: LocalId,
        over: &BitSet,
        body: &CheckedExpr,
        ty: Type,
    ) -> Folded {
        match op {
            Quantifier::Any | Quantifier::All => {
                let wanted = op == Quantifier::Any;
                for x in over.iter() {
                    if self.with(local, x, |f| f.truth(body))? == wanted {
                        return Ok(Value::Bool(wanted));
                    }
                }
                Ok(Value::Bool(!wanted))
            }
            Quantifier::Count => {
                let mut count = 0;
                for x in over.iter() {
                    count += i64::from(self.with(local, x, |f| f.truth(body))?);
                }
                Ok(Value::Number(count))
            }
            Quantifier::Union => {
                let Type::Set(domain) = ty else { return Err(Why::State) };
                let mut all = BitSet::empty(self.size(domain));
                for x in over.iter() {
                    all = all.union(&self.with(local, x, |f| f.set(body))?);
                }
                Ok(Value::Set(all))
            }
            Quantifier::Sum => {
                let mut sum = 0i64;
                for x in over.iter() {
                    sum = sum.checked_add(self.with(local, x, |f| f.number(body))?).ok_or(Why::Overflow)?;
                }
                Ok(Value::Number(sum))
            }
            Quantifier::AllBest => {
                let mut found: Option<(i64, BitSet)> = None;
                for x in over.iter() {
                    let n = self.with(local, x, |f| f.number(body))?;
                    match &mut found {
                        Some((most, _)) if n < *most => {}
                        Some((most, all)) if n == *most => all.insert(x),
                        _ => found = Some((n, BitSet::single(over.size(), x))),
                    }
                }
                Ok(Value::Set(found.map_or_else(|| BitSet::empty(over.size()), |(_, all)| all)))
            }
            Quantifier::Min | Quantifier::Max | Quantifier::Best => {
                let mut found: Option<(i64, u32)> = None;
                for x in over.iter() {
                    let n = self.with(local, x, |f| f.number(body))?;
                    let better = found.is_none_or(|(m, _)| if op == Quantifier::Min { n < m } else { n > m });
                    if better {
                        found = Some((n, x));
                    }
                }
                Ok(match op {
                    Quantifier::Best => Value::Element(found.map(|(_, x)| x)),
                    _ => Value::Number(found.map_or(0, |(n, _)| n)),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::divide_down;

    #[test]
    fn quotients_are_rounded_down() {
        let quotients = [(7, 2), (-7, 2), (7, -2), (-7, -2), (-6, 2), (0, -3)];
        assert_eq!(quotients.map(|(a, b)| divide_down(a, b)), [3, -4, -4, 3, -3, 0].map(Some));
        assert_eq!([divide_down(1, 0), divide_down(i64::MIN, -1)], [None, None]);
    }
}
