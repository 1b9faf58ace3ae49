//! Hooks: script functions that the rules call. They are found by their names. The checker inserts the
//! calls into the rules, so the executors only know calls.
//!
//! | function | called |
//! | --- | --- |
//! | `on_setup(g)` | after the setup |
//! | `before_STEP(g)`, `after_STEP(g)` | when a step begins, and when it is left, before ends are tested |
//! | `allow_OPTION(g, bindings…)` | for each action of an option whose `where` holds |
//! | `on_OPTION(g, bindings…)` | after an option's body, or before it leaves the turn |
//! | `score_ITEM(g, player, points)` | whenever an item of the score is evaluated |
//! | `on_end(g)` | once the game is over, before the scores are counted |

use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::definitions::HOOKS;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_model::*;
use std::collections::HashSet;

/// The functions of the scripts, and which of them the rules call.
#[derive(Debug)]
pub(crate) struct ScriptHooks<'a> {
    functions: &'a [ScriptFunction],
    called: HashSet<Span>,
}

impl<'a> ScriptHooks<'a> {
    pub(crate) fn new(functions: &'a [ScriptFunction]) -> Self {
        ScriptHooks { functions, called: HashSet::new() }
    }

    /// The places of the functions that the rules call.
    pub(crate) fn called(&self) -> &HashSet<Span> {
        &self.called
    }

    /// The hooks called `name`, one for each script. Reports a wrong number of parameters.
    fn hooks(
        &mut self,
        draft: &mut Draft,
        name: &str,
        kind: HookKind,
        given: &[&str],
        args: &[Type],
    ) -> Vec<HookId> {
        let mut found = vec![];
        for function in self.functions.iter().filter(|function| function.name == name) {
            self.called.insert(function.span);
            if function.params.len() != given.len() {
                report_parameter_count(&mut draft.messages, function, given);
                continue;
            }
            if function.draws && kind != HookKind::Effect {
                let message = format!("`{name}` only answers a question, so it can't draw at random");
                let d = Diagnostic::error(Code::ScriptChance, function.span, message)
                    .note("the program may call it many times, or not at all")
                    .help("draw in a hook that does something, and keep the result in a variable");
                draft.messages.report(d);
                continue;
            }
            let hook = Hook {
                name: name.to_owned(),
                script: function.script,
                kind,
                args: args.to_vec(),
                draws: function.draws,
                span: function.span,
            };
            let known = draft.model.hooks.iter().position(|known| *known == hook);
            found.push(HookId(known.unwrap_or_else(|| {
                draft.model.hooks.push(hook);
                draft.model.hooks.len() - 1
            }) as u32));
        }
        found
    }

    /// Statements that call the hooks with a name.
    fn calls(
        &mut self,
        draft: &mut Draft,
        name: &str,
        given: &[&str],
        args: &[CheckedExpr],
        span: Span,
    ) -> Vec<CheckedStmt> {
        let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        let hooks = self.hooks(draft, name, HookKind::Effect, given, &types);
        let call = |hook| CheckedStmt { kind: CheckedStmtKind::Call { hook, args: args.to_vec() }, span };
        hooks.into_iter().map(call).collect()
    }

    /// Inserts the calls after the setup.
    pub(crate) fn call_at_setup(&mut self, draft: &mut Draft) {
        let calls = self.calls(draft, "on_setup", &["g"], &[], draft.title);
        draft.model.setup.stmts.extend(calls);
    }

    /// Inserts the calls once the game is over.
    pub(crate) fn call_at_end(&mut self, draft: &mut Draft) {
        draft.model.on_end.stmts = self.calls(draft, "on_end", &["g"], &[], draft.title);
    }

    /// Returns `true` if a script has a function with this name.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.functions.iter().any(|function| function.name == name)
    }

    /// Inserts the calls when a step begins and when it is left.
    pub(crate) fn call_around_step(
        &mut self,
        draft: &mut Draft,
        name: &str,
        span: Span,
        mut body: CheckedBlock,
    ) -> CheckedBlock {
        let before = self.calls(draft, &format!("before_{name}"), &["g"], &[], span);
        let after = self.calls(draft, &format!("after_{name}"), &["g"], &[], span);
        draft.insert_at_exits(&mut body, &after, ExitTarget::Step);
        body.stmts.splice(0..0, before);
        body
    }

    /// Adds the functions that decide whether an option is legal to its condition.
    pub(crate) fn call_in_filter(
        &mut self,
        draft: &mut Draft,
        option: &syntax::Name,
        binders: &[CheckedBinder],
        filter: Option<CheckedExpr>,
    ) -> Option<CheckedExpr> {
        let (given, args) = draft.hook_arguments(option, binders);
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        let hooks = self.hooks(draft, &format!("allow_{}", option.text), HookKind::Filter, &given, &types);
        hooks.into_iter().fold(filter, |filter, hook| {
            let call = CheckedExprKind::Call { hook, args: args.clone() };
            let allows = draft.build(call, Type::Bool, option.span);
            Some(match filter {
                Some(filter) => {
                    let span = filter.span;
                    draft.build(CheckedExprKind::And(Box::new(filter), Box::new(allows)), Type::Bool, span)
                }
                None => allows,
            })
        })
    }

    /// Inserts the calls after an option.
    pub(crate) fn call_after_option(
        &mut self,
        draft: &mut Draft,
        option: &syntax::Name,
        binders: &[CheckedBinder],
        body: &mut CheckedBlock,
    ) {
        // `on_setup` and `on_end` always belong to the game, not to options with these names.
        if ["setup", "end"].contains(&option.text.as_str()) {
            return;
        }
        let (given, args) = draft.hook_arguments(option, binders);
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let calls = self.calls(draft, &format!("on_{}", option.text), &given, &args, option.span);
        draft.insert_at_exits(body, &calls, ExitTarget::Option);
    }

    /// Lets the functions of an item of the score change its points.
    pub(crate) fn call_for_points(
        &mut self,
        draft: &mut Draft,
        item: &str,
        value: CheckedExpr,
    ) -> CheckedExpr {
        let args = [Type::Element(PLAYER), Type::Number];
        let hooks =
            self.hooks(draft, &format!("score_{item}"), HookKind::Points, &["g", "player", "points"], &args);
        hooks.into_iter().fold(value, |value, hook| {
            let span = value.span;
            let me = draft.build(CheckedExprKind::Me, Type::Element(PLAYER), span);
            draft.build(CheckedExprKind::Call { hook, args: vec![me, value] }, Type::Number, span)
        })
    }

    /// Reports functions that neither the rules nor other functions call.
    pub(crate) fn report_uncalled(&self, draft: &mut Draft) {
        for function in self.functions {
            if self.called.contains(&function.span) || function.called {
                continue;
            }
            let d = if function.name == "choose" || function.name == "value" {
                let message = format!("nothing calls `{}` here", function.name);
                Diagnostic::error(Code::UnknownHook, function.span, message)
                    .note("an agent is a script of its own, not a part of the rules")
                    .help("put it into another file, and name that with `--agents`")
            } else {
                draft.unknown_hook(function)
            };
            draft.messages.report(d);
        }
    }
}

impl Draft {
    /// The parameters of an option's hooks, and the arguments for them.
    fn hook_arguments(
        &mut self,
        option: &syntax::Name,
        binders: &[CheckedBinder],
    ) -> (Vec<String>, Vec<CheckedExpr>) {
        let (mut given, mut args) = (vec!["g".to_owned()], vec![]);
        for binder in binders {
            let local = &self.model.locals[binder.local.index()];
            let (name, ty) = (local.name.clone(), local.ty);
            given.push(name);
            args.push(self.build(CheckedExprKind::Local(binder.local), ty, option.span));
        }
        (given, args)
    }

    /// Inserts calls at the end of a block, and before each statement that leaves it.
    fn insert_at_exits(&mut self, block: &mut CheckedBlock, calls: &[CheckedStmt], what: ExitTarget) {
        if calls.is_empty() {
            return;
        }
        self.insert_before_exits(block, calls, what);
        if !block.stmts.last().is_some_and(|last| what.is_left_by(&last.kind)) {
            block.stmts.extend_from_slice(calls);
        }
    }

    fn insert_before_exits(&mut self, block: &mut CheckedBlock, calls: &[CheckedStmt], what: ExitTarget) {
        let mut at = 0;
        while at < block.stmts.len() {
            let stmt = &mut block.stmts[at];
            if what.is_left_by(&stmt.kind) {
                block.stmts.splice(at..at, calls.iter().cloned());
                at += calls.len() + 1;
                continue;
            }
            match &mut stmt.kind {
                CheckedStmtKind::Choose(choice) => {
                    let mut choice = std::mem::replace(
                        &mut self.model.choices[choice.index()],
                        Choice {
                            name: String::new(),
                            step: None,
                            options: vec![],
                            otherwise: None,
                            span: stmt.span,
                        },
                    );
                    choice.blocks_mut().for_each(|inner| self.insert_before_exits(inner, calls, what));
                    if let CheckedStmtKind::Choose(id) = &block.stmts[at].kind {
                        self.model.choices[id.index()] = choice;
                    }
                }
                // Statements in a turn of a round don't leave the blocks around the turns. Only the end
                // of the game does.
                CheckedStmtKind::Turns { .. } => {}
                kind => {
                    // `skip` leaves only the innermost step.
                    let inner =
                        if matches!(kind, CheckedStmtKind::Step { .. }) { ExitTarget::Turn } else { what };
                    stmt.blocks_mut()
                        .into_iter()
                        .for_each(|block| self.insert_before_exits(block, calls, inner));
                }
            }
            at += 1;
        }
    }

    fn unknown_hook(&self, function: &ScriptFunction) -> Diagnostic {
        let of = |prefix: &str, names: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            names.map(|name| format!("{prefix}{name}")).collect()
        };
        let steps = || self.model.steps.iter().map(|step| step.name.as_str());
        let options = || self.action_names();
        let items = || self.model.score.iter().map(|item| item.name.as_str());
        let mut known = vec!["on_setup".to_owned(), "on_end".to_owned()];
        known.extend(of("before_", &mut steps()));
        known.extend(of("after_", &mut steps()));
        known.extend(of("on_", &mut options()));
        known.extend(of("allow_", &mut options()));
        known.extend(of("score_", &mut items()));
        let name = function.name.as_str();
        let prefix = HOOKS.iter().map(|(prefix, ..)| *prefix).find(|prefix| name.starts_with(prefix));
        let (message, kind): (String, &str) = match prefix {
            Some(prefix @ ("before_" | "after_")) => {
                (format!("no step is called `{}`", &name[prefix.len()..]), "step")
            }
            Some(prefix @ ("on_" | "allow_")) => {
                (format!("no option is called `{}`", &name[prefix.len()..]), "option")
            }
            Some(prefix) => (format!("no item of the score is called `{}`", &name[prefix.len()..]), "item"),
            None => (format!("`{name}` is no hook, and nothing calls it"), ""),
        };
        let d = Diagnostic::error(Code::UnknownHook, function.span, message);
        let mut names: Vec<String> = match kind {
            "step" => steps().map(|name| format!("`{name}`")).collect(),
            "option" => options().map(|name| format!("`{name}`")).collect(),
            "item" => items().map(|name| format!("`{name}`")).collect(),
            _ => vec![],
        };
        names.dedup();
        let d = match did_you_mean(name, known.iter().map(String::as_str)) {
            Some(meant) => d.help(format!("did you mean `{meant}`?")),
            None if kind.is_empty() => d.help("take it out, or give it the name of a hook: `on_…`, `before_…`, `after_…`, `allow_…`, `score_…`"),
            None => d,
        };
        match names.is_empty() {
            true if kind.is_empty() => d,
            true => d.note(format!("the rules have no {kind}s")),
            false => d.note(format!("there are {}", names.join(", "))),
        }
    }

    /// The names of all options, without duplicates.
    fn action_names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self
            .model
            .choices
            .iter()
            .flat_map(|choice| &choice.options)
            .map(|option| option.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }
}

/// The construct that a statement leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExitTarget {
    /// A step.
    Step,
    /// A step or an option, seen from inside another step.
    Turn,
    /// An option.
    Option,
}

impl ExitTarget {
    fn is_left_by(self, kind: &CheckedStmtKind) -> bool {
        match kind.exit() {
            Some(Exit::Turn | Exit::Again | Exit::Game) => true,
            Some(Exit::Step) => self != ExitTarget::Turn,
            None => false,
        }
    }
}

fn report_parameter_count(messages: &mut Messages, function: &ScriptFunction, given: &[&str]) {
    let message = format!(
        "`{}` has {}, and the rules pass {}",
        function.name,
        match function.params.len() {
            1 => "1 parameter".to_owned(),
            n => format!("{n} parameters"),
        },
        given.len()
    );
    let d = Diagnostic::error(Code::ScriptParameters, function.span, message).help(format!(
        "write `fn {}({})`",
        function.name,
        given.join(", ")
    ));
    messages.report(d);
}
