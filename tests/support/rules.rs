//! Games from rule texts, and bundled games.
#![allow(dead_code)]

use houserule::game::Game;
use houserule::loader::{Request, load, load_text};
use houserule::variants::Setting;

/// Loads the game of a rule text.
pub(crate) fn game(rules: &str) -> Game {
    load_text("game", rules, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
}

/// Loads a bundled game by name, with params and a number of players.
pub(crate) fn bundled(name: &str, params: &[(&str, &str)], players: Option<u32>) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    let request = Request { name, settings: &settings, players };
    load(&request).unwrap_or_else(|error| panic!("{name} {params:?}: {error}")).game
}
