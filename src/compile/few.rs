//! Choices with few options: the words of their legal sets fit in one word, side by side, and for each
//! bit of it a table says what it stands for. Drawing takes no look from word to word then.

use crate::program::{
    Block, ChoiceSite, Few, FewRef, In, Instruction as I, Part, Program, SiteKind, Way, ZERO,
};

/// Lets such choices be drawn so. The code must not move afterwards.
pub(super) fn few_options(program: &mut Program) {
    for at in 0..program.code.len() {
        let I::Choose { site, to } = program.code[at] else { continue };
        let SiteKind::Choice(choice) = &program.sites[usize::from(site.0)].kind else { continue };
        let (Some(few), Ok(number)) = (few(choice, to), u16::try_from(program.few.len())) else { continue };
        let me = In(choice.me);
        program.few.push(few);
        program.code[at] = I::ChooseFew { site, few: FewRef(number), me, to };
    }
}

/// A choice laid out so, if its options are few enough.
fn few(choice: &ChoiceSite, nothing: Block) -> Option<Few> {
    let words = usize::from(choice.words);
    if words > Few::MOST_WORDS || choice.random_words != choice.words || choice.is_tried() {
        return None;
    }
    let none = Way { at: nothing, option: u16::MAX, bound: [(ZERO, 0); 2] };
    let mut few = Few {
        words: [ZERO; Few::MOST_WORDS],
        shifts: [0; Few::MOST_WORDS],
        many: words > Few::MOST_WORDS / 2,
        ways: [none; 64],
    };
    let mut next = 0;
    for word in 0..choice.words {
        few.words[usize::from(word)] = choice.region + word;
        few.shifts[usize::from(word)] = next as u8;
        let first = usize::from(choice.part_of_word[usize::from(word)]);
        let ways: Vec<Way> = match choice.parts.get(first)? {
            part if part.sizes.is_empty() => {
                let here = |part: &&Part| part.sizes.is_empty() && part.first_word == word;
                let parts: Vec<&Part> = choice.parts[first..].iter().take_while(here).collect();
                let in_order = parts.iter().enumerate().all(|(bit, part)| usize::from(part.bit) == bit);
                if !in_order {
                    return None;
                }
                parts.into_iter().map(|part| way(part, [(ZERO, 0); 2])).collect()
            }
            part => bound(part, word)?,
        };
        few.ways.get_mut(next..next + ways.len())?.copy_from_slice(&ways);
        next += ways.len();
        // The last word may fill the one word, but none may begin behind it.
        if next >= 64 && word + 1 < choice.words {
            return None;
        }
    }
    Some(few)
}

/// The ways of one word of an option with one or two binders.
fn bound(part: &Part, word: u16) -> Option<Vec<Way>> {
    let row = word - part.first_word;
    let bound = |last: u32| match (&part.sizes[..], &part.binders[..]) {
        ([_], [only]) => Some([(ZERO, 0), (*only, last as u16)]),
        ([_, _], [first, only]) => Some([(*first, row), (*only, last as u16)]),
        _ => None,
    };
    let last = part.sizes.last().copied().filter(|last| *last <= 64)?;
    (0..last).map(|last| Some(way(part, bound(last)?))).collect()
}

fn way(part: &Part, bound: [(u16, u16); 2]) -> Way {
    Way { at: part.body, option: part.block as u16, bound }
}
