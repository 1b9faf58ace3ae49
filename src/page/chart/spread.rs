//! Two samples over each other: the first as a line, the second filled, with the middle of each named.

use std::fmt::Write as _;

use super::axis::Axis;
use super::histogram::histogram;
use super::svg::{Style, escaped, length, open, stroke, text};
use super::{Point, Series};
use houserule_base::numbers::trimmed;

/// Width and height.
const SIZE: (f64, f64) = (520.0, 262.0);

/// Space at the left, the right, the top and the bottom.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 36.0;

/// Maximum number of bars.
const BARS: usize = 30;

/// Numbers above this share of both samples share the last bar.
const FAR: f64 = 0.99;

/// Size of the texts of the ticks.
const TICK: f64 = 12.0;

/// A sample of counted integers.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadSample {
    /// Its name.
    pub name: String,
    /// The numbers, from the least, with their counts.
    pub counts: Vec<(i64, u64)>,
    /// The words at its middle.
    pub middle: String,
}

impl SpreadSample {
    /// Returns the least number with at least this share of the sample at it or below.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let all: u64 = self.counts.iter().map(|(_, count)| count).sum();
        let mut below = 0;
        self.counts.iter().find_map(|(number, count)| {
            below += count;
            (below as f64 >= share * all as f64).then_some(*number)
        })
    }
}

/// Draws two samples of numbers in units of 1/`scale`. Returns `None` if one of them is empty.
pub fn spread(title: &str, x_label: &str, scale: i64, samples: &[SpreadSample; 2]) -> Option<String> {
    let far = samples.each_ref().map(|sample| sample.quantile(FAR));
    let far = far[0]?.max(far[1]?);
    let mut is_cut = false;
    let cut = |sample: &SpreadSample, is_cut: &mut bool| -> Vec<(i64, u64)> {
        let number = |number: i64| if number > far { far } else { number };
        *is_cut |= sample.counts.iter().any(|(number, _)| *number > far);
        sample.counts.iter().map(|(one, count)| (number(*one), *count)).collect()
    };
    let counts = samples.each_ref().map(|sample| cut(sample, &mut is_cut));
    let [one, other] = counts;
    let series = histogram(&[("", one), ("", other)], BARS);
    let (width, height) = SIZE;
    let (right, bottom) = (width - RIGHT, height - BOTTOM);
    let points = || series.iter().flat_map(|series| &series.points);
    let step = match series[0].points.as_slice() {
        [first, second, ..] => second.x - first.x,
        _ => 1.0,
    };
    let value = |number: f64| number / scale.max(1) as f64;
    let x = Axis::new(points().map(|point| value(point.x)), 6, false, scale == 1)
        .fitted(points().map(|point| value(point.x)), value(step) / 2.0)
        .between(LEFT, right);
    let y = Axis::new(points().map(|point| point.y), 4, true, false).between(bottom, TOP);
    let mut body = String::new();
    let mut grid = String::new();
    for (tick, label) in &y.ticks {
        let at = y.at(*tick);
        let _ = write!(grid, "M{} {}H{}", length(LEFT), length(at), length(right));
        text(&mut body, (LEFT - 6.0, at + 4.0), label, Style { anchor: "end", ..quiet() });
    }
    text(&mut body, (LEFT - 6.0, TOP - 10.0), "%", Style { anchor: "end", ..quiet() });
    let _ =
        write!(body, "<path class=\"hr-grid\" d=\"{grid}\" stroke=\"{}\" fill=\"none\"/>", super::svg::GRID);
    for (tick, label) in x.ticks.iter().filter(|(tick, _)| x.at(*tick) <= right + 0.5) {
        let is_last = is_cut && x.at(*tick) > right - 90.0;
        if !is_last {
            text(&mut body, (x.at(*tick), bottom + 16.0), label, Style { anchor: "middle", ..quiet() });
        }
    }
    if is_cut {
        let label = format!("{} and more", trimmed(value(far as f64)));
        text(&mut body, (right, bottom + 16.0), &label, Style { anchor: "end", ..quiet() });
    }
    text(&mut body, ((LEFT + right) / 2.0, height - 4.0), x_label, Style { anchor: "middle", ..quiet() });
    let path = |series: &Series, close: bool| {
        let half = step / 2.0;
        let at = |number: f64| length(x.at(value(number)));
        let first = series.points.first().map_or(0.0, |point| point.x - half);
        let mut path = format!("M{} {}", at(first), length(y.base()));
        for Point { x: middle, y: share, .. } in &series.points {
            let _ = write!(path, "V{}H{}", length(y.at(*share)), at(middle + half));
        }
        let _ = write!(path, "V{}{}", length(y.base()), if close { "Z" } else { "" });
        path
    };
    open(&mut body, 1);
    let _ = write!(
        body,
        "<path d=\"{}\" fill-opacity=\"0.25\" stroke-width=\"1.6\"/></g>",
        path(&series[1], true)
    );
    open(&mut body, 0);
    stroke(&mut body, &path(&series[0], false), 2.2, "");
    body.push_str("</g>");
    for (look, sample) in samples.iter().enumerate() {
        let Some(middle) = sample.quantile(0.5) else { continue };
        let (at, line) = (x.at(value(middle as f64)).min(right), 16.0 + 20.0 * look as f64);
        open(&mut body, look);
        stroke(&mut body, &format!("M{} {}V{}", length(at), length(bottom), length(line - 10.0)), 1.6, "4 3");
        body.push_str("</g>");
        // Right of the line, unless there is more room at its left.
        let (place, anchor) = match at > (LEFT + right) / 2.0 {
            true => (at - 6.0, "end"),
            false => (at + 6.0, "start"),
        };
        let style = Style { size: 13.0, bold: true, anchor, ..Style::default() };
        text(&mut body, (place, line), &sample.middle, style);
    }
    let told: Vec<String> =
        samples.iter().map(|sample| format!("{}: {}", sample.name, sample.middle)).collect();
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hr-chart\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\" role=\"img\" aria-label=\"{title}\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', \
         sans-serif\"><title>{title}</title><desc>{}</desc>{body}</svg>\n",
        escaped(&told.join(". ")),
        title = escaped(title),
    ))
}

fn quiet() -> Style {
    Style { size: TICK, quiet: true, ..Style::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str, counts: &[(i64, u64)]) -> SpreadSample {
        SpreadSample {
            name: name.to_owned(),
            counts: counts.to_vec(),
            middle: format!("the middle of {name}"),
        }
    }

    #[test]
    fn both_samples_and_their_middles_are_drawn() {
        let samples = [sample("before", &[(1, 5), (3, 5)]), sample("after", &[(2, 10), (9, 90), (4_000, 1)])];
        let found = spread("Scores", "points", 1, &samples).unwrap();
        assert!(found.contains("the middle of before") && found.contains("the middle of after"), "{found}");
        assert!(found.contains("9 and more"), "a far number is in the last bar");
        assert_eq!(samples[1].quantile(0.5), Some(9));
        assert_eq!(spread("Scores", "points", 1, &[sample("a", &[]), sample("b", &[(1, 1)])]), None);
    }
}
