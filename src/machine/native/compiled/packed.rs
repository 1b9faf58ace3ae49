//! Choices with a small mask of legal actions: its words are packed side by side into one, and a bit of that
//! word identifies an option and its bindings.

use crate::program::{ChoiceStop, CodeAddress, OptionBits};

/// A packed mask of legal actions.
pub(super) struct PackedMask {
    /// The addresses of the words in order, each with its number of bits.
    pub(super) words: Vec<(u16, u32)>,
    /// The options in order.
    pub(super) options: Vec<PackedOption>,
}

/// An option in a packed mask.
pub(super) struct PackedOption {
    /// Its first bit.
    pub(super) first: u32,
    pub(super) body: CodeAddress,
    /// Its block of actions.
    pub(super) counted: usize,
    /// The address of each binder, with its number of elements. The last binder varies fastest.
    pub(super) binders: Vec<(u16, u32)>,
}

impl PackedMask {
    /// Returns the packed mask of a choice, or `None` with more than 64 bits, or an `ensuring` or
    /// `deliberate` option.
    pub(super) fn new(choice: &ChoiceStop) -> Option<PackedMask> {
        if choice.random_words != choice.words || choice.is_tried() {
            return None;
        }
        let mut few = PackedMask { words: vec![], options: vec![] };
        let mut first = 0;
        for word in 0..choice.words {
            let parts = choice.parts.iter().filter(|part| part.first_word == word);
            let bits = few.bits_of(choice, word)?;
            for (number, part) in parts.enumerate() {
                // Options without binders share a word, with one bit each, in order.
                let bit = if part.sizes.is_empty() { number as u32 } else { 0 };
                if bit != u32::from(part.bit) {
                    return None;
                }
                few.options.push(PackedOption {
                    first: first + bit,
                    body: part.body,
                    counted: part.counted as usize,
                    binders: part.binders.iter().copied().zip(part.sizes.iter().copied()).collect(),
                });
            }
            few.words.push((choice.region + word, bits));
            first += bits;
        }
        (first <= u64::BITS && !few.options.is_empty()).then_some(few)
    }

    /// Returns the number of bits of a word that may be set, or `None` if a row takes several words.
    fn bits_of(&self, choice: &ChoiceStop, word: u16) -> Option<u32> {
        let part = &choice.parts[usize::from(choice.part_of_word[usize::from(word)])];
        match part.sizes.last() {
            None => {
                let shares = |other: &&OptionBits| other.sizes.is_empty() && other.first_word == word;
                Some(choice.parts.iter().filter(shares).count() as u32)
            }
            Some(last) => Some(*last).filter(|last| *last <= u64::BITS),
        }
    }

    /// Returns the number of bits.
    pub(super) fn bits(&self) -> u32 {
        self.words.iter().map(|(_, bits)| bits).sum()
    }
}
