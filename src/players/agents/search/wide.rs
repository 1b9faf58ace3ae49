//! Progressive widening of nodes with many actions (Coulom, <https://hal.inria.fr/inria-00149266>).
//!
//! A node opens its actions one by one as its visits grow, in order of their priors. The prior of an action is its
//! gain, the immediate change of the player's lead, or another player's gain elsewhere in the tree: what one
//! player would win, the other often has to take or prevent.

use crate::agent::{Edge, Node};
use houserule_game::Game;
use houserule_game::many::Playout;

/// Maximum number of actions that are all open from the first visit. With more, a node is widened.
pub(super) const FEW: usize = 100;

/// Visits of a node after which its own gains are computed.
const LOOK_AT: u32 = 8;

/// Exploration constant (UCB1) of a widened node.
pub(super) const EXPLORATION: f64 = 0.4;

/// Weight of another player's gain in a prior.
const THEIRS: f32 = 0.9;

/// The state of progressive widening during one decision.
#[derive(Debug, Default)]
pub(super) struct Widening {
    /// Whether nodes are widened.
    pub(super) on: bool,
    /// Whether the game has scores, so that an action can have a gain.
    scores: bool,
    /// The gains of actions where they were last computed, by player and action.
    gained: Vec<Vec<f32>>,
    gains: Vec<f64>,
    actions: Vec<u32>,
}

impl Widening {
    /// Resets for a new decision with `actions` legal actions. `may` allows widening.
    pub(super) fn begin(&mut self, game: &Game, actions: usize, may: bool) {
        self.on = may && actions > FEW;
        self.scores = !game.model().score.is_empty();
        let players = game.players() as usize;
        self.gained.clear();
        self.gained.resize(players, vec![]);
    }

    /// Returns `true` if the gains of `player`'s actions are worth computing at a node with `visits` visits.
    pub(super) fn wants_gains(&self, player: u32, visits: u32) -> bool {
        self.scores && (visits >= LOOK_AT || self.gained[player as usize].is_empty())
    }

    /// Computes the gains of all actions of `node`, which must be the position of the playout.
    pub(super) fn compute_gains(&mut self, player: u32, playout: &mut Playout, node: &mut Node) {
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

    /// Maximum number of open actions of a node with `visits` visits.
    pub(super) fn width(visits: u32) -> u32 {
        f64::from(visits + 1).sqrt().ceil() as u32 + 1
    }

    /// The prior of an action for a player, before the action is tried.
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
