//! Rule files to syntax trees: what parses, and what is said about what doesn't.

use std::path::{Path, PathBuf};

use houserule::diagnostic::{SourceMap, Style, render_all};
use houserule::lang::parse;

/// All rule files below a folder of the repository.
fn rule_files(folder: &str) -> Vec<(PathBuf, String)> {
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

fn messages(name: &str, text: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add(name, text);
    let (_, messages) = parse(id, text);
    render_all(&messages, &sources, Style::default())
}

#[test]
fn the_sketches_and_the_bundled_files_parse() {
    let mut all = rule_files("tests/sketches");
    assert!(all.len() >= 11);
    all.extend(rule_files("rules"));
    let said: String = all.iter().map(|(path, text)| messages(&path.display().to_string(), text)).collect();
    assert!(said.is_empty(), "{said}");
}
