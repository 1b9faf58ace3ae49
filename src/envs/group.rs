//! The environments of one thread: of one game, or of several rule sets.
//!
//! A single game is not a family of one rule set. Measured so, with tic-tac-toe and connect four, the shared layout and
//! the second pass that shows the environments cost a vector 5 to 22 % of its steps, and a single environment 30 %. So the
//! methods of [`EnvGroup`] choose between the two. Those that both have are called with [`on_both`], the others look for
//! rule sets with [`EnvGroup::mixed`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chunk::{Chunk, EnvPhase, Errors, FollowedEnds, StepResult};
use super::config::EnvConfig;
use super::mixed::MixedChunk;
use super::options::{Autoreset, EnvError};
use super::rule_sets::RuleDraws;
use super::{EnvBuffers, EpisodeEnd, Outputs};
use houserule_game::observe::Cells;
use houserule_game::{ActionId, RuntimeError, State};

/// What saved environments lack of how their last episodes ended.
pub(super) struct ReportedEnds {
    /// By environment, the index of the end that decided, and the rule set of that episode.
    ends: Vec<(u16, u32)>,
    errors: Errors,
    followed: FollowedEnds,
}

/// The environments of one thread.
pub(super) enum EnvGroup {
    /// Of one game.
    One(Box<Chunk>),
    /// Of several rule sets.
    Mixed(Box<MixedChunk>),
}

/// Calls a method that a chunk of one game and one of several rule sets both have.
macro_rules! on_both {
    ($group:expr, $envs:ident => $call:expr) => {
        match $group {
            EnvGroup::One($envs) => $call,
            EnvGroup::Mixed($envs) => $call,
        }
    };
}

impl EnvGroup {
    /// The configuration.
    pub(super) fn kind(&self) -> &Arc<EnvConfig> {
        on_both!(self, envs => &envs.kind)
    }

    /// Returns as many new environments with the same configuration.
    pub(super) fn fresh(&self) -> EnvGroup {
        match self {
            EnvGroup::One(chunk) => EnvGroup::One(Box::new(chunk.fresh())),
            EnvGroup::Mixed(mixed) => EnvGroup::Mixed(Box::new(mixed.fresh())),
        }
    }

    /// The number of environments.
    pub(super) fn count(&self) -> usize {
        on_both!(self, envs => envs.count())
    }

    /// Memory of one environment, in bytes.
    pub(super) fn bytes_each(&self) -> usize {
        on_both!(self, envs => envs.bytes_each())
    }

    /// A number that tells the rules from others.
    pub(super) fn fingerprint(&self) -> u64 {
        match self {
            EnvGroup::One(chunk) => chunk.kind.game.fingerprint(),
            EnvGroup::Mixed(mixed) => mixed.rules.fingerprint,
        }
    }

    /// The chunk and the slot of an environment.
    pub(super) fn at(&self, e: usize) -> (&Chunk, usize) {
        match self {
            EnvGroup::One(chunk) => (chunk, e),
            EnvGroup::Mixed(mixed) => mixed.at(e),
        }
    }

    /// Like [`EnvGroup::at`].
    pub(super) fn at_mut(&mut self, e: usize) -> (&mut Chunk, usize) {
        match self {
            EnvGroup::One(chunk) => (chunk, e),
            EnvGroup::Mixed(mixed) => mixed.at_mut(e),
        }
    }

    /// The chunk of environments of one game, or `None` if there are several rule sets.
    pub(super) fn single_game(&mut self) -> Option<&mut Chunk> {
        match self {
            EnvGroup::One(chunk) => Some(chunk),
            EnvGroup::Mixed(_) => None,
        }
    }

    /// The environments of several rule sets, or `None` if there is one game.
    pub(super) fn mixed(&self) -> Option<&MixedChunk> {
        match self {
            EnvGroup::One(_) => None,
            EnvGroup::Mixed(mixed) => Some(mixed),
        }
    }

    /// Like [`EnvGroup::mixed`].
    fn mixed_mut(&mut self) -> Option<&mut MixedChunk> {
        match self {
            EnvGroup::One(_) => None,
            EnvGroup::Mixed(mixed) => Some(mixed),
        }
    }

    /// Sets the seed of the first environment, and those after it of the others, before they are reset.
    pub(super) fn begin_with(&mut self, first: u64) {
        for e in 0..self.count() {
            let (chunk, slot) = self.at_mut(e);
            chunk.begin_with(slot, first + e as u64);
        }
    }

    /// The rule set that an environment plays; 0 if there is one game.
    pub(super) fn rules_of(&self, e: usize) -> usize {
        self.mixed().map_or(0, |mixed| mixed.rules_of(e))
    }

    /// The progress of an environment.
    pub(super) fn phase(&self, e: usize) -> EnvPhase {
        let (chunk, slot) = self.at(e);
        chunk.metas[slot].phase
    }

    /// The learner's seat; in self-play the seat that took the last step.
    pub(super) fn seat(&self, e: usize) -> u32 {
        let (chunk, slot) = self.at(e);
        chunk.metas[slot].seat
    }

    /// The seed and the index of the episode.
    pub(super) fn episode(&self, e: usize) -> (u64, u64) {
        let (chunk, slot) = self.at(e);
        (chunk.metas[slot].seed, chunk.metas[slot].index)
    }

    /// How the episode ended that the last step reported.
    pub(super) fn ended(&self, e: usize) -> EpisodeEnd {
        let (chunk, slot) = self.at(e);
        chunk.ended(slot)
    }

    /// The end that decided the last episode ended by the rules: an index of [`EnvGroup::end_names`].
    pub(super) fn end(&self, e: usize) -> u16 {
        match self {
            EnvGroup::One(chunk) => chunk.metas[e].end,
            EnvGroup::Mixed(mixed) => mixed.end(e),
        }
    }

    /// The names of the ends.
    pub(super) fn end_names(&self) -> Vec<String> {
        match self {
            EnvGroup::One(chunk) => chunk.kind.game.model().end_names().map(str::to_owned).collect(),
            EnvGroup::Mixed(mixed) => mixed.rules.ends.0.clone(),
        }
    }

    /// The error that aborted the episode that the last step reported, if any.
    pub(super) fn error(&self, e: usize) -> Option<&RuntimeError> {
        let (chunk, slot) = self.at(e);
        chunk.error(slot)
    }

    /// Returns the game of an environment as a state, without its history.
    pub(super) fn state(&mut self, e: usize) -> State {
        let (chunk, slot) = self.at_mut(e);
        chunk.state(slot)
    }

    /// Replaces how rule sets are drawn.
    pub(super) fn set_draws(&mut self, draws: &RuleDraws) {
        if let Some(mixed) = self.mixed_mut() {
            mixed.set_draws(draws);
        }
    }

    /// Asks the function for the rule sets of the episodes that a reset may begin.
    pub(super) fn choose_for_reset(
        &mut self,
        seeds: &[Option<u64>],
        mask: Option<&[bool]>,
    ) -> Result<(), EnvError> {
        let Some(mixed) = self.mixed_mut() else { return Ok(()) };
        mixed.choose(|e, _| mask.is_none_or(|mask| mask[e]).then(|| seeds.get(e).copied().flatten()))
    }

    /// Asks the function for the rule sets of the episodes that a step may begin.
    pub(super) fn choose_for_step(&mut self) -> Result<(), EnvError> {
        let Some(mixed) = self.mixed_mut() else { return Ok(()) };
        let autoreset = mixed.kind.options.autoreset;
        mixed.choose(|_, phase| match (autoreset, phase) {
            (Autoreset::Disabled, _) => None,
            (Autoreset::SameStep, _) | (Autoreset::NextStep, EnvPhase::New | EnvPhase::Over) => Some(None),
            (Autoreset::NextStep, EnvPhase::Playing | EnvPhase::OverAtStart) => None,
        })
    }

    /// Returns an error if this step must be refused. Called only if the options allow refusing.
    pub(super) fn check(&self, first: usize, actions: &[i64]) -> Result<(), EnvError> {
        on_both!(self, envs => envs.check(first, actions))
    }

    /// Steps every environment.
    pub(super) fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) {
        on_both!(self, envs => envs.step(actions, out))
    }

    /// Resets the environments in `mask`, or all, and shows all.
    pub(super) fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: &mut EnvBuffers<'_>) {
        on_both!(self, envs => envs.reset(seeds, mask, view))
    }

    /// Draws a legal action for every environment in play, and 0 for the others.
    pub(super) fn sample(&mut self, actions: &mut [i64]) {
        on_both!(self, envs => envs.sample(actions))
    }

    /// Seeds the streams of sampled actions.
    pub(super) fn seed_samples(&mut self, first: u64, seed: u64) {
        on_both!(self, envs => envs.seed_samples(first, seed))
    }

    /// Begins a new episode in one environment.
    pub(super) fn reset_env(&mut self, e: usize, seed: Option<u64>) {
        match self {
            EnvGroup::One(chunk) => chunk.reset_env::<false>(e, seed),
            EnvGroup::Mixed(mixed) => mixed.reset_env(e, seed),
        }
    }

    /// Takes a step in one environment.
    pub(super) fn step_env(&mut self, e: usize, action: i64, seats: &mut [f64]) -> StepResult {
        let own = self.mixed().map_or(action, |mixed| mixed.map(e).own_action(action));
        let (chunk, slot) = self.at_mut(e);
        chunk.step_env(slot, own, seats)
    }

    /// Writes the learner's observation of one environment.
    pub(super) fn observe(&mut self, e: usize, out: Cells<'_>) {
        on_both!(self, envs => envs.observe(e, out))
    }

    /// Writes the action mask of one environment: all 1 after the end of an episode.
    pub(super) fn write_mask(&mut self, e: usize, out: &mut [i8]) {
        match self {
            EnvGroup::One(chunk) => {
                chunk.many.write_mask(e, out);
                if chunk.many.current_player(e).is_none() {
                    out.fill(1);
                }
            }
            EnvGroup::Mixed(mixed) => mixed.write_mask(e, out),
        }
    }

    /// The legal actions of one environment, ascending.
    pub(super) fn legal_actions(&self, e: usize) -> Vec<ActionId> {
        let (chunk, slot) = self.at(e);
        let mut legal = chunk.many.legal_actions(slot);
        if let Some(mixed) = self.mixed() {
            let map = mixed.map(e);
            legal.iter_mut().for_each(|action| action.0 = map.shared_action(action.0));
            legal.sort_unstable();
        }
        legal
    }

    /// The seat that must decide in one environment.
    pub(super) fn current_player(&self, e: usize) -> Option<u32> {
        let (chunk, slot) = self.at(e);
        chunk.many.current_player(slot)
    }

    /// Moves an environment that has not begun to a rule set.
    pub(super) fn place(&mut self, e: usize, set: usize) {
        if let Some(mixed) = self.mixed_mut() {
            mixed.move_to(e, set);
            mixed.set_ended_in(e, set);
        }
    }

    /// Copies what saved environments lack of how their last episodes ended.
    pub(super) fn reported_ends(&self) -> ReportedEnds {
        let mut reported = ReportedEnds { ends: vec![], errors: BTreeMap::new(), followed: BTreeMap::new() };
        for e in 0..self.count() {
            let (chunk, slot) = self.at(e);
            let set = self.mixed().map_or(0, |mixed| mixed.ended_in(e));
            reported.ends.push((chunk.metas[slot].end, set));
            if let Some(error) = chunk.errors.get(&slot) {
                reported.errors.insert(e, error.clone());
            }
            if let Some(followed) = chunk.followed.get(&slot) {
                reported.followed.insert(e, followed.clone());
            }
        }
        reported
    }

    /// Restores what [`EnvGroup::reported_ends`] copied.
    pub(super) fn set_reported_ends(&mut self, reported: ReportedEnds) {
        let ReportedEnds { ends, mut errors, mut followed } = reported;
        for (e, (end, set)) in ends.into_iter().enumerate() {
            let (chunk, slot) = self.at_mut(e);
            chunk.metas[slot].end = end;
            chunk.errors.remove(&slot);
            chunk.followed.remove(&slot);
            if let Some(error) = errors.remove(&e) {
                chunk.errors.insert(slot, error);
            }
            if let Some(followed) = followed.remove(&e) {
                chunk.followed.insert(slot, followed);
            }
            if let Some(mixed) = self.mixed_mut() {
                mixed.set_ended_in(e, set as usize);
            }
        }
    }
}
