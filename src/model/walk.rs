//! Traversals of a checked model: its expressions, its statements, and the slots they read and write.

use std::collections::{BTreeSet, HashSet};

use crate::model::{
    Block, Builtin, Expr, ExprKind, LocalId, Model, Role, Slot, SlotId, Stmt, StmtKind, Target,
};

/// Calls `f` for an expression and all its subexpressions.
pub(crate) fn expr<'m>(e: &'m Expr, f: &mut dyn FnMut(&'m Expr)) {
    f(e);
    children(e, &mut |child| expr(child, f));
}

/// Calls `f` for the direct subexpressions of an expression.
pub(crate) fn children<'m>(e: &'m Expr, f: &mut dyn FnMut(&'m Expr)) {
    match &e.kind {
        ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Me => {}
        ExprKind::Read(target) => target.index.iter().for_each(f),
        ExprKind::Table(_, list) | ExprKind::Elements(list) | ExprKind::Call { args: list, .. } => {
            list.iter().for_each(f)
        }
        ExprKind::ValueOf(a)
        | ExprKind::ElementOf(a)
        | ExprKind::Negate(a)
        | ExprKind::Not(a)
        | ExprKind::IsSome(a)
        | ExprKind::Count(a)
        | ExprKind::First(a)
        | ExprKind::Last(a)
        | ExprKind::ColumnOf(_, a)
        | ExprKind::RowOf(_, a)
        | ExprKind::Column(_, a)
        | ExprKind::Row(_, a)
        | ExprKind::Columns(_, a)
        | ExprKind::Rows(_, a)
        | ExprKind::SidesOf(_, a)
        | ExprKind::CellsAt(_, a)
        | ExprKind::Neighbours { of: a, .. }
        | ExprKind::Fill { of: a, .. }
        | ExprKind::Shift { of: a, .. }
        | ExprKind::Ray { of: a, .. }
        | ExprKind::Lines { of: a, .. }
        | ExprKind::Repeated { times: a, .. }
        | ExprKind::Longest { of: a, .. } => f(a),
        ExprKind::As { player: a, value: b }
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Same(a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Contains { set: a, element: b }
        | ExprKind::Subset(a, b)
        | ExprKind::Union(a, b)
        | ExprKind::Intersect(a, b)
        | ExprKind::Minus(a, b)
        | ExprKind::Filter { over: a, condition: b, .. }
        | ExprKind::Quantified { over: a, body: b, .. }
        | ExprKind::Cell { column: a, row: b, .. }
        | ExprKind::Runs { of: a, length: b, .. }
        | ExprKind::Enclosed { near: a, walls: b, .. }
        | ExprKind::Reach { seed: a, within: b, .. } => {
            f(a);
            f(b);
        }
        ExprKind::After { player, among } => {
            f(player);
            if let Some(among) = among {
                f(among);
            }
        }
        ExprKind::If(a, b, c) | ExprKind::Custodial { from: a, to: b, through: c, .. } => {
            f(a);
            f(b);
            f(c);
        }
    }
}

/// Calls `f` for every statement of a block, including those of options, in pre-order.
pub(crate) fn stmts<'m>(model: &'m Model, block: &'m Block, f: &mut dyn FnMut(&'m Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        for inner in blocks(model, stmt) {
            stmts(model, inner, f);
        }
    }
}

/// Returns the top-level blocks of a game's rules.
pub(crate) fn all_blocks(model: &Model) -> [&Block; 3] {
    [&model.setup, &model.turn, &model.on_end]
}

/// Returns the blocks directly inside a statement.
pub(crate) fn blocks<'m>(model: &'m Model, stmt: &'m Stmt) -> Vec<&'m Block> {
    match stmt.kind {
        StmtKind::Choose(choice) => model.choices[choice.index()].blocks().collect(),
        _ => stmt.blocks(),
    }
}

/// Returns the expressions directly inside a statement, including those of a choice's options.
pub(crate) fn own_exprs<'m>(model: &'m Model, stmt: &'m Stmt) -> Vec<&'m Expr> {
    fn of<'m>(target: &'m Target, more: &[&'m Expr]) -> Vec<&'m Expr> {
        target.index.iter().chain(more.iter().copied()).collect()
    }
    match &stmt.kind {
        StmtKind::Choose(choice) => model.choices[choice.index()]
            .options
            .iter()
            .flat_map(|o| o.binders.iter().map(|b| &b.over).chain(&o.filter).chain(&o.ensuring))
            .collect(),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => vec![condition],
        StmtKind::For { over, from, .. } => std::iter::once(over).chain(from).collect(),
        StmtKind::Repeat { until, .. } => vec![until],
        StmtKind::Chance { given, .. } => vec![given],
        StmtKind::As { player: one, .. } | StmtKind::Turns { from: one, .. } => vec![one],
        StmtKind::Let { value, .. } | StmtKind::SetLocal { value, .. } => vec![value],
        StmtKind::Assign { target, value } => of(target, &[value]),
        StmtKind::Put { piece, at, .. } => of(piece, &[at]),
        StmtKind::Clear { index, at, .. } => index.iter().chain([at]).collect(),
        StmtKind::ClearPiece { piece } => of(piece, &[]),
        StmtKind::Move { index, from, to, .. } => index.iter().chain([from, to]).collect(),
        StmtKind::MoveTo { what, zone } => of(zone, &[what]),
        StmtKind::Roll { dice, among } => dice.index.iter().chain(among).collect(),
        StmtKind::Pick { over, by, .. } => by.iter().flat_map(|zone| &zone.index).chain([over]).collect(),
        StmtKind::Next(player) => vec![player],
        StmtKind::Call { args, .. } => args.iter().collect(),
        StmtKind::Step { .. } | StmtKind::Again | StmtKind::Done | StmtKind::Skip | StmtKind::EndGame(_) => {
            vec![]
        }
    }
}

/// Calls `f` for every expression of the model and its subexpressions, except in `on_end`.
pub(crate) fn all_exprs<'m>(model: &'m Model, f: &mut dyn FnMut(&'m Expr)) {
    for block in [&model.setup, &model.turn] {
        block_exprs(model, block, f);
    }
    for end in &model.ends {
        expr(&end.when, f);
        if let Some(crate::model::EndResult::Win(p) | crate::model::EndResult::Lose(p)) = &end.result {
            expr(p, f);
        }
    }
    model.score.iter().for_each(|item| expr(&item.value, f));
    model.winner.iter().for_each(|rank| expr(&rank.value, f));
    if let Some(rules) = &model.match_rules
        && let crate::model::MatchLength::Until(until) = &rules.length
    {
        expr(until, f);
    }
}

/// Calls `f` for every expression of a block and its subexpressions.
pub(crate) fn block_exprs<'m>(model: &'m Model, block: &'m Block, f: &mut dyn FnMut(&'m Expr)) {
    stmts(model, block, &mut |stmt| own_exprs(model, stmt).into_iter().for_each(|e| expr(e, f)));
}

/// Returns the locals that iterate over elements, and so are never `none`.
pub(crate) fn elements_bound(model: &Model) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    all_exprs(model, &mut |e| {
        if let ExprKind::Filter { local, .. } | ExprKind::Quantified { local, .. } = &e.kind {
            found.insert(*local);
        }
    });
    for block in [&model.setup, &model.turn] {
        stmts(model, block, &mut |stmt| {
            let StmtKind::Choose(choice) = &stmt.kind else { return };
            let options = &model.choices[choice.index()].options;
            let binders = options.iter().flat_map(|option| &option.binders);
            found.extend(binders.filter(|binder| !binder.subset).map(|binder| binder.local));
        });
    }
    found
}

/// Returns `true` if these statements can stop for a decision or a chance event.
pub(crate) fn suspends<'m>(model: &'m Model, list: &'m [Stmt]) -> bool {
    list.iter().any(|stmt| {
        stops(model, stmt) || blocks(model, stmt).into_iter().any(|inner| suspends(model, &inner.stmts))
    })
}

/// Returns `true` if a statement itself can stop for a decision or a chance event.
fn stops(model: &Model, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Choose(_) | StmtKind::Roll { .. } | StmtKind::Pick { .. } => true,
        StmtKind::Call { hook, .. } => model.hooks[hook.index()].draws,
        StmtKind::Step { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Repeat { .. }
        | StmtKind::Chance { .. }
        | StmtKind::As { .. }
        | StmtKind::Turns { .. }
        | StmtKind::Let { .. }
        | StmtKind::SetLocal { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Put { .. }
        | StmtKind::Clear { .. }
        | StmtKind::ClearPiece { .. }
        | StmtKind::Move { .. }
        | StmtKind::MoveTo { .. }
        | StmtKind::Next(_)
        | StmtKind::Again
        | StmtKind::Done
        | StmtKind::Skip
        | StmtKind::EndGame(_) => false,
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
pub(crate) fn dependence(e: &Expr) -> Dependence<'_> {
    match &e.kind {
        ExprKind::Read(target) => Dependence::Slot(target),
        ExprKind::Local(_) => Dependence::Local,
        ExprKind::Me => Dependence::Me,
        ExprKind::As { .. } => Dependence::OtherMe,
        ExprKind::Repeated { .. } => Dependence::Past,
        ExprKind::Call { .. } => Dependence::Script,
        ExprKind::Constant(_)
        | ExprKind::After { .. }
        | ExprKind::ValueOf(_)
        | ExprKind::ElementOf(_)
        | ExprKind::Table(..)
        | ExprKind::Negate(_)
        | ExprKind::Arithmetic(..)
        | ExprKind::Compare(..)
        | ExprKind::Same(..)
        | ExprKind::Not(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::If(..)
        | ExprKind::Contains { .. }
        | ExprKind::Subset(..)
        | ExprKind::IsSome(_)
        | ExprKind::Elements(_)
        | ExprKind::Union(..)
        | ExprKind::Intersect(..)
        | ExprKind::Minus(..)
        | ExprKind::Filter { .. }
        | ExprKind::Quantified { .. }
        | ExprKind::Count(_)
        | ExprKind::First(_)
        | ExprKind::Last(_)
        | ExprKind::Cell { .. }
        | ExprKind::ColumnOf(..)
        | ExprKind::RowOf(..)
        | ExprKind::Column(..)
        | ExprKind::Row(..)
        | ExprKind::Columns(..)
        | ExprKind::Rows(..)
        | ExprKind::Neighbours { .. }
        | ExprKind::SidesOf(..)
        | ExprKind::CellsAt(..)
        | ExprKind::Shift { .. }
        | ExprKind::Ray { .. }
        | ExprKind::Lines { .. }
        | ExprKind::Longest { .. }
        | ExprKind::Runs { .. }
        | ExprKind::Reach { .. }
        | ExprKind::Enclosed { .. }
        | ExprKind::Fill { .. }
        | ExprKind::Custodial { .. } => Dependence::None,
    }
}

/// Returns the slots that an expression reads, and whether it depends on the acting player.
pub(crate) fn reads(e: &Expr) -> (BTreeSet<SlotId>, bool) {
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
pub(crate) fn writes(model: &Model, block: &Block) -> BTreeSet<SlotId> {
    let mut slots = BTreeSet::new();
    stmts(model, block, &mut |stmt| own_writes(model, stmt, &mut slots));
    slots
}

/// Adds the slots that a statement itself may write.
pub(crate) fn own_writes(model: &Model, stmt: &Stmt, slots: &mut BTreeSet<SlotId>) {
    let mut board_of = |slot: SlotId| {
        if let Role::Piece(board) = model.slots[slot.index()].role {
            let board = &model.boards[board.index()];
            slots.extend(board.pieces.iter().chain([&board.empty]));
        }
    };
    match &stmt.kind {
        StmtKind::Assign { target, .. } => {
            slots.insert(target.slot);
        }
        StmtKind::Put { piece, .. } | StmtKind::ClearPiece { piece } => board_of(piece.slot),
        StmtKind::Clear { board, .. } | StmtKind::Move { board, .. } => {
            let board = &model.boards[board.index()];
            slots.extend(board.pieces.iter().chain([&board.empty]));
        }
        StmtKind::MoveTo { zone, .. } => slots.extend(zones(model, zone.slot)),
        StmtKind::Roll { dice, .. } => {
            slots.insert(dice.slot);
        }
        StmtKind::Next(_) => {
            slots.insert(Builtin::NextMover.slot());
        }
        StmtKind::Call { .. } => {
            let free = |slot: &Slot| matches!(slot.role, Role::Variable | Role::Piece(_) | Role::Empty(_));
            slots
                .extend((0..).map(SlotId).zip(&model.slots).filter(|(_, slot)| free(slot)).map(|(id, _)| id));
        }
        StmtKind::Turns { .. } => {
            slots.extend([Builtin::Mover, Builtin::ToCome].map(Builtin::slot));
        }
        StmtKind::Step { .. }
        | StmtKind::Choose(_)
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Repeat { .. }
        | StmtKind::Chance { .. }
        | StmtKind::As { .. }
        | StmtKind::Let { .. }
        | StmtKind::SetLocal { .. }
        | StmtKind::Pick { .. }
        | StmtKind::Again
        | StmtKind::Done
        | StmtKind::Skip
        | StmtKind::EndGame(_) => {}
    }
}

/// Returns the zones over the same domain as this one, itself included.
pub(crate) fn zones(model: &Model, zone: SlotId) -> impl Iterator<Item = SlotId> {
    let content = model.slots[zone.index()].content;
    let all = (0..).map(SlotId).zip(&model.slots);
    all.filter(move |(_, slot)| slot.role == Role::Zone && slot.content == content).map(|(id, _)| id)
}
