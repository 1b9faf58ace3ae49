//! Expressions, as parsed.

use super::Name;
use crate::diagnostic::Span;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Operation and operands.
    pub kind: ExprKind,
    /// Source location.
    pub span: Span,
}

/// An argument, with its name if written (`wrap: true`).
#[derive(Clone, Debug)]
pub struct Arg {
    /// The name before `:`.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `12`
    Number(i64),
    /// `"text"`
    Text(String),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// `@c3`: a site, as written after the `@`.
    Site(Name),
    /// `d6`
    Die(i64),
    /// `player 2`
    Player(i64),
    /// A name, or a keyword used as one (`me`, `other`, `score`). Its span is without the parentheses that the
    /// expression may have around it.
    Name(Name),
    /// `base.field`
    Field(Box<Expr>, Name),
    /// `base[indices]`
    Index(Box<Expr>, Vec<Expr>),
    /// `f(args)`
    Call(Name, Vec<Arg>),
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{ c in S where cond }`: a set comprehension.
    Comprehension {
        /// The variable.
        name: Name,
        /// The set.
        over: Box<Expr>,
        /// The condition.
        filter: Box<Expr>,
    },
    /// `[3: 1, 6+: 40]`
    Map(Vec<MapEntry>),
    /// `(a, b)`: several expressions in parentheses.
    Tuple(Vec<Expr>),
    /// `-x`, `not x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`, …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x is NAME`, `x is not NAME`
    Is {
        /// The tested expression.
        value: Box<Expr>,
        /// Written with `not`.
        negated: bool,
        /// A define of one parameter, or `some`, `nothing`, `double`.
        name: Name,
    },
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sum x in S where c: e`, `best x in S by e`, `all best x in S by e`,
    /// `any k subset of S where c: e`
    Quantified {
        /// The quantifier.
        op: Quantifier,
        /// The variable.
        name: Name,
        /// It goes over the subsets of the set.
        subsets: bool,
        /// The set.
        over: Box<Expr>,
        /// Condition after `where`.
        filter: Option<Box<Expr>>,
        /// The expression after `:` or `by`.
        body: Box<Expr>,
    },
    /// `x in S where c: e`: a value for each element of a set, an argument of a function.
    Values {
        /// The variable.
        name: Name,
        /// The set.
        over: Box<Expr>,
        /// Condition after `where`.
        filter: Option<Box<Expr>>,
        /// The expression after `:`.
        body: Box<Expr>,
    },
    /// A reported syntax error.
    Hole,
}

/// A map entry: `key: value`, `6+: value`.
#[derive(Clone, Debug)]
pub struct MapEntry {
    /// The key.
    pub key: Expr,
    /// `6+`: this key and all greater.
    pub and_more: bool,
    /// The value.
    pub value: Expr,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `not`
    Not,
    /// `no action for p`: does the first choice of the turn of this player offer nothing?
    NoAction,
}

/// Comparisons of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl ComparisonOperator {
    /// Compares two numbers.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            ComparisonOperator::Equal => a == b,
            ComparisonOperator::NotEqual => a != b,
            ComparisonOperator::Less => a < b,
            ComparisonOperator::LessEqual => a <= b,
            ComparisonOperator::Greater => a > b,
            ComparisonOperator::GreaterEqual => a >= b,
        }
    }

    /// Returns the comparison that holds exactly if this one doesn't.
    pub fn negated(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal => ComparisonOperator::NotEqual,
            ComparisonOperator::NotEqual => ComparisonOperator::Equal,
            ComparisonOperator::Less => ComparisonOperator::GreaterEqual,
            ComparisonOperator::LessEqual => ComparisonOperator::Greater,
            ComparisonOperator::Greater => ComparisonOperator::LessEqual,
            ComparisonOperator::GreaterEqual => ComparisonOperator::Less,
        }
    }

    /// Returns the comparison with its sides exchanged.
    pub fn swapped(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal | ComparisonOperator::NotEqual => self,
            ComparisonOperator::Less => ComparisonOperator::Greater,
            ComparisonOperator::LessEqual => ComparisonOperator::GreaterEqual,
            ComparisonOperator::Greater => ComparisonOperator::Less,
            ComparisonOperator::GreaterEqual => ComparisonOperator::LessEqual,
        }
    }
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`, of numbers or sets.
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down.
    Divide,
    /// `%`, the remainder of the division rounded down: `-1 % 6` is 5.
    Modulo,
    /// `|`
    Union,
    /// `&`
    Intersect,
    /// `==`, `<` and the like.
    Compare(ComparisonOperator),
    /// `in`: is an element or a set contained in a set?
    In,
    /// `not in`
    NotIn,
    /// `and`
    And,
    /// `or`
    Or,
}

/// The quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Whether one satisfies the body.
    Any,
    /// Whether all satisfy the body.
    All,
    /// How many satisfy the body?
    Count,
    /// The sum, 0 for no elements.
    Sum,
    /// The least value, 0 for no elements.
    Min,
    /// The greatest value, 0 for no elements.
    Max,
    /// The element with the greatest value, the first of several; none for no elements.
    Best,
    /// All elements with the greatest value, as a set.
    AllBest,
    /// The union of sets.
    Union,
}

impl Expr {
    /// Returns the parts of a list in parentheses, `(a, b)`. Any other expression is the only part of itself.
    pub fn listed(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Tuple(parts) => parts,
            _ => std::slice::from_ref(self),
        }
    }
}

impl Quantifier {
    const ALL: [Quantifier; 9] = [
        Quantifier::Any,
        Quantifier::All,
        Quantifier::Count,
        Quantifier::Sum,
        Quantifier::Min,
        Quantifier::Max,
        Quantifier::Best,
        Quantifier::AllBest,
        Quantifier::Union,
    ];

    /// Its keyword, or its two keywords.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Any => "any",
            Quantifier::All => "all",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
            Quantifier::Min => "min",
            Quantifier::Max => "max",
            Quantifier::Best => "best",
            Quantifier::AllBest => "all best",
            Quantifier::Union => "union",
        }
    }

    /// Returns `true` for the quantifiers whose value comes after `by`.
    pub fn compares(self) -> bool {
        matches!(self, Quantifier::Best | Quantifier::AllBest)
    }

    /// Returns the quantifier with a keyword, or with two.
    pub fn named(word: &str) -> Option<Quantifier> {
        Self::ALL.into_iter().find(|quantifier| quantifier.word().split(' ').eq(word.split_whitespace()))
    }
}
