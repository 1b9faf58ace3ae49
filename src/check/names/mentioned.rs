//! The names that a parsed expression mentions.

use houserule_language::syntax;

/// Calls `f` with every name in a parsed expression, including functions.
pub(crate) fn each_name(e: &syntax::Expr, f: &mut dyn FnMut(&str)) {
    use syntax::ExprKind as S;
    let mut all = |parts: &[&syntax::Expr]| parts.iter().for_each(|p| each_name(p, f));
    match &e.kind {
        S::Number(_)
        | S::Text(_)
        | S::Bool(_)
        | S::None
        | S::Site(_)
        | S::Die(_)
        | S::Player(_)
        | S::Hole => {}
        S::Name(syntax::Name { text: name, .. }) => f(name),
        S::Field(base, _) | S::Unary(_, base) => each_name(base, f),
        S::Is { value, name, .. } => {
            each_name(value, f);
            f(&name.text);
        }
        S::Index(base, index) => {
            each_name(base, f);
            index.iter().for_each(|i| each_name(i, f));
        }
        S::Call(name, args) => {
            f(&name.text);
            args.iter().for_each(|a| each_name(&a.value, f));
        }
        S::Range(a, b) | S::Binary(_, a, b) => all(&[a, b]),
        S::If(a, b, c) => all(&[a, b, c]),
        S::Set(parts) | S::Tuple(parts) => parts.iter().for_each(|p| each_name(p, f)),
        S::Comprehension { over, filter, .. } => all(&[over, filter]),
        S::Map(entries) => entries.iter().for_each(|entry| {
            each_name(&entry.key, f);
            each_name(&entry.value, f);
        }),
        S::Quantified { over, filter, body, .. } | S::Values { over, filter, body, .. } => {
            each_name(over, f);
            if let Some(filter) = filter {
                each_name(filter, f);
            }
            each_name(body, f);
        }
    }
}
