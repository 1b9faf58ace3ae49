//! A game at the keyboard: shows the table, asks its questions, and reports what happens. Depends on the table and the
//! terminal; independent of the command line.

mod ask;
mod chance;
mod commands;
mod decision;
mod ends;
mod error;
mod handover;
mod output;
mod undo;
mod words;

use crate::terminal::{CliError, InputSource, Terminal};
use houserule_base::numbers::counted;
use houserule_desk::table::{
    JournalFile, Pending, SeenEvent, Table, event_phrases, game_of_match, player_name,
};
use houserule_game::{ActionId, Seat};
use houserule_loader::Loaded;
use houserule_model::StepId;
use houserule_model::walk::step_around;
use houserule_page::report::columns::wrap;
use houserule_picture::draw;
use houserule_picture::draw::text::TextOptions;
use houserule_picture::paint::{Paint, TextStyle};
use output::{put, put_quietly, with_path};

/// The words for a game without a journal.
pub(crate) const UNRECORDED: &str = "This game isn't recorded";

/// The meaning of an input.
enum InputCommand {
    /// A move.
    Act(ActionId),
    /// The outcome of a roll.
    Settle(u64),
    /// A command that doesn't change the game; ask again.
    Again,
    /// Undo the last input.
    Undo,
    /// Leave the game.
    Quit,
}

/// What to do next.
#[derive(PartialEq, Eq)]
enum LoopControl {
    On,
    Leave,
}

pub(crate) struct TerminalSession {
    loaded: Loaded,
    /// Without a journal if none could be written.
    table: Table<Option<JournalFile>>,
    input: InputSource,
    /// The indices of actions in `together` that weren't told, until all have chosen.
    veiled: Vec<usize>,
    /// The steps of which each player has read the whole help text.
    explained: Vec<(Seat, StepId)>,
}

impl TerminalSession {
    pub(crate) fn new(loaded: Loaded, table: Table<Option<JournalFile>>) -> TerminalSession {
        TerminalSession { loaded, table, input: InputSource::open(), veiled: vec![], explained: vec![] }
    }

    /// Plays until the end, or until a person leaves.
    pub(crate) fn play(mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        self.greet(resumed, terminal)?;
        // What follows from the rules alone before anything is asked or drawn.
        if self.table.state().history().is_empty() && self.table.pending() != Pending::Draws {
            let first = self.phrases(&self.table.seen_at_screen(0));
            self.put_happened(&first, str::to_owned, terminal)?;
        }
        loop {
            let next = match self.table.pending() {
                Pending::Draws => self.draws(terminal)?,
                Pending::Agent(player) => self.agent(player, terminal)?,
                Pending::OnlyMove(player) => self.only_move(player, terminal)?,
                Pending::Decision(player) => self.decision(player, terminal)?,
                Pending::Chance => self.chance(terminal)?,
                Pending::HandOver(to) => self.hand_over(to, terminal)?,
                Pending::Over => self.over(terminal)?,
            };
            if next == LoopControl::Leave {
                return Ok(());
            }
        }
    }

    fn greet(&mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let (game, head) = (self.table.game(), self.table.head());
        let model = game.model();
        let name = if head.game == model.title { String::new() } else { format!(" ({})", head.game) };
        writeln!(terminal.out, "{}{name}", terminal.paint.head(&model.title))?;
        for line in wrap(&model.help, terminal.paint.columns() - 2) {
            writeln!(terminal.out, "{line}")?;
        }
        put(&self.who(), terminal)?;
        if let Some(path) = self.path() {
            let quiet = match resumed {
                true => {
                    let events = counted(self.table.state().history().len(), "event");
                    format!("Goes on after {events} (`--new` begins another game), kept in")
                }
                false => "Kept after every move in".to_owned(),
            };
            for line in with_path(&quiet, &path, terminal) {
                writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
            }
        }
        put_quietly("`help` says what can be typed, `rules` how the game goes.", terminal)?;
        if let Some(one) = self.table.in_match() {
            writeln!(terminal.out, "\n{}", game_of_match(game, one))?;
        }
        Ok(())
    }

    /// Describes who plays which seat.
    fn who(&self) -> String {
        let (game, seats) = (self.table.game(), self.table.seats());
        let players = game.players();
        let agents: Vec<String> = (0..players)
            .map(Seat)
            .filter_map(|player| Some(format!("{} is {}", player_name(game, player), seats.agent(player)?)))
            .collect();
        let reported = self.table.chance_is_reported();
        let dice = if reported { " You roll the dice and draw the cards: type what comes." } else { "" };
        let people = seats.people();
        let who = match (players, people.as_slice()) {
            (1, [_]) => "You play alone.".to_owned(),
            (1, _) => format!("The player {}.", agents.join("")),
            (_, []) => format!("{}.", agents.join(", ")),
            (_, [one]) => format!("You are {}; {}.", player_name(game, *one), agents.join(", ")),
            (n, people) if people.len() == n as usize => {
                "All seats are played at this keyboard (`--against greedy` lets the computer play the others)."
                    .to_owned()
            }
            (_, people) => {
                let people: Vec<&str> = people.iter().map(|player| player_name(game, *player)).collect();
                format!("You are {}; {}.", people.join(" and "), agents.join(", "))
            }
        };
        format!("{who}{dice}")
    }

    /// Returns the path of the journal, or `None` if the game isn't recorded.
    fn path(&self) -> Option<String> {
        self.table.journal().as_ref().map(|file| file.path().display().to_string())
    }

    fn show(&self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let viewer = self.table.viewer();
        if viewer.is_none() && self.table.is_secret() {
            return put("What lies on the table is shown to the player who is to move.", terminal);
        }
        let view = TextOptions { viewer, open: false, before: self.table.before(), paint: terminal.paint };
        Ok(write!(terminal.out, "\n{}", draw::text::table(self.table.state(), &view))?)
    }

    /// Shows the help text of the current step: the whole of it for the first time, then its first sentence.
    fn step(&mut self, player: Seat, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let model = self.table.game().model();
        let choice = self.table.state().pending_choice();
        let Some(step) = choice.and_then(|choice| step_around(model, choice)) else { return Ok(()) };
        let whole = model.steps[step.index()].help.as_str();
        let is_known = self.explained.contains(&(player, step));
        if !is_known {
            self.explained.push((player, step));
        }
        let help = if is_known { words::first_sentence(whole) } else { whole };
        for line in wrap(help, terminal.paint.columns() - 2).iter().filter(|line| !line.is_empty()) {
            writeln!(terminal.out, "{}", terminal.paint.quiet(line))?;
        }
        Ok(())
    }

    /// Returns a player's name in the colour of the seat.
    fn named(&self, player: Seat, paint: Paint) -> String {
        let game = self.table.game();
        let style = TextStyle::seat(player, &game.model().seat_looks());
        paint.text(style, player_name(game, player))
    }

    /// Describes events one by one.
    fn phrases(&self, events: &[SeenEvent]) -> Vec<String> {
        event_phrases(self.table.game(), events)
    }

    /// Writes lines of what happened, each indented and as wide as the page.
    fn put_happened(
        &self,
        lines: &[String],
        paint: impl Fn(&str) -> String,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), CliError> {
        let columns = if terminal.screen.terminal { terminal.paint.columns() - 4 } else { usize::MAX };
        for line in lines {
            for (at, part) in wrap(line, columns).iter().enumerate() {
                writeln!(terminal.out, "{}{}", if at == 0 { "  " } else { "    " }, paint(part))?;
            }
        }
        Ok(())
    }
}
