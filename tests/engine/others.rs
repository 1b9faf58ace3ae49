//! What all see but its owner: `seen by others`.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{apply, legal, number, random, set, slot};
use houserule::draw::text;
use houserule::game::{Game, Seat};
use houserule::model::Visibility;

/// Players see the cards of the others and not their own, which lie in numbered places. They tell each other a number,
/// and play cards in order.
const FIREWORKS: &str = r#"game "Fireworks" {
  players 3
  domain card { rank: 1..3, suit: 1..3 }
  zone stock of card seen by none
  zone held[player, 1..2] of card seen by others
  zone laid of card
  zone lost of card
  var told[player, 1..2]: 0..3 = 0
  var fine: 0..99 = 0

  setup { for p in players { for n in 1..2 { deal 1 from stock to held[p, n] } } }
  turn {
    choose {
      play n in 1..2 where held[me, n] is some {
        if all c in held[me, n]: c.rank == 1 or (any d in laid: d.rank == c.rank - 1 and d.suit == c.suit) {
          move held[me, n] to laid
          fine += 1
        } else { move held[me, n] to lost }
        told[me, n] = 0
        draw c from stock to held[me, n]
      }
      tell p in players - me, n in 1..2 where held[p, n] is some and told[p, n] == 0 {
        told[p, n] = (max c in held[p, n]: c.rank)
        reveal held[p, n] to p
      }
      swap p in players - me, n in 1..2 { let mine = held[me, n]  move held[p, n] to held[me, n]  move mine to held[p, n] }
      pass
    }
  }
  end out of round when round > 6
  score { fine: fine }
}"#;

/// Each sees the others' numbers, dice and bags, and bets on having the most.
const FOREHEAD: &str = r#"game "Forehead" {
  players 2..3
  enum cube { green, grey }
  zone bag of cube = [green: 6, grey: 5] seen by none
  zone sack[player] of cube seen by others
  dice brow[player]: 1 of d6 each round seen by others
  var mark[player]: 1..9 = 1 seen by others
  board sheet[player] = grid(2, 1) seen by others
  piece spot on sheet
  var stake[player]: 0..3 = 0 each round
  var won[player]: 0..99 = 0
  define worth(p) = max(brow[p]) + mark[p] + sack[p, green] + count(spot[p])

  round {
    step start {
      for p in players {
        roll brow[p]
        pick n in 1..9
        mark[p] = n
        if sack[p] is nothing { draw c from bag to sack[p] } else { if count(sack[p]) < 3 { draw c from bag to sack[p] } }
        pick s in sheet
        clear spot[p]
        put spot[p] at s
      }
    }
    each player from starter as me {
      choose { bet n in 0..3 { stake[me] = n } look { reveal sack[me] to me } give { if sack[me, green] > 0 { move green from sack[me] to bag } } }
    }
    step settle { for p in players { if all o in players - p: worth(o) < worth(p) { won[p] += stake[p] } } }
  }
  end out of round when round > 4
  score { won: won[me] }
}"#;

fn seen_by(game: &Game, name: &str) -> Visibility {
    game.model().slots[slot(game, name).index()].visibility
}

#[test]
fn both_executors_play_what_only_others_see() {
    for rules in [FIREWORKS, FOREHEAD] {
        let game = game(rules);
        for index in 0..40 {
            assert_ne!(agree(&game, 2, index, 300), Came::Failed);
        }
        same_in_both_modes(&game, 6, 40);
    }
}

#[test]
fn nobody_learns_what_only_others_see() {
    shows_nothing_hidden(&game(FIREWORKS), 40, |player, state, other| {
        let own = player.0 as usize;
        for place in 0..6 {
            let (now, drawn) = (set(state, "held", place), set(other, "held", place));
            assert_eq!(now.len(), drawn.len());
            if place / 2 != own {
                assert_eq!(now, drawn, "a player sees the cards of the others");
            }
        }
    });
    shows_nothing_hidden(&game(FOREHEAD), extent::tries(24, 40), |player, state, other| {
        for place in (0..2).filter(|place| *place != player.0 as usize) {
            assert_eq!(number(state, "mark", place), number(other, "mark", place));
            assert_eq!(set(state, "spot", place), set(other, "spot", place));
        }
    });
}

#[test]
fn a_board_that_others_see_has_such_pieces() {
    let game = game(FOREHEAD);
    for name in ["sack", "brow", "mark", "spot"] {
        assert_eq!(seen_by(&game, name), Visibility::Others, "{name}");
    }
    let empty = game.model().boards[0].empty;
    assert_eq!(game.model().slots[empty.index()].visibility, Visibility::Others);
}

#[test]
fn observations_and_texts_show_the_parts_of_others() {
    let game = game(FIREWORKS);
    let spec = game.observation_spec();
    let held = spec.iter().find(|entry| entry.name == "held").expect("an entry");
    assert_eq!(held.shape, [2, 2, 9], "two other players, two places, nine cards");
    let state = random(&game, 3, 1, 0);
    for viewer in 0..3_usize {
        let seen = state.observation(Seat(viewer as u32));
        for other in 0..2 {
            let seat = (viewer + 1 + other) % 3;
            for place in 0..2 {
                let from = held.offset + (other * 2 + place) * 9;
                let shown: Vec<u32> = (0..9).filter(|card| seen[from + *card as usize] > 0.0).collect();
                assert_eq!(shown, set(&state, "held", seat * 2 + place));
            }
        }
        let told = state.information_state(Seat(viewer as u32));
        for seat in 0..3 {
            let own = format!("held[player-{}, 1] = ", seat + 1);
            assert_eq!(told.contains(&own), seat != viewer, "{told}");
        }
        let drawn = text::table(&state, &text::TextOptions::plain(Some(Seat(viewer as u32))));
        let card = game.element_name(
            game.model()
                .domains
                .iter()
                .position(|d| d.name == "card")
                .map(|at| houserule::model::DomainId(at as u32))
                .expect("cards"),
            set(&state, "held", viewer * 2)[0],
        );
        assert!(!drawn.contains(&card), "{drawn}");
    }
}

/// A hint is kept until the card goes.
#[test]
fn what_was_revealed_of_the_own_cards_is_known() {
    let game = game(FIREWORKS);
    let mut state = game.start(1, 0).expect("it starts");
    apply(&mut state, "tell player-2 1");
    let card = set(&state, "held", 2);
    let known = |state: &houserule::game::State| set(state, "known card", 1);
    assert_eq!(known(&state).iter().filter(|c| card.contains(c)).count(), 1);
    assert!(legal(&state).contains(&"play 1".to_owned()));
    apply(&mut state, "play 1");
    let now = set(&state, "held", 2);
    assert_ne!(now, card);
    assert!(!known(&state).contains(&now[0]), "the new card is not known");
}

#[test]
fn others_need_an_owner() {
    let told = |decl: &str| {
        let text = format!(
            "game \"G\" {{ players 2  {decl}  turn {{ choose {{ pass }} }}  end when turns[me] == 2 }}"
        );
        houserule::loader::load_text("g.rules", &text, &houserule::loader::Request::default())
            .map(|_| String::new())
            .unwrap_or_else(|error| error.to_string())
    };
    let without = told("var x: 0..3 = 0 seen by others");
    assert!(without.contains("this has no owner"), "{without}");
}
