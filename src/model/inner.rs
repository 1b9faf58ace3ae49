//! The blocks inside statements and choices.

use super::{Block, Choice, Stmt, StmtKind};

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

impl Choice {
    /// The bodies of the options in order, then `otherwise`.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.options.iter().map(|option| &option.body).chain(&self.otherwise)
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.options.iter_mut().map(|option| &mut option.body).chain(&mut self.otherwise)
    }
}
