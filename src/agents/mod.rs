//! Who plays: agents that choose among the legal actions of a state. They see games through the
//! engine's interface only, and know neither rule text nor programs.

mod exact;
mod graph;
mod greedy;

use std::fmt;
use std::sync::Arc;

pub use exact::{Exact, Limits, Solution, TooLarge, solve};
pub use greedy::Greedy;

use crate::diagnostic::did_you_mean;
use crate::engine::{ActionId, Game, RuntimeError, State};
use crate::rng::{MAX_PLAYERS, Stream};

/// Something that plays a seat.
pub trait Agent: Send {
    /// Its name, as [`AgentKind::parse`] takes it.
    fn name(&self) -> &'static str;

    /// Chooses a legal action; none if no player is to choose. It leaves the state as it is, but may
    /// draw from the stream of the seat's player; `stream` is the agent's own.
    fn choose(&mut self, state: &mut State, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError>;

    /// Another of the same, for another thread.
    fn copy(&self) -> Box<dyn Agent>;
}

/// The agent's own stream for a seat of a game: apart from chance and from the seats' players, so
/// that what an agent draws never shifts the dice.
pub fn agent_stream(seed: u64, index: u64, seat: u32) -> Stream {
    Stream::new(seed, index, MAX_PLAYERS as u64 + 1 + u64::from(seat))
}

/// The agents by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentKind {
    /// Any legal action, all with the same chance.
    Random,
    /// The best score after one step.
    Greedy,
    /// Best play, worked out over the whole game.
    Exact,
}

/// Why there is no agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// There is none of this name.
    Unknown(String),
    /// The game is too large for `exact`.
    TooLarge(TooLarge),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Unknown(name) => {
                write!(f, "no agent is called `{name}`")?;
                match did_you_mean(name, AgentKind::ALL.iter().map(|kind| kind.name())) {
                    Some(meant) => write!(f, "; did you mean `{meant}`?"),
                    None => write!(f, "; there are `random`, `greedy` and `exact`"),
                }
            }
            AgentError::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AgentError {}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl AgentKind {
    /// All of them.
    pub const ALL: [AgentKind; 3] = [AgentKind::Random, AgentKind::Greedy, AgentKind::Exact];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AgentKind::Random => "random",
            AgentKind::Greedy => "greedy",
            AgentKind::Exact => "exact",
        }
    }

    /// The agent of a name.
    pub fn parse(name: &str) -> Result<AgentKind, AgentError> {
        let name = name.trim();
        let found = AgentKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| AgentError::Unknown(name.to_owned()))
    }

    /// An agent for each seat. What `exact` works out is shared by all of them.
    pub fn seat_all(kinds: &[AgentKind], game: &Game) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        let wanted = kinds.contains(&AgentKind::Exact);
        let solution =
            if wanted { Some(solve(game, &Limits::default()).map_err(AgentError::TooLarge)?) } else { None };
        let solution = solution.map(Arc::new);
        let seat = |kind: &AgentKind| -> Box<dyn Agent> {
            match (kind, &solution) {
                (AgentKind::Exact, Some(solution)) => Box::new(Exact::new(Arc::clone(solution))),
                (AgentKind::Greedy, _) => Box::new(Greedy),
                _ => Box::new(Random),
            }
        };
        Ok(kinds.iter().map(seat).collect())
    }
}

/// Any legal action, all with the same chance; deliberate options only if there is nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> &'static str {
        AgentKind::Random.name()
    }

    fn choose(&mut self, state: &mut State, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        Ok(state.random_action())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }
}

/// One of the actions, evenly; a single one draws nothing.
fn one_of(actions: &[ActionId], stream: &mut Stream) -> Option<ActionId> {
    match actions {
        [] => None,
        [one] => Some(*one),
        many => many.get(stream.below(many.len() as u64) as usize).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_by_name() {
        for kind in AgentKind::ALL {
            assert_eq!(AgentKind::parse(kind.name()), Ok(kind));
        }
        let error = AgentKind::parse("gredy").unwrap_err().to_string();
        assert_eq!(error, "no agent is called `gredy`; did you mean `greedy`?");
        let error = AgentKind::parse("alphazero").unwrap_err().to_string();
        assert!(error.contains("`random`, `greedy` and `exact`"), "{error}");
    }

    #[test]
    fn agents_draw_from_streams_of_their_own() {
        for seat in 0..MAX_PLAYERS as u32 {
            for source in 0..=MAX_PLAYERS as u64 {
                assert_ne!(agent_stream(1, 2, seat), Stream::new(1, 2, source));
            }
        }
    }
}
