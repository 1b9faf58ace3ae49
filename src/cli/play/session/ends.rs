//! The end of a game: its result explained, the standing of the match, and what comes next.

use super::super::super::{CliError, Terminal};
use super::super::words::{self, Command};
use super::{LoopControl, Session, put_quietly, with_path};
use crate::draw;
use crate::draw::text::TextOptions;
use crate::matches::Match;
use crate::notation::journal::{GameInProgress, JournalLine};

/// A person's answer to the end of a game.
enum Verdict {
    Stands,
    TakenBack,
    Left,
}

impl Session {
    pub(super) fn over(&mut self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let paint = terminal.paint;
        if !self.told_over {
            self.keep(vec![])?;
        }
        // After the end nothing is hidden.
        let view = TextOptions { viewer: None, before: self.before.as_ref(), paint };
        write!(terminal.out, "\n{}", draw::text::screen(self.played.state(), &view))?;
        if let Some(how) = words::ended_by(self.played.state()) {
            writeln!(terminal.out, "{how}")?;
        }
        write!(terminal.out, "{}", words::explained(self.played.state(), paint))?;
        let Some(one) = &self.in_match else {
            return Ok(match self.after_end("Enter leaves", terminal)? {
                Verdict::TakenBack => LoopControl::On,
                Verdict::Stands | Verdict::Left => LoopControl::Leave,
            });
        };
        let mut entered = one.clone();
        let state = self.played.state();
        entered.enter(state).map_err(|error| self.rules_fail(&error))?;
        writeln!(terminal.out, "\n{}", paint.head("The match"))?;
        write!(terminal.out, "{}", words::totals(&self.game, &entered, paint))?;
        let over = entered.is_over();
        if over {
            let totals = entered.standings().iter().map(|standing| standing.total).collect();
            self.file.append(&[JournalLine::MatchOver { match_over: totals }])?;
            writeln!(terminal.out, "{}", self.match_result(&entered))?;
        }
        let enter = if over { "Enter leaves" } else { "Enter goes on with the next game" };
        match self.after_end(enter, terminal)? {
            Verdict::TakenBack => Ok(LoopControl::On),
            Verdict::Stands if !over => self.next_game(entered, terminal),
            Verdict::Left if !over => self.leave(terminal),
            Verdict::Stands | Verdict::Left => Ok(LoopControl::Leave),
        }
    }

    fn match_result(&self, one: &Match) -> String {
        let leaders = (0u32..).zip(one.leaders()).filter(|(_, leads)| *leads);
        let names: Vec<&str> = leaders.map(|(seat, _)| words::name(&self.game, seat)).collect();
        match (self.game.players(), names.as_slice()) {
            (1, _) => "The match is over.".to_owned(),
            (_, [one]) => format!("The match is over: {one} wins it."),
            (_, many) => format!("The match is over: {} share it.", many.join(" and ")),
        }
    }

    fn next_game(&mut self, entered: Match, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let (start, previous) = (entered.next_start(), entered.previous());
        let played = GameInProgress::begin(&self.game, &start, previous, self.head.dice)
            .map_err(|error| self.rules_fail(&error))?;
        self.file.append(&[JournalLine::Next { next_game: entered.played() as usize + 1 }])?;
        writeln!(terminal.out, "\n{}", self.game_of_match(&entered))?;
        self.played = played;
        self.in_match = Some(entered);
        self.asked.clear();
        self.rolls.clear();
        (self.told_over, self.begun, self.before) = (false, false, None);
        self.at_keyboard = None;
        self.noted.clear();
        Ok(LoopControl::On)
    }

    /// Asks whether the end stands.
    fn after_end(&mut self, enter: &str, terminal: &mut Terminal<'_>) -> Result<Verdict, CliError> {
        if self.seats.people() == 0 {
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
            match Command::beginning(&line) {
                Some(Command::Quit) => return Ok(Verdict::Left),
                Some(Command::Undo) if self.asked.is_empty() => self.undo(terminal)?,
                Some(Command::Undo) => {
                    self.undo(terminal)?;
                    return Ok(Verdict::TakenBack);
                }
                Some(command) => {
                    self.command(command, "", None, terminal)?;
                }
                None => self.complain(&format!("The game is over. {question}"), terminal)?,
            }
        }
    }

    pub(super) fn leave(&self, terminal: &mut Terminal<'_>) -> Result<LoopControl, CliError> {
        let path = self.file.path.display();
        let command = format!("houserule play --journal '{path}'");
        for line in with_path("The game is kept. To go on:", &command, terminal) {
            writeln!(terminal.out, "{line}")?;
        }
        Ok(LoopControl::Leave)
    }
}
