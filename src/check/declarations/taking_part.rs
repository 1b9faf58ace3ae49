//! Who takes part: teams, and the players who still have turns.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::expressions::calls::Args;
use crate::names::name_table::Entity;
use crate::values::{Val, constant_set};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, Decl, DeclKind, Name};
use houserule_language::vocabulary::BuiltInName;
use houserule_model::board::BitSet;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Resolves `team NAME = {X, Y}`.
    pub(crate) fn resolve_team(
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
            self.draft.messages.report(d);
            return Entity::Poison;
        };
        if let Some(other) =
            self.draft.model.teams.iter().find(|other| !other.players.intersect(&team).is_empty())
        {
            let message = format!("a player of `{}` is in `{}` too", name.text, other.name);
            let d = Diagnostic::error(Code::DuplicateName, players.span, message)
                .help("a player has one team at most");
            self.draft.messages.report(d);
            return Entity::Poison;
        }
        let help = decl.help.as_ref().map(|help| help.text.clone()).unwrap_or_default();
        self.draft.model.teams.push(Team { name: name.text.clone(), players: team, help });
        Entity::Param(Val::sure(set))
    }

    /// The variable with the players who still have turns. It exists once the rules name it.
    pub(crate) fn playing(&mut self) -> SlotId {
        if let Some(playing) = &self.draft.model.playing {
            return playing.slot;
        }
        self.players();
        let all = BitSet::full(self.draft.size(PLAYER));
        let slot = self.draft.add_slot(Slot {
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
        let span = self.draft.title;
        let (set, player) = (Type::Set(PLAYER), Type::Element(PLAYER));
        let read = |c: &mut Self, slot, ty| {
            Box::new(c.draft.build(CheckedExprKind::Read(Target { slot, index: vec![] }), ty, span))
        };
        let mover = |c: &mut Self| read(c, Builtin::Mover.slot(), player);
        let kind = CheckedExprKind::Contains { set: read(self, slot, set), element: mover(self) };
        let plays = self.draft.build(kind, Type::Bool, span);
        let own = CheckedExprKind::Elements(vec![*mover(self)]);
        let own = Box::new(self.draft.build(own, set, span));
        let among = CheckedExprKind::Union(read(self, slot, set), own);
        let among = Some(Box::new(self.draft.build(among, set, span)));
        let next = CheckedExprKind::After { player: mover(self), among, back: false };
        let next = self.draft.build(next, player, span);
        self.draft.model.playing = Some(Playing { slot, mover: plays, next });
        slot
    }

    /// If the rules say who still has turns: lets only those act who do where all act in turn, and adds the end of a
    /// game in which nobody has turns any more.
    pub(super) fn keep_to_playing(&mut self) {
        let Some(slot) = self.draft.model.playing.as_ref().map(|playing| playing.slot) else { return };
        let span = self.draft.title;
        let read = CheckedExprKind::Read(Target { slot, index: vec![] });
        let playing = self.draft.build(read, Type::Set(PLAYER), span);
        let (turn, setup) =
            (std::mem::take(&mut self.draft.model.turn), std::mem::take(&mut self.draft.model.setup));
        let mut blocks = [turn, setup];
        let all = self.draft.model.choices.iter_mut().flat_map(Choice::blocks_mut).chain(&mut blocks);
        all.for_each(|block| skip_others(block, &self.locals.everybody, &playing));
        [self.draft.model.turn, self.draft.model.setup] = blocks;
        let some = self.draft.is_some(playing, span);
        let when = self.draft.not(some);
        let timing = if self.draft.model.rounds { syntax::EndTiming::Round } else { syntax::EndTiming::Turn };
        // An end of the rules with this name is another one.
        let is_taken = self.draft.model.end_names().any(|name| name == "nobody_playing");
        let name = if is_taken { "nobody playing" } else { "nobody_playing" };
        self.draft.model.ends.push(End {
            name: name.into(),
            timing,
            when,
            result: None,
            implied: true,
            span,
        });
    }

    /// The domain of the teams, in the order of the text. Reports an error if there are none.
    pub(crate) fn team_domain(&mut self, span: Span) -> Option<DomainId> {
        if let Some(domain) = self.names.team_domain {
            return Some(domain);
        }
        let game = self.input.game;
        let mut names = vec![];
        for decl in &game.decls {
            let DeclKind::Team { name, .. } = &decl.kind else { continue };
            match self.declared_entity(&name.text, span) {
                Some(Entity::Param(_)) => names.push(name),
                _ => return None,
            }
        }
        if names.is_empty() {
            let d = Diagnostic::error(Code::UnknownType, span, "the rules have no team")
                .help("declare each: `team north_south = {N, S}`");
            self.draft.messages.report(d);
            return None;
        }
        let kind = DomainKind::Enum(names.iter().map(|name| name.text.clone()).collect());
        let name = BuiltInName::Team.name().into();
        let domain = self.draft.add_domain(Domain { name, kind, size: names.len() as u32, looks: vec![] });
        for (place, name) in (0..).zip(names) {
            self.recorder.name_element(domain, place, name.span);
            self.names.values.entry(&name.text).or_default().push((domain, place));
        }
        self.names.team_domain = Some(domain);
        Some(domain)
    }

    /// A player of the team that a value is. Any other value is returned.
    pub(super) fn one_of_team(&mut self, value: Val, span: Span) -> Val {
        match value {
            Val::Expr(team, may) if self.names.team_domain.is_some_and(|d| team.ty == Type::Element(d)) => {
                let Type::Element(domain) = team.ty else { return Val::Poison };
                let players = Box::new(self.draft.players_in(team, domain, span));
                let first = self.draft.build(CheckedExprKind::First(players), Type::Element(PLAYER), span);
                Val::Expr(first, may)
            }
            other => other,
        }
    }

    /// The team itself, if a value was written as `team(p)` where the players of the team were meant. Any other value is
    /// returned.
    pub(crate) fn team_itself(&mut self, value: Val, span: Span) -> Val {
        let (Some(domain), Val::Expr(e, _)) = (self.names.team_domain, &value) else { return value };
        let Some(player) = player_of_team(e) else { return value };
        let player = player.clone();
        self.draft.team_of(player, domain, span)
    }

    /// Checks `team(p)`: the players of the team, or the team itself where one is needed. `team(t)` are the players of
    /// a team.
    pub(crate) fn team(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let e = args.plain[0];
        let value = self.expr(e, Some(PLAYER));
        if let Some(domain) = self.names.team_domain
            && value.ty() == Some(Type::Element(domain))
        {
            let team = self.some_element(value, domain, e.span)?;
            return Some(Val::sure(self.draft.players_in(team, domain, args.span)));
        }
        let player = self.some_element(value, PLAYER, e.span)?;
        if let Some(domain) = self.names.team_domain.filter(|domain| want == Some(*domain)) {
            return Some(self.draft.team_of(player, domain, args.span));
        }
        let ty = Type::Set(PLAYER);
        let alone = CheckedExprKind::Elements(vec![self.draft.copy(&player)]);
        let mut of = self.draft.build(alone, ty, args.span);
        for team in self.draft.model.teams.clone().into_iter().rev() {
            let (set, again) =
                (self.draft.set_constant(PLAYER, team.players, args.span), self.draft.copy(&player));
            let kind = CheckedExprKind::Contains { set: Box::new(set.clone()), element: Box::new(again) };
            let is_in = self.draft.build(kind, Type::Bool, args.span);
            of = self.draft.build(
                CheckedExprKind::If(Box::new(is_in), Box::new(set), Box::new(of)),
                ty,
                args.span,
            );
        }
        Some(Val::sure(of))
    }
}

impl Draft {
    /// The players of a team.
    fn players_in(&mut self, team: CheckedExpr, domain: DomainId, span: Span) -> CheckedExpr {
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let own = Box::new(self.team_with(player, domain, span));
        let condition = self.build(CheckedExprKind::Same(own, Box::new(team)), Type::Bool, span);
        let (over, condition) = (Box::new(self.full_set(PLAYER, span)), Box::new(condition));
        self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(PLAYER), span)
    }

    /// The team of a player, or none.
    fn team_with(&mut self, player: CheckedExpr, domain: DomainId, span: Span) -> CheckedExpr {
        let table = self.known_table("team", vec![PLAYER], self.team_numbers(domain));
        self.build(CheckedExprKind::Table(table, vec![player]), Type::Element(domain), span)
    }

    /// The team of each player as an index, or -1.
    fn team_numbers(&self, domain: DomainId) -> Vec<i64> {
        let names = self.enum_names(domain);
        let number = |player: u32| {
            let team = self.model.teams.iter().find(|team| team.players.contains(player))?;
            names.iter().position(|name| *name == team.name)
        };
        (0..self.size(PLAYER)).map(|player| number(player).map_or(-1, |place| place as i64)).collect()
    }

    /// The team of a player, which may be none if a player has no team.
    fn team_of(&mut self, player: CheckedExpr, domain: DomainId, span: Span) -> Val {
        let everybody = !self.team_numbers(domain).contains(&-1);
        let team = self.team_with(player, domain, span);
        if everybody { Val::sure(team) } else { Val::maybe(team) }
    }
}

/// The player p of an expression made from `team(p)`: if p is in a team then that team, and at last p alone.
fn player_of_team(e: &CheckedExpr) -> Option<&CheckedExpr> {
    let CheckedExprKind::If(is_in, team, otherwise) = &e.kind else { return None };
    let CheckedExprKind::Contains { set, .. } = &is_in.kind else { return None };
    match (&set.kind, &team.kind) {
        (CheckedExprKind::Constant(set), CheckedExprKind::Constant(team)) if set == team => {}
        _ => return None,
    }
    match &otherwise.kind {
        CheckedExprKind::Elements(one) => one.first().filter(|_| one.len() == 1),
        _ => player_of_team(otherwise),
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
