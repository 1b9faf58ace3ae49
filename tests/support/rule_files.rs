//! Test support: the rule files of the repository and seeded edits of them.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// Returns all rule files below a folder of the repository.
pub(crate) fn rule_files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rules") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// A rule file with one token changed.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) text: String,
    /// The line of the change, from 1.
    pub(crate) line: usize,
    /// Description of the change, for the message of a failing test.
    pub(crate) what: String,
}

/// Returns the places of a rule text's tokens. Independent of the parser under test, and only approximate.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[at..].starts_with(b"//") {
            at = text[at..].find('\n').map_or(text.len(), |n| at + n);
            continue;
        }
        if !bytes[at].is_ascii() || bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if bytes[at] == b'"' {
            at = text[at + 1..].find('"').map_or(text.len(), |n| at + n + 2);
        } else if bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
        } else {
            let two = ["..", "+=", "-=", "==", "!=", "<=", ">="]
                .iter()
                .any(|s| bytes[at..].starts_with(s.as_bytes()));
            at += if two { 2 } else { 1 };
        }
        found.push((start, at));
    }
    found
}

/// Deletes, doubles, swaps, replaces or misspells one token.
pub(crate) fn random_edit(text: &str, random: &mut impl Rng) -> Edit {
    let places = tokens(text);
    // Many edits may leave almost no text.
    if places.len() < 2 {
        return Edit { text: text.to_owned(), line: 1, what: "nothing".to_owned() };
    }
    let i = random.random_range(0..places.len() - 1);
    let (start, end) = places[i];
    let (next, next_end) = places[i + 1];
    let word = &text[start..end];
    let (what, changed) = match random.random_range(0..5) {
        0 => ("delete", format!("{}{}", &text[..start], &text[end..])),
        1 => ("double", format!("{} {}", &text[..end], &text[start..])),
        2 => {
            let between = &text[end..next];
            (
                "swap",
                format!("{}{}{between}{word}{}", &text[..start], &text[next..next_end], &text[next_end..]),
            )
        }
        3 => {
            let (a, b) = *places.choose(random).unwrap();
            ("replace", format!("{}{}{}", &text[..start], &text[a..b], &text[end..]))
        }
        _ => ("misspell", format!("{}{}{}", &text[..start], misspell(word, random), &text[end..])),
    };
    let line = text[..start].matches('\n').count() + 1;
    Edit { text: changed, line, what: format!("{what} `{word}`") }
}

fn misspell(word: &str, random: &mut impl Rng) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = random.random_range(0..letters.len());
    match random.random_range(0..3) {
        0 if letters.len() > 1 => {
            letters.remove(at);
        }
        1 if letters.len() > 1 => letters.swap(at.max(1) - 1, at.max(1)),
        _ => letters.insert(at, random.random_range('a'..='z')),
    }
    letters.into_iter().collect()
}

/// Measures how many of the edits that `check` rejects are reported in the edited line or the next. `check`
/// returns the line of the first message, from 1. The misses are described.
pub(crate) fn measure(
    files: &[(PathBuf, String)],
    count: usize,
    seed: u64,
    check: impl Fn(&Path, &str) -> Option<(usize, String)>,
) -> (usize, Vec<String>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut hits, mut misses) = (0, vec![]);
    let mut tries = 0;
    while hits + misses.len() < count {
        tries += 1;
        assert!(tries < count * 100, "too few edits do harm");
        let (path, text) = files.choose(&mut random).unwrap();
        let edit = random_edit(text, &mut random);
        let Some((line, message)) = check(path, &edit.text) else { continue };
        if line == edit.line || line == edit.line + 1 {
            hits += 1;
        } else {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            misses.push(format!("{file}: {} in line {}, said line {line}: {message}", edit.what, edit.line));
        }
    }
    (hits, misses)
}
