//! Domains: named and anonymous ranges, records, and the domains named by types and indices.

use super::tables::FieldTable;
use crate::check::Checker;
use crate::check::expressions::value::Val;
use crate::check::names::scope::{Binding, Entity, Scope};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::limits;
use crate::model::*;
use crate::syntax;
use crate::syntax::{ExprKind as S, Name, TypeExpr, TypeKind};
use crate::vocabulary::{BuiltInName, WordKind};

/// The domain of a record's field.
#[derive(Clone, Copy, Default)]
struct FieldDomain {
    /// The domain of its elements, or `None` for numbers.
    of: Option<DomainId>,
    /// The domain of its numbers, if it was declared.
    numbers: Option<DomainId>,
}

impl<'a> Checker<'a> {
    /// The first number of a range domain.
    pub(in crate::check) fn range_low(&self, domain: DomainId) -> Option<i64> {
        match self.model.domains[domain.index()].kind {
            DomainKind::Range { low } => Some(low),
            _ => None,
        }
    }

    /// The domain `low..high`. The same range gives the same domain.
    pub(in crate::check) fn range_domain(&mut self, low: i64, high: i64, span: Span) -> Option<DomainId> {
        if let Some(domain) = self.ranges.get(&(low, high)) {
            return Some(*domain);
        }
        let size = self.range_size(low, high, span)?;
        let domain = self.add_domain(Domain {
            name: format!("{low}..{high}"),
            kind: DomainKind::Range { low },
            size,
            looks: vec![],
        });
        self.ranges.insert((low, high), domain);
        Some(domain)
    }

    fn range_size(&mut self, low: i64, high: i64, span: Span) -> Option<u32> {
        if low > high {
            self.empty_range(low, high, span);
            return None;
        }
        let size = high.saturating_sub(low).saturating_add(1);
        if size > limits::DOMAIN {
            self.domain_too_large(&format!("`{low}..{high}`"), size as u64, span);
            return None;
        }
        Some(size as u32)
    }

    pub(in crate::check) fn domain_too_large(&mut self, name: &str, size: u64, span: Span) {
        let mut d = Diagnostic::error(Code::LimitDomain, span, format!("{name} has {size} elements"))
            .note(format!("a domain may have at most {}", limits::DOMAIN))
            .help("make it smaller");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.report(d);
    }

    /// Resolves `domain NAME = lo..hi`.
    pub(in crate::check) fn resolve_range(
        &mut self,
        name: &'a Name,
        low: &'a syntax::Expr,
        high: &'a syntax::Expr,
    ) -> Entity {
        let low_value = self.constant(low, "the range of a domain");
        let high_value = self.constant(high, "the range of a domain");
        let (Some(low_value), Some(high_value)) = (low_value, high_value) else { return Entity::Poison };
        let Some(size) = self.range_size(low_value, high_value, low.span.to(high.span)) else {
            return Entity::Poison;
        };
        let kind = DomainKind::Range { low: low_value };
        Entity::Domain(self.add_domain(Domain { name: name.text.clone(), kind, size, looks: vec![] }))
    }

    /// Resolves `domain NAME { field: range, … }`.
    pub(in crate::check) fn resolve_record(
        &mut self,
        name: &'a Name,
        fields: &'a [(Name, TypeExpr)],
    ) -> Entity {
        for (i, (field, _)) in fields.iter().enumerate() {
            if let Some((first, _)) = fields[..i].iter().find(|(f, _)| f.text == field.text) {
                let d = Diagnostic::error(
                    Code::DuplicateName,
                    field.span,
                    format!("`{}` is listed twice", field.text),
                )
                .also(first.span, "first listed here");
                self.report(d);
                return Entity::Poison;
            }
        }
        if fields.len() > limits::FIELDS {
            let (field, _) = &fields[limits::FIELDS];
            let message = format!("{} fields are too many", fields.len());
            let d = Diagnostic::error(Code::LimitFields, field.span, message)
                .note(format!("a record may have at most {}", limits::FIELDS))
                .help("use two domains, or a table");
            self.report(d);
            return Entity::Poison;
        }
        let mut rows: Vec<Vec<i64>> = vec![];
        let mut kinds = vec![FieldDomain::default(); fields.len()];
        if fields.is_empty() || !self.fill_record(name, fields, &mut vec![], &mut rows, &mut kinds) {
            return Entity::Poison;
        }
        if rows.is_empty() {
            self.error(Code::EmptyRange, name.span, format!("`{}` has no element", name.text));
            return Entity::Poison;
        }
        if !self.afford_table(rows.len() * fields.len(), name.span) {
            return Entity::Poison;
        }
        let column = |i: usize| -> Vec<i64> { rows.iter().map(|r| r[i]).collect() };
        let field = |(i, (f, _)): (usize, &(Name, TypeExpr))| crate::model::Field {
            name: f.text.clone(),
            of: kinds[i].of,
            numbers: kinds[i].numbers,
            read: false,
            values: column(i),
        };
        let columns = fields.iter().enumerate().map(field).collect();
        let kind = DomainKind::Record(columns);
        let domain =
            self.add_domain(Domain { name: name.text.clone(), kind, size: rows.len() as u32, looks: vec![] });
        for (i, (field, ty)) in fields.iter().enumerate() {
            let values = column(i);
            let of = match kinds[i].of {
                Some(of) => of,
                None => {
                    let (low, high) = (values.iter().min().copied(), values.iter().max().copied());
                    let range = low.zip(high).and_then(|(low, high)| self.range_domain(low, high, ty.span));
                    let Some(range) = range else { return Entity::Poison };
                    range
                }
            };
            let number = kinds[i].of.is_none();
            let table = format!("{}.{}", name.text, field.text);
            self.model.tables.push(ConstantTable { name: table, index: vec![domain], values });
            let id = TableId(self.model.tables.len() as u32 - 1);
            self.fields
                .insert((domain, field.text.clone()), FieldTable { name: field.span, table: id, of, number });
        }
        Entity::Domain(domain)
    }

    /// Adds all records that begin with `row`. A field's range may use earlier fields. Returns `false`
    /// on error.
    fn fill_record(
        &mut self,
        name: &'a Name,
        fields: &'a [(Name, TypeExpr)],
        row: &mut Vec<i64>,
        rows: &mut Vec<Vec<i64>>,
        kinds: &mut [FieldDomain],
    ) -> bool {
        let i = row.len();
        let Some((_, ty)) = fields.get(i) else {
            rows.push(row.clone());
            if rows.len() as i64 > limits::DOMAIN {
                self.domain_too_large(&format!("`{}`", name.text), rows.len() as u64, name.span);
                return false;
            }
            return true;
        };
        let range = match &ty.kind {
            TypeKind::Range(low, high) => {
                let mut frame = Scope::default();
                for ((field, _), value) in fields.iter().zip(row.iter()) {
                    let value = Val::sure(self.number_constant(*value, field.span));
                    frame.push(&field.text, field.span, Binding::Argument(value, 0));
                }
                self.frames.push(frame);
                let low_value = self.constant(low, "the range of a field");
                let high_value = self.constant(high, "the range of a field");
                self.frames.pop();
                let (Some(low), Some(high)) = (low_value, high_value) else { return false };
                if high.saturating_sub(low) >= limits::DOMAIN {
                    let size = high.saturating_sub(low).saturating_add(1);
                    self.domain_too_large(&format!("`{low}..{high}`"), size as u64, ty.span);
                    return false;
                }
                (low, high)
            }
            _ => {
                let Some(domain) = self.type_domain(ty) else { return false };
                match self.range_low(domain) {
                    Some(low) => {
                        kinds[i].numbers = Some(domain);
                        (low, low + i64::from(self.size(domain)) - 1)
                    }
                    None => {
                        kinds[i].of = Some(domain);
                        (0, i64::from(self.size(domain)) - 1)
                    }
                }
            }
        };
        for value in range.0..=range.1 {
            row.push(value);
            let whole = self.fill_record(name, fields, row, rows, kinds);
            row.pop();
            if !whole {
                return false;
            }
        }
        true
    }

    /// The domain with a name: a declared one, the players or the sites of a board.
    pub(in crate::check) fn domain_named(&mut self, name: &Name) -> Option<DomainId> {
        let domain = self.try_domain(name);
        if domain.is_none() {
            match self.entity(name) {
                Some(Entity::Poison) => {}
                Some(_) => {
                    let message = format!("`{}` is not a domain", name.text);
                    let d = Diagnostic::error(Code::NotADomain, name.span, message).note(
                        "expected `player`, a board's name, an enum, a domain or a range such as `1..6`",
                    );
                    self.report(d);
                }
                None => self.unknown_domain(&name.text, name.span),
            }
        }
        domain
    }

    fn unknown_domain(&mut self, name: &str, span: Span) {
        let mut known: Vec<&str> = vec!["player", "bool", "int", "table"];
        for decl in &self.game.decls {
            match &decl.kind {
                syntax::DeclKind::Enum { name, .. }
                | syntax::DeclKind::Range { name, .. }
                | syntax::DeclKind::Record { name, .. }
                | syntax::DeclKind::Board { name, .. }
                | syntax::DeclKind::Edges { name, .. } => known.push(&name.text),
                _ => {}
            }
        }
        let better = crate::diagnostic::did_you_mean(name, known.iter().copied()).map(str::to_string);
        let mut d = Diagnostic::error(Code::UnknownType, span, format!("no domain is called `{name}`"))
            .note("expected `player`, a board's name, an enum, a domain or a range such as `1..6`");
        if let Some(better) = better {
            d = d.help(format!("did you mean `{better}`?"));
        }
        self.report(d);
    }

    /// The domain with a name, or `None` if there is none.
    pub(in crate::check) fn try_domain(&mut self, name: &Name) -> Option<DomainId> {
        if let Some(player @ (BuiltInName::Player | BuiltInName::Players)) = BuiltInName::named(&name.text) {
            self.recorder.refer_to_built_in(name.span, player);
            self.players();
            return Some(PLAYER);
        }
        if name.text == BuiltInName::Direction.name() {
            self.recorder.refer_to_built_in(name.span, BuiltInName::Direction);
            return self.direction_domain(name.span);
        }
        if name.text == BuiltInName::Team.name() && !self.declared.contains_key(name.text.as_str()) {
            self.recorder.refer_to_built_in(name.span, BuiltInName::Team);
            return self.team_domain(name.span);
        }
        match self.declared.contains_key(name.text.as_str()).then(|| self.entity(name)).flatten() {
            Some(Entity::Domain(d)) => Some(d),
            Some(Entity::Board(b)) => Some(self.model.boards[b.index()].domain),
            _ => None,
        }
    }

    /// The domain of an index in a declaration.
    fn index_domain(&mut self, e: &'a syntax::Expr) -> Option<DomainId> {
        match &e.kind {
            S::Name(name) => self.domain_named(name),
            S::Range(low, high) => {
                let low_value = self.constant(low, "the range of an index");
                let high_value = self.constant(high, "the range of an index");
                self.range_domain(low_value?, high_value?, e.span)
            }
            S::Hole => {
                self.holes = true;
                None
            }
            _ => {
                let d = Diagnostic::error(Code::NotADomain, e.span, "an index must be a domain")
                    .note("expected `player`, a board's name, an enum, a domain or a range such as `1..6`");
                self.report(d);
                None
            }
        }
    }

    /// The domains of all indices of a declaration.
    pub(in crate::check) fn index_domains(&mut self, index: &'a [syntax::Expr]) -> Option<Vec<DomainId>> {
        let all: Vec<Option<DomainId>> = index.iter().map(|e| self.index_domain(e)).collect();
        all.into_iter().collect()
    }

    /// The number of values in a family. Reports an error if there are too many.
    pub(in crate::check) fn family(&mut self, index: &[DomainId], span: Span) -> Option<usize> {
        let mut size = 1u64;
        for domain in index {
            size = size.saturating_mul(u64::from(self.size(*domain)));
        }
        if size > limits::FAMILY {
            let mut d = Diagnostic::error(Code::LimitFamily, span, format!("this has {size} values"))
                .note(format!("one declaration may have at most {}", limits::FAMILY))
                .help("use fewer or smaller index domains");
            if let Some(note) = self.params_note() {
                d = d.note(note);
            }
            self.report(d);
            return None;
        }
        Some(size as usize)
    }

    /// The domain of a type, without its `?`.
    pub(in crate::check) fn type_domain(&mut self, ty: &'a TypeExpr) -> Option<DomainId> {
        match &ty.kind {
            TypeKind::Range(low, high) => {
                let low_value = self.constant(low, "the range of a type");
                let high_value = self.constant(high, "the range of a type");
                self.range_domain(low_value?, high_value?, ty.span)
            }
            TypeKind::Named(name) => self.domain_named(name),
            TypeKind::Words(words) => Some(self.words_domain(words)),
            TypeKind::Numbers(_) | TypeKind::Set(_) => {
                self.error(Code::WrongType, ty.span, "expected a domain");
                None
            }
            TypeKind::Hole => {
                self.holes = true;
                None
            }
        }
    }

    /// Records the use of `bool`, `int` or `table` as a type.
    pub(in crate::check) fn refer_to_type_word(&mut self, ty: &'a TypeExpr) {
        if let TypeKind::Named(name) = &ty.kind
            && matches!(name.text.as_str(), "bool" | "int" | "table")
        {
            self.recorder.refer_to_word(WordKind::Type, name);
        }
    }

    /// The slot content for a type.
    pub(in crate::check) fn content(&mut self, ty: &'a TypeExpr) -> Option<Content> {
        let span = ty.span;
        self.refer_to_type_word(ty);
        let plain = match &ty.kind {
            TypeKind::Named(n) if n.text == "bool" => Some(Content::Bool),
            TypeKind::Named(n) if n.text == "int" => Some(Content::Number { low: i64::MIN, high: i64::MAX }),
            TypeKind::Set(of) => {
                if of.optional {
                    self.error(Code::WrongType, of.span, "the elements of a set are never none");
                }
                Some(Content::Set(self.type_domain(of)?))
            }
            TypeKind::Named(n) if n.text == "table" => {
                self.error(Code::WrongType, span, "a table never changes: it is a `param` or a `table`");
                return None;
            }
            TypeKind::Numbers(_) => {
                let d =
                    Diagnostic::error(Code::WrongType, span, "a list of numbers is a type for params only")
                        .help("write a range such as `1..6`");
                self.report(d);
                return None;
            }
            TypeKind::Range(low, high) if !ty.optional => {
                let low_value = self.constant(low, "the range of a variable");
                let high_value = self.constant(high, "the range of a variable");
                let (low, high) = (low_value?, high_value?);
                if low > high {
                    self.empty_range(low, high, span);
                    return None;
                }
                Some(Content::Number { low, high })
            }
            TypeKind::Hole => {
                self.holes = true;
                return None;
            }
            _ => None,
        };
        if let Some(content) = plain {
            if ty.optional {
                let d = Diagnostic::error(Code::WrongType, span, "only an element of a domain can be none")
                    .help("leave the `?` out, or use a value of its own, such as 0 or {}");
                self.report(d);
                return None;
            }
            return Some(content);
        }
        let domain = self.type_domain(ty)?;
        Some(match self.range_low(domain) {
            Some(low) if !ty.optional => {
                Content::Number { low, high: low + i64::from(self.size(domain)) - 1 }
            }
            _ => Content::Element { domain, optional: ty.optional },
        })
    }
}
