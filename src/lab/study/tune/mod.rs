//! Tuning: the values of params with which a game's metrics meet targets.
//!
//! All settings play the same games. The best ones are measured again in games that the search didn't use, because
//! the best of many noisy means is better than it should be. All that is told of a setting is of these games.

mod alike;
mod certainty;
mod measured;
mod player;
mod search;
mod target;

use std::cell::RefCell;

use serde::Serialize;

pub use self::alike::SameGames;
use self::certainty::{Certainty, TunedFigure, certainties};
use self::measured::TargetMetric;
pub(super) use self::player::choose;
use self::search::{Bench, FINALISTS, GridPlace, Rows, SettingSearch, Space, TriedPlace};
pub(super) use self::target::figure_name;
pub use self::target::{Statistic, TargetRange, TuningTarget};
use super::run::StudyRun;
use super::setting::{Choices, Combination};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::grouped;
use houserule_base::statistics::sample::quantile;
use houserule_base::statistics::{share_interval, student};
use houserule_game::Game;
use houserule_game::ordered::Ordered;
use houserule_game::values::{param_text, params_json};
use houserule_language::variants::{Origin, Setting, StackPart};
use houserule_loader::{LoadError, Loaded, load_origin};
use houserule_players::agents::{Agent, AgentError, AgentKind};
use houserule_players::learned::LearnError;
use houserule_playtest::{
    AbortedGame, MetricColumn, QuickPlayer, SamplePlan, SimulateError, VERSION, keyed_columns, metric_named,
    sample,
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
    /// The agents: one for all seats, or one for each. An empty list stands for the best player that [`tune_within`] finds quickly.
    ///
    /// [`tune_within`]: super::tune_within
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
    /// How the player was found; `None` if agents were named.
    pub contest: Option<QuickPlayer>,
    /// What there was no time for, as a sentence.
    pub missing: Option<String>,
    /// Games of the best setting of which nearly all are alike, so that they say little of the rules; null if they aren't.
    pub alike: Option<SameGames>,
    /// The targets.
    pub targets: Vec<TunedTarget>,
    /// The settings, that which most probably meets all targets first, and of equally probable ones the nearest.
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
    /// The figure: a metric, whose mean is meant, or a quantile or share of one.
    pub metric: String,
    /// Its name in text.
    pub label: String,
    /// `true` for a share of games, from 0 to 1.
    pub is_share: bool,
    /// The least figure that is wanted; null if there is none.
    pub low: Option<f64>,
    /// The greatest figure that is wanted; null if there is none.
    pub high: Option<f64>,
    /// `true` if `low` itself isn't wanted.
    pub excludes_low: bool,
    /// `true` if `high` itself isn't wanted.
    pub excludes_high: bool,
    /// The distance that counts 1.
    pub tolerance: f64,
    /// The distance from `low` and `high` at which the target is still met.
    pub margin: f64,
}

/// A setting and its results.
#[derive(Clone, Debug, Serialize)]
pub struct TunedSetting {
    /// The params that were varied.
    pub params: Ordered<serde_json::Value>,
    /// Probability that it meets all targets, by bootstrap over the fresh games, or those of the search if there are no fresh
    /// ones.
    pub probability: f64,
    /// Distance from the targets in the games of the search, in tolerances: the root of the sum of squares.
    pub search_distance: f64,
    /// The same in the fresh games; null if there are none.
    pub distance: Option<f64>,
    /// Number of finished fresh games.
    pub games: u64,
    /// Number of fresh games that an error ended.
    pub aborted: u64,
    /// The figure of each target, in the fresh games, or in those of the search if there are no fresh ones.
    pub metrics: Vec<TunedMetric>,
}

/// The figure of a target.
#[derive(Clone, Debug, Serialize)]
pub struct TunedMetric {
    /// The figure's name, as in the target.
    pub metric: String,
    /// The figure: a mean, a quantile or a share.
    pub mean: f64,
    /// The standard error of a mean or share; null for fewer than two games, and for a quantile.
    pub se: Option<f64>,
    /// The lower end of the figure's 95 % interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Distance of the figure from the target, in tolerances.
    pub distance: f64,
    /// Probability that the target is met.
    pub met: f64,
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

impl TunePlan {
    /// Returns the number of settings in the grid.
    pub(super) fn settings(&self) -> u64 {
        self.vary.iter().fold(1, |all, choices| all.saturating_mul(choices.values.len() as u64))
    }
}

/// Players that were trained. While they are held, they aren't trained again.
pub(super) type SeatedPlayers = RefCell<Vec<Box<dyn Agent>>>;

/// Searches the grid. `progress` gets the number of games played so far. If it is stopped, the result has what was
/// found so far.
pub fn tune(plan: &TunePlan, progress: &(dyn Fn(u64) + Sync), stop: &Interrupt) -> Result<Tuning, TuneError> {
    tune_again(plan, &RefCell::default(), progress, stop)
}

/// Like [`tune`], with players that earlier searches trained.
pub(super) fn tune_again(
    plan: &TunePlan,
    held: &SeatedPlayers,
    progress: &(dyn Fn(u64) + Sync),
    stop: &Interrupt,
) -> Result<Tuning, TuneError> {
    let clock = Instant::now();
    let (base, measured) = prepared(plan)?;
    let game = &base.game;
    let distance = |figures: &[f64]| {
        let each = measured.iter().zip(figures);
        let each = each.map(|(one, figure)| one.target.signed_distance(*figure, one.unit));
        let apart = each.clone().map(|one| one.max(0.0).powi(2)).sum::<f64>().sqrt();
        if apart > 0.0 { apart } else { each.fold(f64::NEG_INFINITY, f64::max) }
    };
    let is_met = |at: usize, figure: f64| measured[at].target.is_met(figure, measured[at].margin);
    let figures: Vec<TunedFigure> = measured.iter().map(TargetMetric::figure).collect();
    let certain = |rows: &[&Rows]| -> Vec<Certainty> { certainties(rows, &figures, &is_met, plan.seed) };
    let mut bench = SettingGames {
        plan,
        measured: &measured,
        held,
        progress,
        stop,
        open: vec![],
        played: 0,
        shares_wins: false,
    };
    let space = Space {
        sizes: plan.vary.iter().map(|choices| choices.values.len()).collect(),
        start: start(plan, game),
        games: plan.games as usize,
        figures: figures.clone(),
        distance: &distance,
    };
    let mut search = SettingSearch::new(space);
    let interrupted = match search.run(&mut bench) {
        Err(TuneError::Simulate(SimulateError::Stopped)) => true,
        done => {
            done?;
            false
        }
    };
    let unplayable = search.unplayable() as u64;
    let mut order: Vec<usize> =
        search.order().into_iter().filter(|at| search.tried[*at].figures.is_some()).collect();
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
    order.truncate(FINALISTS);
    let finalists = certain(&order.iter().map(|at| &search.tried[*at].rows).collect::<Vec<_>>());
    order =
        by_certainty(&finalists, &|at| search.distance(order[at])).into_iter().map(|at| order[at]).collect();
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
            out_of_time: false,
        },
        requested: plan.games,
        settings: plan.settings(),
        tried: search.tried.len() as u64,
        unplayable,
        games: search.games(),
        contest: None,
        missing: None,
        alike: None,
        targets: vec![],
        best: vec![],
        variant: String::new(),
        first_aborted: None,
    };
    let mut fresh = vec![];
    if !interrupted {
        for at in &order {
            match bench.fresh(&search.tried[*at].place) {
                Err(TuneError::Simulate(SimulateError::Stopped)) => break,
                rows => fresh.push(rows?),
            }
        }
    }
    found.targets = measured.iter().map(|one| one.to_json(bench.shares_wins)).collect();
    // Either all have fresh games, or the games of the search count for all.
    let has_fresh = fresh.len() == order.len();
    found.run.interrupted = !has_fresh;
    found.run.out_of_time = !has_fresh && stop.is_late();
    let rows: Vec<&Rows> = match has_fresh {
        true => fresh.iter().collect(),
        false => order.iter().map(|at| &search.tried[*at].rows).collect(),
    };
    let sure = certain(&rows);
    let mut all = vec![];
    for ((at, rows), certainty) in order.iter().zip(&rows).zip(&sure) {
        let tried = &search.tried[*at];
        if found.first_aborted.is_none() {
            found.first_aborted = bench.first_aborted(&tried.place);
        }
        let searched = search.distance(*at).max(0.0);
        all.push(setting(plan, &measured, tried, rows, has_fresh.then_some(searched), certainty));
    }
    let distances: Vec<f64> = rows
        .iter()
        .map(|rows| certainty::figures(rows, &figures).map_or(f64::INFINITY, |figures| distance(&figures)))
        .collect();
    let ranked = by_certainty(&sure, &|at| distances[at]);
    found.alike = ranked.first().and_then(|at| bench.alike(&search.tried[order[*at]].place));
    found.best = ranked.into_iter().map(|at| all[at].clone()).collect();
    let best = found.best.first().map(|best| best.params.clone()).unwrap_or_default();
    found.variant = variant(plan, &base, &best);
    found.run.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

/// Returns the indices of settings: the most certain first, and of equally certain ones the nearest.
fn by_certainty(all: &[Certainty], distance: &dyn Fn(usize) -> f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| all[*b].all.total_cmp(&all[*a].all).then(distance(*a).total_cmp(&distance(*b))));
    order
}

/// Loads the game as it is and checks everything before the first game.
fn prepared(plan: &TunePlan) -> Result<(Loaded, Vec<TargetMetric>), TuneError> {
    let base = load_with(plan, &[]).map_err(|error| match error {
        LoadError::Request(messages) => TuneError::Request(messages),
        error => TuneError::Load(Box::new(error)),
    })?;
    let measured = checked(plan, &base)?;
    Ok((base, measured))
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
    let is_long = |kind: &&AgentKind| kind.trains() && !matches!(kind, AgentKind::Learned(Some(_)));
    if let Some(kind) = plan.agents.iter().find(is_long) {
        wrong.push(format!(
            "`{kind}` would be trained for every setting: name a short training, such as `learned:1000`, or an agent that \
             isn't trained, such as `greedy`"
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
            Ok(at) => match TargetMetric::new(target, &columns[at], &base.game) {
                Ok(one) => measured.push(one),
                Err(message) => wrong.push(message),
            },
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
    /// The columns that the targets need and the game has, and those that show whether wins are shared.
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
    held: &'p SeatedPlayers,
    progress: &'p (dyn Fn(u64) + Sync),
    stop: &'p Interrupt,
    open: Vec<CandidateRun>,
    played: u64,
    /// Some sides, but not all, shared the win of a game.
    shares_wins: bool,
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
        columns.extend(all.iter().filter(|column| column.kind.is_of_wins()).cloned());
        let agents = self.seat(&game)?;
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
        self.shares_wins |= found.shares_wins();
        open.first_aborted = open.first_aborted.take().or_else(|| found.first_aborted.clone());
        let value = |row: &[i64], at: &Option<usize>| {
            at.map_or(0.0, |at| row[at] as f64 / open.columns[at].scale as f64)
        };
        let counted = |row: &[i64]| {
            let each = self.measured.iter().zip(&open.of_target);
            each.map(|(measured, at)| measured.target.counted(value(row, at))).collect()
        };
        Ok(found.rows().map(|row| row.map(counted)).collect())
    }
}

impl SettingGames<'_> {
    /// Makes the agents of a setting, and trains those that learn.
    fn seat(&self, game: &Game) -> Result<Vec<Box<dyn Agent>>, TuneError> {
        let kinds = kinds(self.plan, game)?;
        let trains = kinds.iter().any(AgentKind::trains);
        let seated = self.stop.scope(|| AgentKind::seat_all(&kinds, game));
        let agents = match seated.map_err(|_| SimulateError::Stopped)? {
            // Where nobody decides, all players are alike.
            Err(AgentError::Learn(LearnError::NoDecisions)) => {
                AgentKind::seat_all(&vec![AgentKind::Random; kinds.len()], game)
            }
            seated => seated,
        };
        let agents = agents.map_err(SimulateError::Agent)?;
        if trains {
            self.held.borrow_mut().extend(agents.iter().map(|agent| agent.copy()));
        }
        Ok(agents)
    }

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

/// Returns a setting with the results of its games. `searched` is the distance in the search if they are fresh ones.
fn setting(
    plan: &TunePlan,
    measured: &[TargetMetric],
    tried: &TriedPlace,
    rows: &Rows,
    searched: Option<f64>,
    certainty: &Certainty,
) -> TunedSetting {
    let games = rows.iter().flatten().count() as u64;
    let metrics: Vec<TunedMetric> = measured
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let mut values: Vec<f64> = rows.iter().flatten().map(|row| row[at]).collect();
            let mean = values.iter().sum::<f64>() / games.max(1) as f64;
            let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let se = (games > 1).then(|| (spread / (games - 1) as f64 / games as f64).sqrt());
            let (low, high) = match (one.is_share, student(games).zip(se)) {
                (true, _) => share_interval(mean, games).unzip(),
                (false, Some((errors, se))) => (Some(mean - errors * se), Some(mean + errors * se)),
                (false, None) => (None, None),
            };
            let quantile = one.target.quantile().and_then(|share| quantile(&mut values, share));
            let (mean, se, low, high) = match quantile {
                Some(found) => (found.value, None, found.low, found.high),
                None => (mean, se, low, high),
            };
            TunedMetric {
                metric: one.name.clone(),
                mean,
                se,
                low,
                high,
                distance: one.target.distance(mean, one.unit),
                met: certainty.each[at],
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
        probability: certainty.all,
        search_distance: searched.unwrap_or(distance),
        distance: searched.map(|_| distance),
        games: if searched.is_some() { games } else { 0 },
        aborted: searched.map_or(0, |_| rows.len() as u64 - games),
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
