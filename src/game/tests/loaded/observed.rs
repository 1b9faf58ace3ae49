//! What is seen in replayed games is the same in compiled code.

use std::sync::atomic::Ordering;

use houserule_base::rng::Stream;
use houserule_game::hidden::beliefs::observed::{Noted, Observed, PATIENCE};
use houserule_game::{Seat, Start};
use houserule_loader::{Request, load};
use houserule_machine::native::RunKind;

/// Replays random games until more than `least` events have been applied. Returns the observations of the last games.
fn replayed(observed: &Observed, least: u32) -> Vec<Noted> {
    let mut noted = vec![];
    for seed in 0.. {
        let mut stream = Stream::new(seed % 50, 0, 0);
        let mut state = observed.begin(&Start::default(), Seat(0)).expect("it begins");
        while !state.is_over() {
            match state.is_chance() {
                true => {
                    let outcome = state.draw_outcome(&mut stream);
                    observed.apply_outcome(&mut state, outcome);
                }
                false => {
                    let legal = state.legal_actions();
                    let action = legal[stream.below(legal.len() as u64) as usize];
                    assert!(observed.apply(&mut state, action, None), "it is legal");
                }
            }
        }
        noted.push(observed.noted(&state));
        if seed % 50 == 49 && observed.applied.load(Ordering::Relaxed) > least {
            break;
        }
    }
    noted.split_off(noted.len() - 50)
}

#[test]
fn what_is_seen_is_the_same_once_the_program_is_compiled() {
    let game = load(&Request { name: "kuhn-poker", ..Request::default() }).expect("it loads").game;
    let [few, many] = [(); 2].map(|()| Observed::new(&game).expect("it hides something"));
    let first = replayed(&few, 0);
    assert!(few.applied.load(Ordering::Relaxed) < PATIENCE);
    assert_eq!(replayed(&many, PATIENCE + 1_000), first);
    let compiles = game.machine(RunKind::Steps).is_some();
    assert_eq!(many.game.machine_if_made(RunKind::Steps).is_some(), compiles);
}
