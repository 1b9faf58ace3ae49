//! Forms that the rules name: triangles, places, tracks with holes, counters, pictures, nothing.

use super::{Theme, assert_sound, begun, bundled, drawn, go_on, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::game::{Seat, State};

fn light(state: &State) -> String {
    let picture = drawn(state, Theme::Light);
    assert_sound("forms", &picture);
    picture
}

fn seen(state: &State, seat: u32) -> String {
    let style = PictureStyle { theme: Theme::Light, viewer: Some(Seat(seat)), ..PictureStyle::default() };
    svg(state, &style)
}

/// The places of a text.
fn places(picture: &str, text: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let found = document.descendants().filter(|node| node.has_tag_name("text") && node.text() == Some(text));
    let place = |node: roxmltree::Node<'_, '_>| {
        let of = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
        (of("x"), of("y"))
    };
    found.map(place).collect()
}

#[test]
fn backgammon_has_triangles_a_bar_and_trays() {
    let state = begun(&bundled("backgammon"));
    let picture = light(&state);
    let said = texts(&picture);
    assert!(said.iter().any(|text| text == "24") && !said.iter().any(|text| text.contains('[')), "{said:?}");
    // Thirty men, five of them in a line at most.
    assert_eq!(
        in_part(&picture, "pieces").iter().filter(|tag| *tag == "circle").count(),
        2 * 30,
        "{picture}"
    );
    assert_eq!(said.iter().filter(|text| *text == "off").count(), 2, "{said:?}");
    // The first point of whoever looks is at the lower right.
    let (first, second) = (seen(&state, 0), seen(&state, 1));
    assert_eq!(places(&first, "24"), places(&second, "24"));
    assert!(first != second);
}

#[test]
fn a_way_and_its_lanes_are_one_drawing_with_trays() {
    let state = begun(&bundled("ludo"));
    let picture = light(&state);
    let said = texts(&picture);
    assert!(!said.iter().any(|text| text == "square" || text == "lane"), "{said:?}");
    // Four of each player wait: a disc in each of four holes.
    let counters = in_part(&picture, "counters");
    assert!(counters.iter().filter(|tag| *tag == "circle").count() >= 16, "{counters:?}");
    let style = PictureStyle { theme: Theme::Light, things: true, ..PictureStyle::default() };
    let things = svg(&state, &style);
    assert_eq!(things.matches("data-thing=\"square:").count(), 52, "{things}");
    assert_eq!(things.matches("data-thing=\"lane:").count(), 20, "{things}");
}

#[test]
fn points_are_pegs_in_holes() {
    let state = begun(&bundled("cribbage"));
    let picture = light(&state);
    // 120 holes for each player, and the last for both.
    assert_eq!(in_part(&picture, "holes").iter().filter(|tag| *tag == "circle").count(), 241);
    assert!(texts(&picture).iter().any(|text| text == "110"));
    let hidden = written(
        "game \"Pegs\" {
          players 2
          var points[player]: 0..60 = 0 seen by owner shown as track(60)
          var spare[player]: 0..9 = 0 seen by owner shown as coin
          turn { choose { two { points[me] += 2 spare[me] = 2 } three { points[me] += 3 spare[me] = 3 } } }
          end far when points[me] > 50: win me
        }",
    );
    let after = |action: &str| {
        let mut state = begun(&hidden);
        play(&mut state, &[action]);
        state
    };
    let (two, three) = (after("two"), after("three"));
    assert_ne!(seen(&two, 0), seen(&three, 0));
    let pegs = |state: &State| in_part(&seen(state, 1), "pegs");
    assert_eq!(pegs(&two), pegs(&three));
    assert_eq!(in_part(&seen(&two, 1), "pegs").iter().filter(|tag| *tag == "circle").count(), 2);
}

#[test]
fn pieces_are_pictures_or_nothing() {
    let game = |looks: &str| {
        begun(&written(&format!(
            "game \"Pieces\" {{
              players X, O
              board cell = grid(3, 1)
              piece man[player]
              piece mark
              setup {{ put man[X] at @a1 put mark at @b1 }}
              turn {{ choose {{ go {{ end game }} }} }}
              {looks}
            }}"
        )))
    };
    let pieces = |looks: &str| in_part(&light(&game(looks)), "pieces");
    let unseen = pieces("shown mark as nothing shown man as house");
    assert_eq!(unseen.iter().filter(|tag| *tag == "path").count(), 1, "{unseen:?}");
    assert!(!texts(&light(&game("shown mark as nothing"))).iter().any(|text| text == "mark"));
    assert!(texts(&light(&game(""))).iter().any(|text| text == "mark"));
}

#[test]
fn a_finer_grid_lies_on_a_coarser_one() {
    let text = |over: &str| {
        format!(
            "game \"Fine\" {{
              players 2
              board cell = grid(2, 2)
              board spot = grid(6, 6){over}
              piece tile on cell
              piece way on spot
              setup {{ put tile at @a1 put way at @b2 }}
              turn {{ choose {{ lay c in empty(cell) {{ put tile at c }} }} }}
              end full when empty(cell) is nothing: draw
            }}"
        )
    };
    let said = texts(&light(&begun(&written(&text("")))));
    assert!(said.iter().any(|text| text == "cell") && said.iter().any(|text| text == "spot"));
    let state = begun(&written(&text(" shown over cell")));
    let said = texts(&light(&state));
    assert!(!said.iter().any(|text| text == "cell"), "{said:?}");
    let style = PictureStyle { theme: Theme::Light, things: true, ..PictureStyle::default() };
    assert_eq!(svg(&state, &style).matches("data-thing=\"cell:").count(), 4);
}

/// A finer grid covers no numbers, tables and sets of the coarser one.
#[test]
fn what_the_coarser_grid_holds_is_drawn() {
    let game = |finer: &str| {
        begun(&written(&format!(
            "game \"Fine\" {{
              players 2
              board cell = grid(3, 3)
              board spot = grid({finer}, {finer}) shown over cell
              piece way on spot
              var seeds[cell]: 0..99 = 47
              table worth[cell]: 1..99 = 83 shown as number
              define lake = {{cell(1, 1)}} shown as \"w\" in blue
              turn {{ choose {{ lay s in empty(spot) {{ put way at s; seeds[cell(3, 3)] = worth[cell(3, 3)] }} }} }}
              end full when empty(spot) is nothing: draw
            }}"
        )))
    };
    for finer in ["6", "9"] {
        let picture = light(&game(finer));
        let said = texts(&picture);
        let count = |text: &str| said.iter().filter(|said| *said == text).count();
        assert_eq!((count("47"), count("83")), (9, 9), "{said:?}");
        assert!(!in_part(&picture, "grounds").is_empty(), "{picture}");
    }
}

#[test]
fn squares_lie_in_blocks() {
    let mut state = begun(&bundled("ultimate-tic-tac-toe"));
    go_on(&mut state, 48);
    let picture = light(&state);
    let said = texts(&picture);
    // One board: neither has a title.
    assert!(!said.iter().any(|text| text == "cell" || text == "block"), "{said:?}");
    // Those of the blocks are pale, and lie over the small ones.
    assert!(in_part(&picture, "pieces").len() > 40, "{picture}");
    assert!(picture.contains("<g opacity=\"0.55\"><path"), "{picture}");
}

#[test]
fn a_board_of_another_that_lies_face_down_is_left_out() {
    let state = begun(&bundled("phantom-tic-tac-toe"));
    let titles = |picture: &str| texts(picture).iter().filter(|text| text.starts_with("sheet")).count();
    assert_eq!(titles(&light(&state)), 2);
    assert_eq!(titles(&seen(&state, 0)), 0);
    // The fleet of the other lies face down, too, but not the shots at it.
    let state = begun(&bundled("battleship"));
    let said = texts(&seen(&state, 0));
    assert!(said.iter().any(|text| text == "sea blue"), "{said:?}");
}

#[test]
fn tiles_have_sides() {
    let game = written(
        "game \"Tiles\" {
          players 1
          enum side { field, road, city } shown as [field: lime, road: white, city: brown]
          domain land { n: side, e: side, s: side, w: side, mid: side } = [
            bend: (field, road, road, city, road), town: (city, city, city, city, city)] shown as tile(n, e, s, w, mid)
          zone stack of land
          turn { choose { take t in stack { end game } } }
        }",
    );
    let picture = light(&begun(&game));
    assert!(!texts(&picture).iter().any(|text| text.contains("bend")), "{picture}");
    assert!(!in_part(&picture, "tile").is_empty(), "{picture}");
}
