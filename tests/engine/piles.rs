//! Ordered zones: what lies on what, shuffled parts whose order is chance, and who knows it.

use std::collections::BTreeMap;

use crate::agree::{Came, agree, same_in_both_modes};
use crate::extent;
use crate::hidden::{shows_nothing_hidden, visit_states};
use crate::rules::game as made;
use crate::states::{apply, number, position, set, value};
use houserule::game::{Game, Seat, State};
use houserule::model::{SlotId, Value};
use houserule::rng::Stream;

/// Cards go over and under piles that nobody, one player or everybody sees.
pub(crate) const PILES: &str = r#"game "Piles" {
  players 2
  domain card = 1..9
  zone stock of card ordered seen by none
  zone hand[player] of card seen by owner
  zone rack[player, 1..2] of card ordered seen by owner
  zone waste of card ordered
  zone row of card
  setup { deal 2 from stock to hand }
  turn {
    choose {
      fetch where stock is some { draw t from stock to hand[me] }
      dig where stock is some { draw t from bottom of stock to hand[me] }
      lay c in hand[me] { move c to waste }
      bury c in hand[me] { move c to stock }
      tuck c in hand[me] { move c to bottom of stock }
      keep c in hand[me], n in 1..2 { move c to rack[me, n] }
      lift c in waste | rack[me] { move above(c) | c to row }
      slide c in waste { move above(c) to bottom of waste }
      cover where waste is some { move waste to stock }
      turn_over where waste is some { deal count(waste) from waste to stock }
      mix { shuffle stock; shuffle waste }
      gather { move row | waste to bottom of stock }
      look { let t = top(stock)  if t is some { reveal t to me } }
      peek { reveal stock to other }
      sift where waste is some { deal 2 from bottom of waste to bottom of stock }
      give { draw t from rack[me, 1] to hand[other] }
    }
  }
  end when turns[me] > 9
  score {
    top: or_zero(top(waste))
    bottom: or_zero(bottom(waste))
    above: sum c in waste: count(above(c))
  }
  define or_zero(c) = if c is some then c else 0
}"#;

fn piles() -> Game {
    made(PILES)
}

/// Asserts that the place of every element is 1 more than the number of elements that lie on it.
fn numbered(state: &State) {
    let model = state.game().model();
    let order = &model.orders[0];
    let place_of = |e: u32| match state.value(order.places, e as usize) {
        Value::Number(place) => place,
        other => panic!("{other:?}"),
    };
    let zones = ["stock", "waste", "rack", "hand", "row"].map(|name| crate::states::slot(state.game(), name));
    for zone in zones {
        for at in 0..model.slots[zone.index()].initial.len() {
            let Value::Set(lying) = state.value(zone, at) else { panic!("a set") };
            for element in lying.iter() {
                let above = lying.iter().filter(|other| place_of(*other) < place_of(element)).count() as i64;
                let wanted = if order.zones.contains(&zone) { above + 1 } else { 0 };
                assert_eq!(place_of(element), wanted, "{}", state.position());
            }
        }
    }
}

#[test]
fn both_executors_pile_up_alike() {
    let game = piles();
    for index in 0..60 {
        assert_ne!(agree(&game, 3, index, 200), Came::Failed);
    }
    same_in_both_modes(&game, 9, 40);
}

#[test]
fn places_count_what_lies_above() {
    let game = piles();
    let mut stream = Stream::new(1, 2, 0);
    visit_states(&game, 5, extent::tries(60, 150), 20, &mut |state| {
        numbered(state);
        let text = state.position();
        assert_eq!(game.position(&text).map(|read| read.position()), Ok(text.clone()), "{text}");
        let drawn = state.determinize(Seat(0), &mut stream).expect("another");
        numbered(&drawn);
    });
}

/// Returns a position of the first player. Chance is explicit.
fn start() -> State {
    let text = "stock = [7, {8, 9}]\nhand = {1, 2} {3, 4}\nwaste = [5, 6]\nmover = player-1";
    let mut state = position(&piles(), text);
    state.begin_here(1, 0, true).expect("it begins");
    state
}

/// Returns the line of a zone in the position.
fn line(state: &State, name: &str) -> String {
    let text = state.position();
    let found = text.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")));
    found.unwrap_or_default().to_owned()
}

#[test]
fn a_move_lays_on_top_or_below() {
    let after = |action: &str, zone: &str| {
        let mut state = start();
        apply(&mut state, action);
        line(&state, zone)
    };
    assert_eq!(after("lay 1", "waste"), "[1, 5, 6]");
    assert_eq!(after("bury 1", "stock"), "[1, 7, {8, 9}]");
    assert_eq!(after("tuck 1", "stock"), "[7, {8, 9}, 1]");
    assert_eq!(after("lift 6", "waste"), "", "it is empty, as before the setup");
    assert_eq!(after("lift 6", "row"), "{5, 6}");
    assert_eq!(after("slide 6", "waste"), "[6, 5]");
    assert_eq!(after("sift", "stock"), "[7, {8, 9}, 6, 5]");
    assert_eq!(after("cover", "stock"), "[5, 6, 7, {8, 9}]");
    assert_eq!(after("turn_over", "stock"), "[6, 5, 7, {8, 9}]");
    assert_eq!(after("mix", "stock"), "{7, 8, 9}");
    assert_eq!(after("mix", "waste"), "{5, 6}");
    assert_eq!(after("gather", "stock"), "[7, {8, 9}, 5, 6]");
}

/// What lies in an unordered zone is a shuffled part of a pile.
#[test]
fn a_set_is_laid_as_a_shuffled_part() {
    let mut state = start();
    apply(&mut state, "lift 6");
    apply(&mut state, "gather");
    assert_eq!(line(&state, "stock"), "[7, {8, 9}, {5, 6}]");
}

/// The top of a shuffled part is a chance event among its elements; the last of them is certain.
#[test]
fn a_shuffled_part_is_drawn_by_chance() {
    let mut state = start();
    apply(&mut state, "fetch");
    assert!(!state.is_chance(), "the top is known");
    assert_eq!(set(&state, "hand", 0), [0, 1, 6]);
    apply(&mut state, "fetch");
    assert!(state.is_chance() && state.chance_outcomes() == 2);
    state.apply_outcome(1).expect("9");
    assert_eq!(set(&state, "hand", 1), [2, 3, 8]);
    apply(&mut state, "fetch");
    assert!(!state.is_chance(), "one is left");
    assert_eq!(set(&state, "hand", 0), [0, 1, 6, 7]);
    assert_eq!(line(&state, "stock"), "{}");
}

/// The bottom is drawn like the top: by chance only if a shuffled part lies there.
#[test]
fn the_bottom_is_drawn() {
    let mut state = start();
    apply(&mut state, "dig");
    assert!(state.is_chance() && state.chance_outcomes() == 2);
    state.apply_outcome(1).expect("9");
    assert_eq!(set(&state, "hand", 0), [0, 1, 8]);
    assert_eq!(line(&state, "stock"), "[7, 8]");
    for (hand, wanted) in [(1, [2, 3, 7]), (0, [0, 1, 6])] {
        apply(&mut state, "dig");
        assert!(!state.is_chance(), "the bottom is known");
        let held = set(&state, "hand", hand);
        assert!(wanted.iter().all(|card| held.contains(card)), "{held:?}");
    }
    assert_eq!(line(&state, "stock"), "{}");
    numbered(&state);
}

#[test]
fn a_shuffled_pile_is_drawn_evenly() {
    let game = piles();
    let mut times: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    let games = 7200;
    for index in 0..games {
        let state = game.start(2, index).expect("it starts");
        *times.entry(set(&state, "hand", 1)).or_default() += 1;
    }
    // Every pair of 9 cards is equally likely.
    let expected = games as f64 / 36.0;
    let chi: f64 = times.values().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
    // With 35 degrees of freedom, 0.0001 of all samples are above 76.
    assert!(times.len() == 36 && chi < 76.0, "{chi}");
}

#[test]
fn scores_ask_what_lies_where() {
    let state = position(&piles(), "waste = [3, 8, {1, 2}]\nmover = player-1");
    let items: Vec<i64> = state.scores(Seat(0)).expect("a score");
    assert_eq!(items, [3, 0, 1 + 2 + 2]);
}

/// Functions of scripts have the values of those of the rules.
#[test]
fn scripts_ask_the_same() {
    let script = r#"script """
    fn value(card) { if card == none { 0 } else { card } }
    fn score_top(g, player, points) { value(top(g.waste)) }
    fn score_bottom(g, player, points) { value(bottom(g.waste)) }
    fn score_above(g, player, points) { let n = 0; for c in g.waste { n += count(above(c)); } n }
  """
  score {"#;
    let nothing = PILES.replace("or_zero(top(waste))", "0").replace("or_zero(bottom(waste))", "0");
    let nothing = nothing.replace("sum c in waste: count(above(c))", "0");
    let (plain, scripted) = (piles(), made(&nothing.replace("score {", script)));
    for waste in ["{}", "[9]", "[3, 8, {1, 2}]", "[{4, 5}, 6]", "{1, 2, 3}", "[2, {1, 7}, 4]"] {
        let text = format!("waste = {waste}\nmover = player-1");
        let scores = |game: &Game| position(game, &text).scores(Seat(0)).expect("a score");
        assert_eq!(scores(&plain), scores(&scripted), "{waste}");
    }
}

/// Equal piles are equal states, whatever led to them.
#[test]
fn equal_piles_are_equal_states() {
    let words = |hand: &str, waste: &str, actions: &[&str]| {
        let text = format!("stock = {{}}\nhand = {{{hand}}} {{3, 4}}\nwaste = {waste}\nmover = player-1");
        let mut state = position(&piles(), &text);
        actions.iter().for_each(|action| apply(&mut state, action));
        (0..9).map(|card| number(&state, "place card", card)).collect::<Vec<_>>()
    };
    let (hand, more) = ("2, 7, 8, 9", "1, 2, 7, 8, 9");
    assert_eq!(words(more, "[5, 6]", &["lay 1", "look", "slide 5"]), words(hand, "[5, 6, 1]", &[]));
    assert_eq!(words(more, "[5, 6]", &["lay 1", "mix"]), words(hand, "{1, 5, 6}", &[]));
    assert_eq!(words(more, "[5, 6]", &["mix", "look", "lay 1"]), words(hand, "[1, {6, 5}]", &[]));
}

#[test]
fn what_is_hidden_in_a_pile_does_not_show() {
    shows_nothing_hidden(&piles(), 60, |_, _, _| {});
}

/// Cards of which a player knows the place stay known while others move, until chance may have taken them.
#[test]
fn knowledge_follows_the_places() {
    let seen = |state: &State, player: usize| -> Vec<i64> {
        (0..9).map(|card| number(state, "seen place card", player * 9 + card)).collect()
    };
    let knows = |state: &State, player: u32| {
        let told = state.information_state(Seat(player));
        told.lines().rfind(|line| line.starts_with("stock has")).unwrap_or_default().to_owned()
    };
    let mut state = start();
    apply(&mut state, "cover");
    assert_eq!(knows(&state, 0), "stock has 5, with {5: 1, 6: 2}");
    assert_eq!(seen(&state, 0)[4..], [1, 2, 0, 0, 0]);
    // Everybody knows who takes the 5 from the top.
    apply(&mut state, "fetch");
    assert!(state.information_state(Seat(0)).contains("hand[player-2] has 3, with {5}"));
    assert_eq!(knows(&state, 0), "stock has 4, with {6: 1}");
    apply(&mut state, "mix");
    assert_eq!(knows(&state, 0), "stock has 4, with {6: 1}");
    // The second player takes one of four.
    apply(&mut state, "fetch");
    assert!(state.is_chance() && state.chance_outcomes() == 4);
    state.apply_outcome(1).expect("7");
    assert_eq!(knows(&state, 0), "stock has 3");
    assert_eq!(seen(&state, 0)[4..], [0; 5]);
    let Value::Set(known) = value(&state, "known card", 0) else { panic!("a set") };
    assert!(!known.contains(5) && known.contains(4), "{known:?}");
}

#[test]
fn slots_of_the_order_are_not_told() {
    let game = piles();
    let state = game.start(1, 0).expect("it starts");
    let told = state.information_state(Seat(0));
    assert!(!told.contains("place"), "{told}");
    let names: Vec<String> = game.observation_spec().into_iter().map(|entry| entry.name).collect();
    assert!(names.contains(&"seen place card".to_owned()) && !names.contains(&"place card".to_owned()));
    let place = SlotId(game.model().orders[0].places.0);
    assert_eq!(state.value(place, 0), Value::Number(i64::from(set(&state, "stock", 0).contains(&0))));
}
