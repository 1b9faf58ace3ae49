//! `houserule new`: templates.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use crate::command::run;
use houserule::bundled;
use houserule::loader::{Request, load, load_text};

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
    for name in bundled::names() {
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
        for group in groups {
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
