//! Decisions of agents and people, and those with a single move.

use super::output::put_list;
use super::{InputCommand, LoopControl, TerminalSession};
use crate::terminal::Progress;
use crate::terminal::{CliError, Terminal};
use houserule_base::names::plain;
use houserule_desk::table::{SeenEvent, SeenKind, TableError, event_phrases_after, player_name};
use houserule_game::Seat;

impl TerminalSession {
    pub(super) fn agent(
        &mut self,
        player: Seat,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let agent = self.table.seats().agent(player).unwrap_or_default();
        let bar = Progress::thinking(terminal, &agent);
        let done = self.table.step();
        bar.wipe();
        let who = match self.table.game().players() {
            1 => agent,
            _ => format!("{} ({agent})", self.named(player, terminal.paint)),
        };
        self.moved(done, &format!("{who}: "), "", terminal)
    }

    pub(super) fn only_move(
        &mut self,
        player: Seat,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        // That nothing else was legal may tell the others what the player holds.
        let told = !self.table.is_secret() || self.table.viewer() == Some(player);
        let done = self.table.step();
        let note = if told { " (the only move)" } else { "" };
        self.moved(done, &self.mover(player, terminal), note, terminal)
    }

    pub(super) fn decision(
        &mut self,
        player: Seat,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let Some(moves) = self.table.moves(terminal.paint.columns()) else { return Ok(LoopControl::On) };
        self.show(terminal)?;
        writeln!(terminal.out)?;
        self.step(player, terminal)?;
        put_list(&moves.shown().list(), terminal)?;
        let game = self.table.game();
        let name = if game.players() > 1 { player_name(game, player) } else { "" };
        let prompt = format!("{name}> ");
        match self.ask_move(moves, &prompt, terminal)? {
            InputCommand::Act(action) => {
                let done = self.table.act(action);
                self.moved(done, &self.mover(player, terminal), "", terminal)
            }
            InputCommand::Undo => self.undo(terminal),
            InputCommand::Quit => self.leave(terminal),
            InputCommand::Settle(_) | InputCommand::Again => Ok(LoopControl::On),
        }
    }

    fn mover(&self, player: Seat, terminal: &Terminal<'_>) -> String {
        match self.table.game().players() {
            1 => String::new(),
            _ => format!("{}: ", self.named(player, terminal.paint)),
        }
    }

    /// Reports a move and what followed, or why it failed.
    fn moved(
        &mut self,
        done: Result<Vec<SeenEvent>, TableError>,
        who: &str,
        note: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let events = match done {
            Ok(events) => events,
            Err(error) => return self.failed(error, terminal),
        };
        let Some((action, followed)) = events.split_first() else { return Ok(LoopControl::On) };
        self.unveil(terminal)?;
        // A choice of which nothing may be told yet has its line once all have chosen.
        if !action.is_veiled() {
            let name = terminal.paint.head(&plain(action.said.as_deref().unwrap_or_default()));
            writeln!(terminal.out, "  {who}{name}{}", terminal.paint.quiet(note))?;
        }
        let actor = match action.kind {
            SeenKind::Action(player) => Some(player),
            _ => None,
        };
        let followed = event_phrases_after(self.table.game(), actor, followed);
        self.put_happened(&followed, str::to_owned, terminal)?;
        self.veiled.extend(events.iter().filter(|event| event.is_veiled()).map(|event| event.index));
        Ok(LoopControl::On)
    }

    /// Tells actions of which nothing could be told when they were taken, once all have chosen.
    fn unveil(&mut self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let Some(first) = self.veiled.first() else { return Ok(()) };
        let seen = self.table.seen_at_screen(*first);
        let open: Vec<&SeenEvent> =
            seen.iter().filter(|event| self.veiled.contains(&event.index) && !event.is_veiled()).collect();
        for event in &open {
            if let (SeenKind::Action(player), Some(said)) = (event.kind, &event.said) {
                writeln!(terminal.out, "  {} chose {}", self.named(player, terminal.paint), plain(said))?;
            }
        }
        let open: Vec<usize> = open.iter().map(|event| event.index).collect();
        self.veiled.retain(|index| !open.contains(index));
        Ok(())
    }
}
