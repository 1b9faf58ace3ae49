//! Small games for Miri that use all `unsafe` code: the executor, sets of one and of several words,
//! enclosure, lines, batches, environments on two threads, and the counting allocator. Miri finds undefined
//! behaviour even if the results are right:
//!
//! ```text
//! MIRIFLAGS="-Zmiri-disable-isolation" cargo +nightly miri test --test kernels
//! ```
//!
//! Miri is thousands of times slower than native code, and spends most of its time on reading the rules.
//! Under Miri the games are therefore shorter: a few lines of rules on a few sites, with the same kernels.

use houserule::envs::{EnvBuffers, EnvOptions, Outputs, VectorEnv};
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::game::{Game, Seat};
use houserule::loader::{Request, load, load_text};
use houserule::script::CountingAllocator;
use houserule::variants::Setting;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn game(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap_or_else(|error| panic!("{error}")).game
}

/// Loads a game from a rule text.
fn written(text: &str) -> Game {
    load_text("written", text, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
}

/// Tic-tac-toe, in a short rule text.
const LINE: &str = "game \"Line\" { players X, O board cell = grid(3, 3) piece mark[player]
    turn { choose { place c in empty { put mark[me] at c } } }
    end when longest(mark[me]) >= 3: win me
    end when empty is nothing: draw }";

/// Plays games whole, and again from decision to decision. Both have the same scores.
fn play(game: &Game, games: u64) {
    let players = game.players();
    let mut counts = UsageCounts::default();
    let mut ends = vec![];
    play_random(
        game,
        5,
        0..games,
        &mut counts,
        &mut |finished| ends.push((finished.index, finished.scores.to_vec())),
        &mut |index, error| panic!("game {index}: {error}"),
    );
    assert_eq!(ends.len() as u64, games);
    for (index, scores) in ends {
        let mut state = game.start(5, index).expect("it starts");
        while !state.is_over() {
            let action = state.random_action().expect("an action");
            let mask = state.legal_actions();
            assert!(mask.contains(&action));
            state.apply(action).expect("it is legal");
        }
        for (player, items) in (0..players).zip(scores.chunks((scores.len() / players as usize).max(1))) {
            let score = state.score(Seat(player)).expect("a score");
            assert_eq!(items.iter().sum::<i64>(), score, "game {index}");
        }
    }
}

#[test]
fn sets_of_one_word_and_lines() {
    if cfg!(miri) {
        return play(&written(LINE), 2);
    }
    play(&game("tic-tac-toe", &[]), 3);
    play(&game("dilido", &[("size", "3"), ("penalty_limit", "2")]), 2);
}

#[test]
fn sets_of_several_words() {
    let text = "game \"Wide\" {
      players X, O
      board cell = grid(12, 11)
      piece mark[player]
      turn { choose { place c in (row(5) | row(6)) & empty where count(around(c) & mark) < 3 {
        put mark[me] at c } } }
      end when longest(mark[me]) >= 3: win me
      end when count(mark) > 12
      score { marks: count(mark[me] & reach(@a5, mark | empty)) }
    }";
    // Three rows of 22 are two words. Two moves are enough to use every set.
    let few =
        text.replace("grid(12, 11)", "grid(22, 3)").replace("(row(5) | row(6))", "(row(2) & around(@k2))");
    let few = few.replace("> 12", "> 1").replace("@a5", "@a2");
    play(&written(if cfg!(miri) { &few } else { text }), 1);
}

#[test]
fn enclosure() {
    if cfg!(miri) {
        // The centre is black's. Both players close the ring of white dots around it.
        let text = "game \"Ring\" {
          players white, black board cell = grid(3, 3) piece dot[player] piece taken[player]
          setup { put dot[black] at @b2 put dot[white] at @a2 put dot[white] at @b1 }
          turn { choose { place c in beside(@b2) & empty {
            put dot[white] at c
            let inside = enclosed(c, dot[white], four)
            if inside is some {
              for k in components(inside, four) { put taken[black] at fill(k, four) & dot[black] replacing }
            } } otherwise { end game } } }
          end when taken[black] is some: win white
        }";
        return play(&written(text), 1);
    }
    play(
        &game(
            "points",
            &[("width", "6"), ("height", "5"), ("stop", "off"), ("zone_width", "2"), ("zone_height", "2")],
        ),
        1,
    );
}

#[test]
fn chance_and_zones() {
    if cfg!(miri) {
        let text = "game \"Deal\" {
          players 2 domain card = 1..6
          zone stock of card seen by none
          zone hand[player] of card seen by owner
          zone table of card
          setup { move card to stock deal 2 from stock to hand }
          turn { roll die choose { play t in hand[me] where t >= die { move t to table }
            pass { draw t from stock to hand[me] } } }
          dice die: 1 of d6
          end when hand[me] is nothing or stock is nothing
          score { left: count(hand[me]) } }";
        return play(&written(text), 1);
    }
    play(&game("dominoes", &[]), 1);
}

#[test]
fn environments_on_two_threads() {
    let game = written(LINE);
    let (count, steps) = (34, 6);
    let mut envs = VectorEnv::new(&game, &EnvOptions::default(), count, 2).expect("environments");
    let (len, actions) = (envs.observation_len(), envs.actions());
    let (mut observations, mut masks, mut players) =
        (vec![0.0; count * len], vec![0; count * actions], vec![0; count]);
    let (mut rewards, mut seats) = (vec![0.0; count], vec![0.0; count * envs.players()]);
    let (mut terminated, mut truncated) = (vec![false; count], vec![false; count]);
    let mut finals = vec![0.0; count * len];
    let seeds: Vec<Option<u64>> = (0..count as u64).map(Some).collect();
    let view = EnvBuffers {
        observations: (&mut observations).into(),
        masks: &mut masks,
        current_players: &mut players,
    };
    envs.reset(&seeds, None, view).expect("it begins");
    let mut over = 0;
    let mut taken = vec![0; count];
    for _ in 0..steps {
        envs.sample_actions(&mut taken).expect("actions");
        let view = EnvBuffers {
            observations: (&mut observations).into(),
            masks: &mut masks,
            current_players: &mut players,
        };
        let out = Outputs {
            view,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            seat_rewards: &mut seats,
            final_observations: (&mut finals).into(),
        };
        envs.step(&taken, out).expect("a step");
        over += terminated.iter().filter(|over| **over).count();
    }
    assert!(over > 0, "some episodes end");
}
