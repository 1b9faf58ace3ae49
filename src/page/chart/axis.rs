//! Axes: round ticks, the scale from numbers to lengths, and numbers as text.

use super::{ChartPanel, Point};
use houserule_base::numbers::{decimal, trimmed};

/// Numbers of this size or more are written with an exponent.
const LARGE: f64 = 1e9;

/// An axis: a range of numbers, its ticks, and the lengths where it starts and ends.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// The ticks with their labels.
    pub(super) ticks: Vec<(f64, String)>,
    from: f64,
    to: f64,
}

impl Axis {
    /// Creates an axis that covers all values, with a margin and about `most` ticks at round numbers. With `zero` it
    /// includes 0; with `whole` all ticks are integers.
    pub(super) fn new(values: impl Iterator<Item = f64>, most: usize, zero: bool, whole: bool) -> Axis {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = values
            .chain(zero.then_some(0.0))
            .filter(|value| value.is_finite())
            .fold(none, |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= 1e-12 * low.abs().max(high.abs()) {
            let room = if low == 0.0 { 0.5 } else { low.abs() * 0.1 };
            (low, high) = (low - room, high + room);
        }
        let margin = (high - low) * 0.05;
        // Bars stand on the axis.
        let low = if zero && low == 0.0 { 0.0 } else { low - margin };
        let high = if zero && high == 0.0 { 0.0 } else { high + margin };
        Axis { low, high, ticks: ticks(low, high, most, whole), from: 0.0, to: 1.0 }
    }

    /// Returns the axis with its ticks at the values, if these are at most `most` integers: then there is nothing
    /// between them.
    pub(super) fn at_values(self, values: impl Iterator<Item = f64>, most: usize) -> Axis {
        let mut all: Vec<f64> = values.collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let gaps = all.windows(2).map(|pair| pair[1] - pair[0]);
        // A gap narrower than half of that between ticks would make labels touch.
        let is_even = gaps.fold(f64::INFINITY, f64::min) * 2.0 * most as f64 >= self.high - self.low;
        if all.is_empty() || all.len() > most || !is_even || all.iter().any(|value| value.fract() != 0.0) {
            return self;
        }
        Axis { ticks: all.into_iter().map(|value| (value, label(value, 1.0))).collect(), ..self }
    }

    /// Creates an axis with a name at each of the positions 0, 1, 2 ….
    pub(super) fn named(names: &[String]) -> Axis {
        let ticks = names.iter().enumerate().map(|(at, name)| (at as f64, name.clone())).collect();
        Axis { low: -0.5, high: names.len() as f64 - 0.5, ticks, from: 0.0, to: 1.0 }
    }

    /// Extends the range to both sides: a histogram is half a bar wider than its points.
    pub(super) fn widened(self, by: f64) -> Axis {
        Axis { low: self.low - by, high: self.high + by, ..self }
    }

    /// Limits the range to the values, and to a margin beside them: bars lie beside each other from end to end.
    pub(super) fn fitted(self, values: impl Iterator<Item = f64>, by: f64) -> Axis {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.fold(none, |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return self;
        }
        let (low, high) = (low - by, high + by);
        let ticks = self.ticks.into_iter().filter(|(tick, _)| (low..=high).contains(tick)).collect();
        Axis { low, high, ticks, ..self }
    }

    /// Returns the axis between two lengths.
    pub(super) fn between(self, from: f64, to: f64) -> Axis {
        Axis { from, to, ..self }
    }

    /// Returns the length at a number.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the length of 0, or of the end of the axis that is nearest to it.
    pub(super) fn base(&self) -> f64 {
        self.at(0f64.clamp(self.low, self.high))
    }
}

/// Returns the round numbers of a range, multiples of 1, 2 or 5 times a power of ten, with labels.
fn ticks(low: f64, high: f64, most: usize, whole: bool) -> Vec<(f64, String)> {
    let raw = (high - low) / most.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(raw);
    let step = if whole { step.max(1.0).round() } else { step };
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    if !step.is_finite() || step <= 0.0 || !(first.is_finite() && last.is_finite()) || last - first > 100.0 {
        return vec![];
    }
    let count = (last - first) as i64;
    // Adding 0 makes a zero of minus zero.
    (0..=count).map(|at| (first + at as f64) * step + 0.0).map(|tick| (tick, label(tick, step))).collect()
}

/// Returns the label of a tick, with the decimals of the step.
fn label(value: f64, step: f64) -> String {
    if (value.abs() >= LARGE || step < 1e-6) && value != 0.0 {
        return format!("{value:e}");
    }
    decimal(value, (-(step.log10() + 1e-9).floor()).max(0.0) as usize)
}

/// Formats a number for a description.
pub(super) fn number(value: f64) -> String {
    if value.abs() >= LARGE { format!("{value:e}") } else { trimmed(value) }
}

/// Describes a point: `5: 36.8 (36.2 to 37.4)`.
pub(super) fn describe(panel: &ChartPanel, point: &Point) -> String {
    let name = panel.names.get(point.x as usize);
    let at = name.cloned().unwrap_or_else(|| number(point.x));
    let value = number(point.y);
    match point.interval {
        Some((low, high)) => format!("{at}: {value} ({} to {})", number(low), number(high)),
        None => format!("{at}: {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, whole: bool) -> Vec<String> {
        ticks(low, high, 5, whole).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(0.3, 6.7, false), ["2", "4", "6"]);
        assert_eq!(labels(-0.12, 0.31, false), ["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(0.9, 3.1, false), ["1.0", "1.5", "2.0", "2.5", "3.0"]);
        assert_eq!(labels(0.9, 3.1, true), ["1", "2", "3"]);
        assert_eq!(labels(0.0, 12_000.0, false), ["0", "5,000", "10,000"]);
        assert_eq!(labels(0.0, 3e10, false), ["0", "1e10", "2e10", "3e10"]);
    }

    #[test]
    fn an_axis_covers_its_values_whatever_they_are() {
        for values in [vec![], vec![7.0], vec![0.0], vec![-3.0, 5.0], vec![1e300, -1e300], vec![f64::NAN]] {
            let axis = Axis::new(values.iter().copied(), 5, false, false).between(10.0, 110.0);
            for value in values.iter().filter(|value| value.is_finite()) {
                assert!((10.0..=110.0).contains(&axis.at(*value)), "{values:?}: {axis:?}");
            }
            assert!(axis.ticks.iter().all(|(tick, _)| (10.0..=110.0).contains(&axis.at(*tick))), "{axis:?}");
        }
        let swept = |values: &[f64]| {
            let axis = Axis::new(values.iter().copied(), 4, false, true).at_values(values.iter().copied(), 4);
            axis.ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(swept(&[100.0, 50.0, 50.0]), ["50", "100"]);
        assert_eq!(swept(&[1.0, 2.0, 3.0, 4.0, 5.0]), ["2", "4"]);
        assert_eq!(swept(&[0.0, 1.0, 100.0]), ["0", "50", "100"]);
        let bars = Axis::new([3.0, 9.0].into_iter(), 5, true, false).between(0.0, 1.0);
        assert_eq!((bars.at(0.0), bars.base()), (0.0, 0.0));
    }
}
