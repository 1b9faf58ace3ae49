//! Rule files to syntax trees: what parses, and what is said about what doesn't.

mod common;

use std::path::Path;

use common::{measure, rule_files};
use houserule::diagnostic::{SourceMap, Style, render_all};
use houserule::lang::parse;

fn messages(name: &str, text: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add(name, text);
    let (_, messages) = parse(id, text);
    render_all(&messages, &sources, Style::default())
}

/// The line of the first message.
fn first_line(text: &str) -> Option<(usize, String)> {
    let mut sources = SourceMap::default();
    let id = sources.add("edited", text);
    let (_, messages) = parse(id, text);
    let first = messages.first()?;
    Some((sources.line_column(first.primary.span).line, first.message.clone()))
}

#[test]
fn the_sketches_and_the_bundled_files_parse() {
    let mut all = rule_files("tests/sketches");
    assert!(all.len() >= 11);
    all.extend(rule_files("rules"));
    let said: String = all.iter().map(|(path, text)| messages(&path.display().to_string(), text)).collect();
    assert!(said.is_empty(), "{said}");
}

#[test]
fn one_token_edits_are_found_where_they_are() {
    let mut files = rule_files("rules");
    files.extend(rule_files("tests/sketches"));
    let (hits, misses) = measure(&files, 500, 1, |_: &Path, text| first_line(text));
    assert!(hits * 100 >= 500 * 95, "{hits} of 500\n{}", misses.join("\n"));
}
