//! Reads and changes states by the names in their rules.
#![allow(dead_code)]

use houserule::game::{Game, State};
use houserule::model::{SlotId, Value};

pub(crate) fn slot(game: &Game, name: &str) -> SlotId {
    let at = game.model().slots.iter().position(|slot| slot.name == name);
    SlotId(at.unwrap_or_else(|| panic!("there is no `{name}`")) as u32)
}

pub(crate) fn value(state: &State, name: &str, place: usize) -> Value {
    state.value(slot(state.game(), name), place)
}

pub(crate) fn number(state: &State, name: &str, place: usize) -> i64 {
    match value(state, name, place) {
        Value::Number(n) => n,
        other => panic!("`{name}` is a number, not {other:?}"),
    }
}

/// Returns the indices of the elements of a set.
pub(crate) fn set(state: &State, name: &str, place: usize) -> Vec<u32> {
    match value(state, name, place) {
        Value::Set(set) => set.iter().collect(),
        other => panic!("`{name}` is a set, not {other:?}"),
    }
}

pub(crate) fn legal(state: &State) -> Vec<String> {
    state.legal_actions().into_iter().map(|action| state.game().action_name(action)).collect()
}

pub(crate) fn apply(state: &mut State, name: &str) {
    let action = state.game().parse_action(name).unwrap_or_else(|| panic!("there is no `{name}`"));
    state.apply(action).unwrap_or_else(|e| panic!("`{name}`: {e}, but {:?}", legal(state)));
}

/// Returns the state of the first game after these actions.
pub(crate) fn after(game: &Game, actions: &[&str]) -> State {
    let mut state = game.start(1, 0).expect("it starts");
    actions.iter().for_each(|action| apply(&mut state, action));
    state
}

pub(crate) fn position(game: &Game, text: &str) -> State {
    game.position(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Returns a game after `decisions` random decisions, or at its end.
pub(crate) fn random(game: &Game, seed: u64, index: u64, decisions: usize) -> State {
    let mut state = game.start(seed, index).expect("it starts");
    for _ in 0..decisions {
        let Some(action) = state.random_action() else { break };
        state.apply(action).expect("it is legal");
    }
    state
}
