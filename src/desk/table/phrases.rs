//! Sentences about a game at a table: its events, its end, and its match.

use super::seen::{SeenEvent, SeenKind};
use houserule_game::matches::Match;
use houserule_game::{Game, Seat, State};
use houserule_model::{Content, DisplayForm, MatchLength, Role};

/// Returns a player's name.
pub fn player_name(game: &Game, player: Seat) -> &str {
    game.model().players.names.get(player.0 as usize).map_or("somebody", String::as_str)
}

/// Describes an event in the notation of journals: `pair rolled: 3 5` for `roll pair 3 5`, with the names that the rules
/// give faces. An action stays as it is.
pub fn event_phrase(game: &Game, event: &str) -> String {
    let mut words = event.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some("roll"), Some(dice), Some(rolled)) => {
            let names = face_names(game, dice);
            let face = |face: &str| {
                let number = face.parse::<usize>().ok();
                number.and_then(|face| names.get(face.checked_sub(1)?).cloned()).unwrap_or(face.to_owned())
            };
            let which = |one: &str| match one.split_once(':') {
                Some((die, shown)) => format!("die {die} shows {}", face(shown)),
                None => face(one),
            };
            let between = if rolled.contains(':') { ", " } else { " " };
            format!("{dice} rolled: {}", rolled.split(' ').map(which).collect::<Vec<_>>().join(between))
        }
        (Some("pick"), Some(what), rest) => {
            format!("picked: {what}{}", rest.map_or_else(String::new, |rest| format!(" {rest}")))
        }
        _ => event.to_owned(),
    }
}

/// The names that the rules give the faces of dice; none if faces are numbers.
pub(super) fn face_names<'g>(game: &'g Game, dice: &str) -> &'g [String] {
    let dice = dice.split('[').next().unwrap_or(dice);
    let slot = game.model().slots.iter().find(|slot| slot.name == dice);
    match slot.map(|slot| &slot.shown) {
        Some(DisplayForm::Faces(names)) => names,
        _ => &[],
    }
}

/// Describes events one by one. Draws in a row are one phrase: the elements that are seen, and how many are hidden. A
/// player's name comes before the first of several actions.
pub fn event_phrases(game: &Game, events: &[SeenEvent]) -> Vec<String> {
    let mut phrases: Vec<String> = vec![];
    let mut drawn: Vec<&str> = vec![];
    let (mut hidden, mut last) = (0, None);
    for event in events.iter().map(Some).chain([None]) {
        let text = event.and_then(|event| event.text.as_deref());
        let element = match event.map(|event| event.kind) {
            Some(SeenKind::Pick) => text.and_then(|text| text.strip_prefix("pick ")),
            _ => None,
        };
        match (event, text, element.filter(|element| lies_in_zones(game, element))) {
            (Some(_), None, _) => hidden += 1,
            (_, _, Some(element)) => drawn.push(element),
            (event, text, None) => {
                phrases.extend(draws(&drawn, hidden));
                drawn.clear();
                hidden = 0;
                let (Some(event), Some(text)) = (event, text) else { continue };
                phrases.push(match event.kind {
                    SeenKind::Action(player) if game.players() > 1 && last != Some(player) => {
                        last = Some(player);
                        format!("{}: {text}", player_name(game, player))
                    }
                    SeenKind::Action(_) | SeenKind::Roll | SeenKind::Pick | SeenKind::Draw => {
                        event_phrase(game, text)
                    }
                });
            }
        }
    }
    phrases
}

/// Describes draws in a row: `drawn: 7-spades, 3-hearts, and 2 face down`.
fn draws(seen: &[&str], hidden: usize) -> Option<String> {
    match (seen, hidden) {
        ([], 0) => None,
        ([], 1) => Some("drawn face down".to_owned()),
        ([], _) => Some(format!("{hidden} drawn face down")),
        (seen, 0) => Some(format!("drawn: {}", seen.join(", "))),
        (seen, _) => Some(format!("drawn: {}, and {hidden} face down", seen.join(", "))),
    }
}

/// Returns `true` if an element with this name lies in zones, so that it is drawn and not picked.
fn lies_in_zones(game: &Game, element: &str) -> bool {
    let model = game.model();
    let mut domains = model.slots.iter().filter_map(|slot| match (slot.role, slot.content) {
        (Role::Zone, Content::Set(domain)) => Some(domain),
        (Role::Copies, _) => slot.index.last().copied(),
        _ => None,
    });
    domains.any(|domain| {
        let size = model.domains[domain.index()].size;
        (0..size).any(|one| game.element_name(domain, one) == element)
    })
}

/// Describes which end a game ended by, if that end has a name.
pub fn ended_by(state: &State) -> Option<String> {
    let end = state.outcome()?.end;
    let model = state.game().model();
    let (name, rule) =
        (model.end_name(end), if (end as usize) < model.ends.len() { "the rule " } else { "" });
    // Ends without a name are numbered.
    (!name.starts_with("end ")).then(|| format!("It ended by {rule}`{name}`."))
}

/// Says which game of a match is under way.
pub fn game_of_match(game: &Game, one: &Match) -> String {
    let number = one.played() + 1;
    match game.model().match_rules.as_ref().map(|rules| &rules.length) {
        Some(MatchLength::Games(games)) => format!("Game {number} of {games}."),
        Some(MatchLength::Until(_)) | None => format!("Game {number} of the match."),
    }
}

/// Says who wins a match that is over.
pub fn match_result(game: &Game, one: &Match) -> String {
    let leaders = (0u32..).zip(one.leaders()).filter(|(_, leads)| *leads);
    let names: Vec<&str> = leaders.map(|(seat, _)| player_name(game, Seat(seat))).collect();
    match (game.players(), names.as_slice()) {
        (1, _) => "The match is over.".to_owned(),
        (_, [one]) => format!("The match is over: {one} wins it."),
        (_, many) => format!("The match is over: {} share it.", many.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load_text};

    #[test]
    fn draws_in_a_row_are_one_phrase() {
        assert_eq!(
            draws(&["7-spades", "3-hearts"], 2).unwrap_or_default(),
            "drawn: 7-spades, 3-hearts, and 2 face down"
        );
        assert_eq!(draws(&["7-spades"], 0).unwrap_or_default(), "drawn: 7-spades");
        assert_eq!(
            (draws(&[], 3).unwrap_or_default(), draws(&[], 0)),
            ("3 drawn face down".to_owned(), None)
        );
    }

    #[test]
    fn chance_in_words() {
        let rules = "game \"Dice\" { players 1 dice pair: 2 of d6 dice hand: 2 of {1, 2, claw, heart}
            turn { roll pair roll hand } end over when round == 2 score { sum: pair[1] + pair[2] } }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        assert_eq!(event_phrase(&game, "roll pair 3 5"), "pair rolled: 3 5");
        assert_eq!(
            event_phrase(&game, "roll hand[X] 2:2 4:3"),
            "hand[X] rolled: die 2 shows 2, die 4 shows claw"
        );
        assert_eq!(event_phrase(&game, "roll hand 4 2"), "hand rolled: heart 2");
        assert_eq!(event_phrase(&game, "pick c5"), "picked: c5");
    }
}
