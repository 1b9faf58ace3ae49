//! Benchmark of random playouts on one thread, hand-written and in the engine, and of loading rule files. The
//! times are for a batch; games per second are the throughput.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};

pub mod baseline;

use houserule::coverage::try_rules;
use houserule::game::random_games::{UsageCounts, play_random};
use houserule::loader::{LoadError, Loaded, Request, load, load_text};
use houserule::variants::Setting;

use baseline::{Totals, connect_four, dilido, pig, tic_tac_die, tic_tac_toe};

type Playouts = fn(u64, u64) -> Totals;

/// Games, with the number of games in a batch (about a millisecond) and the hand-written builds: for this
/// processor and for any.
const GAMES: [(&str, u64, Playouts, Option<Playouts>); 5] = [
    ("tic-tac-toe", 40_000, tic_tac_toe::playouts, Some(tic_tac_toe::playouts_portable)),
    ("tic-tac-die", 40_000, tic_tac_die::playouts, Some(tic_tac_die::playouts_portable)),
    ("connect-four", 10_000, connect_four::playouts, None),
    ("dilido", 5_000, dilido::playouts, Some(dilido::playouts_portable)),
    ("pig", 2_000, pig::playouts, None),
];

type Settings = &'static [(&'static str, &'static str)];

/// Games without a hand-written version, with their params and the number of games in a batch.
const ENGINE_ALONE: [(&str, Settings, u64); 4] = [
    ("dice-wide-shut", &[], 100),
    ("points", &[("stop", "off")], 4),
    ("points", &[("stop", "off"), ("width", "20"), ("height", "20")], 16),
    ("points", &[("stop", "off"), ("width", "60"), ("height", "60")], 1),
];

/// Points with a flood of the field for each dot.
const FLOODED: &str = "variant \"Points, flooded\" of \"points\" {
    define shut_in(c) = reach(beside(c), cells - dot[me], four) - reach(edge, cells - dot[me], four)
}";

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
    for (name, settings, batch) in ENGINE_ALONE {
        let set: Vec<Setting> = settings.iter().map(|(key, value)| Setting::new(*key, *value)).collect();
        let told =
            settings.iter().skip(1).fold(name.to_owned(), |told, (_, value)| format!("{told} {value}"));
        let mut group = criterion.benchmark_group(told);
        group.throughput(Throughput::Elements(batch));
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(4));
        let request = Request { name, settings: &set, ..Request::default() };
        measure_loaded(&mut group, "engine", load(&request), batch);
        if name == "points" {
            let request = Request { settings: &set, ..Request::default() };
            measure_loaded(&mut group, "flooded", load_text("flooded.rules", FLOODED, &request), batch);
        }
        group.finish();
    }
}

/// Times batches. Each has its own seed, so that no branch predictor learns the games.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, batch: u64, playouts: Playouts) {
    let mut seed = 0;
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            seed += 1;
            black_box(playouts(batch, seed))
        });
    });
}

/// Like `measure`, for the engine.
fn measure_engine(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, batch: u64) {
    measure_loaded(group, "engine", load(&Request { name, ..Request::default() }), batch);
}

fn measure_loaded(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    loaded: Result<Loaded, LoadError>,
    batch: u64,
) {
    let Ok(loaded) = loaded else { panic!("{name} does not load") };
    let mut seed = 0;
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            seed += 1;
            let (mut counts, mut games) = (UsageCounts::default(), 0u64);
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

/// Maximum time of `check` for a bundled file.
const CHECK: Duration = Duration::from_millis(10);

/// Times loading, from rule text to a playable game, and `check`, which it compares with `CHECK`.
#[allow(clippy::print_stdout)]
fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(1)).sample_size(20);
    for name in houserule::bundled::names() {
        let request = Request { name, ..Request::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(load(&request).is_ok())));
    }
    group.finish();
    println!("\n`check` of each bundled file, the median of 21, against {} ms:", CHECK.as_millis());
    let mut slowest = Duration::ZERO;
    for name in houserule::bundled::names() {
        let request = Request { name, ..Request::default() };
        let check = |_| {
            let begun = Instant::now();
            if let Ok(loaded) = load(&request) {
                black_box(try_rules(&loaded.game, 1000, &|_| {}));
            }
            begun.elapsed()
        };
        let mut times: Vec<Duration> = (0..21).map(check).collect();
        times.sort();
        let median = times[times.len() / 2];
        slowest = slowest.max(median);
        let verdict = if median < CHECK { "" } else { "  above the bound" };
        println!("  {name:<32} {:7.3} ms{verdict}", median.as_secs_f64() * 1e3);
    }
    println!("  {:<32} {:7.3} ms", "the slowest", slowest.as_secs_f64() * 1e3);
}

criterion_group!(benches, playouts, loading);
criterion_main!(benches);
