//! What typed text means among the legal moves.

use super::groups::MOST_LISTED;
use super::{LegalMoves, Move, MoveMatch};
use houserule_game::values::BoardNames;
use houserule_language::diagnostic::did_you_mean;
use houserule_model::DomainId;

/// Tests whether a move is meant by typed text.
type TestsMove<'t> = Box<dyn Fn(&Move) -> bool + 't>;

/// A test of moves, and which other moves may be meant, too, if one passes it.
struct MoveTest<'t> {
    is_meant: TestsMove<'t>,
    others: OtherMoves,
}

/// Other moves that may be meant by the same text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherMoves {
    Never,
    /// Moves of other options that begin or end with it, if a single move passes the test. Without its option, `red` is the
    /// whole of `purple red`, but also the beginning of `die red 2` and the end of `die 2 red`.
    WithPart,
    /// Moves of options whose names begin with it.
    WithOptionFrom,
}

/// Names of the things that a move names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// As the move is listed.
    Listed,
    /// As the board shows them.
    Label,
    /// As the rules do.
    Rules,
}

/// How whole typed words are compared with names.
#[derive(Clone, Copy)]
struct WordTest {
    namings: &'static [Naming],
    same: fn(&str, &str) -> bool,
}

/// The tests of whole words, from the strictest on: a move as it is listed, then what the board shows and the names of the
/// rules in their upper and lower case, then in any.
const WORD_TESTS: &[WordTest] = &[
    WordTest { namings: &[Naming::Listed], same: is_equal },
    WordTest { namings: ALL_NAMINGS, same: is_equal },
    WordTest { namings: ALL_NAMINGS, same: is_alike },
];

/// The tests of a single letter, which may begin a command: it is no name that the board shows.
const LETTER_TESTS: &[WordTest] = &[WordTest { namings: &[Naming::Rules], same: is_alike }];

const ALL_NAMINGS: &[Naming] = &[Naming::Listed, Naming::Label, Naming::Rules];

fn is_equal(name: &str, typed: &str) -> bool {
    name == typed
}

fn is_alike(name: &str, typed: &str) -> bool {
    name.to_lowercase() == typed.to_lowercase()
}

impl Move {
    /// Returns the names of the things that the move names.
    fn names(&self, naming: Naming) -> Vec<&str> {
        match naming {
            Naming::Listed => self.name.split_whitespace().skip(1).collect(),
            Naming::Label => self.labels.iter().skip(1).map(String::as_str).collect(),
            Naming::Rules => self.rule_name.split_whitespace().skip(1).collect(),
        }
    }

    /// Returns all names of the first things that the move names.
    fn first_names(&self, count: usize, namings: &[Naming]) -> Vec<Vec<&str>> {
        let each: Vec<Vec<&str>> = namings.iter().map(|naming| self.names(*naming)).collect();
        let at_place =
            |place: usize| each.iter().filter_map(|names| names.get(place).copied()).collect::<Vec<&str>>();
        (0..count).map(at_place).collect()
    }

    /// Returns `true` if whole words name all that the move names: all by one kind of names, or each by one of its names. A
    /// set may be in any order.
    fn is_named(&self, typed: &[&str], test: WordTest) -> bool {
        let lengths = [self.words.len(), self.rule_words.len()];
        if !lengths.contains(&(typed.len() + 1)) {
            return false;
        }
        let by = |naming: &Naming| {
            let names: Vec<Vec<&str>> = self.names(*naming).into_iter().map(|name| vec![name]).collect();
            name_all(&names, typed, self.ordered, test.same)
        };
        let mixed = || {
            let names = self.first_names(self.words.len() - 1, test.namings);
            name_all(&names, typed, self.ordered, test.same)
        };
        test.namings.iter().any(by) || test.namings.len() > 1 && mixed()
    }

    /// Returns `true` if whole words name the first things that the move names.
    fn begins_named(&self, typed: &[&str], test: WordTest) -> bool {
        !typed.is_empty()
            && typed.len() + 1 < self.words.len()
            && name_all(&self.first_names(typed.len(), test.namings), typed, usize::MAX, test.same)
    }

    /// Returns `true` if the name of the option is a word, apart from upper and lower case.
    fn has_option(&self, word: &str) -> bool {
        self.words[0] == word.to_lowercase()
    }

    /// Returns `true` if the name of the option begins with a text, apart from upper and lower case.
    fn has_option_from(&self, start: &str) -> bool {
        self.words[0].starts_with(&start.to_lowercase())
    }
}

impl LegalMoves {
    /// Returns what an input refers to: by the full name of a move, its number in the list, or a part that
    /// matches only one move. Moves go by the names that the board shows, and by those of the rules. Whole names, in
    /// the same upper and lower case first, come before beginnings.
    pub fn resolve(&self, text: &str) -> MoveMatch {
        let cased = text.trim();
        let text = cased.to_lowercase();
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
        let typed = split_words(&text);
        let loose: Vec<&str> = text
            .split(|c: char| is_gap(c) || matches!(c, '-' | '_' | '>' | ':'))
            .filter(|w| !w.is_empty())
            .collect();
        if loose.is_empty() {
            return MoveMatch::None;
        }
        let (words, by_spaces) = (split_words(cased), cased.split_whitespace().collect::<Vec<&str>>());
        let tests = if text.len() < 2 { LETTER_TESTS } else { WORD_TESTS };
        // A single letter may begin a command: it is no name that the board shows.
        let first = usize::from(text.len() < 2);
        let all = complete_tests(tests, &words, &by_spaces)
            .into_iter()
            .chain(loose_tests(&loose, first))
            .chain(first_word_tests(tests, &words))
            .chain(beginning_tests(&typed, &loose, first));
        for test in all {
            let mut fitting: Vec<&Move> = self.all.iter().filter(|one| (test.is_meant)(one)).collect();
            let others = self.others(test.others, &fitting, &typed, first);
            fitting.extend(others);
            match fitting.as_slice() {
                [] => {}
                [one] if self.names_another(cased, one) => return self.or_by_label(one, &words),
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

    /// Returns the other moves that may be meant by typed words that some moves fit.
    fn others(&self, which: OtherMoves, fitting: &[&Move], typed: &[&str], first: usize) -> Vec<&Move> {
        let is_part = |part: &[String]| part.iter().eq(typed.iter());
        let has_part = |words: &[String]| {
            let rest = &words[1..];
            rest.len() > typed.len()
                && (is_part(&rest[..typed.len()]) || is_part(&rest[rest.len() - typed.len()..]))
        };
        match (which, fitting, typed) {
            (OtherMoves::WithPart, [one], _) => {
                let goes_on =
                    |other: &&Move| other.words[0] != one.words[0] && goes_by(other, first, &has_part);
                self.all.iter().filter(goes_on).collect()
            }
            (OtherMoves::WithOptionFrom, [_, ..], [word]) => {
                let is_other = |other: &&Move| {
                    other.words[0].starts_with(*word) && !fitting.iter().any(|one| one.action == other.action)
                };
                self.all.iter().filter(is_other).collect()
            }
            _ => vec![],
        }
    }

    /// Returns `true` if a word that was typed for a move is the whole name of something else than what the move names: the
    /// board shows `c` for it, and the move names `clubs`.
    pub(super) fn names_another(&self, typed: &str, one: &Move) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(block) = game.action_block(one.action) else { return false };
        let (model, board_names) = (game.model(), BoardNames::new(game));
        let own = |namings: &[Naming], is_name: &dyn Fn(&str) -> bool| {
            namings.iter().any(|naming| one.names(*naming).into_iter().any(is_name))
        };
        let some = |is_meant: &dyn Fn(DomainId, u32) -> bool| {
            let elements = |domain: DomainId| 0..model.domains[domain.index()].size;
            block.domains.iter().any(|domain| elements(*domain).any(|element| is_meant(*domain, element)))
        };
        let is_other = |word: &&str| {
            let is_label = |domain: DomainId, element: u32| model.element_sign(domain, element) == *word;
            let is_named = |domain: DomainId, element: u32| {
                board_names.element(domain, element) == *word || game.element_name(domain, element) == *word
            };
            let is_shown = own(&[Naming::Listed, Naming::Label], &|name| name == *word);
            let is_called = || own(ALL_NAMINGS, &|name| is_alike(name, word));
            !is_shown && (some(&is_label) || !is_called() && some(&is_named))
        };
        let words = split_words(typed);
        let (option, rest) = split_option(&words);
        let with_option = one.has_option_from(option) && !rest.iter().any(is_other);
        !with_option && words.iter().any(is_other)
    }

    /// Returns a move that seems to be meant and the moves that the board shows so, or nothing if there are none of these.
    fn or_by_label(&self, one: &Move, typed: &[&str]) -> MoveMatch {
        let exact = WordTest { namings: ALL_NAMINGS, same: is_equal };
        let (option, rest) = split_option(typed);
        let is_shown = |other: &&Move| {
            other.is_named(typed, exact) || other.has_option_from(option) && other.is_named(rest, exact)
        };
        let others = self.all.iter().filter(|other| other.action != one.action).filter(is_shown);
        let others: Vec<String> = others.map(|other| other.name.clone()).collect();
        if others.is_empty() {
            return MoveMatch::None;
        }
        MoveMatch::Several([vec![one.name.clone()], others].concat())
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

/// Returns `true` for what separates words.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';')
}

fn split_words(text: &str) -> Vec<&str> {
    text.split(is_gap).filter(|word| !word.is_empty()).collect()
}

/// Returns the tests by whole words for all bindings of a move: with its option, without it, and with the beginning of the
/// option's name. The words are those between spaces and commas, or between spaces alone.
fn complete_tests<'t>(
    tests: &'static [WordTest],
    words: &'t [&'t str],
    by_spaces: &'t [&'t str],
) -> Vec<MoveTest<'t>> {
    let (option, rest) = split_option(words);
    let (spaced_option, spaced_rest) = split_option(by_spaces);
    let mut all: Vec<MoveTest<'t>> = vec![];
    for test in tests {
        let is_meant: TestsMove<'t> = Box::new(move |one| {
            one.has_option(option) && one.is_named(rest, *test)
                || one.has_option(spaced_option) && one.is_named(spaced_rest, *test)
        });
        all.push(MoveTest { is_meant, others: OtherMoves::Never });
    }
    for test in tests {
        let is_meant: TestsMove<'t> = Box::new(move |one| !words.is_empty() && one.is_named(words, *test));
        all.push(MoveTest { is_meant, others: OtherMoves::WithPart });
    }
    for test in tests {
        let is_meant: TestsMove<'t> =
            Box::new(move |one| !rest.is_empty() && one.has_option_from(option) && one.is_named(rest, *test));
        all.push(MoveTest { is_meant, others: OtherMoves::Never });
    }
    all
}

/// Returns the tests by whole words for the first bindings of a move, with the beginning of its option or without it.
fn first_word_tests<'t>(tests: &'static [WordTest], words: &'t [&'t str]) -> Vec<MoveTest<'t>> {
    let (option, rest) = split_option(words);
    let mut all: Vec<MoveTest<'t>> = vec![];
    for test in tests {
        let is_meant: TestsMove<'t> =
            Box::new(move |one| one.has_option_from(option) && one.begins_named(rest, *test));
        all.push(MoveTest { is_meant, others: OtherMoves::Never });
    }
    for test in tests {
        let is_meant: TestsMove<'t> = Box::new(move |one| one.begins_named(words, *test));
        all.push(MoveTest { is_meant, others: OtherMoves::WithOptionFrom });
    }
    all
}

/// Returns the first word, which may name an option, and the others.
fn split_option<'t>(words: &'t [&'t str]) -> (&'t str, &'t [&'t str]) {
    match words {
        [] => ("", words),
        [option, rest @ ..] => (*option, rest),
    }
}

/// Returns the tests by words that were written together or apart, and by the letters of columns.
fn loose_tests<'t>(loose: &'t [&'t str], first: usize) -> Vec<MoveTest<'t>> {
    let apart: TestsMove<'t> = Box::new(move |one| {
        goes_by(one, first, &|words| words.len() > 1 && words[1..].iter().eq(loose.iter()))
    });
    let together: TestsMove<'t> = Box::new(move |one| {
        goes_by(one, first, &|words| {
            is_glued(words, loose) || (words.len() > 1 && is_glued(&words[1..], loose))
        })
    });
    let by_column: TestsMove<'t> = Box::new(move |one| {
        goes_by(one, first, &|words| {
            one.column.as_deref() == loose.last().copied()
                && loose.len() <= 2
                && begins(words, &loose[..loose.len() - 1])
        })
    });
    let plain = |is_meant: TestsMove<'t>| MoveTest { is_meant, others: OtherMoves::Never };
    vec![plain(apart), plain(together), plain(by_column)]
}

/// Returns the tests by the beginnings of words, and by words with others between them.
fn beginning_tests<'t>(typed: &'t [&'t str], loose: &'t [&'t str], first: usize) -> Vec<MoveTest<'t>> {
    let by_beginnings = |typed: &'t [&'t str]| -> TestsMove<'t> {
        Box::new(move |one| {
            goes_by(one, first, &|words| {
                begins(words, typed) || (words.len() > 1 && begins(&words[1..], typed))
            })
        })
    };
    let by_parts: TestsMove<'t> = Box::new(move |one| {
        goes_by(one, first, &|words| {
            let parts = apart_at_dashes(words);
            begins(&parts, loose) || begins(parts.get(1..).unwrap_or_default(), loose)
        })
    });
    let by_order: TestsMove<'t> = Box::new(move |one| goes_by(one, first, &|words| in_order(words, loose)));
    let tests = [by_beginnings(typed), by_beginnings(loose), by_parts, by_order];
    tests.into_iter().map(|is_meant| MoveTest { is_meant, others: OtherMoves::Never }).collect()
}

/// Tests a move by each of its spellings from the first one on.
fn goes_by(one: &Move, first: usize, test: &dyn Fn(&[String]) -> bool) -> bool {
    one.spellings()[first..].iter().any(|words| test(words))
}

/// Returns `true` if typed words are names of all things, each by one of its names, in the order of the things; from the place
/// `ordered` on in any order.
fn name_all(names: &[Vec<&str>], typed: &[&str], ordered: usize, same: fn(&str, &str) -> bool) -> bool {
    if names.len() != typed.len() {
        return false;
    }
    let (placed, free) = names.split_at(ordered.min(names.len()));
    let is_one = |names: &Vec<&str>, word: &str| names.iter().any(|name| same(name, word));
    let mut left: Vec<&Vec<&str>> = free.iter().collect();
    placed.iter().zip(typed).all(|(names, word)| is_one(names, word))
        && typed[placed.len()..].iter().all(|word| {
            let found = left.iter().position(|names| is_one(names, word));
            found.map(|at| left.remove(at)).is_some()
        })
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

/// Returns the words of a move, with compound names such as `a1-south` or `take_task` split.
fn apart_at_dashes(words: &[String]) -> Vec<String> {
    words.iter().flat_map(|word| word.split(['-', '_'])).map(str::to_owned).collect()
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
