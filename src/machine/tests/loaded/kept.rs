//! The steps of the compiler that can be switched off, among them values that are kept: the games are those of a program
//! without them, word for word.

use std::path::Path;

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
        let mut run_state = RunState::new(program);
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

/// The games that were written by others than the shelf.
pub(crate) fn outside_games() -> impl Iterator<Item = Game> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/outside");
    let files = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "rules")).collect();
    files.sort();
    assert!(files.len() >= 16, "only {} games from outside", files.len());
    files.into_iter().map(|path| {
        let name = path.to_str().expect("a plain name");
        load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{error}")).game
    })
}

#[test]
fn games_are_the_same_with_each_step_of_the_compiler() {
    let off = CompileOptions {
        keeping: ValueKeeping::Off,
        masks: false,
        nests: false,
        singles: false,
        pairs: false,
        origins: false,
    };
    let steps = [
        ("values are kept", CompileOptions { keeping: ValueKeeping::On, ..off }),
        ("masks", CompileOptions { masks: true, ..off }),
        ("nests", CompileOptions { nests: true, ..off }),
        ("single elements", CompileOptions { singles: true, ..off }),
        ("tables of two inputs", CompileOptions { pairs: true, ..off }),
    ];
    let (mut keep, mut changed) = (0, [0; 5]);
    for game in bundled_games().chain(outside_games()) {
        let name = &game.identity().name;
        let plain = compiled(&game, off);
        let wanted = played(&game, &plain);
        keep += usize::from(!game.program().kept.is_empty());
        for (changed, (step, options)) in changed.iter_mut().zip(steps) {
            let program = compiled(&game, options);
            *changed += usize::from(program.code != plain.code);
            assert!(played(&game, &program) == wanted, "{name} with {step} alone");
        }
        for keeping in [ValueKeeping::On, ValueKeeping::Checked] {
            let program = compiled(&game, CompileOptions { keeping, ..CompileOptions::default() });
            assert!(played(&game, &program) == wanted, "{name} with everything, {keeping:?}");
        }
    }
    assert!(keep >= 10, "only {keep} games keep values");
    for (changed, (step, _)) in changed.into_iter().zip(steps) {
        assert!(changed >= 3, "{step} change only {changed} programs");
    }
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
