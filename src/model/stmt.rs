//! Statements of the checked model.

use super::{BoardId, ChoiceId, Expr, HookId, LocalId, SlotId, StepId};
use crate::diagnostic::Span;

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Kind and operands.
    pub kind: StmtKind,
    /// Source location.
    pub span: Span,
}

/// One value of a slot's family.
#[derive(Clone, Debug)]
pub struct Target {
    /// The slot.
    pub slot: SlotId,
    /// One element for each index domain. None is a run-time error.
    pub index: Vec<Expr>,
}

/// The intention of a `put` or `move`, as far as the rules state it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveIntent {
    /// `replacing`: a piece there is removed intentionally.
    pub replacing: bool,
    /// A site may be none, so that nothing is put or moved.
    pub may_fall: bool,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A step: runs its body, then tests every `end at once`.
    Step {
        /// The step.
        step: StepId,
        /// Its statements.
        body: Block,
    },
    /// The acting player (`me`) chooses.
    Choose(ChoiceId),
    /// A conditional.
    If {
        /// A boolean.
        condition: Expr,
        /// The then block.
        then: Block,
        /// The else block.
        otherwise: Block,
    },
    /// Runs the body for each element of a set, in the order of the domain. The set is evaluated once.
    For {
        /// The loop variable.
        local: LocalId,
        /// A set.
        over: Expr,
        /// The element to begin with; the loop wraps around. None is a run-time error.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// Runs the body as long as the condition holds.
    While {
        /// A boolean.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// Runs the body until the condition holds after it.
    Repeat {
        /// The body.
        body: Block,
        /// A boolean.
        until: Expr,
    },
    /// Conditional sampling: runs the body, and if `given` fails afterwards, undoes it and runs it
    /// again. The body contains a chance event. It contains no choice, no nested statement of this kind,
    /// and no statement that leaves it.
    Chance {
        /// The body.
        body: Block,
        /// A boolean.
        given: Expr,
    },
    /// Lets another seat act: inside, `me` is this player.
    As {
        /// A player; none is a run-time error.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// A turn of every player in seat order, each followed by the ends of a turn. Inside, `mover` and
    /// `me` are the player whose turn it is; afterwards `mover` is the starter. Occurs only in rules
    /// with `round`, and not inside an `As`.
    Turns {
        /// The first player; none is a run-time error.
        from: Expr,
        /// One turn.
        body: Block,
    },
    /// Introduces a local.
    Let {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Assigns a new value to a local (`n -= 1` after `let n = …`).
    SetLocal {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Assigns a value to a slot. A value that doesn't fit the slot's content is a run-time error.
    Assign {
        /// The slot.
        target: Target,
        /// The value.
        value: Expr,
    },
    /// Puts a piece on every site of a set. Other pieces there are removed.
    Put {
        /// The piece.
        piece: Target,
        /// A set of sites.
        at: Expr,
        /// Intentions that `houserule check` tests. They change nothing in play.
        meant: MoveIntent,
    },
    /// Removes all pieces from the sites of a set.
    Clear {
        /// The board.
        board: BoardId,
        /// The board of a family: one element for each of its index domains.
        index: Vec<Expr>,
        /// A set of sites.
        at: Expr,
    },
    /// Removes one kind of piece from every site.
    ClearPiece {
        /// The piece.
        piece: Target,
    },
    /// Moves the piece on a site to another, whose piece is removed. Nothing moves if either is none or
    /// the first is empty.
    Move {
        /// The board.
        board: BoardId,
        /// The board of a family.
        index: Vec<Expr>,
        /// A site.
        from: Expr,
        /// A site.
        to: Expr,
        /// Intentions that `houserule check` tests. They change nothing in play.
        meant: MoveIntent,
    },
    /// Moves elements to a zone from the zones that they are in.
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
        /// Rolls only these dice: a set of the die domain.
        among: Option<Expr>,
    },
    /// Picks an element of a set uniformly at random, or none if the set is empty.
    Pick {
        /// The local.
        local: LocalId,
        /// A set.
        over: Expr,
        /// For copies: a zone without the kind's index. The probability of a kind is proportional to its
        /// count there; a kind with count 0 is never picked.
        by: Option<Target>,
    },
    /// Calls a script function, which may change variables and pieces.
    Call {
        /// The function.
        hook: HookId,
        /// Its arguments after `g`.
        args: Vec<Expr>,
    },
    /// Sets the player of the next turn; none is a run-time error.
    Next(Expr),
    /// Ends the turn. The same seat takes another.
    Again,
    /// Ends the turn.
    Done,
    /// Ends the step.
    Skip,
    /// Ends the game, and the scores decide. The number is an index of
    /// [`Model::stated_ends`](super::Model::stated_ends).
    EndGame(u32),
}

/// What a statement leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The step.
    Step,
    /// The turn.
    Turn,
    /// The turn, which the same seat takes again.
    Again,
    /// The game.
    Game,
}

impl Exit {
    /// The statement as the rules write it.
    pub fn word(self) -> &'static str {
        match self {
            Exit::Step => "skip",
            Exit::Turn => "done",
            Exit::Again => "again",
            Exit::Game => "end game",
        }
    }
}

impl StmtKind {
    /// What the statement itself leaves, if anything.
    pub fn exit(&self) -> Option<Exit> {
        match self {
            StmtKind::Skip => Some(Exit::Step),
            StmtKind::Done => Some(Exit::Turn),
            StmtKind::Again => Some(Exit::Again),
            StmtKind::EndGame(_) => Some(Exit::Game),
            StmtKind::Step { .. }
            | StmtKind::Choose(_)
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Repeat { .. }
            | StmtKind::Chance { .. }
            | StmtKind::As { .. }
            | StmtKind::Turns { .. }
            | StmtKind::Let { .. }
            | StmtKind::SetLocal { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Put { .. }
            | StmtKind::Clear { .. }
            | StmtKind::ClearPiece { .. }
            | StmtKind::Move { .. }
            | StmtKind::MoveTo { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Call { .. }
            | StmtKind::Next(_) => None,
        }
    }
}

impl Stmt {
    /// The blocks directly inside the statement, in order. The blocks of a choice are in
    /// [`Choice::blocks`].
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Step { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::Chance { body, .. }
            | StmtKind::As { body, .. }
            | StmtKind::Turns { body, .. } => vec![body],
            StmtKind::Choose(_)
            | StmtKind::Let { .. }
            | StmtKind::SetLocal { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Put { .. }
            | StmtKind::Clear { .. }
            | StmtKind::ClearPiece { .. }
            | StmtKind::Move { .. }
            | StmtKind::MoveTo { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Call { .. }
            | StmtKind::Next(_)
            | StmtKind::Again
            | StmtKind::Done
            | StmtKind::Skip
            | StmtKind::EndGame(_) => vec![],
        }
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Step { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::Chance { body, .. }
            | StmtKind::As { body, .. }
            | StmtKind::Turns { body, .. } => vec![body],
            StmtKind::Choose(_)
            | StmtKind::Let { .. }
            | StmtKind::SetLocal { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Put { .. }
            | StmtKind::Clear { .. }
            | StmtKind::ClearPiece { .. }
            | StmtKind::Move { .. }
            | StmtKind::MoveTo { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Call { .. }
            | StmtKind::Next(_)
            | StmtKind::Again
            | StmtKind::Done
            | StmtKind::Skip
            | StmtKind::EndGame(_) => vec![],
        }
    }
}
