//! Bounds of expressions: the range of a value over all states in which the slots have values in given ranges.
//! Depends on the model alone.

use std::collections::{BTreeMap, BinaryHeap};

use super::range::{UNBOUNDED, ValueRange, full, line_points, size};
use houserule_language::syntax::Quantifier;
use houserule_model::board::{self, BitSet, Site};
use houserule_model::{
    Arithmetic, CheckedExpr, CheckedExprKind, ComparisonOperator, DomainId, DomainKind, LocalId, Model,
    PLAYER, Role, SlotId, Target, Type, Value, numbers_on_board, sets_on_board, walk,
};

/// Maximum number of places of a family that an index may name before the result is every value of its type.
const MOST_PLACES: u64 = 4_096;

/// Maximum number of cases into which a bound is split.
const MOST_CASES: usize = 20_000;

/// Maximum number of steps, one for each expression in each case, of the bound of a number before it is split.
const MOST_STEPS: u64 = 100_000;

/// Maximum number of steps of all cases of a bound.
const MOST_STEPS_OF_CASES: u64 = 100 * MOST_STEPS;

/// A range for each slot and place.
pub(super) type Ranges = Vec<Vec<ValueRange>>;

/// Evaluates expressions over ranges.
#[derive(Clone)]
pub(super) struct Bounds<'m> {
    pub(super) model: &'m Model,
    pub(super) slots: Ranges,
    pub(super) locals: Vec<Option<ValueRange>>,
    /// The acting player.
    pub(super) me: ValueRange,
    /// The greatest sizes of the sets of some slots, by place.
    pub(super) sizes: BTreeMap<(SlotId, usize), u32>,
    /// The least sizes of the sets of some slots, by place.
    pub(super) least_sizes: BTreeMap<(SlotId, usize), u32>,
    /// Steps that are left. Without any, an expression can have every value of its type.
    steps: u64,
}

impl<'m> Bounds<'m> {
    pub(super) fn new(model: &'m Model, slots: Ranges) -> Bounds<'m> {
        let me = ValueRange::Element(full(model, PLAYER), false);
        Bounds {
            model,
            slots,
            locals: vec![None; model.locals.len()],
            me,
            sizes: BTreeMap::new(),
            least_sizes: BTreeMap::new(),
            steps: u64::MAX,
        }
    }

    /// Returns bounds of a number. Slots and locals on which it depends in several places are split into cases, so
    /// the bounds are exact if there are few cases. Those of an expression with too many steps are wide.
    pub(super) fn split_number(&self, e: &CheckedExpr) -> (i64, i64) {
        let mut whole = Bounds { steps: MOST_STEPS, ..self.clone() };
        let (low, high) = whole.number(e);
        if whole.steps == 0 {
            return (low, high);
        }
        let most = self.greatest(e, 1).unwrap_or(high);
        let least = self.greatest(e, -1).map_or(low, |n| -n);
        (least.max(low), most.min(high))
    }

    /// Returns an upper bound of `sign` times a number: best first over cases.
    fn greatest(&self, e: &CheckedExpr, sign: i64) -> Option<i64> {
        let places = self.split_places(e);
        let mut of = Bounds { steps: MOST_STEPS_OF_CASES, ..self.clone() };
        let mut value = |ranges: &[ValueRange]| {
            for ((slot, place), range) in places.iter().zip(ranges) {
                of.slots[slot.index()][*place] = range.clone();
            }
            let (low, high) = of.number(e);
            if sign > 0 { high } else { -low }
        };
        let all: Vec<ValueRange> =
            places.iter().map(|(slot, place)| self.slots[slot.index()][*place].clone()).collect();
        let mut cases = vec![all];
        let mut open = BinaryHeap::from([(value(&cases[0]), 0usize)]);
        loop {
            let (bound, case) = open.pop()?;
            let widest =
                cases[case].iter().enumerate().max_by_key(|(at, range)| (range.count(), usize::MAX - at));
            let halves = widest.and_then(|(at, range)| Some((at, range.halves()?)));
            let Some((at, halves)) = halves else { return Some(bound) };
            if cases.len() >= MOST_CASES {
                return Some(bound);
            }
            for half in halves {
                let mut ranges = cases[case].clone();
                ranges[at] = half;
                open.push((value(&ranges), cases.len()));
                cases.push(ranges);
            }
            cases[case] = vec![];
        }
    }

    /// Returns the places of an expression's slots that are worth splitting: dice and small values.
    fn split_places(&self, e: &CheckedExpr) -> Vec<(SlotId, usize)> {
        let (slots, _) = walk::reads(e);
        let mut places = vec![];
        for slot in slots {
            let few = |range: &ValueRange| range.count() > 1 && range.count() <= 64;
            let of = &self.slots[slot.index()];
            // A family with many values would have too many cases.
            if matches!(self.model.slots[slot.index()].role, Role::Dice { .. }) && of.len() <= 16
                || of.len() == 1
            {
                places.extend((0..of.len()).filter(|place| few(&of[*place])).map(|place| (slot, place)));
            }
        }
        places
    }

    pub(super) fn number(&mut self, e: &CheckedExpr) -> (i64, i64) {
        match self.range(e) {
            ValueRange::Number(low, high) => (low, high),
            _ => (-UNBOUNDED, UNBOUNDED),
        }
    }

    pub(super) fn truth(&mut self, e: &CheckedExpr) -> (bool, bool) {
        match self.range(e) {
            ValueRange::Bool(no, yes) => (no, yes),
            _ => (true, true),
        }
    }

    fn element(&mut self, e: &CheckedExpr) -> (BitSet, bool) {
        match (self.range(e), e.ty) {
            (ValueRange::Element(set, none), _) => (set, none),
            (_, Type::Element(domain)) => (full(self.model, domain), true),
            _ => (BitSet::empty(0), true),
        }
    }

    fn set(&mut self, e: &CheckedExpr) -> (BitSet, BitSet) {
        match (self.range(e), e.ty) {
            (ValueRange::Set(certain, possible), _) => (certain, possible),
            (_, Type::Set(domain)) => (BitSet::empty(size(self.model, domain)), full(self.model, domain)),
            _ => (BitSet::empty(0), BitSet::empty(0)),
        }
    }

    fn bind(&mut self, local: LocalId, element: u32, size: u32) {
        self.locals[local.index()] = Some(ValueRange::Element(BitSet::single(size, element), false));
    }

    /// Returns the places of a family that an index can name, or `None` for too many.
    pub(super) fn places(&mut self, domains: &[DomainId], index: &[CheckedExpr]) -> Option<Vec<usize>> {
        let mut places = vec![0usize];
        for (domain, e) in domains.iter().zip(index) {
            let (elements, _) = self.element(e);
            let size = size(self.model, *domain) as usize;
            if places.len() as u64 * u64::from(elements.len()) > MOST_PLACES {
                return None;
            }
            places = places
                .iter()
                .flat_map(|place| elements.iter().map(move |e| place * size + e as usize))
                .collect();
        }
        Some(places)
    }

    /// Returns the greatest number of elements of a set, as far as [`Bounds::sizes`] limits it.
    fn greatest_size(&mut self, set: &CheckedExpr) -> u32 {
        match &set.kind {
            _ if self.sizes.is_empty() => u32::MAX,
            CheckedExprKind::Read(target) => {
                let index = &self.model.slots[target.slot.index()].index;
                let Some(places) = self.places(index, &target.index) else { return u32::MAX };
                let size =
                    |place: &usize| self.sizes.get(&(target.slot, *place)).copied().unwrap_or(u32::MAX);
                places.iter().map(size).max().unwrap_or(u32::MAX)
            }
            CheckedExprKind::As { player, value } => {
                let (players, _) = self.element(player);
                let me = std::mem::replace(&mut self.me, ValueRange::Element(players, false));
                let size = self.greatest_size(value);
                self.me = me;
                size
            }
            CheckedExprKind::Union(a, b) => self.greatest_size(a).saturating_add(self.greatest_size(b)),
            CheckedExprKind::Intersect(a, b) => self.greatest_size(a).min(self.greatest_size(b)),
            CheckedExprKind::Minus(a, _) | CheckedExprKind::Filter { over: a, .. } => self.greatest_size(a),
            _ => u32::MAX,
        }
    }

    /// Returns the least number of elements of a set, as far as [`Bounds::least_sizes`] limits it.
    fn least_size(&mut self, set: &CheckedExpr) -> u32 {
        let CheckedExprKind::Read(target) = &set.kind else { return 0 };
        if self.least_sizes.is_empty() {
            return 0;
        }
        let index = &self.model.slots[target.slot.index()].index;
        let Some(places) = self.places(index, &target.index) else { return 0 };
        let size = |place: &usize| self.least_sizes.get(&(target.slot, *place)).copied().unwrap_or(0);
        places.iter().map(size).min().unwrap_or(0)
    }

    fn read(&mut self, target: &Target, ty: Type) -> ValueRange {
        let model = self.model;
        let places = self.places(&model.slots[target.slot.index()].index, &target.index);
        let of = &self.slots[target.slot.index()];
        let ranges = match &places {
            Some(places) => {
                places.iter().filter_map(|place| of.get(*place)).cloned().reduce(ValueRange::join)
            }
            None => of.iter().cloned().reduce(ValueRange::join),
        };
        ranges.unwrap_or_else(|| ValueRange::any(model, ty))
    }

    /// Returns the range of an expression.
    pub(super) fn range(&mut self, e: &CheckedExpr) -> ValueRange {
        use CheckedExprKind as E;
        let model = self.model;
        let any = || ValueRange::any(model, e.ty);
        match self.steps.checked_sub(1) {
            Some(left) => self.steps = left,
            None => return any(),
        }
        match &e.kind {
            E::Constant(value) => {
                let of = match e.ty {
                    Type::Element(domain) | Type::Set(domain) => size(model, domain),
                    Type::Number | Type::Bool => 0,
                };
                ValueRange::single(value, of)
            }
            E::Read(target) => self.read(target, e.ty),
            E::Local(local) => {
                let known = self.locals[local.index()].clone();
                let declared = model.locals[local.index()].range;
                known
                    .unwrap_or_else(|| declared.map_or_else(any, |(low, high)| ValueRange::number(low, high)))
            }
            E::Me => self.me.clone(),
            E::As { player, value } => {
                let (players, _) = self.element(player);
                let me = std::mem::replace(&mut self.me, ValueRange::Element(players, false));
                let range = self.range(value);
                self.me = me;
                range
            }
            E::After { .. } => any(),
            E::ValueOf(x) => {
                let Type::Element(domain) = x.ty else { return any() };
                let DomainKind::Range { low } = model.domains[domain.index()].kind else { return any() };
                let (set, _) = self.element(x);
                match (set.first(), set.last()) {
                    (Some(first), Some(last)) => {
                        ValueRange::number(low + i64::from(first), low + i64::from(last))
                    }
                    _ => any(),
                }
            }
            E::ElementOf(n) => {
                let Type::Element(domain) = e.ty else { return any() };
                let DomainKind::Range { low } = model.domains[domain.index()].kind else { return any() };
                let (from, to) = self.number(n);
                let size = size(model, domain);
                let fits = |x: &u32| (from..=to).contains(&(low + i64::from(*x)));
                let set = BitSet::from_elements(size, (0..size).filter(fits));
                ValueRange::Element(set, from < low || to >= low + i64::from(size))
            }
            E::Table(table, index) => {
                let table = &model.tables[table.index()];
                let Some(places) = self.places(&table.index, index) else { return any() };
                let values = places.iter().filter_map(|place| table.values.get(*place));
                let of = |value: &i64| match e.ty {
                    Type::Bool => ValueRange::Bool(*value == 0, *value != 0),
                    Type::Element(domain) => {
                        ValueRange::single(&Value::Element(u32::try_from(*value).ok()), size(model, domain))
                    }
                    Type::Number | Type::Set(_) => ValueRange::number(*value, *value),
                };
                values.map(of).reduce(ValueRange::join).unwrap_or_else(any)
            }
            E::Field(table, element) => {
                let Type::Element(domain) = e.ty else { return any() };
                let (elements, none) = self.element(element);
                let table = &model.tables[table.index()];
                let found = |e| table.values.get(e as usize).and_then(|value| u32::try_from(*value).ok());
                let mut values: Vec<Option<u32>> = elements.iter().map(found).collect();
                values.extend(none.then_some(None));
                let of = |value| ValueRange::single(&Value::Element(value), size(model, domain));
                values.into_iter().map(of).reduce(ValueRange::join).unwrap_or_else(any)
            }
            E::Negate(n) => {
                let (low, high) = self.number(n);
                ValueRange::number(-high, -low)
            }
            E::Arithmetic(op, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                arithmetic(*op, a, b)
            }
            E::Compare(..) | E::Same(..) | E::Not(_) | E::And(..) | E::Or(..) => self.truth_range(e),
            E::If(condition, a, b) => match self.truth(condition) {
                (false, _) => self.range(a),
                (_, false) => self.range(b),
                _ => {
                    let (a, b) = (self.range(a), self.range(b));
                    a.join(b)
                }
            },
            E::Contains { .. } | E::Subset(..) | E::IsSome(_) => self.truth_range(e),
            E::Elements(_) | E::Union(..) | E::Intersect(..) | E::Minus(..) | E::Filter { .. } => {
                self.set_range(e)
            }
            E::Quantified { .. } => self.quantified(e),
            E::Count(_) | E::First(_) | E::Last(_) => self.set_range(e),
            E::Repeated { .. } | E::Call { .. } | E::Tried { .. } | E::Chain(_) | E::RestOfChain => any(),
            numbers_on_board!() | sets_on_board!() => self.on_board(e),
        }
    }

    /// Returns the range of a comparison, of a logical operation, or of a test of a set.
    fn truth_range(&mut self, e: &CheckedExpr) -> ValueRange {
        use CheckedExprKind as E;
        match &e.kind {
            E::Compare(op, a, b) => {
                let ((a, b), (c, d)) = (self.number(a), self.number(b));
                let (no, yes) = match op {
                    ComparisonOperator::Less => (b >= c, a < d),
                    ComparisonOperator::LessEqual => (b > c, a <= d),
                    ComparisonOperator::Greater => (a <= d, b > c),
                    ComparisonOperator::GreaterEqual => (a < d, b >= c),
                    ComparisonOperator::Equal => (!(a == b && c == d && a == c), a <= d && c <= b),
                    ComparisonOperator::NotEqual => (a <= d && c <= b, !(a == b && c == d && a == c)),
                };
                ValueRange::Bool(no, yes)
            }
            E::Same(a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                let single = a.count() == 1 && b.count() == 1;
                let meet = match (&a, &b) {
                    (ValueRange::Number(a, b), ValueRange::Number(c, d)) => a <= d && c <= b,
                    (ValueRange::Bool(a, b), ValueRange::Bool(c, d)) => *a && *c || *b && *d,
                    (ValueRange::Element(a, none), ValueRange::Element(b, other)) => {
                        !a.intersect(b).is_empty() || *none && *other
                    }
                    (ValueRange::Set(a, b), ValueRange::Set(c, d)) => a.is_subset(d) && c.is_subset(b),
                    _ => true,
                };
                ValueRange::Bool(!(single && meet), meet)
            }
            E::Not(a) => {
                let (no, yes) = self.truth(a);
                ValueRange::Bool(yes, no)
            }
            E::And(a, b) => {
                let (no, yes) = self.truth(a);
                if !yes {
                    return ValueRange::Bool(true, false);
                }
                let (other_no, other_yes) = self.truth(b);
                ValueRange::Bool(no || other_no, other_yes)
            }
            E::Or(a, b) => {
                let (no, yes) = self.truth(a);
                if !no {
                    return ValueRange::Bool(false, true);
                }
                let (other_no, other_yes) = self.truth(b);
                ValueRange::Bool(other_no, yes || other_yes)
            }
            E::Contains { set, element } => {
                let ((certain, possible), (of, none)) = (self.set(set), self.element(element));
                let surely = !none && !of.is_empty() && of.is_subset(&certain);
                ValueRange::Bool(!surely, !of.intersect(&possible).is_empty())
            }
            E::Subset(a, b) => {
                let ((certain, possible), (least, most)) = (self.set(a), self.set(b));
                ValueRange::Bool(!possible.is_subset(&least), certain.is_subset(&most))
            }
            E::IsSome(set) => {
                let (certain, possible) = self.set(set);
                ValueRange::Bool(certain.is_empty() && self.least_size(set) == 0, !possible.is_empty())
            }
            _ => ValueRange::any(self.model, e.ty),
        }
    }

    /// Returns the range of a set made of others, or of a number or element taken from a set.
    fn set_range(&mut self, e: &CheckedExpr) -> ValueRange {
        use CheckedExprKind as E;
        let model = self.model;
        let any = || ValueRange::any(model, e.ty);
        match &e.kind {
            E::Elements(list) => {
                let Type::Set(domain) = e.ty else { return any() };
                let empty = BitSet::empty(size(model, domain));
                let (mut certain, mut possible) = (empty.clone(), empty);
                for x in list {
                    let (of, none) = self.element(x);
                    if !none && of.len() == 1 {
                        certain = certain.union(&of);
                    }
                    possible = possible.union(&of);
                }
                ValueRange::Set(certain, possible)
            }
            E::Union(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                ValueRange::Set(a.0.union(&b.0), a.1.union(&b.1))
            }
            E::Intersect(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                ValueRange::Set(a.0.intersect(&b.0), a.1.intersect(&b.1))
            }
            E::Minus(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                ValueRange::Set(a.0.minus(&b.1), a.1.minus(&b.0))
            }
            E::Filter { local, over, condition } => {
                let (mut certain, mut possible) = self.set(over);
                for x in possible.clone().iter() {
                    self.bind(*local, x, possible.size());
                    let (no, yes) = self.truth(condition);
                    if no {
                        certain.remove(x);
                    }
                    if !yes {
                        possible.remove(x);
                    }
                }
                ValueRange::Set(certain, possible)
            }
            E::Count(set) => {
                let (certain, possible) = self.set(set);
                let most = possible.len().min(self.greatest_size(set));
                let least = certain.len().max(self.least_size(set));
                ValueRange::number(least.min(most).into(), most.into())
            }
            E::First(set) | E::Last(set) => {
                let (certain, possible) = self.set(set);
                ValueRange::Element(possible, certain.is_empty())
            }
            _ => any(),
        }
    }

    fn quantified(&mut self, e: &CheckedExpr) -> ValueRange {
        let model = self.model;
        let CheckedExprKind::Quantified { op, local, over, body } = &e.kind else {
            return ValueRange::any(model, e.ty);
        };
        let op = *op;
        let (certain, possible) = self.set(over);
        let mut values = vec![];
        for x in possible.iter() {
            self.bind(*local, x, possible.size());
            values.push((certain.contains(x), self.range(body)));
        }
        let numbers = || {
            values.iter().map(|(surely, range)| match range {
                ValueRange::Number(low, high) => (*surely, *low, *high),
                _ => (*surely, -UNBOUNDED, UNBOUNDED),
            })
        };
        let truths = || {
            values.iter().map(|(surely, range)| match range {
                ValueRange::Bool(no, yes) => (*surely, *no, *yes),
                _ => (*surely, true, true),
            })
        };
        match op {
            Quantifier::Any => {
                let surely = truths().any(|(surely, no, _)| surely && !no);
                ValueRange::Bool(!surely, truths().any(|(_, _, yes)| yes))
            }
            Quantifier::All => {
                let never = truths().any(|(surely, _, yes)| surely && !yes);
                ValueRange::Bool(truths().any(|(_, no, _)| no), !never)
            }
            Quantifier::Count => {
                let least = truths().filter(|(surely, no, _)| *surely && !no).count();
                let most = truths().filter(|(_, _, yes)| *yes).count();
                ValueRange::number(least as i64, most as i64)
            }
            Quantifier::Sum => {
                let (mut low, mut high) = (0i64, 0i64);
                for (surely, least, most) in numbers() {
                    let (least, most) = if surely { (least, most) } else { (least.min(0), most.max(0)) };
                    (low, high) = (low.saturating_add(least), high.saturating_add(most));
                }
                ValueRange::number(low, high)
            }
            Quantifier::Max | Quantifier::Min => {
                // The greatest of the negated values is the least one.
                let sign = if op == Quantifier::Max { 1 } else { -1 };
                let of = |(surely, low, high): (bool, i64, i64)| {
                    if sign > 0 { (surely, low, high) } else { (surely, -high, -low) }
                };
                let high = numbers().map(|n| of(n).2).max().unwrap_or(0);
                let sure = numbers().filter(|(surely, _, _)| *surely).map(|n| of(n).1).max();
                let low = sure.unwrap_or_else(|| numbers().map(|n| of(n).1).min().unwrap_or(0).min(0));
                let high = if sure.is_some() { high } else { high.max(0) };
                if sign > 0 { ValueRange::number(low, high) } else { ValueRange::number(-high, -low) }
            }
            Quantifier::Best => ValueRange::Element(possible, certain.is_empty()),
            Quantifier::AllBest => ValueRange::Set(BitSet::empty(possible.size()), possible),
            Quantifier::Union => {
                let Type::Set(domain) = e.ty else { return ValueRange::any(model, e.ty) };
                let empty = BitSet::empty(size(model, domain));
                let (mut least, mut most) = (empty.clone(), empty);
                for (surely, range) in values {
                    if let ValueRange::Set(a, b) = range {
                        if surely {
                            least = least.union(&a);
                        }
                        most = most.union(&b);
                    } else {
                        return ValueRange::any(model, e.ty);
                    }
                }
                ValueRange::Set(least, most)
            }
        }
    }

    /// Returns the range of an expression about boards. Most functions of a set grow with the set.
    fn on_board(&mut self, e: &CheckedExpr) -> ValueRange {
        use CheckedExprKind as E;
        let model = self.model;
        let any = || ValueRange::any(model, e.ty);
        let topology = |board: &houserule_model::BoardId| &model.boards[board.index()].topology;
        match &e.kind {
            E::Cell { board, column, row } => {
                let Type::Element(domain) = e.ty else { return any() };
                let ((a, b), (c, d)) = (self.number(column), self.number(row));
                let board = topology(board);
                let fits = |site: &u32| {
                    (a..=b).contains(&board.column_of(Site(*site)).into())
                        && (c..=d).contains(&board.row_of(Site(*site)).into())
                };
                let size = size(model, domain);
                let sites = BitSet::from_elements(size, (0..size).filter(fits));
                // A single cell on the board is certain; a range may leave the board.
                let none = !(a == b && c == d && sites.len() == 1);
                ValueRange::Element(sites, none)
            }
            E::ColumnOf(board, site) | E::RowOf(board, site) => {
                let (sites, _) = self.element(site);
                let board = topology(board);
                let of = |site| match e.kind {
                    E::ColumnOf(..) => i64::from(board.column_of(Site(site))),
                    _ => i64::from(board.row_of(Site(site))),
                };
                match (sites.iter().map(of).min(), sites.iter().map(of).max()) {
                    (Some(low), Some(high)) => ValueRange::number(low, high),
                    _ => any(),
                }
            }
            E::Column(board, n) | E::Row(board, n) => {
                let Type::Set(domain) = e.ty else { return any() };
                let (low, high) = self.number(n);
                let (board, size) = (topology(board), size(model, domain));
                let line = |n| match e.kind {
                    E::Column(..) => board.column(n),
                    _ => board.row(n),
                };
                let line = |n| line(n).unwrap_or_else(|| BitSet::empty(size));
                if high.saturating_sub(low) > 64 {
                    return any();
                }
                let ranges = (low..=high).map(|n| ValueRange::Set(line(n), line(n)));
                ranges.reduce(ValueRange::join).unwrap_or_else(any)
            }
            E::Columns(board, of) | E::Rows(board, of) => {
                let Type::Set(domain) = e.ty else { return any() };
                let (board, size, sets) = (topology(board), size(model, domain), self.set(of));
                let touched = |set: BitSet| {
                    let number = |site| match e.kind {
                        E::Columns(..) => board.column_of(Site(site)) - 1,
                        _ => board.row_of(Site(site)) - 1,
                    };
                    BitSet::from_elements(size, set.iter().map(number))
                };
                ValueRange::Set(touched(sets.0), touched(sets.1))
            }
            E::Neighbours { board, near, of } => {
                let sets = self.set(of);
                let near = |set: &BitSet| board::neighbours(topology(board), set, *near);
                ValueRange::Set(near(&sets.0), near(&sets.1))
            }
            E::SidesOf(board, of) => {
                let sets = self.set(of);
                ValueRange::Set(topology(board).sides_of(&sets.0), topology(board).sides_of(&sets.1))
            }
            E::CellsAt(board, of) => {
                let sets = self.set(of);
                ValueRange::Set(topology(board).cells_at(&sets.0), topology(board).cells_at(&sets.1))
            }
            E::Shift { board, direction, of } => {
                let sets = self.set(of);
                let moved = |set: &BitSet| board::shift(topology(board), set, *direction);
                ValueRange::Set(moved(&sets.0), moved(&sets.1))
            }
            E::Ray { board, direction, of } => {
                let sets = self.set(of);
                let beyond = |set: &BitSet| board::ray(topology(board), set, *direction);
                ValueRange::Set(beyond(&sets.0), beyond(&sets.1))
            }
            E::Slide { board, direction, of, through } => {
                let (of, through) = (self.set(of), self.set(through));
                let passed = |of, through| board::slide(topology(board), of, *direction, through);
                ValueRange::Set(passed(&of.0, &through.0), passed(&of.1, &through.1))
            }
            E::Lines { board, along, of, points } => {
                let (certain, possible) = self.set(of);
                line_points(topology(board), *along, points, &certain, &possible)
            }
            E::Longest { board, along, of } => {
                let sets = self.set(of);
                let longest = |set: &BitSet| i64::from(board::longest(topology(board), set, *along));
                let most = i64::from(self.greatest_size(of));
                ValueRange::number(longest(&sets.0), longest(&sets.1).min(most))
            }
            E::Runs { board, along, of, length } => {
                let (sets, (least, most)) = (self.set(of), self.number(length));
                let runs = |set: &BitSet, n| board::in_runs(topology(board), set, *along, n);
                ValueRange::Set(runs(&sets.0, most), runs(&sets.1, least))
            }
            E::Reach { board, orthogonal, seed, within } => {
                let (seed, within) = (self.set(seed), self.set(within));
                let reach =
                    |seed: &BitSet, within: &BitSet| board::reach(topology(board), seed, within, *orthogonal);
                ValueRange::Set(reach(&seed.0, &within.0), reach(&seed.1, &within.1))
            }
            E::Fill { board, orthogonal, of } => {
                let sets = self.set(of);
                let fill = |set: &BitSet| board::fill(topology(board), set, *orthogonal);
                ValueRange::Set(fill(&sets.0), fill(&sets.1))
            }
            _ => any(),
        }
    }
}

/// Returns the range of arithmetic on two numbers.
fn arithmetic(op: Arithmetic, left: (i64, i64), right: (i64, i64)) -> ValueRange {
    let unknown = ValueRange::Number(-UNBOUNDED, UNBOUNDED);
    let of = |low: i128, high: i128| {
        let limit = i128::from(UNBOUNDED);
        ValueRange::Number(low.clamp(-limit, limit) as i64, high.clamp(-limit, limit) as i64)
    };
    let [a, b, c, d] = [left.0, left.1, right.0, right.1].map(i128::from);
    match op {
        Arithmetic::Add => of(a + c, b + d),
        Arithmetic::Subtract => of(a - d, b - c),
        Arithmetic::Multiply => {
            let products = [a * c, a * d, b * c, b * d];
            of(*products.iter().min().unwrap_or(&0), *products.iter().max().unwrap_or(&0))
        }
        // Rounded down, the quotient by a positive number grows with the dividend.
        Arithmetic::Divide if c > 0 => {
            let quotients = [a.div_euclid(c), a.div_euclid(d), b.div_euclid(c), b.div_euclid(d)];
            of(*quotients.iter().min().unwrap_or(&0), *quotients.iter().max().unwrap_or(&0))
        }
        Arithmetic::Modulo if c > 0 => match a >= 0 && b < c {
            true => of(a, b),
            false => of(0, d - 1),
        },
        Arithmetic::Divide | Arithmetic::Modulo => unknown,
        Arithmetic::Min => of(a.min(c), b.min(d)),
        Arithmetic::Max => of(a.max(c), b.max(d)),
    }
}
