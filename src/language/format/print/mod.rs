//! Prints a syntax tree as rule text, each declaration or change on one line, without comments.
//!
//! The output parses to the same tree. It serves to compare and display trees; the formatter lays out
//! files.

mod expr;
mod stmt;

pub use expr::{expr, map_entry, type_expr};
pub use stmt::{block, option, option_head, otherwise, stmt};

use crate::syntax::{
    Decl, DeclKind, Edit, EditKind, ElementKind, ElementRow, EndPlace, EndResult, EndTiming, ExtendPart,
    Item, MatchEntry, MatchValue, Modifier, ModifierKind, Name, PlayersDecl, QuotedText, ScoreEntry,
    TypedDecl,
};
use expr::{Level, at_least, exprs, index};

/// A string in quotes.
pub fn quoted(text: &str) -> String {
    if text.contains(['"', '\n', '\r']) { format!("\"\"\"{text}\"\"\"") } else { format!("\"{text}\"") }
}

fn with_help(code: String, help: Option<&QuotedText>) -> String {
    match help {
        Some(help) => format!("{code} {}", quoted(&help.text)),
        None => code,
    }
}

fn names(list: &[Name]) -> String {
    list.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn parameters(list: &[Name]) -> String {
    if list.is_empty() { String::new() } else { format!("({})", names(list)) }
}

pub(super) fn modifiers(list: &[Modifier]) -> String {
    // After another part of a look, a part needs no `shown`.
    let goes_on = |at: usize| at > 0 && list[at - 1].kind.is_look() && list[at - 1].kind != list[at].kind;
    let word = |(at, modifier): (usize, &Modifier)| match modifier.kind {
        ModifierKind::ShownAt if goes_on(at) => " at ",
        ModifierKind::ShownAt => " shown at ",
        ModifierKind::ShownOver if goes_on(at) => " over ",
        ModifierKind::ShownOver => " shown over ",
        ModifierKind::EachTurn => " each turn",
        ModifierKind::EachRound => " each round",
        ModifierKind::EachGame => " each game",
        ModifierKind::Match => " match",
        ModifierKind::SeenByAll => " seen by all",
        ModifierKind::SeenByOwner => " seen by owner",
        ModifierKind::SeenByOthers => " seen by others",
        ModifierKind::SeenByNone => " seen by none",
        ModifierKind::SeenByTop => " seen by top",
        ModifierKind::SeenByPlayer => " seen by ",
        ModifierKind::Ordered => " ordered",
        ModifierKind::FromTop => " from top",
        ModifierKind::Shown => " shown as ",
    };
    // The word after `seen by` is a value too, but only a player's name isn't said by the kind.
    let value = |modifier: &Modifier| match modifier.kind {
        ModifierKind::SeenByPlayer
        | ModifierKind::Shown
        | ModifierKind::ShownAt
        | ModifierKind::ShownOver => modifier.value.as_ref().map_or_else(String::new, |value| expr(value)),
        _ => String::new(),
    };
    list.iter().enumerate().map(|part| format!("{}{}", word(part), value(part.1))).collect()
}

fn typed(word: &str, decl: &TypedDecl) -> String {
    let value = decl.value.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
    let name = format!("{}{}", decl.name.text, index(&decl.index));
    format!("{word} {name}: {}{value}{}", type_expr(&decl.ty), modifiers(&decl.modifiers))
}

/// The timing of an end, as written before `when`.
pub fn timing(timing: EndTiming) -> &'static str {
    match timing {
        EndTiming::Turn => "",
        EndTiming::AtOnce => "at once ",
        EndTiming::Round => "of round ",
    }
}

/// The result of an end.
pub fn end_result(result: &EndResult) -> String {
    match result {
        EndResult::Win(player) => format!("win {}", expr(player)),
        EndResult::Lose(player) => format!("lose {}", expr(player)),
        EndResult::Draw => "draw".to_owned(),
    }
}

/// A score item without its help.
pub fn score_entry(entry: &ScoreEntry) -> String {
    let new = if entry.new { "new " } else { "" };
    let when = entry.when.as_ref().map(|when| format!(" when {}", expr(when))).unwrap_or_default();
    format!("{new}{}: {}{when}", entry.name.text, expr(&entry.value))
}

/// An entry of a `match` block.
pub fn match_entry(entry: &MatchEntry) -> String {
    let value = match &entry.value {
        MatchValue::Word(word) => word.text.clone(),
        MatchValue::Ranked { best, count } => {
            format!("{} {}", if *best { "best" } else { "worst" }, at_least(count, Level::Sum))
        }
        MatchValue::Expr(value) => expr(value),
    };
    format!("{}: {value}", entry.key.text)
}

/// A value of an enum or a domain, with its help.
fn value(name: &Name, help: &Option<QuotedText>) -> String {
    match help {
        Some(help) => format!("{} {}", name.text, quoted(&help.text)),
        None => name.text.clone(),
    }
}

/// A declaration without its help.
pub fn decl_code(decl: &Decl) -> String {
    match &decl.kind {
        DeclKind::Param(decl) => typed("param", decl),
        DeclKind::Var(decl) => typed("var", decl),
        DeclKind::Table(decl) => typed("table", decl),
        DeclKind::Enum { name, values, helps, modifiers: more } => {
            let values: Vec<String> =
                values.iter().zip(helps).map(|(name, help)| value(name, help)).collect();
            format!("enum {} {{ {} }}{}", name.text, values.join(", "), modifiers(more))
        }
        DeclKind::Range { name, low, high, modifiers: more } => {
            let (low, high) = (at_least(low, Level::Sum), at_least(high, Level::Sum));
            format!("domain {} = {low}..{high}{}", name.text, modifiers(more))
        }
        DeclKind::Record { name, kinds, modifiers: more } => {
            let field = |(name, ty): &(Name, _)| format!("{}: {}", name.text, type_expr(ty));
            let row = |row: &ElementRow| {
                let help = row.help.as_ref().map(|help| format!(" {}", quoted(&help.text)));
                format!("{}: {}{}", row.name.text, expr(&row.values), help.unwrap_or_default())
            };
            let kind = |kind: &ElementKind| {
                let (parts, rows): (Vec<String>, String) = match kind {
                    ElementKind::File(path) => return format!("from {}", quoted(&path.text)),
                    ElementKind::Records(fields) => (fields.iter().map(field).collect(), String::new()),
                    ElementKind::Values(values) => {
                        (values.iter().map(|(name, help)| value(name, help)).collect(), String::new())
                    }
                    ElementKind::Rows(fields, rows) => {
                        let rows = rows.iter().map(row).collect::<Vec<_>>().join(", ");
                        (fields.iter().map(field).collect(), format!(" = [{rows}]"))
                    }
                };
                format!("{{ {} }}{rows}", parts.join(", "))
            };
            let kinds = kinds.iter().map(kind).collect::<Vec<_>>().join(" | ");
            format!("domain {} {kinds}{}", name.text, modifiers(more))
        }
        DeclKind::Board { name, index: of, topology, modifiers: more } => {
            format!("board {}{} = {}{}", name.text, index(of), expr(topology), modifiers(more))
        }
        DeclKind::Edges { name, of, by, modifiers: more } => {
            let by = by.as_ref().map(|by| format!(" by {}", expr(by))).unwrap_or_default();
            format!("edges {} of {}{by}{}", name.text, of.text, modifiers(more))
        }
        DeclKind::Shown { name, modifiers: more } => {
            let looks = modifiers(more);
            format!("shown {}{}", name.text, looks.strip_prefix(" shown").unwrap_or(&looks))
        }
        DeclKind::Zone { name, index: by, of, value, modifiers: more } => {
            let value = value.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
            format!("zone {}{} of {}{value}{}", name.text, index(by), type_expr(of), modifiers(more))
        }
        DeclKind::Dice { name, index: by, count, die, modifiers: more } => {
            let (count, die) = (at_least(count, Level::Range), at_least(die, Level::Range));
            format!("dice {}{}: {count} of {die}{}", name.text, index(by), modifiers(more))
        }
        DeclKind::Piece { name, index: by, on, modifiers: more } => {
            let on = on.as_ref().map(|on| format!(" on {}", on.text)).unwrap_or_default();
            format!("piece {}{}{on}{}", name.text, index(by), modifiers(more))
        }
        DeclKind::Players(players, more) => {
            let players = match players {
                PlayersDecl::Count(count) => at_least(count, Level::Sum),
                PlayersDecl::Range(low, high) => {
                    format!("{}..{}", at_least(low, Level::Sum), at_least(high, Level::Sum))
                }
                PlayersDecl::Named(list) => names(list),
            };
            format!("players {players}{}", modifiers(more))
        }
        DeclKind::Team { name, players } => format!("team {} = {}", name.text, expr(players)),
        DeclKind::Define { name, params, value, modifiers: more } => {
            format!("define {}{} = {}{}", name.text, parameters(params), expr(value), modifiers(more))
        }
        DeclKind::Procedure { name, params, body } => {
            format!("procedure {}{} {}", name.text, parameters(params), block(body))
        }
        DeclKind::Setup { name, body } => {
            let name = name.as_ref().map(|name| format!("{} ", name.text)).unwrap_or_default();
            format!("setup {name}{}", block(body))
        }
        DeclKind::Turn(body) => format!("turn {}", block(body)),
        DeclKind::Round(body) => format!("round {}", block(body)),
        DeclKind::End { name, place, timing: tested, when, result } => {
            let name = name.as_ref().map(|name| format!("{} ", name.text)).unwrap_or_default();
            let place = place.as_ref().map(|EndPlace { after, anchor }| {
                format!("{} {} ", if *after { "after" } else { "before" }, anchor.text)
            });
            let name = format!("{name}{}", place.unwrap_or_default());
            let result = result.as_ref().map(|result| format!(": {}", end_result(result)));
            format!("end {name}{}when {}{}", timing(*tested), expr(when), result.unwrap_or_default())
        }
        DeclKind::Score(entries) => {
            let entry = |entry: &ScoreEntry| with_help(score_entry(entry), entry.help.as_ref());
            format!("score {{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        DeclKind::Winner(value) => format!("winner {}", expr(value)),
        DeclKind::Ties(values) => format!("ties {}", exprs(values)),
        DeclKind::Payoff { zero_sum, value } => {
            format!("payoff {}{}", if *zero_sum { "zero sum " } else { "" }, expr(value))
        }
        DeclKind::Limit(value) => format!("limit {}", expr(value)),
        DeclKind::Match(entries) => {
            format!("match {{ {} }}", entries.iter().map(match_entry).collect::<Vec<_>>().join(", "))
        }
        DeclKind::Allow { code, .. } => format!("allow {}", code.text),
        DeclKind::Require(value) => format!("require {}", expr(value)),
        DeclKind::Script(text) => format!("script {}", quoted(&text.text)),
        DeclKind::Hole(_) => "?".to_owned(),
    }
}

/// A declaration. A procedure has its help before its block.
pub fn decl(decl: &Decl) -> String {
    if let (DeclKind::Procedure { name, params, body }, Some(help)) = (&decl.kind, &decl.help) {
        return format!(
            "procedure {}{} {} {}",
            name.text,
            parameters(params),
            quoted(&help.text),
            block(body)
        );
    }
    with_help(decl_code(decl), decl.help.as_ref())
}

/// An edit of a variant.
pub fn edit(edit: &Edit) -> String {
    match &edit.kind {
        EditKind::Declare { new, decl: declared } => {
            format!("{}{}", if *new { "new " } else { "" }, decl(declared))
        }
        EditKind::Fix { name, value } => format!("fix {} = {}", name.text, expr(value)),
        EditKind::Default { name, value, help } => {
            with_help(format!("param {} = {}", name.text, expr(value)), help.as_ref())
        }
        EditKind::Step(step) => stmt(step),
        EditKind::StepHelp { name, help } => format!("step {} {}", name.text, quoted(&help.text)),
        EditKind::Without { kind, name } => {
            let name = name.as_ref().map(|name| format!(" {}", name.text)).unwrap_or_default();
            format!("without {}{name}", kind.text)
        }
        EditKind::InsertStep { after, anchor, step } => {
            format!("{} {} {}", if *after { "after" } else { "before" }, anchor.text, stmt(step))
        }
        EditKind::Extend { choose, parts } => {
            let parts: Vec<String> = parts.iter().map(extend_part).collect();
            format!("extend {} {{ {} }}", choose.text, parts.join("; "))
        }
        EditKind::Hole => "?".to_owned(),
    }
}

fn extend_part(part: &ExtendPart) -> String {
    match part {
        ExtendPart::Option(one) => option(one),
        ExtendPart::Otherwise { help, body } => otherwise(help.as_ref(), body),
        ExtendPart::Around { after, option, body } => {
            format!("{} {} {}", if *after { "after" } else { "before" }, option.text, block(body))
        }
        ExtendPart::Without(name) => format!("without {}", name.text),
        ExtendPart::Hole => "?".to_owned(),
    }
}

/// A game or a variant, with one line for each declaration or edit.
pub fn item(item: &Item) -> String {
    let (help, head, lines): (_, _, Vec<String>) = match item {
        Item::Game(game) => {
            let head = format!("game {}", quoted(&game.title.text));
            (&game.help, head, game.decls.iter().map(decl).collect())
        }
        Item::Variant(variant) => {
            let (title, of) = (quoted(&variant.title.text), quoted(&variant.of.text));
            (&variant.help, format!("variant {title} of {of}"), variant.edits.iter().map(edit).collect())
        }
    };
    let help = if help.is_empty() { String::new() } else { format!("/// {help}\n") };
    let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("{help}{head} {{\n{lines}}}\n")
}
