//! Facts about games that are played: positions, single games, matches, and means over many games.

use std::collections::BTreeMap;

use houserule::agents::AgentKind;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Seat, Start, State};
use houserule::matches::Match;
use houserule::model::SlotId;
use houserule::oracle;
use houserule::playtest::{SimulationPlan, simulate};
use houserule::rng::Stream;
use serde_json::Value;

use super::data::{Fact, facts};
use super::play::Play;
use super::slow::{Slow, play_at_random};
use crate::extent;

/// The kinds of facts that this file tests.
pub(crate) const KINDS: &[&str] = &["position", "replay", "match", "match_rolls", "bounds", "means"];

/// Returns a seat's score items by name.
fn named<P: Play>(state: &P, seat: u32) -> BTreeMap<String, i64> {
    let names = state.game().model().score.iter().map(|item| item.name.clone());
    names.zip(state.items(seat)).collect()
}

/// Returns a seat's score items in a position, from the reference interpreter.
fn slow_items(state: &State, seat: u32) -> Vec<i64> {
    let model = state.game().model();
    let mut slow = oracle::SlotValues::initial(model, Seat(0));
    for (slot, id) in model.slots.iter().zip((0..).map(SlotId)) {
        for place in (0..slot.initial.len()).filter(|_| state.keeps(id)) {
            slow.set(id, place, state.value(id, place));
        }
    }
    oracle::score_of(model, &slow, Seat(seat)).expect("the score can be counted")
}

#[test]
fn drawn_boards_score_what_they_should() {
    for fact in facts("position") {
        let mut text = fact.get::<Vec<String>>("board").join("\n");
        let legend: BTreeMap<String, String> = fact.get("legend");
        let legend: Vec<String> = legend.iter().map(|(sign, piece)| format!("{sign} = {piece}")).collect();
        text += &format!("\nlegend: {}\n", legend.join(", "));
        for (name, value) in fact.find::<BTreeMap<String, Value>>("variables").unwrap_or_default() {
            let values = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            text += &format!("{name} = {}\n", values.join(" "));
        }
        let state = fact.game().position(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", fact.name));
        assert_eq!(Play::scores(&state), fact.get::<Vec<i64>>("score"), "{}", fact.name);
        for seat in 0..state.game().players() {
            assert_eq!(slow_items(&state, seat), state.items(seat), "{}", fact.name);
        }
        for (item, expected) in fact.get::<BTreeMap<String, Vec<i64>>>("items") {
            let found: Vec<i64> =
                (0..state.game().players()).map(|seat| named(&state, seat)[&item]).collect();
            assert_eq!(found, expected, "{}: {item}", fact.name);
        }
    }
}

/// Applies actions as long as there is only one legal action.
fn follow<P: Play>(state: &mut P) {
    while !state.is_over() && !state.is_chance() {
        let [only] = state.legal()[..] else { return };
        state.decide(only);
    }
}

/// Plays a game with these rolls in which every decision has one legal action.
fn play_rolls<P: Play>(mut state: P, rolls: &[Vec<u32>], name: &str) -> P {
    let dice = state.game().model().slots.iter();
    let dice = dice.filter(|slot| matches!(slot.role, houserule::model::Role::Dice { .. }));
    let dice = dice.map(|slot| slot.name.clone()).next().expect("the game has dice");
    follow(&mut state);
    for roll in rolls {
        assert!(state.is_chance(), "{name}: no roll is due before {roll:?}");
        state.happen(state.outcome_of(&dice, roll));
        follow(&mut state);
    }
    state
}

#[test]
fn told_games_go_as_they_should() {
    hold_told_games::<State>();
}

#[test]
fn told_games_go_as_they_should_slowly() {
    hold_told_games::<Slow>();
}

fn hold_told_games<P: Play>() {
    for fact in facts("replay") {
        let game = fact.game();
        let mut state = P::start(&game);
        if let Some(rolls) = fact.find::<Vec<Vec<u32>>>("rolls") {
            state = play_rolls(state, &rolls, &fact.name);
        }
        for text in fact.find::<Vec<String>>("decisions").unwrap_or_default() {
            let action =
                game.parse_action(&text).unwrap_or_else(|| panic!("{}: what is `{text}`?", fact.name));
            assert!(state.legal().contains(&action), "{}: {text}", fact.name);
            state.decide(action);
        }
        assert!(state.is_over(), "{} ends", fact.name);
        for (what, expected) in fact.get::<BTreeMap<String, Value>>("expect") {
            let found: Value = match what.as_str() {
                "rolls" => state.rolls().into(),
                "decisions" => state.decisions().into(),
                "score" => state.scores().into(),
                "winner" => state.winner().into(),
                "draw" => state.winner().is_none().into(),
                "variables" => {
                    let found = state.variables();
                    for (name, value) in expected.as_object().expect("variables have names") {
                        assert_eq!(found.get(name), Some(value), "{}: {name}", fact.name);
                    }
                    continue;
                }
                other => panic!("{}: what is `{other}`?", fact.name),
            };
            assert_eq!(found, expected, "{}: {what}", fact.name);
        }
    }
}

/// Returns the winners with these scores.
fn winners(scores: &[i64]) -> Vec<bool> {
    let most = scores.iter().max();
    scores.iter().map(|score| Some(score) == most).collect()
}

#[test]
fn matches_add_up() {
    for fact in facts("match") {
        let game = fact.game();
        for played in fact.get::<Vec<BTreeMap<String, Value>>>("matches") {
            let get = |key: &str| played.get(key).map(|v| v.as_array().expect("a list").clone());
            let games: Vec<Vec<i64>> =
                serde_json::from_value(played["scores"].clone()).expect("scores of games");
            let mut whole = Match::new(&game, 1, 0).expect("the rules have matches");
            let mut starters = vec![whole.next_start().starter];
            for (at, scores) in games.iter().enumerate() {
                let starter = whole.next_start().starter;
                whole.enter_scores(scores, starter, &winners(scores)).unwrap();
                starters.push(whole.next_start().starter);
                if let Some(totals) = get("totals") {
                    let found: Vec<i64> = whole.standings().iter().map(|s| s.total).collect();
                    assert_eq!(Value::from(found), totals[at], "{} after game {}", fact.name, at + 1);
                }
            }
            let standings = whole.standings();
            if let Some(total) = get("total") {
                let found: Vec<Value> = standings.iter().map(|s| s.total.into()).collect();
                assert_eq!(found, total, "{}", fact.name);
            }
            if let Some(record) = played.get("record") {
                assert_eq!(Value::from(standings[0].record), *record, "{}", fact.name);
            }
            if let Some(expected) = get("starters") {
                let found: Vec<Value> = starters.into_iter().map(|seat| Value::from(seat.0)).collect();
                assert_eq!(found, expected, "{}", fact.name);
            }
        }
    }
}

#[test]
fn matches_play_as_they_should() {
    hold_matches::<State>();
}

#[test]
fn matches_play_as_they_should_slowly() {
    hold_matches::<Slow>();
}

fn hold_matches<P: Play>() {
    for fact in facts("match_rolls") {
        let game = fact.game();
        let (rolled, totals): (Vec<Vec<Vec<u32>>>, Vec<Vec<i64>>) = (fact.get("games"), fact.get("totals"));
        let (expected, starters): (Vec<Vec<i64>>, Vec<u32>) = (fact.get("scores"), fact.get("starters"));
        let mut whole = Match::new(&game, 1, 0).expect("the rules have matches");
        for (at, rolls) in rolled.iter().enumerate() {
            let start = Start { explicit_chance: true, ..whole.next_start() };
            assert_eq!(start.starter, Seat(starters[at]), "{}, game {}", fact.name, at + 1);
            let state = play_rolls(P::start_at(&game, &start), rolls, &fact.name);
            assert!(state.is_over(), "{}: game {} ends", fact.name, at + 1);
            assert_eq!(state.scores(), expected[at], "{}, game {}", fact.name, at + 1);
            whole.enter_scores(&state.scores(), start.starter, &state.winners()).expect("totals that fit");
            let found: Vec<i64> = whole.standings().iter().map(|s| s.total).collect();
            assert_eq!(found, totals[at], "{} after game {}", fact.name, at + 1);
        }
        assert!(whole.is_over(), "{}", fact.name);
    }
}

#[test]
fn random_games_keep_their_bounds() {
    for fact in facts("bounds") {
        let game = fact.game();
        let (games, bounds): (u64, BTreeMap<String, u64>) = (fact.get("games"), fact.get("rolls"));
        let mut played = 0;
        play_random(
            &game,
            1,
            0..games,
            &mut UsageCounts::default(),
            &mut |finished: Finished<'_>| {
                played += 1;
                let inside =
                    bounds["least"] <= finished.counters.rolls && finished.counters.rolls <= bounds["most"];
                assert!(
                    inside,
                    "{}: {} rolls in game {}",
                    fact.name, finished.counters.rolls, finished.index
                );
            },
            &mut |index, error| panic!("{}: game {index}: {error}", fact.name),
        );
        assert_eq!(played, games, "{}", fact.name);
    }
}

/// Maximum number of games that the reference interpreter plays.
const SLOW_GAMES: u64 = 1_500;

#[test]
fn random_games_keep_their_bounds_slowly() {
    for fact in facts("bounds") {
        let game = fact.game();
        let bounds: BTreeMap<String, u64> = fact.get("rolls");
        for index in 0..SLOW_GAMES {
            let (ending, _) = play_at_random(&game, &mut Stream::new(1, index, 0));
            let rolls = ending.counts.rolls;
            let inside = bounds["least"] <= rolls && rolls <= bounds["most"];
            assert!(inside, "{}: {rolls} rolls in game {index}", fact.name);
        }
    }
}

#[test]
fn random_games_have_their_means_slowly() {
    for fact in extent::some_of("means slowly", 8, facts("means")) {
        let game = fact.game();
        let means = fact.get::<BTreeMap<String, BTreeMap<String, Value>>>("means");
        let mut sums = vec![(0.0, 0.0); means.len()];
        let games = fact.find("slow_games").unwrap_or(SLOW_GAMES);
        for index in 0..games {
            let (ending, taken) = play_at_random(&game, &mut Stream::new(2, index, 0));
            for ((sum, squares), of) in sums.iter_mut().zip(means.keys()) {
                let value = told_of(&game, &ending, &taken, of);
                (*sum, *squares) = (*sum + value, *squares + value * value);
            }
        }
        let games = games as f64;
        for ((sum, squares), (of, expected)) in sums.into_iter().zip(means) {
            let mean = sum / games;
            let error = ((squares / games - mean * mean).max(0.0) / games).sqrt();
            hold_mean(&fact, &of, &expected, (mean, error));
        }
    }
}

/// Returns the contribution of one game to a mean.
fn told_of(game: &houserule::game::Game, ending: &oracle::Ending, taken: &[u64], of: &str) -> f64 {
    let at = |text: &str| text.parse::<usize>().expect("a seat");
    let winners = ending.winners.iter().filter(|won| **won).count();
    match of.split(' ').collect::<Vec<_>>()[..] {
        ["win", seat] => f64::from(ending.winners[at(seat)] && winners == 1),
        ["draw"] => f64::from(winners == ending.winners.len()),
        ["score", seat] => ending.totals[at(seat)] as f64,
        ["item", name, seat] => {
            let item = game.model().score.iter().position(|item| item.name == name);
            ending.scores[at(seat)][item.expect("the score has that item")] as f64
        }
        ["option", name] => {
            let taken = game.model().actions.iter().zip(taken).filter(|(block, _)| block.option == name);
            taken.map(|(_, times)| *times as f64).sum()
        }
        ["rolls"] => ending.counts.rolls as f64,
        ["turns"] => ending.counts.turns as f64,
        ["decisions"] => ending.counts.decisions as f64,
        _ => panic!("what is `{of}`?"),
    }
}

#[test]
fn random_games_have_their_means() {
    for fact in extent::some_of("means", 4, facts("means")) {
        hold_means(&fact);
    }
}

fn hold_means(fact: &Fact) {
    assert_eq!(fact.get::<String>("agents"), "random", "{}", fact.name);
    let plan = SimulationPlan {
        first: 0,
        games: fact.get("games"),
        seed: 7,
        threads: 1,
        agents: vec![AgentKind::Random],
        match_play: false,
    };
    let report =
        simulate(&fact.game(), &plan, &|_| {}, None).unwrap_or_else(|error| panic!("{}: {error}", fact.name));
    assert_eq!((report.games, report.aborted), (plan.games, 0), "{}", fact.name);
    let report = serde_json::to_value(&report).expect("a report is JSON");
    for (of, expected) in fact.get::<BTreeMap<String, BTreeMap<String, Value>>>("means") {
        hold_mean(fact, &of, &expected, mean(&report, plan.games as f64, &of));
    }
}

/// Compares a mean and its standard error with the expected value.
fn hold_mean(fact: &Fact, of: &str, expected: &BTreeMap<String, Value>, (mean, error): (f64, f64)) {
    let (value, own) = (number(&expected["value"]), number(&expected["se"]));
    let bound = fact.get::<f64>("within") * error.hypot(own) + 1e-12;
    assert!((mean - value).abs() <= bound, "{}, {of}: {mean} is not within {bound} of {value}", fact.name);
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Returns a mean of a report and its standard error.
fn mean(report: &Value, games: f64, of: &str) -> (f64, f64) {
    let share = |count: f64| {
        let share = count / games;
        (share, (share * (1.0 - share) / games).sqrt())
    };
    let both = |value: &Value| (number(&value["mean"]), number(&value["se"]));
    let at = |text: &str| text.parse::<usize>().expect("a seat");
    match of.split(' ').collect::<Vec<_>>()[..] {
        ["win", seat] => share(number(&report["wins"][at(seat)]) - shared(report)),
        ["draw"] => share(number(&report["draws"])),
        ["score", seat] => both(&report["score"][at(seat)]),
        ["item", name, seat] => both(&report["items"][name][at(seat)]),
        // The report has no deviation for options. Twice that of a Poisson count is an upper bound.
        ["option", name] => {
            let mean = number(&report["options"][name]) / games;
            (mean, (2.0 * mean / games).sqrt())
        }
        [count] => both(&report["counts"][count]),
        _ => panic!("what is `{of}`?"),
    }
}

/// Returns the part of every seat's wins that comes from draws, which count for all winners.
fn shared(report: &Value) -> f64 {
    number(&report["draws"]) / report["players"].as_f64().expect("a number of players")
}
