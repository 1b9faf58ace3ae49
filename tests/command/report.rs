//! `report`: answers to a designer's questions, with facts that are known from theory.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;

use houserule::analysis::PRECISE;

use crate::command::run;

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

/// The only page of a report, without what differs from run to run.
fn page(args: &str) -> Json {
    let (code, out, err) = houserule(&format!("report {args} --json"));
    assert_eq!(code, 0, "{args}\n{err}");
    let mut found: Json = serde_json::from_str(&out).unwrap();
    let mut page = found["pages"][0].take();
    page["seconds"].take();
    page
}

fn section<'p>(page: &'p Json, id: &str) -> &'p Json {
    section_list(page).iter().find(|section| section["id"] == id).unwrap()
}

fn answer<'p>(page: &'p Json, id: &str) -> &'p str {
    section(page, id)["answer"].as_str().unwrap()
}

/// Value, low and high of a figure.
fn figure(page: &Json, metric: &str, agent: &str) -> [f64; 3] {
    let sections = page["sections"].as_array().unwrap().iter();
    let mut figures = sections.flat_map(|section| section["figures"].as_array().unwrap());
    let found = figures.find(|f| f["metric"] == metric && f["agent"].as_str().unwrap().contains(agent));
    let found = found.unwrap_or_else(|| panic!("no {metric} of {agent}"));
    ["value", "low", "high"].map(|key| found[key].as_f64().unwrap_or(f64::NAN))
}

#[test]
fn every_question_is_answered_or_says_why_not() {
    let page = page("tic-tac-toe --quick -n 200");
    let ids: Vec<&str> =
        page["sections"].as_array().unwrap().iter().map(|section| section["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        ["glance", "fair", "length", "decided", "decisions", "skill", "rules", "board", "measures"]
    );
    for section in page["sections"].as_array().unwrap() {
        assert!(!section["answer"].as_str().unwrap().is_empty(), "{}", section["id"]);
        for missing in section["missing"].as_array().unwrap() {
            for key in ["what", "why", "remedy"] {
                assert!(!missing[key].as_str().unwrap().is_empty(), "{missing}");
            }
        }
    }
    // What needs a strong player is named, not left out.
    let missing = &section(&page, "skill")["missing"][0];
    assert!(missing["why"].as_str().unwrap().contains("quick report"), "{missing}");
}

#[test]
fn the_threads_do_not_matter() {
    let of = |threads: u32| {
        let mut page = page(&format!("dicrono --agent learned:60 -n 240 --threads {threads}"));
        // CPU time of decisions.
        for section in page["sections"].as_array_mut().unwrap() {
            for table in section["tables"].as_array_mut().unwrap() {
                if table["title"] == "Ladder" {
                    table["rows"].take();
                }
            }
        }
        page
    };
    let (one, three) = (of(1), of(3));
    for (a, b) in one["sections"].as_array().unwrap().iter().zip(three["sections"].as_array().unwrap()) {
        assert_eq!(a, b, "{}", a["id"]);
    }
    assert_eq!(one, three);
}

#[test]
fn tic_tac_toe_is_drawn_by_those_who_know_it() {
    let page = page("tic-tac-toe --agent exact -n 100");
    assert_eq!(figure(&page, "draws", "exact")[0], 1.0);
    assert!(answer(&page, "fair").contains("every game is drawn"), "{}", answer(&page, "fair"));
    assert!(answer(&page, "skill").contains("no luck"), "{}", answer(&page, "skill"));
}

#[test]
fn what_chance_alone_decides_has_no_skill() {
    // Each roll names one square, and nobody ever chooses.
    let page = page("dicrono-ordered -n 200");
    assert!(answer(&page, "decisions").contains("nothing to decide"), "{}", answer(&page, "decisions"));
    let [skill, ..] = figure(&page, "skill_share", "random");
    assert!(skill < 1e-9, "{skill}");
}

#[test]
fn the_first_to_roll_in_pig_is_ahead() {
    // Optimal play, worked out from the whole game, gives the first seat this share; `exact` plays it.
    let game = houserule::loader::load(&houserule::loader::Request {
        name: "pig",
        settings: &[houserule::variants::Setting::new("goal", "20")],
        ..Default::default()
    })
    .unwrap()
    .game;
    let solution = houserule::solve::solve(&game, &houserule::solve::GraphLimits::default()).unwrap();
    let first = (1.0 + solution.start()[0]) / 2.0;
    let page = page("pig --set goal=20 --agent exact -n 4000");
    let [value, low, high] = figure(&page, "wins", "exact");
    assert!(low < first && first < high, "{first} is not in {low} to {high}");
    assert!(value > 0.5, "{value}");
}

#[test]
fn a_game_that_never_uses_a_rule_says_so() {
    let page = page("tic-tac-toe --quick -n 200");
    assert!(answer(&page, "rules").starts_with("Every step, option, end and score item came up"));
    let rules = std::env::temp_dir().join("houserule-report-never.rules");
    std::fs::write(
        &rules,
        "game \"Never\" { players 1 var n: 0..9 = 0 turn { choose { go { n += 1 } no where n > 9 { n = 0 } } } end over when n == 3 score { s: n } }",
    )
    .unwrap();
    let page = self::page(&format!("{} --quick -n 200", rules.display()));
    assert!(answer(&page, "rules").contains("never did anything"), "{}", answer(&page, "rules"));
    let notes = section(&page, "rules")["notes"].to_string();
    assert!(notes.contains("option `no`"), "{notes}");
}

#[test]
fn who_is_ahead_between_weaker_players_is_told_where_it_is_the_other() {
    let rules = "game \"Turned\" {
  players X, O
  var n: 0..9 = 0  var points[player]: 0..9 = 0
  turn { choose { go k in 1..9, way in 1..99 { if me == X { n = k } points[me] = k } } }
  end trap when turns[O] == 1 and n == 9: win O  end done when turns[O] == 1: win X
  score { points: points[me] }
}
";
    let path = crate::written::file("report", "turned.rules", rules).display().to_string();
    let page = page(&format!("{path} --quick --agent greedy -n 200"));
    let told = answer(&page, "fair");
    assert!(told.contains(" It is the other way round between random players (by "), "{told}");
    assert!(
        told.contains("): X wins more often.") && !told.contains("Between random players the difference"),
        "{told}"
    );
    assert!(page["first"].to_string().contains("Between greedy players, the seats differ by "), "{page}");
}

#[test]
fn numbers_of_players_and_two_games_stand_side_by_side() {
    let (code, out, err) = houserule("report pig --players 2,3 --quick --agent greedy -n 50");
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("With how many?") && out.contains("2 players") && out.contains("3 players"),
        "{out}"
    );
    let (code, out, err) = houserule("report dilido dilido + torus --quick -n 50");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("What is different?") && out.contains("B − A"), "{out}");
    // The scores of both players are told, of more games.
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!words.contains("more than random players."), "{out}");
}

#[test]
fn a_file_is_one_page_without_the_network() {
    let folder = std::env::temp_dir().join("houserule-report-files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("report.html");
    let (code, out, err) =
        houserule(&format!("report dilido --agent learned:40 -n 220 -o {}", path.display()));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("scores"), "{out}");
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http") && !addresses.contains("<script"), "nothing is loaded or run");
    assert!(!html.contains('`') && html.contains("<code>"), "code is set as code");
    for id in ["glance", "fair", "length", "decided", "decisions", "skill", "rules", "board", "measures"] {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
    let (code, _, err) = houserule(&format!("report pig --quick -o {}", path.display()));
    assert!(code == 2 && err.contains("exists already"), "{err}");
    let (code, _, err) = houserule("report pig --quick -o report.pdf");
    assert!(code == 2 && err.contains("`.html`, `.md` or `.json`"), "{err}");
}

fn section_list(page: &Json) -> &Vec<Json> {
    page["sections"].as_array().unwrap()
}

/// Half the width of the widest interval of a metric of the strong player.
fn half_width(page: &Json, metric: &str) -> Option<f64> {
    let strong = &page["agents"][0]["agent"];
    let figures = page["sections"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|section| section["figures"].as_array().unwrap());
    let own = figures.filter(|figure| figure["metric"] == metric && figure["agent"] == *strong);
    own.filter_map(|figure| Some((figure["high"].as_f64()? - figure["low"].as_f64()?) / 2.0)).reduce(f64::max)
}

#[test]
fn a_report_plays_until_its_figures_are_precise() {
    let asked = |more: &str| {
        let (code, out, err) = houserule(&format!("report pig --set goal=20 --agent greedy --json {more}"));
        assert_eq!(code, 0, "{err}");
        let found: Json = serde_json::from_str(&out).unwrap();
        (found["pages"][0].clone(), err)
    };
    let (page, note) = asked("--precision turns=0.3 --precision wins=3% --precision score=1");
    let games = page["agents"][0]["games"].as_u64().unwrap();
    assert_eq!(page["agents"].as_array().unwrap().len(), 2, "greedy is named once");
    assert!([1414, 2000, 2828].contains(&games), "{games}");
    assert!(note.contains("The precision is reached after"), "{note}");
    assert!(half_width(&page, "turns").unwrap() <= 0.3 && half_width(&page, "wins").unwrap() <= 0.03);
    let (again, _) = asked(&format!("-n {games}"));
    for (own, other) in section_list(&page).iter().zip(section_list(&again)) {
        assert!(own["figures"] == other["figures"], "{}", own["id"]);
    }
    // At the first look the turns weren't known as well, and a metric that the game lacks holds nobody up.
    assert!(half_width(&asked("-n 1000").0, "turns").unwrap() > 0.3);
    let (page, note) = asked("--precision kingmaking=0.01");
    assert!(page["agents"][0]["games"] == 1000 && note.contains("no interval of `kingmaking`"), "{note}");
    let (page, note) = asked("--precision turns=0.01 -n 1100");
    assert!(page["agents"][0]["games"] == 1100 && note.contains("not reached after 1,100 games"), "{note}");
}

#[test]
fn every_figure_of_the_strong_games_may_be_made_precise() {
    let described = std::fs::read_to_string("docs/metrics.md").unwrap();
    for metric in PRECISE {
        assert!(described.contains(&format!("`{metric}`")), "`{metric}` is a figure");
    }
    for game in [
        "pig --set goal=20 --agent greedy -n 60",
        "dilido --agent greedy -n 60",
        "tic-tac-toe --agent greedy -n 60",
    ] {
        let page = page(game);
        let strong = &page["agents"][0]["agent"];
        // Measured in other games, or in the first games only.
        let elsewhere = ["elo", "elo_per_doubling", "occupied", "luck_share", "skill_share", "rest_share"];
        for section in section_list(&page) {
            for figure in section["figures"].as_array().unwrap() {
                let metric = figure["metric"].as_str().unwrap();
                if figure["agent"] == *strong && !figure["low"].is_null() && !elsewhere.contains(&metric) {
                    let known =
                        PRECISE.contains(&metric) || metric.ends_with("_median") || metric == "turns_95";
                    assert!(known, "{game}: {metric}");
                }
            }
        }
    }
}

#[test]
fn what_is_wrong_with_the_command_line() {
    let wrong = [
        ("report pig --players 2..x", "write a number, a range or a list"),
        ("report pig --decision-seconds -1", "seconds must be 0 or more"),
        ("report pig -n 0", "must be at least 1"),
        ("report pig dilido yacht", "of one game, or of two side by side"),
        ("report pig --agent nobody", "no agent is called `nobody`"),
    ];
    for (command, message) in wrong {
        let (code, out, err) = houserule(command);
        assert!(code == 2 && err.contains(message), "{command}\n{out}{err}");
    }
}

/// A page about a rule text.
fn page_of(name: &str, rules: &str, args: &str) -> Json {
    let path = std::env::temp_dir().join(format!("houserule-report-{name}.rules"));
    std::fs::write(&path, rules).unwrap();
    page(format!("{} {args}", path.display()).trim_end())
}

fn says(page: &Json, id: &str, sentence: &str) {
    let found = answer(page, id);
    assert!(found.contains(sentence), "{id}: {found}");
}

/// Holds that a figure's interval contains a value.
fn contains(page: &Json, metric: &str, agent: &str, truth: f64) {
    let [value, low, high] = figure(page, metric, agent);
    assert!((low..=high).contains(&truth), "{metric}: {truth} is not in {low} to {high} around {value}");
}

/// The value of an exact figure.
fn exact(page: &Json, metric: &str, truth: f64) {
    let [value, low, high] = figure(page, metric, "best play");
    assert!((value - truth).abs() < 1e-8 && low == value && high == value, "{metric}: {value}, not {truth}");
}

const NIM: &str = "game \"Nim\" { param counters: 1..40 = 20 players 2 var left: 0..40 = counters \
     turn { choose { take n in 1..3 where n <= left { left -= n } } } end empty when left == 0: win me }";

const HANDS: &str = "game \"Hands\" { players 2 var shown[player]: 0..3 = 0 each round var won: player? = none \
     round { together as me { choose { show h in 1..3 { shown[me] = h } } } \
     step judge { for p in players { for o in players - p { if (shown[p] - shown[o] + 3) % 3 == 1 { won = p } } } } } \
     end beaten of round when won is some: win won end tied of round when round >= 1: draw }";

// What theory knows, in the words of the report.

#[test]
fn tic_tac_toe_and_its_opposite_are_drawn() {
    for name in ["tic-tac-toe", "tic-tac-toe-misere"] {
        let page = page(&format!("{name} --agent exact -n 100"));
        says(&page, "fair", "every game is drawn.");
        says(&page, "fair", "Under best play the game is drawn.");
        says(&page, "skill", "There is no luck");
        says(&page, "decided", "every game is shared");
        exact(&page, "best_play", 0.5);
    }
}

#[test]
fn who_may_put_either_mark_wins_tic_tac_toe() {
    // The first takes the centre, and the answer is always a third in a line (Gardner 1967).
    says(&page("tic-tac-toe-wild --agent exact -n 100"), "fair", "Under best play X always wins.");
}

#[test]
fn the_first_wins_hex_and_nobody_draws() {
    // Nash 1949: strategy stealing, and a full board has exactly one chain.
    for size in [2, 3] {
        let page = page(&format!("hex --set size={size} --agent exact -n 100"));
        says(&page, "fair", "Under best play red always wins.");
        assert_eq!(figure(&page, "draws", "random")[0], 0.0);
        says(&page, "skill", "There is no luck: the rules have no chance events.");
        assert_eq!(figure(&page, "luck_share", "")[0], 0.0);
    }
}

#[test]
fn who_wins_misere_hex_depends_on_the_board() {
    // Lagarias and Sleator 1999: the first wins on a board of even size, the second on one of odd size.
    says(&page("hex-misere --set size=2 --agent exact -n 100"), "fair", "Under best play red always wins.");
    says(&page("hex-misere --set size=3 --agent exact -n 100"), "fair", "Under best play blue always wins.");
}

#[test]
fn four_counters_more_change_nothing_in_nim() {
    // Bouton 1901: who faces a multiple of four loses.
    let of = |counters: u32| page_of("nim", NIM, &format!("--set counters={counters} --agent exact -n 100"));
    says(&of(20), "fair", "Under best play player 2 always wins.");
    says(&of(21), "fair", "Under best play player 1 always wins.");
}

#[test]
fn connect_four_is_drawn_on_a_small_board() {
    // Tromp's table: drawn on 4 by 4.
    let page = page("connect-four --set width=4 --set height=4 --agent greedy -n 100");
    says(&page, "fair", "Under best play the game is drawn.");
}

#[test]
fn a_die_decides_tic_tac_die_as_its_facts_say() {
    // The chances of its results, in tests/facts/tic-tac-die.json: nobody decides, so they are those of any play.
    let page = page("tic-tac-die --agent greedy -n 400");
    says(&page, "decisions", "There is nothing to decide");
    exact(&page, "best_play", 737.0 / 1260.0 + 4.0 / 63.0);
}

#[test]
fn pig_by_exact_values() {
    // The chance of the first player in tests/facts/pig.json. To 100 it is 0.5306 (Neller and Presser 2004).
    exact(&page("pig --set goal=10 --agent exact -n 100"), "best_play", 0.709_424_322_598_303_3);
    let page = page("pig --set goal=20 --agent exact -n 1000");
    exact(&page, "best_play", 0.615_558_549_805_043_2);
    says(&page, "fair", "Under best play player 1 wins 61.56 % (exact");
    // Learned values move too much to tell when Pig is decided.
    says(&page, "decided", "By exact values, the favourite at half-time wins");
    says(&page, "decided", "Half of the games are decided after");
    says(&page, "decisions", "by exact values");
    // Between players who play best, exact values are true expectations.
    contains(&page, "movement", "exact", 1.0);
    for metric in ["lead_changes", "decided_point", "decided_early", "killer_move", "luck_of_events"] {
        let [value, low, high] = figure(&page, metric, "exact");
        assert!(low <= value && value <= high, "{metric}: {low} {value} {high}");
    }
    // Best play loses nothing, so all movement is of the dice.
    assert!(figure(&page, "luck_of_events", "exact")[0] > 0.999_999);
    let notes = section(&page, "measures")["notes"].to_string();
    assert!(notes.contains("exact values") && notes.contains("positions of the game"), "{notes}");
}

#[test]
fn nobody_is_ahead_who_chooses_at_the_same_time() {
    let page = page_of("hands", HANDS, "--agent random -n 4000");
    contains(&page, "wins", "random", 1.0 / 3.0 + 1.0 / 6.0);
    contains(&page, "draws", "random", 1.0 / 3.0);
    says(&page, "fair", "no seat is seen to be ahead");
    // Choices are hidden until all have chosen: that is why there are no exact values.
    let missing = section(&page, "fair")["missing"].to_string();
    assert!(missing.contains("don't see everything") && missing.contains("another game"), "{missing}");
    assert!(!missing.contains("--set"), "no setting shows what is hidden: {missing}");
    // Rounds have no turns.
    says(&page, "length", "Every game between random players lasts 2 decisions.");
    says(&page, "glance", "Games last 2 decisions.");
}

#[test]
fn a_die_is_all_luck() {
    let die = "game \"Die\" { players 1 dice die: 1 of d6 var n: 0..6 = 0 turn { roll die n = die } \
               end rolled when n > 0 score { n: n } }";
    let page = page_of("die", die, "");
    contains(&page, "score", "random", 3.5);
    says(&page, "glance", "Best play scores 3.5 in the mean (exact).");
    says(&page, "decisions", "nobody ever decides, so all of the outcome is chance.");
    assert_eq!(figure(&page, "skill_share", "")[0], 0.0);
    assert_eq!(figure(&page, "luck_share", "")[0], 1.0);
    let path = std::env::temp_dir().join("houserule-report-die.rules");
    let (_, _, err) = houserule(&format!("report {} -n 20", path.display()));
    assert!(err.contains("More figures follow; Ctrl-C") && !err.contains("trained"), "{err}");
}

#[test]
fn the_first_six_comes_after_six_rolls() {
    let six = "game \"Six\" { players 1 dice die: 1 of d6 var n: 0..9999 = 0 turn { roll die n += 1 } \
               end six when die == 6 score { n: n } }";
    let page = page_of("six", six, "--quick -n 2000");
    contains(&page, "rolls", "random", 6.0);
    contains(&page, "turns", "random", 6.0);
    // Half of the games end within four rolls: 1 − (5/6)⁴ is 0.518, and (5/6)³ is 0.579.
    assert_eq!(figure(&page, "rolls_median", "random")[0], 4.0);
}

#[test]
fn the_least_score_may_be_the_best() {
    // Keep the die or count 4: three times 3 at best, whose mean is 1 + 2 + 3 + 4 + 4 + 4 of 6.
    let golf = "game \"Golf\" { players 1 dice die: 1 of d6 var points: 0..60 = 0 var left: 0..3 = 3 \
         turn { roll die choose { keep { points += die; left -= 1 } four { points += 4; left -= 1 } } } \
         end done when left == 0 score { points: points } winner least(score) }";
    let page = page_of("golf", golf, "--agent exact -n 1000");
    exact(&page, "best_play", 9.0);
    contains(&page, "score", "exact", 9.0);
    // More is worse, and yet the best action is worth more than the mean of all.
    assert!(figure(&page, "stakes", "exact")[1] > 0.0);
    contains(&page, "open_variance", "exact", figure(&page, "open_variance", "exact")[0]);
}

// What can't be had is named, with a reason and a remedy that fit.

fn missing(page: &Json, id: &str) -> String {
    section(page, id)["missing"].to_string()
}

#[test]
fn a_lone_player_without_a_score_has_no_aim() {
    let alone = "game \"Alone\" { players 1 board cell = grid(3, 3) piece dot \
                 turn { choose { place c in empty { put dot at c } } } end full when empty is nothing }";
    let page = page_of("alone", alone, "");
    says(&page, "glance", "The game has no score.");
    for id in ["glance", "skill", "decided"] {
        let missing = missing(&page, id);
        assert!(missing.contains("no aim") && missing.contains("`score`"), "{id}: {missing}");
    }
    says(&page, "skill", "There is no luck");
}

#[test]
fn a_game_without_decisions_or_chance_is_always_the_same() {
    let steps = "game \"Steps\" { players 2 var n: 0..9 = 0 turn { n += 1 } end over when n == 5: win me }";
    let page = page_of("steps", steps, "");
    says(&page, "decisions", "nobody ever decides, and there is no chance, so all games are the same.");
    assert!(missing(&page, "decisions").contains("no choice to look at"));
    says(&page, "fair", "Under best play player 1 always wins.");
}

#[test]
fn games_that_the_limit_ends_are_named_as_the_reason() {
    let long = "game \"Long\" { players 2 limit 60 var n: 0..9 = 0 dice die: 1 of d6 \
         turn { roll die choose { on where die > 4 { n += 1 } stay { } } } end over when n == 9: win me }";
    // The first does what keeps the game going.
    let page = page_of("long", long, "--agent mcts:1 -n 40");
    let cut = figure(&page, "cut_off", "")[0];
    assert!(cut > 0.05, "{cut}");
    says(&page, "length", "were ended by an error");
    let endless = "game \"Endless\" { players 2 limit 200 var n: 0..1 = 0 \
         turn { choose { flip { n = 1 - n } stay { } } } end never when n > 1: win me }";
    let (code, out, err) = {
        let path = std::env::temp_dir().join("houserule-report-endless.rules");
        std::fs::write(&path, endless).unwrap();
        houserule(&format!("report {} --agent greedy -n 40", path.display()))
    };
    let said = format!("{out}{err}");
    assert!(code == 0 && said.contains("ended all 40 games"), "{code}\n{said}");
}

#[test]
fn what_the_strong_player_lacks_is_said() {
    let page = page("dominoes --set max_pips=3 --set hand_size=3 --agent greedy -n 100");
    for id in ["decided", "decisions", "skill"] {
        let missing = missing(&page, id);
        assert!(missing.contains("no learned values") && missing.contains("--agent"), "{id}: {missing}");
    }
    assert!(missing(&page, "fair").contains("can't be solved"));
}

/// Rules in a file for this test.
fn rules_file(name: &str, text: &str) -> String {
    crate::written::file("report", name, text).display().to_string()
}

#[test]
fn the_command_that_shows_a_game_again_loads_the_same_game() {
    let long = rules_file(
        "long.rules",
        "game \"Long\" { param rounds: 1..50 = 3 players 2..5 dice die: 1 of d6 var points[player]: 0..999 = 0
         turn { choose { left { roll die } right { roll die } } points[me] += die }
         end over of round when round == rounds score { points: points[me] } }",
    );
    let told = page(&format!("{long} --quick -n 200 --players 4 --set rounds=7"));
    let notes = section(&told, "length")["notes"].to_string();
    let at = notes.find("houserule simulate").unwrap();
    let command = notes[at..].split('`').next().unwrap().replace("GAME", "0");
    let command = command.trim_start_matches("houserule ").split(" --record").next().unwrap();
    let (code, out, err) = houserule(command);
    assert_eq!(code, 0, "{command}\n{err}");
    let turns = out.lines().find(|line| line.trim_start().starts_with("turns")).unwrap();
    assert_eq!(turns.split_whitespace().nth(1), Some("28"), "{out}");
}

#[test]
fn no_minute_is_spent_on_counting_a_score_that_is_not_there() {
    let told = page("tic-tac-toe --quick --agent greedy -n 200");
    let decisions = figure(&told, "decisions", "greedy")[0];
    let minutes = figure(&told, "minutes", "greedy")[0];
    assert!(minutes <= decisions * 10.0 / 60.0, "{minutes} minutes, {decisions} decisions");
    let notes = section(&told, "length")["notes"].to_string();
    assert!(!notes.contains("counting"), "{notes}");
}

#[test]
fn an_end_that_no_rule_says_is_told_only_if_it_comes() {
    let game = |name: &str, last: &str| {
        rules_file(
            name,
            &format!(
                "game \"Out\" {{ players 3..4 var sum_so_far: 0..26 = 0
                 turn {{ choose {{ add n in 1..6 {{ sum_so_far += n }} }}
                         if sum_so_far > 20 {{ playing -= me sum_so_far = 0 }} }}
                 {last} }}"
            ),
        )
    };
    let never = game("out.rules", "end last when count(playing) == 1: lose lowest(playing)");
    let comes = game("all-out.rules", "end late when turns[me] == 99: draw");
    let simulated = |file: &str| houserule(&format!("simulate {file} -n 50")).1;
    let reported = |file: &str| section(&page(&format!("{file} --quick -n 200")), "rules").to_string();
    for told in [simulated(&never), reported(&never)] {
        assert!(told.contains("last") && !told.contains("nobody"), "{told}");
    }
    for told in [simulated(&comes), reported(&comes)] {
        assert!(told.contains("nobody still plays (no end of the rules)"), "{told}");
    }
}

#[test]
fn an_interval_of_a_share_lies_within_what_a_share_can_be() {
    let coin = rules_file(
        "coin.rules",
        "game \"Coin\" { players 1 dice coin: 1 of d2 var heads: bool = false \"did it show heads?\"
         turn { roll coin if coin == 1 { heads = true } } end over when turns[me] == 1 score { heads: 1 when heads } }",
    );
    let told: String =
        (1..=8).map(|seed| houserule(&format!("simulate {coin} -n 2 --seed {seed}")).1).collect();
    assert!(told.contains("50 % (0 to 100)"), "{told}");
    // It was told as 50 ± 635 %. Speeds in the text may have any digits.
    let shares: Vec<&str> = told.lines().filter(|line| line.contains("did it show heads?")).collect();
    assert_eq!(shares.len(), 8, "{told}");
    assert!(shares.iter().all(|line| !line.contains('±')), "{told}");
}

#[test]
fn nothing_is_begun_after_an_interruption() {
    use houserule::analysis::{AnalysisPlan, analyse};
    use houserule::interrupt::Interrupt;
    use houserule::playtest::RunBudget;
    let game = houserule::loader::load(&houserule::loader::Request {
        name: "tic-tac-toe",
        ..houserule::loader::Request::default()
    });
    let plan = AnalysisPlan {
        seed: 1,
        threads: 1,
        games: None,
        budget: RunBudget::default(),
        agent: None,
        quick: false,
        most_seconds: None,
        pages: 1,
        pace: Default::default(),
    };
    let (stop, mut early) = (Interrupt::new(), 0);
    // It comes before the first game.
    let interrupt = |_| stop.set();
    let game = game.unwrap().game;
    let found = analyse(&game, &plan, &interrupt, &mut |_| early += 1, &stop).unwrap();
    assert_eq!(early, 0, "no page says what comes next");
    assert!(found.interrupted && !found.out_of_time);
    assert!(found.agents.len() <= 1, "no other player is tried");
    assert!(found.why_incomplete().unwrap().starts_with("Interrupted"));
    // A time that is over is no interruption.
    let budget = RunBudget { seconds: Some(0.0), ..RunBudget::default() };
    let plan = AnalysisPlan { budget, ..plan };
    let found = analyse(&game, &plan, &|_| {}, &mut |_| {}, &Interrupt::new()).unwrap();
    assert!(found.interrupted && found.out_of_time);
    assert!(found.why_incomplete().unwrap().starts_with("The time was over"));
}

/// Pieces on the links of a graph, and on the sides of cells, are on a board.
#[test]
fn boards_of_links_and_sides_are_looked_at() {
    let game = |board: &str| {
        format!(
            "game \"Claims\" {{ players 2 {board} piece track[player] on road
             turn {{ choose {{ build r in empty(road) {{ put track[me] at r }} }} }}
             end full when empty(road) is nothing score {{ roads: count(track[me]) }} }}"
        )
    };
    for (name, board, sites) in [
        ("links", "board town = graph(\"a-b b-c c-a c-d\") edges road of town", 4),
        ("sides", "board cell = grid(1, 1) edges road of cell", 4),
    ] {
        let page = page_of(name, &game(board), "--agent greedy -n 100");
        let answer = answer(&page, "board");
        assert!(answer.starts_with("Every site is occupied at the end"), "{name}: {answer}");
        let map = &section(&page, "board")["boards"][0];
        assert_eq!(map["board"], "road", "{name}: {map}");
        assert_eq!(map["sites"].as_array().unwrap().len(), sites, "{name}: {map}");
    }
}

/// No interval of a difference comes from one game.
#[test]
fn one_game_compares_nobody() {
    for args in ["report tic-tac-toe --agent mcts:5 -n 1", "report orchard --agent mcts:5 --quick -n 1"] {
        let page = page(args.strip_prefix("report ").unwrap());
        for section in section_list(&page) {
            let answer = section["answer"].as_str().unwrap();
            assert!(!answer.is_empty() && !answer.starts_with(' '), "{args}: {}: {answer}", section["id"]);
        }
        says(&page, "fair", "Between mcts:5 players, too few games were finished to compare the seats.");
    }
}

/// Each game has four turns, and "4" stands in the table of the least and the most too.
#[test]
fn a_mean_is_told_where_another_number_is_the_same() {
    let path = std::env::temp_dir().join("houserule-report-even.rules");
    let rules = "game \"Even\" { players 2 var n: 0..4 = 0 turn { choose { one { n += 1 } other { n += 1 } } } \
                 end over when n == 4: draw }";
    std::fs::write(&path, rules).unwrap();
    let (code, out, err) = houserule(&format!("report {} --agent greedy -n 100", path.display()));
    assert_eq!(code, 0, "{err}");
    for row in ["turns, mean 4 always", "decisions, mean 4 always"] {
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(row), "{out}");
    }
}

/// The reason is true where nothing is shown: no board, or a board on which nothing stands.
#[test]
fn why_no_board_is_looked_at() {
    let game = |board: &str| {
        format!(
            "game \"Bare\" {{ players 1 {board} var n: 0..9 turn {{ choose {{ go {{ n += 1 }} }} }} end over when n == 3 score {{ s: n }} }}"
        )
    };
    for (name, board, answer, why) in [
        ("none", "", "The game has no board to look at.", "the rules have no board"),
        (
            "empty",
            "board cell = grid(2, 2) var at: cell? = none",
            "Nothing on a board",
            "no pieces stand on a board",
        ),
    ] {
        let page = page_of(name, &game(board), "--quick -n 200");
        assert!(self::answer(&page, "board").starts_with(answer), "{name}: {}", self::answer(&page, "board"));
        let told = section(&page, "board")["missing"][0]["why"].as_str().unwrap();
        assert!(told.starts_with(why), "{name}: {told}");
    }
}
