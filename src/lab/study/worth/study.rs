//! The games of a study, agent by agent and rule by rule, and its progress.

use super::report::{AgentWorth, RuleWorth};
use super::restricted::{Part, Played, RestrictedGames, quantities, with_restricted};
use super::{WorthError, WorthPlan, WorthProgress};
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_language::vocabulary::BuiltInName;
use houserule_players::agents::{Agent, AgentError, AgentKind, Barred};
use houserule_players::learned::TrainingObserver;
use houserule_playtest::Subject;
use houserule_playtest::TRAININGS;
use houserule_playtest::{ComparePlan, CompareProgress, Quantity, SimulateError, compare_in_parts};

/// Default number of games of restricted play, at most: there is one such run for each option and seat.
const RESTRICTED_GAMES: u64 = 2_000;

/// Work of a training, in comparisons of a game with and without a rule.
const TRAINING: f64 = 9.0;

/// Work of restricted play of an option by one seat, in the same unit.
const RESTRICTED: f64 = 0.25;

/// What is played to find what a rule is worth.
pub(super) struct RemovedRule {
    /// The game without the rule, if the rule can be removed.
    pub(super) without: Option<Game>,
    /// The actions of an option, which can be taken from a single seat.
    pub(super) barred: Option<Barred>,
}

/// Returns the work of a study, in comparisons of a game with and without a rule.
pub(super) fn total_work(plan: &WorthPlan, removed: &[RemovedRule], players: u32) -> f64 {
    let options = removed.iter().filter(|rule| rule.barred.is_some()).count() as f64;
    let (rules, restricted) = (removed.len() as f64, options * f64::from(players) * RESTRICTED);
    let agent_work = |kind: &AgentKind| match kind.trains() {
        true => TRAINING + rules * (TRAINING + 1.0) + restricted,
        false => rules + restricted,
    };
    plan.agents.iter().map(agent_work).sum::<f64>().max(1.0)
}

/// A study in progress.
pub(super) struct Study<'s> {
    pub(super) game: &'s Game,
    pub(super) plan: &'s WorthPlan,
    pub(super) progress: &'s (dyn Fn(WorthProgress) -> bool + Sync),
    pub(super) stop: &'s Interrupt,
    pub(super) parts: &'s Parts,
    /// See [`total_work`].
    pub(super) all_work: f64,
}

/// The part of a study that one agent plays.
struct AgentStudy<'s> {
    study: &'s Study<'s>,
    kind: &'s AgentKind,
    /// The players of the game itself. They are trained once for all rules.
    base: BasePlayers,
    /// For each training, the games in which no seat is restricted, once they have been played.
    free: Vec<Option<Played>>,
    /// The work done so far, with that of the agents before.
    done: f64,
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
    report: &'t dyn Fn(f64),
}

impl TrainingObserver for TrainingShare<'_> {
    fn played(&mut self, _games: u64, share: f64) {
        (self.report)(share);
    }
}

impl Study<'_> {
    /// Reports the work that is done, and stops the study if the caller wants that.
    fn report(&self, done: f64) {
        if !(self.progress)(WorthProgress::Share((done / self.all_work).min(1.0))) {
            self.stop.set();
        }
    }

    /// Plays all rules with one agent. `done` is the work before; returns the work after it, or `None` if the study was
    /// stopped.
    pub(super) fn play_agent(
        &self,
        kind: &AgentKind,
        removed: &[RemovedRule],
        rules: &mut [RuleWorth],
        done: f64,
    ) -> Result<Option<f64>, WorthError> {
        let Ok(base) = self.stop.scope(|| self.train_base(kind, done)) else { return Ok(None) };
        let base = base.map_err(|error| WorthError::Simulate(SimulateError::Agent(error)))?;
        let free = vec![None; base.trainings as usize];
        let training = if kind.trains() { TRAINING } else { 0.0 };
        let mut agent = AgentStudy { study: self, kind, base, free, done: done + training };
        for (rule, removed) in rules.iter_mut().zip(removed) {
            match agent.play_rule(removed, &rule.label())? {
                Some(worth) => rule.agents.push(worth),
                None => return Ok(None),
            }
            self.report(agent.done);
        }
        Ok(Some(agent.done))
    }

    /// Trains and seats the players of the game itself. `done` is the work before.
    fn train_base(&self, kind: &AgentKind, done: f64) -> Result<BasePlayers, AgentError> {
        let trainings =
            if kind.trains() { TRAININGS.min(self.plan.games.unwrap_or(u64::MAX).max(1)) } else { 1 };
        let mut base = BasePlayers { trainings, needs: vec![], seated: vec![] };
        // Players that are held are not trained again when they are seated.
        let mut held = vec![];
        for training in 1..=trainings {
            let report = |share: f64| {
                self.report(done + TRAINING * ((training - 1) as f64 + share) / trainings as f64);
            };
            let mut observer = TrainingShare { report: &report };
            let player = kind.train_in_parts(self.game, training, &mut observer, self.parts)?;
            let is_elsewhere = matches!(player, Some((_, None)));
            if let Some((name, player)) = player {
                base.needs.push(name);
                held.push(player);
            }
            base.seated.push(match is_elsewhere {
                true => vec![],
                false => seat_all(self.game, kind, training, &mut observer)?,
            });
        }
        Ok(base)
    }
}

impl AgentStudy<'_> {
    /// Plays the game with and without a rule, and restricted play. Returns `None` if the study was stopped.
    fn play_rule(&mut self, removed: &RemovedRule, label: &str) -> Result<Option<AgentWorth>, WorthError> {
        let prefix = format!("{label}, ");
        let compared = match &removed.without {
            Some(without) => self.compare(without, &prefix)?,
            None => Some(AgentWorth::empty(self.kind, None)),
        };
        let Some(mut worth) = compared else { return Ok(None) };
        self.done += if self.kind.trains() { TRAINING + 1.0 } else { 1.0 };
        if let Some(barred) = &removed.barred {
            let Some(quantities) = self.play_restricted(barred, &prefix) else { return Ok(None) };
            if removed.without.is_none() {
                worth.games = self.study.plan.games.unwrap_or(RESTRICTED_GAMES);
            }
            worth.restricted = quantities;
        }
        Ok(Some(worth))
    }

    /// Plays the game with and without a rule, in parts whose names begin with `prefix`. Returns `None` if the study was
    /// stopped.
    fn compare(&self, without: &Game, prefix: &str) -> Result<Option<AgentWorth>, WorthError> {
        let AgentStudy { study, kind, done, .. } = *self;
        let plan = ComparePlan {
            games: study.plan.games,
            first: 0,
            seeds: [study.plan.seed; 2],
            threads: study.plan.threads,
            agents: vec![kind.clone()],
            match_play: false,
            keep_partial: false,
        };
        let training = if kind.trains() { TRAINING } else { 0.0 };
        let progress = |now| {
            let part = match now {
                CompareProgress::Training(share) => training * share,
                // The players of the second half are trained after the games of the first.
                CompareProgress::Pairs(played, total) => {
                    let played = played as f64 / total.max(1) as f64;
                    training * (played * TRAININGS as f64).ceil() / TRAININGS as f64 + played
                }
            };
            study.report(done + part);
            true
        };
        let compared =
            compare_in_parts(without, study.game, &plan, &progress, study.stop, study.parts, prefix);
        let comparison = match compared {
            Ok(comparison) => comparison,
            Err(SimulateError::Stopped) if !study.parts.is_whole() => {
                return Ok(Some(AgentWorth::empty(kind, None)));
            }
            Err(SimulateError::Stopped) => return Ok(None),
            // The game itself can be played: the agents are seated.
            Err(SimulateError::Agent(error)) => {
                return Ok(Some(AgentWorth::empty(kind, Some(error.to_string()))));
            }
            Err(error) => return Err(WorthError::Simulate(error)),
        };
        let Some(agent) = comparison.agents.into_iter().next() else {
            return Ok(Some(AgentWorth::empty(kind, Some("the rules are the same without it".to_owned()))));
        };
        let note = (agent.games == 0).then(|| match &comparison.first_aborted {
            [Some((_, first)), _] => format!("every game without it is aborted: {}", first.error),
            [None, Some((_, first))] => format!("every game with it is aborted: {}", first.error),
            [None, None] => "no game was finished".to_owned(),
        });
        let mut changes = agent.quantities;
        changes.retain(|quantity| note.is_none() && is_reported(study.game, quantity));
        Ok(Some(AgentWorth {
            agent: agent.agent,
            trainings: agent.trainings,
            games: agent.games,
            aborted: agent.aborted,
            points: None,
            changes,
            restricted: vec![],
            note,
        }))
    }

    /// Plays the game with one seat after the other kept from an option, in parts whose names begin with `prefix`.
    /// Returns `None` if the study was stopped.
    fn play_restricted(&mut self, barred: &Barred, prefix: &str) -> Option<Vec<Quantity>> {
        let AgentStudy { study, kind, base, free, done } = self;
        let (game, parts) = (study.game, study.parts);
        let games = RestrictedGames {
            game,
            seed: study.plan.seed,
            threads: study.plan.threads.max(1),
            stop: study.stop,
        };
        let all = study.plan.games.unwrap_or(RESTRICTED_GAMES);
        let BasePlayers { trainings, needs, seated } = base;
        let trainings = *trainings;
        let mut restricted = vec![];
        for (training, agents) in seated.iter().enumerate() {
            let first =
                |training: u64| (u128::from(all) * u128::from(training) / u128::from(trainings)) as u64;
            let range = first(training as u64)..first(training as u64 + 1);
            let mut by_seat = vec![];
            for seat in 0..game.players() as usize {
                let name = format!("{prefix}{kind}, training {training}, seat {seat} restricted");
                let make = || match with_restricted(agents, seat, barred) {
                    Some(agents) => games.play(&agents, range.clone()).map(Some).ok_or(()),
                    None if agents.is_empty() => Err(()),
                    None => Ok(None),
                };
                match parts.part(&name, needs, make).ok()? {
                    Some(Some(played)) => by_seat.push(played),
                    Some(None) => return Some(vec![]),
                    None => {}
                }
                *done += RESTRICTED / trainings as f64;
                study.report(*done);
            }
            if free[training].is_none() {
                let name = format!("{kind}, training {training}, free");
                let make = || games.play(agents, range.clone()).ok_or(());
                free[training] = parts.part(&name, needs, make).ok()?;
            }
            restricted.push(by_seat);
        }
        if !parts.is_whole() {
            return Some(vec![]);
        }
        let played = free.iter().flatten().zip(restricted);
        let played: Vec<Part<'_>> = played.map(|(free, restricted)| Part { free, restricted }).collect();
        // Without a score or a winner nobody gains.
        let has_result = game.players() > 1 || !game.model().score.is_empty();
        Some(if has_result { quantities(game, &played) } else { vec![] })
    }
}

/// Returns `true` if the change of a quantity is reported: of a game for one player with a score only the score, else
/// payoffs and what is counted in every game.
fn is_reported(game: &Game, quantity: &Quantity) -> bool {
    let subject = quantity.kind.subject;
    if game.players() == 1 && !game.model().score.is_empty() {
        return subject == Subject::Score;
    }
    let is_payoff = subject == Subject::Variable && quantity.name == BuiltInName::Payoff.name();
    (subject.is_of_games() || is_payoff) && quantity.same_as.is_none()
}

/// Returns an agent of the kind for each seat.
fn seat_all(
    game: &Game,
    kind: &AgentKind,
    training: u64,
    observer: &mut dyn TrainingObserver,
) -> Result<Vec<Box<dyn Agent>>, AgentError> {
    let kinds = vec![kind.clone(); game.players() as usize];
    AgentKind::seat_trained(&kinds, game, training, observer)
}
