//! Differences between the rules of two games: the part, the old and the new rule.
//!
//! Games are compared part by part, after applying their variants: params by value, everything else as source
//! text. Titles, help texts and the order of declarations don't affect play and make no difference; where a part differs, a
//! help text that differs is told with it. Statements, defines, ends and items of the score that differ are told in words,
//! as far as there are words for them, and of statements only those that differ, with what is around them.

mod excerpt;
mod parts;

use serde::Serialize;

use crate::prose::scripts;
use excerpt::{excerpt, marked_lines};
use houserule_game::Game;
use houserule_game::values::param_text;
use houserule_language::format::print;
use houserule_language::syntax::{DeclKind, ExprKind, Name};
use houserule_model::{Model, ParamValue, PointsTable};
use parts::{RulePart, parts};

/// Maximum width of a difference on one line.
const ONE_LINE: usize = 96;

/// A part of the rules that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleDifference {
    /// The name of the part: `param size`, `end line`, `option joker`.
    pub part: String,
    /// The old rule, or `None` if the part is new.
    pub old: Option<String>,
    /// The new rule, or `None` if the part was removed.
    pub new: Option<String>,
    /// How the rules are written.
    #[serde(skip)]
    form: RuleForm,
}

/// How the rules of a difference are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleForm {
    /// Source text.
    Code,
    /// Words. They are told whole: where they begin alike, they may mean other things.
    Words,
    /// The words of statements.
    Course,
}

impl RuleDifference {
    /// Formats the difference, on one line if it fits.
    pub fn text(&self) -> String {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => {
                let told = if self.form == RuleForm::Code { ending(old, new) } else { new.as_str() };
                let changed = format!("{}: {old} → {told}", self.part);
                if changed.chars().count() <= ONE_LINE {
                    return changed;
                }
                match self.form {
                    RuleForm::Course => format!("{}:\n{}", self.part, excerpt(old, new)),
                    _ => format!("{}:\n{}\n{}", self.part, self.lines('-', old), self.lines('+', new)),
                }
            }
            (None, Some(new)) => self.alone("added", new),
            (Some(old), None) => self.alone("removed", old),
            (None, None) => self.part.clone(),
        }
    }

    fn alone(&self, word: &str, rule: &str) -> String {
        let text = format!("{} {word}: {rule}", self.part);
        match text.chars().count() <= ONE_LINE {
            true => text.trim_end_matches(": ").to_owned(),
            false => {
                let sign = if word == "added" { '+' } else { '-' };
                format!("{} {word}:\n{}", self.part, self.lines(sign, rule))
            }
        }
    }

    /// Formats a rule after a sign. Source text isn't wrapped.
    fn lines(&self, sign: char, rule: &str) -> String {
        match self.form {
            RuleForm::Code => format!("  {sign} {rule}"),
            RuleForm::Words | RuleForm::Course => marked_lines(sign, 0, rule),
        }
    }
}

/// Returns the new rule from where it differs: `when longest(mark) >= 3 → >= 4`. The comparison before the difference says
/// where that is, so both rules have it once.
fn ending<'a>(old: &str, new: &'a str) -> &'a str {
    let same = old.split(' ').zip(new.split(' ')).take_while(|(a, b)| a == b).count();
    let words: Vec<&str> = new.split(' ').collect();
    let tells_place = |word: &str| {
        let is_once = |rule: &str| rule.split(' ').filter(|one| *one == word).count() == 1;
        matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=" | "=") && is_once(old) && is_once(new)
    };
    let from = match same.checked_sub(1) {
        Some(last) if same < words.len() && tells_place(words[last]) => last,
        _ => return new,
    };
    let skipped: usize = words[..from].iter().map(|word| word.len() + 1).sum();
    new.get(skipped..).unwrap_or(new)
}

/// Returns a difference that is told whole.
fn difference(part: String, old: Option<String>, new: Option<String>) -> RuleDifference {
    RuleDifference { part, old, new, form: RuleForm::Words }
}

/// Returns all differences, in the order of the first game.
pub fn diff(old: &Game, new: &Game) -> Vec<RuleDifference> {
    let mut all = params(old, new);
    let (first, second) = (parts(old), parts(new));
    let mut found: Vec<(u8, RuleDifference)> = vec![];
    for part in &first {
        let now = second.iter().find(|other| other.name == part.name);
        if now.is_none_or(|now| now.text != part.text) {
            let form = match now {
                // The words leave out what makes the difference, or only one of the two has words.
                Some(now) if now.describe() == part.describe() => RuleForm::Code,
                Some(now) if now.words.is_none() || part.words.is_none() => RuleForm::Code,
                _ => form(part),
            };
            let told = |part: &RulePart| match form {
                RuleForm::Code => part.text.clone(),
                RuleForm::Words | RuleForm::Course => part.describe(),
            };
            let (old, new) = (Some(told(part)), now.map(told));
            found.push((part.rank, RuleDifference { part: part.name.clone(), old, new, form }));
            found.extend(now.and_then(|now| help_difference(part, now)).map(|one| (part.rank, one)));
        }
    }
    for part in second.iter().filter(|part| !first.iter().any(|other| other.name == part.name)) {
        let new = Some(format!("{}{}", part.describe(), place_among(part, &second, &first)));
        let added = RuleDifference { form: form(part), ..difference(part.name.clone(), None, new) };
        found.push((part.rank, added));
    }
    found.sort_by_key(|(rank, _)| *rank);
    all.extend(found.into_iter().map(|(_, difference)| difference));
    all.extend(order(&first, &second));
    all.extend(scripts(old, new));
    all.extend(actions(old, new));
    all
}

/// Returns how a part is written.
fn form(part: &RulePart) -> RuleForm {
    match (&part.words, part.is_course) {
        (None, _) => RuleForm::Code,
        (Some(_), false) => RuleForm::Words,
        (Some(_), true) => RuleForm::Course,
    }
}

/// Returns how the help text of a part differs that differs in other ways, too.
fn help_difference(was: &RulePart, is: &RulePart) -> Option<RuleDifference> {
    let told = |part: &RulePart| Some(part.help.clone()).filter(|help| !help.is_empty());
    let (old, new) = (told(was), told(is));
    (old != new).then(|| difference(format!("help text of {}", was.name), old, new))
}

/// For a new end that is tested before one that was there already: that it is.
fn place_among(part: &RulePart, all: &[RulePart], old: &[RulePart]) -> String {
    let is_end = |part: &&RulePart| part.name.starts_with("end ");
    let later = all.iter().skip_while(|other| other.name != part.name).skip(1).filter(is_end);
    let next =
        later.filter(|other| old.iter().any(|one| one.name == other.name)).map(|other| &other.name).next();
    next.filter(|_| is_end(&part)).map(|next| format!(" (tested before {next})")).unwrap_or_default()
}

fn params(old: &Game, new: &Game) -> Vec<RuleDifference> {
    let mut all = vec![];
    for param in &old.model().params {
        let name = &param.name;
        let part = format!("param {name}");
        let Some(now) = new.model().params.iter().find(|other| other.name == *name) else {
            all.push(difference(part, Some(param_text(&param.value)), None));
            continue;
        };
        let (was, is) = (kind(old, name), kind(new, name));
        if was != is {
            all.push(difference(format!("{part}, what it may be"), Some(was), Some(is)));
        }
        match (&param.value, &now.value) {
            (ParamValue::Table(a), ParamValue::Table(b)) => {
                let lines = scores_lines(old, name) && scores_lines(new, name);
                for (key, was, is) in table(a, b) {
                    let (what, points) = if lines {
                        (format!("{part}, line of {key}"), if is.abs() == 1 { " point" } else { " points" })
                    } else {
                        (format!("{part}, value of {key}"), "")
                    };
                    all.push(difference(what, Some(was.to_string()), Some(format!("{is}{points}"))));
                }
            }
            (a, b) if a != b => {
                let fixed = if now.fixed && !param.fixed { " (fixed)" } else { "" };
                let is = format!("{}{fixed}", param_text(b));
                all.push(difference(part.clone(), Some(param_text(a)), Some(is)));
            }
            _ if param.fixed != now.fixed => {
                let word = |fixed: bool| if fixed { "fixed" } else { "free to be set" }.to_owned();
                all.push(difference(part.clone(), Some(word(param.fixed)), Some(word(now.fixed))));
            }
            _ => {}
        }
    }
    let known = |name: &str| old.model().params.iter().any(|param| param.name == name);
    for param in new.model().params.iter().filter(|param| !known(&param.name)) {
        all.push(difference(format!("param {}", param.name), None, Some(param_text(&param.value))));
    }
    all
}

/// Returns the type of a param as written.
fn kind(game: &Game, name: &str) -> String {
    let decls = game.sheet().tree.iter().flat_map(|tree| &tree.decls);
    let mut found = decls.filter_map(|decl| match &decl.kind {
        DeclKind::Param(typed) if typed.name.text == name => Some(print::type_expr(&typed.ty)),
        _ => None,
    });
    found.next_back().unwrap_or_default()
}

/// Returns `true` if a table gives the points of lines.
fn scores_lines(game: &Game, name: &str) -> bool {
    let decls = game.sheet().tree.iter().flat_map(|tree| &tree.decls);
    decls.into_iter().any(|decl| match &decl.kind {
        DeclKind::Score(entries) => entries.iter().any(|entry| match &entry.value.kind {
            ExprKind::Call(call, args) if call.text == "lines" => args.iter().any(
                |arg| matches!(&arg.value.kind, ExprKind::Name(Name { text: table, .. }) if table == name),
            ),
            _ => false,
        }),
        _ => false,
    })
}

/// Returns the keys at which two tables differ, with both values.
fn table(a: &PointsTable, b: &PointsTable) -> Vec<(String, i64, i64)> {
    let keys = |table: &PointsTable| {
        table.entries.iter().chain(&table.and_more).map(|(key, _)| *key).collect::<Vec<_>>()
    };
    let mut all = keys(a);
    all.extend(keys(b));
    // The values are constant after the last key.
    let last = all.iter().max().map_or(0, |key| key.saturating_add(1));
    all.push(last);
    all.sort_unstable();
    all.dedup();
    let mut found: Vec<(i64, i64, i64)> =
        all.into_iter().map(|key| (key, a.get(key), b.get(key))).filter(|(_, was, is)| was != is).collect();
    let mut more = None;
    while let Some((key, was, is)) = found.last().copied() {
        match more {
            None if key == last => more = Some((key, was, is)),
            Some((from, w, i)) if from == key + 1 && (w, i) == (was, is) => more = Some((key, was, is)),
            _ => break,
        }
        found.pop();
    }
    let mut told: Vec<(String, i64, i64)> =
        found.into_iter().map(|(key, was, is)| (key.to_string(), was, is)).collect();
    told.extend(more.map(|(key, was, is)| (format!("{key} or more"), was, is)));
    told
}

/// Compares the order of ends, which are tested in order, and of setups, which run in order.
fn order(old: &[RulePart], new: &[RulePart]) -> Vec<RuleDifference> {
    let kinds = [("end", "the order of ends"), ("setup", "the order of setups")];
    let mut all = vec![];
    for (kind, part) in kinds {
        let named = |parts: &[RulePart], others: &[RulePart]| {
            let of_kind = |part: &&RulePart| part.name.split(' ').next() == Some(kind);
            let shared = |part: &&RulePart| others.iter().any(|other| other.name == part.name);
            let names = parts.iter().filter(of_kind).filter(shared).map(|part| part.name.clone());
            names.collect::<Vec<_>>()
        };
        let (was, is) = (named(old, new), named(new, old));
        if was != is {
            let old = Some(was.join(", "));
            all.push(difference(part.to_owned(), old, Some(is.join(", "))));
        }
    }
    all
}

/// Compares scripts, matched by file name.
fn scripts(old: &Game, new: &Game) -> Vec<RuleDifference> {
    // Name, description and text of each script.
    let named = |game: &Game| {
        let (model, sheet) = (game.model(), game.sheet());
        let mut all: Vec<(String, String, String)> = vec![];
        for (at, script) in sheet.scripts.iter().enumerate() {
            let name = format!("script {}", script.file.as_deref().unwrap_or("in the rules"));
            let same =
                all.iter().filter(|(known, ..)| *known == name || known.starts_with(&format!("{name} #")));
            let name = match same.count() {
                0 => name,
                n => format!("{name} #{}", n + 1),
            };
            all.push((name, scripts::does(model, at), script.text.clone()));
        }
        all
    };
    let (was, is) = (named(old), named(new));
    let find = |all: &[(String, String, String)], name: &str| {
        all.iter().find(|(known, ..)| known == name).map(|(_, does, text)| (does.clone(), text.clone()))
    };
    let mut all = vec![];
    for (name, does, text) in &was {
        match find(&is, name) {
            None => all.push(difference(name.clone(), Some(does.clone()), None)),
            Some((_, now)) => {
                let changed = scripts::changed(text, &now);
                if !changed.is_empty() {
                    let part = format!("{name}, changed in {}", changed.join(", "));
                    all.push(difference(part, None, None));
                }
            }
        }
    }
    for (name, does, _) in is.iter().filter(|(name, ..)| find(&was, name).is_none()) {
        all.push(difference(name.clone(), None, Some(does.clone())));
    }
    all
}

/// Compares the numbers of the actions, which decide whether an agent trained on one game can play the other.
fn actions(old: &Game, new: &Game) -> Option<RuleDifference> {
    let block = |model: &Model, at: usize| {
        let block = &model.actions[at];
        let domains: Vec<(String, u32)> = block
            .domains
            .iter()
            .map(|domain| &model.domains[domain.index()])
            .map(|domain| (domain.name.clone(), domain.size))
            .collect();
        (block.option.clone(), domains, block.first, block.size)
    };
    let layout = |game: &Game| -> Vec<_> {
        (0..game.model().actions.len()).map(|at| block(game.model(), at)).collect()
    };
    let (was, is) = (layout(old), layout(new));
    if was == is {
        return None;
    }
    let kept = is.starts_with(&was);
    let word =
        if kept { "the old ones keep their numbers" } else { "other numbers: trained agents don't fit" };
    let count = |game: &Game| game.actions().to_string();
    Some(difference("actions".to_owned(), Some(count(old)), Some(format!("{} ({word})", count(new)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_differ_key_by_key() {
        let points = |entries: &[(i64, i64)], and_more| PointsTable { entries: entries.to_vec(), and_more };
        let a = points(&[(3, 1), (4, 3), (5, 10)], Some((6, 40)));
        let b = points(&[(3, 1), (4, 5), (5, 10), (6, 40), (7, 120)], Some((8, 350)));
        let told: Vec<_> = table(&a, &b);
        let expected = [("4", 3, 5), ("7", 40, 120), ("8 or more", 40, 350)];
        assert_eq!(told, expected.map(|(key, was, is)| (key.to_owned(), was, is)));
        assert_eq!(table(&a, &a), []);
        let same = points(&[(3, 1), (4, 3), (5, 10), (6, 40)], Some((7, 40)));
        assert_eq!(table(&a, &same), []);
        assert_eq!(
            table(&points(&[(1, 1)], None), &points(&[], Some((1, 1)))),
            [("2 or more".to_owned(), 0, 1)]
        );
    }

    #[test]
    fn what_is_the_same_is_said_once() {
        let told = |old: &str, new: &str, is_code| {
            let one = difference("end line".into(), Some(old.into()), Some(new.into()));
            let form = if is_code { RuleForm::Code } else { RuleForm::Words };
            RuleDifference { form, ..one }.text()
        };
        let code = |old: &str, new: &str| told(old, new, true);
        assert_eq!(
            code("when longest(mark[me]) >= 3", "when longest(mark[me]) >= 4"),
            "end line: when longest(mark[me]) >= 3 → >= 4"
        );
        assert_eq!(code("when a", "when b"), "end line: when a → when b");
        let long = "x ".repeat(60);
        assert!(code(&long, "y").contains("\n  + y"));
        // Where the end of the new rule would seem to follow another part of the old one, and in words, it is told whole.
        assert_eq!(code("a - (b - 2)", "a - b - 2"), "end line: a - (b - 2) → a - b - 2");
        assert_eq!(
            code("when a > 3 and b > 3", "when a > 3 and b > 4"),
            "end line: when a > 3 and b > 3 → when a > 3 and b > 4"
        );
        assert_eq!(told("a is = b", "a is = c", false), "end line: a is = b → a is = c");
    }
}
