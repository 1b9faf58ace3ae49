//! How an error of the rules at run time is told: the rule, the state, and how to see it again.

use super::table::grouped;
use super::{Fault, Terminal};
use crate::diagnostic::{Style, render};
use crate::draw::stopped::stopped as state;
use crate::engine::{RuntimeError, RuntimeErrorKind};
use crate::loader::Loaded;
use crate::playtest::Stopped;

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
        let plural = if decisions == 1 { "" } else { "s" };
        let decisions = format!("{} decision{plural}", grouped(decisions));
        write!(terminal.err, "\n{}", state(&stopped.state, &decisions))?;
    }
    writeln!(terminal.err, "\nTo see it again: {command}")?;
    Ok(())
}
