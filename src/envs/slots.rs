//! The environments of one family of rule sets among several: they come to a chunk and leave it, and are shown in rows of all.

use std::collections::BTreeMap;
use std::ops::Range;

use super::EnvBuffers;
use super::chunk::{Chunk, EnvPhase, Meta, SAMPLES};
use super::config::EnvConfig;
use super::measured::MeasuredValues;
use houserule_base::rng::Stream;
use houserule_game::observe::{BatchRows, Cells, RowMaps, RowsFrom, SpreadRows};

/// Where a batch of environments is shown, in a layout that several games share.
#[derive(Clone, Copy)]
pub(super) struct SharedRows<'a> {
    /// The configuration of all environments.
    pub(super) kind: &'a EnvConfig,
    pub(super) maps: RowMaps<'a>,
    /// The rows: the environments of the batch.
    pub(super) envs: &'a [u32],
    /// Whether these follow one another, and later batches have later rows.
    pub(super) in_order: bool,
}

impl Chunk {
    /// Returns a chunk with the same configuration and no environments.
    pub(super) fn empty(&self) -> Chunk {
        let agents = self.agents.iter().map(|agent| agent.copy()).collect();
        Chunk::new(&self.kind, agents, self.many.more(0), 0, 0)
    }

    /// Makes room for `count` environments in all. Up to this number, moving environments allocates nothing.
    pub(super) fn reserve(&mut self, count: usize) {
        let more = count.saturating_sub(self.count());
        self.many.reserve(count);
        self.metas.reserve_exact(more);
        if self.keeps_scores() {
            self.scores.reserve_exact(more * self.kind.players);
        }
        if self.kind.measured.is_some() {
            self.measured.reserve_exact(more * self.kind.players);
        }
        if !self.kind.self_play() {
            self.streams.reserve_exact(more * self.kind.players);
        }
        if self.kind.options.max_steps.is_some() {
            self.steps.reserve_exact(more);
        }
        if self.kind.line_ups.is_some() {
            self.drawn.reserve_exact(more);
        }
        if self.kind.options.match_play {
            self.matches.reserve_exact(more);
        }
    }

    /// Returns `true` if each seat's score after the last step is kept.
    fn keeps_scores(&self) -> bool {
        self.kind.self_play() && self.kind.rewards_score
    }

    /// Adds an environment with this seed that was never reset, and returns its slot.
    pub(super) fn add(&mut self, seed: u64) -> usize {
        self.push(Meta::new(seed))
    }

    fn push(&mut self, meta: Meta) -> usize {
        let (slot, players) = (self.count(), self.kind.players);
        self.many.push();
        self.metas.push(meta);
        if self.keeps_scores() {
            self.scores.resize((slot + 1) * players, 0);
        }
        if self.kind.measured.is_some() {
            self.measured.resize((slot + 1) * players, MeasuredValues::default());
        }
        if self.kind.options.max_steps.is_some() {
            self.steps.push(0);
        }
        if self.kind.line_ups.is_some() {
            self.drawn.push(0);
        }
        if !self.kind.self_play() {
            self.streams.resize((slot + 1) * players, [Stream::from_words([0; 4]); 2]);
        }
        if self.kind.options.match_play {
            self.matches.push(None);
        }
        slot
    }

    /// Moves an environment to another chunk, without its game, and returns its slot there. The last environment of
    /// this chunk takes its slot here.
    pub(super) fn move_to(&mut self, slot: usize, to: &mut Chunk) -> usize {
        let (last, players) = (self.count() - 1, self.kind.players);
        self.many.swap_remove(slot);
        let new = to.push(self.metas.swap_remove(slot));
        if self.keeps_scores() {
            self.scores.copy_within(last * players..(last + 1) * players, slot * players);
            self.scores.truncate(last * players);
        }
        if self.kind.measured.is_some() {
            self.measured.copy_within(last * players..(last + 1) * players, slot * players);
            self.measured.truncate(last * players);
        }
        if self.kind.options.max_steps.is_some() {
            self.steps.swap_remove(slot);
        }
        if self.kind.line_ups.is_some() {
            self.drawn.swap_remove(slot);
        }
        if !self.kind.self_play() {
            self.streams.copy_within(last * players..(last + 1) * players, slot * players);
            self.streams.truncate(last * players);
        }
        if self.kind.options.match_play {
            self.matches.swap_remove(slot);
        }
        move_entry(&mut self.errors, slot, last, &mut to.errors, new);
        move_entry(&mut self.followed, slot, last, &mut to.followed, new);
        new
    }

    /// The seed and the index of an environment's next episode: the first of `seed`, or the one after the current.
    pub(super) fn next_episode(&self, slot: usize, seed: Option<u64>) -> (u64, u64) {
        let meta = &self.metas[slot];
        match seed {
            Some(seed) => (seed, 0),
            None if meta.phase == EnvPhase::New => (meta.seed, 0),
            None => (meta.seed, meta.index.wrapping_add(1)),
        }
    }

    /// Seeds the stream of sampled actions of one environment.
    pub(super) fn seed_sample(&mut self, slot: usize, seed: u64, env: u64) {
        self.metas[slot].sample = Stream::new(seed, env, SAMPLES);
    }

    /// Shows a batch of environments in a layout that several games share.
    #[inline]
    pub(super) fn show_shared(&mut self, view: &mut EnvBuffers<'_>, few: Range<usize>, rows: SharedRows<'_>) {
        #[cfg(target_arch = "x86_64")]
        if self.bmi {
            // SAFETY: `bmi` is only set if the processor has the features that this function is compiled for.
            return unsafe { show_shared_fast(self, view, few, rows) };
        }
        show_shared_plain(self, view, few, rows);
    }

    #[inline(always)]
    fn show_shared_now<const BMI: bool>(
        &mut self,
        view: &mut EnvBuffers<'_>,
        few: Range<usize>,
        rows: SharedRows<'_>,
    ) {
        match rows.envs.first() {
            Some(first) if rows.in_order => {
                self.show_rows::<BMI>(view, few, rows, RowsFrom(*first as usize));
            }
            _ => self.show_rows::<BMI>(view, few, rows, SpreadRows(rows.envs)),
        }
    }

    #[inline(always)]
    fn show_rows<const BMI: bool>(
        &mut self,
        view: &mut EnvBuffers<'_>,
        games: Range<usize>,
        SharedRows { kind: shared, maps, envs, .. }: SharedRows<'_>,
        rows: impl BatchRows,
    ) {
        let (cells, actions) = (shared.cells, shared.actions);
        // But for the scales of numbers and the rules that are shown, the maps of a family are the same.
        let Some(map) = envs.first().map(|env| maps.map_of(*env)) else { return };
        self.many.read_pending(&games, &mut self.few);
        if !view.observations.is_empty() {
            self.choose_viewers(&games);
            match &mut view.observations {
                Cells::Floats(out) => {
                    self.many.observe_spread::<BMI>(&games, &mut self.few, map, out, rows);
                    maps.show_floats(envs, cells, out);
                }
                Cells::Halves(_) => unreachable!("halves are spread after they were floats"),
                Cells::Bytes(out) => {
                    self.many.observe_bytes_spread::<BMI>(&games, &mut self.few, map, out, rows);
                    maps.show_bytes(envs, cells, out);
                }
            }
        }
        if !view.masks.is_empty() {
            self.many.write_masks_spread::<BMI>(&games, &mut self.few, map, view.masks, actions, rows);
        }
        if !view.current_players.is_empty() {
            for (env, actor) in envs.iter().zip(self.few.actors()) {
                // `NOBODY` becomes -1.
                view.current_players[*env as usize] = *actor as i32;
            }
        }
    }
}

/// Moves what is kept of one slot to a slot of another chunk. What is kept of the last slot goes to the free one.
fn move_entry<T>(
    from: &mut BTreeMap<usize, T>,
    slot: usize,
    last: usize,
    to: &mut BTreeMap<usize, T>,
    new: usize,
) {
    if from.is_empty() {
        return;
    }
    if let Some(kept) = from.remove(&slot) {
        to.insert(new, kept);
    }
    if let Some(kept) = from.remove(&last) {
        from.insert(slot, kept);
    }
}

/// Without the features of a newer processor. A function of its own, so that its code doesn't stand in every caller.
#[inline(never)]
fn show_shared_plain(chunk: &mut Chunk, view: &mut EnvBuffers<'_>, few: Range<usize>, rows: SharedRows<'_>) {
    chunk.show_shared_now::<false>(view, few, rows);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn show_shared_fast(chunk: &mut Chunk, view: &mut EnvBuffers<'_>, few: Range<usize>, rows: SharedRows<'_>) {
    chunk.show_shared_now::<true>(view, few, rows);
}
