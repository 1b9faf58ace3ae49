//! Takes a rule text through the whole program: parse, merge, check, compile, and ten random moves. No text
//! may cause a panic. Used by property tests and the fuzz targets.
#![allow(dead_code)]

use houserule::agents::{AgentFile, AgentKind};
use houserule::game::Game;
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;

/// Takes a text as far as possible. Returns the number of moves made, or `None` if the text is no game.
pub(crate) fn whole_way(text: &str, seed: u64) -> Option<u32> {
    let loaded = match load_text("text.rules", text, &Request::default()) {
        Ok(loaded) => loaded,
        Err(error) => {
            // Messages are rendered too, because their spans come from the text.
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

/// Rules with a script.
const SCRIPTED: &str = include_str!("../everything.rules");

/// Returns the text before the script, the script, and the text after it.
fn parts() -> [&'static str; 3] {
    let mut parts = SCRIPTED.split("\"\"\"");
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// Returns a valid script.
pub(crate) fn script() -> &'static str {
    parts()[1]
}

/// Like `whole_way`, with the text as the script of the rules.
pub(crate) fn script_way(text: &str, seed: u64) -> Option<u32> {
    let [before, _, behind] = parts();
    whole_way(&format!("{before}\"\"\"{text}\"\"\"{behind}"), seed)
}

/// Like `whole_way`, with the text as a script agent, which has `choose` or `value`.
pub(crate) fn player_way(game: &Game, text: &str, seed: u64) -> Option<u32> {
    let file = std::sync::Arc::new(AgentFile::from_text("player.rhai", text).ok()?);
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
