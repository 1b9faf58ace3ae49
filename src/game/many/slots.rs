//! Games that come and go: an array of games keeps its games together, so that a batch is always consecutive.

use std::ops::Range;

use super::Many;
use crate::observe::{BatchRows, GameBatch, SharedMap, own_scale};
use houserule_machine::past::Past;

impl Many {
    /// Returns the number of games.
    pub(crate) fn count(&self) -> usize {
        self.decisions.len()
    }

    /// Makes room for `games` games in all. Up to this number, adding and removing games allocates nothing.
    pub fn reserve(&mut self, games: usize) {
        let more = games.saturating_sub(self.count());
        self.words.reserve_exact(more * self.frame);
        self.chance.reserve_exact(more);
        self.decisions.reserve_exact(more);
        self.kinds.reserve(more);
        self.reserve_pasts(games);
    }

    /// Makes the past positions of `games` games. There may be more of them than games: those of a removed game are
    /// kept for the next one.
    fn reserve_pasts(&mut self, games: usize) {
        let program = self.game.program();
        if !program.pasts.is_empty() {
            while self.pasts.len() < games {
                self.pasts.push(program.pasts.iter().map(Past::small).collect());
            }
        }
    }

    /// Adds a game that has not begun. It is the last one.
    pub fn push(&mut self) {
        self.words.extend_from_slice(&self.tables.start);
        self.chance.push(houserule_base::rng::Stream::from_words([0; 4]));
        self.decisions.push(0);
        self.kinds.push();
        self.reserve_pasts(self.count());
    }

    /// Removes a game. The last game takes its place.
    pub fn swap_remove(&mut self, i: usize) {
        let last = self.count() - 1;
        let frame = self.frame;
        self.words.copy_within(last * frame..(last + 1) * frame, i * frame);
        self.words.truncate(last * frame);
        self.chance.swap_remove(i);
        self.decisions.swap_remove(i);
        self.kinds.swap_remove(i);
        if !self.pasts.is_empty() {
            self.pasts.swap(i, last);
        }
    }

    /// Like [`Many::observe`], in the cells of a layout that several games share, and to any rows.
    #[inline(always)]
    pub fn observe_spread<const BMI: bool>(
        &self,
        games: &Range<usize>,
        few: &mut GameBatch,
        map: &SharedMap,
        out: &mut [f32],
        rows: impl BatchRows,
    ) {
        match self.kinds.scales(games) {
            None => map.plan().write::<BMI>(self.frames(games), few, out, rows, own_scale),
            Some(scales) => map.plan().write::<BMI>(self.frames(games), few, out, rows, scales),
        }
    }

    /// Like [`Many::observe_spread`], in bytes.
    #[inline(always)]
    pub fn observe_bytes_spread<const BMI: bool>(
        &self,
        games: &Range<usize>,
        few: &mut GameBatch,
        map: &SharedMap,
        out: &mut [u8],
        rows: impl BatchRows,
    ) {
        map.plan().write_bytes::<BMI>(self.frames(games), few, out, rows);
    }

    /// Like [`Many::write_masks`], for the actions of a layout that several games share, and to any rows.
    #[inline(always)]
    pub fn write_masks_spread<const BMI: bool>(
        &self,
        games: &Range<usize>,
        few: &mut GameBatch,
        map: &SharedMap,
        out: &mut [i8],
        actions: usize,
        rows: impl BatchRows,
    ) {
        self.write_masks_to::<BMI>(games, few, out, actions, rows, |action| map.shared_action(action));
    }
}
