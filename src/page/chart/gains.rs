//! Differences of a quantity for several players, in rows with their intervals: small enough to stand beside another chart.

use std::fmt::Write as _;

use super::Point;
use super::axis::{Axis, number};
use super::svg::{GRID, QUIET, Style, escaped, length, open, text};

/// Width, and the height of a row and of what is below the rows.
const WIDTH: f64 = 420.0;
const ROW: f64 = 40.0;
const BELOW: f64 = 44.0;

/// Space at the left for the names, and at the right.
const LEFT: f64 = 110.0;
const RIGHT: f64 = 18.0;

/// Maximum number of letters of a name.
const LETTERS: usize = 17;

/// Draws differences as rows from top to bottom, each with its name and its number.
pub fn gains(label: &str, rows: &[(String, Point)]) -> String {
    let height = ROW * rows.len() as f64 + BELOW;
    let ends = rows.iter().flat_map(|(_, point)| {
        let (low, high) = point.span();
        [low, high]
    });
    let axis = Axis::new(ends, 5, true, false).between(LEFT, WIDTH - RIGHT);
    let bottom = height - BELOW + 4.0;
    let (mut body, mut grid) = (String::new(), String::new());
    for (tick, label) in &axis.ticks {
        let _ = write!(grid, "M{} 6V{}", length(axis.at(*tick)), length(bottom));
        let style = Style { size: 12.0, quiet: true, anchor: "middle", ..Style::default() };
        let sign = if *tick > 0.0 { "+" } else { "" };
        text(&mut body, (axis.at(*tick), bottom + 16.0), &format!("{sign}{label}"), style);
    }
    let _ = write!(body, "<path class=\"hr-grid\" d=\"{grid}\" stroke=\"{GRID}\" fill=\"none\"/>");
    let base = length(axis.base());
    let _ = write!(
        body,
        "<path class=\"hr-axis\" d=\"M{base} 6V{}\" stroke=\"{QUIET}\" fill=\"none\"/>",
        length(bottom)
    );
    let mut told = vec![];
    for (at, (name, point)) in rows.iter().enumerate() {
        let y = 26.0 + ROW * at as f64;
        let name: String = match name.chars().count() > LETTERS {
            true => name.chars().take(LETTERS - 1).chain(['…']).collect(),
            false => name.clone(),
        };
        let style = Style { size: 13.0, anchor: "end", ..Style::default() };
        text(&mut body, (LEFT - 10.0, y + 4.0), &name, style);
        open(&mut body, 1);
        let x = length(axis.at(point.y));
        let _ = write!(
            body,
            "<path d=\"M{base} {y}H{x}\" stroke-width=\"10\" stroke-opacity=\"0.25\" fill=\"none\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"5\"/></g>"
        );
        if let Some((low, high)) = point.interval.filter(|(low, high)| high > low) {
            let [low, high] = [low, high].map(|end| length(axis.at(end)));
            let _ = write!(
                body,
                "<path class=\"hr-axis\" d=\"M{low} {y}H{high}M{low} {}v14M{high} {}v14\" stroke=\"{QUIET}\" stroke-width=\"1.4\" fill=\"none\"/>",
                y - 7.0,
                y - 7.0
            );
        }
        let sign = if point.y > 0.0 { "+" } else { "" };
        let shown = format!("{sign}{}", number(point.y));
        let style = Style { size: 12.5, bold: true, anchor: "middle", ..Style::default() };
        text(&mut body, (axis.at(point.y).clamp(LEFT + 16.0, WIDTH - RIGHT - 8.0), y - 10.0), &shown, style);
        told.push(format!("{name}: {shown}"));
    }
    let style = Style { size: 12.0, quiet: true, anchor: "middle", ..Style::default() };
    text(&mut body, ((LEFT + WIDTH - RIGHT) / 2.0, height - 6.0), label, style);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hr-chart\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
         {height}\" role=\"img\" aria-label=\"{label}\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', \
         sans-serif\"><title>{label}</title><desc>{}</desc>{body}</svg>\n",
        escaped(&told.join(". ")),
        label = escaped(label),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_has_a_row_with_an_interval() {
        let rows = [
            ("random".to_owned(), Point::new(0.0, 20.5).within(Some(18.6), Some(22.4))),
            ("a player with a long name".to_owned(), Point::new(1.0, -3.0).within(Some(-4.0), Some(-2.0))),
        ];
        let found = gains("points more than before", &rows);
        assert!(
            found.contains(">+20.5</text>") && found.contains(">-3</text>") && found.contains('…'),
            "{found}"
        );
        assert_eq!(found.matches("v14").count(), 4, "two ticks for each interval");
    }
}
