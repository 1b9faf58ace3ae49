//! Computations done at compile time don't change the game: the reference interpreter, which does none of
//! them, agrees.

use crate::agree::{Came, agree};
use crate::rules::game;

/// Returns a game whose turn runs `turn` after a roll.
fn text(turn: &str) -> String {
    format!(
        "game \"Simple\" {{
            players 2
            dice pair: 2 of d3
            board cell = grid(3, 2)
            piece stone[player]
            var kept[player, 1..3]: 0..9 = 0
            var held: 0..9 = 0
            turn {{
                roll pair
                {turn}
                choose {{ put c in empty {{ put stone[me] at c }} stop {{ }} }}
            }}
            end when turns[me] == 4
            score {{ kept: kept[me, 1] + kept[me, 2] + kept[me, 3] + held }}
        }}"
    )
}

/// Returns the keywords of the instructions from the turn's start to its first decision.
fn turn_of(rules: &str) -> Vec<String> {
    let listing = game(rules).program().to_string();
    let turn = listing.lines().skip_while(|line| *line != "turn:").skip(1);
    let words = turn.map(|line| line.split_whitespace().nth(1).unwrap_or_default().to_owned());
    words.take_while(|word| !word.starts_with("choose")).collect()
}

fn count(words: &[String], word: &str) -> usize {
    words.iter().filter(|w| *w == word).count()
}

/// Plays some games with both executors.
fn holds(rules: &str) {
    let game = game(rules);
    for index in 0..50 {
        assert_eq!(agree(&game, 7, index, 100), Came::Over, "{rules}");
    }
}

#[test]
fn what_a_turn_writes_and_reads_again_is_what_the_rules_say() {
    for turn in [
        "for n in 1..3 { kept[X, n] = faces(pair, n) }",
        "kept[X, 1] = faces(pair, 3)   kept[X, 2] = faces(pair, 2)   kept[X, 2] = faces(pair, 1)",
        "kept[me, 2] = pair[1]   held = kept[me, 2]   kept[me, 2] = 0",
        "let n = pair[1]   held = kept[me, n]   kept[me, n] = (held + 1) % 5   held = kept[me, n]
         if pair[1] == pair[2] { kept[me, n] = 0   held = kept[me, n] }",
    ] {
        holds(&text(turn).replace("players 2", "players X, O"));
    }
}

/// A game on two boards. A variable selects one of them in a turn.
const TWO_BOARDS: &str = "game \"Two boards\" {
    players 2
    enum half { left, right }
    board cell[half] = grid(3, 2)
    piece stone
    piece wall
    var here: half each turn
    turn {
        choose { go s in half { here = s } }
        choose {
            put c in empty[here] { put stone[here] at c }
            strike s in half, n in 1..3 where n > count(wall[s]) { put wall[s] at column(n) }
            leap c in empty[here] { here = if here == left then right else left   put wall[here] at c }
        }
    }
    end when turns[me] == 8
    score { score: count(stone[left]) + 2 * count(wall[right]) + 3 * count(empty[right]) }
}";

#[test]
fn what_is_empty_on_one_board_of_a_family_may_not_be_on_another() {
    let listing = game(TWO_BOARDS).program().to_string();
    let words: Vec<&str> = listing.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    // One piece is put on a site known to be empty. The others first remove any piece from their site.
    assert_eq!((count("place"), count("store-or")), (1, 2), "{listing}");
    holds(TWO_BOARDS);
}

#[test]
fn conditions_of_little_are_looked_up() {
    let rules = text(
        "choose {
            low n in 1..3 where pair[1] > 1 and pair[1] < 3 { kept[me, n] = 2 }
            same where pair[1] == 2 { held = 1 }
            other { }
            third where pair[1] == 3 { held = 2 }
        }",
    );
    // Each of the two first conditions is one look; those of options without binders set bits.
    let words = turn_of(&rules);
    assert_eq!((count(&words, "look-set"), count(&words, "region-clear")), (1, 0), "{words:?}");
    holds(&rules);
}

#[test]
fn one_of_two_sets_is_looked_up_by_both_that_it_depends_on() {
    let rules = text(
        "let lot = if pair[1] == 2 then column(held % 3 + 1) else row(held % 2 + 1)
         held = count(lot)   if lot in empty { kept[me, 1] = 1 }",
    );
    assert_eq!(count(&turn_of(&rules), "look-set"), 1, "{}", game(&rules).program());
    holds(&rules);
}

#[test]
fn what_fails_fails_as_ever() {
    let rules = text("held = pair[1] * pair[2]   if held == 9 { for n in 1..3 { kept[me, n] += n + 3 } }");
    let game = game(&rules);
    let came: Vec<Came> = (0..200).map(|index| agree(&game, 3, index, 100)).collect();
    assert!(came.contains(&Came::Failed) && came.contains(&Came::Over));
}
