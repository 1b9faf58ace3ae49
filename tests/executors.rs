//! The fast executor against the slow one: every state, legal action, score and outcome of random games.

#[path = "support/agree.rs"]
mod side_by_side;

use houserule::diagnostic::{SourceMap, Style, render_all};
use houserule::engine::{Game, Identity};
use houserule::lang::check::{self, Options, Setting};
use houserule::lang::syntax::Item;
use houserule::lang::{merge, parse};
use side_by_side::{Came, agree};

/// Bundled games with variants and params that change their course.
const RULES: &[(&[&str], &[(&str, &str)])] = &[
    (&["dilido"], &[]),
    (&["dilido"], &[("jokers", "0"), ("reading", "ordered")]),
    (&["dilido"], &[("jokers", "5"), ("adjacency", "4"), ("size", "3")]),
    (&["dilido"], &[("size", "12"), ("jokers", "36"), ("penalty_limit", "20")]),
    (&["dilido", "variants/dilido-8x8"], &[]),
    (&["dilido", "variants/dilido-torus", "variants/dilido-second-joker"], &[]),
    (&["dilido", "variants/dilido-ordered"], &[]),
    (&["dicrono"], &[]),
    (&["dicrono"], &[("first", "random")]),
    (&["dicrono", "variants/dicrono-ordered"], &[]),
    (&["dicrono", "variants/dicrono-steals"], &[]),
    (&["classics/tic-tac-toe"], &[]),
    (&["classics/tic-tac-die"], &[]),
    (&["classics/connect-four"], &[]),
    (&["classics/connect-four"], &[("width", "16"), ("height", "16"), ("line", "5")]),
    (&["classics/pig"], &[]),
];

fn game(files: &[&str], params: &[(&str, &str)]) -> Game {
    let mut sources = SourceMap::default();
    let (mut games, mut variants, mut messages) = (vec![], vec![], vec![]);
    for file in files {
        let path = format!("{}/rules/{file}.rules", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(&path);
        let source = sources.add(*file, text.clone());
        let (parsed, said) = parse(source, &text);
        messages.extend(said);
        for item in parsed.items {
            match item {
                Item::Game(game) => games.push(game),
                Item::Variant(variant) => variants.push(variant),
            }
        }
    }
    let (merged, said) = merge::merge(&games[0], &variants.iter().collect::<Vec<_>>());
    messages.extend(said);
    let fixed: Vec<String> = merged.fixed.iter().map(|n| n.text.clone()).collect();
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    let checked = check::check(&merged.game, &fixed, &[], &Options { params: &settings, players: None });
    messages.extend(checked.diagnostics);
    let shown = render_all(&messages, &sources, Style::default());
    assert!(checked.settings.is_empty(), "{:?}", checked.settings);
    let model = checked.model.unwrap_or_else(|| panic!("{files:?}\n{shown}"));
    Game::new(model, Identity::default()).unwrap_or_else(|error| panic!("{files:?}: {error}"))
}

#[test]
fn both_executors_agree_on_the_bundled_games() {
    for (files, params) in RULES {
        let game = game(files, params);
        for index in 0..40 {
            assert_eq!(agree(&game, 11, index, u32::MAX), Came::Over, "{files:?} {params:?}");
        }
    }
}
