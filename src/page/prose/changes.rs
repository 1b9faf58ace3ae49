//! The changes of variants, in plain words.

use super::{RulesEntry, course};
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_game::Sheet;
use houserule_game::values::param_text;
use houserule_language::format::print;
use houserule_language::syntax::{
    Block, Decl, DeclKind, EditKind, ExprKind, ExtendPart, ScoreEntry, StmtKind, Variant,
};
use houserule_model::ParamValue;

/// Describes the changes of each variant.
pub(crate) fn variants(words: Wording<'_>, sheet: &Sheet) -> Vec<RulesEntry> {
    let told = BlockDescriber { words };
    let mut all = vec![];
    for variant in sheet.variants.iter() {
        let alone = sheet.variants.len() == 1;
        // The title and help of a single variant are at the top of the page.
        if !alone {
            all.push(RulesEntry::new(&variant.title.text, &variant.help));
        }
        let depth = usize::from(!alone);
        let entries = changes(told, variant).into_iter();
        all.extend(entries.map(|entry| RulesEntry { depth: entry.depth + depth, ..entry }));
    }
    all
}

/// Context for describing blocks.
#[derive(Clone, Copy)]
struct BlockDescriber<'a> {
    words: Wording<'a>,
}

impl BlockDescriber<'_> {
    fn block(self, label: &str, body: &Block) -> Vec<RulesEntry> {
        course::entries_under(self.words, label, body)
    }

    /// Describes a score item, to follow its help text. An item that is 0 in the rules is computed by a script.
    fn item(self, entry: &ScoreEntry) -> String {
        let value = match &entry.value.kind {
            ExprKind::Number(0) => String::new(),
            _ => self.words.value(&entry.value),
        };
        let when = entry.when.as_ref().map(|when| format!("when {}", self.words.condition(when)));
        let parts = [value, when.unwrap_or_default()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(" ")) }
    }
}

fn changes(told: BlockDescriber<'_>, variant: &Variant) -> Vec<RulesEntry> {
    let model = told.words.model;
    let mut all = vec![];
    for edit in &variant.edits {
        match &edit.kind {
            EditKind::Fix { name, value } => {
                all.push(RulesEntry::new("", format!("{} is always {}", name.text, print::expr(value))));
            }
            EditKind::Default { name, value, .. } => {
                let help = model.params.iter().find(|param| param.name == name.text);
                let help = help.map(|param| param.help.as_str()).filter(|help| !help.is_empty());
                let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
                all.push(RulesEntry::new("", format!("{} is {}{help}", name.text, print::expr(value))));
            }
            EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Winner(_)) => {
                all.extend(super::ends::winner(told.words));
            }
            EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Payoff { .. }) => {
                all.extend(super::ends::payoff(told.words));
            }
            EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Players(..)) => {
                all.push(RulesEntry::new("", format!("who plays: {}", super::players::players(told.words))));
            }
            EditKind::Declare { new, decl } => all.extend(declared(told, *new, decl)),
            EditKind::StepHelp { name, help } => {
                all.push(RulesEntry::new("", format!("the step {}: {}", plain(&name.text), help.text)));
            }
            // A formula or a procedure that nothing uses any more is no change for a player.
            EditKind::Without { kind, .. } if matches!(kind.text.as_str(), "define" | "procedure") => {}
            EditKind::Without { kind, name } => {
                let name = name.as_ref().map(|name| format!(" {}", plain(&name.text))).unwrap_or_default();
                all.push(RulesEntry::new("", format!("no {}{name}", kind.text)));
            }
            EditKind::InsertStep { after, anchor, step } => {
                let StmtKind::Step { name, help, body } = &step.kind else { continue };
                let place = if *after { "after" } else { "before" };
                let text = format!("a new step {} {place} {}", plain(&name.text), plain(&anchor.text));
                match help {
                    Some(help) => all.push(RulesEntry::new("", format!("{text}: {}", help.text))),
                    None => all.extend(told.block(&text, body)),
                }
            }
            EditKind::Extend { choose, parts } => {
                all.extend(parts.iter().flat_map(|part| extended(told, &choose.text, part)));
            }
            EditKind::Hole => {}
        }
    }
    all
}

fn extended(told: BlockDescriber<'_>, choose: &str, part: &ExtendPart) -> Vec<RulesEntry> {
    let choose = plain(choose);
    match part {
        ExtendPart::Option(option) => {
            let head = format!("in {choose}, the option {}", plain(&option.name.text));
            let help = option.help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
            let what = told.words.unhelped(option);
            let mut all = vec![RulesEntry::new("", format!("{head}{help}"))];
            if !what.is_empty() {
                all.push(RulesEntry::new("", what).at(1));
            }
            if !option.body.stmts.is_empty() {
                let body = told.block("then", &option.body).into_iter();
                all.extend(body.map(|entry| RulesEntry { depth: entry.depth + 1, ..entry }));
            }
            all
        }
        ExtendPart::Otherwise { help, body } => {
            let label = format!("if nothing of {choose} is possible");
            let Some(help) = help else { return told.block(&label, body) };
            let mut all = vec![RulesEntry::new("", format!("{label}: {}", help.text))];
            if !body.stmts.is_empty() {
                let body = told.block("then", body).into_iter();
                all.extend(body.map(|entry| RulesEntry { depth: entry.depth + 1, ..entry }));
            }
            all
        }
        ExtendPart::Around { after, option, body } => {
            let place = if *after { "after" } else { "before" };
            told.block(&format!("in {choose}, {place} {}", plain(&option.text)), body)
        }
        ExtendPart::Without(name) => {
            vec![RulesEntry::new("", format!("in {choose}, no {}", plain(&name.text)))]
        }
        ExtendPart::Hole => vec![],
    }
}

fn declared(told: BlockDescriber<'_>, new: bool, decl: &Decl) -> Vec<RulesEntry> {
    let help = decl.help.as_ref().map(|help| help.text.clone()).unwrap_or_default();
    let named = |kind: &str, name: &str| {
        let help = if help.is_empty() { String::new() } else { format!(": {help}") };
        let word = if new { format!("a new {kind}") } else { format!("the {kind}") };
        vec![RulesEntry::new("", format!("{word} {}{help}", plain(name)))]
    };
    // The source text instead of the help, so that no number is missing.
    let written = |kind: &str, name: &str| {
        let code = print::decl_code(decl);
        let mut all = named(kind, name);
        all.iter_mut().for_each(|entry| entry.text.push_str(&format!(" (`{code}`)")));
        all
    };
    match &decl.kind {
        DeclKind::Score(entries) => entries
            .iter()
            .map(|entry| {
                let help = entry.help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
                let name = plain(&entry.name.text);
                RulesEntry::new("", format!("in the score, {name}{help}{}", told.item(entry)))
            })
            .collect(),
        DeclKind::Match(entries) => super::matches::changed(told.words, entries),
        DeclKind::Var(typed) => written("variable", &typed.name.text),
        DeclKind::Param(typed) => {
            let mut all = named("param", &typed.name.text);
            let param = told.words.model.params.iter().find(|param| param.name == typed.name.text);
            if let (Some(param), Some(entry)) = (param, all.first_mut()) {
                let possible = super::possible(param);
                let possible = if possible.is_empty() { possible } else { format!("; {possible}") };
                let value = match &param.value {
                    ParamValue::Table(points) => super::score::points_text(points),
                    value => param_text(value),
                };
                entry.text.push_str(&format!(" ({value}{possible})"));
            }
            all
        }
        DeclKind::Table(typed) => written("table", &typed.name.text),
        DeclKind::Board { name, topology, .. } => {
            let made = print::expr(topology);
            vec![RulesEntry::new(
                "",
                format!(
                    "{}the board {} is `{made}`",
                    if new { "in addition, " } else { "" },
                    plain(&name.text)
                ),
            )]
        }
        DeclKind::Zone { name, .. } => {
            let mut all = named("zone", &name.text);
            let slot = told.words.model.slots.iter().find(|slot| slot.name == name.text);
            let seen = slot.and_then(|slot| super::equipment::who_sees(told.words.model, slot.visibility));
            all.iter_mut().zip(seen).for_each(|(entry, seen)| entry.text.push_str(&format!(" ({seen})")));
            all
        }
        DeclKind::Dice { name, .. } => written("dice", &name.text),
        DeclKind::Piece { name, index, on: None, modifiers } if index.is_empty() && modifiers.is_empty() => {
            named("piece", &name.text)
        }
        DeclKind::Piece { name, .. } => written("piece", &name.text),
        DeclKind::End { name: Some(name), when, .. } => {
            let words = told.words.seen_by("the mover");
            let mut all = named("end", &name.text);
            let text =
                format!(" (when {}{})", words.condition(when), super::ends::declared_result(&words, decl));
            all.iter_mut().for_each(|entry| entry.text.push_str(&text));
            all
        }
        DeclKind::Define { name, params, value, .. } => {
            let what = told.words.meaning(value);
            vec![RulesEntry::new("", format!("{}: {what}", told.words.defined(&name.text, params)))]
        }
        DeclKind::Procedure { name, body, .. } => {
            let word = if new { "a new procedure" } else { "the procedure" };
            told.block(&format!("{word} {}", plain(&name.text)), body)
        }
        DeclKind::Setup { name, .. } if !help.is_empty() => match name {
            Some(name) => named("setup", &name.text),
            None => vec![RulesEntry::new("", format!("the setup: {help}"))],
        },
        DeclKind::Setup { body, .. } => told.block("the setup", body),
        // Their contents are described in their own section.
        DeclKind::Turn(_) => vec![RulesEntry::new("", "the whole turn, as it stands below")],
        DeclKind::Round(_) => vec![RulesEntry::new("", "the whole round, as it stands below")],
        DeclKind::Script(_) => vec![RulesEntry::new("", "a script takes part")],
        // It is for the author: the game is the same.
        DeclKind::Allow { .. } => vec![],
        _ => vec![RulesEntry::new("", format!("`{}`", print::decl_code(decl)))],
    }
}
