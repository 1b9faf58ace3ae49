//! Several people at one keyboard: the next player's hand is shown only after the keyboard has been passed on
//! and the previous player's hand has left the screen.

use super::super::super::{CliError, Terminal};
use super::super::words::{self, Command};
use super::{Session, put_quietly};
use crate::game::{Event, Player, State};
use crate::model::{Role, SlotId, Visibility};
use crate::report::columns::wrap;

/// Number of blank lines that scroll everything off a screen that can't be cleared.
const SCREEN: usize = 60;

/// The result of a handover.
pub(super) enum Handed {
    /// The next player has the keyboard.
    Over,
    /// The previous player undoes a move.
    TakenBack,
    /// A player leaves the game.
    Left,
}

impl Session {
    /// Returns `true` if several people share the keyboard and don't all see the same.
    pub(super) fn is_secret(&self) -> bool {
        self.seats.people() > 1 && self.game.hides() && see_different_things(self.played.state())
    }

    /// Passes the keyboard to a player.
    pub(super) fn hand_over(
        &mut self,
        player: Player,
        terminal: &mut Terminal<'_>,
    ) -> Result<Handed, CliError> {
        let name = words::name(&self.game, player.0).to_owned();
        if let Some(last) = self.at_keyboard {
            if self.has_news(last) {
                let hide = "Press Enter to hide what you see.";
                writeln!(terminal.out)?;
                put_quietly(hide, terminal)?;
                match self.wait(&format!("{}, Enter> ", words::name(&self.game, last.0)), terminal)? {
                    Handed::Over => {}
                    other => return Ok(other),
                }
            }
            let known = self.played.state().history().len();
            self.noted.insert(last.0, known);
        }
        // Before anybody has had the keyboard there is nothing to hide.
        if self.at_keyboard.take().is_some() {
            self.input.forget();
            clear(terminal)?;
        }
        writeln!(
            terminal.out,
            "Pass the keyboard to {}, then press Enter.",
            self.named(player.0, terminal.paint)
        )?;
        match self.wait(&format!("{name}, Enter> "), terminal)? {
            Handed::Over => {}
            other => return Ok(other),
        }
        self.at_keyboard = Some(player);
        let from = self.noted.get(&player.0).copied().unwrap_or(0);
        let text = self.events_told(from).join(", ");
        if !text.is_empty() {
            let since = if from > 0 { "Since your last turn" } else { "So far" };
            for line in wrap(&format!("{since}: {text}"), terminal.paint.columns()) {
                writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
            }
        }
        Ok(Handed::Over)
    }

    /// Waits for Enter.
    fn wait(&mut self, prompt: &str, terminal: &mut Terminal<'_>) -> Result<Handed, CliError> {
        loop {
            let words = || vec!["undo".to_owned(), "quit".to_owned()];
            let Some(line) = self.input.line(prompt, words, terminal)? else { return Ok(Handed::Left) };
            let line = line.trim().to_lowercase();
            if line.is_empty() {
                return Ok(Handed::Over);
            }
            match Command::beginning(&line) {
                Some(Command::Undo) => return Ok(Handed::TakenBack),
                Some(Command::Quit) => return Ok(Handed::Left),
                _ => self.complain(
                    "Only Enter goes on here; `undo` takes the last move back, `quit` leaves.",
                    terminal,
                )?,
            }
        }
    }

    /// Returns `true` if, since a player's last decision, chance revealed something that others don't see.
    fn has_news(&self, player: Player) -> bool {
        let state = self.played.state();
        let own = |event: &Event| matches!(event, Event::Action { player: who, .. } if *who == player);
        let from = state.history().iter().rposition(own).map_or(0, |at| at + 1);
        let chance = |event: &Event| !matches!(event, Event::Action { .. });
        if !state.history()[from..].iter().any(chance) {
            return false;
        }
        let seats = (0..self.game.players()).filter(|seat| self.seats.is_person(*seat)).map(Player);
        let mine = self.texts_seen(from, player);
        seats.filter(|other| *other != player).any(|other| self.texts_seen(from, other) != mine)
    }
}

/// Clears the screen. Output to a file or a pipe stays.
fn clear(terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    if terminal.screen.terminal && terminal.screen.dumb {
        write!(terminal.out, "{}", "\n".repeat(SCREEN))?;
    }
    terminal.clear()
}

/// Returns `true` if two players may see different things: hands of their own, simultaneous choices, or
/// knowledge of hidden elements.
fn see_different_things(state: &State) -> bool {
    let model = state.game().model();
    let players = model.players.count as usize;
    let known = |role: Role| matches!(role, Role::Known | Role::KnownCopies(_));
    let own = |(at, slot): (u32, &crate::model::Slot)| match slot.visibility {
        Visibility::Owner if known(slot.role) => {
            let each = slot.initial.len() / players.max(1);
            let of = |seat: usize| (0..each).map(move |place| state.value(SlotId(at), seat * each + place));
            (1..players).any(|seat| !of(0).eq(of(seat)))
        }
        Visibility::Owner => true,
        _ => false,
    };
    !model.together.is_empty() || (0u32..).zip(&model.slots).any(own)
}
