//! Who plays the games of a report: a player that learns, or the best of a contest.

use super::evidence::{Evidence, SEARCH, TRAINING_SHARE, TRAININGS, search};
use houserule_base::interrupt::Interrupt;
use houserule_players::agents::{AgentKind, LearnError};
use houserule_players::learned::can_learn;
use houserule_playtest::{
    ContestPlan, QuickPlayer, SimulateError, choose_player_twice, fitting_learner, game_seconds,
};

/// Share of the time of a report, if it has one, in which its player is chosen.
const CONTEST_SHARE: f64 = 0.5;

/// The most CPU seconds of a game of the player of a quick report.
const GAME_SECONDS: f64 = 0.04;

/// The part of the work of a report that chooses its player.
const CHOICE: &str = "quick player";

impl Evidence<'_> {
    /// The strong agent of the plan, or the default: a player that learns, if it can and there is time for it, else the best
    /// of a contest.
    pub(super) fn strong_kind(&mut self, stop: &Interrupt) -> AgentKind {
        if let Some(kind) = &self.plan.agent {
            return kind.clone();
        }
        let learner = match self.plan.seconds() {
            Some(seconds) => {
                let each = TRAINING_SHARE * seconds / TRAININGS as f64;
                fitting_learner(&[self.game], self.plan.threads, each, stop)
            }
            None => can_learn(self.game).map(|()| Some(AgentKind::Learned(None))),
        };
        match learner {
            Ok(Some(kind)) => return kind,
            Ok(None) => {}
            Err(error) => self.untrained = Some(error),
        }
        match self.untrained {
            // All play alike.
            Some(LearnError::NoDecisions) => AgentKind::Random,
            // Without a time, the player is the same on every machine, and in every process.
            _ if self.plan.seconds().is_none() => search(self.game, SEARCH[1]),
            _ => self.choose(stop),
        }
    }

    /// Chooses the best player that needs little time.
    pub(super) fn choose(&mut self, stop: &Interrupt) -> AgentKind {
        let found = self.hold_contest(&|| None, stop);
        self.know_contest(found)
    }

    /// Chooses that player as a part of the work, so that all processes have the same one. `left` returns the seconds that a
    /// second choice may take. Returns `None` in a process that neither chooses it nor is given the choice.
    pub(super) fn choose_in_parts(
        &mut self,
        left: &dyn Fn() -> Option<f64>,
        stop: &Interrupt,
    ) -> Result<Option<AgentKind>, SimulateError> {
        let found =
            self.parts.deciding_part(CHOICE, || Ok::<_, SimulateError>(self.hold_contest(left, stop)))?;
        Ok(found.map(|found| self.know_contest(found)))
    }

    fn hold_contest(&self, left: &dyn Fn() -> Option<f64>, stop: &Interrupt) -> QuickPlayer {
        let share = if self.plan.quick { CONTEST_SHARE } else { CONTEST_SHARE / 2.0 };
        let contest = ContestPlan {
            seed: self.plan.seed,
            threads: self.plan.threads,
            seconds: self.plan.seconds().map(|seconds| share * seconds),
            of_game: game_seconds(self.plan.games, self.plan.quick, GAME_SECONDS),
        };
        choose_player_twice(&[self.game], &contest, left, stop)
    }

    /// Keeps how the player was chosen, and returns it.
    fn know_contest(&mut self, found: QuickPlayer) -> AgentKind {
        let kind = found.kind.clone();
        self.contest = Some(found);
        kind
    }

    /// Returns `true` if no player was better than those that play at random anyway. Where nobody decides anything, these
    /// are as good as any.
    pub(super) fn plays_only_at_random(&self, kind: &AgentKind) -> bool {
        let decides = self.contest.as_ref().is_some_and(|contest| !contest.decides_nothing);
        *kind == AgentKind::Random && self.plan.agent.is_none() && decides
    }

    /// Returns `true` if nobody has anything to decide, so that no player is better than another.
    pub(super) fn decides_nothing(&self) -> bool {
        self.untrained == Some(LearnError::NoDecisions)
            || self.contest.as_ref().is_some_and(|contest| contest.decides_nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisPlan, GameReport, Pace, analyse_in_parts};
    use houserule_base::parts::Parts;
    use houserule_loader::{Request, load};
    use houserule_playtest::RunBudget;
    use std::collections::HashMap;

    /// All processes that play a quick report have the player that one of them chose, the same as in one process.
    #[test]
    fn the_player_of_a_divided_quick_report_is_chosen_once() {
        let game = load(&Request { name: "tic-tac-toe", ..Request::default() }).unwrap().game;
        let plan = AnalysisPlan {
            seed: 1,
            threads: 1,
            games: Some(40),
            budget: RunBudget::default(),
            agent: None,
            quick: true,
            most_seconds: None,
            pages: 1,
            pace: Pace::default(),
        };
        let stop = Interrupt::new();
        let analysed = |parts: &Parts| analyse_in_parts(&game, &plan, &|_| {}, &stop, parts);
        let mut given: HashMap<String, Vec<u8>> = HashMap::new();
        let mut names = vec![];
        loop {
            let list = Parts::list_after(given.clone());
            assert!(matches!(analysed(&list), Err(SimulateError::Stopped)));
            for part in list.listed() {
                let needed = part.needs.iter().map(|name| (name.clone(), given[name].clone())).collect();
                let one = Parts::one(part.name.clone(), needed);
                assert!(matches!(analysed(&one), Err(SimulateError::Stopped)));
                given.insert(part.name.clone(), one.result().unwrap());
                names.push(part.name);
            }
            if !list.is_open() {
                break;
            }
        }
        assert_eq!(names.iter().filter(|name| *name == CHOICE).count(), 1, "{names:?}");
        let described = |page: &GameReport| {
            let answers =
                page.sections.iter().filter(|section| ["fair", "length", "course"].contains(&section.id));
            let answers: Vec<String> = answers.map(|section| section.answer.clone()).collect();
            (serde_json::to_string(&page.agents).unwrap(), answers)
        };
        let whole = analysed(&Parts::all(given)).unwrap();
        assert_eq!(described(&whole), described(&analysed(&Parts::here()).unwrap()));
        let player = &whole.agents[0].agent;
        assert!(!["random", "greedy"].contains(&player.as_str()), "{player}");
        assert!(
            names.iter().any(|name| name.starts_with(&format!("{player}, training 0, games"))),
            "{names:?}"
        );
    }
}
