//! Expressions as written.

use super::Name;
use crate::diagnostic::Span;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// An argument, with its name where one is written (`wrap: true`).
#[derive(Clone, Debug)]
pub struct Arg {
    /// `name:`
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// The expressions.
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
    /// `@c3`: a site by the way it is written.
    Site(String),
    /// `d6`
    Die(i64),
    /// A name, and words that act as one (`me`, `other`, `score`).
    Name(String),
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
    /// `{ c in S where cond }`
    Comprehension {
        /// The element.
        name: Name,
        /// Of what.
        over: Box<Expr>,
        /// Which.
        filter: Box<Expr>,
    },
    /// `[3: 1, 6+: 40]`
    Map(Vec<MapEntry>),
    /// `(a, b)`: more than one in parentheses.
    Tuple(Vec<Expr>),
    /// `-x`, `not x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`, …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x is NAME`, `x is not NAME`
    Is {
        /// What is asked about.
        value: Box<Expr>,
        /// With `not`.
        negated: bool,
        /// A define of one parameter, or `some`, `nothing`, `double`.
        name: Name,
    },
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sum x in S where c: e`, `best x in S by e`
    Quantified {
        /// Which.
        op: Quantifier,
        /// The element.
        name: Name,
        /// Of what.
        over: Box<Expr>,
        /// `where`
        filter: Option<Box<Expr>>,
        /// After `:` or `by`.
        body: Box<Expr>,
    },
    /// It did not parse, and has been reported.
    Hole,
}

/// `key: value`, `6+: value`
#[derive(Clone, Debug)]
pub struct MapEntry {
    /// The key.
    pub key: Expr,
    /// `6+`: this and everything above.
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
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`: of numbers and of sets.
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero.
    Divide,
    /// `%`, with the sign of the divisor's use: `-1 % 6` is 5.
    Modulo,
    /// `|`
    Union,
    /// `&`
    Intersect,
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
    /// `in`: an element in a set, or a set in a set.
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
    /// Does one hold?
    Any,
    /// Do all hold?
    All,
    /// How many hold?
    Count,
    /// The sum; 0 of nothing.
    Sum,
    /// The least; 0 of nothing.
    Min,
    /// The greatest; 0 of nothing.
    Max,
    /// The element with the greatest value, the first of equals; none of nothing.
    Best,
    /// The union of sets.
    Union,
}
