//! The parser: rule files to syntax trees, and messages about syntax errors.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::extent;
use crate::rule_files::{measure, random_edit, rule_files};
use houserule::diagnostic::{FileId, RenderOptions, SourceMap, render_all};
use houserule::syntax::split::pieces::{PieceKind, pieces};
use houserule::syntax::{Item, parse};
use houserule::variants::merge;
use proptest::prelude::*;
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

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
    assert!(rule_files("tests/sketches").len() >= 11);
    let said: String =
        all_files().iter().map(|(path, text)| messages(&path.display().to_string(), text)).collect();
    assert!(said.is_empty(), "{said}");
}

/// Asserts that exactly one message is reported, with this text.
#[track_caller]
fn says(text: &str, code: &str, place: &str, words: &str) {
    let whole = format!("game \"G\" {{\n  {text}\n}}\n");
    let (_, messages) = parse(FileId(0), &whole);
    assert_eq!(messages.len(), 1, "{text}: {messages:?}");
    let m = &messages[0];
    let at = &whole[m.primary.span.start as usize..m.primary.span.end as usize];
    let said = format!("{} {:?} {:?}", m.message, m.help, m.notes);
    assert!(m.code.as_str() == code && at == place && said.contains(words), "{text}: at `{at}`: {m:?}");
}

#[test]
fn messages_point_at_the_offending_word() {
    says("param size: = 3", "expected-type", "=", "expected a type after `:`, such as `0..3` or `cell?`");
    says("param size 3..12 = 6", "expected-sign", "3", "expected `:` after `size`");
    says("param size: 3..12 == 6", "wrong-sign", "==", "`=` sets a value");
    says("param size: 3..12 =", "expected-value", "", "expected a value after `=`");
    says("parm size: 3..12 = 6", "unknown-declaration", "parm", "did you mean `param`?");
    says("param count: 1..2 = 1", "expected-name", "count", "is a keyword");
    says(
        "param a: 0..99999999999999999999 = 1",
        "number-too-large",
        "99999999999999999999",
        "9223372036854775807",
    );
    says("param a: 1.5 = 6", "wrong-sign", "1.5", "not an integer");
    says("dice pair: 2d6", "wrong-dice", "2d6", "write `2 of d6`");
    says("define d1 = 3", "expected-name", "d1", "`d_1`");
    says("wins: 0..9 = 0", "unknown-declaration", "wins", "write `var wins: 0..9 = 0`");
    says("function twice(x) = 2 * x", "unknown-declaration", "function", "`define NAME(x) = …`");
    says("procedure at(k) { }", "keyword-as-procedure", "at", "`at_it`");
    says("var a: 0..3 each trun", "misspelt-word", "trun", "did you mean `turn`?");
    says("dice pair: 2 d6", "wrong-dice", "2 d6", "write `2 of d6`");
    says("define f = a = b", "wrong-sign", "=", "write `==`");
    says("define f = a && b", "wrong-sign", "&&", "write `and`");
    says("define f = a or !b", "wrong-sign", "!", "write `not`");
    says("define f = foo(a b)", "expected-sign", "b", "expected `)` or `,`");
    says("define f = any x S: x", "expected-word", "S", "expected `in`");
    says("define f = 1 + sum x in S: x", "wrong-sign", "sum", "parentheses");
    says("define f = x is none", "wrong-sign", "none", "is nothing");
    says("define f = if a then b", "expected-word", "", "expected `else`");
    says("define f = \"open", "unclosed-text", "\"open", "closing");
    says("define f = a ≤ b", "odd-character", "≤", "write `<=`");
    says("define f = (a + b", "unclosed-bracket", "(", "never closed");
    says("define f = a + b)", "stray-bracket", ")", "closes nothing");
    says("define f = (a + b]", "wrong-bracket", "]", "write `(a + b)`");
    says("define f = cell(a, pair[2)", "wrong-bracket", ")", "write `pair[2])`");
    says("define f = cell(a, pair[2)]", "wrong-bracket", ")", "write `pair[2])`");
    says("end wen x == 2", "misspelt-word", "wen", "did you mean `when`?");
    says("end x", "expected-word", "", "`when`");
    says("score { a 3 }", "expected-sign", "3", "expected `:`");
    says("param a: 1..2 = 1,", "stray-word", ",", "isn't allowed");
}

#[test]
fn messages_inside_blocks() {
    says("turn { put dot ta c }", "misspelt-word", "ta", "did you mean `at`?");
    says("turn { x := 3 }", "unknown-statement", "x", "write `x = 3`");
    says("turn { if x = 3 { done } }", "wrong-sign", "=", "write `==`");
    says("turn { if x then { done } }", "wrong-sign", "then", "`if … { … } else { … }`");
    says("turn { if x { done } elsif y { done } }", "unknown-statement", "elsif", "else if");
    says("turn { if x { done } else done }", "expected-block", "done", "expected `{`");
    says("turn { for x 1..3 { done } }", "expected-word", "1", "expected `in`");
    says("turn { repeat { done } }", "expected-word", "}", "expected `until`");
    says("turn { chose { a { } } }", "unknown-statement", "chose", "did you mean `choose`?");
    says("turn { choose { a x in cell were y { } } }", "misspelt-word", "were", "did you mean `where`?");
    says("turn { choose { a x in cell } }", "expected-block", "}", "what the option does");
    says(
        "turn { choose { pass } otherwise { } }",
        "unknown-statement",
        "otherwise",
        "inside the `{ … }` of a `choose`",
    );
    says("turn { define x = 3 }", "unknown-statement", "define", "is there a `}` missing above?");
    says("turn { if x > 2 n += 1 }", "missing-brace", "", "`{` is missing after `2`");
    says("turn { choose go { n += 1 } }", "missing-brace", "", "`{` is missing after `choose`");
    says("turn { var k = 2  n += k }", "unknown-statement", "var", "write `let k = 2`");
    says("turn { unless x { done } }", "unknown-statement", "unless", "if not");
    says("turn { choose { a c in x y { } } }", "stray-word", "y", "`x & y`");
    says("turn { move a b }", "expected-word", "b", "expected `from`, `on` or `to`");
    says("trun { done }", "unknown-declaration", "trun", "did you mean `turn`?");
}

#[test]
fn one_token_edits_are_found_where_they_are() {
    let edits = extent::tries(200, 500);
    let (hits, misses) = measure(all_files(), edits, 1, |_: &Path, text| first_line(text));
    assert!(hits * 100 >= edits * 95, "{hits} of {edits}\n{}", misses.join("\n"));
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
        let text = format!("game \"G\" {{\n define x = {}\n}}", open.repeat(extent::tries(5_000, 20_000)));
        assert!(!found(&text).is_empty());
    }
    for close in
        ["(", ")", "[", "]", "{", "}", "\"", "game \"", "///", "@", ";", ",", "x ", "x = ", "choose { a "]
    {
        let text = close.repeat(extent::tries(20_000, 100_000));
        assert!(!found(&text).is_empty());
    }
}

#[test]
fn line_ends_and_tabs_do_not_matter() {
    for (path, text) in extent::some_of("line ends", 4, rule_files("rules")) {
        let windows = text.replace('\n', "\r\n");
        let tabs = text.replace("  ", "\t");
        let marked = format!("\u{feff}{text}");
        for text in [windows, tabs, marked] {
            assert_eq!(found(&text), [], "{}", path.display());
        }
    }
}

/// Returns the meaning of a text that parses without messages.
fn meaning(text: &str) -> Result<Vec<String>, String> {
    let (file, messages) = parse(FileId(0), text);
    match messages.first() {
        None => Ok(file.items.iter().map(houserule::format::print::item).collect()),
        Some(first) => Err(first.message.clone()),
    }
}

/// Asserts that a text means the same with a line break at one place or another between its words.
fn means_the_same_with_line_breaks(name: &str, text: &str, every: usize) {
    let whole = meaning(text).unwrap_or_else(|message| panic!("{name}: {message}"));
    let pieces: Vec<_> = pieces(text);
    let gaps = pieces.windows(2).filter(|pair| {
        let between = &text[pair[0].end..pair[1].start];
        !between.contains('\n') && pair.iter().all(|piece| piece.kind != PieceKind::Comment)
            // A die, a site and the code of a warning are one word.
            && (!between.is_empty() || pair.iter().any(|piece| ["(", ")", "[", "]", "{", "}", ",", ":"].contains(&&text[piece.range()])))
    });
    for pair in gaps.step_by(every) {
        let broken = format!("{}\n{}", &text[..pair[0].end], &text[pair[1].start..]);
        let found = meaning(&broken);
        let line = text[..pair[0].end].rfind('\n').map_or(0, |at| at + 1);
        let around = text[line..].lines().next().unwrap_or_default();
        let (before, after) = (&text[pair[0].range()], &text[pair[1].range()]);
        assert!(
            found.as_ref() == Ok(&whole),
            "{name}: a break between `{before}` and `{after}` in\n{around}\n{found:?}"
        );
    }
}

/// What the bundled files have little of.
const MANY_FORMS: &str = r#"variant "Other" of "many" {
  param size = 4 "help"
  fix wide = true
  without param slow
  without end
  new end full before ring at once when a: win me
  end ring after full when b: draw
  new before place step first "help" { skip }
  after place step bonus { end game as full: lose me }
  extend act { before take { x = 1 } without leave }
  new procedure both(a, b) "help" { swap a, b among c }
  new payoff zero sum a - b
  new team north_south = {north, south} "help"
  new piece ring[player] on cell shown as [1: navy] "help"
  new var wins: 0..9 = 0 match
  new var last: 0..9 = 0 each turn seen by owner "help"
  new zone deck of card = {a} ordered seen by none
  new dice pair[player]: 2 of d6 ordered "help"
  new board cell[player] = grid(3, 3) from top
  new edges road of cell by orthogonal
  new limit 300
  new winner most(score)
  setup start "help" { deal 3 from bottom of deck to bottom of hand[me] }
  turn {
    each player of S from p until C as me { reveal x from hand[me] to other }
    each player as me { move a on cell to b on side replacing }
    together as me { choose { pass } prefer a prefer b }
    chance { roll pair among {1, 2} } given a
    repeat { draw c from deck to hand[me] } until done_with
    as other { next me; pick c in best d in S by d }
    if no action for me { again } else if all best d in S where a by d { done }
    if x in {1, 2} and y in {3} { end game }
    for c in S from a { put mark[me] at c replacing }
    choose act {
      deliberate take c in S, k part of hand[me], s subset of T where a ensuring b seen by none "help" { x += 1 }
      leave "help" { let y: set of cell = {} }
      otherwise { shuffle deck }
    }
  }
}
"#;

#[test]
fn comments_stand_where_a_space_may() {
    let rules = |gap: &str| {
        format!(
            "game \"G\" {{\n  define a = count{gap}(x) + max{gap}(b, c)\n  define d = all{gap}best y in S by y\n  \
             match {{ games: 3, total: sum{gap} }}\n}}"
        )
    };
    assert_eq!(meaning(&rules(" // why\n ")), meaning(&rules(" ")));
    assert!(meaning(&rules(" ")).is_ok());
}

#[test]
fn line_breaks_mean_nothing_inside_a_statement() {
    means_the_same_with_line_breaks("many forms", MANY_FORMS, extent::tries(2, 1));
    for (path, text) in rule_files("rules") {
        means_the_same_with_line_breaks(&path.display().to_string(), &text, extent::tries(113, 1));
    }
}

/// The bundled files and the sketches.
fn all_files() -> &'static [(PathBuf, String)] {
    static FILES: OnceLock<Vec<(PathBuf, String)>> = OnceLock::new();
    FILES.get_or_init(|| [rule_files("rules"), rule_files("tests/sketches")].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: extent::tries(100, 300), failure_persistence: None, ..ProptestConfig::default() })]

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
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (_, mut text) = all_files().choose(&mut random).cloned().unwrap_or_default();
        for _ in 0..edits {
            text = random_edit(&text, &mut random).text;
        }
        said(&text);
        let cut = random.random_range(0..=text.len());
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
