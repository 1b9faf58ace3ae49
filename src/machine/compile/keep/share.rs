//! Decides which values are kept from one evaluation to the next, because the rules ask for them again and again.
//!
//! Expressions that are equal up to the names of their locals are one, wherever they stand. Estimates say how often each is
//! evaluated in a decision, from the outermost inwards: what a kept value saves isn't evaluated again in its parts.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::canon::{Canon, Canons, FreeInput};
use crate::compile::layout::type_len;
use houserule_language::diagnostic::Span;
use houserule_model::constant::inputs;
use houserule_model::{CheckedBlock, CheckedExpr, CheckedStmtKind, Model, SlotId, Type, walk};

/// Maximum number of words for kept values, with their marks. Every clone of a state copies them.
const MOST_WORDS: usize = 768;

/// Maximum number of values of one expression, for different locals.
const MOST_VALUES: usize = 128;

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
    /// Number of values: one for each combination of its locals and, if it depends on it, the acting player.
    pub(in crate::compile) count: usize,
    /// Number of them that are asked for before they change, as an estimate.
    pub(in crate::compile) asked: f64,
    /// Size of a value, in words.
    pub(in crate::compile) words: u16,
    /// The group whose slots it reads.
    pub(in crate::compile) group: usize,
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
    /// By epoch: how often it is evaluated in it.
    evaluations: BTreeMap<usize, f64>,
}

/// Finds the expressions of a model, and what is evaluated when.
struct Survey<'m> {
    model: &'m Model,
    nodes: Vec<ShareNode<'m>>,
    by_key: HashMap<u128, usize>,
    /// How often in a decision each epoch comes: a time in which nothing is written that expressions read.
    epochs: Vec<f64>,
}

/// Decides what is kept. The setup comes once in a game, so nothing is kept for it.
pub(in crate::compile) fn plan<'m>(model: &'m Model, width: u16, canons: &mut Canons<'m>) -> SharePlan {
    let mut survey = Survey { model, nodes: vec![], by_key: HashMap::new(), epochs: vec![] };
    survey.block(&model.turn, 1.0, canons);
    let ends = survey.begin(1.0);
    model.ends.iter().for_each(|end| survey.root(&end.when, ends, 1.0, canons));
    let scores = survey.begin(AT_THE_END);
    let players = f64::from(model.players.count);
    model.score.iter().for_each(|item| survey.root(&item.value, scores, players, canons));
    survey.choose(width)
}

impl<'m> Survey<'m> {
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
        self.add(key, epoch, times);
    }

    fn add(&mut self, key: u128, epoch: usize, times: f64) {
        if let Some(at) = self.by_key.get(&key) {
            *self.nodes[*at].evaluations.entry(epoch).or_default() += times;
        }
    }

    /// Notes the expressions of a block that is executed `times` in a decision.
    fn block(&mut self, block: &'m CheckedBlock, times: f64, canons: &mut Canons<'m>) {
        let model = self.model;
        for stmt in &block.stmts {
            let epoch = self.begin(times);
            if let CheckedStmtKind::Choose(choice) = stmt.kind {
                for option in &model.choices[choice.index()].options {
                    let mut candidates = 1.0;
                    for binder in &option.binders {
                        self.root(&binder.over, epoch, candidates, canons);
                        candidates *= canons.elements(&binder.over);
                    }
                    if let Some(filter) = &option.filter {
                        self.learn(filter, canons);
                        let mut evaluated = vec![];
                        match option.binders.last() {
                            Some(last) => {
                                canons.evaluated_in_loop(last.local, filter, candidates, &mut evaluated)
                            }
                            None => evaluated.push((canons.describe(filter).key, 1.0)),
                        }
                        evaluated.into_iter().for_each(|(key, times)| self.add(key, epoch, times));
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
            if let Some(mut kept) = self.keepable(node, width) {
                let count = kept.asked;
                let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                    evaluations.iter().map(|(epoch, times)| self.epochs[*epoch] * f(*times)).sum()
                };
                let (all, distinct) = (sum(&|times| times), sum(&|times| times.min(count)));
                kept.saves = (all - distinct) * node.canon.cost;
                let words = (kept.count * (1 + usize::from(kept.words))) as f64;
                let least = LEAST_GAIN.max(LEAST_GAIN_OF_A_WORD * words);
                if all >= LEAST_REPEATS * distinct && kept.saves >= least {
                    evaluations.values_mut().for_each(|times| *times = times.min(count));
                    chosen.push((node.canon.key, kept, node.canon.slots.clone()));
                }
            }
            let canon = Rc::clone(&node.canon);
            for (part, times) in &canon.parts {
                for (epoch, outer) in &evaluations {
                    self.add(*part, *epoch, outer * times);
                }
            }
        }
        grouped(chosen)
    }

    /// Returns the size of what would be kept of an expression, if it can be kept.
    fn keepable(&self, node: &ShareNode<'m>, width: u16) -> Option<KeptExpr> {
        let (model, canon) = (self.model, &node.canon);
        let reads = canon.slots.iter().any(|bits| *bits != 0);
        if !canon.is_pure || !reads || canon.cost < LEAST_COST {
            return None;
        }
        // It becomes a table.
        if inputs(model, node.example).is_some_and(|inputs| inputs.len() <= 1) {
            return None;
        }
        let (mut count, mut asked) = (1usize, 1.0);
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
            count = count.checked_mul(size as usize)?;
            asked *= f64::from(some);
        }
        let (words, span) = (type_len(width, node.example.ty), node.example.span);
        (count <= MOST_VALUES && count > 0).then_some(KeptExpr {
            count,
            asked,
            words,
            group: 0,
            span,
            saves: 0.0,
        })
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
