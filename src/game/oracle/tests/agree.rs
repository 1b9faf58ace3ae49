//! Runs the fast executor on the same small models.

#[path = "../../../../tests/support/agree.rs"]
mod side_by_side;

use super::build::*;
use super::dots::dots;
use crate::{Game, Identity};
use houserule_model::Model;
use side_by_side::{Came, agree};

/// Plays random games with both executors.
pub(super) fn games(model: &Model, games: u64, questions: u32) -> Vec<Came> {
    let game = Game::new(model.clone(), Identity::default()).expect("it compiles");
    (0..games).map(|index| agree(&game, 1, index, questions)).collect()
}

#[test]
fn both_agree_on_whole_games() {
    for model in [three_in_a_row(false), three_in_a_row(true), dots().model] {
        assert!(games(&model, 200, 500).iter().all(|came| *came == Came::Over));
    }
}
