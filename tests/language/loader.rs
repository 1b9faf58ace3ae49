//! The loader: names to games, files, stacks, bases.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use houserule::loader::{LoadError, Loaded, Request, catalogue, load, load_text};
use houserule::variants::Setting;

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loader");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn loaded(name: &str) -> Loaded {
    load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn error(name: &str) -> LoadError {
    load(&Request { name, ..Request::default() }).map(|_| ()).unwrap_err()
}

fn code(error: LoadError) -> Vec<&'static str> {
    match error {
        LoadError::Rules { diagnostics, .. } => diagnostics.iter().map(|d| d.code.as_str()).collect(),
        other => panic!("{other}"),
    }
}

fn size(loaded: &Loaded) -> u32 {
    loaded.game.model().boards[0].topology.width()
}

#[test]
fn every_bundled_file_loads_without_a_warning() {
    for entry in catalogue() {
        let loaded = loaded(entry.name);
        assert!(loaded.warnings.is_empty(), "{}: {:?}", entry.name, loaded.warnings);
        assert_eq!(loaded.game.identity().name, entry.name);
        assert!(!entry.help.is_empty());
    }
    assert_eq!(catalogue().len(), houserule::bundled::ALL.len());
}

#[test]
fn a_head_that_does_not_parse_names_no_game() {
    for (text, wanted) in [
        ("variant \"Moved\" of chess { }", "expected-text"),
        ("variant \"Moved\" of { }", "expected-text"),
        ("variant \"Moved\" { }", "expected-word"),
        ("variant \"Moved\" of \"\" { }", "unknown-base"),
    ] {
        assert_eq!(code(error(&file("head.rules", text))), [wanted], "{text}");
    }
}

#[test]
fn a_misspelt_param_gets_a_question_and_a_list() {
    let settings = [Setting::new("siz", "4")];
    let request = Request { name: "dilido", settings: &settings, ..Request::default() };
    match load(&request).map(|_| ()).unwrap_err() {
        LoadError::Request(messages) => {
            assert!(messages[0].contains("; did you mean `size`? Possible: "), "{messages:?}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn variants_stack_by_short_and_full_names() {
    let short = loaded("dilido + torus + 8x8");
    let full = loaded("dilido+dilido-torus+dilido-8x8");
    assert_eq!(size(&short), 8);
    assert_eq!(short.game.identity().rules_sha256, full.game.identity().rules_sha256);
    assert_eq!(short.game.identity().name, "dilido + torus + 8x8");
    let other = loaded("dilido + 8x8 + torus");
    assert_ne!(short.game.identity().rules_sha256, other.game.identity().rules_sha256, "the order counts");
    // A variant loads its game.
    assert_eq!(size(&loaded("dilido-8x8 + torus")), 8);
}

#[test]
fn a_file_may_stand_on_a_bundled_game_on_a_file_and_on_itself() {
    let one = file("one.rules", "variant \"One\" of \"dilido\" { param size = 5 }");
    let two = file("two.rules", "variant \"Two\" of \"one.rules\" { param jokers = 2 }");
    let both = loaded(&two);
    assert_eq!(size(&both), 5);
    assert_eq!(both.sources.iter().count(), 3);
    // Short names belong to the bottom game of the stack. A variant already in the stack isn't applied twice.
    assert_eq!(size(&loaded(&format!("{one} + torus"))), 5);
    assert_eq!(size(&loaded(&format!("{one} + {two}"))), 5);
    let many = file(
        "many.rules",
        "game \"Base\" { param size: 3..9 = 4 players 1 board cell = grid(size, size) piece dot \
         turn { choose place { place c in empty { put dot at c } } } end when empty is nothing score { n: count(dot) } }\n\
         variant \"Five\" of \"Base\" { param size = 5 }\nvariant \"Six\" of \"Base\" { param size = 6 }",
    );
    assert_eq!(size(&loaded(&many)), 6, "the last one is meant");
    assert_eq!(size(&loaded(&format!("{many}#Five"))), 5);
    assert_eq!(size(&loaded(&format!("{many}#Base"))), 4);
    assert!(
        matches!(error(&format!("{many}#Fife")), LoadError::Request(m) if m[0].contains("did you mean `Five`?"))
    );
}

#[test]
fn bases_that_lead_nowhere_are_told_at_their_place() {
    let a = file("a.rules", "variant \"A\" of \"b.rules\" { }");
    file("b.rules", "variant \"B\" of \"a.rules\" { }");
    assert_eq!(code(error(&a)), ["base-cycle"]);
    let lost = file("lost.rules", "variant \"Lost\" of \"dilidoo\" { }");
    let LoadError::Rules { diagnostics, sources, .. } = error(&lost) else { panic!() };
    assert_eq!(sources.text(diagnostics[0].primary.span), "\"dilidoo\"");
    assert_eq!(diagnostics[0].help.as_deref(), Some("did you mean `dilido`?"));
    let gone = file("gone.rules", "variant \"Gone\" of \"nowhere.rules\" { }");
    assert_eq!(code(error(&gone)), ["unknown-base"]);
    let empty = file("empty.rules", "// nothing\n");
    assert!(matches!(error(&empty), LoadError::Rules { diagnostics, .. } if !diagnostics.is_empty()));
}

#[test]
fn what_is_no_rule_file_is_refused() {
    let long = file("long.rules", &" ".repeat(2 << 20));
    assert!(matches!(error(&long), LoadError::Request(m) if m[0].contains("has more than")));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loader").join("bytes.rules");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(
        matches!(error(path.to_str().unwrap()), LoadError::Request(m) if m[0].contains("line 1: a byte is not UTF-8"))
    );
    assert!(matches!(error("dilido + "), LoadError::Request(_)));
    assert!(matches!(error(""), LoadError::Request(_)));
}

#[test]
fn texts_are_loaded_without_a_file() {
    let loaded =
        load_text("mine", "variant \"Mine\" of \"dilido\" { param size = 4 }", &Request::default()).unwrap();
    assert_eq!(size(&loaded), 4);
    assert!(load_text("broken", "game \"x\" {", &Request::default()).is_err());
}

#[test]
fn actions_keep_their_numbers_in_variants() {
    let base = loaded("dilido").game;
    for name in ["dilido-torus", "dilido-ordered", "dilido-second-joker", "dilido + torus + second-joker"] {
        let variant = loaded(name).game;
        for (ours, theirs) in base.model().actions.iter().zip(&variant.model().actions) {
            assert_eq!(
                (&ours.option, ours.first, ours.size),
                (&theirs.option, theirs.first, theirs.size),
                "{name}"
            );
        }
    }
    // With the same size no action is dead.
    assert!(loaded("dilido-8x8").game.model().actions.iter().all(|block| !block.dead));
}

#[test]
fn a_choice_within_what_extends_a_choice_is_left_alone() {
    let parts = [
        "otherwise { choose { a { penalties += 1 } b { } } }",
        "new_one { choose { a { penalties += 1 } b { } } }",
        "before place { choose { a { penalties += 1 } b { } } }",
    ];
    for part in parts {
        let text = format!("variant \"Deeper\" of \"dilido\" {{ extend place {{ {part} }} }}");
        // It is extended only once.
        let loaded = houserule::loader::load_text("deeper.rules", &text, &Request::default());
        loaded.unwrap_or_else(|error| panic!("{part}: {error}"));
    }
}
