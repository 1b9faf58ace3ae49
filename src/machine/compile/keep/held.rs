//! HeldValues: values that stand in temporaries while an expression is evaluated that asks for them several times.
//!
//! Cells keep values from one expression to the next; this is for the many that cost too little for a cell, and for those
//! that depend on the locals of a loop. A held value is computed before the expression, perhaps in vain, so only what can't
//! fail is held, and only if it is asked for more than once by estimate.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use super::canon::{Canon, CanonsByAddress, FreeInput, each_in_loop, shape};
use crate::compile::ValueKeeping;
use crate::compile::layout::type_len;
use crate::compile::lower::Lowering;
use crate::program::Out;
use houserule_base::hash::WordHasher;
use houserule_model::{CheckedExpr, CheckedExprKind as E, LocalId, Type, walk};

/// Least cost of a value that is held, in instructions.
const LEAST_COST: f64 = 3.0;

/// Least number of times that a held value is asked for.
const LEAST_TIMES: f64 = 1.5;

/// Least number of instructions that holding a value saves.
const LEAST_GAIN: f64 = 3.0;

/// Maximum size of the values that are held at a time, in words.
const MOST_WORDS: u16 = 256;

/// An expression with its inputs, and the address of the acting player if it depends on it.
type HeldKey = (u128, Vec<FreeInput>, Option<u16>);

/// The addresses of values.
type HeldPlaces = HashMap<HeldKey, u16, BuildHasherDefault<WordHasher>>;

/// The values that are held.
#[derive(Debug, Default)]
pub(in crate::compile) struct HeldValues {
    at: HeldPlaces,
    /// The elements of sets that have one at most.
    elements: HeldPlaces,
    /// Number of held values by the shape of their expression.
    shapes: HashMap<u64, usize, BuildHasherDefault<WordHasher>>,
    words: u16,
    /// Whether an expression is being evaluated: those in it hold nothing of their own.
    is_evaluating: bool,
}

/// An expression that is going to be evaluated.
#[derive(Clone, Debug)]
pub(in crate::compile) struct ToEvaluate<'e> {
    pub(in crate::compile) e: &'e CheckedExpr,
    /// How often, as an estimate.
    pub(in crate::compile) times: f64,
    /// The locals that are bound before it is evaluated, but aren't yet.
    pub(in crate::compile) unbound: Vec<LocalId>,
}

impl<'e> ToEvaluate<'e> {
    /// An expression that is evaluated once, now.
    pub(in crate::compile) fn now(e: &'e CheckedExpr) -> [ToEvaluate<'e>; 1] {
        [ToEvaluate { e, times: 1.0, unbound: vec![] }]
    }
}

/// An expression that is asked for, perhaps several times.
struct AskedExpr<'e> {
    e: &'e CheckedExpr,
    canon: Rc<Canon>,
    times: f64,
}

/// Counts what an expression asks for.
struct AskedSurvey<'l, 'm, 'e> {
    lower: &'l Lowering<'m>,
    copies: CanonsByAddress,
    asked: Vec<AskedExpr<'e>>,
    by_key: HashMap<(u128, Vec<FreeInput>), usize, BuildHasherDefault<WordHasher>>,
    /// The locals that are bound inside.
    bound: Vec<LocalId>,
    /// Whether another player acts.
    other_me: bool,
}

impl<'m> Lowering<'m> {
    /// Lowers an expression. If no other is being evaluated around it, it holds what it asks for several times.
    pub(in crate::compile) fn evaluating(&mut self, e: &CheckedExpr, lower: impl FnOnce(&mut Self)) {
        if self.held.is_evaluating {
            return lower(self);
        }
        self.held.is_evaluating = true;
        self.scoped(|this| this.holding(&ToEvaluate::now(e), lower));
        self.held.is_evaluating = false;
    }

    /// Computes a value into `d`, through its cell if it has one. `compute` also gets whether the words are none that the
    /// expression may read.
    pub(in crate::compile) fn compute_or_look_up(
        &mut self,
        e: &CheckedExpr,
        d: u16,
        compute: impl Fn(&mut Self, u16, bool),
    ) {
        let has_cell = self.scoped(|this| {
            this.by_cell(e, d, |this, d| {
                this.holding(&ToEvaluate::now(e), |this| compute(this, d, true));
            })
        });
        if !has_cell {
            self.evaluating(e, |this| this.scoped(|this| compute(this, d, false)));
        }
    }

    /// Lowers something with no value held.
    pub(in crate::compile) fn holding_nothing(&mut self, lower: impl FnOnce(&mut Self)) {
        let held = std::mem::take(&mut self.held);
        lower(self);
        self.held = held;
    }

    /// Computes what some expressions ask for several times, and lowers them. The caller frees the temporaries.
    pub(in crate::compile) fn holding(&mut self, all: &[ToEvaluate<'_>], lower: impl FnOnce(&mut Self)) {
        let mut keys = vec![];
        let words = self.held.words;
        let (repeated, copies) = self.repeated(all);
        let copies = self.canons.remember(copies);
        for AskedExpr { e, canon, .. } in repeated {
            let is_single = self.is_single(e);
            let len = if is_single { 1 } else { type_len(self.layout.width, e.ty) };
            if self.held.words + len > MOST_WORDS {
                break;
            }
            let at = self.temp(len);
            match e.ty {
                _ if is_single => self.single_into(e, Out(at)),
                Type::Set(_) => self.set_to(e, at, true),
                _ => self.number_into(e, at),
            }
            let key = self.held_key(&canon);
            let places = if is_single { &mut self.held.elements } else { &mut self.held.at };
            if places.insert(key.clone(), at).is_none() {
                self.held.words += len;
                *self.held.shapes.entry(canon.shape).or_default() += 1;
                keys.push((key, canon.shape));
            }
        }
        lower(self);
        for (key, shape) in keys {
            self.held.at.remove(&key);
            self.held.elements.remove(&key);
            if let Some(count) = self.held.shapes.get_mut(&shape) {
                *count -= 1;
            }
        }
        self.held.words = words;
        self.canons.forget(&copies);
    }

    fn held_key(&self, canon: &Canon) -> HeldKey {
        (canon.key, canon.free.clone(), canon.free.contains(&FreeInput::Me).then_some(self.me))
    }

    /// Returns where the value of an expression is held.
    pub(in crate::compile) fn held_at(&self, e: &CheckedExpr) -> Option<u16> {
        self.held_in(&self.held.at, e)
    }

    /// Returns where the element of a set that has one at most is held.
    pub(in crate::compile) fn held_element(&self, e: &CheckedExpr) -> Option<u16> {
        self.held_in(&self.held.elements, e)
    }

    fn held_in(&self, places: &HeldPlaces, e: &CheckedExpr) -> Option<u16> {
        if places.is_empty() || self.held.shapes.get(&shape(e)).is_none_or(|count| *count == 0) {
            return None;
        }
        places.get(&self.held_key(&self.canons.describe(e))).copied()
    }

    /// Returns what some expressions ask for several times, the smallest first, and the descriptions of those that aren't known.
    fn repeated<'e>(&self, all: &[ToEvaluate<'e>]) -> (Vec<AskedExpr<'e>>, CanonsByAddress) {
        if self.options.keeping == ValueKeeping::Off {
            return (vec![], CanonsByAddress::default());
        }
        let mut survey = AskedSurvey {
            lower: self,
            copies: CanonsByAddress::default(),
            asked: vec![],
            by_key: HashMap::default(),
            bound: vec![],
            other_me: false,
        };
        for ToEvaluate { e, times, unbound } in all {
            survey.bound.clone_from(unbound);
            survey.visit(e, *times);
        }
        let AskedSurvey { mut asked, copies, .. } = survey;
        asked.retain(|AskedExpr { e, canon, times }| {
            *times >= LEAST_TIMES
                && canon.cost * (times - 1.0) >= LEAST_GAIN
                && self.held_at(e).is_none()
                && self.held_element(e).is_none()
                && self.never_fails(e)
        });
        asked.sort_by_key(|asked| asked.canon.size);
        (asked, copies)
    }
}

impl<'e> AskedSurvey<'_, '_, 'e> {
    fn describe(&mut self, e: &'e CheckedExpr) -> Rc<Canon> {
        self.lower.canons.describe_into(e, &mut self.copies)
    }

    /// Counts an expression that is evaluated `times`, and what it asks for.
    fn visit(&mut self, e: &'e CheckedExpr, times: f64) {
        let canon = self.describe(e);
        // It becomes a constant or a table, or is kept anyway.
        if canon.cost <= 1.0 || self.lower.is_kept(&canon) {
            return;
        }
        let is_ours = |input: &FreeInput| match input {
            FreeInput::Local(local) => !self.bound.contains(local),
            FreeInput::Me => !self.other_me,
        };
        let has_place = !matches!(e.ty, Type::Bool);
        if has_place && canon.is_pure && canon.cost >= LEAST_COST && canon.free.iter().all(is_ours) {
            let key = (canon.key, canon.free.clone());
            if let Some(known) = self.by_key.get(&key) {
                self.asked[*known].times += times;
                return;
            }
            self.by_key.insert(key, self.asked.len());
            self.asked.push(AskedExpr { e, canon, times });
        }
        let mut parts = vec![];
        walk::children(e, &mut |part| parts.push(part));
        let each = self.lower.canons.times(e, parts.len());
        match &e.kind {
            E::Filter { local, over, condition: body } | E::Quantified { local, over, body, .. } => {
                self.visit(over, times);
                self.bound.push(*local);
                let (all, mut evaluated) = (times * each[1], vec![]);
                each_in_loop(*local, body, &mut |e, is_set| evaluated.push((e, is_set)));
                for (e, is_set) in evaluated {
                    let is_same = is_set && !self.describe(e).free.contains(&FreeInput::Local(*local));
                    self.visit(e, if is_same { times } else { all });
                }
                self.bound.pop();
            }
            E::As { player, value } => {
                self.visit(player, times);
                let outer = std::mem::replace(&mut self.other_me, true);
                self.visit(value, times);
                self.other_me = outer;
            }
            // Its statements change what is held.
            E::Tried { .. } | E::Chain(_) | E::RestOfChain => {}
            _ => parts.into_iter().zip(each).for_each(|(part, share)| self.visit(part, times * share)),
        }
    }
}
