//! What a test has shown of an expression, and the message about one that may be none where a value is needed.

use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::messages::contains;
use crate::names::expansions::Expansion;
use crate::names::scopes::Binding;
use crate::values::{May, Val};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::format::print;
use houserule_language::syntax::{self, DeclKind, ExprKind as S};
use houserule_language::vocabulary::Function;

/// The most characters of an expression that a message about `none` repeats.
const LONGEST_TEXT: usize = 60;

impl<'a> Checker<'a> {
    /// The value of an expression after the tests around it. One that may be none remembers which expression this is.
    pub(crate) fn tested(&mut self, e: &'a syntax::Expr, value: Val) -> Val {
        let Val::Expr(checked, May::Maybe(origin)) = value else { return value };
        if self.scopes.knows(&self.draft.model, &checked) {
            // What has a name is a value from here on. Anything else can still be used as a set of at most one.
            return Val::Expr(checked, if is_named(e) { May::Never } else { May::Tested });
        }
        let origin = match &e.kind {
            S::Name(name) if matches!(self.scopes.local(&name.text), Some(Binding::Argument(_))) => origin,
            S::Name(_) => None,
            _ => origin,
        };
        let origin = origin.unwrap_or_else(|| {
            self.optionals.insert(e.span, e);
            e.span
        });
        Val::Expr(checked, May::Maybe(Some(origin)))
    }

    /// Reports an expression that may be none where a value is needed. `origin` is the part that brings this in.
    pub(super) fn report_may_be_none(&mut self, span: Span, origin: Option<Span>) {
        let at = origin.unwrap_or(span);
        let written = self.optionals.get(&at).copied();
        let text = written.map(print::expr).filter(|text| text.chars().count() <= LONGEST_TEXT);
        let what = text.as_ref().map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let message = format!("{what} may be `none`, but a value is needed here");
        let is_passed = !contains(at, span) && !contains(span, at);
        let mut d = match is_passed {
            true => Diagnostic::error(Code::MayBeNone, at, format!("{what} may be `none`"))
                .label("may be `none`")
                .also(span, "a value is needed here"),
            false => Diagnostic::error(Code::MayBeNone, at, message).label("may be `none`"),
        };
        let test = match (&text, self.is_in_statement(is_passed)) {
            (Some(text), true) => format!("test it first: `if {text} is some {{ … }}`"),
            (Some(text), false) => format!("test it first: `if {text} is some then … else …`"),
            (None, in_statement) => {
                let word = if in_statement { "let" } else { "define" };
                format!(
                    "give it a name with `{word} x = …`, or pass it to a `define f(x)`, and test `if x is some` there"
                )
            }
        };
        d = match written.map(|e| &e.kind) {
            Some(S::Field(..)) if text.is_some() => d.help(format!(
                "not every element has this field: test it first, `where {0} is some` or `if {0} is some then … else …`",
                text.unwrap_or_default(),
            )),
            _ if is_passed => d.help(format!("{test}, or test the parameter where it is used")),
            _ => d.help(test),
        };
        self.draft.messages.report(d);
    }

    /// Returns `true` if the current place, or with `outside` the use of the defines around it, is in a statement.
    fn is_in_statement(&self, outside: bool) -> bool {
        let is_define = |expansion: &Expansion| {
            matches!(self.input.game.decls[expansion.decl].kind, DeclKind::Define { .. })
        };
        self.context.place != StatementContext::Elsewhere
            && self.context.place != StatementContext::End
            && (outside || !self.position.expansions.last().is_some_and(is_define))
    }
}

/// Returns `true` for a name, a field of a name, and the owner of what has a name.
fn is_named(e: &syntax::Expr) -> bool {
    match &e.kind {
        S::Name(_) => true,
        S::Field(base, _) => matches!(base.kind, S::Name(_)),
        S::Call(name, args) => name.text == Function::Owner.name() && args.len() == 1,
        _ => false,
    }
}
