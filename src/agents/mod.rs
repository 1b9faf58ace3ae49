//! Agents, which choose among the legal actions of a state. Depends on the [`View`] of a seat; independent of rule
//! text and programs.

mod error;
mod exact;
mod kind;
pub mod learned;
mod restricted;
mod script;
mod search;

pub use error::AgentError;
pub use exact::Exact;
pub(crate) use kind::MOST_SIMULATIONS;
pub use kind::greedy::Greedy;
pub use kind::{AgentKind, AgentSource, OwnAgent};
pub use learned::{LearnError, Learned, LearnedAgent, PlayerError, PlayerFile};
pub use restricted::Barred;
pub use script::{AgentFile, ScriptFault};
pub use search::Search;
pub(crate) use search::{EdgePlaces, Outcomes, TRIALS_OF_ONE, trials_of_a_world};

use crate::diagnostic::{FileId, Span};
use crate::game::{
    ActionId, ApplyError, IllegalChoice, NoWorld, RuntimeError, RuntimeErrorKind, Seat, State,
};
use crate::hidden::{View, WorldOptions, Worlds};
use crate::model::{ChoiceId, Model};
use crate::rng::{MAX_PLAYERS, Stream};

/// An agent, which plays a seat.
pub trait Agent: Send {
    /// The agent's name, as [`AgentKind::parse`] reads it.
    fn name(&self) -> String;

    /// Chooses a legal action, or returns `None` if the seat has no decision. `stream` is the agent's own; the
    /// agent may also draw from the stream of the seat's player.
    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError>;

    /// Returns an equivalent agent, for another thread.
    fn copy(&self) -> Box<dyn Agent>;

    /// Returns this agent, kept from some actions where another is legal, or `None` if it can't be restricted.
    fn restricted(&self, _barred: &Barred) -> Option<Box<dyn Agent>> {
        None
    }
}

/// Returns the agent's own stream for a seat of a game. It is separate from chance and from the seats' players, so
/// an agent's draws never shift the dice.
pub fn agent_stream(seed: u64, index: u64, seat: Seat) -> Stream {
    Stream::new(seed, index, MAX_PLAYERS as u64 + 1 + u64::from(seat.0))
}

/// Plays a legal action, uniformly at random. Takes deliberate options only if nothing else is legal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> String {
        AgentKind::Random.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        Ok(view.random_action())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(restricted::RestrictedRandom(barred.clone())))
    }
}

/// The worlds in which the agent of a view looks ahead.
pub(crate) fn worlds(view: &View<'_>) -> Result<Worlds, RuntimeError> {
    view.worlds(&WorldOptions::default()).map_err(|none| no_world(view, none))
}

/// The error of an agent that found no world.
pub(crate) fn no_world(view: &View<'_>, none: NoWorld) -> RuntimeError {
    let span = span_of(view.game().model(), view.pending_choice());
    RuntimeError { span, kind: RuntimeErrorKind::NoWorld(Box::new(none)) }
}

/// The error of an agent that had to decide in `state`, and chose no action or one that isn't legal.
pub(crate) fn illegal_choice(state: &State, agent: &dyn Agent, action: Option<ActionId>) -> RuntimeError {
    let game = state.game();
    let choice = IllegalChoice {
        agent: agent.name(),
        seat: state.current_player().unwrap_or_default(),
        action: action.map(|action| game.action_name(action)),
    };
    let span = span_of(game.model(), state.pending_choice());
    RuntimeError { span, kind: RuntimeErrorKind::IllegalChoice(Box::new(choice)) }
}

/// Applies what an agent chose. An agent that chose no legal action is an error.
pub(crate) fn apply_choice(
    state: &mut State,
    agent: &dyn Agent,
    action: Option<ActionId>,
) -> Result<ActionId, RuntimeError> {
    let Some(chosen) = action else { return Err(illegal_choice(state, agent, None)) };
    match state.apply(chosen) {
        Ok(()) => Ok(chosen),
        Err(ApplyError::Runtime(error)) => Err(error),
        Err(_) => Err(illegal_choice(state, agent, action)),
    }
}

/// The place of a choice in the rules.
fn span_of(model: &Model, choice: Option<ChoiceId>) -> Span {
    let choice = model.choices.get(choice.map_or(0, ChoiceId::index));
    choice.map_or(Span::new(FileId(0), 0, 0), |choice| choice.span)
}

/// Returns one of the actions, uniformly at random. A single action draws nothing.
fn one_of(actions: &[ActionId], stream: &mut Stream) -> Option<ActionId> {
    match actions {
        [] => None,
        [one] => Some(*one),
        many => many.get(stream.below(many.len() as u64) as usize).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_draw_from_streams_of_their_own() {
        for seat in 0..MAX_PLAYERS as u32 {
            for source in 0..=MAX_PLAYERS as u64 {
                assert_ne!(agent_stream(1, 2, Seat(seat)), Stream::new(1, 2, source));
            }
        }
    }
}
