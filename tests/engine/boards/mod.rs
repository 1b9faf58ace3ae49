//! Boards that are no plain grids: what they are made of, how they are drawn and read, what the language
//! says on them, and the games that need them.

#![allow(clippy::unwrap_used)]

mod dots_and_boxes;
mod drawings;
mod hex;
mod language;
mod morris;
mod topologies;

use crate::states::legal;
use houserule::engine::{Game, State};
use houserule::loader::{Request, load_text};

/// A bundled game with params.
fn bundled(name: &str, params: &[(&str, &str)]) -> Game {
    crate::rules::bundled(name, params, None)
}

/// A game from text.
fn written(text: &str) -> Game {
    load_text("test.rules", text, &Request::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}

/// The sites of the legal actions of an option with one binder.
fn sites_of(state: &State, option: &str) -> String {
    let names = legal(state);
    let sites = names.iter().filter_map(|name| name.strip_prefix(option)?.strip_prefix(' '));
    sites.collect::<Vec<_>>().join(" ")
}

/// Takes actions by their names.
fn play(state: &mut State, actions: &[&str]) {
    for name in actions {
        let action = state.game().parse_action(name).unwrap_or_else(|| panic!("no action `{name}`"));
        assert!(
            state.is_legal(action),
            "`{name}` is not legal in\n{}\nbut {:?}",
            state.position(),
            legal(state)
        );
        state.apply(action).unwrap();
    }
}

/// Who has won, by seat; a draw is all of them.
fn winners(state: &State) -> Vec<bool> {
    state.outcome().map(|outcome| outcome.winners).unwrap_or_default()
}

/// By which end the game is over.
fn end(state: &State) -> String {
    let end = state.outcome().map(|outcome| outcome.end);
    end.map_or(String::new(), |at| state.game().model().end_name(at).to_owned())
}
