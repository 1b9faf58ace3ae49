//! Loads the games of records and journals, with their params.

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::{Loaded, Request, load};
use houserule_game::Game;
use houserule_game::notation::journal;
use houserule_game::notation::journal::Journal;
use houserule_game::notation::record::Record;
use houserule_game::ordered::Ordered;
use houserule_game::values::{param_text_of_json, params_json};
use houserule_language::variants::Setting;

/// A cache of loaded games, by name, params and number of players.
#[derive(Debug, Default)]
pub struct GameCache {
    loaded: HashMap<String, Game>,
}

impl GameCache {
    /// Returns the game of a record, loading it if necessary.
    pub fn game(&mut self, record: &Record) -> Result<&Game, String> {
        let params = serde_json::to_string(&record.params).unwrap_or_default();
        let key = format!("{}\n{}\n{params}", record.game, record.players);
        if !self.loaded.contains_key(&key) {
            let game = load_with(&record.game, &record.params, record.players)?.game;
            self.loaded.insert(key.clone(), game);
        }
        self.loaded.get(&key).ok_or_else(|| "the game can't be loaded".to_owned())
    }
}

/// Loads a game with the params of a record.
pub fn load_with(name: &str, params: &Ordered<Json>, players: u32) -> Result<Loaded, String> {
    let load = |settings: &[Setting], players| {
        let request = Request { name, settings, players };
        load(&request).map_err(|error| error.to_string())
    };
    let plain = load(&[], Some(players)).or_else(|_| load(&[], None))?;
    let here = params_json(plain.game.model());
    let differs = |(name, value): &&(String, Json)| here.get(name) != Some(value);
    let settings: Vec<Setting> = params
        .0
        .iter()
        .filter(differs)
        .map(|(name, value)| Setting::new(name, param_text_of_json(value)))
        .collect();
    if settings.is_empty() && plain.game.players() == players {
        return Ok(plain);
    }
    load(&settings, Some(players))
}

/// Replays a journal and returns its games as records, in JSON.
pub fn journal_records(text: &str) -> Result<Vec<String>, String> {
    let (journal, _) = Journal::read(text)?;
    let game = load_with(&journal.head.game, &journal.head.params, journal.head.players)?.game;
    if !journal.same_rules(&game) {
        return Err(format!("the rules of {} have changed since this was played", journal.head.game));
    }
    let resumed = journal::resume(&game, &journal, |_| {}).map_err(|error| error.to_string())?;
    let states = resumed.before.iter().chain([resumed.played.state()]);
    states
        .map(|state| {
            let record = Record::from_state(state).map_err(|error| error.to_string())?;
            serde_json::to_string(&record).map_err(|error| error.to_string())
        })
        .collect()
}
