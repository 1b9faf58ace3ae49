//! Studies of a given time or precision: a study is repeated with more games until the next would take too long, or
//! until it is precise enough.
//!
//! Each repetition is a whole study, so the last one is the result that its number of games gives at any time. Its
//! games are most of all games played. Independent of what is studied.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use super::sweep::{MOST_KEPT, Sweep, SweepError, SweepGame, SweepPlan, sweep};
use super::tune::{FEWEST_GAMES, MOST_GAMES, TuneError, TunePlan, Tuning, choose, figure_name, tune_again};
use super::worth::{Worth, WorthError, WorthPlan, WorthProgress, worth};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::grouped;
use houserule_base::statistics::interval::half_width;
use houserule_game::Game;
use houserule_players::agents::AgentKind;
use houserule_playtest::{
    ComparePlan, CompareProgress, Comparison, FIRST_LOOK, MetricColumn, Quantity, RunBudget, RunMonitor,
    SimulateError, SimulationPlan, compare_watched, compared_keys, keyed_columns, metric_key, needed,
    next_look,
};

/// Number of games of the first repetition within a time.
const LEAST: u64 = 4;

/// Growth of the number of games while their speed is still unknown.
const GROWTH: u64 = 10;

/// Share of the remaining time that the next repetition may be expected to take.
const FILLED: f64 = 0.8;

/// A repetition may exceed the time by this factor before it is ended.
const LATEST: f64 = 1.25;

/// Why a study of a budget ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyEnd {
    /// It reached the precision, or there was no budget.
    Reached,
    /// The maximum number of games, or the time, was used up; the result is whole.
    UsedUp,
    /// The time was over before the first repetition was; the result is partial.
    TooShort,
    /// The stop flag was set; the result is partial.
    Stopped,
}

/// The result of a study, and its number of games.
#[derive(Clone, Copy, Debug)]
pub struct BudgetedStudy<T> {
    /// The result.
    pub found: T,
    /// The number of games that gives the same result.
    pub games: u64,
    /// Why it ended.
    pub end: StudyEnd,
}

/// Repeats a study with numbers of games within `limits`. `study` gets the number of games and the stop flag
/// with the time limit. `halves` returns, for each wanted precision, half the width of the widest interval.
fn study_within<T, E>(
    budget: &RunBudget,
    limits: RangeInclusive<u64>,
    stop: &Interrupt,
    mut study: impl FnMut(u64, &Interrupt) -> Result<T, E>,
    halves: impl Fn(&T) -> Result<Vec<Option<f64>>, E>,
) -> Result<BudgetedStudy<T>, E> {
    let clock = Instant::now();
    let (least, most) = limits.into_inner();
    let mut games = match (budget.precision.is_empty(), budget.seconds) {
        (true, None) => most,
        (true, Some(_)) => least,
        (false, _) => FIRST_LOOK,
    };
    games = games.min(most);
    let mut whole: Option<BudgetedStudy<T>> = None;
    budget.end.expect(None);
    loop {
        let (begun, is_first) = (clock.elapsed().as_secs_f64(), whole.is_none());
        let latest = |seconds: f64| if is_first { seconds } else { seconds * LATEST - begun };
        let limited = stop.within_time(budget.seconds.map(latest));
        let found = study(games, &limited);
        if limited.is_late()
            && let Some(whole) = whole.take()
        {
            return Ok(whole);
        }
        let found = found?;
        if limited.is_set() {
            let end = if limited.is_late() { StudyEnd::TooShort } else { StudyEnd::Stopped };
            return Ok(BudgetedStudy { found, games, end });
        }
        let wanted = budget.precision.iter().map(|one| one.half_width);
        let needed = needed(games, halves(&found)?.into_iter().zip(wanted));
        let look = needed.map(|needed| next_look(games, needed));
        let now = clock.elapsed().as_secs_f64();
        // What fits into the time, at the speed of this repetition.
        let fits = budget.seconds.map(|seconds| {
            (FILLED * (seconds - now).max(0.0) * games as f64 / (now - begun).max(1e-9)) as u64
        });
        let next = match (look, fits) {
            (Some(look), Some(fits)) => look.min(fits),
            (Some(look), None) => look,
            (None, Some(fits)) if budget.precision.is_empty() => fits.min(games.saturating_mul(GROWTH)),
            (None, _) => 0,
        };
        let next = next.min(most);
        // A little more is not worth a repetition.
        if next <= games || look.is_none() && next < games + games / 2 {
            let is_reached = look.is_none() && (budget.seconds.is_none() || !budget.precision.is_empty());
            let end = if is_reached { StudyEnd::Reached } else { StudyEnd::UsedUp };
            return Ok(BudgetedStudy { found, games, end });
        }
        whole = Some(BudgetedStudy { found, games, end: StudyEnd::UsedUp });
        // While the speed is unknown, these may be fewer games than fit. Another repetition then follows.
        let is_last = look.is_some() || next == most || next < games.saturating_mul(GROWTH);
        let repetition = (now - begun) * next as f64 / games as f64;
        let rest = budget.seconds.map(|seconds| seconds - now);
        budget.end.expect(Some(seconds_ahead(repetition, is_last, rest)));
        games = next;
    }
}

/// Returns the seconds that a study presumably goes on for, whose next repetition takes `repetition`. After it the study ends,
/// or another repetition fills the `rest` of the time.
fn seconds_ahead(repetition: f64, is_last: bool, rest: Option<f64>) -> f64 {
    match rest {
        Some(rest) if !is_last => repetition + FILLED * (rest - repetition).max(0.0),
        _ => repetition,
    }
}

/// Compares two games within a budget; `plan.games` is the maximum number of games of each. The precision is that of
/// the differences.
pub fn compare_within(
    a: &Game,
    b: &Game,
    plan: &ComparePlan,
    budget: &RunBudget,
    progress: &(dyn Fn(CompareProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<BudgetedStudy<Comparison>, SimulateError> {
    if !budget.is_bounded() {
        let found = compare_watched(a, b, plan, progress, stop)?;
        let games = found.requested.iter().copied().max().unwrap_or(0);
        let end = if found.interrupted { StudyEnd::Stopped } else { StudyEnd::Reached };
        return Ok(BudgetedStudy { found, games, end });
    }
    let wanted = budget.keys(&compared_keys(a, b, plan.match_play))?;
    let study = |games: u64, stop: &Interrupt| {
        compare_watched(a, b, &ComparePlan { games: Some(games), ..plan.clone() }, progress, stop)
    };
    let differences = |found: &Comparison, key: &String| {
        widest(found.agents.iter().flat_map(|agent| &agent.quantities), key)
    };
    let halves = |found: &Comparison| Ok(wanted.iter().map(|key| differences(found, key)).collect());
    study_within(budget, LEAST..=budget.most_games(plan.games, 0), stop, study, halves)
}

/// Plays a sweep within a budget; `games` is the maximum number of games of each combination. The precision is that of
/// the means of all combinations that have the metric.
pub fn sweep_within(
    all: &[SweepGame],
    plan: &SweepPlan,
    games: Option<u64>,
    budget: &RunBudget,
    watch: &RunMonitor<'_>,
) -> Result<BudgetedStudy<Sweep>, SweepError> {
    let base = all.get(plan.base).map_or_else(Vec::new, |one| keyed_columns(&one.game, plan.each.match_play));
    let keys: Vec<String> = base.iter().map(MetricColumn::key).collect();
    let wanted = budget.keys(&keys)?;
    let most = budget.most_games(games, plan.each.games);
    let most = if budget.is_bounded() { most.min(MOST_KEPT / (keys.len() as u64).max(1)) } else { most };
    let study = |games: u64, stop: &Interrupt| {
        let each = SimulationPlan { games, ..plan.each.clone() };
        sweep(all, &SweepPlan { each, base: plan.base }, &RunMonitor { progress: watch.progress, stop })
    };
    let widest = |found: &Sweep, key: &String| {
        let all = found.rows.iter().filter_map(|row| row.metrics.get(key));
        all.map(|one| half_width(one.low, one.high)).fold(Some(0.0), greater)
    };
    let halves = |found: &Sweep| Ok(wanted.iter().map(|key| widest(found, key)).collect());
    study_within(budget, LEAST..=most, watch.stop, study, halves)
}

/// Finds what each rule is worth within a budget; `plan.games` is the maximum number of games with each rule and without
/// it. The precision is that of the differences.
pub fn worth_within(
    game: &Game,
    plan: &WorthPlan,
    budget: &RunBudget,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<BudgetedStudy<Worth>, WorthError> {
    let wanted = budget.keys(&compared_keys(game, game, false)).map_err(WorthError::Simulate)?;
    let study = |games: u64, stop: &Interrupt| {
        let games = if budget.is_bounded() { Some(games) } else { plan.games };
        worth(game, &WorthPlan { games, ..plan.clone() }, progress, stop)
    };
    let differences = |found: &Worth, key: &String| {
        let agents = found.rules.iter().flat_map(|rule| &rule.agents);
        widest(agents.flat_map(|agent| agent.changes.iter().chain(&agent.restricted)), key)
    };
    let halves = |found: &Worth| Ok(wanted.iter().map(|key| differences(found, key)).collect());
    study_within(budget, LEAST..=budget.most_games(plan.games, 0), stop, study, halves)
}

/// Seconds of a tuning if nobody says how long, or how many games.
pub const TUNE_SECONDS: f64 = 170.0;

/// Tunes a game within a budget; `games` is the maximum number of games of a setting. The precision is that of the best
/// setting's figures, of those that have a target. Without a budget and `games`, the time is [`TUNE_SECONDS`] and
/// `plan.games` the maximum. If the plan names no agents, the best player that can be had quickly is chosen first.
///
/// A time is a deadline. What is whole at it, or when `stop` is set, is the result; [`Tuning::missing`] says what more there
/// would have been.
pub fn tune_within(
    plan: &TunePlan,
    games: Option<u64>,
    budget: &RunBudget,
    progress: &(dyn Fn(u64) + Sync),
    stop: &Interrupt,
) -> Result<BudgetedStudy<Tuning>, TuneError> {
    let clock = Instant::now();
    let is_usual = games.is_none() && !budget.is_bounded();
    let seconds = budget.seconds.or(is_usual.then_some(TUNE_SECONDS));
    let limited = stop.within_time(seconds);
    let targets: Vec<String> = plan.targets.iter().map(|target| target.name(&target.metric)).collect();
    let mut figures = budget.clone();
    figures.precision.iter_mut().for_each(|one| one.metric = figure_name(&one.metric));
    let wanted = figures.keys(&targets).map_err(TuneError::Simulate)?;
    let mut plan = plan.clone();
    let mut contest = None;
    if plan.agents.is_empty() {
        let chosen = choose(&plan, seconds, &limited)?;
        plan.agents = vec![chosen.kind.clone()];
        contest = Some(chosen);
    }
    let most = if is_usual { plan.games } else { budget.most_games(games, plan.games) }.min(MOST_GAMES);
    let at = |metric: &String| targets.iter().position(|target| target == metric);
    let (last, held) = (RefCell::new(None), RefCell::default());
    let study = |games: u64, stop: &Interrupt| {
        let found = tune_again(&TunePlan { games, ..plan.clone() }, &held, progress, stop)?;
        if !found.run.interrupted {
            *last.borrow_mut() = Some(found.clone());
        }
        Ok(found)
    };
    let halves = |found: &Tuning| {
        let figures = found.best.first().map_or(&[][..], |best| &best.metrics);
        let half = |metric: &String| figures.get(at(metric)?).and_then(|one| half_width(one.low, one.high));
        Ok(wanted.iter().map(half).collect())
    };
    // The trainings of the first search say nothing of the speed of the next, so its time isn't measured.
    let mut ended = None;
    if seconds.is_some() && plan.agents.iter().any(AgentKind::trains) {
        let games = FEWEST_GAMES.min(most);
        let found = study(games, &limited)?;
        let end = if limited.is_late() { StudyEnd::TooShort } else { StudyEnd::Stopped };
        ended = found.run.interrupted.then_some(Ok(BudgetedStudy { found, games, end }));
    }
    let left = seconds.map(|seconds| (seconds - clock.elapsed().as_secs_f64()).max(0.0));
    let rest = RunBudget { seconds: left, ..budget.clone() };
    let ended = ended.unwrap_or_else(|| study_within(&rest, FEWEST_GAMES..=most, &limited, study, halves));
    let was_stopped = stop.is_set();
    let mut ended = match (ended, last.into_inner()) {
        // What was whole before is worth more than part of a longer search.
        (Ok(BudgetedStudy { found: Tuning { run, .. }, .. }), Some(whole)) if run.interrupted => {
            whole_again(whole, was_stopped)
        }
        (Err(TuneError::Simulate(SimulateError::Stopped)), Some(whole)) => whole_again(whole, was_stopped),
        (ended, _) => ended?,
    };
    ended.found.missing = missing(&ended, is_usual.then_some(most), was_stopped);
    ended.found.contest = contest;
    ended.found.run.interrupted |= was_stopped;
    ended.found.run.seconds = clock.elapsed().as_secs_f64();
    Ok(ended)
}

/// Makes a whole search the result of a run that was ended in the midst of a longer one.
fn whole_again(found: Tuning, was_stopped: bool) -> BudgetedStudy<Tuning> {
    let end = if was_stopped { StudyEnd::Stopped } else { StudyEnd::UsedUp };
    BudgetedStudy { games: found.requested, end, found }
}

/// Says what a tuning that was ended early lacks. `usual` is the number of games that it plays if it has the time.
fn missing(ended: &BudgetedStudy<Tuning>, usual: Option<u64>, was_stopped: bool) -> Option<String> {
    let Tuning { run, tried, settings, unplayable, best, .. } = &ended.found;
    let ended_by = if was_stopped { "Ctrl-C came" } else { "The time was over" };
    let is_whole = best.first().is_some_and(|best| best.distance.is_some());
    if !is_whole && run.interrupted {
        let (tried, known) = (grouped(*tried), grouped(settings.saturating_sub(*unplayable)));
        return Some(format!(
            "{ended_by} before the search was: {tried} of {known} settings were played, and none again in games that the \
             search didn't use."
        ));
    }
    let games = grouped(ended.games);
    match usual {
        Some(usual) if ended.games < usual => Some(format!(
            "{ended_by} after {games} games of a setting that comes near to the targets, instead of {}.",
            grouped(usual)
        )),
        _ if was_stopped => {
            Some(format!("{ended_by} after {games} games of a setting that comes near to the targets."))
        }
        _ => None,
    }
}

/// Returns half the width of the widest interval of a metric. What is left out is 0 in all games.
fn widest<'q>(all: impl Iterator<Item = &'q Quantity>, key: &str) -> Option<f64> {
    let all = all.filter(|one| metric_key(one.kind, &one.name, one.seat) == key);
    all.map(|one| half_width(one.low, one.high)).fold(Some(0.0), greater)
}

/// Returns the greater width; an interval without a width is greater than all.
fn greater(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a?.max(b?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_playtest::Precision;

    /// Runs studies whose half width is 20/√games, and returns the numbers of games of all.
    fn run_studies(budget: &RunBudget, most: u64, stop: &Interrupt) -> (Vec<u64>, BudgetedStudy<u64>) {
        let mut all = vec![];
        let study = |games: u64, limit: &Interrupt| {
            all.push(games);
            if games > 400 {
                while budget.seconds.is_some() && !limit.is_set() {}
            }
            Ok::<u64, ()>(games)
        };
        let halves =
            |games: &u64| Ok(budget.precision.iter().map(|_| Some(20.0 / (*games as f64).sqrt())).collect());
        let found = study_within(budget, 4..=most, stop, study, halves).unwrap();
        (all, found)
    }

    fn wanted(half_width: f64) -> RunBudget {
        let precision = vec![Precision { metric: String::new(), half_width }];
        RunBudget { precision, ..RunBudget::default() }
    }

    #[test]
    fn a_precision_is_reached_at_a_look() {
        let stop = Interrupt::new();
        let (all, found) = run_studies(&wanted(0.2), 1 << 20, &stop);
        // 20/√10,000 is 0.2: the first look from 10,000 on.
        assert_eq!((all, found.games, found.end), (vec![1000, 11314], 11314, StudyEnd::Reached));
        let (all, found) = run_studies(&wanted(0.2), 5000, &stop);
        assert_eq!((all, found.games, found.end), (vec![1000, 5000], 5000, StudyEnd::UsedUp));
        let (all, found) = run_studies(&wanted(1.0), 1 << 20, &stop);
        assert_eq!((all, found.end), (vec![1000], StudyEnd::Reached));
        let (all, found) = run_studies(&RunBudget::default(), 77, &stop);
        assert_eq!((all, found.end), (vec![77], StudyEnd::Reached));
    }

    #[test]
    fn a_study_ends_with_its_last_repetition() {
        // Of a minute, the last repetition fills four fifths of what is left.
        assert_eq!(seconds_ahead(40.0, true, Some(50.0)), 40.0);
        assert_eq!(seconds_ahead(10.0, false, Some(60.0)), 50.0);
        assert_eq!(seconds_ahead(70.0, false, Some(60.0)), 70.0);
        assert_eq!(seconds_ahead(5.0, true, None), 5.0);
    }

    /// A study of 10 ms a game that has an hour, of which 20 games are wanted.
    #[test]
    fn all_wanted_games_end_a_study_before_its_time() {
        let budget = RunBudget { seconds: Some(3600.0), ..RunBudget::default() };
        let mut forecasts = vec![];
        let study = |games: u64, _: &Interrupt| {
            forecasts.push(budget.end.seconds_left());
            std::thread::sleep(std::time::Duration::from_millis(10 * games));
            Ok::<u64, ()>(games)
        };
        let found = study_within(&budget, 4..=20, &Interrupt::new(), study, |_| Ok(vec![])).unwrap();
        assert_eq!((found.games, found.end), (20, StudyEnd::UsedUp));
        // Nothing is known of the first repetition; the second takes five times as long.
        assert_eq!((forecasts.len(), forecasts[0]), (2, None));
        assert!(forecasts[1].is_some_and(|left| (0.1..60.0).contains(&left)), "{forecasts:?}");
    }

    #[test]
    fn a_time_ends_with_the_last_whole_study() {
        let stop = Interrupt::new();
        let budget = RunBudget { seconds: Some(0.5), ..RunBudget::default() };
        let (all, found) = run_studies(&budget, 4_000, &stop);
        // The last one, of more than 400 games, waits until the time is over. How many come before depends on the machine.
        assert!(all[0] == 4 && all.windows(2).all(|pair| pair[0] < pair[1] && pair[1] <= 10 * pair[0]));
        if let [.., before, last] = all[..]
            && last > 400
        {
            assert_eq!((found.games, found.end), (before, StudyEnd::UsedUp));
        }
        let short = RunBudget { seconds: Some(0.0), ..budget };
        let (all, found) = run_studies(&short, 4_000, &stop);
        assert_eq!((all, found.end), (vec![4], StudyEnd::TooShort));
        stop.set();
        let (_, found) = run_studies(&short, 4_000, &stop);
        assert_eq!(found.end, StudyEnd::Stopped);
    }
}
