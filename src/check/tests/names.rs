//! What each name in rules stands for.

use std::collections::BTreeSet;

use houserule_check::{CheckOptions, Checked, Definition, DefinitionKind, Names, check};
use houserule_language::diagnostic::{FileId, SourceMap, Span};
use houserule_language::syntax::split::tokens::{TokenKind, tokenise};
use houserule_language::syntax::{Item, parse};
use houserule_language::variants::merge;
use houserule_language::vocabulary::keyword;
use houserule_loader::bundled;
use houserule_loader::{Loaded, Request, load, load_text};

fn loaded(name: &str) -> Loaded {
    load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Checks a game and its variants, each in a file of its own, without scripts.
fn checked(texts: &[String]) -> Checked {
    let (mut game, mut variants) = (None, vec![]);
    for (file, text) in (0..).map(FileId).zip(texts) {
        for item in parse(file, text).0.items {
            match item {
                Item::Game(one) => game = Some(one),
                Item::Variant(one) => variants.push(one),
            }
        }
    }
    let (merged, _) = merge(&game.expect("a game"), &variants.iter().collect::<Vec<_>>());
    let fixed: Vec<String> = merged.fixed.iter().map(|name| name.text.clone()).collect();
    check(&merged.game, &fixed, &[], &CheckOptions { edits: &merged.edits, ..CheckOptions::default() })
}

fn names_of(text: &str) -> Names {
    checked(&[text.to_owned()]).names
}

/// The identifiers of a file with their places. Dice such as `d6` are no identifiers, and neither are the words in
/// titles, help texts and scripts.
fn identifiers(file: FileId, text: &str) -> Vec<(Span, &str)> {
    let is_die = |word: &str| {
        word.strip_prefix('d').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let words = tokenise(file, text).list.into_iter().filter(|token| token.kind == TokenKind::Word);
    let spans = words.map(|token| Span::new(file, token.start as usize, token.end as usize));
    let named = spans.map(|span| (span, &text[span.start as usize..span.end as usize]));
    // A code of a warning is no name.
    let is_code = |span: Span| {
        let before = text[..span.start as usize].rsplit('\n').next().unwrap_or_default();
        before.trim_start().starts_with("allow ")
    };
    named.filter(|(span, word)| !is_die(word) && !is_code(*span)).collect()
}

/// Asserts that every identifier of a file is a definition or a use. Returns their number.
fn assert_resolved(rules: &Loaded, file: FileId, text: &str) -> usize {
    let all = identifiers(file, text);
    let names: Vec<_> = all.into_iter().filter(|(_, word)| keyword(word).is_none()).collect();
    let missing = names.iter().filter(|(span, _)| rules.names.at(*span).is_none());
    let missing: Vec<String> = missing
        .map(|(span, word)| format!("{word} in line {}", rules.sources.line_column(*span).line))
        .collect();
    assert!(missing.is_empty(), "{}: {missing:?}", rules.sources.get(file).name);
    names.len()
}

#[test]
fn every_identifier_of_the_bundled_rules_is_a_definition_or_a_use() {
    let mut count = 0;
    for rules in bundled::ALL {
        let loaded = loaded(rules.name);
        let (file, source) =
            loaded.sources.iter().find(|(_, source)| source.name == rules.name).expect("the file");
        count += assert_resolved(&loaded, file, &source.text);
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn every_identifier_of_rules_with_everything_is_a_definition_or_a_use() {
    for text in
        [include_str!("../../../tests/everything.rules"), include_str!("../../../tests/features.rules")]
    {
        let rules =
            load_text("everything", text, &Request::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(assert_resolved(&rules, FileId(0), text) > 50);
    }
}

#[test]
fn the_text_at_each_place_is_the_name() {
    for rules in bundled::ALL {
        let Loaded { names, sources, .. } = loaded(rules.name);
        for (at, definition) in names.definitions.iter().enumerate() {
            for place in names.places(at) {
                assert_eq!(sources.text(place), definition.name, "{} {definition:?}", rules.name);
            }
        }
    }
}

/// All places that name the same thing as the name at `at`, in rules that share files.
fn same_name(all: &[&Names], at: Span) -> BTreeSet<Span> {
    let (mut found, mut open) = (BTreeSet::new(), vec![at]);
    while let Some(span) = open.pop() {
        if found.insert(span) {
            let definitions = all.iter().filter_map(|names| Some((names, names.at(span)?)));
            open.extend(definitions.flat_map(|(names, definition)| names.places(definition)));
        }
    }
    found
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect()
}

/// Replaces whole words.
fn with_word(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let end = at + from.len();
        let whole = !rest[..at].ends_with(is_word) && !rest[end..].starts_with(is_word);
        out.push_str(&rest[..at]);
        out.push_str(if whole { to } else { from });
        rest = &rest[end..];
    }
    out + rest
}

/// Renames each definition in turn in rules without scripts: a game and its variants. Returns their number.
fn rename_each(title: &str, texts: &[String]) -> usize {
    let whole = checked(texts);
    let base = checked(&texts[..1]);
    let model =
        format!("{:?}", whole.model.as_ref().unwrap_or_else(|| panic!("{title}: {:?}", whole.diagnostics)));
    let known = texts.iter().fold(words(&model), |mut known, text| {
        known.extend(words(text));
        known
    });
    let all = whole.names.definitions.iter().filter(|one| one.span.is_some());
    let mut count = 0;
    for old in all {
        // If the sites of a graph are named like those of a grid, their names say where they are.
        let is_place = |name: &str| name.len() > 1 && name[1..].parse::<u32>().is_ok();
        if old.kind == DefinitionKind::Site && is_place(&old.name) {
            continue;
        }
        count += 1;
        // A name of the same length leaves all other places as they are.
        let mut letters =
            ('f'..='z').chain('F'..='Z').map(|letter| letter.to_string().repeat(old.name.len()));
        let new = letters.rfind(|new| !known.contains(new.as_str()) && keyword(new).is_none());
        let new = new.expect("a new name");
        let places = same_name(&[&whole.names, &base.names], old.span.expect("a place"));
        let mut renamed = texts.to_vec();
        for place in places {
            let range = place.start as usize..place.end as usize;
            renamed[place.file.0 as usize].replace_range(range, &new);
        }
        let again = checked(&renamed);
        let shown = format!("{title}: {} `{}`", old.kind.text(), old.name);
        let changed = again.model.unwrap_or_else(|| panic!("{shown}: {:?}", again.diagnostics));
        let back = with_word(&format!("{changed:?}"), &new, &old.name);
        let differs = back.bytes().zip(model.bytes()).position(|(a, b)| a != b);
        let around = |text: &str| {
            let at = differs.unwrap_or(0);
            text.get(at.saturating_sub(80)..(at + 80).min(text.len())).unwrap_or("").to_owned()
        };
        assert!(back == model, "{shown} as `{new}`:\n{}\n{}", around(&model), around(&back));
        if renamed.len() > 1 {
            assert!(checked(&renamed[..1]).model.is_some(), "{shown}: the game alone has errors");
        }
    }
    count
}

fn text_of(name: &str) -> String {
    bundled::find(name).expect("a bundled file").text.to_owned()
}

#[test]
fn a_name_can_be_changed_at_all_its_places() {
    let mut count = 0;
    for rules in bundled::ALL.iter().filter(|rules| !rules.text.contains("\nvariant ")) {
        count += rename_each(rules.name, &[rules.text.to_owned()]);
    }
    assert!(count > 500, "{count}");
}

#[test]
fn a_name_can_be_changed_in_a_variant_and_its_game() {
    for (game, variant) in [
        ("dilido", "dilido-second-joker"),
        ("dilido", "dilido-three-dice"),
        ("dominoes", "dominoes-block"),
        ("dominoes", "dominoes-fives"),
        ("go", "go-pie"),
        ("kalah", "kalah-no-capture"),
        ("nine-mens-morris", "nine-mens-morris-lasker"),
        ("pig", "pig-two-dice"),
        ("hex", "hex-swap"),
    ] {
        rename_each(variant, &[text_of(game), text_of(variant)]);
    }
}

/// The place of the first occurrence of a word, or of a later one, in a file of a game.
fn place(sources: &SourceMap, file: &str, word: &str, number: usize) -> Span {
    let (file, source) = sources.iter().find(|(_, source)| source.name == file).expect("the file");
    let all = identifiers(file, &source.text);
    all.into_iter().filter(|(_, one)| *one == word).nth(number).expect("the word").0
}

fn meaning<'n>(rules: &'n Loaded, file: &str, word: &str, number: usize) -> &'n Definition {
    let at = rules.names.at(place(&rules.sources, file, word, number)).expect("a name");
    &rules.names.definitions[at]
}

#[test]
fn what_a_variant_uses_is_defined_in_its_game() {
    let rules = loaded("dilido + second-joker");
    let file =
        |definition: &Definition| rules.sources.get(definition.span.expect("a place").file).name.clone();
    let pair = meaning(&rules, "dilido-second-joker", "pair", 0);
    assert_eq!(
        (file(pair).as_str(), pair.kind, pair.ty.as_deref()),
        ("dilido", DefinitionKind::Dice, Some("2 of d6"))
    );
    let place = meaning(&rules, "dilido-second-joker", "place", 0);
    assert_eq!((file(place).as_str(), place.kind), ("dilido", DefinitionKind::Choice));
    // The variant declares this variable in place of the game's, whose name there counts as a use.
    let left = meaning(&rules, "dilido-second-joker", "jokers_left", 0);
    assert_eq!((file(left).as_str(), left.ty.as_deref()), ("dilido-second-joker", Some("0..2")));
    assert_eq!(meaning(&rules, "dilido", "jokers_left", 0), left);
    assert_eq!(meaning(&rules, "dilido", "jokers_left", 1), left);
}

#[test]
fn what_a_variant_removes_is_still_defined() {
    let rules = loaded("dilido + three-dice");
    let second = meaning(&rules, "dilido-three-dice", "second", 0);
    assert_eq!(second.kind, DefinitionKind::Define);
    assert_eq!(second.span, Some(place(&rules.sources, "dilido", "second", 0)));
    // The removed step comes back in the variant.
    let roll = meaning(&rules, "dilido-three-dice", "roll", 1);
    assert_eq!(rules.sources.get(roll.span.expect("a place").file).name, "dilido-three-dice");
}

#[test]
fn hooks_name_what_they_belong_to() {
    let rules = loaded("dilido + staircase");
    let function =
        rules.names.definitions.iter().find(|one| one.name == "score_stairs").expect("the function");
    assert_eq!(function.kind, DefinitionKind::ScriptFunction);
    let inside = Span { start: function.span.expect("a place").start + 6, ..function.span.expect("a place") };
    let item = &rules.names.definitions[rules.names.at(inside).expect("a use")];
    assert_eq!((item.kind, item.name.as_str()), (DefinitionKind::ScoreItem, "stairs"));
}

const GAME: &str = "game \"T\" {
  players X, O
  enum light { red, green }
  enum wine { red, white }
  domain tile { low: 0..2, high: low..2 }
  board point = graph(\"a-b-c a-c\")
  var lamp: light = red
  var glass[player]: wine? = none seen by owner
  var left: either | other_one = either
  var held: set of tile = {}
  define same(x) = x == red
  define unused(t) = t.low + (lamp_of) + row_of
  define lamp_of = if lamp == green then 1 else 0
  define row_of = 2
  turn {
    choose { go c in {@a, @b} { lamp = green } stay { } }
    choose again { stay { glass[me] = wine.red } }
    let n: 0..9 = if lamp is same or glass[me] is some then 3 else 0
    if n > 2 and same(lamp) { end game as over } else { end game as over }
  }
}";

fn find<'n>(names: &'n Names, kind: DefinitionKind, name: &str) -> Vec<&'n Definition> {
    names.definitions.iter().filter(|one| one.kind == kind && one.name == name).collect()
}

/// The lines with a place of a definition, from 1.
fn lines(names: &Names, definition: &Definition) -> Vec<usize> {
    let at = names.definitions.iter().position(|one| one == definition).expect("the definition");
    names.places(at).map(|span| GAME[..span.start as usize].matches('\n').count() + 1).collect()
}

#[test]
fn a_name_with_several_meanings_is_told_by_what_is_expected() {
    let names = names_of(GAME);
    let red = find(&names, DefinitionKind::Value, "red");
    assert_eq!(red.iter().map(|one| one.ty.as_deref()).collect::<Vec<_>>(), [Some("light"), Some("wine")]);
    // The define is used with a lamp only, at two places, and its names are recorded once.
    assert_eq!(lines(&names, red[0]), [3, 7, 11]);
    assert_eq!(lines(&names, red[1]), [4, 17]);
    assert_eq!(lines(&names, find(&names, DefinitionKind::Define, "same")[0]), [11, 18, 19]);
    let words = find(&names, DefinitionKind::Value, "either");
    assert_eq!(lines(&names, words[0]), [9, 9]);
}

#[test]
fn a_define_that_is_not_used_has_its_names_recorded() {
    let names = names_of(GAME);
    assert_eq!(lines(&names, find(&names, DefinitionKind::Define, "lamp_of")[0]), [13, 12]);
    assert_eq!(lines(&names, find(&names, DefinitionKind::Parameter, "t")[0]), [12, 12]);
    // Only one record has a field of this name.
    assert_eq!(lines(&names, find(&names, DefinitionKind::Field, "low")[0]), [5, 5, 12]);
}

#[test]
fn options_and_ends_with_one_name_are_one_thing() {
    let names = names_of(GAME);
    assert_eq!(lines(&names, find(&names, DefinitionKind::Option, "stay")[0]), [16, 17]);
    assert_eq!(lines(&names, find(&names, DefinitionKind::End, "over")[0]), [19, 19]);
}

#[test]
fn definitions_have_types_as_in_declarations() {
    let names = names_of(GAME);
    let ty = |kind, name: &str| find(&names, kind, name)[0].ty.clone().unwrap_or_default();
    use DefinitionKind as K;
    for (kind, name, expected) in [
        (K::Variable, "lamp", "light"),
        (K::Variable, "glass", "[player] wine?"),
        (K::Variable, "held", "set of tile"),
        (K::Field, "high", "0..2"),
        (K::Define, "same", "bool"),
        (K::Define, "row_of", "int"),
        (K::Parameter, "x", "light"),
        (K::Local, "n", "0..9"),
        (K::Local, "c", "point"),
        (K::Player, "X", "player"),
        (K::Site, "a", "point"),
        (K::BuiltIn, "me", "player"),
    ] {
        assert_eq!(ty(kind, name), expected, "{name}");
    }
    // The sites of a graph are named in its text.
    assert_eq!(lines(&names, find(&names, K::Site, "a")[0]), [6, 6, 16]);
}

#[test]
fn rules_with_errors_have_the_names_that_could_be_resolved() {
    let text = GAME
        .replace("var held: set of tile = {}", "var held set of tile = {}\n  var odd: 0..9 = nonesuch")
        .replace("lamp = green }", "lamp = green; held = {}; lamp = nonesuch }");
    let result = checked(std::slice::from_ref(&text));
    assert!(result.model.is_none());
    let names = result.names;
    let places = |kind, name: &str| {
        let at = names.definitions.iter().position(|one| one.kind == kind && one.name == name).expect(name);
        names.places(at).count()
    };
    assert_eq!(places(DefinitionKind::Variable, "lamp"), 6);
    assert_eq!(places(DefinitionKind::Broken, "held"), 2);
    assert_eq!(places(DefinitionKind::Variable, "odd"), 1);
    let unknown = text.match_indices("nonesuch").map(|(at, word)| Span::new(FileId(0), at, at + word.len()));
    assert!(unknown.into_iter().all(|span| names.at(span).is_none()));
}
