//! Asks a person for a move until the input is understood.

use super::super::super::{CliError, Terminal};
use super::super::moves::{InputMatch, LegalMoves};
use super::super::words::Command;
use super::{InputCommand, Session, put_list};
use crate::game::ActionId;

/// Maximum number of moves listed when several match, or none.
const MOST_NAMED: usize = 8;

impl Session {
    pub(super) fn ask_move(
        &mut self,
        all: &LegalMoves,
        prompt: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<InputCommand, CliError> {
        // All moves, or a group of them.
        let mut moves = all.clone();
        loop {
            let words = || {
                let commands = Command::ALL.iter().map(|(_, name, _)| (*name).to_owned());
                all.names().into_iter().chain(commands).collect()
            };
            let Some(line) = self.input.line(prompt, words, terminal)? else { return Ok(InputCommand::Quit) };
            let line = line.trim().to_lowercase();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            if line.is_empty() && !moves.is_all() {
                moves = all.clone();
                put_list(&moves.list(), terminal)?;
                continue;
            }
            if line.is_empty() {
                self.complain("Type a move, or `help`.", terminal)?;
                continue;
            }
            let named = Command::named(first).filter(|_| !all.is_option(first));
            let within = match moves.is_all() {
                true => InputMatch::None,
                false => moves.meant_within(&line),
            };
            let meant = match within {
                InputMatch::None => all.meant(&line),
                meant => meant,
            };
            let meant = match meant {
                InputMatch::None => self.other_name(&line, all).map_or(InputMatch::None, InputMatch::One),
                meant => meant,
            };
            let command = match (named, meant) {
                (Some(command), _) => Some(command),
                (None, InputMatch::One(action)) => return Ok(InputCommand::Act(action)),
                (None, InputMatch::Several(names)) => {
                    let shown = quoted(&names);
                    self.complain(&format!("`{line}` fits several moves: {shown}."), terminal)?;
                    continue;
                }
                (None, InputMatch::Group(prefix)) => {
                    moves = all.narrowed(&prefix);
                    put_list(&moves.list(), terminal)?;
                    continue;
                }
                // `m c5` means `moves c5`, unless it can be the beginning of a move.
                (None, InputMatch::None) => Command::beginning(first).filter(|command| {
                    rest.is_empty() || *command == Command::Moves && !all.has_option_from(first)
                }),
            };
            match command {
                Some(command) => match self.command(command, rest.trim(), Some(&moves), terminal)? {
                    InputCommand::Again => {}
                    other => return Ok(other),
                },
                None => self.complain(&self.misunderstood(&line, all), terminal)?,
            }
        }
    }

    /// Returns a legal move with a name that differs from the list: a side named by its other cell, a set in
    /// another order.
    fn other_name(&self, line: &str, moves: &LegalMoves) -> Option<ActionId> {
        let legal =
            |name: &str| self.game.parse_action(name).filter(|action| self.played.state().is_legal(*action));
        let joined = line.split_whitespace().collect::<Vec<_>>().join("-");
        let options = moves.options();
        let short = |line: &str| options.iter().find_map(|option| legal(&format!("{option} {line}")));
        legal(line).or_else(|| short(line)).or_else(|| short(&joined))
    }

    /// Returns a message about an input that wasn't understood, with suggestions.
    fn misunderstood(&self, line: &str, moves: &LegalMoves) -> String {
        let state = self.played.state();
        let typed = self.game.parse_action(line).map(|action| self.game.action_name(action));
        let mut text = match typed {
            Some(name) => format!("`{name}` is not legal now."),
            None => format!("`{line}` is no move and no command."),
        };
        let near = moves.near(line);
        match near.as_slice() {
            [] if moves.all.len() <= MOST_NAMED => {
                let names = moves.names();
                text.push_str(&format!(" Legal: {}.", quoted(&names)));
            }
            [] => text.push_str(&format!(
                " There are {} legal moves, such as `{}`; `moves` lists them, `help` the commands.",
                state.legal_count(),
                moves.all.first().map_or("", |one| one.name.as_str())
            )),
            near => {
                text.push_str(&format!(
                    " Did you mean {}? `moves` lists all that is legal.",
                    quoted_or(near)
                ));
            }
        }
        text
    }
}

fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

fn quoted_or(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
