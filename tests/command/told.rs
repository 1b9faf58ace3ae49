//! What reports, comparisons, sweeps, tunings and worths tell in the same words: sides, shares of wins, chance, and
//! remedies that the rules allow.

use serde_json::Value as Json;

use crate::command::run;
use crate::extent;

/// Rules in a file for this test.
fn file(name: &str, rules: &str) -> String {
    crate::written::file("told", name, rules).display().to_string()
}

/// What a run prints, without its line breaks.
fn words(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}\n{err}");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same of games of random players.
fn played(args: &[&str], games: &str) -> String {
    words(&[args, &["--agents", "random", "-n", games][..]].concat())
}

/// The page of a report with exact values.
fn page(name: &str, rules: &str) -> Json {
    let path = file(name, rules);
    // A quick report has the same exact values.
    let mut args = vec!["report", path.as_str(), "--agent", "random", "-n", "100", "--json"];
    if !extent::everything() {
        args.push("--quick");
    }
    let (code, out, err) = run(&args);
    assert_eq!(code, 0, "{name}\n{err}");
    serde_json::from_str::<Json>(&out).expect("JSON")["pages"][0].take()
}

fn section<'p>(page: &'p Json, id: &str) -> &'p Json {
    page["sections"].as_array().expect("sections").iter().find(|one| one["id"] == id).expect("the section")
}

/// Who counts to five first.
fn race(players: &str) -> String {
    format!(
        "game \"Race\" {{ players {players} var n[player]: 0..99 = 0
         turn {{ choose {{ one {{ n[me] += 1 }} two {{ n[me] += 2 }} }} }} end over when n[me] >= 5: win me }}"
    )
}

/// One after the other takes pins off the board.
const TAKE: &str = r#"game "Take" {
    players 2
    board spot = grid(6, 1)
    piece pin
    setup { put pin at spot }
    turn { choose { take s in pin { clear s } } }
    end last when pin is nothing: win me
}"#;

#[test]
fn a_share_of_the_wins_has_one_label() {
    // All but one share the win.
    let rules = file(
        "dodge.rules",
        "game \"Dodge\" { players 3 param face: 5..6 = 6 dice die: 1 of d6 var caught: player = player 3
         turn { choose { go { roll die if die == face { caught = me } } wait { } } }
         end caught of round when round == 2: lose caught }",
    );
    let label = "player 1's share of the wins";
    for told in [
        played(&["compare", &rules, "--set-b", "face=5"], "200"),
        played(&["sweep", &rules, "--metrics", "wins[1]"], "200"),
        played(&["tune", &rules, "--vary", "face=5..6", "--target", "wins[1] = 30 %"], "200"),
    ] {
        assert!(told.contains(label) && !told.contains("player 1 wins"), "{told}");
    }
    // A win that nobody shares is a win.
    let rules = file("race-of-three.rules", &race("3"));
    let told = played(&["sweep", &rules, "--metrics", "wins[1]"], "200");
    assert!(told.contains("player 1 wins") && !told.contains("share of"), "{told}");
}

#[test]
fn a_team_has_one_name() {
    let rules = |name: &str, rounds: u32| {
        let text = format!(
            "game \"Rescue\" {{ players 2..5 team all_of_us = players dice die: 1 of d6
             turn {{ choose {{ left {{ roll die }} right {{ }} }} }}
             end saved when die == 6: win me end late of round when round == {rounds}: lose me }}"
        );
        file(name, &text)
    };
    let (rules, longer) = (rules("rescue.rules", 3), rules("rescue-longer.rules", 4));
    let simulated = words(&["simulate", &rules, "-n", "200"]);
    let compared = played(&["compare", &rules, &longer], "200");
    let swept = played(&["sweep", &rules], "200");
    let reported = words(&["report", &rules, "--quick", "-n", "200"]);
    let worth = played(&["worth", &rules], "200");
    for told in [&simulated, &compared, &swept, &reported, &worth] {
        assert!(told.contains("the team all of us"), "{told}");
        assert!(!told.contains("all_of_us") && !told.contains("all win"), "{told}");
    }
    assert!(
        worth.contains("Wins of the team all of us, minus those if a seat is without an option"),
        "{worth}"
    );
}

#[test]
fn what_comes_by_chance_is_called_by_its_name() {
    let told = played(&["worth", &file("race-without-chance.rules", &race("2"))], "60");
    let note =
        "The game has no chance events; its players have the same seeds with and without a rule, seed 1.";
    assert!(told.contains(note) && !told.contains("dice"), "{told}");
    let told = played(&["worth", "pig", "--only", "roll"], "60");
    assert!(told.contains("Games with and without a rule have the same dice, seed 1."), "{told}");
    // Cards that are shuffled are no dice.
    let told = played(&["compare", "battle", "--set-b", "buried=2"], "20");
    assert!(told.contains("Both games were played with the same chance events."), "{told}");
    assert!(!told.contains("dice"), "{told}");
}

#[test]
fn a_remedy_is_one_that_the_rules_allow() {
    let told = |name: &str, players: &str| {
        let page = page(name, &race(players));
        let decided = section(&page, "decided");
        (decided["missing"].to_string(), decided["notes"].to_string())
    };
    let (missing, notes) = told("race-of-two.rules", "2");
    assert!(!missing.contains("kingmaking"), "{missing}");
    let why = "No kingmaking: it takes three players or more, and the rules are for 2 players.";
    assert!(notes.contains(why), "{notes}");
    let (missing, _) = told("race-of-two-to-four.rules", "2..4");
    assert!(missing.contains("kingmaking") && missing.contains("play with `--players 3`"), "{missing}");
    // One player plays, and could do so with others or not.
    let alone = |players: &str| {
        let rules = format!(
            "game \"One\" {{ players {players} dice die: 1 of d6 var got[player]: 0..99 = 0
             turn {{ choose {{ go {{ roll die got[me] += die }} stop {{ }} }} }} end over of round when round == 3
             score {{ got: got[me] }} }}"
        );
        section(&page(&format!("one-{players}.rules"), &rules), "fair")["missing"].to_string()
    };
    assert_eq!(alone("1"), "[]");
    assert!(alone("1..3").contains("play with `--players 2`"));
}

#[test]
fn a_single_option_has_no_table() {
    let take = page("take-options.rules", TAKE);
    let decisions = section(&take, "decisions");
    assert_eq!(decisions["tables"].to_string(), "[]");
    let answer = decisions["answer"].as_str().expect("an answer");
    assert!(answer.contains("No action is better than another by exact values."), "{answer}");
    let race = page("race-options.rules", &race("2"));
    assert_eq!(section(&race, "decisions")["tables"][0]["rows"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_board_that_empties_is_looked_at_from_the_first_decision() {
    let take = page("take-board.rules", TAKE);
    let board = section(&take, "board");
    assert_eq!(
        board["answer"],
        "All sites are empty at the end of every game, in 100 games. At the first decision 100 % of the sites are \
         occupied, half-way 50 %, at the end 0 %."
    );
    let maps = board["boards"].to_string();
    assert!(!maps.contains("Occupied at the end"), "{maps}");
    assert_eq!(board["notes"].to_string(), "[]");
}

#[test]
fn a_draw_of_sides_of_different_sizes_is_shared_by_sides() {
    let page = page(
        "uneven.rules",
        "game \"Uneven\" { players 5 team few = {player 1, player 2} team many = {player 3, player 4, player 5}
         dice die: 1 of d6 turn { choose { left { roll die } right { roll die } } }
         end first of round when die >= 4: draw end few of round when die == 1: win player 1
         end many of round when round == 2: win player 3 }",
    );
    let answer = section(&page, "decided")["answer"].as_str().expect("an answer");
    assert!(answer.contains("By exact values"), "{answer}");
    // Six of nine games are drawn, two are won by the two players and one by the three: of the wins they have 5/9 and 4/9.
    let figures = section(&page, "measures")["figures"].as_array().expect("figures");
    let open = figures.iter().find(|one| one["label"] == "open at the start, in bits").expect("the figure");
    let bits = |share: f64| -share * share.log2();
    let found = open["value"].as_f64().expect("a value");
    assert!((found - bits(5.0 / 9.0) - bits(4.0 / 9.0)).abs() < 1e-6, "{open}");
}

#[test]
fn a_report_without_a_finished_game_has_no_empty_figures() {
    let rules = file(
        "endless.rules",
        "game \"Endless\" { players 2 limit 40 var n: 0..1 = 0
         turn { choose { flip { n = 1 - n } stay { } } } end never when n > 1: win me }",
    );
    let told = words(&["report", &rules, "--quick", "-n", "20"]);
    for empty in ["in game", "writes such a game", "Minutes assume", "No player was found"] {
        assert!(!told.contains(empty), "{empty}\n{told}");
    }
    assert!(
        told.contains("because no game came to an end, of ") && !told.contains("found so quickly"),
        "{told}"
    );
}

#[test]
fn what_lacks_the_same_is_told_once() {
    let told = words(&["report", "tic-tac-toe", "--quick", "-n", "100"]);
    assert_eq!(told.matches("a quick report plays no games between players").count(), 1, "{told}");
    // Without chance events there is nothing that they move, and without a score no table of scores.
    assert!(!told.contains("what chance events move") && !told.contains("Wins and scores"), "{told}");
    let told = words(&["report", "pig", "--set", "goal=10", "--quick", "-n", "100"]);
    assert!(
        told.contains("ratings, what more search buys, the parts of the variance, because a quick"),
        "{told}"
    );
    assert!(told.contains("Luck and skill were not told apart"), "{told}");
}

#[test]
fn options_that_are_equally_good_are_told_in_one_sentence() {
    let page = page(
        "equal.rules",
        "game \"Equal\" { players 2 dice die: 1 of d6
         turn { choose { left { roll die } right { roll die } } } end six when die == 6: win me }",
    );
    let notes = section(&page, "decisions")["notes"].to_string();
    assert!(notes.contains("Where several options were possible, none was better than another."), "{notes}");
    assert!(!notes.contains("never beat it"), "{notes}");
}

#[test]
fn a_bound_of_a_difference_stands_before_what_it_is_of() {
    let told = played(&["compare", "pig", "--set-b", "goal=99"], "20");
    assert!(told.contains("there may be one of at most 3 (lead of player 1), 4 (turns)."), "{told}");
    let line = "report pig --set goal=10 --players 2,3 --quick --agent greedy -n 50";
    let told = words(&line.split(' ').collect::<Vec<_>>());
    assert!(told.contains("The wins of the seats differ by "), "{told}");
}

#[test]
fn a_score_item_that_is_a_number_is_not_told_twice() {
    let rules = file(
        "letter.rules",
        "game \"Letter\" { players 2 var n: 0..9 = 0 turn { choose { go { n += 1 } } } end done when n == 3
         score { letter: 1 when me == player 1 and n == 3 \"to the player who wins\"  more: n + 2 } }",
    );
    let position = file("letter.txt", "n = 3\n");
    let told = words(&["score", &rules, &position]);
    let items = "letter: 1 point (to the player who wins) more: 5 points n: 3 points 2: 2 points";
    assert!(told.contains(items), "{told}");
}

#[test]
fn matches_have_games_on_average() {
    let rules = file(
        "unequal.rules",
        "game \"Unequal\" { players 2 dice die: 1 of d6 turn { choose { go { roll die } } }
         end done when die > 0 score { points: die when me == player 1 }
         match { until: any p in players: total[p] >= 9, total: sum } }",
    );
    let told = words(&["simulate", &rules, "--match", "-n", "50", "--agents", "random"]);
    let head = told.split(" · ").next().expect("a heading");
    let games = head.split("50 matches of ").nth(1).expect("matches");
    let mean = games.strip_suffix(" games on average").expect("a mean");
    assert_eq!(mean.split_once('.').map(|(_, decimals)| decimals.len()), Some(1), "{told}");
}

#[test]
fn a_rule_of_later_games_of_a_match_is_no_rule_that_does_nothing() {
    let rules = "game \"Twice\" {
  players 2
  var n: 0..9 = 0
  var held[player]: 0..9 = 0 match
  var paid: 0..1 = 0
  setup { for p in players { if held[p] > 0 { as p { choose pay { pay { paid = 1 } keep { } } } } } }
  turn { choose { go { n += 1 } } if n == 3 { held[me] = 1 } }
  end done when n == 3 and paid == 0: win me
  end rich when n == 3: win me
  score { n: n  bonus: paid }
  match { games: 3, total: sum }
}
";
    let page = page("twice.rules", rules);
    let found = section(&page, "rules");
    let told = found["answer"].as_str().expect("an answer");
    assert!(told.starts_with("Every step, option, end and score item came up, but some not in "), "{told}");
    let notes = found["notes"].to_string();
    assert!(!notes.contains("Never:"), "{notes}");
    for rule in ["option `pay`", "option `keep`", "end `rich`", "score item `bonus`"] {
        assert!(notes.contains(&format!("Only in later games of a match: {rule}.")), "{notes}");
    }
}
