//! The positions of a tree's nodes, so that a simulation begins where it leaves the tree.

use houserule_game::many::Playout;

/// Maximum memory of kept positions, in bytes. With more nodes, the actions after the last kept one are taken again.
const MOST_BYTES: usize = 16 << 20;

/// The positions of the first nodes of a tree, in their order.
#[derive(Debug)]
pub(super) struct KeptPositions {
    words: Vec<u64>,
    /// Words of a position; 0 if none are kept.
    each: usize,
    most_bytes: usize,
}

impl Default for KeptPositions {
    fn default() -> Self {
        KeptPositions { words: vec![], each: 0, most_bytes: MOST_BYTES }
    }
}

impl KeptPositions {
    /// Forgets all positions. From now on they are those of `playout`.
    pub(super) fn begin(&mut self, playout: &Playout) {
        self.words.clear();
        self.each = playout.position_words().unwrap_or(0);
    }

    /// Keeps the position of the playout for the next node, `node`, if there is room.
    pub(super) fn keep(&mut self, node: u32, playout: &Playout) {
        let place = node as usize * self.each;
        if self.each > 0 && place == self.words.len() && (place + self.each) * 8 <= self.most_bytes {
            playout.save(&mut self.words);
        }
    }

    /// Returns `true` if the position of a node is kept.
    #[inline]
    pub(super) fn has(&self, node: u32) -> bool {
        (node as usize + 1) * self.each <= self.words.len() && self.each > 0
    }

    /// Moves the playout to the position of a node: a kept one, or the root.
    pub(super) fn enter(&self, node: u32, playout: &mut Playout) {
        match self.has(node) {
            true => playout.go_to(&self.words[node as usize * self.each..][..self.each]),
            false => playout.restart(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Search;
    use super::*;
    use crate::agent::{Agent, SearchMethod, agent_stream};
    use houserule_game::{Game, Seat};
    use houserule_loader::{Request, load};

    /// The actions of a game of searches that keep positions in at most `most_bytes` bytes.
    fn played(game: &Game, most_bytes: usize) -> Vec<u32> {
        let mut search = Search::new("mcts:200".to_owned(), SearchMethod::Mcts, 200, None);
        search.positions.most_bytes = most_bytes;
        let mut stream = agent_stream(1, 0, Seat(0));
        let mut state = game.start(1, 0).expect("it starts");
        let mut actions = vec![];
        while let Some(seat) = state.current_player().filter(|_| actions.len() < 12) {
            let chosen = search.choose(&mut state.seen_by(seat), &mut stream);
            let action = chosen.expect("it searches").expect("a decision is pending");
            state.apply(action).expect("it is legal");
            actions.push(action.0);
        }
        actions
    }

    #[test]
    fn a_search_decides_the_same_however_many_positions_it_keeps() {
        for name in ["tic-tac-toe", "connect-four", "dots-and-boxes", "phantom-tic-tac-toe"] {
            let game = load(&Request { name, ..Request::default() }).expect("it loads").game;
            let all = played(&game, MOST_BYTES);
            assert!(all.len() > 4, "{name}");
            for most_bytes in [0, 2_000] {
                assert_eq!(played(&game, most_bytes), all, "{name}");
            }
        }
    }
}
