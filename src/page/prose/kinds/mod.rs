//! What a reader must know beside the course of a game: the kinds of its things, its tables, and what words mean.

mod kept;
mod neighbours;
mod terms;

use std::collections::BTreeSet;

use crate::prose::RulesEntry;
use crate::prose::grammar::{plural, with_article};
use crate::prose::phrases::Wording;
use houserule_base::names::{list_words, plain};
use houserule_game::values::param_text;
use houserule_language::syntax::{
    Decl, DeclKind, ElementKind, Expr, ExprKind, MapEntry, Name, QuotedText, UnaryOp,
};
use houserule_model::{Domain, DomainId, DomainKind, Field, Life, Model, Role, SetField, Slot, Value};

pub(super) use kept::describe_kept;
pub(super) use neighbours::neighbours;
pub(super) use terms::terms;

/// Number of entries, or rows, from which on those that are equal are told together.
const MANY_ENTRIES: usize = 41;

/// Numbers in words, which pictures show as digits.
pub(super) const NUMERALS: [&str; 10] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// Describes the values of enums, and what records are made of.
pub(super) fn kinds(model: &Model, decls: &[Decl]) -> Vec<RulesEntry> {
    let mut all = vec![];
    for decl in decls {
        match &decl.kind {
            DeclKind::Range { name, .. } => {
                let numbers = numbers_of(model, name).filter(|numbers| !tells_numbers(help(decl), numbers));
                let parts =
                    [help(decl), &numbers.unwrap_or_default(), &in_pictures(model, name).unwrap_or_default()];
                let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                all.push(RulesEntry::new(plain(&name.text), parts.join("; ")));
            }
            DeclKind::Enum { name, values, helps, .. } if helps.iter().all(Option::is_none) => {
                let values: Vec<String> = values.iter().map(|value| plain(&value.text)).collect();
                let parts = [help(decl), &list_words(&values), &in_pictures(model, name).unwrap_or_default()];
                let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                all.push(RulesEntry::new(plain(&name.text), parts.join("; ")));
            }
            DeclKind::Enum { name, values, helps, .. } => {
                let shown = shown(model, decl, name);
                all.push(shown.unwrap_or_else(|| RulesEntry::new(plain(&name.text), help(decl))));
                let value = |(value, help): (&Name, &Option<QuotedText>)| {
                    RulesEntry::new(plain(&value.text), help.as_ref().map_or("", |help| &help.text)).at(1)
                };
                all.extend(values.iter().zip(helps).map(value));
            }
            DeclKind::Record { name, kinds, .. } => {
                let Some(domain) = model.domains.iter().find(|domain| domain.name == name.text) else {
                    continue;
                };
                let made = match help(decl) {
                    "" => made_of(model, domain),
                    help => format!("{}; {help}", domain.size),
                };
                all.push(RulesEntry::new(plain(&name.text), made));
                for (value, help) in kinds.iter().flat_map(ElementKind::named) {
                    let fields = row(model, domain, &value.text);
                    let help = help.map(|help| help.text.clone());
                    let told: Vec<String> = fields.into_iter().chain(help).collect();
                    if !told.is_empty() {
                        all.push(RulesEntry::new(plain(&value.text), told.join("; ")).at(1));
                    }
                }
            }
            _ => {}
        }
    }
    all
}

/// Returns the entry of a domain whose elements pictures show by letters. Returns `None` for others.
fn shown(model: &Model, decl: &Decl, name: &Name) -> Option<RulesEntry> {
    let letters = in_pictures(model, name)?;
    let help = Some(help(decl)).filter(|help| !help.is_empty()).map(|help| format!("{help}; "));
    Some(RulesEntry::new(plain(&name.text), help.unwrap_or_default() + letters.as_str()))
}

/// Describes the numbers of a domain: `3 to 15`. Returns `None` for other domains.
fn numbers_of(model: &Model, name: &Name) -> Option<String> {
    let domain = model.domains.iter().find(|domain| domain.name == name.text)?;
    let DomainKind::Range { low } = domain.kind else { return None };
    match domain.size {
        0 => None,
        1 => Some(low.to_string()),
        size => Some(format!("{low} to {}", low + i64::from(size) - 1)),
    }
}

/// Returns `true` if a help text has all the numbers that other words have.
fn tells_numbers(help: &str, others: &str) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        text.split(|sign: char| !sign.is_numeric()).filter(|one| !one.is_empty()).map(str::to_owned).collect()
    };
    let told = numbers(help);
    numbers(others).iter().all(|number| told.contains(number))
}

/// Describes the letters by which pictures show the elements of a domain: `in pictures 11 is J and 12 is Q`. A symbol, such
/// as that of a suit, or a digit speaks for itself. Returns `None` if there are none.
fn in_pictures(model: &Model, name: &Name) -> Option<String> {
    let at = model.domains.iter().position(|domain| domain.name == name.text)?;
    let domain = DomainId(at as u32);
    let told = (0..model.domains[at].size).filter_map(|e| {
        let letter = model.element_look(domain, e).letter?;
        let element = plain(&model.element_name(domain, e));
        let numeral = letter.to_digit(10).and_then(|digit| NUMERALS.get(digit as usize));
        let is_plain = element == letter.to_string() || numeral == Some(&element.as_str());
        (letter.is_alphanumeric() && !is_plain).then(|| format!("{element} is {letter}"))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("in pictures {}", list_words(&told)))
}

/// The fields of an element with a name of its own: `cost 3, gives blue`. None if it has no field.
fn row(model: &Model, domain: &Domain, name: &str) -> Option<String> {
    let DomainKind::Record { fields, named, sets } = &domain.kind else { return None };
    let (place, _) = named.iter().find(|(_, known)| known == name)?;
    let field_text = |field: &Field| {
        let value = field.value(*place)?;
        let value =
            field.of.map_or_else(|| value.to_string(), |of| plain(&model.element_name(of, value as u32)));
        Some(format!("{} {value}", plain(&field.name)))
    };
    let set = |field: &SetField| {
        let set = field.values.get(*place as usize).filter(|set| !set.is_empty())?;
        let names: Vec<String> = set.iter().map(|e| plain(&model.element_name(field.of, e))).collect();
        Some(format!("{} {}", plain(&field.name), list_words(&names)))
    };
    let parts: Vec<String> =
        fields.iter().filter_map(field_text).chain(sets.iter().filter_map(set)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What the elements of a domain are: `54: 52, each with its own suit and rank, joker 1 and joker 2`.
fn made_of(model: &Model, domain: &Domain) -> String {
    let DomainKind::Record { fields, named, .. } = &domain.kind else { return domain.size.to_string() };
    let mut kinds: Vec<(Vec<String>, Vec<u32>)> = vec![];
    let has_name = |e: u32| named.iter().any(|(place, _)| *place == e);
    for e in 0..domain.size {
        let has = fields.iter().filter(|field| field.value(e).is_some());
        let mut has: Vec<String> = has.map(|field| plain(&field.name)).collect();
        if has.is_empty() {
            continue;
        }
        if has_name(e) {
            // Which fields a named element has, its own entry tells.
            has = std::iter::once("name".to_owned())
                .chain(fields.iter().map(|field| plain(&field.name)))
                .collect();
        }
        match kinds.iter_mut().find(|(known, _)| *known == has) {
            Some((_, elements)) => elements.push(e),
            None => kinds.push((has, vec![e])),
        }
    }
    let mut parts: Vec<String> = vec![];
    for (has, elements) in kinds {
        let of_field = |name: String| match fields.iter().find(|field| plain(&field.name) == name) {
            Some(field) if !elements.iter().any(|e| has_name(*e)) => {
                let values = match by_kind(model, fields, field, &elements) {
                    Some(values) => values,
                    None => possible_values(model, field, &elements),
                };
                if values.is_empty() { name } else { format!("{name} ({values})") }
            }
            _ => name,
        };
        let has: Vec<String> = has.into_iter().map(of_field).collect();
        parts.push(format!("{}, each with its own {}", elements.len(), list_words(&has)));
    }
    let alone = named.iter().filter(|(_, name)| row(model, domain, name).is_none());
    let alone: Vec<String> = alone.map(|(_, name)| plain(name)).collect();
    parts.extend((!alone.is_empty()).then(|| list_words(&alone)));
    match &parts[..] {
        [only] => only.clone(),
        parts => format!("{}: {}", domain.size, parts.join("; ")),
    }
}

/// Describes the values that a field has among some elements: `1 to 7`, `a card`. Empty if the name of the field says it.
fn possible_values(model: &Model, field: &Field, elements: &[u32]) -> String {
    if let Some(of) = field.of {
        let of = plain(&model.domains[of.index()].name);
        return if of == plain(&field.name) { String::new() } else { with_article(&of) };
    }
    let values: BTreeSet<i64> = elements.iter().filter_map(|e| field.value(*e)).collect();
    let told: Vec<String> = values.iter().map(i64::to_string).collect();
    match (values.first(), values.last()) {
        (Some(low), Some(high)) if told.len() > 2 && (told.len() > 6 || ranges(&told).len() == 1) => {
            format!("{low} to {high}")
        }
        _ => list_words(&told),
    }
}

/// Maximum number of groups of kinds whose numbers are told apart.
const FEW_GROUPS: usize = 3;

/// Kinds of elements with the same numbers.
struct KindGroup {
    numbers: String,
    kinds: Vec<String>,
}

/// Describes the numbers of a field that depend on the kind which another field says: `1 to 9, but for rocket 1 to 4`. Returns
/// `None` for other fields.
fn by_kind(model: &Model, fields: &[Field], field: &Field, elements: &[u32]) -> Option<String> {
    if field.of.is_some() {
        return None;
    }
    fields.iter().find_map(|other| {
        let of = other.of.filter(|of| matches!(model.domains[of.index()].kind, DomainKind::Enum(_)))?;
        let kinds: BTreeSet<i64> = elements.iter().filter_map(|e| other.value(*e)).collect();
        let mut groups: Vec<KindGroup> = vec![];
        for kind in kinds {
            let own: Vec<u32> = elements.iter().copied().filter(|e| other.value(*e) == Some(kind)).collect();
            let numbers = possible_values(model, field, &own);
            let name = plain(&model.element_name(of, kind as u32));
            match groups.iter_mut().find(|group| group.numbers == numbers) {
                Some(group) => group.kinds.push(name),
                None => groups.push(KindGroup { numbers, kinds: vec![name] }),
            }
        }
        let most = groups.iter().map(|group| group.kinds.len()).max()?;
        if groups.len() < 2 {
            return None;
        }
        let is_usual = |group: &KindGroup| most > 1 && group.kinds.len() == most;
        let usual = groups.iter().filter(|group| is_usual(group)).count();
        let told = |group: &KindGroup| format!("for {} {}", list_words(&group.kinds), group.numbers);
        Some(match groups.iter().find(|group| is_usual(group)) {
            _ if groups.len() > FEW_GROUPS => {
                let all = possible_values(model, field, elements);
                format!("{all}, but not all of them for each {}", plain(&other.name))
            }
            Some(first) if usual == 1 => {
                let others: Vec<String> = groups.iter().filter(|group| !is_usual(group)).map(told).collect();
                format!("{}, but {}", first.numbers, others.join(", "))
            }
            _ => groups.iter().map(told).collect::<Vec<_>>().join(", "),
        })
    })
}

/// Describes the tables of numbers, values and truths, entry by entry, or the equal ones together if they are long. A
/// table with two indices is told row by row.
pub(super) fn tables(words: Wording<'_>) -> Vec<RulesEntry> {
    let mut all = vec![];
    for decl in words.decls {
        let DeclKind::Table(table) = &decl.kind else { continue };
        let name = plain(&table.name.text);
        let rows = table.value.as_ref().and_then(|value| rows(words, value)).unwrap_or_default();
        let values = table.value.as_ref().filter(|_| rows.is_empty());
        let values = values.map_or_else(String::new, |value| values_text(words, value));
        let parts = [help(decl), &values].into_iter().filter(|part| !part.is_empty());
        let text = parts.collect::<Vec<_>>().join(": ");
        if !text.is_empty() || !rows.is_empty() {
            all.push(RulesEntry::new(name, text));
            all.extend(rows.into_iter().map(|(key, values)| RulesEntry::new(key, values).at(1)));
        }
    }
    all
}

/// Returns the rows of a table that has a table for each first index, or an entry for each pair of indices. Returns
/// `None` for another table.
fn rows(words: Wording<'_>, e: &Expr) -> Option<Vec<(String, String)>> {
    let ExprKind::Map(entries) = &e.kind else { return None };
    let mut all: Vec<(String, Vec<String>)> = vec![];
    let mut add = |key: String, value: String| match all.iter_mut().find(|(known, _)| *known == key) {
        Some((_, values)) => values.push(value),
        None => all.push((key, vec![value])),
    };
    for entry in entries {
        match (&entry.key.kind, &entry.value.kind) {
            (_, ExprKind::Map(_)) => add(part_text(words, &entry.key), values_text(words, &entry.value)),
            (ExprKind::Tuple(parts), _) => {
                let (first, rest) = parts.split_first()?;
                let rest: Vec<String> = rest.iter().map(|part| part_text(words, part)).collect();
                add(
                    part_text(words, first),
                    format!("{}: {}", rest.join(" "), part_text(words, &entry.value)),
                );
            }
            _ => return None,
        }
    }
    let told = all.into_iter().map(|(key, values)| (key, values.join(", ")));
    let told: Vec<(String, String)> = told.collect();
    Some(if told.len() < MANY_ENTRIES { told } else { together(told) })
}

/// Joins entries with equal values that follow each other: `1 to 3`, or `red, blue`.
fn together(entries: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut all: Vec<(Vec<String>, String)> = vec![];
    for (key, value) in entries {
        match all.last_mut() {
            Some((keys, known)) if *known == value => keys.push(key),
            _ => all.push((vec![key], value)),
        }
    }
    all.into_iter().map(|(keys, value)| (ranges(&keys).join(", "), value)).collect()
}

/// Returns keys, with numbers that follow each other as ranges: `1 to 3`, `7`.
pub(super) fn ranges(keys: &[String]) -> Vec<String> {
    let follows = |key: &String, next: &String| match (key.parse::<i64>(), next.parse::<i64>()) {
        (Ok(key), Ok(next)) => key.checked_add(1) == Some(next),
        _ => false,
    };
    let told = keys.chunk_by(follows).map(|run| match run {
        [first, _, .., last] => format!("{first} to {last}"),
        run => run.join(", "),
    });
    told.collect()
}

/// Describes the copies that lie in a zone at first: `4 of each metal, but 2 of gold`, or `5 guards and 2 priests`. Returns `None`
/// for other and for empty zones, and if places differ.
pub(super) fn first_copies(model: &Model, slot: &Slot) -> Option<String> {
    let kinds = *slot.index.last().filter(|_| slot.role == Role::Copies)?;
    let size = model.domains[kinds.index()].size as usize;
    let places: Vec<&[Value]> = slot.initial.chunks(size).collect();
    let (first, _) = places.split_first().filter(|(first, rest)| rest.iter().all(|place| place == *first))?;
    let counts: Vec<i64> =
        first.iter().map(|value| if let Value::Number(copies) = value { *copies } else { 0 }).collect();
    if counts.iter().all(|copies| *copies == 0) {
        return None;
    }
    let times = |count: i64| counts.iter().filter(|other| **other == count).count();
    let usual = *counts.iter().max_by_key(|count| times(**count))?;
    let name = |kind: usize| plain(&model.element_name(kinds, kind as u32));
    if usual > 0 && times(usual) * 2 > size {
        let others = (0..size).filter(|kind| counts[*kind] != usual).map(|kind| match counts[kind] {
            0 => format!("none of {}", name(kind)),
            copies => format!("{copies} of {}", name(kind)),
        });
        let (others, kind) = (others.collect::<Vec<String>>(), plain(&model.domains[kinds.index()].name));
        return Some(match others.is_empty() {
            true => format!("{usual} of each {kind}"),
            false => format!("{usual} of each {kind}, but {}", list_words(&others)),
        });
    }
    let numbers = matches!(model.domains[kinds.index()].kind, DomainKind::Range { .. });
    let lying = (0..size).filter(|kind| counts[*kind] > 0).map(|kind| match numbers {
        true => format!("{} of {}", counts[kind], name(kind)),
        false if counts[kind] == 1 => format!("1 {}", name(kind)),
        false => format!("{} {}", counts[kind], plural(&name(kind))),
    });
    Some(list_words(&lying.collect::<Vec<_>>()))
}

/// Describes what a variable begins with, if that is more than nothing: `3 at first`, `3 at the start of each turn`.
pub(super) fn first_value(words: Wording<'_>, slot: &Slot) -> Option<String> {
    let (model, decls) = (words.model, words.decls);
    let since = match slot.life {
        Life::Turn => "at the start of each turn",
        Life::Round if model.rounds => "at the start of each round",
        Life::Round | Life::Game | Life::Match => "at first",
    };
    decls.iter().find_map(|decl| match &decl.kind {
        DeclKind::Var(var) if var.name.text == slot.name => match &var.value.as_ref()?.kind {
            ExprKind::Number(0) | ExprKind::None | ExprKind::Bool(false) => None,
            ExprKind::Set(parts) if parts.is_empty() => None,
            ExprKind::Name(name) if words.param(&name.text).is_some() => {
                Some(format!("{} {since}", param_text(words.param(&name.text)?)))
            }
            // A set of all elements of a domain is written as the name of the domain.
            ExprKind::Name(name) if model.domains.iter().any(|domain| domain.name == name.text) => {
                Some(format!("every {} {since}", plain(&name.text)))
            }
            _ => Some(format!("{} {since}", values_text(words, var.value.as_ref()?))),
        },
        _ => None,
    })
}

/// Describes the values of a table or a variable, entry by entry, or the equal ones together if there are many.
fn values_text(words: Wording<'_>, e: &Expr) -> String {
    let ExprKind::Map(entries) = &e.kind else { return part_text(words, e) };
    let entry = |entry: &MapEntry| {
        let more = if entry.and_more { " and more" } else { "" };
        (format!("{}{more}", part_text(words, &entry.key)), part_text(words, &entry.value))
    };
    let told: Vec<(String, String)> = entries.iter().map(entry).collect();
    let (told, between) = if told.len() < MANY_ENTRIES { (told, ", ") } else { (together(told), "; ") };
    let told = told.into_iter().map(|(key, value)| format!("{key}: {value}"));
    told.collect::<Vec<_>>().join(between)
}

/// Describes a key or a value of a table, one that is computed too.
fn part_text(words: Wording<'_>, e: &Expr) -> String {
    entry_text(words, e).unwrap_or_else(|| words.value(e))
}

fn help(decl: &Decl) -> &str {
    decl.help.as_ref().map_or("", |help| help.text.as_str())
}

/// Describes a key or a value of a table that is written out. Returns `None` for a computed one.
fn entry_text(words: Wording<'_>, e: &Expr) -> Option<String> {
    let entry_text = |e: &Expr| entry_text(words, e);
    let all = |parts: &[Expr]| parts.iter().map(entry_text).collect::<Option<Vec<String>>>();
    match &e.kind {
        ExprKind::Name(name) if words.is_define(&name.text) || words.param(&name.text).is_some() => None,
        ExprKind::Name(name) => Some(plain(&name.text)),
        ExprKind::Site(site) => Some(site.text.clone()),
        ExprKind::None => Some("none".to_owned()),
        ExprKind::Bool(true) => Some("yes".to_owned()),
        ExprKind::Bool(false) => Some("no".to_owned()),
        ExprKind::Range(low, high) => Some(format!("{} to {}", entry_text(low)?, entry_text(high)?)),
        ExprKind::Tuple(parts) => Some(all(parts)?.join(" ")),
        ExprKind::Set(parts) if parts.is_empty() => Some("nothing".to_owned()),
        ExprKind::Set(parts) => Some(list_words(&all(parts)?)),
        ExprKind::Number(number) => Some(number.to_string()),
        ExprKind::Unary(UnaryOp::Negate, number) => Some(format!("-{}", entry_text(number)?)),
        _ => None,
    }
}
