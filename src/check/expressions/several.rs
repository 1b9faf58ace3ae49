//! What is meant by a set or by several values where one is needed: as an index, before a field, after `or`, and in a condition
//! that is of no player in particular. For the help of messages.

use crate::checker::Checker;
use crate::names::name_table::Entity;
use crate::values::{Val, constant_set};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::format::print;
use houserule_language::syntax::{
    self, BinaryOp, ComparisonOperator, ExprKind as S, Name, Quantifier, StmtKind,
};
use houserule_model::*;

/// What an index is written for.
#[derive(Clone, Copy)]
pub(crate) enum IndexUse<'n> {
    /// A declared name whose value is read.
    Read(&'n str, SlotId),
    /// A declared name that a statement changes, or to which it moves something.
    Change(&'n str, SlotId),
    /// Something else.
    Other,
}

/// The most characters of a help that repeats what is written.
const LONGEST_HELP: usize = 200;

impl<'a> Checker<'a> {
    /// Reports a set where an index needs one of its elements. Returns `true` if so.
    #[inline(never)]
    pub(super) fn reports_set_as_index(
        &mut self,
        index: &[syntax::Expr],
        at: usize,
        value: &Val,
        domain: DomainId,
        of: IndexUse<'_>,
    ) -> bool {
        if value.ty() != Some(Type::Set(domain)) {
            return false;
        }
        let is_all = match value {
            Val::Expr(e, _) => constant_set(e).is_some_and(|set| set.len() == self.draft.size(domain)),
            _ => false,
        };
        let help = self.set_index_meant(index, at, domain, is_all, of);
        let span = index.get(at).map_or(self.draft.title, |e| e.span);
        let found = self.draft.describe(value);
        let message = format!("expected an element of `{}`, found {found}", self.draft.domain_name(domain));
        let d =
            Diagnostic::error(Code::TypeMismatch, span, message).label(format!("this is {found}")).help(help);
        self.draft.messages.report(d);
        true
    }

    /// What is written for an index that is a set.
    fn set_index_meant(
        &self,
        index: &[syntax::Expr],
        at: usize,
        domain: DomainId,
        is_all: bool,
        of: IndexUse<'_>,
    ) -> String {
        let written: Vec<String> = index.iter().map(print::expr).collect();
        let set = written.get(at).map_or("S", String::as_str);
        let over = if is_all && domain == PLAYER { "players" } else { set };
        let with = |base: &str, one: &str| {
            let mut parts: Vec<&str> = written.iter().map(String::as_str).collect();
            if let Some(part) = parts.get_mut(at) {
                *part = one;
            }
            format!("{base}[{}]", parts.join(", "))
        };
        let own = |base: &str| match domain == PLAYER {
            true => format!(", or `{base}[me]` for that of the player who acts"),
            false => String::new(),
        };
        let help = match of {
            IndexUse::Read(base, slot) => {
                let Slot { role, content, index: domains, .. } = &self.draft.model.slots[slot.index()];
                let one = self.free_name(domain, &written.join(" "));
                let read = with(base, one);
                let family = domains.len() - usize::from(*role == Role::Copies && !domains.is_empty());
                match (role, content) {
                    (Role::Zone | Role::Copies | Role::Piece(_) | Role::Empty(_), _)
                        if is_all && index.len() == 1 && family == 1 =>
                    {
                        Some(format!("write `{base}` for that of all{}", own(base)))
                    }
                    (Role::Zone | Role::Piece(_) | Role::Empty(_), _) | (Role::Variable, Content::Set(_)) => {
                        Some(format!("write `union {one} in {over}: {read}` for that of all in the set"))
                    }
                    (Role::Variable | Role::Builtin(_), Content::Number { .. }) => Some(format!(
                        "write `(sum {one} in {over}: {read}) == …` for the sum, `any {one} in {over}: {read} == …` to test each"
                    )),
                    (Role::Copies, _) if index.len() == domains.len() => {
                        Some(format!("write `(sum {one} in {over}: {read}) == …` for the sum"))
                    }
                    (Role::Variable, Content::Bool) => {
                        Some(format!("write `any {one} in {over}: {read}`, or `all {one} in {over}: {read}`"))
                    }
                    (Role::Variable, Content::Element { .. }) => {
                        Some(format!("`any {one} in {over}: {read} == …` tests each in the set"))
                    }
                    _ => None,
                }
            }
            IndexUse::Change(base, slot) => self.context.statement.and_then(|stmt| {
                let is_simple = matches!(
                    stmt.kind,
                    StmtKind::Assign { .. }
                        | StmtKind::Put { .. }
                        | StmtKind::Clear(_)
                        | StmtKind::Move { .. }
                        | StmtKind::Deal { .. }
                        | StmtKind::Draw { .. }
                );
                let text = if is_simple { print::stmt(stmt) } else { String::new() };
                let old = with(base, set);
                if !text.contains(&old) {
                    return None;
                }
                let deals = matches!(stmt.kind, StmtKind::Deal { .. }) && text.ends_with(&old);
                if deals && is_all && index.len() == 1 && self.draft.is_of_players(slot) {
                    let text = text.replace(&old, base);
                    return Some(format!("write `{text}` to deal to each{}", own(base)));
                }
                let one = self.free_name(domain, &text);
                let text = text.replace(&old, &with(base, one));
                Some(format!("write `for {one} in {over} {{ {text} }}`"))
            }),
            IndexUse::Other => None,
        };
        help.filter(|help| help.chars().count() <= LONGEST_HELP).unwrap_or_else(|| {
            "an index is one element: `any x in S: …` or `for x in S { … }` goes through a set".to_owned()
        })
    }

    /// A short name for an element of a domain that is neither declared nor in a text.
    fn free_name(&self, domain: DomainId, text: &str) -> &'static str {
        let names: &[&'static str] =
            if domain == PLAYER { &["p", "q", "w", "who"] } else { &["c", "d", "x", "each_one"] };
        let mut free = names.iter().copied().filter(|name| {
            !words(text).any(|word| word == *name)
                && self.scopes.local(name).is_none()
                && !self.names.is_declared(name)
                && !self.names.values.contains_key(*name)
        });
        free.next().unwrap_or("one")
    }

    /// Reports a field of a set whose elements have the field. Returns `true` if so.
    #[inline(never)]
    pub(super) fn reports_field_of_set(
        &mut self,
        base: &'a syntax::Expr,
        value: &Val,
        field: &'a Name,
    ) -> bool {
        let Some(Type::Set(domain)) = value.ty() else { return false };
        let Some(found) = self.draft.fields.get(&(domain, field.text.clone())).copied() else { return false };
        let (set, name) = (print::expr(base), field.text.as_str());
        let one = self.free_name(domain, &set);
        let read = format!("{one}.{name}");
        let help = if found.holds_sets {
            format!("write `union {one} in {set}: {read}` for that of all in the set")
        } else if self.draft.range_low(found.of).is_some() && !found.partial {
            // Of copies, a set has each kind once.
            let copies = match self.slot_named(base, |role| role == Role::Copies) {
                Some((_, zone, index)) => {
                    let mut index: Vec<String> = index.iter().map(print::expr).collect();
                    index.push(one.to_owned());
                    format!(" * {zone}[{}]", index.join(", "))
                }
                None => String::new(),
            };
            format!(
                "`sum {one} in {set}: {read}{copies}` adds the numbers of all in the set, `max {one} in {set}: {read}` is the greatest"
            )
        } else {
            format!(
                "`any {one} in {set}: {read} == …` tests each in the set, `{{ {one} in {set} where {read} == … }}` are those that have it"
            )
        };
        let found = self.draft.describe(value);
        let message = format!("this is {found} and has no field `{name}`");
        let d = Diagnostic::error(Code::UnknownField, field.span, message);
        self.draft.messages.report(d.help(help));
        true
    }

    /// Reports `x == 1 or 2`, where what follows `or` is a value and no condition. `is_told` says that the left side has an
    /// error. Returns `true` if so.
    #[inline(never)]
    pub(super) fn reports_bare_value(
        &mut self,
        and: bool,
        a: &syntax::Expr,
        b: &syntax::Expr,
        is_told: bool,
        value: &Val,
    ) -> bool {
        let is_right = matches!(value, Val::Poison) || matches!(value.ty(), Some(Type::Bool));
        if is_right || self.draft.messages.is_full() {
            return false;
        }
        let Some(help) = alternatives(and, a, b, is_told) else { return false };
        let found = self.draft.describe(value);
        let message = format!("expected a truth value, found {found}");
        let d = Diagnostic::error(Code::TypeMismatch, b.span, message);
        self.draft.messages.report(d.label(format!("this is {found}")).help(help));
        true
    }

    /// Reports `best p in S by …` that names who wins or loses and may be nobody. Returns `true` if so.
    pub(crate) fn reports_missing_best(&mut self, e: &'a syntax::Expr, word: &str) -> bool {
        let S::Quantified { op: Quantifier::Best, .. } = &e.kind else { return false };
        let best = print::expr(e);
        let name = ["first", "leader", "foremost"].into_iter().find(|name| !self.names.is_declared(name));
        let name = name.unwrap_or("the_best");
        let help = format!(
            "declare `define {name} = {best}`, and write `… and {name} is some: {word} {name}`; or, for all who have the most, \
             `{word} all {best}`"
        );
        let d = Diagnostic::error(Code::MayBeNone, e.span, "this may be `none`, but a value is needed here");
        self.draft.messages.report(d.label("may be `none`").help(help));
        true
    }

    /// How a condition that names what a player has, or `me`, is written for any player. Returns `None` for others. A name
    /// alone is no condition yet.
    pub(crate) fn meant_of_any(&self, text: &str, is_name: bool) -> Option<String> {
        let one = self.free_name(PLAYER, text);
        let mut meant = String::new();
        let (mut is_changed, mut rest) = (false, text);
        while let Some(next) = rest.chars().next() {
            let end = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
            if end == 0 {
                meant.push(next);
                rest = &rest[next.len_utf8()..];
                continue;
            }
            let (word, after) = rest.split_at(end);
            rest = after;
            match word {
                "me" => meant.push_str(one),
                _ if !after.starts_with(['[', '(']) && self.is_of_each_player(word) => {
                    for part in [word, "[", one, "]"] {
                        meant.push_str(part);
                    }
                }
                _ => {
                    meant.push_str(word);
                    continue;
                }
            }
            is_changed = true;
        }
        let compared = if is_name { " >= 50" } else { "" };
        is_changed.then(|| format!("any {one} in players: {meant}{compared}"))
    }

    /// Returns `true` for the name of something that each player has one of, such as `total`.
    fn is_of_each_player(&self, name: &str) -> bool {
        match self.names.resolved(name) {
            Some(Entity::Slot(slot)) => {
                let Slot { role, index, .. } = &self.draft.model.slots[slot.index()];
                *role == Role::Variable && index[..] == [PLAYER]
            }
            Some(_) => false,
            None => matches!(name, "total" | "turns" | "score" | "payoff"),
        }
    }

    /// Warns about `me` in a condition that is tested when nobody acts: it is the player who began the last game.
    pub(crate) fn warn_of_me(&mut self, condition: &CheckedExpr, span: Span, meant: Option<String>) {
        if self.draft.size(PLAYER) < 2 || !names_me(condition) {
            return;
        }
        let message = "nobody acts when a match ends, so `me` is the player who began the last game";
        let help = match meant {
            Some(meant) => format!("write `{meant}`"),
            None => "say whose it is: `any p in players: total[p] >= 50`".to_owned(),
        };
        self.draft.messages.report(Diagnostic::warning(Code::MeOfNobody, span, message).help(help));
    }
}

/// Returns `true` if the value of an expression is from the point of view of `me`.
fn names_me(e: &CheckedExpr) -> bool {
    match &e.kind {
        CheckedExprKind::Me => true,
        CheckedExprKind::As { player, .. } => names_me(player),
        _ => {
            let mut found = false;
            walk::children(e, &mut |child| found |= names_me(child));
            found
        }
    }
}

/// How `x == 1 or 2` is written. `is_told` says that the left side has an error, so that it ends with such values, too.
fn alternatives(and: bool, a: &syntax::Expr, b: &syntax::Expr, is_told: bool) -> Option<String> {
    let joins = if and { BinaryOp::And } else { BinaryOp::Or };
    let mut values = vec![print::expr(b)];
    let mut left = a;
    // `x == 1 or 2 or 3` is `(x == 1 or 2) or 3`.
    while is_told
        && let S::Binary(op, before, value) = &left.kind
        && *op == joins
        && is_value(value)
    {
        values.push(print::expr(value));
        left = before;
    }
    while let S::Binary(BinaryOp::And | BinaryOp::Or, _, last) = &left.kind {
        left = last;
    }
    values.reverse();
    let S::Binary(op, x, first) = &left.kind else { return None };
    let (not, first) = match (op, &first.kind) {
        (BinaryOp::Compare(ComparisonOperator::Equal), _) if !and => ("", print::expr(first)),
        (BinaryOp::Compare(ComparisonOperator::NotEqual), _) if and => ("not ", print::expr(first)),
        (BinaryOp::Compare(ComparisonOperator::NotEqual), _) => {
            return Some(format!("`{} not in {{…}}` says that it is none of several", print::expr(x)));
        }
        (BinaryOp::In, S::Set(all)) if !and && !all.is_empty() => ("", listed(all)),
        (BinaryOp::NotIn, S::Set(all)) if and && !all.is_empty() => ("not ", listed(all)),
        (BinaryOp::Compare(compared), _) if *compared != ComparisonOperator::Equal => {
            let other = S::Binary(*op, x.clone(), Box::new(b.clone()));
            let other = print::expr(&syntax::Expr { kind: other, span: b.span });
            let word = if and { "and" } else { "or" };
            return Some(format!(
                "`{word}` joins whole conditions: write `{} {word} {other}`",
                print::expr(left)
            ));
        }
        _ => return None,
    };
    let x = print::expr(x);
    Some(format!("write `{x} {not}in {{{first}, {}}}`", values.join(", ")))
}

fn listed(all: &[syntax::Expr]) -> String {
    all.iter().map(print::expr).collect::<Vec<_>>().join(", ")
}

/// Returns `true` for what can be no condition by its form, or is only a name.
fn is_value(e: &syntax::Expr) -> bool {
    matches!(e.kind, S::Number(_) | S::Name(_) | S::Site(_) | S::Player(_) | S::Field(..))
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_in_word(c)).filter(|word| !word.is_empty())
}
