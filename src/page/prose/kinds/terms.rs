//! What the names of defines in the descriptions mean.

use super::help;
use crate::prose::RulesEntry;
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_language::syntax::{BinaryOp, Block, Decl, DeclKind, ExprKind, Modifier, StmtKind};
use houserule_model::{Colour, Icon};

/// Describes the defines that have a help text, and those that other descriptions name. A help text names a define only if it
/// quotes its name: `“may”`.
pub(in crate::prose) fn terms(words: Wording<'_>, others: &[&RulesEntry]) -> Vec<RulesEntry> {
    let defines: Vec<_> = words
        .decls
        .iter()
        .filter_map(|decl| match &decl.kind {
            DeclKind::Define { name, modifiers, .. } => Some((decl, name, modifiers)),
            _ => None,
        })
        .collect();
    let helps = help_texts(words);
    let is_quoted = |name: &str| {
        let quoted = format!("“{}”", plain(name));
        helps.iter().any(|help| help.contains(&quoted))
    };
    let mut told: Vec<Option<RulesEntry>> = vec![None; defines.len()];
    // A description may name further defines.
    loop {
        let before = told.iter().flatten().count();
        for ((decl, name, modifiers), entry) in defines.iter().zip(&mut told) {
            let is_named = words.names(&name.text) || is_quoted(&name.text);
            let is_term = !help(decl).is_empty() || is_named || !drawn(modifiers).is_empty();
            if entry.is_none() && is_term {
                *entry = describe_define(words, decl);
            }
        }
        if told.iter().flatten().count() == before {
            break;
        }
    }
    // A description that no sentence repeats may have named some. The first word of a sentence has a capital.
    let sentence = |name: &str, text: &str| {
        let told = format!(" {}{}", words_of(name), sentence_of(text, &helps));
        let small = told.to_lowercase();
        format!("{told}{small}")
    };
    let mut sentences: Vec<String> = others.iter().map(|entry| sentence(&entry.name, &entry.text)).collect();
    let mut used = vec![false; defines.len()];
    loop {
        let before = sentences.len();
        for ((entry, is_used), (decl, name, modifiers)) in told.iter().zip(&mut used).zip(&defines) {
            let Some(entry) = entry.as_ref().filter(|_| !*is_used) else { continue };
            let is_named = || {
                let spoken = words.spoken(&name.text).into_iter();
                let mut spoken = spoken.map(|spoken| format!(" {} ", words_of(&spoken)));
                is_quoted(&name.text)
                    || spoken.any(|spoken| sentences.iter().any(|sentence| sentence.contains(&spoken)))
            };
            if !help(decl).is_empty() || !drawn(modifiers).is_empty() || is_named() {
                *is_used = true;
                sentences.push(sentence("", &entry.text));
            }
        }
        if sentences.len() == before {
            break;
        }
    }
    // A term that means what it says needs no entry.
    let says_more = |entry: &RulesEntry| entry.text.strip_prefix("the ") != Some(entry.name.as_str());
    let told = told.into_iter().zip(used).filter_map(|(entry, is_used)| entry.filter(|_| is_used));
    told.filter(says_more).collect()
}

/// Describes what the name of a define means. Returns `None` for other declarations.
fn describe_define(words: Wording<'_>, decl: &Decl) -> Option<RulesEntry> {
    let DeclKind::Define { name, params, value, modifiers } = &decl.kind else { return None };
    let (head, drawn) = (words.defined(&name.text, params), drawn(modifiers));
    Some(match help(decl) {
        "" => RulesEntry::new(head, format!("{}{drawn}", words.meaning(value))),
        help if words.full => RulesEntry::new(head, format!("{help} ({}){drawn}", words.meaning(value))),
        help => {
            let ties = words.hidden_ties(value.span, help);
            let ties: String = ties.iter().map(|told| format!("; {}", as_clause(told))).collect();
            RulesEntry::new(plain(&name.text), format!("{help}{ties}{drawn}"))
        }
    })
}

/// Returns a sentence as a part of another one: without its capital and its stop.
fn as_clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Returns the help texts of the rules, the longest first.
pub(super) fn help_texts<'a>(words: Wording<'a>) -> Vec<&'a str> {
    let model = words.model;
    let mut all: Vec<&'a str> = words.decls.iter().map(help).collect();
    words.bodies().for_each(|body| add_helps(body, &mut all));
    all.extend(model.score.iter().map(|item| item.help.as_str()));
    all.extend(model.params.iter().map(|param| param.help.as_str()));
    all.extend(model.slots.iter().map(|slot| slot.help.as_str()));
    all.retain(|help| !help.is_empty());
    all.sort_unstable_by_key(|help| (std::cmp::Reverse(help.len()), *help));
    all.dedup();
    all
}

/// Adds the help texts of the statements of a block.
fn add_helps<'a>(body: &'a Block, all: &mut Vec<&'a str>) {
    for one in &body.stmts {
        match &one.kind {
            StmtKind::Step { help, .. } | StmtKind::EndGame { help, .. } => {
                all.extend(help.iter().map(|help| help.text.as_str()));
            }
            StmtKind::Choose(choose) => {
                let options = choose.options.iter().flatten().filter_map(|option| option.help.as_ref());
                all.extend(options.chain(&choose.otherwise_help).map(|help| help.text.as_str()));
            }
            _ => {}
        }
        one.blocks().into_iter().for_each(|block| add_helps(block, all));
    }
}

/// Returns the words of a text without the help texts in it, each between two spaces.
pub(super) fn sentence_of(text: &str, helps: &[&str]) -> String {
    format!(" {} ", words_of(&without(text, helps)))
}

/// Returns a text without the help texts in it. A short one may be a part of other words.
fn without(text: &str, helps: &[&str]) -> String {
    let mut told = text.to_owned();
    for help in helps {
        if told == *help {
            return String::new();
        }
        if help.split_whitespace().nth(2).is_some() && told.contains(*help) {
            told = told.replace(*help, " ");
        }
    }
    told
}

/// Returns the words of a text, with one space between them.
fn words_of(text: &str) -> String {
    let words =
        text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Describes a mark by its colour or its picture. Forms such as `area` and `number` are no marks.
fn marked_by(word: &str) -> Option<String> {
    match (Colour::named(word), Icon::in_rules(word)) {
        (Some(_), _) => Some(format!("in {word}")),
        (None, Some(picture)) => Some(picture.name().to_owned()),
        (None, None) => None,
    }
}

/// Describes how the board shows a set: `, marked x in grey on the board`.
fn drawn(modifiers: &[Modifier]) -> String {
    let look = modifiers.iter().find_map(|modifier| match &modifier.value.as_ref()?.kind {
        ExprKind::Text(letter) => Some(letter.clone()),
        ExprKind::Name(word) => marked_by(&word.text),
        ExprKind::Binary(BinaryOp::In, letter, colour) => match (&letter.kind, &colour.kind) {
            (ExprKind::Text(letter), ExprKind::Name(colour)) => Some(format!("{letter} in {}", colour.text)),
            (ExprKind::Name(word), ExprKind::Name(colour)) => match Icon::in_rules(&word.text) {
                Some(picture) => Some(format!("{} in {}", picture.name(), colour.text)),
                None => marked_by(&colour.text),
            },
            _ => None,
        },
        _ => None,
    });
    look.map_or_else(String::new, |look| format!(", marked {look} on the board"))
}
