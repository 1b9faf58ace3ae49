//! The command: its output, its streams and its exit codes.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use crate::command::run;

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

/// Writes a file to a folder for this test.
fn file(name: &str, text: &str) -> PathBuf {
    crate::written::file("cli", name, text)
}

#[test]
fn list_names_every_bundled_file() {
    let (code, out, err) = houserule("list");
    assert_eq!((code, err.as_str()), (0, ""));
    for name in houserule::bundled::names() {
        assert!(out.lines().any(|line| line.trim_start().starts_with(name)), "{name}\n{out}");
    }
    let (_, json, _) = houserule("list --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let entries = json["games"].as_array().unwrap();
    assert_eq!(entries.len(), houserule::bundled::ALL.len());
    assert!(entries.iter().all(|entry| !entry["help"].as_str().unwrap().is_empty()));
}

#[test]
fn list_shows_games_by_family_and_variants_below_their_games() {
    let (_, out, _) = houserule("list");
    let families: Vec<&str> = out.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    assert_eq!(
        families,
        ["House", "Cards", "Classics", "Connection", "Dice", "Hidden", "Race", "Solo", "Territory", "War"]
    );
    let of = |name: &str| {
        let before = out.lines().take_while(|line| line.split_whitespace().next() != Some(name));
        before.filter(|line| !line.is_empty() && !line.starts_with(' ')).last().map(str::to_owned)
    };
    for (name, family) in [("dilido-torus", "House"), ("liars-poker", "Cards"), ("pig-two-dice", "Classics")]
    {
        assert_eq!(of(name).as_deref(), Some(family), "{name}\n{out}");
    }
    let (_, json, _) = houserule("list --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let entry = |name: &str| {
        let games = json["games"].as_array().unwrap();
        games.iter().find(|entry| entry["name"] == name).unwrap().clone()
    };
    for (name, family) in
        [("dilido", "house"), ("dilido-torus", "house"), ("yacht", "classics"), ("ludo-safe-squares", "race")]
    {
        assert_eq!(entry(name)["family"], family, "{name}");
    }
}

#[test]
fn show_tells_what_a_game_is_made_of() {
    let (code, out, _) = houserule("show dilido --set size=4");
    assert_eq!(code, 0);
    for word in ["size = 4", "squares to a side", "penalties", "place a1", "joker", "Observation", "4 by 4"] {
        assert!(out.contains(word), "{word}\n{out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let (_, json, _) = houserule("show dilido + torus --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["game"], "dilido + torus");
    assert_eq!(json["files"].as_array().unwrap().len(), 2);
    assert_eq!(json["action_count"], 73);
    let (_, source, _) = houserule("show dilido-torus --source");
    assert!(source.contains("game \"Di-Li-Do\"") && source.contains("variant \"Di-Li-Do torus\""));
    let (code, program, _) = houserule("show pig --code");
    assert!(code == 0 && program.lines().count() > 5, "{program}");
}

#[test]
fn simulate_reports_in_words_no_wider_than_a_page() {
    for args in ["simulate dilido -n 200", "simulate dicrono -n 20 --match", "simulate pig -n 20 --players 5"]
    {
        let (code, out, err) = houserule(args);
        assert_eq!((code, err.as_str()), (0, ""), "{args}");
        assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
        assert!(out.contains("How games ended") && out.contains(" ± "), "{out}");
    }
}

#[test]
fn simulate_writes_json() {
    let (code, out, _) = houserule("simulate tic-tac-toe --games 100 --seed 3 --threads 1 --json");
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["games"], 100);
    assert_eq!(json["seed"], 3);
    assert_eq!(json["agents"], serde_json::json!(["random", "random"]));
    assert!(json["match"].is_null());
}

#[test]
fn recorded_games_are_replayed() {
    let path = file("games.jsonl", "");
    let path = path.to_str().unwrap();
    let (code, _, err) =
        run(&["simulate", "dilido", "+", "torus", "-n", "12", "--set", "jokers=2", "--record", path]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, out, _) = run(&["replay", path]);
    assert_eq!(code, 0);
    assert!(out.contains("12 games play again exactly as recorded"), "{out}");

    let text = std::fs::read_to_string(path).unwrap();
    let tampered: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, line)| if at == 4 { line.replace("\"score\":[", "\"score\":[1") } else { line.to_owned() })
        .collect();
    let path = file("tampered.jsonl", &(tampered.join("\n") + "\nno record\n"));
    let (code, out, err) = run(&["replay", path.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(
        err.contains("line 5: the record says the score is") && err.contains("line 13: no record of a game"),
        "{err}"
    );
    assert!(out.contains("2 of 13 games differ"), "{out}");
}

#[test]
fn replay_tells_what_was_possible() {
    let path = file("possible.jsonl", "");
    let path = path.to_str().unwrap();
    assert_eq!(run(&["simulate", "pig", "-n", "3", "--record", path]).0, 0);
    let (code, out, _) = run(&["replay", "--legal", path]);
    assert_eq!((code, out.lines().count()), (0, 3));
    for (told, recorded) in out.lines().zip(std::fs::read_to_string(path).unwrap().lines()) {
        let json = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let (told, recorded) = (json(told), json(recorded));
        assert_eq!(told["returns"], recorded["returns"]);
        let steps = told["events"].as_array().unwrap();
        let events: Vec<_> = steps.iter().map(|step| step["event"].clone()).collect();
        assert_eq!(serde_json::Value::from(events), recorded["events"]);
        for step in steps {
            match step["event"].as_str().unwrap().starts_with("roll die") {
                true => assert_eq!(step["outcomes"], 6),
                false => assert!(step["legal"].as_array().unwrap().contains(&step["event"]), "{step}"),
            }
        }
    }
}

#[test]
fn a_sheet_is_scored() {
    let path = file("sheet.txt", "......\n......\n......\n..dddd\n......\n......\npenalties = 3\n");
    let (code, out, _) = run(&["score", "dilido", path.to_str().unwrap()]);
    assert_eq!(code, 0);
    assert!(out.contains("3 points") && out.contains("row 3: c3–f3, 4 dots, 3 points"), "{out}");
    let path = file("wrong.txt", "penaltys = 3\n");
    let (code, _, err) = run(&["score", "dilido", path.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(err.contains("line 1: no variable is called `penaltys`"), "{err}");
}

#[test]
fn check_tells_every_mistake() {
    let good = file("good.rules", "variant \"Mine\" of \"dilido\" { param size = 5 }");
    let bad = file(
        "bad.rules",
        "game \"Bad\" { players 1 turn { step a { x = 1 } step b { y = 2 } } score { s: 1 } }",
    );
    let (code, out, err) = run(&["check", good.to_str().unwrap(), bad.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(out.contains("good.rules: no errors") && out.contains("bad.rules: 2 errors"), "{out}\n{err}");
    assert!(err.contains("bad.rules:1:"), "{err}");
    let (code, out, _) = run(&["check", "--json", bad.to_str().unwrap()]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, json["files"][0]["ok"].as_bool()), (1, Some(false)));
    assert_eq!(json["files"][0]["diagnostics"].as_array().unwrap().len(), 2);
}

#[test]
fn the_rules_at_fault_are_1_and_the_command_line_is_2() {
    let broken = file("broken.rules", "game \"Broken\" {");
    let stray = file("stray.rules", "variant \"Stray\" of \"dilidoo\" { }");
    let (broken, stray) = (broken.to_str().unwrap().to_owned(), stray.to_str().unwrap().to_owned());
    let cases = [
        ("simulate dilido -n 1", 0, ""),
        ("--help", 0, ""),
        ("--version", 0, ""),
        (&format!("simulate {broken}"), 1, "broken.rules"),
        (&format!("simulate {stray}"), 1, "did you mean `dilido`?"),
        ("simulate pig --match", 1, "nothing of matches"),
        ("simulate dilidoo", 2, "did you mean `dilido`?"),
        ("simulate dilido + tourus", 2, "did you mean `torus`?"),
        ("simulate dilido + dicrono", 2, "not a variant"),
        ("simulate dilido + dicrono-steals", 2, "can't change"),
        ("simulate nowhere.rules", 2, "there is no file"),
        ("simulate dilido --set siz=3", 2, "did you mean `size`?"),
        ("simulate dilido --set size=99", 2, "3..12"),
        ("simulate dilido --set size", 2, "NAME=VALUE"),
        ("simulate dilido --players 2", 2, "can't be played by 2"),
        ("simulate dilido --agents gredy", 2, "did you mean `greedy`?"),
        ("simulate dilido --agents random,random", 2, "2 agents for 1 player:"),
        ("simulate dilido --games 0", 2, "at least 1"),
        ("simulate dilido --games -3", 2, "a whole number"),
        ("simulate dilido --seed many", 2, "a whole number"),
        ("simulate dilido --set best=20", 1, "no more games can count"),
        ("simulate dilido --threads 0", 2, "--threads"),
        ("simulate dilido --game 3", 2, "--games"),
        ("replay nowhere.jsonl", 2, "there is no file"),
        ("score dilido nowhere.txt", 2, "there is no file"),
        ("frobnicate", 2, "frobnicate"),
    ];
    for (args, expected, word) in cases {
        let (code, out, err) = houserule(args);
        assert_eq!(code, expected, "{args}\n{out}\n{err}");
        assert!(err.contains(word), "{args}\n{err}");
        assert_eq!(expected == 0, err.is_empty(), "{args}\n{err}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for args in ["list", "show dilido", "simulate pig -n 2", "check pig"] {
        let args = std::iter::once("houserule").chain(args.split(' ')).map(Into::into);
        let mut err = Vec::new();
        assert_eq!(houserule::cli::run_to(args, &mut Gone, &mut err), 0);
        assert!(err.is_empty());
    }
}

/// Who plays and how many are easily mixed up: the message names the other flag.
#[test]
fn the_number_of_players_is_no_agent_and_no_param() {
    for (command, words) in [
        ("simulate pig --players random", "`--agents random` says who plays"),
        ("compare pig pig --players greedy", "`--agents greedy` says who plays"),
        ("simulate pig --players many", "a number is wanted"),
        ("report pig --players random", "`--agent random` says who plays"),
        ("simulate pig --set players=4", "the number of players is set by `--players 4`"),
        ("check pig --set players=4", "the number of players is set by `--players 4`"),
    ] {
        let (code, _, err) = houserule(command);
        assert!(code != 0 && err.contains(words), "{command}: {words}\n{err}");
    }
}

/// The dice of a family are those of a player, or of a colour.
#[test]
fn dice_of_a_family_are_drawn_with_their_index() {
    let rules = file(
        "cups.rules",
        "game \"Cups\" { players A, B dice cup[player]: 2 of d6 var n: 0..9 = 0
           turn { choose { go { roll cup[A], cup[B] n += 1 } } } end over when n == 3 score { sum: sum(cup[me]) } }",
    );
    let rules = rules.display();
    let (code, out, err) = houserule(&format!("draw {rules} --seed 3 --agents random --format text"));
    assert_eq!(code, 0, "{err}");
    for label in ["cup A", "cup B"] {
        let shown = out.split(label).nth(1).and_then(|rest| rest.lines().next());
        let shown: Vec<u32> =
            shown.unwrap_or_default().split_whitespace().filter_map(|face| face.parse().ok()).collect();
        assert_eq!(shown.len(), 2, "{label}\n{out}");
    }
}

#[test]
fn a_game_that_is_over_before_it_is_to_be_drawn_is_said_to_be() {
    let (code, out, err) = houserule("draw tic-tac-toe --decisions 500 --agents random --format text");
    assert!(code == 0 && !out.is_empty(), "{err}");
    assert!(
        err.contains("The game was over after ") && err.contains(" decisions: its end is drawn."),
        "{err}"
    );
    let (code, _, err) = houserule("draw tic-tac-toe --decisions 2 --agents random --format text");
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn what_is_printed_beside_a_board_is_no_part_of_a_position() {
    let (code, out, err) = houserule("draw tic-tac-toe --decisions 2 --agents random --format text");
    assert_eq!(code, 0, "{err}");
    let path = file("printed.txt", &out).display().to_string();
    let (code, _, err) = houserule(&format!("draw tic-tac-toe --position {path} --format text"));
    let told = "; leave out what is printed beside and below a board";
    assert!(code != 0 && err.split_whitespace().collect::<Vec<_>>().join(" ").contains(told), "{err}");
}
