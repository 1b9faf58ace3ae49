//! Zones and numbers with a value for each site, drawn on the board.

use super::{Theme, assert_sound, begun, drawn, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Seat, State};

/// Men who stand on men.
fn towers() -> State {
    begun(&written(
        "game \"Towers\" {
          players X, O
          domain man { owner: player, number: 1..8 }
          board cell = grid(4, 4)
          zone box of man ordered
          zone tower[cell] of man ordered
          define mine = { c in cell where any m in top(tower[c]): m.owner == me }
          setup {
            for c in cell {
              for m in lowest({ m in box where m.owner == (if (column(c) + row(c)) % 2 == 0 then X else O) }) { move m to tower[c] }
            }
          }
          turn { choose { go a in mine, b in around(a) where tower[a] is some { move tower[a] to tower[b] } } }
          end when turns[me] > 30: draw
        }",
    ))
}

/// Men whose ranks only their owner sees.
fn ambush() -> State {
    begun(&written(
        "game \"Ambush\" {
          players north, south
          domain soldier { side: player, rank: 1..3 }
          board cell = grid(3, 3)
          zone box of soldier seen by none
          zone place[player, cell] of soldier seen by owner
          setup {
            for s in soldier {
              let c = cell(s.rank, if s.side == south then 1 else 3)
              if c is some { move s to place[s.side, c] }
            }
          }
          turn { choose { end_it where any s in soldier: s.rank == 3 { end game } } }
        }",
    ))
}

fn picture(state: &State, viewer: Option<Seat>) -> String {
    let picture = svg(state, &PictureStyle { theme: Theme::Light, viewer, ..PictureStyle::default() });
    assert_sound("piles", &picture);
    picture
}

fn rows(state: &State, viewer: Option<Seat>) -> Vec<String> {
    text::state(state, viewer).lines().map(str::to_owned).collect()
}

/// Returns the texts in the part of a picture with the pieces, with their colours.
fn written_on(picture: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let parts = document.descendants().filter(|node| node.attribute("data-part") == Some("pieces"));
    let all = parts.flat_map(|part| part.descendants()).filter(|node| node.has_tag_name("text"));
    all.map(|node| (node.text().unwrap_or_default().to_owned(), node.attribute("fill").unwrap().to_owned()))
        .collect()
}

#[test]
fn a_tower_shows_its_top_and_its_height() {
    let mut state = towers();
    let start = rows(&state, None);
    assert!(start[0].starts_with("4 O X O X"), "{start:?}");
    assert!(start.iter().all(|line| !line.contains("tower")), "{start:?}");
    assert_eq!(written_on(&picture(&state, None)).len(), 16);
    play(&mut state, &["go a1 b1", "go a2 b1"]);
    let now = rows(&state, None);
    assert!(now[3].starts_with("1  . O3  X  O"), "{now:?}");
    // The colours below the top are not on the board.
    assert!(now.iter().any(|line| line.ends_with("tower  b1 O 1  X 1  O 3")), "{now:?}");
    let drawn = picture(&state, None);
    assert_eq!(in_part(&drawn, "pieces").iter().filter(|element| *element == "circle").count(), 16);
    assert_eq!(written_on(&drawn).len(), 14, "only the man on top has a letter");
    assert!(!texts(&drawn).iter().any(|text| text.starts_with("tower")), "three discs say all");
}

#[test]
fn a_high_tower_has_a_number() {
    let mut state = towers();
    play(&mut state, &["go a1 b1", "go a2 b1", "go c1 b1", "go c2 b1", "go b2 b1"]);
    let drawn = picture(&state, None);
    assert!(written_on(&drawn).iter().any(|(text, _)| text == "6"), "{:?}", written_on(&drawn));
    // Five of the six men are drawn. The top and the number say enough.
    assert_eq!(in_part(&drawn, "pieces").iter().filter(|element| *element == "circle").count(), 15);
    assert!(!texts(&drawn).iter().any(|text| text.starts_with("tower")), "{:?}", texts(&drawn));
    let marked = in_part(&drawn, "last");
    assert_eq!(marked.len(), 2, "the move is marked on the board: {marked:?}");
}

#[test]
fn men_lie_face_down_for_the_other() {
    let state = ambush();
    let said = |viewer| -> Vec<String> {
        written_on(&picture(&state, viewer)).into_iter().map(|(text, _)| text).collect()
    };
    assert_eq!(said(None), ["?"; 6], "nobody sees all of them");
    let open = svg(&state, &PictureStyle { theme: Theme::Light, open: true, ..PictureStyle::default() });
    let open: Vec<String> = written_on(&open).into_iter().map(|(text, _)| text).collect();
    assert_eq!(open, ["1", "2", "3", "1", "2", "3"]);
    assert_eq!(said(Some(Seat(0))), ["?", "?", "?", "1", "2", "3"]);
    assert_eq!(said(Some(Seat(1))), ["1", "2", "3", "?", "?", "?"]);
    let south = rows(&state, Some(Seat(1)));
    assert!(south[0].starts_with("3 n? n? n?") && south[2].starts_with("1 s1 s2 s3"), "{south:?}");
}

#[test]
fn copies_on_a_site_are_counted_by_kind() {
    let state = begun(&written(
        "game \"Markets\" {
          players 2
          enum good { red, blue, salt }
          board town = graph(\"hub-north hub-east\", \"north-east\")
          zone bag of good = [red: 3, blue: 2, salt: 1] seen by none
          zone stall[town] of good
          setup { move bag & {red, salt} to stall[@hub] move bag & {blue} to stall[@north] }
          turn { choose { take t in town, g in stall[t] { move stall[t] & {g} to bag } otherwise { end game } } }
        }",
    ));
    let now = rows(&state, None);
    assert!(now[0].starts_with("  hub r3s   north  b2"), "{now:?}");
    assert!(now.iter().any(|line| line.contains("r red, b blue, s salt")), "{now:?}");
    let said = written_on(&picture(&state, None));
    let said: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(said, ["r", "3", "s", "b", "2"]);
}

#[test]
fn what_does_not_fit_is_listed() {
    let state = begun(&written(
        "game \"Full\" {
          players 1
          enum kind { ant, bee, cat, dog, elk, fox, gnu, hen, ibis }
          board cell = grid(4, 1)
          zone bag of kind = [ant: 2, bee: 3, cat: 2, dog: 4, elk: 5, fox: 6, gnu: 1]
          zone heap[cell] of kind
          setup { move bag & {ant, bee, cat, dog, elk, fox} to heap[@a1] move bag to heap[@b1] }
          turn { choose { go { end game } } }
        }",
    ));
    let now = rows(&state, None);
    assert!(now[0].starts_with("1 a2b3c2d+        g"), "{now:?}");
    assert!(now.iter().any(|line| line.contains("heap  a1 ant ×2  bee ×3")), "{now:?}");
    assert!(!now.iter().any(|line| line.contains("b1 ")), "{now:?}");
}

/// A game with numbers on sites.
fn numbers(piece: &str, variables: &str, setup: &str) -> State {
    begun(&written(&format!(
        "game \"Numbers\" {{
          players X, O
          board cell = grid(3, 1)
          {piece}
          {variables}
          setup {{ {setup} }}
          turn {{ choose {{ go where any c in cell: army[me, c] >= 0 {{ end game }} }} }}
        }}"
    )))
}

#[test]
fn numbers_of_players_are_drawn_in_the_cells() {
    let army = "var army[player, cell]: 0..20";
    let state = numbers("", army, "army[X, @a1] = 3 army[O, @a1] = 12 army[O, @c1] = 1");
    let now = rows(&state, None);
    assert!(now[0].starts_with("1 X3O12     .    O1"), "{now:?}");
    assert!(!now.iter().any(|line| line.contains("army")), "{now:?}");
    let red_and_blue = [("3", "#c2473a"), ("12", "#2d6da8"), ("1", "#2d6da8")];
    let expected: Vec<(String, String)> =
        red_and_blue.iter().map(|(text, ink)| ((*text).to_owned(), (*ink).to_owned())).collect();
    assert_eq!(written_on(&picture(&state, None)), expected);
    // Beside a piece they are small.
    let with_piece = numbers("piece fort", army, "put fort at @a1 army[X, @a1] = 3");
    assert!(rows(&with_piece, None)[0].starts_with("1 fX3"), "{:?}", rows(&with_piece, None));
    let size = |state: &State| {
        let picture = picture(state, None);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let mut all = document.descendants();
        let text = all.find(|node| node.has_tag_name("text") && node.text() == Some("3")).unwrap();
        text.attribute("font-size").unwrap().parse::<f64>().unwrap()
    };
    assert!(size(&with_piece) < size(&numbers("", army, "army[X, @a1] = 3")));
}

#[test]
fn nothing_is_drawn_as_zero_unless_less_is_possible() {
    let army = "var army[player, cell]: 0..1";
    let blank = numbers("", &format!("{army} var height[cell]: 0..2000"), "height[@b1] = 70");
    assert_eq!(written_on(&picture(&blank, None)).len(), 1);
    assert!(rows(&blank, None)[0].starts_with("1  . 70  ."), "{:?}", rows(&blank, None));
    let level = numbers("", &format!("{army} var height[cell]: -5..2000"), "height[@b1] = 70");
    assert_eq!(written_on(&picture(&level, None)).len(), 3);
    assert!(rows(&level, None)[0].starts_with("1  0 70  0"), "{:?}", rows(&level, None));
    // Beside others, all are drawn.
    let both =
        numbers("", &format!("{army} var height[cell]: -5..2000"), "height[@b1] = 70 army[O, @b1] = 1");
    assert_eq!(written_on(&picture(&both, None)).len(), 4);
    // A position has them all.
    assert!(blank.position().contains("1  0 70  0"), "{}", blank.position());
}

#[test]
fn the_board_of_rules_on_paper_has_what_lies_there_at_the_start() {
    let state = towers();
    let all = drawn(&state, Theme::Print);
    assert_eq!(written_on(&all).len(), 16);
}
