//! Decides which values are kept from one evaluation to the next, because the rules ask for them again and again.
//!
//! Expressions that are equal up to the names of their locals are one, wherever they stand. Estimates say how often each is
//! evaluated in a decision, from the outermost inwards: what a kept value saves isn't evaluated again in its parts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::canon::{Canon, Canons, CanonsByAddress, FreeInput};
use crate::compile::layout::{address, type_len};
use houserule_language::diagnostic::Span;
use houserule_model::constant::inputs;
use houserule_model::{
    CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmtKind, LocalId, Model, SlotId, Type, walk,
};

/// Maximum number of words for kept values, with their marks. Every clone of a state copies them.
const MOST_WORDS: usize = 768;

/// Maximum number of values of one expression, for different locals.
const MOST_VALUES: usize = 128;

/// Maximum number of values of one expression of which only the latest are kept.
const MOST_LATEST: usize = 16;

/// Maximum number of combinations of inputs.
const MOST_COMBINATIONS: usize = 1 << 20;

/// Least cost of an expression that is kept, in instructions.
const LEAST_COST: f64 = 12.0;

/// Least number of instructions in a decision that keeping must save, as an estimate.
const LEAST_GAIN: f64 = 250.0;

/// Least number of evaluations for each value that is computed.
const LEAST_REPEATS: f64 = 1.5;

/// Least number of instructions in a decision that each word must save, as an estimate: environments have a copy of all words
/// for each game.
const LEAST_GAIN_OF_A_WORD: f64 = 8.0;

/// Estimated number of candidates of an option that are tried for a decision.
const TRIALS: f64 = 2.0;

/// How often in a decision the scores come: games of few decisions are those in which it matters.
const AT_THE_END: f64 = 0.2;

/// Largest domain of which all elements are thought to be asked for in turn; of others, a quarter.
const ALL_ASKED: u32 = 16;

/// Maximum number of groups of kept values, each with its own slots.
const MOST_GROUPS: usize = 6;

/// An expression whose values are kept.
#[derive(Clone, Debug)]
pub(in crate::compile) struct KeptExpr {
    /// Number of values: one for each combination of its inputs that are indices.
    pub(in crate::compile) count: usize,
    /// By input: whether it is an index. Of the others, only the value for their latest combination is kept.
    pub(in crate::compile) is_index: Vec<bool>,
    /// Whether a value is a set.
    pub(in crate::compile) is_set: bool,
    /// Size of a value, in words.
    pub(in crate::compile) words: u16,
    /// The group whose slots it reads.
    pub(in crate::compile) group: usize,
    /// What it is without its parts.
    pub(in crate::compile) shape: u64,
    /// Where it is written, once.
    pub(in crate::compile) span: Span,
    /// Estimated number of instructions that this saves in a decision.
    pub(in crate::compile) saves: f64,
}

/// The expressions whose values are kept.
#[derive(Debug, Default)]
pub(in crate::compile) struct SharePlan {
    /// By key of the expression, in the order of the rules.
    pub(in crate::compile) kept: Vec<(u128, KeptExpr)>,
    /// By group: the slots on which its values depend.
    pub(in crate::compile) groups: Vec<Vec<SlotId>>,
}

/// An expression up to the names of its locals.
struct ShareNode<'m> {
    canon: Rc<Canon>,
    /// One of the places where it stands.
    example: &'m CheckedExpr,
    /// By epoch.
    evaluations: BTreeMap<usize, Evaluations>,
}

/// How often an expression is evaluated in an epoch.
#[derive(Clone, Copy, Debug, Default)]
struct Evaluations {
    times: f64,
    /// How often one place of the rules asks for a value that isn't the latest.
    changes: f64,
}

/// Finds the expressions of a model, and what is evaluated when.
struct Survey<'u, 'm> {
    model: &'m Model,
    /// Addresses of the statements that are left out.
    unread: &'u HashSet<usize>,
    nodes: Vec<ShareNode<'m>>,
    by_key: HashMap<u128, usize>,
    /// How often in a decision each epoch comes: a time in which nothing is written that expressions read.
    epochs: Vec<f64>,
}

/// Decides what is kept. The setup comes once in a game, so nothing is kept for it.
pub(in crate::compile) fn plan<'m>(
    model: &'m Model,
    unread: &HashSet<usize>,
    width: u16,
    canons: &mut Canons<'m>,
) -> SharePlan {
    let mut survey = Survey { model, unread, nodes: vec![], by_key: HashMap::new(), epochs: vec![] };
    survey.block(&model.turn, 1.0, canons);
    let ends = survey.begin(1.0);
    model.ends.iter().for_each(|end| survey.root(&end.when, ends, 1.0, canons));
    let scores = survey.begin(AT_THE_END);
    let players = f64::from(model.players.count);
    model.score.iter().for_each(|item| survey.root(&item.value, scores, players, canons));
    survey.choose(width)
}

impl<'m> Survey<'_, 'm> {
    /// Begins an epoch that comes `times` in a decision.
    fn begin(&mut self, times: f64) -> usize {
        self.epochs.push(times);
        self.epochs.len() - 1
    }

    /// Notes all that is in an expression.
    fn learn(&mut self, e: &'m CheckedExpr, canons: &mut Canons<'m>) -> Rc<Canon> {
        let Survey { nodes, by_key, .. } = self;
        canons.learn(e, &mut |e, canon| {
            by_key.entry(canon.key).or_insert_with(|| {
                let evaluations = BTreeMap::new();
                nodes.push(ShareNode { canon: Rc::clone(canon), example: e, evaluations });
                nodes.len() - 1
            });
        })
    }

    /// Notes that an expression is evaluated `times` in an epoch.
    fn root(&mut self, e: &'m CheckedExpr, epoch: usize, times: f64, canons: &mut Canons<'m>) {
        let key = self.learn(e, canons).key;
        self.add(key, epoch, Evaluations { times, changes: times });
    }

    fn add(&mut self, key: u128, epoch: usize, more: Evaluations) {
        if let Some(at) = self.by_key.get(&key) {
            let all = self.nodes[*at].evaluations.entry(epoch).or_default();
            all.times += more.times;
            all.changes = all.changes.max(more.changes);
        }
    }

    /// Notes that a condition is evaluated for the candidates of an option. `binders` have each local with the number of its
    /// elements.
    fn filter(
        &mut self,
        binders: &[(LocalId, f64)],
        condition: &'m CheckedExpr,
        epoch: usize,
        canons: &mut Canons<'m>,
    ) {
        if let CheckedExprKind::And(a, b) = &condition.kind {
            self.filter(binders, a, epoch, canons);
            return self.filter(binders, b, epoch, canons);
        }
        let canon = self.learn(condition, canons);
        let is_in = |canon: &Canon, local: LocalId| canon.free.contains(&FreeInput::Local(local));
        // It is tested as soon as its locals are known.
        let needed = binders.iter().rposition(|(local, _)| is_in(&canon, *local)).map_or(0, |last| last + 1);
        let binders = &binders[..needed];
        let candidates = binders.iter().map(|(_, elements)| elements).product();
        let mut evaluated = vec![];
        match binders.last() {
            // The model's own expressions are known.
            Some((last, _)) => {
                let copies = &mut CanonsByAddress::default();
                canons.evaluated_in_loop(*last, condition, candidates, copies, &mut evaluated);
            }
            None => evaluated.push((canon, 1.0)),
        }
        for (canon, times) in evaluated {
            let latest = self.cell_inputs(&canon).map_or(vec![], |(_, is_index, _)| is_index);
            let is_latest = |local: LocalId| {
                canon
                    .free
                    .iter()
                    .zip(&latest)
                    .any(|(input, index)| !index && *input == FreeInput::Local(local))
            };
            let repeats = binders.iter().enumerate().filter(|(at, (local, _))| {
                is_in(&canon, *local) || binders[at + 1..].iter().any(|(inner, _)| is_latest(*inner))
            });
            let changes: f64 = repeats.map(|(_, (_, elements))| elements).product();
            self.add(canon.key, epoch, Evaluations { times, changes: changes.min(times) });
        }
    }

    /// Notes the expressions of a block that is executed `times` in a decision.
    fn block(&mut self, block: &'m CheckedBlock, times: f64, canons: &mut Canons<'m>) {
        let model = self.model;
        for stmt in block.stmts.iter().filter(|stmt| !self.unread.contains(&address(stmt))) {
            let epoch = self.begin(times);
            if let CheckedStmtKind::Choose(choice) = stmt.kind {
                for option in &model.choices[choice.index()].options {
                    let mut candidates = 1.0;
                    let mut binders = vec![];
                    for binder in &option.binders {
                        self.root(&binder.over, epoch, candidates, canons);
                        binders.push((binder.local, canons.elements(&binder.over)));
                        candidates *= canons.elements(&binder.over);
                    }
                    if let Some(filter) = &option.filter {
                        self.filter(&binders, filter, epoch, canons);
                    }
                    if let Some(ensuring) = &option.ensuring {
                        let trial = self.begin(times * TRIALS);
                        self.root(ensuring, trial, 1.0, canons);
                    }
                }
            } else {
                walk::own_exprs(model, stmt).into_iter().for_each(|e| self.root(e, epoch, 1.0, canons));
            }
            let inner = match &stmt.kind {
                CheckedStmtKind::For { over, .. } => times * canons.elements(over),
                CheckedStmtKind::While { .. } | CheckedStmtKind::Repeat { .. } => times * 2.0,
                CheckedStmtKind::Choose(choice) => {
                    times / model.choices[choice.index()].options.len().max(1) as f64
                }
                _ => times,
            };
            for block in walk::blocks(model, stmt) {
                self.block(block, inner, canons);
            }
        }
    }

    /// Chooses what is kept, from the largest expressions inwards.
    fn choose(mut self, width: u16) -> SharePlan {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(self.nodes[*at].canon.size), *at));
        let mut chosen: Vec<(u128, KeptExpr, Vec<u64>)> = vec![];
        for at in order {
            let mut evaluations = std::mem::take(&mut self.nodes[at].evaluations);
            let node = &self.nodes[at];
            if let Some((mut kept, asked)) = self.keepable(node, width) {
                let computed = |of: &Evaluations| match asked {
                    Some(asked) => of.times.min(asked),
                    None => of.times.min(of.changes),
                };
                let sum = |f: &dyn Fn(&Evaluations) -> f64| -> f64 {
                    evaluations.iter().map(|(epoch, of)| self.epochs[*epoch] * f(of)).sum()
                };
                let (all, distinct) = (sum(&|of| of.times), sum(&computed));
                kept.saves = (all - distinct) * node.canon.cost;
                let words = (kept.count * (1 + usize::from(kept.words))) as f64;
                let least = LEAST_GAIN.max(LEAST_GAIN_OF_A_WORD * words);
                if all >= LEAST_REPEATS * distinct && kept.saves >= least {
                    evaluations.values_mut().for_each(|of| of.times = computed(of));
                    chosen.push((node.canon.key, kept, node.canon.slots.clone()));
                }
            }
            let canon = Rc::clone(&node.canon);
            for (part, times) in &canon.parts {
                for (epoch, outer) in &evaluations {
                    let (all, changes) = (outer.times * times, outer.changes.min(outer.times) * times);
                    self.add(*part, *epoch, Evaluations { times: all, changes });
                }
            }
        }
        grouped(chosen)
    }

    /// Returns what would be kept of an expression, if it can be kept, and how many of its values are asked for before they
    /// change, as an estimate, if all are kept.
    fn keepable(&self, node: &ShareNode<'m>, width: u16) -> Option<(KeptExpr, Option<f64>)> {
        let canon = &node.canon;
        if !canon.is_pure || canon.cost < LEAST_COST {
            return None;
        }
        // It becomes a table.
        if inputs(self.model, node.example).is_some_and(|inputs| inputs.len() <= 1) {
            return None;
        }
        let (count, is_index, asked) = self.cell_inputs(canon)?;
        let (ty, span) = (node.example.ty, node.example.span);
        let (is_set, words) = (matches!(ty, Type::Set(_)), type_len(width, ty));
        let asked = is_index.iter().all(|index| *index).then_some(asked);
        let shape = canon.shape;
        Some((KeptExpr { count, is_index, is_set, words, group: 0, shape, span, saves: 0.0 }, asked))
    }

    /// Returns how many values of an expression would be kept, which of its inputs are their indices, and how many
    /// combinations of all inputs are asked for, as an estimate.
    fn cell_inputs(&self, canon: &Canon) -> Option<(usize, Vec<bool>, f64)> {
        let model = self.model;
        let mut sizes = vec![];
        let mut asked = 1.0;
        for input in &canon.free {
            let (size, some) = match input {
                // One player acts at a time.
                FreeInput::Me => (model.players.count, 1),
                FreeInput::Local(local) => match model.locals[local.index()].ty {
                    Type::Element(domain) => match model.domains[domain.index()].size {
                        size if size > ALL_ASKED => (size, size / 4),
                        size => (size, size),
                    },
                    _ => return None,
                },
            };
            sizes.push(size as usize);
            asked *= f64::from(some);
        }
        let all = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size))?;
        if all == 0 || all > MOST_COMBINATIONS {
            return None;
        }
        if all <= MOST_VALUES {
            return Some((all, vec![true; sizes.len()], asked));
        }
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|at| sizes[*at]);
        let (mut count, mut is_index) = (1, vec![false; sizes.len()]);
        for at in order {
            if count * sizes[at] > MOST_LATEST {
                break;
            }
            count *= sizes[at];
            is_index[at] = true;
        }
        Some((count, is_index, asked))
    }
}

/// Keeps the expressions with the greatest gain for which there is room, in groups by what they read.
fn grouped(mut chosen: Vec<(u128, KeptExpr, Vec<u64>)>) -> SharePlan {
    let places: HashMap<u128, usize> = chosen.iter().enumerate().map(|(at, one)| (one.0, at)).collect();
    chosen.sort_by(|a, b| b.1.saves.total_cmp(&a.1.saves));
    let mut words = 0;
    let mut groups: Vec<Vec<u64>> = vec![];
    let mut kept = BTreeMap::new();
    for (key, mut one, slots) in chosen {
        let needed = one.count * (1 + usize::from(one.words));
        if words + needed > MOST_WORDS {
            continue;
        }
        words += needed;
        one.group = match groups.iter().position(|group| *group == slots) {
            Some(known) => known,
            None if groups.len() < MOST_GROUPS => {
                groups.push(slots);
                groups.len() - 1
            }
            // The last group takes the rest.
            None => {
                let last = groups.len() - 1;
                groups[last].iter_mut().zip(&slots).for_each(|(all, some)| *all |= some);
                last
            }
        };
        kept.insert(places[&key], (key, one));
    }
    let slots = |group: &Vec<u64>| {
        let is_read = |slot: &usize| group[slot / 64] >> (slot % 64) & 1 == 1;
        (0..group.len() * 64).filter(is_read).map(|slot| SlotId(slot as u32)).collect()
    };
    SharePlan { kept: kept.into_values().collect(), groups: groups.iter().map(slots).collect() }
}
