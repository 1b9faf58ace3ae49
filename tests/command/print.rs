//! `print`: games on paper. `tests/python/test_print.py` reads the PDF files with a reader of its own.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::command::run;

/// Pixels of a page per millimetre.
const MM: f64 = 96.0 / 25.4;

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("print");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn print(args: &str, file: &Path) -> (u8, String, String) {
    let file = file.display().to_string();
    let args: Vec<&str> = ["print"].into_iter().chain(args.split(' ')).chain(["-o", &file]).collect();
    run(&args)
}

/// Returns the first page as SVG.
fn page(args: &str, name: &str) -> String {
    let file = path(&format!("{name}.svg"));
    let (code, out, err) = print(args, &file);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{args}");
    std::fs::read_to_string(file).unwrap()
}

/// Writes a rule file.
fn rules(name: &str, text: &str) -> String {
    let file = path(name);
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

/// Returns the most common length of the closed lines that are squares, and distance of lines of a grid, in millimetres.
fn square(page: &str) -> f64 {
    let mut found: BTreeMap<u64, usize> = BTreeMap::new();
    for data in page.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        for track in data.split('M').skip(1).filter(|track| !track.contains('L') && !track.contains('Z')) {
            let number =
                |text: &str| text.split(['H', 'V']).next().and_then(|n| n.trim().parse::<f64>().ok());
            let start: Vec<f64> =
                track.split(['H', 'V']).next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
            let across: Vec<f64> = track.split('H').skip(1).filter_map(number).collect();
            if let ([right, left], [x, _]) = (across.as_slice(), start.as_slice())
                && left == x
            {
                *found.entry(((right - left) / MM * 100.0).round() as u64).or_default() += 1;
            }
        }
    }
    for data in page.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let upright = data.split('M').filter_map(|line| line.split_once('V')?.0.split_once(' '));
        let places: Vec<f64> = upright.filter_map(|(x, _)| x.parse().ok()).collect();
        // Rules of tables are fewer.
        for two in places.windows(2).filter(|_| places.len() > 4) {
            *found.entry(((two[1] - two[0]) / MM * 100.0).round() as u64).or_default() += 1;
        }
    }
    let (length, _) = found.into_iter().max_by_key(|(_, count)| *count).unwrap();
    length as f64 / 100.0
}

#[test]
fn squares_are_of_a_size_for_pens() {
    assert_eq!(square(&page("dilido", "one")), 20.0);
    assert_eq!(square(&page("tic-tac-toe", "shared")), 30.0);
    for (game, count) in [("dilido", 2), ("dilido", 4), ("dicrono", 2), ("dice-wide-shut", 2)] {
        let name = format!("{game}-{count}");
        let args = format!("{game} --per-page {count}");
        let wide = square(&page(&args, &name));
        assert!((9.0..=20.0).contains(&wide), "{args}: {wide}");
        // In whole and half millimetres.
        assert!((wide * 2.0 - (wide * 2.0).round()).abs() < 0.03, "{args}: {wide}");
    }
}

#[test]
fn pieces_that_no_player_moves_are_printed() {
    let pieces = |args: &str, name: &str| page(args, name).matches("data-part=\"pieces\"").count();
    // A neutral mark in the middle stays; discs that are turned over don't.
    assert_eq!(pieces("dicrono-neutral-centre", "centre"), 1);
    assert_eq!(pieces("reversi", "turned"), 0);
    assert_eq!(pieces("breakthrough", "moved"), 0);
    // What chance puts there is different in every game.
    let text = "game \"Rocks\" {\n players X, O\n board cell = grid(5, 5)\n piece mark[player]\n piece rock\n \
                setup { pick c in cell   put rock at c SAME}\n \
                turn { choose { place c in empty { put mark[me] at c } } }\n end full when empty is nothing\n}\n";
    let drawn = rules("rocks.rules", &text.replace("SAME", ""));
    assert_eq!(pieces(&drawn, "rocks"), 0);
    let drawn = rules("rock.rules", &text.replace("SAME", "\n  if @a1 in empty { put rock at @a1 } "));
    assert_eq!(pieces(&drawn, "rock"), 1);
}

#[test]
fn lines_of_a_torus_go_on_across_the_edge() {
    let lines = |page: String| page.matches('M').count();
    assert!(lines(page("dilido+torus", "torus")) > lines(page("dilido", "plain")) + 4 * 7 - 1);
}

#[test]
fn too_many_sheets_are_refused_with_the_number_that_fits() {
    let file = path("small.pdf");
    let (code, _, err) = print("dilido --per-page 9", &file);
    assert!(code == 2 && !file.exists(), "{err}");
    let most = err.split("at most ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let most: u32 = most.parse().unwrap();
    assert!(most >= 4, "{err}");
    // That number fits, and no more.
    assert_eq!(print(&format!("dilido --per-page {most}"), &path("fits.pdf")).0, 0);
    assert_eq!(print(&format!("dilido --per-page {}", most + 1), &path("over.pdf")).0, 2);
    let (code, _, err) = print("points --per-page 2", &file);
    assert!(code == 2 && err.contains("at most 1 sheet fits"), "{err}");
}

#[test]
fn wrong_command_lines_are_mended() {
    let all = [
        ("dilido --paper a5", "[possible values: a4, letter]"),
        ("dilido --per-page 0", "0 is not in 1..=32"),
        ("dilido --copies 0", "0 is not in 1..=100"),
        ("dilid", "did you mean `dilido`?"),
        ("dilido --players 2", "1"),
    ];
    for (args, told) in all {
        let file = path("wrong.pdf");
        let (code, out, err) = print(args, &file);
        assert_eq!((code, out.as_str()), (2, ""), "{args}\n{err}");
        assert!(err.contains(told) && !file.exists(), "{args}\n{err}");
    }
    let (code, _, err) = print("dilido", &path("sheet.gif"));
    assert!(code == 2 && err.contains("`.pdf`, or in `.svg` or `.png`"), "{err}");
}

#[test]
fn an_existing_file_stays_without_force() {
    let file = path("kept.pdf");
    std::fs::write(&file, "kept").unwrap();
    let (code, _, err) = print("dilido", &file);
    assert!(code == 2 && err.contains("--force"), "{err}");
    assert_eq!(std::fs::read(&file).unwrap(), b"kept");
    assert_eq!(print("dilido --force", &file).0, 0);
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF-"));
}

#[test]
fn files_are_what_their_names_say() {
    for (ending, start) in [("pdf", &b"%PDF-"[..]), ("svg", b"<svg "), ("png", b"\x89PNG\r\n\x1a\n")] {
        let file = path(&format!("kind.{ending}"));
        assert_eq!(print("hex", &file).0, 0, "{ending}");
        assert!(std::fs::read(&file).unwrap().starts_with(start), "{ending}");
    }
    // Without a name, on standard output.
    let (mut out, mut err) = (vec![], vec![]);
    let args = ["houserule", "print", "hex"].map(Into::into);
    assert_eq!(houserule::cli::run_to(args, &mut out, &mut err), 0);
    assert!(out.starts_with(b"%PDF-") && err.is_empty());
}

#[test]
fn a_game_with_nothing_to_print_still_has_rules() {
    let file = rules(
        "bare.rules",
        "game \"Bare\" {\n players 1\n turn { step go { choose { on { end game } } } }\n}\n",
    );
    let (code, _, err) = print(&file, &path("bare.pdf"));
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = print(&format!("{file} --no-rules"), &path("nothing.pdf"));
    assert!(code == 2 && err.contains("no board, no score and no cards"), "{err}");
}

#[test]
fn boards_that_share_a_drawing_share_it_on_paper() {
    let snakes = page("snakes-and-ladders", "snakes");
    assert!(snakes.contains("data-part=\"jumps\""));
    let ludo = page("ludo --players 4", "ludo");
    assert!(ludo.contains("data-part=\"counters\"") && ludo.contains("data-part=\"lanes\""));
    // Both players have one board, and one table for the score.
    let backgammon = page("backgammon", "backgammon");
    for part in ["coordinates", "table"] {
        assert_eq!(backgammon.matches(&format!("data-part=\"{part}\"")).count(), 1, "{part}");
    }
}

#[test]
fn a_table_without_rows_is_left_out() {
    assert!(!page("ludo --players 4", "rowless").contains("data-part=\"heads\""));
    assert!(page("backgammon", "rows").contains("data-part=\"heads\""));
}

#[test]
fn a_game_without_decisions_has_a_start() {
    let request = houserule::loader::Request { name: "snakes-and-ladders", ..Default::default() };
    let game = houserule::loader::load(&request).unwrap().game;
    let start = houserule::game::Start::default();
    assert!(game.start_at(&start).unwrap().is_over());
    assert!(!game.start_before_turns(&start).unwrap().is_over());
}
