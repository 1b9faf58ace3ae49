//! The players of all seats: people, and agents with reproducible choices.

use std::fmt;

use houserule_game::{ActionId, Game, RuntimeError, Seat, State};
use houserule_players::agents::{Agent, AgentError, AgentKind, agent_stream};

/// The name of a person's seat.
pub const YOU: &str = "you";

/// Why the seats of a game can't be taken.
#[derive(Clone, Debug)]
pub enum SeatError {
    /// A name is neither a person nor an agent.
    Name(AgentError),
    /// An agent can't play this game.
    Agent(AgentError),
    /// More players are named than the game has seats.
    TooMany {
        /// Number of players named.
        named: usize,
        /// Number of seats.
        seats: u32,
    },
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatError::Name(error) => write!(f, "{error} (`{YOU}` is for a seat that a person plays)"),
            SeatError::Agent(error) => error.fmt(f),
            SeatError::TooMany { named, seats } => {
                let noun = if *seats == 1 { "seat" } else { "seats" };
                write!(f, "{named} agents are named, and the game has {seats} {noun}")
            }
        }
    }
}

impl std::error::Error for SeatError {}

/// The players of all seats.
pub struct Seats {
    seats: Vec<Option<SeatedAgent>>,
    seed: u64,
}

/// An agent in a seat.
struct SeatedAgent {
    kind: AgentKind,
    /// `None` until it is trained.
    agent: Option<Box<dyn Agent>>,
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.seats.iter().map(|seat| seat.as_ref().map(|seat| &seat.kind));
        f.debug_list().entries(kinds).finish()
    }
}

impl Seats {
    /// Seats people and agents by the names of [`seat_names`]. `seed` is the agents' seed. A seat without a name is a
    /// person's. Agents that learn are trained.
    pub fn from_names(names: &[String], seed: u64, game: &Game) -> Result<Seats, SeatError> {
        let kinds = names.iter().map(|name| kind(name)).collect::<Result<_, _>>()?;
        Seats::from_kinds(kinds, seed, game, |_| Ok(true))
    }

    /// Seats people (`None`) and agents without training: an agent that has to be trained has its seat, and can't decide.
    pub fn untrained(kinds: Vec<Option<AgentKind>>, seed: u64, game: &Game) -> Result<Seats, SeatError> {
        Seats::from_kinds(kinds, seed, game, |kind| kind.is_ready(game))
    }

    fn from_kinds(
        mut kinds: Vec<Option<AgentKind>>,
        seed: u64,
        game: &Game,
        is_ready: impl Fn(&AgentKind) -> Result<bool, AgentError>,
    ) -> Result<Seats, SeatError> {
        fits(kinds.len(), game.players())?;
        kinds.resize(game.players() as usize, None);
        let mut ready = vec![];
        for kind in &kinds {
            let is_ready = kind.as_ref().map_or(Ok(false), &is_ready).map_err(SeatError::Agent)?;
            ready.push(is_ready.then(|| kind.clone()).flatten());
        }
        // `Random` is a cheap placeholder for people, and for agents that aren't trained.
        let seated: Vec<AgentKind> =
            ready.iter().map(|kind| kind.clone().unwrap_or(AgentKind::Random)).collect();
        let agents = AgentKind::seat_all(&seated, game).map_err(SeatError::Agent)?;
        let seats = kinds
            .into_iter()
            .zip(ready)
            .zip(agents)
            .map(|((kind, ready), agent)| Some(SeatedAgent { kind: kind?, agent: ready.map(|_| agent) }));
        Ok(Seats { seats: seats.collect(), seed })
    }

    /// Returns the agent of a seat if it has to be trained before it decides.
    pub fn to_train(&self, player: Seat) -> Option<&AgentKind> {
        let seat = self.seats.get(player.0 as usize)?.as_ref()?;
        seat.agent.is_none().then_some(&seat.kind)
    }

    /// Returns `true` if a person plays the seat.
    pub fn is_person(&self, player: Seat) -> bool {
        self.seats.get(player.0 as usize).is_none_or(Option::is_none)
    }

    /// Returns the seats of people, in their order.
    pub fn people(&self) -> Vec<Seat> {
        let seats = (0u32..).zip(&self.seats);
        seats.filter(|(_, seat)| seat.is_none()).map(|(seat, _)| Seat(seat)).collect()
    }

    /// Returns the seat of the only person, or `None` if there are none or several.
    pub fn only_person(&self) -> Option<Seat> {
        match self.people().as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Returns the name of the agent of a seat, or `None` for a person.
    pub fn agent(&self, player: Seat) -> Option<String> {
        Some(self.seats.get(player.0 as usize)?.as_ref()?.kind.to_string())
    }

    /// Returns `true` if a person must answer in this state, given whether people report chance. A single legal
    /// action is taken without a question.
    pub(super) fn is_asked(&self, state: &State, reported: bool) -> bool {
        match state.current_player() {
            Some(player) => self.is_person(player) && state.legal_count() > 1,
            None => reported && state.is_chance(),
        }
    }

    /// Returns the choice of a seat's agent, or `None` if it has none. The choice depends only on the game and the
    /// position in its history, so neither undo nor a restart changes it.
    pub(super) fn choose(&mut self, player: Seat, state: &State) -> Result<Option<ActionId>, RuntimeError> {
        let Some(Some(SeatedAgent { kind, agent: Some(agent) })) = self.seats.get_mut(player.0 as usize)
        else {
            return Ok(None);
        };
        let place = state.started().index.rotate_left(32) ^ state.history().len() as u64;
        let mut stream = agent_stream(self.seed, place, player);
        if *kind != AgentKind::Random {
            return agent.choose(&mut state.clone().seen_by(player), &mut stream);
        }
        // After a restart, the stream in the state isn't where it would be in an uninterrupted game.
        let mut among = state.legal_actions();
        state.leave_out_deliberate(&mut among);
        let number = if among.len() > 1 { stream.below(among.len() as u64) } else { 0 };
        Ok(among.get(number as usize).copied())
    }
}

/// Returns the agent with a name, or `None` for a person.
fn kind(name: &str) -> Result<Option<AgentKind>, SeatError> {
    if is_you(name) {
        return Ok(None);
    }
    AgentKind::parse(name).map(Some).map_err(|error| match error {
        AgentError::Script(_) => SeatError::Agent(error),
        error => SeatError::Name(error),
    })
}

fn fits(named: usize, seats: u32) -> Result<(), SeatError> {
    if named > seats as usize { Err(SeatError::TooMany { named, seats }) } else { Ok(()) }
}

fn is_you(name: &str) -> bool {
    [YOU, "me", "human"].contains(&name.trim())
}

/// Returns the name of each seat's player: [`YOU`] for a person, else an agent, as
/// [`AgentKind::parse`](houserule_players::agents::AgentKind::parse) reads it. Seats without a name are people, except that a
/// single agent plays every seat, as in simulations.
pub fn seat_names(named: &[String], players: u32) -> Result<Vec<String>, SeatError> {
    let mut names = named.to_vec();
    for name in &mut names {
        kind(name)?;
        if is_you(name) {
            *name = YOU.to_owned();
        }
    }
    fits(names.len(), players)?;
    let rest = match names.as_slice() {
        [one] if one != YOU => one.clone(),
        _ => YOU.to_owned(),
    };
    names.resize(players as usize, rest);
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_filled() {
        let seats = |named: &[&str], players| {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            seat_names(&named, players).map(|names| names.join(",")).map_err(|error| error.to_string())
        };
        assert_eq!(seats(&[], 3).unwrap(), "you,you,you");
        assert_eq!(seats(&["you", "greedy"], 2).unwrap(), "you,greedy");
        assert_eq!(seats(&["greedy", "me"], 3).unwrap(), "greedy,you,you");
        assert_eq!(seats(&["random"], 2).unwrap(), "random,random");
        assert!(seats(&["you", "gredy"], 2).unwrap_err().contains("`you` is for a seat that a person plays"));
        assert_eq!(seats(&["you"; 3], 2).unwrap_err(), "3 agents are named, and the game has 2 seats");
    }
}
