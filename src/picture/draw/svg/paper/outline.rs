//! Outlines of shapes that lie side by side, and lines that hatch them.

use crate::draw::svg::scene::PaperPoint;

/// Returns the outlines of the union of shapes. Each shape is a list of corners, all turn in the same way, and shapes that touch
/// have corners in common. Holes turn the other way.
pub(in crate::draw::svg) fn outlines<C: Copy + Ord>(shapes: &[Vec<C>]) -> Vec<Vec<C>> {
    let mut sides: Vec<(C, C)> = shapes
        .iter()
        .flat_map(|shape| shape.iter().copied().zip(shape.iter().copied().cycle().skip(1)).take(shape.len()))
        .collect();
    sides.sort_unstable();
    // What two shapes have in common goes both ways.
    let mut rest: Vec<(C, C)> =
        sides.iter().copied().filter(|(from, to)| sides.binary_search(&(*to, *from)).is_err()).collect();
    let mut all = vec![];
    while let Some((start, mut at)) = rest.first().copied() {
        rest.remove(0);
        let mut outline = vec![start];
        while at != start {
            outline.push(at);
            let Ok(next) = rest.binary_search_by(|(from, _)| from.cmp(&at)) else { break };
            at = rest.remove(next).1;
        }
        all.push(outline);
    }
    all
}

/// Returns an outline without the corners at which it goes straight on.
pub(in crate::draw::svg) fn corners(outline: &[PaperPoint]) -> Vec<PaperPoint> {
    let count = outline.len();
    let turns = |at: &usize| {
        let [(ax, ay), (bx, by), (cx, cy)] =
            [at + count - 1, *at, at + 1].map(|place| outline[place % count]);
        ((bx - ax) * (cy - by) - (by - ay) * (cx - bx)).abs() > 1e-6
    };
    (0..count).filter(turns).map(|at| outline[at]).collect()
}

/// Returns parallel lines inside outlines, which rise to the right or fall. `gap` is the distance between two lines.
pub(in crate::draw::svg) fn hatching(
    outlines: &[Vec<PaperPoint>],
    rising: bool,
    gap: f64,
) -> Vec<[PaperPoint; 2]> {
    let way = if rising { 1.0 } else { -1.0 };
    // The line on which a point lies, and where on that line.
    let turned = |(x, y): PaperPoint| (x + way * y, x);
    let sides: Vec<[PaperPoint; 2]> = outlines
        .iter()
        .flat_map(|outline| {
            let next = outline.iter().cycle().skip(1);
            outline.iter().zip(next).map(|(from, to)| [turned(*from), turned(*to)])
        })
        .collect();
    let step = gap * std::f64::consts::SQRT_2;
    let lines = sides.iter().flatten().map(|(line, _)| *line);
    let (low, high) = lines.fold((f64::MAX, f64::MIN), |(low, high), line| (low.min(line), high.max(line)));
    let mut all = vec![];
    // No line goes through a corner.
    let mut line = (low / step).ceil() * step + 0.01;
    while line < high {
        let mut cut: Vec<f64> = sides
            .iter()
            .filter(|[from, to]| (from.0 <= line) != (to.0 <= line))
            .map(|[from, to]| from.1 + (line - from.0) / (to.0 - from.0) * (to.1 - from.1))
            .collect();
        cut.sort_by(f64::total_cmp);
        let place = |x: f64| (x, way * (line - x));
        all.extend(cut.chunks_exact(2).map(|ends| [place(ends[0]), place(ends[1])]));
        line += step;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: i32, y: i32) -> Vec<(i32, i32)> {
        vec![(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    }

    #[test]
    fn squares_side_by_side_have_one_outline() {
        let two = outlines(&[square(0, 0), square(1, 0)]);
        assert_eq!(two, [[(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]]);
        let apart = outlines(&[square(0, 0), square(2, 0)]);
        assert_eq!(apart.len(), 2);
    }

    #[test]
    fn a_ring_has_an_inner_outline() {
        let around = (0..9).filter(|at| *at != 4).map(|at| square(at % 3, at / 3));
        let ring = outlines(&around.collect::<Vec<_>>());
        let mut lengths: Vec<usize> = ring.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [4, 12]);
    }

    #[test]
    fn only_corners_are_left() {
        let outline = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (0.0, 1.0)];
        assert_eq!(corners(&outline), [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]);
    }

    #[test]
    fn hatching_stays_inside() {
        let frame = |low: f64, high: f64| vec![(low, low), (high, low), (high, high), (low, high)];
        for rising in [true, false] {
            let lines = hatching(&[frame(0.0, 40.0), frame(10.0, 30.0)], rising, 3.0);
            assert!(lines.len() > 12);
            for [(ax, ay), (bx, by)] in lines {
                let slope = (by - ay) / (bx - ax);
                assert!((slope + if rising { 1.0 } else { -1.0 }).abs() < 1e-6, "{slope}");
                let (x, y) = ((ax + bx) / 2.0, (ay + by) / 2.0);
                let within = |low: f64, high: f64| {
                    let range = low..=high;
                    range.contains(&x) && range.contains(&y)
                };
                assert!(within(0.0, 40.0) && !within(10.01, 29.99), "{x} {y}");
            }
        }
    }
}
