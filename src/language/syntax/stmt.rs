//! Statements and choices, as parsed.

use super::{Arg, EndResult, Expr, Modifier, Name, QuotedText, TypeExpr};
use crate::diagnostic::Span;

/// The statements that leave a step, a turn or the game, as a pattern.
macro_rules! exits {
    () => {
        $crate::syntax::StmtKind::Again
            | $crate::syntax::StmtKind::Done
            | $crate::syntax::StmtKind::Skip
            | $crate::syntax::StmtKind::EndGame { .. }
    };
}

/// The statements with blocks of their own, as a pattern. The blocks of a choice are those of its options.
#[macro_export]
macro_rules! with_blocks {
    () => {
        $crate::syntax::StmtKind::Step { .. }
            | $crate::syntax::StmtKind::If { .. }
            | $crate::syntax::StmtKind::For { .. }
            | $crate::syntax::StmtKind::While { .. }
            | $crate::syntax::StmtKind::Repeat { .. }
            | $crate::syntax::StmtKind::Chance { .. }
            | $crate::syntax::StmtKind::EachPlayer { .. }
            | $crate::syntax::StmtKind::Together(_)
            | $crate::syntax::StmtKind::As { .. }
    };
}

/// The statements about pieces, dice, and what lies in zones, as a pattern.
macro_rules! equipment {
    () => {
        $crate::syntax::StmtKind::Put { .. }
            | $crate::syntax::StmtKind::Clear(_)
            | $crate::syntax::StmtKind::Move { .. }
            | $crate::syntax::StmtKind::Roll { .. }
            | $crate::syntax::StmtKind::Draw { .. }
            | $crate::syntax::StmtKind::Deal { .. }
            | $crate::syntax::StmtKind::Shuffle(_)
            | $crate::syntax::StmtKind::Reveal { .. }
    };
}

/// A block, `{ … }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// Source location, including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Kind and operands.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `step NAME "help" { … }`
    Step {
        /// Its name.
        name: Name,
        /// Its help text.
        help: Option<QuotedText>,
        /// Its statements.
        body: Block,
    },
    /// `choose NAME? { … } prefer …`
    Choose(Choose),
    /// `if cond { … } else { … }`; `else if` is an else block with one `If`.
    If {
        /// The condition.
        condition: Expr,
        /// The then block.
        then: Block,
        /// The else block.
        otherwise: Option<Block>,
    },
    /// `for x in S from start { … }`
    For {
        /// The loop variable.
        name: Name,
        /// The set.
        over: Expr,
        /// The element to begin with; the loop wraps around.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `while cond { … }`
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// `repeat { … } until cond`
    Repeat {
        /// The body.
        body: Block,
        /// Condition that ends the loop.
        until: Expr,
    },
    /// `chance { … } given cond`
    Chance {
        /// The body.
        body: Block,
        /// The condition after the body.
        given: Expr,
    },
    /// `each player from starter as me { … }`, `each player of S from starter until C as me { … }`
    EachPlayer {
        /// The players who take part. It may change in the body.
        of: Option<Expr>,
        /// The first seat.
        from: Option<Expr>,
        /// The condition that ends the laps. Without one, there is one lap.
        until: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `together as me { … }`
    Together(Block),
    /// `as p { … }`
    As {
        /// The acting player.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// `let x = e`, `let x: TYPE = e`
    Let {
        /// The local's name.
        name: Name,
        /// Its declared type, if any.
        ty: Option<TypeExpr>,
        /// Its value.
        value: Expr,
    },
    /// `x = e`, `x += e`, `x -= e`
    Assign {
        /// A name or an indexed name.
        target: Expr,
        /// The operator.
        op: AssignOp,
        /// The right side.
        value: Expr,
    },
    /// `put PIECE at S`, `put PIECE at S replacing`
    Put {
        /// The piece, indexed.
        piece: Expr,
        /// The sites.
        at: Expr,
        /// `replacing`: other pieces there are removed intentionally.
        replacing: bool,
    },
    /// `clear S`: every piece on these sites; `clear PIECE`: all of a piece.
    Clear(Expr),
    /// `move a to b`, `move a to b replacing`, `move a on BOARD to b on BOARD`, `move k from ZONE to ZONE`, `move n k
    /// from ZONE to ZONE`, `move S to bottom of ZONE`
    Move {
        /// For copies: how many of each kind, if not one.
        count: Option<Box<Expr>>,
        /// Site or elements.
        what: Expr,
        /// The board that a piece leaves, if it is one of several.
        on: Option<Expr>,
        /// The board to which it goes, if it is another.
        onto: Option<Expr>,
        /// For copies: the zone that they leave.
        from: Option<Expr>,
        /// The target.
        to: Expr,
        /// `bottom of`: below what is in the zone.
        below: bool,
        /// `replacing`: a piece there is removed intentionally.
        replacing: bool,
    },
    /// `roll DICE, … among k`
    Roll {
        /// The dice.
        dice: Vec<Expr>,
        /// Rolls only these dice.
        among: Option<Expr>,
    },
    /// `pick x in S`
    Pick {
        /// The local; its scope ends with the block.
        name: Name,
        /// The set to pick from.
        over: Expr,
    },
    /// `draw x from ZONE to ZONE`, `draw x from bottom of ZONE to ZONE`
    Draw {
        /// The local.
        name: Name,
        /// The source.
        from: Expr,
        /// `from bottom of`: takes what lies below all others.
        lower: bool,
        /// The target zone.
        to: Option<Expr>,
        /// `bottom of`: below what is in the zone.
        below: bool,
    },
    /// `deal N from ZONE to ZONE`, `deal N from bottom of ZONE to ZONE`
    Deal {
        /// The number of elements.
        count: Expr,
        /// The source.
        from: Expr,
        /// `from bottom of`: takes what lies below all others.
        lower: bool,
        /// The target zone.
        to: Expr,
        /// `bottom of`: below what is in the zone.
        below: bool,
    },
    /// `shuffle ZONE`
    Shuffle(Expr),
    /// `reveal X to p`, `reveal k from ZONE to p`
    Reveal {
        /// The elements to show.
        what: Expr,
        /// For copies: the zone that holds them.
        from: Option<Expr>,
        /// The players.
        to: Expr,
    },
    /// `swap ZONE, ZONE`, `swap x, y`, `swap PIECE, PIECE among S`
    Swap(Expr, Expr, Option<Expr>),
    /// `next p`
    Next(Expr),
    /// `again`: leaves the turn; the same seat takes another.
    Again,
    /// `done`: leaves the turn.
    Done,
    /// `skip`: leaves the step.
    Skip,
    /// `end game as NAME: RESULT "help"`
    EndGame {
        /// The name of the end.
        name: Option<Name>,
        /// The result.
        result: Option<EndResult>,
        /// Its help text.
        help: Option<QuotedText>,
    },
    /// `name(args)`
    Call {
        /// The procedure.
        name: Name,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// A reported syntax error.
    Hole,
}

/// The assignment operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// `choose NAME { … }`
#[derive(Clone, Debug)]
pub struct Choose {
    /// Its name. Without one, the name of the step that contains it.
    pub name: Option<Name>,
    /// Its options in order, `None` for each that did not parse.
    pub options: Vec<Option<ChoiceOption>>,
    /// Runs when no option is legal.
    pub otherwise: Option<Block>,
    /// The help text of `otherwise`.
    pub otherwise_help: Option<QuotedText>,
    /// The conditions after `prefer`.
    pub prefer: Vec<Expr>,
}

/// `NAME binders where C ensuring C "help" { … }`
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name; `pass` for a pass.
    pub name: Name,
    /// A pass.
    pub pass: bool,
    /// `deliberate`: random players never take it.
    pub deliberate: bool,
    /// Its binders, in order.
    pub binders: Vec<Binder>,
    /// Condition after `where`.
    pub filter: Option<Expr>,
    /// Condition after `ensuring`.
    pub ensuring: Option<Expr>,
    /// After `seen by`: who learns what it binds.
    pub seen: Option<Modifier>,
    /// Its help text.
    pub help: Option<QuotedText>,
    /// Its body; empty for a bare `pass`.
    pub body: Block,
    /// The whole option.
    pub span: Span,
}

/// A binder: `x in S`, `k subset of S` or `k part of Z`.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local.
    pub name: Name,
    /// What it is of the set.
    pub kind: BinderKind,
    /// The set, the zone of copies, or the dice.
    pub over: Expr,
}

/// What an option chooses of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinderKind {
    /// An element.
    Element,
    /// Any elements: `subset of`.
    Subset,
    /// Any copies, of which equal ones are not told apart, or any dice, of which those with equal faces are not:
    /// `part of`.
    Part,
}

/// Lists the blocks directly inside a statement, given its kind by reference and how to go through lists: one list for
/// shared and for mutable references.
macro_rules! blocks {
    ($kind:expr, $iter:ident, $as_ref:ident) => {
        match $kind {
            StmtKind::Choose(choose) => {
                let options = choose.options.$iter().flatten().map(|ChoiceOption { body, .. }| body);
                options.chain(choose.otherwise.$as_ref()).collect()
            }
            StmtKind::If { then, otherwise, .. } => {
                std::iter::once(then).chain(otherwise.$as_ref()).collect()
            }
            StmtKind::Step { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::Chance { body, .. }
            | StmtKind::EachPlayer { body, .. }
            | StmtKind::Together(body)
            | StmtKind::As { body, .. } => vec![body],
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Swap(..)
            | StmtKind::Next(_)
            | StmtKind::Call { .. }
            | StmtKind::Hole
            | equipment!()
            | exits!() => vec![],
        }
    };
}

impl Stmt {
    /// The blocks directly inside the statement, in order.
    pub fn blocks(&self) -> Vec<&Block> {
        blocks!(&self.kind, iter, as_ref)
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        blocks!(&mut self.kind, iter_mut, as_mut)
    }

    /// What the statement itself gives another value, as far as it may change whether this is `none`.
    pub fn assigned(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { target, .. } => vec![target],
            StmtKind::Swap(one, other, among) => [one, other].into_iter().chain(among).collect(),
            StmtKind::Choose(_)
            | StmtKind::Let { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Next(_)
            | StmtKind::Call { .. }
            | StmtKind::Hole
            | equipment!()
            | exits!()
            | with_blocks!() => vec![],
        }
    }
}
