//! The names of things, as people and shells read them.

/// Returns a name with spaces instead of underscores.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// Returns a name with hyphens instead of underscores, as it can be typed.
pub fn hyphened(name: &str) -> String {
    name.replace('_', "-")
}

/// Joins words as in a sentence: `a, b and c`.
pub fn list_words(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Returns a word of a command as a shell reads it: in quotes if it would read it otherwise.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { shell_quoted(word) }
}

/// Returns a word of a command in quotes.
pub fn shell_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns the name of a game, with variants after `+`, as words of a command.
pub fn shell_game(name: &str) -> String {
    name.split('+').map(|part| shell_word(part.trim())).collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_as_in_a_sentence() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| list_words(&words[..n])), ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn words_of_commands_are_quoted_where_a_shell_needs_it() {
        let told = ["games/mine.rules", "mcts:200,random", "k=-2", "my game.rules", "a#b", "it's", "~x", ""];
        let words = told.map(shell_word);
        let plain = ["games/mine.rules", "mcts:200,random", "k=-2"];
        let quoted = ["'my game.rules'", "'a#b'", r"'it'\''s'", "'~x'", "''"];
        assert_eq!(words, [&plain[..], &quoted[..]].concat()[..]);
        assert_eq!(shell_game("dilido + torus"), "dilido + torus");
        assert_eq!(shell_game("my game.rules+torus"), "'my game.rules' + torus");
    }
}
