//! Expressions of the model: pure, typed, resolved.

use super::{BoardId, DomainId, HookId, LocalId, PointsTable, PositionKeyId, TableId, Target, Value};
use crate::board::LineKinds;
use crate::diagnostic::Span;
use crate::syntax::Quantifier;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A 64-bit integer. An overflow is a run-time error.
    Number,
    /// A boolean.
    Bool,
    /// An element of a domain, or none.
    Element(DomainId),
    /// A set over a domain.
    Set(DomainId),
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Operation and operands.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Source location.
    pub span: Span,
}

/// The kinds of expressions. All are pure. Overflow, division by zero and an index that is none end the
/// game with an error; nothing else fails.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of any type.
    Constant(Value),
    /// A slot's value.
    Read(Target),
    /// A local's value.
    Local(LocalId),
    /// The acting player: the mover, or that of a surrounding `as`. In a score, its player.
    Me,
    /// `value` from the point of view of `player`.
    As {
        /// A player; none is a run-time error.
        player: Box<Expr>,
        /// Evaluated with `me` as that player.
        value: Box<Expr>,
    },
    /// The next player in seat order among those of a set.
    After {
        /// A player; none is a run-time error.
        player: Box<Expr>,
        /// A set of players, or `None` for all.
        among: Option<Box<Expr>>,
    },
    /// The number of an element of a range domain. None is a run-time error.
    ValueOf(Box<Expr>),
    /// The element of a range domain with this number, or none if out of range. Where an index or a
    /// value is required, none is an error there.
    ElementOf(Box<Expr>),
    /// A table's value. If it is an element, -1 is none. An index that is none is a run-time error.
    Table(TableId, Vec<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// Arithmetic on integers.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A comparison of integers.
    Compare(ComparisonOperator, Box<Expr>, Box<Expr>),
    /// Are two values of one type equal? None equals none.
    Same(Box<Expr>, Box<Expr>),
    /// `not`
    Not(Box<Expr>),
    /// Both hold. The second is not evaluated if the first is false.
    And(Box<Expr>, Box<Expr>),
    /// At least one holds. The second is not evaluated if the first is true.
    Or(Box<Expr>, Box<Expr>),
    /// Condition, then, else, of any type. Only the selected branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Is the element in the set? None is in no set.
    Contains {
        /// A set.
        set: Box<Expr>,
        /// An element.
        element: Box<Expr>,
    },
    /// Is the first set a subset of the second?
    Subset(Box<Expr>, Box<Expr>),
    /// Is the set nonempty?
    IsSome(Box<Expr>),
    /// The set of the listed elements; none is left out.
    Elements(Vec<Expr>),
    /// `a | b`
    Union(Box<Expr>, Box<Expr>),
    /// `a & b`
    Intersect(Box<Expr>, Box<Expr>),
    /// `a - b`
    Minus(Box<Expr>, Box<Expr>),
    /// The elements of a set for which a condition holds.
    Filter {
        /// The element.
        local: LocalId,
        /// A set.
        over: Box<Expr>,
        /// A boolean.
        condition: Box<Expr>,
    },
    /// A quantifier over the elements of a set.
    Quantified {
        /// The quantifier.
        op: Quantifier,
        /// The element.
        local: LocalId,
        /// A set. A `where` condition is already applied to it.
        over: Box<Expr>,
        /// Evaluated for each element: a boolean, an integer, or (for `union`) a set.
        body: Box<Expr>,
    },
    /// The number of elements.
    Count(Box<Expr>),
    /// The first element in the order of the domain, or none if the set is empty.
    First(Box<Expr>),
    /// The last element, or none.
    Last(Box<Expr>),
    /// The site in a column and a row, both from 1, or none if it is off the board.
    Cell {
        /// The board.
        board: BoardId,
        /// Column, from 1.
        column: Box<Expr>,
        /// Row, from 1.
        row: Box<Expr>,
    },
    /// The column of a site, from 1. None is a run-time error.
    ColumnOf(BoardId, Box<Expr>),
    /// The row of a site, from 1. None is a run-time error.
    RowOf(BoardId, Box<Expr>),
    /// The sites of column n, or the empty set if n is out of range.
    Column(BoardId, Box<Expr>),
    /// The sites of row n, or the empty set if n is out of range.
    Row(BoardId, Box<Expr>),
    /// The numbers of the columns in which a set has sites: a set over `1..width`.
    Columns(BoardId, Box<Expr>),
    /// The numbers of the rows in which a set has sites: a set over `1..height`.
    Rows(BoardId, Box<Expr>),
    /// All neighbours of the sites of a set, as the board defines `around` and `beside`.
    Neighbours {
        /// The board.
        board: BoardId,
        /// `beside`, else `around`.
        orthogonal: bool,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sides of the cells of a set. The board is that of the sides.
    SidesOf(BoardId, Box<Expr>),
    /// The cells next to the sides of a set. The board is that of the sides.
    CellsAt(BoardId, Box<Expr>),
    /// A set moved one step in a direction. Sites that leave the board are lost. Also used for
    /// `toward(c, d)`.
    Shift {
        /// The board.
        board: BoardId,
        /// Index of [`Topology::directions`](crate::board::Topology::directions).
        direction: u32,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// All sites beyond those of a set in a direction.
    Ray {
        /// The board.
        board: BoardId,
        /// Index of [`Topology::directions`](crate::board::Topology::directions).
        direction: u32,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sum of the points for the lengths of all runs.
    Lines {
        /// The board.
        board: BoardId,
        /// The kinds of lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
        /// Points for each length of a run.
        points: PointsTable,
    },
    /// The length of the longest run.
    Longest {
        /// The board.
        board: BoardId,
        /// The kinds of lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sites in runs of at least a minimum length.
    Runs {
        /// The board.
        board: BoardId,
        /// The kinds of lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<Expr>,
        /// The minimum length.
        length: Box<Expr>,
    },
    /// Has the position occurred at least this number of times before in this game?
    Repeated {
        /// The definition of equal positions.
        past: PositionKeyId,
        /// The number of times.
        times: Box<Expr>,
    },
    /// The result of a script function: a boolean or an integer. It may read all state.
    Call {
        /// The function.
        hook: HookId,
        /// Its arguments after `g`.
        args: Vec<Expr>,
    },
    /// The sites reachable from `seed` through `within`, including those of `seed & within`.
    Reach {
        /// The board.
        board: BoardId,
        /// `beside`, else `around`.
        orthogonal: bool,
        /// A set of sites.
        seed: Box<Expr>,
        /// A set of sites.
        within: Box<Expr>,
    },
    /// The enclosed areas next to `near`: the connected components of the sites outside `walls` that
    /// contain a neighbour across a side of a site of `near` and no site of the edge.
    Enclosed {
        /// The board.
        board: BoardId,
        /// Connected by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        near: Box<Expr>,
        /// A set of sites.
        walls: Box<Expr>,
    },
    /// A set with its holes: the sites that can't reach the edge without crossing the set.
    Fill {
        /// The board.
        board: BoardId,
        /// The outside is connected by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        of: Box<Expr>,
    },
    /// The sites of `through` in unbroken straight runs between a site of `from` and a site of `to`,
    /// excluding both ends. On a torus a run doesn't return to where it began.
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

/// Arithmetic on two integers.
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
    /// Remainder of the division rounded down: never negative for a positive divisor.
    Modulo,
    /// The lesser of the two.
    Min,
    /// The greater of the two.
    Max,
}

/// Comparisons of two integers.
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
