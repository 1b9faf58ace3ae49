//! Evaluation of expressions.

use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

use super::exec::ReferenceRun;
use super::{Driver, DriverStop, Halt, Situation, SlotValues};
use crate::{ActionId, RuntimeError, RuntimeErrorKind};
use houserule_base::limits::{CHAIN_ACTIONS, CHAIN_TRIES};
use houserule_language::diagnostic::Span;
use houserule_language::syntax::Quantifier;
use houserule_model::board::{self, BitSet, Site};
use houserule_model::{
    Arithmetic, Board, BoardId, Builtin, CheckedBlock, CheckedExpr, CheckedExprKind, ComparisonOperator,
    DomainId, DomainKind, LocalId, Model, PLAYER, PositionKey, Seat, Target, Type, Value, numbers_on_board,
    sets_on_board,
};

/// Evaluates expressions over a state, for one player.
pub(crate) struct Evaluator<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a SlotValues,
    /// The states in which turns have begun so far, if the rules use `repeated`.
    pub(crate) past: &'a [SlotValues],
    pub(crate) locals: &'a mut [Option<Value>],
    pub(crate) me: Seat,
    /// The chain that is being looked for.
    pub(crate) chain: Option<OpenChain>,
}

/// A chain that is being looked for.
#[derive(Clone, Debug)]
pub(crate) struct OpenChain {
    /// The expression inside [`CheckedExprKind::Chain`].
    value: Rc<CheckedExpr>,
    /// Number of actions so far.
    actions: u32,
    /// Number of actions that were tried for the whole chain.
    tries: Rc<Cell<u32>>,
}

pub(crate) type Evaluated<T> = Result<T, RuntimeError>;

pub(crate) fn fail<T>(span: Span, kind: RuntimeErrorKind) -> Evaluated<T> {
    Err(RuntimeError { span, kind })
}

/// The checker never makes such a model.
#[track_caller]
pub(crate) fn ill_typed() -> ! {
    panic!("the model is not well typed")
}

/// Decides for nobody.
struct Nobody;

impl Driver for Nobody {
    fn choose(&mut self, _: &Situation<'_>, _: &[ActionId]) -> Result<ActionId, DriverStop> {
        ill_typed()
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        ill_typed()
    }
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        model: &'a Model,
        state: &'a SlotValues,
        locals: &'a mut [Option<Value>],
        me: Seat,
    ) -> Evaluator<'a> {
        Evaluator { model, state, past: &[], locals, me, chain: None }
    }
}

impl Evaluator<'_> {
    /// Evaluates an expression after some statements, in a copy of the state.
    fn eval_after(&mut self, body: &CheckedBlock, value: &CheckedExpr) -> Evaluated<Value> {
        let mut state = self.state.clone();
        let mut nobody = Nobody;
        let mut run = ReferenceRun::new(self.model, &mut state, &mut nobody);
        (run.locals, run.me) = (self.locals.to_vec(), self.me);
        match run.block(body) {
            Ok(_) => {
                let mut after = run.eval();
                after.chain = self.chain.clone();
                after.eval(value)
            }
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::Stopped | Halt::Illegal) => ill_typed(),
        }
    }

    /// Evaluates a chain from its first action on.
    fn chain(&mut self, value: &CheckedExpr) -> Evaluated<Value> {
        let chain = OpenChain { value: Rc::new(value.clone()), actions: 0, tries: Rc::default() };
        let outer = self.chain.replace(chain);
        let found = self.eval(value);
        self.chain = outer;
        found
    }

    /// Evaluates the surrounding chain from its next action on.
    fn rest_of_chain(&mut self, span: Span) -> Evaluated<Value> {
        let Some(chain) = &mut self.chain else { ill_typed() };
        chain.actions += 1;
        chain.tries.set(chain.tries.get() + 1);
        if chain.actions > CHAIN_ACTIONS || chain.tries.get() > CHAIN_TRIES {
            return fail(span, RuntimeErrorKind::Budget);
        }
        let value = Rc::clone(&chain.value);
        self.eval(&value)
    }

    pub(crate) fn number(&mut self, e: &CheckedExpr) -> Evaluated<i64> {
        match self.eval(e)? {
            Value::Number(n) => Ok(n),
            _ => ill_typed(),
        }
    }

    pub(crate) fn truth(&mut self, e: &CheckedExpr) -> Evaluated<bool> {
        match self.eval(e)? {
            Value::Bool(b) => Ok(b),
            _ => ill_typed(),
        }
    }

    pub(crate) fn set(&mut self, e: &CheckedExpr) -> Evaluated<BitSet> {
        match self.eval(e)? {
            Value::Set(s) => Ok(s),
            _ => ill_typed(),
        }
    }

    pub(crate) fn element(&mut self, e: &CheckedExpr) -> Evaluated<Option<u32>> {
        match self.eval(e)? {
            Value::Element(x) => Ok(x),
            _ => ill_typed(),
        }
    }

    /// Evaluates an element. Fails if it is none.
    pub(crate) fn some(&mut self, e: &CheckedExpr) -> Evaluated<u32> {
        match self.element(e)? {
            Some(x) => Ok(x),
            None => fail(e.span, RuntimeErrorKind::NoneValue),
        }
    }

    /// Evaluates a player. Fails if it is none.
    pub(crate) fn seat(&mut self, e: &CheckedExpr) -> Evaluated<Seat> {
        self.some(e).map(Seat)
    }

    /// Returns the place in a family, row-major over the domains.
    pub(crate) fn place(&mut self, domains: &[DomainId], index: &[CheckedExpr]) -> Evaluated<usize> {
        let mut place = 0;
        for (domain, e) in domains.iter().zip(index) {
            let Some(x) = self.element(e)? else { return fail(e.span, RuntimeErrorKind::NoneIndex) };
            place = place * self.domain_size(*domain) as usize + x as usize;
        }
        Ok(place)
    }

    pub(crate) fn target(&mut self, target: &Target) -> Evaluated<usize> {
        self.place(&self.model.slots[target.slot.index()].index, &target.index)
    }

    pub(crate) fn eval(&mut self, e: &CheckedExpr) -> Evaluated<Value> {
        use CheckedExprKind as E;
        Ok(match &e.kind {
            E::Constant(value) => value.clone(),
            E::Read(target) => {
                let place = self.target(target)?;
                self.state.value(target.slot, place).clone()
            }
            E::Local(local) => match &self.locals[local.index()] {
                Some(value) => value.clone(),
                None => ill_typed(),
            },
            E::Me => Value::Element(Some(self.me.0)),
            E::As { player, value } => {
                let player = self.seat(player)?;
                let me = std::mem::replace(&mut self.me, player);
                let value = self.eval(value);
                self.me = me;
                value?
            }
            E::After { player, among, back } => {
                let player = self.some(player)?;
                let among = match among {
                    Some(set) => self.set(set)?,
                    None => BitSet::full(self.domain_size(PLAYER)),
                };
                Value::Element(if *back { before(player, &among) } else { after(player, &among) })
            }
            E::ValueOf(x) => {
                let low = self.low(x.ty);
                Value::Number(low + i64::from(self.some(x)?))
            }
            E::ElementOf(n) => {
                let (low, size) = (self.low(e.ty), self.size(e.ty));
                let place = self.number(n)?.checked_sub(low).and_then(|p| u32::try_from(p).ok());
                Value::Element(place.filter(|p| *p < size))
            }
            E::Table(table, index) => {
                let table = &self.model.tables[table.index()];
                let value = table.values[self.place(&table.index, index)?];
                match e.ty {
                    Type::Number => Value::Number(value),
                    Type::Bool => Value::Bool(value != 0),
                    Type::Element(_) => Value::Element(u32::try_from(value).ok()),
                    Type::Set(_) => ill_typed(),
                }
            }
            E::Field(table, element) => {
                let values = &self.model.tables[table.index()].values;
                let value = self.element(element)?.map(|e| values[e as usize]);
                Value::Element(value.and_then(|value| u32::try_from(value).ok()))
            }
            E::Negate(n) => match self.number(n)?.checked_neg() {
                Some(n) => Value::Number(n),
                None => return fail(e.span, RuntimeErrorKind::Overflow),
            },
            E::Arithmetic(op, a, b) => match arithmetic(*op, self.number(a)?, self.number(b)?) {
                Ok(n) => Value::Number(n),
                Err(kind) => return fail(e.span, kind),
            },
            E::Compare(op, a, b) => Value::Bool(compare(*op, self.number(a)?, self.number(b)?)),
            E::Same(a, b) => Value::Bool(self.eval(a)? == self.eval(b)?),
            E::Not(a) => Value::Bool(!self.truth(a)?),
            E::And(a, b) => Value::Bool(self.truth(a)? && self.truth(b)?),
            E::Or(a, b) => Value::Bool(self.truth(a)? || self.truth(b)?),
            E::If(condition, a, b) => {
                return if self.truth(condition)? { self.eval(a) } else { self.eval(b) };
            }
            E::Contains { set, element } => {
                let set = self.set(set)?;
                Value::Bool(self.element(element)?.is_some_and(|x| set.contains(x)))
            }
            E::Subset(a, b) => Value::Bool(self.set(a)?.is_subset(&self.set(b)?)),
            E::IsSome(set) => Value::Bool(!self.set(set)?.is_empty()),
            E::Elements(elements) => {
                let mut set = BitSet::empty(self.size(e.ty));
                for x in elements {
                    if let Some(x) = self.element(x)? {
                        set.insert(x);
                    }
                }
                Value::Set(set)
            }
            E::Union(a, b) => Value::Set(self.set(a)?.union(&self.set(b)?)),
            E::Intersect(a, b) => Value::Set(self.set(a)?.intersect(&self.set(b)?)),
            E::Minus(a, b) => Value::Set(self.set(a)?.minus(&self.set(b)?)),
            E::Filter { local, over, condition } => {
                let mut kept = self.set(over)?;
                for x in kept.clone().iter() {
                    self.bind(*local, x);
                    if !self.truth(condition)? {
                        kept.remove(x);
                    }
                }
                Value::Set(kept)
            }
            E::Quantified { .. } => self.quantified(e)?,
            E::Repeated { past, times } => {
                let times = self.number(times)?;
                Value::Bool(self.times_before(&self.model.pasts[past.index()]) >= times)
            }
            E::Tried { body, value } => self.eval_after(body, value)?,
            E::Chain(value) => self.chain(value)?,
            E::RestOfChain => self.rest_of_chain(e.span)?,
            E::Call { hook, args } => self.said(e.span, e.ty, *hook, args)?,
            E::Count(set) => Value::Number(i64::from(self.set(set)?.len())),
            E::First(set) => Value::Element(self.set(set)?.first()),
            E::Last(set) => Value::Element(self.set(set)?.last()),
            numbers_on_board!() | sets_on_board!() => self.on_board(e)?,
        })
    }

    /// Evaluates a quantifier.
    fn quantified(&mut self, e: &CheckedExpr) -> Evaluated<Value> {
        let CheckedExprKind::Quantified { op, local, over, body } = &e.kind else { ill_typed() };
        let (op, over) = (*op, self.set(over)?);
        // Every quantifier takes one pass over the elements, in ascending order.
        let each = |of: &mut Self, x| {
            of.bind(*local, x);
            of.eval(body)
        };
        match op {
            Quantifier::Any | Quantifier::All => {
                let decides = Value::Bool(op == Quantifier::Any);
                for x in over.iter() {
                    if each(self, x)? == decides {
                        return Ok(decides);
                    }
                }
                Ok(Value::Bool(op == Quantifier::All))
            }
            Quantifier::Count => {
                let mut count = 0;
                for x in over.iter() {
                    count += i64::from(each(self, x)? == Value::Bool(true));
                }
                Ok(Value::Number(count))
            }
            Quantifier::Sum | Quantifier::Min | Quantifier::Max | Quantifier::Best => {
                let mut result: Option<(u32, i64)> = None;
                for x in over.iter() {
                    let Value::Number(n) = each(self, x)? else { ill_typed() };
                    result = match result {
                        None => Some((x, n)),
                        Some((_, sum)) if op == Quantifier::Sum => match sum.checked_add(n) {
                            Some(sum) => Some((x, sum)),
                            None => return fail(e.span, RuntimeErrorKind::Overflow),
                        },
                        Some((_, least)) if op == Quantifier::Min && n < least => Some((x, n)),
                        Some((_, most)) if op != Quantifier::Min && n > most => Some((x, n)),
                        found => found,
                    };
                }
                Ok(match op {
                    Quantifier::Best => Value::Element(result.map(|(x, _)| x)),
                    _ => Value::Number(result.map_or(0, |(_, n)| n)),
                })
            }
            Quantifier::AllBest => {
                let mut most = None;
                let mut best = BitSet::empty(over.size());
                for x in over.iter() {
                    let Value::Number(n) = each(self, x)? else { ill_typed() };
                    if most.is_none_or(|most| n > most) {
                        best = BitSet::empty(over.size());
                        most = Some(n);
                    }
                    if most == Some(n) {
                        best.insert(x);
                    }
                }
                Ok(Value::Set(best))
            }
            Quantifier::Union => {
                let mut union = BitSet::empty(self.size(e.ty));
                for x in over.iter() {
                    let Value::Set(set) = each(self, x)? else { ill_typed() };
                    union = union.union(&set);
                }
                Ok(Value::Set(union))
            }
        }
    }

    /// Returns how many turns began in this position, with the same next mover if `past.mover` is set.
    fn times_before(&self, past: &PositionKey) -> i64 {
        let seat = |p: Option<Seat>| p.map(|p| Seat((p.0 + 1) % self.model.players.count));
        let to_come = self.state.value(Builtin::ToCome.slot(), 0);
        let next = if self.model.rounds && matches!(&to_come, Value::Set(seats) if seats.is_empty()) {
            // The next turn is the first of a round.
            self.state.player(Builtin::Starter)
        } else {
            self.state.player(Builtin::NextMover).or(seat(self.state.player(Builtin::Mover)))
        };
        let same = |then: &&SlotValues| {
            (!past.mover || then.player(Builtin::Mover) == next)
                && past.slots.iter().all(|slot| then.family(*slot) == self.state.family(*slot))
        };
        self.past.iter().filter(same).count() as i64
    }

    /// Evaluates expressions about boards.
    fn on_board(&mut self, e: &CheckedExpr) -> Evaluated<Value> {
        use CheckedExprKind as E;
        let empty = || BitSet::empty(self.size(e.ty));
        Ok(match &e.kind {
            E::Cell { board, column, row } => {
                let (column, row) = (self.number(column)?, self.number(row)?);
                Value::Element(self.board(*board).topology.site_at(column, row).map(|site| site.0))
            }
            E::ColumnOf(board, site) => {
                let site = self.some(site)?;
                Value::Number(i64::from(self.board(*board).topology.column_of(Site(site))))
            }
            E::RowOf(board, site) => {
                let site = self.some(site)?;
                Value::Number(i64::from(self.board(*board).topology.row_of(Site(site))))
            }
            E::Column(board, n) => {
                let (empty, n) = (empty(), self.number(n)?);
                Value::Set(self.board(*board).topology.column(n).unwrap_or(empty))
            }
            E::Row(board, n) => {
                let (empty, n) = (empty(), self.number(n)?);
                Value::Set(self.board(*board).topology.row(n).unwrap_or(empty))
            }
            E::Columns(board, of) => {
                let (mut touched, of) = (empty(), self.set(of)?);
                let topology = &self.board(*board).topology;
                of.sites().for_each(|site| touched.insert(topology.column_of(site) - 1));
                Value::Set(touched)
            }
            E::Rows(board, of) => {
                let (mut touched, of) = (empty(), self.set(of)?);
                let topology = &self.board(*board).topology;
                of.sites().for_each(|site| touched.insert(topology.row_of(site) - 1));
                Value::Set(touched)
            }
            E::Neighbours { board, near, of } => {
                let of = self.set(of)?;
                Value::Set(board::neighbours(&self.board(*board).topology, &of, *near))
            }
            E::SidesOf(board, of) => {
                let of = self.set(of)?;
                Value::Set(self.board(*board).topology.sides_of(&of))
            }
            E::CellsAt(board, of) => {
                let of = self.set(of)?;
                Value::Set(self.board(*board).topology.cells_at(&of))
            }
            E::Crossing(board, of) => {
                let of = self.set(of)?;
                Value::Set(self.board(*board).topology.crossings(&of))
            }
            E::Shift { board, direction, of } => {
                let of = self.set(of)?;
                Value::Set(board::shift(&self.board(*board).topology, &of, *direction))
            }
            E::Ray { board, direction, of } => {
                let of = self.set(of)?;
                Value::Set(board::ray(&self.board(*board).topology, &of, *direction))
            }
            E::Slide { board, direction, of, through } => {
                let (of, through) = (self.set(of)?, self.set(through)?);
                Value::Set(board::slide(&self.board(*board).topology, &of, *direction, &through))
            }
            E::Lines { board, along, of, points } => {
                let of = self.set(of)?;
                let worth = |length| points.get(i64::from(length));
                match board::line_points(&self.board(*board).topology, &of, *along, worth) {
                    Some(sum) => Value::Number(sum),
                    None => return fail(e.span, RuntimeErrorKind::Overflow),
                }
            }
            E::Longest { board, along, of } => {
                let of = self.set(of)?;
                Value::Number(i64::from(board::longest(&self.board(*board).topology, &of, *along)))
            }
            E::Runs { board, along, of, length } => {
                let (of, length) = (self.set(of)?, self.number(length)?);
                Value::Set(board::in_runs(&self.board(*board).topology, &of, *along, length))
            }
            E::Reach { board, orthogonal, seed, within } => {
                let (seed, within) = (self.set(seed)?, self.set(within)?);
                Value::Set(board::reach(&self.board(*board).topology, &seed, &within, *orthogonal))
            }
            E::ReachBy { board, sides, orthogonal, joined, seed, within, links } => {
                let (seed, within, links) = (self.set(seed)?, self.set(within)?, self.set(links)?);
                let (cells, near) = (&self.board(*board).topology, board::Near::neighbours(*orthogonal));
                let steps = self.board(*sides).topology.steps_by(cells, near, *joined);
                Value::Set(board::reach_by(&steps, &seed, &within, &links, *joined))
            }
            E::Enclosed { board, orthogonal, near, walls } => {
                let (near, walls) = (self.set(near)?, self.set(walls)?);
                Value::Set(board::enclosed(&self.board(*board).topology, &near, &walls, *orthogonal))
            }
            E::Fill { board, orthogonal, of } => {
                let of = self.set(of)?;
                Value::Set(board::fill(&self.board(*board).topology, &of, *orthogonal))
            }
            E::Custodial { board, from, to, through } => {
                let (from, to, through) = (self.set(from)?, self.set(to)?, self.set(through)?);
                Value::Set(board::custodial(&self.board(*board).topology, &from, &to, &through))
            }
            _ => ill_typed(),
        })
    }

    pub(crate) fn bind(&mut self, local: LocalId, element: u32) {
        self.locals[local.index()] = Some(Value::Element(Some(element)));
    }

    fn board(&self, board: BoardId) -> &Board {
        &self.model.boards[board.index()]
    }

    fn domain_size(&self, domain: DomainId) -> u32 {
        self.model.domains[domain.index()].size
    }

    /// Returns the size of the domain of a type.
    fn size(&self, ty: Type) -> u32 {
        match ty {
            Type::Element(domain) | Type::Set(domain) => self.domain_size(domain),
            Type::Number | Type::Bool => ill_typed(),
        }
    }

    /// Returns the number of the first element of a range domain.
    fn low(&self, ty: Type) -> i64 {
        match ty {
            Type::Element(domain) => match self.model.domains[domain.index()].kind {
                DomainKind::Range { low } => low,
                _ => ill_typed(),
            },
            _ => ill_typed(),
        }
    }
}

/// Returns the first element of `among` in the order of seats before `player`, backward. `player` itself comes last.
fn before(player: u32, among: &BitSet) -> Option<u32> {
    let count = among.size();
    (1..=count).map(|step| (player + count - step) % count).find(|p| among.contains(*p))
}

/// Returns the first element of `among` in the order of seats after `player`. `player` itself comes last.
fn after(player: u32, among: &BitSet) -> Option<u32> {
    let count = among.size();
    (1..=count).map(|step| (player + step) % count).find(|p| among.contains(*p))
}

fn arithmetic(op: Arithmetic, a: i64, b: i64) -> Result<i64, RuntimeErrorKind> {
    let result = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide | Arithmetic::Modulo if b == 0 => return Err(RuntimeErrorKind::DivisionByZero),
        // In 128 bits, so that only the result can overflow.
        Arithmetic::Divide => i64::try_from(divide_down(a.into(), b.into())).ok(),
        Arithmetic::Modulo => {
            let (a, b) = (i128::from(a), i128::from(b));
            i64::try_from(a - b * divide_down(a, b)).ok()
        }
        Arithmetic::Min => Some(a.min(b)),
        Arithmetic::Max => Some(a.max(b)),
    };
    result.ok_or(RuntimeErrorKind::Overflow)
}

fn divide_down(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn compare(op: ComparisonOperator, a: i64, b: i64) -> bool {
    use ComparisonOperator as C;
    // By the order of the two, so that it shares nothing with what folds constants.
    match a.cmp(&b) {
        Ordering::Less => matches!(op, C::Less | C::LessEqual | C::NotEqual),
        Ordering::Equal => matches!(op, C::Equal | C::LessEqual | C::GreaterEqual),
        Ordering::Greater => matches!(op, C::Greater | C::GreaterEqual | C::NotEqual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        let cases =
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (-1, 6, -1, 5), (6, 3, 2, 0)];
        for (a, b, quotient, rest) in cases {
            assert_eq!(arithmetic(Arithmetic::Divide, a, b), Ok(quotient), "{a} / {b}");
            assert_eq!(arithmetic(Arithmetic::Modulo, a, b), Ok(rest), "{a} % {b}");
        }
        assert_eq!(arithmetic(Arithmetic::Divide, i64::MIN, -1), Err(RuntimeErrorKind::Overflow));
        assert_eq!(arithmetic(Arithmetic::Modulo, i64::MIN, -1), Ok(0));
        assert_eq!(arithmetic(Arithmetic::Modulo, 1, 0), Err(RuntimeErrorKind::DivisionByZero));
        assert_eq!(arithmetic(Arithmetic::Add, i64::MAX, 1), Err(RuntimeErrorKind::Overflow));
    }

    #[test]
    fn seats_go_round() {
        let among = BitSet::from_elements(4, [0, 2]);
        assert_eq!([0, 1, 2, 3].map(|p| after(p, &among)), [Some(2), Some(2), Some(0), Some(0)]);
        assert_eq!(after(1, &BitSet::single(4, 1)), Some(1));
        assert_eq!(after(1, &BitSet::empty(4)), None);
    }
}
