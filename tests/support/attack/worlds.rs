//! Worlds that are drawn for a seat agree with all that the seat has seen: observations, information states, drawings.

use super::{Seen, played};
use houserule::draw::svg::{PictureStyle, svg};
use houserule::draw::text;
use houserule::game::{Game, Seat, State};
use houserule::hidden::WorldOptions;
use houserule::rng::Stream;

/// The decisions after which worlds are drawn.
const DECISIONS: [u32; 2] = [1, 6];

/// Number of worlds for each seat in a position.
const WORLDS: usize = 1;

/// Draws worlds for all seats in some positions.
pub(super) fn attack(game: &Game, seed: u64, seen: &mut Seen) {
    if !game.hides() {
        return;
    }
    // Little is searched: worlds without a history are worlds, too.
    let options = WorldOptions { bound: 200, budget: 200, ..WorldOptions::default() };
    let mut stream = Stream::new(seed, 7, 7);
    for (index, decisions) in (0..).zip(DECISIONS) {
        let Some(state) = played(game, seed, index, decisions) else { continue };
        if let Some(seat) = state.current_player() {
            from_position(&state, seat, &mut stream, seen);
        }
        for seat in (0..game.players()).map(Seat) {
            let Ok(mut worlds) = state.worlds(seat, &options) else {
                seen.note("positions without worlds");
                continue;
            };
            let history = worlds.keep_history();
            for _ in 0..WORLDS {
                let Ok(world) = worlds.next(&mut stream) else {
                    seen.note("positions without worlds");
                    break;
                };
                same(&state, world, seat, history);
                seen.note(if history { "worlds" } else { "worlds without a history" });
            }
        }
    }
}

/// Draws a world of a position without its history, which agrees with what the seat sees now.
fn from_position(state: &State, seat: Seat, stream: &mut Stream, seen: &mut Seen) {
    let mut position = state.clone();
    position.restore(state.persistent());
    let worlds = position.worlds(seat, &WorldOptions::default());
    let Ok(mut worlds) = worlds else { return };
    let history = worlds.keep_history();
    if let Ok(world) = worlds.next(stream) {
        same(&position, world, seat, history);
        seen.note("worlds without a history");
    }
}

/// Asserts that a seat can't tell a world from the real state.
fn same(state: &State, world: &State, seat: Seat, history: bool) {
    let what = if history { "a world" } else { "a world without a history" };
    if history {
        let [real, other] = [state, world].map(|state| state.information_state(seat));
        assert_eq!(real, other, "information states of {what} for seat {}", seat.0);
    }
    assert_eq!(state.view(seat), world.view(seat), "view of {what} for seat {}", seat.0);
    let [real, other] = [state, world].map(|state| state.observation(seat));
    let mut entries = state.game().observation_spec().into_iter();
    let differs = entries.find(|entry| {
        let of = entry.offset..entry.offset + entry.length;
        real[of.clone()] != other[of]
    });
    assert!(differs.is_none(), "observations of {what} for seat {}: {differs:?}", seat.0);
    assert_eq!(state.current_player(), world.current_player());
    assert_eq!(state.is_over(), world.is_over());
    if state.current_player() == Some(seat) {
        assert_eq!(state.legal_actions(), world.legal_actions(), "legal actions of {what}");
    }
    let [real, other] = [state, world].map(|state| text::state(state, Some(seat)));
    assert_eq!(real, other, "text drawing of {what} for seat {}", seat.0);
    // A world without a history has no last move.
    if history {
        let style = PictureStyle { viewer: Some(seat), legal: true, ..PictureStyle::default() };
        let [real, other] = [state, world].map(|state| svg(state, &style));
        if real != other {
            // A hash of the picture comes first.
            let rest =
                |text: &str| text.split_once("</style>").map_or(String::new(), |(_, rest)| rest.to_owned());
            let (real, other) = (rest(&real), rest(&other));
            let at = real.bytes().zip(other.bytes()).position(|(a, b)| a != b).unwrap_or_default();
            let near = |text: &str| {
                let part = &text.as_bytes()[at.saturating_sub(100)..text.len().min(at + 200)];
                String::from_utf8_lossy(part).into_owned()
            };
            panic!("pictures of {what} for seat {}: {}\n{}", seat.0, near(&real), near(&other));
        }
    }
}
