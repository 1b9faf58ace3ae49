//! Fuzz target: any text as a script, of rules and as an agent.

#![no_main]

use std::sync::OnceLock;

use houserule::game::Game;
use houserule::loader::{Request, load};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/whole_way.rs"]
mod whole_way;

static GAME: OnceLock<Game> = OnceLock::new();

fuzz_target!(|text: &str| {
    let request = Request { name: "dominoes", ..Request::default() };
    let game = GAME.get_or_init(|| load(&request).expect("it comes along").game);
    let seed = text.len() as u64;
    whole_way::script_way(text, seed);
    whole_way::player_way(game, text, seed);
});
