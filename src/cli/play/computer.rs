//! The players of all seats: people, and agents with reproducible choices.

use super::super::CliError;
use crate::agents::{Agent, AgentError, AgentKind, agent_stream};
use crate::game::{ActionId, Game, Player, RuntimeError, State};
use crate::notation::journal::JournalHeader;

/// The name of a person's seat.
pub(super) const YOU: &str = "you";

/// The players of all seats.
pub(super) struct SeatPlayers {
    seats: Vec<Option<(AgentKind, Box<dyn Agent>)>>,
    seed: u64,
}

impl SeatPlayers {
    /// Creates the players named in the head of a journal.
    pub(super) fn of(head: &JournalHeader, game: &Game) -> Result<SeatPlayers, CliError> {
        let kinds: Result<Vec<Option<AgentKind>>, CliError> =
            head.agents.iter().map(|name| kind(name)).collect();
        let kinds = kinds?;
        // `Random` is a cheap placeholder for people.
        let seated: Vec<AgentKind> =
            kinds.iter().map(|kind| kind.clone().unwrap_or(AgentKind::Random)).collect();
        let agents = AgentKind::seat_all(&seated, game)?;
        let seats = kinds.into_iter().zip(agents).map(|(kind, agent)| Some((kind?, agent))).collect();
        Ok(SeatPlayers { seats, seed: head.seed })
    }

    /// Returns `true` if a person plays the seat.
    pub(super) fn is_person(&self, seat: u32) -> bool {
        self.seats.get(seat as usize).is_none_or(Option::is_none)
    }

    /// Returns the number of people.
    pub(super) fn people(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_none()).count()
    }

    /// Returns the seat of the only person, or `None` if there are none or several.
    pub(super) fn only_person(&self) -> Option<u32> {
        let mut people = (0u32..).zip(&self.seats).filter(|(_, seat)| seat.is_none());
        people.next().map(|(seat, _)| seat).filter(|_| people.next().is_none())
    }

    /// Returns the name of the agent of a seat, or `None` for a person.
    pub(super) fn agent(&self, seat: u32) -> Option<String> {
        Some(self.seats.get(seat as usize)?.as_ref()?.0.to_string())
    }

    /// Returns the choice of a seat's agent. It depends only on the game and the position in its history, so
    /// neither undo nor a restart changes it.
    pub(super) fn choose(&mut self, seat: u32, state: &State) -> Result<Option<ActionId>, RuntimeError> {
        let Some(Some((kind, agent))) = self.seats.get_mut(seat as usize) else { return Ok(None) };
        let place = state.started().index.rotate_left(32) ^ state.history().len() as u64;
        let mut stream = agent_stream(self.seed, place, seat);
        if *kind != AgentKind::Random {
            return agent.choose(&mut state.clone().seen_by(Player(seat)), &mut stream);
        }
        // After a restart, the stream in the state isn't where it would be in an uninterrupted game.
        let legal = state.legal_actions();
        let ordinary: Vec<ActionId> =
            legal.iter().copied().filter(|action| !state.is_deliberate(*action)).collect();
        let among = if ordinary.is_empty() { legal } else { ordinary };
        let number = if among.len() > 1 { stream.below(among.len() as u64) } else { 0 };
        Ok(among.get(number as usize).copied())
    }
}

/// Returns the agent with a name, or `None` for a person.
fn kind(name: &str) -> Result<Option<AgentKind>, CliError> {
    if is_you(name) {
        return Ok(None);
    }
    AgentKind::parse(name).map(Some).map_err(|error| match error {
        AgentError::Script(_) => error.into(),
        error => CliError::Command(format!("{error} (`{YOU}` is for a seat that a person plays)")),
    })
}

fn is_you(name: &str) -> bool {
    [YOU, "me", "human"].contains(&name.trim())
}

/// Returns the agents of all seats, given the options of the command line. The remaining seats are people.
pub(super) fn seated(
    agents: Option<&str>,
    against: Option<&str>,
    players: u32,
) -> Result<Vec<String>, CliError> {
    let mut names: Vec<String> = match (agents, against) {
        (Some(agents), _) => agents.split(',').map(|name| name.trim().to_owned()).collect(),
        (None, Some(against)) => {
            if players < 2 {
                return Err(CliError::Command(
                    "`--against` needs a game for two or more; `--agents` lets an agent play alone"
                        .to_owned(),
                ));
            }
            let others = std::iter::repeat_n(against.trim().to_owned(), players as usize - 1);
            std::iter::once(YOU.to_owned()).chain(others).collect()
        }
        (None, None) => vec![],
    };
    for name in &mut names {
        kind(name)?;
        if is_you(name) {
            *name = YOU.to_owned();
        }
    }
    if names.len() > players as usize {
        let (n, seats) = (names.len(), if players == 1 { "seat" } else { "seats" });
        return Err(CliError::Command(format!("{n} agents are named, and the game has {players} {seats}")));
    }
    // As in simulations, a single agent plays every seat.
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
        let seats = |agents, against, players| seated(agents, against, players).unwrap().join(",");
        assert_eq!(seats(None, None, 3), "you,you,you");
        assert_eq!(seats(Some("you, greedy"), None, 2), "you,greedy");
        assert_eq!(seats(Some("greedy,me"), None, 3), "greedy,you,you");
        assert_eq!(seats(Some("random"), None, 2), "random,random");
        assert_eq!(seats(None, Some("random"), 3), "you,random,random");
        assert!(seated(Some("you,gredy"), None, 2).is_err());
        assert!(seated(Some("you,you,you"), None, 2).is_err());
        assert!(seated(None, Some("random"), 1).is_err());
    }
}
