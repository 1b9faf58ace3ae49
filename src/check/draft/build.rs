//! Builds expressions of the model, and folds each one immediately, so that constant expressions are
//! constants.

use super::Draft;
use crate::values::{constant_number, constant_set, constant_truth};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::Quantifier;
use houserule_model::board::BitSet;
use houserule_model::fold::Why;
use houserule_model::walk::children_mut;
use houserule_model::*;
use std::collections::HashMap;

/// The local that an expression introduces, if any.
fn introduces(kind: &mut CheckedExprKind) -> Option<&mut LocalId> {
    match kind {
        CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } => Some(local),
        _ => None,
    }
}

fn is_full(e: &CheckedExpr) -> bool {
    constant_set(e).is_some_and(|s| s.len() == s.size())
}

fn is_empty(e: &CheckedExpr) -> bool {
    constant_set(e).is_some_and(BitSet::is_empty)
}

/// Simplifies an expression in which a constant operand decides the result or has no effect.
fn simplify(kind: CheckedExprKind, ty: Type, span: Span) -> CheckedExpr {
    use CheckedExprKind as K;
    let constant = |value: Value| CheckedExpr { kind: K::Constant(value), ty, span };
    let kept = match kind {
        K::And(a, b) => match (constant_truth(&a), constant_truth(&b)) {
            (Some(false), _) | (_, Some(true)) => return *a,
            (Some(true), _) | (_, Some(false)) => return *b,
            _ => K::And(a, b),
        },
        K::Or(a, b) => match (constant_truth(&a), constant_truth(&b)) {
            (Some(true), _) | (_, Some(false)) => return *a,
            (Some(false), _) | (_, Some(true)) => return *b,
            _ => K::Or(a, b),
        },
        K::Not(a) => match a.kind {
            K::Not(inner) => return *inner,
            _ => K::Not(a),
        },
        K::If(a, b, c) => match constant_truth(&a) {
            Some(true) => return *b,
            Some(false) => return *c,
            None => K::If(a, b, c),
        },
        K::Union(a, b) if is_empty(&b) || is_full(&a) => return *a,
        K::Union(a, b) if is_empty(&a) || is_full(&b) => return *b,
        K::Intersect(a, b) if is_full(&b) || is_empty(&a) => return *a,
        K::Intersect(a, b) if is_full(&a) || is_empty(&b) => return *b,
        K::Minus(a, b) if is_empty(&b) || is_empty(&a) => return *a,
        K::Arithmetic(op, a, b) => {
            let (x, y) = (constant_number(&a), constant_number(&b));
            match op {
                Arithmetic::Add if x == Some(0) => return *b,
                Arithmetic::Add | Arithmetic::Subtract if y == Some(0) => return *a,
                Arithmetic::Multiply if x == Some(1) => return *b,
                Arithmetic::Multiply | Arithmetic::Divide if y == Some(1) => return *a,
                _ => K::Arithmetic(op, a, b),
            }
        }
        K::Filter { local, over, condition } => match constant_truth(&condition) {
            Some(true) => return *over,
            Some(false) => match constant_size(&over) {
                Some(size) => return constant(Value::Set(BitSet::empty(size))),
                None => K::Filter { local, over, condition },
            },
            None => K::Filter { local, over, condition },
        },
        K::As { player, value } => match (&player.kind, &value.kind) {
            (K::Me, _) | (_, K::Constant(_)) => return *value,
            _ => K::As { player, value },
        },
        other => other,
    };
    CheckedExpr { kind: kept, ty, span }
}

/// The number of nodes that an expression counts for, by its memory.
fn weight(kind: &CheckedExprKind) -> u32 {
    match kind {
        CheckedExprKind::Constant(Value::Set(set)) => 1 + set.size() / 1024,
        CheckedExprKind::Lines { points, .. } => 1 + (points.entries.len() / 8) as u32,
        _ => 1,
    }
}

fn constant_size(e: &CheckedExpr) -> Option<u32> {
    constant_set(e).map(BitSet::size)
}

impl Draft {
    /// Builds an expression and folds it.
    pub(crate) fn build(&mut self, kind: CheckedExprKind, ty: Type, span: Span) -> CheckedExpr {
        self.budget.add_nodes(weight(&kind));
        let mut e = simplify(kind, ty, span);
        let foldable = match &mut e.kind {
            CheckedExprKind::Constant(_)
            | CheckedExprKind::Read(_)
            | CheckedExprKind::Local(_)
            | CheckedExprKind::Me => false,
            CheckedExprKind::Repeated { .. }
            | CheckedExprKind::Call { .. }
            | CheckedExprKind::Tried { .. }
            | CheckedExprKind::Chain(_)
            | CheckedExprKind::RestOfChain => false,
            CheckedExprKind::Filter { over, .. } | CheckedExprKind::Quantified { over, .. } => {
                constant_set(over).is_some()
            }
            kind => {
                let mut constant = true;
                children_mut(kind, &mut |part| constant &= matches!(part.kind, CheckedExprKind::Constant(_)));
                constant
            }
        };
        if !foldable {
            return e;
        }
        let (code, message) = match self.budget.fold(&self.model, &e) {
            Ok(value) => {
                return CheckedExpr { kind: CheckedExprKind::Constant(value), ty: e.ty, span: e.span };
            }
            Err(Why::State | Why::Nothing) => return e,
            Err(Why::DivisionByZero) => (Code::DivisionByZero, "this divides by zero"),
            Err(Why::Overflow) => (Code::NumberTooLarge, "this number does not fit 64 bits"),
        };
        if !self.is_dead() {
            self.messages.report(Diagnostic::error(code, span, message));
        }
        e
    }

    pub(crate) fn number_constant(&mut self, n: i64, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::Constant(Value::Number(n)), Type::Number, span)
    }

    pub(crate) fn truth_constant(&mut self, b: bool, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::Constant(Value::Bool(b)), Type::Bool, span)
    }

    pub(crate) fn constant_element(&mut self, domain: DomainId, element: u32, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::Constant(Value::Element(Some(element))), Type::Element(domain), span)
    }

    pub(crate) fn size(&self, domain: DomainId) -> u32 {
        self.model.domains[domain.index()].size
    }

    pub(crate) fn set_constant(&mut self, domain: DomainId, set: BitSet, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::Constant(Value::Set(set)), Type::Set(domain), span)
    }

    pub(crate) fn empty_set(&mut self, domain: DomainId, span: Span) -> CheckedExpr {
        self.set_constant(domain, BitSet::empty(self.size(domain)), span)
    }

    pub(crate) fn full_set(&mut self, domain: DomainId, span: Span) -> CheckedExpr {
        self.set_constant(domain, BitSet::full(self.size(domain)), span)
    }

    pub(crate) fn elements(
        &mut self,
        mut elements: Vec<CheckedExpr>,
        domain: DomainId,
        span: Span,
    ) -> CheckedExpr {
        if elements.len() == 1
            && let CheckedExprKind::First(set) = &mut elements[0].kind
            && let CheckedExprKind::Shift { of, .. } = &set.kind
            && matches!(&of.kind, CheckedExprKind::Elements(one) if one.len() == 1)
        {
            // A set with at most one element equals the set of its first element.
            let nothing = CheckedExpr { kind: CheckedExprKind::Me, ty: set.ty, span };
            return std::mem::replace(set, nothing);
        }
        self.build(CheckedExprKind::Elements(elements), Type::Set(domain), span)
    }

    /// The number of an element of a range domain.
    pub(crate) fn value_of(&mut self, e: CheckedExpr) -> CheckedExpr {
        let span = e.span;
        self.build(CheckedExprKind::ValueOf(Box::new(e)), Type::Number, span)
    }

    /// The element of a range domain with a number.
    pub(crate) fn element_of(&mut self, n: CheckedExpr, domain: DomainId) -> CheckedExpr {
        match n.kind {
            CheckedExprKind::ValueOf(inner) if inner.ty == Type::Element(domain) => *inner,
            kind => {
                let span = n.span;
                let n = CheckedExpr { kind, ty: n.ty, span };
                self.build(CheckedExprKind::ElementOf(Box::new(n)), Type::Element(domain), span)
            }
        }
    }

    pub(crate) fn not(&mut self, e: CheckedExpr) -> CheckedExpr {
        let span = e.span;
        self.build(CheckedExprKind::Not(Box::new(e)), Type::Bool, span)
    }

    pub(crate) fn and(&mut self, a: CheckedExpr, b: CheckedExpr, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::And(Box::new(a), Box::new(b)), Type::Bool, span)
    }

    pub(crate) fn compare(
        &mut self,
        op: ComparisonOperator,
        a: CheckedExpr,
        b: CheckedExpr,
        span: Span,
    ) -> CheckedExpr {
        self.build(CheckedExprKind::Compare(op, Box::new(a), Box::new(b)), Type::Bool, span)
    }

    pub(crate) fn arithmetic(
        &mut self,
        op: Arithmetic,
        a: CheckedExpr,
        b: CheckedExpr,
        span: Span,
    ) -> CheckedExpr {
        self.build(CheckedExprKind::Arithmetic(op, Box::new(a), Box::new(b)), Type::Number, span)
    }

    pub(crate) fn is_some(&mut self, set: CheckedExpr, span: Span) -> CheckedExpr {
        self.build(CheckedExprKind::IsSome(Box::new(set)), Type::Bool, span)
    }

    /// Combines expressions by a binary operation in a balanced tree, to avoid deep nesting for a long
    /// list.
    pub(crate) fn balanced(
        &mut self,
        mut all: Vec<CheckedExpr>,
        join: &mut dyn FnMut(&mut Self, CheckedExpr, CheckedExpr) -> CheckedExpr,
    ) -> Option<CheckedExpr> {
        while all.len() > 1 {
            let mut next = Vec::with_capacity(all.len().div_ceil(2));
            let mut rest = all.into_iter();
            while let Some(a) = rest.next() {
                next.push(match rest.next() {
                    Some(b) => join(self, a, b),
                    None => a,
                });
            }
            all = next;
        }
        all.pop()
    }

    pub(crate) fn sum_of(&mut self, all: Vec<CheckedExpr>, span: Span) -> CheckedExpr {
        match self.balanced(all, &mut |c, a, b| c.arithmetic(Arithmetic::Add, a, b, span)) {
            Some(sum) => sum,
            None => self.number_constant(0, span),
        }
    }

    pub(crate) fn union_of(&mut self, all: Vec<CheckedExpr>, domain: DomainId, span: Span) -> CheckedExpr {
        let join = &mut |c: &mut Self, a: CheckedExpr, b: CheckedExpr| {
            c.build(CheckedExprKind::Union(Box::new(a), Box::new(b)), Type::Set(domain), span)
        };
        match self.balanced(all, join) {
            Some(union) => union,
            None => self.empty_set(domain, span),
        }
    }

    pub(crate) fn quantified(
        &mut self,
        op: Quantifier,
        local: LocalId,
        over: CheckedExpr,
        body: CheckedExpr,
        ty: Type,
        span: Span,
    ) -> CheckedExpr {
        let kind = CheckedExprKind::Quantified { op, local, over: Box::new(over), body: Box::new(body) };
        self.build(kind, ty, span)
    }

    pub(crate) fn new_local(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        self.model.locals.push(Local { name: name.into(), ty, range: None, span });
        LocalId(self.model.locals.len() as u32 - 1)
    }

    /// A copy of an expression with locals of its own, for a second place in the expanded rules.
    pub(crate) fn copy(&mut self, e: &CheckedExpr) -> CheckedExpr {
        if !self.afford_node(e.span) {
            // There will be no model, so any expression of this type will do.
            return CheckedExpr { kind: CheckedExprKind::Me, ty: e.ty, span: e.span };
        }
        let mut copy = e.clone();
        self.rename(&mut copy, &mut HashMap::new());
        copy
    }

    fn rename(&mut self, e: &mut CheckedExpr, renamed: &mut HashMap<LocalId, LocalId>) {
        self.budget.add_nodes(weight(&e.kind));
        if let CheckedExprKind::Local(id) = &mut e.kind
            && let Some(new) = renamed.get(id)
        {
            *id = *new;
        }
        if let Some(id) = introduces(&mut e.kind) {
            let old = self.model.locals[id.index()].clone();
            let new = self.new_local(&old.name, old.ty, old.span);
            renamed.insert(*id, new);
            *id = new;
        }
        if let CheckedExprKind::Tried { body, .. } = &mut e.kind {
            self.rename_locals(body, renamed);
        }
        children_mut(&mut e.kind, &mut |part| self.rename(part, renamed));
    }

    /// Gives the locals of statements new ids.
    fn rename_locals(&mut self, block: &mut CheckedBlock, renamed: &mut HashMap<LocalId, LocalId>) {
        for stmt in &mut block.stmts {
            match &mut stmt.kind {
                CheckedStmtKind::Let { local, .. } | CheckedStmtKind::For { local, .. } => {
                    let old = self.model.locals[local.index()].clone();
                    let new = self.new_local(&old.name, old.ty, old.span);
                    self.model.locals[new.index()].range = old.range;
                    renamed.insert(*local, new);
                    *local = new;
                }
                CheckedStmtKind::SetLocal { local, .. } => {
                    if let Some(new) = renamed.get(local) {
                        *local = *new;
                    }
                }
                _ => {}
            }
            stmt.blocks_mut().into_iter().for_each(|inner| self.rename_locals(inner, renamed));
        }
    }
}
