//! What fills sites, cards that lie on them, and lines from one to another.

use super::{Theme, begun, bundled, drawn, in_part, play, texts, written};
use houserule::game::State;

fn light(state: &State) -> String {
    drawn(state, Theme::Light)
}

/// A board with a piece that is written as `#`, with some more declarations.
fn filled(more: &str) -> String {
    let rules = format!(
        "game \"Filled\" {{
          players 1
          board cell = grid(3, 3)
          piece thing shown as \"#\" in grey \"what is there\"
          {more}
          setup {{ put thing at @b2 }}
          turn {{ choose {{ place c in empty {{ put thing at c }} otherwise {{ end game }} }} }}
        }}"
    );
    light(&begun(&written(&rules)))
}

#[test]
fn what_fills_a_site_has_no_letter() {
    let (block, covered) = (filled(""), filled("var secret: set of cell = {} seen by none"));
    for picture in [&block, &covered] {
        assert!(!texts(picture).iter().any(|text| text == "#"), "{picture}");
        assert!(!in_part(picture, "pieces").contains(&"circle".to_owned()), "{picture}");
    }
    // If something about the sites is hidden, it is a back.
    assert!(covered.contains("#5b7288") && !block.contains("#5b7288"));
}

#[test]
fn a_site_with_what_is_shown_as_nothing_is_no_site() {
    // The squares are the first path.
    let squares = |picture: &str| {
        let path = picture.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next());
        path.unwrap_or_default().matches('z').count()
    };
    let (shown, left_out) = (filled(""), filled("shown thing as nothing"));
    assert_eq!((squares(&shown), squares(&left_out)), (9, 8), "{left_out}");
}

#[test]
fn a_man_alone_of_its_side_needs_no_letter() {
    let game = written(
        "game \"Men\" {
          players white, black
          board cell = grid(3, 3)
          piece man[player] shown as [white: \"O\", black: \"Q\"]
          setup { put man[white] at @a1 put man[black] at @c3 }
          turn { choose { move a in man[me], b in empty { move a to b } } }
          end when turns[me] > 9: draw
        }",
    );
    let picture = light(&begun(&game));
    assert!(!texts(&picture).iter().any(|text| text == "O" || text == "Q"), "{picture}");
}

#[test]
fn cards_on_sites_are_cards() {
    let game = written(
        "game \"Flags\" {
          players 2
          enum colour { red, blue }
          domain card { colour: colour, rank: 1..6 }
          board flag = track(3)
          zone deck of card seen by none
          zone hand[player] of card seen by owner
          zone side[player, flag] of card
          setup { for p in players { deal 3 from deck to hand[p] } }
          turn { choose { lay c in hand[me], f in cells { move c to side[me, f] } otherwise { end game } } }
        }",
    );
    let mut state = game.start(1, 0).unwrap();
    let before = light(&state);
    let action = state.legal_actions()[0];
    let rank = game.action_name(action).split(' ').nth(1).unwrap().split('-').nth(1).unwrap().to_owned();
    state.apply(action).unwrap();
    let after = light(&state);
    // The number of the card stands in its corner and in its middle, and no legend of letters is needed.
    let count = |picture: &str| texts(picture).iter().filter(|text| **text == rank).count();
    assert!(count(&after) > count(&before), "{after}");
    assert!(!texts(&after).iter().any(|text| text == "red" || text == "blue"), "{after}");
}

#[test]
fn tables_lead_over_a_track() {
    let rules = |look: &str| {
        format!(
            "game \"Way\" {{
              players 1
              board square = track(9) shown at \"0,0: 2e 1n 2w 1n 2e\"
              piece counter
              table leads[1..9]: 0..9 = [1: 0, 2: 6, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 3, 9: 0]{look}
              setup {{ put counter at square(1) }}
              turn {{ choose {{ go c in counter where leads[2] > 0 {{ end game }} }} }}
            }}"
        )
    };
    let (plain, drawn) = (rules(""), rules(" shown as line"));
    // A track without places has them, too.
    for places in ["", " shown at \"0,0: 2e 1n 2w 1n 2e\""] {
        let here = |rules: &str| rules.replace(" shown at \"0,0: 2e 1n 2w 1n 2e\"", places);
        let [plain, drawn] = [&plain, &drawn].map(|rules| light(&begun(&written(&here(rules)))));
        assert!(drawn.contains("data-part=\"jumps\"") && !plain.contains("data-part=\"jumps\""), "{drawn}");
    }
}

#[test]
fn wedges_have_their_letters_in_upper_case() {
    let picture = light(&begun(&bundled("minishogi")));
    let said = texts(&picture);
    assert!(said.iter().any(|text| text == "K") && !said.iter().any(|text| text == "k"), "{said:?}");
}

#[test]
fn last_moves_are_sentences() {
    let mut state = begun(&bundled("chess"));
    play(&mut state, &["move e2 e4"]);
    let said = texts(&light(&state));
    assert!(said.iter().any(|text| text == "Last move: White moved from e2 to e4"), "{said:?}");
}

/// A square would have corners over the neighbours.
#[test]
fn what_fills_a_hexagon_has_its_corners() {
    let game = written(
        "game \"Filled\" {
          players 1
          board cell = hexagon(3)
          piece rock shown as \"#\" in grey
          setup { put rock at @c3 }
          turn { choose { place c in empty { put rock at c } otherwise { end game } } }
        }",
    );
    let pieces = super::in_part(&light(&begun(&game)), "pieces");
    assert!(!pieces.is_empty() && pieces.iter().all(|kind| kind == "path"), "{pieces:?}");
}
