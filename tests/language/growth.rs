//! Rule files that are deep, long, growing or changed at random: the checker refuses them or reads them, in time and
//! without a panic.

use crate::check::codes;
use crate::checked::{in_game, tokens};
use crate::extent;
use houserule::check;
use houserule::check::CheckOptions;
use houserule::diagnostic::{RenderOptions, SourceMap, render_all};
use houserule::syntax::{Item, parse};

/// Returns a text nested `depth` times.
fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + middle + close.repeat(depth).as_str()
}

#[test]
fn deep_and_growing_rules_are_refused_and_nothing_overflows() {
    for depth in [40, 95, 180, 400] {
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("-", "1", ""),
            ("abs(", "n", ")"),
            ("1 + ", "n", ""),
            ("count(around(", "spot", ") & empty)"),
            ("if n == 1 then 2 else ", "3", ""),
            ("(if n == 1 then 2 else ", "3", ")"),
            ("sum x in 1..2: ", "3", ""),
            ("(sum x in 1..2 where x > 1: ", "3", ")"),
            ("max(1, 2, ", "3", ")"),
            ("count({ c in empty where c in mark[me] and 1 == ", "2", "})"),
        ] {
            let _ = codes(&in_game("", &format!("n = {}", nested(open, middle, close, depth))));
        }
        let _ = codes(&in_game("", &nested("if n == 1 { ", "n = 1", " }", depth)));
        let _ = codes(&in_game("", &nested("choose { a { ", "n = 1", " } }", depth)));
        let chain: Vec<String> = (1..depth)
            .map(|i| format!("define f{i}(x) = f{}(x) + (if x == 1 then x else f0(x))", i - 1))
            .collect();
        let text = format!("define f0(x) = x\n{}\nend when f{}(n) == 1", chain.join("\n"), depth - 1);
        let _ = codes(&in_game(&text, "n = 1"));
        let chain: Vec<String> =
            (1..depth).map(|i| format!("procedure p{i}(x) {{ if x == 1 {{ p{}(x) }} }}", i - 1)).collect();
        let text = format!("procedure p0(x) {{ n = x }}\n{}", chain.join("\n"));
        let _ = codes(&in_game(&text, &format!("p{}(n)", depth - 1)));
    }
    let doubling: Vec<String> = (1..60).map(|i| format!("define f{i} = f{} + f{}", i - 1, i - 1)).collect();
    let text = format!("define f0 = n\n{}\nend when f59 == 1", doubling.join("\n"));
    assert!(codes(&in_game(&text, "n = 1")).contains("rules-too-large"));
    let doubling: Vec<String> = (1..60).map(|i| format!("define g{i}(x) = g{}(x + x)", i - 1)).collect();
    let text = format!("define g0(x) = x\n{}\nend when g59(n) == 1", doubling.join("\n"));
    assert!(codes(&in_game(&text, "n = 1")).contains("rules-too-large"));
    let doubling: Vec<String> =
        (1..60).map(|i| format!("procedure p{i} {{ p{}() p{}() }}", i - 1, i - 1)).collect();
    let text = format!("procedure p0 {{ n = 1 }}\n{}", doubling.join("\n"));
    assert!(codes(&in_game(&text, "p59()")).contains("rules-too-large"));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: extent::tries(100, 300), failure_persistence: None, ..Default::default() })]
    /// Random words inserted at random places of rule files never make the checker panic.
    #[test]
    fn changed_rule_files_never_panic(
        which in 0usize..11,
        edits in proptest::collection::vec((0usize..10_000, 0usize..10_000, 0usize..3), 1..6),
    ) {
        let names = ["rules/dilido", "rules/dicrono", "rules/classics/connect-four", "rules/classics/pig",
            "tests/sketches/kalah", "tests/sketches/go", "tests/sketches/points", "tests/sketches/dominoes",
            "tests/sketches/dice-wide-shut", "rules/classics/nine-mens-morris",
            "rules/classics/dots-and-boxes"];
        let path = format!("{}/{}.rules", env!("CARGO_MANIFEST_DIR"), names[which]);
        let text = std::fs::read_to_string(&path).expect(&path);
        let mut words: Vec<String> = tokens(&text);
        for (at, from, how) in edits {
            let (at, from) = (at % words.len(), from % words.len());
            match how {
                0 => { words.remove(at); }
                1 => words[at] = words[from].clone(),
                _ => words.insert(at, words[from].clone()),
            }
        }
        let text = words.concat();
        let mut sources = SourceMap::default();
        let source = sources.add("test.rules", text.as_str());
        let (file, _) = parse(source, &text);
        for item in &file.items {
            if let Item::Game(game) = item {
                let checked = check::check(game, &[], &[], &CheckOptions::default());
                let _ = render_all(&checked.diagnostics, &sources, RenderOptions::default());
            }
        }
    }
}

#[test]
fn long_files_take_no_longer_than_they_are() {
    let many = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<Vec<_>>().join("\n");
    let long = extent::tries(5_000, 20_000);
    // The first value that `n` doesn't hold is that of `f10`.
    let too_large = format!("out-of-range@{}", long + 18);
    for (decls, turn, first) in [
        (many(long / 4, &|i| format!("define name{i} = nme{i} + {i}")), String::new(), "unknown-name@7"),
        (
            many(long, &|i| format!("define f{i} = {i}")),
            many(long, &|i| format!("n = f{i}")),
            too_large.as_str(),
        ),
        (
            many(long, &|i| format!("var v{i}: 0..3")),
            many(long * 9 / 20, &|i| format!("v{i} = v{}", i + 1)),
            "never-read@7",
        ),
        (many(long, &|i| format!("end e{i} when n == {}", i % 9)), String::new(), ""),
        (many(500, &|i| format!("board b{i} = grid(64, 64)")), String::new(), "limit-boards@70"),
        (many(2_000, &|i| format!("table t{i}[1..4000, 1..16]: 0..1 = 1")), String::new(), "limit-tables@22"),
        (
            many(2_000, &|i| format!("domain pair{i} {{ a: 1..64, b: 1..64 }}")),
            String::new(),
            "limit-tables@129",
        ),
        (many(200, &|i| format!("var s{i}[1..4000, 1..16]: set of cell")), String::new(), "limit-state@7"),
        (String::new(), many(3_000, &|i| format!("step s{i} {{ choose c{i} {{ o{i} {{ n = 1 }} }} }}")), ""),
    ] {
        let found = codes(&in_game(&decls, &turn));
        assert_eq!(found.split(' ').next(), Some(first));
    }
}
