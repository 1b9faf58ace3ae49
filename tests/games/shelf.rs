//! Every bundled variant is played to its end, many times.

use crate::extent;
use crate::rules::bundled;
use houserule::bundled::ALL;
use houserule::game::random_games::{Finished, UsageCounts, play_random};

/// Random games on the whole field are long.
const SMALL_FIELD: &[(&str, &str)] =
    &[("width", "10"), ("height", "8"), ("zone_width", "8"), ("zone_height", "8")];

/// Number of games of each variant, if their decisions come to fewer than [`DECISIONS`].
const GAMES: u64 = 2_000;

/// In `./test`, one of so many games and decisions.
const PART: u64 = 40;

/// Number of decisions after which no more games are begun.
const DECISIONS: u64 = 40_000;

#[test]
fn many_games_of_every_variant_come_to_an_end() {
    let variants: Vec<&str> =
        ALL.iter().filter(|file| file.text.contains("\nvariant ")).map(|file| file.name).collect();
    assert!(variants.len() >= 20, "{variants:?}");
    let tried: Vec<&str> = extent::some_of("shelf", 4, variants).collect();
    let part = extent::tries(PART, 1);
    let play = |name: &str| {
        let params = if name.starts_with("points-") { SMALL_FIELD } else { &[] };
        let game = bundled(name, params, None);
        let mut failed = |index, error| panic!("{name}: game {index}: {error}");
        let (mut games, mut decisions) = (0, 0);
        while games < GAMES / part && decisions < DECISIONS / part {
            let some = games..games + 50;
            let counts = &mut UsageCounts::default();
            let mut count = |game: Finished<'_>| {
                games += 1;
                decisions += game.counters.decisions;
            };
            play_random(&game, 3, some, counts, &mut count, &mut failed);
        }
        assert!(games >= 50, "{name}: {games} games came to an end");
    };
    // Each half has a processor of its own.
    std::thread::scope(|scope| {
        scope.spawn(|| tried.iter().step_by(2).for_each(|name| play(name)));
        tried.iter().skip(1).step_by(2).for_each(|name| play(name));
    });
}
