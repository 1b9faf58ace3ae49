//! Sentences about a game at a table: its events, its end, and its match.

use super::seen::{SeenEvent, SeenKind};
use houserule_base::names::plain;
use houserule_game::matches::Match;
use houserule_game::{Game, Seat, State};
use houserule_model::{Content, DisplayForm, MatchLength, PLAYER, Role, side_in_words};

/// Returns a player's name.
pub fn player_name(game: &Game, player: Seat) -> &str {
    game.model().players.names.get(player.0 as usize).map_or("somebody", String::as_str)
}

/// Describes an event in the notation of journals: `pair rolled: 3 5` for `roll pair 3 5`, with the names that the rules
/// give faces; `picked: ♣K` for `pick ♣K`. An action stays as it is.
pub fn event_phrase(game: &Game, event: &str) -> String {
    let mut words = event.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some("roll"), Some(dice), Some(rolled)) => {
            let which = |one: &str| match one.split_once(':') {
                Some((die, shown)) => format!("die {die} shows {}", face_in_words(game, dice, shown)),
                None => face_in_words(game, dice, one),
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

/// Returns a roll in the notation of journals with the names that the rules give faces: `roll hand claw 2` for
/// `roll hand 3 2`. Other events stay as they are.
pub(crate) fn roll_in_words(game: &Game, event: &str) -> String {
    let mut words = event.splitn(3, ' ');
    let (Some("roll"), Some(dice), Some(rolled)) = (words.next(), words.next(), words.next()) else {
        return event.to_owned();
    };
    let which = |one: &str| match one.split_once(':') {
        Some((die, shown)) => format!("{die}:{}", face_in_words(game, dice, shown)),
        None => face_in_words(game, dice, one),
    };
    format!("roll {dice} {}", rolled.split(' ').map(which).collect::<Vec<_>>().join(" "))
}

/// Returns the name that the rules give a face, or else its number.
fn face_in_words(game: &Game, dice: &str, number: &str) -> String {
    let at = number.parse::<usize>().ok().and_then(|face| face.checked_sub(1));
    let name = at.and_then(|at| face_names(game, dice).get(at));
    name.map_or(number, String::as_str).to_owned()
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

/// Describes events one by one. Draws in a row are one phrase: the elements that are seen, how many are hidden, and where
/// they went. What moved at once is one phrase, too. A player's name comes before the first of several things in a turn.
/// Before what happened without a decision, such as a roll, it comes if something of another player was told before or
/// comes next.
pub fn event_phrases(game: &Game, events: &[SeenEvent]) -> Vec<String> {
    let next = last_told(events);
    EventTeller::new(game, None).describe(events, next)
}

/// Like [`event_phrases`], after something that a player did and that has been told.
pub fn event_phrases_after(game: &Game, last: Option<Seat>, events: &[SeenEvent]) -> Vec<String> {
    let next = last_told(events);
    EventTeller::new(game, last).describe(events, next)
}

/// Like [`event_phrases`], before a player decides, or nobody does: the game is over.
pub fn event_phrases_before(game: &Game, next: Option<Seat>, events: &[SeenEvent]) -> Vec<String> {
    EventTeller::new(game, None).describe(events, next)
}

/// Describes events in lines, one for each turn of a player: `X: pair rolled: 3 5, place c5`. What comes before the first turn
/// is a line, too, and what another player decides in a turn is one of its own.
pub fn turn_phrases(game: &Game, events: &[SeenEvent]) -> Vec<String> {
    let mut lines = vec![];
    let told: Vec<SeenEvent> =
        events.iter().filter(|event| event.kind != SeenKind::Unseen).cloned().collect();
    let mut rest = told.as_slice();
    while let Some(first) = rest.first() {
        let player = player_of(first);
        // What happens between turns goes with what was told before it.
        let goes_on = |event: &&SeenEvent| {
            player_of(event).is_none() || player_of(event) == player && event.turns == first.turns
        };
        let (turn, later) = rest.split_at(rest.iter().take_while(goes_on).count().max(1));
        lines.extend(turn_phrase(game, player, turn));
        rest = later;
    }
    lines
}

/// Describes events of a player's turn in a line. Returns `None` if nothing of them is told.
fn turn_phrase(game: &Game, player: Option<Seat>, events: &[SeenEvent]) -> Option<String> {
    let phrases = EventTeller::new(game, player).describe(events, player);
    let Some(player) = player.filter(|_| game.players() > 1) else {
        return (!phrases.is_empty()).then(|| phrases.join(", "));
    };
    let name = player_name(game, player);
    match phrases.as_slice() {
        [] => None,
        // It has the name already.
        [only] if matches!(events, [pass @ SeenEvent { kind: SeenKind::Pass(_), .. }] if pass.covered().is_none()) => {
            Some(only.clone())
        }
        all => {
            let passed = format!("{name} has ");
            let words = all.iter().map(|phrase| phrase.strip_prefix(&passed).unwrap_or(phrase));
            Some(format!("{name}: {}", words.collect::<Vec<_>>().join(", ")))
        }
    }
}

/// The player who decided, could decide nothing, or whose turn it was.
fn player_of(event: &SeenEvent) -> Option<Seat> {
    match event.kind {
        SeenKind::Action(player) | SeenKind::Pass(player) => Some(player),
        _ => event.turn,
    }
}

/// The player of the last event that is told.
fn last_told(events: &[SeenEvent]) -> Option<Seat> {
    events.iter().rfind(|event| event.kind != SeenKind::Unseen).and_then(player_of)
}

/// Tells events one after the other.
struct EventTeller<'g> {
    game: &'g Game,
    /// The player of whom something was told last.
    last: Option<Seat>,
    /// The players who have chosen something that nobody else may be told yet. How much it was can't be told either.
    covered: Vec<Seat>,
    phrases: Vec<String>,
}

impl<'g> EventTeller<'g> {
    fn new(game: &'g Game, last: Option<Seat>) -> EventTeller<'g> {
        EventTeller { game, last, covered: vec![], phrases: vec![] }
    }

    /// Puts a player's name before a phrase if something of another player was told last.
    fn named(&mut self, player: Option<Seat>, phrase: String) -> String {
        match player {
            Some(player) if self.game.players() > 1 && self.last != Some(player) => {
                self.last = Some(player);
                format!("{}: {phrase}", player_name(self.game, player))
            }
            _ => phrase,
        }
    }

    /// Tells draws in a row in a player's turn.
    fn tell_draws(&mut self, turn: Option<Seat>, drawn: &mut Vec<DrawnTo<'_>>) {
        if let Some(phrase) = draws(drawn) {
            let phrase = self.named(turn, phrase);
            self.phrases.push(phrase);
        }
        drawn.clear();
    }

    /// Describes events. `next`: the player of what comes after them.
    fn describe(mut self, events: &[SeenEvent], next: Option<Seat>) -> Vec<String> {
        let game = self.game;
        let mut drawn: Vec<DrawnTo<'_>> = vec![];
        let (mut turn, mut moved) = (None, false);
        for (at, event) in events.iter().enumerate() {
            if event.kind == SeenKind::Unseen {
                continue;
            }
            let text = event.said.as_deref();
            let drew = match event.kind {
                SeenKind::Pick | SeenKind::Certain => match event.text.as_deref().map(element_of) {
                    Some(element) if lies_in_zones(game, element) => Some(text.map(element_of)),
                    Some(_) => None,
                    None => Some(None),
                },
                _ => None,
            };
            if !drawn.is_empty() && (drew.is_none() || event.turn != turn) {
                self.tell_draws(turn, &mut drawn);
            }
            let same_turn = std::mem::replace(&mut turn, event.turn) == turn;
            let moved_before = std::mem::replace(&mut moved, event.kind == SeenKind::Moved) && same_turn;
            if let Some(player) = event.covered() {
                if !self.covered.contains(&player) {
                    self.covered.push(player);
                    let phrase = self.named(Some(player), "?".to_owned());
                    self.phrases.push(phrase);
                }
                continue;
            }
            if let Some(element) = drew {
                DrawnTo::add(&mut drawn, event.zone.as_deref(), element);
                continue;
            }
            // Before the first thing that is told, what happens without a decision needs a name only if another player
            // comes next.
            let comes_next = |event: &&SeenEvent| {
                !matches!(event.kind, SeenKind::Moved | SeenKind::Shown | SeenKind::Unseen)
            };
            let follows = events[at + 1..].iter().find(comes_next).map_or(next, player_of);
            let whose = event.turn.filter(|turn| self.last.is_some() || follows != Some(*turn));
            let phrase = match (event.kind, text) {
                (SeenKind::Moved, way) => {
                    let way = way.unwrap_or_default();
                    if moved_before && let Some(phrase) = self.phrases.last_mut() {
                        *phrase = format!("{phrase}; {way}");
                        continue;
                    }
                    // What comes after it has the name, too.
                    let last = self.last;
                    let phrase = self.named(whose, format!("moved: {way}"));
                    self.last = last;
                    phrase
                }
                (SeenKind::Shown, what) => format!("shown: {}", what.unwrap_or_default()),
                (SeenKind::Action(player), Some(text)) => self.named(Some(player), text.to_owned()),
                (SeenKind::Pass(player), words) if game.players() > 1 => {
                    self.last = Some(player);
                    format!("{} has {}", player_name(game, player), words.unwrap_or("no move"))
                }
                (SeenKind::Pass(_), words) => words.unwrap_or("no move").to_owned(),
                (SeenKind::Roll, None) => self.named(whose, "dice rolled out of sight".to_owned()),
                (SeenKind::Secret, None) => self.named(whose, "picked out of sight".to_owned()),
                (_, None) => self.named(whose, "drawn out of sight".to_owned()),
                (_, Some(text)) => self.named(whose, event_phrase(game, text)),
            };
            self.phrases.push(phrase);
        }
        self.tell_draws(turn, &mut drawn);
        self.phrases.iter().map(|phrase| plain(&places_in_words(game, phrase))).collect()
    }
}

/// Replaces the names of members of families in a phrase by words: `north's hand` for `hand[north]`, `up 3` for `up[3]`.
fn places_in_words(game: &Game, phrase: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut said, mut rest) = (String::new(), phrase);
    while let Some(start) = rest.find(is_of_name) {
        said.push_str(&rest[..start]);
        let word = &rest[start..];
        let end = word.find(|c| !is_of_name(c)).unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        let index = after.strip_prefix('[').and_then(|inside| inside.split_once(']'));
        let is_slot = game.model().slots.iter().any(|slot| slot.name == name);
        match index.filter(|_| is_slot) {
            Some((index, after)) => {
                said.push_str(&place_in_words(game, name, index));
                rest = after;
            }
            None => {
                said.push_str(name);
                rest = after;
            }
        }
    }
    said.push_str(rest);
    said
}

/// Returns a member of a family in words, given its index.
fn place_in_words(game: &Game, name: &str, index: &str) -> String {
    let model = game.model();
    let (first, others) = index.split_once(", ").unwrap_or((index, ""));
    let seat = (0..game.players()).find(|seat| model.element_name(PLAYER, *seat) == first);
    match seat {
        Some(seat) => {
            let owner = player_name(game, Seat(seat));
            format!("{owner}'s {name} {others}").trim_end().to_owned()
        }
        None => format!("{name} {index}"),
    }
}

/// Returns the name of the element in the text of a pick.
fn element_of(pick: &str) -> &str {
    pick.strip_prefix("pick ").unwrap_or(pick)
}

/// Elements that were drawn in a row to the same zone.
struct DrawnTo<'e> {
    zone: Option<&'e str>,
    seen: Vec<&'e str>,
    hidden: usize,
}

impl<'e> DrawnTo<'e> {
    /// Adds an element, or a hidden one.
    fn add(drawn: &mut Vec<DrawnTo<'e>>, zone: Option<&'e str>, element: Option<&'e str>) {
        let at = drawn.iter().position(|to| to.zone == zone).unwrap_or_else(|| {
            drawn.push(DrawnTo { zone, seen: vec![], hidden: 0 });
            drawn.len() - 1
        });
        match element {
            Some(element) => drawn[at].seen.push(element),
            None => drawn[at].hidden += 1,
        }
    }

    fn place(&self) -> String {
        self.zone.map_or_else(String::new, |zone| format!(" to {zone}"))
    }
}

/// Describes draws in a row: `drawn: 7-spades, 3-hearts to hand[X], and 2 face down to hand[O]`.
fn draws(drawn: &[DrawnTo<'_>]) -> Option<String> {
    let seen: Vec<String> = drawn
        .iter()
        .filter(|to| !to.seen.is_empty())
        .map(|to| format!("{}{}", to.seen.join(", "), to.place()))
        .collect();
    let hidden = drawn.iter().filter(|to| to.hidden > 0);
    if seen.is_empty() {
        let hidden = hidden.map(|to| match to.hidden {
            1 => format!("drawn face down{}", to.place()),
            n => format!("{n} drawn face down{}", to.place()),
        });
        let hidden: Vec<String> = hidden.collect();
        return (!hidden.is_empty()).then(|| hidden.join(", "));
    }
    let mut parts = seen;
    let hidden: Vec<String> = hidden.map(|to| format!("{} face down{}", to.hidden, to.place())).collect();
    if let Some((last, others)) = hidden.split_last() {
        parts.extend(others.iter().cloned());
        parts.push(format!("and {last}"));
    }
    Some(format!("drawn: {}", parts.join(", ")))
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

/// Describes which end a game ended by, if that end has a name, or that no rule ended it: nobody still plays.
pub fn ended_by(state: &State) -> Option<String> {
    let end = state.outcome()?.end;
    let model = state.game().model();
    let rule = model.ends.get(end as usize);
    if rule.is_some_and(|rule| rule.implied) {
        return Some("It ended because nobody still plays.".to_owned());
    }
    let (name, rule) = (model.end_name(end), if rule.is_some() { "the rule " } else { "" });
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

/// Says who wins a match that is over: players, or teams. Without opponents nobody wins it.
pub fn match_result(game: &Game, one: &Match) -> String {
    let sides = game.model().sides();
    let leaders = (0u32..).zip(one.leaders()).filter(|(seat, leads)| *leads && sides >> seat & 1 == 1);
    let names: Vec<String> = leaders.map(|(seat, _)| side_in_words(game.model(), Seat(seat))).collect();
    match (sides.count_ones(), names.as_slice()) {
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
        let told = |all: &[(Option<&'static str>, Option<&'static str>)]| {
            let mut drawn = vec![];
            all.iter().for_each(|(zone, element)| DrawnTo::add(&mut drawn, *zone, *element));
            draws(&drawn)
        };
        let (mine, other) = (Some("hand[X]"), Some("hand[O]"));
        let deal = [(mine, Some("7-spades")), (other, None), (mine, Some("3-hearts")), (other, None)];
        assert_eq!(
            told(&deal).as_deref(),
            Some("drawn: 7-spades, 3-hearts to hand[X], and 2 face down to hand[O]")
        );
        assert_eq!(told(&[(None, Some("7-spades"))]).as_deref(), Some("drawn: 7-spades"));
        assert_eq!(told(&[(None, None); 3]).as_deref(), Some("3 drawn face down"));
        let hidden = told(&[(mine, None), (other, None), (other, None)]);
        assert_eq!(hidden.as_deref(), Some("drawn face down to hand[X], 2 drawn face down to hand[O]"));
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn what_an_action_moved_is_one_phrase() {
        let rules = "game \"Two\" { players 2 turn { choose { pass } } end over when round == 2: draw }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        let seen = |kind: SeenKind, text: &str| SeenEvent {
            index: 0,
            kind,
            text: Some(text.to_owned()),
            said: Some(text.to_owned()),
            zone: None,
            turn: None,
            turns: 0,
        };
        let events = [
            seen(SeenKind::Action(Seat(0)), "take a"),
            seen(SeenKind::Moved, "b from table to won"),
            seen(SeenKind::Moved, "a to won"),
            seen(SeenKind::Action(Seat(1)), "take c"),
            seen(SeenKind::Moved, "c to won"),
        ];
        let told = [
            "player 1: take a",
            "moved: b from table to won; a to won",
            "player 2: take c",
            "moved: c to won",
        ];
        assert_eq!(event_phrases(&game, &events), told);
    }

    #[test]
    fn a_turn_is_a_line() {
        let rules = "game \"Two\" { players 2 turn { choose { pass } } end over when round == 2: draw }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        let seen = |turns: u64, kind: SeenKind, turn: Option<u32>, text: &str| SeenEvent {
            index: 0,
            kind,
            text: Some(text.to_owned()),
            said: Some(text.to_owned()),
            zone: None,
            turn: turn.map(Seat),
            turns,
        };
        let events = [
            seen(0, SeenKind::Roll, None, "roll die 4"),
            seen(0, SeenKind::Roll, Some(0), "roll die 2"),
            seen(0, SeenKind::Action(Seat(0)), Some(0), "take a"),
            seen(0, SeenKind::Action(Seat(1)), Some(0), "block a"),
            seen(0, SeenKind::Moved, Some(0), "a to won"),
            seen(1, SeenKind::Pass(Seat(1)), Some(1), "no move"),
            seen(2, SeenKind::Roll, Some(0), "roll die 6"),
            seen(2, SeenKind::Pass(Seat(0)), Some(0), "no move"),
            seen(3, SeenKind::Action(Seat(0)), Some(0), "take b"),
            seen(3, SeenKind::Moved, None, "b to won"),
        ];
        let told = [
            "die rolled: 4",
            "player 1: die rolled: 2, take a",
            "player 2: block a",
            "player 1: moved: a to won",
            "player 2 has no move",
            "player 1: die rolled: 6, no move",
            "player 1: take b, moved: b to won",
        ];
        assert_eq!(turn_phrases(&game, &events), told);
        assert!(turn_phrases(&game, &[]).is_empty());
    }

    #[test]
    fn what_changes_nothing_that_is_seen_is_not_told() {
        let rules = "game \"Two\" { players 2 turn { choose { pass } } end over when round == 2: draw }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        let seen = |kind: SeenKind, text: Option<&str>| SeenEvent {
            index: 0,
            kind,
            text: text.map(str::to_owned),
            said: text.map(str::to_owned),
            zone: None,
            turn: Some(Seat(0)),
            turns: 0,
        };
        let events = [
            seen(SeenKind::Unseen, None),
            seen(SeenKind::Pass(Seat(0)), Some("no move")),
            seen(SeenKind::Unseen, None),
        ];
        assert_eq!(event_phrases(&game, &events), ["player 1 has no move"]);
        assert_eq!(turn_phrases(&game, &events), ["player 1 has no move"]);
        assert!(event_phrases(&game, &events[2..]).is_empty());
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
        assert_eq!(roll_in_words(&game, "roll hand 4 2"), "roll hand heart 2");
        assert_eq!(roll_in_words(&game, "roll hand[X] 2:2 4:3"), "roll hand[X] 2:2 4:claw");
        assert_eq!(roll_in_words(&game, "roll pair 3 5"), "roll pair 3 5");
        assert_eq!(roll_in_words(&game, "pick c5"), "pick c5");
        assert_eq!(event_phrase(&game, "pick c5"), "picked: c5");
        assert_eq!(event_phrase(&game, "pick player 2"), "picked: player 2");
    }
}
