//! `report`: answers to a designer's questions. `report_theory.rs` has facts that are known from theory.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;

use houserule::analysis::PRECISE;

use crate::command::run;
use crate::extent;

pub(crate) fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

/// The only page of a report, without what differs from run to run.
pub(crate) fn page(args: &str) -> Json {
    let (code, out, err) = houserule(&format!("report {args} --json"));
    assert_eq!(code, 0, "{args}\n{err}");
    let mut found: Json = serde_json::from_str(&out).unwrap();
    let mut page = found["pages"][0].take();
    page["seconds"].take();
    page
}

pub(crate) fn section<'p>(page: &'p Json, id: &str) -> &'p Json {
    section_list(page).iter().find(|section| section["id"] == id).unwrap()
}

pub(crate) fn answer<'p>(page: &'p Json, id: &str) -> &'p str {
    section(page, id)["answer"].as_str().unwrap()
}

/// Value, low and high of a figure.
pub(crate) fn figure(page: &Json, metric: &str, agent: &str) -> [f64; 3] {
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
        let game = extent::tries("pig --set goal=10", "dicrono");
        let mut page = page(&format!("{game} --agent learned:60 -n 240 --threads {threads}"));
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
fn what_chance_alone_decides_has_no_skill() {
    // Each roll names one square, and nobody ever chooses.
    let page = page(extent::tries("tic-tac-die -n 200", "dicrono-ordered -n 200"));
    assert!(answer(&page, "decisions").contains("nothing to decide"), "{}", answer(&page, "decisions"));
    let [skill, ..] = figure(&page, "skill_share", "random");
    assert!(skill < 1e-9, "{skill}");
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
  turn { choose { go k in 1..9, way in 1..12 { if me == X { n = k } points[me] = k } } }
  end trap when turns[O] == 1 and n == 9: win O  end done when turns[O] == 1: win X
  score { points: points[me] }
}
";
    let path = crate::written::file("report", "turned.rules", rules).display().to_string();
    let page = page(&format!("{path} --quick --agent greedy -n 60"));
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
    let (code, out, err) = houserule("report pig --set goal=10 --players 2,3 --quick --agent greedy -n 50");
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
    for part in ["<h3>The game</h3>", "<figure><svg ", "In the middle of a game.", "<div class=\"card\"><b>"]
    {
        assert!(html.contains(part), "the head has no {part}");
    }
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
    assert!(html.contains(":root[data-theme=dark]"), "a page that shows the report can choose its colours");
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
    let short = rules_file(
        "short.rules",
        "game \"Short\" { players 2 dice die: 1 of d6 var points[player]: 0..20 = 0
         turn { roll die choose { take { points[me] += die } leave { } } }
         end home when points[me] >= 6: win me score { points: points[me] } }",
    );
    let asked = |more: &str| {
        let (code, out, err) = houserule(&format!("report {short} --agent greedy --json {more}"));
        assert_eq!(code, 0, "{err}");
        let found: Json = serde_json::from_str(&out).unwrap();
        (found["pages"][0].clone(), err)
    };
    let (page, note) = asked("--precision turns=0.065 --precision wins=2.6% --precision score=1");
    let games = page["agents"][0]["games"].as_u64().unwrap();
    assert_eq!(page["agents"].as_array().unwrap().len(), 2, "greedy is named once");
    assert!([1414, 2000, 2828].contains(&games), "{games}");
    assert!(note.contains("The precision is reached after"), "{note}");
    assert!(half_width(&page, "turns").unwrap() <= 0.065 && half_width(&page, "wins").unwrap() <= 0.026);
    let (again, _) = asked(&format!("-n {games}"));
    for (own, other) in section_list(&page).iter().zip(section_list(&again)) {
        assert!(own["figures"] == other["figures"], "{}", own["id"]);
    }
    // A metric that the game lacks holds nobody up, and at this first look the turns weren't known as well.
    let (page, note) = asked("--precision kingmaking=0.01");
    assert!(page["agents"][0]["games"] == 1000 && note.contains("no interval of `kingmaking`"), "{note}");
    assert!(half_width(&page, "turns").unwrap() > 0.065);
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
        "pig --set goal=10 --agent greedy -n 60",
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
pub(crate) fn page_of(name: &str, rules: &str, args: &str) -> Json {
    let path = std::env::temp_dir().join(format!("houserule-report-{name}.rules"));
    std::fs::write(&path, rules).unwrap();
    page(format!("{} {args}", path.display()).trim_end())
}

pub(crate) fn says(page: &Json, id: &str, sentence: &str) {
    let found = answer(page, id);
    assert!(found.contains(sentence), "{id}: {found}");
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
    let page = page_of("steps", steps, "-n 100");
    says(&page, "decisions", "nobody ever decides, and there is no chance, so all games are the same.");
    assert!(missing(&page, "decisions").contains("no choice to look at"));
    says(&page, "fair", "Under best play player 1 always wins.");
}

#[test]
fn games_that_the_limit_ends_are_named_as_the_reason() {
    let long = "game \"Long\" { players 2 limit 60 var n: 0..9 = 0 dice die: 1 of d6 \
         turn { roll die choose { on where die > 4 { n += 1 } stay { } } } end over when n == 9: win me }";
    // The first does what keeps the game going.
    let quick = extent::tries("--quick ", "");
    let page = page_of("long", long, &format!("{quick}--agent mcts:1 -n 40"));
    let cut = figure(&page, "cut_off", "")[0];
    assert!(cut > 0.05, "{cut}");
    says(&page, "length", "were ended by an error");
    let endless = "game \"Endless\" { players 2 limit 40 var n: 0..1 = 0 \
         turn { choose { flip { n = 1 - n } stay { } } } end never when n > 1: win me }";
    let (code, out, err) = {
        let path = std::env::temp_dir().join("houserule-report-endless.rules");
        std::fs::write(&path, endless).unwrap();
        houserule(&format!("report {} {quick}--agent greedy -n 40", path.display()))
    };
    let said = format!("{out}{err}");
    assert!(code == 0 && said.contains("ended all 40 games"), "{code}\n{said}");
}

#[test]
fn what_the_strong_player_lacks_is_said() {
    let page = page("dominoes --set max_pips=2 --set hand_size=2 --agent greedy -n 100");
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
    let told = page(&format!("{long} --quick --agent greedy -n 200 --players 4 --set rounds=7"));
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
    let reported =
        |file: &str| section(&page(&format!("{file} --quick --agent greedy -n 100")), "rules").to_string();
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
    let hidden =
        extent::tries("dominoes --set max_pips=3 --set hand_size=3 --agent mcts:5", "orchard --agent mcts:5");
    for args in ["tic-tac-toe --agent mcts:5 -n 1", format!("{hidden} --quick -n 1").as_str()] {
        let page = page(args);
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
