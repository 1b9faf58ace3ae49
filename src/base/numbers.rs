//! Formatting and parsing of numbers for people. Depends on nothing.

/// Formats a duration in its two largest units: `31 s`, `4 min`, `2 h 5 min`, `3 d 4 h`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round().clamp(0.0, 1e15) as u64;
    let (minutes, hours, days) = (whole / 60, whole / 3600, whole / 86_400);
    match whole {
        0..120 => format!("{whole} s"),
        120..7200 => format!("{minutes} min"),
        7200..172_800 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} d {} h", grouped(days), hours % 24),
    }
}

/// Converts any integer. Only a `u128` can be too large; it becomes the maximum.
fn whole(number: impl TryInto<i128>) -> i128 {
    number.try_into().unwrap_or(i128::MAX)
}

/// Formats an integer with thousands separators: `1,234,567`.
pub fn grouped(number: impl TryInto<i128>) -> String {
    let number = whole(number);
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Formats a number with `digits` decimals and thousands separators.
pub fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let negative = whole.starts_with('-');
    let whole = whole.trim_start_matches('-').parse::<i128>().map_or_else(|_| whole.to_owned(), grouped);
    let sign = if negative && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { "-" } else { "" };
    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Number of decimals justified by an interval of half-width `error`: up to its second significant digit.
pub fn digits_for(error: f64) -> usize {
    if !error.is_finite() || error <= 0.0 {
        return 2;
    }
    (1.0 - error.log10().floor()).clamp(0.0, 6.0) as usize
}

/// Formats a share and the half-width of its interval in percent: `15.2 ± 1.3 %`, or `50 % (0 to 100)` if the interval
/// contains what no share can be, as of a few games.
pub fn share_with_half_width(share: f64, half: Option<f64>) -> String {
    match half {
        Some(half) if share < half || share + half > 1.0 => {
            share_with_ends(share, [share - half, share + half])
        }
        half => {
            let half = half.map(|half| 100.0 * half);
            let percent = match half {
                Some(half) if half > 0.0 => even_at_tie(100.0 * share, digits_for(half)),
                _ => 100.0 * share,
            };
            format!("{} %", with_half_width(percent, half))
        }
    }
}

/// Returns the number with `digits` decimals that is nearest, if two are equally near the even one; any other number as it is.
/// So two shares that add up to one add up to 100 % as they are shown, as 51.45 % and 48.55 %. That these have no binary
/// fraction doesn't matter.
pub fn even_at_tie(number: f64, digits: usize) -> f64 {
    let power = 10f64.powi(i32::try_from(digits).unwrap_or(0));
    let scaled = number * power;
    let below = scaled.floor();
    let is_tie = (scaled - below - 0.5).abs() <= 8.0 * f64::EPSILON * scaled.abs().max(1.0);
    match is_tie {
        true if below % 2.0 == 0.0 => below / power,
        true => (below + 1.0) / power,
        false => number,
    }
}

/// Formats a share and its interval in percent: like [`share_with_half_width`], but with the ends that the interval has,
/// which near 0 and 1 aren't equally far from the share.
pub fn share_with_interval(share: f64, low: Option<f64>, high: Option<f64>) -> String {
    let ends = low.zip(high);
    let half = ends.map(|(low, high)| (high - low) / 2.0);
    match (ends, half) {
        (Some((low, high)), Some(half)) if share < half || share + half > 1.0 => {
            share_with_ends(share, [low, high])
        }
        _ => share_with_half_width(share, half),
    }
}

/// Formats a share and the ends of its interval in percent: `98 % (94 to 100)`.
fn share_with_ends(share: f64, [low, high]: [f64; 2]) -> String {
    let digits = digits_for(100.0 * (high - low) / 2.0);
    let [share, low, high] = [share, low, high]
        .map(|number| without_zeros(decimal(even_at_tie(100.0 * number.clamp(0.0, 1.0), digits), digits)));
    format!("{share} % ({low} to {high})")
}

/// Formats a mean and the half-width of its interval with the same decimals: `15.234 ± 0.043`.
pub fn with_half_width(mean: f64, half: Option<f64>) -> String {
    match half {
        Some(half) if half > 0.0 => {
            let digits = digits_for(half);
            format!("{} ± {}", decimal(mean, digits), decimal(half, digits))
        }
        _ => trimmed(mean),
    }
}

/// Formats a number with at most four decimals, without trailing zeros.
pub fn trimmed(number: f64) -> String {
    without_zeros(decimal(number, 4))
}

/// Takes off the zeros at the end of the decimals.
fn without_zeros(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a count with its noun: `1 game`, `2,000 games`, `2 matches`.
pub fn counted(number: impl TryInto<i128>, noun: &str) -> String {
    let number = whole(number);
    format!("{} {}", grouped(number), nouns(number, noun))
}

/// The singular or plural of `noun` for a number.
pub fn nouns(number: impl TryInto<i128>, noun: &str) -> String {
    let sibilant = ["s", "x", "ch", "sh"].iter().any(|ending| noun.ends_with(ending));
    match whole(number) {
        1 | -1 => noun.to_owned(),
        _ if sibilant => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Parses an unsigned integer: `100000`, `100_000`, `100,000`, `1e5`, `100k`, `0.1M`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong =
        |why: &str| Err(format!("{why}; write a whole number from 0 on: 100000, 100_000, 1e5, 100k or 1M"));
    let lower = text.trim().to_ascii_lowercase();
    let (digits, zeros) = match lower.split_once('e') {
        Some((digits, zeros)) => (digits, zeros.strip_prefix('+').unwrap_or(zeros).parse::<u32>().ok()),
        None => match lower.strip_suffix(['k', 'm']) {
            Some(digits) => (digits, Some(if lower.ends_with('k') { 3 } else { 6 })),
            None => (lower.as_str(), Some(0)),
        },
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // A comma may only separate thousands: `1,5` could mean a decimal.
    let groups: Vec<&str> = whole.split(',').collect();
    let thousands = groups.len() == 1
        || (groups[1..].iter().all(|group| group.len() == 3) && (1..=3).contains(&groups[0].len()));
    let whole = whole.replace([',', '_'], "");
    let Some(zeros) =
        zeros.filter(|_| is_number(&whole) && thousands && (part.is_empty() || is_number(part)))
    else {
        return wrong("this is no number");
    };
    if digits.ends_with('.') {
        return wrong("this is no number");
    }
    let part = part.trim_end_matches('0');
    let Some(more) = (zeros as usize).checked_sub(part.len()) else {
        return wrong("this is no whole number");
    };
    let mut number: Option<u64> = format!("{whole}{part}").parse().ok();
    if number != Some(0) {
        let power = u32::try_from(more).ok().and_then(|more| 10u64.checked_pow(more));
        number = number.zip(power).and_then(|(number, power)| number.checked_mul(power));
    }
    number.map_or_else(|| wrong("this is more than 18,446,744,073,709,551,615"), Ok)
}

/// Parses a number, or a percentage such as `48 %`. Returns `None` if it is neither, or not finite.
pub fn parse_decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let (text, scale) = text.strip_suffix('%').map_or((text, 1.0), |text| (text.trim_end(), 0.01));
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number * scale)
}

/// Parses a time in seconds: `90s`, `5m`, `1.5h`, or a number of seconds.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, each) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) => (number, 1.0),
        None => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * each);
    let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| "write a time such as `60s`, `5m` or `1h`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_has_only_what_a_share_can_be() {
        assert_eq!(share_with_half_width(0.152, Some(0.013)), "15.2 ± 1.3 %");
        assert_eq!(share_with_half_width(0.5, Some(6.35)), "50 % (0 to 100)");
        assert_eq!(share_with_half_width(0.98, Some(0.04)), "98 % (94 to 100)");
        assert_eq!(share_with_half_width(1.0, None), "100 %");
        assert_eq!(share_with_interval(0.152, Some(0.139), Some(0.165)), "15.2 ± 1.3 %");
        assert_eq!(share_with_interval(1.0, Some(0.963_007), Some(1.0)), "100 % (96.3 to 100)");
        assert_eq!(share_with_interval(0.0, Some(0.0), Some(0.036_993)), "0 % (0 to 3.7)");
        assert_eq!(share_with_interval(1.0, None, None), "100 %");
    }

    #[test]
    fn two_shares_that_end_in_five_add_up() {
        let shown = [1029.0, 971.0, 1030.0, 970.0].map(|n| share_with_half_width(n / 2000.0, Some(0.022)));
        assert_eq!(shown, ["51.4 ± 2.2 %", "48.6 ± 2.2 %", "51.5 ± 2.2 %", "48.5 ± 2.2 %"]);
        for games in 1..2000u32 {
            let of = |games: u32| even_at_tie(100.0 * f64::from(games) / 2000.0, 1);
            let shown =
                [games, 2000 - games].map(|games| decimal(of(games), 1).parse::<f64>().unwrap_or(0.0));
            assert!((shown[0] + shown[1] - 100.0).abs() < 1e-9, "{games}: {shown:?}");
        }
    }

    #[test]
    fn times_are_in_seconds() {
        let all = ["90s", "2m", "1.5h", "7", " 3s "].map(|text| parse_seconds(text).unwrap());
        assert_eq!(all, [90.0, 120.0, 5400.0, 7.0, 3.0]);
        for text in ["", "s", "0", "-1s", "1d", "inf", "2m3s"] {
            assert!(parse_seconds(text).unwrap_err().contains("`60s`, `5m` or `1h`"), "{text}");
        }
    }

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!([0, 7, 999, 1000, -1234567].map(grouped), ["0", "7", "999", "1,000", "-1,234,567"]);
        assert_eq!(decimal(1234.5678, 2), "1,234.57");
        assert_eq!(decimal(-0.001, 2), "0.00");
        assert_eq!(decimal(-12.5, 1), "-12.5");
        assert_eq!(with_half_width(15.2341, Some(0.0432)), "15.234 ± 0.043");
        assert_eq!(with_half_width(1523.45, Some(12.0)), "1,523 ± 12");
        assert_eq!(with_half_width(3.0, Some(0.0)), "3");
        assert_eq!(with_half_width(3.5, None), "3.5");
        assert_eq!(trimmed(2.5), "2.5");
    }

    #[test]
    fn times_as_people_read_them() {
        let told = [0.4, 31.2, 119.0, 240.0, 7500.0, 300_000.0].map(duration);
        assert_eq!(told, ["0 s", "31 s", "119 s", "4 min", "2 h 5 min", "3 d 11 h"]);
    }

    #[test]
    fn one_thing_is_no_things() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(counted(1u64, "match"), "1 match");
        assert_eq!(counted(12_000u64, "match"), "12,000 matches");
    }

    #[test]
    fn numbers_as_people_write_them() {
        let good = [
            ("0", 0),
            ("1000", 1000),
            ("1_000", 1000),
            ("1,000", 1000),
            ("12,345,678", 12_345_678),
            ("1e3", 1000),
            ("1E+3", 1000),
            ("2.5e4", 25_000),
            ("100k", 100_000),
            ("1.5M", 1_500_000),
            ("10.0", 10),
            ("18446744073709551615", u64::MAX),
            ("0e99", 0),
        ];
        for (text, number) in good {
            assert_eq!(parse_count(text), Ok(number), "{text}");
        }
        let wrong = [
            ("", "no number"),
            ("-3", "no number"),
            ("many", "no number"),
            ("1,5", "no number"),
            ("1,00", "no number"),
            ("5.", "no number"),
            ("1e", "no number"),
            ("1.5", "no whole number"),
            ("1.2345k", "no whole number"),
            ("18446744073709551616", "more than"),
            ("1e20", "more than"),
        ];
        for (text, why) in wrong {
            let error = parse_count(text).unwrap_err();
            assert!(error.contains(why) && error.contains("100_000, 1e5, 100k"), "{text}: {error}");
        }
    }
}
