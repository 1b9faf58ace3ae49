//! Unit tests of lists of moves and of what people type.

use super::list::FEW_LINES;
use super::*;

fn moves(names: &[&str]) -> LegalMoves {
    let names = (0u32..).map(ActionId).zip(names.iter().map(|name| (*name).to_owned()));
    LegalMoves::named(names, vec![("place".into(), "put a dot".into())])
}

fn resolved(moves: &LegalMoves, text: &str) -> String {
    match moves.resolve(text) {
        MoveMatch::One(action) => moves.all[action.0 as usize].name.clone(),
        MoveMatch::Several(names) => names.join("|"),
        MoveMatch::Group(words) => format!("{} …", words.join(" ")),
        MoveMatch::None => "?".to_owned(),
    }
}

#[test]
fn a_word_that_also_begins_a_longer_move_is_not_clear() {
    let some = moves(&["die red 2", "die red 4", "purple red", "purple blue"]);
    assert_eq!(resolved(&some, "red"), "purple red|die red 2|die red 4");
    assert_eq!(resolved(&some, "blue"), "purple blue");
    assert_eq!(resolved(&some, "purple red"), "purple red");
    assert_eq!(resolved(&some, "red 4"), "die red 4");
    assert!(some.has_option_from("d") && !some.has_option_from("m"));
    let hints = moves(&["tell player-2 1", "tell player-2 4", "play 1", "play 2"]);
    assert_eq!(resolved(&hints, "1"), "play 1|tell player-2 1", "it may mean either");
    assert_eq!([resolved(&hints, "2"), resolved(&hints, "play 1")], ["play 2", "play 1"]);
}

#[test]
fn names_of_several_words_have_hyphens() {
    let some = moves(&["take_task P4", "take_task B1", "no_signal"]);
    let list = some.list().join("\n");
    assert!(list.contains("take-task P4") && list.contains("no-signal") && !list.contains('_'), "{list}");
    for text in ["take-task P4", "take task p4", "take_task P4", "task P4"] {
        assert_eq!(resolved(&some, text), "take_task P4", "{text}");
    }
    assert_eq!([resolved(&some, "no signal"), resolved(&some, "no-signal")], ["no_signal", "no_signal"]);
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
        assert_eq!(resolved(&some, text), name, "{text}");
    }
}

#[test]
fn two_numbers_are_not_one() {
    let some = moves(&["lay 3 11", "lay 3 1 2"]);
    assert_eq!(resolved(&some, "lay 3 1 1"), "?");
    assert_eq!(resolved(&some, "lay311"), "lay 3 11");
    assert_eq!(resolved(&some, "lay 3 1 2"), "lay 3 1 2");
}

#[test]
fn what_ends_in_a_digit_is_whole() {
    let some = moves(&["place c10", "place c11", "place d1"]);
    assert_eq!(resolved(&some, "c1"), "?");
    assert_eq!(resolved(&some, "c"), "place c10|place c11");
    assert_eq!(resolved(&some, "c10"), "place c10");
}

#[test]
fn two_squares_in_any_way() {
    let some = moves(&["move a2 a3", "move a2 b3", "move c2 b3", "move c2 c3"]);
    for text in ["a2 b3", "a2b3", "a2-b3", "a2,b3", "move a2 b3", "move a2-b3", "m a2 b", "a2 > b3"] {
        assert_eq!(resolved(&some, text), "move a2 b3", "{text}");
    }
    assert_eq!(resolved(&some, "a3"), "move a2 a3");
    assert_eq!(resolved(&some, "a2"), "move a2 a3|move a2 b3");
}

#[test]
fn numbers_that_are_moves_are_no_places_in_the_list() {
    let some = moves(&["drop 3", "drop 1", "drop 7"]);
    assert_eq!(
        [resolved(&some, "1"), resolved(&some, "2"), resolved(&some, "drop 7")],
        ["drop 1", "?", "drop 7"]
    );
}

#[test]
fn names_of_several_parts_come_apart() {
    let some = moves(&["draw a1-south", "draw a1-north", "draw b1-south"]);
    for text in ["a1-south", "a1 south", "a1 s", "a1-s", "draw a1 s", "d a1-so"] {
        assert_eq!(resolved(&some, text), "draw a1-south", "{text}");
    }
    assert_eq!(resolved(&some, "a1"), "draw a1-south|draw a1-north");
}

#[test]
fn columns_may_be_letters() {
    let mut some = moves(&["drop 1", "drop 3", "drop 4", "drop 7"]);
    assert_eq!(resolved(&some, "d"), "drop 1|drop 3|drop 4|drop 7");
    some.letter_columns("drop");
    for text in ["c", "drop c", "d c", "3"] {
        assert_eq!(resolved(&some, text), "drop 3", "{text}");
    }
    assert_eq!([resolved(&some, "b"), resolved(&some, "x c"), resolved(&some, "g")], ["?", "?", "drop 7"]);
    assert_eq!(resolved(&some, "d"), "drop 4");
    assert_eq!(some.list()[0], "drop, 4 moves, columns a to g");
}

#[test]
fn subsets_are_said_in_one_line() {
    let names = ["reroll none", "reroll 1", "reroll 2", "reroll 1 2"];
    let mut some = moves(&names);
    some.subsets.push("reroll".to_owned());
    assert_eq!(some.list(), ["reroll any of 1 2, or none, such as `reroll 1 2`"]);
    assert_eq!(
        [resolved(&some, "1"), resolved(&some, "12"), resolved(&some, "none")],
        ["reroll 1", "reroll 1 2", "reroll none"]
    );
    let mut some = moves(&names[1..]);
    some.subsets.push("reroll".to_owned());
    assert_eq!(some.list(), ["reroll, 3 moves", "  1, 2, 1 2"]);
}

#[test]
fn moves_that_name_several_things_are_told_apart_in_lists() {
    assert_eq!(moves(&["lay 3", "lay 4", "lay 3 4"]).list(), ["lay, 3 moves", "  3, 4, 3 4"]);
    let threes = moves(&["lay 3 4 5", "lay 3 4 6", "lay 4 5 6"]);
    assert_eq!(threes.list(), ["lay, 3 moves", "  3: 4 5, 4 6  4: 5 6"]);
    assert_eq!(moves(&["lay", "lay 3", "lay 4"]).list(), ["lay", "lay, 2 moves", "  3 4"]);
    let group = moves(&["lay 3", "lay 3 4", "lay 3 5 6"]).narrowed(&["lay".to_owned()]);
    let lines =
        ["lay 3 …, 3 moves", "  4  5", "  `lay 3` alone is a move, too", "  Enter goes back to all moves"];
    assert_eq!(group.list(), lines);
}

#[test]
fn the_same_upper_and_lower_case_comes_first() {
    let mut some = moves(&["name clubs", "name hearts", "name stars"]);
    for (one, label) in some.all.iter_mut().zip(["C", "H", "c"]) {
        one.labels[1] = label.to_owned();
    }
    for (text, name) in [
        ("name c", "name stars"),
        ("name C", "name clubs"),
        ("name h", "name hearts"),
        ("name cl", "name clubs"),
        ("name s", "name stars"),
        ("n C", "name clubs"),
    ] {
        assert_eq!(resolved(&some, text), name, "{text}");
    }
    some.all[1].labels[1] = "C".to_owned();
    assert_eq!(resolved(&some, "name C"), "name clubs|name hearts");
}

#[test]
fn lists_are_short() {
    let names: Vec<String> =
        (0..400u32).map(|n| format!("place {}{}", char::from(b'a' + (n / 20) as u8), n % 20 + 1)).collect();
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

#[test]
fn a_long_help_is_cut_in_the_short_list_and_whole_in_the_long_one() {
    let help = "show a pair and play one card of it: 20 points, or 40 if it is a pair of spades, which nobody may do twice in a game";
    for names in [&["marry 3"][..], &["marry 3", "marry 4"], &["marry 3 4", "marry 3 5", "marry 4 5"]] {
        let all = (0u32..).map(ActionId).zip(names.iter().map(|name| (*name).to_owned()));
        let some = LegalMoves::named(all, vec![("marry".into(), help.into())]);
        assert!(some.list().join("\n").contains("show a pair and play"), "{:?}", some.list());
        let long = some.long_list("").join(" ");
        let words: Vec<&str> = long.split_whitespace().collect();
        assert!(words.join(" ").contains(help), "{long}");
    }
}

#[test]
fn a_short_help_is_whole_in_a_line_of_its_own_where_two_words_would_fit() {
    let names = ["ask player-2 four", "ask player-2 ten", "ask player-2 jack", "ask player-2 queen"];
    let line = "1 ask player-2 four  2 ask player-2 ten  3 ask player-2 jack  4 ask player-2 queen";
    let list = |more: &[&str]| {
        let names = names.iter().chain(more).map(|name| (*name).to_owned());
        let all = (0u32..).map(ActionId).zip(names);
        LegalMoves::named(all, vec![("ask".into(), "ask a player for a rank".into())]).list()
    };
    assert_eq!(list(&[]), [line, "    ask a player for a rank"]);
    // Among many options each has a single line.
    assert_eq!(list(&["pass", "bet", "fold", "call"])[..2], [line, "5 pass"]);
}
