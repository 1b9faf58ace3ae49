//! What each rule is worth: the game with the rule against the game without it, for agents of several strengths.
//!
//! Trained agents learn both games. Games of a pair have the same seed and index, so they have the same dice. An
//! option is also taken away from a single player, who plays on as before (restricted play).

use serde::Serialize;

use super::removal::{Removal, RuleKind, removals};
use super::restricted::{Part, Played, RestrictedGames, quantities, with_restricted};
use super::run::StudyRun;
use crate::playtest::compare::{CHANCE, TRAININGS};
use crate::playtest::metric::Subject;
use crate::playtest::sentences::sentence;
use crate::playtest::{ComparePlan, CompareProgress, Quantity, SimulateError, VERSION, compare_in_parts};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::grouped;
use houserule_base::parts::Parts;
use houserule_base::statistics::paired::holm;
use houserule_game::Game;
use houserule_game::ordered::Ordered;
use houserule_game::values::params_json;
use houserule_language::vocabulary::BuiltInName;
use houserule_model::ScoreDirection;
use houserule_players::agents::{Agent, AgentError, AgentKind, Barred};
use houserule_players::learned::TrainingObserver;

/// Default number of games of restricted play, at most: there is one such run for each option and seat.
const RESTRICTED_GAMES: u64 = 2_000;

/// Time of a training relative to that of playing the games, for the progress.
const TRAINING: f64 = 9.0;

/// Settings of a study.
#[derive(Clone, Debug)]
pub struct WorthPlan {
    /// Games with and without each rule; `None` for as many as take a few seconds.
    pub games: Option<u64>,
    /// The seed of all games.
    pub seed: u64,
    /// Number of threads; at least 1.
    pub threads: usize,
    /// The agents: each in turn plays all seats.
    pub agents: Vec<AgentKind>,
    /// The rules to remove, by name; all if empty.
    pub only: Vec<String>,
}

/// Progress of a study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorthProgress {
    /// Number of rules whose removal was tried, and their total.
    Trying(usize, usize),
    /// Completed share of all trainings and games, from 0 to 1.
    Share(f64),
}

/// Why a study failed.
#[derive(Debug)]
pub enum WorthError {
    /// The game has no such rule, or no readable rules.
    Rules(String),
    /// An agent can't play the game, or there are too many games.
    Simulate(SimulateError),
}

impl std::fmt::Display for WorthError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WorthError::Rules(message) => f.write_str(message),
            WorthError::Simulate(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WorthError {}

/// What the rules of a game are worth; the fields are the keys of `worth --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Fingerprint of its rules.
    pub rules_sha256: String,
    /// Values of its params.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// The run. If it was stopped, rules have only the agents that were finished.
    #[serde(flatten)]
    pub run: StudyRun,
    /// Number of differences that were tested, over all rules and agents.
    pub tested: usize,
    /// The rules that can be removed, and options that can be taken from a single seat; those that change most first.
    pub rules: Vec<RuleWorth>,
    /// The rules that can't be removed.
    pub fixed: Vec<FixedRule>,
}

/// A rule that can be removed, or an option that can be taken from a single seat.
#[derive(Clone, Debug, Serialize)]
pub struct RuleWorth {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name.
    pub name: String,
    /// Its help text; may be empty.
    pub help: String,
    /// The house rule that removes it.
    pub removal: String,
    /// Its effects for each agent.
    pub agents: Vec<AgentWorth>,
    /// Labels of the figures on which agents disagree in sign.
    pub opposed: Vec<String>,
}

/// The effects of a rule for one agent in all seats.
#[derive(Clone, Debug, Serialize)]
pub struct AgentWorth {
    /// The agent.
    pub agent: String,
    /// Number of players trained for the game with the rule and for that without it; null if none was. All errors
    /// include their spread.
    pub trainings: Option<u64>,
    /// Pairs in which both games were finished; if the rule can't be removed, games of restricted play.
    pub games: u64,
    /// Pairs in which an error ended a game.
    pub aborted: u64,
    /// Points that the rule brings a lone player; null for several players, or without a score.
    pub points: Option<WorthPoints>,
    /// What the rule changes: `a` is without the rule, `b` with it. Empty if the rule can't be removed.
    pub changes: Vec<Quantity>,
    /// What an option is worth to the seat that has it, against the same player without it: the mean over the seats
    /// first, then each seat. Empty for other rules, and for agents that can't be restricted.
    pub restricted: Vec<Quantity>,
    /// The reason if there are no figures; else null.
    pub note: Option<String>,
}

/// A number of points, positive if the rule makes the score better.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WorthPoints {
    /// The mean.
    pub mean: f64,
    /// Lower end of its 95 % interval; null for a single pair.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// The p-value, corrected by Holm's method.
    pub p_corrected: f64,
    /// `true` if it is reported as a difference from 0.
    pub differs: bool,
}

/// A rule that can't be removed.
#[derive(Clone, Debug, Serialize)]
pub struct FixedRule {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name.
    pub name: String,
    /// The house rule that should remove it.
    pub removal: String,
    /// Why it can't be removed, in one line.
    pub reason: String,
}

impl RuleWorth {
    /// Its kind and name: `option joker`.
    pub fn label(&self) -> String {
        format!("{} {}", self.kind.name(), self.name)
    }

    /// How much the rule changes for the strongest agent that has figures, as a share: the greatest change of its
    /// counts and scores relative to their means, and of its win rates and draws. Differences that may be chance
    /// count as 0.
    fn change(&self) -> f64 {
        let Some(agent) = self.agents.iter().rev().find(|agent| agent.note.is_none()) else { return 0.0 };
        let share = |quantity: &Quantity| match (quantity.differs, quantity.kind.is_share()) {
            (false, _) => 0.0,
            (true, true) => quantity.difference.abs(),
            (true, false) => {
                quantity.difference.abs() / quantity.b.mean.abs().max(quantity.a.mean.abs()).max(1.0)
            }
        };
        if let Some(points) = agent.points {
            return if points.differs { points.mean.abs() } else { 0.0 };
        }
        agent.changes.iter().chain(&agent.restricted).map(share).fold(0.0, f64::max)
    }
}

impl Worth {
    /// Says how to read the figures: with which dice, and how many differences were tested.
    pub fn note(&self) -> String {
        let trained = match self.rules.iter().flat_map(|rule| &rule.agents).find_map(|agent| agent.trainings)
        {
            Some(count) => format!(
                " {count} players are trained for the game and {count} for it without each rule; ± contains their spread."
            ),
            None => String::new(),
        };
        format!(
            "Games with and without a rule have the same dice, seed {}. ± is half a 95 % confidence interval.{trained} \
             {} differences were tested; what is said to differ passes Holm's correction for that many: of runs with \
             no difference at all, fewer than 1 in 20 says there is one.",
            self.run.seed,
            grouped(self.tested as i128)
        )
    }
}

/// Removes each rule in turn and plays the game with and without it. `progress` returns `false` to stop. Once `stop`
/// is set, the result has the rules and agents that were finished.
pub fn worth(
    game: &Game,
    plan: &WorthPlan,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Worth, WorthError> {
    let clock = Instant::now();
    let removals = stop.scope(|| tried(game, plan, progress, stop)).unwrap_or(Ok(vec![]));
    let mut found = worth_in_parts(game, plan, removals?, progress, stop, &Parts::here())?;
    found.run.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

/// Removes each rule of a game in turn, and tries what is left.
pub fn tried(
    game: &Game,
    plan: &WorthPlan,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Vec<Removal>, WorthError> {
    let tell = |done, of| {
        if !progress(WorthProgress::Trying(done, of)) {
            stop.set();
        }
    };
    removals(game, &plan.only, &tell).map_err(WorthError::Rules)
}

/// Like [`worth`] with the rules of [`tried`], in parts: a training, or some games of an agent with and without a rule.
/// Fails with [`SimulateError::Stopped`] if `parts` doesn't want the whole.
pub fn worth_in_parts(
    game: &Game,
    plan: &WorthPlan,
    removals: Vec<Removal>,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
    parts: &Parts,
) -> Result<Worth, WorthError> {
    let clock = Instant::now();
    let identity = game.identity();
    let mut found = Worth {
        version: VERSION,
        game: identity.name.clone(),
        title: game.model().title.clone(),
        rules_sha256: identity.rules_sha256.clone(),
        params: params_json(game.model()),
        players: game.players(),
        run: StudyRun {
            agents: plan.agents.iter().map(AgentKind::to_string).collect(),
            seed: plan.seed,
            threads: plan.threads.max(1),
            seconds: 0.0,
            interrupted: stop.is_set(),
        },
        tested: 0,
        rules: vec![],
        fixed: vec![],
    };
    if found.run.interrupted {
        return Ok(found);
    }
    let mut games = vec![];
    let mut bars = vec![];
    for removal in removals {
        let Removal { kind, name, help, rule: removal, barred, game, restricts } = removal;
        if let Err(reason) = &game {
            let (name, removal) = (name.clone(), removal.clone());
            found.fixed.push(FixedRule { kind, name, removal, reason: reason.clone() });
        }
        games.push(match game {
            Ok(game) => Some(game),
            Err(_) if restricts => None,
            Err(_) => continue,
        });
        bars.push(barred);
        found.rules.push(RuleWorth { kind, name, help, removal, agents: vec![], opposed: vec![] });
    }
    let study = Study { game, plan, progress, stop, parts, steps: Steps::of(plan, &bars, game.players()) };
    let mut done = 0.0;
    // Agents that are trained come last, so that a stopped study has the others of every rule.
    let mut kinds: Vec<&AgentKind> = plan.agents.iter().collect();
    kinds.sort_by_key(|kind| kind.trains());
    for kind in kinds.into_iter().filter(|_| !games.is_empty()) {
        if study.agent(kind, &games, &bars, &mut found.rules, &mut done)?.is_none() {
            found.run.interrupted = true;
            break;
        }
    }
    if !parts.is_whole() {
        return Err(WorthError::Simulate(SimulateError::Stopped));
    }
    finish(&mut found, game.model().score_direction);
    found.run.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

/// Corrects the tests, adds sentences and points, and orders the rules.
fn finish(found: &mut Worth, direction: ScoreDirection) {
    let agents = found.rules.iter_mut().flat_map(|rule| &mut rule.agents);
    let mut tested: Vec<&mut Quantity> =
        agents.flat_map(|agent| agent.changes.iter_mut().chain(&mut agent.restricted)).collect();
    tested.retain(|quantity| quantity.is_tested());
    let corrected = holm(&tested.iter().map(|quantity| quantity.p).collect::<Vec<_>>());
    for (quantity, p) in tested.iter_mut().zip(corrected) {
        quantity.p_corrected = p;
        quantity.differs = p < CHANCE;
        quantity.sentence = match quantity.differs {
            true => sentence(quantity, false, direction == ScoreDirection::Least),
            false => String::new(),
        };
    }
    found.tested = tested.len();
    let alone = found.players == 1;
    for rule in &mut found.rules {
        for agent in rule.agents.iter_mut().filter(|_| alone) {
            let score = agent.changes.iter().find(|quantity| quantity.kind.subject == Subject::Score);
            agent.points = score.map(|score| points(score, direction));
        }
        rule.opposed = opposed(&rule.agents);
    }
    found.rules.sort_by(|a, b| b.change().total_cmp(&a.change()));
}

/// Returns the points that a rule brings a lone player, from the difference of the scores.
fn points(score: &Quantity, direction: ScoreDirection) -> WorthPoints {
    let worth = |value: f64| direction.worth(value);
    let [low, high] = match direction {
        ScoreDirection::Most => [score.low, score.high],
        ScoreDirection::Least => [score.high, score.low],
    };
    WorthPoints {
        mean: worth(score.difference),
        low: low.map(worth),
        high: high.map(worth),
        p_corrected: score.p_corrected,
        differs: score.differs,
    }
}

/// Returns the labels of the figures whose sign depends on the agent: both differences are more than chance.
fn opposed(agents: &[AgentWorth]) -> Vec<String> {
    let mut labels: Vec<String> = vec![];
    for (at, one) in agents.iter().enumerate() {
        for other in &agents[at + 1..] {
            let of = |a: &[Quantity], b: &[Quantity], of: &str| -> Vec<String> {
                let twin = |q: &Quantity| {
                    b.iter()
                        .find(|other| {
                            (other.kind.name, &other.name, other.seat) == (q.kind.name, &q.name, q.seat)
                        })
                        .cloned()
                };
                let opposes = |q: &Quantity, other: &Quantity| {
                    q.differs && other.differs && q.difference * other.difference < 0.0
                };
                let opposed = a.iter().filter(|q| twin(q).is_some_and(|other| opposes(q, &other)));
                opposed.map(|q| format!("{}{of}", q.label)).collect()
            };
            labels.extend(of(&one.changes, &other.changes, ""));
            labels.extend(of(&one.restricted, &other.restricted, ", restricted"));
        }
    }
    labels.dedup();
    labels
}

/// The relative duration of the parts of a study.
struct Steps {
    all: f64,
}

impl Steps {
    fn of(plan: &WorthPlan, bars: &[Option<Barred>], players: u32) -> Steps {
        let runs = bars.iter().filter(|barred| barred.is_some()).count() as f64 * f64::from(players);
        let rules = bars.len() as f64;
        let each = |kind: &AgentKind| match kind.trains() {
            true => TRAINING + rules * (TRAINING + 1.0) + runs / 4.0,
            false => rules + runs / 4.0,
        };
        Steps { all: plan.agents.iter().map(each).sum::<f64>().max(1.0) }
    }
}

/// A study in progress.
struct Study<'s> {
    game: &'s Game,
    plan: &'s WorthPlan,
    progress: &'s (dyn Fn(WorthProgress) -> bool + Sync),
    stop: &'s Interrupt,
    parts: &'s Parts,
    steps: Steps,
}

/// The players of the game itself.
struct BasePlayers {
    /// Their number.
    trainings: u64,
    /// The names of the parts that train them.
    needs: Vec<String>,
    /// Their agents for each seat; empty for a player that another process trains.
    seated: Vec<Vec<Box<dyn Agent>>>,
}

/// Reports the progress of a training.
struct TrainingShare<'t> {
    told: &'t dyn Fn(f64),
}

impl TrainingObserver for TrainingShare<'_> {
    fn played(&mut self, _games: u64, share: f64) {
        (self.told)(share);
    }
}

impl Study<'_> {
    /// Reports the share that is done, and stops the study if the caller wants that.
    fn tell(&self, done: f64) {
        if !(self.progress)(WorthProgress::Share((done / self.steps.all).min(1.0))) {
            self.stop.set();
        }
    }

    /// Plays all rules with one agent. `done` is the work before, and after it. Returns `None` if it was stopped.
    fn agent(
        &self,
        kind: &AgentKind,
        games: &[Option<Game>],
        bars: &[Option<Barred>],
        rules: &mut [RuleWorth],
        done: &mut f64,
    ) -> Result<Option<()>, WorthError> {
        // They are kept, so that they are trained once.
        let base = self.stop.scope(|| self.base(kind, *done));
        let Ok(base) = base else { return Ok(None) };
        let base = base.map_err(|error| WorthError::Simulate(SimulateError::Agent(error)))?;
        *done += if kind.trains() { TRAINING } else { 0.0 };
        let mut free: Vec<Option<Played>> = vec![None; base.trainings as usize];
        for ((rule, without), barred) in rules.iter_mut().zip(games).zip(bars) {
            let within = format!("{}, ", rule.label());
            let compared = match without {
                Some(without) => self.compared(kind, without, *done, &within)?,
                None => Some(AgentWorth::none(kind, None)),
            };
            let Some(mut one) = compared else { return Ok(None) };
            *done += if kind.trains() { TRAINING + 1.0 } else { 1.0 };
            if let Some(barred) = barred {
                let played = self.restricted((kind, &base), (barred, &within), &mut free, done);
                let Some(quantities) = played else { return Ok(None) };
                if without.is_none() {
                    one.games = self.plan.games.unwrap_or(RESTRICTED_GAMES);
                }
                one.restricted = quantities;
            }
            rule.agents.push(one);
            self.tell(*done);
        }
        Ok(Some(()))
    }

    /// Trains and seats the players of the game itself. `done` is the work before.
    fn base(&self, kind: &AgentKind, done: f64) -> Result<BasePlayers, AgentError> {
        let trainings =
            if kind.trains() { TRAININGS.min(self.plan.games.unwrap_or(u64::MAX).max(1)) } else { 1 };
        let mut base = BasePlayers { trainings, needs: vec![], seated: vec![] };
        let mut held = vec![];
        for training in 1..=trainings {
            let told = |share: f64| {
                self.tell(done + TRAINING * ((training - 1) as f64 + share) / trainings as f64);
            };
            let mut audience = TrainingShare { told: &told };
            let player = kind.train_in_parts(self.game, training, &mut audience, self.parts)?;
            let is_elsewhere = matches!(player, Some((_, None)));
            if let Some((name, player)) = player {
                base.needs.push(name);
                held.push(player);
            }
            base.seated.push(match is_elsewhere {
                true => vec![],
                false => seats(self.game, kind, training, &mut audience)?,
            });
        }
        Ok(base)
    }

    /// Plays the game with and without a rule. Returns `None` if it was stopped.
    fn compared(
        &self,
        kind: &AgentKind,
        without: &Game,
        done: f64,
        within: &str,
    ) -> Result<Option<AgentWorth>, WorthError> {
        let plan = ComparePlan {
            games: self.plan.games,
            first: 0,
            seeds: [self.plan.seed; 2],
            threads: self.plan.threads,
            agents: vec![kind.clone()],
            match_play: false,
            what_was_found: false,
        };
        let training = if kind.trains() { TRAINING } else { 0.0 };
        let progress = |now| {
            let part = match now {
                CompareProgress::Training(share) => training * share,
                // The players of the second half are trained after the games of the first.
                CompareProgress::Pairs(played, of) => {
                    let played = played as f64 / of.max(1) as f64;
                    training * (played * TRAININGS as f64).ceil() / TRAININGS as f64 + played
                }
            };
            self.tell(done + part);
            true
        };
        let compared = compare_in_parts(without, self.game, &plan, &progress, self.stop, self.parts, within);
        let found = match compared {
            Ok(found) => found,
            Err(SimulateError::Stopped) if !self.parts.is_whole() => {
                return Ok(Some(AgentWorth::none(kind, None)));
            }
            Err(SimulateError::Stopped) => return Ok(None),
            // The game itself can be played: the agents are seated.
            Err(SimulateError::Agent(error)) => {
                return Ok(Some(AgentWorth::none(kind, Some(error.to_string()))));
            }
            Err(error) => return Err(WorthError::Simulate(error)),
        };
        let Some(agent) = found.agents.into_iter().next() else {
            return Ok(Some(AgentWorth::none(kind, Some("the rules are the same without it".to_owned()))));
        };
        let alone = self.game.players() == 1 && !self.game.model().score.is_empty();
        let is_payoff = |quantity: &Quantity| {
            quantity.kind.subject == Subject::Variable && quantity.name == BuiltInName::Payoff.name()
        };
        let is_told = |quantity: &Quantity| match alone {
            true => quantity.kind.subject == Subject::Score,
            false => {
                (quantity.kind.subject.is_of_games() || is_payoff(quantity)) && quantity.same_as.is_none()
            }
        };
        let note = (agent.games == 0).then(|| match &found.first_aborted {
            [Some((_, first)), _] => format!("every game without it is aborted: {}", first.error),
            [None, Some((_, first))] => format!("every game with it is aborted: {}", first.error),
            [None, None] => "no game was finished".to_owned(),
        });
        Ok(Some(AgentWorth {
            agent: agent.agent,
            trainings: agent.trainings,
            games: agent.games,
            aborted: agent.aborted,
            points: None,
            changes: if note.is_none() {
                agent.quantities.into_iter().filter(is_told).collect()
            } else {
                vec![]
            },
            restricted: vec![],
            note,
        }))
    }

    /// Plays the game with one seat after the other kept from an option. `free` has the games in which no seat is
    /// restricted, for each training, once they have been played. Returns `None` if it was stopped.
    fn restricted(
        &self,
        (kind, base): (&AgentKind, &BasePlayers),
        (barred, within): (&Barred, &str),
        free: &mut [Option<Played>],
        done: &mut f64,
    ) -> Option<Vec<Quantity>> {
        let games = RestrictedGames {
            game: self.game,
            seed: self.plan.seed,
            threads: self.plan.threads.max(1),
            stop: self.stop,
        };
        let all = self.plan.games.unwrap_or(RESTRICTED_GAMES);
        let BasePlayers { trainings, needs, seated } = base;
        let trainings = *trainings;
        let mut restricted = vec![];
        for training in 0..trainings as usize {
            let from =
                |training: u64| (u128::from(all) * u128::from(training) / u128::from(trainings)) as u64;
            let range = from(training as u64)..from(training as u64 + 1);
            let agents = &seated[training];
            let mut of_seats = vec![];
            for seat in 0..self.game.players() as usize {
                let name = format!("{within}{kind}, training {training}, seat {seat} restricted");
                let make = || match with_restricted(agents, seat, barred) {
                    Some(agents) => games.play(&agents, range.clone()).map(Some).ok_or(()),
                    None if agents.is_empty() => Err(()),
                    None => Ok(None),
                };
                match self.parts.part(&name, needs, make).ok()? {
                    Some(Some(played)) => of_seats.push(played),
                    Some(None) => return Some(vec![]),
                    None => {}
                }
                *done += 0.25 / trainings as f64;
                self.tell(*done);
            }
            if free[training].is_none() {
                let name = format!("{kind}, training {training}, free");
                let make = || games.play(agents, range.clone()).ok_or(());
                free[training] = self.parts.part(&name, needs, make).ok()?;
            }
            restricted.push(of_seats);
        }
        if !self.parts.is_whole() {
            return Some(vec![]);
        }
        let parts = free.iter().flatten().zip(restricted);
        let parts: Vec<Part<'_>> = parts.map(|(free, restricted)| Part { free, restricted }).collect();
        // Without a score or a winner nobody gains.
        let has_result = self.game.players() > 1 || !self.game.model().score.is_empty();
        Some(if has_result { quantities(self.game, &parts) } else { vec![] })
    }
}

impl AgentWorth {
    fn none(kind: &AgentKind, note: Option<String>) -> AgentWorth {
        AgentWorth {
            agent: kind.to_string(),
            trainings: None,
            games: 0,
            aborted: 0,
            points: None,
            changes: vec![],
            restricted: vec![],
            note,
        }
    }
}

/// Returns an agent of the kind for each seat.
fn seats(
    game: &Game,
    kind: &AgentKind,
    training: u64,
    audience: &mut dyn TrainingObserver,
) -> Result<Vec<Box<dyn Agent>>, AgentError> {
    let kinds = vec![kind.clone(); game.players() as usize];
    AgentKind::seat_trained(&kinds, game, training, audience)
}
