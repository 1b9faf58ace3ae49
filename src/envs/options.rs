//! What an environment can be asked for, and why it can't be had.

use std::fmt;

use crate::agents::{AgentError, AgentKind};
use crate::engine::observation::{Dtype, DtypeError, Planes, PlanesError};
use crate::engine::{Game, Player};

/// How observations are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObservationForm {
    /// A vector. Its entries are named by `Game::observation_spec`, so it serves for dictionaries too.
    #[default]
    Flat,
    /// Channels × rows × columns, see [`Planes`].
    Planes,
}

/// What is rewarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// The score in games of one player, else the outcome.
    #[default]
    Auto,
    /// Changes of one's own score.
    Score,
    /// The outcome, at the end.
    Outcome,
}

/// Who plays the other seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// Nobody else: the decision of every seat is a step.
    SelfPlay,
    /// These: one for all seats, or one for each (that of the learner's own seat sits out).
    Agents(Vec<AgentKind>),
}

/// Which seat the learner has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatChoice {
    /// Another one every episode, drawn from the episode's seed.
    #[default]
    Random,
    /// Always this one.
    Fixed(Player),
}

/// What an illegal action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// The episode is terminated with a reward of -1.
    #[default]
    Penalize,
    /// The whole step is refused with an error, before anything has changed.
    Raise,
    /// Nothing happens; the reward is 0.
    Ignore,
}

/// When an environment whose episode is over begins another, as Gymnasium 1.4 has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// At the step after, which ignores its action and gives a reward of 0.
    #[default]
    NextStep,
    /// At once: the step gives the first observation of the new episode, and the last one of the old as
    /// its final observation.
    SameStep,
    /// When it is told to.
    Disabled,
}

/// What an environment does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How observations are laid out.
    pub observation: ObservationForm,
    /// How the numbers of observations are written.
    pub dtype: Dtype,
    /// What is rewarded.
    pub reward: Reward,
    /// Who plays the other seats.
    pub opponents: Opponents,
    /// Which seat the learner has; of no matter in self-play.
    pub seat: SeatChoice,
    /// What an illegal action does.
    pub illegal: Illegal,
    /// Decisions with a single option are taken without asking.
    pub skip_forced: bool,
    /// When another episode begins. An [`super::Env`] is reset by hand.
    pub autoreset: Autoreset,
    /// An episode is a whole match.
    pub match_play: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            observation: ObservationForm::default(),
            dtype: Dtype::default(),
            reward: Reward::default(),
            opponents: Opponents::Agents(vec![AgentKind::Random]),
            seat: SeatChoice::default(),
            illegal: Illegal::default(),
            skip_forced: false,
            autoreset: Autoreset::default(),
            match_play: false,
        }
    }
}

/// What an environment can't do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvError {
    /// There is no such seat.
    Seat {
        /// The seat, from 0.
        seat: u32,
        /// How many there are.
        players: u32,
    },
    /// There are neither one agent nor as many as seats.
    Agents {
        /// How many agents.
        agents: usize,
        /// How many seats.
        players: u32,
    },
    /// An agent can't play this game.
    Agent(AgentError),
    /// The game has no planes.
    Planes(PlanesError),
    /// The game's observations can't be written as bytes or bits.
    Dtype(DtypeError),
    /// A slice has other cells than observations are written in.
    Cells {
        /// Which.
        what: &'static str,
        /// What observations are written in.
        dtype: Dtype,
    },
    /// The rules say nothing of matches.
    NoMatch,
    /// No environments, or more than memory has room for.
    Count(usize),
    /// A slice has not as many numbers as it must have.
    Length {
        /// Which.
        what: &'static str,
        /// How many it must have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// An action is not legal, and illegal actions are refused.
    Illegal {
        /// The environment.
        env: usize,
        /// The action's number.
        action: i64,
        /// The legal ones, as players see them.
        legal: Vec<String>,
    },
    /// An episode is over, and environments are reset by hand.
    Over {
        /// The environment.
        env: usize,
    },
    /// The saved environments are others in number, opponents, rewards or matches.
    SavedOptions,
    /// A saved state can't be gone on from.
    Saved(crate::engine::snapshot::SnapshotError),
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvError::Seat { seat, players } => {
                write!(f, "there is no seat {seat}; this game has ")?;
                match players {
                    1 => write!(f, "one, seat 0"),
                    _ => write!(f, "{players}, 0 to {}", players - 1),
                }
            }
            EnvError::Agents { agents, players } => {
                write!(f, "{agents} opponents for {players} seats: name one for all, or one for each seat")
            }
            EnvError::Agent(error) => error.fmt(f),
            EnvError::Planes(error) => error.fmt(f),
            EnvError::Dtype(error) => error.fmt(f),
            EnvError::Cells { what, dtype } => {
                let cells = if *dtype == Dtype::Float32 { "float32" } else { "uint8" };
                write!(
                    f,
                    "{what} must be {cells}: the environments were made with the dtype \"{}\"",
                    dtype.name()
                )
            }
            EnvError::NoMatch => write!(
                f,
                "the rules say nothing of matches: leave out `match`, or add `match {{ games: 10 }}` to them"
            ),
            EnvError::Count(count) => write!(f, "{count} environments can't be made; ask for 1 to 1,000,000"),
            EnvError::Length { what, expected, given } => {
                write!(f, "{what} must have {expected} numbers, but have {given}")
            }
            EnvError::Illegal { env, action, legal } => {
                write!(f, "action {action} is not legal in environment {env}; legal are ")?;
                let shown: Vec<&str> = legal.iter().take(20).map(String::as_str).collect();
                write!(f, "{}", shown.join(", "))?;
                match legal.len().saturating_sub(20) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            EnvError::Over { env } => {
                write!(f, "the episode of environment {env} is over; reset it before the next step")
            }
            EnvError::SavedOptions => write!(
                f,
                "what was saved has another number of environments, or other opponents, rewards or matches; \
                 make the environments with the options of then"
            ),
            EnvError::Saved(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EnvError {}

impl From<crate::engine::snapshot::SnapshotError> for EnvError {
    fn from(error: crate::engine::snapshot::SnapshotError) -> Self {
        EnvError::Saved(error)
    }
}

impl Options {
    /// Is the reward the score?
    pub(super) fn rewards_score(&self, game: &Game) -> bool {
        match self.reward {
            Reward::Auto => game.players() == 1,
            Reward::Score => true,
            Reward::Outcome => false,
        }
    }

    /// The agents of the seats; none in self-play. A lone player has no opponents.
    pub(super) fn agents(&self, game: &Game) -> Result<Option<Vec<AgentKind>>, EnvError> {
        let players = game.players();
        match &self.opponents {
            Opponents::SelfPlay => Ok(None),
            _ if players == 1 => Ok(None),
            Opponents::Agents(kinds) => match kinds.as_slice() {
                [one] => Ok(Some(vec![one.clone(); players as usize])),
                many if many.len() == players as usize => Ok(Some(many.to_vec())),
                many => Err(EnvError::Agents { agents: many.len(), players }),
            },
        }
    }

    /// Checks the rest of what can be asked for.
    pub(super) fn check(&self, game: &Game) -> Result<Option<Planes>, EnvError> {
        if let SeatChoice::Fixed(Player(seat)) = self.seat
            && seat >= game.players()
        {
            return Err(EnvError::Seat { seat, players: game.players() });
        }
        if self.match_play && game.model().match_rules.is_none() {
            return Err(EnvError::NoMatch);
        }
        game.check_dtype(self.dtype).map_err(EnvError::Dtype)?;
        match self.observation {
            ObservationForm::Flat => Ok(None),
            ObservationForm::Planes => game.planes().map(Some).map_err(EnvError::Planes),
        }
    }
}
