//! Random numbers: named streams, bounded integers and picks. The code that games draw with is the project's own, so
//! that a seed gives the same games in every version, and because streams lie in the memory of games, where machine
//! code draws from them. A [`Stream`] is also a generator of the crate [`rand`]: all else draws through its traits.
//!
//! Game *i* of a run with seed *s* has one stream for chance and one for each seat's player. Each stream is a
//! function of (*s*, *i*, source) alone. The generator is xoshiro256++ 1.0 (Blackman and Vigna,
//! <https://prng.di.unimi.it/xoshiro256plusplus.c>), its state filled by SplitMix64 from the same site.

/// Declares a function that is compiled for several processors, and calls the one for this processor.
macro_rules! for_processor {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $body:block) => {
        $(#[$doc])*
        fn $name($($arg: $ty),*) {
            #[inline(always)]
            fn plain($($arg: $ty),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $ty),*) {
                    plain($($arg),*);
                }
                #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
                fn widest($($arg: $ty),*) {
                    plain($($arg),*);
                }
                use std::arch::is_x86_feature_detected as has;
                if has!("avx512f") && has!("avx512dq") && has!("avx512vl") {
                    // SAFETY: the processor has the features that `widest` is compiled for.
                    return unsafe { widest($($arg),*) };
                }
                if has!("avx2") {
                    // SAFETY: the processor has the feature that `wide` is compiled for.
                    return unsafe { wide($($arg),*) };
                }
            }
            plain($($arg),*);
        }
    };
}

mod ahead;
mod many;

use std::convert::Infallible;
use std::hint::select_unpredictable;

use rand::TryRng;
use rand::rand_core::utils;

pub use ahead::{POSITION, ROW, SOURCE, USED_UP, WORDS};
pub use many::ManyStreams;

/// Maximum number of players of a game.
pub const MAX_PLAYERS: usize = 16;

/// Number of games whose streams are computed together, because wide vector registers hold a word of each.
pub const GAMES_ABREAST: usize = 8;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The multiplier of a game's index.
const INDEX: u64 = 0xd134_2543_de82_ef95;
/// The multipliers of SplitMix64.
const MIX: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// The output function of SplitMix64.
#[inline(always)]
fn mix(x: u64) -> u64 {
    let z = (x ^ (x >> 30)).wrapping_mul(MIX[0]);
    let z = (z ^ (z >> 27)).wrapping_mul(MIX[1]);
    z ^ (z >> 31)
}

/// Returns the word of a state of xoshiro256++, and the next state.
#[inline(always)]
fn step([s0, s1, s2, s3]: [u64; 4]) -> (u64, [u64; 4]) {
    let word = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
    let (x2, x3) = (s2 ^ s0, s3 ^ s1);
    (word, [s0 ^ x3, s1 ^ x2, x2 ^ (s1 << 17), x3.rotate_left(45)])
}

/// A xoshiro256++ generator. Its own methods give the same numbers in every version. So do its words as a
/// [`rand::Rng`]; what [`rand`] makes of them may change with that crate.
///
/// ```
/// # use houserule_base as houserule;
/// use houserule::rng::Stream;
/// use rand::RngExt;
/// use rand::seq::{IndexedRandom, SliceRandom};
///
/// let mut stream = Stream::new(7, 0, 1);
/// let mut cards: Vec<u32> = (1..=52).collect();
/// cards.shuffle(&mut stream);
/// let hand: [u32; 5] = cards.sample_array(&mut stream).ok_or("too few cards")?;
/// let (card, die) = (cards.choose(&mut stream), stream.random_range(1..=6));
/// assert!(hand.iter().all(|held| cards.contains(held)) && card.is_some() && die < 7);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Stream([u64; 4]);

impl Stream {
    /// The stream of a source in a game: source 0 is chance, source *p* + 1 the player of seat *p*.
    #[inline(always)]
    pub fn new(seed: u64, index: u64, source: u64) -> Self {
        Self::of_game(game_key(seed, index), source)
    }

    #[inline(always)]
    fn of_game(key: u64, source: u64) -> Self {
        // Four steps of SplitMix64. Sources are four steps apart, so their states don't overlap.
        let x = key.wrapping_add(source.wrapping_mul(4).wrapping_mul(GOLDEN));
        let at = |k: u64| mix(x.wrapping_add(k.wrapping_mul(GOLDEN)));
        Stream([at(1), at(2), at(3), at(4)])
    }

    /// The next 64 bits.
    #[inline(always)]
    pub fn next_word(&mut self) -> u64 {
        let (result, state) = step(self.0);
        self.0 = state;
        result
    }

    /// Draws one of `0..n`, uniform but for a bias below n/2⁶⁴. Takes one word, by multiply-shift (Lemire,
    /// <https://arxiv.org/abs/1805.10941>). `n` is at least 1; a caller with n = 1 need not draw.
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_word()) * u128::from(n)) >> 64) as u64
    }

    /// Like [`Stream::below`] if `draw`, else returns 0 without drawing. Branch-free, for a `draw` that is hard to
    /// predict.
    #[inline(always)]
    pub fn below_if(&mut self, draw: bool, n: u64) -> u64 {
        let mut drawn = *self;
        let value = drawn.below(n);
        for (word, drawn) in self.0.iter_mut().zip(drawn.0) {
            *word = select_unpredictable(draw, drawn, *word);
        }
        select_unpredictable(draw, value, 0)
    }

    /// The state of the generator, for saving.
    pub fn to_words(self) -> [u64; 4] {
        self.0
    }

    /// Restores a generator from its saved state.
    pub fn from_words(words: [u64; 4]) -> Self {
        Stream(words)
    }
}

/// The generator of the crate `rand`, whose `Rng` and `RngExt` follow from it. Draws the words of
/// [`Stream::next_word`].
impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        // As `rand` does: the lowest bits of xoshiro256++ are its weakest.
        Ok((self.next_word() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_word())
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

/// The key from which the streams of a game are derived.
#[inline(always)]
fn game_key(seed: u64, index: u64) -> u64 {
    mix(mix(seed.wrapping_add(GOLDEN)) ^ index.wrapping_mul(INDEX))
}

/// The keys of consecutive games.
#[inline(always)]
fn game_keys(seed: u64, index: u64) -> [u64; GAMES_ABREAST] {
    let mut keys = [0; GAMES_ABREAST];
    for (game, key) in keys.iter_mut().enumerate() {
        *key = game_key(seed, index.wrapping_add(game as u64));
    }
    keys
}

/// The streams of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Streams {
    /// Dice, picks, shuffles.
    pub chance: Stream,
    seats: [Stream; MAX_PLAYERS],
}

impl Streams {
    /// Offset of the seats' streams, in bytes.
    pub const SEATS: usize = std::mem::offset_of!(Streams, seats);

    /// The streams of game `index` of a run, for `players` seats.
    pub fn new(seed: u64, index: u64, players: usize) -> Self {
        let mut streams = Streams { chance: Stream([0; 4]), seats: [Stream([0; 4]); MAX_PLAYERS] };
        streams.restart(seed, index, players);
        streams
    }

    /// Replaces these by the streams of another game. Doesn't touch unused seats.
    #[inline(always)]
    pub fn restart(&mut self, seed: u64, index: u64, players: usize) {
        let key = game_key(seed, index);
        self.chance = Stream::of_game(key, 0);
        for (seat, stream) in self.seats.iter_mut().enumerate().take(players) {
            *stream = Stream::of_game(key, seat as u64 + 1);
        }
    }

    /// The stream of a seat's player.
    #[inline(always)]
    pub fn seat(&mut self, seat: usize) -> &mut Stream {
        &mut self.seats[seat % MAX_PLAYERS]
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    #[test]
    fn streams_are_xoshiro256plusplus_seeded_by_splitmix64() {
        for seed in (0..100).chain([1 << 40, u64::MAX]) {
            for index in [0, 1, 999, u64::MAX] {
                for source in 0..=2 * MAX_PLAYERS as u64 {
                    let key = game_key(seed, index).wrapping_add(source.wrapping_mul(4).wrapping_mul(GOLDEN));
                    let mut published = Xoshiro256PlusPlus::seed_from_u64(key);
                    let mut stream = Stream::new(seed, index, source);
                    for word in 0..20 {
                        assert_eq!(
                            stream.next_word(),
                            published.next_u64(),
                            "{seed} {index} {source} {word}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn rand_draws_the_words_of_a_stream() {
        let mut stream = Stream::new(3, 1, 4);
        let state: Vec<u8> = stream.to_words().into_iter().flat_map(u64::to_le_bytes).collect();
        let mut published = Xoshiro256PlusPlus::from_seed(state.try_into().unwrap());
        for _ in 0..100 {
            assert_eq!(stream.next_u64(), published.next_u64());
            assert_eq!(stream.next_u32(), published.next_u32());
            let mut bytes = [[0; 13]; 2];
            stream.fill_bytes(&mut bytes[0]);
            published.fill_bytes(&mut bytes[1]);
            assert_eq!(bytes[0], bytes[1]);
        }
    }

    #[test]
    fn rand_draws_the_numbers_that_it_drew_in_earlier_versions() {
        // A seed of `extremes`, `tune` and environments fixes these too.
        let (mut stream, mut drawn) = (Stream::new(1, 0, 0), Stream::new(1, 0, 0));
        for n in (1..10_000).chain([1 << 32, 1 << 53]) {
            assert_eq!(drawn.random_range(0..n), stream.below(n));
            assert_eq!(drawn.random_range(-7..=n as i64), stream.below(n + 8) as i64 - 7);
            assert_eq!(drawn.random::<f64>(), stream.below(1 << 53) as f64 / (1u64 << 53) as f64);
        }
    }

    #[test]
    fn streams_are_functions_of_seed_index_and_source() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..4 {
            for index in 0..50 {
                for source in 0..5 {
                    assert!(seen.insert(Stream::new(seed, index, source).to_words()));
                }
            }
        }
        let mut streams = Streams::new(7, 3, 2);
        assert_eq!(streams.chance, Stream::new(7, 3, 0));
        assert_eq!(*streams.seat(1), Stream::new(7, 3, 2));
    }

    #[test]
    fn pinned() {
        // A change here changes every game of every seed.
        let drawn = |source| {
            let mut stream = Stream::new(1, 0, source);
            [(); 4].map(|()| stream.below(1000))
        };
        assert_eq!(drawn(0), [475, 225, 333, 370]);
        assert_eq!(drawn(1), [710, 75, 118, 430]);
    }

    #[test]
    fn below_is_even() {
        let mut stream = Stream::new(5, 0, 0);
        let mut counts = [0u64; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        // chi² with 5 degrees of freedom: 20.5 is the 0.1 % point.
        let chi: f64 = counts.iter().map(|&c| (c as f64 - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "{counts:?}");
    }
}
