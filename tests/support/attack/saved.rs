//! Games that are written and read again: records, snapshots, and the games of a match.

use super::{Seen, played};
use houserule::game::snapshot::Snapshot;
use houserule::game::{Game, State};
use houserule::matches::Match;
use houserule::notation::record::{Record, replay};

/// The decisions after which a game is saved.
const DECISIONS: [u32; 3] = [1, 4, u32::MAX];

/// Saves games under way and finished ones, and the games of a match.
pub(super) fn attack(game: &Game, seed: u64, seen: &mut Seen) {
    for (index, decisions) in (0..).zip(DECISIONS) {
        if let Some(state) = played(game, seed, index, decisions) {
            recorded(game, &state, seen);
            snapshot(game, &state, seen);
        }
    }
    matched(game, seed, seen);
}

/// Replays the record of a state, as it is and read from JSON.
fn recorded(game: &Game, state: &State, seen: &mut Seen) {
    // A record has scores, which may fail.
    let Ok(record) = Record::from_state(state) else { return };
    let text = serde_json::to_string(&record).expect("a record is JSON");
    let read = Record::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, record);
    let again = replay(game, &read).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again, *state, "the replayed game");
    assert_eq!(again.outcome(), state.outcome());
    seen.note(if state.is_over() { "records of finished games" } else { "records" });
}

/// Restores a snapshot and plays on from it and from the state.
fn snapshot(game: &Game, state: &State, seen: &mut Seen) {
    let bytes = state.snapshot().to_bytes();
    let snapshot = Snapshot::from_bytes(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let mut one = game.restore(&snapshot).unwrap_or_else(|error| panic!("{error}"));
    let mut other = state.clone();
    for _ in 0..5 {
        assert_eq!(one, other, "after a snapshot");
        assert_eq!(one.legal_actions(), other.legal_actions(), "after a snapshot");
        let actions = [one.random_action(), other.random_action()];
        assert_eq!(actions[0], actions[1]);
        let Some(action) = actions[0] else { break };
        let went =
            [one.apply(action), other.apply(action)].map(|went| went.map_err(|error| error.to_string()));
        assert_eq!(went[0], went[1]);
        if went[0].is_err() {
            return;
        }
    }
    seen.note("snapshots");
}

/// Plays a match, and replays the record of each of its games.
fn matched(game: &Game, seed: u64, seen: &mut Seen) {
    let Some(mut games) = Match::new(game, seed, 1) else { return };
    while !games.is_over() && games.played() < 5 {
        let Ok(mut state) = games.start() else { return };
        while let Some(action) = state.random_action() {
            if state.apply(action).is_err() {
                return;
            }
        }
        recorded(game, &state, seen);
        if games.enter(&state).is_err() {
            return;
        }
        seen.note("games of matches");
    }
    assert_eq!(games.standings().len(), game.players() as usize);
}
