//! Several people at one keyboard: the next player's hand is shown only after the keyboard has been passed on
//! and the previous player's hand has left the screen.

use super::output::{put, put_quietly};
use super::words::PlayCommand;
use super::{LoopControl, TerminalSession};
use crate::terminal::{CliError, Terminal};
use houserule_desk::table::{HandOver, player_name};
use houserule_page::report::columns::wrap;

/// Number of blank lines that scroll everything off a screen that can't be cleared.
const SCREEN: usize = 60;

/// A person's answer to a prompt for Enter.
enum Passed {
    /// Enter.
    On,
    /// The previous player undoes a move.
    TakenBack,
    /// A player leaves the game.
    Left,
}

impl TerminalSession {
    /// Passes the keyboard to a player.
    pub(super) fn hand_over(
        &mut self,
        HandOver { from, to, news }: HandOver,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        // Before anybody has had the keyboard there is nothing to hide.
        if let Some(last) = from {
            if news {
                writeln!(terminal.out)?;
                put_quietly("Press Enter to hide what you see.", terminal)?;
                let name = player_name(self.table.game(), last).to_owned();
                match self.wait(&name, terminal)? {
                    Passed::On => {}
                    Passed::TakenBack => return self.undo(terminal),
                    Passed::Left => return self.leave(terminal),
                }
            }
            self.table.leave_screen();
            self.input.forget();
            clear(terminal)?;
        }
        writeln!(terminal.out, "Pass the keyboard to {}, then press Enter.", self.named(to, terminal.paint))?;
        let name = player_name(self.table.game(), to).to_owned();
        match self.wait(&name, terminal)? {
            Passed::On => {}
            Passed::TakenBack => return self.undo(terminal),
            Passed::Left => return self.leave(terminal),
        }
        let unseen = self.table.take_screen(to);
        let text = self.phrases(&unseen).join(", ");
        if !text.is_empty() {
            let first = unseen.first().is_some_and(|event| event.index == 0);
            let since = if first { "So far" } else { "Since your last turn" };
            for line in wrap(&format!("{since}: {text}"), terminal.paint.columns()) {
                writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
            }
        }
        Ok(LoopControl::On)
    }

    /// Waits for Enter.
    fn wait(&mut self, name: &str, terminal: &mut Terminal<'_>) -> Result<Passed, CliError> {
        let prompt = format!("{name}, Enter> ");
        loop {
            let words = || vec!["undo".to_owned(), "quit".to_owned()];
            let Some(line) = self.input.line(&prompt, words, terminal)? else { return Ok(Passed::Left) };
            let line = line.trim().to_lowercase();
            if line.is_empty() {
                return Ok(Passed::On);
            }
            match PlayCommand::beginning(&line) {
                Some(PlayCommand::Undo) => return Ok(Passed::TakenBack),
                Some(PlayCommand::Quit) => return Ok(Passed::Left),
                _ => {
                    put("Only Enter goes on here; `undo` takes the last move back, `quit` leaves.", terminal)?
                }
            }
        }
    }
}

/// Clears the screen. Output to a file or a pipe stays.
fn clear(terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    if terminal.screen.terminal && terminal.screen.dumb {
        write!(terminal.out, "{}", "\n".repeat(SCREEN))?;
    }
    terminal.clear()
}
