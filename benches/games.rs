//! Random playouts, one thread: each game by hand, and by the engine beside it; and what it takes to
//! load a rule file. The times are for a batch; games per second is the throughput.

use std::hint::black_box;
use std::time::Duration;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};

pub mod baseline;

use houserule::engine::batch::{Counts, play_random};
use houserule::loader::{Request, load};

use baseline::{Totals, connect_four, dilido, pig, tic_tac_die, tic_tac_toe};

type Playouts = fn(u64, u64) -> Totals;

/// The games with how many a batch holds, about a millisecond's worth, and their builds: for this
/// processor and for any.
const GAMES: [(&str, u64, Playouts, Option<Playouts>); 5] = [
    ("tic-tac-toe", 40_000, tic_tac_toe::playouts, Some(tic_tac_toe::playouts_portable)),
    ("tic-tac-die", 40_000, tic_tac_die::playouts, Some(tic_tac_die::playouts_portable)),
    ("connect-four", 10_000, connect_four::playouts, None),
    ("dilido", 5_000, dilido::playouts, Some(dilido::playouts_portable)),
    ("pig", 2_000, pig::playouts, None),
];

fn playouts(criterion: &mut Criterion) {
    for (game, batch, by_hand, portable) in GAMES {
        let mut group = criterion.benchmark_group(game);
        group.throughput(Throughput::Elements(batch));
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(4));
        measure(&mut group, "by hand", batch, by_hand);
        if let Some(portable) = portable {
            measure(&mut group, "by hand, any processor", batch, portable);
        }
        measure_engine(&mut group, game, batch);
        group.finish();
    }
}

/// Times batches, each with a seed of its own, so that no branch predictor learns the games by heart.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, batch: u64, playouts: Playouts) {
    let mut seed = 0;
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            seed += 1;
            black_box(playouts(batch, seed))
        });
    });
}

/// The same for the engine.
fn measure_engine(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, batch: u64) {
    let Ok(loaded) = load(&Request { name, ..Request::default() }) else { panic!("{name} does not load") };
    let mut seed = 0;
    group.bench_function("engine", |bencher| {
        bencher.iter(|| {
            seed += 1;
            let (mut counts, mut games) = (Counts::default(), 0u64);
            play_random(
                &loaded.game,
                seed,
                0..batch,
                &mut counts,
                &mut |_| games += 1,
                &mut |index, error| panic!("game {index}: {error}"),
            );
            black_box((counts, games))
        });
    });
}

/// From rule text to a game that can be played.
fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    for name in houserule::bundled::names() {
        let request = Request { name, ..Request::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(load(&request).is_ok())));
    }
    group.finish();
}

criterion_group!(benches, playouts, loading);
criterion_main!(benches);
