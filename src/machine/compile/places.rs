//! Layout of a choice's options in its action mask.

use super::CompileError;
use houserule_base::limits;
use houserule_model::{Choice, Model};

/// Maximum size of an action mask, in words.
pub(super) const MOST_WORDS: usize = limits::CHOICE_WORDS as usize;

/// An option's place in an action mask, before lowering.
pub(super) struct OptionPlace {
    pub(super) option: usize,
    pub(super) first_word: u16,
    pub(super) bit: u8,
    pub(super) sizes: Vec<u32>,
}

/// The places of all options of a choice.
pub(super) struct ChoicePlaces {
    pub(super) places: Vec<OptionPlace>,
    pub(super) words: u16,
    pub(super) random_words: u16,
}

impl ChoicePlaces {
    /// Keeps one option with one binder, as if there were no others.
    pub(super) fn keep_alone(&mut self, option: usize, deliberate: bool) {
        self.places.retain(|place| place.option == option);
        let Some(place) = self.places.first_mut() else { return };
        place.first_word = 0;
        self.words = place.sizes.first().map_or(1, |n| n.div_ceil(64)) as u16;
        self.random_words = if deliberate { 0 } else { self.words };
    }
}

/// Lays out the options of a choice.
pub(super) fn places(model: &Model, choice: &Choice) -> Result<ChoicePlaces, CompileError> {
    let mut found = ChoicePlaces { places: vec![], words: 0, random_words: 0 };
    let mut next = 0usize;
    let too_large = |words| CompileError::TooLarge {
        what: "words of one choice's options",
        limit: MOST_WORDS,
        wanted: words,
    };
    for deliberate in [false, true] {
        let these = || choice.options.iter().enumerate().filter(move |(_, o)| o.deliberate == deliberate);
        for (option, o) in these().filter(|(_, o)| !o.binders.is_empty()) {
            let sizes = model.actions[o.actions.index()].sizes(model);
            let (last, rest) = sizes.split_last().map_or((1, &[][..]), |(l, r)| (*l, r));
            let rows: usize = rest
                .iter()
                .map(|n| *n as usize)
                .try_fold(1usize, |a, b| a.checked_mul(b))
                .unwrap_or(usize::MAX);
            let words = rows.saturating_mul(last.div_ceil(64) as usize);
            found.places.push(OptionPlace { option, first_word: next.min(MOST_WORDS) as u16, bit: 0, sizes });
            next = next.saturating_add(words);
            if next > MOST_WORDS {
                return Err(too_large(next));
            }
        }
        for (k, (option, _)) in these().filter(|(_, o)| o.binders.is_empty()).enumerate() {
            if k % 64 == 0 {
                next += 1;
            }
            found.places.push(OptionPlace {
                option,
                first_word: next as u16 - 1,
                bit: (k % 64) as u8,
                sizes: vec![],
            });
        }
        if next > MOST_WORDS {
            return Err(too_large(next));
        }
        if !deliberate {
            found.random_words = next as u16;
        }
    }
    found.words = next as u16;
    Ok(found)
}

/// Returns the size of the largest action mask of a model, in words.
pub(super) fn region_words(model: &Model) -> Result<usize, CompileError> {
    let mut most = 0;
    for choice in &model.choices {
        most = most.max(usize::from(places(model, choice)?.words));
    }
    Ok(most)
}
