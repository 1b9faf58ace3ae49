//! Domains: named and anonymous ranges, and the domains named by types and indices.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, Name, TypeExpr, TypeKind};
use houserule_language::vocabulary::{BuiltInName, WordKind};
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Resolves `domain NAME = lo..hi`.
    pub(crate) fn resolve_range(
        &mut self,
        name: &'a Name,
        low: &'a syntax::Expr,
        high: &'a syntax::Expr,
    ) -> Entity {
        let low_value = self.constant(low, "the range of a domain");
        let high_value = self.constant(high, "the range of a domain");
        let (Some(low_value), Some(high_value)) = (low_value, high_value) else { return Entity::Poison };
        let Some(size) = self.draft.range_size(low_value, high_value, low.span.to(high.span)) else {
            return Entity::Poison;
        };
        let kind = DomainKind::Range { low: low_value };
        Entity::Domain(self.draft.add_domain(Domain { name: name.text.clone(), kind, size, looks: vec![] }))
    }

    /// The domain with a name: a declared one, the players or the sites of a board.
    pub(super) fn domain_named(&mut self, name: &Name) -> Option<DomainId> {
        let domain = self.try_domain(name);
        if domain.is_none() {
            match self.entity(name) {
                Some(Entity::Poison) => {}
                Some(_) => {
                    let message = format!("`{}` is not a domain", name.text);
                    let d = Diagnostic::error(Code::NotADomain, name.span, message).note(
                        "expected `player`, a board's name, an enum, a domain or a range such as `1..6`",
                    );
                    self.draft.messages.report(d);
                }
                None => self.report_unknown_domain(&name.text, name.span),
            }
        }
        domain
    }

    fn report_unknown_domain(&mut self, name: &str, span: Span) {
        let mut known: Vec<&str> = vec!["player", "bool", "int", "table"];
        for decl in &self.input.game.decls {
            match &decl.kind {
                syntax::DeclKind::Enum { name, .. }
                | syntax::DeclKind::Range { name, .. }
                | syntax::DeclKind::Record { name, .. }
                | syntax::DeclKind::Board { name, .. }
                | syntax::DeclKind::Edges { name, .. } => known.push(&name.text),
                _ => {}
            }
        }
        let better =
            houserule_language::diagnostic::did_you_mean(name, known.iter().copied()).map(str::to_string);
        let mut d = Diagnostic::error(Code::UnknownType, span, format!("no domain is called `{name}`"))
            .note("expected `player`, a board's name, an enum, a domain or a range such as `1..6`");
        if let Some(better) = better {
            d = d.help(format!("did you mean `{better}`?"));
        }
        self.draft.messages.report(d);
    }

    /// The domain with a name, or `None` if there is none.
    pub(crate) fn try_domain(&mut self, name: &Name) -> Option<DomainId> {
        if let Some(player @ (BuiltInName::Player | BuiltInName::Players)) = BuiltInName::named(&name.text) {
            self.recorder.refer_to_built_in(name.span, player);
            self.players();
            return Some(PLAYER);
        }
        if name.text == BuiltInName::Direction.name() {
            self.recorder.refer_to_built_in(name.span, BuiltInName::Direction);
            return self.direction_domain(name.span);
        }
        if name.text == BuiltInName::Team.name() && !self.names.is_declared(name.text.as_str()) {
            self.recorder.refer_to_built_in(name.span, BuiltInName::Team);
            return self.team_domain(name.span);
        }
        match self.names.is_declared(name.text.as_str()).then(|| self.entity(name)).flatten() {
            Some(Entity::Domain(d)) => Some(d),
            Some(Entity::Board(b)) => Some(self.draft.model.boards[b.index()].domain),
            _ => None,
        }
    }

    /// The domain of an index in a declaration.
    pub(super) fn index_domain(&mut self, e: &'a syntax::Expr) -> Option<DomainId> {
        match &e.kind {
            S::Name(name) => self.domain_named(name),
            S::Range(low, high) => {
                let low_value = self.constant(low, "the range of an index");
                let high_value = self.constant(high, "the range of an index");
                self.draft.range_domain(low_value?, high_value?, e.span)
            }
            S::Hole => {
                self.draft.messages.add_hole();
                None
            }
            _ => {
                let d = Diagnostic::error(Code::NotADomain, e.span, "an index must be a domain")
                    .note("expected `player`, a board's name, an enum, a domain or a range such as `1..6`");
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// The domains of all indices of a declaration.
    pub(super) fn index_domains(&mut self, index: &'a [syntax::Expr]) -> Option<Vec<DomainId>> {
        let all: Vec<Option<DomainId>> = index.iter().map(|e| self.index_domain(e)).collect();
        all.into_iter().collect()
    }

    /// The domain of a type, without its `?`.
    pub(super) fn type_domain(&mut self, ty: &'a TypeExpr) -> Option<DomainId> {
        match &ty.kind {
            TypeKind::Range(low, high) => {
                let low_value = self.constant(low, "the range of a type");
                let high_value = self.constant(high, "the range of a type");
                self.draft.range_domain(low_value?, high_value?, ty.span)
            }
            TypeKind::Named(name) => self.domain_named(name),
            TypeKind::Words(words) => Some(self.words_domain(words)),
            TypeKind::Numbers(_) | TypeKind::Set(_) => {
                self.draft.messages.error(Code::WrongType, ty.span, "expected a domain");
                None
            }
            TypeKind::Hole => {
                self.draft.messages.add_hole();
                None
            }
        }
    }

    /// Records the use of `bool`, `int` or `table` as a type.
    pub(super) fn refer_to_type_word(&mut self, ty: &'a TypeExpr) {
        if let TypeKind::Named(name) = &ty.kind
            && matches!(name.text.as_str(), "bool" | "int" | "table")
        {
            self.recorder.refer_to_word(WordKind::Type, name);
        }
    }

    /// The slot content for a type.
    pub(crate) fn content(&mut self, ty: &'a TypeExpr) -> Option<Content> {
        let span = ty.span;
        self.refer_to_type_word(ty);
        let plain = match &ty.kind {
            TypeKind::Named(n) if n.text == "bool" => Some(Content::Bool),
            TypeKind::Named(n) if n.text == "int" => Some(Content::Number { low: i64::MIN, high: i64::MAX }),
            TypeKind::Set(of) => {
                if of.optional {
                    self.draft.messages.error(
                        Code::WrongType,
                        of.span,
                        "the elements of a set are never none",
                    );
                }
                Some(Content::Set(self.type_domain(of)?))
            }
            TypeKind::Named(n) if n.text == "table" => {
                self.draft.messages.error(
                    Code::WrongType,
                    span,
                    "a table never changes: it is a `param` or a `table`",
                );
                return None;
            }
            TypeKind::Numbers(_) => {
                let d =
                    Diagnostic::error(Code::WrongType, span, "a list of numbers is a type for params only")
                        .help("write a range such as `1..6`");
                self.draft.messages.report(d);
                return None;
            }
            TypeKind::Range(low, high) if !ty.optional => {
                let low_value = self.constant(low, "the range of a variable");
                let high_value = self.constant(high, "the range of a variable");
                let (low, high) = (low_value?, high_value?);
                if low > high {
                    self.draft.messages.report_empty_range(low, high, span);
                    return None;
                }
                Some(Content::Number { low, high })
            }
            TypeKind::Hole => {
                self.draft.messages.add_hole();
                return None;
            }
            _ => None,
        };
        if let Some(content) = plain {
            if ty.optional {
                let d = Diagnostic::error(Code::WrongType, span, "only an element of a domain can be none")
                    .help("leave the `?` out, or use a value of its own, such as 0 or {}");
                self.draft.messages.report(d);
                return None;
            }
            return Some(content);
        }
        let domain = self.type_domain(ty)?;
        Some(match self.draft.range_low(domain) {
            Some(low) if !ty.optional => {
                Content::Number { low, high: low + i64::from(self.draft.size(domain)) - 1 }
            }
            _ => Content::Element { domain, optional: ty.optional },
        })
    }
}

impl Draft {
    /// The domain `low..high`. The same range gives the same domain.
    pub(crate) fn range_domain(&mut self, low: i64, high: i64, span: Span) -> Option<DomainId> {
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

    /// The first number of a range domain.
    pub(crate) fn range_low(&self, domain: DomainId) -> Option<i64> {
        match self.model.domains[domain.index()].kind {
            DomainKind::Range { low } => Some(low),
            _ => None,
        }
    }

    fn range_size(&mut self, low: i64, high: i64, span: Span) -> Option<u32> {
        if low > high {
            self.messages.report_empty_range(low, high, span);
            return None;
        }
        let size = high.saturating_sub(low).saturating_add(1);
        if size > limits::DOMAIN {
            self.report_large_domain(&format!("`{low}..{high}`"), size as u64, span);
            return None;
        }
        Some(size as u32)
    }

    pub(crate) fn report_large_domain(&mut self, name: &str, size: u64, span: Span) {
        let mut d = Diagnostic::error(Code::LimitDomain, span, format!("{name} has {size} elements"))
            .note(format!("a domain may have at most {}", limits::DOMAIN))
            .help("make it smaller");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.messages.report(d);
    }

    /// The number of values in a family. Reports an error if there are too many.
    pub(super) fn family(&mut self, index: &[DomainId], span: Span) -> Option<usize> {
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
            self.messages.report(d);
            return None;
        }
        Some(size as usize)
    }
}
