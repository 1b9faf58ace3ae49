//! Streams whose first words are drawn ahead, side by side for several games: one vector operation draws a word for each of
//! them, and compiled code takes a word with one load. Once these words are used up, it draws from the state.
//!
//! A stream is a column of rows, and a row has a word for each of [`GAMES_ABREAST`] games: four rows of the generator's
//! state after the words that are drawn ahead, one of the position of the next word, and the words.

use super::{GAMES_ABREAST, GOLDEN, Stream, game_keys, mix, step};

/// Number of words that are drawn ahead.
const DRAWN: usize = 16;
/// Number of rows of a source.
const ROWS: usize = 5 + DRAWN;

/// Bytes from one word of a stream to the next.
pub const ROW: usize = size_of::<WordRow>();
/// Offset of the position in a stream, in bytes. A position is the offset of a word from the first one, in bytes.
pub const POSITION: usize = 4 * ROW;
/// Offset of the first word in a stream, in bytes.
pub const WORDS: usize = 5 * ROW;
/// Bytes from one source of a game to the next.
pub const SOURCE: usize = ROWS * ROW;
/// The position after the last word.
pub const USED_UP: usize = DRAWN * ROW;

/// A word of each game, in one line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct WordRow([u64; GAMES_ABREAST]);

/// The streams of several games.
#[derive(Debug)]
pub(super) struct Ahead(Vec<WordRow>);

impl Ahead {
    pub(super) fn new(games: usize, sources: usize) -> Self {
        Ahead(vec![WordRow::default(); games.div_ceil(GAMES_ABREAST) * sources * ROWS])
    }

    /// Fills in the streams of `games` games, from source `first` on.
    pub(super) fn restart(
        &mut self,
        games: usize,
        sources: usize,
        first: usize,
        seed: u64,
        index: u64,
    ) -> *mut u64 {
        fill(&mut self.0[..games.div_ceil(GAMES_ABREAST) * sources * ROWS], sources, first, seed, index);
        self.0.as_mut_ptr().cast()
    }

    /// Returns `true` if the stream of a source goes on as this one does.
    pub(super) fn goes_on_as(&self, game: usize, sources: usize, source: usize, mut stream: Stream) -> bool {
        let rows = &self.0[(game / GAMES_ABREAST * sources + source) * ROWS..][..ROWS];
        let at = |row: usize| rows[row].0[game % GAMES_ABREAST];
        let next = 5 + at(4) as usize / ROW;
        (next..ROWS).all(|row| stream.next_word() == at(row)) && stream.0 == [0, 1, 2, 3].map(at)
    }
}

for_processor! {
    /// Fills in the streams of consecutive games, from source `first` on.
    fn fill(rows: &mut [WordRow], sources: usize, first: usize, seed: u64, index: u64) {
        for (group, rows) in rows.chunks_exact_mut(sources * ROWS).enumerate() {
            let keys = game_keys(seed, index.wrapping_add((GAMES_ABREAST * group) as u64));
            for (source, rows) in rows.chunks_exact_mut(ROWS).enumerate().skip(first) {
                let mut state = [[0; GAMES_ABREAST]; 4];
                for (k, words) in state.iter_mut().enumerate() {
                    let before = GOLDEN.wrapping_mul((4 * source + k + 1) as u64);
                    for game in 0..GAMES_ABREAST {
                        words[game] = mix(keys[game].wrapping_add(before));
                    }
                }
                let [mut a, mut b, mut c, mut d] = state;
                for row in &mut rows[5..] {
                    for game in 0..GAMES_ABREAST {
                        let (word, next) = step([a[game], b[game], c[game], d[game]]);
                        row.0[game] = word;
                        [a[game], b[game], c[game], d[game]] = next;
                    }
                }
                rows[..5].copy_from_slice(&[WordRow(a), WordRow(b), WordRow(c), WordRow(d), WordRow::default()]);
            }
        }
    }
}
