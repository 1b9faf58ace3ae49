//! Chance events: drawn from their stream, or reported by a person who rolls real dice.

use super::output::put;
use super::words::PlayCommand;
use super::{InputCommand, LoopControl, TerminalSession};
use crate::terminal::{CliError, Terminal};
use houserule_desk::table::{Answer, ChanceQuestion, SeenEvent, Settled, event_phrases_before};

impl TerminalSession {
    /// Draws all seeded events at once, so that rules that roll endlessly don't write an endless journal.
    pub(super) fn draws(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        match self.table.step() {
            Ok(events) => self.came_out(&events, terminal),
            Err(error) => self.failed(error, terminal),
        }
    }

    pub(super) fn chance(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let outcome = match self.ask_roll(terminal)? {
            InputCommand::Settle(outcome) => outcome,
            InputCommand::Undo => return self.undo(terminal),
            InputCommand::Quit => return self.leave(terminal),
            InputCommand::Act(_) | InputCommand::Again => return Ok(LoopControl::On),
        };
        match self.table.settle(outcome) {
            Ok(Settled::Done(events)) => self.came_out(&events, terminal),
            Ok(Settled::Again) => {
                put("The rules ask for something else to come out: all of it once more.", terminal)?;
                Ok(LoopControl::On)
            }
            Err(error) => self.failed(error, terminal),
        }
    }

    fn came_out(&self, events: &[SeenEvent], terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let paint = terminal.paint;
        let told = event_phrases_before(self.table.game(), self.table.next_player(), events);
        self.put_happened(&told, |line| paint.bar(line), terminal)?;
        Ok(LoopControl::On)
    }

    /// Asks what the dice on the table show.
    fn ask_roll(&mut self, terminal: &mut Terminal<'_>) -> Result<InputCommand, CliError> {
        let Some(asked) = self.table.chance_question() else { return Ok(InputCommand::Quit) };
        let ChanceQuestion { question, name, before, .. } = &asked;
        writeln!(terminal.out, "\n{question}")?;
        if let Some((_, before)) = before {
            writeln!(terminal.out, "Enter alone: {before} again, as before `undo`.")?;
        }
        let prompt = format!("{name}> ");
        loop {
            let words = || PlayCommand::ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect();
            let Some(line) = self.input.line(&prompt, words, terminal)? else {
                return Ok(InputCommand::Quit);
            };
            let line = line.trim();
            let lower = line.to_lowercase();
            let command = PlayCommand::named(lower.split_whitespace().next().unwrap_or(""));
            let answer = if command.is_none() { asked.answer(line) } else { Answer::None };
            match answer {
                Answer::Outcome(outcome) => return Ok(InputCommand::Settle(outcome)),
                Answer::Wrong(message) => put(&message, terminal)?,
                Answer::None => match command.or_else(|| PlayCommand::beginning(&lower)) {
                    Some(command) => match self.command(command, "", None, terminal)? {
                        InputCommand::Again => {}
                        other => return Ok(other),
                    },
                    None if line.is_empty() => put(question, terminal)?,
                    None => put(&format!("`{line}` is no answer. {question}"), terminal)?,
                },
            }
        }
    }
}
