//! What the grammar and the splitter expect at a place, for completion.

use std::collections::BTreeSet;
use std::ops::Range;

use super::expect::Expected;
use super::{Parser, names, split};
use crate::diagnostic::{FileId, without_lone_cr};
use crate::vocabulary::keywords;
use houserule_base::limits;

/// What can stand at a place of a rule text, as far as the parser knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Keywords.
    pub words: BTreeSet<String>,
    /// A value or a statement that begins with a name.
    pub value: bool,
    /// A new name, or that of a step, a choice, an option, an end or an item of the score.
    pub name: bool,
    /// A type.
    pub ty: bool,
}

impl Expectation {
    /// Returns `true` if the parser expected nothing there, or didn't get there.
    pub fn is_empty(&self) -> bool {
        *self == Expectation::default()
    }

    fn add_words(&mut self, words: impl IntoIterator<Item = &'static str>) {
        self.words.extend(words.into_iter().map(str::to_owned));
    }

    pub(super) fn add(&mut self, expected: &Expected) {
        self.value |= expected.value;
        self.name |= expected.name;
        self.ty |= expected.ty;
        self.words.extend(expected.words.iter().cloned());
        if expected.value {
            self.add_words(keywords::with(keywords::VALUE));
        }
        if expected.operator {
            self.add_words(keywords::with(keywords::OPERATOR));
            self.add_words(["not"]);
        }
        if expected.modifier {
            self.add_words(["each", "from", "match", "ordered", "seen", "shown"]);
        }
        if expected.ty {
            self.add_words(["set"]);
        }
    }

    /// Adds what can begin a part such as a statement, when nothing known begins it.
    pub(super) fn add_start(&mut self, what: &str, known: &[&'static str]) {
        self.add_words(known.iter().copied());
        match what {
            "a statement" => {
                self.value = true;
                self.add_words(["else", "given", "prefer", "until"]);
            }
            "a declaration" => self.add_words(["shown"]),
            "a change" => self.add_words(["shown", "step"]),
            "an option" => {
                self.name = true;
                self.add_words(["after", "before", "deliberate", "otherwise", "pass", "without"]);
            }
            _ => {}
        }
    }
}

/// Words that nobody writes: a sign without a meaning where values are joined, and a name.
const STAND_INS: [&str; 2] = ["!", "zq_zq"];

/// Returns what can stand in place of the word at `range`, which may be empty. Parses the text with other words in its
/// place.
pub fn expectation(text: &str, range: Range<usize>) -> Expectation {
    let text = &*without_lone_cr(text);
    let mut found = Expectation::default();
    let (Some(before), Some(after)) = (text.get(..range.start), text.get(range.end..)) else { return found };
    if text.len() + 8 > limits::FILE_BYTES {
        return found;
    }
    for word in STAND_INS {
        let changed = format!("{before}{word}{after}");
        let covered = names::cover(&changed);
        let (pieces, messages) =
            split(FileId(0), &changed, covered.as_ref().map_or(&changed, |covered| &covered.text));
        let probe = Some((range.start, Expectation::default()));
        let mut parser = Parser { pieces, messages, short: None, probe };
        parser.file();
        if let Some((_, more)) = parser.probe {
            // Nothing was wrong with a name.
            found.value |= word == STAND_INS[1] && more.is_empty();
            found.words.extend(more.words);
            found.value |= more.value;
            found.name |= more.name;
            found.ty |= more.ty;
        }
    }
    found
}

impl Parser<'_> {
    /// Notes what the grammar expected at a byte, if that is the place asked about.
    pub(super) fn note_expected(&mut self, at: usize, expected: &Expected) {
        let text = self.pieces.text;
        if let Some((probe, found)) = &mut self.probe
            && at <= *probe
            && text.get(at..*probe).is_some_and(|between| between.trim().is_empty())
        {
            found.add(expected);
        }
    }

    /// Notes what could begin at token `i`, if that is the place asked about.
    pub(super) fn note_start(&mut self, i: usize, what: &str, known: &[&'static str]) {
        let start = self.pieces.span(i).start as usize;
        if let Some((probe, found)) = &mut self.probe
            && *probe == start
        {
            found.add_start(what, known);
        }
    }
}
