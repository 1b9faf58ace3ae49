//! The rules of a game with marks where they differ from those of another.

use super::{RulesEntry, Section};

/// A section of which each paragraph has its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedSection {
    /// The heading.
    pub title: String,
    /// The paragraphs, those that are gone where they stood.
    pub entries: Vec<MarkedEntry>,
}

/// A paragraph with its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedEntry {
    /// The name of its subject; may be empty.
    pub name: String,
    /// The text.
    pub text: String,
    /// The nesting depth.
    pub depth: usize,
    /// How it differs, or `None` if it doesn't.
    pub change: Option<ParagraphChange>,
}

/// How a paragraph differs from the other game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParagraphChange {
    /// The other game doesn't have it.
    New,
    /// The other game has it in another form.
    Changed {
        /// The part of it that was different.
        was: String,
    },
    /// Only the other game has it.
    Gone,
}

/// Marks the paragraphs of some sections that differ from those of an older game. Sections without a counterpart that
/// list changes themselves aren't marked.
pub fn marked(sections: &[Section], old: Option<&[Section]>) -> Vec<MarkedSection> {
    let plain = |section: &Section| MarkedSection {
        title: section.title.clone(),
        entries: section.entries.iter().map(|entry| with(entry, None)).collect(),
    };
    let Some(old) = old else { return sections.iter().map(plain).collect() };
    let mut all: Vec<MarkedSection> = vec![];
    for section in sections {
        all.push(match old.iter().find(|other| other.title == section.title) {
            Some(other) => compared(section, other),
            None if section.title.starts_with(super::CHANGES) => plain(section),
            None => compared(section, &Section { title: String::new(), entries: vec![] }),
        });
    }
    for other in old.iter().filter(|other| sections.iter().all(|section| section.title != other.title)) {
        all.push(compared(&Section { title: other.title.clone(), entries: vec![] }, other));
    }
    all
}

fn with(entry: &RulesEntry, change: Option<ParagraphChange>) -> MarkedEntry {
    let RulesEntry { name, text, depth } = entry.clone();
    MarkedEntry { name, text, depth, change }
}

fn compared(section: &Section, old: &Section) -> MarkedSection {
    let mut left: Vec<usize> = (0..old.entries.len()).collect();
    let mut taken = |is: &dyn Fn(&RulesEntry) -> bool| {
        let at = left.iter().position(|at| is(&old.entries[*at]))?;
        Some(left.remove(at))
    };
    // What is the same comes first, so that nothing else is taken for its older form.
    let same: Vec<Option<usize>> =
        section.entries.iter().map(|entry| taken(&|other| other == entry)).collect();
    // Each paragraph, with the number of the older one that it is.
    let mut entries: Vec<(MarkedEntry, Option<usize>)> = vec![];
    for (entry, same) in section.entries.iter().zip(same) {
        let older = same.or_else(|| taken(&|other| is_form_of(entry, other)));
        let change = match (same, older) {
            (Some(_), _) => None,
            (None, Some(was)) => Some(ParagraphChange::Changed { was: difference(entry, &old.entries[was]) }),
            (None, None) => Some(ParagraphChange::New),
        };
        entries.push((with(entry, change), older));
    }
    // What is gone stands where it stood: after the last paragraph before it that is still there, and what is new in that.
    for gone in left {
        let before = entries.iter().rposition(|(_, older)| older.is_some_and(|older| older < gone));
        let inside = |from: usize| {
            let is_inside = |(entry, older): &&(MarkedEntry, Option<usize>)| {
                older.is_none() && entry.depth > entries[from].0.depth
            };
            from + 1 + entries[from + 1..].iter().take_while(is_inside).count()
        };
        let at = before.map_or(0, inside);
        entries.insert(at, (with(&old.entries[gone], Some(ParagraphChange::Gone)), Some(gone)));
    }
    let entries = entries.into_iter().map(|(entry, _)| entry).collect();
    MarkedSection { title: section.title.clone(), entries }
}

/// Returns `true` if both paragraphs are about the same: they have the same name, or begin and end alike.
fn is_form_of(entry: &RulesEntry, other: &RulesEntry) -> bool {
    if entry.depth != other.depth || entry.name.is_empty() != other.name.is_empty() {
        return false;
    }
    if !entry.name.is_empty() {
        return entry.name == other.name;
    }
    let (new, old): (Vec<&str>, Vec<&str>) =
        (entry.text.split(' ').collect(), other.text.split(' ').collect());
    let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = alike(&mut new.iter().zip(&old));
    let end = alike(&mut new.iter().rev().zip(old.iter().rev()));
    2 * (begin + end) >= new.len().max(old.len())
}

/// Returns what was different in an older form.
fn difference(entry: &RulesEntry, was: &RulesEntry) -> String {
    match (entry.name == was.name, entry.text == was.text) {
        (false, true) => was.name.clone(),
        (true, _) => was.text.clone(),
        (false, false) => format!("{}: {}", was.name, was.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(title: &str, entries: &[(&str, &str)]) -> Section {
        let entries = entries.iter().map(|(name, text)| RulesEntry::new(*name, *text)).collect();
        Section { title: title.to_owned(), entries }
    }

    #[test]
    fn each_difference_has_its_mark() {
        let old = [
            section("A turn", &[("roll", "Roll both dice."), ("rest", "Do nothing.")]),
            section("The game ends", &[("", "when no cell is empty, as a draw")]),
            section("A match", &[("", "10 games.")]),
        ];
        let new = [
            section("What is changed from Small", &[("", "no step rest")]),
            section("A turn", &[("roll", "Roll three dice."), ("burn", "Burn a six.")]),
            section("The game ends", &[("", "when no cell is empty, as a win")]),
        ];
        let changed = |was: &str| Some(ParagraphChange::Changed { was: was.to_owned() });
        let found: Vec<(String, Option<ParagraphChange>)> = marked(&new, Some(&old))
            .into_iter()
            .flat_map(|section| section.entries)
            .map(|entry| (entry.text, entry.change))
            .collect();
        let expected = [
            ("no step rest", None),
            ("Roll three dice.", changed("Roll both dice.")),
            ("Do nothing.", Some(ParagraphChange::Gone)),
            ("Burn a six.", Some(ParagraphChange::New)),
            ("when no cell is empty, as a win", changed("when no cell is empty, as a draw")),
            ("10 games.", Some(ParagraphChange::Gone)),
        ];
        assert_eq!(found, expected.map(|(text, change)| (text.to_owned(), change)));
    }

    /// A paragraph that is gone stands in its step, after what is new in the paragraph before it, and not at the end.
    #[test]
    fn what_is_gone_stands_where_it_stood() {
        let entries = |texts: &[(&str, usize)]| {
            let of =
                |(text, depth): &(&str, usize)| RulesEntry { depth: *depth, ..RulesEntry::new("", *text) };
            [Section { title: "A turn".to_owned(), entries: texts.iter().map(of).collect() }]
        };
        let old = entries(&[
            ("first", 0),
            ("put a dot", 1),
            ("or pay", 1),
            ("second", 0),
            ("joker", 1),
            ("over", 0),
        ]);
        let new =
            entries(&[("first", 0), ("put a dot", 1), ("take a chance", 2), ("second", 0), ("joker", 1)]);
        let found = marked(&new, Some(&old)).remove(0).entries;
        let texts: Vec<&str> = found.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["first", "put a dot", "take a chance", "or pay", "second", "joker", "over"]);
        assert_eq!(found.iter().filter(|entry| entry.change == Some(ParagraphChange::Gone)).count(), 2);
    }

    #[test]
    fn a_param_is_the_same_with_another_value() {
        let told = |size: u32| format!("Squares to a side: {size} (size: 1 to 9)");
        let settings = |size: u32| [section("P", &[("", told(size).as_str())])];
        let (old, new) = (settings(6), settings(8));
        let found = marked(&new, Some(&old));
        assert_eq!(found[0].entries[0].change, Some(ParagraphChange::Changed { was: told(6) }));
        assert!(marked(&new, None)[0].entries[0].change.is_none());
    }
}
