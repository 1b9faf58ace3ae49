//! What each rule is worth: the game with the rule against the game without it, for agents of several strengths.
//!
//! Trained agents learn both games. Games of a pair have the same seed and index, so they have the same dice. An
//! option is also taken away from a single player, who plays on as before (restricted play).

mod report;
mod restricted;
mod study;

use self::study::{RemovedRule, Study, StudyTime, total_work};
use super::removal::{Removal, removals, removals_until};
use super::run::StudyRun;
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_game::values::params_json;
use houserule_players::agents::AgentKind;
use houserule_playtest::{SimulateError, VERSION, chance_in_words};

pub use report::{AgentWorth, FixedRule, RuleWorth, Worth, WorthPoints};

/// Share of the time of a study in which removals are tried.
const REMOVAL_SHARE: f64 = 0.4;

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

/// Removes each rule in turn and plays the game with and without it. `progress` returns `false` to stop. Once `stop`
/// is set, the result has the rules and agents that were finished.
pub fn worth(
    game: &Game,
    plan: &WorthPlan,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Worth, WorthError> {
    let clock = Instant::now();
    let removals = stop.scope(|| remove_rules(game, plan, progress, stop)).unwrap_or(Ok(vec![]));
    let mut worth = worth_in_parts(game, plan, removals?, progress, stop, &Parts::here())?;
    worth.run.seconds = clock.elapsed().as_secs_f64();
    Ok(worth)
}

/// Removes each rule of a game in turn, and plays a few games without it to see that they end.
pub fn remove_rules(
    game: &Game,
    plan: &WorthPlan,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Vec<Removal>, WorthError> {
    let report = |done, total| {
        if !progress(WorthProgress::Trying(done, total)) {
            stop.set();
        }
    };
    removals(game, &plan.only, &report).map_err(WorthError::Rules)
}

/// Like [`worth`], within some seconds, for agents that aren't trained. Each rule gets a share of the time for each agent, and
/// in it as many games as fit. What there was no time for is named: a removal among those that can't be removed, games
/// as the note of their agent.
pub fn worth_in_time(
    game: &Game,
    plan: &WorthPlan,
    seconds: f64,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Worth, WorthError> {
    let time = StudyTime::new(seconds);
    let report = |done, total| {
        if !progress(WorthProgress::Trying(done, total)) {
            stop.set();
        }
    };
    let limit = stop.within(REMOVAL_SHARE * seconds);
    let removals = removals_until(game, &plan.only, &report, &limit).map_err(WorthError::Rules)?;
    let mut worth = study_rules(game, plan, removals, progress, stop, &Parts::here(), Some(time))?;
    worth.run.seconds = time.elapsed();
    Ok(worth)
}

/// Like [`worth`], of the rules that [`remove_rules`] returned, in parts that several processes can do. A part is a
/// training, or some games of an agent with and without a rule. If `parts` is a list or a single part, there is no result
/// to return, and the error is [`SimulateError::Stopped`].
pub fn worth_in_parts(
    game: &Game,
    plan: &WorthPlan,
    removals: Vec<Removal>,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
    parts: &Parts,
) -> Result<Worth, WorthError> {
    study_rules(game, plan, removals, progress, stop, parts, None)
}

/// Plays the game with and without each rule, in parts, and within a time if there is one.
fn study_rules(
    game: &Game,
    plan: &WorthPlan,
    removals: Vec<Removal>,
    progress: &(dyn Fn(WorthProgress) -> bool + Sync),
    stop: &Interrupt,
    parts: &Parts,
    time: Option<StudyTime>,
) -> Result<Worth, WorthError> {
    let clock = Instant::now();
    let identity = game.identity();
    let mut worth = Worth {
        version: VERSION,
        game: identity.name.clone(),
        title: game.model().title.clone(),
        rules_sha256: identity.rules_sha256.clone(),
        params: params_json(game.model()),
        players: game.players(),
        chance: chance_in_words(game),
        has_matches: game.model().match_rules.is_some(),
        run: StudyRun {
            agents: plan.agents.iter().map(AgentKind::to_string).collect(),
            seed: plan.seed,
            threads: plan.threads.max(1),
            seconds: 0.0,
            interrupted: stop.is_set(),
            out_of_time: stop.is_late(),
        },
        tested: 0,
        rules: vec![],
        fixed: vec![],
    };
    if worth.run.interrupted {
        return Ok(worth);
    }
    let removed = list_rules(removals, &mut worth);
    let all_work = total_work(plan, &removed, game.players());
    let study = Study { game, plan, progress, stop, parts, all_work, time };
    let mut done = 0.0;
    // Agents that are trained come last, so that a stopped study has the others of every rule.
    let mut kinds: Vec<&AgentKind> = plan.agents.iter().collect();
    kinds.sort_by_key(|kind| kind.trains());
    for kind in kinds.into_iter().filter(|_| !removed.is_empty()) {
        match study.play_agent(kind, &removed, &mut worth.rules, done)? {
            Some(now) => done = now,
            None => {
                worth.run.interrupted = true;
                worth.run.out_of_time = stop.is_late();
                break;
            }
        }
    }
    if !parts.is_whole() {
        return Err(WorthError::Simulate(SimulateError::Stopped));
    }
    report::finish(&mut worth, game.model().score_direction);
    worth.run.seconds = clock.elapsed().as_secs_f64();
    Ok(worth)
}

/// Adds the rules to the result: to those that can't be removed, to those that are studied, or to both. Returns what is
/// played for each of [`Worth::rules`].
fn list_rules(removals: Vec<Removal>, worth: &mut Worth) -> Vec<RemovedRule> {
    let mut removed = vec![];
    for removal in removals {
        let Removal { kind, name, help, rule: removal, barred, game, restricts } = removal;
        let without = match game {
            Ok(game) => Some(game),
            Err(reason) => {
                worth.fixed.push(FixedRule { kind, name: name.clone(), removal: removal.clone(), reason });
                if !restricts {
                    continue;
                }
                None
            }
        };
        removed.push(RemovedRule { without, barred });
        worth.rules.push(RuleWorth { kind, name, help, removal, agents: vec![], opposed: vec![] });
    }
    removed
}
