//! A picture of a moment of a game that shows what is new in its rules.

use houserule_game::{ActionId, Game, State};
use houserule_picture::draw::svg::{PictureStyle, Theme, svg};
use houserule_players::agents::AgentKind;
use houserule_playtest::play_while;

/// Games in which a new option is looked for.
const GAMES: u64 = 20;

/// Decisions of a game after which its picture is taken all the same.
const MOST_DECISIONS: u64 = 2_000;

/// Draws a game of random players: when one of `options` can be taken, or else in the middle. Returns `None` if no game can be
/// played.
pub fn draw_moment(game: &Game, options: &[String], seed: u64) -> Option<String> {
    let state = find_moment(game, options, seed)?;
    // Who has hidden things shows what is his own.
    let viewer = state.current_player().filter(|_| game.hides());
    let style = PictureStyle { theme: Theme::Auto, legal: true, viewer, ..PictureStyle::default() };
    Some(svg(&state, &style))
}

/// Finds the latest moment of a game in which one of `options` can be taken, or the middle of the first game.
fn find_moment(game: &Game, options: &[String], seed: u64) -> Option<State> {
    let is_new = |action: &ActionId| {
        game.model().action_block(*action).is_some_and(|block| options.contains(&block.option))
    };
    for index in (0..GAMES).filter(|_| !options.is_empty()) {
        let mut found = None;
        play(game, seed, index, &mut |state| {
            if state.legal_actions().iter().any(is_new) {
                found = Some(state.clone());
            }
            state.decisions() < MOST_DECISIONS
        })?;
        if found.is_some() {
            return found;
        }
    }
    let end = play(game, seed, 0, &mut |state| state.decisions() < MOST_DECISIONS)?;
    let half = end.decisions() / 2;
    play(game, seed, 0, &mut |state| state.decisions() < half)
}

/// Plays a game of random players until `goes_on` returns `false` for a state in which a seat decides. Returns the last state, or
/// `None` if an error ends the game.
fn play(game: &Game, seed: u64, index: u64, goes_on: &mut dyn FnMut(&State) -> bool) -> Option<State> {
    let mut state = game.start(seed, index).ok()?;
    let mut agents = AgentKind::seat_all(&vec![AgentKind::Random; game.players() as usize], game).ok()?;
    play_while(&mut state, &mut agents, seed, index, &mut |state, _, _| goes_on(state)).ok()?;
    Some(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load};

    #[test]
    fn a_new_option_can_be_taken_in_the_picture_or_the_game_is_half_over() {
        let game = load(&Request { name: "connect-four-pop-out", ..Request::default() }).unwrap().game;
        let taken: Vec<String> = game.model().actions.iter().map(|block| block.option.clone()).collect();
        let last = taken.last().unwrap().clone();
        let state = find_moment(&game, std::slice::from_ref(&last), 1).unwrap();
        let offers = |action: &ActionId| game.model().action_block(*action).unwrap().option == last;
        assert!(state.legal_actions().iter().any(offers));
        let middle = find_moment(&game, &[], 1).unwrap();
        assert!(middle.decisions() > 2 && !middle.is_over());
        assert!(draw_moment(&game, &[], 1).unwrap().starts_with("<svg "));
    }
}
