//! The options of the commands that play many games: seeds, threads, agents, games or matches.

use clap::Args;

use crate::terminal::CliError;
use houserule_base::numbers::parse_count;
use houserule_players::agents::{AgentError, AgentKind};
use houserule_playtest::SimulationPlan;

/// Maximum number of threads.
const MOST_THREADS: usize = 1024;

/// The random numbers and the threads of a run.
#[derive(Clone, Debug, Args)]
pub(super) struct RunFlags {
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_count, allow_negative_numbers = true)]
    pub(super) seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

impl RunFlags {
    /// Returns the number of threads.
    pub(super) fn threads(&self) -> Result<usize, CliError> {
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        if threads == 0 || threads > MOST_THREADS {
            return Err(CliError::Command(format!(
                "`--threads` must be from 1 to {MOST_THREADS}, found {threads}"
            )));
        }
        Ok(threads)
    }
}

/// A series of games or matches, numbered from the first.
#[derive(Clone, Debug, Args)]
pub(super) struct SeriesFlags {
    #[command(flatten)]
    pub(super) run: RunFlags,
    /// Index of the first game (or match)
    #[arg(long, value_name = "I", default_value_t = 0, value_parser = parse_count, allow_negative_numbers = true)]
    pub(super) first: u64,
    /// Play whole matches instead of single games
    #[arg(long = "match")]
    pub(super) matches: bool,
}

impl SeriesFlags {
    /// What a progress bar counts.
    pub(super) fn unit(&self) -> &'static str {
        if self.matches { "matches" } else { "games" }
    }

    /// Plans the game (or match) with this index alone, with the agent in all seats.
    pub(super) fn alone(&self, index: u64, agent: AgentKind) -> SimulationPlan {
        SimulationPlan {
            games: 1,
            first: index,
            seed: self.run.seed,
            threads: 1,
            agents: vec![agent],
            match_play: self.matches,
        }
    }
}

/// The agents of a command that can train some for the games that it compares.
#[derive(Clone, Debug, Args)]
pub(super) struct AgentFlags {
    /// Agents, named as for `simulate`: each in turn plays all seats [default: random, the best player that needs little
    /// time, and players trained for each game that is compared]
    #[arg(long, value_name = "A,B")]
    agents: Option<String>,
    /// At most 10 seconds, unless games, a time or a precision are given: train no players for long
    #[arg(long, conflicts_with = "agents")]
    quick: bool,
}

impl AgentFlags {
    /// The agents that play before any training.
    pub(super) fn before_training(&self) -> Result<Vec<AgentKind>, AgentError> {
        agents(self.agents.as_deref().unwrap_or("random,greedy"))
    }

    /// Whether the agents are given by name.
    pub(super) fn are_named(&self) -> bool {
        self.agents.is_some()
    }

    /// Whether no players are trained for long.
    pub(super) fn is_quick(&self) -> bool {
        self.quick
    }

    /// Whether agents trained for each game play too.
    pub(super) fn trains(&self) -> bool {
        self.agents.is_none() && !self.quick
    }
}

/// Parses a list of agents and removes duplicates.
pub(super) fn agents(text: &str) -> Result<Vec<AgentKind>, AgentError> {
    let mut kinds = Vec::new();
    for name in text.split(',') {
        let kind = AgentKind::parse(name)?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}
