//! The options of an environment, and the errors of environments.

use houserule_base::numbers::counted;
use std::fmt;
use std::num::NonZeroU32;

use houserule_game::observe::{Dtype, DtypeError, Planes, PlanesError, SharedError};
use houserule_game::{Game, Seat};
use houserule_language::variants::Origin;
use houserule_players::agents::{AgentError, AgentKind};

/// The layout of observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObservationForm {
    /// A vector. `Game::observation_spec` names its entries, so it serves for dictionaries too.
    #[default]
    Flat,
    /// Channels × rows × columns, see [`Planes`].
    Planes,
}

/// The kind of reward.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// The payoff if the rules declare one and whole matches aren't played; else the score in one-player games, and the
    /// outcome in others.
    #[default]
    Auto,
    /// Improvements of one's own score.
    Score,
    /// The outcome, at the end: see [`Outcome::returns_of_winning`](houserule_game::Outcome::returns_of_winning).
    Outcome,
    /// The returns, at the end: the payoffs that the rules declare, or else the outcome.
    Payoff,
    /// Improvements of one's own score against the best score of the others; in one-player games, of one's score.
    Margin,
    /// Changes of an expression of the rule language, a number for `me`, since the learner's first decision.
    Expression(String),
}

/// Shaping of rewards by a potential, which keeps the best strategies the best (Ng, Harada and Russell 1999): a step
/// from state *s* to *s′* adds γ·Φ(*s′*) − Φ(*s*) to the reward. The potential Φ of a terminated episode is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// Φ: an expression of the rule language, a number for `me`.
    pub expression: String,
    /// The discount γ of the training, from 0 to 1.
    pub gamma: f64,
}

/// Loads a game with expressions besides its rules. Environments whose rewards are expressions call it; a caller passes
/// the loader, which environments don't know: `|origin| load_origin(origin)`, with the error as a message.
#[derive(Clone, Copy)]
pub struct LoadMeasured(pub fn(&Origin) -> Result<Game, String>);

impl fmt::Debug for LoadMeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoadMeasured")
    }
}

impl PartialEq for LoadMeasured {
    /// All loaders load the same games.
    fn eq(&self, _: &LoadMeasured) -> bool {
        true
    }
}

/// Agents of the other seats, of which a mixture draws.
#[derive(Clone, Debug, PartialEq)]
pub struct LineUp {
    /// The name by which environments tell it.
    pub name: String,
    /// How often it is drawn, relative to the others.
    pub weight: f64,
    /// One for all seats, or one for each.
    pub agents: Vec<AgentKind>,
}

/// The agents of the other seats.
#[derive(Clone, Debug, PartialEq)]
pub enum Opponents {
    /// None: the decisions of every seat are steps.
    SelfPlay,
    /// These agents: one for all seats, or one for each (the one of the learner's seat is unused).
    Agents(Vec<AgentKind>),
    /// One of these in every episode, drawn from its seed.
    Mixture(Vec<LineUp>),
}

/// The learner's seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatChoice {
    /// A new one in every episode, drawn from the episode's seed.
    #[default]
    Random,
    /// Always this one.
    Fixed(Seat),
}

/// The effect of an illegal action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// The episode is terminated with a reward of -1.
    #[default]
    Penalize,
    /// The step returns an error, and nothing changes.
    Raise,
    /// Nothing happens; the reward is 0.
    Ignore,
}

/// When an environment resets after the end of an episode, as in Gymnasium 1.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// At the next step, which ignores its action and gives a reward of 0.
    #[default]
    NextStep,
    /// In the same step: it gives the first observation of the new episode, and the last one of the old as its
    /// final observation.
    SameStep,
    /// Only by an explicit reset.
    Disabled,
}

/// The options of an environment.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvOptions {
    /// The layout of observations.
    pub observation: ObservationForm,
    /// The data type of observations.
    pub dtype: Dtype,
    /// The kind of reward.
    pub reward: Reward,
    /// The potential that shapes the rewards, if any.
    pub potential: Option<Potential>,
    /// Loads the game with the expressions of the reward and the potential. Without expressions it isn't needed.
    pub load_measured: Option<LoadMeasured>,
    /// The agents of the other seats.
    pub opponents: Opponents,
    /// The learner's seat; ignored in self-play.
    pub seat: SeatChoice,
    /// The effect of an illegal action.
    pub illegal: Illegal,
    /// Whether decisions with a single legal action are taken automatically.
    pub skip_forced: bool,
    /// When to reset after an episode. An [`super::Env`] never resets itself.
    pub autoreset: Autoreset,
    /// Whether an episode is a whole match.
    pub match_play: bool,
    /// The number of steps after which an episode is truncated; `None` for no limit but that of the rules.
    pub max_steps: Option<NonZeroU32>,
}

impl Default for EnvOptions {
    fn default() -> Self {
        EnvOptions {
            observation: ObservationForm::default(),
            dtype: Dtype::default(),
            reward: Reward::default(),
            potential: None,
            load_measured: None,
            opponents: Opponents::Agents(vec![AgentKind::Random]),
            seat: SeatChoice::default(),
            illegal: Illegal::default(),
            skip_forced: false,
            autoreset: Autoreset::default(),
            match_play: false,
            max_steps: None,
        }
    }
}

/// An error of an environment.
#[derive(Clone, Debug, PartialEq)]
pub enum EnvError {
    /// The game has no such seat.
    Seat {
        /// The seat, from 0.
        seat: Seat,
        /// The number of seats.
        players: u32,
    },
    /// The number of agents is neither one nor the number of seats.
    Agents {
        /// The number of agents.
        agents: usize,
        /// The number of seats.
        players: u32,
    },
    /// An agent can't play this game.
    Agent(AgentError),
    /// The game has no planes.
    Planes(PlanesError),
    /// The game's observations can't be written as bytes or bits.
    Dtype(DtypeError),
    /// A slice has the wrong type of cells for observations.
    Cells {
        /// The name of the slice.
        what: &'static str,
        /// The data type of observations.
        dtype: Dtype,
    },
    /// The rules don't define matches.
    NoMatch,
    /// The expression of a reward or potential has errors, or the rules can't be compiled with it.
    Expression(String),
    /// An expression and whole matches don't go together.
    MeasuredMatch,
    /// Payoffs as rewards of a match.
    PayoffMatch,
    /// The discount of a potential isn't from 0 to 1.
    Gamma(f64),
    /// There is no such environment.
    NoEnv {
        /// The environment.
        env: usize,
        /// The number of environments.
        count: usize,
    },
    /// An environment of a queue was given an action before its last step was received, or two actions at once.
    Busy {
        /// The environment.
        env: usize,
    },
    /// A queue waits for more environments than have tasks.
    TooFew {
        /// The number that it waits for.
        count: usize,
        /// The number with tasks.
        under_way: usize,
    },
    /// The environments of a queue reset only at the next step.
    QueueReset,
    /// The weights of a mixture are no numbers from 0 on, or are all 0.
    Weights,
    /// Opponents can't be set in self-play.
    SelfPlay,
    /// A start isn't a position of the game with a decision to take.
    Start {
        /// Its index in the list.
        index: usize,
        /// What is wrong with it, and how to mend it.
        message: String,
    },
    /// Starts and whole matches don't go together.
    MatchStart,
    /// The number of environments is 0 or above the maximum.
    Count(usize),
    /// A slice has the wrong length.
    Length {
        /// The name of the slice.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The actual length.
        given: usize,
    },
    /// An action is illegal, and [`Illegal::Raise`] refuses it.
    Illegal {
        /// The environment.
        env: usize,
        /// The action's number.
        action: i64,
        /// The names of the legal actions.
        legal: Vec<String>,
    },
    /// The environment needs an explicit reset before the next step.
    Over {
        /// The environment.
        env: usize,
    },
    /// The environment needs a reset before its first step.
    NotBegun {
        /// The environment.
        env: usize,
    },
    /// The rule sets, or how they are chosen, are invalid.
    RuleSets(String),
    /// The options don't fit one of several rule sets.
    RuleSet {
        /// The name of its rules.
        rules: String,
        /// What is wrong.
        error: Box<EnvError>,
    },
    /// The rule sets can't share a layout.
    Shared(SharedError),
    /// The function that chooses rule sets failed.
    RuleChoice(String),
    /// The saved environments differ in number, opponents, rewards or matches.
    SavedOptions,
    /// A saved state can't be restored.
    Saved(houserule_game::snapshot::SnapshotError),
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvError::Seat { seat, players } => {
                write!(f, "there is no seat {}; this game has ", seat.0)?;
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
                let cells = match dtype {
                    Dtype::Float32 => "float32",
                    Dtype::Float16 => "float16",
                    Dtype::Uint8 | Dtype::Bits => "uint8",
                    Dtype::Bool => "bool",
                };
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
            EnvError::Expression(message) => f.write_str(message),
            EnvError::NoEnv { env, count } => {
                write!(
                    f,
                    "there is no environment {env}; the environments are 0 to {}",
                    count.saturating_sub(1)
                )
            }
            EnvError::Busy { env } => write!(
                f,
                "environment {env} has an action already: receive its step before you send the next one"
            ),
            EnvError::TooFew { count, under_way } => write!(
                f,
                "{} can't be received: only {under_way} of the environments have actions; send more, or receive fewer",
                counted(*count, "step")
            ),
            EnvError::QueueReset => {
                write!(
                    f,
                    "environments that send and receive reset at the next step: use the autoreset \"NextStep\""
                )
            }
            EnvError::Weights => write!(
                f,
                "the weights of a mixture must be numbers from 0 on, and at least one must be above 0"
            ),
            EnvError::SelfPlay => write!(
                f,
                "these environments have no opponents to change: make them with opponents other than \"self\""
            ),
            EnvError::Start { index, message } => write!(f, "start {index}: {message}"),
            EnvError::MatchStart => write!(
                f,
                "a match starts with the start of its first game: leave out `match`, or the positions to start in"
            ),
            EnvError::MeasuredMatch => write!(
                f,
                "an expression as a reward or potential is about one game: leave out `match`, or use the reward \
                 \"score\", \"margin\" or \"outcome\" without a potential"
            ),
            EnvError::PayoffMatch => write!(
                f,
                "payoffs are of one game: leave out `match`, or use the reward \"score\", \"margin\" or \"outcome\""
            ),
            EnvError::Gamma(gamma) => {
                write!(f, "gamma must be from 0 to 1, the discount of the training, not {gamma}")
            }
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
            EnvError::NotBegun { env } => {
                write!(f, "environment {env} has no episode yet; reset it before the first step")
            }
            EnvError::RuleSets(message) | EnvError::RuleChoice(message) => f.write_str(message),
            EnvError::RuleSet { rules, error } => write!(f, "rule set `{rules}`: {error}"),
            EnvError::Shared(error) => error.fmt(f),
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

impl From<houserule_game::snapshot::SnapshotError> for EnvError {
    fn from(error: houserule_game::snapshot::SnapshotError) -> Self {
        EnvError::Saved(error)
    }
}

impl EnvOptions {
    /// Returns `true` if the reward is the score.
    pub(super) fn rewards_score(&self, game: &Game) -> bool {
        match self.reward {
            Reward::Auto => game.players() == 1 && !self.rewards_payoff(game),
            Reward::Score => true,
            Reward::Outcome | Reward::Payoff | Reward::Margin | Reward::Expression(_) => false,
        }
    }

    /// Returns `true` if the reward at the end is the payoff that the rules declare.
    pub(super) fn rewards_payoff(&self, game: &Game) -> bool {
        matches!(self.reward, Reward::Auto | Reward::Payoff) && game.pays() && !self.match_play
    }

    /// The agent of each seat, line-up by line-up, or `None` in self-play. A one-player game has no opponents.
    pub(super) fn agents(&self, game: &Game) -> Result<Option<Vec<AgentKind>>, EnvError> {
        let players = game.players();
        let by_seat = |kinds: &[AgentKind]| match kinds {
            [one] => Ok(vec![one.clone(); players as usize]),
            many if many.len() == players as usize => Ok(many.to_vec()),
            many => Err(EnvError::Agents { agents: many.len(), players }),
        };
        match &self.opponents {
            Opponents::SelfPlay => Ok(None),
            _ if players == 1 => Ok(None),
            Opponents::Agents(kinds) => by_seat(kinds).map(Some),
            Opponents::Mixture(line_ups) => {
                let all: Result<Vec<_>, _> = line_ups.iter().map(|one| by_seat(&one.agents)).collect();
                Ok(Some(all?.concat()))
            }
        }
    }

    /// Checks the other options, and returns the planes if they are used.
    pub(super) fn check(&self, game: &Game) -> Result<Option<Planes>, EnvError> {
        if let SeatChoice::Fixed(seat) = self.seat
            && seat.0 >= game.players()
        {
            return Err(EnvError::Seat { seat, players: game.players() });
        }
        if self.match_play && game.model().match_rules.is_none() {
            return Err(EnvError::NoMatch);
        }
        if self.match_play && self.reward == Reward::Payoff && game.pays() {
            return Err(EnvError::PayoffMatch);
        }
        game.check_dtype(self.dtype).map_err(EnvError::Dtype)?;
        match self.observation {
            ObservationForm::Flat => Ok(None),
            ObservationForm::Planes => game.planes().map(Some).map_err(EnvError::Planes),
        }
    }
}
