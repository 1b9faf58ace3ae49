//! The look of pieces and variables: from their names, from the rules, and on the sheets of line games.

use super::{Theme, assert_sound, begun, bundled, drawn, in_part, play, texts, written};
use houserule::draw::text;
use houserule::game::State;
use houserule::paint::COLUMNS;

/// Returns the fills of the pieces on the boards of a state.
fn fills(state: &State) -> Vec<String> {
    let picture = drawn(state, Theme::Light);
    assert_sound("looks", &picture);
    let document = roxmltree::Document::parse(&picture).unwrap();
    let pieces = document.descendants().filter(|node| node.attribute("data-part") == Some("pieces"));
    let circles = pieces.flat_map(|part| part.descendants()).filter(|node| node.has_tag_name("circle"));
    circles.map(|node| node.attribute("fill").unwrap().to_owned()).collect()
}

fn pegs(piece: &str, put: &str) -> State {
    begun(&written(&format!(
        "game \"Pegs\" {{
          players X, O
          enum colour {{ green, white, red }}
          board cell = grid(4, 1)
          {piece}
          setup {{ {put} }}
          turn {{ choose {{ go {{ end game }} }} }}
        }}"
    )))
}

#[test]
fn pieces_have_the_colours_of_their_names() {
    let state = pegs("piece peg[colour]", "put peg[green] at @a1 put peg[white] at @b1 put peg[red] at @c1");
    assert_eq!(fills(&state), ["#3b8a5c", "#ffffff", "#c2473a"]);
    // A piece without a colour name gets an unused colour.
    let state =
        pegs("piece red_ant piece bug piece beetle", "put bug at @a1 put beetle at @b1 put red_ant at @c1");
    let all = fills(&state);
    assert_eq!(all.iter().filter(|fill| *fill == "#c2473a").count(), 1, "{all:?}");
}

#[test]
fn rules_give_colours_and_letters() {
    let piece = "piece peg[colour] shown as [green: \"K\" in gold, red: brown] piece wolf shown as \"W\" in grey \"a wolf\"";
    let state =
        pegs(piece, "put peg[green] at @a1 put peg[white] at @b1 put peg[red] at @c1 put wolf at @d1");
    assert_eq!(fills(&state), ["#d9a722", "#ffffff", "#7d5230", "#66707c"]);
    let drawing = text::boards(&state, COLUMNS);
    assert!(drawing.contains("K") && drawing.contains("W"), "{drawing}");
    // A drawing with these letters is a position.
    let board: Vec<&str> = drawing.lines().collect();
    let again = state.game().position(&format!("{}\n", board.join("\n")));
    assert_eq!(text::boards(&again.unwrap_or_else(|errors| panic!("{errors:?}")), COLUMNS), drawing);
    let shown: Vec<String> = texts(&drawn(&state, Theme::Light));
    assert!(shown.iter().any(|text| text == "W") && shown.iter().any(|text| text == "wolf"), "{shown:?}");
}

#[test]
fn players_pieces_may_have_colours_too() {
    let state = pegs(
        "piece mark[player] shown as [X: \"x\" in orange, O: \"o\"]",
        "put mark[X] at @a1 put mark[O] at @b1",
    );
    assert_eq!(fills(&state), ["#cf6f1e", "#2d6da8"]);
}

#[test]
fn numbers_are_shown_as_boxes_to_cross() {
    let mut state = begun(&bundled("dilido"));
    state.apply_outcome(0).unwrap();
    assert_eq!(in_part(&drawn(&state, Theme::Light), "boxes"), ["rect"; 3]);
    assert!(text::state(&state, None).contains("penalties    [ ][ ][ ]"), "{}", text::state(&state, None));
    let sheet = "dd....\n......\n......\n......\n......\n......\npenalties = 2";
    let state = state.game().position(sheet).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(in_part(&drawn(&state, Theme::Light), "boxes"), ["rect", "rect", "rect", "path"]);
    assert!(text::state(&state, None).contains("[x][x][ ]"));
}

#[test]
fn points_of_lines_stand_apart_by_direction() {
    let game = bundled("dilido");
    let sheet = "......\n......\n..d...\n.dd...\nddd...\nd.....";
    let state = game.position(sheet).unwrap_or_else(|errors| panic!("{errors:?}"));
    let drawing = text::state(&state, None);
    let at = drawing.lines().position(|line| line.contains("across  down  rising  falling")).unwrap();
    let numbers: Vec<i64> = drawing
        .lines()
        .nth(at + 1)
        .unwrap()
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    // A row of three, a column of three and two rising diagonals of three. The last line of the board may
    // begin with its number.
    assert_eq!(numbers[numbers.len() - 4..], [1, 1, 2, 0], "{drawing}");
    assert_eq!(
        numbers[numbers.len() - 4..].iter().sum::<i64>(),
        state.score(houserule::game::Seat(0)).unwrap()
    );
    // A torus has the same four.
    let torus = text::state(&begun(&bundled("dilido + torus")), None);
    assert!(torus.contains("across  down  rising  falling\n"), "{torus}");
}

#[test]
fn the_last_move_names_everybody_who_had_a_part_in_it() {
    let game = written(
        "game \"Ask\" {
          players X, O
          var asked: 0..9 = 0
          turn {
            choose { ask n in 1..3 { asked = n } }
            as other { choose { answer n in 1..3 { asked = n } } }
          }
          end over when round > 3
        }",
    );
    let mut state = begun(&game);
    play(&mut state, &["ask 3", "answer 2"]);
    let said = texts(&drawn(&state, Theme::Light));
    assert!(said.iter().any(|text| text.starts_with("Last move by X: ask 3; by O: ans")), "{said:?}");
}
