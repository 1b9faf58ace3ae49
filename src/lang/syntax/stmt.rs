//! The statements, and what can be chosen.

use super::{Arg, Expr, Name, Text, TypeExpr};
use crate::diagnostic::Span;

/// `{ … }`
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `step NAME "help" { … }`
    Step {
        /// Its name.
        name: Name,
        /// Its help text.
        help: Option<Text>,
        /// Its statements.
        body: Block,
    },
    /// `choose NAME? { … } prefer …`
    Choose(Choose),
    /// `if cond { … } else { … }`; `else if` is an else with one `If`.
    If {
        /// What must hold.
        condition: Expr,
        /// If it holds.
        then: Block,
        /// If not.
        otherwise: Option<Block>,
    },
    /// `for x in S from start { … }`
    For {
        /// The loop's name for an element.
        name: Name,
        /// What it goes over.
        over: Expr,
        /// Where it begins, for players in seat order.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `while cond { … }`
    While {
        /// What must hold.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// `repeat { … } until cond`
    Repeat {
        /// The body.
        body: Block,
        /// When it stops.
        until: Expr,
    },
    /// `chance { … } given cond`
    Chance {
        /// The body.
        body: Block,
        /// What must hold afterwards.
        given: Expr,
    },
    /// `each player from starter as me { … }`
    EachPlayer {
        /// The first seat.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `together as me { … }`
    Together(Block),
    /// `as p { … }`
    As {
        /// Who acts.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// `let x = e`, `let x: TYPE = e`
    Let {
        /// The local.
        name: Name,
        /// Its type, if it is written.
        ty: Option<TypeExpr>,
        /// Its value.
        value: Expr,
    },
    /// `x = e`, `x += e`, `x -= e`
    Assign {
        /// A name or an indexed name.
        target: Expr,
        /// Which of the three.
        op: AssignOp,
        /// The right side.
        value: Expr,
    },
    /// `put PIECE at S`, `put PIECE at S replacing`
    Put {
        /// The piece, indexed.
        piece: Expr,
        /// Where.
        at: Expr,
        /// Where another piece stands, it is meant to go.
        replacing: bool,
    },
    /// `clear S`: takes whatever stands there; `clear PIECE`: all of a piece.
    Clear(Expr),
    /// `move a to b`, `move a to b replacing`, `move k from ZONE to ZONE`
    Move {
        /// What.
        what: Expr,
        /// Of copies: the zone where it lies.
        from: Option<Expr>,
        /// To.
        to: Expr,
        /// What stands there is meant to go.
        replacing: bool,
    },
    /// `roll DICE, … among k`
    Roll {
        /// The dice.
        dice: Vec<Expr>,
        /// Only these of them.
        among: Option<Expr>,
    },
    /// `pick x in S`
    Pick {
        /// The local, from here to the end of the block.
        name: Name,
        /// From what, evenly.
        over: Expr,
    },
    /// `draw x from ZONE to ZONE`
    Draw {
        /// The local.
        name: Name,
        /// From.
        from: Expr,
        /// To.
        to: Option<Expr>,
    },
    /// `deal N from ZONE to ZONE`
    Deal {
        /// How many.
        count: Expr,
        /// From.
        from: Expr,
        /// To.
        to: Expr,
    },
    /// `shuffle ZONE`
    Shuffle(Expr),
    /// `reveal X to p`, `reveal k from ZONE to p`
    Reveal {
        /// What.
        what: Expr,
        /// Of copies: the zone where it lies.
        from: Option<Expr>,
        /// To whom.
        to: Expr,
    },
    /// `next p`
    Next(Expr),
    /// `again`: the same seat's turn once more.
    Again,
    /// `done`: leave the turn.
    Done,
    /// `skip`: leave the step.
    Skip,
    /// `end game as NAME`
    EndGame(Option<Name>),
    /// `name(args)`
    Call {
        /// The procedure.
        name: Name,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// It did not parse, and has been reported.
    Hole,
}

/// The assignments.
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
    /// Its name; without one, the name of the step it stands in.
    pub name: Option<Name>,
    /// Its options, in order, with those that did not parse as `None`.
    pub options: Vec<Option<ChoiceOption>>,
    /// What happens when nothing is legal.
    pub otherwise: Option<Block>,
    /// `prefer cond`
    pub prefer: Vec<Expr>,
}

/// `NAME binders where C ensuring C "help" { … }`
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name; `pass` for a pass.
    pub name: Name,
    /// `pass`
    pub pass: bool,
    /// Legal, but never taken by random players.
    pub deliberate: bool,
    /// Its binders, in order.
    pub binders: Vec<Binder>,
    /// `where`
    pub filter: Option<Expr>,
    /// `ensuring`
    pub ensuring: Option<Expr>,
    /// Its help text.
    pub help: Option<Text>,
    /// Its body; empty for a bare `pass`.
    pub body: Block,
    /// The whole option.
    pub span: Span,
}

/// `x in S` or `k subset of S`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local.
    pub name: Name,
    /// A subset, else an element.
    pub subset: bool,
    /// Of what.
    pub over: Expr,
}
