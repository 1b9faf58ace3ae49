//! Checks `longest_chain(option)`: how often in a row can an option be taken?
//!
//! The option is expanded like a define: for each binding, its effect is tried, and what follows is asked again.

use crate::checker::Checker;
use crate::checker::context::LookAhead;
use crate::draft::Draft;
use crate::expressions::calls::{Args, lone_name};
use crate::expressions::past::first_not_in_trial;
use crate::values::{Val, constant_number};
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax::{self, Block, ChoiceOption, DeclKind, Quantifier, StmtKind as T};
use houserule_model::*;

use super::choice::OptionParts;

impl<'a> Checker<'a> {
    pub(crate) fn longest_chain(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let note = "what a player can do is known while turns are taken";
        self.require_play("longest_chain", note, args.span);
        if self.context.looks_ahead != LookAhead::No {
            let message = "an option that is tried in advance needs the answer itself";
            let d = Diagnostic::error(Code::Cycle, args.span, message).help(
                "`longest_chain` can be asked after `ensuring`, but not in the other parts of such an option",
            );
            self.draft.messages.report(d);
            return None;
        }
        let options = self.options_named(args.plain[0])?;
        let value = self.chain_of(&options, args.span)?;
        // None of the options is ever legal.
        if constant_number(&value).is_some() {
            return Some(Val::sure(value));
        }
        let kind = CheckedExprKind::Chain(Box::new(value));
        Some(Val::sure(self.draft.build(kind, Type::Number, args.span)))
    }

    /// Finds the options of a `choose` that have a name.
    fn options_named(&mut self, e: &'a syntax::Expr) -> Option<Vec<&'a ChoiceOption>> {
        if matches!(e.kind, syntax::ExprKind::Hole) {
            self.draft.messages.add_hole();
            return None;
        }
        let mut choices: Vec<Vec<&'a ChoiceOption>> = vec![];
        for decl in &self.input.game.decls {
            if let DeclKind::Turn(block) | DeclKind::Round(block) | DeclKind::Procedure { body: block, .. } =
                &decl.kind
            {
                collect_choices(block, &mut choices);
            }
        }
        let Some(name) = lone_name(e) else {
            let d = Diagnostic::error(Code::NoChain, e.span, "`longest_chain` needs the name of an option")
                .help("write `longest_chain(jump)` for an option `jump`");
            self.draft.messages.report(d);
            return None;
        };
        let mut known: Vec<&str> = choices.iter().flatten().map(|option| option.name.text.as_str()).collect();
        choices.iter_mut().for_each(|options| options.retain(|option| option.name.text == name.text));
        choices.retain(|options| !options.is_empty());
        match &choices[..] {
            [options] => {
                self.recorder.refer(name.span, options[0].name.span);
                Some(options.clone())
            }
            [] => {
                known.sort_unstable();
                known.dedup();
                let message = format!("there is no option `{}`", name.text);
                let mut d = Diagnostic::error(Code::NoChain, name.span, message);
                d = match did_you_mean(&name.text, known.iter().copied()) {
                    Some(better) => d.help(format!("did you mean `{better}`?")),
                    None => d.help("`longest_chain` asks about an option of a `choose`, by its name"),
                };
                self.draft.messages.report(d);
                None
            }
            [first, second, ..] => {
                let message = format!("several choices have an option `{}`", name.text);
                let d = Diagnostic::error(Code::NoChain, name.span, message)
                    .also(first[0].name.span, "here")
                    .also(second[0].name.span, "and here")
                    .help("give one of them another name");
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// Returns how often in a row `me` can take one of these options, as an expression that asks for the rest.
    fn chain_of(&mut self, options: &[&'a ChoiceOption], span: Span) -> Option<CheckedExpr> {
        let mut binders = options.iter().flat_map(|option| &option.binders);
        if let Some(subset) = binders.find(|b| b.kind != syntax::BinderKind::Element) {
            let message =
                format!("`longest_chain` can't look through the subsets of `{}`", options[0].name.text);
            let d = Diagnostic::error(Code::NoChain, span, message)
                .also(subset.name.span, "this is a subset")
                .help("let the option choose elements");
            self.draft.messages.report(d);
            return None;
        }
        let each = self.expand_ahead(LookAhead::Chain, options.iter().copied(), |draft, option, parts| {
            draft.chain_through(option, parts, span)
        });
        self.draft.balanced(each?, &mut |c, a, b| c.arithmetic(Arithmetic::Max, a, b, span))
    }
}

impl Draft {
    /// Returns the most actions in a row that begin with an option.
    fn chain_through(
        &mut self,
        option: &ChoiceOption,
        parts: OptionParts,
        span: Span,
    ) -> Option<CheckedExpr> {
        let OptionParts { binders, filter, body, .. } = parts;
        self.check_can_be_tried(option, &binders, filter.as_ref(), &body, span)?;
        let rest = self.build(CheckedExprKind::RestOfChain, Type::Number, span);
        let one = self.number_constant(1, span);
        let value = Box::new(self.arithmetic(Arithmetic::Add, rest, one, span));
        let mut most = self.build(CheckedExprKind::Tried { body, value }, Type::Number, span);
        let mut conditions = filter.map_or(vec![], conjuncts);
        for CheckedBinder { local, over, .. } in binders.into_iter().rev() {
            // A condition is tested as soon as all that it names is bound.
            let here = conditions.extract_if(.., |condition| uses_local(condition, local)).collect();
            most = self.only_where(here, most, span);
            most = self.quantified(Quantifier::Max, local, over, most, Type::Number, span);
        }
        Some(self.only_where(conditions, most, span))
    }

    /// Returns a number if all conditions hold, and 0 otherwise.
    fn only_where(&mut self, conditions: Vec<CheckedExpr>, number: CheckedExpr, span: Span) -> CheckedExpr {
        conditions.into_iter().rev().fold(number, |number, condition| {
            let none = Box::new(self.number_constant(0, span));
            let kind = CheckedExprKind::If(Box::new(condition), Box::new(number), none);
            self.build(kind, Type::Number, span)
        })
    }

    /// Reports what can't be tried in advance.
    fn check_can_be_tried(
        &mut self,
        option: &ChoiceOption,
        binders: &[CheckedBinder],
        filter: Option<&CheckedExpr>,
        body: &CheckedBlock,
        span: Span,
    ) -> Option<()> {
        let name = &option.name.text;
        if let Some((word, at)) = first_not_in_trial(body, &self.model.hooks) {
            let message = format!("`{name}` contains `{word}`, so it can't be tried in advance");
            let d = Diagnostic::error(Code::NoChain, span, message)
                .also(at, "here")
                .note("a chain is looked for by trying the option again and again and undoing it, so the option can't contain a choice, a roll or draw, or leave the turn")
                .help(format!("move `{word}` after the `choose`"));
            self.messages.report(d);
            return None;
        }
        let mut wrong: Option<(&str, Span)> = None;
        let mut look = |e: &CheckedExpr| {
            walk::expr(e, &mut |e| match &e.kind {
                CheckedExprKind::Repeated { .. } => {
                    wrong.get_or_insert(("earlier positions", e.span));
                }
                CheckedExprKind::Call { .. } => {
                    wrong.get_or_insert(("a script", e.span));
                }
                _ => {}
            });
        };
        binders.iter().map(|binder| &binder.over).chain(filter).for_each(&mut look);
        let mut calls = None;
        walk::stmts(&self.model, body, &mut |stmt| {
            walk::own_exprs(&self.model, stmt).into_iter().for_each(&mut look);
            if let CheckedStmtKind::Call { .. } = stmt.kind {
                calls = Some(("a script", stmt.span));
            }
        });
        let Some((what, at)) = wrong.or(calls) else { return Some(()) };
        let message = format!("`{name}` asks for {what}, so it can't be tried in advance");
        let d = Diagnostic::error(Code::NoChain, span, message)
            .also(at, "here")
            .help("move it to `ensuring`, which a chain doesn't ask, or to another step");
        self.messages.report(d);
        None
    }
}

/// Adds the options of each choice in a block.
fn collect_choices<'a>(block: &'a Block, all: &mut Vec<Vec<&'a ChoiceOption>>) {
    for stmt in &block.stmts {
        if let T::Choose(choose) = &stmt.kind {
            all.push(choose.options.iter().flatten().collect());
        }
        stmt.blocks().into_iter().for_each(|inner| collect_choices(inner, all));
    }
}

/// Returns the parts of a condition that are joined by `and`.
fn conjuncts(condition: CheckedExpr) -> Vec<CheckedExpr> {
    match condition.kind {
        CheckedExprKind::And(a, b) => [conjuncts(*a), conjuncts(*b)].concat(),
        _ => vec![condition],
    }
}

fn uses_local(e: &CheckedExpr, local: LocalId) -> bool {
    let mut uses = false;
    walk::expr(e, &mut |e| uses |= matches!(e.kind, CheckedExprKind::Local(it) if it == local));
    uses
}
