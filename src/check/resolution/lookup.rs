//! The meaning of names in expressions.

use super::defines::Use;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::tables::TableDeclaration;
use crate::names::name_table::Entity;
use crate::names::scopes::Binding;
use crate::values::{DiceValue, May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{DeclKind, Name};
use houserule_language::vocabulary::{BuiltInName, Function};
use houserule_model::board::{BitSet, Topology};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// The value of a name.
    pub(crate) fn name_value(&mut self, name: &'a Name, span: Span, want: Option<DomainId>) -> Val {
        let text = name.text.as_str();
        if let Some(binding) = self.scopes.local(text) {
            let binding = binding.clone();
            self.refer_to_local(name);
            return self.bound(binding, span);
        }
        if want.is_some_and(|domain| self.names.is_direction(domain))
            && let Some(direction) = self.direction_value(name, span)
        {
            return direction;
        }
        if let Some(domain) = want
            && let Some(place) = self.names.enum_value(domain, text)
        {
            self.recorder.refer_to_element(name.span, domain, place);
            return Val::sure(self.draft.constant_element(domain, place, span));
        }
        if let Some(entity) = self.entity(name) {
            return self.entity_value(entity, text, span);
        }
        if let Some(built_in) = BuiltInName::named(text)
            && let Some(value) = self.built_in(built_in, span, want)
        {
            self.recorder.refer_to_built_in(name.span, built_in);
            return value;
        }
        match self.names.values.get(text).map(Vec::as_slice) {
            Some([(domain, place)]) => {
                let (domain, place) = (*domain, *place);
                self.recorder.refer_to_element(name.span, domain, place);
                Val::sure(self.draft.constant_element(domain, place, span))
            }
            Some(_) => Val::Ambiguous(text.into(), name.span),
            None => {
                // `cell` are the sites of the only board, even if that has another name.
                if text == Function::Cell.name() && self.all_boards().len() == 1 {
                    self.recorder.refer_to_function(name.span, Function::Cell);
                    return self.sites(text, want, span);
                }
                if let Some(direction) = self.direction_value(name, span) {
                    return direction;
                }
                self.report_unknown_name(text, span, want);
                Val::Poison
            }
        }
    }

    fn sites(&mut self, what: &str, want: Option<DomainId>, span: Span) -> Val {
        match self.the_board(what, want, span) {
            Some(board) => {
                let domain = self.draft.model.boards[board.index()].domain;
                Val::sure(self.draft.full_set(domain, span))
            }
            None => Val::Poison,
        }
    }

    pub(crate) fn bound(&mut self, binding: Binding, span: Span) -> Val {
        match binding {
            Binding::Local(id, may) => {
                let ty = self.draft.model.locals[id.index()].ty;
                let e = self.draft.build(CheckedExprKind::Local(id), ty, span);
                Val::Expr(e, if may { May::Maybe(None) } else { May::Never })
            }
            Binding::Argument(value) => self.draft.copy_value(&value),
        }
    }

    /// The value of a built-in name. Returns `None` for one that is only a property.
    fn built_in(&mut self, name: BuiltInName, span: Span, want: Option<DomainId>) -> Option<Val> {
        use BuiltInName as N;
        let text = name.name();
        Some(match name {
            N::Me => Val::sure(self.draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span)),
            N::Other => {
                let me = self.draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
                self.other_than(me, span)
            }
            N::Mover => self.read(Builtin::Mover.slot(), vec![], span),
            N::Starter => self.read(Builtin::Starter.slot(), vec![], span),
            N::Round => self.read(Builtin::Round.slot(), vec![], span),
            N::GameNumber => self.read(Builtin::GameNumber.slot(), vec![], span),
            N::Turns | N::Total => {
                let message = format!("`{text}` is of a player");
                let meant = match &self.draft.meant_of_any {
                    Some(meant) => format!("write `{meant}`"),
                    None => format!("write `{text}[me]`"),
                };
                let d = Diagnostic::error(Code::WrongIndexCount, span, message).help(meant);
                self.draft.messages.report(d);
                Val::Poison
            }
            N::Score => self.score_of_me(span),
            N::Payoff => self.payoff_of_me(span),
            N::Playing => {
                let slot = self.playing();
                self.read(slot, vec![], span)
            }
            N::Player | N::Players => {
                self.players();
                Val::sure(self.draft.full_set(PLAYER, span))
            }
            N::Team => {
                let domain = self.team_domain(span)?;
                Val::sure(self.draft.full_set(domain, span))
            }
            N::Direction => {
                let domain = self.direction_domain(span)?;
                Val::sure(self.draft.full_set(domain, span))
            }
            N::Cells => self.sites(text, want, span),
            N::Empty => match self.the_board(text, want, span) {
                Some(board) => {
                    let slot = self.draft.model.boards[board.index()].empty;
                    self.slot_value(slot, vec![], text, span)
                }
                None => Val::Poison,
            },
            N::Edge | N::Corners => match self.the_board(text, want, span) {
                Some(board) => self.draft.board_part(text, board, &[], span),
                None => Val::Poison,
            },
            N::Some | N::Nothing => return None,
        })
    }

    /// The other of two players.
    pub(crate) fn other_than(&mut self, player: CheckedExpr, span: Span) -> Val {
        self.players();
        let count = self.draft.size(PLAYER);
        if count != 2 && !self.draft.is_dead() {
            let d = Diagnostic::error(
                Code::WrongPlayers,
                span,
                format!("`other` needs two players, and there are {count}"),
            )
            .help("`after(me)` is the next player, `players - {me}` are all others");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        let kind = CheckedExprKind::After { player: Box::new(player), among: None, back: false };
        Val::sure(self.draft.build(kind, Type::Element(PLAYER), span))
    }

    fn entity_value(&mut self, entity: Entity, text: &str, span: Span) -> Val {
        match entity {
            Entity::Param(value) => {
                self.usage.params_read += 1;
                match self.draft.copy_value(&value) {
                    Val::Expr(mut e, may) => {
                        e.span = span;
                        Val::Expr(e, may)
                    }
                    other => other,
                }
            }
            Entity::Slot(slot) => self.slot_value(slot, vec![], text, span),
            Entity::Table(table) => self.table_value(table, vec![], text, span),
            Entity::Domain(domain) => Val::sure(self.draft.full_set(domain, span)),
            Entity::Board(board) => {
                let domain = self.draft.model.boards[board.index()].domain;
                Val::sure(self.draft.full_set(domain, span))
            }
            Entity::Define(decl) => self.expand(decl, Use::Name, span),
            Entity::Procedure(_) => {
                let message = format!("`{text}` is a procedure and has no value");
                let d = Diagnostic::error(Code::NotAValue, span, message)
                    .help("use it as a statement, or write a `define`");
                self.draft.messages.report(d);
                Val::Poison
            }
            Entity::Poison => Val::Poison,
        }
    }

    /// The value of a slot with a written index. With an incomplete index, a piece or zone is the union
    /// of its family, and dice are the dice as a whole.
    pub(crate) fn slot_value(&mut self, id: SlotId, index: Vec<CheckedExpr>, text: &str, span: Span) -> Val {
        let slot = &self.draft.model.slots[id.index()];
        let (domains, role, content) = (slot.index.clone(), slot.role, slot.content);
        self.usage.read_slots.insert(id);
        if index.len() == domains.len() {
            return self.read(id, index, span);
        }
        match role {
            Role::Dice { count, .. } if index.len() + 1 == domains.len() => {
                Val::Dice(DiceValue { slot: id, index, count }, span)
            }
            Role::Copies => self.draft.kinds_in(id, index, span),
            Role::Piece(_) | Role::Empty(_) | Role::Zone if index.len() < domains.len() => {
                let Content::Set(of) = content else { return Val::Poison };
                let Some(all) = self.draft.every_index(index, &domains, span) else { return Val::Poison };
                let reads = all
                    .into_iter()
                    .map(|index| {
                        self.draft.build(
                            CheckedExprKind::Read(Target { slot: id, index }),
                            Type::Set(of),
                            span,
                        )
                    })
                    .collect();
                Val::sure(self.draft.union_of(reads, of, span))
            }
            _ => {
                self.draft.report_index_count(text, &domains, index.len(), span);
                Val::Poison
            }
        }
    }

    /// Reads a slot with a complete index.
    pub(crate) fn read(&mut self, slot: SlotId, index: Vec<CheckedExpr>, span: Span) -> Val {
        let content = self.draft.model.slots[slot.index()].content;
        let ty = content_type(content);
        let e = self.draft.build(CheckedExprKind::Read(Target { slot, index }), ty, span);
        match content {
            Content::Element { optional: true, .. } => Val::Expr(e, May::Maybe(None)),
            _ => Val::sure(e),
        }
    }

    pub(crate) fn table_value(
        &mut self,
        table: usize,
        index: Vec<CheckedExpr>,
        text: &str,
        span: Span,
    ) -> Val {
        self.usage.params_read += 1;
        let domains = self.draft.index_of_table(table);
        if index.len() + 1 == domains.len()
            && let TableDeclaration::Values { table, content: Content::Number { .. } } =
                self.draft.tables[table]
            && let Some(points) = self.draft.row_as_points(table, &index)
        {
            return Val::Points(points);
        }
        if index.len() != domains.len() {
            self.draft.report_index_count(text, &domains, index.len(), span);
            return Val::Poison;
        }
        match self.draft.tables[table].clone() {
            TableDeclaration::Points { values, .. } => {
                let mut place = 0usize;
                for (e, domain) in index.iter().zip(&domains) {
                    let CheckedExprKind::Constant(Value::Element(Some(x))) = e.kind else {
                        self.draft.messages.report_not_constant(e.span, "which table of points is meant");
                        return Val::Poison;
                    };
                    place = place * self.draft.size(*domain) as usize + x as usize;
                }
                Val::Points(values[place].clone())
            }
            TableDeclaration::Sets { table } => match self.draft.set_in_table(table, index, span) {
                Some(set) => Val::sure(set),
                None => Val::Poison,
            },
            TableDeclaration::Values { table, content } => match content {
                Content::Element { domain, optional } => {
                    let e =
                        self.draft.build(CheckedExprKind::Table(table, index), Type::Element(domain), span);
                    if optional { Val::maybe(e) } else { Val::sure(e) }
                }
                Content::Bool => {
                    let n = self.draft.build(CheckedExprKind::Table(table, index), Type::Number, span);
                    let zero = self.draft.number_constant(0, span);
                    Val::sure(self.draft.compare(ComparisonOperator::NotEqual, n, zero, span))
                }
                _ => Val::sure(self.draft.build(CheckedExprKind::Table(table, index), Type::Number, span)),
            },
        }
    }

    /// The declaration of a define with this name, if there is one.
    pub(crate) fn define_decl(&mut self, name: &Name) -> Option<usize> {
        match self.entity(name)? {
            Entity::Define(decl) => {
                matches!(self.input.game.decls[decl].kind, DeclKind::Define { .. }).then_some(decl)
            }
            _ => None,
        }
    }
}

impl Draft {
    /// A copy of a value for a second place, with locals of its own.
    pub(crate) fn copy_value(&mut self, value: &Val) -> Val {
        match value {
            Val::Expr(e, may) => Val::Expr(self.copy(e), *may),
            Val::Numbers(all, span) => {
                let all = all.iter().map(|e| self.copy(e)).collect();
                Val::Numbers(all, *span)
            }
            Val::Dice(dice, span) => {
                let index = dice.index.iter().map(|e| self.copy(e)).collect();
                Val::Dice(DiceValue { index, ..dice.clone() }, *span)
            }
            Val::List(all, span) => {
                Val::List(all.iter().map(|(value, at)| (self.copy_value(value), *at)).collect(), *span)
            }
            other => other.clone(),
        }
    }

    /// The value of `edge`, `corners` or `cells` of a board. Without an index it is
    /// that of the largest board of a family.
    pub(crate) fn board_part(
        &mut self,
        text: &str,
        board: BoardId,
        index: &[CheckedExpr],
        span: Span,
    ) -> Val {
        if text != "cells" && self.require_rows(text, board, span).is_none() {
            return Val::Poison;
        }
        let of = &self.model.boards[board.index()];
        let domain = of.domain;
        let part = |topology: &Topology| match text {
            "edge" => topology.edge(),
            "corners" => topology.corners(),
            _ => BitSet::full(topology.size()),
        };
        if index.is_empty() || of.own_sites.is_empty() {
            let set = part(&of.topology);
            return Val::sure(self.set_constant(domain, set, span));
        }
        let sets = (0..of.own_sites.len()).map(|number| {
            let own =
                Topology::grid(of.width_of(number), of.height_of(number), false, of.topology.notation());
            let sites = part(&own).sites().collect::<Vec<_>>();
            let there = sites
                .into_iter()
                .filter_map(|site| of.topology.site_at(own.column_of(site).into(), own.row_of(site).into()));
            BitSet::from_elements(of.topology.size(), there.map(|site| site.0))
        });
        let (sets, domains) = (sets.collect::<Vec<_>>(), of.index.clone());
        Val::sure(self.set_at(&sets, index, &domains, domain, span))
    }

    /// All complete indices over `domains` that begin with `written`. Returns `None` if there are too
    /// many.
    pub(crate) fn every_index(
        &mut self,
        written: Vec<CheckedExpr>,
        domains: &[DomainId],
        span: Span,
    ) -> Option<Vec<Vec<CheckedExpr>>> {
        let rest = &domains[written.len()..];
        let mut all = vec![written];
        for domain in rest {
            let mut next = vec![];
            for prefix in all {
                for place in 0..self.size(*domain) {
                    let mut index = prefix.clone();
                    index.push(self.constant_element(*domain, place, span));
                    next.push(index);
                }
                if !self.afford_node(span) {
                    return None;
                }
            }
            all = next;
        }
        Some(all)
    }

    pub(crate) fn report_index_count(&mut self, text: &str, domains: &[DomainId], found: usize, span: Span) {
        let d = if domains.is_empty() {
            Diagnostic::error(Code::WrongIndexCount, span, format!("`{text}` has no index"))
        } else {
            let names: Vec<&str> = domains.iter().map(|d| self.domain_name(*d)).collect();
            let count = match found {
                0 => "found none".to_string(),
                1 => "found 1".to_string(),
                n => format!("found {n}"),
            };
            let message = format!("`{text}` needs {} in brackets, {count}", plural(domains.len()));
            let d = Diagnostic::error(Code::WrongIndexCount, span, message)
                .note(format!("it is declared as `{text}[{}]`", names.join(", ")));
            match &self.meant_of_any {
                Some(meant) if found == 0 && domains == [PLAYER] => d.help(format!("write `{meant}`")),
                None if found == 0 && domains == [PLAYER] => {
                    d.help(format!("write `{text}[me]` for that of the player who acts"))
                }
                _ => d,
            }
        };
        self.messages.report(d);
    }

    /// A row of a table whose last index is a range, as a table of points: `pays[red]`.
    fn row_as_points(&mut self, table: TableId, index: &[CheckedExpr]) -> Option<PointsTable> {
        let table = &self.model.tables[table.index()];
        let (last, first) = table.index.split_last()?;
        let low = self.range_low(*last)?;
        let mut place = 0usize;
        for (e, domain) in index.iter().zip(first) {
            let CheckedExprKind::Constant(Value::Element(Some(x))) = e.kind else { return None };
            place = place * self.size(*domain) as usize + x as usize;
        }
        let size = self.size(*last) as usize;
        let row = table.values.get(place * size..(place + 1) * size)?;
        Some(PointsTable { entries: (low..).zip(row.iter().copied()).collect(), and_more: None })
    }

    /// A value from the point of view of another player.
    pub(crate) fn as_player(&mut self, player: CheckedExpr, value: Val, span: Span) -> Val {
        match value {
            Val::Expr(e, may) => {
                let ty = e.ty;
                let kind = CheckedExprKind::As { player: Box::new(player), value: Box::new(e) };
                Val::Expr(self.build(kind, ty, span), may)
            }
            other => other,
        }
    }
}

fn plural(n: usize) -> String {
    if n == 1 { "an index".into() } else { format!("{n} indices") }
}

/// The type of a slot's content.
pub(crate) fn content_type(content: Content) -> Type {
    match content {
        Content::Number { .. } => Type::Number,
        Content::Bool => Type::Bool,
        Content::Element { domain, .. } => Type::Element(domain),
        Content::Set(domain) => Type::Set(domain),
    }
}
