//! What a simulation plays, what it keeps, and why it can't be played.

use std::fmt;

use super::rows::GameRows;
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::{counted, grouped};
use houserule_game::Game;
use houserule_game::matches::Match;
use houserule_game::notation::record::Record;
use houserule_model::MatchLength;
use houserule_players::agents::{Agent, AgentError, AgentKind};

/// Maximum index of a game, or of a match.
pub const LAST: u64 = i64::MAX as u64;

/// Receives the records of a run, in the order of the games.
pub type RecordSink<'a> = dyn FnMut(Record) + Send + 'a;

/// Receives the rows of the games of a run, in their order.
pub type RowSink<'a> = dyn FnMut(GameRows) + Send + 'a;

/// What receives the games of a run one after the other, while it goes on.
#[derive(Default)]
pub struct GameSinks<'s, 'a> {
    /// Receives a record of every game.
    pub records: Option<&'s mut RecordSink<'a>>,
    /// Receives the rows of every game.
    pub rows: Option<&'s mut RowSink<'a>>,
}

impl<'s, 'a> GameSinks<'s, 'a> {
    /// Returns the same sinks for a part of the run.
    pub(super) fn again(&mut self) -> GameSinks<'_, 'a> {
        GameSinks { records: self.records.as_deref_mut(), rows: self.rows.as_deref_mut() }
    }
}

/// Settings of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// Number of games, or matches.
    pub games: u64,
    /// Index of the first game, or match.
    pub first: u64,
    /// The seed of the run.
    pub seed: u64,
    /// Number of threads; at least 1.
    pub threads: usize,
    /// The agents: one for all seats, or one for each.
    pub agents: Vec<AgentKind>,
    /// Play whole matches.
    pub match_play: bool,
}

impl SimulationPlan {
    /// Returns the index after the last game, or match. Fails if the indices exceed the maximum.
    pub(super) fn end(&self, game: &Game) -> Result<u64, SimulateError> {
        last_index(game, self.match_play, self.first, self.games)
    }

    /// The agent of each seat.
    pub(super) fn kinds(&self, players: u32) -> Result<Vec<AgentKind>, SimulateError> {
        match self.agents.as_slice() {
            [one] => Ok(vec![one.clone(); players as usize]),
            many if many.len() == players as usize => Ok(many.to_vec()),
            many => Err(SimulateError::Agents { players, agents: many.len() }),
        }
    }
}

/// Agents by seat, used instead of [`SimulationPlan::agents`].
pub struct CustomAgents {
    /// Name of each agent in the report.
    pub names: Vec<String>,
    /// The agents.
    pub agents: Vec<Box<dyn Agent>>,
}

/// Progress callback and stop flag of a run.
#[derive(Clone, Copy)]
pub struct RunMonitor<'a> {
    /// Called now and then with the number of games, or matches, played.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Once it is set, the run stops, even within a game or a search.
    pub stop: &'a Interrupt,
}

/// Per-game and per-decision rows to keep, in addition to the aggregate report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep {
    /// A row for each game, and one for each seat.
    pub rows: bool,
    /// A row for each decision.
    pub decisions: bool,
    /// Begin no more games after an aborted one. Games already begun are finished, so the first aborted game is
    /// the same for any number of threads.
    pub only_until_error: bool,
    /// If the run is stopped, report on the finished games instead of failing with [`SimulateError::Stopped`]. With
    /// records, these are the recorded games.
    pub keep_partial: bool,
    /// If the run is stopped, report on the games before the first unfinished one, as if only these had been requested.
    /// A run that a time limit ends doesn't count as interrupted then.
    pub prefix: bool,
}

/// Why a plan can't be carried out.
#[derive(Debug)]
pub enum SimulateError {
    /// The number of agents is neither 1 nor that of the seats.
    Agents {
        /// Number of seats.
        players: u32,
        /// Number of agents.
        agents: usize,
    },
    /// An agent can't play this game.
    Agent(AgentError),
    /// The rules have no matches.
    NoMatch,
    /// There is no metric of a wanted precision, with what there is.
    Metric(String),
    /// The run was stopped.
    Stopped,
    /// The time was over before the first game was.
    NoTime,
    /// A ladder of a game with more than two sides, or of one in which all players are one side.
    Ladder {
        /// Number of sides.
        sides: u32,
        /// Whether the rules allow two players.
        allows_two: bool,
    },
    /// The indices of the games exceed the maximum.
    First {
        /// Index of the first game, or match.
        first: u64,
        /// Number of games, or matches.
        games: u64,
        /// The maximum index.
        last: u64,
    },
}

impl fmt::Display for SimulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulateError::Agents { players, agents } => {
                let (agents, players) = (counted(*agents, "agent"), counted(*players, "player"));
                write!(f, "{agents} for {players}: name one for all seats, or one for each")
            }
            SimulateError::Agent(error) => error.fmt(f),
            SimulateError::First { first, games, last } => write!(
                f,
                "there are not {} more from `--first {first}` on: the greatest index is {last}",
                grouped(*games)
            ),
            SimulateError::Metric(message) => f.write_str(message),
            SimulateError::Stopped => f.write_str("stopped before the end"),
            SimulateError::NoTime => {
                f.write_str("the time was over before the first game was: allow more time")
            }
            SimulateError::Ladder { sides: 1, .. } => f.write_str(
                "a ladder plays agents against each other, and here all players win or lose together: \
                 `simulate --agents NAME` says how often they win with each agent",
            ),
            SimulateError::Ladder { sides, allows_two } => {
                write!(f, "a ladder needs a game for one player or for two sides, not for {sides}")?;
                f.write_str(if *allows_two {
                    ": add `--players 2`"
                } else {
                    ", and these rules allow no two players"
                })
            }
            SimulateError::NoMatch => {
                write!(
                    f,
                    "the rules say nothing of matches: play single games, or add `match {{ games: 10 }}`"
                )
            }
        }
    }
}

impl std::error::Error for SimulateError {}

/// Returns the usual number of games in a match; 1 if single games are played.
pub(super) fn usual_length(game: &Game, match_play: bool) -> u64 {
    match game.model().match_rules.as_ref().filter(|_| match_play).map(|rules| &rules.length) {
        Some(MatchLength::Games(games)) => u64::from(*games),
        Some(MatchLength::Until(_)) => 10,
        None => 1,
    }
}

/// Returns the index after `games` games, or matches, from `first` on. Fails if the indices exceed the maximum.
pub fn last_index(game: &Game, match_play: bool, first: u64, games: u64) -> Result<u64, SimulateError> {
    let last = if match_play {
        Match::number_of(game, LAST).map(|number| number.saturating_sub(1))
    } else {
        Some(LAST)
    };
    let last = last.unwrap_or(LAST);
    let end = first.checked_add(games).filter(|end| games == 0 || end - 1 <= last);
    end.ok_or(SimulateError::First { first, games, last })
}
