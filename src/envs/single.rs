//! One environment, for those who step one at a time.

use std::sync::Arc;

use super::Ended;
use super::chunk::{Chunk, Phase};
use super::kind::{Guests, Kind, tells_its_kind};
use super::options::{Autoreset, EnvError, Options};
use super::vector::View;
use crate::engine::many::Many;
use crate::engine::observation::Cells;
use crate::engine::{ActionId, Game, RuntimeError, State};

/// What a step of one environment came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The learner's; in self-play that of whoever took the step.
    pub reward: f64,
    /// The episode is over, by the rules or by an illegal action.
    pub terminated: bool,
    /// The episode was cut short.
    pub truncated: bool,
}

/// One environment. It never resets itself, whatever the options say. Its first episode begins with
/// [`Env::reset`].
pub struct Env {
    kind: Arc<Kind>,
    pub(super) chunk: Chunk,
}

tells_its_kind!(Env);

impl Env {
    /// An environment with seed 0 until it is given another.
    pub fn new(game: &Game, options: &Options) -> Result<Env, EnvError> {
        Env::with_guests(game, options, vec![])
    }

    /// The same, with agents that have no name: none, or for each seat.
    pub fn with_guests(game: &Game, options: &Options, guests: Guests) -> Result<Env, EnvError> {
        let options = Options { autoreset: Autoreset::Disabled, ..options.clone() };
        let (kind, agents) = Kind::new(game, &options, guests)?;
        let kind = Arc::new(kind);
        Ok(Env { chunk: Chunk::new(&kind, agents, Many::new(game, 1), 0, 1), kind })
    }

    /// Begins the first episode of a seed, or the next one of the seed it has.
    pub fn reset(&mut self, seed: Option<u64>) {
        self.whole(|env| env.chunk.reset_one::<false>(0, seed));
    }

    /// Takes a step. `seat_rewards` gets, in self-play, the reward of every seat; it may be empty.
    pub fn step(&mut self, action: i64, seat_rewards: &mut [f64]) -> Result<Step, EnvError> {
        let (given, players) = (seat_rewards.len(), self.kind.players);
        if given != 0 && given != players {
            return Err(EnvError::Length { what: "seat rewards", expected: players, given });
        }
        self.chunk.check(0, &[action])?;
        seat_rewards.fill(0.0);
        let told = self.whole(|env| env.chunk.step_one::<false>(0, action, seat_rewards));
        Ok(Step { reward: told.reward, terminated: told.terminated, truncated: told.truncated })
    }

    /// Writes the observation, as [`Env::observation_len`] floats or, if [`Options::dtype`] says so, bytes.
    pub fn observe<'a>(&mut self, out: impl Into<Cells<'a>>) -> Result<(), EnvError> {
        let out = out.into();
        let (given, expected) = (out.len(), self.kind.cells);
        let dtype = self.kind.options.dtype;
        if !out.are(dtype) {
            return Err(EnvError::Cells { what: "observation", dtype });
        }
        if given != expected {
            return Err(EnvError::Length { what: "observation", expected, given });
        }
        self.chunk.observe(0, out);
        Ok(())
    }

    /// Writes 1 for every legal action and 0 for the others, as [`Env::actions`] numbers; all 1 once the episode
    /// is over.
    pub fn write_mask(&self, out: &mut [i8]) -> Result<(), EnvError> {
        let (given, expected) = (out.len(), self.kind.actions);
        if given != expected {
            return Err(EnvError::Length { what: "mask", expected, given });
        }
        self.chunk.many.write_mask(0, out);
        if self.current_player().is_none() {
            out.fill(1);
        }
        Ok(())
    }

    /// The legal actions, ascending; none once the episode is over.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        self.chunk.many.legal_actions(0)
    }

    /// The seat that is to decide; none once the episode is over.
    pub fn current_player(&self) -> Option<u32> {
        self.chunk.many.current_player(0)
    }

    /// The game as a state, but for its history.
    pub fn state(&mut self) -> State {
        self.chunk.state(0)
    }

    /// The learner's seat; in self-play that of who took the last step.
    pub fn seat(&self) -> u32 {
        self.chunk.metas[0].seat
    }

    /// The seed and the number of the episode.
    pub fn episode(&self) -> (u64, u64) {
        (self.chunk.metas[0].seed, self.chunk.metas[0].index)
    }

    /// How the episode ended.
    pub fn ended(&self) -> Ended {
        self.chunk.metas[0].ended
    }

    /// The name of the end that decided the episode, if it is over by the rules: as in the outcome of its state. Of a
    /// match it is the end of the last game.
    pub fn end(&self) -> Option<&str> {
        let meta = &self.chunk.metas[0];
        (meta.phase == Phase::Over && meta.ended == Ended::Over)
            .then(|| self.kind.game.model().end_name(meta.end.into()))
    }

    /// Which error of the rules aborted the episode.
    pub fn error(&self) -> Option<&RuntimeError> {
        self.chunk.errors.get(&0)
    }

    /// A legal action, all with the same chance, from a stream of its own that follows from the seed; 0
    /// once the episode is over.
    pub fn sample_action(&mut self) -> i64 {
        let mut action = [0];
        self.chunk.sample(&mut action);
        action[0]
    }

    /// Makes what [`Env::sample_action`] draws follow from this seed.
    pub fn seed_samples(&mut self, seed: u64) {
        self.chunk.seed_samples(0, seed);
    }

    /// Shows the environment; what is empty is not written.
    pub fn show(&mut self, view: View<'_>) -> Result<(), EnvError> {
        let View { observations, masks, current_players } = view;
        if !observations.is_empty() {
            self.observe(observations)?;
        }
        if !masks.is_empty() {
            self.write_mask(masks)?;
        }
        if let Some(player) = current_players.first_mut() {
            *player = self.current_player().map_or(-1, |player| player as i32);
        }
        Ok(())
    }
}
