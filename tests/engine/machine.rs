//! The interpreter and compiled code against each other: the same words, draws, faults and counts.

use houserule::engine::machine::agree;
use houserule::loader::{Request, load};

/// Games of each bundled file; `HOUSERULE_GAMES` asks for more.
const GAMES: u64 = 200;

#[test]
fn compiled_code_plays_the_games_of_the_interpreter() {
    let games = std::env::var("HOUSERULE_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(GAMES);
    let mut compared = 0;
    for name in houserule::bundled::names() {
        let Ok(loaded) = load(&Request { name, ..Request::default() }) else { continue };
        match agree(&loaded.game, 1, games) {
            Ok(of) => compared += of,
            Err(what) => panic!("{name}: {what}"),
        }
    }
    assert!(compared > 0 || !cfg!(feature = "compile"), "nothing was compiled");
}
