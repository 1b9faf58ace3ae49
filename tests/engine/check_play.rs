//! Differential test of rules that use much of the language: both executors side by side.

use crate::agree::{Came, agree};
use crate::checked::check_text;
use crate::extent;
use houserule::check::CheckOptions;
use houserule::game::{Game, Identity};

#[test]
fn both_executors_agree_on_a_little_of_everything() {
    for (file, players) in
        [("features", Some(2)), ("features", Some(3)), ("features", Some(4)), ("sketches/kalah", None)]
    {
        let path = format!("{}/tests/{file}.rules", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(&path);
        let (checked, shown) = check_text(&text, &CheckOptions { players, ..CheckOptions::default() });
        let model = checked.model.unwrap_or_else(|| panic!("{shown}"));
        let game = Game::new(model, Identity::default()).unwrap_or_else(|error| panic!("{file}: {error}"));
        for index in 0..extent::tries(10, 30) {
            assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over, "{file} {players:?}");
        }
    }
}
