//! Asks a person for a move until the input is understood.

use super::output::{put, put_list};
use super::words::PlayCommand;
use super::{InputCommand, TerminalSession};
use crate::terminal::{CliError, Terminal};
use houserule_desk::table::{MoveMatch, MoveMenu};

impl TerminalSession {
    pub(super) fn ask_move(
        &mut self,
        mut menu: MoveMenu,
        prompt: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<InputCommand, CliError> {
        loop {
            let words = || {
                let commands = PlayCommand::ALL.iter().map(|(_, name, _)| (*name).to_owned());
                menu.all().typeable().into_iter().chain(commands).collect()
            };
            let Some(line) = self.input.line(prompt, words, terminal)? else { return Ok(InputCommand::Quit) };
            let line = line.trim();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let first = first.to_lowercase();
            if line.is_empty() {
                match menu.close() {
                    true => put_list(&menu.shown().list(), terminal)?,
                    false => put("Type a move, or `help`.", terminal)?,
                }
                continue;
            }
            let named = PlayCommand::named(&first).filter(|_| !menu.all().is_option(&first));
            let command = match (named, menu.find(line)) {
                (Some(command), _) => Some(command),
                (None, MoveMatch::One(action)) => return Ok(InputCommand::Act(action)),
                (None, MoveMatch::Several(names)) => {
                    put(&menu.ambiguous(line, &names), terminal)?;
                    continue;
                }
                (None, MoveMatch::Group(prefix)) => {
                    menu.open(&prefix);
                    put_list(&menu.shown().list(), terminal)?;
                    continue;
                }
                // `m c5` means `moves c5`, unless it can be the beginning of a move.
                (None, MoveMatch::None) => PlayCommand::beginning(&first).filter(|command| {
                    rest.is_empty() || *command == PlayCommand::Moves && !menu.all().has_option_from(&first)
                }),
            };
            match command {
                Some(command) => match self.command(command, rest.trim(), Some(menu.shown()), terminal)? {
                    InputCommand::Again => {}
                    other => return Ok(other),
                },
                None => put(&menu.misunderstood(line), terminal)?,
            }
        }
    }
}
