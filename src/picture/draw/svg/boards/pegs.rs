//! Numbers on a track with holes: `shown as track(121)`, as on a cribbage board.

use crate::draw::svg::canvas::{Anchor, Canvas, Picture, ShapeOutline};
use crate::draw::svg::palette::{BOARD_A, BOARD_EDGE, PAPER, QUIET};
use crate::draw::svg::scene::{PaperPoint, font};
use crate::draw::svg::token::PieceLook;
use houserule_base::names::plain;
use houserule_game::{Onlookers, State};
use houserule_model::{DisplayForm, PLAYER, Seat, SlotId, Value};

/// The most holes in a lane.
const LANE: u32 = 40;
/// The most holes that are drawn. Longer tracks are scaled.
const MOST: u32 = 200;
/// Distance of holes.
const STEP: f64 = 10.4;
/// Additional distance after five holes.
const FIVE: f64 = 5.2;
/// Distance of the rows of two players.
const ROW: f64 = 22.0;
/// Gap between two lanes, in which the numbers stand.
const BETWEEN: f64 = 38.0;
/// Distance of a number from the holes beside it: no peg covers it.
const ASIDE: f64 = 9.5;
/// Margin inside the board.
const MARGIN: f64 = 30.0;

/// A number on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Peg {
    seat: Option<Seat>,
    /// `None` if those who look don't see it.
    at: Option<i64>,
}

/// A variable on a track.
struct PegTrack {
    name: String,
    holes: u32,
    pegs: Vec<Peg>,
}

/// Draws all variables that are shown on a track, each as a board with holes.
pub(in crate::draw::svg) fn tracks<'p>(
    state: &State,
    sight: Onlookers,
    fresh: impl Fn() -> Canvas<'p>,
) -> Vec<Picture> {
    let model = state.game().model();
    let slots = (0..).map(SlotId).zip(&model.slots);
    let tracks = slots.filter_map(|(id, slot)| {
        let DisplayForm::Track(holes) = slot.shown else { return None };
        let pegs = (0..slot.initial.len()).map(|place| Peg {
            seat: (slot.index == [PLAYER]).then_some(Seat(place as u32)),
            at: match state.value(id, place) {
                Value::Number(at) if sight.sees(|viewer| state.sees(id, place, viewer)) => Some(at),
                _ => None,
            },
        });
        Some(PegTrack { name: slot.name.clone(), holes, pegs: pegs.collect() })
    });
    tracks.map(|track| draw(state, &track, fresh())).collect()
}

/// Where the holes of a track are.
#[derive(Clone, Copy)]
struct PegLanes {
    /// Number of holes in a lane, but for the last.
    long: u32,
    /// Number of holes in lanes.
    holes: u32,
    /// Number of rows in a lane.
    rows: usize,
}

impl PegLanes {
    fn new(holes: u32, rows: usize) -> PegLanes {
        let count = holes.div_ceil(LANE).max(1);
        let long = holes.div_ceil(count).div_ceil(5) * 5;
        PegLanes { long, holes, rows }
    }

    fn count(self) -> u32 {
        self.holes.div_ceil(self.long)
    }

    fn wide(self) -> f64 {
        (self.rows.max(1) - 1) as f64 * ROW
    }

    fn high(self) -> f64 {
        f64::from(self.long - 1) * STEP + f64::from((self.long - 1) / 5) * FIVE
    }

    fn width(self) -> f64 {
        let lanes = f64::from(self.count());
        2.0 * MARGIN + lanes * self.wide() + (lanes - 1.0) * BETWEEN
    }

    /// Returns the place of a hole, counted from 1, in one of the rows. PegLanes go up, down, up.
    fn place(self, hole: u32, row: usize) -> PaperPoint {
        let (lane, along) = ((hole - 1) / self.long, (hole - 1) % self.long);
        let up = f64::from(along) * STEP + f64::from(along / 5) * FIVE;
        let y = if lane.is_multiple_of(2) { self.high() - up } else { up };
        let x = MARGIN + f64::from(lane) * (self.wide() + BETWEEN) + row as f64 * ROW;
        (x, y)
    }
}

fn draw(state: &State, track: &PegTrack, mut canvas: Canvas<'_>) -> Picture {
    // The last hole of 61 or 121 stands alone, as the goal.
    let (shown, times) = match track.holes {
        few if few <= MOST => (few, 1),
        many => (MOST, many.div_ceil(MOST)),
    };
    let has_goal = times == 1 && shown % LANE == 1 && shown > 1;
    let lanes = PegLanes::new(if has_goal { shown - 1 } else { shown }, track.pegs.len());
    let top = 30.0 + if has_goal { 34.0 } else { 0.0 };
    let (width, height) = (lanes.width().max(96.0), top + lanes.high() + 40.0);
    let aside = (width - lanes.width()) / 2.0;
    let at = |hole: u32, row: usize| {
        let (x, y) = lanes.place(hole, row);
        (aside + x, top + y)
    };
    let goal = (width / 2.0, 40.0);
    canvas.rect(
        (0.0, 0.0),
        (width, height),
        12.0,
        Some(BOARD_A),
        Some(ShapeOutline { ink: BOARD_EDGE, width: 1.5 }),
    );
    let small = font(10.5, QUIET);
    canvas.text((width / 2.0, 19.0), Anchor::Middle, font(12.0, QUIET), &plain(&track.name));
    let rim = ShapeOutline { ink: BOARD_EDGE, width: 0.75 };
    canvas.part("holes", |canvas| {
        for row in 0..track.pegs.len() {
            for hole in 1..=lanes.holes {
                canvas.circle(at(hole, row), 2.6, Some(PAPER), Some(rim));
            }
        }
        if has_goal {
            canvas.circle(goal, 4.5, Some(PAPER), Some(rim));
            canvas.text((goal.0 - 10.0, goal.1 + 4.0), Anchor::End, small, &track.holes.to_string());
        }
    });
    canvas.part("coordinates", |canvas| {
        for ten in (1..=lanes.holes / 10).map(|ten| ten * 10) {
            let (x, y) = at(ten, track.pegs.len().max(1) - 1);
            canvas.text((x + ASIDE, y + 3.8), Anchor::Start, small, &(ten * times).to_string());
        }
        let (left, _) = at(1, 0);
        let (right, _) = at(1, track.pegs.len().max(1) - 1);
        canvas.text(((left + right) / 2.0, height - 7.0), Anchor::Middle, small, "start");
    });
    canvas.part("pegs", |canvas| {
        let seats = &state.game().model().seat_looks();
        for (row, peg) in track.pegs.iter().enumerate() {
            let Some(number) = peg.at else { continue };
            let holes = i64::from(track.holes);
            let place = match number.clamp(0, holes) {
                0 => {
                    let (x, y) = at(1, row);
                    (x, y + 14.0)
                }
                last if has_goal && last == holes => (goal.0 + row as f64 * 6.0, goal.1),
                hole => at((hole as u32).div_ceil(times).clamp(1, lanes.holes), row),
            };
            let token = peg.seat.map_or_else(PieceLook::plain, |seat| PieceLook::of_disc(seat, seats));
            token.draw(canvas, place, 9.5);
        }
    });
    canvas.done(width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_go_up_and_down_and_no_hole_lies_on_another() {
        for holes in [10, 40, 41, 60, 120, 200] {
            let lanes = PegLanes::new(holes, 2);
            let all: Vec<PaperPoint> = (1..=holes).map(|hole| lanes.place(hole, 0)).collect();
            for (at, place) in all.iter().enumerate() {
                assert!(all[..at].iter().all(|other| (other.0 - place.0).hypot(other.1 - place.1) > 9.0));
                assert!((0.0..=lanes.high()).contains(&place.1) && place.0 < lanes.width());
            }
            // Where a lane ends, the next begins at the same height.
            let long = lanes.long as usize;
            assert!(holes as usize <= long || all[long - 1].1 == all[long].1, "{holes}");
        }
    }
}
