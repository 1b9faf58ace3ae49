//! Conditions on what lies in zones: `you hold the countess`, `you hold at least 2 of r`.

use crate::prose::grammar::{closed, is_several};
use crate::prose::phrases::{Wording, declared_name};
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, ComparisonOperator as C, Expr, ExprKind, Name};
use houserule_model::DomainKind;

/// The name of zones whose owners hold what lies in them.
const HAND: &str = "hand";

impl Wording<'_> {
    /// Describes what lies in a zone, or how many copies: `you hold the countess`, `your tray holds none of apple`. Returns
    /// `None` for other comparisons.
    pub(super) fn holding(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        match op {
            BinaryOp::In => self.holding_one(a, b, false),
            BinaryOp::NotIn => self.holding_one(a, b, true),
            BinaryOp::Compare(op) => self.holding_copies(op, a, b),
            _ => None,
        }
    }

    /// Describes whether a player has an element with a name in a hand. Returns `None` for other elements and zones.
    fn holding_one(&self, one: &Expr, zone: &Expr, negated: bool) -> Option<String> {
        let ExprKind::Name(Name { text, .. }) = &one.kind else { return None };
        let ExprKind::Index(base, by) = &zone.kind else { return None };
        let [by] = by.as_slice() else { return None };
        if !self.is_named_element(text)
            || declared_name(base)? != HAND
            || !self.is_zone(zone)
            || !self.is_set(zone)
        {
            return None;
        }
        let player = self.by_player(HAND).then(|| self.atom(by))?;
        let holds = match (negated, is_several(&player)) {
            (false, false) => "holds",
            (false, true) => "hold",
            (true, false) => "doesn't hold",
            (true, true) => "don't hold",
        };
        Some(format!("{player} {holds} the {}", plain(text)))
    }

    /// Returns `true` if a name is that of an element which the rules list.
    fn is_named_element(&self, name: &str) -> bool {
        let lists = |kind: &DomainKind| match kind {
            DomainKind::Enum(values) => values.iter().any(|value| value == name),
            DomainKind::Record { named, .. } => named.iter().any(|(_, value)| value == name),
            _ => false,
        };
        self.find(name).is_none()
            && !self.is_define(name)
            && self.param(name).is_none()
            && !self.model.slots.iter().any(|slot| slot.name == name)
            && self.model.domains.iter().any(|domain| lists(&domain.kind))
    }

    /// Describes a comparison of the number of copies of a kind in a zone with a number that has a name or is written.
    /// Returns `None` for other comparisons.
    fn holding_copies(&self, op: C, copies: &Expr, number: &Expr) -> Option<String> {
        let ExprKind::Index(base, by) = &copies.kind else { return None };
        let name = declared_name(base).filter(|_| self.counts_copies(base, by.len()))?;
        // The words for such a zone name what lies in it.
        if self.find(name).is_some() || self.kind_in_zone(name).is_some() {
            return None;
        }
        let (kind, of) = by.split_last()?;
        let number = match (self.number(number), &number.kind) {
            (Some(number), _) => number.to_string(),
            (None, ExprKind::Name(_)) => self.value(number),
            _ => return None,
        };
        let how = match (op, number.as_str()) {
            (C::Equal, "0") => "none of".to_owned(),
            (C::Greater | C::NotEqual, "0") => "at least 1 of".to_owned(),
            (C::Equal, number) => format!("exactly {number} of"),
            (C::Less, number) => format!("fewer than {number} of"),
            (C::LessEqual, number) => format!("at most {number} of"),
            (C::Greater, number) => format!("more than {number} of"),
            (C::GreaterEqual, number) => format!("at least {number} of"),
            (C::NotEqual, _) => return None,
        };
        let player = match of {
            [one] if name == HAND && self.by_player(name) => Some(self.atom(one)),
            _ => None,
        };
        let holder = match (player, of) {
            (Some(player), _) => player,
            (None, []) => format!("the {}", plain(name)),
            (None, of) => closed(self.zone_of(name, of)),
        };
        let hold = if is_several(&holder) { "hold" } else { "holds" };
        Some(format!("{holder} {hold} {how} {}", closed(self.atom(kind))))
    }
}
