//! Vector environments: many environments stepped together, over threads.

use std::sync::{Arc, Mutex, PoisonError};

use super::EpisodeEnd;
use super::chunk::EnvPhase;
use super::config::{EnvConfig, Guests, tells_its_kind};
use super::families::GroupKinds;
use super::group::EnvGroup;
use super::options::{Autoreset, EnvError, EnvOptions, Illegal};
use super::rule_sets::{EnvRules, RuleChoice, RuleDraws};
use super::starts::{set_starts, start_next_in};
use houserule_base::pool::Pool;
use houserule_game::observe::{Cells, cut};
use houserule_game::{RuntimeError, Seat, State};

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

/// Many environments of one game or of several rule sets, stepped together. Environment *i* has seed *i* until it is reset with another.
pub struct VectorEnv {
    pub(super) kind: Arc<EnvConfig>,
    pub(super) groups: Vec<EnvGroup>,
    /// Environments of every group but the last.
    each: usize,
    count: usize,
    pool: Pool,
}

tells_its_kind!(VectorEnv);

impl VectorEnv {
    /// Makes `envs` environments, stepped by `threads` threads including the caller's. [`VectorEnv::reset`] must
    /// come first.
    pub fn new<'r>(
        rules: impl Into<EnvRules<'r>>,
        options: &EnvOptions,
        envs: usize,
        threads: usize,
    ) -> Result<VectorEnv, EnvError> {
        VectorEnv::with_guests(rules, options, envs, threads, vec![])
    }

    /// Like [`VectorEnv::new`], with unnamed agents: an empty list, or an entry for each seat. Of several rule sets,
    /// each has a copy of them.
    pub fn with_guests<'r>(
        rules: impl Into<EnvRules<'r>>,
        options: &EnvOptions,
        envs: usize,
        threads: usize,
        guests: Guests,
    ) -> Result<VectorEnv, EnvError> {
        is_allowed(envs)?;
        let (kind, kinds) = GroupKinds::new(rules.into(), options, envs, guests)?;
        let threads = threads.max(1);
        let each = match kinds {
            GroupKinds::One(..) if threads > 1 => envs.div_ceil(threads * SHARES).max(LEAST).min(envs),
            // The more environments of a rule set are together, the fuller are their batches.
            GroupKinds::One(..) | GroupKinds::Mixed(..) => envs.div_ceil(threads),
        };
        let group = |first| kinds.group(&kind, first, each.min(envs - first));
        let groups = (0..envs).step_by(each).map(group).collect();
        Ok(VectorEnv { kind, groups, each, count: envs, pool: Pool::new(threads) })
    }

    /// The rule set that an environment plays: an index of [`RuleOptions::games`](super::RuleOptions::games), 0 if there
    /// is one game. After the end of an episode it is that of the episode, until the next one begins.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn rules(&self, env: usize) -> usize {
        let (group, e) = self.at(env);
        group.rules_of(e)
    }

    /// Replaces the weights with which rule sets are drawn, from each environment's next episode on.
    pub fn set_rule_weights(&mut self, weights: &[f64]) -> Result<(), EnvError> {
        let sets = match self.groups.first() {
            Some(EnvGroup::Mixed(mixed)) if matches!(mixed.rules.draws, RuleDraws::Weights(_)) => {
                mixed.sets()
            }
            _ => {
                return Err(EnvError::RuleSets(
                    "the rules of these environments aren't drawn with weights: make them with rule sets, and \
                     rule_choice \"uniform\" or \"weighted\""
                        .to_owned(),
                ));
            }
        };
        let draws = RuleDraws::new(&RuleChoice::Weights(weights.to_vec()), sets, self.count)?;
        self.groups.iter_mut().for_each(|group| group.set_draws(&draws));
        Ok(())
    }

    /// The names of the ends that can decide an episode, which [`VectorEnv::end`] counts.
    pub fn end_names(&self) -> Vec<String> {
        self.groups.first().map(EnvGroup::end_names).unwrap_or_default()
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
        self.groups.first().map_or(0, EnvGroup::bytes_each)
    }

    pub(super) fn at(&self, env: usize) -> (&EnvGroup, usize) {
        (&self.groups[env / self.each], env % self.each)
    }

    /// Returns `true` if the episode of an environment is over and a step has reported it.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn is_over(&self, env: usize) -> bool {
        let (group, e) = self.at(env);
        group.phase(e) == EnvPhase::Over
    }

    /// How the episode ended that the last step of an environment reported, even if the next one began in the same
    /// step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn ended(&self, env: usize) -> EpisodeEnd {
        let (group, e) = self.at(env);
        group.ended(e)
    }

    /// The end that decided the episode, if [`VectorEnv::ended`] is [`EpisodeEnd::Over`]: an index of
    /// [`VectorEnv::end_names`]. For a match it is the end of the last game.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn end(&self, env: usize) -> Option<u32> {
        let (group, e) = self.at(env);
        (group.ended(e) == EpisodeEnd::Over).then(|| group.end(e).into())
    }

    /// The error that aborted the episode that the last step of an environment reported, if any.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn error(&self, env: usize) -> Option<&RuntimeError> {
        let (group, e) = self.at(env);
        group.error(e)
    }

    /// The learner's seat; in self-play the seat that took the last step.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn seat(&self, env: usize) -> Seat {
        let (group, e) = self.at(env);
        Seat(group.seat(e))
    }

    /// Returns the game of an environment as a state, without its history.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn state(&mut self, env: usize) -> State {
        let (group, e) = (env / self.each, env % self.each);
        self.groups[group].state(e)
    }

    /// The seed and the index of the episode in an environment.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn episode(&self, env: usize) -> (u64, u64) {
        let (group, e) = self.at(env);
        group.episode(e)
    }

    /// Sets the positions, as text, in which later episodes start: each in one of them, drawn uniformly at random from
    /// its seed. Without any, episodes start as the game does. On an error nothing changes.
    pub fn set_starts(&mut self, starts: &[impl AsRef<str>]) -> Result<(), EnvError> {
        set_starts(&mut self.groups, starts)
    }

    /// Sets the positions, as text, in which the next episode of each environment starts, whatever
    /// [`VectorEnv::set_starts`] says; `None` changes nothing. On an error nothing changes.
    pub fn start_next_in(&mut self, starts: &[Option<impl AsRef<str>>]) -> Result<(), EnvError> {
        fits("starts", starts, self.count, false)?;
        start_next_in(&mut self.groups, self.each, starts)
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
        if self.kind.shared.is_some() {
            for (first, group) in (0..).step_by(self.each).zip(&mut self.groups) {
                let all = first..first + group.count();
                let seeds = seeds.get(all.clone()).unwrap_or_default();
                group.choose_for_reset(seeds, mask.map(|mask| &mask[all]))?;
            }
        }
        self.whole(|envs| envs.reset_groups(seeds, mask, view));
        Ok(())
    }

    fn reset_groups(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: EnvBuffers<'_>) {
        let (kind, mut view) = (Arc::clone(&self.kind), view);
        let mut parts: Vec<_> = vec![];
        for (first, group) in (0..).step_by(self.each).zip(&mut self.groups) {
            let all = first..first + group.count();
            let seeds = seeds.get(all.clone()).unwrap_or_default();
            let mask = mask.map(|mask| &mask[all.clone()]);
            let view = view.cut(group.count(), &kind);
            parts.push(Mutex::new((group, seeds, mask, view)));
        }
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (group, seeds, mask, view) = &mut *part;
            group.reset(seeds, *mask, view);
        });
    }

    /// Takes a step in every environment. On an error nothing changes.
    pub fn step(&mut self, actions: &[i64], out: Outputs<'_>) -> Result<(), EnvError> {
        fits("actions", actions, self.count, false)?;
        out.check(self.count, &self.kind)?;
        let options = &self.kind.options;
        if options.illegal == Illegal::Raise || options.autoreset == Autoreset::Disabled {
            for (first, group) in (0..).step_by(self.each).zip(&self.groups) {
                group.check(first, &actions[first..first + group.count()])?;
            }
        }
        if self.kind.shared.is_some() {
            for group in &mut self.groups {
                group.choose_for_step()?;
            }
        }
        self.whole(|envs| envs.step_groups(actions, out));
        Ok(())
    }

    fn step_groups(&mut self, actions: &[i64], mut out: Outputs<'_>) {
        if let [group] = self.groups.as_mut_slice() {
            return group.step(actions, &mut out);
        }
        let kind = Arc::clone(&self.kind);
        let mut parts: Vec<_> = vec![];
        for (first, group) in (0..).step_by(self.each).zip(&mut self.groups) {
            let count = group.count();
            parts.push(Mutex::new((group, &actions[first..first + count], out.cut(count, &kind))));
        }
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (group, actions, out) = &mut *part;
            group.step(actions, out);
        });
    }

    /// Draws a legal action for every environment, uniformly at random, from a separate stream derived from its
    /// seed. The action is 0 after the end of an episode.
    pub fn sample_actions(&mut self, actions: &mut [i64]) -> Result<(), EnvError> {
        fits("actions", actions, self.count, false)?;
        if let [group] = self.groups.as_mut_slice() {
            group.sample(actions);
            return Ok(());
        }
        let parts: Vec<_> =
            self.groups.iter_mut().zip(actions.chunks_mut(self.each)).map(Mutex::new).collect();
        self.pool.run(parts.len(), &|part| {
            let mut part = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (group, actions) = &mut *part;
            group.sample(actions);
        });
        Ok(())
    }

    /// Seeds the streams of [`VectorEnv::sample_actions`].
    pub fn seed_samples(&mut self, seed: u64) {
        for (first, group) in (0..).step_by(self.each).zip(&mut self.groups) {
            group.seed_samples(first as u64, seed);
        }
    }
}

/// Checks a number of environments.
fn is_allowed(envs: usize) -> Result<(), EnvError> {
    if envs == 0 || envs > MOST { Err(EnvError::Count(envs)) } else { Ok(()) }
}
