//! Checks assignments to locals of a `let` and to variables.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::draft::Draft;
use crate::expressions::several::IndexUse;
use crate::messages::Messages;
use crate::names::facts::Fact;
use crate::names::name_table::Entity;
use crate::names::scopes::Binding;
use crate::resolution::lookup::content_type;
use crate::values::{May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{AssignOp, ExprKind as S};
use houserule_language::vocabulary::BuiltInName;
use houserule_model::*;

impl<'a> Checker<'a> {
    pub(super) fn assign(
        &mut self,
        target: &'a syntax::Expr,
        op: AssignOp,
        value: &'a syntax::Expr,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        let none: &'a [syntax::Expr] = &[];
        let (named, at, index) = match &target.kind {
            S::Name(name) => (name, target.span, none),
            S::Index(base, index) => match &base.kind {
                S::Name(name) => (name, base.span, index.as_slice()),
                _ => {
                    report_not_assignable(
                        &mut self.draft.messages,
                        target.span,
                        "this can't be given a value".into(),
                        "",
                    );
                    return None;
                }
            },
            S::Hole => {
                self.draft.messages.add_hole();
                return None;
            }
            _ => {
                self.expr(value, None);
                return report_not_assignable(
                    &mut self.draft.messages,
                    target.span,
                    "this can't be given a value".into(),
                    "",
                );
            }
        };
        let name = &named.text;
        self.refer_to_local(named);
        match self.scopes.local(name).cloned() {
            Some(Binding::Local(id, _)) if index.is_empty() => {
                return self.set_local(id, target, op, value, span);
            }
            Some(Binding::Argument(Val::EmptySet(_))) if self.is_open(name) => {
                let v = self.expr(value, None);
                if let Some(declared) = self.scopes.local_place(name) {
                    self.widen(declared, None, &v);
                }
                return None;
            }
            Some(Binding::Argument(Val::Poison)) => {
                self.expr(value, None);
                return None;
            }
            Some(_) => {
                self.expr(value, None);
                let help = format!("give it a name of its own: `let n = {name}`");
                return report_not_assignable(
                    &mut self.draft.messages,
                    at,
                    format!("`{name}` can't be given another value"),
                    &help,
                );
            }
            None => {}
        }
        use BuiltInName as N;
        let built_in = BuiltInName::named(name).filter(|one| !one.can_be_declared());
        if let Some(built_in) = built_in {
            self.recorder.refer_to_built_in(named.span, built_in);
        }
        let slot = match built_in {
            Some(N::Starter) => Some(Builtin::Starter.slot()),
            Some(N::Playing) => Some(self.playing()),
            Some(N::Mover) => {
                return report_not_assignable(
                    &mut self.draft.messages,
                    at,
                    "`mover` can't be given a value".into(),
                    "`next p` says whose turn follows",
                );
            }
            Some(N::Turns | N::Total | N::Round | N::GameNumber) => {
                return report_not_assignable(
                    &mut self.draft.messages,
                    at,
                    format!("`{name}` is kept by the engine"),
                    "use a `var` of your own",
                );
            }
            Some(
                N::Me
                | N::Other
                | N::Empty
                | N::Edge
                | N::Corners
                | N::Cells
                | N::Direction
                | N::Player
                | N::Players
                | N::Score
                | N::Payoff,
            ) => {
                return report_not_assignable(
                    &mut self.draft.messages,
                    at,
                    format!("`{name}` can't be given a value"),
                    "",
                );
            }
            Some(N::Some | N::Nothing | N::Team) | None => None,
        };
        let slot = match slot {
            Some(slot) => slot,
            None => match self.entity(named) {
                Some(Entity::Slot(slot)) => slot,
                Some(Entity::Poison) => {
                    self.expr(value, None);
                    return None;
                }
                Some(_) => {
                    self.expr(value, None);
                    let help = "only a `var` or a local changes during a game";
                    return report_not_assignable(
                        &mut self.draft.messages,
                        at,
                        format!("`{name}` can't be given a value"),
                        help,
                    );
                }
                None => {
                    let help = match op {
                        AssignOp::Set if index.is_empty() => format!(
                            "write `let {name} = …` to name a value here, or declare `var {name}: 0..9 = 0` to keep it"
                        ),
                        _ => format!("declare it: `var {name}: 0..9 = 0`"),
                    };
                    self.report_unknown_name_or(name, at, None, Some(help));
                    self.expr(value, None);
                    return None;
                }
            },
        };
        self.set_slot(slot, name, at, index, op, value, span)
    }

    fn set_local(
        &mut self,
        id: LocalId,
        target: &'a syntax::Expr,
        op: AssignOp,
        value: &'a syntax::Expr,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        let at = target.span;
        let local = self.draft.model.locals[id.index()].clone();
        if !self.locals.lets.contains(&id) {
            self.expr(value, None);
            let help = format!("give it a name of its own: `let n = {}`", local.name);
            return report_not_assignable(
                &mut self.draft.messages,
                at,
                format!("`{}` can't be given another value", local.name),
                &help,
            );
        }
        let typed = self.locals.typed.get(&id).copied();
        let want = match local.ty {
            // The assigned values show what the set holds.
            Type::Set(d) if typed.is_none() && self.draft.range_low(d).is_some() => None,
            Type::Element(d) | Type::Set(d) => Some(d),
            _ => None,
        };
        let v = self.expr(value, want);
        if let (None, Type::Set(own)) = (typed, local.ty)
            && !matches!(v, Val::Poison)
            && self.widen(local.span, Some(own), &v) != Some(own)
        {
            return None;
        }
        let e = if op == AssignOp::Set {
            let (e, may) = match typed {
                Some(content) => self.fitting(v, content, value.span)?,
                None => self.settle(v, Some(local.ty), value.span)?,
            };
            self.forget_local(id, !may.is_open() && matches!(local.ty, Type::Element(_)));
            let optional = self.locals.optional.contains(&id);
            if may.is_open() && !optional {
                // From here on the local may be none.
                self.locals.optional.insert(id);
                self.scopes.make_optional(id);
            } else if !may.is_open() && optional {
                self.scopes.facts.learn([self.draft.is_local(id)]);
            }
            e
        } else if let Type::Set(domain) = local.ty {
            let by = match typed {
                Some(content) => self.fitting(v, content, value.span)?.0,
                None => self.settle(v, Some(local.ty), value.span)?.0,
            };
            let now = self.draft.build(CheckedExprKind::Local(id), local.ty, at);
            self.draft.grow_or_shrink(op, now, by, domain, span)
        } else {
            let by = self.number(v, value.span);
            let may = if self.locals.optional.contains(&id) { May::Maybe(None) } else { May::Never };
            let now = self.draft.build(CheckedExprKind::Local(id), local.ty, at);
            let now = self.tested(target, Val::Expr(now, may));
            let now = self.number(now, at);
            let (by, now) = (by?, now?);
            self.draft.count_up_or_down(op, now, by, span)
        };
        if op != AssignOp::Set {
            // A number outside the range is an error, and not none.
            self.forget_local(id, matches!(local.ty, Type::Element(_)));
        }
        Some(CheckedStmtKind::SetLocal { local: id, value: e })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one statement")]
    fn set_slot(
        &mut self,
        id: SlotId,
        name: &str,
        at: Span,
        index: &'a [syntax::Expr],
        op: AssignOp,
        value: &'a syntax::Expr,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        self.usage.changed_slots.insert(id);
        let slot = &self.draft.model.slots[id.index()];
        let (role, domains) = (slot.role, slot.index.clone());
        let (content, is_open) = (slot.content, slot.visibility == Visibility::All);
        let help = match role {
            // All see how a die is turned.
            Role::Dice { .. } if is_open => None,
            Role::Variable => None,
            // In a round, `starter` sets who begins the next round.
            Role::Builtin(_)
                if self.input.has_round()
                    || matches!(self.context.place, StatementContext::Setup | StatementContext::Anywhere) =>
            {
                None
            }
            Role::Builtin(_) => {
                Some("`starter` is given in a `setup` or a `round` only; `next p` says whose turn follows")
            }
            Role::Dice { .. } => Some("dice that not all players see change by `roll` only"),
            Role::Piece(_) => Some("use `put … at …` and `clear …`"),
            Role::Empty(_) => Some("sites become empty by `clear`"),
            Role::Known | Role::KnownCopies(_) => Some("what players know changes by `reveal`"),
            Role::Copies => Some("copies change zones by `move … from … to …`"),
            Role::Place | Role::SeenPlace => Some("the order in a zone changes by `move` and `shuffle`"),
            Role::Zone => Some("elements change zones by `move … to …`"),
        };
        if let Some(help) = help {
            self.expr(value, None);
            return report_not_assignable(
                &mut self.draft.messages,
                at,
                format!("`{name}` can't be given a value here"),
                help,
            );
        }
        let (content, lone) = match role {
            Role::Dice { count, faces, .. } => (
                Content::Number { low: 1, high: faces.into() },
                count == 1 && index.len() + 1 == domains.len(),
            ),
            _ => (content, false),
        };
        if index.len() != domains.len() && !lone {
            self.draft.report_index_count(name, &domains, index.len(), at);
            self.expr(value, None);
            return None;
        }
        let mut index = self.check_index_for(index, &domains, IndexUse::Change(name, id));
        if let (true, Some(index), Some(die)) = (lone, &mut index, domains.last()) {
            index.push(self.draft.constant_element(*die, 0, at));
        }
        let want = match content {
            Content::Element { domain, .. } | Content::Set(domain) => Some(domain),
            _ => None,
        };
        let v = self.expr(value, want);
        let mut may = May::Never;
        let e = if op == AssignOp::Set {
            let (e, m) = self.fitting(v, content, value.span)?;
            may = m;
            e
        } else if let Content::Number { .. } = content {
            let by = self.number(v, value.span)?;
            let now: Vec<CheckedExpr> = index.as_ref()?.iter().map(|e| self.draft.copy(e)).collect();
            let now =
                self.draft.build(CheckedExprKind::Read(Target { slot: id, index: now }), Type::Number, at);
            self.draft.count_up_or_down(op, now, by, span)
        } else if let Content::Set(domain) = content {
            let by = self.fitting(v, content, value.span)?.0;
            let now: Vec<CheckedExpr> = index.as_ref()?.iter().map(|e| self.draft.copy(e)).collect();
            let now = self.draft.build(
                CheckedExprKind::Read(Target { slot: id, index: now }),
                Type::Set(domain),
                at,
            );
            self.draft.grow_or_shrink(op, now, by, domain, span)
        } else {
            let d =
                Diagnostic::error(Code::TypeMismatch, at, format!("`{name}` is neither a number nor a set"))
                    .help("write `=` to give it another value");
            self.draft.messages.report(d);
            return None;
        };
        let index = index?;
        self.forget_slot(id);
        let reads_itself = |e: &CheckedExpr| walk::reads(e).0.contains(&id);
        if let Content::Element { optional: true, .. } = content
            && !may.is_open()
            && !index.iter().any(reads_itself)
        {
            let kind = CheckedExprKind::Read(Target { slot: id, index: index.clone() });
            self.scopes.facts.learn([Fact::Some(CheckedExpr { kind, ty: content_type(content), span: at })]);
        }
        Some(CheckedStmtKind::Assign { target: Target { slot: id, index }, value: e })
    }
}

impl Draft {
    /// A set with the elements of another, or without them.
    fn grow_or_shrink(
        &mut self,
        op: AssignOp,
        now: CheckedExpr,
        by: CheckedExpr,
        domain: DomainId,
        span: Span,
    ) -> CheckedExpr {
        let (now, by) = (Box::new(now), Box::new(by));
        let kind = match op {
            AssignOp::Add => CheckedExprKind::Union(now, by),
            _ => CheckedExprKind::Minus(now, by),
        };
        self.build(kind, Type::Set(domain), span)
    }

    fn count_up_or_down(
        &mut self,
        op: AssignOp,
        now: CheckedExpr,
        by: CheckedExpr,
        span: Span,
    ) -> CheckedExpr {
        let op = if op == AssignOp::Add { Arithmetic::Add } else { Arithmetic::Subtract };
        self.arithmetic(op, now, by, span)
    }
}

fn report_not_assignable(
    messages: &mut Messages,
    span: Span,
    message: String,
    help: &str,
) -> Option<CheckedStmtKind> {
    let mut d = Diagnostic::error(Code::NotAssignable, span, message);
    if !help.is_empty() {
        d = d.help(help);
    }
    messages.report(d);
    None
}
