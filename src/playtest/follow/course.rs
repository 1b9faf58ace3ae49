//! Figures of how a game is decided, from the expectations of its seats (several players), or of its sides where there are
//! teams.
//!
//! Each figure is a mean over games, unless it says otherwise. Sources: Browne 2008 (drama, lead changes, decisive
//! moment, killer moves), Ely, Frankel and Kamenica 2015 (surprise), Ludii's concepts. `docs/metrics.md` has the
//! definitions.

use super::odds::Expectations;
use houserule_base::statistics::sample::{Interval, bootstrap, mean, quantile, ratio, ratio_of_counts};

/// A game is decided when its winner's expectation reaches this and stays there.
const DECIDED: f64 = 0.9;

/// A favourite must lead by this to become the leader.
const DEAD_BAND: f64 = 0.02;

/// A seat that can no longer win has an expectation below this.
const HOPELESS: f64 = 0.05;

/// A seat without hope that moves another's expectation by this much decides who wins.
const KINGMAKING: f64 = 0.1;

/// Actions within this of the best are as good as it.
const AS_GOOD: f64 = 0.02;

/// Parts of a game, from start to end, for curves.
pub const PARTS: usize = 20;

/// The figures of many games.
#[derive(Clone, Debug)]
pub struct CourseFigures {
    /// When the game is decided, as a share of its events: median.
    pub decided: Option<Interval>,
    /// Share of the decided games that are decided in their first half.
    pub early: Option<Interval>,
    /// How often the favourite changes in a game.
    pub lead_changes: Option<Interval>,
    /// Root of the winner's deficit, over the moments when the winner was behind.
    pub drama: Option<Interval>,
    /// Share of the games whose winner was once at less than half of an equal share.
    pub comebacks: Option<Interval>,
    /// Share of the games that the favourite at half-time won.
    pub favourite: Option<Interval>,
    /// Largest gain of an action over the mean of its decision.
    pub killer: Option<Interval>,
    /// Mean over seats of the variance of the expectation over a game.
    pub volatility: Option<Interval>,
    /// Sum of the changes of the first seat's expectation.
    pub surprise: Option<Interval>,
    /// Share of the decisions of seats without hope that decide who wins; with three players or more.
    pub kingmaking: Option<Interval>,
    /// Entropy of the expectations at the start and after each quarter, in bits.
    pub uncertainty: [Option<Interval>; 4],
    /// The winner's expectation over the game in [`PARTS`] parts: quartiles.
    pub curve: Vec<[f64; 3]>,
}

impl CourseFigures {
    /// Computes the figures of games.
    pub fn new(courses: &[Expectations]) -> CourseFigures {
        let each = |figure: fn(&Expectations) -> Option<f64>| -> Vec<f64> {
            courses.iter().filter_map(figure).collect()
        };
        let share = |numbers: Vec<f64>| mean(&numbers).map(|found| shares(&numbers, found));
        let decided = each(decided);
        let early: Vec<f64> = decided.iter().map(|at| f64::from(u8::from(*at < 0.5))).collect();
        let kings: Vec<(f64, f64)> = courses.iter().map(kingmaking).collect();
        let entropy = |quarter: usize| {
            let at = |course: &Expectations| {
                let last = course.expected.len() - 1;
                entropy(&course.expected[last * quarter / 4])
            };
            let of_games: Vec<f64> = courses.iter().map(at).collect();
            bootstrap(courses.len(), |games| {
                Some(games.iter().map(|game| of_games[*game]).sum::<f64>() / games.len() as f64)
            })
        };
        CourseFigures {
            decided: quantile(&mut decided.clone(), 0.5),
            early: share(early),
            lead_changes: mean(&each(|course| Some(lead_changes(course)))),
            drama: mean(&each(drama)),
            comebacks: share(each(comeback)),
            favourite: share(each(favourite)),
            killer: mean(&each(killer)),
            volatility: mean(&each(|course| Some(volatility(course)))),
            surprise: mean(&each(|course| {
                Some(course.expected.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).sum())
            })),
            kingmaking: ratio_of_counts(&kings),
            uncertainty: [0, 1, 2, 3].map(entropy),
            curve: curve(courses, |course, at| {
                find_winner(&course.results).map(|winner| course.expected[at][winner])
            }),
        }
    }
}

/// The interval of a share of games: Wilson's if each game counts whole, else by Student's distribution.
pub fn shares(numbers: &[f64], by_t: Interval) -> Interval {
    if numbers.iter().all(|number| *number == 0.0 || *number == 1.0) {
        let ends = houserule_base::statistics::share_interval(by_t.value, numbers.len() as u64);
        return Interval { value: by_t.value, low: ends.map(|ends| ends.0), high: ends.map(|ends| ends.1) };
    }
    by_t.within(0.0, 1.0)
}

/// Returns the seat or side that won alone.
pub(super) fn find_winner(results: &[f64]) -> Option<usize> {
    results.iter().position(|share| *share == 1.0)
}

/// Returns the expectation of the favourite.
fn find_greatest(shares: &[f64]) -> f64 {
    shares.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the first moment from which the winner's expectation stays at [`DECIDED`] or more, as a share of the
/// game. `None` for shared wins.
fn decided(course: &Expectations) -> Option<f64> {
    let winner = find_winner(&course.results)?;
    let open = course.expected.iter().rposition(|shares| shares[winner] < DECIDED);
    let at = open.map_or(0, |at| at + 1);
    Some(at as f64 / (course.expected.len() - 1).max(1) as f64)
}

/// Returns how often another seat becomes the favourite, by more than [`DEAD_BAND`].
fn lead_changes(course: &Expectations) -> f64 {
    let (mut leader, mut changes) = (None, 0.0);
    for shares in &course.expected {
        let most = find_greatest(shares);
        let close = |share: &&f64| **share >= most - DEAD_BAND;
        if shares.iter().filter(close).count() > 1 {
            continue;
        }
        let first = shares.iter().position(|share| *share == most);
        if leader.is_some() && first != leader {
            changes += 1.0;
        }
        leader = first;
    }
    changes
}

/// Browne's drama: the mean root of the winner's deficit over the moments when the winner is behind; 0 if the winner
/// never is. `None` for shared wins.
fn drama(course: &Expectations) -> Option<f64> {
    let winner = find_winner(&course.results)?;
    let moments = &course.expected[..course.expected.len() - 1];
    let deficits = moments.iter().map(|shares| find_greatest(shares) - shares[winner]);
    let behind: Vec<f64> = deficits.filter(|deficit| *deficit > 0.0).map(f64::sqrt).collect();
    Some(behind.iter().sum::<f64>() / behind.len().max(1) as f64)
}

/// Returns 1 if the winner was once at less than half of an equal share, else 0. `None` for shared wins.
fn comeback(course: &Expectations) -> Option<f64> {
    let winner = find_winner(&course.results)?;
    let low = 0.5 / course.results.len() as f64;
    Some(f64::from(u8::from(course.expected.iter().any(|shares| shares[winner] < low))))
}

/// Returns 1 if the favourite at half-time won, and a part of it if one of several did. `None` for shared wins.
fn favourite(course: &Expectations) -> Option<f64> {
    let winner = find_winner(&course.results)?;
    let shares = &course.expected[(course.expected.len() - 1) / 2];
    let most = find_greatest(shares);
    // Several favourites share the credit.
    let favourites = shares.iter().filter(|share| **share == most).count() as f64;
    Some(if shares[winner] == most { 1.0 / favourites } else { 0.0 })
}

/// Returns the largest gain of an action over the mean of its decision. `None` without a decision among several actions.
fn killer(course: &Expectations) -> Option<f64> {
    course.choices.iter().map(|choice| choice.best - choice.mean).reduce(f64::max)
}

/// Returns the mean over the seats of the variance of their expectations.
fn volatility(course: &Expectations) -> f64 {
    let seats = course.results.len();
    let moments = &course.expected[..(course.expected.len() - 1).max(1)];
    let n = moments.len() as f64;
    let variance = |seat: usize| {
        let mean = moments.iter().map(|shares| shares[seat]).sum::<f64>() / n;
        moments.iter().map(|shares| (shares[seat] - mean).powi(2)).sum::<f64>() / n
    };
    (0..seats).map(variance).sum::<f64>() / seats as f64
}

/// Returns the squared changes of all expectations at chance events, and at all events.
pub fn movements(course: &Expectations) -> (f64, f64) {
    let (mut chance, mut all) = (0.0, 0.0);
    for (pair, seat) in course.expected.windows(2).zip(&course.seats) {
        let squared: f64 = pair[0].iter().zip(&pair[1]).map(|(a, b)| (b - a).powi(2)).sum();
        all += squared;
        chance += if seat.is_none() { squared } else { 0.0 };
    }
    (chance, all)
}

/// Returns the decisions of seats without hope that move another seat's expectation, and all their decisions.
fn kingmaking(course: &Expectations) -> (f64, f64) {
    if course.results.len() < 3 {
        return (0.0, 0.0);
    }
    let (mut made, mut all) = (0.0, 0.0);
    for (at, seat) in course.seats.iter().enumerate() {
        let Some(seat) = seat.map(|seat| seat as usize) else { continue };
        let before = &course.expected[at];
        if before[seat] >= HOPELESS {
            continue;
        }
        all += 1.0;
        let after = &course.expected[at + 1];
        let moved = before.iter().zip(after).enumerate().filter(|(other, _)| *other != seat);
        let most = moved.map(|(_, (before, after))| (after - before).abs()).fold(0.0, f64::max);
        made += if most >= KINGMAKING { 1.0 } else { 0.0 };
    }
    (made, all)
}

/// Returns the entropy of some shares, in bits.
fn entropy(shares: &[f64]) -> f64 {
    shares.iter().filter(|share| **share > 0.0).map(|share| -share * share.log2()).sum()
}

/// Returns quartiles of a figure over the games, at [`PARTS`] + 1 moments from start to end.
pub fn curve(
    courses: &[Expectations],
    figure: impl Fn(&Expectations, usize) -> Option<f64>,
) -> Vec<[f64; 3]> {
    let at = |part: usize| {
        let of = |course: &Expectations| figure(course, (course.expected.len() - 1) * part / PARTS);
        let mut numbers: Vec<f64> = courses.iter().filter_map(of).collect();
        numbers.sort_by(f64::total_cmp);
        let quartile = |share: f64| {
            let at = (share * (numbers.len().max(1) - 1) as f64).round() as usize;
            numbers.get(at).copied().unwrap_or(f64::NAN)
        };
        [0.25, 0.5, 0.75].map(quartile)
    };
    let curve: Vec<[f64; 3]> = (0..=PARTS).map(at).collect();
    if curve.iter().flatten().any(|number| number.is_nan()) { vec![] } else { curve }
}

/// Returns, for each game of one player, the square of what its score differs by from what was expected at this share of
/// the game.
pub fn open_squares(courses: &[Expectations], share: f64) -> Vec<f64> {
    let square = |course: &Expectations| {
        let at = ((course.expected.len() - 1) as f64 * share) as usize;
        (course.expected[at][0] - course.results[0]).powi(2)
    };
    courses.iter().map(square).collect()
}

/// Estimates which share of the score's variance is open after this share of a game of one player.
pub fn open_variance(courses: &[Expectations], share: f64) -> Option<Interval> {
    let open = open_squares(courses, share);
    bootstrap(courses.len(), |games| {
        let over = |numbers: &dyn Fn(usize) -> f64| {
            games.iter().map(|game| numbers(*game)).sum::<f64>() / games.len() as f64
        };
        let mean = over(&|game| courses[game].results[0]);
        let all = over(&|game| (courses[game].results[0] - mean).powi(2));
        (all > 0.0).then(|| (over(&|game| open[game]) / all).min(1.0))
    })
}

/// Figures of the decisions.
#[derive(Clone, Debug)]
pub struct ChoiceFigures {
    /// Best minus mean action.
    pub stakes: Option<Interval>,
    /// Best minus second-best action.
    pub lead: Option<Interval>,
    /// Share of the decisions with a choice where exactly one action is as good as the best.
    pub single: Option<Interval>,
    /// Share of the decisions with a choice where a random action would cost at least `matters`.
    pub matter: Option<Interval>,
}

impl ChoiceFigures {
    /// `scale` is the unit of what matters: 1 for shares of the win, else the standard deviation of the score.
    pub fn new(courses: &[Expectations], scale: f64) -> ChoiceFigures {
        let of = |figure: &dyn Fn(&super::odds::ChoiceOdds) -> f64| -> Vec<(f64, f64)> {
            let sums = |course: &Expectations| {
                (course.choices.iter().map(figure).sum::<f64>(), course.choices.len() as f64)
            };
            courses.iter().map(sums).collect()
        };
        let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
        ChoiceFigures {
            stakes: ratio(&of(&|choice| choice.best - choice.mean)),
            lead: ratio(&of(&|choice| choice.best - choice.second)),
            single: ratio_of_counts(&of(&|choice| flag(choice.second < choice.best - AS_GOOD * scale))),
            matter: ratio_of_counts(&of(&|choice| flag(choice.best - choice.mean >= AS_GOOD / 2.0 * scale))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Take 1 or 2 of 3 counters, the last taker wins, random players: lines 1-1-1 (probability ¼, seat 1 wins), 1-2
    /// (¼) and 2-1 (½), where seat 2 wins. Exact expectations of the first seat: ¼, then ½ after 1 and 0 after 2.
    fn nim() -> Vec<Expectations> {
        let course = |first: &[f64], seats: &[u32]| Expectations {
            results: vec![first[first.len() - 1], 1.0 - first[first.len() - 1]],
            expected: first.iter().map(|share| vec![*share, 1.0 - share]).collect(),
            seats: seats.iter().map(|seat| Some(*seat)).chain([None]).collect(),
            choices: vec![],
        };
        let long = course(&[0.25, 0.5, 1.0, 1.0], &[0, 1, 0]);
        let short = course(&[0.25, 0.5, 0.0], &[0, 1]);
        let quick = course(&[0.25, 0.0, 0.0], &[0, 1]);
        vec![long, short, quick.clone(), quick]
    }

    #[test]
    fn figures_of_a_game_worked_out_by_hand() {
        let figures = CourseFigures::new(&nim());
        let value = |figure: &Option<Interval>| figure.unwrap().value;
        // Only the first line changes the favourite, once: ¼ a game.
        assert_eq!(value(&figures.lead_changes), 0.25);
        // The winner of 1-1-1 starts half behind; nobody else is ever behind: √½ · ¼.
        assert!((value(&figures.drama) - 0.5f64.sqrt() / 4.0).abs() < 1e-12);
        // Once below a quarter: nobody. The winner of 1-1-1 starts at exactly a quarter.
        assert_eq!(value(&figures.comebacks), 0.0);
        // Decided after 2 of 3, 2 of 2, and 1 of 2 events (twice); the lower median is ½.
        assert_eq!(value(&figures.decided), 0.5);
        // Σ|Δp|: 0.75, 0.75, 0.25, 0.25.
        assert_eq!(value(&figures.surprise), 0.5);
        // H(¼) at the start: 0.811 bits.
        assert!((value(&figures.uncertainty[0]) - 0.811_278).abs() < 1e-6);
        // No chance.
        assert!(nim().iter().all(|course| movements(course).0 == 0.0));
        // Variances before decisions: (¼, ½, 1), (¼, ½), (¼, 0) twice; mean 83/2304.
        let expected =
            ((0.0625 + 0.25 + 1.0) / 3.0 - (1.75f64 / 3.0).powi(2) + 0.015625 + 2.0 * 0.015625) / 4.0;
        assert!((value(&figures.volatility) - expected).abs() < 1e-12);
        assert!((expected - 83.0 / 2304.0).abs() < 1e-12);
    }

    #[test]
    fn a_coin_is_all_chance() {
        let toss = |share: f64| Expectations {
            results: vec![share, 1.0 - share],
            expected: vec![vec![0.5, 0.5], vec![share, 1.0 - share]],
            seats: vec![None, None],
            choices: vec![],
        };
        assert_eq!(movements(&toss(0.0)), (0.5, 0.5));
        let figures = CourseFigures::new(&[toss(0.0), toss(1.0)]);
        assert_eq!(figures.decided.unwrap().value, 1.0);
    }

    #[test]
    fn a_third_player_who_picks_the_winner_makes_kings() {
        let course = Expectations {
            results: vec![1.0, 0.0, 0.0],
            expected: vec![vec![0.5, 0.5, 0.0], vec![1.0, 0.0, 0.0]],
            seats: vec![Some(2), None],
            choices: vec![],
        };
        assert_eq!(CourseFigures::new(&[course.clone(), course]).kingmaking.unwrap().value, 1.0);
    }
}
