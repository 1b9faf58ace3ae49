//! Conditions on a listed set, `{a, b, c}`, whose elements are bound one after the other: what can be tested before the last is bound.
//!
//! `all x in {a, b}: P(x)` is a condition on each element, so that `all x in k: all y in k: R(x, y)` tests each new element against
//! those before. A condition that fails for every larger set once it fails, such as `sum x in {a, b}: n(x) <= 9` with numbers
//! from 0, is also tested on the elements bound so far. Only conditions that can't fail are divided.

use super::lift::mentions;
use crate::compile::keep::canon::FreeInput;
use crate::compile::lower::Lowering;
use houserule_language::syntax::{ComparisonOperator, Quantifier};
use houserule_model::{Arithmetic, CheckedExpr, CheckedExprKind as E, LocalId, Type, Value, walk};

/// Maximum size of the conditions that one is divided into, in expressions.
const MOST_NODES: usize = 2_000;

/// How a value changes as elements are added to a set. A truth value rises from false to true, a set by more elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trend {
    /// It stays.
    Constant,
    /// It rises or stays.
    Rising,
    /// It falls or stays.
    Falling,
}

impl Trend {
    fn reversed(self) -> Trend {
        match self {
            Trend::Constant => Trend::Constant,
            Trend::Rising => Trend::Falling,
            Trend::Falling => Trend::Rising,
        }
    }

    /// Returns the trend of a value that rises with two others, or `None` if they differ.
    fn with(self, other: Trend) -> Option<Trend> {
        match (self, other) {
            (Trend::Constant, other) => Some(other),
            (one, Trend::Constant) => Some(one),
            (one, other) => (one == other).then_some(one),
        }
    }
}

/// The conditions that one is divided into, without those that always hold.
#[derive(Default)]
struct Pieces {
    all: Vec<CheckedExpr>,
    /// Each piece, and the same with its sides exchanged.
    seen: Vec<(u128, Vec<FreeInput>)>,
    nodes: usize,
    is_divided: bool,
}

impl Lowering<'_> {
    /// Returns conditions that together mean the same as one that can't fail, of which some name fewer of the locals. The
    /// locals are those that are bound one after the other. Returns `None` if the condition can't be divided.
    pub(super) fn divided(&self, condition: &CheckedExpr, locals: &[LocalId]) -> Option<Vec<CheckedExpr>> {
        let mut pieces = Pieces::default();
        if !self.options.nests {
            return None;
        }
        self.spread(condition, &mut pieces)?;
        let mut all = if pieces.is_divided { pieces.all } else { vec![condition.clone()] };
        let early: Vec<CheckedExpr> = all.iter().flat_map(|piece| self.so_far(piece, locals)).collect();
        let is_divided = pieces.is_divided || !early.is_empty();
        all.splice(0..0, early);
        (is_divided && all.iter().all(|piece| self.never_fails(piece))).then_some(all)
    }

    /// Adds the conditions on each element of the listed sets that a condition goes over. Returns `None` if they are too many.
    fn spread(&self, condition: &CheckedExpr, pieces: &mut Pieces) -> Option<()> {
        match &condition.kind {
            E::And(a, b) => {
                self.spread(a, pieces)?;
                self.spread(b, pieces)
            }
            E::Quantified { op: Quantifier::All, local, over, body } => match self.members(over) {
                Some(members) => {
                    pieces.is_divided = true;
                    pieces.nodes += members.len() * nodes(body);
                    if pieces.nodes > MOST_NODES {
                        return None;
                    }
                    members.into_iter().try_for_each(|(element, unless)| {
                        let mut piece = (**body).clone();
                        replace(&mut piece, &|e| matches!(e.kind, E::Local(it) if it == *local), &element);
                        let either = |piece: CheckedExpr, unless: CheckedExpr| CheckedExpr {
                            ty: Type::Bool,
                            span: piece.span,
                            kind: E::Or(Box::new(unless), Box::new(piece)),
                        };
                        self.spread(&unless.into_iter().fold(piece, either), pieces)
                    })
                }
                None => self.add_piece(condition, pieces),
            },
            _ => self.add_piece(condition, pieces),
        }
    }

    #[allow(clippy::unnecessary_wraps)] // The arms of `spread` return it.
    fn add_piece(&self, piece: &CheckedExpr, pieces: &mut Pieces) -> Option<()> {
        if self.always_holds(piece) {
            return Some(());
        }
        let key = |e: &CheckedExpr| {
            let canon = self.canons.describe(e);
            (canon.key, canon.free.clone())
        };
        let exchanged = match &piece.kind {
            E::Compare(op, a, b) => Some(E::Compare(op.swapped(), b.clone(), a.clone())),
            E::Same(a, b) => Some(E::Same(b.clone(), a.clone())),
            _ => None,
        };
        let own = key(piece);
        if !pieces.seen.contains(&own) {
            let exchanged = exchanged.map(|kind| key(&CheckedExpr { kind, ..piece.clone() }));
            pieces.seen.extend(exchanged.into_iter().chain([own]));
            pieces.all.push(piece.clone());
        }
        Some(())
    }

    /// Returns `true` if the form of a condition that can't fail shows that it holds.
    fn always_holds(&self, e: &CheckedExpr) -> bool {
        use ComparisonOperator::{Equal, GreaterEqual, LessEqual};
        let is_same = |a: &CheckedExpr, b: &CheckedExpr| {
            let (a, b) = (self.canons.describe(a), self.canons.describe(b));
            a.is_pure && a.key == b.key && a.free == b.free
        };
        match &e.kind {
            E::Constant(Value::Bool(value)) => *value,
            E::Compare(Equal | LessEqual | GreaterEqual, a, b) | E::Same(a, b) => is_same(a, b),
            E::Contains { set, element } => {
                matches!(&set.kind, E::Elements(list) if list.iter().any(|e| is_same(e, element)))
            }
            E::Or(a, b) => self.always_holds(a) || self.always_holds(b),
            E::Not(a) => matches!(&a.kind, E::Not(inner) if self.always_holds(inner)),
            _ => false,
        }
    }

    /// Returns conditions on the first elements of a listed set which hold if a condition on all of them does.
    fn so_far(&self, condition: &CheckedExpr, locals: &[LocalId]) -> Vec<CheckedExpr> {
        let Some(list) = listed_in(condition, locals) else { return vec![] };
        let weaker = match &condition.kind {
            E::Compare(ComparisonOperator::Equal, a, b) => {
                let with =
                    |op| CheckedExpr { kind: E::Compare(op, a.clone(), b.clone()), ..condition.clone() };
                vec![with(ComparisonOperator::LessEqual), with(ComparisonOperator::GreaterEqual)]
            }
            _ => vec![condition.clone()],
        };
        let mut found = vec![];
        for whole in weaker.iter().filter(|e| self.trend(e, &list) == Some(Trend::Falling)) {
            let mut tested = list.len();
            for bound in (0..locals.len()).rev() {
                let later = &locals[bound..];
                let is_there = |e: &&CheckedExpr| !later.iter().any(|local| mentions(e, *local));
                let first: Vec<CheckedExpr> = list.iter().filter(is_there).cloned().collect();
                if first.is_empty() || first.len() == tested {
                    continue;
                }
                tested = first.len();
                let (mut early, is_list) = (whole.clone(), |e: &CheckedExpr| lists(e, &list));
                let Some(set) = find(whole, &is_list) else { continue };
                replace(&mut early, &is_list, &CheckedExpr { kind: E::Elements(first), ..set.clone() });
                if later.iter().all(|local| !mentions(&early, *local)) && self.never_fails(&early) {
                    found.push(early);
                }
            }
        }
        found
    }

    /// Returns how a value changes as elements are added to a listed set, or `None` if that isn't known.
    fn trend(&self, e: &CheckedExpr, list: &[CheckedExpr]) -> Option<Trend> {
        let of = |e: &CheckedExpr| self.trend(e, list);
        if lists(e, list) {
            return Some(Trend::Rising);
        }
        if find(e, &|part| lists(part, list)).is_none() {
            return Some(Trend::Constant);
        }
        let fixed = |e: &CheckedExpr| of(e).filter(|trend| *trend == Trend::Constant);
        match &e.kind {
            E::And(a, b) | E::Or(a, b) | E::Union(a, b) | E::Intersect(a, b) => of(a)?.with(of(b)?),
            E::Filter { over: a, condition: b, .. } => of(a)?.with(of(b)?),
            E::Arithmetic(Arithmetic::Add | Arithmetic::Min | Arithmetic::Max, a, b) => of(a)?.with(of(b)?),
            E::Arithmetic(Arithmetic::Subtract, a, b) | E::Minus(a, b) => of(a)?.with(of(b)?.reversed()),
            E::Subset(a, b) => of(a)?.reversed().with(of(b)?),
            E::Compare(ComparisonOperator::Less | ComparisonOperator::LessEqual, a, b) => {
                of(a)?.reversed().with(of(b)?)
            }
            E::Compare(ComparisonOperator::Greater | ComparisonOperator::GreaterEqual, a, b) => {
                of(a)?.with(of(b)?.reversed())
            }
            E::Not(a) | E::Negate(a) => Some(of(a)?.reversed()),
            E::IsSome(a) | E::Count(a) => of(a),
            E::Contains { set, element } => fixed(element).and(of(set)),
            E::If(condition, a, b) => fixed(condition).and(of(a)?.with(of(b)?)),
            E::Quantified { op, over, body, .. } => {
                let sets = match op {
                    Quantifier::Any | Quantifier::Union => of(over)?,
                    Quantifier::All => of(over)?.reversed(),
                    Quantifier::Count if body.ty == Type::Bool => of(over)?,
                    // The greatest of none is 0, as is the sum.
                    Quantifier::Sum | Quantifier::Max if self.bounds(body)?.0 >= 0 => of(over)?,
                    _ => return None,
                };
                sets.with(of(body)?)
            }
            _ => None,
        }
    }

    /// Returns the elements of a listed set, each with conditions under which it isn't in the set.
    fn members(&self, set: &CheckedExpr) -> Option<Vec<(CheckedExpr, Vec<CheckedExpr>)>> {
        let truth = |kind| CheckedExpr { kind, ty: Type::Bool, span: set.span };
        let without = |set: &CheckedExpr, is_out: &dyn Fn(&CheckedExpr) -> CheckedExpr| {
            let mut all = self.members(set)?;
            all.iter_mut().for_each(|(element, unless)| unless.push(is_out(element)));
            Some(all)
        };
        let contains = |set: &CheckedExpr, element: &CheckedExpr| {
            let (set, element) = (Box::new(set.clone()), Box::new(element.clone()));
            truth(E::Contains { set, element })
        };
        match &set.kind {
            E::Elements(list) => {
                // `none` is in no set.
                let is_bound = |e: &CheckedExpr| matches!(e.kind, E::Local(_)) && self.is_sure(e);
                list.iter().all(is_bound).then(|| list.iter().map(|e| (e.clone(), vec![])).collect())
            }
            E::Minus(a, b) => without(a, &|element| contains(b, element)),
            E::Intersect(a, b) => without(a, &|element| truth(E::Not(Box::new(contains(b, element))))),
            E::Filter { local, over, condition } => without(over, &|element| {
                let mut holds = (**condition).clone();
                replace(&mut holds, &|e| matches!(e.kind, E::Local(it) if it == *local), element);
                truth(E::Not(Box::new(holds)))
            }),
            _ => None,
        }
    }
}

/// Returns the longest list of locals in a condition that has one of some locals.
fn listed_in(condition: &CheckedExpr, locals: &[LocalId]) -> Option<Vec<CheckedExpr>> {
    let mut longest: Option<&Vec<CheckedExpr>> = None;
    walk::expr(condition, &mut |e| {
        if let E::Elements(list) = &e.kind
            && list.iter().all(|e| matches!(e.kind, E::Local(_)))
            && list.iter().any(|e| matches!(e.kind, E::Local(it) if locals.contains(&it)))
            && longest.is_none_or(|longest| longest.len() < list.len())
        {
            longest = Some(list);
        }
    });
    longest.cloned()
}

/// Returns `true` if an expression is the set of these elements, in this order.
fn lists(e: &CheckedExpr, list: &[CheckedExpr]) -> bool {
    let same = |(a, b): (&CheckedExpr, &CheckedExpr)| matches!((&a.kind, &b.kind), (E::Local(a), E::Local(b)) if a == b);
    matches!(&e.kind, E::Elements(own) if own.len() == list.len() && own.iter().zip(list).all(same))
}

/// Returns the first part of an expression with a property.
fn find<'e>(e: &'e CheckedExpr, has: &dyn Fn(&CheckedExpr) -> bool) -> Option<&'e CheckedExpr> {
    let mut found = None;
    walk::expr(e, &mut |part| found = found.or(has(part).then_some(part)));
    found
}

/// Replaces the parts of an expression that have a property.
pub(super) fn replace(e: &mut CheckedExpr, has: &dyn Fn(&CheckedExpr) -> bool, by: &CheckedExpr) {
    if has(e) {
        *e = by.clone();
        return;
    }
    walk::children_mut(&mut e.kind, &mut |part| replace(part, has, by));
}

fn nodes(e: &CheckedExpr) -> usize {
    let mut nodes = 0;
    walk::expr(e, &mut |_| nodes += 1);
    nodes
}
