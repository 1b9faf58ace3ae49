//! Options that choose a subset: their legal actions, their notation, and agreement of both executors.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use crate::agree::{Came, agree};
use crate::extent;
use crate::states::{apply, legal};
use houserule::game::{BinderValue, Game, Start, State};
use houserule::loader::{Request, load_text};
use houserule::notation::record::{Record, replay};
use houserule::solve::{GraphLimits, solve};
use houserule::variants::Setting;

fn game_with(text: &str, params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    let request = Request { settings: &settings, ..Request::default() };
    load_text("test.rules", text, &request).unwrap_or_else(|e| panic!("{e}")).game
}

fn game(text: &str) -> Game {
    game_with(text, &[])
}

/// A game of one player whose turn is `turn`, with colours to choose from.
fn colours(turn: &str) -> Game {
    game(&format!(
        "game \"Colours\" {{
            players 1
            enum colour {{ red, green, blue, grey }}
            var have: set of colour = {{red, green, grey}}
            var taken: set of colour
            var n: 0..9
            turn {{ {turn} }}
            end when turns[me] == 3
            score {{ n: n }}
        }}"
    ))
}

#[test]
fn every_subset_is_an_action_and_its_number_has_a_bit_for_each_element() {
    let game = colours("choose { take k subset of colour { taken = k  n = count(k) } stop { end game } }");
    assert_eq!(game.actions(), 17);
    let state = game.start(1, 0).unwrap();
    assert_eq!(state.legal_count(), 17);
    let names = legal(&state);
    assert_eq!(names[..5], ["take none", "take red", "take green", "take red green", "take blue"]);
    assert_eq!(names[15..], ["take red green blue grey", "stop"]);
    for (number, action) in state.legal_actions().into_iter().enumerate().take(16) {
        assert_eq!(action.0 as usize, number);
        assert!(
            matches!(game.action_bindings(action)[..], [BinderValue::Subset(_, bits)] if bits == action.0)
        );
        assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
        let mut after = state.clone();
        after.apply(action).unwrap();
        let taken: String = after.position().lines().find(|l| l.starts_with("taken")).unwrap_or("").into();
        let elements = game.action_name(action).split(' ').skip(1).collect::<Vec<_>>().join(", ");
        let wanted = if number == 0 { String::new() } else { format!("taken = {{{elements}}}") };
        assert_eq!(taken, wanted);
    }
}

#[test]
fn subsets_are_read_in_any_order_and_only_if_they_make_sense() {
    let game = colours("choose { take k subset of colour { n = count(k) } stop { end game } }");
    let number = |text: &str| game.parse_action(text).map(|action| action.0);
    assert_eq!(number("take grey red"), Some(9));
    assert_eq!(number("TAKE  Grey   RED"), Some(9));
    assert_eq!(number("take none"), Some(0));
    assert_eq!(number("Take None"), Some(0));
    for wrong in
        ["take", "take red red", "take none red", "take red none", "take pink", "take red,grey", "stop none"]
    {
        assert_eq!(number(wrong), None, "{wrong}");
    }
}

#[test]
fn only_subsets_of_the_set_are_legal() {
    let game = colours("choose { take k subset of have { have = have - k  n += count(k) } }");
    let mut state = game.start(1, 0).unwrap();
    let all = "none|red|green|red green|grey|red grey|green grey|red green grey";
    let wanted: Vec<String> = all.split('|').map(|k| format!("take {k}")).collect();
    assert_eq!(legal(&state), wanted);
    apply(&mut state, "take grey");
    assert_eq!(legal(&state), wanted[..4]);
    let blue = game.parse_action("take blue").unwrap();
    assert!(!state.is_legal(blue) && state.apply(blue).is_err());
    apply(&mut state, "take red green");
    assert_eq!(legal(&state), ["take none"]);
}

#[test]
fn the_filter_is_asked_of_every_subset() {
    let of = |filter: &str, after: &str| {
        let game = colours(&format!(
            "choose {{ take k subset of have where {filter} {{ n += count(k) {after} }} }}"
        ));
        legal(&game.start(1, 0).unwrap())
            .into_iter()
            .map(|name| name["take ".len()..].to_owned())
            .collect::<Vec<_>>()
    };
    // These conditions depend on the subset alone.
    assert_eq!(of("k is some and count(k) <= 1", ""), ["red", "green", "grey"]);
    assert_eq!(of("red in k", ""), ["red", "red green", "red grey", "red green grey"]);
    assert_eq!(of("k == {} or all c in k: c == green", ""), ["none", "green"]);
    // These conditions depend on more.
    assert_eq!(of("count(k) == n + 2", "n = 0"), ["red green", "red grey", "green grey"]);
    assert_eq!(of("have - k == {grey}", ""), ["red green"]);
    assert_eq!(of("(sum c in k: (if c in have then 1 else 5)) > n + 2", ""), ["red green grey"]);
}

#[test]
fn a_subset_comes_after_elements() {
    let text = "game \"Trade\" {
        players 3
        enum good { wool, corn, iron }
        var held[player]: set of good = {wool, corn}
        var n[player]: 0..99
        turn {
            choose {
                give p in players, g in good, k subset of held[me] where p != me and g in k and (p == mover or count(k) < 3) {
                    held[me] = held[me] - k
                    held[p] = held[p] | k
                    n[p] += count(k)
                }
                otherwise { held[me] = good }
            }
        }
        end when turns[me] == 5
        score { n: n[me] }
    }";
    let game = game(text);
    assert_eq!(game.actions(), 3 * 3 * 8);
    let state = game.start(1, 0).unwrap();
    let wanted: BTreeSet<String> = ["wool wool", "corn corn", "wool wool corn", "corn wool corn"]
        .iter()
        .flat_map(|what| [2, 3].map(|p| format!("give player-{p} {what}")))
        .collect();
    assert_eq!(legal(&state).into_iter().collect::<BTreeSet<_>>(), wanted);
    for name in wanted {
        assert_eq!(game.action_name(game.parse_action(&name).unwrap()), name);
    }
    for index in 0..150 {
        assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over, "game {index}");
    }
}

/// Rules that choose subsets in many ways, with the number of games for the differential test.
const AGREE: &[(&str, u64)] = &[
    // Filters known at load and filters that aren't, over sets that shrink and grow.
    (
        "game \"A\" {
            players 2
            enum c { a, b, d, e, f, g, h }
            var have: set of c = {a, d, e, g}
            var n[player]: 0..999
            turn {
                choose first { x k subset of have { n[me] += count(k)  have = c - k } }
                choose second { y k subset of have where count(k) % 2 == 1 { n[me] += 1  have = have - k } z { } }
                choose third { w k subset of c where count(k & have) == turns[me] and (any y in k: y in have) { have = k } otherwise { have = have | {f, h} } }
            }
            end when turns[me] == 6
            score { n: n[me] }
        }",
        120,
    ),
    // Sixteen elements, of which every subset is an action, and a board whose sets take two words.
    (
        "game \"B\" {
            players 1
            board cell = grid(10, 10)
            piece stone
            domain lot = 3..18
            var left: set of lot = {3, 7, 11, 15, 18}
            var kept: set of lot
            turn {
                choose where_to { put c in empty { put stone at c } }
                choose odd { all k subset of lot where count(k) > 3 and (lowest(k) == lowest(left)) { kept = k } }
                choose keep { keep k subset of left where k is some { kept = k  left = left - k } otherwise { left = lot } }
                put stone at { c in empty where column(c) in kept }
            }
            end when turns[me] == 3 or empty is nothing
            score { kept: count(kept), stones: count(stone) }
        }",
        4,
    ),
    // Each player's own dice, a body that changes who acts, and leaving a loop.
    (
        "game \"C\" {
            players 3
            dice hand[player]: 4 of d3
            dice lot: 6 of d6
            var n[player]: 0..9999
            var at: player? = none
            turn {
                roll hand[me]
                step second {
                    for i in 1..2 {
                        choose reroll { reroll k subset of hand[me] { if k is nothing { skip } as after(me) { roll k } } }
                        n[me] += hand[me, 1] + 3 * hand[me, 4]
                    }
                }
                roll lot
                choose more { again k subset of lot where count(k) <= 2 and (all d in k: lot[d] < 4) { roll k } stop { } }
                n[me] += sum d in 1..6: lot[d]
                as after(me) { choose other { other p in players, k subset of hand[p] where p != me and 1 in k { roll hand[p]  roll k } } }
            }
            end when turns[me] == 3
            score { n: n[me] }
        }",
        60,
    ),
];

#[test]
fn both_executors_agree() {
    for (number, (text, games)) in AGREE.iter().enumerate() {
        let game = game(text);
        for index in 0..extent::tries(games.div_ceil(3), *games) {
            assert_eq!(agree(&game, 2, index, u32::MAX), Came::Over, "rules {number}, game {index}");
        }
    }
}

#[test]
fn records_and_positions_keep_what_was_chosen() {
    for (text, _) in AGREE {
        let game = game(text);
        let mut state = game.start(8, 3).unwrap();
        while let Some(action) = state.random_action() {
            let drawn = state.position();
            let read = game.position(&drawn).unwrap_or_else(|errors| panic!("{errors:?}\n{drawn}"));
            assert_eq!(read.legal_count(), state.legal_count(), "{drawn}");
            let mut back = state.clone();
            back.restore(state.persistent());
            assert_eq!(back.legal_actions(), state.legal_actions(), "{drawn}");
            state.apply(action).unwrap();
        }
        let record = Record::from_state(&state).unwrap();
        assert_eq!(replay(&game, &record).unwrap(), state);
    }
}

const PAIR: &str = "game \"Pair\" {
    players 2
    param dice_count: 1..20 = 2
    dice coin: dice_count of d2
    turn {
        roll coin
        choose { again k subset of coin where k is some { roll k } stop { } }
    }
    end two when (all d in 1..dice_count: coin[d] == 2) and turns[me] > 0: win me
    end one when turns[me] > 0: lose me
}";

#[test]
fn the_dice_of_a_subset_are_rolled_and_no_others() {
    let game = game(PAIR);
    let mut state = game.start_at(&Start { explicit_chance: true, ..Start::default() }).unwrap();
    state.apply_outcome(1).unwrap();
    assert!(state.position().lines().any(|line| line == "coin = 1 2"), "{}", state.position());
    assert_eq!(legal(&state), ["again 1", "again 2", "again 1 2", "stop"]);
    let before = state.clone();
    for (name, outcomes) in [("again 1", 2), ("again 2", 2), ("again 1 2", 4)] {
        let mut state = before.clone();
        apply(&mut state, name);
        assert_eq!(state.chance_outcomes(), outcomes, "{name}");
        state.apply_outcome(outcomes - 1).unwrap();
        assert_eq!(state.outcome().unwrap().winners, [name != "again 2", name == "again 2"], "{name}");
    }
}

#[test]
fn best_play_with_subsets_is_worth_what_it_is_by_hand() {
    // Both coins show a two at once with probability 1/4. With 1/2 one does, and the other is flipped again.
    // With 1/4 none does, and both are flipped again: 1/4 + 1/2 · 1/2 + 1/4 · 1/4 = 9/16, which is worth 2 ·
    // 9/16 − 1.
    let solution = solve(&game(PAIR), &GraphLimits::default()).unwrap();
    assert!((solution.start()[0] - 0.125).abs() < 1e-12, "{:?}", solution.start());
    // With three coins, each shows a two in the end with probability 3/4.
    let solution = solve(&game_with(PAIR, &[("dice_count", "3")]), &GraphLimits::default()).unwrap();
    assert!((solution.start()[0] - (2.0 * 0.421_875 - 1.0)).abs() < 1e-12, "{:?}", solution.start());
}

/// Five dice and two rerolls of any of them. Too many ways lead from one position to the next unless those that differ
/// only in dice about to be rolled are one. In `./test`, parts are of four dice.
#[test]
fn five_of_a_kind_is_solved() {
    let (four, five) = (28_561.0 / 279_936.0, 347_897.0 / 7_558_272.0);
    let parts = extent::tries((4, four), (5, five));
    for (word, (dice, chance)) in [("subset", (5, five)), ("part", parts)] {
        let text = format!(
            "game \"Five\" {{
                players 1
                dice hand: {dice} of d6 each game
                turn {{
                    roll hand
                    step keep {{ for n in 1..2 {{ choose {{ again k {word} of hand where k is some {{ roll k }} enough {{ skip }} }} }} }}
                }}
                end over when turns[me] == 1
                score {{ alike: 1 when hand is double }}
            }}"
        );
        let solution =
            solve(&game(&text), &GraphLimits::default()).unwrap_or_else(|error| panic!("{word}: {error}"));
        assert!((solution.start()[0] - chance).abs() < 1e-12, "{word}: {:?}", solution.start());
    }
}

/// Which dice are rolled again depends on their faces, also while they are about to be rolled.
#[test]
fn faces_that_say_which_dice_are_rolled_are_no_dead_values() {
    let text = "game \"High\" {
        players 1
        dice cup: 2 of d6 each game
        turn { roll cup  roll cup among { d in 1..2 where cup[d] > 2 } }
        end over when turns[me] == 1
        score { sum: sum(cup) }
    }";
    let solution = solve(&game(text), &GraphLimits::default()).unwrap();
    // A die that shows 1 or 2 stays: 2 · (1/3 · 1.5 + 2/3 · 3.5).
    assert!((solution.start()[0] - 17.0 / 3.0).abs() < 1e-12, "{:?}", solution.start());
}

#[test]
fn what_was_rolled_again_leaves_no_trace() {
    let text = "game \"Trace\" {
        players 1
        dice coin: 3 of d2
        var n: 0..5 each turn
        turn { roll coin  while n < 2 { choose { again k subset of coin { roll k  n += 1 } } } }
        end when turns[me] == 1
    }";
    let mut state = game(text).start_at(&Start { explicit_chance: true, ..Start::default() }).unwrap();
    state.apply_outcome(0).unwrap();
    let mut seen: Vec<State> = vec![];
    for (name, outcome) in [("again 1", 0), ("again 2 3", 0), ("again none", 0)] {
        let mut state = state.clone();
        apply(&mut state, name);
        if state.is_chance() {
            state.apply_outcome(outcome).unwrap();
        }
        assert!(state.pending_choice().is_some());
        seen.push(state);
    }
    assert!(seen[0] == seen[1] && seen[1] == seen[2]);
}

#[test]
fn random_players_choose_every_subset_alike() {
    let game = colours("choose { take k subset of have { n = count(k) } }");
    let games = 16_000u32;
    let mut seen = BTreeMap::<String, f64>::new();
    for index in 0..games {
        let mut state = game.start(4, index.into()).unwrap();
        let action = state.random_action().unwrap();
        *seen.entry(game.action_name(action)).or_default() += 1.0;
    }
    assert_eq!(seen.len(), 8);
    let (p, n) = (1.0 / 8.0, f64::from(games));
    let error = (n * p * (1.0 - p)).sqrt();
    for (name, count) in seen {
        assert!((count - n * p).abs() < 4.5 * error, "{name}: {count} of {n}");
    }
}

#[test]
fn at_most_sixteen() {
    assert_eq!(game_with(PAIR, &[("dice_count", "16")]).actions(), 65_537);
    let settings = [Setting::new("dice_count", "17")];
    let request = Request { settings: &settings, ..Request::default() };
    let error = load_text("test.rules", PAIR, &request).unwrap_err().to_string();
    assert!(error.contains("limit-subset") && error.contains("at most 16"), "{error}");
}

#[test]
fn numbers_of_a_variant_begin_with_those_of_the_game() {
    let base = "game \"Base\" {
        players 1
        enum c { a, b, d }
        var have: set of c
        turn { choose x { one k subset of c { have = k } two e in c { have = {e} } } }
        end when turns[me] == 3
    }";
    let variant = "variant \"V\" of \"Base\" {
        new enum e { p, q }
        extend x { one k in c { have = {k} }  without two  three f in e, k subset of c { have = k } }
    }";
    let text = format!("{base}\n{variant}");
    let game = game(&text);
    let blocks: Vec<_> =
        game.model().actions.iter().map(|b| (b.option.as_str(), b.first, b.size, b.dead)).collect();
    let wanted = [("one", 0, 8, true), ("two", 8, 3, true), ("one", 11, 3, false), ("three", 14, 16, false)];
    assert_eq!(blocks, wanted);
    assert_eq!(game.action_name(houserule::game::ActionId(14 + 13)), "three q a d");
}

/// A game with a subset that is chosen in steps, of `cards` cards, under a condition that names another variable
/// before or after the subset.
fn gated(cards: u32, condition: &str) -> Game {
    game(&format!(
        "game \"Gated\" {{
            players 1
            domain card = 1..{cards}
            zone pack of card
            zone hand[player] of card
            zone laid of card
            var ready: bool = false
            setup {{ move pack to hand[me] }}
            turn {{
                choose {{
                    lay k subset of hand[me] where {condition} {{ move k to laid }}
                    turn_over {{ ready = not ready }}
                }}
            }}
            end when turns[me] == 3
            score {{ laid: count(laid) }}
        }}"
    ))
}

/// What doesn't depend on the subset is tested before the subsets are looked at, of which there are too many here.
#[test]
fn conditions_without_the_subset_are_tested_first() {
    let all = "count(k) == 5 and (sum c in k: c) > 190";
    let conditions = [
        format!("ready and {all}"),
        format!("{all} and ready"),
        "(sum c in k: c) > 190 and ready and count(k) == 5".to_owned(),
    ];
    for condition in conditions {
        let game = gated(40, &condition);
        let mut state = game.start(1, 0).unwrap();
        assert_eq!(legal(&state), ["turn_over"], "{condition}");
        let turn_over = game.parse_action("turn_over").unwrap();
        // Once the subsets count, they are too many.
        state.apply(turn_over).unwrap_err();
    }
    for condition in [
        "ready and count(k) == 5 and (sum c in k: c) < 21",
        "count(k) == 5 and 6 / (sum c in k: c) == 0 and ready",
    ] {
        let game = gated(13, condition);
        (0..4).for_each(|index| assert_eq!(agree(&game, 1, index, 1_000), Came::Over, "{condition}"));
    }
}
