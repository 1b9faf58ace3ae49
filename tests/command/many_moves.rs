//! Decisions with more moves than a person reads: in groups, selected by numbers and by words.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use crate::table::{folder, piped, play_command};

const CODE: &str = r#"
game "Code" {
  players 1
  enum peg { red, green, blue, white, black, grey }
  var guess[1..4]: peg
  turn {
    choose {
      guess a in peg, b in peg, c in peg, d in peg "name a row of pegs" {
        guess[1] = a  guess[2] = b  guess[3] = c  guess[4] = d
      }
    }
  }
  end over when turns[me] > 3
  score { n: 1 when guess[1] == red and guess[4] == grey }
}
"#;

/// Returns the output after the first prompt, for some typed lines.
fn played(name: &str, lines: &[&str]) -> String {
    let folder = folder(name);
    let file = folder.join("code.rules");
    std::fs::write(&file, CODE).unwrap();
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let (code, out, err) = piped(play_command(&folder).arg(&file).args(["--new", "--seed", "1"]), &lines);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out
}

#[test]
fn thousands_of_moves_are_grouped() {
    let out = played("many-first", &["quit"]);
    assert!(out.len() < 2000, "{} characters: {out}", out.len());
    assert!(out.contains("guess …, 1,296 moves  name a row of pegs"), "{out}");
    assert!(out.contains("1 red (216)  2 green (216)"), "{out}");
    let out = played("many-listed", &["moves", "quit"]);
    assert!(out.len() < 4000, "{} characters: {out}", out.len());
}

#[test]
fn numbers_open_groups_and_choose_moves() {
    let out = played("many-numbers", &["2", "1", "3", "6", "quit"]);
    assert!(out.contains("guess green …, 216 moves") && out.contains("guess green red …"), "{out}");
    assert!(out.contains("guess green red blue grey\n"), "{out}");
    assert!(!out.contains("no move and no command"), "{out}");
    // The help text says so.
    let out = played("many-help", &["help", "quit"]);
    assert!(out.contains("that of a group opens the group"), "{out}");
}

#[test]
fn words_open_groups_and_choose_moves() {
    let out = played("many-words", &["gr", "green", "red blue grey", "quit"]);
    assert!(out.contains("  guess green red blue grey\n"), "{out}");
    let out =
        played("many-words-at-once", &["red green blue white", "guess black black black black", "quit"]);
    assert!(
        out.contains("guess red green blue white\n") && out.contains("guess black black black black\n"),
        "{out}"
    );
    // Enter leaves a group.
    let out = played("many-back", &["red", "", "white white white white", "quit"]);
    assert_eq!(out.matches("guess …, 1,296 moves").count(), 3, "{out}");
    assert!(out.contains("guess white white white white\n"), "{out}");
}
