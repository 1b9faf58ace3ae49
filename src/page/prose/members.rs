//! Expressions about the elements of a set in words: comprehensions and quantifiers.

use crate::prose::forms::is_condition;
use crate::prose::grammar::{closed, plural};
use crate::prose::phrases::{LocalName, Wording, is_name};
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, Expr, ExprKind, Name, Quantifier, UnaryOp};

/// A variable, the set it goes over, and the condition after `where`.
#[derive(Clone, Copy)]
pub(super) struct Members<'e> {
    name: &'e Name,
    subsets: bool,
    over: &'e Expr,
    filter: Option<&'e Expr>,
}

impl Wording<'_> {
    /// Describes a set of those elements that satisfy a condition: `those c of empty places where …`, or
    /// `the cards whose suit is hearts`.
    pub(super) fn those(&self, name: &Name, over: &Expr, filter: &Expr) -> String {
        if let Some(told) = self.whose(name, over, filter) {
            return told;
        }
        let members = Members { name, subsets: false, over, filter: Some(filter) };
        format!("those {}", self.members(members, None))
    }

    /// Describes the elements of a set whose fields satisfy conditions: `the cards whose suit is hearts`, `those of your
    /// hand whose rank is at least 10`. Returns `None` for conditions of other kinds.
    fn whose(&self, name: &Name, over: &Expr, filter: &Expr) -> Option<String> {
        let mut parts = vec![];
        self.flat(BinaryOp::And, filter, &mut parts);
        let own = format!("{}'s ", plain(&name.text));
        let about = |part: &&Expr| {
            let ExprKind::Binary(BinaryOp::Compare(_) | BinaryOp::In | BinaryOp::NotIn, a, _) = &part.kind
            else {
                return None;
            };
            let (ExprKind::Field(of, _), true) = (&a.kind, self.settled(part).is_none()) else { return None };
            let told = is_name(of, &name.text).then(|| self.condition(part))?;
            let told = told.strip_prefix(&own)?;
            let is_alone = !told.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == name.text);
            is_alone.then(|| format!("whose {told}"))
        };
        let told: Vec<String> = parts.iter().map(about).collect::<Option<_>>()?;
        let all = match &over.kind {
            ExprKind::Name(Name { text, .. }) if self.is_domain(text) => format!("the {}", plural(text)),
            _ => format!("those of {}", self.any_of(over)),
        };
        Some(format!("{all} {}", told.join(" and ")))
    }

    /// Describes a value for each element of a set: `points of you, k for every k of colour`.
    pub(super) fn values(&self, name: &Name, over: &Expr, filter: Option<&Expr>, body: &Expr) -> String {
        let members = Members { name, subsets: false, over, filter };
        format!("{} for every {}", self.atom(body), self.members(members, None))
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
            Quantifier::Count => match self.whose(members.name, members.over, body) {
                Some(told) if members.filter.is_none() && !members.subsets => format!("the number of {told}"),
                _ => format!("the number of {}", self.members(members, Some(body))),
            },
            Quantifier::Sum => format!("the sum of {} for every {all}", self.atom(body)),
            Quantifier::Min => format!("the lowest {} for any {all}", without_article(&self.atom(body))),
            Quantifier::Max => format!("the highest {} for any {all}", without_article(&self.atom(body))),
            Quantifier::Best => self.best("the", members, body),
            Quantifier::AllBest => self.best("all", members, body),
            Quantifier::Union => format!("{} for every {all}", self.whole(body)),
        }
    }

    /// Describes the best of some elements, or all of them, with what is compared, in the order in which it decides:
    /// `the player with the highest bid`, `the c of your hand for which worth of c is lowest`.
    fn best(&self, which: &str, members: Members<'_>, body: &Expr) -> String {
        let is_players = self.is_players(members.over) && members.filter.is_none() && !members.subsets;
        let plural = if which == "all" { "s" } else { "" };
        let own = format!("{}'s ", plain(&members.name.text));
        // The name of the thing stands for the number of turns.
        let counts = |e: &Expr| matches!(&e.kind, ExprKind::Index(base, _) if is_name(base, "turns"));
        let key = |e: &Expr, how: &str| match self.atom(e) {
            told if told == plain(&members.name.text) => format!("with the {how} {told}"),
            told => match told.strip_prefix(&own).filter(|has| is_players && !has.contains(&own)) {
                Some(has) if counts(e) => format!("with the {how} number of {has}"),
                Some(has) => format!("with the {how} {has}"),
                None if counts(e) => format!("for which the number of {told} is {how}"),
                None => match self.of_whom(&told, members.name).filter(|_| is_players) {
                    Some(has) => match has.strip_prefix("the number of ") {
                        Some(things) => format!("with the {how} number of {things}"),
                        None => format!("for whom {has} is {how}"),
                    },
                    None => format!("for which {told} is {how}"),
                },
            },
        };
        let keys: Vec<String> = body
            .listed()
            .iter()
            .map(|one| match &one.kind {
                ExprKind::Unary(UnaryOp::Negate, one) => key(one, "lowest"),
                _ if is_condition(one) => format!("preferably if {}", self.condition(one)),
                _ => key(one, "highest"),
            })
            .collect();
        let is_own = |key: &String| ["with the ", "for whom "].iter().any(|words| key.starts_with(words));
        let named = !keys.iter().all(is_own);
        let all = match &members.over.kind {
            ExprKind::Name(Name { text, .. }) if is_players && !named && text == "players" => {
                format!("player{plural}")
            }
            ExprKind::Name(Name { text, .. }) if is_players && !named && text == "playing" => {
                let verb = if which == "all" { "play" } else { "plays" };
                format!("player{plural} who still {verb},")
            }
            _ => {
                let all = self.members(members, None);
                let comma =
                    if members.filter.is_some() || keys[0].starts_with("preferably") { "," } else { "" };
                format!("{all}{comma}")
            }
        };
        format!("{which} {all} {}", keys.join(", then "))
    }

    /// Returns words about what a player has without the player's name: `the number of cards in their hand` for
    /// `the number of cards in p's hand`. Returns `None` if they need the name, or would seem to be about others.
    fn of_whom(&self, told: &str, player: &Name) -> Option<String> {
        let name = plain(&player.text);
        let own = format!(" {name}'s ");
        let count =
            |word: &str| told.split(|sign: char| !sign.is_alphanumeric()).filter(|one| *one == word).count();
        let is_clear = count(&name) == 1 && count("they") + count("their") == 0 && self.me != "they";
        (is_clear && told.contains(&own)).then(|| told.replacen(&own, " their ", 1))
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
    pub(super) fn members(&self, members: Members<'_>, more: Option<&Expr>) -> String {
        let group = if members.subsets { "group " } else { "" };
        let conditions = match (members.filter, more) {
            (None, None) => String::new(),
            (Some(one), None) | (None, Some(one)) => format!(" where {}", self.condition(one)),
            (Some(one), Some(other)) => {
                let one = self.part(BinaryOp::And, one, false);
                format!(" where {one} and {}", self.part(BinaryOp::And, other, true))
            }
        };
        let over = match &members.over.kind {
            ExprKind::Call(..) => closed(self.value(members.over)),
            ExprKind::Comprehension { .. } | ExprKind::Quantified { .. } | ExprKind::If(..) => {
                self.atom(members.over)
            }
            _ => self.value(members.over),
        };
        format!("{group}{} of {over}{conditions}", plain(&members.name.text))
    }
}

/// Returns the words of a value after `the highest`: `row of c` for `the row of c`.
fn without_article(told: &str) -> &str {
    let is_bare = |rest: &&str| !["lowest ", "highest "].iter().any(|word| rest.starts_with(word));
    told.strip_prefix("the ").filter(is_bare).unwrap_or(told)
}

impl<'e> Members<'e> {
    /// Returns all elements of a set.
    pub(super) fn all(name: &'e Name, over: &'e Expr) -> Members<'e> {
        Members { name, subsets: false, over, filter: None }
    }

    /// Returns the members that a quantifier goes over.
    pub(super) fn from_expr(e: &'e Expr) -> Option<Members<'e>> {
        let ExprKind::Quantified { name, subsets, over, filter, .. } = &e.kind else { return None };
        Some(Members { name, subsets: *subsets, over, filter: filter.as_deref() })
    }
}
