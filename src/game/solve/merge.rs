//! Which states of a game need not be told apart, and which outcomes of chance lead to the same state.
//!
//! Depends on the engine's states and on what the model says of its dice; independent of values.

use crate::{Game, State};
use houserule_model::{SlotId, fleeting_dice, symmetric_dice};

/// Rules by which states are merged before they are compared.
#[derive(Clone, Debug)]
pub struct Merging {
    /// Dice whose faces no rule reads before the next roll.
    fleeting: Vec<SlotId>,
    /// Dice whose order no rule reads.
    symmetric: Vec<SlotId>,
}

impl Merging {
    /// Merges states that differ only in what will not be read again: faces of dice before their next roll.
    pub fn of_dead_values(game: &Game) -> Merging {
        Merging { fleeting: fleeting_dice(game.model()), symmetric: vec![] }
    }

    /// Also merges states that differ only in the order of dice that the rules treat alike. A merged state is a state of
    /// the game with the same future, in which other dice may show the faces.
    pub fn of_equal_dice(game: &Game) -> Merging {
        Merging { symmetric: symmetric_dice(game.model()), ..Merging::of_dead_values(game) }
    }

    /// Changes a state to the one that stands for all that are merged with it.
    pub fn merge(&self, state: &mut State) {
        self.fleeting.iter().for_each(|dice| state.forget_dice(*dice));
        state.forget_rolled();
        self.symmetric.iter().for_each(|dice| state.sort_dice(*dice));
    }

    /// Calls `tell` with outcomes of the pending chance event and the number of equally likely outcomes that each stands
    /// for: those that give the same event, or the same faces on other dice. Returns their number, without the outcomes
    /// if there are more than `most`.
    pub fn outcomes(&self, state: &State, most: u64, tell: &mut dyn FnMut(u64, u64)) -> u64 {
        if let Some((rolled, faces)) = self.rolls_alike(state) {
            let ways = combinations(u64::from(faces) + u64::from(rolled) - 1, u64::from(rolled));
            if ways <= most {
                let mut shown = vec![1; rolled as usize];
                while let Some((outcome, times)) = state.outcomes_alike(&shown) {
                    tell(outcome, times);
                    if !next_sorted(&mut shown, faces.into()) {
                        break;
                    }
                }
            }
            return ways;
        }
        let count = state.distinct_count();
        if count <= most {
            state.distinct_outcomes().for_each(|(outcome, times)| tell(outcome, times));
        }
        count
    }

    /// Returns the number of dice of the pending roll and of their faces, if their order makes no difference.
    fn rolls_alike(&self, state: &State) -> Option<(u32, u32)> {
        let slot = state.pending_joint_roll()?;
        self.symmetric.contains(&slot).then(|| state.pending_dice())?.filter(|(rolled, _)| *rolled > 1)
    }
}

/// Steps to the next row of faces that never falls, in the order of a dictionary. Returns `false` after the last.
fn next_sorted(shown: &mut [u64], faces: u64) -> bool {
    let Some(at) = shown.iter().rposition(|face| *face < faces) else { return false };
    let face = shown[at] + 1;
    shown[at..].fill(face);
    true
}

/// Returns the number of ways to choose `k` of `n` things, or the greatest number if it is greater.
fn combinations(n: u64, k: u64) -> u64 {
    let k = k.min(n - k);
    let steps =
        (1..=k).try_fold(1u128, |ways, i| Some(ways.checked_mul(u128::from(n - k + i))? / u128::from(i)));
    steps.and_then(|ways| u64::try_from(ways).ok()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the order of five dice makes no difference in a game with these rules.
    fn is_order_free(turn: &str, score: &str) -> bool {
        let rules = format!(
            "game \"G\" {{ players 1 dice hand: 5 of d6 each game dice coin: 1 of d2 var n: 0..99 turn {{ roll hand {turn} }} \
             end over when turns[me] == 1 score {{ s: {score} }} }}"
        );
        let loaded = houserule_loader::load_text("rules", &rules, &houserule_loader::Request::default());
        let loaded = loaded.unwrap_or_else(|error| panic!("{turn} {score}: {error}"));
        !symmetric_dice(loaded.game.model()).is_empty()
    }

    #[test]
    fn rules_that_read_dice_together_do_not_read_their_order() {
        for score in [
            "sum(hand)",
            "max(hand) - min(hand)",
            "faces(hand, 3) * 2",
            "sum p in 1..5: highest(hand, p) * p",
            "1 when hand is double",
            "count d in 1..5: hand[d] > 4",
            "hand[1] + hand[2] + hand[3] + hand[4] + hand[5]",
            "if any f in 1..6: faces(hand, f) == 4 then lowest(hand, 2) else 0",
        ] {
            assert!(is_order_free("", score), "{score}");
        }
        for turn in [
            "roll hand among { d in 1..5 where hand[d] < 5 }",
            "let kept = best f in 1..6 by faces(hand, f)  roll hand among { d in 1..5 where hand[d] != kept }",
            "choose { again k subset of hand where k is some { roll k } enough { } }",
        ] {
            assert!(is_order_free(turn, "sum(hand)"), "{turn}");
        }
    }

    #[test]
    fn rules_that_name_a_die_read_the_order() {
        for score in [
            "hand[1]",
            "hand[1] + hand[2]",
            "count d in 1..4: hand[d] > hand[d + 1]",
            "sum d in 1..5: d * hand[d]",
            "if hand[1] > hand[2] then 1 else 0",
            "best d in 1..5 by hand[d]",
            "count d in 1..3: hand[d] > 4",
            "hand[1] * hand[2] + hand[3] * hand[4] * hand[5]",
        ] {
            assert!(!is_order_free("", score), "{score}");
        }
        for turn in [
            "roll hand among {1, 2}",
            "hand[1] = 3",
            "for d in 1..5 { if hand[d] > n { n = hand[d] * n } }",
            "if hand[1] == 6 { n = 1 }",
            "choose { take d in 1..5 where hand[d] > 2 { n = d } leave { } }",
            "choose { again k subset of hand where 1 in k { roll k } enough { } }",
            "choose { again k subset of hand { roll hand n = sum d in k: hand[d] } enough { } }",
            "choose { again k subset of hand { roll coin roll hand among k } enough { } }",
        ] {
            assert!(!is_order_free(turn, "n"), "{turn}");
        }
    }

    #[test]
    fn rows_of_faces_are_counted() {
        let (mut shown, mut rows) = (vec![1; 5], 1);
        while next_sorted(&mut shown, 6) {
            assert!(shown.is_sorted());
            rows += 1;
        }
        assert_eq!((rows, combinations(10, 5)), (252, 252));
        assert_eq!((combinations(25, 20), combinations(5, 0)), (53_130, 1));
        assert_eq!(combinations(400, 200), u64::MAX);
    }
}
