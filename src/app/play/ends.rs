//! The end of a game: its result explained, the standing of the match, and what comes next.

use super::output::{put, put_quietly, with_path};
use super::words::{self, PlayCommand};
use super::{LoopControl, TerminalSession, UNRECORDED};
use crate::terminal::{CliError, Terminal};
use houserule_base::names::shell_quoted;
use houserule_desk::table::{ended_by, game_of_match, match_result};
use houserule_picture::draw;
use houserule_picture::draw::text::TextOptions;

/// A person's answer to the end of a game.
enum Verdict {
    Stands,
    TakenBack,
    Left,
}

impl TerminalSession {
    pub(super) fn over(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let paint = terminal.paint;
        let state = self.table.state();
        // After the end nothing is hidden.
        let view = TextOptions { viewer: None, open: true, before: self.table.before(), paint };
        write!(terminal.out, "\n{}", draw::text::screen(state, &view))?;
        if let Some(how) = ended_by(state) {
            writeln!(terminal.out, "{how}")?;
        }
        write!(terminal.out, "{}", words::explained(state, &[], paint))?;
        let standing = self.table.standing().map_err(|error| self.error(error))?;
        let is_match = standing.is_some();
        let over = standing.as_ref().is_none_or(|one| one.is_over());
        if let Some(one) = standing {
            let game = self.table.game();
            writeln!(terminal.out, "\n{}", paint.head("The match"))?;
            write!(terminal.out, "{}", words::totals(game, &one, paint))?;
            if over {
                writeln!(terminal.out, "{}", match_result(game, &one))?;
            }
        }
        let enter = if over { "Enter leaves" } else { "Enter goes on with the next game" };
        match self.after_end(enter, terminal)? {
            Verdict::TakenBack => Ok(LoopControl::On),
            Verdict::Stands if is_match && !over => self.next_game(terminal),
            Verdict::Left if is_match && !over => self.leave(terminal),
            Verdict::Stands | Verdict::Left => Ok(LoopControl::Leave),
        }
    }

    fn next_game(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        self.table.next_game().map_err(|error| self.error(error))?;
        if let Some(one) = self.table.in_match() {
            writeln!(terminal.out, "\n{}", game_of_match(self.table.game(), one))?;
        }
        Ok(LoopControl::On)
    }

    /// Asks whether the end stands.
    fn after_end(&mut self, enter: &str, terminal: &mut Terminal<'_>) -> Result<Verdict, CliError> {
        if self.table.seats().people().is_empty() {
            return Ok(Verdict::Stands);
        }
        let question = format!("{enter}; `undo` takes your last move back.");
        writeln!(terminal.out)?;
        put_quietly(&question, terminal)?;
        loop {
            let words = || ["undo", "score", "history", "board", "quit"].map(str::to_owned).to_vec();
            let Some(line) = self.input.line("over> ", words, terminal)? else { return Ok(Verdict::Left) };
            let line = line.trim().to_lowercase();
            if line.is_empty() {
                return Ok(Verdict::Stands);
            }
            match PlayCommand::beginning(&line) {
                Some(PlayCommand::Quit) => return Ok(Verdict::Left),
                Some(PlayCommand::Undo) => {
                    self.undo(terminal)?;
                    if !self.table.state().is_over() {
                        return Ok(Verdict::TakenBack);
                    }
                }
                Some(command) => {
                    self.command(command, "", None, terminal)?;
                }
                None => put(&format!("The game is over. {question}"), terminal)?,
            }
        }
    }

    pub(super) fn leave(&self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let Some(path) = self.path() else {
            put(&format!("{UNRECORDED}, so it ends here."), terminal)?;
            return Ok(LoopControl::Leave);
        };
        let command = format!("houserule play --journal {}", shell_quoted(&path));
        for line in with_path("The game is kept. To go on:", &command, terminal) {
            writeln!(terminal.out, "{line}")?;
        }
        Ok(LoopControl::Leave)
    }
}
