//! A single environment.

use std::sync::Arc;

use super::EpisodeEnd;
use super::chunk::EnvPhase;
use super::config::{EnvConfig, Guests, tells_its_kind};
use super::families::GroupKinds;
use super::group::EnvGroup;
use super::options::{Autoreset, EnvError, EnvOptions};
use super::rule_sets::EnvRules;
use super::starts::{set_starts, start_next_in};
use super::vector::EnvBuffers;
use houserule_game::observe::Cells;
use houserule_game::{ActionId, RuntimeError, Seat, State};

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
    pub(super) group: EnvGroup,
    /// The names of the ends.
    ends: Vec<String>,
}

tells_its_kind!(Env);

impl Env {
    /// Makes an environment with seed 0.
    pub fn new<'r>(rules: impl Into<EnvRules<'r>>, options: &EnvOptions) -> Result<Env, EnvError> {
        Env::with_guests(rules, options, vec![])
    }

    /// Like [`Env::new`], with unnamed agents: an empty list, or an entry for each seat. Of several rule sets, each
    /// has a copy of them.
    pub fn with_guests<'r>(
        rules: impl Into<EnvRules<'r>>,
        options: &EnvOptions,
        guests: Guests,
    ) -> Result<Env, EnvError> {
        let options = EnvOptions { autoreset: Autoreset::Disabled, ..options.clone() };
        let (kind, kinds) = GroupKinds::new(rules.into(), &options, 1, guests)?;
        let group = kinds.group(&kind, 0, 1);
        Ok(Env { ends: group.end_names(), group, kind })
    }

    /// Returns another environment with the same options and agents, which begins with a seed.
    pub(super) fn another(&self, seed: u64) -> Env {
        let mut group = self.group.fresh();
        group.begin_with(seed);
        Env { kind: Arc::clone(&self.kind), ends: self.ends.clone(), group }
    }

    /// Replaces unnamed agents: an empty list, or an entry for each seat of each line-up. Environments of several rule
    /// sets keep theirs.
    pub(super) fn seat_guests(&mut self, guests: Guests) {
        let Some(chunk) = self.group.single_game() else { return };
        for (agent, guest) in chunk.agents.iter_mut().zip(guests) {
            if let Some(guest) = guest {
                *agent = guest;
            }
        }
    }

    /// Sets the positions, as text, in which later episodes start: see
    /// [`VectorEnv::set_starts`](super::VectorEnv::set_starts).
    pub fn set_starts(&mut self, starts: &[impl AsRef<str>]) -> Result<(), EnvError> {
        set_starts(std::slice::from_mut(&mut self.group), starts)
    }

    /// Sets the position, as text, in which the next episode starts. On an error nothing changes.
    pub fn start_next_in(&mut self, start: &str) -> Result<(), EnvError> {
        start_next_in(std::slice::from_mut(&mut self.group), 1, &[Some(start)])
    }

    /// The rule set that is played: an index of [`RuleOptions::games`](super::RuleOptions::games), 0 if there is one
    /// game.
    pub fn rules(&self) -> usize {
        self.group.rules_of(0)
    }

    /// Begins the first episode of `seed`, or without a seed the next episode of the current one.
    ///
    /// # Panics
    /// If a function chooses the rule sets and fails. [`Env::try_reset`] returns the error.
    pub fn reset(&mut self, seed: Option<u64>) {
        self.try_reset(seed).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Like [`Env::reset`]. Fails if a function chooses the rule sets and fails; then nothing changes.
    pub fn try_reset(&mut self, seed: Option<u64>) -> Result<(), EnvError> {
        self.group.choose_for_reset(&[seed], None)?;
        self.whole(|env| env.group.reset_env(0, seed));
        Ok(())
    }

    /// Takes a step. In self-play `seat_rewards`, unless empty, receives the reward of every seat.
    pub fn step(&mut self, action: i64, seat_rewards: &mut [f64]) -> Result<EnvStep, EnvError> {
        let (given, players) = (seat_rewards.len(), self.kind.players);
        if given != 0 && given != players {
            return Err(EnvError::Length { what: "seat rewards", expected: players, given });
        }
        self.group.check(0, &[action])?;
        seat_rewards.fill(0.0);
        let step = self.whole(|env| env.group.step_env(0, action, seat_rewards));
        Ok(EnvStep { reward: step.reward, terminated: step.terminated, truncated: step.truncated })
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
        self.group.observe(0, out);
        Ok(())
    }

    /// Writes the action mask, [`Env::actions`] numbers: 1 for every legal action, 0 for the others, all 1 after
    /// the end of the episode.
    pub fn write_mask(&mut self, out: &mut [i8]) -> Result<(), EnvError> {
        let (given, expected) = (out.len(), self.kind.actions);
        if given != expected {
            return Err(EnvError::Length { what: "mask", expected, given });
        }
        self.group.write_mask(0, out);
        Ok(())
    }

    /// The legal actions, ascending; empty after the end of the episode.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        self.group.legal_actions(0)
    }

    /// The seat that must decide, or `None` after the end of the episode.
    pub fn current_player(&self) -> Option<Seat> {
        self.group.current_player(0).map(Seat)
    }

    /// Returns the game as a state, without its history.
    pub fn state(&mut self) -> State {
        self.group.state(0)
    }

    /// The learner's seat; in self-play the seat that took the last step.
    pub fn seat(&self) -> Seat {
        Seat(self.group.seat(0))
    }

    /// The seed and the index of the episode.
    pub fn episode(&self) -> (u64, u64) {
        self.group.episode(0)
    }

    /// How the episode ended.
    pub fn ended(&self) -> EpisodeEnd {
        self.group.ended(0)
    }

    /// The name of the end that decided the episode, if it ended by the rules, as in the outcome of its state. For
    /// a match it is the end of the last game.
    pub fn end(&self) -> Option<&str> {
        let over = self.group.phase(0) == EnvPhase::Over && self.group.ended(0) == EpisodeEnd::Over;
        over.then(|| self.ends[usize::from(self.group.end(0))].as_str())
    }

    /// The error that aborted the episode, if any.
    pub fn error(&self) -> Option<&RuntimeError> {
        self.group.error(0)
    }

    /// Draws a legal action, uniformly at random, from a separate stream derived from the seed. Returns 0 after
    /// the end of the episode.
    pub fn sample_action(&mut self) -> i64 {
        let mut action = [0];
        self.group.sample(&mut action);
        action[0]
    }

    /// Seeds the stream of [`Env::sample_action`].
    pub fn seed_samples(&mut self, seed: u64) {
        self.group.seed_samples(0, seed);
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
