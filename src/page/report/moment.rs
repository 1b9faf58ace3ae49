//! A picture of a moment of a game that shows what is new in its rules.

use houserule_game::{ActionId, Game, Seat, Start, State};
use houserule_picture::draw::svg::{PictureStyle, Theme, svg};
use houserule_players::agent::{agent_stream, apply_choice};
use houserule_players::agents::AgentKind;

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

/// Finds the latest moment of some games in which one of `options` can be taken, or the middle of the first game.
fn find_moment(game: &Game, options: &[String], seed: u64) -> Option<State> {
    let blocks = &game.model().actions;
    let is_wanted = |action: &ActionId| {
        blocks
            .iter()
            .any(|block| action.0.wrapping_sub(block.first) < block.size && options.contains(&block.option))
    };
    let wants = |state: &State| state.legal_actions().iter().any(is_wanted);
    for index in 0..if options.is_empty() { 0 } else { GAMES } {
        let mut found = None;
        let mut see = |state: &State| {
            if wants(state) {
                found = Some(state.clone());
            }
            state.decisions() < MOST_DECISIONS
        };
        play(game, seed, index, &mut see)?;
        if found.is_some() {
            return found;
        }
    }
    let mut decisions = 0;
    let mut count = |state: &State| {
        decisions = state.decisions();
        decisions < MOST_DECISIONS
    };
    let end = play(game, seed, 0, &mut count)?;
    let mut middle = None;
    let mut see = |state: &State| {
        middle = (state.decisions() >= decisions / 2).then(|| state.clone());
        middle.is_none()
    };
    play(game, seed, 0, &mut see)?;
    middle.or(Some(end))
}

/// Plays a game of random players. `see` gets each state in which a seat decides, and returns `false` to end it. Returns the last
/// state, or `None` if an error ends the game.
fn play(game: &Game, seed: u64, index: u64, see: &mut dyn FnMut(&State) -> bool) -> Option<State> {
    let mut state = game.start_at(&Start { seed, index, ..Start::default() }).ok()?;
    let mut agent = AgentKind::Random.seat_one(game).ok()?;
    let mut stream = agent_stream(seed, index, Seat(0));
    while let Some(seat) = state.current_player() {
        if !see(&state) {
            break;
        }
        let chosen = agent.choose(&mut state.seen_by(seat), &mut stream).ok()?;
        apply_choice(&mut state, &*agent, chosen).ok()?;
    }
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
        let blocks = &game.model().actions;
        let offers = |action: &ActionId| {
            blocks.iter().any(|block| block.option == last && action.0.wrapping_sub(block.first) < block.size)
        };
        assert!(state.legal_actions().iter().any(offers));
        let middle = find_moment(&game, &[], 1).unwrap();
        assert!(middle.decisions() > 2 && !middle.is_over());
        assert!(draw_moment(&game, &[], 1).unwrap().starts_with("<svg "));
    }
}
