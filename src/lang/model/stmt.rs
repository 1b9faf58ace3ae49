//! The statements.

use super::{BoardId, ChoiceId, Expr, HookId, LocalId, SlotId, StepId};
use crate::diagnostic::Span;

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// One value of a slot's family.
#[derive(Clone, Debug)]
pub struct Target {
    /// The slot.
    pub slot: SlotId,
    /// An element for each index domain. None is an error at run time.
    pub index: Vec<Expr>,
}

/// What the rules say of a `put` or `move` beside what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meant {
    /// What stands there is meant to go: `replacing`.
    pub replacing: bool,
    /// A site is named that may be none, so that nothing may be put or moved.
    pub may_fall: bool,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A step: its body, then every `end at once`.
    Step {
        /// Which.
        step: StepId,
        /// Its statements.
        body: Block,
    },
    /// A player chooses: `me`.
    Choose(ChoiceId),
    /// A test.
    If {
        /// A truth value.
        condition: Expr,
        /// If it holds.
        then: Block,
        /// If not.
        otherwise: Block,
    },
    /// The body for each element of a set, which is evaluated once, in the order of the domain.
    For {
        /// The element.
        local: LocalId,
        /// A set.
        over: Expr,
        /// Where it begins, cyclically; none is an error at run time.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// The body as long as the condition holds.
    While {
        /// A truth value.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// The body until the condition holds afterwards.
    Repeat {
        /// The body.
        body: Block,
        /// A truth value.
        until: Expr,
    },
    /// What is left to chance in the body, given a condition: if it does not hold afterwards, everything
    /// goes back to as it was before the body, which is carried out anew. The body draws something, and
    /// chooses nothing, leaves nothing and holds no other of its kind.
    Chance {
        /// The body.
        body: Block,
        /// A truth value.
        given: Expr,
    },
    /// Another seat acts: `me` is this player inside.
    As {
        /// A player; none is an error at run time.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// A turn of every player, in seat order, each with the ends of a turn behind it. Inside, `mover` is
    /// whose turn it is, and who acts; afterwards it is the starter. Only in rules with `round`, and not
    /// where another seat acts.
    Turns {
        /// Who is first; none is an error at run time.
        from: Expr,
        /// One turn.
        body: Block,
    },
    /// Gives a local its value.
    Let {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Gives a local that has a value another (`n -= 1` after `let n = …`).
    SetLocal {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Gives a slot a value. What does not fit its content is an error at run time.
    Assign {
        /// The slot.
        target: Target,
        /// Its value.
        value: Expr,
    },
    /// Puts a piece on every site of a set, in place of whatever stands there.
    Put {
        /// The piece.
        piece: Target,
        /// A set of sites.
        at: Expr,
        /// What `houserule check` looks for. It changes nothing in play.
        meant: Meant,
    },
    /// Takes whatever stands on the sites of a set.
    Clear {
        /// The board.
        board: BoardId,
        /// Which of its boards: an element for each of its index domains.
        index: Vec<Expr>,
        /// A set of sites.
        at: Expr,
    },
    /// Takes one kind of piece off every site.
    ClearPiece {
        /// The piece.
        piece: Target,
    },
    /// Moves whatever stands on a site to another, in place of what stands there. Nothing moves if
    /// either is none or nothing stands there.
    Move {
        /// The board.
        board: BoardId,
        /// Which of its boards.
        index: Vec<Expr>,
        /// An element.
        from: Expr,
        /// An element.
        to: Expr,
        /// What `houserule check` looks for. It changes nothing in play.
        meant: Meant,
    },
    /// Takes elements out of the zones that they lie in, and puts them into another.
    MoveTo {
        /// A set.
        what: Expr,
        /// The zone.
        zone: Target,
    },
    /// Rolls the dice of a slot.
    Roll {
        /// The dice, without the die's index.
        dice: Target,
        /// Only these: a set of the die domain.
        among: Option<Expr>,
    },
    /// An element of a set, all with the same chance; none of an empty set.
    Pick {
        /// The local.
        local: LocalId,
        /// A set.
        over: Expr,
        /// A zone of copies, without the kind's index: each kind with the chance of its copies there, and
        /// none of which there is no copy.
        by: Option<Target>,
    },
    /// Calls a function of a script, which may change variables and pieces.
    Call {
        /// Which.
        hook: HookId,
        /// Its arguments behind `g`.
        args: Vec<Expr>,
    },
    /// Says who takes the next turn; none is an error at run time.
    Next(Expr),
    /// Ends the turn; the same seat takes another.
    Again,
    /// Ends the turn.
    Done,
    /// Ends the step.
    Skip,
    /// Ends the game; the scores decide, as for an end without a result. The number is an index of
    /// [`Model::stated_ends`](super::Model::stated_ends).
    EndGame(u32),
}
