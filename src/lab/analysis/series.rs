//! Series over a game, each with eleven statistics: the counterparts of Ludii's (Piette et al. 2021). They are in the
//! JSON only, since few of them tell a designer anything.

use super::evidence::Evidence;
use super::page::{SeriesFigures, SeriesStatistic};
use houserule_base::statistics::sample::mean;
use houserule_game::Game;
use houserule_model::board::Site;
use houserule_playtest::follow::odds::Expectations;
use houserule_playtest::follow::places::named_sites;
use houserule_playtest::follow::track::Track;

/// Computes a statistic; `None` if the series is too short for it.
type SeriesStatisticOf = fn(&[f64]) -> Option<f64>;

/// The statistics of a series of numbers y₀ … yₘ.
const STATISTICS: [(&str, SeriesStatisticOf); 11] = [
    ("average", |y| Some(y.iter().sum::<f64>() / y.len() as f64)),
    ("median", |y| Some(median(y))),
    ("maximum", |y| y.iter().copied().reduce(f64::max)),
    ("minimum", |y| y.iter().copied().reduce(f64::min)),
    ("variance", |y| {
        let mean = y.iter().sum::<f64>() / y.len() as f64;
        Some(y.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / y.len() as f64)
    }),
    ("change_average", |y| Some((y.last()? - y.first()?) / steps(y)?)),
    ("change_sign", |y| {
        let signs: f64 = changes(y).map(|change| if change == 0.0 { 0.0 } else { change.signum() }).sum();
        Some(signs / steps(y)?)
    }),
    ("change_line", |y| slope(y)),
    ("reversals", |y| {
        steps(y)?;
        let signs: Vec<f64> = changes(y).filter(|change| *change != 0.0).map(f64::signum).collect();
        Some(signs.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64)
    }),
    ("maximum_increase", |y| {
        steps(y)?;
        Some(changes(y).fold(0.0, f64::max))
    }),
    ("maximum_decrease", |y| {
        steps(y)?;
        Some(changes(y).fold(0.0, f64::min))
    }),
];

/// The number of steps, if there are any.
fn steps(y: &[f64]) -> Option<f64> {
    (y.len() > 1).then(|| (y.len() - 1) as f64)
}

fn changes(y: &[f64]) -> impl Iterator<Item = f64> {
    y.windows(2).map(|pair| pair[1] - pair[0])
}

fn median(y: &[f64]) -> f64 {
    let mut sorted = y.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = ((sorted.len() - 1) / 2, sorted.len() / 2);
    (sorted[low] + sorted[high]) / 2.0
}

/// The slope of the least-squares line, per step.
fn slope(y: &[f64]) -> Option<f64> {
    steps(y)?;
    let n = y.len() as f64;
    let (middle, mean) = ((n - 1.0) / 2.0, y.iter().sum::<f64>() / n);
    let of = y.iter().enumerate().map(|(x, y)| (x as f64 - middle, y - mean));
    let (product, square) = of.fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x * y, sum.1 + x * x));
    Some(product / square)
}

/// Returns all series that the games of a learned player have.
pub(super) fn series(all: &Evidence<'_>) -> Vec<SeriesFigures> {
    let trusted = all.trusted().is_ok();
    let several = all.game.players() > 1;
    let mut found: Vec<(&'static str, Vec<Vec<f64>>)> = vec![];
    let mut put = |name, numbers: Vec<f64>| {
        if numbers.is_empty() {
            return;
        }
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, games)) => games.push(numbers),
            None => found.push((name, vec![numbers])),
        }
    };
    let distances = Distances::new(all.game);
    for followed in &all.followed {
        for track in &followed.tracks.games {
            let legal = || track.choices.iter().map(|choice| f64::from(choice.legal));
            put("legal_actions", legal().collect());
            put("choices", legal().filter(|legal| *legal > 1.0).collect());
            put(
                "value_variance",
                track
                    .choices
                    .iter()
                    .filter_map(|choice| Some(choice.values.as_ref()?.variance.into()))
                    .collect(),
            );
            put(
                "occupied",
                track.moments.iter().filter_map(|moment| moment.occupied.map(f64::from)).collect(),
            );
            put(
                "score_difference",
                track.moments.iter().filter_map(|moment| Some(moment.score_gap? as f64)).collect(),
            );
            put("move_distance", distances.move_distances(all.game, track));
        }
        for course in followed.courses.iter().filter(|_| trusted && several) {
            put("mover_value", mover(course));
            // Nobody leads players who win or lose together.
            if !all.game.model().is_cooperative() {
                put("lead", course.expected.iter().map(|shares| lead(shares)).collect());
                put("deficit", deficit(course));
            }
        }
    }
    let figures = found.into_iter().map(|(name, games)| SeriesFigures {
        series: name,
        games: games.len() as u64,
        statistics: STATISTICS
            .iter()
            .filter_map(|(statistic, of)| {
                let found = mean(&games.iter().filter_map(|game| of(game)).collect::<Vec<_>>())?;
                Some(SeriesStatistic { statistic, value: found.value, low: found.low, high: found.high })
            })
            .collect(),
    });
    figures.collect()
}

fn lead(shares: &[f64]) -> f64 {
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - shares.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The expectation of the seat that decided, after its action.
fn mover(course: &Expectations) -> Vec<f64> {
    let after = course.seats.iter().zip(course.expected.iter().skip(1));
    after.filter_map(|(seat, shares)| Some(shares[(*seat)? as usize])).collect()
}

/// How far the winner is behind, before decisions. Empty for shared wins.
fn deficit(course: &Expectations) -> Vec<f64> {
    let Some(winner) = course.results.iter().position(|share| *share == 1.0) else { return vec![] };
    let before = course.seats.iter().zip(&course.expected).filter(|(seat, _)| seat.is_some());
    before
        .map(|(_, shares)| shares.iter().copied().fold(f64::NEG_INFINITY, f64::max) - shares[winner])
        .collect()
}

/// Steps between the sites of each board.
struct Distances(Vec<Option<Vec<Vec<u32>>>>);

impl Distances {
    /// Maximum number of sites of a board whose distances are computed.
    const MOST: u32 = 400;

    fn new(game: &Game) -> Distances {
        let boards = game.model().boards.iter().map(|board| {
            let topology = &board.topology;
            let from = |start: u32| {
                let mut steps = vec![u32::MAX; topology.size() as usize];
                steps[start as usize] = 0;
                let mut queue = std::collections::VecDeque::from([start]);
                while let Some(site) = queue.pop_front() {
                    for next in topology.around(Site(site)).iter() {
                        if steps[next as usize] == u32::MAX {
                            steps[next as usize] = steps[site as usize] + 1;
                            queue.push_back(next);
                        }
                    }
                }
                steps
            };
            (topology.size() <= Distances::MOST).then(|| (0..topology.size()).map(from).collect())
        });
        Distances(boards.collect())
    }

    /// The distances of the moves of a game: actions that name two sites of a board.
    fn move_distances(&self, game: &Game, track: &Track) -> Vec<f64> {
        let moves =
            track.choices.iter().filter_map(|choice| match named_sites(game, choice.taken).as_slice() {
                [(board, from), (other, to)] if board == other => {
                    let steps = self.0[*board].as_ref()?[*from as usize][*to as usize];
                    (steps != u32::MAX && steps > 0).then_some(f64::from(steps))
                }
                _ => None,
            });
        moves.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistic(name: &str, y: &[f64]) -> Option<f64> {
        STATISTICS.iter().find(|(known, _)| *known == name).and_then(|(_, of)| of(y))
    }

    #[test]
    fn statistics_by_hand() {
        // A board of two sites that fills: 0, ½, 1.
        let filling = [0.0, 0.5, 1.0];
        let expected = [
            ("average", 0.5),
            ("median", 0.5),
            ("maximum", 1.0),
            ("minimum", 0.0),
            ("variance", 1.0 / 6.0),
            ("change_average", 0.5),
            ("change_sign", 1.0),
            ("change_line", 0.5),
            ("reversals", 0.0),
            ("maximum_increase", 0.5),
            ("maximum_decrease", 0.0),
        ];
        for (name, value) in expected {
            assert!((statistic(name, &filling).unwrap() - value).abs() < 1e-12, "{name}");
        }
        assert_eq!(statistic("reversals", &[1.0, 3.0, 3.0, 2.0, 4.0]), Some(2.0));
        assert_eq!(statistic("change_line", &[5.0]), None, "one number has no change");
        assert_eq!(statistic("median", &[1.0, 9.0, 2.0, 4.0]), Some(3.0));
    }
}
