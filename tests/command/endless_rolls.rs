//! Rules that roll forever end every command that plays them, with the same message as in simulations.
#![cfg(unix)]

use std::process::Command;

use crate::table::{folder, piped, play_command};

const RULES: &str = "/// Rolls for ever.
game \"Rolling\" {
  players 1
  dice die: 1 of d6
  turn { choose { go { repeat { roll die } until die == 7 } } }
  end when die == 7
}
";

const MESSAGE: &str = "error[endless-loop]: this loop never ends";

#[test]
fn every_command_says_which_rule_never_ends() {
    let folder = folder("endless rolls");
    std::fs::write(folder.join("a.rules"), RULES).unwrap();
    for (words, code) in [
        ("draw a.rules --format text", 1),
        ("draw a.rules --agents greedy --format text", 1),
        ("simulate a.rules -n 1", 1),
        ("simulate a.rules -n 1 --agents greedy", 1),
        ("check a.rules", 1),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let (ended, _, err) = piped(command.args(words.split(' ')).current_dir(&folder), &[]);
        assert_eq!(ended, code, "{words}: {err}");
        assert!(err.contains("endless-loop") && err.contains("a.rules:5"), "{words}: {err}");
    }
}

#[test]
fn a_game_at_the_table_stops_and_its_journal_stays_small() {
    let folder = folder("endless rolls at the table");
    std::fs::write(folder.join("a.rules"), RULES).unwrap();
    let play = |typed: &[String]| {
        let mut command = play_command(&folder);
        piped(command.args(["a.rules", "--seed", "1", "--journal", "j.jsonl"]), typed)
    };
    // A single legal move is made without a prompt. Resuming the game gives the same error.
    for _ in 0..2 {
        let (code, _, err) = play(&[]);
        assert!(code == 1 && err.contains(MESSAGE) && err.contains("a.rules:5"), "{code}: {err}");
        let journal = std::fs::read_to_string(folder.join("j.jsonl")).unwrap();
        assert_eq!(journal.lines().skip(1).collect::<Vec<_>>(), ["\"go\""]);
    }
}
