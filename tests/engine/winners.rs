//! `winner` and `ties` by several criteria, which decide in order, and by truth values.

use crate::agree::{Came, agree};
use crate::rules::{game as whole, played};
use houserule::game::Game;
use houserule::loader::{Request, load_text};
use houserule::model::ScoreDirection;

/// Three players set two numbers and a mark once, and the criteria decide.
fn game(more: &str) -> Game {
    whole(&rules(more))
}

fn rules(more: &str) -> String {
    format!(
        "game \"Winners\" {{
            players A, B, C
            var coins[player]: 0..3 = 0
            var cards[player]: 0..3 = 0
            var stands[player]: bool = true
            define standing = (stands[me], coins[me])
            turn {{ choose {{ set n in 0..3, k in 0..3, s in 0..1 {{ coins[me] = n; cards[me] = k; stands[me] = s == 1 }} }} }}
            end all of round when round == 1
            score {{ coins: coins[me] }}
            {more}
        }}"
    )
}

/// Who shares the win after these actions.
fn winners(more: &str, actions: [&str; 3]) -> Vec<bool> {
    played(&game(more), &actions).outcome().expect("it is over").winners
}

#[test]
fn criteria_decide_in_order() {
    let list = "winner (most(coins[me]), least(cards[me]))";
    assert_eq!(winners(list, ["set 1 0 1", "set 2 3 1", "set 2 1 1"]), [false, false, true]);
    assert_eq!(winners(list, ["set 3 3 1", "set 2 0 1", "set 2 1 1"]), [true, false, false]);
    assert_eq!(winners(list, ["set 2 1 1", "set 2 2 1", "set 2 1 1"]), [true, false, true]);
    // The ties come after all of them.
    let tied = format!("{list}\n ties (most(stands[me]), least(turns[me]))");
    assert_eq!(winners(&tied, ["set 2 1 0", "set 2 2 1", "set 2 1 1"]), [false, false, true]);
}

#[test]
fn a_truth_value_counts_one() {
    let out = "winner (most(stands[me]), most(score))";
    assert_eq!(winners(out, ["set 3 0 0", "set 1 0 1", "set 2 0 1"]), [false, false, true]);
    assert_eq!(winners(out, ["set 3 0 0", "set 1 0 0", "set 2 0 0"]), [true, false, false]);
    let odd = "winner least(cards[me] > 1 and stands[me])";
    assert_eq!(winners(odd, ["set 3 2 1", "set 1 2 0", "set 2 1 1"]), [false, true, true]);
    assert_eq!(
        winners("ties most(stands[me])", ["set 2 0 1", "set 2 0 0", "set 1 0 1"]),
        [true, false, false]
    );
}

#[test]
fn a_define_may_stand_for_a_list() {
    assert_eq!(
        winners("winner most(standing)", ["set 3 0 0", "set 1 0 1", "set 2 0 1"]),
        [false, false, true]
    );
    assert_eq!(
        winners("winner least((stands[me], cards[me]))", ["set 3 2 0", "set 1 1 0", "set 2 0 1"]),
        [false, true, false]
    );
}

#[test]
fn both_executors_agree() {
    for more in [
        "winner (most(stands[me]), least(cards[me]), most(score))",
        "winner most(standing)\n ties (least(cards[me] == 2), most(cards[me]))",
        "team pair = {A, C}\n winner (least(stands[me]), most(coins[me] * 2 - 3))",
    ] {
        let game = game(more);
        for index in 0..40 {
            assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over, "{more}");
        }
    }
}

#[test]
fn the_score_among_the_criteria_sets_its_direction() {
    let direction = |more: &str| game(more).model().score_direction;
    assert_eq!(direction("winner (most(stands[me]), least(score))"), ScoreDirection::Least);
    assert_eq!(direction("winner least((stands[me], score))"), ScoreDirection::Least);
    assert_eq!(direction("winner (most(stands[me]), most(score))\n ties least(score)"), ScoreDirection::Most);
}

#[test]
fn what_is_no_criterion_is_refused() {
    let refused = |more: &str| match load_text("rules", &rules(more), &Request::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{more} is accepted"),
    };
    assert!(refused("winner (most(score), coins[me])").contains("expected `most(…)` or `least(…)`"));
    assert!(refused("winner (most(score), most(stands))").contains("stands"));
    assert!(refused("winner most((score, A))").contains("expected a number"));
}
