//! Text for compared quantities: labels, and sentences for those that differ.
//!
//! Depends on results; independent of how they are computed.

use super::comparison::Quantity;
use super::quantities::QuantityKind;
use crate::numbers::decimal;

/// Returns `true` for a share of all games, shown in percent.
pub(crate) fn is_share(kind: QuantityKind) -> bool {
    matches!(kind, QuantityKind::Wins | QuantityKind::Draws | QuantityKind::End)
}

/// Returns the unit of measurement: a game, or a match.
pub(crate) fn unit(in_match: bool) -> &'static str {
    if in_match { "match" } else { "game" }
}

/// Formats a value of a quantity.
pub(crate) fn number(kind: QuantityKind, in_match: bool, value: f64, digits: usize) -> String {
    if is_share(kind) && !(in_match && kind == QuantityKind::End) {
        format!("{} %", decimal(100.0 * value, digits))
    } else {
        decimal(value, digits)
    }
}

/// Returns the decimal places to show of `error`: one significant digit, or two if the first is a 1.
pub(crate) fn digits(error: f64) -> usize {
    if !error.is_finite() || error <= 0.0 {
        return 2;
    }
    let first = error.log10().floor();
    // 0.096 rounds to 0.10.
    let leading = error / 10f64.powf(first);
    let first = if leading >= 9.5 { first + 1.0 } else { first };
    let two = if !(1.95..9.5).contains(&leading) { 1.0 } else { 0.0 };
    (two - first).clamp(0.0, 6.0) as usize
}

/// Returns the name of a quantity in lists and tables.
pub(crate) fn label(kind: QuantityKind, name: &str, seat: &str, in_match: bool) -> String {
    match kind {
        QuantityKind::Total => "total of a match".to_owned(),
        QuantityKind::Record => "record of a match".to_owned(),
        QuantityKind::Games => "games of a match".to_owned(),
        QuantityKind::Score if in_match => "scores, added up".to_owned(),
        QuantityKind::Score => "score".to_owned(),
        QuantityKind::Item => format!("points for {name}"),
        QuantityKind::Turns => "turns".to_owned(),
        QuantityKind::Rolls => "rolls".to_owned(),
        QuantityKind::Decisions => "decisions".to_owned(),
        QuantityKind::Wins => format!("{seat} wins"),
        QuantityKind::Draws => "draws".to_owned(),
        QuantityKind::Lead => format!("lead of {seat}"),
        QuantityKind::Option => format!("{name} taken"),
        QuantityKind::End => format!("ended by {name}"),
        QuantityKind::Variable => format!("{name} at the end"),
    }
}

/// Returns the sentence about a quantity that differs. `least`: the lowest score is best in both games.
pub(super) fn sentence(quantity: &Quantity, in_match: bool, least: bool) -> String {
    let Quantity { kind, name, seat_name: seat, .. } = quantity;
    let more = quantity.difference > 0.0;
    let pick = |up: &'static str, down: &'static str| if more { up } else { down };
    let scored = |up: &'static str, down: &'static str| match (least, more) {
        (false, _) => pick(up, down).to_owned(),
        (true, true) => format!("{up}, which is worse"),
        (true, false) => format!("{down}, which is better"),
    };
    let percent = is_share(*kind) && !(in_match && *kind == QuantityKind::End);
    let factor = if percent { 100.0 } else { 1.0 };
    let half = quantity.half_width().unwrap_or(0.0) * factor;
    let places = if half > 0.0 { digits(half) } else { 2 };
    let shown = |value: f64| {
        let text = decimal(value, places);
        let bare = text.trim_end_matches('0').trim_end_matches('.');
        if half > 0.0 || !text.contains('.') { text.clone() } else { bare.to_owned() }
    };
    let by = shown(quantity.difference.abs() * factor);
    let one = by == "1";
    let known =
        if half > 0.0 { format!("±{}", shown(half)) } else { format!("in every {}", unit(in_match)) };
    let unit = unit(in_match);
    let plural = if in_match { "Matches" } else { "Games" };
    let points = if one { "point" } else { "points" };
    let times = if one { "time" } else { "times" };
    let percentage = if one { "percentage point" } else { "percentage points" };
    let what = match kind {
        QuantityKind::Total => format!("Totals of a match are {by} {points} {}", scored("higher", "lower")),
        QuantityKind::Record => format!("Records of a match are {by} {points} {}", scored("higher", "lower")),
        QuantityKind::Games => {
            format!("Matches have {by} {} {}", pick("more", "fewer"), if one { "game" } else { "games" })
        }
        QuantityKind::Score if in_match => {
            format!("The scores of a match add up to {by} {points} {}", scored("more", "less"))
        }
        QuantityKind::Score => format!("Scores are {by} {points} {}", scored("higher", "lower")),
        QuantityKind::Item => format!("`{name}` gives {by} {points} {}", pick("more", "less")),
        QuantityKind::Turns | QuantityKind::Rolls | QuantityKind::Decisions => {
            let thing = match (kind, one) {
                (QuantityKind::Turns, true) => "turn",
                (QuantityKind::Turns, false) => "turns",
                (QuantityKind::Rolls, true) => "roll",
                (QuantityKind::Rolls, false) => "rolls",
                (_, true) => "decision",
                (_, false) => "decisions",
            };
            format!("{plural} last {by} {thing} {}", pick("longer", "shorter"))
        }
        QuantityKind::Wins => {
            format!("{} wins {by} {percentage} {} often", capital(seat), pick("more", "less"))
        }
        QuantityKind::Draws => {
            format!("{plural} are drawn {by} {percentage} {} often", pick("more", "less"))
        }
        QuantityKind::Lead => {
            format!("The lead of {seat} over the others is {by} {points} {}", pick("higher", "lower"))
        }
        QuantityKind::Option => format!("`{name}` is taken {by} {} {times} a {unit}", pick("more", "fewer")),
        QuantityKind::End if in_match => {
            format!("`{name}` ends {by} {} games of a match", pick("more", "fewer"))
        }
        QuantityKind::End => format!("`{name}` ends a game {by} {percentage} {} often", pick("more", "less")),
        QuantityKind::Variable => format!("`{name}` is {by} {} at the end", pick("higher", "lower")),
    };
    let sign = if percent { " %" } else { "" };
    let [a, b] = [quantity.a.mean, quantity.b.mean].map(|mean| format!("{}{sign}", shown(mean * factor)));
    format!("{what} ({known}): {b} instead of {a}.")
}

/// Capitalises the first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_one_digit_or_two() {
        assert_eq!(
            [0.1, 0.12, 0.2, 0.5, 0.96, 1.2, 3.0, 12.0, 96.0].map(digits),
            [2, 2, 1, 1, 1, 1, 0, 0, 0]
        );
        assert_eq!([0.0, f64::NAN, 0.0099, 0.003].map(digits), [2, 2, 3, 3]);
    }
}
