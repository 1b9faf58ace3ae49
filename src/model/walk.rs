//! Traversals of a checked model: its expressions, its statements, and the slots they read and write.

use std::collections::{BTreeSet, HashSet};

use crate::{
    Builtin, CheckedBlock, CheckedEndResult, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmt,
    CheckedStmtKind, ChoiceId, Control, LocalId, Model, Role, Slot, SlotId, StepId, Target, exits, numbers,
    numbers_on_board, sets, sets_local, sets_on_board, truths,
};

/// Calls `f` for an expression and all its subexpressions.
pub fn expr<'m>(e: &'m CheckedExpr, f: &mut dyn FnMut(&'m CheckedExpr)) {
    f(e);
    children(e, &mut |child| expr(child, f));
}

/// Calls a function for the direct subexpressions of an expression, in the order of evaluation, given its kind by
/// reference: one list for shared and for mutable references.
macro_rules! each_child {
    ($kind:expr, $f:ident, $in_block:ident) => {
        match $kind {
            CheckedExprKind::Constant(_)
            | CheckedExprKind::Local(_)
            | CheckedExprKind::Me
            | CheckedExprKind::RestOfChain => {}
            CheckedExprKind::Read(Target { index: list, .. })
            | CheckedExprKind::Table(_, list)
            | CheckedExprKind::Elements(list)
            | CheckedExprKind::Call { args: list, .. } => {
                for child in list {
                    $f(child);
                }
            }
            CheckedExprKind::ValueOf(a)
            | CheckedExprKind::ElementOf(a)
            | CheckedExprKind::Field(_, a)
            | CheckedExprKind::Negate(a)
            | CheckedExprKind::Not(a)
            | CheckedExprKind::IsSome(a)
            | CheckedExprKind::Count(a)
            | CheckedExprKind::First(a)
            | CheckedExprKind::Last(a)
            | CheckedExprKind::ColumnOf(_, a)
            | CheckedExprKind::RowOf(_, a)
            | CheckedExprKind::Column(_, a)
            | CheckedExprKind::Row(_, a)
            | CheckedExprKind::Columns(_, a)
            | CheckedExprKind::Rows(_, a)
            | CheckedExprKind::SidesOf(_, a)
            | CheckedExprKind::CellsAt(_, a)
            | CheckedExprKind::Crossing(_, a)
            | CheckedExprKind::Neighbours { of: a, .. }
            | CheckedExprKind::Fill { of: a, .. }
            | CheckedExprKind::Shift { of: a, .. }
            | CheckedExprKind::Ray { of: a, .. }
            | CheckedExprKind::Lines { of: a, .. }
            | CheckedExprKind::Repeated { times: a, .. }
            | CheckedExprKind::Longest { of: a, .. }
            | CheckedExprKind::Chain(a) => $f(a),
            CheckedExprKind::As { player: a, value: b }
            | CheckedExprKind::Slide { of: a, through: b, .. }
            | CheckedExprKind::Arithmetic(_, a, b)
            | CheckedExprKind::Compare(_, a, b)
            | CheckedExprKind::Same(a, b)
            | CheckedExprKind::And(a, b)
            | CheckedExprKind::Or(a, b)
            | CheckedExprKind::Contains { set: a, element: b }
            | CheckedExprKind::Subset(a, b)
            | CheckedExprKind::Union(a, b)
            | CheckedExprKind::Intersect(a, b)
            | CheckedExprKind::Minus(a, b)
            | CheckedExprKind::Filter { over: a, condition: b, .. }
            | CheckedExprKind::Quantified { over: a, body: b, .. }
            | CheckedExprKind::Cell { column: a, row: b, .. }
            | CheckedExprKind::Runs { of: a, length: b, .. }
            | CheckedExprKind::Enclosed { near: a, walls: b, .. }
            | CheckedExprKind::Reach { seed: a, within: b, .. } => {
                $f(a);
                $f(b);
            }
            CheckedExprKind::After { player, among, .. } => {
                $f(player);
                if let Some(among) = among {
                    $f(among);
                }
            }
            CheckedExprKind::If(a, b, c)
            | CheckedExprKind::ReachBy { seed: a, within: b, links: c, .. }
            | CheckedExprKind::Custodial { from: a, to: b, through: c, .. } => {
                $f(a);
                $f(b);
                $f(c);
            }
            CheckedExprKind::Tried { body, value } => {
                $in_block(body, $f);
                $f(value);
            }
        }
    };
}

/// Calls a function for the expressions directly inside a statement, given its kind by reference: one list for shared and
/// for mutable references. The options of a choice are elsewhere.
macro_rules! each_own {
    ($kind:expr, $f:ident) => {
        match $kind {
            CheckedStmtKind::If { condition: one, .. }
            | CheckedStmtKind::While { condition: one, .. }
            | CheckedStmtKind::Repeat { until: one, .. }
            | CheckedStmtKind::Chance { given: one, .. }
            | CheckedStmtKind::As { player: one, .. }
            | CheckedStmtKind::Turns { from: one, .. }
            | CheckedStmtKind::Let { value: one, .. }
            | CheckedStmtKind::SetLocal { value: one, .. }
            | CheckedStmtKind::Next(one) => $f(one),
            CheckedStmtKind::For { over, from, .. } => {
                $f(over);
                if let Some(from) = from {
                    $f(from);
                }
            }
            CheckedStmtKind::Assign { target: Target { index, .. }, value: one }
            | CheckedStmtKind::Put { piece: Target { index, .. }, at: one, .. }
            | CheckedStmtKind::MoveTo { zone: Target { index, .. }, what: one, .. }
            | CheckedStmtKind::Clear { index, at: one, .. } => {
                for e in index {
                    $f(e);
                }
                $f(one);
            }
            CheckedStmtKind::ClearPiece { piece: Target { index, .. } }
            | CheckedStmtKind::Call { args: index, .. } => {
                for e in index {
                    $f(e);
                }
            }
            CheckedStmtKind::Move { index, from, to, .. } => {
                for e in index {
                    $f(e);
                }
                $f(from);
                $f(to);
            }
            CheckedStmtKind::Roll { dice: Target { index, .. }, among } => {
                for e in index {
                    $f(e);
                }
                if let Some(among) = among {
                    $f(among);
                }
            }
            CheckedStmtKind::Pick { over, by, .. } => {
                if let Some(Target { index, .. }) = by {
                    for e in index {
                        $f(e);
                    }
                }
                $f(over);
            }
            CheckedStmtKind::Choose(_)
            | CheckedStmtKind::Step { .. }
            | CheckedStmtKind::Again
            | CheckedStmtKind::Done
            | CheckedStmtKind::Skip
            | CheckedStmtKind::EndGame { result: None | Some(CheckedEndResult::Draw), .. } => {}
            CheckedStmtKind::EndGame {
                result: Some(CheckedEndResult::Win(e) | CheckedEndResult::Lose(e)),
                ..
            } => $f(e),
        }
    };
}

/// Calls `f` for the expressions of a block without choices, but not for their subexpressions.
fn exprs_without_choices<'m>(block: &'m CheckedBlock, f: &mut dyn FnMut(&'m CheckedExpr)) {
    for stmt in &block.stmts {
        each_own!(&stmt.kind, f);
        stmt.blocks().into_iter().for_each(|inner| exprs_without_choices(inner, f));
    }
}

/// Mutable version of [`exprs_without_choices`].
pub fn exprs_without_choices_mut(block: &mut CheckedBlock, f: &mut dyn FnMut(&mut CheckedExpr)) {
    for stmt in &mut block.stmts {
        each_own!(&mut stmt.kind, f);
        stmt.blocks_mut().into_iter().for_each(|inner| exprs_without_choices_mut(inner, f));
    }
}

/// Calls `f` for the direct subexpressions of an expression, in the order of evaluation.
pub fn children<'m>(e: &'m CheckedExpr, f: &mut dyn FnMut(&'m CheckedExpr)) {
    each_child!(&e.kind, f, exprs_without_choices)
}

/// Mutable version of [`children`].
pub fn children_mut(kind: &mut CheckedExprKind, f: &mut dyn FnMut(&mut CheckedExpr)) {
    each_child!(kind, f, exprs_without_choices_mut)
}

/// Calls `f` for every statement of a block, including those of options, in pre-order.
pub fn stmts<'m>(model: &'m Model, block: &'m CheckedBlock, f: &mut dyn FnMut(&'m CheckedStmt)) {
    for stmt in &block.stmts {
        f(stmt);
        for inner in blocks(model, stmt) {
            stmts(model, inner, f);
        }
    }
}

/// Calls `f` with the statements of a block and of all blocks inside it, innermost first.
pub fn each_block_mut(block: &mut CheckedBlock, f: &mut dyn FnMut(&mut Vec<CheckedStmt>)) {
    for stmt in &mut block.stmts {
        stmt.blocks_mut().into_iter().for_each(|inner| each_block_mut(inner, f));
    }
    f(&mut block.stmts);
}

/// Returns the top-level blocks of a game's rules.
pub fn all_blocks(model: &Model) -> [&CheckedBlock; 3] {
    [&model.setup, &model.turn, &model.on_end]
}

/// Returns the blocks directly inside a statement.
pub fn blocks<'m>(model: &'m Model, stmt: &'m CheckedStmt) -> Vec<&'m CheckedBlock> {
    match stmt.kind {
        CheckedStmtKind::Choose(choice) => model.choices[choice.index()].blocks().collect(),
        _ => stmt.blocks(),
    }
}

/// Returns the expressions directly inside a statement, including those of a choice's options.
pub fn own_exprs<'m>(model: &'m Model, stmt: &'m CheckedStmt) -> Vec<&'m CheckedExpr> {
    if let CheckedStmtKind::Choose(choice) = &stmt.kind {
        let options = model.choices[choice.index()].options.iter();
        let parts =
            |o: &'m CheckedOption| o.binders.iter().map(|b| &b.over).chain(&o.filter).chain(&o.ensuring);
        return options.flat_map(parts).collect();
    }
    let mut all = vec![];
    let mut push = |e| all.push(e);
    each_own!(&stmt.kind, push);
    all
}

/// Calls `f` for every expression of the model and its subexpressions, except in `on_end`.
pub fn all_exprs<'m>(model: &'m Model, f: &mut dyn FnMut(&'m CheckedExpr)) {
    for block in [&model.setup, &model.turn] {
        block_exprs(model, block, f);
    }
    for end in &model.ends {
        expr(&end.when, f);
        if let Some(CheckedEndResult::Win(p) | CheckedEndResult::Lose(p)) = &end.result {
            expr(p, f);
        }
    }
    model.score.iter().for_each(|item| expr(&item.value, f));
    model.winner.iter().for_each(|rank| expr(&rank.value, f));
    model.payoff.iter().for_each(|payoff| expr(&payoff.value, f));
    model.playing.iter().flat_map(|playing| [&playing.mover, &playing.next]).for_each(|e| expr(e, f));
    model.measures.iter().for_each(|measure| expr(measure, f));
    if let Some(rules) = &model.match_rules
        && let crate::MatchLength::Until(until) = &rules.length
    {
        expr(until, f);
    }
}

/// Calls `f` for every expression of a block and its subexpressions.
pub(crate) fn block_exprs<'m>(model: &'m Model, block: &'m CheckedBlock, f: &mut dyn FnMut(&'m CheckedExpr)) {
    stmts(model, block, &mut |stmt| own_exprs(model, stmt).into_iter().for_each(|e| expr(e, f)));
}

/// Returns the locals that iterate over elements, and so are never `none`.
pub fn elements_bound(model: &Model) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    all_exprs(model, &mut |e| {
        if let CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } = &e.kind {
            found.insert(*local);
        }
    });
    for block in [&model.setup, &model.turn] {
        stmts(model, block, &mut |stmt| match &stmt.kind {
            CheckedStmtKind::Choose(choice) => {
                let options = &model.choices[choice.index()].options;
                let binders = options.iter().flat_map(|option| &option.binders);
                found.extend(binders.filter(|binder| !binder.subset).map(|binder| binder.local));
            }
            CheckedStmtKind::For { local, .. } => {
                found.insert(*local);
            }
            _ => {}
        });
    }
    found
}

/// Returns `true` if these statements can stop for a decision or a chance event.
pub fn suspends<'m>(model: &'m Model, list: &'m [CheckedStmt]) -> bool {
    list.iter().any(|stmt| {
        stops(model, stmt) || blocks(model, stmt).into_iter().any(|inner| suspends(model, &inner.stmts))
    })
}

/// Returns `true` if a statement itself can stop for a decision or a chance event.
fn stops(model: &Model, stmt: &CheckedStmt) -> bool {
    match stmt.kind.control() {
        Control::Choice(_) | Control::Event(_) => true,
        Control::Call(hook) => model.hooks[hook.index()].draws,
        Control::Step(_)
        | Control::Turns(_)
        | Control::Chance(_)
        | Control::Loop(_)
        | Control::As(_)
        | Control::Branch(..)
        | Control::Exit(_)
        | Control::Plain => false,
    }
}

/// What the value of an expression depends on in addition to its subexpressions.
#[derive(Clone, Copy, Debug)]
pub enum Dependence<'m> {
    /// Nothing.
    None,
    /// The content of a slot.
    Slot(&'m Target),
    /// A local.
    Local,
    /// The acting player.
    Me,
    /// Nothing, but its subexpressions have another acting player.
    OtherMe,
    /// The earlier positions.
    Past,
    /// A function of a script.
    Script,
    /// The values that statements change, which are undone.
    Trial,
}

/// Returns what the value of an expression depends on in addition to its subexpressions.
pub fn dependence(e: &CheckedExpr) -> Dependence<'_> {
    match &e.kind {
        CheckedExprKind::Read(target) => Dependence::Slot(target),
        CheckedExprKind::Local(_) => Dependence::Local,
        CheckedExprKind::Me => Dependence::Me,
        CheckedExprKind::As { .. } => Dependence::OtherMe,
        CheckedExprKind::Repeated { .. } => Dependence::Past,
        CheckedExprKind::Call { .. } => Dependence::Script,
        CheckedExprKind::Tried { .. } | CheckedExprKind::Chain(_) | CheckedExprKind::RestOfChain => {
            Dependence::Trial
        }
        CheckedExprKind::Constant(_)
        | CheckedExprKind::If(..)
        | CheckedExprKind::Quantified { .. }
        | sets!()
        | numbers!()
        | truths!()
        | numbers_on_board!()
        | sets_on_board!() => Dependence::None,
    }
}

/// Returns the slots that an expression reads, and whether it depends on the acting player.
pub fn reads(e: &CheckedExpr) -> (BTreeSet<SlotId>, bool) {
    let (mut slots, mut me) = (BTreeSet::new(), false);
    expr(e, &mut |e| match dependence(e) {
        Dependence::Slot(target) => {
            slots.insert(target.slot);
        }
        Dependence::Me => me = true,
        // Earlier positions change with every turn. A trial depends on values that it doesn't read, such as other pieces.
        Dependence::Past | Dependence::Trial => {
            slots.insert(Builtin::Mover.slot());
        }
        Dependence::None | Dependence::Local | Dependence::OtherMe | Dependence::Script => {}
    });
    (slots, me)
}

/// Returns the slots that a block may write.
pub fn writes(model: &Model, block: &CheckedBlock) -> BTreeSet<SlotId> {
    let mut slots = BTreeSet::new();
    stmts(model, block, &mut |stmt| own_writes(model, stmt, &mut slots));
    slots
}

/// Returns `true` if a statement itself may write a slot.
pub fn writes_slot(model: &Model, stmt: &CheckedStmt, slot: SlotId) -> bool {
    let mut slots = BTreeSet::new();
    own_writes(model, stmt, &mut slots);
    slots.contains(&slot)
}

/// Adds the slots that a statement itself may write.
pub fn own_writes(model: &Model, stmt: &CheckedStmt, slots: &mut BTreeSet<SlotId>) {
    let mut board_of = |slot: SlotId| {
        if let Role::Piece(board) = model.slots[slot.index()].role {
            let board = &model.boards[board.index()];
            slots.extend(board.pieces.iter().chain([&board.empty]));
        }
    };
    match &stmt.kind {
        CheckedStmtKind::Assign { target, .. } => {
            slots.insert(target.slot);
        }
        CheckedStmtKind::Put { piece, .. } | CheckedStmtKind::ClearPiece { piece } => board_of(piece.slot),
        CheckedStmtKind::Clear { board, .. } | CheckedStmtKind::Move { board, .. } => {
            let board = &model.boards[board.index()];
            slots.extend(board.pieces.iter().chain([&board.empty]));
        }
        CheckedStmtKind::MoveTo { zone, .. } => {
            slots.extend(zones(model, zone.slot));
            slots.extend(model.order_of(zone.slot).map(|order| order.places));
        }
        CheckedStmtKind::Roll { dice, .. } => {
            slots.insert(dice.slot);
        }
        CheckedStmtKind::Next(_) => {
            slots.insert(Builtin::NextMover.slot());
        }
        CheckedStmtKind::Call { .. } => {
            let free = |slot: &Slot| matches!(slot.role, Role::Variable | Role::Piece(_) | Role::Empty(_));
            slots
                .extend((0..).map(SlotId).zip(&model.slots).filter(|(_, slot)| free(slot)).map(|(id, _)| id));
        }
        CheckedStmtKind::Turns { .. } => {
            slots.extend([Builtin::Mover, Builtin::ToCome].map(Builtin::slot));
        }
        CheckedStmtKind::Step { .. }
        | CheckedStmtKind::Choose(_)
        | CheckedStmtKind::If { .. }
        | CheckedStmtKind::For { .. }
        | CheckedStmtKind::While { .. }
        | CheckedStmtKind::Repeat { .. }
        | CheckedStmtKind::Chance { .. }
        | CheckedStmtKind::As { .. }
        | sets_local!()
        | exits!() => {}
    }
}

/// Returns the zones over the same domain as this one, itself included.
pub fn zones(model: &Model, zone: SlotId) -> impl Iterator<Item = SlotId> {
    let content = model.slots[zone.index()].content;
    let all = (0..).map(SlotId).zip(&model.slots);
    all.filter(move |(_, slot)| slot.role == Role::Zone && slot.content == content).map(|(id, _)| id)
}

/// Returns the innermost step around a choice, even if the turns of a round lie between them.
pub fn step_around(model: &Model, choice: ChoiceId) -> Option<StepId> {
    let mut found = model.choices[choice.index()].step;
    if found.is_some() {
        return found;
    }
    for block in all_blocks(model) {
        stmts(model, block, &mut |stmt| {
            let CheckedStmtKind::Step { step, body } = &stmt.kind else { return };
            let mut holds = false;
            stmts(model, body, &mut |inner| {
                holds |= matches!(inner.kind, CheckedStmtKind::Choose(one) if one == choice);
            });
            if holds {
                found = Some(*step);
            }
        });
    }
    found
}
