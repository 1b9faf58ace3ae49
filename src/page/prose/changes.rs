//! The changes of variants, in plain words.

use super::standing::StandingEdits;
use super::{RulesEntry, course, ends, equipment, is_sentence, kinds, players, score, settings, variables};
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_game::Sheet;
use houserule_language::format::print;
use houserule_language::syntax::{
    Block, Decl, DeclKind, Edit, EditKind, ExprKind, ExtendPart, GameDecl, Modifier, ModifierKind,
    ScoreEntry, StmtKind,
};
use houserule_model::{Role, Slot, Visibility};

/// Describes the changes of each variant, as far as later variants don't undo them.
pub(crate) fn variants(words: Wording<'_>, sheet: &Sheet) -> Vec<RulesEntry> {
    let base = sheet.base_tree.as_deref();
    let told = BlockDescriber { words, base };
    let stack = base.filter(|_| sheet.variants.len() > 1);
    // With the statements that are never run, too: they are written in the game.
    let written = sheet.tree.as_ref().map_or(words.decls, |tree| &tree.decls);
    let stack = stack.map(|base| StandingEdits::new(base, written));
    let mut all = vec![];
    for variant in sheet.variants.iter() {
        let alone = sheet.variants.len() == 1;
        // The title and help of a single variant are at the top of the page.
        if !alone {
            all.push(RulesEntry::new(&variant.title.text, &variant.help));
        }
        let depth = usize::from(!alone);
        let edits: Vec<Edit> = match &stack {
            Some(stack) => variant.edits.iter().filter_map(|edit| stack.standing(edit)).collect(),
            None => variant.edits.clone(),
        };
        let entries = changes(told, &edits).into_iter();
        all.extend(entries.map(|entry| RulesEntry { depth: entry.depth + depth, ..entry }));
    }
    all
}

/// Context for describing blocks.
#[derive(Clone, Copy)]
struct BlockDescriber<'a> {
    words: Wording<'a>,
    /// The game without its variants. The merged rules have the help texts of the variants, and lack what these leave out.
    base: Option<&'a GameDecl>,
}

impl BlockDescriber<'_> {
    fn block(self, label: &str, body: &Block) -> Vec<RulesEntry> {
        course::entries_under(self.words, label, body)
    }

    /// Returns `true` if nothing is told beside the help text of a part.
    fn is_enough(self, has_help: bool) -> bool {
        has_help && !self.words.full
    }

    /// Describes an item of the score. One that is 0 in the rules may be computed by a script. With the help text that the game
    /// has for another formula, the formula is told, too.
    fn item(self, changed: &ScoreEntry) -> RulesEntry {
        let name = changed.name.text.as_str();
        let entry = score_item(self.words.decls, name).unwrap_or(changed);
        let is_scripted = matches!(entry.value.kind, ExprKind::Number(0))
            && score::is_computed_by_script(self.words.model, name);
        let help = |entry: &ScoreEntry| entry.help.as_ref().map(|help| help.text.clone());
        let was = self.base.and_then(|base| score_item(&base.decls, name));
        let has_old_help = was.is_some_and(|was| {
            entry.help.is_some()
                && help(was) == help(entry)
                && print::score_entry(was) != print::score_entry(entry)
        });
        let words = if has_old_help { self.words.in_full() } else { self.words };
        let told = match is_scripted {
            true => help(entry).unwrap_or_default(),
            false => score::score_entry(words, entry).text,
        };
        let name = format!("in the score, {}", plain(name));
        RulesEntry::new("", if told.is_empty() { name } else { format!("{name}: {told}") })
    }

    /// Says that all see a part of this name, if they don't in the game without its variants.
    fn opened(self, name: &str, mut all: Vec<RulesEntry>) -> Vec<RulesEntry> {
        let decls = self.base.map_or(&[][..], |base| &base.decls);
        let was_hidden = decls.iter().any(|decl| match &decl.kind {
            DeclKind::Zone { name: own, modifiers, .. } | DeclKind::Board { name: own, modifiers, .. } => {
                own.text == name && modifiers.iter().any(hides)
            }
            DeclKind::Var(typed) => typed.name.text == name && typed.modifiers.iter().any(hides),
            _ => false,
        });
        let model = self.words.model;
        let is_kept = |slot: &&Slot| {
            slot.name == name && matches!(slot.role, Role::Variable | Role::Zone | Role::Copies)
        };
        let slots = model.slots.iter().filter(is_kept).map(|slot| slot.visibility);
        let boards = model.boards.iter().filter(|board| board.name == name).map(|board| board.visibility);
        let mut seen = slots.chain(boards);
        let is_opened = was_hidden && seen.next() == Some(Visibility::All);
        if let Some(first) = all.first_mut().filter(|_| is_opened) {
            first.text.push_str(" (seen by all)");
        }
        all
    }
}

/// Returns the item of the score with a name.
fn score_item<'d>(decls: &'d [Decl], name: &str) -> Option<&'d ScoreEntry> {
    decls.iter().find_map(|decl| match &decl.kind {
        DeclKind::Score(entries) => entries.iter().find(|one| one.name.text == name),
        _ => None,
    })
}

/// Returns `true` for a modifier by which not everybody sees a value.
fn hides(modifier: &Modifier) -> bool {
    matches!(
        modifier.kind,
        ModifierKind::SeenByOwner
            | ModifierKind::SeenByOthers
            | ModifierKind::SeenByNone
            | ModifierKind::SeenByPlayer
            | ModifierKind::SeenByTop
    )
}

/// Returns `true` if an edit may change who wins where no end decides it.
fn decides_best(edit: &EditKind) -> bool {
    match edit {
        EditKind::Declare { decl, .. } => matches!(decl.kind, DeclKind::Winner(_) | DeclKind::Ties(_)),
        EditKind::Without { kind, .. } => matches!(kind.text.as_str(), "winner" | "ties"),
        _ => false,
    }
}

fn changes(told: BlockDescriber<'_>, edits: &[Edit]) -> Vec<RulesEntry> {
    let model = told.words.model;
    let is_decided = edits.iter().any(|edit| decides_best(&edit.kind));
    let best = if is_decided { ends::winner(told.words, false) } else { None };
    let mut all: Vec<RulesEntry> = vec![];
    for edit in edits {
        match &edit.kind {
            kind if decides_best(kind) && best.is_some() => {
                let untold = best.clone().filter(|best| !all.contains(best));
                all.extend(untold);
            }
            EditKind::Fix { name, value } => {
                all.push(RulesEntry::new("", settings::set_to(model, &name.text, value, true)));
            }
            EditKind::Default { name, value, .. } => {
                all.push(RulesEntry::new("", settings::set_to(model, &name.text, value, false)));
            }
            // Nothing tells the players apart.
            EditKind::Declare { .. } if decides_best(&edit.kind) => {}
            EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Payoff { .. }) => {
                all.extend(ends::payoff(told.words));
            }
            EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Players(..)) => {
                all.push(RulesEntry::new("", format!("who plays: {}", players::players(told.words))));
            }
            EditKind::Declare { new, decl } => all.extend(declared(told, *new, decl)),
            EditKind::StepHelp { name, help } => {
                all.push(RulesEntry::new("", format!("the step {}: {}", plain(&name.text), help.text)));
            }
            // A formula or a procedure that nothing uses any more is no change for a player.
            EditKind::Without { kind, .. } if matches!(kind.text.as_str(), "define" | "procedure") => {}
            EditKind::Without { kind, name } => {
                let name = name.as_ref().map(|name| name.text.as_str());
                all.push(RulesEntry::new("", left_out(told.base, &kind.text, name)));
            }
            EditKind::InsertStep { step, .. } | EditKind::Step(step) => {
                let StmtKind::Step { name, help, body } = &step.kind else { continue };
                let text = match &edit.kind {
                    EditKind::InsertStep { after, anchor, .. } => {
                        let place = if *after { "after" } else { "before" };
                        format!("a new step {} {place} {}", plain(&name.text), plain(&anchor.text))
                    }
                    _ => format!("the step {}", plain(&name.text)),
                };
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

/// Says that a part of the game is left out. An end is told by its help text in the game.
fn left_out(base: Option<&GameDecl>, kind: &str, name: Option<&str>) -> String {
    let is_it = |decl: &&Decl| match &decl.kind {
        DeclKind::End { name: Some(one), .. } => Some(one.text.as_str()) == name,
        _ => false,
    };
    let end = base.and_then(|game| game.decls.iter().find(is_it)).and_then(|decl| decl.help.as_ref());
    match (kind, name, end) {
        ("end", _, Some(help)) if !is_sentence(&help.text) => {
            format!("the game no longer ends when {}", help.text)
        }
        ("end", Some(name), _) => format!("the end “{}” doesn't hold", plain(name)),
        ("param", Some(name), _) => format!("no setting {}", plain(name)),
        (kind, Some(name), _) => format!("no {kind} {}", plain(name)),
        (kind, None, _) => format!("no {kind}"),
    }
}

fn extended(told: BlockDescriber<'_>, choose: &str, part: &ExtendPart) -> Vec<RulesEntry> {
    let choose = plain(choose);
    match part {
        ExtendPart::Option(option) => {
            let head = format!("in {choose}, the option {}", plain(&option.name.text));
            let help = option.help.as_ref().map(|help| format!(": {}", help.text)).unwrap_or_default();
            let mut all = vec![RulesEntry::new("", format!("{head}{help}"))];
            if told.is_enough(option.help.is_some()) {
                return all;
            }
            let what = told.words.unhelped(option);
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
            if told.words.full && !body.stmts.is_empty() {
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
    let (words, model) = (told.words, told.words.model);
    let help = decl.help.as_ref().map(|help| help.text.clone()).unwrap_or_default();
    let one = |text: String| vec![RulesEntry::new("", text)];
    let word = |kind: &str| if new { format!("a new {kind}") } else { format!("the {kind}") };
    let is_enough = told.is_enough(!help.is_empty());
    match &decl.kind {
        DeclKind::Score(entries) => entries.iter().map(|entry| told.item(entry)).collect(),
        DeclKind::Match(entries) => super::matches::changed(words, entries),
        DeclKind::Var(typed) => {
            // What only the rules keep isn't told.
            let kept = as_told("in what is kept,", &typed.name.text, variables(words));
            told.opened(&typed.name.text, kept.unwrap_or_default())
        }
        DeclKind::Param(typed) => {
            let setting = settings::setting(model, &typed.name.text, words.full);
            one(if new { format!("a new setting: {setting}") } else { setting })
        }
        DeclKind::Table(typed) => as_told(&word("table"), &typed.name.text, kinds::tables(words))
            .unwrap_or_else(|| one(labelled(&word("table"), &plain(&typed.name.text)))),
        DeclKind::Board { name, .. } | DeclKind::Edges { name, .. } => {
            told.opened(&name.text, with_equipment(words, &word("board"), &name.text))
        }
        DeclKind::Zone { name, .. } => {
            told.opened(&name.text, with_equipment(words, &word("zone"), &name.text))
        }
        DeclKind::Dice { name, .. } => with_equipment(words, &word("dice"), &name.text),
        DeclKind::Piece { name, .. } => with_equipment(words, &word("piece"), &name.text),
        DeclKind::Enum { name, .. } | DeclKind::Range { name, .. } | DeclKind::Record { name, .. } => {
            as_told(&word("kind"), &name.text, kinds::kinds(model, words.decls))
                .unwrap_or_else(|| one(labelled(&word("kind"), &plain(&name.text))))
        }
        DeclKind::End { .. } => {
            let end = ends::declared_end(words, decl).unwrap_or_default();
            let end = end.trim_end_matches('.');
            one(if new { format!("the game also ends {end}") } else { format!("an end is changed: {end}") })
        }
        DeclKind::Define { name, .. } if is_enough => one(format!("{}: {help}", plain(&name.text))),
        DeclKind::Define { name, params, value, .. } => {
            one(format!("{}: {}", words.defined(&name.text, params), words.meaning(value)))
        }
        DeclKind::Procedure { name, .. } if is_enough => one(format!("{}: {help}", plain(&name.text))),
        DeclKind::Procedure { name, body, .. } => told.block(&plain(&name.text), body),
        DeclKind::Setup { body, .. } => {
            let label = if new { "before the first turn, too" } else { "before the first turn" };
            if help.is_empty() { told.block(label, body) } else { one(format!("{label}: {help}")) }
        }
        DeclKind::Team { name, .. } => {
            as_told(&word("team"), &name.text, players::teams(model).collect()).unwrap_or_default()
        }
        // Their contents are described in their own section.
        DeclKind::Turn(_) => one("the whole turn, as it stands above".to_owned()),
        DeclKind::Round(_) => one("the whole round, as it stands above".to_owned()),
        DeclKind::Script(_) => one("a script takes part".to_owned()),
        // They are for authors, for who sets params or lets programs play, and for drawings: how to play is the same.
        DeclKind::Allow { .. } | DeclKind::Require(_) | DeclKind::Limit(_) | DeclKind::Shown { .. } => vec![],
        _ => one(format!("`{}`", print::decl_code(decl))),
    }
}

/// Describes a board, dice, pieces or a zone as the equipment does.
fn with_equipment(words: Wording<'_>, label: &str, name: &str) -> Vec<RulesEntry> {
    let all = equipment::equipment(words.model, words.decls);
    as_told(label, name, all).unwrap_or_else(|| vec![RulesEntry::new("", labelled(label, &plain(name)))])
}

/// Returns a name after a label: `the board cell`, and `the kind` for a kind of this name.
fn labelled(label: &str, name: &str) -> String {
    match label.rsplit(' ').next() {
        Some(last) if last == name => label.to_owned(),
        _ => format!("{label} {name}"),
    }
}

/// Returns what a section of the rules tells of a name, after a label. Returns `None` if it tells nothing.
fn as_told(label: &str, name: &str, section: Vec<RulesEntry>) -> Option<Vec<RulesEntry>> {
    let name = plain(name);
    let mut found = section.into_iter().skip_while(|entry| entry.depth > 0 || entry.name != name);
    let first = found.next()?;
    let head = labelled(label, &name);
    let text = match first.text.as_str() {
        "" => head,
        text => format!("{head}: {text}"),
    };
    let below = found.take_while(|entry| entry.depth > 0);
    Some([RulesEntry::new("", text)].into_iter().chain(below).collect())
}
