//! Statements of the checked model.

use super::{BoardId, CheckedEndResult, CheckedExpr, ChoiceId, HookId, LocalId, SlotId, StepId};
use houserule_language::diagnostic::Span;

/// The statements that leave a step, a turn or the game, as a pattern.
#[macro_export]
macro_rules! exits {
    () => {
        $crate::CheckedStmtKind::Again
            | $crate::CheckedStmtKind::Done
            | $crate::CheckedStmtKind::Skip
            | $crate::CheckedStmtKind::EndGame { .. }
    };
}

/// The statements with blocks of their own, as a pattern. The blocks of a choice are those of its options.
#[macro_export]
macro_rules! with_blocks {
    () => {
        $crate::CheckedStmtKind::Step { .. }
            | $crate::CheckedStmtKind::If { .. }
            | $crate::CheckedStmtKind::For { .. }
            | $crate::CheckedStmtKind::While { .. }
            | $crate::CheckedStmtKind::Repeat { .. }
            | $crate::CheckedStmtKind::Chance { .. }
            | $crate::CheckedStmtKind::As { .. }
            | $crate::CheckedStmtKind::Turns { .. }
    };
}

/// The statements that change variables, pieces or zones, as a pattern.
#[macro_export]
macro_rules! changes {
    () => {
        $crate::CheckedStmtKind::Assign { .. }
            | $crate::CheckedStmtKind::Put { .. }
            | $crate::CheckedStmtKind::Clear { .. }
            | $crate::CheckedStmtKind::ClearPiece { .. }
            | $crate::CheckedStmtKind::Move { .. }
            | $crate::CheckedStmtKind::MoveTo { .. }
    };
}

/// The statements that give a local its value, as a pattern.
#[macro_export]
macro_rules! sets_local {
    () => {
        $crate::CheckedStmtKind::Let { .. }
            | $crate::CheckedStmtKind::SetLocal { .. }
            | $crate::CheckedStmtKind::Pick { .. }
    };
}

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct CheckedBlock {
    /// The statements.
    pub stmts: Vec<CheckedStmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct CheckedStmt {
    /// Kind and operands.
    pub kind: CheckedStmtKind,
    /// Source location.
    pub span: Span,
}

/// One value of a slot's family.
#[derive(Clone, Debug)]
pub struct Target {
    /// The slot.
    pub slot: SlotId,
    /// One element for each index domain. None is a run-time error.
    pub index: Vec<CheckedExpr>,
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
pub enum CheckedStmtKind {
    /// A step: runs its body, then tests every `end at once`.
    Step {
        /// The step.
        step: StepId,
        /// Its statements.
        body: CheckedBlock,
    },
    /// The acting player (`me`) chooses.
    Choose(ChoiceId),
    /// A conditional.
    If {
        /// A boolean.
        condition: CheckedExpr,
        /// The then block.
        then: CheckedBlock,
        /// The else block.
        otherwise: CheckedBlock,
    },
    /// Runs the body for each element of a set, in the order of the domain. The set is evaluated once.
    For {
        /// The loop variable.
        local: LocalId,
        /// A set.
        over: CheckedExpr,
        /// The element to begin with; the loop wraps around. None is a run-time error.
        from: Option<CheckedExpr>,
        /// The body.
        body: CheckedBlock,
    },
    /// Runs the body as long as the condition holds.
    While {
        /// A boolean.
        condition: CheckedExpr,
        /// The body.
        body: CheckedBlock,
    },
    /// Runs the body until the condition holds after it.
    Repeat {
        /// The body.
        body: CheckedBlock,
        /// A boolean.
        until: CheckedExpr,
    },
    /// Conditional sampling: runs the body, and if `given` fails afterwards, undoes it and runs it
    /// again. The body contains a chance event. It contains no choice, no nested statement of this kind,
    /// and no statement that leaves it.
    Chance {
        /// The body.
        body: CheckedBlock,
        /// A boolean.
        given: CheckedExpr,
    },
    /// Lets another seat act: inside, `me` is this player.
    As {
        /// A player; none is a run-time error.
        player: CheckedExpr,
        /// The body.
        body: CheckedBlock,
    },
    /// A turn of every player in seat order, each followed by the ends of a turn. Inside, `mover` and
    /// `me` are the player whose turn it is; afterwards `mover` is the starter. Occurs only in rules
    /// with `round`, and not inside an `As`.
    Turns {
        /// The first player; none is a run-time error.
        from: CheckedExpr,
        /// One turn.
        body: CheckedBlock,
    },
    /// Introduces a local.
    Let {
        /// The local.
        local: LocalId,
        /// Its value.
        value: CheckedExpr,
    },
    /// Assigns a new value to a local (`n -= 1` after `let n = …`).
    SetLocal {
        /// The local.
        local: LocalId,
        /// Its value.
        value: CheckedExpr,
    },
    /// Assigns a value to a slot. A value that doesn't fit the slot's content is a run-time error.
    Assign {
        /// The slot.
        target: Target,
        /// The value.
        value: CheckedExpr,
    },
    /// Puts a piece on every site of a set. Other pieces there are removed.
    Put {
        /// The piece.
        piece: Target,
        /// A set of sites.
        at: CheckedExpr,
        /// Intentions that `houserule check` tests. They change nothing in play.
        meant: MoveIntent,
    },
    /// Removes all pieces from the sites of a set.
    Clear {
        /// The board.
        board: BoardId,
        /// The board of a family: one element for each of its index domains.
        index: Vec<CheckedExpr>,
        /// A set of sites.
        at: CheckedExpr,
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
        index: Vec<CheckedExpr>,
        /// A site.
        from: CheckedExpr,
        /// A site.
        to: CheckedExpr,
        /// Intentions that `houserule check` tests. They change nothing in play.
        meant: MoveIntent,
    },
    /// Moves elements to a zone from the zones that they are in. The elements of an ordered zone keep their
    /// order, and the elements of another zone become a shuffled part. The elements of the zone that is
    /// declared first come on top.
    MoveTo {
        /// A set.
        what: CheckedExpr,
        /// The zone.
        zone: Target,
        /// Lays the elements below what is in an ordered zone, not on top.
        below: bool,
    },
    /// Rolls the dice of a slot.
    Roll {
        /// The dice, without the die's index.
        dice: Target,
        /// Rolls only these dice: a set of the die domain.
        among: Option<CheckedExpr>,
    },
    /// Picks an element of a set uniformly at random, or none if the set is empty.
    Pick {
        /// The local.
        local: LocalId,
        /// A set.
        over: CheckedExpr,
        /// For copies: a zone without the kind's index. The probability of a kind is proportional to its
        /// count there; a kind with count 0 is never picked.
        by: Option<Target>,
    },
    /// Calls a script function, which may change variables and pieces.
    Call {
        /// The function.
        hook: HookId,
        /// Its arguments after `g`.
        args: Vec<CheckedExpr>,
    },
    /// Sets the player of the next turn; none is a run-time error.
    Next(CheckedExpr),
    /// Ends the turn. The same seat takes another.
    Again,
    /// Ends the turn.
    Done,
    /// Ends the step.
    Skip,
    /// Ends the game.
    EndGame {
        /// Index of [`Model::stated_ends`](super::Model::stated_ends).
        end: u32,
        /// The result, evaluated here for the acting player. Without one, the scores decide.
        result: Option<CheckedEndResult>,
    },
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

/// What a statement does to the course of the rules, with the blocks directly inside it. Passes over statements stand
/// on it, so a new kind of statement is classified in one place, [`CheckedStmtKind::control`].
#[derive(Clone, Copy, Debug)]
pub enum Control<'m> {
    /// A decision. The blocks are in [`Choice::blocks`](super::Choice::blocks).
    Choice(ChoiceId),
    /// A chance event, by its keyword.
    Event(&'static str),
    /// A call of a script function, which may draw.
    Call(HookId),
    /// A named part of a turn.
    Step(&'m CheckedBlock),
    /// The turns of a round.
    Turns(&'m CheckedBlock),
    /// A block that may be run again because its draws are rejected.
    Chance(&'m CheckedBlock),
    /// A block that is run any number of times.
    Loop(&'m CheckedBlock),
    /// A block with another acting player.
    As(&'m CheckedBlock),
    /// Two blocks, one of which is run.
    Branch(&'m CheckedBlock, &'m CheckedBlock),
    /// It leaves a part of the rules.
    Exit(Exit),
    /// It changes the state or a local, and the next statement follows.
    Plain,
}

impl CheckedStmtKind {
    /// What the statement does to the course of the rules.
    pub fn control(&self) -> Control<'_> {
        match self {
            CheckedStmtKind::Choose(choice) => Control::Choice(*choice),
            CheckedStmtKind::Roll { .. } => Control::Event("roll"),
            CheckedStmtKind::Pick { .. } => Control::Event("pick"),
            CheckedStmtKind::Call { hook, .. } => Control::Call(*hook),
            CheckedStmtKind::Step { body, .. } => Control::Step(body),
            CheckedStmtKind::Turns { body, .. } => Control::Turns(body),
            CheckedStmtKind::Chance { body, .. } => Control::Chance(body),
            CheckedStmtKind::For { body, .. }
            | CheckedStmtKind::While { body, .. }
            | CheckedStmtKind::Repeat { body, .. } => Control::Loop(body),
            CheckedStmtKind::As { body, .. } => Control::As(body),
            CheckedStmtKind::If { then, otherwise, .. } => Control::Branch(then, otherwise),
            CheckedStmtKind::Skip => Control::Exit(Exit::Step),
            CheckedStmtKind::Done => Control::Exit(Exit::Turn),
            CheckedStmtKind::Again => Control::Exit(Exit::Again),
            CheckedStmtKind::EndGame { .. } => Control::Exit(Exit::Game),
            CheckedStmtKind::Let { .. }
            | CheckedStmtKind::SetLocal { .. }
            | CheckedStmtKind::Next(_)
            | changes!() => Control::Plain,
        }
    }

    /// What the statement itself leaves, if anything.
    pub fn exit(&self) -> Option<Exit> {
        match self.control() {
            Control::Exit(exit) => Some(exit),
            _ => None,
        }
    }
}

/// Lists the blocks directly inside a statement, given its kind by reference: one list for shared and for mutable
/// references.
macro_rules! blocks {
    ($kind:expr) => {
        match $kind {
            CheckedStmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            CheckedStmtKind::Step { body, .. }
            | CheckedStmtKind::For { body, .. }
            | CheckedStmtKind::While { body, .. }
            | CheckedStmtKind::Repeat { body, .. }
            | CheckedStmtKind::Chance { body, .. }
            | CheckedStmtKind::As { body, .. }
            | CheckedStmtKind::Turns { body, .. } => vec![body],
            CheckedStmtKind::Choose(_)
            | CheckedStmtKind::Roll { .. }
            | CheckedStmtKind::Call { .. }
            | CheckedStmtKind::Next(_)
            | sets_local!()
            | exits!()
            | changes!() => vec![],
        }
    };
}

impl CheckedStmt {
    /// The blocks directly inside the statement, in order. The blocks of a choice are in
    /// [`Choice::blocks`].
    pub fn blocks(&self) -> Vec<&CheckedBlock> {
        blocks!(&self.kind)
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> Vec<&mut CheckedBlock> {
        blocks!(&mut self.kind)
    }
}
