//! The look of pieces and variables: from their names, from the rules, and on the sheets of line games.

use super::{Theme, assert_sound, begun, bundled, drawn, in_part, play, texts, written};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Onlookers, Seat, State};
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
    assert_eq!(fills(&state), ["#338b53", "#ffffff", "#c2473a"]);
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
fn sets_of_sites_are_shown_below_the_pieces() {
    let game = written(
        "game \"Push\" {
          players 1
          board cell = grid(4, 2)
          piece box shown as \"B\" in brown
          define goals = {@b1, @c1} shown as \"x\" in gold
          define pit = @d2 shown as blue
          define bank = row(2) shown as \"~\"
          setup { put box at @b1 }
          turn { choose { go c in goals - pit - bank { end game } } }
        }",
    );
    let state = begun(&game);
    let drawing = text::boards(&state, COLUMNS);
    // A box hides a goal, and the first of two sets hides the second.
    assert!(drawing.contains("2 ~ ~ ~ .\n1 . B x ."), "{drawing}");
    let whole = text::state(&state, None);
    assert!(whole.contains("x goals") && whole.contains("~ bank") && !whole.contains("pit"), "{whole}");
    // The letters stand for empty sites in a position.
    let again = game.position(&drawing).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(text::boards(&again, COLUMNS), drawing);
    assert!(game.position(&drawing.replace("2 ~ ~ ~ .", "2 ~ ~ ~ x")).is_err());
    assert!(again.position().contains("1 . B . ."), "{}", again.position());
    let picture = drawn(&state, Theme::Light);
    assert_sound("grounds", &picture);
    assert_eq!(in_part(&picture, "grounds").len(), 7, "{picture}");
    assert!(picture.find("data-part=\"grounds\"") < picture.find("data-part=\"pieces\""));
    let shown = texts(&picture);
    assert_eq!(shown.iter().filter(|text| *text == "x").count(), 2, "on c1 and in the legend: {shown:?}");
    assert!(["goals", "pit", "bank"].iter().all(|name| shown.iter().any(|text| text == name)), "{shown:?}");
}

#[test]
fn pieces_leave_the_letters_of_sets_alone() {
    let state = pegs("piece dot define den = {@b1} shown as \"d\"", "put dot at @a1");
    assert!(text::boards(&state, COLUMNS).contains("1 o d . ."), "{}", text::boards(&state, COLUMNS));
}

#[test]
fn players_pieces_may_have_colours_too() {
    let state = pegs(
        "piece mark[player] shown as [X: \"x\" in orange, O: \"o\"]",
        "put mark[X] at @a1 put mark[O] at @b1",
    );
    let picture = drawn(&state, Theme::Light);
    assert!(picture.contains("stroke=\"#cf6f1e\"") && picture.contains("stroke=\"#2d6da8\""), "{picture}");
}

const CARDS: &str = "game \"Cards\" {
  players X, O shown as [X: navy, O: \"Q\" in gold]
  enum suit { clubs, hearts } shown as [clubs: \"♣\" in black, hearts: \"♥\" in red]
  domain rank = 1..13 shown as [1: \"A\", 13: \"K\"]
  domain card { suit: suit, rank: rank, pack: 1..2 }
  board cell = grid(2, 1)
  piece mark[player]
  zone stock of card seen by none
  zone row of card
  setup {
    put mark[X] at @a1 put mark[O] at @b1
    move { c in card where c.rank in {1, 10} and c.pack == 1 } to row
  }
  turn { choose { take c in row where c.suit == hearts { move c to stock } otherwise { end game } } }
}";

#[test]
fn cards_have_the_signs_of_their_values() {
    let state = begun(&written(CARDS));
    let drawing = text::state(&state, None);
    assert!(drawing.contains("♣A1 ♣10-1 ♥A1+ ♥10-1+"), "{drawing}");
    let painted = text::screen(
        &state,
        &text::TextOptions {
            viewer: None,
            open: false,
            before: None,
            paint: houserule::paint::Paint::new(true),
        },
    );
    let red = "\u{1b}[1m\u{1b}[91m♥A1";
    assert!(painted.contains(red), "{painted:?}");
    let picture = drawn(&state, Theme::Light);
    assert_sound("cards", &picture);
    assert!(picture.contains("fill=\"#b8322a\" font-weight=\"600\" text-anchor=\"middle\">10<"), "{picture}");
    // Actions and positions have the names.
    assert!(state.game().parse_action("take hearts-1-1").is_some());
    assert!(state.position().contains("row = {clubs-1-1, clubs-10-1, hearts-1-1, hearts-10-1}"));
}

/// The panel and the caption name what the board shows.
#[test]
fn variables_and_the_last_move_have_the_signs_of_their_values() {
    let game = written(
        "game \"Gifts\" {
          players A, B
          enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
          domain card { suit: suit, rank: 7..9 }
          var last_card: card? = none
          var wanted: suit = clubs
          var gift[player]: set of card seen by owner
          var held[suit]: 0..9 = 0
          turn {
            choose {
              give c in card {
                gift[me] = gift[me] | c
                last_card = c
                wanted = hearts
                held[c.suit] += 1
              }
            }
          }
          end over when round == 3
        }",
    );
    let mut state = begun(&game);
    play(&mut state, &["give clubs-8"]);
    let told = |viewer: Option<Seat>| {
        let text = text::state(&state, viewer);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let [table, own, other] = [None, Some(Seat(0)), Some(Seat(1))].map(told);
    let all = text::screen(&state, &text::TextOptions::open());
    let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!table.contains("{♣8}"), "nobody in particular sees what lies open to all: {table}");
    for drawing in [&all, &own, &other] {
        assert!(drawing.contains("last card ♣8") && drawing.contains("wanted ♥"), "{drawing}");
        assert!(!drawing.contains("clubs") && !drawing.contains("hearts"), "{drawing}");
    }
    assert!(all.contains("{♣8}") && own.contains("{♣8}") && !other.contains("{♣8}"), "{all}\n{own}\n{other}");
    let style = PictureStyle { theme: Theme::Light, viewer: Some(Seat(0)), ..PictureStyle::default() };
    let said = texts(&svg(&state, &style));
    assert!(said.iter().any(|text| text == "Last move: A gave the 8 of clubs"), "{said:?}");
    let others = said.iter().filter(|text| !text.starts_with("Last move"));
    assert!(!others.clone().any(|text| text.contains("clubs") || text.contains("hearts")), "{said:?}");
    // Variables as data and positions have the names.
    assert!(state.position().contains("last_card = clubs-8"), "{}", state.position());
}

#[test]
fn players_have_the_colours_and_letters_of_the_rules() {
    let state = begun(&written(CARDS));
    assert_eq!(fills(&state), ["#d9a722"], "X draws a cross, and O a disc with a letter");
    let picture = drawn(&state, Theme::Light);
    assert!(picture.contains("stroke=\"#27376f\""), "the cross is navy: {picture}");
    assert!(text::state(&state, None).starts_with("1 X Q"), "{}", text::state(&state, None));
    let again = state.game().position("XQ\n").unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(text::boards(&again, COLUMNS).starts_with("1 X Q"));
}

#[test]
fn a_variant_shows_things_in_another_way() {
    let variant = "variant \"Paint\" of \"Cards\" {
      players X, O shown as [X: lime]
      enum suit { clubs, hearts } shown as [hearts: \"H\"]
    }";
    let state = begun(&written(&format!("{CARDS}\n{variant}")));
    let drawing = text::state(&state, None);
    assert!(drawing.contains("clubs-A1  clubs 10 1  HA1+  H10-1+"), "{drawing}");
    assert!(drawn(&state, Theme::Light).contains("stroke=\"#a5cf3d\""));
}

#[test]
fn players_who_may_be_absent_have_looks_too() {
    let game = "game \"Some\" {
      players 2..3 shown as [player 1: \"A\" in teal, player 3: pink]
      board cell = grid(2, 1)
      piece mark[player]
      setup { put mark[player 1] at @a1 put mark[player 2] at @b1 }
      turn { choose { go { end game } } }
    }";
    let two = begun(&written(game));
    assert_eq!(fills(&two)[0], "#24858a");
    let request = houserule::loader::Request { players: Some(3), ..Default::default() };
    let three = houserule::loader::load_text("some.rules", game, &request).unwrap().game;
    assert!(drawn(&begun(&three), Theme::Light).contains("#eda0b9"));
    let wrong = houserule::loader::load_text(
        "some.rules",
        &game.replace("player 3: pink", "player 4: pink"),
        &request,
    );
    assert!(wrong.unwrap_err().to_string().contains("there is no player 4"));
}

#[test]
fn pieces_have_the_letters_and_colours_of_their_kinds() {
    let kinds = "enum kind { pawn, silver, gold } shown as [pawn: \"P\", silver: \"S\" in teal]";
    let put = |whose: &str| {
        format!("put man[{whose}pawn] at @a1 put man[{whose}silver] at @b1 put man[{whose}gold] at @c1")
    };
    let state = pegs(&format!("{kinds} piece man[kind]"), &put(""));
    assert!(text::boards(&state, COLUMNS).starts_with("1 P S g ."), "{}", text::boards(&state, COLUMNS));
    assert_eq!(fills(&state)[1..], ["#24858a", "#d9a722"]);
    // A player's men have the player's colour, whatever their kinds are called.
    let state = pegs(&format!("{kinds} piece man[player, kind]"), &put("O, "));
    assert!(text::boards(&state, COLUMNS).starts_with("1 p s g ."), "{}", text::boards(&state, COLUMNS));
    assert_eq!(fills(&state), ["#2d6da8"; 3]);
    let last = put("O, ")
        .replace("O, pawn", "pawn, O")
        .replace("O, silver", "silver, O")
        .replace("O, gold", "gold, O");
    assert_eq!(fills(&pegs(&format!("{kinds} piece man[kind, player]"), &last)), ["#2d6da8"; 3]);
}

#[test]
fn pieces_on_sides_have_their_colours() {
    let walls = |piece: &str, put: &str| {
        let state = begun(&written(&format!(
            "game \"Walls\" {{
              players X, O
              board cell = grid(2, 2)
              edges side of cell
              piece {piece}
              setup {{ {put} }}
              turn {{ choose {{ go {{ end game }} }} }}
            }}"
        )));
        let picture = drawn(&state, Theme::Light);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let sides = document.descendants().find(|node| node.attribute("data-part") == Some("sides")).unwrap();
        sides.children().map(|node| node.attribute("stroke").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(walls("hedge on side", "put hedge at {@a1n, @a1e}"), ["#2b2926"]);
    assert_eq!(walls("hedge on side shown as green", "put hedge at {@a1n, @a1e}"), ["#338b53"]);
    assert_eq!(
        walls("wall[player] on side", "put wall[X] at @a1n put wall[O] at @a1e"),
        ["#c2473a", "#2d6da8"]
    );
}

#[test]
fn legends_have_words() {
    let state = pegs("piece red_ant piece tall_tree", "put red_ant at @a1 put tall_tree at @b1");
    let drawing = text::state(&state, None);
    assert!(drawing.contains("r red ant, t tall tree"), "{drawing}");
    let state = pegs("enum kind { wolf, old_goat } piece man[player, kind]", "put man[O, wolf] at @a1");
    let words = ["X wolf", "X old goat", "O wolf", "O old goat"];
    let drawing = text::state(&state, None);
    assert!(words.iter().all(|words| drawing.contains(words)) && !drawing.contains('['), "{drawing}");
    let shown = texts(&drawn(&state, Theme::Light));
    // The men of both have the same letters.
    assert!(["wolf", "old goat"].iter().all(|words| shown.contains(&(*words).to_owned())), "{shown:?}");
}

#[test]
fn long_scores_are_never_cut() {
    let game = written(
        "game \"Far\" {
          players A_very_long_name, B
          var debt[player]: -999999999999999..0 = -999999999999999
          turn { choose { pay { debt[me] += 1 } } }
          end paid when turns[me] > 3
          score { debt: debt[me] }
        }",
    );
    let said = texts(&drawn(&begun(&game), Theme::Light));
    assert_eq!(said.iter().filter(|text| *text == "-999999999999999").count(), 2, "{said:?}");
}

/// Names of options that aren't verbs don't follow `to`.
#[test]
fn a_status_is_a_sentence() {
    let said = |options: &str| {
        let game = written(&format!(
            "game \"Words\" {{
              players A, B
              var tally[player]: 0..99 = 0
              turn {{ choose {{ {options} }} }}
              end when turns[me] > 3: draw
            }}"
        ));
        text::status(&begun(&game), Onlookers::EVERYTHING)
    };
    assert_eq!(said("take { tally[me] += 1 } pass { tally[me] += 2 }"), "A to take or pass");
    assert_eq!(said("again { tally[me] += 1 } keep { tally[me] += 2 }"), "A to choose: again or keep");
    assert_eq!(
        said("again \"the next one\" { tally[me] += 1 } keep { tally[me] += 2 }"),
        "A to choose: the next one or keep"
    );
}

#[test]
fn numbers_are_shown_as_boxes_to_cross() {
    let mut state = begun(&bundled("dilido"));
    state.apply_outcome(0).unwrap();
    // Three for penalties and one for the joker.
    assert_eq!(in_part(&drawn(&state, Theme::Light), "boxes"), ["rect"; 4]);
    assert!(text::state(&state, None).contains("penalties    [ ][ ][ ]"), "{}", text::state(&state, None));
    let sheet = "dd....\n......\n......\n......\n......\n......\npenalties = 2";
    let state = state.game().position(sheet).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(in_part(&drawn(&state, Theme::Light), "boxes"), ["rect", "rect", "rect", "path", "rect"]);
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
    assert!(said.iter().any(|text| text.starts_with("Last move: X asked 3; O answ")), "{said:?}");
}

#[test]
fn what_is_drawn_is_nobodys_move() {
    let game = written(
        "game \"Draws\" {
          players A, B
          domain card = 1..9
          zone stock of card = 2
          zone hand[player] of card
          zone laid of card
          turn {
            draw fresh from stock to hand[me]
            choose {
              play c in hand[me] { move c from hand[me] to laid }
              dig { draw found from stock to laid }
            }
          }
          end when turns[me] == 3: draw
        }",
    );
    let captions = |state: &houserule::game::State| -> Vec<String> {
        let is_caption = |text: &String| text.starts_with("Last move") || text.starts_with("Drawn");
        texts(&drawn(state, Theme::Light)).into_iter().filter(is_caption).collect()
    };
    let mut state = game.start(1, 0).unwrap();
    let said = captions(&state);
    assert!(said.len() == 1 && said[0].starts_with("Drawn: "), "{said:?}");
    // By then the other player has drawn a card.
    for name in ["A", "B"] {
        play(&mut state, &["dig"]);
        let said = captions(&state);
        let told = format!("Last move: {name} dug; drawn: ");
        assert!(said.len() == 1 && said[0].starts_with(&told) && !said[0].contains("pick"), "{said:?}");
    }
}

/// The number of a define stands beside its zone, or in the head.
#[test]
fn numbers_of_defines_are_shown() {
    let state = begun(&written(
        "game \"Row\" {
          players 2
          domain card = 1..9
          zone stock of card seen by none
          zone row of card ordered shown as row
          define tally = sum c in row: c shown as number at row
          define laid = count(row) shown as number
          setup { move {4, 7} to row }
          turn { choose { draw_one { draw c from stock to row } } }
          end full when stock is nothing: win me
        }",
    ));
    let said = texts(&drawn(&state, Theme::Light));
    assert!(said.iter().any(|text| text == "row · tally 11"), "{said:?}");
    assert!(said.windows(2).any(|two| two[0] == "laid" && two[1] == "2"), "{said:?}");
    let text = text::state(&state, None);
    assert!(text.contains("row  4 7   tally 11") && text.contains("laid 2"), "{text}");
}
