//! The games of a study, agent by agent and rule by rule, and its progress.

use super::report::{AgentWorth, RuleWorth};
use super::restricted::{Part, Played, RestrictedGames, RestrictedPlay, quantities, with_restricted};
use super::{WorthError, WorthPlan, WorthProgress};
use crate::study::budget::{BudgetedStudy, StudyEnd, compare_within};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_language::vocabulary::BuiltInName;
use houserule_players::agents::{Agent, AgentError, AgentKind, Barred};
use houserule_players::learned::TrainingObserver;
use houserule_playtest::Subject;
use houserule_playtest::TRAININGS;
use houserule_playtest::{
    ComparePlan, CompareProgress, Comparison, Quantity, RunBudget, SimulateError, compare_in_parts,
    usual_pairs,
};

/// Default number of games of restricted play, at most: there is one such run for each option and seat.
const RESTRICTED_GAMES: u64 = 2_000;

/// Number of games of restricted play that are first played within a time.
const FEWEST_GAMES: u64 = 4;

/// Growth of their number, and the share of the time that is left which further games may be expected to take.
const GROWTH: u64 = 10;
const FILLED: f64 = 0.8;

/// Games in which it is looked how an option is used that changes nothing, and the most seconds of that in a study that has a time.
const LOOKED_GAMES: u64 = 200;
const LOOK_SECONDS: f64 = 0.5;

/// Work of a training, in comparisons of a game with and without a rule.
const TRAINING: f64 = 9.0;

/// Work of restricted play of an option by one seat, in the same unit.
const RESTRICTED: f64 = 0.25;

/// Why an agent has no figures of a rule whose games there was no time for.
const NO_TIME: &str = "there was no time for their games";

/// The time of a study, from its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct StudyTime {
    begun: Instant,
    seconds: f64,
}

impl StudyTime {
    /// Begins a study of some seconds.
    pub(super) fn new(seconds: f64) -> StudyTime {
        StudyTime { begun: Instant::now(), seconds }
    }

    /// The seconds since its beginning.
    pub(super) fn elapsed(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The seconds that are left.
    fn left(&self) -> f64 {
        (self.seconds - self.elapsed()).max(0.0)
    }
}

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
    /// Its time, if it has one.
    pub(super) time: Option<StudyTime>,
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
            let work = RESTRICTED * f64::from(self.study.game.players());
            let played = match self.seconds_for(work) {
                Some(seconds) => {
                    let played = self.play_restricted_in(barred, seconds);
                    self.done += work;
                    played
                }
                None => self.play_restricted(barred, &prefix),
            };
            let Some(RestrictedPlay { games, mut quantities }) = played else { return Ok(None) };
            if let Some(mean) = quantities.first_mut()
                && mean.differing == 0
            {
                mean.sentence = self.why_same(barred, games);
            }
            if removed.without.is_none() {
                worth.games = games;
                worth.note = (games == 0).then(|| NO_TIME.to_owned());
            }
            worth.restricted = quantities;
        }
        Ok(Some(worth))
    }

    /// Returns the seconds for some work, if the study has a time and the agents aren't trained: its share of what is left.
    fn seconds_for(&self, work: f64) -> Option<f64> {
        let time = self.study.time.filter(|_| !self.kind.trains())?;
        Some(time.left() * (work / (self.study.all_work - self.done).max(work)))
    }

    /// Plays as many games with and without a rule as fit into some seconds, but no more than are usual. Returns `None` if not
    /// even a few do.
    fn compare_in(
        &self,
        without: &Game,
        plan: &ComparePlan,
        seconds: f64,
        progress: &(dyn Fn(CompareProgress) -> bool + Sync),
    ) -> Result<Option<Comparison>, SimulateError> {
        let (study, clock) = (self.study, Instant::now());
        let (limit, games) = (study.stop.within(seconds), [without, study.game]);
        let found = limit.scope(|| usual_pairs(games, self.kind, plan)).map(|usual| {
            let plan = ComparePlan { games: Some(usual?), ..plan.clone() };
            let left = (seconds - clock.elapsed().as_secs_f64()).max(0.0);
            let budget = RunBudget { seconds: Some(left), ..RunBudget::default() };
            compare_within(without, study.game, &plan, &budget, progress, &limit)
        });
        match found {
            Ok(Ok(BudgetedStudy { end: StudyEnd::TooShort, .. })) => Ok(None),
            Ok(Ok(BudgetedStudy { found, .. })) => Ok(Some(found)),
            Err(_) | Ok(Err(SimulateError::Stopped)) if limit.is_late() => Ok(None),
            Err(_) => Err(SimulateError::Stopped),
            Ok(Err(error)) => Err(error),
        }
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
        let compared = match self.seconds_for(1.0) {
            Some(seconds) => match self.compare_in(without, &plan, seconds, &progress) {
                Ok(None) => return Ok(Some(AgentWorth::empty(kind, Some(NO_TIME.to_owned())))),
                Ok(Some(comparison)) => Ok(comparison),
                Err(error) => Err(error),
            },
            None => compare_in_parts(without, study.game, &plan, &progress, study.stop, study.parts, prefix),
        };
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
    fn play_restricted(&mut self, barred: &Barred, prefix: &str) -> Option<RestrictedPlay> {
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
        let unplayed = || Some(RestrictedPlay { games: all, quantities: vec![] });
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
                    Some(None) => return unplayed(),
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
            return unplayed();
        }
        let played = free.iter().flatten().zip(restricted);
        let played: Vec<Part<'_>> =
            played.map(|(free, restricted)| Part { free: free.as_slice(), restricted }).collect();
        let quantities = if has_result(game) { quantities(game, &played) } else { vec![] };
        Some(RestrictedPlay { games: all, quantities })
    }

    /// Like [`AgentStudy::play_restricted`], of an agent that isn't trained, with as many games as fit into some seconds.
    fn play_restricted_in(&mut self, barred: &Barred, seconds: f64) -> Option<RestrictedPlay> {
        let clock = Instant::now();
        let AgentStudy { study, base, free, .. } = self;
        let limit = study.stop.within(seconds);
        let games = RestrictedGames {
            game: study.game,
            seed: study.plan.seed,
            threads: study.plan.threads.max(1),
            stop: &limit,
        };
        let agents = base.seated.first()?;
        let seats = 0..study.game.players() as usize;
        let seated: Option<Vec<_>> = seats.map(|seat| with_restricted(agents, seat, barred)).collect();
        let Some(seated) = seated else {
            return Some(RestrictedPlay { games: RESTRICTED_GAMES, quantities: vec![] });
        };
        let free = free.first_mut()?.get_or_insert_with(Vec::new);
        let mut restricted: Vec<Played> = vec![vec![]; seated.len()];
        let (mut played, mut more) = (0, FEWEST_GAMES);
        while more > 0 && played < RESTRICTED_GAMES {
            let begun = clock.elapsed().as_secs_f64();
            let next = (played + more).min(RESTRICTED_GAMES);
            let known = free.len() as u64;
            if known < next {
                let Some(found) = games.play(agents, known..next) else { break };
                free.extend(found);
            }
            let found: Option<Vec<Played>> =
                seated.iter().map(|agents| games.play(agents, played..next)).collect();
            let Some(found) = found else { break };
            restricted.iter_mut().zip(found).for_each(|(all, found)| all.extend(found));
            let now = clock.elapsed().as_secs_f64();
            // What fits into the time, at the speed of these games.
            let speed = (next - played) as f64 / (now - begun).max(1e-9);
            more = ((speed * FILLED * (seconds - now).max(0.0)) as u64).min(GROWTH * next);
            played = next;
        }
        if study.stop.is_set() {
            return None;
        }
        if played == 0 || !has_result(study.game) {
            return Some(RestrictedPlay { games: played, quantities: vec![] });
        }
        let part = Part { free: &free[..played as usize], restricted };
        Some(RestrictedPlay { games: played, quantities: quantities(study.game, &[part]) })
    }

    /// Says why games are the same if a seat must not use an option, from some of the `games`. Empty if that isn't known.
    fn why_same(&self, barred: &Barred, games: u64) -> String {
        let AgentStudy { study, base, .. } = self;
        let Some(agents) = base.seated.first().filter(|agents| !agents.is_empty()) else {
            return String::new();
        };
        let limit = study.stop.within_time(study.time.map(|_| LOOK_SECONDS));
        let looked = RestrictedGames { game: study.game, seed: study.plan.seed, threads: 1, stop: &limit };
        let used = looked.use_of(agents, barred, 0..games.min(LOOKED_GAMES));
        let has_matches = study.game.model().match_rules.is_some();
        used.map_or_else(String::new, |used| used.sentence(has_matches).to_owned())
    }
}

/// Returns `true` if somebody can gain: there is a score or a winner.
fn has_result(game: &Game) -> bool {
    game.players() > 1 || !game.model().score.is_empty()
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
