//! The positions of a game so far, for rules with `repeated`.
//!
//! Stored beside the frame: a clone of a state has a copy, and games without `repeated` have none. The next
//! game reuses the memory. Depends on programs; independent of the language.

use crate::program::{PositionWords as Compared, Program, Span16};
use houserule_base::hash::{START, mix};

/// Maximum size of a [`Past`], in words: the words of its positions, and two more for each position. Beyond
/// that, the game is aborted.
const MOST_WORDS: usize = 1 << 23;
/// Initial capacity: maximum number of positions, and maximum size, in words.
const ROOM: (usize, usize) = (1024, 1 << 16);

/// How often each position occurred at the beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Size of a position, in words.
    width: usize,
    /// The positions, each once.
    positions: Vec<u64>,
    /// How often each position occurred.
    counts: Vec<u32>,
    /// A hash table with open addressing: the index of a position plus 1 and, above it, the upper half of the
    /// hash; 0 is free. If the hash matches, the words of the position decide.
    places: Vec<u64>,
    /// A filter with one bit for many hashes. Most positions that are looked up are new. The filter shows
    /// that with few cache lines in all, whereas `places` would need one for each lookup.
    filter: Vec<u64>,
    /// All words of a position, as a span.
    spans: [Span16; 1],
}

/// A position: some words, and the player who moves next if that counts.
struct ComparedPosition<'a> {
    words: &'a [u64],
    spans: &'a [Span16],
    mover: Option<u64>,
}

impl<'a> ComparedPosition<'a> {
    /// Returns what a program compares of a state.
    #[inline(always)]
    fn new(compared: &'a Compared, words: &'a [u64], mover: u64) -> Self {
        ComparedPosition { words, spans: &compared.words, mover: compared.with_mover.then_some(mover) }
    }

    /// Returns a position from its words, which `spans` covers.
    fn stored(words: &'a [u64], spans: &'a [Span16]) -> Self {
        ComparedPosition { words, spans, mover: None }
    }

    #[inline(always)]
    fn for_each(&self, mut then: impl FnMut(u64)) {
        for span in self.spans {
            for word in &self.words[usize::from(span.at)..][..usize::from(span.len)] {
                then(*word);
            }
        }
        if let Some(mover) = self.mover {
            then(mover);
        }
    }

    /// Returns the hash. The words are mixed independently and then added, so that no word waits for the one
    /// before.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let (mut key, mut sum) = (START, 0u64);
        self.for_each(|word| {
            // Without the rotation a compiler would use vector instructions, which take longer for few words.
            sum = sum.rotate_left(23).wrapping_add(mix(key, word));
            key = key.wrapping_add(START);
        });
        mix(START, sum)
    }

    /// Returns `true` if these are the words of the position.
    #[inline(always)]
    fn is(&self, words: &[u64]) -> bool {
        let (mut at, mut differs) = (0, 0);
        self.for_each(|word| {
            differs |= word ^ words[at];
            at += 1;
        });
        differs == 0
    }
}

impl Past {
    /// Creates an empty past for what a program compares.
    pub(crate) fn new(compared: &Compared) -> Self {
        let width = width_of(compared);
        Past::with_room(width, ROOM.0.min(ROOM.1 / width.max(1)).max(16).next_power_of_two())
    }

    /// Like [`Past::new`] with little capacity: for many games, most of them short.
    pub fn small(compared: &Compared) -> Self {
        Past::with_room(width_of(compared), 16)
    }

    fn with_room(width: usize, room: usize) -> Self {
        Past {
            width,
            positions: Vec::with_capacity(width * room),
            counts: Vec::with_capacity(room),
            places: vec![0; 2 * room],
            filter: vec![0; filter_words(2 * room)],
            spans: [Span16 { at: 0, len: width as u16 }],
        }
    }

    /// Returns the positions, and how often each occurred.
    pub fn to_parts(&self) -> (Vec<u64>, Vec<u32>) {
        (self.positions.clone(), self.counts.clone())
    }

    /// Restores what [`Past::to_parts`] returned. Returns `None` if the parts are invalid or a position
    /// occurs twice. Takes no more memory than needed.
    pub fn from_parts(compared: &Compared, positions: &[u64], counts: &[u32]) -> Option<Past> {
        let mut past = Past::small(compared);
        if positions.len() != past.width * counts.len() || positions.len() + 2 * counts.len() > MOST_WORDS {
            return None;
        }
        for (number, count) in counts.iter().enumerate() {
            let spans = past.spans;
            let position = ComparedPosition::stored(&positions[number * past.width..][..past.width], &spans);
            if *count == 0 || past.count(&position) > 0 || !past.enter(&position) {
                return None;
            }
            past.counts[number] = *count;
        }
        Some(past)
    }

    /// Returns the size of the positions and their counts, in words.
    pub fn size(&self) -> usize {
        self.positions.len() + 2 * self.counts.len()
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        if !self.counts.is_empty() {
            self.positions.clear();
            self.counts.clear();
            self.places.fill(0);
            self.filter.fill(0);
        }
    }

    /// Returns the entry of the position with a hash that passes a test, or a free entry for it.
    #[inline(always)]
    fn place(&self, hash: u64, is: impl Fn(&[u64]) -> bool) -> usize {
        let mask = self.places.len() - 1;
        let upper = hash & UPPER;
        let mut at = hash as usize & mask;
        loop {
            let place = self.places[at];
            if place == 0 || place & UPPER == upper && is(self.position(number_at(place))) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn position(&self, number: u32) -> &[u64] {
        &self.positions[number as usize * self.width..][..self.width]
    }

    /// Returns how often a position occurred.
    #[inline(always)]
    fn count(&self, sought: &ComparedPosition<'_>) -> u32 {
        let hash = sought.hash();
        let (word, bit) = self.filter_at(hash);
        if self.filter[word] & bit == 0 { 0 } else { self.count_of(sought, hash) }
    }

    #[cold]
    #[inline(never)]
    fn count_of(&self, sought: &ComparedPosition<'_>, hash: u64) -> u32 {
        match self.places[self.place(hash, |position| sought.is(position))] {
            0 => 0,
            place => self.counts[number_at(place) as usize],
        }
    }

    /// Counts a position. Returns `false` if there is no room for it.
    #[inline(always)]
    fn enter(&mut self, sought: &ComparedPosition<'_>) -> bool {
        let hash = sought.hash();
        let at = self.place(hash, |position| sought.is(position));
        if self.places[at] != 0 {
            let count = &mut self.counts[number_at(self.places[at]) as usize];
            *count = count.saturating_add(1);
            return true;
        }
        if self.positions.len() + self.width + 2 * self.counts.len() > MOST_WORDS {
            return false;
        }
        sought.for_each(|word| self.positions.push(word));
        self.counts.push(1);
        self.occupy(at, hash, self.counts.len());
        if self.counts.len() * 2 > self.places.len() {
            self.grow();
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mask = self.places.len() * 2 - 1;
        self.places.clear();
        self.places.resize(mask + 1, 0);
        self.filter.clear();
        self.filter.resize(filter_words(mask + 1), 0);
        for number in 0..self.counts.len() as u32 {
            let hash = ComparedPosition::stored(self.position(number), &self.spans).hash();
            let mut at = hash as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.occupy(at, hash, number as usize + 1);
        }
    }

    /// Writes an entry: position `number` from 1, and its hash.
    fn occupy(&mut self, at: usize, hash: u64, number: usize) {
        self.places[at] = hash & UPPER | number as u64;
        let (word, bit) = self.filter_at(hash);
        self.filter[word] |= bit;
    }

    /// Returns the word and the bit of the filter for a hash. The table uses the lower half of the hash.
    #[inline(always)]
    fn filter_at(&self, hash: u64) -> (usize, u64) {
        ((hash >> 38) as usize & (self.filter.len() - 1), 1 << (hash >> 32 & 63))
    }

    /// Returns `true` if both have the same positions equally often.
    pub fn same(&self, other: &Past) -> bool {
        self.counts.len() == other.counts.len()
            && (0..).zip(&self.counts).all(|(number, count)| {
                other.count(&ComparedPosition::stored(self.position(number), &self.spans)) == *count
            })
    }
}

/// The upper half of a word.
const UPPER: u64 = u64::MAX << 32;

/// Returns the size of the filter for a table, in words: 32 bits or more for each position, so that at most one new position
/// in 32 is looked up in vain.
fn filter_words(places: usize) -> usize {
    (places / 4).max(1)
}

/// Returns the position's index in an entry that is not free.
#[inline(always)]
fn number_at(place: u64) -> u32 {
    // The index of a position fits in 32 bits.
    (place as u32).wrapping_sub(1)
}

/// Returns the size of a position, in words.
fn width_of(compared: &Compared) -> usize {
    let words: usize = compared.words.iter().map(|span| usize::from(span.len)).sum();
    words + usize::from(compared.with_mover)
}

/// Counts the position at the beginning of a turn. Returns `false` if there are too many.
#[inline]
pub fn note(program: &Program, pasts: &mut [Past], words: &[u64], number: usize) -> bool {
    let (Some(compared), Some(past)) = (program.pasts.get(number), pasts.get_mut(number)) else {
        return true;
    };
    past.enter(&ComparedPosition::new(compared, words, words[usize::from(compared.mover)]))
}

/// Returns `true` if the position occurred at least `times` before, with the same player next if that counts.
#[inline]
pub(crate) fn repeated(program: &Program, pasts: &[Past], words: &[u64], number: usize, times: i64) -> bool {
    let (Some(compared), Some(past)) = (program.pasts.get(number), pasts.get(number)) else {
        return times <= 0;
    };
    let next = if compared.with_mover { next_mover(program, compared, words) } else { 0 };
    i64::from(past.count(&ComparedPosition::new(compared, words, next))) >= times
}

/// Returns the player whose turn is next.
fn next_mover(program: &Program, compared: &Compared, words: &[u64]) -> u64 {
    let named = compared.next.map(|at| words[usize::from(at)]).filter(|next| (*next as i64) >= 0);
    named.unwrap_or_else(|| match compared.round {
        Some((to_come, starter)) if words[usize::from(to_come)] == 0 => words[usize::from(starter)],
        _ => (words[usize::from(compared.mover)] + 1) % u64::from(program.players),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past() -> (Compared, Past) {
        let words = vec![Span16 { at: 1, len: 2 }];
        let compared = Compared { words, with_mover: true, mover: 0, next: None, round: None };
        let past = Past::new(&compared);
        (compared, past)
    }

    #[test]
    fn every_position_is_counted_for_itself() {
        let (compared, mut past) = past();
        for round in 1..=3u32 {
            for i in 0..2000 {
                let words = [i % 2, i / 7, i % 7];
                let position = ComparedPosition::new(&compared, &words, i % 2);
                assert_eq!(past.count(&position), round - 1);
                assert!(past.enter(&position));
                assert_eq!(past.count(&position), round);
            }
        }
        assert_eq!(past.count(&ComparedPosition::new(&compared, &[0, 1, 0], 0)), 0, "7 has the other mover");
        past.clear();
        assert_eq!(past.count(&ComparedPosition::new(&compared, &[0, 0, 0], 0)), 0);
    }

    #[test]
    fn the_order_of_positions_makes_no_difference() {
        let (compared, mut past) = past();
        let (mut one, mut other) = (past.clone(), past.clone());
        for i in [1, 2, 3, 2] {
            one.enter(&ComparedPosition::new(&compared, &[0, i, i], 0));
        }
        for i in [2, 3, 2, 1] {
            other.enter(&ComparedPosition::new(&compared, &[0, i, i], 0));
        }
        assert!(one.same(&other) && !one.same(&past) && !past.same(&one));
        past.enter(&ComparedPosition::new(&compared, &[0, 3, 3], 0));
        other.enter(&ComparedPosition::new(&compared, &[0, 1, 1], 0));
        assert!(!one.same(&other));
    }
}
