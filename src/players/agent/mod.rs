//! What an agent is, and what agents share: streams, worlds, the tree of a search, actions that they are kept from.
//! Depends on the [`View`] of a seat; independent of how an agent chooses.

mod barred;
mod outcomes;
mod places;
mod tree;

pub use barred::Barred;
pub use outcomes::Outcomes;
pub use places::EdgePlaces;
pub(crate) use tree::{Edge, Node, Tree, shuffle};

use houserule_base::rng::{MAX_PLAYERS, Stream};
use houserule_game::hidden::{View, WorldOptions, Worlds};
use houserule_game::{
    ActionId, ApplyError, IllegalChoice, NoWorld, RuntimeError, RuntimeErrorKind, Seat, State,
};
use houserule_language::diagnostic::{FileId, Span};
use houserule_model::{ChoiceId, Model};

/// An agent, which plays a seat.
pub trait Agent: Send {
    /// The agent's name, as [`AgentKind::parse`](crate::agents::AgentKind::parse) reads it.
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

/// How a search spends its simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchMethod {
    /// Equally many after each action.
    Flat,
    /// In a tree of positions.
    Mcts,
    /// In a tree of information sets.
    Ismcts,
    /// In such a tree, in worlds that agree with what the seat sees and knows now.
    Glance,
}

impl SearchMethod {
    /// Returns `true` if its tree is one of information sets, where something is hidden.
    pub(crate) fn goes_by_sight(self) -> bool {
        matches!(self, SearchMethod::Ismcts | SearchMethod::Glance)
    }

    /// Returns the options for its worlds.
    pub(crate) fn world_options(self) -> WorldOptions {
        WorldOptions { with_history: self != SearchMethod::Glance, ..WorldOptions::default() }
    }
}

/// Minimum number of simulations per world where each world has its own tree.
pub const TRIALS_OF_ONE: u32 = 50;

/// Maximum number of worlds per decision if their probabilities aren't exact.
const WORLDS: u32 = 200;

/// Minimum number of simulations per world: 1 if their probabilities are exact. Other worlds are costly, so at
/// most [`WORLDS`] are drawn for `trials` simulations.
pub fn trials_of_a_world(worlds: &Worlds, trials: u32) -> u32 {
    if worlds.is_exact() { 1 } else { trials.div_ceil(WORLDS) }
}

/// The worlds in which the agent of a view looks ahead.
pub fn worlds(view: &View<'_>, options: &WorldOptions) -> Result<Worlds, RuntimeError> {
    view.worlds(options).map_err(|none| no_world(view, none))
}

/// The error of an agent that found no world.
pub fn no_world(view: &View<'_>, none: NoWorld) -> RuntimeError {
    let span = span_of(view.game().model(), view.pending_choice());
    RuntimeError { span, kind: RuntimeErrorKind::NoWorld(Box::new(none)) }
}

/// The error of an agent that had to decide in `state`, and chose no action or one that isn't legal.
pub fn illegal_choice(state: &State, agent: &dyn Agent, action: Option<ActionId>) -> RuntimeError {
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
pub fn apply_choice(
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

/// Returns what an agent chose among `actions`. If it found no world in which to look ahead, it plays at random: it is a
/// weaker player then, but the game goes on.
pub(crate) fn or_random(
    chosen: Result<Option<ActionId>, RuntimeError>,
    view: &View<'_>,
    barred: &Barred,
    stream: &mut Stream,
) -> Result<Option<ActionId>, RuntimeError> {
    match chosen {
        Err(RuntimeError { kind: RuntimeErrorKind::NoWorld(_), .. }) => Ok(at_random(view, barred, stream)),
        chosen => chosen,
    }
}

/// Returns an action at random, as random players take it.
pub(crate) fn at_random(view: &View<'_>, barred: &Barred, stream: &mut Stream) -> Option<ActionId> {
    let mut actions = view.legal_actions();
    barred.leave_out(&mut actions, |action| action.0);
    view.leave_out_deliberate(&mut actions);
    one_of(&actions, stream)
}

/// The place of a choice in the rules.
fn span_of(model: &Model, choice: Option<ChoiceId>) -> Span {
    let choice = model.choices.get(choice.map_or(0, ChoiceId::index));
    choice.map_or(Span::new(FileId(0), 0, 0), |choice| choice.span)
}

/// Returns one of the actions, uniformly at random. A single action draws nothing.
pub(crate) fn one_of(actions: &[ActionId], stream: &mut Stream) -> Option<ActionId> {
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
