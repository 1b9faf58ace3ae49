//! The last move of a state: all decisions of the last turn that had any, and what was drawn after them. Before the first
//! decision it is what was drawn.

use std::cell::LazyCell;

use super::spoken::spoken;
use super::text::capitalised;
use super::told::describe_action;
use houserule_base::names::plain;
use houserule_game::Onlookers;
use houserule_game::drawing::{Instance, Marked, SiteContents, instances};
use houserule_game::explain::things::ActionThings;
use houserule_game::values::{BoardNames, event_text};
use houserule_game::{ActionId, BinderValue, Event, Seat, State};
use houserule_model::board::{BitSet, Site};
use houserule_model::{BoardId, DomainId, DomainKind};

/// The last move.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    /// The state before it, or `None` if the history can't be replayed.
    before: Option<State>,
    /// Its events, in order.
    events: Vec<Event>,
    /// For each event that may be hidden from a player, the states before and after it.
    stood: Vec<Option<Around>>,
}

/// The states before and after an event. What is seen of the event later tells nothing about it.
#[derive(Clone, Debug)]
struct Around {
    before: State,
    /// `None` for the state that is drawn.
    after: Option<State>,
}

impl Around {
    /// Notes the state to which the event led. What players commit at the same time is told once all have chosen.
    fn note(&mut self, event: &Event, now: &State) {
        if self.after.as_ref().is_none_or(|after| after.veils(&self.before, event)) {
            self.after = Some(now.clone());
        }
    }
}

/// Notes the state to which the last of some events led.
fn note_after(events: &[Event], stood: &mut [Option<Around>], now: &State) {
    let last = events.len();
    for (at, (event, around)) in events.iter().zip(stood).enumerate() {
        if let Some(around) = around.as_mut()
            && (at + 1 == last
                || around.after.as_ref().is_some_and(|after| after.veils(&around.before, event)))
        {
            around.note(event, now);
        }
    }
}

impl Last {
    /// Finds the last move of a state as a viewer sees it, by replaying the game, from an `earlier` state if there is one. That
    /// state must be in an earlier turn than the move.
    pub(super) fn from_state(state: &State, earlier: Option<&State>, sight: Onlookers) -> Last {
        let in_secret = !sight.is_everything() && state.game().hides();
        let (mut turn, mut last) = (TurnReplay::default(), TurnReplay::default());
        let mut add_event = |now: &State, event: &Event| {
            note_after(&turn.events, &mut turn.stood, now);
            if !event.is_move(in_secret) && !matches!(event, Event::Roll { .. }) {
                return;
            }
            if turn.before.as_ref().is_none_or(|_| turn.number != now.turns()) {
                let done = std::mem::replace(
                    &mut turn,
                    TurnReplay {
                        number: now.turns(),
                        before: Some(now.clone()),
                        events: vec![],
                        stood: vec![],
                    },
                );
                if done.is_later_move(&last) {
                    last = done;
                }
            }
            if event.is_move(in_secret) {
                turn.events.push(*event);
                turn.stood.push(now.game().hides().then(|| Around { before: now.clone(), after: None }));
            }
        };
        let known = match earlier {
            Some(earlier) => state.replay_from(earlier.clone(), &mut add_event),
            None => state.replay_history(&mut add_event),
        };
        if turn.is_later_move(&last) {
            last = turn;
        }
        if !known {
            let moves = || state.history().iter().rev().filter(|event| event.is_move(in_secret));
            let one = moves().find(|event| actor(event).is_some()).or_else(|| moves().next());
            return Last { before: None, events: one.copied().into_iter().collect(), stood: vec![None] };
        }
        Last { before: last.before, events: last.events, stood: last.stood }
    }

    /// Returns the move as those who look see it.
    pub(super) fn veiled(self, sight: Onlookers) -> Last {
        match self.before {
            Some(before) => {
                Last { before: before.veiled(sight).or(Some(before)), events: self.events, stood: self.stood }
            }
            // Without that state it is unknown what is hidden.
            None => Last::default(),
        }
    }

    /// Returns the state before the move, if known.
    pub(super) fn before(&self) -> Option<&State> {
        self.before.as_ref()
    }

    /// Returns the sites of a board that the move changed, or only those it named if the state before isn't
    /// known.
    pub(super) fn changed(&self, state: &State, instance: &Instance, sight: Onlookers) -> BitSet {
        let board = &state.game().model().boards[instance.board.index()];
        let size = board.topology.size();
        let Some(before) = &self.before else {
            let named = self.events.iter().flat_map(|event| sites(state, event, instance.board));
            let named = named.filter(|_| !state.is_face_down(board, instance.number));
            return BitSet::from_elements(size, named);
        };
        let [was, is] = [before, state].map(|state| Marked::seen(state, instance, sight));
        let differ =
            |site: &usize| was.marks[*site] != is.marks[*site] || was.piles[*site] != is.piles[*site];
        BitSet::from_elements(size, (0..size as usize).filter(differ).map(|site| site as u32))
    }

    /// Describes the move as sentences, with the name of each player involved and the names that the board shows: `X asked 3; O
    /// answered 3; drawn: 7`. Repetitions are counted, not repeated. Chance is nobody's move: what was drawn before the first
    /// decision is left out, and without a decision it is all there is. Returns `None` if nothing has been decided or drawn, or
    /// if the viewer saw none of it.
    pub(super) fn describe(&self, state: &State, sight: Onlookers) -> Option<String> {
        const MOST: usize = 4;
        let mut words = self.phrases(state, sight);
        let is_move = words.iter().any(|phrase| phrase.who.is_some());
        if is_move && words.len() > MOST {
            // What was decided comes first.
            words.retain(|phrase| phrase.who.is_some());
        }
        let names = &state.game().model().players.names;
        let cut = words.len().saturating_sub(MOST);
        let mut sentence = if is_move { "Last move: " } else { "Drawn: " }.to_owned();
        let mut last = None;
        for (at, MovePhrase { who, text, times }) in words.iter().skip(cut).enumerate() {
            let name = who.filter(|_| names.len() > 1).and_then(|player| names.get(player.0 as usize));
            let name = name.map(|name| capitalised(&plain(name)));
            match (name, who) {
                _ if at > 0 && last == Some(*who) => sentence.push_str(", "),
                (Some(name), _) => {
                    sentence.push_str(&format!("{}{name} ", if at > 0 { "; " } else { "" }));
                }
                (None, None) if is_move => sentence.push_str("; drawn: "),
                (None, _) if at > 0 => sentence.push_str("; "),
                (None, _) => {}
            }
            last = Some(*who);
            if at == 0 && cut > 0 {
                sentence.push_str("…, ");
            }
            sentence.push_str(text);
            if *times > 1 {
                sentence.push_str(&format!(" ×{times}"));
            }
        }
        (!words.is_empty()).then_some(sentence)
    }

    /// Returns what a viewer sees of the move, each part in words: from the first decision on if there is one.
    fn phrases(&self, state: &State, sight: Onlookers) -> Vec<MovePhrase> {
        let board_names = BoardNames::new(state.game());
        // Few actions name sites.
        let marked = LazyCell::new(|| -> Vec<(Instance, Marked<'_>)> {
            let before = self.before.iter();
            let all =
                before.flat_map(|before| instances(before.game()).into_iter().map(move |one| (before, one)));
            all.map(|(before, instance)| (instance.clone(), Marked::seen(before, &instance, sight))).collect()
        });
        let stands = |board: BoardId, site: Site| {
            marked
                .iter()
                .filter(|(instance, _)| instance.board == board)
                .any(|(_, marked)| matches!(marked.marks.get(site.index()), Some(SiteContents::Piece(_))))
        };
        let text_for = |event: &Event, stood: &Option<Around>, viewer: Seat| match stood {
            // Omits what the viewer doesn't see.
            Some(Around { before, after }) => {
                let after = after.as_ref().filter(|after| !after.veils(before, event));
                after.unwrap_or(state).event_seen(before, event, viewer)
            }
            None => state.event_seen(self.before.as_ref().unwrap_or(state), event, viewer),
        };
        let text = |event: &Event, stood: &Option<Around>| {
            if sight.is_everything() {
                return Some(event_text(state.game(), event));
            }
            let texts: Option<Vec<String>> = sight.seats().map(|seat| text_for(event, stood, seat)).collect();
            texts?.into_iter().reduce(|one, other| common_words(&one, &other))
        };
        let first = self.events.iter().position(|event| actor(event).is_some()).unwrap_or(0);
        let mut words: Vec<MovePhrase> = vec![];
        for (event, stood) in self.events.iter().zip(&self.stood).skip(first) {
            let who = actor(event);
            // The number of an outcome says nothing.
            if matches!(event, Event::Draw { .. }) {
                continue;
            }
            let Some(text) = text(event, stood) else { continue };
            let text = match event {
                Event::Action { action, .. } => describe_action(state.game(), *action, &text, &stands),
                // What is drawn comes after a verb.
                _ => {
                    let text = board_names.event(event, &text);
                    text.split_once(' ').map_or_else(|| text.clone(), |(_, drawn)| spoken(drawn))
                }
            };
            match words.last_mut() {
                Some(same) if same.text == text && same.who == who => same.times += 1,
                _ => words.push(MovePhrase { who, text, times: 1 }),
            }
        }
        words
    }
}

/// Returns what both of two viewers see of the same event, from what each sees: a question mark stands for what one of them
/// doesn't see.
fn common_words(one: &str, other: &str) -> String {
    let [words, others] = [one, other].map(|text| text.split(' ').collect::<Vec<_>>());
    if words.len() != others.len() {
        // One question mark stands for several elements or none, or for the whole action.
        let [is_part, is_other_part] = [&words, &others].map(|words| words.contains(&"?"));
        let is_less = is_part && (!is_other_part || words.len() < others.len());
        return if is_less { one } else { other }.to_owned();
    }
    let pairs = words.into_iter().zip(others);
    pairs.map(|(word, other)| if word == other { word } else { "?" }).collect::<Vec<_>>().join(" ")
}

/// A part of a move in words.
struct MovePhrase {
    /// Who decided it, or `None` if it was drawn.
    who: Option<Seat>,
    text: String,
    times: usize,
}

fn actor(event: &Event) -> Option<Seat> {
    match event {
        Event::Action { player, .. } => Some(*player),
        _ => None,
    }
}

/// A turn during the replay.
#[derive(Default)]
struct TurnReplay {
    number: u64,
    before: Option<State>,
    events: Vec<Event>,
    stood: Vec<Option<Around>>,
}

impl TurnReplay {
    /// Returns `true` if this turn, rather than an earlier one, is the last move: somebody decided something, or something was
    /// drawn and nobody has decided anything yet. A turn of rolls alone isn't one.
    fn is_later_move(&self, earlier: &TurnReplay) -> bool {
        let decides = |turn: &TurnReplay| turn.events.iter().any(|event| actor(event).is_some());
        !self.events.is_empty() && (decides(self) || !decides(earlier))
    }
}

/// Returns the sites of a board that an event names.
fn sites(state: &State, event: &Event, board: BoardId) -> Vec<u32> {
    let model = state.game().model();
    let on = |domain: DomainId| matches!(model.domains[domain.index()].kind, DomainKind::Sites(other) if other == board);
    match event {
        Event::Action { action, .. } => named(state.game().action_bindings(*action), on),
        Event::Pick { domain, element } if on(*domain) => vec![*element],
        _ => vec![],
    }
}

fn named(bound: Vec<BinderValue>, on: impl Fn(DomainId) -> bool) -> Vec<u32> {
    let site = |bound| match bound {
        BinderValue::Element(domain, element) if on(domain) => Some(element),
        _ => None,
    };
    bound.into_iter().filter_map(site).collect()
}

/// Returns `true` if a viewer may see what is legal. What hidden values allow another player tells of them.
pub(super) fn may_see_legal(state: &State, sight: Onlookers) -> bool {
    sight.sees(|viewer| state.sees_legal(viewer))
}

/// Returns the sites of a board that legal actions name.
pub(super) fn legal(state: &State, instance: &Instance) -> BitSet {
    sites_of(state, instance, &|_| true)
}

/// Returns the sites of a board that some of the legal actions name. An action names sites of one board of a family alone.
pub(super) fn sites_of(state: &State, instance: &Instance, is_one: &dyn Fn(&ActionId) -> bool) -> BitSet {
    let (game, board) = (state.game(), instance.board);
    let of = &game.model().boards[board.index()];
    let on = |domain: DomainId| matches!(game.model().domains[domain.index()].kind, DomainKind::Sites(other) if other == board);
    let actions = state.legal_actions().into_iter().filter(is_one);
    let size = of.topology.size();
    if of.index.is_empty() {
        return BitSet::from_elements(
            size,
            actions.flat_map(|action| named(game.action_bindings(action), on)),
        );
    }
    let things = ActionThings::from_state(state);
    BitSet::from_elements(
        size,
        actions.flat_map(|action| things.sites_on(game, action, board, instance.number)),
    )
}

#[cfg(test)]
mod tests {
    use super::common_words;

    #[test]
    fn several_viewers_read_what_all_of_them_see() {
        for (one, other, both) in [
            ("pass", "pass", "pass"),
            ("lay 7", "lay ?", "lay ?"),
            ("lay ?", "lay 7", "lay ?"),
            ("give a ?", "give ? b", "give ? ?"),
            ("discard a b", "discard ?", "discard ?"),
            ("discard", "discard ?", "discard ?"),
            ("?", "take coin", "?"),
        ] {
            assert_eq!(common_words(one, other), both, "{one}, {other}");
        }
    }
}
