//! Rules in plain words, based on the help texts of their parts, and the differences between two games.
//!
//! [`sections`] returns the contents, in the order in which a player wants to read them; [`rules`] formats them
//! for a page.

mod acting;
mod calls;
mod changes;
mod conditions;
mod course;
pub mod diff;
mod ends;
mod equipment;
mod forms;
pub mod grammar;
mod holding;
mod kinds;
pub mod marked;
mod matches;
mod members;
mod opposites;
mod phrases;
mod players;
mod reached;
mod score;
mod scripts;
mod sets;
pub(crate) mod settings;
mod settled;
mod standing;
mod statements;
mod ties;
mod zones;

use std::collections::BTreeSet;

use serde::Serialize;

use houserule_base::names::plain;
use houserule_game::Game;
use houserule_language::syntax::{Decl, DeclKind};
use houserule_model::{DomainKind, Model, PLAYER, Slot};
use houserule_picture::paint::line::wrap;
use phrases::{NamedDefines, Wording};

pub use score::part_name;
pub(crate) use score::score_items;

/// A section of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The paragraphs below the heading.
    pub entries: Vec<RulesEntry>,
}

/// A paragraph of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesEntry {
    /// The name of its subject: a step, an option, a term; may be empty.
    pub name: String,
    /// The text.
    pub text: String,
    /// The nesting depth: an entry of depth 1 belongs to the last entry of depth 0 above it, and so on.
    pub depth: usize,
}

impl RulesEntry {
    fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        RulesEntry { name: name.into(), text: text.into(), depth: 0 }
    }

    fn at(self, depth: usize) -> Self {
        RulesEntry { depth, ..self }
    }
}

/// Maximum width of the rules, in columns. Longer lines are harder to read.
pub const COLUMNS: usize = 80;

/// Formats the rules of a game as text, wrapped to `columns`. A longer word gets its own line.
pub fn rules(game: &Game, columns: usize) -> String {
    as_text(game, &sections(game), columns)
}

/// Formats the rules of a game like [`rules`], with [`full_sections`].
pub fn full_rules(game: &Game, columns: usize) -> String {
    as_text(game, &full_sections(game), columns)
}

fn as_text(game: &Game, sections: &[Section], columns: usize) -> String {
    let model = game.model();
    let mut text = format!("{}\n{}\n", model.title, "=".repeat(model.title.chars().count().min(columns)));
    for blurb in blurbs(game) {
        text.push('\n');
        paragraph(&mut text, columns, "", &blurb);
    }
    for section in sections {
        text.push('\n');
        paragraph(&mut text, columns, "", &section.title);
        let numbered = is_numbered(&section.title);
        let mut number = 0;
        for entry in &section.entries {
            let body = match (entry.name.is_empty(), entry.text.is_empty()) {
                (true, _) => entry.text.clone(),
                (false, true) => entry.name.clone(),
                (false, false) => format!("{}: {}", entry.name, entry.text),
            };
            let mark = if entry.depth > 0 {
                format!("{}- ", " ".repeat(1 + 4 * entry.depth))
            } else if numbered {
                number += 1;
                format!("  {number}. ")
            } else {
                "  - ".to_owned()
            };
            paragraph(&mut text, columns, &mark, &body);
        }
    }
    text
}

/// Returns what is said of a game above its rules: its help text, and below that of variants those of what they change, each
/// with its title.
pub(crate) fn blurbs(game: &Game) -> Vec<String> {
    let (model, sheet) = (game.model(), game.sheet());
    let mut all: Vec<String> = vec![];
    if !model.help.is_empty() {
        all.push(model.help.clone());
    }
    let mut add = |title: &str, help: &str| {
        if !help.is_empty() && !model.help.contains(help) {
            all.push(format!("In {title}: {help}"));
        }
    };
    for variant in sheet.variants.iter().rev() {
        add(&variant.title.text, &variant.help);
    }
    if let Some(base) = &sheet.base_tree {
        add(&base.title.text, &base.help);
    }
    all
}

/// Adds wrapped words, the first line after a mark and the others indented below it.
fn paragraph(text: &mut String, columns: usize, mark: &str, words: &str) {
    let indent = mark.chars().count();
    for (at, line) in wrap(words, columns.saturating_sub(indent)).iter().enumerate() {
        let before = if at == 0 { mark.to_owned() } else { " ".repeat(indent) };
        text.push_str(&format!("{}\n", format!("{before}{line}").trim_end()));
    }
}

const PLAYERS: &str = "Players";
const ENDS: &str = "The game ends";
const TURN: &str = "A turn";
const ROUND: &str = "A round";
const TERMS: &str = "Terms";
const KEPT: &str = "What is kept";

/// The title of the section with the params.
pub(crate) const SETTINGS: &str = "What can be set";

/// The words for the player who acts in a setup.
const STARTER: &str = "the starter";

/// The words for the other one of two players.
const OTHER_PLAYER: &str = "the other player";

/// How the title of the section begins that lists the changes of variants.
const CHANGES: &str = "What is changed from";

/// Returns `true` if the paragraphs of a section happen one after the other.
pub(crate) fn is_numbered(title: &str) -> bool {
    title == TURN || title == ROUND
}

/// Returns the rules of a game as sections, in the order in which a player wants to read them. A help text stands for the
/// statements or the formula of its part.
pub fn sections(game: &Game) -> Vec<Section> {
    rules_sections(game, false)
}

/// Returns the rules of a game as sections, like [`sections`], with statements and formulas beside the help texts that
/// stand for them.
pub fn full_sections(game: &Game) -> Vec<Section> {
    rules_sections(game, true)
}

fn rules_sections(game: &Game, full: bool) -> Vec<Section> {
    let (model, sheet) = (game.model(), game.sheet());
    let decls = sheet.tree.as_ref().map_or(&[][..], |tree| &tree.decls);
    let changes = match sheet.variants.is_empty() {
        true => String::new(),
        false => format!("{CHANGES} {}", sheet.base),
    };
    let named = NamedDefines::default();
    let reached = reached::drop_unreached(model, decls);
    let decls = reached.as_slice();
    let words = Wording::new(model, decls, "you", &named);
    let words = if full { words.in_full() } else { words };
    let ends = ends::ends(words);
    let mut all: Vec<(&str, Vec<RulesEntry>)> = vec![
        (&changes, changes::variants(words, sheet)),
        (
            PLAYERS,
            [RulesEntry::new("", players::players(words))].into_iter().chain(players::teams(model)).collect(),
        ),
        ("Equipment", equipment::equipment(model, decls)),
        ("Kinds", kinds::kinds(model, decls)),
        (ENDS, ends.entries),
        ("Before the first turn", setup(words)),
        (if model.rounds { ROUND } else { TURN }, course::turn(words)),
        ("Scoring", score::scoring(words, ends.compared)),
        (TERMS, vec![]),
        ("Tables", kinds::tables(words)),
        ("What scripts do", by_script(game)),
        (KEPT, vec![]),
        ("A match", matches::match_play(words)),
        (SETTINGS, settings::settings(model, full)),
    ];
    if !full {
        drop_end_names(&mut all, &ends.given_names);
    }
    say_who_starts(model, &mut all);
    // The other sections read the variables, and name the defines that are terms.
    let told: Vec<&RulesEntry> = all.iter().flat_map(|(_, entries)| entries).collect();
    let terms = kinds::terms(words, &told);
    let played = all.iter().filter(|(title, _)| !title.starts_with(CHANGES));
    let played = played.flat_map(|(_, entries)| entries).chain(&terms);
    let kept = kinds::describe_kept(words, &played.collect::<Vec<_>>());
    if let Some((_, entries)) = all.iter_mut().find(|(title, _)| *title == KEPT) {
        *entries = kept;
    }
    let told: Vec<&RulesEntry> = all.iter().flat_map(|(_, entries)| entries).collect();
    let mut terms = kinds::terms(words, &told);
    let more = kinds::neighbours(model, told.iter().copied().chain(&terms));
    terms.extend(more);
    if let Some((_, entries)) = all.iter_mut().find(|(title, _)| *title == TERMS) {
        *entries = terms;
    }
    all.into_iter()
        .filter(|(_, entries)| !entries.is_empty())
        .map(|(title, entries)| Section { title: title.to_owned(), entries })
        .collect()
}

/// Takes the names off the ends of which no other section speaks, but for some of them.
fn drop_end_names(all: &mut [(&str, Vec<RulesEntry>)], kept: &BTreeSet<String>) {
    let others = all.iter().filter(|(title, _)| *title != ENDS).flat_map(|(_, entries)| entries);
    let told = others.flat_map(|entry| entry.text.split("the game ends: ").skip(1).map(str::to_owned));
    let told: Vec<String> = told.collect();
    let ends = all.iter_mut().filter(|(title, _)| *title == ENDS).flat_map(|(_, entries)| entries);
    for end in ends {
        let is_told = !end.name.is_empty() && told.iter().any(|rest| rest.starts_with(&end.name));
        if !is_told && !kept.contains(&end.name) {
            end.name.clear();
            end.text = capitalised(&end.text);
        }
    }
}

/// Says who the starter is, if another section speaks of the starter.
fn say_who_starts(model: &Model, all: &mut [(&str, Vec<RulesEntry>)]) {
    let is_named = |entry: &RulesEntry| entry.text.to_lowercase().contains(STARTER);
    let speaks = |of_players: bool| {
        let mut sections = all.iter().filter(|(title, _)| (*title == PLAYERS) == of_players);
        sections.any(|(_, entries)| entries.iter().any(is_named))
    };
    if model.players.most < 2 || speaks(true) || !speaks(false) {
        return;
    }
    let mut players = all.iter_mut().filter(|(title, _)| *title == PLAYERS).flat_map(|(_, entries)| entries);
    if let Some(entry) = players.next() {
        let what = if model.rounds { "the round" } else { "the game" };
        entry.text.push_str(&format!(" The starter is who begins {what}."));
    }
}

fn by_script(game: &Game) -> Vec<RulesEntry> {
    let (model, sheet) = (game.model(), game.sheet());
    let entry = |script| RulesEntry::new(scripts::name(sheet, script), scripts::does(model, script));
    (0..sheet.scripts.len()).map(entry).collect()
}

/// Returns ` for each player and row` for the indices of a slot. An index over the only player isn't one.
fn for_each(model: &Model, slot: &Slot, dice: bool) -> String {
    let index = if dice { &slot.index[..slot.index.len().saturating_sub(1)] } else { &slot.index[..] };
    let told = index.iter().filter(|domain| **domain != PLAYER || model.players.count > 1).map(|domain| {
        let domain = &model.domains[domain.index()];
        match domain.kind {
            // The name of a range without one is how it is written.
            DomainKind::Range { low } if domain.name.contains("..") => {
                format!("number from {low} to {}", low + i64::from(domain.size) - 1)
            }
            _ => plain(&domain.name),
        }
    });
    match told.collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        told => format!(" for each {}", told.join(" and ")),
    }
}

fn help_of(decls: &[Decl], is: impl Fn(&DeclKind) -> bool) -> &str {
    let found = decls.iter().find(|decl| is(&decl.kind));
    found.and_then(|decl| decl.help.as_ref()).map_or("", |help| help.text.as_str())
}

/// Returns a sentence with a capital at its start.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns `true` if a help text is a whole sentence.
fn is_sentence(help: &str) -> bool {
    help.ends_with(['.', '!']) && help.starts_with(char::is_uppercase)
}

fn setup(words: Wording<'_>) -> Vec<RulesEntry> {
    let words = words.seen_by(STARTER);
    let mut all = vec![];
    let tells_starter = |decl: &Decl| match (&decl.kind, &decl.help) {
        (DeclKind::Setup { .. }, Some(help)) => players::tells_starter(&help.text),
        _ => false,
    };
    // Without a word of who begins, all that a help text stands for is told below it.
    let is_starter_told = words.decls.iter().any(tells_starter);
    for decl in words.decls {
        let DeclKind::Setup { body, .. } = &decl.kind else { continue };
        let Some(help) = &decl.help else {
            all.extend(course::entries(words, body));
            continue;
        };
        all.push(RulesEntry::new("", help.text.clone()));
        let below = |entry: RulesEntry| RulesEntry { depth: entry.depth + 1, ..entry };
        if words.full {
            all.extend(course::entries(words, body));
        } else if players::sets_starter(words, body) && !is_starter_told {
            all.extend(course::entries(words.in_full(), body).into_iter().map(below));
        } else {
            if body.stmts.iter().any(|one| words.offers(one)) {
                all.extend(course::choices(words, body));
            }
            let ties = words.hidden_ties(body.span, &help.text).into_iter();
            all.extend(ties.map(|told| RulesEntry::new("", told).at(1)));
        }
    }
    all
}

/// Describes the variables, without how they change.
fn variables(words: Wording<'_>) -> Vec<RulesEntry> {
    kinds::describe_kept(words, &[])
}
