//! Boards that aren't plain grids: their topologies, their drawings, the language features that use them, and
//! the games that need them.

#![allow(clippy::unwrap_used)]

mod dots_and_boxes;
mod drawings;
mod hex;
mod language;
mod morris;
mod topologies;
mod uneven;

use crate::states::legal;
use houserule::game::{Game, State};
use houserule::loader::{Request, load_text};

/// Loads a bundled game with params.
fn bundled(name: &str, params: &[(&str, &str)]) -> Game {
    crate::rules::bundled(name, params, None)
}

/// Loads a game from a rule text.
fn written(text: &str) -> Game {
    load_text("test.rules", text, &Request::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}

/// Returns the sites of the legal actions of an option with one binder.
fn sites_of(state: &State, option: &str) -> String {
    let names = legal(state);
    let sites = names.iter().filter_map(|name| name.strip_prefix(option)?.strip_prefix(' '));
    sites.collect::<Vec<_>>().join(" ")
}

/// Applies actions by name.
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

/// Returns the winners by seat. In a drawn game that is all players.
fn winners(state: &State) -> Vec<bool> {
    state.outcome().map(|outcome| outcome.winners).unwrap_or_default()
}

/// Returns the name of the end that ended the game.
fn end(state: &State) -> String {
    let end = state.outcome().map(|outcome| outcome.end);
    end.map_or(String::new(), |at| state.game().model().end_name(at).to_owned())
}
