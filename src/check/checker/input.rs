//! What a check is given, and what the syntax tree says of itself.

use crate::options::{ActionKey, CheckOptions};
use houserule_language::syntax;
use houserule_language::syntax::DeclKind;
use houserule_model::Life;

/// What a check is given.
#[derive(Clone, Copy)]
pub(crate) struct CheckInput<'a> {
    pub(crate) game: &'a syntax::GameDecl,
    /// The params that a variant made constant.
    pub(crate) fixed: &'a [String],
    /// The action blocks of the game that the variants change.
    pub(crate) inherited: &'a [ActionKey],
    pub(crate) options: CheckOptions<'a>,
}

impl CheckInput<'_> {
    /// Returns `true` if a declaration of the game didn't parse.
    pub(crate) fn has_hole(&self) -> bool {
        self.game.decls.iter().any(|d| matches!(d.kind, DeclKind::Hole(_)))
    }

    /// Returns `true` if the rules have a `round`.
    pub(crate) fn has_round(&self) -> bool {
        self.game.decls.iter().any(|d| matches!(d.kind, DeclKind::Round(_)))
    }

    /// How long a value lasts that a turn needs: rules with a `round` have no turn around all that seats do.
    pub(crate) fn turn_life(&self) -> Life {
        if self.has_round() { Life::Round } else { Life::Turn }
    }

    /// The name of a declaration, by its index.
    pub(crate) fn decl_name(&self, decl: usize) -> Option<String> {
        declared_name(&self.game.decls[decl].kind).map(|name| name.text.clone())
    }
}

/// The name that a declaration adds to the common namespace, if any.
pub(crate) fn declared_name(kind: &DeclKind) -> Option<&syntax::Name> {
    match kind {
        DeclKind::Param(t) | DeclKind::Var(t) | DeclKind::Table(t) => Some(&t.name),
        DeclKind::Enum { name, .. }
        | DeclKind::Range { name, .. }
        | DeclKind::Record { name, .. }
        | DeclKind::Board { name, .. }
        | DeclKind::Edges { name, .. }
        | DeclKind::Zone { name, .. }
        | DeclKind::Dice { name, .. }
        | DeclKind::Piece { name, .. }
        | DeclKind::Team { name, .. }
        | DeclKind::Define { name, .. }
        | DeclKind::Procedure { name, .. } => Some(name),
        _ => None,
    }
}
