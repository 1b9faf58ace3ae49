//! Text drawings of every bundled game: they fit the page, and colours change only escape sequences.
#![allow(clippy::unwrap_used)]

use crate::extent;
use houserule::draw::text::{TextOptions, boards, screen, state as plain};
use houserule::game::{Game, Seat};
use houserule::loader::{Request, load_text};
use houserule::paint::{COLUMNS, Paint};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// Removes escape sequences.
fn bare(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |bare, part| bare + part.split_once('m').map_or("", |(_, rest)| rest))
}

fn check(name: &str, game: &Game, decisions: usize, random: &mut impl Rng) {
    let mut state = game.start(random.random(), 0).unwrap();
    let mut before = None;
    for number in 0..decisions {
        // In long games, only some states are drawn.
        if number < 10 || random.random_ratio(1, 8) || state.is_over() {
            for viewer in [None, state.current_player(), Some(Seat(0))] {
                let text = plain(&state, viewer);
                for line in text.lines() {
                    assert!(line.chars().count() <= COLUMNS, "{name}: {line}\n{text}");
                    assert!(!line.ends_with(' ') && !line.contains('\u{1b}'), "{name}: `{line}`");
                }
                let view =
                    TextOptions { viewer, open: false, before: before.as_ref(), paint: Paint::new(true) };
                let painted = screen(&state, &view);
                assert_eq!(bare(&painted), text, "{name}");
                assert!(game.model().boards.is_empty() || painted.contains('\u{1b}'), "{name}\n{painted}");
            }
        }
        if state.is_over() {
            return;
        }
        before = Some(state.clone());
        let legal = state.legal_actions();
        state.apply(*legal.choose(random).unwrap()).unwrap();
    }
}

#[test]
fn no_bundled_game_is_drawn_wider_than_a_page() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    for name in extent::bundled("drawings", 8) {
        let load = |players| houserule::loader::load(&Request { name, players, ..Request::default() });
        let game = load(None).unwrap().game;
        let most = game.model().players.most;
        for _ in 0..extent::tries(1, 3) {
            check(name, &game, extent::tries(100, 300), &mut random);
        }
        if most > game.players() {
            check(name, &load(Some(most)).unwrap().game, 60, &mut random);
        }
    }
}

#[test]
fn wide_boards_and_many_players_fit() {
    let text = r#"
      game "Wide" {
        players 2..16
        board cell = grid(38, 38)
        piece mark[player]
        var counter_of_a_long_name[player]: 0..1000000 = 0
        var another_counter[player]: 0..1000000 = 0
        var third[player]: 0..9 = 0
        dice d: 2 of d6
        turn { step place { roll d choose { place c in empty { put mark[me] at c counter_of_a_long_name[me] += 99999 } } } }
        end full when counter_of_a_long_name[me] > 400000: draw
      }"#;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for players in [2, 16] {
        let request = Request { players: Some(players), ..Request::default() };
        let game = houserule::loader::load_text("wide", text, &request).unwrap().game;
        check("wide", &game, 40, &mut random);
    }
}

#[test]
fn what_the_last_move_changed_is_marked() {
    let load = |name| houserule::loader::load(&Request { name, ..Request::default() }).unwrap().game;
    let game = load("connect-four");
    let mut state = game.start(1, 0).unwrap();
    state.apply(game.parse_action("drop 3").unwrap()).unwrap();
    let before = state.clone();
    state.apply(game.parse_action("drop 4").unwrap()).unwrap();
    let view = TextOptions { viewer: None, open: false, before: Some(&before), paint: Paint::new(true) };
    let inverted = "\u{1b}[7m";
    let text = screen(&state, &view);
    assert_eq!(text.matches(inverted).count(), 1, "{text:?}");
    let unmarked = screen(&state, &TextOptions { before: None, ..view });
    assert_eq!(unmarked.matches(inverted).count(), 0, "{unmarked:?}");
}

/// Links have no place in a drawing of characters, so that their pieces are listed.
#[test]
fn pieces_on_links_are_listed() {
    let rules =
        "game \"Roads\" { players red, white board hub = graph(\"a1-b1-c1\", \"a1-a2\") edges road of hub
        piece street[player] on road  piece town on hub
        setup { put street[red] at {@a1_b1, @a1_a2} put town at @c1 }
        turn { choose { build e in empty(road) { put street[me] at e } } }
        end full when empty(road) is nothing }";
    let game = load_text("roads", rules, &Request::default()).unwrap().game;
    let text = plain(&game.start(1, 0).unwrap(), None);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("street red: a1–b1, a1–a2"), "{text}");
    assert!(!text.contains("street white:"), "{text}");
}

/// Of a pile, a player sees where the known elements lie: from the bottom to the top, with question marks for the others.
#[test]
fn a_known_element_is_drawn_where_it_lies_in_its_pile() {
    let rules = "game \"Deck\" { players A, B domain card = 1..7
      zone deck of card ordered seen by none zone hand[player] of card seen by owner
      setup { move {1, 2} to hand[A] move {3, 4} to hand[B] }
      turn { choose {
        under c in hand[me] { move c to bottom of deck }
        over c in hand[me] { move c to deck }
        mix { shuffle deck }
      } }
      end out of round when round == 9 }";
    let game = load_text("deck", rules, &Request::default()).unwrap().game;
    let mut state = game.start(1, 0).unwrap();
    for (action, of_a, of_b) in [
        ("under 1", "deck (4) 1 ?×3", "deck (4)"),
        ("over 3", "deck (5) 1 ?×4", "deck (5) 3"),
        ("over 2", "deck (6) 1 ?×4 2", "deck (6) ?×4 3 ?"),
        // Now chance decides the order.
        ("mix", "deck (6) 1 2 and 4 face down", "deck (6) 3 and 5 face down"),
        ("mix", "deck (6) 1 2 and 4 face down", "deck (6) 3 and 5 face down"),
        ("over 4", "deck (7) {1 2 ?×4} ?", "deck (7) {3 ?×5} 4"),
    ] {
        state.apply(game.parse_action(action).unwrap()).unwrap();
        for (viewer, pile) in [(Seat(0), of_a), (Seat(1), of_b)] {
            let text = plain(&state, Some(viewer));
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(pile), "{action}: {pile}\n{text}");
        }
    }
}

/// On a narrow page, sites stand closer together if all of them fit in one row then.
#[test]
fn a_row_of_twelve_sites_fits_a_narrow_page() {
    let path: Vec<String> = (1..=12).map(|site| site.to_string()).collect();
    let rules = format!(
        "game \"Road\" {{ players X, O board road = graph({:?}) piece mark[player] on road
        turn {{ choose {{ place s in empty {{ put mark[me] at s }} }} }} end full when empty is nothing }}",
        path.join("-")
    );
    let game = load_text("road", &rules, &Request::default()).unwrap().game;
    let mut state = game.start(1, 0).unwrap();
    for action in ["place 4", "place 12"] {
        state.apply(game.parse_action(action).unwrap()).unwrap();
    }
    for (columns, rows) in [(100, 1), (80, 1), (69, 2)] {
        let drawing = boards(&state, columns);
        let widths: Vec<usize> = drawing.lines().map(|line| line.chars().count()).collect();
        assert!(widths.len() == rows && widths.iter().all(|width| *width <= columns), "{columns}\n{drawing}");
        let again = game.position(&drawing).unwrap_or_else(|errors| panic!("{errors:?}\n{drawing}"));
        assert_eq!(boards(&again, columns), drawing);
    }
}
