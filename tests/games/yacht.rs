//! Yacht: the score of every box, with near misses; the order of turns; and probabilities that are known
//! exactly.

#![allow(clippy::unwrap_used)]

use crate::rules::bundled;
use crate::states::{apply, legal};
use houserule::game::{ActionId, Game, Seat, State};
use houserule::model::{SlotId, Value};

fn game(name: &str, params: &[(&str, &str)], players: u32) -> Game {
    bundled(name, params, Some(players))
}

const BOXES: [&str; 12] = [
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "choice",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "yacht",
];

/// Returns the score of each box for these dice.
fn worth(game: &Game, hand: &str) -> Vec<i64> {
    let text = format!("hand = {hand}\nrolled = 3\nchoice = fill\n");
    let state = game.position(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let fill = |(at, name): (usize, &&str)| {
        let mut state = state.clone();
        state.apply(game.parse_action(&format!("fill {name}")).unwrap()).unwrap();
        let items = state.scores(Seat(0)).unwrap();
        assert_eq!(items.len(), 12);
        assert!(items.iter().enumerate().all(|(item, n)| item == at || *n == 0), "{hand}, {name}: {items:?}");
        items[at]
    };
    BOXES.iter().enumerate().map(fill).collect()
}

#[test]
fn every_box_counts_as_its_rule_says() {
    let game = game("yacht", &[], 1);
    // By box: 1s, 2s, 3s, 4s, 5s, 6s, choice, four, full house, small and large straight, yacht.
    let hands: [(&str, [i64; 12]); 18] = [
        ("1 1 1 1 1", [5, 0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 50]),
        ("6 6 6 6 6", [0, 0, 0, 0, 0, 30, 30, 30, 30, 0, 0, 50]),
        ("6 6 6 6 5", [0, 0, 0, 0, 5, 24, 29, 29, 0, 0, 0, 0]),
        ("2 6 2 2 2", [0, 8, 0, 0, 0, 6, 14, 14, 0, 0, 0, 0]),
        // Three of a kind isn't four of a kind, and needs a pair to be a full house.
        ("4 4 4 1 2", [1, 2, 0, 12, 0, 0, 15, 0, 0, 0, 0, 0]),
        ("4 4 4 2 2", [0, 4, 0, 12, 0, 0, 16, 0, 16, 0, 0, 0]),
        ("3 5 3 5 3", [0, 0, 9, 0, 10, 0, 19, 0, 19, 0, 0, 0]),
        ("1 6 6 1 1", [3, 0, 0, 0, 0, 12, 15, 0, 15, 0, 0, 0]),
        // Two pairs are neither.
        ("3 3 5 5 6", [0, 0, 6, 0, 10, 6, 22, 0, 0, 0, 0, 0]),
        ("1 1 2 2 3", [2, 4, 3, 0, 0, 0, 9, 0, 0, 0, 0, 0]),
        // The straights, in any order.
        ("1 2 3 4 5", [1, 2, 3, 4, 5, 0, 15, 0, 0, 30, 0, 0]),
        ("5 3 1 4 2", [1, 2, 3, 4, 5, 0, 15, 0, 0, 30, 0, 0]),
        ("2 3 4 5 6", [0, 2, 3, 4, 5, 6, 20, 0, 0, 0, 30, 0]),
        ("6 2 5 3 4", [0, 2, 3, 4, 5, 6, 20, 0, 0, 0, 30, 0]),
        // One die off: four in a row, a gap, a pair.
        ("1 2 3 4 6", [1, 2, 3, 4, 0, 6, 16, 0, 0, 0, 0, 0]),
        ("1 3 4 5 6", [1, 0, 3, 4, 5, 6, 19, 0, 0, 0, 0, 0]),
        ("2 3 4 5 5", [0, 2, 3, 4, 10, 0, 19, 0, 0, 0, 0, 0]),
        ("1 2 3 4 4", [1, 2, 3, 8, 0, 0, 14, 0, 0, 0, 0, 0]),
    ];
    for (hand, counts) in hands {
        assert_eq!(worth(&game, hand), counts, "{hand}");
    }
}

#[test]
fn params_change_what_counts() {
    let strict = game("yacht", &[("four_counts", "four_dice"), ("yacht_is_full_house", "false")], 1);
    assert_eq!(worth(&strict, "6 6 6 6 5")[7..9], [24, 0]);
    assert_eq!(worth(&strict, "5 5 5 5 5")[7..], [20, 0, 0, 0, 50]);
    assert_eq!(worth(&strict, "2 2 5 5 5")[7..9], [0, 19]);
}

/// Every hand, compared with a second implementation of the rules.
#[test]
fn all_hands_count_as_another_wording_has_it() {
    let game = game("yacht", &[], 1);
    let mut sums = [0i64; 12];
    for number in (0..7776u32).step_by(7) {
        let dice: Vec<i64> = (0..5).map(|k| i64::from(number / 6u32.pow(k) % 6) + 1).collect();
        let mut sorted = dice.clone();
        sorted.sort_unstable();
        let sum: i64 = dice.iter().sum();
        let mut groups: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[i64]>::len).collect();
        groups.sort_unstable();
        let mut wanted: Vec<i64> = (1..=6).map(|face| dice.iter().filter(|d| **d == face).sum()).collect();
        wanted.push(sum);
        wanted.push(if groups.ends_with(&[4]) || groups == [5] { sum } else { 0 });
        wanted.push(if groups == [2, 3] || groups == [5] { sum } else { 0 });
        wanted.push(if sorted == [1, 2, 3, 4, 5] { 30 } else { 0 });
        wanted.push(if sorted == [2, 3, 4, 5, 6] { 30 } else { 0 });
        wanted.push(if groups == [5] { 50 } else { 0 });
        let hand = dice.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(worth(&game, &hand), wanted, "{hand}");
        sums.iter_mut().zip(wanted).for_each(|(sum, n)| *sum += n);
    }
    assert!(sums.iter().all(|n| *n > 0), "{sums:?}");
}

fn hand(state: &State) -> [i64; 5] {
    let slot = state.game().model().slots.iter().position(|slot| slot.name == "hand").unwrap();
    std::array::from_fn(|die| match state.value(SlotId(slot as u32), die) {
        Value::Number(n) => n,
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_turn_is_up_to_three_rolls_and_a_box() {
    let game = game("yacht", &[], 2);
    assert_eq!(game.actions(), 32 + 12);
    let mut state = game.start(1, 0).unwrap();
    assert_eq!(state.legal_actions(), (0..32).map(ActionId).collect::<Vec<_>>());
    let before = hand(&state);
    apply(&mut state, "reroll 2 5");
    let after = hand(&state);
    assert_eq!([before[0], before[2], before[3]], [after[0], after[2], after[3]]);
    assert_eq!(state.legal_count(), 32);
    apply(&mut state, "reroll 1 2 3 4 5");
    // The third roll was the last one.
    assert_eq!(legal(&state), BOXES.map(|name| format!("fill {name}")));
    apply(&mut state, "fill choice");
    assert_eq!(state.current_player(), Some(Seat(1)));
    // Keeping all dice ends the rerolls.
    apply(&mut state, "reroll none");
    assert_eq!(legal(&state).len(), 12);
    apply(&mut state, "fill yacht");
    apply(&mut state, "reroll 3");
    apply(&mut state, "reroll none");
    let left: Vec<String> = BOXES.iter().filter(|b| **b != "choice").map(|b| format!("fill {b}")).collect();
    assert_eq!(legal(&state), left);
}

#[test]
fn the_game_is_over_when_all_sheets_are_full() {
    for players in [1, 2, 3, 10] {
        let game = game("yacht", &[], players);
        let mut state = game.start(1, 0).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        assert_eq!(state.turns(), u64::from(12 * players));
        let totals: Vec<i64> = (0..players).map(|p| state.score(Seat(p)).unwrap()).collect();
        let most = totals.iter().max();
        let winners: Vec<bool> = totals.iter().map(|n| Some(n) == most).collect();
        assert_eq!(state.outcome().unwrap().winners, winners);
    }
}

#[test]
fn the_forced_variant_goes_down_the_sheet() {
    let game = game("yacht-forced", &[], 1);
    let mut state = game.start(1, 0).unwrap();
    for name in BOXES {
        apply(&mut state, "reroll none");
        assert_eq!(legal(&state), [format!("fill {name}")]);
        apply(&mut state, &format!("fill {name}"));
    }
    assert!(state.is_over());
}

/// Asserts that a share is within 4.5 standard errors of its expected value.
#[track_caller]
fn assert_share(hits: u32, of: u32, share: f64) {
    let (found, error) = (f64::from(hits) / f64::from(of), (share * (1.0 - share) / f64::from(of)).sqrt());
    assert!((found - share).abs() < 4.5 * error, "{found} is not {share} ± {error}");
}

#[test]
fn one_roll_is_a_yacht_six_times_in_7776() {
    let game = game("yacht", &[("rolls", "1")], 1);
    let games = 400_000;
    let mut hits = 0;
    for index in 0..games {
        let dice = hand(&game.start(17, index.into()).unwrap());
        hits += u32::from(dice.iter().all(|d| *d == dice[0]));
    }
    assert_share(hits, games, 6.0 / 7776.0);
}

#[test]
fn keeping_the_most_common_face_makes_a_yacht_in_4_6029_percent_of_turns() {
    // Of the 6^15 rolls of fifteen dice, 347,897 / 7,558,272.
    let game = game("yacht", &[], 1);
    let games = 150_000;
    let mut hits = 0;
    for index in 0..games {
        let mut state = game.start(23, index.into()).unwrap();
        for _ in 0..2 {
            let dice = hand(&state);
            let face = (1..=6).max_by_key(|face| dice.iter().filter(|d| *d == face).count()).unwrap();
            let others = (0..5).filter(|die| dice[*die] != face).fold(0, |bits, die| bits | 1 << die);
            if others == 0 {
                break;
            }
            state.apply(ActionId(others)).unwrap();
        }
        let dice = hand(&state);
        hits += u32::from(dice.iter().all(|d| *d == dice[0]));
    }
    assert_share(hits, games, 347_897.0 / 7_558_272.0);
}

#[test]
fn random_players_make_what_dice_without_a_plan_make() {
    // A random player ignores the faces, so each box scores five fresh dice.
    let game = game("yacht", &[], 2);
    let games = 8_000;
    let (mut sums, mut squares) = ([0.0; 12], [0.0; 12]);
    for index in 0..games {
        let mut state = game.start(31, index).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        for player in 0..2 {
            for (item, n) in state.scores(Seat(player)).unwrap().into_iter().enumerate() {
                sums[item] += n as f64;
                squares[item] += (n * n) as f64;
            }
        }
    }
    let ways = |ways: f64, worth: f64| ways / 7776.0 * worth;
    let mut wanted: Vec<f64> = (1..=6).map(|face| f64::from(face) * 5.0 / 6.0).collect();
    // 150 and 6 hands have four of a kind, 300 and 6 are full houses; each is worth 17.5 on average.
    wanted.extend([17.5, ways(156.0, 17.5), ways(306.0, 17.5), ways(120.0, 30.0), ways(120.0, 30.0)]);
    wanted.push(ways(6.0, 50.0));
    let n = 2.0 * games as f64;
    for (item, wanted) in wanted.into_iter().enumerate() {
        let mean = sums[item] / n;
        let error = ((squares[item] / n - mean * mean) / n).sqrt();
        assert!((mean - wanted).abs() < 4.5 * error, "{}: {mean} is not {wanted} ± {error}", BOXES[item]);
    }
}
