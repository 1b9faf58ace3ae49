//! Text for compared metrics: formatted values, and sentences for those that differ.
//!
//! Depends on results and on the declarations of metrics; independent of how results are computed.

use super::comparison::Quantity;
use super::metric::{MetricKind, Subject, Unit};
use houserule_base::numbers::{decimal, nouns};

/// What greedy players do where the rules have no score.
pub const GREEDY_WITHOUT_SCORE: &str =
    "Without a score, a greedy player takes what ends the game best at once, and else chooses at random.";

/// Returns the unit of measurement: a game, or a match.
pub fn unit(in_match: bool) -> &'static str {
    if in_match { "match" } else { "game" }
}

/// Formats a value of a metric.
pub fn number(kind: &MetricKind, value: f64, digits: usize) -> String {
    let sign = if kind.is_share() { " %" } else { "" };
    decimal(value * factor(kind), digits) + sign
}

/// Returns the number by which values are multiplied in text: 100 for shares.
pub fn factor(kind: &MetricKind) -> f64 {
    if kind.is_share() { 100.0 } else { 1.0 }
}

/// Formats the largest difference that a metric may have: that of shares in percentage points, at most 100.
pub fn bounded(kind: &MetricKind, most: f64) -> String {
    let most = if kind.is_share() { most.min(1.0) } else { most } * factor(kind);
    let by = decimal(most, digits(most));
    match kind.is_share() {
        true => format!("{by} {}", percentage_points(&by)),
        false => by,
    }
}

/// Returns the unit of a difference of shares that is shown as `by`.
pub fn percentage_points(by: &str) -> String {
    nouns(if matches!(by, "1" | "-1") { 1 } else { 2 }, "percentage point")
}

/// Returns the decimal places to show of `error`: one significant digit, or two if the first is a 1.
pub fn digits(error: f64) -> usize {
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

/// Returns the sentence about a metric that differs. `least`: the lowest score is best in both games.
pub fn sentence(quantity: &Quantity, in_match: bool, least: bool) -> String {
    let Quantity { kind, name, seat_name, .. } = quantity;
    let more = quantity.difference > 0.0;
    let factor = factor(kind);
    let half = quantity.half_width().unwrap_or(0.0) * factor;
    let places = if half > 0.0 { digits(half) } else { 2 };
    let shown = |value: f64| {
        let text = decimal(value * factor, places);
        let bare = text.trim_end_matches('0').trim_end_matches('.');
        if half > 0.0 || !text.contains('.') { text.clone() } else { bare.to_owned() }
    };
    let by = shown(quantity.difference.abs());
    let game = unit(in_match);
    let known = if half > 0.0 { format!("±{}", decimal(half, places)) } else { format!("in every {game}") };
    let word = |key: &str| {
        Some(match key {
            "by" => by.clone(),
            "unit" => {
                let noun = match kind.unit {
                    Unit::Share => "percentage point",
                    Unit::Number(noun) => noun,
                };
                nouns(if by == "1" { 1 } else { 2 }, noun)
            }
            "name" => name.clone(),
            "seat" => seat_name.clone(),
            "Seat" => capital(seat_name),
            "others" => quantity.others.clone(),
            "game" => game.to_owned(),
            "Games" => capital(&nouns(2, game)),
            _ => return None,
        })
    };
    let verdict = match (kind.subject, least, more) {
        (Subject::Score, true, true) => ", which is worse",
        (Subject::Score, true, false) => ", which is better",
        _ => "",
    };
    let what = filled(kind.sentence, more, word);
    let sign = if kind.is_share() { " %" } else { "" };
    let [a, b] = [quantity.a.mean, quantity.b.mean].map(shown);
    format!("{what}{verdict} ({known}): {b}{sign} instead of {a}{sign}.")
}

/// Replaces what is in braces: `{a|b}` with `a` or `b`, and any other key with its word, if it has one.
fn filled(template: &str, first: bool, word: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, (key, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        let found = match key.split_once('|') {
            Some((one, other)) => Some(if first { one } else { other }.to_owned()),
            None => word(key),
        };
        text.push_str(before);
        text.push_str(&found.unwrap_or_else(|| format!("{{{key}}}")));
        rest = after;
    }
    text + rest
}

/// Capitalises the first letter.
pub fn capital(text: &str) -> String {
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

    #[test]
    fn a_share_differs_by_at_most_100_percentage_points() {
        let told = |most: f64| bounded(&super::super::metric::WINS, most);
        assert_eq!([1.27, 0.18].map(told), ["100 percentage points", "18 percentage points"]);
        assert_eq!(["1", "1.0"].map(percentage_points), ["percentage point", "percentage points"]);
    }

    #[test]
    fn changes_of_the_lead_are_counted_a_game() {
        let told = |by: &str, more: bool| {
            let word = |key: &str| match key {
                "by" => Some(by.to_owned()),
                _ => (key == "unit").then(|| nouns(if by == "1" { 1 } else { 2 }, "time")),
            };
            filled(super::super::metric::LEAD_CHANGES.sentence, more, word)
        };
        assert_eq!(told("2", false), "The lead changes 2 fewer times a game");
        assert_eq!(told("0.9", true), "The lead changes 0.9 more times a game");
    }

    #[test]
    fn braces_are_replaced_and_others_left() {
        let word = |key: &str| (key == "by").then(|| "2".to_owned());
        assert_eq!(filled("`{name}` {by} {more|less}", false, word), "`{name}` 2 less");
        assert_eq!(filled("{a|b} {by", true, word), "a {by");
    }
}
