//! The statements that differ between two rules in words, with those before and after them.

use crate::prose::COLUMNS;
use houserule_picture::paint::line::wrap;

/// Number of pairs of statements from which on they aren't compared one by one.
const MANY_PAIRS: usize = 1 << 20;

/// A statement of a rule in words, or the words before those that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ToldStatement {
    text: String,
    /// In how many other statements it is.
    depth: usize,
}

/// A statement of an old rule, of a new one, or of both.
struct ComparedStatement<'t> {
    /// `-` for the old rule, `+` for the new one, a space for both.
    sign: char,
    statement: &'t ToldStatement,
}

/// Formats the statements that differ, each on lines of its own, with the statement before them, the one after them, and those
/// that hold them. `…` stands for others.
pub(super) fn excerpt(old: &str, new: &str) -> String {
    let (was, is) = (statements(old), statements(new));
    let all = compared(&was, &is);
    // What differs is only how the statements are joined.
    if all.iter().all(|one| one.sign == ' ') {
        return format!("{}\n{}", marked_lines('-', 0, old), marked_lines('+', 0, new));
    }
    let mut is_shown: Vec<bool> = all.iter().map(|one| one.sign != ' ').collect();
    // The last statement that both rules have, after those that hold it.
    let mut path: Vec<usize> = vec![];
    for (at, one) in all.iter().enumerate() {
        let holds = |other: &usize| all[*other].statement.depth < one.statement.depth;
        let before = path.iter().copied().find(|other| !holds(other));
        path.retain(holds);
        if one.sign == ' ' {
            path.push(at);
            continue;
        }
        for around in path.iter().copied().chain(before).chain([at + 1]) {
            if let Some(around) = is_shown.get_mut(around) {
                *around = true;
            }
        }
    }
    // “If not” needs the condition before it.
    for at in (0..all.len()).rev().filter(|at| all[*at].statement.text.starts_with("if not")) {
        let is_beside = |other: &usize| all[*other].statement.depth == all[at].statement.depth;
        if let Some(before) = (0..at).rev().find(is_beside).filter(|_| is_shown[at]) {
            is_shown[before] = true;
        }
    }
    let mut lines: Vec<String> = vec![];
    for (at, one) in all.iter().enumerate() {
        if is_shown[at] {
            lines.push(marked_lines(one.sign, one.statement.depth, &one.statement.text));
        } else if at == 0 || is_shown[at - 1] {
            lines.push("    …".to_owned());
        }
    }
    lines.join("\n")
}

/// Formats words on lines of the usual width, each after a sign: `  - c is one of the empty places`.
pub(super) fn marked_lines(sign: char, depth: usize, text: &str) -> String {
    let indent = " ".repeat(2 * depth);
    // The lines after the first one are further in.
    let width = COLUMNS.saturating_sub(2 * depth + 6);
    let lines = wrap(text, width);
    let line = |at: usize| {
        let more = if at == 0 { "" } else { "  " };
        format!("  {sign} {indent}{more}{}", lines[at])
    };
    (0..lines.len()).map(line).collect::<Vec<_>>().join("\n")
}

/// Splits a rule in words into its statements. Those in the parentheses after a colon are in the one before it.
fn statements(told: &str) -> Vec<ToldStatement> {
    let mut all = vec![];
    let mut text = String::new();
    // For each open parenthesis, whether statements are in it.
    let mut open: Vec<bool> = vec![];
    let mut depth = 0;
    let mut signs = told.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '(' if text.ends_with(": ") && !text.ends_with(" holds: ") => {
                finish(&mut text, depth, &mut all);
                open.push(true);
                depth += 1;
            }
            ')' if open.last() == Some(&true) => {
                finish(&mut text, depth, &mut all);
                open.pop();
                depth -= 1;
            }
            ';' if open.last() != Some(&false) && signs.peek() == Some(&' ') => {
                finish(&mut text, depth, &mut all);
            }
            '(' => {
                open.push(false);
                text.push(sign);
            }
            ')' => {
                open.pop();
                text.push(sign);
            }
            _ => text.push(sign),
        }
    }
    finish(&mut text, depth, &mut all);
    all
}

/// Adds a text as a statement, if it has words, and begins the next one.
fn finish(text: &mut String, depth: usize, all: &mut Vec<ToldStatement>) {
    let told = std::mem::take(text);
    let told = told.trim();
    if !told.is_empty() {
        all.push(ToldStatement { text: told.to_owned(), depth });
    }
}

/// Finds the statements that both rules have in the same order, as many as possible.
fn compared<'t>(old: &'t [ToldStatement], new: &'t [ToldStatement]) -> Vec<ComparedStatement<'t>> {
    let signed = |sign: char| move |statement| ComparedStatement { sign, statement };
    let first = old.iter().zip(new).take_while(|(was, is)| was == is).count();
    let (head, old, new) = (&old[..first], &old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(was, is)| was == is).count();
    let (old, tail) = old.split_at(old.len() - last);
    let new = &new[..new.len() - last];
    let mut all: Vec<ComparedStatement<'t>> = head.iter().map(signed(' ')).collect();
    if old.len().saturating_mul(new.len()) > MANY_PAIRS {
        all.extend(old.iter().map(signed('-')).chain(new.iter().map(signed('+'))));
    } else {
        all.extend(between(old, new));
    }
    all.extend(tail.iter().map(signed(' ')));
    all
}

/// Compares statements, of which the first and the last ones differ.
fn between<'t>(old: &'t [ToldStatement], new: &'t [ToldStatement]) -> Vec<ComparedStatement<'t>> {
    // For each pair of places, how many statements both have from there on.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            common[a][b] = match old[a] == new[b] {
                true => common[a + 1][b + 1] + 1,
                false => common[a + 1][b].max(common[a][b + 1]),
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut all = vec![];
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            all.push(ComparedStatement { sign: ' ', statement: &old[a] });
            (a, b) = (a + 1, b + 1);
        } else if b == new.len() || a < old.len() && common[a + 1][b] >= common[a][b + 1] {
            all.push(ComparedStatement { sign: '-', statement: &old[a] });
            a += 1;
        } else {
            all.push(ComparedStatement { sign: '+', statement: &new[b] });
            b += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_those_between_semicolons_and_in_parentheses_after_a_colon() {
        let told = "let n be (a; b); as long as x (y) is 1: (n becomes 2; if z: (w (1; 2))); m becomes 3";
        let found: Vec<String> =
            statements(told).iter().map(|one| format!("{} {}", one.depth, one.text)).collect();
        assert_eq!(
            found,
            [
                "0 let n be (a; b)",
                "0 as long as x (y) is 1:",
                "1 n becomes 2",
                "1 if z:",
                "2 w (1; 2)",
                "0 m becomes 3"
            ]
        );
    }

    #[test]
    fn what_differs_has_what_is_around_it() {
        let old = "a; b; while c: (d; e; f; g); h; i";
        let new = "a; b; while c: (d; e; x; g; y); h; i";
        assert_eq!(
            excerpt(old, new),
            "    …\n    while c:\n    …\n      e\n  -   f\n  +   x\n      g\n  +   y\n    h\n    …"
        );
        assert_eq!(
            excerpt("a; if b: (c); if not: (d); e", "a; if b: (c); if not: (d); f"),
            "    …\n    if b:\n    …\n    if not:\n    …\n  - e\n  + f"
        );
    }
}
