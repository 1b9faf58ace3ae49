//! The formatter: it loses nothing, changes no meaning, and is idempotent.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::command::run;
use crate::extent;
use houserule::diagnostic::{FileId, Severity};
use houserule::format::format;
use houserule::syntax::parse;
use proptest::prelude::*;

fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rule_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rules") {
            found.push(path);
        }
    }
}

fn files_in(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    rule_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found.sort();
    found.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Returns the syntax tree without the spans of its nodes.
fn tree(text: &str) -> Option<String> {
    let (file, diagnostics) = parse(FileId(0), text);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return None;
    }
    let written = format!("{file:?}");
    let mut bare = String::new();
    let mut rest = written.as_str();
    while let Some(at) = rest.find("Span { file: FileId(0), start: ") {
        bare.push_str(&rest[..at]);
        let end = rest[at + 14..].find('}').and_then(|_| rest[at..].find(" }")).unwrap();
        rest = &rest[at + end + 2..];
    }
    bare.push_str(rest);
    Some(bare)
}

fn comments(text: &str) -> Vec<String> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        rest = &rest[at..];
        if let Some(long) = rest.strip_prefix("\"\"\"") {
            rest = &long[long.find("\"\"\"").map_or(long.len(), |end| end + 3)..];
        } else if let Some(short) = rest.strip_prefix('"') {
            rest = &short[short.find('"').map_or(short.len(), |end| end + 1)..];
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            found.push(rest[..end].trim_end().to_owned());
            rest = &rest[end..];
        } else {
            rest = &rest[1..];
        }
    }
    found
}

fn holds(name: &str, text: &str) -> String {
    let formatted = match format(FileId(0), text) {
        Ok(formatted) => formatted,
        Err(wrong) => panic!("{name}: {wrong:?}\n{text}"),
    };
    assert_eq!(tree(text).unwrap(), tree(&formatted).unwrap(), "{name}\n{formatted}");
    assert_eq!(comments(text), comments(&formatted), "{name}\n{formatted}");
    let twice = format(FileId(0), &formatted).unwrap();
    assert_eq!(formatted, twice, "{name}: a second pass changes it");
    has_single_empty_lines(name, &formatted);
    formatted
}

fn has_single_empty_lines(name: &str, formatted: &str) {
    let empty = formatted.lines().zip(formatted.lines().skip(1)).any(|(a, b)| a.is_empty() && b.is_empty());
    assert!(!empty && formatted.ends_with("}\n") | formatted.contains("//"), "{name}\n{formatted}");
}

/// What isn't changed has the same meaning, and isn't changed by a second pass.
#[test]
fn the_rule_files_are_formatted() {
    for (path, text) in files_in("rules") {
        let name = path.display().to_string();
        let formatted = format(FileId(0), &text).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}\n{text}"));
        assert_eq!(text, formatted, "`houserule fmt {name}` would change it");
        has_single_empty_lines(&name, &formatted);
    }
}

#[test]
fn every_other_rule_file_that_parses_keeps_its_meaning() {
    let mut parsed = 0;
    for (path, text) in extent::some_of("meaning", 2, files_in("tests")) {
        if tree(&text).is_some() {
            parsed += 1;
            holds(&path.display().to_string(), &text);
        } else {
            assert!(format(FileId(0), &text).is_err(), "{}", path.display());
        }
    }
    assert!(parsed > 60, "{parsed}");
}

/// Returns all files that parse, as input for proptest.
fn sources() -> &'static [String] {
    static SOURCES: OnceLock<Vec<String>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let all = files_in("rules").into_iter().chain(files_in("tests/sketches"));
        all.map(|(_, text)| text).filter(|text| tree(text).is_some()).collect()
    })
}

/// Changes the white space between the words of a text, and inserts comments.
fn spoiled(text: &str, choices: &[u8]) -> String {
    let mut spoiled = String::new();
    let mut choice = choices.iter().copied().cycle();
    let mut in_text = false;
    for line in text.split_inclusive('\n') {
        // Comments and multi-line strings keep their lines.
        if line.contains("//") || line.contains("\"\"\"") {
            spoiled.push_str(line);
            continue;
        }
        for c in line.chars() {
            if c == '"' {
                in_text = !in_text;
            }
            match c {
                ' ' if !in_text => spoiled.push_str(match choice.next().unwrap_or(0) % 16 {
                    0 => "   ",
                    1 => "\t",
                    2 => "\n",
                    3 => " // comment\n",
                    4 => "\n\n  // comment\n\n\n",
                    _ => " ",
                }),
                '\n' => spoiled.push_str(match choice.next().unwrap_or(0) % 8 {
                    0 => "\n\n\n",
                    1 => "  // comment\n",
                    2 => "\n// comment\n",
                    3 => "\r\n",
                    4 => "\n/// comment\n\n",
                    _ => "\n",
                }),
                c => spoiled.push(c),
            }
        }
    }
    spoiled
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn white_space_and_comments_may_be_anything(
        which in any::<proptest::sample::Index>(),
        choices in prop::collection::vec(any::<u8>(), 1..400),
    ) {
        let text = spoiled(which.get(sources()).as_str(), &choices);
        // Some line breaks begin another declaration. Such a text has nothing to compare with.
        if tree(&text).is_some() {
            match format(FileId(0), &text) {
                Ok(_) => drop(holds("spoiled", &text)),
                Err(wrong) => prop_assert!(false, "{wrong:?}\n{text}"),
            }
        }
    }
}

fn file(name: &str, text: &str) -> PathBuf {
    crate::written::file("fmt", name, text)
}

const UGLY: &str = "game \"G\"{players 1\nvar a:0..3=0 \"points\"\nturn{step s{a+=1}} end at once when a==3}";
const FINE: &str = "game \"G\" {
  players 1
  var a: 0..3 = 0                            \"points\"
  turn { step s { a += 1 } }
  end at once when a == 3
}
";

#[test]
fn the_command_writes_checks_and_shows() {
    let path = file("ugly.rules", UGLY);
    let shown = path.display().to_string();
    let (code, out, err) = run(&["fmt", "--check", &shown]);
    assert_eq!((code, out.trim(), err.as_str()), (1, shown.as_str(), ""));
    assert_eq!(run(&["fmt", "--stdout", &shown]), (0, FINE.to_owned(), String::new()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UGLY);
    assert_eq!(run(&["fmt", &shown]), (0, format!("{shown}: formatted\n"), String::new()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), FINE);
    assert_eq!(run(&["fmt", "--check", &shown]), (0, String::new(), String::new()));
    assert_eq!(run(&["fmt", &shown]), (0, String::new(), String::new()));
}

#[test]
fn a_broken_file_stays_as_it_is() {
    let path = file("broken.rules", "game \"G\" {\n  players\n}");
    let shown = path.display().to_string();
    let (code, out, err) = run(&["fmt", &shown]);
    assert!(code == 1 && out.is_empty() && err.contains("players"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "game \"G\" {\n  players\n}");
    let (code, _, err) = run(&["fmt", "no-such.rules"]);
    assert!(code == 2 && err.contains("no file"), "{err}");
}

/// A file keeps the ends of its lines, whatever is formatted in it.
#[test]
fn line_ends_are_kept() {
    let file = file("ends.rules", SMALL);
    let path = file.display().to_string();
    let lf = format(FileId(0), SMALL).expect("it can be formatted");
    for end in ["\n", "\r\n", "\r"] {
        let formatted = lf.replace('\n', end);
        std::fs::write(&file, &formatted).expect("a file");
        let (code, out, err) = run(&["fmt", "--check", &path]);
        assert_eq!(code, 0, "{end:?}: {out}{err}");
        std::fs::write(&file, formatted.replacen(&format!("{end}  "), &format!("{end}      "), 1))
            .expect("a file");
        assert_eq!(run(&["fmt", "--check", &path]).0, 1, "{end:?}");
        assert_eq!(run(&["fmt", &path]).0, 0);
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), formatted, "{end:?}");
    }
}

/// Line ends are no part of the rules: records play again after a checkout with others, and those of an earlier version,
/// which hashed the lines as they were, do too.
#[test]
fn records_outlive_other_line_ends() {
    let file = file("recorded.rules", SMALL);
    let (path, records) = (file.display().to_string(), file.with_extension("jsonl").display().to_string());
    let (code, _, err) = run(&["simulate", &path, "-n", "3", "--record", &records, "--force", "-q"]);
    assert_eq!(code, 0, "{err}");
    for end in ["\r\n", "\r", "\n"] {
        std::fs::write(&file, SMALL.replace('\n', end)).expect("a file");
        let (code, out, err) = run(&["replay", &records]);
        assert_eq!(code, 0, "{end:?}: {out}{err}");
    }
    let loaded = houserule::loader::load_text("small", &SMALL.replace('\n', "\r\n"), &Default::default());
    let identity = loaded.expect("it loads").game.identity().clone();
    let lf = houserule::loader::load_text("small", SMALL, &Default::default()).expect("it loads").game;
    assert_eq!(identity.rules_sha256, lf.identity().rules_sha256);
    let written = identity.rules_sha256_before.first().expect("another hash").clone();
    assert!(
        written != identity.rules_sha256
            && identity.has_rules(&written)
            && !lf.identity().has_rules(&written)
    );
}

const SMALL: &str = "// A small game.
game \"Small\" {
  players 2 // both
  var n: 0..9 = 0
  turn { choose { up { n += 1 } } }
  end when n == 4
}
";

#[test]
fn help_texts_of_an_otherwise_an_end_and_a_step_are_kept() {
    let text = "game \"G\"{players 2\nturn{step a \"one\"{\nchoose{\ngo{done}\notherwise   \"nothing else\"{end game as \
                stuck:lose me   \"no way on\"}\n}\n}\n}\n}\nvariant \"V\" of \"G\"{step   a   \"other\"\n\
                extend a{otherwise // why\n \"nobody can\"{end game   \"at last\"}}}";
    let formatted = holds("helps", text);
    for line in [
        "otherwise \"nothing else\" { end game as stuck: lose me \"no way on\" }\n",
        "  step a \"other\"\n",
        "end game \"at last\"",
    ] {
        assert!(formatted.contains(line), "{line}\n{formatted}");
    }
}
