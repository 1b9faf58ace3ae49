//! What a course tells a player: games that differ only in what the player may not know are told alike, and what goes face
//! down is told from where it lay.
#![allow(clippy::unwrap_used)]

use houserule::game::{ActionId, Seat, State};
use houserule::hidden::{GameCourse, Told, find_picked_domains};
use houserule::rng::Stream;

use crate::extent;
use crate::rules::{bundled, game};

/// Returns what a player is told of a game, each with the player whose turn it was.
fn told(state: &State, player: Seat) -> Vec<(Option<Seat>, Told)> {
    let mut course = GameCourse::begin(state.game(), state.started(), None, vec![player]).unwrap();
    assert!(course.follow(state));
    let told = course.items().iter().map(|item| (item.turn, item.seen(Some(0)).clone()));
    told.filter(|item| item.1 != Told::default()).collect()
}

/// Returns what happened in full.
fn in_full(state: &State) -> Vec<String> {
    let mut course = GameCourse::begin(state.game(), state.started(), None, vec![]).unwrap();
    assert!(course.follow(state));
    course.items().iter().filter_map(|item| item.seen(None).text.clone()).collect()
}

/// Takes the first legal action whose name begins so, and returns its name.
fn take(state: &mut State, beginning: &str) -> String {
    let game = state.game().clone();
    let begins = |action: &ActionId| game.action_name(*action).starts_with(beginning);
    let action = state.legal_actions().into_iter().find(begins).unwrap();
    state.apply(action).unwrap();
    game.action_name(action)
}

/// Returns the same as texts, from the first action on: of a draw that stays hidden the zone.
fn texts(state: &State, player: Seat) -> Vec<String> {
    let all = told(state, player).into_iter().map(|(_, told)| (told.text, told.zone));
    let texts = all.map(|(text, zone)| text.unwrap_or_else(|| format!("face down to {}", zone.unwrap())));
    texts.skip_while(|text| text.contains(" to ") || text.starts_with("pick ")).collect()
}

/// Compares what all players are told of random games with what they are told of worlds that they can't tell apart. There are at
/// least `least` worlds for five games.
fn compare_worlds(game: &houserule::game::Game, decisions: u64, least: usize) {
    let (mut worlds, mut without) = (0, vec![]);
    let seeds = extent::tries(2, 5);
    for seed in 0..seeds {
        let mut state = game.start(seed, 0).unwrap();
        for number in 0..decisions {
            if state.is_over() {
                break;
            }
            let action = state.random_action().unwrap();
            state.apply(action).unwrap();
            for player in (0..game.players()).map(Seat) {
                let seen = told(&state, player);
                let mut stream = Stream::new(seed, number, player.0.into());
                let world = match state.determinize(player, &mut stream) {
                    Ok(world) => world,
                    Err(none) => {
                        without.push(none);
                        continue;
                    }
                };
                let other = told(&world, player);
                assert_eq!(other, seen, "{player:?}: {:?}\n{:?}", state.history(), world.history());
                worlds += 1;
            }
        }
    }
    assert!(5 * worlds >= seeds as usize * least, "{}: {worlds} worlds, {without:?}", game.model().title);
}

/// Rules for cards with these options.
fn cards(zones: &str, options: &str) -> String {
    format!(
        "game \"Cards\" {{ players A, B, C
          enum suit {{ clubs, hearts }} domain card {{ suit: suit, rank: 1..6 }}
          zone deck of card seen by none zone hand[player] of card seen by owner zone buried of card seen by none {zones}
          setup {{ deal 3 from deck to hand }}
          turn {{ choose {{ {options} nop {{ }} }} }}
          end late when turns[me] == 9: draw }}"
    )
}

/// Draws after which the hand goes on.
const DRAWS: &str = "
  dig { draw t from deck to hand[me]; move lowest(hand[me]) to buried }
  chain { draw t from deck to hand[me]; if me != C { draw u from hand[me] to hand[C] } }
  forced { draw t from deck to hand[me]; if t.suit == clubs { move t to buried } else { move highest(hand[me] - t) to buried } }
  two { draw t from deck to hand[me]; draw u from deck to hand[me]; move highest(hand[me]) to buried }
  give { draw t from deck to hand[me]; move highest(hand[me]) to hand[C] }
  turned { draw t from deck to hand[me]; reveal hand[me] to players }
";

/// Returns the short name of a card: `♣A` for `clubs-1`.
fn short_name(card: &str) -> String {
    let (suit, rank) = card.split_once('-').expect("a suit and a rank");
    let sign = match suit {
        "clubs" => '♣',
        "diamonds" => '♦',
        "hearts" => '♥',
        _ => '♠',
    };
    let rank = match rank {
        "1" => "A",
        "11" => "J",
        "12" => "Q",
        "13" => "K",
        other => other,
    };
    format!("{sign}{rank}")
}

#[test]
fn a_hidden_draw_is_told_from_where_it_went_first() {
    let game = game(&cards("", DRAWS));
    for seed in 0..20 {
        let mut state = game.start(seed, 0).unwrap();
        state.apply(game.parse_action("dig").unwrap()).unwrap();
        let lines = ["dig", "face down to hand[A]", "1 face down from hand[A] to buried"];
        assert_eq!(texts(&state, Seat(1)), lines, "{:?}", state.history());
    }
}

#[test]
fn a_shown_hand_does_not_tell_which_card_was_drawn() {
    let game = game(&cards("", DRAWS));
    for seed in 0..20 {
        let mut state = game.start(seed, 0).unwrap();
        state.apply(game.parse_action("turned").unwrap()).unwrap();
        let told = texts(&state, Seat(1));
        assert_eq!(told[..2], ["turned", "face down to hand[A]"], "{told:?}");
        assert!(told[2].starts_with("hand[A]: "), "{told:?}");
    }
}

#[test]
fn hidden_draws_that_go_on_are_told_alike() {
    compare_worlds(&game(&cards("", DRAWS)), 8, 40);
}

#[test]
fn hidden_copies_that_go_on_are_told_alike() {
    let copies = game(
        "game \"Copies\" { players A, B, C enum cube { green, grey, gold }
          zone bag of cube = [green: 6, grey: 6, gold: 6] seen by none zone hand[player] of cube seen by owner
          zone buried of cube seen by none
          setup { deal 2 from bag to hand }
          turn { choose {
            dig { draw x from bag to hand[me]; move lowest(hand[me]) from hand[me] to buried }
            give { draw x from bag to hand[me]; move lowest(hand[me]) from hand[me] to hand[C] }
            swp { draw x from bag to hand[me]; swap hand[me], hand[C] }
            nop { } } }
          end late when turns[me] == 9: draw }",
    );
    compare_worlds(&copies, 6, 20);
}

#[test]
fn moves_of_all_kinds_are_told_alike() {
    let zones = "zone row of card zone back[player] of card seen by others";
    let options = "
      give p in players - me, c in hand[me] { move c to hand[p] }
      drop c in hand[me] { move c to buried }
      fish { draw t from buried to hand[me] }
      swapothers { swap hand[B], hand[C] }
      showto p in players - me, c in hand[me] { reveal c to p }
      gather { move hand[B] | hand[C] to buried }
      blind { draw t from hand[B] to hand[C]; draw u from hand[B] to buried }
      round_trip { draw t from hand[B] to hand[C]; move t to hand[B] }
      through { draw t from hand[B] to buried; move t to hand[C] }
      ring { for p in players { move lowest(hand[p]) to hand[after(p)] } }
      toback c in hand[me] { move c to back[me] }
      lay c in hand[me] { move c to row }
      secretly n in 1..2 seen by none { if n == 1 { move lowest(hand[me]) to buried } else { move highest(hand[me]) to buried } }
    ";
    compare_worlds(&game(&cards(zones, options)), 8, 40);
}

#[test]
fn moves_of_bundled_games_are_told_alike() {
    for (name, players) in [("crazy-eights", 2), ("go-fish", 3)] {
        compare_worlds(&bundled(name, &[], Some(players)), 5, 5);
    }
}

#[test]
fn what_goes_on_unseen_is_told_step_by_step() {
    let onward = "onward { move lowest(hand[A]) to hand[B]; move highest(hand[B]) to hand[C] }
      others { swap hand[B], hand[C] } take { draw t from hand[B] to hand[C] }";
    let game = game(&cards("", onward));
    let mut state = game.start(3, 0).unwrap();
    state.apply(game.parse_action("nop").unwrap()).unwrap();
    state.apply(game.parse_action("onward").unwrap()).unwrap();
    let of_a = texts(&state, Seat(0));
    // A sees the own card go to B. What B has passed on isn't known to be this card or another one.
    assert!(of_a[2].ends_with(" from hand[A] to hand[B]") && !of_a[2].contains("face down"), "{of_a:?}");
    assert_eq!(of_a[3..], ["1 face down from hand[B] to hand[C]"]);
    // Swapped hands leave open which cards went.
    let mut state = game.start(3, 0).unwrap();
    for name in ["take", "nop", "nop", "others"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    let of_a = texts(&state, Seat(0));
    assert_eq!(of_a[of_a.len() - 2..], ["others", "hand[B] and hand[C] swapped"], "{of_a:?}");
}

#[test]
fn who_is_shown_a_value_is_told_it() {
    let game = game(
        "game \"Values\" { players A, B, C
          var code: 1..6 = 3 seen by none var mine[player]: 1..6 = 5 seen by owner
          turn { choose { ask { reveal code to me } show { reveal mine[me] to players } nop { } } }
          end late when turns[me] == 9 score { all: mine[me] + code } }",
    );
    let mut state = game.start(1, 0).unwrap();
    for name in ["ask", "show"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    assert_eq!(texts(&state, Seat(0)), ["ask", "code: 3", "show", "mine[B]: 5"]);
    assert_eq!(texts(&state, Seat(1)), ["ask", "show"]);
    assert_eq!(texts(&state, Seat(2)), ["ask", "show", "mine[B]: 5"]);
}

#[test]
fn what_is_shown_stands_in_the_turn_in_which_it_was_shown() {
    let game =
        game(&cards("", "show { reveal lowest(hand[me]) to A } bury { move lowest(hand[me]) to buried }"));
    let mut state = game.start(3, 0).unwrap();
    for name in ["nop", "show", "bury"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    let told = told(&state, Seat(0));
    let [.., (_, show), (shower, shown), (_, bury), (mover, moved)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!((show.text.as_deref(), *shower), (Some("show"), Some(Seat(1))));
    assert!(shown.text.as_ref().unwrap().starts_with("hand[B]: "), "{told:?}");
    assert_eq!((bury.text.as_deref(), *mover), (Some("bury"), Some(Seat(2))));
    assert_eq!(moved.text.as_deref(), Some("1 face down from hand[C] to buried"));
}

#[test]
fn what_is_known_to_lie_in_a_hand_does_not_hide_that_a_card_goes() {
    let game =
        game(&cards("", "show { reveal lowest(hand[me]) to A } bury { move highest(hand[me]) to buried }"));
    let mut state = game.start(3, 0).unwrap();
    for name in ["nop", "show", "nop", "nop", "bury"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    let told = texts(&state, Seat(0));
    assert_eq!(told[told.len() - 2..], ["bury", "1 face down from hand[B] to buried"], "{told:?}");
}

#[test]
fn what_is_chosen_in_steps_is_moved_as_a_whole() {
    let rules = |option: &str| {
        format!(
            "game \"Steps\" {{ players A, B domain card = 1..40 zone deck of card seen by none
              zone hand[player] of card seen by owner zone table of card
              setup {{ deal 16 from deck to hand }} turn {{ choose {{ {option} }} }}
              end late when turns[me] == 9: draw }}"
        )
    };
    let five = game(&rules("lay k subset of hand[me] where count(k) == 5 { move k to table }"));
    let two = "lay c in hand[me] { choose { lay_also d in hand[me] where d > c { move {c, d} to table } otherwise { } } }";
    let in_two = game(&rules(two));
    for (game, steps) in [(five, 5), (in_two, 2)] {
        let mut state = game.start(2, 0).unwrap();
        let names: Vec<String> = (0..steps).map(|_| take(&mut state, "lay")).collect();
        let cards: Vec<&str> = names.iter().filter_map(|name| name.split(' ').nth(1)).collect();
        let line = format!("{} from hand[A] to table", cards.join(", "));
        for player in [Seat(0), Seat(1)] {
            assert_eq!(texts(&state, player).last(), Some(&line));
        }
    }
    // A card that alone goes this way is told by the action.
    let alone = game(&rules("lay c in hand[me] { move c to table }"));
    let mut state = alone.start(2, 0).unwrap();
    let name = take(&mut state, "lay");
    assert_eq!(texts(&state, Seat(1)), [name]);
}

#[test]
fn copies_that_are_chosen_in_steps_are_moved_as_a_whole() {
    let game = game(
        "game \"Parts\" { players A, B enum cube { green, grey, gold, blue, red, pink, black, white, brown }
          zone bag of cube = 4 seen by none zone hand[player] of cube seen by owner zone table of cube
          setup { deal 16 from bag to hand }
          turn { choose { lay k part of hand[me] where count(k) == 12 { move k to table } } }
          end late when turns[me] == 9: draw }",
    );
    for seed in 1..extent::tries(3, 6) {
        let mut state = game.start(seed, 0).unwrap();
        let names: Vec<String> = (0..12).map(|_| take(&mut state, "lay ")).collect();
        let mut kinds: Vec<(&str, usize)> = vec![];
        for kind in names.iter().map(|name| name.strip_prefix("lay ").unwrap()) {
            match kinds.last_mut() {
                Some((last, number)) if *last == kind => *number += 1,
                _ => kinds.push((kind, 1)),
            }
        }
        let mut told: Vec<String> = vec![];
        for (kind, number) in kinds {
            told.push(if number == 1 { kind.to_owned() } else { format!("{number} {kind}") });
        }
        let line = format!("{} from hand[A] to table", told.join(", "));
        assert_eq!(texts(&state, Seat(1)).last(), Some(&line));
    }
}

#[test]
fn what_happens_where_another_player_acts_is_of_that_player() {
    let options = "
      go { as B { draw t from deck to hand[me]; roll die } }
      each_other { for p in players - me { as p { draw t from deck to hand[me] } } }
      ask p in players - me { let asked = p as asked { draw t from deck to hand[me]; move lowest(hand[me]) to buried } }
      blind n in 1..2 seen by none { as (if n == 1 then B else C) { draw t from deck to buried } }";
    let game = game(&cards("dice die: 1 of d6", options));
    let told_of = |state: &mut State, name: &str, viewer: u32| {
        let before = told(state, Seat(viewer)).len();
        state.apply(game.parse_action(name).unwrap()).unwrap();
        let new = told(state, Seat(viewer)).split_off(before);
        new.into_iter().map(|(turn, _)| turn.unwrap().0).collect::<Vec<_>>()
    };
    let mut state = game.start(3, 0).unwrap();
    assert_eq!(told_of(&mut state, "go", 2), [0, 1, 1]);
    assert_eq!(told_of(&mut state, "each_other", 1), [1, 0, 2]);
    // The deck is empty now. What is buried remains.
    assert_eq!(told_of(&mut state, "ask A", 1), [2, 0]);
    let mut state = game.start(3, 0).unwrap();
    for name in ["nop", "nop"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    // The draw and what is buried.
    assert_eq!(told_of(&mut state, "ask A", 1), [2, 0, 0]);
    // Only the player who chose knows who acts.
    assert_eq!(told_of(&mut state, "blind 2", 1), [0, 0]);
}

#[test]
fn what_all_have_chosen_together_is_moved_from_where_it_was_laid() {
    let game = game(
        "game \"Together\" { players A, B domain card = 1..30
          zone deck of card seen by none zone hand[player] of card seen by owner zone played[player] of card
          setup { deal 3 from deck to hand }
          round {
            together as me { choose {
              play c in hand[me] { move c to played[me] choose { more d in hand[me] { move d to played[me] } less { } } } } }
            step back { for p in players { move played[p] to deck } }
          }
          end late of round when round == 9 }",
    );
    for seed in 1..6 {
        let mut state = game.start(seed, 0).unwrap();
        let first = [take(&mut state, "play "), take(&mut state, "more ")];
        // Until all have chosen, nothing is told of it.
        assert!(texts(&state, Seat(1)).iter().all(|text| text == "?"));
        let last = take(&mut state, "play ");
        take(&mut state, "less");
        let card = |name: &String| name.split(' ').nth(1).unwrap().to_owned();
        let lines = [
            format!("{} from played[A] to deck", first.iter().map(card).collect::<Vec<_>>().join(", ")),
            format!("{} from played[B] to deck", card(&last)),
        ];
        for told in [in_full(&state), texts(&state, Seat(0)), texts(&state, Seat(1))] {
            assert!(lines.iter().all(|line| told.contains(line)), "{lines:?} {told:?}");
            assert!(first.iter().chain([&last]).all(|name| told.contains(name)), "{told:?}");
            assert!(!told.iter().any(|text| text.contains(" from hand[")), "{told:?}");
        }
    }
}

/// A note of what the owner of a hand saw drawn from it. Worlds agree with the values that a player saw, and a draw
/// that moves nothing changes no other one.
const NOTE: &str = "var last[player]: card? = none seen by owner";

/// Draws of cards that stay where they lie.
const STAYS: &str = "
  own { draw t from hand[me] to hand[me]; last[me] = t }
  lowest_one { draw t from hand[me] & {lowest(hand[me])} to hand[me] }
  club { draw t from hand[B] & { c in card where c.suit == clubs } to hand[B]; last[B] = t }
  see_one { pick t in hand[me]; last[me] = t }
  lay { draw t from hand[me] to hand[me]; move t to buried }
";

#[test]
fn a_draw_that_moves_nothing_is_told_to_those_who_see_it() {
    let game = game(&cards(NOTE, STAYS));
    let mut state = game.start(3, 0).unwrap();
    for name in ["own", "lowest_one", "lay"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    let of_a = texts(&state, Seat(0));
    let [own, drawn, lowest, lay, moved] = of_a.as_slice() else { panic!("{of_a:?}") };
    assert_eq!([own, lowest, lay], ["own", "lowest_one", "lay"]);
    // A is told what it was, and not that it went anywhere.
    assert!(drawn.starts_with("pick "), "{of_a:?}");
    // The card was dealt first, and that is told with the hand.
    let of_card: Vec<Option<String>> = told(&state, Seat(0))
        .into_iter()
        .filter(|(_, told)| told.text.as_ref() == Some(drawn))
        .map(|(_, told)| told.zone)
        .collect();
    assert_eq!(of_card, [Some("hand[A]".to_owned()), None]);
    assert_eq!(moved, "1 face down from hand[C] to buried");
    let of_c = texts(&state, Seat(2));
    let [_, _, _, drawn, moved] = of_c.as_slice() else { panic!("{of_c:?}") };
    let card = short_name(drawn.strip_prefix("pick ").unwrap());
    assert_eq!(*moved, format!("{card} from hand[C] to buried"));
}

#[test]
fn draws_that_move_nothing_are_told_alike() {
    compare_worlds(&game(&cards(NOTE, STAYS)), 6, 15);
}

#[test]
fn a_swap_of_hidden_hands_is_told_without_their_cards() {
    let options = "
      others { swap hand[B], hand[C] }
      trade p in players - me { swap hand[me], hand[p] }
      secretly p in players - me seen by none { swap hand[me], hand[p] }
      pass_on where hand[A] is some { move lowest(hand[A]) to hand[B]; swap hand[B], hand[C] }
      take { draw t from hand[B] to hand[C] }";
    let game = game(&cards("", options));
    let told = |name: &str, viewer: u32| {
        let mut state = game.start(3, 0).unwrap();
        state.apply(game.parse_action(name).unwrap()).unwrap();
        texts(&state, Seat(viewer))
    };
    assert_eq!(told("others", 0), ["others", "hand[B] and hand[C] swapped"]);
    assert_eq!(told("trade B", 2), ["trade B", "hand[A] and hand[B] swapped"]);
    // Only the two themselves may know whose hands they are.
    assert_eq!(told("secretly B", 2), ["secretly ?"]);
    // A sees the own card go before the hands are swapped, and knows where it lies then.
    let of_a = told("pass_on", 0);
    let [_, given, swapped, gone] = of_a.as_slice() else { panic!("{of_a:?}") };
    assert_eq!(swapped, "hand[B] and hand[C] swapped");
    let card = given.strip_suffix(" from hand[A] to hand[B]").unwrap();
    assert_eq!(*gone, format!("{card} from hand[B] to hand[C]"));
    compare_worlds(&game, 6, 15);
}

#[test]
fn a_pick_and_a_draw_that_nobody_can_tell_apart_are_told_alike() {
    let picked = |body: &str| {
        let spy = "var spy: player? = none seen by none";
        find_picked_domains(game(&cards(spy, &format!("hire {{ {body} }}"))).model())
    };
    // Cards lie in zones.
    assert!(picked("pick q in players spy = q").contains(&false));
    let either = "if spy == me { pick q in players spy = q } else { draw t from deck to hand[me] }";
    assert!(!picked(either).contains(&false));
}

#[test]
fn a_swap_and_a_move_that_nobody_can_tell_apart_are_told_alike() {
    let options = "
      clear_it { move hand[C] to buried }
      trade n in 1..2 seen by none { if n == 1 { swap hand[B], hand[C] } else { move hand[B] to hand[C] } }
      either where hand[B] is some {
        if lowest(hand[B]).suit == clubs { swap hand[B], hand[C] } else { move lowest(hand[B]) to hand[C] } }";
    let game = game(&cards("", options));
    let told = |trade: &str| {
        let mut state = game.start(3, 0).unwrap();
        for name in ["clear_it", trade] {
            state.apply(game.parse_action(name).unwrap()).unwrap();
        }
        [texts(&state, Seat(0)), texts(&state, Seat(2))]
    };
    let [of_a, of_c] = told("trade 1");
    assert_eq!(of_a, ["clear_it", "3 face down from hand[C] to buried", "trade ?"]);
    assert!(of_c.last().unwrap().ends_with(" from hand[B] to hand[C]"), "{of_c:?}");
    assert_eq!(told("trade 2"), [of_a, of_c]);
    compare_worlds(&game, 6, 15);
}

#[test]
fn what_an_order_shows_does_not_hide_that_cards_go() {
    let options = "
      trade { swap hand[me], hand[after(me)] }
      lay_all { move hand[me] to buried }
      stack { move lowest(hand[me]) to pile }
      gather { move pile to hand[me] }
      tuck c in hand[me] { move c to bottom of pile }";
    let game = game(&cards("zone pile of card ordered seen by top", options));
    let mut state = game.start(3, 0).unwrap();
    for name in ["stack", "lay_all"] {
        state.apply(game.parse_action(name).unwrap()).unwrap();
    }
    let of_c = texts(&state, Seat(2));
    let [stack, moved, shown, lay, laid] = of_c.as_slice() else { panic!("{of_c:?}") };
    assert_eq!([stack, moved], ["stack", "1 face down from hand[A] to pile"]);
    assert!(shown.starts_with("pile: "), "{of_c:?}");
    assert_eq!([lay, laid], ["lay_all", "3 face down from hand[B] to buried"]);
    // A card that is named, and lies on top, is told once.
    let mut state = game.start(3, 0).unwrap();
    let name = take(&mut state, "tuck ");
    assert_eq!(texts(&state, Seat(1)), [name]);
    compare_worlds(&game, 6, 15);
}

#[test]
fn several_hidden_cards_are_told_with_where_they_went() {
    let options = "
      two k subset of hand[me] where count(k) == 2 { move k to buried }
      hand_on k subset of hand[me] where count(k) == 2 { move k to hand[after(me)] }
      secretly c in hand[me], p in players - me seen by none { move c to hand[p] }
      split k subset of hand[me] where count(k) == 2 {
        for c in k { if c.suit == clubs { move c to buried } else { move c to hand[after(me)] } } }
      drop c in hand[me] { move c to buried }";
    let rules = game(&cards("", options));
    for (beginning, seen, moved) in [
        ("two ", "two ? ?", "2 face down from hand[A] to buried"),
        ("hand_on ", "hand_on ? ?", "2 face down from hand[A] to hand[B]"),
        ("secretly ", "secretly ? ?", "1 face down from hand[A] to hand[B]"),
    ] {
        let mut state = rules.start(3, 0).unwrap();
        take(&mut state, beginning);
        assert_eq!(texts(&state, Seat(2)), [seen, moved]);
    }
    // A single card is told by the action.
    let mut state = rules.start(3, 0).unwrap();
    take(&mut state, "drop ");
    assert_eq!(texts(&state, Seat(2)), ["drop ?"]);
    compare_worlds(&rules, 6, 15);
    // Of cards that were chosen in steps the last action tells only one.
    let steps = game(
        "game \"Steps\" { players A, B domain card = 1..40 zone deck of card seen by none
          zone hand[player] of card seen by owner zone dark of card seen by none
          setup { deal 16 from deck to hand }
          turn { choose { lay k subset of hand[me] where count(k) == 5 { move k to dark } } }
          end late when turns[me] == 9: draw }",
    );
    let mut state = steps.start(2, 0).unwrap();
    for _ in 0..5 {
        take(&mut state, "lay ");
    }
    let line = "5 face down from hand[A] to dark";
    assert_eq!(texts(&state, Seat(1)), ["lay ?", "lay ?", "lay ?", "lay ?", "lay ?", line]);
}

#[test]
fn a_card_that_was_shown_goes_on_from_where_it_lay() {
    let options = "
      mix c in hand[me] { reveal c to players; move hand[me] to hand[after(me)] }
      lone c in hand[me] { reveal c to players; move c to hand[after(me)] }
      away c in hand[me] { reveal c to players; move c to buried }";
    let game = game(&cards("", options));
    let mut state = game.start(3, 0).unwrap();
    let name = take(&mut state, "mix ");
    let card = &short_name(name.split(' ').nth(1).unwrap());
    let of_b = texts(&state, Seat(1));
    let [action, moved] = of_b.as_slice() else { panic!("{of_b:?}") };
    assert_eq!(*action, name);
    assert!(moved.ends_with(" from hand[A] to hand[B]") && moved.contains(card), "{of_b:?}");
    assert_eq!(moved.matches(", ").count(), 2, "{of_b:?}");
    // C knows one of the cards.
    let of_c = [
        name.clone(),
        format!("{card} from hand[A] to hand[B]"),
        "2 face down from hand[A] to hand[B]".to_owned(),
    ];
    assert_eq!(texts(&state, Seat(2)), of_c);
    compare_worlds(&game, 6, 15);
}
