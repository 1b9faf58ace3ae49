//! A state at which an error of the rules stopped a game, with what led to it.

use crate::engine::State;
use crate::engine::values::event_text;

/// Events before the error that are told.
const MOST_EVENTS: usize = 6;

/// The state at the error, and what led to it. `decisions` says how many there were: `12 decisions`.
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
        let told: Vec<String> = last.iter().map(|event| event_text(state.game(), event)).collect();
        let before = if last.len() < history.len() { "… " } else { "" };
        text.push_str(&format!("\nThe last events: {before}{}\n", told.join(", ")));
    }
    text
}
