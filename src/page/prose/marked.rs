//! The rules of a game with marks where they differ from those of another.

use super::{RulesEntry, Section};

/// A section of which each paragraph has its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedSection {
    /// The heading.
    pub title: String,
    /// The paragraphs, those that are gone after the others.
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
    let mut left: Vec<&RulesEntry> = old.entries.iter().collect();
    let mut taken = |is: &dyn Fn(&RulesEntry) -> bool| {
        let at = left.iter().position(|entry| is(entry))?;
        Some(left.remove(at))
    };
    // What is the same comes first, so that nothing else is taken for its older form.
    let same: Vec<bool> =
        section.entries.iter().map(|entry| taken(&|other| other == entry).is_some()).collect();
    let entries = section.entries.iter().zip(same).map(|(entry, same)| {
        let change = (!same).then(|| match taken(&|other| is_form_of(entry, other)) {
            Some(was) => ParagraphChange::Changed { was: difference(entry, was) },
            None => ParagraphChange::New,
        });
        with(entry, change)
    });
    let mut entries: Vec<MarkedEntry> = entries.collect();
    entries.extend(left.into_iter().map(|entry| with(entry, Some(ParagraphChange::Gone))));
    MarkedSection { title: section.title.clone(), entries }
}

/// Returns `true` if both paragraphs are about the same: they have the same name, or begin and end alike.
fn is_form_of(entry: &RulesEntry, other: &RulesEntry) -> bool {
    if entry.depth != other.depth || entry.name.is_empty() != other.name.is_empty() {
        return false;
    }
    if !entry.name.is_empty() {
        return subject(&entry.name) == subject(&other.name);
    }
    let (new, old): (Vec<&str>, Vec<&str>) =
        (entry.text.split(' ').collect(), other.text.split(' ').collect());
    let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = alike(&mut new.iter().zip(&old));
    let end = alike(&mut new.iter().rev().zip(old.iter().rev()));
    2 * (begin + end) >= new.len().max(old.len())
}

/// Returns the name without the value of a param.
fn subject(name: &str) -> &str {
    name.split_once(" = ").map_or(name, |(name, _)| name)
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
            ("Burn a six.", Some(ParagraphChange::New)),
            ("Do nothing.", Some(ParagraphChange::Gone)),
            ("when no cell is empty, as a win", changed("when no cell is empty, as a draw")),
            ("10 games.", Some(ParagraphChange::Gone)),
        ];
        assert_eq!(found, expected.map(|(text, change)| (text.to_owned(), change)));
    }

    #[test]
    fn a_param_is_the_same_with_another_value() {
        let (old, new) =
            ([section("P", &[("size = 6", "squares")])], [section("P", &[("size = 8", "squares")])]);
        let found = marked(&new, Some(&old));
        assert_eq!(found[0].entries[0].change, Some(ParagraphChange::Changed { was: "size = 6".to_owned() }));
        assert!(marked(&new, None)[0].entries[0].change.is_none());
    }
}
