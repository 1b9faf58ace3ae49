//! Expressions with an index or a field, and sites such as `@c3`.

use super::several::IndexUse;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::tables::TableDeclaration;
use crate::names::name_table::Entity;
use crate::values::{May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, Name};
use houserule_language::vocabulary::{BuiltInName, Function};
use houserule_model::board::Site;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks an index against the first of these domains.
    pub(crate) fn check_index(
        &mut self,
        index: &'a [syntax::Expr],
        domains: &[DomainId],
    ) -> Option<Vec<CheckedExpr>> {
        self.check_index_for(index, domains, IndexUse::Other)
    }

    /// Like [`Self::check_index`], with what the index is written for.
    pub(crate) fn check_index_for(
        &mut self,
        index: &'a [syntax::Expr],
        domains: &[DomainId],
        of: IndexUse<'_>,
    ) -> Option<Vec<CheckedExpr>> {
        let mut all = vec![];
        let mut whole = true;
        for (at, (e, domain)) in index.iter().zip(domains).enumerate() {
            let value = self.expr(e, Some(*domain));
            if self.reports_set_as_index(index, at, &value, *domain, of) {
                whole = false;
                continue;
            }
            match self.some_element(value, *domain, e.span) {
                Some(e) => all.push(e),
                None => whole = false,
            }
        }
        whole.then_some(all)
    }

    /// Checks `base[index]`.
    pub(super) fn indexed(&mut self, base: &'a syntax::Expr, index: &'a [syntax::Expr], span: Span) -> Val {
        if let S::Call(name, args) = &base.kind
            && name.text == Function::Empty.name()
            && let [one] = args.as_slice()
        {
            self.recorder.refer_to_function(name.span, Function::Empty);
            let Some(board) = self.board_named(&one.value) else { return Val::Poison };
            return self.empty_of(board, index, span);
        }
        let S::Name(name) = &base.kind else {
            let value = self.expr(base, None);
            return self.indexed_value(value, index, base.span, span);
        };
        let text = &name.text;
        if let Some(binding) = self.scopes.local(text) {
            let binding = binding.clone();
            self.refer_to_local(name);
            let value = self.bound(binding, base.span);
            return self.indexed_value(value, index, base.span, span);
        }
        use BuiltInName as N;
        let built_in = BuiltInName::named(text);
        if let Some(indexed @ (N::Turns | N::Total | N::Empty | N::Score | N::Payoff)) = built_in {
            self.recorder.refer_to_built_in(name.span, indexed);
        }
        let slot = match built_in {
            Some(N::Turns) => Some(Builtin::Turns.slot()),
            Some(N::Total) => Some(Builtin::Total.slot()),
            Some(N::Empty) => {
                // If there are several boards, the one with this number of indices.
                let boards = self.all_boards();
                let fits = |b: &&BoardId| self.draft.model.boards[b.index()].index.len() == index.len();
                let fitting: Vec<BoardId> = boards.iter().filter(fits).copied().collect();
                let board = match fitting[..] {
                    [one] => Some(one),
                    _ => self.the_board("empty", None, base.span),
                };
                return match board {
                    Some(board) => self.empty_of(board, index, span),
                    None => Val::Poison,
                };
            }
            Some(N::Score) => {
                let Some(player) = self.index_one(text, index, PLAYER, span) else { return Val::Poison };
                let score = self.score_of_me(span);
                return self.draft.as_player(player, score, span);
            }
            Some(N::Payoff) => {
                let Some(player) = self.index_one(text, index, PLAYER, span) else { return Val::Poison };
                let payoff = self.payoff_of_me(span);
                return self.draft.as_player(player, payoff, span);
            }
            _ => None,
        };
        let entity = match slot {
            Some(slot) => Some(Entity::Slot(slot)),
            None => self.entity(name),
        };
        match entity {
            Some(Entity::Slot(slot)) => {
                let of = &self.draft.model.slots[slot.index()];
                let domains = of.index.clone();
                // All others can stand for the whole of their family.
                let single = matches!(of.role, Role::Variable | Role::Builtin(_));
                if index.len() > domains.len() || single && index.len() < domains.len() {
                    self.draft.report_index_count(text, &domains, index.len(), span);
                    return Val::Poison;
                }
                match self.check_index_for(index, &domains, IndexUse::Read(text, slot)) {
                    Some(index) => self.slot_value(slot, index, text, span),
                    None => Val::Poison,
                }
            }
            Some(Entity::Table(table)) => {
                let domains = self.draft.index_of_table(table);
                if index.len() + 1 == domains.len() {
                    return match self.check_index(index, &domains) {
                        Some(index) => self.table_value(table, index, text, span),
                        None => Val::Poison,
                    };
                }
                if index.len() == domains.len() + 1
                    && matches!(self.draft.tables[table], TableDeclaration::Points { .. })
                {
                    let Some((last, first)) = index.split_last() else { return Val::Poison };
                    let Some(first) = self.check_index(first, &domains) else { return Val::Poison };
                    let points = self.table_value(table, first, text, span);
                    return self.indexed_value(points, std::slice::from_ref(last), base.span, span);
                }
                if index.len() != domains.len() {
                    self.draft.report_index_count(text, &domains, index.len(), span);
                    return Val::Poison;
                }
                match self.check_index(index, &domains) {
                    Some(index) => self.table_value(table, index, text, span),
                    None => Val::Poison,
                }
            }
            entity => {
                let meant = self.index_meant(text, entity.as_ref(), index);
                let value = self.expr(base, None);
                if meant.is_some() && matches!(value.ty(), Some(Type::Set(_))) {
                    self.draft.report_not_indexed(&value, base.span, meant);
                    return Val::Poison;
                }
                self.indexed_value(value, index, base.span, span)
            }
        }
    }

    fn empty_of(&mut self, board: BoardId, index: &'a [syntax::Expr], span: Span) -> Val {
        let board = &self.draft.model.boards[board.index()];
        let (slot, domains) = (board.empty, board.index.clone());
        if index.len() > domains.len() {
            self.draft.report_index_count("empty", &domains, index.len(), span);
            return Val::Poison;
        }
        match self.check_index(index, &domains) {
            Some(index) => self.slot_value(slot, index, "empty", span),
            None => Val::Poison,
        }
    }

    fn index_one(
        &mut self,
        text: &str,
        index: &'a [syntax::Expr],
        domain: DomainId,
        span: Span,
    ) -> Option<CheckedExpr> {
        let [one] = index else {
            self.draft.report_index_count(text, &[domain], index.len(), span);
            return None;
        };
        let value = self.expr(one, Some(domain));
        self.some_element(value, domain, one.span)
    }

    /// Indexes a value: dice or a table of points. Reports an error for other values.
    fn indexed_value(&mut self, value: Val, index: &'a [syntax::Expr], base: Span, span: Span) -> Val {
        match value {
            Val::Dice(dice, _) => {
                let domain = self.draft.die_domain(&dice);
                let name = self.draft.model.slots[dice.slot.index()].name.clone();
                let Some(one) = self.index_one(&name, index, domain, span) else { return Val::Poison };
                let mut index = dice.index;
                index.push(one);
                self.read(dice.slot, index, span)
            }
            Val::Part(part) => {
                let name = self.draft.domain_name(part.domain).to_owned();
                match self.index_one(&name, index, part.domain, span) {
                    Some(kind) => Val::sure(self.draft.copies_in(&part, &kind, span)),
                    None => Val::Poison,
                }
            }
            Val::Points(points) => {
                let [key] = index else {
                    self.draft.messages.error(
                        Code::WrongIndexCount,
                        span,
                        "a table of points takes one number in brackets",
                    );
                    return Val::Poison;
                };
                match self.constant(key, "a key of a table of points") {
                    Some(key) => Val::sure(self.draft.number_constant(points.get(key), span)),
                    None => Val::Poison,
                }
            }
            Val::Poison => {
                for e in index {
                    self.expr(e, None);
                }
                Val::Poison
            }
            other => {
                self.draft.report_not_indexed(&other, base, None);
                Val::Poison
            }
        }
    }

    /// Checks `base.field`: a field of a record, or `enum.value`.
    pub(super) fn field(&mut self, base: &'a syntax::Expr, field: &'a Name, span: Span) -> Val {
        if let S::Name(name) = &base.kind
            && self.scopes.local(&name.text).is_none()
            && let Some(domain) = self.try_domain(name)
        {
            let text = &name.text;
            return match self.names.enum_value(domain, &field.text) {
                Some(place) => {
                    self.recorder.refer_to_element(field.span, domain, place);
                    Val::sure(self.draft.constant_element(domain, place, span))
                }
                None => {
                    let names = self.draft.enum_names(domain);
                    let message = format!("`{text}` has no value `{}`", field.text);
                    let mut d = Diagnostic::error(Code::UnknownName, field.span, message);
                    if let Some(better) = did_you_mean(&field.text, names.iter().map(String::as_str)) {
                        d = d.help(format!("did you mean `{better}`?"));
                    }
                    self.draft.messages.report(d);
                    Val::Poison
                }
            };
        }
        let value = self.expr(base, None);
        if matches!(value, Val::Poison) {
            self.refer_to_only_field(field);
            return value;
        }
        if self.reports_field_of_set(base, &value, field) {
            return Val::Poison;
        }
        let Some(Type::Element(domain)) = value.ty() else {
            self.draft.report_no_field(&value, field);
            return Val::Poison;
        };
        let Some(found) = self.draft.fields.get(&(domain, field.text.clone())).copied() else {
            self.draft.report_no_field(&value, field);
            return Val::Poison;
        };
        self.recorder.refer(field.span, found.name);
        if let DomainKind::Record { fields, .. } = &mut self.draft.model.domains[domain.index()].kind {
            fields.iter_mut().filter(|known| known.name == field.text).for_each(|known| known.read = true);
        }
        if found.holds_sets {
            let element = self.some_element(value, domain, base.span);
            let set = element.and_then(|element| self.draft.set_in_table(found.table, vec![element], span));
            return set.map_or(Val::Poison, Val::sure);
        }
        let Some((element, may)) = self.element(value, domain, base.span) else { return Val::Poison };
        if may == May::Never && !found.partial {
            let is_number = self.draft.range_low(found.of).is_some();
            let ty = if is_number { Type::Number } else { Type::Element(found.of) };
            return Val::sure(self.draft.build(CheckedExprKind::Table(found.table, vec![element]), ty, span));
        }
        // What lacks the field, and none, has none.
        let may = match (found.partial, may) {
            // Without an element there is no field: that is what to test.
            (true, May::Never | May::Tested) => May::Maybe(None),
            (_, may) => may,
        };
        let table = self.draft.field_elements(domain, &field.text).unwrap_or(found.table);
        let kind = CheckedExprKind::Field(table, Box::new(element));
        Val::Expr(self.draft.build(kind, Type::Element(found.of), span), may)
    }

    /// Records a field of a value of unknown type, as in a define that isn't used, if only one record has a
    /// field with this name.
    fn refer_to_only_field(&mut self, field: &Name) {
        let mut all = self.draft.fields.iter().filter(|((_, name), _)| *name == field.text);
        if let (Some((_, only)), None) = (all.next(), all.next()) {
            self.recorder.refer(field.span, only.name);
        }
    }

    /// Checks a site such as `@c3`.
    pub(super) fn site(&mut self, name: &Name, span: Span, want: Option<DomainId>) -> Val {
        let text = name.text.as_str();
        let board = match want.and_then(|d| self.draft.board_of(d)) {
            Some(board) => Some(board),
            None => {
                let boards = self.boards_and_sides();
                let holding: Vec<BoardId> = boards
                    .iter()
                    .copied()
                    .filter(|b| self.draft.model.boards[b.index()].topology.parse_site(text).is_some())
                    .collect();
                match (&holding[..], &boards[..]) {
                    ([one], _) => Some(*one),
                    _ => self.the_board(&format!("@{text}"), None, span),
                }
            }
        };
        let Some(board) = board else { return Val::Poison };
        let board = &self.draft.model.boards[board.index()];
        match board.topology.parse_site(text) {
            Some(site) => {
                let domain = board.domain;
                self.recorder.refer_to_element(name.span, domain, site.0);
                Val::sure(self.draft.constant_element(domain, site.0, span))
            }
            None => {
                if self.draft.is_dead() {
                    return Val::Poison;
                }
                let (name, last) = (board.name.clone(), Site(board.topology.size() - 1));
                let (from, to) = (board.topology.site_name(Site(0)), board.topology.site_name(last));
                let d = Diagnostic::error(Code::UnknownSite, span, format!("`{name}` has no site `{text}`"))
                    .note(format!("its sites go from {from} to {to}"));
                self.draft.messages.report(d);
                Val::Poison
            }
        }
    }
}

impl Draft {
    /// The table of a field's values as elements.
    fn field_elements(&mut self, domain: DomainId, field: &str) -> Option<TableId> {
        let found = self.fields.get(&(domain, field.to_owned()))?;
        if found.elements.is_some() {
            return found.elements;
        }
        let (low, from) = (self.range_low(found.of)?, &self.model.tables[found.table.index()]);
        let values = from.values.iter().map(|value| value - low).collect();
        let table = ConstantTable { name: from.name.clone(), index: vec![domain], values };
        self.model.tables.push(table);
        let id = TableId(self.model.tables.len() as u32 - 1);
        self.fields.get_mut(&(domain, field.to_owned()))?.elements = Some(id);
        Some(id)
    }

    fn report_no_field(&mut self, value: &Val, field: &Name) {
        let found = self.describe(value);
        let message = format!("this is {found} and has no field `{}`", field.text);
        let mut d = Diagnostic::error(Code::UnknownField, field.span, message);
        if let Some(domain) = value.domain() {
            let names: Vec<&str> =
                self.fields.keys().filter(|(d, _)| *d == domain).map(|(_, n)| n.as_str()).collect();
            if let Some(better) = did_you_mean(&field.text, names) {
                d = d.help(format!("did you mean `{better}`?"));
            }
        }
        self.messages.report(d);
    }
}
