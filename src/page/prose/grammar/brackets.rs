//! Parentheses that keep words together.

use super::preposition_after;

/// Returns a name in quotes if what follows it could seem to belong to it: `“still in”`.
pub(in crate::prose) fn name_closed(name: String) -> String {
    if preposition_after(&name).is_some() { format!("“{name}”") } else { name }
}

/// Words to which what follows could belong.
const OPEN: [&str; 9] =
    [" where ", " if ", " for every ", " for any ", " and ", " or ", " without ", ROUNDED_DOWN, OF_EQUALS];

/// The words before which of equals is meant.
pub(in crate::prose) const OF_EQUALS: &str = ", of equals ";

/// The words after a quotient.
pub(in crate::prose) const ROUNDED_DOWN: &str = ", rounded down";

/// Words that begin a clause, which would take in what follows.
const CLAUSES: [&str; 9] = [
    " where ",
    " whose ",
    " if ",
    " for every ",
    " for any ",
    " for which ",
    " for whom ",
    " that one can ",
    OF_EQUALS,
];

/// Returns words in parentheses if they contain, outside of parentheses, a word to which what follows could belong.
pub(in crate::prose) fn closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &OPEN))
}

/// Returns words in parentheses if they contain a clause outside of parentheses.
pub(in crate::prose) fn clause_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &CLAUSES))
}

/// Returns the words before an operator: like [`closed`], and [`clause_closed`].
pub(in crate::prose) fn operand_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &OPEN) || has_outside(told, &CLAUSES))
}

/// Returns the words at the end of a sentence in parentheses if they contain alternatives outside of parentheses, or say
/// which of equals is meant: what follows would seem to belong to them.
pub(in crate::prose) fn choice_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &[" if ", OF_EQUALS]))
}

/// Returns words without the parentheses around all of them.
pub(in crate::prose) fn opened(told: &str) -> &str {
    let inside = told.strip_prefix('(').and_then(|told| told.strip_suffix(')'));
    let mut depth = 0;
    let is_whole = |inside: &&str| {
        inside.chars().all(|sign| {
            match sign {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth >= 0
        })
    };
    inside.filter(is_whole).unwrap_or(told)
}

/// Returns the words of a condition in parentheses if they contain alternatives outside of parentheses.
pub(in crate::prose) fn case_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &[", else "]))
}

/// Returns `true` if words contain a condition on elements, or alternatives, outside of parentheses.
pub(in crate::prose) fn has_clause(told: &str) -> bool {
    has_outside(told, &[" where ", ", else "])
}

/// Returns `true` if words name several criteria, in the order in which they decide, or say which of equals is meant,
/// outside of parentheses.
pub(in crate::prose) fn lists_criteria(told: &str) -> bool {
    has_outside(told, &[", then ", OF_EQUALS])
}

/// Returns what stands before some words outside of parentheses: all if they aren't there.
pub(in crate::prose) fn before<'t>(told: &'t str, words: &str) -> &'t str {
    position_outside(told, &[words]).map_or(told, |at| &told[..at])
}

fn enclosed(told: String, is_open: impl FnOnce(&str) -> bool) -> String {
    if !told.starts_with('`') && is_open(&told) { format!("({told})") } else { told }
}

/// Returns `true` if words contain one of some others outside of parentheses.
fn has_outside(told: &str, words: &[&str]) -> bool {
    position_outside(told, words).is_some()
}

/// Returns where the first of some words begins outside of parentheses.
fn position_outside(told: &str, words: &[&str]) -> Option<usize> {
    let mut depth = 0;
    let mut signs = told.char_indices();
    let begins = |sign: char, at: usize| {
        matches!(sign, ' ' | ',') && words.iter().any(|word| told[at..].starts_with(word))
    };
    let found = signs.find(|(at, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && begins(*sign, *at)
    });
    found.map(|(at, _)| at)
}
