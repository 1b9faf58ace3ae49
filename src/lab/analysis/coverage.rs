//! How often the intervals of reports, comparisons, ladders and studies contain the truth: repeated samples with known
//! truth, through the functions that print the intervals. The figures stand in `docs/metrics.md`.

#[path = "../../../tests/support/sizes.rs"]
mod sizes;

use super::sections::gap;
use crate::study::compare_within;
use houserule_base::interrupt::Interrupt;
use houserule_base::rng::Stream;
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::paired::{Paired, holm};
use houserule_base::statistics::sample::{
    Interval, below, bootstrap, mean, pooled, quantile, ratio, ratio_of_counts, share,
};
use houserule_base::statistics::{Pairing, Rating, rate};
use houserule_game::Game;
use houserule_loader::{Request, load_text};
use houserule_players::agents::AgentKind;
use houserule_playtest::follow::luck::luck;
use houserule_playtest::{ComparePlan, Precision, RunBudget};
use rand::RngExt;
use rand::distr::Open01;
use rand::distr::weighted::WeightedIndex;
use sizes::{everything, tries};

/// Returns the number of repeated samples.
fn count_runs() -> u64 {
    tries(500, 2_000)
}

/// Three standard errors of a coverage of 95 % over the runs.
fn error(runs: u64) -> f64 {
    3.0 * (0.95 * 0.05 / runs as f64).sqrt()
}

/// Returns the share of the runs in which an interval contains the truth.
fn coverage(runs: u64, truth: f64, draw: impl Fn(&mut Stream) -> Interval) -> f64 {
    let covers = |run: u64| {
        let found = draw(&mut Stream::new(11, run, 0));
        // Rounding must not decide.
        found.low.is_none_or(|low| low <= truth + 1e-9) && found.high.is_none_or(|high| truth <= high + 1e-9)
    };
    (0..runs).filter(|run| covers(*run)).count() as f64 / runs as f64
}

/// Asks that a method which is exact, or nearly, covers in 94 to 96 of 100 runs.
fn honest(name: &str, runs: u64, found: f64) {
    println!("{name}: {found:.3}");
    let wide = error(runs);
    assert!((0.94 - wide..=0.96 + wide).contains(&found), "{name}: {found}");
}

/// Asks that a method which is careful, as with few or rare events, covers in at least 94 of 100 runs.
fn careful(name: &str, runs: u64, found: f64) {
    println!("{name}: {found:.3} (careful)");
    assert!(found >= 0.94 - error(runs), "{name}: {found}");
}

/// A number between 0 and 1.
fn uniform(stream: &mut Stream) -> f64 {
    stream.sample(Open01)
}

/// A skewed number: exponential, with mean 1.
fn skewed(stream: &mut Stream) -> f64 {
    -uniform(stream).ln()
}

/// A normal number, with mean 0 and variance 1 (Box and Muller).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * uniform(stream).ln()).sqrt();
    radius * (2.0 * std::f64::consts::PI * uniform(stream)).cos()
}

fn sample(n: usize, stream: &mut Stream, of: impl Fn(&mut Stream) -> f64) -> Vec<f64> {
    (0..n).map(|_| of(stream)).collect()
}

/// Games of 1 to 20 decisions, each of which counts with a probability that a game shifts by `apart`.
fn games(n: usize, share: f64, apart: f64, stream: &mut Stream) -> Vec<(f64, f64)> {
    (0..n)
        .map(|_| {
            let shifted = share * if stream.random() { 1.0 + apart } else { 1.0 - apart };
            let decisions = stream.random_range(1..=20u64);
            ((0..decisions).filter(|_| stream.random_bool(shifted)).count() as f64, decisions as f64)
        })
        .collect()
}

#[test]
fn means_and_ratios() {
    let of = |n: usize| coverage(count_runs(), 1.0, |stream| mean(&sample(n, stream, skewed)).unwrap());
    honest("mean, 200 skewed numbers", count_runs(), of(200));
    honest("mean, 1,000 skewed numbers", count_runs(), of(1000));
    // Counts of a game, such as turns: geometric, with mean 10.
    let turns = |stream: &mut Stream| (uniform(stream).ln() / 0.9f64.ln()).ceil();
    honest(
        "mean, 200 games' turns",
        count_runs(),
        coverage(count_runs(), 10.0, |s| mean(&sample(200, s, turns)).unwrap()),
    );
    let of = |n: usize| coverage(count_runs(), 0.4, |stream| ratio(&games(n, 0.4, 0.5, stream)).unwrap());
    honest("ratio, 200 games", count_runs(), of(200));
}

#[test]
fn shares_of_games() {
    let of = |truth: f64, n: u64| {
        coverage(count_runs(), truth, |stream| {
            let count = (0..n).filter(|_| stream.random_bool(truth)).count();
            share(count as f64 / n as f64, n).unwrap()
        })
    };
    for (truth, n) in [(0.5, 200), (0.5, 1000), (0.3, 1000), (0.1, 1000)] {
        honest(&format!("share of {truth}, {n} games"), count_runs(), of(truth, n));
    }
    // With a handful of events the coverage goes up and down with the share: its mean over shares is near 95 %.
    let rare = [0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.012, 0.015, 0.02];
    let found = rare.map(|truth| of(truth, 1000));
    honest("rare shares, 1,000 games, mean", count_runs(), found.iter().sum::<f64>() / found.len() as f64);
    // A single share needs all runs for this bound.
    assert!(!everything() || found.iter().all(|found| *found > 0.92), "{found:?}");
}

#[test]
fn shares_of_decisions() {
    for (truth, n) in [(0.4, 200), (0.1, 200), (0.1, 1000)] {
        let found =
            coverage(count_runs(), truth, |stream| ratio_of_counts(&games(n, truth, 0.8, stream)).unwrap());
        honest(&format!("decisions, {truth} of {n} games"), count_runs(), found);
    }
    // Rare: about 4, 10 and 20 decisions of all count.
    for truth in [0.002, 0.005, 0.01] {
        let found =
            coverage(count_runs(), truth, |stream| ratio_of_counts(&games(200, truth, 0.8, stream)).unwrap());
        careful(&format!("decisions, {truth} of 200 games"), count_runs(), found);
    }
    // All decisions of a game count, or none: a game is one event, so few events make the coverage go up and down.
    let whole = |percent: u32, stream: &mut Stream| -> Vec<(f64, f64)> {
        (0..200).map(|_| if stream.random_ratio(percent, 100) { (10.0, 10.0) } else { (0.0, 10.0) }).collect()
    };
    let of = |percent: u32| {
        coverage(count_runs(), f64::from(percent) / 100.0, |stream| {
            ratio_of_counts(&whole(percent, stream)).unwrap()
        })
    };
    let found = [1, 2, 3, 4, 5, 6, 7, 8].map(of);
    honest("whole games, 1 to 8 % of 200, mean", count_runs(), found.iter().sum::<f64>() / 8.0);
}

#[test]
fn quantiles_of_lengths() {
    let of = |at: f64, truth: f64, n: usize| {
        coverage(count_runs(), truth, |stream| quantile(&mut sample(n, stream, skewed), at).unwrap())
    };
    honest("median, 400 games", count_runs(), of(0.5, 2.0f64.ln(), 400));
    honest("95th percentile, 1,000 games", count_runs(), of(0.95, 20.0f64.ln(), 1000));
    // Whole numbers share their values, so the interval of the median turns is careful.
    let turns = |stream: &mut Stream| (uniform(stream).ln() / 0.9f64.ln()).ceil();
    let found = coverage(count_runs(), 7.0, |stream| quantile(&mut sample(400, stream, turns), 0.5).unwrap());
    careful("median turns, 400 games", count_runs(), found);
}

#[test]
fn the_bootstrap() {
    let runs = tries(120, 1_000);
    let of_mean = |stream: &mut Stream| {
        let numbers = sample(200, stream, uniform);
        bootstrap(200, |games| Some(games.iter().map(|game| numbers[*game]).sum::<f64>() / 200.0)).unwrap()
    };
    honest("bootstrap of a mean, 200 games", runs, coverage(runs, 0.5, of_mean));
    // Open variance: results vary by 1 before and by 1 after a moment, so half is open.
    let open = |stream: &mut Stream| {
        let numbers: Vec<(f64, f64)> = (0..200).map(|_| (normal(stream), normal(stream))).collect();
        bootstrap(200, |games| {
            let of = |figure: fn(&(f64, f64)) -> f64| {
                games.iter().map(|game| figure(&numbers[*game])).sum::<f64>()
            };
            let mean = of(|pair| pair.0 + pair.1) / 200.0;
            let all =
                games.iter().map(|game| (numbers[*game].0 + numbers[*game].1 - mean).powi(2)).sum::<f64>();
            Some((of(|pair| pair.1.powi(2)) / all).min(1.0))
        })
        .unwrap()
    };
    honest("open variance, 200 games", runs, coverage(runs, 0.5, open));
}

#[test]
fn parts_of_the_variance() {
    let runs = tries(120, 1_000);
    // Three agents apart by 1: a variance of 1 between them. Dice and rest have a variance of 1 each.
    let rows = |apart: f64, dice: f64, stream: &mut Stream| -> Vec<Vec<f64>> {
        (0..100)
            .map(|_| {
                let roll = normal(stream) * dice;
                [-apart, 0.0, apart].map(|agent| agent + roll + normal(stream)).to_vec()
            })
            .collect()
    };
    let of = |truth: f64, apart: f64, dice: f64, part: usize| {
        coverage(runs, truth, |stream| {
            let found = luck(&rows(apart, dice, stream)).unwrap();
            [found.skill, found.dice, found.rest][part]
        })
    };
    honest("skill, a third", runs, of(1.0 / 3.0, 1.0, 1.0, 0));
    honest("dice, a third", runs, of(1.0 / 3.0, 1.0, 1.0, 1));
    honest("rest, a third", runs, of(1.0 / 3.0, 1.0, 1.0, 2));
    // The share can't be less than 0, so near 0 the interval is careful.
    careful("skill, 1 %", runs, of(0.02 / 2.02, 0.02f64.sqrt(), 1.0, 0));
    // Without skill the interval begins at 0.
    careful("no skill", runs, of(0.0, 0.0, 1.0, 0));
}

#[test]
fn trainings() {
    // The truth is that of these two players, whose means differ.
    let of = |apart: f64| {
        coverage(count_runs(), 1.0, |stream| {
            let mut training = |shift: f64| {
                let found = mean(&sample(200, stream, |stream| skewed(stream) + shift)).unwrap();
                (found.value, (found.half().unwrap() / NORMAL).powi(2))
            };
            pooled(&[training(-apart), training(apart)]).unwrap()
        })
    };
    careful("two trainings alike", count_runs(), of(0.0));
    careful("two trainings apart", count_runs(), of(0.2));
}

#[test]
fn seats() {
    // The truth is the greatest of the differences.
    let of = |chances: &[f64], games: u64| {
        let most = chances.iter().fold(0.0, |most: f64, one| most.max(*one));
        let least = chances.iter().fold(1.0, |least: f64, one| least.min(*one));
        let seats = WeightedIndex::new(chances).unwrap();
        coverage(count_runs(), most - least, |stream| {
            let mut wins = vec![0.0; chances.len()];
            for _ in 0..games {
                wins[stream.sample(&seats)] += 1.0;
            }
            let wins: Vec<Interval> =
                wins.iter().map(|won| share(won / games as f64, games).unwrap()).collect();
            gap(&wins, games).unwrap()
        })
    };
    honest("two seats, 55 to 45, 1,000 games", count_runs(), of(&[0.55, 0.45], 1000));
    honest("two seats, 98 to 2, 100 games", count_runs(), of(&[0.98, 0.02], 100));
    careful("three seats, one ahead, 500 games", count_runs(), of(&[0.5, 0.3, 0.2], 500));
}

#[test]
fn ratings() {
    let runs = 1000;
    // Three players, 100 games of each two in either order of seats.
    let of = |ratings: [f64; 3], figure: &dyn Fn(&Rating) -> Interval, truth: f64| {
        coverage(runs, truth, |stream| {
            let mut found = vec![];
            for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                let odds = 10f64.powf((ratings[first] - ratings[second]) / 400.0);
                let mut result = || if stream.random_bool(odds / (1.0 + odds)) { 1 } else { -1 };
                found.push(Pairing {
                    first,
                    second,
                    results: (0..100).map(|game| (game, result())).collect(),
                });
            }
            figure(&rate(3, &found, false))
        })
    };
    let one = |at: usize| {
        move |rating: &Rating| Interval::around(rating.players[at].elo, Some(NORMAL * rating.players[at].se))
    };
    honest("Elo, the strongest of 3", runs, of([100.0, 0.0, -100.0], &one(0), 100.0));
    honest("Elo, the middle of 3", runs, of([100.0, 0.0, -100.0], &one(1), 0.0));
    let doubled = |rating: &Rating| {
        let apart = rating.players[0].elo - rating.players[1].elo;
        Interval::around(apart / 2.0, Some(NORMAL * rating.apart[0][1] / 2.0))
    };
    honest("Elo for a doubling", runs, of([100.0, 0.0, -100.0], &doubled, 50.0));
    honest("Elo, far apart", runs, of([400.0, 0.0, -400.0], &one(0), 400.0));
}

#[test]
fn paired_differences() {
    // Scores on the same dice: half of the variance is shared.
    let scores = |stream: &mut Stream| {
        let mut sums = Paired::new(1, 1);
        for _ in 0..200 {
            let roll = stream.random_range(0..20);
            sums.add(roll + stream.random_range(0..10), roll + stream.random_range(1..=10));
        }
        let found = sums.difference(0.0);
        Interval::around(found.mean, Some(found.half_width))
    };
    honest("difference of scores, 200 pairs", count_runs(), coverage(count_runs(), 1.0, scores));
    let shares = |a: u32, b: u32, n: u64| {
        coverage(count_runs(), (f64::from(b) - f64::from(a)) / 1000.0, |stream| {
            let mut sums = Paired::new(1, 1);
            let mut happens = |permille: u32| i64::from(stream.random_ratio(permille, 1000));
            (0..n).for_each(|_| sums.add(happens(a), happens(b)));
            let found = sums.difference_of_shares(0.0);
            Interval::around(found.mean, Some(found.half_width))
        })
    };
    honest("difference of shares, 30 and 40 %, 400 pairs", count_runs(), shares(300, 400, 400));
    careful("difference of shares, 2 and 4 %, 50 pairs", count_runs(), shares(20, 40, 50));
    careful("difference of shares, 0.5 and 1 %, 400 pairs", count_runs(), shares(5, 10, 400));
    careful("difference of shares, none and 1 %, 400 pairs", count_runs(), shares(0, 10, 400));
}

#[test]
fn corrected_differences_and_what_never_occurred() {
    // Twenty differences of which none is true: in at most 5 of 100 runs is any reported.
    let reports = |run: u64| {
        let mut stream = Stream::new(5, run, 0);
        let chance = |_| {
            let mut sums = Paired::new(1, 1);
            (0..100).for_each(|_| sums.add(stream.random_range(0..9), stream.random_range(0..9)));
            sums.difference(0.0).p
        };
        holm(&(0..20).map(chance).collect::<Vec<_>>()).iter().any(|p| *p < 0.05)
    };
    let found = (0..count_runs()).filter(|run| reports(*run)).count() as f64 / count_runs() as f64;
    println!("Holm, 20 differences: {:.3}", 1.0 - found);
    assert!(found <= 0.05 + error(count_runs()), "{found}");
    // The bound of what never occurred is wrong in at most 5 of 100 runs, whatever the share is.
    for n in [20, 200, 1000] {
        let never = |share: f64| (1.0 - share).powi(n);
        assert!((never(below(n as u64)) - 0.05).abs() < 1e-9);
        let wrong = |run: u64| {
            let mut stream = Stream::new(6, run, 0);
            let truth = below(n as u64) * 1.001;
            !(0..n).any(|_| stream.random_bool(truth))
        };
        let found = 1.0 - (0..count_runs()).filter(|run| wrong(*run)).count() as f64 / count_runs() as f64;
        honest(&format!("what never occurred in {n} games"), count_runs(), found);
    }
}

/// Two games of a lone player, who rolls until the sum of the dice is 40, and 20. A game scores its rolls, so long games score
/// most. Also returns the difference of their means, by the recursion over sums.
fn races() -> ([Game; 2], f64) {
    let game = |goal: usize| {
        let text = format!(
            "game \"to {goal}\" {{ players 1 dice die: 1 of d6 each turn var way: 0..50 = 0 var rolls: 0..50 = 0\n \
             turn {{ roll die way += die rolls += 1 }} end when way >= {goal} score {{ rolls: rolls }} }}"
        );
        load_text("race", &text, &Request::default()).unwrap().game
    };
    // The mean number of rolls to a sum of 0, 1, 2 and so on, from 0.
    let mut rolls = vec![0.0];
    for goal in 1..=40usize {
        let after = (1..=6).map(|die| goal.checked_sub(die).map_or(0.0, |left| rolls[left]));
        rolls.push(1.0 + after.sum::<f64>() / 6.0);
    }
    ([game(40), game(20)], rolls[20] - rolls[40])
}

/// Compares the games of [`races`]. Returns the number of pairs, and the interval of the difference of the scores.
fn compare_races(games: &[Game; 2], seed: u64, budget: RunBudget, stop: &Interrupt) -> (u64, Interval) {
    let plan = ComparePlan {
        games: Some(100_000),
        first: 0,
        seeds: [seed; 2],
        threads: 1,
        agents: vec![AgentKind::Random],
        match_play: false,
        keep_partial: true,
    };
    let [a, b] = games;
    let found = compare_within(a, b, &plan, &budget, &|_| true, stop).unwrap().found;
    let score = found.agents[0].quantities.iter().find(|quantity| quantity.kind.name == "score").unwrap();
    (found.agents[0].games, Interval { value: score.difference, low: score.low, high: score.high })
}

/// Returns how many of some runs contain the difference, and the fewest and the most pairs of a run.
fn cover_races(runs: u64, run: impl Fn(&[Game; 2], u64) -> (u64, Interval)) -> (f64, [u64; 2]) {
    let (games, truth) = races();
    let (mut covered, mut pairs) = (0, [u64::MAX, 0]);
    for seed in 0..runs {
        let (played, found) = run(&games, seed);
        covered += u64::from(
            found.low.is_none_or(|low| low <= truth) && found.high.is_none_or(|high| truth <= high),
        );
        pairs = [pairs[0].min(played), pairs[1].max(played)];
    }
    (covered as f64 / runs as f64, pairs)
}

#[test]
fn intervals_hold_where_a_time_a_precision_or_an_interruption_ends_a_run() {
    let runs = tries(60, 1_000);
    let seconds = |seconds: f64| RunBudget { seconds: Some(seconds), ..RunBudget::default() };
    let (found, pairs) =
        cover_races(runs, |games, seed| compare_races(games, seed, seconds(0.02), &Interrupt::new()));
    println!("pairs in a time: {pairs:?}");
    honest("the time is over", runs, found);
    let (found, _) = cover_races(runs, |games, seed| {
        let precision = vec![Precision { metric: "score".to_owned(), half_width: 0.3 }];
        compare_races(games, seed, RunBudget { precision, ..RunBudget::default() }, &Interrupt::new())
    });
    honest("the precision is reached", runs, found);
    let (found, pairs) = cover_races(runs, |games, seed| {
        let plan = RunBudget::default();
        // Different from run to run, so that it strikes anywhere.
        let stop = Interrupt::new().within(0.01 + 0.000_01 * (seed % 500) as f64);
        compare_races(games, seed, plan, &stop)
    });
    println!("pairs until an interruption: {pairs:?}");
    honest("an interruption", runs, found);
}
