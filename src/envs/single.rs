//! A single environment.

use std::sync::Arc;

use super::EpisodeEnd;
use super::chunk::{Chunk, EnvPhase};
use super::config::{EnvConfig, Guests, tells_its_kind};
use super::options::{Autoreset, EnvError, EnvOptions};
use super::vector::EnvBuffers;
use crate::game::{ActionId, Game, RuntimeError, Seat, State};
use crate::many::Many;
use crate::observe::Cells;

/// The result of a step of one environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvStep {
    /// The learner's reward; in self-play that of the seat that took the step.
    pub reward: f64,
    /// Whether the episode ended by the rules or by an illegal action.
    pub terminated: bool,
    /// Whether the episode was cut short.
    pub truncated: bool,
}

/// One environment. It never resets itself, whatever [`EnvOptions::autoreset`] says. [`Env::reset`] begins the first
/// episode.
pub struct Env {
    pub(super) kind: Arc<EnvConfig>,
    pub(super) chunk: Chunk,
}

tells_its_kind!(Env);

impl Env {
    /// Makes an environment with seed 0.
    pub fn new(game: &Game, options: &EnvOptions) -> Result<Env, EnvError> {
        Env::with_guests(game, options, vec![])
    }

    /// Like [`Env::new`], with unnamed agents: an empty list, or an entry for each seat.
    pub fn with_guests(game: &Game, options: &EnvOptions, guests: Guests) -> Result<Env, EnvError> {
        let options = EnvOptions { autoreset: Autoreset::Disabled, ..options.clone() };
        let (kind, agents) = EnvConfig::new(game, &options, guests)?;
        let kind = Arc::new(kind);
        Ok(Env { chunk: Chunk::new(&kind, agents, Many::new(&kind.game, 1), 0, 1), kind })
    }

    /// Returns another environment with the same options and agents, which begins with a seed.
    pub(super) fn another(&self, seed: u64) -> Env {
        let mut chunk = self.chunk.fresh();
        chunk.begin_with(seed);
        Env { kind: Arc::clone(&self.kind), chunk }
    }

    /// Replaces unnamed agents: an empty list, or an entry for each seat of each line-up.
    pub(super) fn seat_guests(&mut self, guests: Guests) {
        for (agent, guest) in self.chunk.agents.iter_mut().zip(guests) {
            if let Some(guest) = guest {
                *agent = guest;
            }
        }
    }

    /// Sets the positions, as text, in which later episodes start: see
    /// [`VectorEnv::set_starts`](super::VectorEnv::set_starts).
    pub fn set_starts(&mut self, starts: &[impl AsRef<str>]) -> Result<(), EnvError> {
        self.chunk.starts = self.kind.starts(starts)?;
        Ok(())
    }

    /// Sets the position, as text, in which the next episode starts. On an error nothing changes.
    pub fn start_next_in(&mut self, start: &str) -> Result<(), EnvError> {
        self.chunk.next_starts = self.kind.next_starts(&[Some(start)])?.into_iter().collect();
        Ok(())
    }

    /// Begins the first episode of `seed`, or without a seed the next episode of the current one.
    pub fn reset(&mut self, seed: Option<u64>) {
        self.whole(|env| env.chunk.reset_one::<false>(0, seed));
    }

    /// Takes a step. In self-play `seat_rewards`, unless empty, receives the reward of every seat.
    pub fn step(&mut self, action: i64, seat_rewards: &mut [f64]) -> Result<EnvStep, EnvError> {
        let (given, players) = (seat_rewards.len(), self.kind.players);
        if given != 0 && given != players {
            return Err(EnvError::Length { what: "seat rewards", expected: players, given });
        }
        self.chunk.check(0, &[action])?;
        seat_rewards.fill(0.0);
        let told = self.whole(|env| {
            let phase = env.chunk.metas[0].phase;
            let told = env.chunk.step_one::<false>(0, action, seat_rewards);
            match env.kind.measured {
                None => told,
                Some(measured) => env.chunk.measured_step(0, measured, phase, told, seat_rewards),
            }
        });
        Ok(EnvStep { reward: told.reward, terminated: told.terminated, truncated: told.truncated })
    }

    /// Writes the observation: [`Env::observation_len`] floats or, depending on [`EnvOptions::dtype`], bytes.
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

    /// Writes the action mask, [`Env::actions`] numbers: 1 for every legal action, 0 for the others, all 1 after
    /// the end of the episode.
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

    /// The legal actions, ascending; empty after the end of the episode.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        self.chunk.many.legal_actions(0)
    }

    /// The seat that must decide, or `None` after the end of the episode.
    pub fn current_player(&self) -> Option<Seat> {
        self.chunk.many.current_player(0).map(Seat)
    }

    /// Returns the game as a state, without its history.
    pub fn state(&mut self) -> State {
        self.chunk.state(0)
    }

    /// The learner's seat; in self-play the seat that took the last step.
    pub fn seat(&self) -> Seat {
        Seat(self.chunk.metas[0].seat)
    }

    /// The seed and the index of the episode.
    pub fn episode(&self) -> (u64, u64) {
        (self.chunk.metas[0].seed, self.chunk.metas[0].index)
    }

    /// How the episode ended.
    pub fn ended(&self) -> EpisodeEnd {
        self.chunk.metas[0].ended
    }

    /// The name of the end that decided the episode, if it ended by the rules, as in the outcome of its state. For
    /// a match it is the end of the last game.
    pub fn end(&self) -> Option<&str> {
        let meta = &self.chunk.metas[0];
        (meta.phase == EnvPhase::Over && meta.ended == EpisodeEnd::Over)
            .then(|| self.kind.game.model().end_name(meta.end.into()))
    }

    /// The error that aborted the episode, if any.
    pub fn error(&self) -> Option<&RuntimeError> {
        self.chunk.errors.get(&0)
    }

    /// Draws a legal action, uniformly at random, from a separate stream derived from the seed. Returns 0 after
    /// the end of the episode.
    pub fn sample_action(&mut self) -> i64 {
        let mut action = [0];
        self.chunk.sample(&mut action);
        action[0]
    }

    /// Seeds the stream of [`Env::sample_action`].
    pub fn seed_samples(&mut self, seed: u64) {
        self.chunk.seed_samples(0, seed);
    }

    /// Writes the environment to the slices of `view` that aren't empty.
    pub fn show(&mut self, view: EnvBuffers<'_>) -> Result<(), EnvError> {
        let EnvBuffers { observations, masks, current_players } = view;
        if !observations.is_empty() {
            self.observe(observations)?;
        }
        if !masks.is_empty() {
            self.write_mask(masks)?;
        }
        if let Some(player) = current_players.first_mut() {
            *player = self.current_player().map_or(-1, |player| player.0 as i32);
        }
        Ok(())
    }
}
