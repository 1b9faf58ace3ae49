//! The words that can stand at a place of a script: names of its rules after the game, hooks after `fn`, functions.

use super::checked_file::SharedFile;
use super::completion::{CompletionItem, CompletionKind, Offers};
use super::{TextPlace, Workspace};
use houserule_check::{Definition, DefinitionKind, GAME_HOOKS, HOOKS};
use houserule_language::syntax::split::pieces::word_around;
use houserule_language::vocabulary::{BuiltInName, Function};
use houserule_script::{CALLS, WORDS, functions, how_to_call};

impl Workspace {
    /// The words that can stand in place of the one around a byte of a script.
    pub(super) fn complete_in_script(&mut self, file: &str, text: &str, byte: usize) -> Vec<CompletionItem> {
        let range = word_around(text, byte);
        let before = &text[..range.start];
        let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
        let is_text = line.matches('"').count() % 2 == 1;
        let is_number = text[range.clone()].starts_with(|c: char| c.is_ascii_digit());
        if is_text || is_number || line.contains("//") {
            return vec![];
        }
        let mut offers = Offers::new(TextPlace::new(file, range));
        let names = names_before(before);
        if let Some(value) = before.strip_suffix('.') {
            let value = &value[word_around(value, value.len())];
            if names.game == Some(value) {
                self.offer_game(file, &mut offers);
            }
            return offers.items;
        }
        if before.split_whitespace().next_back() == Some("fn") {
            self.offer_hooks(file, &mut offers);
            return offers.items;
        }
        for (at, _) in text.match_indices("fn ") {
            let own = &text[word_around(text, at + 3)];
            offers.add(own, CompletionKind::Name(DefinitionKind::ScriptFunction), "", "");
        }
        for local in names.locals.iter().rev() {
            offers.add(local, CompletionKind::Name(DefinitionKind::Local), "", "");
        }
        for name in functions().iter().filter(|name| name.starts_with(char::is_alphabetic)) {
            let (detail, help) =
                Function::named(name).map_or_else(Default::default, |one| (one.signature(), one.help()));
            offers.add(name, CompletionKind::Function, &detail, help);
        }
        offers.items
    }

    /// The rule files that name a script, as they were when their names were last known.
    fn rules_of(&mut self, script: &str) -> Vec<SharedFile> {
        let files: Vec<String> = self.checked_with(script).iter().map(|one| one.name.clone()).collect();
        files.iter().filter_map(|file| self.last_named(file)).collect()
    }

    /// Offers what a script can read of the game.
    fn offer_game(&mut self, script: &str, offers: &mut Offers) {
        use DefinitionKind as K;
        let is_word = |one: &&Definition| {
            let declared = matches!(
                one.kind,
                K::Variable
                    | K::Dice
                    | K::Piece
                    | K::Zone
                    | K::Param
                    | K::Table
                    | K::Enum
                    | K::Domain
                    | K::Board
            );
            one.span.is_some() && (declared || matches!(one.kind, K::Edges | K::Player | K::Value))
        };
        for checked in self.rules_of(script) {
            for item in &checked.items {
                item.names.definitions.iter().filter(is_word).for_each(|one| offers.add_name(one));
            }
        }
        for word in WORDS {
            let (ty, help) = BuiltInName::named(word).map_or(("", ""), |name| (name.ty(), name.help()));
            offers.add(word, CompletionKind::BuiltIn, ty, help);
        }
        for name in CALLS {
            offers.add(name, CompletionKind::Function, "", how_to_call(name).unwrap_or(""));
        }
    }

    /// Offers the names of functions that the rules call.
    fn offer_hooks(&mut self, script: &str, offers: &mut Offers) {
        let kind = CompletionKind::Name(DefinitionKind::ScriptFunction);
        for checked in self.rules_of(script) {
            for one in checked.items.iter().flat_map(|item| &item.names.definitions) {
                for (prefix, _, help) in HOOKS.iter().filter(|(_, of, _)| *of == one.kind) {
                    let part = format!("{} {}", one.kind.text(), one.name);
                    offers.add(&format!("{prefix}{}", one.name), kind, &part, help);
                }
            }
        }
        for (name, help) in GAME_HOOKS {
            offers.add(name, kind, "game", help);
        }
    }
}

/// The names that the function around the end of a text has introduced.
struct NamesBefore<'t> {
    /// Its first parameter, which is the game.
    game: Option<&'t str>,
    /// All its parameters and locals, in the order of the text.
    locals: Vec<&'t str>,
}

fn names_before(text: &str) -> NamesBefore<'_> {
    let body = text.rfind("fn ").map_or("", |at| &text[at..]);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let params =
        body.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(params, _)| params);
    let params = params.split(',').map(str::trim).filter(|param| !param.is_empty());
    let mut locals: Vec<&str> = params.collect();
    let game = locals.first().copied();
    let words: Vec<&str> = body.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let introduced = words.windows(2).filter(|pair| matches!(pair[0], "let" | "const" | "for"));
    locals.extend(introduced.map(|pair| pair[1]));
    NamesBefore { game, locals }
}
