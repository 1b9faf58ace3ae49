//! Exact values of the game of a report: solving it within the report's time, and the exact distribution of its result.

use super::evidence::Evidence;
use houserule_base::interrupt::Interrupt;
use houserule_players::agents::{AgentKind, LearnError};
use houserule_players::learned::can_learn;
use houserule_playtest::RunMonitor;
use houserule_playtest::follow::exact::{ExactValues, LIMITS, QUICK_LIMITS};
use houserule_playtest::odds::{OddsPlan, OddsQuantity, odds};

/// Share of the time of a report, if it has one, in which its game is solved, and in which the distribution is computed.
const SOLVE_SHARE: f64 = 0.1;

/// Why a game is not solved whose report has too little time.
pub(super) const NO_TIME_TO_SOLVE: &str = "there was no time to solve it";

impl Evidence<'_> {
    /// Solves the game, if it can be solved.
    pub(super) fn solve(&self) {
        let is_soon = self.plan.quick && self.plan.seconds().is_none();
        let limits = if is_soon { &QUICK_LIMITS } else { &LIMITS };
        self.exact.get_or_init(|| ExactValues::solve_once(self.game, limits, !self.parts.is_whole()));
    }

    /// The exact values, if the game was solved.
    pub(crate) fn solved(&self) -> Option<&ExactValues> {
        self.exact.get()?.as_deref().ok()
    }

    /// Solves the game, within its share of the time.
    pub(super) fn solve_within(&self, stop: &Interrupt) {
        if self.plan.limit(stop, SOLVE_SHARE).scope(|| self.solve()).is_err() {
            let _ = self.exact.set(Err(NO_TIME_TO_SOLVE.to_owned()));
        }
    }

    /// Computes the exact distribution of the score or the winner, within its share of the time: where the game was solved,
    /// and where nobody decides anything.
    pub(super) fn spread_within(&mut self, stop: &Interrupt) {
        let agents = match self.solved() {
            _ if !self.game.program().uses_chance => return,
            Some(_) => vec![AgentKind::Exact],
            None if can_learn(self.game) == Err(LearnError::NoDecisions) => vec![],
            None => return,
        };
        let plan = OddsPlan { of: OddsQuantity::usual(self.game.model()), agents, questions: vec![] };
        let limit = self.plan.limit(stop, SOLVE_SHARE);
        self.odds = odds(self.game, &plan, &RunMonitor { progress: &|_| {}, stop: &limit }).ok();
    }
}
