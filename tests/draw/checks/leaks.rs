//! Pictures in which nothing depends on what their viewer can't see.

use super::{FORMS, games, points, viewers};
use crate::extent;
use houserule::draw::svg::svg;
use houserule::draw::text;
use houserule::game::{Seat, State};
use houserule::hidden::{OpponentModel, WorldOptions};
use houserule::rng::Stream;

/// Worlds are found quickly or not at all.
const QUICK: WorldOptions =
    WorldOptions { opponents: OpponentModel::Uniform, bound: 200, budget: 300, with_history: true };

/// States of a game whose worlds are drawn.
const STATES: usize = 4;

/// Returns states that a seat can't tell apart: two worlds of it, and the state itself if their last move is known as its is.
fn alike(state: &State, seat: Seat) -> Vec<State> {
    let mut stream = Stream::new(7, 0, 0);
    let Ok(mut worlds) = state.worlds(seat, &QUICK) else { return vec![] };
    let own = worlds.keep_history().then(|| state.clone());
    let drawn = (0..2).map_while(|_| worlds.next_played(state, &mut stream).ok());
    let drawn: Vec<State> = drawn.collect();
    own.into_iter().chain(drawn).collect()
}

/// For a seat, all states are the same that it can't tell apart. Without a viewer too: everybody sees what all see.
#[test]
fn no_byte_depends_on_what_the_viewer_cannot_see() {
    let mut told = vec![];
    let (mut compared, mut with_history) = (0, 0);
    for name in extent::some_of("leaks", 6, games()) {
        for state in points(&name, None, 3, STATES) {
            if !state.game().hides() {
                break;
            }
            // At the end everybody learns the scores, of which worlds know nothing.
            if state.is_over() {
                continue;
            }
            for viewer in viewers(&state).into_iter().flatten() {
                let states = alike(&state, viewer);
                with_history += usize::from(states.len() > 2);
                for looks in [Some(viewer), None] {
                    for style in FORMS {
                        let style = houserule::draw::svg::PictureStyle { viewer: looks, ..style };
                        let pictures: Vec<String> = states.iter().map(|state| svg(state, &style)).collect();
                        if pictures.iter().any(|picture| *picture != pictures[0]) {
                            told.push(format!("{name}: {viewer:?}, seen by {looks:?}, {:?}", style.form));
                        }
                        compared += pictures.len();
                    }
                    let texts: Vec<String> = states.iter().map(|state| text::state(state, looks)).collect();
                    if looks.is_some() && texts.iter().any(|text| *text != texts[0]) {
                        told.push(format!("{name}: text, {viewer:?}"));
                    }
                }
            }
        }
    }
    assert!(compared > extent::tries(20, 500), "{compared} pictures");
    assert!(with_history > extent::tries(5, 40), "{with_history} with a history");
    assert!(told.is_empty(), "{}", told.join("\n"));
}
