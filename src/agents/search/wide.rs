//! Positions of more actions than can be tried.
//!
//! Actions are opened one by one as a position is visited (progressive widening: Coulom,
//! <https://hal.inria.fr/inria-00149266>), those first that gain most at once, for who chooses or, elsewhere
//! in the tree, for another: what one would win is often what the other has to take or to stop.

use super::tree::{Edge, Node};
use crate::engine::Game;
use crate::engine::many::Playout;

/// Up to so many actions are all tried.
pub(super) const FEW: usize = 100;

/// Visits of a position after which its actions are looked at one by one.
pub(super) const LOOK_AT: u32 = 8;

/// How much what was seldom tried is preferred among actions that were opened.
pub(super) const EXPLORATION: f64 = 0.4;

/// What another player's gain counts for.
const THEIRS: f32 = 0.9;

/// What is known of a game of many actions.
#[derive(Debug, Default)]
pub(super) struct Wide {
    /// Is there anything to open?
    pub(super) on: bool,
    /// What actions gained where they were last looked at, by player and action.
    gained: Vec<Vec<f32>>,
    gains: Vec<f64>,
    actions: Vec<u32>,
}

impl Wide {
    /// Forgets what was known: another decision is searched, of so many actions.
    pub(super) fn begin(&mut self, game: &Game, actions: usize, may: bool) {
        self.on = may && actions > FEW;
        let players = game.players() as usize;
        self.gained.clear();
        self.gained.resize(players, vec![]);
    }

    /// Is it known what a player's actions gain?
    pub(super) fn has_looked(&self, player: u32) -> bool {
        !self.gained[player as usize].is_empty()
    }

    /// Tries every action of a position that the trial is at.
    pub(super) fn look(&mut self, player: u32, playout: &mut Playout, node: &mut Node) {
        self.actions.clear();
        self.actions.extend(node.edges.iter().map(|edge| edge.action));
        playout.gains(player, &self.actions, &mut self.gains);
        let gained = &mut self.gained[player as usize];
        gained.resize(playout.game().actions() as usize, 0.0);
        for (edge, gain) in node.edges.iter_mut().zip(&self.gains) {
            edge.gain = *gain as f32;
            gained[edge.action as usize] = edge.gain;
        }
        node.ranked = true;
    }

    /// How many actions may be tried of a position that was visited so often.
    pub(super) fn open(visits: u32) -> u32 {
        f64::from(visits + 1).sqrt().ceil() as u32 + 1
    }

    /// What an action seems to be worth to a player before it is tried.
    pub(super) fn promise(&self, player: u32, edge: &Edge) -> f32 {
        let of = |gained: &Vec<f32>| gained.get(edge.action as usize).copied().unwrap_or(0.0);
        let mut most = if edge.gain != 0.0 { edge.gain } else { of(&self.gained[player as usize]) };
        for (other, gained) in self.gained.iter().enumerate() {
            if other != player as usize {
                most = most.max(THEIRS * of(gained));
            }
        }
        most
    }
}
