//! `houserule draw`.

use super::assert_sound;
use crate::command::run;
use std::path::PathBuf;

fn draw(args: &str) -> (u8, String, String) {
    run(&["draw"].into_iter().chain(args.split(' ')).collect::<Vec<_>>())
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("draw");
    std::fs::create_dir_all(&folder).unwrap();
    // The command doesn't overwrite files of an earlier test run.
    let _ = std::fs::remove_file(folder.join(name));
    folder.join(name)
}

#[test]
fn a_game_is_drawn_at_any_of_its_decisions() {
    for decisions in [0, 1, 4] {
        let (code, out, err) = draw(&format!("tic-tac-toe --theme light --decisions {decisions}"));
        assert_eq!((code, err.as_str()), (0, ""));
        assert_sound("command", &out);
        assert!(!super::in_part(&out, "seats").is_empty());
        let (_, text, _) = draw(&format!("tic-tac-toe --format text --decisions {decisions}"));
        assert_eq!(text.matches('X').count() + text.matches('O').count() - 3, decisions, "{text}");
    }
    let (_, end, _) = draw("tic-tac-toe --seed 4");
    assert!(super::texts(&end).iter().any(|text| text.contains("wins") || text.contains("draw")), "{end}");
}

#[test]
fn games_are_those_of_the_same_seed_elsewhere() {
    let game = super::bundled("dilido");
    let mut state = game.start(9, 4).unwrap();
    for _ in 0..6 {
        let action = state.random_action().unwrap();
        state.apply(action).unwrap();
    }
    let (code, out, _) = draw("dilido --seed 9 --index 4 --decisions 6 --format text");
    assert_eq!((code, out), (0, houserule::draw::text::state(&state, None)));
}

#[test]
fn events_count_chance_too() {
    let board = |events: usize| draw(&format!("tic-tac-die --format text --events {events}")).1;
    for events in [0, 3] {
        let marks = board(events)
            .lines()
            .take(3)
            .flat_map(|line| line.chars().take(8))
            .filter(|c| "XO".contains(*c))
            .count();
        assert_eq!(marks, events, "{}", board(events));
    }
}

#[test]
fn records_are_drawn() {
    let file = path("games.jsonl");
    let records = file.to_str().unwrap();
    assert_eq!(run(&["simulate", "dilido", "--games", "3", "--seed", "2", "--record", records]).0, 0);
    let file = file.display();
    let (code, recorded, err) = draw(&format!("--record {file} --game 3 --decisions 8 --theme dark"));
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, played, _) = draw("dilido --seed 2 --index 2 --decisions 8 --theme dark");
    assert_eq!(recorded, played);
    let (code, _, err) = draw(&format!("--record {file} --game 4"));
    assert_eq!(code, 2);
    assert!(err.contains("has 3 games"), "{err}");
}

#[test]
fn pictures_are_written_to_files() {
    let file = path("board.svg");
    let (code, out, _) = draw(&format!("go --events 5 --width 300 -o {}", file.display()));
    assert_eq!((code, out.as_str()), (0, ""));
    let written = std::fs::read_to_string(&file).unwrap();
    assert_sound("file", &written);
    assert!(written.contains(" width=\"300\" "));
    let (code, _, err) = draw("go -o /no/such/folder/board.svg");
    assert!(code == 2 && err.contains("can't be written"), "{err}");
}

#[test]
fn positions_are_drawn() {
    let file = path("sheet.txt");
    std::fs::write(&file, "X.O\n.X.\n...\nmover = O\n").unwrap();
    let (code, out, err) = draw(&format!("tic-tac-toe --position {}", file.display()));
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(super::in_part(&out, "pieces").len(), 3);
    std::fs::write(&file, "X.O\n").unwrap();
    let (code, _, err) = draw(&format!("tic-tac-toe --position {}", file.display()));
    assert!(code == 1 && err.contains("rows"), "{err}");
}

#[test]
fn wrong_command_lines_are_mended() {
    let all = [
        ("tic-tac-toe --viewer 3", "there is no such seat; the game has seats 1 to 2"),
        ("dilido --viewer 0", "the game has only seat 1"),
        ("tic-tac-toe --agents random,random,random", "names 3 agents, but the number of seats is 2"),
        ("tic-tac-toe --agents gredy", "did you mean `greedy`?"),
        ("tic-tac-to", "did you mean `tic-tac-toe`?"),
        ("--record no-such-file.jsonl", "there is no file"),
    ];
    for (args, told) in all {
        let (code, out, err) = draw(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}\n{err}");
        assert!(err.contains(told), "{args}\n{err}");
    }
}

#[test]
fn files_are_what_their_names_say() {
    let starts: [(&str, &[u8]); 4] =
        [("svg", b"<svg "), ("png", b"\x89PNG\r\n\x1a\n"), ("pdf", b"%PDF-"), ("txt", b"3 ")];
    for (suffix, start) in starts {
        let file = path(&format!("kinds.{suffix}"));
        let _ = std::fs::remove_file(&file);
        let (code, out, err) = draw(&format!("tic-tac-toe --decisions 2 -o {}", file.display()));
        assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{suffix}");
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(start), "{suffix}: {:?}", &bytes[..8.min(bytes.len())]);
        // The text of a PDF is text, in fonts that the file contains.
        let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
        let fonts = has(b"/FontFile2") && has(b"/ToUnicode") && has(b"+DejaVuSansCondensed");
        assert_eq!(fonts, suffix == "pdf", "{suffix}");
    }
    // A PNG has the requested width. The number follows the first sixteen bytes.
    let file = path("wide.png");
    let _ = std::fs::remove_file(&file);
    assert_eq!(draw(&format!("tic-tac-toe --width 300 -o {}", file.display())).0, 0);
    assert_eq!(std::fs::read(&file).unwrap()[16..20], 300u32.to_be_bytes());
}

#[test]
fn other_names_are_refused_before_anything_is_played() {
    for (name, says) in [("x.gif", "no format has the suffix `.gif`"), ("x", "has no suffix")] {
        let file = path(name);
        let (code, _, err) = draw(&format!("tic-tac-toe -o {}", file.display()));
        assert_eq!(code, 2, "{name}");
        assert!(err.contains(says) && err.contains("`.svg`, `.png`, `.pdf`, `.txt`"), "{err}");
        assert!(!file.exists());
    }
    let (code, _, err) = draw(&format!("tic-tac-toe --format png -o {}", path("y.svg").display()));
    assert!(code == 2 && err.contains("different formats"), "{err}");
}
