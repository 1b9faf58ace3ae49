//! What typed text means among the legal moves.

use super::groups::MOST_LISTED;
use super::{LegalMoves, Move, MoveMatch};
use houserule_language::diagnostic::did_you_mean;

impl LegalMoves {
    /// Returns what an input refers to: by the full name of a move, its number in the list, or a part that
    /// matches only one move.
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
        let bound = |one: &Move| one.words.len() > 1;
        let tests: [&dyn Fn(&Move) -> bool; 9] = [
            &|one| one.words.iter().eq(typed.iter()),
            &|one| bound(one) && one.words[1..].iter().eq(typed.iter()),
            &|one| bound(one) && one.words[1..].iter().eq(loose.iter()),
            &|one| is_glued(&one.words, &loose) || (bound(one) && is_glued(&one.words[1..], &loose)),
            &|one| {
                one.column.as_deref() == loose.last().copied()
                    && loose.len() <= 2
                    && begins(&one.words, &loose[..loose.len() - 1])
            },
            &|one| begins(&one.words, &typed) || (bound(one) && begins(&one.words[1..], &typed)),
            &|one| begins(&one.words, &loose) || (bound(one) && begins(&one.words[1..], &loose)),
            &|one| {
                begins(&apart_at_dashes(one), &loose)
                    || begins(apart_at_dashes(one).get(1..).unwrap_or_default(), &loose)
            },
            &|one| in_order(&one.words, &loose),
        ];
        for (at, test) in tests.into_iter().enumerate() {
            let mut fitting: Vec<&Move> = self.all.iter().filter(|one| test(one)).collect();
            // Without its option, `red` is the whole of `purple red`, but also the beginning of `die red 2` and the end of
            // `die 2 red`.
            if let (1, [one]) = (at, fitting.as_slice()) {
                let option = &one.words[0];
                let goes_on = |other: &&Move| {
                    let rest = &other.words[1..];
                    let is_part = |part: &[String]| part.iter().eq(typed.iter());
                    other.words[0] != *option
                        && rest.len() > typed.len()
                        && (is_part(&rest[..typed.len()]) || is_part(&rest[rest.len() - typed.len()..]))
                };
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
            let whole = did_you_mean(&text, left.iter().map(|one| one.name.as_str())).map(str::to_owned);
            let short = || {
                let rest = |one: &&Move| one.name.split_once(' ').map(|(_, rest)| rest.to_owned());
                let rests: Vec<String> = left.iter().filter_map(rest).collect();
                did_you_mean(&text, rests.iter().map(String::as_str)).map(str::to_owned)
            };
            let Some(found) = whole.or_else(short) else { break };
            let of =
                |one: &&Move| one.name == found || one.name.split_once(' ').is_some_and(|(_, r)| r == found);
            let Some(at) = left.iter().position(of) else { break };
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
fn apart_at_dashes(one: &Move) -> Vec<String> {
    one.words.iter().flat_map(|word| word.split('-')).map(str::to_owned).collect()
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
