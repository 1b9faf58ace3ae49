//! The expressions directly inside an expression.

use super::{Expr, ExprKind};

impl Expr {
    /// Returns the expressions directly inside, in order.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Site(_)
            | ExprKind::Die(_)
            | ExprKind::Player(_)
            | ExprKind::Name(_)
            | ExprKind::Hole => vec![],
            ExprKind::Field(value, _) | ExprKind::Unary(_, value) | ExprKind::Is { value, .. } => vec![value],
            ExprKind::Index(value, list) => std::iter::once(&mut **value).chain(list).collect(),
            ExprKind::Call(_, args) => args.iter_mut().map(|arg| &mut arg.value).collect(),
            ExprKind::Range(one, other) | ExprKind::Binary(_, one, other) => vec![one, other],
            ExprKind::Set(list) | ExprKind::Tuple(list) => list.iter_mut().collect(),
            ExprKind::Comprehension { over, filter, .. } => vec![over, filter],
            ExprKind::Map(entries) => {
                entries.iter_mut().flat_map(|entry| [&mut entry.key, &mut entry.value]).collect()
            }
            ExprKind::If(condition, one, other) => vec![condition, one, other],
            ExprKind::Quantified { over, filter, body, .. } | ExprKind::Values { over, filter, body, .. } => {
                let filter = filter.as_deref_mut();
                std::iter::once(&mut **over).chain(filter).chain(std::iter::once(&mut **body)).collect()
            }
        }
    }

    /// Returns the name that the expression binds for its parts.
    pub fn bound(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Comprehension { name, .. }
            | ExprKind::Quantified { name, .. }
            | ExprKind::Values { name, .. } => Some(&name.text),
            _ => None,
        }
    }
}
