//! What the params alone decide: numbers, places and conditions.

use crate::prose::phrases::Wording;
use houserule_game::values::param_text;
use houserule_language::syntax::{
    Arg, BinaryOp, ComparisonOperator as C, DeclKind, Expr, ExprKind, Name, UnaryOp,
};
use houserule_model::fold::divide_down;
use houserule_model::{Param, ParamKind, ParamValue};

impl<'a> Wording<'a> {
    /// Returns the value of a number that depends on the params only.
    pub(super) fn number(&self, e: &Expr) -> Option<i64> {
        self.number_within(e, 2)
    }

    /// Like [`Wording::number`], through at most `depth` nested defines.
    fn number_within(&self, e: &Expr, depth: u32) -> Option<i64> {
        match &e.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name) {
                Some(ParamValue::Number(number)) => Some(*number),
                Some(ParamValue::Word(word)) => word.parse().ok(),
                Some(_) => None,
                None => self.decls.iter().find_map(|decl| match &decl.kind {
                    DeclKind::Define { name: n, params, value, .. }
                        if n.text == *name && params.is_empty() =>
                    {
                        self.number_within(value, depth.checked_sub(1)?)
                    }
                    _ => None,
                }),
            },
            ExprKind::Unary(UnaryOp::Negate, value) => self.number_within(value, depth)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number_within(a, depth)?, self.number_within(b, depth)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    BinaryOp::Divide => divide_down(a, b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Describes a row, a column or a cell that depends on the params only.
    pub(super) fn place(&self, call: &str, args: &[Arg]) -> Option<String> {
        if self.is_define(call) {
            return None;
        }
        let numbers: Vec<i64> = args.iter().map(|arg| self.number(&arg.value)).collect::<Option<_>>()?;
        match (call, numbers.as_slice(), self.model.boards.as_slice()) {
            ("row" | "column", [number], _) => Some(format!("{call} {number}")),
            (call, [column, row], [board]) if call == "cell" || call == board.name => {
                Some(board.topology.site_name(board.topology.site_at(*column, *row)?))
            }
            _ => None,
        }
    }

    /// Returns the value of a condition that the params alone decide, or `None`.
    pub(crate) fn settled(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Bool(value) => Some(*value),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name)? {
                ParamValue::Bool(value) => Some(*value),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Not, value) => self.settled(value).map(|value| !value),
            ExprKind::Binary(BinaryOp::And, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Or, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Compare(op), a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match op {
                    C::Equal => Some(a == b),
                    C::NotEqual => Some(a != b),
                    C::Less | C::LessEqual | C::Greater | C::GreaterEqual => {
                        Some(op.holds(a.parse().ok()?, b.parse().ok()?))
                    }
                }
            }
            _ => None,
        }
    }

    /// Returns the value of the param with this name.
    pub(super) fn param(&self, name: &str) -> Option<&'a ParamValue> {
        self.model.params.iter().find(|param| param.name == name).map(|param| &param.value)
    }

    /// Returns the value of a param, a number, a truth value, or a word that is a value of some param.
    fn constant(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Number(number) => Some(number.to_string()),
            ExprKind::Bool(value) => Some(value.to_string()),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name) {
                Some(value) => Some(param_text(value)),
                None => {
                    let words = |param: &Param| matches!(&param.kind, ParamKind::Choice(words) if words.contains(name));
                    self.model.params.iter().any(words).then(|| name.clone())
                }
            },
            _ => None,
        }
    }
}
