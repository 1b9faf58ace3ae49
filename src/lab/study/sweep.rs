//! A sweep: a game with every combination of some settings, all on the same seeds, so that differences are of pairs.
//!
//! Depends on playtests; independent of how results are shown.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::setting::Combination;
use houserule_base::clock::Instant;
use houserule_base::numbers::grouped;
use houserule_base::statistics::paired::{Paired, holm, variance_between};
use houserule_game::Game;
use houserule_game::ordered::Ordered;
use houserule_players::agents::AgentKind;
use houserule_playtest::{
    AbortedGame, MetricColumn, MetricKind, MetricSample, RunMonitor, SamplePlan, ScaledColumn, SimulateError,
    SimulationPlan, TRAININGS, VERSION, common_side, keyed_columns, sample,
};

/// Significance level: a metric differs if its corrected p-value is below this.
const CHANCE: f64 = 0.05;

/// Maximum number of measurements kept of the base: its games times its metrics. They take 8 bytes each.
pub const MOST_KEPT: u64 = 1 << 27;

/// A combination and its game.
#[derive(Clone, Debug)]
pub struct SweepGame {
    /// The settings.
    pub combination: Combination,
    /// The game with these settings.
    pub game: Game,
}

/// Settings of a sweep.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// What is played of each combination; each agent in turn plays all seats.
    pub each: SimulationPlan,
    /// Index of the combination that the others are compared with.
    pub base: usize,
}

/// The results of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// `true` if matches were played.
    #[serde(rename = "match")]
    pub match_play: bool,
    /// Games of each combination, or matches.
    pub requested: u64,
    /// The seed of all combinations.
    pub seed: u64,
    /// Index of the first game, or match.
    pub first: u64,
    /// Number of threads.
    pub threads: usize,
    /// Duration of the sweep, in seconds.
    pub seconds: f64,
    /// `true` if it was stopped; the rows are then those of the finished combinations.
    pub interrupted: bool,
    /// `true` if it was the time that stopped it.
    #[serde(skip)]
    pub out_of_time: bool,
    /// What varies among all combinations and agents, with those that have no row: names of params, and `variant`, `players`
    /// and `agent`.
    #[serde(skip)]
    pub varied: Vec<String>,
    /// Number of combinations.
    pub combinations: usize,
    /// Index of the combination that the others are compared with.
    pub base: usize,
    /// Number of differences tested.
    pub tested: usize,
    /// A row for each combination and agent, the agents of a combination together.
    pub rows: Vec<SweepRow>,
}

/// The results of a combination with one agent in all seats.
#[derive(Clone, Debug, Serialize)]
pub struct SweepRow {
    /// Index of the combination.
    pub combination: usize,
    /// The variants on top of the game; empty if there are none.
    pub variant: String,
    /// The params that were set.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// The agent.
    pub agent: String,
    /// Number of players trained for the combination; null if none was. All errors include their spread.
    pub trainings: Option<u64>,
    /// Finished games, or matches. All statistics are of these.
    pub games: u64,
    /// Games that an error ended.
    pub aborted: u64,
    /// The metrics by name.
    pub metrics: Ordered<MeasuredMetric>,
    /// The first game that an error ended.
    #[serde(skip)]
    pub first_aborted: Option<AbortedGame>,
}

/// A metric of a combination. Shares of games are from 0 to 1.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MeasuredMetric {
    /// Its declaration.
    #[serde(skip)]
    pub kind: Option<&'static MetricKind>,
    /// `true` if the wins of the side say the same, see [`MetricColumn::side_key`].
    #[serde(skip)]
    pub repeats_side: bool,
    /// Its name in text.
    pub label: String,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The lower end of the mean's 95 % interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// The difference from the base; null for the base, and if the base doesn't have the metric.
    pub difference: Option<BaseDifference>,
}

/// The difference of a metric from that of the base, over pairs of games.
#[derive(Clone, Debug, Serialize)]
pub struct BaseDifference {
    /// The mean minus that of the base.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// The lower end of its 95 % interval; null for a single pair.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// p-value: probability of a difference at least this large if there is none.
    pub p: f64,
    /// The p-value, corrected by Holm's method for all differences tested in the sweep.
    pub p_corrected: f64,
    /// `true` if the corrected p-value is below 5 %.
    pub differs: bool,
    /// Number of pairs whose values differ.
    pub differing: u64,
    /// Name of an earlier metric with the same values in every pair; it is tested in its place.
    pub same_as: Option<String>,
}

/// Why a sweep can't be played.
#[derive(Debug)]
pub enum SweepError {
    /// The games of a combination can't be played.
    Simulate(SimulateError),
    /// The games of the base don't fit into memory.
    Kept {
        /// Requested number of games.
        games: u64,
        /// Number of metrics of each.
        metrics: usize,
    },
}

impl std::fmt::Display for SweepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SweepError::Simulate(error) => error.fmt(f),
            SweepError::Kept { games, metrics } => write!(
                f,
                "the games of the base are kept for the differences, and {} games of {metrics} metrics are too many: \
                 play at most {} games of each combination",
                grouped(*games),
                grouped(MOST_KEPT / (*metrics as u64).max(1))
            ),
        }
    }
}

impl std::error::Error for SweepError {}

impl From<SimulateError> for SweepError {
    fn from(error: SimulateError) -> Self {
        SweepError::Simulate(error)
    }
}

/// Plays all combinations with all agents. `watch` gets the number of games played so far of all combinations. If it
/// is stopped, the result has the finished combinations.
pub fn sweep(all: &[SweepGame], plan: &SweepPlan, watch: &RunMonitor<'_>) -> Result<Sweep, SweepError> {
    let clock = Instant::now();
    let each = &plan.each;
    let first = all.first();
    if each.match_play && all.iter().any(|one| one.game.model().match_rules.is_none()) {
        return Err(SimulateError::NoMatch.into());
    }
    let columns: Vec<Vec<MetricColumn>> =
        all.iter().map(|one| keyed_columns(&one.game, each.match_play)).collect();
    let metrics = columns.get(plan.base).map_or(0, Vec::len);
    if each.games.saturating_mul(metrics as u64) > MOST_KEPT {
        return Err(SweepError::Kept { games: each.games, metrics });
    }
    let mut found = Sweep {
        version: VERSION,
        game: first.map(|one| one.game.identity().name.clone()).unwrap_or_default(),
        title: first.map(|one| one.game.model().title.clone()).unwrap_or_default(),
        match_play: each.match_play,
        requested: each.games,
        seed: each.seed,
        first: each.first,
        threads: each.threads.max(1),
        seconds: 0.0,
        interrupted: false,
        out_of_time: false,
        varied: list_varied(all, each.agents.len()),
        combinations: all.len(),
        base: plan.base,
        tested: 0,
        rows: vec![],
    };
    // The base is played first, because the others are compared with it.
    let order =
        || (0..all.len()).filter(|at| *at == plan.base).chain((0..all.len()).filter(|at| *at != plan.base));
    let done = AtomicU64::new(0);
    let mut shares_wins = false;
    'agents: for kind in &each.agents {
        let mut base: Vec<MetricSample> = vec![];
        for at in order() {
            let before = done.load(Ordering::Relaxed);
            let progress = |played: u64| (watch.progress)(before + played);
            let monitor = RunMonitor { progress: &progress, stop: watch.stop };
            let parts = match play(&all[at].game, &columns[at], kind, each, &monitor) {
                Err(SimulateError::Stopped) => {
                    found.interrupted = true;
                    found.out_of_time = watch.stop.is_late();
                    break 'agents;
                }
                parts => parts?,
            };
            done.store(before + each.games, Ordering::Relaxed);
            shares_wins |= parts.iter().any(MetricSample::shares_wins);
            let mut row = row(&all[at], &columns[at], kind, &parts);
            row.combination = at;
            if at == plan.base {
                base = parts;
            } else {
                let game = SampledGame { game: &all[at].game, columns: &columns[at], samples: &parts };
                let of_base = &all[plan.base].game;
                let base = SampledGame { game: of_base, columns: &columns[plan.base], samples: &base };
                compare(&mut row, game, base);
            }
            found.rows.push(row);
        }
    }
    // A metric has one name in all rows.
    for row in &mut found.rows {
        let (columns, game) = (&columns[row.combination], &all[row.combination].game);
        for (column, (_, measured)) in columns.iter().zip(&mut row.metrics.0) {
            measured.label = label(column, columns, game, shares_wins);
        }
    }
    // The sort is stable, so the agents keep their order.
    found.rows.sort_by_key(|row| row.combination);
    let differences = found.rows.iter_mut().flat_map(|row| &mut row.metrics.0);
    let differences = differences.filter_map(|(_, measured)| measured.difference.as_mut());
    let mut tested: Vec<&mut BaseDifference> =
        differences.filter(|one| one.differing > 0 && one.same_as.is_none()).collect();
    let corrected = holm(&tested.iter().map(|one| one.p).collect::<Vec<_>>());
    for (one, p) in tested.iter_mut().zip(corrected) {
        (one.p_corrected, one.differs) = (p, p < CHANCE);
    }
    found.tested = tested.len();
    for row in &mut found.rows {
        // What is equal in every pair differs as that does.
        for at in 0..row.metrics.0.len() {
            let twin = row.metrics.0[at].1.difference.as_ref().and_then(|one| one.same_as.clone());
            let twin = twin.and_then(|twin| row.metrics.get(&twin)?.difference.clone());
            if let (Some(twin), Some(one)) = (twin, row.metrics.0[at].1.difference.as_mut()) {
                (one.p_corrected, one.differs) = (twin.p_corrected, twin.differs);
            }
        }
    }
    found.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

/// Names what varies among combinations that `agents` agents play.
fn list_varied(all: &[SweepGame], agents: usize) -> Vec<String> {
    let Some((first, others)) = all.split_first() else { return vec![] };
    let settings = &first.combination.settings;
    let varies = |name: &str, value: &str| {
        let has_value = |one: &SweepGame| {
            one.combination.settings.iter().any(|other| other.name == name && other.value == value)
        };
        !others.iter().all(has_value)
    };
    let params = settings.iter().filter(|one| varies(&one.name, &one.value)).map(|one| one.name.clone());
    let has_variants = others.iter().any(|one| one.combination.variant != first.combination.variant);
    let has_players = others.iter().any(|one| one.game.players() != first.game.players());
    let further = [("variant", has_variants), ("players", has_players), ("agent", agents > 1)];
    let further = further.into_iter().filter(|(_, varies)| *varies).map(|(name, _)| name.to_owned());
    params.chain(further).collect()
}

/// Plays the games of a combination. An agent that is trained plays as several trained players, each an equal part of
/// the games, as in a comparison: their spread is part of the errors.
fn play(
    game: &Game,
    columns: &[MetricColumn],
    kind: &AgentKind,
    plan: &SimulationPlan,
    watch: &RunMonitor<'_>,
) -> Result<Vec<MetricSample>, SimulateError> {
    let kinds = vec![kind.clone(); game.players() as usize];
    let trainings = if kind.trains() { TRAININGS.min(plan.games.max(1)) } else { 1 };
    let mut parts = vec![];
    for training in 0..trainings {
        let from =
            |training: u64| (u128::from(plan.games) * u128::from(training) / u128::from(trainings)) as u64;
        let (start, end) = (from(training), from(training + 1));
        let seated = watch
            .stop
            .scope(|| AgentKind::seat_trained(&kinds, game, 1 + training, &mut ()))
            .map_err(|_| SimulateError::Stopped)?;
        let agents = seated.map_err(SimulateError::Agent)?;
        let progress = |played: u64| (watch.progress)(start + played);
        let SimulationPlan { seed, threads, match_play, first, .. } = *plan;
        // Fails later if the indices are beyond the maximum.
        let range = first.saturating_add(start)..first.saturating_add(end);
        let how = SamplePlan { seed, threads, match_play, stop: watch.stop };
        parts.push(sample(game, columns, &agents, range, how, &progress)?);
    }
    Ok(parts)
}

fn row(one: &SweepGame, columns: &[MetricColumn], kind: &AgentKind, parts: &[MetricSample]) -> SweepRow {
    let Combination { variant, settings, .. } = &one.combination;
    let value = |text: &str| match (text.parse::<i64>(), text) {
        (Ok(number), _) => number.into(),
        (_, "true" | "false") => (text == "true").into(),
        _ => text.into(),
    };
    let played: usize = parts.iter().map(MetricSample::games).sum();
    let aborted = parts.iter().map(MetricSample::aborted).sum();
    let metrics = columns.iter().enumerate().map(|(at, column)| {
        let sums: Vec<Paired> = parts.iter().map(|part| part.sums(at, column.scale)).collect();
        (column.key(), measured(column, &one.game, &sums))
    });
    SweepRow {
        combination: 0,
        variant: variant.clone(),
        params: settings.iter().map(|setting| (setting.name.clone(), value(&setting.value))).collect(),
        players: one.game.players(),
        agent: kind.to_string(),
        trainings: kind.trains().then_some(parts.len() as u64),
        games: played as u64 - aborted,
        aborted,
        metrics: metrics.collect(),
        first_aborted: parts.iter().find_map(|part| part.first_aborted.clone()),
    }
}

/// Names one of the columns. `shares_wins`: some sides, but not all, shared the win of a game.
fn label(column: &MetricColumn, columns: &[MetricColumn], game: &Game, shares_wins: bool) -> String {
    let side = column.side_key(game);
    // Who wins with a team has the wins of the team.
    let of_side = columns.iter().find(|other| side.as_ref() == Some(&other.key()));
    of_side.unwrap_or(column).label(game, shares_wins)
}

/// Returns the statistics of a column, without its label. `sums` are those of each training.
fn measured(column: &MetricColumn, game: &Game, sums: &[Paired]) -> MeasuredMetric {
    let all = merged(sums);
    let trainings: Vec<(f64, f64)> = sums.iter().map(|part| (part.mean(0), part.error(0).powi(2))).collect();
    let [se, low, high] = column.interval(&all, variance_between(&trainings));
    MeasuredMetric {
        kind: Some(column.kind),
        repeats_side: column.side_key(game).is_some(),
        label: String::new(),
        mean: all.mean(0),
        se,
        low,
        high,
        difference: None,
    }
}

fn merged(parts: &[Paired]) -> Paired {
    let mut all = parts.first().cloned().unwrap_or_else(|| Paired::new(1, 1));
    parts.iter().skip(1).for_each(|part| all.merge(part));
    all
}

/// A game with its metrics and the games sampled by each training.
#[derive(Clone, Copy)]
struct SampledGame<'g> {
    game: &'g Game,
    columns: &'g [MetricColumn],
    samples: &'g [MetricSample],
}

/// Enters the differences from the base. Results of seats aren't comparable between different numbers of players.
fn compare(row: &mut SweepRow, game: SampledGame<'_>, base: SampledGame<'_>) {
    let same_players = game.game.players() == base.game.players();
    let mut kept: Vec<(Paired, String)> = vec![];
    for (at, column) in game.columns.iter().enumerate() {
        let is_comparable =
            (same_players || !column.is_of_seats()) && column.is_comparable([base.game, game.game]);
        let Some(twin) = base.columns.iter().position(|other| is_comparable && column.matches(other)) else {
            continue;
        };
        let base_column = ScaledColumn { index: twin, scale: base.columns[twin].scale };
        let own_column = ScaledColumn { index: at, scale: column.scale };
        let samples = base.samples.iter().zip(game.samples);
        let pairs: Vec<Paired> =
            samples.map(|(base, own)| base.pairs(base_column, own, own_column)).collect();
        let all = merged(&pairs);
        let trainings = pairs.iter().map(|part| part.difference(0.0));
        let trainings: Vec<(f64, f64)> = trainings.map(|part| (part.mean, part.se.powi(2))).collect();
        let between = variance_between(&trainings);
        let found = match column.kind.is_share() {
            true => all.difference_of_shares(between),
            false => all.difference(between),
        };
        let bound = |sign: f64| {
            let bound = found.mean + sign * found.half_width;
            bound.is_finite().then_some(bound)
        };
        // Constant metrics can be equal by coincidence.
        let varies = all.variance(0) + all.variance(1) > 0.0;
        let of_side = common_side([column, &base.columns[twin]], [game.game, base.game]);
        let equal = || kept.iter().find(|(other, _)| varies && *other == all).map(|(_, key)| key.clone());
        let same_as = of_side.or_else(equal);
        let (low, high) = (bound(-1.0), bound(1.0));
        row.metrics.0[at].1.difference = Some(BaseDifference {
            mean: found.mean,
            se: found.se,
            low,
            high,
            p: found.p,
            p_corrected: 1.0,
            differs: false,
            differing: all.differing,
            same_as: same_as.clone(),
        });
        if same_as.is_none() {
            kept.push((all, column.key()));
        }
    }
}
