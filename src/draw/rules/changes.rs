//! What variants change, in plain words.

use super::super::words::plain;
use super::Entry;
use crate::engine::Sheet;
use crate::lang::model::Model;
use crate::lang::print;
use crate::lang::syntax::{Decl, DeclKind, EditKind, ExtendPart, StmtKind, Variant};

/// What each variant changes.
pub(super) fn variants(model: &Model, sheet: &Sheet) -> Vec<Entry> {
    let mut all = vec![];
    for variant in &sheet.variants {
        let alone = sheet.variants.len() == 1;
        // Alone, its title and help stand at the top of the page.
        if !alone {
            all.push(Entry::new(&variant.title.text, &variant.help));
        }
        let depth = usize::from(!alone);
        all.extend(changes(model, variant).into_iter().map(|entry| Entry { depth, ..entry }));
    }
    all
}

fn changes(model: &Model, variant: &Variant) -> Vec<Entry> {
    let mut all = vec![];
    for edit in &variant.edits {
        match &edit.kind {
            EditKind::Fix { name, value } => {
                all.push(Entry::new("", format!("{} is always {}", name.text, print::expr(value))));
            }
            EditKind::Default { name, value, .. } => {
                let help = model.params.iter().find(|param| param.name == name.text);
                let help = help.map(|param| param.help.as_str()).filter(|help| !help.is_empty());
                let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
                all.push(Entry::new("", format!("{} is {}{help}", name.text, print::expr(value))));
            }
            EditKind::Declare { new, decl } => all.extend(declared(*new, decl)),
            EditKind::Without { kind, name } => {
                let name = name.as_ref().map(|name| format!(" {}", plain(&name.text))).unwrap_or_default();
                all.push(Entry::new("", format!("no {}{name}", kind.text)));
            }
            EditKind::InsertStep { after, anchor, step } => {
                let StmtKind::Step { name, help, .. } = &step.kind else { continue };
                let place = if *after { "after" } else { "before" };
                let help = help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
                let text = format!("a new step {} {place} {}{help}", plain(&name.text), plain(&anchor.text));
                all.push(Entry::new("", text));
            }
            EditKind::Extend { choose, parts } => {
                all.extend(parts.iter().filter_map(|part| extended(&choose.text, part)));
            }
            EditKind::Hole => {}
        }
    }
    all
}

fn extended(choose: &str, part: &ExtendPart) -> Option<Entry> {
    let choose = plain(choose);
    let text = match part {
        ExtendPart::Option(option) => {
            let help = option.help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
            format!("in {choose}, the option {}{help}", plain(&option.name.text))
        }
        ExtendPart::Otherwise(_) => format!("what happens when nothing of {choose} is possible"),
        ExtendPart::Around { after, option, .. } => {
            let place = if *after { "after" } else { "before" };
            format!("in {choose}, what happens {place} {}", plain(&option.text))
        }
        ExtendPart::Without(name) => format!("in {choose}, no {}", plain(&name.text)),
        ExtendPart::Hole => return None,
    };
    Some(Entry::new("", text))
}

fn declared(new: bool, decl: &Decl) -> Vec<Entry> {
    let help = decl.help.as_ref().map(|help| help.text.clone()).unwrap_or_default();
    let named = |kind: &str, name: &str| {
        let help = if help.is_empty() { String::new() } else { format!(": {help}") };
        let word = if new { format!("a new {kind}") } else { format!("the {kind}") };
        vec![Entry::new("", format!("{word} {}{help}", plain(name)))]
    };
    match &decl.kind {
        DeclKind::Score(entries) => entries
            .iter()
            .map(|entry| {
                let help = entry.help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
                Entry::new("", format!("in the score, {}{help}", plain(&entry.name.text)))
            })
            .collect(),
        DeclKind::Match(entries) => entries
            .iter()
            .map(|entry| Entry::new("", format!("in a match, {}", print::match_entry(entry))))
            .collect(),
        DeclKind::Var(typed) => named("variable", &typed.name.text),
        DeclKind::Param(typed) => named("param", &typed.name.text),
        DeclKind::Table(typed) => named("table", &typed.name.text),
        DeclKind::Board { name, topology, .. } => {
            let made = print::expr(topology);
            vec![Entry::new(
                "",
                format!(
                    "{}the board {} is `{made}`",
                    if new { "in addition, " } else { "" },
                    plain(&name.text)
                ),
            )]
        }
        DeclKind::Dice { name, .. } => named("dice", &name.text),
        DeclKind::Piece { name, .. } => named("piece", &name.text),
        DeclKind::End { name: Some(name), .. } => named("end", &name.text),
        DeclKind::Define { name, value, .. } => {
            vec![Entry::new("", format!("{} is `{}`", plain(&name.text), print::expr(value)))]
        }
        DeclKind::Procedure { name, .. } => named("procedure", &name.text),
        DeclKind::Setup { name, .. } if !help.is_empty() => match name {
            Some(name) => named("setup", &name.text),
            None => vec![Entry::new("", format!("the setup: {help}"))],
        },
        // What it does stands further down.
        DeclKind::Script(_) => vec![Entry::new("", "a script takes part")],
        _ => vec![Entry::new("", format!("`{}`", print::decl_code(decl)))],
    }
}
