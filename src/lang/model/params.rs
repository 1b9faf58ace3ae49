//! What varies from table to table: the params, and who plays.

use crate::diagnostic::Span;

/// A param and the value it has in this model.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is.
    pub value: ParamValue,
    /// What it is unless set.
    pub default: ParamValue,
    /// Made constant by a variant.
    pub fixed: bool,
    /// Its help text; may be empty.
    pub help: String,
    /// Its declaration.
    pub span: Span,
}

/// What a param may be.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A number in `low..high`.
    Number {
        /// Least.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// One of some words or numbers, as written.
    Choice(Vec<String>),
    /// `true` or `false`.
    Bool,
    /// A map from numbers to numbers.
    Table,
}

/// The value of a param.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// Of a [`ParamKind::Number`].
    Number(i64),
    /// Of a [`ParamKind::Choice`].
    Word(String),
    /// Of a [`ParamKind::Bool`].
    Bool(bool),
    /// Of a [`ParamKind::Table`].
    Table(PointsTable),
}

/// A map such as `[3: 1, 4: 3, 6+: 40]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointsTable {
    /// Keys with their values, ascending.
    pub entries: Vec<(i64, i64)>,
    /// `k+`: the value of `k` and everything above.
    pub and_more: Option<(i64, i64)>,
}

impl PointsTable {
    /// The value of `key`; 0 where the map has none.
    pub fn get(&self, key: i64) -> i64 {
        if let Some((from, value)) = self.and_more
            && key >= from
        {
            return value;
        }
        self.entries.iter().find(|(k, _)| *k == key).map_or(0, |(_, v)| *v)
    }
}

/// Who plays.
#[derive(Clone, Debug)]
pub struct Players {
    /// How many in this model.
    pub count: u32,
    /// Fewest that the rules allow.
    pub least: u32,
    /// Most that the rules allow.
    pub most: u32,
    /// Their names: as declared, or `player 1` and so on. `count` of them.
    pub names: Vec<String>,
}
