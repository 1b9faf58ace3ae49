//! Hidden boards: their pieces have the visibility of the board.

use crate::agree::{Came, agree};
use crate::hidden::shows_nothing_hidden;
use crate::rules::game;
use crate::states::{apply, set, slot};
use houserule::draw::{svg, text};
use houserule::game::{Game, Seat};
use houserule::model::Visibility;

/// Each player hides two ships on a private sea and searches the other's. Shots are open. The players' notes
/// are on their private sheets, and no player sees the mines.
pub(crate) const SEA: &str = r#"game "Sea" {
  players X, O
  board sea[player] = grid(3, 3) seen by owner   "where each player's ships are"
  board note[player] = grid(2, 2) seen by owner
  board deep = grid(2, 2) seen by none
  edges side of sea
  piece ship on sea
  piece shot on sea seen by all
  piece net on side
  piece mine on deep
  var depth[player, note]: 0..5
  var rumour[player, note]: 0..3 seen by all
  var salt[deep]: bool = false
  var told: 0..9 = 0

  setup {
    pick m in deep
    put mine at m
    salt[m] = true
    each player from starter as me {
      choose hide { hide c in empty(sea)[me] { put ship[me] at c } }
      choose also { also c in empty(sea)[me] { put ship[me] at c } }
    }
  }
  turn {
    choose {
      shoot c in sea where c not in shot[other] {
        if c in ship[other] { told += 1; rumour[me, lowest(note)] = 1 }
        put shot[other] at c
      }
      dive c in deep { if c in mine { told = 0 } }
      write n in note, v in 1..5 where turns[me] < 3 { depth[me, n] = v }
      fence e in side - net[me] where count(net[me]) < 2 { put net[me] at e }
    }
  }
  end sunk when ship[other] is nothing: win me
  end late when turns[me] > 12
  score { told: told, ships: count(ship[me]) when ship[other] is nothing }
}"#;

fn seen_by(game: &Game, name: &str) -> Visibility {
    game.model().slots[slot(game, name).index()].visibility
}

#[test]
fn what_lies_on_a_board_is_seen_as_the_board() {
    let game = game(SEA);
    for (name, visibility) in [
        ("ship", Visibility::Owner),
        ("net", Visibility::Owner),
        ("depth", Visibility::Owner),
        ("mine", Visibility::Nobody),
        ("salt", Visibility::Nobody),
        // A piece with its own visibility, and a piece on no board.
        ("shot", Visibility::All),
        ("rumour", Visibility::All),
        ("told", Visibility::All),
    ] {
        assert_eq!(seen_by(&game, name), visibility, "{name}");
    }
    // The empty sites show where pieces are.
    let empty: Vec<Visibility> =
        game.model().boards.iter().map(|b| game.model().slots[b.empty.index()].visibility).collect();
    assert_eq!(empty, [Visibility::Owner, Visibility::All, Visibility::Nobody, Visibility::Owner]);
    assert!(game.hides());
}

#[test]
fn both_executors_play_on_private_boards() {
    let game = game(SEA);
    for index in 0..40 {
        assert_ne!(agree(&game, 2, index, 200), Came::Failed);
    }
}

#[test]
fn what_stands_on_others_boards_does_not_show() {
    shows_nothing_hidden(&game(SEA), 40, |player, state, other| {
        let own = player.0 as usize;
        assert_eq!(set(other, "ship", own), set(state, "ship", own));
        for place in 0..2 {
            assert_eq!(set(other, "shot", place), set(state, "shot", place));
            assert_eq!(set(other, "ship", place).len(), set(state, "ship", place).len());
            let free = set(other, "ship", place).iter().all(|c| !set(other, "shot", place).contains(c));
            assert!(free, "a site holds one piece");
        }
    });
}

#[test]
fn a_player_sees_the_own_board_alone() {
    let game = game(SEA);
    let spec = game.observation_spec();
    let length = |name: &str| spec.iter().find(|entry| entry.name == name).map(|entry| entry.length);
    assert_eq!((length("ship"), length("depth"), length("net")), (Some(9), Some(4), Some(24)));
    assert_eq!((length("shot"), length("rumour")), (Some(18), Some(8)));
    assert_eq!((length("mine"), length("salt")), (None, None));
    let mut state = game.start(1, 0).expect("it starts");
    apply(&mut state, "hide a1");
    let told = state.information_state(Seat(1));
    assert!(told.contains("X: hide ?") && !told.contains("ship[X]") && !told.contains("mine"), "{told}");
    assert!(state.information_state(Seat(0)).contains("ship[X] = {a1}"));
    let seen = |player| state.observation(Seat(player));
    let at = spec.iter().find(|entry| entry.name == "ship").expect("ships").offset;
    assert_eq!((seen(0)[at], seen(1)[at]), (1.0, 0.0));
}

/// Boards of other players are drawn face down.
#[test]
fn drawings_show_the_own_board() {
    let game = game(SEA);
    let mut state = game.start(1, 0).expect("it starts");
    for action in ["hide a1", "also b2", "hide c3", "also c2", "shoot c3"] {
        apply(&mut state, action);
    }
    let view = |player: Option<u32>| text::table(&state, &text::TextOptions::plain(player.map(Seat)));
    let all = text::table(&state, &text::TextOptions::open());
    let (first, second) = (view(Some(0)), view(Some(1)));
    assert!(!all.contains('?'), "{all}");
    let hidden = |text: &str| text.matches('?').count();
    // Hidden are the other's sea except for the shot, the other's notes, and the deep.
    assert_eq!(hidden(&first) + 1, hidden(&second), "{first}\n{second}");
    assert!(hidden(&first) >= 8 + 4 + 4, "{first}");
    let drawn = |player: u32| {
        let style = svg::PictureStyle { viewer: Some(Seat(player)), ..svg::PictureStyle::default() };
        svg::svg(&state, &style)
    };
    assert_eq!(drawn(0).matches(">?<").count() + 1, drawn(1).matches(">?<").count());
    // A drawing for no particular player is a complete position.
    let again =
        game.position(&state.position()).unwrap_or_else(|errors| panic!("{errors:?}\n{}", state.position()));
    assert_eq!(set(&again, "ship", 0), set(&state, "ship", 0));
}

/// A value computed from a hidden board is hidden too.
#[test]
fn empty_sites_do_not_tell() {
    let game = game(
        r#"game "Leak" {
      players 2
      board cell = grid(3, 3) seen by none
      piece stone
      setup { pick c in cell   put stone at c }
      turn { let free = lowest(empty)   choose { go { if free is some { put stone at free } } stop { end game } } }
      end when empty is nothing
    }"#,
    );
    let spec = game.observation_spec();
    assert!(spec.iter().all(|entry| entry.name != "free" && entry.name != "stone"), "{spec:?}");
}
