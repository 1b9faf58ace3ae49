//! The question or step that is pending at a table, and the calls that answer it.

use std::fmt;

use super::chance_question::ChanceQuestion;
use super::journal::JournalWriter;
use super::phrases::player_name;
use super::screen::HandOver;
use super::seen::{Audience, SeenEvent};
use super::{MoveMenu, Table, TableError};
use houserule_game::notation::journal::{GameInProgress, JournalLine};
use houserule_game::{ActionId, Seat, State};

/// The question or step that is pending at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// Chance is drawn from the seed: [`Table::step`].
    Draws,
    /// An agent decides: [`Table::step`].
    Agent(Seat),
    /// A person has a single legal action, which is taken without a question: [`Table::step`]. People who pass on a
    /// screen are asked all the same: they see their hands first, and nobody learns that nothing else was legal.
    OnlyMove(Seat),
    /// A person decides among [`Table::moves`]: [`Table::act`].
    Decision(Seat),
    /// Chance comes from outside, such as real dice: [`Table::chance_question`], [`Table::settle`].
    Chance,
    /// The screen is to be passed on: [`Table::leave_screen`], then [`Table::take_screen`].
    HandOver(HandOver),
    /// The game is over: [`Table::standing`], [`Table::next_game`].
    Over,
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pending::Draws => f.write_str("chance is drawn"),
            Pending::Agent(player) => write!(f, "the agent of seat {} decides", player.0 + 1),
            Pending::OnlyMove(player) => write!(f, "seat {} has a single move", player.0 + 1),
            Pending::Decision(player) => write!(f, "seat {} decides", player.0 + 1),
            Pending::Chance => f.write_str("somebody reports what chance comes to"),
            Pending::HandOver(HandOver { to, .. }) => {
                write!(f, "the screen is handed over to seat {}", to.0 + 1)
            }
            Pending::Over => f.write_str("the game is over"),
        }
    }
}

/// The effect of a reported outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It holds. The events are told to the people at the screen.
    Done(Vec<SeenEvent>),
    /// With it, a condition of the rules on chance fails: all outcomes of that block are reported again.
    Again,
}

impl<J: JournalWriter> Table<J> {
    /// Returns the question or step that is pending.
    pub fn pending(&self) -> Pending {
        let state = self.state();
        if state.is_over() {
            return Pending::Over;
        }
        match state.current_player() {
            None if self.chance_is_reported() => Pending::Chance,
            None => Pending::Draws,
            Some(player) if !self.seats.is_person(player) => Pending::Agent(player),
            Some(player) if !self.asks_person(state) => Pending::OnlyMove(player),
            Some(player) => self.hand_over(player).map_or(Pending::Decision(player), Pending::HandOver),
        }
    }

    /// Does what needs no answer of people: draws chance up to the next decision, lets an agent decide, or takes a
    /// single move. Returns the events, as the people at the screen may be told them.
    pub fn step(&mut self) -> Result<Vec<SeenEvent>, TableError> {
        match self.pending() {
            Pending::Draws => {
                let mut next = self.played.clone();
                let from = self.state().history().len();
                let events = next.draw_to_decision()?.unwrap_or_default();
                self.commit(next, events)?;
                Ok(self.seen_at_screen(from))
            }
            Pending::Agent(player) => {
                let chosen = self.seats.choose(player, self.played.state()).map_err(TableError::Agent)?;
                let agent = || self.seats.agent(player).unwrap_or_default();
                let action = chosen.ok_or_else(|| TableError::NoChoice { player, agent: agent() })?;
                self.take(action)
            }
            Pending::OnlyMove(_) => match self.state().legal_actions().as_slice() {
                [only] => self.take(*only),
                _ => Err(self.not_asked("a single move")),
            },
            Pending::Decision(_) | Pending::Chance | Pending::HandOver(_) | Pending::Over => {
                Err(self.not_asked("a step without people"))
            }
        }
    }

    /// Steps until people are asked or the game is over. Returns all events, as the people at the screen may be
    /// told them. Each step is written to the journal before the next; after an error, the earlier steps stand.
    pub fn advance(&mut self) -> Result<Vec<SeenEvent>, TableError> {
        let mut seen = vec![];
        while matches!(self.pending(), Pending::Draws | Pending::Agent(_) | Pending::OnlyMove(_)) {
            seen.extend(self.step()?);
        }
        Ok(seen)
    }

    /// Returns the legal moves of the pending decision, to be listed in lines of at most `columns`. Returns `None`
    /// if no person decides, or if the screen is to be handed over first.
    pub fn moves(&self, columns: usize) -> Option<MoveMenu> {
        matches!(self.pending(), Pending::Decision(_)).then(|| MoveMenu::from_state(self.state(), columns))
    }

    /// Takes an action for the person who decides. Returns it with the chance events that it caused, as the people
    /// at the screen may be told them.
    pub fn act(&mut self, action: ActionId) -> Result<Vec<SeenEvent>, TableError> {
        let Pending::Decision(_) = self.pending() else { return Err(self.not_asked("a move")) };
        let asked = self.state().history().len();
        let seen = self.take(action)?;
        self.asked.push(asked);
        self.undone.clear();
        Ok(seen)
    }

    /// Returns the question for the chance event that people report, or `None` if none is pending. It tells only what all at
    /// the screen may know: see [`Table::audience`].
    pub fn chance_question(&self) -> Option<ChanceQuestion> {
        let Pending::Chance = self.pending() else { return None };
        let viewers = match self.audience() {
            // Even if all see the same, some things may be hidden from everybody.
            Audience::All => self.seats.people(),
            Audience::One(viewer) => vec![viewer],
            Audience::Each(people) => people,
        };
        let reported = self.rolls.get(&self.played.rolls()).map(String::as_str);
        ChanceQuestion::from_state(self.state(), reported, &viewers)
    }

    /// Applies a reported outcome of the pending chance event, as [`ChanceQuestion::answer`] returns it.
    pub fn settle(&mut self, outcome: u64) -> Result<Settled, TableError> {
        let Pending::Chance = self.pending() else { return Err(self.not_asked("an outcome")) };
        let known = self.state().history().len();
        let mut next = self.played.clone();
        let events = next.settle(outcome)?;
        let now = next.state().history().len();
        self.undone.clear();
        if now <= known {
            self.write(&[JournalLine::Undo { undo: known - now, rolls: vec![] }])?;
            self.played = next;
            self.asked.retain(|asked| *asked < now);
            return Ok(Settled::Again);
        }
        self.commit(next, events)?;
        self.asked.push(known);
        Ok(Settled::Done(self.seen_at_screen(known)))
    }

    /// Takes a legal action.
    fn take(&mut self, action: ActionId) -> Result<Vec<SeenEvent>, TableError> {
        let before: State = self.state().clone();
        let mut next = self.played.clone();
        let events = next.act(action)?;
        self.commit(next, events)?;
        let seen = self.action_seen(&before, action);
        self.before = Some(before);
        Ok(seen)
    }

    /// Writes events to the journal, and then goes on to the state after them.
    pub(super) fn commit(&mut self, next: GameInProgress, events: Vec<String>) -> Result<(), TableError> {
        let mut lines: Vec<JournalLine> = events.into_iter().map(JournalLine::Event).collect();
        lines.extend(self.endings(&next));
        self.write(&lines)?;
        self.played = next;
        self.note_starter();
        Ok(())
    }

    pub(super) fn not_asked(&self, what: &'static str) -> TableError {
        let pending = match self.pending() {
            Pending::Decision(player) => format!("{} decides", player_name(self.game(), player)),
            pending => pending.to_string(),
        };
        TableError::NotAsked { what, pending }
    }
}
