//! The params of a game with the places of their values in a text.

use std::ops::Range;

use super::units::Units;
use crate::workbench::{AskedValue, AskedValues, ParamKindTold, ParamTold, PlaceTold};
use houserule_game::Game;
use houserule_game::values::param_text;
use houserule_language::diagnostic::FileId;
use houserule_language::syntax::{Decl, DeclKind, EditKind, Expr, ExprKind, Item, RuleFile, parse};
use houserule_language::variants::Setting;
use houserule_model::{Param, ParamKind, ParamValue, PointsTable};

/// Values of params as settings of the loader.
pub(in crate::workbench) fn settings(set: &AskedValues) -> Vec<Setting> {
    let text = |value: &AskedValue| match value {
        AskedValue::Truth(value) => value.to_string(),
        AskedValue::Number(value) => value.to_string(),
        AskedValue::Name(name) => name.clone(),
    };
    set.iter().map(|(name, value)| Setting::new(name, text(value))).collect()
}

/// The params that a text can change: those that its game lets it set. Each entry of a table is one, called
/// `NAME.KEY`. `path` is the file of the text, if it can be changed.
pub(super) fn changeable_params(
    game: &Game,
    base: Option<&Game>,
    path: Option<&str>,
    text: &str,
    tree: &RuleFile,
) -> Vec<ParamTold> {
    let units = Units::from_text(text);
    let written = values(text, tree);
    let place = |name: &str, key: Option<&str>, now: &str| {
        let range = written.iter().rev().find(|one| one.name == name && one.key.as_deref() == key);
        // A value that is computed stays as it is.
        let range = range.filter(|one| text.get(one.range.clone()) == Some(now))?;
        let (from, to) = units.range(range.range.clone());
        Some(PlaceTold { path: path?.to_owned(), from, to })
    };
    let mut all = vec![];
    for param in &game.model().params {
        let usual = base.and_then(|base| base.model().params.iter().find(|one| one.name == param.name));
        let told = |value: AskedValue, place| ParamTold {
            name: param.name.clone(),
            help: param.help.clone(),
            kind: kind(&param.kind),
            value,
            usual: None,
            least: None,
            most: None,
            values: vec![],
            place,
        };
        let is_told = |place: &Option<PlaceTold>| place.is_some() || !param.fixed;
        match &param.value {
            ParamValue::Table(points) => {
                for (key, value) in entries(points) {
                    let place = place(&param.name, Some(&key), &value.to_string());
                    let before = usual.and_then(|usual| entry(usual, &key)).map(AskedValue::Number);
                    let name = format!("{}.{key}", param.name);
                    let one = ParamTold { name, usual: before, ..told(AskedValue::Number(value), place) };
                    all.extend(Some(one).filter(|one| is_told(&one.place)));
                }
            }
            value => {
                let place = place(&param.name, None, &param_text(value));
                let mut one = told(asked_value(value), place);
                one.usual = usual.map(|usual| asked_value(&usual.value));
                match &param.kind {
                    ParamKind::Number { low, high } => (one.least, one.most) = (Some(*low), Some(*high)),
                    ParamKind::Choice(words) => one.values.clone_from(words),
                    ParamKind::Bool | ParamKind::Table => {}
                }
                all.extend(Some(one).filter(|one| is_told(&one.place)));
            }
        }
    }
    all
}

fn kind(kind: &ParamKind) -> ParamKindTold {
    match kind {
        ParamKind::Number { .. } | ParamKind::Table => ParamKindTold::Number,
        ParamKind::Choice(_) => ParamKindTold::Choice,
        ParamKind::Bool => ParamKindTold::Truth,
    }
}

fn asked_value(value: &ParamValue) -> AskedValue {
    match value {
        ParamValue::Number(number) => AskedValue::Number(*number),
        ParamValue::Bool(value) => AskedValue::Truth(*value),
        value => AskedValue::Name(param_text(value)),
    }
}

/// The entries of a table by their keys as written.
fn entries(points: &PointsTable) -> Vec<(String, i64)> {
    let more = points.and_more.iter().map(|(key, value)| (format!("{key}+"), *value));
    points.entries.iter().map(|(key, value)| (key.to_string(), *value)).chain(more).collect()
}

fn entry(param: &Param, key: &str) -> Option<i64> {
    let ParamValue::Table(points) = &param.value else { return None };
    entries(points).into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// A text of rules with the values that a game's params have.
pub(super) fn with_values(text: &str, game: &Game) -> String {
    let mut new = text.to_owned();
    let mut written = values(text, &parse(FileId(0), text).0);
    written.sort_by_key(|one| one.range.start);
    for WrittenValue { name, key, range } in written.into_iter().rev() {
        let Some(param) = game.model().params.iter().find(|param| param.name == name) else { continue };
        let value = match key {
            Some(key) => entry(param, &key).map(|value| value.to_string()),
            None => Some(param_text(&param.value)),
        };
        if let Some(value) = value {
            new.replace_range(range, &value);
        }
    }
    new
}

/// A value in a text.
struct WrittenValue {
    /// The param.
    name: String,
    /// The key in a table.
    key: Option<String>,
    range: Range<usize>,
}

/// The values of params that the last game or variant of a text writes.
fn values(text: &str, tree: &RuleFile) -> Vec<WrittenValue> {
    let mut found = vec![];
    let declared = |decl: &Decl, found: &mut Vec<WrittenValue>| {
        if let DeclKind::Param(param) = &decl.kind
            && let Some(value) = &param.value
        {
            add(&param.name.text, value, text, found);
        }
    };
    match tree.items.last() {
        Some(Item::Game(game)) => game.decls.iter().for_each(|decl| declared(decl, &mut found)),
        Some(Item::Variant(variant)) => {
            for edit in &variant.edits {
                match &edit.kind {
                    EditKind::Declare { decl, .. } => declared(decl, &mut found),
                    EditKind::Fix { name, value } | EditKind::Default { name, value, .. } => {
                        add(&name.text, value, text, &mut found);
                    }
                    EditKind::StepHelp { .. }
                    | EditKind::Step(_)
                    | EditKind::Without { .. }
                    | EditKind::InsertStep { .. }
                    | EditKind::Extend { .. }
                    | EditKind::Hole => {}
                }
            }
        }
        None => {}
    }
    found
}

fn add(name: &str, value: &Expr, text: &str, found: &mut Vec<WrittenValue>) {
    let range = |of: &Expr| of.span.start as usize..of.span.end as usize;
    let name = name.to_owned();
    match &value.kind {
        ExprKind::Map(entries) => {
            for entry in entries {
                let key = text.get(range(&entry.key)).unwrap_or_default();
                let key = Some(format!("{key}{}", if entry.and_more { "+" } else { "" }));
                found.push(WrittenValue { name: name.clone(), key, range: range(&entry.value) });
            }
        }
        _ => found.push(WrittenValue { name, key: None, range: range(value) }),
    }
}
