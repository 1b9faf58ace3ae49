//! Kalah, rule by rule: hand-made positions, and the result of each move.

#![allow(clippy::unwrap_used)]

use crate::rules::bundled;
use houserule::game::{Game, Seat, State};
use houserule::model::Value;

fn game(name: &str, params: &[(&str, &str)]) -> Game {
    bundled(name, params, None)
}

/// South's pits from the left, north's from the left (north sows from right to left), south's store and
/// north's.
type Board = ([i64; 6], [i64; 6], [i64; 2]);

fn position(game: &Game, mover: &str, (south, north, store): Board) -> State {
    let row = |pits: [i64; 6]| pits.map(|n| n.to_string()).join(" ");
    let text = format!(
        "mover = {mover}\nseeds = {} {}\nstore = {} {}\n",
        row(south),
        row(north),
        store[0],
        store[1]
    );
    game.position(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn board(state: &State) -> Board {
    let model = state.game().model();
    let number = |name: &str, place: usize| {
        let slot = model.slots.iter().position(|slot| slot.name == name).unwrap();
        match state.value(houserule::model::SlotId(slot as u32), place) {
            Value::Number(n) => n,
            other => panic!("{other:?}"),
        }
    };
    let pits = |first: usize| std::array::from_fn(|k| number("seeds", first + k));
    (pits(0), pits(6), [number("store", 0), number("store", 1)])
}

/// Sows from a pit and compares the result: the board, and the next player (`None` if the game is over).
#[track_caller]
fn sow(game: &Game, mover: &str, before: Board, pit: &str, after: Board, next: Option<u32>) -> State {
    let mut state = position(game, mover, before);
    let action = game.parse_action(&format!("sow {pit}")).unwrap();
    state.apply(action).unwrap();
    assert_eq!(board(&state), after);
    assert_eq!(state.current_player(), next.map(Seat));
    assert_eq!(state.is_over(), next.is_none());
    state
}

const FULL: [i64; 6] = [4; 6];

#[test]
fn seeds_go_one_by_one_around_the_board() {
    let game = game("kalah", &[]);
    let start = (FULL, FULL, [0, 0]);
    sow(&game, "south", start, "a1", ([0, 5, 5, 5, 5, 4], FULL, [0, 0]), Some(1));
    // Past the player's store to the pits of the other side, the nearest first.
    sow(&game, "south", start, "e1", ([4, 4, 4, 4, 0, 5], [4, 4, 4, 4, 5, 5], [1, 0]), Some(1));
    // North sows from right to left, and then along south's side.
    sow(&game, "north", start, "f2", (FULL, [4, 5, 5, 5, 5, 0], [0, 0]), Some(0));
    sow(&game, "north", start, "b2", ([5, 5, 4, 4, 4, 4], [5, 0, 4, 4, 4, 4], [0, 1]), Some(0));
}

#[test]
fn only_own_pits_with_seeds_can_be_sown() {
    let game = game("kalah", &[]);
    let pits = |mover: &str| {
        let state = position(&game, mover, ([0, 1, 0, 2, 0, 0], [3, 0, 0, 0, 0, 1], [0, 0]));
        state.legal_actions().into_iter().map(|action| game.action_name(action)).collect::<Vec<_>>()
    };
    assert_eq!(pits("south"), ["sow b1", "sow d1"]);
    assert_eq!(pits("north"), ["sow a2", "sow f2"]);
}

#[test]
fn the_store_of_the_other_is_passed_over() {
    let game = game("kalah", &[]);
    let before = ([1, 1, 1, 1, 1, 9], [1; 6], [0, 0]);
    // Nine seeds: the store, six pits of north, and then, past north's store, a1 and b1.
    sow(&game, "south", before, "f1", ([2, 2, 1, 1, 1, 0], [2; 6], [1, 0]), Some(1));
    let before = ([1; 6], [9, 1, 1, 1, 1, 1], [0, 0]);
    sow(&game, "north", before, "a2", ([2; 6], [0, 1, 1, 1, 2, 2], [0, 1]), Some(0));
}

#[test]
fn a_full_lap_ends_in_the_pit_that_it_began_in() {
    let game = game("kalah", &[]);
    // Thirteen seeds reach every pit and the player's store. The last falls into the pit that was emptied. It
    // captures the seed just sown opposite, with those already there.
    let before = ([1, 1, 13, 1, 1, 1], [2, 0, 3, 1, 0, 0], [0, 0]);
    sow(&game, "south", before, "c1", ([2, 2, 0, 2, 2, 2], [3, 1, 0, 2, 1, 1], [1 + 1 + 4, 0]), Some(1));
    // Fourteen: a seed is in the emptied pit, and the last falls into the next one.
    let before = ([1, 1, 14, 1, 1, 1], [2, 0, 3, 1, 0, 0], [0, 0]);
    sow(&game, "south", before, "c1", ([2, 2, 1, 3, 2, 2], [3, 1, 4, 2, 1, 1], [1, 0]), Some(1));
    // Twice past the player's store: 16 seeds from d1 are two and the store, six, three and d1, two, the
    // store.
    let before = ([0, 0, 0, 16, 0, 0], [1; 6], [0, 0]);
    sow(&game, "south", before, "d1", ([1, 1, 1, 1, 2, 2], [2; 6], [2, 0]), Some(0));
}

#[test]
fn the_last_seed_in_an_empty_pit_of_ones_own_captures() {
    let game = game("kalah", &[]);
    let before = ([2, 3, 0, 1, 0, 0], [1, 1, 5, 1, 1, 1], [0, 0]);
    sow(&game, "south", before, "a1", ([0, 4, 0, 1, 0, 0], [1, 1, 0, 1, 1, 1], [6, 0]), Some(1));
    // The same for north: from d2 the single seed falls into c2, opposite c1.
    let before = ([1, 1, 7, 1, 1, 1], [1, 1, 0, 1, 1, 1], [2, 3]);
    sow(&game, "north", before, "d2", ([1, 1, 0, 1, 1, 1], [1, 1, 0, 0, 1, 1], [2, 11]), Some(0));
    // No capture in a pit that has seeds.
    let before = ([2, 3, 1, 1, 0, 0], [1, 1, 5, 1, 1, 1], [0, 0]);
    sow(&game, "south", before, "a1", ([0, 4, 2, 1, 0, 0], [1, 1, 5, 1, 1, 1], [0, 0]), Some(1));
    // No capture in an empty pit of the opponent's.
    let before = ([2, 3, 1, 1, 0, 2], [1, 1, 5, 1, 1, 0], [0, 0]);
    sow(&game, "south", before, "f1", ([2, 3, 1, 1, 0, 0], [1, 1, 5, 1, 1, 1], [1, 0]), Some(1));
}

#[test]
fn nothing_opposite_is_captured_only_if_the_rules_say_so() {
    let before = ([2, 3, 0, 1, 0, 0], [1, 1, 0, 1, 1, 1], [0, 0]);
    let stays = ([0, 4, 1, 1, 0, 0], [1, 1, 0, 1, 1, 1], [0, 0]);
    sow(&game("kalah", &[]), "south", before, "a1", stays, Some(1));
    let goes = ([0, 4, 0, 1, 0, 0], [1, 1, 0, 1, 1, 1], [1, 0]);
    sow(&game("kalah", &[("empty_capture", "true")]), "south", before, "a1", goes, Some(1));
    sow(&game("kalah-six", &[]), "south", before, "a1", goes, Some(1));
}

#[test]
fn the_last_seed_in_the_own_store_gives_another_turn() {
    let game = game("kalah", &[]);
    let before = ([4, 4, 4, 4, 4, 4], FULL, [0, 0]);
    let state = sow(&game, "south", before, "c1", ([4, 4, 0, 5, 5, 5], FULL, [1, 0]), Some(0));
    let mut state = state;
    state.apply(game.parse_action("sow f1").unwrap()).unwrap();
    assert_eq!(board(&state), ([4, 4, 0, 5, 5, 0], [4, 4, 5, 5, 5, 5], [2, 0]));
    assert_eq!(state.current_player(), Some(Seat(1)));
    let before = (FULL, [1, 4, 4, 4, 4, 4], [0, 0]);
    sow(&game, "north", before, "a2", (FULL, [0, 4, 4, 4, 4, 4], [0, 1]), Some(1));
    // A seed that passes the store and falls beyond it gives no extra turn.
    sow(
        &game,
        "south",
        (FULL, FULL, [0, 0]),
        "f1",
        ([4, 4, 4, 4, 4, 0], [4, 4, 4, 5, 5, 5], [1, 0]),
        Some(1),
    );
}

#[test]
fn an_empty_side_ends_the_game_and_the_rest_goes_to_its_owner() {
    let before = ([0, 0, 0, 0, 0, 1], [1, 2, 3, 0, 0, 0], [20, 21]);
    let after = ([0; 6], [1, 2, 3, 0, 0, 0], [21, 21]);
    // The game ends even though the last seed would have given another turn.
    let state = sow(&game("kalah", &[]), "south", before, "f1", after, None);
    assert_eq!((state.score(Seat(0)).unwrap(), state.score(Seat(1)).unwrap()), (21, 27));
    assert_eq!(state.outcome().unwrap().winners, [false, true]);
    let state = sow(&game("kalah", &[("rest", "nobody")]), "south", before, "f1", after, None);
    assert_eq!((state.score(Seat(0)).unwrap(), state.score(Seat(1)).unwrap()), (21, 21));
    assert_eq!(state.outcome().unwrap().winners, [true, true]);
    // Either side may be empty: a capture can empty the opponent's.
    let before = ([2, 0, 0, 3, 0, 0], [0, 0, 5, 0, 0, 0], [10, 10]);
    let after = ([0, 1, 0, 3, 0, 0], [0; 6], [16, 10]);
    let state = sow(&game("kalah", &[]), "south", before, "a1", after, None);
    assert_eq!(state.score(Seat(0)).unwrap(), 20);
}

#[test]
fn no_seed_is_ever_lost() {
    for (name, params, seeds) in [
        ("kalah", &[][..], 48),
        ("kalah", &[("pits", "3"), ("seeds_each", "2"), ("empty_capture", "true")], 12),
        ("kalah", &[("pits", "12"), ("seeds_each", "6")], 144),
        ("kalah-six", &[], 72),
    ] {
        let game = game(name, params);
        for index in 0..200 {
            let mut state = game.start(9, index).unwrap();
            let mut moves = 0;
            while let Some(action) = state.random_action() {
                state.apply(action).unwrap();
                let all: i64 = (0..2).map(|p| state.score(Seat(p)).unwrap()).sum();
                assert_eq!(all, seeds, "{name} {params:?}, game {index}, move {moves}");
                moves += 1;
            }
        }
    }
}
