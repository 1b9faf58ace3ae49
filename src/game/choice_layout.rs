//! Choices prepared for a lookup at every step: the mask in the frame, and the action of each of its bits.

use crate::{ActionId, Game};
use houserule_machine::program::{ChoiceStop, CodeAddress, OptionBits, ZERO};

/// A choice, prepared for lookup.
pub(crate) struct ChoiceLayout {
    pub(crate) region: usize,
    pub(crate) words: usize,
    pub(crate) random_words: usize,
    /// The address of the acting player.
    pub(crate) me: usize,
    pub(crate) tried: bool,
    parts: Vec<OptionLayout>,
    part_of_word: Vec<u16>,
    /// The action of each word's first bit if the word's bits are consecutive actions, else [`SEVERAL`].
    firsts: Vec<u32>,
    pieces: Vec<ActionRun>,
    pub(crate) choice: ChoiceStop,
}

/// An option.
pub(crate) struct OptionLayout {
    pub(crate) first: u32,
    /// Number of action ids.
    count: u32,
    /// Number of bits in a row; 0 for an option without binders.
    last: u32,
    row_words: u32,
    /// Its first word in the mask.
    first_word: u32,
    bit: u32,
    /// By binder: the address of the bound element, and the number of elements.
    pub(crate) binders: Vec<(u16, u32)>,
    pub(crate) body: CodeAddress,
}

impl OptionLayout {
    /// Calls `tell` for everything that an action of this option binds: the binder's index, the address and
    /// the element.
    #[inline(always)]
    pub(crate) fn bind(&self, action: ActionId, mut tell: impl FnMut(usize, u16, u32)) {
        let mut rest = action.0 - self.first;
        match self.binders.as_slice() {
            [] => {}
            [(address, _)] => tell(0, *address, rest),
            binders => {
                for (number, (address, size)) in binders.iter().enumerate().rev() {
                    tell(number, *address, rest % size);
                    rest /= size;
                }
            }
        }
    }
}

/// The place of an action's bit in a frame, and what the action binds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActionBit {
    pub(crate) word: u16,
    pub(crate) bit: u8,
    /// Number of bound elements.
    pub(crate) binds: u8,
    pub(crate) body: u16,
    /// The addresses of the bound elements; `element` holds the elements.
    pub(crate) at: [u16; 2],
    pub(crate) element: [u16; 2],
    /// The address of the acting player.
    pub(crate) me: u16,
}

/// Maximum number of actions of a game whose moves are listed.
const LISTED: u32 = 4096;

/// Marks a word whose bits are not consecutive actions.
const SEVERAL: u32 = u32::MAX;

/// Bits of one word that are consecutive actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActionRun {
    /// The address of the word.
    at: u32,
    shift: u32,
    /// The first action.
    pub(crate) action: u32,
    /// One bit for each action.
    mask: u64,
}

impl ActionRun {
    /// Returns the number of its actions.
    pub(crate) fn count(&self) -> u32 {
        self.mask.count_ones()
    }

    /// Returns the legal ones among its actions.
    #[inline(always)]
    pub(crate) fn bits(&self, words: &[u64]) -> u64 {
        words[self.at as usize] >> (self.shift & 63) & self.mask
    }

    /// Appends `next` if its bits and actions follow this piece's. Returns `true` if they do.
    fn takes(&mut self, next: &ActionRun) -> bool {
        let follows = next.at == self.at
            && next.shift == self.shift + self.count()
            && next.action == self.action + self.count();
        if follows {
            self.mask |= next.mask << self.count();
        }
        follows
    }
}

impl ChoiceLayout {
    pub(crate) fn new(game: &Game, choice: &ChoiceStop) -> ChoiceLayout {
        let part = |part: &OptionBits| OptionLayout {
            first: part.first_action,
            count: game.model().actions[part.block as usize].size,
            last: part.sizes.last().copied().unwrap_or(0),
            row_words: part.row_words(),
            first_word: part.first_word.into(),
            bit: part.bit.into(),
            binders: part.binders.iter().copied().zip(part.sizes.iter().copied()).collect(),
            body: part.body,
        };
        let mut layout = ChoiceLayout {
            region: choice.region.into(),
            words: choice.words.into(),
            random_words: choice.random_words.into(),
            me: choice.me.into(),
            tried: choice.is_tried(),
            parts: choice.parts.iter().map(part).collect(),
            part_of_word: choice.part_of_word.clone(),
            firsts: vec![],
            pieces: vec![],
            choice: choice.clone(),
        };
        let mut pieces: Vec<ActionRun> = vec![];
        for part in &layout.parts {
            let row_bits = part.last.max(1);
            let rows = part.count.checked_div(part.last).unwrap_or(1);
            for (row, from) in
                (0..rows).flat_map(|row| (0..row_bits).step_by(64).map(move |from| (row, from)))
            {
                let piece = ActionRun {
                    at: layout.region as u32 + part.first_word + row * part.row_words + from / 64,
                    shift: part.bit,
                    mask: u64::MAX >> (64 - (row_bits - from).min(64)),
                    action: part.first + row * part.last + from,
                };
                if !pieces.last_mut().is_some_and(|last| last.takes(&piece)) {
                    pieces.push(piece);
                }
            }
        }
        layout.firsts = (0..layout.words).map(|word| first_action(&pieces, layout.region + word)).collect();
        layout.pieces = pieces;
        layout
    }

    /// Returns the runs of consecutive actions in the mask.
    pub(crate) fn runs(&self) -> &[ActionRun] {
        &self.pieces
    }

    /// Returns the address of the mask and the action of its first bit, if it is one word whose bits are consecutive
    /// actions.
    pub(crate) fn single_word(&self) -> Option<(u32, u32)> {
        match self.firsts[..] {
            [first] if first != SEVERAL => Some((self.region as u32, first)),
            _ => None,
        }
    }

    /// Returns the action of a bit of the mask.
    #[inline(always)]
    pub(crate) fn action_at(&self, word: usize, bit: u32) -> u32 {
        match self.firsts[word] {
            SEVERAL => self.action_of_several(word, bit),
            first => first + bit,
        }
    }

    fn action_of_several(&self, word: usize, bit: u32) -> u32 {
        let first = usize::from(self.part_of_word[word]);
        let part = &self.parts[first];
        if part.last == 0 {
            // Options without binders share a word, with one bit each.
            return self.parts[first + bit as usize].first;
        }
        let within = word as u32 - part.first_word;
        if part.binders.len() == 1 {
            return part.first + within * 64 + bit;
        }
        let (row, last) = (within / part.row_words, within % part.row_words * 64 + bit);
        part.first + row * part.last + last
    }

    /// Returns the moves of a game's actions, by id. Returns `None` if there are too many or one binds too
    /// much.
    pub(crate) fn moves(&self, actions: u32) -> Option<Vec<ActionBit>> {
        if actions > LISTED || self.parts.iter().any(|part| part.binders.len() > 2) {
            return None;
        }
        let me = self.me as u16;
        let list = (0..actions).map(|action| {
            let Some((part, word, bit)) = self.place_of(ActionId(action)) else {
                // Its bit is in a word that is always 0.
                return ActionBit { word: ZERO, me, ..ActionBit::default() };
            };
            let mut listed = ActionBit {
                word: (self.region + word) as u16,
                bit: bit as u8,
                binds: part.binders.len() as u8,
                body: part.body.0,
                me,
                ..ActionBit::default()
            };
            part.bind(ActionId(action), |number, at, element| {
                (listed.at[number], listed.element[number]) = (at, element as u16);
            });
            listed
        });
        Some(list.collect())
    }

    /// Returns an action's option, and the action's word and bit in the mask.
    #[inline(always)]
    pub(crate) fn place_of(&self, action: ActionId) -> Option<(&OptionLayout, usize, u32)> {
        for part in &self.parts {
            let id = action.0.wrapping_sub(part.first);
            if id < part.count {
                return Some(match part.binders.len() {
                    0 => (part, part.first_word as usize, part.bit),
                    1 => (part, (part.first_word + id / 64) as usize, id % 64),
                    _ => {
                        let (row, last) = (id / part.last, id % part.last);
                        let word = part.first_word + row * part.row_words + last / 64;
                        (part, word as usize, last % 64)
                    }
                });
            }
        }
        None
    }
}

/// Returns the action of a word's first bit if one piece has all its bits, else [`SEVERAL`].
fn first_action(pieces: &[ActionRun], at: usize) -> u32 {
    let mut here = pieces.iter().filter(|piece| piece.at as usize == at);
    match (here.next(), here.next()) {
        (Some(piece), None) if piece.shift == 0 => piece.action,
        _ => SEVERAL,
    }
}
