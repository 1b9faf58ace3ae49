//! The nouns for elements of sets whose names have none, or no article: `the named places`, `the goals of a`, `the cards in
//! stock`.

use crate::prose::grammar::{
    closed, is_adjective, is_owned, is_participle, is_several, opened, preposition_before,
};
use crate::prose::phrases::{Wording, declared_name};
use crate::prose::sets::whole_of;
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, Expr, ExprKind, Name, Quantifier};
use houserule_language::vocabulary::{ArgumentKind, Form};
use houserule_model::{Content, DomainId, PLAYER, Role};

/// Maximum number of nested defines in which the domain of a set is looked for.
const DEPTH: u32 = 4;

/// Words before a noun that needs no article.
const DETERMINERS: [&str; 18] = [
    "a", "all", "an", "any", "both", "each", "every", "her", "his", "its", "my", "no", "our", "some", "the",
    "these", "those", "what",
];

/// Returns `true` if a name says how things are, such as `named` and `free`, and not what they are.
pub(super) fn is_state(name: &str) -> bool {
    let name = plain(name);
    is_participle(&name) || is_adjective(&name)
}

impl Wording<'_> {
    /// Describes the elements of a set that has a name: `the named places`, `the goals of a`, `the places in stock`, of a union
    /// of such, and of what is left of one. Returns `None` for other sets.
    pub(in crate::prose) fn named_elements(&self, set: &Expr) -> Option<String> {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                return Some(format!("{} or {}", self.named_part(a), self.named_part(b)));
            }
            ExprKind::Binary(BinaryOp::Subtract, ..) => {
                let whole = whole_of(set);
                let noun = matches!(whole.kind, ExprKind::Name(_)).then(|| self.value(whole))?;
                let with_article = self.with_noun(whole, &noun)?;
                return (with_article == format!("the {noun}")).then(|| format!("the {}", self.value(set)));
            }
            _ => {}
        }
        if let Some(place) = self.built_in_place(set) {
            return Some(match place.strip_prefix("in ") {
                Some(place) => place.to_owned(),
                None => format!("the places {place}"),
            });
        }
        self.own_name(set)?;
        let told = self.value(set);
        if let Some(told) = self.with_noun(set, &told) {
            return Some(told);
        }
        match self.domain_of(set, DEPTH) {
            Some(domain) if !has_determiner(&told) && !is_several(&told) => {
                Some(format!("the {} in {told}", self.elements_noun(domain)))
            }
            _ => Some(told),
        }
    }

    /// Describes a part of a union, with the noun or the article that its name needs: `the cards`.
    fn named_part(&self, part: &Expr) -> String {
        if let ExprKind::Binary(BinaryOp::Union, a, b) = &part.kind {
            return format!("{} or {}", self.named_part(a), self.named_part(b));
        }
        let told = self.alternative(part);
        self.with_noun(part, opened(&told)).map_or(told, closed)
    }

    /// Describes the elements of a named set whose name is an adjective or a plural, or begins with a preposition: `the named
    /// places`, `your open places`, `the goals of a`, `those on foot`. `told` are the words for the set. Returns `None` for
    /// other sets.
    pub(super) fn with_noun(&self, set: &Expr, told: &str) -> Option<String> {
        let name = self.own_name(set)?;
        let noun = plain(name);
        let is_bare = matches!(set.kind, ExprKind::Name(_));
        if is_owned(told) {
            let is_last = told.ends_with(&format!(" {noun}"));
            let things = self.domain_of(set, DEPTH).filter(|_| is_last && is_state(name))?;
            return Some(format!("{told} {}", self.elements_noun(things)));
        }
        if has_determiner(told) {
            return None;
        }
        if is_bare && preposition_before(&noun).is_some() {
            return Some(format!("those {told}"));
        }
        // Pieces have a noun already.
        if is_bare && is_state(name) && !self.is_piece(name) {
            let things = self.domain_of(set, DEPTH)?;
            return Some(format!("the {told} {}", self.elements_noun(things)));
        }
        is_several(told).then(|| format!("the {told}"))
    }

    /// Says where the corners and the edge are, which every game has. Returns `None` for other sets.
    pub(super) fn built_in_place(&self, set: &Expr) -> Option<&'static str> {
        let ExprKind::Name(Name { text, .. }) = &set.kind else { return None };
        if self.find(text).is_some()
            || self.is_define(text)
            || self.declared(set).is_some()
            || self.is_zone(set)
        {
            return None;
        }
        match text.as_str() {
            "corners" => Some("in the corners"),
            "edge" => Some("on the edge"),
            _ => None,
        }
    }

    /// Returns the name of a set that is a define, a variable or a piece, with arguments or without.
    pub(super) fn own_name<'e>(&self, set: &'e Expr) -> Option<&'e str> {
        let name = match &set.kind {
            ExprKind::Call(Name { text, .. }, _) => text,
            _ => declared_name(set)?,
        };
        let is_named = match &set.kind {
            ExprKind::Call(..) => self.is_define(name),
            ExprKind::Name(_) if self.is_define(name) => true,
            _ => self.is_piece(name) || matches!(self.declared(set), Some(Content::Set(_))),
        };
        (is_named && self.find(name).is_none() && self.is_set(set)).then_some(name.as_str())
    }

    /// Returns the noun for the elements of a domain: `cards`, and `places` for sites.
    fn elements_noun(&self, domain: DomainId) -> String {
        match self.model.boards.iter().any(|board| board.domain == domain) {
            true => "places".to_owned(),
            false => self.things(domain),
        }
    }

    /// Returns the domain of the elements of a set, judging by its form, through at most `depth` nested defines.
    fn domain_of(&self, set: &Expr, depth: u32) -> Option<DomainId> {
        let sites = || self.model.boards.first().map(|board| board.domain);
        let inside = |set: &Expr| self.domain_of(set, depth);
        match &set.kind {
            ExprKind::Name(Name { text, .. }) | ExprKind::Call(Name { text, .. }, _)
                if self.is_define(text) =>
            {
                self.domain_of(self.define(text)?, depth.checked_sub(1)?)
            }
            ExprKind::Name(Name { text, .. }) => {
                if self.find(text).is_some() {
                    return None;
                }
                let mut domains = (0..).map(DomainId).zip(&self.model.domains);
                if let Some((id, _)) = domains.find(|(_, domain)| domain.name == *text) {
                    return Some(id);
                }
                let mut slots = self.model.slots.iter();
                let is = |role: Role| matches!(role, Role::Variable | Role::Zone | Role::Piece(_));
                match slots.find(|slot| slot.name == *text && is(slot.role)).map(|slot| slot.content) {
                    Some(Content::Set(domain)) => Some(domain),
                    Some(_) => None,
                    None => match text.as_str() {
                        "players" | "playing" => Some(PLAYER),
                        "empty" | "edge" | "corners" => sites(),
                        _ => None,
                    },
                }
            }
            ExprKind::Index(base, _) => inside(base),
            ExprKind::Call(name, _) => {
                if let Some(board) = self.model.boards.iter().find(|board| board.name == name.text) {
                    return Some(board.domain);
                }
                let is_site = |form: &Form| matches!(form.result, ArgumentKind::Sites | ArgumentKind::Site);
                let forms = self.function_named(&name.text)?.forms();
                // The row of a site is a number, and that of a number a set of sites.
                let are_sites = forms.iter().all(is_site) || forms.iter().any(is_site) && self.is_set(set);
                are_sites.then(sites)?
            }
            ExprKind::Comprehension { over, .. } => inside(over),
            ExprKind::Quantified { op: Quantifier::AllBest, over, .. } => inside(over),
            ExprKind::Quantified { op: Quantifier::Union, body, .. } => inside(body),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Subtract, a, b)
            | ExprKind::If(_, a, b) => inside(a).or_else(|| inside(b)),
            ExprKind::Site(_) => sites(),
            ExprKind::Set(list) => inside(list.first()?),
            _ => None,
        }
    }
}

/// Returns `true` if words begin with an article or another word in its place, or with a parenthesis or a quote.
fn has_determiner(told: &str) -> bool {
    let first = told.split(' ').next().unwrap_or(told);
    DETERMINERS.contains(&first) || told.starts_with(['(', '“', '`'])
}
