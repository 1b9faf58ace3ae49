//! Calls of defines, of a board's name for a cell, and of built-in functions.

use super::value::{DiceValue, Val};
use crate::check::Checker;
use crate::check::names::defines::Use;
use crate::check::names::scope::Entity;
use crate::check::names::words::{ELSEWHERE, FUNCTIONS};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use crate::model::*;
use crate::syntax;
use crate::syntax::{Arg, DeclKind, ExprKind as S, Name};

/// The arguments of a call, split into plain and named ones.
pub(in crate::check) struct Args<'a> {
    /// The name of the function.
    pub(in crate::check) name: &'a Name,
    /// Arguments without a name.
    pub(in crate::check) plain: Vec<&'a syntax::Expr>,
    /// Arguments with a name.
    named: Vec<(&'a Name, &'a syntax::Expr)>,
    /// Source location of the call.
    pub(in crate::check) span: Span,
}

impl<'a> Args<'a> {
    /// The argument with a name, if present.
    pub(in crate::check) fn named(&self, name: &str) -> Option<&'a syntax::Expr> {
        self.named.iter().find(|(n, _)| n.text == name).map(|(_, e)| *e)
    }
}

impl<'a> Checker<'a> {
    pub(in crate::check) fn call(
        &mut self,
        name: &'a Name,
        args: &'a [Arg],
        span: Span,
        want: Option<DomainId>,
    ) -> Val {
        match self.entity(&name.text, name.span) {
            Some(Entity::Define(decl)) => return self.expand(decl, Use::Call(args), span),
            Some(Entity::Board(board)) => {
                let args = split(name, args, span);
                return self.cell_at(board, &args);
            }
            Some(Entity::Procedure(_)) => {
                let message = format!("`{}` is a procedure and has no value", name.text);
                let d = Diagnostic::error(Code::NotAValue, name.span, message)
                    .help("use it as a statement, or write a `define`");
                self.report(d);
                return Val::Poison;
            }
            Some(Entity::Poison) => {
                self.each_argument(args);
                return Val::Poison;
            }
            Some(_) if !FUNCTIONS.contains(&name.text.as_str()) => {
                let d = Diagnostic::error(
                    Code::NotAFunction,
                    name.span,
                    format!("`{}` is not a function", name.text),
                )
                .help(format!("an index is written in brackets: `{}[…]`", name.text));
                self.report(d);
                self.each_argument(args);
                return Val::Poison;
            }
            _ => {}
        }
        if name.text == "components" {
            let message = "`components` gives several sets, but one value is needed here";
            let d = Diagnostic::error(Code::Misplaced, span, message)
                .help("go over them: `for k in components(s) { … }`");
            self.report(d);
            self.each_argument(args);
            return Val::Poison;
        }
        if !FUNCTIONS.contains(&name.text.as_str()) {
            self.unknown_function(name);
            self.each_argument(args);
            return Val::Poison;
        }
        let args = split(name, args, span);
        self.builtin(&args, want).unwrap_or(Val::Poison)
    }

    fn each_argument(&mut self, args: &'a [Arg]) {
        for arg in args {
            self.expr(&arg.value, None);
        }
    }

    fn unknown_function(&mut self, name: &Name) {
        if self.silent() {
            return;
        }
        let defines = self.game.decls.iter().filter_map(|d| match &d.kind {
            DeclKind::Define { name, .. } => Some(name.text.as_str()),
            _ => None,
        });
        let known: Vec<&str> = defines.chain(FUNCTIONS).collect();
        let better = did_you_mean(&name.text, known).map(str::to_string);
        let message = format!("there is no function or define `{}`", name.text);
        let mut d = Diagnostic::error(Code::UnknownFunction, name.span, message).label("not declared");
        if let Some(better) = better {
            d = d.help(format!("did you mean `{better}`?"));
        } else if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name.text) {
            d = d.help(format!("here it is called {ours}"));
        } else {
            d = d.help(format!("to give it a meaning, declare `define {}(…) = …`", name.text));
        }
        self.report(d);
    }

    /// Reports an error unless the number of plain arguments is allowed.
    pub(in crate::check) fn takes(
        &mut self,
        args: &Args<'a>,
        least: usize,
        most: usize,
        form: &str,
    ) -> Option<()> {
        let n = args.plain.len();
        if n >= least && n <= most {
            return Some(());
        }
        let name = &args.name.text;
        let wanted = match (least, most) {
            (0, 0) => "no argument".to_string(),
            (1, 1) => "one argument".to_string(),
            (a, b) if a == b => format!("{a} arguments"),
            (a, usize::MAX) => format!("at least {a} arguments"),
            (a, b) => format!("{a} to {b} arguments"),
        };
        let d = Diagnostic::error(
            Code::WrongArgumentCount,
            args.span,
            format!("`{name}` takes {wanted}, and here it has {n}"),
        )
        .help(format!("write `{form}`"));
        self.report(d);
        None
    }

    /// Reports named arguments that the function doesn't have.
    pub(in crate::check) fn only_named(&mut self, args: &Args<'a>, known: &[&str]) {
        for (name, _) in &args.named {
            if !known.contains(&name.text.as_str()) {
                let message = format!("`{}` has no `{}:`", args.name.text, name.text);
                let mut d = Diagnostic::error(Code::WrongArgument, name.span, message);
                if let Some(better) = did_you_mean(&name.text, known.iter().copied()) {
                    d = d.help(format!("did you mean `{better}:`?"));
                }
                self.report(d);
            }
        }
    }

    fn builtin(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        let name = args.name.text.as_str();
        match name {
            "lines" | "longest" | "runs" => self.only_named(args, &["along"]),
            "repeated" => self.only_named(args, &["of"]),
            _ => self.only_named(args, &[]),
        }
        let span = args.span;
        match name {
            "abs" => {
                self.takes(args, 1, 1, "abs(n)")?;
                let n = self.number_of(args.plain[0])?;
                let twin = self.copy(&n);
                let negative = self.mk(ExprKind::Negate(Box::new(twin)), Type::Number, span);
                Some(Val::sure(self.arithmetic(Arithmetic::Max, n, negative, span)))
            }
            "min" | "max" => self.least_or_most(args),
            "sum" => {
                self.takes(args, 1, 1, "sum(dice)")?;
                let dice = self.dice(args.plain[0])?;
                let all = self.each_die(&dice, span);
                Some(Val::sure(self.sum_of(all, span)))
            }
            "count" => self.count(args),
            "repeated" => self.repeated(args),
            "faces" => self.faces(args),
            "double" => {
                self.takes(args, 1, 1, "double(dice)")?;
                let value = self.expr(args.plain[0], None);
                Some(self.double(value, args.plain[0].span, span))
            }
            "some" | "nothing" => {
                self.takes(args, 1, 1, &format!("{name}(s)"))?;
                let (set, _) = self.over(args.plain[0], None)?;
                let some = self.is_some(set, span);
                Some(Val::sure(if name == "some" { some } else { self.not(some) }))
            }
            "other" => {
                self.takes(args, 1, 1, "other(p)")?;
                let player = self.player(args.plain[0])?;
                Some(self.other_than(player, span))
            }
            "after" => {
                self.takes(args, 1, 2, "after(p)")?;
                let player = self.player(args.plain[0])?;
                let among = match args.plain.get(1) {
                    Some(e) => Some(Box::new(self.set_of(e, Some(PLAYER))?.0)),
                    None => None,
                };
                let all = among.is_none();
                let kind = ExprKind::After { player: Box::new(player), among };
                let e = self.mk(kind, Type::Element(PLAYER), span);
                Some(if all { Val::sure(e) } else { Val::maybe(e) })
            }
            "owner" => self.owner(args),
            _ => self.on_sites(args, want),
        }
    }

    /// Checks an expression that must be a player.
    pub(in crate::check) fn player(&mut self, e: &'a syntax::Expr) -> Option<Expr> {
        let value = self.expr(e, Some(PLAYER));
        self.some_element(value, PLAYER, e.span)
    }

    fn least_or_most(&mut self, args: &Args<'a>) -> Option<Val> {
        let name = args.name.text.as_str();
        self.takes(args, 1, usize::MAX, &format!("{name}(a, b)"))?;
        let op = if name == "min" { Arithmetic::Min } else { Arithmetic::Max };
        let span = args.span;
        let numbers = if let [only] = args.plain[..] {
            let dice = self.dice(only)?;
            self.each_die(&dice, span)
        } else {
            let all: Vec<Option<Expr>> = args.plain.iter().map(|e| self.number_of(e)).collect();
            all.into_iter().collect::<Option<Vec<Expr>>>()?
        };
        self.balanced(numbers, &mut |c, a, b| c.arithmetic(op, a, b, span)).map(Val::sure)
    }

    fn count(&mut self, args: &Args<'a>) -> Option<Val> {
        self.takes(args, 1, 1, "count(s)")?;
        let e = args.plain[0];
        let value = self.expr(e, None);
        if let Val::Dice(dice, _) = &value {
            let n = i64::from(dice.count);
            return Some(Val::sure(self.number_constant(n, args.span)));
        }
        if value.domain() == Some(PLAYER) {
            self.params_read += 1;
        }
        let set = self.set(value, None, e.span)?;
        if let Some(parts) = self.lying(&set) {
            return Some(Val::sure(self.copies_of(parts, args.span)));
        }
        Some(Val::sure(self.mk(ExprKind::Count(Box::new(set)), Type::Number, args.span)))
    }

    /// Checks dice as a whole.
    pub(in crate::check) fn dice(&mut self, e: &'a syntax::Expr) -> Option<DiceValue> {
        let value = self.expr(e, None);
        self.as_dice(value, e.span)
    }

    fn as_dice(&mut self, value: Val, span: Span) -> Option<DiceValue> {
        match value {
            Val::Dice(dice, _) => Some(dice),
            Val::Poison => None,
            other => {
                let found = self.describe(&other);
                let message = format!("expected dice, found {found}");
                let mut d = Diagnostic::error(Code::TypeMismatch, span, message)
                    .note("expected a name declared with `dice`");
                if matches!(other.ty(), Some(Type::Set(_))) {
                    d = d.help("a set says which of the dice: `roll hand among k`");
                }
                self.report(d);
                None
            }
        }
    }

    /// Reads the face of each die.
    pub(in crate::check) fn each_die(&mut self, dice: &DiceValue, span: Span) -> Vec<Expr> {
        let domain = self.die_domain(dice);
        (0..dice.count)
            .map(|die| {
                let mut index: Vec<Expr> = dice.index.iter().map(|e| self.copy(e)).collect();
                index.push(self.constant_element(domain, die, span));
                self.mk(ExprKind::Read(Target { slot: dice.slot, index }), Type::Number, span)
            })
            .collect()
    }

    /// `faces(dice, n)`: the number of dice that show `n`.
    fn faces(&mut self, args: &Args<'a>) -> Option<Val> {
        self.takes(args, 2, 2, "faces(dice, n)")?;
        let dice = self.dice(args.plain[0]);
        let n = self.number_of(args.plain[1]);
        let (dice, n) = (dice?, n?);
        let span = args.span;
        let shown = self.each_die(&dice, span);
        let mut all = vec![];
        for die in shown {
            let n = self.copy(&n);
            let same = self.compare(ComparisonOperator::Equal, die, n, span);
            let (one, zero) = (self.number_constant(1, span), self.number_constant(0, span));
            let kind = ExprKind::If(Box::new(same), Box::new(one), Box::new(zero));
            all.push(self.mk(kind, Type::Number, span));
        }
        Some(Val::sure(self.sum_of(all, span)))
    }

    /// `double(dice)`: have the dice been rolled, and do all show the same face?
    pub(in crate::check) fn double(&mut self, value: Val, at: Span, span: Span) -> Val {
        let Some(dice) = self.as_dice(value, at) else { return Val::Poison };
        let shown = self.each_die(&dice, span);
        let Some(first) = shown.first().cloned() else { return Val::Poison };
        let zero = self.number_constant(0, span);
        let twin = self.copy(&first);
        let mut all = vec![self.compare(ComparisonOperator::Greater, twin, zero, span)];
        for die in shown.into_iter().skip(1) {
            let first = self.copy(&first);
            all.push(self.compare(ComparisonOperator::Equal, first, die, span));
        }
        match self.balanced(all, &mut |c, a, b| c.and(a, b, span)) {
            Some(e) => Val::sure(e),
            None => Val::Poison,
        }
    }
}

pub(in crate::check) fn split<'a>(name: &'a Name, args: &'a [Arg], span: Span) -> Args<'a> {
    let plain = args.iter().filter(|a| a.name.is_none()).map(|a| &a.value).collect();
    let named = args.iter().filter_map(|a| a.name.as_ref().map(|n| (n, &a.value))).collect();
    Args { name, plain, named, span }
}

/// A single name, such as `four` or `north`.
pub(in crate::check) fn lone_word(e: &syntax::Expr) -> Option<&str> {
    match &e.kind {
        S::Name(word) => Some(word),
        _ => None,
    }
}
