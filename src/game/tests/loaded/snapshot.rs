//! Saved states that no game can have.

use houserule_game::snapshot::SnapshotError;
use houserule_loader::{Request, load};
use houserule_machine::program::PENDING;

#[test]
fn values_that_the_game_can_t_have_are_named() {
    let game = load(&Request { name: "dilido", ..Request::default() }).expect("it loads").game;
    let snapshot = game.start(1, 0).expect("it starts").snapshot();
    assert!(game.restore(&snapshot).is_ok());
    for (slot, at) in game.model().slots.iter().zip(game.slots()) {
        let Some(at) = at.map(usize::from).filter(|at| *at < snapshot.words.len()) else { continue };
        let mut wrong = snapshot.clone();
        wrong.words[at] = u64::MAX - 1;
        let error = game.restore(&wrong).map(|_| ());
        assert_eq!(error, Err(SnapshotError::Value { name: slot.name.clone() }));
    }
    let mut wrong = snapshot.clone();
    wrong.words[usize::from(PENDING)] = game.program().stops.len() as u64 + 1;
    assert_eq!(game.restore(&wrong).map(|_| ()), Err(SnapshotError::Damaged));
}
