//! Which expressions are sets, players or conditions, judging by their form.

use crate::prose::phrases::{Wording, declared_name};
use houserule_language::syntax::{
    BinaryOp, BinderKind, Block, DeclKind, Expr, ExprKind, Name, Quantifier, StmtKind, TypeKind, UnaryOp,
};
use houserule_language::vocabulary::{ArgumentKind, BuiltInName, Function};
use houserule_model::{Content, DomainKind, PLAYER, Role, Slot};

impl<'a> Wording<'a> {
    /// Returns the statements of the rules.
    pub(super) fn bodies(&self) -> impl Iterator<Item = &'a Block> {
        self.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Turn(body)
            | DeclKind::Round(body)
            | DeclKind::Procedure { body, .. }
            | DeclKind::Setup { body, .. } => Some(body),
            _ => None,
        })
    }

    /// Returns `true` if an expression is a single player, judging by its form and by what its name goes over.
    pub(super) fn is_one_player(&self, e: &Expr) -> bool {
        if self.names_player(e) || self.is_local_player(e) {
            return true;
        }
        let ExprKind::Name(Name { text, .. }) = &e.kind else { return false };
        let mut sets = vec![];
        self.bodies().for_each(|body| add_sets_of(text, body, &mut sets));
        !sets.is_empty() && sets.into_iter().all(|set| self.is_players(set))
    }

    /// Returns `true` if what a statement gives another value is a set, judging by the form of it and of its name.
    pub(super) fn is_set_target(&self, target: &Expr) -> bool {
        if self.is_set(target) {
            return true;
        }
        let ExprKind::Name(Name { text, .. }) = &target.kind else { return false };
        let mut lets = vec![];
        self.bodies().for_each(|body| self.add_lets(text, body, &mut lets));
        self.declared(target).is_none() && !lets.is_empty() && lets.into_iter().all(|is_set| is_set)
    }

    /// Adds, for each statement that makes a local with a name, whether it is a set.
    fn add_lets(&self, name: &str, body: &Block, lets: &mut Vec<bool>) {
        for one in &body.stmts {
            if let StmtKind::Let { name: local, ty, value } = &one.kind
                && local.text == name
            {
                let is_declared = ty.as_ref().is_some_and(|ty| matches!(ty.kind, TypeKind::Set(_)));
                lets.push(is_declared || self.is_set(value));
            }
            one.blocks().into_iter().for_each(|block| self.add_lets(name, block, lets));
        }
    }

    /// Returns `true` if an expression is a set, judging by its form.
    pub(super) fn is_set(&self, e: &Expr) -> bool {
        self.is_set_within(e, 4)
    }

    /// Like [`Wording::is_set`], through at most `depth` nested defines.
    fn is_set_within(&self, e: &Expr, depth: u32) -> bool {
        match &e.kind {
            ExprKind::Set(_) | ExprKind::Comprehension { .. } => true,
            ExprKind::Name(Name { text: name, .. }) if name == "empty" || name == "players" => true,
            ExprKind::Name(Name { text: name, .. })
                if self.model.domains.iter().any(|domain| domain.name == *name) =>
            {
                true
            }
            ExprKind::Name(Name { text: name, .. }) | ExprKind::Call(Name { text: name, .. }, _)
                if self.is_define(name) =>
            {
                depth > 0 && self.define(name).is_some_and(|value| self.is_set_within(value, depth - 1))
            }
            ExprKind::Name(Name { text: name, .. }) if self.find(name).is_none() && is_built_in_set(name) => {
                true
            }
            // The row of a number, and of the number of a row.
            ExprKind::Call(name, args)
                if matches!(name.text.as_str(), "row" | "column")
                    && matches!(args.as_slice(), [of] if self.number(&of.value).is_some()
                        || matches!(&of.value.kind, ExprKind::Call(inner, _) if inner.text == name.text)) =>
            {
                true
            }
            ExprKind::Call(name, _) => self.function_named(&name.text).is_some_and(|function| {
                use ArgumentKind::{Numbers, Players, Set, Sites};
                // The row of a site is a number.
                function.forms().iter().all(|form| matches!(form.result, Set | Sites | Players | Numbers))
            }),
            ExprKind::Name(Name { text: name, .. }) => {
                let is = |slot: &Slot| slot.name == *name && matches!(slot.content, Content::Set(_));
                self.model.slots.iter().any(is) || self.is_piece(name) || self.is_zone(e)
            }
            ExprKind::Field(_, field) => self.model.domains.iter().any(|domain| match &domain.kind {
                DomainKind::Record { sets, .. } => sets.iter().any(|set| set.name == field.text),
                _ => false,
            }),
            // The number of copies of a kind: `hand[me, gold]`.
            ExprKind::Index(base, by) if self.counts_copies(base, by.len()) => false,
            ExprKind::Index(base, _) => self.is_set_within(base, depth),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Intersect, ..) => true,
            ExprKind::Quantified { op: Quantifier::Union | Quantifier::AllBest, .. } => true,
            ExprKind::Binary(BinaryOp::Subtract, a, b) => {
                self.is_set_within(a, depth) || self.is_set_within(b, depth)
            }
            ExprKind::If(_, a, b) => self.is_set_within(a, depth) || self.is_set_within(b, depth),
            _ => false,
        }
    }

    /// Returns `true` if an expression is a set of players, judging by its form.
    pub(super) fn is_players(&self, e: &Expr) -> bool {
        self.is_players_within(e, 4)
    }

    /// Like [`Wording::is_players`], through at most `depth` nested defines.
    fn is_players_within(&self, e: &Expr, depth: u32) -> bool {
        let within = |e: &Expr| self.is_players_within(e, depth);
        match &e.kind {
            ExprKind::Name(Name { text: name, .. }) if name == "players" || name == "playing" => true,
            ExprKind::Name(Name { text: name, .. }) | ExprKind::Call(Name { text: name, .. }, _)
                if self.is_define(name) =>
            {
                depth > 0 && self.define(name).is_some_and(|value| self.is_players_within(value, depth - 1))
            }
            ExprKind::Name(_) | ExprKind::Index(..) => self.declared(e) == Some(Content::Set(PLAYER)),
            ExprKind::Call(name, _) => self.function_named(&name.text) == Some(Function::Team),
            ExprKind::Comprehension { over, .. }
            | ExprKind::Quantified { op: Quantifier::AllBest, over, .. } => within(over),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Subtract, a, b) => {
                within(a) || within(b)
            }
            _ => false,
        }
    }

    /// Returns `true` if an expression is true or false, judging by its form.
    pub(super) fn is_truth(&self, e: &Expr) -> bool {
        self.is_truth_within(e, 4)
    }

    /// Like [`Wording::is_truth`], through at most `depth` nested defines.
    fn is_truth_within(&self, e: &Expr, depth: u32) -> bool {
        match &e.kind {
            _ if is_condition(e) => true,
            ExprKind::Bool(_) => true,
            ExprKind::Name(Name { text: name, .. }) | ExprKind::Call(Name { text: name, .. }, _)
                if self.find(name).is_none() && self.is_define(name) =>
            {
                depth > 0 && self.define(name).is_some_and(|value| self.is_truth_within(value, depth - 1))
            }
            ExprKind::Call(name, _) => self.function_named(&name.text).is_some_and(|function| {
                function.forms().iter().all(|form| matches!(form.result, ArgumentKind::Truth))
            }),
            ExprKind::If(_, then, otherwise) => {
                self.is_truth_within(then, depth) && self.is_truth_within(otherwise, depth)
            }
            ExprKind::Name(_) | ExprKind::Index(..) => self.declared(e) == Some(Content::Bool),
            _ => false,
        }
    }

    /// Returns `true` if an expression is a single place, judging by its form.
    pub(super) fn is_one_place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Site(_) => true,
            ExprKind::Set(list) => matches!(list.as_slice(), [one] if self.is_one_place(one)),
            ExprKind::Quantified { op, .. } => *op == Quantifier::Best,
            ExprKind::Call(name, args) if args.len() == 1 => matches!(
                self.function_named(&name.text),
                Some(Function::Lowest | Function::Highest | Function::Cell)
            ),
            ExprKind::Call(name, _) => matches!(
                self.function_named(&name.text),
                Some(Function::Cell | Function::Toward | Function::Step)
            ),
            ExprKind::Name(Name { text, .. }) => match self.find(text) {
                Some(local) => local.is_place,
                None => {
                    let mut bound = vec![];
                    self.bodies().for_each(|body| self.bindings(text, body, &mut bound));
                    !bound.is_empty() && bound.into_iter().all(|one| one)
                }
            },
            _ => false,
        }
    }

    /// Collects, for each statement and each option that binds a name, whether it binds it to one element.
    fn bindings(&self, name: &str, body: &Block, bound: &mut Vec<bool>) {
        for one in &body.stmts {
            match &one.kind {
                StmtKind::Let { name: local, value, .. } if local.text == name => {
                    bound.push(!matches!(value.kind, ExprKind::Name(_)) && self.is_one_place(value));
                }
                StmtKind::For { name: local, .. } | StmtKind::Pick { name: local, .. }
                    if local.text == name =>
                {
                    bound.push(true);
                }
                StmtKind::Choose(choose) => {
                    let binders = choose.options.iter().flatten().flat_map(|option| &option.binders);
                    let own = binders.filter(|binder| binder.name.text == name);
                    bound.extend(own.map(|binder| binder.kind == BinderKind::Element));
                }
                _ => {}
            }
            one.blocks().into_iter().for_each(|block| self.bindings(name, block, bound));
        }
    }

    /// Returns `true` if a name with this number of indices says how many copies of a kind lie in a zone.
    pub(super) fn counts_copies(&self, base: &Expr, indices: usize) -> bool {
        declared_name(base).is_some_and(|name| {
            let is = |slot: &Slot| slot.name == *name && slot.role == Role::Copies;
            self.model.slots.iter().any(|slot| is(slot) && slot.index.len() == indices)
        })
    }
}

/// Adds the sets over which a name goes: in loops, in what chance picks and in options.
fn add_sets_of<'a>(name: &str, body: &'a Block, sets: &mut Vec<&'a Expr>) {
    for one in &body.stmts {
        match &one.kind {
            StmtKind::For { name: local, over, .. } | StmtKind::Pick { name: local, over }
                if local.text == name =>
            {
                sets.push(over);
            }
            StmtKind::Choose(choose) => {
                let binders = choose.options.iter().flatten().flat_map(|option| &option.binders);
                let own = binders.filter(|binder| binder.name.text == name);
                sets.extend(
                    own.filter(|binder| binder.kind == BinderKind::Element).map(|binder| &binder.over),
                );
            }
            _ => {}
        }
        one.blocks().into_iter().for_each(|block| add_sets_of(name, block, sets));
    }
}

/// Returns `true` if a name is that of a set which every game has, such as `edge`.
fn is_built_in_set(name: &str) -> bool {
    BuiltInName::named(name)
        .is_some_and(|known| !known.can_be_declared() && known.ty().starts_with("set of "))
}

/// Returns `true` if an expression is written as a condition.
pub(super) fn is_condition(e: &Expr) -> bool {
    use BinaryOp::{And, Compare, In, NotIn, Or};
    matches!(
        e.kind,
        ExprKind::Binary(And | Or | Compare(_) | In | NotIn, ..)
            | ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _)
            | ExprKind::Is { .. }
            | ExprKind::Quantified { op: Quantifier::Any | Quantifier::All, .. }
    )
}
