//! What pictures for a seat tell: nothing of what the seat can't see. And values that must be seen whole.

use std::collections::BTreeSet;

use super::{Theme, assert_sound, begun, in_part, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Game, Seat, Start, State};
use houserule::loader::{Request, load};

/// Draws a state for a seat, with what is legal if that is wanted.
fn seen(state: &State, viewer: Option<Seat>, legal: bool) -> String {
    let picture = svg(state, &PictureStyle { theme: Theme::Light, viewer, legal, ..PictureStyle::default() });
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
    assert!(told.len() == 1 && told[0].contains("play 7") && !told[0].contains("pick 7"), "{told:?}");
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
    assert!(pictures.iter().any(|picture| picture.contains("lay a1")));
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
    assert!(told.iter().any(|text| text.contains("by X: bid 2; by O: bid 3")), "{told:?}");
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
        let name = format!("player-{}", seat + 1);
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
fn a_card_of_a_player_has_the_colour_of_the_legend() {
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
    let fill_before = |at: usize| {
        picture[..at].rsplit("fill=\"").nth(1).map_or("", |rest| rest.split('"').next().unwrap_or(""))
    };
    let mut checked = 0;
    for (letter, name) in [('r', "red"), ('y', "yellow"), ('b', "blue"), ('g', "green")] {
        let legend =
            picture.find(&format!(">{letter}</text>")).unwrap_or_else(|| panic!("no legend of {name}"));
        for rank in 1..6 {
            if let Some(at) = picture.find(&format!(">{letter}{rank}</text>")) {
                assert_eq!(fill_before(at), fill_before(legend), "{name} {rank}");
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "{checked} cards");
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
    let (cards, board) = (drawn("whist"), drawn("tic-tac-toe"));
    assert!(cards.contains("Last move") && !cards.contains(colour));
    assert!(board.contains("Last move") && board.matches(colour).count() > 1);
}
