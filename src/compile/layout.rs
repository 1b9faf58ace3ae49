//! Where everything lies in the frame: what a turn clears, what a round clears, what stays, what is
//! derived, and then temporaries.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{CompileError, walk};
use crate::hook::MOST_DRAWS;
use crate::lang::model::{
    Block, Builtin, Content, Expr, ExprKind, Life, LocalId, Model, Role, SlotId, Stmt, StmtKind, Type, Value,
    value_len, value_words,
};
use crate::program::{HEADER_WORDS, Span16, WIDTHS};

/// Maximum number of outcomes of a roll that is drawn as one number and that tables are made for. Of a larger
/// one each die is drawn, in one event all the same.
pub const JOINT_OUTCOMES: u64 = 10_000;

/// The frame's map.
#[derive(Debug)]
pub(super) struct Layout {
    /// Words of a set.
    pub(super) width: u16,
    /// The first word of each slot; none if the program does not keep it.
    pub(super) slots: Vec<Option<u16>>,
    /// Where a dice slot's whole outcome is kept, for each of its families.
    pub(super) outcomes: Vec<Option<u16>>,
    /// The words of locals that live over a decision or a chance event.
    pub(super) locals: Vec<Option<u16>>,
    /// For loops that live over a decision or a chance event: what is left, and where it is.
    pub(super) loops: HashMap<LocalId, (u16, u16)>,
    /// For `as` blocks that live over one: who acts. By the statement's address in the model.
    pub(super) acting: HashMap<usize, u16>,
    /// For dice rolled one by one: which of them the roll is about. By the statement's address.
    pub(super) rolls: HashMap<usize, u16>,
    /// For `chance … given`: whether its draws are made one for all, and behind it what goes back. By the
    /// statement's address.
    pub(super) given: HashMap<usize, Span16>,
    /// What has come out in the script that is being called: how much, how many outcomes the next event
    /// has, and each.
    pub(super) draws: Option<u16>,
    /// What a new turn resets.
    pub(super) turn: Span16,
    /// What a new round resets.
    pub(super) round: Span16,
    /// The persistent words.
    pub(super) persistent: u16,
    /// The legal set.
    pub(super) region: u16,
    /// Persistent and derived words.
    pub(super) live: u16,
    /// The live words at the start.
    pub(super) initial: Vec<u64>,
}

/// How many values a slot holds.
pub(super) fn family_size(model: &Model, slot: SlotId) -> usize {
    model.slots[slot.index()].index.iter().map(|d| model.domains[d.index()].size as usize).product()
}

/// Words of all of a slot's values.
pub(super) fn slot_len(width: u16, model: &Model, slot: SlotId) -> usize {
    family_size(model, slot) * usize::from(value_len(width, model.slots[slot.index()].content))
}

/// Words of a local.
pub(super) fn local_len(width: u16, model: &Model, local: LocalId) -> u16 {
    type_len(width, model.locals[local.index()].ty)
}

/// Words of a value of a type.
pub(super) fn type_len(width: u16, ty: Type) -> u16 {
    if matches!(ty, Type::Set(_)) { width } else { 1 }
}

/// Do the rules of this model need to know when a round ends?
pub(super) fn has_rounds(model: &Model, used: &BTreeSet<SlotId>) -> bool {
    model.rounds
        || used.contains(&Builtin::Round.slot())
        || model.ends.iter().any(|e| e.timing == crate::lang::syntax::EndTiming::Round)
        || model.slots.iter().any(|s| s.life == Life::Round)
}

/// Slots that an expression or statement of the model names.
pub(super) fn used_slots(model: &Model) -> BTreeSet<SlotId> {
    let mut used = BTreeSet::new();
    walk::all_exprs(model, &mut |e| {
        if let ExprKind::Read(target) = &e.kind {
            used.insert(target.slot);
        }
    });
    for block in [&model.setup, &model.turn] {
        used.extend(walk::writes(model, block));
    }
    // A script may read all of them.
    if !model.hooks.is_empty() {
        used.extend((0..model.slots.len() as u32).map(SlotId));
    }
    used
}

impl Layout {
    pub(super) fn new(
        model: &Model,
        region_words: usize,
        partial: &HashSet<SlotId>,
    ) -> Result<Layout, CompileError> {
        let used = used_slots(model);
        let width = set_width(model)?;
        let rounds = has_rounds(model, &used);
        let mut layout = Layout {
            width,
            slots: vec![None; model.slots.len()],
            outcomes: vec![None; model.slots.len()],
            locals: vec![None; model.locals.len()],
            loops: HashMap::new(),
            acting: HashMap::new(),
            rolls: HashMap::new(),
            given: HashMap::new(),
            draws: None,
            turn: Span16 { at: 0, len: 0 },
            round: Span16 { at: 0, len: 0 },
            persistent: 0,
            region: 0,
            live: 0,
            initial: vec![0; usize::from(HEADER_WORDS)],
        };
        let keep = |id: SlotId| match model.slots[id.index()].role {
            Role::Builtin(Builtin::Mover) => true,
            Role::Builtin(Builtin::Starter) => rounds || used.contains(&id),
            Role::Builtin(Builtin::ToCome) => model.rounds,
            Role::Builtin(_) => used.contains(&id),
            Role::Empty(_) => false,
            _ => true,
        };
        let slots = || (0..model.slots.len() as u32).map(SlotId);
        let at = layout.next()?;
        for id in slots().filter(|id| keep(*id) && model.slots[id.index()].life == Life::Turn) {
            layout.slot(model, id, partial)?;
        }
        // In rules with rounds, what the turns of a round keep; all else is kept for the round.
        let all = Lasting::of(model, [&model.setup, &model.turn]);
        let inner = if model.rounds { Lasting::of(model, turns(model)) } else { all.clone() };
        layout.keep(model, &inner)?;
        for (stmt, words) in given(model, width) {
            let at = layout.next()?;
            layout.initial.extend(vec![0; words]);
            layout.given.insert(stmt, Span16 { at, len: layout.next()? - at });
        }
        layout.turn = Span16 { at, len: layout.next()? - at };
        let at = layout.next()?;
        for id in slots().filter(|id| keep(*id) && model.slots[id.index()].life == Life::Round) {
            layout.slot(model, id, partial)?;
        }
        layout.keep(model, &all.without(&inner))?;
        layout.round = Span16 { at, len: layout.next()? - at };
        for id in slots().filter(|id| keep(*id) && layout.slots[id.index()].is_none()).collect::<Vec<_>>() {
            layout.slot(model, id, partial)?;
        }
        if model.hooks.iter().any(|hook| hook.draws) {
            layout.draws = Some(layout.words(2 + MOST_DRAWS)?);
        }
        layout.persistent = layout.next()?;
        for id in slots().filter(|id| matches!(model.slots[id.index()].role, Role::Empty(_))) {
            layout.slot(model, id, partial)?;
        }
        layout.region = layout.next()?;
        layout.initial.extend(vec![0; region_words.max(usize::from(width))]);
        layout.live = layout.next()?;
        Ok(layout)
    }

    /// Words for what lives over a decision or a chance event.
    fn keep(&mut self, model: &Model, lasting: &Lasting) -> Result<(), CompileError> {
        let width = usize::from(self.width);
        for local in &lasting.locals {
            self.locals[local.index()] = Some(self.words(local_len(self.width, model, *local).into())?);
        }
        for local in &lasting.loops {
            let words = (self.words(width)?, self.words(1)?);
            self.loops.insert(*local, words);
        }
        for stmt in &lasting.acts {
            let at = self.words(1)?;
            self.acting.insert(*stmt, at);
        }
        for stmt in &lasting.rolls {
            let at = self.words(width)?;
            self.rolls.insert(*stmt, at);
        }
        Ok(())
    }

    /// So many words that begin as 0: the first of them.
    fn words(&mut self, count: usize) -> Result<u16, CompileError> {
        let at = self.next()?;
        self.initial.extend(vec![0; count]);
        Ok(at)
    }

    /// The first word of what statements change; none if the program does not keep it.
    pub(super) fn place(&self, what: Changed) -> Option<u16> {
        match what {
            Changed::Slot(slot) => self.slots[slot.index()],
            Changed::Local(local) => self.locals[local.index()],
        }
    }

    fn next(&self) -> Result<u16, CompileError> {
        u16::try_from(self.initial.len()).map_err(|_| CompileError::state(self.initial.len()))
    }

    fn slot(&mut self, model: &Model, id: SlotId, partial: &HashSet<SlotId>) -> Result<(), CompileError> {
        let slot = &model.slots[id.index()];
        self.slots[id.index()] = Some(self.next()?);
        for value in &slot.initial {
            self.initial.extend(value_words(self.width, value));
        }
        // The face of a lone die is its outcome.
        if dice_count(model, id) > 1
            && !partial.contains(&id)
            && let Some(outcomes) = joint_outcomes(model, id)
        {
            self.outcomes[id.index()] = Some(self.next()?);
            let families = family_size(model, id) / dice_count(model, id).max(1);
            self.initial.extend(vec![outcomes; families]);
        }
        Ok(())
    }
}

/// How many dice a dice slot has.
pub(super) fn dice_count(model: &Model, id: SlotId) -> usize {
    if let Role::Dice { count, .. } = model.slots[id.index()].role { count as usize } else { 0 }
}

/// The outcomes of a roll, if it is drawn as one number.
pub(super) fn joint_outcomes(model: &Model, id: SlotId) -> Option<u64> {
    roll_outcomes(model, id).filter(|n| *n <= JOINT_OUTCOMES)
}

/// The outcomes of a roll, if 64 bits number them: it is one event then.
pub(super) fn roll_outcomes(model: &Model, id: SlotId) -> Option<u64> {
    let Role::Dice { count, faces, .. } = model.slots[id.index()].role else { return None };
    u64::from(faces).checked_pow(count)
}

/// The least executor width that holds every set of the model.
fn set_width(model: &Model) -> Result<u16, CompileError> {
    let mut largest = 1;
    let mut see = |ty: Type| {
        if let Type::Set(d) = ty {
            largest = largest.max(model.domains[d.index()].size);
        }
    };
    walk::all_exprs(model, &mut |e| see(e.ty));
    model.locals.iter().for_each(|l| see(l.ty));
    for slot in &model.slots {
        if let Content::Set(d) = slot.content {
            see(Type::Set(d));
        }
    }
    let words = largest.div_ceil(64);
    WIDTHS.into_iter().find(|w| u32::from(*w) >= words).ok_or(CompileError::TooLarge {
        what: "elements of a domain",
        limit: 4096,
        wanted: largest as usize,
    })
}

/// Locals that are still wanted after a decision or a chance event.
fn lasting_locals(model: &Model, block: &Block, found: &mut BTreeSet<LocalId>) {
    let last = block.stmts.iter().rposition(|stmt| walk::suspends(model, std::slice::from_ref(stmt)));
    for (i, stmt) in block.stmts.iter().enumerate() {
        let rest = || last.is_some_and(|last| last > i);
        match &stmt.kind {
            StmtKind::Let { local, .. } | StmtKind::Pick { local, .. } if rest() => {
                found.insert(*local);
            }
            StmtKind::For { local, body, .. } if walk::suspends(model, &body.stmts) => {
                found.insert(*local);
            }
            StmtKind::Choose(choice) => {
                for option in &model.choices[choice.index()].options {
                    if walk::suspends(model, &option.body.stmts) {
                        found.extend(option.binders.iter().map(|b| b.local));
                    }
                }
            }
            _ => {}
        }
        for inner in walk::blocks(model, stmt) {
            lasting_locals(model, inner, found);
        }
    }
}

/// What lives over a decision or a chance event, in the order of the rules.
#[derive(Clone, Debug, Default)]
struct Lasting {
    /// Locals that are still wanted afterwards.
    locals: BTreeSet<LocalId>,
    /// Loops: each keeps what is left and where it is.
    loops: Vec<LocalId>,
    /// `as` blocks: each keeps who acts.
    acts: Vec<usize>,
    /// Rolls of some of the dice, one by one: which ones is settled before the first falls.
    rolls: Vec<usize>,
}

impl Lasting {
    fn of<'m>(model: &'m Model, blocks: impl IntoIterator<Item = &'m Block>) -> Lasting {
        let mut found = Lasting::default();
        for block in blocks {
            lasting_locals(model, block, &mut found.locals);
            walk::stmts(model, block, &mut |stmt| match &stmt.kind {
                StmtKind::For { local, body, .. } if walk::suspends(model, &body.stmts) => {
                    found.loops.push(*local);
                }
                StmtKind::As { body, .. } if walk::suspends(model, &body.stmts) => {
                    found.acts.push(address(stmt));
                }
                StmtKind::Roll { dice, among: Some(_) } if roll_outcomes(model, dice.slot).is_none() => {
                    found.rolls.push(address(stmt));
                }
                _ => {}
            });
        }
        found
    }

    /// What is not in another.
    fn without(mut self, other: &Lasting) -> Lasting {
        self.locals.retain(|local| !other.locals.contains(local));
        self.loops.retain(|local| !other.loops.contains(local));
        self.acts.retain(|stmt| !other.acts.contains(stmt));
        self.rolls.retain(|stmt| !other.rolls.contains(stmt));
        self
    }
}

/// The turns of a round.
fn turns(model: &Model) -> Vec<&Block> {
    let mut found = vec![];
    walk::stmts(model, &model.turn, &mut |stmt| {
        if let StmtKind::Turns { body, .. } = &stmt.kind {
            found.push(body);
        }
    });
    found
}

/// `chance … given`, each with the words that it takes: one, and those that its body may change.
fn given(model: &Model, width: u16) -> Vec<(usize, usize)> {
    let mut found = vec![];
    for block in [&model.setup, &model.turn] {
        walk::stmts(model, block, &mut |stmt| {
            if let StmtKind::Chance { body, .. } = &stmt.kind {
                let words = 1 + changed(model, body).map(|what| what.words(model, width)).sum::<usize>();
                found.push((address(stmt), words));
            }
        });
    }
    found
}

/// What statements change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Changed {
    /// The values of a slot.
    Slot(SlotId),
    /// A local from outside of them.
    Local(LocalId),
}

impl Changed {
    /// How many words that is.
    pub(super) fn words(self, model: &Model, width: u16) -> usize {
        match self {
            Changed::Slot(slot) => slot_len(width, model, slot),
            Changed::Local(local) => local_len(width, model, local).into(),
        }
    }
}

/// What a block may change, each once.
pub(super) fn changed(model: &Model, block: &Block) -> impl Iterator<Item = Changed> {
    let mut locals = BTreeSet::new();
    walk::stmts(model, block, &mut |stmt| {
        if let StmtKind::SetLocal { local, .. } = &stmt.kind {
            locals.insert(*local);
        }
    });
    let slots = walk::writes(model, block).into_iter().map(Changed::Slot);
    slots.chain(locals.into_iter().map(Changed::Local))
}

/// A statement's identity while a model is compiled.
pub(super) fn address(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt) as usize
}

/// Is an expression one that never gives none?
pub(super) fn never_none(model: &Model, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Me => true,
        ExprKind::Constant(Value::Element(e)) => e.is_some(),
        ExprKind::After { among: None, .. } => true,
        ExprKind::Read(target) => {
            matches!(model.slots[target.slot.index()].content, Content::Element { optional: false, .. })
        }
        _ => false,
    }
}
