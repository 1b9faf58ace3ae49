//! Every message as recorded JSON, which the tests of the page read too.
//!
//! `conversation.json` is what a page asks and is told, one after the other. `host.json` has examples of what the host
//! answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use houserule::workbench::{Ask, Tell};
use serde_json::{Value as Json, json};

use crate::Page;
use crate::text_snapshots::update_snapshot;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/workbench").join(name)
}

fn read(name: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(file(name)).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// A game with hidden dice, an option without a site, and a param.
const GAME: &str = "/// Take a cell or pass.\ngame \"Small\" {\n  param size: 2..4 = 2 \"cells in a row\"\n  players X, O\n  board cell = grid(size, size)\n  piece mark[player]\n  dice die: 1 of d6\n  turn {\n    roll die\n    choose act {\n      place c in empty \"take a cell\" { put mark[me] at c }\n      pass \"do nothing\"\n    }\n  }\n  end full when empty is nothing\n  score { marks: count(mark[me]) \"a point for each mark\" }\n}\n";
const VARIANT: &str = "variant \"Larger\" of \"small.rules\" {\n  param size = 3\n}\n";

/// What is asked in the conversation.
fn asks() -> Vec<Json> {
    let text = |path: &str, version: i64, text: &str| json!({"ask": "text", "path": path, "version": version, "text": text});
    vec![
        text("small.rules", 1, GAME),
        text("larger.rules", 1, VARIANT),
        json!({"ask": "hover", "id": 1, "path": "small.rules", "at": GAME.find("mark[me] at").unwrap()}),
        json!({"ask": "hover", "id": 2, "path": "small.rules", "at": 0}),
        json!({"ask": "complete", "id": 3, "path": "small.rules", "at": GAME.find("empty \"").unwrap() + 2}),
        json!({"ask": "define", "id": 4, "path": "larger.rules", "at": VARIANT.find("size").unwrap()}),
        json!({"ask": "references", "id": 5, "path": "small.rules", "at": GAME.find("size").unwrap()}),
        json!({"ask": "rename", "id": 6, "path": "small.rules", "at": GAME.find("size").unwrap(), "new": "side"}),
        json!({"ask": "format", "id": 7, "path": "small.rules"}),
        json!({"ask": "diff", "id": 8, "path": "larger.rules", "set": {}}),
        json!({"ask": "house-rule", "id": 9, "of": "small.rules", "title": "My own", "set": {"size": 4}}),
        text("small.rules", 2, &GAME.replace("put mark[me]", "put marks[me]")),
        text("small.rules", 3, GAME),
        json!({"ask": "table", "id": 10, "path": "small.rules", "set": {}, "players": null,
            "seats": ["person", "random"], "seed": 7, "dice": "drawn", "events": []}),
        json!({"ask": "act", "id": 11, "action": 0}),
        json!({"ask": "step", "id": 12, "one": true}),
        json!({"ask": "go", "id": 13, "line": 0, "decision": "undo"}),
        json!({"ask": "type", "id": 14, "text": "place b2"}),
        json!({"ask": "other-dice", "id": 15}),
        json!({"ask": "arrange", "id": 22, "form": "narrow"}),
        json!({"ask": "seat", "id": 16, "seat": 1, "agent": "person"}),
        json!({"ask": "take-screen", "id": 17}),
        text("small.rules", 4, &GAME.replace("= 2 \"", "= 3 \"")),
        text("small.rules", 5, &GAME.replace("c in empty", "c in empty & column(1)")),
        text("small.rules", 6, GAME),
        json!({"ask": "table", "id": 18, "path": "small.rules", "set": {"size": 3}, "seed": 1, "dice": "reported"}),
        json!({"ask": "settle", "id": 19, "outcome": 4}),
        json!({"ask": "act", "id": 20, "action": 999}),
        json!({"ask": "measure", "id": 21, "path": "larger.rules", "set": {}, "base": null, "agents": ["random"],
            "players": null, "games": 20, "seed": 1}),
        json!({"ask": "close", "path": "larger.rules"}),
    ]
}

fn recorded() -> Vec<Json> {
    let mut page = Page::new();
    let mut all = vec![];
    for ask in asks() {
        let mut told = page.asks(&ask);
        let parsed: Ask = serde_json::from_value(ask.clone()).expect("an ask");
        if let Some((_, run)) = page.0.run(&parsed) {
            let mut run = run.unwrap_or_else(|message| panic!("{message}"));
            while run.step(&mut |tell| told.push(tell)) {}
        }
        let mut late = vec![];
        while page.0.idle(&mut |tell| late.push(tell)) {}
        let tells: Vec<Json> =
            told.iter().chain(&late).map(|tell| serde_json::to_value(tell).expect("JSON")).collect();
        all.push(json!({"ask": ask, "tells": tells}));
    }
    all
}

#[test]
fn a_page_is_told_what_was_recorded() {
    let now = recorded();
    let text = serde_json::to_string_pretty(&now).expect("JSON") + "\n";
    update_snapshot("tests/data/workbench/conversation.json", &text);
    for (known, now) in read("conversation.json").iter().zip(&now) {
        assert_eq!(known, now, "{}", now["ask"]);
    }
    assert_eq!(read("conversation.json").len(), now.len());
}

#[test]
fn messages_are_written_as_they_are_read() {
    let mut kinds = [BTreeSet::new(), BTreeSet::new()];
    let mut asked = |ask: &Json| {
        let parsed: Ask =
            serde_json::from_value(ask.clone()).unwrap_or_else(|error| panic!("{ask}: {error}"));
        let again = serde_json::to_value(&parsed).expect("JSON");
        for (field, value) in ask.as_object().expect("an object") {
            assert_eq!(&again[field], value, "{ask}");
        }
        kinds[0].insert(ask["ask"].as_str().expect("a kind").to_owned());
    };
    let (conversation, host) = (read("conversation.json"), read("host.json"));
    let all = || conversation.iter().chain(&host);
    all().filter_map(|one| one.get("ask")).for_each(&mut asked);
    for tell in all().filter_map(|one| one["tells"].as_array()).flatten() {
        let parsed: Tell =
            serde_json::from_value(tell.clone()).unwrap_or_else(|error| panic!("{tell}: {error}"));
        assert_eq!(&serde_json::to_value(&parsed).expect("JSON"), tell);
        kinds[1].insert(tell["tell"].as_str().expect("a kind").to_owned());
    }
    assert_eq!(kinds, [declared("Ask"), declared("Tell")]);
}

#[test]
fn places_in_a_file_that_is_not_open_are_those_of_the_text_that_the_page_opens() {
    let more = "/// one 🎲\n/// two\nvariant \"More\" of \"small.rules\" {\n  new end first when size == 3: win X\n}\n";
    let at = more[..more.find("size").unwrap()].encode_utf16().count();
    for end in ["\n", "\r\n", "\r"] {
        let mut page = Page::new();
        page.0.know(&BTreeMap::from([("more.rules".to_owned(), more.replace('\n', end).into())]));
        page.edits("small.rules", 1, GAME);
        let place = GAME.find("size").unwrap();
        let asks = [
            ("edits", json!({"ask": "rename", "id": 1, "path": "small.rules", "at": place, "new": "side"})),
            ("places", json!({"ask": "references", "id": 2, "path": "small.rules", "at": place})),
        ];
        for (list, ask) in asks {
            let told = serde_json::to_value(page.asks(&ask).pop().expect("an answer")).expect("JSON");
            let all = told[list].as_array().expect("a list");
            let found: Vec<&Json> = all.iter().filter(|one| one["path"] == "more.rules").collect();
            assert_eq!(found.len(), 1, "{end:?}: {told}");
            assert_eq!((&found[0]["from"], &found[0]["to"]), (&json!(at), &json!(at + 4)), "{end:?}: {told}");
        }
    }
}

/// The kinds of messages in the code.
fn declared(name: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/desk/workbench/ask.rs");
    let text = std::fs::read_to_string(path).expect("the file");
    let body = text
        .split_once(&format!("pub enum {name} {{\n"))
        .expect("the enum")
        .1
        .split_once("\n}\n")
        .expect("its end")
        .0;
    let variants = body
        .lines()
        .filter_map(|line| line.strip_prefix("    ").filter(|rest| rest.starts_with(char::is_uppercase)));
    let kebab = |name: &str| -> String {
        let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let letters = name.char_indices().map(|(at, c)| match at > 0 && c.is_uppercase() {
            true => format!("-{}", c.to_lowercase()),
            false => c.to_lowercase().to_string(),
        });
        letters.collect()
    };
    variants.map(kebab).collect()
}
