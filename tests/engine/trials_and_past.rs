//! Options with `ensuring` and rules with `repeated`: hand-made positions of a game that needs both, and
//! small made-up rules for the edge cases.

#![allow(clippy::unwrap_used)]

use crate::agree::{Came, agree};
use crate::extent;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{ApplyError, Game, RuntimeErrorKind, Seat, State};
use houserule::loader::{Request, load, load_text};
use houserule::notation::record::{Record, replay};
use houserule::solve::{GraphLimits, solve};
use houserule::variants::Setting;

fn bundled(name: &str, params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap_or_else(|e| panic!("{e}")).game
}

fn small_go(ko: &str) -> Game {
    bundled("go", &[("size", "5"), ("ko", ko), ("half_komi", "0")])
}

fn made_up(rules: &str) -> Game {
    let text = format!("game \"Made up\" {{\n{rules}\n}}");
    load_text("made-up.rules", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game
}

fn can(state: &State, action: &str) -> bool {
    state.is_legal(state.game().parse_action(action).unwrap_or_else(|| panic!("{action}")))
}

fn play(state: &mut State, actions: &[&str]) {
    for action in actions {
        let id = state.game().parse_action(action).unwrap_or_else(|| panic!("{action}"));
        state.apply(id).unwrap_or_else(|e| panic!("{action}: {e}\n{}", state.position()));
    }
}

fn names(state: &State) -> Vec<String> {
    state.legal_actions().into_iter().map(|a| state.game().action_name(a)).collect()
}

/// Asserts that random games agree in both executors, in both modes of the compiled program, and in compiled code.
fn alike(game: &Game, games: u64) {
    houserule::game::agree(game, 5, games).unwrap_or_else(|e| panic!("{e}"));
    for index in 0..extent::tries(games.div_ceil(3), games) {
        assert_ne!(agree(game, 3, index, 5_000), Came::Stopped, "game {index}");
    }
    let mut counts = UsageCounts::default();
    let mut whole = vec![];
    let mut finished =
        |f: Finished<'_>| whole.push((f.index, Some((f.end, f.winners, f.counters.decisions))));
    let mut failed = vec![];
    play_random(game, 9, 0..games, &mut counts, &mut finished, &mut |index, error| {
        failed.push((index, error))
    });
    whole.extend(failed.iter().map(|(index, _)| (*index, None)));
    whole.sort_unstable();
    for (index, whole) in whole {
        let mut state = game.start(9, index).unwrap();
        let told = loop {
            let Some(action) = state.random_action() else {
                let outcome = state.outcome().unwrap();
                let winners = outcome.winners.iter().rev().fold(0, |bits, won| bits << 1 | u32::from(*won));
                break Some((outcome.end, winners, state.decisions()));
            };
            assert!(state.is_legal(action));
            if state.apply(action).is_err() {
                break None;
            }
        };
        assert_eq!(told, whole, "game {index}");
    }
}

// ---- stones, liberties and ko ----

#[test]
fn a_stone_without_liberties_can_be_placed_only_where_it_takes_some() {
    let game = small_go("simple");
    let state = game.position(". . . w .\n. . b . w\n. . . . b\nw . . . .\n. w . . .").unwrap();
    assert!(!can(&state, "play a1"), "suicide");
    assert!(!can(&state, "play e5"), "d5 and e4 have liberties");
    assert!(can(&state, "play d4") && can(&state, "pass"));
    let mut state = game.position(". . b w .\n. . . b w\n. . . . b\nw . . . .\n. w . . .").unwrap();
    play(&mut state, &["play e5"]);
    assert!(
        state.position().starts_with("5 . . b . b\n4 . . . b .\n"),
        "it takes both: {}",
        state.position()
    );
    // Two stones without a liberty are as illegal as one; with one liberty left they are legal.
    let state = game.position(". . . . .\n. . . . .\nw . . . .\nb w . . .\n. w . . .").unwrap();
    assert!(!can(&state, "play a1"));
    let state = game.position(". . . . .\n. . . . .\nw . . . .\nb . w . .\n. w . . .").unwrap();
    assert!(can(&state, "play a1"));
}

#[test]
fn a_snapback_takes_more_than_was_given() {
    for ko in ["simple", "superko"] {
        let game = small_go(ko);
        let mut state = game.position(". . . . .\n. . . . .\nb b b . .\nw w w b .\n. . w b .").unwrap();
        play(&mut state, &["play b1", "play a1"]);
        assert!(state.position().contains("1 w . w b ."), "{}", state.position());
        play(&mut state, &["play b1"]);
        assert!(state.position().contains("2 . . . b .\n1 . b . b ."), "{}", state.position());
    }
}

const KO: &str = ". . . . .\n. b w . .\nb . b w .\n. b w . .\n. . . . .\nmover = white";

#[test]
fn a_stone_that_was_just_taken_in_a_ko_is_not_taken_back_at_once() {
    for ko in ["simple", "superko"] {
        let game = small_go(ko);
        let mut state = game.position(KO).unwrap();
        play(&mut state, &["play b3"]);
        assert!(state.position().contains("3 b w . w ."), "{}", state.position());
        assert!(!can(&state, "play c3"), "{ko}");
        play(&mut state, &["play a1", "play e5"]);
        assert!(can(&state, "play c3"), "after an exchange elsewhere, {ko}");
        play(&mut state, &["play c3"]);
        assert!(!can(&state, "play b3"), "{ko}");
    }
}

/// Black sends a second stone, white takes both, and black takes one back: the same position.
const TWO_FOR_ONE: &str = ". . . . .\n. . . . .\n. . . . .\nw w b . .\n. b . b .";

#[test]
fn superko_bars_every_earlier_position_and_simple_ko_the_last_alone() {
    for (ko, legal) in [("simple", true), ("superko", false)] {
        let game = small_go(ko);
        let mut state = game.position(TWO_FOR_ONE).unwrap();
        play(&mut state, &["play a1", "play c1"]);
        assert!(state.position().contains("1 . . w b ."), "{}", state.position());
        assert_eq!(can(&state, "play b1"), legal, "{ko}");
        let record = Record::from_state(&state).unwrap();
        assert_eq!(record.events, ["play a1", "play c1"]);
        // An exchange elsewhere changes the position.
        play(&mut state, &["play e5", "play e3"]);
        assert!(can(&state, "play b1"), "{ko}");
    }
}

#[test]
fn an_empty_region_counts_for_whom_it_touches_alone() {
    let game = small_go("simple");
    // The middle column touches both colours.
    let state = game.position("b b . w w\n. b . w .\nb b . w w\n. b . w .\nb b . w w").unwrap();
    assert_eq!(state.scores(Seat(0)), Ok(vec![16, 4, 0]));
    assert_eq!(state.scores(Seat(1)), Ok(vec![16, 4, 0]));
    // A lone stone owns the whole board. An empty board has no owner.
    let lone = game.position(". . . . .\n. . . . .\n. . b . .\n. . . . .\n. . . . .").unwrap();
    assert_eq!(lone.score(Seat(0)), Ok(50));
    let empty = game.start(1, 0).unwrap();
    assert_eq!((empty.score(Seat(0)), empty.score(Seat(1))), (Ok(0), Ok(0)));
}

#[test]
fn two_passes_end_the_game_and_half_points_decide() {
    let game = bundled("go", &[]);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["play e5", "pass", "pass"]);
    assert_eq!(state.outcome().unwrap().winners, [true, false]);
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["pass", "pass"]);
    assert_eq!(state.score(Seat(1)), Ok(15));
    assert_eq!(state.outcome().unwrap().winners, [false, true]);
}

#[test]
fn variants_end_when_the_first_stone_is_taken_and_when_a_position_repeats() {
    let game = bundled("go-capture", &[("size", "5")]);
    let mut state = game.position(KO).unwrap();
    play(&mut state, &["play b3"]);
    assert_eq!(state.outcome().unwrap().winners, [false, true]);
    let game = bundled("go-openspiel", &[("size", "5")]);
    let mut state = game.position(TWO_FOR_ONE).unwrap();
    play(&mut state, &["play a1", "play c1", "play b1"]);
    assert_eq!(state.outcome().unwrap().winners, [true, true]);
    // Leaving the board unchanged repeats no position.
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["play c3", "pass", "play a1", "pass", "pass"]);
    assert_eq!(state.outcome().unwrap().winners, [true, false]);
}

// ---- made-up rules ----

/// A marker moves to any of four places. `ends` gives the ends.
fn walk(ends: &str) -> Game {
    made_up(&format!(
        "players a, b
         var at: 0..3 = 0
         var noise: 0..9 = 0
         turn {{
             choose {{
                 go n in 0..3 {{ at = n }}
                 count where noise < 9 {{ noise += 1 }}
                 more where noise < 9 {{ noise += 1; again }}
                 stay_on where noise < 9 {{ noise += 1; next me }}
             }}
         }}
         {ends}
         end late when turns[a] + turns[b] >= 40: lose me"
    ))
}

fn turns_until_over(game: &Game, actions: &[&str]) -> usize {
    let mut state = game.start(1, 0).unwrap();
    for (done, action) in actions.iter().enumerate() {
        assert!(!state.is_over(), "over before {action}, action {done}");
        play(&mut state, &[*action]);
    }
    assert!(state.is_over(), "not over after {actions:?}");
    actions.len()
}

#[test]
fn a_position_is_there_again_where_what_is_named_is_the_same() {
    let game = walk("end again when repeated(1, of: at): draw");
    turns_until_over(&game, &["go 0"]);
    turns_until_over(&game, &["go 1", "count"]);
    turns_until_over(&game, &["go 1", "go 2", "go 0"]);
    alike(&game, 60);
    // The mover is compared too if it is named, or if `of:` is missing.
    let game = walk("end again when repeated(1, of: [at, mover]): draw");
    turns_until_over(&game, &["go 0", "go 0"]);
    turns_until_over(&game, &["go 0", "count"]);
    turns_until_over(&game, &["go 1", "go 1", "go 1"]);
    alike(&game, 60);
    let game = walk("end again when repeated(1): draw");
    turns_until_over(&game, &["go 0", "go 0"]);
    turns_until_over(&game, &["go 0", "count", "go 0", "go 0"]);
    alike(&game, 60);
}

#[test]
fn threefold_is_twice_before() {
    let game = walk("end thrice when repeated(2): draw");
    turns_until_over(&game, &["go 1", "go 0", "go 1", "go 0"]);
    turns_until_over(&game, &["go 0", "go 0", "go 0", "go 0"]);
    alike(&game, 100);
    let always = walk("end always when repeated(0): draw");
    turns_until_over(&always, &["go 1"]);
}

#[test]
fn a_turn_that_is_taken_again_notes_nothing_and_next_says_who_is_compared() {
    let game = walk("end again when repeated(1, of: [at, mover]): draw");
    // `more` continues the turn. At its end b would be next, and no position with b is in the past.
    turns_until_over(&game, &["more", "go 0", "go 0"]);
    // a moves twice. At the end of the first turn a is next, as at the start.
    turns_until_over(&game, &["stay_on"]);
    let game = walk("end again when repeated(2, of: [at, mover]): draw");
    turns_until_over(&game, &["stay_on", "stay_on"]);
    turns_until_over(&game, &["more", "go 0", "go 0", "go 0", "go 0"]);
    alike(&game, 100);
}

/// Numbers may be taken as long as the heap stays in bounds. If none can, the turn passes.
const SUMS: &str = "players a, b
    var heap: 0..60 = 0
    var last: 0..9 = 0
    var dull: 0..60 = 0
    turn {
        choose {
            add n in 1..5, m in 1..3 where n != m ensuring heap % 4 != 3 and last != 6 {
                let both = n + m
                heap += both
                last = both
            }
            halve ensuring heap % 2 == 1 { heap = heap / 2 }
            deliberate stop ensuring heap > 20 { last = 9 }
            otherwise { dull += 1; heap += 1 }
        }
    }
    end stopped when last == 9: win me
    end over when heap >= 40 or turns[a] + turns[b] >= 60";

#[test]
fn what_is_tried_with_several_binders_deliberate_options_and_otherwise() {
    let game = made_up(SUMS);
    alike(&game, 200);
    let mut state = game.start(1, 0).unwrap();
    // From 0 the sums 3, 6 and 7 are barred. Half of 0 is even.
    let legal = names(&state);
    assert!(
        !legal
            .iter()
            .any(|a| ["add 1 2", "add 2 1", "add 5 1", "add 5 2", "halve", "stop"].contains(&a.as_str())),
        "{legal:?}"
    );
    assert_eq!(legal.len(), 6, "{legal:?}");
    assert_eq!(state.legal_count(), 6);
    assert!(matches!(state.apply(game.parse_action("add 1 2").unwrap()), Err(ApplyError::Illegal(_))));
    let before = state.clone();
    play(&mut state, &["add 4 1"]);
    assert_ne!(state, before);
    assert_eq!(names(&before), legal, "a clone has its own candidates");
    let record = Record::from_state(&state).unwrap();
    assert_eq!(replay(&game, &record).unwrap(), state);
}

#[test]
fn where_nothing_that_is_tried_is_legal_the_game_goes_on_without_a_draw() {
    let game = made_up(
        "players a, b
         var n: 0..99 = 0
         turn {
             choose first { barred c in 1..6 ensuring n % 3 != 0 { n += 3 } otherwise { n += 1 } }
             choose second { open c in 1..6 ensuring n < 99 { n += 1 } }
         }
         end over when n >= 30",
    );
    alike(&game, 50);
    let state = game.start(1, 0).unwrap();
    assert_eq!(names(&state)[0], "open 1");
}

#[test]
fn what_goes_wrong_on_trial_goes_wrong_when_it_is_taken() {
    let game = made_up(
        "players a, b
         var n: 0..9 = 0
         turn { choose { add k in 1..6 ensuring n != 4 { n += k * 2 } } }
         end over when n == 9",
    );
    let state = game.start(1, 0).unwrap();
    assert_eq!(names(&state), ["add 1", "add 3", "add 4", "add 5", "add 6"]);
    let mut wrong = state.clone();
    let error = wrong.apply(game.parse_action("add 5").unwrap()).unwrap_err();
    assert!(
        matches!(error, ApplyError::Runtime(e) if matches!(e.kind, RuntimeErrorKind::OutOfRange { value: 10, .. }))
    );
    alike(&game, 50);
    // A body that never ends is stopped, both in a trial and when the option is taken.
    let endless = made_up(
        "players a, b
         var n: 0..9 = 0
         turn { choose { spin ensuring n == 0 { while n == 0 { n = 0 } } wait { n = 1 } } }
         end over when n == 1",
    );
    let mut state = endless.start(1, 0).unwrap();
    assert_eq!(names(&state), ["spin", "wait"]);
    let error = state.apply(endless.parse_action("spin").unwrap()).unwrap_err();
    assert!(matches!(error, ApplyError::Runtime(e) if e.kind == RuntimeErrorKind::Budget));
    // This number of candidates is too large.
    let many = made_up(
        "players a, b
         var n: 0..9 = 0
         turn { choose { spin k in 1..40 ensuring n == 0 { while n == 0 { n = 0 } } } }
         end over when n == 1",
    );
    assert_eq!(many.start(1, 0).unwrap_err().kind, RuntimeErrorKind::Budget);
}

#[test]
fn a_state_keeps_its_past_and_a_restored_one_begins_anew() {
    let game = walk("end again when repeated(2, of: at): draw");
    let mut state = game.start(1, 0).unwrap();
    play(&mut state, &["go 1", "go 0"]);
    let mut copy = state.clone();
    let words = state.persistent().to_vec();
    let mut anew = state.clone();
    anew.restore(&words);
    assert_eq!(anew.persistent(), state.persistent());
    assert_ne!(anew, state, "what is compared of the past belongs to a state");
    for one in [&mut state, &mut copy] {
        play(one, &["go 0"]);
        assert!(one.is_over());
    }
    play(&mut anew, &["go 0"]);
    assert!(!anew.is_over(), "there once before");
    play(&mut anew, &["go 0"]);
    assert!(anew.is_over());
}

#[test]
fn best_play_is_not_worked_out_over_states_that_have_a_past() {
    let game = walk("end again when repeated(2): draw");
    let Err(error) = solve(&game, &GraphLimits::default()) else { panic!("it is") };
    assert!(error.to_string().contains("`repeated`"), "{error}");
}

#[test]
fn both_ways_to_play_agree_on_stones() {
    for (ko, size) in [("simple", "5"), ("superko", "4"), ("superko", "3")] {
        alike(&bundled("go", &[("size", size), ("ko", ko)]), 25);
    }
}

#[test]
fn subsets_are_tried_as_well() {
    let game = made_up(
        "players a, b
         var left: set of 1..5 = {1, 2, 3, 4, 5}
         var paid: 0..99 = 0
         turn {
             choose {
                 take k subset of left ensuring count(left) % 2 == 0 and paid < 40 {
                     left = left - k
                     for n in k { paid += n }
                     paid += 1
                 }
                 otherwise { left = {1, 2, 3} }
             }
         }
         end over when turns[a] + turns[b] >= 30",
    );
    alike(&game, 100);
    let state = game.start(1, 0).unwrap();
    // Of five, an odd number must be removed.
    assert_eq!(state.legal_count(), 16);
    assert!(can(&state, "take 3") && can(&state, "take 1 2 5") && !can(&state, "take none"));
}

#[test]
fn more_positions_than_can_be_kept_end_the_game_with_an_error() {
    // A position takes a thousand words, so a few thousand positions exceed the limit.
    let game = made_up(
        "players a, b
         enum kind { p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15 }
         board cell = grid(64, 64)
         piece man[kind]
         var n: 0..100000 = 0
         turn { choose { go { n += 1 } } }
         end again when repeated(1): draw
         end late when n == 20000: draw
         limit 50000",
    );
    let mut state = game.start(1, 0).unwrap();
    let go = game.parse_action("go").unwrap();
    let error = loop {
        assert!(!state.is_over(), "it keeps them all");
        if let Err(error) = state.apply(go) {
            break error;
        }
    };
    assert!(matches!(error, ApplyError::Runtime(e) if e.kind == RuntimeErrorKind::Positions));
    assert!((4_000..10_000).contains(&state.turns()), "after {} turns", state.turns());
}
