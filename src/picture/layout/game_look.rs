//! What pictures of all states of a game have in common, computed once for the game.

use std::sync::OnceLock;

use super::blocks::PagePoint;
use super::roles::TableRoles;
use super::room::{ZoneRoom, find_rooms};
use super::stress::graph_places;
use houserule_game::Game;
use houserule_model::{BoardId, DomainId, SlotId};

/// What is the same in all pictures of a game.
#[derive(Clone, Debug)]
pub struct GameLook {
    /// What each zone and variable is on a table.
    pub roles: TableRoles,
    /// For each board, the places of its sites if it is a graph without places of its own.
    graphs: Vec<OnceLock<Vec<PagePoint>>>,
    /// How much comes to lie in each zone.
    rooms: OnceLock<Vec<ZoneRoom>>,
    /// For each board, the zones whose cards lie on its sites, with the domains of the cards.
    site_cards: Vec<OnceLock<Vec<(SlotId, DomainId)>>>,
}

impl GameLook {
    /// Returns that of a game.
    pub fn find(game: &Game) -> &GameLook {
        game.table().get_or(|| GameLook {
            roles: TableRoles::from_game(game),
            graphs: vec![OnceLock::new(); game.model().boards.len()],
            rooms: OnceLock::new(),
            site_cards: vec![OnceLock::new(); game.model().boards.len()],
        })
    }

    /// Returns how much comes to lie in a zone of a game, which is that of this look.
    pub fn room(&self, game: &Game, zone: SlotId) -> ZoneRoom {
        self.rooms.get_or_init(|| find_rooms(game))[zone.index()]
    }

    /// Returns the zones whose cards lie on the sites of a board. `find` finds them once.
    pub fn site_cards(
        &self,
        board: BoardId,
        find: impl FnOnce() -> Vec<(SlotId, DomainId)>,
    ) -> &[(SlotId, DomainId)] {
        self.site_cards[board.index()].get_or_init(find)
    }

    /// Returns the places of the sites of a graph, given the neighbours of each site and the lengths of its links.
    pub fn places(
        &self,
        board: BoardId,
        beside: &[Vec<usize>],
        long: &dyn Fn(usize, usize) -> u32,
    ) -> &[PagePoint] {
        self.graphs[board.index()].get_or_init(|| graph_places(beside, long))
    }
}
