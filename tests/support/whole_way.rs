//! The whole way of a text: parsed, merged, checked, compiled, and ten random moves. Whatever the text
//! says, this ends without a panic. A property test and the fuzz target walk it.

use houserule::loader::{Request, load_text};

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
