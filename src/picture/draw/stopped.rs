//! Describes a state in which a runtime error stopped a game, with the last events.

use houserule_game::State;
use houserule_game::values::{BoardNames, event_text};

/// Maximum number of events that are listed.
const MOST_EVENTS: usize = 6;

/// Describes the state at the error and the last events. `decisions` is their number in words: `12 decisions`.
pub fn stopped(state: &State, decisions: &str) -> String {
    let history = state.history();
    let mut text = format!("The game at that moment, after {decisions}:\n\n");
    for line in super::text::position(state, None).lines() {
        text.push_str(if line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
    let last = &history[history.len().saturating_sub(MOST_EVENTS)..];
    if !last.is_empty() {
        let names = BoardNames::new(state.game());
        let in_words = |event| names.event(event, &event_text(state.game(), event));
        let told: Vec<String> = last.iter().map(in_words).collect();
        let before = if last.len() < history.len() { "… " } else { "" };
        text.push_str(&format!("\nThe last events: {before}{}\n", told.join(", ")));
    }
    text
}
