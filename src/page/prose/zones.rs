//! Zones in words, and what lies in them; places without pieces.

use crate::prose::grammar::{is_participle, piece, plural};
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, Expr, ExprKind};
use houserule_language::vocabulary::Function;
use houserule_model::board::Shape;
use houserule_model::{Content, DomainId, PLAYER, Role, Slot};

impl Wording<'_> {
    /// Describes a zone by its name, or all zones of a family: `the stock`, `the played cards`, `all players' hands`, `all
    /// players' piles of all colours`.
    pub(super) fn zone(&self, name: &str) -> String {
        let (by, kind) = (self.family(name), self.kind_in_zone(name));
        let noun = match (&kind, by.is_empty()) {
            (Some(kind), _) => format!("{} {kind}", plain(name)),
            (None, true) => plain(name),
            (None, false) => plural(name),
        };
        match by.as_slice() {
            [] if noun.starts_with("the ") => noun,
            [] => format!("the {noun}"),
            [PLAYER] => format!("all players' {noun}"),
            [PLAYER, of @ ..] => format!("all players' {noun} of {}", self.all_of(of)),
            of => format!("the {noun} of {}", self.all_of(of)),
        }
    }

    /// Returns the indices of a family of zones. Empty for a single zone; an index over the only player isn't one.
    fn family(&self, name: &str) -> Vec<DomainId> {
        let is_zone = |slot: &&Slot| slot.name == name && matches!(slot.role, Role::Zone | Role::Copies);
        let by = self.model.slots.iter().find(is_zone).map_or(&[][..], |slot| match slot.role {
            // The last index of copies is their kind.
            Role::Copies => &slot.index[..slot.index.len().saturating_sub(1)],
            _ => &slot.index[..],
        });
        by.iter().copied().filter(|by| *by != PLAYER || self.model.players.count > 1).collect()
    }

    /// Returns `true` for a family of zones without an index, which stands for all of them, and for a union with one.
    pub(super) fn has_family(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(name) => self.find(&name.text).is_none() && !self.family(&name.text).is_empty(),
            ExprKind::Binary(BinaryOp::Union, a, b) => self.has_family(a) || self.has_family(b),
            _ => false,
        }
    }

    /// Describes all elements of some domains: `all colours and all ranks`.
    fn all_of(&self, domains: &[DomainId]) -> String {
        let all: Vec<String> = domains.iter().map(|domain| format!("all {}", self.things(*domain))).collect();
        all.join(" and ")
    }

    /// Describes the places without a piece. They aren't empty if something else may lie there.
    pub(super) fn empty_places(&self) -> String {
        match self.missing_there() {
            Some(missing) => format!("the places that hold no {missing}"),
            None => "the empty places".to_owned(),
        }
    }

    /// Returns `true` for the name of the empty places of the board, or of one of several boards: `empty`, `empty[me]`.
    pub(super) fn names_empty_places(&self, name: &str) -> bool {
        let is_kept = |slot: &Slot| {
            slot.name == name
                && matches!(slot.role, Role::Variable | Role::Zone | Role::Copies | Role::Piece(_))
        };
        name == "empty"
            && self.find(name).is_none()
            && !self.is_define(name)
            && !self.model.slots.iter().any(is_kept)
    }

    /// Returns which pieces an empty place lacks, if zones lie at the places of a board. Returns `None` for other games.
    pub(super) fn missing_there(&self) -> Option<String> {
        let (slots, boards) = (&self.model.slots, &self.model.boards);
        let lies_on_board = |slot: &Slot| {
            matches!(slot.role, Role::Zone | Role::Copies)
                && slot.index.iter().any(|by| boards.iter().any(|board| board.domain == *by))
        };
        let pieces: Vec<&Slot> = slots.iter().filter(|slot| matches!(slot.role, Role::Piece(_))).collect();
        slots.iter().any(lies_on_board).then(|| match pieces.as_slice() {
            [one] => piece(&one.name),
            _ => "piece".to_owned(),
        })
    }

    /// Describes the place where the column of one place and the row of another one cross. Returns `None` for other sets.
    pub(super) fn crossing_place(&self, a: &Expr, b: &Expr) -> Option<String> {
        let [board] = self.model.boards.as_slice() else { return None };
        let Shape::Grid { .. } = board.topology.shape() else { return None };
        let place_of = |line: &Expr, function: Function| {
            let ExprKind::Call(outer, args) = &line.kind else { return None };
            let [number] = args.as_slice() else { return None };
            let ExprKind::Call(inner, args) = &number.value.kind else { return None };
            let [place] = args.as_slice() else { return None };
            let is_line = [outer, inner].iter().all(|name| self.function_named(&name.text) == Some(function));
            is_line.then(|| self.atom(&place.value))
        };
        let (column, row) = match (place_of(a, Function::Column), place_of(b, Function::Row)) {
            (Some(column), Some(row)) => (column, row),
            _ => (place_of(b, Function::Column)?, place_of(a, Function::Row)?),
        };
        Some(format!("the place in the column of {column} and the row of {row}"))
    }

    /// Returns the noun for what lies in a zone whose name says only what has happened to it: `cards` for `played`. Returns
    /// `None` for other zones.
    pub(super) fn kind_in_zone(&self, name: &str) -> Option<String> {
        let mut slots = self.model.slots.iter();
        let slot = slots.find(|slot| slot.name == name && matches!(slot.role, Role::Zone | Role::Copies))?;
        let domain = match slot.content {
            Content::Set(domain) => domain,
            // The last index of copies is their kind.
            _ => *slot.index.last()?,
        };
        is_participle(&plain(name)).then(|| self.things(domain))
    }

    /// Returns the noun for the elements of a domain: `cards`.
    pub(super) fn things(&self, domain: DomainId) -> String {
        match self.model.domains[domain.index()].name.as_str() {
            // The name of a range without one is how it is written.
            name if name.contains("..") => "numbers".to_owned(),
            name => plural(name),
        }
    }
}
