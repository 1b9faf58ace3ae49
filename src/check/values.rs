//! What the checker knows of a checked expression: its value, whether it may be none, and the dice or copies that it
//! stands for.

use houserule_language::diagnostic::Span;
use houserule_model::board::BitSet;
use houserule_model::*;

/// Whether an element may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum May {
    /// It is never none.
    Never,
    /// It could be none, and a test has shown that it isn't. Where a test is written again, it stays an element that
    /// could be none.
    Tested,
    /// It may be none. With the place of the expression that brings this in, as far as it is known.
    Maybe(Option<Span>),
}

impl May {
    /// Returns `true` if it may be none here.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, May::Maybe(_))
    }
}

/// Dice as a whole.
#[derive(Clone, Debug)]
pub(crate) struct DiceValue {
    /// The slot of the dice.
    pub(crate) slot: SlotId,
    /// The index, without the die's.
    pub(crate) index: Vec<CheckedExpr>,
    /// Number of dice.
    pub(crate) count: u32,
}

/// Copies that an option chooses, of which equal ones are not told apart.
#[derive(Clone, Debug)]
pub(crate) struct PartValue {
    /// The kind of each copy.
    pub(crate) kinds: Vec<CheckedExpr>,
    /// The domain of the kinds.
    pub(crate) domain: DomainId,
    /// The zone that they lie in.
    pub(crate) zone: Target,
}

/// The result of checking an expression. Some get their type from the context.
#[derive(Clone, Debug)]
pub(crate) enum Val {
    /// An expression of the model.
    Expr(CheckedExpr, May),
    /// `none`, its domain still unknown.
    None(Span),
    /// `{}`, its domain still unknown.
    EmptySet(Span),
    /// `{1, 3}`: numbers, their domain still unknown.
    Numbers(Vec<CheckedExpr>, Span),
    /// The name of a value of several enums.
    Ambiguous(String, Span),
    /// A map from integers to points.
    Points(PointsTable),
    /// Dice as a whole.
    Dice(DiceValue, Span),
    /// Copies that an option chooses.
    Part(PartValue),
    /// A list in parentheses, each value with its location.
    List(Vec<(Val, Span)>, Span),
    /// An error that has been reported.
    Poison,
}

impl Val {
    /// Wraps an expression that is never none.
    pub(crate) fn sure(expr: CheckedExpr) -> Val {
        Val::Expr(expr, May::Never)
    }

    /// Wraps an element that may be none, unless it is a constant.
    pub(crate) fn maybe(expr: CheckedExpr) -> Val {
        let sure = matches!(expr.kind, CheckedExprKind::Constant(Value::Element(Some(_))));
        Val::Expr(expr, if sure { May::Never } else { May::Maybe(None) })
    }

    /// The domain of an element or a set, if known.
    pub(crate) fn domain(&self) -> Option<DomainId> {
        match self {
            Val::Expr(e, _) => match e.ty {
                Type::Element(d) | Type::Set(d) => Some(d),
                _ => None,
            },
            Val::Part(part) => Some(part.domain),
            _ => None,
        }
    }

    pub(crate) fn ty(&self) -> Option<Type> {
        match self {
            Val::Expr(e, _) => Some(e.ty),
            _ => None,
        }
    }
}

/// The domain of a set, or `None` for another type.
pub(crate) fn set_domain(e: &CheckedExpr) -> Option<DomainId> {
    match e.ty {
        Type::Set(d) => Some(d),
        _ => None,
    }
}

/// The value of a constant truth value.
pub(crate) fn constant_truth(e: &CheckedExpr) -> Option<bool> {
    match e.kind {
        CheckedExprKind::Constant(Value::Bool(b)) => Some(b),
        _ => None,
    }
}

/// The value of a constant set.
pub(crate) fn constant_set(e: &CheckedExpr) -> Option<&BitSet> {
    match &e.kind {
        CheckedExprKind::Constant(Value::Set(s)) => Some(s),
        _ => None,
    }
}

/// The value of a constant number.
pub(crate) fn constant_number(e: &CheckedExpr) -> Option<i64> {
    match e.kind {
        CheckedExprKind::Constant(Value::Number(n)) => Some(n),
        _ => None,
    }
}
