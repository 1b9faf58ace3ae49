//! Prints expressions and types with the fewest parentheses.

use super::quoted;
use crate::syntax::{
    Arg, BinaryOp, ComparisonOperator as C, Expr, ExprKind, MapEntry, TypeExpr, TypeKind, UnaryOp,
};

/// Binding strength of an operator, from the loosest. An operand that binds less tightly gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Any,
    Or,
    And,
    Not,
    Compare,
    Range,
    Sum,
    Term,
    Unary,
    Postfix,
}

/// An expression.
pub fn expr(e: &Expr) -> String {
    at_least(e, Level::Any)
}

/// A list of expressions separated by commas.
pub(super) fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

/// An index in brackets; empty for an empty list.
pub(super) fn index(list: &[Expr]) -> String {
    if list.is_empty() { String::new() } else { format!("[{}]", exprs(list)) }
}

/// An expression, in parentheses if it binds less tightly than `level`.
pub(super) fn at_least(e: &Expr, level: Level) -> String {
    let text = bare(e);
    if binding(&e.kind) < level { format!("({text})") } else { text }
}

/// An expression, in parentheses unless it binds more tightly than `level`.
fn above(e: &Expr, level: Level) -> String {
    let text = bare(e);
    if binding(&e.kind) <= level { format!("({text})") } else { text }
}

fn operator(op: BinaryOp) -> (&'static str, Level) {
    match op {
        BinaryOp::Or => ("or", Level::Or),
        BinaryOp::And => ("and", Level::And),
        BinaryOp::Compare(C::Equal) => ("==", Level::Compare),
        BinaryOp::Compare(C::NotEqual) => ("!=", Level::Compare),
        BinaryOp::Compare(C::Less) => ("<", Level::Compare),
        BinaryOp::Compare(C::LessEqual) => ("<=", Level::Compare),
        BinaryOp::Compare(C::Greater) => (">", Level::Compare),
        BinaryOp::Compare(C::GreaterEqual) => (">=", Level::Compare),
        BinaryOp::In => ("in", Level::Compare),
        BinaryOp::NotIn => ("not in", Level::Compare),
        BinaryOp::Add => ("+", Level::Sum),
        BinaryOp::Subtract => ("-", Level::Sum),
        BinaryOp::Union => ("|", Level::Sum),
        BinaryOp::Multiply => ("*", Level::Term),
        BinaryOp::Divide => ("/", Level::Term),
        BinaryOp::Modulo => ("%", Level::Term),
        BinaryOp::Intersect => ("&", Level::Term),
    }
}

fn binding(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::If(..) => Level::Any,
        // The body extends as far to the right as possible.
        ExprKind::Quantified { .. } => Level::Any,
        ExprKind::Binary(op, ..) => operator(*op).1,
        ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _) => Level::Not,
        ExprKind::Is { .. } => Level::Compare,
        ExprKind::Range(..) => Level::Range,
        ExprKind::Unary(UnaryOp::Negate, _) => Level::Unary,
        ExprKind::Number(number) if *number < 0 => Level::Unary,
        _ => Level::Postfix,
    }
}

fn bare(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => quoted(text),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Site(site) => format!("@{}", site.text),
        ExprKind::Die(faces) => format!("d{faces}"),
        ExprKind::Player(number) => format!("player {number}"),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Field(base, name) => format!("{}.{}", at_least(base, Level::Postfix), name.text),
        ExprKind::Index(base, list) => format!("{}{}", at_least(base, Level::Postfix), index(list)),
        ExprKind::Call(name, args) => {
            format!("{}({})", name.text, args.iter().map(arg).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Range(low, high) => {
            format!("{}..{}", at_least(low, Level::Sum), at_least(high, Level::Sum))
        }
        ExprKind::Set(list) => format!("{{{}}}", exprs(list)),
        ExprKind::Comprehension { name, over, filter } => {
            format!("{{ {} in {} where {} }}", name.text, at_least(over, Level::Range), expr(filter))
        }
        ExprKind::Map(entries) => {
            format!("[{}]", entries.iter().map(map_entry).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Tuple(list) => format!("({})", exprs(list)),
        ExprKind::Unary(UnaryOp::Negate, value) => format!("-{}", at_least(value, Level::Unary)),
        ExprKind::Unary(UnaryOp::Not, value) => format!("not {}", at_least(value, Level::Not)),
        ExprKind::Unary(UnaryOp::NoAction, player) => {
            format!("no action for {}", at_least(player, Level::Postfix))
        }
        ExprKind::Binary(op, left, right) => {
            let (word, level) = operator(*op);
            // Comparisons don't chain; all other operators associate to the left.
            let first = if level == Level::Compare { Level::Range } else { level };
            format!("{} {word} {}", at_least(left, first), above(right, level))
        }
        ExprKind::Is { value, negated, name } => {
            let not = if *negated { "not " } else { "" };
            format!("{} is {not}{}", at_least(value, Level::Range), name.text)
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("if {} then {} else {}", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Quantified { op, name, subsets, over, filter, body } => {
            let filter = filter.as_ref().map(|filter| format!(" where {}", at_least(filter, Level::Or)));
            let body = match op {
                op if op.compares() => format!(" by {}", at_least(body, Level::Or)),
                _ => format!(": {}", expr(body)),
            };
            let over = at_least(over, Level::Range);
            let of = if *subsets { "subset of" } else { "in" };
            format!("{} {} {of} {over}{}{body}", op.word(), name.text, filter.unwrap_or_default())
        }
        ExprKind::Values { name, over, filter, body } => {
            let filter = filter.as_ref().map(|filter| format!(" where {}", at_least(filter, Level::Or)));
            let over = at_least(over, Level::Range);
            format!("{} in {over}{}: {}", name.text, filter.unwrap_or_default(), expr(body))
        }
        ExprKind::Hole => "?".to_owned(),
    }
}

fn arg(arg: &Arg) -> String {
    match &arg.name {
        Some(name) => format!("{}: {}", name.text, expr(&arg.value)),
        None => expr(&arg.value),
    }
}

/// An entry of a map.
pub fn map_entry(entry: &MapEntry) -> String {
    format!("{}{}: {}", expr(&entry.key), if entry.and_more { "+" } else { "" }, expr(&entry.value))
}

/// A type.
pub fn type_expr(ty: &TypeExpr) -> String {
    let kind = match &ty.kind {
        TypeKind::Range(low, high) => {
            format!("{}..{}", at_least(low, Level::Sum), at_least(high, Level::Sum))
        }
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::Words(words) => words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" | "),
        TypeKind::Numbers(numbers) => {
            numbers.iter().map(|(number, _)| number.to_string()).collect::<Vec<_>>().join(" | ")
        }
        TypeKind::Set(of) => format!("set of {}", type_expr(of)),
        TypeKind::Hole => "?".to_owned(),
    };
    format!("{kind}{}", if ty.optional { "?" } else { "" })
}
