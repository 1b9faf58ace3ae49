//! What a player's observation is made of, in order: how many numbers each visible thing takes.

use super::Game;
use crate::lang::model::{Builtin, Content, PLAYER, Role, Slot, Visibility};

/// A part of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservationEntry {
    /// The slot that it shows.
    pub name: String,
    /// Where its numbers begin.
    pub offset: usize,
    /// How many numbers.
    pub length: usize,
}

impl Game {
    /// The parts of a player's observation: a number or truth value is one number, an element or a
    /// set as many as its domain has elements. What an owner sees is one player's share.
    pub fn observation_spec(&self) -> Vec<ObservationEntry> {
        let mut offset = 0;
        let mut entries = Vec::new();
        for slot in self.model().slots.iter().filter(|slot| is_seen(slot)) {
            let values = match (slot.visibility, slot.index.first()) {
                (Visibility::Owner, Some(&PLAYER)) => slot.initial.len() / self.players().max(1) as usize,
                _ => slot.initial.len(),
            };
            let each = match slot.content {
                Content::Number { .. } | Content::Bool => 1,
                Content::Element { domain, .. } | Content::Set(domain) => {
                    self.model().domains[domain.index()].size as usize
                }
            };
            let length = values * each;
            entries.push(ObservationEntry { name: slot.name.clone(), offset, length });
            offset += length;
        }
        entries
    }
}

/// Is it part of what players see? The engine's own counters are not, but whose turn it is and how
/// the match stands are.
fn is_seen(slot: &Slot) -> bool {
    match slot.role {
        Role::Builtin(Builtin::Mover | Builtin::Starter | Builtin::Total) => true,
        Role::Builtin(_) | Role::Empty(_) => false,
        _ => slot.visibility != Visibility::Nobody,
    }
}
