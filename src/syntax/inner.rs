//! The blocks inside a statement.

use super::{Block, Stmt, StmtKind};

impl Stmt {
    /// The blocks directly inside the statement, in order.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::Choose(choose) => {
                let options = choose.options.iter().flatten().map(|option| &option.body);
                options.chain(choose.otherwise.as_ref()).collect()
            }
            StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise.as_ref()).collect(),
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
            | StmtKind::Put { .. }
            | StmtKind::Clear(_)
            | StmtKind::Move { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Draw { .. }
            | StmtKind::Deal { .. }
            | StmtKind::Shuffle(_)
            | StmtKind::Reveal { .. }
            | StmtKind::Next(_)
            | StmtKind::Again
            | StmtKind::Done
            | StmtKind::Skip
            | StmtKind::EndGame(_)
            | StmtKind::Call { .. }
            | StmtKind::Hole => vec![],
        }
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StmtKind::Choose(choose) => {
                let options = choose.options.iter_mut().flatten().map(|option| &mut option.body);
                options.chain(choose.otherwise.as_mut()).collect()
            }
            StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise.as_mut()).collect(),
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
            | StmtKind::Put { .. }
            | StmtKind::Clear(_)
            | StmtKind::Move { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Pick { .. }
            | StmtKind::Draw { .. }
            | StmtKind::Deal { .. }
            | StmtKind::Shuffle(_)
            | StmtKind::Reveal { .. }
            | StmtKind::Next(_)
            | StmtKind::Again
            | StmtKind::Done
            | StmtKind::Skip
            | StmtKind::EndGame(_)
            | StmtKind::Call { .. }
            | StmtKind::Hole => vec![],
        }
    }
}
