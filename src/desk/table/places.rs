//! Places of a game at a table without a journal: to go back, to branch, and to replay a game under other rules.

use super::journal::{JournalError, JournalWriter};
use super::seats::Seats;
use super::{Table, TableError};
use houserule_game::notation::journal::{GameInProgress, JournalHeader, JournalLine};
use houserule_game::notation::record::ReplayError;
use houserule_game::{Game, Seat, State};
use houserule_players::agents::AgentKind;

/// A journal that nobody keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl JournalWriter for NoJournal {
    fn append(&mut self, _lines: &[JournalLine]) -> Result<(), JournalError> {
        Ok(())
    }
}

/// A place of a game, to which a table can return. Chance that follows comes to the same again.
#[derive(Clone, Debug)]
pub struct KeptPlace(GameInProgress);

impl KeptPlace {
    /// Returns the state.
    pub fn state(&self) -> &State {
        self.0.state()
    }

    /// Returns the events from an index on, in the notation of journals.
    pub fn events_from(&self, index: usize) -> Vec<String> {
        self.0.events_from(index)
    }
}

impl Table<NoJournal> {
    /// Begins a game with players of [`Seats::untrained`], whose names the head has.
    pub fn begin_untrained(
        game: &Game,
        head: JournalHeader,
        kinds: Vec<Option<AgentKind>>,
    ) -> Result<Table<NoJournal>, TableError> {
        let seats = Seats::untrained(kinds, head.seed, game)?;
        Table::begin_with(game, head, seats, |_| Ok(NoJournal))
    }

    /// Returns the place that the game has reached.
    pub fn place(&self) -> KeptPlace {
        KeptPlace(self.played.clone())
    }

    /// Goes to a place of this game, or of another one by the same rules.
    pub fn go_to(&mut self, place: &KeptPlace) {
        self.played = place.0.clone();
        self.asked.clear();
        self.undone.clear();
        self.before = None;
        let known = self.state().history().len();
        self.noted.values_mut().for_each(|noted| *noted = (*noted).min(known));
    }

    /// Draws chance from another seed from here on.
    pub fn draw_from(&mut self, seed: u64) {
        self.played.draw_from(seed);
    }

    /// Draws the pending chance event alone.
    pub fn draw_one(&mut self) -> Result<(), TableError> {
        let mut next = self.played.clone();
        if let Some(outcome) = next.draw() {
            next.settle(outcome)?;
        }
        self.played = next;
        Ok(())
    }

    /// Replays events as recorded, as far as the rules allow. `shown` gets the place of each.
    pub fn follow(&mut self, events: &[String], mut shown: impl FnMut(KeptPlace)) -> Result<(), ReplayError> {
        self.played.follow_as_recorded(events, |played| shown(KeptPlace(played.clone())))
    }

    /// Gives the seats other players, see [`Seats::untrained`], with their names.
    pub fn seat(&mut self, names: &[String], kinds: Vec<Option<AgentKind>>) -> Result<(), TableError> {
        self.seats = Seats::untrained(kinds, self.head.seed, self.game())?;
        self.head.agents = names.to_vec();
        // Who looks at the screen may no longer play.
        self.at_screen = self.at_screen.filter(|seat: &Seat| self.seats.is_person(*seat));
        Ok(())
    }

    /// Returns `true` if a person must answer in a state of this game.
    pub fn asks(&self, state: &State) -> bool {
        let decides = state.current_player().is_some_and(|player| self.seats.is_person(player));
        self.seats.is_asked(state, self.chance_is_reported()) || decides && self.asks_person(state)
    }
}
