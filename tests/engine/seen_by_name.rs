//! What one named player sees: `seen by fox`.

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{apply, number, random, set, slot};
use houserule::draw::text;
use houserule::game::{Game, Seat};
use houserule::model::Visibility;

/// A fox hides and holds cards, and two dogs hunt. Each sees things of its own that no index gives to it.
const HUNT: &str = r#"game "Hunt" {
  players fox, hound, dog
  enum cube { green, grey }
  domain card = 1..7
  board cell = grid(3, 3)
  piece den seen by fox
  piece seeker[player]
  zone deck of card seen by none
  zone secret of card seen by fox
  zone shown of card
  zone bag of cube = [green: 4, grey: 3] seen by none
  zone sack of cube seen by hound
  zone heap of cube
  dice nose: 2 of d6 seen by dog
  var place: 0..9 = 0 seen by fox
  var notes[1..3]: 0..9 = 0 seen by dog
  var tired: bool = false seen by hound
  var chosen: 0..99 = 0
  setup { deal 2 from deck to secret  put den at @a1 }
  turn {
    choose {
      hide c in cell where me == fox { clear den  put den at c  place = column(c) }
      whisper n in 1..3 where me == fox seen by dog { chosen += 1 }
      swap_card c in secret where me == fox { move c to deck  draw d from deck to secret }
      show_card c in secret where me == fox { move c to shown }
      pass_on c in shown where me != fox { move c to secret }
      seek c in empty where me != fox { clear seeker[me]  put seeker[me] at c }
      rest where me == hound { tired = not tired  if count(bag) > 0 { draw k from bag to sack } }
      lay k in sack where me == hound { move k from sack to heap }
      note n in 1..3, v in 1..9 where me == dog { notes[n] = v  roll nose }
      look where me == dog { reveal sack to dog  reveal place to dog }
    }
  }
  end found when any p in players: p != fox and den & seeker[p] is some: lose fox
  end long when turns[me] >= 8: win fox
}"#;

fn seen_by(game: &Game, name: &str) -> Visibility {
    game.model().slots[slot(game, name).index()].visibility
}

#[test]
fn both_executors_play_what_one_player_sees() {
    let game = game(HUNT);
    for index in 0..60 {
        assert_ne!(agree(&game, 2, index, 300), Came::Failed);
    }
    same_in_both_modes(&game, 6, 40);
}

#[test]
fn nobody_else_learns_what_one_player_sees() {
    let mut hidden = 0;
    shows_nothing_hidden(&game(HUNT), extent::tries(24, 40), |player, state, other| match player {
        Seat(0) => {
            assert_eq!(set(state, "secret", 0), set(other, "secret", 0));
            assert_eq!(set(state, "den", 0), set(other, "den", 0));
            assert_eq!(number(state, "place", 0), number(other, "place", 0));
            hidden += usize::from(number(state, "notes", 0) != number(other, "notes", 0));
        }
        Seat(1) => {
            assert_eq!(number(state, "sack", 0), number(other, "sack", 0));
            hidden += usize::from(set(state, "secret", 0) != set(other, "secret", 0));
        }
        _ => {
            assert_eq!(number(state, "notes", 1), number(other, "notes", 1));
            assert_eq!(number(state, "nose", 0), number(other, "nose", 0));
            hidden += usize::from(set(state, "den", 0) != set(other, "den", 0));
        }
    });
    assert!(hidden > extent::tries(24, 100), "{hidden}");
}

#[test]
fn observations_and_texts_are_for_one_player() {
    let game = game(HUNT);
    assert_eq!(seen_by(&game, "secret"), Visibility::Player(Seat(0)));
    let empty = game.model().boards[0].empty;
    assert_eq!(game.model().slots[empty.index()].visibility, Visibility::Player(Seat(0)));
    let spec = game.observation_spec();
    let mut seen = 0;
    for index in 0..extent::tries(8, 20) {
        let state = random(&game, 3, index, 9);
        for (name, seat) in [("den", 0), ("secret", 0), ("place", 0), ("tired", 1), ("notes", 2), ("nose", 2)]
        {
            let entry = spec.iter().find(|entry| entry.name == name).expect("an entry");
            for viewer in 0..3 {
                let numbers = state.observation(Seat(viewer));
                let any = numbers[entry.offset..][..entry.length].iter().any(|number| *number != 0.0);
                assert!(!any || viewer == seat, "player {viewer} sees {name}");
                seen += usize::from(any);
                let told = state.information_state(Seat(viewer));
                let is_of = |line: &str| {
                    line.starts_with(&format!("{name} = ")) || line.starts_with(&format!("{name}["))
                };
                assert_eq!(told.lines().any(is_of), viewer == seat, "{name}: {told}");
            }
        }
        // The dogs see how many cards the fox has.
        for viewer in 0..3 {
            let drawn = text::state(&state, Some(Seat(viewer)));
            assert_eq!(drawn.contains("place   ?") || drawn.contains("place  ?"), viewer != 0, "{drawn}");
        }
    }
    assert!(seen > extent::tries(24, 60), "{seen}");
}

#[test]
fn an_option_may_be_heard_by_one_player() {
    let mut state = game(HUNT).start(1, 0).expect("it starts");
    apply(&mut state, "whisper 2");
    let told = |seat| state.information_state(Seat(seat));
    assert!(told(0).contains("whisper 2") && told(2).contains("whisper 2"), "{}", told(2));
    assert!(told(1).contains("whisper ?") && !told(1).contains("whisper 2"), "{}", told(1));
}
