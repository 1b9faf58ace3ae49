//! Typos in bundled files: the first message is on the line of the typo or the next.

use crate::checked::{bundled, check_text, tokens};
use crate::extent;
use houserule::check::CheckOptions;
use houserule::diagnostic::{Severity, SourceMap};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

const NAMES: [&str; 6] = [
    "dilido",
    "dicrono",
    "classics/tic-tac-toe",
    "classics/tic-tac-die",
    "classics/connect-four",
    "classics/pig",
];

#[test]
fn the_first_message_is_where_the_slip_is() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12345);
    let (mut near, mut all) = (0, 0);
    let mut far = String::new();
    while all < extent::tries(150, 500) {
        let mut words = tokens(&bundled(NAMES.choose(&mut random).unwrap()));
        let [at, from] = [(); 2].map(|()| random.random_range(0..words.len()));
        let space: String = words[at].chars().filter(|c| c.is_whitespace()).collect();
        match random.random_range(0..3) {
            0 => words[at] = space,
            1 => words[at] = words[from].trim_end().to_string() + space.as_str(),
            _ => words.insert(at, words[from].clone()),
        }
        let edited = words[..at].concat().matches('\n').count() + 1;
        let text = words.concat();
        let (checked, _) = check_text(&text, &CheckOptions::default());
        let errors = checked.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let Some(first) = errors.min_by_key(|d| d.primary.span) else { continue };
        let mut sources = SourceMap::default();
        sources.add("test.rules", text.as_str());
        let found = sources.line_column(first.primary.span).line;
        all += 1;
        if found == edited || found == edited + 1 {
            near += 1;
        } else {
            let line = text.lines().nth(edited - 1).unwrap_or("");
            far += &format!("edited {edited}: {line}\n  first {found}: {}\n", first.message);
        }
    }
    assert!(near * 100 >= all * 95, "{near} of {all}\n{far}");
}
