//! Messages that `houserule check` finds by playing.

#![allow(clippy::unwrap_used)]

use crate::command::run;
use crate::extent;

/// Runs `check` on a text. Returns its exit code, and both streams together.
fn check(name: &str, text: &str, more: &[&str]) -> (u8, String) {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.rules"));
    std::fs::write(&path, text).unwrap();
    let mut args = vec!["check", path.to_str().unwrap()];
    args.extend(more);
    let (code, out, err) = run(&args);
    (code, format!("{err}{out}"))
}

/// Returns rules with a 3×3 board and two kinds of pieces.
fn board(setup: &str, turn: &str) -> String {
    format!(
        "game \"Board\" {{
           players X, O
           board cell = grid(3, 3)
           piece mark[player]
           setup {{ {setup} }}
           turn {{ step go {{ choose {{ {turn} }} }} }}
           end over when turns[me] == 3
           score {{ marks: count(mark[me]) }}
         }}"
    )
}

#[test]
fn what_covers_a_piece_is_pointed_out_unless_it_is_meant() {
    for (name, turn, covers) in [
        ("cell", "place c in cell { put mark[me] at c }", true),
        ("cell-meant", "place c in cell { put mark[me] at c replacing }", false),
        ("empty", "place c in empty { put mark[me] at c }", false),
        ("tested", "place c in cell where c in empty { put mark[me] at c }", false),
        ("own", "place c in cell - mark[other] { put mark[me] at c }", false),
        ("cleared", "place c in cell { clear c  put mark[me] at c }", false),
        ("set", "place c in cell { put mark[me] at around(c) }", true),
        ("set-meant", "place c in cell { put mark[me] at around(c) replacing }", false),
    ] {
        let (code, told) = check(name, &board("", turn), &[]);
        assert_eq!(told.contains("warning[covers]"), covers, "{name}\n{told}");
        assert_eq!(code, 0, "{name}\n{told}");
    }
    let moves = "put mark[X] at row(1)  put mark[O] at row(3)";
    for (name, turn, covers) in [
        ("move", "go c in mark[me], d in around(c) { move c to d }", true),
        ("move-meant", "go c in mark[me], d in around(c) { move c to d replacing }", false),
        ("move-empty", "go c in mark[me], d in around(c) & empty { move c to d }  pass", false),
    ] {
        let (_, told) = check(name, &board(moves, turn), &[]);
        assert_eq!(told.contains("warning[covers]"), covers, "{name}\n{told}");
    }
}

#[test]
fn what_falls_off_the_board_is_pointed_out_unless_it_is_asked_for() {
    for (name, turn, falls) in [
        ("falls", "place c in cell { put mark[me] at toward(c, north) replacing }", true),
        (
            "asked",
            "place c in cell { let d = toward(c, north)  if d is some { put mark[me] at d replacing } }",
            false,
        ),
        ("where", "place c in cell where row(c) < 3 { put mark[me] at toward(c, north) replacing }", false),
        ("as-set", "place c in cell { put mark[me] at {toward(c, north)} replacing }", false),
        ("moves", "place c in empty { put mark[me] at c  move c to toward(c, west) replacing }", true),
    ] {
        let (code, told) = check(name, &board("", turn), &[]);
        assert_eq!(told.contains("warning[falls]"), falls, "{name}\n{told}");
        assert_eq!(code, 0, "{name}\n{told}");
    }
}

#[test]
fn how_often_it_happened_is_said() {
    let (_, told) = check("often", &board("put mark[O] at @b2", "place { put mark[X] at @b2 }"), &[]);
    assert!(
        told.contains("in 255 of 255 random games this `put` covered another piece, 1.0 times a game"),
        "{told}"
    );
}

/// The first game reaches every rule, and only a later one fails.
#[test]
fn an_error_that_is_rare_is_found() {
    let rules = "game \"Rare\" {
           players 2
           dice die: 1 of d12
           var held[player]: 0..11
           turn { step go { choose { stay { roll die  held[me] = 13 - die[1] } } } }
           end over when turns[me] == 1
           score { held: held[me] }
         }";
    let (code, told) = check("rare", rules, &[]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("`held` would become 12, but it holds 0..11"), "{told}");
    let (code, told) = check("rare", rules, &["--play", "1"]);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn scripts_cover_pieces_too() {
    let with = |deed: &str| {
        board("", "place c in empty { put mark[me] at c }")
            .replace("score {", &format!("script \"\"\"fn on_place(g, c) {{ {deed} }}\"\"\"\nscore {{"))
    };
    for (name, deed, code) in [
        ("script-covers", "g.put(\"mark\", g.me, g.cell(2, 2));", Some("covers")),
        ("script-clears", "g.clear(g.cell(2, 2)); g.put(\"mark\", g.me, g.cell(2, 2));", None),
        ("script-falls", "g.put(\"mark\", g.me, g.cell(4, 2));", Some("falls")),
    ] {
        let (_, told) = check(name, &with(deed), &[]);
        for one in ["covers", "falls"] {
            assert_eq!(told.contains(&format!("warning[{one}]")), code == Some(one), "{name}\n{told}");
        }
    }
}

#[test]
fn bundled_rules_are_clean() {
    for name in extent::bundled("check", 24) {
        let (code, out, err) = run(&["check", name]);
        assert_eq!((code, err.as_str()), (0, ""), "{name}: {out}");
    }
}

/// An action is always legal, so the `otherwise` is never entered.
const NEVER: &str = "game \"Cover\" {
  players 1
  board cell = grid(3, 3)
  piece dot
  var n: 0..9 = 0
  turn { step place { choose { place c in cell { put dot at c } otherwise { n += 1 } } } }
  end over when turns[me] > 3
  score { n: n }
}";

#[test]
fn an_otherwise_that_nobody_enters_is_warned_of() {
    let (code, told) = check("never", NEVER, &[]);
    assert_eq!(code, 0);
    assert!(told.contains("warning[otherwise-never-entered]"), "{told}");
    let (_, told) = check("entered", &NEVER.replace("c in cell {", "c in empty where n > 0 {"), &[]);
    assert!(!told.contains("otherwise-never-entered"), "{told}");
}

/// Returns a game whose turn is the given statement.
fn branches(turn: &str) -> String {
    format!(
        "game \"Branches\" {{
           players 1
           var n: 0..9 = 0
           var m: 0..9 = 0
           turn {{ {turn} }}
           end over when turns[me] > 3
           score {{ n: n + m }}
         }}"
    )
}

#[test]
fn a_branch_that_nobody_enters_is_warned_of() {
    let warned = "warning[branch-never-entered]";
    for (name, turn, part) in [
        ("else", "if n < 9 { n += 1 } else { m += 1 }", Some("this `else` was entered by nobody")),
        ("then", "if n == 9 { m += 1 } else { n += 1 }", Some("the first branch of this `if`")),
        ("both", "if n < 2 { n += 1 } else { m += 1 }", None),
        // The inner `if` is never reached, so its branches get no warning.
        ("neither", "if n == 9 { if m == 1 { n = 0 } else { m = 2 } }  n += 1", None),
        ("no-else", "if n == 9 { m += 1 }  n += 1", None),
        ("else-if", "if n < 9 { n += 1 } else if n == 9 { m += 1 }", Some("this `else`")),
    ] {
        let (code, told) = check(&format!("branch-{name}"), &branches(turn), &[]);
        assert_eq!(code, 0, "{told}");
        assert_eq!(told.contains(warned), part.is_some(), "{name}: {told}");
        assert!(part.is_none_or(|part| told.contains(part)), "{name}: {told}");
    }
}

#[test]
fn without_games_nothing_is_said_of_them() {
    for name in ["dilido", "dice-wide-shut", "tic-tac-toe"] {
        let (code, out, err) = run(&["check", name, "--play", "0"]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("no game was played"), "{out}");
    }
}

#[test]
fn a_warning_keeps_nothing_from_being_played() {
    let rules = |more: &str| {
        format!(
            "game \"Counting\" {{ players 1  var n: 0..9\n{more}\nturn {{ choose {{ up {{ n += 1 }} }} }} end when n == 30 }}"
        )
    };
    for (name, more) in [("plain", ""), ("warned", "var unused: 0..9")] {
        let (code, told) = check(name, &rules(more), &[]);
        assert_eq!(code, 1, "{told}");
        assert!(told.contains("`n` would become 10"), "{told}");
        assert!(!told.contains("no mistakes"), "{told}");
    }
}

#[test]
fn a_folder_is_answered_with_how_to_name_its_files() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder-of-rules");
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.to_str().unwrap();
    let (code, _, err) = run(&["check", name]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains(&format!("is a folder; name the rule files in it: `{name}/*.rules`")), "{err}");
}

#[test]
fn as_many_long_games_are_played_as_asked_for() {
    let rules = "game \"Long\" {
  players 1
  var n: 0..9 = 0
  turn { choose { go { } never where n == 9 { n = 0 } } }
  end over when turns[me] == 2000
}";
    let (code, told) = check("long", rules, &["--play", "40"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("option `never` was taken by nobody in 40 random games"), "{told}");
    assert!(!told.contains("games are long"), "{told}");
}

#[test]
fn a_name_without_the_ending_of_a_file_that_is_there_names_the_file() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-ending");
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.join("mine").display().to_string();
    std::fs::write(format!("{name}.rules"), "variant \"Mine\" of \"dilido\" { penalty_limit = 5 }").unwrap();
    for game in [name.clone(), format!("dilido + {name}")] {
        let (code, _, err) = run(&["check", &game]);
        assert!(code != 0 && err.contains(&format!("there is a file `{name}.rules`")), "{err}");
    }
}

#[test]
fn quiet_writes_no_warnings() {
    let rules = |n: &str| {
        format!(
            "game \"U\" {{ players 1 var n: 0..9 = 0 turn {{ choose {{ a {{ n = {n} }} }} }} end when turns[me] == 3 }}"
        )
    };
    let (code, told) = check("unread", &rules("1"), &[]);
    assert!(code == 0 && told.contains("warning[never-read]"), "{told}");
    let (code, told) = check("unread", &rules("1"), &["-q"]);
    assert!(code == 0 && !told.contains("warning["), "{told}");
    let (code, told) = check("unread", &rules("m"), &["-q"]);
    assert!(code == 1 && told.contains("error[unknown-name]"), "{told}");
}

const CHANGED: &str = "game \"Base\" {
  players 2
  param most: 1..9 = 3
  var last: 0..9 = 0
  var open: bool = false
  turn {
    step first { choose act { go { last = 1 }   stay where not open { }   otherwise { open = true } } }
    step second { if open { choose more { go { } } } else { open = open } }
    if turns[me] == most { step third { choose { away where open { }   here { } } } }
  }
  end over when turns[me] == most or last == 3
}
";

/// What a warning of a variant advises about its base, which can't be edited, is written in the variant.
#[test]
fn a_warning_about_the_base_of_a_variant_is_mended_in_the_variant() {
    let (code, out) = check("base-of-warnings", CHANGED, &["--play", "60"]);
    assert_eq!(code, 0, "{out}");
    let variant = |edits: &str| {
        format!(
            "variant \"Longer\" of \"base-of-warnings.rules\" {{\n  end over when turns[me] == 5\n{edits}}}"
        )
    };
    let (code, out) = check("with-warnings", &variant(""), &["--play", "60"]);
    assert_eq!(code, 0, "{out}");
    let mut edits = vec![];
    for warning in out.split("warning[").skip(1).filter(|warning| warning.contains("base-of-warnings.rules:"))
    {
        let (_, help) = warning.split_once("= help: ").expect("advice");
        assert!(help.contains("in the variant") && !help.contains("take it out"), "{warning}");
        edits.extend(help.split('`').skip(1).step_by(2).filter(|edit| edit.starts_with("without ")));
    }
    for edit in ["without var last", "without otherwise act", "without option away"] {
        assert!(edits.contains(&edit), "{edit}: {out}");
    }
    for edit in edits.into_iter().filter(|edit| *edit != "without var last") {
        let (code, out) = check("mended", &variant(&format!("  {edit}\n")), &["--play", "60"]);
        assert_eq!(code, 0, "{edit}: {out}");
    }
    let told = "  allow never-read \"players see it\"\n  var last: 0..9 = 0\n";
    let (code, out) = check("mended", &variant(told), &["--play", "60"]);
    assert!(code == 0 && !out.contains("never-read"), "{out}");
}

#[test]
fn errors_that_say_what_to_write_are_fixed() {
    let rules = "game \"G\" {
  players 2
  enum colour { red, blue }
  zone all of colour = [red: 6, blue: 6]
  zone hand[player] of colour
  var round: 0..9 = 0
  var other: bool = false
  procedure draw() { draw t from all to hand[me] }
  turn {
    choose {
      put { draw() round = min(round + 1, 9) other = round > 4 }
      cut where round < 5 and not other { deal 1 from all to hand[me] }
    }
  }
  end long when turns[me] >= 3: draw
  score { a: round }
}
";
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check").join("fixed.rules");
    let (code, told) = check("fixed", rules, &[]);
    assert_ne!(code, 0, "{told}");
    let (code, told) = check("fixed", rules, &["--fix", "--play", "20"]);
    assert_eq!(code, 0, "{told}");
    for done in ["Rename `all` to `my_all`", "Rename `draw` to `my_draw`", ":7: Rename `other` to `my_other`"]
    {
        assert!(told.contains(done), "{done}\n{told}");
    }
    let fixed = std::fs::read_to_string(&path).unwrap();
    assert!(fixed.contains("procedure my_draw() { draw t from my_all to hand[me] }"), "{fixed}");
    assert!(fixed.contains("put { my_draw() my_round = min(my_round + 1, 9)"), "{fixed}");
    assert!(fixed.contains(">= 3: draw\n  score { a: my_round }"), "{fixed}");
    // What may be meant otherwise stays, what would only be removed, and a file without errors.
    let stray = fixed.replace("var my_round: 0..9 = 0", "var my_round: 0..9 = 0)");
    let guess = fixed.replace("my_round + 1", "my_rownd + 1");
    for (name, text) in [("guess", guess), ("stray", stray), ("sound", fixed.clone())] {
        let path = path.with_file_name(format!("{name}.rules"));
        let (code, told) = check(name, &text, &["--fix", "--play", "0"]);
        assert_eq!(code == 0, name == "sound", "{told}");
        assert_eq!(told.contains("nothing is mended: no message says"), name != "sound", "{told}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let (code, told) = check("fixed", &format!("language one\n{fixed}"), &["--fix", "--play", "0"]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("language 1\n{fixed}"));
}

/// Pieces that are called like the other of two players, who is meant in brackets.
const OTHERS: &str = "game \"G\" {
  players 2
  board cell = grid(3, 3)
  piece other[player]
  turn {
    choose {
      place c in empty { put other[me] at c }
      turn_over c in other[other] { clear other[other] & {c} }
    }
  }
  end full when empty is nothing or turns[me] > 9: draw
}
";

#[test]
fn a_name_is_changed_only_where_it_doesnt_mean_the_word() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check").join("others.rules");
    let renamed = OTHERS
        .replace("piece other", "piece my_other")
        .replace("put other", "put my_other")
        .replace("other[other]", "my_other[other]");
    // Lines are counted however they end.
    for end in ["\n", "\r\n", "\r"] {
        let (code, told) = check("others", &OTHERS.replace('\n', end), &["--fix", "--play", "0"]);
        assert_eq!(code, 0, "{told}");
        let lines = [4, 7, 8].map(|line| format!("others.rules:{line}: Rename `other` to `my_other`"));
        assert!(lines.iter().all(|line| told.contains(line)), "{end:?} {told}");
        assert_eq!(told.matches("Rename").count(), 3, "{told}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), renamed.replace('\n', end));
    }
}

#[test]
fn why_a_name_is_not_changed_is_said() {
    let rules = OTHERS.replace("  turn {", "  piece my_other\n  turn {");
    let (code, told) = check("not-renamed", &rules, &["--fix", "--play", "0"]);
    assert_ne!(code, 0, "{told}");
    let reason = "not-renamed.rules:4: `other` is not renamed: with `my_other` in its place the file would still \
                  have 1 error. Write another name yourself where what is declared here is meant\n";
    assert!(told.contains(reason) && !told.contains("Rename"), "{told}");
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check").join("not-renamed.rules");
    assert_eq!(std::fs::read_to_string(path).unwrap(), rules);
}

#[test]
fn a_name_in_another_file_is_left() {
    check("others-base", OTHERS, &["--play", "0"]);
    let variant = "variant \"V\" of \"others-base.rules\" {\n  new end long when turns[me] > 3: draw\n}\n";
    let (code, told) = check("others-variant", variant, &["--fix", "--play", "0"]);
    assert_ne!(code, 0, "{told}");
    assert!(told.contains("others-base.rules:4:9") && told.contains("give it another name"), "{told}");
    assert!(told.contains("others-variant.rules: nothing is mended: "), "{told}");
    assert!(!told.contains("is not renamed") && !told.contains("Rename"), "{told}");
    let path =
        std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check").join("others-variant.rules");
    assert_eq!(std::fs::read_to_string(path).unwrap(), variant);
}

/// Each decision compares all cells with all others, in a way that no table or set stands for.
const SLOW: &str = r#"game "Slow" {
  players 1
  board cell = grid(30, 30)
  piece mark
  define lonely(a) = count({ b in cell where (column(a) * column(b) + row(b) * turns[me]) % 7 == row(a) % 3 }) > 20
  turn { choose { place c in { a in empty where a is lonely } { put mark at c } } }
  end done when turns[me] == 3: draw
}"#;

#[test]
fn slow_decisions_are_told_with_the_part_that_makes_them_slow() {
    let (code, out) = check("slow", SLOW, &["--play", "3"]);
    assert_eq!(code, 0, "{out}");
    let told = out.lines().find(|line| line.contains("a decision takes ")).unwrap_or_else(|| panic!("{out}"));
    assert!(told.contains("% of it for define `lonely` (") && told.contains(":5:10)"), "{told}");
    assert!(told.contains("`houserule profile "), "{told}");
    let quick = SLOW.replace("a in empty where a is lonely", "a in empty where column(a) == 3");
    let quick = quick.replace("define lonely(a)", "define lonely(a) = true\n  define unused(a)");
    let (_, out) = check("quick", &quick, &["--play", "3"]);
    assert!(!out.contains("a decision takes "), "{out}");
}

/// Lines end in LF, CRLF or CR alone, in rules and in scripts: places are the same, and no end of a line is shown.
#[test]
fn messages_are_the_same_with_other_line_ends() {
    let rules = "game \"S\" {\n  players 2\n  var points[player]: 0..99 = 0\n  turn { choose { go { points[me] += 1 } } }\n  \
                 end when points[me] > 9: win me\n  script \"ends.rhai\"\n}\n";
    let script = "fn on_go(g) {\n  // Counts.\n  g.pints[g.me] += 1;\n}\n";
    let twice = rules.replace("  script", "  var points: 0..3 = 0\n  script");
    let broken = "fn on_go(g) {\n  g.points[g.me] += ;\n}\n";
    for (rules, script, place) in [
        (rules, script, "ends.rhai:3:5"),
        (rules, broken, "ends.rhai:2:"),
        (twice.as_str(), script, "ends.rules:6:7"),
    ] {
        let told = ["\n", "\r\n", "\r"].map(|end| {
            let file = crate::written::file("check", "ends.rhai", &script.replace('\n', end));
            assert!(file.exists());
            check("ends", &rules.replace('\n', end), &[]).1
        });
        assert!(told[0].contains(place), "{}", told[0]);
        assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    }
}

/// The game may take a detour anywhere, not only in the choice at which it is stopped.
#[test]
fn a_game_that_is_never_over_is_told_of_deliberate_options() {
    let rules = |second: &str| {
        format!(
            "game \"Late\" {{ players 2 var points[player]: 0..10 = 0 limit 50
            turn {{ choose first {{ go {{ points[me] = 2 }} }} choose second {{ {second} }} }}
            end done when points[me] > 5: win me }}"
        )
    };
    for (second, deliberate) in [
        ("stay { points[me] = 3 }  wait { points[me] = 4 }", true),
        ("deliberate stay { points[me] = 3 }  wait { points[me] = 4 }  rest { }", true),
        ("deliberate stay { points[me] = 3 }  wait { points[me] = 4 }", false),
        ("stay { points[me] = 3 }", false),
    ] {
        let (_, told) = check("late", &rules(second), &[]);
        assert!(told.contains("error[never-over]"), "{told}");
        assert_eq!(told.contains("write `deliberate` before it"), deliberate, "{second}\n{told}");
    }
}
