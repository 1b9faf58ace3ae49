//! Reads the fact files, and what all facts have in common.

use std::collections::BTreeMap;

use super::play::Play;
use crate::extent;
use houserule::game::Game;
use houserule::loader::{Request, load};
use houserule::variants::Setting;
use serde::Deserialize;
use serde_json::Value;

/// A fact file.
#[derive(Deserialize)]
struct File {
    game: String,
    facts: Vec<Fact>,
}

/// A fact. Keys that only some kinds have are in `more`.
#[derive(Clone, Deserialize)]
pub(crate) struct Fact {
    /// Its name, unique in its file.
    pub(crate) name: String,
    /// The kind of statement.
    pub(crate) kind: String,
    /// The stack of rules. Empty for the game of the fact's file.
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    params: BTreeMap<String, Value>,
    players: Option<u32>,
    /// All other keys.
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

impl Fact {
    /// Returns the value of a key.
    pub(crate) fn get<T: for<'de> Deserialize<'de>>(&self, key: &str) -> T {
        self.find(key).unwrap_or_else(|| panic!("{}: has no `{key}`", self.name))
    }

    /// Like `get`, or `None` if the key is missing.
    pub(crate) fn find<T: for<'de> Deserialize<'de>>(&self, key: &str) -> Option<T> {
        let value = self.more.get(key)?;
        Some(T::deserialize(value).unwrap_or_else(|error| panic!("{}, `{key}`: {error}", self.name)))
    }

    /// Loads the game of the fact.
    pub(crate) fn game(&self) -> Game {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let settings: Vec<Setting> =
            self.params.iter().map(|(name, v)| Setting::new(name, text(v))).collect();
        let name = self.rules.join(" + ");
        let request = Request { name: &name, settings: &settings, players: self.players };
        load(&request).unwrap_or_else(|error| panic!("{}: {error}", self.name)).game
    }
}

/// Returns every fact of a kind. Panics if there is none, because the test would then test nothing.
pub(crate) fn facts(kind: &str) -> Vec<Fact> {
    let found: Vec<Fact> = all().into_iter().filter(|fact| fact.kind == kind).collect();
    assert!(!found.is_empty(), "no fact is of kind `{kind}`");
    found
}

/// Like `facts`. In `./test`, facts that take an executor long are left to `./test --all`.
pub(crate) fn facts_for<P: Play>(kind: &str) -> Vec<Fact> {
    let long = |fact: &Fact| {
        fact.find::<Vec<String>>("long").is_some_and(|of| of.iter().any(|of| of == P::EXECUTOR))
    };
    let found: Vec<Fact> =
        facts(kind).into_iter().filter(|fact| extent::everything() || !long(fact)).collect();
    assert!(!found.is_empty(), "every fact of kind `{kind}` takes long");
    found
}

/// Returns every fact of every file.
pub(crate) fn all() -> Vec<Fact> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("there are fact files")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let mut all = vec![];
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a fact file can be read");
        let file: File =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for mut fact in file.facts {
            if fact.rules.is_empty() {
                fact.rules.push(file.game.clone());
            }
            fact.name = format!("{}: {}", file.game, fact.name);
            all.push(fact);
        }
    }
    all
}
