//! Chance events: drawn from their stream, or reported by a person who rolls real dice.

use super::super::super::{CliError, Terminal};
use super::super::dice::{self, ChanceQuestion};
use super::super::words::Command;
use super::{InputCommand, LoopControl, Session};
use crate::notation::journal::JournalLine;

impl Session {
    pub(super) fn chance(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        // Draws all seeded events at once, so that rules that roll endlessly don't write an endless journal.
        match self.played.draw_to_decision() {
            Ok(None) => {}
            Ok(Some(events)) => return self.came_out(events, terminal),
            Err(error) => return self.failed(&error, terminal),
        }
        let outcome = match self.ask_roll(terminal)? {
            InputCommand::Settle(outcome) => {
                self.asked.push(self.played.state().history().len());
                outcome
            }
            InputCommand::Undo => {
                self.undo(terminal)?;
                return Ok(LoopControl::On);
            }
            InputCommand::Quit => return self.leave(terminal),
            _ => return Ok(LoopControl::On),
        };
        let known = self.played.state().history().len();
        match self.played.settle(outcome) {
            Ok(_) if self.played.state().history().len() <= known => {
                let undo = known - self.played.state().history().len();
                self.asked.truncate(self.asked.len().saturating_sub(undo + 1));
                self.file.append(&[JournalLine::Undo { undo, rolls: vec![] }])?;
                self.complain(
                    "The rules ask for something else to come out: all of it once more.",
                    terminal,
                )?;
                Ok(LoopControl::On)
            }
            Ok(events) => self.came_out(events, terminal),
            Err(error) => self.failed(&error, terminal),
        }
    }

    /// Writes chance events to the journal and reports them.
    fn came_out(
        &mut self,
        events: Vec<String>,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let told = self.told(events.len());
        self.keep(events)?;
        for line in told {
            writeln!(terminal.out, "  {}", terminal.paint.bar(&line))?;
        }
        Ok(LoopControl::On)
    }

    /// Asks what the dice on the table show.
    fn ask_roll(&mut self, terminal: &mut Terminal<'_>) -> Result<InputCommand, CliError> {
        let state = self.played.state().clone();
        let Some(asked) = ChanceQuestion::of(&state) else { return Ok(InputCommand::Quit) };
        let number = self.played.rolls();
        let before = self.rolls.get(&number);
        let before = before.and_then(|event| crate::notation::record::find_outcome(&state, event).ok());
        writeln!(terminal.out, "\n{}", asked.question)?;
        if let Some(before) = before {
            writeln!(terminal.out, "Enter alone: {} again, as before `undo`.", dice::short(&state, before))?;
        }
        loop {
            let words = || Command::ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect();
            let Some(line) = self.input.line(&asked.prompt, words, terminal)? else {
                return Ok(InputCommand::Quit);
            };
            let line = line.trim();
            if let (Some(before), true) = (before, line.is_empty()) {
                return Ok(InputCommand::Settle(before));
            }
            let lower = line.to_lowercase();
            let command = Command::named(lower.split_whitespace().next().unwrap_or(""));
            let answer = if command.is_none() { asked.outcome(&state, line) } else { None };
            match answer {
                Some(Ok(outcome)) => return Ok(InputCommand::Settle(outcome)),
                Some(Err(message)) => self.complain(&message, terminal)?,
                None => match command.or_else(|| Command::beginning(&lower)) {
                    Some(command) => match self.command(command, "", None, terminal)? {
                        InputCommand::Again => {}
                        other => return Ok(other),
                    },
                    None if line.is_empty() => self.complain(&asked.question, terminal)?,
                    None => {
                        self.complain(&format!("`{line}` is no answer. {}", asked.question), terminal)?;
                    }
                },
            }
        }
    }
}
