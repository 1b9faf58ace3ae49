//! Games as rows of text: they fit a narrow page, have no names of the rules' text, and tell nothing that is hidden.
#![allow(clippy::unwrap_used)]

use crate::extent;
use crate::rule_files::rule_files;
use houserule::draw::text::{TextOptions, screen, state as drawn, table};
use houserule::game::{Game, Seat, State};
use houserule::hidden::WorldOptions;
use houserule::loader::{Request, load, load_text};
use houserule::paint::{COLUMNS, Paint};
use houserule::rng::Stream;
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// The width of a narrow page.
const NARROW: usize = 80;

/// The points of a game at which it is drawn.
const POINTS: u32 = 12;

fn bundled(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

/// Returns bundled games and those of others, of which a part is tried.
fn all_games(test: &str, parts: usize) -> Vec<(String, Game)> {
    let shelf = extent::bundled(test, parts).map(|name| (name.to_owned(), bundled(name)));
    let outside = rule_files("tests/outside");
    let outside = extent::some_of(test, parts, outside).map(|(path, text)| {
        let name = path.display().to_string();
        let game = load_text(&name, &text, &Request::default()).unwrap().game;
        (name, game)
    });
    shelf.chain(outside).collect()
}

/// Plays a game at random, and looks at it at some points.
fn look(game: &Game, seed: u64, mut look_at: impl FnMut(&State)) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = game.start(seed, 0).unwrap();
    for point in 0..POINTS {
        look_at(&state);
        for _ in 0..=point {
            if state.is_over() {
                look_at(&state);
                return;
            }
            let legal = state.legal_actions();
            state.apply(*legal.choose(&mut random).unwrap()).unwrap();
        }
    }
}

/// Plays a game by the names of its actions.
fn played(game: &Game, seed: u64, actions: &[&str]) -> State {
    let mut state = game.start(seed, 0).unwrap();
    for action in actions {
        state.apply(game.parse_action(action).unwrap_or_else(|| panic!("no action {action}"))).unwrap();
    }
    state
}

/// Returns a name of the rules' text in a line: with an index in brackets, an underscore, or a player as actions name them.
fn raw_name(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| {
        let is_indexed = word.match_indices('[').any(|(at, _)| {
            word[..at].chars().next_back().is_some_and(char::is_alphabetic) && word[at..].contains(']')
        });
        let is_joined = word.match_indices('_').any(|(at, _)| {
            let before = word[..at].chars().next_back();
            before.is_some_and(char::is_alphanumeric)
        });
        is_indexed || is_joined || word.contains("player-")
    })
}

#[test]
fn rows_fit_a_narrow_page_and_have_no_raw_names() {
    for (name, game) in all_games("narrow rows", 6) {
        let paint = Paint::plain().with_columns(NARROW);
        look(&game, 5, |state| {
            for viewer in [None, state.current_player(), Some(Seat(0))] {
                let view = TextOptions { paint, ..TextOptions::plain(viewer) };
                let text = screen(state, &view);
                let boards = houserule::draw::text::boards(state, NARROW);
                for line in text.lines() {
                    let is_of_board = boards.lines().any(|row| line.contains(row) && !row.trim().is_empty());
                    assert!(is_of_board || line.chars().count() <= NARROW, "{name}: {line}\n{text}");
                    assert!(!line.ends_with(' '), "{name}: `{line}`");
                    assert!(is_of_board || raw_name(line).is_none(), "{name}: {:?}\n{text}", raw_name(line));
                }
            }
        });
    }
}

#[test]
fn rows_are_the_same_in_all_worlds_of_a_seat() {
    let options = WorldOptions { bound: 200, budget: 200, ..WorldOptions::default() };
    let mut compared = 0;
    for (name, game) in all_games("worlds in rows", 6) {
        if !game.hides() {
            continue;
        }
        let mut stream = Stream::new(3, 1, 1);
        look(&game, 11, |state| {
            // At the end everybody learns the scores, of which worlds know nothing.
            if state.is_over() {
                return;
            }
            for seat in (0..game.players()).map(Seat) {
                let Ok(mut worlds) = state.worlds(seat, &options) else { continue };
                // A chain of tiles is known from the history.
                if !worlds.keep_history() {
                    continue;
                }
                for _ in 0..2 {
                    let Ok(world) = worlds.next(&mut stream) else { break };
                    assert_eq!(drawn(world, Some(seat)), drawn(state, Some(seat)), "{name}");
                    compared += 1;
                }
            }
        });
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_trick_and_hands_are_rows() {
    let game = bundled("hearts");
    let mut state = game.start(3, 0).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    while state.decisions() < 18 {
        let legal = state.legal_actions();
        state.apply(*legal.choose(&mut random).unwrap()).unwrap();
    }
    let seat = state.current_player().unwrap();
    let text = drawn(&state, Some(seat));
    let head = text.lines().next().unwrap();
    assert!(head.starts_with("Hearts") && head.ends_with("You to play a card"), "{text}");
    let row =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("> ").ends_with(" you"), "{text}");
    assert_eq!(row("trick").matches('·').count(), 4 - 2, "{text}");
    // Each suit once, from high to low.
    let hand = row("hand");
    let suits = ['♣', '♦', '♠', '♥'].map(|suit| hand.matches(suit).count());
    assert!(suits.iter().all(|count| *count <= 1), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" in hand")).count(), 3, "{text}");
}

#[test]
fn columns_have_backs_below() {
    let text = drawn(&bundled("klondike").start(3, 0).unwrap(), None);
    let columns: Vec<&str> = text.lines().filter(|line| line.contains('▒')).collect();
    assert!(columns.iter().any(|line| line.starts_with("7  ▒▒▒▒▒▒ ")), "{text}");
    assert!(text.contains("stock (24)   waste ·   built"), "{text}");
    assert!(text.ends_with("▒ face down\n"), "{text}");
}

#[test]
fn what_the_last_move_laid_is_marked() {
    let rules = "game \"Lay\" { players A, B domain card = 1..7 zone hand[player] of card seen by owner
      zone table_row of card setup { move {1, 2, 3, 7} to hand[A] move {4, 5, 6} to hand[B] }
      turn { choose { lay c in hand[me] where c < 7 \"lay a low card\" { move c to table_row } } }
      end over when hand[B] is nothing: draw }";
    let game = load_text("lay", rules, &Request::default()).unwrap().game;
    let before = played(&game, 1, &[]);
    let state = played(&game, 1, &["lay 2"]);
    let view = |viewer: u32| TextOptions { before: Some(&before), ..TextOptions::plain(Some(Seat(viewer))) };
    let rows: Vec<String> = table(&state, &view(1)).lines().map(str::to_owned).collect();
    let head = format!("Lay{:>77}", "You to lay a low card");
    assert_eq!(
        rows,
        [&head, "  A  3 in hand", "> B  you", "table row  2*", "hand       6 5 4", "* last move"]
    );
    // What may be chosen is marked where something else can't be.
    let later = played(&game, 1, &["lay 2", "lay 4"]);
    let text = drawn(&later, Some(Seat(0)));
    assert!(text.contains("hand       7 3+ 1+\n+ may be chosen"), "{text}");
    // In colours, cards are marked as sites are.
    let painted = table(&state, &TextOptions { paint: Paint::new(true), ..view(1) });
    assert!(!painted.contains('*') && painted.contains("\u{1b}[7m2"), "{painted:?}");
}

#[test]
fn long_rows_go_on_under_their_start() {
    let rules = "game \"Many\" { players 1 enum kind { red, blue } domain card { kind: kind, rank: 1..20 }
      zone hand[player] of card seen by owner zone box of card
      turn { choose { drop c in hand[me] { move c to box } } } end over when hand[me] is nothing: draw }";
    let game = load_text("many", rules, &Request::default()).unwrap().game;
    let text = drawn(&game.start(1, 0).unwrap(), Some(Seat(0)));
    let hand: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("hand")).collect();
    assert!(hand[0].starts_with("hand  red 20 19 18") && hand[1].starts_with("      "), "{text}");
    assert!(text.contains("  blue 20 19") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    const { assert!(NARROW < COLUMNS) };
}
