//! Exact distributions as data; the fields are the keys of `odds --json`.

use serde::Serialize;

use super::fraction::Probability;
use super::plan::{OddsQuantity, OddsQuestion};
use super::spread::SpreadColumn;
use houserule_model::{Model, Seat, side_in_words};

/// The quantiles of a distribution, in percent.
pub const QUANTILES: [u32; 5] = [5, 25, 50, 75, 95];

/// A share of this size more than a quantile asks for is the same share.
const SAME: f64 = 1e-12;

/// Exact distributions of a game or an expression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Odds {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again, or the expression.
    pub game: String,
    /// The title of the game.
    pub title: String,
    /// The names of the players.
    pub players: Vec<String>,
    /// Who decides: nobody, one for all seats, or one for each.
    pub agents: Vec<String>,
    /// The quantity.
    pub of: String,
    /// Number of states of the game.
    pub states: u32,
    /// Whether all numbers are exact, with fractions.
    pub exact: bool,
    /// Maximum error of a probability; 0 if all numbers are exact.
    pub bound: f64,
    /// Duration, in seconds.
    pub seconds: f64,
    /// A distribution for each seat, or one for all.
    pub distributions: Vec<Distribution>,
}

/// The distribution of a quantity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// The seat, if each has its own.
    pub seat: Option<u32>,
    /// The mean; `None` for names.
    pub mean: Option<Probability>,
    /// The standard deviation; `None` for names.
    pub sd: Option<f64>,
    /// The quantiles in percent; none for names.
    pub quantiles: Vec<Quantile>,
    /// Answers to what was asked besides.
    pub asked: Vec<OddsAnswer>,
    /// The values, in order.
    pub values: Vec<OddsValue>,
}

/// A quantile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Quantile {
    /// The share of the games, in percent.
    pub percent: u32,
    /// The lowest value that at least this share of the games doesn't exceed.
    pub value: i64,
}

/// The answer to a question about a distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsAnswer {
    /// `at_least`, `at_most` or `quantile`.
    pub question: &'static str,
    /// The value, or the share of the games.
    pub of: f64,
    /// The probability, or the value.
    pub answer: Probability,
}

/// A value and its probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsValue {
    /// The value.
    pub value: i64,
    /// The name, if the values are names.
    pub name: Option<String>,
    /// The probability of the value.
    pub probability: Probability,
    /// The probability of this value or a greater one.
    pub at_least: Probability,
    /// The probability of this value or a smaller one.
    pub at_most: Probability,
}

/// The name of each value.
pub(super) struct WinnerNames(Box<dyn Fn(i64) -> String>);

impl WinnerNames {
    /// Names sets of winners, one bit for each seat.
    pub(super) fn of_winners(model: &Model) -> WinnerNames {
        let (sides, all) = (model.sides(), (1i64 << model.players.count) - 1);
        let names: Vec<String> =
            (0..model.players.count).map(|seat| side_in_words(model, Seat(seat))).collect();
        WinnerNames(Box::new(move |winners| {
            let named = (0..names.len()).filter(|seat| winners >> seat & 1 == 1 && sides >> seat & 1 == 1);
            let named: Vec<&str> = named.map(|seat| names[seat].as_str()).collect();
            match (winners, named.len()) {
                (0, _) => "nobody".to_owned(),
                (_, n) if winners == all && n > 1 => "draw".to_owned(),
                _ => named.join(" and "),
            }
        }))
    }
}

impl Odds {
    /// Names the expression that the game was made of.
    pub fn name_expression(&mut self, text: &str) {
        self.title = text.to_owned();
        self.game = text.to_owned();
        if self.of == OddsQuantity::Score.name() {
            self.of = text.to_owned();
        }
    }
}

impl Distribution {
    pub(super) fn new(seat: Option<u32>, column: &SpreadColumn, names: Option<&WinnerNames>) -> Distribution {
        let value = |(value, [probability, at_least, at_most]): (i64, [Probability; 3])| OddsValue {
            value,
            name: names.map(|names| names.0(value)),
            probability,
            at_least,
            at_most,
        };
        let (mean, sd) = column.moments();
        let mut found = Distribution {
            seat,
            mean: names.is_none().then_some(mean),
            sd: names.is_none().then_some(sd),
            quantiles: vec![],
            asked: vec![],
            values: column.values().into_iter().map(value).collect(),
        };
        if names.is_none() {
            let quantile =
                |percent: u32| Quantile { percent, value: found.quantile(f64::from(percent) / 100.0) };
            found.quantiles = QUANTILES.map(quantile).to_vec();
        }
        found
    }

    /// Returns the probability of `value` or more.
    pub fn at_least(&self, value: i64) -> Probability {
        let found = self.values.iter().find(|known| known.value >= value);
        found.map_or_else(|| self.never(), |known| known.at_least.clone())
    }

    /// Returns the probability of `value` or less.
    pub fn at_most(&self, value: i64) -> Probability {
        let found = self.values.iter().rev().find(|known| known.value <= value);
        found.map_or_else(|| self.never(), |known| known.at_most.clone())
    }

    /// Returns the lowest value that at least a share of the games doesn't exceed.
    pub fn quantile(&self, share: f64) -> i64 {
        let reached = self.values.iter().find(|known| known.at_most.decimal >= share - SAME);
        reached.or(self.values.last()).map_or(0, |known| known.value)
    }

    /// Answers a question.
    pub fn answer(&self, question: &OddsQuestion) -> OddsAnswer {
        match question {
            OddsQuestion::AtLeast(value) => {
                OddsAnswer { question: "at_least", of: *value as f64, answer: self.at_least(*value) }
            }
            OddsQuestion::AtMost(value) => {
                OddsAnswer { question: "at_most", of: *value as f64, answer: self.at_most(*value) }
            }
            OddsQuestion::Quantile(share) => {
                let value = self.quantile(*share);
                let answer = Probability { decimal: value as f64, fraction: Some(value.to_string()) };
                OddsAnswer { question: "quantile", of: *share, answer }
            }
        }
    }

    fn never(&self) -> Probability {
        let exact = self.values.iter().any(|known| known.probability.fraction.is_some());
        Probability { decimal: 0.0, fraction: exact.then(|| "0".to_owned()) }
    }
}
