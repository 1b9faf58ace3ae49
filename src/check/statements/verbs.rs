//! Statements without a block: put, clear, move, roll, pick, and those that leave a step or turn.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::declarations::zones::ZoneEnd;
use crate::draft::Draft;
use crate::expressions::several::IndexUse;
use crate::messages::last_word;
use crate::names::name_table::Entity;
use crate::values::{May, Val, constant_set};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, Name, StmtKind as T};
use houserule_language::vocabulary::Place;
use houserule_language::vocabulary::statements::verb;
use houserule_model::walk::children_mut;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks a statement without a block.
    pub(super) fn verb(
        &mut self,
        stmt: &'a syntax::Stmt,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let span = stmt.span;
        match &stmt.kind {
            T::Put { piece, at, replacing } => self.put(piece, at, *replacing),
            T::Clear(what) => self.clear(what, span, out),
            T::Move { count, what, on: None, onto: None, from, to, below, replacing }
                if from.is_some() || *below || self.names_zone(to) =>
            {
                if *replacing {
                    let at = last_word(span, "replacing");
                    let d = Diagnostic::error(Code::Misplaced, at, "nothing is replaced in a zone")
                        .help("leave `replacing` out: a zone holds any number of elements");
                    self.draft.messages.report(d);
                }
                self.move_to_zone(
                    count.as_deref(),
                    what,
                    from.as_ref(),
                    ZoneEnd { zone: to, is_bottom: *below },
                    span,
                    out,
                );
                None
            }
            T::Move { count: _, what, on, onto, from: _, to, below: _, replacing } => {
                self.move_statement(what, on.as_ref(), to, onto.as_ref(), *replacing, span, out)
            }
            T::Draw { name, from, lower, to, below } => {
                let from = ZoneEnd { zone: from, is_bottom: *lower };
                let to = to.as_ref().map(|zone| ZoneEnd { zone, is_bottom: *below });
                self.draw(name, from, to, span, out);
                None
            }
            T::Deal { count, from, lower, to, below } => {
                let from = ZoneEnd { zone: from, is_bottom: *lower };
                self.deal(count, from, ZoneEnd { zone: to, is_bottom: *below }, span, out)
            }
            T::Shuffle(zone) => {
                self.shuffle(zone, span, out);
                None
            }
            T::Swap(one, other, among) => {
                self.swap(one, other, among.as_ref(), span, out);
                None
            }
            T::Roll { dice, among } => self.roll(dice, among.as_ref(), span, out),
            T::Pick { name, over } => self.pick(name, over),
            T::Next(player) => {
                if self.input.has_round() {
                    let d = Diagnostic::error(
                        Code::Misplaced,
                        span,
                        "`next` can't be used in rules with `round`, where every player has a turn",
                    )
                    .help(
                        "`starter = p` says who begins the next round, `each player from p` who begins now",
                    );
                    self.draft.messages.report(d);
                }
                let value = self.expr(player, Some(PLAYER));
                self.element(value, PLAYER, player.span).map(|(p, _)| CheckedStmtKind::Next(p))
            }
            T::Again => self.check_leaving(CheckedStmtKind::Again, span),
            T::Done => self.check_leaving(CheckedStmtKind::Done, span),
            T::EndGame { name, result, .. } => {
                let end = self.stated_end(name.as_ref(), span);
                let checked = result.as_ref().map(|result| self.end_result(result));
                let kind = CheckedStmtKind::EndGame { end, result: checked.clone().flatten() };
                let kind = self.check_leaving(kind, span);
                // An error in the result has been reported.
                kind.filter(|_| !matches!(checked, Some(None)))
            }
            T::Skip => {
                if self.position.step.is_none() && self.context.place != StatementContext::Anywhere {
                    let d = Diagnostic::error(Code::Misplaced, span, "`skip` is used outside a step")
                        .help("put a step around what it leaves, such as a loop: `step NAME { while true { … } }`; `done` leaves the turn");
                    self.draft.messages.report(d);
                }
                Some(CheckedStmtKind::Skip)
            }
            // [`Self::statement`] has the statements with a block, and those with a file of their own.
            T::Step { .. }
            | T::Choose(_)
            | T::If { .. }
            | T::For { .. }
            | T::While { .. }
            | T::Repeat { .. }
            | T::Chance { .. }
            | T::EachPlayer { .. }
            | T::Together(_)
            | T::As { .. }
            | T::Let { .. }
            | T::Assign { .. }
            | T::Reveal { .. }
            | T::Call { .. }
            | T::Hole => None,
        }
    }

    /// Reports a statement that leaves a turn or the game where that isn't possible.
    fn check_leaving(&mut self, kind: CheckedStmtKind, span: Span) -> Option<CheckedStmtKind> {
        let word = kind.exit().map_or("", Exit::word);
        let keyword = word.split(' ').next().unwrap_or_default();
        let in_rounds = verb(keyword).is_some_and(|verb| verb.place == Place::TurnsAndRounds);
        match self.context.place {
            StatementContext::Turn | StatementContext::Anywhere => {}
            StatementContext::Round if in_rounds => {}
            StatementContext::Round => {
                let message = format!("`{word}` is used outside a player's turn");
                let d = Diagnostic::error(Code::Misplaced, span, message).help(
                    "move it into `each player from starter as me { … }`; to leave only the step, use `skip`",
                );
                self.draft.messages.report(d);
            }
            _ => self.draft.messages.error(Code::Misplaced, span, format!("`{word}` is used outside a turn")),
        }
        Some(kind)
    }

    /// The slot of a piece named in an expression, with the written index. Returns `None` for other
    /// expressions.
    fn piece_slot(&mut self, e: &'a syntax::Expr) -> Option<(SlotId, &'a str, &'a [syntax::Expr])> {
        self.slot_named(e, |role| matches!(role, Role::Piece(_)))
    }

    /// The slot named in an expression, with the written index, if its role is `wanted`.
    pub(crate) fn slot_named(
        &mut self,
        e: &'a syntax::Expr,
        wanted: impl Fn(Role) -> bool,
    ) -> Option<(SlotId, &'a str, &'a [syntax::Expr])> {
        let (name, index): (&'a Name, &'a [syntax::Expr]) = match &e.kind {
            S::Name(name) => (name, &[]),
            S::Index(base, index) => match &base.kind {
                S::Name(name) => (name, index),
                _ => return None,
            },
            _ => return None,
        };
        if self.scopes.local(&name.text).is_some() {
            return None;
        }
        match self.declared_entity(&name.text, name.span) {
            Some(Entity::Slot(slot)) if wanted(self.draft.model.slots[slot.index()].role) => {
                self.refer_to_declaration(name);
                Some((slot, &name.text, index))
            }
            _ => None,
        }
    }

    fn put(
        &mut self,
        piece: &'a syntax::Expr,
        at: &'a syntax::Expr,
        replacing: bool,
    ) -> Option<CheckedStmtKind> {
        let Some((slot, name, index)) = self.piece_slot(piece) else {
            let value = self.expr(piece, None);
            self.expr(at, None);
            if !matches!(value, Val::Poison) {
                let found = self.draft.describe(&value);
                let d = Diagnostic::error(
                    Code::NotAPiece,
                    piece.span,
                    format!("expected a piece, found {found}"),
                )
                .note("expected a name declared with `piece`, with its whole index");
                self.draft.messages.report(d);
            }
            return None;
        };
        let domains = self.draft.model.slots[slot.index()].index.clone();
        if index.len() != domains.len() {
            self.draft.report_index_count(name, &domains, index.len(), piece.span);
            self.expr(at, None);
            return None;
        }
        let index = self.check_index_for(index, &domains, IndexUse::Change(name, slot));
        let domain = match self.draft.model.slots[slot.index()].content {
            Content::Set(domain) => domain,
            _ => return None,
        };
        let value = self.expr(at, Some(domain));
        let may_fall = match &value {
            Val::Expr(_, may) => *may != May::Never,
            other => matches!(other, Val::None(_)),
        };
        let at = self.set(value, Some(domain), at.span);
        let meant = MoveIntent { replacing, may_fall };
        let (index, mut at) = (index?, at?);
        if let Role::Piece(board) = self.draft.model.slots[slot.index()].role {
            let on = self.draft.model.boards[board.index()].index.len();
            at = self.draft.sites_there(board, &index[..on], at);
        }
        Some(CheckedStmtKind::Put { piece: Target { slot, index }, at, meant })
    }

    fn clear(
        &mut self,
        what: &'a syntax::Expr,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        if let Some((slot, name, index)) = self.piece_slot(what) {
            let domains = self.draft.model.slots[slot.index()].index.clone();
            if index.len() > domains.len() {
                self.draft.report_index_count(name, &domains, index.len(), what.span);
                return None;
            }
            let mut all = vec![self.check_index_for(index, &domains, IndexUse::Change(name, slot))?];
            for domain in &domains[index.len()..] {
                let mut next = vec![];
                for prefix in all {
                    for place in 0..self.draft.size(*domain) {
                        if !self.draft.afford_node(span) {
                            return None;
                        }
                        let mut index = prefix.clone();
                        index.push(self.draft.constant_element(*domain, place, what.span));
                        next.push(index);
                    }
                }
                all = next;
            }
            for index in all {
                out.push(CheckedStmt {
                    kind: CheckedStmtKind::ClearPiece { piece: Target { slot, index } },
                    span,
                });
            }
            return None;
        }
        let (at, domain) = self.over(what, None)?;
        let Some(board) = self.draft.board_of(domain) else {
            self.draft.report_mismatch(what.span, "a set of sites", &Val::sure(at));
            return None;
        };
        let index = self.draft.board_index(board, &at)?;
        let at = self.draft.sites_there(board, &index, at);
        Some(CheckedStmtKind::Clear { board, index, at })
    }

    fn roll(
        &mut self,
        dice: &'a [syntax::Expr],
        among: Option<&'a syntax::Expr>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        if let (Some(among), [_, _, ..]) = (among, dice) {
            self.draft.messages.error(Code::Misplaced, among.span, "`among` goes with one set of dice only");
            return None;
        }
        for e in dice {
            if among.is_none()
                && let Some((dice, some)) = self.subset_of_dice(e)
            {
                out.push(CheckedStmt { kind: CheckedStmtKind::Roll { dice, among: Some(some) }, span });
                continue;
            }
            let Some(dice) = self.dice(e) else { continue };
            let among = match among {
                Some(among) => {
                    let domain = self.draft.die_domain(&dice);
                    match self.set_of(among, Some(domain)) {
                        Some((set, _)) => Some(set),
                        None => continue,
                    }
                }
                None => None,
            };
            let dice = Target { slot: dice.slot, index: dice.index };
            out.push(CheckedStmt { kind: CheckedStmtKind::Roll { dice, among }, span });
        }
        None
    }

    fn pick(&mut self, name: &'a Name, over: &'a syntax::Expr) -> Option<CheckedStmtKind> {
        let Some((over, domain)) = self.over(over, None) else {
            self.bind(name, crate::names::scopes::Binding::Argument(Val::Poison));
            return None;
        };
        let some = constant_set(&over).is_some_and(|s| !s.is_empty());
        let local = self.bind_local(name, Type::Element(domain), !some);
        if !some && self.scopes.knows(&self.draft.model, &over) {
            self.scopes.facts.learn([self.draft.is_local(local)]);
        }
        Some(CheckedStmtKind::Pick { local, over, by: None })
    }
}

impl Draft {
    /// The index of the board that a set of sites refers to: that of a piece or of `empty` in it.
    fn board_index(&mut self, board: BoardId, at: &CheckedExpr) -> Option<Vec<CheckedExpr>> {
        let parts = self.model.boards[board.index()].index.len();
        if parts == 0 {
            return Some(vec![]);
        }
        let mut expr = at.clone();
        match self.index_within(board, parts, &mut expr) {
            Some(index) => Some(index.iter().map(|e| self.copy(e)).collect()),
            None => {
                let name = self.model.boards[board.index()].name.clone();
                let d = Diagnostic::error(
                    Code::AmbiguousName,
                    at.span,
                    format!("there are several boards `{name}`: which is meant?"),
                )
                .help("name a piece or `empty` with its index: `clear c & mark[me]`");
                self.messages.report(d);
                None
            }
        }
    }

    pub(super) fn index_within(
        &self,
        board: BoardId,
        parts: usize,
        e: &mut CheckedExpr,
    ) -> Option<Vec<CheckedExpr>> {
        if let CheckedExprKind::Read(target) = &e.kind {
            let role = self.model.slots[target.slot.index()].role;
            if role == Role::Piece(board) || role == Role::Empty(board) {
                return Some(target.index[..parts].to_vec());
            }
        }
        let mut found = None;
        children_mut(&mut e.kind, &mut |part| {
            if found.is_none() {
                found = self.index_within(board, parts, part);
            }
        });
        found
    }
}
