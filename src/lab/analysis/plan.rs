//! What a report is asked for: its players, games and time.

use houserule_base::interrupt::Interrupt;
use houserule_players::agents::AgentKind;
use houserule_playtest::{RunBudget, answer_seconds};

/// Maximum number of pages that have all their games. More pages share the games of one.
const WHOLE_PAGES: u64 = 2;

/// Settings of a report.
#[derive(Clone, Debug)]
pub struct AnalysisPlan {
    /// The seed.
    pub seed: u64,
    /// Number of threads, at least 1. The figures don't depend on it.
    pub threads: usize,
    /// Games of the strong agent, with a precision at most; `None` for as many as a minute or two allow, or the budget.
    pub games: Option<u64>,
    /// What ends the games of the strong agent besides their number: the time of the report, after which what is not
    /// finished is missing, and the precision of figures of [`PRECISE`].
    pub budget: RunBudget,
    /// The strong agent; `None` for a learned player if the game can be learned, else a search.
    pub agent: Option<AgentKind>,
    /// Look for the best player that needs little time instead of training one, and play no games between agents.
    pub quick: bool,
    /// The most seconds of a report whose games, time and precision nobody gave; what is not finished then is missing.
    pub most_seconds: Option<f64>,
    /// Number of pages that are made, this one included, at least 1. Each of three or more pages has fewer games, so that
    /// the report doesn't take much longer.
    pub pages: u64,
    /// How long people take, for the length in minutes.
    pub pace: Pace,
}

/// The metrics of a report that are measured in the games of the strong agent, with intervals.
pub const PRECISE: [&str; 35] = [
    "wins",
    "loses",
    "score",
    "draws",
    "seat_gap",
    "first_seat_elo",
    "turns",
    "rolls",
    "decisions",
    "minutes",
    "cut_off",
    "decided_point",
    "decided_early",
    "favourite_wins",
    "comebacks",
    "lead_changes",
    "drama",
    "killer_move",
    "volatility",
    "surprise",
    "kingmaking",
    "uncertainty",
    "open_variance",
    "choice",
    "branching",
    "game_tree",
    "near_best",
    "repetition",
    "stakes",
    "best_lead",
    "matter",
    "response",
    "luck_of_events",
    "ended_by",
    "item",
];

impl AnalysisPlan {
    /// Returns the flag with a limit of a share of the report's time from now, if it has one.
    pub(super) fn limit(&self, stop: &Interrupt, share: f64) -> Interrupt {
        stop.within_time(self.seconds().map(|seconds| share * seconds))
    }

    /// The most seconds of a report: `None` where games, a time or a precision are given.
    pub fn usual_seconds(&self) -> Option<f64> {
        let is_given = self.games.is_some() || self.budget.is_bounded();
        (!is_given).then(|| answer_seconds(self.quick))
    }

    /// The seconds of the report, if it has a time.
    pub fn seconds(&self) -> Option<f64> {
        self.budget.seconds.or(self.most_seconds)
    }

    /// Returns this page's part of some work.
    pub(super) fn work(&self, whole: u64) -> u64 {
        if self.pages <= WHOLE_PAGES { whole } else { whole / self.pages }
    }
}

/// Returns the seconds that the games of a report presumably take from now on, which may take `left`: those of the present phase
/// take `phase`, and those that follow at most `following`, each with its share of the time that is left then. What is
/// unknown is `None`: it takes its whole share.
pub(super) fn seconds_ahead(phase: f64, left: f64, following: &[(f64, Option<f64>)]) -> f64 {
    let mut ahead = phase.min(left);
    for (share, seconds) in following {
        let most = share * (left - ahead);
        ahead += seconds.map_or(most, |seconds| seconds.min(most));
    }
    ahead
}

/// How long people take, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// A decision among several actions.
    pub decision: f64,
    /// A roll or another chance event.
    pub roll: f64,
    /// Counting the score at the end, once a game.
    pub counting: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { decision: 10.0, roll: 5.0, counting: 60.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_ends_with_its_games() {
        // Of 100 s, games take 50; six tenths of the rest are for one phase, and eight tenths of what is left then for another.
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        near(seconds_ahead(50.0, 100.0, &[(0.6, None), (0.8, None)]), 50.0 + 30.0 + 16.0);
        // Few wanted games leave more time to the others, unless these need none either.
        near(seconds_ahead(5.0, 100.0, &[(0.6, None), (0.8, Some(2.0))]), 5.0 + 57.0 + 2.0);
        near(seconds_ahead(5.0, 100.0, &[(0.6, Some(1.0)), (0.8, Some(2.0))]), 8.0);
        near(seconds_ahead(5.0, 100.0, &[]), 5.0);
        near(seconds_ahead(500.0, 100.0, &[(0.6, Some(1.0))]), 100.0);
    }
}
