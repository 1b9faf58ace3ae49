//! Names of rules as people say them.

/// Returns a text in which names are written as people say them: `player 1` for `player-1`, `hand west` for `hand[west]`, and
/// spaces instead of underscores.
pub(crate) fn spoken(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let is_numbered =
            character == '-' && said.ends_with("player") && rest.peek().is_some_and(char::is_ascii_digit);
        match character {
            '_' | '[' => said.push(' '),
            '-' if is_numbered => said.push(' '),
            ']' => {}
            other => said.push(other),
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_people_say_them() {
        let all = [
            ("hand[player-1]", "hand player 1"),
            ("large_straight", "large straight"),
            ("take x-2 of player-12", "take x-2 of player 12"),
            ("multiplayer-mode", "multiplayer-mode"),
        ];
        for (name, said) in all {
            assert_eq!(spoken(name), said);
        }
    }
}
