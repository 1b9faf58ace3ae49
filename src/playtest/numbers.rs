//! Numbers as people read them.

/// `1,234,567`
pub(crate) fn grouped(number: impl Into<i128>) -> String {
    let number = number.into();
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

/// A number with some digits after the point, and a comma for each thousand.
pub(crate) fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let negative = whole.starts_with('-');
    let whole = whole.trim_start_matches('-').parse::<i128>().map_or_else(|_| whole.to_owned(), grouped);
    let sign = if negative && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { "-" } else { "" };
    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Digits after the point that a standard error leaves certain, and one more.
pub(crate) fn digits_for(error: f64) -> usize {
    if !error.is_finite() || error <= 0.0 {
        return 2;
    }
    (1.0 - error.log10().floor()).clamp(0.0, 6.0) as usize
}
