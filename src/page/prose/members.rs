//! Expressions about the elements of a set in words: comprehensions and quantifiers.

use crate::prose::forms::is_condition;
use crate::prose::grammar::{OF_EQUALS, are, clause_closed, closed, plural};
use crate::prose::phrases::{LocalName, Wording, is_name};
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, Expr, ExprKind, Name, Quantifier, UnaryOp};

/// The player who is meant of several that are equally good.
const FIRST_SEAT: &str = "the first in the order of seats";

/// A variable, the set it goes over, and the condition after `where`.
#[derive(Clone, Copy)]
pub(super) struct Members<'e> {
    name: &'e Name,
    subsets: bool,
    over: &'e Expr,
    filter: Option<&'e Expr>,
}

impl Wording<'_> {
    /// Describes a set of those elements that satisfy a condition: `those c of the empty places where …`,
    /// `those cards c where …`, or `the cards whose suit is hearts`.
    pub(super) fn those(&self, name: &Name, over: &Expr, filter: &Expr) -> String {
        if let Some(told) = self.whose(name, over, filter) {
            return told;
        }
        let members = Members { name, subsets: false, over, filter: Some(filter) };
        format!("those {}", self.members(members, None, true))
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
        let all = self.all_elements(over).unwrap_or_else(|| format!("those of {}", self.any_of(over)));
        Some(format!("{all} {}", told.join(" and ")))
    }

    /// Describes a value for each element of a set: `points of you, k for every colour k`.
    pub(super) fn values(&self, name: &Name, over: &Expr, filter: Option<&Expr>, body: &Expr) -> String {
        let members = Members { name, subsets: false, over, filter };
        format!("{} for every {}", self.atom(body), self.members(members, None, false))
    }

    /// Describes a quantifier: a condition for `any` and `all`, a value for the others. Returns `None` for other expressions.
    pub(super) fn quantified(&self, e: &Expr) -> Option<String> {
        let ExprKind::Quantified { op, body, .. } = &e.kind else { return None };
        let (op, members) = (*op, Members::from_expr(e)?);
        let body: &Expr = body;
        let all = self.members(members, None, false);
        Some(match op {
            Quantifier::Any | Quantifier::All => {
                let any = op == Quantifier::Any;
                self.about_players(any, members, body).unwrap_or_else(|| {
                    format!("for {} {all}, {}", if any { "some" } else { "every" }, self.condition(body))
                })
            }
            Quantifier::Count => match self.whose(members.name, members.over, body) {
                Some(told) if members.filter.is_none() && !members.subsets => format!("the number of {told}"),
                _ => format!("the number of {}", self.members(members, Some(body), true)),
            },
            Quantifier::Sum => format!("the sum of {} for every {all}", self.atom(body)),
            Quantifier::Min => format!("the lowest {} for any {all}", without_article(&self.atom(body))),
            Quantifier::Max => format!("the highest {} for any {all}", without_article(&self.atom(body))),
            Quantifier::Best => format!("{}{}", self.best("the", members, body), self.of_equals(e)),
            Quantifier::AllBest => self.best("all", members, body),
            Quantifier::Union => format!("{} for every {all}", clause_closed(self.whole(body))),
        })
    }

    /// Says which one of those that are equally good is meant, after the description of the best of some elements: of
    /// numbers the lowest, of others the first. Empty if a criterion leaves one alone, and for other expressions.
    pub(super) fn of_equals(&self, best: &Expr) -> String {
        let ExprKind::Quantified { op: Quantifier::Best, name, over, body, .. } = &best.kind else {
            return String::new();
        };
        let is_element = |key: &Expr| match &key.kind {
            ExprKind::Unary(UnaryOp::Negate, key) => is_name(key, &name.text),
            _ => is_name(key, &name.text),
        };
        if body.listed().iter().any(is_element) {
            return String::new();
        }
        if self.is_players(over) {
            return format!("{OF_EQUALS}{FIRST_SEAT}");
        }
        if let ExprKind::Range(..) = over.kind {
            return format!("{OF_EQUALS}the lowest");
        }
        let Some(id) = self.domain_of_best(best, over) else { return format!("{OF_EQUALS}the first") };
        match self.model.domains[id.index()].size {
            0 | 1 => String::new(),
            _ => format!("{OF_EQUALS}{}", self.first_of(id)),
        }
    }

    /// Describes the best of some elements, or all of them, with what is compared, in the order in which it decides:
    /// `the player with the highest bid`, `the card c for which worth of c is lowest`.
    fn best(&self, which: &str, members: Members<'_>, body: &Expr) -> String {
        let is_players = self.is_players(members.over) && members.filter.is_none() && !members.subsets;
        let plural = if which == "all" { "s" } else { "" };
        let own = format!("{}'s ", plain(&members.name.text));
        // The name of the thing stands for the number of turns.
        let counts = |e: &Expr| matches!(&e.kind, ExprKind::Index(base, _) if is_name(base, "turns"));
        let for_which = if is_players { "for whom" } else { "for which" };
        // What is compared, and whether the words for it need no name of the element.
        let key = |e: &Expr, how: &str| match self.atom(e) {
            told if told == plain(&members.name.text) => (format!("with the {how} {told}"), true),
            told => match told.strip_prefix(&own).filter(|has| is_players && !has.contains(&own)) {
                Some(has) if counts(e) => (format!("with the {how} number of {has}"), true),
                Some(has) => (format!("with the {how} {has}"), true),
                None if counts(e) => (format!("{for_which} the number of {told} is {how}"), false),
                None => match self.of_whom(&told, members.name).filter(|_| is_players) {
                    Some(has) => match has.strip_prefix("the number of ") {
                        Some(things) => {
                            let things = things.strip_prefix("their ").unwrap_or(things);
                            (format!("with the {how} number of {things}"), true)
                        }
                        None => (format!("for whom {has} {} {how}", are(&has)), true),
                    },
                    None => (format!("{for_which} {told} {} {how}", are(&told)), false),
                },
            },
        };
        let keys: Vec<(String, bool)> = body
            .listed()
            .iter()
            .map(|one| match &one.kind {
                ExprKind::Unary(UnaryOp::Negate, one) => key(one, "lowest"),
                _ if is_condition(one) => (format!("preferably if {}", self.condition(one)), false),
                _ => key(one, "highest"),
            })
            .collect();
        let named = keys.iter().any(|(_, is_own)| !is_own);
        let keys: Vec<String> = keys.into_iter().map(|(told, _)| told).collect();
        let all = match &members.over.kind {
            ExprKind::Name(Name { text, .. }) if is_players && !named && text == "players" => {
                format!("player{plural}")
            }
            ExprKind::Name(Name { text, .. }) if is_players && !named && text == "playing" => {
                let verb = if which == "all" { "play" } else { "plays" };
                format!("player{plural} who still {verb},")
            }
            _ => {
                let all = self.members(members, None, which == "all");
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

    /// Describes elements and the condition that they satisfy: `c of the empty places where …`, `card c where …`, `n from 1
    /// to 6`. `many` means that the words before it speak of several.
    pub(super) fn members(&self, members: Members<'_>, more: Option<&Expr>, many: bool) -> String {
        let group = match (members.subsets, many) {
            (false, _) => "",
            (true, false) => "group ",
            (true, true) => "groups ",
        };
        let conditions = match (members.filter, more) {
            (None, None) => String::new(),
            (Some(one), None) | (None, Some(one)) => format!(" where {}", self.condition(one)),
            (Some(one), Some(other)) => {
                let one = self.part(BinaryOp::And, one, false);
                format!(" where {one} and {}", self.part(BinaryOp::And, other, true))
            }
        };
        let name = plain(&members.name.text);
        let elements = match (&members.over.kind, self.name_of_members(members.over)) {
            (_, Some(of)) if members.subsets => format!("{name} of {}", plural(of)),
            (_, Some(of)) => name_element(of, &name, many),
            (ExprKind::Range(low, high), _) if !members.subsets => {
                format!("{name} from {} to {}", self.whole(low), self.whole(high))
            }
            (ExprKind::Call(..), _) => format!("{name} of {}", closed(self.value(members.over))),
            (ExprKind::Comprehension { .. } | ExprKind::Quantified { .. } | ExprKind::If(..), _) => {
                format!("{name} of {}", self.atom(members.over))
            }
            (ExprKind::Binary(BinaryOp::Intersect, ..), _) => {
                format!("{name} of {}", clause_closed(self.value(members.over)))
            }
            _ => format!("{name} of {}", self.value(members.over)),
        };
        format!("{group}{elements}{conditions}")
    }

    /// Returns the name of what a set has all of: `card` for all cards. Returns `None` for other sets.
    fn name_of_members<'e>(&self, set: &'e Expr) -> Option<&'e str> {
        match &set.kind {
            ExprKind::Name(Name { text, .. }) if self.is_domain(text) => Some(text.as_str()),
            ExprKind::Name(Name { text, .. }) if text == "players" && self.find(text).is_none() => {
                Some("player")
            }
            _ => None,
        }
    }

    /// Describes an element of a loop: `card c`, `c of your hand`.
    pub(super) fn each_of(&self, name: &Name, over: &Expr) -> String {
        self.members(Members::all(name, over), None, false)
    }

    /// Describes all elements of a domain, or all players: `the cards`. Returns `None` for other sets.
    pub(super) fn all_elements(&self, set: &Expr) -> Option<String> {
        self.name_of_members(set).map(|of| format!("the {}", plural(of)))
    }
}

/// Describes an element, or several, by what it is and by its name: `card c`.
fn name_element(of: &str, name: &str, many: bool) -> String {
    let of = if many { plural(of) } else { plain(of) };
    if of == name { of } else { format!("{of} {name}") }
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
