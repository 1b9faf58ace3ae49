//! How an error of the rules at run time is told: the rule, the state, and how to see it again.

use super::table::grouped;
use super::{Fault, Terminal};
use crate::diagnostic::{Style, render};
use crate::draw;
use crate::engine::values::event_text;
use crate::engine::{RuntimeError, RuntimeErrorKind, State};
use crate::loader::Loaded;
use crate::playtest::Stopped;

/// Events before the error that are told.
const MOST_EVENTS: usize = 6;

/// Games that errors ended.
pub(super) struct Aborted {
    pub(super) games: u64,
    /// How many were begun.
    pub(super) of: u64,
    /// The first that was aborted.
    pub(super) index: u64,
}

/// Tells the first error of a run.
pub(super) fn tell(
    error: &RuntimeError,
    stopped: Option<&Stopped>,
    aborted: &Aborted,
    command: &str,
    loaded: &Loaded,
    terminal: &mut Terminal<'_>,
) -> Result<(), Fault> {
    let count = match (aborted.games, aborted.of) {
        (1, 1) => format!("this aborted game {}", aborted.index),
        (games, of) => {
            let were = if games == 1 { "was" } else { "were" };
            let (games, of) = (grouped(games), grouped(of));
            format!(
                "{games} of {of} games {were} aborted by errors, this is the first: game {}",
                aborted.index
            )
        }
    };
    terminal.out.flush()?;
    let style = Style { color: terminal.err_paint.is_on(), ..Style::default() };
    writeln!(terminal.err, "{}", render(&error.diagnostic().note(count), &loaded.sources, style))?;
    if let Some(stopped) = stopped {
        // The decision that was one too many was not carried out.
        let decisions = match stopped.error.kind {
            RuntimeErrorKind::Limit { decisions } => decisions,
            _ => stopped.state.decisions(),
        };
        write!(terminal.err, "\n{}", state(&stopped.state, decisions))?;
    }
    writeln!(terminal.err, "\nTo see it again: {command}")?;
    Ok(())
}

/// The state at the error, and what led to it.
fn state(state: &State, decisions: u64) -> String {
    let history = state.history();
    let plural = if decisions == 1 { "" } else { "s" };
    let mut text = format!("The game at that moment, after {} decision{plural}:\n\n", grouped(decisions));
    for line in draw::text::position(state, None).lines() {
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
