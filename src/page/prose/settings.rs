//! What can be set, in words: each param as a question with its answer, and what else it may be.

use super::{RulesEntry, capitalised};
use houserule_base::names::{list_words, plain};
use houserule_game::values::param_text;
use houserule_language::format::print;
use houserule_language::syntax::{Expr, ExprKind};
use houserule_model::{DomainKind, Model, Param, ParamKind, ParamValue, PointsTable};

/// Number of words from which on not all that a param may be are listed.
const MANY_WORDS: usize = 9;

/// How a help text begins that goes on from the one before it.
const GOES_ON: &str = "and ";

/// Describes the params. In full, each is shown as it is written, too.
pub(super) fn settings(model: &Model, full: bool) -> Vec<RulesEntry> {
    list_params(model, &|param| about(model, param, full))
}

/// Tells only what each param is, where nothing can be set.
pub(crate) fn settled(model: &Model) -> Vec<RulesEntry> {
    list_params(model, &|_| String::new())
}

/// Lists the params with their values, each followed by what `more` says of it.
fn list_params(model: &Model, more: &dyn Fn(&Param) -> String) -> Vec<RulesEntry> {
    let mut all: Vec<String> = vec![];
    for param in &model.params {
        let more = more(param);
        match all.last_mut() {
            Some(before) if param.help.starts_with(GOES_ON) => {
                before.push_str(&format!(", {}: {}{more}", param.help, in_words(&param.value)));
            }
            _ => all.push(format!("{}{more}", answered(&param.help, &param.name, &in_words(&param.value)))),
        }
    }
    all.into_iter().map(|text| RulesEntry::new("", text)).collect()
}

/// Describes one of the params: `Points for each of the crosses: 2 (rook_points: 0 to 10)`.
pub(super) fn setting(model: &Model, name: &str, full: bool) -> String {
    let Some(at) = model.params.iter().position(|param| param.name == name) else { return plain(name) };
    let param = &model.params[at];
    let told = answered(&whole_help(model, at), name, &in_words(&param.value));
    format!("{told}{}", about(model, param, full))
}

/// Describes what a variant sets a param to: `Squares to a side: 8 (size)`. `always` means that nothing else is possible.
pub(super) fn set_to(model: &Model, name: &str, value: &Expr, always: bool) -> String {
    let at = model.params.iter().position(|param| param.name == name);
    let told = match (&value.kind, at) {
        (ExprKind::Bool(true), _) => "yes".to_owned(),
        (ExprKind::Bool(false), _) => "no".to_owned(),
        (ExprKind::Name(word), _) => plain(&word.text),
        (ExprKind::Map(_), Some(at)) => in_words(&model.params[at].value),
        _ => print::expr(value),
    };
    let help = at.map_or_else(String::new, |at| whole_help(model, at));
    let more = match (help.is_empty(), always) {
        (true, true) => " (always)".to_owned(),
        (true, false) => String::new(),
        (false, true) => format!(" ({name}, always)"),
        (false, false) => format!(" ({name})"),
    };
    format!("{}{more}", answered(&help, name, &told))
}

/// Returns a help text with a value as the answer to it: `Squares to a side: 6`, `May a hit be avenged? Yes.`
fn answered(help: &str, name: &str, value: &str) -> String {
    if help.is_empty() {
        return format!("{name}: {value}");
    }
    let help = capitalised(help);
    if help.ends_with('?') {
        format!("{help} {}.", capitalised(value))
    } else if help.ends_with(['.', '!']) {
        format!("{help} Now: {value}")
    } else if help.contains([':', ';', '?']) {
        format!("{help}. Now: {value}")
    } else {
        format!("{help}: {value}")
    }
}

/// Returns the name of a param by which it is set, with what it may be, in parentheses.
fn about(model: &Model, param: &Param, full: bool) -> String {
    let possible = match param.fixed {
        true => "fixed by a variant".to_owned(),
        false => possible(model, &param.kind, full),
    };
    // Without a help text, the name has been told.
    let name = match (full, param.help.is_empty()) {
        (true, _) => format!("{}={}", param.name, param_text(&param.value)),
        (false, false) => param.name.clone(),
        (false, true) => String::new(),
    };
    let parts: Vec<&str> =
        [name.as_str(), possible.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(": ")) }
}

/// Returns the help text of a param. One that goes on from that of the param before it has the words with which both begin.
fn whole_help(model: &Model, at: usize) -> String {
    let help = &model.params[at].help;
    let before = at.checked_sub(1).filter(|_| help.starts_with(GOES_ON));
    match before.map(|before| whole_help(model, before)) {
        Some(before) => match before.rsplit_once(": ") {
            Some((start, _)) => format!("{start}: {}", help.trim_start_matches(GOES_ON)),
            None => format!("{before}, {help}"),
        },
        None => help.clone(),
    }
}

/// Describes the values that a param may have: in full as they are written, else in words.
fn possible(model: &Model, kind: &ParamKind, full: bool) -> String {
    match kind {
        ParamKind::Number { low, high } => format!("{low} to {high}"),
        ParamKind::Bool if full => "true or false".to_owned(),
        ParamKind::Bool => "yes or no".to_owned(),
        ParamKind::Choice(words) if full => words.join(" or "),
        ParamKind::Choice(words) => choice(model, words),
        ParamKind::Table => String::new(),
    }
}

/// Describes the words of which a param is one: `owner or nobody`, `any rank`.
fn choice(model: &Model, words: &[String]) -> String {
    let told: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let is_all = |kind: &DomainKind| match kind {
        DomainKind::Enum(values) => {
            values.len() == words.len() && words.iter().all(|word| values.contains(word))
        }
        _ => false,
    };
    // The type of a param that lists its values has no name.
    let is_named = |name: &str| !name.contains('|');
    match told.as_slice() {
        [first, second, .., last] if told.len() >= MANY_WORDS => {
            match model.domains.iter().find(|domain| is_named(&domain.name) && is_all(&domain.kind)) {
                Some(domain) => format!("any {}", plain(&domain.name)),
                None => format!("{first}, {second} and so on to {last}"),
            }
        }
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        told => told.concat(),
    }
}

/// Describes the value of a param: `yes`, `in turn`, `1 for 3 and 2 for 4 or more`.
fn in_words(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => number.to_string(),
        ParamValue::Word(word) => plain(word),
        ParamValue::Bool(true) => "yes".to_owned(),
        ParamValue::Bool(false) => "no".to_owned(),
        ParamValue::Table(points) => table_in_words(points),
    }
}

fn table_in_words(points: &PointsTable) -> String {
    let mut all: Vec<String> =
        points.entries.iter().map(|(key, value)| format!("{value} for {key}")).collect();
    all.extend(points.and_more.iter().map(|(key, value)| format!("{value} for {key} or more")));
    if all.is_empty() { "nothing".to_owned() } else { list_words(&all) }
}
