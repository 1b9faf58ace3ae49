//! The legal moves: listed so that they fit on a screen, and matched with what people type.
//!
//! Treats moves as words only: an option, followed by its bindings.

mod groups;

use crate::board::Notation;
use crate::diagnostic::did_you_mean;
use crate::explain::plural;
use crate::game::{ActionId, State};
use crate::model::{ChoiceOption, DomainId, DomainKind, Expr, ExprKind, Model, Value};
use crate::paint::COLUMNS;
use crate::report::columns::wrap;
use groups::MOST_LISTED;

/// Maximum number of moves that are numbered.
const MOST_NUMBERED: usize = 20;

/// Maximum number of moves that `moves` lists individually if they can be grouped.
const MOST_READ: usize = 400;

/// Maximum number of lines of the list shown before a decision.
const FEW_LINES: usize = 8;

/// Maximum number of lines if there are too many moves to read them all.
const FEWEST_LINES: usize = 3;

/// No limit on the length of a list.
const MOST_ROOM: usize = usize::MAX;

/// Placeholder for a space at which lines must not be broken.
const GLUE: &str = "\u{1}";

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) action: ActionId,
    /// The name as shown to players.
    pub(super) name: String,
    /// The option and its bindings, in lower case.
    words: Vec<String>,
    /// The letter of the board column that the move's number refers to.
    column: Option<String>,
}

/// The legal moves of a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct LegalMoves {
    pub(super) all: Vec<Move>,
    /// The help text of each option.
    help: Vec<(String, String)>,
    /// Options that are legal on exactly the empty sites, with the plural name of the sites.
    anywhere: Vec<(String, String)>,
    /// Options that take a subset of a set.
    subsets: Vec<String>,
    /// Whether the list has numbers that can be typed.
    pub(super) numbered: bool,
    /// The words that all these moves begin with, if they are a group.
    prefix: Vec<String>,
    /// The number of these words that the player chose. The others follow from them.
    chosen: usize,
    /// Maximum width of the list, including what precedes its lines.
    columns: usize,
}

/// What an input refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputMatch {
    /// One move.
    One(ActionId),
    /// Several moves.
    Several(Vec<String>),
    /// A group of moves, given by the words they begin with.
    Group(Vec<String>),
    /// No move.
    None,
}

impl LegalMoves {
    /// Returns the legal moves of a state.
    pub(super) fn of(state: &State, columns: usize) -> LegalMoves {
        let game = state.game();
        let names = state.legal_actions().into_iter().map(|action| (action, game.action_name(action)));
        let choice = state.pending_choice().map(|choice| &game.model().choices[choice.index()]);
        let options = choice.map(|choice| choice.options.as_slice()).unwrap_or_default();
        let help = options.iter().map(|option| (option.name.clone(), option.help.clone())).collect();
        let mut moves = LegalMoves { columns, ..LegalMoves::named(names, help) };
        for option in options {
            if option.binders.iter().any(|binder| binder.subset) {
                moves.subsets.push(option.name.to_lowercase());
                continue;
            }
            match option.binders.as_slice() {
                [binder] if is_anywhere(state, option, binder.domain) => {
                    let site = plural(&game.model().domains[binder.domain.index()].name);
                    moves.anywhere.push((option.name.to_lowercase(), site));
                }
                [binder] if are_columns(game.model(), &binder.over) => moves.letter_columns(&option.name),
                _ => {}
            }
        }
        moves.descend();
        moves.number();
        moves
    }

    /// Allows the columns of an option to be given by their letters, too.
    fn letter_columns(&mut self, option: &str) {
        for one in self.all.iter_mut().filter(|one| one.words[0].eq_ignore_ascii_case(option)) {
            let number = one.words.get(1).and_then(|word| word.parse::<u8>().ok());
            one.column = number
                .and_then(|number| b'a'.checked_add(number.checked_sub(1)?))
                .map(|letter| char::from(letter).to_string());
        }
    }

    fn named(names: impl Iterator<Item = (ActionId, String)>, help: Vec<(String, String)>) -> LegalMoves {
        let all: Vec<Move> = names
            .map(|(action, name)| {
                let words = name.split_whitespace().map(str::to_lowercase).collect();
                Move { action, name, words, column: None }
            })
            .collect();
        let mut moves = LegalMoves { all, help, columns: COLUMNS, ..LegalMoves::default() };
        moves.number();
        moves
    }

    /// Decides whether the list has numbers. If moves contain numbers themselves, those of the list would be
    /// confused with them.
    fn number(&mut self) {
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let few = self.all.len() <= MOST_NUMBERED;
        self.numbered = match self.is_grouped() {
            true => self.groups_are_numbered(&self.groups()),
            false => few && !self.all.iter().any(|one| one.words.iter().any(is_number)),
        };
    }

    /// Returns `true` if the name of an option begins with `start`.
    pub(super) fn has_option_from(&self, start: &str) -> bool {
        self.all.iter().any(|one| one.words[0].starts_with(start))
    }

    /// Returns the names of the moves, for the Tab key.
    pub(super) fn names(&self) -> Vec<String> {
        self.all.iter().map(|one| one.name.clone()).collect()
    }

    /// Returns the names of the options.
    pub(super) fn options(&self) -> Vec<&str> {
        let mut options: Vec<&str> = self.all.iter().filter_map(|one| one.name.split(' ').next()).collect();
        options.dedup();
        options
    }

    /// Returns `true` if a word is the name of an option.
    pub(super) fn is_option(&self, word: &str) -> bool {
        self.all.iter().any(|one| one.words.first().is_some_and(|option| option == word))
    }

    /// Returns the list, shortened to leave room for the board.
    pub(super) fn list(&self) -> Vec<String> {
        if self.is_grouped() {
            return self.group_lines();
        }
        let room = if self.all.len() > MOST_LISTED { FEWEST_LINES } else { FEW_LINES };
        self.lines(&self.all.iter().collect::<Vec<_>>(), room)
    }

    /// Lists all moves, or those with a word that begins with `filter`. Too many moves are listed in groups.
    pub(super) fn long_list(&self, filter: &str) -> Vec<String> {
        let filter = filter.to_lowercase();
        let fits = |one: &&Move| filter.is_empty() || one.words.iter().any(|word| word.starts_with(&filter));
        let fitting: Vec<&Move> = self.all.iter().filter(fits).collect();
        if fitting.len() > MOST_READ && self.is_grouped() {
            let mut lines = self.group_lines();
            lines.push(format!("  `moves` and a word lists those with it, if they are at most {MOST_READ}"));
            return lines;
        }
        self.lines(&fitting, MOST_ROOM)
    }

    fn lines(&self, moves: &[&Move], room: usize) -> Vec<String> {
        let mut options: Vec<&str> = Vec::new();
        for one in moves {
            let option = one.words.first().map_or("", String::as_str);
            if !options.contains(&option) {
                options.push(option);
            }
        }
        let each = (room / options.len().max(1)).max(1);
        let mut lines = Vec::new();
        for option in options {
            let group: Vec<&Move> =
                moves.iter().copied().filter(|one| one.words.first().is_some_and(|w| w == option)).collect();
            lines.extend(self.group(&group, each));
        }
        lines
    }

    /// Formats the moves of one option.
    fn group(&self, group: &[&Move], room: usize) -> Vec<String> {
        let Some(first) = group.first() else { return vec![] };
        let name = first.name.split_whitespace().next().unwrap_or("");
        let help = self.help.iter().find(|(option, _)| option == name).map_or("", |(_, help)| help);
        let help = if help.is_empty() { String::new() } else { format!("  {help}") };
        let mut parts: Vec<String> = Vec::new();
        if self.numbered {
            let number = |one: &Move| self.all.iter().position(|other| other == one).map_or(0, |at| at + 1);
            parts.extend(group.iter().map(|one| format!("{} {}", number(one), one.name)));
        } else if first.words.len() > 2 && !self.subsets.contains(&first.words[0]) {
            // Groups by the first binding: `a2: a3 b3`.
            let mut heads: Vec<(&str, Vec<String>)> = Vec::new();
            for one in group {
                let mut words = one.name.split_whitespace().skip(1);
                let head = words.next().unwrap_or("");
                let rest = words.collect::<Vec<_>>().join(" ");
                match heads.last_mut() {
                    Some((last, rests)) if *last == head => rests.push(rest),
                    _ => heads.push((head, vec![rest])),
                }
            }
            parts.extend(heads.into_iter().map(|(head, rests)| format!("{head}: {}", rests.join(" "))));
        } else {
            parts.extend(
                group.iter().map(|one| {
                    one.name.split_once(' ').map_or_else(String::new, |(_, rest)| rest.to_owned())
                }),
            );
        }
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let anywhere = self.anywhere.iter().find(|(option, _)| *option == first.words[0]);
        if let (Some((_, site)), true, false) = (anywhere, room < MOST_ROOM, self.numbered) {
            let (n, example) = (group.len(), &first.name);
            return vec![
                self.with_help(format!("{name} on any of the {n} empty {site}, such as `{example}`"), &help),
            ];
        }
        let subsets = !self.numbered && self.subsets.contains(&first.words[0]);
        if subsets {
            let single: Vec<&str> = parts
                .iter()
                .map(String::as_str)
                .filter(|part| !part.contains(' ') && *part != "none")
                .collect();
            if group.len() > 2 && 1usize.checked_shl(single.len() as u32) == Some(group.len()) {
                let two = group.iter().find(|one| one.words.len() == 3).unwrap_or(&group[group.len() - 1]);
                let (any, example) = (single.join(" "), &two.name);
                return vec![
                    self.with_help(format!("{name} any of {any}, or none, such as `{example}`"), &help),
                ];
            }
        }
        let columns = match (group.first(), group.last()) {
            (Some(Move { column: Some(first), .. }), Some(Move { column: Some(last), .. }))
                if group.len() > 1 =>
            {
                format!(", columns {first} to {last}")
            }
            _ => String::new(),
        };
        let several = group.len() > 1;
        let mut lines = match (self.numbered, several) {
            (true, _) => vec![],
            (false, true) => vec![self.with_help(format!("{name}, {} moves{columns}", group.len()), &help)],
            (false, false) => vec![self.with_help(first.name.clone(), &help)],
        };
        if self.numbered || several {
            // Parts aren't broken across lines.
            let gap = match subsets {
                true => ",",
                false if self.numbered || first.words.len() > 2 => GLUE,
                false => "",
            };
            let glued: Vec<String> = parts.iter().map(|part| part.replace(' ', GLUE) + gap).collect();
            let all = wrap(&glued.join(" "), self.columns - 6);
            let indent = if self.numbered { "" } else { "  " };
            let room = room.saturating_sub(lines.len()).max(1);
            let shown = &all[..all.len().min(room)];
            lines.extend(
                shown.iter().map(|line| {
                    format!("{indent}{}", line.replace(GLUE, " ").trim_end().trim_end_matches(','))
                }),
            );
            if shown.len() < all.len() {
                lines.push(format!("{indent}… `moves` lists all {}", group.len()));
            } else if self.numbered && lines.len() == 1 && !help.is_empty() {
                let line = &mut lines[0];
                if line.chars().count() + help.chars().count() + 2 <= self.columns - 4 {
                    line.push_str(&help);
                }
            }
        }
        lines
    }

    /// Appends a help text to a line, or as much of it as fits.
    fn with_help(&self, line: String, help: &str) -> String {
        let room = (self.columns - 4).saturating_sub(line.chars().count());
        if help.chars().count() <= room {
            return line + help;
        }
        let cut: String = help.chars().take(room.saturating_sub(2)).collect();
        match cut.rsplit_once(' ') {
            Some((words, _)) if words.trim().contains(' ') => format!("{line}{words} …"),
            _ => line,
        }
    }

    /// Returns what an input refers to: by the full name of a move, its number in the list, or a part that
    /// matches only one move.
    pub(super) fn meant(&self, text: &str) -> InputMatch {
        let text = text.trim().to_lowercase();
        if self.numbered
            && let Ok(number) = text.trim_start_matches('#').parse::<usize>()
        {
            let listed = || {
                number.checked_sub(1).and_then(|at| self.all.get(at)).map(|one| InputMatch::One(one.action))
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
            return InputMatch::None;
        }
        let bound = |one: &Move| one.words.len() > 1;
        let tests: [&dyn Fn(&Move) -> bool; 9] = [
            &|one| one.words.iter().eq(typed.iter()),
            &|one| bound(one) && one.words[1..].iter().eq(typed.iter()),
            &|one| bound(one) && one.words[1..].iter().eq(loose.iter()),
            &|one| {
                one.words.concat() == loose.concat()
                    || (bound(one) && one.words[1..].concat() == loose.concat())
            },
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
            // Without its option, `red` is the whole of `purple red`, but also the beginning of `die red 2`.
            if let (1, [one]) = (at, fitting.as_slice()) {
                let option = &one.words[0];
                let goes_on = |other: &&Move| {
                    other.words[0] != *option
                        && other.words.len() > typed.len() + 1
                        && other.words[1..].iter().zip(&typed).all(|(word, typed)| word == typed)
                };
                fitting.extend(self.all.iter().filter(goes_on));
            }
            match fitting.as_slice() {
                [] => {}
                [one] => return InputMatch::One(one.action),
                many => {
                    let group = || self.group_of(many, typed.len()).map(InputMatch::Group);
                    let names = || InputMatch::Several(many.iter().map(|one| one.name.clone()).collect());
                    return match many.len() > MOST_LISTED || self.is_grouped() {
                        true => group().unwrap_or_else(names),
                        false => names(),
                    };
                }
            }
        }
        InputMatch::None
    }

    /// Returns the legal moves that resemble a text, the closest first.
    pub(super) fn near(&self, text: &str) -> Vec<String> {
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

/// Returns `true` if the legal moves of an option are exactly the empty sites of a board.
fn is_anywhere(state: &State, option: &ChoiceOption, domain: DomainId) -> bool {
    let game = state.game();
    let model = game.model();
    let DomainKind::Sites(board) = model.domains[domain.index()].kind else { return false };
    let board = &model.boards[board.index()];
    let Value::Set(empty) = state.value(board.empty, 0) else { return false };
    let block = &model.actions[option.actions.index()];
    let own = |action: &ActionId| (block.first..block.first + block.size).contains(&action.0);
    let legal: Vec<ActionId> = state.legal_actions().into_iter().filter(own).collect();
    board.index.is_empty()
        && legal.len() == empty.iter().count()
        && legal.iter().all(|action| empty.contains(action.0 - block.first))
}

/// Returns `true` if a set consists of columns of a board that names them with letters.
fn are_columns(model: &Model, set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Columns(board, _) => {
            let topology = &model.boards[board.index()].topology;
            topology.notation() == Notation::Letters && topology.width() <= 26
        }
        ExprKind::Intersect(a, b) => are_columns(model, a) || are_columns(model, b),
        ExprKind::Minus(a, _) | ExprKind::Filter { over: a, .. } => are_columns(model, a),
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(names: &[&str]) -> LegalMoves {
        let names = (0u32..).map(ActionId).zip(names.iter().map(|name| (*name).to_owned()));
        LegalMoves::named(names, vec![("place".into(), "put a dot".into())])
    }

    fn meant(moves: &LegalMoves, text: &str) -> String {
        match moves.meant(text) {
            InputMatch::One(action) => moves.all[action.0 as usize].name.clone(),
            InputMatch::Several(names) => names.join("|"),
            InputMatch::Group(words) => format!("{} …", words.join(" ")),
            InputMatch::None => "?".to_owned(),
        }
    }

    #[test]
    fn a_word_that_also_begins_a_longer_move_is_not_clear() {
        let some = moves(&["die red 2", "die red 4", "purple red", "purple blue"]);
        assert_eq!(meant(&some, "red"), "purple red|die red 2|die red 4");
        assert_eq!(meant(&some, "blue"), "purple blue");
        assert_eq!(meant(&some, "purple red"), "purple red");
        assert_eq!(meant(&some, "red 4"), "die red 4");
        assert!(some.has_option_from("d") && !some.has_option_from("m"));
    }

    #[test]
    fn short_forms_mean_one_move() {
        let some = moves(&["place c5", "place e3", "joker e3", "joker d4", "pass"]);
        for (text, name) in [
            ("place c5", "place c5"),
            (" PLACE  C5", "place c5"),
            ("c5", "place c5"),
            ("e3", "place e3|joker e3"),
            ("j e3", "joker e3"),
            ("d", "joker d4"),
            ("p", "place c5|place e3|pass"),
            ("pa", "pass"),
            ("jo d", "joker d4"),
            ("placec5", "place c5"),
            ("4", "joker d4"),
            ("#5", "pass"),
            ("6", "?"),
            ("c9", "?"),
            ("", "?"),
            (" - ", "?"),
            (">,;:", "?"),
            ("\u{0}é #", "?"),
        ] {
            assert_eq!(meant(&some, text), name, "{text}");
        }
    }

    #[test]
    fn what_ends_in_a_digit_is_whole() {
        let some = moves(&["place c10", "place c11", "place d1"]);
        assert_eq!(meant(&some, "c1"), "?");
        assert_eq!(meant(&some, "c"), "place c10|place c11");
        assert_eq!(meant(&some, "c10"), "place c10");
    }

    #[test]
    fn two_squares_in_any_way() {
        let some = moves(&["move a2 a3", "move a2 b3", "move c2 b3", "move c2 c3"]);
        for text in ["a2 b3", "a2b3", "a2-b3", "a2,b3", "move a2 b3", "move a2-b3", "m a2 b", "a2 > b3"] {
            assert_eq!(meant(&some, text), "move a2 b3", "{text}");
        }
        assert_eq!(meant(&some, "a3"), "move a2 a3");
        assert_eq!(meant(&some, "a2"), "move a2 a3|move a2 b3");
    }

    #[test]
    fn numbers_that_are_moves_are_no_places_in_the_list() {
        let some = moves(&["drop 3", "drop 1", "drop 7"]);
        assert_eq!([meant(&some, "1"), meant(&some, "2"), meant(&some, "drop 7")], ["drop 1", "?", "drop 7"]);
    }

    #[test]
    fn names_of_several_parts_come_apart() {
        let some = moves(&["draw a1-south", "draw a1-north", "draw b1-south"]);
        for text in ["a1-south", "a1 south", "a1 s", "a1-s", "draw a1 s", "d a1-so"] {
            assert_eq!(meant(&some, text), "draw a1-south", "{text}");
        }
        assert_eq!(meant(&some, "a1"), "draw a1-south|draw a1-north");
    }

    #[test]
    fn columns_may_be_letters() {
        let mut some = moves(&["drop 1", "drop 3", "drop 4", "drop 7"]);
        assert_eq!(meant(&some, "d"), "drop 1|drop 3|drop 4|drop 7");
        some.letter_columns("drop");
        for text in ["c", "drop c", "d c", "3"] {
            assert_eq!(meant(&some, text), "drop 3", "{text}");
        }
        assert_eq!([meant(&some, "b"), meant(&some, "x c"), meant(&some, "g")], ["?", "?", "drop 7"]);
        assert_eq!(meant(&some, "d"), "drop 4");
        assert_eq!(some.list()[0], "drop, 4 moves, columns a to g");
    }

    #[test]
    fn subsets_are_said_in_one_line() {
        let names = ["reroll none", "reroll 1", "reroll 2", "reroll 1 2"];
        let mut some = moves(&names);
        some.subsets.push("reroll".to_owned());
        assert_eq!(some.list(), ["reroll any of 1 2, or none, such as `reroll 1 2`"]);
        assert_eq!(
            [meant(&some, "1"), meant(&some, "12"), meant(&some, "none")],
            ["reroll 1", "reroll 1 2", "reroll none"]
        );
        let mut some = moves(&names[1..]);
        some.subsets.push("reroll".to_owned());
        assert_eq!(some.list(), ["reroll, 3 moves", "  1, 2, 1 2"]);
    }

    #[test]
    fn lists_are_short() {
        let names: Vec<String> = (0..400u32)
            .map(|n| format!("place {}{}", char::from(b'a' + (n / 20) as u8), n % 20 + 1))
            .collect();
        let many = moves(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let list = many.list();
        assert!(list.len() <= FEW_LINES + 1, "{list:#?}");
        assert_eq!(list[0], "place, 400 moves  put a dot");
        assert_eq!(list.last().unwrap(), "  … `moves` lists all 400");
        assert!(many.long_list("").concat().contains("t20"));
        assert!(many.long_list("").iter().all(|line| line.chars().count() <= COLUMNS));
        assert_eq!(many.long_list("c1 ").len(), 0);
        assert!(many.long_list("c").concat().contains("c20"));
        assert_eq!(moves(&["place c5", "place e3"]).list(), ["1 place c5  2 place e3  put a dot"]);
    }

    #[test]
    fn near_moves() {
        let some = moves(&["place c5", "place e3", "pass"]);
        assert_eq!(some.near("plaec c5"), ["place c5"]);
        assert_eq!(some.near("pas"), ["pass"]);
    }
}
