//! Observations of a batch of games: all bits are gathered into one row per game, one part of the observation
//! after the other. Then all rows are written as numbers, and numeric entries over them.

#![expect(clippy::needless_range_loop, reason = "plain loops are unrolled by every build")]

use super::dtype::{Dtype, DtypeError, half};
use super::expand::{bits_to_bytes, bits_to_floats, bits_to_halves, bits_to_packed};
use super::plan::{BitPart, Bits, Number, NumberPart, ObservationPlan, WordSource};
use crate::Seat;
use crate::state::State;
use houserule_machine::program::PENDING;

/// No player.
pub const NOBODY: u32 = u32::MAX;

/// Maximum number of games in a batch. Each part of an observation is a short loop over all of them.
pub const BATCH: usize = 32;

/// Where the rows of a batch of games begin in a slice.
pub trait BatchRows: Copy {
    /// Returns the row of a game. It may be longer than `len`, the length of what is written.
    fn row<T>(self, out: &mut [T], game: usize, len: usize) -> &mut [T];

    /// Returns a cell of a game's row.
    fn cell<T>(self, out: &mut [T], game: usize, len: usize, at: usize) -> &mut T;
}

/// Rows one after the other, from this one on. What is written may reach into the next one, which is written later.
#[derive(Clone, Copy)]
pub struct RowsFrom(pub usize);

impl BatchRows for RowsFrom {
    #[inline(always)]
    fn row<T>(self, out: &mut [T], game: usize, len: usize) -> &mut [T] {
        &mut out[(self.0 + game) * len..]
    }

    #[inline(always)]
    fn cell<T>(self, out: &mut [T], game: usize, len: usize, at: usize) -> &mut T {
        &mut out[(self.0 + game) * len + at]
    }
}

/// Rows at any places of a slice, by game.
#[derive(Clone, Copy)]
pub struct SpreadRows<'a>(pub &'a [u32]);

impl BatchRows for SpreadRows<'_> {
    #[inline(always)]
    fn row<T>(self, out: &mut [T], game: usize, len: usize) -> &mut [T] {
        &mut out[self.0[game] as usize * len..][..len]
    }

    #[inline(always)]
    fn cell<T>(self, out: &mut [T], game: usize, len: usize, at: usize) -> &mut T {
        &mut out[self.0[game] as usize * len + at]
    }
}

/// A batch of games, with buffers for their observations.
#[derive(Clone, Debug)]
pub struct GameBatch {
    /// Number of games.
    count: usize,
    /// By game: the pending stop point, or the number of stop points if no decision is pending.
    stops: [u32; BATCH],
    /// By game: the player to move, or [`NOBODY`].
    actors: [u32; BATCH],
    /// By game: who sees the observation.
    pub viewers: [u32; BATCH],
    /// By word of a row, and by game.
    rows: Vec<[u64; BATCH]>,
}

impl Default for GameBatch {
    /// Returns an empty batch.
    fn default() -> GameBatch {
        GameBatch { count: 0, stops: [0; BATCH], actors: [NOBODY; BATCH], viewers: [0; BATCH], rows: vec![] }
    }
}

impl GameBatch {
    /// Returns, by game, the pending stop point, or the number of stop points if no decision is pending.
    #[inline(always)]
    pub(crate) fn stops(&self) -> &[u32] {
        &self.stops[..self.count]
    }

    /// Returns, by game, the player to move, or [`NOBODY`].
    #[inline(always)]
    pub fn actors(&self) -> &[u32] {
        &self.actors[..self.count]
    }

    /// Returns, by game, the player to move, or [`NOBODY`], and who sees the observation.
    #[inline(always)]
    pub fn seats(&mut self) -> (&[u32; BATCH], &mut [u32; BATCH]) {
        (&self.actors, &mut self.viewers)
    }

    /// Makes an empty row of this many bits for every game.
    #[inline(always)]
    pub(crate) fn clear_rows(&mut self, bits: usize) {
        // One extra word, because bits may reach into the next one.
        let width = bits.div_ceil(64) + 1;
        if self.rows.len() < width {
            self.rows.resize(width, [0; BATCH]);
        }
        for word in &mut self.rows[..width] {
            *word = [0; BATCH];
        }
    }

    /// Makes a row of ones for a game.
    #[inline(always)]
    pub(crate) fn fill(&mut self, game: usize, bits: usize) {
        for word in &mut self.rows[..bits.div_ceil(64)] {
            word[game % BATCH] = u64::MAX;
        }
    }

    /// Puts bits into the row of a game, from bit `to` on.
    #[inline(always)]
    pub(crate) fn put(&mut self, game: usize, to: u32, bits: u64) {
        let (word, shift) = ((to / 64) as usize, to % 64);
        self.rows[word][game % BATCH] |= bits << shift;
        self.rows[word + 1][game % BATCH] |= bits >> 1 >> (63 - shift);
    }

    /// Sets bit `ones[game]` of the `size` bits from `to` on in each row, if it is one of them.
    #[inline(always)]
    fn put_ones(&mut self, to: u32, size: u32, ones: &[u64; BATCH]) {
        let (first, shift) = ((to / 64) as usize, to % 64);
        let count = self.count.min(BATCH);
        if shift + size <= 64 {
            let column = &mut self.rows[first];
            for game in 0..count {
                let is = u64::from(ones[game] < size.into());
                column[game] |= is << (ones[game].wrapping_add(shift.into()) & 63);
            }
            return;
        }
        for game in 0..count {
            if ones[game] < size.into() {
                let bit = u64::from(to) + ones[game];
                self.rows[bit as usize / 64][game] |= 1 << (bit % 64);
            }
        }
    }

    /// Writes the rows as numbers 0.0 and 1.0, `bits` of each.
    #[inline(always)]
    fn write_floats<const BMI: bool>(&self, bits: usize, out: &mut [f32], to: impl BatchRows) {
        #[cfg(target_arch = "x86_64")]
        if BMI {
            // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
            return unsafe { rows_to_floats_fast(&self.rows, self.count, bits, out, to) };
        }
        rows_to_floats::<BMI>(&self.rows, self.count, bits, out, to);
    }

    /// Writes the rows as half-precision floats 0.0 and 1.0, `bits` of each.
    #[inline(always)]
    fn write_halves(&self, bits: usize, out: &mut [u16]) {
        for game in 0..self.count {
            bits_to_halves(|word| self.rows[word][game % BATCH], bits, &mut out[game * bits..]);
        }
    }

    /// Writes the rows as bytes 0 and 1, `bits` of each.
    #[inline(always)]
    pub(crate) fn write_bytes<const BMI: bool>(&self, bits: usize, out: &mut [u8], to: impl BatchRows) {
        for game in 0..self.count.min(BATCH) {
            bits_to_bytes::<BMI>(|word| self.rows[word][game % BATCH], bits, to.row(out, game, bits));
        }
    }

    /// Copies the rows, `bits` of each, padded to whole bytes.
    #[inline(always)]
    fn write_packed(&self, bits: usize, out: &mut [u8]) {
        let bytes = bits.div_ceil(8);
        for game in 0..self.count {
            bits_to_packed(|word| self.rows[word][game % BATCH], bits, &mut out[game * bytes..]);
        }
    }
}

/// Writes rows of bits as numbers 0.0 and 1.0.
#[inline(always)]
fn rows_to_floats<const BMI: bool>(
    rows: &[[u64; BATCH]],
    count: usize,
    bits: usize,
    out: &mut [f32],
    to: impl BatchRows,
) {
    for game in 0..count.min(BATCH) {
        bits_to_floats::<BMI>(move |word| rows[word][game], bits, to.row(out, game, bits));
    }
}

/// A function of its own: among other code, its variables would be kept in memory.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn rows_to_floats_fast(
    rows: &[[u64; BATCH]],
    count: usize,
    bits: usize,
    out: &mut [f32],
    to: impl BatchRows,
) {
    rows_to_floats::<true>(rows, count, bits, out, to);
}

/// Returns the scale of a number in the plan itself.
#[inline(always)]
pub fn own_scale(number: &Number, _index: usize, _game: usize) -> f64 {
    number.scale
}

impl ObservationPlan {
    /// Finds the pending decisions of consecutive games in `words`, at most [`BATCH`].
    #[inline(never)]
    pub(crate) fn read_pending(&self, words: &[u64], few: &mut GameBatch) {
        let none = self.pending.len() as u64 - 1;
        few.count = (words.len() / self.frame).min(BATCH);
        let mut rest = words;
        for game in 0..few.count.min(BATCH) {
            let (words, more) = rest.split_at(self.frame);
            rest = more;
            // Neither 0 nor `OVER` is the number of a stop point.
            let stop = words[usize::from(PENDING)].wrapping_sub(1).min(none) as u32;
            few.stops[game] = stop;
            few.actors[game] = match self.pending[stop as usize].me {
                Some(me) => words[usize::from(me)] as u32,
                None => NOBODY,
            };
        }
    }

    /// Writes the observations of the games that [`ObservationPlan::look`] has found. If `out` is longer, some numbers
    /// after the observations may be overwritten. `scale` returns the scale of a number from its plan, its index and the
    /// index of the game.
    #[inline(always)]
    pub(crate) fn write<const BMI: bool>(
        &self,
        words: &[u64],
        few: &mut GameBatch,
        out: &mut [f32],
        to: impl BatchRows,
        scale: impl Fn(&Number, usize, usize) -> f64,
    ) {
        self.gather_all(words, few);
        few.write_floats::<BMI>(self.len, out, to);
        for (index, part) in self.numbers.iter().enumerate() {
            self.number(part, words, few, out, to, |game| scale(&part.number, index, game));
        }
    }

    /// Like [`ObservationPlan::write`], in half-precision floats: those of `write`, rounded.
    #[inline(always)]
    pub(crate) fn write_halves(
        &self,
        words: &[u64],
        few: &mut GameBatch,
        out: &mut [u16],
        scale: impl Fn(&Number, usize, usize) -> f64,
    ) {
        self.gather_all(words, few);
        few.write_halves(self.len, out);
        // The parts of a sum follow each other. A half has no room for it until it is scaled.
        let mut sums = [0.0; BATCH];
        for (index, part) in self.numbers.iter().enumerate() {
            let Number { more, open, .. } = part.number;
            let places = self.places(part, words, few);
            for game in 0..few.count.min(BATCH) {
                let scale = scale(&part.number, index, game);
                // A variable without a range has all 64 bits.
                let place = places[game] as u64 as f64;
                let sum = if more { f64::from(sums[game]) + place } else { place };
                if open {
                    sums[game] = sum as f32;
                } else {
                    out[game * self.len + part.to as usize] = half((sum * scale) as f32);
                }
            }
        }
    }

    /// Like [`ObservationPlan::write`], in bytes: bits are 0 and 1, and a number is its value minus the minimum of its
    /// range. No range may be wider than a byte.
    #[inline(always)]
    pub(crate) fn write_bytes<const BMI: bool>(
        &self,
        words: &[u64],
        few: &mut GameBatch,
        out: &mut [u8],
        to: impl BatchRows,
    ) {
        self.gather_all(words, few);
        few.write_bytes::<BMI>(self.len, out, to);
        for part in &self.numbers {
            let places = self.places(part, words, few);
            for game in 0..few.count.min(BATCH) {
                let out = to.cell(out, game, self.len, part.to as usize);
                let before = if part.number.more { *out } else { 0 };
                *out = before.wrapping_add(places[game] as u8);
            }
        }
    }

    /// Like [`ObservationPlan::write`], in bits: every number has two possible values. Each observation is padded to
    /// whole bytes.
    #[inline(always)]
    pub(crate) fn write_packed(&self, words: &[u64], few: &mut GameBatch, out: &mut [u8]) {
        self.gather_all(words, few);
        for part in &self.numbers {
            let places = self.places(part, words, few);
            for game in 0..few.count.min(BATCH) {
                few.put(game, part.to, places[game] as u64 & 1);
            }
        }
        few.write_packed(self.len, out);
    }

    /// Gathers all parts that are bits.
    #[inline(always)]
    fn gather_all(&self, words: &[u64], few: &mut GameBatch) {
        few.clear_rows(self.len);
        for part in &self.bits {
            self.gather(part, words, few);
        }
    }

    #[inline(always)]
    fn gather(&self, part: &BitPart, words: &[u64], few: &mut GameBatch) {
        let (to, count) = (part.to, few.count.min(BATCH));
        match part.bits {
            Bits::Word { mask } => {
                let words = self.load(&part.source, 0, words, few);
                let (column, shift) = ((to / 64) as usize, to % 64);
                let low = &mut few.rows[column];
                for game in 0..count {
                    low[game] |= (words[game] & mask) << shift;
                }
                if shift > mask.leading_zeros() {
                    let high = &mut few.rows[column + 1];
                    for game in 0..count {
                        high[game] |= (words[game] & mask) >> 1 >> (63 - shift);
                    }
                }
            }
            Bits::Players => {
                let sets = self.load(&part.source, 0, words, few);
                for game in 0..count {
                    let (set, viewer) = (sets[game], few.viewers[game]);
                    let turned = set >> viewer | set << (self.players - viewer);
                    few.put(game, to, turned & !(u64::MAX << self.players));
                }
            }
            Bits::Element { low, size } => {
                let mut elements = self.load(&part.source, u64::MAX, words, few);
                for element in &mut elements[..count] {
                    *element = element.wrapping_sub(low);
                }
                few.put_ones(to, size, &elements);
            }
            Bits::Player => {
                let mut players = self.load(&part.source, u64::MAX, words, few);
                self.as_seen(&mut players, few);
                few.put_ones(to, self.players, &players);
            }
            Bits::Actor => {
                let mut actors = [u64::MAX; BATCH];
                for game in 0..count {
                    if few.actors[game] != NOBODY {
                        actors[game] = few.actors[game].into();
                    }
                }
                self.as_seen(&mut actors, few);
                few.put_ones(to, self.players, &actors);
            }
            Bits::Seat => {
                let mut seats = [0; BATCH];
                for game in 0..count {
                    seats[game] = few.viewers[game].into();
                }
                few.put_ones(to, self.players, &seats);
            }
            Bits::Choice { size } => {
                let mut choices = [u64::MAX; BATCH];
                for game in 0..count {
                    choices[game] = self.pending[few.stops[game] as usize].choice.into();
                }
                few.put_ones(to, size, &choices);
            }
        }
    }

    #[inline(always)]
    fn number(
        &self,
        part: &NumberPart,
        words: &[u64],
        few: &GameBatch,
        out: &mut [f32],
        to: impl BatchRows,
        scale: impl Fn(usize) -> f64,
    ) {
        let Number { more, open, .. } = part.number;
        let places = self.places(part, words, few);
        for game in 0..few.count.min(BATCH) {
            // A variable without a range has all 64 bits.
            let place = places[game] as u64 as f64;
            let out = to.cell(out, game, self.len, part.to as usize);
            // Sums are of integers, so that rounding doesn't reveal their parts.
            let sum = if more { f64::from(*out) + place } else { place };
            *out = if open { sum as f32 } else { (sum * scale(game)) as f32 };
        }
    }

    /// Returns, by game, a number minus the minimum of its range.
    #[inline(always)]
    fn places(&self, part: &NumberPart, words: &[u64], few: &GameBatch) -> [i64; BATCH] {
        let Number { low, bits, .. } = part.number;
        let numbers = self.load(&part.source, low as u64, words, few);
        let mut places = [0; BATCH];
        for game in 0..few.count.min(BATCH) {
            let number = if bits { numbers[game].count_ones().into() } else { numbers[game] as i64 };
            places[game] = number.wrapping_sub(low);
        }
        places
    }

    /// Returns, by game, the word of a part, or `closed` where the part is not shown.
    ///
    /// A function of its own: among other code, its variables would be kept in memory.
    #[inline(never)]
    fn load(&self, source: &WordSource, closed: u64, words: &[u64], few: &GameBatch) -> [u64; BATCH] {
        let mut loaded = [0; BATCH];
        let (count, frame) = (few.count.min(BATCH), self.frame);
        let mut first = 0;
        match &self.addresses[source.at as usize..][..source.addresses as usize] {
            [at] => {
                for game in 0..count {
                    loaded[game] = words[first + *at as usize];
                    first += frame;
                }
            }
            by_viewer => {
                for game in 0..count {
                    loaded[game] = words[first + by_viewer[few.viewers[game] as usize] as usize];
                    first += frame;
                }
            }
        }
        if let Some(during) = &source.during {
            for game in 0..count {
                if !during.shows(Some(few.stops[game] as usize), few.viewers[game]) {
                    loaded[game] = closed;
                }
            }
        }
        loaded
    }

    /// Makes players relative to their viewers.
    #[inline(always)]
    fn as_seen(&self, players: &mut [u64; BATCH], few: &GameBatch) {
        for game in 0..few.count.min(BATCH) {
            players[game] = self.seen(players[game], few.viewers[game]);
        }
    }

    /// Returns a player relative to a viewer. None stays none.
    #[inline(always)]
    fn seen(&self, player: u64, viewer: u32) -> u64 {
        let (players, viewer) = (u64::from(self.players), u64::from(viewer));
        player.wrapping_sub(viewer).wrapping_add(if player < viewer { players } else { 0 })
    }
}

impl State {
    /// Returns what a player sees: [`crate::Game::observation_len`] numbers from 0 to 1, in the order
    /// of [`crate::Game::observation_spec`].
    ///
    /// # Panics
    /// If the game has no such player.
    pub fn observation(&self, player: Seat) -> Vec<f32> {
        let plan = self.game().observation_plan();
        let mut out = vec![0.0; plan.len()];
        let mut few = GameBatch::default();
        few.viewers[0] = player.0;
        plan.read_pending(self.words(), &mut few);
        plan.write::<false>(self.words(), &mut few, &mut out, RowsFrom(0), own_scale);
        out
    }

    /// Like [`State::observation`], in half-precision floats, as their bits.
    ///
    /// # Panics
    /// If the game has no such player.
    pub fn observation_halves(&self, player: Seat) -> Vec<u16> {
        let plan = self.game().observation_plan();
        let mut out = vec![0; plan.len()];
        let mut few = GameBatch::default();
        few.viewers[0] = player.0;
        plan.read_pending(self.words(), &mut few);
        plan.write_halves(self.words(), &mut few, &mut out, own_scale);
        out
    }

    /// Like [`State::observation`], in bytes: [`Dtype::Uint8`], [`Dtype::Bool`] or [`Dtype::Bits`]. Fails if the
    /// game's observations don't fit.
    ///
    /// # Panics
    /// If the game has no such player.
    pub fn observation_bytes(&self, player: Seat, dtype: Dtype) -> Result<Vec<u8>, DtypeError> {
        self.game().check_dtype(dtype)?;
        let plan = self.game().observation_plan();
        let mut out = vec![0; dtype.size(plan.len())];
        let mut few = GameBatch::default();
        few.viewers[0] = player.0;
        plan.read_pending(self.words(), &mut few);
        match dtype {
            Dtype::Bits => plan.write_packed(self.words(), &mut few, &mut out),
            _ => plan.write_bytes::<false>(self.words(), &mut few, &mut out, RowsFrom(0)),
        }
        Ok(out)
    }
}
