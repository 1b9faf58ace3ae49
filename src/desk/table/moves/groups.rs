//! Groups of moves, if there are many: first by option, then by each binding. A group is selected by its number
//! or by the words that its moves begin with.

use super::list::{FEW_LINES, GLUE};
use super::{LegalMoves, Move, MoveMatch};
use houserule_base::numbers::grouped;
use houserule_picture::paint::line::wrap;

/// Maximum number of moves that are listed individually.
pub(super) const MOST_LISTED: usize = 40;

/// Maximum number of groups that are numbered.
const MOST_GROUPS: usize = 40;

/// Moves that begin with the same words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// These words, in lower case.
    pub words: Vec<String>,
    /// The last of these words, in its original case.
    pub name: String,
    /// The number of moves.
    pub count: usize,
}

impl LegalMoves {
    /// Returns `true` if there are too many moves to list, and they have parts to group by.
    pub fn is_grouped(&self) -> bool {
        let divided = |one: &Move| one.words.len() > self.prefix.len().max(1) + 1;
        let subset = |one: &Move| self.subsets.contains(&one.words[0]);
        (self.all.len() > MOST_LISTED || self.chosen > 0)
            && self.all.iter().any(|one| divided(one) && !subset(one))
    }

    /// Returns the moves that begin with some words.
    pub fn narrowed(&self, prefix: &[String]) -> LegalMoves {
        let fits = |one: &&Move| one.words.len() >= prefix.len() && one.words[..prefix.len()] == *prefix;
        let all: Vec<Move> = self.all.iter().filter(fits).cloned().collect();
        let mut moves = LegalMoves { all, prefix: prefix.to_vec(), chosen: prefix.len(), ..self.clone() };
        moves.descend();
        moves.number();
        moves
    }

    /// Extends the prefix to the first word in which the moves differ.
    pub(super) fn descend(&mut self) {
        while self.is_grouped() {
            let at = self.prefix.len();
            let Some(word) = self.all.first().and_then(|one| one.words.get(at)).cloned() else { return };
            if self.all.iter().any(|one| one.words.get(at) != Some(&word)) {
                return;
            }
            self.prefix.push(word);
        }
    }

    /// Returns `true` if these are all moves, not a group of them.
    pub fn is_all(&self) -> bool {
        self.chosen == 0
    }

    /// Returns the groups, in the order of the moves.
    pub fn groups(&self) -> Vec<MoveGroup> {
        let at = self.prefix.len();
        let mut groups: Vec<MoveGroup> = vec![];
        for one in &self.all {
            let Some(word) = one.words.get(at) else { continue };
            match groups.iter_mut().find(|group| group.words[at] == *word) {
                Some(group) => group.count += 1,
                None => groups.push(MoveGroup {
                    words: one.words[..=at].to_vec(),
                    name: one.name.split_whitespace().nth(at).unwrap_or(word).to_owned(),
                    count: 1,
                }),
            }
        }
        groups
    }

    /// Returns `true` if groups can be selected by number. This isn't possible if their names are numbers.
    pub(super) fn groups_are_numbered(&self, groups: &[MoveGroup]) -> bool {
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let at = self.prefix.len();
        let named = |one: &Move| {
            let names = [one.rule_words.get(at), one.labels.get(at)];
            names.into_iter().flatten().any(|word| is_number(word))
        };
        groups.len() <= MOST_GROUPS
            && !groups.iter().any(|group| is_number(&group.name))
            && !self.all.iter().any(named)
    }

    /// Lists the groups: options with their help, or the continuations of an option.
    pub(super) fn group_lines(&self) -> Vec<String> {
        let groups = self.groups();
        let numbered = self.groups_are_numbered(&groups);
        let labels = (1..).zip(&groups).map(|(number, group)| {
            let number = if numbered { format!("{number} ") } else { String::new() };
            let moves = match group.count {
                1 => String::new(),
                count => format!(" ({})", grouped(count as u64)),
            };
            format!("{number}{}{moves}", group.name)
        });
        match self.prefix.is_empty() {
            true => labels
                .zip(&groups)
                .map(|(label, group)| self.with_help(label, &self.option_help(&group.words[0])))
                .collect(),
            false => self.continuation_lines(labels.collect()),
        }
    }

    /// Lists the groups with a common beginning: that beginning with the number of moves, then the groups in lines.
    fn continuation_lines(&self, labels: Vec<String>) -> Vec<String> {
        let help = match self.prefix.as_slice() {
            [option] => self.option_help(option),
            _ => String::new(),
        };
        let begun = self.all.first().map_or_else(String::new, |one| {
            one.name.split_whitespace().take(self.prefix.len()).collect::<Vec<_>>().join(" ")
        });
        let head = format!("{begun} …, {} moves", grouped(self.all.len() as u64));
        let mut lines = vec![self.with_help(head, &help)];
        let parts: Vec<String> = labels.iter().map(|label| label.replace(' ', GLUE) + GLUE).collect();
        let all = wrap(&parts.join(" "), self.columns - 6);
        let shown = &all[..all.len().min(FEW_LINES)];
        lines.extend(shown.iter().map(|line| format!("  {}", line.replace(GLUE, " ").trim_end())));
        if shown.len() < all.len() {
            lines.push(format!("  … in {} groups; Tab completes what you type", labels.len()));
        }
        if self.all.iter().any(|one| one.words.len() == self.prefix.len()) {
            lines.push(format!("  `{begun}` alone is a move, too"));
        }
        if !self.is_all() {
            lines.push("  Enter goes back to all moves".to_owned());
        }
        lines
    }

    /// Returns the help text of an option after two spaces, or an empty text if it has none.
    fn option_help(&self, option: &str) -> String {
        let help = self.help.iter().find(|(name, _)| name.to_lowercase() == *option);
        help.filter(|(_, help)| !help.is_empty()).map_or_else(String::new, |(_, help)| format!("  {help}"))
    }

    /// Returns the group or move with a number.
    pub(super) fn group_numbered(&self, number: usize) -> Option<MoveMatch> {
        let groups = self.groups();
        if !self.groups_are_numbered(&groups) {
            return None;
        }
        let group = groups.get(number.checked_sub(1)?)?;
        Some(self.resolve_words(&group.words))
    }

    /// Returns what an input refers to after this group was chosen: a number in its list, or the words that
    /// follow its prefix.
    pub fn resolve_in_group(&self, text: &str) -> MoveMatch {
        let number = text.trim().trim_start_matches('#').parse::<usize>().is_ok();
        if number && self.numbered {
            return self.resolve(text);
        }
        // In upper and lower case.
        let begun =
            |name: &str| name.split_whitespace().take(self.prefix.len()).collect::<Vec<_>>().join(" ");
        let after = |begun: String| self.resolve(&format!("{begun} {text}"));
        let Some(first) = self.all.first() else { return MoveMatch::None };
        match after(begun(&first.name)) {
            MoveMatch::None => after(begun(&first.rule_name)),
            meant => meant,
        }
    }

    /// Returns the group of the moves that begin with some words, or its only move.
    fn resolve_words(&self, words: &[String]) -> MoveMatch {
        let mut fitting = self.all.iter().filter(|one| one.words.starts_with(words));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => MoveMatch::One(one.action),
            (Some(_), Some(_)) => MoveMatch::Group(words.to_vec()),
            _ => MoveMatch::None,
        }
    }

    /// Returns the common beginning of the moves, if the typed words are such a beginning.
    pub(super) fn group_of(&self, fitting: &[&Move], typed: usize) -> Option<Vec<String>> {
        let first = fitting.first()?;
        // With the option, or without it if the input names only the bindings.
        (typed..=typed + 1).rev().find_map(|count| {
            let words = first.words.get(..count)?;
            fitting.iter().all(|one| one.words.starts_with(words)).then(|| words.to_vec())
        })
    }
}
