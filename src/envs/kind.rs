//! What is the same for all environments that are made together: game, options, and who plays.

use super::options::{EnvError, Options};
use crate::agents::{Agent, AgentKind};
use crate::engine::observation::{Dtype, EntryKind, Planes};
use crate::engine::{Game, Start, State};

/// What is the same for all environments of a kind.
pub(super) struct Kind {
    pub(super) game: Game,
    pub(super) options: Options,
    /// The agents of the seats, none for a guest; none at all if every decision is the learner's.
    pub(super) agents: Option<Names>,
    pub(super) planes: Option<Planes>,
    pub(super) rewards_score: bool,
    pub(super) players: usize,
    pub(super) actions: usize,
    /// Cells of one observation.
    pub(super) cells: usize,
}

impl Kind {
    /// What is asked for, with the agents that play.
    pub(super) fn new(game: &Game, options: &Options, guests: Guests) -> Result<(Kind, Seated), EnvError> {
        let planes = options.check(game)?;
        let (agents, seated) = match options.agents(game)? {
            Some(kinds) => {
                let (names, seated) = seat(&kinds, guests, game)?;
                (Some(names), seated)
            }
            None => (None, vec![]),
        };
        let kind = Kind {
            cells: options.dtype.size(planes.as_ref().map_or(game.observation_len(), Planes::len)),
            rewards_score: options.rewards_score(game),
            players: game.players() as usize,
            actions: game.actions() as usize,
            game: game.clone(),
            options: options.clone(),
            agents,
            planes,
        };
        Ok((kind, seated))
    }

    /// The greatest value of each cell of an observation; none of floats, which are at most 1.
    pub(super) fn highest(&self) -> Vec<u8> {
        let mut flat = vec![1; self.game.observation_len()];
        for entry in self.game.observation_spec() {
            if let EntryKind::Number { low, high } = entry.kind {
                // No more than fit: that was checked.
                flat[entry.offset..][..entry.length].fill(high.wrapping_sub(low) as u8);
            }
        }
        match (self.options.dtype, &self.planes) {
            (Dtype::Float32, _) => vec![],
            (Dtype::Bits, _) => vec![u8::MAX; self.cells],
            (Dtype::Uint8, None) => flat,
            (Dtype::Uint8, Some(planes)) => {
                let mut laid_out = vec![0; planes.len()];
                planes.write(&flat, &mut laid_out);
                laid_out
            }
        }
    }

    /// Is every decision the learner's, whichever seat decides?
    #[inline(always)]
    pub(super) fn self_play(&self) -> bool {
        self.agents.is_none()
    }

    /// Is the decision after a step always the learner's, or the episode over?
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.self_play() && !self.options.skip_forced && !self.options.match_play
    }

    /// A state of the game, for a game to be stored in.
    pub(super) fn any_state(&self) -> State {
        self.game.start_or_stop(&Start::default(), None).0
    }

    /// Can a step take so long that somebody wants to interrupt it? Only where agents think or scripts run.
    pub(super) fn takes_long(&self) -> bool {
        !self.all_random() || self.game.program().hooks > 0
    }

    /// Are the agents all ones that need no state?
    pub(super) fn all_random(&self) -> bool {
        self.agents.iter().flatten().all(|kind| *kind == Some(AgentKind::Random))
    }
}

/// What one environment and many tell of their kind alike.
macro_rules! tells_its_kind {
    ($env:ty) => {
        impl $env {
            /// The game.
            pub fn game(&self) -> &$crate::engine::Game {
                &self.kind.game
            }

            /// What was asked for.
            pub fn options(&self) -> &$crate::envs::Options {
                &self.kind.options
            }

            /// Cells of one observation: L. As bits they are bytes.
            pub fn observation_len(&self) -> usize {
                self.kind.cells
            }

            /// The greatest value of each cell of an observation; none of floats, which are at most 1.
            pub fn highest(&self) -> Vec<u8> {
                self.kind.highest()
            }

            /// How observations are laid out as planes, if they are.
            pub fn planes(&self) -> Option<&$crate::engine::observation::Planes> {
                self.kind.planes.as_ref()
            }

            /// How many action numbers: A.
            pub fn actions(&self) -> usize {
                self.kind.actions
            }

            /// Can a step take so long that somebody wants to interrupt it?
            pub fn takes_long(&self) -> bool {
                self.kind.takes_long()
            }

            /// How many seats: P.
            pub fn players(&self) -> usize {
                self.kind.players
            }

            /// Is the score rewarded, else the outcome?
            pub fn rewards_score(&self) -> bool {
                self.kind.rewards_score
            }
        }
    };
}

pub(super) use tells_its_kind;

/// The agents of the seats. They are sent to other threads, but not shared.
pub(super) type Seated = Vec<Box<dyn Agent>>;

/// Agents that have no name, by seat: each plays instead of the one that is named for its seat.
pub type Guests = Vec<Option<Box<dyn Agent>>>;

/// The named agents, by seat; guests have no name.
type Names = Vec<Option<AgentKind>>;

/// Seats named agents and guests.
fn seat(kinds: &[AgentKind], guests: Guests, game: &Game) -> Result<(Names, Seated), EnvError> {
    let mut names: Vec<Option<AgentKind>> = kinds.iter().cloned().map(Some).collect();
    let (agents, players) = (guests.len(), game.players());
    if agents != 0 && agents != names.len() {
        return Err(EnvError::Agents { agents, players });
    }
    let mut seated = AgentKind::seat_all(kinds, game).map_err(EnvError::Agent)?;
    for (seat, guest) in guests.into_iter().enumerate() {
        if let Some(guest) = guest {
            (names[seat], seated[seat]) = (None, guest);
        }
    }
    Ok((names, seated))
}
