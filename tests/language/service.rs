//! What editors ask about rule texts: messages, fixes, names, renaming, completion, layout.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::extent;
use crate::rule_files::rule_files;
use houserule::bundled;
use houserule::diagnostic::{Code, Diagnostic, FileId, Severity};
use houserule::format::format;
use houserule::game::Game;
use houserule::loader::{LoadError, Request, load};
use houserule::model::Seat;
use houserule::service::{
    CompletionKind, MessageFix, OutlineEntry, TextChange, TextMessage, TokenClass, Workspace, apply_changes,
};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// The cases of `tests/errors` that name no stack, each with its path and text.
fn error_cases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let mut cases = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rules") {
            let text = std::fs::read_to_string(&path).unwrap();
            if !text.starts_with("// stack: ") {
                cases.push((path.display().to_string(), text));
            }
        }
    }
    cases.sort();
    assert!(cases.len() > 200);
    cases
}

pub(crate) fn opened(file: &str, text: &str) -> Workspace {
    let mut workspace = Workspace::default();
    assert!(workspace.open(file, 1, text));
    workspace
}

/// The place of the `number`th occurrence of some words in a text, from 0.
pub(crate) fn at(text: &str, words: &str, number: usize) -> usize {
    text.match_indices(words).nth(number).unwrap_or_else(|| panic!("{words}")).0
}

#[test]
fn the_messages_of_a_text_are_those_of_check() {
    let mut count = 0;
    for (path, text) in extent::some_of("messages", 4, error_cases()) {
        let (diagnostics, sources) = match load(&Request { name: &path, ..Request::default() }) {
            Ok(loaded) => (loaded.warnings, loaded.sources),
            Err(LoadError::Rules { diagnostics, sources, .. }) => (diagnostics, sources),
            Err(LoadError::Compile(message)) => {
                let found = opened(&path, &text).messages(&path);
                assert_eq!(
                    found.iter().map(|one| one.message.as_str()).collect::<Vec<_>>(),
                    [message],
                    "{path}"
                );
                continue;
            }
            Err(LoadError::Request(messages)) => panic!("{path}: {messages:?}"),
        };
        let mut found = opened(&path, &text).messages(&path);
        let here = |one: &&Diagnostic| sources.get(one.primary.span.file).name == path;
        for expected in diagnostics.iter().filter(here) {
            let span = expected.primary.span;
            let is_it = |one: &TextMessage| {
                (one.place.start, one.place.end) == (span.start as usize, span.end as usize)
                    && (one.severity, one.code, &one.message)
                        == (expected.severity, Some(expected.code), &expected.message)
                    && (&one.label, &one.notes, &one.help)
                        == (&expected.primary.text, &expected.notes, &expected.help)
                    && one.related.len() == expected.secondary.len()
            };
            let at =
                found.iter().position(is_it).unwrap_or_else(|| panic!("{path}: {expected:?}\n{found:#?}"));
            found.remove(at);
            count += 1;
        }
        // An error in a script is also told where the rules name it.
        found.retain(|one| !diagnostics.iter().any(|known| known.message == one.message));
        // Other items of the file than the last are checked, too; `check` names them with `#`.
        let heads = |line: &&str| line.starts_with("game \"") || line.starts_with("variant \"");
        let is_single = text.lines().filter(heads).count() <= 1;
        assert!(found.is_empty() || !is_single, "{path}: {found:#?}");
    }
    assert!(count > extent::tries(40, 300), "{count}");
}

fn errors(messages: &[TextMessage]) -> usize {
    messages.iter().filter(|one| one.severity == Severity::Error).count()
}

fn times(messages: &[TextMessage], wanted: &TextMessage) -> usize {
    messages.iter().filter(|one| one.code == wanted.code && one.message == wanted.message).count()
}

#[test]
fn a_fix_makes_its_message_go_away_and_what_is_meant_has_a_fix() {
    let (mut count, mut without) = (0, vec![]);
    for (path, text) in extent::some_of("fixes", 4, error_cases()) {
        let mut workspace = opened(&path, &text);
        let before = workspace.messages(&path);
        let fixes = workspace.fixes(&path, 0..text.len());
        for MessageFix { message, title, changes, .. } in &fixes {
            let fixed = apply_changes(&text, changes);
            let after = opened(&path, &fixed).messages(&path);
            assert!(times(&after, message) < times(&before, message), "{path}: {title}\n{fixed}");
            assert!(errors(&after) <= errors(&before), "{path}: {title}\n{fixed}");
            count += 1;
        }
        let is_meant =
            |one: &&TextMessage| one.help.as_ref().is_some_and(|help| help.starts_with("did you mean `"));
        let fixed = |one: &TextMessage| fixes.iter().any(|fix| fix.message == *one);
        without.extend(
            before
                .iter()
                .filter(is_meant)
                .filter(|one| !fixed(one))
                .map(|one| format!("{path}: {}: {:?}", one.message, one.help)),
        );
    }
    assert!(without.is_empty(), "{without:#?}");
    assert!(count > extent::tries(10, 100), "{count}");
}

#[test]
fn a_fix_says_what_it_does() {
    let text = "game \"T\" {\n  players 1\n  var points: 0..9 = 0\n  turn { pionts += 1 }\n  limit 3\n}\n";
    let mut workspace = opened("/t.rules", text);
    let byte = at(text, "pionts", 0);
    let fixes = workspace.fixes("/t.rules", byte..byte);
    assert_eq!(fixes[0].title, "Write `points`");
    assert_eq!(apply_changes(text, &fixes[0].changes), text.replace("pionts", "points"));
    assert!(workspace.fixes("/t.rules", 0..1).is_empty(), "no message is there");
}

/// Words of a text with their first bytes, without those in comments and quotes.
pub(crate) fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = vec![];
    let (mut at, mut quoted) = (0, false);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") && !quoted {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !quoted {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push((at, &rest[..end]));
            at += end;
        } else if rest.starts_with(|c: char| c.is_ascii_digit() || c == '@') && !quoted {
            at += 1 + rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1);
        } else {
            quoted ^= rest.starts_with('"');
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

#[test]
fn a_definition_lies_on_a_name_and_its_references_have_it() {
    let mut count = 0;
    for rules in extent::some_of("definitions", 8, bundled::ALL) {
        let (mut workspace, mut known) = (Workspace::default(), BTreeMap::new());
        for (byte, word) in words(rules.text) {
            for place in workspace.definitions(rules.name, byte) {
                let text = workspace.text(&place.file).unwrap();
                assert_eq!(&text[place.range()], word, "{}: {place:?}", rules.name);
                // What is defined there is defined there.
                let again = workspace.definitions(&place.file, place.start);
                let within = workspace.definitions(rules.name, byte);
                assert!(
                    again.contains(&place) || place.file != rules.name || within.len() > 1,
                    "{}",
                    rules.name
                );
                let references =
                    known.entry(place.clone()).or_insert_with(|| workspace.references(rules.name, byte));
                let own = references.iter().any(|one| one.file == rules.name && one.start == byte);
                assert!(references.contains(&place) && own, "{}: {word}: {references:?}", rules.name);
                count += 1;
            }
        }
    }
    assert!(count > extent::tries(500, 5_000), "{count}");
}

const BASE: &str = "/games/base/dilido.rules";
const VARIANT: &str = "/games/house/joker.rules";

/// Di-Li-Do and a variant of it as two open texts that are no files.
fn two_texts() -> Workspace {
    let mut workspace = Workspace::default();
    workspace.open(BASE, 1, bundled::find("dilido").unwrap().text);
    let variant = bundled::find("dilido-second-joker").unwrap().text;
    workspace.open(VARIANT, 1, &variant.replace("of \"dilido\"", "of \"../base/dilido.rules\""));
    workspace
}

#[test]
fn names_go_through_a_variant_and_its_game() {
    let mut workspace = two_texts();
    assert_eq!(workspace.messages(VARIANT), []);
    let (base, variant) = (workspace.text(BASE).unwrap(), workspace.text(VARIANT).unwrap());
    let place = workspace.definitions(VARIANT, at(&variant, "anchor", 0));
    assert_eq!((place[0].file.as_str(), place[0].start), (BASE, at(&base, "anchor", 0)));
    let of = workspace.definitions(VARIANT, at(&variant, "../base", 0));
    assert_eq!((of[0].file.as_str(), &base[of[0].range()]), (BASE, "\"Di-Li-Do\""));
    for (file, text) in [(BASE, &base), (VARIANT, &variant)] {
        let references = workspace.references(file, at(text, "penalties += 1", 0));
        let files: BTreeSet<&str> = references.iter().map(|place| place.file.as_str()).collect();
        assert_eq!((references.len(), files.len()), (4, 2), "{file}: {references:?}");
    }
    // An error in the game is told where the variant names it, and gone with it.
    workspace.open(BASE, 2, &base.replace("penalties += 1", "penalties += 1 1"));
    assert_eq!(workspace.affected(BASE), [BASE, VARIANT]);
    let messages = workspace.messages(VARIANT);
    assert_eq!(&variant[messages[0].place.range()], "\"../base/dilido.rules\"");
    assert_eq!(messages[0].related[0].0.file, BASE);
    assert!(!workspace.open(BASE, 1, "an older version"));
    workspace.open(BASE, 3, &base);
    assert_eq!(workspace.messages(VARIANT), []);
    workspace.close(BASE);
    assert_eq!(workspace.messages(VARIANT)[0].code, Some(Code::UnknownBase));
}

/// How some games of random players go.
pub(crate) fn played(game: &Game) -> Vec<(u64, Vec<i64>)> {
    let mut all = vec![];
    for index in 0..5 {
        let mut state = game.start(3, index).unwrap();
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
        }
        let scores = (0..game.players()).map(|seat| state.score(Seat(seat)).unwrap_or(0)).collect();
        all.push((state.decisions(), scores));
    }
    all
}

/// Renames each name of a file of a workspace, plays the game, and renames it back. Returns the number of names.
fn rename_each(workspace: &mut Workspace, file: &str, game: &str) -> usize {
    let text = workspace.text(file).unwrap();
    let expected = played(&workspace.game(game).unwrap());
    let messages = workspace.messages(file).len();
    let (mut count, mut known) = (0, BTreeSet::new());
    for (byte, word) in words(&text) {
        let defined = workspace.definitions(file, byte);
        if defined.is_empty() || !known.insert(defined) {
            continue;
        }
        let mut renamed = workspace.clone();
        let changes = match renamed.rename(file, byte, "zq_zq") {
            Ok(changes) => changes,
            Err(reason) => panic!("{file}: `{word}`: {reason}"),
        };
        let files: BTreeSet<&str> = changes.iter().map(|change| change.place.file.as_str()).collect();
        let change = |workspace: &mut Workspace, changes: &[TextChange]| {
            for file in &files {
                let own = changes.iter().filter(|change| change.place.file == *file);
                let text = apply_changes(&workspace.text(file).unwrap(), own);
                workspace.open(file, workspace.version(file).unwrap() + 1, &text);
            }
        };
        change(&mut renamed, &changes);
        assert_eq!(renamed.messages(file).len(), messages, "`{word}`");
        assert_eq!(renamed.game(game).map(|game| played(&game)).as_ref(), Some(&expected), "`{word}`");
        let back = at(&renamed.text(file).unwrap(), "zq_zq", 0);
        let changes = renamed.rename(file, back, word).unwrap_or_else(|reason| panic!("`{word}`: {reason}"));
        change(&mut renamed, &changes);
        for file in &files {
            assert_eq!(renamed.text(file), workspace.text(file), "`{word}`");
        }
        count += 1;
    }
    count
}

#[test]
fn a_renamed_game_plays_the_same_and_is_renamed_back() {
    let mut count = 0;
    for name in ["pig", "tic-tac-toe", "kuhn-poker", "connect-four"] {
        let path = format!("/games/{name}.rules");
        count += rename_each(&mut opened(&path, bundled::find(name).unwrap().text), &path, &path);
    }
    assert!(count > 40, "{count}");
    assert!(rename_each(&mut two_texts(), VARIANT, BASE) >= 8);
}

#[test]
fn a_name_that_cannot_be_changed_has_a_reason() {
    let mut workspace = two_texts();
    let base = workspace.text(BASE).unwrap();
    let mut refused = |words: &str, new: &str| workspace.rename(BASE, at(&base, words, 0), new).unwrap_err();
    assert_eq!(refused("anchor", "if"), "`if` is a keyword and can't be a name");
    assert_eq!(refused("anchor", "me"), "`me` is a word of the language and can't be a name");
    assert_eq!(refused("anchor", "d6"), "`d6` means a die and can't be a name");
    assert!(refused("anchor", "a-b").starts_with("`a-b` is no name"));
    assert!(refused("anchor", "").starts_with("`` is no name"));
    assert!(refused("anchor", "jokers").contains("`anchor` can't be called `jokers`: "));
    // The variant has a variable of this name.
    assert!(refused("anchor", "earned").contains("`anchor` can't be called `earned`: "));
    assert_eq!(refused("empty", "free"), "`empty` is a word of the language and can't be renamed");
    assert_eq!(refused("players 1", "seats"), "there is no name here");
    let of_bundled = "variant \"V\" of \"pig\" {\n  new var x: 0..1 = 0\n}\n";
    workspace.open("/v.rules", 1, of_bundled);
    let pig = bundled::find("pig").unwrap().text;
    let (byte, word) =
        words(pig).into_iter().find(|(byte, _)| !workspace.definitions("pig", *byte).is_empty()).unwrap();
    let reason = workspace.rename("pig", byte, "zq").unwrap_err();
    assert!(reason.starts_with(&format!("`{word}` is a name of `pig`, which is bundled")), "{reason}");
    workspace.open(BASE, 2, &base.replace("penalties += 1", "penalties += 1 1"));
    let reason = workspace.rename(BASE, at(&base, "anchor", 0), "spot").unwrap_err();
    assert!(reason.starts_with("the rules have errors"), "{reason}");
}

#[test]
fn the_layout_is_that_of_fmt() {
    let mut changed = 0;
    for rules in extent::some_of("layout", 8, bundled::ALL) {
        let text: String = rules.text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        let workspace = opened("/f.rules", &text);
        let changes = workspace.format("/f.rules").unwrap();
        assert_eq!(apply_changes(&text, &changes), format(FileId(0), &text).unwrap(), "{}", rules.name);
        changed += changes.len();
        let formatted = opened("/f.rules", &format(FileId(0), rules.text).unwrap());
        assert_eq!(formatted.format("/f.rules"), Ok(vec![]), "{}", rules.name);
    }
    assert!(changed > extent::tries(10, 100));
    let text = bundled::find("pig").unwrap().text;
    let one_line = text.replacen("  players", "  players   ", 1);
    let changes = opened("/f.rules", &one_line).format("/f.rules").unwrap();
    assert_eq!(changes[0].text.matches('\n').count(), 1, "only the line that differs: {changes:?}");
    assert!(
        opened("/f.rules", "game \"")
            .format("/f.rules")
            .unwrap_err()
            .starts_with("this text isn't formatted: ")
    );
}

/// The words of a text that completion doesn't offer when only the beginning of the word is written.
fn not_offered(path: &str, text: &str) -> (usize, Vec<String>) {
    let mut workspace = opened(path, text);
    let (mut missing, mut count) = (vec![], 0);
    for (start, word) in extent::some_of(path, 8, words(text)) {
        // A name that is defined there is new.
        let is_new =
            workspace.definitions(path, start).iter().any(|one| one.file == path && one.start == start);
        let is_die = word.starts_with('d') && word[1..].parse::<u32>().is_ok();
        if is_new || is_die {
            continue;
        }
        for length in 0..=word.len() {
            let written = format!("{}{}{}", &text[..start], &word[..length], &text[start + word.len()..]);
            let mut typed = workspace.clone();
            typed.open(path, 2, &written);
            let found = typed.complete(path, start + length);
            count += 1;
            if !found.iter().any(|item| item.word == word && item.place.range() == (start..start + length)) {
                let line = text[..start].matches('\n').count() + 1;
                missing.push(format!("{path}:{line}: `{word}` from `{}`", &word[..length]));
            }
        }
    }
    (count, missing)
}

#[test]
fn every_word_is_offered_from_every_beginning() {
    for name in ["pig", "tic-tac-toe", "dilido-second-joker", "kalah"] {
        let (count, missing) = not_offered(&format!("/{name}.rules"), bundled::find(name).unwrap().text);
        assert!(missing.is_empty() && count > extent::tries(10, 100), "{count}: {missing:#?}");
    }
}

#[test]
fn only_what_can_stand_there_is_offered() {
    let text = "game \"T\" {\n  players 1\n  enum hue { red, blue }\n  board cell = grid(3, 3)\n  piece man\n  var lamp: hue = red\n  \
                turn {\n    let spot = {}\n    put man at  \n  }\n  \n}\n// red \nvariant \"V\" of \"\" { }\n";
    let mut workspace = opened("/t.rules", text);
    let mut offered = |byte: usize| -> BTreeSet<String> {
        workspace.complete("/t.rules", byte).into_iter().map(|item| item.word).collect()
    };
    let has = |offered: &BTreeSet<String>, words: &[&str]| words.iter().all(|word| offered.contains(*word));
    let value = offered(at(text, "put man at", 0) + 11);
    assert!(has(&value, &["spot", "cell", "red", "around", "me", "north", "if"]), "{value:?}");
    assert!(!value.contains("put") && !value.contains("enum"), "{value:?}");
    let declaration = offered(at(text, "  \n}", 0) + 2);
    assert!(has(&declaration, &["var", "score", "end"]), "{declaration:?}");
    assert!(!declaration.contains("put") && !declaration.contains("spot"), "{declaration:?}");
    assert!(offered(at(text, "// red", 0) + 6).is_empty());
    let games = offered(at(text, "\"\"", 0) + 1);
    assert!(has(&games, &["dilido", "dilido-torus", "T"]) && !games.contains("var"), "{games:?}");
    let kinds = workspace.complete("/t.rules", at(text, "put man at", 0) + 11);
    let spot = kinds.iter().find(|item| item.word == "around").unwrap();
    assert_eq!(
        (spot.kind, spot.detail.as_str()),
        (CompletionKind::Function, "around(S: set of sites): set of sites")
    );
}

#[test]
fn words_are_offered_however_lines_end() {
    let text = "game \"T\" {  // a game\n  players 1\n  board cell = grid(3, 3)\n  turn { choose { go c in  { } } }\n}\n";
    let offered = |text: &str| -> BTreeSet<String> {
        let found = opened("/t.rules", text).complete("/t.rules", at(text, "go c in ", 0) + 8);
        found.into_iter().map(|item| item.word).collect()
    };
    let plain = offered(text);
    assert!(plain.contains("cell") && plain.contains("around") && !plain.contains("var"), "{plain:?}");
    assert_eq!(offered(&text.replace('\n', "\r")), plain);
}

#[test]
fn a_word_is_explained() {
    let mut workspace = two_texts();
    let variant = workspace.text(VARIANT).unwrap();
    let mut hover = |words: &str, number| {
        let found = workspace.hover(VARIANT, at(&variant, words, number)).unwrap();
        (found.code, found.help)
    };
    assert_eq!(
        hover("jokers_left", 0),
        ("var jokers_left: 0..2".to_owned(), "jokers not used yet".to_owned())
    );
    assert_eq!(hover("anchor", 0).0, "var anchor: cell?  // dilido.rules");
    let (code, help) = hover("extend", 0);
    assert_eq!((code.as_str(), help.as_str()), ("extend", "Changes the options of a choice."));
    let (code, help) = hover("if", 0);
    assert!(
        code.starts_with("if C { … }\n") && help.ends_with("It can be used in every block of statements.")
    );
    assert!(workspace.hover(VARIANT, at(&variant, " {", 0) + 1).is_none());
    let base = workspace.text(BASE).unwrap();
    let mut hover = |words: &str| workspace.hover(BASE, at(&base, words, 0)).unwrap().code;
    assert_eq!(hover("c in named"), "c: cell");
    assert!(hover("lines(dot").starts_with("lines(S: set of sites, table: table of points"));
    assert_eq!(hover("empty"), "built-in name empty: set of sites");
}

#[test]
fn the_outline_has_the_parts_of_the_rules() {
    fn flat(entries: &[OutlineEntry], found: &mut Vec<(String, String)>) {
        for entry in entries {
            found.push((entry.detail.clone(), entry.name.clone()));
            for child in &entry.children {
                let (inner, outer) = (&child.range, &entry.range);
                assert!(outer.start <= inner.start && inner.end <= outer.end, "{entry:?}");
            }
            let (name, whole) = (&entry.name_range, &entry.range);
            assert!(whole.start <= name.start && name.end <= whole.end, "{entry:?}");
            flat(&entry.children, found);
        }
    }
    for rules in extent::some_of("outline", 8, bundled::ALL) {
        let mut found = vec![];
        flat(&Workspace::default().outline(rules.name), &mut found);
        assert!(found.len() > 1, "{}: {found:?}", rules.name);
    }
    let mut found = vec![];
    flat(&Workspace::default().outline("dilido"), &mut found);
    for (detail, name) in [
        ("game", "Di-Li-Do"),
        ("param", "size"),
        ("dice", "pair"),
        ("", "turn"),
        ("step", "place"),
        ("choose", "joker"),
        ("option", "pass"),
        ("end", "penalties"),
        ("", "lines"),
    ] {
        assert!(found.contains(&(detail.to_owned(), name.to_owned())), "{detail} {name}: {found:?}");
    }
}

#[test]
fn every_word_has_a_class() {
    for rules in extent::some_of("classes", 8, bundled::ALL) {
        let tokens = Workspace::default().tokens(rules.name);
        assert!(tokens.windows(2).all(|pair| pair[0].end <= pair[1].start), "{}", rules.name);
        for (start, word) in words(rules.text) {
            assert!(tokens.iter().any(|token| token.start == start), "{}: `{word}`", rules.name);
        }
    }
    let text = bundled::find("points").unwrap().text;
    let tokens = Workspace::default().tokens("points");
    for code in ["option", "never", "taken"] {
        let start = at(text, "option-never-taken", 0) + "option-never-taken".find(code).unwrap();
        let found = tokens.iter().find(|token| token.start == start).map(|token| token.class);
        assert_eq!(found, Some(TokenClass::Value), "{code}");
    }
    let text = bundled::find("dilido").unwrap().text;
    let tokens = Workspace::default().tokens("dilido");
    let class = |words: &str, number| {
        let start = at(text, words, number);
        let token = tokens.iter().find(|token| token.start == start).unwrap();
        (token.class, token.defines, token.built_in)
    };
    assert_eq!(class("penalties", 0), (TokenClass::Variable, true, false));
    assert_eq!(class("size", 1), (TokenClass::Constant, false, false));
    assert_eq!(class("empty", 0), (TokenClass::Variable, false, true));
    assert_eq!(class("around(c)", 0), (TokenClass::Function, false, true));
    assert_eq!(class("turn {", 0), (TokenClass::Keyword, false, false));
    assert_eq!(class("/// Dice", 0), (TokenClass::Comment, false, false));
}

#[test]
fn types_that_are_not_written_are_shown() {
    let text = "game \"T\" {\n  players 1\n  board cell = grid(3, 3)\n  var n: 0..9 = 0\n  turn {\n    let spots = {@a1, @b2}\n    \
                let more: 0..9 = n\n    let few = 1..3\n    n = count(spots) + more + count(few)\n  }\n  limit 3\n}\n";
    let mut workspace = opened("/t.rules", text);
    let hints = workspace.type_hints("/t.rules", 0..text.len());
    let shown: Vec<(&str, &str)> =
        hints.iter().map(|hint| (&text[hint.byte - 3..hint.byte], hint.text.as_str())).collect();
    assert_eq!(shown, [("ots", ": set of cell"), ("few", ": set of 1..3")]);
    assert_eq!(workspace.type_hints("/t.rules", 0..20), []);
}

#[test]
fn blocks_and_comments_of_several_lines_can_be_folded() {
    let text = "/// One.\n/// Two.\ngame \"T\" {\n  turn { }\n  score {\n    a: 1,\n  }\n}\n";
    let lines = |range: &std::ops::Range<usize>| {
        [range.start, range.end].map(|byte| text[..byte].matches('\n').count())
    };
    let folds = opened("/t.rules", text).folds("/t.rules");
    let folds: Vec<_> = folds.iter().map(|(range, is_comment)| (lines(range), *is_comment)).collect();
    assert_eq!(folds, [([2, 7], false), ([4, 6], false), ([0, 1], true)]);
}

#[test]
fn a_script_gets_the_messages_that_its_rules_have() {
    let rules = "game \"T\" {\n  players 1\n  board cell = grid(2, 2)\n  piece man\n  turn { choose { go c in empty { put man at c } } }\n  \
                 end full when empty is nothing: draw\n  script \"t.rhai\"\n}\n";
    let mut workspace = opened("/t.rules", rules);
    workspace.open("/t.rhai", 1, "fn on_go(g, c) {\n  let x = ;\n}\n");
    let messages = workspace.messages("/t.rhai");
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!((messages[0].severity, messages[0].place.file.as_str()), (Severity::Error, "/t.rhai"));
    // The rules show it where they name the script.
    let messages = workspace.messages("/t.rules");
    assert_eq!(&rules[messages[0].place.range()], "\"t.rhai\"");
    workspace.open("/t.rhai", 2, "fn on_go(g, c) {}\n");
    assert_eq!((workspace.messages("/t.rhai"), workspace.messages("/t.rules")), (vec![], vec![]));
    // The name of a hook has the name of the option in it.
    let places = workspace.references("/t.rules", at(rules, "go c", 0));
    assert!(places.iter().any(|place| place.file == "/t.rhai" && place.range() == (6..8)), "{places:?}");
    let changes = workspace.rename("/t.rules", at(rules, "go c", 0), "lay").unwrap();
    assert_eq!(
        apply_changes("fn on_go(g, c) {}\n", changes.iter().filter(|one| one.place.file == "/t.rhai")),
        "fn on_lay(g, c) {}\n"
    );
}

/// A game with a script that acts, counts and calls itself.
fn scripted() -> (Workspace, &'static str, &'static str) {
    let rules = "game \"T\" {\n  players X, O\n  board cell = grid(3, 3)\n  piece man[player]\n  var spare: 0..9 = 3  \"men left\"\n  \
                 turn { step lay { choose { go c in empty { put man[me] at c } } } }\n  \
                 end full when empty is nothing: draw\n  score { men: spare }\n  script \"t.rhai\"\n}\n";
    let script = "fn on_go(g, c) {\n  if g.spare > 0 && g.me == g.X { g.put(\"man\", g.me, free(g)); }\n}\n\
                  // A free cell.\nfn free(g) { lowest(g.empty - g.man) }\n";
    let mut workspace = opened("/t.rules", rules);
    workspace.open("/t.rhai", 1, script);
    assert_eq!((workspace.messages("/t.rules"), workspace.messages("/t.rhai")), (vec![], vec![]));
    (workspace, rules, script)
}

#[test]
fn a_script_knows_the_names_of_its_rules() {
    let (mut workspace, rules, script) = scripted();
    let mut hover = |words: &str, number| {
        workspace.hover("/t.rhai", at(script, words, number)).map(|found| (found.code, found.help))
    };
    let some = |code: &str, help: &str| Some((code.to_owned(), help.to_owned()));
    assert_eq!(hover("spare", 0), some("var spare: 0..9  // t.rules", "men left"));
    assert_eq!(hover("X {", 0).unwrap().0, "player X: player  // t.rules");
    assert_eq!(hover("me ==", 0).unwrap().0, "built-in name me: player");
    assert_eq!(
        hover("on_go", 0),
        some("script function on_go", "Called after the option's statements, or before it leaves the turn.")
    );
    assert_eq!(hover("go(g", 0).unwrap().0, "option go  // t.rules");
    assert_eq!(hover("free(g)", 0), some("script function free", "A free cell."));
    assert!(hover("lowest", 0).unwrap().0.starts_with("lowest("));
    // What is a keyword of the rules means nothing here.
    assert_eq!((hover("if g", 0), hover("put(", 0)), (None, None));
    let place = workspace.definitions("/t.rhai", at(script, "man\"", 0));
    assert_eq!((place[0].file.as_str(), place[0].start), ("/t.rules", at(rules, "man[player]", 0)));
    let place = workspace.definitions("/t.rhai", at(script, "free(g))", 0));
    assert_eq!((place[0].file.as_str(), place[0].start), ("/t.rhai", at(script, "free(g) {", 0)));
}

#[test]
fn a_name_is_renamed_in_scripts() {
    let (mut workspace, rules, script) = scripted();
    let mut renamed = |file: &str, place, new: &str| {
        let changes = workspace.rename(file, place, new).unwrap();
        let changed =
            |text: &str, of: &str| apply_changes(text, changes.iter().filter(|one| one.place.file == of));
        (changed(rules, "/t.rules"), changed(script, "/t.rhai"))
    };
    assert_eq!(
        renamed("/t.rules", at(rules, "spare", 0), "rest"),
        (rules.replace("spare", "rest"), script.replace("spare", "rest"))
    );
    let (in_rules, in_script) = renamed("/t.rhai", at(script, "man\"", 0), "stone");
    assert_eq!(in_rules, rules.replace("piece man", "piece stone").replace("put man", "put stone"));
    assert_eq!(in_script, script.replace("\"man\"", "\"stone\"").replace("g.man", "g.stone"));
    let (in_rules, in_script) = renamed("/t.rhai", at(script, "free(g) {", 0), "spot");
    assert_eq!((in_rules.as_str(), in_script), (rules, script.replace("free(g)", "spot(g)")));
}

#[test]
fn the_words_of_a_script_are_offered() {
    let (mut workspace, rules, script) = scripted();
    let mut offered = |text: &str, words: &str| {
        workspace.open("/t.rhai", 2, text);
        let items = workspace.complete("/t.rhai", at(text, words, 0) + words.len());
        items.into_iter().map(|one| one.word).collect::<BTreeSet<String>>()
    };
    let has = |words: &BTreeSet<String>, wanted: &[&str]| wanted.iter().all(|one| words.contains(*one));
    // The text is broken in the middle of a word, and the names are still known.
    let after_game = offered(&script.replace("g.spare > 0", "g. > 0"), "if g.");
    assert!(has(&after_game, &["spare", "man", "cell", "X", "me", "empty", "put", "roll"]), "{after_game:?}");
    assert!(!after_game.contains("lowest") && !after_game.contains("go"));
    let hooks = offered(&format!("{script}fn "), "lowest(g.empty - g.man) }\nfn ");
    assert!(has(
        &hooks,
        &["on_go", "allow_go", "before_lay", "after_lay", "score_men", "on_setup", "on_end"]
    ));
    let plain = offered(script, "lowest(");
    assert!(
        has(&plain, &["g", "free", "lowest", "around"]) && !plain.contains("spare") && !plain.contains("c")
    );
    let after_comment = script.replacen("// A free", "// A\nlet free", 1).replace('\n', "\r");
    assert!(!offered(&after_comment, "let fr").is_empty(), "a comment ends with its line");
    assert_eq!(offered(script, "// A free"), BTreeSet::new());
    assert_eq!(offered(script, "\"ma"), BTreeSet::new());
    // The rules keep their names while the script is broken.
    workspace.open("/t.rhai", 3, "fn on_go(g, c) { let }");
    assert_eq!(workspace.definitions("/t.rules", at(rules, "spare }", 0))[0].start, at(rules, "spare", 0));
}

#[test]
fn the_items_of_a_file_are_all_checked() {
    let text = "game \"A\" {\n  players 1\n  var n: 0..9 = 0\n  turn { n += 1 }\n  limit 3\n}\nvariant \"B\" of \"A\" {\n  fix m = 1\n}\n\
                variant \"C\" of \"A\" {\n  limit 4\n}\n";
    let mut workspace = opened("/abc.rules", text);
    let messages = workspace.messages("/abc.rules");
    assert!(messages.iter().any(|one| &text[one.place.range()] == "m"), "{messages:?}");
    let title = workspace.definitions("/abc.rules", at(text, "of \"A\"", 1) + 4);
    assert_eq!(&text[title[0].range()], "\"A\"");
    // A text without a path.
    let mut unsaved = opened("untitled:One", text);
    assert_eq!(unsaved.definitions("untitled:One", at(text, "n += 1", 0))[0].start, at(text, "n: 0..9", 0));
}

#[test]
fn questions_about_broken_texts_have_answers() {
    let mut seeded = Xoshiro256PlusPlus::seed_from_u64(11);
    let files = rule_files("rules");
    for round in 0..extent::tries(36, 150) {
        let (_, text) = files.choose(&mut seeded).unwrap();
        let mut place = || text.floor_char_boundary(seeded.random_range(0..text.len()));
        let (a, b, c) = (place(), place(), place());
        let cut = match round % 3 {
            0 => text[..a].to_owned(),
            1 => format!("{}{}", &text[..a.min(b)], &text[a.max(b)..]),
            _ => format!("{}é♣\" {{{}", &text[..a], &text[a..]),
        };
        let mut workspace = opened("/x.rules", &cut);
        for byte in [c, cut.len(), cut.len() + 9] {
            workspace.hover("/x.rules", byte);
            workspace.definitions("/x.rules", byte);
            workspace.references("/x.rules", byte);
            workspace.complete("/x.rules", byte);
            let _ = workspace.rename("/x.rules", byte, "zq");
        }
        workspace.messages("/x.rules");
        workspace.tokens("/x.rules");
        workspace.outline("/x.rules");
        workspace.folds("/x.rules");
        workspace.type_hints("/x.rules", 0..cut.len());
        let _ = workspace.format("/x.rules");
    }
    assert!(Workspace::default().messages("/nowhere.rules").is_empty());
}
