//! The whole way of a text: parsed, merged, checked, compiled, and ten random moves. Whatever the text
//! says, this ends without a panic. Property tests and the fuzz targets walk it.
#![allow(dead_code)]

use houserule::agents::{AgentFile, AgentKind};
use houserule::engine::Game;
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;

/// Walks as far as the text allows, and says how many moves were made; none if it is no game.
pub(crate) fn whole_way(text: &str, seed: u64) -> Option<u32> {
    let loaded = match load_text("text.rules", text, &Request::default()) {
        Ok(loaded) => loaded,
        Err(error) => {
            // Messages are drawn too: their spans come from the text.
            let _ = error.to_string();
            return None;
        }
    };
    let Ok(mut state) = loaded.game.start(seed, 0) else { return Some(0) };
    for moves in 0..10 {
        let Some(action) = state.random_action() else { return Some(moves) };
        if state.apply(action).is_err() {
            return Some(moves);
        }
    }
    Some(10)
}

/// Rules in which a script may stand, and the script that stands there.
const SCRIPTED: &str = include_str!("../everything.rules");

/// Before the script, the script, and behind it.
fn parts() -> [&'static str; 3] {
    let mut parts = SCRIPTED.split("\"\"\"");
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// A script to begin with.
pub(crate) fn script() -> &'static str {
    parts()[1]
}

/// Walks as far with a text as a script of rules.
pub(crate) fn script_way(text: &str, seed: u64) -> Option<u32> {
    let [before, _, behind] = parts();
    whole_way(&format!("{before}\"\"\"{text}\"\"\"{behind}"), seed)
}

/// Walks as far with a text as a player, by what it chooses or by how it judges.
pub(crate) fn player_way(game: &Game, text: &str, seed: u64) -> Option<u32> {
    let file = std::sync::Arc::new(AgentFile::of("player.rhai", text).ok()?);
    let kind = AgentKind::script(file.clone())
        .or_else(|_| AgentKind::Greedy.judging(AgentKind::Script(file)))
        .ok()?;
    let mut seats = AgentKind::seat_all(&vec![kind; game.players() as usize], game).ok()?;
    let mut state = game.start(seed, 0).ok()?;
    let mut stream = Stream::new(seed, 0, 1);
    for moves in 0..10 {
        let Some(player) = state.current_player() else { return Some(moves) };
        match seats[player.0 as usize].choose(&mut state.seen_by(player), &mut stream) {
            Ok(Some(action)) if state.apply(action).is_ok() => {}
            _ => return Some(moves),
        }
    }
    Some(10)
}
