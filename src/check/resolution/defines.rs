//! Expansion of defines and procedures at each use, with the arguments of that use. Unused definitions
//! are checked, too.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::messages::contains;
use crate::names::expansions::{Expansion, RecursionLevel};
use crate::names::scopes::Binding;
use crate::values::{May, Val};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{Arg, DeclKind, Name};

/// The form in which a define is used.
pub(crate) enum Use<'a> {
    /// The name alone.
    Name,
    /// `f(a, b)`
    Call(&'a [Arg]),
    /// `a is f`
    Is(Val),
}

/// What a use of a define within itself is.
enum Descent {
    /// A use with a smaller number, at least 0.
    Level,
    /// A use with a smaller number, below 0.
    Below,
    /// Nothing says whether a number is smaller.
    Unknown,
    /// A circle.
    No,
}

impl<'a> Checker<'a> {
    /// Returns a define's value at one use.
    pub(crate) fn expand(&mut self, decl: usize, how: Use<'a>, span: Span) -> Val {
        let DeclKind::Define { name, params, value, .. } = &self.input.game.decls[decl].kind else {
            return Val::Poison;
        };
        let Some(arguments) = self.arguments(name, params, how, span) else { return Val::Poison };
        let value = self.in_expansion(decl, arguments, span, |c| c.expr(value, None));
        if let Some(value) = &value {
            self.recorder.give_value(name.span, value);
        }
        match value {
            // A test of this use shows it, too: what brings in `none` is the use, or an argument.
            Some(Val::Expr(e, May::Maybe(origin))) => {
                Val::Expr(e, May::Maybe(origin.filter(|origin| contains(span, *origin))))
            }
            Some(value) => value,
            None => Val::Poison,
        }
    }

    /// The arguments of a use, each with its parameter.
    fn arguments(
        &mut self,
        name: &Name,
        params: &'a [Name],
        how: Use<'a>,
        span: Span,
    ) -> Option<Vec<(&'a Name, Val)>> {
        let values = match how {
            Use::Name => vec![],
            Use::Is(value) => vec![value],
            Use::Call(args) => {
                let mut values = vec![];
                for arg in args {
                    if let Some(word) = &arg.name {
                        let message = format!("`{}` takes its arguments without names", name.text);
                        self.draft.messages.error(Code::WrongArgument, word.span, message);
                    }
                    values.push(self.expr(&arg.value, None));
                }
                values
            }
        };
        if values.len() != params.len() {
            let wanted = match params.len() {
                0 => "no argument".to_string(),
                1 => "one argument".to_string(),
                n => format!("{n} arguments"),
            };
            let message = format!("`{}` takes {wanted}, and here it has {}", name.text, values.len());
            let mut d =
                Diagnostic::error(Code::WrongArgumentCount, span, message).also(name.span, "declared here");
            if !params.is_empty() {
                let params: Vec<&str> = params.iter().map(|p| p.text.as_str()).collect();
                d = d.help(format!("write `{}({})`", name.text, params.join(", ")));
            }
            self.draft.messages.report(d);
            return None;
        }
        Some(params.iter().zip(values).collect())
    }

    /// Runs `f` inside a define or procedure, where only its parameters are local names. Reports
    /// recursion.
    pub(crate) fn in_expansion<T>(
        &mut self,
        decl: usize,
        arguments: Vec<(&'a Name, Val)>,
        span: Span,
        f: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.usage.expanded.insert(decl);
        let numbers: Vec<RecursionLevel> =
            arguments.iter().map(|(_, value)| RecursionLevel::from_value(value)).collect();
        if let Some(at) = self.position.expansions.iter().rposition(|outer| outer.decl == decl) {
            match self.goes_down(decl, &self.position.expansions[at].levels, &numbers) {
                Descent::Level => {}
                // The rules don't get here, or the numbers are unknown.
                Descent::Below if self.draft.is_dead() => return None,
                Descent::Unknown => return None,
                Descent::Below => {
                    self.report_below_zero(decl, span);
                    return None;
                }
                Descent::No => {
                    self.report_recursion(decl, span);
                    return None;
                }
            }
        }
        if self.position.expansions.len() >= limits::EXPANSION_DEPTH {
            let d = Diagnostic::error(
                Code::NestedTooDeeply,
                span,
                "defines and procedures are used inside each other too deeply here",
            )
            .note(format!("at most {} may be", limits::EXPANSION_DEPTH))
            .help("use fewer of them inside each other");
            self.draft.messages.report(d);
            return None;
        }
        self.scopes.enter_expansion();
        self.position.expansions.push(Expansion { decl, span, levels: numbers });
        self.draft.messages.enter_use(span, !arguments.is_empty());
        for (name, value) in arguments {
            self.bind(name, Binding::Argument(value));
        }
        let result = f(self);
        self.draft.messages.leave_use();
        self.position.expansions.pop();
        self.scopes.leave_expansion();
        Some(result)
    }

    /// Does a define use itself with a smaller number?
    fn goes_down(&self, decl: usize, before: &[RecursionLevel], now: &[RecursionLevel]) -> Descent {
        if !matches!(self.input.game.decls[decl].kind, DeclKind::Define { .. }) {
            return Descent::No;
        }
        let smaller = |(before, now): (&RecursionLevel, &RecursionLevel)| match (before, now) {
            (RecursionLevel::Number(before), RecursionLevel::Number(now)) if now < before => Some(*now),
            _ => None,
        };
        let levels: Vec<i64> = before.iter().zip(now).filter_map(smaller).collect();
        match levels.iter().max() {
            Some(level) if *level >= 0 => Descent::Level,
            Some(_) => Descent::Below,
            None if before.contains(&RecursionLevel::Unknown) => Descent::Unknown,
            None => Descent::No,
        }
    }

    fn report_below_zero(&mut self, decl: usize, span: Span) {
        let name = self.input.decl_name(decl).unwrap_or_default();
        let message = format!("`{name}` uses itself with a number below 0");
        let d = Diagnostic::error(Code::Cycle, span, message)
            .label("used again here")
            .help("say what it is on the last level: `if depth == 0 then … else …`");
        self.draft.messages.report(d);
    }

    fn report_recursion(&mut self, decl: usize, span: Span) {
        let path = &self.position.expansions;
        let from = path.iter().position(|outer| outer.decl == decl).unwrap_or(0);
        let path = &path[from..];
        let names: Vec<String> = path.iter().filter_map(|outer| self.input.decl_name(outer.decl)).collect();
        let shown: Vec<String> = names.iter().chain(names.first()).map(|n| format!("`{n}`")).collect();
        let mut d = Diagnostic::error(
            Code::Cycle,
            span,
            format!("these use each other in a circle: {}", shown.join(" uses ")),
        )
        .label("used again here")
        .help(
            "only a define can use itself, with a number that gets smaller: `if depth == 0 then … else … f(c, depth - 1)`",
        );
        for outer in path.iter().skip(1) {
            d = d.also(outer.span, "by way of this");
        }
        self.draft.messages.report(d);
    }

    /// Checks the defines and procedures that are never used, with arguments of unknown type.
    pub(crate) fn check_unused_definitions(&mut self) {
        let game = self.input.game;
        for (i, decl) in game.decls.iter().enumerate() {
            if self.usage.expanded.contains(&i) || self.draft.is_exhausted() {
                continue;
            }
            let (DeclKind::Define { params, .. } | DeclKind::Procedure { params, .. }) = &decl.kind else {
                continue;
            };
            let unknown = params.iter().map(|p| (p, Val::Poison)).collect();
            let used = self.usage.names.clone();
            let reads = self.usage.read_slots.clone();
            match &decl.kind {
                DeclKind::Define { name, value, .. } => {
                    let value = self.in_expansion(i, unknown, decl.span, |c| c.expr(value, None));
                    if let Some(value) = &value {
                        self.recorder.give_value(name.span, value);
                    }
                }
                DeclKind::Procedure { body, .. } => {
                    self.context.place = StatementContext::Anywhere;
                    self.in_expansion(i, unknown, decl.span, |c| c.discarded(|c| c.block(body)));
                    self.context.place = StatementContext::Elsewhere;
                }
                _ => {}
            }
            // Uses and reads by unused definitions don't count. Changes do: the warning about the procedure is enough.
            self.usage.names = used;
            self.usage.read_slots = reads;
        }
    }
}
