//! Worlds agree with everything that a seat has observed, and have the right probabilities. The tests compare
//! a seat's observations by its information state and observation, which share no code with the log from
//! which worlds are drawn.
//!
//! `HOUSERULE_WORLDS=N` draws N times as many worlds as usual.

use std::collections::HashMap;

use crate::copies::CUBES;
use crate::extent;
use crate::hidden::{BIDS, SECRETS, SHIPS, visit_states};
use crate::piles::PILES;
use crate::private_boards::SEA;
use crate::rules::{bundled, game as made};
use crate::site_zones::TILES;
use crate::states::{apply, number, random};
use houserule::game::{Game, Seat, Start, State};
use houserule::hidden::{OpponentModel, WorldOptions};
use houserule::rng::Stream;
use std::sync::Arc;

/// A number is guessed, and each guess is answered.
const HIGHER: &str = r#"game "Higher" {
  players guesser, keeper
  var number: 1..100 = 1 seen by none
  var low: 1..100 = 1
  var high: 1..100 = 100
  var found: bool = false
  setup { pick k in 1..100  number = k }
  turn {
    choose {
      guess k in 1..100 where k >= low and k <= high {
        if k == number { found = true } else if k < number { low = k + 1 } else { high = k - 1 }
      }
    }
    next guesser
  }
  end found when found: win guesser
  score { n: 1 when found }
}"#;

/// Hidden chance events decide how many chance events follow, and of which size.
const FLIPS: &str = r#"game "Flips" {
  players 2
  var coin: 0..1 = 0 seen by none
  var extra: 0..3 = 0 seen by none
  var more: 0..2 = 0 seen by none
  var told: 0..9 = 0
  setup {
    pick c in 1..3
    if c > 1 {
      coin = 1
      pick e in 1..3
      extra = e
      while extra > 1 and more < 2 { pick m in 1..2  more += 1  extra -= m - 1 }
    }
  }
  turn {
    choose {
      sum where told == 0 { told = 1 + coin + extra + more }
      flip { if coin == 1 { coin = 0 } else { pick f in 1..2  coin = f - 1 } }
    }
  }
  end when turns[me] > 2
  score { told: told when told > 3 }
}"#;

/// A card is shown and gone before the first decision, and a number exists only for a moment.
const GLIMPSE: &str = r#"game "Glimpse" {
  players 2
  domain card = 1..5
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone table of card seen by all
  var sign: 0..9 = 0
  setup { deal 1 from stock to hand }
  turn {
    choose {
      show c in hand[me] {
        move c to table
        move c to stock
        draw d from stock to hand[me]
      }
      hint c in hand[me] {
        sign = if c > 3 then 1 else 2
        sign = 0
      }
    }
  }
  end when turns[me] > 2
  score { cards: count(table) }
}"#;

/// Cups of dice are lifted late.
const CUPS: &str = r#"game "Cups" {
  players 2
  dice cup[player]: 5 of d6 seen by owner
  var shown[player, 1..5]: 0..6 = 0
  var bid: 0..60 = 0
  var lifted: bool = false
  setup { for p in players { roll cup[p] } }
  turn {
    choose {
      bid n in 1..60 where n > bid and n <= bid + 6 { bid = n }
      lift where bid > 0 and not lifted {
        lifted = true
        for p in players { for d in 1..5 { shown[p, d] = cup[p, d] } }
      }
    }
  }
  end when turns[me] > 3
  score { bid: bid when lifted }
}"#;

/// A script rolls where no player sees the roll, or only one does.
const ROLLS: &str = r#"game "Rolls" {
  players 2
  var secret[player]: 0..6 = 0 seen by owner
  var hidden: 0..6 = 0 seen by none
  var loud: 0..9 = 0
  turn { choose { shake { loud = 0 }  tell { loud = if hidden + secret[me] > 6 then 1 else 2 } } }
  end when turns[me] > 2
  score { loud: loud when loud > 0 }
  script """
    fn on_shake(g) {
      g.hidden = g.roll(6);
      if g.hidden > 3 { g.secret[g.me] = g.roll(6); }
      g.loud = 3 + g.roll(2);
    }
  """
}"#;

/// A code of three pegs in three colours.
const CODE: &str = r#"game "Code" {
  players breaker, maker
  var code[1..3]: 1..3 = 1 seen by none
  var hits: 0..3 = 0
  setup { for i in 1..3 { pick k in 1..3  code[i] = k } }
  turn {
    choose {
      try a in 1..3, b in 1..3, c in 1..3 {
        hits = count({ i in 1..3 where i == 1 and code[1] == a or i == 2 and code[2] == b or i == 3 and code[3] == c })
      }
    }
    next breaker
  }
  end when hits == 3: win breaker
  score { hits: hits when hits == 3 }
}"#;

fn more() -> u64 {
    std::env::var("HOUSERULE_WORLDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Draws worlds of each seat in some positions. None may contradict the seat's observations.
fn possible(game: &Game, games: u64, decisions: u64, worlds: usize) {
    let mut stream = Stream::new(7, 7, 7);
    visit_states(game, 3, games * more(), decisions, &mut |state| {
        for seat in (0..game.players()).map(Seat) {
            let told = state.information_state(seat);
            let mut source =
                state.worlds(seat, &WorldOptions::default()).unwrap_or_else(|none| panic!("{none}"));
            for _ in 0..extent::tries(worlds.div_ceil(3), worlds) {
                let world = source.next(&mut stream).unwrap_or_else(|none| panic!("{none}"));
                assert_eq!(world.information_state(seat), told, "{}", game.identity().name);
                let (seen, real) = (world.observation(seat), state.observation(seat));
                let differs = (0..seen.len()).find(|at| seen[*at] != real[*at]);
                let what =
                    differs.and_then(|at| game.observation_spec().into_iter().rfind(|e| e.offset <= at));
                assert!(what.is_none(), "{what:?}\n{told}");
                assert_eq!(world.current_player(), state.current_player());
                assert_eq!(world.is_over(), state.is_over());
                if state.current_player() == Some(seat) {
                    assert_eq!(world.legal_actions(), state.legal_actions());
                }
            }
        }
    });
}

#[test]
fn no_world_of_dominoes_is_impossible() {
    for (params, players) in [(&[][..], 2), (&[("max_pips", "4"), ("hand_size", "4")], 2), (&[], 3)] {
        possible(&bundled("dominoes", params, Some(players)), extent::tries(6, 10), 20, 5);
    }
    for variant in
        ["dominoes-block", "dominoes-both-ends", "dominoes-fives", "dominoes-line", "dominoes-train"]
    {
        possible(&bundled(variant, &[], Some(2)), 4, 16, 5);
    }
}

#[test]
fn no_world_of_other_games_is_impossible() {
    for rules in [HIGHER, FLIPS, GLIMPSE, CUPS, ROLLS, CODE, SECRETS, SHIPS, BIDS, SEA, CUBES] {
        possible(&made(rules), extent::tries(12, 20), 7, 10);
    }
}

#[test]
fn no_world_of_sites_in_zones_is_impossible() {
    possible(&made(TILES), 40, 12, 10);
}

#[test]
fn no_world_of_committed_moves_is_impossible() {
    possible(&made(crate::committed_moves::CARDS), extent::tries(15, 30), 10, 10);
    possible(&made(crate::committed_moves::PASSING), 10, 10, 10);
    possible(&made(crate::committed_moves::SHEETS), extent::tries(10, 20), 10, 10);
}

#[test]
fn no_world_of_piles_is_impossible() {
    possible(&made(PILES), 40, 12, 10);
}

/// The answers bound the guesser's number: all numbers in between are equally likely, and no other is
/// possible.
#[test]
fn answers_bound_a_hidden_number() {
    let game = made(HIGHER);
    for index in 0..10 {
        let state = random(&game, 1, index, 3);
        if state.is_over() {
            continue;
        }
        let (low, high) = (number(&state, "low", 0), number(&state, "high", 0));
        let worlds = state.worlds(Seat(0), &WorldOptions::default()).expect("worlds");
        let all = worlds.weighted().expect("all of them");
        assert_eq!(all.len() as i64, high - low + 1);
        for (world, p) in all {
            assert!((low..=high).contains(&number(&world, "number", 0)));
            assert!((p * (high - low + 1) as f64 - 1.0).abs() < 1e-9);
        }
        for seed in 0..50 {
            let world = state.determinize(Seat(0), &mut Stream::new(seed, 0, 0)).expect("a world");
            assert!((low..=high).contains(&number(&world, "number", 0)));
        }
    }
}

/// Collects all continuations of some decisions, with their probabilities under random play.
fn ways(state: &State, decisions: u64, p: f64, all: &mut Vec<(State, f64)>) {
    if state.is_over() || !state.is_chance() && state.decisions() == decisions {
        all.push((state.clone(), p));
        return;
    }
    if state.is_chance() {
        let outcomes = state.chance_outcomes();
        for (outcome, count) in state.distinct_outcomes() {
            let mut next = state.clone();
            next.apply_outcome(outcome).expect("it comes out");
            ways(&next, decisions, p * count as f64 / outcomes as f64, all);
        }
        return;
    }
    let legal = state.legal_actions();
    for action in &legal {
        let mut next = state.clone();
        next.apply(*action).expect("it is legal");
        ways(&next, decisions, p / legal.len() as f64, all);
    }
}

/// Probabilities of states, keyed by their words without the observations.
type Posterior = HashMap<Vec<u64>, f64>;

/// Returns the probability of each state that a seat can't distinguish from `of`.
fn posterior(all: &[(State, f64)], of: &State, seat: Seat) -> Posterior {
    let legal = |state: &State| match state.current_player() == Some(seat) {
        true => state.legal_actions(),
        false => vec![],
    };
    let (seen, may, told) = (of.observation(seat), legal(of), of.information_state(seat));
    let mut found = Posterior::new();
    for (state, p) in all.iter().filter(|(state, _)| !state.is_over()) {
        // The current observation is compared first, because that is faster.
        if state.observation(seat) == seen && legal(state) == may && state.information_state(seat) == told {
            *found.entry(state.persistent().to_vec()).or_default() += p;
        }
    }
    let sum: f64 = found.values().sum();
    found.values_mut().for_each(|p| *p /= sum);
    found
}

fn small() -> Vec<(Game, u64)> {
    let dominoes = bundled("dominoes", &[("max_pips", "2"), ("hand_size", "1")], Some(2));
    vec![(made(FLIPS), 2), (made(GLIMPSE), 2), (made(ROLLS), 2), (made(CODE), 1), (dominoes, 1)]
}

/// The filter finds exactly the states that a seat can't rule out, with their exact probabilities. The test
/// compares it with an enumeration of all games.
#[test]
fn exact_worlds_are_all_that_there_are() {
    for (game, most) in small() {
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut all = vec![];
        ways(&game.start_at(&start).expect("it starts"), most, 1.0, &mut all);
        for index in 0..extent::tries(2, 4) * more() {
            let state = random(&game, 5, index, most as usize);
            for seat in (0..game.players()).map(Seat).filter(|_| !state.is_over()) {
                let worlds = state.worlds(seat, &WorldOptions::default()).expect("worlds");
                let mut found = Posterior::new();
                for (world, p) in worlds.weighted().expect("all of them") {
                    *found.entry(world.persistent().to_vec()).or_default() += p;
                }
                let wanted = posterior(&all, &state, seat);
                assert_eq!(found.len(), wanted.len(), "{}", state.information_state(seat));
                for (words, p) in &found {
                    assert!((p - wanted.get(words).copied().unwrap_or(0.0)).abs() < 1e-9);
                }
            }
        }
    }
}

/// With too many states for the filter, a Markov chain samples them. Its samples are about as far from the
/// exact probabilities as independent ones.
#[test]
fn samples_come_as_often_as_they_are_likely() {
    let samples = extent::tries(100, 400) * more();
    let chain = WorldOptions { bound: 0, ..WorldOptions::default() };
    for (game, most) in small() {
        for index in 0..4 {
            let state = random(&game, 5, index, most as usize);
            let Some(seat) = state.current_player() else { continue };
            let mut wanted = Posterior::new();
            let exact = state.worlds(seat, &WorldOptions::default()).expect("worlds");
            for (world, p) in exact.weighted().expect("all of them") {
                *wanted.entry(world.persistent().to_vec()).or_default() += p;
            }
            let mut worlds = state.worlds(seat, &chain).expect("worlds");
            assert!(!worlds.is_exact() || wanted.len() == 1);
            let mut found = Posterior::new();
            let mut stream = Stream::new(index, 8, 8);
            for _ in 0..samples {
                // Worlds of a chain are correlated, less so the further apart they are.
                for _ in 0..9 {
                    worlds.next(&mut stream).expect("a world");
                }
                let world = worlds.next(&mut stream).expect("a world");
                *found.entry(world.persistent().to_vec()).or_default() += 1.0 / samples as f64;
            }
            assert!(found.keys().all(|words| wanted.contains_key(words)));
            let apart = |(words, p): (&Vec<u64>, &f64)| (p - found.get(words).copied().unwrap_or(0.0)).abs();
            let distance: f64 = wanted.iter().map(apart).sum::<f64>() / 2.0;
            // Half of the sum of the mean absolute deviations of the shares in independent samples.
            let independent =
                |p: f64| (p * (1.0 - p) * 2.0 / std::f64::consts::PI / samples as f64).sqrt() / 2.0;
            let floor: f64 = wanted.values().map(|p| independent(*p)).sum();
            // Four standard errors above the mean.
            let bound = floor * (1.0 + 3.0 / (wanted.len().max(2) as f64 - 1.0).sqrt()) + 1e-9;
            let told = state.information_state(seat);
            assert!(distance <= bound, "{} of {}:\n{told}", distance / floor, wanted.len());
        }
    }
}

/// Without the history worlds look the same to the seat, and what others did tells nothing.
#[test]
fn worlds_without_the_history_look_the_same_now() {
    let game = made(
        r#"game "Tell" {
      players 2
      var own[player]: 1..3 = 1 seen by owner
      var said: 0..2 = 0
      setup { for p in players { pick k in 1..3  own[p] = k } }
      turn { choose { low { said = 1 }  high where own[me] > 1 { said = 2 } } }
      end when turns[me] > 1
      score { said: said }
    }"#,
    );
    let mut state =
        (0..).map(|index| game.start(2, index).expect("it starts")).find(|state| number(state, "own", 0) > 1);
    let state = state.as_mut().expect("one whose first player may say that his number is high");
    apply(state, "high");
    let seat = Seat(1);
    let drawn = |with_history: bool| {
        let options = WorldOptions { with_history, ..WorldOptions::default() };
        let mut worlds = state.worlds(seat, &options).expect("worlds");
        assert_eq!(worlds.keep_history(), with_history);
        let (mut own, mut stream) = ([0u32; 3], Stream::new(1, 2, 3));
        for _ in 0..300 {
            let world = worlds.next(&mut stream).expect("a world");
            assert_eq!(world.observation(seat), state.observation(seat));
            own[number(world, "own", 0) as usize - 1] += 1;
        }
        own
    };
    assert_eq!(drawn(true)[0], 0);
    assert!(drawn(false).iter().all(|count| *count > 50));
}

/// Opponents' actions carry no information, or as much as a model of the opponents says.
#[test]
fn opponents_may_be_modelled() {
    let game = made(
        r#"game "Tell" {
      players 2
      var own[player]: 1..3 = 1 seen by owner
      var said: 0..2 = 0
      setup { for p in players { pick k in 1..3  own[p] = k } }
      turn { choose { low { said = 1 }  high where own[me] > 1 { said = 2 } } }
      end when turns[me] > 1
      score { said: said }
    }"#,
    );
    let mut state = game.start(2, 0).expect("it starts");
    apply(&mut state, "low");
    let seat = Seat(1);
    let believed = |opponents: OpponentModel| {
        let options = WorldOptions { opponents, ..WorldOptions::default() };
        let worlds = state.worlds(seat, &options).expect("worlds");
        let mut own = [0.0; 3];
        for (world, p) in worlds.weighted().expect("all of them") {
            own[number(&world, "own", 0) as usize - 1] += p;
        }
        own
    };
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    // A holder of 1 always says low, the others do so half of the time.
    assert!(near(believed(OpponentModel::Uniform), [0.5, 0.25, 0.25]));
    assert!(near(believed(OpponentModel::Unknown), [1.0 / 3.0; 3]));
    let honest = OpponentModel::Like(Arc::new(|state: &State, player, action| {
        let low = state.game().action_name(action) == "low";
        let own = number(state, "own", player.0 as usize);
        f64::from(u8::from(low == (own == 1)))
    }));
    assert!(near(believed(honest), [1.0, 0.0, 0.0]));
}

/// A seed draws the same world, whether or not worlds were drawn before.
#[test]
fn worlds_of_a_seed_do_not_depend_on_who_asked_before() {
    for game in [bundled("dominoes", &[], Some(2)), made(HIGHER), made(CUPS)] {
        let mut asked = game.start(3, 1).expect("it starts");
        let mut silent = asked.clone();
        for _ in 0..8 {
            let Some(action) = silent.random_action() else { break };
            let seat = asked.current_player().expect("somebody decides");
            let _ = asked.determinize(seat, &mut Stream::new(9, 9, 9)).expect("a world");
            asked.apply(action).expect("it is legal");
            silent.apply(action).expect("it is legal");
        }
        for seat in [Seat(0), Seat(1)] {
            let drawn = |state: &State| state.determinize(seat, &mut Stream::new(1, 2, 3)).expect("a world");
            assert_eq!(drawn(&asked), drawn(&silent));
            assert_eq!(drawn(&asked).history(), drawn(&silent).history());
        }
    }
}

/// A world can be played like any game, and its history leads to it.
#[test]
fn worlds_have_histories() {
    let game = bundled("dominoes", &[], Some(2));
    let state = random(&game, 3, 2, 8);
    let seat = state.current_player().expect("somebody decides");
    let mut world = state.determinize(seat, &mut Stream::new(1, 1, 1)).expect("a world");
    assert!(world.has_history() && world.replay_history(&mut |_, _| {}));
    assert_eq!(world.history().len(), state.history().len());
    while let Some(action) = world.random_action() {
        world.apply(action).expect("it is legal");
    }
    assert!(world.is_over());
}

/// A value picked into a hidden variable stays hidden from the players who can't see the variable.
#[test]
fn picks_into_hidden_variables_are_hidden() {
    let state = made(CODE).start(4, 0).expect("it starts");
    let picture = houserule::draw::svg::svg(
        &state,
        &houserule::draw::svg::PictureStyle { viewer: Some(Seat(0)), ..Default::default() },
    );
    assert!(!picture.contains("pick "), "{picture}");
}

/// What the others have chosen in `together` is as unknown to those who still choose, also where the block changes
/// something that everybody sees.
#[test]
fn nobody_sees_in_a_together_block_what_the_others_have_chosen() {
    let game = made(
        r#"game "Bids" {
          players 2
          var bid[player]: 0..5 = 0 each round
          var bids[player]: 0..9 = 0 each round
          var won: 0..99 = 0
          round {
            together as me {
              choose { offer n in 1..5 { bid[me] = n } }
              bids[me] += 1
            }
            won += bid[player 1]
          }
          end when round > 3
          score { won: won }
        }"#,
    );
    let mut state = game.start(1, 0).expect("it begins");
    apply(&mut state, "offer 3");
    assert_eq!(state.current_player(), Some(Seat(1)));
    let worlds = state.worlds(Seat(1), &WorldOptions::default()).expect("worlds");
    let mut bids: Vec<i64> =
        worlds.weighted().expect("all of them").iter().map(|(world, _)| number(world, "bid", 0)).collect();
    bids.sort_unstable();
    assert_eq!(bids, [1, 2, 3, 4, 5]);
}

/// Picks under a condition, followed by a choice that tries all pairs of the sites of a board.
fn pairs(side: u32) -> String {
    format!(
        r#"game "Pairs" {{
          players 2
          board field = grid({side}, {side})
          piece stone[player]
          var secret: 0..99 = 0 seen by none
          setup {{ chance {{ pick k in 1..30  pick m in 1..2  secret = 2 * k + m }} given secret > 3 }}
          turn {{
            choose {{
              join a in empty, b in empty where a != b ensuring count(stone[me]) < 9 {{
                put stone[me] at a
                put stone[me] at b
              }}
              guess n in 1..99 {{ if n == secret {{ end game }} }}
            }}
          }}
          end when turns[me] > 2
          score {{ stones: count(stone[me]) }}
        }}"#
    )
}

/// The filter counts what each event costs: 59 states of which each tries 65,280 candidates are too much work for a bound of 80
/// states, but not for one of 2,000. With 240 candidates a bound of 80 is enough. In `./test` each tries 20,592.
#[test]
fn the_filter_gives_up_after_much_work() {
    let large = extent::tries(12, 16);
    for (side, bound, is_exact) in [(4, 80, true), (large, 80, false), (large, 2_000, true)] {
        let game = made(&pairs(side));
        let state = game.start(1, 0).expect("it starts");
        let options = WorldOptions { bound, budget: 0, ..WorldOptions::default() };
        let mut worlds = state.worlds(Seat(0), &options).expect("worlds");
        let found = (worlds.is_exact(), worlds.keep_history(), worlds.weighted().map(|all| all.len()));
        assert_eq!(found, (is_exact, is_exact, is_exact.then_some(59)), "{side} x {side}, {bound} states");
        let world = worlds.next(&mut Stream::new(1, 2, 3)).expect("a world");
        assert_eq!(world.legal_actions(), state.legal_actions());
    }
    // Without the filter, worlds are samples that keep the history.
    let state = made(&pairs(large)).start(1, 0).expect("it starts");
    let options = WorldOptions { bound: 80, ..WorldOptions::default() };
    let mut worlds = state.worlds(Seat(0), &options).expect("worlds");
    assert!(!worlds.is_exact() && worlds.keep_history());
    let world = worlds.next(&mut Stream::new(1, 2, 3)).expect("a world");
    assert_eq!(world.information_state(Seat(0)), state.information_state(Seat(0)));
}
