//! What stands inside a statement.

use super::{Block, Choice, Stmt, StmtKind};

impl Stmt {
    /// The blocks right inside of it, in order; those of a choice are with the choice.
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
            _ => vec![],
        }
    }

    /// The same, to be changed.
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
            _ => vec![],
        }
    }
}

impl Choice {
    /// What the options do, in order, and what is done otherwise.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.options.iter().map(|option| &option.body).chain(&self.otherwise)
    }

    /// The same, to be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.options.iter_mut().map(|option| &mut option.body).chain(&mut self.otherwise)
    }
}
