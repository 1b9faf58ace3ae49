//! A game as one seat sees it: all that an agent is handed.

use std::borrow::Cow;

use super::{ActionId, Game, NoWorld, Player, RuntimeError, State};
use crate::lang::model::ChoiceId;
use crate::rng::Stream;

/// A game in progress as one seat sees it.
///
/// What the seat can't see can't be asked for: neither what is hidden from it nor the dice to come.
/// [`View::determinize`] gives a whole state that could be the real one, to be played on.
///
/// ```compile_fail,E0616
/// fn peek(view: &houserule::engine::View<'_>) -> usize {
///     view.state.history().len()
/// }
/// ```
#[derive(Debug)]
pub struct View<'s> {
    state: &'s mut State,
    seat: Player,
}

impl State {
    /// As a seat sees it. What [`View::random_action`] draws shifts the stream of the seat's player, and
    /// nothing else changes the state.
    pub fn seen_by(&mut self, seat: Player) -> View<'_> {
        View { state: self, seat }
    }
}

impl View<'_> {
    /// The game.
    pub fn game(&self) -> &Game {
        self.state.game()
    }

    /// Whose view it is.
    pub fn seat(&self) -> Player {
        self.seat
    }

    /// Which game of its run it is.
    pub fn index(&self) -> u64 {
        self.state.started().index
    }

    /// Has the seat to decide?
    pub fn decides(&self) -> bool {
        self.state.current_player() == Some(self.seat)
    }

    /// What the seat may do, ascending; empty if it has not to decide.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        if self.decides() { self.state.legal_actions() } else { vec![] }
    }

    /// As [`State::random_action`] draws it, from the stream of the seat's player.
    pub fn random_action(&mut self) -> Option<ActionId> {
        if self.decides() { self.state.random_action() } else { None }
    }

    /// What the seat sees, as numbers from 0 to 1; [`Game::observation_spec`] says what they are.
    pub fn observation(&self) -> Vec<f32> {
        self.state.observation(self.seat)
    }

    /// All that the seat knows, as text.
    pub fn information_state(&self) -> String {
        self.state.information_state(self.seat)
    }

    /// The words of the state that the seat sees, and which of them it can't see: see [`State::words_for`].
    pub(crate) fn words(&self) -> (Cow<'_, [u64]>, Vec<bool>) {
        self.state.words_for(self.seat)
    }

    /// Where in the rules somebody has to choose.
    pub(crate) fn pending_choice(&self) -> Option<ChoiceId> {
        self.state.pending_choice()
    }

    /// A player's score; none if it counts what the seat does not see.
    pub fn score(&self, player: Player) -> Result<Option<i64>, RuntimeError> {
        match self.state.sees_score(player, self.seat) {
            true => self.state.score(player).map(Some),
            false => Ok(None),
        }
    }

    /// A state that could be the real one for all that the seat knows, with chance of its own: see
    /// [`State::determinize`]. Where everybody sees everything it is the real one, history included, and
    /// only its chance to come is another.
    pub fn determinize(&self, stream: &mut Stream) -> Result<State, NoWorld> {
        if self.game().hides() {
            return self.state.determinize(self.seat, stream);
        }
        let mut other = self.state.clone();
        other.begin_chance(stream.next_word());
        Ok(other)
    }

    /// A state that agrees with what the seat sees now, and perhaps not with what it has seen before: at once, for
    /// who looks at little that is hidden from the seat. Its chance is explicit. None if nothing was found.
    pub(crate) fn redrawn(&self, stream: &mut Stream) -> Option<State> {
        Some(self.state.redrawn(self.seat, stream)?.without_chance())
    }

    /// The whole state, for the worlds that are drawn for the seat.
    pub(super) fn state(&self) -> &State {
        self.state
    }
}
