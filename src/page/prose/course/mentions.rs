//! The procedures with help texts that are called where the help text of a step or an option stands for the statements.

use std::collections::BTreeSet;

use super::CourseWalk;
use crate::prose::conditions::opposite_of;
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_language::syntax::{Arg, BinaryOp, Block, Expr, Stmt, StmtKind};

/// The beginning of a case that comes if the one told before it doesn't.
const IF_NOT: &str = "if not";

/// When, or for what, a statement for which a help text stands calls a procedure.
#[derive(Clone)]
pub(super) struct Circumstance {
    text: String,
    names: BTreeSet<String>,
}

impl Circumstance {
    /// Describes a circumstance, and notes the names that its description has.
    fn new(words: Wording<'_>, tell: impl FnOnce() -> String) -> Circumstance {
        let (text, names) = words.naming(tell);
        Circumstance { text, names }
    }
}

/// A condition with what happens if it holds, and if it doesn't.
#[derive(Clone, Copy)]
struct Cases<'a> {
    condition: &'a Expr,
    then: &'a Block,
    otherwise: Option<&'a Block>,
}

impl<'a> Cases<'a> {
    /// Returns the cases of a statement. Returns `None` for other statements.
    fn from_stmt(one: &'a Stmt) -> Option<Cases<'a>> {
        let StmtKind::If { condition, then, otherwise } = &one.kind else { return None };
        Some(Cases { condition, then, otherwise: otherwise.as_ref() })
    }
}

impl<'a> CourseWalk<'a> {
    /// Adds the help texts of the procedures that a statement calls, whose step has a help text for all of it, after when,
    /// or for what, it calls them.
    pub(super) fn mention(&mut self, one: &'a Stmt, depth: usize, when: &[Circumstance]) {
        let words = self.words;
        if let Some(cases) = Cases::from_stmt(one) {
            return match (words.settled(cases.condition), cases.otherwise) {
                (Some(true), _) => self.mention_all(cases.then, depth, when),
                (Some(false), Some(body)) => self.mention_all(body, depth, when),
                (Some(false), None) => {}
                (None, _) => self.mention_cases(cases, depth, when, None),
            };
        }
        if let StmtKind::Call { name, args } = &one.kind {
            return self.mention_call(&name.text, args, depth, when);
        }
        let last = Circumstance::new(words, || words.round_of(one));
        let all = if last.text.is_empty() { when.to_vec() } else { [when, &[last]].concat() };
        for body in one.blocks() {
            self.mention_all(body, depth, &all);
        }
    }

    fn mention_all(&mut self, body: &'a Block, depth: usize, when: &[Circumstance]) {
        body.stmts.iter().for_each(|one| self.mention(one, depth, when));
    }

    /// Adds the help texts of procedures that are called in one of several cases. `before` says in words that the case before
    /// it doesn't come; that has just been told, alone, so that “if not” is enough.
    fn mention_cases(
        &mut self,
        cases: Cases<'a>,
        depth: usize,
        when: &[Circumstance],
        before: Option<&Circumstance>,
    ) {
        let words = self.words;
        let holds = Circumstance::new(words, || match before {
            Some(_) => format!("{IF_NOT}, and {}", words.part(BinaryOp::And, cases.condition, true)),
            None => format!("if {}", words.condition(cases.condition)),
        });
        let entries = self.entries.len();
        self.mention_all(cases.then, depth, &[when, std::slice::from_ref(&holds)].concat());
        let Some(body) = cases.otherwise else { return };
        let is_told = when.is_empty()
            && self.entries.len() == entries + 1
            && self.entries[entries].text.starts_with(&format!("{}: ", holds.text));
        let opposite =
            Circumstance::new(words, || format!("if {}", words.condition(&opposite_of(cases.condition))));
        let fails: Vec<Circumstance> = before.into_iter().cloned().chain([opposite]).collect();
        let next = match body.stmts.as_slice() {
            [one] => Cases::from_stmt(one).filter(|next| words.settled(next.condition).is_none()),
            _ => None,
        };
        match next {
            Some(next) if is_told && calls_one(words, next.then) => {
                self.mention_cases(next, depth, when, Some(&joined(&fails)));
            }
            None if is_told && calls_one(words, body) => {
                let fails = Circumstance { text: IF_NOT.to_owned(), names: BTreeSet::new() };
                self.mention_all(body, depth, &[fails]);
            }
            _ => self.mention_all(body, depth, &[when, fails.as_slice()].concat()),
        }
    }

    /// Adds the help text of a procedure after when, or for what, it is called. What is hidden isn't named.
    fn mention_call(&mut self, name: &str, args: &'a [Arg], depth: usize, when: &[Circumstance]) {
        let words = self.words;
        let Some((_, Some(help), _)) = words.procedure(name) else { return };
        let is_unknown = |name: &String| self.hidden.contains(name) && !self.shown.contains(name);
        let is_hidden = |names: &BTreeSet<String>| names.iter().any(is_unknown);
        let given = Circumstance::new(words, || words.given(name, args));
        let given = Some(given).filter(|given| !is_hidden(&given.names));
        let text = format!("{help}{}", given.as_ref().map_or("", |given| &given.text));
        let label = match when.iter().any(|one| is_hidden(&one.names)) {
            true => "sometimes".to_owned(),
            false => label_of(when),
        };
        // What happens if not belongs to the case before it.
        let follows = label.starts_with(IF_NOT);
        let (name, text) = match label.is_empty() {
            true => (plain(name), text),
            false => (String::new(), format!("{label}: {text}")),
        };
        if !follows && self.entries.iter().any(|entry| entry.text.contains(&text)) {
            return;
        }
        if label != "sometimes" {
            when.iter().for_each(|one| words.note_names(&one.names));
        }
        given.iter().for_each(|given| words.note_names(&given.names));
        self.push(name, text, depth);
    }
}

/// Returns `true` if all that a block has is a call of a procedure with a help text.
fn calls_one(words: Wording<'_>, body: &Block) -> bool {
    let [Stmt { kind: StmtKind::Call { name, .. }, .. }] = body.stmts.as_slice() else { return false };
    matches!(words.procedure(&name.text), Some((_, Some(_), _)))
}

/// Returns several circumstances as one.
fn joined(all: &[Circumstance]) -> Circumstance {
    let names = all.iter().flat_map(|one| one.names.iter().cloned()).collect();
    Circumstance { text: label_of(all), names }
}

/// Joins circumstances: `for each player p, if p is X, and if n is 1`.
fn label_of(when: &[Circumstance]) -> String {
    let mut told = String::new();
    for (at, one) in when.iter().enumerate() {
        let are_conditions = at > 0 && [&when[at - 1], one].iter().all(|one| one.text.starts_with("if "));
        told.push_str(match at {
            0 => "",
            _ if are_conditions => ", and ",
            _ => ", ",
        });
        told.push_str(&one.text);
    }
    told
}
