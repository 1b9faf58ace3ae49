//! Traversals of a checked model: its expressions, its statements, and the slots they read and write.

use std::collections::{BTreeSet, HashSet};

use crate::model::{
    Builtin, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt, CheckedStmtKind, Control, LocalId,
    Model, Role, Slot, SlotId, Target,
};

/// Calls `f` for an expression and all its subexpressions.
pub(crate) fn expr<'m>(e: &'m CheckedExpr, f: &mut dyn FnMut(&'m CheckedExpr)) {
    f(e);
    children(e, &mut |child| expr(child, f));
}

/// Calls a function for the direct subexpressions of an expression, in the order of evaluation, given its kind by
/// reference: one list for shared and for mutable references.
macro_rules! each_child {
    ($kind:expr, $f:ident) => {
        match $kind {
            CheckedExprKind::Constant(_) | CheckedExprKind::Local(_) | CheckedExprKind::Me => {}
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
            | CheckedExprKind::Longest { of: a, .. } => $f(a),
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
            CheckedExprKind::After { player, among } => {
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
        }
    };
}

/// Calls `f` for the direct subexpressions of an expression, in the order of evaluation.
pub(crate) fn children<'m>(e: &'m CheckedExpr, f: &mut dyn FnMut(&'m CheckedExpr)) {
    each_child!(&e.kind, f)
}

/// Returns the direct subexpressions of an expression, in the order of evaluation.
pub(crate) fn children_mut<'m>(kind: &'m mut CheckedExprKind) -> Vec<&'m mut CheckedExpr> {
    let mut all = vec![];
    let mut push = |child: &'m mut CheckedExpr| all.push(child);
    each_child!(kind, push);
    all
}

/// Calls `f` for every statement of a block, including those of options, in pre-order.
pub(crate) fn stmts<'m>(model: &'m Model, block: &'m CheckedBlock, f: &mut dyn FnMut(&'m CheckedStmt)) {
    for stmt in &block.stmts {
        f(stmt);
        for inner in blocks(model, stmt) {
            stmts(model, inner, f);
        }
    }
}

/// Returns the top-level blocks of a game's rules.
pub(crate) fn all_blocks(model: &Model) -> [&CheckedBlock; 3] {
    [&model.setup, &model.turn, &model.on_end]
}

/// Returns the blocks directly inside a statement.
pub(crate) fn blocks<'m>(model: &'m Model, stmt: &'m CheckedStmt) -> Vec<&'m CheckedBlock> {
    match stmt.kind {
        CheckedStmtKind::Choose(choice) => model.choices[choice.index()].blocks().collect(),
        _ => stmt.blocks(),
    }
}

/// Returns the expressions directly inside a statement, including those of a choice's options.
pub(crate) fn own_exprs<'m>(model: &'m Model, stmt: &'m CheckedStmt) -> Vec<&'m CheckedExpr> {
    fn of<'m>(target: &'m Target, more: &[&'m CheckedExpr]) -> Vec<&'m CheckedExpr> {
        target.index.iter().chain(more.iter().copied()).collect()
    }
    match &stmt.kind {
        CheckedStmtKind::Choose(choice) => model.choices[choice.index()]
            .options
            .iter()
            .flat_map(|o| o.binders.iter().map(|b| &b.over).chain(&o.filter).chain(&o.ensuring))
            .collect(),
        CheckedStmtKind::If { condition, .. } | CheckedStmtKind::While { condition, .. } => vec![condition],
        CheckedStmtKind::For { over, from, .. } => std::iter::once(over).chain(from).collect(),
        CheckedStmtKind::Repeat { until, .. } => vec![until],
        CheckedStmtKind::Chance { given, .. } => vec![given],
        CheckedStmtKind::As { player: one, .. } | CheckedStmtKind::Turns { from: one, .. } => vec![one],
        CheckedStmtKind::Let { value, .. } | CheckedStmtKind::SetLocal { value, .. } => vec![value],
        CheckedStmtKind::Assign { target, value } => of(target, &[value]),
        CheckedStmtKind::Put { piece, at, .. } => of(piece, &[at]),
        CheckedStmtKind::Clear { index, at, .. } => index.iter().chain([at]).collect(),
        CheckedStmtKind::ClearPiece { piece } => of(piece, &[]),
        CheckedStmtKind::Move { index, from, to, .. } => index.iter().chain([from, to]).collect(),
        CheckedStmtKind::MoveTo { what, zone, .. } => of(zone, &[what]),
        CheckedStmtKind::Roll { dice, among } => dice.index.iter().chain(among).collect(),
        CheckedStmtKind::Pick { over, by, .. } => {
            by.iter().flat_map(|zone| &zone.index).chain([over]).collect()
        }
        CheckedStmtKind::Next(player) => vec![player],
        CheckedStmtKind::Call { args, .. } => args.iter().collect(),
        CheckedStmtKind::Step { .. }
        | CheckedStmtKind::Again
        | CheckedStmtKind::Done
        | CheckedStmtKind::Skip
        | CheckedStmtKind::EndGame(_) => {
            vec![]
        }
    }
}

/// Calls `f` for every expression of the model and its subexpressions, except in `on_end`.
pub(crate) fn all_exprs<'m>(model: &'m Model, f: &mut dyn FnMut(&'m CheckedExpr)) {
    for block in [&model.setup, &model.turn] {
        block_exprs(model, block, f);
    }
    for end in &model.ends {
        expr(&end.when, f);
        if let Some(crate::model::CheckedEndResult::Win(p) | crate::model::CheckedEndResult::Lose(p)) =
            &end.result
        {
            expr(p, f);
        }
    }
    model.score.iter().for_each(|item| expr(&item.value, f));
    model.winner.iter().for_each(|rank| expr(&rank.value, f));
    model.measures.iter().for_each(|measure| expr(measure, f));
    if let Some(rules) = &model.match_rules
        && let crate::model::MatchLength::Until(until) = &rules.length
    {
        expr(until, f);
    }
}

/// Calls `f` for every expression of a block and its subexpressions.
pub(crate) fn block_exprs<'m>(model: &'m Model, block: &'m CheckedBlock, f: &mut dyn FnMut(&'m CheckedExpr)) {
    stmts(model, block, &mut |stmt| own_exprs(model, stmt).into_iter().for_each(|e| expr(e, f)));
}

/// Returns the locals that iterate over elements, and so are never `none`.
pub(crate) fn elements_bound(model: &Model) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    all_exprs(model, &mut |e| {
        if let CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } = &e.kind {
            found.insert(*local);
        }
    });
    for block in [&model.setup, &model.turn] {
        stmts(model, block, &mut |stmt| {
            let CheckedStmtKind::Choose(choice) = &stmt.kind else { return };
            let options = &model.choices[choice.index()].options;
            let binders = options.iter().flat_map(|option| &option.binders);
            found.extend(binders.filter(|binder| !binder.subset).map(|binder| binder.local));
        });
    }
    found
}

/// Returns `true` if these statements can stop for a decision or a chance event.
pub(crate) fn suspends<'m>(model: &'m Model, list: &'m [CheckedStmt]) -> bool {
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
pub(crate) enum Dependence<'m> {
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
}

/// Returns what the value of an expression depends on in addition to its subexpressions.
pub(crate) fn dependence(e: &CheckedExpr) -> Dependence<'_> {
    match &e.kind {
        CheckedExprKind::Read(target) => Dependence::Slot(target),
        CheckedExprKind::Local(_) => Dependence::Local,
        CheckedExprKind::Me => Dependence::Me,
        CheckedExprKind::As { .. } => Dependence::OtherMe,
        CheckedExprKind::Repeated { .. } => Dependence::Past,
        CheckedExprKind::Call { .. } => Dependence::Script,
        CheckedExprKind::Constant(_)
        | CheckedExprKind::After { .. }
        | CheckedExprKind::ValueOf(_)
        | CheckedExprKind::ElementOf(_)
        | CheckedExprKind::Table(..)
        | CheckedExprKind::Negate(_)
        | CheckedExprKind::Arithmetic(..)
        | CheckedExprKind::Compare(..)
        | CheckedExprKind::Same(..)
        | CheckedExprKind::Not(_)
        | CheckedExprKind::And(..)
        | CheckedExprKind::Or(..)
        | CheckedExprKind::If(..)
        | CheckedExprKind::Contains { .. }
        | CheckedExprKind::Subset(..)
        | CheckedExprKind::IsSome(_)
        | CheckedExprKind::Elements(_)
        | CheckedExprKind::Union(..)
        | CheckedExprKind::Intersect(..)
        | CheckedExprKind::Minus(..)
        | CheckedExprKind::Filter { .. }
        | CheckedExprKind::Quantified { .. }
        | CheckedExprKind::Count(_)
        | CheckedExprKind::First(_)
        | CheckedExprKind::Last(_)
        | CheckedExprKind::Cell { .. }
        | CheckedExprKind::ColumnOf(..)
        | CheckedExprKind::RowOf(..)
        | CheckedExprKind::Column(..)
        | CheckedExprKind::Row(..)
        | CheckedExprKind::Columns(..)
        | CheckedExprKind::Rows(..)
        | CheckedExprKind::Neighbours { .. }
        | CheckedExprKind::SidesOf(..)
        | CheckedExprKind::CellsAt(..)
        | CheckedExprKind::Crossing(..)
        | CheckedExprKind::Shift { .. }
        | CheckedExprKind::Ray { .. }
        | CheckedExprKind::Slide { .. }
        | CheckedExprKind::Lines { .. }
        | CheckedExprKind::Longest { .. }
        | CheckedExprKind::Runs { .. }
        | CheckedExprKind::Reach { .. }
        | CheckedExprKind::ReachBy { .. }
        | CheckedExprKind::Enclosed { .. }
        | CheckedExprKind::Fill { .. }
        | CheckedExprKind::Custodial { .. } => Dependence::None,
    }
}

/// Returns the slots that an expression reads, and whether it depends on the acting player.
pub(crate) fn reads(e: &CheckedExpr) -> (BTreeSet<SlotId>, bool) {
    let (mut slots, mut me) = (BTreeSet::new(), false);
    expr(e, &mut |e| match dependence(e) {
        Dependence::Slot(target) => {
            slots.insert(target.slot);
        }
        Dependence::Me => me = true,
        // Earlier positions change with every turn.
        Dependence::Past => {
            slots.insert(Builtin::Mover.slot());
        }
        Dependence::None | Dependence::Local | Dependence::OtherMe | Dependence::Script => {}
    });
    (slots, me)
}

/// Returns the slots that a block may write.
pub(crate) fn writes(model: &Model, block: &CheckedBlock) -> BTreeSet<SlotId> {
    let mut slots = BTreeSet::new();
    stmts(model, block, &mut |stmt| own_writes(model, stmt, &mut slots));
    slots
}

/// Returns `true` if a statement itself may write a slot.
pub(crate) fn writes_slot(model: &Model, stmt: &CheckedStmt, slot: SlotId) -> bool {
    let mut slots = BTreeSet::new();
    own_writes(model, stmt, &mut slots);
    slots.contains(&slot)
}

/// Adds the slots that a statement itself may write.
pub(crate) fn own_writes(model: &Model, stmt: &CheckedStmt, slots: &mut BTreeSet<SlotId>) {
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
        | CheckedStmtKind::Let { .. }
        | CheckedStmtKind::SetLocal { .. }
        | CheckedStmtKind::Pick { .. }
        | CheckedStmtKind::Again
        | CheckedStmtKind::Done
        | CheckedStmtKind::Skip
        | CheckedStmtKind::EndGame(_) => {}
    }
}

/// Returns the zones over the same domain as this one, itself included.
pub(crate) fn zones(model: &Model, zone: SlotId) -> impl Iterator<Item = SlotId> {
    let content = model.slots[zone.index()].content;
    let all = (0..).map(SlotId).zip(&model.slots);
    all.filter(move |(_, slot)| slot.role == Role::Zone && slot.content == content).map(|(id, _)| id)
}
