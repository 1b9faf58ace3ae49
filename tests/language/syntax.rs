//! The parser: rule files to syntax trees, and messages about syntax errors.

use std::path::Path;

use crate::rule_files::{Seeded, measure, random_edit, rule_files};
use houserule::diagnostic::{RenderOptions, SourceMap, render_all};
use houserule::syntax::{Item, parse};
use houserule::variants::merge;
use proptest::prelude::*;

fn messages(name: &str, text: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add(name, text);
    let (_, messages) = parse(id, text);
    render_all(&messages, &sources, RenderOptions::default())
}

/// Returns the line and text of the first message.
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

/// Returns the codes and lines of all messages.
fn found(text: &str) -> Vec<(&'static str, usize)> {
    let mut sources = SourceMap::default();
    let id = sources.add("broken", text);
    let (_, messages) = parse(id, text);
    messages.iter().map(|m| (m.code.as_str(), sources.line_column(m.primary.span).line)).collect()
}

#[test]
fn every_independent_mistake_is_reported_in_one_run() {
    let text = r#"game "Broken" {
  param size 3..12 = 6
  parm jokers: 0..3 = 1
  players 1
  board cell = grid(size, size
  define first = cell(pair[1], pair[2]
  define other = a && b
  var left: 0..3 = 1 each trun
  setup {
    put dot ta c
    left = 3
  }
  turn {
    step roll { rol pair }
    step place {
      choose place {
        place c inn empty { put dot at c; left -= }
        otherwise { if left = 0 { done } }
      }
    }
  }
  end wen left == 0
  score { lines: 1 + , dots: 3 }
  match { games 3 }
}
"#;
    let wanted = [
        ("expected-sign", 2),
        ("unknown-declaration", 3),
        ("unclosed-bracket", 5),
        ("unclosed-bracket", 6),
        ("wrong-sign", 7),
        ("misspelt-word", 8),
        ("misspelt-word", 10),
        ("unknown-statement", 14),
        ("misspelt-word", 17),
        ("expected-value", 17),
        ("wrong-sign", 18),
        ("misspelt-word", 22),
        ("expected-value", 23),
        ("expected-sign", 24),
    ];
    assert_eq!(found(text), wanted);
}

#[test]
fn a_missing_brace_is_found_where_it_is_missing() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/dilido.rules")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut checked = 0;
    for (i, line) in lines.iter().enumerate() {
        let without = if line.trim() == "}" {
            String::new()
        } else if let Some(start) = line.strip_suffix('{') {
            start.to_owned()
        } else {
            continue;
        };
        let mut changed = lines.clone();
        changed[i] = &without;
        let messages = found(&(changed.join("\n") + "\n"));
        assert_eq!(messages.len(), 1, "line {}: {messages:?}", i + 1);
        assert!(messages[0].1 == i + 1 || messages[0].1 == i + 2, "line {}: {messages:?}", i + 1);
        checked += 1;
    }
    assert!(checked > 10);
}

#[test]
fn a_broken_bracket_leaves_the_rest_readable() {
    let text = r#"game "G" {
  turn {
    choose {
      a c in f(x & y "a" { put dot at c }
      pas "leave"
    }
    if a {
      x = 3
    else {
      y = 4
    }
  }
  setup { z == 3 }
}
"#;
    let wanted =
        [("unclosed-bracket", 4), ("expected-block", 5), ("unclosed-brace", 8), ("unknown-statement", 13)];
    assert_eq!(found(text), wanted);
    assert_eq!(
        found("game \"G\" {\n  turn {\n    x = 3\n  turn2\n  end when x\n}\n"),
        [("unclosed-brace", 4)]
    );
    assert_eq!(found("variant \"V\" of \"g\" {\n  extend a { before b done }\n  param x == 3\n}\n").len(), 2);
}

#[test]
fn blocks_nest_as_deep_as_is_allowed_and_no_deeper() {
    let nested =
        |n: usize| format!("game \"G\" {{ turn {{ {}done{} }} }}", "if a { ".repeat(n), " }".repeat(n));
    assert_eq!(found(&nested(98)), []);
    assert_eq!(found(&nested(99)), [("nesting", 1)]);
    assert_eq!(found(&nested(50_000)), [("nesting", 1)]);
    let chain = format!("game \"G\" {{ turn {{ if a {{ }} {} }} }}", "else if b { } ".repeat(20_000));
    assert_eq!(found(&chain)[0].1, 1);
    for open in ["(", "[", "{", "f(", "a[", "{x in ", "[1: ", "not (", "if (", "any x in ("] {
        let text = format!("game \"G\" {{\n define x = {}\n}}", open.repeat(20_000));
        assert!(!found(&text).is_empty());
    }
    for close in
        ["(", ")", "[", "]", "{", "}", "\"", "game \"", "///", "@", ";", ",", "x ", "x = ", "choose { a "]
    {
        let text = close.repeat(100_000);
        assert!(!found(&text).is_empty());
    }
}

#[test]
fn line_ends_and_tabs_do_not_matter() {
    for (path, text) in rule_files("rules") {
        let windows = text.replace('\n', "\r\n");
        let tabs = text.replace("  ", "\t");
        let marked = format!("\u{feff}{text}");
        for text in [windows, tabs, marked] {
            assert_eq!(found(&text), [], "{}", path.display());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,300}") {
        said(&text);
    }

    #[test]
    fn arbitrary_words_never_panic(words in prop::collection::vec(prop::sample::select(words()), 0..120)) {
        said(&words.join(" "));
        said(&format!("game \"G\" {{ {} }}", words.join(" ")));
        said(&format!("game \"G\" {{ turn {{ {} }} }}", words.join(" ")));
        said(&format!("game \"G\" {{ turn {{ choose {{ {} }} }} }}", words.join("\n")));
        said(&format!("variant \"G\" of \"x\" {{ {} }}", words.join(" ")));
    }

    #[test]
    fn edited_files_never_panic(seed in any::<u64>(), edits in 1..12_usize) {
        let mut files = rule_files("rules");
        files.extend(rule_files("tests/sketches"));
        let mut random = Seeded(seed);
        let (_, mut text) = files.swap_remove(random.below(files.len()));
        for _ in 0..edits {
            text = random_edit(&text, &mut random).text;
        }
        said(&text);
        let cut = random.below(text.len() + 1);
        let cut = (0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        said(&text[..cut]);
    }
}

/// Parses and merges a text, and renders the messages.
fn said(text: &str) {
    let mut sources = SourceMap::default();
    let id = sources.add("any", text);
    let (file, mut messages) = parse(id, text);
    let games: Vec<_> =
        file.items.iter().filter_map(|i| if let Item::Game(g) = i { Some(g) } else { None }).collect();
    let variants: Vec<_> =
        file.items.iter().filter_map(|i| if let Item::Variant(v) = i { Some(v) } else { None }).collect();
    for game in games {
        messages.extend(merge(game, &variants).1);
    }
    let drawn = render_all(&messages, &sources, RenderOptions::default());
    assert_eq!(drawn.is_empty(), messages.is_empty());
    for message in &messages {
        assert!(message.primary.span.end as usize <= text.len(), "{message:?}");
    }
}

/// Words and signs that aren't keywords.
const OTHERS: &[&str] = &[
    "some",
    "x",
    "y",
    "cell",
    "1",
    "2",
    "99999999999999999999",
    "d6",
    "@c3",
    "\"t\"",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ";",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "|",
    "&",
    "..",
    ".",
    "?",
    "!",
    "&&",
    "≤",
    "//",
    "\n",
    "///",
];

/// Returns the words that random rules are made of.
fn words() -> Vec<&'static str> {
    OTHERS.iter().copied().chain(houserule::vocabulary::keywords::all().map(|keyword| keyword.word)).collect()
}
