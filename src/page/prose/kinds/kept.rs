//! The variables that players keep, and how they change where no other sentence says it.

use super::first_value;
use super::terms::{help_texts, sentence_of};
use crate::prose::course::forms::{always_leaves, ends_game};
use crate::prose::opposites::opposite_of;
use crate::prose::phrases::{Wording, declared_name};
use crate::prose::{RulesEntry, equipment, for_each};
use houserule_base::names::{list_words, plain};
use houserule_language::syntax::{BinaryOp, Block, DeclKind, Expr, Stmt, StmtKind};
use houserule_model::{Content, Life, Slot};

/// Maximum number of words that say how a variable changes. More would explain nothing.
const MAX_WORDS: usize = 25;

/// Words of a sentence that gives a variable another value.
const CHANGES: [&str; 8] =
    [" become ", " becomes ", " go up ", " goes up ", " go down ", " goes down ", " add ", " swap "];

/// Describes the variables. In full, with the values that they may have, and how long they keep them; else those that last
/// longer than a turn or that other descriptions name.
pub(in crate::prose) fn describe_kept(words: Wording<'_>, others: &[&RulesEntry]) -> Vec<RulesEntry> {
    let helps = help_texts(words);
    let others: Vec<String> = others.iter().map(|entry| sentence_of(&entry.text, &helps)).collect();
    let mut all = vec![];
    for slot in words.model.slots.iter().filter(|slot| slot.is_declared_variable()) {
        let name = plain(&slot.name);
        let read: Vec<&String> = others.iter().filter(|told| told.contains(&format!(" {name} "))).collect();
        let is_kept = match slot.life {
            Life::Game | Life::Match => true,
            // What is soon forgotten and has no help text is told where it is used.
            Life::Round => !slot.help.is_empty(),
            Life::Turn => !slot.help.is_empty() && (words.full || !read.is_empty()),
        };
        if !is_kept {
            continue;
        }
        let more = if words.full { all_about(words, slot) } else { about(words, slot) }.join(", ");
        let mut told = match (slot.help.as_str(), more.is_empty()) {
            ("", true) => "changes during the game".to_owned(),
            ("", false) => more,
            (help, true) => help.to_owned(),
            (help, false) => format!("{help} ({more})"),
        };
        let is_set = read.iter().any(|told| CHANGES.iter().any(|words| told.contains(words)));
        if !words.full && !read.is_empty() && !is_set {
            let change = change(words, &slot.name).map(|change| forgotten(words, slot, change));
            told.extend(change.map(|change| format!("; {change}")));
        }
        all.push(RulesEntry::new(name, told));
    }
    all
}

/// Adds to words for how a variable changes that it is soon forgotten, unless its help text or the value that it begins with
/// says so.
fn forgotten(words: Wording<'_>, slot: &Slot, change: String) -> String {
    let time = match slot.life {
        Life::Turn => "turn",
        Life::Round if words.model.rounds => "round",
        Life::Round | Life::Game | Life::Match => return change,
    };
    let is_told = slot.help.contains(&format!("this {time}")) || first_value(words, slot).is_some();
    let is_short =
        change.starts_with("becomes ") && ![", where ", " if "].iter().any(|more| change.contains(more));
    match (is_told, is_short) {
        (true, _) => change,
        (false, true) => format!("{change}, until the {time} is over"),
        (false, false) => format!("{change}; forgotten when the {time} is over"),
    }
}

/// Describes what players must know of a variable beside its help text.
fn about(words: Wording<'_>, slot: &Slot) -> Vec<String> {
    let first = first_value(words, slot);
    let lasts = (slot.life == Life::Match).then(|| "kept through a match".to_owned());
    first.into_iter().chain(lasts).chain(equipment::who_sees(words.model, slot.visibility)).collect()
}

/// Describes which values a variable may have, what it is at first, how long it keeps its value, and who sees it.
fn all_about(words: Wording<'_>, slot: &Slot) -> Vec<String> {
    let mut more = vec![];
    match slot.content {
        Content::Number { low: i64::MIN, high: i64::MAX } => more.push("any number".to_owned()),
        Content::Number { low, high } => more.push(format!("from {low} to {high}")),
        Content::Bool if slot.help.is_empty() => more.push("true or false".to_owned()),
        Content::Bool | Content::Element { .. } | Content::Set(_) => {}
    }
    more.extend(first_value(words, slot));
    let each = for_each(words.model, slot, false);
    more.extend((!each.is_empty()).then(|| each.trim_start().to_owned()));
    match slot.life {
        Life::Turn => more.push("forgotten when the turn passes".to_owned()),
        Life::Round => more.push("forgotten when the round ends".to_owned()),
        Life::Match => more.push("kept through a match".to_owned()),
        Life::Game => {}
    }
    more.extend(equipment::who_sees(words.model, slot.visibility));
    more
}

/// A statement that gives a variable another value.
struct VariableChange<'a> {
    one: &'a Stmt,
    around: Surroundings<'a>,
}

/// What stands around a statement.
#[derive(Clone, Default)]
struct Surroundings<'a> {
    /// The innermost step or option. `None` outside of both.
    place: Option<&'a str>,
    conditions: Vec<Expr>,
    /// The names of what is chosen.
    chosen: Vec<&'a str>,
    /// The names that statements before it give to something.
    locals: Vec<&'a str>,
    /// Whether it comes in a procedure, an `otherwise`, or another block in which it may come more than once or not at all.
    is_repeated: bool,
    /// The conditions under which no statement before it leaves the step or the option.
    reached: Vec<Expr>,
    /// Whether a statement before it may leave the step or the option in a case that is none of these.
    is_uncertain: bool,
}

impl<'a> Surroundings<'a> {
    /// Returns what stands around the statements of a step or an option with this name. They come whenever that is begun.
    fn within(&self, place: &'a str) -> Surroundings<'a> {
        Surroundings { place: Some(place), reached: vec![], is_uncertain: false, ..self.clone() }
    }

    /// Notes in which cases a statement leaves the step or the option, so that what follows isn't reached.
    fn note_leaving(&mut self, words: Wording<'_>, one: &Stmt) {
        match &one.kind {
            StmtKind::If { condition, then, otherwise: None }
                if always_leaves(&then.stmts) && !ends_game(then) && words.settled(condition).is_none() =>
            {
                self.reached.push(opposite_of(condition));
            }
            _ => self.is_uncertain |= may_go(words, one, true),
        }
    }
}

/// Describes how a variable changes: `becomes true in play, where c is chosen, if c's suit is hearts`. Returns `None` if several
/// statements change it, or if that takes too many words.
fn change(words: Wording<'_>, variable: &str) -> Option<String> {
    // What a script changes isn't known here.
    if !words.model.hooks.is_empty() {
        return None;
    }
    let mut changes = vec![];
    for decl in words.decls {
        let around = Surroundings {
            is_repeated: matches!(decl.kind, DeclKind::Procedure { .. }),
            ..Surroundings::default()
        };
        if let DeclKind::Turn(body)
        | DeclKind::Round(body)
        | DeclKind::Procedure { body, .. }
        | DeclKind::Setup { body, .. } = &decl.kind
        {
            add_changes(words, body, variable, &around, &mut changes);
        }
    }
    let [VariableChange { one, around }] = changes.as_slice() else { return None };
    let place = around.place.filter(|_| !around.is_repeated && !around.is_uncertain)?;
    let ((deed, conditions), names) = words.naming(|| {
        let all = around.reached.iter().chain(&around.conditions);
        let conditions = all.map(|one| words.part(BinaryOp::And, one, false));
        (words.deed(one), conditions.collect::<Vec<String>>())
    });
    if around.locals.iter().any(|local| names.contains(*local)) {
        return None;
    }
    let deed = deed?;
    // With an index, the name is needed: `first of f becomes you`.
    let is_verb = |rest: &&str| ["become", "go"].iter().any(|verb| rest.starts_with(verb));
    let deed = deed.strip_prefix(&format!("{} ", plain(variable))).filter(is_verb).unwrap_or(&deed);
    let chosen = around.chosen.iter().filter(|name| names.contains(**name)).map(|name| plain(name));
    let chosen: Vec<String> = chosen.collect();
    let chosen = match chosen.as_slice() {
        [] => String::new(),
        [one] => format!(", where {one} is chosen,"),
        several => format!(", where {} are chosen,", list_words(several)),
    };
    let when = match conditions.as_slice() {
        [] => String::new(),
        conditions => format!(" if {}", conditions.join(" and ")),
    };
    let told = format!("{deed} in {}{chosen}{when}", plain(place));
    let told = told.trim_end_matches(',').to_owned();
    (told.split_whitespace().count() <= MAX_WORDS).then_some(told)
}

/// Adds the statements of a block that give a variable another value, except for those that the params rule out.
fn add_changes<'a>(
    words: Wording<'a>,
    body: &'a Block,
    variable: &str,
    around: &Surroundings<'a>,
    changes: &mut Vec<VariableChange<'a>>,
) {
    let mut around = around.clone();
    for one in &body.stmts {
        if one.assigned().into_iter().any(|target| declared_name(target).is_some_and(|name| name == variable))
        {
            changes.push(VariableChange { one, around: around.clone() });
        }
        match &one.kind {
            StmtKind::If { condition, then, otherwise } => {
                let settled = words.settled(condition);
                let with = |condition: Expr| {
                    let mut within = around.clone();
                    within.conditions.extend(Some(condition).filter(|_| settled.is_none()));
                    within
                };
                if settled != Some(false) {
                    add_changes(words, then, variable, &with(condition.clone()), changes);
                }
                if let Some(body) = otherwise.as_ref().filter(|_| settled != Some(true)) {
                    add_changes(words, body, variable, &with(opposite_of(condition)), changes);
                }
            }
            StmtKind::Step { name, body, .. } => {
                let within = around.within(&name.text);
                add_changes(words, body, variable, &within, changes);
            }
            StmtKind::Choose(choose) => {
                for option in choose.options.iter().flatten() {
                    let mut within = around.within(&option.name.text);
                    within.chosen.extend(option.binders.iter().map(|binder| binder.name.text.as_str()));
                    add_changes(words, &option.body, variable, &within, changes);
                }
                // In which cases nothing is possible takes more words.
                let within = Surroundings { is_repeated: true, ..around.clone() };
                choose.otherwise.iter().for_each(|body| add_changes(words, body, variable, &within, changes));
            }
            StmtKind::EachPlayer { body, .. } => add_changes(words, body, variable, &around, changes),
            StmtKind::Let { name, .. } | StmtKind::Pick { name, .. } | StmtKind::Draw { name, .. } => {
                around.locals.push(&name.text);
            }
            _ => {
                let within = Surroundings { is_repeated: true, ..around.clone() };
                for block in one.blocks() {
                    add_changes(words, block, variable, &within, changes);
                }
            }
        }
        around.note_leaving(words, one);
    }
}

/// Returns `true` if a statement may leave the turn, or the step around it, if there is one.
fn may_go(words: Wording<'_>, one: &Stmt, in_step: bool) -> bool {
    let within = |body: &Block, in_step: bool| body.stmts.iter().any(|one| may_go(words, one, in_step));
    match &one.kind {
        StmtKind::Done | StmtKind::Again => true,
        StmtKind::Skip => in_step,
        StmtKind::Call { name, .. } => {
            words.procedure(&name.text).is_some_and(|(_, _, body)| within(body, in_step))
        }
        StmtKind::If { condition, then, otherwise } => {
            let settled = words.settled(condition);
            settled != Some(false) && within(then, in_step)
                || settled != Some(true) && otherwise.as_ref().is_some_and(|body| within(body, in_step))
        }
        StmtKind::Step { body, .. } => within(body, false),
        _ => one.blocks().into_iter().any(|body| within(body, in_step)),
    }
}
