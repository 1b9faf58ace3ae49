//! Expressions about the elements of a set in words: comprehensions, quantifiers, and what a condition denies.

use crate::prose::grammar::{closed, plain};
use crate::prose::phrases::{LocalName, Wording};
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Quantifier, UnaryOp};

/// A variable, the set it goes over, and the condition after `where`.
#[derive(Clone, Copy)]
pub(super) struct Members<'e> {
    name: &'e Name,
    subsets: bool,
    over: &'e Expr,
    filter: Option<&'e Expr>,
}

impl Wording<'_> {
    /// Describes a set of those elements that satisfy a condition: `those c of empty places where …`.
    pub(super) fn those(&self, name: &Name, over: &Expr, filter: &Expr) -> String {
        let members = Members { name, subsets: false, over, filter: Some(filter) };
        format!("those {}", self.members(members, None))
    }

    /// Describes a quantifier: a condition for `any` and `all`, a value for the others.
    pub(super) fn quantified(&self, op: Quantifier, members: Members<'_>, body: &Expr) -> String {
        let all = self.members(members, None);
        match op {
            Quantifier::Any | Quantifier::All => {
                let any = op == Quantifier::Any;
                if let Some(told) = self.about_players(any, members, body) {
                    return told;
                }
                format!("for {} {all}, {}", if any { "some" } else { "every" }, self.condition(body))
            }
            Quantifier::Count => format!("the number of {}", self.members(members, Some(body))),
            Quantifier::Sum => format!("the sum of {} for every {all}", self.atom(body)),
            Quantifier::Min => format!("the lowest {} for any {all}", self.atom(body)),
            Quantifier::Max => format!("the highest {} for any {all}", self.atom(body)),
            Quantifier::Best => format!("the {all}, {}", self.keys(body)),
            Quantifier::AllBest => format!("all {all}, {}", self.keys(body)),
            Quantifier::Union => format!("{} for every {all}", self.value(body)),
        }
    }

    /// Describes what `best` compares, in the order in which it decides.
    fn keys(&self, body: &Expr) -> String {
        let each = body.listed().iter().map(|key| match &key.kind {
            ExprKind::Unary(UnaryOp::Negate, key) => format!("with the lowest {}", self.atom(key)),
            _ if is_condition(key) => format!("preferably if {}", self.condition(key)),
            _ => format!("with the highest {}", self.atom(key)),
        });
        each.collect::<Vec<_>>().join(", then ")
    }

    /// Describes a condition on some or all players with the player as the subject. Returns `None` if the clause
    /// doesn't name the player: it would refer to somebody else.
    fn about_players(&self, any: bool, members: Members<'_>, body: &Expr) -> Option<String> {
        let is_plain = members.filter.is_none() && !members.subsets;
        if !is_plain || !matches!(&members.over.kind, ExprKind::Name(Name { text, .. }) if text == "players")
        {
            return None;
        }
        let who = if any { "a player" } else { "every player" };
        let told = self.condition_with(LocalName::player(&members.name.text, who), body);
        // A second clause would seem to be about another player.
        (told.matches(who).count() == 1).then_some(told)
    }

    /// Describes elements and the condition that they satisfy: `c of empty places where …`.
    fn members(&self, members: Members<'_>, more: Option<&Expr>) -> String {
        let group = if members.subsets { "group " } else { "" };
        let conditions: Vec<&Expr> = members.filter.into_iter().chain(more).collect();
        let conditions = match conditions.as_slice() {
            [] => String::new(),
            [one] => format!(" where {}", self.condition(one)),
            [one, rest @ ..] => {
                let rest = rest.iter().map(|one| self.part(BinaryOp::And, one, true));
                let rest = rest.collect::<Vec<_>>().join(" and ");
                format!(" where {} and {rest}", self.part(BinaryOp::And, one, false))
            }
        };
        let over = match &members.over.kind {
            ExprKind::Call(..) => closed(self.value(members.over)),
            _ => self.value(members.over),
        };
        format!("{group}{} of {over}{conditions}", plain(&members.name.text))
    }

    /// Describes the opposite of a condition.
    pub(super) fn denied(&self, e: &Expr) -> String {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn, Or};
        let opposite = |op: BinaryOp| {
            Some(match op {
                Equal => NotEqual,
                NotEqual => Equal,
                Less => GreaterEqual,
                LessEqual => Greater,
                Greater => LessEqual,
                GreaterEqual => Less,
                In => NotIn,
                NotIn => In,
                _ => return None,
            })
        };
        match &e.kind {
            _ if self.settled(e).is_some() => (self.settled(e) == Some(false)).to_string(),
            ExprKind::Is { value, negated, name } => self.being(value, !negated, name),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                format!("{} is false", self.value(e))
            }
            ExprKind::Binary(And | Or, ..) => match self.condition(e) {
                // The params may leave one of them.
                told if matches!(self.unsettled(e).kind, ExprKind::Binary(And | Or, ..)) => {
                    format!("it is not so that ({told})")
                }
                _ => self.denied(self.unsettled(e)),
            },
            ExprKind::Binary(op @ (Equal | NotEqual), a, b) if self.is_truth(a) && self.is_truth(b) => {
                let op = if *op == Equal { NotEqual } else { Equal };
                self.comparison(op, a, b).unwrap_or_else(|| Self::code(e))
            }
            ExprKind::Binary(op, a, b) => opposite(*op)
                .and_then(|op| self.comparison(op, a, b))
                .unwrap_or_else(|| format!("it is not so that {}", self.condition(e))),
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Unary(UnaryOp::NoAction, player) => {
                format!("something is possible for {}", self.value(player))
            }
            ExprKind::Call(name, args)
                if args.len() == 1 && matches!(name.text.as_str(), "some" | "nothing") =>
            {
                self.being(&args[0].value, true, name)
            }
            ExprKind::Call(name, args) => self.asked(&name.text, args, true),
            ExprKind::Quantified { op: Quantifier::Any, body, .. } => match Members::of(e) {
                Some(members) => format!("for no {}, {}", self.members(members, None), self.condition(body)),
                None => Self::code(e),
            },
            ExprKind::Quantified { op: Quantifier::All, .. } => format!("not {}", self.condition(e)),
            _ => format!("it is not so that {}", self.condition(e)),
        }
    }
}

/// Returns `true` if an expression is written as a condition.
pub(super) fn is_condition(e: &Expr) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn, Or};
    matches!(
        e.kind,
        ExprKind::Binary(
            And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn,
            ..
        ) | ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _)
            | ExprKind::Is { .. }
            | ExprKind::Quantified { op: Quantifier::Any | Quantifier::All, .. }
    )
}

impl<'e> Members<'e> {
    /// Returns the members that a quantifier goes over.
    pub(super) fn of(e: &'e Expr) -> Option<Members<'e>> {
        let ExprKind::Quantified { name, subsets, over, filter, .. } = &e.kind else { return None };
        Some(Members { name, subsets: *subsets, over, filter: filter.as_deref() })
    }
}
