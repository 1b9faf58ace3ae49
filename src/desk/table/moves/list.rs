//! The legal moves as lines that fit on a screen.

use super::groups::MOST_LISTED;
use super::{LegalMoves, Move};
use houserule_base::names::hyphened;
use houserule_picture::paint::line::wrap;

/// Maximum number of moves that `moves` lists individually if they can be grouped.
const MOST_READ: usize = 400;

/// Maximum number of lines of the list shown before a decision.
pub(super) const FEW_LINES: usize = 8;

/// Maximum number of lines if there are too many moves to read them all.
const FEWEST_LINES: usize = 3;

/// Minimum room for a help text that is cut, in characters. A line with less room has no help text.
const LEAST_HELP: usize = 24;

/// No limit on the length of a list.
const MOST_ROOM: usize = usize::MAX;

/// Placeholder for a space at which lines must not be broken.
pub(super) const GLUE: &str = "\u{1}";

/// Writes names of several words with hyphens, by which they can be typed, too.
fn in_words(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| hyphened(&line)).collect()
}

impl LegalMoves {
    /// Returns the list, shortened to leave room for the board.
    pub fn list(&self) -> Vec<String> {
        if self.is_grouped() {
            return in_words(self.group_lines());
        }
        let room = if self.all.len() > MOST_LISTED { FEWEST_LINES } else { FEW_LINES };
        in_words(self.lines(&self.all.iter().collect::<Vec<_>>(), room))
    }

    /// Lists all moves, or those with a word that begins with `filter`. Too many moves are listed in groups.
    pub fn long_list(&self, filter: &str) -> Vec<String> {
        in_words(self.all_lines(filter))
    }

    fn all_lines(&self, filter: &str) -> Vec<String> {
        let filter = filter.to_lowercase();
        let begins = |words: &[String]| words.iter().any(|word| word.starts_with(&filter));
        let is_shown = |label: &String| label.to_lowercase().starts_with(&filter);
        let fits = |one: &&Move| {
            filter.is_empty() || one.spellings().into_iter().any(begins) || one.labels.iter().any(is_shown)
        };
        let fitting: Vec<&Move> = self.all.iter().filter(fits).collect();
        if fitting.len() > MOST_READ && self.is_grouped() {
            let mut lines = self.group_lines();
            lines.push(format!("  `moves` and a word lists those with it, if they are at most {MOST_READ}"));
            return lines;
        }
        if self.is_grouped() {
            // The numbers are those of the groups.
            return LegalMoves { numbered: false, ..self.clone() }.lines(&fitting, MOST_ROOM);
        }
        self.lines(&fitting, MOST_ROOM)
    }

    fn lines(&self, moves: &[&Move], room: usize) -> Vec<String> {
        // An option without bindings has a line of its own beside one with the same name and bindings.
        let option = |one: &Move| (one.words.first().cloned().unwrap_or_default(), one.words.len() > 1);
        let mut options: Vec<(String, bool)> = Vec::new();
        for one in moves {
            let option = option(one);
            if !options.contains(&option) {
                options.push(option);
            }
        }
        let each = if room == MOST_ROOM { room } else { (room / options.len().max(1)).max(1) };
        let mut lines = Vec::new();
        for own in options {
            let group: Vec<&Move> = moves.iter().copied().filter(|one| option(one) == own).collect();
            lines.extend(self.group(&group, each));
        }
        lines
    }

    /// Formats the moves of one option.
    fn group(&self, group: &[&Move], room: usize) -> Vec<String> {
        let Some(first) = group.first() else { return vec![] };
        let name = first.name.split_whitespace().next().unwrap_or("");
        let help = self.help.iter().find(|(option, _)| option == name).map_or("", |(_, help)| help);
        let help = if help.is_empty() { String::new() } else { format!("  {help}") };
        // Sets of several sizes: where one ends must be seen.
        let differ = group.iter().any(|one| one.words.len() != first.words.len());
        let mut parts: Vec<String> = Vec::new();
        if self.numbered {
            let number = |one: &Move| self.all.iter().position(|other| other == one).map_or(0, |at| at + 1);
            parts.extend(group.iter().map(|one| format!("{} {}", number(one), one.name)));
        } else if first.words.len() > 2 && !differ && !self.subsets.contains(&first.words[0]) {
            // Groups by the first binding: `a2: a3 b3`.
            let mut heads: Vec<(&str, Vec<String>)> = Vec::new();
            for one in group {
                let mut words = one.name.split_whitespace().skip(1);
                let head = words.next().unwrap_or("");
                let rest = words.collect::<Vec<_>>().join(" ");
                match heads.last_mut() {
                    Some((last, rests)) if *last == head => rests.push(rest),
                    _ => heads.push((head, vec![rest])),
                }
            }
            let gap = if first.words.len() > 3 { ", " } else { " " };
            parts.extend(heads.into_iter().map(|(head, rests)| format!("{head}: {}", rests.join(gap))));
        } else {
            parts.extend(
                group.iter().map(|one| {
                    one.name.split_once(' ').map_or_else(String::new, |(_, rest)| rest.to_owned())
                }),
            );
        }
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let anywhere = self.anywhere.iter().find(|(option, _)| *option == first.words[0]);
        if let (Some((_, site)), true, false) = (anywhere, room < MOST_ROOM, self.numbered) {
            let (n, example) = (group.len(), &first.name);
            let line = format!("{name} on any of the {n} empty {site}, such as `{example}`");
            return self.helped(line, &help, room);
        }
        let subsets = !self.numbered && self.subsets.contains(&first.words[0]);
        if subsets {
            let single: Vec<&str> = parts
                .iter()
                .map(String::as_str)
                .filter(|part| !part.contains(' ') && *part != "none")
                .collect();
            if group.len() > 2 && 1usize.checked_shl(single.len() as u32) == Some(group.len()) {
                let two = group.iter().find(|one| one.words.len() == 3).unwrap_or(&group[group.len() - 1]);
                let (any, example) = (single.join(" "), &two.name);
                let line = format!("{name} any of {any}, or none, such as `{example}`");
                return self.helped(line, &help, room);
            }
        }
        let columns = match (group.first(), group.last()) {
            (Some(Move { column: Some(first), .. }), Some(Move { column: Some(last), .. }))
                if group.len() > 1 =>
            {
                format!(", columns {first} to {last}")
            }
            _ => String::new(),
        };
        let several = group.len() > 1;
        let mut lines = match (self.numbered, several) {
            (true, _) => vec![],
            (false, true) => self.helped(format!("{name}, {} moves{columns}", group.len()), &help, room),
            (false, false) => self.helped(first.name.clone(), &help, room),
        };
        if self.numbered || several {
            // Parts aren't broken across lines.
            let gap = match subsets || (differ && !self.numbered) {
                true => ",",
                false if self.numbered || first.words.len() > 2 => GLUE,
                false => "",
            };
            let glued: Vec<String> = parts.iter().map(|part| part.replace(' ', GLUE) + gap).collect();
            let all = wrap(&glued.join(" "), self.columns - 6);
            let indent = if self.numbered { "" } else { "  " };
            let wanted = room;
            let room = room.saturating_sub(lines.len()).max(1);
            let shown = &all[..all.len().min(room)];
            lines.extend(
                shown.iter().map(|line| {
                    format!("{indent}{}", line.replace(GLUE, " ").trim_end().trim_end_matches(','))
                }),
            );
            if shown.len() < all.len() {
                lines.push(format!("{indent}… `moves` lists all {}", group.len()));
            } else if self.numbered && !help.is_empty() && (lines.len() == 1 || wanted == MOST_ROOM) {
                let last = lines.pop().unwrap_or_default();
                lines.extend(self.helped(last, &help, wanted));
            }
        }
        lines
    }

    /// Appends a help text to a line. If it would be cut to a few words, it has a line of its own where there is room for
    /// one. In a list without a limit of lines it is never cut, and has lines of its own.
    fn helped(&self, line: String, help: &str, room: usize) -> Vec<String> {
        let left = self.left_beside(&line);
        if help.chars().count() <= left || room < 2 || left >= LEAST_HELP && room < MOST_ROOM {
            return vec![self.with_help(line, help)];
        }
        if room < MOST_ROOM {
            return vec![line, self.with_help("    ".to_owned(), help.trim())];
        }
        let rest = wrap(help.trim(), self.columns - 8).into_iter().map(|line| format!("    {line}"));
        std::iter::once(line).chain(rest).collect()
    }

    /// Returns the number of characters that a line has left for a help text.
    fn left_beside(&self, line: &str) -> usize {
        (self.columns - 4).saturating_sub(line.chars().count())
    }

    /// Appends a help text to a line, or as much of it as fits if that is more than a few words.
    pub(super) fn with_help(&self, line: String, help: &str) -> String {
        let room = self.left_beside(&line);
        if help.chars().count() <= room {
            return line + help;
        }
        if room < LEAST_HELP {
            return line;
        }
        let cut: String = help.chars().take(room.saturating_sub(2)).collect();
        match cut.rsplit_once(' ') {
            Some((words, _)) if words.trim().contains(' ') => format!("{line}{words} …"),
            _ => line,
        }
    }
}
