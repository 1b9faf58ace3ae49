//! A bound on the length of games: what only ever grows, and at least once in every turn or decision.
//!
//! A measure is the number of occupied sites of a board from which nothing is ever removed, or a counter that only
//! grows or only shrinks. If every turn advances some measure, there are at most as many turns as all measures
//! together have steps (a ranking function; Turing 1949, Floyd 1967).

use std::collections::BTreeSet;

use super::assigned;
use super::bound::Bounds;
use houserule_game::State;
use houserule_language::syntax::EndTiming;
use houserule_model::{
    Arithmetic, BoardId, CheckedBinder, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmt,
    CheckedStmtKind, Choice, Content, Model, Role, SlotId, Value, exits, walk,
};

/// Upper bounds of a game's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LengthBounds {
    pub(super) turns: Option<u64>,
    pub(super) rolls: Option<u64>,
    pub(super) decisions: Option<u64>,
}

/// Bounds the rest of a game from its first state.
pub(super) fn length_bounds(start: &State) -> LengthBounds {
    let model = start.game().model();
    // A script may change anything, and a round has turns of its own.
    if !model.hooks.is_empty() || model.rounds {
        return LengthBounds::default();
    }
    let mut of = Measures::new(model);
    let steps = of.steps(start);
    let choices: Vec<&Choice> = model.choices.iter().collect();
    let every_option = choices
        .iter()
        .all(|choice| choice.options.iter().all(|option| of.option(&option.binders, &option.body)));
    let decisions = if choices.is_empty() { Some(0) } else { every_option.then_some(steps) };
    of.put = false;
    let passes = of.block(&model.turn, false).filter(|end| end.advances).map(|_| {
        // A turn that an end cuts short may lack its advance; there is only one.
        let cut = model.ends.iter().any(|end| end.timing == EndTiming::AtOnce);
        steps + u64::from(cut)
    });
    let rolls = passes.and_then(|passes| Some(passes * rolls(model, &model.turn)?));
    LengthBounds { turns: passes, rolls, decisions }
}

/// Can the setup have a decision or a chance event?
pub(super) fn setup_draws(model: &Model) -> bool {
    fn draws(of: &mut Bounds<'_>, stmts: &[CheckedStmt]) -> bool {
        stmts.iter().any(|stmt| match &stmt.kind {
            CheckedStmtKind::If { condition, then, otherwise } => {
                let (no, yes) = of.truth(condition);
                yes && draws(of, &then.stmts) || no && draws(of, &otherwise.stmts)
            }
            _ => walk::suspends(of.model, std::slice::from_ref(stmt)),
        })
    }
    draws(&mut Bounds::new(model, assigned::ranges(model)), &model.setup.stmts)
}

/// Returns the boards without families from which nothing is removed.
fn boards(model: &Model) -> BTreeSet<BoardId> {
    let mut kept: BTreeSet<BoardId> = (0..)
        .map(BoardId)
        .zip(&model.boards)
        .filter(|(_, board)| board.index.is_empty())
        .map(|(id, _)| id)
        .collect();
    walk::stmts(model, &model.turn, &mut |stmt| match &stmt.kind {
        CheckedStmtKind::Clear { board, .. } | CheckedStmtKind::Move { board, .. } => {
            kept.remove(board);
        }
        CheckedStmtKind::ClearPiece { piece } => {
            if let Role::Piece(board) = model.slots[piece.slot.index()].role {
                kept.remove(&board);
            }
        }
        _ => {}
    });
    kept
}

/// Returns the number variables that every assignment changes in one direction by a constant: +1 or −1.
pub(super) fn counters(model: &Model) -> Vec<(SlotId, i64)> {
    let mut ways: Vec<Option<Option<i64>>> = vec![Some(None); model.slots.len()];
    walk::stmts(model, &model.turn, &mut |stmt| {
        let CheckedStmtKind::Assign { target, value } = &stmt.kind else { return };
        let way = &mut ways[target.slot.index()];
        let step = step(stmt, value).map(i64::signum).filter(|step| *step != 0);
        *way = match (*way, step) {
            (Some(None), Some(step)) => Some(Some(step)),
            (Some(Some(known)), Some(step)) if known == step => Some(Some(step)),
            _ => None,
        };
    });
    let lasting = |slot: &houserule_model::Slot| {
        slot.role == Role::Variable
            && matches!(slot.content, Content::Number { .. })
            && matches!(slot.life, houserule_model::Life::Game | houserule_model::Life::Match)
    };
    let counted = (0..).map(SlotId).zip(&model.slots).zip(ways);
    counted.filter(|((_, slot), _)| lasting(slot)).filter_map(|((id, _), way)| Some((id, way??))).collect()
}

/// Returns the constant that an assignment adds to its own target.
pub(super) fn step(stmt: &CheckedStmt, value: &CheckedExpr) -> Option<i64> {
    let CheckedStmtKind::Assign { target, .. } = &stmt.kind else { return None };
    let CheckedExprKind::Arithmetic(op, a, b) = &value.kind else { return None };
    let (CheckedExprKind::Read(read), CheckedExprKind::Constant(Value::Number(n))) = (&a.kind, &b.kind)
    else {
        return None;
    };
    let same = read.slot == target.slot
        && read.index.len() == target.index.len()
        && read.index.iter().zip(&target.index).all(|(a, b)| same(a, b));
    match op {
        Arithmetic::Add if same => Some(*n),
        Arithmetic::Subtract if same => n.checked_neg(),
        _ => None,
    }
}

/// Are these the same simple expression?
fn same(a: &CheckedExpr, b: &CheckedExpr) -> bool {
    match (&a.kind, &b.kind) {
        (CheckedExprKind::Me, CheckedExprKind::Me) => true,
        (CheckedExprKind::Local(a), CheckedExprKind::Local(b)) => a == b,
        (CheckedExprKind::Constant(a), CheckedExprKind::Constant(b)) => a == b,
        (CheckedExprKind::Read(a), CheckedExprKind::Read(b)) => {
            a.slot == b.slot
                && a.index.len() == b.index.len()
                && a.index.iter().zip(&b.index).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}

pub(super) struct Measures<'m> {
    model: &'m Model,
    boards: BTreeSet<BoardId>,
    counters: Vec<(SlotId, i64)>,
    /// Locals that are bound to an empty site that nothing has filled yet, by their boards.
    sure: BTreeSet<(u32, BoardId)>,
    /// Locals that are bound to a column, or else a row, in which a site is empty, by their boards.
    lines: BTreeSet<(u32, BoardId, bool)>,
    /// Something was put since the turn began.
    put: bool,
}

/// What holds at the end of a block.
#[derive(Clone, Copy, Debug)]
struct BlockEnd {
    /// Every way through has advanced a measure.
    advances: bool,
    /// No way leads here.
    left: bool,
}

impl<'m> Measures<'m> {
    pub(super) fn new(model: &'m Model) -> Measures<'m> {
        let (boards, counters) = (boards(model), counters(model));
        Measures { model, boards, counters, sure: BTreeSet::new(), lines: BTreeSet::new(), put: false }
    }

    /// The number of steps that all measures have left.
    fn steps(&self, start: &State) -> u64 {
        let mut steps = 0u64;
        // Before the end of a setup with chance, nothing is known of what it puts and assigns.
        let whole = setup_draws(self.model);
        for board in &self.boards {
            if let Value::Set(empty) = start.value(self.model.boards[board.index()].empty, 0) {
                steps += u64::from(if whole { empty.size() } else { empty.len() });
            }
        }
        for (id, way) in &self.counters {
            let slot = &self.model.slots[id.index()];
            let Content::Number { low, high } = slot.content else { continue };
            for place in 0..slot.initial.len() {
                let Value::Number(now) = start.value(*id, place) else { continue };
                let left = if *way > 0 { high.abs_diff(now) } else { now.abs_diff(low) };
                steps = steps.saturating_add(if whole { high.abs_diff(low) } else { left });
            }
        }
        steps
    }

    /// Returns `true` if taking an option always advances a measure.
    fn option(&mut self, binders: &'m [CheckedBinder], body: &'m CheckedBlock) -> bool {
        self.forget();
        self.bind(binders);
        self.block(body, false).is_some_and(|end| end.advances || end.left)
    }

    /// Forgets what is known of locals.
    fn forget(&mut self) {
        self.sure.clear();
        self.lines.clear();
    }

    /// Notes the binders that are empty sites.
    fn bind(&mut self, binders: &'m [CheckedBinder]) {
        for binder in binders.iter().filter(|binder| !binder.subset) {
            if let Some(board) = self.board_of_empty(&binder.over) {
                self.sure.insert((binder.local.0, board));
            }
            if let CheckedExprKind::Columns(board, of) | CheckedExprKind::Rows(board, of) = &binder.over.kind
                && matches!(of.kind, CheckedExprKind::Read(_))
                && self.board_of_empty(of) == Some(*board)
            {
                let is_column = matches!(binder.over.kind, CheckedExprKind::Columns(..));
                self.lines.insert((binder.local.0, *board, is_column));
            }
        }
    }

    /// Does this set certainly have an empty site?
    fn fills(&self, at: &CheckedExpr, board: BoardId) -> bool {
        match &at.kind {
            CheckedExprKind::Local(local) => self.sure.contains(&(local.0, board)),
            CheckedExprKind::Elements(list) => list.iter().any(|one| self.fills(one, board)),
            CheckedExprKind::Union(a, b) => self.fills(a, board) || self.fills(b, board),
            // The lowest site of `column(x) & empty`, for an x of `columns(empty)`.
            CheckedExprKind::First(of) | CheckedExprKind::Last(of) => {
                let CheckedExprKind::Intersect(a, b) = &of.kind else { return false };
                let line = |line: &CheckedExpr, empty: &CheckedExpr| match &line.kind {
                    CheckedExprKind::Column(on, n) | CheckedExprKind::Row(on, n) => {
                        let CheckedExprKind::ValueOf(n) = &n.kind else { return false };
                        let CheckedExprKind::Local(local) = &n.kind else { return false };
                        let is_column = matches!(line.kind, CheckedExprKind::Column(..));
                        *on == board
                            && matches!(empty.kind, CheckedExprKind::Read(_))
                            && self.board_of_empty(empty) == Some(board)
                            && self.lines.contains(&(local.0, board, is_column))
                    }
                    _ => false,
                };
                line(a, b) || line(b, a)
            }
            _ => false,
        }
    }

    /// Returns the board of which a set has only empty sites.
    fn board_of_empty(&self, set: &CheckedExpr) -> Option<BoardId> {
        match &set.kind {
            CheckedExprKind::Read(target) => match self.model.slots[target.slot.index()].role {
                Role::Empty(board) if self.boards.contains(&board) => Some(board),
                _ => None,
            },
            CheckedExprKind::Intersect(a, b) => self.board_of_empty(a).or_else(|| self.board_of_empty(b)),
            CheckedExprKind::Minus(a, _) => self.board_of_empty(a),
            CheckedExprKind::Filter { over, .. } => self.board_of_empty(over),
            _ => None,
        }
    }

    /// Follows a block. Returns `None` if a way leaves the turn without an advance.
    fn block(&mut self, block: &'m CheckedBlock, advanced: bool) -> Option<BlockEnd> {
        let mut end = BlockEnd { advances: advanced, left: false };
        for stmt in &block.stmts {
            end = self.stmt(stmt, end.advances)?;
            if end.left {
                break;
            }
        }
        Some(end)
    }

    fn stmt(&mut self, stmt: &'m CheckedStmt, advanced: bool) -> Option<BlockEnd> {
        if stmt.kind.exit().is_some() {
            return advanced.then_some(BlockEnd { advances: true, left: true });
        }
        let on = |advances: bool| Some(BlockEnd { advances, left: false });
        match &stmt.kind {
            CheckedStmtKind::Step { body, .. } | CheckedStmtKind::As { body, .. } => {
                let end = self.block(body, advanced)?;
                // `skip` leaves a step, not the turn.
                on(end.advances)
            }
            CheckedStmtKind::If { then, otherwise, .. } => {
                let before = (self.sure.clone(), self.lines.clone());
                let one = self.block(then, advanced)?;
                let sure = std::mem::replace(&mut self.sure, before.0);
                let lines = std::mem::replace(&mut self.lines, before.1);
                let other = self.block(otherwise, advanced)?;
                self.sure = self.sure.intersection(&sure).copied().collect();
                self.lines = self.lines.intersection(&lines).copied().collect();
                Some(common_end(one, other))
            }
            CheckedStmtKind::Choose(choice) => {
                let model = self.model;
                let choice = &model.choices[choice.index()];
                let mut end: Option<BlockEnd> = None;
                let never_stuck = self.is_never_stuck(choice);
                for option in &choice.options {
                    self.forget();
                    self.bind(&option.binders);
                    let one = self.block(&option.body, advanced)?;
                    end = Some(end.map_or(one, |end| common_end(end, one)));
                }
                self.forget();
                let none = match &choice.otherwise {
                    Some(block) => self.block(block, advanced)?,
                    None if never_stuck => return end,
                    None => BlockEnd { advances: advanced, left: false },
                };
                Some(end.map_or(none, |end| common_end(end, none)))
            }
            CheckedStmtKind::Put { piece, at, .. } => {
                let Role::Piece(board) = self.model.slots[piece.slot.index()].role else {
                    return on(advanced);
                };
                let fills = self.fills(at, board);
                self.put = true;
                // The other locals may be the same site.
                self.sure.retain(|(_, of)| *of != board);
                self.lines.retain(|(_, of, _)| *of != board);
                on(advanced || fills)
            }
            CheckedStmtKind::Assign { target, .. } => {
                on(advanced || self.counters.iter().any(|(slot, _)| *slot == target.slot))
            }
            // They may run no time at all, and what they fill may be filled again.
            CheckedStmtKind::For { body, .. }
            | CheckedStmtKind::While { body, .. }
            | CheckedStmtKind::Chance { body, .. } => {
                self.forget();
                self.block(body, advanced)?;
                self.forget();
                on(advanced)
            }
            CheckedStmtKind::Repeat { body, .. } => {
                self.forget();
                let end = self.block(body, advanced)?;
                self.forget();
                on(end.advances)
            }
            CheckedStmtKind::Pick { local, over, by: None } => {
                // A pick from an empty set gives none; then nothing is put.
                if self.is_nonempty(over)
                    && let Some(board) = self.board_of_empty(over)
                {
                    self.sure.insert((local.0, board));
                }
                on(advanced)
            }
            CheckedStmtKind::Turns { .. } | CheckedStmtKind::Call { .. } => None,
            CheckedStmtKind::Let { .. }
            | CheckedStmtKind::SetLocal { .. }
            | CheckedStmtKind::Clear { .. }
            | CheckedStmtKind::ClearPiece { .. }
            | CheckedStmtKind::Move { .. }
            | CheckedStmtKind::MoveTo { .. }
            | CheckedStmtKind::Roll { .. }
            | CheckedStmtKind::Pick { .. }
            | CheckedStmtKind::Next(_) => on(advanced),
            exits!() => on(advanced),
        }
    }

    /// Returns `true` if a turn never begins with a choice without a legal action: an option takes any empty site,
    /// and the game ends once there is none.
    pub(super) fn is_never_stuck(&self, choice: &Choice) -> bool {
        choice.options.iter().any(|option| {
            option.filter.is_none()
                && option.ensuring.is_none()
                && matches!(option.binders.as_slice(), [one] if self.is_nonempty(&one.over))
        })
    }

    /// Returns `true` if a set is all empty sites of a board, and the game ends once there is none.
    fn is_nonempty(&self, set: &CheckedExpr) -> bool {
        if let CheckedExprKind::Columns(_, of) | CheckedExprKind::Rows(_, of) = &set.kind {
            return self.is_nonempty(of);
        }
        let CheckedExprKind::Read(empty) = &set.kind else { return false };
        let is_full = |when: &CheckedExpr| match &when.kind {
            CheckedExprKind::Not(some) => match &some.kind {
                CheckedExprKind::IsSome(of) => {
                    matches!(&of.kind, CheckedExprKind::Read(read) if read.slot == empty.slot)
                }
                _ => false,
            },
            _ => false,
        };
        // Only the first choice of a turn is sure to follow the test of the ends.
        let mut again = false;
        walk::stmts(self.model, &self.model.turn, &mut |stmt| {
            again |= matches!(stmt.kind, CheckedStmtKind::Again)
        });
        let single = self.model.choices.len() <= 1 && !again && !self.put;
        single
            && self.board_of_empty(set).is_some()
            && self.model.ends.iter().any(|end| end.timing != EndTiming::Round && is_full(&end.when))
    }
}

/// What is sure at the end of a block if one of two blocks is carried out.
fn common_end(a: BlockEnd, b: BlockEnd) -> BlockEnd {
    BlockEnd { advances: (a.advances || a.left) && (b.advances || b.left), left: a.left && b.left }
}

/// Returns the greatest number of rolls on a way through a block, or `None` if a loop may roll.
fn rolls(model: &Model, block: &CheckedBlock) -> Option<u64> {
    let mut sum = 0;
    for stmt in &block.stmts {
        sum += match &stmt.kind {
            CheckedStmtKind::Roll { .. } => 1,
            CheckedStmtKind::Choose(_) | CheckedStmtKind::If { .. } => {
                let inner = walk::blocks(model, stmt);
                inner
                    .into_iter()
                    .map(|block| rolls(model, block))
                    .try_fold(0, |most, n| Some(n?.max(most)))?
            }
            CheckedStmtKind::Step { body, .. } | CheckedStmtKind::As { body, .. } => rolls(model, body)?,
            _ => {
                let inner = walk::blocks(model, stmt);
                match inner.into_iter().all(|block| rolls(model, block) == Some(0)) {
                    true => 0,
                    false => return None,
                }
            }
        };
    }
    Some(sum)
}
