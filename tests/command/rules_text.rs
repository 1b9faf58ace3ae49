//! The rules in plain words, of every bundled game.

#![allow(clippy::unwrap_used)]

use houserule::bundled;
use houserule::draw::rules::{rules, sections};
use houserule::lang::check::Setting;
use houserule::loader::{Request, load, load_text};

fn text(name: &str, settings: &[Setting]) -> String {
    rules(&load(&Request { name, settings, players: None }).unwrap().game)
}

/// A text with its lines joined, so that it can be searched.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_bundled_game_is_told_on_a_page() {
    for name in bundled::names() {
        let loaded = load(&Request { name, ..Request::default() }).unwrap();
        let (game, text) = (&loaded.game, rules(&loaded.game));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{name}\n{text}");
        let told = joined(&text);
        let model = game.model();
        let helps = [&model.help, &model.title]
            .into_iter()
            .chain(model.params.iter().flat_map(|param| [&param.name, &param.help]))
            .chain(model.steps.iter().map(|step| &step.help))
            .chain(model.score.iter().map(|item| &item.help))
            .chain(model.slots.iter().map(|slot| &slot.help));
        for help in helps {
            assert!(told.contains(&joined(help)), "{name}: `{help}` is missing\n{text}");
        }
        assert!(!sections(game).iter().any(|section| section.entries.is_empty()));
        assert!(told.contains("The game ends"), "{name}\n{text}");
    }
}

#[test]
fn what_is_set_is_said() {
    let told = joined(&text("connect-four", &[Setting::new("line", "5"), Setting::new("width", "9")]));
    assert!(told.contains("when the mover's discs make a line of at least 5; the mover wins."), "{told}");
    assert!(told.contains("a board of 9 columns and 6 rows"), "{told}");
}

#[test]
fn a_stack_says_what_it_changes() {
    let told = joined(&text("dilido + torus + ordered", &[]));
    assert!(told.contains("What is changed from Di-Li-Do"), "{told}");
    assert!(told.contains("reading is ordered"), "{told}");
    assert!(told.contains("whose opposite edges join"), "{told}");
    assert!(!joined(&text("dilido", &[])).contains("changed"));
}

/// The whole page of a game, as a stranger reads it.
#[test]
fn what_a_script_does_is_told() {
    let text = text("dilido + shapes + staircase", &[]);
    let told = joined(&text);
    assert_eq!(told.matches("- a script takes part").count(), 2, "{text}");
    for line in [
        "What scripts do - dilido-shapes.rhai: says what shapes counts in the score",
        "- dilido-staircase.rhai: says what stairs counts in the score",
    ] {
        assert!(told.contains(line), "{line}\n{text}");
    }
    assert!(!self::text("dilido", &[]).contains("script"));
    let all =
        "game \"All\" { players 1 var n: 0..9 = 0 turn { step go { choose { go { n += 1 } stay { } } } }
        end when n > 3 score { n: n } script \"\"\"
          fn on_setup(g) { g.n = g.roll(2); } fn before_go(g) { } fn after_go(g) { }
          fn allow_stay(g) { true } fn on_go(g) { } fn score_n(g, player, points) { points } fn on_end(g) { }
        \"\"\" }";
    let game = load_text("all", all, &Request::default()).unwrap().game;
    let told = joined(&rules(&game));
    let words = [
        "acts after the setup, and leaves something to chance",
        "acts before the step go",
        "acts after the step go",
        "says when stay is allowed",
        "acts after the option go",
        "says what n counts in the score",
        "acts when the game is over",
    ];
    assert!(told.contains("a script in the rules: "), "{told}");
    assert!(words.iter().all(|words| told.contains(words)), "{told}");
}

#[test]
fn the_page_of_a_game() {
    let page = "\
Tic-tac-toe
===========

Noughts and crosses: the first to make a line of three wins.

Players
  - Two: X and O. X begins.

Equipment
  - cell: a board of 3 columns and 3 rows
  - mark: the crosses of X and the noughts of O

The game ends
  - line: after a turn, when the mover's marks make a line of at least 3; the
    mover wins.
  - full: after a turn, when there is no empty cell left; it is a draw.

A turn
  1. place: Put your mark on a free square.
     - place: put your mark on a free square

What can be set
  - size = 3: squares to a side (1 to 16)
  - line = 3: marks in a line that win (1 to 16)
";
    assert_eq!(text("tic-tac-toe", &[]), page);
}
