//! The gallery files equal the current output of the gallery command.

use super::{assert_sound, gallery};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

fn mend() -> String {
    format!("`{}` makes it anew", gallery::COMMAND)
}

/// Returns the files of the gallery as they are made now.
fn files() -> &'static [gallery::File] {
    static FILES: OnceLock<Vec<gallery::File>> = OnceLock::new();
    FILES.get_or_init(gallery::files)
}

#[test]
fn the_gallery_is_not_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = files();
    let mut stale = vec![];
    for file in files {
        let there = std::fs::read_to_string(root.join(&file.path)).unwrap_or_default();
        if there != file.text {
            stale.push(file.path.as_str());
        }
    }
    assert!(stale.is_empty(), "{} of {} files are stale: {stale:?}; {}", stale.len(), files.len(), mend());
    let made: BTreeSet<_> = files.iter().map(|file| root.join(&file.path)).collect();
    let left: Vec<_> =
        std::fs::read_dir(root.join("docs/gallery")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let left: Vec<_> = left.into_iter().filter(|path| !made.contains(path)).collect();
    assert!(left.is_empty(), "nothing shows {left:?}; {}", mend());
}

#[test]
fn the_gallery_is_sound_and_modest() {
    let files = files();
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    let games = gallery::played().len();
    assert!(bytes < 50_000 * games, "the gallery has {bytes} bytes for {games} games");
    for file in &files[1..] {
        assert_sound(&file.path, &file.text);
    }
}

#[test]
fn every_game_is_in_the_gallery() {
    let shown: Vec<String> = gallery::played().into_iter().map(|played| played.game).collect();
    for entry in houserule::loader::catalogue().into_iter().filter(|entry| entry.of.is_none()) {
        assert!(
            shown.iter().any(|name| name == entry.name),
            "`{}` is not in the gallery: add it to `GAMES` in examples/gallery/main.rs and play it",
            entry.name
        );
    }
}
