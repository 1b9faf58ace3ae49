//! Values that must be known when the rules are loaded: integers, booleans and tables of points.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::mentioned::each_name;
use crate::values::{Val, constant_number, constant_truth};
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax;
use houserule_language::syntax::MapEntry;
use houserule_model::*;
use std::ops::RangeInclusive;

/// A value in the syntax of rule files.
pub(crate) fn written(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(n) => n.to_string(),
        ParamValue::Word(w) => w.clone(),
        ParamValue::Bool(b) => b.to_string(),
        ParamValue::Table(points) => {
            let entries = points.entries.iter().map(|(k, v)| format!("{k}: {v}"));
            let all: Vec<String> =
                entries.chain(points.and_more.map(|(k, v)| format!("{k}+: {v}"))).collect();
            format!("[{}]", all.join(", "))
        }
    }
}

impl<'a> Checker<'a> {
    /// Checks an expression that must be a constant integer.
    pub(crate) fn constant(&mut self, e: &'a syntax::Expr, what: &str) -> Option<i64> {
        let value = self.expr(e, None);
        let number = self.number(value, e.span)?;
        let n = constant_number(&number);
        if n.is_none() {
            self.draft.messages.report_not_constant(e.span, what);
        }
        n
    }

    /// Checks an expression that must be a constant integer within limits.
    pub(crate) fn constant_between(
        &mut self,
        e: &'a syntax::Expr,
        what: &str,
        range: RangeInclusive<i64>,
        code: Code,
    ) -> Option<i64> {
        let n = self.constant(e, what)?;
        if !range.contains(&n) {
            let (bound, limit, label) = match n > *range.end() {
                true => ("at most", range.end(), "maximum"),
                false => ("at least", range.start(), "minimum"),
            };
            let d = Diagnostic::error(code, e.span, format!("{what} must be {bound} {limit}, found {n}"))
                .label(format!("the {label} is {limit}"));
            self.draft.messages.report(d);
            return None;
        }
        Some(n)
    }

    /// Checks an expression that must be a constant boolean.
    pub(crate) fn constant_condition(&mut self, e: &'a syntax::Expr, what: &str) -> Option<bool> {
        let value = self.expr(e, None);
        let truth = self.draft.truth(value, e.span)?;
        let known = constant_truth(&truth);
        if known.is_none() {
            self.draft.messages.report_not_constant(e.span, what);
        }
        known
    }

    /// Checks `[3: 1, 6+: 40]` as points.
    pub(super) fn points_map(&mut self, entries: &'a [MapEntry]) -> Val {
        let mut points = PointsTable::default();
        let mut whole = true;
        for entry in entries {
            let key = self.constant(&entry.key, "a key of a table of points");
            let value = self.constant(&entry.value, "a value of a table of points");
            let (Some(key), Some(value)) = (key, value) else {
                whole = false;
                continue;
            };
            if points.entries.iter().any(|(k, _)| *k == key) || points.and_more.is_some_and(|(k, _)| key >= k)
            {
                let d = Diagnostic::error(
                    Code::DuplicateKey,
                    entry.key.span,
                    format!("this table has {key} already"),
                )
                .help("leave one of the two out");
                self.draft.messages.report(d);
                whole = false;
            } else if entry.and_more {
                if points.entries.iter().any(|(k, _)| *k > key) {
                    let message = format!("`{key}+` covers a key before it");
                    self.draft.messages.error(Code::DuplicateKey, entry.key.span, message);
                    whole = false;
                }
                points.and_more = Some((key, value));
            } else {
                points.entries.push((key, value));
            }
        }
        points.entries.sort_unstable();
        if whole { Val::Points(points) } else { Val::Poison }
    }

    /// Tests each `require COND "reason"`.
    pub(crate) fn requires(&mut self) {
        let game = self.input.game;
        for decl in &game.decls {
            let syntax::DeclKind::Require(condition) = &decl.kind else { continue };
            if let Some(false) = self.in_isolation(|c| c.constant_condition(condition, "what is required")) {
                let why = decl.help.as_ref().map(|h| h.text.as_str()).filter(|t| !t.is_empty());
                let message = match why {
                    Some(why) => format!("these params don't go together: {why}"),
                    None => "these params don't go together".into(),
                };
                let mut d = Diagnostic::error(Code::RequireFailed, condition.span, message)
                    .label("this does not hold");
                let values = self.draft.params_in(condition);
                if !values.is_empty() {
                    d = d.note(format!("with {}", values.join(", ")));
                }
                // A variant that sets a param may be in another file; the message shows it.
                let mut named = vec![];
                each_name(condition, &mut |name| named.push(name.to_string()));
                for decl in &game.decls {
                    if let syntax::DeclKind::Param(param) = &decl.kind
                        && let Some(value) = &param.value
                        && value.span.file != condition.span.file
                        && named.contains(&param.name.text)
                    {
                        d = d.also(value.span, format!("`{}` is set here", param.name.text));
                    }
                }
                self.draft.messages.report(d.help("change a param so that it holds"));
            }
        }
    }
}

impl Draft {
    /// The params that an expression names, with their values.
    fn params_in(&self, e: &syntax::Expr) -> Vec<String> {
        let mut names = vec![];
        each_name(e, &mut |name| names.push(name.to_string()));
        let mut shown: Vec<String> = vec![];
        for param in self.params.values().filter(|p| names.contains(&p.name)) {
            shown.push(format!("{} = {}", param.name, written(&param.value)));
        }
        shown
    }
}
