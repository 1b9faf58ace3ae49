//! Choices whose legal sets are small: the words fit in one, side by side, and a bit of that says which option it is
//! and what it binds.

use crate::program::{Block, ChoiceSite, Part};

/// A small legal set.
pub(super) struct Few {
    /// Its words in order, each with the bits that it adds.
    pub(super) words: Vec<(u16, u32)>,
    /// The options in order.
    pub(super) options: Vec<FewOption>,
}

/// An option of a small legal set.
pub(super) struct FewOption {
    /// Its first bit.
    pub(super) first: u32,
    pub(super) body: Block,
    /// Its block of actions.
    pub(super) block: usize,
    /// Where the bound elements go, each with how many ways there are for it; the last one varies first.
    pub(super) binders: Vec<(u16, u32)>,
}

impl Few {
    /// A choice's legal set, if it is small, and every option that random players look at may be taken at once.
    pub(super) fn of(choice: &ChoiceSite) -> Option<Few> {
        if choice.random_words != choice.words || choice.is_tried() {
            return None;
        }
        let mut few = Few { words: vec![], options: vec![] };
        let mut first = 0;
        for word in 0..choice.words {
            let parts = choice.parts.iter().filter(|part| part.first_word == word);
            let bits = few.bits_of(choice, word)?;
            for (number, part) in parts.enumerate() {
                // Options without binders share a word, a bit each, in order.
                let bit = if part.sizes.is_empty() { number as u32 } else { 0 };
                if bit != u32::from(part.bit) {
                    return None;
                }
                few.options.push(FewOption {
                    first: first + bit,
                    body: part.body,
                    block: part.block as usize,
                    binders: part.binders.iter().copied().zip(part.sizes.iter().copied()).collect(),
                });
            }
            few.words.push((choice.region + word, bits));
            first += bits;
        }
        (first <= u64::BITS && !few.options.is_empty()).then_some(few)
    }

    /// How many bits of a word may be set; none if they are not the lowest ones of a whole row.
    fn bits_of(&self, choice: &ChoiceSite, word: u16) -> Option<u32> {
        let part = &choice.parts[usize::from(choice.part_of_word[usize::from(word)])];
        match part.sizes.last() {
            None => {
                let shares = |other: &&Part| other.sizes.is_empty() && other.first_word == word;
                Some(choice.parts.iter().filter(shares).count() as u32)
            }
            Some(last) => Some(*last).filter(|last| *last <= u64::BITS),
        }
    }

    /// How many bits there are.
    pub(super) fn bits(&self) -> u32 {
        self.words.iter().map(|(_, bits)| bits).sum()
    }
}
