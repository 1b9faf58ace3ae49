//! Who takes part: teams, and the players who still have turns.

use crate::board::BitSet;
use crate::check::Checker;
use crate::check::expressions::build::constant_set;
use crate::check::expressions::calls::Args;
use crate::check::expressions::value::Val;
use crate::check::names::scope::Entity;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::*;
use crate::syntax::{self, Decl, Name};
use crate::vocabulary::BuiltInName;

impl<'a> Checker<'a> {
    /// Resolves `team NAME = {X, Y}`.
    pub(in crate::check) fn resolve_team(
        &mut self,
        decl: &'a Decl,
        name: &'a Name,
        players: &'a syntax::Expr,
    ) -> Entity {
        self.players();
        let Some((set, _)) = self.set_of(players, Some(PLAYER)) else { return Entity::Poison };
        let Some(team) = constant_set(&set).cloned() else {
            let d = Diagnostic::error(
                Code::NotConstant,
                players.span,
                "the players of a team must be known here",
            )
            .help("list them: `{X, Y}`, or `{player 1, player 3}`");
            self.report(d);
            return Entity::Poison;
        };
        if let Some(other) = self.model.teams.iter().find(|other| !other.players.intersect(&team).is_empty())
        {
            let message = format!("a player of `{}` is in `{}` too", name.text, other.name);
            let d = Diagnostic::error(Code::DuplicateName, players.span, message)
                .help("a player has one team at most");
            self.report(d);
            return Entity::Poison;
        }
        let help = decl.help.as_ref().map(|help| help.text.clone()).unwrap_or_default();
        self.model.teams.push(Team { name: name.text.clone(), players: team, help });
        Entity::Param(Val::sure(set))
    }

    /// The variable with the players who still have turns. It exists once the rules name it.
    pub(in crate::check) fn playing(&mut self) -> SlotId {
        if let Some(playing) = &self.model.playing {
            return playing.slot;
        }
        self.players();
        let all = BitSet::full(self.size(PLAYER));
        let slot = self.add_slot(Slot {
            name: BuiltInName::Playing.name().into(),
            index: vec![],
            content: Content::Set(PLAYER),
            initial: vec![Value::Set(all)],
            life: Life::Game,
            role: Role::Variable,
            visibility: Visibility::All,
            shown: DisplayForm::Plainly,
            help: "players who still have turns".into(),
            span: None,
        });
        let span = self.game.title.span;
        let (set, player) = (Type::Set(PLAYER), Type::Element(PLAYER));
        let read = |c: &mut Self, slot, ty| {
            Box::new(c.mk(CheckedExprKind::Read(Target { slot, index: vec![] }), ty, span))
        };
        let mover = |c: &mut Self| read(c, Builtin::Mover.slot(), player);
        let kind = CheckedExprKind::Contains { set: read(self, slot, set), element: mover(self) };
        let plays = self.mk(kind, Type::Bool, span);
        let own = CheckedExprKind::Elements(vec![*mover(self)]);
        let own = Box::new(self.mk(own, set, span));
        let among = CheckedExprKind::Union(read(self, slot, set), own);
        let among = Some(Box::new(self.mk(among, set, span)));
        let next = CheckedExprKind::After { player: mover(self), among };
        let next = self.mk(next, player, span);
        self.model.playing = Some(Playing { slot, mover: plays, next });
        slot
    }

    /// If the rules say who still has turns: lets only those act who do where all act in turn, and adds the end of a
    /// game in which nobody has turns any more.
    pub(in crate::check) fn keep_to_playing(&mut self) {
        let Some(slot) = self.model.playing.as_ref().map(|playing| playing.slot) else { return };
        let span = self.game.title.span;
        let read = CheckedExprKind::Read(Target { slot, index: vec![] });
        let playing = self.mk(read, Type::Set(PLAYER), span);
        let (turn, setup) = (std::mem::take(&mut self.model.turn), std::mem::take(&mut self.model.setup));
        let mut blocks = [turn, setup];
        let all = self.model.choices.iter_mut().flat_map(Choice::blocks_mut).chain(&mut blocks);
        all.for_each(|block| skip_others(block, &self.everybody, &playing));
        [self.model.turn, self.model.setup] = blocks;
        let some = self.is_some(playing, span);
        let when = self.not(some);
        let timing = if self.model.rounds { syntax::EndTiming::Round } else { syntax::EndTiming::Turn };
        self.model.ends.push(End { name: "nobody_playing".into(), timing, when, result: None, span });
    }

    /// Checks `team(p)`.
    pub(in crate::check) fn team(&mut self, args: &Args<'a>) -> Option<Val> {
        self.takes(args)?;
        let player = self.player(args.plain[0])?;
        let ty = Type::Set(PLAYER);
        let alone = CheckedExprKind::Elements(vec![self.copy(&player)]);
        let mut of = self.mk(alone, ty, args.span);
        for team in self.model.teams.clone().into_iter().rev() {
            let (set, again) = (self.set_constant(PLAYER, team.players, args.span), self.copy(&player));
            let kind = CheckedExprKind::Contains { set: Box::new(set.clone()), element: Box::new(again) };
            let is_in = self.mk(kind, Type::Bool, args.span);
            of = self.mk(CheckedExprKind::If(Box::new(is_in), Box::new(set), Box::new(of)), ty, args.span);
        }
        Some(Val::sure(of))
    }
}

/// Lets only the players act who still have turns, in all loops over `everybody`.
fn skip_others(block: &mut CheckedBlock, everybody: &[LocalId], playing: &CheckedExpr) {
    for stmt in &mut block.stmts {
        if let CheckedStmtKind::For { local, body, .. } = &mut stmt.kind
            && everybody.contains(local)
        {
            let kind = CheckedExprKind::Local(*local);
            let element = CheckedExpr { kind, ty: Type::Element(PLAYER), span: stmt.span };
            let kind =
                CheckedExprKind::Contains { set: Box::new(playing.clone()), element: Box::new(element) };
            let condition = CheckedExpr { kind, ty: Type::Bool, span: stmt.span };
            let (then, otherwise) = (std::mem::take(body), CheckedBlock::default());
            let kind = CheckedStmtKind::If { condition, then, otherwise };
            body.stmts.push(CheckedStmt { kind, span: stmt.span });
        }
        stmt.blocks_mut().into_iter().for_each(|inner| skip_others(inner, everybody, playing));
    }
}
