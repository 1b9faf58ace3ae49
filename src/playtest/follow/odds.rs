//! From values to expectations: of each seat's share of the win, or in a one-player game of the score. Exact values are
//! expectations already.
//!
//! A learned value is on no scale. It is mapped to what happened in finished games by isotonic regression
//! (Zadrozny and Elkan 2002), on four fifths of the games for the other fifth (cross-fitting: Chernozhukov et al.
//! 2018). Values of the best action of a seat that decides, values after a seat's own action, and other values have a map
//! each. The maps are checked on random positions of each game.

use houserule_base::rng::Stream;
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::isotonic::Isotonic;
use houserule_base::statistics::sample::{Interval, bootstrap};
use houserule_game::Seat;
use houserule_model::Model;
use rand::RngExt;

use super::track::{Moment, Track};

/// Number of parts of the games, of which each is mapped by a fit to the others.
const FOLDS: usize = 5;

/// Minimum number of games for a fit.
pub const LEAST_GAMES: usize = 100;

/// Positions of each game that a check draws.
const DRAWN: usize = 8;

/// Number of groups of positions in a check of the map.
const GROUPS: usize = 10;

/// Greatest root-mean-square error of calibrated shares of the win. In a one-player game, relative to the standard
/// deviation of the score.
pub const MOST_ERROR: f64 = 0.05;

/// Greatest movement ratio with which figures are computed that sum up changes, or wait for expectations to stay.
pub const MOST_MOVEMENT: f64 = 1.5;

/// The expectations over a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectations {
    /// What each seat got in the end.
    pub results: Vec<f64>,
    /// The expectations of the seats before each event, and last the results.
    pub expected: Vec<Vec<f64>>,
    /// Which seat decides at each moment; `None` for chance, and at the end.
    pub seats: Vec<Option<u32>>,
    /// Of each decision among several actions: expectations of the seat after its actions, of which more is better.
    pub choices: Vec<ChoiceOdds>,
}

impl Expectations {
    /// Returns the expectations of the sides, in place of those of their players. Where all players win or lose together, the
    /// rules are the second side: they win where the players lose.
    pub fn by_side(&self, model: &Model) -> Expectations {
        let first = |seat: &u32| model.team_of(Seat(*seat)).first() == Some(*seat);
        let firsts: Vec<usize> = (0..model.players.count).filter(first).map(|seat| seat as usize).collect();
        let is_cooperative = model.is_cooperative();
        let of_sides = |shares: &Vec<f64>| -> Vec<f64> {
            let mut own: Vec<f64> = firsts.iter().filter_map(|seat| shares.get(*seat).copied()).collect();
            if is_cooperative {
                own.extend(own.first().map(|share| 1.0 - share));
            }
            own
        };
        let side = |seat: u32| model.side_of(Seat(seat));
        Expectations {
            results: of_sides(&self.results),
            expected: self.expected.iter().map(of_sides).collect(),
            seats: self.seats.iter().map(|seat| seat.map(side)).collect(),
            choices: self
                .choices
                .iter()
                .map(|choice| ChoiceOdds { seat: side(choice.seat), ..*choice })
                .collect(),
        }
    }
}

/// Expectations of the seat that decides, after its actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceOdds {
    /// Index of the moment.
    pub moment: usize,
    /// Index of the decision in its game.
    pub choice: usize,
    /// The seat that chose.
    pub seat: u32,
    /// Expectation after the best action.
    pub best: f64,
    /// After the second best.
    pub second: f64,
    /// Mean over the legal actions.
    pub mean: f64,
    /// After the worst.
    pub least: f64,
}

/// How well the expectations agree with what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Groups of positions: mean expectation, mean result, and their number.
    pub groups: Vec<(Interval, Interval, u64)>,
    /// Root-mean-square difference between expectation and result, without the part that chance of the sample
    /// explains, with its interval.
    pub error: Interval,
    /// 1 − (squared error / squared error of the mean result); above 0 if the values tell anything.
    pub skill: Interval,
    /// Sum of the squared changes over a game, divided by the squared distance from start to result: 1 for true
    /// expectations, since their changes are uncorrelated (Augenblick and Rabin 2021).
    pub movement: Interval,
    /// The standard deviation of the results.
    pub deviation: f64,
    /// Whether errors are relative to the deviation: results are scores.
    pub scaled: bool,
}

impl Calibration {
    /// Returns `true` if all games had the same result, so that there is nothing to foretell.
    pub fn is_constant(&self) -> bool {
        self.deviation == 0.0
    }

    /// Returns the error in shares of the win, or relative to the standard deviation of the score.
    pub fn relative_error(&self) -> f64 {
        self.error.value / if self.scaled { self.deviation } else { 1.0 }
    }

    /// Returns `true` if figures may be computed from the expectations.
    pub fn holds(&self) -> bool {
        self.relative_error() <= MOST_ERROR && self.skill.low.is_some_and(|low| low > 0.0)
    }
}

/// Maps the learned values of games that one player played. `sides` has the number of each seat's side. `worth` converts a
/// result to a number of which more is better, and back: its sign is changed where the least score is best. Returns `None`
/// for fewer than [`LEAST_GAMES`].
pub fn courses(tracks: &[Track], sides: &[u32], worth: &dyn Fn(f64) -> f64) -> Option<Vec<Expectations>> {
    if tracks.len() < LEAST_GAMES {
        return None;
    }
    let mut courses = vec![Expectations::default(); tracks.len()];
    for fold in 0..FOLDS {
        let mut rows: [Vec<(f64, f64, f64)>; 3] = Default::default();
        for (_, track) in tracks.iter().enumerate().filter(|(at, _)| at % FOLDS != fold) {
            // Each game has the same weight, whatever its length.
            let weight = 1.0 / track.moments.len() as f64;
            let mut last = None;
            for moment in &track.moments[..track.moments.len() - 1] {
                for (seat, value) in moment.values.iter().enumerate() {
                    let of = ValueKind::of_moment(moment.seat, last, seat);
                    rows[of as usize].push((f64::from(*value), worth(track.results[seat]), weight));
                }
                last = moment.seat.or(last);
            }
        }
        let maps = Maps(rows.map(Isotonic::fit));
        for (at, track) in tracks.iter().enumerate().filter(|(at, _)| at % FOLDS == fold) {
            let expected =
                |moment: &Moment, last| maps.expected(moment, last, sides).into_iter().map(worth).collect();
            courses[at] = course(track, &expected, &|value| maps.at(ValueKind::Best, value));
        }
    }
    Some(courses)
}

/// Returns the expectations of games that were followed with exact values.
pub fn exact_courses(tracks: &[Track]) -> Vec<Expectations> {
    let exact = |moment: &Moment, _| moment.values.iter().map(|value| f64::from(*value)).collect();
    let has_values = |moment: &Moment| !moment.values.is_empty();
    let tracks = tracks.iter().filter(|track| track.moments.iter().all(has_values));
    tracks.map(|track| course(track, &exact, &f64::from)).collect()
}

/// How a learned value of a seat came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    /// The best action of the seat that decides.
    Best,
    /// The state after the seat's own action, before chance acts.
    After,
    /// The state after another's action, or before any.
    Other,
}

impl ValueKind {
    /// Returns the kind of a seat's value. `decides` is the seat that decides, if any, and `last` the one that decided last.
    fn of_moment(decides: Option<u32>, last: Option<u32>, seat: usize) -> ValueKind {
        let seat = Some(seat as u32);
        match (decides, last) {
            (Some(_), _) if decides == seat => ValueKind::Best,
            (None, Some(_)) if last == seat => ValueKind::After,
            _ => ValueKind::Other,
        }
    }
}

/// The map of each kind of value.
struct Maps([Isotonic; 3]);

impl Maps {
    fn at(&self, kind: ValueKind, value: f32) -> f64 {
        self.0[kind as usize].at(f64::from(value))
    }

    /// Returns the expectations of a state. The seat that decides, or decided last, knows most: its side gets what its value says,
    /// and the other sides share the rest in proportion to what their values say in the mean. `sides` has the number of each
    /// seat's side.
    fn expected(&self, moment: &Moment, last: Option<u32>, sides: &[u32]) -> Vec<f64> {
        let seats = moment.values.iter().enumerate();
        let mapped: Vec<f64> = seats
            .map(|(seat, value)| self.at(ValueKind::of_moment(moment.seat, last, seat), *value))
            .collect();
        if sides.len() < 2 {
            return mapped;
        }
        let known = moment.seat.or(last).map(|seat| seat as usize);
        let own = known.and_then(|seat| mapped.get(seat)).map_or(0.0, |value| value.clamp(0.0, 1.0));
        let known = known.and_then(|seat| sides.get(seat).copied());
        let count = sides.iter().max().map_or(0, |last| last + 1);
        let mean = |side: u32| {
            let of_side = sides.iter().zip(&mapped).filter(|(of, _)| **of == side);
            let values: Vec<f64> = of_side.map(|(_, value)| *value).collect();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        };
        let means: Vec<f64> = (0..count).map(mean).collect();
        let others = || (0..count).zip(&means).filter(|(side, _)| Some(*side) != known);
        let rest: f64 = others().map(|(_, mean)| mean).sum();
        let share = |side: u32, mean: f64| match (Some(side) == known, rest > 0.0) {
            (true, _) => own,
            // All win or lose together.
            _ if count == 1 => mean.clamp(0.0, 1.0),
            (false, true) => (1.0 - own) * mean / rest,
            (false, false) => (1.0 - own) / others().count() as f64,
        };
        let shares: Vec<f64> = (0..).zip(&means).map(|(side, mean)| share(side, *mean)).collect();
        sides.iter().filter_map(|side| shares.get(*side as usize).copied()).collect()
    }
}

/// Returns the expectations over a game. `expected` gets a moment and the seat that decided last; `action` converts the
/// value of an action.
fn course(
    track: &Track,
    expected: &dyn Fn(&Moment, Option<u32>) -> Vec<f64>,
    action: &dyn Fn(f32) -> f64,
) -> Expectations {
    let mut last = None;
    let mut all = vec![];
    for moment in &track.moments[..track.moments.len() - 1] {
        all.push(expected(moment, last));
        last = moment.seat.or(last);
    }
    all.push(track.results.clone());
    let choices = track.choices.iter().enumerate().filter_map(|(choice, made)| {
        let values = made.values.as_ref()?;
        Some(ChoiceOdds {
            moment: made.moment as usize,
            choice,
            seat: made.seat,
            best: action(values.best),
            second: action(values.second),
            mean: action(values.mean),
            least: action(values.least),
        })
    });
    Expectations {
        results: track.results.clone(),
        expected: all,
        seats: track.moments.iter().map(|moment| moment.seat).collect(),
        choices: choices.collect(),
    }
}

/// Checks expectations against results, on [`DRAWN`] random positions of each game. Returns `None` for too few games.
pub fn check(courses: &[Expectations]) -> Option<Calibration> {
    let mut stream = Stream::new(0xca11, courses.len() as u64, 0);
    let drawn: Vec<Vec<CheckedPosition>> = courses
        .iter()
        .filter(|course| course.expected.len() > 1)
        .map(|course| {
            let mut draw = |_| {
                let at = stream.random_range(0..course.expected.len() as u64 - 1) as usize;
                let seat = stream.random_range(0..course.results.len() as u64) as usize;
                CheckedPosition { expected: course.expected[at][seat], result: course.results[seat], rank: 0 }
            };
            (0..DRAWN).map(&mut draw).collect()
        })
        .collect();
    if drawn.len() < LEAST_GAMES {
        return None;
    }
    let drawn = RankedPositions::rank(drawn);
    let every: Vec<usize> = (0..drawn.games.len()).collect();
    let groups = grouped(&drawn, &every);
    let results: Vec<f64> = drawn.games.iter().flatten().map(|one| one.result).collect();
    let skill = bootstrap(drawn.games.len(), |games| {
        let all = || games.iter().flat_map(|game| &drawn.games[*game]);
        let n = all().count() as f64;
        let mean = all().map(|one| one.result).sum::<f64>() / n;
        let error: f64 = all().map(|one| (one.expected - one.result).powi(2)).sum();
        let base: f64 = all().map(|one| (mean - one.result).powi(2)).sum();
        (base > 0.0).then(|| 1.0 - error / base)
    });
    // A resample has the sampling error of the sample, and its own.
    let squared = |games: &[usize], times: f64| {
        let groups = grouped(&drawn, games);
        groups.iter().map(|group| group.difference().powi(2) - times * group.variance).sum::<f64>()
            / groups.len() as f64
    };
    let value = squared(&every, 1.0).max(0.0).sqrt();
    let spread = bootstrap(drawn.games.len(), |games| Some(squared(games, 2.0).max(0.0).sqrt()))?;
    let moved: Vec<(f64, f64)> = courses.iter().map(measure_movement).collect();
    Some(Calibration {
        groups: groups.iter().map(Group::row).collect(),
        error: Interval {
            value,
            low: spread.low.map(|low| low.min(value)),
            high: spread.high.map(|high| high.max(value)),
        },
        skill: skill.unwrap_or(Interval::exact(0.0)),
        movement: houserule_base::statistics::sample::ratio(&moved).unwrap_or(Interval::exact(1.0)),
        deviation: deviation(&results),
        scaled: courses.first().is_some_and(|course| course.results.len() == 1),
    })
}

/// Positions with similar expectations.
struct Group {
    expected: f64,
    result: f64,
    positions: u64,
    /// The variance of the difference of result and expectation; positions of a game are one unit.
    variance: f64,
}

impl Group {
    fn difference(&self) -> f64 {
        self.result - self.expected
    }

    fn row(&self) -> (Interval, Interval, u64) {
        let half = NORMAL * self.variance.sqrt();
        (Interval::exact(self.expected), Interval::around(self.result, Some(half)), self.positions)
    }
}

/// A position that was drawn.
#[derive(Clone, Copy, Default)]
struct CheckedPosition {
    expected: f64,
    result: f64,
    /// The number of smaller expectations that differ.
    rank: usize,
}

/// The positions that were drawn, by game.
struct RankedPositions {
    games: Vec<Vec<CheckedPosition>>,
    /// Number of different expectations.
    ranks: usize,
}

impl RankedPositions {
    /// Ranks the positions once, so that no resample compares expectations.
    fn rank(mut games: Vec<Vec<CheckedPosition>>) -> RankedPositions {
        let mut all: Vec<f64> = games.iter().flatten().map(|one| one.expected).collect();
        all.sort_by(f64::total_cmp);
        all.dedup_by(|a, b| a.total_cmp(b).is_eq());
        for one in games.iter_mut().flatten() {
            one.rank = all.partition_point(|other| other.total_cmp(&one.expected).is_lt());
        }
        RankedPositions { games, ranks: all.len() }
    }

    /// Returns the positions of some games in ascending order of expectations, each with the place of its game among them:
    /// a game may be there several times.
    fn in_order(&self, games: &[usize]) -> Vec<(CheckedPosition, usize)> {
        let all = || {
            games
                .iter()
                .enumerate()
                .flat_map(|(unit, game)| self.games[*game].iter().map(move |one| (*one, unit)))
        };
        // The place of the next position of each rank.
        let mut places = vec![0; self.ranks + 1];
        all().for_each(|(one, _)| places[one.rank + 1] += 1);
        for rank in 1..=self.ranks {
            places[rank] += places[rank - 1];
        }
        let mut ordered = vec![(CheckedPosition::default(), 0); places[self.ranks]];
        for (one, unit) in all() {
            let place = &mut places[one.rank];
            ordered[*place] = (one, unit);
            *place += 1;
        }
        ordered
    }
}

/// Divides the positions of games into [`GROUPS`] groups of equal size by their expectation.
fn grouped(drawn: &RankedPositions, games: &[usize]) -> Vec<Group> {
    let all = drawn.in_order(games);
    let mut sums = vec![0.0; games.len()];
    let mut summarize = |group: usize| {
        let part = &all[group * all.len() / GROUPS..(group + 1) * all.len() / GROUPS];
        let n = part.len() as f64;
        let (mut expected, mut result) = (0.0, 0.0);
        for (one, _) in part {
            expected += one.expected / n;
            result += one.result / n;
        }
        for (one, unit) in part {
            sums[*unit] += one.result - one.expected - (result - expected);
        }
        let mut variance = 0.0;
        for (_, unit) in part {
            variance += std::mem::take(&mut sums[*unit]).powi(2);
        }
        Group { expected, result, positions: part.len() as u64, variance: variance / (n * n) }
    };
    (0..GROUPS).map(&mut summarize).collect()
}

/// Returns the squared changes of the first seat's expectation over a game, and the squared distance from its start
/// to its end.
fn measure_movement(course: &Expectations) -> (f64, f64) {
    let changes = course.expected.windows(2).map(|pair| (pair[1][0] - pair[0][0]).powi(2));
    let (first, last) = (&course.expected[0], &course.expected[course.expected.len() - 1]);
    (changes.sum(), (last[0] - first[0]).powi(2))
}

/// Returns the sample standard deviation.
pub fn deviation(numbers: &[f64]) -> f64 {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n.max(1.0);
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt()
}
