//! Comparisons of two games on the same dice: the gain from pairs, the coverage of intervals, and the printed
//! answer.

#![allow(clippy::unwrap_used)]

use crate::command::run;
use crate::text_snapshots::check_snapshots;
use houserule::agents::AgentKind;
use houserule::game::Game;
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load, load_text};
use houserule::playtest::{
    ComparePlan, CompareProgress, Comparison, Quantity, RunBudget, SimulateError, compare, compare_watched,
};
use houserule::report::head::ComparedRules;
use houserule::report::{comparison_page, comparison_text};
use houserule::study::{AnswerPlan, AnswerStep, compare_by_best};
use houserule::variants::Setting;

fn game(name: &str, params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap().game
}

fn text(rules: &str) -> Game {
    load_text("test", rules, &Request::default()).unwrap().game
}

fn plan(games: u64, seeds: [u64; 2]) -> ComparePlan {
    ComparePlan {
        games: Some(games),
        seeds,
        threads: 1,
        agents: vec![AgentKind::Random],
        match_play: false,
        first: 0,
        keep_partial: false,
    }
}

fn played(a: &Game, b: &Game, plan: &ComparePlan) -> Comparison {
    compare(a, b, plan, &|_, _| true).unwrap()
}

fn quantity<'a>(found: &'a Comparison, kind: &str, name: &str) -> &'a Quantity {
    let all = &found.agents[0].quantities;
    all.iter().find(|quantity| quantity.kind.name == kind && quantity.name == name).unwrap()
}

/// Asserts that a share is at most four standard errors from its expected value.
fn share_is(count: usize, of: usize, wanted: f64) {
    let share = count as f64 / of as f64;
    let error = (wanted * (1.0 - wanted) / of as f64).sqrt();
    assert!((share - wanted).abs() <= 4.0 * error, "{count} of {of}, {wanted} wanted");
}

#[test]
fn pairs_take_half_the_games_at_most() {
    // The width of an interval is proportional to the square root of variance / games. Without pairs it takes
    // (variance of A + variance of B) / (variance of the difference) times as many games.
    let (a, b) = (game("dilido", &[]), game("dilido + second-joker", &[]));
    for agent in [AgentKind::Random, AgentKind::Greedy] {
        let found = played(&a, &b, &ComparePlan { agents: vec![agent.clone()], ..plan(2000, [1, 1]) });
        let apart = played(&a, &b, &ComparePlan { agents: vec![agent.clone()], ..plan(2000, [1, 2]) });
        for (kind, name) in [("score", ""), ("turns", ""), ("decisions", ""), ("option", "place")] {
            let pairing = quantity(&found, kind, name).pairing.unwrap();
            assert!(pairing >= 2.0, "{agent} {kind:?}: {pairing}");
            // The interval is that much narrower.
            let widths = [&found, &apart].map(|found| quantity(found, kind, name).half_width().unwrap());
            assert!(widths[0] * 2f64.sqrt() <= widths[1], "{agent} {kind:?}: {widths:?}");
        }
    }
}

#[test]
fn intervals_hold_an_exact_difference() {
    // Exact values of random play, from the facts.
    let (a, b) = (game("pig", &[("goal", "10")]), game("pig", &[("goal", "20")]));
    let exact = [
        ("decisions", "", 21.277318705342086 - 10.282471517963788),
        ("rolls", "", 10.138659352671045 - 4.641235758981896),
        ("wins", "", 0.5308047892518065 - 0.5483717613622716),
    ];
    let runs = 300;
    let mut held = [0; 3];
    for seed in 0..runs {
        let found = played(&a, &b, &plan(200, [seed; 2]));
        for (held, (kind, name, difference)) in held.iter_mut().zip(exact) {
            let quantity = quantity(&found, kind, name);
            *held += usize::from((quantity.low.unwrap()..=quantity.high.unwrap()).contains(&difference));
        }
    }
    held.into_iter().for_each(|held| share_is(held, runs as usize, 0.95));
}

#[test]
fn intervals_hold_nothing_where_nothing_differs() {
    let game = game("dilido", &[("size", "4")]);
    let runs = 300;
    let kinds = ["score", "turns", "decisions"];
    let (mut held, mut said) = ([0; 3], 0);
    for seed in 0..runs {
        let found = played(&game, &game, &plan(200, [2 * seed, 2 * seed + 1]));
        assert!(!found.same_rules && found.tested > 3);
        for (held, kind) in held.iter_mut().zip(kinds) {
            let quantity = quantity(&found, kind, "");
            *held += usize::from(quantity.low.unwrap() <= 0.0 && quantity.high.unwrap() >= 0.0);
        }
        said += usize::from(found.differs());
    }
    held.into_iter().for_each(|held| share_is(held, runs as usize, 0.95));
    // At most 1 in 20 runs may report any quantity as different.
    let most = 0.05 + 4.0 * (0.05f64 * 0.95 / runs as f64).sqrt();
    assert!(said as f64 / runs as f64 <= most, "{said}");
}

#[test]
fn threads_change_nothing() {
    let (a, b) = (game("pig", &[]), game("pig", &[("goal", "30")]));
    let told = |threads| {
        let found = played(&a, &b, &ComparePlan { threads, ..plan(500, [3, 3]) });
        serde_json::to_string(&found.agents).unwrap()
    };
    assert_eq!(told(1), told(3));
}

#[test]
fn random_players_play_the_games_of_a_simulation() {
    use houserule::playtest::{SimulationPlan, simulate};
    let (a, b) = (game("dicrono", &[]), game("dicrono + steals", &[]));
    for agents in [vec![AgentKind::Random], vec![AgentKind::Greedy]] {
        let found = played(&a, &b, &ComparePlan { agents: agents.clone(), ..plan(300, [5, 5]) });
        for (game, side) in [(&a, 0), (&b, 1)] {
            let plan = SimulationPlan {
                games: 300,
                first: 0,
                seed: 5,
                threads: 1,
                agents: agents.clone(),
                match_play: false,
            };
            let report = simulate(game, &plan, &|_| {}, None).unwrap();
            let mean = |kind, name| {
                let quantity = quantity(&found, kind, name);
                [quantity.a.mean, quantity.b.mean][side]
            };
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
            near(mean("score", ""), (report.score[0].mean + report.score[1].mean) / 2.0);
            near(mean("lead", ""), report.score[0].mean - report.score[1].mean);
            near(mean("turns", ""), report.counts.get("turns").unwrap().mean);
            near(mean("wins", ""), report.winners.wins[0] / 300.0);
            near(mean("draws", ""), report.winners.draws as f64 / 300.0);
            near(mean("option", "place"), *report.options.get("place").unwrap() as f64 / 300.0);
            near(mean("end", "line"), *report.ends.get("line").unwrap() as f64 / 300.0);
            let items = report.items.get("lines").unwrap();
            near(mean("item", "lines"), (items[0].mean + items[1].mean) / 2.0);
            let members = report.variables.get("penalties").unwrap();
            let sum: f64 = members.iter().map(|member| member.mean).sum();
            near(mean("variable", "penalties"), sum / members.len() as f64);
        }
    }
}

#[test]
fn what_only_one_has_is_named() {
    let a = text(
        "game \"A\" { players 1 dice d: 1 of d6 var n: 0..9 = 0 var m: 0..9 = 0 \
        turn { roll d; n += 1; choose { x { m = n } } } end e when n == 3 score { s: n, t: m } }",
    );
    let b = text(
        "game \"B\" { players 1 dice d: 1 of d6 var n: 0..9 = 0 var o: 0..9 = 0 \
        turn { roll d; n += 1; choose { y { o = n } } } end e when n == 5 score { s: n, u: o } }",
    );
    let found = played(&a, &b, &plan(50, [1, 1]));
    let names = |only: &[houserule::playtest::Only]| {
        only.iter().map(|only| (only.label.clone(), only.mean)).collect::<Vec<_>>()
    };
    let expected = |item: &str, option: &str, variable: &str, n: f64| {
        vec![
            (format!("points for {item}"), n),
            (format!("{option} taken"), n),
            (format!("{variable} at the end"), n),
        ]
    };
    assert_eq!(names(&found.agents[0].only_a), expected("t", "x", "m", 3.0));
    assert_eq!(names(&found.agents[0].only_b), expected("u", "y", "o", 5.0));
    let turns = quantity(&found, "turns", "");
    assert_eq!((turns.difference, turns.differs), (2.0, true));
    assert_eq!(turns.sentence, "Games last 2 turns longer (in every game): 5 instead of 3.");
}

#[test]
fn other_numbers_of_players_are_compared_where_that_has_a_meaning() {
    let three = load(&Request { name: "pig", settings: &[], players: Some(3) }).unwrap().game;
    let found = played(&game("pig", &[]), &three, &plan(200, [1, 1]));
    let kinds: Vec<&str> = found.agents[0].quantities.iter().map(|quantity| quantity.kind.name).collect();
    assert!(kinds.contains(&"score") && kinds.contains(&"lead"), "{kinds:?}");
    assert!(!kinds.contains(&"wins") && !kinds.contains(&"draws"), "{kinds:?}");
    assert!(found.note().contains("numbers of players"), "{}", found.note());
}

#[test]
fn the_same_is_said_to_be_the_same() {
    let dilido = game("dilido", &[]);
    assert!(played(&dilido, &dilido, &plan(10, [1, 1])).same_rules);
    // A different text of the same game.
    let twin = text("variant \"Twin\" of \"dilido\" { param games = 17 }");
    let found = played(&dilido, &twin, &plan(100, [1, 1]));
    assert!(!found.same_rules && found.agents[0].identical && !found.differs());
    assert_eq!(found.tested, 0);
    let other = game("dilido", &[("jokers", "0")]);
    assert!(!played(&dilido, &other, &plan(100, [1, 1])).agents[0].identical);
}

#[test]
fn games_that_fail_count_in_no_pair() {
    let failing = text(
        "game \"F\" { players 1 dice d: 1 of d6 var n: 0..20 = 0 \
        turn { roll d; n += d[1] * d[1] } end e when n > 12 score { s: n } }",
    );
    let sound = text(
        "game \"S\" { players 1 dice d: 1 of d6 var n: 0..60 = 0 \
        turn { roll d; n += d[1] * d[1] } end e when n > 12 score { s: n } }",
    );
    let found = played(&failing, &sound, &plan(300, [1, 1]));
    let agent = &found.agents[0];
    assert!(agent.aborted > 30 && agent.games + agent.aborted == 300, "{}", agent.aborted);
    assert_eq!((agent.aborted_a, agent.aborted_b), (agent.aborted, 0), "only the first game fails");
    assert!(agent.quantities.iter().all(|quantity| quantity.differing == 0));
    assert!(!agent.identical);
    assert!(found.first_aborted[0].is_some() && found.first_aborted[1].is_none());
}

#[test]
fn matches_are_compared() {
    let (a, b) =
        (game("dilido", &[("games", "3"), ("best", "3")]), game("dilido", &[("games", "3"), ("best", "2")]));
    let found = played(&a, &b, &ComparePlan { match_play: true, ..plan(100, [1, 1]) });
    let total = quantity(&found, "total", "");
    assert_eq!(quantity(&found, "rolls", "").same_as.as_deref(), Some("turns"));
    assert!(total.differs && total.difference < 0.0);
    // The games are the same, but their scores differ.
    assert_eq!(quantity(&found, "score", "").differing, 0);
    assert!(quantity(&found, "games", "").constant);
    assert_eq!(quantity(&found, "total", "").a.mean, quantity(&found, "score", "").a.mean);
    let none =
        compare(&game("pig", &[]), &a, &ComparePlan { match_play: true, ..plan(9, [1, 1]) }, &|_, _| true);
    assert!(matches!(none, Err(SimulateError::NoMatch)));
}

#[test]
fn the_ends_of_matches_are_numbers_of_games() {
    let (code, out, err) =
        houserule("compare dicrono dicrono + steals -n 40 --agents random --threads 1 --match");
    assert_eq!((code, err.as_str()), (0, ""));
    let row = out.lines().find_map(|line| line.trim_start().strip_prefix("ended by line ")).unwrap();
    let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [a, b, difference, ..] = numbers[..] else { panic!("{row}") };
    assert!((b - a - difference).abs() < 0.2, "{row}");
}

#[test]
fn whoever_watches_may_stop_it() {
    let (a, b) = (game("pig", &[]), game("pig", &[("goal", "30")]));
    let stopped = compare(&a, &b, &plan(1_000_000_000, [1, 1]), &|done, _| done < 1000);
    assert!(matches!(stopped, Err(SimulateError::Stopped)));
}

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

/// Snapshot of the output of `compare` with fixed seeds, except for the time.
#[test]
fn the_answer_reads_as_it_should() {
    let of = [
        ("second-joker.txt", "compare dilido dilido + second-joker -n 1000 --threads 1 --quick"),
        ("steals.txt", "compare dicrono dicrono + steals -n 1000 --threads 1 --agents random"),
        (
            "penalties.txt",
            "compare dilido --set-b penalty_limit=4 -n 200 --threads 1 --agents random --match",
        ),
    ];
    check_snapshots(of.map(|(file, args)| {
        let (code, out, err) = houserule(args);
        assert_eq!((code, err.as_str()), (0, ""), "{args}");
        assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
        let end = out.trim_end().rfind('\n').unwrap();
        let told = format!("$ houserule {args}\n{}\n", out[..end].trim_end());
        (format!("tests/compared/{file}"), told)
    }));
}

#[test]
fn the_command_line_says_what_it_wants() {
    let cases = [
        ("compare dilido", 2, "name a second game"),
        ("compare dilido dicrono pig", 2, "name two games, not 3"),
        ("compare dilido dilidoo", 2, "B (dilidoo): no game is called"),
        ("compare dilido dicrono --set jokers=2", 2, "B (dicrono): "),
        ("compare dilido --set-b jokerz=2", 2, "did you mean `jokers`?"),
        ("compare pig dilido --match", 1, "matches"),
        ("compare pig dilido --games 0", 2, "at least 1"),
        ("compare pig dilido --agents gredy", 2, "did you mean `greedy`?"),
    ];
    for (args, expected, word) in cases {
        let (code, out, err) = houserule(args);
        assert_eq!(code, expected, "{args}\n{out}\n{err}");
        assert!(err.contains(word), "{args}\n{err}");
    }
    let short = crate::written::file(
        "compare",
        "short.rules",
        "game \"Short\" { param goal: 1..9 = 6 players 2 dice die: 1 of d6 var points[player]: 0..20 = 0
         turn { roll die choose { take { points[me] += die } leave { } } }
         end home when points[me] >= goal: win me score { points: points[me] } }",
    );
    let (code, json, _) =
        houserule(&format!("compare {} --set-b goal=4 -n 200 --json --quick", short.display()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, json["agents"].as_array().unwrap().len()), (0, 2));
    assert_eq!(json["agents"][0]["quantities"][0]["kind"], "score");
    assert!(json["agents"][0]["quantities"][0]["sentence"].as_str().unwrap().starts_with("Scores are "));
}

#[test]
fn no_percentage_is_told_across_a_sign() {
    let lead = |bonus: u32| {
        text(&format!(
            "game \"Lead\" {{ players 2 dice die: 1 of d6 var points[player]: 0..400 = 0
             turn {{ roll die points[me] += die + (if me == player 1 then 1 else {bonus}) }}
             end of round when round == 5 score {{ points: points[me] }} }}"
        ))
    };
    let found = played(&lead(0), &lead(2), &plan(200, [1, 1]));
    let leads =
        found.agents[0].quantities.iter().find(|quantity| quantity.label.starts_with("lead")).unwrap();
    assert!(leads.a.mean > 0.0 && leads.b.mean < 0.0 && leads.differs, "{leads:?}");
    assert_eq!(leads.relative, None);
    let scores = quantity(&found, "score", "");
    assert!(scores.relative.is_some(), "{scores:?}");
}

/// One decides by a die of many sides: the first player wins with the lowest numbers.
fn coin(sides: u32, wins: u32) -> Game {
    text(&format!(
        "game \"Coin\" {{ players 2 dice die: 1 of d{sides} var won: player? = none
         turn {{ roll die if die <= {wins} {{ won = me }} else {{ won = after(me) }} }}
         end over when won is some: win won }}"
    ))
}

#[test]
fn only_what_surely_came_nearer_to_equal_shares_is_fairer() {
    let verdict = |a: u32, b: u32| played(&coin(20, a), &coin(20, b), &plan(1000, [4, 4])).verdict;
    // From 45 to 55 %: as far from a half as before.
    let crossed = verdict(9, 11);
    assert!(crossed.contains("Player 1 wins") && !crossed.contains("fair"), "{crossed}");
    let nearer = verdict(18, 11);
    assert!(nearer.ends_with("In favour: fairer."), "{nearer}");
    let further = verdict(11, 18);
    assert!(further.ends_with("Against: less fair."), "{further}");
}

#[test]
fn the_games_in_which_rules_matter_are_not_said_to_be_all_of_them() {
    let verdict = played(&coin(1000, 1), &coin(1000, 999), &plan(1000, [4, 4])).verdict;
    let matter = "The rules matter in 998 of 1,000 games; the others are the same.";
    assert!(verdict.contains(matter), "{verdict}");
}

#[test]
fn a_difference_of_shares_is_bounded_in_percentage_points() {
    let told = |games: &str| {
        let (code, out, err) = houserule(&format!("compare {games} --agents random --threads 1"));
        assert_eq!(code, 0, "{err}");
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // That shares differ by at most all that they can, or by half of it, is no news.
    for games in [2, 8, 20] {
        let words = told(&format!("tic-tac-toe tic-tac-toe-misere -n {games}"));
        assert!(words.contains("Not known from so few games: X wins."), "{words}");
        assert!(words.contains("No difference was found, but so few games tell little."), "{words}");
        assert!(!words.contains("smaller than") && !words.contains("at most"), "{words}");
    }
    let words = told("pig --set-b goal=50 -n 40");
    let bounds = words.split("smaller than: ").nth(1).unwrap().split('.').next().unwrap();
    let shares: Vec<&str> = bounds.split(", ").filter(|bound| bound.contains("percentage point")).collect();
    assert!(!shares.is_empty() && !bounds.contains('%'), "{words}");
    let most = |bound: &&str| {
        let mut numbers = bound.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        numbers.next_back().is_some_and(|number| number < 50.0)
    };
    assert!(shares.iter().all(most), "{words}");
}

#[test]
fn no_percentage_is_told_of_next_to_nothing() {
    let lead = |bonus: u32| {
        let rules = format!(
            "game \"Lead\" {{ players 2 dice die: 1 of d6 var points[player]: 0..400 = 0
             turn {{ roll die points[me] += die + (if me == player 1 then {bonus} else 1) }}
             end of round when round == 5 score {{ points: points[me] }} }}"
        );
        crate::written::file("compare", &format!("lead-{bonus}.rules"), &rules).display().to_string()
    };
    let (code, out, err) =
        houserule(&format!("compare {} {} --agents random -n 200 --threads 1", lead(1), lead(3)));
    assert_eq!(code, 0, "{err}");
    let row = |label: &str| {
        let mut rows = out.lines().filter(|line| line.trim_start().starts_with(label));
        rows.next_back().unwrap_or_else(|| panic!("no {label} in {out}")).trim_end()
    };
    assert!(row("score ").ends_with("+22.5 %"), "{out}");
    assert!(row("lead of player 1 ").ends_with(" 10"), "{out}");
}

#[test]
fn one_game_says_nothing_of_differences() {
    let (code, out, err) = houserule("compare pig --set-b goal=50 -n 1 --agents random --threads 1");
    assert_eq!(code, 0, "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("in 1 game of each: ") && !words.contains("1 games"), "{out}");
    assert_eq!(words.matches("A single game says nothing of differences.").count(), 2, "{out}");
    assert!(!words.contains("smaller than") && !words.contains("known"), "{out}");
    let is_note = |line: &str| line.contains("± is half");
    assert!(out.lines().filter(|line| line.contains('±')).all(is_note), "{out}");
}

#[test]
fn games_without_chance_have_no_dice() {
    let (code, out, err) = houserule("compare tic-tac-toe tic-tac-toe-misere -n 200 --agents random");
    assert_eq!(code, 0, "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("The games have no chance events; their players had the same seeds."), "{words}");
    assert!(!words.contains("dice"), "{words}");
    let (_, out, _) = houserule("compare pig --set-b goal=50 -n 200 --agents random");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Both games were played with the same dice."), "{words}");
}

/// Returns what is said of a comparison in which players were to play 600 games each.
fn compare_until(agents: &[&str], stop: &Interrupt, stopped_at: u64) -> [String; 2] {
    let progress = |now| {
        if let CompareProgress::Pairs(done, _) = now
            && done >= stopped_at
        {
            stop.set();
        }
        true
    };
    let agents = agents.iter().map(|agent| AgentKind::parse(agent).unwrap()).collect();
    let plan = ComparePlan { agents, keep_partial: true, ..plan(600, [1, 1]) };
    let (a, b) = (game("pig", &[]), game("pig", &[("goal", "30")]));
    let found = compare_watched(&a, &b, &plan, &progress, stop).unwrap();
    assert!(found.interrupted);
    let words = comparison_text(&found).split_whitespace().collect::<Vec<_>>().join(" ");
    [words, comparison_page::html(&found, &ComparedRules::default())]
}

#[test]
fn whose_games_are_missing_is_said() {
    for (stopped_at, said) in [
        (
            1,
            "Interrupted: all figures are partial, from 9 of 600 games of random players; those of greedy players \
             are missing",
        ),
        (600, "Interrupted: the figures of random players are whole; those of greedy players are missing"),
        (
            601,
            "Interrupted: the figures of random players are whole; those of greedy players are partial, from 9 of \
             600 games",
        ),
    ] {
        let [text, page] = compare_until(&["random", "greedy"], &Interrupt::new(), stopped_at);
        assert!(text.contains(said), "{said}\n{text}");
        assert!(page.contains(&format!("<p class=\"missing\">{said}.</p>")), "{said}\n{page}");
        assert!(!text.contains("requested"), "{text}");
    }
    // Several are a list.
    let all = ["random", "greedy", "mobile", "flat:2"];
    let [text, _] = compare_until(&all, &Interrupt::new(), 1);
    assert!(
        text.contains("those of greedy players, mobile players and flat:2 players are missing"),
        "{text}"
    );
    // A time that is over is no interruption.
    let [text, _] = compare_until(&["random", "greedy"], &Interrupt::new().within(0.0), u64::MAX);
    let said = "The time was over before a game of each was finished: there is no figure";
    assert!(text.contains(said) && !text.contains("Interrupted"), "{text}");
}

#[test]
fn players_that_nobody_named_are_missing_after_an_interruption() {
    let (a, b) = (game("pig", &[]), game("pig", &[("goal", "30")]));
    let compare = ComparePlan { agents: vec![], keep_partial: true, ..plan(20, [1, 1]) };
    let plan = AnswerPlan { compare, budget: RunBudget::default(), quick: false };
    let stop = Interrupt::new();
    let tell = |step: AnswerStep<'_>| {
        if matches!(step, AnswerStep::First(_)) {
            stop.set();
        }
    };
    let found = compare_by_best([&a, &b], &plan, &tell, &stop).unwrap().found;
    let words = comparison_text(&found).split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "Interrupted: the figures of random players are whole; those of better players are missing";
    assert!(words.contains(said), "{words}");
}

/// No game is that short.
#[test]
fn a_time_without_a_figure_asks_for_more() {
    for args in [
        "compare pig pig-two-dice --quick --for 0.000001s",
        "compare pig pig-two-dice --agents random --for 0.000001s",
        "worth pig --quick --for 0.000001s",
        "sweep pig --set goal=20,30 --for 0.000001s",
        "sweep pig --set goal=20,30 --for 0.000001s --metrics turns",
    ] {
        let (code, out, err) = houserule(args);
        let words = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, 2, "{args}\n{out}\n{err}");
        assert!(words.contains("there was no time for any figure"), "{args}\n{err}");
        assert!(words.contains("a longer `--for`"), "{args}\n{err}");
        assert!(!words.contains("above") && !words.contains("Better players follow"), "{args}\n{err}");
        assert!(!out.contains("Interrupted"), "{args}\n{out}");
        // Players that nobody named have a time of their own, and what they lack is in the message.
        let is_said = out.contains("The time was over before ") && out.contains(": there is no figure");
        assert!(is_said || args.starts_with("compare pig pig-two-dice --quick"), "{args}\n{out}");
    }
}
