//! Tests of single layouts. `tests/command/fmt.rs` tests whole files.

use super::format;
use crate::diagnostic::FileId;

/// Formats declarations inside a game and returns them without the lines of the game.
fn inside(text: &str) -> String {
    let formatted = format(FileId(0), &format!("game \"G\" {{\n{text}\n}}")).unwrap();
    let body = formatted.strip_prefix("game \"G\" {\n").unwrap().strip_suffix("}\n").unwrap();
    assert_eq!(format(FileId(0), &formatted).unwrap(), formatted);
    body.to_owned()
}

#[test]
fn spaces_are_set() {
    let text =
        "param  a:1 .. 6=- 2 \"x\"\nvar b [player] : 0..a = 0\ndefine f( x )={x,-x}|{ c in x where c>1}-{ }";
    let expected = "  \
  param a: 1..6 = -2                         \"x\"
  var b[player]: 0..a = 0
  define f(x) = {x, -x} | { c in x where c > 1 } - {}
";
    assert_eq!(inside(text), expected.trim_start_matches("  \n"));
}

#[test]
fn accepted_warnings_stay() {
    let text = "allow   never-read  \"only told\"\nvar near[player]:0..4\nparam a:0..1=0-1";
    let expected = "  allow never-read                           \"only told\"\n  var near[player]: 0..4\n  param a: 0..1 = 0 - 1\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn how_things_are_shown_stays() {
    let text = "players X,O shown as[X:navy]\nenum suit{a,b}shown as [a:\"♠\" in black]\ndomain rank=1..3 shown as [1:\"A\"] \"ranks\"";
    let expected = "  players X, O shown as [X: navy]\n  enum suit { a, b } shown as [a: \"♠\" in black]\n  \
                    domain rank = 1..3 shown as [1: \"A\"]       \"ranks\"\n";
    assert_eq!(inside(text), expected);
    // A long list begins on a line of its own.
    let values: Vec<String> = ('a'..='t').map(|letter| format!("{letter}{letter}")).collect();
    let enumeration = format!("enum letter {{ {} }}", values.join(", "));
    let found = inside(&format!("{enumeration} shown as [aa: \"A\", bb: \"B\"]"));
    assert_eq!(found, format!("  {enumeration}\n      shown as [aa: \"A\", bb: \"B\"]\n"));
}

#[test]
fn rows_of_a_domain_keep_their_lines() {
    let text = "domain card{cost:0..9,gives:gem?}=[\nmine:(3,blue)\"in the hills\",\nbank : (4 , none),\n]|{wild}\n\
                domain guild{cost:0..9}=[masons:3,bakers:4]\nzone hand[player] of card seen   by others";
    let expected = "  domain card { cost: 0..9, gives: gem? } = [\n    mine: (3, blue) \"in the hills\",\n    \
                    bank: (4, none),\n  ] | { wild }\n  domain guild { cost: 0..9 } = [masons: 3, bakers: 4]\n  \
                    zone hand[player] of card seen by others\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn defines_and_help_are_aligned() {
    let text = "define a = 1\ndefine long(c) = 2\n\n\n\ndefine b = 3\npiece dot \"a dot\"";
    let expected = "  define a       = 1\n  define long(c) = 2\n\n  define b = 3\n  \
                    piece dot                                  \"a dot\"\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn a_block_on_one_line_stays_if_it_fits() {
    assert_eq!(inside("turn{step a{roll die;x=1}}"), "  turn { step a { roll die; x = 1 } }\n");
    let broken = "turn {\n step a{roll die\n x=1}}";
    assert_eq!(inside(broken), "  turn {\n    step a {\n      roll die\n      x = 1\n    }\n  }\n");
    assert_eq!(inside("turn { }"), "  turn { }\n");
    assert_eq!(inside("turn {\n\n}"), "  turn { }\n");
}

#[test]
fn comments_stay_where_they_are() {
    let text = "// one\n\n// two\nplayers 1 // three\n// four\nturn { // five\n  a = 1 // six\n\n  // seven\n} // eight";
    let expected = "  // one\n\n  // two\n  players 1  // three\n  // four\n  turn {  // five\n    a = 1  // six\n\n    \
                    // seven\n  }  // eight\n";
    assert_eq!(inside(text), expected);
    let within = "turn { if a { b = 1 } // why\n else { b = [1: 2, // two\n 3: 4] } }";
    assert!(inside(within).contains("// why") && inside(within).contains("// two"));
}

#[test]
fn long_lines_are_wrapped_outside_first() {
    let one = "any p in players: points[p] >= goal + bonus[p]";
    let text = format!("define over = ({one}) and ({one}) or ({one})");
    let found = inside(&text);
    let expected = format!("  define over = ({one})\n      and ({one})\n      or ({one})\n");
    assert_eq!(found, expected);
    let table = (1..40).map(|n| format!("{n}: {n}")).collect::<Vec<_>>().join(",");
    let found = inside(&format!("param t: table = [{table}] \"points\""));
    assert!(found.lines().count() > 2 && found.lines().all(|line| line.chars().count() <= 110), "{found}");
}

#[test]
fn long_help_of_an_option_has_a_line_of_its_own() {
    let help = "what the option is good for, in a few more words than fit on the line";
    let text = format!(
        "turn {{ choose a {{ place c in empty where c in named & corners \"{help}\" {{ put dot at c }} }} }}"
    );
    let found = inside(&text);
    let expected = format!(
        "  turn {{\n    choose a {{\n      place c in empty where c in named & corners\n          \"{help}\" {{\n        \
         put dot at c\n      }}\n    }}\n  }}\n"
    );
    assert_eq!(found, expected);
}

#[test]
fn an_empty_block_stays_behind_its_help() {
    let help = "what the option is good for, in a few more words than fit on the line";
    let text =
        format!("turn {{ choose a {{ place c in empty where c in named & corners \"{help}\" {{ }} }} }}");
    let found = inside(&text);
    let expected = format!(
        "  turn {{\n    choose a {{\n      place c in empty where c in named & corners\n          \"{help}\" {{ }}\n    }}\n  }}\n"
    );
    assert_eq!(found, expected);
    let long = "points[me] > points[other] + 10 and count(stone[me]) > 3";
    let found = inside(&format!("turn {{ if {long} and {long} {{ }} else {{ x = 1 }} }}"));
    let expected = "  turn {\n    if points[me] > points[other] + 10 and count(stone[me]) > 3 and points[me] > points[other] + 10\n        \
                    and count(stone[me]) > 3 { } else {\n      x = 1\n    }\n  }\n";
    assert_eq!(found, expected);
}

#[test]
fn a_bracket_after_a_keyword_is_no_argument_list() {
    let text = "payoff zero sum(a+b)\nplayers(2)..(a)\nturn{\nmove(if a then b else c)to(d)\nroll(e)\ndeal(n)from(x)to y\n\
                shuffle(x)\nreveal(x)to me\nclear(x)\nput(m)at(x)\nswap(x)\nif no action for(p){f(x)}\ny=count(x)+move(x)}";
    let expected = "  payoff zero sum (a + b)\n  players (2)..(a)\n  turn {\n    move (if a then b else c) to (d)\n    \
                    roll (e)\n    deal (n) from (x) to y\n    shuffle (x)\n    reveal (x) to me\n    clear (x)\n    \
                    put (m) at (x)\n    swap(x)\n    if no action for (p) { f(x) }\n    y = count(x) + move(x)\n  }\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn comments_around_a_brace_stay() {
    let text = "turn // one\n// two\n{ // three\n// four\nif a // five\n// six\n{ // seven\nx=1 } // eight\n// nine\nelse // ten\n{ // eleven\n} }";
    let expected = "  turn {  // one\n    // two\n    // three\n    // four\n    if a {  // five\n      // six\n      // seven\n      \
                    x = 1\n    }  // eight\n        // nine\n        else {  // ten\n      // eleven\n    }\n  }\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn the_writers_breaks_in_lists_stay() {
    let text = "table t[cell]: int = [\n1: 2,3: 4,\n5: 6\n]";
    let expected = "  table t[cell]: int = [\n    1: 2, 3: 4,\n    5: 6\n  ]\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn entries_have_commas_where_they_have_lines() {
    assert_eq!(inside("match{games:3,total:sum,}"), "  match { games: 3, total: sum }\n");
    let text = "score {\n a: 1 \"one\", b: 2 when x\n}";
    let expected =
        "  score {\n    a: 1                                     \"one\",\n    b: 2 when x,\n  }\n";
    assert_eq!(inside(text), expected);
}

#[test]
fn what_does_not_parse_is_not_formatted() {
    assert!(format(FileId(0), "game \"G\" { players }").is_err());
    assert!(format(FileId(0), "").is_err());
}
