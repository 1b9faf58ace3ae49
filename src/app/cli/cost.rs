//! Announces before a run that it will take long.

use std::collections::BTreeSet;

use crate::terminal::{CliError, Terminal};
use houserule_base::numbers::duration;
use houserule_game::Game;
use houserule_page::report::columns::counted;
use houserule_players::agents::AgentKind;
use houserule_playtest::seconds_of_a_game;

/// Minimum duration of a game or match, in seconds, that is announced.
const LONG: f64 = 2.0;

/// The games to be played.
pub(super) struct Planned<'a> {
    pub(super) game: &'a Game,
    /// The agent of each seat.
    pub(super) agents: Vec<AgentKind>,
    /// The number of games or matches; `None` if it depends on how long they take.
    pub(super) games: Option<u64>,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) match_play: bool,
}

/// Announces the duration of a game, and of the run, if a game takes long. Returns `true` if that of the run is announced.
pub(super) fn announce(planned: &Planned<'_>, terminal: &mut Terminal<'_>) -> Result<bool, CliError> {
    let Planned { game, agents, games, seed, threads, match_play } = planned;
    if terminal.quiet {
        return Ok(false);
    }
    terminal.out.flush()?;
    let note = terminal.err_paint.head("note:");
    let warnings: BTreeSet<String> = agents.iter().filter_map(|kind| kind.warning(game)).collect();
    for warning in warnings {
        writeln!(terminal.err, "{note} {warning}")?;
    }
    if agents.iter().any(AgentKind::trains) {
        writeln!(
            terminal.err,
            "{note} `learned` is trained first, unless it was trained before; `houserule learn` shows its progress"
        )?;
    }
    let Some(seconds) = seconds_of_a_game(game, agents, *seed, *match_play).filter(|cost| *cost >= LONG)
    else {
        return Ok(false);
    };
    let played = if *match_play { "match" } else { "game" };
    let mut names: Vec<String> = agents.iter().map(AgentKind::to_string).collect();
    names.dedup();
    let name = &game.identity().name;
    let mut line =
        format!("a {played} of {name} with {} takes about {}", names.join(", "), duration(seconds));
    let several = games.filter(|games| *games > 1);
    if let Some(games) = several {
        let at_once = (*threads as u64).min(games).max(1);
        let all = duration(seconds * games.div_ceil(at_once) as f64);
        line += &format!(
            ", {} on {} about {all}; Ctrl-C ends the run with a report on the finished ones",
            counted(games, played),
            counted(at_once, "thread")
        );
    }
    writeln!(terminal.err, "{note} {line}")?;
    Ok(several.is_some())
}
