//! `houserule new`: templates.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use crate::command::run;
use crate::extent;
use houserule::bundled;
use houserule::loader::{Request, catalogue, load, load_text};

/// Returns an unused path.
fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("new");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn check(name: &str, text: &str) {
    if let Err(error) = load_text(name, text, &Request { name, ..Request::default() }) {
        panic!("{name}: {error}\n{text}");
    }
}

/// Returns groups of lines that begin with `//` and no space, by line number: one group per rule.
fn listed(text: &str) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![];
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.strip_prefix("  //") else { continue };
        let goes_on = rest.starts_with("  ") || rest.starts_with('}');
        match groups.last_mut() {
            Some(group) if goes_on && group.last() == Some(&(number - 1)) => group.push(number),
            _ if !rest.starts_with(' ') => groups.push(vec![number]),
            _ => {}
        }
    }
    groups
}

#[test]
fn whatever_is_listed_can_be_used_as_it_stands() {
    for name in extent::bundled("new", 32) {
        let file = path(&format!("from-{name}.rules"));
        let shown = file.display().to_string();
        let (code, _, err) = run(&["new", &shown, "--from", name]);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        let text = std::fs::read_to_string(&file).unwrap();
        check(name, &text);
        let base = load(&Request { name, ..Request::default() }).unwrap().game;
        for param in base.model().params.iter().filter(|param| !param.fixed) {
            assert!(
                text.contains(&format!("\n  //param {} = ", param.name)),
                "{name}: {}\n{text}",
                param.name
            );
        }
        for block in base.model().actions.iter().filter(|block| !block.dead) {
            assert!(text.contains(&format!("  {}", block.option)), "{name}: {}\n{text}", block.option);
        }
        let groups = listed(&text);
        assert!(groups.len() > 4, "{name}\n{text}");
        // Each is tried by the command too.
        for group in extent::some_of(name, 5, groups) {
            let with = |(number, line): (usize, &str)| {
                if group.contains(&number) { line.replacen("//", "", 1) } else { line.to_owned() }
            };
            let lines: Vec<String> = text.lines().enumerate().map(with).collect();
            check(name, &lines.join("\n"));
        }
    }
}

/// For a stack without a single name, the script of the top variant is written to a file.
#[test]
fn scripts_of_a_stack_come_along() {
    let file = path("stacked-script.rules");
    let shown = file.display().to_string();
    let (code, _, err) = run(&["new", &shown, "--from", "dilido-torus + dilido-shapes"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\n  script \"\"\"\n") && text.contains("fn shape_of(group)"), "{text}");
    assert_eq!(run(&["check", &shown]).0, 0);
    let (_, told, _) = run(&["diff", "dilido-torus", &shown]);
    assert!(told.contains("script in the rules added: says what shapes counts in the score\n"), "{told}");
}

#[test]
fn a_new_game_plays() {
    let file = path("my-game.rules");
    let shown = file.display().to_string();
    assert_eq!(run(&["new", &shown]).0, 0);
    let (code, out, err) = run(&["simulate", &shown, "-n", "200", "--players", "3"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (_, rules, _) = run(&["rules", &shown]);
    assert!(rules.starts_with("My game\n=======\n"), "{rules}");
}

#[test]
fn nothing_is_written_over() {
    let file = path("mine.rules");
    let shown = file.display().to_string();
    std::fs::write(&file, "mine").unwrap();
    let (code, out, err) = run(&["new", &shown, "--from", "pig"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("exists already") && err.contains("--force"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(run(&["new", &shown, "--from", "pig", "--force"]).0, 0);
    assert!(std::fs::read_to_string(&file).unwrap().contains("of \"pig\""));
    for (bad, word) in [("mine.txt", ".rules"), ("/nowhere/at/all.rules", "does not exist")] {
        let (code, _, err) = run(&["new", bad]);
        assert!(code == 2 && err.contains(word), "{err}");
    }
}

#[test]
fn a_stack_becomes_one_file() {
    let file = path("stack.rules");
    let shown = file.display().to_string();
    let (code, _, err) = run(&["new", &shown, "--from", "dilido + torus + second-joker"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("of \"dilido-torus\"") && text.contains("\n  new var earned"), "{text}");
    check("stack", &text);
    // The path to a variant's file is relative to the new file.
    let next = path("next.rules");
    assert_eq!(run(&["new", &next.display().to_string(), "--from", &shown]).0, 0);
    let (code, _, err) = run(&["check", &next.display().to_string()]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&next).unwrap().contains("of \"stack.rules\""));
}

/// The line after the description, with the title of a game.
fn titled(text: &str) -> &str {
    text.lines().find(|line| line.starts_with("game ")).unwrap()
}

#[test]
fn a_family_begins_with_a_game_in_which_players_choose() {
    let entries = catalogue();
    let mut families: Vec<&str> = entries.iter().map(|entry| entry.family).collect();
    families.sort_unstable();
    families.dedup();
    assert!(families.len() > 8, "{families:?}");
    for family in families {
        let file = path(&format!("like-{family}.rules"));
        let shown = file.display().to_string();
        let (code, out, err) = run(&["new", &shown, "--like", family, "--title", "Of my own"]);
        assert_eq!((code, err.as_str()), (0, ""), "{family}");
        assert!(out.starts_with(&format!("{shown} is written\nRead it")), "{out}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(titled(&text), "game \"Of my own\" {");
        let origin = text.lines().next().unwrap();
        let name = origin.rsplit(['/', '.']).nth(2).unwrap();
        assert!(origin.starts_with("// Begun as a copy of \""), "{origin}");
        let copied = entries.iter().find(|entry| entry.name == name).unwrap();
        assert_eq!((copied.family, &copied.of), (family, &None), "{origin}");
        let loaded = load(&Request { name: &shown, ..Request::default() }).unwrap().game;
        assert!(!loaded.model().choices.is_empty() && loaded.sheet().scripts.is_empty(), "{family}");
        // Only the first line and the title differ.
        let original = bundled::find(name).unwrap().text;
        assert_eq!(text.lines().count(), original.lines().count() + 1);
        let changed = text.lines().skip(1).zip(original.lines()).filter(|(new, old)| new != old);
        assert_eq!(changed.count(), 1, "{name}");
        // No shorter game of the family would do.
        for other in entries.iter().filter(|e| e.family == family && e.of.is_none() && e.name != name) {
            let game = load(&Request { name: other.name, ..Request::default() }).unwrap().game;
            let shorter = bundled::find(other.name).unwrap().text.len() < original.len();
            let would_do = !game.model().choices.is_empty();
            assert!(!(shorter && would_do), "{}", other.name);
        }
    }
}

#[test]
fn an_unknown_family_is_answered_with_all_of_them() {
    let file = path("unknown.rules");
    let shown = file.display().to_string();
    for (like, said) in [
        (
            "card",
            "no family and no game is called `card`; did you mean `cards`? The families are house, cards,",
        ),
        ("chess-club", "no family and no game is called `chess-club`."),
        (
            "dilido-torus",
            "`dilido-torus` is a variant of `dilido`; write `--like dilido`, or `--from dilido-torus`",
        ),
    ] {
        let (code, out, err) = run(&["new", &shown, "--like", like]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains(said), "{err}");
        assert!(!file.exists());
    }
    assert_eq!(run(&["new", &shown, "--like", "war", "--from", "chess"]).0, 2);
}
