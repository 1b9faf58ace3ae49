//! Runs rule texts and bundled files through the parser, merger and checker.
#![allow(dead_code, unreachable_pub)]

use houserule::check;
use houserule::check::{CheckOptions, Checked, Names};
use houserule::diagnostic::{RenderOptions, SourceMap, render_all};
use houserule::syntax::{Item, parse};
use houserule::variants::merge;

/// Checks a text with a game and its variants. Errors of the parser and the merger come first.
pub fn check_text(text: &str, options: &CheckOptions<'_>) -> (Checked, String) {
    let mut sources = SourceMap::default();
    let source = sources.add("test.rules", text);
    let (file, mut messages) = parse(source, text);
    let game = file.items.iter().find_map(|i| if let Item::Game(g) = i { Some(g) } else { None });
    let variants: Vec<_> =
        file.items.iter().filter_map(|i| if let Item::Variant(v) = i { Some(v) } else { None }).collect();
    let Some(game) = game else {
        let shown = render_all(&messages, &sources, RenderOptions::default());
        return (
            Checked { model: None, diagnostics: messages, settings: vec![], names: Names::default() },
            shown,
        );
    };
    let (merged, more) = merge(game, &variants);
    messages.extend(more);
    let fixed: Vec<String> = merged.fixed.iter().map(|n| n.text.clone()).collect();
    let mut checked =
        check::check(&merged.game, &fixed, &[], &CheckOptions { edits: &merged.edits, ..*options });
    messages.append(&mut checked.diagnostics);
    checked.diagnostics = messages;
    let shown = render_all(&checked.diagnostics, &sources, RenderOptions::default());
    (checked, shown)
}

pub fn bundled(name: &str) -> String {
    let path = format!("{}/rules/{name}.rules", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

/// Returns a rule text with these declarations and this turn, a 3×3 board and two players.
pub fn in_game(decls: &str, turn: &str) -> String {
    format!(
        "game \"Test\" {{\nplayers X, O\nboard cell = grid(3, 3)\npiece mark[player]\nvar n: 0..9 = 0\nvar spot: cell? = none\n{decls}\nturn {{\n{turn}\n}}\nend when n == 9\nscore {{ n: n when spot in mark[me] }}\n}}\n"
    )
}

/// Splits a text into words, numbers and signs, each with the white space after it.
pub fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    for c in text.chars() {
        let joins = all.last().and_then(|w| w.chars().last()).is_some_and(|last| {
            c.is_whitespace() || (c.is_alphanumeric() || c == '_') && (last.is_alphanumeric() || last == '_')
        });
        match all.last_mut() {
            Some(last) if joins => last.push(c),
            _ => all.push(c.to_string()),
        }
    }
    all
}
