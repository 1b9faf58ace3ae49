//! The ends that statements declare (`end game as NAME`), with their options and conditions.

use super::RulesEntry;
use crate::prose::grammar::plain;
use crate::prose::phrases::Wording;
use houserule_language::syntax::{BinaryOp, Block, Decl, DeclKind, Stmt, StmtKind};

/// Ends reached by statements.
#[derive(Default)]
struct StatedEntries {
    entries: Vec<RulesEntry>,
    /// Whether one of the statements has no result.
    undecided: bool,
}

/// Describes the ends reached by statements of the turn, the round and the procedures. Also returns whether one
/// of them has no result.
pub(crate) fn stated(words: Wording<'_>, decls: &[Decl]) -> (Vec<RulesEntry>, bool) {
    let mut all = StatedEntries::default();
    for decl in decls {
        let (body, place) = match &decl.kind {
            DeclKind::Turn(body) | DeclKind::Round(body) => (body, String::new()),
            DeclKind::Procedure { name, body, .. } => (body, format!("in {}", plain(&name.text))),
            _ => continue,
        };
        block(words, body, &Reason { place, ..Reason::default() }, &mut all);
    }
    all.entries.dedup_by(|a, b| a.name == b.name && a.text == b.text);
    (all.entries, all.undecided)
}

/// Where and when a statement is reached.
#[derive(Clone, Default)]
struct Reason {
    /// The innermost step, option or procedure.
    place: String,
    /// The name of the innermost step or option: the default name of an end.
    name: String,
    /// The conditions within it.
    conditions: Vec<String>,
}

impl Reason {
    fn text(&self) -> String {
        match (self.place.as_str(), self.conditions.join(" and ")) {
            ("", conditions) if conditions.is_empty() => "at the end of a turn".to_owned(),
            ("", conditions) => format!("at once, if {conditions}"),
            (place, conditions) if conditions.is_empty() => place.to_owned(),
            (place, conditions) => format!("{place}, if {conditions}"),
        }
    }

    fn with(&self, condition: String) -> Reason {
        let mut reason = self.clone();
        reason.conditions.push(condition);
        reason
    }
}

fn block(words: Wording<'_>, body: &Block, reason: &Reason, all: &mut StatedEntries) {
    body.stmts.iter().for_each(|one| stmt(words, one, reason, all));
}

fn stmt(words: Wording<'_>, one: &Stmt, reason: &Reason, all: &mut StatedEntries) {
    let at = |place: String, name: &str| Reason { place, name: name.to_owned(), conditions: vec![] };
    match &one.kind {
        StmtKind::EndGame { name, result } => {
            let name = plain(name.as_ref().map_or(&reason.name, |name| &name.text));
            all.undecided |= result.is_none();
            let result = super::result(&words, result.as_ref(), one.span);
            all.entries.push(RulesEntry::new(name, format!("{}{result}.", reason.text())));
        }
        StmtKind::Step { name, body, .. } => {
            block(words, body, &at(format!("in the step {}", plain(&name.text)), &name.text), all);
        }
        StmtKind::If { condition, then, otherwise } => {
            let settled = words.settled(condition);
            let with = |told: String| if settled.is_some() { reason.clone() } else { reason.with(told) };
            if settled != Some(false) {
                block(words, then, &with(words.part(BinaryOp::And, condition, false)), all);
            }
            if let (Some(body), None | Some(false)) = (otherwise, settled) {
                block(words, body, &with(format!("not ({})", words.condition(condition))), all);
            }
        }
        StmtKind::Choose(choose) => {
            for option in choose.options.iter().flatten() {
                if option.filter.as_ref().and_then(|filter| words.settled(filter)) == Some(false) {
                    continue;
                }
                let help = option.help.as_ref().map(|help| format!(" ({})", help.text)).unwrap_or_default();
                let place = format!("when a player chooses {}{help}", plain(&option.name.text));
                block(words, &option.body, &at(place, &option.name.text), all);
            }
            if let Some(body) = &choose.otherwise {
                let place = match &choose.name {
                    Some(name) => format!("when nothing of {} is possible", plain(&name.text)),
                    None => "when no option is possible".to_owned(),
                };
                block(words, body, &at(place, &reason.name), all);
            }
        }
        StmtKind::As { body, .. } | StmtKind::EachPlayer { body, .. } | StmtKind::Together(body) => {
            block(words.seen_by("the acting player"), body, reason, all);
        }
        _ => one.blocks().into_iter().for_each(|body| block(words, body, reason, all)),
    }
}
