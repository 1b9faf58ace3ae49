//! Params and players.

use houserule_language::diagnostic::Span;

/// A param and its value in this model.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ParamKind,
    /// Its value.
    pub value: ParamValue,
    /// Its default.
    pub default: ParamValue,
    /// A variant has made it constant.
    pub fixed: bool,
    /// Help text; may be empty.
    pub help: String,
    /// Its declaration.
    pub span: Span,
}

/// The type of a param.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// An integer in `low..high`.
    Number {
        /// Least.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// One of several words or numbers, as written.
    Choice(Vec<String>),
    /// `true` or `false`.
    Bool,
    /// A map from integers to integers.
    Table,
}

/// The value of a param.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// Value of a [`ParamKind::Number`].
    Number(i64),
    /// Value of a [`ParamKind::Choice`].
    Word(String),
    /// Value of a [`ParamKind::Bool`].
    Bool(bool),
    /// Value of a [`ParamKind::Table`].
    Table(PointsTable),
}

/// A map to points, such as `[3: 1, 4: 3, 6+: 40]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointsTable {
    /// Keys with their values, in ascending order.
    pub entries: Vec<(i64, i64)>,
    /// Entry `k+`: the value of `k` and all greater keys.
    pub and_more: Option<(i64, i64)>,
}

impl PointsTable {
    /// The value of `key`, or 0 if missing.
    pub fn get(&self, key: i64) -> i64 {
        if let Some((from, value)) = self.and_more
            && key >= from
        {
            return value;
        }
        self.entries.iter().find(|(k, _)| *k == key).map_or(0, |(_, v)| *v)
    }

    /// The map with each value changed.
    pub fn mapped(&self, change: impl Fn(i64) -> i64) -> PointsTable {
        let of = |(key, value): &(i64, i64)| (*key, change(*value));
        PointsTable {
            entries: self.entries.iter().map(of).collect(),
            and_more: self.and_more.as_ref().map(of),
        }
    }
}

/// The players.
#[derive(Clone, Debug)]
pub struct Players {
    /// Number of players in this model.
    pub count: u32,
    /// Minimum that the rules allow.
    pub least: u32,
    /// Maximum that the rules allow.
    pub most: u32,
    /// Their names, `count` of them: as declared, or `player 1` and so on.
    pub names: Vec<String>,
}
