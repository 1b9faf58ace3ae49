//! Tuning: the values of params with which a game's metrics come nearest to targets.
//!
//! All settings play the same games. The best ones are measured again in games that the search didn't use, because
//! the best of many noisy means is better than it should be.

mod search;
mod target;

use serde::Serialize;

use self::search::{Bench, FINALISTS, GridPlace, Rows, SettingSearch, Space, TriedPlace};
pub use self::target::TuningTarget;
use super::run::StudyRun;
use super::setting::{Choices, Combination};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::grouped;
use houserule_base::statistics::{share_interval, student};
use houserule_game::Game;
use houserule_game::ordered::Ordered;
use houserule_game::values::{param_text, params_json};
use houserule_language::variants::{Origin, Setting, StackPart};
use houserule_loader::{LoadError, Loaded, load_origin};
use houserule_players::agents::{Agent, AgentKind};
use houserule_playtest::{
    AbortedGame, MetricColumn, SamplePlan, SimulateError, VERSION, keyed_columns, metric_named, sample,
};

/// Number of settings reported: the best and the runners-up.
const REPORTED: usize = 4;

/// Maximum number of params that are varied.
const MOST_AXES: usize = 12;

/// Number of games of a setting if no other is given.
pub const GAMES_OF_A_SETTING: u64 = 1_000;

/// Number of games of a setting in the first search within a time.
pub(super) const FEWEST_GAMES: u64 = 20;

/// Maximum number of games of a setting.
pub(super) const MOST_GAMES: u64 = 1_000_000;

/// Settings of a tuning.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The game, with its variants, the number of players, and the values of params that are not varied.
    pub game: Origin,
    /// The params that are varied, and their values.
    pub vary: Vec<Choices>,
    /// The targets.
    pub targets: Vec<TuningTarget>,
    /// The agents: one for all seats, or one for each.
    pub agents: Vec<AgentKind>,
    /// Games of a setting that is not excluded earlier.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Number of threads; at least 1.
    pub threads: usize,
}

/// The results of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Tuning {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Number of players.
    pub players: u32,
    /// The run, with the agent of each seat.
    #[serde(flatten)]
    pub run: StudyRun,
    /// Requested number of games of a setting.
    pub requested: u64,
    /// Number of settings in the grid.
    pub settings: u64,
    /// Number of settings that were played.
    pub tried: u64,
    /// Number of settings whose rules have an error.
    pub unplayable: u64,
    /// Number of games of the search.
    pub games: u64,
    /// The targets.
    pub targets: Vec<TunedTarget>,
    /// The settings, that which is probably the nearest first.
    pub best: Vec<TunedSetting>,
    /// The rule text of a variant with the best setting.
    pub variant: String,
    /// The first game of the reported settings that an error ended.
    #[serde(skip)]
    pub first_aborted: Option<(Combination, AbortedGame)>,
}

/// A target.
#[derive(Clone, Debug, Serialize)]
pub struct TunedTarget {
    /// The metric.
    pub metric: String,
    /// Its name in text.
    pub label: String,
    /// `true` for a share of games, from 0 to 1.
    pub is_share: bool,
    /// The least mean that meets the target; null if there is none.
    pub low: Option<f64>,
    /// The greatest mean that meets the target; null if there is none.
    pub high: Option<f64>,
    /// The distance that counts 1.
    pub tolerance: f64,
}

/// A setting and its results.
#[derive(Clone, Debug, Serialize)]
pub struct TunedSetting {
    /// The params that were varied.
    pub params: Ordered<serde_json::Value>,
    /// Probability that it is the nearest of all settings that were tried, by bootstrap over all games that were played
    /// of them: those of the search, and the fresh ones of the reported settings.
    pub probability: f64,
    /// Distance from the targets in the games of the search, in tolerances: the root of the sum of squares.
    pub search_distance: f64,
    /// The same in the fresh games; null if there are none.
    pub distance: Option<f64>,
    /// Number of finished fresh games.
    pub games: u64,
    /// Number of fresh games that an error ended.
    pub aborted: u64,
    /// The metric of each target, in the fresh games, or in those of the search if there are no fresh ones.
    pub metrics: Vec<TunedMetric>,
}

/// The mean of a target's metric.
#[derive(Clone, Debug, Serialize)]
pub struct TunedMetric {
    /// The metric.
    pub metric: String,
    /// Its mean.
    pub mean: f64,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The lower end of the mean's 95 % interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Distance of the mean from the target, in tolerances.
    pub distance: f64,
}

/// Why a tuning can't be carried out.
#[derive(Debug)]
pub enum TuneError {
    /// Errors in the request, each a message.
    Request(Vec<String>),
    /// The game can't be loaded.
    Load(Box<LoadError>),
    /// The games can't be played.
    Simulate(SimulateError),
}

impl std::fmt::Display for TuneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TuneError::Request(messages) => f.write_str(&messages.join("\n")),
            TuneError::Load(error) => error.fmt(f),
            TuneError::Simulate(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TuneError {}

impl From<SimulateError> for TuneError {
    fn from(error: SimulateError) -> Self {
        TuneError::Simulate(error)
    }
}

/// A target with its metric.
struct TargetMetric {
    target: TuningTarget,
    key: String,
    label: String,
    is_share: bool,
    unit: f64,
}

/// Searches the grid. `progress` gets the number of games played so far. If it is stopped, the result has what was
/// found so far.
pub fn tune(plan: &TunePlan, progress: &(dyn Fn(u64) + Sync), stop: &Interrupt) -> Result<Tuning, TuneError> {
    let clock = Instant::now();
    let base = load_with(plan, &[]).map_err(|error| match error {
        LoadError::Request(messages) => TuneError::Request(messages),
        error => TuneError::Load(Box::new(error)),
    })?;
    let measured = checked(plan, &base)?;
    let game = &base.game;
    let distance = |means: &[f64]| {
        let each = measured.iter().zip(means).map(|(one, mean)| one.target.distance(*mean, one.unit).powi(2));
        each.sum::<f64>().sqrt()
    };
    let mut bench = SettingGames { plan, measured: &measured, progress, stop, open: vec![], played: 0 };
    let space = Space {
        sizes: plan.vary.iter().map(|choices| choices.values.len()).collect(),
        start: start(plan, game),
        games: plan.games as usize,
        targets: measured.len(),
        distance: &distance,
    };
    let settings =
        plan.vary.iter().fold(1u64, |all, choices| all.saturating_mul(choices.values.len() as u64));
    let mut search = SettingSearch::new(space);
    let interrupted = match search.run(&mut bench) {
        Err(TuneError::Simulate(SimulateError::Stopped)) => true,
        done => {
            done?;
            false
        }
    };
    let unplayable = search.unplayable() as u64;
    let sure = search.bootstrap(plan.seed);
    let mut order: Vec<usize> =
        search.order().into_iter().filter(|at| search.tried[*at].means().is_some()).collect();
    if order.is_empty() {
        return Err(match interrupted {
            true => SimulateError::Stopped.into(),
            false => TuneError::Request(vec![format!(
                "none of the {} settings tried can be played: their rules have errors, or every game ended in one; \
                 `houserule check` with one of them says more",
                grouped(unplayable.max(search.tried.len() as u64))
            )]),
        });
    }
    // Among the finalists the mean distance over resamples decides. It prefers means well within a target to means at
    // its edge.
    let finalists = order.len().min(FINALISTS);
    order[..finalists].sort_by(|a, b| sure[*a].1.total_cmp(&sure[*b].1));
    order.truncate(REPORTED);
    let mut found = Tuning {
        version: VERSION,
        game: game.identity().name.clone(),
        title: game.model().title.clone(),
        players: game.players(),
        run: StudyRun {
            agents: kinds(plan, game)?.iter().map(AgentKind::to_string).collect(),
            seed: plan.seed,
            threads: plan.threads.max(1),
            seconds: 0.0,
            interrupted,
        },
        requested: plan.games,
        settings,
        tried: search.tried.len() as u64,
        unplayable,
        games: search.games(),
        targets: measured.iter().map(TargetMetric::to_json).collect(),
        best: vec![],
        variant: String::new(),
        first_aborted: None,
    };
    for at in &order {
        let tried = &search.tried[*at];
        let mut fresh = None;
        if !found.run.interrupted {
            match bench.fresh(&tried.place) {
                Err(TuneError::Simulate(SimulateError::Stopped)) => found.run.interrupted = true,
                rows => fresh = Some(rows?),
            }
        }
        if found.first_aborted.is_none() {
            found.first_aborted = bench.first_aborted(&tried.place);
        }
        let best = setting(plan, &measured, tried, fresh.as_ref());
        let search_distance = search.distance(*at);
        search.tried[*at].rows.extend(fresh.into_iter().flatten());
        found.best.push(TunedSetting { search_distance, ..best });
    }
    // Fresh games count as much as those of the search: the first setting is the one that is probably the nearest.
    let sure = search.bootstrap(plan.seed);
    found.best.iter_mut().zip(&order).for_each(|(best, at)| best.probability = sure[*at].0);
    found.best.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let best = found.best.first().map(|best| best.params.clone()).unwrap_or_default();
    found.variant = variant(plan, &base, &best);
    found.run.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

impl TargetMetric {
    fn to_json(&self) -> TunedTarget {
        let finite = |end: f64| end.is_finite().then_some(end);
        TunedTarget {
            metric: self.key.clone(),
            label: self.label.clone(),
            is_share: self.is_share,
            low: finite(self.target.low),
            high: finite(self.target.high),
            tolerance: self.unit,
        }
    }
}

/// Checks everything before the first game and returns all errors at once.
fn checked(plan: &TunePlan, base: &Loaded) -> Result<Vec<TargetMetric>, TuneError> {
    let mut wrong = vec![];
    if plan.games == 0 || plan.games > MOST_GAMES {
        wrong.push(format!(
            "the number of games must be from 1 to {}, found {}",
            grouped(MOST_GAMES),
            plan.games
        ));
    }
    if plan.vary.is_empty() {
        wrong.push("no param is varied: add `--vary NAME=1..9`".to_owned());
    }
    if plan.vary.len() > MOST_AXES {
        wrong.push(format!("at most {MOST_AXES} params can be varied, found {}", plan.vary.len()));
    }
    if plan.targets.is_empty() {
        wrong.push("there is no target: add `--target 'turns = 20'`".to_owned());
    }
    if let Some(kind) = plan.agents.iter().find(|kind| kind.trains()) {
        wrong.push(format!(
            "`{kind}` would be trained for every setting: name an agent that isn't trained, such as `greedy`"
        ));
    }
    for (at, choices) in plan.vary.iter().enumerate() {
        if plan.vary[..at].iter().any(|other| other.name == choices.name)
            || plan.game.settings.iter().any(|fixed| fixed.name == choices.name)
        {
            wrong.push(format!("`{}` is set twice: give all of its values at once", choices.name));
        }
        for value in &choices.values {
            // Errors in rules can depend on the other params, so they only exclude a setting.
            if let Err(LoadError::Request(messages)) = load_with(plan, &[Setting::new(&choices.name, value)])
            {
                wrong.extend(messages);
            }
        }
    }
    let columns = keyed_columns(&base.game, false);
    let keys: Vec<String> = columns.iter().map(MetricColumn::key).collect();
    let mut measured = vec![];
    for target in &plan.targets {
        match metric_named(&target.metric, &keys) {
            Ok(at) => {
                let (column, is_share) = (&columns[at], columns[at].kind.is_share());
                let (key, label) = (column.key(), column.label(&base.game));
                measured.push(TargetMetric {
                    target: target.clone(),
                    key,
                    label,
                    is_share,
                    unit: target.unit(is_share),
                });
            }
            Err(message) => wrong.push(message),
        }
    }
    let mut once: Vec<String> = vec![];
    wrong.into_iter().for_each(|message| {
        if !once.contains(&message) {
            once.push(message);
        }
    });
    if once.is_empty() { Ok(measured) } else { Err(TuneError::Request(once)) }
}

/// Loads the game with values of the varied params.
fn load_with(plan: &TunePlan, settings: &[Setting]) -> Result<Loaded, LoadError> {
    load_origin(&plan.game.with(settings, None))
}

fn settings(plan: &TunePlan, place: &[usize]) -> Vec<Setting> {
    let values = plan.vary.iter().zip(place);
    values.map(|(choices, at)| Setting::new(&choices.name, &choices.values[*at])).collect()
}

/// Returns the agent of each seat.
fn kinds(plan: &TunePlan, game: &Game) -> Result<Vec<AgentKind>, SimulateError> {
    let players = game.players();
    match plan.agents.as_slice() {
        [one] => Ok(vec![one.clone(); players as usize]),
        many if many.len() == players as usize => Ok(many.to_vec()),
        many => Err(SimulateError::Agents { players, agents: many.len() }),
    }
}

/// Returns the place of the values that the game has by itself, if all are in the grid.
fn start(plan: &TunePlan, game: &Game) -> Option<GridPlace> {
    let params = params_json(game.model());
    let place = plan.vary.iter().map(|choices| {
        let (name, key) =
            choices.name.split_once('.').map_or((&*choices.name, None), |(name, key)| (name, Some(key)));
        let value = params.get(name)?;
        let value = key.map_or(Some(value), |key| value.get(key))?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        choices.values.iter().position(|one| *one == text)
    });
    place.collect()
}

/// A setting that is being played.
struct CandidateRun {
    place: GridPlace,
    game: Game,
    /// The columns that the targets need and the game has.
    columns: Vec<MetricColumn>,
    /// For each target, its column; `None` if the game doesn't have it, which counts 0.
    of_target: Vec<Option<usize>>,
    agents: Vec<Box<dyn Agent>>,
    first_aborted: Option<AbortedGame>,
}

/// Plays the games of settings.
struct SettingGames<'p> {
    plan: &'p TunePlan,
    measured: &'p [TargetMetric],
    progress: &'p (dyn Fn(u64) + Sync),
    stop: &'p Interrupt,
    open: Vec<CandidateRun>,
    played: u64,
}

impl Bench for SettingGames<'_> {
    type Error = TuneError;

    fn open(&mut self, place: &[usize]) -> Result<bool, TuneError> {
        if self.stop.is_set() {
            return Err(SimulateError::Stopped.into());
        }
        let Ok(Loaded { game, .. }) = load_with(self.plan, &settings(self.plan, place)) else {
            return Ok(false);
        };
        let (mut columns, all): (Vec<MetricColumn>, _) = (vec![], keyed_columns(&game, false));
        let of_target = self.measured.iter().map(|measured| {
            let column = all.iter().find(|column| column.key() == measured.key)?;
            columns.push(column.clone());
            Some(columns.len() - 1)
        });
        let of_target = of_target.collect();
        let agents = AgentKind::seat_all(&kinds(self.plan, &game)?, &game).map_err(SimulateError::Agent)?;
        self.open.push(CandidateRun {
            place: place.to_vec(),
            game,
            columns,
            of_target,
            agents,
            first_aborted: None,
        });
        Ok(true)
    }

    fn play(&mut self, place: &[usize], from: usize, to: usize) -> Result<Rows, TuneError> {
        let before = self.played;
        let Some(open) = self.open.iter_mut().find(|open| open.place == place) else { return Ok(vec![]) };
        let progress = |played: u64| (self.progress)(before + played);
        let TunePlan { seed, threads, .. } = *self.plan;
        let how = SamplePlan { seed, threads, match_play: false, stop: self.stop };
        let found = sample(&open.game, &open.columns, &open.agents, from as u64..to as u64, how, &progress)?;
        self.played += (to - from) as u64;
        open.first_aborted = open.first_aborted.take().or_else(|| found.first_aborted.clone());
        let value = |row: &[i64], at: &Option<usize>| {
            at.map_or(0.0, |at| row[at] as f64 / open.columns[at].scale as f64)
        };
        let rows =
            found.rows().map(|row| row.map(|row| open.of_target.iter().map(|at| value(row, at)).collect()));
        Ok(rows.collect())
    }
}

impl SettingGames<'_> {
    /// Plays games that the search doesn't use.
    fn fresh(&mut self, place: &[usize]) -> Result<Rows, TuneError> {
        let games = self.plan.games as usize;
        self.play(place, games, 2 * games)
    }

    fn first_aborted(&self, place: &[usize]) -> Option<(Combination, AbortedGame)> {
        let open = self.open.iter().find(|open| open.place == place)?;
        let aborted = open.first_aborted.clone()?;
        let settings = self.plan.game.settings.iter().cloned().chain(settings(self.plan, place)).collect();
        Some((Combination { variant: String::new(), settings, players: self.plan.game.players }, aborted))
    }
}

/// Returns a setting with the results of its fresh games, or else of its games in the search.
fn setting(
    plan: &TunePlan,
    measured: &[TargetMetric],
    tried: &TriedPlace,
    fresh: Option<&Rows>,
) -> TunedSetting {
    let rows = fresh.unwrap_or(&tried.rows);
    let games = rows.iter().flatten().count() as u64;
    let metrics: Vec<TunedMetric> = measured
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let values = || rows.iter().flatten().map(|row| row[at]);
            let mean = values().sum::<f64>() / games.max(1) as f64;
            let spread: f64 = values().map(|value| (value - mean).powi(2)).sum();
            let se = (games > 1).then(|| (spread / (games - 1) as f64 / games as f64).sqrt());
            let (low, high) = match (one.is_share, student(games).zip(se)) {
                (true, _) => share_interval(mean, games).unzip(),
                (false, Some((errors, se))) => (Some(mean - errors * se), Some(mean + errors * se)),
                (false, None) => (None, None),
            };
            TunedMetric {
                metric: one.key.clone(),
                mean,
                se,
                low,
                high,
                distance: one.target.distance(mean, one.unit),
            }
        })
        .collect();
    let distance = metrics.iter().map(|metric| metric.distance.powi(2)).sum::<f64>().sqrt();
    let value = |text: &str| match (text.parse::<i64>(), text) {
        (Ok(number), _) => number.into(),
        (_, "true" | "false") => (text == "true").into(),
        _ => text.into(),
    };
    let params = settings(plan, &tried.place).into_iter().map(|set| (set.name, value(&set.value)));
    TunedSetting {
        params: params.collect(),
        probability: 0.0,
        search_distance: 0.0,
        distance: fresh.map(|_| distance),
        games: if fresh.is_some() { games } else { 0 },
        aborted: fresh.map_or(0, |rows| rows.len() as u64 - games),
        metrics,
    }
}

/// Returns the rule text of a variant that sets the params, for the game without the variants after `+`.
fn variant(plan: &TunePlan, base: &Loaded, best: &Ordered<serde_json::Value>) -> String {
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let best: Vec<Setting> = best.0.iter().map(|(name, value)| Setting::new(name, text(value))).collect();
    let game = load_with(plan, &best).map_or_else(|_| base.game.clone(), |loaded| loaded.game);
    let mut names: Vec<&str> = vec![];
    for setting in plan.game.settings.iter().chain(&best) {
        let name = setting.name.split('.').next().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let of = plan.game.parts.first().map_or("", StackPart::name);
    let mut out = format!("/// Tuned by `houserule tune`, for {}.\n", agents_told(plan));
    out.push_str(&format!("variant \"{}, tuned\" of \"{of}\" {{\n", base.game.model().title));
    for param in names.iter().filter_map(|name| game.model().params.iter().find(|param| param.name == **name))
    {
        out.push_str(&format!("  param {} = {}\n", param.name, param_text(&param.value)));
    }
    out.push_str("}\n");
    out
}

fn agents_told(plan: &TunePlan) -> String {
    let names: Vec<String> = plan.agents.iter().map(AgentKind::to_string).collect();
    format!("{} players", names.join(", "))
}
