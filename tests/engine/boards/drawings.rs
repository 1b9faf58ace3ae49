//! Snapshot tests: drawings of every kind of board. With `UPDATE_SNAPSHOTS=1` the files in `tests/drawings`
//! are written again. Every drawing is read back to the same state.

use super::{bundled, written};
use crate::on_any_board::LINES;
use crate::states::position;
use crate::text_snapshots::check_snapshots;
use houserule::draw::text;
use houserule::drawing::{GlyphRole, WIDEST, instances, page, symbols};
use houserule::game::{Game, State};

/// A game in which each player marks one site per turn.
fn marks(boards: &str, at: &str) -> Game {
    written(&crate::on_any_board::marks("X, O", boards, at))
}

const SEEDS: &str = "game \"Seeds\" {
  players X, O
  board pit = grid(6, 2)
  var seeds[pit]: 0..48 = 4
  turn { choose sow {
    sow c in pit where seeds[c] > 0 {
      let n = seeds[c]
      seeds[c] = 0
      for d in pit - {c} { if n > 0 { seeds[d] += 1; n -= 1 } }
    }
  } }
  end when seeds[@a1] > 9
  score { seeds: seeds[@a1] }
}";

/// Every game that is drawn, with the number of random actions before the drawing.
fn games() -> Vec<(&'static str, Game, usize)> {
    let star = "board star = graph(\"hub-north hub-east hub-south hub-west\", \"north-east-south-west-north\")\n piece mark[player]";
    let cross = "board point = graph(\"a1-b1-c1 a2-b2-c2 a3-b3-c3 a1-b2-c3 a3-b2-c1\", \"a1-a2-a3 b1-b2-b3 c1-c2-c3 a2-c1\")\n piece mark[player]";
    vec![
        ("hex", bundled("hex", &[]), 40),
        ("hex-of-four", bundled("hex", &[("size", "4")]), 3),
        ("hex-from-below", marks("board cell = hex(6, 4)\n piece mark[player]", "cell"), 7),
        ("hex-in-numbers", marks("board cell = hex(30, 3)\n piece mark[player]", "cell"), 20),
        ("hex-as-large-as-can-be", marks("board cell = hex(64, 64)\n piece mark[player]", "cell"), 99),
        ("morris", bundled("nine-mens-morris", &[]), 30),
        ("morris-begins", bundled("nine-mens-morris", &[]), 0),
        ("graph-with-diagonals", marks(cross, "point"), 4),
        ("graph-as-list", marks(star, "star"), 2),
        ("track", marks("board field = track(40, wrap: true)\n piece mark[player]", "field"), 9),
        ("boxes", bundled("dots-and-boxes", &[]), 52),
        ("boxes-begin", bundled("dots-and-boxes", &[("width", "2"), ("height", "1")]), 0),
        ("boxes-as-many-as-can-be", bundled("dots-and-boxes", &[("width", "24"), ("height", "24")]), 600),
        (
            "boxes-in-small",
            marks("board cell = grid(30, 3)\n edges side of cell\n piece mark[player] on cell", "cell"),
            60,
        ),
        ("lines-of-players", written(LINES), 24),
        ("grid-that-is-wide", marks("board cell = grid(38, 5)\n piece mark[player]", "cell"), 80),
        ("grid-that-is-wider", marks("board cell = grid(64, 12)\n piece mark[player]", "cell"), 200),
        ("numbers", written(SEEDS), 5),
    ]
}

/// Returns the state after some random actions.
fn after(game: &Game, actions: usize) -> State {
    let mut state = game.start(7, 0).unwrap();
    for _ in 0..actions {
        let Some(action) = state.random_action() else { break };
        state.apply(action).unwrap();
    }
    state
}

#[test]
fn drawings_are_as_they_were_seen() {
    check_snapshots(games().into_iter().map(|(name, game, actions)| {
        (format!("tests/drawings/{name}.txt"), text::state(&after(&game, actions), None))
    }));
}

#[test]
fn what_is_drawn_is_read_back() {
    for (name, game, most) in games() {
        for actions in [0, most / 3, most, most + 1] {
            let state = after(&game, actions);
            if state.is_over() {
                continue;
            }
            let text = state.position();
            let read = position(&game, &text);
            assert_eq!(read.position(), text, "{name}");
            assert_eq!(read.legal_actions(), state.legal_actions(), "{name}");
            assert_eq!(read.current_player(), state.current_player(), "{name}");
        }
    }
}

#[test]
fn no_drawing_is_wider_than_a_page() {
    for (name, game, actions) in games() {
        let drawn = text::boards(&after(&game, actions), WIDEST);
        for line in drawn.lines() {
            assert!(line.chars().count() <= WIDEST, "{name}: {line}");
        }
    }
}

#[test]
fn a_board_too_wide_for_a_narrow_page_is_drawn_without_blanks() {
    let state = after(&bundled("points", &[]), 0);
    let widest = |columns| {
        let drawn = text::boards(&state, columns);
        drawn.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert_eq!([100, 78, 77, 50].map(widest), [78, 78, 41, 41]);
}

#[test]
fn what_joins_the_points_need_not_be_drawn() {
    let game = bundled("nine-mens-morris", &[]);
    let state = after(&game, 17);
    let bare: String = state.position().chars().map(|c| if "-|+".contains(c) { ' ' } else { c }).collect();
    assert_eq!(position(&game, &bare).position(), state.position());
}

#[test]
fn every_character_knows_its_site() {
    for (name, game, actions) in games() {
        let state = after(&game, actions);
        for instance in instances(&game) {
            let mut seen = std::collections::BTreeSet::new();
            for glyph in page(&state, &instance).lines.iter().flatten() {
                let GlyphRole::Site { board, site, symbol, .. } = glyph.ink else { continue };
                let board_of = &game.model().boards[board.index()];
                assert!(site.0 < board_of.topology.size(), "{name}");
                seen.insert((board.0, site));
                if let Some(symbol) = symbol {
                    let character = symbols(&game, board_of)[symbol].character;
                    assert!([character, '-'].contains(&glyph.character), "{name}: {glyph:?}");
                }
            }
            let sites: u32 = game.model().boards.iter().map(|b| b.topology.size()).sum();
            assert_eq!(seen.len() as u32, sites, "{name}");
        }
    }
}

/// Returns the first message about an invalid drawing of a position.
fn wrong(game: &Game, text: &str) -> String {
    game.position(text).map(|state| state.position()).unwrap_err()[0].to_string()
}

#[test]
fn what_is_drawn_wrongly_is_told() {
    let game = bundled("dots-and-boxes", &[("width", "2"), ("height", "1")]);
    let how = "a cell is drawn `+---+` above, `|   |` beside, with blanks where no line is";
    assert_eq!(wrong(&game, "+---+\n"), format!("line 1: a line of 3 corners is due here; {how}"));
    let short = "line 1: the field has 3 lines (rows and what is between them), and 1 is drawn";
    assert_eq!(wrong(&game, "+---+---+"), short);
    let row = "line 2: this row is row 1, not 2: rows stand as on the board";
    assert_eq!(wrong(&game, "  +   +   +\n2 |   |   |\n  +   +   +"), row);
    let stray = format!("line 2: `|` stands between the places of the field; {how}");
    assert_eq!(wrong(&game, "+   +   +\n|       |  |\n+   +   +"), stray);
    let piece = "line 2: `7` on a1 is no piece; there are `1 = box[player-1]`, `2 = box[player-2]`, and `.` is an empty site";
    assert_eq!(wrong(&game, "+   +   +\n  7\n+   +   +"), piece);

    let game = bundled("nine-mens-morris", &[]);
    let row = "line 4: a row has 6 sites, and this line has 5; `.` is an empty site, and a line that is no row has a `=`";
    assert_eq!(wrong(&game, ". . .\n. . .\n. . .\n. . . . .\n. . .\n. . .\n. . ."), row);

    let (_, game, _) = games().into_iter().find(|(name, _, _)| *name == "graph-as-list").unwrap();
    let form = "line 1: `nort` is no site of `star`: write each site before what stands there";
    assert_eq!(wrong(&game, "hub . nort X"), form);
    assert_eq!(wrong(&game, "hub . north"), "line 1: what stands on north? `.` is an empty site");
    assert_eq!(wrong(&game, "hub . hub X"), "line 1: hub is drawn twice");
    assert_eq!(wrong(&game, "hub . north X"), "line 1: `star` has 5 sites, and 2 are listed");

    let (_, game, _) = games().into_iter().find(|(name, _, _)| *name == "numbers").unwrap();
    let range = "line 1: `seeds` is 0..48, and 49 is not";
    assert_eq!(wrong(&game, "49 4 4 4 4 4\n4 4 4 4 4 4"), range);
}
