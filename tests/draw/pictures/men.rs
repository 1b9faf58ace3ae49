//! Boards that look like those of the game: pieces as pictures, wooden boards, arrows, marks, parts of large boards.

use super::{Theme, assert_sound, begun, bundled, drawn, extent, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::game::{Game, State};
use houserule::loader::{Request, load};
use houserule::variants::Setting;

/// The colour of the edge of a wooden board.
const WOOD: &str = "fill=\"#8a6a41\"";

fn light(state: &State) -> String {
    let picture = drawn(state, Theme::Light);
    assert_sound("men", &picture);
    picture
}

/// Draws a state with its legal actions.
fn marked(state: &State) -> String {
    svg(state, &PictureStyle { legal: true, theme: Theme::Light, ..PictureStyle::default() })
}

/// Returns the numbers of paths, circles and texts in a part of a picture.
fn counts(picture: &str, part: &str) -> [usize; 3] {
    let elements = in_part(picture, part);
    ["path", "circle", "text"].map(|name| elements.iter().filter(|element| *element == name).count())
}

fn position(name: &str, sheet: &str) -> State {
    bundled(name).position(sheet).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn chessmen_are_pictures() {
    let picture = light(&begun(&bundled("chess")));
    // Each man with its lines, and the eyes of the knights.
    assert_eq!(counts(&picture, "pieces"), [64, 4, 0]);
    assert!(!texts(&picture).iter().any(|text| text == "white pawn"), "no legend explains them: {picture}");
    // Most men of this game have no picture: each points to the other side, and has a letter.
    let picture = light(&begun(&bundled("minishogi")));
    assert_eq!(counts(&picture, "pieces"), [12, 0, 12]);
}

#[test]
fn kings_of_draughts_have_crowns() {
    let sheet = "........\n........\n........\n...W....\n........\n........\n.b......\nb.......\n";
    let picture = light(&position("english-draughts", sheet));
    assert_eq!(counts(&picture, "pieces"), [1, 3, 0]);
    let picture = light(&begun(&bundled("brandubh")));
    assert_eq!(counts(&picture, "pieces")[0], 1);
    assert_eq!(counts(&picture, "pieces")[2], 0);
}

#[test]
fn pieces_have_the_pictures_of_their_names() {
    let state = begun(&written(
        "game \"Parts\" {
          players ann, bob
          board cell = grid(6, 1)
          piece meeple[player]
          piece green_ship
          piece stone shown as \"S\"
          piece tower[player]
          piece arrow shown as \"x\"
          setup {
            put meeple[ann] at @a1 put meeple[bob] at @b1 put green_ship at @c1 put stone at @d1 put tower[bob] at @e1
            put arrow at @f1
          }
          turn { choose { go { end game } } }
        }",
    ));
    let picture = light(&state);
    // Four pictures, two of them with bob's ring; and two discs with the letters of the rules.
    assert_eq!(counts(&picture, "pieces"), [4, 4, 2]);
    assert!(picture.contains("fill=\"#338b53\""), "the ship is green: {picture}");
    let legend = texts(&picture);
    assert!(legend.iter().any(|text| text == "stone") && !legend.iter().any(|text| text.contains("ship")));
}

#[test]
fn boards_on_which_two_players_move_are_wooden() {
    let games = [("chess", true), ("breakthrough", true), ("english-draughts", true)];
    for (name, wooden) in games.into_iter().chain([("tic-tac-toe", false), ("peg-solitaire", false)]) {
        let state = begun(&bundled(name));
        assert_eq!(light(&state).contains(WOOD), wooden, "{name}");
        assert!(!drawn(&state, Theme::Print).contains(WOOD), "{name} on paper");
    }
    // The names of columns and rows are in the squares.
    let picture = light(&begun(&bundled("chess")));
    let document = roxmltree::Document::parse(&picture).unwrap();
    let part = document.descendants().find(|node| node.attribute("data-part") == Some("coordinates"));
    let names = part.unwrap().descendants().filter(|node| node.has_tag_name("text"));
    assert_eq!(names.filter(|name| name.attribute("font-weight") == Some("600")).count(), 16, "{picture}");
}

const MOVES: &str = "game \"Moves\" {
  players white, black
  board cell = grid(5, 5)
  piece man[player]
  piece king[player]
  setup { put man[white] at @a1 put king[white] at @b1 put man[black] at @c3 }
  turn {
    choose {
      go a in man[me] | king[me], b in cell - man[me] - king[me] { move a to b replacing }
      crown a in man[me], b in empty { clear a put king[me] at b }
      both { move @a1 to @a2 move @b1 to @b2 }
      add c in empty { put man[me] at c }
    }
  }
  end over when round == 9
}";

#[test]
fn an_arrow_shows_the_move_of_a_single_piece() {
    let arrow = |rules: &str, action: &str| {
        let mut state = begun(&written(rules));
        play(&mut state, &[action]);
        let picture = light(&state);
        let arrow = in_part(&picture, "arrow");
        assert!(arrow.is_empty() || picture.find("\"arrow\"") < picture.find("\"pieces\""), "it lies below");
        arrow.len()
    };
    // A step, a capture, and a man that becomes a king.
    for action in ["go a1 a2", "go a1 c3", "crown a1 c1"] {
        // Each of its two parts has a rim.
        assert_eq!(arrow(MOVES, action), 4, "{action}");
    }
    for action in ["both", "add b2"] {
        assert_eq!(arrow(MOVES, action), 0, "{action}");
    }
    // Across the edge, an arrow would lead the wrong way.
    let torus = MOVES.replace("grid(5, 5)", "grid(5, 5, wrap: true)");
    assert_eq!((arrow(&torus, "go a1 a2"), arrow(&torus, "go a1 e1")), (4, 0));
    let mut state = begun(&bundled("reversi"));
    play(&mut state, &["place d3"]);
    assert!(in_part(&light(&state), "arrow").is_empty());
}

#[test]
fn the_last_dot_has_a_ring() {
    let mut state = begun(&bundled("dilido"));
    state.apply_outcome(0).unwrap();
    play(&mut state, &["place a1", "pass"]);
    assert_eq!(in_part(&light(&state), "last"), ["circle"]);
}

#[test]
fn marks_that_say_nothing_are_left_out() {
    let legal = |state: &State| in_part(&marked(state), "legal").len();
    // Every empty site may be chosen.
    for name in ["tic-tac-toe", "go", "dots-and-boxes"] {
        assert_eq!(legal(&begun(&bundled(name))), 0, "{name}");
    }
    assert_eq!(legal(&begun(&bundled("kalah"))), 2 * 6, "half of the pits: rings, which have rims");
    assert_eq!(
        legal(&begun(&bundled("chess"))),
        2 * 10 + 16,
        "rings of men that can go, and dots where they can go"
    );
    assert!(marked(&begun(&bundled("reversi"))).contains("fill=\"#12626b\""));
}

#[test]
fn dots_on_crossings_have_no_letters() {
    let settings = ["width", "height", "zone_width", "zone_height"].map(|name| Setting::new(name, "7"));
    let game = load(&Request { name: "points", settings: &settings, ..Request::default() }).unwrap().game;
    let mut state = game.start(1, 0).unwrap();
    let places = ["c2", "c3", "d3", "a7", "c4", "b7", "b3"].map(|site| format!("place {site}"));
    play(&mut state, &places.each_ref().map(String::as_str));
    // All red dots, all blue ones, what makes these rings, and the stroke through the captured one.
    assert_eq!(in_part(&light(&state), "pieces"), ["path"; 4]);
    assert!(in_part(&marked(&state), "legal").is_empty());
    assert!(!texts(&light(&state)).iter().any(|text| text == "barred"));
}

#[test]
fn pieces_of_nobody_are_covered_by_areas() {
    let game = written(
        "game \"Field\" {
          players red, blue
          board crossing = grid(5, 5)
          piece dot[player]
          piece barred
          var area[player]: set of crossing shown as area
          setup { put barred at {@b2, @d4} put dot[red] at @b1 area[red] = {@b2} }
          turn { choose { go { end game } } }
        }",
    );
    // Red's dot, and the piece outside the area.
    assert_eq!(counts(&light(&begun(&game)), "pieces"), [0, 2, 0]);
}

#[test]
fn names_in_a_graph_stand_apart() {
    let game = written(
        "game \"Cities\" {
          players X, O
          board city = graph(\"north-east-south-west-north\",
              \"upper_north-upper_east-upper_south-upper_west-upper_north\", \"north-upper_north\",
              \"east-upper_east\", \"south-upper_south\", \"west-upper_west\")
          piece mark[player]
          turn { choose { place c in empty { put mark[me] at c } } }
          end full when empty is nothing
        }",
    );
    let mut state = begun(&game);
    play(&mut state, &["place north", "place upper_south"]);
    let picture = light(&state);
    let document = roxmltree::Document::parse(&picture).unwrap();
    let part = document.descendants().find(|node| node.attribute("data-part") == Some("coordinates"));
    let names: Vec<_> = part.unwrap().children().collect();
    assert_eq!(names.len(), 8);
    for (at, one) in names.iter().enumerate() {
        for other in &names[..at] {
            let [a, b] = [one, other].map(|name| extent(name).unwrap());
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "{:?} and {:?}", one.text(), other.text());
        }
    }
}

/// A large board, of which the sites beside those that are marked may be chosen.
fn large(board: &str, setup: &str) -> Game {
    written(&format!(
        "game \"Large\" {{
          players X, O
          board cell = {board}
          piece mark[player]
          setup {{ {setup} }}
          turn {{ choose {{ place c in around(mark) & empty {{ put mark[me] at c }} }} }}
          end full when empty is nothing
        }}"
    ))
}

#[test]
fn a_board_that_is_mostly_empty_is_drawn_in_part() {
    let names = |game: &Game| in_part(&light(&begun(game)), "coordinates").len();
    let one = "put mark[X] at cell(15, 15)";
    for board in ["grid(30, 30)", "grid(30, 30, wrap: true)"] {
        assert_eq!(names(&large(board, one)), 8 + 8, "{board}");
    }
    assert!(names(&large("grid(30, 30)", "put mark[X] at cell(2, 15)")) < 60);
    // All that can be chosen is there.
    let state = begun(&large("grid(30, 30)", one));
    let picture = svg(&state, &PictureStyle { things: true, ..PictureStyle::default() });
    assert_eq!(picture.matches("data-thing=\"cell:").count(), 64);
    for (board, setup) in [
        // The margin goes on across the edge.
        ("grid(30, 30, wrap: true)", "put mark[X] at cell(2, 15)"),
        ("grid(30, 30)", "put mark[X] at cell(2, 2) put mark[O] at cell(29, 29)"),
        ("grid(30, 30)", "put mark[X] at row(15) put mark[O] at column(2) - row(15)"),
    ] {
        assert_eq!(names(&large(board, setup)), 60, "{board}, {setup}");
    }
    assert_eq!(names(&large("grid(20, 20)", "put mark[X] at cell(9, 9)")), 40);
}

#[test]
fn a_board_with_numbers_beside_its_rows_is_drawn_whole() {
    let state = begun(&written(
        "game \"Margins\" {
          players X, O
          board pad[player] = grid(30, 30)
          piece mark on pad
          var worth[player, 1..30]: 0..9 = 3
          setup { put mark[X] at pad(15, 15) }
          turn { choose { go { end game } } }
        }",
    ));
    assert_eq!(in_part(&light(&state), "margin"), ["circle"; 60]);
}
