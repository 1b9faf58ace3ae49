//! What each rule is worth: removals of each kind, what can't be removed, the tests, and the printed answer.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::command::run;
use crate::extent;
use houserule::agents::AgentKind;
use houserule::game::{Game, Seat};
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load, load_text};
use houserule::report::worth_text;
use houserule::study::{Removal, RuleKind, Worth, WorthPlan, WorthProgress, removals, worth, worth_in_time};
use houserule::variants::Setting;

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

fn text(rules: &str) -> Game {
    load_text("test", rules, &Request::default()).unwrap().game
}

fn removed(game: &Game, only: &[&str]) -> Vec<Removal> {
    let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
    removals(game, &only, &|_, _| {}).unwrap()
}

fn labels(all: &[Removal]) -> Vec<String> {
    all.iter().map(Removal::label).collect()
}

fn plan(games: u64, agents: &str, only: &[&str]) -> WorthPlan {
    WorthPlan {
        games: Some(games),
        seed: 1,
        threads: 2,
        agents: agents.split(',').map(|name| AgentKind::parse(name).unwrap()).collect(),
        only: only.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn found(game: &Game, plan: &WorthPlan) -> Worth {
    worth(game, plan, &|_| true, &Interrupt::new()).unwrap()
}

/// Returns the reason why a rule can't be removed.
fn reason(all: &[Removal], label: &str) -> String {
    let one = all.iter().find(|removal| removal.label() == label);
    one.unwrap_or_else(|| panic!("{label} in {:?}", labels(all))).game.clone().unwrap_err()
}

#[test]
fn every_rule_of_a_game_is_listed() {
    let dilido = removed(&game("dilido"), &[]);
    let listed = ["option place", "option joker", "option pass", "end penalties", "param jokers = 1"];
    assert_eq!(labels(&dilido), listed);
    let joker = &dilido[1];
    assert_eq!(joker.rule, "variant \"without joker\" of \"dilido\" {\n  extend joker { without joker }\n}");
    assert_eq!(joker.help, "put a joker beside the dot or the double");
    // The house rule works as it is printed.
    let again = text(&joker.rule);
    let options = |game: &Game| {
        game.model()
            .actions
            .iter()
            .filter(|block| !block.dead)
            .map(|block| block.option.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(options(&again), ["place", "pass"]);
    assert_eq!(options(joker.game.as_ref().unwrap()), ["place", "pass"]);
    assert_eq!(dilido[4].rule, "variant \"without jokers\" of \"dilido\" {\n  fix jokers = 0\n}");
    assert_eq!(
        reason(&dilido, "end penalties"),
        "random games are aborted: `penalties` would become 4, but it holds 0..3"
    );

    let yacht = removed(&game("yacht"), &["four_of_a_kind", "score yacht"]);
    assert_eq!(labels(&yacht), ["score four_of_a_kind", "score yacht"]);
    let items = |game: &Game| game.model().score.len();
    assert!(yacht.iter().all(|removal| items(removal.game.as_ref().unwrap()) == 11));

    let four = removed(&game("connect-four"), &[]);
    assert_eq!(labels(&four), ["option drop", "end line", "end full"]);
    assert_eq!(four[1].game.as_ref().unwrap().model().ends.len(), 1);
    // Nobody has anything to do on a full board.
    assert!(reason(&four, "option drop").starts_with("the game no longer ends: "));
    let noughts = removed(&game("tic-tac-toe"), &["full"]);
    assert!(reason(&noughts, "end full").starts_with("the game no longer ends: "));
    let pig = removed(&game("pig"), &["end goal"]);
    assert_eq!(
        reason(&pig, "end goal"),
        "the game no longer ends: a random game goes on after 3,520 decisions"
    );
}

#[test]
fn settings_and_players_stay() {
    let settings = [Setting::new("jokers", "3"), Setting::new("penalty_limit", "5")];
    let dilido = load(&Request { name: "dilido", settings: &settings, players: None }).unwrap().game;
    let jokers = &removed(&dilido, &["jokers"])[0];
    assert_eq!(jokers.label(), "param jokers = 3");
    let without = jokers.game.as_ref().unwrap().model().params.clone();
    let value = |name: &str| format!("{:?}", without.iter().find(|param| param.name == name).unwrap().value);
    assert_eq!((value("jokers"), value("penalty_limit")), ("Number(0)".to_owned(), "Number(5)".to_owned()));

    let pig = load(&Request { name: "pig", players: Some(4), ..Request::default() }).unwrap().game;
    for removal in removed(&pig, &[]) {
        assert!(removal.game.is_err() || removal.game.unwrap().players() == 4);
    }
}

#[test]
fn each_change_of_a_variant_is_removed_alone() {
    let base = game("dilido + second-joker");
    let all =
        removed(&base, &["jokers_left", "earned", "otherwise of place", "variant Di-Li-Do, second joker"]);
    assert_eq!(
        labels(&all),
        [
            "change var jokers_left",
            "change var earned",
            "change otherwise of place",
            "variant Di-Li-Do, second joker"
        ]
    );
    // The other changes need it.
    assert!(reason(&all, "change var earned").contains("`earned`"), "{all:?}");
    let without = all[3].game.as_ref().unwrap();
    assert!(found(without, &plan(5, "random", &["joker"])).rules.len() == 1);
    assert!(!without.model().slots.iter().any(|slot| slot.name == "earned"));
    assert!(
        all[2].rule.starts_with("variant \"Di-Li-Do, second joker\" of \"dilido\" {\n"),
        "{}",
        all[2].rule
    );

    // The same rules, written as one file with a path of its own, and with a script beside it.
    let scripted = removed(&game("dilido-staircase"), &["stairs", "script", "stair_points"]);
    assert_eq!(
        labels(&scripted),
        ["score stairs", "change param stair_points", "change score stairs", "change script"]
    );
    let scripts = |removal: &Removal| removal.game.clone().map(|game| game.model().scripts.is_some());
    assert_eq!(scripts(&scripted[3]), Ok(false));
    assert!(
        scripted[0].game.as_ref().unwrap_err().contains("stairs"),
        "the script counts the item: {scripted:?}"
    );

    // Removing an option and the change that adds it come to the same, so they are listed once.
    let both = removed(&game("breakthrough-backward"), &[]);
    assert_eq!(
        labels(&both).iter().filter(|label| label.contains("back_left")).count(),
        2,
        "{:?}",
        labels(&both)
    );
}

#[test]
fn rules_from_a_text_are_removed_too() {
    let rules = "game \"Walk\" { players 1 param bonus: 0..5 = 2 var n: 0..20 = 0
        turn { step walk { choose { far { n += 2 } near { n += 1 } } } }
        end over when n >= 10
        score { steps: n   extra: bonus   nought: 0 } }";
    let base = text(rules);
    let all = removed(&base, &[]);
    assert_eq!(
        labels(&all),
        [
            "option far",
            "option near",
            "score steps",
            "score extra",
            "score nought",
            "end over",
            "param bonus = 2"
        ]
    );
    assert!(
        all.iter().filter(|removal| removal.kind != RuleKind::End).all(|removal| removal.game.is_ok()),
        "{all:?}"
    );
    assert!(all[0].rule.contains("of \"Walk\""), "{}", all[0].rule);
    let result = found(&base, &plan(200, "greedy,random", &[]));
    let points = |name: &str, agent: usize| {
        let rule = result.rules.iter().find(|rule| rule.name == name).unwrap();
        rule.agents[agent].points.unwrap()
    };
    // Known without playing: the bonus is 2 points in every game, `nought` is nothing.
    for agent in 0..2 {
        assert_eq!((points("bonus = 2", agent).mean, points("bonus = 2", agent).differs), (2.0, true));
        assert_eq!((points("extra", agent).mean, points("nought", agent).mean), (2.0, 0.0));
    }
    let greedy = &result.rules.iter().find(|rule| rule.name == "far").unwrap().agents[0];
    assert_eq!((greedy.agent.as_str(), greedy.restricted.len()), ("greedy", 1));
}

#[test]
fn names_that_are_no_rules() {
    let wrong = |name: &str| removals(&game("dilido"), &[name.to_owned()], &|_, _| {}).unwrap_err();
    assert_eq!(wrong("jokr"), "the game has no rule `jokr` to remove; did you mean `joker`?");
    assert!(wrong("rainbow").ends_with(
        "it has `option place`, `option joker`, `option pass`, `end penalties`, `param jokers = 1`"
    ));
}

/// Adjusts p-values by Holm's method.
fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut before = 0.0f64;
    for (rank, at) in order.iter().enumerate() {
        before = before.max(p[*at] * (p.len() - rank) as f64).min(1.0);
        adjusted[*at] = before;
    }
    adjusted
}

#[test]
fn all_tests_of_a_study_are_corrected_together() {
    let result = found(&game("pig"), &plan(60, "random,greedy", &[]));
    let quantities = result.rules.iter().flat_map(|rule| &rule.agents);
    let tested: Vec<_> = quantities
        .flat_map(|agent| agent.changes.iter().chain(&agent.restricted))
        .filter(|quantity| quantity.differing > 0)
        .collect();
    assert_eq!(result.tested, tested.len());
    assert!(tested.len() > 4, "{}", tested.len());
    let corrected = holm(&tested.iter().map(|quantity| quantity.p).collect::<Vec<_>>());
    for (quantity, p) in tested.iter().zip(corrected) {
        assert!((quantity.p_corrected - p).abs() < 1e-12, "{} {p}", quantity.label);
        assert_eq!(quantity.differs, p < 0.05);
        assert_eq!(quantity.differs, !quantity.sentence.is_empty());
        assert!((quantity.difference - (quantity.b.mean - quantity.a.mean)).abs() < 1e-9);
    }
}

#[test]
fn a_seat_without_an_option_wins_less() {
    // Who can't keep points never wins. With `stop` each seat wins half of the games between equals.
    let result = found(&game("pig"), &plan(300, "random", &["roll"]));
    let roll = &result.rules.iter().find(|rule| rule.name == "roll");
    let fixed = || result.fixed.iter().map(|rule| rule.reason.clone()).collect::<Vec<_>>();
    let Some(roll) = roll else { panic!("{:?}", fixed()) };
    let seats = &roll.agents[0].restricted;
    assert_eq!(seats.iter().map(|seat| seat.seat).collect::<Vec<_>>(), [None, Some(Seat(0)), Some(Seat(1))]);
    assert!(
        seats.iter().all(|seat| seat.differs && seat.a.mean < 0.1 && (0.35..0.65).contains(&seat.b.mean)),
        "{seats:?}"
    );
    let mean = (seats[1].difference + seats[2].difference) / 2.0;
    assert!((seats[0].difference - mean).abs() < 1e-9);
}

#[test]
fn in_a_game_with_payoffs_an_option_is_worth_what_it_pays() {
    // Random players take with probability 1/2, so the option is worth half of three points.
    let rules = "game \"Take\" {
        players X, O
        var taken[player]: 0..1
        turn { choose { take { taken[me] = 1 } leave { } } }
        end done when turns[O] == 1: draw
        payoff zero sum 3 * (taken[me] - taken[other])
    }";
    let result = found(&text(rules), &plan(4_000, "random", &["take"]));
    let agent = &result.rules[0].agents[0];
    assert_eq!(agent.restricted.len(), 3);
    for worth in &agent.restricted {
        assert_eq!(worth.kind.name, "payoff");
        assert!((worth.difference - 1.5).abs() < 4.0 * worth.se && worth.se > 0.0, "{worth:?}");
    }
    // What it changes for all is told of the payoffs too.
    assert!(agent.changes.iter().any(|change| change.name == "payoff"), "{:?}", agent.changes);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let figures = |threads: usize| {
        let result = found(&game("pig"), &WorthPlan { threads, ..plan(50, "greedy", &[]) });
        let mut json = serde_json::to_value(&result).unwrap();
        for key in ["seconds", "threads"] {
            json.as_object_mut().unwrap().remove(key);
        }
        json
    };
    assert_eq!(figures(1), figures(3));
}

#[test]
fn a_stopped_study_has_the_rules_that_were_finished() {
    let dilido = game("dilido");
    let (stop, shares) = (Interrupt::new(), AtomicUsize::new(0));
    let progress = |now| match now {
        WorthProgress::Share(share) => {
            shares.fetch_add(1, Ordering::Relaxed);
            share < 0.6
        }
        WorthProgress::Trying(..) => true,
    };
    let result = worth(&dilido, &plan(40, "random,greedy", &[]), &progress, &stop).unwrap();
    assert!(result.run.interrupted && shares.load(Ordering::Relaxed) > 3);
    let finished: Vec<usize> = result.rules.iter().map(|rule| rule.agents.len()).collect();
    assert!(finished.contains(&1) && finished.iter().all(|agents| (1..=2).contains(agents)), "{finished:?}");
    assert!(
        result.tested > 0
            && result.rules.iter().any(|rule| rule.agents[0].points.is_some_and(|points| points.differs))
    );
    let said = "the figures are of the rules and agents that were finished";
    assert!(!result.run.out_of_time && worth_text(&result).contains(&format!("Interrupted: {said}")));
    let mut late = result;
    late.run.out_of_time = true;
    let told = worth_text(&late);
    assert!(told.contains(&format!("The time was over: {said}")) && !told.contains("Interrupted"), "{told}");
    // Stopped at once, it says so.
    let result = worth(&dilido, &plan(40, "random", &[]), &|_| false, &Interrupt::new()).unwrap();
    assert!(result.run.interrupted && result.rules.iter().all(|rule| rule.agents.is_empty()));
    let told = worth_text(&result);
    assert!(told.contains("Interrupted before any rule was finished: there is no figure"), "{told}");
    // A time that is over is no interruption.
    let result = worth(&dilido, &plan(40, "random", &[]), &|_| true, &Interrupt::new().within(0.0)).unwrap();
    assert!(result.run.interrupted && result.run.out_of_time && !result.has_figures());
}

#[test]
fn a_joker_is_worth_more_to_those_who_learn_to_use_it() {
    let (games, agents) = extent::tries((200, "greedy,learned:600"), (400, "greedy,learned:1500"));
    let result = found(&game("dilido"), &plan(games, agents, &["option joker"]));
    let joker = &result.rules[0];
    let points = joker.agents.iter().map(|agent| agent.points.unwrap()).collect::<Vec<_>>();
    assert!(points[0].mean < 5.0, "{points:?}");
    assert!(points[1].mean > 10.0 && points[1].differs, "{points:?}");
    assert_eq!(joker.agents[1].trainings, Some(2));
    assert!(joker.agents[1].restricted[0].difference > 5.0, "{:?}", joker.agents[1].restricted);
}

#[test]
fn the_printed_answer() {
    let words = "worth dilido -n 300 --threads 1 --quick --seed 2";
    let houserule = |args: &str| run(&args.split(' ').collect::<Vec<_>>());
    let (code, out, err) = houserule(words);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    for part in [
        "What each rule of Di-Li-Do (dilido) is worth\n",
        "  The option `place` is worth ",
        "Rules that can't be removed\n  The end `penalties`: random games are aborted",
        "Score with an option, minus that of the same player without it",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, shown, _) = houserule("worth dilido -n 20 --quick --only joker --show");
    assert!(shown.contains("extend joker { without joker }"), "{shown}");
    for (args, expected, word) in [
        ("worth dilido --only jokr", 2, "did you mean `joker`?"),
        ("worth dilido --games 0", 2, "at least 1"),
        ("worth dilido pig", 2, "name one game"),
        ("worth dilido --agents gredy", 2, "did you mean `greedy`?"),
    ] {
        let (code, out, err) = houserule(args);
        assert_eq!(code, expected, "{args}\n{out}\n{err}");
        assert!(err.contains(word), "{args}\n{err}");
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("worth.json");
    let _ = std::fs::remove_file(&path);
    let write = format!("worth pig -n 20 --agents random -o {}", path.display());
    assert_eq!(houserule(&write).0, 0);
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((json["version"].as_u64(), json["players"].as_u64()), (Some(1), Some(2)));
    let (code, _, err) = houserule(&write);
    assert!(code == 2 && err.contains("--force"), "{err}");
    assert_eq!(houserule(&format!("{write} --force")).0, 0);
}

#[test]
fn no_games_are_told_that_nobody_played() {
    // Without its only end the game comes to an error, so that nothing can be removed.
    let rules = "game \"Loser\" { players 3 dice die: 1 of d6 var lives[player]: 0..3 = 2
                 turn { roll die if die <= 2 { lives[me] -= 1 } } end dead when lives[me] == 0: lose me }";
    let path = crate::written::file("worth", "loser.rules", rules).display().to_string();
    let (code, out, err) = run(&["worth", &path, "--quick", "-n", "20", "--seed", "3"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("3 players · seed 3\n") && !out.contains("0 games"), "{out}");
}

#[test]
fn only_what_is_in_a_table_is_in_percentage_points() {
    let rules = "game \"Rescue\" { players 2 team crew = players dice die: 1 of d6
                 turn { choose { left { roll die } right { roll die } } }
                 end saved when die == 6: win me end late of round when round == 3: lose me }";
    let path = crate::written::file("worth", "rescue.rules", rules).display().to_string();
    let (code, out, err) = run(&["worth", &path, "--agents", "random", "-n", "200"]);
    assert_eq!(code, 0, "{err}");
    // Nobody draws who wins or loses together.
    assert!(out.contains("random players (wins in percentage points)"), "{out}");
    assert!(!out.contains("draws"), "{out}");
}

const ROW: &str = "game \"Row\" {
  players X, O
  var n: 0..99 = 0
  turn { choose grow { add k in 1..2 { n += k } } }
  end done when n >= 6: win me
}
";

#[test]
fn a_change_that_another_needs_is_told_with_that_one_and_its_line() {
    crate::written::file("worth", "row.rules", ROW);
    let variant = "/// Who adds has another turn, twice.
variant \"Spare\" of \"row.rules\" {
  new var spare[player]: 0..2 = 2   \"turns left\"

  extend grow {
    after add { if spare[me] > 0 { spare[me] -= 1; again } }
  }
}
";
    let path = crate::written::file("worth", "spare.rules", variant).display().to_string();
    let all = removed(&game(&path), &[]);
    let found = reason(&all, "change var spare");
    let place = "spare.rules:6) needs it: nothing is called `spare`";
    assert!(found.starts_with("the change `after add of grow` (") && found.ends_with(place), "{found}");
}

#[test]
fn an_option_without_another_is_said_to_be_the_only_one() {
    let path = crate::written::file("worth", "only-option.rules", ROW).display().to_string();
    let (code, out, err) = run(&["worth", &path, "--agents", "random,greedy", "-n", "40"]);
    assert_eq!(code, 0, "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let same = "must not use it: the games are the same, because no other option is ever possible beside it.";
    assert!(words.matches(same).count() == 2 && !words.contains("freely"), "{out}");
}

#[test]
fn an_option_of_later_games_of_a_match_is_not_said_to_be_never_possible() {
    let rules = "game \"Later\" {
  players 2
  var n: 0..9 = 0
  var held: 0..1 = 0 match
  turn { choose { go { n += 1 } spend where held == 1 { held = 0  n += 2 } } if n >= 3 { held = 1 } }
  end done when n >= 3: win me
  score { n: n }
  match { games: 3, total: sum }
}
";
    let path = crate::written::file("worth", "later.rules", rules).display().to_string();
    let (code, out, err) = run(&["worth", &path, "--agents", "random", "-n", "40"]);
    assert_eq!(code, 0, "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let same = "the games are the same, because it is never possible in the first game of a match.";
    assert!(words.contains(same), "{out}");
    assert!(words.contains("with it: The games are the same, each as the first of a match."), "{out}");
}

#[test]
fn a_dash_in_a_table_is_explained_and_no_row_is_empty() {
    let rules = "game \"Row\" {
  players 2
  var n[player]: 0..99 = 0
  turn { choose grow { add k in 1..2 { n[me] += k }  jump where n[me] < 3 { n[me] += 3 } } }
  end done when n[me] >= 6: win me
  score { n: n[me] }
}
";
    let path = crate::written::file("worth", "dashes.rules", rules).display().to_string();
    let (code, out, err) = run(&["worth", &path, "--agents", "random,mcts:5", "-n", "20"]);
    assert_eq!(code, 0, "{err}");
    // The option can't be removed, so nothing is known of games without it.
    let (_, changed) = out.split_once("With a rule minus without it").unwrap();
    assert!(changed.contains("option jump") && !changed.contains("option add "), "{out}");
    // A search can't do without an option.
    assert!(out.contains(" –\n") && out.contains("– is no figure: "), "{out}");
}

#[test]
fn an_answer_within_a_time_keeps_to_it_and_names_what_it_lacks() {
    let pig = game("pig");
    let all = WorthPlan { games: None, ..plan(1, "random,greedy", &[]) };
    let within = |seconds: f64| worth_in_time(&pig, &all, seconds, &|_| true, &Interrupt::new()).unwrap();
    let none = within(0.0);
    assert!(none.rules.is_empty() && none.fixed.len() > 1 && !none.run.interrupted, "{none:?}");
    assert!(none.fixed.iter().all(|rule| rule.reason == "there was no time to try the game without it"));
    let some = within(extent::tries(1.0, 2.0));
    assert!(some.run.seconds < 6.0 && !some.rules.is_empty() && !some.run.interrupted, "{some:?}");
    for agent in some.rules.iter().flat_map(|rule| &rule.agents) {
        assert!(agent.games > 0 || agent.note.is_some(), "{agent:?}");
    }
    assert!(some.rules.iter().all(|rule| rule.agents.len() == 2), "{some:?}");
}
