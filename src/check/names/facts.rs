//! What tests have shown at the current place: expressions that aren't none, and sets that have an element.

use houserule_model::walk::{self, Dependence};
use houserule_model::*;
use std::collections::BTreeSet;

/// What a test shows.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// An element that isn't none, or a set that has an element.
    Some(CheckedExpr),
    /// An element that has an owner: it lies in a zone of a player, or a piece of a player stands on it.
    Owned(CheckedExpr),
    /// A test that has an error, or that can't come out like this: it may show anything.
    Anything,
}

impl Fact {
    /// The expression that the fact is about.
    fn expr(&self) -> Option<&CheckedExpr> {
        match self {
            Fact::Some(of) | Fact::Owned(of) => Some(of),
            Fact::Anything => None,
        }
    }

    /// The same about another element: `to` stands where `local` stood.
    pub(crate) fn about(&self, local: LocalId, to: &CheckedExpr) -> Fact {
        match self {
            Fact::Some(of) => Fact::Some(replaced(of, local, to)),
            Fact::Owned(of) => Fact::Owned(replaced(of, local, to)),
            Fact::Anything => Fact::Anything,
        }
    }
}

/// A copy of an expression in which another stands for a local.
fn replaced(e: &CheckedExpr, local: LocalId, by: &CheckedExpr) -> CheckedExpr {
    fn replace(e: &mut CheckedExpr, local: LocalId, by: &CheckedExpr) {
        match &mut e.kind {
            CheckedExprKind::Local(own) if *own == local => *e = by.clone(),
            kind => walk::children_mut(kind, &mut |part| replace(part, local, by)),
        }
    }
    let mut copy = e.clone();
    replace(&mut copy, local, by);
    copy
}

/// What statements may change.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The slots that they assign.
    pub(crate) slots: BTreeSet<SlotId>,
    /// The locals that they assign.
    pub(crate) locals: BTreeSet<LocalId>,
    /// The local among these that gets a value that isn't none.
    pub(crate) given: Option<LocalId>,
    /// They move, put, remove, roll or reveal something: all slots but variables may change.
    pub(crate) equipment: bool,
    /// They give the turn to another player.
    pub(crate) turns: bool,
    /// They may change all slots, as a script does.
    pub(crate) everything: bool,
}

impl Changes {
    /// Do they change something that has this role?
    fn covers(&self, role: Role) -> bool {
        match role {
            Role::Variable => self.everything,
            Role::Builtin(_) => self.everything || self.turns,
            _ => self.everything || self.equipment,
        }
    }
}

/// A fact that holds here, and what could end it.
#[derive(Debug)]
struct KnownFact {
    fact: Fact,
    slots: BTreeSet<SlotId>,
    locals: BTreeSet<LocalId>,
    /// The acting player, if the fact is about `me`: number of [`KnownFacts::let_another_act`].
    acting: Option<u32>,
}

impl KnownFact {
    /// Returns `None` for a fact that can't be followed: about earlier positions, scripts or trials.
    fn new(fact: Fact, now_acting: u32) -> Option<KnownFact> {
        let mut known = KnownFact { fact, slots: BTreeSet::new(), locals: BTreeSet::new(), acting: None };
        let mut plain = true;
        let KnownFact { fact, slots, locals, acting } = &mut known;
        let Some(of) = fact.expr() else { return Some(known) };
        walk::expr(of, &mut |e| {
            if let CheckedExprKind::Local(local) = e.kind {
                locals.insert(local);
            }
            match walk::dependence(e) {
                Dependence::None | Dependence::Local => {}
                Dependence::Me | Dependence::OtherMe => *acting = Some(now_acting),
                Dependence::Slot(target) => {
                    slots.insert(target.slot);
                }
                Dependence::Past | Dependence::Script | Dependence::Trial => plain = false,
            }
        });
        plain.then_some(known)
    }

    fn lasts(&self, model: &Model, changes: &Changes) -> bool {
        if let (Fact::Some(of), Some(given)) = (&self.fact, changes.given)
            && matches!(core(of).kind, CheckedExprKind::Local(local) if local == given)
        {
            return true;
        }
        let changed = |slot: &SlotId| changes.covers(model.slots[slot.index()].role);
        let moved = matches!(self.fact, Fact::Owned(_)) && (changes.equipment || changes.everything);
        !moved
            && self.locals.is_disjoint(&changes.locals)
            && self.slots.is_disjoint(&changes.slots)
            && !self.slots.iter().any(changed)
    }
}

/// What is known in each of the blocks around the current place.
#[derive(Debug)]
pub(crate) struct KnownFacts {
    levels: Vec<Vec<KnownFact>>,
    /// The acting player at the current place.
    acting: u32,
    last_acting: u32,
}

impl Default for KnownFacts {
    fn default() -> Self {
        KnownFacts { levels: vec![vec![]], acting: 0, last_acting: 0 }
    }
}

impl KnownFacts {
    /// Enters a block.
    pub(super) fn enter(&mut self) {
        self.levels.push(vec![]);
    }

    /// Leaves a block with its facts.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Lets another player act. Returns the one before, for [`Self::return_to`].
    pub(crate) fn let_another_act(&mut self) -> u32 {
        self.last_acting += 1;
        std::mem::replace(&mut self.acting, self.last_acting)
    }

    /// Lets the player act who acted before.
    pub(crate) fn return_to(&mut self, before: u32) {
        self.acting = before;
    }

    /// Adds facts up to the end of this block.
    pub(crate) fn learn(&mut self, facts: impl IntoIterator<Item = Fact>) {
        let acting = self.acting;
        if let Some(level) = self.levels.last_mut() {
            level.extend(facts.into_iter().filter_map(|fact| KnownFact::new(fact, acting)));
        }
    }

    /// Drops the facts that may no longer hold after some changes.
    pub(crate) fn forget(&mut self, model: &Model, changes: &Changes) {
        self.levels.iter_mut().for_each(|level| level.retain(|known| known.lasts(model, changes)));
    }

    fn here(&self) -> impl Iterator<Item = &Fact> {
        let known = self.levels.iter().flatten().rev();
        known.filter(|known| known.acting.is_none_or(|acting| acting == self.acting)).map(|known| &known.fact)
    }

    /// Returns `true` if an element isn't none here, or a set has an element.
    pub(crate) fn knows(&self, model: &Model, wanted: &CheckedExpr) -> bool {
        let wanted = core(wanted);
        match &wanted.kind {
            CheckedExprKind::Constant(Value::Set(set)) => return !set.is_empty(),
            CheckedExprKind::Constant(Value::Element(element)) => return element.is_some(),
            _ => {}
        }
        let mut facts = self.here();
        facts.any(|fact| match fact {
            Fact::Some(known) => shows(model, known, wanted),
            Fact::Owned(_) => false,
            Fact::Anything => true,
        }) || match &wanted.kind {
            CheckedExprKind::Union(a, b) => self.knows(model, a) || self.knows(model, b),
            CheckedExprKind::Elements(list) => list.iter().any(|one| self.knows(model, one)),
            CheckedExprKind::If(_, a, b) => self.knows(model, a) && self.knows(model, b),
            _ => false,
        }
    }

    /// Returns `true` if an element has an owner here.
    pub(crate) fn knows_owner(&self, wanted: &CheckedExpr) -> bool {
        self.here().any(|fact| match fact {
            Fact::Owned(known) => is_equal(known, wanted),
            Fact::Some(_) => false,
            Fact::Anything => true,
        })
    }
}

/// The set that has an element if and only if an expression is some, or the element that is some.
fn core(e: &CheckedExpr) -> &CheckedExpr {
    use houserule_language::syntax::Quantifier;
    match &e.kind {
        CheckedExprKind::Elements(list) if list.len() == 1 => core(&list[0]),
        CheckedExprKind::First(set) | CheckedExprKind::Last(set) => core(set),
        CheckedExprKind::After { among: Some(set), .. } => core(set),
        CheckedExprKind::Quantified { op: Quantifier::Best | Quantifier::AllBest, over, .. } => core(over),
        _ => e,
    }
}

/// Does it follow from an expression that is some that another is?
fn shows(model: &Model, known: &CheckedExpr, wanted: &CheckedExpr) -> bool {
    let known = core(known);
    if is_equal(known, wanted) {
        return true;
    }
    match &known.kind {
        CheckedExprKind::Intersect(a, b) => shows(model, a, wanted) || shows(model, b, wanted),
        CheckedExprKind::Minus(of, _) | CheckedExprKind::Filter { over: of, .. } => shows(model, of, wanted),
        // What has a field is an element, and it has all other fields of the elements that have this one.
        CheckedExprKind::Field(table, of) => {
            let values = |table: &TableId| model.tables[table.index()].values.iter();
            let same_element = match &wanted.kind {
                CheckedExprKind::Field(other, element) => {
                    is_equal(of, element)
                        && values(table).zip(values(other)).all(|(known, wanted)| *known < 0 || *wanted >= 0)
                }
                _ => false,
            };
            same_element || shows(model, of, wanted)
        }
        _ => false,
    }
}
