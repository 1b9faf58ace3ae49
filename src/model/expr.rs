//! Expressions of the model: pure, typed, resolved.

use super::{
    BoardId, CheckedBlock, DomainId, HookId, LocalId, PointsTable, PositionKeyId, TableId, Target, Value,
};
use crate::board::{LineKinds, Near};
use houserule_language::diagnostic::Span;
pub use houserule_language::syntax::ComparisonOperator;
use houserule_language::syntax::Quantifier;

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
pub struct CheckedExpr {
    /// Operation and operands.
    pub kind: CheckedExprKind,
    /// Its type.
    pub ty: Type,
    /// Source location.
    pub span: Span,
}

/// The kinds of expressions. None changes anything. Overflow, division by zero and an index that is none end the
/// game with an error; nothing else fails.
#[derive(Clone, Debug)]
pub enum CheckedExprKind {
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
        player: Box<CheckedExpr>,
        /// Evaluated with `me` as that player.
        value: Box<CheckedExpr>,
    },
    /// The next player in seat order among those of a set, or the previous one.
    After {
        /// A player; none is a run-time error.
        player: Box<CheckedExpr>,
        /// A set of players, or `None` for all.
        among: Option<Box<CheckedExpr>>,
        /// `true` for the previous player.
        back: bool,
    },
    /// The number of an element of a range domain. None is a run-time error.
    ValueOf(Box<CheckedExpr>),
    /// The element of a range domain with this number, or none if out of range. Where an index or a
    /// value is required, none is an error there.
    ElementOf(Box<CheckedExpr>),
    /// A table's value. If it is an element, -1 is none. An index that is none is a run-time error.
    Table(TableId, Vec<CheckedExpr>),
    /// The value of an element in a table of elements, or none if it is none or has none.
    Field(TableId, Box<CheckedExpr>),
    /// `-x`
    Negate(Box<CheckedExpr>),
    /// Arithmetic on integers.
    Arithmetic(Arithmetic, Box<CheckedExpr>, Box<CheckedExpr>),
    /// A comparison of integers.
    Compare(ComparisonOperator, Box<CheckedExpr>, Box<CheckedExpr>),
    /// Are two values of one type equal? None equals none.
    Same(Box<CheckedExpr>, Box<CheckedExpr>),
    /// `not`
    Not(Box<CheckedExpr>),
    /// Both hold. The second is not evaluated if the first is false.
    And(Box<CheckedExpr>, Box<CheckedExpr>),
    /// At least one holds. The second is not evaluated if the first is true.
    Or(Box<CheckedExpr>, Box<CheckedExpr>),
    /// Condition, then, else, of any type. Only the selected branch is evaluated.
    If(Box<CheckedExpr>, Box<CheckedExpr>, Box<CheckedExpr>),
    /// Is the element in the set? None is in no set.
    Contains {
        /// A set.
        set: Box<CheckedExpr>,
        /// An element.
        element: Box<CheckedExpr>,
    },
    /// Is the first set a subset of the second?
    Subset(Box<CheckedExpr>, Box<CheckedExpr>),
    /// Is the set nonempty?
    IsSome(Box<CheckedExpr>),
    /// The set of the listed elements; none is left out.
    Elements(Vec<CheckedExpr>),
    /// `a | b`
    Union(Box<CheckedExpr>, Box<CheckedExpr>),
    /// `a & b`
    Intersect(Box<CheckedExpr>, Box<CheckedExpr>),
    /// `a - b`
    Minus(Box<CheckedExpr>, Box<CheckedExpr>),
    /// The elements of a set for which a condition holds.
    Filter {
        /// The element.
        local: LocalId,
        /// A set.
        over: Box<CheckedExpr>,
        /// A boolean.
        condition: Box<CheckedExpr>,
    },
    /// A quantifier over the elements of a set.
    Quantified {
        /// The quantifier.
        op: Quantifier,
        /// The element.
        local: LocalId,
        /// A set. A `where` condition is already applied to it.
        over: Box<CheckedExpr>,
        /// Evaluated for each element: a boolean, an integer, or (for `union`) a set.
        body: Box<CheckedExpr>,
    },
    /// The number of elements.
    Count(Box<CheckedExpr>),
    /// The first element in the order of the domain, or none if the set is empty.
    First(Box<CheckedExpr>),
    /// The last element, or none.
    Last(Box<CheckedExpr>),
    /// The site in a column and a row, both from 1, or none if it is off the board.
    Cell {
        /// The board.
        board: BoardId,
        /// Column, from 1.
        column: Box<CheckedExpr>,
        /// Row, from 1.
        row: Box<CheckedExpr>,
    },
    /// The column of a site, from 1. None is a run-time error.
    ColumnOf(BoardId, Box<CheckedExpr>),
    /// The row of a site, from 1. None is a run-time error.
    RowOf(BoardId, Box<CheckedExpr>),
    /// The sites of column n, or the empty set if n is out of range.
    Column(BoardId, Box<CheckedExpr>),
    /// The sites of row n, or the empty set if n is out of range.
    Row(BoardId, Box<CheckedExpr>),
    /// The numbers of the columns in which a set has sites: a set over `1..width`.
    Columns(BoardId, Box<CheckedExpr>),
    /// The numbers of the rows in which a set has sites: a set over `1..height`.
    Rows(BoardId, Box<CheckedExpr>),
    /// The sites near the sites of a set: `around`, `beside` or `leap`.
    Neighbours {
        /// The board.
        board: BoardId,
        /// Which sites are near.
        near: Near,
        /// A set of sites.
        of: Box<CheckedExpr>,
    },
    /// The sides of the cells of a set. The board is that of the sides.
    SidesOf(BoardId, Box<CheckedExpr>),
    /// The cells next to the sides of a set. The board is that of the sides.
    CellsAt(BoardId, Box<CheckedExpr>),
    /// The links that cross links of a set. The board is that of the links.
    Crossing(BoardId, Box<CheckedExpr>),
    /// A set moved one step in a direction. Sites that leave the board are lost. Also used for
    /// `toward(c, d)`.
    Shift {
        /// The board.
        board: BoardId,
        /// Index of [`Topology::directions`](crate::board::Topology::directions).
        direction: u32,
        /// A set of sites.
        of: Box<CheckedExpr>,
    },
    /// All sites beyond those of a set in a direction.
    Ray {
        /// The board.
        board: BoardId,
        /// Index of [`Topology::directions`](crate::board::Topology::directions).
        direction: u32,
        /// A set of sites.
        of: Box<CheckedExpr>,
    },
    /// The sites beyond each site of a set in a direction, up to the first that isn't in `through`, which is included.
    Slide {
        /// The board.
        board: BoardId,
        /// Index of [`Topology::directions`](crate::board::Topology::directions).
        direction: u32,
        /// A set of sites.
        of: Box<CheckedExpr>,
        /// A set of sites.
        through: Box<CheckedExpr>,
    },
    /// The sum of the points for the lengths of all runs.
    Lines {
        /// The board.
        board: BoardId,
        /// The kinds of lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<CheckedExpr>,
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
        of: Box<CheckedExpr>,
    },
    /// The sites in runs of at least a minimum length.
    Runs {
        /// The board.
        board: BoardId,
        /// The kinds of lines.
        along: LineKinds,
        /// A set of sites.
        of: Box<CheckedExpr>,
        /// The minimum length.
        length: Box<CheckedExpr>,
    },
    /// Has the position occurred at least this number of times before in this game?
    Repeated {
        /// The definition of equal positions.
        past: PositionKeyId,
        /// The number of times.
        times: Box<CheckedExpr>,
    },
    /// A boolean or a number as it is after some statements, which are undone. They neither choose nor draw nor leave
    /// anything. An error in them ends the game.
    Tried {
        /// The statements.
        body: CheckedBlock,
        /// Evaluated after them.
        value: Box<CheckedExpr>,
    },
    /// A number that is asked for again after each of some statements that it tries: the length of the longest chain of an
    /// option. It is evaluated at most [`CHAIN_ACTIONS`](houserule_base::limits::CHAIN_ACTIONS) deep and
    /// [`CHAIN_TRIES`](houserule_base::limits::CHAIN_TRIES) times in all, or the game ends with an error.
    Chain(Box<CheckedExpr>),
    /// The value of the surrounding [`CheckedExprKind::Chain`] for the state at this place. A chain contains this once, and
    /// no other chain.
    RestOfChain,
    /// The result of a script function: a boolean or an integer. It may read all state.
    Call {
        /// The function.
        hook: HookId,
        /// Its arguments after `g`.
        args: Vec<CheckedExpr>,
    },
    /// The sites reachable from `seed` through `within`, including those of `seed & within`.
    Reach {
        /// The board.
        board: BoardId,
        /// `beside`, else `around`.
        orthogonal: bool,
        /// A set of sites.
        seed: Box<CheckedExpr>,
        /// A set of sites.
        within: Box<CheckedExpr>,
    },
    /// Like `Reach`, by steps that links of a set allow.
    ReachBy {
        /// The board.
        board: BoardId,
        /// The board of its sides or links.
        sides: BoardId,
        /// The neighbours are `beside`, else `around`.
        orthogonal: bool,
        /// Only steps along these links are possible; else steps across them are not.
        joined: bool,
        /// A set of sites.
        seed: Box<CheckedExpr>,
        /// A set of sites.
        within: Box<CheckedExpr>,
        /// A set of sides or links.
        links: Box<CheckedExpr>,
    },
    /// The enclosed areas next to `near`: the connected components of the sites outside `walls` that
    /// contain a neighbour across a side of a site of `near` and no site of the edge.
    Enclosed {
        /// The board.
        board: BoardId,
        /// Connected by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        near: Box<CheckedExpr>,
        /// A set of sites.
        walls: Box<CheckedExpr>,
    },
    /// A set with its holes: the sites that can't reach the edge without crossing the set.
    Fill {
        /// The board.
        board: BoardId,
        /// The outside is connected by `beside`, else by `around`.
        orthogonal: bool,
        /// A set of sites.
        of: Box<CheckedExpr>,
    },
    /// The sites of `through` in unbroken straight runs between a site of `from` and a site of `to`,
    /// excluding both ends. On a torus a run doesn't return to where it began.
    Custodial {
        /// The board.
        board: BoardId,
        /// A set of sites.
        from: Box<CheckedExpr>,
        /// A set of sites.
        to: Box<CheckedExpr>,
        /// A set of sites.
        through: Box<CheckedExpr>,
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

/// The comparisons, tests and connectives, whose value is always a truth value, as a pattern.
#[macro_export]
macro_rules! truths {
    () => {
        $crate::CheckedExprKind::Compare(..)
            | $crate::CheckedExprKind::Same(..)
            | $crate::CheckedExprKind::Not(_)
            | $crate::CheckedExprKind::And(..)
            | $crate::CheckedExprKind::Or(..)
            | $crate::CheckedExprKind::Contains { .. }
            | $crate::CheckedExprKind::Subset(..)
            | $crate::CheckedExprKind::IsSome(_)
    };
}

/// The expressions that compute a number or an element from other values, as a pattern.
#[macro_export]
macro_rules! numbers {
    () => {
        $crate::CheckedExprKind::After { .. }
            | $crate::CheckedExprKind::ValueOf(_)
            | $crate::CheckedExprKind::ElementOf(_)
            | $crate::CheckedExprKind::Table(..)
            | $crate::CheckedExprKind::Field(..)
            | $crate::CheckedExprKind::Negate(_)
            | $crate::CheckedExprKind::Arithmetic(..)
            | $crate::CheckedExprKind::Count(_)
            | $crate::CheckedExprKind::First(_)
            | $crate::CheckedExprKind::Last(_)
    };
}

/// The expressions that make a set of other values, as a pattern.
#[macro_export]
macro_rules! sets {
    () => {
        $crate::CheckedExprKind::Elements(_)
            | $crate::CheckedExprKind::Union(..)
            | $crate::CheckedExprKind::Intersect(..)
            | $crate::CheckedExprKind::Minus(..)
            | $crate::CheckedExprKind::Filter { .. }
    };
}

/// The expressions about a board whose value is a number or an element, as a pattern.
#[macro_export]
macro_rules! numbers_on_board {
    () => {
        $crate::CheckedExprKind::Cell { .. }
            | $crate::CheckedExprKind::ColumnOf(..)
            | $crate::CheckedExprKind::RowOf(..)
            | $crate::CheckedExprKind::Lines { .. }
            | $crate::CheckedExprKind::Longest { .. }
    };
}

/// The expressions about a board whose value is a set, as a pattern.
#[macro_export]
macro_rules! sets_on_board {
    () => {
        $crate::CheckedExprKind::Column(..)
            | $crate::CheckedExprKind::Row(..)
            | $crate::CheckedExprKind::Columns(..)
            | $crate::CheckedExprKind::Rows(..)
            | $crate::CheckedExprKind::Neighbours { .. }
            | $crate::CheckedExprKind::SidesOf(..)
            | $crate::CheckedExprKind::CellsAt(..)
            | $crate::CheckedExprKind::Crossing(..)
            | $crate::CheckedExprKind::Shift { .. }
            | $crate::CheckedExprKind::Ray { .. }
            | $crate::CheckedExprKind::Slide { .. }
            | $crate::CheckedExprKind::Runs { .. }
            | $crate::CheckedExprKind::Reach { .. }
            | $crate::CheckedExprKind::ReachBy { .. }
            | $crate::CheckedExprKind::Enclosed { .. }
            | $crate::CheckedExprKind::Fill { .. }
            | $crate::CheckedExprKind::Custodial { .. }
    };
}
