//! An origin loads its game again, without the original files.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use houserule::loader::{Request, load, load_origin};
use houserule::variants::Origin;
use houserule::variants::Setting;

const BASE: &str = r#"game "Steps" {
  param goal: 1..9 = 5
  param stride: 1..3 = 1
  players 2..3
  var walked: 0..12 = 0
  turn { choose { walk { walked += stride } } }
  end when walked >= goal: win me
}
"#;
const MINE: &str = "variant \"Mine\" of \"./base.rules\" { param goal = 7 }\n";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("origin");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Returns an origin as another process receives it.
fn sent(origin: &Origin) -> Origin {
    serde_json::from_str(&serde_json::to_string(origin).unwrap()).unwrap()
}

#[test]
fn an_origin_makes_the_same_game_without_its_files() {
    let files = [file("base.rules", BASE), file("mine.rules", MINE)];
    let settings = [Setting::new("stride", "2")];
    let request = Request { name: files[1].to_str().unwrap(), settings: &settings, players: Some(3) };
    let first = load(&request).unwrap().game;
    let origin = sent(&first.sheet().origin);
    for path in &files {
        std::fs::remove_file(path).unwrap();
    }
    assert!(load(&request).is_err(), "the files are gone");

    let again = load_origin(&origin).unwrap().game;
    assert_eq!(again.identity().name, first.identity().name);
    assert_eq!(again.identity().rules_sha256, first.identity().rules_sha256);
    assert_eq!(again.fingerprint(), first.fingerprint());
    assert_eq!(again.players(), 3);
    assert_eq!(again.sheet().origin, first.sheet().origin);

    let other = load_origin(&origin.with(&[Setting::new("stride", "3")], Some(2))).unwrap().game;
    assert_eq!(other.players(), 2);
    assert_ne!(other.fingerprint(), first.fingerprint());
}

#[test]
fn what_is_set_anew_replaces_what_was_set() {
    let [entry, size] = [Setting::new("line_points.4", "5"), Setting::new("size", "7")];
    let old = Origin { settings: vec![entry.clone(), size.clone()], ..Origin::named("dilido") };
    let with = |setting: &Setting| old.with(std::slice::from_ref(setting), None).settings;

    let other_entry = Setting::new("line_points.3", "2");
    assert_eq!(with(&other_entry), [entry.clone(), size.clone(), other_entry]);
    let other_size = Setting::new("size", "5");
    assert_eq!(with(&other_size), [entry, other_size]);
    let whole = Setting::new("line_points", "[3: 1]");
    assert_eq!(with(&whole), [size, whole]);
    assert_eq!(old.with(&[], Some(4)).players, Some(4));
}
