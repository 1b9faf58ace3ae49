//! `houserule diff`: the changed part, the old and the new rule. The changes of each bundled variant are in
//! `tests/diffs`; `UPDATE_SNAPSHOTS=1 cargo test --test command diff` writes them again.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use crate::command::run;
use crate::extent;
use crate::text_snapshots::check_snapshots;
use houserule::bundled;
use houserule::loader::catalogue;

fn diff(old: &str, new: &str) -> String {
    let (code, out, err) = run(&["diff", old, new]);
    assert_eq!((code, err.as_str()), (0, ""), "{old} {new}");
    out
}

/// Writes a file to a folder for this test.
fn file(name: &str, text: &str) -> String {
    crate::written::file("diff", name, text).display().to_string()
}

/// Returns a variant of a game with some changes.
fn variant(name: &str, of: &str, edits: &str) -> String {
    file(name, &format!("variant \"V\" of \"{of}\" {{\n{edits}\n}}\n"))
}

#[test]
fn every_bundled_variant_says_what_it_changes() {
    check_snapshots(catalogue().iter().filter_map(|entry| {
        let told = diff(entry.of.as_ref()?, entry.name);
        assert!(!told.contains("no difference"), "{}", entry.name);
        Some((format!("tests/diffs/{}.txt", entry.name), told))
    }));
}

#[test]
fn a_game_does_not_differ_from_itself() {
    for name in extent::bundled("itself", 6) {
        assert_eq!(diff(name, name), "no difference\n", "{name}");
        let text = bundled::find(name).unwrap().text;
        // A script lies beside its rules.
        if !text.contains("\nvariant ") && !text.contains("\n  script \"") {
            // Comments, spaces, titles and help texts make no difference.
            let other = text.replacen(" \"", " \"other: ", 2).replace(" {\n", " { // other\n\n");
            let other = file(&format!("{name}.rules"), &other);
            assert_eq!(diff(name, &other), "no difference\n", "{name}");
        }
    }
}

#[test]
fn the_old_and_the_new_value_are_named() {
    let points = variant("points.rules", "dilido", "param line_points = [3: 1, 4: 5, 5: 10, 6+: 40]");
    assert_eq!(diff("dilido", &points), "param line_points, line of 4: 3 → 5 points\n");
    let limit = variant("limit.rules", "dilido", "param penalty_limit = 5");
    assert_eq!(diff("dilido", &limit), "param penalty_limit: 3 → 5\n");
    let end = variant("end.rules", "tic-tac-toe", "end line when longest(mark[me]) >= 4: win me");
    let more = variant("more.rules", "tic-tac-toe", "end line when longest(mark[me]) >= 5: win me");
    assert_eq!(
        diff(&end, &more),
        "end line:\n  - when the mover's marks make a line of at least 4; the mover wins\n  \
         + when the mover's marks make a line of at least 5; the mover wins\n"
    );
    let fixed = variant("fixed.rules", "dilido", "fix reading = either\nparam size: 3..20 = 6");
    let told = diff("dilido", &fixed);
    assert!(told.contains("param reading: free to be set → fixed\n"), "{told}");
    assert!(told.contains("param size, what it may be: 3..12 → 3..20\n"), "{told}");
}

#[test]
fn what_is_added_and_removed_is_named() {
    let edits = "without step joker\nnew define corner = @a1\n\
                 after place step rest \"Rest.\" { penalties = penalties }\nscore { new penalty: -penalties \"costs\" }";
    let changed = variant("steps.rules", "dilido", edits);
    // Declarations that are no longer used get a warning.
    let diff = |old: &str, new: &str| run(&["diff", old, new]).1;
    let told = diff("dilido", &changed);
    for line in [
        "step joker removed: ",
        "option joker removed:\n  - c is one of the empty places in nearby of anchor; put a wild at c; jokers\n  -   left ",
        "step rest added: penalties become penalties\n",
        "define corner added: a1",
        "score penalty added: minus penalties",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    // A removed option keeps its action numbers.
    assert!(!told.contains("actions"), "{told}");
    let back = diff(&changed, "dilido");
    assert!(back.contains("step rest removed") && back.contains("step joker added"), "{back}");
}

/// Like the help texts of declarations and options, those of other parts make no difference.
#[test]
fn help_texts_of_steps_ends_and_otherwise_make_no_difference() {
    let rules = |helps: [&str; 3]| {
        let [step, other, end] = helps;
        format!(
            "game \"Helped\" {{ players X, O board cell = grid(2, 2) piece mark[player]
            turn {{ step lay {step} {{ choose {{
              lay c in empty {{ put mark[me] at c }}
              otherwise {other} {{ end game as stuck: lose me {end} }}
            }} }} }} }}\n"
        )
    };
    let bare = file("bare.rules", &rules(["", "", ""]));
    let helped = file("helped.rules", &rules(["\"Lay.\"", "\"it is lost\"", "\"none is free\""]));
    assert_eq!(diff(&bare, &helped), "no difference\n");
    assert_eq!(diff(&helped, &bare), "no difference\n");
    let changed = variant("step-help.rules", "helped.rules", "step lay \"Lay or lose.\"");
    assert_eq!(diff(&helped, &changed), "no difference\n");
}

#[test]
fn statements_are_told_in_words() {
    let game = |name: &str, body: &str| {
        let rules = "players X, O board cell = grid(3, 3) piece mark[player] var n: 0..9 = 0
             procedure gain(k) { n += k }";
        file(name, &format!("game \"Told\" {{ {rules} {body} end full when empty is nothing }}\n"))
    };
    let mark = "mark c in empty { put mark[me] at c }";
    let old = game("words-old.rules", &format!("turn {{ choose {{ {mark} rest {{ }} }} }}"));
    let more = "deliberate mark c in empty { put mark[me] at c
         if n > 3 { gain(1) n = 0 } else { for p in players { if n < 2 { gain(2) } n += 1 } } n = 5 }
         fly where n > 2 { n -= 1 }";
    let new = game("words-new.rules", &format!("turn {{ choose {{ {more} }} if n == 9 {{ n = 0 }} }}"));
    // What one of the games doesn't use gets a warning.
    let diff = |old: &str, new: &str| run(&["diff", old, new]).1;
    let told = diff(&old, &new);
    for line in [
        "turn: a choice → a choice; if n is 9, n becomes 0\n",
        "option mark:\n    …\n    put your mark at c\n  + if n is more than 3:\n  +   gain (1)\n  +   n becomes 0\n  + if not:\n  \
         +   for each player p:\n  +     if n is less than 2:\n  +       gain (2)\n  +     n goes up by 1\n  + n becomes 5\n",
        // The choice has no name.
        "option rest removed: nothing happens\n",
        "option fly added: if n is more than 2; n goes down by 1\n",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(!told.contains('{') && !told.contains("+="), "{told}");
    // Where the words leave out what differs, the rules are shown as they are written.
    let rare = game("words-rare.rules", &format!("turn {{ choose {{ deliberate {mark} rest {{ }} }} }}"));
    assert_eq!(
        diff(&old, &rare),
        "option mark:\n  - mark c in empty { put mark[me] at c }\n  \
         + deliberate mark c in empty { put mark[me] at c }\n"
    );
}

#[test]
fn defines_ends_and_scores_are_told_in_words() {
    let game = |name: &str, line: u32, when: &str, points: &str| {
        let text = format!(
            "game \"Told\" {{ players X, O board cell = grid(3, 3) piece mark[player] var n: 0..9 = 0
             define full = count(mark[me]) > {line}
             turn {{ choose {{ lay c in empty {{ put mark[me] at c n += 1 }} }} }}
             end line {when} full: win me
             end out when empty is nothing
             score {{ laid: {points} }} }}"
        );
        file(name, &text)
    };
    let old = game("terms-old.rules", 3, "when", "n");
    let new = game("terms-new.rules", 4, "of round when", "2 * n when n > 3");
    let told = run(&["diff", &old, &new]).1;
    for line in [
        "define full:\n  - true if the number of your marks is more than 3\n",
        "  + true if the number of your marks is more than 4\n",
        "end line:\n  - when full is true; the mover wins\n",
        "  + at the end of a round, when full is true; the mover wins\n",
        "score laid: n → 2 times n, when n is more than 3\n",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(!told.contains("count(") && !told.contains("win me"), "{told}");
}

#[test]
fn who_wins_is_told_in_words() {
    let least = variant("least.rules", "reversi", "winner least(score)");
    assert_eq!(diff("reversi", &least), "winner: the highest score → the lowest score\n");
    let game = |name: &str, ties: &str| {
        let text = format!(
            "game \"Gold\" {{ players X, O var gold[player]: 0..9 = 0
             turn {{ choose {{ dig {{ gold[me] += 1 }} rest {{ }} }} }} end late when turns[O] == 3
             winner most(gold[me]) ties {ties} }}\n"
        );
        file(name, &text)
    };
    let told = diff(&game("ties-old.rules", "least(turns[me])"), &game("ties-new.rules", "most(turns[me])"));
    assert!(told.starts_with("ties: the ") && !told.contains('(') && !told.contains("[me]"), "{told}");
}

#[test]
fn params_may_be_set_on_both_sides_or_one() {
    let told = |args: &[&str]| {
        let (code, out, err) = run(&[&["diff"], args].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        out
    };
    assert_eq!(told(&["dilido", "--set-b", "penalty_limit=5"]), "param penalty_limit: 3 → 5\n");
    assert_eq!(told(&["dilido", "--set-a", "penalty_limit=5"]), "param penalty_limit: 5 → 3\n");
    let both = ["dilido", "dilido", "--set", "penalty_limit=5", "--set-b", "size=7"];
    assert!(told(&both).starts_with("param size: 6 → 7\n"), "{}", told(&both));
    let more = ["pig", "--set-b", "goal=50", "--players", "3"];
    assert_eq!(told(&more), "param goal: 100 → 50\n");
    let (code, _, err) = run(&["diff", "dilido", "--set-b", "sise=7"]);
    assert!(code == 2 && err.contains("B (dilido)") && err.contains("size"), "{err}");
    assert_eq!(run(&["diff", "dilido", "dilido", "--players", "2"]).0, 2);
}

#[test]
fn the_command_says_so_in_json_and_by_its_exit_code() {
    assert_eq!(run(&["diff", "pig", "pig", "--exit-code"]).0, 0);
    assert_eq!(run(&["diff", "dilido", "dilido+torus", "--exit-code"]).0, 1);
    let (code, out, _) = run(&["diff", "dilido", "dilido", "+", "torus", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 0);
    assert_eq!(json["new"], "dilido + torus");
    assert_eq!(json["differences"][0]["part"], "board cell");
    assert_eq!(json["differences"][0]["new"], "grid(size, size, wrap: true)");
    let (code, _, err) = run(&["diff", "dilido"]);
    assert!(code == 2 && err.contains("name a second game"), "{err}");
    // Warnings and errors are told once.
    let unread = variant("unread.rules", "dilido", "new var zed: 0..3 = 0");
    let (code, _, err) = run(&["diff", &unread]);
    assert!(code == 0 && err.matches("warning[never-read]").count() == 1, "{err}");
    let wrong = variant("wrong.rules", "dilido", "param penalty_limit = lots");
    let (code, _, err) = run(&["diff", &wrong]);
    assert!(code == 1 && err.matches("error[").count() == 1, "{err}");
}

#[test]
fn scripts_are_told_by_what_they_do_and_compared_by_their_functions() {
    let script = |name: &str, text: &str| {
        let folder = file(&format!("{name}.rules"), "variant \"V\" of \"dilido\" { script \"lucky.rhai\" }");
        let folder = PathBuf::from(folder);
        let own = folder.with_extension("");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("lucky.rhai"), text).unwrap();
        let rules = own.join("lucky.rules");
        std::fs::copy(&folder, &rules).unwrap();
        rules.display().to_string()
    };
    let old = script(
        "script-old",
        "fn on_place(g, c) { if lucky(g) { g.jokers_left = 1; } }\nfn lucky(g) { g.roll(6) == 6 }",
    );
    assert_eq!(
        diff("dilido", &old),
        "script lucky.rhai added: acts after the option place, and leaves something to chance\n"
    );
    let text = std::fs::read_to_string(Path::new(&old).with_file_name("lucky.rhai")).unwrap();
    let same = script("script-same", &format!("// Luck.\n{}", text.replace("\n", "\n\n// More.\n")));
    assert_eq!(diff(&old, &same), "no difference\n");
    let new = script("script-new", &text.replace("== 6", "> 4"));
    assert_eq!(diff(&old, &new), "script lucky.rhai, changed in lucky\n");
    assert_eq!(
        diff(&old, "dilido"),
        "script lucky.rhai removed: acts after the option place, and leaves something to chance\n"
    );
}

#[test]
fn what_comes_first_among_ends_and_setups_is_told() {
    let game = |name: &str, parts: &[&str]| {
        let text = format!(
            "game \"Order\" {{\n players 1\n var n: 0..9 = 1\n turn {{ choose {{ up {{ n += 1 }} }} }}\n {}\n}}\n",
            parts.join("\n ")
        );
        file(name, &text)
    };
    let [double, add] = ["setup double { n = n * 2 }", "setup add { n += 1 }"];
    let [three, many] = ["end three when n == 4: win me", "end many when n > 3: draw"];
    let plain = game("plain.rules", &[double, add, three, many]);
    let ends = game("ends.rules", &[double, add, many, three]);
    assert_eq!(diff(&plain, &ends), "the order of ends: end three, end many → end many, end three\n");
    let setups = game("setups.rules", &[add, double, three, many]);
    assert_eq!(
        diff(&plain, &setups),
        "the order of setups: setup double, setup add → setup add, setup double\n"
    );
    // A declaration in only one of the files is no change of order.
    let fewer = game("fewer.rules", &[double, add, many]);
    assert!(!diff(&plain, &fewer).contains("order"), "{}", diff(&plain, &fewer));
}

#[test]
fn who_sees_a_zone_is_said_once() {
    let game = |gold: u32| {
        format!(
            "game \"Bag\" {{ players 1 enum coin {{ gold, iron }} zone bag of coin = [gold: {gold}, iron: 3] seen by none
             zone purse of coin turn {{ choose {{ take {{ deal 1 from bag to purse }} }} }} end out when bag is nothing }}"
        )
    };
    let told = diff(&file("bag-2.rules", &game(2)), &file("bag-4.rules", &game(4)));
    assert!(told.contains("[gold: 4, iron: 3] seen by none\n"), "{told}");
}

#[test]
fn a_variant_alone_is_compared_with_the_game_it_changes() {
    let five = variant("five.rules", "dilido", "param penalty_limit = 5");
    let (code, out, err) = run(&["diff", &five]);
    assert_eq!((code, out.as_str()), (0, "param penalty_limit: 3 → 5\n"), "{err}");
    assert_eq!(err, format!("{five} is compared with `dilido`, which it changes\n"));
    let (code, out, _) = run(&["compare", &five, "--agents", "random", "-n", "100"]);
    assert!(code == 0 && out.starts_with("A Di-Li-Do (dilido)"), "{out}");
    // A file with both.
    let both = file(
        "both.rules",
        "game \"Two\" { param n: 1..9 = 2 players 1 turn { choose { a { } } } end when turns[me] == n }
         variant \"Three\" of \"Two\" { param n = 3 }",
    );
    let (code, out, err) = run(&["diff", &both]);
    assert_eq!((code, out.as_str()), (0, "param n: 2 → 3\n"), "{err}");
}

/// Where the words of two rules begin alike, they may mean other things: `gold - (a - 2)` and `gold - a - 2`.
#[test]
fn a_new_rule_in_words_is_told_whole() {
    let game = |name: &str, score: &str| {
        let text = format!(
            "game \"Gold\" {{ players X, O var a: 0..9 = 1 var gold[player]: 0..99 = 0
             turn {{ choose {{ dig {{ gold[me] += 1 a = 2 }} }} }} end late when turns[O] == 3
             score {{ gold: {score} }} }}\n"
        );
        file(name, &text)
    };
    let (old, new) =
        (game("gold-old.rules", "gold[me] - (a - 2)"), game("gold-new.rules", "gold[me] - a - 2"));
    assert_eq!(diff(&old, &new), "score gold: your gold - (a - 2) → your gold - a - 2\n");
}

#[test]
fn only_the_statements_that_differ_are_told_with_those_around_them() {
    let game = |name: &str, seeds: &str, help: &str| {
        let text = format!(
            "game \"Sow\" {{ players X, O board cell = grid(3, 3) piece mark[player] var seeds[cell]: 0..9 = 2
             turn {{ choose {{ sow c in empty \"{help}\" {{
               let prey: set of cell = {{}}
               seeds[c] = 0
               for d in around(c) {{ if seeds[d] in {seeds} {{ prey = prey | {{d}} }} seeds[d] = 1 }}
               for d in prey {{ seeds[d] = 0 }}
               put mark[me] at c }} }} }}
             end full when empty is nothing }}\n"
        );
        file(name, &text)
    };
    let old = game("sow-old.rules", "{2, 3}", "sow");
    let long =
        "sow the seeds of a house, and capture what lies around it, as long as it holds two, three or four";
    let told = diff(&old, &game("sow-new.rules", "2..4", long));
    assert_eq!(
        told,
        "option sow:
    …
    for each d of the places around c:
  -   if seeds on d are either 2 or 3:
  +   if seeds on d are from 2 to 4:
        add d to prey
    …
help text of option sow:
  - sow
  + sow the seeds of a house, and capture what lies around it, as long as it
  +   holds two, three or four
"
    );
    // A help text alone makes no difference.
    assert_eq!(diff(&old, &game("sow-help.rules", "{2, 3}", long)), "no difference\n");
}

#[test]
fn words_of_a_difference_know_who_acts_and_what_is_never_run() {
    let game = |name: &str, option: &str| {
        let text = format!(
            "game \"Acts\" {{ players 2 var coins[player]: 0..9 = 0
               turn {{ choose {{ go {{ {option} }} }} }} end when turns[me] > 3 score {{ coins: coins[me] }} }}\n"
        );
        file(name, &text)
    };
    let give = game("give.rules", "as other { coins[me] += 1 }");
    let take = game("take.rules", "as other { coins[other] += 1 }");
    let words = "option go:
    the other player acts:
  -   the other player's coins go up by 1
  +   your coins go up by 1
";
    assert_eq!(diff(&give, &take), words);
    let ask = |name: &str, who: &str| {
        game(name, &format!("as other {{ choose side {{ yes {{ coins[{who}] += 1 }} }} }}"))
    };
    let told = diff(&ask("yes.rules", "me"), &ask("no.rules", "other"));
    assert!(told.starts_with("option yes of side: the other player's coins go up by 1 → "), "{told}");
    let setup = |name: &str, who: &str| {
        let text = format!(
            "game \"Acts\" {{ players 2 var coins[player]: 0..9 = 0
               setup {{ each player as me {{ choose gift {{ take {{ coins[{who}] += 1 }} }} }} }}
               turn {{ choose {{ go {{ }} }} }} end when turns[me] > 3 score {{ coins: coins[me] }} }}\n"
        );
        file(name, &text)
    };
    let told = diff(&setup("own.rules", "me"), &setup("gift.rules", "other"));
    assert!(told.starts_with("option take of gift: your coins go up by 1 → "), "{told}");
    let (rest, never) = (
        game("rest.rules", "coins[me] += 1 done"),
        game("never.rules", "coins[me] += 1 done coins[me] += 2"),
    );
    assert_eq!(diff(&rest, &never), "no difference\n");
}
