//! Numbers that show which rules are played.

use std::collections::HashMap;

use super::joined::{Joined, Listed, nth};
use super::kind::SharedKind;
use crate::Game;
use houserule_model::{ParamKind, ParamValue};

/// Numbers that show which rules are played.
#[derive(Default)]
pub(super) struct Features {
    pub(super) names: Vec<String>,
    /// The least and the greatest value.
    pub(super) ranges: Vec<(i64, i64)>,
    /// By game.
    pub(super) values: Vec<Vec<i64>>,
}

impl Features {
    pub(super) fn new(games: &[Game], kinds: &[SharedKind], of_games: &[usize], joined: &Joined) -> Features {
        let mut features = Features { values: vec![vec![]; games.len()], ..Features::default() };
        let mut params = Listed::default();
        games.iter().flat_map(|game| &game.model().params).for_each(|param| {
            params.add(&param.name);
        });
        for name in &params.names {
            let value = |game: &Game| {
                let param = game.model().params.iter().find(|param| param.name == *name)?;
                Some(match (&param.value, &param.kind) {
                    (ParamValue::Number(number), _) => *number,
                    (ParamValue::Bool(is), _) => i64::from(*is),
                    (ParamValue::Word(word), ParamKind::Choice(words)) => {
                        words.iter().position(|one| one == word).unwrap_or(0) as i64
                    }
                    // A table has no order; `tables` below tells them apart.
                    (ParamValue::Word(_) | ParamValue::Table(_), _) => return None,
                })
            };
            let values: Vec<Option<i64>> = games.iter().map(value).collect();
            let known = values.iter().flatten().copied();
            if let (Some(low), Some(high)) = (known.clone().min(), known.max())
                && low < high
            {
                features.add(name.clone(), (low, high), |game| values[game].unwrap_or(low));
            }
            features.tables(games, name);
        }
        let stack = |game: &Game| match game.sheet().names.get(1..) {
            Some(names) if !names.is_empty() => names.join(" + "),
            _ => "no variant".to_owned(),
        };
        let stacks: Vec<String> = games.iter().map(stack).collect();
        features.one_hot(&stacks, |stack| stack.to_owned());
        for (at, entry) in joined.entries.iter().enumerate().filter(|(_, entry)| entry.kinds < kinds.len()) {
            let has = |kind: &SharedKind| {
                let mut seen = HashMap::new();
                kind.entries.iter().any(|own| {
                    let key = (own.entry.name.clone(), nth(&mut seen, &own.entry.name));
                    joined.at[&key] == at
                })
            };
            let has: Vec<bool> = kinds.iter().map(has).collect();
            features.add(format!("has {}", entry.entry.name), (0, 1), |game| i64::from(has[of_games[game]]));
        }
        features
    }

    pub(super) fn add(&mut self, name: String, range: (i64, i64), value: impl Fn(usize) -> i64) {
        self.names.push(name);
        self.ranges.push(range);
        self.values.iter_mut().enumerate().for_each(|(game, values)| values.push(value(game)));
    }

    /// Adds a feature for each of several texts, unless all are the same.
    pub(super) fn one_hot(&mut self, texts: &[String], name: impl Fn(&str) -> String) {
        let mut listed = Listed::default();
        texts.iter().for_each(|text| {
            listed.add(text);
        });
        if listed.names.len() > 1 {
            for text in &listed.names {
                self.add(name(text), (0, 1), |game| i64::from(texts[game] == *text));
            }
        }
    }

    /// Adds a feature for each table that a param may be.
    pub(super) fn tables(&mut self, games: &[Game], name: &str) {
        let text = |game: &Game| {
            let param = game.model().params.iter().find(|param| param.name == name);
            match param.map(|param| &param.value) {
                Some(value @ ParamValue::Table(_)) => crate::values::param_text(value),
                Some(ParamValue::Number(_) | ParamValue::Word(_) | ParamValue::Bool(_)) | None => {
                    String::new()
                }
            }
        };
        let texts: Vec<String> = games.iter().map(text).collect();
        self.one_hot(&texts, |text| format!("{name} {text}"));
    }
}
