//! Valid pictures of every bundled game and every kind of board: at the start, in the middle, at the end.

use std::collections::BTreeSet;

use super::{THEMES, assert_sound, begun, bundled, drawn, go_on, in_part, texts, written};
use crate::on_any_board::LINES;
use houserule::draw::svg::{PictureStyle, Theme, svg};
use houserule::game::Game;
use houserule::loader::{Request, load};
use houserule::variants::Setting;

/// Returns a game in which each player marks one site per turn.
fn marks(players: &str, boards: &str, at: &str) -> Game {
    written(&crate::on_any_board::marks(players, boards, at))
}

const KINDS: &str = "game \"Kinds\" {
  players ann, bob, carol
  board cell[player] = grid(5, 4)
  piece hill on cell
  piece lake on cell
  piece tree on cell
  piece barn on cell
  piece mill on cell
  dice three: 3 of d20
  turn {
    roll three
    choose build {
      hill c in cells(cell) { put hill[me] at c }
      lake c in cells(cell) { put lake[me] at c }
      tree c in cells(cell) { put tree[me] at c }
      barn c in cells(cell) { put barn[me] at c }
      mill c in cells(cell) { put mill[me] at c }
    }
  }
  end long when turns[me] == 30
  score { hills: count(hill[me]) }
}";

const STORED: &str = "game \"Numbers\" {
  players X, O
  board field = grid(3, 3)
  var height[field]: 0..1000 = 0
  turn { choose build { build c in field where height[c] < 900 { height[c] += 77 } otherwise { end game } } }
  score { height: height[@a1] }
}";

/// A graph whose sites are linked with the next only.
const PATH: &str = "inn-mill-well-barn-ford-church_of_the_village-oak-hill-lake-farm-gate-tower";

fn kinds() -> Vec<(&'static str, Game)> {
    let star = "board star = graph(\"hub-north hub-east hub-south hub-west\", \"north-east-south-west-north\")\n piece mark[player]";
    let piece = "\n piece mark[player]";
    let on = |board: &str, at: &str| marks("X, O", &format!("board {board}{piece}"), at);
    vec![
        ("star", marks("red, blue, green, grey", star, "star")),
        ("track", on("field = track(37)", "field")),
        ("straight track", on("field = track(12)", "field")),
        ("path", on(&format!("field = graph({PATH:?})"), "field")),
        ("ring", on("field = track(40, wrap: true)", "field")),
        ("long ring", on("field = track(200, wrap: true)", "field")),
        ("one cell", on("cell = grid(1, 1)", "cell")),
        ("one row", on("cell = grid(64, 1)", "cell")),
        ("one column", on("cell = grid(1, 64)", "cell")),
        ("large", on("cell = grid(64, 64)", "cell")),
        ("field", on("cell = grid(38, 31) from top", "cell")),
        ("points", on("point = grid(19, 19)", "point")),
        ("hex from below", on("cell = hex(6, 4)", "cell")),
        ("large hex", on("cell = hex(64, 64)", "cell")),
        ("sixteen", marks("16", "board cell = grid(9, 9)\n piece mark[player]", "cell")),
        ("lines", written(LINES)),
        ("kinds", written(KINDS)),
        ("numbers", written(STORED)),
        ("pits", written(&STORED.replace("field", "pit").replace("0..1000", "0..999"))),
    ]
}

fn assert_all_sound(name: &str, game: &Game) {
    let mut state = begun(game);
    for events in [0, 1, 7, 40, 400] {
        go_on(&mut state, events);
        for theme in THEMES {
            let picture = drawn(&state, theme);
            assert_sound(name, &picture);
            assert_eq!(picture, drawn(&state.clone(), theme), "{name}");
        }
        for width in [100, 2000] {
            let style = PictureStyle {
                legal: true,
                width: Some(width),
                theme: Theme::Light,
                ..PictureStyle::default()
            };
            let picture = svg(&state, &style);
            assert_sound(name, &picture);
            assert!(picture.contains(&format!(" width=\"{width}\" ")), "{name}");
        }
    }
}

#[test]
fn every_bundled_game_is_drawn_soundly() {
    for name in crate::extent::bundled("pictures", 16) {
        assert_all_sound(name, &bundled(name));
    }
    let many = [("pig", 10), ("yacht", 6), ("yacht", 10), ("dots-and-boxes", 4)];
    for (name, players) in crate::extent::some_of("many players", 2, many) {
        let request = Request { name, players: Some(players), ..Request::default() };
        assert_all_sound(name, &load(&request).unwrap().game);
    }
}

#[test]
fn every_kind_of_board_is_drawn_soundly() {
    for (name, game) in crate::extent::some_of("kinds", 4, kinds()) {
        assert_all_sound(name, &game);
    }
}

/// A row of a few sites isn't bent, whether it is a track or joined by links.
#[test]
fn a_row_of_sites_is_drawn_straight() {
    let is_row = |name: &str| ["straight track", "path", "track"].contains(&name);
    for (name, game) in kinds().into_iter().filter(|(name, _)| is_row(name)) {
        let picture = drawn(&begun(&game), Theme::Light);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let parts = document.descendants().filter(|node| node.attribute("data-part") == Some("coordinates"));
        let names = parts.flat_map(|part| part.descendants()).filter(|node| node.has_tag_name("text"));
        let rows: BTreeSet<&str> = names.filter_map(|name| name.attribute("y")).collect();
        // Thirty-seven sites would be too wide.
        assert_eq!(rows.len(), if name == "track" { 4 } else { 1 }, "{name}: {rows:?}");
    }
}

/// Plates have the names of the players with a capital letter.
fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[test]
fn every_bundled_game_says_its_title_and_who_plays() {
    for name in crate::extent::bundled("titles", 8) {
        let game = bundled(name);
        let said = texts(&drawn(&begun(&game), Theme::Light));
        assert!(said.contains(&game.model().title), "{name}: {said:?}");
        if game.players() > 1 {
            assert!(
                game.model().players.names.iter().all(|player| said.contains(&capitalised(player))),
                "{name}: {said:?}"
            );
        }
    }
}

#[test]
fn themes_differ_and_auto_has_both() {
    for name in crate::extent::bundled("themes", 8) {
        let state = begun(&bundled(name));
        let [light, dark, auto] = THEMES.map(|theme| drawn(&state, theme));
        assert_ne!(light, dark, "{name}");
        assert!(!light.contains("<style") && !dark.contains("<style"), "{name}");
        assert!(!light.contains("var(") && !dark.contains("var(") && !auto.contains("var("), "{name}");
        // Without its style sheet the picture is the light one, except for the element's id.
        let document = roxmltree::Document::parse(&auto).unwrap();
        let sheet = document.descendants().find(|node| node.has_tag_name("style")).unwrap();
        let rules = sheet.text().unwrap();
        let without = auto.replace(&auto[sheet.range()], "");
        assert_eq!(without, light, "{name}");
        // The style sheet has every colour of the dark picture.
        let id = document.root_element().attribute("id").unwrap();
        let dark_rules = rules.strip_prefix("@media(prefers-color-scheme:dark){").unwrap();
        let dark_rules = &dark_rules[..dark_rules.find("}}").unwrap()];
        for attribute in ["fill", "stroke"] {
            for part in dark.split(&format!(" {attribute}=\"#")).skip(1) {
                assert!(
                    dark_rules.contains(&format!("{{{attribute}:#{}", &part[..6])),
                    "{name}: {}",
                    &part[..6]
                );
            }
        }
        // The style sheet affects only this picture.
        for rule in
            rules.replace("@media(prefers-color-scheme:dark){", "").split('}').filter(|rule| !rule.is_empty())
        {
            assert!(rule.contains(&format!("#{id} [")), "{name}: {rule}");
        }
    }
}

#[test]
fn areas_are_hatched_and_outlined() {
    let settings = ["width", "height", "zone_width", "zone_height"].map(|name| Setting::new(name, "7"));
    let game = load(&Request { name: "points", settings: &settings, ..Request::default() }).unwrap().game;
    let mut state = game.start(1, 0).unwrap();
    for site in ["c2", "c3", "d3", "a7", "c4", "b7"] {
        state.apply(game.parse_action(&format!("place {site}")).unwrap()).unwrap();
    }
    assert!(in_part(&drawn(&state, Theme::Light), "areas").is_empty());
    state.apply(game.parse_action("place b3").unwrap()).unwrap();
    let picture = drawn(&state, Theme::Light);
    assert_eq!(in_part(&picture, "areas"), ["path"; 2]);
    // Around one crossing lies a square that stands on its corner.
    let document = roxmltree::Document::parse(&picture).unwrap();
    let part = document.descendants().find(|node| node.attribute("data-part") == Some("areas")).unwrap();
    let outline =
        part.children().filter(|node| node.has_tag_name("path")).find_map(|path| path.attribute("d"));
    assert_eq!(outline.unwrap().matches('l').count(), 3, "{outline:?}");
}

#[test]
fn names_of_columns_and_rows_stand_apart() {
    let boards =
        (2..6).flat_map(|side| ["star", "hexagon", "triangle"].map(|form| format!("{form}({})", side + 1)));
    for board in boards {
        let game = marks("X, O", &format!("board cell = {board}\n piece mark[player]"), "cell");
        let picture = super::drawn(&begun(&game), Theme::Light);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let part = document.descendants().find(|node| node.attribute("data-part") == Some("coordinates"));
        let labels: Vec<_> = part.unwrap().children().collect();
        for (at, one) in labels.iter().enumerate() {
            for other in &labels[..at] {
                let [a, b] = [one, other].map(|label| super::extent(label).unwrap());
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{board}: {:?} and {:?}", one.text(), other.text());
            }
        }
    }
}
