//! Environments that one thread steps, of several rule sets: a chunk for each family of rule sets, in which an
//! environment has a slot while it plays one of them. A step goes over the slots of one family after the other, in full
//! batches. Rule sets of a family keep their states in the same words, so most changes of rules move nothing.

use std::sync::Arc;

use super::chunk::{Chunk, EnvPhase};
use super::config::{EnvConfig, SeatAgents};
use super::options::{Autoreset, EnvError, Illegal};
use super::rule_sets::{Home, RuleDraws, RuleSets, drawn, slice_of};
use super::slots::SharedRows;
use super::{EnvBuffers, Outputs};
use houserule_game::many::Many;
use houserule_game::observe::{BATCH, Cells, Dtype, RowMaps, SharedMap, half, pack};
use houserule_machine::processor::prefetch;

/// A configuration, its agents, and an empty array of its games.
pub(super) type SetKind = (Arc<EnvConfig>, SeatAgents, Many);

/// The families of rule sets, to make chunks of.
pub(super) struct MixedKinds {
    pub(super) families: Vec<SetKind>,
}

/// The environments of one thread, of several rule sets.
pub(super) struct MixedChunk {
    pub(super) kind: Arc<EnvConfig>,
    pub(super) rules: RuleSets,
    /// By family.
    families: Vec<Chunk>,
    /// By family: the environment in each slot.
    members: Vec<Vec<u32>>,
    /// By environment: its family and its slot.
    places: Vec<(u32, u32)>,
    /// By environment: its rule set.
    played: Vec<u32>,
    /// Index of the first environment among all of the vector.
    first: usize,
    /// By environment: a seed, an index and the rule set that a function chose for that episode.
    chosen: Vec<Option<(u64, u64, u32)>>,
    /// Whether some environments may never have been reset. A step then begins their first episodes.
    unbegun: bool,
    /// By environment: the rule set of the episode that ended last.
    ended_in: Vec<u32>,
    /// The environments whose episodes ended in the last step.
    pending: Vec<u32>,
    buffers: Buffers,
}

/// What a batch of slots writes before it is spread to its environments.
struct Buffers {
    actions: Vec<i64>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    seat_rewards: Vec<f64>,
    floats: Vec<f32>,
    bytes: Vec<u8>,
    /// One observation of the shared layout, before it is packed to bits.
    row: Vec<u8>,
    /// The same, before its floats become halves.
    row_of_floats: Vec<f32>,
    masks: Vec<i8>,
    current: [i32; BATCH],
}

impl MixedChunk {
    /// `count` environments; `first` is the index of the first one among all.
    pub(super) fn new(
        kind: &Arc<EnvConfig>,
        rules: &RuleSets,
        kinds: &MixedKinds,
        first: usize,
        count: usize,
    ) -> MixedChunk {
        let families = kinds.families.iter().map(|(kind, agents, many)| {
            let agents = agents.iter().map(|agent| agent.copy()).collect();
            Chunk::new(kind, agents, many.more(0), 0, 0)
        });
        MixedChunk::with_families(kind, rules, families.collect(), first, count)
    }

    /// Returns as many new environments with the same configuration.
    pub(super) fn fresh(&self) -> MixedChunk {
        let families = self.families.iter().map(Chunk::empty).collect();
        MixedChunk::with_families(&self.kind, &self.rules, families, self.first, self.count())
    }

    fn with_families(
        kind: &Arc<EnvConfig>,
        rules: &RuleSets,
        families: Vec<Chunk>,
        first: usize,
        count: usize,
    ) -> MixedChunk {
        let most = |size: fn(&EnvConfig) -> usize| {
            families.iter().map(|family| size(&family.kind)).max().unwrap_or(0)
        };
        let (cells, actions) = (most(|kind| kind.cells), most(|kind| kind.actions));
        // Each rule set writes halves as floats, and bits as bytes.
        let halved = kind.options.dtype == Dtype::Float16;
        let floats = halved || kind.options.dtype == Dtype::Float32;
        let packed = kind.options.dtype == Dtype::Bits;
        let buffers = Buffers {
            actions: vec![0; count],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            seat_rewards: vec![0.0; count * kind.players],
            floats: vec![0.0; if floats { BATCH * cells } else { 0 }],
            bytes: vec![0; if floats { 0 } else { BATCH * cells }],
            row: vec![0; if packed { rules.layout.len() } else { 0 }],
            row_of_floats: vec![0.0; if halved { rules.layout.len() } else { 0 }],
            masks: vec![0; BATCH * actions],
            current: [0; BATCH],
        };
        let called = matches!(rules.draws, RuleDraws::Function(_));
        let mut mixed = MixedChunk {
            kind: Arc::clone(kind),
            rules: rules.clone(),
            members: vec![vec![]; families.len()],
            families,
            places: Vec::with_capacity(count),
            played: Vec::with_capacity(count),
            first,
            chosen: vec![None; if called { count } else { 0 }],
            unbegun: true,
            ended_in: vec![0; count],
            pending: Vec::with_capacity(count),
            buffers,
        };
        mixed.reserve(count);
        for env in 0..count {
            let set = rules.draws.before(first + env, mixed.sets());
            let Home { family, kind } = rules.homes[set];
            let chunk = &mut mixed.families[family as usize];
            let slot = chunk.add((first + env) as u64);
            chunk.many.set_kind(slot, kind);
            mixed.members[family as usize].push(env as u32);
            mixed.places.push((family, slot as u32));
            mixed.played.push(set as u32);
        }
        mixed
    }

    /// Makes room for the environments that each family may have. Up to this number, moving them allocates nothing.
    fn reserve(&mut self, count: usize) {
        let rooms = self.rules.draws.rooms(&self.rules.homes, count);
        for ((chunk, members), room) in self.families.iter_mut().zip(&mut self.members).zip(rooms) {
            chunk.reserve(room);
            members.reserve_exact(room.saturating_sub(members.len()));
        }
    }

    /// The number of rule sets.
    pub(super) fn sets(&self) -> usize {
        self.rules.homes.len()
    }

    /// The number of environments.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if the environments have their slots in order: they move only from one family to another.
    fn is_in_order(&self) -> bool {
        self.families.len() == 1
    }

    /// The rule set that an environment plays.
    pub(super) fn rules_of(&self, e: usize) -> usize {
        self.played[e] as usize
    }

    /// The chunk and the slot of an environment.
    pub(super) fn at(&self, e: usize) -> (&Chunk, usize) {
        let (family, slot) = self.places[e];
        (&self.families[family as usize], slot as usize)
    }

    /// Like [`MixedChunk::at`].
    pub(super) fn at_mut(&mut self, e: usize) -> (&mut Chunk, usize) {
        let (family, slot) = self.places[e];
        (&mut self.families[family as usize], slot as usize)
    }

    /// How the actions and observations of an environment's game lie in those of all.
    pub(super) fn map(&self, e: usize) -> &SharedMap {
        &self.rules.layout.maps[self.played[e] as usize]
    }

    /// The mean memory of an environment, in bytes.
    pub(super) fn bytes_each(&self) -> usize {
        let all = self.families.iter().map(|family| family.bytes_each() * family.count()).sum::<usize>();
        all / self.count().max(1) + size_of::<(u32, u32)>() + 2 * size_of::<u32>()
    }

    /// Replaces how rule sets are drawn, from each environment's next episode on.
    pub(super) fn set_draws(&mut self, draws: &RuleDraws) {
        self.rules.draws = draws.clone();
        self.reserve(self.count());
    }

    /// The seed and the index of an environment's next episode.
    fn next_episode(&self, e: usize, seed: Option<u64>) -> (u64, u64) {
        let (chunk, slot) = self.at(e);
        chunk.next_episode(slot, seed)
    }

    /// Asks the function for the rule sets of the episodes that the next reset or step may begin. `begins` returns
    /// whether an environment may begin one, and its new seed.
    pub(super) fn choose(
        &mut self,
        begins: impl Fn(usize, EnvPhase) -> Option<Option<u64>>,
    ) -> Result<(), EnvError> {
        let RuleDraws::Function(function) = &self.rules.draws else { return Ok(()) };
        let function = Arc::clone(function);
        for e in 0..self.count() {
            let (chunk, slot) = self.at(e);
            let Some(seed) = begins(e, chunk.metas[slot].phase) else { continue };
            let (seed, index) = self.next_episode(e, seed);
            if self.chosen[e].is_some_and(|(of, at, _)| (of, at) == (seed, index)) {
                continue;
            }
            let (env, sets) = (self.first + e, self.sets());
            let set = function(seed, index, env).map_err(EnvError::RuleChoice)?;
            if set >= sets {
                return Err(EnvError::RuleSets(format!(
                    "the function chose rule set {set} for environment {env}; there are {sets}, 0 to {}",
                    sets - 1
                )));
            }
            self.chosen[e] = Some((seed, index, set as u32));
        }
        Ok(())
    }

    /// The rule set of an episode.
    #[inline]
    fn draw(&self, e: usize, seed: u64, index: u64) -> usize {
        match &self.rules.draws {
            RuleDraws::Weights(sums) => drawn(sums, seed, index),
            RuleDraws::Slices(sets, envs) => slice_of(self.first + e, *sets, *envs),
            RuleDraws::Function(_) => self.chosen[e].map_or(0, |(.., set)| set as usize),
        }
    }

    /// Moves an environment to the rule set of its next episode. The caller begins the episode.
    #[inline]
    pub(super) fn change_rules(&mut self, e: usize, seed: Option<u64>) {
        let (of, index) = self.next_episode(e, seed);
        let to = self.draw(e, of, index);
        self.move_to(e, to);
    }

    /// Gives an environment another rule set, in a slot of its family. Its game is one that has not begun.
    #[inline]
    pub(super) fn move_to(&mut self, e: usize, to: usize) {
        if self.played[e] as usize == to {
            return;
        }
        self.played[e] = to as u32;
        let home = self.rules.homes[to];
        if self.places[e].0 != home.family {
            self.move_to_family(e, home.family);
        }
        let (chunk, slot) = self.at_mut(e);
        chunk.many.set_kind(slot, home.kind);
    }

    /// Moves an environment to a slot of another family.
    fn move_to_family(&mut self, e: usize, to: u32) {
        let (from, slot, to) = (self.places[e].0 as usize, self.places[e].1 as usize, to as usize);
        let Ok([from_family, to_family]) = self.families.get_disjoint_mut([from, to]) else { return };
        let new = from_family.move_to(slot, to_family);
        self.members[from].swap_remove(slot);
        if let Some(moved) = self.members[from].get(slot) {
            self.places[*moved as usize].1 = slot as u32;
        }
        self.members[to].push(e as u32);
        self.places[e] = (to as u32, new as u32);
    }

    /// Returns an error if this step must be refused. Called only if the options allow refusing.
    pub(super) fn check(&self, first: usize, actions: &[i64]) -> Result<(), EnvError> {
        let by_hand = self.kind.options.autoreset == Autoreset::Disabled;
        let raise = self.kind.options.illegal == Illegal::Raise;
        for (e, action) in actions.iter().enumerate() {
            let (chunk, slot) = self.at(e);
            let phase = chunk.metas[slot].phase;
            if phase == EnvPhase::New {
                return Err(EnvError::NotBegun { env: first + e });
            }
            if phase == EnvPhase::Over && by_hand {
                return Err(EnvError::Over { env: first + e });
            }
            if raise && phase == EnvPhase::Playing {
                let own = self.map(e).own_action(*action);
                chunk.check_action(slot, first + e, own).map_err(|error| match error {
                    EnvError::Illegal { env, legal, .. } => EnvError::Illegal { env, action: *action, legal },
                    other => other,
                })?;
            }
        }
        Ok(())
    }

    /// Steps every environment.
    pub(super) fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) {
        if self.kind.options.autoreset == Autoreset::NextStep || self.unbegun {
            self.begin_over();
            self.unbegun = false;
        }
        self.pending.clear();
        for family in 0..self.families.len() {
            self.step_family(family, actions, out);
        }
        if self.kind.options.autoreset == Autoreset::SameStep {
            self.begin_ended(out);
            self.show_all(&mut out.view);
        }
    }

    /// Moves the environments whose episodes are over to the rule sets of their next episodes.
    fn begin_over(&mut self) {
        if matches!(self.rules.draws, RuleDraws::Slices(..)) {
            return;
        }
        if self.unbegun {
            self.pending.clear();
            self.pending.extend(0..self.count() as u32);
        }
        for at in 0..self.pending.len() {
            let e = self.pending[at] as usize;
            let (chunk, slot) = self.at(e);
            // It may have been reset since.
            if matches!(chunk.metas[slot].phase, EnvPhase::Over | EnvPhase::New) {
                self.change_rules(e, None);
            }
        }
    }

    /// Steps the environments that play rule sets of a family. Shows them, unless those whose episodes end begin the
    /// next ones in this step: then all are shown together afterwards.
    fn step_family(&mut self, family: usize, actions: &[i64], out: &mut Outputs<'_>) {
        let in_order = self.is_in_order();
        let MixedChunk { kind, rules, families, members, played, buffers, pending, ended_in, .. } = self;
        let (chunk, members) = (&mut families[family], &members[family]);
        let Some(any) = members.first() else { return };
        let maps = RowMaps { maps: &rules.layout.maps, sets: played };
        // The actions of a family have the same places.
        let map = maps.map_of(*any);
        let as_given = in_order && map.keeps_actions();
        let players = kind.players;
        let same_step = kind.options.autoreset == Autoreset::SameStep;
        let count = chunk.count();
        for first in (0..count).step_by(BATCH) {
            let few = first..count.min(first + BATCH);
            if !same_step && !in_order {
                fetch_rows(&out.view, kind, &members[few.clone()]);
            }
            if !as_given {
                for (own, env) in buffers.actions[few.clone()].iter_mut().zip(&members[few.clone()]) {
                    *own = map.own_action(actions[*env as usize]);
                }
            }
            let direct = is_direct(kind.options.dtype, map);
            let shown = if direct || same_step { Shown::NOTHING } else { buffers.shown(chunk, &out.view) };
            let seats = if out.seat_rewards.is_empty() { 0 } else { count * players };
            let own = if as_given { actions } else { &buffers.actions[..count] };
            let (rewards, terminated, truncated, seat_rewards) = match in_order {
                true => {
                    (&mut *out.rewards, &mut *out.terminated, &mut *out.truncated, &mut *out.seat_rewards)
                }
                false => (
                    &mut buffers.rewards[..],
                    &mut buffers.terminated[..],
                    &mut buffers.truncated[..],
                    &mut buffers.seat_rewards[..seats],
                ),
            };
            let mut part = Outputs {
                view: shown.view(
                    &mut buffers.floats,
                    &mut buffers.bytes,
                    &mut buffers.masks,
                    &mut buffers.current,
                ),
                rewards,
                terminated,
                truncated,
                seat_rewards,
                final_observations: Cells::default(),
            };
            chunk.step_batch(own, &mut part, few.clone());
            match (same_step, direct) {
                (true, _) => {}
                (_, true) => {
                    let rows = SharedRows { kind, maps, envs: &members[few.clone()], in_order };
                    chunk.show_shared(&mut out.view, few.clone(), rows);
                }
                (_, false) => {
                    chunk.show_batch(&mut part.view, few.clone(), 0);
                    for (game, env) in members[few.clone()].iter().enumerate() {
                        buffers.spread(kind, chunk, maps.map_of(*env), game, *env as usize, &mut out.view);
                    }
                }
            }
            if !in_order {
                for (slot, env) in few.clone().zip(&members[few.clone()]) {
                    let e = *env as usize;
                    out.rewards[e] = buffers.rewards[slot];
                    out.terminated[e] = buffers.terminated[slot];
                    out.truncated[e] = buffers.truncated[slot];
                    if seats > 0 {
                        out.seat_rewards[e * players..][..players]
                            .copy_from_slice(&buffers.seat_rewards[slot * players..][..players]);
                    }
                }
            }
            for env in &members[few] {
                let e = *env as usize;
                if out.terminated[e] || out.truncated[e] {
                    ended_in[e] = played[e];
                    pending.push(*env);
                }
            }
        }
    }

    /// Begins the next episodes of the environments whose episodes have ended in this step.
    fn begin_ended(&mut self, out: &mut Outputs<'_>) {
        for at in 0..self.pending.len() {
            let e = self.pending[at] as usize;
            if !out.final_observations.is_empty() {
                let cells = self.kind.cells;
                let mut rest = out.final_observations.from(e * cells);
                self.observe(e, rest.cut(cells));
            }
            self.change_rules(e, None);
            let (chunk, slot) = self.at_mut(e);
            chunk.begin_next(slot);
        }
    }

    /// Shows all environments.
    fn show_all(&mut self, view: &mut EnvBuffers<'_>) {
        for family in 0..self.families.len() {
            let count = self.families[family].count();
            for first in (0..count).step_by(BATCH) {
                let next = count.min(first + BATCH);
                if !self.is_in_order() {
                    fetch_rows(view, &self.kind, &self.members[family][next..count.min(next + BATCH)]);
                }
                self.show_few(family, first..next, view);
            }
        }
    }

    /// Shows a batch of slots.
    fn show_few(&mut self, family: usize, few: std::ops::Range<usize>, view: &mut EnvBuffers<'_>) {
        let in_order = self.is_in_order();
        let MixedChunk { kind, rules, families, members, played, buffers, .. } = self;
        let (chunk, envs) = (&mut families[family], &members[family][few.clone()]);
        let maps = RowMaps { maps: &rules.layout.maps, sets: played };
        if envs.first().is_some_and(|env| is_direct(kind.options.dtype, maps.map_of(*env))) {
            return chunk.show_shared(view, few, SharedRows { kind, maps, envs, in_order });
        }
        let shown = buffers.shown(chunk, view);
        let mut part =
            shown.view(&mut buffers.floats, &mut buffers.bytes, &mut buffers.masks, &mut buffers.current);
        chunk.show_batch(&mut part, few.clone(), 0);
        for (game, env) in envs.iter().enumerate() {
            buffers.spread(kind, chunk, maps.map_of(*env), game, *env as usize, view);
        }
    }

    /// Resets the environments in `mask`, or all, and shows all.
    pub(super) fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: &mut EnvBuffers<'_>) {
        for e in 0..self.count() {
            if mask.is_none_or(|mask| mask[e]) {
                self.reset_env(e, seeds.get(e).copied().flatten());
            }
        }
        self.show_all(view);
    }

    /// Begins a new episode: the first of `seed`, or without a seed the next one.
    pub(super) fn reset_env(&mut self, e: usize, seed: Option<u64>) {
        self.change_rules(e, seed);
        let (chunk, slot) = self.at_mut(e);
        chunk.reset_env::<false>(slot, seed);
    }

    /// Writes the learner's observation of one environment.
    pub(super) fn observe(&mut self, e: usize, out: Cells<'_>) {
        let (family, slot) = (self.places[e].0 as usize, self.places[e].1 as usize);
        let MixedChunk { kind, rules, families, played, buffers, .. } = self;
        let (chunk, map) = (&mut families[family], &rules.layout.maps[played[e] as usize]);
        let cells = chunk.kind.cells;
        match out {
            Cells::Floats(out) => {
                chunk.observe(slot, Cells::Floats(&mut buffers.floats[..cells]));
                map.write_floats(&buffers.floats[..cells], out);
            }
            Cells::Halves(out) => {
                chunk.observe(slot, Cells::Floats(&mut buffers.floats[..cells]));
                buffers.spread_halves(map, 0, cells, out);
            }
            Cells::Bytes(out) => {
                chunk.observe(slot, Cells::Bytes(&mut buffers.bytes[..cells]));
                buffers.spread_bytes(kind, map, 0, cells, out);
            }
        }
    }

    /// Writes the action mask of one environment: all 1 after the end of an episode.
    pub(super) fn write_mask(&mut self, e: usize, out: &mut [i8]) {
        let (family, slot) = (self.places[e].0 as usize, self.places[e].1 as usize);
        let chunk = &self.families[family];
        let own = &mut self.buffers.masks[..chunk.kind.actions];
        chunk.many.write_mask(slot, own);
        match chunk.many.current_player(slot) {
            Some(_) => self.rules.layout.maps[self.played[e] as usize].write_mask(own, out),
            None => out.fill(1),
        }
    }

    /// Draws a legal action for every environment in play, and 0 for the others.
    pub(super) fn sample(&mut self, actions: &mut [i64]) {
        for (chunk, members) in self.families.iter_mut().zip(&self.members) {
            let own = &mut self.buffers.actions[..chunk.count()];
            chunk.sample(own);
            let Some(any) = members.first() else { continue };
            let map = &self.rules.layout.maps[self.played[*any as usize] as usize];
            for ((own, env), meta) in own.iter().zip(members).zip(&chunk.metas) {
                let playing = meta.phase == EnvPhase::Playing;
                actions[*env as usize] = if playing { map.shared_action(*own as u32).into() } else { 0 };
            }
        }
    }

    /// Seeds the streams of sampled actions.
    pub(super) fn seed_samples(&mut self, first: u64, seed: u64) {
        for e in 0..self.count() {
            let (chunk, slot) = self.at_mut(e);
            chunk.seed_sample(slot, seed, first + e as u64);
        }
    }

    /// The end that decided the last episode of an environment: an index of all names of ends.
    pub(super) fn end(&self, e: usize) -> u16 {
        let (chunk, slot) = self.at(e);
        let ends = &self.rules.ends.1[self.ended_in[e] as usize];
        ends.get(usize::from(chunk.metas[slot].end)).copied().unwrap_or(0)
    }

    /// The rule set of the episode of an environment that ended last.
    pub(super) fn ended_in(&self, e: usize) -> u32 {
        self.ended_in[e]
    }

    /// Sets what [`MixedChunk::ended_in`] returns.
    pub(super) fn set_ended_in(&mut self, e: usize, set: usize) {
        self.ended_in[e] = set as u32;
    }
}

/// Brings the rows of environments into the processor's cache. It foresees rows that follow one another by itself.
#[inline(always)]
fn fetch_rows(view: &EnvBuffers<'_>, kind: &EnvConfig, envs: &[u32]) {
    for env in envs {
        let e = *env as usize;
        match &view.observations {
            Cells::Floats([]) | Cells::Halves([]) | Cells::Bytes([]) => {}
            Cells::Floats(out) => prefetch(&out[e * kind.cells..][..kind.cells]),
            Cells::Halves(out) => prefetch(&out[e * kind.cells..][..kind.cells]),
            Cells::Bytes(out) => prefetch(&out[e * kind.cells..][..kind.cells]),
        }
        if !view.masks.is_empty() {
            prefetch(&view.masks[e * kind.actions..][..kind.actions]);
        }
    }
}

/// Returns `true` if a rule set writes its observations where they belong, in their final form.
fn is_direct(dtype: Dtype, map: &SharedMap) -> bool {
    let final_form = match dtype {
        Dtype::Float32 | Dtype::Uint8 | Dtype::Bool => true,
        Dtype::Float16 | Dtype::Bits => false,
    };
    final_form && map.is_direct()
}

/// Which buffers a batch writes, and how long they are.
struct Shown {
    floats: usize,
    bytes: usize,
    masks: usize,
}

impl Shown {
    const NOTHING: Shown = Shown { floats: 0, bytes: 0, masks: 0 };

    fn view<'a>(
        &self,
        floats: &'a mut [f32],
        bytes: &'a mut [u8],
        masks: &'a mut [i8],
        current: &'a mut [i32; BATCH],
    ) -> EnvBuffers<'a> {
        let observations = match self.bytes {
            0 => Cells::Floats(&mut floats[..self.floats]),
            length => Cells::Bytes(&mut bytes[..length]),
        };
        EnvBuffers { observations, masks: &mut masks[..self.masks], current_players: current }
    }
}

impl Buffers {
    /// Returns what a batch of a rule set has to write for a view.
    fn shown(&self, chunk: &Chunk, view: &EnvBuffers<'_>) -> Shown {
        let cells = if view.observations.is_empty() { 0 } else { BATCH * chunk.kind.cells };
        let floats = self.bytes.is_empty();
        Shown {
            floats: if floats { cells } else { 0 },
            bytes: if floats { 0 } else { cells },
            masks: if view.masks.is_empty() { 0 } else { BATCH * chunk.kind.actions },
        }
    }

    /// Spreads what a batch has written for one of its games to the environment `e`.
    #[inline(always)]
    fn spread(
        &mut self,
        kind: &EnvConfig,
        chunk: &Chunk,
        map: &SharedMap,
        game: usize,
        e: usize,
        view: &mut EnvBuffers<'_>,
    ) {
        let (cells, actions) = (chunk.kind.cells, chunk.kind.actions);
        match &mut view.observations {
            Cells::Floats([]) | Cells::Halves([]) | Cells::Bytes([]) => {}
            Cells::Floats(out) => {
                let own = &self.floats[game * cells..][..cells];
                map.write_floats(own, &mut out[e * kind.cells..][..kind.cells]);
            }
            Cells::Halves(out) => {
                self.spread_halves(map, game, cells, &mut out[e * kind.cells..][..kind.cells]);
            }
            Cells::Bytes(out) => {
                self.spread_bytes(kind, map, game, cells, &mut out[e * kind.cells..][..kind.cells]);
            }
        }
        if !view.masks.is_empty() {
            let out = &mut view.masks[e * kind.actions..][..kind.actions];
            match self.current[game] {
                -1 => out.fill(1),
                _ => map.write_mask(&self.masks[game * actions..][..actions], out),
            }
        }
        if !view.current_players.is_empty() {
            view.current_players[e] = self.current[game];
        }
    }

    /// Spreads the floats of a game's observation to the halves of an environment.
    fn spread_halves(&mut self, map: &SharedMap, game: usize, cells: usize, out: &mut [u16]) {
        map.write_floats(&self.floats[game * cells..][..cells], &mut self.row_of_floats);
        for (to, float) in out.iter_mut().zip(&self.row_of_floats) {
            *to = half(*float);
        }
    }

    /// Spreads the bytes of a game's observation to those of an environment.
    #[inline(always)]
    fn spread_bytes(&mut self, kind: &EnvConfig, map: &SharedMap, game: usize, cells: usize, out: &mut [u8]) {
        let own = &self.bytes[game * cells..][..cells];
        if kind.options.dtype == Dtype::Bits {
            map.write_bytes(own, &mut self.row);
            pack(&self.row, out);
        } else {
            map.write_bytes(own, out);
        }
    }
}
