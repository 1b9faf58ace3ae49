//! Rule texts through the checker: what it says of wrong ones, and what it makes of right ones.

use houserule::diagnostic::{SourceMap, Style, render_all};
use houserule::lang::check::{self, Checked, Options};
use houserule::lang::syntax::Item;
use houserule::lang::{merge, parse};

/// A text with a game and any variants of it, checked. Errors of the parser and the merger come first.
fn check_text(text: &str, options: &Options<'_>) -> (Checked, String) {
    let mut sources = SourceMap::default();
    let source = sources.add("test.rules", text);
    let (file, mut messages) = parse(source, text);
    let game = file.items.iter().find_map(|i| if let Item::Game(g) = i { Some(g) } else { None });
    let variants: Vec<_> =
        file.items.iter().filter_map(|i| if let Item::Variant(v) = i { Some(v) } else { None }).collect();
    let (merged, more) = merge::merge(game.expect("a game"), &variants);
    messages.extend(more);
    let fixed: Vec<String> = merged.fixed.iter().map(|n| n.text.clone()).collect();
    let mut checked = check::check(&merged.game, &fixed, &[], options);
    messages.append(&mut checked.diagnostics);
    checked.diagnostics = messages;
    let shown = render_all(&checked.diagnostics, &sources, Style::default());
    (checked, shown)
}

fn bundled(name: &str) -> String {
    let path = format!("{}/rules/{name}.rules", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

#[test]
fn bundled_games_become_models() {
    for name in ["dilido", "dicrono", "classics/tic-tac-toe", "classics/tic-tac-die", "classics/connect-four", "classics/pig"] {
        let (checked, shown) = check_text(&bundled(name), &Options::default());
        assert!(checked.model.is_some() && checked.diagnostics.is_empty(), "{name}\n{shown}");
    }
}
