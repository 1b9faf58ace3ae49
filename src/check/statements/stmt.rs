//! Checks statements: steps, conditionals, loops and locals. Procedures are expanded where they are
//! called.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::draft::Draft;
use crate::expressions::calls;
use crate::expressions::calls::Args;
use crate::messages::first_word;
use crate::names::definitions::DefinitionKind;
use crate::names::facts::Fact;
use crate::names::name_table::Entity;
use crate::names::scopes::Binding;
use crate::resolution::SAME_STANDS;
use crate::values::{May, Val, constant_truth};
use houserule_base::numbers::counted;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{Arg, DeclKind, ExprKind as S, Name, StmtKind as T};
use houserule_language::vocabulary::Function;
use houserule_model::*;

use super::changes::is_assigned;

impl<'a> Checker<'a> {
    pub(crate) fn block(&mut self, block: &'a syntax::Block) -> CheckedBlock {
        self.block_with(block, vec![])
    }

    /// Checks a block at whose beginning some facts hold.
    pub(super) fn block_with(&mut self, block: &'a syntax::Block, facts: Vec<Fact>) -> CheckedBlock {
        self.draft.enter_level();
        let stmts = self.scoped(facts, |c| c.statements(&block.stmts));
        self.draft.leave_level();
        CheckedBlock { stmts }
    }

    /// Checks the statements of a block in the scope that is open.
    fn statements(&mut self, stmts: &'a [syntax::Stmt]) -> Vec<CheckedStmt> {
        let mut out = vec![];
        let mut rest = stmts;
        while let Some((stmt, later)) = rest.split_first() {
            rest = later;
            self.context.rest = later;
            self.statement(stmt, &mut out);
        }
        out
    }

    /// Checks `repeat { … } until C`. The condition may use the locals of the block.
    fn repeat(
        &mut self,
        body: &'a syntax::Block,
        until: &'a syntax::Expr,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        let first = self.draft.model.locals.len();
        self.draft.enter_level();
        let (mut stmts, own, until) = self.scoped(vec![], |c| {
            let stmts = c.statements(&body.stmts);
            (stmts, first..c.draft.model.locals.len(), c.condition(until))
        });
        self.draft.leave_level();
        let mut until = until?;
        let mut inside = false;
        houserule_model::walk::expr(&until, &mut |e| {
            inside |= matches!(e.kind, CheckedExprKind::Local(local) if own.contains(&local.index()));
        });
        if inside {
            // Locals of a block last until its end, so the answer is kept.
            let stop = self.draft.new_local("stop", Type::Bool, span);
            let value = self.draft.truth_constant(false, span);
            out.push(CheckedStmt { kind: CheckedStmtKind::Let { local: stop, value }, span });
            let answer = self.draft.build(CheckedExprKind::Local(stop), Type::Bool, span);
            let value = std::mem::replace(&mut until, answer);
            stmts.push(CheckedStmt { kind: CheckedStmtKind::SetLocal { local: stop, value }, span });
        }
        Some(CheckedStmtKind::Repeat { body: CheckedBlock { stmts }, until })
    }

    /// Checks a block that the params rule out. Its errors are reported, its result is dropped.
    fn dead_block(&mut self, block: &'a syntax::Block, facts: Vec<Fact>) {
        self.draft.enter_branch(true);
        self.discarded(|c| c.block_with(block, facts));
        self.draft.leave_branch(true);
    }

    /// Runs `f` and then removes the steps, choices, ends and actions that it added.
    pub(crate) fn discarded<T>(&mut self, f: impl FnOnce(&mut Self) -> T) {
        let (steps, choices) = (self.draft.model.steps.len(), self.draft.model.choices.len());
        let (keys, by_span) = (self.actions.keys.len(), self.actions.steps_by_span.clone());
        let stated = self.draft.model.stated_ends.len();
        f(self);
        self.draft.model.steps.truncate(steps);
        self.draft.model.choices.truncate(choices);
        self.draft.model.stated_ends.truncate(stated);
        self.draft.model.together.retain(|block| block.choices.iter().all(|c| c.index() < choices));
        self.actions.keys.truncate(keys);
        self.actions.steps_by_span = by_span;
    }

    fn statement(&mut self, stmt: &'a syntax::Stmt, out: &mut Vec<CheckedStmt>) {
        let span = stmt.span;
        if !self.draft.afford_node(span) {
            return;
        }
        self.context.statement = Some(stmt);
        let kind = match &stmt.kind {
            T::Step { name, help, body } => self.step_statement(name, help.as_ref(), body, span),
            T::Choose(choose) => self.choose(choose, span),
            T::If { condition, then, otherwise } => {
                self.if_statement(condition, then, otherwise.as_ref(), span, out);
                None
            }
            T::For { name, over, from, body } => match &over.kind {
                S::Call(function, args)
                    if function.text == Function::Components.name()
                        && !self.names.is_declared(function.text.as_str()) =>
                {
                    let over = calls::split(function, Function::Components, args, over.span);
                    self.for_parts(name, from.as_ref(), over, body, out)
                }
                _ => self.for_statement(name, over, from.as_ref(), body),
            },
            T::While { condition, body } => {
                self.forget_assigned(body);
                let condition = self.condition(condition);
                let facts = self.facts_if(condition.as_ref(), true);
                let body = self.block_with(body, facts);
                condition.map(|condition| CheckedStmtKind::While { condition, body })
            }
            T::Repeat { body, until } => {
                self.forget_assigned(body);
                self.repeat(body, until, span, out)
            }
            T::As { player, body } => {
                let value = self.expr(player, Some(PLAYER));
                let player = self.element(value, PLAYER, player.span);
                self.context.acting += 1;
                // Others than the starter act.
                self.usage.takes_turns |= self.context.place == StatementContext::Round;
                let body = self.as_another(|c| c.block(body));
                self.context.acting -= 1;
                player.map(|(player, _)| CheckedStmtKind::As { player, body })
            }
            T::Let { name, ty: Some(ty), value } => self.typed_let(name, ty, value),
            T::Let { name, ty: None, value } => self.let_statement(name, value),
            T::Assign { target, op, value } => self.assign(target, *op, value, span),
            T::Call { name, args } => {
                self.call_procedure(name, args, span, out);
                None
            }
            T::Chance { body, given } => self.chance(body, given, span),
            T::EachPlayer { of: None, from, until: None, body } => {
                self.each_player(from.as_ref(), body, span)
            }
            T::EachPlayer { of, from, until, body } => {
                self.players_in_turn(of.as_ref(), from.as_ref(), until.as_ref(), body, span, out)
            }
            T::Together(body) => self.together(body, span, out),
            T::Reveal { what, from, to } => self.reveal(what, from.as_ref(), to, span, out),
            T::Hole => {
                self.draft.messages.add_hole();
                // It may have been a `let`, so later unknown names cause no errors.
                self.scopes.hide_unknown(span);
                None
            }
            _ => self.verb(stmt, out),
        };
        if let Some(kind) = kind {
            out.push(CheckedStmt { kind, span });
        }
        self.forget_after(stmt);
    }

    fn step_statement(
        &mut self,
        name: &'a Name,
        help: Option<&'a Name>,
        body: &'a syntax::Block,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        self.recorder.define(DefinitionKind::Step, name, span, help);
        let step = match self.actions.steps_by_span.get(&name.span) {
            Some(step) => *step,
            None => {
                if let Some(first) = self.draft.model.steps.iter().find(|s| s.name == name.text) {
                    let message = format!("there are two steps called `{}`", name.text);
                    let d = Diagnostic::error(Code::DuplicateName, name.span, message)
                        .also(first.span, "the first is here")
                        .help("choose another name for one of them");
                    self.draft.messages.report(d);
                }
                let help = help.map(|h| h.text.clone()).unwrap_or_default();
                self.draft.model.steps.push(Step { name: name.text.clone(), help, span: name.span });
                let step = StepId(self.draft.model.steps.len() as u32 - 1);
                self.actions.steps_by_span.insert(name.span, step);
                step
            }
        };
        let outer = self.position.step.replace(step);
        self.forget_hooked(&format!("before_{}", name.text));
        self.position.within.push(("step", &name.text));
        let body = self.block(body);
        self.position.within.pop();
        self.position.step = outer;
        let body = self.hooks.call_around_step(&mut self.draft, &name.text, name.span, body);
        self.forget_hooked(&format!("after_{}", name.text));
        Some(CheckedStmtKind::Step { step, body })
    }

    fn if_statement(
        &mut self,
        condition: &'a syntax::Expr,
        then: &'a syntax::Block,
        otherwise: Option<&'a syntax::Block>,
        span: Span,
        out: &mut Vec<CheckedStmt>,
    ) {
        let truth = self.condition(condition);
        let (yes, no) = (self.facts_if(truth.as_ref(), true), self.facts_if(truth.as_ref(), false));
        match truth.as_ref().and_then(constant_truth) {
            Some(holds) => {
                let live = if holds {
                    let live = self.block_with(then, yes);
                    if let Some(otherwise) = otherwise {
                        self.dead_block(otherwise, no);
                    }
                    live
                } else {
                    self.dead_block(then, yes);
                    otherwise.map(|b| self.block_with(b, no)).unwrap_or_default()
                };
                out.extend(live.stmts);
            }
            None => {
                let a = self.block_with(then, yes.clone());
                let b = otherwise.map(|b| self.block_with(b, no.clone())).unwrap_or_default();
                // If one branch always leaves, the other one's facts hold afterwards, unless it changes them.
                match otherwise {
                    _ if leaves(&a) => {
                        self.scopes.facts.learn(no);
                        otherwise.into_iter().for_each(|block| self.forget_assigned(block));
                    }
                    Some(_) if leaves(&b) => {
                        self.scopes.facts.learn(yes);
                        self.forget_assigned(then);
                    }
                    _ => {}
                }
                if let Some(condition) = truth {
                    out.push(CheckedStmt {
                        kind: CheckedStmtKind::If { condition, then: a, otherwise: b },
                        span,
                    });
                }
            }
        }
    }

    fn for_statement(
        &mut self,
        name: &'a Name,
        over: &'a syntax::Expr,
        from: Option<&'a syntax::Expr>,
        body: &'a syntax::Block,
    ) -> Option<CheckedStmtKind> {
        let changes = self.changes_in(body);
        self.forget(&changes);
        let Some((over, domain)) = self.over(over, None) else {
            self.scoped(vec![], |c| {
                c.bind(name, Binding::Argument(Val::Poison));
                c.block(body);
            });
            return None;
        };
        let from = match from {
            Some(e) => {
                let value = self.expr(e, Some(domain));
                Some(self.element(value, domain, e.span)?.0)
            }
            None => None,
        };
        let (local, body) = self.scoped(vec![], |c| {
            let local = c.bind_local(name, Type::Element(domain), false);
            let facts = c.facts_of_element(local, &over);
            c.scopes.facts.learn(facts);
            // The set is computed once, so an earlier iteration may change what follows from it.
            c.forget(&changes);
            (local, c.block(body))
        });
        Some(CheckedStmtKind::For { local, over, from, body })
    }

    /// Builds `for k in components(s) { … }` as a loop that removes the component of the first site
    /// until the set is empty.
    fn for_parts(
        &mut self,
        name: &'a Name,
        from: Option<&'a syntax::Expr>,
        over: Args<'a>,
        body: &'a syntax::Block,
        out: &mut Vec<CheckedStmt>,
    ) -> Option<CheckedStmtKind> {
        self.forget_assigned(body);
        if let Some(from) = from {
            self.draft.messages.error(
                Code::Misplaced,
                from.span,
                "`from` names an element, and `components` are sets",
            );
        }
        let span = over.span;
        let Some((set, board, orthogonal)) = self.components(&over) else {
            self.scoped(vec![], |c| {
                c.bind(name, Binding::Argument(Val::Poison));
                c.block(body);
            });
            return None;
        };
        let ty = set.ty;
        let left = self.draft.new_local("left", ty, span);
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local: left, value: set }, span });
        let rest = |c: &mut Self| c.draft.build(CheckedExprKind::Local(left), ty, span);
        let any = rest(self);
        let condition = self.draft.is_some(any, span);
        let Type::Set(domain) = ty else { return None };
        let (first, within) = (rest(self), rest(self));
        let first = self.draft.build(CheckedExprKind::First(Box::new(first)), Type::Element(domain), span);
        let seed = self.draft.elements(vec![first], domain, span);
        let kind =
            CheckedExprKind::Reach { board, orthogonal, seed: Box::new(seed), within: Box::new(within) };
        let part = self.draft.build(kind, ty, span);
        let (local, block) = self.scoped(vec![], |c| {
            let local = c.bind_local(name, ty, false);
            (local, c.block(body))
        });
        let (before, taken) = (rest(self), self.draft.build(CheckedExprKind::Local(local), ty, span));
        let less = self.draft.build(CheckedExprKind::Minus(Box::new(before), Box::new(taken)), ty, span);
        let mut stmts = vec![
            CheckedStmt { kind: CheckedStmtKind::Let { local, value: part }, span },
            CheckedStmt { kind: CheckedStmtKind::SetLocal { local: left, value: less }, span },
        ];
        stmts.extend(block.stmts);
        Some(CheckedStmtKind::While { condition, body: CheckedBlock { stmts } })
    }

    /// The player after `from`, or the acting one.
    pub(super) fn first_to_act(&mut self, from: Option<&'a syntax::Expr>, span: Span) -> Option<CheckedExpr> {
        let Some(e) = from else {
            return Some(self.draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span));
        };
        let value = self.expr(e, Some(PLAYER));
        self.element(value, PLAYER, e.span).map(|(e, _)| e)
    }

    /// Checks `each player from p as me { … }`: the turns of a round; elsewhere all seats act one after
    /// the other.
    fn each_player(
        &mut self,
        from: Option<&'a syntax::Expr>,
        body: &'a syntax::Block,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        self.forget_assigned(body);
        let first = self.first_to_act(from, span);
        if self.context.place == StatementContext::Round {
            if self.context.acting > 0 {
                let at = first_word(span, "each").unwrap_or(span);
                let d = Diagnostic::error(
                    Code::Misplaced,
                    at,
                    "the turns of a round aren't allowed where another seat acts",
                )
                .help("take them out of the `as` block");
                self.draft.messages.report(d);
            }
            self.usage.takes_turns = true;
            self.context.place = StatementContext::Turn;
            // A step around all turns can't be left from inside a turn.
            let step = self.position.step.take();
            self.forget_turn();
            let body = self.as_another(|c| c.block(body));
            (self.context.place, self.position.step) = (StatementContext::Round, step);
            return first.map(|from| CheckedStmtKind::Turns { from, body });
        }
        self.everybody(first, body, span)
    }

    /// Checks what another player does: what is known of `me` isn't about that one.
    pub(super) fn as_another<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scopes.facts.let_another_act();
        let done = f(self);
        self.scopes.facts.return_to(before);
        done
    }

    /// All seats act one after the other.
    pub(super) fn everybody(
        &mut self,
        first: Option<CheckedExpr>,
        body: &'a syntax::Block,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        self.context.acting += 1;
        let body = self.as_another(|c| c.block(body));
        self.context.acting -= 1;
        let local = self.draft.new_local("player", Type::Element(PLAYER), span);
        self.locals.everybody.push(local);
        let player = self.draft.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let acts = CheckedStmt { kind: CheckedStmtKind::As { player, body }, span };
        let over = self.draft.full_set(PLAYER, span);
        first.map(|from| CheckedStmtKind::For {
            local,
            over,
            from: Some(from),
            body: CheckedBlock { stmts: vec![acts] },
        })
    }

    fn let_statement(&mut self, name: &'a Name, value: &'a syntax::Expr) -> Option<CheckedStmtKind> {
        let rest = self.context.rest;
        let inferred = self.inferred(name);
        let v = self.expr(value, inferred);
        let settled = match v {
            Val::EmptySet(at) if inferred.is_none() => {
                // Later assignments show its domain.
                self.inference.open(name.span, at);
                self.bind(name, Binding::Argument(Val::EmptySet(at)));
                return None;
            }
            Val::Poison => None,
            v if inferred.is_some() => self.settle(v, inferred.map(Type::Set), value.span),
            // A `let` of an element of a range is an integer.
            Val::Expr(e, May::Never) if matches!(e.ty, Type::Element(d) if self.draft.range_low(d).is_some()) => {
                Some((self.draft.value_of(e), May::Never))
            }
            other => self.settle(other, None, value.span),
        };
        match settled {
            Some((e, may)) => {
                let local = self.bind_local(name, e.ty, may != May::Never);
                self.locals.lets.insert(local);
                if e.ty == Type::Number
                    && !is_assigned(&name.text, rest)
                    && let Some(bounds) = self.draft.bounds(&e)
                {
                    self.draft.bounded.insert(local, bounds);
                }
                if may == May::Tested {
                    self.scopes.facts.learn([self.draft.is_local(local)]);
                }
                Some(CheckedStmtKind::Let { local, value: e })
            }
            None => {
                self.bind(name, Binding::Argument(Val::Poison));
                None
            }
        }
    }

    /// Checks `let x: TYPE = e`.
    fn typed_let(
        &mut self,
        name: &'a Name,
        ty: &'a syntax::TypeExpr,
        value: &'a syntax::Expr,
    ) -> Option<CheckedStmtKind> {
        let content = self.content(ty);
        let want = match content {
            Some(Content::Element { domain, .. } | Content::Set(domain)) => Some(domain),
            _ => None,
        };
        let v = self.expr(value, want);
        let fitted = content.and_then(|content| Some((content, self.fitting(v, content, value.span)?)));
        let Some((content, (e, may))) = fitted else {
            self.bind(name, Binding::Argument(Val::Poison));
            return None;
        };
        let optional = matches!(content, Content::Element { optional: true, .. });
        let local = self.bind_local(name, e.ty, optional);
        self.recorder.declare_shape(name.span, content);
        if let Content::Number { low, high } = content
            && (low, high) != (i64::MIN, i64::MAX)
        {
            self.draft.model.locals[local.index()].range = Some((low, high));
        }
        self.locals.lets.insert(local);
        self.locals.typed.insert(local, content);
        if optional && !may.is_open() {
            self.scopes.facts.learn([self.draft.is_local(local)]);
        }
        Some(CheckedStmtKind::Let { local, value: e })
    }

    fn call_procedure(&mut self, name: &'a Name, args: &'a [Arg], span: Span, out: &mut Vec<CheckedStmt>) {
        let entity = self.entity(name);
        let Some(Entity::Procedure(decl)) = entity else {
            for arg in args {
                self.expr(&arg.value, None);
            }
            match entity {
                Some(Entity::Poison) => {}
                Some(_) => {
                    let message = format!("`{}` is not a procedure and does nothing here", name.text);
                    self.draft.messages.error(Code::NotAStatement, name.span, message);
                }
                None => self.report_unknown_procedure(name),
            }
            return;
        };
        let DeclKind::Procedure { name: declared, params, body } = &self.input.game.decls[decl].kind else {
            return;
        };
        if args.len() != params.len() {
            let wanted: Vec<&str> = params.iter().map(|p| p.text.as_str()).collect();
            let message = format!(
                "`{}` takes {}, and here it has {}",
                name.text,
                counted(params.len(), "argument"),
                args.len()
            );
            let d = Diagnostic::error(Code::WrongArgumentCount, span, message)
                .also(declared.span, "declared here")
                .help(format!("write `{}({})`", name.text, wanted.join(", ")));
            self.draft.messages.report(d);
            return;
        }
        let mut arguments = vec![];
        for (param, arg) in params.iter().zip(args) {
            if let Some(word) = &arg.name {
                let message = format!("`{}` takes its arguments without names", name.text);
                self.draft.messages.error(Code::WrongArgument, word.span, message);
            }
            let value = self.expr(&arg.value, None);
            arguments.push((param, self.once(param, value, out)));
        }
        let body = self.in_expansion(decl, arguments, span, |c| c.block(body));
        out.extend(body.unwrap_or_default().stmts);
    }

    /// Evaluates an argument of a procedure once, before the body changes anything.
    fn once(&mut self, param: &Name, value: Val, out: &mut Vec<CheckedStmt>) -> Val {
        let value = match value {
            Val::Numbers(numbers, span) => match self.set(Val::Numbers(numbers, span), None, span) {
                Some(set) => Val::sure(set),
                None => return Val::Poison,
            },
            other => other,
        };
        match value {
            Val::Expr(e, may)
                if !matches!(e.kind, CheckedExprKind::Constant(_) | CheckedExprKind::Local(_)) =>
            {
                let kept = self.draft.keep_value(&param.text, e, out);
                if let CheckedExprKind::Local(local) = kept.kind
                    && may != May::Never
                {
                    self.locals.optional.insert(local);
                    if may == May::Tested {
                        self.scopes.facts.learn([self.draft.is_local(local)]);
                    }
                }
                Val::Expr(kept, may)
            }
            other => other,
        }
    }

    fn report_unknown_procedure(&mut self, name: &Name) {
        let known: Vec<&str> = self
            .input
            .game
            .decls
            .iter()
            .filter_map(|d| match &d.kind {
                DeclKind::Procedure { name, .. } => Some(name.text.as_str()),
                _ => None,
            })
            .collect();
        let message = format!("there is no procedure `{}`", name.text);
        let mut d = Diagnostic::error(Code::UnknownFunction, name.span, message).label("not declared");
        if name.text == "same" {
            d = d.help(SAME_STANDS);
        } else if let Some(better) = did_you_mean(&name.text, known) {
            d = d.help(format!("did you mean `{better}`?"));
        }
        self.draft.messages.report(d);
    }
}

impl Draft {
    /// The fact that a local isn't none.
    pub(crate) fn is_local(&self, local: LocalId) -> Fact {
        let Local { ty, span, .. } = self.model.locals[local.index()];
        Fact::Some(CheckedExpr { kind: CheckedExprKind::Local(local), ty, span })
    }

    /// Stores a value in a new local, so that later statements can't change it.
    pub(super) fn keep_value(
        &mut self,
        name: &str,
        value: CheckedExpr,
        out: &mut Vec<CheckedStmt>,
    ) -> CheckedExpr {
        let (ty, span) = (value.ty, value.span);
        let local = self.new_local(name, ty, span);
        if ty == Type::Number
            && let Some(bounds) = self.bounds(&value)
        {
            self.bounded.insert(local, bounds);
        }
        out.push(CheckedStmt { kind: CheckedStmtKind::Let { local, value }, span });
        self.build(CheckedExprKind::Local(local), ty, span)
    }
}

/// Does a block always leave the step or turn?
fn leaves(block: &CheckedBlock) -> bool {
    match block.stmts.last().map(|s| &s.kind) {
        Some(CheckedStmtKind::If { then, otherwise, .. }) => leaves(then) && leaves(otherwise),
        Some(kind) => kind.exit().is_some(),
        None => false,
    }
}
