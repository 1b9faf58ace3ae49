//! A game saved in the middle continues as the original does: the same dice, the same random players, the
//! same end.

use crate::extent;
use houserule::game::snapshot::{Snapshot, SnapshotError};
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load};
use houserule::variants::Setting;

fn game(name: &str, players: Option<u32>, settings: &[Setting]) -> Game {
    load(&Request { name, settings, players }).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

/// Returns everything visible of a state.
fn shown(state: &State) -> impl PartialEq + std::fmt::Debug {
    let players = (0..state.game().players()).map(Seat);
    let scores: Vec<_> = players.map(|player| state.scores(player)).collect();
    let counts = (state.decisions(), state.turns(), state.rolls(), state.counts());
    (
        state.persistent().to_vec(),
        state.legal_actions(),
        state.current_player(),
        scores,
        counts,
        state.outcome(),
    )
}

fn step(state: &mut State) -> bool {
    let Some(action) = state.random_action() else { return false };
    state.apply(action).expect("a legal action can be taken");
    true
}

#[test]
fn every_bundled_game_goes_on_from_every_third_decision() {
    for name in extent::bundled("snapshots", 8) {
        let small = [Setting::new("size", "5")];
        let is_go = name == "go" || name.starts_with("go-") && !name.starts_with("go-fish");
        let settings: &[Setting] = if is_go { &small } else { &[] };
        let game = game(name, None, settings);
        let mut state = game.start(4, 7).expect("it starts");
        for decision in 0..extent::tries(30, 60) {
            if decision % 3 == 0 {
                let bytes = state.snapshot().to_bytes();
                let read = Snapshot::from_bytes(&bytes).expect("it is read");
                assert_eq!(read, state.snapshot());
                let mut again = game.restore(&read).expect("it is restored");
                let mut here = state.clone();
                assert!(again == here && again.started() == here.started(), "{name}");
                for _ in 0..extent::tries(12, 40) {
                    assert_eq!(shown(&again), shown(&here), "{name}");
                    if !step(&mut here) {
                        break;
                    }
                    step(&mut again);
                }
                assert_eq!(again.snapshot(), here.snapshot(), "{name}");
            }
            if !step(&mut state) {
                break;
            }
        }
    }
}

/// Superko forbids moves that the board alone would allow.
#[test]
fn what_was_there_before_bars_the_same_moves() {
    let game = game("go", None, &[Setting::new("size", "4")]);
    let mut barred = 0;
    for index in 0..extent::tries(40, 120) {
        let mut state = game.start(4, index).expect("it starts");
        for _ in 0..60 {
            let again = game.restore(&state.snapshot()).expect("it is restored");
            assert_eq!(again.legal_actions(), state.legal_actions(), "game {index}");
            let anew = game.position(&state.position()).expect("it is a position");
            barred += u32::from(anew.legal_count() > state.legal_count());
            if !step(&mut state) {
                break;
            }
        }
    }
    assert!(barred > extent::tries(7, 20), "{barred}");
}

#[test]
fn pending_chance_is_saved_with_the_rest() {
    let game = game("dicrono", None, &[]);
    let mut state = game.start(2, 0).expect("it starts");
    state.set_explicit_chance(true);
    while !state.is_chance() {
        step(&mut state);
    }
    let again = game.restore(&state.snapshot()).expect("it is restored");
    assert!(again.is_chance());
    assert_eq!(again.chance_outcomes(), state.chance_outcomes());
    assert_eq!(again, state);
}

#[test]
fn bytes_that_have_changed_are_found_out() {
    let game = game("dilido", None, &[]);
    let state = game.start(1, 0).expect("it starts");
    let bytes = state.snapshot().to_bytes();
    for at in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x10;
        let expected = if at < 8 { SnapshotError::NotASnapshot } else { SnapshotError::Damaged };
        assert_eq!(Snapshot::from_bytes(&wrong), Err(expected), "byte {at}");
        assert!(Snapshot::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(Snapshot::from_bytes(&longer), Err(SnapshotError::Damaged));
}

#[test]
fn other_rules_params_and_players_are_other_games() {
    let restored = |from: &Game, to: &Game| {
        let state = from.start(1, 0).expect("it starts");
        to.restore(&state.snapshot()).map(|_| ())
    };
    let dilido = game("dilido", None, &[]);
    assert_eq!(restored(&dilido, &dilido), Ok(()));
    assert_eq!(restored(&dilido, &game("dilido", None, &[])), Ok(()));
    for other in [
        game("dilido-torus", None, &[]),
        game("dilido", None, &[Setting::new("penalty_limit", "4")]),
        game("tic-tac-toe", None, &[]),
    ] {
        assert_eq!(restored(&dilido, &other), Err(SnapshotError::OtherGame));
    }
    let pig = |players| game("pig", Some(players), &[]);
    assert_eq!(restored(&pig(2), &pig(3)), Err(SnapshotError::OtherGame));
}
