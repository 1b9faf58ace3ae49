//! How much comes to lie in the zones of a game. Pictures keep room for it from the start, so that nothing moves when cards do.

use houserule_game::{Game, Start, State};
use houserule_model::{Content, Role, SlotId, Value};

/// Random games that are played to find it. They are the same for all pictures of a game.
const GAMES: u64 = 6;

/// Seed of these games.
const SEED: u64 = 1;

/// The most actions of such a game.
const MOST_ACTIONS: usize = 300;

/// One of these parts is added to what only one of the games came to.
const RESERVE: usize = 2;

/// How much lies in a zone, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZoneRoom {
    /// The number of cards.
    pub cards: usize,
    /// The number of different cards.
    pub kinds: usize,
}

impl ZoneRoom {
    fn join(self, other: ZoneRoom) -> ZoneRoom {
        ZoneRoom { cards: self.cards.max(other.cards), kinds: self.kinds.max(other.kinds) }
    }
}

/// Returns how much lies in each zone in a few random games, in the order of the slots: of a family, in any of its places.
pub(super) fn find_rooms(game: &Game) -> Vec<ZoneRoom> {
    let model = game.model();
    let mut rooms = vec![ZoneRoom::default(); model.slots.len()];
    if !model.slots.iter().any(|slot| matches!(slot.role, Role::Zone | Role::Copies)) {
        return rooms;
    }
    let mut in_games: Vec<Vec<ZoneRoom>> = vec![];
    // Without decisions, a game would be over at once.
    let explicit_chance = model.choices.is_empty();
    for index in 0..GAMES {
        let Ok(mut state) = game.start_at(&Start { seed: SEED, index, explicit_chance, ..Start::default() })
        else {
            break;
        };
        let mut own = rooms.clone();
        for _ in 0..MOST_ACTIONS {
            look_at(&state, &mut own);
            let goes_on = match (state.random_action(), state.random_outcome()) {
                (Some(action), _) => state.apply(action).is_ok(),
                (None, Some(outcome)) => state.apply_outcome(outcome).is_ok(),
                (None, None) => false,
            };
            if !goes_on {
                break;
            }
        }
        look_at(&state, &mut own);
        in_games.push(own);
    }
    for (at, (room, slot)) in rooms.iter_mut().zip(&model.slots).enumerate() {
        let of = |count: fn(ZoneRoom) -> usize| {
            let counts: Vec<usize> = in_games.iter().map(|game| count(game[at])).collect();
            with_reserve(&counts)
        };
        let most = match slot.content {
            Content::Set(domain) => model.domains[domain.index()].size as usize,
            _ => usize::MAX,
        };
        *room = ZoneRoom { cards: of(|room| room.cards).min(most), kinds: of(|room| room.kinds).min(most) };
    }
    rooms
}

/// Returns the largest number, and somewhat more if only one game came to it: others may come to more.
fn with_reserve(counts: &[usize]) -> usize {
    let most = counts.iter().copied().max().unwrap_or(0);
    match counts.iter().filter(|count| **count == most).count() {
        1 => most + most.div_ceil(RESERVE),
        _ => most,
    }
}

fn look_at(state: &State, rooms: &mut [ZoneRoom]) {
    let slots = &state.game().model().slots;
    for ((id, slot), room) in (0..).map(SlotId).zip(slots).zip(rooms) {
        match slot.role {
            Role::Zone => {
                for place in 0..slot.initial.len() {
                    if let Value::Set(lying) = state.value(id, place) {
                        let cards = lying.len() as usize;
                        *room = room.join(ZoneRoom { cards, kinds: cards });
                    }
                }
            }
            Role::Copies => {
                let kinds =
                    slot.index.last().map_or(1, |kinds| state.game().model().domains[kinds.index()].size);
                for place in 0..slot.initial.len() / kinds.max(1) as usize {
                    let lying = state.copies_lying(id, place);
                    let cards = lying.iter().sum::<u64>() as usize;
                    let kinds = lying.iter().filter(|copies| **copies > 0).count();
                    // There may always be more than one of a kind.
                    let cards = if kinds > 0 { cards.max(kinds + 1) } else { 0 };
                    *room = room.join(ZoneRoom { cards, kinds });
                }
            }
            _ => {}
        }
    }
}
