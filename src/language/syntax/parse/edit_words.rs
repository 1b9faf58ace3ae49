//! Words of changes, such as `new` and `without`, where they don't belong: before an option of `extend`, and before an item
//! of a score or a match.

use super::Parser;
use super::message::short;
use crate::diagnostic::{Code, Diagnostic};

/// What a word before a part of the rules asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditWord {
    /// The part is new.
    Adds,
    /// The part replaces another.
    Replaces,
    /// More is added to the part.
    Extends,
    /// The part goes.
    Removes,
}

/// Returns what a word before a part of the rules asks for.
pub(super) fn edit_word(word: &str) -> Option<EditWord> {
    Some(match word {
        "new" | "add" | "create" | "insert" | "introduce" => EditWord::Adds,
        "change" | "replace" | "override" | "modify" | "update" | "redefine" | "set" => EditWord::Replaces,
        "extend" => EditWord::Extends,
        "without" | "remove" | "delete" | "drop" | "omit" => EditWord::Removes,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reports such a word at token `i`, before a part of an `extend`. Returns where the next part begins.
    pub(super) fn edit_word_in_extend(&mut self, i: usize, close: usize) -> Option<usize> {
        let word = self.pieces.word(i);
        let edit = edit_word(word)?;
        let is_one_of = |at: usize, words: &[&str]| words.contains(&self.pieces.word(at));
        // Such a word can be the name of an option: `new x in S { … }`, `add where C { … }`.
        let is_name =
            is_one_of(i + 1, &["where", "ensuring", "seen"]) || is_one_of(i + 2, &["in", "subset", "part"]);
        if is_name || i + 1 >= close || !self.pieces.is_word(i + 1) || !self.pieces.same_line(i, i + 1) {
            return None;
        }
        let next = self.pieces.word(i + 1);
        let error = |message: String| Diagnostic::error(Code::StrayWord, self.pieces.span(i), message);
        let needless = |message: String| {
            error(message).label("this word isn't needed").help(format!("leave `{word}` out"))
        };
        let (message, after) = match edit {
            EditWord::Removes if word == "without" => {
                // `without option` removes an option that has this name.
                let names_two = next == "option" && i + 2 < close && self.pieces.is_word(i + 2);
                let ends = i + 3 >= close || self.pieces.first(i + 3) || is_one_of(i + 3, &[";", "without"]);
                if !names_two || !ends || !self.pieces.same_line(i, i + 2) || is_one_of(i + 2, &["pass"]) {
                    return None;
                }
                let message = "an option is removed by its name alone".to_owned();
                let error = Diagnostic::error(Code::StrayWord, self.pieces.span(i + 1), message);
                (error.label("this word isn't needed").help("leave `option` out"), i + 3)
            }
            EditWord::Removes => {
                let named = i + 1 + usize::from(next == "option" && self.pieces.is_word(i + 2));
                let message = format!("an option is removed by `without`, not by `{word}`");
                let error = Diagnostic::error(Code::StrayWord, self.pieces.span_of(i, named + 1), message);
                let after = named + 1;
                let after = if self.pieces.opens_block(after) { self.pieces.after(after) } else { after };
                (error.help(format!("write `without {}`", short(self.pieces.word(named)))), after)
            }
            _ if is_one_of(i + 1, &["otherwise", "before", "after", "without"]) => {
                (needless(format!("`{next}` needs no `{word}` here")), i + 1)
            }
            EditWord::Adds => {
                (needless(format!("an option that is added to a choice needs no `{word}`")), i + 1)
            }
            EditWord::Replaces => {
                let message = format!("an option of that name replaces the old one, and needs no `{word}`");
                (needless(message), i + 1)
            }
            EditWord::Extends => {
                let name = short(next);
                let error = error("`extend` changes a choice and not an option".to_owned());
                let help = format!(
                    "to add to the option, write `before {name} {{ … }}` or `after {name} {{ … }}`; without `extend`, the \
                     option replaces the old one"
                );
                (error.help(help), i + 1)
            }
        };
        self.push(message);
        Some(after.min(close))
    }

    /// The message for such a word before an item of a score or a match. The item's name is token `i`.
    pub(super) fn edit_of_entry(&self, i: usize) -> Diagnostic {
        let word = short(self.pieces.word(i - 1));
        let block = self.block_around(i).unwrap_or("score");
        let error = |message: String| Diagnostic::error(Code::StrayWord, self.pieces.span(i - 1), message);
        match edit_word(&word) {
            Some(EditWord::Removes) => {
                let named = i + usize::from(self.pieces.is(i, block) && self.pieces.is_word(i + 1));
                let name = short(self.pieces.word(named));
                error(format!("nothing is removed inside of `{block} {{ … }}`"))
                    .help(format!("write `without {block} {name}` outside of it"))
            }
            Some(EditWord::Adds) => error(format!("an item is added by `new`, not by `{word}`"))
                .help(format!("write `new` instead: `new {}: …`", short(self.pieces.word(i)))),
            _ => error(format!("an item of that name replaces the old one, and needs no `{word}`"))
                .label("this word isn't needed")
                .help(format!("leave `{word}` out")),
        }
    }

    /// The word before the brace that opens the block around token `i`.
    fn block_around(&self, i: usize) -> Option<&str> {
        let mut depth = 0;
        for j in (1..i).rev() {
            match self.pieces.word(j) {
                "}" => depth += 1,
                "{" if depth == 0 => return Some(self.pieces.word(j - 1)),
                "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The message for `before STEP` or `after STEP`, whose first word is token `i`, if no `step` follows.
    pub(super) fn no_step_inserted(&self, i: usize) -> Diagnostic {
        let (place, anchor) = (self.pieces.word(i), short(self.pieces.word(i + 1)));
        let follows = self.pieces.is_word(i + 2) && self.pieces.same_line(i, i + 2);
        let name = if follows { short(self.pieces.word(i + 2)) } else { "NAME".to_owned() };
        if anchor == "step" {
            let message = format!("`{place}` needs the name of a step of the game before the word `step`");
            return Diagnostic::error(Code::ExpectedName, self.pieces.span(i + 1), message)
                .help(format!("write `{place} STEP step {name} {{ … }}`"));
        }
        let message = format!("expected `step` after `{anchor}`");
        let error = Diagnostic::error(Code::ExpectedWord, self.pieces.span(i + 2), message);
        let form = format!("{place} {anchor} step {name} {{ … }}");
        error.help(match self.pieces.opens_block(i + 2) {
            true => format!(
                "a step is added by `{form}`; statements are added to an option inside of `extend CHOICE {{ … }}`"
            ),
            false => format!("a step is added by `{form}`"),
        })
    }
}
