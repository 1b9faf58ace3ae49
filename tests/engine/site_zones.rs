//! Zones whose elements are the sites of a board: tiles and cards that name a place. They are dealt, drawn, moved,
//! chosen and hidden as other elements are, and read as sites.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{after, apply, legal, position, set};
use houserule::board::BitSet;
use houserule::game::{Game, Seat, State};
use houserule::model::{Content, Role, SlotId, Value};
use houserule::notation::record::{Record, replay};

/// Tiles that name squares are drawn from a bag and laid on them. Men walk on the same squares.
pub(crate) const TILES: &str = r#"game "Tiles" {
  players 2..3
  board cell = grid(4, 3)
  piece tile
  piece man[player]
  zone bag of cell seen by none
  zone hand[player] of cell seen by owner
  zone shown[player] of cell
  zone used of cell ordered seen by top
  var points[player]: 0..99 = 0
  var claimed: set of cell = {}
  define beside_tiles(c) = count(around(c) & tile)
  setup {
    deal 2 from bag to hand
    pick c in corners & empty
    put man[player 1] at c
  }
  turn {
    choose {
      lay c in hand[me] & empty "lay a tile on its square" {
        points[me] += 1 + beside_tiles(c)
        put tile at c
        move c to used
        draw t from bag to hand[me]
      }
      keep c in hand[me] "keep a tile beside the hand, hidden" { move c to shown[me]; claimed += around(c) & tile }
      pass_on c in hand[me] "give a tile to the next player" { move c to hand[after(me)] }
      stake c in empty where hand[me] is some and row(c) > 1 "put a man there, and draw" {
        put man[me] at c
        draw t from bag to hand[me]
      }
      walk a in man[me], b in beside(a) & empty where owner(b) != me { move a to b }
      otherwise { done }
    }
    for c in hand[me] { if c in man and c in edge and count(hand[me]) > 2 { move c to bag } }
    if column(lowest(cell)) == 1 and @a1 in shown[me] { points[me] += 1; move @a1 to bag }
  }
  end full when turns[me] > 6
  score { points: points[me], near: sum c in shown[me]: beside_tiles(c) }
}"#;

fn tiles() -> Game {
    game(TILES)
}

/// Asserts that every site is in exactly one zone.
fn whole(state: &State) {
    let model = state.game().model();
    let (mut all, mut count) = (BitSet::empty(12), 0);
    for (at, slot) in model.slots.iter().enumerate().filter(|(_, slot)| slot.role == Role::Zone) {
        assert!(matches!(slot.content, Content::Set(_)));
        for place in 0..slot.initial.len() {
            let Value::Set(lying) = state.value(SlotId(at as u32), place) else { panic!("a set") };
            count += lying.len();
            all = all.union(&lying);
        }
    }
    assert_eq!((count, all.len()), (12, 12), "{}", state.position());
}

#[test]
fn both_executors_deal_and_move_sites() {
    let game = tiles();
    for index in 0..60 {
        assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over, "game {index}");
        let mut state = game.start(4, index).expect("it starts");
        whole(&state);
        while let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
            whole(&state);
        }
    }
    same_in_both_modes(&game, 4, 60);
}

#[test]
fn an_element_is_read_as_a_site() {
    let state = position(
        &tiles(),
        "3 . . . .\n2 . # . .\n1 . . . .\nlegend: # = tile\nhand = {a1, c2} {d3}\nbag = {b1, c1, d1, a2, b2, d2, a3, b3, c3}\nmover = player-1",
    );
    assert_eq!(set(&state, "hand", 0), [0, 6]);
    let all = legal(&state);
    for wanted in ["lay a1", "lay c2", "keep c2", "pass_on a1", "stake b3"] {
        assert!(all.iter().any(|name| name == wanted), "{wanted}: {all:?}");
    }
    assert!(!all.iter().any(|name| name == "lay d3" || name == "stake b1"), "{all:?}");
    let mut next = state.clone();
    apply(&mut next, "lay c2");
    // One for the tile, and one for that beside it.
    assert_eq!(crate::states::number(&next, "points", 0), 2);
    assert_eq!((set(&next, "tile", 0), set(&next, "used", 0)), (vec![5, 6], vec![6]));
}

#[test]
fn positions_and_records_name_the_sites() {
    let game = tiles();
    for index in 0..10 {
        let mut state = game.start(9, index).expect("it starts");
        while let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
            let text = state.position();
            assert_eq!(position(&game, &text).position(), text);
        }
        let record = Record::from_state(&state).expect("a record");
        assert_eq!(replay(&game, &record).expect("it plays again"), state);
        let json = serde_json::to_value(&record).expect("JSON");
        let hands = json["variables"]["hand"].to_string();
        let held = set(&state, "hand", 0);
        assert!(held.is_empty() || hands.contains(&game.element_name(cells(&game), held[0])), "{hands}");
    }
}

fn cells(game: &Game) -> houserule::model::DomainId {
    let boards = &game.model().boards;
    boards[0].domain
}

#[test]
fn a_hidden_site_does_not_show() {
    shows_nothing_hidden(&tiles(), 30, |_, _, _| {});
}

/// What the second player hears of the first player's last action.
fn heard(state: &State) -> String {
    let told = state.information_state(Seat(1));
    let line = told.lines().rfind(|line| line.starts_with("player 1: "));
    line.map_or_else(String::new, |line| line["player 1: ".len()..].to_owned())
}

#[test]
fn others_learn_a_place_on_the_board_but_not_a_tile() {
    let game = game(
        r#"game "Told" {
          players 2
          board cell = grid(3, 2)
          piece tile
          piece man[player]
          zone bag of cell seen by none
          zone hand[player] of cell seen by owner
          zone kept[player] of cell seen by owner
          setup { move {@a1, @b1} to hand[player 1]; move {@a2} to hand[player 2] }
          turn {
            choose {
              hide c in hand[me] { move c to kept[me] }
              lay c in hand[me] { put tile at c; move c to kept[me] }
              stake c in empty where hand[me] is some { put man[me] at c }
              stake_own c in empty where c in hand[me] { done }
              take c in empty { for d in {c} & hand[me] { move d to kept[me] } }
              point c in empty { done }
            }
          }
          end when turns[me] > 3
        }"#,
    );
    let told = |action: &str| heard(&after(&game, &[action]));
    assert_eq!(told("hide a1"), "hide ?");
    // The piece on it shows the site, and so does the board.
    assert_eq!(told("lay a1"), "lay a1");
    assert_eq!(told("stake c2"), "stake c2");
    assert_eq!(told("stake a1"), "stake a1");
    assert_eq!(told("stake_own a1"), "stake_own ?");
    assert_eq!(told("take a1"), "take ?");
    // Nothing but the option itself shows this place.
    assert_eq!(told("point c2"), "point c2");
}

#[test]
fn there_may_be_copies_of_sites() {
    let game = game(
        r#"game "Copies" {
          players 2
          board cell = grid(3, 2)
          piece flag[player]
          zone deck of cell = 2 seen by none
          zone hand[player] of cell seen by owner
          zone heap of cell
          setup { deal 3 from deck to hand }
          turn {
            choose {
              claim c in hand[me] & empty { put flag[me] at c; move c from hand[me] to heap }
              drop k part of hand[me] where count(k) == 2 { move k from hand[me] to heap }
              otherwise { done }
            }
            draw t from deck to hand[me]
          }
          end when turns[me] > 5
          score { flags: count(flag[me]), heap: heap[@a1] }
        }"#,
    );
    for index in 0..extent::tries(15, 40) {
        assert_eq!(agree(&game, 4, index, u32::MAX), Came::Over, "game {index}");
    }
    shows_nothing_hidden(&game, 80, |_, _, _| {});
}
