//! Prints expressions and types with the fewest parentheses.

use super::quoted;
use crate::syntax::{
    Arg, BinaryOp, ComparisonOperator as C, Expr, ExprKind, MapEntry, TypeExpr, TypeKind, UnaryOp,
};

/// Binding strength of an operator. An operand that binds less tightly gets parentheses.
type Level = u8;
const ANY: Level = 0;
const OR: Level = 1;
const AND: Level = 2;
const NOT: Level = 3;
const COMPARE: Level = 4;
pub(super) const RANGE: Level = 5;
pub(super) const SUM: Level = 6;
const TERM: Level = 7;
const UNARY: Level = 8;
pub(super) const POSTFIX: Level = 9;

/// An expression.
pub fn expr(e: &Expr) -> String {
    at_least(e, ANY)
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

fn operator(op: BinaryOp) -> (&'static str, Level) {
    match op {
        BinaryOp::Or => ("or", OR),
        BinaryOp::And => ("and", AND),
        BinaryOp::Compare(C::Equal) => ("==", COMPARE),
        BinaryOp::Compare(C::NotEqual) => ("!=", COMPARE),
        BinaryOp::Compare(C::Less) => ("<", COMPARE),
        BinaryOp::Compare(C::LessEqual) => ("<=", COMPARE),
        BinaryOp::Compare(C::Greater) => (">", COMPARE),
        BinaryOp::Compare(C::GreaterEqual) => (">=", COMPARE),
        BinaryOp::In => ("in", COMPARE),
        BinaryOp::NotIn => ("not in", COMPARE),
        BinaryOp::Add => ("+", SUM),
        BinaryOp::Subtract => ("-", SUM),
        BinaryOp::Union => ("|", SUM),
        BinaryOp::Multiply => ("*", TERM),
        BinaryOp::Divide => ("/", TERM),
        BinaryOp::Modulo => ("%", TERM),
        BinaryOp::Intersect => ("&", TERM),
    }
}

fn binding(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::If(..) => ANY,
        // The body extends as far to the right as possible.
        ExprKind::Quantified { .. } => ANY,
        ExprKind::Binary(op, ..) => operator(*op).1,
        ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _) => NOT,
        ExprKind::Is { .. } => COMPARE,
        ExprKind::Range(..) => RANGE,
        ExprKind::Unary(UnaryOp::Negate, _) => UNARY,
        ExprKind::Number(number) if *number < 0 => UNARY,
        _ => POSTFIX,
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
        ExprKind::Field(base, name) => format!("{}.{}", at_least(base, POSTFIX), name.text),
        ExprKind::Index(base, list) => format!("{}{}", at_least(base, POSTFIX), index(list)),
        ExprKind::Call(name, args) => {
            format!("{}({})", name.text, args.iter().map(arg).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Range(low, high) => format!("{}..{}", at_least(low, SUM), at_least(high, SUM)),
        ExprKind::Set(list) => format!("{{{}}}", exprs(list)),
        ExprKind::Comprehension { name, over, filter } => {
            format!("{{ {} in {} where {} }}", name.text, at_least(over, RANGE), expr(filter))
        }
        ExprKind::Map(entries) => {
            format!("[{}]", entries.iter().map(map_entry).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Tuple(list) => format!("({})", exprs(list)),
        ExprKind::Unary(UnaryOp::Negate, value) => format!("-{}", at_least(value, UNARY)),
        ExprKind::Unary(UnaryOp::Not, value) => format!("not {}", at_least(value, NOT)),
        ExprKind::Unary(UnaryOp::NoAction, player) => format!("no action for {}", at_least(player, POSTFIX)),
        ExprKind::Binary(op, left, right) => {
            let (word, level) = operator(*op);
            // Comparisons don't chain; all other operators associate to the left.
            let first = if level == COMPARE { RANGE } else { level };
            format!("{} {word} {}", at_least(left, first), at_least(right, level + 1))
        }
        ExprKind::Is { value, negated, name } => {
            let not = if *negated { "not " } else { "" };
            format!("{} is {not}{}", at_least(value, RANGE), name.text)
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("if {} then {} else {}", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Quantified { op, name, subsets, over, filter, body } => {
            let filter = filter.as_ref().map(|filter| format!(" where {}", at_least(filter, OR)));
            let body = match op {
                op if op.compares() => format!(" by {}", at_least(body, OR)),
                _ => format!(": {}", expr(body)),
            };
            let over = at_least(over, RANGE);
            let of = if *subsets { "subset of" } else { "in" };
            format!("{} {} {of} {over}{}{body}", op.word(), name.text, filter.unwrap_or_default())
        }
        ExprKind::Values { name, over, filter, body } => {
            let filter = filter.as_ref().map(|filter| format!(" where {}", at_least(filter, OR)));
            let over = at_least(over, RANGE);
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
        TypeKind::Range(low, high) => format!("{}..{}", at_least(low, SUM), at_least(high, SUM)),
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
