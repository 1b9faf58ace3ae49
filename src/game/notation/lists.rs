//! Lists of names and values as text, written and split.

/// Formats names for a sentence; a long list is cut short.
pub(super) fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "none".to_owned(),
        1..=20 => names.join(", "),
        n => format!("{}, and {} more", names[..20].join(", "), n - 20),
    }
}

/// Splits at commas outside brackets.
pub(super) fn split_list(text: &str) -> Vec<&str> {
    split_outside(text, |c| c == ',').collect()
}

/// Splits at commas and white space outside brackets.
pub(super) fn split_values(text: &str) -> Vec<&str> {
    split_outside(text, |c| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty()).collect()
}

/// Splits at separators outside brackets.
fn split_outside(text: &str, divides: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c: char| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        divides(c) && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_respect_brackets() {
        assert_eq!(split_list("x = mark[X, red], o = dot"), ["x = mark[X, red]", " o = dot"]);
        assert_eq!(split_values("3 5"), ["3", "5"]);
        assert_eq!(split_values("{a1, b2}, {} none"), ["{a1, b2}", "{}", "none"]);
    }
}
