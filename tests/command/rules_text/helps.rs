//! What the help texts of procedures, options and steps leave to be told, and what they say already.

use super::{joined, page, part, rules_of, tells};
use houserule::loader::{Request, load_text};
use houserule::prose::full_rules;

/// A turn of a card game for three with one option, and a setup that calls the same procedure.
fn asking(option: &str) -> String {
    joined(&rules_of(&format!(
        "game \"Ask\" {{ players 3
           var n[player]: 0..9 = 0
           var got: 0..9 = 0
           procedure collect(p) \"books are laid open\" {{ n[p] += 1 }}
           setup {{ for p in players {{ collect(p) }} }}
           turn {{ step ask \"Ask somebody.\" {{ choose {{
             ask p in players - me \"ask for cards\" {{ {option} }}
             rest \"keep quiet\" {{ }}
           }} }} }}
           end out when n[me] == 9 }}"
    )))
}

#[test]
fn what_follows_a_case_that_leaves_the_turn_is_told_as_the_other_case() {
    let told = |statements: &str, words: &str| {
        tells(
            &asking(statements),
            &[&format!("- ask for cards - p is one of the other players {words} - rest: keep quiet")],
        );
    };
    // What comes in both cases is told once.
    told(
        "got = n[p] if got > 0 { collect(me) again } got = 2 collect(me)",
        "- books are laid open - if got is more than 0: the same player plays again",
    );
    told("if got == 0 { got = 1 done } collect(me)", "- if got is not 0: books are laid open");
    told("if got > 0 { collect(me) done } got = 2", "- if got is more than 0: books are laid open");
    told(
        "if got > 0 { collect(me) done } collect(p)",
        "- if got is more than 0: books are laid open - if not: books are laid open (the player is p)",
    );
    told(
        "if got > 0 { again } collect(me) if got == 3 { again }",
        "- if got is more than 0: the same player plays again - if got is at most 0: books are laid open \
         - if got is at most 0, and if got is 3: the same player plays again",
    );
}

/// What comes in the second and in the third of three cases doesn't come in the first.
#[test]
fn what_comes_in_the_last_two_of_three_cases_keeps_its_cases() {
    let told = page(
        "var n: 0..9 = 0
         procedure pay() \"a coin is paid\" { n += 1 }
         procedure gain() \"a coin is gained\" { n = 0 }
         turn { step act \"Go on.\" { choose { place c in empty \"mark\" {
             put mark[me] at c
             if n == 1 { gain() } else if n == 2 { pay() } else { pay() } } otherwise { } } } }
         end when empty is nothing",
    );
    let words = "- if n is 1: a coin is gained - if not, and n is 2: a coin is paid - if not: a coin is paid";
    tells(&told, &[words]);
}

#[test]
fn a_help_is_told_once_in_each_option_and_not_with_a_name_that_means_something_else() {
    let told = page(
        "var n: 0..9 = 0
         procedure look(f) \"the mark counts\" { if f in edge { n += 1 } }
         procedure shift_by(k) \"all go k steps\" { n = k }
         procedure pay() \"a coin is paid\" { n += 1 }
         turn { step act \"Do one thing.\" { choose {
             lay f in empty, g in empty \"put two marks\" { put mark[me] at f | g look(f) look(g) look(shift(g, north)) }
             go g in empty, i in 1..3 \"move all\" { look(g) shift_by(i) }
             buy \"pay twice\" { pay() pay() if n > 5 { pay() } } } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &["- lay: put two marks - f is one of the empty places, g is one of the empty places \
             - the mark counts - the mark counts (the place one step north from g) - go: move all \
             - g is one of the empty places, i is from 1 to 3 - the mark counts (f is g) - all go i steps \
             - buy: pay twice - twice: a coin is paid - if n is more than 5: a coin is paid"],
    );
}

#[test]
fn who_plays_again_is_told_unless_a_help_does() {
    let told = |help: &str, step: &str| {
        page(&format!(
            "var n: 0..9 = 0
             turn {{ step throw \"{step}\" {{ choose {{
                 place c in empty \"{help}\" {{ put mark[me] at c let k = row(c) if row(c) == 3 {{ n = 1 again }} if k == 2 {{ again }} }}
                 stay \"do nothing\" {{ }} }} }} }}
             end when empty is nothing",
        ))
    };
    let again = "- c is one of the empty places - if the row of c is 3: the same player plays again";
    tells(&told("mark a square", "Mark it."), &[&format!("mark a square {again} - stay: do nothing")]);
    for (help, step) in [("mark, in row 3 play again", "Mark it."), ("mark", "Mark it, and go on in row 3.")]
    {
        let told = told(help, step);
        assert!(!told.contains("the same player"), "{told}");
    }
}

#[test]
fn a_label_that_begins_its_own_line_and_a_line_that_says_what_its_step_says_are_left_out() {
    let told = |options: &str| {
        page(&format!(
            "turn {{ step lay \"Lay a mark.\" {{ choose {{ {options} }} }} }} end when empty is nothing"
        ))
    };
    let lay = "lay c in empty \"lay a mark\" { put mark[me] at c }";
    let empty = told(&format!("{lay} otherwise {{ }}"));
    assert!(empty.ends_with(" A turn 1. lay: Lay a mark."), "{empty}");
    let two = told(&format!("{lay} stop \"Stop here\" {{ }} wait \"stop for a while\" {{ }}"));
    tells(&two, &["Lay a mark. - lay a mark - Stop here - wait: stop for a while"]);
    // What limits the option is told below it, and an end speaks of it by its name.
    tells(
        &told(&lay.replace("empty \"", "empty where row(c) > 1 \"")),
        &["Lay a mark. - lay a mark - c is one of the empty places, if the row of c is more than 1"],
    );
    tells(
        &told(&format!("{lay} stop \"stop here\" {{ end game: draw }}")),
        &["Lay a mark. - lay a mark - stop: stop here"],
    );
    // In full, each option has its name.
    let rules = format!(
        "game \"Told\" {{ players X, O board cell = grid(3, 3) piece mark[player]
         turn {{ step lay \"Lay a mark.\" {{ choose {{ {lay} }} }} }} end when empty is nothing }}"
    );
    let full = full_rules(&load_text("told", &rules, &Request::default()).unwrap().game, 200);
    tells(&joined(&full), &["Lay a mark. - lay: lay a mark - c is one of the empty places"]);
}

#[test]
fn a_choice_without_a_help_that_has_one_option_needs_no_sentence_of_its_own() {
    let told = |options: &str| page(&format!("turn {{ choose {{ {options} }} }} end when empty is nothing"));
    let lay = "lay c in empty { put mark[me] at c }";
    let words = "A turn 1. lay: c is one of the empty places; put your mark at c";
    tells(&told(&format!("{lay} otherwise {{ }}")), &[words]);
    let two = told(&format!("{lay} rest {{ }}"));
    tells(&two, &["A turn 1. Choose one. - lay: c is one of"]);
    let stuck = told(&format!("{lay} otherwise {{ put mark[me] at empty }}"));
    tells(
        &stuck,
        &["1. Choose one. - lay:", "- if nothing of this is possible: put your marks at the empty places"],
    );
    assert!(!two.contains("if nothing of this"), "{two}");
}

#[test]
fn a_term_is_what_a_formula_names_and_not_a_word_of_a_help() {
    let told = page(
        "var n: 0..9 = 0
         define equal(c) = row(c) == column(c)
         define last = count(mark[me])
         define beats(c, d) = row(c) > row(d)
         define worth(c) = row(c) + column(c)
         define likes(c) = worth(c) > 3
         turn {
             step lay \"Lay a mark on any equal square; the last one beats “worth”.\" {
                 choose { lay c in empty where likes(c) \"lay it\" { put mark[me] at c if equal(c) { n = last } } otherwise { } } }
             step count \"The last is counted.\" { if all c in mark[me]: beats(c, @a1) { n = last } } }
         end when empty is nothing",
    );
    let terms = &told[told.find("Terms").unwrap()..];
    assert!(terms.contains("- worth of c: the row of c + the column of c"), "{told}");
    assert!(terms.contains("likes of c: true if worth of c is more than 3"), "{told}");
    for gone in ["equal", "last", "beats"] {
        assert!(!terms.contains(&format!("- {gone}")), "{gone}\n{told}");
    }
}

#[test]
fn how_a_variable_changes_is_told_where_no_other_sentence_says_it() {
    let rules = |more: &str| {
        format!(
            "game \"Kept\" {{ players 2
               domain rank = 1..9
               zone pack of rank = 2 seen by none
               zone hand[player] of rank seen by owner
               var broken: bool \"may nines be led?\"
               var drawn: 0..3 = 0 each turn \"cards drawn\"
               var spotted: 0..3 = 0 each turn \"cards spotted\"
               var points[player]: 0..99 = 5 \"points so far\"
               setup \"Four each.\" {{ deal 4 from pack to hand }}
               turn {{ step play \"Play a card.\" {{ choose {{
                 play c in hand[me] where c < 9 or broken \"play a card\" {{
                   move c from hand[me] to pack
                   if c == 7 {{ broken = true }}
                   drawn += 1 spotted += 1 points[me] += c {more} }}
                 draw where drawn < 3 \"draw\" {{ drawn += 1 deal 1 from pack to hand[me] }} }} }} }}
               end out when hand[me] is nothing }}"
        )
    };
    let told = rules_of(&rules(""));
    let kept = joined(part(&told, "What is kept"));
    let words = "- broken: may nines be led?; becomes true in play, where c is chosen, if c is 7 - drawn: cards drawn \
                 - points: points so far (5 at first)";
    assert_eq!(kept, format!("What is kept {words}"), "{told}");
    // Of two changes, one would seem to be all.
    let twice = joined(&rules_of(&rules("if c == 8 { broken = false }")));
    tells(&twice, &["- broken: may nines be led? - drawn"]);
    let full = full_rules(&load_text("kept", &rules(""), &Request::default()).unwrap().game, 200);
    tells(
        &joined(&full),
        &[
            "- broken: may nines be led? - drawn: cards drawn (from 0 to 3, forgotten when the turn passes)",
            "- spotted: cards spotted (from 0 to 3, forgotten when the turn passes)",
            "- points: points so far (from 0 to 99, 5 at first, for each player)",
        ],
    );
}

#[test]
fn what_all_choose_before_the_first_turn_is_not_the_choice_of_the_starter() {
    let told = joined(&rules_of(
        "game \"Pass\" {
           players A, B, C
           domain card = 1..12
           zone deck of card seen by none
           zone hand[player] of card seen by owner
           zone gift[player] of card seen by owner
           setup \"Each player is dealt three cards and passes one on. Player A begins.\" {
             deal 3 from deck to hand
             together as me { choose { pass c in hand[me] \"pass a card\" { move c to gift[me] } } }
             for p in players { move gift[p] to hand[after(p)] }
           }
           turn { choose { lay c in hand[me] { move c to deck } } }
           end over when hand[me] is nothing: draw
         }",
    ));
    let words = "- all players at once, without seeing what the others do: - pass a card A turn";
    assert!(told.contains(words) && !told.contains("starter's"), "{told}");
}

#[test]
fn an_option_that_a_variant_writes_again_has_not_the_old_help() {
    let told = joined(&rules_of(
        "game \"Base\" { players 2 var n[player]: 0..99 = 0
           turn { choose act { a \"take one\" { n[me] += 1 } b \"take two\" { n[me] += 2 } } }
           end far when n[me] > 6: win me }
         variant \"More\" of \"Base\" { extend act { a { n[me] += 3 } } }",
    ));
    tells(&told, &["goes up by 3", "b: take two"]);
    assert!(!told.contains("take one"), "{told}");
}
