//! Values that are kept, and masks of conditions on fields: the games are those of a program without them, word for word.

use houserule_base::rng::Streams;
use houserule_game::Game;
use houserule_loader::{Request, bundled, load};
use houserule_machine::compile::{CompileOptions, ValueKeeping, compile_with};
use houserule_machine::program::Program;
use houserule_machine::run::run;
use houserule_machine::run_state::{Counters, RunState, Stop};

/// Number of games of each.
const GAMES: u64 = 3;

/// Maximum number of decisions of a game.
const DECISIONS: u64 = 300;

fn compiled(game: &Game, options: CompileOptions) -> Program {
    let program = compile_with(game.model(), options).expect("it compiles").program;
    Program { limit: program.limit.min(DECISIONS), ..program }
}

/// Plays random games. Returns, for each, whether it ended and whether it failed, what was counted, and the words of the state.
fn played(game: &Game, program: &Program) -> Vec<(bool, bool, Counters, Vec<u64>)> {
    let players = game.players() as usize;
    let mut words = vec![0; program.frame as usize];
    let mut games = vec![];
    for index in 0..GAMES {
        words[..program.live as usize].copy_from_slice(&program.initial);
        let mut streams = Streams::new(7, index, players);
        let mut run_state = RunState::new(game.model().actions.len(), program);
        let stop = run(program, &mut words, &mut streams, &mut run_state, program.start, true);
        let failed = matches!(stop, Stop::Fault { .. });
        let state = words[..program.reset as usize].to_vec();
        games.push((stop == Stop::Over, failed, run_state.counters, state));
    }
    games
}

pub(crate) fn bundled_games() -> impl Iterator<Item = Game> {
    bundled::names()
        .filter_map(|name| load(&Request { name, ..Request::default() }).ok())
        .map(|loaded| loaded.game)
}

#[test]
fn games_are_the_same_with_kept_values_and_masks() {
    let off = CompileOptions { keeping: ValueKeeping::Off, masks: false, ..CompileOptions::default() };
    let mut keep = 0;
    for game in bundled_games() {
        let plain = compiled(&game, off);
        let wanted = played(&game, &plain);
        keep += usize::from(!game.program().kept.is_empty());
        for options in [
            CompileOptions::default(),
            CompileOptions { masks: true, ..off },
            CompileOptions { keeping: ValueKeeping::On, ..off },
            CompileOptions { keeping: ValueKeeping::Checked, ..CompileOptions::default() },
        ] {
            let program = compiled(&game, options);
            let name = &game.identity().name;
            assert!(played(&game, &program) == wanted, "{name} with {options:?}");
        }
    }
    assert!(keep >= 10, "only {keep} games keep values");
}

#[test]
fn a_value_that_is_not_forgotten_is_noticed() {
    let unforgotten = CompileOptions { keeping: ValueKeeping::Unforgotten, ..CompileOptions::default() };
    let checked = CompileOptions { keeping: ValueKeeping::Checked, ..unforgotten };
    let noticed = bundled_games()
        .filter(|game| !game.program().kept.is_empty())
        .filter(|game| played(game, &compiled(game, unforgotten)) != played(game, &compiled(game, checked)));
    let noticed = noticed.count();
    assert!(noticed >= 5, "only {noticed} games notice it");
}
