//! `report`: what theory knows of games, in the words of the report.

#![allow(clippy::unwrap_used)]

use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::report::{answer, figure, houserule, page, page_of, says, section};

/// Holds that a figure's interval contains a value.
fn contains(page: &Json, metric: &str, agent: &str, truth: f64) {
    let [value, low, high] = figure(page, metric, agent);
    assert!((low..=high).contains(&truth), "{metric}: {truth} is not in {low} to {high} around {value}");
}

/// The page of tic-tac-toe between exact players.
fn tic_tac_toe_by_exact() -> &'static Json {
    static PAGE: OnceLock<Json> = OnceLock::new();
    PAGE.get_or_init(|| page("tic-tac-toe --agent exact -n 100"))
}

/// The page of Pig to 20 points between exact players.
fn pig_by_exact() -> &'static Json {
    static PAGE: OnceLock<Json> = OnceLock::new();
    PAGE.get_or_init(|| page("pig --set goal=20 --agent exact -n 1000"))
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

#[test]
fn tic_tac_toe_and_its_opposite_are_drawn() {
    for page in [tic_tac_toe_by_exact(), &page("tic-tac-toe-misere --quick --agent exact -n 100")] {
        says(page, "fair", "every game is drawn.");
        says(page, "fair", "Under best play the game is drawn.");
        says(page, "skill", "There is no luck");
        says(page, "decided", "every game is shared");
        exact(page, "best_play", 0.5);
    }
}

#[test]
fn who_may_put_either_mark_wins_tic_tac_toe() {
    // The first takes the centre, and the answer is always a third in a line (Gardner 1967).
    says(&page("tic-tac-toe-wild --quick --agent exact -n 100"), "fair", "Under best play X always wins.");
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
    let of = |size: u32| page(&format!("hex-misere --set size={size} --quick --agent exact -n 100"));
    says(&of(2), "fair", "Under best play red always wins.");
    says(&of(3), "fair", "Under best play blue always wins.");
}

#[test]
fn four_counters_more_change_nothing_in_nim() {
    // Bouton 1901: who faces a multiple of four loses.
    let of = |counters: u32| {
        page_of("nim", NIM, &format!("--set counters={counters} --quick --agent exact -n 100"))
    };
    says(&of(20), "fair", "Under best play player 2 always wins.");
    says(&of(21), "fair", "Under best play player 1 always wins.");
}

#[test]
fn connect_four_is_drawn_on_a_small_board() {
    // Tromp's table: drawn on 4 by 4.
    let page = page("connect-four --set width=4 --set height=4 --quick --agent greedy -n 100");
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
    let page = pig_by_exact();
    exact(page, "best_play", 0.615_558_549_805_043_2);
    says(page, "fair", "Under best play player 1 wins 61.56 % (exact");
    // Learned values move too much to tell when Pig is decided.
    says(page, "decided", "By exact values, the favourite at half-time wins");
    says(page, "decided", "Half of the games are decided after");
    says(page, "decisions", "by exact values");
    // Between players who play best, exact values are true expectations.
    contains(page, "movement", "exact", 1.0);
    for metric in ["lead_changes", "decided_point", "decided_early", "killer_move", "luck_of_events"] {
        let [value, low, high] = figure(page, metric, "exact");
        assert!(low <= value && value <= high, "{metric}: {low} {value} {high}");
    }
    // Best play loses nothing, so all movement is of the dice.
    assert!(figure(page, "luck_of_events", "exact")[0] > 0.999_999);
    let notes = section(page, "measures")["notes"].to_string();
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
    let page = page_of("die", die, "-n 4000");
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

#[test]
fn tic_tac_toe_is_drawn_by_those_who_know_it() {
    let page = tic_tac_toe_by_exact();
    assert_eq!(figure(page, "draws", "exact")[0], 1.0);
    assert!(answer(page, "fair").contains("every game is drawn"), "{}", answer(page, "fair"));
    assert!(answer(page, "skill").contains("no luck"), "{}", answer(page, "skill"));
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
    let [value, low, high] = figure(pig_by_exact(), "wins", "exact");
    assert!(low < first && first < high, "{first} is not in {low} to {high}");
    assert!(value > 0.5, "{value}");
}
