//! Histograms of counted integers as series of a chart.

use super::{Point, Series};

/// Returns histograms as series of a [`super::Kind::Histogram`] panel. Each has its name and its numbers with their
/// counts. All have the same bars, at most `most` unless each integer has its own, and `y` is the share in percent.
/// Shares are comparable between samples of different sizes.
pub fn histogram(samples: &[(&str, Vec<(i64, u64)>)], most: usize) -> Vec<Series> {
    let numbers = || samples.iter().flat_map(|(_, counts)| counts.iter().map(|(number, _)| *number));
    let (Some(low), Some(high)) = (numbers().min(), numbers().max()) else {
        return samples.iter().map(|(name, _)| Series { name: (*name).to_owned(), points: vec![] }).collect();
    };
    let (low, high) = (i128::from(low), i128::from(high));
    let width = bar_width(high - low + 1, most.max(1) as i128);
    let first = low.div_euclid(width);
    let bars = (high.div_euclid(width) - first + 1) as usize;
    let series = samples.iter().map(|(name, counts)| {
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let mut heights = vec![0u64; bars];
        for (number, count) in counts {
            heights[(i128::from(*number).div_euclid(width) - first) as usize] += count;
        }
        let middle = |bar: usize| ((first + bar as i128) * width) as f64 + (width - 1) as f64 / 2.0;
        let share = |height: u64| 100.0 * height as f64 / all.max(1) as f64;
        let points = heights.into_iter().enumerate();
        let points = points.map(|(bar, height)| Point::new(middle(bar), share(height))).collect();
        Series { name: (*name).to_owned(), points }
    });
    series.collect()
}

/// Returns the smallest round width with which `range` integers need at most `most` bars.
fn bar_width(range: i128, most: i128) -> i128 {
    let mut power = 1;
    loop {
        for width in [1, 2, 5].map(|times| times * power) {
            // One bar more, because the first may start before the least number.
            if width == 1 && range <= most || width > 1 && range.div_euclid(width) + 2 <= most.max(3) {
                return width;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_share_their_bars() {
        let found = histogram(&[("a", vec![(1, 1), (2, 3)]), ("b", vec![(4, 10)])], 30);
        let heights = |series: &Series| series.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
        assert_eq!(heights(&found[0]), [(1.0, 25.0), (2.0, 75.0), (3.0, 0.0), (4.0, 0.0)]);
        assert_eq!(heights(&found[1]), [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 100.0)]);
    }

    #[test]
    fn many_numbers_are_counted_in_wider_bars() {
        let found = histogram(&[("", vec![(-7, 1), (0, 1), (4, 1), (93, 1)])], 30);
        assert_eq!(found[0].points.len(), 21, "bars of 5 from -10 to 94");
        assert_eq!((found[0].points[0].x, found[0].points[2].y), (-8.0, 50.0));
        for numbers in [vec![(i64::MIN, 1), (i64::MAX, 1)], vec![(0, 1)], vec![]] {
            let found = histogram(&[("", numbers.clone())], 30);
            let all: f64 = found[0].points.iter().map(|point| point.y).sum();
            assert!(found[0].points.len() <= 30 && (all == 100.0 || numbers.is_empty()), "{found:?}");
        }
    }
}
