//! Words of statements as names: each word with each kind of declaration, and in place of the names of whole games.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::extent;
use crate::rule_files::random_edit;
use crate::service::{opened, played, words};
use houserule::bundled;
use houserule::diagnostic::FileId;
use houserule::format::format;
use houserule::game::Game;
use houserule::loader::{LoadError, Request, load_text};
use houserule::prose::rules;
use houserule::service::{CompletionKind, TokenClass, TokenSpan, Workspace, apply_changes};
use houserule::syntax::{parse, parse_expression};
use houserule::vocabulary::keywords::{NAMEABLE, all, with};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// Games with a name `NAME`, each with the kind of its declaration.
const KINDS: [(&str, &str); 14] = [
    (
        "piece",
        "board cell = grid(3, 3) piece NAME[player]
        turn { choose { place c in empty { put NAME[me] at c } turn_over c in NAME[other] { clear NAME[other] & {c} } } }
        end line when longest(NAME[me]) >= 3: win me end full when empty is nothing or turns[me] > 9: draw",
    ),
    (
        "variable",
        "var NAME: 0..99 = 0
        turn { choose { go { NAME = NAME + 1 } twice where NAME < 9 { NAME += 1 NAME = NAME + 1 } } }
        end full when NAME > 9: draw",
    ),
    (
        "variable of a player",
        "var NAME[player]: 0..99 = 0
        turn { choose { go { NAME[me] = max(NAME[me], NAME[other]) + 1 } } }
        end far when NAME[me] > 4: win me score { points: NAME[me] }",
    ),
    (
        "param",
        "param NAME: 1..9 = 4 var x: 0..99 = 0
        turn { choose { go { x += NAME } back where x > NAME { x = x - NAME + 1 } } }
        end far when x > 5 * NAME: win me",
    ),
    (
        "table",
        "table NAME: table = [0: 2, 1: 4, 2+: 5] var x: 0..99 = 0
        turn { choose { go { x += NAME[1] } stay { x += 1 } } } end far when x > 30: win me",
    ),
    (
        "define",
        "var x: 0..99 = 0 define NAME = x + 1
        turn { choose { go { x = NAME } jump where NAME < 5 { x = NAME * 2 } } } end full when NAME > 9: draw",
    ),
    (
        "define of a number",
        "var x: 0..99 = 0 define NAME(n) = n * 2 < x
        turn { choose { go { x = x + 1 } jump where 2 is NAME or NAME(1) { x = x + 3 } } } end full when NAME(4): draw",
    ),
    (
        "value",
        "enum e { NAME, other_one } var x: 0..99 = 0 var y: e = NAME
        turn { choose { go { x = x + 1 y = NAME } turn_to v in e where v != y { y = v x += 1 } } }
        end full when x > 9 and y == NAME: draw end long when turns[me] > 40: draw",
    ),
    (
        "domain",
        "domain NAME = 1..4 var x[NAME]: 0..9 = 0
        turn { choose { go k in NAME where x[k] < 3 { x[k] += 1 } } }
        end full when all k in NAME: x[k] == 3: win me",
    ),
    (
        "zone",
        "enum card { c1, c2, c3 } zone NAME of card = [c1: 4, c2: 4, c3: 4] zone hand[player] of card
        turn { choose { take { draw t from NAME to hand[me] } two { deal 2 from NAME to hand[me] }
          show c in NAME { move c from NAME to hand[me] } } }
        end full when NAME is nothing: draw",
    ),
    (
        "dice",
        "dice NAME: 2 of d6 var x[player]: 0..999 = 0
        turn { roll NAME choose { keep { x[me] += sum(NAME) } best_of { x[me] += max(NAME) } } }
        end far when x[me] > 40: win me",
    ),
    (
        "local",
        "board cell = grid(3, 3) piece mark[player]
        turn { choose { place NAME in empty { put mark[me] at NAME } }
          for NAME in mark[me] { if NAME == @a1 and count(mark) > 6 { clear {NAME} } } }
        end full when empty is nothing or any NAME in mark[me]: NAME == @b2: draw",
    ),
    (
        "let",
        "var x: 0..99 = 0
        turn { choose { go { let NAME = x + 1 x = NAME } by NAME in 1..3 { x += NAME } } }
        end far when x > 20: win me",
    ),
    (
        "parameter",
        "var x: 0..99 = 0 procedure add(NAME) { x += NAME } define more(NAME) = NAME + 1
        turn { choose { go { add(more(1)) } stay { x = more(x) } } } end far when x > 20: win me",
    ),
];

/// The game of a kind, with a name.
fn text(kind: &str, name: &str) -> String {
    let body = KINDS.iter().find(|(own, _)| *own == kind).unwrap().1;
    format!("game \"G\" {{\n  players 2\n  {}\n}}\n", body.replace("NAME", name))
}

fn load(text: &str) -> Game {
    load_text("own.rules", text, &Request::default()).unwrap_or_else(|error| panic!("{text}{error}")).game
}

/// Renames the name at a byte of the file and returns the new text, with the place of the name there.
fn renamed(workspace: &mut Workspace, file: &str, byte: usize, new: &str) -> Result<(String, usize), String> {
    let changes = workspace.rename(file, byte, new)?;
    let text = apply_changes(&workspace.text(file).unwrap(), &changes);
    workspace.open(file, workspace.version(file).unwrap() + 1, &text);
    Ok((text, changes.iter().map(|change| change.place.start).min().unwrap()))
}

#[test]
fn a_word_of_a_statement_can_be_the_name_of_anything_but_a_procedure() {
    let words = with(NAMEABLE);
    assert!(words.len() >= 12);
    for (at, (kind, _)) in KINDS.iter().enumerate() {
        // Each kind with some words, and each word with some kinds.
        for word in words.iter().skip(at % extent::tries(4, 1)).step_by(extent::tries(4, 1)) {
            // A name as long as the word has the same layout.
            let plain = "z".repeat(word.len());
            let (own, usual) = (text(kind, word), text(kind, &plain));
            let (game, like) = (load(&own), load(&usual));
            assert_eq!(played(&game), played(&like), "{own}");
            let written = format(FileId(0), &own).unwrap_or_else(|errors| panic!("{own}{errors:?}"));
            let expected = format(FileId(0), &usual).unwrap();
            assert_eq!(format(FileId(0), &written).as_ref(), Ok(&written), "{own}");
            // The language server gives the name, to each of several locals that have it, and takes it back.
            let mut workspace = opened("own.rules", &expected);
            let (mut places, mut now) = (vec![], expected.clone());
            while let Some(byte) = now.find(&plain) {
                let (after, place) = renamed(&mut workspace, "own.rules", byte, word)
                    .unwrap_or_else(|reason| panic!("{kind} {word}: {reason}"));
                now = after;
                places.push(place);
            }
            assert_eq!(now, written, "{kind}");
            let like_usual = opened("own.rules", &usual).messages("own.rules").len();
            assert_eq!(workspace.messages("own.rules").len(), like_usual, "{kind} {word}");
            for place in places {
                assert!(workspace.hover("own.rules", place).unwrap().code.contains(word), "{kind} {word}");
                let here = |one: &TokenSpan| one.start == place;
                let class = workspace.tokens("own.rules").into_iter().find(here).unwrap().class;
                assert_ne!(class, TokenClass::Keyword, "{kind} {word}");
                now = renamed(&mut workspace, "own.rules", place, &plain).unwrap().0;
            }
            assert_eq!(now, expected, "{kind} {word}");
            let articles = |told: String| told.replace(" an ", " a ").replace("An ", "A ");
            let told = articles(rules(&like, 9_999)).replace(&plain, word);
            assert_eq!(articles(rules(&game, 9_999)), told, "{own}");
        }
    }
}

#[test]
fn names_of_whole_games_can_be_words_of_statements() {
    let words_of_statements = with(NAMEABLE);
    let (mut count, mut refused) = (0, 0);
    for name in ["dilido", "kuhn-poker", "connect-four", "backgammon", "leduc-poker", "liars-poker"] {
        let game = bundled::find(name).unwrap();
        let path = format!("/games/{name}.rules");
        let mut workspace = opened(&path, game.text);
        let expected = played(&load(game.text));
        let mut known = BTreeSet::new();
        for (i, (byte, word)) in words(game.text).into_iter().enumerate() {
            let defined = workspace.definitions(&path, byte);
            if defined.is_empty()
                || !known.insert(defined)
                || !known.len().is_multiple_of(extent::tries(4, 1))
            {
                continue;
            }
            let new = words_of_statements[i % words_of_statements.len()];
            let mut own = workspace.clone();
            match renamed(&mut own, &path, byte, new) {
                Ok((text, place)) => {
                    let again = own.game(&path).unwrap_or_else(|| panic!("{text}"));
                    assert_eq!(played(&again), expected, "{name}: `{word}` as `{new}`");
                    let back = renamed(&mut own, &path, place, word);
                    assert_eq!(
                        back.map(|(text, _)| text).as_deref(),
                        Ok(game.text),
                        "{name}: `{word}` as `{new}`"
                    );
                    count += 1;
                }
                Err(reason) => {
                    let code = workspace.clone().hover(&path, byte).unwrap().code;
                    assert!(code.starts_with("procedure"), "{name}: `{word}` as `{new}`, {code}: {reason}");
                    refused += 1;
                }
            }
        }
    }
    assert!(count > extent::tries(15, 100) && refused < count / 5, "{count} {refused}");
}

#[test]
fn such_names_are_offered_where_a_value_can_stand() {
    for kind in ["variable", "zone", "define", "param", "value"] {
        let text = text(kind, "roll");
        let mut workspace = opened("own.rules", &text);
        let byte = text.rfind("roll").unwrap() + 4;
        let found = workspace.complete("own.rules", byte);
        let is_it = |kind: CompletionKind| matches!(kind, CompletionKind::Name(_));
        assert!(found.iter().any(|one| one.word == "roll" && is_it(one.kind)), "{kind}: {found:?}");
    }
}

#[test]
fn a_variant_can_use_such_names_of_its_game() {
    let base =
        text("piece", "move") + "variant \"V\" of \"G\" { end line when count(move[me]) > 3: win me }\n";
    let found = opened("base.rules", &base).messages("base.rules");
    assert!(found.is_empty(), "{found:?}");
    let mut workspace = opened("/g/base.rules", &text("variable", "draw"));
    let variant =
        "variant \"V\" of \"base.rules\" {\n  end full when draw > 4: draw\n  new var roll: 0..9 = 0\n}\n";
    workspace.open("/g/variant.rules", 1, variant);
    let found = workspace.messages("/g/variant.rules");
    assert!(found.iter().all(|one| one.message.contains("`roll`")), "{found:?}");
    // Text that no file declares, such as that of a measure.
    assert!(parse_expression(FileId(0), "draw + count(move[me])").0.is_some());
    assert!(parse_expression(FileId(0), "draw + if").0.is_none());
}

#[test]
fn broken_files_with_such_names_have_messages_that_name_them() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let words = with(NAMEABLE);
    let mut count = 0;
    for round in 0..extent::tries(400, 8_000) {
        let mut text = text(KINDS[round % KINDS.len()].0, words[round % words.len()]);
        for _ in 0..round % 4 {
            text = random_edit(&text, &mut random).text;
        }
        let (tree, messages) = parse(FileId(0), &text);
        let said = format!("{tree:?}{messages:?}");
        assert!(!said.contains("u{1f}"), "{text}: {said}");
        count += usize::from(!messages.is_empty());
        if let Ok(written) = format(FileId(0), &text) {
            assert_eq!(format(FileId(0), &written), Ok(written.clone()), "{text}");
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_statement_stays_one_beside_a_name() {
    let says = |text: &str, wanted: &str| {
        let text = format!("game \"G\" {{ players 2 board cell = grid(2, 2) piece man[player] {text} }}");
        let (_, messages) = parse(FileId(0), &text);
        let Err(LoadError::Rules { diagnostics, .. }) = load_text("own.rules", &text, &Request::default())
        else {
            panic!("{text}")
        };
        let said = format!("{messages:?}{diagnostics:?}");
        assert!(
            said.contains(wanted) && !said.contains('\u{1f}') && !said.contains("u{1f}"),
            "{text}: {said}"
        );
    };
    // Without a declaration, the messages are about the statement.
    says("turn { x = draw }", "`draw` does something and has no value");
    says("var draw: 0..9 = 0 turn { x = roll }", "`roll` does something and has no value");
    says("var draw: 0..9 = 0 turn { draw }", "after `draw`");
    says("var move: 0..9 = 0 turn { move @a1 @a2 }", "expected");
    says("var move: 0..9 = 0 turn { move = move move @a1 }", "expected");
    says("procedure draw() { } turn { draw() }", "a call of it would be read as that");
    says("procedure choose() { }", "`choose` is a keyword and can't be a name");
}

/// Steps, options, score items and ends have names of their own, which any word can be.
#[test]
fn any_word_is_the_name_of_a_step_an_option_a_score_item_and_an_end() {
    for (at, word) in all().map(|keyword| keyword.word).enumerate() {
        let tested = ["", "of round ", "at once "];
        for tested in tested.into_iter().skip(at % extent::tries(3, 1)).step_by(extent::tries(3, 1)) {
            let text = format!(
                "game \"G\" {{ players 2 var n: 0..99 = 0
                turn {{ step {word} {{ choose {{ go {{ n += 1 }} twice {{ n += 2 }} }} }} }}
                end {word} {tested}when n > 5: draw
                end last when n > 50
                score {{ {word}: n }} }}
                variant \"V\" of \"G\" {{ new end first before {word} when n == 0: win me }}"
            );
            let game = load(&text);
            let ends: Vec<&str> = game.model().ends.iter().map(|end| end.name.as_str()).collect();
            assert_eq!(ends, ["first", word, "last"], "{text}");
            let written = format(FileId(0), &text).unwrap_or_else(|errors| panic!("{text}{errors:?}"));
            assert_eq!(played(&load(&written)), played(&game), "{written}");
        }
    }
}

/// Statements and results are read as before where a step, an option or an end is called by a keyword.
#[test]
fn statements_stay_statements_beside_any_label() {
    for word in all().map(|keyword| keyword.word) {
        let text = |rolled: &str, won: &str| {
            format!(
                "game \"G\" {{ players 2 dice die: 1 of d6
                enum kind {{ {rolled}, {won}, rest }} var k: kind = rest
                turn {{
                    step {word} {{ roll die }}
                    step last \"help\" {{ k = rest }}
                    choose x {{ first {{ k = {rolled} roll die }} {word} {{ roll die k = {won} }} other_one {{ }} }}
                }}
                end {word} when die == 6 and k == {won}: win me
                end late when turns[me] > 20: draw }}"
            )
        };
        let (own, usual) = (text("roll", "win"), text("zzzz", "zzz"));
        assert_eq!(played(&load(&own)), played(&load(&usual)), "{own}");
    }
    // The first option may be called `let`.
    load(
        "game \"G\" { players 2 dice die: 1 of d6 turn { choose x { let { roll die } b { } } }
         end e when die == 6: win me end late when turns[me] > 20: draw }",
    );
}

/// A keyword that is read as a declared name is no misspelling of itself.
#[test]
fn no_word_is_said_to_be_meant_in_place_of_itself() {
    for rules in [
        "enum e { win, pass } end game when score == win: win",
        "var roll: 0..9 = 0 turn { roll }",
        "var draw: 0..9 = 0 end x when draw > 3: draw 3",
        "enum e { move, put } turn { put move to to } end e of when: win",
    ] {
        let text = format!("game \"G\" {{ players 2 {rules} }}");
        let (_, messages) = parse(FileId(0), &text);
        assert!(!messages.is_empty(), "{text}");
        for message in messages {
            let quoted: Vec<&str> = message.message.split('`').skip(1).step_by(2).collect();
            let found = message.message.split("found ").nth(1).map(|found| found.trim_matches('`'));
            let expected = &quoted[..quoted.len().saturating_sub(1)];
            assert!(found.is_none_or(|found| !expected.contains(&found)), "{text}: {message:?}");
        }
    }
}

/// The words between `end` and a condition keep their meaning where the name of an end could be read too.
#[test]
fn an_end_without_a_name_stays_one() {
    let game = |end: &str| {
        load(&format!(
            "game \"G\" {{ players 2 var when: 0..99 = 0 var at: 0..99 = 0
            turn {{ choose {{ go {{ when += 1; at += 1 }} twice {{ when += 2 }} }} }} {end} }}"
        ))
    };
    let own = |end: &str| game(end).model().ends[0].name.clone();
    for end in [
        "end of round when at > 5: draw",
        "end at once when when > 5: draw",
        "end when when > 5: draw",
        "end when when in 6..99: draw",
        "end when when - at > 5: draw",
        "end when at > 5 and when > 5: draw",
    ] {
        assert_eq!(own(end), own("end when at > 5: draw"), "{end}");
    }
    assert_eq!(own("end when when when > 5: draw"), "when");
    assert_eq!(own("end at when at > 5: draw"), "at");
}
