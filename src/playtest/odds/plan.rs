//! What is asked of a game, and why there is no answer.

use std::fmt;

use houserule_base::numbers::{decimal, grouped};
use houserule_game::RuntimeError;
use houserule_loader::LoadError;
use houserule_players::agents::AgentKind;

/// A quantity whose distribution is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OddsQuantity {
    /// The score of each seat.
    Score,
    /// Who wins.
    Winner,
    /// The number of turns.
    Turns,
    /// The number of rolls.
    Rolls,
    /// The number of decisions.
    Decisions,
    /// An expression of the rule language at the end of the game, for each seat.
    Measure(String),
}

impl OddsQuantity {
    /// Returns the quantity with a name, or the expression.
    pub fn named(text: &str) -> OddsQuantity {
        match text.trim() {
            "score" => OddsQuantity::Score,
            "winner" => OddsQuantity::Winner,
            "turns" => OddsQuantity::Turns,
            "rolls" => OddsQuantity::Rolls,
            "decisions" => OddsQuantity::Decisions,
            text => OddsQuantity::Measure(text.to_owned()),
        }
    }

    /// Returns the name, or the text of the expression.
    pub fn name(&self) -> &str {
        match self {
            OddsQuantity::Score => "score",
            OddsQuantity::Winner => "winner",
            OddsQuantity::Turns => "turns",
            OddsQuantity::Rolls => "rolls",
            OddsQuantity::Decisions => "decisions",
            OddsQuantity::Measure(text) => text,
        }
    }

    /// Returns what is asked of a game by default: the score, else the winner, else the number of turns.
    pub fn usual(model: &houserule_model::Model) -> OddsQuantity {
        if !model.score.is_empty() {
            OddsQuantity::Score
        } else if model.players.count > 1 {
            OddsQuantity::Winner
        } else {
            OddsQuantity::Turns
        }
    }
}

/// A question about a distribution of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OddsQuestion {
    /// The probability of a value or a greater one.
    AtLeast(i64),
    /// The probability of a value or a smaller one.
    AtMost(i64),
    /// The lowest value that a share of the games doesn't exceed.
    Quantile(f64),
}

/// What to compute.
#[derive(Clone, Debug)]
pub struct OddsPlan {
    /// The quantity.
    pub of: OddsQuantity,
    /// Who decides: nobody, one for all seats, or one for each. Only `random` and `exact` have exact odds.
    pub agents: Vec<AgentKind>,
    /// Questions about the distribution, besides.
    pub questions: Vec<OddsQuestion>,
}

/// Why there is no distribution.
#[derive(Debug)]
pub enum OddsError {
    /// The game has no score.
    NoScore,
    /// A lone player can't win against anybody.
    NoWinner,
    /// The expression besides the rules is wrong.
    Load(Box<LoadError>),
    /// A player has to choose, and nobody decides.
    Decision {
        /// The choice or the step.
        choice: String,
        /// Some of the actions.
        actions: Vec<String>,
    },
    /// The odds of an agent's decisions aren't known.
    Agent(String),
    /// The number of agents isn't that of the seats.
    AgentCount(usize, u32),
    /// `exact` can't play the game.
    Exact(String),
    /// The rules compare earlier positions.
    Repeated,
    /// The game is too large: what it exceeds, and how many states were found.
    TooLarge(String, u32),
    /// The rest of the probability after a time.
    Late {
        /// The probability of the games that were not over.
        left: f64,
        /// The time, in seconds.
        seconds: f64,
    },
    /// Some games never end.
    Endless,
    /// The rules end a game with an error.
    Rules(RuntimeError),
    /// Ctrl-C stopped it.
    Interrupted,
}

impl fmt::Display for OddsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OddsError::NoScore => f.write_str(
                "the game has no score; ask for `winner`, `turns`, `rolls`, `decisions` or an expression with `--of`",
            ),
            OddsError::NoWinner => f.write_str(
                "a lone player has no opponent to win against; ask for `score`, `turns`, `rolls`, `decisions` or an \
                 expression with `--of`",
            ),
            OddsError::Load(error) => write!(f, "{error}"),
            OddsError::Decision { choice, actions } => write!(
                f,
                "the game has decisions, the first in {choice}: {}. Name who decides, `--agents random` or `--agents \
                 exact`, or write the choice as a rule",
                actions.iter().map(|action| format!("`{action}`")).collect::<Vec<_>>().join(" or ")
            ),
            OddsError::Agent(name) => write!(
                f,
                "the odds of `{name}` aren't known: only `random`, which chooses among all legal actions uniformly at \
                 random, and `exact`, which plays best, have exact odds. `houserule simulate … --agents {name}` estimates them"
            ),
            OddsError::AgentCount(agents, seats) => {
                write!(f, "there are {agents} agents for {seats} seats; name one for all seats, or one for each")
            }
            OddsError::Exact(reason) => {
                write!(f, "`exact` can't play this game: {reason}. `--agents random` needs no solution")
            }
            OddsError::Repeated => f.write_str(
                "the rules ask whether a position was there before (`repeated`), so its odds depend on the whole game so \
                 far. `houserule simulate` estimates them",
            ),
            OddsError::TooLarge(limit, states) => write!(
                f,
                "the game is too large for exact odds: it has {limit}. {} states were found before. Make it smaller \
                 (`--set`), or estimate the odds with `houserule simulate`",
                grouped(*states)
            ),
            OddsError::Late { left, seconds } => write!(
                f,
                "the game is too long for exact odds: after {} s, a share of {} of the games was not over. Make it shorter \
                 (`--set`), or estimate the odds with `houserule simulate`",
                decimal(*seconds, 0),
                left
            ),
            OddsError::Endless => f.write_str(
                "some games never end: from one of the positions that can be reached, no end can be. `houserule extremes` \
                 shows how long games can be",
            ),
            OddsError::Rules(error) => write!(f, "one of the games ends with an error of the rules: {error}"),
            OddsError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for OddsError {}
