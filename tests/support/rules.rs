//! Games from rule texts, and bundled games.
#![allow(dead_code)]

use houserule::game::{Game, State};
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

/// The state of a new game after these actions, in notation.
pub(crate) fn played(game: &Game, actions: &[&str]) -> State {
    let mut state = game.start(1, 0).unwrap_or_else(|error| panic!("{error}"));
    for action in actions {
        let number = game.parse_action(action).unwrap_or_else(|| panic!("{action}"));
        assert!(!state.is_over(), "before {action}");
        state.apply(number).unwrap_or_else(|error| panic!("{action}: {error}"));
    }
    state
}

/// The number of random games with about so many decisions in all: at least one, at most `most`.
pub(crate) fn games_for(game: &Game, decisions: u64, most: u64) -> u64 {
    let mut state = game.start(1, 0).unwrap_or_else(|error| panic!("{error}"));
    while let Some(action) = state.random_action() {
        state.apply(action).unwrap_or_else(|error| panic!("{error}"));
    }
    (decisions / state.decisions().max(1)).clamp(1, most)
}
