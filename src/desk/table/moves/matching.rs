//! What typed text means among the legal moves.

use super::groups::MOST_LISTED;
use super::{LegalMoves, Move, MoveMatch};
use houserule_language::diagnostic::did_you_mean;

/// Tests whether typed text means a move, by the words of one of its spellings.
type TestsMove<'t> = dyn Fn(&Move, &[String]) -> bool + 't;

impl LegalMoves {
    /// Returns what an input refers to: by the full name of a move, its number in the list, or a part that
    /// matches only one move. Moves go by the names that the board shows, and by those of the rules.
    pub fn resolve(&self, text: &str) -> MoveMatch {
        let text = text.trim().to_lowercase();
        if self.numbered
            && let Ok(number) = text.trim_start_matches('#').parse::<usize>()
        {
            let listed = || {
                number.checked_sub(1).and_then(|at| self.all.get(at)).map(|one| MoveMatch::One(one.action))
            };
            let numbered = if self.is_grouped() { self.group_numbered(number) } else { listed() };
            if let Some(meant) = numbered {
                return meant;
            }
        }
        let apart = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
        let typed: Vec<&str> = text.split(apart).filter(|word| !word.is_empty()).collect();
        let loose: Vec<&str> = text
            .split(|c: char| apart(c) || matches!(c, '-' | '>' | ':'))
            .filter(|w| !w.is_empty())
            .collect();
        if loose.is_empty() {
            return MoveMatch::None;
        }
        // A single letter may begin a command: it is no name that the board shows.
        let first = usize::from(text.len() < 2);
        let goes_by = |one: &Move, test: &dyn Fn(&[String]) -> bool| {
            one.spellings()[first..].iter().any(|words| test(words))
        };
        let whole: Vec<&str> = text.split_whitespace().collect();
        let bound = |words: &[String]| words.len() > 1;
        let tests: [&TestsMove<'_>; 9] = [
            &|_, words| words.iter().eq(typed.iter()) || words.iter().eq(whole.iter()),
            &|_, words| bound(words) && words[1..].iter().eq(typed.iter()),
            &|_, words| bound(words) && words[1..].iter().eq(loose.iter()),
            &|_, words| is_glued(words, &loose) || (bound(words) && is_glued(&words[1..], &loose)),
            &|one, words| {
                one.column.as_deref() == loose.last().copied()
                    && loose.len() <= 2
                    && begins(words, &loose[..loose.len() - 1])
            },
            &|_, words| begins(words, &typed) || (bound(words) && begins(&words[1..], &typed)),
            &|_, words| begins(words, &loose) || (bound(words) && begins(&words[1..], &loose)),
            &|_, words| {
                let parts = apart_at_dashes(words);
                begins(&parts, &loose) || begins(parts.get(1..).unwrap_or_default(), &loose)
            },
            &|_, words| in_order(words, &loose),
        ];
        for (at, test) in tests.into_iter().enumerate() {
            let fits = |one: &&Move| goes_by(one, &|words: &[String]| test(one, words));
            let mut fitting: Vec<&Move> = self.all.iter().filter(fits).collect();
            // Without its option, `red` is the whole of `purple red`, but also the beginning of `die red 2` and the end of
            // `die 2 red`.
            if let (1, [one]) = (at, fitting.as_slice()) {
                let option = &one.words[0];
                let is_part = |part: &[String]| part.iter().eq(typed.iter());
                let has_part = |words: &[String]| {
                    let rest = &words[1..];
                    rest.len() > typed.len()
                        && (is_part(&rest[..typed.len()]) || is_part(&rest[rest.len() - typed.len()..]))
                };
                let goes_on = |other: &&Move| other.words[0] != *option && goes_by(other, &has_part);
                fitting.extend(self.all.iter().filter(goes_on));
            }
            match fitting.as_slice() {
                [] => {}
                [one] => return MoveMatch::One(one.action),
                many => {
                    let group = || self.group_of(many, typed.len()).map(MoveMatch::Group);
                    let names = || MoveMatch::Several(many.iter().map(|one| one.name.clone()).collect());
                    return match many.len() > MOST_LISTED || self.is_grouped() {
                        true => group().unwrap_or_else(names),
                        false => names(),
                    };
                }
            }
        }
        MoveMatch::None
    }

    /// Returns the legal moves that resemble a text, the closest first.
    pub fn near(&self, text: &str) -> Vec<String> {
        let text = text.trim().to_lowercase();
        let mut left: Vec<&Move> = self.all.iter().collect();
        let mut near = Vec::new();
        while near.len() < 3 {
            let names = || left.iter().flat_map(|one| [one.name.as_str(), one.rule_name.as_str()]);
            let without_option = |name: &str| name.split_once(' ').map(|(_, rest)| rest.to_owned());
            let whole = did_you_mean(&text, names()).map(str::to_owned);
            let short = || {
                let rests: Vec<String> = names().filter_map(without_option).collect();
                did_you_mean(&text, rests.iter().map(String::as_str)).map(str::to_owned)
            };
            let Some(found) = whole.or_else(short) else { break };
            let is_found = |name: &str| name == found || without_option(name).is_some_and(|r| r == found);
            let Some(at) = left.iter().position(|one| is_found(&one.name) || is_found(&one.rule_name)) else {
                break;
            };
            near.push(left.remove(at).name.clone());
        }
        near
    }
}

/// Returns `true` if words are what was typed, apart from spaces: `placec5`, `12` for `1 2`. A space between two numbers
/// counts: `1 1` isn't `11`.
fn is_glued(words: &[String], typed: &[&str]) -> bool {
    let ends = |lengths: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        lengths
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect()
    };
    let text = typed.concat();
    let gaps = ends(&mut words.iter().map(String::len));
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let numbers = ends(&mut typed.iter().map(|word| word.len()))
        .into_iter()
        .filter(|end| digit(end - 1) && digit(*end));
    words.concat() == text && numbers.into_iter().all(|end| gaps.contains(&end))
}

/// Returns the words of a move, with compound names such as `a1-south` split.
fn apart_at_dashes(words: &[String]) -> Vec<String> {
    words.iter().flat_map(|word| word.split('-')).map(str::to_owned).collect()
}

/// Returns `true` if the words begin with what was typed. Numbers must match completely: `c1` doesn't match
/// `c10`.
fn begins(words: &[String], typed: &[&str]) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let fits = |(word, typed): (&String, &&str)| {
        word.strip_prefix(*typed)
            .is_some_and(|rest| !(digit(typed.chars().last()) && digit(rest.chars().next())))
    };
    typed.len() <= words.len() && words.iter().zip(typed).all(fits)
}

/// Returns `true` if all typed words occur among the words, in the same order.
fn in_order(words: &[String], typed: &[&str]) -> bool {
    let mut words = words.iter();
    typed.iter().all(|typed| words.any(|word| word == typed))
}
