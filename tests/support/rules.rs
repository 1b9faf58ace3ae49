//! Games from texts.

use houserule::engine::Game;
use houserule::loader::{Request, load_text};

/// The game of a rule text.
pub(crate) fn game(rules: &str) -> Game {
    load_text("game", rules, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
}
