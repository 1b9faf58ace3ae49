//! A comparison for which nobody names agents: random players, the best player that needs little time, and, if there is
//! time, players that learn. Each gets a share of the time; what was played before is never played again.

use std::sync::Arc;

use super::budget::{BudgetedStudy, compare_within};
use houserule_base::clock::{EndForecast, Instant};
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_players::agents::AgentKind;
use houserule_players::learned::{LearnError, Learned, TrainingObserver, can_learn};
use houserule_playtest::{
    ComparePlan, CompareProgress, Comparison, ContestPlan, RunBudget, SimulateError, TRAININGS,
    answer_seconds, choose_player_twice, compare_courses, fitting_learner, game_seconds, usual_pairs,
};

/// Shares of the time: of the random games, of the choice of a player, and of the games of the chosen one. A quick comparison
/// has no learned players, and so more time for these.
const RANDOM_SHARE: f64 = 0.15;
const CONTEST_SHARE: [f64; 2] = [0.38, 0.06];
const CHOSEN_SHARE: [f64; 2] = [1.0, 0.15];

/// Share of the time that is left for a second choice in a quick comparison, if the first found nobody who can play.
const SECOND_CONTEST: f64 = 0.7;

/// Share of the time of an agent's games in which some are followed.
const FOLLOWED_SHARE: f64 = 0.2;

/// Share of the time that is left then for the training of the learned players.
const TRAINING_SHARE: f64 = 0.6;

/// Share of the time that is left after which a training is given up.
const LATEST_TRAINING: f64 = 0.8;

/// The players that follow random ones, and those that follow the quick player, where they are missing.
const BETTER: &str = "better players";
const LEARNING: &str = "players that learn for longer";

/// The most CPU seconds of a game of the chosen player.
const GAME_SECONDS: f64 = 0.02;

/// A comparison without named agents.
#[derive(Clone, Debug)]
pub struct AnswerPlan {
    /// The games. Its agents don't matter.
    pub compare: ComparePlan,
    /// What ends it; without anything, ten seconds if it is quick, else three minutes.
    pub budget: RunBudget,
    /// Whether it has no learned players.
    pub quick: bool,
}

/// What a comparison tells on its way.
#[derive(Debug)]
pub enum AnswerStep<'s> {
    /// The figures of random players.
    First(&'s Comparison),
    /// The share of the time, or of the work, that is done.
    Share(f64),
    /// Why no player is trained.
    Untrained(LearnError),
    /// There is no time to train one.
    NoTime,
}

/// A comparison with what ended it.
pub struct BestComparison {
    /// The results.
    pub found: Comparison,
    /// How the games of the strongest agent ended, and how many they were.
    pub last: BudgetedStudy<()>,
}

impl AnswerPlan {
    /// The seconds of the comparison, if it has a time.
    pub fn seconds(&self) -> Option<f64> {
        let is_given = self.compare.games.is_some() || !self.budget.precision.is_empty();
        self.budget.seconds.or_else(|| (!is_given).then(|| answer_seconds(self.quick)))
    }
}

/// Compares two games with the best players that the time allows. `tell` gets the first figures and the progress.
pub fn compare_by_best(
    games: [&Game; 2],
    plan: &AnswerPlan,
    tell: &(dyn Fn(AnswerStep<'_>) + Sync),
    stop: &Interrupt,
) -> Result<BestComparison, SimulateError> {
    let run = AnswerRun { games, plan, tell, stop, clock: Instant::now(), seconds: plan.seconds() };
    plan.budget.end.expect(None);
    // If nobody decides anything, nobody else plays.
    let limit = stop.within_time(run.seconds.map(|seconds| RANDOM_SHARE / 2.0 * seconds));
    let is_idle = || games.iter().all(|game| can_learn(game) == Err(LearnError::NoDecisions));
    let is_last = limit.scope(is_idle).unwrap_or(false);
    let mut answer = run.compare(&AgentKind::Random, RANDOM_SHARE, run.end_of_games(is_last))?;
    if !answer.found.same_rules {
        let missing = run.add_better(&mut answer)?.filter(|_| !is_last);
        // What was begun after the random games may have been stopped before it had results.
        answer.found.interrupted = stop.is_set();
        answer.found.missing = missing.map(str::to_owned).into_iter().collect();
    }
    // The search for a player, and its training, take time as well.
    answer.found.seconds = run.clock.elapsed().as_secs_f64();
    Ok(answer)
}

impl BestComparison {
    /// Adds the results of a further agent, if it has any.
    fn add(&mut self, later: Option<BestComparison>) {
        if let Some(later) = later {
            self.found.extend(later.found);
            self.last = later.last;
        }
    }
}

/// A comparison on its way.
struct AnswerRun<'r> {
    games: [&'r Game; 2],
    plan: &'r AnswerPlan,
    tell: &'r (dyn Fn(AnswerStep<'_>) + Sync),
    stop: &'r Interrupt,
    clock: Instant,
    seconds: Option<f64>,
}

impl AnswerRun<'_> {
    /// The seconds that are left, if there is a time.
    fn left(&self) -> Option<f64> {
        self.seconds.map(|seconds| (seconds - self.clock.elapsed().as_secs_f64()).max(0.0))
    }

    /// Adds the results of the quick player, and of players that learn for longer. Returns the players that are missing because
    /// `stop` was set; `None` if none are.
    fn add_better(&self, answer: &mut BestComparison) -> Result<Option<&'static str>, SimulateError> {
        let AnswerRun { games, plan, tell, stop, .. } = *self;
        if stop.is_set() {
            return Ok(Some(BETTER));
        }
        tell(AnswerStep::First(&answer.found));
        let at = usize::from(!plan.quick);
        let contest = ContestPlan {
            seed: plan.compare.seeds[0],
            threads: plan.compare.threads,
            seconds: self.seconds.map(|seconds| CONTEST_SHARE[at] * seconds),
            of_game: game_seconds(plan.compare.games.map(|games| 2 * games), plan.quick, GAME_SECONDS),
        };
        let left = || self.left().filter(|_| plan.quick).map(|left| SECOND_CONTEST * left);
        let chosen = choose_player_twice(&games, &contest, &left, stop);
        let (kind, decides_nothing) = (chosen.kind.clone(), chosen.decides_nothing);
        answer.found.know_contest(chosen);
        let mut has_better = false;
        if kind != AgentKind::Random {
            let is_last =
                plan.quick || plan.compare.match_play || games.into_iter().try_for_each(can_learn).is_err();
            let later = self.compare_trained(&kind, CHOSEN_SHARE[at], is_last)?;
            has_better = later.is_some();
            answer.add(later);
        }
        let is_over = plan.quick || plan.compare.match_play || decides_nothing;
        if stop.is_set() && !has_better && !decides_nothing {
            return Ok(Some(BETTER));
        }
        if is_over || stop.is_set() {
            return Ok((!is_over).then_some(LEARNING));
        }
        let learner = match self.left() {
            Some(left) => {
                let each = TRAINING_SHARE * left / (2 * TRAININGS) as f64;
                fitting_learner(&games, plan.compare.threads, each, stop)
            }
            None => games.into_iter().try_for_each(can_learn).map(|()| Some(AgentKind::Learned(None))),
        };
        match learner {
            Ok(Some(learner)) if learner != kind => {
                let later = self.compare_trained(&learner, 1.0, true)?;
                if later.is_none() && stop.is_set() {
                    return Ok(Some(LEARNING));
                }
                if later.is_none() {
                    tell(AnswerStep::NoTime);
                }
                answer.add(later);
            }
            Ok(Some(_)) => {}
            Ok(None) if stop.is_set() => return Ok(Some(LEARNING)),
            Ok(None) => tell(AnswerStep::NoTime),
            Err(error) => tell(AnswerStep::Untrained(error)),
        }
        Ok(None)
    }

    /// Returns where games forecast the end of the comparison: nowhere, unless they are the last.
    fn end_of_games(&self, is_last: bool) -> EndForecast {
        if is_last { self.plan.budget.end.clone() } else { EndForecast::default() }
    }

    /// Trains the players of an agent, if it is trained, and compares by it. `None` if there was no time for a training, or a
    /// game. `is_last`: no other agent follows.
    fn compare_trained(
        &self,
        kind: &AgentKind,
        share: f64,
        is_last: bool,
    ) -> Result<Option<BestComparison>, SimulateError> {
        // Held while they play.
        let mut players: Vec<Option<Arc<Learned>>> = vec![];
        if kind.trains() {
            let limit = self.stop.within_time(self.left().map(|left| LATEST_TRAINING * left));
            for at in 0..2 * TRAININGS {
                let (game, training) = (self.games[at as usize % 2], 1 + at / 2);
                let mut told = TrainingClock(self);
                let parts = Parts::here();
                let trained = limit.scope(|| kind.train_in_parts(game, training, &mut told, &parts));
                let Ok(trained) = trained else { return Ok(None) };
                players.extend(trained.map_err(SimulateError::Agent)?.map(|(_, player)| player));
            }
        }
        let seconds = self.left().map(|left| share * left);
        let followed = seconds.map_or(0.0, |seconds| FOLLOWED_SHARE * seconds);
        let end = self.end_of_games(is_last).followed_by(followed);
        let mut found = self.compare(kind, share * (1.0 - FOLLOWED_SHARE), end)?;
        let has_played = found.found.agents.iter().any(|agent| agent.games + agent.aborted > 0);
        if has_played && !self.stop.is_set() {
            let seconds = seconds.map(|seconds| FOLLOWED_SHARE * seconds);
            let course = compare_courses(self.games, &self.plan.compare, kind, seconds, self.stop)?;
            course.into_iter().for_each(|course| found.found.know_course(course));
        }
        Ok(has_played.then_some(found))
    }

    /// Compares by one agent, within a share of the time that is left, and forecasts the end of its games.
    fn compare(
        &self,
        kind: &AgentKind,
        share: f64,
        end: EndForecast,
    ) -> Result<BestComparison, SimulateError> {
        let [a, b] = self.games;
        let plan = ComparePlan { agents: vec![kind.clone()], ..self.plan.compare.clone() };
        let seconds = self.left().map(|left| share * left);
        let most = match seconds {
            // Who gave a time wants it used.
            Some(_) if self.plan.budget.seconds.is_some() => plan.games,
            Some(seconds) => {
                let limit = self.stop.within(0.2 * seconds);
                limit.scope(|| usual_pairs(self.games, kind, &plan)).ok().transpose()?.or(plan.games)
            }
            None => plan.games,
        };
        let plan = ComparePlan { games: most, ..plan };
        let budget = RunBudget { seconds, end, ..self.plan.budget.clone() };
        let progress = |done| {
            self.tell_share(done);
            true
        };
        let study = compare_within(a, b, &plan, &budget, &progress, self.stop)?;
        let BudgetedStudy { mut found, games, end } = study;
        // What the time ended isn't interrupted: it has fewer games.
        found.interrupted = self.stop.is_set();
        found.out_of_time = false;
        found.missing.clear();
        if !found.interrupted {
            found.requested = found.agents.iter().map(|agent| agent.games + agent.aborted).collect();
        }
        Ok(BestComparison { found, last: BudgetedStudy { found: (), games, end } })
    }

    fn tell_share(&self, done: CompareProgress) {
        let share = match (self.seconds, done) {
            (Some(seconds), _) => (self.clock.elapsed().as_secs_f64() / seconds).min(1.0),
            (None, CompareProgress::Pairs(done, of)) => done as f64 / of.max(1) as f64,
            (None, CompareProgress::Training(share)) => share,
        };
        (self.tell)(AnswerStep::Share(share));
    }
}

/// Tells the share of the time during a training.
struct TrainingClock<'t, 'r>(&'t AnswerRun<'r>);

impl TrainingObserver for TrainingClock<'_, '_> {
    fn played(&mut self, _games: u64, share: f64) {
        self.0.tell_share(CompareProgress::Training(share));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load};

    #[test]
    fn a_stop_before_the_better_players_is_an_interruption() {
        let game = |name| load(&Request { name, ..Request::default() }).unwrap().game;
        let (a, b) = (game("pig"), game("pig-two-dice"));
        let compare = ComparePlan {
            games: Some(20),
            first: 0,
            seeds: [1; 2],
            threads: 1,
            agents: vec![],
            match_play: false,
            keep_partial: true,
        };
        let plan = AnswerPlan { compare, budget: RunBudget::default(), quick: true };
        let stop = Interrupt::new();
        let tell = |step: AnswerStep<'_>| {
            if matches!(step, AnswerStep::First(_)) {
                stop.set();
            }
        };
        let answer = compare_by_best([&a, &b], &plan, &tell, &stop).unwrap();
        assert!(answer.found.interrupted, "the better players are missing");
        assert_eq!(answer.found.agents.len(), 1);
        assert_eq!(answer.found.agents[0].games, 20, "the random games are whole");
        assert_eq!((answer.found.requested, answer.found.missing), (vec![20], vec![BETTER.to_owned()]));
    }
}
