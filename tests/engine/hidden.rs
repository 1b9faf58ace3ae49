//! Visibility: observations and information states contain only what the player may know, and
//! determinizations agree with it.

use std::collections::BTreeMap;

use crate::extent;
use crate::rules::{bundled, game as made};
use crate::states::{apply, random, set, slot};
use houserule::board::BitSet;
use houserule::draw::{svg, text};
use houserule::game::{ActionId, Game, Seat, Start, State};
use houserule::hidden::WorldOptions;
use houserule::model::{Content, Role, SlotId, Value, Visibility};
use houserule::rng::Stream;

fn dominoes(params: &[(&str, &str)], players: u32) -> Game {
    bundled("dominoes", params, Some(players))
}

/// A game with cards that are dealt, revealed or laid face down while some players watch, and a secret
/// number.
pub(crate) const SECRETS: &str = r#"game "Secrets" {
  players 3
  domain card = 1..12
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone table of card seen by all
  zone aside of card seen by none
  dice die[player]: 1 of d6 seen by owner
  var secret[player]: 1..9 seen by owner
  var code: 1..4 seen by none
  setup {
    deal 2 from stock to hand
    pick c in 1..4
    code = c
    for p in players { roll die[p] }
    reveal lowest(hand[me]) to other_ones(me)
  }
  define other_ones(p) = players - p
  turn {
    choose {
      show c in hand[me] { move c to table }
      bury c in hand[me] { move c to aside }
      hide c in table { move c to aside }
      give c in hand[me], p in other_ones(me) { move c to hand[p] }
      peek p in other_ones(me) where hand[p] is some { reveal hand[p] to me }
      note n in 1..9 { secret[me] = n }
    }
    draw fresh from stock to hand[me]
    roll die[me]
  }
  end when turns[me] > 3
  score { cards: count(table) when stock is nothing }
}"#;

fn players(game: &Game) -> impl Iterator<Item = Seat> + use<> {
    (0..game.players()).map(Seat)
}

/// Visits `count` states of random games after up to `most` decisions. In `./test --all` each is of another game. In `./test`,
/// `most` in a row are of one game: what a seat believes goes on from one to the next, which takes a tenth of the time.
pub(crate) fn visit_states(game: &Game, seed: u64, count: u64, most: u64, visit: &mut dyn FnMut(&State)) {
    let mut state = random(game, seed, 0, 0);
    for index in 0..count {
        let decisions = index % most;
        if extent::everything() || decisions == 0 {
            state = random(game, seed, index, decisions as usize);
        } else if let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
        }
        visit(&state);
    }
}

/// Asserts that neither the observation nor the information state depends on anything the player can't see.
/// Passes each seat, the state and a redrawn state to `heard`.
pub(crate) fn shows_nothing_hidden(game: &Game, states: u64, mut heard: impl FnMut(Seat, &State, &State)) {
    let (mut stream, mut differ, worlds) = (Stream::new(1, 2, 3), 0, extent::tries(2, 5));
    visit_states(game, 3, states, 12, &mut |state| {
        for player in players(game) {
            let (seen, told) = (state.observation(player), state.information_state(player));
            for _ in 0..worlds {
                let other = state.determinize(player, &mut stream).expect("another");
                assert_eq!(other.observation(player), seen);
                assert_eq!(other.information_state(player), told);
                heard(player, state, &other);
                differ += u32::from(other.persistent() != state.persistent());
            }
        }
    });
    assert!(differ > 40 * worlds, "{differ}");
}

#[test]
fn what_is_hidden_does_not_show() {
    for (game, states) in [
        (made(SECRETS), extent::tries(15, 30)),
        (dominoes(&[], 2), 30),
        (dominoes(&[("drawing", "one")], 4), extent::tries(12, 30)),
    ] {
        shows_nothing_hidden(&game, states, |_, _, _| {});
    }
}

/// Later events look the same in a state and in its determinization.
#[test]
fn games_go_on_from_what_was_drawn() {
    let (game, mut stream) = (made(SECRETS), Stream::new(4, 5, 6));
    let state = random(&game, 3, 1, 4);
    let player = state.current_player().expect("somebody decides");
    let mut other = state.determinize(player, &mut stream).expect("another");
    let before = other.information_state(player);
    let mut both = state.clone();
    // Legal actions of the player are legal in both.
    assert_eq!(other.legal_actions(), both.legal_actions());
    let action = both.legal_actions()[0];
    other.apply(action).expect("it is legal");
    both.apply(action).expect("it is legal");
    let after = other.information_state(player);
    assert!(after.starts_with(&before) && after.len() > before.len(), "{after}");
}

/// A player's own hand and all sizes change the observation and the information state.
#[test]
fn what_is_known_does_show() {
    let game = dominoes(&[], 2);
    let drawn = "boneyard = {0-0}\nhand = {1-1, 2-3} {4-5}\nline = {}\nends[1] = 1\nmover = player-1";
    let rest = (0..7).flat_map(|a| (a..7).map(move |b| format!("{a}-{b}")));
    let rest: Vec<String> = rest.filter(|t| !["0-0", "1-1", "2-3", "4-5"].contains(&t.as_str())).collect();
    let position = |text: &str| {
        let text = text.replace("line = {}", &format!("line = {{{}}}", rest.join(", ")));
        game.position(&text).unwrap_or_else(|errors| panic!("{errors:?}"))
    };
    let state = position(drawn);
    let swapped = position(&drawn.replace("0-0", "x").replace("4-5", "0-0").replace('x', "4-5"));
    let own = position(&drawn.replace("0-0", "x").replace("2-3", "0-0").replace('x', "2-3"));
    let fewer = position(&drawn.replace("{4-5}", "{}").replace("{0-0}", "{0-0, 4-5}"));
    let first = Seat(0);
    assert_eq!(state.observation(first), swapped.observation(first));
    assert_eq!(state.information_state(first), swapped.information_state(first));
    assert_ne!(state.observation(Seat(1)), swapped.observation(Seat(1)));
    for other in [own, fewer] {
        assert_ne!(state.observation(first), other.observation(first));
        assert_ne!(state.information_state(first), other.information_state(first));
    }
    assert!(state.information_state(first).contains("hand[player-2] has 1"));
}

/// Without a history, every arrangement that agrees with the position is equally likely.
#[test]
fn what_is_drawn_is_spread_evenly() {
    let game = dominoes(&[("max_pips", "2"), ("hand_size", "2"), ("drawing", "never")], 2);
    let mut stream = Stream::new(7, 8, 9);
    let mut seen = 0;
    for index in 0..12 {
        let state = random(&game, 11, index, 0);
        let mut built = state.clone();
        built.restore(state.persistent());
        let state = built;
        assert!(!state.has_history());
        // The opponent may hold any tiles, as long as nothing depends on them.
        let Some(player) = state.current_player() else { continue };
        let other = 1 - player.0 as usize;
        let (held, left) = (set(&state, "hand", other).len(), set(&state, "boneyard", 0).len());
        let ways = [1, 1, 2, 6, 24][held + left] / [1, 1, 2, 6][held] / [1, 1, 2, 6][left];
        let mut times: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let draws = 600 * ways;
        for _ in 0..draws {
            let drawn = state.determinize(player, &mut stream).expect("a way");
            *times.entry(set(&drawn, "hand", other)).or_default() += 1;
        }
        assert_eq!(times.len(), ways as usize);
        let chi: f64 = times.values().map(|n| (f64::from(*n) - 600.0).powi(2) / 600.0).sum();
        // With up to 5 degrees of freedom, 0.0001 of all samples are above 25.8.
        assert!(chi < 25.8, "{chi}: {times:?}");
        seen = seen.max(ways);
    }
    assert!(seen >= 3);
}

/// If another player is to move, that player has a legal action in the determinization.
#[test]
fn who_has_to_choose_can_choose() {
    let (game, mut stream) = (dominoes(&[("drawing", "never")], 2), Stream::new(2, 2, 2));
    for index in 0..extent::tries(20, 60) {
        let state = random(&game, 5, index, 3);
        let Some(actor) = state.current_player() else { continue };
        let viewer = Seat(1 - actor.0);
        let drawn = state.determinize(viewer, &mut stream).expect("a way");
        assert_eq!(drawn.current_player(), Some(actor));
        assert!(drawn.legal_count() > 0);
    }
}

/// Zones keep their sizes, visible elements stay, and revealed elements stay where they were revealed.
#[test]
fn what_is_known_stays() {
    let (game, mut stream) = (made(SECRETS), Stream::new(3, 1, 4));
    let known = game.model().slots.iter().position(|slot| slot.role == Role::Known).expect("knowledge");
    let known = SlotId(known as u32);
    let mut kept = 0;
    visit_states(&game, 9, extent::tries(50, 200), 10, &mut |state| {
        for player in players(&game) {
            let drawn = state.determinize(player, &mut stream).expect("another");
            for (id, slot) in (0..).map(SlotId).zip(&game.model().slots) {
                for place in 0..slot.initial.len() {
                    let own = place == player.0 as usize;
                    let (Value::Set(before), Value::Set(after)) =
                        (state.value(id, place), drawn.value(id, place))
                    else {
                        if slot.visibility == Visibility::All || slot.visibility == Visibility::Owner && own {
                            assert_eq!(state.value(id, place), drawn.value(id, place), "{}", slot.name);
                        }
                        continue;
                    };
                    if slot.role == Role::Zone && matches!(slot.content, Content::Set(_)) {
                        assert_eq!(before.len(), after.len(), "{}", slot.name);
                        let Value::Set(known) = state.value(known, player.0 as usize) else {
                            panic!("a set")
                        };
                        let here = before.intersect(&known);
                        assert!(here.is_subset(&after), "{}[{place}]", slot.name);
                        kept += here.len();
                    }
                }
            }
        }
    });
    assert!(kept > extent::tries(75, 300), "{kept}");
}

fn knows(state: &State, player: usize) -> Vec<u32> {
    let known =
        state.game().model().slots.iter().position(|slot| slot.role == Role::Known).expect("knowledge");
    match state.value(SlotId(known as u32), player) {
        Value::Set(known) => known.iter().map(|card| card + 1).collect(),
        other => panic!("{other:?}"),
    }
}

/// A revealed element is known until it may have moved. An element laid down in sight is known.
#[test]
fn knowledge_follows_what_moves() {
    let game = made(SECRETS);
    let start = "hand = {1, 2} {3, 4} {5, 6}\ntable = {7}\nmover = player-1";
    let mut state = game.position(start).expect("a position");
    state.begin_here(1, 0, false).expect("it begins");
    apply(&mut state, "peek player-2");
    assert_eq!((knows(&state, 0), knows(&state, 2)), (vec![3, 4], vec![]));
    // The others see which card is hidden.
    apply(&mut state, "hide 7");
    assert_eq!((knows(&state, 0), knows(&state, 1), knows(&state, 2)), (vec![3, 4, 7], vec![7], vec![7]));
    apply(&mut state, "peek player-2");
    assert_eq!(knows(&state, 2)[..2], [3, 4]);
    // The first player has drawn two cards since. One card is buried, and no other player knows which.
    apply(&mut state, "bury 1");
    assert_eq!((knows(&state, 0), knows(&state, 1)), (vec![1, 3, 4, 7], vec![7]));
    // Only the cards that the others see are certain to be the second player's.
    apply(&mut state, "give 3 player-3");
    assert!(!knows(&state, 0).contains(&3) && !knows(&state, 0).contains(&4));
    assert!(knows(&state, 1).contains(&3), "it is known where one's own card went");
    let told = state.information_state(Seat(0));
    assert!(told.contains("aside has 2, with {1, 7}"), "{told}");
}

/// Other players see that an action was taken, but not its hidden details.
#[test]
fn actions_are_told_as_they_are_seen() {
    let game = made(SECRETS);
    let mut state = game.start(5, 0).expect("it starts");
    let card = set(&state, "hand", 0)[1] + 1;
    apply(&mut state, &format!("bury {card}"));
    let (own, other) = (state.information_state(Seat(0)), state.information_state(Seat(1)));
    assert!(own.contains(&format!("> bury {card}")), "{own}");
    assert!(other.contains("player 1: bury ?"), "{other}");
    apply(&mut state, "note 7");
    let (own, other) = (state.information_state(Seat(1)), state.information_state(Seat(2)));
    assert!(own.contains("> note 7") && own.contains("secret[player-2] = 7"), "{own}");
    assert!(other.contains("player 2: note ?") && !other.contains("secret[player-2]"), "{other}");
    let shown = set(&state, "hand", 2)[0] + 1;
    apply(&mut state, &format!("show {shown}"));
    assert!(state.information_state(Seat(0)).contains(&format!("player 3: show {shown}")));
}

/// Two games whose chance differs only where a player can't see it look the same to that player.
#[test]
fn games_that_look_the_same_are_told_the_same() {
    let game = made(
        r#"game "Two" {
      players 2
      domain card = 1..6
      zone stock of card seen by none
      zone hand[player] of card seen by owner
      setup { deal 1 from stock to hand }
      turn { choose { take { draw c from stock to hand[me] }  stop { end game } } }
      end when count(stock) == 0
      score { sum_of: sum c in hand[me]: c when stock is nothing }
    }"#,
    );
    let deal = |cards: &[u32]| {
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut state = game.start_at(&start).expect("it starts");
        for card in cards {
            while !state.is_chance() {
                apply(&mut state, "take");
            }
            let outcome = (0..state.chance_outcomes()).find(|outcome| {
                let event = state.chance_event(*outcome).expect("an event");
                houserule::game::values::event_text(&game, &event) == format!("pick {card}")
            });
            state.apply_outcome(outcome.expect("the card is there")).expect("an outcome");
        }
        state
    };
    let (one, other) = (deal(&[1, 2, 3, 4]), deal(&[1, 5, 3, 6]));
    assert_eq!(one.information_state(Seat(0)), other.information_state(Seat(0)));
    assert_eq!(one.observation(Seat(0)), other.observation(Seat(0)));
    assert_ne!(one.information_state(Seat(1)), other.information_state(Seat(1)));
    assert_ne!(
        deal(&[1, 2, 3, 4]).information_state(Seat(0)),
        deal(&[3, 2, 1, 4]).information_state(Seat(0))
    );
}

/// Hidden ships on an open board, and a score that counts them.
pub(crate) const SHIPS: &str = r#"game "Ships" {
  players X, O
  board cell = grid(3, 3)
  piece ship[player] seen by owner
  piece mark[player]
  setup {
    pick a in {@a1, @a2, @a3}
    put ship[X] at a
    pick b in {@c1, @c2, @c3}
    put ship[O] at b
  }
  turn {
    choose {
      place c in {@b1, @b2, @b3} & empty { put mark[me] at c }
      anchor c in {@c1, @c2, @c3} & empty where me == O { put ship[me] at c }
      drift c in {@a1, @a2, @a3} - ship[me] where me == X { put ship[me] at c }
    }
  }
  end when count(mark) == 3
  score { marks: count(mark[me])  ships: count(ship[me]) }
}"#;

/// A game in which all players bid before any bid is shown.
pub(crate) const BIDS: &str = r#"game "Bids" {
  players 3
  var bid[player]: 0..5 = 0 each round
  var points[player]: 0..99 = 0
  round {
    together as me { choose { bid n in 1..5 { bid[me] = n } } }
    step take { for p in players { if all o in players - p: bid[o] < bid[p] { points[p] += bid[p] } } }
  }
  end when round >= 3
  score { points: points[me] }
}"#;

/// All queries of a view.
type Asked = (Vec<ActionId>, Vec<f32>, String, Vec<Option<i64>>, Vec<u64>);

fn asked(state: &State, seat: Seat) -> Asked {
    let mut state = state.clone();
    let view = state.seen_by(seat);
    let scores = players(view.game()).map(|player| view.score(player).expect("it is scored"));
    let drawn = view.determinize(&mut Stream::new(6, 6, 6)).expect("a way");
    (
        view.legal_actions(),
        view.observation(),
        view.information_state(),
        scores.collect(),
        drawn.persistent().to_vec(),
    )
}

/// States that differ only in what a seat can't see give the same answers to every query of the seat's view.
#[test]
fn views_hold_nothing_of_what_is_hidden() {
    let mut stream = Stream::new(1, 2, 3);
    for game in [made(SECRETS), made(SHIPS), made(BIDS), dominoes(&[], 3)] {
        let (mut differ, worlds) = (0, extent::tries(2, 4));
        visit_states(&game, 3, extent::tries(16, 30), 7, &mut |state| {
            let Some(seat) = state.current_player() else { return };
            let answers = asked(state, seat);
            for _ in 0..worlds {
                let other = state.determinize(seat, &mut stream).expect("another");
                assert_eq!(asked(&other, seat), answers);
                differ += u32::from(other.persistent() != state.persistent());
            }
        });
        assert!(2 * differ > extent::tries(8, 15) * worlds, "{}: {differ}", game.identity().name);
    }
}

/// A view lists the legal actions of its own seat only, and draws for no other seat.
#[test]
fn views_are_of_one_seat() {
    let game = made(SECRETS);
    let mut state = game.start(3, 0).expect("it starts");
    let (seat, other) = (Seat(0), Seat(1));
    assert_eq!(state.current_player(), Some(seat));
    let legal = state.legal_actions();
    assert_eq!(state.seen_by(seat).legal_actions(), legal);
    assert_eq!(state.seen_by(other).legal_actions(), []);
    let before = state.clone();
    assert_eq!(state.seen_by(other).random_action(), None);
    assert_eq!(state.random_action(), before.clone().random_action());
}

/// A score is open as long as everything that it reads is open.
#[test]
fn scores_are_open_as_long_as_they_count_what_is_seen() {
    let score = |game: &Game, of: u32, by: u32| {
        let mut state = game.start(3, 0).expect("it starts");
        let real = state.score(Seat(of)).expect("it is scored");
        let seen = state.seen_by(Seat(by)).score(Seat(of)).expect("it is scored");
        assert!(seen.is_none_or(|seen| seen == real));
        seen
    };
    let ships = made(SHIPS);
    assert_eq!((score(&ships, 0, 0), score(&ships, 1, 0)), (Some(1), None));
    // While the stock isn't empty, and all players can count it, no player's cards count.
    assert_eq!(score(&made(SECRETS), 1, 0), Some(0));
    assert_eq!(score(&dominoes(&[], 3), 1, 0), Some(0));
    let always = SECRETS.replace("count(table) when stock is nothing", "count(hand[me] & {1, 2})");
    assert_eq!((score(&made(&always), 0, 0).is_some(), score(&made(&always), 1, 0)), (true, None));
}

/// A drawing for a player omits pieces that the player can't see.
#[test]
fn hidden_pieces_are_not_drawn() {
    let game = made(SHIPS);
    let mut state = game.start(3, 0).expect("it starts");
    state.begin_here(1, 0, false).expect("it begins");
    let mut other = state.clone();
    let ship = slot(&game, "ship");
    let elsewhere = BitSet::full(9).minus(&BitSet::from_elements(9, set(&state, "ship", 0)));
    other.set_value(ship, 1, &Value::Set(elsewhere.minus(&BitSet::from_elements(9, set(&state, "ship", 1)))));
    let drawn = |state: &State, viewer: Option<Seat>| {
        let style = svg::PictureStyle { viewer, ..svg::PictureStyle::default() };
        (text::state(state, viewer), svg::svg(state, &style))
    };
    let laid_open = |state: &State| {
        let style = svg::PictureStyle { open: true, ..svg::PictureStyle::default() };
        (text::screen(state, &text::TextOptions::open()), svg::svg(state, &style))
    };
    assert_eq!(drawn(&state, Some(Seat(0))), drawn(&other, Some(Seat(0))));
    assert_ne!(drawn(&state, Some(Seat(1))), drawn(&other, Some(Seat(1))));
    assert_eq!(drawn(&state, None), drawn(&other, None), "who watches the table sees no ship");
    assert_ne!(laid_open(&state), laid_open(&other));
    // The drawing doesn't show where a piece was put, either.
    let mut state = game.start(3, 0).expect("it starts");
    apply(&mut state, "place b2");
    let there = set(&state, "ship", 1);
    let row = (1..=3).find(|row| !there.contains(&(row * 3 - 1))).expect("two are free");
    apply(&mut state, &format!("anchor c{row}"));
    let told = state.information_state(Seat(0));
    assert!(told.contains("O: anchor ?") && told.contains("> place b2"), "{told}");
}

/// What was picked and stands in the observations of a choice stands in information states, too.
#[test]
fn information_states_tell_the_locals_that_observations_show() {
    let game = made(
        r#"game "Picks" {
      players 2
      var secret[player]: 1..3 = 1 seen by owner
      var points[player]: 0..99 = 0
      turn {
        pick k in 1..3
        let twice = k + k
        choose {
          take n in 1..3 where n >= k { points[me] += twice }
          hide n in 1..3 seen by none { secret[me] = n  choose { more m in 1..3 where m != n { secret[me] = m } } }
        }
      }
      end when turns[me] > 3
      score { points: points[me] }
    }"#,
    );
    let names: Vec<String> = game.observation_spec().into_iter().map(|entry| entry.name).collect();
    assert!(["k", "twice"].iter().all(|name| names.iter().any(|other| other == name)), "{names:?}");
    assert!(!names.contains(&"n".to_owned()), "it is hidden from the others: {names:?}");
    let mut stream = Stream::new(4, 4, 4);
    for index in 0..20 {
        let state = random(&game, 3, index, (index % 6) as usize);
        for seat in players(&game) {
            let told = state.information_state(seat);
            assert!(told.contains("k = ") && told.contains("twice = "), "{told}");
            let mut worlds = state.worlds(seat, &WorldOptions::default()).expect("worlds");
            for _ in 0..4 {
                let world = worlds.next(&mut stream).expect("a world");
                assert_eq!(told, world.information_state(seat));
                assert_eq!(state.observation(seat), world.observation(seat), "{told}");
            }
        }
    }
}
