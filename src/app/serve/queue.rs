//! The asks of a page that wait, and those among them that newer ones replace.

use std::collections::VecDeque;

use houserule_desk::workbench::{Ask, DecisionAsked};

/// Returns `true` if newer asks make an older one needless: a text that is replaced, or a question about it.
pub(super) fn is_replaced<'a>(older: &Ask, newer: impl IntoIterator<Item = &'a Ask>) -> bool {
    for ask in newer {
        match (older, ask) {
            (Ask::Text { path, .. }, Ask::Text { path: other, .. }) if path == other => return true,
            (Ask::Hover { path, .. } | Ask::Complete { path, .. }, Ask::Text { path: other, .. })
                if path == other =>
            {
                return true;
            }
            // One word is under the pointer and another one is written: neither question answers the other.
            (Ask::Hover { path, .. }, Ask::Hover { path: other, .. })
            | (Ask::Complete { path, .. }, Ask::Complete { path: other, .. })
                if path == other =>
            {
                return true;
            }
            (
                Ask::Go { decision: DecisionAsked::Index(_), .. },
                Ask::Go { line: Some(_), decision: DecisionAsked::Index(_), .. },
            ) => return true,
            // Anything else may depend on the older one.
            (_, Ask::Text { .. } | Ask::Hover { .. } | Ask::Complete { .. }) => {}
            _ => return false,
        }
    }
    false
}

/// Takes the next ask, after those that newer ones replace. These are passed to `replaced`.
pub(super) fn next<T>(
    waiting: &mut VecDeque<T>,
    ask: impl Fn(&T) -> Option<&Ask>,
    mut replaced: impl FnMut(T),
) -> Option<T> {
    while let Some(first) = waiting.pop_front() {
        let newer = waiting.iter().map_while(&ask);
        match ask(&first).is_some_and(|older| is_replaced(older, newer)) {
            true => replaced(first),
            false => return Some(first),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered of asks that all wait.
    fn answered(asks: &[&str]) -> Vec<String> {
        let mut waiting: VecDeque<Ask> =
            asks.iter().map(|ask| serde_json::from_str(ask).expect("an ask")).collect();
        let mut found = vec![];
        while let Some(ask) = next(&mut waiting, |ask| Some(ask), |_| {}) {
            found.push(match ask {
                Ask::Text { path, version, .. } => format!("{path}{version}"),
                ask => format!("{:?}", ask.id().expect("a number")),
            });
        }
        found
    }

    #[test]
    fn only_what_nothing_depends_on_is_left_out() {
        let text = |path: &str, version| {
            format!(r#"{{"ask":"text","path":"{path}","version":{version},"text":""}}"#)
        };
        let (a1, a2, a3, b1) = (text("a", 1), text("a", 2), text("a", 3), text("b", 1));
        let hover = r#"{"ask":"hover","id":5,"path":"a","at":1}"#;
        let complete = r#"{"ask":"complete","id":8,"path":"a","at":1}"#;
        let format = r#"{"ask":"format","id":6,"path":"a"}"#;
        let act = r#"{"ask":"act","id":7,"action":1}"#;
        assert_eq!(answered(&[&a1, &a2, &b1, &a3]), ["b1", "a3"]);
        assert_eq!(answered(&[&a1, hover, &a2, hover]), ["a2", "5"]);
        assert_eq!(answered(&[&a1, complete, hover, complete, hover]), ["a1", "8", "5"]);
        // The text is laid out as it was, and the game is played by the rules as they were.
        assert_eq!(answered(&[&a1, format, &a2]), ["a1", "6", "a2"]);
        assert_eq!(answered(&[&a1, act, &a2, hover]), ["a1", "7", "a2", "5"]);
        let go = |id: u64, rest: &str| format!(r#"{{"ask":"go","id":{id},{rest}}}"#);
        let (to_3, undo) = (r#""line":0,"decision":3"#, r#""line":0,"decision":"undo""#);
        assert_eq!(answered(&[&go(1, to_3), &go(2, to_3), &go(3, undo), &go(4, undo)]), ["2", "3", "4"]);
    }
}
