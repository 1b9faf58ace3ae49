//! What is told where the help text of a step or an option stands for the statements: the procedures with help texts that
//! are called there, and who plays next in some cases.

use std::collections::BTreeSet;

use super::forms::{
    acts_as_other, add_bound, always_leaves, assigns, has_words, is_same_sentence, same_calls,
};
use super::{CourseWalk, IF_STUCK};
use crate::prose::RulesEntry;
use crate::prose::opposites::opposite_of;
use crate::prose::phrases::{LocalName, Wording, is_name};
use crate::prose::statements::{is_letter, others_act, repeated, say_how_often};
use houserule_base::names::plain;
use houserule_language::syntax::{Arg, BinaryOp, Expr, ExprKind, Name, Stmt, StmtKind};
use houserule_language::vocabulary::{BuiltInName, Function};

/// The beginning of a case that comes if the one told before it doesn't.
const IF_NOT: &str = "if not";

/// The label of what comes in cases that can't be told.
const SOMETIMES: &str = "sometimes";

/// Words of a help text that says itself who plays next.
const NEXT_TOLD_BY: [&str; 8] = ["again", "begin", "begins", "lead", "leads", "next", "starter", "starts"];

/// Like [`NEXT_TOLD_BY`], several words.
const GOES_ON: [&str; 3] = ["another turn", "go on", "goes on"];

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

    /// Describes that a condition doesn't hold.
    fn opposite(words: Wording<'_>, condition: &Expr) -> Circumstance {
        Circumstance::new(words, || format!("if {}", words.condition(&opposite_of(condition))))
    }
}

/// A condition with what happens if it holds, and if it doesn't.
#[derive(Clone, Copy)]
struct Cases<'c> {
    condition: &'c Expr,
    then: &'c [Stmt],
    otherwise: Option<&'c [Stmt]>,
}

impl<'c> Cases<'c> {
    /// Returns the cases of a statement. Returns `None` for other statements.
    fn from_stmt(one: &'c Stmt) -> Option<Cases<'c>> {
        let StmtKind::If { condition, then, otherwise } = &one.kind else { return None };
        let otherwise = otherwise.as_ref().map(|body| body.stmts.as_slice());
        Some(Cases { condition, then: &then.stmts, otherwise })
    }

    /// Returns the cases of a statement after which nothing follows if its condition holds. Returns `None` for other
    /// statements, and if the params decide.
    fn leaving(words: Wording<'_>, one: &'c Stmt) -> Option<Cases<'c>> {
        let cases = Cases::from_stmt(one)?;
        (always_leaves(cases.then) && words.settled(cases.condition).is_none()).then_some(cases)
    }
}

impl CourseWalk<'_> {
    /// Tells of a statement whose step or option has a help text for all of it: the help texts of the procedures that it
    /// calls, and who plays next, after when, or for what, that comes. `times` says how often it comes in a row.
    pub(super) fn mention(&mut self, one: &Stmt, times: usize, depth: usize, when: &[Circumstance]) {
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
            return self.mention_call(&name.text, args, times, depth, when);
        }
        if !self.has_mention(one) {
            return;
        }
        if says_who_is_next(one) || leaves_early(one) {
            return self.mention_next(one, depth, when);
        }
        let last = Circumstance::new(words, || words.round_of(one));
        let all = if last.text.is_empty() { when.to_vec() } else { [when, &[last]].concat() };
        let actor = words.actor_in(one);
        let mut walk = self.seen_inside(one, actor.as_ref());
        for body in one.blocks() {
            walk.mention_all(&body.stmts, depth, &all);
        }
        (self.entries, self.called) = (walk.entries, walk.called);
    }

    /// Tells of the first of some statements for which a help text stands, and of all of them if it decides whether the
    /// others come. Returns of how many it tells.
    pub(super) fn mention_first(&mut self, stmts: &[Stmt], depth: usize) -> usize {
        let Some((one, rest)) = stmts.split_first() else { return 0 };
        let (words, when) = (self.words, self.when.clone());
        let Some(cases) = Cases::leaving(words, one) else {
            let times = same_calls(stmts);
            self.mention(one, times, depth, &when);
            return times;
        };
        if cases.otherwise.is_none() && !rest.iter().any(|next| self.is_described(next)) {
            self.mention_cases(Cases { otherwise: Some(rest), ..cases }, depth, &when, None);
            return stmts.len();
        }
        self.mention(one, 1, depth, &when);
        self.when.push(Circumstance::opposite(words, cases.condition));
        1
    }

    fn mention_all(&mut self, stmts: &[Stmt], depth: usize, when: &[Circumstance]) {
        let known = self.known.len();
        self.mention_in_order(stmts, depth, when);
        self.known.truncate(known);
    }

    fn mention_in_order(&mut self, stmts: &[Stmt], depth: usize, when: &[Circumstance]) {
        let words = self.words;
        let mut at = 0;
        while let Some(one) = stmts.get(at) {
            let rest = &stmts[at + 1..];
            self.learn(one, rest);
            match Cases::leaving(words, one) {
                Some(cases) if cases.otherwise.is_none() => {
                    let cases = Cases { otherwise: Some(rest), ..cases };
                    return self.mention_cases(cases, depth, when, None);
                }
                Some(cases) if self.have_mention(rest) => {
                    self.mention(one, 1, depth, when);
                    let opposite = Circumstance::opposite(words, cases.condition);
                    return self.mention_all(rest, depth, &[when, &[opposite]].concat());
                }
                _ => {
                    let times = same_calls(&stmts[at..]);
                    self.mention(one, times, depth, when);
                    at += times;
                }
            }
        }
    }

    /// Tells of what comes in one of several cases. `before` says in words that the case before it doesn't come; that has
    /// just been told, alone, so that “if not” is enough.
    fn mention_cases(
        &mut self,
        cases: Cases<'_>,
        depth: usize,
        when: &[Circumstance],
        before: Option<&Circumstance>,
    ) {
        let words = self.words;
        let otherwise = cases.otherwise.filter(|body| self.have_mention(body));
        if otherwise.is_none() && !self.have_mention(cases.then) {
            return;
        }
        let holds = Circumstance::new(words, || match before {
            Some(_) => format!("{IF_NOT}, and {}", words.part(BinaryOp::And, cases.condition, true)),
            None => format!("if {}", words.condition(cases.condition)),
        });
        let from = self.entries.len();
        self.mention_all(cases.then, depth, &[when, std::slice::from_ref(&holds)].concat());
        let Some(body) = otherwise else { return };
        let label = format!("{}: ", holds.text);
        let told = &self.entries[from..];
        let is_told =
            when.is_empty() && !told.is_empty() && told.iter().all(|entry| entry.text.starts_with(&label));
        let is_one = is_told && told.len() == 1;
        let opposite = Circumstance::opposite(words, cases.condition);
        let fails: Vec<Circumstance> = before.into_iter().cloned().chain([opposite]).collect();
        let next = match body {
            [one] => Cases::from_stmt(one).filter(|next| words.settled(next.condition).is_none()),
            _ => None,
        };
        // What comes in two of three cases doesn't come in all.
        let first = if before.is_none() { from } else { self.entries.len() };
        match next {
            Some(next) if is_one && calls_one(words, next.then) => {
                self.mention_cases(next, depth, when, Some(&joined(&fails)));
            }
            None if is_told && self.mention_otherwise(body, depth, &label, first) => {}
            _ => self.mention_all(body, depth, &[when, fails.as_slice()].concat()),
        }
    }

    /// Tells of what comes if the case with a label, told from an entry on, doesn't. What comes in both cases is told without
    /// one. Returns `false`, and tells nothing, if that takes more than a sentence: “if not” belongs to the sentence before.
    fn mention_otherwise(&mut self, body: &[Stmt], depth: usize, label: &str, from: usize) -> bool {
        let at = self.entries.len();
        let fails = Circumstance { text: IF_NOT.to_owned(), names: BTreeSet::new() };
        self.mention_all(body, depth, &[fails]);
        if self.entries.len() > at + 1 {
            self.entries.truncate(at);
            return false;
        }
        let told = self.entries.get(at).and_then(|entry| entry.text.strip_prefix(IF_NOT)?.strip_prefix(": "));
        let both = told.map(str::to_owned).and_then(|told| {
            let place = (from..at).find(|place| self.entries[*place].text == format!("{label}{told}"))?;
            Some((place, told))
        });
        if let Some((place, told)) = both {
            self.entries.truncate(at);
            self.entries.remove(place);
            if !self.is_told(&told, &told) {
                self.entries.insert(place, RulesEntry::new("", told).at(depth));
            }
        }
        true
    }

    /// Notes the value of a local name, if nothing changes it in all the statements after the one that binds the name.
    pub(super) fn learn(&mut self, one: &Stmt, rest: &[Stmt]) {
        let StmtKind::Let { name, value, .. } = &one.kind else { return };
        let stays = |next: &Stmt| !assigns(&name.text, next) && !acts_as_other(next);
        if self.is_lasting(value) && rest.iter().all(stays) {
            self.known.push((name.text.clone(), value.clone()));
        }
    }

    /// Returns `true` if no statement changes the value of an expression, judging by its form.
    fn is_lasting(&self, e: &Expr) -> bool {
        let words = self.words;
        let is_player_of = |name: &Name| {
            let function = words.function_named(&name.text);
            matches!(function, Some(Function::After | Function::Before | Function::Other | Function::Team))
        };
        match &e.kind {
            ExprKind::Name(name) if matches!(name.text.as_str(), "me" | "other") => true,
            ExprKind::Call(name, args) if is_player_of(name) => {
                args.iter().all(|arg| arg.name.is_none() && self.is_lasting(&arg.value))
            }
            _ => words.number(e).is_some(),
        }
    }

    /// Returns arguments with the values of the known local names in their places.
    fn with_known(&self, args: &[Arg]) -> Vec<Arg> {
        let value_of = |e: &Expr| {
            let known = self.known.iter().rev().find(|(name, _)| is_name(e, name));
            known.map_or_else(|| e.clone(), |(_, value)| Expr { span: e.span, ..value.clone() })
        };
        args.iter().map(|arg| Arg { value: value_of(&arg.value), ..arg.clone() }).collect()
    }

    /// Tells the help text of a procedure after when, or for what, it is called. What is hidden isn't named, unless the help
    /// text names a parameter by a letter. Of a procedure without a help text, it tells of the statements.
    fn mention_call(&mut self, name: &str, args: &[Arg], times: usize, depth: usize, when: &[Circumstance]) {
        let words = self.words;
        let Some((params, help, _)) = words.procedure(name) else { return };
        let Some(help) = help else {
            let often = say_how_often(times).map(|text| Circumstance { text, names: BTreeSet::new() });
            let all: Vec<Circumstance> = when.iter().cloned().chain(often).collect();
            return self.mention_body(name, args, depth, &all);
        };
        let given = self.told_given(name, args).filter(|given| {
            !self.has_hidden(&given.names) || params.iter().any(|param| names_by_letter(help, &param.text))
        });
        let text = repeated(given.as_ref().map_or(help, |given| &given.text), times);
        let label = match when.iter().any(|one| self.has_hidden(&one.names)) {
            true => SOMETIMES.to_owned(),
            false => label_of(when),
        };
        // What happens if not belongs to the case before it.
        let follows = label.starts_with(IF_NOT);
        let (name, told) = match (label.is_empty(), self.option_at) {
            (true, None) => (plain(name), text.clone()),
            (true, Some(_)) => (String::new(), text.clone()),
            (false, _) => (String::new(), format!("{label}: {text}")),
        };
        if !follows
            && (self.is_told(&text, &told) || label.is_empty() && times == 1 && self.repeats_help(help))
        {
            return;
        }
        if label != SOMETIMES {
            when.iter().for_each(|one| words.note_names(&one.names));
        }
        given.iter().for_each(|given| words.note_names(&given.names));
        self.push(name, told, depth);
    }

    /// Returns the help text of a procedure with what a call gives it. Of a name whose statements can't be described, it says
    /// that it varies.
    fn told_given(&self, name: &str, args: &[Arg]) -> Option<Circumstance> {
        let words = self.words;
        let tell =
            |args: &[Arg]| Circumstance::new(words, || words.told_call(name, args).unwrap_or_default());
        let is_param =
            |arg: &Arg| matches!(&arg.value.kind, ExprKind::Name(name) if words.find(&name.text).is_some());
        let mut given = tell(args);
        if self.has_hidden(&given.names) || args.iter().any(is_param) {
            given = tell(&self.with_known(args));
        }
        let is_unknown = |name: &&String| self.is_hidden(name) && !self.showable.contains(*name);
        let unknown: Vec<String> = given.names.iter().filter(is_unknown).cloned().collect();
        for name in unknown {
            given.text.push_str(&format!(" ({} varies)", plain(&name)));
        }
        (!given.text.is_empty()).then_some(given)
    }

    /// Tells of the statements of a procedure without a help text, with what a call gives it in place of its parameters.
    fn mention_body(&mut self, name: &str, args: &[Arg], depth: usize, when: &[Circumstance]) {
        let Some((params, _, body)) = self.words.procedure(name) else { return };
        if !self.have_mention(&body.stmts) {
            return;
        }
        // Where others act, `me` is another player inside, so its parameter keeps its name.
        let (words, acts) = (self.words, others_act(body));
        let keeps = |arg: &Arg| is_name(&arg.value, "me") && acts;
        let args = self.with_known(args);
        let replaced = params.iter().zip(&args).filter(|(_, arg)| !keeps(arg));
        let locals: Vec<LocalName> =
            replaced.map(|(param, arg)| words.local(&param.text, &arg.value)).collect();
        let kept = params.iter().zip(&args).filter(|(_, arg)| keeps(arg));
        let mut own: BTreeSet<&str> = kept.map(|(param, _)| param.text.as_str()).collect();
        add_bound(&body.stmts, &mut own);
        let lasting = params.iter().zip(&args).filter(|(_, arg)| !acts && self.is_lasting(&arg.value));
        let known: Vec<(String, Expr)> =
            lasting.map(|(param, arg)| (param.text.clone(), arg.value.clone())).collect();
        let mut walk = self.going_on(words.with(&locals));
        walk.known = known;
        for name in own {
            walk.hidden.insert(name.to_owned());
            walk.shown.remove(name);
            walk.showable.remove(name);
        }
        walk.mention_all(&body.stmts, depth, when);
        (self.entries, self.called) = (walk.entries, walk.called);
    }

    /// Returns `true` if the help text of the option, or of what happens if none is possible, is this one.
    fn repeats_help(&self, help: &str) -> bool {
        let option = self.option_at.and_then(|at| self.entries.get(at));
        option.is_some_and(|entry| {
            is_same_sentence(&entry.text, help)
                || is_same_sentence(&entry.text, &format!("{IF_STUCK}: {help}"))
        })
    }

    /// Tells who plays next in a case, unless a help text does, or something in it is hidden; that the same player does, also
    /// if it is always so. Tells likewise what leaves the step or the turn before another choice.
    fn mention_next(&mut self, one: &Stmt, depth: usize, when: &[Circumstance]) {
        let words = self.words;
        let deed = Circumstance::new(words, || match &one.kind {
            StmtKind::Again if words.model.players.count > 1 => "the same player plays again".to_owned(),
            _ => words.deed(one).unwrap_or_default(),
        });
        let is_case = when.iter().any(|one| one.text.starts_with("if "));
        let is_always = when.is_empty()
            && match one.kind {
                StmtKind::Again => words.model.players.count > 1,
                _ => leaves_early(one),
            };
        let is_hidden = when.iter().chain([&deed]).any(|one| self.has_hidden(&one.names));
        if !is_case && !is_always || is_hidden && !leaves_early(one) {
            return;
        }
        let label = if is_hidden { SOMETIMES.to_owned() } else { label_of(when) };
        let text = match label.is_empty() {
            true => deed.text.clone(),
            false => format!("{label}: {}", deed.text),
        };
        if self.is_told(&text, &text) {
            return;
        }
        if !is_hidden {
            when.iter().chain([&deed]).for_each(|one| words.note_names(&one.names));
        }
        self.push("", text, depth);
    }

    /// Returns `true` if something is told of a statement for which a help text stands.
    fn has_mention(&self, one: &Stmt) -> bool {
        if let StmtKind::Call { name, .. } = &one.kind {
            return match self.words.procedure(&name.text) {
                Some((_, None, body)) => self.have_mention(&body.stmts),
                called => called.is_some(),
            };
        }
        self.choice_follows && leaves_early(one)
            || says_who_is_next(one) && !self.helps.iter().any(|help| tells_who_is_next(help))
            || one.blocks().into_iter().any(|body| self.have_mention(&body.stmts))
    }

    fn have_mention(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|one| self.has_mention(one))
    }

    /// Returns `true` if a statement is described although a help text stands for it.
    fn is_described(&self, one: &Stmt) -> bool {
        matches!(one.kind, StmtKind::Step { .. }) || self.words.offers(one) || self.binds_shown(one)
    }

    /// Returns `true` if one of these names is of something that isn't told.
    fn has_hidden(&self, names: &BTreeSet<String>) -> bool {
        names.iter().any(|name| self.is_hidden(name))
    }

    /// Returns `true` if a name is of something that isn't told.
    fn is_hidden(&self, name: &str) -> bool {
        self.hidden.contains(name) && !self.shown.contains(name)
    }

    /// Returns `true` if the description of the option, or of the step if there is none, already has a sentence, or if its
    /// help text has what comes in it, in whatever case.
    fn is_told(&self, text: &str, sentence: &str) -> bool {
        let from = self.option_at.unwrap_or_default().max(self.step_at);
        let small = text.to_lowercase();
        self.helps.last().is_some_and(|help| help.to_lowercase().contains(&small))
            || self.entries.iter().skip(from).any(|entry| {
                entry.text == sentence
                    || sentence.starts_with(SOMETIMES) && entry.text.ends_with(&format!(": {text}"))
            })
    }
}

/// Returns `true` if a statement says who plays next, or begins.
fn says_who_is_next(one: &Stmt) -> bool {
    match &one.kind {
        StmtKind::Again | StmtKind::Next(_) => true,
        StmtKind::Assign { target, .. } => is_name(target, BuiltInName::Starter.name()),
        _ => false,
    }
}

/// Returns `true` if a statement leaves the step or the turn.
fn leaves_early(one: &Stmt) -> bool {
    matches!(one.kind, StmtKind::Skip | StmtKind::Done)
}

/// Returns `true` if a help text names a parameter by a letter that isn't a word, too.
fn names_by_letter(help: &str, param: &str) -> bool {
    is_letter(param) && has_words(help, param)
}

/// Returns `true` if a help text says who plays next, or begins.
fn tells_who_is_next(help: &str) -> bool {
    let small = help.to_lowercase();
    let mut told = small.split(|sign: char| !sign.is_alphanumeric());
    told.any(|word| NEXT_TOLD_BY.contains(&word)) || GOES_ON.iter().any(|words| small.contains(words))
}

/// Returns `true` if all that statements have is a call of a procedure with a help text.
fn calls_one(words: Wording<'_>, stmts: &[Stmt]) -> bool {
    let [Stmt { kind: StmtKind::Call { name, .. }, .. }] = stmts else { return false };
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
