//! Boards on paper, areas and lines, grids on coarser ones, and links with parts.

use super::{begun, bundled, drawn, in_part, texts, written};
use houserule::draw::svg::{PictureStyle, Theme, svg};
use houserule::draw::text;
use houserule::game::State;

fn light(state: &State) -> String {
    drawn(state, Theme::Light)
}

/// Returns the outlines of the paths in a part of a picture.
fn paths(picture: &str, part: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let parts = document.descendants().filter(|node| node.attribute("data-part") == Some(part));
    let inside = parts.flat_map(|part| part.descendants()).filter(|node| node.has_tag_name("path"));
    inside.filter_map(|path| path.attribute("d").map(str::to_owned)).collect()
}

/// Begins a game on a board of two players, with these declarations and this setup.
fn field(declarations: &str, setup: &str) -> State {
    begun(&written(&format!(
        "game \"Field\" {{
          players red, blue
          {declarations}
          setup {{ {setup} }}
          turn {{ choose {{ go {{ end game }} }} }}
        }}"
    )))
}

#[test]
fn a_sheet_has_a_shadow_that_no_printer_draws() {
    let state = begun(&bundled("dilido"));
    assert!(light(&state).contains("fill-opacity=\"0.16\"") && light(&state).contains("fill=\"#fffefd\""));
    let printed = drawn(&state, Theme::Print);
    assert!(!printed.contains("fill-opacity") && !printed.contains("fill=\"#fffefd\""));
}

#[test]
fn sums_of_rows_and_columns_are_written_into_the_margin() {
    let game = bundled("dilido");
    let sheet = |text: &str| game.position(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(in_part(&light(&sheet("......\n......\n......\n......\n......\ndd....")), "sums").is_empty());
    // A row of three and a column of four.
    let state = sheet("......\n......\nd.....\nd.....\nd.....\nddd...");
    assert_eq!(in_part(&light(&state), "sums"), ["path"; 2]);
    // The table of the score has four directions and the total, each number of one path.
    let written = in_part(&light(&state), "table");
    assert_eq!(written.iter().filter(|element| *element == "text").count(), 5);
}

#[test]
fn boxes_of_what_is_left_are_crossed_as_it_is_used() {
    let game = bundled("dilido");
    let sheet = |jokers: u32| {
        let sheet = format!("dd....\n......\n......\n......\n......\n......\njokers_left = {jokers}");
        game.position(&sheet).unwrap_or_else(|errors| panic!("{errors:?}"))
    };
    let left = |jokers: u32| texts(&light(&sheet(jokers))).contains(&jokers.to_string());
    assert!(left(0) && left(1));
    let crossed = |jokers: u32| in_part(&light(&sheet(jokers)), "boxes").contains(&"path".to_owned());
    assert_eq!((crossed(1), crossed(0)), (false, true));
    assert!(texts(&light(&sheet(0))).contains(&"jokers left".to_owned()));
    assert!(text::state(&sheet(0), None).contains("0 [x]") && text::state(&sheet(1), None).contains("1 [ ]"));
}

#[test]
fn tables_are_printed_in_the_cells() {
    let printed = |state: &State| in_part(&light(state), "printed").len();
    assert_eq!(printed(&begun(&bundled("dice-wide-shut"))), 4 * 25);
    let worth = field(
        "board cell = grid(3, 2)
         table worth[cell]: 1..9 = [corners: 3, cells - corners: 1] shown as number
         define best = max c in cell: worth[c]
         piece mark on cell",
        "if best > 0 { put mark at @a1 }",
    );
    assert_eq!(texts(&light(&worth)).iter().filter(|text| *text == "3").count(), 4);
}

#[test]
fn sites_beside_each_other_are_one_shape() {
    let board = "board cell = grid(5, 5) piece wood shown as area in brown piece way shown as line";
    let shapes = |setup: &str| paths(&light(&field(board, setup)), "shapes");
    assert!(shapes("put way at {}").is_empty());
    // Two cells in a row: a rectangle, as a ground and as an outline.
    let two = shapes("put wood at {@b2, @c2}");
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|outline| outline.matches(['h', 'v', 'l']).count() == 3), "{two:?}");
    // A way around a corner: two straight ends and a bend, with a casing.
    let way = shapes("put way at {@b2, @c2, @c3}");
    assert_eq!(way.len(), 2);
    assert!(way.iter().all(|line| line.matches('c').count() == 1), "{way:?}");
}

#[test]
fn sets_and_variables_are_shapes_too() {
    let of = |declaration: &str, setup: &str| {
        let board = format!("board cell = grid(5, 5) {declaration} piece mark on cell");
        paths(&light(&field(&board, setup)), "shapes").len()
    };
    assert_eq!(of("define lake = {@b2, @c2} shown as area", "put mark at lake"), 2);
    assert_eq!(of("var land[player]: set of cell shown as area", "land[red] = {@b2} land[blue] = {@d4}"), 4);
    assert_eq!(of("var land[player]: set of cell", "land[red] = {@b2} land[blue] = {@d4}"), 0);
}

/// A landscape of nine tiles of nine spots, with a town and a way on one of them.
const LANDSCAPE: &str = "board cell = grid(3, 3)
    board spot = grid(9, 9) shown over cell
    enum land { meadow, town, way }
    piece ground[land] on spot shown as [meadow: area in lime, town: area in brown, way: line in white]
    piece tile on cell shown as nothing
    var men[player]: set of spot shown as meeple";

#[test]
fn a_finer_grid_is_drawn_as_tiles() {
    let setup = "put tile at @b2
        put ground[meadow] at {@d4, @e4, @f4, @d5, @f5, @d6, @e5}
        put ground[town] at @e6
        put ground[way] at @f6
        men[blue] = {@e6}";
    let picture = light(&field(LANDSCAPE, setup));
    // The meadow, the town and its wall, and the border of the tile.
    assert_eq!(in_part(&picture, "tiles"), ["path"; 4]);
    assert_eq!(in_part(&picture, "counters").iter().filter(|element| *element == "path").count(), 2);
    assert_eq!(in_part(&picture, "pieces").len(), 0);
    let empty = light(&field(LANDSCAPE, "put tile at {}"));
    assert!(in_part(&empty, "tiles").is_empty());
}

/// Three cities with routes of one, two and three parts.
const ROUTES: &str = "board city = graph(\"ayr-bern bern-cork cork-ayr\")
    enum colour { red, blue }
    edges route of city shown as line(length) in paid_in
    table length[route]: 1..3 = [@ayr_bern: 1, @bern_cork: 2, @ayr_cork: 3]
    table paid_in[route]: colour? = [@bern_cork: blue]
    piece track[player] on route";

#[test]
fn links_have_parts() {
    let parts = |setup: &str| {
        let all = paths(&light(&field(ROUTES, setup)), "links");
        all.iter().map(|path| path.matches('z').count()).collect::<Vec<usize>>()
    };
    // Each link is one element; that in blue also has a fill and signs.
    let mut free = parts("put track[red] at {}");
    free.sort_unstable();
    assert_eq!(free, [1, 2, 2, 2, 3]);
    let mut built = parts("put track[red] at @bern_cork");
    built.sort_unstable();
    assert_eq!(built, [1, 2, 3]);
    let picture = svg(
        &field(ROUTES, "put track[red] at @bern_cork"),
        &PictureStyle { things: true, ..PictureStyle::default() },
    );
    assert_eq!(picture.matches("data-thing=\"route:").count(), 3);
    assert!(texts(&light(&field(ROUTES, "put track[red] at {}"))).contains(&"Bern".to_owned()));
}

#[test]
fn a_mark_of_a_pencil_never_moves() {
    let game = bundled("dilido");
    let dots = |row: &str| {
        let sheet = format!("......\n......\n......\n......\n......\n{row}");
        paths(&light(&game.position(&sheet).unwrap()), "pieces").remove(0)
    };
    let (one, two, third) = (dots("d....."), dots("d.d..."), dots("..d..."));
    assert!(two.starts_with(&one) && two.len() > one.len());
    // Other sites have dots of another form.
    let form = |outline: &str| outline.split_once('c').unwrap().1.to_owned();
    assert_ne!(form(&one), form(&third));
}
