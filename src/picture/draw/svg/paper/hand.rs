//! What a hand draws: strokes that aren't quite straight, dots that aren't quite round, and digits. A seed makes the errors of
//! each stroke, so a mark looks the same in every picture of a game.

use crate::draw::svg::canvas::Anchor;
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::PaperPoint;
use houserule_base::hash::hash;
use std::f64::consts::TAU;

/// The largest error of the end of a stroke, as a part of the stroke's radius.
const ERROR: f64 = 0.14;

/// Height and width of a digit, in the units in which the digits are written below, and the distance between two digits.
const DIGIT: (f64, f64, f64) = (14.0, 10.0, 11.5);

/// How far a digit leans to the right, as a part of its height.
const LEAN: f64 = 0.1;

/// The strokes of each digit as points, which a smooth line joins. The origin is the upper left corner.
const DIGITS: [&[&[PaperPoint]]; 10] = [
    &[&[(5.0, 0.0), (1.0, 3.0), (1.0, 10.0), (5.0, 14.0), (9.0, 10.0), (9.0, 3.0), (5.0, 0.0)]],
    &[&[(3.0, 3.0), (6.0, 0.0), (6.0, 14.0)]],
    &[&[(1.0, 4.0), (2.0, 1.0), (5.0, 0.0), (8.0, 1.0), (9.0, 4.0), (7.0, 8.0), (1.0, 14.0), (9.0, 14.0)]],
    &[&[(1.0, 2.0), (5.0, 0.0), (9.0, 3.0), (5.0, 6.5), (9.0, 10.0), (5.0, 14.0), (1.0, 12.0)]],
    &[&[(7.0, 14.0), (7.0, 0.0), (1.0, 9.0), (9.5, 9.0)]],
    &[&[(9.0, 0.0), (2.0, 0.0), (1.5, 6.0), (6.0, 5.0), (9.0, 8.5), (7.0, 13.0), (1.0, 13.0)]],
    &[&[(8.0, 0.0), (3.0, 4.0), (1.0, 9.0), (3.0, 13.5), (7.0, 13.5), (9.0, 10.0), (7.0, 7.0), (2.0, 8.0)]],
    &[&[(1.0, 0.0), (9.0, 0.0), (4.0, 14.0)], &[(3.0, 7.0), (8.0, 7.0)]],
    &[&[
        (5.0, 6.5),
        (1.5, 3.5),
        (5.0, 0.0),
        (8.5, 3.5),
        (5.0, 6.5),
        (1.0, 10.0),
        (5.0, 14.0),
        (9.0, 10.0),
        (5.0, 6.5),
    ]],
    &[&[(8.5, 5.0), (5.0, 7.5), (1.5, 4.0), (5.0, 0.0), (8.5, 3.0), (8.5, 6.0), (7.0, 14.0)]],
];

/// How far the neighbours of a point bend a line there: in writing, and in what is round.
const TIGHT: f64 = 1.0 / 7.0;
const ROUND: f64 = 0.185;

/// The stroke of a minus sign.
const MINUS: &[&[PaperPoint]] = &[&[(1.0, 7.5), (9.0, 7.0)]];

/// A hand that draws one mark.
#[derive(Clone, Debug)]
pub(in crate::draw::svg) struct Hand {
    seed: u64,
    drawn: u64,
}

impl Hand {
    /// A hand whose errors depend on these numbers, such as the site of the mark.
    pub(in crate::draw::svg) fn new(seed: &[u64]) -> Hand {
        Hand { seed: hash(seed), drawn: 0 }
    }

    /// Returns the next error, between -1 and 1.
    fn error(&mut self) -> f64 {
        self.drawn += 1;
        (hash(&[self.seed, self.drawn]) >> 32) as f64 / f64::from(1u32 << 31) - 1.0
    }

    /// Returns a point near another one.
    fn near(&mut self, point: PaperPoint, by: f64) -> PaperPoint {
        (point.0 + self.error() * by, point.1 + self.error() * by)
    }

    /// Returns two strokes that cross each other.
    pub(in crate::draw::svg) fn cross(&mut self, centre: PaperPoint, r: f64) -> Vec<PathStep> {
        let (x, y) = centre;
        let ends = [[(x - r, y - r), (x, y), (x + r, y + r)], [(x + r, y - r), (x, y), (x - r, y + r)]];
        ends.into_iter()
            .flat_map(|points| {
                let points: Vec<PaperPoint> =
                    points.into_iter().map(|point| self.near(point, r * ERROR)).collect();
                curve(&points, TIGHT)
            })
            .collect()
    }

    /// Returns a stroke through some points. `by` is the largest error.
    pub(in crate::draw::svg) fn stroke(&mut self, through: &[PaperPoint], by: f64) -> Vec<PathStep> {
        let points: Vec<PaperPoint> = through.iter().map(|point| self.near(*point, by)).collect();
        curve(&points, TIGHT)
    }

    /// Returns a ring whose end lies beside its beginning.
    pub(in crate::draw::svg) fn ring(&mut self, centre: PaperPoint, r: f64) -> Vec<PathStep> {
        let start = self.error() * 0.6;
        let points: Vec<PaperPoint> =
            (0..12).map(|at| self.around(centre, r * 0.05, r, start + f64::from(at) * TAU / 10.0)).collect();
        curve(&points, ROUND)
    }

    /// Returns the outline of a dot.
    pub(in crate::draw::svg) fn dot(&mut self, centre: PaperPoint, r: f64) -> Vec<PathStep> {
        let points: Vec<PaperPoint> =
            (0..8).map(|at| self.around(centre, r * 0.06, r * 0.98, f64::from(at) * TAU / 8.0)).collect();
        closed_curve(&points)
    }

    /// Returns a point on a circle, nearer to its centre or further from it by an error.
    fn around(&mut self, centre: PaperPoint, by: f64, r: f64, angle: f64) -> PaperPoint {
        let far = r + self.error() * by;
        (centre.0 + angle.cos() * far, centre.1 + angle.sin() * far)
    }

    /// Returns the short stroke of a broad pen that makes a small dot.
    pub(in crate::draw::svg) fn speck(&mut self, centre: PaperPoint, r: f64) -> [PathStep; 2] {
        let way = (self.error() * r * 0.16, self.error() * r * 0.16);
        let from = (centre.0 - way.0, centre.1 - way.1);
        // The end lies elsewhere also when tenths round it: a stroke without a length isn't drawn everywhere.
        let to = (centre.0 + way.0 + 0.1, centre.1 + way.1);
        [PathStep::Move(from), PathStep::Line(to)]
    }

    /// Returns a whole number in handwriting. `base` is the left, middle or right end of the line that it stands on; `size` is the
    /// height of its digits. Returns `None` for any other text.
    pub(in crate::draw::svg) fn number(
        &mut self,
        text: &str,
        base: PaperPoint,
        anchor: Anchor,
        size: f64,
    ) -> Option<Vec<PathStep>> {
        let strokes: Option<Vec<&[&[PaperPoint]]>> = text.chars().map(strokes_of).collect();
        let strokes = strokes.filter(|strokes| !strokes.is_empty())?;
        let (height, _, _) = DIGIT;
        let scale = size / height;
        let wide = number_width(text, size);
        let mut left = base.0
            - match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => wide / 2.0,
                Anchor::End => wide,
            };
        let mut steps = vec![];
        for digit in strokes {
            for stroke in digit {
                let points: Vec<PaperPoint> = stroke
                    .iter()
                    .map(|(x, y)| {
                        let (x, y) = self.near((x + (height - y) * LEAN, *y), 0.25);
                        (left + x * scale, base.1 - (height - y) * scale)
                    })
                    .collect();
                steps.extend(curve(&points, TIGHT));
            }
            left += DIGIT.2 * scale;
        }
        Some(steps)
    }
}

/// Returns the width of a number in handwriting.
pub(in crate::draw::svg) fn number_width(text: &str, size: f64) -> f64 {
    let (height, width, step) = DIGIT;
    let count = text.chars().count() as f64;
    (count * step - (step - width)).max(0.0) * size / height
}

/// Returns the strokes of a digit or of a minus sign.
fn strokes_of(character: char) -> Option<&'static [&'static [PaperPoint]]> {
    match character {
        '-' | '–' | '−' => Some(MINUS),
        digit => digit.to_digit(10).map(|digit| DIGITS[digit as usize]),
    }
}

/// Returns a smooth line through some points: a Catmull-Rom spline.
fn curve(points: &[PaperPoint], pull: f64) -> Vec<PathStep> {
    let Some(first) = points.first() else { return vec![] };
    let mut steps = vec![PathStep::Move(*first)];
    for at in 1..points.len() {
        let (from, to) = (points[at - 1], points[at]);
        let before = points[at.saturating_sub(2)];
        let after = points[(at + 1).min(points.len() - 1)];
        steps.push(bend([before, from, to, after], pull));
    }
    steps
}

/// Returns a smooth closed line through some points.
fn closed_curve(points: &[PaperPoint]) -> Vec<PathStep> {
    let Some(first) = points.first() else { return vec![] };
    let count = points.len();
    let mut steps = vec![PathStep::Move(*first)];
    steps.extend((0..count).map(|at| {
        let point = |further: usize| points[(at + further) % count];
        bend([point(count - 1), point(0), point(1), point(2)], ROUND)
    }));
    steps.push(PathStep::Close);
    steps
}

/// Returns the curve from the second to the third of four points of a smooth line.
fn bend(points: [PaperPoint; 4], pull: f64) -> PathStep {
    let [before, from, to, after] = points;
    let one = (from.0 + (to.0 - before.0) * pull, from.1 + (to.1 - before.1) * pull);
    let other = (to.0 - (after.0 - from.0) * pull, to.1 - (after.1 - from.1) * pull);
    PathStep::Curve(one, other, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns left, top, right and bottom of the points of an outline.
    fn bounds(steps: &[PathStep]) -> [f64; 4] {
        let points = steps.iter().filter_map(|step| match step {
            PathStep::Move(to) | PathStep::Line(to) | PathStep::Curve(_, _, to) => Some(*to),
            _ => None,
        });
        points.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |all, (x, y)| {
            [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)]
        })
    }

    #[test]
    fn the_same_mark_is_drawn_alike_and_others_differ() {
        let cross = |seed: u64| Hand::new(&[seed]).cross((50.0, 50.0), 10.0);
        assert_eq!(cross(1), cross(1));
        assert_ne!(cross(1), cross(2));
    }

    #[test]
    fn errors_are_small() {
        for seed in 0..200 {
            let hand = || Hand::new(&[seed]);
            for (steps, least, most) in [
                (hand().cross((0.0, 0.0), 10.0), 8.6, 11.4),
                (hand().ring((0.0, 0.0), 10.0), 8.0, 10.7),
                (hand().dot((0.0, 0.0), 10.0), 8.5, 10.8),
            ] {
                for edge in bounds(&steps) {
                    assert!((least..=most).contains(&edge.abs()), "seed {seed}: {edge}");
                }
            }
        }
    }

    #[test]
    fn numbers_stand_where_they_should() {
        for (text, anchor) in [("0", Anchor::Start), ("-17", Anchor::Middle), ("2468", Anchor::End)] {
            let steps = Hand::new(&[1]).number(text, (100.0, 50.0), anchor, 14.0).unwrap();
            let [left, top, right, bottom] = bounds(&steps);
            let (wide, middle) = (number_width(text, 14.0), (left + right) / 2.0);
            let wished = match anchor {
                Anchor::Start => 100.0 + wide / 2.0,
                Anchor::Middle => 100.0,
                Anchor::End => 100.0 - wide / 2.0,
            };
            assert!((middle - wished).abs() < 2.0, "{text}: {middle} and {wished}");
            assert!(right - left <= wide + 2.0 && top > 35.0 && bottom < 51.0, "{text}");
        }
        for other in ["", "?", "1.5", "north"] {
            assert_eq!(Hand::new(&[1]).number(other, (0.0, 0.0), Anchor::Start, 14.0), None, "{other}");
        }
    }
}
