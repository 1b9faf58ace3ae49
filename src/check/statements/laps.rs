//! `each player of S from p until C`: some players act in turn, round after round, as in a bidding. It becomes a loop
//! over the next player who takes part.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::draft::Draft;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks `each player of S from p until C as me { … }`. S and C are evaluated before each player acts.
    pub(super) fn players_in_turn(
        &mut self,
        of: Option<&'a syntax::Expr>,
        from: Option<&'a syntax::Expr>,
        until: Option<&'a syntax::Expr>,
        body: &'a syntax::Block,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        self.forget_assigned(body);
        let first = self.first_to_act(from, span);
        let set = match of {
            Some(of) => self.set_of(of, Some(PLAYER)).map(|(set, _)| set),
            None => {
                let at = until.map_or(span, |until| until.span);
                let d = Diagnostic::error(Code::ExpectedWord, at, "this does not say who takes part until then")
                    .help("name a set of players: `each player of bidders from p until C as me { … }`, or `of players`");
                self.draft.messages.report(d);
                None
            }
        };
        let stop = until.map(|until| self.condition(until));
        // Others than the starter act.
        self.usage.takes_turns |= self.context.place == StatementContext::Round;
        self.context.acting += 1;
        let body = self.as_another(|c| c.block(body));
        self.context.acting -= 1;
        let (first, set) = (first?, set?);
        match stop {
            Some(stop) => self.draft.laps(set, first, stop?, body, span, out),
            None => Some(self.draft.one_lap(set, first, body, span)),
        }
    }
}

impl Draft {
    /// The players who take part act in turn until a condition holds, or until nobody takes part.
    fn laps(
        &mut self,
        set: CheckedExpr,
        first: CheckedExpr,
        stop: CheckedExpr,
        body: CheckedBlock,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let ty = Type::Element(PLAYER);
        // The first to act is the named player, or the next one who takes part.
        let first = self.keep_value("first", first, out);
        let [named, start, then] = [(); 3].map(|()| Box::new(self.copy(&first)));
        let [within, among] = [(); 2].map(|()| Box::new(self.copy(&set)));
        let takes_part = CheckedExprKind::Contains { set: within, element: named };
        let takes_part = Box::new(self.build(takes_part, Type::Bool, span));
        let next = CheckedExprKind::After { player: start, among: Some(among), back: false };
        let next = Box::new(self.build(next, ty, span));
        let value = self.build(CheckedExprKind::If(takes_part, then, next), ty, span);
        let local = self.new_local("player", ty, span);
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value }, span });
        let player = |c: &mut Self| c.build(CheckedExprKind::Local(local), ty, span);
        // Nobody is next if nobody takes part.
        let one = player(self);
        let one = self.elements(vec![one], PLAYER, span);
        let (some, goes_on) = (self.is_some(one, span), self.not(stop));
        let condition = self.and(some, goes_on, span);
        let (who, before) = (player(self), Box::new(player(self)));
        let next = CheckedExprKind::After { player: before, among: Some(Box::new(set)), back: false };
        let value = self.build(next, ty, span);
        let stmts = vec![
            CheckedStmt { kind: CheckedStmtKind::As { player: who, body }, span },
            CheckedStmt { kind: CheckedStmtKind::SetLocal { local, value }, span },
        ];
        Some(CheckedStmtKind::While { condition, body: CheckedBlock { stmts } })
    }

    /// Every player who takes part when the turn comes to the player's seat acts once.
    fn one_lap(
        &mut self,
        set: CheckedExpr,
        first: CheckedExpr,
        body: CheckedBlock,
        span: Span,
    ) -> CheckedStmtKind {
        let ty = Type::Element(PLAYER);
        let local = self.new_local("player", ty, span);
        let player = |c: &mut Self| c.build(CheckedExprKind::Local(local), ty, span);
        let (element, who) = (Box::new(player(self)), player(self));
        let takes_part = CheckedExprKind::Contains { set: Box::new(set), element };
        let condition = self.build(takes_part, Type::Bool, span);
        let acts = CheckedStmt { kind: CheckedStmtKind::As { player: who, body }, span };
        let (then, otherwise) = (CheckedBlock { stmts: vec![acts] }, CheckedBlock::default());
        let acts = CheckedStmt { kind: CheckedStmtKind::If { condition, then, otherwise }, span };
        let over = self.full_set(PLAYER, span);
        let body = CheckedBlock { stmts: vec![acts] };
        CheckedStmtKind::For { local, over, from: Some(first), body }
    }
}
