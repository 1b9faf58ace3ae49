//! Changes that mend what a message says.
//!
//! The help of a message often says what to write. Each place where it could be written is tried. A change is offered
//! only if a check of the changed text no longer has the message, and has no new error.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{TextChange, TextMessage, TextPlace, Workspace};
use houserule_base::numbers::counted;
use houserule_language::diagnostic::Severity;
use houserule_language::syntax::split::pieces::{pieces, word_around};
use houserule_language::vocabulary::keywords;

/// A change that mends what a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFix {
    /// The message.
    pub message: TextMessage,
    /// What is done, in a few words.
    pub title: String,
    /// The changes.
    pub changes: Vec<TextChange>,
    /// `true` if something else may be meant: the message asks "did you mean".
    pub is_guess: bool,
}

/// The most errors that [`Workspace::fix_errors`] mends, each of which may take many checks.
const FIXED: usize = 50;

/// How the help of a message begins that gives another name. Messages with different codes have it.
const RENAME: &str = "give it another name";

/// Maximum number of checks in which a renaming leaves out places where the new name is an error.
const ROUNDS: usize = 10;

/// A declared name that can't be a name, and that [`Workspace::fix_errors`] leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameLeft {
    /// Where it is declared.
    pub place: TextPlace,
    /// Why it isn't renamed, and what to do.
    pub reason: String,
}

/// A change that may mend a message.
#[derive(Clone)]
struct Attempt {
    title: String,
    /// The parts that are replaced.
    ranges: Vec<Range<usize>>,
    /// What is written in place of each.
    text: String,
    /// Other messages may appear: a part that didn't parse is now checked.
    bold: bool,
}

impl Attempt {
    /// The changes of a file.
    fn to_changes(&self, file: &str) -> Vec<TextChange> {
        let change = |range: &Range<usize>| TextChange {
            place: TextPlace::new(file, range.clone()),
            text: self.text.clone(),
        };
        self.ranges.iter().map(change).collect()
    }

    /// Where the new text then stands, for each of the replaced parts, which are in order.
    fn locate_new(&self) -> Vec<Range<usize>> {
        let (mut added, mut removed) = (0, 0);
        let place = |range: &Range<usize>| {
            let start = range.start + added - removed;
            added += self.text.len();
            removed += range.len();
            start..start + self.text.len()
        };
        self.ranges.iter().map(place).collect()
    }
}

impl Workspace {
    /// Changes that mend the messages in a part of a file.
    pub fn fixes(&mut self, file: &str, range: Range<usize>) -> Vec<MessageFix> {
        let before = self.messages(file);
        let touched = |message: &&TextMessage| {
            message.place.file == file && message.place.start <= range.end && range.start <= message.place.end
        };
        let mut found: Vec<MessageFix> = vec![];
        for message in before.iter().filter(touched) {
            let mut results = BTreeSet::new();
            let Some(text) = self.text(file) else { continue };
            for group in self.attempts(&text, message) {
                // A piece of code can fit several places: the first one that helps counts, and of several ways to rename
                // the one that leaves the fewest errors.
                let renames = group.iter().any(|attempt| attempt.ranges.len() != 1);
                let mut helpful = group.into_iter().filter_map(|attempt| {
                    let changes = attempt.to_changes(file);
                    let mut after = self.after(&changes);
                    let messages = after.messages(file);
                    let mends = mends(message, &before, &messages, attempt.bold);
                    mends.then(|| (errors(&messages), (after.text(file), attempt.title, changes)))
                });
                let helpful = match renames {
                    true => helpful.min_by_key(|(errors, _)| *errors),
                    false => helpful.next(),
                };
                let helpful = helpful.map(|(_, fix)| fix);
                if let Some((result, title, changes)) = helpful
                    && results.insert(result)
                {
                    let is_guess = message.help.as_ref().is_some_and(|help| help.contains("did you mean"));
                    found.push(MessageFix { message: message.clone(), title, changes, is_guess });
                }
            }
        }
        found
    }

    /// Mends the errors of a file, one after the other, where a message says what to write and doesn't guess. Nothing is
    /// only removed, and nothing is done if that leaves as many errors. Returns what was done, each with the places of the
    /// text before it.
    pub fn fix_errors(&mut self, file: &str) -> Vec<MessageFix> {
        let (before, first) = (errors(&self.messages(file)), self.text(file));
        let mut done = vec![];
        while done.len() < FIXED
            && let Some(fix) = self.fix_of_error(file)
        {
            let Some(text) = self.after(&fix.changes).text(file) else { break };
            self.open(file, self.version(file).unwrap_or(0), &text);
            done.push(fix);
        }
        if errors(&self.messages(file)) < before {
            return done;
        }
        if let Some(text) = first {
            self.open(file, self.version(file).unwrap_or(0), &text);
        }
        vec![]
    }

    /// The names of a file that can't be names and aren't renamed by [`Workspace::fix_errors`], each with the reason.
    pub fn explain_names_left(&mut self, file: &str) -> Vec<NameLeft> {
        let Some(text) = self.text(file) else { return vec![] };
        let mut left = vec![];
        for message in self.messages(file) {
            let gives_name = message.help.as_ref().is_some_and(|help| help.starts_with(RENAME));
            if message.severity != Severity::Error || message.place.file != file || !gives_name {
                continue;
            }
            let attempts: Vec<Attempt> = self.attempts(&text, &message).into_iter().flatten().collect();
            let counts =
                attempts.iter().map(|attempt| errors(&self.after(&attempt.to_changes(file)).messages(file)));
            let (Some(attempt), Some(fewest)) = (attempts.first(), counts.min()) else { continue };
            let (old, new) = (Spot::new(&text, message.place.range()).marked(), &attempt.text);
            let reason = format!(
                "`{old}` is not renamed: with `{new}` in its place the file would still have {}. Write another \
                 name yourself where what is declared here is meant",
                counted(fewest as u64, "error")
            );
            left.push(NameLeft { place: message.place, reason });
        }
        left
    }

    /// Adds another renaming to those of [`Spot::renamed`]: that of all places but those where the new name is an error.
    /// There the word means what it means in every game.
    fn add_fitting(&self, file: &str, mut group: Vec<Attempt>) -> Vec<Attempt> {
        let Some(everywhere) = group.last() else { return group };
        let mut fitting = everywhere.clone();
        for _ in 0..ROUNDS {
            let messages = self.after(&fitting.to_changes(file)).messages(file);
            let wrong: Vec<Range<usize>> = messages
                .iter()
                .filter(|one| one.severity == Severity::Error && one.place.file == file)
                .map(|one| one.place.range())
                .collect();
            let written = fitting.locate_new();
            let fits = |(_, now): &(&Range<usize>, &Range<usize>)| !wrong.contains(now);
            let kept = fitting.ranges.iter().zip(&written).filter(fits).map(|(range, _)| range.clone());
            let kept: Vec<Range<usize>> = kept.collect();
            if kept.len() == fitting.ranges.len() {
                break;
            }
            fitting.ranges = kept;
        }
        if !fitting.ranges.is_empty() && fitting.ranges.len() < everywhere.ranges.len() {
            group.push(fitting);
        }
        group
    }

    /// The fix of the first error of a file that has one.
    fn fix_of_error(&mut self, file: &str) -> Option<MessageFix> {
        let errors = self.messages(file).into_iter().filter(|one| one.severity == Severity::Error);
        let places: Vec<Range<usize>> = errors.map(|one| one.place.range()).collect();
        let writes = |fix: &MessageFix| fix.changes.iter().all(|change| !change.text.is_empty());
        let is_meant =
            |fix: &MessageFix| !fix.is_guess && fix.message.severity == Severity::Error && writes(fix);
        places.into_iter().find_map(|place| self.fixes(file, place).into_iter().find(is_meant))
    }

    /// What could mend a message: a list for each piece of code in the help.
    fn attempts(&mut self, text: &str, message: &TextMessage) -> Vec<Vec<Attempt>> {
        let Some(help) = message.help.as_deref() else { return vec![] };
        let spot = Spot::new(text, message.place.range());
        let mut groups = vec![];
        for code in help.split('`').skip(1).step_by(2) {
            let said = help.split('`').next().unwrap_or("");
            groups.push(match said.starts_with(RENAME) {
                true => self.add_fitting(&message.place.file, spot.renamed(code)),
                false => spot.with_code(code, help.contains("did you mean"), said),
            });
        }
        if help.starts_with("put `\"` at its end") {
            groups.push(vec![attempt("Close the text", spot.range.end..spot.range.end, "\"")]);
        }
        if help.contains("ordinary space") {
            groups.push(vec![attempt("Write a space", spot.range.clone(), " ")]);
        }
        if ["remove it", "take it out", "leave it out"].iter().any(|words| help.contains(words)) {
            let mut all = vec![spot.removal(spot.range.clone())];
            all.extend(self.whole_definition(&message.place).map(|range| spot.removal(range)));
            groups.push(all);
        }
        groups
    }

    /// The whole of the definition whose name is at a place.
    fn whole_definition(&mut self, place: &TextPlace) -> Option<Range<usize>> {
        let checked = self.check(&place.file)?;
        checked.items.iter().find_map(|item| {
            let span = item.span(place)?;
            let definition = item.names.definitions.iter().find(|one| one.span == Some(span))?;
            Some(item.place(definition.whole?).range())
        })
    }
}

fn attempt(title: impl Into<String>, range: Range<usize>, text: &str) -> Attempt {
    Attempt { title: title.into(), ranges: vec![range], text: text.to_owned(), bold: false }
}

/// Counts the errors among messages.
fn errors(messages: &[TextMessage]) -> usize {
    messages.iter().filter(|one| one.severity == Severity::Error).count()
}

/// Returns `true` if a message is gone and nothing worse has come.
fn mends(message: &TextMessage, before: &[TextMessage], after: &[TextMessage], bold: bool) -> bool {
    let same = |a: &TextMessage, b: &TextMessage| a.code == b.code && a.message == b.message;
    let count = |all: &[TextMessage]| all.iter().filter(|one| same(one, message)).count();
    let new = after.iter().any(|one| !before.iter().any(|known| same(known, one)));
    count(after) < count(before) && errors(after) <= errors(before) && (bold || !new)
}

/// The part of a text that a message marks.
struct Spot<'t> {
    text: &'t str,
    range: Range<usize>,
}

impl<'t> Spot<'t> {
    fn new(text: &'t str, range: Range<usize>) -> Self {
        let end = text.floor_char_boundary(range.end);
        Spot { text, range: text.floor_char_boundary(range.start).min(end)..end }
    }

    fn marked(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    /// From the marked part to the end of its line, without a comment.
    fn rest_of_line(&self) -> Range<usize> {
        let end = self.text[self.range.start..]
            .find(['\n', '\r'])
            .map_or(self.text.len(), |n| self.range.start + n);
        let rest = &self.text[self.range.start..end];
        let rest = rest.split("//").next().unwrap_or("").trim_end();
        self.range.start..self.range.start + rest.len()
    }

    /// The first byte of the line of the marked part that isn't white space.
    fn line_start(&self) -> usize {
        let start = self.text[..self.range.start].rfind(['\n', '\r']).map_or(0, |n| n + 1);
        let indent = self.text[start..].len() - self.text[start..].trim_start_matches([' ', '\t']).len();
        (start + indent).min(self.range.start)
    }

    /// The changes that a piece of code in a help text can stand for.
    fn with_code(&self, code: &str, bold: bool, said: &str) -> Vec<Attempt> {
        let mut all = vec![];
        if code.is_empty() || has_placeholder(code) {
            return all;
        }
        let (start, end) = (self.range.start, self.range.end);
        let write = format!("Write `{code}`");
        if said.contains("leave") || said.contains("remove") {
            all.extend(self.find_near(code).map(|range| self.removal(range)));
        }
        if let Some((head, _)) = code.split_once('…') {
            let head = head.trim_end();
            for anchor in [start, self.line_start()] {
                all.extend(self.missing_before(head, anchor));
            }
            if !head.is_empty() && !head.contains(' ') {
                all.push(attempt(format!("Write `{head}`"), self.range.clone(), head));
            }
            return all;
        }
        if self.marked().starts_with('"') && !code.starts_with('"') {
            all.push(attempt(&write, self.range.clone(), &format!("\"{code}\"")));
        }
        all.push(attempt(&write, self.range.clone(), code));
        if said.starts_with("add") {
            all.push(attempt(format!("Insert `{code}`"), start..start, code));
            all.push(attempt(format!("Insert `{code}`"), end..end, code));
        }
        all.push(attempt(&write, word_around(self.text, start), code));
        for range in [self.rest_of_line(), self.line_start()..self.rest_of_line().end] {
            let kept = words(&self.text[range.clone()]).iter().all(|word| words(code).contains(word));
            if kept {
                all.push(attempt(&write, range, code));
            }
        }
        for one in &mut all {
            one.bold = bold;
        }
        all
    }

    /// Writes another name for the marked one: everywhere, or only where a keyword can't stand, which the name is, too.
    /// The last attempt is everywhere.
    fn renamed(&self, name: &str) -> Vec<Attempt> {
        // An error of another file marks the text that names that file.
        if self.marked().starts_with('"') {
            return vec![];
        }
        let all = pieces(self.text);
        let word =
            |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |piece| &self.text[piece.range()]);
        let is_value = |at: usize| {
            let (before, after) = (word(at.checked_sub(1)), word(Some(at + 1)));
            let leads = keywords::DECLARATION | keywords::OPERAND | keywords::INFIX | keywords::CONTINUING;
            let is_led = keywords::has(before, leads);
            let is_sign = |word: &str| !word.starts_with(|sign: char| sign.is_alphanumeric());
            is_led || is_sign(after) && after != "}" || is_sign(before) && !["{", "}"].contains(&before)
        };
        let same = |at: &usize| word(Some(*at)) == self.marked();
        let everywhere: Vec<usize> = (0..all.len()).filter(same).collect();
        let values: Vec<usize> = everywhere.iter().copied().filter(|at| is_value(*at)).collect();
        // After the colon of an end there is a result: `: draw`.
        let is_result = |at: usize| {
            let before = (0..at).rev().map(|at| word(Some(at))).take_while(|word| !["{", "}"].contains(word));
            word(at.checked_sub(1)) == ":" && before.into_iter().any(|word| word == "end")
        };
        let no_results = values.iter().copied().filter(|at| !is_result(*at)).collect();
        let attempt = |places: Vec<usize>| Attempt {
            title: format!("Rename `{}` to `{name}`", self.marked()),
            ranges: places.into_iter().map(|at| all[at].range()).collect(),
            text: name.to_owned(),
            bold: true,
        };
        vec![attempt(no_results), attempt(values), attempt(everywhere)]
    }

    /// Inserts the first words of `head` if the rest of it is written at `anchor` already.
    fn missing_before(&self, head: &str, anchor: usize) -> Option<Attempt> {
        let there = self.text[anchor..].split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        let starts = head.match_indices(' ').map(|(at, _)| at + 1);
        let at = starts.into_iter().find(|at| there.starts_with(head[*at..].trim_end()))?;
        Some(attempt(format!("Insert `{}`", head[..at].trim_end()), anchor..anchor, &head[..at]))
    }

    /// The last place of a word in the line, up to the end of the marked part.
    fn find_near(&self, word: &str) -> Option<Range<usize>> {
        let start = self.line_start();
        let at = start + self.text[start..self.range.end.max(start)].rfind(word)?;
        Some(at..at + word.len())
    }

    /// Removes a part of the text with the white space before it, or with its lines if nothing else is on them.
    fn removal(&self, range: Range<usize>) -> Attempt {
        let what = self.text[range.clone()].lines().next().unwrap_or("").trim();
        let shown: String = what.chars().take(40).collect();
        let title = format!("Remove `{shown}{}`", if shown.len() < what.len() { "…" } else { "" });
        let before = self.text[..range.start].trim_end_matches([' ', '\t']).len();
        let after = range.end + self.text[range.end..].len()
            - self.text[range.end..].trim_start_matches([' ', '\t']).len();
        let own_lines = (before == 0 || self.text[..before].ends_with('\n'))
            && (after == self.text.len() || self.text[after..].starts_with('\n'));
        let range = match own_lines {
            true => before..(after + 1).min(self.text.len()),
            false if self.text[..before].ends_with('\n') => range.start..after,
            false => before..range.end,
        };
        attempt(title, range, "")
    }
}

/// The words and numbers of a piece of code.
fn words(code: &str) -> Vec<&str> {
    let all = pieces(code).into_iter().map(|piece| &code[piece.range()]);
    all.filter(|word| word.starts_with(|c: char| c.is_alphanumeric())).collect()
}

/// Returns `true` for a form such as `put PIECE at S`: a word of capitals stands for something.
fn has_placeholder(code: &str) -> bool {
    words(code).iter().any(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()))
}
