//! Quick answers: by whom they are, how good these players are, and what is said first.

#![allow(clippy::unwrap_used)]

use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::command::run;

fn out(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}: {err}");
    out
}

fn file(name: &str, rules: &str) -> String {
    let folder = std::env::temp_dir().join("houserule-answers");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, rules).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A corner may be taken instead of a penalty: worth nothing to random players, and much to those who learn the game.
const CORNERS: &str =
    "variant \"Corners\" of \"dilido\" { extend place { corner c in corners & empty \"a free corner\" {
     put dot at c; anchor = c } } }";

/// What a quick comparison tells of that rule, and the seconds that it took.
fn told_of_corners() -> &'static (Json, f64) {
    static TOLD: OnceLock<(Json, f64)> = OnceLock::new();
    TOLD.get_or_init(|| {
        let corners = file("corners.rules", CORNERS);
        let clock = std::time::Instant::now();
        let told = out(&["compare", "dilido", &corners, "--quick", "-n", "200", "--json"]);
        (serde_json::from_str(&told).unwrap(), clock.elapsed().as_secs_f64())
    })
}

#[test]
fn a_rule_is_judged_by_players_who_can_use_it() {
    let (told, all) = told_of_corners();
    // The search for a player and its training count.
    let (all, seconds) = (*all, told["seconds"].as_f64().unwrap());
    assert!((0.5 * all..=all).contains(&seconds), "{seconds} of {all} s");
    let best = told["contest"]["agent"].as_str().unwrap();
    assert!(best.starts_with("learned:"), "{best}");
    let gain = |agent: &Json| {
        let all = agent["quantities"].as_array().unwrap();
        all.iter().find(|q| q["kind"] == "score").unwrap()["low"].as_f64().unwrap()
    };
    let [random, learned] = [0, 1].map(|at| &told["agents"][at]);
    assert_eq!((random["agent"].as_str(), learned["agent"].as_str()), (Some("random"), Some(best)));
    assert!(gain(random) < 5.0 && gain(learned) > 30.0, "{} {}", gain(random), gain(learned));
    // All that were tried are named, the best first, with how much better than random they are.
    let tried = told["contest"]["contenders"].as_array().unwrap();
    let better = |at: usize| tried[at]["better"]["mean"].as_f64().unwrap();
    assert!(tried.len() == 3 && tried[0]["agent"] == best && better(0) > better(2), "{tried:?}");
    let verdict = told["verdict"].as_str().unwrap();
    let begins = format!("Between {best} players, who score ");
    assert!(verdict.starts_with(&begins) && verdict.contains("`corner` is taken"), "{verdict}");
}

#[test]
fn the_verdict_comes_first_and_the_best_players_before_others() {
    let corners = file("first.rules", CORNERS);
    let text = out(&["compare", "dilido", &corners, "--quick", "-n", "200"]);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words} in {text}"));
    assert!(at("In short") < at("Learned:") && at("Learned:") < at("Random players"), "{text}");
    // Named agents stay in their order.
    let text = out(&["compare", "dilido", &corners, "--agents", "random,greedy", "-n", "200"]);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words} in {text}"));
    assert!(at("In short") < at("Random players, 200") && at("Random players, 200") < at("Greedy"), "{text}");
}

#[test]
fn the_same_number_of_games_gives_the_same_answer() {
    let figures = |threads: &str| {
        let words = ["compare", "tic-tac-toe", "tic-tac-toe-misere", "--quick", "-n", "100", "--json"];
        let mut told: Json =
            serde_json::from_str(&out(&[&words[..], &["--threads", threads]].concat())).unwrap();
        for key in ["seconds", "threads"] {
            told.as_object_mut().unwrap().remove(key);
        }
        told
    };
    assert_eq!(figures("1"), figures("3"));
}

/// Who chooses, chooses nothing: a die decides.
const IDLE: &str = "game \"Idle\" { players 2 dice die: 1 of d6 each turn var won: player? = none
     turn { choose { left { } right { } } roll die if die > 3 { won = me } else { won = after(me) } }
     end over when won is some: win won }";

#[test]
fn figures_of_players_who_cant_play_say_so() {
    let idle = file("idle.rules", IDLE);
    let text = out(&["report", &idle, "--quick", "-n", "200"]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = &words[..words.find("At a glance").unwrap()];
    assert!(first.contains("these are figures of players who can't play this yet."), "{text}");
    let again = file("again.rules", &IDLE.replace("die > 3", "die > 2"));
    let told: Json =
        serde_json::from_str(&out(&["compare", &idle, &again, "--quick", "-n", "200", "--json"])).unwrap();
    let verdict = told["verdict"].as_str().unwrap();
    assert!(verdict.contains("surely beats random ones"), "{verdict}");
}

#[test]
fn where_nobody_decides_no_player_is_looked_for() {
    let page: Json =
        serde_json::from_str(&out(&["report", "snakes-and-ladders", "--quick", "-n", "50", "--json"]))
            .unwrap();
    let text = page.to_string();
    assert!(
        text.contains("nothing to decide") && !text.contains("mcts") && !text.contains("learned:"),
        "{text}"
    );
    assert!(!text.contains("can't play this yet"), "{text}");
    let line = "compare battle battle-small-beats-great --set longest=100 --quick -n 20 --json";
    let words: Vec<&str> = line.split(' ').collect();
    let told: Json = serde_json::from_str(&out(&words)).unwrap();
    assert_eq!(told["contest"]["decides_nothing"], true);
    assert_eq!(told["agents"].as_array().unwrap().len(), 1);
    assert!(told["verdict"].as_str().unwrap().contains("Nobody has anything to decide"));
}

#[test]
fn a_report_tells_the_exact_distribution_where_nobody_decides() {
    let idle = file("spread.rules", IDLE);
    let told: Json =
        serde_json::from_str(&out(&["report", &idle, "--agent", "greedy", "-n", "50", "--json"])).unwrap();
    let tables = told["pages"][0]["sections"][0]["tables"].as_array().unwrap();
    let exact = tables
        .iter()
        .find(|table| table["title"] == "Exact distribution of the winner under best play")
        .unwrap();
    assert_eq!(
        exact["rows"].to_string(),
        r#"[["player 1","50.0000 %","1/2"],["player 2","50.0000 %","1/2"]]"#
    );
}

#[test]
fn how_new_options_are_taken_is_told_by_their_opportunities() {
    let (told, _) = told_of_corners();
    let course = &told["agents"][1]["course"];
    assert_eq!((course["games"][0].as_u64(), course["games"][1].as_u64()), (Some(200), Some(200)));
    let option = &course["options"][0];
    let number = |key: &str| option[key].as_f64().unwrap();
    assert_eq!(option["name"], "corner");
    assert!(number("offered") >= number("open") && number("open") >= number("taken") * number("share"));
    let verdict = told["verdict"].as_str().unwrap();
    assert!(
        verdict.contains("of its opportunities") || verdict.contains("nothing else can be done"),
        "{verdict}"
    );
    // One player has nobody to be ahead of.
    assert_eq!(course["figures"].as_array().unwrap().len(), 0);
    assert!(told["agents"][0]["course"].is_null(), "random players aren't followed");
}

#[test]
fn a_comparison_is_a_page_to_send() {
    let corners = file("page.rules", CORNERS);
    let page = std::env::temp_dir().join("houserule-answers").join("page.html");
    let _ = std::fs::remove_file(&page);
    let path = page.to_str().unwrap();
    let told = out(&["compare", "dilido", &corners, "--agents", "random", "-n", "200", "-o", path]);
    assert!(told.starts_with("Between random players, in 200 games of each: "), "{told}");
    let html = std::fs::read_to_string(&page).unwrap();
    for part in [
        "In short",
        "A house rule for Di-Li-Do",
        "<span class=\"tag new\">NEW</span>",
        "option corner of place added",
        "Random players",
        "<figure><svg ",
        "data-part=\"framed\"",
        "To choose: ",
        "<p class=\"verdict\"><b>Changes ",
        "<div class=\"card\"><b>",
        ", with 95 % confidence",
        "On the same dice",
        "<code>houserule compare dilido ",
        " --agents random -n 200 --seed 1</code>",
    ] {
        assert!(html.contains(part), "no {part}");
    }
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http") && !addresses.contains("<script"), "nothing is loaded or run");
    let (code, _, err) = run(&["compare", "dilido", &corners, "-n", "2", "-o", path]);
    assert!(code == 2 && err.contains("exists already"), "{err}");
    let (code, _, err) = run(&["compare", "dilido", &corners, "-n", "2", "-o", "page.pdf"]);
    assert!(code == 2 && err.contains("`.html` or `.json`"), "{err}");
}

#[test]
fn two_reports_stand_side_by_side() {
    let page = std::env::temp_dir().join("houserule-answers").join("two.html");
    let path = page.to_str().unwrap();
    out(&[
        "report",
        "pig",
        "pig-two-dice",
        "--set",
        "goal=10",
        "--quick",
        "--agent",
        "greedy",
        "-n",
        "40",
        "-o",
        path,
        "--force",
    ]);
    let html = std::fs::read_to_string(&page).unwrap();
    // What both say of one question stands in one row.
    let at = |id: &str| html.find(&format!("<section id=\"{id}\">")).unwrap();
    assert!(at("1-fair") < at("2-fair") && at("2-fair") < at("1-length"), "the sections alternate");
    assert!(html.contains("<body class=\"two\">"), "the page is wide");
}

/// What a command prints, with single spaces.
fn words(args: &[&str]) -> String {
    out(args).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn games_of_one_length_have_no_quantiles() {
    let even = file(
        "even.rules",
        "game \"Even\" { players 2 var n: 0..4 = 0 turn { choose { one { n += 1 } other { n += 1 } } } \
         end over when n == 4: draw }",
    );
    let told = words(&["report", &even, "--agent", "greedy", "--quick", "-n", "100"]);
    assert!(told.contains("Every game between greedy players lasts 4 turns. At a usual pace"), "{told}");
    assert!(told.contains("on average. All 100 games came to an end."), "{told}");
    assert!(!told.contains("one in twenty") && !told.contains("(4 to 4)"), "{told}");
}

#[test]
fn one_game_says_little() {
    let args = ["report", "tic-tac-toe", "--agent", "greedy", "--quick", "-n", "1"];
    let told = words(&args);
    assert!(told.contains("Too little was played to say."), "{told}");
    assert!(told.contains("The only game came to an end."), "{told}");
    assert!(!told.contains("100 ±") && !told.contains(" 0 ±"), "no share is beyond what it can be: {told}");
    let page: Json = serde_json::from_str(&out(&[&args[..], &["--json"]].concat())).unwrap();
    let sections = page["pages"][0]["sections"].as_array().unwrap();
    let mut figures = sections.iter().flat_map(|section| section["figures"].as_array().unwrap());
    let is_rated = |figure: &Json| figure["metric"] == "first_seat_elo" && figure["agent"] == "greedy";
    assert!(!figures.any(is_rated), "one game rates nobody");
}

#[test]
fn where_no_game_ends_nothing_is_said_of_the_rules() {
    let endless = file(
        "endless.rules",
        "game \"Endless\" { players 2 limit 40 var n: 0..1 = 0
         turn { choose { flip { n = 1 - n } stay { } } } end never when n > 1: win me }",
    );
    let told = words(&["report", &endless, "--agent", "greedy", "--quick", "-n", "20"]);
    assert!(told.contains("No game came to an end: an error or a limit ended"), "{told}");
    assert!(told.contains("No game came to an end, so nothing is known of the rules."), "{told}");
    for claim in ["never did anything", "no turns, decisions or rolls", "Never:"] {
        assert!(!told.contains(claim), "{claim}: {told}");
    }
}

#[test]
fn the_board_at_the_start_is_that_after_the_setup() {
    let rows = file(
        "rows.rules",
        "game \"Rows\" { players white, black board cell = grid(4, 4) piece man[player]
         setup { for r in 1..4 { pick c in row(r) put man[white] at c } }
         turn { choose { place c in empty { put man[me] at c } } } end full when count(empty) == 4: draw }",
    );
    let told = words(&["report", &rows, "--agent", "greedy", "--quick", "-n", "50"]);
    assert!(told.contains("occupied sites at the start 25 % always"), "{told}");
    assert!(told.contains("occupied sites half-way 50 % always"), "{told}");
}

#[test]
fn partners_are_not_beaten() {
    let both = file(
        "both.rules",
        "game \"Both\" { players 2 team crew = players dice die: 1 of d6
         turn { choose { left { } right { } } roll die }
         end saved when die == 6: win me end late of round when round == 3: lose me }",
    );
    let told = words(&["report", &both, "--quick", "-n", "100"]);
    assert!(told.contains("Players tried, with random partners"), "{told}");
    assert!(!told.contains("against random") && !told.contains("beats random"), "{told}");
}

#[test]
fn points_of_a_score_item_are_those_of_a_named_seat() {
    let late = file(
        "late.rules",
        "game \"Late\" { players 2 var n[player]: 0..9 = 0 turn { choose { go { n[me] += 1 } } }
         end over of round when round == 3 score { all: n[me], late: 1 when me == player 2 } }",
    );
    let told = words(&["report", &late, "--agent", "greedy", "--quick", "-n", "50"]);
    assert!(told.contains("points from `all`, player 1 3 3"), "{told}");
    assert!(!told.contains("Never: score item"), "the second player has its points: {told}");
}
