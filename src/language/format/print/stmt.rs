//! Prints statements, blocks and options.

use super::expr::{Level, at_least, expr, exprs, type_expr};
use super::{end_result, modifiers, quoted};
use crate::syntax::{AssignOp, BinderKind, Block, ChoiceOption, Choose, QuotedText, Stmt, StmtKind};

/// A block in braces.
pub fn block(body: &Block) -> String {
    if body.stmts.is_empty() {
        return "{ }".to_owned();
    }
    format!("{{ {} }}", body.stmts.iter().map(stmt).collect::<Vec<_>>().join("; "))
}

/// A statement.
pub fn stmt(one: &Stmt) -> String {
    let from = |from: &Option<_>, word| from.as_ref().map(|e| format!(" {word} {}", expr(e)));
    match &one.kind {
        StmtKind::Step { name, help, body } => {
            let help = help.as_ref().map(|help| format!(" {}", quoted(&help.text))).unwrap_or_default();
            format!("step {}{help} {}", name.text, block(body))
        }
        StmtKind::Choose(choose) => choice(choose),
        StmtKind::If { condition, then, otherwise } => {
            let otherwise = otherwise.as_ref().map(|body| match body.stmts.as_slice() {
                [only] if chained(body, only) => format!(" else {}", stmt(only)),
                _ => format!(" else {}", block(body)),
            });
            format!("if {} {}{}", expr(condition), block(then), otherwise.unwrap_or_default())
        }
        StmtKind::For { name, over, from: start, body } => {
            let start = from(start, "from").unwrap_or_default();
            format!("for {} in {}{start} {}", name.text, expr(over), block(body))
        }
        StmtKind::While { condition, body } => format!("while {} {}", expr(condition), block(body)),
        StmtKind::Repeat { body, until } => format!("repeat {} until {}", block(body), expr(until)),
        StmtKind::Chance { body, given } => format!("chance {} given {}", block(body), expr(given)),
        StmtKind::EachPlayer { of, from: start, until, body } => {
            let parts = [(of, "of"), (start, "from"), (until, "until")];
            let parts: String = parts.iter().filter_map(|(part, word)| from(part, word)).collect();
            format!("each player{parts} as me {}", block(body))
        }
        StmtKind::Together(body) => format!("together as me {}", block(body)),
        StmtKind::As { player, body } => format!("as {} {}", expr(player), block(body)),
        StmtKind::Let { name, ty, value } => {
            let ty = ty.as_ref().map(|ty| format!(": {}", type_expr(ty))).unwrap_or_default();
            format!("let {}{ty} = {}", name.text, expr(value))
        }
        StmtKind::Assign { target, op, value } => {
            let op = match op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
            };
            format!("{} {op} {}", expr(target), expr(value))
        }
        StmtKind::Put { piece, at, replacing } => {
            format!("put {} at {}{}", at_least(piece, Level::Postfix), expr(at), replaced(*replacing))
        }
        StmtKind::Clear(what) => format!("clear {}", expr(what)),
        StmtKind::Move { count, what, on, onto, from: zone, to, below, replacing } => {
            let count = count.as_ref().map(|count| format!("{} ", at_least(count, Level::Postfix)));
            let count = count.unwrap_or_default();
            let zone = from(zone, "from").unwrap_or_default();
            let [on, onto] = [on, onto].map(|board| from(board, "on").unwrap_or_default());
            let to = format!("{}{}{onto}", bottom(*below), expr(to));
            format!("move {count}{}{on}{zone} to {to}{}", expr(what), replaced(*replacing))
        }
        StmtKind::Roll { dice, among } => {
            format!("roll {}{}", exprs(dice), from(among, "among").unwrap_or_default())
        }
        StmtKind::Pick { name, over } => format!("pick {} in {}", name.text, expr(over)),
        StmtKind::Draw { name, from: zone, lower, to, below } => {
            let to = from(to, if *below { "to bottom of" } else { "to" }).unwrap_or_default();
            format!("draw {} from {}{}{to}", name.text, bottom(*lower), expr(zone))
        }
        StmtKind::Deal { count, from, lower, to, below } => {
            let (from, to) =
                (format!("{}{}", bottom(*lower), expr(from)), format!("{}{}", bottom(*below), expr(to)));
            format!("deal {} from {from} to {to}", expr(count))
        }
        StmtKind::Shuffle(zone) => format!("shuffle {}", expr(zone)),
        StmtKind::Reveal { what, from: zone, to } => {
            format!("reveal {}{} to {}", expr(what), from(zone, "from").unwrap_or_default(), expr(to))
        }
        StmtKind::Swap(one, other, among) => {
            let among = among.as_ref().map(|among| format!(" among {}", expr(among)));
            format!("swap {}, {}{}", expr(one), expr(other), among.unwrap_or_default())
        }
        StmtKind::Next(player) => format!("next {}", expr(player)),
        StmtKind::Again => "again".to_owned(),
        StmtKind::Done => "done".to_owned(),
        StmtKind::Skip => "skip".to_owned(),
        StmtKind::EndGame { name, result, help } => {
            let name = name.as_ref().map(|name| format!(" as {}", name.text)).unwrap_or_default();
            let result = result.as_ref().map(|result| format!(": {}", end_result(result)));
            let help = help.as_ref().map(|help| format!(" {}", quoted(&help.text)));
            format!("end game{name}{}{}", result.unwrap_or_default(), help.unwrap_or_default())
        }
        StmtKind::Call { name, args } => {
            let call = crate::syntax::ExprKind::Call(name.clone(), args.clone());
            expr(&crate::syntax::Expr { kind: call, span: one.span })
        }
        StmtKind::Hole => "?".to_owned(),
    }
}

fn bottom(below: bool) -> &'static str {
    if below { "bottom of " } else { "" }
}

fn replaced(replacing: bool) -> &'static str {
    if replacing { " replacing" } else { "" }
}

/// Returns `true` if this is an `else if`. Its block has the span of its `if` and no braces.
fn chained(body: &Block, only: &Stmt) -> bool {
    matches!(only.kind, StmtKind::If { .. }) && body.span == only.span
}

fn choice(choose: &Choose) -> String {
    let name = choose.name.as_ref().map(|name| format!(" {}", name.text)).unwrap_or_default();
    let mut parts: Vec<String> =
        choose.options.iter().map(|one| one.as_ref().map_or_else(|| "?".to_owned(), option)).collect();
    parts.extend(choose.otherwise.as_ref().map(|body| otherwise(choose.otherwise_help.as_ref(), body)));
    let prefer: String = choose.prefer.iter().map(|e| format!(" prefer {}", expr(e))).collect();
    if parts.is_empty() {
        return format!("choose{name} {{ }}{prefer}");
    }
    format!("choose{name} {{ {} }}{prefer}", parts.join("; "))
}

/// An `otherwise`.
pub fn otherwise(help: Option<&QuotedText>, body: &Block) -> String {
    let help = help.map(|help| format!(" {}", quoted(&help.text))).unwrap_or_default();
    format!("otherwise{help} {}", block(body))
}

/// An option without its help and body.
pub fn option_head(one: &ChoiceOption) -> String {
    let binders: Vec<String> = one
        .binders
        .iter()
        .map(|binder| {
            let word = match binder.kind {
                BinderKind::Element => "in",
                BinderKind::Subset => "subset of",
                BinderKind::Part => "part of",
            };
            format!(" {} {word} {}", binder.name.text, expr(&binder.over))
        })
        .collect();
    let filter = one.filter.as_ref().map(|e| format!(" where {}", expr(e))).unwrap_or_default();
    let ensuring = one.ensuring.as_ref().map(|e| format!(" ensuring {}", expr(e))).unwrap_or_default();
    let seen = modifiers(one.seen.as_slice());
    let deliberate = if one.deliberate { "deliberate " } else { "" };
    format!("{deliberate}{}{}{filter}{ensuring}{seen}", one.name.text, binders.join(","))
}

/// An option.
pub fn option(one: &ChoiceOption) -> String {
    let help = one.help.as_ref().map(|help| format!(" {}", quoted(&help.text))).unwrap_or_default();
    // A bare `pass` has no braces; its empty body has the span of the option.
    let body =
        if one.pass && one.body.span == one.span { String::new() } else { format!(" {}", block(&one.body)) };
    format!("{}{help}{body}", option_head(one))
}
