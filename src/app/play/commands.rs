//! Commands other than moves.

use super::output::put_list;
use super::words::{self, PlayCommand};
use super::{InputCommand, TerminalSession, UNRECORDED};
use crate::terminal::{CliError, Terminal};
use houserule_base::names::shell_quoted;
use houserule_desk::table::{Audience, LegalMoves, MoveMatch, turn_phrases};

impl TerminalSession {
    pub(super) fn command(
        &mut self,
        command: PlayCommand,
        rest: &str,
        moves: Option<&LegalMoves>,
        terminal: &mut Terminal<'_>,
    ) -> Result<InputCommand, CliError> {
        let paint = terminal.paint;
        match command {
            PlayCommand::Undo => return Ok(InputCommand::Undo),
            PlayCommand::Quit => return Ok(InputCommand::Quit),
            PlayCommand::Help => {
                let first = moves.and_then(|moves| moves.moves().first());
                let example = first.map(|one| one.name.as_str());
                let rest = example.and_then(|name| name.split_once(' ')).map(|(_, rest)| rest);
                let is_meant = |rest: &&str| {
                    moves.is_some_and(|moves| {
                        Some(moves.resolve(rest)) == first.map(|one| MoveMatch::One(one.action))
                    })
                };
                let short = rest.filter(is_meant);
                let numbered = moves.is_some_and(LegalMoves::is_numbered);
                let by_rules = first.map(|one| one.rule_name.as_str()).filter(|name| Some(*name) != example);
                write!(terminal.out, "{}", words::help(example, short, by_rules, numbered, paint))?;
                if self.path().is_none() {
                    writeln!(terminal.out, "{UNRECORDED}: nothing of it is kept.")?;
                }
            }
            PlayCommand::Board => self.show(terminal)?,
            PlayCommand::Moves => {
                let lines = moves.map(|moves| moves.long_list(rest)).unwrap_or_default();
                if lines.is_empty() {
                    let which = if rest.is_empty() { String::new() } else { format!(" with `{rest}`") };
                    writeln!(terminal.out, "No move{which} is legal now.")?;
                }
                put_list(&lines, terminal)?;
            }
            PlayCommand::Score => {
                // After the end nothing is hidden.
                let audience = match self.table.state().is_over() {
                    true => Audience::All,
                    false => self.table.audience(),
                };
                let text = words::explained(self.table.state(), audience.viewers(), paint);
                let none = "This game has no score; `rules` says how it is won.\n".to_owned();
                write!(terminal.out, "{}", if text.is_empty() { none } else { text })?;
            }
            PlayCommand::History => {
                let mut lines = turn_phrases(self.table.game(), &self.table.seen_at_screen(0));
                if lines.is_empty() {
                    lines.push("Nothing has happened yet.".to_owned());
                }
                self.put_happened(&lines, str::to_owned, terminal)?;
            }
            PlayCommand::Rules => {
                let columns = paint.columns().min(houserule_page::prose::COLUMNS);
                writeln!(
                    terminal.out,
                    "\n{}",
                    houserule_page::prose::rules(self.table.game(), columns).trim_end()
                )?;
            }
            PlayCommand::Save => {
                let Some(path) = self.path() else {
                    writeln!(terminal.out, "{UNRECORDED}; `--journal FILE` records the next one.")?;
                    return Ok(InputCommand::Again);
                };
                writeln!(terminal.out, "Every move is saved at once in {path}.")?;
                writeln!(terminal.out, "To go on with it: houserule play --journal {}", shell_quoted(&path))?;
            }
        }
        Ok(InputCommand::Again)
    }
}
