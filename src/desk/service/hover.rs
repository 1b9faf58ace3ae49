//! What a word is, in a line of code and some sentences.

use super::workspace::is_script;
use super::{TextPlace, Workspace};
use houserule_check::{Definition, DefinitionKind};
use houserule_language::syntax::split::{pieces, tokens::TokenKind};
use houserule_language::vocabulary::statements::verb;
use houserule_language::vocabulary::{Function, keyword};
use houserule_loader::catalogue;

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoverText {
    /// The word.
    pub place: TextPlace,
    /// What it is, as code: a declaration or signatures, a line each.
    pub code: String,
    /// Sentences about it; may be empty.
    pub help: String,
}

impl Workspace {
    /// What the word around a byte is: a name, a keyword, or the game that a variant changes.
    pub fn hover(&mut self, file: &str, byte: usize) -> Option<HoverText> {
        let found = self.names_at(file, byte);
        if let Some(first) = found.first() {
            let place = first.place.clone();
            let text = |file: &str| self.text(file);
            let mut code: Vec<String> = vec![];
            let mut help: Vec<String> = vec![];
            for one in &found {
                let own = one.defined.as_ref().filter(|defined| defined.file != file);
                let from = own.map(|defined| format!("  // {}", short_name(&defined.file)));
                code.push(format!("{}{}", described(&one.definition), from.unwrap_or_default()));
                help.extend(Some(&one.definition.help).filter(|help| !help.is_empty()).cloned());
                let comment =
                    one.defined.as_ref().and_then(|place| comment_above(&text(&place.file)?, place.start));
                help.extend(comment);
            }
            help.dedup();
            return Some(HoverText { place, code: code.join("\n"), help: help.join("\n") });
        }
        let text = self.text(file)?;
        if is_script(file) {
            let range = pieces::word_around(&text, byte);
            let is_call = text[range.end..].starts_with('(') && !text[..range.start].ends_with('.');
            let function = Function::named(&text[range.clone()]).filter(|_| is_call)?;
            let (code, help) = of_function(function);
            return Some(HoverText { place: TextPlace::new(file, range), code, help });
        }
        let piece = pieces::pieces(&text).into_iter().find(|one| (one.start..=one.end).contains(&byte))?;
        let place = TextPlace::new(file, piece.range());
        let word = &text[piece.range()];
        if piece.is(TokenKind::Word) {
            let (code, help) = of_word(word)?;
            return Some(HoverText { place, code, help });
        }
        let title = word.trim_matches('"');
        let entry = catalogue().into_iter().find(|entry| entry.name == title)?;
        let kind = if entry.of.is_some() { "variant" } else { "game" };
        Some(HoverText { place, code: format!("{kind} \"{}\"", entry.title), help: entry.help })
    }
}

/// The last part of a path.
fn short_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// A definition in one line.
pub(super) fn described(definition: &Definition) -> String {
    use DefinitionKind as K;
    let Definition { kind, name, ty, .. } = definition;
    match (kind, ty) {
        (K::Function, Some(signature)) => signature.replace("; ", "\n"),
        (K::Local, Some(ty)) => format!("{name}: {ty}"),
        (K::Word, _) => name.clone(),
        (kind, Some(ty)) => format!("{} {name}: {ty}", kind.text()),
        (kind, None) => format!("{} {name}", kind.text()),
    }
}

/// The comment in the lines directly above the line of a byte.
fn comment_above(text: &str, byte: usize) -> Option<String> {
    let before = text.get(..byte)?;
    let (above, line) = before.rsplit_once('\n')?;
    // Only for what its line begins with, such as a declaration.
    if line.trim().contains(['{', ';']) {
        return None;
    }
    let lines = above.lines().rev().map(str::trim).take_while(|line| line.starts_with("//"));
    let mut lines: Vec<&str> = lines.map(|line| line.trim_start_matches('/').trim()).collect();
    lines.reverse();
    Some(lines.join(" ")).filter(|comment| !comment.is_empty())
}

/// What a word of the language is, wherever it stands.
fn of_word(word: &str) -> Option<(String, String)> {
    if let Some(verb) = verb(word) {
        let help = format!("{} It can be used {}.", verb.keyword.help, verb.place.text());
        return Some((verb.forms.join("\n"), help));
    }
    if let Some(keyword) = keyword(word) {
        return Some((word.to_owned(), keyword.help.to_owned()));
    }
    Function::named(word).map(of_function)
}

fn of_function(function: Function) -> (String, String) {
    (function.signature().replace("; ", "\n"), function.help().to_owned())
}
