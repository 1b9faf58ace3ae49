//! A game at a table, for people and agents. A terminal, a browser, a notebook or a test can hold it by the same
//! rules. The workbench adds lines and earlier places to it in `src/desk/workbench/game_table`, and draws it in
//! `workbench/src/table`.
//!
//! A [`Table`] owns the game in progress, the seats, chance, the journal, undo, the match, and who may see what. It
//! returns data and a few finished sentences. It doesn't print or read input. The caller shows the events, asks the
//! pending question, and gives the table a place for its journal: a text, a [`JournalFile`], or any
//! [`JournalWriter`].
//!
//! [`Table::pending`] returns the pending question. Each [`Pending`] names the call that answers it.
//!
//! ```
//! use houserule_loader::{Request, load};
//! use houserule_game::notation::journal::JournalHeader;
//! use houserule_desk::table::{MoveMatch, Pending, Table, in_memory};
//!
//! let game = load(&Request { name: "tic-tac-toe", ..Request::default() })?.game;
//! let head = JournalHeader::new(&game, vec!["you".to_owned(), "greedy".to_owned()], 7);
//! let mut table = Table::begin(&game, head, in_memory)?;
//! loop {
//!     match table.pending() {
//!         Pending::Draws | Pending::Agent(_) | Pending::OnlyMove(_) => {
//!             for event in table.step()? {
//!                 println!("{:?}: {:?}", event.kind, event.text);
//!             }
//!         }
//!         Pending::Decision(_) => {
//!             let moves = table.moves(80).ok_or("nobody decides")?;
//!             let MoveMatch::One(action) = moves.find("1") else { return Err("type a move".into()) };
//!             table.act(action)?;
//!         }
//!         Pending::Chance | Pending::HandOver(_) => return Err("the seed rolls, and one person plays".into()),
//!         Pending::Over => break,
//!     }
//! }
//! assert!(table.state().is_over() && table.journal().contains("\"place a1\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chance_question;
mod error;
mod journal;
mod journal_file;
mod moves;
mod phrases;
mod places;
mod play;
mod screen;
mod seats;
mod seen;
mod series;
mod undo;

use std::cell::RefCell;
use std::collections::BTreeMap;

pub use chance_question::{Answer, ChanceQuestion};
pub use error::TableError;
pub use journal::{JournalError, JournalWriter, in_memory};
pub use journal_file::JournalFile;
pub use moves::{LegalMoves, Move, MoveGroup, MoveMatch, MoveMenu};
pub(crate) use phrases::roll_in_words;
pub use phrases::{
    ended_by, event_phrase, event_phrases, event_phrases_after, event_phrases_before, game_of_match,
    match_result, player_name, turn_phrases,
};
pub use places::{KeptPlace, NoJournal};
pub use play::{Pending, Settled};
pub use screen::{HandOver, Screens, see_different_things};
pub use seats::{SeatError, Seats, YOU, seat_names};
pub use seen::{Audience, SeenEvent, SeenKind};
pub use undo::Undone;

use houserule_game::hidden::GameCourse;
use houserule_game::matches::Match;
use houserule_game::notation::journal::{
    DiceSource, GameInProgress, Journal, JournalHeader, JournalLine, Resumed, resume,
};
use houserule_game::notation::record::ReplayError;
use houserule_game::values::params_json;
use houserule_game::{Game, Seat, State};

/// The answer to rules that have changed since a journal began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesChange {
    /// Don't resume the game.
    Refuse,
    /// Resume it by the rules of today, if they allow what has been played.
    Accept,
}

/// A game at a table, and the match that it belongs to.
#[derive(Debug)]
pub struct Table<J> {
    head: JournalHeader,
    journal: J,
    seats: Seats,
    played: GameInProgress,
    /// The match before this game.
    in_match: Option<Match>,
    /// Whether the match knows who starts this game, which the setup may decide.
    starter_known: bool,
    /// The number of events at each input of a person in this game.
    asked: Vec<usize>,
    /// Events that were undone since the last input, by the undo, the last one last.
    undone: Vec<Vec<String>>,
    /// Reported outcomes that were undone, by their index among the game's chance events.
    rolls: BTreeMap<usize, String>,
    /// The state before the last action.
    before: Option<State>,
    screens: Screens,
    /// The person at the shared screen, if people see different things.
    at_screen: Option<Seat>,
    /// The number of events that each person had seen when leaving the screen.
    noted: BTreeMap<Seat, usize>,
    /// The choices in `together` of which a person could be told nothing yet.
    owed: BTreeMap<Seat, Vec<usize>>,
    /// The course of the game as far as it was followed, for the people.
    course: RefCell<Option<GameCourse>>,
}

impl<J: JournalWriter> Table<J> {
    /// Begins a game, or a match if the head says so. The journal is opened only if the game can begin; `open` also
    /// writes the head. See [`in_memory`] and [`JournalFile::create`].
    pub fn begin(
        game: &Game,
        head: JournalHeader,
        open: impl FnOnce(&JournalHeader) -> Result<J, JournalError>,
    ) -> Result<Table<J>, TableError> {
        let seats = Seats::from_names(&head.agents, head.seed, game)?;
        Table::begin_with(game, head, seats, open)
    }

    fn begin_with(
        game: &Game,
        head: JournalHeader,
        seats: Seats,
        open: impl FnOnce(&JournalHeader) -> Result<J, JournalError>,
    ) -> Result<Table<J>, TableError> {
        let journal = Journal::new(head);
        same_rules(game, &journal)?;
        let resumed = resume(game, &journal, |_| {}).map_err(TableError::Begin)?;
        let writer = open(&journal.head)?;
        Table::set_up(journal, writer, seats, resumed, vec![], vec![])
    }

    /// Resumes the game of a journal: replays its events, and continues to write to `writer`, which has the lines of
    /// `journal` already. Events that follow by themselves and were cut off are written again.
    pub fn resume(
        game: &Game,
        mut journal: Journal,
        writer: J,
        changed: RulesChange,
    ) -> Result<Table<J>, TableError> {
        let seats = Seats::from_names(&journal.head.agents, journal.head.seed, game)?;
        let mut lines = vec![];
        if let Err(error) = same_rules(game, &journal) {
            if changed == RulesChange::Refuse {
                return Err(error);
            }
            let (rules_sha256, params) = (game.identity().rules_sha256.clone(), params_json(game.model()));
            (journal.head.rules_sha256, journal.head.params) = (rules_sha256.clone(), params.clone());
            lines.push(JournalLine::Rules { rules_sha256, params });
        }
        let reported = journal.head.dice == DiceSource::Hand;
        let mut asked = vec![];
        let resumed = resume(game, &journal, |state| {
            let decides = state.current_player().is_some_and(|player| seats.is_person(player));
            if seats.is_asked(state, reported) || decides && screen::is_secret(&seats, state) {
                asked.push(state.history().len());
            }
        });
        // The game goes on, so any of its players may read the message.
        let kept = |error: ReplayError| if game.hides() { error.untold() } else { error };
        let resumed = resumed.map_err(|error| TableError::Resume(kept(error)))?;
        Table::set_up(journal, writer, seats, resumed, asked, lines)
    }

    fn set_up(
        journal: Journal,
        writer: J,
        seats: Seats,
        resumed: Resumed,
        asked: Vec<usize>,
        mut lines: Vec<JournalLine>,
    ) -> Result<Table<J>, TableError> {
        let mut table = Table {
            head: journal.head,
            journal: writer,
            seats,
            played: resumed.played,
            in_match: resumed.in_match,
            starter_known: false,
            asked,
            undone: vec![],
            rolls: journal.rolls,
            before: None,
            screens: Screens::Shared,
            at_screen: None,
            noted: BTreeMap::new(),
            owed: BTreeMap::new(),
            course: RefCell::new(None),
        };
        table.note_starter();
        let kept = journal.games.last().map_or(0, Vec::len);
        lines.extend(table.played.events().into_iter().skip(kept).map(JournalLine::Event));
        let is_kept = |line: &JournalLine| match line {
            JournalLine::Over { .. } => journal.over.last().is_some_and(Option::is_some),
            JournalLine::MatchOver { .. } => journal.match_over,
            JournalLine::Event(_)
            | JournalLine::Undo { .. }
            | JournalLine::Next { .. }
            | JournalLine::Rules { .. } => false,
        };
        lines.extend(table.endings(&table.played).into_iter().filter(|line| !is_kept(line)));
        table.write(&lines)?;
        Ok(table)
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        self.played.state().game()
    }

    /// Returns the head of the journal, with the rules that hold now.
    pub fn head(&self) -> &JournalHeader {
        &self.head
    }

    /// Returns where the journal is written.
    pub fn journal(&self) -> &J {
        &self.journal
    }

    /// Returns the players of the seats.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Returns the whole state, hidden values included.
    pub fn state(&self) -> &State {
        self.played.state()
    }

    /// Returns the state before the last action, for drawings that highlight changes. `None` if no action was taken
    /// since the game began, was resumed or undone.
    pub fn before(&self) -> Option<&State> {
        self.before.as_ref()
    }

    /// Returns what the last action showed the player at the screen of what lies in hidden zones, a line for each
    /// place: `hand[2]: guard`. Returns nothing if nobody in particular looks: see [`Table::viewer`].
    pub fn shown(&self) -> Vec<String> {
        match (self.viewer(), &self.before) {
            (Some(viewer), Some(before)) => {
                self.state().shown_since(before, viewer, &self.drawn_since(before, viewer))
            }
            _ => vec![],
        }
    }

    /// Returns `true` if people report chance, such as what real dice show.
    pub fn chance_is_reported(&self) -> bool {
        self.head.dice == DiceSource::Hand
    }

    fn write(&mut self, lines: &[JournalLine]) -> Result<(), JournalError> {
        if lines.is_empty() { Ok(()) } else { self.journal.append(lines) }
    }
}

fn same_rules(game: &Game, journal: &Journal) -> Result<(), TableError> {
    let head = &journal.head;
    match journal.same_rules(game) && head.players == game.players() {
        true => Ok(()),
        false => Err(TableError::OtherRules { game: head.game.clone(), events: journal.events() }),
    }
}
