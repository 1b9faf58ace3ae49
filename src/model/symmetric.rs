//! Dice whose order no rule reads: if two of them change places, every condition, number and set of the rules stays the
//! same. An exact computation may sort them to find fewer states.
//!
//! An expression is compared with itself after two dice have changed places. Both are written in a normal form, in which
//! the order of terms of a sum, and of other operands that may be exchanged, doesn't count. Uncertain cases are left out.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    Arithmetic, CheckedBinder, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmt,
    CheckedStmtKind, ComparisonOperator, DomainId, LocalId, MatchLength, Model, Role, SlotId, Target, Type,
    Value, Visibility, walk,
};
use houserule_language::syntax::Quantifier;

/// Returns the dice whose order no rule reads.
pub fn symmetric_dice(model: &Model) -> Vec<SlotId> {
    // A script may read any dice at any time.
    if !model.hooks.is_empty() {
        return vec![];
    }
    (0..model.slots.len() as u32).map(SlotId).filter(|slot| is_symmetric(model, *slot)).collect()
}

fn is_symmetric(model: &Model, slot: SlotId) -> bool {
    let dice = &model.slots[slot.index()];
    let Role::Dice { count, .. } = dice.role else { return false };
    let (Some(domain), true) = (dice.index.last(), matches!(dice.visibility, Visibility::All)) else {
        return false;
    };
    if count < 2 {
        return false;
    }
    let mut forms =
        Forms { slot, domain: *domain, dice: BTreeSet::new(), bound: BTreeSet::new(), is_uncertain: false };
    let order: Vec<u32> = (0..count).collect();
    // The first pass only finds the locals that stand for dice.
    forms.of_model(model, &order);
    forms.is_uncertain = false;
    let usual = forms.of_model(model, &order);
    let is_known = |forms: &Forms| !forms.is_uncertain && forms.dice.is_subset(&forms.bound);
    is_known(&forms)
        && (1..count as usize).all(|die| {
            let mut swapped = order.clone();
            swapped.swap(die - 1, die);
            forms.of_model(model, &swapped) == usual && is_known(&forms)
        })
}

/// Normal forms of expressions, as hashes.
struct Forms {
    slot: SlotId,
    domain: DomainId,
    /// Locals that stand for dice or sets of dice.
    dice: BTreeSet<LocalId>,
    /// Those of them that a quantifier, a filter or an option binds.
    bound: BTreeSet<LocalId>,
    /// Some expression has no normal form here.
    is_uncertain: bool,
}

/// Returns the hash of some values.
fn hashed(values: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}

/// Returns the hash of values of which the order doesn't count.
fn unordered(name: &str, mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    hashed((name, values))
}

impl Forms {
    /// Returns the normal forms of all expressions of a model, each die named by its place in `order`.
    fn of_model(&mut self, model: &Model, order: &[u32]) -> Vec<u64> {
        let mut forms = vec![];
        for block in walk::all_blocks(model) {
            walk::stmts(model, block, &mut |stmt| match &stmt.kind {
                CheckedStmtKind::Choose(choice) => {
                    for option in &model.choices[choice.index()].options {
                        option.binders.iter().for_each(|binder| forms.push(self.binder(binder, order)));
                        self.is_uncertain |= self.is_named_later(model, option);
                        let conditions = option.filter.iter().chain(&option.ensuring);
                        conditions.for_each(|condition| forms.push(self.value(condition, order)));
                    }
                }
                CheckedStmtKind::Roll { dice, among } if dice.slot == self.slot => {
                    dice.index.iter().for_each(|e| forms.push(self.value(e, order)));
                    among.iter().for_each(|among| forms.push(self.set(among, order)));
                }
                kind => {
                    self.is_uncertain |=
                        matches!(kind, CheckedStmtKind::Assign { target, .. } if target.slot == self.slot);
                    for e in walk::own_exprs(model, stmt) {
                        forms.push(self.value(e, order));
                    }
                }
            });
        }
        let results = model.ends.iter().filter_map(|end| match &end.result {
            Some(CheckedEndResult::Win(player) | CheckedEndResult::Lose(player)) => Some(player),
            _ => None,
        });
        let until = model.match_rules.as_ref().and_then(|rules| match &rules.length {
            MatchLength::Until(until) => Some(until),
            _ => None,
        });
        let read = model.ends.iter().map(|end| &end.when).chain(results);
        let read = read.chain(model.score.iter().map(|item| &item.value));
        let read = read.chain(model.winner.iter().map(|rank| &rank.value));
        let read = read.chain(model.payoff.iter().map(|payoff| &payoff.value)).chain(&model.measures);
        let read = read.chain(model.playing.iter().flat_map(|playing| [&playing.mover, &playing.next]));
        read.chain(until).for_each(|e| forms.push(self.value(e, order)));
        forms
    }

    /// Returns `true` if the rules may read which dice an option binds after the game has stopped again. Sorted dice are
    /// others then.
    fn is_named_later(&self, model: &Model, option: &CheckedOption) -> bool {
        let bound = option.binders.iter().map(|binder| binder.local);
        let bound: Vec<LocalId> = bound.filter(|local| self.dice.contains(local)).collect();
        let names = |stmt: &CheckedStmt| {
            let mut found = false;
            let mut look = |e: &CheckedExpr| {
                found |= matches!(&e.kind, CheckedExprKind::Local(local) if bound.contains(local));
            };
            let mut own = |stmt: &CheckedStmt| {
                walk::own_exprs(model, stmt).into_iter().for_each(|e| walk::expr(e, &mut |e| look(e)));
            };
            own(stmt);
            walk::blocks(model, stmt)
                .into_iter()
                .for_each(|block| walk::stmts(model, block, &mut |stmt| own(stmt)));
            found
        };
        let mut stopped = false;
        option.body.stmts.iter().any(|stmt| {
            let stops = walk::suspends(model, std::slice::from_ref(stmt));
            let rolls = matches!(&stmt.kind, CheckedStmtKind::Roll { dice, .. } if dice.slot == self.slot);
            let later = names(stmt) && (stopped || stops && !rolls);
            stopped |= stops;
            later
        })
    }

    fn binder(&mut self, binder: &CheckedBinder, order: &[u32]) -> u64 {
        if self.dice.contains(&binder.local) {
            self.bound.insert(binder.local);
            return self.set(&binder.over, order);
        }
        self.value(&binder.over, order)
    }

    /// Returns `true` if an expression depends on the dice.
    fn reads(&self, e: &CheckedExpr) -> bool {
        let mut found = false;
        walk::expr(e, &mut |part| {
            found |= match &part.kind {
                CheckedExprKind::Read(target) => target.slot == self.slot,
                CheckedExprKind::Local(local) => self.dice.contains(local),
                CheckedExprKind::Tried { .. } | CheckedExprKind::Chain(_) => true,
                _ => false,
            };
        });
        found
    }

    fn uncertain(&mut self) -> u64 {
        self.is_uncertain = true;
        0
    }

    /// Returns the form of a die: a constant or a local.
    fn die(&mut self, e: &CheckedExpr, order: &[u32]) -> u64 {
        match &e.kind {
            CheckedExprKind::Constant(Value::Element(Some(die))) => {
                order.get(*die as usize).map_or(0, |die| hashed(("die", die)))
            }
            CheckedExprKind::Local(local) => {
                self.dice.insert(*local);
                hashed(("die local", local))
            }
            _ => self.uncertain(),
        }
    }

    /// Returns the form of a set of dice.
    fn set(&mut self, e: &CheckedExpr, order: &[u32]) -> u64 {
        match &e.kind {
            CheckedExprKind::Constant(Value::Set(dice)) => unordered(
                "dice",
                dice.iter().map(|die| order.get(die as usize).copied().unwrap_or(die).into()).collect(),
            ),
            CheckedExprKind::Local(local) => {
                self.dice.insert(*local);
                hashed(("dice local", local))
            }
            CheckedExprKind::Elements(dice) => {
                unordered("dice of", dice.iter().map(|die| self.die(die, order)).collect())
            }
            CheckedExprKind::Minus(a, b) => hashed(("minus", self.set(a, order), self.set(b, order))),
            CheckedExprKind::Union(a, b) => unordered("union", vec![self.set(a, order), self.set(b, order)]),
            CheckedExprKind::Intersect(a, b) => {
                unordered("intersect", vec![self.set(a, order), self.set(b, order)])
            }
            CheckedExprKind::Filter { local, over, condition } => {
                self.dice.insert(*local);
                self.bound.insert(*local);
                hashed(("filter", local, self.set(over, order), self.value(condition, order)))
            }
            CheckedExprKind::If(condition, then, otherwise) => hashed((
                "if",
                self.value(condition, order),
                self.set(then, order),
                self.set(otherwise, order),
            )),
            _ => self.uncertain(),
        }
    }

    /// Returns `true` for a set of these dice.
    fn is_of_dice(&self, e: &CheckedExpr) -> bool {
        e.ty == Type::Set(self.domain) && self.reads(e)
    }

    /// Returns the form of any other expression.
    fn value(&mut self, e: &CheckedExpr, order: &[u32]) -> u64 {
        use CheckedExprKind as K;
        let binds = matches!(&e.kind, K::Quantified { local, .. } if self.dice.contains(local));
        if !binds && !self.reads(e) {
            return hashed(format!("{:?}", e.kind));
        }
        match &e.kind {
            K::Read(Target { slot, index }) if *slot == self.slot => match index.split_last() {
                Some((die, rest)) => {
                    let rest: Vec<u64> = rest.iter().map(|e| self.value(e, order)).collect();
                    hashed(("read", rest, self.die(die, order)))
                }
                None => self.uncertain(),
            },
            K::Read(Target { slot, index }) => {
                let index: Vec<u64> = index.iter().map(|e| self.value(e, order)).collect();
                hashed(("slot", slot, index))
            }
            K::Arithmetic(op @ (Arithmetic::Subtract | Arithmetic::Divide | Arithmetic::Modulo), a, b) => {
                hashed((op, self.value(a, order), self.value(b, order)))
            }
            K::Arithmetic(op, ..) => {
                let parts = terms(e, &|e| match &e.kind {
                    K::Arithmetic(of, a, b) if of == op => Some((a, b)),
                    _ => None,
                });
                let parts = parts.into_iter().map(|part| self.value(part, order)).collect();
                unordered(&format!("{op:?}"), parts)
            }
            K::Or(..) => {
                let parts = terms(e, &|e| if let K::Or(a, b) = &e.kind { Some((a, b)) } else { None });
                unordered("or", parts.into_iter().map(|part| self.value(part, order)).collect())
            }
            K::And(..) => self.all_of(e, order),
            K::Compare(ComparisonOperator::Equal, a, b) => {
                unordered("equal", vec![self.value(a, order), self.value(b, order)])
            }
            K::Compare(op, a, b) => hashed(("compare", op, self.value(a, order), self.value(b, order))),
            K::Same(a, b) => unordered("same", vec![self.value(a, order), self.value(b, order)]),
            K::Not(a) => hashed(("not", self.value(a, order))),
            K::Negate(a) => hashed(("negate", self.value(a, order))),
            K::If(condition, then, otherwise) => hashed((
                "if",
                self.value(condition, order),
                self.value(then, order),
                self.value(otherwise, order),
            )),
            K::Table(table, index) => {
                let index: Vec<u64> = index.iter().map(|e| self.value(e, order)).collect();
                hashed(("table", table, index))
            }
            K::ElementOf(a) if e.ty != Type::Element(self.domain) => {
                hashed(("element of", format!("{:?}", e.ty), self.value(a, order)))
            }
            K::ValueOf(a) => hashed(("value of", self.value(a, order))),
            K::IsSome(a) if self.is_of_dice(a) => hashed(("some", self.set(a, order))),
            K::Count(a) if self.is_of_dice(a) => hashed(("count", self.set(a, order))),
            K::IsSome(a) => hashed(("is some", self.value(a, order))),
            K::Count(a) => hashed(("count of", self.value(a, order))),
            K::Elements(list) if e.ty != Type::Set(self.domain) => {
                unordered("elements", list.iter().map(|e| self.value(e, order)).collect())
            }
            K::Contains { set, element } if set.ty != Type::Set(self.domain) => {
                hashed(("contains", self.value(set, order), self.value(element, order)))
            }
            K::Contains { set, element } => {
                hashed(("contains die", self.set(set, order), self.die(element, order)))
            }
            K::Filter { local, over, condition } if e.ty != Type::Set(self.domain) => {
                hashed(("where", local, self.value(over, order), self.value(condition, order)))
            }
            K::Quantified { op, local, over, body } => {
                let is_die = self.dice.contains(local);
                let over = if is_die {
                    self.bound.insert(*local);
                    self.set(over, order)
                } else {
                    self.value(over, order)
                };
                let commutes = matches!(
                    op,
                    Quantifier::Any
                        | Quantifier::All
                        | Quantifier::Count
                        | Quantifier::Sum
                        | Quantifier::Min
                        | Quantifier::Max
                );
                match commutes || !is_die {
                    true => hashed(("quantified", format!("{op:?}"), local, over, self.value(body, order))),
                    false => self.uncertain(),
                }
            }
            _ => self.uncertain(),
        }
    }

    /// Returns the form of conditions that all hold. Dice that are equal in one of them are the same in the others.
    fn all_of(&mut self, e: &CheckedExpr, order: &[u32]) -> u64 {
        use CheckedExprKind as K;
        let parts = terms(e, &|e| if let K::And(a, b) = &e.kind { Some((a, b)) } else { None });
        let lone_die = |e: &CheckedExpr| match &e.kind {
            K::Read(Target { slot, index }) if *slot == self.slot && index.len() == 1 => {
                match index[0].kind {
                    K::Constant(Value::Element(Some(die))) => order.get(die as usize).copied(),
                    _ => None,
                }
            }
            _ => None,
        };
        let equal = |part: &CheckedExpr| match &part.kind {
            K::Compare(ComparisonOperator::Equal, a, b) => lone_die(a).zip(lone_die(b)),
            _ => None,
        };
        let mut first: Vec<u32> = (0..order.len() as u32).collect();
        for (a, b) in parts.iter().filter_map(|part| equal(part)) {
            let (a, b) = (first[a as usize], first[b as usize]);
            first.iter_mut().filter(|of| **of == a.max(b)).for_each(|of| *of = a.min(b));
        }
        let rest: Vec<&CheckedExpr> = parts.iter().copied().filter(|part| equal(part).is_none()).collect();
        let renamed: Vec<u32> = order.iter().map(|die| first[*die as usize]).collect();
        let mut forms: Vec<u64> = rest.into_iter().map(|part| self.value(part, &renamed)).collect();
        forms.push(hashed(("equal dice", first)));
        forms.sort_unstable();
        forms.dedup();
        unordered("and", forms)
    }
}

/// Returns the operands of nested operations of one kind, of which `of` returns both.
fn terms<'e>(
    e: &'e CheckedExpr,
    of: &dyn Fn(&'e CheckedExpr) -> Option<(&'e Box<CheckedExpr>, &'e Box<CheckedExpr>)>,
) -> Vec<&'e CheckedExpr> {
    match of(e) {
        Some((a, b)) => [terms(a, of), terms(b, of)].concat(),
        None => vec![e],
    }
}
