//! Which actions are legal, game by game: masks as bytes, and actions drawn uniformly at random.

#![expect(clippy::needless_range_loop, reason = "plain loops are built alike by every build")]

use std::ops::Range;

use super::Many;
use crate::ActionId;
use crate::choice_layout::{ActionRun, ChoiceLayout};
use crate::observe::{BatchRows, GameBatch, RowsFrom, bits_to_bytes, unsigned};
use houserule_base::rng::Stream;
use houserule_machine::program::{OVER, PENDING};
use houserule_model::board::kernel::{eight_bytes, nth_bit};

/// The mask of a stop point, as small as possible: loops over games read little else of a stop point.
#[derive(Default)]
pub(super) struct StopMask {
    /// The address of the mask and the action of its first bit, if it is one word whose bits are consecutive actions.
    single: Option<(u32, u32)>,
    /// No run if nobody decides.
    runs: Box<[ActionRun]>,
}

impl StopMask {
    /// Returns the masks of stop points, and last that of no decision.
    pub(super) fn all(stops: &[Option<ChoiceLayout>]) -> Vec<StopMask> {
        let mask = |stop: &Option<ChoiceLayout>| match stop {
            Some(stop) => StopMask { single: stop.single_word(), runs: stop.runs().into() },
            None => StopMask::default(),
        };
        stops.iter().map(mask).chain([StopMask::default()]).collect()
    }
}

/// The masks of all games of an array.
#[derive(Clone, Copy)]
pub struct ActionMasks<'a> {
    /// By stop point, and last for no decision.
    masks: &'a [StopMask],
    stops: &'a [Option<ChoiceLayout>],
    frame: usize,
}

impl<'a> ActionMasks<'a> {
    /// Returns the length of a game's words.
    #[inline(always)]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Returns the mask of a stop point, by its index or any number that is none.
    #[inline(always)]
    fn at(self, stop: usize) -> &'a StopMask {
        &self.masks[stop.min(self.masks.len() - 1)]
    }

    /// Returns the mask of what is pending.
    #[inline(always)]
    fn pending(self, frame: &[u64]) -> &'a StopMask {
        // Neither 0 nor `OVER` is the number of a stop point.
        self.at(frame[usize::from(PENDING)].wrapping_sub(1) as usize)
    }

    /// Draws a legal action of a game uniformly at random; a single one takes no random number.
    #[inline(always)]
    pub fn any_action<const BMI: bool>(self, frame: &[u64], stream: &mut Stream) -> Option<u32> {
        if let Some((at, first)) = self.pending(frame).single {
            return Some(first + draw_bit::<BMI>(frame[at as usize], stream)?);
        }
        #[cfg(target_arch = "x86_64")]
        if BMI {
            // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
            return unsafe { draw_fast(self.stops, frame, stream) };
        }
        draw_pending::<BMI>(self.stops, frame, stream)
    }
}

impl Many {
    /// Returns the number of legal actions.
    #[inline(always)]
    pub fn legal_count(&self, i: usize) -> u32 {
        self.pending_stop(i).map_or(0, |stop| self.region(i, stop).iter().map(|word| word.count_ones()).sum())
    }

    /// Returns `true` if an action is legal.
    #[inline(always)]
    pub fn is_legal(&self, i: usize, action: u32) -> bool {
        self.pending_stop(i).is_some_and(|stop| {
            stop.place_of(ActionId(action))
                .is_some_and(|(_, word, bit)| self.region(i, stop)[word] >> bit & 1 == 1)
        })
    }

    /// Returns the legal actions, ascending.
    pub fn legal_actions(&self, i: usize) -> Vec<ActionId> {
        let mut actions = vec![];
        self.for_each_legal(i, |action| actions.push(ActionId(action)));
        actions.sort_unstable();
        actions
    }

    /// Calls `tell` for every legal action, in the order of the mask.
    #[inline(always)]
    pub(super) fn for_each_legal(&self, i: usize, mut tell: impl FnMut(u32)) {
        let Some(stop) = self.pending_stop(i) else { return };
        for (at, word) in self.region(i, stop).iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                tell(stop.action_at(at, word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }

    /// Returns the masks of all games.
    #[inline(always)]
    pub fn masks(&self) -> ActionMasks<'_> {
        ActionMasks { masks: &self.tables.masks, stops: &self.tables.stops, frame: self.frame }
    }

    /// Returns the words of all games.
    #[inline(always)]
    pub fn all_frames(&self) -> &[u64] {
        &self.words
    }

    /// Draws a legal action uniformly at random; a single one takes no random number.
    #[inline(always)]
    pub fn any_action<const BMI: bool>(&self, i: usize, stream: &mut Stream) -> Option<u32> {
        self.masks().any_action::<BMI>(self.frame(i), stream)
    }

    /// Draws the action of a random player, like [`State::random_action`].
    #[inline(always)]
    pub fn random_action<const BMI: bool>(&mut self, i: usize, stream: &mut Stream) -> Option<u32> {
        let number = match self.frame(i)[usize::from(PENDING)] {
            0 | OVER => return None,
            stop => stop as usize - 1,
        };
        let stop = self.tables.stops[number].as_ref()?;
        let legal = &self.words[i * self.frame + stop.region..][..stop.words];
        if stop.tried {
            let (word, bit) = self.candidates.draw(&stop.choice, legal, stream)?;
            return Some(stop.action_at(word, bit));
        }
        let (ordinary, _) = legal.split_at(stop.random_words);
        match ordinary.iter().all(|word| *word == 0) {
            true => draw::<BMI>(stop, legal, stop.random_words, stream),
            false => draw::<BMI>(stop, ordinary, 0, stream),
        }
    }

    /// Writes 1 for every legal action and 0 for all others, in games read by [`Many::read_pending`]; only ones where nobody
    /// decides, because code that masks needs at least one. May overwrite the rest of `out`.
    #[inline(always)]
    pub fn write_masks<const BMI: bool>(&self, games: &Range<usize>, few: &mut GameBatch, out: &mut [i8]) {
        self.write_masks_to::<BMI>(games, few, out, self.game.actions() as usize, RowsFrom(0), |action| {
            action
        });
    }

    /// Like [`Many::write_masks`], of `actions` numbers, in rows at `to`. `place` returns the index of an action.
    #[inline(always)]
    pub(crate) fn write_masks_to<const BMI: bool>(
        &self,
        games: &Range<usize>,
        few: &mut GameBatch,
        out: &mut [i8],
        actions: usize,
        to: impl BatchRows,
        place: impl Fn(u32) -> u32,
    ) {
        match actions {
            0..=8 => self.write_short_masks::<BMI, 1, 1>(games, few, out, actions, to, place),
            9..=16 => self.write_short_masks::<BMI, 1, 2>(games, few, out, actions, to, place),
            17..=64 => self.write_short_masks::<BMI, 1, 0>(games, few, out, actions, to, place),
            65..=128 => self.write_short_masks::<BMI, 2, 0>(games, few, out, actions, to, place),
            _ => {
                let (masks, frames) = (self.masks(), self.frames(games));
                few.clear_rows(actions);
                for game in 0..few.stops().len() {
                    let runs = &masks.at(few.stops()[game] as usize).runs;
                    if runs.is_empty() {
                        few.fill(game, actions);
                    }
                    let frame = &frames[game * self.frame..][..self.frame];
                    for run in runs {
                        few.put(game, place(run.action), run.bits(frame));
                    }
                }
                few.write_bytes::<BMI>(actions, unsigned(out), to);
            }
        }
    }

    /// Like [`Many::write_masks_to`], of at most 64 actions for each of one or two `WORDS`, as `GROUPS` of eight bytes, or
    /// as any number of bytes with 0.
    #[inline(always)]
    fn write_short_masks<const BMI: bool, const WORDS: usize, const GROUPS: usize>(
        &self,
        games: &Range<usize>,
        few: &GameBatch,
        out: &mut [i8],
        actions: usize,
        to: impl BatchRows,
        place: impl Fn(u32) -> u32,
    ) {
        let (masks, frames, stops) = (self.masks(), self.frames(games), few.stops());
        #[cfg(target_arch = "x86_64")]
        if BMI {
            // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
            return unsafe {
                short_masks_fast::<WORDS, GROUPS>(masks, frames, stops, unsigned(out), actions, to, place)
            };
        }
        short_masks::<BMI, WORDS, GROUPS>(masks, frames, stops, unsigned(out), actions, to, place);
    }

    /// Writes 1 for every legal action of one game and 0 for all others.
    pub fn write_mask(&self, i: usize, out: &mut [i8]) {
        out.fill(0);
        let frame = self.frame(i);
        for run in &self.masks().pending(frame).runs {
            let (bits, count) = (run.bits(frame), run.count() as usize);
            bits_to_bytes::<false>(move |_| bits, count, unsigned(&mut out[run.action as usize..][..count]));
        }
    }
}

/// Writes masks as [`Many::write_short_masks`] does.
#[inline(always)]
fn short_masks<const BMI: bool, const WORDS: usize, const GROUPS: usize>(
    masks: ActionMasks<'_>,
    frames: &[u64],
    stops: &[u32],
    out: &mut [u8],
    actions: usize,
    to: impl BatchRows,
    place: impl Fn(u32) -> u32,
) {
    let mut rest = frames;
    for game in 0..stops.len() {
        let (frame, more) = rest.split_at(masks.frame);
        rest = more;
        let StopMask { single, runs } = masks.at(stops[game] as usize);
        let mut row = [if runs.is_empty() { u64::MAX } else { 0 }; WORDS];
        if let (Some((at, first)), 1) = (*single, WORDS) {
            row[0] = frame[at as usize] << (place(first) & 63);
        } else {
            for run in runs {
                let bits = u128::from(run.bits(frame)) << (place(run.action) % (64 * WORDS as u32));
                for word in 0..WORDS {
                    row[word] |= (bits >> (64 * word)) as u64;
                }
            }
        }
        let bytes = to.row(out, game, actions);
        match bytes.as_chunks_mut().0.first_chunk_mut::<GROUPS>() {
            Some(groups) if GROUPS > 0 => {
                for group in 0..GROUPS {
                    groups[group] = eight_bytes::<BMI>(row[0] >> (8 * group));
                }
            }
            _ => bits_to_bytes::<BMI>(move |word| row[word % WORDS], actions, bytes),
        }
    }
}

/// A function of its own: among other code, its variables would be kept in memory.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn short_masks_fast<const WORDS: usize, const GROUPS: usize>(
    masks: ActionMasks<'_>,
    frames: &[u64],
    stops: &[u32],
    out: &mut [u8],
    actions: usize,
    to: impl BatchRows,
    place: impl Fn(u32) -> u32,
) {
    short_masks::<true, WORDS, GROUPS>(masks, frames, stops, out, actions, to, place);
}

/// Draws a set bit of a word uniformly at random. A single one takes no random number.
#[inline(always)]
fn draw_bit<const BMI: bool>(word: u64, stream: &mut Stream) -> Option<u32> {
    let n = word.count_ones();
    if n == 0 {
        return None;
    }
    Some(nth_bit::<BMI>(word, stream.below_if(n > 1, n.into()) as u32))
}

/// Draws an action of the pending choice.
#[inline(always)]
fn draw_pending<const BMI: bool>(
    stops: &[Option<ChoiceLayout>],
    frame: &[u64],
    stream: &mut Stream,
) -> Option<u32> {
    // Neither 0 nor `OVER` is the number of a stop point.
    let stop = stops.get(frame[usize::from(PENDING)].wrapping_sub(1) as usize)?.as_ref()?;
    draw::<BMI>(stop, &frame[stop.region..][..stop.words], 0, stream)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn draw_fast(stops: &[Option<ChoiceLayout>], frame: &[u64], stream: &mut Stream) -> Option<u32> {
    draw_pending::<true>(stops, frame, stream)
}

/// Draws a bit of a mask from word `first` on, uniformly at random, and returns its action.
#[inline(always)]
fn draw<const BMI: bool>(
    stop: &ChoiceLayout,
    legal: &[u64],
    first: usize,
    stream: &mut Stream,
) -> Option<u32> {
    if let [word] = legal {
        return Some(stop.action_at(0, draw_bit::<BMI>(*word, stream)?));
    }
    let mut n = 0;
    for word in &legal[first..] {
        n += word.count_ones();
    }
    if n == 0 {
        return None;
    }
    let mut k = if n == 1 { 0 } else { stream.below(n.into()) as u32 };
    for (at, word) in legal.iter().enumerate().skip(first) {
        let here = word.count_ones();
        if k < here {
            return Some(stop.action_at(at, nth_bit::<BMI>(*word, k)));
        }
        k -= here;
    }
    None
}
