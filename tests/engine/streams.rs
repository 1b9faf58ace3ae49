//! Seeds are reproducible: the same games for any number of threads and any batch size, the same dice under
//! rules that differ only in the score, and the same from version to version.

use std::ops::Range;

use crate::extent;
use crate::rules::games_for;
use houserule::agents::AgentKind;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Event, Game, State};
use houserule::loader::{Request, load, load_text};
use houserule::native::RunKind;
use houserule::notation::record::Record;
use houserule::playtest::{SimulationPlan, simulate};
use serde_json::Value as Json;

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

fn play(game: &Game, seed: u64, index: u64) -> State {
    let mut state = game.start(seed, index).expect("the game starts");
    while let Some(action) = state.random_action() {
        state.apply(action).expect("a legal action can be taken");
    }
    state
}

/// The data of a game: index, end, winners, scores and counters.
type Told = (u64, u32, u32, Vec<i64>, [u64; 3]);

fn batch(game: &Game, games: Range<u64>, told: &mut Vec<Told>, counts: &mut UsageCounts) {
    let mut finished = |f: Finished<'_>| {
        told.push((
            f.index,
            f.end,
            f.winners,
            f.scores.to_vec(),
            [f.counters.turns, f.counters.rolls, f.counters.decisions],
        ));
    };
    let mut failed = |index, error| panic!("game {index}: {error}");
    play_random(game, 7, games, counts, &mut finished, &mut failed);
}

#[test]
fn batches_of_any_size_are_the_same_games() {
    for name in extent::bundled("batches", 16) {
        let game = game(name);
        let games = games_for(&game, extent::tries(600, 1_500), 500).max(3);
        let (mut whole, mut counts) = (vec![], UsageCounts::default());
        batch(&game, 0..games, &mut whole, &mut counts);
        // A batch of all games is the whole again.
        for size in [1, 7, 64, 499].into_iter().filter(|size| *size < games) {
            let (mut told, mut sum) = (vec![], UsageCounts::default());
            for first in (0..games).step_by(size as usize) {
                batch(&game, first..(first + size).min(games), &mut told, &mut sum);
            }
            assert_eq!((&told, &sum), (&whole, &counts), "{name} in batches of {size}");
        }
    }
}

#[test]
fn threads_do_not_matter_to_any_bundled_game() {
    for name in extent::bundled("threads", 16) {
        let game = game(name);
        for match_play in [false, true] {
            if match_play && game.model().match_rules.is_none() {
                continue;
            }
            for games in [1, games_for(&game, extent::tries(600, 1_500), 257)] {
                let games = if match_play { games.min(30) } else { games };
                let figures = |threads| {
                    let agents = vec![AgentKind::Random];
                    let plan = SimulationPlan { games, first: 0, seed: 3, threads, agents, match_play };
                    let report = simulate(&game, &plan, &|_| {}, None).expect("the plan can be played");
                    let mut json = serde_json::to_value(report).expect("a report is JSON");
                    let report = json.as_object_mut().expect("a report has keys");
                    for key in
                        ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second", "threads"]
                    {
                        assert!(report.remove(key).is_some(), "{key}");
                    }
                    json
                };
                let one = figures(1);
                for threads in [2, 5] {
                    assert_eq!(figures(threads), one, "{name} on {threads} threads");
                }
            }
        }
    }
}

/// Returns what matches of random players give, apart from times. With `records`, every decision is asked for.
fn figures_of_matches(game: &Game, games: u64, records: bool) -> Json {
    let agents = vec![AgentKind::Random];
    let plan = SimulationPlan { games, first: 2, seed: 3, threads: 1, agents, match_play: true };
    let mut number = 0;
    let mut count = |_| number += 1;
    let report =
        simulate(game, &plan, &|_| {}, records.then_some(&mut count)).expect("the plan can be played");
    assert_eq!(number > 0, records);
    let mut json = serde_json::to_value(report).expect("a report is JSON");
    for key in ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second"] {
        json[key].take();
    }
    json
}

#[test]
fn the_executor_plays_the_games_of_matches_by_itself() {
    let named = extent::bundled("matches", 8).map(game).filter(|game| game.model().match_rules.is_some());
    let written = [
        // Some games fail because of what the match keeps.
        "players 2 dice die: 1 of d6 var kept: 0..33 = 0 each match var points[player]: 0..99 = 0
         turn { roll die choose { take { points[me] += die kept += 1 } leave { } } }
         end over when any p in players: points[p] >= 6 + game_number and points[p] > total[p] / 4
         score { points: points[me] + kept }
         match { until: kept >= 30 or any p in players: total[p] >= 99, total: sum, starter: loser }",
        // A game that is over doesn't show who began it.
        "players 2 var points[player]: 0..99 = 0
         round { each player from starter as me { choose { add k in 1..3 { points[me] += k } } } starter = after(starter) }
         end high of round when any p in players: points[p] >= 5
         score { points: points[me] + (if starter == me then 2 else 0) }
         match { games: 5, total: sum, starter: same }",
    ];
    let written = written.map(|text| {
        let text = format!("game \"Written\" {{ {text} }}");
        load_text("written.rules", &text, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
    });
    for game in named.chain(written) {
        let name = &game.identity().name;
        let games = games_for(&game, 300, 12).div_ceil(4);
        let asked = figures_of_matches(&game, games, true);
        assert_eq!(figures_of_matches(&game, games, false), asked, "{name}");
        assert_eq!(game.compile_series(), game.machine(RunKind::Games).is_some(), "{name}");
        assert_eq!(figures_of_matches(&game, games, false), asked, "{name}, compiled");
    }
}

#[test]
fn rules_that_only_score_differently_see_the_same_games() {
    let variants = [
        ("dilido", "param line_points = [2: 5, 3: 7, 4+: 1]"),
        ("dilido", "score { lines: count(dot) * 3 - penalties, new luck: jokers_left }"),
        ("dicrono", "score { lines: count(mark[me]) }"),
    ];
    for (name, change) in variants {
        let text = format!("variant \"Other points\" of \"{name}\" {{ {change} }}");
        let changed = load_text("points.rules", &text, &Request::default());
        let changed = changed.unwrap_or_else(|error| panic!("{text}: {error}")).game;
        let base = game(name);
        let mut scored = 0;
        for index in 0..50 {
            let (a, b) = (play(&base, 9, index), play(&changed, 9, index));
            assert_eq!(a.history(), b.history(), "{change}: game {index}");
            let score = |state: &State| state.score(houserule::game::Seat(0)).expect("it has a score");
            scored += u32::from(score(&a) != score(&b));
        }
        assert!(scored > 0, "{change} changes the score");
    }
}

#[test]
fn rules_that_play_differently_still_see_the_same_dice() {
    // Chance and players have separate streams, so an additional choice changes no die.
    let rolls = |game: &Game, index| -> Vec<u64> {
        let state = play(game, 9, index);
        let rolled =
            |event: &Event| if let Event::Roll { outcome, .. } = event { Some(*outcome) } else { None };
        state.history().iter().filter_map(rolled).collect()
    };
    let (base, ordered) = (game("dilido"), game("dilido-ordered"));
    for index in 0..50 {
        let (a, b) = (rolls(&base, index), rolls(&ordered, index));
        let both = a.len().min(b.len());
        assert!(both >= 4);
        assert_eq!(a[..both], b[..both], "game {index}");
    }
}

#[test]
fn a_game_of_a_seed_stays_the_game_that_it_is() {
    let record = Record::from_state(&play(&game("dilido"), 1, 0)).expect("the score can be counted");
    // The dice come from the stream: its first two draws below 1000 are 475 and 225, then below 36 they are
    // 17 and 8.
    assert_eq!(record.events[0], "roll pair 3 6");
    assert_eq!(
        record.events.iter().filter(|event| event.starts_with("roll")).nth(1).map(String::as_str),
        Some("roll pair 2 3")
    );
    assert_eq!(record.events.join(", "), PINNED);
}

/// Game 0 of seed 1 of Di-Li-Do. A change here changes every game of every seed.
const PINNED: &str = "roll pair 3 6, place c6, joker b5, roll pair 2 3, place c2, roll pair 3 1, place c1, \
    roll pair 3 2, place b3, roll pair 1 3, place a3, roll pair 6 4, place d6, roll pair 6 2, place f2, \
    roll pair 6 5, place f5, roll pair 6 4, place f4, roll pair 1 6, place a6, roll pair 4 6, roll pair 1 3, \
    roll pair 2 6, place b6, roll pair 6 2";
