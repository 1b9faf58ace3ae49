//! A game at the keyboard: asks for moves, plays, reports, undoes, and writes the journal.
//!
//! Events are written to the journal before they are reported, so nothing that was reported can be lost.

mod ask;
mod chance;
mod decision;
mod ends;
mod handover;
mod told;
mod undo;

use std::collections::BTreeMap;

use super::super::{CliError, Terminal};
use super::computer::SeatPlayers;
use super::input::InputSource;
use super::journal::JournalFile;
use super::moves::{InputMatch, LegalMoves};
use super::words::{self, Command};
use crate::draw;
use crate::draw::text::TextOptions;
use crate::game::{ActionId, Game, Player, State};
use crate::loader::Loaded;
use crate::matches::Match;
use crate::notation::journal::{
    DiceSource, GameInProgress, Journal, JournalHeader, JournalLine, Over, Resumed,
};
use crate::numbers::counted;
use crate::paint::{Paint, TextStyle};
use crate::report::columns::wrap;

/// Returns `true` if a person must answer in this state. Single moves are made without asking.
pub(super) fn is_asked(state: &State, seats: &SeatPlayers, hand: bool) -> bool {
    match state.current_player() {
        Some(player) => seats.is_person(player.0) && state.legal_count() > 1,
        None => hand && state.is_chance(),
    }
}

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

pub(super) struct Session {
    loaded: Loaded,
    game: Game,
    head: JournalHeader,
    file: JournalFile,
    input: InputSource,
    seats: SeatPlayers,
    played: GameInProgress,
    in_match: Option<Match>,
    /// The number of events at each input of a person in this game.
    asked: Vec<usize>,
    /// Reported rolls that were undone, by their index among the game's chance events.
    rolls: BTreeMap<usize, String>,
    /// Whether the journal contains the result of this game.
    told_over: bool,
    /// The state before the last move.
    before: Option<State>,
    /// Whether the starter of this game has been recorded.
    begun: bool,
    /// The player at the keyboard, if several people share it and see different things.
    at_keyboard: Option<Player>,
    /// The number of events that each seat had seen when it passed the keyboard on.
    noted: BTreeMap<u32, usize>,
}

impl Session {
    pub(super) fn new(
        loaded: Loaded,
        journal: Journal,
        resumed: Resumed,
        asked: Vec<usize>,
        file: JournalFile,
        seats: SeatPlayers,
    ) -> Session {
        Session {
            game: loaded.game.clone(),
            told_over: journal.over.last().is_some_and(Option::is_some),
            loaded,
            head: journal.head,
            file,
            input: InputSource::open(),
            seats,
            played: resumed.played,
            in_match: resumed.in_match,
            asked,
            rolls: journal.rolls,
            before: None,
            begun: false,
            at_keyboard: None,
            noted: BTreeMap::new(),
        }
    }

    fn hand(&self) -> bool {
        self.head.dice == DiceSource::Hand
    }

    /// Plays until the end, or until a person leaves.
    pub(super) fn play(mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        self.greet(resumed, terminal)?;
        loop {
            let state = self.played.state();
            if let (Some(one), false, false) = (&mut self.in_match, self.begun, state.is_chance()) {
                one.begun(state);
                self.begun = true;
            }
            let next = if state.is_over() {
                self.over(terminal)?
            } else if state.is_chance() {
                self.chance(terminal)?
            } else {
                self.decision(terminal)?
            };
            if next == LoopControl::Leave {
                return Ok(());
            }
        }
    }

    fn greet(&mut self, resumed: bool, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let model = self.game.model();
        let name =
            if self.head.game == model.title { String::new() } else { format!(" ({})", self.head.game) };
        writeln!(terminal.out, "{}{name}", terminal.paint.head(&model.title))?;
        for line in wrap(&model.help, terminal.paint.columns() - 2) {
            writeln!(terminal.out, "{line}")?;
        }
        self.complain(&self.who(), terminal)?;
        let path = self.file.path.display().to_string();
        let quiet = match resumed {
            true => {
                let events = self.played.state().history().len();
                let events = counted(events, "event");
                format!("Goes on after {events} (`--new` begins another game), kept in")
            }
            false => "Kept after every move in".to_owned(),
        };
        for line in with_path(&quiet, &path, terminal) {
            writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
        }
        put_quietly("`help` says what can be typed, `rules` how the game goes.", terminal)?;
        if let Some(one) = &self.in_match {
            writeln!(terminal.out, "\n{}", self.game_of_match(one))?;
        }
        Ok(())
    }

    fn game_of_match(&self, one: &Match) -> String {
        use crate::model::MatchLength;
        let number = one.played() + 1;
        match self.game.model().match_rules.as_ref().map(|rules| &rules.length) {
            Some(MatchLength::Games(games)) => format!("Game {number} of {games}."),
            _ => format!("Game {number} of the match."),
        }
    }

    /// Describes who plays which seat.
    fn who(&self) -> String {
        let players = self.game.players();
        let agents: Vec<String> = (0..players)
            .filter_map(|seat| {
                Some(format!("{} is {}", words::name(&self.game, seat), self.seats.agent(seat)?))
            })
            .collect();
        let dice = if self.hand() { " The dice are yours: type what they show." } else { "" };
        let who = match (players, self.seats.people(), self.seats.only_person()) {
            (1, 1, _) => "You play alone.".to_owned(),
            (1, _, _) => format!("The player {}.", agents.join("")),
            (_, 0, _) => format!("{}.", agents.join(", ")),
            (_, 1, Some(seat)) => format!("You are {}; {}.", words::name(&self.game, seat), agents.join(", ")),
            (n, people, _) if people == n as usize => {
                "All seats are played at this keyboard (`--against greedy` lets the computer play the others)."
                    .to_owned()
            }
            _ => {
                let people = (0..players).filter(|seat| self.seats.is_person(*seat));
                let people: Vec<&str> = people.map(|seat| words::name(&self.game, seat)).collect();
                format!("You are {}; {}.", people.join(" and "), agents.join(", "))
            }
        };
        format!("{who}{dice}")
    }

    /// Returns the player for whom the screen is shown: the only person, the player at the keyboard, or the
    /// player to move. Returns `None` if no person plays, or if several share the keyboard and none has taken
    /// it.
    fn viewer(&self) -> Option<Player> {
        if self.seats.people() == 0 {
            return None;
        }
        if self.is_secret() {
            return self.at_keyboard;
        }
        let mover = || self.played.state().current_player().filter(|player| self.seats.is_person(player.0));
        self.seats.only_person().map(Player).or_else(mover)
    }

    fn show(&self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        if self.viewer().is_none() && self.is_secret() {
            return self.complain("What lies on the table is shown to the player who is to move.", terminal);
        }
        let view = TextOptions { viewer: self.viewer(), before: self.before.as_ref(), paint: terminal.paint };
        Ok(write!(terminal.out, "\n{}", draw::text::table(self.played.state(), &view))?)
    }

    /// Shows the help text of the current step.
    fn step(&self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let model = self.game.model();
        let choice = self.played.state().pending_choice().map(|choice| &model.choices[choice.index()]);
        let step = choice.and_then(|choice| choice.step).map(|step| &model.steps[step.index()]);
        let help = step.map_or("", |step| step.help.as_str());
        for line in wrap(help, terminal.paint.columns() - 2).iter().filter(|line| !line.is_empty()) {
            writeln!(terminal.out, "{}", terminal.paint.quiet(line))?;
        }
        Ok(())
    }

    /// Returns a player's name in the colour of the seat.
    fn named(&self, seat: u32, paint: Paint) -> String {
        paint.text(
            TextStyle::seat(seat as usize, &self.game.model().players.names),
            words::name(&self.game, seat),
        )
    }

    /// Writes events to the journal.
    fn keep(&mut self, events: Vec<String>) -> Result<(), CliError> {
        let mut lines: Vec<JournalLine> = events.into_iter().map(JournalLine::Event).collect();
        let state = self.played.state();
        if state.is_over()
            && let Ok(over) = Over::of(state)
        {
            lines.push(JournalLine::Over { over });
            self.told_over = true;
        }
        self.file.append(&lines)
    }

    fn complain(&self, message: &str, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        for line in wrap(message, terminal.paint.columns()) {
            writeln!(terminal.out, "{line}")?;
        }
        Ok(())
    }

    // ---- commands

    fn command(
        &mut self,
        command: Command,
        rest: &str,
        moves: Option<&LegalMoves>,
        terminal: &mut Terminal<'_>,
    ) -> Result<InputCommand, CliError> {
        let paint = terminal.paint;
        match command {
            Command::Undo => return Ok(InputCommand::Undo),
            Command::Quit => return Ok(InputCommand::Quit),
            Command::Help => {
                let first = moves.and_then(|moves| moves.all.first());
                let example = first.map(|one| one.name.as_str());
                let rest = example.and_then(|name| name.split_once(' ')).map(|(_, rest)| rest);
                let is_meant = |rest: &&str| {
                    moves.is_some_and(|moves| {
                        Some(moves.meant(rest)) == first.map(|one| InputMatch::One(one.action))
                    })
                };
                let short = rest.filter(is_meant);
                let numbered = moves.is_some_and(|moves| moves.numbered);
                write!(terminal.out, "{}", words::help(example, short, numbered, paint))?;
            }
            Command::Board => self.show(terminal)?,
            Command::Moves => {
                let lines = moves.map(|moves| moves.long_list(rest)).unwrap_or_default();
                if lines.is_empty() {
                    let which = if rest.is_empty() { String::new() } else { format!(" with `{rest}`") };
                    writeln!(terminal.out, "No move{which} is legal now.")?;
                }
                put_list(&lines, terminal)?;
            }
            Command::Score => {
                let text = words::explained(self.played.state(), paint);
                let none = "This game has no score; `rules` says how it is won.\n".to_owned();
                write!(terminal.out, "{}", if text.is_empty() { none } else { text })?;
            }
            Command::History => {
                for line in self.history(terminal.paint.columns() - 2) {
                    writeln!(terminal.out, "  {line}")?;
                }
            }
            Command::Rules => {
                let columns = paint.columns().min(crate::prose::COLUMNS);
                writeln!(terminal.out, "\n{}", crate::prose::rules(&self.game, columns).trim_end())?;
            }
            Command::Save => {
                let path = self.file.path.display();
                writeln!(terminal.out, "Every move is saved at once in {path}.")?;
                writeln!(terminal.out, "To go on with it: houserule play --journal '{path}'")?;
            }
        }
        Ok(InputCommand::Again)
    }
}

/// Writes a list of moves. Long lines continue with an indent.
fn put_list(lines: &[String], terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let columns = terminal.paint.columns();
    for line in lines {
        let mut before = "  ";
        let fits = line.chars().count() + before.len() <= columns;
        let parts = if fits { vec![line.clone()] } else { wrap(line, columns - 4) };
        for part in parts {
            writeln!(terminal.out, "{before}{part}")?;
            before = "    ";
        }
    }
    Ok(())
}

/// Writes secondary text, such as a hint.
fn put_quietly(text: &str, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    for line in wrap(text, terminal.paint.columns()) {
        writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
    }
    Ok(())
}

/// Returns text and a path or command to be copied, in one line, or in two if the terminal would break the
/// line.
fn with_path(words: &str, path: &str, terminal: &Terminal<'_>) -> Vec<String> {
    let length = words.chars().count() + 1 + path.chars().count();
    match terminal.screen.messages() {
        Some(columns) if length > columns => {
            let mut lines = wrap(words, columns);
            lines.push(path.to_owned());
            lines
        }
        _ => vec![format!("{words} {path}")],
    }
}
