//! Outlines of lines and curves. Small drawings are written in hundredths of their size; pictures hold them with one
//! decimal and relative to the point before, which is short.

use super::scene::PaperPoint;

/// A part of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathStep {
    /// Begins elsewhere.
    Move(PaperPoint),
    /// A straight line.
    Line(PaperPoint),
    /// A curve: two control points and its end.
    Curve(PaperPoint, PaperPoint, PaperPoint),
    /// A whole circle: its centre and radius.
    Disc(PaperPoint, f64),
    /// A whole circle the other way round: a hole in what is around it.
    Hole(PaperPoint, f64),
    /// Back to where it began.
    Close,
}

impl PathStep {
    /// Returns the step of a drawing of size 1 at another place and size. A negative size turns it upside down.
    pub(super) fn scale(self, centre: PaperPoint, size: f64) -> PathStep {
        let place = |point: PaperPoint| (centre.0 + point.0 * size, centre.1 + point.1 * size);
        match self {
            PathStep::Move(to) => PathStep::Move(place(to)),
            PathStep::Line(to) => PathStep::Line(place(to)),
            PathStep::Curve(one, other, to) => PathStep::Curve(place(one), place(other), place(to)),
            PathStep::Disc(middle, radius) => PathStep::Disc(place(middle), radius * size.abs()),
            PathStep::Hole(middle, radius) => PathStep::Hole(place(middle), radius * size.abs()),
            PathStep::Close => PathStep::Close,
        }
    }
}

/// Reads an outline that is written in hundredths: `M`, `L`, `H`, `V`, `C` and `Z` as in SVG, `O` for a disc and `o` for a round
/// hole with centre and radius. Returns `None` if it is written in another way.
pub(super) fn parse(text: &str) -> Option<Vec<PathStep>> {
    let mut steps = vec![];
    let mut at = (0.0, 0.0);
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let after = rest.strip_prefix(command)?;
        let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (numbers, next) = after.split_at(end);
        rest = next;
        let step = match (command, &hundredths(numbers)?[..]) {
            ('M', [x, y]) => PathStep::Move((*x, *y)),
            ('L', [x, y]) => PathStep::Line((*x, *y)),
            ('H', [x]) => PathStep::Line((*x, at.1)),
            ('V', [y]) => PathStep::Line((at.0, *y)),
            ('C', [a, b, c, d, x, y]) => PathStep::Curve((*a, *b), (*c, *d), (*x, *y)),
            ('O', [x, y, radius]) => PathStep::Disc((*x, *y), *radius),
            ('o', [x, y, radius]) => PathStep::Hole((*x, *y), *radius),
            ('Z', []) => PathStep::Close,
            _ => return None,
        };
        if let PathStep::Move(to) | PathStep::Line(to) | PathStep::Curve(_, _, to) = step {
            at = to;
        }
        steps.push(step);
    }
    Some(steps)
}

/// Reads numbers that spaces or signs separate, in hundredths.
fn hundredths(text: &str) -> Option<Vec<f64>> {
    let numbers = text.replace('-', " -");
    let numbers = numbers.split_ascii_whitespace().map(|number| number.parse().ok());
    numbers.map(|number: Option<f64>| number.map(|number| number / 100.0)).collect()
}

/// Appends the data of a path.
pub(super) fn write(steps: &[PathStep], out: &mut String) {
    // In tenths. Differences of rounded numbers don't add up to an error.
    let rounded = |point: PaperPoint| [tenths(point.0), tenths(point.1)];
    let (mut at, mut start) = ([0, 0], [0, 0]);
    for step in steps {
        match *step {
            PathStep::Move(to) => {
                let to = rounded(to);
                push(out, 'm', &subtract(at, to));
                (at, start) = (to, to);
            }
            PathStep::Line(to) => {
                let to = rounded(to);
                match subtract(at, to) {
                    [dx, 0] => push(out, 'h', &[dx]),
                    [0, dy] => push(out, 'v', &[dy]),
                    both => push(out, 'l', &both),
                }
                at = to;
            }
            PathStep::Curve(one, other, to) => {
                let to = rounded(to);
                let ends = [subtract(at, rounded(one)), subtract(at, rounded(other)), subtract(at, to)];
                push(out, 'c', ends.as_flattened());
                at = to;
            }
            PathStep::Disc((x, y), radius) | PathStep::Hole((x, y), radius) => {
                let r = tenths(radius);
                start = [tenths(x) + r, tenths(y)];
                push(out, 'm', &subtract(at, start));
                let way = if matches!(step, PathStep::Disc(..)) { 10 } else { 0 };
                for across in [-2 * r, 2 * r] {
                    push(out, 'a', &[r, r, 0, 10, way, across, 0]);
                }
                out.push('z');
                at = start;
            }
            PathStep::Close => {
                out.push('z');
                at = start;
            }
        }
    }
}

/// Rounds to tenths.
fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// Returns the way from a point to another.
fn subtract(at: [i64; 2], to: [i64; 2]) -> [i64; 2] {
    [to[0] - at[0], to[1] - at[1]]
}

/// Appends a command with its numbers, given in tenths: `m3 -.5`.
fn push(out: &mut String, command: char, numbers: &[i64]) {
    out.push(command);
    for (at, number) in numbers.iter().enumerate() {
        if *number < 0 {
            out.push('-');
        } else if at > 0 {
            out.push(' ');
        }
        let (whole, part) = (number.unsigned_abs() / 10, number.unsigned_abs() % 10);
        if whole > 0 || part == 0 {
            out.push_str(&whole.to_string());
        }
        if part > 0 {
            out.push('.');
            out.push_str(&part.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(steps: &[PathStep]) -> String {
        let mut out = String::new();
        write(steps, &mut out);
        out
    }

    #[test]
    fn outlines_are_read() {
        let corner = PathStep::Move((-0.5, 0.1));
        let all = vec![corner, PathStep::Line((0.25, 0.1)), PathStep::Line((0.25, -0.3)), PathStep::Close];
        assert_eq!(parse("M-50 10H25V-30Z"), Some(all));
        assert_eq!(parse("O0-10 5"), Some(vec![PathStep::Disc((0.0, -0.1), 0.05)]));
        for wrong in ["M1", "M1 2 3", "Q1 2 3 4", "L1 x", "1 2", "Z1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn outlines_are_short_and_exact() {
        let steps = parse("M0 0L33 33L66 66L100 100H0Z").unwrap();
        let third: Vec<PathStep> = steps.iter().map(|step| step.scale((10.0, 20.0), 1.0)).collect();
        assert_eq!(written(&third), "m10 20l.3 .3l.4 .4l.3 .3h-1z");
        let curve = [PathStep::Move((1.0, 1.0)), PathStep::Curve((1.5, 0.5), (2.0, 0.0), (3.0, 1.0))];
        assert_eq!(written(&curve), "m1 1c.5-.5 1-1 2 0");
    }

    #[test]
    fn discs_and_holes_turn_in_opposite_ways() {
        assert_eq!(
            written(&[PathStep::Disc((5.0, 5.0), 2.0), PathStep::Hole((5.0, 5.0), 1.0)]),
            "m7 5a2 2 0 1 1-4 0a2 2 0 1 1 4 0zm-1 0a1 1 0 1 0-2 0a1 1 0 1 0 2 0z"
        );
    }

    #[test]
    fn a_negative_size_turns_a_drawing() {
        assert_eq!(PathStep::Line((0.5, 0.25)).scale((10.0, 10.0), -4.0), PathStep::Line((8.0, 9.0)));
        assert_eq!(PathStep::Disc((0.5, 0.0), 0.5).scale((0.0, 0.0), -2.0), PathStep::Disc((-1.0, 0.0), 1.0));
    }
}
