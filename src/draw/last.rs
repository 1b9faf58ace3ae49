//! The last move of a state: all that was decided or picked in the last turn in which something was.

use crate::board::BitSet;
use crate::engine::drawing::{Instance, Marked};
use crate::engine::values::event_text;
use crate::engine::{Bound, Event, Player, State};
use crate::lang::model::{BoardId, DomainId, DomainKind};

/// The last move.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    /// The state before it; none if the history does not lead back there.
    before: Option<State>,
    /// What it was, in order.
    events: Vec<Event>,
}

impl Last {
    pub(super) fn of(state: &State) -> Last {
        let (mut turn, mut last) = (Turn::default(), Turn::default());
        let known = state.play_again(&mut |now, event| {
            if turn.before.as_ref().is_none_or(|_| turn.number != now.turns()) {
                // Nothing but rolls is no move.
                let done = std::mem::replace(
                    &mut turn,
                    Turn { number: now.turns(), before: Some(now.clone()), events: vec![] },
                );
                if !done.events.is_empty() {
                    last = done;
                }
            }
            if !matches!(event, Event::Roll { .. }) {
                turn.events.push(*event);
            }
        });
        if !turn.events.is_empty() {
            last = turn;
        }
        if !known {
            let moves = state.history().iter().rev().filter(|event| !matches!(event, Event::Roll { .. }));
            return Last { before: None, events: moves.take(1).copied().collect() };
        }
        Last { before: last.before, events: last.events }
    }

    /// As a player sees it.
    pub(super) fn veiled(self, player: Player) -> Last {
        match self.before {
            Some(before) => Last { before: before.veiled(player).or(Some(before)), events: self.events },
            // What is hidden of an event can't be told without it.
            None => Last::default(),
        }
    }

    /// The state before it, if that is known.
    pub(super) fn before(&self) -> Option<&State> {
        self.before.as_ref()
    }

    /// The sites of a board that it changed, or named where that is all there is to know.
    pub(super) fn changed(&self, state: &State, instance: &Instance) -> BitSet {
        let board = &state.game().model().boards[instance.board.index()];
        let size = board.topology.size();
        let Some(before) = &self.before else {
            let named = self.events.iter().flat_map(|event| sites(state, event, instance.board));
            let named = named.filter(|_| !state.is_face_down(board, instance.number));
            return BitSet::from_elements(size, named);
        };
        let (was, is) = (Marked::new(before, instance), Marked::new(state, instance));
        let changed = (0..size).filter(|site| was.marks[*site as usize] != is.marks[*site as usize]);
        BitSet::from_elements(size, changed)
    }

    /// Who made it, and what it was; what was done again is said once. None if nothing has been decided or
    /// picked, or the viewer saw nothing of it.
    pub(super) fn told(&self, state: &State, viewer: Option<Player>) -> Option<(Option<Player>, String)> {
        const MOST: usize = 4;
        let who = self.events.iter().find_map(|event| match event {
            Event::Action { player, .. } => Some(*player),
            _ => None,
        });
        let mut words: Vec<(String, usize)> = vec![];
        let text = |event: &Event| match viewer {
            None => Some(event_text(state.game(), event)),
            // Whether it came into view depends on where it went.
            Some(_) if state.draws_copies(event) => None,
            // What the viewer does not see of a move is left out.
            Some(viewer) => state.event_seen(self.before.as_ref().unwrap_or(state), event, viewer),
        };
        for text in self.events.iter().filter_map(text) {
            match words.last_mut() {
                Some((same, times)) if *same == text => *times += 1,
                _ => words.push((text, 1)),
            }
        }
        let cut = words.len().saturating_sub(MOST);
        let mut told: Vec<String> = (cut > 0).then(|| "…".to_owned()).into_iter().collect();
        told.extend(words.into_iter().skip(cut).map(|(text, times)| match times {
            1 => text,
            _ => format!("{text} ×{times}"),
        }));
        (!told.is_empty()).then(|| (who, told.join(", ")))
    }
}

/// A turn as it is played again.
#[derive(Default)]
struct Turn {
    number: u64,
    before: Option<State>,
    events: Vec<Event>,
}

/// The sites of a board that an event names.
fn sites(state: &State, event: &Event, board: BoardId) -> Vec<u32> {
    let model = state.game().model();
    let on = |domain: DomainId| matches!(model.domains[domain.index()].kind, DomainKind::Sites(other) if other == board);
    match event {
        Event::Action { action, .. } => named(state.game().action_bindings(*action), on),
        Event::Pick { domain, element } if on(*domain) => vec![*element],
        _ => vec![],
    }
}

fn named(bound: Vec<Bound>, on: impl Fn(DomainId) -> bool) -> Vec<u32> {
    let site = |bound| match bound {
        Bound::Element(domain, element) if on(domain) => Some(element),
        _ => None,
    };
    bound.into_iter().filter_map(site).collect()
}

/// The sites of a board that legal actions name.
pub(super) fn legal(state: &State, board: BoardId) -> BitSet {
    let model = state.game().model();
    let on = |domain: DomainId| matches!(model.domains[domain.index()].kind, DomainKind::Sites(other) if other == board);
    let actions = state.legal_actions().into_iter();
    let sites = actions.flat_map(|action| named(state.game().action_bindings(action), on));
    BitSet::from_elements(model.boards[board.index()].topology.size(), sites)
}
