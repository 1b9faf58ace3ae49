//! A game as one seat sees it: all that an agent gets.

use std::borrow::Cow;

use crate::NoWorld;
use crate::{ActionId, Game, RuntimeError, Seat, State};
use houserule_base::rng::Stream;
use houserule_model::ChoiceId;

/// A game in progress as one seat sees it.
///
/// A view gives no access to what the seat can't see: neither to hidden values nor to the dice to come.
/// [`View::determinize`] returns a whole state that agrees with all that the seat has seen, to be played on.
///
/// ```compile_fail,E0616
/// fn peek(view: &houserule_game::hidden::View<'_>) -> usize {
///     view.state.history().len()
/// }
/// ```
#[derive(Debug)]
pub struct View<'s> {
    state: &'s mut State,
    seat: Seat,
}

impl State {
    /// Returns the view of a seat. [`View::random_action`] advances the stream of the seat's player, and
    /// nothing else changes the state.
    pub fn seen_by(&mut self, seat: Seat) -> View<'_> {
        View { state: self, seat }
    }
}

impl View<'_> {
    /// Returns the game.
    pub fn game(&self) -> &Game {
        self.state.game()
    }

    /// Returns the seat of the view.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the index of the game in its run.
    pub fn index(&self) -> u64 {
        self.state.started().index
    }

    /// Returns the number of decisions that all players have made.
    pub fn decisions(&self) -> u64 {
        self.state.decisions()
    }

    /// Returns `true` if the seat has to decide.
    pub fn decides(&self) -> bool {
        self.state.current_player() == Some(self.seat)
    }

    /// Returns the seat's legal actions, ascending; none if it does not have to decide.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        if self.decides() { self.state.legal_actions() } else { vec![] }
    }

    /// Leaves out deliberate actions if there are others, as random players do.
    pub fn leave_out_deliberate(&self, actions: &mut Vec<ActionId>) {
        self.state.leave_out_deliberate(actions);
    }

    /// Draws an action as [`State::random_action`] does, from the stream of the seat's player.
    pub fn random_action(&mut self) -> Option<ActionId> {
        if self.decides() { self.state.random_action() } else { None }
    }

    /// Returns what the seat sees, as numbers from 0 to 1; see [`Game::observation_spec`] for their meaning.
    pub fn observation(&self) -> Vec<f32> {
        self.state.observation(self.seat)
    }

    /// Returns everything that the seat knows, as text.
    pub fn information_state(&self) -> String {
        self.state.information_state(self.seat)
    }

    /// Returns the words of the state that the seat sees, and which it can't see: see [`State::words_for`].
    pub fn words(&self) -> (Cow<'_, [u64]>, Vec<bool>) {
        self.state.words_for(self.seat)
    }

    /// Returns the pending choice.
    pub fn pending_choice(&self) -> Option<ChoiceId> {
        self.state.pending_choice()
    }

    /// Returns a player's score, or `None` if it counts what the seat does not see.
    pub fn score(&self, player: Seat) -> Result<Option<i64>, RuntimeError> {
        match self.state.sees_score(player, self.seat) {
            true => self.state.score(player).map(Some),
            false => Ok(None),
        }
    }

    /// Returns a determinization: a state that agrees with all that the seat knows, with its
    /// own streams. See [`State::determinize`]. If nothing in the game is hidden it is the real one, history
    /// included, with other streams.
    pub fn determinize(&self, stream: &mut Stream) -> Result<State, NoWorld> {
        if self.game().hides() {
            return self.state.determinize(self.seat, stream);
        }
        let mut other = self.state.clone();
        other.begin_chance(stream.next_word());
        Ok(other)
    }

    /// Returns a state that agrees with what the seat sees now, but perhaps not with what it saw before.
    /// Quick, for agents that read little of what is hidden from the seat. Its chance is explicit. Returns
    /// `None` if none was found.
    pub fn redrawn(&self, stream: &mut Stream) -> Option<State> {
        Some(self.state.redrawn(self.seat, stream)?.without_chance())
    }

    /// Returns the whole state, for the worlds that are drawn for the seat.
    pub(crate) fn state(&self) -> &State {
        self.state
    }
}
