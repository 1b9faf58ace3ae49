//! The numbers of a run: intervals, extremes with an example game each, labels, large numbers, indices.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;

use crate::command::run;

/// Writes a rule file to a folder for this test.
fn file(name: &str, text: &str) -> String {
    crate::written::file("figures", name, text).display().to_string()
}

fn text(args: &str) -> String {
    let (code, out, err) = run(&args.split(' ').collect::<Vec<_>>());
    assert_eq!((code, err.as_str()), (0, ""), "{args}\n{out}");
    out
}

fn json(args: &str) -> Json {
    serde_json::from_str(&text(&format!("{args} --json"))).unwrap()
}

/// Returns the numbers in a text.
fn numbers(text: &str) -> Vec<f64> {
    let digit = |c: char| c.is_ascii_digit() || c == '.';
    text.replace(',', "").split(|c| !digit(c)).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn what_follows_a_mean_is_half_of_its_95_percent_interval() {
    let (text, json) = (text("simulate pig -n 2000"), json("simulate pig -n 2000"));
    let score = &json["score"][0];
    let half = (score["high"].as_f64().unwrap() - score["low"].as_f64().unwrap()) / 2.0;
    assert!((half / score["se"].as_f64().unwrap() - 1.9612).abs() < 1e-3);
    let line = text.lines().find(|line| line.trim_start().starts_with("player 1")).unwrap();
    let told = numbers(line.split('±').nth(1).unwrap())[0];
    assert!((told / half - 1.0).abs() < 0.05, "{line}\n{half}");
    assert_eq!(text.matches("95 % confidence interval").count(), 1, "{text}");

    // The interval of a share is Wilson's.
    let wins = &json["win_shares"][0];
    let (share, n, z) = (wins["share"].as_f64().unwrap(), 2000.0, 1.959964);
    let half = (wins["high"].as_f64().unwrap() - wins["low"].as_f64().unwrap()) / 2.0;
    let wilson = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    assert!((half / wilson - 1.0).abs() < 1e-4, "{half} {wilson}");
    let line = text.split("Wins").nth(1).unwrap().lines().nth(1).unwrap();
    assert!((numbers(line.split('±').nth(1).unwrap())[0] / (100.0 * half) - 1.0).abs() < 0.05, "{line}");
}

#[test]
fn a_single_game_has_no_interval() {
    let json = json("simulate pig -n 1");
    for key in ["low", "high", "se", "sd"] {
        assert!(json["score"][0][key].is_null(), "{key}");
    }
    let text = text("simulate pig -n 1");
    let (_, score) = text.split_once("Score").unwrap();
    assert!(!score.split("Wins").next().unwrap().contains('±'), "{text}");
}

#[test]
fn the_least_and_the_most_name_a_game_that_shows_them() {
    let all = json("simulate dilido -n 300 --threads 2");
    let same = json("simulate dilido -n 300 --threads 1");
    let extremes = |json: &Json| {
        let keys = ["min", "min_index", "max", "max_index"];
        let of = |json: &Json| keys.map(|key| json[key].clone());
        [of(&json["counts"]["turns"]), of(&json["score"][0]), of(&json["variables"]["penalties"][0])]
    };
    assert_eq!(extremes(&all), extremes(&same));
    for (path, end) in
        [("/counts/turns", "min"), ("/counts/turns", "max"), ("/score/0", "min"), ("/score/0", "max")]
    {
        let value = |json: &Json| json.pointer(&format!("{path}/{end}")).unwrap().as_i64().unwrap();
        let index = all.pointer(&format!("{path}/{end}_index")).unwrap();
        let one = json(&format!("simulate dilido --first {index} -n 1"));
        assert_eq!(value(&one), value(&all), "{path} {end}");
        assert_eq!(one["first"], *index);
        // It is the first such game.
        if index.as_u64() > Some(0) {
            let before = json(&format!("simulate dilido -n {index}"));
            assert_ne!(value(&before), value(&all), "{path} {end}");
        }
    }
    let text = text("simulate dilido -n 300");
    let head = text.split("A game has").nth(1).unwrap().lines().nth(1).unwrap();
    assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["mean", "least", "game", "most", "game"]);
}

#[test]
fn of_matches_the_number_of_a_match_is_named() {
    let all = json("simulate dicrono -n 20 --match");
    for of in [&all["match"]["total"][0], &all["counts"]["turns"]] {
        let index = of["max_index"].as_u64().unwrap();
        assert!(index < 20);
        let one = json(&format!("simulate dicrono --first {index} -n 1 --match"));
        let same = if of.get("sd").is_some() { &one["match"]["total"][0] } else { &one["counts"]["turns"] };
        assert_eq!(same["max"], of["max"]);
    }
}

const LABELS: &str = r#"/// Counts by number.
game "Labels" {
  players 1
  domain rank = 5..7
  domain day = 1..12
  var seen[rank]: 0..9 = 0
  var ends[0..6]: 0..9 = 0
  allow never-changed "it is the same in all games"
  var rain[day]: 0..9 = 1
  turn { choose { go r in rank { seen[r] += 1  ends[r - 5] += 1  } } }
  end over when turns[me] > 3
  score { s: seen[5] + ends[0] + rain[1] }
}
"#;

#[test]
fn variables_are_called_by_the_values_of_their_domain() {
    let path = file("labels.rules", LABELS);
    let text = text(&format!("simulate {path} -n 10"));
    for label in ["seen[5]", "seen[7]", "ends[0]", "ends[6]"] {
        assert!(text.contains(&format!("  {label} ")), "{label}\n{text}");
    }
    assert!(!text.contains("seen[1]") && !text.contains("seen 1"), "{text}");
    let json = json(&format!("simulate {path} -n 10"));
    let names = |family: &str| -> Vec<String> {
        let all = json["variables"][family].as_array().unwrap();
        all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("seen"), ["seen[5]", "seen[6]", "seen[7]"]);
    let days: Vec<String> = (1..=12).map(|day| format!("rain[{day}]")).collect();
    assert_eq!(names("rain"), days);
}

#[test]
fn mappings_keep_the_order_of_their_domain() {
    let path = file("order.rules", LABELS);
    let request = houserule::loader::Request { name: &path, ..Default::default() };
    let state = houserule::loader::load(&request).unwrap().game.start(1, 0).unwrap();
    let variables = houserule::game::values::variables_json(&state);
    let days: Vec<String> = variables.get("rain").unwrap().as_object().unwrap().keys().cloned().collect();
    let expected: Vec<String> = (1..=12).map(|day| day.to_string()).collect();
    assert_eq!(days, expected);
}

#[test]
fn figures_of_large_numbers_are_right() {
    let path = file(
        "coin.rules",
        r#"/// 2^53 and what a coin shows, 1 or 2.
game "Coin" {
  players 1
  dice coin: 1 of d2
  var n: int = 9007199254740992
  turn { roll coin   n += coin }
  end when n > 9007199254740992
  score { one: n }
}
"#,
    );
    let score = &json(&format!("simulate {path} -n 2000"))["score"][0];
    assert!((score["sd"].as_f64().unwrap() - 0.5).abs() < 0.01, "{score}");
    let (min, max) = (score["min"].as_i64().unwrap(), score["max"].as_i64().unwrap());
    assert_eq!((min, max), (9_007_199_254_740_993, 9_007_199_254_740_994));
    let all = score["quantiles"].as_object().unwrap().values().map(|quantile| quantile.as_i64().unwrap());
    let histogram = score["histogram"].as_object().unwrap().keys().map(|number| number.parse().unwrap());
    assert!(all.chain(histogram).all(|number: i64| (min..=max).contains(&number)), "{score}");
    assert!(score["mean"].as_f64().unwrap() <= max as f64);
}

#[test]
fn games_without_an_index_are_refused() {
    let last = u64::MAX;
    for (first, games) in [(last, 1), (last - 2, 3), (last - 4, 10), (i64::MAX as u64, 2)] {
        for more in ["", " --agents greedy", " --threads 2"] {
            let args = format!("simulate tic-tac-toe --first {first} -n {games}{more}");
            let (code, _, err) = run(&args.split(' ').collect::<Vec<_>>());
            assert!(code == 2 && err.contains(&format!("`--first {first}`")), "{args}: {code} {err}");
        }
    }
    let (code, _, err) = run(&["simulate", "dilido", "--first", "1152921504606846975", "-n", "3", "--match"]);
    assert!(code == 2 && err.contains("--first"), "{code} {err}");
    let late = json(&format!("simulate tic-tac-toe --first {} -n 3", i64::MAX - 2));
    assert_eq!(late["games"], 3);
    let (code, _, err) = run(&[
        "compare",
        "pig",
        "pig",
        "--quick",
        "--set-b",
        "goal=50",
        "-n",
        "3",
        "--first",
        &last.to_string(),
    ]);
    assert!(code == 2 && err.contains("--first"), "{code} {err}");
}

#[test]
fn numbers_of_games_are_written_as_people_write_them() {
    for n in ["1e2", "100", "1_00", "0.1k"] {
        assert_eq!(json(&format!("simulate tic-tac-toe -n {n}"))["games"], 100, "{n}");
    }
    assert_eq!(json("simulate tic-tac-toe -n 1,000")["requested"], 1000);
    let (code, _, err) = run(&["simulate", "tic-tac-toe", "-n", "many"]);
    assert!(code == 2 && err.contains("100_000, 1e5, 100k"), "{err}");
}

#[test]
fn what_counts_of_an_aborted_match_is_said() {
    let path = file(
        "total.rules",
        "game \"Total\" { players 2 var gold[player]: 0..9223372036854775807 = 0 turn { choose { take n in 1..2 \
         { gold[me] = 4611686018427387904 } } } end when turns[player 2] > 0 score { gold: gold[me] } \
         match { games: 4, total: sum } }",
    );
    let (_, out, _) = run(&["simulate", &path, "--match", "-n", "3"]);
    assert!(out.contains("0 matches, 6 games ·"), "{out}");
    assert!(
        out.contains("3 matches were aborted and count in no figure of matches; games that ended before"),
        "{out}"
    );
}

#[test]
fn one_game_is_one_game() {
    let path = file(
        "overflow.rules",
        "game \"Overflow\" { players 1 dice d: 1 of d6 var n: 0..3 = 0 turn { roll d n += 1 \
         if d[1] == 6 { end game } } score { n: n } }",
    );
    let aborted = |n: u32, first: u64| {
        let (_, out, _) = run(&["simulate", &path, "-n", &n.to_string(), "--first", &first.to_string()]);
        out
    };
    let one = (0..200).map(|first| aborted(1, first)).find(|out| out.contains("aborted")).unwrap();
    assert!(one.contains("1 game was aborted and counts in no figure"), "{one}");
    assert!(aborted(500, 0).contains(" games were aborted and count in no figure"));
    let out = text("simulate tic-tac-toe -n 1");
    assert!(out.contains("1 game ·") && !out.contains(" 1 games"), "{out}");
}

/// Writes rules and returns the text of a simulation.
fn simulated(name: &str, rules: &str) -> String {
    text(&format!("simulate {} -n 40", file(name, rules)))
}

/// Returns the lines of a section without the space around them.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let rest = text.split(&format!("\n{title}\n")).nth(1).unwrap_or_else(|| panic!("no {title}\n{text}"));
    rest.lines().take_while(|line| !line.is_empty()).map(str::trim).collect()
}

#[test]
fn drawn_games_are_no_wins() {
    let drawn = simulated(
        "drawn.rules",
        "game \"Drawn\" { players black, white turn { choose { go { } } } end tie when turns[me] == 2: draw }",
    );
    let cells = |line: &str| {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let [head, black, white, tie] = section(&drawn, "Wins")[..] else { panic!("{drawn}") };
    assert_eq!(cells(head), ["won alone", "of the wins"], "{drawn}");
    // Both win each game, so each has half of the wins.
    for (player, row) in [("black", black), ("white", white)] {
        let row = cells(row);
        assert_eq!((row[0].as_str(), row[2].as_str()), (player, "0 games"), "{drawn}");
        assert!(row[1].starts_with('0') && row[3].starts_with("50"), "{drawn}");
    }
    assert!(tie.starts_with("drawn") && tie.ends_with("40 games"), "{drawn}");
    let shared = simulated(
        "shared.rules",
        "game \"Shared\" { players 3 turn { choose { go { } } } end out when turns[me] == 2: lose me }",
    );
    assert!(section(&shared, "Wins")[4].starts_with("shared by some"), "{shared}");
    assert!(section(&shared, "Wins")[4].ends_with("40 games"), "{shared}");
    let together = simulated(
        "together.rules",
        "game \"Together\" { players 3 team all_of_us = players turn { choose { go { } } } end out when turns[me] == 2: win me }",
    );
    let [only] = section(&together, "Wins")[..] else { panic!("{together}") };
    assert!(only.starts_with("the team all of us") && only.ends_with("40 games"), "{together}");
}

#[test]
fn variables_that_are_no_numbers_have_no_mean() {
    let text = simulated(
        "variables.rules",
        "game \"Kinds\" { players 1 var who: player? = none \"who goes\" var size: 1..6? = none var seen: set of 1..4 = {1} var sure: bool = false
           turn { choose { go { who = me size = 5 } stay { who = none seen += 2 } } sure = true }
           end done when turns[me] == 2 score { n: 1 when seen is some and who is nothing and size is nothing and sure } }",
    );
    let all = section(&text, "Variables at the end").join("\n");
    assert!(all.contains("how often it is set; who goes"), "{text}");
    assert!(all.contains("how often it is true"), "{text}");
    let size = all.lines().find(|line| line.starts_with("size")).unwrap_or_default();
    assert!(size.contains("none counts as 0") && !size.contains('%'), "{text}");
    assert!(all.contains("number of elements"), "{text}");
    assert!(all.lines().any(|line| line.starts_with("sure") && line.contains("100 %")), "{text}");
}

#[test]
fn setting_up_is_one_event_of_the_usual_minutes() {
    let rules = file(
        "dealt.rules",
        "game \"Dealt\" { players 2 param deals: 0..20 = 1 dice first: 1 of d6 dice die: 1 of d6 var points[player]: 0..200 = 0
         setup { for i in 1..deals { roll first points[player 1] += first } }
         turn { roll die choose { keep { points[me] += die } pass { } } }
         end over of round when round == 3 score { points: points[me] } }",
    );
    let length = |deals: u32| {
        let mut told = json(&format!("report {rules} --quick --agent greedy -n 200 --set deals={deals}"));
        let sections = told["pages"][0]["sections"].as_array_mut().unwrap();
        sections.iter_mut().find(|section| section["id"] == "length").unwrap().take()
    };
    let minutes = |section: &Json| {
        let figures = section["figures"].as_array().unwrap();
        figures.iter().find(|figure| figure["metric"] == "minutes").unwrap()["value"].as_f64().unwrap()
    };
    // Six decisions of 10 s, six rolls of 5 s, and a minute for the count; then 5 s for the setup.
    let [none, one, twenty] = [0, 1, 20].map(length);
    for (section, seconds) in [(&none, 150.0), (&one, 155.0), (&twenty, 155.0)] {
        assert!((60.0 * minutes(section) - seconds).abs() < 1e-6, "{section}");
    }
    let tells =
        |section: &Json| section["notes"].to_string().contains("the setup, such as the cards of a deal");
    assert!(!tells(&none) && !tells(&one) && tells(&twenty), "{twenty}");
}

/// A game that ends when a position comes for the third time, whatever a counter says that isn't compared.
#[test]
fn positions_that_end_a_game_occurred_before() {
    let rules = |counter: &str, counts: &str, end: &str| {
        format!(
            "game \"Steps\" {{ players 2 var pos: 0..5 = 0 {counter}
             turn {{ choose {{ up where pos < 5 {{ pos += 1 {counts} }} down where pos > 0 {{ pos -= 1 {counts} }} }} }}
             {end} end repeated when repeated(2, of: [pos, mover]): win me }}"
        )
    };
    let counted = rules("var quiet: 0..99 = 0", "quiet += 1", "end far when quiet > 90: draw");
    let shares = [("steps.rules", rules("", "", "")), ("counted.rules", counted)].map(|(name, rules)| {
        let path = file(name, &rules);
        let (code, out, err) = run(&["report", &path, "--quick", "--agent", "random", "-n", "20", "--json"]);
        assert_eq!(code, 0, "{err}");
        let found: Json = serde_json::from_str(&out).unwrap();
        let sections = found["pages"][0]["sections"].as_array().unwrap().iter();
        let mut figures = sections.flat_map(|section| section["figures"].as_array().unwrap());
        figures.find(|one| one["metric"] == "repetition").unwrap()["value"].as_f64().unwrap()
    });
    assert!(shares[0] > 0.3, "{shares:?}");
    assert_eq!(shares[0], shares[1], "both play the same games");
}
