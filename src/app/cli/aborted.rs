//! Reports a runtime error in the rules: the rule, the state, and the command that replays it.

use std::fmt;

use crate::terminal::{CliError, Terminal};
use houserule_base::names::{shell_game, shell_word};
use houserule_game::{RuntimeError, RuntimeErrorKind};
use houserule_language::diagnostic::render;
use houserule_loader::Loaded;
use houserule_page::report::columns::{counted, grouped};
use houserule_picture::draw::stopped::stopped as state;
use houserule_playtest::Stopped;

/// The number of games that errors ended.
pub(super) struct AbortedCount {
    pub(super) games: u64,
    /// The number of games that were started.
    pub(super) of: u64,
    /// The index of the first aborted game.
    pub(super) index: u64,
}

/// The command that plays one game of a run by itself.
pub(super) struct Again<'a> {
    pub(super) name: &'a str,
    /// The index of the game or of its match.
    pub(super) number: u64,
    pub(super) seed: u64,
    /// The values of `--set`.
    pub(super) set: Vec<&'a String>,
    pub(super) players: Option<u32>,
    pub(super) agents: &'a str,
    pub(super) matches: bool,
}

impl fmt::Display for Again<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Again { name, number, seed, .. } = self;
        write!(f, "houserule simulate {} --games 1 --first {number} --seed {seed}", shell_game(name))?;
        self.set.iter().try_for_each(|setting| write!(f, " --set {}", shell_word(setting)))?;
        if let Some(players) = self.players {
            write!(f, " --players {players}")?;
        }
        if self.agents != "random" {
            write!(f, " --agents {}", shell_word(self.agents))?;
        }
        f.write_str(if self.matches { " --match" } else { "" })
    }
}

/// Reports the first error of a run.
pub(super) fn report(
    error: &RuntimeError,
    stopped: Option<&Stopped>,
    aborted: &AbortedCount,
    again: &Again<'_>,
    loaded: &Loaded,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let count = match (aborted.games, aborted.of) {
        (1, 1) => format!("this aborted game {}", aborted.index),
        (games, of) => {
            let were = if games == 1 { "was" } else { "were" };
            let (games, of) = (grouped(games), counted(of, "game"));
            format!("{games} of {of} {were} aborted by errors, this is the first: game {}", aborted.index)
        }
    };
    terminal.out.flush()?;
    let style = terminal.style();
    let told = error.diagnostic_in(&loaded.game, stopped.map(|stopped| &stopped.state)).note(count);
    writeln!(terminal.err, "{}", render(&told, &error.sources(&loaded.sources), style))?;
    if let Some(stopped) = stopped {
        // The decision beyond the limit was not carried out.
        let decisions = match stopped.error.kind {
            RuntimeErrorKind::Limit { decisions } => decisions,
            _ => stopped.state.decisions(),
        };
        let decisions = counted(decisions, "decision");
        write!(terminal.err, "\n{}", state(&stopped.state, &decisions))?;
    }
    writeln!(terminal.err, "\nTo see it again: {again}")?;
    Ok(())
}
