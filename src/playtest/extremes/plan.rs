//! What is sought, and why it can't be.

use std::fmt;

use serde::{Serialize, Serializer};

use houserule_game::RuntimeError;
use houserule_model::{CheckedBlock, CheckedStmtKind, Model, walk};

/// Positions of the default budget: up to a minute for the bundled games.
pub const USUAL: u64 = 8_000_000;

/// What is measured of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtremeQuantity {
    /// The score of a seat.
    Score,
    /// Turns.
    Turns,
    /// Rolls.
    Rolls,
    /// Decisions.
    Decisions,
}

impl ExtremeQuantity {
    /// All quantities, in the order of reports.
    pub const ALL: [ExtremeQuantity; 4] =
        [ExtremeQuantity::Score, ExtremeQuantity::Turns, ExtremeQuantity::Rolls, ExtremeQuantity::Decisions];

    /// Returns the name: `score`, `turns`, `rolls` or `decisions`.
    pub fn name(self) -> &'static str {
        match self {
            ExtremeQuantity::Score => "score",
            ExtremeQuantity::Turns => "turns",
            ExtremeQuantity::Rolls => "rolls",
            ExtremeQuantity::Decisions => "decisions",
        }
    }

    /// Returns the quantity with a name.
    pub fn named(name: &str) -> Option<ExtremeQuantity> {
        ExtremeQuantity::ALL.into_iter().find(|quantity| quantity.name() == name)
    }

    /// Returns `true` if games with these rules have the quantity.
    pub fn applies(self, model: &Model) -> bool {
        match self {
            ExtremeQuantity::Score => !model.score.is_empty(),
            ExtremeQuantity::Turns => true,
            ExtremeQuantity::Rolls => walk::all_blocks(model).into_iter().any(|block| rolls(model, block)),
            ExtremeQuantity::Decisions => !model.choices.is_empty(),
        }
    }

    /// The index among turns, rolls and decisions.
    pub(super) fn count(self) -> usize {
        match self {
            ExtremeQuantity::Score | ExtremeQuantity::Turns => 0,
            ExtremeQuantity::Rolls => 1,
            ExtremeQuantity::Decisions => 2,
        }
    }
}

fn rolls(model: &Model, block: &CheckedBlock) -> bool {
    let mut found = false;
    walk::stmts(model, block, &mut |stmt| found |= matches!(stmt.kind, CheckedStmtKind::Roll { .. }));
    found
}

impl Serialize for ExtremeQuantity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// The most or the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Extreme {
    /// The greatest value.
    Most,
    /// The least value.
    Least,
}

impl Extreme {
    /// Returns `most` or `least`.
    pub fn name(self) -> &'static str {
        match self {
            Extreme::Most => "most",
            Extreme::Least => "least",
        }
    }

    /// Converts a value to one of which greater is better.
    pub(super) fn worth(self, value: i64) -> i64 {
        match self {
            Extreme::Most => value,
            Extreme::Least => value.saturating_neg(),
        }
    }
}

/// What is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Goal {
    pub(super) quantity: ExtremeQuantity,
    /// The seat of a score.
    pub(super) seat: Option<u32>,
    pub(super) extreme: Extreme,
}

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExtremesBudget {
    /// About this number of positions. The result depends only on the seed.
    Positions(u64),
    /// This time, in seconds.
    Seconds(f64),
}

/// For whom chance acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChanceRole {
    /// Chance and the players choose for the extreme: what is possible.
    #[default]
    Friend,
    /// The players choose for the extreme, and chance against it: what players can force.
    Enemy,
}

impl ChanceRole {
    /// Returns the role with a name: `friend` or `enemy`.
    pub fn named(name: &str) -> Option<ChanceRole> {
        match name {
            "friend" => Some(ChanceRole::Friend),
            "enemy" => Some(ChanceRole::Enemy),
            _ => None,
        }
    }
}

/// What to find.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtremesPlan {
    /// The quantities; all that the game has if empty.
    pub of: Vec<ExtremeQuantity>,
    /// For whom chance acts.
    pub chance: ChanceRole,
    /// How long to search.
    pub budget: ExtremesBudget,
    /// The seed of the search.
    pub seed: u64,
}

impl Default for ExtremesPlan {
    fn default() -> Self {
        ExtremesPlan {
            of: vec![],
            chance: ChanceRole::Friend,
            budget: ExtremesBudget::Positions(USUAL),
            seed: 1,
        }
    }
}

/// Why nothing was sought.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtremesError {
    /// The game doesn't have this quantity.
    Lacks(ExtremeQuantity),
    /// Chance can't be the enemy in a game without chance events.
    LacksChance,
    /// The rules compare earlier positions, so equal positions can't be merged, as an enemy needs.
    Repeated,
    /// The game can't be started.
    Rules(RuntimeError),
}

impl fmt::Display for ExtremesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtremesError::Lacks(quantity) => {
                let lacks = match quantity {
                    ExtremeQuantity::Score => "a score",
                    ExtremeQuantity::Turns => "turns",
                    ExtremeQuantity::Rolls => "rolls",
                    ExtremeQuantity::Decisions => "decisions",
                };
                write!(
                    f,
                    "the rules have no {}: leave `{}` out",
                    lacks.trim_start_matches("a "),
                    quantity.name()
                )
            }
            ExtremesError::LacksChance => {
                f.write_str("the rules have no chance events, so chance has no part: leave `enemy` out")
            }
            ExtremesError::Repeated => f.write_str(
                "the rules ask whether a position was there before (`repeated`), so positions can't be solved one by one: \
                 what chance can prevent is not known; leave `enemy` out",
            ),
            ExtremesError::Rules(error) => write!(f, "the set-up fails: {}", error.kind),
        }
    }
}

impl std::error::Error for ExtremesError {}
