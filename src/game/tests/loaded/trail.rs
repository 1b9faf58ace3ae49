//! Actions taken back, and undo histories as bytes.

use houserule_base::rng::Stream;
use houserule_game::snapshot::ByteWriter;
use houserule_game::trail::{MAGIC, UndoHistory};
use houserule_game::{Game, Start, State};
use houserule_loader::{Request, catalogue, load};

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).expect("it loads").game
}

/// Random play, chance included where it is explicit.
fn step(state: &mut State, trail: &mut UndoHistory, dice: &mut Stream) {
    match state.is_chance() {
        true => state.apply_outcome(dice.below(state.chance_outcomes())).expect("an outcome"),
        false => {
            let action = trail.random_action(state).expect("an action");
            state.apply(action).expect("it is legal");
        }
    }
}

fn same(a: &State, b: &State) {
    assert!(a == b && a.history() == b.history() && a.streams == b.streams);
    assert_eq!((a.decisions(), a.turns(), a.rolls()), (b.decisions(), b.turns(), b.rolls()));
}

#[test]
fn what_is_taken_back_comes_again() {
    for entry in catalogue() {
        let game = game(entry.name);
        for explicit_chance in [false, true] {
            let start = Start { seed: 5, explicit_chance, ..Start::default() };
            let mut state = game.start_at(&start).expect("it starts");
            let (mut trail, mut dice) = (UndoHistory::default(), Stream::new(1, 2, 3));
            let mut states = vec![state.clone()];
            while !state.is_over() && states.len() < 24 {
                step(&mut state, &mut trail, &mut dice);
                states.push(state.clone());
            }
            assert_eq!(trail.applied(&state), states.len() - 1, "{}", entry.name);
            assert!(trail.clone().back(&state, states.len()).is_none());
            let bytes = trail.to_bytes(&state);
            let (read, mut read_trail) = UndoHistory::from_bytes(&game, &bytes).expect("its own bytes");
            same(&read, &state);
            for back in [1, 2, 7, 20] {
                let Some(at) = (states.len() - 1).checked_sub(back) else { continue };
                same(&trail.clone().back(&state, back).expect("it goes back"), &states[at]);
            }
            while states.len() > 1 {
                states.pop();
                let before = read_trail.back(&state, 1).expect("it goes back");
                state = trail.back(&state, 1).expect("it goes back");
                same(&state, &states[states.len() - 1]);
                same(&before, &state);
            }
        }
    }
}

#[test]
fn whatever_the_bytes_are_they_are_read_or_refused() {
    let mut stream = Stream::new(11, 0, 0);
    for name in ["dilido", "dicrono", "go", "yacht", "tic-tac-die"] {
        let game = game(name);
        for from_here in [false, true] {
            let mut state = game.start(3, 0).expect("it starts");
            let mut trail = UndoHistory::default();
            if from_here {
                state.begin_here(3, 0, false).expect("it goes on");
                trail = UndoHistory::from_here(&state);
            }
            for _ in 0..12 {
                if !state.is_over() {
                    step(&mut state, &mut trail, &mut stream);
                }
            }
            let bytes = trail.to_bytes(&state);
            for cut in 0..bytes.len() {
                assert!(UndoHistory::from_bytes(&game, &bytes[..cut]).is_err());
            }
            let mut read = 0;
            for _ in 0..400 {
                let mut words: Vec<u64> = bytes[8..bytes.len() - 8]
                    .as_chunks::<8>()
                    .0
                    .iter()
                    .map(|w| u64::from_le_bytes(*w))
                    .collect();
                for _ in 0..=stream.below(2) {
                    // The fingerprint must be right, or nothing else would be read.
                    let at = 1 + stream.below(words.len() as u64 - 1) as usize;
                    words[at] = match stream.below(5) {
                        0 => u64::MAX,
                        1 => stream.next_word(),
                        2 => words[at].wrapping_add(1),
                        3 => 1 << stream.below(64),
                        _ => stream.below(8),
                    };
                }
                let mut out = ByteWriter::new(MAGIC);
                out.words(&words);
                if let Ok((mut state, mut trail)) = UndoHistory::from_bytes(&game, &out.finish()) {
                    read += 1;
                    // It can be played, shown and taken back.
                    let _ = (trail.to_bytes(&state), state.position());
                    for _ in 0..8 {
                        if let Some(action) = trail.random_action(&mut state) {
                            let _ = state.apply(action);
                        }
                    }
                    let _ = trail.back(&state, 3);
                }
            }
            assert!(read > 0, "{name}: nothing was read");
        }
    }
}
