//! Many environments that are stepped together, over threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::Ended;
use super::chunk::{Chunk, Phase};
use super::kind::{Guests, Kind, tells_its_kind};
use super::options::{Autoreset, EnvError, Illegal, Options};
use super::pool::Pool;
use crate::engine::many::Many;
use crate::engine::observation::{Cells, cut};
use crate::engine::{Game, RuntimeError, State};

/// Most environments.
const MOST: usize = 1_000_000;
/// Environments of a chunk at the least, where there are several threads.
const LEAST: usize = 32;
/// Chunks for each thread: some episodes take longer than others.
const SHARES: usize = 4;

/// Where environments are shown: what is empty is not written.
#[derive(Debug, Default)]
pub struct View<'a> {
    /// N × L, in the cells of [`Options::dtype`].
    pub observations: Cells<'a>,
    /// N × A.
    pub masks: &'a mut [i8],
    /// N.
    pub current_players: &'a mut [i32],
}

/// Where a step is told. Of the view, the seat rewards and the final observations, what is empty is not
/// written.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// The environments after the step.
    pub view: View<'a>,
    /// N.
    pub rewards: &'a mut [f64],
    /// N.
    pub terminated: &'a mut [bool],
    /// N.
    pub truncated: &'a mut [bool],
    /// N × P: in self-play the rewards of every seat. With opponents all are 0.
    pub seat_rewards: &'a mut [f64],
    /// N × L: where an episode is over and another begins in the same step, its last observation. Other
    /// rows are left as they are.
    pub final_observations: Cells<'a>,
}

impl<'a> View<'a> {
    /// The part of the first `n` environments.
    fn cut(&mut self, n: usize, kind: &Kind) -> View<'a> {
        View {
            observations: self.observations.cut(n * kind.cells),
            masks: cut(&mut self.masks, n * kind.actions),
            current_players: cut(&mut self.current_players, n),
        }
    }

    fn check(&self, n: usize, kind: &Kind) -> Result<(), EnvError> {
        cells_fit("observations", &self.observations, n, kind)?;
        fits("masks", self.masks, n * kind.actions, true)?;
        fits("current players", self.current_players, n, true)
    }
}

impl<'a> Outputs<'a> {
    fn cut(&mut self, n: usize, kind: &Kind) -> Outputs<'a> {
        Outputs {
            view: self.view.cut(n, kind),
            rewards: cut(&mut self.rewards, n),
            terminated: cut(&mut self.terminated, n),
            truncated: cut(&mut self.truncated, n),
            seat_rewards: cut(&mut self.seat_rewards, n * kind.players),
            final_observations: self.final_observations.cut(n * kind.cells),
        }
    }

    fn check(&self, n: usize, kind: &Kind) -> Result<(), EnvError> {
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

/// Are these the cells of the observations of so many environments, or none?
fn cells_fit(what: &'static str, cells: &Cells<'_>, n: usize, kind: &Kind) -> Result<(), EnvError> {
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

/// Many environments of one game, stepped together. Environment *i* has seed *i* until it is given another.
pub struct VectorEnv {
    kind: Arc<Kind>,
    pub(super) chunks: Vec<Chunk>,
    /// Environments of every chunk but the last.
    each: usize,
    count: usize,
    pool: Pool,
}

tells_its_kind!(VectorEnv);

impl VectorEnv {
    /// `envs` environments, stepped by `threads` threads, the caller's among them. Nothing has begun:
    /// [`VectorEnv::reset`] comes first.
    pub fn new(game: &Game, options: &Options, envs: usize, threads: usize) -> Result<VectorEnv, EnvError> {
        VectorEnv::with_guests(game, options, envs, threads, vec![])
    }

    /// The same, with agents that have no name: none, or for each seat.
    pub fn with_guests(
        game: &Game,
        options: &Options,
        envs: usize,
        threads: usize,
        guests: Guests,
    ) -> Result<VectorEnv, EnvError> {
        if envs == 0 || envs > MOST {
            return Err(EnvError::Count(envs));
        }
        let (kind, agents) = Kind::new(game, options, guests)?;
        let kind = Arc::new(kind);
        let threads = threads.max(1);
        let each = match threads {
            1 => envs,
            _ => envs.div_ceil(threads * SHARES).max(LEAST).min(envs),
        };
        let all = Many::new(game, 0);
        let chunks = (0..envs).step_by(each).map(|first| {
            let count = each.min(envs - first);
            let agents = agents.iter().map(|agent| agent.copy()).collect();
            Chunk::new(&kind, agents, all.more(count), first as u64, count)
        });
        let chunks: Vec<Chunk> = chunks.collect();
        Ok(VectorEnv { kind, chunks, each, count: envs, pool: Pool::new(threads) })
    }

    /// How many environments: N.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many threads step them.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Bytes that one environment takes, but for the positions that `repeated` looks at and the games of a
    /// match.
    pub fn bytes_per_env(&self) -> usize {
        self.chunks.first().map_or(0, Chunk::bytes_each)
    }

    fn at(&self, env: usize) -> (&Chunk, usize) {
        (&self.chunks[env / self.each], env % self.each)
    }

    /// Is the episode of an environment over, and has a step told so?
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn is_over(&self, env: usize) -> bool {
        let (chunk, e) = self.at(env);
        chunk.metas[e].phase == Phase::Over
    }

    /// How the episode of an environment ended: that of the last step, also where another has begun in the
    /// same step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn ended(&self, env: usize) -> Ended {
        let (chunk, e) = self.at(env);
        chunk.ended(e)
    }

    /// Which end decided the episode of an environment, where [`VectorEnv::ended`] says that it is over by the rules: an
    /// index of the model's [`end_names`](crate::lang::model::Model::end_names). Of a match it is the end of the last
    /// game.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn end(&self, env: usize) -> Option<u32> {
        let (chunk, e) = self.at(env);
        (chunk.ended(e) == Ended::Over).then(|| chunk.metas[e].end.into())
    }

    /// Which error of the rules aborted the episode that is over in an environment.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn error(&self, env: usize) -> Option<&RuntimeError> {
        let (chunk, e) = self.at(env);
        chunk.error(e)
    }

    /// The learner's seat; in self-play that of who took the last step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn seat(&self, env: usize) -> u32 {
        let (chunk, e) = self.at(env);
        chunk.metas[e].seat
    }

    /// The game of an environment as a state, but for its history.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn state(&mut self, env: usize) -> State {
        let (chunk, e) = (env / self.each, env % self.each);
        self.chunks[chunk].state(e)
    }

    /// The seed and the number of the episode in an environment.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn episode(&self, env: usize) -> (u64, u64) {
        let (chunk, e) = self.at(env);
        (chunk.metas[e].seed, chunk.metas[e].index)
    }

    /// Begins new episodes: with the seeds that are given, one for each environment, and where there is
    /// none (or the list is empty) the next one of the seed it has. With a mask only those that it names.
    /// All environments are shown.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        mask: Option<&[bool]>,
        view: View<'_>,
    ) -> Result<(), EnvError> {
        fits("seeds", seeds, self.count, true)?;
        if let Some(mask) = mask {
            fits("reset mask", mask, self.count, false)?;
        }
        view.check(self.count, &self.kind)?;
        self.whole(|envs| envs.reset_all(seeds, mask, view));
        Ok(())
    }

    fn reset_all(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: View<'_>) {
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

    /// Takes a step in every environment. If it returns an error, nothing has changed.
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

    /// Draws a legal action for every environment, all with the same chance, from a stream of its own that
    /// follows from its seed; 0 where the episode is over.
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

    /// Makes what [`VectorEnv::sample_actions`] draws follow from this seed.
    pub fn seed_samples(&mut self, seed: u64) {
        for (first, chunk) in (0..).step_by(self.each).zip(&mut self.chunks) {
            chunk.seed_samples(first as u64, seed);
        }
    }
}
