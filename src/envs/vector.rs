//! Vector environments: many environments stepped together, over threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::EpisodeEnd;
use super::chunk::{Chunk, EnvPhase};
use super::config::{EnvConfig, Guests, tells_its_kind};
use super::options::{Autoreset, EnvError, EnvOptions, Illegal};
use crate::game::{Game, RuntimeError, Seat, State};
use crate::many::Many;
use crate::observe::{Cells, cut};
use crate::pool::Pool;

/// Maximum number of environments.
const MOST: usize = 1_000_000;
/// Minimum number of environments of a chunk if there are several threads.
const LEAST: usize = 32;
/// Chunks per thread. Several balance the load, because some episodes take longer than others.
const SHARES: usize = 4;

/// Output buffers for the environments as they are now. Empty slices are not written.
#[derive(Debug, Default)]
pub struct EnvBuffers<'a> {
    /// N × L, in the cells of [`EnvOptions::dtype`].
    pub observations: Cells<'a>,
    /// N × A.
    pub masks: &'a mut [i8],
    /// N.
    pub current_players: &'a mut [i32],
}

/// Output buffers for a step. The slices of the view, the seat rewards and the final observations may be empty,
/// and are then not written.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// The environments after the step.
    pub view: EnvBuffers<'a>,
    /// N.
    pub rewards: &'a mut [f64],
    /// N.
    pub terminated: &'a mut [bool],
    /// N.
    pub truncated: &'a mut [bool],
    /// N × P: the rewards of every seat in self-play. With opponents all are 0.
    pub seat_rewards: &'a mut [f64],
    /// N × L: the last observation of an episode if the next one began in the same step. Other rows are left as
    /// they are.
    pub final_observations: Cells<'a>,
}

impl<'a> EnvBuffers<'a> {
    /// Takes the part of the first `n` environments off the front.
    fn cut(&mut self, n: usize, kind: &EnvConfig) -> EnvBuffers<'a> {
        EnvBuffers {
            observations: self.observations.cut(n * kind.cells),
            masks: cut(&mut self.masks, n * kind.actions),
            current_players: cut(&mut self.current_players, n),
        }
    }

    fn check(&self, n: usize, kind: &EnvConfig) -> Result<(), EnvError> {
        cells_fit("observations", &self.observations, n, kind)?;
        fits("masks", self.masks, n * kind.actions, true)?;
        fits("current players", self.current_players, n, true)
    }
}

impl<'a> Outputs<'a> {
    fn cut(&mut self, n: usize, kind: &EnvConfig) -> Outputs<'a> {
        Outputs {
            view: self.view.cut(n, kind),
            rewards: cut(&mut self.rewards, n),
            terminated: cut(&mut self.terminated, n),
            truncated: cut(&mut self.truncated, n),
            seat_rewards: cut(&mut self.seat_rewards, n * kind.players),
            final_observations: self.final_observations.cut(n * kind.cells),
        }
    }

    fn check(&self, n: usize, kind: &EnvConfig) -> Result<(), EnvError> {
        self.view.check(n, kind)?;
        fits("rewards", self.rewards, n, false)?;
        fits("terminated", self.terminated, n, false)?;
        fits("truncated", self.truncated, n, false)?;
        fits("seat rewards", self.seat_rewards, n * kind.players, true)?;
        cells_fit("final observations", &self.final_observations, n, kind)
    }
}

fn fits<T>(what: &'static str, slice: &[T], expected: usize, optional: bool) -> Result<(), EnvError> {
    has_length(what, slice.len(), expected, optional)
}

/// Returns an error unless `cells` is empty or holds the observations of `n` environments.
fn cells_fit(what: &'static str, cells: &Cells<'_>, n: usize, kind: &EnvConfig) -> Result<(), EnvError> {
    let dtype = kind.options.dtype;
    if !cells.are(dtype) {
        return Err(EnvError::Cells { what, dtype });
    }
    has_length(what, cells.len(), n * kind.cells, true)
}

fn has_length(what: &'static str, given: usize, expected: usize, optional: bool) -> Result<(), EnvError> {
    if given == expected || optional && given == 0 {
        return Ok(());
    }
    Err(EnvError::Length { what, expected, given })
}

/// Many environments of one game, stepped together. Environment *i* has seed *i* until it is reset with another.
pub struct VectorEnv {
    pub(super) kind: Arc<EnvConfig>,
    pub(super) chunks: Vec<Chunk>,
    /// Environments of every chunk but the last.
    each: usize,
    count: usize,
    pool: Pool,
}

tells_its_kind!(VectorEnv);

impl VectorEnv {
    /// Makes `envs` environments, stepped by `threads` threads including the caller's. [`VectorEnv::reset`] must
    /// come first.
    pub fn new(
        game: &Game,
        options: &EnvOptions,
        envs: usize,
        threads: usize,
    ) -> Result<VectorEnv, EnvError> {
        VectorEnv::with_guests(game, options, envs, threads, vec![])
    }

    /// Like [`VectorEnv::new`], with unnamed agents: an empty list, or an entry for each seat.
    pub fn with_guests(
        game: &Game,
        options: &EnvOptions,
        envs: usize,
        threads: usize,
        guests: Guests,
    ) -> Result<VectorEnv, EnvError> {
        if envs == 0 || envs > MOST {
            return Err(EnvError::Count(envs));
        }
        let (kind, agents) = EnvConfig::new(game, options, guests)?;
        let kind = Arc::new(kind);
        let threads = threads.max(1);
        let each = match threads {
            1 => envs,
            _ => envs.div_ceil(threads * SHARES).max(LEAST).min(envs),
        };
        let all = Many::new(&kind.game, 0);
        let chunks = (0..envs).step_by(each).map(|first| {
            let count = each.min(envs - first);
            let agents = agents.iter().map(|agent| agent.copy()).collect();
            Chunk::new(&kind, agents, all.more(count), first as u64, count)
        });
        let chunks: Vec<Chunk> = chunks.collect();
        Ok(VectorEnv { kind, chunks, each, count: envs, pool: Pool::new(threads) })
    }

    /// The number of environments: N.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Memory of one environment, in bytes, without past positions for `repeated` and without the games of a
    /// match.
    pub fn bytes_per_env(&self) -> usize {
        self.chunks.first().map_or(0, Chunk::bytes_each)
    }

    pub(super) fn at(&self, env: usize) -> (&Chunk, usize) {
        (&self.chunks[env / self.each], env % self.each)
    }

    /// Returns `true` if the episode of an environment is over and a step has reported it.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn is_over(&self, env: usize) -> bool {
        let (chunk, e) = self.at(env);
        chunk.metas[e].phase == EnvPhase::Over
    }

    /// How the episode ended that the last step of an environment reported, even if the next one began in the same
    /// step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn ended(&self, env: usize) -> EpisodeEnd {
        let (chunk, e) = self.at(env);
        chunk.ended(e)
    }

    /// The end that decided the episode, if [`VectorEnv::ended`] is [`EpisodeEnd::Over`]: an index of the model's
    /// [`end_names`](crate::model::Model::end_names). For a match it is the end of the last game.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn end(&self, env: usize) -> Option<u32> {
        let (chunk, e) = self.at(env);
        (chunk.ended(e) == EpisodeEnd::Over).then(|| chunk.metas[e].end.into())
    }

    /// The error that aborted the episode that the last step of an environment reported, if any.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn error(&self, env: usize) -> Option<&RuntimeError> {
        let (chunk, e) = self.at(env);
        chunk.error(e)
    }

    /// The learner's seat; in self-play the seat that took the last step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn seat(&self, env: usize) -> Seat {
        let (chunk, e) = self.at(env);
        Seat(chunk.metas[e].seat)
    }

    /// Returns the game of an environment as a state, without its history.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn state(&mut self, env: usize) -> State {
        let (chunk, e) = (env / self.each, env % self.each);
        self.chunks[chunk].state(e)
    }

    /// The seed and the index of the episode in an environment.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn episode(&self, env: usize) -> (u64, u64) {
        let (chunk, e) = self.at(env);
        (chunk.metas[e].seed, chunk.metas[e].index)
    }

    /// Sets the positions, as text, in which later episodes start: each in one of them, drawn uniformly at random from
    /// its seed. Without any, episodes start as the game does. On an error nothing changes.
    pub fn set_starts(&mut self, starts: &[impl AsRef<str>]) -> Result<(), EnvError> {
        let starts = self.kind.starts(starts)?;
        self.chunks.iter_mut().for_each(|chunk| chunk.starts.clone_from(&starts));
        Ok(())
    }

    /// Sets the positions, as text, in which the next episode of each environment starts, whatever
    /// [`VectorEnv::set_starts`] says; `None` changes nothing. On an error nothing changes.
    pub fn start_next_in(&mut self, starts: &[Option<impl AsRef<str>>]) -> Result<(), EnvError> {
        fits("starts", starts, self.count, false)?;
        let starts = self.kind.next_starts(starts)?;
        for chunk in &mut self.chunks {
            chunk.next_starts.clear();
        }
        for (env, start) in starts {
            self.chunks[env / self.each].next_starts.insert(env % self.each, start);
        }
        Ok(())
    }

    /// Begins new episodes in all environments, or in those in `mask`. An environment with a seed in `seeds`,
    /// which may be empty, begins the first episode of that seed; others begin the next episode of their current
    /// seed. Shows all environments.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        mask: Option<&[bool]>,
        view: EnvBuffers<'_>,
    ) -> Result<(), EnvError> {
        fits("seeds", seeds, self.count, true)?;
        if let Some(mask) = mask {
            fits("reset mask", mask, self.count, false)?;
        }
        view.check(self.count, &self.kind)?;
        self.whole(|envs| envs.reset_all(seeds, mask, view));
        Ok(())
    }

    fn reset_all(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: EnvBuffers<'_>) {
        let (kind, mut view) = (Arc::clone(&self.kind), view);
        let mut parts: Vec<_> = vec![];
        for (first, chunk) in (0..).step_by(self.each).zip(&mut self.chunks) {
            let all = first..first + chunk.count();
            let seeds = seeds.get(all.clone()).unwrap_or_default();
            let mask = mask.map(|mask| &mask[all.clone()]);
            let view = view.cut(chunk.count(), &kind);
            parts.push(Mutex::new((chunk, seeds, mask, view)));
        }
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (chunk, seeds, mask, view) = &mut *part;
            chunk.reset(seeds, *mask, view);
        });
    }

    /// Takes a step in every environment. On an error nothing changes.
    pub fn step(&mut self, actions: &[i64], out: Outputs<'_>) -> Result<(), EnvError> {
        fits("actions", actions, self.count, false)?;
        out.check(self.count, &self.kind)?;
        let options = &self.kind.options;
        if options.illegal == Illegal::Raise || options.autoreset == Autoreset::Disabled {
            for (first, chunk) in (0..).step_by(self.each).zip(&self.chunks) {
                chunk.check(first, &actions[first..first + chunk.count()])?;
            }
        }
        self.whole(|envs| envs.step_all(actions, out));
        Ok(())
    }

    fn step_all(&mut self, actions: &[i64], mut out: Outputs<'_>) {
        if let [chunk] = self.chunks.as_mut_slice() {
            return chunk.step(actions, &mut out);
        }
        let kind = Arc::clone(&self.kind);
        let mut parts: Vec<_> = vec![];
        for (first, chunk) in (0..).step_by(self.each).zip(&mut self.chunks) {
            let count = chunk.count();
            parts.push(Mutex::new((chunk, &actions[first..first + count], out.cut(count, &kind))));
        }
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (chunk, actions, out) = &mut *part;
            chunk.step(actions, out);
        });
    }

    /// Draws a legal action for every environment, uniformly at random, from a separate stream derived from its
    /// seed. The action is 0 after the end of an episode.
    pub fn sample_actions(&mut self, actions: &mut [i64]) -> Result<(), EnvError> {
        fits("actions", actions, self.count, false)?;
        if let [chunk] = self.chunks.as_mut_slice() {
            chunk.sample(actions);
            return Ok(());
        }
        let parts: Vec<_> =
            self.chunks.iter_mut().zip(actions.chunks_mut(self.each)).map(Mutex::new).collect();
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (chunk, actions) = &mut *part;
            chunk.sample(actions);
        });
        Ok(())
    }

    /// Seeds the streams of [`VectorEnv::sample_actions`].
    pub fn seed_samples(&mut self, seed: u64) {
        for (first, chunk) in (0..).step_by(self.each).zip(&mut self.chunks) {
            chunk.seed_samples(first as u64, seed);
        }
    }
}
