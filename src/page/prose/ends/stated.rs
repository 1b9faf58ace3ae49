//! The ends that statements declare (`end game as NAME`), with their options and conditions.

use std::collections::BTreeSet;

use super::results::with_whose_turn;
use crate::prose::course::forms::{assigns, has_words};
use crate::prose::grammar::{clause_closed, opened};
use crate::prose::opposites::opposite_of;
use crate::prose::phrases::Wording;
use crate::prose::{RulesEntry, capitalised, is_sentence};
use houserule_base::names::plain;
use houserule_language::syntax::{Arg, BinaryOp, Decl, DeclKind, EndTiming, Expr, Stmt, StmtKind};

/// Ends reached by statements.
#[derive(Default)]
pub(super) struct StatedEntries {
    pub(super) entries: Vec<RulesEntry>,
    /// Whether one of the statements has no result.
    pub(super) undecided: bool,
    /// Whether one of the statements has a result.
    pub(super) decided: bool,
    /// The names that statements without a help text give to ends.
    pub(super) given_names: BTreeSet<String>,
}

/// Describes the ends reached by statements of the setup, the turn and the round, and of the procedures that they call.
pub(super) fn stated(words: Wording<'_>, decls: &[Decl]) -> StatedEntries {
    let mut all = StatedEntries::default();
    for decl in decls {
        let (body, place) = match &decl.kind {
            DeclKind::Setup { body, .. } => (body, "before the first turn"),
            DeclKind::Turn(body) | DeclKind::Round(body) => (body, ""),
            _ => continue,
        };
        let is_turn = matches!(decl.kind, DeclKind::Turn(_));
        let reason = Reason { place: place.to_owned(), is_turn, ..Reason::default() };
        block(words, &body.stmts, &reason, &mut all);
    }
    let mut told: Vec<RulesEntry> = vec![];
    for entry in std::mem::take(&mut all.entries) {
        if !told.contains(&entry) {
            told.push(entry);
        }
    }
    StatedEntries { entries: told, ..all }
}

/// Describes an end by its help text, which says when it comes, or in a whole sentence what happens. `more` follows it.
pub(super) fn helped_end(tested: &str, help: &str, result: &str, more: &str) -> String {
    let is_told = super::tells_result(help);
    if is_sentence(help) {
        let result = match result.strip_prefix("; ") {
            Some(result) if !is_told => format!(" {}.", capitalised(result)),
            _ => String::new(),
        };
        return format!("{tested}: {help}{result}{more}");
    }
    let result = if is_told { "" } else { result };
    format!("{tested}, when {help}{more}{result}.")
}

/// What a local name was when the rules gave it to something: `had was n`.
#[derive(Clone)]
struct ReasonLocal {
    name: String,
    text: String,
}

/// Where and when a statement is reached.
#[derive(Clone, Default)]
struct Reason {
    /// The innermost step or option.
    place: String,
    /// The name of the innermost step or option: the default name of an end.
    name: String,
    /// The conditions within it.
    conditions: Vec<String>,
    /// The local names that no words replace, the innermost last.
    locals: Vec<ReasonLocal>,
    /// The procedures in which it is.
    called: Vec<String>,
    /// Whether it is in a turn.
    is_turn: bool,
    /// Whether it is in an option.
    is_chosen: bool,
    /// Whether the player whose turn it is has no option there.
    is_stuck: bool,
}

impl Reason {
    fn text(&self) -> String {
        let conditions = match self.conditions.as_slice() {
            // Alone, a condition needs no parentheses.
            [one] => opened(one).to_owned(),
            all => all.join(" and "),
        };
        let conditions = self.with_locals(conditions);
        match (self.place.as_str(), conditions) {
            ("", conditions) if conditions.is_empty() => "at the end of a turn".to_owned(),
            ("", conditions) => format!("at once, when {conditions}"),
            (place, conditions) if conditions.is_empty() => place.to_owned(),
            (place, conditions) if place.starts_with("when ") => format!("{place}, if {conditions}"),
            (place, conditions) => format!("{place}, when {conditions}"),
        }
    }

    fn with(&self, condition: String) -> Reason {
        let mut reason = self.clone();
        reason.conditions.push(condition);
        reason
    }

    /// Returns this reason with words for what a local name was.
    fn with_local(&self, name: &str, text: String) -> Reason {
        let mut reason = self.clone();
        reason.locals.push(ReasonLocal { name: plain(name), text });
        reason
    }

    /// Returns conditions with what the local names in them were.
    fn with_locals(&self, conditions: String) -> String {
        let mut told = conditions;
        let mut join = ", where ";
        for local in self.locals.iter().rev() {
            if has_words(&told, &local.name) {
                told = format!("{told}{join}{}", local.text);
                join = " and ";
            }
        }
        told
    }
}

fn block(words: Wording<'_>, stmts: &[Stmt], reason: &Reason, all: &mut StatedEntries) {
    let Some((first, rest)) = stmts.split_first() else { return };
    match &first.kind {
        // The statements after it speak of what it stands for.
        StmtKind::Let { name, value, .. }
            if is_lasting(words, value, rest) && !rest.iter().any(|one| assigns(&name.text, one)) =>
        {
            let locals = words.with_local(words.local(&name.text, value));
            block(words.with(&locals), rest, reason, all);
        }
        StmtKind::Let { name, value, .. } if !rest.iter().any(|one| assigns(&name.text, one)) => {
            let what = clause_closed(words.assigned(value));
            let told = format!("{} was {what}", plain(&name.text));
            block(words, rest, &reason.with_local(&name.text, told), all);
        }
        _ => {
            stmt(words, first, reason, all);
            block(words, rest, reason, all);
        }
    }
}

/// Returns `true` if the words for a value stand for it in all these statements: it is a player, or nothing changes.
fn is_lasting(words: Wording<'_>, value: &Expr, stmts: &[Stmt]) -> bool {
    fn changes(one: &Stmt) -> bool {
        let own =
            one.blocks().is_empty() && !matches!(one.kind, StmtKind::EndGame { .. } | StmtKind::Let { .. });
        own || one.blocks().into_iter().any(|block| block.stmts.iter().any(changes))
    }
    words.player(value).is_some() || !stmts.iter().any(changes)
}

/// Describes the ends that a procedure reaches, with what it is given in place of its parameters.
fn call(words: Wording<'_>, name: &str, args: &[Arg], reason: &Reason, all: &mut StatedEntries) {
    let Some((params, _, body)) = words.procedure(name) else { return };
    if reason.called.iter().any(|called| called == name) {
        return;
    }
    let lasting = params.iter().zip(args).filter(|(_, arg)| is_lasting(words, &arg.value, &body.stmts));
    let locals: Vec<_> = lasting.map(|(param, arg)| words.local(&param.text, &arg.value)).collect();
    let mut within = reason.clone();
    within.called.push(name.to_owned());
    block(words.with(&locals), &body.stmts, &within, all);
}

fn stmt(words: Wording<'_>, one: &Stmt, reason: &Reason, all: &mut StatedEntries) {
    let at = |place: String, name: &str| Reason {
        place,
        name: name.to_owned(),
        conditions: vec![],
        locals: reason.locals.clone(),
        called: reason.called.clone(),
        is_turn: reason.is_turn,
        is_chosen: reason.is_chosen,
        is_stuck: reason.is_stuck,
    };
    match &one.kind {
        StmtKind::EndGame { name, result, help } => {
            let given = name.as_ref().map(|name| &name.text).filter(|name| **name != reason.name);
            let name = plain(given.unwrap_or(&reason.name));
            if given.is_some() && help.is_none() {
                all.given_names.insert(name.clone());
            }
            all.undecided |= result.is_none();
            all.decided |= result.is_some();
            let told = super::stated_result(&words, result.as_ref(), one.span, reason.is_stuck);
            let more = if words.full { format!(" ({})", reason.text()) } else { String::new() };
            let others = match help {
                Some(help) => format!("{}{more}", help.text),
                None => reason.text(),
            };
            let told = match reason.is_turn {
                true => with_whose_turn(words, EndTiming::AtOnce, told, &[&others]),
                false => told,
            };
            let text = match help {
                Some(help) => helped_end("at once", &help.text, &told, &more),
                None => format!("{}{told}.", reason.text()),
            };
            all.entries.push(RulesEntry::new(name, text));
        }
        StmtKind::Step { name, body, .. } => {
            block(words, &body.stmts, &at(format!("in the step {}", plain(&name.text)), &name.text), all);
        }
        StmtKind::If { condition, then, otherwise } => {
            let settled = words.settled(condition);
            let with = |told: String| if settled.is_some() { reason.clone() } else { reason.with(told) };
            if settled != Some(false) {
                block(words, &then.stmts, &with(words.part(BinaryOp::And, condition, false)), all);
            }
            if let (Some(body), None | Some(false)) = (otherwise, settled) {
                let opposite = words.part(BinaryOp::And, &opposite_of(condition), false);
                block(words, &body.stmts, &with(opposite), all);
            }
        }
        StmtKind::Choose(choose) => {
            for option in choose.options.iter().flatten() {
                if option.filter.as_ref().and_then(|filter| words.settled(filter)) == Some(false) {
                    continue;
                }
                let help = option.help.as_ref().map(|help| format!(" ({})", help.text)).unwrap_or_default();
                let place = format!("when a player chooses {}{help}", plain(&option.name.text));
                let chosen = Reason { is_chosen: true, ..at(place, &option.name.text) };
                block(words, &option.body.stmts, &chosen, all);
            }
            if let Some(body) = &choose.otherwise {
                let place = match &choose.name {
                    Some(name) => format!("when nothing of {} is possible", plain(&name.text)),
                    None => "when no option is possible".to_owned(),
                };
                let stuck = Reason { is_stuck: !reason.is_chosen, ..at(place, &reason.name) };
                block(words, &body.stmts, &stuck, all);
            }
        }
        StmtKind::As { body, .. } | StmtKind::EachPlayer { body, .. } | StmtKind::Together(body) => {
            block(words.seen_by("the acting player"), &body.stmts, reason, all);
        }
        StmtKind::Call { name, args } => call(words, &name.text, args, reason, all),
        StmtKind::For { name, over, body, .. } => {
            block(words, &body.stmts, &reason.with(words.one_of(&plain(&name.text), over)), all);
        }
        _ => one.blocks().into_iter().for_each(|body| block(words, &body.stmts, reason, all)),
    }
}
