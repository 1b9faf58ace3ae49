//! Why an agent can't be made, in words.

use std::fmt;

use super::kind::{MOST_GAMES, MOST_SIMULATIONS, SIMULATIONS};
use super::{AgentKind, ScriptFault};
use crate::learned::{LearnError, PlayerError};
use houserule_base::files::{PLAYER_ENDING, SCRIPT_ENDING};
use houserule_base::numbers::grouped;
use houserule_game::solve::TooLarge;
use houserule_language::diagnostic::did_you_mean;

/// Why an agent can't be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// There is no agent of this name.
    Unknown(String),
    /// The number of simulations is missing or out of range.
    Simulations(String),
    /// The agent takes no number, but its name has one.
    NoNumber(String),
    /// The game is too large for `exact`.
    TooLarge(TooLarge),
    /// The game hides information, which `exact` can't solve.
    Hidden,
    /// The file of a script can't be read.
    File {
        /// The path of the file.
        path: String,
        /// The reason.
        message: String,
    },
    /// A script has an error.
    Script(Box<ScriptFault>),
    /// A player file is invalid, or doesn't fit the game.
    Player(PlayerError),
    /// The agent can't be trained for this game.
    Learn(LearnError),
    /// The number of training games is out of range.
    Games(String),
    /// The script has no `choose`, so it can't play by itself.
    NoChoose(String),
    /// The script has no `value`, so it can't evaluate states.
    NoValue(String),
    /// The agent doesn't evaluate states, so it can't use an evaluator.
    NoJudge(String),
    /// The agent can't look ahead with a trained agent's evaluation.
    NoLookahead(String),
    /// An agent of the caller can't play this game. The reason, in words.
    Own(String),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Unknown(name) => {
                write!(f, "no agent is called `{name}`")?;
                match did_you_mean(name.split(':').next().unwrap_or(name), AgentKind::NAMES) {
                    Some(meant) => write!(f, "; did you mean `{meant}`?"),
                    None => write!(
                        f,
                        "; there are {}, players that were trained: `FILE{}`, and scripts of your own: \
                         `FILE{SCRIPT_ENDING}`",
                        AgentKind::forms().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(", "),
                        PLAYER_ENDING
                    ),
                }
            }
            AgentError::Simulations(name) => write!(
                f,
                "`{name}` needs a number of simulations from 1 to {} after a colon, as in `{name}:1000`",
                grouped(MOST_SIMULATIONS)
            ),
            AgentError::NoNumber(name) => write!(f, "`{name}` takes no number: write `{name}` alone"),
            AgentError::TooLarge(error) => error.fmt(f),
            AgentError::File { message, .. } => f.write_str(message),
            AgentError::Script(fault) => fault.fmt(f),
            AgentError::Player(error) => error.fmt(f),
            AgentError::Learn(error) => error.fmt(f),
            AgentError::Games(name) => write!(
                f,
                "`{name}` needs a number of training games from 1 to {} after a colon, as in `{name}:50k`, or none",
                grouped(MOST_GAMES)
            ),
            AgentError::NoChoose(name) => write!(
                f,
                "`{name}` has no `choose`, so it can't play by itself; `greedy:{name}` and `mcts:{SIMULATIONS}:{name}` \
                 play by its `value`"
            ),
            AgentError::NoValue(name) => write!(
                f,
                "`{name}` has no `value` to judge by: add `fn value(g, player)`, or let it choose by itself: `{name}`"
            ),
            AgentError::NoJudge(name) => write!(
                f,
                "`{name}` judges nothing: what is judged by stands behind `greedy`, `flat:N`, `mcts:N`, `ismcts:N` or `glance:N`"
            ),
            AgentError::Own(reason) => f.write_str(reason),
            AgentError::NoLookahead(name) => write!(
                f,
                "`{name}` does not look ahead by what was learned: `flat:N`, `mcts:N`, `ismcts:N` and `glance:N` do, as in \
                 `mcts:200:learned`; `learned` alone looks through its own turn"
            ),
            AgentError::Hidden => f.write_str(
                "`exact` is for games in which everybody sees everything; `ismcts:1000` plays this one",
            ),
        }
    }
}

impl std::error::Error for AgentError {}
