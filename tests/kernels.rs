//! Small games through everything that is `unsafe`: the executor, sets of one and of several words, enclosure,
//! lines, batches, environments on two threads, and the counting allocator. Small enough for Miri, which
//! finds what such code may not do even if it comes out right:
//!
//! ```text
//! MIRIFLAGS="-Zmiri-disable-isolation" cargo +nightly miri test --test kernels
//! ```

use houserule::engine::batch::{Counts, play_random};
use houserule::engine::{Game, Player};
use houserule::envs::{Options, Outputs, VectorEnv, View};
use houserule::lang::check::Setting;
use houserule::loader::{Request, load, load_text};
use houserule::script::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn game(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = settings.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    load(&Request { name, settings: &settings, players: None }).unwrap_or_else(|error| panic!("{error}")).game
}

/// Plays games whole, and again from decision to decision. Both lead to the same scores.
fn play(game: &Game, games: u64) {
    let players = game.players();
    let mut counts = Counts::default();
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
            let score = state.score(Player(player)).expect("a score");
            assert_eq!(items.iter().sum::<i64>(), score, "game {index}");
        }
    }
}

#[test]
fn sets_of_one_word_and_lines() {
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
    play(&load_text("wide", text, &Request::default()).expect("it loads").game, 1);
}

#[test]
fn enclosure() {
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
    play(&game("dominoes", &[]), 1);
}

#[test]
fn environments_on_two_threads() {
    let game = game("tic-tac-toe", &[]);
    let (count, steps) = (34, 6);
    let mut envs = VectorEnv::new(&game, &Options::default(), count, 2).expect("environments");
    let (len, actions) = (envs.observation_len(), envs.actions());
    let (mut observations, mut masks, mut players) =
        (vec![0.0; count * len], vec![0; count * actions], vec![0; count]);
    let (mut rewards, mut seats) = (vec![0.0; count], vec![0.0; count * envs.players()]);
    let (mut terminated, mut truncated) = (vec![false; count], vec![false; count]);
    let mut finals = vec![0.0; count * len];
    let seeds: Vec<Option<u64>> = (0..count as u64).map(Some).collect();
    let view = View { observations: &mut observations, masks: &mut masks, current_players: &mut players };
    envs.reset(&seeds, None, view).expect("it begins");
    let mut over = 0;
    let mut taken = vec![0; count];
    for _ in 0..steps {
        envs.sample_actions(&mut taken).expect("actions");
        let view = View { observations: &mut observations, masks: &mut masks, current_players: &mut players };
        let out = Outputs {
            view,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            seat_rewards: &mut seats,
            final_observations: &mut finals,
        };
        envs.step(&taken, out).expect("a step");
        over += terminated.iter().filter(|over| **over).count();
    }
    assert!(over > 0, "some episodes end");
}
