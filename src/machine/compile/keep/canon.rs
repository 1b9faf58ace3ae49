//! Expressions up to the names of their locals: two copies of a define's body are one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem::discriminant;
use std::rc::Rc;

use houserule_base::hash::WordHasher;
use houserule_language::syntax::Quantifier;
use houserule_model::{
    CheckedExpr, CheckedExprKind as E, DomainKind, LocalId, Model, Role, Type, Value, walk,
};

/// Cost of an operation that goes over a board, in instructions. So is that of a set of neighbours whose sets have several words.
const BOARD_COST: f64 = 20.0;

/// The share of a set's domain that a set is thought to have.
const FILLED: f64 = 0.25;

/// What the value of an expression depends on beside the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::compile) enum FreeInput {
    /// A local that it doesn't bind.
    Local(LocalId),
    /// The acting player, who is no other input than a local that is a player.
    Me,
}

/// An expression up to the names of its locals.
#[derive(Clone, Debug)]
pub(in crate::compile) struct Canon {
    /// Equal for equal expressions, and for no others but by an accident of one in 2^128.
    pub(in crate::compile) key: u128,
    /// What it is without its parts: see [`shape`].
    pub(in crate::compile) shape: u64,
    /// Its inputs beside the state, in the order of their first use.
    pub(in crate::compile) free: Vec<FreeInput>,
    /// The slots that it reads, a bit each.
    pub(in crate::compile) slots: Vec<u64>,
    /// Whether its value depends on nothing but its locals, the acting player and the slots.
    pub(in crate::compile) is_pure: bool,
    /// Number of expressions in it.
    pub(in crate::compile) size: usize,
    /// Estimated cost of an evaluation, in instructions.
    pub(in crate::compile) cost: f64,
    /// The expressions directly in it, each with how often an evaluation evaluates it, as an estimate.
    pub(in crate::compile) parts: Vec<(u128, f64)>,
}

/// Descriptions of expressions by their address.
pub(in crate::compile) type CanonsByAddress = HashMap<usize, Rc<Canon>, BuildHasherDefault<WordHasher>>;

/// Describes the expressions of a model.
#[derive(Debug)]
pub(in crate::compile) struct Canons<'m> {
    model: &'m Model,
    /// Size of a set, in words.
    width: u16,
    /// By address: the descriptions of the model's own expressions, and of copies of them while they are lowered.
    known: CanonsByAddress,
}

impl<'m> Canons<'m> {
    pub(in crate::compile) fn new(model: &'m Model, width: u16) -> Canons<'m> {
        Canons { model, width, known: CanonsByAddress::default() }
    }

    /// Describes an expression of the model and all in it, and calls `tell` with each that wasn't described before.
    pub(in crate::compile) fn learn(
        &mut self,
        e: &'m CheckedExpr,
        tell: &mut dyn FnMut(&'m CheckedExpr, &Rc<Canon>),
    ) -> Rc<Canon> {
        let address = std::ptr::from_ref(e) as usize;
        if let Some(known) = self.known.get(&address) {
            return Rc::clone(known);
        }
        let mut parts = vec![];
        walk::children(e, &mut |child| parts.push(child));
        let parts: Vec<Rc<Canon>> = parts.into_iter().map(|part| self.learn(part, tell)).collect();
        // All in it is known, so nothing else is described.
        let canon = Rc::new(self.combine(e, &parts, &mut CanonsByAddress::default()));
        tell(e, &canon);
        self.known.insert(address, Rc::clone(&canon));
        canon
    }

    /// Describes any expression.
    pub(in crate::compile) fn describe(&self, e: &CheckedExpr) -> Rc<Canon> {
        self.describe_into(e, &mut CanonsByAddress::default())
    }

    /// Knows the descriptions of copies until [`Canons::forget`], before the end of which none of them may be dropped.
    pub(in crate::compile) fn remember(&mut self, copies: CanonsByAddress) -> Vec<usize> {
        let addresses = copies.keys().copied().collect();
        self.known.extend(copies);
        addresses
    }

    /// Forgets the descriptions of copies.
    pub(in crate::compile) fn forget(&mut self, copies: &[usize]) {
        copies.iter().for_each(|address| {
            self.known.remove(address);
        });
    }

    /// Describes any expression, and adds the descriptions of those that the model doesn't have to `copies`, by address.
    pub(in crate::compile) fn describe_into(
        &self,
        e: &CheckedExpr,
        copies: &mut CanonsByAddress,
    ) -> Rc<Canon> {
        let address = std::ptr::from_ref(e) as usize;
        if let Some(known) = self.known.get(&address).or_else(|| copies.get(&address)) {
            return Rc::clone(known);
        }
        let mut parts = vec![];
        walk::children(e, &mut |child| parts.push(self.describe_into(child, copies)));
        let canon = Rc::new(self.combine(e, &parts, copies));
        copies.insert(address, Rc::clone(&canon));
        canon
    }

    /// Describes an expression from the descriptions of its parts. Those of `copies` are known too, or each loop in a loop
    /// would be described twice as often as the one around it.
    fn combine(&self, e: &CheckedExpr, parts: &[Rc<Canon>], copies: &mut CanonsByAddress) -> Canon {
        let model = self.model;
        let mut hashers = [0, 1].map(WordHasher::new);
        // The second part of these has an input of its own.
        let bound = match &e.kind {
            E::Filter { local, .. } | E::Quantified { local, .. } => Some(FreeInput::Local(*local)),
            E::As { .. } => Some(FreeInput::Me),
            _ => None,
        };
        let mut free: Vec<FreeInput> = vec![];
        let mut slots = vec![0u64; model.slots.len().div_ceil(64)];
        let (mut is_pure, mut size) = (true, 1);
        let shape = shape(e);
        for hasher in &mut hashers {
            (shape, parts.len()).hash(hasher);
        }
        free.extend(match e.kind {
            E::Local(local) => Some(FreeInput::Local(local)),
            E::Me => Some(FreeInput::Me),
            _ => None,
        });
        for (number, part) in parts.iter().enumerate() {
            let binds = bound.filter(|_| number == 1);
            let places: Vec<usize> = part
                .free
                .iter()
                .map(|input| {
                    if Some(*input) == binds {
                        return usize::MAX;
                    }
                    free.iter().position(|known| known == input).unwrap_or_else(|| {
                        free.push(*input);
                        free.len() - 1
                    })
                })
                .collect();
            for hasher in &mut hashers {
                (part.key, &places).hash(hasher);
            }
            slots.iter_mut().zip(&part.slots).for_each(|(all, some)| *all |= some);
            is_pure &= part.is_pure;
            size += part.size;
        }
        match &e.kind {
            E::Read(target) => {
                slots[target.slot.index() / 64] |= 1 << (target.slot.index() % 64);
                is_pure &= !matches!(model.slots[target.slot.index()].role, Role::Builtin(_));
            }
            E::Repeated { .. } | E::Tried { .. } | E::Chain(_) | E::RestOfChain | E::Call { .. } => {
                is_pure = false
            }
            _ => {}
        }
        let [low, high] = hashers.map(|hasher| u128::from(hasher.finish()));
        let times = self.times(e, parts.len());
        let cost = self.cost(e, parts, &times, &slots, free.len());
        let mut evaluated = vec![];
        for (number, (part, times)) in parts.iter().zip(times).enumerate() {
            match (&e.kind, number) {
                (E::Filter { local, condition: body, .. } | E::Quantified { local, body, .. }, 1) => {
                    self.evaluated_in_loop(*local, body, times, copies, &mut evaluated);
                }
                _ => evaluated.push((Rc::clone(part), times)),
            }
        }
        let parts = evaluated.into_iter().map(|(part, times)| (part.key, times)).collect();
        Canon { key: high << 64 | low, shape, free, slots, is_pure, size, cost, parts }
    }

    /// Adds what a loop over elements evaluates in all, if it goes over `times` elements, and the descriptions of those that the
    /// model doesn't have to `copies`.
    pub(in crate::compile) fn evaluated_in_loop(
        &self,
        local: LocalId,
        condition: &CheckedExpr,
        times: f64,
        copies: &mut CanonsByAddress,
        all: &mut Vec<(Rc<Canon>, f64)>,
    ) {
        each_in_loop(local, condition, &mut |e, is_set| {
            let canon = self.describe_into(e, copies);
            let is_same = is_set && !canon.free.contains(&FreeInput::Local(local));
            all.push((canon, if is_same { 1.0 } else { times }));
        });
    }

    /// Estimates how often an evaluation of `e` evaluates each of its parts.
    pub(in crate::compile) fn times(&self, e: &CheckedExpr, parts: usize) -> Vec<f64> {
        match &e.kind {
            E::And(..) | E::Or(..) => vec![1.0, 0.5],
            E::If(..) => vec![1.0, 0.7, 0.7],
            E::Filter { over, .. } | E::Quantified { over, .. } => {
                let elements = self.elements(over);
                let ends_early =
                    matches!(&e.kind, E::Quantified { op: Quantifier::Any | Quantifier::All, .. });
                vec![1.0, if ends_early { (elements / 2.0).max(1.0) } else { elements }]
            }
            _ => vec![1.0; parts],
        }
    }

    /// Estimates the number of elements of a set.
    pub(in crate::compile) fn elements(&self, set: &CheckedExpr) -> f64 {
        if let E::Constant(Value::Set(set)) = &set.kind {
            return f64::from(set.len());
        }
        let Type::Set(domain) = set.ty else { return 1.0 };
        let domain = &self.model.domains[domain.index()];
        match domain.kind {
            // Most loops over numbers are short.
            DomainKind::Range { .. } => f64::from(domain.size) / 2.0,
            _ => (f64::from(domain.size) * FILLED).max(1.0),
        }
    }

    fn cost(&self, e: &CheckedExpr, parts: &[Rc<Canon>], times: &[f64], slots: &[u64], inputs: usize) -> f64 {
        // It becomes a constant or a table.
        if inputs <= 1 && slots.iter().all(|bits| *bits == 0) {
            return 1.0;
        }
        let inner = |from: usize| -> f64 {
            parts.iter().zip(times).skip(from).map(|(part, times)| part.cost * times).sum()
        };
        match &e.kind {
            E::Filter { .. } | E::Quantified { .. } => {
                let is_mask = parts.get(1).is_some_and(|body| {
                    body.is_pure && body.free.len() <= 2 && body.slots.iter().all(|bits| *bits == 0)
                });
                let counts = !matches!(
                    &e.kind,
                    E::Quantified {
                        op: Quantifier::Sum
                            | Quantifier::Min
                            | Quantifier::Max
                            | Quantifier::Best
                            | Quantifier::AllBest,
                        ..
                    }
                );
                if is_mask && counts {
                    return 3.0 + parts.first().map_or(0.0, |over| over.cost);
                }
                let loops = times.get(1).copied().unwrap_or(1.0);
                inner(0) + 3.0 + 3.0 * loops
            }
            E::Reach { .. }
            | E::ReachBy { .. }
            | E::Enclosed { .. }
            | E::Fill { .. }
            | E::Custodial { .. }
            | E::Lines { .. }
            | E::Longest { .. }
            | E::Runs { .. } => BOARD_COST + inner(0),
            E::Neighbours { .. }
            | E::Shift { .. }
            | E::Ray { .. }
            | E::Slide { .. }
            | E::SidesOf(..)
            | E::CellsAt(..)
            | E::Crossing(..) => inner(0) + if self.width == 1 { 3.0 } else { BOARD_COST },
            E::Constant(_) | E::Local(_) | E::Me | E::RestOfChain => 0.0,
            _ => 1.0 + inner(0),
        }
    }
}

/// Calls `f` with what a loop over elements evaluates for each, and with `true` for a set in which the element must be: if the
/// set is the same for all, it is made one with the set that the loop goes over.
pub(in crate::compile) fn each_in_loop<'e>(
    local: LocalId,
    condition: &'e CheckedExpr,
    f: &mut dyn FnMut(&'e CheckedExpr, bool),
) {
    match &condition.kind {
        E::And(a, b) | E::Or(a, b) => {
            each_in_loop(local, a, f);
            each_in_loop(local, b, f);
        }
        E::Not(a) => each_in_loop(local, a, f),
        E::Contains { set, element } if matches!(element.kind, E::Local(it) if it == local) => f(set, true),
        _ => f(condition, false),
    }
}

/// Returns a hash of what an expression is without its parts: equal for equal expressions.
pub(in crate::compile) fn shape(e: &CheckedExpr) -> u64 {
    let mut hasher = WordHasher::default();
    match e.kind {
        E::Local(_) | E::Me => (0, e.ty).hash(&mut hasher),
        _ => (1, discriminant(&e.kind), e.ty).hash(&mut hasher),
    }
    hash_own(e, &mut hasher);
    hasher.finish()
}

/// Adds what an expression is beside its type and its parts.
fn hash_own(e: &CheckedExpr, hasher: &mut WordHasher) {
    match &e.kind {
        E::Constant(value) => match value {
            Value::Number(n) => (0, n).hash(hasher),
            Value::Bool(b) => (1, b).hash(hasher),
            Value::Element(e) => (2, e).hash(hasher),
            Value::Set(set) => {
                3.hash(hasher);
                set.iter().for_each(|e| e.hash(hasher));
            }
        },
        E::Read(target) => target.slot.hash(hasher),
        E::Table(table, _) | E::Field(table, _) => table.hash(hasher),
        E::After { among, back, .. } => (among.is_some(), back).hash(hasher),
        E::Arithmetic(op, ..) => op.hash(hasher),
        E::Compare(op, ..) => discriminant(op).hash(hasher),
        E::Quantified { op, .. } => discriminant(op).hash(hasher),
        E::Cell { board, .. }
        | E::ColumnOf(board, _)
        | E::RowOf(board, _)
        | E::Column(board, _)
        | E::Row(board, _)
        | E::Columns(board, _)
        | E::Rows(board, _)
        | E::SidesOf(board, _)
        | E::CellsAt(board, _)
        | E::Crossing(board, _)
        | E::Custodial { board, .. } => board.hash(hasher),
        E::Neighbours { board, near, .. } => (board, near).hash(hasher),
        E::Shift { board, direction, .. }
        | E::Ray { board, direction, .. }
        | E::Slide { board, direction, .. } => (board, direction).hash(hasher),
        E::Lines { board, along, points, .. } => {
            (board, along, &points.entries, points.and_more).hash(hasher);
        }
        E::Longest { board, along, .. } | E::Runs { board, along, .. } => (board, along).hash(hasher),
        E::Repeated { past, .. } => past.hash(hasher),
        E::Call { hook, .. } => hook.hash(hasher),
        E::Reach { board, orthogonal, .. }
        | E::Enclosed { board, orthogonal, .. }
        | E::Fill { board, orthogonal, .. } => (board, orthogonal).hash(hasher),
        E::ReachBy { board, sides, orthogonal, joined, .. } => {
            (board, sides, orthogonal, joined).hash(hasher);
        }
        E::Local(_)
        | E::Me
        | E::As { .. }
        | E::ValueOf(_)
        | E::ElementOf(_)
        | E::Negate(_)
        | E::Same(..)
        | E::Not(_)
        | E::And(..)
        | E::Or(..)
        | E::If(..)
        | E::Contains { .. }
        | E::Subset(..)
        | E::IsSome(_)
        | E::Elements(_)
        | E::Union(..)
        | E::Intersect(..)
        | E::Minus(..)
        | E::Filter { .. }
        | E::Count(_)
        | E::First(_)
        | E::Last(_)
        | E::Chain(_)
        | E::RestOfChain
        | E::Tried { .. } => {}
    }
}
