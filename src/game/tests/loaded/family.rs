//! Games of several rule sets in one array.

use houserule_base::rng::Stream;
use houserule_game::many::Many;
use houserule_game::many::{BatchResults, BatchScores};
use houserule_game::observe::{BATCH, GameBatch};
use houserule_game::{Game, Patience};
use houserule_language::variants::{Origin, Setting};
use houserule_loader::{Request, load_all, load_text, parts};

fn dilido(name: &str, settings: &[(&str, i32)]) -> Game {
    let settings: Vec<Setting> =
        settings.iter().map(|(name, value)| Setting::new(*name, value.to_string())).collect();
    let origin = Origin { parts: parts(name), settings, ..Origin::default() };
    load_all(&[origin], 1).unwrap_or_else(|error| panic!("{error}")).remove(0)
}

/// The last two have code of their own.
fn rule_sets() -> Vec<Game> {
    let sets = [("dilido", 2, 0), ("dilido", 3, 1), ("dilido+torus", 9, 4), ("dilido+ordered", 3, 1)];
    sets.map(|(name, limit, jokers)| dilido(name, &[("penalty_limit", limit), ("jokers", jokers)])).to_vec()
}

#[test]
fn games_whose_states_lie_in_the_same_words_may_be_in_one_array() {
    let mut games = rule_sets();
    games.push(dilido("dilido", &[("size", 5)]));
    games.push(dilido("dilido+second-joker", &[]));
    Game::share_code(&games);
    let many: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
    let joins: Vec<bool> = many.iter().map(|other| many[0].may_join(other)).collect();
    assert_eq!(joins, [true, true, true, true, false, false]);
    let shares: Vec<bool> = games.iter().map(|game| games[0].shares_code(game)).collect();
    assert_eq!(shares, [true, true, false, false, false, false]);
}

#[test]
fn a_game_plays_by_the_rules_of_its_kind_with_and_without_compiled_code() {
    const COUNT: usize = BATCH + 7;
    for patience in [Patience::OVER, Patience::ENDLESS] {
        let (games, alone) = (rule_sets(), rule_sets());
        Game::share_code(&games);
        let kinds: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
        let mut family = Many::joined(kinds.iter());
        (0..COUNT).for_each(|_| family.push());
        let mut alone: Vec<Many> = alone.iter().map(|game| Many::new(game, COUNT)).collect();
        alone.iter_mut().chain([&mut family]).for_each(|many| many.patience = patience);
        let (mut few, mut taken, mut choices) =
            (GameBatch::default(), BatchResults::default(), Stream::new(1, 2, 3));
        let live = games[0].program().live as usize;
        let mut kind_of: Vec<usize> = (0..COUNT).map(|i| i % games.len()).collect();
        let mut episodes = 0;
        for step in 0..400 {
            let mut actions = vec![0; COUNT];
            for i in 0..COUNT {
                if step == 0 || family.is_over(i) {
                    (kind_of[i], episodes) = ((kind_of[i] + 1) % games.len(), episodes + 1);
                    family.set_kind(i, kind_of[i] as u32);
                    for many in [&mut family, &mut alone[kind_of[i]]] {
                        assert!(many.start(i, 5, episodes).is_ok());
                    }
                }
                actions[i] = family.any_action::<false>(i, &mut choices).map_or(0, i64::from);
            }
            for first in (0..COUNT).step_by(BATCH) {
                let batch = first..COUNT.min(first + BATCH);
                taken.requested = [true; BATCH];
                family.apply_few(&batch, &actions[batch.clone()], BatchScores::Never, &mut taken);
            }
            for i in 0..COUNT {
                let own = &mut alone[kind_of[i]];
                assert!(own.apply(i, actions[i] as u32, &mut 0).is_ok());
                assert_eq!(family.frame(i)[..live], own.frame(i)[..live], "step {step}, game {i}");
                let mut seen = [vec![0.0; games[0].observation_len()], vec![0.0; games[0].observation_len()]];
                for (many, seen) in [&mut family, own].into_iter().zip(&mut seen) {
                    many.read_pending(&(i..i + 1), &mut few);
                    few.viewers[0] = 0;
                    many.observe::<false>(&(i..i + 1), &mut few, seen);
                }
                assert_eq!(seen[0], seen[1], "step {step}, game {i}");
            }
        }
        assert!(episodes > 3 * COUNT as u64, "{episodes}");
    }
}

#[test]
fn an_error_in_one_game_stops_no_other_whatever_code_they_run() {
    // With 2 the number gets out of its range earlier than with 1.
    let rules = |step| {
        format!(
            "game \"Count\" {{ players 1 var n: 0..3 = 0 turn {{ choose {{ go {{ n = n + n + {step} }} }} }} end over when turns[me] == 9 }}"
        )
    };
    let games = [1, 2].map(|step| {
        load_text("count", &rules(step), &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
    });
    let kinds: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
    assert!(kinds[0].may_join(&kinds[1]) && !games[0].shares_code(&games[1]));
    let mut family = Many::joined(kinds.iter());
    (0..BATCH).for_each(|_| family.push());
    family.patience = Patience::OVER;
    for i in 0..BATCH {
        family.set_kind(i, i as u32 % 2);
        assert!(family.start(i, 1, i as u64).is_ok());
    }
    let mut taken = BatchResults::default();
    taken.requested = [true; BATCH];
    let mut failed = vec![];
    for _ in 0..3 {
        family.apply_few(&(0..BATCH), &[0; BATCH], BatchScores::Never, &mut taken);
        failed.push((0..BATCH).map(|i| taken.error(i).is_some()).collect::<Vec<_>>());
    }
    let of = |one: bool, other: bool| (0..BATCH).map(|i| [one, other][i % 2]).collect::<Vec<_>>();
    // 1, 3, 7 and 2, 6.
    assert_eq!(failed[..2], [of(false, false), of(false, true)]);
    assert!((0..BATCH).step_by(2).all(|i| failed[2][i]));
}
