//! Expressions: pure, typed, resolved.

use super::{BoardId, DomainId, HookId, LocalId, PastId, PointsTable, TableId, Target, Value};
use crate::board::LineKinds;
use crate::diagnostic::Span;
use crate::lang::syntax::Quantifier;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A 64-bit number; an operation that overflows is an error at run time.
    Number,
    /// A truth value.
    Bool,
    /// An element of a domain, or none.
    Element(DomainId),
    /// A set over a domain.
    Set(DomainId),
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// The expressions. All are pure, and total but for overflow, division by zero and an index that is
/// none, which end the game with an error.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of any type.
    Constant(Value),
    /// A slot's value.
    Read(Target),
    /// A local's value.
    Local(LocalId),
    /// Who acts: the mover, or who a surrounding `as` names; in a score, whose score it is.
    Me,
    /// `value` as `player` would say it.
    As {
        /// A player; none is an error at run time.
        player: Box<Expr>,
        /// Evaluated with `me` as that player.
        value: Box<Expr>,
    },
    /// The next player after this one, in seat order, among those of a set.
    After {
        /// A player; none is an error at run time.
        player: Box<Expr>,
        /// A set of players; all of them without it.
        among: Option<Box<Expr>>,
    },
    /// A number of an element of a range domain. None is an error at run time.
    ValueOf(Box<Expr>),
    /// The element of a range domain with this number. Out of range is none; where an index or a
    /// value is wanted, that is an error there.
    ElementOf(Box<Expr>),
    /// A table's value; as an element, -1 is none. An index that is none is an error at run time.
    Table(TableId, Vec<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// Arithmetic of numbers.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A comparison of numbers.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Are two values of one type the same? None equals none.
    Same(Box<Expr>, Box<Expr>),
    /// `not`
    Not(Box<Expr>),
    /// Both; the second is not looked at if the first is false.
    And(Box<Expr>, Box<Expr>),
    /// Either; the second is not looked at if the first is true.
    Or(Box<Expr>, Box<Expr>),
    /// Of any type; only the one that is wanted is looked at.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Is the element in the set? None is in no set.
    Contains {
        /// A set.
        set: Box<Expr>,
        /// An element.
        element: Box<Expr>,
    },
    /// Is every element of the first in the second?
    Subset(Box<Expr>, Box<Expr>),
    /// Has the set an element?
    IsSome(Box<Expr>),
    /// The set of some elements; none adds nothing.
    Elements(Vec<Expr>),
    /// `a | b`
    Union(Box<Expr>, Box<Expr>),
    /// `a & b`
    Intersect(Box<Expr>, Box<Expr>),
    /// `a - b`
    Minus(Box<Expr>, Box<Expr>),
    /// The elements of a set for which something holds.
    Filter {
        /// The element.
        local: LocalId,
        /// A set.
        over: Box<Expr>,
        /// A truth value.
        condition: Box<Expr>,
    },
    /// Something of every element of a set.
    Quantified {
        /// What.
        op: Quantifier,
        /// The element.
        local: LocalId,
        /// A set; for `count`, `any` and `all` a `where` is already part of it.
        over: Box<Expr>,
        /// Evaluated for each: a truth value, a number, or (union) a set.
        body: Box<Expr>,
    },
    /// How many elements.
    Count(Box<Expr>),
    /// The first element in the order of the domain; none of an empty set.
    First(Box<Expr>),
    /// The last element.
    Last(Box<Expr>),
    /// The site in a column and a row, both from 1; off the board is none.
    Cell {
        /// The board.
        board: BoardId,
        /// From 1.
        column: Box<Expr>,
        /// From 1.
        row: Box<Expr>,
    },
    /// The column of a site, from 1. None is an error at run time.
    ColumnOf(BoardId, Box<Expr>),
    /// The row of a site, from 1. None is an error at run time.
    RowOf(BoardId, Box<Expr>),
    /// The sites of column n; out of range is the empty set.
    Column(BoardId, Box<Expr>),
    /// The sites of row n; out of range is the empty set.
    Row(BoardId, Box<Expr>),
    /// The columns that a set of sites touches: a set over `1..width`.
    Columns(BoardId, Box<Expr>),
    /// The rows that a set of sites touches: a set over `1..height`.
    Rows(BoardId, Box<Expr>),
    /// Every neighbour of the sites of a set, by eight or four directions (whatever the board calls
    /// `around` and `beside`).
    Neighbours {
        /// The board.
        board: BoardId,
        /// `beside`, else `around`.
        orthogonal: bool,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sides of the cells of a set; the board is that of the sides.
    SidesOf(BoardId, Box<Expr>),
    /// The cells on either side of the sides of a set; the board is that of the sides.
    CellsAt(BoardId, Box<Expr>),
    /// A set moved one step in a direction; what leaves the board is lost. Also `toward(c, d)`.
    Shift {
        /// The board.
        board: BoardId,
        /// An index of [`Topology::directions`].
        direction: u32,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sites from a site on in a direction, without it.
    Ray {
        /// The board.
        board: BoardId,
        /// An index of [`Topology::directions`].
        direction: u32,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sum over all runs of the points for their lengths.
    Lines {
        /// The board.
        board: BoardId,
        /// Along which lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
        /// Points for a run of each length.
        points: PointsTable,
    },
    /// The length of the longest run.
    Longest {
        /// The board.
        board: BoardId,
        /// Along which lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sites in runs of at least a length.
    Runs {
        /// The board.
        board: BoardId,
        /// Along which lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
        /// The length.
        length: Box<Expr>,
    },
    /// Was this position there at least so many times before in this game?
    Repeated {
        /// What is compared.
        past: PastId,
        /// How many times.
        times: Box<Expr>,
    },
    /// What a function of a script says: a truth value or a number. It may read all state.
    Call {
        /// Which.
        hook: HookId,
        /// Its arguments behind `g`.
        args: Vec<Expr>,
    },
    /// What can be reached from `seed` through `within`, both included (`seed & within` begins).
    Reach {
        /// The board.
        board: BoardId,
        /// By `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        seed: Box<Expr>,
        /// A set of sites.
        within: Box<Expr>,
    },
    /// What walls shut off beside `near`: the parts of all other sites that hold a neighbour across a side
    /// of a site of `near` and none at the edge.
    Enclosed {
        /// The board.
        board: BoardId,
        /// How parts hang together: by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        near: Box<Expr>,
        /// A set of sites.
        walls: Box<Expr>,
    },
    /// A set with its holes: the sites that can't reach the edge without crossing it.
    Fill {
        /// The board.
        board: BoardId,
        /// How the outside reaches the edge: by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sites of `through` that lie in unbroken straight runs from a site of `from` to one of `to`,
    /// both not included. On a torus no run goes round to where it began.
    Custodial {
        /// The board.
        board: BoardId,
        /// A set of sites.
        from: Box<Expr>,
        /// A set of sites.
        to: Box<Expr>,
        /// A set of sites.
        through: Box<Expr>,
    },
}

/// Arithmetic of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded down.
    Divide,
    /// What rounding down leaves: never negative for a positive divisor.
    Modulo,
    /// The lesser.
    Min,
    /// The greater.
    Max,
}

/// Comparisons of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
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
