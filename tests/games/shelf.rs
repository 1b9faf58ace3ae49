//! Every bundled variant is played to its end, many times.

use crate::rules::bundled;
use houserule::bundled::ALL;
use houserule::game::random_games::{UsageCounts, play_random};

/// Random games on the whole field are long.
const SMALL_FIELD: &[(&str, &str)] =
    &[("width", "10"), ("height", "8"), ("zone_width", "8"), ("zone_height", "8")];

#[test]
fn ten_thousand_games_of_every_variant_come_to_an_end() {
    let variants: Vec<&str> =
        ALL.iter().filter(|file| file.text.contains("\nvariant ")).map(|file| file.name).collect();
    assert!(variants.len() >= 20, "{variants:?}");
    // Each half has a processor of its own.
    let play = |names: &[&str]| {
        for name in names {
            let params = if name.starts_with("points-") { SMALL_FIELD } else { &[] };
            let (game, mut finished) = (bundled(name, params, None), 0);
            let mut failed = |index, error| panic!("{name}: game {index}: {error}");
            play_random(
                &game,
                3,
                0..10_000,
                &mut UsageCounts::default(),
                &mut |_| finished += 1,
                &mut failed,
            );
            assert_eq!(finished, 10_000, "{name}");
        }
    };
    let (one, other) = variants.split_at(variants.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| play(one));
        play(other);
    });
}
