//! Who won: players, teams, or all of them together; one loser, several winners, and draws.

use serde_json::Value as Json;

use crate::command::run;
use crate::extent;

/// Two against two: the first side with three sixes wins.
const PARTNERS: &str = r#"game "Sixes" {
  players north, east, south, west
  team north_south = {north, south}
  team east_west = {east, west}
  dice die: 1 of d6
  var sixes[team]: 0..9 = 0
  turn { choose { left { roll die } right { roll die } } if die == 6 { sixes[team(me)] += 1 } }
  end three when any t in team: sixes[t] == 3: win best t in team by sixes[t]
  score { sixes: sixes[team(me)] when me == lowest(team(me)) }
}"#;

/// The same, each alone.
const SINGLES: &str = r#"game "Sixes" {
  players north, east, south, west
  dice die: 1 of d6
  var sixes[player]: 0..9 = 0
  turn { choose { left { roll die } right { roll die } } if die == 6 { sixes[me] += 1 } }
  end three when sixes[me] == 3: win me
  score { sixes: sixes[me] }
}"#;

/// A six in three rounds of two players: 1 - (5/6)^6 = 66.5 %.
const CREW: &str = r#"game "Rescue" {
  players 2..5
  team crew = players
  dice die: 1 of d6
  turn { choose { left { roll die } right { roll die } } }
  end saved when die == 6: win me
  end late of round when round == 3: lose me
}"#;

/// Rules in a file for this test.
fn file(name: &str, rules: &str) -> String {
    crate::written::file("sides", name, rules).display().to_string()
}

fn out(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}\n{err}");
    out
}

fn json(args: &[&str]) -> Json {
    serde_json::from_str(&out(args)).expect("JSON")
}

/// The page of a report with games of random players, and of the best that is found, or of greedy ones.
fn page(rules: &str) -> Json {
    let mut args = vec!["report", rules, "--quick", "-n", "500", "--json"];
    if !extent::everything() {
        args.extend(["--agent", "greedy"]);
    }
    json(&args)["pages"][0].take()
}

fn section<'p>(page: &'p Json, id: &str) -> &'p Json {
    page["sections"].as_array().expect("sections").iter().find(|one| one["id"] == id).expect("the section")
}

/// Labels and values of the figures of random players, of a metric in a section.
fn figures(section: &Json, metric: &str) -> Vec<(String, f64)> {
    let all = section["figures"].as_array().expect("figures").iter();
    let own = all.filter(|one| one["metric"] == metric && one["agent"] == "random");
    own.map(|one| (one["label"].to_string().replace('"', ""), one["value"].as_f64().expect("a value")))
        .collect()
}

#[test]
fn a_report_speaks_of_sides() {
    let page = page(&file("partners.rules", PARTNERS));
    for id in ["glance", "fair"] {
        let wins = figures(section(&page, id), "wins");
        let labels: Vec<&str> = wins.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["the team north south wins", "the team east west wins"], "{id}");
        let sum: f64 = wins.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{id}: the wins of all sides are all wins: {wins:?}");
    }
    let fair = section(&page, "fair");
    let answer = fair["answer"].as_str().expect("an answer");
    assert!(!answer.contains("the others") && !answer.contains("north wins"), "{answer}");
    assert_eq!(figures(fair, "first_seat_elo").len(), 1, "two sides have a rating");
}

#[test]
fn a_report_tells_who_loses_alone() {
    // Who rolled the last six loses, or else the third player.
    let rules = |end: &str| {
        format!(
            "game \"Tag\" {{ players 3 dice die: 1 of d6 var caught: player = player 3
             turn {{ choose {{ left {{ roll die }} right {{ roll die }} }} if die == 6 {{ caught = me }} }}
             end caught of round when round == 2: {end} }}"
        )
    };
    let told = page(&file("loses.rules", &rules("lose caught")));
    let fair = section(&told, "fair");
    let losses = figures(fair, "loses");
    let labels: Vec<&str> = losses.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["player 1 loses alone", "player 2 loses alone", "player 3 loses alone"]);
    let shares: Vec<f64> = losses.iter().map(|(_, share)| *share).collect();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "one player loses each game: {shares:?}");
    let wins: Vec<f64> = figures(fair, "wins").into_iter().map(|(_, share)| share).collect();
    // The other two share the win.
    let splits = |(lost, won): (&f64, &f64)| ((1.0 - lost) / 2.0 - won).abs() < 1e-9;
    assert!(shares.iter().zip(&wins).all(splits), "{shares:?} {wins:?}");
    let columns = fair["tables"][0]["columns"].to_string();
    assert!(columns.contains("\"share of the wins\",\"loses alone\""), "{columns}");
    let labels: Vec<String> = figures(fair, "wins").into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, [1, 2, 3].map(|seat| format!("player {seat}'s share of the wins")));
    let mut own = fair["figures"].as_array().expect("figures").iter().filter(|one| one["metric"] == "loses");
    assert!(own.all(|one| one["low"].is_f64() && one["high"].is_f64()), "{fair}");
    let answer = fair["answer"].as_str().expect("an answer");
    assert!(answer.contains("Player 3 loses alone most often") && answer.contains("least often"), "{answer}");
    assert!(answer.contains("A win that k sides share counts 1/k for each of them."), "{answer}");
    assert!(!answer.contains("wins most often"), "{answer}");
    let glance = section(&told, "glance")["answer"].as_str().expect("an answer");
    assert!(
        glance.contains("player 1's share of the wins is ") && glance.contains("player 2's is "),
        "{glance}"
    );
    // Without a loser in the rules, nothing is said of one.
    let other = page(&file("wins.rules", &rules("win caught")));
    let fair = section(&other, "fair");
    assert!(figures(fair, "loses").is_empty());
    let answer = fair["answer"].as_str().expect("an answer");
    assert!(answer.contains("wins most often") && !answer.contains("share"), "{answer}");
}

#[test]
fn sides_that_win_equally_often_are_not_told_apart() {
    let rules = file(
        "red.rules",
        "game \"Red\" { players 3 dice die: 1 of d6 turn { choose { left { } right { } } roll die }
         end over of round when round == 1: lose player 1 }",
    );
    let page = page(&rules);
    let answer = section(&page, "fair")["answer"].as_str().expect("an answer");
    let first = "player 2 and player 3 equally have the largest share of the wins, 50 %";
    assert!(
        answer.contains(first) && answer.contains("player 1's share of the wins is smallest, 0 %"),
        "{answer}"
    );
    assert!(answer.contains("player 2 and player 3 equally lose alone least often, 0 %"), "{answer}");
}

#[test]
fn a_smaller_share_of_the_wins_is_not_said_to_be_fewer_wins() {
    // Who rolled the last six wins, or loses; else the third player.
    let rules = |rounds: u32, end: &str| {
        let text = format!(
            "game \"Tag\" {{ players 3 dice die: 1 of d6 var caught: player = player 3
             turn {{ choose {{ left {{ roll die }} right {{ roll die }} }} if die == 6 {{ caught = me }} }}
             end caught of round when round == {rounds}: {end} caught }}"
        );
        file(&format!("tag-{end}-{rounds}.rules"), &text)
    };
    let compared = |a: &str, b: &str| words(&out(&["compare", a, b, "--agents", "random", "-n", "1000"]));
    // The first loses seldom, and wins with the second or the third: more games, of which a half counts.
    let told = compared(&rules(2, "win"), &rules(2, "lose"));
    assert!(told.contains("Player 3's share of the wins is ") && told.contains(" smaller (±"), "{told}");
    assert!(told.contains("Player 1's share of the wins is ") && told.contains(" larger (±"), "{told}");
    assert!(!told.contains("often") && !told.contains("player 3 wins"), "{told}");
    // Wins that nobody shares are wins.
    let told = compared(&rules(2, "win"), &rules(4, "win"));
    assert!(told.contains("Player 3 wins ") && told.contains("less often"), "{told}");
    assert!(!told.contains("share of the wins") && !told.contains("several share"), "{told}");
}

#[test]
fn players_who_win_together_have_a_rate_of_success() {
    let page = page(&file("crew.rules", CREW));
    let fair = section(&page, "fair");
    assert!(figures(fair, "wins").is_empty() && figures(fair, "first_seat_elo").is_empty());
    let won = figures(fair, "success")[0].1;
    // 10,000 games: a standard error of 0.0047.
    assert!((won - 0.665).abs() < 5.0 * 0.0047, "{won}");
    let answer = fair["answer"].as_str().expect("an answer");
    assert!(answer.starts_with("All players win or lose together"), "{answer}");
}

#[test]
fn one_of_two_players_plays_beside_the_other() {
    for (players, title, column) in [
        ("2", "greedy in one seat, the other played by", "other"),
        ("3", "greedy in one seat, all others played by", "others"),
    ] {
        let rules = file(&format!("crew-{players}.rules"), CREW);
        let told = json(&["report", &rules, "--players", players, "--agent", "greedy", "-n", "60", "--json"]);
        let table = &section(&told["pages"][0], "skill")["tables"][0];
        assert_eq!((table["title"].as_str(), table["columns"][0].as_str()), (Some(title), Some(column)));
    }
}

#[test]
fn a_comparison_gives_partners_the_wins_of_their_side() {
    let (a, b) = (file("singles.rules", SINGLES), file("partners.rules", PARTNERS));
    let told = json(&["compare", &a, &b, "--agents", "random", "-n", "2000", "--json"]);
    let agent = &told["agents"][0];
    let wins = |seat: &str| {
        let mut all = agent["quantities"].as_array().expect("quantities").iter();
        let own = all.find(|one| one["label"] == format!("{seat} wins")).expect("the wins of a seat");
        own["b"]["mean"].as_f64().expect("a mean")
    };
    let seats: Vec<f64> = ["north", "east", "south", "west"].into_iter().map(wins).collect();
    assert!((seats[0] - seats[2]).abs() < 1e-9 && (seats[1] - seats[3]).abs() < 1e-9, "{seats:?}");
    assert!((seats[0] + seats[1] - 1.0).abs() < 1e-9, "{seats:?}");
    let text = out(&["compare", &a, &b, "--agents", "random", "-n", "2000"]);
    assert!(words(&text).contains("Only B has: the team north south wins"), "{text}");
    let teams = " · the team north south: north and south, the team east west: east and west ";
    assert!(words(&text).contains(teams), "{text}");
}

/// Two against two: who keeps more points. The param favours the north.
const PAIRS: &str = r#"game "Pairs" {
  players N, E, S, W
  param bonus: 0..3 = 0 "points for the north"
  team north_south = {N, S}
  team east_west = {E, W}
  dice die: 1 of d6
  var points[player]: 0..60 = 0
  turn { roll die choose { keep { points[me] += die } pass { } } }
  end over when turns[W] == 3 and me == W
  score { points: points[me], luck: bonus when me == N }
  winner most(score)
}"#;

/// Returns `true` if a row of a table of the text begins with a label.
fn has_row(text: &str, label: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(label))
}

/// Returns the text without its line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_comparison_speaks_of_sides() {
    let rules = file("pairs.rules", PAIRS);
    let args: &[&str] = &["compare", &rules, "--set-b", "bonus=3", "--agents", "random", "-n", "500"];
    let told = json(&[args, &["--json"][..]].concat());
    let quantities = told["agents"][0]["quantities"].as_array().expect("quantities");
    let is_of_sides = |kind: &str| ["wins", "team", "lead"].contains(&kind);
    let sides = quantities
        .iter()
        .filter(|one| one["same_as"].is_null() && is_of_sides(one["kind"].as_str().expect("a kind")));
    let labels: Vec<&str> = sides.map(|one| one["label"].as_str().expect("a label")).collect();
    let (first, second) = ("the team north south wins", "the team east west wins");
    assert_eq!(labels, [first, second, "lead of the team north south"]);
    let mean = |label: &str| {
        let one = quantities.iter().find(|one| one["label"] == label).expect("the quantity");
        one["a"]["mean"].as_f64().expect("a mean")
    };
    assert!((mean(first) + mean(second) - 1.0).abs() < 1e-9);
    let alone = json(&["simulate", &rules, "-n", "500", "--json"]);
    let scores: Vec<f64> =
        (0..4usize).map(|seat| alone["score"][seat]["mean"].as_f64().expect("a mean")).collect();
    let lead = scores[0] + scores[2] - scores[1] - scores[3];
    assert!((mean("lead of the team north south") - lead).abs() < 1e-9, "a side has the sum of its players");
    let text = out(args);
    for player in ["N wins", "E wins", "S wins", "lead of N "] {
        assert!(!has_row(&text, player), "{player}\n{text}");
    }
    assert!(has_row(&text, first) && has_row(&text, "lead of the team north south"), "{text}");
    // The wins of a player are still a name.
    let precise: &[&str] = &["--agents", "random", "-n", "2000", "--precision", "wins[1]=20%"];
    out(&[&args[..4], precise].concat());
}

#[test]
fn a_lead_is_over_the_other_side_of_two() {
    let alone: String = PAIRS.lines().filter(|line| !line.contains("team ")).collect::<Vec<_>>().join("\n");
    let two =
        alone.replace("N, E, S, W", "N, E").replace("turns[W]", "turns[E]").replace("me == W", "me == E");
    for (name, of, told) in [
        ("sides", PAIRS, "The lead of the team north south over the team east west is 3 points higher"),
        ("two", two.as_str(), "The lead of N over E is 3 points higher"),
        ("four", alone.as_str(), "The lead of N over the others is 3 points higher"),
    ] {
        let rules = file(&format!("lead-{name}.rules"), of);
        let text = out(&["compare", &rules, "--set-b", "bonus=3", "--agents", "random", "-n", "100"]);
        assert!(words(&text).contains(told), "{told}\n{text}");
    }
}

#[test]
fn sweeps_and_worths_speak_of_sides() {
    let rules = file("swept.rules", PAIRS);
    let swept: &[&str] = &["sweep", &rules, "--agents", "random,greedy", "-n", "100"];
    let worth: &[&str] = &["worth", &rules, "--agents", "random", "-n", "100"];
    for args in [swept, worth] {
        let text = out(args);
        let has = |side: &str| text.contains(&format!("the team {side} wins"));
        assert!(has("north south") && has("east west"), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        let of_player = |pair: &[&str]| ["N", "E", "S", "W"].contains(&pair[0]) && pair[1] == "wins";
        assert!(!words.windows(2).any(of_player), "{text}");
    }
    // What a player wins, the team wins.
    let named = out(&["sweep", &rules, "--metrics", "wins[3]", "--agents", "random", "-n", "100"]);
    assert!(named.contains("the team north south wins") && !named.contains("S wins"), "{named}");
    let metrics = json(&[swept, &["--json"][..]].concat())["rows"][0]["metrics"].take();
    assert_eq!(
        metrics["wins[3]"]["mean"], metrics["team.north_south"]["mean"],
        "a player wins with the team"
    );
}

#[test]
fn who_plays_together_has_one_metric() {
    let (a, b) =
        (file("crew-a.rules", CREW), file("crew-b.rules", &CREW.replace("round == 3", "round == 2")));
    let args: &[&str] = &["compare", &a, &b, "--agents", "random", "-n", "1000"];
    let told = json(&[args, &["--json"][..]].concat());
    let quantities = told["agents"][0]["quantities"].as_array().expect("quantities");
    let is_of_result = |kind: &str| ["wins", "team", "success", "draws", "lead"].contains(&kind);
    let results = quantities
        .iter()
        .filter(|one| one["same_as"].is_null() && is_of_result(one["kind"].as_str().expect("a kind")));
    let labels: Vec<&str> = results.map(|one| one["label"].as_str().expect("a label")).collect();
    assert_eq!(labels, ["the team crew wins"]);
    let text = out(args);
    assert!(words(&text).contains("The team crew wins ") && !text.contains("layer 1 wins"), "{text}");

    let text = out(&["sweep", &a, "--players", "2,3", "--agents", "random", "-n", "100"]);
    assert!(text.contains("the team crew wins") && !text.contains("player 1 wins"), "{text}");
    let text = out(&["worth", &a, "--agents", "random", "-n", "100"]);
    assert!(words(&text).contains("The team crew wins ") && !text.contains("layer 1 wins"), "{text}");

    let found = json(&["simulate", &a, "-n", "100", "--json"]);
    assert_eq!(found["success"]["share"], found["win_shares"][0]["share"]);
    out(&["simulate", &a, "-n", "2000", "--precision", "success=10%"]);
}

#[test]
fn worth_in_a_game_with_payoffs_is_no_win() {
    let rules = file(
        "payoff.rules",
        "game \"Pay\" {
            players 2
            var coins[player]: 0..60 = 0
            dice die: 1 of d6
            turn { roll die choose { keep { coins[me] += die } pass { } } }
            end over when turns[player 2] == 3 and me == player 2
            payoff coins[me]
        }",
    );
    let text = out(&["worth", &rules, "--agents", "random", "-n", "100"]);
    assert!(text.contains("Payoff of a seat with an option") && text.contains("a seat gets"), "{text}");
    assert!(!text.contains("Win rate of a seat"), "{text}");
}

#[test]
fn worth_where_wins_are_shared_is_a_share_of_the_wins() {
    let rules = file(
        "dodge.rules",
        "game \"Dodge\" { players 3 dice die: 1 of d6 var caught: player = player 3
         turn { choose { go { roll die if die == 6 { caught = me } } wait { } } }
         end caught of round when round == 2: lose caught }",
    );
    let text = words(&out(&["worth", &rules, "--agents", "random", "-n", "3000"]));
    let told = "against the same player who must not use it: a seat's share of the wins is ";
    assert!(text.contains(told) && text.contains(" percentage points smaller (±"), "{text}");
    assert!(text.contains("Player 3's share of the wins is ") && !text.contains(" often"), "{text}");
    assert!(text.contains("Share of the wins of a seat with an option"), "{text}");
    assert!(!text.contains("a seat wins") && !text.contains("Win rate"), "{text}");
}

#[test]
fn shares_of_wins_are_the_same_everywhere() {
    let found = json(&["simulate", "tic-tac-toe", "-n", "1000", "--json"]);
    let (alone, share) = (&found["alone"][0], &found["win_shares"][0]["share"]);
    let drawn = found["draws"].as_f64().expect("draws");
    let split = alone["games"].as_f64().expect("games") + drawn / 2.0;
    assert!(drawn > 0.0 && (share.as_f64().expect("a share") - split / 1000.0).abs() < 1e-9, "{found}");
    let text = out(&["simulate", "tic-tac-toe", "-n", "1000"]);
    let line = text.lines().find(|line| line.trim_start().starts_with("X ")).expect("a row");
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let percent =
        |cell: &str| -> f64 { cell.split_whitespace().next().expect("a number").parse().expect("a number") };
    let close = |cell: &str, share: &Json| {
        assert!((percent(cell) / 100.0 - share.as_f64().expect("a share")).abs() < 0.001, "{text}");
    };
    close(cells[1], &alone["share"]);
    close(cells[3], share);
    assert!(has_row(&text, "won alone") && text.contains("of the wins"), "{text}");
    let swept = json(&["sweep", "tic-tac-toe", "--agents", "random", "-n", "1000", "--json"]);
    let mean = swept["rows"][0]["metrics"]["wins[1]"]["mean"].as_f64().expect("a mean");
    assert!((mean - share.as_f64().expect("a share")).abs() < 1e-9, "{swept}");
}

#[test]
fn who_loses_alone_is_seen() {
    let rules = file(
        "loser.rules",
        "game \"Loser\" { players 3 dice die: 1 of d6 turn { roll die } end one when die == 1: lose me }",
    );
    let text = out(&["simulate", &rules, "-n", "3000"]);
    let row = |seat: &str| -> f64 {
        let line = text.lines().find(|line| line.trim_start().starts_with(seat)).expect("a row");
        line.trim_start()[seat.len()..].split_whitespace().next().expect("a share").parse().expect("a number")
    };
    // Player n loses with 25/91, 30/91, 36/91, the first most often; standard errors are below 0.9 %.
    for (seat, loses) in [("player 1", 36.0), ("player 2", 30.0), ("player 3", 25.0)] {
        assert!((row(seat) - (100.0 - 100.0 * loses / 91.0)).abs() < 4.5, "{seat}\n{text}");
    }
    let head = text.lines().find(|line| line.contains("won, also with others")).expect("a head");
    assert!(head.contains("won alone") && head.contains("of the wins"), "{head}");
    let found = json(&["simulate", &rules, "-n", "3000", "--json"]);
    assert_eq!(found["alone"][0]["games"], 0, "two of three win each game");
    let wins: f64 = (0..3usize).map(|seat| found["wins"][seat].as_f64().expect("wins")).sum();
    assert!((wins - 3000.0).abs() < 1e-6, "{wins}");
}

#[test]
fn options_of_one_name_in_different_steps_are_counted_apart() {
    let rules = file(
        "keep.rules",
        "game \"Keep\" {
            players 2
            var points[player]: 0..999 = 0
            turn {
              step first { choose { keep n in 1..6 \"gain points\" { points[me] += n } } }
              step second { choose { keep n in 1..2 \"lose points\" { points[me] = max(points[me] - n, 0) } pass } }
            }
            end when turns[me] == 20
            score { n: points[me] }
        }",
    );
    let options = json(&["simulate", &rules, "-n", "500", "--json"])["options"].take();
    assert_eq!(options["keep (first)"], 500 * 39, "{options}");
    let lost = options["keep (second)"].as_f64().expect("a count") / 500.0;
    // Two of three actions of 39 decisions.
    assert!((lost - 26.0).abs() < 1.0, "{options}");
    let text = out(&["simulate", &rules, "-n", "500"]);
    assert!(text.contains("gain points") && text.contains("lose points"), "{text}");
}

#[test]
fn options_without_binders_of_one_name_are_counted_apart_in_each_choice() {
    // Who leaves, ends the game: the second decision of a turn is as frequent as that the first goes on, or stays.
    let rules = file(
        "two.rules",
        "game \"Two\" {
            players 2
            var points[player]: 0..90 = 0
            procedure rest() { choose { sleep { } wait { } } }
            turn {
              step first { choose { keep \"the first\" { points[me] += 1 } leave { } } rest() }
              step second {
                choose { keep \"the second\" { points[me] += 1 } leave { } }
                choose last { keep { } leave { end game } }
                rest()
              }
            }
            end over when round == 9
            score { points: points[me] }
        }",
    );
    let found = json(&["simulate", &rules, "-n", "400", "--json"]);
    let options = &found["options"];
    let taken = |name: &str| options[name].as_u64().unwrap_or_else(|| panic!("no {name} in {options}"));
    let pairs = [("keep (first)", "leave (first)"), ("keep (second)", "leave (second)")];
    let turns: Vec<u64> = pairs.iter().map(|(keep, leave)| taken(keep) + taken(leave)).collect();
    assert_eq!(turns[0], turns[1], "each turn has both");
    assert_eq!(taken("keep (last)") + taken("leave (last)"), turns[0]);
    assert_eq!(taken("leave (last)") + found["ends"]["over"].as_u64().expect("a count"), 400);
    // A procedure's choice is one, wherever it is called.
    assert_eq!(taken("sleep") + taken("wait"), turns[0] + taken("keep (last)"));
    let text = out(&["simulate", &rules, "-n", "50"]);
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).expect("a row");
    assert!(
        row("keep (first)").ends_with("the first") && row("keep (second)").ends_with("the second"),
        "{text}"
    );
}

#[test]
fn options_of_one_name_in_one_choice_have_the_help_of_both() {
    let rules = file(
        "lay.rules",
        "game \"Lay\" {
            players 2
            var points[player]: 0..90 = 0
            turn {
              choose {
                lay n in 1..3 \"one of three\" { points[me] += n }
                lay p in player \"for a player\" { points[p] += 1 }
              }
            }
            end over when turns[player 2] == 5 and me == player 2
            score { points: points[me] }
        }",
    );
    let text = out(&["simulate", &rules, "-n", "50"]);
    assert!(words(&text).contains("one of three; for a player"), "{text}");
}

#[test]
fn what_has_no_legal_option_is_counted() {
    // The first player can't open in the turns 1 and 2 of ten, the second in turns 1 to 4.
    let rules = file(
        "open.rules",
        "game \"Open\" {
            players 2
            var points[player]: 0..90 = 0
            turn {
              step open {
                choose { open where turns[me] >= (if me == player 1 then 2 else 4) { } otherwise { points[me] += 1 } }
              }
              choose { go { } stay { } otherwise { points[me] += 50 } }
              if turns[me] == 1 { choose { dance where points[me] > 20 { } } }
            }
            end over when turns[player 2] == 10 and me == player 2
            score { points: points[me] }
        }",
    );
    let found = json(&["simulate", &rules, "-n", "100", "--json"]);
    assert_eq!(found["otherwise"], serde_json::json!({"open": 600, "elsewhere 1": 0}));
    assert_eq!(found["options"]["open"], 1400);
    let text = out(&["simulate", &rules, "-n", "100"]);
    let section = text.split("No legal option").nth(1).expect("a section");
    assert!(section.lines().any(|line| line.split_whitespace().eq(["open", "6.000"])), "{text}");
    let later = file(
        "later.rules",
        "variant \"Later\" of \"open.rules\" {
            extend open { open where turns[me] >= (if me == player 1 then 3 else 5) { } }
        }",
    );
    let found = json(&["compare", &rules, &later, "--agents", "random", "-n", "100", "--json"]);
    let all = found["agents"][0]["quantities"].as_array().expect("a list");
    let more = all.iter().find(|one| one["kind"] == "otherwise").unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!((&more["a"]["mean"], &more["b"]["mean"]), (&Json::from(6.0), &Json::from(8.0)), "{more}");
    assert!(more["sentence"].as_str().expect("a sentence").starts_with("No option is legal 2"), "{more}");
}

#[test]
fn how_draws_count_is_said() {
    let page = page("tic-tac-toe");
    let answer = section(&page, "glance")["answer"].to_string();
    assert!(answer.contains("A draw is a win shared by all."), "{answer}");
    let games = extent::tries("50", "500");
    let text = out(&["compare", "tic-tac-toe", "tic-tac-toe-4x4", "--quick", "-n", games]);
    assert!(text.contains("a draw of two counts half"), "{text}");
}

#[test]
fn ends_that_never_come_are_told_first() {
    let rules = file(
        "climb.rules",
        "game \"Climb\" {
            players 2
            team crew = players
            dice die: 1 of d20
            var row: 0..9 = 0
            turn { choose { left { roll die } right { roll die } } row = if die == 20 then row + 1 else 0 }
            end saved when row == 5: win me
            end half when row == 4 and round == 4: draw
            end late of round when round == 5: lose me
        }",
    );
    let page = page(&rules);
    let first = page["first"][0]["sentence"].as_str().expect("a sentence");
    assert!(first.ends_with("games end with `late`: `saved` and `half` never come."), "{first}");
}

#[test]
fn a_report_without_a_finished_game_claims_nothing() {
    let rules = file(
        "endless.rules",
        "game \"Endless\" { players 2 limit 40 var n: 0..1 = 0
         turn { choose { flip { n = 1 - n } stay { } } } end never when n > 1: win me }",
    );
    let text = out(&["report", &rules, "--quick", "-n", "20"]);
    assert_eq!(text.matches("No game was finished, so nothing is known.").count(), 2, "{text}");
    assert!(!text.contains("Nothing is out of the ordinary"), "{text}");
}

#[test]
fn a_report_that_stops_in_time_claims_nothing() {
    let (_, out, _) = run(&["report", "battle", "--quick", "--for", "0.01s", "--threads", "1"]);
    for claim in ["players, .", "last 0 turns", "All 0 games", "Nothing is out of the ordinary"] {
        assert!(!out.contains(claim), "{claim}\n{out}");
    }
}

/// The page of a report about games of exact players.
fn exact_page(name: &str, rules: &str) -> Json {
    let rules = file(name, rules);
    let mut args = vec!["report", rules.as_str(), "--agent", "exact", "-n", "200", "--json"];
    if !extent::everything() {
        args.push("--quick");
    }
    json(&args)["pages"][0].take()
}

/// The figure of a metric of exact players, in any section.
fn of_exact(page: &Json, metric: &str) -> Option<f64> {
    let sections = page["sections"].as_array().expect("sections").iter();
    let mut figures = sections.flat_map(|section| section["figures"].as_array().expect("figures"));
    figures.find(|one| one["metric"] == metric && one["agent"] == "exact")?["value"].as_f64()
}

#[test]
fn players_who_win_together_have_no_favourite() {
    let page = exact_page(
        "fire.rules",
        r#"game "Fire" {
            players 2
            team us = players
            dice die: 1 of d6
            var fire: 0..9 = 0
            turn {
                roll die if die <= 4 { fire += 1 }
                choose { water where fire > 0 { fire -= 1 } wait { } }
                roll die if die <= 2 { fire += 2 }
            }
            end burnt when fire >= 3: lose me
            end saved of round when round == 6: win me
        }"#,
    );
    let decided = section(&page, "decided");
    let answer = decided["answer"].as_str().expect("an answer");
    assert!(answer.starts_with("All players win or lose together, so there is no favourite."), "{answer}");
    for metric in ["favourite_wins", "comebacks", "lead_changes", "drama", "kingmaking"] {
        assert_eq!(of_exact(&page, metric), None, "{metric}");
    }
    assert!(decided["missing"].to_string().contains("comebacks"), "{decided}");
    // Most games are lost by both. These are no draws.
    let notes = decided["notes"].to_string();
    assert!(notes.contains(" of 200 games that were followed were lost by all."), "{notes}");
    assert!(!notes.contains("shared"), "{notes}");
    // Exact values are chances of winning, not half of them: they come true, and what is open is open between two results.
    let won = of_exact(&page, "success").expect("a share");
    assert!((0.02..0.3).contains(&won), "{won}");
    let error = of_exact(&page, "calibration_error").expect("an error");
    assert!(error < 0.08, "{error}");
    let movement = of_exact(&page, "movement").expect("a ratio");
    assert!((0.7..1.4).contains(&movement), "{movement}");
    let open = of_exact(&page, "uncertainty").expect("bits");
    assert!(open > 0.1 && open < 0.95, "{open}");
}

#[test]
fn the_favourite_of_two_teams_is_a_team() {
    let page = exact_page(
        "race.rules",
        r#"game "Race" {
            players 4
            team odd = {player 1, player 3}
            team even = {player 2, player 4}
            dice die: 1 of d6
            var got[team]: 0..9 = 0
            turn {
                choose {
                    safe { got[team(me)] += 1 }
                    risky { roll die if die >= 4 { got[team(me)] += 2 } }
                }
            }
            end won when any t in team: got[t] >= 6: win best t in team by got[t]
        }"#,
    );
    // Who is ahead at half-time wins more often than not.
    let favourite = of_exact(&page, "favourite_wins").expect("a share");
    assert!((0.55..0.95).contains(&favourite), "{favourite}");
    let changes = of_exact(&page, "lead_changes").expect("a number");
    assert!(changes > 0.05, "{changes}");
    let open = of_exact(&page, "uncertainty").expect("bits");
    assert!(open > 0.9 && open <= 1.0, "two sides have one bit at most: {open}");
    let error = of_exact(&page, "calibration_error").expect("an error");
    assert!(error < 0.12, "{error}");
    assert_eq!(of_exact(&page, "kingmaking"), None);
    let missing = section(&page, "decided")["missing"].to_string();
    assert!(missing.contains("three sides or more"), "{missing}");
}
