//! Boards that are drawn together: those with places, and both boards of backgammon.

use super::counters::CounterPile;
use super::{placed, triangles};
use crate::draw::svg::canvas::{Canvas, Picture};
use crate::draw::svg::scene::Scene;
use houserule_game::Game;
use houserule_game::drawing::{Instance, instances};
use houserule_model::{BoardForm, BoardId};

/// The boards that are drawn together, or not at all.
pub(in crate::draw::svg) struct SharedBoards<'c> {
    pub(in crate::draw::svg) game: &'c Game,
    pub(in crate::draw::svg) counters: &'c [CounterPile],
    /// Those whose sites have places.
    pub(in crate::draw::svg) placed: Vec<BoardId>,
}

impl<'c> SharedBoards<'c> {
    /// Finds those of a game.
    pub(in crate::draw::svg) fn find(game: &'c Game, counters: &'c [CounterPile]) -> SharedBoards<'c> {
        let has_counters = counters.iter().any(|pile| pile.place.is_some());
        SharedBoards { game, counters, placed: placed::placed_boards(game.model(), has_counters) }
    }

    fn form(&self, instance: &Instance) -> BoardForm {
        self.game.model().boards[instance.board.index()].look.form
    }

    /// Returns `false` for a board that another draws, or that is never drawn.
    pub(in crate::draw::svg) fn draws(&self, instance: &Instance) -> bool {
        match self.form(instance) {
            BoardForm::Nothing => false,
            BoardForm::Triangles => instance.number == 0,
            _ => self.placed.first() == Some(&instance.board) || !self.placed.contains(&instance.board),
        }
    }

    /// Returns the boards that one is drawn with, itself among them; `None` if it is drawn by itself.
    pub(in crate::draw::svg) fn with(&self, instance: &Instance) -> Option<Vec<Instance>> {
        let all = || instances(self.game).into_iter();
        match self.form(instance) {
            BoardForm::Triangles => Some(all().filter(|one| one.board == instance.board).collect()),
            _ if self.placed.contains(&instance.board) => {
                Some(all().filter(|one| self.placed.contains(&one.board)).collect())
            }
            _ => None,
        }
    }

    /// Draws boards together, with the counters that stand on them or beside them.
    pub(in crate::draw::svg) fn draw(
        &self,
        scenes: &[Scene<'_>],
        viewer: usize,
        canvas: Canvas<'_>,
    ) -> Picture {
        match scenes {
            [first, second] if self.form(&first.instance) == BoardForm::Triangles => {
                let off = self.counters.iter().filter(|pile| pile.seat.is_some() && pile.place.is_none());
                let slot = off.clone().map(|pile| pile.slot).next();
                let off: Vec<CounterPile> = off.filter(|pile| Some(pile.slot) == slot).cloned().collect();
                triangles::draw([first, second], viewer.min(1), &off, canvas)
            }
            _ => placed::draw(scenes, self.counters, canvas),
        }
    }
}
