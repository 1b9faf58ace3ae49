//! Rule sets that share code play as those that are interpreted.

use houserule_base::rng::Stream;
use houserule_game::{Game, Seat};
use houserule_language::variants::Setting;
use houserule_loader::{Request, load};
use houserule_machine::native::{Machine, RunKind};

fn game(name: &str, settings: &[(&str, i32)]) -> Game {
    let settings: Vec<Setting> =
        settings.iter().map(|(name, value)| Setting::new(*name, value.to_string())).collect();
    load(&Request { name, settings: &settings, ..Request::default() }).unwrap_or_else(|e| panic!("{e}")).game
}

fn rule_sets() -> Vec<Game> {
    [(2, 0), (3, 1), (5, 2), (9, 4)]
        .map(|(limit, jokers)| game("dilido", &[("penalty_limit", limit), ("jokers", jokers)]))
        .to_vec()
}

fn code(game: &Game) -> &Machine {
    game.machine(RunKind::Steps).expect("it can be compiled")
}

#[test]
fn rule_sets_that_differ_in_numbers_share_code() {
    let mut games = rule_sets();
    games.push(game("dilido", &[("size", 5)]));
    Game::share_code(&games);
    assert!(games[..4].iter().all(|game| code(game).has_code_of(code(&games[0]))));
    assert!(!code(&games[4]).has_code_of(code(&games[0])));
    assert!(!code(&rule_sets()[0]).has_code_of(code(&games[0])));
}

#[test]
fn shared_code_plays_as_the_interpreter_does() {
    let (shared, alone) = (rule_sets(), rule_sets());
    Game::share_code(&shared);
    for (shared, alone) in shared.iter().zip(&alone) {
        code(shared);
        let live = shared.program().live as usize;
        assert!(alone.machine_if_made(RunKind::Steps).is_none(), "it is interpreted");
        for seed in 0..200 {
            let [mut one, mut other] = [shared, alone].map(|game| game.start(seed, 0).expect("it begins"));
            let mut choices = Stream::new(seed, 1, 0);
            while !one.is_over() {
                let legal = one.legal_actions();
                assert_eq!(legal, other.legal_actions());
                let action = legal[choices.below(legal.len() as u64) as usize];
                one.apply(action).expect("it is legal");
                other.apply(action).expect("it is legal");
                assert_eq!(one.words()[..live], other.words()[..live]);
            }
            assert_eq!(one.scores(Seat(0)), other.scores(Seat(0)));
        }
    }
}
