//! What pictures for a seat tell: nothing of what the seat can't see. And values that must be seen whole.

use std::collections::BTreeSet;

use super::{Theme, assert_sound, begun, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Game, Seat, Start, State};
use houserule::loader::{Request, load};

/// Draws a state for a seat, with what is legal if that is wanted.
fn seen(state: &State, viewer: Option<Seat>, legal: bool) -> String {
    let style = PictureStyle { theme: Theme::Light, viewer, legal, open: true, ..PictureStyle::default() };
    let picture = svg(state, &style);
    assert_sound("seen", &picture);
    picture
}

/// Starts a game in which chance comes to elements by their names.
fn dealt(game: &Game, picks: &[&str]) -> State {
    let mut state = game.start_at(&Start { explicit_chance: true, ..Start::default() }).unwrap();
    for pick in picks {
        let outcome = (0..state.chance_outcomes()).find(|outcome| {
            state
                .chance_event(*outcome)
                .is_some_and(|event| houserule::game::values::event_text(game, &event) == *pick)
        });
        state.apply_outcome(outcome.unwrap_or_else(|| panic!("no {pick}"))).unwrap();
    }
    state
}

/// Each lays a card of the hand on the square of its number.
fn squares(hand: &str) -> Game {
    written(&format!(
        "game \"Squares\" {{
          players 2
          domain card = 1..9
          board cell = grid(3, 3)
          piece mark[player]
          zone stock of card seen by none
          zone hand[player] of card{hand}
          setup {{ deal 2 from stock to hand }}
          turn {{ choose {{ lay c in hand[me], s in cell((c - 1) % 3 + 1, (c - 1) / 3 + 1) & empty {{ put mark[me] at s }} }} }}
          end over when turns[me] == 2
        }}"
    ))
}

#[test]
fn what_hidden_cards_allow_is_shown_to_their_owner_alone() {
    let picks = ["pick 3", "pick 1", "pick 7", "pick 2"];
    let marks = |game: &Game, viewer: Option<Seat>| {
        let state = dealt(game, &picks);
        in_part(&seen(&state, viewer, true), "legal").len()
    };
    let game = squares(" seen by owner");
    let [all, mine, theirs] = [None, Some(Seat(0)), Some(Seat(1))].map(|viewer| marks(&game, viewer));
    assert!(all > 0 && mine == all && theirs == 0, "{all}, {mine}, {theirs}");
    let state = dealt(&game, &picks);
    assert_eq!(seen(&state, Some(Seat(1)), true), seen(&state, Some(Seat(1)), false));
    // Where the hands lie open everybody sees what they allow.
    assert_eq!(marks(&squares(""), Some(Seat(1))), all);
    // What was drawn out of sight allows nothing that others see.
    let local = written(
        "game \"Local\" { players 2 domain card = 1..3 board cell = grid(3, 1) piece mark[player]
          zone stock of card seen by none zone hand[player] of card seen by owner
          turn { draw k from stock to hand[me] if k is some { choose { lay s in cell(k, 1) & empty { put mark[me] at s } } } }
          end over when turns[me] == 1 }",
    );
    let state = dealt(&local, &["pick 2"]);
    let [mine, theirs] = [0, 1].map(|seat| in_part(&seen(&state, Some(Seat(seat)), true), "legal").len());
    assert!(mine > 0 && theirs == 0, "{mine}, {theirs}");
}

#[test]
fn the_last_move_tells_no_hidden_draw_although_it_lies_open_later() {
    let game = written(
        "game \"Draw\" {
          players 2
          domain card = 1..9
          board cell = grid(9, 2)
          piece mark
          zone stock of card seen by none
          zone hand[player] of card seen by owner
          zone laid of card
          turn {
            for n in 1..2 { deal 1 from stock to hand }
            choose { play c in hand[me] { move c to laid } }
          }
          end when count(laid) > 3
        }",
    );
    let caption = |picks: &[&str], viewer: u32| -> Vec<String> {
        let mut state = dealt(&game, picks);
        state.apply(game.parse_action("play 7").unwrap()).unwrap();
        let picture = seen(&state, Some(Seat(viewer)), false);
        texts(&picture).into_iter().filter(|text| text.starts_with("Last move")).collect()
    };
    let (first, second) =
        (["pick 3", "pick 1", "pick 7", "pick 2"], ["pick 7", "pick 1", "pick 3", "pick 2"]);
    let told = caption(&first, 1);
    assert_eq!(told, caption(&second, 1));
    assert!(told.len() == 1 && told[0].contains("played 7") && !told[0].contains("pick 7"), "{told:?}");
    // Nor does it tell who has drawn them: what counts is the hand, and not how it came.
    assert_eq!(caption(&first, 0), caption(&second, 0));
}

/// Whether anything was left to draw depends on what another has drawn.
#[test]
fn the_last_move_is_the_same_whether_or_not_something_was_drawn_in_secret() {
    let game = written(
        "game \"Bag\" {
          players 3
          enum colour { red, blue, green }
          board cell = grid(2, 2)
          piece mark
          zone bag of colour = [red: 1, blue: 1, green: 1] seen by none
          zone hand[player] of colour seen by none
          var kept: set of colour
          turn {
            draw taken from bag - kept to hand[me]
            choose { lay s in empty { put mark at s kept = {red} } }
          }
          end when turns[me] == 2
        }",
    );
    let (mut pictures, mut lengths) = (BTreeSet::new(), BTreeSet::new());
    for index in 0..20 {
        let mut state = game.start(1, index).unwrap();
        state.apply(game.parse_action("lay a1").unwrap()).unwrap();
        lengths.insert(state.history().len());
        pictures.insert(seen(&state, Some(Seat(2)), false));
    }
    assert_eq!(lengths.len(), 2, "something was drawn or not");
    assert_eq!(pictures.len(), 1);
    assert!(pictures.iter().any(|picture| picture.contains("laid a mark on a1")));
}

#[test]
fn what_was_committed_at_once_is_in_the_last_move() {
    let mut state = begun(&written(
        "game \"Bids\" {
          players X, O
          var bid[player]: 0..5 = 0 each round
          round { together as me { choose { bid n in 1..5 { bid[me] = n } } } step talk { each player from starter as me { choose { yes { } no { } } } } }
          end over of round when round == 2
        }",
    ));
    super::play(&mut state, &["bid 2", "bid 3"]);
    let told = texts(&seen(&state, Some(Seat(1)), false));
    assert!(told.iter().any(|text| text.contains("X bid 2; O bid 3")), "{told:?}");
}

#[test]
fn all_elements_of_a_set_are_told() {
    let mut state = begun(&written(
        "game \"Followers\" {
          players 2
          board cell = grid(12, 12)
          piece mark[player]
          var followers[player]: set of cell = {}
          turn { choose { place c in empty { put mark[me] at c followers[me] += c } } }
          end over when turns[me] == 15
        }",
    ));
    super::go_on(&mut state, 28);
    let drawn = text::state(&state, None);
    let listed = drawn.split("followers").nth(1).unwrap();
    for seat in 0..2 {
        let name = format!("player {}", seat + 1);
        let of = listed.split(&name).nth(1).unwrap().split('}').next().unwrap();
        assert!(!of.contains('…') && of.matches(", ").count() + of.matches(",\n").count() == 13, "{drawn}");
    }
    let written = texts(&seen(&state, None, false));
    assert!(!written.iter().any(|text| text.contains('…')), "{written:?}");
}

/// Tiles in a line, each joined to one of its ends, which variables know.
const LINE: &str = "game \"Line\" {
  players 2
  domain tile { low: 0..3, high: low..3 }
  enum side { left, right }
  zone boneyard of tile seen by none
  zone hand[player] of tile seen by owner
  zone line of tile shown as chain
  var number[side]: 0..3
  setup {
    deal 4 from boneyard to hand
    let first = lowest(boneyard)
    if first is some { number[left] = first.low number[right] = first.high move first to line }
  }
  turn {
    choose {
      play t in hand[me], s in side where number[s] in {t.low, t.high} {
        move t to line
        number[s] = t.low + t.high - number[s]
      }
      otherwise { }
    }
  }
  end out when hand[me] is nothing: win me
  end stuck when turns[me] > 8: draw
}";

#[test]
fn a_line_of_tiles_is_a_chain_whatever_names_its_ends() {
    for seed in 1..6 {
        let mut state = written(LINE).start(seed, 0).unwrap();
        while !state.is_over() {
            let action = state.random_action().unwrap();
            state.apply(action).unwrap();
            let drawn = text::state(&state, None);
            let laid = state
                .history()
                .iter()
                .filter(|event| matches!(event, houserule::game::Event::Action { .. }))
                .count();
            let joints = drawn.matches(['─', '┬', '├', '└']).count();
            assert!(laid < 1 || joints >= laid, "seed {seed}, {laid} joined:\n{drawn}");
        }
    }
}

#[test]
fn cards_of_players_have_their_own_colours() {
    let game = written(
        "game \"Flags\" {
          players 2
          enum colour { red, yellow, blue, green }
          domain card { colour: colour, rank: 1..5 }
          board flag = track(6)
          zone deck of card seen by none
          zone hand[player] of card seen by owner
          zone side[player, flag] of card
          setup { deal 5 from deck to hand }
          turn { choose { lay c in hand[me], f in flag where count(side[me, f]) < 3 { move c to side[me, f] } otherwise { } } }
          end over when turns[me] == 5
          score { flags: sum f in flag: sum c in side[me, f]: c.rank + (if c.colour == red then 1 else 0) }
        }",
    );
    let mut state = game.start(1, 0).unwrap();
    while !state.is_over() {
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
    }
    let picture = seen(&state, None, false);
    // They are cards, so no letters stand for colours.
    let said = texts(&picture);
    assert!(!said.iter().any(|text| ["red", "yellow", "blue", "green"].contains(&text.as_str())), "{said:?}");
    let colours = ["#c2473a", "#f2cf3c", "#2d6da8", "#338b53"];
    let drawn = colours.iter().filter(|colour| picture.contains(&format!("fill=\"{colour}\""))).count();
    assert!(drawn >= 3, "{picture}");
}

#[test]
fn the_colour_of_the_last_move_is_explained_where_something_has_it() {
    let colour = "fill=\"#f7dfa6\"";
    let drawn = |name: &str| {
        let mut state = load(&Request { name, ..Request::default() }).unwrap().game.start(1, 0).unwrap();
        for _ in 0..6 {
            let action = state.random_action().unwrap();
            state.apply(action).unwrap();
        }
        svg(&state, &PictureStyle { theme: Theme::Light, ..PictureStyle::default() })
    };
    let (cards, board) = (drawn("pig"), drawn("tic-tac-toe"));
    assert!(cards.contains("Last move") && !cards.contains(colour));
    assert!(board.contains("Last move") && board.matches(colour).count() > 1);
}

/// Returns the middles of the circles in a part of a picture.
fn middles(picture: &str, part: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let parts = document.descendants().filter(|node| node.attribute("data-part") == Some(part));
    let circles = parts.flat_map(|part| part.descendants()).filter(|node| node.has_tag_name("circle"));
    let number = |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap_or("0").to_owned();
    circles.map(|node| (number(node, "cx"), number(node, "cy"))).collect()
}

/// What is called lies on the board of the other, although nothing in the name of the action says so.
#[test]
fn what_may_be_chosen_is_marked_on_the_board_that_the_rules_read() {
    let marked = |over: &str| {
        let game = written(&format!(
            "game \"Call\" {{
              players red, blue
              board sea[player] = grid(3, 3)
              piece ship
              piece miss
              setup {{ for p in players {{ put ship[p] at @a1 }} put miss[blue] at @b2 put miss[red] at @c3 }}
              turn {{ choose {{ call c in {over} {{ put miss[other] at c }} otherwise {{ end game }} }} }}
            }}"
        ));
        let picture = seen(&begun(&game), None, true);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let own = |part: &roxmltree::Node<'_, '_>| part.attribute("data-part") == Some("legal");
        let marks = |part: roxmltree::Node<'_, '_>| {
            part.descendants().filter(|node| node.has_tag_name("circle")).count()
        };
        document.descendants().filter(own).map(marks).collect::<Vec<usize>>()
    };
    // On the board of the other what is free is marked, and nothing on the own one.
    assert_eq!(marked("empty[other]"), [7]);
    // On the own board, a ring on a rim around the ship.
    assert_eq!(marked("ship[me]"), [2]);
}

#[test]
fn counters_on_one_site_lie_side_by_side() {
    let game = written(
        "game \"Inns\" {
          players 3
          board town = graph(\"oslo-bergen-turku-oslo\")
          piece inn[player]
          var at_town[player]: set of town = {@oslo} shown as disc
          turn { choose { build c in at_town[me] & empty { put inn[me] at c } otherwise { end game } } }
        }",
    );
    let apart = |state: &State| {
        let found = middles(&seen(state, None, false), "counters");
        found.iter().collect::<BTreeSet<_>>().len()
    };
    let mut state = begun(&game);
    assert!(apart(&state) >= 3);
    play(&mut state, &["build oslo"]);
    assert!(apart(&state) >= 3);
}

#[test]
fn numbers_are_printed_on_boards_of_every_shape() {
    for board in ["grid(2, 2)", "hexagon(2)", "graph(\"a-b-c-d-a a-c\")", "track(5)", "graph(\"a-b-c\")"] {
        let game = written(&format!(
            "game \"Numbers\" {{
              players 2
              board cell = {board}
              piece m[player]
              table worth[cell]: 0..99 = [cells: 47] shown as number
              turn {{ choose {{ place c in empty {{ put m[me] at c }} otherwise {{ end game }} }} }}
            }}"
        ));
        let count = texts(&seen(&begun(&game), None, false)).iter().filter(|text| *text == "47").count();
        assert_eq!(count as u32, game.model().boards[0].topology.size(), "{board}");
    }
}

#[test]
fn copies_of_a_known_card_are_counted() {
    let game = written(
        "game \"Stall\" {
          players 2
          enum fruit { apple, pear }
          zone stall of fruit = [apple: 4, pear: 4]
          zone hand[player] of fruit seen by owner
          turn { choose { take f in stall { move f from stall to hand[me] } otherwise { end game } } }
        }",
    );
    let mut state = begun(&game);
    play(&mut state, &["take apple", "take apple", "take apple", "take pear", "take apple", "take pear"]);
    let picture = seen(&state, Some(Seat(1)), false);
    let document = roxmltree::Document::parse(&picture).unwrap();
    // The numbers at the seats begin at their places.
    let is_on_card = |node: &roxmltree::Node<'_, '_>| {
        node.text() == Some("3") && node.attribute("text-anchor") == Some("middle")
    };
    assert!(document.descendants().any(|node| node.has_tag_name("text") && is_on_card(&node)), "{picture}");
}
