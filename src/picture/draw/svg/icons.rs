//! Pictures by name, each one outline in the unit square around its middle. All are drawn for this program.

use std::sync::LazyLock;

use super::canvas::{Canvas, ShapeOutline};
use super::palette::Ink;
use super::path::{self, PathStep};
use super::scene::PaperPoint;
use crate::layout::Icon;

/// The outlines of all pictures, in the order of their names.
static OUTLINES: LazyLock<Vec<Vec<PathStep>>> = LazyLock::new(|| {
    let outlines = Icon::NAMES.iter().map(|(_, icon)| path::parse(written(*icon)));
    outlines.map(Option::unwrap_or_default).collect()
});

/// Draws a picture around a point. A negative size turns it upside down.
pub(super) fn icon(
    canvas: &mut Canvas<'_>,
    icon: Icon,
    centre: PaperPoint,
    size: f64,
    fill: Ink,
    edge: Option<ShapeOutline>,
) {
    let steps: Vec<PathStep> = outline(icon, centre, size).collect();
    canvas.path(&steps, Some(fill), edge);
}

/// Returns the outline of a picture around a point, to be drawn together with others.
pub(super) fn outline(icon: Icon, centre: PaperPoint, size: f64) -> impl Iterator<Item = PathStep> {
    OUTLINES[icon as usize].iter().map(move |step| step.scale(centre, size))
}

/// Returns the outline of a picture as it is written: in hundredths, as [`path::parse`] reads it. Holes turn to the left.
fn written(icon: Icon) -> &'static str {
    match icon {
        Icon::Pawn => {
            "M0-36C9-36 16-29 16-20C16-14 13-9 8-6L12-2V2H7C8 12 12 19 20 26V30H-20V26\
             C-12 19-8 12-7 2H-12V-2L-8-6C-13-9-16-14-16-20C-16-29-9-36 0-36ZM-26 32H26V40H-26Z"
        }
        Icon::Knight => {
            "M-10-44L-3-36C12-34 23-22 25-4C26 8 25 20 26 30H-19C-19 18-12 10-3 3C-1 1-1-2-2-4\
             C-7-1-13 0-18 2L-24 10C-26 12-30 11-33 7C-36 3-37-1-35-4L-22-22C-21-27-19-30-16-33Z\
             M-26 32H30V40H-26Z"
        }
        Icon::Bishop => {
            "M0-44C3.5-44 6-41.5 6-38C6-36 5-34.5 4-33.5C14-26 19-17 19-8C19-1 15 4 10 7L12 11V15H8\
             C9 20 13 24 20 28V30H-20V28C-13 24-9 20-8 15H-12V11L-10 7C-15 4-19-1-19-8\
             C-19-17-14-26-4-33.5C-5-34.5-6-36-6-38C-6-41.5-3.5-44 0-44ZM-26 32H26V40H-26Z"
        }
        Icon::Rook => {
            "M-22-34H-12V-27H-5V-34H5V-27H12V-34H22V-16L15-10L17 20L22 28V30H-22V28L-17 20L-15-10\
             L-22-16ZM-28 32H28V40H-28Z"
        }
        Icon::Queen => {
            "M-33-28C-30-28-27.5-26-27.5-23C-27.5-21.5-28-20.5-29-19.5L-17-4L-16.5-28\
             C-18.5-29-19.5-30.5-19.5-32.5C-19.5-35.5-17.5-37.5-14.5-37.5\
             C-11.5-37.5-9.5-35.5-9.5-32.5C-9.5-30.5-10.5-29-12-28L-5-6L-2-32C-4-33-5.5-35-5.5-37.5\
             C-5.5-40.5-3-43 0-43C3-43 5.5-40.5 5.5-37.5C5.5-35 4-33 2-32L5-6L12-28\
             C10.5-29 9.5-30.5 9.5-32.5C9.5-35.5 11.5-37.5 14.5-37.5C17.5-37.5 19.5-35.5 19.5-32.5\
             C19.5-30.5 18.5-29 16.5-28L17-4L29-19.5C28-20.5 27.5-21.5 27.5-23C27.5-26 30-28 33-28\
             C36-28 38.5-26 38.5-23C38.5-20 36-17.5 33-17.5C32.5-17.5 32-17.5 31.5-17.7L21 14L23 28\
             V30H-23V28L-21 14L-31.5-17.7C-32-17.5-32.5-17.5-33-17.5C-36-17.5-38.5-20-38.5-23\
             C-38.5-26-36-28-33-28ZM-28 32H28V40H-28Z"
        }
        Icon::King => {
            "M-4-46H4V-39H11V-32H4V-24C6-23 7.5-21 8-19C14-23 22-24 28-20C36-15 37-4 30 4L21 14L23 28\
             V30H-23V28L-21 14L-30 4C-37-4-36-15-28-20C-22-24-14-23-8-19C-7.5-21-6-23-4-24V-32H-11\
             V-39H-4ZM-28 32H28V40H-28Z"
        }
        Icon::Clubs => {
            "M0-50C14-50 24-39 24-27C24-19 20-12 14-7C18-10 22-11 27-11C40-11 50-1 50 12\
             C50 25 40 35 27 35C16 35 8 30 4 21C5 36 10 44 18 50H-18C-10 44-5 36-4 21\
             C-8 30-16 35-27 35C-40 35-50 25-50 12C-50-1-40-11-27-11C-22-11-18-10-14-7\
             C-20-12-24-19-24-27C-24-39-14-50 0-50Z"
        }
        Icon::Diamonds => "M0-50C9-33 21-14 34 0C21 14 9 33 0 50C-9 33-21 14-34 0C-21-14-9-33 0-50Z",
        Icon::Hearts => {
            "M0 46C-20 25-50 8-50-17C-50-38-35-47-22-47C-10-47-3-38 0-27C3-38 10-47 22-47\
             C35-47 50-38 50-17C50 8 20 25 0 46Z"
        }
        Icon::Spades => {
            "M0-50C14-28 48-12 48 14C48 32 34 38 24 38C15 38 8 33 4 25C5 38 10 45 17 50H-17\
             C-10 45-5 38-4 25C-8 33-15 38-24 38C-34 38-48 32-48 14C-48-12-14-28 0-50Z"
        }
        Icon::Disc => "O0 0 44",
        Icon::Ring => "O0 0 48o0 0 30",
        Icon::Square => "M-39-39H39V39H-39Z",
        Icon::Triangle => "M0-48L48 38H-48Z",
        Icon::Diamond => "M0-50L50 0L0 50L-50 0Z",
        Icon::Star => "M0-50L12.5-16L48-15L20 8L30 43L0 23L-30 43L-20 8L-48-15L-12.5-16Z",
        Icon::Cross => "M-15-46H15V-15H46V15H15V46H-15V15H-46V-15H-15Z",
        Icon::Crown => "M-46 34L-50-22L-24 2L0-42L24 2L50-22L46 34ZM-46 40H46V48H-46Z",
        Icon::Coronet => {
            "M-39 30C-45 8-47-5-46-14L-26 8L-15-26L0 4L15-26L26 8L46-14C47-5 45 8 39 30ZM-39 36H39V46\
             H-39ZO-15-38 7O15-38 7O-43-25 6O43-25 6"
        }
        Icon::Shield => "M-38-46H38V-4C38 24 20 40 0 50C-20 40-38 24-38-4Z",
        Icon::Flag => "M-36-50H-26V50H-36ZM-22-46C0-56 14-34 44-44V2C14 12 0-10-22 0Z",
        Icon::House => "M0-46L50-6H38V44H12V10H-12V44H-38V-6H-50Z",
        Icon::Meeple => {
            "M0-50C13-50 20-40 19-29C19-24 16-20 13-17C30-12 50-5 50 5C50 15 36 14 24 12\
             C30 26 42 38 42 44C42 50 36 50 30 50H12C8 50 6 47 4 42L0 30L-4 42C-6 47-8 50-12 50H-30\
             C-36 50-42 50-42 44C-42 38-30 26-24 12C-36 14-50 15-50 5C-50-5-30-12-13-17\
             C-16-20-19-24-19-29C-20-40-13-50 0-50Z"
        }
        Icon::Train => {
            "M-50-26H2V-10H20V-30H34V-10C46-10 50-2 50 10V24H-50ZM-40-16V0H-20V-16ZO-30 33 13O2 33 13\
             O32 33 13"
        }
        Icon::Rocket => {
            "M0-50C20-32 24-9 20 19L37 38L20 35L12 29H-12L-20 35L-37 38L-20 19C-24-9-20-32 0-50Z\
             o0-10 9M-7 35H7L0 50Z"
        }
        Icon::Ticket => "M-50-30H50V-10C36.7-10 36.7 10 50 10V30H-50V10C-36.7 10-36.7-10-50-10Z",
        Icon::Eye => "M-50 0C-30-32 30-32 50 0C30 32-30 32-50 0Zo0 0 17",
        Icon::Hand => "M-13-46H13V44H-13ZM-46-24L-18-37V36L-21 38ZM46-24L21 38L18 36V-37Z",
        Icon::Wedge => "M0-48L26-36L40 44H-40L-26-36Z",
        Icon::Tick => "M-46 4L-32-11L-12 9L32-38L46-24L-12 38Z",
        Icon::Arrow => "M-48-12H4V-36L48 0L4 36V12H-48Z",
        Icon::Ship => {
            "M-48 14H48L34 42H-34ZM-4-48H4V10H-4ZM9-42C32-30 38-8 36 8H9ZM-9-32C-26-20-34-4-32 8H-9Z"
        }
        Icon::Car => {
            "M-50 18V2C-50-8-46-12-36-14L-24-34H16L34-14C46-12 50-6 50 4V18ZM-16-27L-24-14H-4V-27Z\
             M2-27V-14H22L12-27ZO-28 20 14O27 20 14"
        }
        Icon::Coin => "O0 0 49o0 0 41O0 0 36M-5-20V20H5V-20Z",
        Icon::Gem => {
            "M-28-38H-6L-16-13H-48ZM6-38H28L48-13H16ZM0-35L12-13H-12ZM-45-7H-17L-5 34ZM45-7L5 34L17-7\
             ZM-12-7H12L0 43Z"
        }
        Icon::Wheat => {
            "M0-50C9-40 9-32 0-21C-9-32-9-40 0-50ZM-2.5-16H2.5V50H-2.5ZM4-8C6-22 16-30 30-30\
             C29-17 18-8 4-8ZM-4-8C-18-8-29-17-30-30C-16-30-6-22-4-8ZM4 11C6-3 16-11 30-11\
             C29 2 18 11 4 11ZM-4 11C-18 11-29 2-30-11C-16-11-6-3-4 11ZM4 30C6 16 16 8 30 8\
             C29 21 18 30 4 30ZM-4 30C-18 30-29 21-30 8C-16 8-6 16-4 30Z"
        }
        Icon::Wood => {
            "M-20-22H38C46-22 50-12 50 0C50 12 46 22 38 22H-20C-8 12-8-12-20-22ZO-29 0 21o-29 0 15\
             O-29 0 8M6-24L16-40H29L24-24Z"
        }
        Icon::Brick => {
            "M-48-36H-3V-15H-48ZM3-36H48V-15H3ZM-48-10H-27V11H-48ZM-21-10H21V11H-21ZM27-10H48V11H27Z\
             M-48 16H-3V37H-48ZM3 16H48V37H3Z"
        }
        Icon::Sheep => {
            "M-50-4C-50-16-42-20-34-16L-28-6L-32 10C-42 14-50 8-50-4ZO-12-10 18O8-16 18O28-8 18\
             O-6 8 17O18 10 18M-16 16H-7V42H-16ZM16 16H25V42H16Z"
        }
        Icon::Ore => {
            "M-49 38L-38 4L-18-4L-3 14L-5 38ZM-16-11L0-40L27-34L32-8L7 8ZM2 38L4 16L31 1L49 15L46 38Z"
        }
        Icon::Tower => {
            "M-30-48H-17V-38H-7V-48H7V-38H17V-48H30V-24H22V50H-22V-24H-30ZM8 50V32C8 20-8 20-8 32V50Z\
             M4-2V-16H-4V-2Z"
        }
        Icon::Tree => "M0-50L20-26H12L29-2H18L37 26H6V50H-6V26H-37L-18-2H-29L-12-26H-20Z",
        Icon::Fish => "M-48 0C-34-28 4-30 24-5L48-25C42-8 42 8 48 25L24 5C4 30-34 28-48 0Zo-29-5 5",
        Icon::Flower => "O0-28 17.5O27.6-8 17.5O17 24.5 17.5O-17 24.5 17.5O-27.6-8 17.5O0 1 9",
        Icon::Skull => {
            "M0-46C30-46 44-26 44-4C44 8 38 16 28 20V42H-28V20C-38 16-44 8-44-4C-44-26-30-46 0-46Z\
             o-18-4 11o18-4 11M0 8L-6 20H6ZM-10 30V42H-5V30ZM5 30V42H10V30Z"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Number of samples of a picture across and down.
    const SAMPLES: usize = 12;

    /// Minimum number of samples by which any two pictures differ.
    const APART: usize = 8;

    /// Returns the polygons of an outline.
    fn polygons(steps: &[PathStep]) -> Vec<Vec<PaperPoint>> {
        let circle = |middle: PaperPoint, radius: f64, way: f64| {
            let at = |part: i32| f64::from(part) / 24.0 * way * TAU;
            let point = |angle: f64| (middle.0 + radius * angle.cos(), middle.1 + radius * angle.sin());
            (0..24).map(|part| point(at(part))).collect::<Vec<PaperPoint>>()
        };
        let mut all: Vec<Vec<PaperPoint>> = vec![];
        for step in steps {
            match *step {
                PathStep::Move(to) => all.push(vec![to]),
                PathStep::Line(to) => all.last_mut().unwrap().push(to),
                PathStep::Curve(one, other, to) => {
                    let polygon = all.last_mut().unwrap();
                    let from = *polygon.last().unwrap();
                    let points = (1..=8).map(|part| {
                        let (t, u) = (f64::from(part) / 8.0, 1.0 - f64::from(part) / 8.0);
                        let [a, b, c, d] = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
                        let x = a * from.0 + b * one.0 + c * other.0 + d * to.0;
                        (x, a * from.1 + b * one.1 + c * other.1 + d * to.1)
                    });
                    polygon.extend(points);
                }
                PathStep::Disc(middle, radius) => all.push(circle(middle, radius, 1.0)),
                PathStep::Hole(middle, radius) => all.push(circle(middle, radius, -1.0)),
                PathStep::Close => {}
            }
        }
        all
    }

    /// Returns `true` if a point is filled.
    fn is_filled(polygons: &[Vec<PaperPoint>], point: PaperPoint) -> bool {
        let (x, y) = point;
        let mut winding = 0;
        for polygon in polygons {
            let next = polygon.iter().cycle().skip(1);
            for (from, to) in polygon.iter().zip(next) {
                let crosses = (from.1 <= y) != (to.1 <= y);
                if crosses && from.0 + (y - from.1) / (to.1 - from.1) * (to.0 - from.0) > x {
                    winding += if to.1 > from.1 { 1 } else { -1 };
                }
            }
        }
        winding != 0
    }

    /// Returns the area of a picture as samples.
    fn area(icon: Icon) -> Vec<bool> {
        let polygons = polygons(&OUTLINES[icon as usize]);
        let place = |at: usize| (at as f64 + 0.5) / SAMPLES as f64 - 0.5;
        let samples = (0..SAMPLES * SAMPLES).map(|at| (place(at % SAMPLES), place(at / SAMPLES)));
        samples.map(|point| is_filled(&polygons, point)).collect()
    }

    #[test]
    fn pictures_lie_in_their_square() {
        for (at, (name, icon)) in Icon::NAMES.into_iter().enumerate() {
            assert_eq!(at, icon as usize, "{name}");
            assert!(path::parse(written(icon)).is_some_and(|steps| !steps.is_empty()), "{name}");
            for (x, y) in polygons(&OUTLINES[at]).into_iter().flatten() {
                assert!(x.abs() <= 0.5001 && y.abs() <= 0.5001, "{name}: {x} {y}");
            }
        }
    }

    #[test]
    fn no_two_pictures_are_alike() {
        let all: Vec<(&str, Vec<bool>)> =
            Icon::NAMES.into_iter().map(|(name, icon)| (name, area(icon))).collect();
        for (at, (name, one)) in all.iter().enumerate() {
            for (other_name, other) in &all[..at] {
                let differing = one.iter().zip(other).filter(|(a, b)| a != b).count();
                assert!(differing >= APART, "{name} and {other_name}: {differing}");
            }
        }
    }

    #[test]
    fn holes_are_empty() {
        for icon in [Icon::Ring, Icon::Eye] {
            assert!(!is_filled(&polygons(&OUTLINES[icon as usize]), (0.0, 0.0)), "{icon:?}");
        }
        for icon in [Icon::Disc, Icon::Shield, Icon::Cross] {
            assert!(is_filled(&polygons(&OUTLINES[icon as usize]), (0.0, 0.0)), "{icon:?}");
        }
    }
}
