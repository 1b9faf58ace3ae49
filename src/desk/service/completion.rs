//! The words that can stand at a place.

use std::collections::BTreeSet;

use super::names::is_global;
use super::workspace::is_script;
use super::{TextPlace, Workspace};
use houserule_check::{Definition, DefinitionKind};
use houserule_language::syntax::split::pieces::{PieceKind, TextPiece, pieces, word_around};
use houserule_language::syntax::split::tokens::TokenKind;
use houserule_language::syntax::{Item, expectation, parse};
use houserule_language::vocabulary::keywords::{self, DECLARATION, EDIT};
use houserule_language::vocabulary::statements::verb;
use houserule_language::vocabulary::{BuiltInName, Function, LOOK_FORMS, WordKind, keyword};
use houserule_loader::catalogue;
use houserule_model::{Colour, Icon};

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A name of the rules.
    Name(DefinitionKind),
    /// A built-in name.
    BuiltIn,
    /// A keyword.
    Keyword,
    /// A function of the language.
    Function,
    /// A word with a meaning in one place only, such as `north`.
    Word,
    /// A game or a variant.
    Game,
}

/// A word that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// The word.
    pub word: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type, signature or forms, in one line; may be empty.
    pub detail: String,
    /// Sentences about it; may be empty.
    pub help: String,
    /// What it replaces.
    pub place: TextPlace,
}

/// Completions of one place, each word once.
pub(super) struct Offers {
    place: TextPlace,
    known: BTreeSet<String>,
    pub(super) items: Vec<CompletionItem>,
}

impl Offers {
    pub(super) fn new(place: TextPlace) -> Offers {
        Offers { place, known: BTreeSet::new(), items: vec![] }
    }

    pub(super) fn add(&mut self, word: &str, kind: CompletionKind, detail: &str, help: &str) {
        if self.known.insert(word.to_owned()) {
            let (word, detail, help) = (word.to_owned(), detail.to_owned(), help.to_owned());
            self.items.push(CompletionItem { word, kind, detail, help, place: self.place.clone() });
        }
    }

    pub(super) fn add_name(&mut self, one: &Definition) {
        let kind = CompletionKind::Name(one.kind);
        let detail = match &one.ty {
            Some(ty) => format!("{}: {ty}", one.kind.text()),
            None => one.kind.text().to_owned(),
        };
        self.add(&one.name, kind, &detail, &one.help);
    }

    fn add_keyword(&mut self, word: &str) {
        let forms = verb(word).map_or_else(String::new, |verb| verb.forms.join(", "));
        self.add(word, CompletionKind::Keyword, &forms, keyword(word).map_or("", |one| one.help));
    }
}

impl Workspace {
    /// The words that can stand in place of the one around a byte. They aren't filtered by what is written of it.
    pub fn complete(&mut self, file: &str, byte: usize) -> Vec<CompletionItem> {
        let Some(text) = self.text(file) else { return vec![] };
        if is_script(file) {
            return self.complete_in_script(file, &text, byte);
        }
        let all = pieces(&text);
        let inside = all.iter().position(|piece| piece.start < byte && byte <= piece.end);
        let before = |at: usize| at.checked_sub(1).map(|at| &text[all[at].range()]);
        match inside.map(|at| (at, all[at])) {
            Some((_, piece)) if piece.kind == PieceKind::Comment => return vec![],
            Some((at, piece)) if piece.is(TokenKind::Text) => {
                return match before(at) {
                    Some("of") => games(file, &text, piece),
                    _ => vec![],
                };
            }
            Some((_, piece)) if piece.is(TokenKind::Number) => return vec![],
            Some((_, piece)) if piece.is(TokenKind::Site) || text.get(piece.range()) == Some("@") => {
                let end = word_around(&text, byte).end.max(piece.start + 1);
                let mut offers = Offers::new(TextPlace::new(file, piece.start + 1..end));
                self.definitions_of(file, |kind| kind == DefinitionKind::Site, &mut offers);
                return offers.items;
            }
            _ => {}
        }
        let range = word_around(&text, byte);
        let first = all.partition_point(|piece| piece.start < range.start);
        let mut offers = Offers::new(TextPlace::new(file, range.clone()));
        if before(first) == Some(".") {
            let belongs = |kind| matches!(kind, DefinitionKind::Field | DefinitionKind::Value);
            self.definitions_of(file, belongs, &mut offers);
            return offers.items;
        }
        let expected = expectation(&text, range.clone());
        let unknown = expected.is_empty();
        if expected.value || expected.name || expected.ty || unknown {
            for local in locals_at(&text, &all[..first]) {
                self.offer_local(file, &local, &mut offers);
            }
            self.definitions_of(file, is_global, &mut offers);
        }
        if expected.value || expected.name || unknown {
            for name in BuiltInName::ALL {
                offers.add(name.name(), CompletionKind::BuiltIn, name.ty(), name.help());
            }
            for function in Function::ALL {
                let detail = function.signature();
                offers.add(function.name(), CompletionKind::Function, &detail, function.help());
            }
        }
        if expected.value || expected.name || expected.ty || unknown {
            use WordKind as W;
            let kinds = [W::Type, W::Direction, W::Sides, W::Line, W::Notation, W::Argument, W::MatchKey];
            for kind in kinds {
                for word in kind.words() {
                    offers.add(word, CompletionKind::Word, "", kind.help());
                }
            }
            for (word, help) in LOOK_FORMS {
                offers.add(word, CompletionKind::Word, "", help);
            }
            let colours = Colour::NAMES.iter().map(|(name, _)| *name);
            for word in colours.chain(Icon::NAMES.iter().map(|(name, _)| *name)) {
                offers.add(word, CompletionKind::Word, "", W::Look.help());
            }
        }
        for word in &expected.words {
            offers.add_keyword(word);
        }
        if unknown {
            keywords::all().for_each(|one| offers.add_keyword(one.word));
        }
        offers.items
    }

    /// Offers the definitions of some kinds in a file and in all that it stands on.
    fn definitions_of(
        &mut self,
        file: &str,
        is_wanted: impl Fn(DefinitionKind) -> bool,
        offers: &mut Offers,
    ) {
        let Some(checked) = self.last_named(file) else { return };
        for item in &checked.items {
            let all = item.names.definitions.iter().filter(|one| one.span.is_some() && is_wanted(one.kind));
            all.for_each(|one| offers.add_name(one));
        }
    }

    fn offer_local(&mut self, file: &str, name: &str, offers: &mut Offers) {
        let checked = self.last_named(file);
        let is_it = |one: &&Definition| one.name == name && !is_global(one.kind);
        let items = checked.iter().flat_map(|checked| &checked.items);
        match items.flat_map(|item| &item.names.definitions).find(is_it) {
            Some(known) => offers.add_name(known),
            None => offers.add(name, CompletionKind::Name(DefinitionKind::Local), "", ""),
        }
    }
}

/// The games and variants that the text after `of` can name.
fn games(file: &str, text: &str, piece: TextPiece) -> Vec<CompletionItem> {
    let word = &text[piece.range()];
    let closed = word.len() > 1 && word.ends_with('"');
    let end = if closed { piece.end - 1 } else { piece.end };
    let mut offers = Offers::new(TextPlace::new(file, piece.start + 1..end));
    for item in &parse(houserule_language::diagnostic::FileId(0), text).0.items {
        let (title, help) = match item {
            Item::Game(game) => (&game.title, &game.help),
            Item::Variant(variant) => (&variant.title, &variant.help),
        };
        if title.span.end as usize <= piece.start {
            offers.add(&title.text, CompletionKind::Game, "in this file", help);
        }
    }
    for entry in catalogue() {
        offers.add(entry.name, CompletionKind::Game, &entry.title, &entry.help);
    }
    offers.items
}

/// A local that the text before a place introduces.
struct IntroducedLocal<'t> {
    name: &'t str,
    /// The number of open brackets around it.
    depth: usize,
    /// Its scope is the rest of the block around it, not the block after it.
    stays: bool,
}

/// The locals and parameters in scope after some pieces of text, the innermost first.
fn locals_at(text: &str, pieces: &[TextPiece]) -> Vec<String> {
    let words: Vec<&str> =
        pieces.iter().filter(|one| one.kind != PieceKind::Comment).map(|one| &text[one.range()]).collect();
    let (mut depth, mut found) = (0_usize, Vec::<IntroducedLocal<'_>>::new());
    let mut params: Vec<&str> = vec![];
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let after = words.get(at + 1).copied().unwrap_or("");
        match *word {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                // The block of a loop or an option ends its locals.
                found.retain(|one| one.depth < depth || one.depth == depth && one.stays);
                continue;
            }
            _ => {}
        }
        // `players` and others are values, too.
        let declares = keywords::has(word, DECLARATION | EDIT)
            && (after == "{" || !keywords::has(word, keywords::DECLARATION_OR_VALUE));
        if depth == 1 && declares {
            params.clear();
            found.clear();
            if matches!(*word, "define" | "procedure") && words.get(at + 2) == Some(&"(") {
                let list = words[at + 3..].iter().take_while(|word| **word != ")");
                params = list.filter(|word| **word != ",").copied().collect();
            }
        }
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic()) && !keywords::is_refused(word);
        let binds = matches!(after, "in" | "subset" | "part") || before == "draw" && after == "from";
        if is_name && (binds || before == "let") {
            found.push(IntroducedLocal {
                name: word,
                depth,
                stays: matches!(before, "let" | "pick" | "draw"),
            });
        }
    }
    let found = found.iter().rev().map(|one| one.name);
    found.chain(params).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_in_scope_to_the_end_of_their_block() {
        let text = "game \"T\" { define f(a, b) = a turn { let x = 1 for y in S { put p at y pick z in T } \
                    choose { go c in S { let w = c } } if any q in S: q == x { ";
        let at = |word: &str| locals_at(text, &pieces(&text[..text.find(word).expect("the word")]));
        assert_eq!(at("= a"), ["a", "b"]);
        assert_eq!(at("put p"), ["y", "x"]);
        assert_eq!(at("} choose"), ["z", "y", "x"]);
        assert_eq!(at("go c"), ["x"]);
        assert_eq!(at("} } if"), ["w", "c", "x"]);
        assert_eq!(at("== x"), ["q", "x"]);
    }
}
