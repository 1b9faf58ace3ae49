//! Decisions of agents and people, and those with a single move.

use super::super::super::progress::Progress;
use super::super::super::{CliError, Terminal};
use super::super::moves::LegalMoves;
use super::super::words;
use super::handover::Handed;
use super::{InputCommand, LoopControl, Session, put_list};
use crate::game::{ActionId, ApplyError};

impl Session {
    pub(super) fn decision(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let state = self.played.state();
        let Some(player) = state.current_player() else { return Ok(LoopControl::Leave) };
        let name = words::name(&self.game, player.0).to_owned();
        let (several, paint) = (self.game.players() > 1, terminal.paint);
        if let Some(agent) = self.seats.agent(player.0) {
            let bar = Progress::thinking(terminal, &agent);
            let chosen = self.seats.choose(player.0, self.played.state());
            bar.wipe();
            let action = match chosen {
                Ok(Some(action)) => action,
                Ok(None) => return Err(CliError::Rules(format!("{agent} finds nothing to do"))),
                Err(error) => return self.failed(&ApplyError::Runtime(error), terminal),
            };
            let who =
                if several { format!("{} ({agent})", self.named(player.0, paint)) } else { agent.to_owned() };
            return self.act(action, &format!("{who}: "), "", terminal);
        }
        let who = if several { format!("{}: ", self.named(player.0, paint)) } else { String::new() };
        if let [only] = state.legal_actions().as_slice() {
            return self.act(*only, &who, " (the only move)", terminal);
        }
        if self.at_keyboard != Some(player) && self.is_secret() {
            match self.hand_over(player, terminal)? {
                Handed::Over => {}
                Handed::TakenBack => {
                    self.undo(terminal)?;
                    return Ok(LoopControl::On);
                }
                Handed::Left => return self.leave(terminal),
            }
        }
        let moves = LegalMoves::of(self.played.state(), paint.columns());
        self.show(terminal)?;
        writeln!(terminal.out)?;
        self.step(terminal)?;
        put_list(&moves.list(), terminal)?;
        let prompt = if several { format!("{name}> ") } else { "> ".to_owned() };
        match self.ask_move(&moves, &prompt, terminal)? {
            InputCommand::Act(action) => {
                self.asked.push(self.played.state().history().len());
                self.act(action, &who, "", terminal)
            }
            InputCommand::Undo => {
                self.undo(terminal)?;
                Ok(LoopControl::On)
            }
            InputCommand::Quit => self.leave(terminal),
            _ => Ok(LoopControl::On),
        }
    }

    /// Makes a move, writes it to the journal and reports it.
    fn act(
        &mut self,
        action: ActionId,
        who: &str,
        note: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<LoopControl, CliError> {
        let before = self.played.state().clone();
        match self.played.act(action) {
            Ok(events) => {
                let followed = self.told(events.len().saturating_sub(1));
                self.keep(events)?;
                let name = terminal.paint.head(&self.action_told(&before, action));
                writeln!(terminal.out, "  {who}{name}{}", terminal.paint.quiet(note))?;
                for line in followed {
                    writeln!(terminal.out, "  {line}")?;
                }
                self.before = Some(before);
                Ok(LoopControl::On)
            }
            Err(error) => {
                // The player's input had no effect.
                if self.asked.last() == Some(&before.history().len()) {
                    self.asked.pop();
                }
                self.failed(&error, terminal)
            }
        }
    }
}
