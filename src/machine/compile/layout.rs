//! Layout of the frame: words reset by a turn, words reset by a round, other persistent words, derived words,
//! then temporaries.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::CompileError;
use crate::program::{HEADER_WORDS, Span16, WIDTHS};
use houserule_model::{
    Builtin, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Content, Life,
    LocalId, MOST_DRAWS, Model, Role, SlotId, Type, Value, changes, exits, sets_local, value_len,
    value_words, walk, with_blocks,
};

/// The layout of a frame.
#[derive(Debug)]
pub(super) struct Layout {
    /// Size of a set, in words.
    pub(super) width: u16,
    /// First word of each slot; `None` if the program does not keep it.
    pub(super) slots: Vec<Option<u16>>,
    /// For each dice slot, the first of the words with the joint outcome of each family.
    pub(super) outcomes: Vec<Option<u16>>,
    /// First word of each local that is live across a decision or a chance event.
    pub(super) locals: Vec<Option<u16>>,
    /// For loops that are live across a decision or a chance event: the remaining set, and the cursor.
    pub(super) loops: HashMap<LocalId, (u16, u16)>,
    /// For `as` blocks that are live across a decision or a chance event: the acting player. By address of
    /// the statement.
    pub(super) acting: HashMap<usize, u16>,
    /// For dice rolled one by one: the set of dice to roll. By address of the statement.
    pub(super) rolls: HashMap<usize, u16>,
    /// For `chance … given`: how its draws are made, followed by the values to restore. By address of the
    /// statement.
    pub(super) given: HashMap<usize, Span16>,
    /// Draws of the script that is being called: their number, the number of outcomes of the next event, and each
    /// outcome.
    pub(super) draws: Option<u16>,
    /// Words reset by a new turn.
    pub(super) turn: Span16,
    /// Words reset by a new round.
    pub(super) round: Span16,
    /// Number of persistent words.
    pub(super) persistent: u16,
    /// First word of the action mask.
    pub(super) region: u16,
    /// Number of live words: persistent, derived, action mask.
    pub(super) live: u16,
    /// Initial values of the live words.
    pub(super) initial: Vec<u64>,
}

/// Returns the number of values in a slot.
pub(super) fn family_size(model: &Model, slot: SlotId) -> usize {
    model.slots[slot.index()].index.iter().map(|d| model.domains[d.index()].size as usize).product()
}

/// Returns the size of all values of a slot, in words.
pub(super) fn slot_len(width: u16, model: &Model, slot: SlotId) -> usize {
    family_size(model, slot) * usize::from(value_len(width, model.slots[slot.index()].content))
}

/// Returns the size of a local, in words.
pub(super) fn local_len(width: u16, model: &Model, local: LocalId) -> u16 {
    type_len(width, model.locals[local.index()].ty)
}

/// Returns the size of a value of a type, in words.
pub(super) fn type_len(width: u16, ty: Type) -> u16 {
    if matches!(ty, Type::Set(_)) { width } else { 1 }
}

/// Returns `true` if the rules need to know when a round ends.
pub(super) fn has_rounds(model: &Model, used: &BTreeSet<SlotId>) -> bool {
    model.rounds
        || used.contains(&Builtin::Round.slot())
        || model.ends.iter().any(|e| e.timing == houserule_language::syntax::EndTiming::Round)
        || model.slots.iter().any(|s| s.life == Life::Round)
}

/// Returns the slots that an expression or statement of the model uses.
pub(super) fn used_slots(model: &Model) -> BTreeSet<SlotId> {
    let mut used = BTreeSet::new();
    walk::all_exprs(model, &mut |e| {
        if let CheckedExprKind::Read(target) = &e.kind {
            used.insert(target.slot);
        }
    });
    for block in [&model.setup, &model.turn] {
        used.extend(walk::writes(model, block));
    }
    // A script may read any slot.
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
            Role::Builtin(Builtin::Payoff) => model.payoff.is_some(),
            Role::Builtin(_) => used.contains(&id),
            Role::Empty(_) => false,
            _ => true,
        };
        let slots = || (0..model.slots.len() as u32).map(SlotId);
        let at = layout.next()?;
        for id in slots().filter(|id| keep(*id) && model.slots[id.index()].life == Life::Turn) {
            layout.slot(model, id, partial)?;
        }
        // With `round`, only what is live within a turn of the round is reset by turns; the rest by rounds.
        let all = Lasting::from_blocks(model, [&model.setup, &model.turn]);
        let inner = if model.rounds { Lasting::from_blocks(model, turns(model)) } else { all.clone() };
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

    /// Allocates words for what is live across a decision or a chance event.
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

    /// Allocates `count` words that start as 0. Returns the first.
    fn words(&mut self, count: usize) -> Result<u16, CompileError> {
        let at = self.next()?;
        self.initial.extend(vec![0; count]);
        Ok(at)
    }

    /// Returns the first word of what statements change, or `None` if the program does not keep it.
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
        // The face of a single die is its outcome.
        if dice_count(model, id) > 1
            && !partial.contains(&id)
            && let Some(outcomes) = model.joint_outcomes(id)
        {
            self.outcomes[id.index()] = Some(self.next()?);
            let families = family_size(model, id) / dice_count(model, id).max(1);
            self.initial.extend(vec![outcomes; families]);
        }
        Ok(())
    }
}

/// Returns the number of dice in a dice slot.
pub(super) fn dice_count(model: &Model, id: SlotId) -> usize {
    if let Role::Dice { count, .. } = model.slots[id.index()].role { count as usize } else { 0 }
}

/// Returns the smallest executor width that holds every set of the model.
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

/// Values that are live across a decision or a chance event, in the order of the rules.
#[derive(Clone, Debug, Default)]
struct Lasting {
    /// Locals.
    locals: BTreeSet<LocalId>,
    /// Loops, each with its remaining set and cursor.
    loops: Vec<LocalId>,
    /// `as` blocks, each with its acting player.
    acts: Vec<usize>,
    /// Rolls of some of the dice, one by one: the set of dice is fixed before the first roll.
    rolls: Vec<usize>,
}

impl Lasting {
    fn from_blocks<'m>(model: &Model, blocks: impl IntoIterator<Item = &'m CheckedBlock>) -> Lasting {
        let mut found = Lasting::default();
        for block in blocks {
            found.collect(model, block);
        }
        found
    }

    /// Adds what may be live across a stop in a block.
    fn collect(&mut self, model: &Model, block: &CheckedBlock) {
        let stops = |body: &CheckedBlock| walk::suspends(model, &body.stmts);
        let last = block.stmts.iter().rposition(|stmt| walk::suspends(model, std::slice::from_ref(stmt)));
        for (i, stmt) in block.stmts.iter().enumerate() {
            let rest = || last.is_some_and(|last| last > i);
            match &stmt.kind {
                CheckedStmtKind::Let { local, .. } | CheckedStmtKind::Pick { local, .. } if rest() => {
                    self.locals.insert(*local);
                }
                CheckedStmtKind::For { local, body, .. } if stops(body) => {
                    self.locals.insert(*local);
                    self.loops.push(*local);
                }
                CheckedStmtKind::As { body, .. } if stops(body) => self.acts.push(address(stmt)),
                CheckedStmtKind::Roll { dice, among: Some(_) }
                    if model.roll_outcomes(dice.slot).is_none() =>
                {
                    self.rolls.push(address(stmt));
                }
                CheckedStmtKind::Choose(choice) => {
                    for option in &model.choices[choice.index()].options {
                        if stops(&option.body) {
                            self.locals.extend(option.binders.iter().map(|b| b.local));
                        }
                    }
                }
                // These statements declare no local and keep nothing that is live across a stop.
                CheckedStmtKind::Roll { .. }
                | CheckedStmtKind::Call { .. }
                | CheckedStmtKind::Next(_)
                | sets_local!()
                | exits!()
                | with_blocks!()
                | changes!() => {}
            }
            for inner in walk::blocks(model, stmt) {
                self.collect(model, inner);
            }
        }
    }

    /// Removes the values that `other` has.
    fn without(mut self, other: &Lasting) -> Lasting {
        self.locals.retain(|local| !other.locals.contains(local));
        self.loops.retain(|local| !other.loops.contains(local));
        self.acts.retain(|stmt| !other.acts.contains(stmt));
        self.rolls.retain(|stmt| !other.rolls.contains(stmt));
        self
    }
}

/// Returns the turns of a round.
fn turns(model: &Model) -> Vec<&CheckedBlock> {
    let mut found = vec![];
    walk::stmts(model, &model.turn, &mut |stmt| {
        if let CheckedStmtKind::Turns { body, .. } = &stmt.kind {
            found.push(body);
        }
    });
    found
}

/// Returns each `chance … given` with its number of words: one, and those that its body may change.
fn given(model: &Model, width: u16) -> Vec<(usize, usize)> {
    let mut found = vec![];
    for block in [&model.setup, &model.turn] {
        walk::stmts(model, block, &mut |stmt| {
            if let CheckedStmtKind::Chance { body, .. } = &stmt.kind {
                let words = 1 + changed(model, body).map(|what| what.words(model, width)).sum::<usize>();
                found.push((address(stmt), words));
            }
        });
    }
    found
}

/// A slot or local that statements change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Changed {
    /// The values of a slot.
    Slot(SlotId),
    /// A local declared outside of the statements.
    Local(LocalId),
}

impl Changed {
    /// Returns its size in words.
    pub(super) fn words(self, model: &Model, width: u16) -> usize {
        match self {
            Changed::Slot(slot) => slot_len(width, model, slot),
            Changed::Local(local) => local_len(width, model, local).into(),
        }
    }
}

/// Returns what a block may change, without duplicates.
pub(super) fn changed(model: &Model, block: &CheckedBlock) -> impl Iterator<Item = Changed> {
    let mut locals = BTreeSet::new();
    walk::stmts(model, block, &mut |stmt| {
        if let CheckedStmtKind::SetLocal { local, .. } = &stmt.kind {
            locals.insert(*local);
        }
    });
    let slots = walk::writes(model, block).into_iter().map(Changed::Slot);
    slots.chain(locals.into_iter().map(Changed::Local))
}

/// Returns the identity of a statement while a model is compiled.
pub(super) fn address(stmt: &CheckedStmt) -> usize {
    std::ptr::from_ref(stmt) as usize
}

/// Returns `true` if an expression is never `none`.
pub(super) fn never_none(model: &Model, e: &CheckedExpr) -> bool {
    match &e.kind {
        CheckedExprKind::Me => true,
        CheckedExprKind::Constant(Value::Element(e)) => e.is_some(),
        CheckedExprKind::After { among: None, .. } => true,
        CheckedExprKind::Read(target) => {
            matches!(model.slots[target.slot.index()].content, Content::Element { optional: false, .. })
        }
        _ => false,
    }
}
