//! The game that a house rule changes.

use crate::load_origin;
use houserule_game::Game;
use houserule_language::variants::{Origin, StackPart};

/// Loads the game that a house rule changes: without its variants and settings. Returns `None` if the game has none
/// of either, or if its base can't be loaded alone.
pub fn load_base_game(game: &Game) -> Option<Game> {
    let sheet = game.sheet();
    let parts = match sheet.variants.is_empty() {
        true if sheet.origin.settings.is_empty() => return None,
        true => sheet.origin.parts.clone(),
        false => vec![StackPart::Named(sheet.names.first()?.clone())],
    };
    let files = sheet.origin.files.clone();
    let origin = Origin { parts, files, players: Some(game.players()), ..Origin::default() };
    let alone = load_origin(&origin).or_else(|_| load_origin(&Origin { players: None, ..origin }));
    alone.ok().map(|loaded| loaded.game)
}
