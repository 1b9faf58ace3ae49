//! The rules that differ between two games, as a player reads them: what a house rule says of itself, what was the rule until
//! now, and the paragraphs of the rules that are new, changed or gone.

use crate::prose::diff::{RuleDifference, diff};
use crate::prose::marked::{MarkedEntry, MarkedSection, ParagraphChange, marked};
use crate::prose::{is_numbered, sections};
use houserule_game::Game;
use houserule_playtest::new_options;

/// How a rule differs, as the marks of printed rules say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleMark {
    /// Only the second game has it.
    New,
    /// Both have it in another form.
    #[default]
    Changed,
    /// Only the first game has it.
    Gone,
}

/// The rules that differ between two games.
#[derive(Clone, Debug, Default)]
pub struct ChangedRules {
    /// How they differ.
    pub mark: RuleMark,
    /// What the house rule says of itself; empty if it says nothing.
    pub text: String,
    /// What was the rule until now; empty if it isn't known in words.
    pub until_now: String,
    /// The paragraphs of the rules that differ.
    pub paragraphs: Vec<MarkedEntry>,
    /// The parts of the rule files that differ.
    pub differences: Vec<RuleDifference>,
}

impl RuleMark {
    /// The word of the mark.
    pub fn word(self) -> &'static str {
        match self {
            RuleMark::New => "NEW",
            RuleMark::Changed => "CHANGED",
            RuleMark::Gone => "GONE",
        }
    }

    /// Returns the mark of a paragraph.
    pub fn from_change(change: &ParagraphChange) -> RuleMark {
        match change {
            ParagraphChange::New => RuleMark::New,
            ParagraphChange::Changed { .. } => RuleMark::Changed,
            ParagraphChange::Gone => RuleMark::Gone,
        }
    }
}

impl ChangedRules {
    /// Returns the rule in words: what the house rule says of itself, or else the first paragraph that differs, or the first
    /// part of the rule files that does.
    pub fn in_words(&self) -> String {
        if !self.text.is_empty() {
            return self.text.clone();
        }
        let first = self.paragraphs.iter().find(|entry| !entry.text.is_empty());
        first
            .map(|entry| entry.text.clone())
            .unwrap_or_else(|| self.differences.first().map(RuleDifference::text).unwrap_or_default())
    }

    /// Compares the rules of two games.
    pub fn find(games: [&Game; 2]) -> ChangedRules {
        let [a, b] = games;
        let differences = diff(a, b);
        let is_new = !new_options(games).is_empty() || differences.iter().all(|one| one.old.is_none());
        let is_gone = differences.iter().all(|one| one.new.is_none());
        let mark = match (differences.is_empty(), is_gone, is_new) {
            (true, ..) => RuleMark::Changed,
            (_, true, _) => RuleMark::Gone,
            (_, _, true) => RuleMark::New,
            _ => RuleMark::Changed,
        };
        let has_own = b.sheet().variants.len() > a.sheet().variants.len() || a.model().help != b.model().help;
        let text = if has_own { b.model().help.clone() } else { String::new() };
        let marked = marked(&sections(b), Some(&sections(a)));
        let until_now = until_now(&marked);
        let paragraphs = marked.into_iter().flat_map(|section| section.entries);
        ChangedRules {
            mark,
            text,
            until_now,
            paragraphs: paragraphs.filter(|entry| entry.change.is_some()).collect(),
            differences,
        }
    }
}

/// Returns the rule that is changed first in a turn, or else elsewhere, as it was.
fn until_now(sections: &[MarkedSection]) -> String {
    let (turns, others): (Vec<_>, Vec<_>) = sections.iter().partition(|section| is_numbered(&section.title));
    for section in turns.into_iter().chain(others) {
        let mut step = "";
        for entry in &section.entries {
            match &entry.change {
                // What a step says stands for what is done in it.
                Some(_) if entry.depth > 0 && step.ends_with('.') => return step.to_owned(),
                Some(ParagraphChange::Changed { was }) => return was.clone(),
                Some(ParagraphChange::Gone) if !entry.text.is_empty() => return entry.text.clone(),
                _ => {}
            }
            if entry.depth == 0 && entry.change.is_none() {
                step = &entry.text;
            }
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load, load_text};

    #[test]
    fn a_house_rule_is_told_in_its_own_words_and_what_was_before() {
        let game = |name| load(&Request { name, ..Request::default() }).unwrap().game;
        let text = "/// Once in a game, a roll may be used on a neighbour.\nvariant \"Chance\" of \"dilido\" {\n\
                    new var chances: 0..1 = 1 \"chances left\"\n\
                    extend place { otherwise { choose chance {\n\
                    chance c in around(named) & empty where chances == 1 \"use a chance\" { put dot at c; chances -= 1 }\n\
                    otherwise { penalties += 1 } } } } }";
        let b = load_text("chance.rules", text, &Request::default()).unwrap().game;
        let found = ChangedRules::find([&game("dilido"), &b]);
        assert_eq!(
            (found.mark.word(), found.text.as_str()),
            ("NEW", "Once in a game, a roll may be used on a neighbour.")
        );
        assert!(!found.until_now.is_empty() && !found.paragraphs.is_empty(), "{found:?}");
        let two = game("pig-two-dice");
        let same = ChangedRules::find([&two, &two]);
        assert!(same.paragraphs.is_empty() && same.text.is_empty() && same.mark == RuleMark::Changed);
    }
}
