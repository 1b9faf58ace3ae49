//! Expansion of defines and procedures at each use, with the arguments of that use. Unused definitions
//! are checked, too.

use super::scope::{Binding, Scope};
use crate::checker::Checker;
use crate::checker::value::{Fact, May, Val, constant_number};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{Arg, DeclKind, Name};
use houserule_language::vocabulary::{BuiltInName, Function};
use houserule_model::{CheckedExprKind, Content, LocalId, Role, Type};

/// The form in which a define is used.
pub(crate) enum Use<'a> {
    /// The name alone.
    Name,
    /// `f(a, b)`
    Call(&'a [Arg]),
    /// `a is f`
    Is(Val),
}

/// An argument of a define, as far as it can say how often the define uses itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecursionLevel {
    /// A number that is known when the rules are loaded.
    Number(i64),
    /// An error, or a parameter of a define that nothing uses.
    Unknown,
    Other,
}

impl RecursionLevel {
    fn of(value: &Val) -> RecursionLevel {
        match value {
            Val::Expr(e, _) => constant_number(e).map_or(RecursionLevel::Other, RecursionLevel::Number),
            Val::Poison => RecursionLevel::Unknown,
            _ => RecursionLevel::Other,
        }
    }
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
        let DeclKind::Define { name, params, value, .. } = &self.game.decls[decl].kind else {
            return Val::Poison;
        };
        let plain = params.is_empty();
        let Some(arguments) = self.arguments(name, params, how, span) else { return Val::Poison };
        let value = self.inside(decl, arguments, span, |c| c.expr(value, None));
        if let Some(value) = &value {
            self.recorder.give_value(name.span, value);
        }
        match value {
            Some(Val::Expr(e, May::Maybe(fact))) if plain => {
                let own = Fact::Define(decl);
                let known = self.knows(own) || fact.is_some_and(|f| self.knows(f));
                Val::Expr(e, if known { May::Never } else { May::Maybe(Some(own)) })
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
                        self.error(Code::WrongArgument, word.span, message);
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
            self.report(d);
            return None;
        }
        Some(params.iter().zip(values).collect())
    }

    /// Runs `f` inside a define or procedure, where only its parameters are local names. Reports
    /// recursion.
    pub(crate) fn inside<T>(
        &mut self,
        decl: usize,
        arguments: Vec<(&'a Name, Val)>,
        span: Span,
        f: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.expanded.insert(decl);
        let numbers: Vec<RecursionLevel> =
            arguments.iter().map(|(_, value)| RecursionLevel::of(value)).collect();
        if let Some(at) = self.expanding.iter().rposition(|(d, _)| *d == decl) {
            match self.goes_down(decl, &self.levels[at], &numbers) {
                Descent::Level => {}
                // The rules don't get here, or the numbers are unknown.
                Descent::Below if self.dead > 0 => return None,
                Descent::Unknown => return None,
                Descent::Below => {
                    self.below_zero(decl, span);
                    return None;
                }
                Descent::No => {
                    self.recursion(decl, span);
                    return None;
                }
            }
        }
        if self.expanding.len() >= limits::EXPANSION_DEPTH {
            let d = Diagnostic::error(
                Code::NestedTooDeeply,
                span,
                "defines and procedures are used inside each other too deeply here",
            )
            .note(format!("at most {} may be", limits::EXPANSION_DEPTH))
            .help("use fewer of them inside each other");
            self.report(d);
            return None;
        }
        self.frames.push(Scope::default());
        self.expanding.push((decl, span));
        self.levels.push(numbers);
        for (name, value) in arguments {
            let number = self.next_argument;
            self.next_argument += 1;
            self.bind(name, Binding::Argument(value, number));
        }
        let result = f(self);
        self.expanding.pop();
        self.levels.pop();
        self.frames.pop();
        Some(result)
    }

    /// Does a define use itself with a smaller number?
    fn goes_down(&self, decl: usize, before: &[RecursionLevel], now: &[RecursionLevel]) -> Descent {
        if !matches!(self.game.decls[decl].kind, DeclKind::Define { .. }) {
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

    fn below_zero(&mut self, decl: usize, span: Span) {
        let name = self.decl_name(decl).unwrap_or_default();
        let message = format!("`{name}` uses itself with a number below 0");
        let d = Diagnostic::error(Code::Cycle, span, message)
            .label("used again here")
            .help("say what it is on the last level: `if depth == 0 then … else …`");
        self.report(d);
    }

    fn recursion(&mut self, decl: usize, span: Span) {
        let from = self.expanding.iter().position(|(d, _)| *d == decl).unwrap_or(0);
        let path = self.expanding[from..].to_vec();
        let names: Vec<String> = path.iter().filter_map(|(d, _)| self.decl_name(*d)).collect();
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
        for (_, used) in path.iter().skip(1) {
            d = d.also(*used, "by way of this");
        }
        self.report(d);
    }

    /// Checks the defines and procedures that are never used, with arguments of unknown type.
    pub(crate) fn check_unused_definitions(&mut self) {
        let game = self.game;
        for (i, decl) in game.decls.iter().enumerate() {
            if self.expanded.contains(&i) || self.exhausted {
                continue;
            }
            let (DeclKind::Define { params, .. } | DeclKind::Procedure { params, .. }) = &decl.kind else {
                continue;
            };
            let unknown = params.iter().map(|p| (p, Val::Poison)).collect();
            let used = self.used.clone();
            let reads = self.read_slots.clone();
            match &decl.kind {
                DeclKind::Define { name, value, .. } => {
                    let value = self.inside(i, unknown, decl.span, |c| c.expr(value, None));
                    if let Some(value) = &value {
                        self.recorder.give_value(name.span, value);
                    }
                }
                DeclKind::Procedure { body, .. } => {
                    self.place = crate::checker::place::StatementContext::Anywhere;
                    self.inside(i, unknown, decl.span, |c| c.discarded(|c| c.block(body)));
                    self.place = crate::checker::place::StatementContext::Elsewhere;
                }
                _ => {}
            }
            // Uses and reads by unused definitions don't count.
            self.used = used;
            self.read_slots = reads;
        }
    }

    /// The facts that hold if a condition is true, or if it is false.
    pub(crate) fn facts_of(&self, e: &syntax::Expr, truth: bool) -> Vec<Fact> {
        use syntax::{BinaryOp, ComparisonOperator as C, ExprKind as S, UnaryOp};
        match &e.kind {
            S::Is { value, negated, name } => match name.text.as_str() {
                "some" if truth != *negated => self.facts_of_name(value),
                "nothing" if truth == *negated => self.facts_of_name(value),
                _ => vec![],
            },
            S::Unary(UnaryOp::Not, inner) => self.facts_of(inner, !truth),
            S::Binary(BinaryOp::And, a, b) if truth => {
                let mut facts = self.facts_of(a, true);
                facts.extend(self.facts_of(b, true));
                facts
            }
            S::Binary(BinaryOp::Or, a, b) if !truth => {
                let mut facts = self.facts_of(a, false);
                facts.extend(self.facts_of(b, false));
                facts
            }
            S::Binary(BinaryOp::Compare(op @ (C::Equal | C::NotEqual)), a, b) => {
                let some = (*op == C::NotEqual) == truth;
                match (&a.kind, &b.kind) {
                    (_, S::None) if some => self.facts_of_name(a),
                    (S::None, _) if some => self.facts_of_name(b),
                    // A set with a number of elements isn't empty.
                    (S::Call(..), S::Number(n)) if some == (*n == 0) => self.facts_of_counted(a),
                    // The owner that is a player is some.
                    (S::Call(..), _) if !some && self.is_one(b) && !self.may_be_missing(b) => {
                        self.facts_of_name(a)
                    }
                    (_, S::Call(..)) if !some && self.is_one(a) && !self.may_be_missing(a) => {
                        self.facts_of_name(b)
                    }
                    // A field that equals something is some.
                    (S::Field(..), other) | (other, S::Field(..)) if !some && !matches!(other, S::None) => {
                        let mut facts = self.facts_of_name(a);
                        facts.extend(self.facts_of_name(b));
                        facts
                    }
                    _ => vec![],
                }
            }
            S::Binary(BinaryOp::Compare(op), a, b) if truth => {
                // What is compared is some.
                let fields = [a, b].into_iter().filter(|side| matches!(side.kind, S::Field(..)));
                let mut facts: Vec<Fact> = fields.flat_map(|side| self.facts_of_name(side)).collect();
                if let S::Number(n) = b.kind
                    && (*op == C::Greater && n >= 0 || *op == C::GreaterEqual && n >= 1)
                {
                    facts.extend(self.facts_of_counted(a));
                }
                facts
            }
            S::Binary(BinaryOp::In, a, b) if truth => self.facts_of_member(a, b),
            S::Binary(BinaryOp::NotIn, a, b) if !truth => self.facts_of_member(a, b),
            _ => vec![],
        }
    }

    /// What follows if `a in b` holds: an element of a set isn't none, the set isn't empty, and an element of a
    /// player's zone has an owner.
    fn facts_of_member(&self, a: &syntax::Expr, b: &syntax::Expr) -> Vec<Fact> {
        let mut facts = self.facts_of_name(a);
        // An empty set is in every set.
        facts.retain(|fact| match fact {
            Fact::Slot(slot) => !matches!(self.model.slots[slot.index()].content, Content::Set(_)),
            Fact::Local(local) => !matches!(self.model.locals[local.index()].ty, Type::Set(_)),
            _ => true,
        });
        if self.is_one(a) {
            facts.extend(self.facts_of_set(b));
            if self.is_owned(b) {
                facts.extend(self.local_of(a).map(Fact::Owner));
            }
        }
        facts
    }

    /// What follows if the set that a name stands for has an element. A define is left out: it may become empty without
    /// an assignment.
    fn facts_of_set(&self, e: &syntax::Expr) -> impl Iterator<Item = Fact> {
        self.facts_of_name(e).into_iter().filter(|fact| !matches!(fact, Fact::Define(_)))
    }

    /// What follows for a local that is an element of a set.
    pub(crate) fn facts_of_element(&self, local: LocalId, over: &syntax::Expr) -> Vec<Fact> {
        self.facts_of_set(over).chain(self.is_owned(over).then_some(Fact::Owner(local))).collect()
    }

    /// Returns `true` for a name that stands for an element, and not for a set.
    fn is_one(&self, e: &syntax::Expr) -> bool {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return false };
        match self.local(text) {
            Some(Binding::Local(local, _)) => {
                matches!(self.model.locals[local.index()].ty, Type::Element(_) | Type::Number)
            }
            Some(Binding::Argument(value, _)) => {
                matches!(value.ty(), Some(Type::Element(_) | Type::Number))
            }
            None => matches!(
                BuiltInName::named(text),
                Some(BuiltInName::Me | BuiltInName::Mover | BuiltInName::Starter)
            ),
        }
    }

    /// Returns `true` if a name that stands for an element may be `none`.
    fn may_be_missing(&self, e: &syntax::Expr) -> bool {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return true };
        match self.local(text) {
            Some(Binding::Local(local, may)) => *may && !self.knows(Fact::Local(*local)),
            Some(Binding::Argument(value, _)) => !matches!(value, Val::Expr(_, May::Never)),
            None => false,
        }
    }

    /// The local that a name stands for.
    fn local_of(&self, e: &syntax::Expr) -> Option<LocalId> {
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return None };
        match self.local(text)? {
            Binding::Local(local, _) => Some(*local),
            Binding::Argument(Val::Expr(e, _), _) => match e.kind {
                CheckedExprKind::Local(local) => Some(local),
                _ => None,
            },
            Binding::Argument(..) => None,
        }
    }

    /// What follows if `count(S)` isn't 0.
    fn facts_of_counted(&self, e: &syntax::Expr) -> Vec<Fact> {
        match &e.kind {
            syntax::ExprKind::Call(name, args) if name.text == Function::Count.name() => match &args[..] {
                [only] => self.facts_of_name(&only.value),
                _ => vec![],
            },
            _ => vec![],
        }
    }

    /// Returns `true` if a set that a name stands for has an element here.
    pub(crate) fn is_known_to_be_some(&self, e: &syntax::Expr) -> bool {
        let lasts = |fact: &Fact| match fact {
            Fact::Slot(slot) => self.model.slots[slot.index()].role == Role::Variable,
            _ => true,
        };
        self.facts_of_name(e).into_iter().any(|fact| lasts(&fact) && self.knows(fact))
    }

    /// The facts that show that a field of a named element is some.
    pub(crate) fn facts_of_field(&self, base: &syntax::Expr, field: &Name) -> Vec<Fact> {
        let mut owners = self.facts_of_name(base);
        // An argument may stand for a local or a variable, which other names may stand for, too.
        if let syntax::ExprKind::Name(name) = &base.kind
            && let Some(Binding::Argument(Val::Expr(e, _), _)) = self.local(&name.text)
        {
            match &e.kind {
                CheckedExprKind::Local(local) => owners.push(Fact::Local(*local)),
                CheckedExprKind::Read(target) if target.index.is_empty() => {
                    owners.push(Fact::Slot(target.slot))
                }
                _ => {}
            }
        }
        let domain = |fact: &Fact| match fact {
            Fact::Slot(slot) => match self.model.slots[slot.index()].content {
                Content::Element { domain, .. } => Some(domain),
                _ => None,
            },
            Fact::Local(local) => match self.model.locals[local.index()].ty {
                Type::Element(domain) => Some(domain),
                _ => None,
            },
            Fact::Argument(number) => {
                let mut frame = self.frames.last()?.names.iter();
                frame.find_map(|(_, _, binding)| match binding {
                    Binding::Argument(value, of) if of == number => value.domain(),
                    _ => None,
                })
            }
            _ => None,
        };
        let of = |fact: Fact| {
            let field = self.fields.get(&(domain(&fact)?, field.text.clone()))?;
            fact.field(field.table)
        };
        owners.into_iter().filter_map(of).collect()
    }

    fn facts_of_name(&self, e: &syntax::Expr) -> Vec<Fact> {
        use super::scope::{Entity, ResolutionState};
        if let syntax::ExprKind::Field(base, field) = &e.kind {
            return self.facts_of_field(base, field);
        }
        if let syntax::ExprKind::Call(name, args) = &e.kind
            && name.text == Function::Owner.name()
            && let [of] = &args[..]
        {
            return self.local_of(&of.value).map(Fact::Owner).into_iter().collect();
        }
        let syntax::ExprKind::Name(Name { text, .. }) = &e.kind else { return vec![] };
        match self.local(text) {
            Some(Binding::Local(id, _)) => return vec![Fact::Local(*id)],
            Some(Binding::Argument(value, number)) => {
                let mut facts = vec![Fact::Argument(*number)];
                if let Val::Expr(_, May::Maybe(Some(fact))) = value {
                    facts.push(*fact);
                }
                return facts;
            }
            None => {}
        }
        match self.declared.get(text.as_str()).map(|d| &d.state) {
            Some(ResolutionState::Done(Entity::Slot(slot))) => vec![Fact::Slot(*slot)],
            Some(ResolutionState::Done(Entity::Define(decl))) => vec![Fact::Define(*decl)],
            None if text == BuiltInName::Playing.name() => {
                self.model.playing.iter().map(|playing| Fact::Slot(playing.slot)).collect()
            }
            _ => vec![],
        }
    }
}
