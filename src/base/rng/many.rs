//! The streams of several games of a run, which lie where compiled code draws from them.

use super::ahead::Ahead;
use super::{GAMES_ABREAST, GOLDEN, MAX_PLAYERS, Streams, game_keys, mix};

/// The streams of several games. They are filled together, because wide vector registers compute many words at once.
#[derive(Debug)]
pub struct ManyStreams {
    layout: StreamLayout,
    /// Number of sources of a game: chance and each seat.
    sources: usize,
    /// The first source that is filled: 0 is chance, 1 if nothing draws from it.
    first: usize,
}

#[derive(Debug)]
enum StreamLayout {
    /// One game after another, each only as long as its seats need.
    Whole(Vec<u64>),
    /// With words that are drawn ahead.
    Ahead(Ahead),
}

impl ManyStreams {
    /// Words of one [`Streams`].
    const WHOLE: usize = size_of::<Streams>() / 8;

    /// Makes room for the streams of `games` games. With `ahead`, each stream holds words that are drawn ahead, and no
    /// [`Streams`] can be read there.
    pub fn new(games: usize, players: usize, chance: bool, ahead: bool) -> Self {
        let sources = 1 + players.min(MAX_PLAYERS);
        let layout = match ahead {
            true => StreamLayout::Ahead(Ahead::new(games, sources)),
            false => StreamLayout::Whole(vec![0; games * 4 * sources + Self::WHOLE]),
        };
        ManyStreams { layout, sources, first: usize::from(!chance) }
    }

    /// Returns `true` if words are drawn ahead.
    pub fn is_ahead(&self) -> bool {
        matches!(self.layout, StreamLayout::Ahead(_))
    }

    /// Fills in the streams of `games` games from `index` on, and returns a pointer to the first.
    pub fn restart(&mut self, seed: u64, index: u64, games: usize) -> *mut Streams {
        match &mut self.layout {
            StreamLayout::Ahead(ahead) => ahead.restart(games, self.sources, self.first, seed, index).cast(),
            StreamLayout::Whole(words) => {
                let stride = 4 * self.sources;
                seeds(&mut words[..games * stride], stride, self.first, seed, index);
                words.as_mut_ptr().cast()
            }
        }
    }

    /// Bytes from one game to the next, where no words are drawn ahead.
    pub fn bytes(players: usize) -> usize {
        32 * (1 + players)
    }

    /// Returns `true` if the streams of a game go on as these do. Chance has no stream if nothing draws from
    /// it.
    pub fn go_on_as(&self, game: usize, streams: &Streams) -> bool {
        (self.first..self.sources).all(|source| {
            let stream = if source == 0 { streams.chance } else { streams.seats[source - 1] };
            match &self.layout {
                StreamLayout::Ahead(ahead) => ahead.goes_on_as(game, self.sources, source, stream),
                StreamLayout::Whole(words) => {
                    let at = 4 * (game * self.sources + source);
                    stream.0 == words[at..at + 4]
                }
            }
        })
    }
}

for_processor! {
    /// Fills in the streams of consecutive games as [`Streams::restart`] does.
    fn seeds(words: &mut [u64], stride: usize, first: usize, seed: u64, index: u64) {
        for (group, words) in words.chunks_mut(stride * GAMES_ABREAST).enumerate() {
            let keys = game_keys(seed, index.wrapping_add((GAMES_ABREAST * group) as u64));
            for (words, key) in words.chunks_exact_mut(stride).zip(keys) {
                let before = key.wrapping_add(GOLDEN.wrapping_mul(4 * first as u64 + 1));
                for (k, word) in words[4 * first..].iter_mut().enumerate() {
                    *word = mix(before.wrapping_add(GOLDEN.wrapping_mul(k as u64)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_streams_are_those_of_each_game() {
        for players in [1, 2, 5, MAX_PLAYERS] {
            for (chance, ahead) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut many = ManyStreams::new(19, players, chance, ahead);
                many.restart(3, 11, 19);
                for game in 0..19 {
                    let mut one = Streams::new(3, 11 + game as u64, players);
                    assert!(many.go_on_as(game, &one), "{players} {chance} {ahead} {game}");
                    one.seat(players - 1).next_word();
                    assert!(!many.go_on_as(game, &one), "{players} {chance} {ahead} {game}");
                }
            }
        }
    }
}
