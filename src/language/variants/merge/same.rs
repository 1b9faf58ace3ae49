//! What a variant writes in place of a part may stand on that part: `same` is the old expression, `same()` are the old
//! statements.

use super::{Decl, DeclKind, Diagnostic, EditKind, GameDecl, Merger, Name, ScoreEntry, Variant, key};
use crate::diagnostic::{Code, Span};
use crate::syntax::{Binder, Block, ChoiceOption, Expr, ExprKind, PlayersDecl, Stmt, StmtKind, TypeKind};

/// The word.
const SAME: &str = "same";

/// Returns `true` if the game or one of its variants has something that is called like the word, which then means that.
pub(super) fn is_declared(base: &GameDecl, variants: &[&Variant]) -> bool {
    let edits = variants.iter().flat_map(|variant| &variant.edits);
    let changed = edits.filter_map(|edit| match &edit.kind {
        EditKind::Declare { decl, .. } => Some(decl),
        _ => None,
    });
    base.decls.iter().chain(changed).any(|decl| is_named(&decl.kind))
}

/// Returns `true` if a declaration, or one of the values or players that it lists, is called like the word.
fn is_named(decl: &DeclKind) -> bool {
    let is_same = |name: &Name| name.text == SAME;
    let is_listed = match decl {
        DeclKind::Enum { values, .. } => values.iter().any(is_same),
        DeclKind::Record { kinds, .. } => {
            kinds.iter().any(|kind| kind.named().iter().any(|(name, _)| is_same(name)))
        }
        DeclKind::Players(PlayersDecl::Named(names), _) | DeclKind::Hole(names) => names.iter().any(is_same),
        DeclKind::Param(typed) => {
            matches!(&typed.ty.kind, TypeKind::Words(words) if words.iter().any(is_same))
        }
        _ => false,
    };
    is_listed || key(decl).1.is_some_and(is_same)
}

impl Merger {
    /// Puts the old parts of a declaration into the one that replaces it.
    pub(super) fn put_same_into_decl(&mut self, new: &mut Decl, old: &Decl) {
        if self.is_same_declared {
            return;
        }
        let span = new.span;
        let named = match (&mut new.kind, &old.kind) {
            (DeclKind::Define { params, value, .. }, DeclKind::Define { params: before, value: old, .. }) => {
                let is_used = !is_param(params) && put_expr(value, old);
                is_used.then_some((&*params, before))
            }
            (
                DeclKind::Procedure { params, body, .. },
                DeclKind::Procedure { params: before, body: old, .. },
            ) => put_block(body, old).then_some((&*params, before)),
            (DeclKind::Setup { body, .. }, DeclKind::Setup { body: old, .. })
            | (DeclKind::Turn(body), DeclKind::Turn(old))
            | (DeclKind::Round(body), DeclKind::Round(old)) => {
                put_block(body, old);
                None
            }
            (DeclKind::End { when, .. }, DeclKind::End { when: old, .. })
            | (DeclKind::Winner(when), DeclKind::Winner(old))
            | (DeclKind::Limit(when), DeclKind::Limit(old))
            | (DeclKind::Payoff { value: when, .. }, DeclKind::Payoff { value: old, .. }) => {
                put_expr(when, old);
                None
            }
            (DeclKind::Param(typed), DeclKind::Param(old))
            | (DeclKind::Var(typed), DeclKind::Var(old))
            | (DeclKind::Table(typed), DeclKind::Table(old)) => {
                if let (Some(value), Some(old)) = (&mut typed.value, &old.value) {
                    put_expr(value, old);
                }
                None
            }
            _ => None,
        };
        if let Some((new, old)) = named {
            self.expect_names(span, "parameters", new, old);
        }
    }

    /// Puts the old default of a param into the new one.
    pub(super) fn put_same_into_value(&self, new: &mut Expr, old: &Expr) {
        if !self.is_same_declared {
            put_expr(new, old);
        }
    }

    /// Puts the old points and condition of a score item into the one that replaces it.
    pub(super) fn put_same_into_entry(&self, new: &mut ScoreEntry, old: &ScoreEntry) {
        if self.is_same_declared {
            return;
        }
        put_expr(&mut new.value, &old.value);
        if let Some(when) = &mut new.when {
            put_expr(when, &old.when.clone().unwrap_or(yes(when.span)));
        }
    }

    /// Puts the old sets, conditions and statements of an option into the one that replaces it.
    pub(super) fn put_same_into_option(&mut self, new: &mut ChoiceOption, old: &ChoiceOption) {
        let binds = |binder: &Binder| binder.name.text == SAME;
        if self.is_same_declared || new.binders.iter().any(binds) {
            return;
        }
        let mut is_used = false;
        for (at, binder) in new.binders.iter_mut().enumerate() {
            if let Some(old) = old.binders.get(at) {
                is_used |= put_expr(&mut binder.over, &old.over);
            }
        }
        for (new, old) in [(&mut new.filter, &old.filter), (&mut new.ensuring, &old.ensuring)] {
            if let Some(new) = new {
                is_used |= put_expr(new, &old.clone().unwrap_or(yes(new.span)));
            }
        }
        is_used |= put_block(&mut new.body, &old.body);
        if is_used {
            let names = |option: &ChoiceOption| -> Vec<Name> {
                option.binders.iter().map(|binder| binder.name.clone()).collect()
            };
            self.expect_names(new.name.span, "names", &names(new), &names(old));
        }
    }

    /// Puts old statements into a block that replaces them.
    pub(super) fn put_same_into_block(&self, new: &mut Block, old: &Block) {
        if !self.is_same_declared {
            put_block(new, old);
        }
    }

    /// Reports that what `same` stands for needs other names than those of its new place.
    fn expect_names(&mut self, span: Span, what: &str, new: &[Name], old: &[Name]) {
        let text = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>().join(", ");
        if new.len() >= old.len() && new.iter().zip(old).all(|(new, old)| new.text == old.text) {
            return;
        }
        let message = format!("`same` needs the {what} `{}` of what is replaced", text(old));
        let mut error = Diagnostic::error(Code::UnknownName, span, message);
        if let Some(first) = old.first() {
            error = error.also(first.span, "declared here");
        }
        self.messages.push(error.help(format!("call them `{}` here, too", text(old))));
    }
}

/// Returns the condition that always holds: where the old part has none.
fn yes(span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(true), span }
}

fn is_param(params: &[Name]) -> bool {
    params.iter().any(|param| param.text == SAME)
}

/// Puts the old expression wherever the new one says `same`. Returns `true` if it does.
fn put_expr(new: &mut Expr, old: &Expr) -> bool {
    match &new.kind {
        ExprKind::Name(name) if name.text == SAME => {
            *new = old.clone();
            return true;
        }
        _ if new.bound() == Some(SAME) => return false,
        _ => {}
    }
    new.parts_mut().into_iter().fold(false, |is_used, part| put_expr(part, old) | is_used)
}

/// Puts the old statements wherever the new ones say `same()`. Returns `true` if they do.
fn put_block(new: &mut Block, old: &Block) -> bool {
    let is_same = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Call { name, args } if name.text == SAME && args.is_empty());
    let mut is_used = false;
    let mut at = 0;
    while at < new.stmts.len() {
        if is_same(&new.stmts[at]) {
            new.stmts.splice(at..=at, old.stmts.iter().cloned());
            (is_used, at) = (true, at + old.stmts.len());
            continue;
        }
        for block in new.stmts[at].blocks_mut() {
            is_used |= put_block(block, old);
        }
        at += 1;
    }
    is_used
}
