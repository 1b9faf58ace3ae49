//! A moment of a game for a picture: one that shows what is new in its rules, or the middle of a game.

use houserule_base::names::plain;
use houserule_game::{ActionId, Game, State};
use houserule_model::{BinderValue, DomainKind};
use houserule_picture::draw::svg::canvas::{Palette, Picture};
use houserule_picture::draw::svg::{PictureStyle, picture};
use houserule_picture::layout::PageWidth;
use houserule_players::agents::AgentKind;
use houserule_playtest::play_while;
use houserule_playtest::sentences::capital;

/// Games in which a new option is looked for.
const GAMES: u64 = 20;

/// Decisions of a game after which its picture is taken all the same, and of all games after which none is looked at any more.
const MOST_DECISIONS: u64 = 2_000;
const MOST_IN_ALL: u64 = 6_000;

/// An option that can be taken at this share of the decisions is nothing rare: it is shown in the middle of a game.
const OFTEN: f64 = 0.25;

/// A picture that is wider than this, as a multiple of its height, is drawn upright if it then is no higher than the other, as a
/// multiple of its width.
const UPRIGHT: f64 = 1.15;
const TALLEST: f64 = 1.5;

/// Maximum number of sites or other things that a caption names.
const NAMED: usize = 4;

/// A moment of a game.
#[derive(Clone, Debug)]
pub struct ShownMoment {
    /// The state.
    pub state: State,
    /// The new options that can be taken there.
    options: Vec<String>,
}

impl ShownMoment {
    /// Finds the first moment of a game of random players in which one of `options` can be taken, or the middle of a game if
    /// there is none. Of several games it is the one with the highest score there. Returns `None` if no game can be played.
    pub fn find(game: &Game, options: &[String], seed: u64) -> Option<ShownMoment> {
        let is_new = |action: &ActionId| {
            game.model().action_block(*action).is_some_and(|block| options.contains(&block.option))
        };
        let mut best: Option<(i64, State)> = None;
        let mut looked = 0;
        for index in (0..GAMES).filter(|_| !options.is_empty()) {
            if looked > MOST_IN_ALL {
                break;
            }
            let mut found: Vec<State> = vec![];
            let end = play(game, seed, index, &mut |state| {
                if state.legal_actions().iter().any(is_new) {
                    found.push(state.clone());
                }
                state.decisions() < MOST_DECISIONS
            })?;
            looked += end.decisions();
            let is_common = found.len() as f64 >= OFTEN * end.decisions() as f64;
            let at = if is_common { found.len() / 2 } else { 0 };
            let Some(state) = found.into_iter().nth(at) else { continue };
            let score = score_so_far(&state);
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, state));
            }
        }
        let state = match best {
            Some((_, state)) => state,
            None => {
                let end = play(game, seed, 0, &mut |state| state.decisions() < MOST_DECISIONS)?;
                let half = end.decisions() / 2;
                play(game, seed, 0, &mut |state| state.decisions() < half)?
            }
        };
        let mut offered: Vec<String> = vec![];
        for action in state.legal_actions().into_iter().filter(is_new) {
            let name = game.model().action_block(action).map(|block| block.option.clone());
            offered.extend(name.filter(|name| !offered.contains(name)));
        }
        Some(ShownMoment { state, options: offered })
    }

    /// Returns `true` if a new option can be taken.
    pub fn is_of_new_option(&self) -> bool {
        !self.options.is_empty()
    }

    /// Draws the moment, with frames around the sites that a new option names.
    pub fn picture(&self, palette: &Palette) -> Picture {
        // Who has hidden things shows what is his own.
        let viewer = self.state.current_player().filter(|_| self.state.game().hides());
        let style = PictureStyle { legal: true, viewer, ..PictureStyle::default() };
        let drawn =
            |form: PageWidth| picture(&self.state, &PictureStyle { form, ..style }, &self.options, palette);
        let wide = drawn(PageWidth::Wide);
        // A board with something beside it is larger with that below it.
        if self.state.game().model().boards.is_empty() || wide.width <= UPRIGHT * wide.height {
            return wide;
        }
        let narrow = drawn(PageWidth::Narrow);
        if narrow.height <= TALLEST * narrow.width { narrow } else { wide }
    }

    /// Describes what can be chosen: `To choose: use a second chance on d6 or e4.`
    pub fn caption(&self) -> String {
        let game = self.state.game();
        let mut told = vec![];
        if self.options.is_empty() {
            let names = &game.model().players.names;
            let mover = self.state.current_player().and_then(|seat| names.get(seat.index()));
            told.push(match mover.filter(|_| game.players() > 1) {
                Some(name) => format!("In the middle of a game. {} is to play.", capital(&plain(name))),
                None => "In the middle of a game.".to_owned(),
            });
        }
        let deeds: Vec<String> = self.options.iter().map(|option| self.deed(option)).collect();
        if !deeds.is_empty() {
            told.push(format!("To choose: {}.", deeds.join("; or ")));
        }
        told.join(" ")
    }

    /// What a new option does, with what its actions name.
    fn deed(&self, option: &str) -> String {
        let game = self.state.game();
        let model = game.model();
        let own = |action: &ActionId| game.action_block(*action).is_some_and(|block| block.option == option);
        let options = self.state.pending_choice().map(|choice| &model.choices[choice.index()].options);
        let help = options.into_iter().flatten().find(|one| one.name == option).map(|one| one.help.as_str());
        let is_phrase = |help: &&str| {
            help.chars().next().is_some_and(char::is_lowercase) && !help.contains(['.', ';', ':'])
        };
        let deed = help.filter(is_phrase).map_or_else(|| plain(option), str::to_owned);
        // What is hidden from somebody isn't named.
        if game.hides() {
            return deed;
        }
        let mut named: Vec<String> = vec![];
        let mut is_site = true;
        for action in self.state.legal_actions().into_iter().filter(own) {
            let [BinderValue::Element(domain, element)] = game.action_bindings(action)[..] else {
                return deed;
            };
            is_site &= matches!(model.domains[domain.index()].kind, DomainKind::Sites(_));
            let name = plain(&game.element_name(domain, element));
            if !named.contains(&name) {
                named.push(name);
            }
        }
        let list = match named.as_slice() {
            [] => return deed,
            [one] => one.clone(),
            some if some.len() <= NAMED => {
                let (last, others) =
                    some.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
                format!("{} or {last}", others.join(", "))
            }
            many => return format!("{deed}, in {} ways", many.len()),
        };
        if is_site { format!("{deed} on {list}") } else { format!("{deed} ({list})") }
    }
}

/// The scores of all seats so far together; 0 without a score, or if something is hidden.
fn score_so_far(state: &State) -> i64 {
    match state.game().hides() {
        true => 0,
        false => state.score_of_each().map_or(0, |scores| scores.iter().sum()),
    }
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
    use houserule_picture::draw::svg::Theme;

    #[test]
    fn a_new_option_can_be_taken_in_the_picture_or_the_game_is_half_over() {
        let game = load(&Request { name: "connect-four-pop-out", ..Request::default() }).unwrap().game;
        let taken: Vec<String> = game.model().actions.iter().map(|block| block.option.clone()).collect();
        let last = taken.last().unwrap().clone();
        let moment = ShownMoment::find(&game, std::slice::from_ref(&last), 1).unwrap();
        let offers = |action: &ActionId| game.model().action_block(*action).unwrap().option == last;
        assert!(moment.state.legal_actions().iter().any(offers));
        assert!(
            moment.is_of_new_option() && moment.caption().contains("To choose: "),
            "{}",
            moment.caption()
        );
        let middle = ShownMoment::find(&game, &[], 1).unwrap();
        assert!(middle.state.decisions() > 2 && !middle.state.is_over());
        assert!(middle.caption().starts_with("In the middle of a game. "), "{}", middle.caption());
        let palette = Palette::new(Theme::Auto);
        assert!(!middle.picture(&palette).is_empty());
    }
}
