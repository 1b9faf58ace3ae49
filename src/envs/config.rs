//! Configuration shared by all environments of a batch: the game, the options and the agents.

use std::sync::Arc;

use super::line_ups::LineUps;
use super::measured::Measured;
use super::options::{EnvError, EnvOptions, Opponents};
use houserule_game::observe::{Dtype, EntryKind, Planes, SharedLayout};
use houserule_game::{Game, shares};
use houserule_players::agents::{Agent, AgentKind};

/// The configuration shared by all environments of a batch.
#[derive(Clone)]
pub(super) struct EnvConfig {
    pub(super) game: Game,
    pub(super) options: EnvOptions,
    /// The agent of each seat, line-up by line-up, `None` for a guest; no list at all if every decision is the
    /// learner's.
    pub(super) agents: Option<NamedAgents>,
    /// The line-ups of a mixture.
    pub(super) line_ups: Option<LineUps>,
    pub(super) planes: Option<Planes>,
    pub(super) rewards_score: bool,
    /// Whether the rewards at the end are the payoffs of the rules rather than those of winning.
    pub(super) rewards_payoff: bool,
    /// By number of winners: the return of every loser and that of every winner.
    pub(super) shares: Vec<[f64; 2]>,
    /// How rewards come from values that the plain rewards don't need; `None` without a margin, an expression and
    /// a potential.
    pub(super) measured: Option<Measured>,
    pub(super) players: usize,
    pub(super) actions: usize,
    /// Cells of one observation.
    pub(super) cells: usize,
    /// The layout of observations and actions, if several rule sets share one.
    pub(super) shared: Option<Arc<SharedLayout>>,
    /// Whether a step can be slow enough to be interrupted: if agents think or scripts run.
    pub(super) takes_long: bool,
}

impl EnvConfig {
    /// Checks the options and makes the agents.
    pub(super) fn new(
        game: &Game,
        options: &EnvOptions,
        guests: Guests,
    ) -> Result<(EnvConfig, SeatAgents), EnvError> {
        let planes = options.check(game)?;
        let (measured, with_measures) = Measured::new(game, options)?;
        let game = with_measures.as_ref().unwrap_or(game);
        let (agents, seated) = match options.agents(game)? {
            Some(kinds) => {
                let (names, seated) = seat(&kinds, guests, game)?;
                (Some(names), seated)
            }
            None => (None, vec![]),
        };
        let line_ups = match &options.opponents {
            Opponents::Mixture(line_ups) if agents.is_some() => Some(LineUps::new(line_ups)?),
            Opponents::Mixture(_) | Opponents::Agents(_) | Opponents::SelfPlay => None,
        };
        let mut kind = EnvConfig {
            shared: None,
            takes_long: false,
            cells: options.dtype.size(planes.as_ref().map_or(game.observation_len(), Planes::len)),
            rewards_score: options.rewards_score(game),
            rewards_payoff: options.rewards_payoff(game),
            shares: (0..=game.players()).map(|winners| shares(winners, game.players())).collect(),
            measured,
            players: game.players() as usize,
            actions: game.actions() as usize,
            game: game.clone(),
            options: options.clone(),
            agents,
            line_ups,
            planes,
        };
        kind.takes_long = kind.may_take_long();
        Ok((kind, seated))
    }

    /// Returns `true` if agents think or scripts of the rules run in a step.
    pub(super) fn may_take_long(&self) -> bool {
        !self.all_random() || self.game.program().hooks > 0
    }

    /// The greatest value of each cell of an observation; empty for floats, which are at most 1.
    pub(super) fn highest(&self) -> Vec<u8> {
        if let Some(shared) = &self.shared {
            return match self.options.dtype {
                Dtype::Float32 | Dtype::Float16 => vec![],
                Dtype::Bits => vec![u8::MAX; self.cells],
                Dtype::Uint8 | Dtype::Bool => shared.highest().to_vec(),
            };
        }
        let mut flat = vec![1; self.game.observation_len()];
        for entry in self.game.observation_spec() {
            if let EntryKind::Number { low, high } = entry.kind {
                // It fits in a byte: `EnvOptions::check` has checked the range.
                flat[entry.offset..][..entry.length].fill(high.wrapping_sub(low) as u8);
            }
        }
        match (self.options.dtype, &self.planes) {
            (Dtype::Float32 | Dtype::Float16, _) => vec![],
            (Dtype::Bits, _) => vec![u8::MAX; self.cells],
            (Dtype::Uint8 | Dtype::Bool, None) => flat,
            (Dtype::Uint8 | Dtype::Bool, Some(planes)) => {
                let mut laid_out = vec![0; planes.len()];
                planes.write(&flat, &mut laid_out);
                laid_out
            }
        }
    }

    /// Returns `true` if every decision is the learner's, whichever seat decides.
    #[inline(always)]
    pub(super) fn self_play(&self) -> bool {
        self.agents.is_none()
    }

    /// Returns `true` if after every step the learner decides again or the episode is over.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.self_play() && !self.options.skip_forced && !self.options.match_play
    }

    /// Returns `true` if environments of both configurations may be in one chunk, whose games may. Agents that need a
    /// state, matches and line-ups have a game of their own.
    pub(super) fn may_join(&self, other: &EnvConfig) -> bool {
        let simple =
            |kind: &EnvConfig| kind.all_random() && kind.line_ups.is_none() && !kind.options.match_play;
        let rewards = |kind: &EnvConfig| (kind.rewards_score, kind.rewards_payoff, kind.measured);
        simple(self) && simple(other) && rewards(self) == rewards(other)
    }

    /// Returns `true` if all agents are random, and so need no state.
    pub(super) fn all_random(&self) -> bool {
        self.agents.iter().flatten().all(|kind| *kind == Some(AgentKind::Random))
    }
}

/// Methods that [`Env`](super::Env) and [`VectorEnv`](super::VectorEnv) have in common.
macro_rules! tells_its_kind {
    ($env:ty) => {
        impl $env {
            /// The game; of several rule sets the first one.
            pub fn game(&self) -> &houserule_game::Game {
                &self.kind.game
            }

            /// The options.
            pub fn options(&self) -> &$crate::EnvOptions {
                &self.kind.options
            }

            /// Cells of one observation: L. If observations are bits, a cell is a byte.
            pub fn observation_len(&self) -> usize {
                self.kind.cells
            }

            /// The greatest value of each cell of an observation; empty for floats, which are at most 1.
            pub fn highest(&self) -> Vec<u8> {
                self.kind.highest()
            }

            /// Channels, rows and columns of an observation, if observations are planes.
            pub fn planes(&self) -> Option<[usize; 3]> {
                match &self.kind.shared {
                    Some(shared) => shared.planes(),
                    None => self.kind.planes.as_ref().map(houserule_game::observe::Planes::shape),
                }
            }

            /// The layout of observations and actions, if several rule sets share one.
            pub fn shared(&self) -> Option<&houserule_game::observe::SharedLayout> {
                self.kind.shared.as_deref()
            }

            /// The number of action numbers: A.
            pub fn actions(&self) -> usize {
                self.kind.actions
            }

            /// Returns `true` if a step can be slow enough to be interrupted.
            pub fn takes_long(&self) -> bool {
                self.kind.takes_long
            }

            /// The number of seats: P.
            pub fn players(&self) -> usize {
                self.kind.players
            }

            /// Returns `true` if rewards are by score, `false` if they are by outcome or payoff.
            pub fn rewards_score(&self) -> bool {
                self.kind.rewards_score
            }
        }
    };
}

pub(super) use tells_its_kind;

/// The agents of the seats. They can be sent to other threads, but not shared.
pub(super) type SeatAgents = Vec<Box<dyn Agent>>;

/// Agents without a name, by seat. Each replaces the named agent of its seat.
pub type Guests = Vec<Option<Box<dyn Agent>>>;

/// The named agents, by seat; `None` for a guest.
pub(super) type NamedAgents = Vec<Option<AgentKind>>;

/// Seats named agents and guests.
pub(super) fn seat(
    kinds: &[AgentKind],
    guests: Guests,
    game: &Game,
) -> Result<(NamedAgents, SeatAgents), EnvError> {
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
