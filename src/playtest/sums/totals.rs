//! The exact sums of a run, and the merging of consecutive runs.
//!
//! A report is computed from totals alone. The report of two merged runs is therefore that of one run over all
//! their games.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::report::Report;
use crate::sums::GameSums;
use crate::sums::match_sums::MatchSums;
use houserule_base::numbers::counted;
use houserule_game::Game;

/// The totals of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Totals {
    pub(crate) sums: GameSums,
    pub(crate) matches: Option<MatchSums>,
    pub(crate) run: RunInfo,
}

/// The settings and times of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct RunInfo {
    pub(crate) requested: u64,
    pub(crate) interrupted: bool,
    pub seed: u64,
    pub(crate) first: u64,
    pub threads: usize,
    pub agents: Vec<String>,
    pub seconds: f64,
    pub(crate) cpu_seconds: f64,
}

/// Why two runs can't be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// They are not parts of one run.
    Differ {
        /// The property that differs.
        what: &'static str,
        /// Its value in the first run.
        one: String,
        /// Its value in the second run.
        other: String,
    },
    /// A run was stopped, so it is unknown which of its games were finished.
    Interrupted,
    /// Some games are in both.
    Overlap(Indices),
    /// Some games between them are in neither.
    Hole(Indices),
}

/// A range of games, or matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// Index of the first.
    pub first: u64,
    /// Number of games, or matches.
    pub count: u64,
    /// `true` for matches.
    pub matches: bool,
}

impl fmt::Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.matches { "match" } else { "game" };
        let last = self.first.saturating_add(self.count.saturating_sub(1));
        match (self.count, self.matches) {
            (1, _) => write!(f, "{name} {last}"),
            (_, true) => write!(f, "matches {} to {last}", self.first),
            (_, false) => write!(f, "games {} to {last}", self.first),
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Differ { what, one, other } => {
                write!(
                    f,
                    "the results differ in {what}, {one} and {other}: only parts of one run can be added, which \
                     have the same game, params, agents and seed"
                )
            }
            MergeError::Interrupted => {
                f.write_str("a run that was interrupted can't be added: play its games again")
            }
            MergeError::Overlap(both) => {
                let are = if both.count == 1 { "is" } else { "are" };
                let after = both.first.saturating_add(both.count);
                write!(
                    f,
                    "{both} {are} in both results: play one of them with other games, as `first={after}`"
                )
            }
            MergeError::Hole(between) => {
                let (are, them) = if between.count == 1 { ("is", "it") } else { ("are", "them") };
                write!(
                    f,
                    "{between} {are} in neither of the results: play {them} with `games={}, first={}`, and add \
                     the three in order",
                    between.count, between.first
                )
            }
        }
    }
}

impl std::error::Error for MergeError {}

impl RunInfo {
    fn end(&self) -> u64 {
        self.first.saturating_add(self.requested)
    }

    fn indices(&self, matches: bool) -> Indices {
        Indices { first: self.first, count: self.requested, matches }
    }

    /// Returns the merged run: times are added; `threads` is the larger number.
    fn merged(&self, next: &RunInfo) -> RunInfo {
        RunInfo {
            requested: self.requested + next.requested,
            interrupted: false,
            seed: self.seed,
            first: self.first,
            threads: self.threads.max(next.threads),
            agents: self.agents.clone(),
            seconds: self.seconds + next.seconds,
            cpu_seconds: self.cpu_seconds + next.cpu_seconds,
        }
    }
}

impl Report {
    /// Serialises the totals; [`Report::restored`] makes the report from them.
    pub fn saved(&self) -> serde_json::Result<String> {
        serde_json::to_string(&*self.totals)
    }

    /// Restores the report of saved totals, without [`Report::first_aborted`]. Returns `None` if the text is not
    /// that of totals of this game.
    pub fn restored(game: &Game, saved: &str) -> Option<Report> {
        let Totals { sums, matches, run } = serde_json::from_str(saved).ok()?;
        let matches = match matches {
            Some(matches) => Some(matches.restored(game)?),
            None => None,
        };
        Some(Report::new(game, Totals { sums: sums.restored(game)?, matches, run }))
    }

    /// Merges the reports of two runs, in either order. The games of one must follow those of the other.
    pub fn merged(&self, other: &Report, game: &Game) -> Result<Report, MergeError> {
        self.same_run(other)?;
        let (one, two) = if self.first <= other.first { (self, other) } else { (other, self) };
        let (before, after) = (&one.totals.run, &two.totals.run);
        if before.interrupted || after.interrupted {
            return Err(MergeError::Interrupted);
        }
        let matches = one.matches.is_some();
        if after.first < before.end() {
            let count = before.end().min(after.end()) - after.first;
            return Err(MergeError::Overlap(Indices { count, ..after.indices(matches) }));
        }
        if after.first > before.end() {
            let between = Indices { first: before.end(), count: after.first - before.end(), matches };
            return Err(MergeError::Hole(between));
        }
        Ok(one.and_then(two, game))
    }

    /// Returns the report with the games of the next part of the same run, which may have been interrupted.
    pub(crate) fn and_then(&self, next: &Report, game: &Game) -> Report {
        let mut totals = Totals::clone(&self.totals);
        totals.sums.merge(next.totals.sums.clone());
        if let (Some(matches), Some(others)) = (&mut totals.matches, &next.totals.matches) {
            matches.merge(others);
        }
        totals.run = RunInfo { interrupted: next.interrupted, ..self.totals.run.merged(&next.totals.run) };
        Report::new(game, totals)
    }

    fn same_run(&self, other: &Report) -> Result<(), MergeError> {
        let differ = |what, one: &dyn fmt::Display, other: &dyn fmt::Display| {
            let (one, other) = (one.to_string(), other.to_string());
            if one == other { Ok(()) } else { Err(MergeError::Differ { what, one, other }) }
        };
        let params = |report: &Report| {
            let all = report.params.0.iter().map(|(name, value)| format!("{name} = {value}"));
            format!("`{}`", all.collect::<Vec<_>>().join(", "))
        };
        let kind = |report: &Report| if report.matches.is_some() { "matches" } else { "single games" };
        let rules = |report: &Report| format!("{}…", report.rules_sha256.get(..12).unwrap_or_default());
        let agents = |report: &Report| format!("`{}`", report.agents.join(", "));
        let players = |report: &Report| counted(report.players, "player");
        differ("the game", &format!("`{}`", self.game), &format!("`{}`", other.game))?;
        differ("the text of the rules (its SHA-256)", &rules(self), &rules(other))?;
        differ("the params", &params(self), &params(other))?;
        differ("the number of players", &players(self), &players(other))?;
        differ("the agents", &agents(self), &agents(other))?;
        differ("the seed", &self.seed, &other.seed)?;
        differ("what was played", &kind(self), &kind(other))
    }
}
