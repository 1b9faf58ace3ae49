//! Profiles: the counts are those of the command, and places are counted as the page counts.

use std::collections::BTreeMap;

use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::playtest::{ProfilePlan, profile};
use houserule::workbench::{Ask, CostTold, ExpressionCostTold, LineCostTold, PartCostTold, Run, Tell};
use serde_json::{Value as Json, json};

use crate::Page;

/// A define that is asked for twice, behind a character that is two code units.
const RULES: &str = "/// Dots 🎲.\ngame \"Dots\" {\n  players 2\n  board cell = grid(3, 3)\n  piece dot[player]\n  \
    define free(c) = c in empty and (any d in beside(c): d in empty)\n  \
    turn { choose { place c in cell where free(c) \"🎲 a dot\" { put dot[me] at c } pass { } } }\n  \
    end full when not (any c in cell: free(c))\n}\n";

fn begun(page: &Page, change: Json) -> Result<Run, String> {
    let mut ask = json!({"ask": "profile", "id": 4, "path": "dots.rules", "games": 20, "seed": 3});
    ask.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    let ask: Ask = serde_json::from_value(ask).unwrap();
    let (id, run) = page.0.run(&ask).expect("a run");
    assert_eq!(id, 4);
    run
}

fn page(text: &str) -> Page {
    let mut page = Page::new();
    page.edits("dots.rules", 1, text);
    page
}

fn all(mut run: Run) -> Vec<Tell> {
    let mut told = vec![];
    while run.step(&mut |tell| told.push(tell)) {}
    told
}

struct FoundProfile {
    played: String,
    cautions: Vec<String>,
    parts: Vec<PartCostTold>,
    lines: Vec<LineCostTold>,
    expressions: Vec<ExpressionCostTold>,
}

fn profiled(page: &Page, change: Json) -> FoundProfile {
    let told = all(begun(page, change).unwrap_or_else(|message| panic!("{message}")));
    assert!(matches!(told[told.len() - 1], Tell::Done { id: 4, cancelled: false }), "{told:?}");
    let shares = told.iter().filter_map(|tell| match tell {
        Tell::Progress { id: 4, done, of: 100, .. } => Some(*done),
        _ => None,
    });
    let shares: Vec<u64> = shares.collect();
    assert!(shares.is_sorted() && shares.last() == Some(&100), "{shares:?}");
    match told.into_iter().rev().nth(1) {
        Some(Tell::Profiled { id: 4, played, decision, cautions, parts, lines, expressions }) => {
            assert!(decision.starts_with("a decision takes "), "{decision}");
            FoundProfile { played, cautions, parts, lines, expressions }
        }
        other => panic!("no profile: {other:?}"),
    }
}

/// The part of a text from one code unit to another.
fn cut(text: &str, from: usize, to: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[from..to]).unwrap()
}

/// What doesn't vary from run to run.
fn counts(cost: &CostTold) -> (f64, f64, f64) {
    (cost.evaluations, cost.instructions, cost.repeated)
}

#[test]
fn the_counts_are_those_of_the_command() {
    let found = profiled(&page(RULES), json!({"path": "bundled/kalah"}));
    let loaded = load(&Request { name: "kalah", ..Request::default() }).unwrap();
    let wanted = profile(&loaded, &ProfilePlan { seed: 3, games: 20, ..ProfilePlan::default() });
    let ways = |one: &houserule::playtest::ProfiledCost| (one.evaluations, one.instructions, one.repeated);
    // Parts are sorted by their shares, which vary.
    let by_line: BTreeMap<_, _> =
        found.parts.iter().map(|one| ((one.line, one.name.as_str()), counts(&one.cost))).collect();
    let wanted_by_line: BTreeMap<_, _> =
        wanted.parts.iter().map(|one| ((one.place.line, one.name.as_str()), ways(&one.cost))).collect();
    assert_eq!(by_line, wanted_by_line);
    let lines: Vec<_> =
        found.lines.iter().map(|one| (one.line, one.text.as_str(), counts(&one.cost))).collect();
    let wanted: Vec<_> =
        wanted.lines.iter().map(|one| (one.place.line, one.text.as_str(), ways(&one.cost))).collect();
    assert_eq!(lines, wanted);
    assert!(found.played.starts_with("20 games between random players, "), "{}", found.played);
    assert!(found.cautions.is_empty());
    let shares: f64 = found.lines.iter().map(|one| one.cost.share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
}

#[test]
fn places_are_counted_as_the_page_counts() {
    let found = profiled(&page(RULES), json!({}));
    assert!(found.parts.len() > 2 && found.lines.len() > 2 && found.expressions.len() > 2);
    for PartCostTold { name, place, .. } in &found.parts {
        assert_eq!(&cut(RULES, place.from, place.to), name);
    }
    for LineCostTold { place, line, text, .. } in &found.lines {
        let cut = cut(RULES, place.from, place.to);
        assert!(!cut.is_empty() && text.ends_with(&cut), "{cut:?} in {text:?}");
        assert_eq!(RULES.lines().nth(line - 1).unwrap().trim(), text);
    }
    for ExpressionCostTold { place, line, column, text, .. } in &found.expressions {
        let cut = cut(RULES, place.from, place.to);
        let words: Vec<&str> = cut.split_whitespace().collect();
        assert!(words.join(" ").starts_with(text.trim_end_matches('…')), "{cut:?} is no {text:?}");
        let rest: String = RULES.lines().nth(line - 1).unwrap().chars().skip(column - 1).collect();
        assert!(rest.starts_with(words[0]), "{rest:?}");
    }
}

#[test]
fn a_variant_has_lines_in_both_files() {
    let mut page = page(RULES);
    let variant = "variant \"Small\" of \"dots.rules\" {\n  new end soon when count(dot) > 3\n}\n";
    page.edits("small.rules", 1, variant);
    let found = profiled(&page, json!({"path": "small.rules"}));
    let texts = BTreeMap::from([("dots.rules", RULES), ("small.rules", variant)]);
    let mut files: Vec<&str> = found.lines.iter().map(|one| one.place.path.as_str()).collect();
    for LineCostTold { place, text, .. } in &found.lines {
        assert!(text.ends_with(&cut(texts[place.path.as_str()], place.from, place.to)));
    }
    files.sort_unstable();
    files.dedup();
    assert_eq!(files, ["dots.rules", "small.rules"]);
    let soon = found.parts.iter().find(|part| part.name == "soon").expect("the end");
    assert_eq!((soon.kind.as_str(), soon.place.path.as_str(), soon.line), ("end", "small.rules", 2));
}

#[test]
fn values_of_params_are_those_that_are_set() {
    let page = page(RULES);
    let cost = |size: i64| {
        let found = profiled(&page, json!({"path": "bundled/dilido", "set": {"size": size}}));
        found.lines.iter().map(|one| one.cost.instructions).sum::<f64>()
    };
    assert!(cost(4) != cost(9));
}

#[test]
fn what_can_t_be_profiled_is_refused() {
    for (text, change, why) in [
        (RULES, json!({"games": 0}), "games"),
        (RULES, json!({"games": 1001}), "games"),
        (RULES, json!({"path": "none.rules"}), "none.rules"),
        (&RULES.replace("free(c) =", "fre(c) ="), json!({}), "the rules have errors: "),
        ("", json!({}), "neither a game nor a variant"),
    ] {
        let message = begun(&page(text), change).err().expect("a refusal");
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn what_keeps_games_from_telling_much_is_told() {
    let rolls = "game \"Rolls\" {\n  players 1\n  dice die: 1 of d6\n  var times: 0..3 = 0\n  \
        turn { roll die times += 1 }\n  end enough when times == 3\n}\n";
    let found = profiled(&page(rolls), json!({}));
    assert_eq!(
        found.cautions,
        ["Nobody decided anything: times and instructions are those of all games together"]
    );
    assert!(!found.lines.is_empty());
    let failing = rolls.replace("times == 3", "times == 9");
    let found = profiled(&page(&failing), json!({}));
    assert!(
        found.cautions[0].starts_with("A game failed: ") && found.cautions.len() == 2,
        "{:?}",
        found.cautions
    );
}

#[test]
fn a_profile_ends_when_it_is_interrupted() {
    // A game of many steps without a decision, so that nothing but the meter looks at the flag.
    let long = "game \"Long\" {\n  players 1\n  board cell = grid(20, 20)\n  var steps: 0..99999999 = 0\n  dice die: 1 of d6\n  \
        turn { roll die if any a in cell: any b in cell: any c in cell: row(a) + column(b) + row(c) + die == 99 { steps += 1 } }\n  \
        end far when steps == 99999999\n}\n";
    let mut run = begun(&page(long), json!({"games": null})).unwrap_or_else(|message| panic!("{message}"));
    let stop = Interrupt::new();
    stop.set();
    assert!(stop.scope(|| while run.step(&mut |_| {}) {}).is_err());
}
