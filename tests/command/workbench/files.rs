//! Files: only those of the folder, nothing lost, edits outside seen.

use serde_json::json;

use super::client::Served;
use super::{GAME, VARIANT, text};

#[test]
fn files_are_listed_opened_and_saved() {
    let files =
        [("coin.rules", GAME), ("more/long.rules", &VARIANT.replace("coin", "../coin")), ("x.txt", "no")];
    let served = Served::new("save", &files);
    let (mut page, welcome) = served.page();
    let listed: Vec<_> = welcome["files"]
        .as_array()
        .expect("files")
        .iter()
        .filter(|file| file["read_only"] == false)
        .collect();
    assert_eq!(listed.len(), 2);
    assert_eq!(
        (&listed[0]["path"], &listed[0]["kind"], &listed[0]["title"]),
        (&json!("coin.rules"), &json!("game"), &json!("Coin"))
    );
    assert_eq!((&listed[1]["path"], &listed[1]["of"]), (&json!("more/long.rules"), &json!("coin.rules")));
    assert_eq!((&welcome["start"], &welcome["first"]), (&json!("coin.rules"), &json!(false)));
    let opened = page.answer(&json!({"ask": "open", "id": 1, "path": "coin.rules"}));
    assert_eq!((&opened["text"], &opened["read_only"]), (&json!(GAME), &json!(false)));
    let new = GAME.replace("= 3", "= 4");
    let save = |id, path: &str, text: &str, base| json!({"ask": "save", "id": id, "path": path, "text": text, "base": base});
    let saved = page.answer(&save(2, "coin.rules", &new, &opened["hash"]));
    assert_eq!((&saved["tell"], served.read("coin.rules")), (&json!("saved"), new.clone()));
    // By another page that has the old text.
    let (mut other, _) = served.page();
    let conflict = other.answer(&save(3, "coin.rules", "lost", &opened["hash"]));
    assert_eq!(
        (&conflict["tell"], &conflict["text"], &conflict["hash"]),
        (&json!("conflict"), &json!(new), &saved["hash"])
    );
    assert_eq!(served.read("coin.rules"), new);
    // A new file is not written over another, and one that is gone isn't written anew unasked.
    let none = json!(null);
    assert_eq!(other.answer(&save(4, "coin.rules", "lost", &none))["tell"], "conflict");
    assert_eq!(other.answer(&save(5, "new.rules", GAME, &saved["hash"]))["text"], none);
    assert_eq!(other.answer(&save(6, "new.rules", GAME, &none))["tell"], "saved");
    assert_eq!(served.read("new.rules"), GAME);
    assert!(std::fs::read_dir(&served.folder).expect("a folder").count() == 4, "no temporary file is left");
}

#[test]
fn line_ends_stay_as_they_are() {
    let served = Served::new("line-ends", &[("coin.rules", &GAME.replace('\n', "\r\n"))]);
    let (mut page, _) = served.page();
    let opened = page.answer(&json!({"ask": "open", "id": 1, "path": "coin.rules"}));
    let new = GAME.replace("= 3", "= 4");
    page.answer(&json!({"ask": "save", "id": 2, "path": "coin.rules", "text": new, "base": opened["hash"]}));
    assert_eq!(served.read("coin.rules"), new.replace('\n', "\r\n"));
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let outside = Served::new("outside", &[("secret.rules", "secret")]);
    let served =
        Served::new("inside", &[("coin.rules", GAME), ("sub/a.rules", GAME), ("note.txt", "secret")]);
    let secret = outside.folder.join("secret.rules").display().to_string();
    let up = format!("../{}/secret.rules", outside.folder.file_name().expect("a name").to_string_lossy());
    let mut bad: Vec<String> = vec![secret.clone(), up.clone(), format!("sub/../../{}", &up[3..])];
    bad.extend(
        [
            "../x.rules",
            "%2e%2e/x.rules",
            "..%2fx.rules",
            "/etc/passwd",
            "note.txt",
            "sub",
            "",
            ".",
            "a\0.rules",
            "coin.rules\0.txt",
            "bundled/../coin.rules",
            "sub\\..\\..\\x.rules",
            "C:\\x.rules",
            ".hidden.rules",
            "nowhere/x.rules",
            "bundled/new.rules",
        ]
        .map(str::to_owned),
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(&secret, served.folder.join("link.rules")).expect("a link");
        symlink(&outside.folder, served.folder.join("linked")).expect("a link");
        symlink(served.folder.join("note.txt"), served.folder.join("note.rules")).expect("a link");
        symlink(outside.folder.join("new.rules"), served.folder.join("dangling.rules")).expect("a link");
        symlink(served.folder.join("coin.rules"), served.folder.join("own.rules")).expect("a link");
        let links = ["link.rules", "linked/secret.rules", "linked/new.rules", "note.rules", "dangling.rules"];
        bad.extend(links.map(str::to_owned));
    }
    let (mut page, _) = served.page();
    for path in &bad {
        let opened = page.answer(&json!({"ask": "open", "id": 1, "path": path}));
        assert_eq!(opened["tell"], "wrong", "{path:?}: {opened}");
        assert!(!opened.to_string().contains("secret\""), "{path:?}: {opened}");
        let saved = page.answer(&json!({"ask": "save", "id": 2, "path": path, "text": "new", "base": null}));
        assert_eq!(saved["tell"], "wrong", "{path:?}: {saved}");
    }
    assert_eq!(
        (outside.read("secret.rules").as_str(), served.read("note.txt").as_str()),
        ("secret", "secret")
    );
    assert!(!outside.folder.join("new.rules").exists());
    // A link within the folder is a file of it.
    #[cfg(unix)]
    assert_eq!(page.answer(&json!({"ask": "open", "id": 3, "path": "own.rules"}))["text"], GAME);
    assert_eq!(page.answer(&json!({"ask": "open", "id": 4, "path": "bundled/dilido"}))["read_only"], true);
    assert_eq!(
        page.answer(&json!({"ask": "save", "id": 5, "path": "bundled/dilido", "text": "", "base": null}))["tell"],
        "wrong"
    );
}

#[test]
fn edits_outside_are_told_and_own_ones_are_not() {
    let served = Served::new("edits", &[("coin.rules", GAME), ("long.rules", VARIANT)]);
    let (mut page, _) = served.page();
    let opened = page.answer(&json!({"ask": "open", "id": 1, "path": "coin.rules"}));
    page.ask(&text("long.rules", 1, VARIANT));
    assert_eq!(page.hear_kind("messages")["messages"], json!([]));
    let (mut other, _) = served.page();
    other.answer(&json!({"ask": "open", "id": 1, "path": "coin.rules"}));
    let mine = GAME.replace("= 3", "= 4");
    let saved = page
        .answer(&json!({"ask": "save", "id": 2, "path": "coin.rules", "text": mine, "base": opened["hash"]}));
    assert_eq!(other.hear_kind("changed")["hash"], saved["hash"]);
    // What stands on a file is checked again when that changes.
    std::fs::write(served.folder.join("coin.rules"), mine.replace("goal", "target")).expect("a file");
    let changed = page.hear_kind("changed");
    assert_eq!(
        (&changed["path"], &changed["text"]),
        (&json!("coin.rules"), &json!(mine.replace("goal", "target")))
    );
    let messages = page.hear_kind("messages");
    assert_eq!(
        (&messages["path"], messages["messages"].as_array().map(Vec::len)),
        (&json!("long.rules"), Some(1))
    );
    std::fs::remove_file(served.folder.join("coin.rules")).expect("a file");
    let gone = page.hear_kind("changed");
    assert_eq!((&gone["text"], &gone["hash"]), (&json!(null), &json!(null)));
    std::fs::write(served.folder.join("other.rules"), GAME).expect("a file");
    page.hear_one(|heard| heard["tell"] == "files" && heard.to_string().contains("other.rules"));
}

#[test]
fn an_empty_folder_opens_a_bundled_game() {
    let served = Served::new("empty", &[]);
    let (_, welcome) = served.page();
    assert_eq!((&welcome["first"], &welcome["start"]), (&json!(true), &json!("bundled/dilido")));
    assert!(welcome["games"].as_array().expect("games").len() > 50 && welcome["agents"][0]["help"] != "");
}
